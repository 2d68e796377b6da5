"""`mineproof long-chain`: look for a board with a very long chain of influence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mineproof.surfaces.cli.options import AsJson

if TYPE_CHECKING:
    from mineproof.chains.long_chains import Climb

__all__ = ["command"]


def command(
    board: Annotated[
        str, typer.Option(metavar="BOARD", help="Such as 9x9/10, hex:7x7/10.")
    ] = "beginner",
    given: Annotated[
        str | None,
        typer.Option(metavar="R,C", help="The cell opened first.  [default: the first cell]"),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of deals and moves.")] = 0,
    restarts: Annotated[int, typer.Option(metavar="N", help="Climbs, each from a new deal.")] = 4,
    moves: Annotated[int, typer.Option(metavar="N", help="Mines moved in each climb.")] = 200,
    as_json: AsJson = False,
    transcript: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the game on the best board as a transcript."),
    ] = None,
    svg: Annotated[
        str | None, typer.Option("--svg", metavar="FILE", help="Draw its longest chain.")
    ] = None,
) -> None:
    """Look for a board with a long chain of influence, by hill climbing.

    One mine after another is moved, and stays if the longest chain gets no shorter. The board is
    played from one given cell on. The game stops when nothing more is certain, so no link rests on
    a guess. The same seed finds the same board.
    """
    import json

    from mineproof.board.presets import Board
    from mineproof.board.topology import parse_coordinates
    from mineproof.chains.influence import to_json
    from mineproof.chains.long_chains import longest_chain
    from mineproof.chains.telling import draw_chain
    from mineproof.surfaces.cli.chaining import print_chain
    from mineproof.surfaces.cli.console import stdout_console
    from mineproof.surfaces.cli.outputs import Output

    topology = Board.parse(board).topology
    start = None if given is None else topology.cell(parse_coordinates(given.strip()))
    written = Output.named("--transcript", transcript)
    drawn = Output.named("--svg", svg)
    found = longest_chain(
        board,
        start,
        seed=seed,
        restarts=restarts,
        moves=moves,
        watch=None if as_json else _tell,
    )
    game = found.chains.transcript
    if as_json:
        said = {
            "board": Board.parse(board).text,
            "seed": seed,
            "restart": found.restart,
            "mines": [list(topology.coordinates(cell)) for cell in found.layout.cells],
            "solved": game.outcome.won,
            "chain": to_json(found.chains),
        }
        typer.echo(json.dumps(said))
    else:
        typer.echo(f"\n{found.layout}\n")
        typer.echo("solved without a guess" if game.outcome.won else "not solved without a guess")
        print_chain(stdout_console(), found.chains)
    if written is not None:
        written.write(game.text)
    if drawn is not None:
        drawn.write(draw_chain(found.chains))


def _tell(found: Climb) -> None:
    typer.echo(f"climb {found.restart}: {found.lengths[0]} -> {found.length} links")
