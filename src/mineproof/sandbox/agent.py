"""Users' agents, each in a process of its own, with the interface of any other agent.

`make_player` reads what `--agents` accepts: a name of the catalog, `path/to/file.py:Class`, an
entry point of the group `mineproof.agents`, or `command: java Sweeper`, a program in any language.
All but the first run isolated: under limits of time and memory, without access to the layout or the
seed of the deal, and confined in layers, as far as the system has them
(`mineproof.sandbox.confinement`). `mineproof check --isolation` says which hold.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from mineproof.agents.adapters import AgentSource
from mineproof.agents.agent import Action, Agent, AgentFactory, Decision, Guessed, Proved
from mineproof.agents.catalog import make_agent
from mineproof.errors import AgentFailure, AgentTimeout, InputError, as_given, one_line
from mineproof.rng import Stream
from mineproof.sandbox.agent_child import serve
from mineproof.sandbox.confinement import Confinement, layers_left_out
from mineproof.sandbox.linux import hide_memory
from mineproof.sandbox.process import ChildLost, LineProcess
from mineproof.sandbox.wire import OutputCapture, decision_of
from mineproof.view.view import View

_CHILD = "mineproof.sandbox.agent_child"
_MOST_ANSWER = 2**20
_MOST_REASONS = 1_000_000
"""Cells that the reasons of one game may name, all together: a transcript keeps them."""


@dataclass(frozen=True)
class Limits:
    """How long an agent may take to start, for a move and for a game, and the memory it may add."""

    move_seconds: float = 10.0
    game_seconds: float = 120.0
    start_seconds: float = 30.0
    memory_mb: int = 2048

    def __post_init__(self) -> None:
        if min(self.move_seconds, self.game_seconds, self.start_seconds, self.memory_mb) <= 0:
            raise InputError("a limit on an agent is not positive; accepted: more than 0")


def make_player(
    text: str, limits: Limits | None = None, listener: OutputCapture | None = None
) -> Agent:
    """A fresh agent by its text; a user's agent runs isolated, and `listener` hears its prints.

    Raises UnknownName, or InputError for a missing file.
    """
    source = AgentSource.parse(text)
    if source is None:
        return make_agent(text)
    return IsolatedAgent(source, limits if limits is not None else Limits(), listener=listener)


class IsolatedAgent:
    """An agent in a process of its own, which lives for many games.

    Every game gets a new instance of the agent's class. Whatever goes wrong raises AgentFailure,
    and the process is killed with all its children; the next game starts a fresh one. An agent
    that could not even be loaded is not tried again. What it prints is dropped where there is no
    `listener`. It reads the folder of its file; `alone`, nothing there that is not its own.
    """

    lives_on: ClassVar[bool] = False
    """Whether its process survives an exception of the agent."""

    def __init__(
        self,
        source: AgentSource,
        limits: Limits,
        clock: Callable[[], float] = time.monotonic,
        listener: OutputCapture | None = None,
        *,
        alone: bool = False,
    ) -> None:
        self.listener = listener
        self._alone = alone
        self.source = source
        self.limits = limits
        self._clock = clock
        self._process: LineProcess | None = None
        self._unusable: str | None = None
        self._missing = False
        self._fault: str | None = None
        self._spent = 0.0
        self._named = 0
        self._sent: View | None = None
        self._last: Decision | None = None

    @property
    def pid(self) -> int | None:
        """The number of its process, while it runs."""
        return None if self._process is None else self._process.pid

    @property
    def unusable(self) -> str | None:
        """Why it cannot play at all, once that is known."""
        return self._unusable

    def probe(self) -> None:
        """Load the agent now. Raises InputError if there is no such agent."""
        try:
            self._ready()
        except AgentFailure as error:
            if self._missing:
                raise InputError(str(error)) from None

    def prepare(self) -> None:
        """Start the process ahead of the next game; errors are reported in that game."""
        with suppress(AgentFailure):
            self._ready()

    def begin(self, view: View, rng: Stream) -> None:
        if self.listener is not None:
            self.listener.begin()
        self._ready()
        self._spent, self._named = 0.0, 0
        self._fault = None
        self._sent, self._last = view, None
        # A one-way hash: the stream's own state would give away the seed of the deal.
        digest = hashlib.blake2b(rng.next().to_bytes(8, "little"), digest_size=8).digest()
        cells = list(view.opened)
        self._ask(
            [
                "begin",
                view.topology.text,
                view.rules.text,
                cells,
                [view.code(cell) for cell in cells],
                list(view.flags),
                list(view.free),
                int.from_bytes(digest, "little"),
            ],
            "ready",
        )

    def act(self, view: View) -> Decision:
        if self.listener is not None:
            self.listener.next_step()
        answer = self._ask(["act", *self._news(view)], "move")
        try:
            decision = decision_of(answer, len(view))
            self._named += _cells_named(decision)
            if self._named > _MOST_REASONS:
                raise AgentFailure(f"its reasons name more than {_MOST_REASONS} cells in one game")
        except AgentFailure:
            self.close()
            raise
        self._sent, self._last = view, decision
        return decision

    def knowledge(self, view: View) -> str:
        """What the agent says it knows. One that fails at that fails at its next move."""
        try:
            answer = self._ask(["knowledge", *self._news(view)], "text")
        except AgentFailure as error:
            self._fault = str(error)
            return ""
        self._sent = view
        return answer[1] if len(answer) == 2 and isinstance(answer[1], str) else ""

    def close(self) -> None:
        """Kill the process and its children."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def _news(self, view: View) -> tuple[list[int], list[int], list[int], str | None, list[int]]:
        """The arguments of a message: what changed since the view sent last."""
        sent = self._sent
        opened = None if sent is None else view.opened_since(sent)
        if sent is None or opened is None:
            self.close()
            raise AgentFailure("the view is not of the game that was begun")
        toggled = []
        if self._last is not None and self._last.action in (Action.FLAG, Action.UNFLAG):
            cell = self._last.cell
            if cell is not None and view.is_flagged(cell) != sent.is_flagged(cell):
                toggled.append(cell)
        rules = None if view.rules is sent.rules else view.rules.text
        free = [cell for cell in view.free if cell not in sent.free]
        return list(opened), [view.code(cell) for cell in opened], toggled, rules, free

    def _ready(self) -> None:
        """Start the process if there is none."""
        if self._process is not None:
            return
        if self._unusable is not None:
            raise AgentFailure(self._unusable)
        try:
            order = {
                "file": None if (file := self.source.file) is None else str(Path(file).absolute()),
                "name": self.source.name,
                "program": self.source.program(),
                "memory_mb": self.limits.memory_mb,
                "move_seconds": self.limits.move_seconds,
                "game_seconds": self.limits.game_seconds,
            }
            self._process = self._start()
            answer = _exchange(self._process, order, self.limits.start_seconds)
            if answer[0] != "ready":
                self._missing = answer[0] == "missing"
                raise AgentFailure(_message(answer))
        except TimeoutError:
            self._unusable = f"it was not loaded within {self.limits.start_seconds:g} s"
        except AgentFailure as error:
            self._unusable = str(error)
        except InputError as error:  # its agent.toml
            self._unusable, self._missing = str(error), True
        if self._unusable is not None:
            self.close()
            raise AgentFailure(self._unusable)

    def _start(self) -> LineProcess:
        listen = None if self.listener is None else self.listener.hear
        folder = self.source.folder
        with suppress(OSError):
            hide_memory()  # a system without namespaces would let the agent look at the mines
        confinement = Confinement(
            None if self._alone or folder is None else str(folder),
            self.limits.memory_mb,
            layers_left_out(),
            () if folder is None else self._files(folder),
        )
        try:
            return LineProcess(
                _CHILD, stranger=confinement, most=_MOST_ANSWER, listen=listen, clock=self._clock
            )
        except ChildLost as error:
            raise AgentFailure(f"the agent's process {error}") from None

    def _files(self, folder: Path) -> tuple[str, ...]:
        """Its own files: in a folder that is others' too, also data with the name of its file."""
        if programs := self.source.program_files():
            return tuple(map(str, programs))
        file = Path(self.source.file or "").absolute()
        found = [str(file)]
        if self._alone and not file.is_dir():
            stem = file.name.removesuffix(".py")
            found += [
                str(path)
                for path in folder.glob(f"{glob.escape(stem)}.*")
                if path.suffix != ".py" and path.is_file()
            ]
        return tuple(found)

    def _ask(self, message: list[Any], expected: str) -> list[Any]:
        process = self._process
        if process is None:
            raise AgentFailure(self._fault or "the agent has no process; begin a game first")
        left = self.limits.game_seconds - self._spent
        began, failure = self._clock(), None
        try:
            if left <= 0:
                raise TimeoutError
            answer = _exchange(process, message, min(self.limits.move_seconds, left))
            self._spent += self._clock() - began - process.delayed
            if answer[0] != expected:
                failure = AgentFailure(_message(answer))
                if not (self.lives_on and answer[0] == "failed"):
                    raise failure
        except TimeoutError:
            self.close()
            if left < self.limits.move_seconds:
                raise AgentTimeout(
                    f"more than {self.limits.game_seconds:g} s for one game"
                ) from None
            raise AgentTimeout(f"no answer within {self.limits.move_seconds:g} s") from None
        except BaseException:
            self.close()
            raise
        if failure is not None:
            raise failure
        return answer


def _cells_named(decision: Decision) -> int:
    """How many cells the reason of a decision names."""
    reason = decision.reason
    if isinstance(reason, Proved):
        return len(reason.premises.clues)
    return len(reason.cells) if isinstance(reason, Guessed) else 0


def _exchange(process: LineProcess, message: object, seconds: float) -> list[Any]:
    """The answer to a message. Raises AgentFailure, or TimeoutError if none comes in time."""
    try:
        line = process.ask(json.dumps(message).encode(), seconds)
    except ChildLost as error:
        raise AgentFailure(f"the agent's process {error}") from None
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, list) or not answer:
        raise AgentFailure(f"the agent's process sent nonsense: {as_given(line[:60])}")
    return answer


def _message(answer: list[Any]) -> str:
    """The error that an unexpected answer stands for."""
    if answer[0] in ("failed", "missing") and len(answer) == 2 and isinstance(answer[1], str):
        return one_line(answer[1]) or "the agent failed"
    return "the agent's process sent nonsense: an answer to another question"


# ----------------------------------------------------------------------------
# An agent that is an object, in a process of its own: forked from this one before the deal.
#
# Any object works, since nothing is copied but the process itself, and codes go over the pipe,
# never the mines. The object keeps its state from game to game in there; the caller's own does not
# change. Where the system cannot fork, the object plays in this process.


class ForkedAgent(IsolatedAgent):
    """Plays as the object that `make` gives does, which lives in a forked process.

    An exception ends its game. If the process itself is lost, its other games are lost too: a new
    fork could see what this process learned meanwhile.
    """

    lives_on: ClassVar[bool] = True

    def __init__(self, make: AgentFactory, name: str, limits: Limits) -> None:
        super().__init__(AgentSource(None, name), limits)
        self._make = make
        self._started = False

    def _start(self) -> LineProcess:
        if self._started:
            raise AgentFailure("its process ended in an earlier game")
        self._started = True
        with suppress(OSError):
            hide_memory()
        try:
            return LineProcess(partial(serve, self._make), clock=self._clock)
        except (ChildLost, OSError) as error:
            raise AgentFailure(f"the agent's process {error}") from None


@contextmanager
def forked_agents(
    objects: Iterable[tuple[str, AgentFactory]], limits: Limits
) -> Iterator[tuple[tuple[str, AgentFactory], ...]]:
    """Agents that are objects, each in a process that starts now and ends with the `with`."""
    if not hasattr(os, "fork"):
        yield tuple(objects)
        return
    players = [(name, ForkedAgent(make, name, limits)) for name, make in objects]
    try:
        for _, player in players:
            player.prepare()
        yield tuple((name, partial(_itself, player)) for name, player in players)
    finally:
        for _, player in players:
            player.close()


def _itself(player: ForkedAgent) -> ForkedAgent:
    return player
