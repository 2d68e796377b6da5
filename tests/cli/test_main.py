"""`mineproof`: its list of commands, exit statuses, and bad input in one line."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mineproof
from mineproof.cli.main import COMMANDS, exit_status, run
from mineproof.errors import (
    AgentFailure,
    BudgetExceeded,
    InconsistentPosition,
    InputError,
    UnknownName,
)
from tests.core import needs_core
from tests.interrupts import PATIENCE


def test_help_lists_every_command(command):
    for arguments in ((), ("--help",), ("-h",)):
        ran = command(*arguments)
        assert ran.status == 0
        for name, summary in COMMANDS.items():
            assert name in ran.out
            assert summary in ran.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(command, name):
    ran = command(name, "--help")
    assert ran.status == 0
    assert f"Usage: mineproof {name}" in ran.out
    assert COMMANDS[name].split()[0] in ran.out


def test_version_names_the_core(command):
    ran = command("--version")
    assert ran.status == 0
    assert ran.out.startswith(f"mineproof {mineproof.__version__}, ")
    assert "core" in ran.out


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (InputError("a"), 2),
        (UnknownName("agent", "x", ["y"]), 2),
        (InconsistentPosition("b"), 3),
        (BudgetExceeded("c"), 4),
        (AgentFailure("d"), 1),
        (KeyboardInterrupt(), 130),
    ],
)
def test_errors_become_one_line_and_a_status(capsys, error, status):
    def work() -> int:
        raise error

    assert exit_status(work) == status
    assert capsys.readouterr().err.count("\n") == 1


def test_a_fault_of_ours_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        exit_status(lambda: 1 // 0)


def test_a_closed_pipe_is_quiet():
    play = ["play", "--board", "expert", "--seed", "44", "--first-click", "opening"]
    ours, theirs = os.pipe()
    # So small a pipe is full long before the game is told: it cannot end before its reader.
    fcntl.fcntl(theirs, fcntl.F_SETPIPE_SZ, 4096)
    with subprocess.Popen(
        [sys.executable, "-m", "mineproof", *play], stdout=theirs, stderr=subprocess.PIPE
    ) as child:
        os.close(theirs)
        assert os.read(ours, 6) == b"expert"
        os.close(ours)
        assert child.stderr.read() == b""
        assert child.wait(PATIENCE) == 141


def test_help_starts_quickly_as_it_loads_nothing_heavy():
    """Counted in modules: a time would be that of the machine."""
    program = (
        "import sys\n"
        "from mineproof.cli.main import run\n"
        "run(['--help'])\n"
        "print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    loaded = done.stderr.split()
    assert "click" in loaded
    assert len(loaded) < 250
    assert not {"numpy", "rich.console", "asyncio", "duckdb", "matplotlib"} & set(loaded)
    ours = {name for name in loaded if name.partition(".")[0] == "mineproof"}
    assert ours == {
        "mineproof",
        "mineproof.errors",
        "mineproof.registry",
        "mineproof.cli",
        "mineproof.cli.main",
    }


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("mineproof rep", {"plain,reproduce"}),
        ("mineproof solve --s", {"plain,--svg", "plain,--sentence", "plain,--samples"}),
    ],
)
def test_a_shell_completes_commands_and_options(words: str, offered: set[str]) -> None:
    asked = {
        "_MINEPROOF_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
    }
    done = subprocess.run(
        [sys.executable, "-c", "from mineproof.cli import main; main()"],
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    assert offered <= set(done.stdout.split())


def test_importing_the_package_loads_nothing():
    program = "import sys, mineproof; print('numpy' in sys.modules, 'click' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False"]


@needs_core
def test_the_first_position_is_solved_without_logics_or_the_twin():
    program = (
        "import sys, mineproof\n"
        "mineproof.analyze('square 3x3 mines=2\\n1..\\n12.\\n01.')\n"
        "print(*sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    loaded = done.stdout.split()
    assert "mineproof.engine.exact" in loaded
    other = [name for name in loaded if name.startswith("mineproof.logics.")]
    assert other == []
    twin = {"twin", "twin_sampling"}
    assert not {f"mineproof.engine.{name}" for name in twin} & set(loaded)


def test_an_interrupt_while_playing_says_how_to_see_the_game_again():
    arguments = ["play", "--board", "beginner", "--seed", "3", "--step"]
    with subprocess.Popen(
        [sys.executable, "-m", "mineproof", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        seen = ""
        while "q leaves" not in seen:
            part = os.read(child.stdout.fileno(), 4096)
            assert part, seen
            seen += part.decode()
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=PATIENCE)
    assert child.returncode == 130
    assert "mineproof play --board beginner --agent single-point --seed 3" in err
    assert "Traceback" not in err


# ----------------------------------------------------------------------------
# Bad input: one line on stderr that says what would be accepted, status 2, no traceback.


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
    "seed no number": (("--seed", "x"), "'--seed' 'x'; accepted: a whole number"),
    "delay no number": (("--delay", "x"), "'--delay' 'x'; accepted: a number"),
    "two sides": (("--board", "9by9"), "did you mean 9x9/10?"),
    "the next report": (("--rules", "report5"), "rules 'report5'; accepted: report0, report1"),
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
