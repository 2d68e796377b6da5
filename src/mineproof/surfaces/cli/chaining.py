"""How `play --chain` shows the longest chain of influence: figures, a picture, and words."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from mineproof.chains.chains import Chains
from mineproof.chains.telling import link_numbers, summary, tell
from mineproof.surfaces.cli.console import print_paragraphs, writes_unicode
from mineproof.surfaces.cli.terminal import ASCII, UNICODE, Shade, board_text

__all__ = ["chain_board", "print_chain"]

_CASCADE = "o"


def print_chain(console: Console, chains: Chains) -> None:
    """Print the figures of the chains, the longest on its board, and every link of it."""
    console.print()
    for line in summary(chains):
        print_paragraphs(console, line)
    if not chains.length:
        return
    console.print(chain_board(chains, console), soft_wrap=True)
    console.print(
        f"numbers count the links, {_CASCADE} is a clue that came with a cascade", style="dim"
    )
    for line in tell(chains):
        print_paragraphs(console, line)


def chain_board(chains: Chains, console: Console) -> Text:
    """The board with the cells of the longest chain numbered, and other open cells left empty."""
    view, numbers = chains.last_view, link_numbers(chains)
    labels = dict.fromkeys(view.opened, "")
    labels |= {
        cell: _CASCADE if number is None else str(number) for cell, number in numbers.items()
    }
    highlight = {
        cell: Shade.PREMISE if number is None else Shade.MOVE for cell, number in numbers.items()
    }
    return board_text(
        view,
        highlight=highlight,
        symbols=UNICODE if writes_unicode(console) else ASCII,
        width=console.width,
        labels=labels,
    )
