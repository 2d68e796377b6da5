"""An agent whose proved moves name the clues that they rest on, whatever its logic keeps track of.

Logics that search or count (`reductio`, `sat`, `exact`, `champion`) prove cells without saying from
which clues, because games are played by the million. Where one game is shown, few premises that
force the cell are looked for afterwards, move by move. Clues near the cell are tried first, so that
a move on a large board costs what lies around it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mineproof.agents.decision import Action, Decision, Proved
from mineproof.errors import BudgetExceeded
from mineproof.inference.verdict import Premises
from mineproof.match.following import Following
from mineproof.proofs.premises import Evidence, Read
from mineproof.proofs.smallest import Finder
from mineproof.view.channels import EXACT
from mineproof.view.marks import MAX_CLUE, Mark
from mineproof.view.view import View

__all__ = ["NamingPremises", "claim_of", "few_premises"]

_NEAR = 6
"""How many steps from a cell clues are looked for first."""
_STEPS = 6_000
"""The work spent on one move: what is shown must come at once, and need not be the fewest."""
_HIDDEN, _MINE = Mark.HIDDEN.value, Mark.MINE.value
_MANY = 4
"""More clues than a reader follows: fewer are looked for."""


class NamingPremises(Following):
    """Plays as another agent does, and names the premises of every move that it calls proved.

    A reason that names a few clues stays as it is. A move that nothing forces gets no premises,
    whatever the agent says.
    """

    def followed(self, view: View, decision: Decision) -> Decision:
        reason, claim = decision.reason, claim_of(view, decision)
        if claim is None or not isinstance(reason, Proved):
            return decision
        given = reason.premises
        if 0 < len(given.clues) <= _MANY:
            return decision
        found = few_premises(view, *claim)
        if found is None or 0 < len(given.clues) <= len(found.clues):
            return decision
        premises = replace(found, by_contradiction=given.by_contradiction)
        return replace(decision, reason=Proved(reason.logic, premises))


def claim_of(view: View, decision: Decision) -> tuple[int, bool] | None:
    """The hidden cell that a move calls proved, and whether as a mine; None for other moves."""
    cell, mine = decision.cell, decision.action is Action.FLAG
    if not isinstance(decision.reason, Proved) or not (mine or decision.action is Action.OPEN):
        return None
    if cell is None or cell not in view.topology.cells or view.is_open(cell):
        return None
    return cell, mine


def few_premises(view: View, cell: int, mine: bool) -> Premises | None:
    """A few premises that force a hidden cell, all of them needed; None where none are found."""
    if view.channel is EXACT:
        for clue, hidden, allowed in sorted(_reads_near(view, cell, 1)):
            if allowed == (1 << len(hidden) if mine else 1) and cell in hidden:
                return Premises((clue,))
        near = Evidence(view, sorted(_reads_near(view, cell, _NEAR)), total=False)
        found = _forced(near, cell, mine)
        if found is not None:
            return found
    return _forced(Evidence(view), cell, mine)


def _forced(evidence: Evidence, cell: int, mine: bool) -> Premises | None:
    try:
        found = Finder(evidence, _STEPS).force(cell, mine)
    except BudgetExceeded:
        return None
    if found is None:
        return None
    clues = [evidence.premises[number].clue for number in found.numbers]
    return Premises(tuple(clue for clue in clues if clue is not None), total=None in clues)


def _reads_near(view: View, cell: int, steps: int) -> Iterator[Read]:
    """What the plain clues near a cell say of hidden cells."""
    neighbours = view.topology.neighbours
    reached, layer = {cell}, [cell]
    for _ in range(steps):
        layer = sorted({near for here in layer for near in neighbours(here)} - reached)
        reached.update(layer)
    codes = view.code_bytes()
    for here in reached:
        clue = codes[here]
        if clue > MAX_CLUE:
            continue
        around = neighbours(here)
        hidden = tuple([near for near in around if codes[near] == _HIDDEN])
        if hidden:
            left = clue - [codes[near] for near in around].count(_MINE)
            yield here, hidden, 1 << left if 0 <= left <= len(hidden) else 0
