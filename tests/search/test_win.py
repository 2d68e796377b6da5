"""The chance to win: exact in the endgame, estimated before it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import mineproof as mp
from mineproof import kernel
from mineproof.board.presets import Board
from mineproof.errors import BudgetExceeded, InputError
from mineproof.rules import FirstClick, Rules
from mineproof.search.endgame import endgame
from mineproof.search.win import WinChance, _sampled_chances, cell_win_chances
from mineproof.view.view import View
from tests.core import needs_core

EXAMPLE = Path(__file__).parents[2] / "examples" / "risk-or-win.txt"


def empty(board: str, rule: FirstClick = FirstClick.SAFE) -> View:
    asked = Board.parse(board)
    return View(asked.topology, Rules(mines=asked.mines, first_click=rule))


def middle_game() -> View:
    """A Beginner board with one corner open: too many solutions for the endgame."""
    return empty("beginner").reveal({0: 1})


@needs_core
def test_what_one_cell_led_to_does_not_change_what_is_found_for_another() -> None:
    """Replies of the policy are remembered across the games of all cells."""
    view = empty("8x8/12").reveal({0: 1})
    cells = [7, 2, 9, 56]
    together = {win.cell: win for win in cell_win_chances(view, cells=cells, samples=60, seed=4)}
    for cell in cells:
        assert cell_win_chances(view, cells=[cell], samples=60, seed=4) == [together[cell]]


def test_the_least_risk_is_not_the_best_chance() -> None:
    view = mp.View.parse(EXAMPLE.read_text())
    found = {win.cell: win for win in mp.win_chances(view)}
    risky, careful = found[1], found[0]
    assert (risky.risk, risky.chance, risky.exact) == (0.5, 0.5, True)
    assert (careful.risk, careful.chance) == (0.2, 0.4)
    best = endgame(view)
    assert best.chance == Fraction(1, 2)
    assert best.cells[0] == Fraction(2, 5)


def test_exact_chances_are_those_of_the_endgame_best_first() -> None:
    view = mp.View.parse("square 3x4 mines=3\n....\n.2..\n....")
    wins = cell_win_chances(view)
    best = endgame(view)
    assert {win.cell for win in wins} == set(best.cells)
    assert [win.chance for win in wins] == sorted(float(c) for c in best.cells.values())[::-1]
    assert all(win.exact and win.low == win.chance == win.high for win in wins)


@needs_core
def test_estimates_repeat_and_agree_with_best_play() -> None:
    # Small enough for best play, asked for as if it were not.
    view = empty("4x5/4", FirstClick.ANY).reveal({0: 1})
    cells = [12, 19, 4]
    exact = {win.cell: win for win in cell_win_chances(view, cells=cells)}
    assert all(win.exact for win in exact.values())
    analysis = mp.analyze(view)
    rough = _sampled_chances(analysis, cells, 300, None, 1, False)
    assert rough == _sampled_chances(analysis, cells, 300, None, 1, False)
    assert rough != _sampled_chances(analysis, cells, 300, None, 2, False)
    for win in rough:
        # A good player is a little below best play, and 300 games tell to a few per cent.
        assert abs(win.chance - exact[win.cell].chance) < 0.12
        assert win.low <= win.chance <= win.high <= 1 - win.risk


@needs_core
def test_before_the_endgame_there_is_an_interval() -> None:
    wins = cell_win_chances(middle_game(), samples=30)
    assert wins == sorted(wins, key=lambda win: -win.chance)
    assert 1 < len(wins) <= 8
    for win in wins:
        assert not win.exact
        assert win.low <= win.chance <= win.high
        assert win.high - win.low > 0.01


@needs_core
def test_intervals_hold_what_many_games_say() -> None:
    """The luck of the guesses is taken out: intervals are narrow, and still true."""
    view, cell = middle_game(), 80
    (many,) = cell_win_chances(view, cells=[cell], samples=5_000, seed=99)
    few = [cell_win_chances(view, cells=[cell], samples=40, seed=seed)[0] for seed in range(40)]
    assert sum(win.low <= many.chance <= win.high for win in few) >= 33
    assert abs(sum(win.chance for win in few) / len(few) - many.chance) < 0.015
    assert sum(win.high - win.low for win in few) / len(few) < 0.1


@needs_core
def test_asked_cells_are_answered_and_no_others() -> None:
    view = middle_game()
    assert {win.cell for win in cell_win_chances(view, cells=[80, (4, 4)], samples=5)} == {80, 40}


@needs_core
@pytest.mark.parametrize("rule", list(FirstClick))
def test_the_first_cell_is_judged_by_what_the_deal_promises(rule: FirstClick) -> None:
    (win,) = cell_win_chances(empty("beginner", rule), cells=[(2, 2)], samples=40)
    assert win.risk == (pytest.approx(10 / 81) if rule is FirstClick.ANY else 0.0)
    assert 0.5 < win.chance <= 1 - win.risk


@needs_core
def test_a_first_cell_without_room_is_left_out() -> None:
    wins = cell_win_chances(empty("3x3/4", FirstClick.OPENING), samples=5)
    assert {win.cell for win in wins} <= {0, 2, 6, 8}
    assert wins


@needs_core
def test_time_ends_the_work() -> None:
    (win,) = cell_win_chances(empty("expert"), cells=[0], samples=10**9, seconds=0.01)
    assert isinstance(win, WinChance)


@needs_core
def test_large_boards_end_in_time_or_are_refused() -> None:
    view = empty("150x150/4000").reveal({0: 1})
    with pytest.raises(BudgetExceeded, match="solutions"):
        endgame(view)
    assert cell_win_chances(view, cells=[22499], samples=10**9, seconds=0.01)


@needs_core
def test_proved_mines_have_no_chance() -> None:
    view = middle_game().reveal({80: 3})
    (win,) = cell_win_chances(view, cells=[79], samples=3)
    assert (win.chance, win.exact, win.risk) == (0.0, True, 1.0)


def test_without_the_core_only_the_endgame_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "available", lambda: False)
    view = mp.View.parse(EXAMPLE.read_text())
    assert mp.win_chances(view)[0].chance == 0.5
    with pytest.raises(BudgetExceeded, match="compiled core"):
        cell_win_chances(middle_game())


def test_what_cannot_be_asked_is_refused() -> None:
    view = middle_game()
    with pytest.raises(InputError, match="1 or more"):
        cell_win_chances(view, samples=0)
    with pytest.raises(InputError, match="more than 0"):
        cell_win_chances(view, seconds=0)
    with pytest.raises(InputError, match="opened mine"):
        cell_win_chances(View.parse("square 1x4 mines=2\n*1.."))
    with pytest.raises(InputError, match="is open"):
        cell_win_chances(view, cells=[0])
    with pytest.raises(InputError, match="known number"):
        cell_win_chances(View.parse("square 1x3 mines=unknown density=0.2\n1.."))
