"""The catalog of lattices: one file a family, and this the only list."""

from mineproof.board.lattices.cube import Cube
from mineproof.board.lattices.graph import Graph
from mineproof.board.lattices.hex import Hexagon, Rhombus
from mineproof.board.lattices.lattice import MAX_CELLS, Coordinates, Lattice, Point
from mineproof.board.lattices.square import Square, Square4, Torus
from mineproof.board.lattices.triangle import Triangle
from mineproof.registry import Catalog

__all__ = ["LATTICES", "MAX_CELLS", "Coordinates", "Lattice", "Point"]

LATTICES: Catalog[type[Lattice]] = Catalog("topology")
for _lattice in (Square, Square4, Torus, Rhombus, Hexagon, Triangle, Cube, Graph):
    LATTICES.add(_lattice.name, _lattice)
