"""The options of `mineproof play`: what each does, and which go together."""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from mineproof.errors import InputError
from mineproof.surfaces.cli.options import AsJson, BoardName
from mineproof.surfaces.cli.rules_options import RuleOptions

if TYPE_CHECKING:
    from mineproof.board.worlds import World

__all__ = ["HUMAN", "PlayOptions"]

HUMAN = "human"
DEFAULT_BOARD = "expert"


@dataclass(frozen=True)
class PlayOptions:
    """The options of `play`, as given. Raises InputError if two do not go together."""

    board: BoardName = None
    worlds: Annotated[
        str | None, typer.Option(metavar="FILE", help="Play a named world of this file.")
    ] = None
    world: Annotated[str | None, typer.Option(metavar="NAME", help="Which world.")] = None
    agent: Annotated[
        str,
        typer.Option(
            metavar="AGENT", help="Such as sat (see `mineproof agents`), file.py:Class, or human."
        ),
    ] = "single-point"
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the deal.")] = 0
    agent_seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="The seed of the agent's choices.  [default: the seed]"),
    ] = None
    index: Annotated[
        int, typer.Option(metavar="N", help="The index of the game under its seed.")
    ] = 0
    step: Annotated[
        bool, typer.Option("--step", help="Wait for Enter before each move; show the knowledge.")
    ] = False
    as_json: AsJson = False
    transcript: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the game as a transcript, for review.")
    ] = None
    proofs: Annotated[
        bool, typer.Option("--proofs", help="Give the proof of every proved move.")
    ] = False
    chain: Annotated[
        bool, typer.Option("--chain", help="Print the longest chain of influence of the game.")
    ] = False
    svg: Annotated[
        str | None,
        typer.Option("--svg", metavar="FILE", help="With --chain: draw the chain with arrows."),
    ] = None
    quiet: Annotated[bool, typer.Option("--quiet", help="Show only the end.")] = False
    live: Annotated[
        bool | None,
        typer.Option(
            "--live/--no-live", help="Redraw the board in place.  [default: on a terminal]"
        ),
    ] = None
    delay: Annotated[
        float, typer.Option(metavar="SECONDS", help="Pause between moves of a live game.")
    ] = 0.03
    rules: RuleOptions = field(default_factory=RuleOptions)

    def __post_init__(self) -> None:
        shown = self.step or self.agent == HUMAN
        if shown and (self.as_json or self.quiet):
            asked = "--step" if self.step else "--agent human"
            silent = "--json" if self.as_json else "--quiet"
            raise InputError(f"{asked} needs the board shown; accepted: without {silent}")
        if self.step and self.agent == HUMAN:
            raise InputError("--step waits for an agent's move; accepted: any agent but human")
        if self.live and (shown or self.as_json or self.quiet):
            raise InputError(
                "--live shows the whole game; accepted: without --step, --json, --quiet"
            )
        if self.proofs and self.agent == HUMAN:
            raise InputError("--proofs explains an agent's moves; accepted: any agent but human")
        if self.proofs and self.quiet and self.transcript is None:
            raise InputError("--quiet shows no proofs; accepted: with --transcript FILE")
        if self.svg is not None and not self.chain:
            raise InputError("--svg draws a chain of influence; accepted: with --chain")
        if not (math.isfinite(self.delay) and 0 <= self.delay <= 60):
            raise InputError(f"--delay {self.delay:g}; accepted: 0 to 60 seconds")

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
        for name, value in self.rules.words.items():
            if value is not None:
                words += [f"--{name.replace('_', '-')}", value]
        return shlex.join(words)
