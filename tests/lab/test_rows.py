"""The rows of games, those of the core among them, and rows of positions."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

import mineproof as mp
from mineproof.agents.catalog import AGENTS, make_agent
from mineproof.agents.players import PLAYERS
from mineproof.board.layout import deal
from mineproof.board.presets import World, choose_worlds
from mineproof.board.topology import Topology
from mineproof.cli.main import run as run_command
from mineproof.errors import InputError, UnknownName
from mineproof.game.play import named_agents, split_agents
from mineproof.game.rows import Row
from mineproof.lab import shards
from mineproof.lab.executors import make_executor
from mineproof.lab.experiment import Experiment
from mineproof.lab.runner import run
from mineproof.lab.shards import AgentPool, Shard, lives_in_core, play_shard, record_position
from mineproof.lab.store import ShardStore
from mineproof.lab.table import TIMING, Table
from mineproof.rules import Mines
from mineproof.view.setting import Setting
from mineproof.view.view import View
from tests.core import needs_core, players_need_core

# ----------------------------------------------------------------------------
# The rows of games: paired, repeatable, and every loss with its reason.


def hex_worlds(count: int, prefix: str = "H") -> tuple[World, ...]:
    """Worlds like report 2's: the corner and the centre are free of mines."""
    topology = Topology.parse("hex:7x7")
    free = (topology.corner, topology.centre)
    return tuple(
        World(f"{prefix}{index}", deal(topology, Mines.number(10), 7, index, free))
        for index in range(count)
    )


def rows_of(names: str, games: int = 5, board: str = "beginner", seed: int = 1) -> list[Row]:
    return list(mp.compare(split_agents(names), board, games=games, seed=seed).rows)


def timeless(row: Row) -> Row:
    return replace(row, seconds=0.0)


# Report 2's test: an agent that proves its moves loses by a guess, or it is no proof.
@pytest.mark.parametrize("name", players_need_core(sorted(set(AGENTS) - {"random"})))
def test_every_loss_of_a_logical_agent_on_hexagons_came_from_a_guess(name: str) -> None:
    rows = mp.compare([name], list(hex_worlds(6)), games=2, seed=3).rows
    assert len(rows) == 12
    for row in rows:
        assert row.won or row.stuck or row.reason.startswith("exploded: guessed by "), row
        assert not row.reason or not row.won
    assert any(row.steps > row.guesses for row in rows)


def test_random_guesses_every_step() -> None:
    for row in rows_of("random"):
        assert row.guesses == row.steps
        assert row.won or row.reason == "exploded: guessed by random"


def test_a_series_repeats_itself_and_does_not_depend_on_its_company() -> None:
    both = rows_of("random,single-point")
    again = rows_of("random,single-point")
    alone = rows_of("single-point")
    assert list(map(timeless, both)) == list(map(timeless, again))
    assert [timeless(row) for row in both if row.agent == "single-point"] == list(
        map(timeless, alone)
    )


def test_who_watches_sees_the_agents_take_turns() -> None:
    seen: list[Row] = []
    found = mp.compare(["random", "single-point"], "beginner", games=3, seed=1, watch=seen.append)
    assert [(row.index, row.agent) for row in seen] == [
        (index, agent) for index in range(3) for agent in ("random", "single-point")
    ]
    assert [(row.agent, row.index) for row in found.rows] == [
        (agent, index) for agent in ("random", "single-point") for index in range(3)
    ]
    assert sorted(map(repr, seen)) == sorted(map(repr, found.rows))
    unseen = rows_of("random,single-point", games=3)
    assert list(map(timeless, found.rows)) == list(map(timeless, unseen))


def test_names_are_kept_as_they_were_given() -> None:
    assert {row.agent for row in rows_of("basic,single-point", games=1)} == {
        "basic",
        "single-point",
    }


def test_effort_is_counted_where_the_logic_counts() -> None:
    assert all(row.effort > 0 for row in rows_of("single-point"))
    assert all(row.effort == 0 for row in rows_of("random"))


def test_worlds_named_test_are_played_only_when_asked_for() -> None:
    worlds = hex_worlds(2) + hex_worlds(1, "TEST")
    assert [world.name for world in choose_worlds(worlds)] == ["H0", "H1"]
    assert [world.name for world in choose_worlds(worlds, "TEST0")] == ["TEST0"]
    with pytest.raises(UnknownName, match="did you mean"):
        choose_worlds(worlds, "TEST9")
    with pytest.raises(InputError, match="by its name"):
        choose_worlds(hex_worlds(1, "TEST"))


class Object:
    """Plays all games itself."""

    def __init__(self) -> None:
        self.moves = 0

    def act(self, view: View) -> int:
        self.moves += 1
        return view.hidden[0]


class Raises:
    def act(self, view: View) -> int:
        raise ValueError("boom")


def test_objects_and_classes_play_without_the_callers_own() -> None:
    thing = Object()
    rows = mp.compare([thing, Object, Raises], "beginner", games=4).rows
    assert [row.agent for row in rows[::4]] == ["Object", "Object 2", "Raises"]
    by_name = {name: [row for row in rows if row.agent == name] for name in ("Object", "Object 2")}
    assert thing.moves == 0  # its fork has played
    assert [row.won for row in by_name["Object"]] == [row.won for row in by_name["Object 2"]]
    (reason,) = {row.reason for row in rows if row.agent == "Raises"}
    assert reason.startswith("failed: ValueError: boom (test_rows.py line ")
    assert all(row.failed for row in rows if row.agent == "Raises")


def test_a_file_that_fails_every_other_game_loses_only_those(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINEPROOF_WITHOUT", "namespaces,landlock,filter")  # it must write
    count = tmp_path / "count"
    count.write_text("0")
    file = tmp_path / "moody.py"
    file.write_text(
        "import os\n"
        "from pathlib import Path\n"
        f"COUNT = Path({str(count)!r})\n"
        "class Moody:\n"
        "    def __init__(self):\n"
        "        self.game = int(COUNT.read_text())\n"
        "        COUNT.write_text(str(self.game + 1))\n"
        "    def act(self, view):\n"
        "        if self.game % 2:\n"
        "            os._exit(1)\n"
        "        return view.hidden[0]\n"
    )
    rows = mp.compare([file], "beginner", games=4, seed=2).rows
    assert [row.failed for row in rows] == [False, True, False, True]
    assert rows[1].reason == "failed: the agent's process ended with status 1"


def test_lists_of_agents_split_outside_brackets() -> None:
    assert split_agents("random, sat[safe-only,global],a>b+c") == (
        "random",
        "sat[safe-only,global]",
        "a>b+c",
    )
    for wrong in ("", "a,,b", "a[b", "a]b", "a,"):
        with pytest.raises(InputError):
            split_agents(wrong)


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(InputError, match="twice"):
        named_agents(["random", "random"])
    with pytest.raises(InputError, match="at least one"):
        named_agents([])
    with pytest.raises(InputError, match="1 or more"):
        mp.compare(["random"], "beginner", games=0)
    with pytest.raises(UnknownName):
        mp.compare(["randon"], "beginner")
    for wrong in (object(), object):
        with pytest.raises(InputError, match="has no method `act`"):
            mp.compare([wrong], "beginner")


# ----------------------------------------------------------------------------
# The core plays the very games that the Python referee plays.


BOARDS = (
    "beginner",
    "hex:5x5/5",
    "triangle:4x6/4",
    "torus:4x5/3",
    "cube:3x3x3/2",
    "graph:0-1,1-2/1",
)


def played(experiment: Experiment) -> Table:
    bench = AgentPool(experiment)
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


@needs_core
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


@needs_core
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


@needs_core
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


@needs_core
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


@needs_core
def test_other_agents_and_tight_boards_are_left_to_the_referee() -> None:
    tight = Experiment.of(
        ["random"], boards=["3x3/5"], games=1, seed=1, rules={"first_click": "opening"}
    )
    assert not lives_in_core(tight, "random")
    plain = Experiment.of(["single-point"], boards=["beginner"], games=1, seed=1)
    assert not lives_in_core(plain, "single-point")


@needs_core
def test_a_board_of_mines_alone_is_won_before_the_first_move() -> None:
    experiment = Experiment.of(
        ["random"], boards=["2x2/4"], games=5, seed=1, rules={"first_click": "any"}
    )
    table = played(experiment)
    assert table["won"].all()
    assert not table["steps"].any()


# ----------------------------------------------------------------------------
# Data sets of positions: exact labels, resumable, the same on every executor.


def experiment(**options: Any) -> Experiment:
    return Experiment.of(
        ["single-point"],
        **{"boards": ["6x6/6"], "games": 40, "seed": 3, "records": "positions", **options},
    )


def rows(folder: Path) -> dict[str, Any]:
    return duckdb.sql(f"SELECT * FROM '{folder}/positions-*.parquet' ORDER BY game").fetchnumpy()


def test_the_text_round_trips_and_names_what_is_recorded() -> None:
    one = experiment(samples=5)
    assert Experiment.parse(one.text) == one
    assert 'records = "positions"\nsamples = 5\n' in one.text
    assert one.digest != replace(one, records="games", samples=0).digest
    assert "records" not in Experiment.of(["random"], boards=["4x4/3"]).text
    with pytest.raises(mp.InputError, match="unknown kind of records 'moves'"):
        experiment(records="moves")
    with pytest.raises(mp.InputError, match="-1 samples"):
        experiment(samples=-1)


def test_every_row_is_what_the_engine_says_of_a_position_of_its_game(tmp_path: Path) -> None:
    run(experiment(), folder=tmp_path / "set")
    found = rows(tmp_path / "set")
    assert found["game"].tolist() == list(range(40))
    for place in range(40):
        codes = np.asarray(found["codes"][place], dtype=np.uint8)
        view = mp.View.of_codes(mp.Topology.parse("6x6"), mp.Rules.parse("mines=6"), codes)
        analysis = mp.analyze(view)
        assert found["chances"][place] == pytest.approx(analysis.p.array, abs=1e-6)
        certain = np.asarray(found["certain"][place])
        assert set(np.flatnonzero(certain == 1)) == set(analysis.safe)
        assert set(np.flatnonzero(certain == 2)) == set(analysis.mines)
        game = mp.play("6x6/6", "single-point", seed=3, index=int(found["index"][place]))
        assert found["won"][place] == game.outcome.won
        assert found["moves"][place] == len(game.steps)
        assert game.steps[found["move"][place]].decision.cell == found["played"][place]
        assert view.is_hidden(int(found["best"][place]))
        assert found["risk"][place] == analysis.p[int(found["best"][place])]
        assert found["mines"][place] == 6


@needs_core
def test_the_best_move_is_the_advice_and_its_worth_is_exact_near_the_end() -> None:
    known = 0
    for index in range(12):
        row = record_position(Setting.of("5x5/4"), make_agent("exact"), "exact", 1, index, 1)
        codes = np.array(row["codes"], dtype=np.uint8)
        view = mp.View.of_codes(mp.Topology.parse("5x5"), mp.Rules.parse("mines=4"), codes)
        advice = mp.advise(view)
        assert advice is not None
        assert row["risk"] == advice.risk
        if not np.isnan(row["worth"]):
            known += 1
            assert row["worth"] == float(mp.endgame(view).chance)
    assert known > 6


@needs_core
def test_samples_estimate_what_is_not_known() -> None:
    agent = make_agent("exact")
    setting = Setting.of("9x9/20")
    without, sampled = (
        [record_position(setting, agent, "exact", 2, i, 2, samples)["worth"] for i in range(6)]
        for samples in (0, 20)
    )
    assert np.isnan(without).any()
    assert not np.isnan(sampled).any()


def test_it_resumes_and_is_the_same_in_processes(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    run(experiment(), folder=whole)
    with make_executor(2) as executor:
        run(experiment(), executor, folder=parts)
    files = sorted(path.name for path in whole.glob("*.parquet"))
    assert files == sorted(path.name for path in parts.glob("*.parquet"))
    lost = parts / files[1]
    lost.unlink()
    run(experiment(), folder=parts)
    one, other = rows(whole), rows(parts)
    for name in one:
        values = [np.ma.filled(np.ma.asarray(side[name]), -7) for side in (one, other)]
        assert [str(value) for value in values[0]] == [str(value) for value in values[1]], name
    with ShardStore(parts, experiment()) as store:
        assert sum(len(shard) for shard in store.finished()) == 40


def test_a_damaged_shard_and_another_experiment_are_refused(tmp_path: Path) -> None:
    run(experiment(), folder=tmp_path)
    with pytest.raises(mp.InputError, match="holds another experiment"):
        run(experiment(samples=3), folder=tmp_path)
    (first, *_) = sorted(tmp_path.glob("*.parquet"))
    duckdb.sql(f"SELECT * FROM '{first}'").write_parquet(str(tmp_path / "copy"))
    first.write_bytes((tmp_path / "copy").read_bytes())
    (tmp_path / "copy").unlink()
    with pytest.raises(mp.InputError, match="is of another experiment"):
        run(experiment(), folder=tmp_path)


def test_the_command_writes_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["dataset", "--board", "5x5/4", "--positions", "20", "--agent", "single-point"]
    assert run_command([*words, "--out", str(tmp_path / "set")]) == 0
    said = capsys.readouterr().out
    assert said.startswith("20 positions of single-point on square:5x5/4 are in")
    assert run_command([*words, "--out", str(tmp_path / "set"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["positions"] == 20
    assert len(rows(tmp_path / "set")["game"]) == 20


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--positions", "0"], "0 games; accepted: 1 or more"),
        (["--agent", "exat"], "did you mean exact"),
        (["--board", "exprt"], "did you mean expert"),
        (["--samples", "-1"], "-1 samples"),
        (["--jobs", "0"], "0 jobs"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["dataset", "--out", str(tmp_path / "set"), *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
