"""A transcript read as openings: which cell a move opened, and what its cascade added."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from mineproof.agents.decision import Action, Guessed
from mineproof.match.transcript import Transcript
from mineproof.view.channels import EXACT, proves_zero
from mineproof.view.view import View

__all__ = ["Opening", "openings"]


@dataclass(frozen=True)
class Opening:
    """A cell that was opened, and the cells that its cascade opened with it.

    `step` counts the transcript's steps from 1; cells given at the start have step 0. `before` is
    the view the player saw then, `after` the next one; the cells of one chord share both. `guessed`
    says whether the player called it a guess.
    """

    step: int
    cell: int
    cascade: tuple[int, ...]
    before: View
    after: View
    guessed: bool


def openings(transcript: Transcript) -> Iterator[Opening]:
    """Every opening of a game in order. Raises NotationError if the game cannot be replayed."""
    views = transcript.views()
    before = next(views)
    if before.opened_count:
        given = transcript.referee().given
        opened = tuple(before.opened)
        yield from _groups(0, given, opened, View(before.topology, before.rules), before, False)
    for number, (step, after) in enumerate(zip(transcript.steps, views, strict=True), 1):
        opened = after.opened_since(before) or ()
        cell = step.decision.cell
        if opened and cell is not None:
            chord = step.decision.action is Action.CHORD
            chosen = transcript.topology.neighbours(cell) if chord else (cell,)
            guessed = isinstance(step.decision.reason, Guessed)
            yield from _groups(number, chosen, opened, before, after, guessed)
        before = after


def _groups(
    step: int,
    chosen: tuple[int, ...],
    opened: tuple[int, ...],
    before: View,
    after: View,
    guessed: bool,
) -> Iterator[Opening]:
    """Cells opened one after another, each followed by its cascade."""
    if opened[0] == chosen[0] and len(chosen) == 1:
        yield Opening(step, opened[0], opened[1:], before, after, guessed)
        return
    left = dict.fromkeys(opened)
    for cell in chosen:
        if cell in left:
            group = _flood(cell, left, after)
            cascade = tuple(other for other in left if other in group and other != cell)
            yield Opening(step, cell, cascade, before, after, guessed)
            for other in group:
                del left[other]


def _flood(start: int, left: Collection[int], view: View) -> set[int]:
    """What a cell opens among the cells left: a flood fill over the neighbours of zeros."""
    topology = view.topology
    found, waiting = {start}, [start]
    while waiting:
        cell = waiting.pop()
        near = topology.neighbours(cell)
        if not view.rules.cascade or view.clue(cell) != 0:
            continue
        if view.channel is not EXACT and not proves_zero(view.channel, len(near)):
            continue
        fresh = [other for other in near if other in left and other not in found]
        found.update(fresh)
        waiting += fresh
    return found
