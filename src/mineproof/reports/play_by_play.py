"""One game of report 0 step by step: what kind each step is, and the board after it."""

from __future__ import annotations

from mineproof.lab.report import Block, Strip, Table, Text
from mineproof.match.frames import draw_frame, frames
from mineproof.match.game import play
from mineproof.match.step_kinds import MoveKind, ranges_text, steps_by_kind
from mineproof.reports.workshop import Workshop

__all__ = ["play_by_play"]

BOARD = "5x5/30%"
AGENT = "reductio"
KINDS = {
    MoveKind.GUESSED: "random",
    MoveKind.SAFE: "identified safe cell",
    MoveKind.MINE: "identified mine",
}
"""What the report calls the kinds of steps."""
PUBLISHED = {
    "random": "1-4, 8, 11, 14",
    "identified safe cell": "5, 6, 7, 10, 12, 16, 18, 19, 20, 21, 22, 24",
    "identified mine": "9, 13, 15, 16, 17, 23",
}
PUBLISHED_SCORE = "0.75"


def play_by_play(workshop: Workshop) -> tuple[Block, ...]:
    """The table of step kinds and the pictures of every step."""
    game = play(BOARD, AGENT, workshop.seed, rules="report0")
    steps = steps_by_kind(step.decision for step in game.steps)
    pictures = []
    for frame in list(frames(game))[1:]:
        where = "" if frame.cell is None else f" {game.topology.cell_name(frame.cell)}"
        kind = "" if frame.kind is None else KINDS[frame.kind]
        pictures.append((f"{frame.number}. {kind}{where}", draw_frame(frame)))
    rows = tuple((name, ranges_text(steps[kind]), PUBLISHED[name]) for kind, name in KINDS.items())
    return (
        Table(
            "000-play-by-play",
            "Performance 1: a 5x5 game at density 0.3, kinds of steps",
            ("steps that reveal", "here", "published, of another game"),
            (*rows, ("final score", f"{game.outcome.score:.2f}", PUBLISHED_SCORE)),
            "The report shows one game of its own deal; this is another one under the same rules,"
            " with every cell opened on its own.",
        ),
        Strip("The steps, the cell of each with a thick edge", tuple(pictures)),
        Text(
            "The report disagrees with steps that open a safe cell while a mine is already proved,"
            " and is surprised by random steps next to high clues; the order of play and the better"
            " decisions above are about just these."
        ),
    )
