"""What agents in processes of their own print: it is heard at its step, and disturbs nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mineproof.agents.adapters.source import AgentSource
from mineproof.match.game import play
from mineproof.match.isolation import IsolatedAgent, Limits
from mineproof.match.outcome import Termination
from mineproof.match.printed import Listener

AGENTS = """
import ctypes, os, subprocess, sys

class First:
    def act(self, view):
        return view.hidden[0]

class Prints:
    def begin(self, view, rng):
        print("begun")
    def act(self, view):
        sys.stdout.write("no end")
        print(" of line", file=sys.stderr)
        os.write(1, b"by number 1\\n")
        os.write(2, b"by number 2\\n")
        subprocess.run(["echo", "by a child"])
        ctypes.CDLL(None).puts(b"by C")
        return view.hidden[0]

class PrintsAndHangs:
    def act(self, view):
        print("about to hang")
        while True:
            pass

class PrintsAndDies:
    def act(self, view):
        print("about to die")
        os._exit(3)

class Endless:
    def act(self, view):
        while True:
            print("spam " * 20)

class Much:
    def act(self, view):
        for _ in range(50_000):
            print("spam " * 20)
        return view.hidden[0]

class Closes:
    def act(self, view):
        if sys.stderr is not None:
            sys.stdout.close()
            os.close(2)
            sys.stderr = None
        return view.hidden[0]
"""

PATIENT = Limits(move_seconds=120.0, game_seconds=600.0, start_seconds=120.0, memory_mb=256)
HASTY = Limits(move_seconds=1.0)

Make = Callable[..., IsolatedAgent]


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Make]:
    """Makes agents and ends their processes."""
    file = tmp_path / "prints.py"
    file.write_text(AGENTS.replace("\\\\n", "\\n"))
    made: list[IsolatedAgent] = []

    def make(
        name: str, limits: Limits = PATIENT, listener: Listener | None = None
    ) -> IsolatedAgent:
        made.append(IsolatedAgent(AgentSource(str(file), name), limits, listener=listener))
        return made[-1]

    yield make
    for player in made:
        player.close()


def test_everything_that_is_printed_is_heard_at_its_step(
    agent: Make,
) -> None:
    listener = Listener()
    player = agent("Prints", listener=listener)
    game = play("4x4/2", player, seed=1)
    assert game.outcome.termination is not Termination.FAILED
    lines = ("no end of line", "by number 1", "by number 2", "by a child", "by C")
    assert listener.at(0).lines == ("begun",)
    assert set(listener.steps) == set(range(len(game.steps) + 1))
    assert {listener.at(n).lines for n in range(1, len(game.steps) + 1)} == {lines}


@pytest.mark.parametrize(
    ("name", "heard", "note"),
    [
        ("PrintsAndHangs", "about to hang", "no answer within 1 s"),
        ("PrintsAndDies", "about to die", "ended with status 3"),
        ("Endless", "spam " * 19 + "spam ", "no answer within 1 s"),
    ],
)
def test_what_is_printed_before_the_end_is_heard(
    agent: Make, name: str, heard: str, note: str
) -> None:
    listener = Listener()
    game = play("4x4/2", agent(name, HASTY, listener=listener), seed=1)
    assert note in game.outcome.note
    assert listener.at(1).lines[0] == heard
    assert len(listener.at(1).lines) <= 100
    assert bool(listener.at(1).left_out) == (name == "Endless")


@pytest.mark.parametrize("heard", [True, False])
@pytest.mark.parametrize("name", ["Much", "Closes"])
def test_printing_neither_blocks_nor_reaches_the_wire(agent: Make, name: str, heard: bool) -> None:
    listener = Listener() if heard else None
    game = play("4x4/2", agent(name, listener=listener), seed=1)
    assert game.steps == play("4x4/2", agent("First"), seed=1).steps
    if listener is not None and name == "Much":
        kept = len("\n".join(listener.at(1).lines))
        assert kept + listener.at(1).left_out == 50_000 * 101
