"""Moves and endings in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mineproof.agents.decision import Action, Decision, Guessed, Proved, Unstated
from mineproof.board.cell_names import folded_names
from mineproof.board.topology import Topology
from mineproof.inference.verdict import Premises
from mineproof.match.outcome import Outcome, Termination
from mineproof.percentages import percent, rate_percent
from mineproof.rules import FirstClick, OnMine, Rules
from mineproof.view.marks import Mark, Shown
from mineproof.view.view import View

__all__ = [
    "LEFT",
    "choice_text",
    "many",
    "measures_text",
    "move_text",
    "opened_text",
    "outcome_text",
    "reason_text",
    "spoken_text",
    "told_text",
    "unsound_text",
]

LEFT = "left by the player"
"""The note of a player who leaves the game."""

_MOST_APART = 4
"""More clues than this are named together, number by number."""
_MOST_SPOKEN = 3
"""More clues than this are counted where people look on."""
_MOST_CHOICES = 40

_MARKS: dict[Shown, str] = {Mark.MINE: "a mine", Mark.BLANK: "no clue"}
_ENDINGS = {
    Termination.CLEARED: "every safe cell is open",
    Termination.MARKED: "every cell is marked correctly",
    Termination.FINISHED: "every cell is open or flagged, not all correctly",
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


def opened_text(before: View, after: View, cell: int | None = None) -> str:
    """What opened between two views beside a cell, by what it shows: `0 at 1,1; 1 at 2,2 2,3`."""
    shown: dict[str, list[int]] = {}
    since = after.opened_since(before)
    if since is None:  # what is told of the mines changed in between
        since = tuple(one for one in after.opened if not before.is_open(one))
    for opened in since:
        if opened != cell:
            shown.setdefault(str(_MARKS.get(after[opened], after[opened])), []).append(opened)
    parts = [
        f"{what} at {' '.join(folded_names(after.topology, cells))}"
        for what, cells in sorted(shown.items())
    ]
    return "; ".join(parts)


def reason_text(decision: Decision, view: View) -> str:
    """Why: `proved safe by single-point from the 2 at 3,4`; every clue is named."""
    reason = decision.reason
    if isinstance(reason, Proved):
        mine = decision.action is Action.FLAG
        text = f"proved {'a mine' if mine else 'safe'} by {reason.logic}"
        premises = _premises(reason.premises, view)
        if reason.premises.by_contradiction:
            text += ", by contradiction"
            if premises and decision.cell is not None:
                name = view.topology.cell_name(decision.cell)
                other = f"{name} without a mine" if mine else f"a mine in {name}"
                text += f": {other} clashes with {_and(premises)}"
            return text
        return f"{text} from {_and(premises)}" if premises else text
    if isinstance(reason, Guessed):
        cells = many(reason.among, "cell")
        risk = "" if reason.risk is None else f", risk {percent(reason.risk)}"
        return f"guessed: {reason.policy} among {cells}{risk}"
    return reason.note


def spoken_text(decision: Decision, view: View, premises: Premises | None = None) -> str:
    """Why, for people who look on: `safe because of the 2 at 3,5`, `a guess at a risk of 12.5 %`.

    `premises` are those of a proof found elsewhere, where the agent names no clues.
    """
    reason = decision.reason
    if decision.cell is None:
        return reason.note if isinstance(reason, Unstated) and reason.note else "it knows no move"
    if not view.opened_count and decision.action is Action.OPEN:
        safe = view.rules.first_click is not FirstClick.ANY
        return "the first cell, safe by the rules" if safe else "the first cell: nothing is known"
    if isinstance(reason, Guessed):
        many_alike = f", one of {reason.among} that seem as good" if reason.among > 1 else ""
        at = "" if reason.risk is None else f" at a risk of {percent(reason.risk)}"
        return f"a guess{at}{many_alike}"
    if not isinstance(reason, Proved):
        return reason.note or "it gives no reason"
    mine = decision.action is Action.FLAG
    state = "a mine" if mine else "safe"
    found = reason.premises if reason.premises.clues or premises is None else premises
    if not found.clues and (not found.total or found is reason.premises):
        return f"certainly {state}"
    if len(found.clues) > _MOST_SPOKEN:
        told = [f"{len(found.clues)} clues together"] + ["the number of mines"] * found.total
    else:
        told = _premises(found, view)
    if found.by_contradiction:
        return f"{state}: {'no mine' if mine else 'a mine'} there would clash with {_and(told)}"
    return f"{state} because of {_and(told)}"


def _premises(premises: Premises, view: View) -> list[str]:
    """Every clue and its number; many of one number together."""
    shown: dict[int | None, list[int]] = {}
    for cell in premises.clues:
        shown.setdefault(view.clue(cell), []).append(cell)
    name = view.topology.cell_name
    if len(premises.clues) > _MOST_APART:
        texts = [
            ("" if clue is None else f"the {clue}{'s' * (len(cells) > 1)} at ")
            + " ".join(folded_names(view.topology, cells))
            for clue, cells in shown.items()
        ]
    else:
        texts = [
            name(cell) if (clue := view.clue(cell)) is None else f"the {clue} at {name(cell)}"
            for cell in premises.clues
        ]
    return texts + ["the number of mines"] * premises.total


def unsound_text(decision: Decision, risk: float) -> str:
    """A step called proved that is not certain; `risk` is the chance that it is false."""
    if risk == 1.0:
        truth = "safe" if decision.action is Action.FLAG else "a mine"
        return f"UNSOUND: called proved, but certainly {truth}"
    verb = "opens a mine" if decision.action is Action.CHORD else "a mine"
    word = "safe" if decision.action is Action.FLAG else verb
    return f"UNSOUND: called proved, but another layout fits ({word} with {percent(risk)})"


def choice_text(reason: Guessed, topology: Topology) -> str:
    """The set that a guess was made from, if the policy gives it."""
    names = folded_names(topology, reason.cells)
    more = len(names) - _MOST_CHOICES
    return " ".join(names[:_MOST_CHOICES]) + (f" and {more} more" if more > 0 else "")


def _and(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]


def many(number: int, noun: str) -> str:
    """`1 guess`, `2 guesses`, `0 steps`."""
    return f"{number} {noun}{'' if number == 1 else 'es' if noun.endswith('s') else 's'}"


def told_text(view: View) -> str:
    """What the player knows: mines, flags and hidden cells."""
    total = "mines unknown" if view.total is None else f"{view.total} mines"
    return f"{total}, {view.flag_count} flagged, {view.hidden_count} cells hidden"


def outcome_text(outcome: Outcome, steps: int, guesses: int, rules: Rules) -> str:
    """How the game ended, with the measures that mean something under its rules."""
    end = outcome.termination
    if outcome.note == LEFT:
        end = Termination.UNFINISHED
    word = "won" if outcome.won else "left" if end is Termination.UNFINISHED else "lost"
    if end is Termination.FINISHED and rules.on_mine is OnMine.CONTINUE:
        word = "finished"  # there is no losing where a mine ends nothing: the score tells
    note = f" ({outcome.note})" if outcome.note else ""
    times = f"{many(steps, 'step')}, {many(guesses, 'guess')}"
    said = measures_text(outcome, rules.measures)
    if end is Termination.STUCK and "marked_share" not in rules.measures:
        said += f", {_marked(outcome)}"
    return f"{word}: {_ENDINGS[end]}{note}; {times}; {said}"


def measures_text(outcome: Outcome, measures: Iterable[str]) -> str:
    """Measures of an outcome by their names in `Rules.measures`: `score 0.750`."""
    return ", ".join(
        _marked(outcome)
        if measure == "marked_share"
        else f"{measure} {getattr(outcome, measure):.3f}"
        for measure in measures
    )


def _marked(outcome: Outcome) -> str:
    return f"{rate_percent(outcome.marked_share)} of cells marked"
