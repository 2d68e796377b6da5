"""single-point: one clue at a time, with the clue named as the reason."""

from __future__ import annotations

import pytest

from mineproof.errors import InconsistentPosition
from mineproof.inference.logics.single_point import SinglePoint
from mineproof.inference.verdict import Premises, infer
from mineproof.view.view import View


def proved(view: View) -> tuple[list[str], list[str]]:
    """Safe cells and mines by name."""
    verdict = infer(SinglePoint(), view)
    name = view.topology.cell_name
    return [name(c) for c in sorted(verdict.safe)], [name(c) for c in sorted(verdict.mines)]


def test_a_clue_with_all_its_mines_known_frees_the_rest() -> None:
    # 0,1 must be the mine of the 1 at 0,0; then the other neighbours of 1,1 are free.
    view = View.parse("square 2x3 mines=1\n1..\n11.")
    assert proved(view) == (["0,2", "1,2"], ["0,1"])
    view = View.parse("square 3x3 mines=1\n1.1\n111\n000")
    assert proved(view) == ([], ["0,1"])
    view = View.parse("square 1x5 mines=1\n.1.1.")
    assert proved(view) == ([], [])


def test_proved_mines_prove_further_cells() -> None:
    view = View.parse("square 1x5 mines=2\n1.1..")
    verdict = infer(SinglePoint(), view)
    assert sorted(verdict.mines) == [1]
    assert sorted(verdict.safe) == [3]
    assert verdict.mines[1] == Premises((0,))
    assert verdict.safe[3] == Premises((2,))


def test_two_clues_together_are_beyond_it() -> None:
    assert proved(View.parse("square 2x3 mines=1\n111\n...")) == ([], [])


def test_the_total_is_beyond_it() -> None:
    assert proved(View.parse("square 1x3 mines=0\n...")) == ([], [])


def test_an_optimistic_clue_proves_mines_only_and_a_cautious_one_safety_only() -> None:
    rows = "\n.2."
    assert proved(View.parse("square 1x3 mines=2 clues=optimistic" + rows)) == ([], ["0,0", "0,2"])
    assert proved(View.parse("square 1x3 mines=2 clues=cautious" + rows)) == ([], [])
    rows = "\n.0."
    assert proved(View.parse("square 1x3 mines=0 clues=optimistic" + rows)) == ([], [])
    assert proved(View.parse("square 1x3 mines=0 clues=cautious" + rows)) == (["0,0", "0,2"], [])


@pytest.mark.parametrize("rows", ["0.\n.1", "1*\n1."])
def test_a_clue_that_cannot_be_met_is_named(rows: str) -> None:
    view = View.parse("square 2x2 mines=1\n" + rows)
    if "*" in rows:
        assert proved(view) == (["1,1"], [])
    else:
        with pytest.raises(InconsistentPosition, match="the clue at 1,1 cannot be met") as raised:
            infer(SinglePoint(), view)
        assert raised.value.clues == (0, 3)


def test_its_knowledge_is_the_open_clues() -> None:
    view = View.parse("square 2x3 mines=1\n111\n...")
    logic = SinglePoint()
    logic.begin(view)
    logic.learn(view)
    assert logic.knowledge(view).splitlines() == [
        "0,0: 1 in {1,0 1,1}",
        "0,1: 1 in {1,0 1,1 1,2}",
        "0,2: 1 in {1,1 1,2}",
    ]
