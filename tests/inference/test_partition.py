"""partition: overlapping sets fall into parts, and determined parts become sets."""

from __future__ import annotations

import pytest

from mineproof.errors import InconsistentPosition
from mineproof.inference.logics.partition import Partition
from mineproof.inference.verdict import Premises, infer
from mineproof.view.view import View

ONE_ONE_ONE = "square 2x3 mines=1\n111\n..."


def test_a_set_inside_another_frees_the_rest() -> None:
    # {1,0 1,1} holds 1 and lies in {1,0 1,1 1,2}, which holds 1 too.
    verdict = infer(Partition(), View.parse(ONE_ONE_ONE))
    assert sorted(verdict.safe) == [3, 5]
    assert sorted(verdict.mines) == [4]
    assert verdict.safe[5] == Premises((0, 1))


def test_the_example_of_the_report() -> None:
    """2 in {a b c} and 1 in {b c d}: the parts hold 1, 1 and 0."""
    # Row 1 is hidden; 0,2 sees 1,1 1,2 1,3 and 0,3 sees 1,2 1,3 1,4.
    view = View.parse("square 2x6 mines=unknown density=0.5\n??21??\n......")
    verdict = infer(Partition(), view)
    assert sorted(verdict.safe) == [10]
    assert sorted(verdict.mines) == [7]


def test_a_determined_part_is_kept_as_a_set() -> None:
    view = View.parse("square 2x6 mines=unknown density=0.5\n??21??\n......")
    logic = Partition()
    infer(logic, view)
    assert logic.knowledge(view) == "1 in {1,2 1,3} from 0,2 0,3"


def test_the_total_is_one_more_set() -> None:
    view = View.parse("square 1x5 mines=1\n.1...")
    assert not infer(Partition(), view)
    verdict = infer(Partition(use_total=True), view)
    assert sorted(verdict.safe) == [3, 4]
    assert all(why.total for why in verdict.safe.values())


def test_when_no_mine_is_left_the_rest_is_safe() -> None:
    view = View.parse("square 1x5 mines=1\n1....")
    verdict = infer(Partition(use_total=True), view)
    assert sorted(verdict.mines) == [1]
    assert sorted(verdict.safe) == [2, 3, 4]


def test_when_only_mines_are_left_all_are_mines() -> None:
    verdict = infer(Partition(use_total=True), View.parse("square 1x3 mines=3\n..."))
    assert sorted(verdict.mines) == [0, 1, 2]


def test_two_clues_that_clash_are_named() -> None:
    view = View.parse("square 2x4 mines=unknown density=0.5\n?30?\n....")
    with pytest.raises(InconsistentPosition):
        infer(Partition(), view)


def test_a_total_the_clues_cannot_have_is_a_contradiction() -> None:
    view = View.parse("square 1x4 mines=0\n.1..")
    with pytest.raises(InconsistentPosition):
        infer(Partition(use_total=True), view)


def test_ranges_are_split_too() -> None:
    # Optimistic clues are lower ends: at least 2 of two cells on the left, and on the right.
    view = View.parse("square 2x3 mines=3 clues=optimistic\n222\n...")
    assert sorted(infer(Partition(), view).mines) == [3, 4, 5]
