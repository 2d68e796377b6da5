"""The laboratory: comparisons and their statistics."""

from mineproof.lab.compare import Comparison, compare

__all__ = ["Comparison", "compare"]
