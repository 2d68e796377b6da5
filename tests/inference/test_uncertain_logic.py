"""What each channel lets be proved, by every logic, and where a shown zero opens its neighbours."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from mineproof.inference.enumerate import enumerated
from mineproof.inference.provers import PROVERS
from mineproof.testing.strategies import topologies, views
from mineproof.view import View

LOGICS = ["single-point", "partition", "sat", "reductio"]
COMPLETE = ["sat", "reductio"]


@given(views(topologies(9), flags=False))
@settings(max_examples=120)
def test_all_are_sound_under_every_channel(view: View) -> None:
    truth = enumerated(view)
    for name in LOGICS:
        verdict = PROVERS[name](view)
        assert set(verdict.safe) <= set(truth.safe), name
        assert set(verdict.mines) <= set(truth.mines), name


@given(views(topologies(9), ["exact", "withheld", "optimistic", "cautious"], flags=False))
@settings(max_examples=120)
def test_sat_and_reductio_miss_nothing_that_bounds_prove(view: View) -> None:
    rules = view.rules.with_words(mines="~50%", total="unknown")
    truth = enumerated(view.with_rules(rules))
    for name in COMPLETE:
        verdict = PROVERS[name](view)
        assert set(verdict.safe) == set(truth.safe), name
        assert set(verdict.mines) == set(truth.mines), name


@given(views(topologies(9), ["optimistic"], flags=False))
@settings(max_examples=60)
def test_optimistic_clues_prove_mines_only(view: View) -> None:
    for name in LOGICS:
        assert not PROVERS[name](view).safe


@given(views(topologies(9), ["cautious"], flags=False))
@settings(max_examples=60)
def test_cautious_clues_prove_safety_only(view: View) -> None:
    for name in LOGICS:
        assert not PROVERS[name](view).mines


@pytest.mark.parametrize("name", LOGICS)
@pytest.mark.parametrize(
    ("clues", "shown", "safe", "mines"),
    [
        ("exact", 2, set(), {0, 2}),
        ("withheld:0.5", 0, {0, 2}, set()),
        ("withheld:0.5", "?", set(), set()),
        ("optimistic", 2, set(), {0, 2}),
        ("optimistic", 0, set(), set()),
        ("cautious", 0, {0, 2}, set()),
        ("cautious", 2, set(), set()),
        ("noisy:0.3", 0, set(), set()),
        ("noisy:0.3", 2, set(), set()),
        ("table:0:1;1:1;-:1", "?", set(), {0, 2}),
        ("table:0:0.5,-:0.5;1:1;2:1", "?", {0, 2}, set()),
        ("table:0:0.5,-:0.5;1:0.5,-:0.5;2:1", "?", set(), set()),
        ("table:0:0.5,-:0.5;1:0.5,-:0.5;2:0.5,-:0.5", "?", set(), set()),
    ],
)
def test_by_hand(name: str, clues: str, shown: object, safe: set[int], mines: set[int]) -> None:
    view = View.parse(f"square 1x3 mines=unknown density=0.5 clues={clues}\n.{shown}.")
    verdict = PROVERS[name](view)
    assert (set(verdict.safe), set(verdict.mines)) == (safe, mines)
