"""An agent whose proved moves carry proofs: the fewest premises, in words and checkable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from mineproof.agents.agent import Agent, Beginner, Knowing, as_decision
from mineproof.agents.decision import Action, Decision, Proved
from mineproof.errors import BudgetExceeded, InconsistentPosition
from mineproof.inference.verdict import Premises, check_rules
from mineproof.proofs.documents import to_text
from mineproof.proofs.explainer import Explainer
from mineproof.proofs.proof import Proof
from mineproof.rng import Stream
from mineproof.rules import Rules
from mineproof.view.view import View

__all__ = ["Proving"]


class Proving:
    """Plays as another agent does, and explains every move that agent calls proved.

    The reason of such a move names the premises of its proof, the one that `explain` gives for the
    same view. `proofs` holds the proofs by the number of the move, from 1. A move has none if the
    cell is not certain, whatever the agent says, or if the exact engine runs out of budget.
    """

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.proofs: dict[int, Proof] = {}
        self._moves = 0

    def check_rules(self, rules: Rules, cells: int) -> None:
        """Raises RulesError as the agent does."""
        check_rules(self.agent, rules, cells)

    def begin(self, view: View, rng: Stream) -> None:
        self.proofs.clear()
        self._moves = 0
        if isinstance(self.agent, Beginner):
            self.agent.begin(view, rng)

    def act(self, view: View) -> Decision:
        decision = as_decision(self.agent.act(view), view.topology)
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

    def knowledge(self, view: View) -> str:
        """What the agent knows, if it says so."""
        return self.agent.knowledge(view) if isinstance(self.agent, Knowing) else ""

    @property
    def effort(self) -> Mapping[str, int] | int:
        """The work the agent counted."""
        found: Mapping[str, int] | int = getattr(self.agent, "effort", Counter())
        return found


def _proof(view: View, decision: Decision) -> Proof | None:
    cell, mine = decision.cell, decision.action is Action.FLAG
    if not isinstance(decision.reason, Proved) or not (mine or decision.action is Action.OPEN):
        return None
    if cell is None or cell not in view.topology.cells or view.is_open(cell):
        return None
    explainer = Explainer(view)
    try:
        certain = explainer.analysis.p[cell] == float(mine)
        return explainer.prove(cell, mine) if certain else None
    except (BudgetExceeded, InconsistentPosition):
        return None
