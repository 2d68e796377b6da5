"""What a view holds is a collection: counted, asked by number or coordinates, walked twice."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from mineproof.board import Topology
from mineproof.errors import InputError
from mineproof.rules import Mines, Rules
from mineproof.testing import strategies
from mineproof.view import Mark, View

VIEW = View.parse("square 3x3 mines=2\n1..\n12.\n01.")


@settings(max_examples=150)
@given(strategies.views())
def test_collections_say_what_each_cell_says(view: View) -> None:
    cells = view.topology.cells
    for found, wanted in (
        (view.hidden, [cell for cell in cells if view.is_hidden(cell)]),
        (view.opened, [cell for cell in cells if view.is_open(cell)]),
        (view.opened_mines, [cell for cell in cells if view[cell] is Mark.MINE]),
    ):
        assert len(found) == len(wanted)
        assert sorted(found) == sorted(found) == wanted
        assert [cell in found for cell in cells] == [cell in wanted for cell in cells]
        assert all((view.topology.coordinates(cell) in found) for cell in wanted)
        assert list(found) == found[:] == [found[place] for place in range(len(found))]
        assert bool(found) == bool(wanted)
    clues = {cell: view.clue(cell) for cell in cells if view.clue(cell) is not None}
    assert dict(view.clues) == dict(view.clues) == clues
    assert len(view.clues) == len(clues)
    assert [cell in view.clues for cell in cells] == [cell in clues for cell in cells]
    assert all(view.clues[cell] == clue for cell, clue in clues.items())
    assert list(view) == [view[cell] for cell in cells]


def test_an_older_views_collections_stay_as_they_were() -> None:
    hidden, opened, clues = VIEW.hidden, VIEW.opened, VIEW.clues
    later = VIEW.reveal({(0, 2): 1})
    assert (0, 2) in hidden
    assert (0, 2) not in opened
    assert (0, 2) not in clues
    assert (0, 2) not in later.hidden
    assert (len(hidden), len(later.hidden)) == (4, 3)
    assert later.clues[0, 2] == 1


def test_natural_uses() -> None:
    assert VIEW.hidden[0] == 1
    assert VIEW.hidden[-1] == 8
    assert random.Random(0).choice(VIEW.hidden) in VIEW.hidden
    assert "cell" not in VIEW.hidden
    assert None not in VIEW.hidden
    assert 99 not in VIEW.hidden
    assert (9, 9) not in VIEW.clues
    assert repr(VIEW.hidden) == "<4 cells: 0,1 0,2 1,2 2,2>"
    assert repr(VIEW.clues) == "<5 clues: 0,0=1 1,0=1 1,1=2 2,0=0 2,1=1>"
    assert repr(VIEW.opened_mines) == "<no cells>"
    with pytest.raises(IndexError):
        VIEW.opened_mines[0]
    with pytest.raises(InputError, match="cell 0,1 shows no number"):
        VIEW.clues[0, 1]


@pytest.mark.parametrize("place", [4, (1, 1), [1, 1], "1,1", np.int64(4), np.array([1, 1])])
def test_a_cell_is_a_number_coordinates_or_their_text(place) -> None:
    assert VIEW[place] == VIEW.clue(place) == VIEW.clues[place] == 2
    assert VIEW.is_open(place)
    assert not VIEW.is_hidden(place)
    assert not VIEW.is_flagged(place)
    assert VIEW.topology.cell(place) == 4
    assert VIEW.topology.coordinates(place) == (1, 1)
    assert VIEW.topology.cell_name(place) == "1,1"
    assert VIEW.topology.degree(place) == len(VIEW.topology.neighbours(place)) == 8


def test_cells_are_opened_and_flagged_by_their_coordinates() -> None:
    assert VIEW.reveal({(0, 2): 1}) == VIEW.reveal({2: 1})
    assert VIEW.toggle_flag((0, 1)) == VIEW.toggle_flag(1)
    flagged = VIEW.with_flags([(0, 1), 8])
    assert flagged == VIEW.with_flags([1, 8])
    assert flagged.is_flagged((0, 1))
    assert (2, 2) in flagged.flags
    assert flagged.reveal({(0, 1): 1}).flags.names == ("2,2",)


def test_equal_collections_are_equal() -> None:
    again = View.parse(VIEW.text)
    assert VIEW.hidden == VIEW.hidden == again.hidden == list(VIEW.hidden)
    assert VIEW.hidden == tuple(VIEW.hidden)
    assert VIEW.hidden != VIEW.opened != {1}
    assert VIEW.clues == again.clues == dict(VIEW.clues)
    assert VIEW.clues != VIEW.reveal({(0, 2): 1}).clues != [1]
    assert len({VIEW.hidden, again.hidden, VIEW.clues, again.clues}) == 2


@pytest.mark.parametrize("place", [9, -1, (3, 0), "9,9", True, 1.5, (0, 1.5), (0,), None])
def test_places_that_name_no_cell_are_refused(place) -> None:
    with pytest.raises(InputError, match="accepted"):
        VIEW[place]
    with pytest.raises(InputError, match="accepted"):
        VIEW.topology.cell(place)
    with pytest.raises(InputError, match="accepted"):
        VIEW.toggle_flag(place)
    for ask in (VIEW.code, VIEW.clue, VIEW.is_open, VIEW.is_hidden, VIEW.is_flagged):
        with pytest.raises(InputError, match="accepted"):
            ask(place)


def test_a_cell_is_opened_once_whatever_it_is_called() -> None:
    with pytest.raises(InputError, match="0,1 is open already"):
        VIEW.reveal({1: 1, (0, 1): 1})


# ---------------------------------------------------------------- rules told to a player


def test_a_density_with_a_known_total_is_told_as_a_number() -> None:
    view = View(Topology.parse("9x9"), Rules())
    assert view.text.startswith("square 9x9 mines=16\n")
    assert View.parse(view.text) == view
    assert view.rules == Rules(mines=Mines.number(16))


@settings(max_examples=200)
@given(strategies.topologies(most_cells=12), strategies.rules())
def test_every_view_reads_back_whatever_its_rules(topology: Topology, rules: Rules) -> None:
    for mines in (rules.mines, Mines.density(0.3)):
        try:
            view = View(topology, replace(rules, mines=mines))
        except InputError:
            continue  # no view has such rules
        assert View.parse(view.text) == view
