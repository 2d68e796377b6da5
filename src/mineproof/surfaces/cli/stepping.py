"""`--step`: the agent's next move, its knowledge and its reason, then Enter, then the move."""

from __future__ import annotations

from collections.abc import Callable

from mineproof.agents.agent import Agent, Beginner, Knowing, as_decision
from mineproof.agents.decision import Decision, Guessed, Proved
from mineproof.inference.verdict import check_rules
from mineproof.match.narration import LEFT, choice_text, reason_text
from mineproof.rng import Stream
from mineproof.rules import Rules
from mineproof.surfaces.cli.show import Show
from mineproof.surfaces.cli.terminal import Shade
from mineproof.view.view import View

__all__ = ["Stepping"]

_MOST_LINES = 24
_PROMPT = "Enter makes the move, k shows all knowledge, q leaves: "


class Stepping:
    """An agent that shows what it is about to do and waits; q or the end of the input leaves."""

    def __init__(self, agent: Agent, show: Show, ask: Callable[[str], str]) -> None:
        self._agent, self._show, self._ask = agent, show, ask

    def check_rules(self, rules: Rules, cells: int) -> None:
        """Raises RulesError as the agent does."""
        check_rules(self._agent, rules, cells)

    def begin(self, view: View, rng: Stream) -> None:
        if isinstance(self._agent, Beginner):
            self._agent.begin(view, rng)

    def act(self, view: View) -> Decision:
        decision = as_decision(self._agent.act(view), view.topology)
        self._tell(view, decision)
        while True:
            try:
                answer = self._ask(_PROMPT).strip().lower()
            except EOFError:
                answer = "q"
            if answer == "k":
                self._tell_knowledge(view)
            else:
                return Decision.stop(LEFT) if answer in ("q", "quit") else decision

    def _tell(self, view: View, decision: Decision) -> None:
        show, reason = self._show, decision.reason
        highlight: dict[int, Shade] = {}
        if isinstance(reason, Proved):
            highlight = dict.fromkeys(reason.premises.clues, Shade.PREMISE)
        elif isinstance(reason, Guessed):
            highlight = dict.fromkeys(reason.cells, Shade.CHOICE)
        if decision.cell is not None:
            highlight[decision.cell] = Shade.MOVE
        show.print("")
        show.print(show.draw(view, highlight))
        self._tell_knowledge(view, _MOST_LINES)
        action = decision.action.value
        if decision.cell is not None:
            action += f" {view.topology.cell_name(decision.cell)}"
        why = reason_text(decision, view)
        show.print(f"next: {action}" + (f" - {why}" if why else ""))
        if isinstance(reason, Guessed) and reason.cells:
            show.print(f"  from {{{choice_text(reason, view.topology)}}}")

    def _tell_knowledge(self, view: View, most: int | None = None) -> None:
        """Show what the agent knows, and at most so many lines of it."""
        if not isinstance(self._agent, Knowing):
            return
        lines = self._agent.knowledge(view).splitlines()
        if not lines:
            return
        self._show.print("knowledge:")
        for line in lines[:most]:
            self._show.print(f"  {line}")
        if most is not None and len(lines) > most:
            self._show.print(f"  and {len(lines) - most} more lines")
