"""`mineproof long-chain`: look for a board with a very long chain of influence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import click
from rich.console import Console

from mineproof.chains.chains import (
    Chains,
    chain_lines,
    draw_chain,
    link_numbers,
    summary_lines,
    to_json,
)
from mineproof.cli.console import print_paragraphs, stdout_console
from mineproof.cli.declarations import Option
from mineproof.cli.options import AsJson, OutputFile
from mineproof.cli.terminal import Shade, print_board

if TYPE_CHECKING:
    from mineproof.chains.search import ClimbResult


def command(
    board: Annotated[str, Option(metavar="BOARD", help="Such as 9x9/10, hex:7x7/10.")] = "beginner",
    given: Annotated[
        str | None, Option(metavar="R,C", help="The cell opened first.  [default: the first cell]")
    ] = None,
    seed: Annotated[int, Option(metavar="N", help="The seed of deals and moves.")] = 0,
    restarts: Annotated[int, Option(metavar="N", help="Climbs, each from a new deal.")] = 4,
    moves: Annotated[int, Option(metavar="N", help="Mines moved in each climb.")] = 200,
    as_json: AsJson = False,
    transcript: Annotated[
        str | None, Option(metavar="FILE", help="Write the game on the best board as a transcript.")
    ] = None,
    svg: Annotated[str | None, Option(metavar="FILE", help="Draw its longest chain.")] = None,
) -> None:
    """Look for a board with a long chain of influence, by hill climbing.

    One mine after another is moved, and stays if the longest chain gets no shorter. The board is
    played from one given cell on. The game stops when nothing more is certain, so no link rests on
    a guess. The same seed finds the same board.
    """
    import json

    from mineproof.board.presets import Board
    from mineproof.board.topology import parse_coordinates
    from mineproof.chains.search import longest_chain

    topology = Board.parse(board).topology
    start = None if given is None else topology.cell(parse_coordinates(given.strip()))
    written = OutputFile.of("--transcript", transcript)
    drawn = OutputFile.of("--svg", svg)
    found = longest_chain(
        board, start, seed=seed, restarts=restarts, moves=moves, watch=None if as_json else _tell
    )
    game = found.chains.transcript
    if as_json:
        answer = {
            "board": Board.parse(board).text,
            "seed": seed,
            "restart": found.restart,
            "mines": [list(topology.coordinates(cell)) for cell in found.layout.cells],
            "solved": game.outcome.won,
            "chain": to_json(found.chains),
        }
        click.echo(json.dumps(answer))
    else:
        click.echo(f"\n{found.layout}\n")
        click.echo("solved without a guess" if game.outcome.won else "not solved without a guess")
        print_chain(stdout_console(), found.chains)
    if written is not None:
        written.write(game.text)
    if drawn is not None:
        drawn.write(draw_chain(found.chains))


def _tell(found: ClimbResult) -> None:
    click.echo(f"climb {found.restart}: {found.lengths[0]} -> {found.length} links")


# -- How `play --chain` shows the longest chain of influence: figures, a picture, and words --

_CASCADE = "o"


def print_chain(console: Console, chains: Chains) -> None:
    """Print the figures of the chains, the longest on its board, and every link of it."""
    console.print()
    for line in summary_lines(chains):
        print_paragraphs(console, line)
    if not chains.length:
        return
    view, numbers = chains.last_view, link_numbers(chains)
    labels = dict.fromkeys(view.opened, "")  # other open cells are left empty
    labels |= {
        cell: _CASCADE if number is None else str(number) for cell, number in numbers.items()
    }
    highlight = {
        cell: Shade.PREMISE if number is None else Shade.MOVE for cell, number in numbers.items()
    }
    print_board(console, view, highlight=highlight, labels=labels)
    console.print(
        f"numbers count the links, {_CASCADE} is a clue that came with a cascade", style="dim"
    )
    for line in chain_lines(chains):
        print_paragraphs(console, line)
