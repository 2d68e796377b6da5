"""Static puzzles: hints, variables and a number of mines, solved by backtracking (report 3)."""

from mineproof.puzzle.order import ORDERS, Order
from mineproof.puzzle.solving import Method, Solved, draw, read_puzzles, solve_puzzle

__all__ = ["ORDERS", "Method", "Order", "Solved", "draw", "read_puzzles", "solve_puzzle"]
