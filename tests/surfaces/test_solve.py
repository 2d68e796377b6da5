"""`mineproof solve`: three notations; the answer as text, JSON and SVG; the exit statuses."""

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

from tests.core import needs_core
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
