"""The agent's side of isolation: `python -m mineproof.match.isolation_child`.

Loads one user's agent under limits, then answers the messages of the referee's process. It receives
views, never a layout, and a number for its random choices that is not the deal's seed. What the
agent prints is dropped: the pipes to the referee are moved out of its way first.
"""

from __future__ import annotations

import json
import random
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from mineproof.agents.adapters.source import AgentSource
from mineproof.agents.agent import Agent, AgentFactory, Beginner, Knowing, as_decision
from mineproof.board.topology import Topology
from mineproof.errors import AgentFailure, InputError
from mineproof.match.isolation_wire import move_of, one_line
from mineproof.processes.lines import Parent
from mineproof.rng import Purpose, Stream
from mineproof.rules import Rules
from mineproof.view.view import View

__all__ = ["main"]

_SPARE_CPU_SECONDS = 5
_PACKAGE = Path(__file__).parents[1]


def main() -> None:
    """Serve one referee until it closes the connection."""
    referee = Parent()
    server: _Server | None = None
    for line in referee:
        message = json.loads(line)
        if server is None:
            _limit_memory(message["memory_mb"])
            server = _Server(AgentSource(message["file"], message["name"]), message["game_seconds"])
            answer = server.load()
        else:
            answer = server.reply(message)
        referee.answer(json.dumps(answer).encode())


class _Server:
    """Holds the agent and its view between messages."""

    def __init__(self, source: AgentSource, game_seconds: float) -> None:
        self._source = source
        self._game_seconds = game_seconds
        self._make: AgentFactory
        self._agent: Agent
        self._view: View

    def load(self) -> list[Any]:
        """Import the agent. `missing` if there is none, `failed` if its code fails."""
        try:
            self._make = self._source.load()
        except InputError as error:
            return ["missing", one_line(str(error))]
        except BaseException as error:
            return ["failed", f"it cannot be imported: {_told(error)}"]
        return ["ready"]

    def reply(self, message: list[Any]) -> list[Any]:
        """Do what a message asks; whatever the agent raises becomes an answer."""
        kind, *rest = message
        try:
            if kind == "begin":
                self._begin(*rest)
                return ["ready"]
            view = self._seen(*rest)
            if kind == "act":
                return move_of(as_decision(self._agent.act(view), view.topology))
            agent: object = self._agent
            return ["text", str(agent.knowledge(view)) if isinstance(agent, Knowing) else ""]
        except AgentFailure as error:
            return ["failed", one_line(str(error))]
        except BaseException as error:  # even SystemExit: it is the agent's fault, not the end
            return ["failed", _told(error)]

    def _begin(
        self,
        topology: str,
        rules: str,
        cells: list[int],
        codes: list[int],
        flags: list[int],
        number: int,
    ) -> None:
        _limit_cpu(self._game_seconds)
        random.seed(number)
        # Agents that use numpy's old global generator must be reproducible too.
        vars(np.random)["seed"](number % 2**32)
        view = View(Topology.parse(topology), Rules.parse(rules))
        if cells:
            view = view.reveal_codes(zip(cells, codes, strict=True))
        self._view = view.with_flags(flags)
        self._agent = self._make()
        if isinstance(self._agent, Beginner):
            self._agent.begin(self._view, Stream(number, 0, Purpose.AGENT))

    def _seen(
        self, cells: list[int], codes: list[int], toggled: list[int], rules: str | None
    ) -> View:
        """The view after what a message reports."""
        view = self._view
        if rules is not None:
            view = view.with_rules(Rules.parse(rules))
        for cell in toggled:
            view = view.toggle_flag(cell)
        if cells:
            view = view.reveal_codes(zip(cells, codes, strict=True))
        self._view = view
        return view


def _told(error: BaseException) -> str:
    """An exception in one line: its type, its text and where in the agent's code it arose."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if _PACKAGE not in Path(frame.filename).parents and "importlib" not in frame.filename
    ]
    place = f" ({Path(frames[-1].filename).name} line {frames[-1].lineno})" if frames else ""
    return one_line(f"{type(error).__name__}: {error}"[:150].removesuffix(": ")) + place


def _limit_memory(megabytes: int) -> None:
    """Limit the address space to what is mapped now plus this much, and write no core files."""
    try:
        import resource
    except ImportError:  # not a POSIX system: the limits on time still hold
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    mapped = 0
    with suppress(OSError):
        mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    limit = mapped + megabytes * 2**20
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _limit_cpu(seconds: float) -> None:
    """Let the system end an agent that spins on after its referee is gone."""
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime + seconds) + _SPARE_CPU_SECONDS
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


if __name__ == "__main__":
    main()
