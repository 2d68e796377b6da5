"""Optimal values of small boards: the chance to win of the best possible player."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, log10

from mineproof import kernel
from mineproof.board.deal import check_room
from mineproof.board.presets import Board
from mineproof.errors import BudgetExceeded, InputError, quoted
from mineproof.inference.engine.ground import ground_of
from mineproof.kernel import core
from mineproof.rules import FirstClick, Given, RuleValue
from mineproof.search.endgame import check_rules
from mineproof.search.symmetry import orbits
from mineproof.search.table import LayoutTable
from mineproof.view.setting import AnyBoard, AnyRules, Setting
from mineproof.whole import whole

__all__ = ["MOST_LAYOUTS", "MOST_WORK", "Optimal", "optimal"]

MOST_LAYOUTS = 4_000_000
MOST_WORK = 4_000_000_000
"""By default, the search looks at no more than this many rows of layouts."""


@dataclass(frozen=True)
class Optimal:
    """The value of a board under a first-click rule, with exact clues and best play.

    `wins` of `total` layouts are won: `total` counts the layouts that the deal allows once the
    first cell is chosen, each equally likely. That is every layout under `any`, those where the
    cell is free under `safe`, and those where it and its neighbours are free under `opening`.
    `best` are the first cells that reach this value.
    """

    wins: int
    total: int
    best: tuple[int, ...]

    @property
    def chance(self) -> Fraction:
        return Fraction(self.wins, self.total)


def optimal(
    board: AnyBoard,
    first_click: FirstClick | str | None = None,
    *,
    work: int = MOST_WORK,
    rules: AnyRules | None = None,
    **words: RuleValue,
) -> Optimal:
    """The optimal value of a board with a fixed number of mines.

    Raises BudgetExceeded if the board has more than MOST_LAYOUTS layouts or takes more than `work`
    rows; InputError and BoardError if it is not such a board or not the ordinary game.

    >>> best = mp.optimal("3x3/2", "any")
    >>> best.chance, best.best
    (Fraction(2, 3), (1, 3, 5, 7))
    """
    setting = Setting.of(board, rules, first_click=first_click, **words)
    board, rule = setting.board, setting.rules.first_click
    topology = board.topology
    mines = board.mines.fixed(len(topology))
    if mines is None:
        raise InputError(
            f"board {quoted(board.text)} has no fixed number of mines; accepted: such as 4x4/4"
        )
    if not 1 <= (work := whole(work, "work")) < 2**63:
        raise InputError(f"{work} rows of work; accepted: 1 or more, below 2^63")
    check_rules(setting.start)
    if setting.rules.given != Given():
        raise InputError(
            f"best play begins with the empty board, not with given={setting.rules.given.text};"
            " accepted: given=none"
        )
    check_room(topology, setting.rules)
    layouts = comb(_cells_left(board, rule), mines)
    if layouts > MOST_LAYOUTS:
        many = str(layouts) if layouts < 10**15 else f"about 10^{log10(layouts):.1f}"
        raise BudgetExceeded(
            f"{quoted(board.text)} has {many} layouts under first click {rule.value}; optimal"
            f" play is searched among at most {MOST_LAYOUTS}"
        )
    alike = orbits(topology)
    first = [orbit[0] for orbit in alike]
    search = _in_core if kernel.available() else _in_python
    found = search(board, mines, rule, first, work)
    best = sorted(cell for orbit in alike if orbit[0] in found.best for cell in orbit)
    return Optimal(found.wins, found.total, tuple(best))


def _cells_left(board: Board, rule: FirstClick) -> int:
    """The cells among which the mines of the largest table lie."""
    if rule is FirstClick.OPENING:
        return len(board.topology) - 1 - int(board.topology.degrees.min())
    return len(board.topology)


def _over_work(board: Board, work: int) -> BudgetExceeded:
    return BudgetExceeded(
        f"optimal play on {quoted(board.text)} needs more than {work} rows of work; accepted: a"
        " smaller board or a larger budget"
    )


def _in_core(board: Board, mines: int, rule: FirstClick, first: list[int], work: int) -> Optimal:
    ground = ground_of(board.topology)
    end, wins, total, best = core.optimal(
        ground.board, mines, rule.value, first, MOST_LAYOUTS, work
    )
    if end != "solved":
        raise _over_work(board, work)
    return Optimal(wins, total, tuple(best))


def _in_python(board: Board, mines: int, rule: FirstClick, first: list[int], work: int) -> Optimal:
    topology = board.topology
    layouts = [frozenset(chosen) for chosen in combinations(topology.cells, mines)]
    table = LayoutTable(topology, topology.cells, layouts, work)
    found: Optimal | None = None
    for cell in first:
        free = {cell}
        if rule is FirstClick.OPENING:
            free.update(topology.neighbours(cell))
        if mines > len(topology) - len(free):
            continue
        allowed = frozenset(row for row in table.all if not free & layouts[row])
        total = len(layouts) if rule is FirstClick.ANY else len(allowed)
        try:
            value = Optimal(table.opened(allowed, cell), total, (cell,))
        except BudgetExceeded:
            raise _over_work(board, work) from None
        if found is None or value.chance > found.chance:
            found = value
        elif value.chance == found.chance:
            found = Optimal(found.wins, found.total, (*found.best, cell))
    return found or Optimal(0, len(layouts), tuple(first))
