"""One meaning of best: certain first, then what wins most; hints tell a little of it at a time."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from itertools import islice
from types import ModuleType

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof import advice, kernel
from mineproof.advice import adviser, game_review, win_chances
from mineproof.advice.adviser import EQUAL, Advice, Basis, Measure, is_promised, obstacle
from mineproof.advice.hints import Hint, HintKind, hint
from mineproof.engine.analysis import Analysis
from mineproof.errors import InputError
from mineproof.game.referee import Referee
from mineproof.proofs.checker import check_proof
from mineproof.search.endgame import endgame
from mineproof.search.win import WinChance
from mineproof.testing.strategies import views
from mineproof.text import percent
from mineproof.view import Mark, View
from tests.core import needs_core


def advised(view: View, wins: list[WinChance] | None = None) -> Advice:
    found = mp.advise(view, wins=wins or ())
    assert found is not None
    return found


@settings(max_examples=300)
@given(view=views())
@example(View.parse("square 2x5 mines=unknown density=uniform clues=cautious\n.212.\n.....")).via(
    "two risks that only rounding tells apart"
)
def test_any_position_on_any_board_by_any_rules(view: View) -> None:
    analysis = mp.analyze(view)
    best = mp.advise(view)
    least = analysis.least_risk
    assert (best is None) == (least is None)
    if best is None or least is None:
        return
    assert best == mp.advise(analysis)
    assert view.is_hidden(best.cell)
    assert best.cell not in best.ties
    assert str(best).endswith(".")
    if is_promised(view):
        assert (best.basis, best.risk) == (Basis.FIRST_CLICK, 0.0)
        return
    assert best.risk == analysis.p[best.cell] < 1
    safe = set(analysis.safe)
    assert (best.basis is Basis.CERTAIN) == bool(safe)
    if safe:
        assert {best.cell, *best.ties} == safe
    elif obstacle(view) is not None:
        assert best.basis is Basis.LEAST_RISK
        assert best.risk == least.p
        # `alike` counts what is equal to the last bit, ties what only rounding tells apart.
        tied = {cell for cell in view.hidden if abs(analysis.p[cell] - least.p) <= EQUAL}
        assert {best.cell, *best.ties} == tied
        assert least.alike == sum(analysis.p[cell] == least.p for cell in tied)
        assert "only risks are weighed" in best.text
    losses = [one.lost for one in best.alternatives if one.lost is not None]
    assert losses == sorted(losses)
    assert min(losses, default=0.0) >= 0


# -- best play -----------------------------------------------------------------------------------


@needs_core
def test_near_the_end_the_best_move_is_that_of_best_play() -> None:
    seen = 0
    for analysis in guesses("6x6/9", 40):
        best = advised(analysis.view)
        if best.basis is not Basis.BEST_PLAY:
            continue
        seen += 1
        end = endgame(analysis.view)
        assert {best.cell, *best.ties} == set(end.best)
        assert best.risk == min(analysis.p[cell] for cell in end.best)
        assert best.win is not None
        assert best.win.chance == best.win.low == best.win.high == float(end.chance)
        for one in best.alternatives:
            assert one.win is not None
            assert one.win.chance == float(end.cells[one.cell])
            assert one.lost == pytest.approx(float(end.chance - end.cells[one.cell]))
            assert (one.lost == 0) == (one.cell in best.ties)
        told = {percent(float(chance)) for chance in end.cells.values()}
        told |= {percent(analysis.p[cell]) for cell in analysis.view.hidden}
        assert set(re.findall(r"[<>]?[\d.]+ %", best.text)) <= told
    assert seen > 15


@needs_core
def test_the_least_risk_is_not_always_best() -> None:
    best = advised(View.parse(RISK_OR_WIN))
    assert (best.cell, best.risk, best.ties) == (1, 0.5, (6, 16, 21))
    rival = best.next_best
    assert rival is not None
    assert (rival.cell, rival.risk, rival.lost) == (0, pytest.approx(0.2), pytest.approx(0.1))


# -- look-ahead ----------------------------------------------------------------------------------


def alive_by_hand(analysis: mp.Analysis, cell: int) -> float:
    """The chance to live through this cell and then one of the least risk."""
    alive = 0.0
    for shown, chance in analysis.clue_distribution(cell).items():
        if shown is not Mark.MINE:
            after = mp.analyze(analysis.view.reveal({cell: shown}))
            risks = [after.p[other] for other in after.view.hidden]
            alive += chance * (1 - min(risks, default=0.0) if min(risks, default=0.0) < 1 else 1)
    return alive


@needs_core
def test_a_riskier_cell_comes_with_figures_that_hold() -> None:
    said = {"live through this move": 0, "must be guessed anyway": 0, "look safer": 0}
    riskier = 0
    for analysis in guesses("8x8/14", 60):
        best, least = advised(analysis.view), analysis.least_risk
        if best.basis is not Basis.LOOK_AHEAD:
            continue
        assert least is not None
        assert best.measure is Measure.ALIVE
        if best.risk == pytest.approx(least.p, abs=1e-12):
            assert "has the least risk" in best.text
            continue
        riskier += 1
        said.update({key: said[key] + 1 for key in said if key in best.text})
        if "live through this move" in best.text:
            here, there = (alive_by_hand(analysis, one) for one in (best.cell, least.cell))
            assert f"is {percent(here)} against {percent(there)}." in best.text
            assert here > there
    assert sum(said.values()) == riskier > 0
    assert said["live through this move"]


@needs_core
def test_what_alternatives_give_away_ahead_is_worked_out_again() -> None:
    view = View.parse(UNCERTAIN)
    best, analysis = advised(view), mp.analyze(view)
    assert best.basis is Basis.LOOK_AHEAD
    alive = alive_by_hand(analysis, best.cell)
    for one in best.alternatives:
        lost = alive - alive_by_hand(analysis, one.cell)
        assert one.lost == (pytest.approx(lost, abs=1e-9) if lost >= -1e-12 else None)
    assert best.ties == (72,)  # the opposite corner, by symmetry


# -- chances to win ------------------------------------------------------------------------------


@st.composite
def estimates(draw: st.DrawFn) -> list[WinChance]:
    """Chances for cells of UNCERTAIN, with any intervals."""
    shares = st.floats(0, 1)
    found = []
    for cell in draw(st.sets(st.sampled_from([1, 8, 9, 40, 72, 80]), min_size=1)):
        low, chance, high = sorted(draw(shares) for _ in range(3))
        found.append(WinChance(cell, chance, low, high, False, 0.1))
    return found


@needs_core
@given(wins=estimates())
def test_the_best_move_is_never_clearly_below_another(wins: list[WinChance]) -> None:
    best = advised(View.parse(UNCERTAIN), wins)
    assert best.basis is Basis.ROLLOUTS
    assert best.win in wins
    assert best.win is not None
    surely = max(one.low for one in wins)
    assert best.win.high >= surely
    for one in wins:
        if one is not best.win:
            assert (one.cell in best.ties) == (one.high >= surely - EQUAL)
    assert ("with it within the error" in best.text) == bool(best.ties)
    assert ("is preferred" in best.text) == bool(best.ties)


@needs_core
def test_the_star_on_31_8_says_why() -> None:
    """The best is one of those that tie with the highest estimate, and it says why."""
    view = View.parse(UNCERTAIN)
    ahead = advised(view)
    wins = [
        WinChance(40, 0.341, 0.321, 0.361, False, 0.2),
        WinChance(41, 0.328, 0.308, 0.348, False, 0.2),
        WinChance(ahead.cell, 0.325, 0.300, 0.345, False, ahead.risk),
        WinChance(42, 0.310, 0.295, 0.320, False, 0.2),
    ]
    best = advised(view, wins)
    name = view.topology.cell_name
    assert (best.cell, set(best.ties)) == (ahead.cell, {40, 41})
    assert f"win with {wins[2].text} after {name(ahead.cell)}" in best.text
    assert f"2 other cells tie with it within the error: {name(40)} 34.1 ± 2.0 %" in best.text
    assert f"{name(ahead.cell)} is preferred: of them no cell has less risk" in best.text
    assert f"The next best, {name(42)}, wins with {wins[3].text}." in best.text


@needs_core
def test_of_estimates_that_tie_the_guess_ahead_is_taken() -> None:
    view = View.parse(UNCERTAIN)
    ahead = advised(view).cell
    guess = WinChance(ahead, 0.75, 0.6, 0.85, False, 0.1)
    assert advised(view, [WinChance(40, 0.8, 0.7, 0.9, False, 0.1), guess]).cell == ahead
    assert advised(view, [WinChance(40, 0.8, 0.76, 0.9, False, 0.1), guess]).cell == 40


@needs_core
def test_games_played_out_list_the_best_move_and_repeat() -> None:
    for analysis in islice(guesses("intermediate", 3), 4):
        view = analysis.view
        wins = win_chances(view, samples=20, seed=3)
        assert advised(view).cell in {win.cell for win in wins}
        assert wins == win_chances(view, samples=20, seed=3)
        best = advised(view, wins)
        assert best.win in wins


@needs_core
@pytest.mark.parametrize("rule", ["safe", "opening"])
def test_the_first_cell_knows_the_rules_and_its_chance(rule: str) -> None:
    view = View.parse(f"square 9x9 mines=10 first-click={rule}\n" + 9 * ".........\n")
    best = advised(view)
    assert (best.basis, best.risk) == (Basis.FIRST_CLICK, 0.0)
    wins = win_chances(view, samples=20)
    weighed = advised(view, wins)
    assert (weighed.basis, weighed.risk) == (Basis.FIRST_CLICK, 0.0)
    assert weighed.win is not None
    assert all(weighed.win.high >= win.low for win in wins)
    assert best.cell in {win.cell for win in wins}


@needs_core
def test_what_is_certain_is_best_whatever_estimates_say() -> None:
    view = View.parse("square 3x3 mines=2\n1..\n12.\n01.")
    wins = [WinChance(5, 0.9, 0.8, 1.0, False, 0.5), WinChance(2, 0.3, 0.2, 0.4, False, 0.0)]
    best = advised(view, wins)
    assert (best.cell, best.basis, best.risk) == (2, Basis.CERTAIN, 0.0)


# -- where nothing but risks can be weighed --------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ("mines=unknown density=0.2", "The number of mines is not known"),
        ("mines=3 clues=noisy:0.1", "Clues may be missing or wrong"),
        ("mines=3 on-mine=continue", "A mine does not end the game"),
        ("mines=3 goal=mark-all", "The game is won by marking mines"),
    ],
)
def test_other_rules_fall_back_to_the_least_risk_and_say_so(header: str, why: str) -> None:
    view = View.parse(f"square 4x4 {header}\n1...\n....\n....\n....\n")
    best, least = advised(view), mp.analyze(view).least_risk
    assert least is not None
    assert (best.basis, best.cell, best.risk) == (Basis.LEAST_RISK, least.cell, least.p)
    assert best.text.endswith(f" {why}, so only risks are weighed.")


def test_estimates_are_believed_without_the_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "available", lambda: False)
    wins = [WinChance(1, 0.5, 0.4, 0.6, False, 0.5), WinChance(0, 0.3, 0.2, 0.35, False, 0.2)]
    best = advised(View.parse(RISK_OR_WIN), wins)
    assert (best.basis, best.cell, best.ties) == (Basis.ROLLOUTS, 1, ())


def test_without_the_core_the_least_risk_is_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "available", lambda: False)
    best = advised(View.parse(RISK_OR_WIN))
    assert (best.basis, best.cell, best.risk) == (Basis.LEAST_RISK, 0, pytest.approx(0.2))
    assert "The compiled core, which looks ahead, is not there" in best.text


@needs_core
def test_wide_and_large_positions_are_not_looked_ahead_in() -> None:
    side = 14
    rows = ["2." * (side // 2) if row % 2 == 0 else ".." * (side // 2) for row in range(side)]
    wide = View.parse(f"square {side}x{side} mines=36\n" + "\n".join(rows))
    assert "too wide to look ahead" in advised(wide).text
    large = "square 150x150 mines=3000\n1" + "." * 149 + "\n" + ("." * 150 + "\n") * 149
    assert "too large to look ahead" in advised(View.parse(large)).text


@needs_core
def test_trusted_flags_are_mines_to_the_advice_too() -> None:
    view = View.parse("square 2x3 mines=2\n1F.\n.2.")
    best = mp.advise(mp.analyze(view, trust_flags=True))
    assert best is not None
    assert (best.basis, best.cell) == (Basis.CERTAIN, 3)
    far = View.parse("square 9x9 mines=10\n1F.......\n.........\n" + 7 * ".........\n")
    guess = mp.advise(mp.analyze(far.reveal({40: 1, 2: 2}), trust_flags=True))
    assert guess is not None


@needs_core
@pytest.mark.parametrize("module", [advice, adviser, game_review], ids=lambda one: one.__name__)
def test_the_examples_run(module: ModuleType) -> None:
    ran = doctest.testmod(module, extraglobs={"mp": mp}, optionflags=doctest.ELLIPSIS)
    assert (ran.failed, ran.attempted > 0) == (0, True)


def test_nothing_is_best_where_only_mines_are_left() -> None:
    assert mp.advise(View.parse("square 1x2 mines=2\n..")) is None


# ----------------------------------------------------------------------------
# Positions in which a guess is due, from games of the exact agent.


UNCERTAIN = "square 9x9 mines=10\n1........\n" + 8 * ".........\n"
RISK_OR_WIN = "square 5x5 mines=4\n..100\n..200\n..200\n..200\n..100\n"


def guesses(board: str, games: int, first_click: str = "safe") -> Iterator[Analysis]:
    """The positions after the first click in which nothing is certainly safe."""
    for seed in range(games):
        game = mp.play(board, agent="exact", seed=seed, first_click=first_click)
        opened = 0
        for view in game.views():
            if view.opened_count == opened or any(True for _ in view.opened_mines):
                continue
            opened = view.opened_count
            analysis = mp.analyze(view)
            least = analysis.least_risk
            if least is not None and least.p > 0:
                yield analysis


# ----------------------------------------------------------------------------
# Hints: each level tells a little more, and never more than that.


BOARDS = ["9x9/10", "hex:8x8/12", "torus:8x8/10", "cube:4x4x4/6", "triangle:6x12/8", "16x16/40"]


def opened(board: str, seed: int) -> View:
    game = Referee(board, seed, first_click="opening")
    return game.open(game.view.topology.centre)


def levels(view: View) -> list[Hint]:
    return [hint(view, level) for level in range(1, 5)]


def sure_positions(board: str) -> list[View]:
    views = [opened(board, seed) for seed in range(8)]
    return [view for view in views if mp.analyze(view).safe]


@pytest.mark.parametrize("board", BOARDS)
def test_each_level_tells_one_thing_more(board: str) -> None:
    found = sure_positions(board)
    assert found
    for view in found:
        region, clues, cell, proof = levels(view)
        assert [one.kind.value for one in (region, clues, cell, proof)] == [
            *("region", "clues", "cell", "proof")
        ]
        assert [one.more for one in (region, clues, cell, proof)] == [True, True, True, False]
        # The region: neither which clues nor which cell, and no name of either.
        assert (region.clues, region.uses_total, region.cell, region.proof) == (
            (),
            False,
            None,
            None,
        )
        assert proof.proof is not None
        assert cell.cell is not None
        name = view.topology.cell_name
        assert {cell.cell, *clues.clues} <= set(region.region)
        assert not any(f"at {name(one)}" in region.text for one in clues.clues)
        # The clues: not the cell.
        assert (clues.cell, clues.proof, clues.region) == (None, None, ())
        assert clues.clues == proof.proof.clues
        for one in clues.clues:
            assert f"the {view.clue(one)} at {name(one)}" in clues.text
        assert ("number of mines" in clues.text) is proof.proof.uses_total
        # The cell, which is safe in every solution; not the proof.
        assert cell.proof is None
        assert mp.analyze(view).p[cell.cell] == 0.0
        assert cell.text == f"{name(cell.cell)} is certainly safe."
        # The proof, which its checker accepts.
        assert proof.proof.cell == cell.cell
        assert check_proof(proof.proof, view)
        assert hint(view, 9) == proof


def test_the_easiest_proof_is_chosen() -> None:
    for seed in range(12):
        view = opened("16x16/40", seed)
        if not mp.analyze(view).safe:
            continue
        proof = hint(view, 4).proof
        assert proof is not None
        proofs = [one for one in mp.explain_all(view).proofs if one.claim.value == "safe"]
        assert proof.size == min(one.size for one in proofs)


def test_flags_are_no_evidence() -> None:
    view = sure_positions("9x9/10")[0]
    wrong = hint(view, 3).cell
    assert wrong is not None
    assert hint(view.toggle_flag(wrong), 3).cell == wrong


def test_where_nothing_is_certain_it_says_so_and_guesses_only_when_asked_again() -> None:
    view = View.parse("square 2x3 mines=2\n1..\n.2.")
    assert not mp.analyze(view).safe
    first, second = hint(view), hint(view, 2)
    assert (first.kind, first.cell, first.region, first.more) == (HintKind.NOTHING, None, (), True)
    assert first.text == "No cell is certainly safe here. It takes a guess."
    best = mp.advise(view)
    assert best is not None
    assert (second.kind, second.cell, second.text) == (HintKind.GUESS, best.cell, best.text)
    assert not second.more


def test_before_the_first_cell() -> None:
    view = Referee("9x9/10", 1).view
    assert hint(view).text == "Nothing is open yet. Begin anywhere: the first cell is no mine."
    assert hint(view, 2).cell is not None


def test_a_proof_by_the_number_of_mines_alone() -> None:
    view = View.parse("square 1x6 mines=1\n1*1?..")
    region, clues, cell, _ = levels(view)
    assert region.text == "Look at row 0, columns 4 to 5: a cell there is certainly safe."
    assert region.region == (4, 5)
    assert clues.text == "Look at the number of mines."
    assert cell.cell == 4


def test_a_level_below_one_is_refused() -> None:
    with pytest.raises(InputError, match="level 0 of a hint; accepted: 1 or more"):
        hint("square 1x4 mines=1\n.1..", 0)
    with pytest.raises(InputError, match=r"level '.*' is no whole number"):
        hint("square 1x4 mines=1\n.1..", 1.5)  # type: ignore[arg-type]
