"""Many cells in few words."""

from __future__ import annotations

from mineproof.board.cell_names import folded_names
from mineproof.board.topology import Topology


def folded(board: str, *cells: int) -> str:
    return " ".join(folded_names(Topology.parse(board), cells))


def test_three_or_more_in_a_row_are_named_by_the_ends() -> None:
    assert folded("3x9", 3, 2, 1, 0, 8, 12, 13) == "0,0..0,3 0,8 1,3 1,4"
    assert folded("3x9") == ""


def test_a_run_ends_with_its_row() -> None:
    assert folded("2x3", 1, 2, 3, 4) == "0,1 0,2 1,0 1,1"
    assert folded("2x3", *range(6)) == "0,0..0,2 1,0..1,2"


def test_every_topology_folds_its_last_coordinate() -> None:
    assert folded("cube:2x2x3", *range(12)) == "0,0,0..0,0,2 0,1,0..0,1,2 1,0,0..1,0,2 1,1,0..1,1,2"
    assert folded("graph:0-1,1-2,2-3", 0, 1, 2, 3) == "0..3"
