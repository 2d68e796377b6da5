"""Which way `play` shows a game: only its end, live in place, or one line per move."""

from __future__ import annotations

from mineproof.board.presets import PRESETS, Board
from mineproof.board.topology import Topology
from mineproof.board.worlds import World
from mineproof.surfaces.cli.console import stdout_console
from mineproof.surfaces.cli.play_options import HUMAN, PlayOptions
from mineproof.surfaces.cli.shows import BoardsShow, LinesShow, LiveShow, QuietShow, Show, fits

__all__ = ["choose_show", "title_of"]


def choose_show(options: PlayOptions, chosen: str | World) -> Show:
    """The show of this game: live on a terminal that it fits, unless it waits for answers.

    A world is shown board by board, as report 2 prints it, unless asked otherwise.
    """
    console, title, mines_as = stdout_console(), title_of(options, chosen), options.mines_as
    if options.quiet:
        return QuietShow(console, title, mines_as)
    if options.step or options.agent == HUMAN:
        show = LinesShow(console, title, mines_as)
        show.cascades = False
        return show
    live = options.live
    if live is None:
        live = not options.with_boards and console.is_terminal and fits(console, _topology(chosen))
    if live:
        return LiveShow(console, title, options.delay, mines_as=mines_as)
    return (BoardsShow if options.with_boards else LinesShow)(console, title, mines_as)


def title_of(options: PlayOptions, chosen: str | World) -> str:
    """What is played, by whom, from which seed."""
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
