"""What the reproductions measure beside games: worlds kept, costs, clauses by round."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from mineproof.agents.logic_agent import LogicAgent
from mineproof.agents.policies import stop
from mineproof.agents.spec import parse_agent
from mineproof.board.worlds import read_worlds
from mineproof.inference.logics.resolution import Resolution
from mineproof.lab.report import Figure, Table
from mineproof.match.game import play, play_game
from mineproof.match.row import row_of
from mineproof.match.transcript import Transcript
from mineproof.reports import Scale, Workshop
from mineproof.reports.certain_cells import certain_cells
from mineproof.reports.clauses_by_round import CountedClauses, clauses_by_round
from mineproof.reports.efficiency import Metered, costs_of
from mineproof.reports.hex_worlds import MIXTURE, SIZES, dealt_and_kept, solved_by, world_of
from mineproof.reports.report_001_clues import LYING
from mineproof.reports.space_and_time import space_and_time
from mineproof.view.setting import Setting
from tests.core import needs_core

TINY = Scale("tiny", share=0.01)


def moves(game: Transcript) -> list[tuple[object, object]]:
    return [(step.decision.action, step.decision.cell) for step in game.steps]


# ------------------------------------------------------------------------- the worlds of report 2


def test_worlds_are_sorted_by_what_solves_them() -> None:
    seen = set()
    for index in range(60):
        world = world_of("S", 1, index)
        single = play(world, "single-point+stop").outcome.won
        together = play(world, "sat+stop").outcome.won
        assert together or not single
        expected = "single" if single else "together" if together else "neither"
        assert solved_by(world) == expected
        seen.add(expected)
    assert {"single", "neither"} <= seen


def test_the_worlds_of_the_example_are_mixed_as_the_reports() -> None:
    worlds = read_worlds(Path(__file__).parents[2] / "examples" / "worlds.txt")
    for size, counts in MIXTURE.items():
        sorts = Counter(solved_by(world) for world in worlds if world.name.startswith(size))
        assert sorts == counts
    assert len(worlds) == 30


def test_the_corner_and_the_centre_of_a_dealt_world_are_free() -> None:
    for size in SIZES:
        layout = world_of(size, 3, 7).layout
        topology = layout.topology
        assert not layout.is_mine(topology.corner)
        assert not layout.is_mine(topology.centre)


def test_kept_worlds_are_those_that_they_are_said_to_be(tmp_path: Path) -> None:
    workshop = Workshop(tmp_path, TINY)
    solved, mixed = dealt_and_kept(workshop, ("single-point", "sat[safe-only]"))
    # At this scale two of each sort are kept.
    worlds = mixed.played.experiment.worlds
    for size, places in mixed.places.items():
        sorts = sorted(solved_by(worlds[place]) for place in places)
        assert sorts == sorted(2 * list(MIXTURE[size])), size
    assert all(solved_by(world) != "neither" for world in solved.played.experiment.worlds)
    # What entailment solves without a guess, SATX does not lose.
    assert solved.won("sat[safe-only]").value == 1.0
    assert 0 < solved.won("sat[safe-only]").low < 1.0
    assert "The share kept: S " in solved.text
    assert mixed.published_on == 30


# --------------------------------------------------------------------------------- what it costs


@pytest.mark.parametrize(
    "agent", ["partition", "reductio[better-decisions]", "resolution", "exact"]
)
def test_a_metered_agent_plays_the_same_games(agent: str) -> None:
    setting = Setting.of("9x9/10", first_click="safe")
    ticks = iter(range(10_000))
    for index in range(3):
        plain = play_game(setting, parse_agent(agent).make(), agent, 1, index)
        metered = Metered(parse_agent(agent).make(), lambda: float(next(ticks)))
        assert moves(play_game(setting, metered, agent, 1, index)) == moves(plain)
        # Each decision took one tick of this clock.
        assert metered.seconds == metered.steps
        assert metered.steps >= len(plain.steps)


def test_costs_are_counted_in_the_unit_of_the_logic(tmp_path: Path) -> None:
    agents = ("random", "single-point", "partition", "resolution+random", "reductio", "exact")
    found = costs_of(Workshop(tmp_path), "x", agents, "9x9", [15], 3, "first-click=safe")
    told = {agent: (costs.keeps, costs.unit) for (agent, _), costs in found.items()}
    assert told == {
        "random": ("", ""),
        "single-point": ("", "looks"),
        "partition": ("sets", "pairs"),
        "resolution+random": ("clauses", "matched"),
        "reductio": ("equations", "nodes"),
        "exact": ("", ""),
    }
    for costs in found.values():
        assert all(ms > 0 for ms in costs.ms)
        assert all(steps > 0 for steps in costs.steps)
        assert max(costs.most_work) <= sum(costs.work)
    assert found["random", 15].work_per_game is None
    assert found["single-point", 15].most_kept == found["single-point", 15].open_equations


def test_only_agents_with_global_information_are_told_the_total(tmp_path: Path) -> None:
    agents = ("reductio", "reductio[global]")
    folder = tmp_path / "measured"
    costs_of(Workshop(tmp_path), "x", agents, "4x4", [20], 1, "first-click=any", told=False)
    assert len(list(folder.iterdir())) == 2


@needs_core
def test_the_table_of_costs_has_a_row_for_every_agent_and_density(tmp_path: Path) -> None:
    table, *figures = space_and_time(Workshop(tmp_path, TINY))
    assert isinstance(table, Table)
    agents = dict.fromkeys(row[0] for row in table.rows)
    assert {"partition", "partition[global]", "exact", "champion"} <= set(agents)
    for figure in figures:
        assert isinstance(figure, Figure)
        # All but random, which keeps and works out nothing.
        assert set(figure.data.columns[1:]) == set(agents) - {"random"}
        assert all(f">{agent}<" in figure.svg for agent in figure.data.columns[1:])


def test_every_logic_of_the_table_of_certain_cells_is_drawn(tmp_path: Path) -> None:
    (figure,) = certain_cells(Workshop(tmp_path, TINY))
    assert isinstance(figure, Figure)
    logics = figure.data.columns[2:]
    assert {"sat", "sat[global]", "exact"} <= set(logics)
    assert all(f">{logic}<" in figure.svg for logic in logics)


# ------------------------------------------------------------------------------ clauses by round


@pytest.mark.parametrize(("board", "given"), [("9x9/12", 9), ("16x16/40", 8)])
def test_clauses_taken_in_at_once_prove_the_same(board: str, given: int) -> None:
    setting = Setting.of(board, first_click="any", given=f"random:{given}", goal="mark-all")
    for index in range(4):
        counted = CountedClauses()
        ours = play_game(setting, LogicAgent(counted, stop), "resolution", 1, index)
        plain = play_game(setting, LogicAgent(Resolution(), stop), "resolution", 1, index)
        assert ours.outcome.marked_share == plain.outcome.marked_share
        assert set(moves(ours)) == set(moves(plain))
        assert counted.sizes
        assert not ours.outcome.won or counted.sizes[-1] == 0


def test_the_rounds_of_games_still_in_play_are_averaged(tmp_path: Path) -> None:
    (figure,) = clauses_by_round(Workshop(tmp_path, TINY), {"Small": ("9x9/12", 9)})
    assert isinstance(figure, Figure)
    games = [row[3] for row in figure.data.rows]
    assert games == sorted(games, reverse=True)
    assert figure.data.rows[0][1] == 1
    assert "The most clauses that any game had at once: Small" in figure.note


# ------------------------------------------------------------------------------ uncertain clues


@pytest.mark.parametrize("clues", ["exact", "withheld:0.3"])
def test_where_no_clue_lies_naive_plays_as_exact_does(clues: str) -> None:
    assert clues not in LYING
    for index in range(5):
        naive, exact = (
            row_of(play("9x9/10", agent, 1, index=index, clues=clues))
            for agent in ("naive", "exact")
        )
        assert (naive.won, naive.finer, naive.guesses) == (exact.won, exact.finer, exact.guesses)
