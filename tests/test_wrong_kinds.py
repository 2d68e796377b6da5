"""Values of the wrong kind are refused in one line; our own are taken wherever their text is."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, cast

import numpy as np
import pytest

import mineproof as mp

TEXT = "square 3x3 mines=2\n1..\n12.\n01."
VIEW = mp.View.parse(TEXT)
GAME = mp.play("4x4/2", seed=3)
TOPOLOGY = VIEW.topology
CELLS = "accepted: a list of cells"

KINDS: dict[str, tuple[Callable[[Any], object], str]] = {
    "analyze budget": (lambda x: mp.analyze(VIEW, budget=x), "accepted: a Budget"),
    "analyze_many budget": (lambda x: mp.analyze_many([VIEW], budget=x), "accepted: a Budget"),
    "analyze_many views": (lambda x: mp.analyze_many(x), "accepted: a list of positions"),
    "analyze_many threads": (lambda x: mp.analyze_many([VIEW], threads=x), "threads"),
    "Session budget": (lambda x: mp.Session(VIEW, budget=x), "accepted: a Budget"),
    "advise budget": (lambda x: mp.advise(VIEW, budget=x), "accepted: a Budget"),
    "advise wins": (lambda x: mp.advise(VIEW, wins=x), "accepted: what win_chance returns"),
    "win_chance cells": (lambda x: mp.win_chance(VIEW, cells=x), CELLS),
    "win_chance also": (lambda x: mp.win_chance(VIEW, also=x), CELLS),
    "chains.of": (lambda x: mp.chains.of(x), "accepted: a Transcript"),
    "chains.graph": (lambda x: mp.chains.graph(x), "accepted: what chains.of returns"),
    "review": (lambda x: mp.review(x), "accepted: a Transcript"),
    "review moves": (lambda x: mp.review([x]), "accepted: a view, a Decision"),
    "review effort": (lambda x: mp.review(GAME, effort=x), "accepted: an Effort"),
    "review watch": (lambda x: mp.review(GAME, watch=x), "accepted: a function"),
    "play watch": (lambda x: mp.play("4x4/2", watch=x), "accepted: a function"),
    "play given": (lambda x: mp.play("4x4/2", given=x), "accepted: a text, a list of coordinates"),
    "generate watch": (lambda x: mp.generate("5x5/3", watch=x), "accepted: a function"),
    "compare watch": (lambda x: mp.compare(["random"], watch=x), "accepted: a function"),
    "compare out": (lambda x: mp.compare(["random"], out=x), "accepted: the path of a folder"),
    "compare engine": (lambda x: mp.compare(["random"], engine=x), "engine '5.5' is no text"),
    "compare secret": (lambda x: mp.compare(["random"], secret=x), "secret '5.5' is no text"),
    "Topology lattice": (lambda x: mp.Topology(x), "accepted: one, or a text"),
    "Topology blocked": (lambda x: mp.Topology.of("square", "3x3", x), "by their coordinates"),
    "Topology blocked cell": (lambda x: mp.Topology.of("square", "3x3", [x]), "its coordinates"),
    "Topology name": (lambda x: mp.Topology.of(x, "3x3"), "topology '5.5' is no text"),
    "Topology shape": (lambda x: mp.Topology.of("square", x), "shape '5.5' is no text"),
    "steps_to": (lambda x: TOPOLOGY.steps_to(0, x), CELLS),
    "CellSet": (lambda x: mp.CellSet(x), "accepted: a Topology"),
    "CellSet mask": (lambda x: mp.CellSet(TOPOLOGY, x), "mask '5.5' is no whole number"),
    "CellSet.of": (lambda x: mp.CellSet.of(TOPOLOGY, x), CELLS),
    "CellSet.parse": (lambda x: mp.CellSet.parse(TOPOLOGY, x), "cell set '5.5' is no text"),
    "Layout": (lambda x: mp.Layout(TOPOLOGY, x), "accepted: an array of 9 bytes"),
    "Layout topology": (lambda x: mp.Layout(x, np.zeros(9, np.uint8)), "accepted: a Topology"),
    "Layout.of": (lambda x: mp.Layout.of(TOPOLOGY, x), CELLS),
    "Mines.density": (lambda x: mp.Mines.density(x), "accepted: 0 to 1"),
    "Given cells": (lambda x: mp.Given(cells=x), "by their coordinates"),
    "Given random": (lambda x: mp.Given(random=x), "random '5.5' is no whole number"),
    "Given factor": (lambda x: mp.Given(factor=x), "accepted: a Fraction"),
    "View.of_codes": (lambda x: mp.View.of_codes(TOPOLOGY, VIEW.rules, x), "an array of 9 bytes"),
    "with_flags": (lambda x: VIEW.with_flags(x), CELLS),
    "opened_since": (lambda x: VIEW.opened_since(x), "accepted: a View"),
    "with_unsound": (lambda x: GAME.with_unsound(x), "accepted: chances by step"),
    "step_text": (lambda x: GAME.step_text(1, x), "accepted: one of the steps"),
    "check_proof states": (
        lambda x: mp.check_proof(mp.explain(VIEW, 1), VIEW, x),
        "most_states '5.5' is no whole number",
    ),
    "shipped_puzzles": (lambda x: mp.shipped_puzzles(x), "pattern '5.5' is no text"),
    "make_puzzles": (lambda x: mp.make_puzzles(x), "pattern '5.5' is no text"),
}


@pytest.mark.parametrize("name", KINDS)
def test_a_value_of_the_wrong_kind_is_refused_in_one_line(name: str) -> None:
    call, said = KINDS[name]
    with pytest.raises(mp.InputError) as caught:
        call(5.5)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_numbers_that_no_machine_holds_are_refused() -> None:
    huge = 10**30
    for call in (
        lambda: mp.play_many("4x4/2", games=huge),
        lambda: mp.endgame(VIEW, work=huge),
        lambda: mp.analyze(VIEW).sample(huge),
        lambda: mp.analyze_many([VIEW], threads=huge),
    ):
        with pytest.raises(mp.InputError, match="accepted"):
            cast("Callable[[], object]", call)()


@pytest.mark.parametrize(
    "given", ["0,0;3,4", [(0, 0), (3, 4)], [[0, 0], [3, 4]], mp.Given(cells=((0, 0), (3, 4)))]
)
def test_given_cells_are_taken_as_a_text_a_list_or_a_value(given: Any) -> None:
    assert mp.Rules().with_words(given=given).given.text == "0,0;3,4"
    assert mp.Rules(given=given) == mp.Rules.parse("given=0,0;3,4")
    assert mp.Given.of(given) == mp.Given.parse("0,0;3,4")
    assert mp.Referee("9x9/10", given=given).view.is_open((3, 4))


def test_our_own_values_are_taken_where_their_text_is() -> None:
    assert mp.CellSet.parse("3x3", "x..\n...\n...") == mp.CellSet.of(TOPOLOGY, [0])
    assert mp.Rules().with_words(mines=np.int64(3)).mines == mp.Mines.number(3)
    assert mp.Mines.density(np.float32(0.5)) == mp.Mines.density(np.float64(0.5))
    assert mp.Mines.density(np.float64(0.5)) == mp.Mines.density(Fraction(1, 2))
    safe = mp.analyze(VIEW).safe
    assert [win.cell for win in mp.win_chance(VIEW, cells=safe)] == list(safe)
    assert VIEW.with_flags(mp.analyze(VIEW).mines).flag_count == 1
