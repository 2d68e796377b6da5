"""The command `mineproof`: the list of its commands, and the one place where they are run.

A command lives in the module of its name beside this one, as a function `command`. Its module is
imported only when it is asked for, and heavy libraries only inside the function, so that
`mineproof --help` stays quick.
"""

from __future__ import annotations

import errno
import importlib
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

import click

import mineproof
from mineproof.errors import (
    BudgetExceeded,
    InconsistentPosition,
    InputError,
    MineproofError,
    UnknownName,
    one_line,
    quoted,
)

COMMANDS = {
    "solve": "Give the exact chance of a mine in every hidden cell.",
    "explain": "Say why a cell is certain, or show that it is not.",
    "read": "Read a board from a picture.",
    "check-proof": "Check what explain wrote, without any logic.",
    "generate": "Make boards that need no guess.",
    "check-certificate": "Check that a board needs no guess, without any engine.",
    "rate": "Rate how hard a position or a board is.",
    "play": "Play one game and show every step with its reason.",
    "show": "Print the position after a step of a game.",
    "review": "Say what every move of a game gave away.",
    "agents": "List the agents.",
    "compare": "Let agents play the same games and count their wins.",
    "reproduce": "Reproduce the tables and figures of the five reports.",
    "dataset": "Write positions of games with exact labels, as Parquet.",
    "sql": "Query the rows of an experiment in SQL.",
    "transcript": "Print a game of an experiment, move by move.",
    "check": "Play games and list every fault of an agent.",
    "puzzles": "Make puzzles that teach a pattern, from games.",
    "tasks": "Write tasks for language models, with exact answers.",
    "arena": "Let a language model play tasks over HTTP.",
    "puzzle": "Solve static puzzles by backtracking; count the nodes.",
    "course": "Show an assignment: agents, worlds, questions, points.",
    "grade": "Grade a class: the same secret games, a page each.",
    "optimal": "Give the exact chance of best play on a small board.",
    "long-chain": "Look for a board with a long chain of influence.",
    "bench": "Print the signature: one number for all behaviour.",
    "coach": "Play, see the chances and ask why, in the browser.",
    "mcp": "Give a language model the coach's tools (MCP).",
}
"""Every command with its line of `--help`; a new command is a new line and a new module."""

_BEGIN = (
    "Begin with `mineproof coach`, or `mineproof play --board beginner --agent exact`."
    " `mineproof COMMAND --help` lists a command's options."
)


_COMPLETE = "_MINEPROOF_COMPLETE"
"""The variable by which a shell asks for the words that would go on; see docs/commands.md."""


def main() -> None:
    """Run the command line and leave with its exit status."""
    if asked := os.environ.get(_COMPLETE):
        from click.shell_completion import shell_complete

        sys.exit(shell_complete(commands(), {}, "mineproof", _COMPLETE, asked))
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status; errors are one line on stderr."""
    return exit_status(lambda: _invoke(list(arguments) or ["--help"]))


def _invoke(arguments: list[str]) -> int:
    # Click's own way of running a command would print errors in its own form.
    with commands().make_context("mineproof", arguments) as context:
        status = context.command.invoke(context)
    return status if isinstance(status, int) else 0


class CommandGroup(click.Group):
    """All commands; a command's module is loaded when it is chosen, the others are only listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            if ctx.resilient_parsing:
                return None  # a word that is still being typed
            raise UnknownName("command", cmd_name, COMMANDS)
        from mineproof.cli.declarations import click_command

        module = importlib.import_module(f"{__package__}.{cmd_name.replace('-', '_')}")
        return click_command(cmd_name, module.command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def commands() -> click.Group:
    """The command `mineproof`."""
    return CommandGroup(
        "mineproof",
        help="Minesweeper, proved.",
        epilog=_BEGIN,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        params=[
            click.Option(
                ["--version"],
                is_flag=True,
                expose_value=False,
                is_eager=True,
                callback=_show_version,
                help="Show the version and the core in use.",
            )
        ],
    )


def _show_version(ctx: click.Context, option: click.Parameter, asked: bool) -> None:
    if asked:
        from mineproof import kernel

        click.echo(f"mineproof {mineproof.__version__}, {kernel.describe()}")
        ctx.exit()


# -- Exit statuses: the one place that turns what happened into a line on stderr and a number --

FAILED = 1  # a check failed
MALFORMED = 2  # malformed input
CONTRADICTORY = 3  # contradictory position or unsolvable puzzle
OVER_BUDGET = 4  # budget exceeded
# Shells give 128 plus the number of the signal: SIGINT, SIGPIPE.
INTERRUPTED = 130
CLOSED_PIPE = 141  # the reader of the output went away
_LONGEST_WORD = 80
_NO_NUMBER = re.compile(r"(?P<value>'.*') is not a valid (?P<kind>integer|float)\.", re.DOTALL)
"""What click says of a value that is no number."""
_UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}
"""Errors of a write to standard output; the error of any other file names the file."""

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
        sys.stdout.flush()  # at the exit of Python, an error could no longer become a status
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
    except click.exceptions.Exit as left:
        return left.exit_code
    except MineproofError as error:
        _say(str(error))
        return next(status for kind, status in _STATUSES if isinstance(error, kind))
    except (KeyboardInterrupt, click.Abort) as interrupt:
        _say(str(interrupt) or "interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        raise  # an OSError too, but `exit_status` has a status for it
    except OSError as error:
        if error.filename is None:
            raise  # of standard output
        name, reason = quoted(str(error.filename)), error.strerror
        _say(f"{name} cannot be used: {reason}; accepted: another file")
        return MALFORMED
    except click.ClickException as error:
        _say(_usage_message(error))
        return MALFORMED


def _drop_output() -> None:
    """Drop what is still buffered, silently: nobody reads it."""
    # Python flushes once more at its exit, and would print an error.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _usage_message(error: click.ClickException) -> str:
    """The line of a usage error of the command line."""
    message = error.format_message()
    if isinstance(error, click.BadParameter) and (wrong := _NO_NUMBER.fullmatch(error.message)):
        accepted = "a whole number" if wrong["kind"] == "integer" else "a number"
        hint = error.param.get_error_hint(error.ctx) if error.param and error.ctx else "value"
        message = f"{hint} {wrong['value']}; accepted: {accepted}"
    if isinstance(error, click.UsageError) and error.ctx is not None:
        message = f"{message.rstrip()} (see {error.ctx.command_path} --help)"
    return message


def _say(message: str) -> None:
    """Print one line on stderr, if there is one: printable, and no word longer than a line."""
    if sys.stderr is None:
        return  # closed, as by 2>&-
    words = (one_line(word, _LONGEST_WORD) for word in message.split())
    with suppress(OSError):
        print("mineproof:", *words, file=sys.stderr, flush=True)
