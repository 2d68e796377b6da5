"""Best play in the endgame: the core equals its twin, and playing so wins what is promised."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

import pytest

from mineproof import kernel
from mineproof.board.presets import Board
from mineproof.board.topology import Topology
from mineproof.engine.exact import analyze, core_board_of
from mineproof.errors import BudgetExceeded, InconsistentPosition, InputError
from mineproof.kernel import core
from mineproof.rules import Mines, Rules
from mineproof.search.endgame import endgame
from mineproof.search.optimal import optimal
from mineproof.view.channels import Mark
from mineproof.view.view import View
from tests.core import needs_core

SHAPES = ("3x4", "2x6", "hex:3x4", "torus:3x4", "triangle:2x5", "graph:0-1,1-2,2-3,3-4,4-5,5-6,1-6")


def count(topology: Topology, mines: frozenset[int], cell: int) -> int:
    return sum(near in mines for near in topology.neighbours(cell))


def random_view(rng: random.Random, shape: str) -> View:
    """A position with some safe cells open, and perhaps a certain one left hidden."""
    topology = Topology.parse(shape)
    number = rng.randint(1, len(topology) - 1)
    mines = frozenset(rng.sample(list(topology.cells), number))
    safe = [cell for cell in topology.cells if cell not in mines]
    opened = rng.sample(safe, rng.randint(0, len(safe)))
    view = View(topology, Rules(mines=Mines.number(number)))
    return view.reveal({cell: count(topology, mines, cell) for cell in opened})


@pytest.mark.parametrize("shape", SHAPES)
def test_the_core_equals_its_twin(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(shape)
    views = [random_view(rng, shape) for _ in range(40)]
    in_core = [endgame(view) for view in views]
    monkeypatch.setattr(kernel, "available", lambda: False)
    for view, found in zip(views, in_core, strict=True):
        twin = endgame(view)
        assert found.chance == twin.chance, view.text
        assert found.cells == twin.cells, view.text


@needs_core
def test_regions_multiply() -> None:
    # Two sealed pairs far apart: each is a guess that nothing can help.
    view = View.parse("square 2x7 mines=2\n.10001.\n.10001.")
    found = endgame(view, solutions=2)
    assert found.chance == Fraction(1, 4)
    assert found.best == (0, 6, 7, 13)


def test_certain_cells_keep_the_chance_and_proved_mines_have_none() -> None:
    view = View.parse("square 3x3 mines=2\n1..\n12.\n01.")
    found, analysis = endgame(view), analyze(view)
    assert analysis.safe
    for cell in analysis.safe:
        assert found.cells[cell] == found.chance
    for cell in analysis.mines:
        assert found.cells[cell] == 0


@pytest.mark.parametrize("board", ["3x3/2", "3x3/3", "3x3/4", "4x3/3", "4x3/5", "hex:3x3/3"])
def test_playing_it_on_every_layout_wins_as_often_as_is_possible(board: str) -> None:
    asked = Board.parse(board)
    topology = asked.topology
    number = asked.mines.fixed(len(topology))
    assert number is not None
    empty = View(topology, Rules(mines=asked.mines))
    decisions: dict[str, int] = {}
    won = 0
    for mines in map(frozenset, combinations(topology.cells, number)):
        view = empty
        while view.hidden_count > number:
            text = view.text
            if text not in decisions:
                decisions[text] = endgame(view).best[0]
            cell = decisions[text]
            if cell in mines:
                break
            view = view.reveal({cell: count(topology, mines, cell)})
        else:
            won += 1
    assert won == optimal(asked, "any").wins


def test_too_many_solutions_and_too_much_work_are_said() -> None:
    view = View(Topology.parse("4x4"), Rules(mines=Mines.number(4)))
    with pytest.raises(BudgetExceeded, match="more than 1819 solutions"):
        endgame(view, solutions=1819)
    assert endgame(view, solutions=1820).chance == Fraction(961, 1820)
    with pytest.raises(BudgetExceeded, match="more than 1000 rows"):
        endgame(view, work=1000)


def test_contradictions_and_other_rules_are_refused() -> None:
    with pytest.raises(InconsistentPosition):
        endgame(View.parse("square 1x3 mines=2\n1.1"))
    with pytest.raises(InputError, match="known number"):
        endgame(View.parse("square 1x3 mines=unknown density=0.2\n1.."))
    with pytest.raises(InputError, match="exact clues"):
        endgame(View.parse("square 1x3 mines=1 clues=optimistic\n1.."))


@needs_core
@pytest.mark.parametrize("player", ["swift", "champion"])
@pytest.mark.parametrize(
    ("board", "rule"),
    [
        # Without a promise the endgame chooses the first cell too, where every layout fits.
        ("3x3/2", "any"),
        ("3x3/4", "any"),
        ("4x3/3", "any"),
        ("hex:3x4/3", "any"),
        # Else a best first cell is told, and what is left fits.
        ("4x3/3", "safe"),
        ("4x3/4", "safe"),
        ("4x3/6", "safe"),
    ],
)
def test_players_of_the_core_win_as_often_as_is_possible(
    board: str, rule: str, player: str
) -> None:
    asked = Board.parse(board)
    topology = asked.topology
    number = asked.mines.fixed(len(topology))
    assert number is not None
    best = optimal(asked, rule)
    first = 0 if rule == "any" else best.best[0]
    ground = core_board_of(topology)
    seat = core.Seat(ground.board, number, rule, [first], player, {})
    seat.begin(1)
    decisions: dict[bytes, tuple[bool, list[int]]] = {}
    won = 0
    for mines in map(frozenset, combinations(topology.cells, number)):
        shown = bytearray([Mark.HIDDEN.value]) * len(topology)
        while shown.count(Mark.HIDDEN.value) > number:
            if bytes(shown) not in decisions:
                safe, _ = seat.prove(shown)
                decisions[bytes(shown)] = (bool(safe), safe or [seat.guess()[0]])
            proved, cells = decisions[bytes(shown)]
            if mines.intersection(cells):
                assert not proved, "a cell was called safe that is a mine"
                break
            for cell in cells:
                shown[cell] = count(topology, mines, cell)
        else:
            won += 1
    assert won == best.wins
