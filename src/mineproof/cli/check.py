"""`mineproof check`: an agent plays, every step is checked, and every fault is listed."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click
from rich import box
from rich.table import Table

from mineproof.cli.console import StatusLine, print_foreign, print_paragraphs, stdout_console
from mineproof.cli.declarations import Argument, Option
from mineproof.cli.main import FAILED
from mineproof.cli.options import AsJson, LimitOptions, OutputFile, RuleOptions
from mineproof.cli.play import GameOptions, PlayOptions
from mineproof.errors import InputError, quoted
from mineproof.game.check import MOST_LISTED, SMALL_BOARDS, Fault, SoundnessReport, check
from mineproof.sandbox.protection import protection
from mineproof.sandbox.wire import MARK, OutputCapture

# Most agents that people write know only rows and columns; other boards are played on request.
_PLAIN_BOARDS = ("square:5x5/4", "square:4x7/6", "square:9x9/10")


def command(
    agent: Annotated[
        str | None,
        Argument(
            metavar="[AGENT]",
            help="A name that `mineproof agents` lists, path/to/file.py:Class, or 'command: java"
            " Sweeper'.",
        ),
    ] = None,
    board: Annotated[
        list[str] | None,
        Option(
            metavar="BOARD",
            help="May be repeated.  [default: small boards, of squares for an agent from a file]",
        ),
    ] = None,
    games: Annotated[int, Option(metavar="N", help="Games per board.")] = 20,
    seed: Annotated[int, Option(metavar="N", help="The seed of the deals.")] = 0,
    as_json: AsJson = False,
    save: Annotated[
        str | None,
        Option(metavar="FOLDER", help="Keep the position of every fault, and its game, in files."),
    ] = None,
    isolation: Annotated[
        bool, Option("--isolation", help="Say what agents from files are kept from on this system.")
    ] = False,
    *,
    limits: LimitOptions,
    rules: RuleOptions,
) -> int:
    """Play games, check every step and list the agent's faults, the first with its position.

    A fault is a step called proved that is not, or not by the clues it names, a wrong flag, an
    illegal move, an exception or a time-out. Whatever the agent claims, its moves are also compared
    with what was certain, and with what each logic proves in the same positions. The exit status is
    1 if there is a fault, and 2 if there is no such agent.
    """
    from mineproof.sandbox.agent import IsolatedAgent, Limits, make_player

    if isolation:
        return tell_isolation(as_json)
    if agent is None:
        raise InputError("no agent is named; accepted: AGENT, or --isolation")
    player = make_player(agent, Limits(**limits.given_limits), OutputCapture())
    isolated = isinstance(player, IsolatedAgent)
    boards = board or (_PLAIN_BOARDS if isolated else SMALL_BOARDS)
    folder = None if save is None else FaultFolder(Path(save))
    report: SoundnessReport | None = None
    try:
        if isinstance(player, IsolatedAgent):
            player.probe()
            warn_of_isolation()
        with StatusLine() as status:

            def watch(so_far: SoundnessReport) -> None:
                nonlocal report
                report = so_far
                status.update(f"{so_far.games} of {games * len(boards)} games")

            report = check(
                lambda: player,
                name=agent,
                boards=boards,
                games=games,
                seed=seed,
                rules=rules.words,
                watch=watch,
                thorough=True,
            )
    except KeyboardInterrupt:
        if report is None:
            raise
        tell_report(report, agent, rules, folder, as_json)
        raise KeyboardInterrupt(
            f"interrupted after {report.games} of {games * len(boards)} games"
        ) from None
    finally:
        if isinstance(player, IsolatedAgent):
            player.close()
    tell_report(report, agent, rules, folder, as_json)
    return 0 if report.passed else FAILED


# ----------------------------------------------------------------------------
# What `mineproof check` does with a report: it prints it, keeps its faults, and says what next.


@dataclass(frozen=True)
class FaultFolder:
    """The folder of `--save`, made at once, so that no game is played that cannot be kept.

    `fault-001.txt` is the position of the first fault, `game-001.txt` the first game with a fault.
    """

    path: Path

    def __post_init__(self) -> None:
        try:
            self.path.mkdir(exist_ok=True)
        except (OSError, ValueError):
            raise InputError(
                f"--save {quoted(str(self.path))} cannot be made; accepted: a folder, or a new one"
                " in an existing folder"
            ) from None

    def position(self, number: int) -> str:
        return str(self.path / f"fault-{number:03}.txt")

    def game(self, number: int) -> str:
        return str(self.path / f"game-{number:03}.txt")

    def write(self, report: SoundnessReport) -> None:
        """Write the position of every fault, and every game with one. Raises InputError."""
        games = list(dict.fromkeys(fault.game for fault in report.faults))
        for number, fault in enumerate(report.faults, 1):
            OutputFile("--save", self.position(number)).write(fault.position)
        for number, game in enumerate(games, 1):
            OutputFile("--save", self.game(number)).write(game.text)


def tell_report(
    report: SoundnessReport,
    agent: str,
    rules: RuleOptions,
    folder: FaultFolder | None,
    as_json: bool,
) -> None:
    """Keep the faults, print the report, and the commands that look into the first fault."""
    if folder is not None:
        folder.write(report)
    if as_json:
        click.echo(json.dumps(report.to_json()))
        return
    console = stdout_console()

    printed = f"what it printed:\n{report.heard_text}\n\n" if report.heard else ""
    for line in f"{printed}{report.text}".split("\n"):
        if line.startswith(MARK.rstrip()):
            print_foreign(console, [line], MARK)
        else:
            print_paragraphs(console, line)
    if report.fault is not None:
        for what, command in _commands(report.fault, agent, rules, folder):
            print_paragraphs(console, f"{what}:")
            console.print(f"  {command}", soft_wrap=True)
        if folder is not None:
            kept = f"{folder.position(1)} and on, the games {folder.game(1)} and on"
            print_paragraphs(console, f"every fault is kept: {kept}")
        elif len(report.faults) > MOST_LISTED:
            print_paragraphs(
                console, "every fault: --json lists them, --save FOLDER keeps their positions"
            )


def _commands(
    fault: Fault, agent: str, rules: RuleOptions, folder: FaultFolder | None
) -> list[tuple[str, str]]:
    """What to type to look into a fault; it works when it is copied."""
    game = fault.game
    played = GameOptions(board=game.board, agent=agent, seed=game.seed, index=game.index)
    again = PlayOptions(game=played, rules=rules).command_line()
    commands = [("see its game again", again)]
    if folder is not None:
        review = f"mineproof review {shlex.quote(folder.game(1))}"
        commands.append(("what its moves gave away", review))
    if fault.cell is not None:
        cell = f"--cell {game.topology.cell_name(fault.cell)}"
        if folder is None:
            command = f"printf {_printf(fault.position)} | mineproof explain - {cell}"
        else:
            command = f"mineproof explain {shlex.quote(folder.position(1))} {cell}"
        commands.insert(0, ("what can be said of that cell", command))
    return commands


def _printf(text: str) -> str:
    """A text as the format of the shell's printf, in one line."""
    # The format of printf gives both signs a meaning.
    escaped = text.replace("\\", "\\\\").replace("%", "%%").replace("\n", "\\n")
    return shlex.quote(escaped)


# -- What agents from files are kept from here: the table of `check --isolation`, and a warning --


def tell_isolation(as_json: bool) -> int:
    """Print every layer; the exit status is 1 if an important one does not hold."""
    found = protection()
    status = FAILED if found.missing else 0
    if as_json:
        click.echo(json.dumps({"isolation": found.to_json(), "missing": list(found.missing)}))
        return status
    console = stdout_console()
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 2, 0, 0))
    table.add_column("kept from", style="bold")
    table.add_column("holds")
    table.add_column("by")
    table.add_column("protects from")
    for layer in found.layers:
        table.add_row(layer.name, "yes" if layer.holds else "NO", layer.by, layer.protects_from)
    console.print(table)
    print_paragraphs(
        console,
        "Every line was tried in a process such as an agent gets. It is no promise against faults"
        " of the system's kernel.",
    )
    return status


def warn_of_isolation() -> None:
    """Say in one line on stderr if something important does not hold."""
    if (warning := protection().warning) is not None:
        print(f"mineproof: {warning}", file=sys.stderr)
