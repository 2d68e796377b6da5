"""Ways to run the command: in this process, or as a real one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from mineproof.cli.main import run
from tests.interrupts import PATIENCE


@dataclass(frozen=True)
class Ran:
    """What a command printed and its exit status."""

    status: int
    out: str
    err: str


Command = Callable[..., Ran]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command line in this process."""

    def call(*arguments: str) -> Ran:
        capsys.readouterr()
        status = run(arguments)
        printed = capsys.readouterr()
        return Ran(status, printed.out, printed.err)

    return call


@pytest.fixture
def process() -> Command:
    """Run the command line as a process, with `given` on its standard input."""

    def call(*arguments: str, given: str = "") -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "mineproof", *arguments],
            input=given,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return call
