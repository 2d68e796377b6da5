"""Optimal values of small boards: the chance to win of the best possible player."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, log10
from typing import Unpack

from mineproof import kernel
from mineproof.board.layout import check_room
from mineproof.board.presets import Board
from mineproof.board.topology import Topology
from mineproof.engine.exact import core_board_of
from mineproof.errors import BudgetExceeded, InputError, as_int, quoted
from mineproof.graphs import components
from mineproof.kernel import core
from mineproof.rules import FirstClick, Given, OtherRuleWords
from mineproof.search.endgame import LayoutTable, check_best_play_rules
from mineproof.view.setting import AnyBoard, AnyRules, Setting

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
    **words: Unpack[OtherRuleWords],
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
    if not 1 <= (work := as_int(work, "work")) < 2**63:
        raise InputError(f"{work} rows of work; accepted: 1 or more, below 2^63")
    check_best_play_rules(setting.start)
    if setting.rules.given != Given():
        raise InputError(
            f"best play begins with the empty board, not with given={setting.rules.given.text};"
            " accepted: given=none"
        )
    check_room(topology, setting.rules)
    # The cells among which the mines of the largest table lie.
    kept_free = 1 + int(topology.degrees.min()) if rule is FirstClick.OPENING else 0
    layouts = comb(len(topology) - kept_free, mines)
    if layouts > MOST_LAYOUTS:
        many = str(layouts) if layouts < 10**15 else f"about 10^{log10(layouts):.1f}"
        raise BudgetExceeded(
            f"{quoted(board.text)} has {many} layouts under first click {rule.value}; optimal"
            f" play is searched among at most {MOST_LAYOUTS}"
        )
    # First cells that a symmetry maps onto each other have one value: one of them is searched.
    alike = orbits(topology)
    first = [orbit[0] for orbit in alike]
    search = _in_core if kernel.available() else _in_python
    found = search(board, mines, rule, first, work)
    best = sorted(cell for orbit in alike if orbit[0] in found.best for cell in orbit)
    return Optimal(found.wins, found.total, tuple(best))


def _over_work(board: Board, work: int) -> BudgetExceeded:
    return BudgetExceeded(
        f"optimal play on {quoted(board.text)} needs more than {work} rows of work; accepted: a"
        " smaller board or a larger budget"
    )


def _in_core(board: Board, mines: int, rule: FirstClick, first: list[int], work: int) -> Optimal:
    ground = core_board_of(board.topology)
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


# -- Which cells of a board are equivalent: the orbits of the automorphisms of its graph --

_MOST_STEPS = 20_000
"""Steps of the search for one symmetry; if none is found by then, cells count as different."""


def orbits(topology: Topology) -> list[tuple[int, ...]]:
    """Sets of cells that some symmetry of the graph maps onto each other, each in ascending order.

    On large irregular graphs an orbit may stay in several parts: that costs time, not correctness.
    """
    near = [frozenset(topology.neighbours(cell)) for cell in topology.cells]
    colours = _refine(near)
    found: list[list[int]] = []
    for cell in topology.cells:
        for orbit in found:
            if colours[orbit[0]] == colours[cell] and _maps(near, colours, orbit[0], cell):
                orbit.append(cell)
                break
        else:
            found.append([cell])
    return [tuple(orbit) for orbit in found]


def _refine(near: list[frozenset[int]]) -> list[int]:
    """Colour refinement: by degree, then by the neighbours' colours, until stable."""
    colours = [len(around) for around in near]
    while True:
        signs = [
            (colours[cell], tuple(sorted(colours[other] for other in around)))
            for cell, around in enumerate(near)
        ]
        names = {sign: number for number, sign in enumerate(sorted(set(signs)))}
        fresh = [names[sign] for sign in signs]
        if len(names) == len(set(colours)):
            return fresh
        colours = fresh


def _maps(near: list[frozenset[int]], colours: list[int], source: int, target: int) -> bool:
    """Whether a symmetry that maps `source` to `target` is found by backtracking."""
    # Every cell next to an earlier one where possible: a wrong image is then refuted at once.
    cells = (source, *range(len(near)))
    parts = components(cells, lambda cell: sorted(near[cell]))
    order = [cell for part in parts for cell in part]
    image: dict[int, int] = {}
    taken: set[int] = set()
    steps = _MOST_STEPS

    def candidates(cell: int) -> list[int]:
        if cell == source:
            return [target]
        placed = [image[other] for other in near[cell] if other in image]
        pool = (
            frozenset.intersection(*(near[other] for other in placed))
            if placed
            else range(len(near))
        )
        return [other for other in pool if other not in taken and colours[other] == colours[cell]]

    def extend(place: int) -> bool:
        nonlocal steps
        if place == len(order):
            return True
        cell = order[place]
        for other in candidates(cell):
            steps -= 1
            if steps < 0:
                return False
            if any((old in near[cell]) != (new in near[other]) for old, new in image.items()):
                continue
            image[cell] = other
            taken.add(other)
            if extend(place + 1):
                return True
            del image[cell]
            taken.remove(other)
        return False

    return extend(0)
