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

import os
import sys
from collections.abc import Callable

import typer

from mineproof.errors import BudgetExceeded, InconsistentPosition, InputError, MineproofError

__all__ = ["FAILED", "INTERRUPTED", "exit_status"]

FAILED = 1
MALFORMED = 2
CONTRADICTORY = 3
OVER_BUDGET = 4
INTERRUPTED = 130
CLOSED_PIPE = 141

_STATUSES: tuple[tuple[type[MineproofError], int], ...] = (
    (InputError, MALFORMED),
    (InconsistentPosition, CONTRADICTORY),
    (BudgetExceeded, OVER_BUDGET),
    (MineproofError, FAILED),
)


def exit_status(work: Callable[[], int]) -> int:
    """Do the work; return its status, or that of the error it ended with, printed in one line."""
    try:
        status = work()
        sys.stdout.flush()
    except typer.Exit as left:
        return left.exit_code
    except MineproofError as error:
        _say(str(error))
        return next(status for kind, status in _STATUSES if isinstance(error, kind))
    except (KeyboardInterrupt, typer.Abort) as interrupt:
        _say(str(interrupt) or "interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # What is still buffered has no reader: drop it silently.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE
    except Exception as error:
        message = _usage_message(error)
        if message is None:
            raise
        _say(message)
        return MALFORMED
    return status


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
    print("mineproof:", " ".join(message.split()), file=sys.stderr)
