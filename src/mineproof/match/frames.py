"""A game as pictures: the board after every step, with the step in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mineproof.agents.decision import Proved
from mineproof.board.layout import Layout
from mineproof.match.narration import move_text, outcome_text, reason_text, unsound_text
from mineproof.match.outcome import Termination
from mineproof.match.step_kinds import MoveKind, kind_of, steps_by_kind
from mineproof.match.transcript import Transcript
from mineproof.view.drawing import Tint, draw_svg
from mineproof.view.view import View

__all__ = ["PREMISE", "Frame", "draw_frame", "ending", "frames", "mines_of", "unveiled"]

PREMISE = Tint("#a6d5f2", "premise")
_MINE = Tint("#f3c98b", "a mine", "X")
_WRONG = Tint("#d55e00", "a wrong flag", "!")


@dataclass(frozen=True)
class Frame:
    """The board after a step; number 0 is the start. `premises` are the clues the step used."""

    number: int
    text: str
    view: View
    cell: int | None = None
    premises: tuple[int, ...] = ()
    kind: MoveKind | None = None


def frames(game: Transcript) -> Iterator[Frame]:
    """The start of a game and the board after every step, replayed.

    Raises NotationError where the game cannot be replayed.
    """
    views = game.views()
    before = next(views)
    start = "the start, with given cells" if before.opened_count else "the start"
    yield Frame(0, start, before)
    for number, (step, after) in enumerate(zip(game.steps, views, strict=True), 1):
        decision = step.decision
        why = reason_text(decision, before)
        text = f"{number}. {move_text(decision, before, after)}" + (f" - {why}" if why else "")
        if step.unsound is not None:
            text += f" - {unsound_text(decision, step.unsound)}"
        reason = decision.reason
        premises = reason.premises.clues if isinstance(reason, Proved) else ()
        yield Frame(number, text, after, decision.cell, premises, kind_of(decision))
        before = after


def draw_frame(frame: Frame) -> str:
    """The picture of a frame: the cell of its step with a thick edge, its premises blue."""
    return draw_svg(
        frame.view,
        marked=() if frame.cell is None else (frame.cell,),
        tints=dict.fromkeys(frame.premises, PREMISE),
        title=frame.text,
    )


def ending(game: Transcript) -> str:
    """How a game ended, as `play` says it."""
    steps = steps_by_kind(step.decision for step in game.steps)
    return outcome_text(game.outcome, len(game.steps), len(steps[MoveKind.GUESSED]), game.rules)


def mines_of(game: Transcript) -> Layout | None:
    """Where the mines of a game were; None where it ended before they were dealt."""
    referee = game.referee()
    for step in game.steps:
        referee.apply(step.decision)
    referee.stop(Termination.UNFINISHED)
    return referee.layout


def unveiled(view: View, layout: Layout) -> dict[int, Tint]:
    """What the end of a game shows: the mines that were left, and wrong flags."""
    tints = {}
    for cell in view.hidden:
        if view.is_flagged(cell) and not layout.is_mine(cell):
            tints[cell] = _WRONG
        elif layout.is_mine(cell) and not view.is_flagged(cell):
            tints[cell] = _MINE
    return tints
