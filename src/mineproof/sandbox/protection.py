"""Which protections from users' agents hold on this system: a confined process tries them all.

`python -m mineproof.sandbox.protection`, confined as an agent would be, is that process. Nothing
that it tries does harm where it succeeds: signal 0, a file made for this, a socket that is closed.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mineproof.errors import AgentFailure
from mineproof.sandbox.confinement import Confinement, active_layers, layers_left_out
from mineproof.sandbox.linux import hide_memory, processes_below
from mineproof.sandbox.process import ChildLost, LineProcess, ParentLink

_PROBE = "mineproof.sandbox.protection"
_SECONDS = 30.0
_PATIENCE = 2.0


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
    with tempfile.TemporaryDirectory() as folder:
        foreign = Path(folder) / "foreign"
        foreign.write_text("private", encoding="ascii")
        try:
            child = LineProcess(_PROBE, stranger=Confinement(without=layers_left_out()))
        except (ChildLost, OSError) as error:
            raise AgentFailure(f"no process for agents can be started: {error}") from None
        try:
            named = json.dumps([os.getpid(), str(foreign)]).encode()
            held, tried = json.loads(child.ask(named, _SECONDS))
            tried["turns"] = _stands_still(child)
        except (ChildLost, TimeoutError, ValueError):
            held, tried = {}, {}
        finally:
            child.end()
    return Protection(_layers(held, tried))


def _stands_still(child: LineProcess) -> bool:
    """Whether a process that is busy stops once it has answered."""
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        below = processes_below(child.pid)
        above = {int(fields[1]) for fields in below.values()}
        last = [fields[0] for process, fields in below.items() if process not in above]
        if last and set(last) == {"T"}:
            return True
        time.sleep(0.01)
    return False


def _layers(held: dict[str, Any], tried: dict[str, bool]) -> tuple[Layer, ...]:
    spaces, landlock = held.get("processes", False), held.get("landlock", 0)
    by_landlock = f"Landlock {landlock}" if landlock else ""
    calls = "a filter of system calls" if held.get("filtered") else ""

    def by(*ways: str) -> str:
        return ", ".join(filter(None, ways)) or "nothing"

    space = "a namespace" if spaces else ""
    supervisor = "a supervisor" if held.get("watched") else ""
    view = "a view of its own" if held.get("view") else ""
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
            by(space, calls, "memory marked unreadable"),
            "reading the mines or the secret from the referee's process",
        ),
        Layer(
            "reading files",
            tried.get("reading", False),
            by(view, by_landlock),
            "reading results, the secret of the deals, private files, other agents",
        ),
        Layer(
            "writing files",
            tried.get("writing", False),
            by("read-only mounts" if held.get("mounts") else "", by_landlock, calls),
            "changing or deleting files and their rights; it may write to memory that is its own",
        ),
        Layer(
            "the system",
            tried.get("system", False),
            by("a read-only /proc" if held.get("mounts") else "", by_landlock, "no capabilities"),
            "changing settings of the system or its name, taking rights of root",
        ),
        Layer(
            "the network",
            tried.get("network", False),
            by("a namespace" if held.get("network") else "", calls),
            "sending anything anywhere, or asking for it",
        ),
        Layer(
            "messages",
            tried.get("messages", False),
            by(calls),
            "telling other agents something by locks and watches on files",
        ),
        Layer(
            "memory and processes",
            bool(supervisor) and tried.get("hoarding", False),
            by(supervisor, calls),
            "filling the memory with many processes or what no limit counts, and fork bombs",
        ),
        Layer(
            "others' turns",
            tried.get("turns", False),
            by("a supervisor" if tried.get("turns") else ""),
            "computing while another agent plays",
        ),
        Layer(
            "staying behind",
            spaces or bool(supervisor),
            by(space or supervisor or "a search at the end"),
            "daemons that outlive the run, however it ends",
        ),
        Layer(
            "its own limits",
            tried.get("limits", False),
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
    """The child: answer the first line, a process and a file that are not its own."""
    parent = ParentLink()
    referee, name = json.loads(next(iter(parent)))
    foreign = Path(name)
    library = ctypes.CDLL(None, use_errno=True)
    name_here = os.uname().nodename.encode()
    tried = {
        "signals": _fail(lambda: os.kill(referee, 0)),
        "memory": _fail(lambda: Path(f"/proc/{referee}/mem").open("rb").close()),
        "reading": _fail(foreign.read_bytes),
        "writing": _fail(
            lambda: foreign.chmod(0o644),
            lambda: os.utime(foreign),
            lambda: foreign.open("ab").close(),
            lambda: foreign.rename(f"{foreign}.moved"),
            lambda: tempfile.TemporaryFile(dir=foreign.parent).close(),
        ),
        "system": _is_powerless()
        and _fail(
            lambda: Path("/proc/sys/kernel/core_pattern").open("r+b", buffering=0).close(),
            lambda: _call(library.sethostname, name_here, len(name_here)),
        ),
        "network": _fail(lambda: socket.socket().close()),
        "messages": _fail(lambda: _lock(Path(__file__)), lambda: _call(library.inotify_init)),
        "hoarding": _fail(
            lambda: os.close(os.memfd_create("none")),
            lambda: _call(library.shmctl, _call(library.shmget, 0, 4096, 0o600), 0, None),
            lambda: mmap.mmap(-1, 4096).close(),
        ),
        "limits": _fail(_raise_limit),
    }
    threading.Thread(target=_never_rest, daemon=True).start()
    parent.answer(json.dumps([active_layers().to_json(), tried]).encode())
    for _ in parent:
        pass


def _fail(*attempts: Callable[[], object]) -> bool:
    """Whether all of these fail."""
    for attempt in attempts:
        try:
            attempt()
        except (OSError, ValueError, ImportError, AttributeError):
            continue
        return False
    return True


def _call(function: Callable[..., int], *arguments: object) -> int:
    found = function(*arguments)
    if found < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return found


def _is_powerless() -> bool:
    """Whether it has no capabilities, and no program that it starts can get any."""
    lines = Path("/proc/self/status").read_text(errors="replace").split("\n")
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    return (
        all(not int(fields[f"Cap{kind}"], 16) for kind in ("Inh", "Prm", "Eff", "Amb"))
        and fields["NoNewPrivs"].strip() == "1"
    )


def _lock(path: Path) -> None:
    """Lock a file that every agent may read."""
    import fcntl

    with path.open("rb") as file:
        fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)


def _raise_limit() -> None:
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most + 1, most + 1))


def _never_rest() -> None:
    while True:
        pass


if __name__ == "__main__":
    main()
