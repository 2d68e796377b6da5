"""Forced guesses: found where nothing can change them, and made before anything else."""

from __future__ import annotations

import pytest

import mineproof as mp
from mineproof.agents import make_agent
from mineproof.agents.decision import Action, Guessed, Proved
from mineproof.agents.forced_first import forced_regions
from mineproof.inference.enumerate import enumerate_layouts
from mineproof.rng import Stream
from mineproof.view.view import View
from tests.core import needs_core

# The cells of the column at the left, above two certain mines: nothing will tell them apart.
CORNER = "square 4x6 mines=5\n.101..\n.311..\n..11..\n2210.."
# The same, but 2,1 is safe and still hidden: it touches 1,0 and not 0,0.
TELLS = "square 4x6 mines=4\n.101..\n.201..\n..01..\n1100.."
# Alone behind a gap: a mine in the middle, or one at either end.
ROW = "square 1x8 {}\n.1.1.#.."


def regions(text: str) -> list[list[str]]:
    view = View.parse(text)
    chances = mp.analyze(view).p.array.tolist()
    return [[view.topology.cell_name(c) for c in found] for found in forced_regions(view, chances)]


@pytest.mark.parametrize(
    ("text", "forced"),
    [
        (CORNER, [["0,0", "1,0"]]),
        (TELLS, []),
        ("square 1x6 mines=2\n.1.#..", [["0,0", "0,2"]]),
        # Nothing else is left to do: there is nothing to be early with.
        ("square 1x3 mines=1\n.1.", []),
        ("square 1x6 mines=1\n.1.#..", [["0,0", "0,2"]]),
        ("square 1x6 mines=3\n.1.#..", []),
        # One mine or two: with the total known, the other cells will tell.
        (ROW.format("mines=2"), []),
        (ROW.format("mines=unknown density=0.3"), [["0,0", "0,2", "0,4"]]),
        # Two regions at once.
        ("square 1x10 mines=3\n.1.#.1.#..", [["0,0", "0,2"], ["0,4", "0,6"]]),
        # Where the number is unknown, a region that may be full of mines may need no guess.
        ("square 1x6 mines=unknown density=0.3 clues=cautious\n.2.#..", []),
        # Hexagons: the cells at an edge under a clue, beyond a gap.
        ("hex 3x4 mines=2\n.1#.\n#.#.\n####", [["0,0", "1,1"]]),
        ("hex 3x4 mines=2\n.1#.\n..#.\n####", []),
    ],
)
def test_what_is_forced(text: str, forced: list[list[str]]) -> None:
    assert regions(text) == forced


def test_a_number_drawn_uniformly_links_every_cell() -> None:
    """The mines found elsewhere say something about how many there are."""
    view = View.parse(ROW.format("mines=unknown density=0.3"))
    drawn = view.with_rules(view.rules.with_words(mines="uniform"))
    assert not list(forced_regions(drawn, mp.analyze(drawn).p.array.tolist()))


@pytest.mark.parametrize("rules", [{}, {"total": "unknown"}, {"clues": "withheld:0.2"}])
@pytest.mark.parametrize("board", ["2x8/4", "1x14/5", "hex:2x8/6", "hex:4x4/5", "cube:2x2x4/5"])
def test_nothing_outside_can_change_a_forced_guess(board: str, rules: dict[str, str]) -> None:
    """By brute force: inside and outside are independent, and no cell to come sees the inside."""
    checked = 0
    for index in range(30):
        game = mp.play(
            board, "random", 2, index=index, first_click="any", on_mine="continue", **rules
        )
        for view in list(game.views())[:-1]:
            chances = mp.analyze(view).p.array.tolist()
            for found in forced_regions(view, chances):
                checked += 1
                check_forced(view, set(found))
    assert checked


def check_forced(view: View, region: set[int]) -> None:
    weights = dict(enumerate_layouts(view))
    inside = {mines & region for mines in weights}
    outside = {mines - region for mines in weights}
    assert len(weights) == len(inside) * len(outside)
    some = min(outside, key=sorted)
    for one in inside:
        assert one != region, "some cell is safe, and must be opened"
        share = {weights[one | rest] / weights[min(inside, key=sorted) | rest] for rest in outside}
        assert share == {weights[one | some] / weights[min(inside, key=sorted) | some]}
    for cell in region:
        assert any(cell in one for one in inside)
        assert any(cell not in one for one in inside)
        for near in view.topology.neighbours(cell):
            if near not in region and view.is_hidden(near):
                assert all(near in rest for rest in outside)
    assert any(not rest.issuperset(set(view.hidden) - region) for rest in outside)


@pytest.mark.parametrize("logic", ["sat", "single-point", "exact", "partition", "none"])
def test_it_is_made_before_anything_else(logic: str) -> None:
    view = View.parse(CORNER)
    plain, early = make_agent(logic), make_agent(f"{logic}+forced-first")
    for agent in (plain, early):
        agent.begin(view, Stream(4))
    if logic != "none":
        assert isinstance(plain.act(view).reason, Proved)
    decision = early.act(view)
    assert decision.action is Action.OPEN
    assert isinstance(decision.reason, Guessed)
    assert decision.reason == Guessed("forced-first", 2, 0.5, (0, 6))
    assert decision.cell in (0, 6)
    # The outcome of the guess is one more clue; then the proofs go on.
    after = view.reveal({decision.cell: 3 if decision.cell == 6 else 1})
    if logic == "exact":
        assert isinstance(early.act(after).reason, Proved)


def test_it_waits_where_the_outside_can_still_tell() -> None:
    view = View.parse(TELLS)
    agent = make_agent("sat+forced-first")
    agent.begin(view, Stream(4))
    assert isinstance(agent.act(view).reason, Proved)


@pytest.mark.parametrize("board", ["8x8/16", "square4:7x7/12"])
def test_the_next_policy_guesses_where_nothing_is_forced(board: str) -> None:
    seen = set()
    for index in range(30):
        game = mp.play(board, "sat+forced-first+exact-risk", 3, index=index)
        assert not game.outcome.note
        for step, view in zip(game.steps, game.views(), strict=False):
            reason = step.decision.reason
            if isinstance(reason, Guessed):
                seen.add(reason.policy)
                if reason.policy == "forced-first":
                    chances = mp.analyze(view).p.array.tolist()
                    forced = {cell for one in forced_regions(view, chances) for cell in one}
                    assert step.decision.cell in forced
                    assert chances[step.decision.cell] == min(chances[cell] for cell in forced)
    assert seen == {"forced-first", "exact-risk"}


@needs_core
def test_its_games_are_no_longer_and_as_often_won() -> None:
    """Paired with the same deals and the same policy after it; lost games end earlier."""
    plain = mp.play_many("8x8/16", "exact+random", 150, 5)
    early = mp.play_many("8x8/16", "exact+forced-first+random", 150, 5)
    assert early.steps.sum() < plain.steps.sum()
    assert plain.interval.low <= early.rate <= plain.interval.high
