"""Constraints and the frontier say what the clues say."""

from __future__ import annotations

from fractions import Fraction

import pytest

from mineproof.errors import InconsistentPosition
from mineproof.inference.engine.constraints import Constraint, constraints, total_constraint
from mineproof.inference.engine.frontier import frontier
from mineproof.view import View


def view_of(text: str) -> View:
    return View.parse(text)


def test_a_plain_clue_counts_its_hidden_neighbours() -> None:
    (one,) = constraints(view_of("square 1x3 mines=1\n.1."))
    assert one == Constraint((0, 2), 1, clue=1)
    assert one.count == 1
    assert str(one) == "1 mine in {0, 2}"


def test_opened_mines_are_subtracted() -> None:
    (left,) = constraints(view_of("square 1x4 mines=2 on-mine=continue\n*2.."))
    assert (left.cells, left.low, left.high) == ((2,), 1, 1)


def test_a_clue_that_may_lie_has_a_weight_for_every_count() -> None:
    (clue,) = constraints(view_of("square 1x3 mines=unknown density=0.5 clues=optimistic\n.1."))
    assert clue.weights == (Fraction(1, 2), Fraction(1, 3))
    assert (clue.low, clue.high, clue.count, clue.possible) == (1, 2, None, (1, 2))
    assert str(clue) == "1..2 mines in {0, 2}"


def test_known_cells_simplify() -> None:
    clue = Constraint((3, 5, 7), 2, clue=4)
    assert clue.given({5: True}) == Constraint((3, 7), 1, clue=4)
    assert clue.given({5: False}) == Constraint((3, 7), 2, clue=4)
    assert clue.given({3: False, 5: False}).impossible
    assert clue.given({9: True}) is clue


def test_a_gap_in_the_counts_stays() -> None:
    (clue,) = constraints(view_of("square 1x3 mines=unknown clues=noisy:1\n.1."))
    assert clue.possible == (0, 2)
    assert clue.weight(1) == 0


def test_a_clue_that_cannot_be_met_is_named() -> None:
    with pytest.raises(InconsistentPosition, match="0,1") as error:
        constraints(view_of("square 1x3 mines=1\n020"))
    assert error.value.clues == (1,)


def test_a_blank_that_could_not_be_withheld_is_a_clash() -> None:
    with pytest.raises(InconsistentPosition, match="0,1"):
        constraints(view_of("square 1x3 mines=1 clues=withheld:0\n.?."))
    assert not constraints(view_of("square 1x3 mines=1 clues=withheld:0.1\n.?."))


def test_the_total_is_a_constraint_over_all_hidden_cells() -> None:
    total = total_constraint(view_of("square 1x4 mines=2 on-mine=continue\n*1.."))
    assert total == Constraint((2, 3), 1)
    assert total_constraint(view_of("square 1x3 mines=unknown\n...")) is None


def test_boxes_components_and_sea() -> None:
    view = view_of("square 1x12 mines=3\n.1.....1.1..")
    found = frontier(view)
    assert [part.cells for part in found.components] == [(0, 2), (6, 8, 10)]
    assert [[box.cells for box in part.boxes] for part in found.components] == [
        [(0, 2)],
        [(6,), (8,), (10,)],
    ]
    assert [part.clues for part in found.components] == [(1,), (7, 9)]
    assert found.sea == (3, 4, 5, 11)
