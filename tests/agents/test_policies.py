"""Guessing policies: which cells each prefers, at which risk."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof.agents.decision import Guessed
from mineproof.agents.policies import (
    POLICIES,
    corner_first,
    density_formula,
    exact_risk,
    local_ratio,
    make_policy,
    set_risk,
    stop,
)
from mineproof.agents.policy import Follower
from mineproof.inference.logics.partition import Partition
from mineproof.inference.verdict import infer
from mineproof.rng import Stream
from mineproof.testing import strategies
from mineproof.view.view import View
from tests.core import players_need_core


def rng() -> Stream:
    return Stream(1)


def names(view: View, guess: Guessed) -> list[str]:
    return [view.topology.cell_name(cell) for cell in guess.cells]


@pytest.mark.parametrize("name", players_need_core(POLICIES))
@settings(max_examples=30)
@given(view=strategies.views(), data=st.data())
def test_a_policy_chooses_a_candidate(name: str, view: View, data: st.DataObject) -> None:
    hidden = list(view.hidden)
    if not hidden:
        return
    policy = make_policy(name)
    if isinstance(policy, Follower):
        policy.begin(view)
    choice = policy(view, hidden, rng())
    if choice is None:
        assert name in ("stop", "forced-first")
        return
    cell, reason = choice
    assert cell in hidden
    assert not reason.cells or cell in reason.cells
    assert reason.risk is None or 0 <= reason.risk <= 1
    assert 1 <= reason.among <= len(hidden)


def test_corners_come_first_then_any_cell() -> None:
    view = View.parse("square 3x4 mines=2\n1..1\n....\n....")
    cell, reason = corner_first(view, list(view.hidden), rng())
    assert names(view, reason) == ["2,0", "2,3"]
    assert cell in reason.cells
    view = View.parse("torus 3x4 mines=2\n....\n....\n....")
    assert corner_first(view, list(view.hidden), rng())[1].among == 12


def test_the_corners_of_a_rhombus() -> None:
    view = View.parse("hex 4x4 mines=2\n....\n....\n....\n....")
    reason = corner_first(view, list(view.hidden), rng())[1]
    assert names(view, reason) == ["0,0", "0,3", "3,0", "3,3"]


def test_local_ratio_is_the_largest_over_the_clues_around() -> None:
    # 0,1 sees 1 in four cells; 0,3 sees 2 in four of which 1,2 is common: 2/4 there.
    view = View.parse("square 2x5 mines=3\n.1.2.\n.....")
    cell, reason = local_ratio(view, list(view.hidden), rng())
    assert reason.risk == 0.2
    assert names(view, reason) == ["0,0", "1,0", "1,1"]
    assert cell in reason.cells


def test_known_mines_lower_the_ratio() -> None:
    view = View.parse("square 2x3 mines=2\n.2.\n...")
    known_mine = 0
    candidates = [cell for cell in view.hidden if cell != known_mine]
    assert local_ratio(view, candidates, rng())[1].risk == 0.25


def test_the_density_formula_of_report_2() -> None:
    # 10 cells, 2 mines; the clue takes 1 of them next to it: (2 - 1) / (10 - (2 + 1)).
    view = View.parse("square 1x10 mines=2\n.1........")
    cell, reason = density_formula(view, list(view.hidden), rng())
    assert reason.risk == 1 / 7
    assert cell >= 3


def test_the_set_with_the_least_risk_on_its_own() -> None:
    view = View.parse("square 2x5 mines=3\n.1.2.\n.....")
    reason = set_risk(view, list(view.hidden), rng())[1]
    assert reason.risk == 0.2
    assert names(view, reason) == ["0,0", "0,2", "1,0", "1,1", "1,2"]


def test_the_total_is_one_more_set() -> None:
    view = View.parse("square 2x9 mines=2\n.1.......\n.........")
    logic = Partition(use_total=True)
    infer(logic, view)
    reason = set_risk(view, list(view.hidden), rng(), logic)[1]
    assert reason.risk == 2 / 17
    assert reason.among == 12


def test_exact_risk_is_the_least_exact_chance() -> None:
    view = View.parse("square 1x5 mines=1\n.1...")
    assert exact_risk(view, list(view.hidden), rng())[1].risk == 0.0


def test_stop_opens_a_first_cell_that_the_rules_make_safe() -> None:
    safe = View.parse("square 1x5 mines=1\n.....")
    choice = stop(safe, list(safe.hidden), rng())
    assert choice is not None
    assert choice[1].risk == 0.0
    anywhere = View.parse("square 1x5 mines=1 first-click=any\n.....")
    assert stop(anywhere, list(anywhere.hidden), rng()) is None
    begun = View.parse("square 1x5 mines=1\n.1...")
    assert stop(begun, list(begun.hidden), rng()) is None
