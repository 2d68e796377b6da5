"""Which way `play` shows a game: only its end, live in place, or one line per move."""

from __future__ import annotations

from mineproof.board.presets import PRESETS, Board
from mineproof.board.topology import Topology
from mineproof.board.worlds import World
from mineproof.surfaces.cli.console import stdout_console
from mineproof.surfaces.cli.play_options import HUMAN, PlayOptions
from mineproof.surfaces.cli.show import LinesShow, LiveShow, QuietShow, Show, fits

__all__ = ["choose_show"]


def choose_show(options: PlayOptions, chosen: str | World) -> Show:
    """The show of this game: live on a terminal that it fits, unless it waits for answers."""
    console, title = stdout_console(), _title(options, chosen)
    if options.quiet:
        return QuietShow(console, title)
    live = options.live
    if live is None:
        live = console.is_terminal and fits(console, _topology(chosen))
    if live and not options.step and options.agent != HUMAN:
        return LiveShow(console, title, options.delay)
    return LinesShow(console, title)


def _title(options: PlayOptions, chosen: str | World) -> str:
    if isinstance(chosen, World):
        board = f"world {chosen.name}"
    elif chosen in PRESETS:
        board = f"{chosen} ({Board.parse(chosen).text})"
    else:
        board = chosen
    seed = f"seed {options.seed}" + (f", game {options.index}" if options.index else "")
    return f"{board}, {options.agent}, {seed}"


def _topology(chosen: str | World) -> Topology:
    return chosen.layout.topology if isinstance(chosen, World) else Board.parse(chosen).topology
