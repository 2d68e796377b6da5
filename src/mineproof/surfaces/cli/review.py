"""`mineproof review`: what every move of a game gave away."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from mineproof.surfaces.cli.options import AsJson

if TYPE_CHECKING:
    from mineproof.advice.game_review import Review
    from mineproof.advice.judging import Effort
    from mineproof.match.transcript import Transcript

__all__ = ["command"]

_SAMPLES = 100


def command(
    transcript: Annotated[
        str,
        typer.Argument(
            metavar="TRANSCRIPT", help="A game that play --transcript wrote, or - for stdin."
        ),
    ],
    as_json: AsJson = False,
    svg: Annotated[
        str | None,
        typer.Option("--svg", metavar="FILE", help="Draw the game, move by move, into a file."),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="List every move, not only those that risked something.")
    ] = False,
    win: Annotated[
        bool,
        typer.Option("--win", help="Play games out for the chance to win before every move."),
    ] = False,
    samples: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help=f"With --win: games played out for each cell.  [default: {_SAMPLES}]",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="With --win: the seed of the games played out.  [default: 0]"
        ),
    ] = None,
) -> None:
    """Say what every move of a game risked and gave away, its worst moves, and its luck.

    A move is judged by what its player saw. Near the end, what it gave away is its exact loss of
    chance to win; before that it is the risk beyond that of the best move. With --win, games are
    played out to estimate the chance to win everywhere.
    """
    from mineproof.advice.chart import draw_review
    from mineproof.advice.judging import Effort
    from mineproof.errors import InputError
    from mineproof.match.transcript import Transcript
    from mineproof.rng import check_seed
    from mineproof.surfaces.cli.console import stdout_console
    from mineproof.surfaces.cli.outputs import Output
    from mineproof.surfaces.cli.reviewing import print_review, review_json, title

    for option, value in (("--samples", samples), ("--seed", seed)):
        if value is not None and not win:
            raise InputError(f"{option} says how --win estimates; accepted: together with --win")
    if samples is not None and samples < 1:
        raise InputError(f"--samples {samples}; accepted: 1 or more")
    picture = Output.named("--svg", svg)
    effort = Effort(
        ends=True,
        samples=(_SAMPLES if samples is None else samples) if win else 0,
        seed=0 if seed is None else check_seed(seed),
    )
    game = Transcript.read(transcript)
    if win:
        _check_win(game)
    review = _watched(game, effort)
    if picture is not None:
        picture.write(draw_review(review, title(game)))
    if as_json:
        typer.echo(json.dumps(review_json(game, review)))
    else:
        print_review(stdout_console(), game, review, every)


def _check_win(game: Transcript) -> None:
    """Refuse games in which no move has a chance to win that could be worked out."""
    from mineproof.advice.game_review import moves_of
    from mineproof.advice.looking_ahead import obstacle
    from mineproof.errors import InputError

    why = [obstacle(before) for before, _, _ in moves_of(game)]
    if why and None not in why:
        raise InputError(f"--win cannot play games out here: {why[0]}; accepted: without --win")


def _watched(game: Transcript, effort: Effort) -> Review:
    """The review, with its progress on a terminal."""
    from mineproof.advice.game_review import review
    from mineproof.surfaces.cli.console import progress

    with progress("moves", len(game.steps)) as advance:

        def watch(number: int) -> bool:
            advance(number)
            return True

        return review(game, effort=effort, watch=watch)
