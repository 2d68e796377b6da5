"""The files that `mineproof play` writes: a transcript, pictures, a page, a figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mineproof.errors import InputError, quoted
from mineproof.surfaces.cli.options import WRITTEN
from mineproof.surfaces.cli.outputs import Output

if TYPE_CHECKING:
    from mineproof.match.knowledge_log import KnowledgeSize
    from mineproof.match.transcript import Transcript

__all__ = ["FileOptions", "PlayFiles"]

_MOST_DRAWN = 5_000_000
"""The most cells in all pictures of a game: about a gigabyte."""


@dataclass(frozen=True)
class FileOptions:
    """The files that are asked for."""

    transcript: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The game as a transcript, for show and review.",
            rich_help_panel=WRITTEN,
        ),
    ] = None
    html: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="One page to walk through the game in a browser.",
            rich_help_panel=WRITTEN,
        ),
    ] = None
    svg: Annotated[
        str | None,
        typer.Option(
            "--svg",
            metavar="DIR",
            help="A picture of every step: step-000.svg and so on in a folder."
            " With --chain: one FILE, the chain with arrows.",
            rich_help_panel=WRITTEN,
        ),
    ] = None
    knowledge: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="A figure of how much the agent knew at every step; with --json also its numbers.",
            rich_help_panel=WRITTEN,
        ),
    ] = None

    @property
    def any_moves(self) -> bool:
        """Whether a file is to hold the moves with their reasons."""
        return any(name is not None for name in (self.transcript, self.html, self.svg))

    @property
    def measures_knowledge(self) -> bool:
        """Whether a file is to hold the size of the knowledge base."""
        return self.html is not None or self.knowledge is not None


class PlayFiles:
    """Where the files go. Refused before the game if one cannot be written. Raises InputError."""

    def __init__(self, options: FileOptions, chain: bool) -> None:
        self._transcript = Output.named("--transcript", options.transcript)
        self._html = Output.named("--html", options.html)
        self._knowledge = Output.named("--knowledge", options.knowledge)
        self.chain = Output.named("--svg", options.svg) if chain else None
        self._pictures = None if chain or options.svg is None else _folder(options.svg)
        if self._knowledge is not None:
            from mineproof.lab.figures import check_matplotlib

            check_matplotlib()

    def write(self, game: Transcript, title: str, sizes: Sequence[KnowledgeSize]) -> None:
        """Write all but the chain."""
        if self._transcript is not None:
            self._transcript.write(game.text)
        if self._pictures is not None:
            _draw_steps(game, self._pictures)
        if self._html is not None:
            from mineproof.lab.report.walk_page import walk_page

            self._html.write(walk_page(game, title, sizes))
        if self._knowledge is not None:
            from mineproof.lab.knowledge_figure import knowledge_figure

            self._knowledge.write(knowledge_figure(title, sizes))


def _folder(name: str) -> Path:
    """The folder of the pictures, new or without any. Raises InputError."""
    folder = Path(name)
    if folder.suffix.lower() == ".svg":
        raise InputError(
            f"--svg {quoted(name)} is a file; accepted: a folder for a picture of every step, or"
            " with --chain a file"
        )
    try:
        good = folder.is_dir() or (folder.parent.is_dir() and not folder.exists())
        drawn = good and folder.is_dir() and any(folder.glob("step-*.svg"))
    except (OSError, ValueError):
        good = drawn = False
    if not good:
        raise InputError(
            f"--svg {quoted(name)} cannot be a folder; accepted: a folder, or a new name in one"
        )
    if drawn:
        raise InputError(
            f"--svg {quoted(name)} holds pictures of a game; accepted: a folder without"
            " step-*.svg files"
        )
    return folder


def _draw_steps(game: Transcript, folder: Path) -> None:
    from mineproof.match.frames import draw_frame, frames

    count = len(game.steps) + 1
    if count * len(game.topology) > _MOST_DRAWN:
        raise InputError(
            f"--svg: {count} pictures of {len(game.topology)} cells; accepted: at most"
            f" {_MOST_DRAWN} cells in all"
        )
    digits = max(3, len(str(count - 1)))
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(
            f"--svg {quoted(str(folder))} cannot be made: {error.strerror}; accepted: a folder that"
            " can be written to"
        ) from None
    for frame in frames(game):
        file = folder / f"step-{frame.number:0{digits}}.svg"
        Output("--svg", str(file)).write(draw_frame(frame))
