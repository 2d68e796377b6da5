"""Views share one history, opening costs what it reveals, and what a view holds is a collection."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from mineproof.board import Topology
from mineproof.errors import InputError
from mineproof.rules import Mines, Rules
from mineproof.testing import strategies
from mineproof.view import Mark, Shown, Status, View, status
from mineproof.view.view import History

PLAIN = Rules(mines=Mines.number(2))


def empty(board: str = "3x3", mines: int = 2) -> View:
    return View(Topology.parse(board), Rules(mines=Mines.number(mines)))


# --------------------------------------------------------------------- the model: a dict and a set


class Games(RuleBasedStateMachine):
    """Many views of one game, opened and flagged on from anywhere, against plain copies."""

    @initialize(board=strategies.topologies(most_cells=10))
    def begin(self, board: Topology) -> None:
        rules = Rules(mines=Mines.number(len(board)))
        self.known: list[tuple[View, dict[int, Shown], set[int]]] = [
            (View(board, rules), {}, set())
        ]

    def pick(self, data: st.DataObject) -> tuple[View, dict[int, Shown], set[int]]:
        return data.draw(st.sampled_from(self.known[-6:]))

    @precondition(lambda self: len(self.known) < 25)
    @rule(data=st.data())
    def reveal(self, data: st.DataObject) -> None:
        view, shown, flags = self.pick(data)
        hidden = [cell for cell in view.topology.cells if cell not in shown]
        if not hidden:
            return
        fresh = {
            cell: data.draw(
                st.sampled_from([Mark.MINE, Mark.BLANK, *range(view.topology.degree(cell) + 1)])
            )
            for cell in data.draw(st.lists(st.sampled_from(hidden), unique=True, max_size=3))
        }
        after = view.reveal(fresh)
        since = after.opened_since(view)
        assert since is None or since == tuple(fresh)
        self.known.append((after, {**shown, **fresh}, flags - set(fresh)))

    @precondition(lambda self: len(self.known) < 25)
    @rule(data=st.data())
    def toggle(self, data: st.DataObject) -> None:
        view, shown, flags = self.pick(data)
        if hidden := [cell for cell in view.topology.cells if cell not in shown]:
            cell = data.draw(st.sampled_from(hidden))
            self.known.append((view.toggle_flag(cell), shown, flags ^ {cell}))

    @invariant()
    def every_view_is_what_it_was(self) -> None:
        for view, shown, flags in self.known:
            for cell in view.topology.cells:
                assert view[cell] == shown.get(cell, Mark.HIDDEN)
                assert view.is_open(cell) == (cell in shown) != view.is_hidden(cell)
                assert view.is_flagged(cell) == (cell in flags)
            assert list(view.opened) == list(shown)
            assert list(view.hidden) == [c for c in view.topology.cells if c not in shown]
            assert set(view.flags) == flags
            assert (view.opened_count, view.flag_count) == (len(shown), len(flags))
            assert dict(view.clues) == {c: s for c, s in shown.items() if isinstance(s, int)}
            assert list(view.opened_mines) == [c for c, s in shown.items() if s is Mark.MINE]
            assert view.codes().tolist() == [view.code(cell) for cell in view.topology.cells]


Games.TestCase.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)
TestGames = Games.TestCase


# ---------------------------------------------------------------------------- sharing and its cost


def test_older_views_stay_and_forks_go_their_own_way() -> None:
    start = empty()
    first = start.reveal({0: 1})
    flagged = first.toggle_flag(1)
    left, right = flagged.reveal({4: 2}), flagged.reveal({8: 0})
    assert [v.opened_count for v in (start, first, flagged, left, right)] == [0, 1, 1, 2, 2]
    assert left[8] is right[4] is first[4] is Mark.HIDDEN
    assert left.is_flagged(1)
    assert not first.is_flagged(1)
    assert left.opened_since(start) == (0, 4)
    assert right.opened_since(start) is None
    assert start.opened_since(left) is None


def test_opening_costs_what_it_reveals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted, not timed: a game writes every cell once and copies nothing."""
    written = copies = 0
    plain_open, plain_copy = History.open, History.copy_at

    def counting_open(self: History, cell: int, code: int) -> None:
        nonlocal written
        written += 1
        plain_open(self, cell, code)

    def counting_copy(self: History, length: int, flags: int) -> History:
        nonlocal copies
        copies += 1
        return plain_copy(self, length, flags)

    monkeypatch.setattr(History, "open", counting_open)
    monkeypatch.setattr(History, "copy_at", counting_copy)
    view = empty("40x50")
    views = [view]
    for cell in range(2000):
        if cell % 7 == 0:
            view = view.toggle_flag(cell)
        view = view.reveal({cell: Mark.BLANK})
        views.append(view)
    assert (written, copies) == (2000, 0)
    assert len({id(view._history) for view in views}) == 1
    views[1000].reveal({1500: 0})
    assert (written, copies) == (2000 + 1001, 1)


def test_opening_takes_a_flag_off() -> None:
    view = empty().toggle_flag(3)
    after = view.reveal({3: 1})
    assert (view.flag_count, after.flag_count) == (1, 0)
    assert set(view.flags) == {3}


def test_other_rules_share_the_position() -> None:
    view = empty().reveal({0: 1})
    other = view.with_rules(Rules.parse("mines=3"))
    assert (view.total, other.total) == (2, 3)
    assert other.reveal({1: 1}).opened_since(other) == (1,)
    assert view.reveal({2: 1}).opened_count == 2
    assert list(other.opened) == [0]


# ------------------------------------------------------------------------------------------ values


@settings(max_examples=60)
@given(strategies.views())
def test_views_are_values(view: View) -> None:
    again = View.of_codes(view.topology, view.rules, view.codes(), view.flags)
    assert again == view
    assert hash(again) == hash(view)
    assert View.parse(view.text) == view
    assert str(view) == view.text
    if view.hidden:
        cell = view.hidden[0]
        assert view.toggle_flag(cell) != view
        assert view.reveal({cell: Mark.BLANK}) != view
    assert view != view.text


@pytest.mark.parametrize(
    ("shown", "message"),
    [
        ({9: 0}, "not on the board"),
        ({-1: 0}, "not on the board"),
        ({0: 1}, "open already"),
        ({1: 6}, "clue 6 at 0,1, which has 5 neighbours; accepted: 0 to 5"),
        ({1: -1}, "clue -1"),
        ({1: Mark.HIDDEN}, "cannot be opened as hidden"),
    ],
)
def test_what_cannot_be_revealed_is_refused(shown: dict[int, Shown], message: str) -> None:
    view = empty().reveal({0: 1})
    with pytest.raises(InputError, match=message):
        view.reveal(shown)
    assert list(view.opened) == [0]


@pytest.mark.parametrize(
    ("cell", "said"),
    [(0, "accepted: a hidden cell"), (9, "not on the board"), (-1, "not on the board")],
)
def test_only_hidden_cells_are_flagged(cell: int, said: str) -> None:
    with pytest.raises(InputError, match=said):
        empty().reveal({0: 1}).toggle_flag(cell)


@pytest.mark.parametrize(
    "rules", ["mines=10", "mines=uniform", "mines=~20%", "mines=3 total=unknown"]
)
def test_rules_that_cannot_be_told_are_refused(rules: str) -> None:
    with pytest.raises(InputError, match=r"accepted|needs"):
        View(Topology.parse("3x3"), Rules.parse(rules))


@pytest.mark.parametrize("codes", [[0] * 8, [0] * 10, [251] + [255] * 8, [252] + [255] * 8])
def test_bytes_that_are_no_position_are_refused(codes: list[int]) -> None:
    with pytest.raises(InputError):
        View.of_codes(Topology.parse("3x3"), PLAIN, np.array(codes, dtype=np.uint8))


# ------------------------------------------------------------------------- faults that can be seen


@pytest.mark.parametrize(
    ("rows", "faults"),
    [
        ("1..\n...\n...", Status.SOUND),
        ("1*.\n.*.\n...", Status.CLUE_TOO_SMALL),
        ("301\n11.\n...", Status.CLUE_TOO_LARGE),
        ("***\n...\n...", Status.TOO_MANY_MINES),
        ("???\n???\n??.", Status.TOO_FEW_HIDDEN),
        ("FFF\n...\n...", Status.TOO_MANY_FLAGS),
    ],
)
def test_status(rows: str, faults: Status) -> None:
    found = status(View.parse(f"square 3x3 mines=2\n{rows}"))
    assert faults in found
    assert bool(found) == bool(faults)


@settings(max_examples=60)
@given(strategies.views(flags=False))
def test_positions_of_games_have_no_fault(view: View) -> None:
    assert status(view) is Status.SOUND


# --------------------------------------------------------------- what a view holds is a collection

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


# -------------------------------------------------------------------------- rules told to a player


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
