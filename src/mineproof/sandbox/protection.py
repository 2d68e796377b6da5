"""Which protections from users' agents hold on this system: a confined process tries them all.

`python -m mineproof.sandbox.protection`, confined as an agent would be, is that process. Nothing
that it tries does harm where it succeeds: signal 0, an empty file, a socket that is closed.
"""

from __future__ import annotations

import json
import os
import socket
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mineproof.errors import AgentFailure
from mineproof.sandbox.confinement import Confinement, active_layers, layers_left_out
from mineproof.sandbox.linux import hide_memory
from mineproof.sandbox.process import ChildLost, LineProcess, ParentLink

_PROBE = "mineproof.sandbox.protection"
_SECONDS = 30.0


@dataclass(frozen=True)
class Layer:
    """One protection: whether it holds here, by what, and from what it protects."""

    name: str
    holds: bool
    by: str
    protects_from: str
    important: bool = True


@dataclass(frozen=True)
class Protection:
    """All layers, in the order of how much they matter."""

    layers: tuple[Layer, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """The important layers that do not hold."""
        return tuple(one.name for one in self.layers if one.important and not one.holds)

    @property
    def warning(self) -> str | None:
        """A warning to show before agents are played; None where all important layers hold."""
        if not self.missing:
            return None
        return (
            f"agents are not kept from {', '.join(self.missing)} on this system;"
            " `mineproof check --isolation` says more"
        )

    def to_json(self) -> list[dict[str, Any]]:
        return [dict(vars(one)) for one in self.layers]


def protection() -> Protection:
    """Start a process as an agent's is started, and let it try what an agent should not."""
    with suppress(OSError):
        hide_memory()  # as it is done before agents play
    try:
        child = LineProcess(_PROBE, stranger=Confinement(without=layers_left_out()))
    except (ChildLost, OSError) as error:
        raise AgentFailure(f"no process for agents can be started: {error}") from None
    try:
        held, tried = json.loads(child.ask(str(os.getpid()).encode(), _SECONDS))
    except (ChildLost, TimeoutError, ValueError):
        held, tried = {}, {}
    finally:
        child.end()
    return Protection(_layers(held, tried))


def _layers(held: dict[str, Any], tried: dict[str, bool]) -> tuple[Layer, ...]:
    spaces, landlock = held.get("processes", False), held.get("landlock", 0)
    by_landlock = f"Landlock {landlock}" if landlock else ""
    calls = "a filter of system calls" if held.get("filtered") else ""

    def by(*ways: str) -> str:
        return ", ".join(filter(None, ways)) or "nothing"

    space = "a namespace" if spaces else ""
    return (
        Layer(
            "other processes",
            tried.get("signals", False),
            by(space, by_landlock if landlock >= 6 else "", "" if spaces else calls),
            "killing, stopping or interrupting the run, its workers, the shell",
        ),
        Layer(
            "others' memory",
            tried.get("memory", False),
            by(space, calls),
            "reading the mines or the secret from the referee's process",
        ),
        Layer(
            "reading files",
            tried.get("reading", False),
            by(by_landlock),
            "reading results, the secret of the deals, private files",
        ),
        Layer(
            "writing files",
            tried.get("writing", False),
            by("read-only mounts" if held.get("mounts") else "", by_landlock),
            "changing or deleting files; it may write to memory that is its own",
        ),
        Layer(
            "the network",
            tried.get("network", False),
            by("a namespace" if held.get("network") else "", calls),
            "sending anything anywhere, or asking for it",
        ),
        Layer(
            "memory and processes",
            held.get("watched", False),
            by("a supervisor" if held.get("watched") else ""),
            "filling the memory with many processes, and fork bombs",
        ),
        Layer(
            "staying behind",
            spaces or held.get("watched", False),
            by(space or ("a supervisor" if held.get("watched") else "a search at the end")),
            "daemons that outlive the run, however it ends",
        ),
        Layer(
            "its own limits",
            held.get("limited", False),
            by("rlimits" if held.get("limited") else ""),
            "a process of too much memory, CPU time, open files, or large files",
        ),
        Layer(
            "the environment",
            True,
            by("a list of names"),
            "reading tokens and paths from variables",
        ),
    )


# -- The child: it tries what an agent must not be able to do ------------------


def main() -> None:
    """The child: answer the first line, the number of the referee's process, with what holds."""
    parent = ParentLink()
    referee = int(next(iter(parent)))
    tried = {
        "signals": _fails(lambda: os.kill(referee, 0)),
        "memory": _fails(lambda: Path(f"/proc/{referee}/mem").open("rb").close()),
        "reading": _fails(lambda: next(Path("/etc").iterdir())),
        "writing": _fails(_write),
        "network": _fails(lambda: socket.socket().close()),
    }
    parent.answer(json.dumps([active_layers().to_json(), tried]).encode())


def _fails(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return True
    return False


def _write() -> None:
    """Write to the folder for temporary files that everybody shares."""
    place = Path("/tmp" if os.name == "posix" else tempfile.gettempdir())
    with tempfile.TemporaryFile(dir=place):
        pass


if __name__ == "__main__":
    main()
