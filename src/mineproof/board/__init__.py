"""TRUTH: topologies, cell sets, mine layouts, dealing, presets and world files."""

from mineproof.board.layout import Layout, deal
from mineproof.board.presets import Board, World
from mineproof.board.topology import CellSet, Topology

__all__ = ["Board", "CellSet", "Layout", "Topology", "World", "deal"]
