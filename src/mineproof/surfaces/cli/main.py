"""The command `mineproof`: the list of its commands, and the one place where they are run.

A command lives in the module of its name beside this one, as a function `command`. Its module is
imported only when it is asked for, and heavy libraries only inside the function, so that
`mineproof --help` stays quick.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

import mineproof
from mineproof.surfaces.cli.exits import exit_status

__all__ = ["COMMANDS", "main", "run"]

COMMANDS = {
    "solve": "Give the exact chance of a mine in every hidden cell.",
    "explain": "Say why a cell is certain, or show that it is not.",
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
    "puzzle": "Solve static puzzles by backtracking; count the nodes.",
    "optimal": "Give the exact chance of best play on a small board.",
    "long-chain": "Look for a board with a long chain of influence.",
    "bench": "Print the signature: one number for all behaviour.",
    "coach": "Play, see the chances and ask why, in the browser.",
}
"""Every command with its line of `--help`; a new command is a new line and a new module."""

_BEGIN = (
    "Begin with `mineproof coach`, or `mineproof play --board beginner --agent exact`."
    " `mineproof COMMAND --help` lists a command's options."
)


def main() -> None:
    """Run the command line and leave with its exit status."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status; errors are one line on stderr."""
    return exit_status(lambda: _invoke(list(arguments) or ["--help"]))


def _invoke(arguments: list[str]) -> int:
    chosen = next((word for word in arguments if not word.startswith("-")), None)
    # Typer's own way of running an app would print errors in its own form.
    command = typer.main.get_command(_app(chosen))
    with command.make_context("mineproof", arguments) as context:
        status = command.invoke(context)
    return status if isinstance(status, int) else 0


def _app(chosen: str | None) -> typer.Typer:
    """The app; only the chosen command is loaded, the others are only listed."""
    app = typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback(help="Minesweeper, proved.", epilog=_BEGIN)(_root)
    for name, summary in COMMANDS.items():
        if name == chosen:
            from mineproof.surfaces.cli.help_panels import PanelledCommand

            app.command(name, cls=PanelledCommand)(_load(name))
        else:
            app.command(name, help=summary)(_not_loaded)
    return app


def _load(name: str) -> Callable[..., object]:
    module = importlib.import_module(f"{__package__}.{name.replace('-', '_')}")
    command: Callable[..., object] = module.command
    return command


def _not_loaded() -> None:
    """Placeholder in the list for a command that was not asked for."""


def _show_version(asked: bool) -> None:
    if asked:
        from mineproof import kernel

        typer.echo(f"mineproof {mineproof.__version__}, {kernel.describe()}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_show_version,
            is_eager=True,
            help="Show the version and the core in use.",
        ),
    ] = False,
) -> None:
    pass
