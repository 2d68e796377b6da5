"""Bad input: one line on stderr that says what would be accepted, status 2, no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.surfaces.cli.main import run

CASES = {
    "unknown agent": (("--agent", "singlepoint"), "did you mean single-point"),
    "missing agent file": (("--agent", "nobody.py:Me"), "is not there"),
    "unknown policy": (("--agent", "sat+corner-last"), "did you mean corner-first"),
    "unknown board": (("--board", "experd"), "did you mean expert"),
    "unknown topology": (("--board", "hexx:5x5/3"), "did you mean hex"),
    "no mines": (("--board", "9x9"), "names no mines"),
    "size 0": (("--board", "0x5/1"), "side of 0"),
    "negative size": (("--board", "-3x5/1"), "cannot be read"),
    "too large": (("--board", "9999x9999/1"), "at most"),
    "too many mines": (("--board", "3x3/10"), "10 mines on 9 cells"),
    "too many after the first click": (("--board", "3x3/9"), "first click safe"),
    "density above 1": (("--board", "5x5/120%"), "0 to 1"),
    "self-loop": (("--board", "graph:0-0/1"), "joins a cell to itself"),
    "empty board": (("--board", ""), "unknown board"),
    "rule": (("--first-click", "sometimes"), "accepted: any, safe, opening"),
    "switch": (("--cascade", "maybe"), "accepted: on, off"),
    "channel": (("--clues", "exakt"), "did you mean exact"),
    "channel's share": (("--clues", "withheld:2"), "0 to 1"),
    "given off the board": (("--given", "99,99"), "not on the board"),
    "negative seed": (("--seed", "-1"), "out of range"),
    "negative index": (("--index", "-1"), "out of range"),
    "seed no number": (("--seed", "x"), "--seed"),
    "no such option": (("--sead", "1"), "--sead"),
    "extra argument": (("now",), "now"),
    "delay": (("--delay", "nan"), "0 to 60 seconds"),
    "world without file": (("--world", "M5"), "--worlds FILE"),
    "step and json": (("--step", "--json"), "without --json"),
    "human and quiet": (("--agent", "human", "--quiet"), "without --quiet"),
    "step and human": (("--agent", "human", "--step"), "any agent but human"),
    "live and json": (("--live", "--json"), "without"),
    "missing file": (("--worlds", "no/such/file", "--world", "M5"), "No such file"),
    "transcript": (("--transcript", "no/such/folder/game"), "cannot be written"),
}


def check_refused(ran, *said: str) -> None:
    assert ran.status == 2
    assert not ran.out
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("mineproof: ")
    for text in said:
        assert text in ran.err


@pytest.mark.parametrize("case", CASES)
def test_refused_in_one_line(command, case):
    arguments, said = CASES[case]
    check_refused(command("play", *arguments), said)


def test_world_files(command, tmp_path: Path):
    def play(text: bytes, name: str = "M5"):
        path = tmp_path / "worlds.txt"
        path.write_bytes(text)
        return command("play", "--worlds", str(path), "--world", name)

    check_refused(play(b"\x00\xff\xfe\x80"), "not UTF-8")
    check_refused(play(b"M5\n0 1 2\n2 t"), "line 3", "2 cells")
    check_refused(play(b"M5\n1 t\n0 1\n\n", "M55"), "did you mean M5")
    check_refused(play(b""), "no world found")
    check_refused(play(b"M5\n1 9\n0 1\n"), "shows")
    path = tmp_path / "worlds.txt"
    path.write_text("M5\n1 t\n0 1\n")
    check_refused(command("play", "--worlds", str(path)), "M5")
    check_refused(command("play", "--worlds", str(path), "--board", "expert"), "one of them")


def test_commands(command):
    check_refused(command("plya"), "play")
    check_refused(command("agents", "--nope"), "--nope")


def test_a_real_process_prints_no_traceback(process):
    check_refused(process("play", "--board", "3x3/10"), "10 mines on 9 cells")


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=3))
def test_arbitrary_values_never_raise(words):
    for option in ("--board", "--agent", "--given", "--clues"):
        board = () if option == "--board" else ("--board", "3x3/1")
        assert run(["play", *board, "--json", option, *words]) in (0, 1, 2)
