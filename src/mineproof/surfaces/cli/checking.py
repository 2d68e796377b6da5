"""What `mineproof check` does with a report: it prints it, keeps its faults, and says what next."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pathlib import Path

import typer

from mineproof.errors import InputError, quoted
from mineproof.match.check_report import MOST_LISTED, Fault, Report
from mineproof.match.printed import MARK
from mineproof.surfaces.cli.console import print_foreign, print_paragraphs, stdout_console
from mineproof.surfaces.cli.outputs import Output
from mineproof.surfaces.cli.play_options import PlayOptions
from mineproof.surfaces.cli.rules_options import RuleOptions

__all__ = ["FaultFolder", "tell_report"]


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

    def write(self, report: Report) -> None:
        """Write the position of every fault, and every game with one. Raises InputError."""
        games = list(dict.fromkeys(fault.game for fault in report.faults))
        for number, fault in enumerate(report.faults, 1):
            Output("--save", self.position(number)).write(fault.position)
        for number, game in enumerate(games, 1):
            Output("--save", self.game(number)).write(game.text)


def tell_report(
    report: Report, agent: str, rules: RuleOptions, folder: FaultFolder | None, as_json: bool
) -> None:
    """Keep the faults, print the report, and the commands that look into the first fault."""
    if folder is not None:
        folder.write(report)
    if as_json:
        typer.echo(json.dumps(report.to_json()))
        return
    console = stdout_console()

    heard = f"what it printed:\n{report.heard_text}\n\n" if report.heard else ""
    for line in f"{heard}{report.text}".split("\n"):
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
    again = PlayOptions(
        board=game.board, agent=agent, seed=game.seed, index=game.index, rules=rules
    )
    commands = [("see its game again", again.again())]
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
    escaped = text.replace("\\", "\\\\").replace("%", "%%").replace("\n", "\\n")
    return shlex.quote(escaped)
