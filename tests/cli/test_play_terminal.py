"""`play` in a real terminal, by way of a pseudo terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.interrupts import PATIENCE

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


# Takes the terminal and sets its size before it becomes the command, which looks at both. It is no
# fork of this process: that may have threads by now.
START = """
import fcntl, os, struct, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", int(os.environ["ROWS"]), 80, 0, 0))
os.execv(sys.executable, [sys.executable, "-W", "ignore", "-m", "mineproof", *sys.argv[1:]])
"""


class Terminal:
    """A child process on a pseudo terminal of 80 columns."""

    def __init__(self, process: subprocess.Popen[bytes], descriptor: int) -> None:
        self.process, self.descriptor, self.raw = process, descriptor, ""

    def send(self, text: str) -> None:
        os.write(self.descriptor, text.encode())

    def read(self, until: str = "") -> str:
        """What appears until a text does, or the end."""
        start = len(self.raw)
        deadline = time.monotonic() + PATIENCE
        while not (until and until in self.raw[start:]):
            assert time.monotonic() < deadline, self.raw[start:]
            if not select.select([self.descriptor], [], [], 0.2)[0]:
                continue
            try:
                data = os.read(self.descriptor, 65536)
            except OSError:
                data = b""
            if not data:
                break
            self.raw += data.decode(errors="replace")
        return ESCAPES.sub("", self.raw[start:]).replace("\r\n", "\n")

    def sleep(self) -> None:
        """Wait until the command waits: a signal just before it reads a line goes unnoticed."""
        stat = Path(f"/proc/{self.process.pid}/stat")
        deadline = time.monotonic() + PATIENCE
        while stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "S":
            assert time.monotonic() < deadline, "the command does not come to rest"

    def status(self) -> int:
        return self.process.wait(PATIENCE)


@contextmanager
def terminal(*arguments: str, rows: int = 30) -> Iterator[Terminal]:
    descriptor, theirs = pty.openpty()
    leave_out = ("NO_COLOR", "COLUMNS", "LINES")
    environment = {name: text for name, text in os.environ.items() if name not in leave_out}
    environment.update(TERM="xterm-256color", LANG="C.UTF-8", PYTHONUTF8="1", ROWS=str(rows))
    process = subprocess.Popen(
        [sys.executable, "-c", START, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield Terminal(process, descriptor)
    finally:
        os.close(descriptor)
        process.kill()
        process.wait()


def test_a_live_game_fits_80_columns_and_has_colours():
    with terminal("play", "--board", "expert", "--seed", "7", "--delay", "0") as screen:
        text = screen.read()
        assert screen.status() == 0
    assert "\x1b[" in screen.raw
    final = text[text.rindex("expert (square:16x30/99)") :].splitlines()
    assert max(map(len, final)) <= 80
    assert any(line.startswith("lost: a mine was opened;") for line in final)


def test_a_live_game_names_the_given_cells_and_the_mines():
    rules = ("--given", "random:3", "--goal", "mark-all", "--first-click", "any")
    options = ("--board", "5x5/3", "--agent", "resolution", "--seed", "1", *rules)
    with terminal("play", *options, "--delay", "0") as child:
        said = child.read()
        assert child.status() == 0
    assert re.search(r"^given: \d,\d \d,\d \d,\d *$", said, re.MULTILINE)
    assert re.search(r"^mines: \d,\d", said, re.MULTILINE)
    assert "opened:" not in said  # the board shows it


def test_a_board_too_large_for_the_screen_is_told_in_lines():
    with terminal("play", "--board", "40x10/30", "--seed", "7") as screen:
        text = screen.read()
        assert screen.status() == 0
    assert "\n1. open" in text
    assert "\n2. " in text


def test_a_proof_breaks_between_words():
    with terminal("explain", "docs/pictures/proofs/10.txt", "--all") as screen:
        text = screen.read()
        assert screen.status() == 0
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert "  - If 1,5 is a mine: the 2 at 1,4 has its mines, so 1,3 2,3 and 2,4 are safe." in lines
    assert "  The 2 at 2,2 needs mines in 1,1 and 1,2. The 3 at 2,5 needs mines in 1,0 and" in lines


def test_a_comparison_fits_80_columns():
    asked = (
        "--agents",
        "exact,single-point",
        "--board",
        "beginner",
        "--games",
        "20",
        "--jobs",
        "1",
    )
    with terminal("compare", *asked) as screen:
        text = screen.read()
        assert screen.status() == 0
    lines = text[text.rindex("square:9x9/10, mines=10") :].splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.split()[:2] == ["single-point", "20"] for line in lines)
    assert re.fullmatch(r"exact - single-point: .*; only exact won \d+, only", lines[-2])


def test_stepping_shows_knowledge_and_waits():
    with terminal("play", "--board", "hex:7x7/10", "--seed", "3", "--step") as screen:
        first = screen.read("q leaves: ")
        assert "guessed: random among 49 cells" in first
        assert "1. " not in first
        screen.send("\n")
        second = screen.read("q leaves: ")
        assert "\n1. open " in second
        assert re.search(r"next: open \d,\d - proved safe by single-point from the \d at", second)
        later = ""
        while "knowledge:" not in later:
            screen.send("\n")
            later = screen.read("q leaves: ")
            assert "next: " in later
        screen.send("q\n")
        assert "left: before the end" in screen.read()
        assert screen.status() == 0


def test_k_shows_all_knowledge():
    with terminal(
        *("play", "--board", "16x16/40", "--agent", "resolution", "--seed", "2", "--step"),
        *("--first-click", "opening"),
    ) as screen:
        screen.read("q leaves: ")
        screen.send("\n")
        said = screen.read("q leaves: ")
        known = int(re.search(r"knowledge: (\d+) statements, \1 new \(k shows all\):", said)[1])
        assert known > 100
        assert re.search(r"\n and \d+ more\n", said)
        assert said.count(" or ") < known
        screen.send("k\n")
        whole = screen.read("q leaves: ")
        assert whole.count(" or ") >= known
        screen.send("q\n")
        screen.read()
        assert screen.status() == 0


@pytest.mark.parametrize(("board", "given"), [("16x16/25", 8), ("16x30/99", 44)])
def test_a_round_of_report_4_fits_a_terminal_of_80_by_40(board, given):
    rules = ("--goal", "mark-all", "--given", f"random:{given}", "--seed", "4", "--mines-as", "X")
    with terminal(
        "play", "--board", board, "--agent", "resolution", "--step", *rules, rows=40
    ) as screen:
        for _ in range(4):
            said = screen.read("q leaves: ")
            screen.send("\n")
            lines = said.split("\n")
            assert len(lines) <= 40
            assert max(map(len, lines)) <= 80
            assert any(line.startswith("  mines: ") for line in lines)
            assert any(line.startswith("knowledge: ") for line in lines)
            assert any(line.startswith("next: ") for line in lines)


def test_equal_chances_are_told_together():
    with terminal("play", "--board", "9x9/10", "--agent", "exact", "--step") as screen:
        first = screen.read("q leaves: ")
    assert "knowledge: 1 statement, 1 new:" in first
    assert " + 12.3 %: 0,0..0,8 1,0..1,8 2,0..2,8" in first


def test_s_saves_the_position_for_solve(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with terminal("play", "--board", "5x5/3", "--seed", "2", "--step") as screen:
        screen.read("q leaves: ")
        screen.send("\n")
        screen.read("q leaves: ")
        screen.send("s\n")
        said = screen.read("q leaves: ")
        screen.send("s\n")
        screen.read("q leaves: ")
        screen.send("q\n")
        screen.read()
    assert "saved the position after 1 step in position-1.txt; to solve it:" in said
    assert "\nmineproof solve position-1.txt\n" in said
    assert (tmp_path / "position-1.txt").read_text() == (tmp_path / "position-1-2.txt").read_text()
    assert command("solve", "position-1.txt").status == 0


def test_stepping_to_the_end_is_the_same_game(command):

    arguments = ("play", "--board", "5x5/3", "--seed", "2")
    steps = len(json.loads(command(*arguments, "--json").out)["steps"])
    with terminal(*arguments, "--step") as screen:
        for _ in range(steps):
            screen.read("q leaves: ")
            screen.send("\n")
        end = screen.read()
        assert screen.status() == 0
    assert f"{steps} step" in end


def test_control_c_leaves_with_130():
    with terminal("play", "--board", "beginner", "--seed", "3", "--step") as screen:
        screen.read("q leaves: ")
        screen.sleep()
        screen.send("\x03")
        said = screen.read()
        assert screen.status() == 130
    assert "the same game again: mineproof play --board beginner" in said.replace("\n", "")
    assert "Traceback" not in said
