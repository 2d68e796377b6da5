"""The options of `mineproof play`: what each does, and which go together."""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from mineproof.errors import InputError, quoted
from mineproof.surfaces.cli.options import PLAYED, SHOWN, WRITTEN, board_option, json_option
from mineproof.surfaces.cli.play_files import FileOptions
from mineproof.surfaces.cli.rules_options import RuleOptions

if TYPE_CHECKING:
    from mineproof.board.worlds import World

__all__ = ["HUMAN", "PlayOptions"]

HUMAN = "human"
DEFAULT_BOARD = "expert"


@dataclass(frozen=True)
class PlayOptions:
    """The options of `play`, as given. Raises InputError if two do not go together."""

    board: Annotated[str | None, board_option(PLAYED)] = None
    worlds: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Play a named world of this file.", rich_help_panel=PLAYED
        ),
    ] = None
    world: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which world.", rich_help_panel=PLAYED)
    ] = None
    agent: Annotated[
        str,
        typer.Option(
            metavar="AGENT",
            help="Such as sat (see `mineproof agents`), file.py:Class, or human.",
            rich_help_panel=PLAYED,
        ),
    ] = "single-point"
    seed: Annotated[
        int, typer.Option(metavar="N", help="The seed of the deal.", rich_help_panel=PLAYED)
    ] = 0
    agent_seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The seed of the agent's choices.  [default: the seed]",
            rich_help_panel=PLAYED,
        ),
    ] = None
    index: Annotated[
        int,
        typer.Option(
            metavar="N", help="The index of the game under its seed.", rich_help_panel=PLAYED
        ),
    ] = 0
    rules: RuleOptions = field(default_factory=RuleOptions)
    step: Annotated[
        bool,
        typer.Option(
            "--step",
            help="Wait for Enter before each move; show the knowledge.",
            rich_help_panel=SHOWN,
        ),
    ] = False
    boards: Annotated[
        bool | None,
        typer.Option(
            "--boards/--no-boards",
            help="Print the board after every step.  [default: for worlds]",
            rich_help_panel=SHOWN,
        ),
    ] = None
    proofs: Annotated[
        bool,
        typer.Option(
            "--proofs", help="Give the proof of every proved move.", rich_help_panel=SHOWN
        ),
    ] = False
    chain: Annotated[
        bool,
        typer.Option(
            "--chain",
            help="Print the longest chain of influence of the game.",
            rich_help_panel=SHOWN,
        ),
    ] = False
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Show only the end.", rich_help_panel=SHOWN)
    ] = False
    live: Annotated[
        bool | None,
        typer.Option(
            "--live/--no-live",
            help="Redraw the board in place.  [default: on a terminal, without --boards]",
            rich_help_panel=SHOWN,
        ),
    ] = None
    delay: Annotated[
        float,
        typer.Option(
            metavar="SECONDS", help="Pause between moves of a live game.", rich_help_panel=SHOWN
        ),
    ] = 0.03
    mines_as: Annotated[
        str | None,
        typer.Option(
            metavar="CHAR",
            help="Draw flags and mines as this character, such as X.",
            rich_help_panel=SHOWN,
        ),
    ] = None
    as_json: Annotated[bool, json_option(WRITTEN)] = False
    files: FileOptions = field(default_factory=FileOptions)

    def __post_init__(self) -> None:
        self._check_shown()
        if self.proofs and self.agent == HUMAN:
            raise InputError("--proofs explains an agent's moves; accepted: any agent but human")
        if self.proofs and self.quiet and not self.files.any_moves:
            raise InputError("--quiet shows no proofs; accepted: with --transcript FILE")
        if not (math.isfinite(self.delay) and 0 <= self.delay <= 60):
            raise InputError(f"--delay {self.delay:g}; accepted: 0 to 60 seconds")
        mark = self.mines_as
        if mark is not None and (
            len(mark) != 1 or not mark.isprintable() or mark.isspace() or mark.isdigit()
        ):
            raise InputError(
                f"--mines-as {quoted(mark)}; accepted: one character that is no digit, such as X"
            )

    def _check_shown(self) -> None:
        """Raises InputError where ways to show the game do not go together."""
        shown = self.step or self.agent == HUMAN
        silent = "--json" if self.as_json else "--quiet" if self.quiet else None
        if shown and silent:
            asked = "--step" if self.step else "--agent human"
            raise InputError(f"{asked} needs the board shown; accepted: without {silent}")
        if self.step and self.agent == HUMAN:
            raise InputError("--step waits for an agent's move; accepted: any agent but human")
        if self.live and (shown or silent):
            raise InputError(
                "--live shows the whole game; accepted: without --step, --json, --quiet"
            )
        if self.boards and (shown or silent or self.live):
            raise InputError(
                "--boards prints the board after every step; accepted: without --step, --json,"
                " --quiet, --live and --agent human"
            )
        if self.mines_as is not None and self.as_json:
            raise InputError("--mines-as draws a board; accepted: without --json")

    @property
    def moves_are_told(self) -> bool:
        """Whether anyone reads the reasons of the moves."""
        return not self.quiet or self.as_json or self.files.any_moves

    @property
    def with_boards(self) -> bool:
        """Whether the board is printed after every step: for worlds unless told otherwise."""
        return self.worlds is not None if self.boards is None else self.boards

    def chosen(self) -> str | World:
        """The board's name or the world that is played. Raises InputError."""
        if self.worlds is None:
            if self.world is not None:
                raise InputError(
                    "--world needs a file of worlds; accepted: --worlds FILE --world NAME"
                )
            return DEFAULT_BOARD if self.board is None else self.board
        if self.board is not None:
            raise InputError("--board and --worlds are given; accepted: one of them")
        from mineproof.board.worlds import find_world, read_worlds

        worlds = read_worlds(self.worlds)
        if self.world is None:
            names = ", ".join(world.name for world in worlds[:8])
            more = ", ..." if len(worlds) > 8 else ""
            raise InputError(f"--worlds needs --world; accepted: {names}{more}")
        return find_world(worlds, self.world)

    def again(self) -> str:
        """The command that shows the same game again."""
        words = ["mineproof", "play"]
        if self.worlds is not None:
            words += ["--worlds", self.worlds, "--world", str(self.world)]
        else:
            words += ["--board", self.board or DEFAULT_BOARD]
        words += ["--agent", self.agent, "--seed", str(self.seed)]
        if self.index:
            words += ["--index", str(self.index)]
        if self.agent_seed is not None:
            words += ["--agent-seed", str(self.agent_seed)]
        for name, value in self.rules.said.items():
            words += [f"--{name.replace('_', '-')}", value]
        return shlex.join(words)
