"""Static puzzles: hints, variables and a number of mines, solved by backtracking (report 3)."""

from mineproof.puzzle.backtracking import MOST_NODES, Fate, Trial, Watching
from mineproof.puzzle.method import Method
from mineproof.puzzle.order import ORDERS, Order
from mineproof.puzzle.solving import Solved, draw, read_puzzles, solve_puzzle

__all__ = [
    "MOST_NODES",
    "ORDERS",
    "Fate",
    "Method",
    "Order",
    "Solved",
    "Trial",
    "Watching",
    "draw",
    "read_puzzles",
    "solve_puzzle",
]
