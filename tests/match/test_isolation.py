"""Agents of others in real processes: whatever they do ends their game only, and is recorded."""

from __future__ import annotations

import os
import secrets
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from mineproof.agents.adapters.source import AgentSource
from mineproof.agents.agent import Agent
from mineproof.board.topology import Topology
from mineproof.errors import AgentFailure, InputError, UnknownName
from mineproof.match.game import play
from mineproof.match.isolation import IsolatedAgent, Limits, make_player
from mineproof.match.isolation_wire import decision_of, move_of
from mineproof.match.outcome import Termination
from mineproof.match.printed import Listener
from mineproof.rng import Purpose, Stream
from mineproof.rules import Mines, Rules
from mineproof.view.view import View
from tests.interrupts import until
from tests.match.strangers import AGENTS

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
        listener: Listener | None = None,
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


class Told(Listener):
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
