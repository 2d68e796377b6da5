"""The chance to win the game after opening a cell: exact in the endgame, estimated before it.

The estimate plays games on layouts drawn from the posterior, the same for every cell (common random
numbers). A game ends when it is lost, or when few enough solutions are left for best play, whose
chance is then known. The player is `swift`; best play would win somewhat more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from mineproof import kernel
from mineproof.board.layout import check_room, mine_free_cells
from mineproof.board.topology import Place
from mineproof.engine.analysis import Analysis
from mineproof.engine.exact import analyze, core_board_of
from mineproof.errors import BudgetExceeded, InputError, as_given, as_int
from mineproof.kernel import core
from mineproof.rng import check_seed
from mineproof.rules import FirstClick
from mineproof.search.endgame import MOST_SOLUTIONS, MOST_WORK, check_best_play_rules, endgame
from mineproof.text import estimated_percent, percent, wilson_share
from mineproof.view.view import View, code_bytes

__all__ = ["SAMPLES", "WinChance", "best_play", "candidates", "cell_win_chances"]

SAMPLES = 400
"""By default, every cell is tried on this many layouts."""
_MOST_CELLS = 8
_MOST_ALIKE = 2
_MOST_SAMPLES = 10**9
_MOST_SECONDS = 86400
_WORK_A_SECOND = 30_000_000
_MOST_WORTH = 20
"""One game that ends in a known chance counts for at most this many wins or losses."""


@dataclass(frozen=True)
class WinChance:
    """The chance to win when a cell is opened next, with a 95 % interval; and its risk.

    If `exact` is set, the chance is that of best play, and the interval is the chance itself.
    """

    cell: int
    chance: float
    low: float
    high: float
    exact: bool
    risk: float

    @property
    def text(self) -> str:
        """The chance for people: `50.0 %`; an estimate with its error: `34.1 ± 2.3 %`."""
        if self.exact:
            return percent(self.chance)
        return estimated_percent(self.chance, self.low, self.high)


def cell_win_chances(
    view: View,
    *,
    cells: Iterable[Place] | None = None,
    also: Iterable[Place] = (),
    samples: int = SAMPLES,
    seconds: float | None = None,
    seed: int = 0,
) -> list[WinChance]:
    """The chance to win of cells, the best first.

    In the endgame every hidden cell is listed except the proved mines, or the `cells` asked for.
    Before it, these are a few cells of least risk, one certainly safe cell if there is any, and
    the cells named in `also`. Raises what `mineproof.win_chances` raises.
    """
    check_best_play_rules(view)
    if not 1 <= (samples := as_int(samples, "samples")) <= _MOST_SAMPLES:
        raise InputError(f"{samples} samples; accepted: 1 or more, at most {_MOST_SAMPLES}")
    if seconds is not None and not isinstance(seconds, int | float):
        raise InputError(f"seconds {as_given(seconds)} is no number; accepted: such as 2.5")
    if seconds is not None and not 0 < seconds <= _MOST_SECONDS:
        raise InputError(f"{seconds} seconds; accepted: more than 0, at most {_MOST_SECONDS}")
    for cell in view.opened_mines:
        name = view.topology.cell_name(cell)
        raise InputError(f"cell {name} is an opened mine; accepted: a game that is not lost")
    more = view.topology.cells_of(also, "also")
    asked = None if cells is None else view.topology.cells_of(cells) + more
    for cell in more if asked is None else asked:
        if view.is_open(cell):
            name = view.topology.cell_name(cell)
            raise InputError(f"cell {name} is open; accepted: a hidden cell")
    analysis = analyze(view)
    # Before the first cell nothing is dealt: the first-click rule decides, not the posterior.
    fresh = not view.opened_count and view.rules.first_click is not FirstClick.ANY
    found = None if fresh else _exact(analysis, asked, seconds)
    if found is None:
        chosen = candidates(analysis) + more if asked is None else asked
        found = _sampled_chances(
            analysis, list(dict.fromkeys(chosen)), samples, seconds, seed, fresh
        )
    return sorted(found, key=lambda win: (-win.chance, win.risk, win.cell))


def best_play(
    analysis: Analysis,
    cells: Iterable[int] | None = None,
    *,
    solutions: int = MOST_SOLUTIONS,
    work: int = MOST_WORK,
) -> list[WinChance]:
    """The chance to win by best play of cells, or of all that are no proved mine.

    Raises what `endgame` raises.
    """
    best = endgame(analysis.view, solutions=solutions, work=work, trust_flags=analysis.trust_flags)
    risks = analysis.p.array.tolist()
    if cells is None:
        cells = [cell for cell in best.cells if risks[cell] < 1]
    chances = {cell: float(best.cells[cell]) for cell in cells}
    return [WinChance(cell, c, c, c, True, risks[cell]) for cell, c in chances.items()]


def _exact(
    analysis: Analysis, asked: list[int] | None, seconds: float | None
) -> list[WinChance] | None:
    """The chances of best play; None if too many solutions are left."""
    work = MOST_WORK if seconds is None else min(MOST_WORK, int(seconds * _WORK_A_SECOND))
    try:
        return best_play(analysis, asked, work=work)
    except BudgetExceeded:
        return None


def _sampled_chances(
    analysis: Analysis,
    chosen: list[int],
    samples: int,
    seconds: float | None,
    seed: int,
    fresh: bool,
) -> list[WinChance]:
    view = analysis.view
    if not kernel.available():
        raise BudgetExceeded(
            "too many solutions are left for best play, and games are played to their end by the"
            " compiled core alone; accepted: a position nearer to its end"
        )
    risks = [0.0] * len(view) if fresh else analysis.p.array.tolist()
    if fresh:
        check_room(view.topology, view.rules)
        chosen = [cell for cell in chosen if _has_room(view, cell)]
    assert view.total is not None
    sums = core.win_sums(
        core_board_of(view.topology).board,
        view.total,
        view.rules.first_click.value,
        code_bytes(view),
        [cell for cell in chosen if risks[cell] < 1],
        check_seed(seed),
        samples,
        seconds or 0.0,
    )
    found = [
        _estimate(cell, risks[cell], played, total, squares)
        for cell, played, total, squares in sums
    ]
    lost = [cell for cell in chosen if risks[cell] == 1]
    return found + [WinChance(cell, 0.0, 0.0, 0.0, True, 1.0) for cell in lost]


def candidates(analysis: Analysis) -> list[int]:
    """One certain cell if there is any, and cells of the least risk, few of each chance."""
    risks = analysis.p.array.tolist()
    hidden = [cell for cell in analysis.view.hidden if risks[cell] < 1]
    topology = analysis.view.topology
    hidden.sort(key=lambda cell: (risks[cell], topology.degree(cell), cell))
    chosen: list[int] = []
    alike: Counter[tuple[float, int]] = Counter()
    for cell in hidden:
        kind = (0.0, 0) if not risks[cell] else (round(risks[cell], 12), topology.degree(cell))
        alike[kind] += 1
        if alike[kind] <= (_MOST_ALIKE if risks[cell] else 1):
            chosen.append(cell)
        if len(chosen) == _MOST_CELLS:
            break
    return chosen


def _has_room(view: View, cell: int) -> bool:
    """Whether a cell may be the first, with what the deal keeps free around it."""
    free = mine_free_cells(view.topology, view.rules.first_click, (cell,))
    assert view.total is not None
    return view.total <= len(view) - len(free)


def _estimate(cell: int, risk: float, played: int, total: float, squares: float) -> WinChance:
    """The exact chance that a cell is safe, times the mean chance to win if it is.

    The interval is Wilson's (1927) for that mean. Games that end in known chances vary less than
    wins and losses do, so they count as the larger number of wins and losses with the same
    variance.
    """
    safe = 1 - risk
    if not played:
        return WinChance(cell, 0.0, 0.0, safe, False, risk)
    # The luck that is subtracted from every game may carry the mean past 0 or 1.
    share = min(1.0, max(0.0, total / played))
    coin = share * (1 - share)
    varied = max(squares / played - share**2, coin / _MOST_WORTH)
    worth = played * coin / varied if coin else played
    low, high = wilson_share(share, worth)
    return WinChance(cell, safe * share, safe * low, safe * high, False, risk)
