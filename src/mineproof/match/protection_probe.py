"""The confined side of `protection`: it tries what an agent should not be able to do.

Nothing that it tries does harm where it succeeds: signal 0, an empty file, a socket that is closed.
"""

from __future__ import annotations

import json
import os
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path

from mineproof.processes.confined import held
from mineproof.processes.lines import Parent

__all__ = ["main"]


def main() -> None:
    """Answer the first line, the number of the referee's process, with what holds."""
    parent = Parent()
    referee = int(next(iter(parent)))
    tried = {
        "signals": _fails(lambda: os.kill(referee, 0)),
        "memory": _fails(lambda: Path(f"/proc/{referee}/mem").open("rb").close()),
        "reading": _fails(lambda: next(Path("/etc").iterdir())),
        "writing": _fails(_write),
        "network": _fails(lambda: socket.socket().close()),
    }
    parent.answer(json.dumps([held().to_json(), tried]).encode())


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
