"""The core plays the very games that the Python referee plays."""

from __future__ import annotations

import numpy as np
import pytest

import mineproof as mp
from mineproof.agents.players import PLAYERS
from mineproof.lab import shards
from mineproof.lab.core_games import lives_in_core
from mineproof.lab.experiment import Experiment
from mineproof.lab.rows import TIMING, Table
from mineproof.lab.shards import Bench, Shard, play_shard
from tests.core import needs_core

pytestmark = needs_core

BOARDS = (
    "beginner",
    "hex:5x5/5",
    "triangle:4x6/4",
    "torus:4x5/3",
    "cube:3x3x3/2",
    "graph:0-1,1-2/1",
)


def played(experiment: Experiment) -> Table:
    bench = Bench(experiment)
    try:
        return play_shard(experiment, Shard(0, 0, 3, len(experiment)), bench)
    finally:
        bench.close()


def same_rows(experiment: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    fast = played(experiment)
    monkeypatch.setattr(shards, "lives_in_core", lambda *_: False)
    slow = played(experiment)
    assert list(fast) == list(slow)
    for name in fast:
        assert fast[name].dtype == slow[name].dtype
        if name != TIMING:
            assert np.array_equal(fast[name], slow[name]), name


@pytest.mark.parametrize("given", ["none", "0,0", "1,1;0,0", "corner+centre"])
@pytest.mark.parametrize("first_click", ["any", "safe", "opening"])
@pytest.mark.parametrize("agent", ["RPX", "exact", "swift"])
def test_given_cells_are_the_same_in_the_core(
    agent: str, first_click: str, given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment.of(
        [agent],
        boards=["7x7/12", "hex:6x6/9", "square4:5x5/6"],
        games=40,
        seed=5,
        agent_seed=9,
        rules={"first_click": first_click, "given": given},
    )
    assert lives_in_core(experiment, agent)
    same_rows(experiment, monkeypatch)


def test_the_first_cell_of_report_1_may_be_a_mine() -> None:
    """The games of `any` are those of `safe`, but for those that the first cell loses."""
    for agent in ("exact", "random", "single-point"):
        lost = 0
        safe, may_be = (
            mp.play_many("6x6/9", agent, 60, 3, first_click=click, given="0,0")
            for click in ("safe", "any")
        )
        for index in range(60):
            first = mp.Referee("6x6/9", 3, index, first_click="any").setting
            mine = mp.Referee(first, 3, index)
            mine.open((0, 0))
            if mine.over and not mine.outcome.won:
                lost += 1
                assert not may_be.won[index]
                assert may_be.steps[index] == may_be.opened[index] == 0
            else:
                assert may_be.won[index] == safe.won[index]
                assert may_be.steps[index] == safe.steps[index]
        assert 5 < lost < 30


@pytest.mark.parametrize("first_click", ["any", "safe", "opening"])
@pytest.mark.parametrize("cascade", ["on", "off"])
@pytest.mark.parametrize("agent", ["random", "exact", *PLAYERS, "swift[endgame=0,second=0.2]"])
def test_the_rows_are_those_of_the_python_referee(
    agent: str, first_click: str, cascade: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    boards = [b for b in BOARDS if first_click != "opening" or b.startswith(("beg", "hex", "tri"))]
    experiment = Experiment.of(
        [agent],
        boards=boards,
        games=60 if agent == "random" else 12,
        seed=5,
        agent_seed=9,
        rules={"first_click": first_click, "cascade": cascade},
    )
    assert lives_in_core(experiment, agent)
    same_rows(experiment, monkeypatch)


@pytest.mark.parametrize(
    "rules",
    [
        {"on_mine": "continue"},
        {"clues": "optimistic"},
        {"given": "random:3"},
        {"given": "f=1/2"},
        {"goal": "mark-all"},
    ],
)
def test_other_rules_are_left_to_the_referee(rules: dict[str, str]) -> None:
    experiment = Experiment.of(["random"], boards=["beginner"], games=1, seed=1, rules=rules)
    assert not lives_in_core(experiment, "random")


def test_other_agents_and_tight_boards_are_left_to_the_referee() -> None:
    tight = Experiment.of(
        ["random"], boards=["3x3/5"], games=1, seed=1, rules={"first_click": "opening"}
    )
    assert not lives_in_core(tight, "random")
    plain = Experiment.of(["single-point"], boards=["beginner"], games=1, seed=1)
    assert not lives_in_core(plain, "single-point")


def test_a_board_of_mines_alone_is_won_before_the_first_move() -> None:
    experiment = Experiment.of(
        ["random"], boards=["2x2/4"], games=5, seed=1, rules={"first_click": "any"}
    )
    table = played(experiment)
    assert table["won"].all()
    assert not table["steps"].any()
