"""One game of report 0 step by step: what kind each step is, and the board after it."""

from __future__ import annotations

from mineproof.agents.decision import Action, Proved
from mineproof.lab.report import Block, Strip, Table, Text
from mineproof.match.game import play
from mineproof.match.transcript import Step
from mineproof.proofs.drawing import draw_svg
from mineproof.reports.workshop import Workshop

__all__ = ["play_by_play"]

BOARD = "5x5/30%"
AGENT = "reductio"
KINDS = ("random", "identified safe cell", "identified mine")
PUBLISHED = {
    "random": "1-4, 8, 11, 14",
    "identified safe cell": "5, 6, 7, 10, 12, 16, 18, 19, 20, 21, 22, 24",
    "identified mine": "9, 13, 15, 16, 17, 23",
}
PUBLISHED_SCORE = "0.75"


def play_by_play(workshop: Workshop) -> tuple[Block, ...]:
    """The table of step kinds and the pictures of every step."""
    game = play(
        BOARD,
        AGENT,
        workshop.seed,
        first_click="any",
        on_mine="continue",
        total="unknown",
        cascade="off",
    )
    steps: dict[str, list[int]] = {kind: [] for kind in KINDS}
    pictures = []
    views = list(game.views())
    for number, (step, view) in enumerate(zip(game.steps, views[1:], strict=True), 1):
        kind = _kind(step)
        steps[kind].append(number)
        cell = step.decision.cell
        marked = () if cell is None else (cell,)
        where = "" if cell is None else f" {game.topology.cell_name(cell)}"
        pictures.append((f"{number}. {kind}{where}", draw_svg(view, marked=marked)))
    rows = tuple((kind, _ranges(steps[kind]), PUBLISHED[kind]) for kind in KINDS)
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


def _kind(step: Step) -> str:
    if not isinstance(step.decision.reason, Proved):
        return "random"
    return KINDS[2] if step.decision.action is Action.FLAG else KINDS[1]


def _ranges(numbers: list[int]) -> str:
    """Numbers as the report lists them: `1-4, 8`."""
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][-1] == number - 1:
            found[-1].append(number)
        else:
            found.append([number])
    return (
        ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in found)
        or "none"
    )
