"""`mineproof show`: the position after a step of a game."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

from mineproof.cli.declarations import Argument, Option
from mineproof.cli.options import AsJson, OutputFile
from mineproof.errors import InputError

if TYPE_CHECKING:
    from mineproof.game.narration import Frame
    from mineproof.game.transcript import Transcript


def command(
    game: Annotated[
        str,
        Argument(
            metavar="GAME",
            help="A game that play --transcript wrote, a recording (AVF, EVF, RMV, MVF, RAWVF),"
            " or - for stdin.",
        ),
    ],
    step: Annotated[
        int | None,
        Option(
            metavar="N", help="After how many steps; 0 is the start.  [default: after the last]"
        ),
    ] = None,
    board: Annotated[
        bool, Option("--board", help="Draw the board for people, with the step in words.")
    ] = False,
    svg: Annotated[
        str | None, Option(metavar="FILE", help="Draw the position, its step marked.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print the position after a step of a game, as solve, explain and rate read it.

    mineproof show game.txt --step 12 | mineproof solve -
    """
    from mineproof.game.narration import draw_frame
    from mineproof.replay.record import Replay, read_game

    if board and as_json:
        raise InputError("--board and --json are given; accepted: one of them")
    picture = OutputFile.of("--svg", svg)
    read = read_game(game)
    played = read.transcript if isinstance(read, Replay) else read
    frame = _frame(played, step)
    if picture is not None:
        picture.write(draw_frame(frame))
    if as_json:
        print(json.dumps(_to_json(played, frame)))
    elif board:
        _draw(frame)
    else:
        print(frame.view.text.rstrip("\n"))


def _frame(game: Transcript, step: int | None) -> Frame:
    """The game after so many steps. Raises InputError where it has fewer."""
    from itertools import islice

    from mineproof.game.narration import frames

    count = len(game.steps)
    if step is not None and not 0 <= step <= count:
        raise InputError(f"--step {step}: the game has {count} steps; accepted: 0 to {count}")
    return next(islice(frames(game), count if step is None else step, None))


def _to_json(game: Transcript, frame: Frame) -> dict[str, object]:
    steps = game.to_json()["steps"]
    return {
        "board": game.board,
        "agent": game.agent,
        "step": frame.number,
        "steps": len(steps),
        "text": frame.text,
        "made": steps[frame.number - 1] if frame.number else None,
        "next": steps[frame.number] if frame.number < len(steps) else None,
        "position": frame.view.text,
    }


def _draw(frame: Frame) -> None:
    from mineproof.cli.console import print_paragraphs, stdout_console
    from mineproof.cli.terminal import print_board, shades_of
    from mineproof.game.narration import counts_text

    console = stdout_console()
    print_paragraphs(console, frame.text)
    print_board(console, frame.view, highlight=shades_of(frame.cell, frame.premises))
    console.print(counts_text(frame.view), soft_wrap=True)
