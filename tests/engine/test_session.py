"""A session answers as a fresh analysis of its newest view does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof.board import Topology, deal
from mineproof.engine.analysis import Budget
from mineproof.engine.exact import analyze
from mineproof.engine.session import Session
from mineproof.errors import BudgetExceeded, InconsistentPosition, InputError
from mineproof.game.referee import Referee
from mineproof.rules import Mines, Rules
from mineproof.testing.strategies import topologies, views
from mineproof.view import Mark, View


@pytest.fixture(params=["core", "twin"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With the compiled core, and without it."""
    if request.param == "twin":
        monkeypatch.setattr("mineproof.kernel.core", None)
    return str(request.param)


def everything_certain(session: Session) -> tuple[set[int], set[int]]:
    safe: set[int] = set()
    mines: set[int] = set()
    while True:
        more_safe, more_mines = session.newly_certain()
        if not more_safe and not more_mines:
            return safe, mines
        assert safe.isdisjoint(more_safe)
        assert mines.isdisjoint(more_mines)
        safe.update(more_safe)
        mines.update(more_mines)


@given(views(topologies(20), flags=False), st.data())
@settings(max_examples=150)
def test_a_session_equals_a_fresh_analysis(end: View, data: st.DataObject) -> None:
    order = data.draw(st.permutations(list(end.opened)))
    asked = data.draw(st.lists(st.booleans(), min_size=len(order), max_size=len(order)))
    session = Session(View(end.topology, end.rules))
    safe: set[int] = set()
    mines: set[int] = set()
    for cell, ask in zip(order, asked, strict=True):
        session.open(cell, end[cell])
        if ask:
            found = session.newly_certain()
            safe.update(found[0])
            mines.update(found[1])
            assert np.abs(session.p.array - analyze(session.view).p.array).max() < 1e-12
    last = everything_certain(session)
    fresh = analyze(end)
    assert {cell for cell in safe | last[0] if end.is_hidden(cell)} == set(fresh.safe)
    assert {cell for cell in mines | last[1] if end.is_hidden(cell)} == set(fresh.mines)
    assert np.abs(session.p.array - fresh.p.array).max() < 1e-12
    for cell in list(end.hidden)[:3]:
        assert abs(session.chance(cell) - fresh.p[cell]) < 1e-12
    assert session.view == end


def test_a_whole_game(engine: str) -> None:
    topology = Topology.parse("9x9")
    referee = Referee(deal(topology, Mines.number(10), 3))
    referee.open(next(c for c in topology.cells if not referee._truth.counts[c]))
    session = Session(referee.view)
    while not referee.over:
        safe, _ = session.newly_certain()
        if not safe:
            break
        for cell in safe:
            if referee.view.is_hidden(cell):
                referee.open(cell)
        session.follow(referee.view)
        fresh = analyze(referee.view)
        assert np.abs(session.p.array - fresh.p.array).max() < 1e-12
    assert referee.view.opened_count > 40


def test_cells_by_coordinates_and_marks(engine: str) -> None:
    session = Session(View.parse("square 1x5 mines=2 on-mine=continue\n....."))
    session.open((0, 1), 1)
    assert session.chance((0, 0)) == pytest.approx(1 / 2)
    session.open(0, Mark.MINE)
    assert session.newly_certain()[0] == [2]
    session.open(2, Mark.BLANK)
    assert session.p[3] == pytest.approx(1 / 2)


def test_trusted_flags(engine: str) -> None:
    view = View.parse("square 1x4 mines=2\nF1..")
    assert everything_certain(Session(view)) == (set(), {3})
    session = Session(view, trust_flags=True)
    assert session.p.array.tolist() == [1, 0, 0, 1]


def test_sessions_refuse_what_is_wrong(engine: str) -> None:
    view = View.parse("square 1x5 mines=2\n.....")
    session = Session(view)
    session.open(1, 1)
    with pytest.raises(InputError, match="open already"):
        session.open(1, 1)
    with pytest.raises(InputError, match="not on the board"):
        session.open(7, 1)
    with pytest.raises(InputError, match="later views"):
        session.follow(View.parse("square 1x5 mines=2\n....1"))


def test_a_contradiction_is_told_when_it_shows(engine: str) -> None:
    with pytest.raises(InconsistentPosition, match="0,1 and 0,3"):
        _told("square 1x5 mines=unknown\n.....", {1: 2, 3: 0})
    with pytest.raises(InconsistentPosition, match="3 mines"):
        _told("square 1x4 mines=3\n....", {1: 1})


def _told(text: str, shown: dict[int, int]) -> None:
    session = Session(View.parse(text))
    for cell, clue in shown.items():
        session.open(cell, clue)
    everything_certain(session)
    assert len(session.p)


def test_sessions_keep_to_their_budget(engine: str) -> None:
    side = 14
    topology = Topology.parse(f"{side}x{side}")
    codes = np.full(len(topology), Mark.HIDDEN.value, dtype=np.uint8)
    codes.reshape(side, side)[::2, ::2] = 2
    view = View.of_codes(topology, Rules.parse("mines=~25% total=unknown"), codes)
    with pytest.raises(BudgetExceeded, match="boxes"):
        Session(view, budget=Budget(states=1000)).newly_certain()
