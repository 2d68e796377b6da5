"""How much an agent knows, move by move: the size of its knowledge base in every round."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from mineproof.agents.agent import Agent
from mineproof.agents.decision import Decision
from mineproof.board.layout import count_mines
from mineproof.match.following import Following
from mineproof.rng import Stream
from mineproof.view.marks import MAX_CLUE, Mark
from mineproof.view.view import View

__all__ = ["KnowledgeLog", "KnowledgeSize", "statements_of"]

_KNOWN = ("safe:", "mines:")
"""Lines of knowledge that list cells already known, and state nothing new."""


@dataclass(frozen=True)
class KnowledgeSize:
    """What was known when a step was made.

    `statements` is the number of statements in the agent's knowledge base (clauses, equations,
    sets or chances, as `--step` shows them), or None where the agent tells nothing. `open_clues`
    are the clues that touch a cell neither open nor flagged, `hidden` the number of those cells.
    """

    step: int
    statements: int | None
    open_clues: int
    hidden: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


class KnowledgeLog(Following):
    """Plays as another agent does, and measures before every move what is known."""

    def __init__(self, agent: Agent) -> None:
        super().__init__(agent)
        self.sizes: list[KnowledgeSize] = []

    def begin(self, view: View, rng: Stream) -> None:
        self.sizes.clear()
        super().begin(view, rng)

    def followed(self, view: View, decision: Decision) -> Decision:
        statements, _ = statements_of(self.knowledge(view))
        self.sizes.append(
            KnowledgeSize(
                len(self.sizes) + 1,
                len(statements) if self.tells_knowledge else None,
                _open_clues(view),
                view.hidden_count - view.flag_count,
            )
        )
        return decision


def statements_of(knowledge: str) -> tuple[list[str], list[str]]:
    """The lines of a knowledge base that state something, and those that list known cells."""
    lines = knowledge.splitlines()
    known = [line for line in lines if line.startswith(_KNOWN)]
    return [line for line in lines if not line.startswith(_KNOWN)], known


def _open_clues(view: View) -> int:
    codes = view.codes()
    hidden = (codes == Mark.HIDDEN.value).astype(np.uint8)
    if view.flag_count:
        hidden[list(view.flags)] = 0
    around = count_mines(view.topology, hidden)
    return int(np.count_nonzero((codes <= MAX_CLUE) & (around > 0)))
