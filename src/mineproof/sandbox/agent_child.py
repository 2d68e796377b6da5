"""The agent's side of isolation: `python -m mineproof.sandbox.agent_child`.

A module of its own because it is what the agent's process runs. It loads one user's agent under
limits, then answers the messages of the referee's process. It receives
views, never a layout, and a number for its random choices that is not the deal's seed. What the
agent prints goes where this process's standard error goes, a pipe to the referee's process or
nowhere: the pipes of the conversation are moved out of its way first.
"""

from __future__ import annotations

import ctypes
import io
import json
import os
import random
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from mineproof.agents.adapters import AgentSource
from mineproof.agents.agent import (
    Agent,
    AgentFactory,
    AgentWithBegin,
    AgentWithKnowledge,
    as_decision,
)
from mineproof.agents.program import ProgramAgent
from mineproof.board.topology import Topology
from mineproof.errors import AgentFailure, InputError, one_line
from mineproof.rng import Purpose, Stream
from mineproof.rules import Rules
from mineproof.sandbox.process import ParentLink
from mineproof.sandbox.wire import describe_exception, move_of
from mineproof.view.view import View, reveal_codes

_SPARE_CPU_SECONDS = 5
_UNBUFFERED = 2
"""C's `_IONBF`."""


def main() -> None:
    """Serve one referee until it closes the connection."""
    referee = ParentLink()
    _print_at_once()
    server: _Server | None = None
    for line in referee:
        message = json.loads(line)
        if server is None:
            make = _start_program(message) if message["program"] else _load_file(message)
            if isinstance(make, list):
                answer = make
            else:
                server, answer = _Server(make, message["game_seconds"]), ["ready"]
        else:
            answer = server.reply(message)
        _flush()
        referee.answer(json.dumps(answer).encode())


def serve(make: AgentFactory, reads: int, writes: int) -> None:
    """Serve one referee in a fork of its process, for agents that are objects."""
    referee = ParentLink(pipes=(reads, writes))
    server: _Server | None = None
    for line in referee:
        if server is None:
            server, answer = _Server(make), ["ready"]
        else:
            answer = server.reply(json.loads(line))
        _flush()
        referee.answer(json.dumps(answer).encode())


def _start_program(message: dict[str, Any]) -> AgentFactory | list[Any]:
    """Start the agent's program, which plays all games; `missing` if that cannot be done.

    Its supervisor limits its memory: Java and node reserve addresses that they never use.
    """
    try:
        seconds = {name: message[name] for name in ("move_seconds", "game_seconds")}
        player = ProgramAgent(message["program"], message["file"], **seconds)
        return lambda: player
    except InputError as error:
        return ["missing", one_line(str(error))]


def _load_file(message: dict[str, Any]) -> AgentFactory | list[Any]:
    """Import the agent. `missing` if there is none, `failed` if its code fails."""
    _limit_memory(message["memory_mb"])
    try:
        return AgentSource(message["file"], message["name"]).load()
    except InputError as error:
        return ["missing", one_line(str(error))]
    except BaseException as error:
        return ["failed", f"it cannot be imported: {describe_exception(error)}"]


def _print_at_once() -> None:
    """Let every printed line leave at once, of C code too: this process may be killed any time.

    Where nobody listens, lines may wait.
    """
    heard = stat.S_ISFIFO(os.fstat(2).st_mode)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=heard)
    if not heard:
        return
    with suppress(AttributeError, OSError, ValueError):  # where the C library names it otherwise
        library = ctypes.CDLL(None)
        library.setvbuf(ctypes.c_void_p.in_dll(library, "stdout"), None, _UNBUFFERED, 0)


def _flush() -> None:
    """Send what was printed without an end of line, before the answer."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):  # an agent may have closed or replaced them
            stream.flush()


class _Server:
    """Holds the agent and its view between messages."""

    def __init__(self, make: AgentFactory, game_seconds: float | None = None) -> None:
        self._make = make
        self._game_seconds = game_seconds
        self._agent: Agent
        self._view: View

    def reply(self, message: list[Any]) -> list[Any]:
        """Do what a message asks; whatever the agent raises becomes an answer."""
        kind, *rest = message
        try:
            if kind == "begin":
                self._begin(*rest)
                return ["ready"]
            view = self._update_view(*rest)
            if kind == "act":
                return move_of(as_decision(self._agent.act(view), view.topology))
            agent: object = self._agent
            return [
                "text",
                str(agent.knowledge(view)) if isinstance(agent, AgentWithKnowledge) else "",
            ]
        except AgentFailure as error:
            return ["failed", one_line(str(error))]
        except BaseException as error:  # even SystemExit: it is the agent's fault, not the end
            return ["failed", describe_exception(error)]

    def _begin(
        self,
        topology: str,
        rules: str,
        cells: list[int],
        codes: list[int],
        flags: list[int],
        free: list[int],
        number: int,
    ) -> None:
        if self._game_seconds is not None:
            _limit_cpu(self._game_seconds)
        random.seed(number)
        # Agents that use numpy's old global generator must be reproducible too.
        vars(np.random)["seed"](number % 2**32)
        view = View(Topology.parse(topology), Rules.parse(rules))
        if cells:
            view = reveal_codes(view, zip(cells, codes, strict=True))
        self._view = view.with_free(free).with_flags(flags)
        self._agent = self._make()
        if isinstance(self._agent, AgentWithBegin):
            self._agent.begin(self._view, Stream(number, 0, Purpose.AGENT))

    def _update_view(
        self,
        cells: list[int],
        codes: list[int],
        toggled: list[int],
        rules: str | None,
        free: list[int],
    ) -> View:
        """The view after what a message reports."""
        view = self._view
        if rules is not None:
            view = view.with_rules(Rules.parse(rules))
        for cell in toggled:
            view = view.toggle_flag(cell)
        if cells:
            view = reveal_codes(view, zip(cells, codes, strict=True))
        self._view = view = view.with_free(free)
        return view


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
