"""The library as other programs use it: arrays, graphs, data frames, pickles, equality, types."""

from __future__ import annotations

import copy
import pickle
import shutil
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings

import mineproof as mp
from mineproof.engine.enumerate import enumerate_layouts
from mineproof.testing.strategies import views
from tests.core import needs_core

ROOT = Path(__file__).parents[1]
POSITION = "square 3x3 mines=2\n1..\n12.\n01."
VIEW = mp.View.parse(POSITION)
ROWS = [[1, -1, -1], [1, 2, -1], [0, 1, -1]]

# ------------------------------------------------------------------------------------------ arrays


@pytest.mark.parametrize("kind", ["int8", "int16", "int32", "int64", "object"])
def test_lists_and_arrays_of_any_integer_type_are_views(kind: str) -> None:
    assert mp.View.from_array(ROWS, mines=2) == VIEW
    assert mp.View.from_array(np.array(ROWS, dtype=kind), mines=2) == VIEW
    assert mp.View.from_array(np.array(ROWS, dtype=kind).T.copy().T, 2) == VIEW


@pytest.mark.parametrize("kind", ["uint8", "uint16", "uint64"])
def test_unsigned_arrays_name_their_own_marks(kind: str) -> None:
    rows = np.array([[9 if value < 0 else value for value in row] for row in ROWS], dtype=kind)
    assert mp.View.from_array(rows, mines=2, hidden=9) == VIEW
    with pytest.raises(mp.InputError, match="value '9' at 0,1, which has 5 neighbours; accepted: "):
        mp.View.from_array(rows, mines=2)


def test_marks_of_an_array_are_what_the_caller_says() -> None:
    rows: list[list[object]] = [[1, None, "F"], ["*", "?", None]]
    view = mp.View.from_array(
        rows, mines=3, hidden=None, flag="F", mine="*", blank="?", rules="clues=withheld:0.5"
    )
    assert view[0, 0] == 1
    assert view[1, 0] is mp.Mark.MINE
    assert view[1, 1] is mp.Mark.BLANK
    assert view.flags.names == ("0,2",)
    assert view.hidden_count == 3
    with pytest.raises(mp.InputError, match="two marks of an array are the same"):
        mp.View.from_array(ROWS, 2, flag=-1)


@given(views())
@settings(max_examples=60, deadline=None)
def test_arrays_come_back_as_the_same_position(view: mp.View) -> None:
    read = mp.View.from_array(view.to_array(), topology=view.topology, rules=view.rules)
    assert read.codes().tolist() == view.codes().tolist()
    assert read.flags == view.flags
    flat = [view.to_array()[view.topology.coordinates(cell)] for cell in view.topology.cells]
    assert mp.View.from_array(flat, topology=view.topology, rules=view.rules) == read


@pytest.mark.parametrize("board", ["3x4", "hex:3x4", "cube:2x3x4", "3x4#0,1", "triangle:3x4"])
def test_grids_have_the_shape_of_the_board(board: str) -> None:
    view = mp.View(board, "mines=2")
    analysis = mp.analyze(view)
    grid = analysis.grid()
    assert grid.shape == view.topology.lattice.dimensions == view.to_array().shape
    for cell in view.topology.cells:
        assert grid[view.topology.coordinates(cell)] == analysis.p[cell]
    assert np.isnan(grid).sum() == grid.size - len(view)
    kind, _, shape = board.rpartition(":")
    if "#" not in shape:
        again = mp.View.from_array(view.to_array(), 2, topology=kind or None)
        assert again == view


@pytest.mark.parametrize(
    ("grid", "more", "message"),
    [
        ([[1, -1], [-1]], {"mines": 1}, "the array has not two dimensions"),
        ([1, -1], {"mines": 1}, "the array has not two dimensions"),
        ([[1, -1]], {}, "nothing tells how many mines"),
        ([[1, -1]], {"mines": 1, "topology": "2x2"}, "an array of 1x2 values for the board"),
        ([[1.5, -1]], {"mines": 1}, "value '1.5' at 0,0"),
        ([[True, -1]], {"mines": 1}, "value 'True' at 0,0"),
        ([[4, -1]], {"mines": 1}, "value '4' at 0,0, which has 1 neighbour"),
        ([[1, -1]], {"mines": 3}, "accepted: a number of mines"),
        (None, {"mines": 1}, "the array has not two dimensions"),
    ],
)
def test_other_arrays_are_refused(grid: Any, more: dict[str, Any], message: str) -> None:
    with pytest.raises(mp.InputError, match=message):
        mp.View.from_array(grid, **more)


def test_codes_take_a_board_by_its_text() -> None:
    codes = mp.View("3x3", "mines=1").codes()
    assert mp.View.of_codes("3x3", "mines=1", codes) == mp.View("3x3", "mines=1")


# ------------------------------------------------------------------------------------------ graphs

TOWNS = [("Kiel", "Lund"), ("Lund", "Riga"), ("Riga", "Kiel"), ("Riga", "Oslo")]


def test_edges_with_names_are_a_board() -> None:
    towns = mp.Topology.from_edges(
        TOWNS,
        positions={name: (n, n * n) for n, name in enumerate(("Kiel", "Lund", "Riga", "Oslo"))},
    )
    assert towns.text == "graph:0-1,0-2,1-2,2-3"
    assert towns == mp.Topology.parse(towns.text)
    near = towns.neighbours(towns.labelled("Riga"))
    assert [towns.labels[cell] for cell in near] == ["Kiel", "Lund", "Oslo"]
    view = mp.View(towns, "mines=1").reveal({towns.labelled("Oslo"): 1})
    assert [towns.labels[cell] for cell in mp.analyze(view).mines] == ["Riga"]
    assert pickle.loads(pickle.dumps(towns)).labels == towns.labels
    assert mp.play((towns, 1), seed=1).outcome.won
    with pytest.raises(mp.InputError, match="no cell is called 'Bonn'"):
        towns.labelled("Bonn")


def test_a_graph_of_networkx_keeps_its_labels() -> None:
    """What networkx gives: `nodes` and `edges` that are views and can be called, too."""

    class Edges(list[tuple[str, str]]):
        def __call__(self) -> list[tuple[str, str]]:
            return self

    graph = SimpleNamespace(nodes=["Oslo", "Riga", "Lund", "Kiel", "Bonn"], edges=Edges(TOWNS))
    towns = mp.Topology.from_edges(graph)
    assert towns.labels == ("Oslo", "Riga", "Lund", "Kiel", "Bonn")
    assert towns.degree(towns.labelled("Bonn")) == 0


def test_a_real_graph_of_networkx() -> None:
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")
    graph = networkx.petersen_graph()
    assert [int(n) for n in mp.Topology.from_edges(graph).degrees] == [3] * 10
    named = networkx.relabel_nodes(graph, {n: f"n{n}" for n in graph})
    assert mp.Topology.from_edges(named) == mp.Topology.from_edges(graph)


def test_numbers_from_0_keep_their_numbers_and_others_are_labels() -> None:
    assert mp.Topology.from_edges([(2, 1), (1, 0)]).text == "graph:0-1,1-2"
    ones = mp.Topology.from_edges([(2, 1), (1, 3)])
    assert (ones.labels, ones.labelled(3)) == ((2, 1, 3), 2)
    assert mp.Topology.parse("2x2").labelled((1, 0)) == 2


@pytest.mark.parametrize(
    ("edges", "more", "message"),
    [
        ([(0, 0)], {}, "joins a cell to itself"),
        (["ab"], {}, "edge 'ab' is no pair"),
        ([(0, 1)], {"cells": [0]}, "edge to '1', which is none of the cells"),
        ([], {}, "no cell"),
        ([([], 1)], {}, "cells of edges: "),
        ([(0, 1)], {"positions": {0: (0, 0)}}, "cell '1' has no position"),
    ],
)
def test_other_edges_are_refused(edges: Any, more: dict[str, Any], message: str) -> None:
    with pytest.raises(mp.InputError, match=message):
        mp.Topology.from_edges(edges, **more)


# ---------------------------------------------------------------------------------------- pictures


def test_everything_draws_itself() -> None:
    proof = mp.explain(VIEW, (0, 2))
    assert isinstance(proof, mp.Proof)
    pictures = [VIEW.svg(), VIEW.svg(marked=[(0, 2)]), mp.analyze(VIEW).svg(), proof.svg(VIEW)]
    assert len(set(pictures)) == 4
    assert all(one.startswith("<svg") and one.endswith("</svg>\n") for one in pictures)
    assert "premise" in pictures[3]
    with pytest.raises(mp.InputError, match="of another position"):
        proof.svg("square 3x3 mines=3\n1..\n12.\n01.")


# -------------------------------------------------------------------------------- pickles, equality


def test_analyses_and_sessions_travel() -> None:
    analysis = mp.analyze(VIEW)
    for again in (pickle.loads(pickle.dumps(analysis)), copy.deepcopy(analysis)):
        assert again == analysis
        assert again.p.array.tolist() == analysis.p.array.tolist()
        assert again.solutions == analysis.solutions
    flagged = VIEW.with_flags([(0, 2)])
    assert mp.analyze(flagged) != analysis
    assert mp.analyze(VIEW.toggle_flag((0, 1)), trust_flags=True) != analysis
    assert len({mp.analyze(VIEW), mp.analyze(VIEW), mp.analyze(flagged)}) == 2


@pytest.mark.parametrize("trust", [False, True])
def test_a_session_goes_on_where_it_was(trust: bool) -> None:
    start = mp.View("5x5", "mines=4 first-click=any").toggle_flag((4, 4))
    session = mp.Session(start, trust_flags=trust)
    session.open((0, 0), 1)
    session.newly_certain()
    again = pickle.loads(pickle.dumps(session))
    for one in (session, again):
        one.open((0, 1), 1)
        one.open((2, 2), 2)
        one.open((3, 0), 1)
    assert again.p.array.tolist() == session.p.array.tolist()
    new = [[sorted(cells) for cells in one.newly_certain()] for one in (again, session)]
    assert new[0] == new[1]
    assert any(new[0])
    assert again.view == session.view


def test_a_session_travels_before_anything_opens() -> None:
    again = pickle.loads(pickle.dumps(mp.Session("3x3/2", first_click="any")))
    again.open((1, 1), 2)
    assert again.chance((0, 0)) == 0.25


def test_a_pool_of_processes_analyses() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert list(pool.map(mp.analyze, [VIEW])) == [mp.analyze(VIEW)]


def test_games_are_equal_by_what_was_played() -> None:
    games = mp.play_many("4x4/3", "single-point", 5, 1)
    assert games == mp.play_many("4x4/3", "single-point", 5, 1)
    assert games == pickle.loads(pickle.dumps(games))
    assert len({games, mp.play_many("4x4/3", "single-point", 5, 1)}) == 1
    assert games != mp.play_many("4x4/3", "single-point", 5, 2)
    assert games != mp.play_many("4x4/3", "single-point", 4, 1)
    assert games != "games"


# ----------------------------------------------------------------------------------- frames, tables


def test_games_and_comparisons_are_columns() -> None:
    games = mp.play_many("4x4/3", "single-point", 5, 1, start=7)
    columns = games.to_frame("dict")
    assert columns["index"].tolist() == [7, 8, 9, 10, 11]
    assert {len(column) for column in columns.values()} == {5}
    assert columns["won"].mean() == games.rate
    found = mp.compare(["random", "single-point"], "4x4/3", games=5, seed=1)
    table = found.to_frame("dict")
    assert table["agent"] == ["random", "single-point"]
    assert table["won"] == [one.won for one in found.results]
    assert {len(column) for column in table.values()} == {2}
    with pytest.raises(mp.UnknownName, match="did you mean pandas"):
        games.to_frame("pandsa")


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_of_the_libraries(library: str) -> None:
    pytest.importorskip(library, reason=f"{library} is not installed")
    games = mp.play_many("4x4/3", "single-point", 5, 1)
    assert games.to_frame(library).shape == (5, 9)
    assert type(games.to_frame(library)).__module__.startswith(library)


def test_a_frame_of_a_library_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(mp.InputError, match="pip install pandas"):
        mp.play_many("4x4/3", "single-point", 1).to_frame("pandas")


def test_a_comparison_prints_its_table() -> None:
    found = mp.compare(["random", "single-point"], "4x4/3", games=5, seed=1)
    head, columns, *agents, pair = str(found).splitlines()
    assert head.startswith("square:4x4/3, ")
    assert columns.split() == ["agent", "games", "won,", "%", "95", "%"]
    assert [line.split()[:2] for line in agents] == [["random", "5"], ["single-point", "5"]]
    assert pair.startswith("random - single-point: ")
    assert repr(found).startswith("<5 games on square:4x4/3")
    two = mp.compare(["random"], ["4x4/3", "5x5/3"], games=2, seed=1)
    assert [line.split()[0] for line in str(two).splitlines()[2:]] == [
        "square:4x4/3",
        "square:5x5/3",
    ]


# ----------------------------------------------------------------------------------------- layouts


@given(views())
@settings(max_examples=60, deadline=None)
def test_layouts_are_those_that_enumeration_finds(view: mp.View) -> None:
    assume(view.hidden_count <= 11)
    opened = frozenset(view.opened_mines)
    wanted = {mines | opened for mines, _ in enumerate_layouts(view)}
    try:
        analysis = mp.analyze(view)
    except mp.InconsistentPosition:
        assert not wanted
        return
    found = [frozenset(np.flatnonzero(one.mines).tolist()) for one in analysis.layouts()]
    assert len(found) == len(set(found)) == analysis.solutions
    assert set(found) == wanted


def test_layouts_with_flags() -> None:
    flagged = VIEW.toggle_flag((0, 2))  # a wrong flag, which is no evidence
    assert len(list(mp.analyze(flagged).layouts())) == 2
    right = VIEW.toggle_flag((1, 2))
    assert len(list(mp.analyze(right, trust_flags=True).layouts())) == 1


def test_too_many_layouts_are_refused_at_once() -> None:
    with pytest.raises(mp.BudgetExceeded, match=r"accepted: at most most=10000, or `sample`"):
        mp.analyze(mp.View("16x30", "mines=99")).layouts()


# --------------------------------------------------------------------------- boards, guesses, names


def test_a_board_without_guesses_is_a_board() -> None:
    (board,) = mp.generate("5x5/4", seed=3)
    game = mp.play(board, "exact")
    assert game.outcome.won
    assert game.layout == board.layout
    assert all(isinstance(step.decision.reason, mp.Proved) for step in game.steps)
    assert mp.Transcript.parse(game.text) == game
    referee = mp.Referee(board)
    assert referee.view.is_open(board.first)
    assert mp.Session(board).view == referee.setting.start
    assert mp.play_many(board, "exact", 2).won.all()


class Plain:
    def act(self, view: mp.View) -> int:
        return view.hidden[0]


class Explained:
    """The same, and gives a proof of each cell that has one."""

    def act(self, view: mp.View) -> mp.Decision:
        safe = mp.analyze(view).safe
        cell = view.hidden[0]
        return mp.Decision.open(cell, mp.Proved("mine") if cell in safe else mp.Guessed("x", 1))


def test_cells_opened_without_a_reason_are_guesses() -> None:
    games = mp.play_many("5x5/3", Plain, 20, 1)
    assert (games.guesses == games.steps).all()
    known = mp.play_many("5x5/3", Explained, 20, 1)
    assert known.opened.tolist() == games.opened.tolist()
    assert 0 < known.guesses.sum() < games.guesses.sum()
    assert mp.play_many("5x5/3", "single-point", 20, 1).guesses.sum() < known.guesses.sum() * 5


@needs_core
def test_advice_names_its_cell() -> None:
    best = mp.advise(VIEW)
    assert best is not None
    assert best.name == VIEW.topology.cell_name(best.cell) == "0,2"
    guess = mp.advise("square 2x3 mines=2\n1..\n.2.")
    assert guess is not None
    assert guess.name == "0,2"


# ------------------------------------------------------------------------------------------- types

PROGRAM = '''
"""What other programs write; every line that is wrong is expected to be found."""

import numpy as np

import mineproof as mp

view = mp.View.from_array(np.zeros((2, 2), dtype=np.uint8), mines=1, hidden=9)
view = mp.View.from_array([[1, -1]], mines=1)
later: mp.View = view.reveal({(0, 1): 1})
later = view.reveal({1: 1, 2: mp.Mark.MINE})
marks: dict[tuple[int, int], int] = {(0, 1): 1}
later = view.reveal(marks)
chance: float = mp.analyze(view).p[0, 1]
shape: tuple[int, ...] = mp.analyze(view).grid().shape
safe: tuple[str, ...] = mp.analyze(view).safe.names
board = mp.Topology.from_edges([("a", "b")])
games = mp.play_many((board, 1), "exact", 5, first_click="any", on_mine=mp.OnMine.CONTINUE)
rate: float = games.rate
same: bool = games == games
mines: list[int] = [layout.total for layout in mp.analyze(view).layouts()]
best = mp.advise(view)
name: str = "" if best is None else best.name
text: str = view.svg() + mp.analyze(view).svg() + str(mp.compare(["exact"], games=1))
mp.play(mp.generate("5x5/4")[0], total="known", clues="exact", given=[(0, 0)], cascade=False)
mp.optimal("3x3/2", first_click="any", goal=mp.Goal.CLEAR)
mp.play("beginner", frist_click="any")  # type: ignore[call-arg]
mp.play_many("beginner", first_click=3)  # type: ignore[arg-type]
mp.optimal("3x3/2", gaol="clear")  # type: ignore[call-arg]
mp.Session("3x3/2", cascades=True)  # type: ignore[call-arg]
view.reveal({"x": None})  # type: ignore[dict-item]


class Mine:
    def act(self, view: mp.View) -> int:
        return view.hidden[0]


mp.play("beginner", Mine())
mp.play("beginner", Mine)
'''
WRONG = PROGRAM.count("# type: ignore")


def test_mypy_accepts_a_program_and_finds_its_mistakes(tmp_path: Path) -> None:
    """Under --strict a `type: ignore` that hides no error is an error itself."""
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    words = ["--strict", "--config-file", str(ROOT / "pyproject.toml"), str(file)]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *words], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_pyright_accepts_a_program_and_finds_its_mistakes(tmp_path: Path) -> None:
    pyright = shutil.which("pyright") or shutil.which("basedpyright")
    if pyright is None:
        pytest.skip("pyright is not installed")
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    lines = PROGRAM.splitlines(keepends=True)
    right.write_text("".join(line for line in lines if "# type: ignore" not in line))
    wrong.write_text("".join(line.partition("  # type: ignore")[0] + "\n" for line in lines))
    found = []
    for file in (right, wrong):
        command = [pyright, "--level", "error", "--pythonpath", sys.executable, str(file)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        found.append([line for line in done.stdout.splitlines() if " - error: " in line])
    assert not found[0], "\n".join(found[0])
    assert len({line.split(":")[1] for line in found[1]}) == WRONG, "\n".join(found[1])
