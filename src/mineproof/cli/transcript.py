"""`mineproof transcript`: a game of an experiment, as the text that `play --transcript` writes."""

from __future__ import annotations

import json
from typing import Annotated

import click

from mineproof.cli.declarations import Option
from mineproof.cli.options import AsJson, RunFolder
from mineproof.errors import InputError


def command(
    folder: RunFolder,
    agent: Annotated[
        str | None, Option(metavar="A", help="The agent that played.  [default: the only one]")
    ] = None,
    game: Annotated[
        int, Option(metavar="N", help="The index of the game on its board or world.")
    ] = 0,
    board: Annotated[
        str | None, Option(metavar="BOARD", help="The board.  [default: the only one]")
    ] = None,
    world: Annotated[
        str | None, Option(metavar="NAME", help="The world.  [default: the only one]")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print one game of an experiment: every move with its reason.

    Games that `compare --transcripts` kept are read; any other is played again, from the same seed.
    The text is that of `play --transcript`: `review` and `show` take it.
    """
    from mineproof.lab.store import game_of

    if board is not None and world is not None:
        raise InputError("--board and --world are given; accepted: one of them")
    found = game_of(folder, agent, game, board if world is None else world)
    # On stderr, so that the output is a transcript and nothing else.
    if not found.kept:
        click.echo(
            f"mineproof: game {game} has no transcript here; it was played again from its seed",
            err=True,
        )
    if as_json:
        click.echo(json.dumps(found.transcript.to_json()))
    else:
        click.echo(found.transcript.text, nl=False)
