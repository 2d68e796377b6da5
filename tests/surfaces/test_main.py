"""The command itself: help, version, exit statuses, speed of starting."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys

import pytest

import mineproof
from mineproof.errors import (
    AgentFailure,
    BudgetExceeded,
    InconsistentPosition,
    InputError,
    UnknownName,
)
from mineproof.surfaces.cli.exits import exit_status
from mineproof.surfaces.cli.main import COMMANDS
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
        "from mineproof.surfaces.cli.main import run\n"
        "run(['--help'])\n"
        "print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    loaded = done.stderr.split()
    assert "typer" in loaded
    assert len(loaded) < 250
    assert not {"numpy", "rich.console", "asyncio", "duckdb", "matplotlib"} & set(loaded)
    ours = {name for name in loaded if name.partition(".")[0] == "mineproof"}
    assert ours == {
        "mineproof",
        "mineproof.errors",
        "mineproof.exports",
        "mineproof.surfaces",
        "mineproof.surfaces.cli",
        "mineproof.surfaces.cli.exits",
        "mineproof.surfaces.cli.main",
    }


def test_importing_the_package_loads_nothing():
    program = "import sys, mineproof; print('numpy' in sys.modules, 'typer' in sys.modules)"
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
    assert "mineproof.inference.engine.native" in loaded
    other = [name for name in loaded if name.startswith("mineproof.inference.logics.")]
    assert other == []
    twin = {"twin", "twin_analysis", "counting", "elimination", "sampling"}
    assert not {f"mineproof.inference.engine.{name}" for name in twin} & set(loaded)


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
