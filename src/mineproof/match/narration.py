"""Moves and endings in words."""

from __future__ import annotations

from collections.abc import Sequence

from mineproof.agents.decision import Action, Decision, Guessed, Proved, Reason
from mineproof.board.topology import Topology
from mineproof.match.outcome import Outcome, Termination
from mineproof.view.marks import Mark, Shown
from mineproof.view.view import View

__all__ = ["LEFT", "choice_text", "many", "move_text", "outcome_text", "reason_text", "told_text"]

LEFT = "left by the player"
"""The note of a player who leaves the game."""

_MOST_PREMISES = 4
_MOST_CHOICES = 40

_MARKS: dict[Shown, str] = {Mark.MINE: "a mine", Mark.BLANK: "no clue"}
_ENDINGS = {
    Termination.CLEARED: "every safe cell is open",
    Termination.MARKED: "every cell is marked correctly",
    Termination.FINISHED: "every cell is marked, not all correctly",
    Termination.EXPLODED: "a mine was opened",
    Termination.STUCK: "the agent stopped",
    Termination.FAILED: "the agent failed",
    Termination.UNFINISHED: "before the end",
}


def move_text(decision: Decision, before: View, after: View) -> str:
    """A move and what it showed: `open 3,4: 2`."""
    if decision.action is Action.STOP or decision.cell is None:
        return "stop"
    text = f"{decision.action.value} {before.topology.cell_name(decision.cell)}"
    shown = after[decision.cell]
    opened = after.opened_count - before.opened_count
    if decision.action is Action.OPEN:
        text += f": {_MARKS.get(shown, shown)}"
    if opened > 1:
        text += f" ({opened} cells opened)"
    return text


def reason_text(decision: Decision, view: View) -> str:
    """Why: `proved safe by single-point from the 2 at 3,4`."""
    reason: Reason = decision.reason
    if isinstance(reason, Proved):
        what = "a mine" if decision.action is Action.FLAG else "safe"
        text = f"proved {what} by {reason.logic}"
        premises = [
            f"the {clue} at {view.topology.cell_name(cell)}"
            if (clue := view.clue(cell)) is not None
            else view.topology.cell_name(cell)
            for cell in reason.premises.clues
        ]
        if len(premises) > _MOST_PREMISES:
            premises = [*premises[:3], f"{len(premises) - 3} more clues"]
        if reason.premises.total:
            premises.append("the number of mines")
        return f"{text} from {_and(premises)}" if premises else text
    if isinstance(reason, Guessed):
        cells = many(reason.among, "cell")
        risk = "" if reason.risk is None else f", risk {reason.risk:.3f}"
        return f"guessed: {reason.policy} among {cells}{risk}"
    return reason.note


def choice_text(reason: Guessed, topology: Topology) -> str:
    """The set that a guess was made from, if the policy gives it."""
    names = [topology.cell_name(cell) for cell in reason.cells[:_MOST_CHOICES]]
    more = len(reason.cells) - len(names)
    return " ".join(names) + (f" and {more} more" if more else "")


def _and(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]


def many(number: int, noun: str) -> str:
    """`1 guess`, `2 guesses`, `0 steps`."""
    return f"{number} {noun}{'' if number == 1 else 'es' if noun.endswith('s') else 's'}"


def told_text(view: View) -> str:
    """What the player knows: mines, flags and hidden cells."""
    total = "mines unknown" if view.total is None else f"{view.total} mines"
    return f"{total}, {view.flag_count} flagged, {view.hidden_count} cells hidden"


def outcome_text(outcome: Outcome, steps: int, guesses: int) -> str:
    """How the game ended, with its score and finer measure."""
    end = outcome.termination
    if outcome.note == LEFT:
        end = Termination.UNFINISHED
    word = "won" if outcome.won else "left" if end is Termination.UNFINISHED else "lost"
    note = f" ({outcome.note})" if outcome.note else ""
    times = f"{many(steps, 'step')}, {many(guesses, 'guess')}"
    return (
        f"{word}: {_ENDINGS[end]}{note}; {times}; score {outcome.score:.3f},"
        f" finer {outcome.finer:.3f}"
    )
