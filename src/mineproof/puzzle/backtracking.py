"""What every search of a puzzle has: its counts, its budget, and a trace of what it tries."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from mineproof.board.topology import Topology
from mineproof.errors import BudgetExceeded

__all__ = ["MOST_NODES", "Backtracking", "Fate", "Trial", "Watching"]

MOST_NODES = 2_000_000
"""By default, a search may take this many nodes."""

_TELL_EVERY = 8192


class Fate(Enum):
    """What becomes of a value: it is kept and the search goes on below it, or not."""

    KEPT = "kept"
    REJECTED = "rejected"
    ACCEPTED = "accepted"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Trial:
    """A line of the trace: a value tried for a cell, or taken back.

    `node` counts the values tried so far, `depth` the values that stand, this one included. A value
    that is rejected is taken back at once, without a line of its own. `why` may be empty.
    """

    node: int
    depth: int
    cell: int
    mine: bool
    fate: Fate
    why: str = ""

    @property
    def value(self) -> str:
        return "mine" if self.mine else "safe"

    def to_json(self, topology: Topology) -> dict[str, Any]:
        """The object that `puzzle --trace --json` prints for one line of the trace."""
        return {
            "node": self.node,
            "depth": self.depth,
            "cell": list(topology.coordinates(self.cell)),
            "value": self.value,
            "fate": self.fate.value,
            "why": self.why,
        }


@dataclass(frozen=True)
class Watching:
    """Who is told how a search goes: of every trial, and now and then of the nodes so far."""

    trial: Callable[[Trial], None] | None = None
    nodes: Callable[[int], None] | None = None


class Backtracking(ABC):
    """A search in which values are tried, rejected, accepted and undone.

    `nodes` are the values tried, `expanded` the mines among them that were not rejected at once.
    `found` is the number of solutions so far. `cut` is set if something was left untried: solutions
    may then have been missed.
    """

    def __init__(self, budget: int, watching: Watching | None) -> None:
        self.budget = budget
        self.nodes = 0
        self.expanded = 0
        self.found = 0
        self.cut = False
        watching = watching if watching is not None else Watching()
        self._on_trial = watching.trial
        self._on_nodes = watching.nodes

    @abstractmethod
    def solutions(self) -> Iterator[tuple[int, ...]]:
        """Every solution found, once, as its mines in ascending order. Raises BudgetExceeded."""

    def _count(self) -> None:
        """Count a value that is about to be tried. Raises BudgetExceeded."""
        if self.nodes >= self.budget:
            raise BudgetExceeded(
                f"more than {self.budget} nodes; accepted: a larger budget, forward checking"
                " or another order"
            )
        self.nodes += 1
        if self._on_nodes is not None and self.nodes % _TELL_EVERY == 0:
            self._on_nodes(self.nodes)

    def _tell(self, depth: int, cell: int, mine: bool, fate: Fate, why: str = "") -> None:
        if self._on_trial is not None:
            self._on_trial(Trial(self.nodes, depth, cell, mine, fate, why))

    def _tell_rejected(self, depth: int, cell: int, mine: bool) -> None:
        if self._on_trial is not None:
            self._tell(depth, cell, mine, Fate.REJECTED, self._why_rejected(cell))

    @abstractmethod
    def _why_rejected(self, cell: int) -> str:
        """Why the value of a cell was rejected just now, in a few words."""
