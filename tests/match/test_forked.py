"""Objects as agents: in a process of their own, forked before the deal."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.errors import InputError
from mineproof.match.forked import ForkedAgent
from mineproof.match.game import play
from mineproof.match.isolation import Limits
from mineproof.view.view import View
from tests.interrupts import until
from tests.lab.processes import alive, descendants

ROOT = Path(__file__).parents[2]
PATIENT = Limits(move_seconds=600.0, game_seconds=3600.0, start_seconds=600.0)


class Counts:
    """Says in which process it is, and how many games it has begun there."""

    def __init__(self) -> None:
        self.games = 0
        self.kept = lambda: self  # what could not be pickled

    def begin(self, view: View, rng: object) -> None:
        self.games += 1

    def act(self, view: View) -> mp.Decision:
        return mp.Decision.stop(f"{self.games} {os.getpid()}")


class Peeks:
    """Looks for the referee and the secret wherever it can, and fails if it finds them."""

    def act(self, view: View) -> int:
        frame = sys._getframe()
        while frame is not None:
            assert "referee" not in frame.f_locals or not hasattr(
                frame.f_locals["referee"], "view"
            ), "SEEN in a frame"
            frame = frame.f_back  # type: ignore[assignment]
        for one in gc.get_objects():
            kind = type(one).__name__
            assert kind != "Referee", "SEEN among the objects"
            assert kind != "Experiment" or one.secret is None, "SEEN the secret"
        return view.hidden[0]


class First:
    """Plays as `Peeks` does, and looks nowhere."""

    def act(self, view: View) -> int:
        return view.hidden[0]


class Raises:
    def act(self, view: View) -> int:
        raise ValueError("no")


class Dies:
    def act(self, view: View) -> int:
        os._exit(3)


class Spawns:
    def act(self, view: View) -> int:
        subprocess.Popen(["sleep", "1000000"], start_new_session=True)
        return view.hidden[0]


def test_an_object_lives_on_from_game_to_game_in_another_process() -> None:
    mine = Counts()
    player = ForkedAgent(lambda: mine, "Counts", PATIENT)
    try:
        notes = [play("4x4/2", player, seed=1, index=n).outcome.note for n in range(3)]
    finally:
        player.close()
    assert [note.split()[0] for note in notes] == ["1", "2", "3"]
    assert mine.games == 0


def test_an_object_sees_neither_the_referee_nor_the_secret() -> None:
    """In a process of its own: this one holds referees and secrets of other tests."""
    program = (
        "import mineproof as mp\n"
        "from tests.match.test_forked import PATIENT, First, Peeks\n"
        "found = mp.compare([Peeks(), 'random'], '5x5/4', games=4, seed=1, limits=PATIENT)\n"
        "assert found.results[0].failures == (), found.results[0].failures\n"
        "assert found.secret is not None\n"
        "given = {'games': 4, 'seed': 1, 'limits': PATIENT, 'secret': found.secret}\n"
        "again = mp.compare([First()], '5x5/4', **given)\n"
        "rows = [row.opened for row in found.rows if row.agent == 'Peeks']\n"
        "assert [row.opened for row in again.rows] == rows\n"
        "peeks = mp.compare([Peeks()], '5x5/4', **given)\n"
        "assert 'SEEN' in peeks.results[0].failures[0][0]\n"  # whoever gives the secret holds it
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


def test_an_exception_costs_a_game_and_a_lost_process_the_rest() -> None:
    found = mp.compare([Raises(), Dies], "4x4/2", games=3, seed=1, limits=PATIENT)
    raises, dies = found.results
    assert [count for _, count in raises.failures] == [3]
    assert "ValueError: no" in raises.failures[0][0]
    assert dict(dies.failures) == {
        "failed: the agent's process ended with status 3": 1,
        "failed: its process ended in an earlier game": 2,
    }


def test_nothing_of_an_object_is_left_behind() -> None:
    before = descendants(os.getpid())
    mp.compare([Spawns()], "4x4/2", games=1, seed=1, limits=PATIENT)
    until(lambda: not any(map(alive, descendants(os.getpid()) - before)))


def test_a_secret_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="hexadecimal"):
        mp.compare(["random"], "4x4/2", games=1, secret="abc")
