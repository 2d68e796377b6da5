"""The fewest clicks that clear a board when its mines are known: ZiNi, greedy and by search.

Clicks open cells; flags and chords count as clicks too, and a chord opens all around a clue. The
greedy measure of Zimmermann and Nikolaus takes, again and again, the clue with the highest premium:
what a chord there saves. It is an upper bound, and seldom the least. A search over lists of chords
improves it, and a price on every part of the 3BV gives a lower bound, so that the truth is known to
lie between two numbers.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from functools import cached_property

from mineproof.agents.agent import Action
from mineproof.board.layout import Layout
from mineproof.graphs import components
from mineproof.rng import Stream

# -- The parts of a board ------------------------------------------------------


class ClickParts:
    """A board as parts: each opening, and each safe cell that no opening uncovers, is one.

    `opens[c]` are the parts that are done once c is open, `covers[c]` those around c that a chord
    there does; `members` are the cells that are open when a part is.
    """

    def __init__(self, layout: Layout) -> None:
        topology = layout.topology
        self.layout = layout
        self.cells = len(topology)
        self.mines, counts = layout.mines.tolist(), layout.counts.tolist()
        zeros = {c for c in topology.cells if not self.mines[c] and not counts[c]}
        self.members: list[tuple[int, ...]] = []
        self.openings = 0
        part_of: dict[int, int] = {}
        bordered: dict[int, set[int]] = {}
        for area in components(zeros, topology.neighbours):
            number = len(self.members)
            around = {near for cell in area for near in topology.neighbours(cell)} - zeros
            self.members.append((*sorted(area), *sorted(around)))
            part_of.update(dict.fromkeys(area, number))
            for cell in around:
                bordered.setdefault(cell, set()).add(number)
        self.openings = len(self.members)
        for cell in topology.cells:
            if not self.mines[cell] and cell not in zeros and cell not in bordered:
                part_of[cell] = len(self.members)
                self.members.append((cell,))
        self.part_of = part_of
        self.zeros = zeros
        self.near_mines: list[tuple[int, ...]] = [()] * self.cells
        self.near_safe: list[tuple[int, ...]] = [()] * self.cells
        self.covers: list[frozenset[int]] = [frozenset()] * self.cells
        for cell in topology.cells:
            if self.mines[cell]:
                continue
            near = topology.neighbours(cell)
            self.near_mines[cell] = tuple(c for c in near if self.mines[c])
            self.near_safe[cell] = tuple(c for c in near if not self.mines[c])
            found = {part_of[c] for c in (cell, *near) if c in part_of}
            self.covers[cell] = frozenset(found)

    @property
    def three_bv(self) -> int:
        return len(self.members)


# -- Greedy --------------------------------------------------------------------


@dataclass(frozen=True)
class ClickPlan:
    """Clicks that clear a board, each an action and a cell."""

    clicks: tuple[tuple[Action, int], ...]

    def __len__(self) -> int:
        return len(self.clicks)


class _Greedy:
    """The greedy measure. Premiums stand in a heap and are renewed where something changed."""

    def __init__(self, parts: ClickParts, human: bool) -> None:
        self.parts, self.human = parts, human
        self.open = [False] * parts.cells
        self.flagged = [False] * parts.cells
        self.done = [False] * parts.three_bv
        self.clicks: list[tuple[Action, int]] = []
        topology = parts.layout.topology
        rows, cols = topology.lattice.dimensions
        # Columns from the left, each from its top: among equal premiums the first is taken.
        self.order = [cell % cols * rows + cell // cols for cell in range(parts.cells)]
        self.premium = [0] * parts.cells
        self.covering: list[list[int]] = [[] for _ in range(parts.three_bv)]
        for cell in range(parts.cells):
            covered, mines = parts.covers[cell], parts.near_mines[cell]
            self.premium[cell] = len(covered) - len(mines) - 2
            for part in covered:
                self.covering[part].append(cell)
        self.heap: list[tuple[int, int, int]] = []
        for cell in range(parts.cells):
            self._push(cell)

    def run(self) -> ClickPlan:
        parts = self.parts
        firsts = sorted(
            (min(self.order[c] for c in members if c in parts.part_of), number)
            for number, members in enumerate(parts.members)
        )
        by_order = {self.order[cell]: cell for cell in range(parts.cells)}
        if self.human:
            for first, number in firsts:
                if number < parts.openings:
                    self._click(by_order[first])
        left = iter(firsts)
        while True:
            cell = self._best()
            if cell is not None:
                if not self.open[cell]:
                    self._click(cell)
                self._chord(cell)
                continue
            rest = next(((first, part) for first, part in left if not self.done[part]), None)
            if rest is None:
                return ClickPlan(tuple(self.clicks))
            self._click(by_order[rest[0]])

    def _push(self, cell: int) -> None:
        wanted = not self.parts.mines[cell] and (self.open[cell] or not self.human)
        if wanted and self.premium[cell] >= 0:
            heapq.heappush(self.heap, (-self.premium[cell], self.order[cell], cell))

    def _best(self) -> int | None:
        while self.heap:
            negated, _, cell = self.heap[0]
            heapq.heappop(self.heap)
            if -negated == self.premium[cell]:
                return cell
        return None

    def _click(self, cell: int) -> None:
        self.clicks.append((Action.OPEN, cell))
        self._reveal(cell)

    def _reveal(self, cell: int) -> None:
        part = self.parts.part_of.get(cell)
        if part is None:
            self._uncover(cell)
        elif not self.done[part]:
            self.done[part] = True
            for other in self.parts.members[part]:
                self._uncover(other)
            for other in self.covering[part]:
                self.premium[other] -= 1
                self._push(other)

    def _uncover(self, cell: int) -> None:
        if not self.open[cell]:
            self.open[cell] = True
            self.premium[cell] += 1
            self._push(cell)

    def _chord(self, cell: int) -> None:
        for mine in self.parts.near_mines[cell]:
            if not self.flagged[mine]:
                self.flagged[mine] = True
                self.clicks.append((Action.FLAG, mine))
                for other in self.parts.layout.topology.neighbours(mine):
                    self.premium[other] += 1
                    self._push(other)
        self.clicks.append((Action.CHORD, cell))
        for other in self.parts.near_safe[cell]:
            self._reveal(other)


def greedy_plan(parts: ClickParts, *, human: bool = False) -> ClickPlan:
    """The clicks of the greedy measure; a human's opens every opening first and chords on open
    clues only.
    """
    return _Greedy(parts, human).run()


# -- By search -----------------------------------------------------------------


@dataclass(frozen=True)
class BestZini:
    """The best plan found, and a number of clicks that no plan is below."""

    plan: ClickPlan
    bound: int

    @property
    def clicks(self) -> int:
        return len(self.plan)

    @property
    def proved(self) -> bool:
        """Whether no plan is shorter."""
        return self.clicks == self.bound


_MOST_WORK = 6_000_000


class _Masks:
    """The parts as bits of integers, so that a list of chords is tried in microseconds."""

    def __init__(self, parts: ClickParts) -> None:
        self.parts = parts
        cells = parts.cells
        area = [sum(1 << c for c in members) for members in parts.members]
        reach = [0] * cells
        for cell in range(cells):
            if not parts.mines[cell]:
                part = parts.part_of.get(cell)
                reach[cell] = 1 << cell if part is None else area[part]
        self.reach = reach
        self.around = [0] * cells
        self.mines = [0] * cells
        for cell in range(cells):
            for near in parts.near_safe[cell]:
                self.around[cell] |= reach[near]
            self.mines[cell] = sum(1 << c for c in parts.near_mines[cell])
        self.heads = sum(
            1 << next(c for c in members if c in parts.part_of) for members in parts.members
        )
        self.chordable = [
            cell for cell in range(cells) if parts.near_mines[cell] and len(parts.covers[cell]) > 1
        ]

    def cost(self, chords: list[int]) -> int:
        opened = flags = cost = 0
        for cell in chords:
            if not opened >> cell & 1:
                cost += 1
                opened |= self.reach[cell]
            cost += (self.mines[cell] & ~flags).bit_count() + 1
            flags |= self.mines[cell]
            opened |= self.around[cell]
        return cost + (self.heads & ~opened).bit_count()

    def plan(self, chords: list[int]) -> ClickPlan:
        """The clicks of these chords, and of what they leave."""
        clicks: list[tuple[Action, int]] = []
        opened = flags = 0
        for cell in chords:
            if not opened >> cell & 1:
                clicks.append((Action.OPEN, cell))
                opened |= self.reach[cell]
            fresh = (mine for mine in self.parts.near_mines[cell] if not flags >> mine & 1)
            clicks.extend((Action.FLAG, mine) for mine in fresh)
            clicks.append((Action.CHORD, cell))
            flags |= self.mines[cell]
            opened |= self.around[cell]
        for members in self.parts.members:
            head = next(c for c in members if c in self.parts.part_of)
            if not opened >> head & 1:
                clicks.append((Action.OPEN, head))
        return ClickPlan(tuple(clicks))


def best_zini(parts: ClickParts, *, trials: int = 20_000, seed: int = 0) -> BestZini:
    """The best plan that `trials` changes of a list of chords find, and a lower bound.

    A change adds, removes or moves a chord. One that costs no more is kept, one that costs a click
    more is kept now and then, so that the search leaves a dead end.
    """
    start = min(greedy_plan(parts), greedy_plan(parts, human=True), key=len)
    masks = _Masks(parts)
    least = _lower_bound(parts)
    chords = [cell for action, cell in start.clicks if action is Action.CHORD]
    cost = masks.cost(chords)
    best, best_cost = list(chords), cost
    # On a large board each trial takes longer, as its integers have as many bits as it has cells.
    trials = min(trials, _MOST_WORK // parts.cells)
    stream = Stream(seed)
    for trial in range(trials if masks.chordable else 0):
        if best_cost <= least:
            break
        tried = list(chords)
        kind = stream.below(4)
        if kind == 0 and tried:
            del tried[stream.below(len(tried))]
        elif kind == 1 and tried:
            moved = tried.pop(stream.below(len(tried)))
            tried.insert(stream.below(len(tried) + 1), moved)
        else:
            if kind == 2 and tried:
                del tried[stream.below(len(tried))]
            cell = masks.chordable[stream.below(len(masks.chordable))]
            if cell in tried:
                continue
            tried.insert(stream.below(len(tried) + 1), cell)
        now = masks.cost(tried)
        # Later trials are stricter; every run with the same seed is the same.
        worse = now == cost + 1 and stream.below(trials) > trial + trials // 3 and not trial % 8
        if now <= cost or worse:
            chords, cost = tried, now
            if cost < best_cost:
                best, best_cost = list(chords), cost
    plan = masks.plan(best)
    return BestZini(plan if len(plan) < len(start) else start, least)


def _lower_bound(parts: ClickParts) -> int:
    """A number of clicks that no plan is below.

    Every part gets a price of at most 1, so that no chord does parts of a higher price than it
    costs. A chord costs itself, and for each mine beside it a share of its flag, such that the
    shares of one flag come to at most 1. All prices together are then a lower bound: it is the dual
    of the linear program of clicks, flags and chords.
    """
    chords = [c for c in range(parts.cells) if not parts.mines[c] and len(parts.covers[c]) > 1]
    users: dict[int, list[int]] = {}
    for cell in chords:
        for mine in parts.near_mines[cell]:
            users.setdefault(mine, []).append(cell)
    share = {mine: 1.0 / len(cells) for mine, cells in users.items()}
    shares = {(c, m): share[m] for c in chords for m in parts.near_mines[c]}
    best = 0.0
    covering: list[list[int]] = [[] for _ in parts.members]
    for cell in chords:
        for part in parts.covers[cell]:
            covering[part].append(cell)
    for _ in range(max(min(60, _MOST_WORK // 150 // parts.cells), 1)):
        price = _prices(parts, chords, covering, shares)
        best = max(best, sum(price))
        load = {c: sum(price[p] for p in parts.covers[c]) for c in chords}
        tight = {c: load[c] >= 1.0 + _room(parts, c, shares) - 1e-6 for c in chords}
        # Shares move from chords with room to spare to those that hold prices down.
        for mine, cells in users.items():
            pull = [shares[c, mine] * (1.15 if tight[c] else 0.8) + 1e-3 for c in cells]
            total = sum(pull)
            for cell, weight in zip(cells, pull, strict=True):
                shares[cell, mine] = weight / total
    return max(int(-(-(best - 1e-6) // 1)), parts.openings if not chords else 0)


def _room(parts: ClickParts, cell: int, shares: dict[tuple[int, int], float]) -> float:
    return sum(shares[cell, mine] for mine in parts.near_mines[cell])


def _prices(
    parts: ClickParts,
    chords: list[int],
    covering: list[list[int]],
    shares: dict[tuple[int, int], float],
) -> list[float]:
    """Prices of the parts: all rise together, each until a chord over it has no room."""
    room = {c: 1.0 + _room(parts, c, shares) for c in chords}
    price = [0.0] * parts.three_bv
    rising = set(range(parts.three_bv))
    while rising:
        counts = {c: sum(p in rising for p in parts.covers[c]) for c in chords}
        step = min(
            [1.0 - price[next(iter(rising))]] + [room[c] / n for c, n in counts.items() if n]
        )
        step = max(step, 0.0)
        for part in rising:
            price[part] += step
        for cell, number in counts.items():
            room[cell] -= step * number
        full = {c for c in chords if room[c] <= 1e-9}
        stuck = {p for p in rising if price[p] >= 1 - 1e-9 or any(c in full for c in covering[p])}
        if not stuck:
            break
        rising -= stuck
    return price


@dataclass(frozen=True)
class ZiniMeasures:
    """The greedy measures of a board, and on demand the best that a search finds."""

    parts: ClickParts

    @cached_property
    def zini(self) -> int:
        return len(greedy_plan(self.parts))

    @cached_property
    def hzini(self) -> int:
        return len(greedy_plan(self.parts, human=True))

    @cached_property
    def best(self) -> BestZini:
        return best_zini(self.parts)
