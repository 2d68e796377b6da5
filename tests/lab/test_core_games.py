"""The core plays the very games that the Python referee plays."""

from __future__ import annotations

import numpy as np
import pytest

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
    fast = played(experiment)
    monkeypatch.setattr(shards, "lives_in_core", lambda *_: False)
    slow = played(experiment)
    assert list(fast) == list(slow)
    for name in fast:
        assert fast[name].dtype == slow[name].dtype
        if name != TIMING:
            assert np.array_equal(fast[name], slow[name]), name


@pytest.mark.parametrize(
    "rules",
    [
        {"on_mine": "continue"},
        {"clues": "optimistic"},
        {"given": "corner+centre"},
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
