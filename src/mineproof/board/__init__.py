"""TRUTH: topologies, cell sets, mine layouts, dealing, presets and world files."""

from mineproof.board.cells import CellSet
from mineproof.board.deal import deal
from mineproof.board.layout import Layout
from mineproof.board.presets import Board
from mineproof.board.topology import Topology

__all__ = ["Board", "CellSet", "Layout", "Topology", "deal"]
