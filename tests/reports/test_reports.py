"""The reproductions: every report at a small scale, and the measurements behind its tables."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Generator, Sequence
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from mineproof.agents.agent import Decision, LogicAgent
from mineproof.agents.catalog import parse_agent
from mineproof.agents.policies import stop
from mineproof.board.layout import deal
from mineproof.board.presets import Board, World, format_worlds, read_worlds
from mineproof.cli.main import COMMANDS, run
from mineproof.csp import read_puzzles, solve_puzzle
from mineproof.game.play import play, play_game
from mineproof.game.referee import Referee
from mineproof.game.rows import row_of
from mineproof.game.transcript import Transcript
from mineproof.lab.executors import FinishedShard, InProcessExecutor, ShardCallback
from mineproof.lab.experiment import Experiment
from mineproof.lab.report import Agreement, Claims, Figure, Page, Strip, Table, render
from mineproof.lab.shards import Shard
from mineproof.logics.resolution import Resolution
from mineproof.reports import REPRODUCTIONS, Scale, Workshop, reproduce
from mineproof.reports.costs import MeteredAgent, costs_of
from mineproof.reports.report_1 import UNRELIABLE, first_cell_free
from mineproof.reports.report_1_logics import certain_cells, space_and_time
from mineproof.reports.report_2 import (
    MIXTURE,
    SIZES,
    kept_worlds,
    shipped_worlds,
    solver_of,
    world_of,
)
from mineproof.reports.report_3 import PROGRAM, agreement, make_puzzle, own_puzzles
from mineproof.reports.report_3 import PUBLISHED as PUBLISHED_NODES
from mineproof.reports.report_4 import CountingResolution, clauses_by_round
from mineproof.reports.workshop import GameColumns
from mineproof.rng import Stream
from mineproof.view import notation as puzzle_notation
from mineproof.view.setting import Setting
from mineproof.view.view import View
from tests.core import needs_core
from tests.interrupts import PATIENCE

# ----------------------------------------------------------------------------
# The reproductions at a tiny scale: what they show, that they resume, how they are asked for.


TINY = Scale("tiny", share=0.01)

SHOWN = {
    "000": {
        "000-figure-1",
        "000-figure-2",
        "000-figure-3",
        "000-differences",
        "000-order",
        "000-efficiency",
        "000-ideas",
        "000-play-by-play",
    },
    "001": {
        "001-success",
        "001-success-figure",
        "001-levels",
        "001-most-mines",
        "001-certain",
        "001-costs",
        "001-time",
        "001-space",
        "001-withheld",
        "001-clues-exact",
        "001-clues-withheld-0.3",
        "001-clues-optimistic",
        "001-clues-cautious",
        "001-clues-hit",
        "001-chains-length",
        "001-chains-reach",
        "001-chains",
        "001-chains-wins",
        "001-chains-guesses",
        "001-chains-correlations",
        "001-long-chains",
        "001-longest-board",
        "001-short-chains",
        "001-report-board",
    },
    "002": {
        "002-strategies",
        "002-measures",
        "002-wins-dealt",
        "002-wins-own",
        "002-finer-dealt",
        "002-improvements",
        "002-losses",
    },
    "003": {"003-expanded", "003-nodes", "003-orders", "003-children", "003-growth"},
    "004": {
        "004-table-1",
        "004-medium",
        "004-medium-figure",
        "004-hard",
        "004-hard-figure",
        "004-clauses",
    },
}
PUBLISHED = {
    "000": ["density 1.0 is 1.0", "0.75", "1-4, 8, 11, 14"],
    "001": [f"{rate} %" for rate in (81.3, 72.3, 63.5, 54.4, 46.5, 32.3, 22.2, 14.6, "8.0", 3.9)],
    "002": ["0.7 %", "62.4 %", "86.5 %", "22, 1872 and 2594 of 3000"],
    "003": ["5374", "1892", ">30000", "1843"],
    "004": ["85.0 %", "90.0 %", "30 % ran past three minutes", "100.0 %", "95.0 %", "40.0 %"],
}


def words(page: Page) -> str:
    return unescape(re.sub(r"<[^>]+>", "", render(page)))


# Without the core a quick run of report 1 leaves the exact agent out.
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=needs_core if name == "001" else ()) for name in REPRODUCTIONS],
)
def test_every_table_and_figure_stands_beside_what_was_published(name: str, tmp_path: Path) -> None:
    workshop = Workshop(tmp_path, TINY)
    page = reproduce([name], workshop, "mineproof reproduce")
    (section,) = page.sections
    blocks = {block.name for block in section.all_blocks if isinstance(block, Table | Figure)}
    assert blocks == SHOWN[name]
    assert section.summary
    text = words(page)
    for published in PUBLISHED[name]:
        assert published in text
    assert section.card is not None
    for line in section.summary:
        assert line.rules
        assert line.verdict
    for block in section.all_blocks:
        if isinstance(block, Claims):
            assert all(claim.evidence for claim in block.items)
            # The table of all claims names each of them.
            assert {claim.line for claim in block.items} <= set(section.summary)
        if isinstance(block, Strip):
            assert len(block.pictures) >= 10
    # What was played is part of the page, and a second run plays nothing.
    for _, spec in workshop.specs:
        assert Experiment.parse(spec).text == spec
    again = Workshop(tmp_path, TINY, executor=Refusing())
    assert reproduce([name], again, "mineproof reproduce").sections[0].summary == section.summary


def test_the_catalog_is_the_list_of_reports() -> None:
    assert list(REPRODUCTIONS) == list(SHOWN)


class Refusing(InProcessExecutor):
    """An executor with nothing left to do."""

    def play(
        self, experiment: Experiment, shards: Sequence[Shard], tell: ShardCallback
    ) -> Generator[FinishedShard, None, None]:
        assert not shards
        yield from ()


# ------------------------------------------------------------------------ the claims underneath


class FirstCorner:
    """Opens the corner first, then plays as another agent: what report 1 did."""

    def __init__(self, agent: str) -> None:
        self._agent = parse_agent(agent).make()

    def begin(self, view: View, rng: Stream) -> None:
        self._agent.begin(view, rng)

    def act(self, view: View) -> Decision:
        return self._agent.act(view) if view.opened_count else Decision.open(0)


def test_any_first_click_is_the_safe_one_but_for_mines_in_the_first_cell() -> None:
    games, board = 60, "8x8/12"
    experiment = Experiment.of(
        ["partition"], boards=[board], games=games, seed=5, first_click="safe", given="0,0"
    )
    columns = {"agent": np.array(["partition"] * games), "game": np.arange(games)}
    free = first_cell_free(GameColumns(experiment, columns), 0)
    assert 0 < free.sum() < games
    for index in range(games):
        corner = play(board, FirstCorner("partition"), 5, index=index, first_click="any")
        if free[index]:
            safe = play(board, "partition", 5, index=index, first_click="safe", given="0,0")
            assert corner.outcome.won == safe.outcome.won
        else:
            assert not corner.outcome.won
            assert len(corner.steps) == 1


def test_an_opening_keeps_the_neighbours_of_the_given_cell_free() -> None:
    board = (make_puzzle(8, 0, 0).view.topology, 12)
    for index in range(20):
        view = Referee(board, 3, index, first_click="opening", given="0,0").view
        assert view.clue(0) == 0


def test_made_puzzles_are_of_the_reports_kind() -> None:
    for index in range(10):
        puzzle = make_puzzle(6, 1, index)
        assert puzzle.view.total == 10
        assert len(puzzle.view.clues) == 18
        assert solve_puzzle(puzzle.view).solutions
        assert (
            puzzle_notation.parse_puzzle_line(puzzle_notation.write_puzzle_line(puzzle)).view
            == puzzle.view
        )
    assert make_puzzle(6, 1, 0).view != make_puzzle(6, 2, 0).view


# ------------------------------------------------------------------------------- the command


def world_file(tmp_path: Path) -> Path:
    layout = made_world().layout
    path = tmp_path / "worlds.txt"
    path.write_text(format_worlds((World("S1", layout),)))
    return path


def made_world() -> World:
    board = Board.parse("hex:5x5/5")
    free = (board.topology.corner, board.topology.centre)
    return World("S1", deal(board.topology, board.mines, 4, 0, free))


def test_the_worlds_of_a_file_are_compared_beside_ours(tmp_path: Path) -> None:
    worlds = read_worlds(world_file(tmp_path))
    page = reproduce(["002"], Workshop(tmp_path, TINY, worlds=worlds), "x")
    (section,) = page.sections
    kinds = ("worlds of the file", "our thirty worlds", "dealt at random")
    compared = {
        line.rules: line.outcome for line in section.summary if line.what.startswith("SPX wins (")
    }
    assert {compared[f"report2, {kind}"] for kind in kinds[:2]} <= {
        Agreement.AGREES,
        Agreement.DIFFERS,
    }
    # The numbers of the report say nothing of worlds dealt at random.
    assert compared[f"report2, {kinds[2]}"] is Agreement.NONE
    names = {block.name for block in section.all_blocks if isinstance(block, Figure)}
    assert {"002-wins-worlds", "002-wins-own", "002-wins-dealt", "002-finer-worlds"} <= names
    assert section.card is not None
    assert "on worlds of the file" in section.card.words
    text = words(page)
    assert "The given file: 1 world, 2 games each" in text
    assert "the worlds of the given file beside ours" in text


def test_our_worlds_and_puzzles_are_those_of_the_examples() -> None:
    examples = Path(__file__).parents[2] / "examples"
    assert read_worlds(examples / "worlds.txt") == shipped_worlds()
    assert read_puzzles(examples / "puzzles_6x6.txt") == own_puzzles()


@pytest.mark.parametrize(
    ("name", "expanded", "solved"), [("O1", 5056, True), ("O2", 1891, True), ("O4", 1808, False)]
)
def test_our_puzzles_take_the_program_about_as_long_as_the_reports(
    name: str, expanded: int, solved: bool
) -> None:
    puzzle = next(one for one in own_puzzles() if one.name == name)
    found = solve_puzzle(puzzle.view, PROGRAM)
    assert (found.expanded, found.solutions > 0) == (expanded, solved)


def test_the_puzzles_of_a_file_stand_beside_their_published_nodes(tmp_path: Path) -> None:
    first = make_puzzle(6, 9, 0)
    own = puzzle_notation.Puzzle("P1", first.view)
    hexes = puzzle_notation.Puzzle("P2", View.parse("hex 3x3 mines=2\n...\n.2.\n..."))
    clash = puzzle_notation.Puzzle("P3", View.parse("square 2x2 mines=1\n1.\n.0"))
    workshop = Workshop(tmp_path, TINY, puzzles=(own, hexes, clash))
    page = reproduce(["003"], workshop, "x")
    (section,) = page.sections
    expanded = solve_puzzle(first.view, PROGRAM).expanded
    told = [(line.what, line.published, line.here, line.outcome) for line in section.numbers]
    assert told[:3] == [
        (f"Expanded nodes of {name}", PUBLISHED_NODES[name], found, Agreement.DIFFERS)
        for name, found in (("P1", str(expanded)), ("P2", "not for such a board"), ("P3", "1"))
    ]
    assert [outcome for *_, outcome in told[3:]] == 4 * [Agreement.NONE]
    table = next(block for block in section.blocks if getattr(block, "name", "") == "003-expanded")
    assert isinstance(table, Table)
    assert table.rows[0][:5] == ("published", "5374", "1892", ">30000", "5374 (P1)")
    ours = next(row for row in table.rows if row[0] == "no order")
    assert ours[1] == str(solve_puzzle(first.view).expanded)
    assert ours[3] == "no solution"
    # Expanded nodes and values tried never share a column.
    tried = next(block for block in section.blocks if getattr(block, "name", "") == "003-nodes")
    assert isinstance(tried, Table)
    assert tried.title.startswith("Values tried")
    assert "expanded" not in str(tried.rows)


@pytest.mark.parametrize(
    ("published", "found", "same"),
    [
        ("5374", "5374", Agreement.AGREES),
        ("5374", "5375", Agreement.DIFFERS),
        (">30000", "345894", Agreement.AGREES),
        (">30000", "30000", Agreement.DIFFERS),
        (">30000", "more than 2000000 nodes", Agreement.AGREES),
        (">30000", "no solution", Agreement.DIFFERS),
    ],
)
def test_a_count_agrees_if_it_is_the_published_one(
    published: str, found: str, same: Agreement
) -> None:
    assert agreement(published, found) is same


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["005"], "unknown report '005'"),
        (["--quick", "--full"], "--quick and --full"),
        (["002", "--worlds", "no-such-file"], "no-such-file"),
        (["--jobs", "0"], "0 jobs"),
        (["--seed", "-1"], "seed"),
    ],
)
def test_what_cannot_be_asked_for(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["reproduce", *arguments, "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


def test_worlds_of_other_sizes_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "worlds.txt"
    path.write_text("X1\n1 t\n0 1\n")
    assert run(["reproduce", "002", "--worlds", str(path), "--out", str(tmp_path / "out")]) == 2
    assert "5x5, 7x7 and 11x11" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_an_interrupted_run_says_how_to_go_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mineproof", "reproduce", "001", "--out", "out", "--jobs", "1"]
    source = str(Path(__file__).parents[2] / "src")
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": source},
    ) as process:
        deadline = time.monotonic() + PATIENCE
        while not list(tmp_path.glob("out/games/*/*.parquet")) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 130
    assert "kept in 'out', and the same command resumes" in said.splitlines()[-1]
    assert list(tmp_path.glob("out/games/*/*.parquet"))


# ------------------------------------------------------------------------- the rows of the docs

ROWS = {0: 12, 1: 10, 2: 10, 3: 6, 4: 9}
"""How many rows each report has."""


def test_every_row_of_a_report_has_its_command() -> None:
    text = (Path(__file__).parents[2] / "docs" / "reports.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d)\.(\d+) \| (.+?) \| (.+?) \|", text, re.MULTILINE)
    assert [(int(report), int(row)) for report, row, *_ in rows] == [
        (report, row) for report, many in ROWS.items() for row in range(1, many + 1)
    ]
    for _, _, what, how in rows:
        words = [shlex.split(line) for line in re.findall(r"`(mineproof [^`]*)`", how)]
        assert words or "below" in how or "](#peas)" in how, what
        for _, command, *_ in words:
            assert command in COMMANDS, what


# ----------------------------------------------------------------------------
# What the reproductions measure beside games: worlds kept, costs, clauses by round.


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
        assert solver_of(world) == expected
        seen.add(expected)
    assert {"single", "neither"} <= seen


def test_the_worlds_of_the_example_are_mixed_as_the_reports() -> None:
    worlds = read_worlds(Path(__file__).parents[2] / "examples" / "worlds.txt")
    for size, counts in MIXTURE.items():
        sorts = Counter(solver_of(world) for world in worlds if world.name.startswith(size))
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
    solved, mixed = kept_worlds(workshop, ("single-point", "sat[safe-only]"))
    # At this scale two of each sort are kept.
    worlds = mixed.played.experiment.worlds
    for size, places in mixed.places.items():
        sorts = sorted(solver_of(worlds[place]) for place in places)
        assert sorts == sorted(2 * list(MIXTURE[size])), size
    assert all(solver_of(world) != "neither" for world in solved.played.experiment.worlds)
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
        metered = MeteredAgent(parse_agent(agent).make(), lambda: float(next(ticks)))
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
        counted = CountingResolution()
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
    assert clues not in UNRELIABLE
    for index in range(5):
        naive, exact = (
            row_of(play("9x9/10", agent, 1, index=index, clues=clues))
            for agent in ("naive", "exact")
        )
        assert (naive.won, naive.finer, naive.guesses) == (exact.won, exact.finer, exact.guesses)
