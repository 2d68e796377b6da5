"""The best move of a position and why: a cell, the basis, what others give away, a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from mineproof import kernel
from mineproof.agents.agent import first_click_is_safe
from mineproof.agents.players import Swift, first_cells
from mineproof.board.layout import check_room
from mineproof.board.topology import Place
from mineproof.engine.analysis import DEFAULT_BUDGET, Analysis, Budget, as_budget
from mineproof.engine.exact import analyze
from mineproof.errors import BudgetExceeded, InputError, check_kind, each_of
from mineproof.rng import Stream
from mineproof.rules import FirstClick, Goal, OnMine, RuleWords
from mineproof.search.win import SAMPLES, WinChance, best_play, candidates, cell_win_chances
from mineproof.text import percent
from mineproof.view.channels import Mark
from mineproof.view.setting import AnyPosition, AnyRules, position_of
from mineproof.view.view import View


class Basis(Enum):
    """What the advice rests on, the firmest basis first."""

    CERTAIN = "certain"
    """The cell is safe in every layout that explains the position."""
    FIRST_CLICK = "first-click"
    """Nothing is open yet, and the rules keep the first cell free of mines."""
    BEST_PLAY = "best-play"
    """Best play to the end is known, and no cell wins more."""
    ROLLOUTS = "rollouts"
    """Games played out: no other cell wins clearly more."""
    LOOK_AHEAD = "look-ahead"
    """The guess of `swift`, which weighs what the cell may show and how safe the next move is."""
    LEAST_RISK = "least-risk"
    """The least risk, where nothing more can be weighed; the sentence says why."""


class Measure(Enum):
    """What a loss is a share of."""

    WIN = "win"
    """The chance to win the game."""
    ALIVE = "alive"
    """The chance to live through this move and the next."""
    RISK = "risk"
    """The chance to open no mine with this move."""


@dataclass(frozen=True)
class Alternative:
    """Another cell: its risk, its chance to win where known, and what it gives away.

    `lost` is None where the measure of the advice does not tell the two apart.
    """

    cell: int
    risk: float
    win: WinChance | None
    lost: float | None


@dataclass(frozen=True)
class Advice:
    """The best move and why; `str` is the sentence.

    `win` is its chance to win with a 95 % interval, where known. `ties` are the cells that are as
    good as far as is known: all of them, whether or not they are among the few `alternatives`,
    which come best first.

    >>> best = mp.advise(mp.View.parse("square 3x3 mines=2\\n1..\\n12.\\n01."))
    >>> best.name, best.cell, best.risk
    ('0,2', 2, 0.0)
    """

    cell: int
    basis: Basis
    risk: float
    win: WinChance | None
    measure: Measure
    ties: tuple[int, ...]
    alternatives: tuple[Alternative, ...]
    text: str
    name: str = ""
    """The cell's coordinates as output writes them, `0,2`."""

    @property
    def next_best(self) -> Alternative | None:
        """The best alternative that is no tie; None where none is known."""
        ties = frozenset(self.ties)
        return next((one for one in self.alternatives if one.cell not in ties), None)

    def __str__(self) -> str:
        return self.text


# ----------------------------------------------------------------------------
# The choice: what is certain, then best play near the end, then look-ahead.
#
# Before anything is open, the rule of the first click decides. Chances to win, if the caller has
# them, decide instead of look-ahead. If there are none and look-ahead is not possible, the least
# risk decides.

_MOST = 8
"""The most alternatives that are listed."""
_MOST_AHEAD = 3
"""The most alternatives that are compared by looking ahead."""


def advise(
    position: View | str | Analysis,
    *,
    wins: Iterable[WinChance] = (),
    budget: Budget = DEFAULT_BUDGET,
) -> Advice | None:
    """The best move of a position and why; None where no hidden cell can be safe.

    A certainly safe cell is always best. Otherwise it is the cell that wins most by best play,
    where so few solutions are left that this is quickly known; before that the guess of `swift`.
    The position is a view, its text or an analysis.
    `wins`, from `win_chances`, decide instead: then the best cell is one that no other clearly
    beats. The same position gets the same advice.
    Raises InconsistentPosition and BudgetExceeded.

    >>> advice = mp.advise("square 2x3 mines=2\\n1..\\n.2.")
    >>> advice.cell, advice.basis.value, advice.risk
    (2, 'best-play', 0.5)
    >>> print(advice)
    No cell is certainly safe. Best play wins with 50.0 % after 0,2, ... is as good. ...
    """
    budget = as_budget(budget)
    listed = list(each_of(wins, "wins", "what win_chances returns"))
    for win in listed:
        check_kind(win, WinChance, "wins", "what win_chances returns")
    analysis = position if isinstance(position, Analysis) else analyze(position, budget=budget)
    found = _advise(analysis, listed)
    if found is None:
        return None
    return replace(found, name=analysis.view.topology.cell_name(found.cell))


def _advise(analysis: Analysis, listed: Sequence[WinChance]) -> Advice | None:
    least = analysis.least_risk
    if least is None:
        return None
    known = sorted(listed, key=lambda win: (-win.chance, win.risk, win.cell))
    if is_promised(analysis.view):
        return _advise_first(analysis, known)
    if least.p == 0.0:
        return _advise_certain(analysis, known)
    if known:
        return _advise_by_wins(analysis, known)
    why_not = obstacle(analysis.view)
    if why_not is None:
        end = best_play_chances(analysis)
        if end is not None:
            return _advise_by_wins(analysis, sorted(end, key=lambda win: (-win.chance, win.risk)))
        why_not = obstacle_ahead(analysis)
    ahead = None if why_not is not None else guess_ahead(analysis.view)
    return (
        _advise_least_risk(analysis, why_not) if ahead is None else _advise_ahead(analysis, ahead)
    )


def win_chances(
    view: AnyPosition,
    *,
    cells: Iterable[Place] | None = None,
    also: Iterable[Place] = (),
    samples: int = SAMPLES,
    seconds: float | None = None,
    seed: int = 0,
    rules: AnyRules | None = None,
    **words: Unpack[RuleWords],
) -> list[WinChance]:
    """The chance to win of cells, the best first.

    `view` is a view, its text, or a board before the first move, with its rules. In the endgame
    every hidden cell is listed except the proved mines, or the `cells` asked for. Before it, these
    are a few cells of least risk, one certainly safe cell if there is any, the move that `advise`
    gives, and the cells named in `also`.
    With `seconds` the work ends after about that time, with as many samples as were done. Without
    it, the same position and seed give the same answer. Raises InputError for other rules than
    those of the ordinary game, InconsistentPosition and BudgetExceeded.

    >>> [best, *_] = mp.win_chances("square 3x3 mines=2\\n1..\\n12.\\n01.")
    >>> best.cell, best.chance, best.exact
    (2, 1.0, True)
    """
    view = position_of(view, rules, **words)
    more = view.topology.cells_of(also, "also")
    known = advise(view) if cells is None else None
    if known is not None and known.basis is not Basis.CERTAIN:
        more.append(known.cell)
    return cell_win_chances(
        view, cells=cells, also=more, samples=samples, seconds=seconds, seed=seed
    )


JUDGED_SAMPLES = 200
"""Where a guess is judged, every cell is tried on this many layouts. Each cell meets the same ones
whichever others are tried, so Best move, hints and reviews come to the same figures."""


def deciding_chances(
    analysis: Analysis, *, also: Iterable[int] = (), samples: int = JUDGED_SAMPLES, seed: int = 0
) -> list[WinChance]:
    """The chances to win that decide which guess is best, for `advise`: exact ones near the end,
    else estimates by games played out. Empty where only risks can be weighed, and before the first
    cell. Where a cell is certainly safe, only that and the cells of `also` are estimated.
    """
    view = analysis.view
    if obstacle_to_weighing(analysis) is not None or is_promised(view):
        return []
    if (end := best_play_chances(analysis)) is not None:
        return end
    quick = advise(analysis)
    if quick is None:
        return []
    cells = [quick.cell] if quick.risk == 0.0 else [*candidates(analysis), quick.cell]
    chosen = dict.fromkeys([*cells, *also])
    return cell_win_chances(view, cells=chosen, samples=samples, seed=seed)


def is_promised(view: View) -> bool:
    """Whether the next cell is the first one and the rules keep it free of mines."""
    if not first_click_is_safe(view):
        return False
    # In a position whose mines do not fit beside a safe cell, the rule promises nothing.
    try:
        check_room(view.topology, view.rules)
    except InputError:
        return False
    return True


# -- what is certain -----------------------------------------------------------------------------


def _advise_first(analysis: Analysis, wins: Sequence[WinChance]) -> Advice:
    view = analysis.view
    rule = view.rules.first_click
    cells = first_cells(view.topology, rule, 0 if view.total is None else view.total)
    # More games than are played out here have shown which first cell is best.
    chosen = next((win for win in wins if win.cell == cells[0]), next(iter(wins), None))
    if chosen is not None:
        text = _first_by_win_text(view, _best_wins(wins), chosen)
        return _advice_by_wins(Basis.FIRST_CLICK, wins, chosen, text)
    text = _first_text(rule, len(cells) - 1)
    return Advice(cells[0], Basis.FIRST_CLICK, 0.0, None, Measure.RISK, cells[1:], (), text)


def _advise_certain(analysis: Analysis, wins: Sequence[WinChance]) -> Advice:
    cell, *others = analysis.safe
    # All that is certain will be opened: the chance to win is the same whichever comes first.
    win = next((replace(one, cell=cell) for one in wins if one.risk == 0.0), None)
    rest = _riskier_alternatives(analysis, 0.0) if win is None else _alternatives(wins, win)
    return Advice(
        cell,
        Basis.CERTAIN,
        0.0,
        win,
        Measure.RISK if win is None else Measure.WIN,
        tuple(others),
        tuple(one for one in rest if one.risk > 0.0)[:_MOST],
        _certain_text(analysis.view, cell, len(others)),
    )


# -- guesses -------------------------------------------------------------------------------------


def _advise_by_wins(analysis: Analysis, wins: Sequence[WinChance]) -> Advice:
    """By chances to win, the greatest first: exact ones decide, and estimates unless they tie."""
    exact = all(win.exact for win in wins)
    unseen = exact or obstacle(analysis.view) or obstacle_ahead(analysis)
    preferred = None if unseen else guess_ahead(analysis.view)
    chosen = _choose(wins, preferred)
    assert chosen is not None
    tied = _best_wins(wins)
    if exact:
        return _advice_by_wins(Basis.BEST_PLAY, wins, chosen, _best_play_text(analysis, wins, tied))
    # Where chances tie, the look-ahead says why one cell is preferred.
    rival = tied[0]
    alive = None
    if rival is not chosen and chosen.risk - min(win.risk for win in tied) > EQUAL:
        alive = alive_after(analysis, chosen.cell), alive_after(analysis, rival.cell)
    text = _rollouts_text(analysis, wins, tied, chosen, alive)
    return _advice_by_wins(Basis.ROLLOUTS, wins, chosen, text)


def _choose(wins: Sequence[WinChance], preferred: int | None) -> WinChance | None:
    """The greatest chance, or the preferred cell unless another is clearly better."""
    surely = max((win.low for win in wins), default=0.0)
    for win in wins:
        if win.cell == preferred and win.chance >= surely:
            return win
    return next(iter(wins), None)


def _best_wins(wins: Sequence[WinChance]) -> list[WinChance]:
    """The best: exact chances that no other exceeds, estimates that no other clearly beats."""
    surely = max((win.low for win in wins), default=0.0)
    return [win for win in wins if win.high >= surely - EQUAL]


def _advice_by_wins(
    basis: Basis, wins: Sequence[WinChance], chosen: WinChance, text: str
) -> Advice:
    return Advice(
        chosen.cell,
        basis,
        chosen.risk,
        chosen,
        Measure.WIN,
        tuple(win.cell for win in _best_wins(wins) if win is not chosen),
        _alternatives(wins, chosen)[:_MOST],
        text,
    )


def _alternatives(wins: Sequence[WinChance], chosen: WinChance) -> tuple[Alternative, ...]:
    return tuple(
        Alternative(win.cell, win.risk, win, max(chosen.chance - win.chance, 0.0))
        for win in wins
        if win is not chosen
    )


def _advise_ahead(analysis: Analysis, cell: int) -> Advice:
    """The guess of the look-ahead, beside a few cells of the least risk."""
    risk, alive = analysis.p[cell], alive_after(analysis, cell)
    least = analysis.least_risk
    assert least is not None
    others = [one for one in candidates(analysis) if one != cell][:_MOST_AHEAD]
    lives = {one: alive_after(analysis, one) for one in others}
    ties = tuple(
        one
        for one in others
        if abs(lives[one] - alive) <= EQUAL and abs(analysis.p[one] - risk) <= EQUAL
    )
    alternatives = [
        Alternative(
            one,
            analysis.p[one],
            None,
            max(alive - lives[one], 0.0) if lives[one] <= alive + EQUAL else None,
        )
        for one in others
    ]
    if risk - least.p <= EQUAL:
        text = _safest_ahead_text(analysis, cell)
    else:
        there = alive_after(analysis, least.cell)
        text = _ahead_text(analysis, cell, (alive, there), is_sealed(analysis, cell))
    alternatives.sort(key=lambda one: (one.lost is None, one.lost or 0.0))
    return Advice(
        cell, Basis.LOOK_AHEAD, risk, None, Measure.ALIVE, ties, tuple(alternatives), text
    )


def _advise_least_risk(analysis: Analysis, why_not: str | None) -> Advice:
    least = analysis.least_risk
    assert least is not None
    return Advice(
        least.cell,
        Basis.LEAST_RISK,
        least.p,
        None,
        Measure.RISK,
        equally_risky(analysis, least.cell),
        _riskier_alternatives(analysis, least.p),
        _least_risk_text(analysis, least.cell, why_not),
    )


def _riskier_alternatives(analysis: Analysis, risk: float) -> tuple[Alternative, ...]:
    """A few other cells, one of each greater risk."""
    found = riskier_cells(analysis, risk, _MOST)
    return tuple(Alternative(cell, chance, None, chance - risk) for cell, chance in found)


# ----------------------------------------------------------------------------
# Behind a guess: best play where the end is near, and the guess of `swift` before it.
#
# The work is bounded by counts, never by a clock: the same position gets the same answer anywhere.

_SOLUTIONS, _WORK = 1_000, 2_000_000
"""Best play is searched within this many solutions of one region, and rows of work."""
_LARGEST = 20_000
"""The most cells of a board for the look-ahead."""
_LARGEST_PLAYED = 2_000
"""The most cells of a board on which games are played out unasked."""
_WIDEST = Budget(states=20_000)
"""The widest positions for the look-ahead; those of Expert games take up to 256 states."""


def obstacle(view: View) -> str | None:
    """Why only risks can be compared in a game; None where chances to win can."""
    rules = view.rules
    if view.total is None:
        return "The number of mines is not known"
    if rules.clues != "exact":
        return "Clues may be missing or wrong"
    if rules.on_mine is not OnMine.LOSE:
        return "A mine does not end the game"
    if rules.goal is not Goal.CLEAR:
        return "The game is won by marking mines"
    if view.opened_mines:
        return "A mine has been opened"
    if not kernel.available():
        return "The compiled core, which looks ahead, is not there"
    return None


def obstacle_ahead(analysis: Analysis) -> str | None:
    """Why the look-ahead cannot be used, where `obstacle` is None."""
    view = analysis.view
    if analysis.trust_flags and view.flag_count:
        return "Flags are taken for mines"
    if len(view) > _LARGEST:
        return "The board is too large to look ahead"
    try:
        analyze(view, budget=_WIDEST)
    except BudgetExceeded:
        return "The position is too wide to look ahead"
    return None


def obstacle_to_weighing(analysis: Analysis) -> str | None:
    """Why guesses cannot be compared by the chance to win; None where they can."""
    why_not = obstacle(analysis.view) or obstacle_ahead(analysis)
    if why_not is None and len(analysis.view) > _LARGEST_PLAYED:
        return "The board is too large to play games out"
    return why_not


def best_play_chances(analysis: Analysis) -> list[WinChance] | None:
    """The chance to win of every cell by best play; None where the end is too far away."""
    try:
        return best_play(analysis, solutions=_SOLUTIONS, work=_WORK)
    except BudgetExceeded:
        return None


def guess_ahead(view: View) -> int | None:
    """The guess of the player that looks ahead; None where something is certain."""
    logic = Swift()
    logic.begin(view)
    found = logic.guess(view, Stream(0))
    return None if found is None else found[0]


def alive_after(analysis: Analysis, cell: int) -> float:
    """The chance to be alive after opening a cell and then one of the least risk."""
    alive = 0.0
    for shown, chance in analysis.clue_distribution(cell).items():
        if shown is Mark.MINE:
            continue
        following = analyze(analysis.view.reveal({cell: shown})).least_risk
        alive += chance * (1.0 if following is None else 1.0 - following.p)
    return alive


def is_sealed(analysis: Analysis, cell: int) -> bool:
    """Whether no clue elsewhere can ever help with a cell, and no cell tied to it is safer.

    It then belongs to a few cells that hold a fixed number of mines and touch no others: one of
    them must be guessed sooner or later.
    """
    near, mines = analysis.view.topology.neighbours, set(analysis.mines)
    for part in analysis.components:
        if cell in part.cells:
            around = {other for one in part.cells for other in near(one)}
            left = around.difference(part.cells, mines)
            safest = min(analysis.p[other] for other in part.cells)
            return (
                len(part.mines) == 1
                and all(map(analysis.view.is_open, left))
                and analysis.p[cell] - safest <= EQUAL
            )
    return False


# -- The risks of a position side by side: which cells are as risky as one, and which are next --

EQUAL = 1e-12
"""Chances that differ by no more are equal: symmetric cells may differ by rounding."""


def equally_risky(analysis: Analysis, cell: int) -> tuple[int, ...]:
    """The other hidden cells with the risk of a cell."""
    cells, risks = _hidden(analysis)
    alike = cells[np.abs(risks - analysis.p[cell]) <= EQUAL]
    return tuple(alike[alike != cell].tolist())


def riskier_cells(analysis: Analysis, risk: float, most: int) -> list[tuple[int, float]]:
    """A cell of each greater risk, the least first, with its risk; proved mines are left out."""
    cells, risks = _hidden(analysis)
    found: list[tuple[int, float]] = []
    while len(found) < most:
        left = (risks > risk + EQUAL) & (risks < 1.0)
        if not left.any():
            break
        risk = float(risks[left].min())
        found.append((int(cells[np.argmax(risks == risk)]), risk))
    return found


def _hidden(analysis: Analysis) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    cells = np.flatnonzero(analysis.view.codes() == Mark.HIDDEN.value)
    return cells, analysis.p.array[cells]


# -- The sentences of an advice ------------------------------------------------

_UNSAFE = "No cell is certainly safe."
_MOST_TIES = 4
"""The most tied cells whose chances are listed one by one."""


def _certain_text(view: View, cell: int, others: int) -> str:
    also = ""
    if others:
        also = ", and so is one other cell" if others == 1 else f", and so are {others} other cells"
    name = view.topology.cell_name(cell)
    return f"{name} is safe in every layout that explains the position{also}."


def _first_text(rule: FirstClick, others: int) -> str:
    if rule is FirstClick.OPENING:
        return "The first cell opens an area by the rules; here it has room on all sides."
    alike = f" {_more_cells(others)} as good." if others else ""
    return (
        "The first cell is safe by the rules. One with few neighbours is the likeliest to have no"
        f" mine around it, and then it opens an area.{alike}"
    )


def _first_by_win_text(view: View, tied: Sequence[WinChance], chosen: WinChance) -> str:
    name = view.topology.cell_name(chosen.cell)
    said = f"The first cell is safe by the rules. Opening {name} wins with {chosen.text}."
    if len(tied) > 1:
        said += f" {_ties_with(view, tied, chosen)}, so nothing tells them apart."
    return said


def _least_risk_text(analysis: Analysis, cell: int, why_not: str | None) -> str:
    alike, after = _others(analysis, cell)
    if alike:
        after = f", as {'has one other' if alike == 1 else f'have {alike} others'}{after}"
    said = f"{_least(analysis, cell)}{after}."
    return said if why_not is None else f"{said} {why_not}, so only risks are weighed."


def _safest_ahead_text(analysis: Analysis, cell: int) -> str:
    alike, after = _others(analysis, cell)
    if alike:
        after = f"; of the {alike + 1} cells that have it, what this one shows helps most{after}"
    return f"{_least(analysis, cell)}{after}."


def _least(analysis: Analysis, cell: int) -> str:
    name = analysis.view.topology.cell_name(cell)
    return f"{_UNSAFE} {name} has the least risk, {percent(analysis.p[cell])}"


def _others(analysis: Analysis, cell: int) -> tuple[int, str]:
    """How many other cells have the same risk, and the next risk in words."""
    after = riskier_cells(analysis, analysis.p[cell], 1)
    alike = len(equally_risky(analysis, cell))
    return alike, f"; the next has {percent(after[0][1])}" if after else ""


def _ahead_text(analysis: Analysis, cell: int, alive: tuple[float, float], sealed: bool) -> str:
    """A guess with more than the least risk. `alive` is the chance to live through the next move
    too, after it and after the cell of the least risk.
    """
    least = analysis.least_risk
    assert least is not None
    names = analysis.view.topology.cell_name
    said = (
        f"{_UNSAFE} {names(least.cell)} has the least risk, {percent(least.p)};"
        f" {names(cell)} has {percent(analysis.p[cell])}, but"
    )
    here, there = alive
    if here > there + EQUAL:
        return (
            f"{said} what it shows is worth more: the chance to live through this move and the next"
            f" is {percent(here)} against {percent(there)}."
        )
    if sealed:
        return f"{said} nothing elsewhere will ever tell more about it: it must be guessed anyway."
    return f"{said} the moves after it look safer."


def _best_play_text(
    analysis: Analysis, wins: Sequence[WinChance], tied: Sequence[WinChance]
) -> str:
    """A guess that wins most by best play, against the least risk and the next best."""
    names = analysis.view.topology.cell_name
    least = analysis.least_risk
    assert least is not None
    chosen, ties = tied[0], len(tied) - 1
    name, told = names(chosen.cell), chosen.text
    rival = next((win for win in wins if win.risk - least.p <= EQUAL), None)
    if chosen.risk - least.p <= EQUAL:
        said = (
            f"Best play wins with {told} after {name}, and no cell has less risk:"
            f" {percent(chosen.risk)}."
        )
        rival = chosen
    elif rival is None:
        said = f"Best play wins with {told} after {name}, at a risk of {percent(chosen.risk)}."
    else:
        other = names(rival.cell)
        risks = f"{percent(rival.risk)} against {percent(chosen.risk)}"
        said = (
            f"{other} has less risk, {risks}, but best play wins with {told} after {name} and"
            f" {rival.text} after {other}."
        )
    if ties:
        safer = all(win.risk - chosen.risk > EQUAL for win in tied[1:])
        said += f" {_more_cells(ties)} as good" + (
            f"; {name} has the least risk of them." if safer else "."
        )
    after = next((win for win in wins if win not in tied), None)
    if after is not None and after is not rival:
        said += f" The next best, {names(after.cell)}, wins with {after.text}."
    return f"{_UNSAFE} {said}"


def _rollouts_text(
    analysis: Analysis,
    wins: Sequence[WinChance],
    tied: Sequence[WinChance],
    chosen: WinChance,
    alive: tuple[float, float] | None,
) -> str:
    """A guess by estimated chances to win; where some tie, why it is preferred.

    `alive` is the chance to live through the next move too, after the guess and after the tied cell
    of the highest estimate, where that matters.
    """
    view = analysis.view
    names = view.topology.cell_name
    name = names(chosen.cell)
    said = f"{_UNSAFE} Games played out from here win with {chosen.text} after {name}."
    if len(tied) > 1:
        said += f" {_ties_with(view, tied, chosen)}. {_preference_text(view, tied, chosen, alive)}"
    after = next((win for win in wins if win not in tied), None)
    if after is not None:
        said += f" The next best, {names(after.cell)}, wins with {after.text}."
    return said


def _ties_with(view: View, tied: Sequence[WinChance], chosen: WinChance) -> str:
    """The cells that tie with one, each with its chance where they are few."""
    others = [win for win in tied if win is not chosen]
    names = view.topology.cell_name
    who = "One other cell ties" if len(others) == 1 else f"{len(others)} other cells tie"
    listed = [f"{names(win.cell)} {win.text}" for win in others[:_MOST_TIES]]
    if len(others) > _MOST_TIES:
        listed.append("…")
    return f"{who} with it within the error: {', '.join(listed)}"


def _preference_text(
    view: View, tied: Sequence[WinChance], chosen: WinChance, alive: tuple[float, float] | None
) -> str:
    names = view.topology.cell_name
    said = f"{names(chosen.cell)} is preferred:"
    if chosen is tied[0]:
        return f"{said} its estimate is the highest."
    if chosen.risk - min(win.risk for win in tied) <= EQUAL:
        return f"{said} of them no cell has less risk than its {percent(chosen.risk)}."
    if alive is not None and alive[0] > alive[1] + EQUAL:
        here, there = map(percent, alive)
        return (
            f"{said} the chance to live through this move and the next is {here}, after"
            f" {names(tied[0].cell)} {there}."
        )
    return f"{said} looking ahead, the moves after it are safer."


def _more_cells(others: int) -> str:
    return "One other cell is" if others == 1 else f"{others} other cells are"
