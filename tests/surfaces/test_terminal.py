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

from tests.interrupts import PATIENCE

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


# Takes the terminal and sets its size before it becomes the command, which looks at both. It is no
# fork of this process: that may have threads by now.
START = """
import fcntl, os, struct, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 80, 0, 0))
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

    def status(self) -> int:
        return self.process.wait(PATIENCE)


@contextmanager
def terminal(*arguments: str) -> Iterator[Terminal]:
    descriptor, theirs = pty.openpty()
    leave_out = ("NO_COLOR", "COLUMNS", "LINES")
    environment = {name: text for name, text in os.environ.items() if name not in leave_out}
    environment.update(TERM="xterm-256color", LANG="C.UTF-8", PYTHONUTF8="1")
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


def test_a_board_too_large_for_the_screen_is_told_in_lines():
    with terminal("play", "--board", "40x10/30", "--seed", "7") as screen:
        text = screen.read()
        assert screen.status() == 0
    assert "\n1. open" in text
    assert "\n2. " in text


def test_a_proof_breaks_between_words():
    with terminal("explain", "docs/pictures/proofs/16.txt", "--all") as screen:
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
    with terminal("play", "--board", "9x9/10", "--agent", "exact", "--step") as screen:
        screen.read("q leaves: ")
        screen.send("\n")
        assert "more lines" in screen.read("q leaves: ")
        screen.send("k\n")
        whole = screen.read("q leaves: ")
        assert "more lines" not in whole
        assert whole.count("\n") > 30
        screen.send("q\n")
        screen.read()
        assert screen.status() == 0


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
        screen.send("\x03")
        said = screen.read()
        assert screen.status() == 130
    assert "the same game again: mineproof play --board beginner" in said.replace("\n", "")
    assert "Traceback" not in said
