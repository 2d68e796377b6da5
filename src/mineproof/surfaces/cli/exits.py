"""Exit statuses: the one place that turns what happened into a line on stderr and a number.

| status | meaning |
|---|---|
| 0 | good |
| 1 | a check failed |
| 2 | malformed input |
| 3 | contradictory position or unsolvable puzzle |
| 4 | budget exceeded |
| 130 | interrupted |
| 141 | the reader of the output went away |
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress

import typer

from mineproof.errors import (
    BudgetExceeded,
    InconsistentPosition,
    InputError,
    MineproofError,
    one_line,
    quoted,
)

__all__ = ["FAILED", "INTERRUPTED", "exit_status"]

FAILED = 1
MALFORMED = 2
CONTRADICTORY = 3
OVER_BUDGET = 4
INTERRUPTED = 130
CLOSED_PIPE = 141
_LONGEST_WORD = 80
_UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}
"""What a write to standard output may end with; every other file has a name in its error."""

_STATUSES: tuple[tuple[type[MineproofError], int], ...] = (
    (InputError, MALFORMED),
    (InconsistentPosition, CONTRADICTORY),
    (BudgetExceeded, OVER_BUDGET),
    (MineproofError, FAILED),
)


def exit_status(work: Callable[[], int]) -> int:
    """Do the work; return its status, or that of the error it ended with, printed in one line."""
    if sys.stdin is None:
        os.open(os.devnull, os.O_RDONLY)  # or the next file opened would be standard input
    if sys.stdout is None:
        _say("standard output is closed; accepted: a terminal, a pipe or a file")
        return MALFORMED
    try:
        status = _status_of(work)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return CLOSED_PIPE
    except OSError as error:
        if error.errno not in _UNWRITABLE:
            raise
        _drop_output()
        reason = error.strerror
        _say(f"standard output cannot be written: {reason}; accepted: a terminal, a pipe or a file")
        return MALFORMED
    return status


def _status_of(work: Callable[[], int]) -> int:
    """The status of the work. Raises OSError where standard output cannot be written."""
    try:
        return work()
    except typer.Exit as left:
        return left.exit_code
    except MineproofError as error:
        _say(str(error))
        return next(status for kind, status in _STATUSES if isinstance(error, kind))
    except (KeyboardInterrupt, typer.Abort) as interrupt:
        _say(str(interrupt) or "interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None:
            raise  # of standard output
        name, reason = quoted(str(error.filename)), error.strerror
        _say(f"{name} cannot be used: {reason}; accepted: another file")
        return MALFORMED
    except Exception as error:
        message = _usage_message(error)
        if message is None:
            raise
        _say(message)
        return MALFORMED


def _drop_output() -> None:
    """What is still buffered has no reader: drop it silently."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _usage_message(error: Exception) -> str | None:
    """The line of a usage error of the command line; None for any other error.

    Typer bundles click or uses the installed one, depending on its version. The errors of both have
    this method.
    """
    format_message = getattr(error, "format_message", None)
    if format_message is None:
        return None
    message = str(format_message())
    context = getattr(error, "ctx", None)
    if context is not None:
        message = f"{message.rstrip()} (see {context.command_path} --help)"
    return message


def _say(message: str) -> None:
    """Print one line on stderr, if there is one: printable, and no word longer than a line."""
    if sys.stderr is None:
        return
    words = (one_line(word, _LONGEST_WORD) for word in message.split())
    with suppress(OSError):
        print("mineproof:", *words, file=sys.stderr, flush=True)
