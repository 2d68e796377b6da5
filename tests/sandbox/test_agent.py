"""Agents of others in real processes: what they do, and what they print, stays in their game."""

from __future__ import annotations

import gc
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.agents.adapters import AgentSource
from mineproof.agents.agent import Agent, Guessed, Proved
from mineproof.board.topology import Topology
from mineproof.errors import AgentFailure, InputError, UnknownName
from mineproof.game.play import play
from mineproof.game.referee import Termination
from mineproof.rng import Purpose, Stream
from mineproof.rules import Mines, Rules
from mineproof.sandbox.agent import ForkedAgent, IsolatedAgent, Limits, make_player
from mineproof.sandbox.wire import OutputCapture, decision_of, move_of
from mineproof.view.view import View
from tests.interrupts import until
from tests.lab.processes import alive, descendants
from tests.sandbox.strangers import AGENTS

# ----------------------------------------------------------------------------
# Agents of others in real processes: whatever they do ends their game only, and is recorded.

PATIENT = Limits(move_seconds=120.0, game_seconds=600.0, start_seconds=120.0, memory_mb=256)
HASTY = Limits(move_seconds=1.0)


Clock = Callable[[], float]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("agents")
    (path / "many.py").write_text(AGENTS.replace("\\\\n", "\\n"))
    (path / "broken.py").write_text("import no_such_module_anywhere\n")
    (path / "syntax.py").write_text("class Mine:\n  def act(self view): pass\n")
    (path / "empty.py").write_text("")
    (path / "slow.py").write_text("import time\nprint('once')\ntime.sleep(600)\n")
    (path / "sister.py").write_text("CELL = 0\n")
    (path / "random.py").write_text(
        "import sister\n"
        "import random\n"
        "class Mine:\n"
        "    def act(self, view):\n"
        "        return random.choice([c for c in view.hidden if c >= sister.CELL])\n"
    )
    return path


@pytest.fixture
def agent(folder: Path) -> Iterator[Callable[..., IsolatedAgent]]:
    """Makes agents of the folder and ends their processes."""
    made: list[IsolatedAgent] = []

    def make(
        name: str,
        limits: Limits = PATIENT,
        clock: Clock = time.monotonic,
        listener: OutputCapture | None = None,
    ) -> IsolatedAgent:
        source = AgentSource.parse(str(folder / name))
        assert source is not None
        made.append(IsolatedAgent(source, limits, clock, listener))
        return made[-1]

    yield make
    for player in made:
        player.close()


WITHOUT = ("", "namespaces", "namespaces,landlock", "namespaces,landlock,filter,supervisor")
"""The layers that are left out: none, and all that some system lacks."""


def marked(mark: str) -> set[int]:
    """The processes of strangers that run now, with a mark in their environment."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (
                folder.name != str(os.getpid())
                and mark.encode() in (folder / "environ").read_bytes()
            ):
                found.add(int(folder.name))
    return found


def gone(pid: int) -> bool:
    """Whether a process ends (a zombie has ended); a minute is the end of patience."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
            os.kill(pid, 0)
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.02)
    return False


FAULTS = {
    "many.py:Raises": "ValueError: boom and more (many.py line",
    "many.py:Hangs": "no answer within 1 s",
    "many.py:Eats": "MemoryError",
    "many.py:Opened": "is open already",
    "many.py:Nonsense": "accepted: a Decision, a cell number or coordinates",
    "many.py:Nothing": "accepted: a Decision, a cell number or coordinates",
    "many.py:Off": "7,700",
    "many.py:Exits": "ended with status 7",
    "many.py:SysExits": "SystemExit: good bye",
    "many.py:Killed": "killed by SIGKILL",
    "many.py:Forges": "sent more than one answer",
    "many.py:Floods": "longer than",
    "many.py:Strange": "KeyError: 'never made'",
    "many.py:NoAct": "class NoAct has no method `act`",
    "many.py:Nope": "unknown class 'Nope'",
    "many.py": "several agents; add one of :First, :Random",
    "broken.py": "cannot be imported: ModuleNotFoundError",
    "syntax.py:Mine": "cannot be imported: SyntaxError",
    "empty.py": "no class with a method `act`",
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_ends_the_game_with_its_reason(
    agent: Callable[..., IsolatedAgent], name: str
) -> None:
    player = agent(name, HASTY if name == "many.py:Hangs" else PATIENT)
    game = play("beginner", player, seed=1)
    assert game.outcome.termination is Termination.FAILED
    assert FAULTS[name] in game.outcome.note
    assert "\n" not in game.outcome.note
    if name != "many.py:Opened":  # the referee refused that one: its process is well
        assert player.pid is None


def test_an_exception_is_placed_in_the_agents_own_file(
    agent: Callable[..., IsolatedAgent], folder: Path
) -> None:
    lines = (folder / "many.py").read_text().splitlines()
    line = lines.index("    return random.choice([])") + 1
    note = play("beginner", agent("many.py:FallsFar"), seed=1).outcome.note
    assert note.endswith(f"(many.py line {line})")


def test_after_a_fault_the_next_game_has_a_fresh_process(
    agent: Callable[..., IsolatedAgent],
) -> None:
    player = agent("many.py:Killed")
    ends = [play("beginner", player, seed=1, index=index).outcome for index in range(3)]
    assert {end.note for end in ends} == {"the agent's process was killed by SIGKILL"}


def test_a_process_killed_from_outside_is_replaced(agent: Callable[..., IsolatedAgent]) -> None:
    player = agent("many.py:First")
    play("beginner", player, seed=1)
    before = player.pid
    assert before is not None
    os.kill(before, signal.SIGKILL)
    assert gone(before)
    assert play("beginner", player, seed=1).outcome.note == (
        "the agent's process was killed by SIGKILL"
    )
    assert play("beginner", player, seed=1).outcome.termination is not Termination.FAILED
    assert player.pid not in (None, before)


@pytest.mark.parametrize("without", WITHOUT)
def test_the_process_dies_with_all_its_children(
    agent: Callable[..., IsolatedAgent], without: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINEPROOF_WITHOUT", without)
    monkeypatch.setenv("MINEPROOF_TEST", mark := secrets.token_hex(8))
    game = play("beginner", agent("many.py:Spawns"), seed=1)
    assert "RuntimeError: done" in game.outcome.note
    until(lambda: not marked(mark))


def test_closing_ends_the_process(agent: Callable[..., IsolatedAgent]) -> None:
    player = agent("many.py:First")
    play("beginner", player, seed=1)
    pid = player.pid
    assert pid is not None
    player.close()
    assert gone(pid)


def test_an_agent_that_is_let_go_leaves_no_process(folder: Path) -> None:
    player = make_player(str(folder / "many.py:First"), PATIENT)
    assert isinstance(player, IsolatedAgent)
    player.prepare()
    pid = player.pid
    assert pid is not None
    del player
    assert gone(pid)


class Told(OutputCapture):
    """A clock that shows what an agent printed last."""

    time = 0.0
    heard = b""

    def hear(self, data: bytes) -> None:
        self.heard += data
        with suppress(ValueError, IndexError):
            self.time = float(self.heard.split()[-1])


def test_the_time_of_a_whole_game_is_limited(agent: Callable[..., IsolatedAgent]) -> None:
    told = Told()
    limits = Limits(move_seconds=1.0, game_seconds=0.5)
    player = agent("many.py:Slow", limits, lambda: told.time, told)
    game = play("20x20/0", player, seed=1, cascade="off")
    assert game.outcome.note == "more than 0.5 s for one game"
    assert len(game.steps) == 1


def test_an_import_that_hangs_is_tried_once(agent: Callable[..., IsolatedAgent]) -> None:
    told = Told()
    # Its time is over when the import hangs, however long the process took to get there.
    player = agent("slow.py:Mine", Limits(start_seconds=0.5), lambda: len(told.heard), told)
    for index in range(20):
        game = play("beginner", player, seed=1, index=index)
        assert game.outcome.note == "it was not loaded within 0.5 s"
    assert told.heard.split() == [b"once"]


def test_an_isolated_agent_sees_the_views_the_referee_shows(
    agent: Callable[..., IsolatedAgent],
) -> None:
    class First:
        def act(self, view: View) -> int:
            return view.hidden[0]

    for index in range(3):
        isolated = play("16x16/20", agent("many.py:First"), seed=5, index=index)
        assert isolated.steps == play("16x16/20", First(), seed=5, index=index).steps


@pytest.mark.parametrize("name", ["many.py:Random", "many.py:Own", "random.py"])
def test_chance_comes_from_the_agent_seed(agent: Callable[..., IsolatedAgent], name: str) -> None:
    games = [
        play("beginner", agent(name), seed=1, agent_seed=agent_seed).steps
        for agent_seed in (1, 1, 2)
    ]
    assert games[0] == games[1] != games[2]


def test_the_number_for_chance_gives_the_seed_away_in_no_simple_way(
    agent: Callable[..., IsolatedAgent], folder: Path
) -> None:
    (folder / "tells.py").write_text(
        "from mineproof import Decision\n"
        "class Mine:\n"
        "    def begin(self, view, rng):\n"
        "        self.heard = repr((view.rules.text, rng.next()))\n"
        "    def act(self, view):\n"
        "        return Decision.stop(self.heard)\n"
    )
    heard = play("beginner", agent("tells.py"), seed=123456789).outcome.note
    assert "123456789" not in heard
    for stream in (Stream(123456789, 0, purpose) for purpose in Purpose):
        assert not any(str(stream.next()) in heard for _ in range(4))


def test_reasons_flags_and_knowledge_come_through(agent: Callable[..., IsolatedAgent]) -> None:
    player = agent("many.py:Reasons")
    game = play("4x4/3", player, seed=1)
    assert [game.step_text(n, step) for n, step in enumerate(game.steps, 1)][:3] == [
        "1 flag 0,0 proved: by-hand",
        "2 flag 0,1 proved: by-hand",
        game.step_text(3, game.steps[2]),
    ]
    assert "guessed: left-to-right among 3 risk 0.5 of 0,2" in game.step_text(3, game.steps[2])
    assert type(game).parse(game.text) == game


def test_knowledge_is_asked_about_the_view_at_hand(agent: Callable[..., IsolatedAgent]) -> None:
    player = agent("many.py:Reasons")
    view = View(Topology.parse("3x3"), Rules(mines=Mines.number(2)))
    player.begin(view, Stream(1))
    assert player.knowledge(view) == "0 flags"
    for flags in (1, 2):
        decision = player.act(view)
        assert decision.cell is not None
        view = view.toggle_flag(decision.cell)
        assert player.knowledge(view) == f"{flags} flags"
    view = view.reveal({8: 1})
    assert player.act(view).cell == 2
    assert agent("many.py:First").knowledge(view) == ""


def test_failing_to_tell_is_failing_to_move(
    agent: Callable[..., IsolatedAgent], folder: Path
) -> None:
    (folder / "mute.py").write_text(
        "class Mute:\n"
        "    def act(self, view):\n        return 0\n"
        "    def knowledge(self, view):\n        raise LookupError('nothing')\n"
    )
    player = agent("mute.py")
    view = View(Topology.parse("3x3"), Rules(mines=Mines.number(2)))
    player.begin(view, Stream(1))
    assert player.knowledge(view) == ""
    with pytest.raises(AgentFailure, match="LookupError: nothing"):
        player.act(view)


@pytest.mark.parametrize(
    "message",
    [
        ["move"],
        ["move", "dance", 0, None],
        ["move", "open", -1, None],
        ["move", "open", True, None],
        ["move", "open", 0, ["proved", "x", [99], False]],
        ["move", "open", 0, ["proved", "x"]],
        ["move", "open", 0, ["guessed", "x", -1, 0.5, []]],
        ["move", "open", 0, ["why"]],
        ["move", "open", 0, 7],
        ["move", [], {}, None],
    ],
    ids=str,
)
def test_hostile_messages_are_refused(message: list[object]) -> None:
    with pytest.raises(AgentFailure):
        decision_of(message, 9)


@pytest.mark.parametrize("risk", [10**400, -(10**400), float("inf"), float("nan"), True, "0.5"])
def test_a_risk_that_is_none_is_not_kept(risk: object) -> None:
    decision = decision_of(["move", "open", 0, ["guessed", "x", 1, risk, [0, 0, 1]]], 9)
    assert isinstance(decision.reason, Guessed)
    assert decision.reason.risk == (1.0 if risk is True else None)
    assert decision.reason.cells == (0, 1)


def test_a_risk_as_large_as_no_float_ends_no_run(
    agent: Callable[..., IsolatedAgent], folder: Path
) -> None:
    (folder / "huge.py").write_text(
        "from mineproof import Decision, Guessed\n"
        "class Mine:\n"
        "    def act(self, view):\n"
        "        return Decision.open(view.hidden[0], Guessed('x', 1, 10**400))\n"
    )
    assert play("5x5/4", agent("huge.py"), seed=1).outcome.termination is not Termination.FAILED


def test_what_a_game_keeps_of_an_agents_reasons_is_bounded(
    agent: Callable[..., IsolatedAgent], folder: Path
) -> None:
    """Flags that come and go, each "proved" by every cell, many times: 8 GB, if all were kept."""
    (folder / "wordy.py").write_text(
        "from mineproof import Decision, Proved\n"
        "from mineproof.agents import Premises\n"
        "class Mine:\n"
        "    def act(self, view):\n"
        "        cells = tuple(range(len(view))) * 2\n"
        "        make = Decision.unflag if view.is_flagged(0) else Decision.flag\n"
        "        return make(0, Proved('x', Premises(cells)))\n"
    )
    game = play("250x250/600", agent("wordy.py"), seed=1)
    assert game.outcome.note == "its reasons name more than 1000000 cells in one game"
    kept = [step.decision.reason for step in game.steps]
    assert sum(len(one.premises.clues) for one in kept if isinstance(one, Proved)) <= 1_000_000


def test_decisions_survive_the_wire() -> None:
    game = play("beginner", "single-point", seed=3)
    for step in game.steps:
        assert decision_of(move_of(step.decision), len(game.topology)) == step.decision


def test_a_name_that_nothing_has() -> None:
    with pytest.raises(UnknownName, match="did you mean single-point"):
        make_player("single-poin")
    with pytest.raises(InputError, match="is not there"):
        make_player("no/such/file.py:Mine")
    with pytest.raises(InputError, match="not positive"):
        Limits(move_seconds=0)


def test_an_entry_point_is_an_agent(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    info = site / "somebody-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "somebody.py").write_text((folder / "many.py").read_text())
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: somebody\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[mineproof.agents]\nsomebody-first = somebody:First\n")
    monkeypatch.syspath_prepend(site)
    monkeypatch.setenv("PYTHONPATH", str(site))
    assert AgentSource.parse("somebody-first") == AgentSource(None, "somebody-first")
    player: Agent = make_player("somebody-first", PATIENT)
    assert isinstance(player, IsolatedAgent)
    assert play("beginner", player, seed=1).steps
    player.close()


# ----------------------------------------------------------------------------
# What agents in processes of their own print: it is heard at its step, and disturbs nothing.

PRINTING_AGENTS = """
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


Make = Callable[..., IsolatedAgent]


@pytest.fixture
def printing_agent(tmp_path: Path) -> Iterator[Make]:
    """Makes agents and ends their processes."""
    file = tmp_path / "prints.py"
    file.write_text(PRINTING_AGENTS.replace("\\\\n", "\\n"))
    made: list[IsolatedAgent] = []

    def make(
        name: str, limits: Limits = PATIENT, listener: OutputCapture | None = None
    ) -> IsolatedAgent:
        made.append(IsolatedAgent(AgentSource(str(file), name), limits, listener=listener))
        return made[-1]

    yield make
    for player in made:
        player.close()


def test_everything_that_is_printed_is_heard_at_its_step(printing_agent: Make) -> None:
    listener = OutputCapture()
    player = printing_agent("Prints", listener=listener)
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
    printing_agent: Make, name: str, heard: str, note: str
) -> None:
    listener = OutputCapture()
    game = play("4x4/2", printing_agent(name, HASTY, listener=listener), seed=1)
    assert note in game.outcome.note
    assert listener.at(1).lines[0] == heard
    assert len(listener.at(1).lines) <= 100
    assert bool(listener.at(1).left_out) == (name == "Endless")


@pytest.mark.parametrize("heard", [True, False])
@pytest.mark.parametrize("name", ["Much", "Closes"])
def test_printing_neither_blocks_nor_reaches_the_wire(
    printing_agent: Make, name: str, heard: bool
) -> None:
    listener = OutputCapture() if heard else None
    game = play("4x4/2", printing_agent(name, listener=listener), seed=1)
    assert game.steps == play("4x4/2", printing_agent("First"), seed=1).steps
    if listener is not None and name == "Much":
        kept = len("\n".join(listener.at(1).lines))
        assert kept + listener.at(1).left_out == 50_000 * 101


# ----------------------------------------------------------------------------
# Objects as agents: in a process of their own, forked before the deal.

ROOT = Path(__file__).parents[2]
UNHURRIED = Limits(move_seconds=600.0, game_seconds=3600.0, start_seconds=600.0)


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
    player = ForkedAgent(lambda: mine, "Counts", UNHURRIED)
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
        "from tests.sandbox.test_agent import UNHURRIED, First, Peeks\n"
        "found = mp.compare([Peeks(), 'random'], '5x5/4', games=4, seed=1, limits=UNHURRIED)\n"
        "assert found.results[0].failures == (), found.results[0].failures\n"
        "assert found.secret is not None\n"
        "given = {'games': 4, 'seed': 1, 'limits': UNHURRIED, 'secret': found.secret}\n"
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
    found = mp.compare([Raises(), Dies], "4x4/2", games=3, seed=1, limits=UNHURRIED)
    raises, dies = found.results
    assert [count for _, count in raises.failures] == [3]
    assert "ValueError: no" in raises.failures[0][0]
    assert dict(dies.failures) == {
        "failed: the agent's process ended with status 3": 1,
        "failed: its process ended in an earlier game": 2,
    }


def test_nothing_of_an_object_is_left_behind() -> None:
    before = descendants(os.getpid())
    mp.compare([Spawns()], "4x4/2", games=1, seed=1, limits=UNHURRIED)
    until(lambda: not any(map(alive, descendants(os.getpid()) - before)))


def test_a_secret_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="hexadecimal"):
        mp.compare(["random"], "4x4/2", games=1, secret="abc")
