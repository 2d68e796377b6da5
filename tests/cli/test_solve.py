"""`mineproof solve`: chances, the best move, chances to win, the sentence, other clues, DIMACS."""

from __future__ import annotations

import fcntl
import json
import math
import re
import subprocess
import sys
import termios
import xml.etree.ElementTree as ElementTree
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

from mineproof.agents.catalog import LOGICS
from mineproof.engine.enumerate import enumerate_layouts
from mineproof.game import play
from mineproof.proofs.checker import premises_force
from tests.core import needs_core, players_need_core
from tests.interrupts import PATIENCE, interrupt_at_work, long_position, until

Command = Callable[..., Any]

SHORT = "square 3x3 mines=2\n1..\n12.\n01.\n"
NOTATIONS = {
    "short": SHORT,
    "board": "# MINESWEEPER-BOARD v0.1\nrows: 3\ncolumns: 3\nmines: 2\n\n[view]\n1UU\n12U\n01U\n",
    "mine": "3x3x2\n1HH\n12H\n01H\n",
}


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], str]:
    def write(text: str) -> str:
        path = tmp_path / "position.txt"
        path.write_text(text)
        return str(path)

    return write


@pytest.mark.parametrize("notation", NOTATIONS)
def test_json(command: Command, file: Callable[[str], str], notation: str) -> None:
    ran = command("solve", file(NOTATIONS[notation]), "--json")
    assert (ran.status, ran.err) == (0, "")
    answer = json.loads(ran.out)
    assert isinstance(answer.pop("elapsed_us"), int)
    assert answer.pop("engine").startswith("exact")
    assert answer == {
        "topology": "square",
        "rows": 3,
        "cols": 3,
        "mines": 2,
        "solutions": "2",
        "cells": [
            {"cell": [0, 1], "p": 1.0, "certain": "mine"},
            {"cell": [0, 2], "p": 0.0, "certain": "safe"},
            {"cell": [1, 2], "p": 0.5, "certain": None},
            {"cell": [2, 2], "p": 0.5, "certain": None},
        ],
        "best": {
            "cell": [0, 2],
            "p": 0.0,
            "reason": "0,2 is safe in every layout that explains the position.",
            "basis": "certain",
            "win": None,
            "measure": "risk",
            "ties": [],
            "alternatives": [{"cell": [1, 2], "p": 0.5, "win": None, "lost": 0.5}],
        },
    }


def test_text(command: Command, file: Callable[[str], str]) -> None:
    ran = command("solve", file(SHORT))
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert "0 1  X  ok" in lines[1]
    assert [line.split() for line in lines[5:9]] == [
        ["0,2", "safe"],
        ["0,1", "mine"],
        ["1,2", "50.0", "%"],
        ["2,2", "50.0", "%"],
    ]
    assert lines[9:] == [
        "4 hidden cells: 1 certainly safe, 1 certainly mines",
        "solutions: 2",
        "best move: 0,2, safe",
        "0,2 is safe in every layout that explains the position.",
    ]
    assert "0,2  " not in command("solve", file(SHORT), "--heat").out
    assert command("solve", file(SHORT), "--table").out.startswith("cell")


def test_cells_of_one_chance_are_listed_by_place(command: Command) -> None:
    rows = re.findall(r"^(\d),(\d) +8\.3 %$", command("solve", "examples/position.txt").out, re.M)
    assert len(rows) == 13
    assert rows == sorted(rows)


def test_long_tables_are_cut(command: Command, file: Callable[[str], str]) -> None:
    text = "square 10x10 mines=7\n" + "..........\n" * 10
    ran = command("solve", file(text), "--table")
    assert "and 60 more cells; --all lists them" in ran.out
    lines = command("solve", file(text), "--table", "--all").out.splitlines()
    assert [line.startswith("100 hidden cells") for line in lines].index(True) == 101


def test_solutions_print_at_any_length(command: Command, file: Callable[[str], str]) -> None:
    text = "square 150x150 mines=8000\n" + ("." * 150 + "\n") * 150
    ran = command("solve", file(text), "--json")
    assert len(json.loads(ran.out)["solutions"]) > 4300


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("cube 2x2x2 mines=1\n1.\n..\n\n..\n..\n", [0, 0, 1]),
        ("graph 0-1,1-2 mines=1\n1..\n", [1]),
        ("hexagon 2 mines=unknown density=0.2\n1.\n...\n..\n", [0, 1]),
    ],
)
def test_every_topology(
    command: Command, file: Callable[[str], str], text: str, cell: list[int]
) -> None:
    answer = json.loads(command("solve", file(text), "--json").out)
    assert answer["cells"][0]["cell"] == cell
    assert command("solve", file(text)).status == 0


def test_svg(command: Command, file: Callable[[str], str], tmp_path: Path) -> None:
    picture = tmp_path / "heat.svg"
    assert command("solve", file(SHORT), "--svg", str(picture)).status == 0
    root = ElementTree.parse(picture).getroot()
    assert len(root.findall(".//{*}polygon")) == 9
    assert {t.text for t in root.findall(".//{*}text")} == {"1", "2", "100", "0", "50"}
    ran = command("solve", file(SHORT), "--svg", str(tmp_path / "none" / "heat.svg"))
    assert ran.status == 2
    assert "--svg" in ran.err


def test_flags(command: Command, file: Callable[[str], str]) -> None:
    path = file("square 1x4 mines=1\nF1..\n")
    assert json.loads(command("solve", path, "--json").out)["solutions"] == "2"
    assert json.loads(command("solve", path, "--json", "--trust-flags").out)["solutions"] == "1"


# -- endings ---------------------------------------------------------------------------------------


def test_a_contradiction_names_its_clues(command: Command, file: Callable[[str], str]) -> None:
    ran = command("solve", file("square 2x4 mines=3\n1..1\n2..1\n"))
    assert (ran.status, ran.out) == (3, "")
    assert re.search(r"0,0 and 1,0 clash\n$", ran.err)
    assert ran.err.count("\n") == 1


def lattice(side: int) -> str:
    rows = ["2." * (side // 2) if row % 2 == 0 else ".." * (side // 2) for row in range(side)]
    return f"square {side}x{side} mines=unknown density=0.25\n" + "\n".join(rows)


def test_a_hopeless_position_exceeds_the_budget(
    command: Command, file: Callable[[str], str]
) -> None:
    ran = command("solve", file(lattice(12)), "--budget", "1000")
    assert (ran.status, ran.out) == (4, "")
    assert re.search(r"component of \d+ boxes at .* 1000 states", ran.err)
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--budget", "0"], "budget"),
        (["--memory", "-1"], "budget"),
        (["--heat", "--table"], "--heat and --table"),
        (["--nonsense"], "--nonsense"),
    ],
)
def test_malformed_options(
    command: Command, file: Callable[[str], str], options: list[str], said: str
) -> None:
    ran = command("solve", file(SHORT), *options)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_malformed_positions(command: Command, file: Callable[[str], str]) -> None:
    ran = command("solve", file("square 3x3 mines=2\n1..\n1x.\n01.\n"))
    assert ran.status == 2
    assert "line 3" in ran.err
    assert command("solve", "no-such-file").status == 2


def test_standard_input(process: Command) -> None:
    ran = process("solve", "-", "--json", given=SHORT)
    assert (ran.status, json.loads(ran.out)["solutions"]) == (0, "2")


@needs_core
def test_control_c() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "mineproof", "solve", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        given = process.stdin
        assert given is not None
        given.write(long_position())
        given.flush()
        unread = array("i", [1])
        # Where it has read the position, and waits for the end of it, it is no longer starting.
        until(lambda: fcntl.ioctl(given, termios.FIONREAD, unread) or not unread[0], process)
        given.close()
        process.stdin = None
        interrupt_at_work(process)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    assert err == "mineproof: interrupted\n"


def test_a_number_of_many_digits_is_written_and_the_limit_of_python_left_alone(
    command: Command, file: Callable[[str], str]
) -> None:
    before = sys.get_int_max_str_digits()
    position = file("square 200x200 mines=8000\n" + "\n".join(["." * 200] * 200))
    told = json.loads(command("solve", position, "--json").out)["solutions"]
    assert len(told) > before
    assert told.isdigit()
    assert told in command("solve", position, "--table").out
    assert sys.get_int_max_str_digits() == before


@needs_core
def test_too_many_solutions_to_count_are_estimated(command: Command, tmp_path: Path) -> None:
    row = "?".join([".1.1."] * 500)
    path = tmp_path / "row.txt"
    path.write_text(f"square 1x{len(row)} mines=750\n{row}\n")
    exact = json.loads(command("solve", str(path), "--json").out)
    told = json.loads(command("solve", str(path), "--json", "--budget", "50000").out)
    assert told["solutions"] is None
    assert told["log10_solutions"] == pytest.approx(math.log10(int(exact["solutions"])))
    assert told["cells"] == exact["cells"]
    ran = command("solve", str(path), "--budget", "50000")
    assert ran.status == 0
    assert f"about 10^{told['log10_solutions']:.1f}, too many to count exactly" in ran.out


# ----------------------------------------------------------------------------
# `mineproof solve --win` and `mineproof optimal`: text, JSON, picture, and what is refused.


EXAMPLE = str(Path(__file__).parents[2] / "examples" / "risk-or-win.txt")
EARLY = "square 9x9 mines=10\n1........\n" + 8 * ".........\n"


def test_the_table_tells_risk_and_win_apart(command: Command) -> None:
    ran = command("solve", EXAMPLE, "--win", "--table")
    assert (ran.status, ran.err) == (0, "")
    assert "chance to win" in ran.out
    assert "0,1     50.0 %        50.0 %, exact" in ran.out
    assert "best move: 0,1, 50.0 % mine, wins 50.0 %\n" in ran.out
    said = " ".join(ran.out.split())
    assert "0,0 has less risk, 20.0 % against 50.0 %, but best play wins with" in said
    assert "50.0 % after 0,1 and 40.0 % after 0,0. 3 other cells are as good." in said


def test_the_heat_map_alone_still_names_the_best(command: Command) -> None:
    ran = command("solve", EXAMPLE, "--win", "--heat")
    assert "exact" not in ran.out
    assert "best move: 0,1" in ran.out


def test_json_has_the_chances_best_first(command: Command) -> None:
    answer = json.loads(command("solve", EXAMPLE, "--win", "--json").out)
    assert len(answer["win"]) == 9
    best = {"cell": [0, 1], "chance": 0.5, "low": 0.5, "high": 0.5, "exact": True}
    assert answer["win"][0] == best
    assert "win" not in json.loads(command("solve", EXAMPLE, "--json").out)


@needs_core
def test_estimates_have_an_interval_and_repeat(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "early.txt"
    path.write_text(EARLY)
    options = ("--win", "--samples", "20", "--seed", "3")
    ran = command("solve", str(path), *options, "--table")
    assert ran.status == 0
    assert re.search(r"\d+\.\d ± \d+\.\d %, estimated", ran.out)
    assert "Games played out from here win with" in " ".join(ran.out.split())
    first, again = (json.loads(command("solve", str(path), *options, "--json").out) for _ in "ab")
    assert first["win"] == again["win"]
    assert not any(win["exact"] for win in first["win"])


def test_the_picture_has_the_chances_and_marks_the_best(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "win.svg"
    assert command("solve", EXAMPLE, "--win", "--svg", str(path), "--heat").status == 0
    picture = ElementTree.parse(path).getroot()
    marked = [node for node in picture.iter() if node.get("class") == "mark"]
    assert len(marked) == 4
    small = [node for node in picture.iter() if node.get("font-weight") == "bold"]
    assert sorted(node.text or "" for node in small) == 5 * ["40"] + 4 * ["50"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--samples", "5"), "together with --win"),
        (("--seed", "5"), "together with --win"),
        (("--win", "--trust-flags"), "without --trust-flags"),
        (("--win", "--samples", "0"), "1 or more"),
        (("--win", "--seconds", "-1"), "more than 0"),
        (("--win", "--clues", "optimistic"), "clues exact"),
    ],
)
def test_what_win_cannot_do_is_refused(
    command: Command, options: tuple[str, ...], words: str
) -> None:
    ran = command("solve", EXAMPLE, *options)
    assert ran.status == 2
    assert words in ran.err
    assert ran.err.count("\n") == 1


def test_optimal_prints_the_fraction_and_the_best_cells(command: Command) -> None:
    ran = command("optimal", "3x3/2", "--first-click", "any")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "square:3x3/2, first click any: best play wins 24 of 36 layouts",
        "chance to win: 2/3, or 0.6666666667",
        "best first cells: 0,1 1,0 1,2 2,1",
    ]


def test_optimal_as_json(command: Command) -> None:
    ran = command("optimal", "4x4/4", "--first-click", "any", "--json")
    answer = json.loads(ran.out)
    assert (answer["wins"], answer["total"]) == (961, 1820)
    assert answer["best"][:2] == [[0, 1], [0, 2]]
    safe = json.loads(command("optimal", "4x4/4", "--json").out)
    assert (safe["wins"], safe["total"]) == (961, 1365)


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("beginner",), 4, "1878392407320 layouts"),
        (("4x4/4", "--budget", "100"), 4, "more than 100 rows"),
        (("4x4/4", "--budget", "0"), 2, "1 or more"),
        (("4x4",), 2, "names no mines"),
        (("4x4/~20%",), 2, "no fixed number"),
        (("4x4/4", "--first-click", "sure"), 2, "any, safe, opening"),
        (("3x3/9",), 2, "do not fit"),
    ],
)
def test_optimal_refuses_in_one_line(
    command: Command, arguments: tuple[str, ...], status: int, words: str
) -> None:
    ran = command("optimal", *arguments)
    assert ran.status == status
    assert words in ran.err
    assert ran.err.count("\n") == 1


# ----------------------------------------------------------------------------
# `mineproof solve --sentence`: within 80 columns, as JSON, and what does not go with it.


POSITION = "examples/position.txt"


def test_it_fits_and_breaks_between_possibilities(command, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    ran = command("solve", POSITION, "--sentence")
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert lines[0] == "the 1 at 2,0: (M[1,0] & ~M[1,1]) | (~M[1,0] & M[1,1])"
    assert lines[-1] == "the total of 10: exactly 10 of the 26 hidden cells"
    assert max(map(len, lines)) <= 80
    assert all(line.count("(") == line.count(")") for line in lines)


def test_the_sentence_as_json(command) -> None:
    found = json.loads(command("solve", POSITION, "--sentence", "--json").out)["sentence"]
    assert found[0] == {
        "premise": "the 1 at 2,0",
        "clue": [2, 0],
        "formula": "(M[1,0] & ~M[1,1]) | (~M[1,0] & M[1,1])",
    }
    assert found[-1]["clue"] is None


def test_dimacs_goes_with_it(command, tmp_path) -> None:
    path = tmp_path / "x.cnf"
    assert command("solve", POSITION, "--sentence", "--dimacs", str(path)).status == 0
    assert "p cnf" in path.read_text()


@pytest.mark.parametrize("option", ["--heat", "--table", "--win"])
def test_what_does_not_go_with_it(command, option: str) -> None:
    ran = command("solve", POSITION, "--sentence", option)
    assert ran.status == 2
    assert f"accepted: without {option}" in ran.err


# ----------------------------------------------------------------------------
# `mineproof solve` where clues may lie: the channel, and how far each clue is believed.


@pytest.fixture
def position(tmp_path: Path) -> str:
    path = tmp_path / "position.txt"
    path.write_text("square 1x3 mines=unknown density=0.5\n.1.\n")
    return str(path)


def test_beliefs_as_json(command: Command, position: str) -> None:
    answer = json.loads(command("solve", position, "--clues", "optimistic", "--json").out)
    (belief,) = answer["beliefs"]
    assert (belief["cell"], belief["shown"]) == ([0, 1], 1)
    assert belief["counts"] == pytest.approx({"1": 0.75, "2": 0.25})
    assert "beliefs" not in json.loads(command("solve", position, "--json").out)


def test_beliefs_as_text(command: Command, position: str) -> None:
    out = command("solve", position, "--clues", "optimistic").out
    assert "0,1       1  1: 75.0 %, 2: 25.0 %\n" in out
    assert "true count" not in command("solve", position).out


def test_a_table_from_a_file(command: Command, position: str, tmp_path: Path) -> None:
    table = tmp_path / "table.txt"
    table.write_text("0 0:1\n1 1:1\n2 1:1\n")
    answer = json.loads(command("solve", position, "--clues", f"table:{table}", "--json").out)
    assert answer["beliefs"][0]["counts"] == pytest.approx({"1": 2 / 3, "2": 1 / 3})


@pytest.mark.parametrize(
    ("clues", "status", "said"),
    [
        ("noisy:1.2", 2, "out of range; accepted: 0 to 1"),
        ("table:0:1;0:0.5", 2, "sums to 1/2"),
        ("table:0:1;0:1;2:1,1:0", 2, "clue 1 of the clue table has no possible cause"),
        ("table:0:1;0:1;2:1", 3, "the clue at 0,1 cannot be met"),
        ("nothing", 2, "unknown clue channel"),
    ],
)
def test_endings(command: Command, position: str, clues: str, status: int, said: str) -> None:
    ran = command("solve", position, "--clues", clues)
    assert (ran.status, ran.out) == (status, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1


# ----------------------------------------------------------------------------
# `mineproof solve --dimacs FILE`: the CNF has a model exactly where the position has a layout.


CNF_POSITION = "square 3x3 mines=2\n1..\n12.\n01.\n"


def written(command: Callable[..., Any], folder: Path, position: str) -> CNF:
    source, target = folder / "position.txt", folder / "position.cnf"
    source.write_text(position, encoding="utf-8")
    command("solve", str(source), "--dimacs", str(target), "--json")
    return CNF(from_file=str(target))


def test_its_models_are_the_layouts(command: Callable[..., Any], tmp_path: Path) -> None:
    cnf = written(command, tmp_path, CNF_POSITION)
    assert cnf.comments[:3] == [
        "c square:3x3 mines=2 clues=exact",
        "c variable 1 cell 0,1",
        "c variable 2 cell 0,2",
    ]
    with Solver(bootstrap_with=cnf.clauses) as solver:
        layouts = {tuple(literal > 0 for literal in model[:4]) for model in solver.enum_models()}
    assert layouts == {(True, False, True, False), (True, False, False, True)}


@pytest.mark.parametrize("total", [0, 4])
def test_a_wrong_total_has_no_model(
    command: Callable[..., Any], tmp_path: Path, total: int
) -> None:
    cnf = written(command, tmp_path, CNF_POSITION.replace("mines=2", f"mines={total}"))
    with Solver(bootstrap_with=cnf.clauses) as solver:
        assert not solver.solve()


def test_a_file_that_cannot_be_written(command: Callable[..., Any], tmp_path: Path) -> None:
    source = tmp_path / "position.txt"
    source.write_text(CNF_POSITION, encoding="utf-8")
    ran = command("solve", str(source), "--dimacs", str(tmp_path / "no" / "file.cnf"))
    assert ran.status == 2
    assert "--dimacs" in ran.err


# ------------------------------------------------------------- what an agent makes of a position

LOST = "square 3x3 mines=2\n1..\n13.\n01.\n"
WALL = "square 3x4 mines=2\n....\n1221\n0000\n"


@pytest.mark.parametrize("agent", players_need_core(name for name in LOGICS if name != "none"))
@pytest.mark.parametrize("board", ["5x5/6", "hex:5x5/6", "torus:5x5/5", "triangle:4x6/5"])
def test_an_agent_proves_and_misses_what_enumeration_finds_certain(
    command: Command, tmp_path: Path, board: str, agent: str
) -> None:
    proved = 0
    for seed in range(3):
        *_, view = play(
            board, "single-point+stop", seed, first_click="opening", given="0,0"
        ).views()
        if not view.hidden_count:
            continue
        file = tmp_path / f"{seed}.txt"
        file.write_text(view.text)
        layouts = [mines for mines, _ in enumerate_layouts(view)]
        certain = {
            (cell, inside[0])
            for cell in view.hidden
            if len(set(inside := [cell in mines for mines in layouts])) == 1
        }
        ran = command("solve", str(file), "--agent", agent, "--json")
        assert ran.status == 0, ran.err
        answer = json.loads(ran.out)
        found = set()
        for move in answer["proved"]:
            cell, mine = view.topology.cell(move["cell"]), move["action"] == "flag"
            found.add((cell, mine))
            clues = [view.topology.cell(clue) for clue in move["reason"]["premises"]]
            assert premises_force(view, clues, move["reason"]["uses_total"], cell, mine, (), 10**6)
        missed = {
            (view.topology.cell(one["cell"]), one["certain"] == "mine") for one in answer["missed"]
        }
        assert found | missed == certain
        assert not found & missed
        proved += len(found)
        if agent in ("exact", "champion"):
            assert not missed
        cell = answer["move"]["cell"]
        if cell is not None and answer["move"]["action"] == "open":
            share = sum(view.topology.cell(cell) in mines for mines in layouts) / len(layouts)
            assert answer["move"]["risk"] == pytest.approx(share)
    assert proved


def test_an_agent_tells_what_it_knows_and_misses(command: Command, file: Any) -> None:
    single = command("solve", file(WALL), "--agent", "single-point").out
    assert "  1,1: 2 in {0,0 0,1 0,2}\n" in single
    missed = "misses 4 of 4 certain cells:\n    safe: 0,0 0,3\n    mines: 0,1 0,2\n"
    assert f"proves 0 cells\n{missed}its move: open 0," in single
    split = command("solve", file(WALL), "--agent", "partition").out
    assert "    0,0 proved safe by partition from " in split
    assert "misses nothing: it proves all that is certain\nits move: open 0,3 - proved" in split
    corners = "square 2x4 mines=2\n....\n1..1\n"
    clauses = command("solve", file(corners), "--agent", "resolution").out
    assert "  +0,0 or +0,1 or +1,1\n" in clauses
    assert "nothing is certain here\nits move: stop - nothing more is proved" in clauses


def test_the_empty_clause_is_a_contradiction(command: Command, file: Any) -> None:
    ran = command("solve", file(LOST), "--agent", "resolution")
    assert ran.status == 3
    assert ran.err.startswith("mineproof: the empty clause follows: ")
    ran = command("solve", file(LOST), "--agent", "single-point")
    assert ran.status == 3
    assert "single-point finds no contradiction, but no layout explains the position" in ran.err


def test_an_agent_of_a_file_tells_its_move(process: Command, file: Any, tmp_path: Path) -> None:
    (tmp_path / "last.py").write_text(
        "class Last:\n    def act(self, view):\n        return (0, 1)\n"
    )
    ran = process("solve", file(WALL), "--agent", str(tmp_path / "last.py"))
    assert "4 certain cells:\n    safe: 0,0 0,3\n    mines: 0,1 0,2\n" in ran.out
    assert ran.out.endswith("its move: open 0,1; it is certainly a mine\n")


@pytest.mark.parametrize("option", ["--win", "--heat", "--table", "--sentence", "--trust-flags"])
def test_what_does_not_go_with_an_agent(command: Command, file: Any, option: str) -> None:
    ran = command("solve", file(WALL), "--agent", "sat", option)
    assert ran.status == 2
    assert ran.err.strip().endswith(f"accepted: without {option}")
