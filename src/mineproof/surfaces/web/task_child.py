"""A process of `mineproof.surfaces.web.task_processes`: tasks, one by one."""

from __future__ import annotations

import json
import signal
import sys
from contextlib import suppress
from math import ceil

from mineproof.processes.lines import Parent
from mineproof.surfaces.web.tasks import done

__all__ = ["main"]

_MOST_MEMORY = 4 << 30


def main() -> None:
    """Do what each line asks for, until the server is gone."""
    # Whatever else is printed goes to the terminal, not among the answers.
    server = Parent(prints=sys.stderr.fileno())
    _limit_memory()
    for line in server:
        message = json.loads(line)
        _limit_time(message["seconds"])
        answer = json.dumps(done(message), allow_nan=False).encode()
        # Before it is given: who has answered is asked again, and must be there.
        _limit_time(0)
        server.answer(answer)


def _limit_time(seconds: float) -> None:
    """Let the system end this process a little later, in case the server is gone by then."""
    if hasattr(signal, "alarm"):
        signal.alarm(ceil(seconds + 2) if seconds else 0)


def _limit_memory() -> None:
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


if __name__ == "__main__":
    main()
