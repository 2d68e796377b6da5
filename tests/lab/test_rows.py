"""The rows of games: paired, repeatable, and every loss with its reason."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.agents.catalog import AGENTS
from mineproof.board.deal import deal
from mineproof.board.topology import Topology
from mineproof.board.worlds import World, choose_worlds
from mineproof.errors import InputError, UnknownName
from mineproof.match.entrants import entrants, split_agents
from mineproof.match.row import Row
from mineproof.rules import Mines
from mineproof.view.view import View
from tests.core import players_need_core


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
    monkeypatch.setenv("MINEPROOF_WITHOUT", "namespaces,landlock")  # it must write
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
        entrants(["random", "random"])
    with pytest.raises(InputError, match="at least one"):
        entrants([])
    with pytest.raises(InputError, match="1 or more"):
        mp.compare(["random"], "beginner", games=0)
    with pytest.raises(UnknownName):
        mp.compare(["randon"], "beginner")
    for wrong in (object(), object):
        with pytest.raises(InputError, match="has no method `act`"):
            mp.compare([wrong], "beginner")
