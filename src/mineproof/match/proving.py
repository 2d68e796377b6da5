"""An agent whose proved moves carry proofs: the fewest premises, in words and checkable."""

from __future__ import annotations

from dataclasses import replace

from mineproof.agents.agent import Agent
from mineproof.agents.decision import Decision, Proved
from mineproof.errors import BudgetExceeded, InconsistentPosition
from mineproof.inference.verdict import Premises
from mineproof.match.following import Following
from mineproof.match.naming_premises import claim_of
from mineproof.proofs.documents import to_text
from mineproof.proofs.explainer import Explainer
from mineproof.proofs.proof import Proof
from mineproof.rng import Stream
from mineproof.view.view import View

__all__ = ["Proving"]


class Proving(Following):
    """Plays as another agent does, and explains every move that agent calls proved.

    The reason of such a move names the premises of its proof, the one that `explain` gives for the
    same view. `proofs` holds the proofs by the number of the move, from 1. A move has none if the
    cell is not certain, whatever the agent says, or if the exact engine runs out of budget.
    """

    def __init__(self, agent: Agent) -> None:
        super().__init__(agent)
        self.proofs: dict[int, Proof] = {}
        self._moves = 0

    def begin(self, view: View, rng: Stream) -> None:
        self.proofs.clear()
        self._moves = 0
        super().begin(view, rng)

    def followed(self, view: View, decision: Decision) -> Decision:
        self._moves += 1
        proof = _proof(view, decision)
        if proof is None:
            return decision
        self.proofs[self._moves] = proof
        assert isinstance(decision.reason, Proved)
        premises = Premises(proof.clues, proof.uses_total)
        return replace(decision, reason=Proved(decision.reason.logic, premises))

    @property
    def texts(self) -> dict[int, str]:
        """The proofs as a transcript carries them."""
        return {number: to_text(proof) for number, proof in self.proofs.items()}


def _proof(view: View, decision: Decision) -> Proof | None:
    claim = claim_of(view, decision)
    if claim is None:
        return None
    cell, mine = claim
    explainer = Explainer(view)
    try:
        certain = explainer.analysis.p[cell] == float(mine)
        return explainer.prove(cell, mine) if certain else None
    except (BudgetExceeded, InconsistentPosition):
        return None
