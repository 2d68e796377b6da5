"""An agent that plays as another does, and looks at or adds to every move on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from mineproof.agents.agent import Agent, Beginner, Knowing, as_decision
from mineproof.agents.decision import Decision
from mineproof.inference.verdict import check_rules
from mineproof.rng import Stream
from mineproof.rules import Rules
from mineproof.view.view import View

__all__ = ["Following"]


class Following:
    """Plays as another agent does; the base of those that add something to its moves."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    def check_rules(self, rules: Rules, cells: int) -> None:
        """Raises RulesError as the agent does."""
        check_rules(self.agent, rules, cells)

    def begin(self, view: View, rng: Stream) -> None:
        if isinstance(self.agent, Beginner):
            self.agent.begin(view, rng)

    def act(self, view: View) -> Decision:
        return self.followed(view, as_decision(self.agent.act(view), view.topology))

    def followed(self, view: View, decision: Decision) -> Decision:
        """What is played where the agent decided so."""
        return decision

    def knowledge(self, view: View) -> str:
        """What the agent knows, if it says so."""
        return self.agent.knowledge(view) if isinstance(self.agent, Knowing) else ""

    @property
    def tells_knowledge(self) -> bool:
        """Whether the agent at the bottom has a knowledge base to tell of."""
        agent = self.agent
        return agent.tells_knowledge if isinstance(agent, Following) else isinstance(agent, Knowing)

    @property
    def effort(self) -> Mapping[str, int] | int:
        """The work the agent counted."""
        found: Mapping[str, int] | int = getattr(self.agent, "effort", Counter())
        return found
