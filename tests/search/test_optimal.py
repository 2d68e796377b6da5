"""Optimal values of small boards: known ones, and every one against brute force."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from mineproof import kernel
from mineproof.board.presets import Board
from mineproof.board.topology import Topology
from mineproof.errors import BoardError, BudgetExceeded, InputError
from mineproof.search.optimal import Optimal, optimal, orbits
from tests.search.brute import brute_values

RULES = ("any", "safe", "opening")
SQUARES = ("1x1", "1x2", "1x3", "1x4", "2x2", "2x3", "2x4", "3x3", "3x4")
OTHERS = (
    "hex:3x3",
    "torus:3x3",
    "triangle:2x4",
    "cube:2x2x2",
    "square:3x3#1,1",
    "graph:0-1,1-2,2-3,3-4,4-0,1-4",
    "graph:0-1,2-3,3-4",
)


@pytest.mark.parametrize(
    ("board", "wins", "total"),
    [("4x4/4", 961, 1820), ("3x3/2", 24, 36), ("3x3/3", 33, 84), ("3x3/4", 27, 126)],
)
def test_known_values(board: str, wins: int, total: int) -> None:
    found = optimal(board, "any")
    assert (found.wins, found.total) == (wins, total)


@pytest.mark.parametrize("shape", SQUARES + OTHERS)
def test_every_number_of_mines_under_every_rule_equals_brute_force(shape: str) -> None:
    topology = Topology.parse(shape)
    for mines in range(len(topology) + 1):
        for rule, expected in brute_values(topology, mines).items():
            if expected is None:
                with pytest.raises(BoardError, match="do not fit"):
                    optimal(f"{shape}/{mines}", rule)
            else:
                found = optimal(f"{shape}/{mines}", rule)
                assert (found.chance, set(found.best)) == expected, (mines, rule)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("board", ["3x3/3", "2x4/2", "hex:3x3/4", "3x3/9", "3x3/0", "2x2/3"])
def test_the_twin_gives_the_same(board: str, rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        found = optimal(board, rule)
    except BoardError:
        return
    monkeypatch.setattr(kernel, "available", lambda: False)
    assert optimal(board, rule) == found


def test_any_and_safe_differ_in_the_total_alone() -> None:
    free, safe = optimal("3x4/3", "any"), optimal("3x4/3", "safe")
    assert free == Optimal(free.wins, comb(12, 3), safe.best)
    assert safe == Optimal(free.wins, comb(11, 3), free.best)
    assert safe.chance == Fraction(safe.wins, safe.total)


def test_best_cells_come_in_whole_orbits() -> None:
    board = Board.parse("4x4/3")
    best = set(optimal(board, "safe").best)
    for orbit in orbits(board.topology):
        assert best.issuperset(orbit) or best.isdisjoint(orbit)


def test_orbits_of_boards() -> None:
    assert len(orbits(Topology.parse("4x4"))) == 3
    assert len(orbits(Topology.parse("torus:4x4"))) == 1
    assert len(orbits(Topology.parse("3x4"))) == 4
    assert orbits(Topology.parse("graph:0-1,1-2")) == [(0, 2), (1,)]
    # Two components of the same shape are alike too.
    assert orbits(Topology.parse("graph:0-1,2-3")) == [(0, 1, 2, 3)]


def test_too_large_a_board_is_refused_with_its_number() -> None:
    with pytest.raises(BudgetExceeded, match=r"has about 10\^10609\.4 layouts"):
        optimal("200x200/12000")
    with pytest.raises(BudgetExceeded, match=str(comb(81, 10))):
        optimal("beginner")
    with pytest.raises(BudgetExceeded, match="more than 1000 rows"):
        optimal("4x4/4", work=1000)


def test_what_is_no_such_board_is_refused() -> None:
    with pytest.raises(InputError, match="no fixed number of mines"):
        optimal("4x4/~20%")
    with pytest.raises(InputError, match="accepted: any, safe, opening"):
        optimal("4x4/4", "sure")
    with pytest.raises(InputError, match="1 or more"):
        optimal("4x4/4", work=0)
