"""Moves, steps and endings in words and pictures: the only place that words them for people.

The same facts in other forms: the lines of a game's file and its JSON are in `transcript`, faults
in `check`, guesses that a rule settles in `fairness`, proofs in `mineproof.proofs.sentences`,
advice in `mineproof.advice`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from mineproof.agents.agent import Action, Decision, Guessed, Proved, Unstated
from mineproof.board.layout import Layout
from mineproof.board.topology import Topology, folded_names
from mineproof.engine.analysis import Premises
from mineproof.game.referee import Outcome, Termination
from mineproof.game.transcript import Transcript
from mineproof.rules import FirstClick, OnMine, Rules
from mineproof.text import join_words, many, percent, rate_percent
from mineproof.view.channels import Mark, Shown
from mineproof.view.svg import CellTint, draw_svg
from mineproof.view.view import View

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
    if since is None:  # not an earlier view of the same game
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
        premises = premise_texts(reason.premises, view)
        if reason.premises.by_contradiction:
            text += ", by contradiction"
            if premises and decision.cell is not None:
                name = view.topology.cell_name(decision.cell)
                other = f"{name} without a mine" if mine else f"a mine in {name}"
                text += f": {other} clashes with {join_words(premises)}"
            return text
        return f"{text} from {join_words(premises)}" if premises else text
    if isinstance(reason, Guessed):
        cells = many(reason.among, "cell")
        risk = "" if reason.risk is None else f", risk {percent(reason.risk)}"
        return f"guessed: {reason.policy} among {cells}{risk}"
    return reason.note


def spoken_text(decision: Decision, view: View) -> str:
    """Why, for people who look on: `safe because of the 2 at 3,5`, `a guess at a risk of 12 %`."""
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
    found = reason.premises
    if not found.clues and not found.total:
        return f"certainly {state}"
    if len(found.clues) > _MOST_SPOKEN:
        told = [f"{len(found.clues)} clues together"] + ["the number of mines"] * found.total
    else:
        told = premise_texts(found, view)
    if found.by_contradiction:
        other = "no mine" if mine else "a mine"
        return f"{state}: {other} there would clash with {join_words(told)}"
    return f"{state} because of {join_words(told)}"


def premise_texts(premises: Premises, view: View) -> list[str]:
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
    return (
        f"UNSOUND: called proved, but another layout fits ({word} with a chance of {percent(risk)})"
    )


UNFOUNDED = "UNFOUNDED: certain, but not by the clues it names"
"""What is said of a step that is proved, but not by its reason."""


def choice_text(reason: Guessed, topology: Topology) -> str:
    """The cells that a guess was chosen from, if the policy lists them."""
    names = folded_names(topology, reason.cells)
    more = len(names) - _MOST_CHOICES
    return " ".join(names[:_MOST_CHOICES]) + (f" and {more} more" if more > 0 else "")


def counts_text(view: View) -> str:
    """How many mines, flags and hidden cells there are: `10 mines, 2 flagged, 60 cells hidden`."""
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
        said += f", {_marked_text(outcome)}"
    ending = _ENDINGS[end] if steps or not outcome.won else "every safe cell was given"
    return f"{word}: {ending}{note}; {times}; {said}"


def measures_text(outcome: Outcome, measures: Iterable[str]) -> str:
    """Measures of an outcome by their names in `Rules.measures`: `score 0.750`."""
    texts = {
        "score": f"score {outcome.score:.3f}",
        "finer": f"mines/covered {outcome.finer:.3f}",
        "marked_share": _marked_text(outcome),
    }
    return ", ".join(texts[measure] for measure in measures)


def _marked_text(outcome: Outcome) -> str:
    return f"{rate_percent(outcome.marked_share)} of cells marked"


# -- The steps of a game by kind, as report 0 lists them: guessed, proved safe, proved mines --


class MoveKind(Enum):
    """What a step rests on."""

    GUESSED = "guessed"
    SAFE = "proved safe"
    MINE = "proved mine"
    UNSTATED = "without a reason"


def kind_of(decision: Decision) -> MoveKind | None:
    """The kind of a step; None for one that ends the game."""
    if decision.action is Action.STOP:
        return None
    if isinstance(decision.reason, Proved):
        return MoveKind.MINE if decision.action is Action.FLAG else MoveKind.SAFE
    return MoveKind.GUESSED if isinstance(decision.reason, Guessed) else MoveKind.UNSTATED


def steps_by_kind(decisions: Iterable[Decision]) -> dict[MoveKind, list[int]]:
    """The numbers of the steps of every kind, from 1."""
    found: dict[MoveKind, list[int]] = {kind: [] for kind in MoveKind}
    for number, decision in enumerate(decisions, 1):
        kind = kind_of(decision)
        if kind is not None:
            found[kind].append(number)
    return found


def kinds_text(
    steps: Mapping[MoveKind, list[int]], unsound: Collection[int] = frozenset()
) -> list[str]:
    """A line for every kind; the last only where there is such a step.

    Steps that were called proved and are not (`unsound`) have a line of their own instead.
    """
    lines = [
        f"steps {kind.value}: {ranges_text(n for n in numbers if n not in unsound)}"
        for kind, numbers in steps.items()
        if numbers or kind is not MoveKind.UNSTATED
    ]
    called = sorted(n for numbers in steps.values() for n in numbers if n in unsound)
    return [*lines, f"steps called proved, UNSOUND: {ranges_text(called)}"] if called else lines


def ranges_text(numbers: Iterable[int]) -> str:
    """Numbers as the report lists them: `1-4, 8`.

    >>> ranges_text([1, 2, 3, 4, 8, 10, 11])
    '1-4, 8, 10-11'
    """
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][-1] == number - 1:
            found[-1].append(number)
        else:
            found.append([number])
    runs = (str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in found)
    return ", ".join(runs) or "none"


# -- A game as pictures: the board after every step, with the step in words ----

PREMISE = CellTint("#a6d5f2", "premise")
_MINE = CellTint("#f3c98b", "a mine", "X")
_WRONG = CellTint("#d55e00", "a wrong flag", "!")


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


def ending_text(game: Transcript) -> str:
    """How a game ended, as `play` says it."""
    steps = steps_by_kind(step.decision for step in game.steps)
    return outcome_text(game.outcome, len(game.steps), len(steps[MoveKind.GUESSED]), game.rules)


def dealt_layout(game: Transcript) -> Layout | None:
    """Where the mines of a game were; None where it ended before they were dealt."""
    referee = game.referee()
    for step in game.steps:
        referee.apply(step.decision)
    referee.stop(Termination.UNFINISHED)
    return referee.layout


def final_tints(view: View, layout: Layout) -> dict[int, CellTint]:
    """The tints at the end of a game: the mines that were left, and wrong flags."""
    tints = {}
    for cell in view.hidden:
        if view.is_flagged(cell) and not layout.is_mine(cell):
            tints[cell] = _WRONG
        elif layout.is_mine(cell) and not view.is_flagged(cell):
            tints[cell] = _MINE
    return tints
