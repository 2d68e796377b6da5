"""Streams that are full or closed, files of every unhelpful kind: one line, and a status."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from mineproof.cli.console import StatusLine
from mineproof.cli.main import run
from tests.core import needs_core
from tests.interrupts import PATIENCE

POSITION = "square 3x3 mines=2\n1..\n12.\n01.\n"
NAME = "a" * 300


def shell(line: str, folder: Path) -> tuple[int, str, str]:
    """Run `mineproof` as `$M` in a shell, which can close streams."""
    done = subprocess.run(
        ["sh", "-c", line],
        cwd=folder,
        env={**os.environ, "M": f"{sys.executable} -m mineproof"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def check_line(err: str, *said: str) -> None:
    assert err.count("\n") == 1, err
    assert err.startswith("mineproof: ")
    assert len(err) < 400
    for text in said:
        assert text in err, err


needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")


@needs_full
@pytest.mark.parametrize("arguments", ["agents", "--help", "solve p --json", "play --board 3x3/1"])
def test_a_full_standard_output(arguments: str, tmp_path: Path) -> None:
    (tmp_path / "p").write_text(POSITION)
    for buffered in ("env -u PYTHONUNBUFFERED ", "env PYTHONUNBUFFERED=1 "):
        status, _, err = shell(f"{buffered}$M {arguments} > /dev/full", tmp_path)
        assert status == 2
        check_line(err, "standard output cannot be written: No space left on device")


def test_closed_streams(tmp_path: Path) -> None:
    (tmp_path / "p").write_text(POSITION)
    status, _, err = shell("$M agents >&-", tmp_path)
    assert status == 2
    check_line(err, "standard output is closed")
    status, out, err = shell("$M solve - <&-", tmp_path)
    assert (status, out) == (2, "")
    check_line(err, "standard input is closed")
    # An error goes nowhere then, and not among the answers.
    assert shell("$M play --board 3x3/10 2>&-", tmp_path)[:2] == (2, "")
    assert shell("$M solve p 2>&- <&-", tmp_path)[0] == 0


@needs_full
def test_a_full_standard_error_stops_nothing(tmp_path: Path) -> None:
    assert shell("$M play --board 3x3/10 2>/dev/full", tmp_path)[:2] == (2, "")


LONG = {
    "board": ("play", "--board", NAME),
    "agent": ("play", "--agent", NAME),
    "agent file": ("play", "--agent", f"{NAME}.py:Me"),
    "file": ("solve", NAME),
    "picture": ("solve", "p", "--svg", NAME),
    "worlds": ("play", "--worlds", NAME, "--world", "M5"),
    "specification": ("compare", "--spec", NAME),
    "folder of agents": ("compare", "--agents-dir", NAME),
    "csv": ("compare", "--agents", "random", "--board", "3x3/1", "--games", "1", "--csv", NAME),
    "plot": ("compare", "--agents", "random", "--board", "3x3/1", "--plot", f"{NAME}.svg"),
    "folder of results": ("sql", NAME, "select 1"),
    "command": (NAME,),
    "option": ("play", f"--{NAME}"),
    "order": ("puzzle", "p", "--order", NAME),
    "game": ("review", NAME),
    "checked agent": ("check", NAME),
    "engine": ("compare", "--agents", "random", "--engine", NAME),
    "host": ("coach", "--host", NAME, "--no-open"),
}


@pytest.mark.parametrize("what", LONG)
def test_a_name_of_300_characters(
    what: str, command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p").write_text(POSITION)
    ran = command(*LONG[what])
    assert ran.status == 2
    assert ran.out == ""
    check_line(ran.err)
    assert "a" * 120 not in ran.err


HUGE = "99999999999999999999"


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("optimal", "200x200/10000"), 4),
        (("optimal", "4x4/4", "--budget", HUGE), 2),
        (("solve", "p", "--budget", HUGE), 2),
        (("solve", "p", "--win", "--samples", HUGE), 2),
        (("solve", "p", "--win", "--seconds", "1e400"), 2),
        (("play", "--seed", HUGE), 2),
        (("compare", "--agents", "random", "--games", HUGE), 2),
    ],
)
def test_numbers_past_all_bounds(
    arguments: tuple[str, ...],
    status: int,
    command: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p").write_text(POSITION)
    ran = command(*arguments)
    assert (ran.status, ran.out) == (status, "")
    check_line(ran.err)


COMPARE = ("compare", "--agents", "random", "--board", "3x3/1", "--games", "2")


@pytest.mark.parametrize("option", ["--csv", "--plot"])
def test_what_cannot_be_kept_is_said_before_the_first_game(
    option: str, command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_game(*_: object, **__: object) -> None:
        raise AssertionError("a game was played")

    monkeypatch.setattr("mineproof.cli.compare.run", no_game)
    for place in ("none/results.svg", "p/results.svg", "folder.svg"):
        (tmp_path / "p").write_text("a file")
        (tmp_path / "folder.svg").mkdir(exist_ok=True)
        ran = command(*COMPARE, option, str(tmp_path / place))
        assert (ran.status, ran.out) == (2, "")
        check_line(ran.err, "cannot be written")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.svg", "p"]


@needs_full
def test_a_csv_on_a_full_device(command: Any) -> None:
    ran = command(*COMPARE, "--csv", "/dev/full")
    assert ran.status == 2
    check_line(ran.err, "'/dev/full' cannot be written: No space left on device")


READERS = {
    "solve": ("solve", "FILE"),
    "explain": ("explain", "FILE", "--all"),
    "check-proof": ("check-proof", "FILE", "p"),
    "rate": ("rate", "FILE"),
    "worlds": ("play", "--worlds", "FILE", "--world", "M5"),
    "review": ("review", "FILE"),
    "spec": ("compare", "--spec", "FILE"),
    "sql": ("sql", "FILE", "select 1"),
    "puzzle": ("puzzle", "FILE"),
    "agent": ("check", "FILE:Me"),
}
FILES = {
    "empty": b"",
    "binary": bytes(range(256)),
    "nul": b"square 2x2 mines=1\n.\0\n..\n",
    "utf-16": POSITION.encode("utf-16"),
    "escapes": b"\x1b[31m\xe2\x80\xae\n",
    "one long line": b"x" * 1_000_000,
}


@pytest.mark.parametrize("reader", READERS)
def test_files_of_every_unhelpful_kind(
    reader: str, command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p").write_text(POSITION)
    Path("folder").mkdir()
    Path("loop").symlink_to("loop")
    names = ["folder", "loop", "missing"]
    for name, data in FILES.items():
        Path(name.replace(" ", "-")).write_bytes(data)
        names.append(name.replace(" ", "-"))
    with Path("sparse").open("wb") as file:
        file.truncate(10 * 2**30)
    names.append("sparse")
    for name in names:
        ran = command(*(word.replace("FILE", name) for word in READERS[reader]))
        assert (ran.status in (1, 2), ran.out) == (True, ""), (name, ran)
        check_line(ran.err)
        assert ran.err[:-1].isprintable(), name


@pytest.mark.parametrize("ends", ["\r", "\r\n", "\n"])
def test_every_kind_of_line_end_and_a_mark_of_byte_order(
    ends: str, command: Any, tmp_path: Path
) -> None:
    path = tmp_path / "position"
    path.write_bytes(b"\xef\xbb\xbf" + POSITION.replace("\n", ends).encode())
    assert command("solve", str(path), "--json").status == 0


class Terminal:
    """A terminal that tells when something was written to it."""

    def __init__(self) -> None:
        self.text, self.written = "", threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text
        self.written.set()
        return len(text)

    def flush(self) -> None:
        pass


def test_long_work_says_what_it_is_and_wipes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with StatusLine("counting", soon=0.0):
        assert terminal.written.wait(PATIENCE)
    assert terminal.text == "mineproof: counting ...\r\x1b[K"
    quick = Terminal()
    monkeypatch.setattr(sys, "stderr", quick)
    with StatusLine("counting", soon=3600.0):
        pass
    assert quick.text == ""


@needs_core
def test_a_checkerboard_that_clashes_by_its_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It ran past 580 seconds: a SAT solver is lost where mines must be counted."""
    rows = ("".join("2" if (r + c) % 2 == 0 else "." for c in range(30)) for r in range(30))
    path = tmp_path / "board"
    path.write_text("square 30x30 mines=200\n" + "\n".join(rows) + "\n")
    for extra in ((), ("--budget", "1")):
        assert run(("explain", str(path), "--all", *extra)) == 3
        said = capsys.readouterr()
        assert "clash" in said.out
        check_line(said.err, "the 200 mines clash")
