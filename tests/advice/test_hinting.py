"""Hints: each level tells a little more, and never more than that."""

from __future__ import annotations

import pytest

import mineproof as mp
from mineproof.advice.hinting import Hint, HintKind, hint
from mineproof.errors import InputError
from mineproof.match.referee import Referee
from mineproof.proofs.checker import check_proof
from mineproof.view.view import View

BOARDS = ["9x9/10", "hex:8x8/12", "torus:8x8/10", "cube:4x4x4/6", "triangle:6x12/8", "16x16/40"]


def opened(board: str, seed: int) -> View:
    game = Referee(board, seed, first_click="opening")
    return game.open(game.view.topology.centre)


def levels(view: View) -> list[Hint]:
    return [hint(view, level) for level in range(1, 5)]


def sure_positions(board: str) -> list[View]:
    views = [opened(board, seed) for seed in range(8)]
    return [view for view in views if mp.analyze(view).safe]


@pytest.mark.parametrize("board", BOARDS)
def test_each_level_tells_one_thing_more(board: str) -> None:
    found = sure_positions(board)
    assert found
    for view in found:
        region, clues, cell, proof = levels(view)
        assert [one.kind.value for one in (region, clues, cell, proof)] == [
            *("region", "clues", "cell", "proof")
        ]
        assert [one.more for one in (region, clues, cell, proof)] == [True, True, True, False]
        # The region: neither which clues nor which cell, and no name of either.
        assert (region.clues, region.uses_total, region.cell, region.proof) == (
            (),
            False,
            None,
            None,
        )
        assert proof.proof is not None
        assert cell.cell is not None
        name = view.topology.cell_name
        assert {cell.cell, *clues.clues} <= set(region.region)
        assert not any(f"at {name(one)}" in region.text for one in clues.clues)
        # The clues: not the cell.
        assert (clues.cell, clues.proof, clues.region) == (None, None, ())
        assert clues.clues == proof.proof.clues
        for one in clues.clues:
            assert f"the {view.clue(one)} at {name(one)}" in clues.text
        assert ("number of mines" in clues.text) is proof.proof.uses_total
        # The cell, which is safe in every solution; not the proof.
        assert cell.proof is None
        assert mp.analyze(view).p[cell.cell] == 0.0
        assert cell.text == f"{name(cell.cell)} is certainly safe."
        # The proof, which its checker accepts.
        assert proof.proof.cell == cell.cell
        assert check_proof(proof.proof, view)
        assert hint(view, 9) == proof


def test_the_easiest_proof_is_chosen() -> None:
    for seed in range(12):
        view = opened("16x16/40", seed)
        if not mp.analyze(view).safe:
            continue
        proof = hint(view, 4).proof
        assert proof is not None
        proofs = [one for one in mp.explain_all(view).proofs if one.claim.value == "safe"]
        assert proof.size == min(one.size for one in proofs)


def test_flags_are_no_evidence() -> None:
    view = sure_positions("9x9/10")[0]
    wrong = hint(view, 3).cell
    assert wrong is not None
    assert hint(view.toggle_flag(wrong), 3).cell == wrong


def test_where_nothing_is_certain_it_says_so_and_guesses_only_when_asked_again() -> None:
    view = View.parse("square 2x3 mines=2\n1..\n.2.")
    assert not mp.analyze(view).safe
    first, second = hint(view), hint(view, 2)
    assert (first.kind, first.cell, first.region, first.more) == (HintKind.NOTHING, None, (), True)
    assert first.text == "No cell is certainly safe here. It takes a guess."
    best = mp.advise(view)
    assert best is not None
    assert (second.kind, second.cell, second.text) == (HintKind.GUESS, best.cell, best.text)
    assert not second.more


def test_before_the_first_cell() -> None:
    view = Referee("9x9/10", 1).view
    assert hint(view).text == "Nothing is open yet. Begin anywhere: the first cell is no mine."
    assert hint(view, 2).cell is not None


def test_a_proof_by_the_number_of_mines_alone() -> None:
    view = View.parse("square 1x6 mines=1\n1*1?..")
    region, clues, cell, _ = levels(view)
    assert region.text == "Look at row 0, columns 4 to 5: a cell there is certainly safe."
    assert region.region == (4, 5)
    assert clues.text == "Look at the number of mines."
    assert cell.cell == 4


def test_a_level_below_one_is_refused() -> None:
    with pytest.raises(InputError, match="level 0 of a hint; accepted: 1 or more"):
        hint("square 1x4 mines=1\n.1..", 0)
    with pytest.raises(InputError, match=r"level '.*' is no whole number"):
        hint("square 1x4 mines=1\n.1..", 1.5)  # type: ignore[arg-type]
