"""Static puzzles: hints, variables and a number of mines, solved by backtracking (report 3)."""

from mineproof.csp.search import MOST_NODES, ORDERS, SearchOrder, SearchWatcher, Trial, TrialFate
from mineproof.csp.solve import (
    SearchMethod,
    SearchResult,
    draw_solution,
    read_puzzles,
    solve_puzzle,
)

__all__ = [
    "MOST_NODES",
    "ORDERS",
    "SearchMethod",
    "SearchOrder",
    "SearchResult",
    "SearchWatcher",
    "Trial",
    "TrialFate",
    "draw_solution",
    "read_puzzles",
    "solve_puzzle",
]
