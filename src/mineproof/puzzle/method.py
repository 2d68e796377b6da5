"""How a puzzle is searched: a value with a text, which makes the search."""

from __future__ import annotations

from dataclasses import dataclass, field

from mineproof.errors import InputError
from mineproof.puzzle.backtracking import MOST_NODES, Backtracking, Watching
from mineproof.puzzle.hints import Hints
from mineproof.puzzle.listing_search import ListingSearch
from mineproof.puzzle.order import Order
from mineproof.puzzle.report_search import CHILDREN, ReportSearch
from mineproof.puzzle.search import PuzzleSearch

__all__ = ["Method"]

_MOST_LOOKS = 40_000_000


@dataclass(frozen=True)
class Method:
    """How a puzzle is searched. Raises InputError for what the order's search cannot do.

    `children` is None for all of them, and for the report's own number with its own searches.
    """

    order: Order = field(default_factory=Order)
    forward_checking: bool = False
    children: int | None = None
    memo: bool = False

    def __post_init__(self) -> None:
        own = self.order.own
        if own and self.forward_checking:
            raise InputError(f"order {own} has no forward checking; accepted: without it")
        if own == "listing" and self.memo:
            raise InputError("order listing has no memo; accepted: without it, or order report")

    @property
    def most_children(self) -> int | None:
        """The limit on children that the search keeps; None if there is none."""
        return CHILDREN if self.children is None and self.order.own else self.children

    @property
    def text(self) -> str:
        words = [self.order.text]
        if self.forward_checking:
            words.append("forward-checking")
        if self.most_children is not None:
            words.append(f"children={self.most_children}")
        if self.memo:
            words.append("memo")
        return " ".join(words)

    def most_nodes(self, variables: int) -> int:
        """The budget by default; less on large boards if every node looks at every variable."""
        if not self.order.cells:
            return MOST_NODES
        return min(MOST_NODES, _MOST_LOOKS // max(variables, 1))

    def search(
        self, hints: Hints, *, budget: int = MOST_NODES, watching: Watching | None = None
    ) -> Backtracking:
        """The search of a puzzle. Raises InputError if it is none that this search can do."""
        limit = self.most_children
        if self.order.own and limit is not None:
            if self.order.own == "listing":
                return ListingSearch(hints, limit, budget=budget, watching=watching)
            return ReportSearch(hints, limit, memo=self.memo, budget=budget, watching=watching)
        return PuzzleSearch(
            hints,
            self.order,
            forward_checking=self.forward_checking,
            children=limit,
            memo=self.memo,
            budget=budget,
            watching=watching,
        )
