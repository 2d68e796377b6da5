"""Reviews: every figure is worked out again, and what is advised is never called a mistake."""

from __future__ import annotations

from dataclasses import replace

import pytest

import mineproof as mp
from mineproof.advice.adviser import Measure
from mineproof.advice.game_review import Effort, MoveVerdict, draw_review, judge
from mineproof.errors import InputError, NotationError
from mineproof.search.endgame import endgame
from mineproof.view import View
from tests.advice.test_advice import RISK_OR_WIN, UNCERTAIN
from tests.core import needs_core


def opened_mines(view: View) -> int:
    return sum(1 for _ in view.opened_mines)


@pytest.mark.parametrize("board", ["6x6/8", "hex:6x6/7", "torus:5x6/5", "cube:3x3x3/4"])
@pytest.mark.parametrize("agent", ["single-point", "random"])
def test_risk_luck_and_sums_of_whole_games(board: str, agent: str) -> None:
    guesses = 0
    for seed in range(6):
        game = mp.play(board, agent=agent, seed=seed)
        found = mp.review(game)
        assert len(found.moves) == len(game.steps)
        expected = 0.0
        luck = found.luck
        views = list(game.views())
        here = well = 0
        for move, before, after in zip(found.moves, views[:-1], views[1:], strict=True):
            cell = move.decision.cell
            if move.decision.action is not mp.Action.OPEN or cell is None:
                assert (move.risk, move.lost) == (None, 0.0)
                continue
            assert move.risk == (mp.analyze(before).p[cell] if before.opened_count else 0.0)
            assert move.lost is not None
            assert move.risk is not None
            assert move.text.endswith(".")
            if 0 < move.risk < 1:
                here += 1
                well += opened_mines(after) == opened_mines(before)
                expected += 1 - move.risk
        assert (luck.guesses, luck.held) == (here, well)
        assert luck.expected == pytest.approx(expected)
        assert luck.difference == pytest.approx(well - expected)
        assert found.lost == pytest.approx(sum(move.lost or 0 for move in found.moves))
        both = found.lost_of(Measure.WIN) + found.lost_of(Measure.RISK)
        assert found.lost == pytest.approx(both)
        lost = sorted((move.lost or 0 for move in found.moves), reverse=True)[:3]
        worst = [found.moves[n - 1].lost for n in found.worst]
        assert worst == [one for one in lost if one]
        guesses += here
    assert guesses or agent != "random"


@needs_core
def test_the_loss_at_the_end_is_that_of_best_play() -> None:
    """Every cell of every late position: from a search of its own."""
    view, seen = View.parse(RISK_OR_WIN), 0
    end = endgame(view)
    for cell in view.hidden:
        move = judge(view, mp.Decision.open(cell))
        assert move.measure is Measure.WIN
        assert move.lost == pytest.approx(float(end.chance - end.cells[cell]))
        assert (move.win and move.win.chance) == float(end.chance)
        if cell in end.best:
            assert (move.kind, move.best_cell) == (MoveVerdict.FORCED, cell)
        elif mp.analyze(view).p[cell] == 1:
            assert (move.kind, move.certain) == (MoveVerdict.BLUNDER, "mine")
        else:
            seen += 1
            assert (move.kind, move.best_cell) == (MoveVerdict.BLUNDER, 1)
            assert "wins with 40.0 %; 0,1 risks 50.0 % and wins with 50.0 %" in move.text
    assert seen == 5


@needs_core
@pytest.mark.parametrize("samples", [0, 10])
def test_what_is_advised_is_never_a_mistake(samples: int) -> None:
    class Advised:
        def act(self, view: View) -> int:
            best = mp.advise(view)
            assert best is not None
            return best.cell

    for seed in range(6):
        game = mp.play("8x8/14", agent=Advised(), seed=seed)
        found = mp.review(game, effort=Effort(samples=samples))
        assert {move.kind for move in found.moves} <= {MoveVerdict.GOOD, MoveVerdict.FORCED}
        assert (found.lost, found.worst, found.blunders) == (0.0, (), ())


@needs_core
def test_with_games_played_out_the_loss_is_one_of_the_chance_to_win() -> None:
    view = View.parse(UNCERTAIN)
    beside = judge(view, mp.Decision.open(1), Effort(samples=200))  # next to the 1: a third
    again = judge(view, mp.Decision.open(1), Effort(samples=200))
    assert beside == again
    assert (beside.measure, beside.kind) == (Measure.WIN, MoveVerdict.BLUNDER)
    assert beside.win is not None
    assert not beside.win.exact
    assert beside.lost == pytest.approx(0.2, abs=0.1)
    tie = judge(view, mp.Decision.open(72), Effort(samples=200))  # a corner as good as the best
    assert (tie.lost, tie.kind) == (0.0, MoveVerdict.FORCED)
    assert "no cell won clearly more" in tie.text
    assert judge(view, mp.Decision.open(1)).measure is Measure.WIN  # unasked
    plain = judge(view, mp.Decision.open(1), Effort(samples=0))
    assert (plain.measure, plain.win) == (Measure.RISK, None)


@needs_core
@pytest.mark.parametrize(
    ("board", "games"), [("beginner", 120), ("intermediate", 60), ("expert", 20)]
)
def test_the_champion_makes_no_blunder(board: str, games: int) -> None:
    """Its guesses in 200 games; `python -m benchmarks blunders` judges whole games of Expert."""
    judged = 0
    for seed in range(games):
        game = mp.play(board, agent="champion", seed=seed)
        views = list(game.views())
        for step, view in zip(game.steps, views, strict=False):
            if not isinstance(step.decision.reason, mp.Guessed) or not view.opened_count:
                continue
            move = judge(view, step.decision, Effort(samples=25))
            assert move.kind is not MoveVerdict.BLUNDER, (seed, move.text)
            judged += move.measure is Measure.WIN
    assert judged > 5


@needs_core
def test_the_review_and_the_best_move_agree() -> None:
    """What is advised after playing games out is what a review finds best, by the same figures."""
    compared = mistakes = 0
    for seed in range(3):
        game = mp.play("16x16/51", agent="exact", seed=seed)
        for view, step in zip(game.views(), game.steps, strict=False):
            if not isinstance(step.decision.reason, mp.Guessed) or not view.opened_count:
                continue
            wins = mp.win_chances(view, samples=40)
            best = mp.advise(view, wins=wins)
            assert best is not None
            assert best.win is not None
            if best.win.exact:
                continue
            compared += 1
            own = judge(view, mp.Decision.open(best.cell), Effort(samples=40))
            assert (own.kind, own.lost, own.win) == (MoveVerdict.FORCED, 0.0, best.win)
            risks = mp.analyze(view).p
            riskiest = max((risks[cell], cell) for cell in view.hidden if risks[cell] < 1)[1]
            for cell in {riskiest, *(win.cell for win in wins)}:
                move = judge(view, mp.Decision.open(cell), Effort(samples=40))
                assert move.lost == 0.0 or cell not in best.ties
                assert move.lost == 0.0 or move.best_cell == best.cell
                mistakes += bool(move.lost)
    assert compared > 2
    assert mistakes


@pytest.mark.parametrize("clues", ["cautious", "withheld:0.3"])
def test_where_only_risks_can_be_compared_the_text_says_so(clues: str) -> None:
    view = View.parse(f"square 4x4 mines=3 clues={clues}\n1...\n....\n....\n....\n")
    move = judge(view, mp.Decision.open(1))
    assert move.measure is Measure.RISK
    assert move.text.endswith("Clues may be missing or wrong, so only risks are compared.")


@needs_core
def test_the_chance_to_win_is_known_move_by_move_near_the_end() -> None:
    game = mp.play("5x5/4", agent="exact", seed=3)
    found = mp.review(game, effort=Effort(ends=True))
    known = 0
    for move, view in zip(found.moves, game.views(), strict=False):
        if move.win is not None:
            known += 1
            assert move.win.chance == float(endgame(view).chance)
    assert known > 3


def test_flags_and_stops_are_judged_too() -> None:
    view = View.parse("square 3x3 mines=2\n1..\n12.\n01.")
    said = [judge(view, mp.Decision.flag(cell)) for cell in (1, 2, 5)]
    assert [move.kind for move in said] == [
        MoveVerdict.GOOD,
        MoveVerdict.INACCURACY,
        MoveVerdict.GOOD,
    ]
    assert [move.certain for move in said] == ["mine", "safe", None]
    assert "Nothing proves the flag at 1,2: its mine chance is 50.0 %." in said[2].text
    assert judge(view, mp.Decision.stop()).kind is MoveVerdict.GOOD


def test_a_guess_beside_a_safe_cell_gives_it_as_the_better_one() -> None:
    view = View.parse("square 3x3 mines=2\n1..\n12.\n01.")
    move = judge(view, mp.Decision.open(5))
    assert (move.kind, move.best_cell, move.best_risk) == (MoveVerdict.BLUNDER, 2, 0.0)
    assert move.text.startswith("1,2 risked 50.0 %; 0,2 was certainly safe")


def test_moves_that_are_not_wanted_stay_unjudged() -> None:
    game = mp.play("5x5/3", agent="single-point", seed=1)
    found = mp.review(game, watch=lambda number: number < 2)
    assert found.moves[0].kind is not None
    assert found.unjudged == len(game.steps) - 1


def test_a_sequence_of_moves_is_a_game_too() -> None:
    game = mp.play("6x6/8", agent="random", seed=2)
    views = list(game.views())
    decisions = [step.decision for step in game.steps]
    moves = list(zip(views, decisions, views[1:], strict=False))
    assert mp.review(moves) == mp.review(game)
    assert mp.review(mp.Transcript.parse(game.text)) == mp.review(game)


def test_a_game_that_cannot_be_is_refused() -> None:
    game = mp.play("4x4/3", agent="random", seed=2)
    forged = replace(game, steps=game.steps[:1] * 2)
    with pytest.raises(NotationError, match="step 2"):
        mp.review(forged)
    endless = replace(game, steps=game.steps[:1] * 165)
    with pytest.raises(InputError, match="165 steps; accepted: at most 164"):
        mp.review(endless)


def test_the_picture_of_an_empty_game_and_of_one_move() -> None:
    game = mp.play("4x4/3", agent="random", seed=2)
    for steps in (0, 1):
        found = mp.review(replace(game, steps=game.steps[:steps]))
        assert draw_review(found, "a <game>").startswith("<svg")
        assert "a &lt;game&gt;" in draw_review(found, "a <game>")


HALF = View.parse("square 1x3 mines=1\n.1.")


@pytest.mark.parametrize(
    ("view", "decision", "unsound"),
    [
        (HALF, mp.Decision.open(0, mp.Proved("hope")), True),
        (HALF, mp.Decision.flag(0, mp.Proved("hope")), True),
        (HALF, mp.Decision.open(0), False),
        (HALF, mp.Decision.flag(0, mp.Guessed("hope", 2)), False),
        (HALF, mp.Decision.unflag(0, mp.Proved("hope")), False),
        (View.parse("square 1x3 mines=1\n.10"), mp.Decision.flag(0, mp.Proved("one")), False),
        (View.parse("square 1x4 mines=1\n.10."), mp.Decision.open(3, mp.Proved("zero")), False),
    ],
)
def test_a_move_that_is_called_proved_and_is_not_is_unsound(
    view: View, decision: mp.Decision, unsound: bool
) -> None:
    judged = judge(view, decision)
    assert judged.unsound is unsound
    assert judged.text.startswith("UNSOUND: called proved, but ") is unsound


def test_the_review_numbers_the_unsound_moves() -> None:
    class Hopes:
        def act(self, view: View) -> mp.Decision:
            return mp.Decision.open(view.hidden[0], mp.Proved("hope"))

    game = mp.play("5x5/6", Hopes, seed=3, judge=True)
    marked = tuple(n for n, step in enumerate(game.steps, 1) if step.unsound is not None)
    assert mp.review(game).unsound == marked != ()
    assert mp.review(mp.play("5x5/6", "exact", seed=3)).unsound == ()
