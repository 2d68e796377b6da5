"""The order in which the core takes the boxes of a component: greedy, and raced where it is wide.

The twin of `cpp/exact/order.cpp` and `greedy_order.cpp`, number by number. What an order costs is
a matter of speed only, but layouts are drawn box by box: the same order draws the same layouts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp2, log2

from mineproof.inference.engine.piece import Piece

__all__ = ["elimination_order"]

_TRY, _TRY_WEIGHED, _ENTRY, _COUNT, _PROGRAM = 150.0, 300.0, 0.25, 12.0, 60.0
"""Costs in nanoseconds: a try per box, spent for each entry expected, a state counted, and kept."""
_FEW_BOXES = 10
_SMALL = 9.0
_SURE_WEIGHED = 22.0
_ABOVE = 8.5
_NO_ESTIMATE = 1e9
_TRIES, _HOPELESS_TRIES = 800, 60
_FINALISTS = 3
_MOST_BITS = 900.0
_WORD = 2**64 - 1


@dataclass(frozen=True)
class _Order:
    boxes: tuple[int, ...] = ()
    estimate: float = _NO_ESTIMATE
    """The logarithm (base 2) of the states it keeps, at most."""


@dataclass(frozen=True)
class _Style:
    noise: int
    amplitude: float
    sweep: float


def elimination_order(piece: Piece, states: int) -> tuple[int, ...]:
    """The boxes of a piece in the order of the core, which may keep so many states."""
    if len(piece.clues) == 1:
        return tuple(range(len(piece.boxes)))
    start = min(range(len(piece.clues)), key=lambda clue: len(piece.near[clue]))
    boxes = _Greedy(piece).close_all(start, None, [])
    if len(boxes) <= _FEW_BOXES:
        return boxes
    estimate = _estimate(piece, boxes)
    if piece.weighs:
        good = _ENTRY * exp2(min(estimate, 60.0)) < _TRY_WEIGHED * len(boxes)
    else:
        good = estimate <= _SMALL + log2(len(boxes))
    return boxes if good else _Race(piece, _Order(boxes, estimate), states).run()


class _Greedy:
    """Clues are closed one after the other: the open one that costs least comes next."""

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self.left = [set(boxes) for boxes in piece.boxes_of]
        self.opened: list[int] = []
        self.unopened = set(range(len(piece.clues)))
        self.order: list[int] = []

    def close_all(self, start: int, style: _Style | None, distance: list[int]) -> tuple[int, ...]:
        cost = self._plain if style is None else self._styled(style, distance)
        self._open(start)
        following: int | None = start
        while following is not None:
            self._close(following)
            self.opened = [clue for clue in self.opened if self.left[clue]]
            costs = [(cost(clue), clue) for clue in self.opened]
            following = min(costs, key=lambda pair: pair[0])[1] if costs else None
        return tuple(self.order)

    def _plain(self, clue: int) -> float:
        fresh = len(self.unopened.intersection(self.piece.near[clue]))
        return fresh * 64 + len(self.left[clue])

    def _styled(self, style: _Style, distance: list[int]) -> Callable[[int], float]:
        noise = style.noise

        def cost(clue: int) -> float:
            nonlocal noise
            noise = _following(noise)
            own = self._weighed(clue) + style.sweep * distance[clue]
            return own + style.amplitude * float(noise >> 44) * 2.0**-20

        return cost

    def _weighed(self, clue: int) -> float:
        """What closing a clue opens minus what it closes, each clue weighed by its range."""
        ranges = self.piece.ranges
        cost = len(self.left[clue]) - 32 * ranges[clue]
        for other in self.piece.near[clue]:
            if other in self.unopened:
                cost += 64 * ranges[other]
            elif self.left[other] and self.left[other] <= self.left[clue]:
                cost -= 64 * ranges[other]
        return cost

    def _open(self, clue: int) -> None:
        self.unopened.discard(clue)
        self.opened.append(clue)

    def _close(self, clue: int) -> None:
        """Eliminates the remaining boxes of a clue, those that open the fewest clues first."""
        piece = self.piece
        while self.left[clue]:
            ready = [box for box in piece.boxes_of[clue] if box in self.left[clue]]
            box = min(ready, key=lambda box: len(self.unopened.intersection(piece.clues_of[box])))
            for other in piece.clues_of[box]:
                if other in self.unopened:
                    self._open(other)
                self.left[other].discard(box)
            self.order.append(box)


class _Race:
    """Further orders, with other starts, styles and noise; the best are counted.

    Trying goes on as long as it costs less than a part of what the best order is expected to cost.
    """

    def __init__(self, piece: Piece, best: _Order, states: int) -> None:
        self.piece = piece
        self.best = best
        self.states = states
        self.finalists = [_Order()] * _FINALISTS
        self.hopeless = log2(max(states, 1)) + _ABOVE + 16
        self.noise = 0x9E3779B97F4A7C15
        self.tries = 0
        self.spent = 0.0
        self.least = 0
        self.known = False

    def run(self) -> tuple[int, ...]:
        if self.piece.weighs:
            while self._may_try() and self.spent < _ENTRY * exp2(min(self._best_estimate(), 60.0)):
                self._attempt(_TRY_WEIGHED)
            if self._best_estimate() < _SURE_WEIGHED:
                return min([self.best, *self.finalists], key=lambda o: o.estimate).boxes
        else:
            while self._may_try() and self.spent < _PROGRAM / 4 * exp2(
                self._best_estimate() - _ABOVE
            ):
                self._attempt(_TRY)
        self._count_finalists()
        return self.best.boxes

    def _best_estimate(self) -> float:
        return min(self.best.estimate, *(order.estimate for order in self.finalists))

    def _may_try(self) -> bool:
        hopeful = self._best_estimate() < self.hopeless
        return self.tries < (_TRIES if hopeful else _HOPELESS_TRIES)

    def _attempt(self, cost: float) -> None:
        piece = self.piece
        self.spent += cost * len(piece.boxes)
        self.noise = _following(self.noise)
        start = (self.noise >> 33) % len(piece.clues)
        if self.tries % 2:
            start = _farthest(piece, start)[0]
        distance = _farthest(piece, start)[1]
        amplitude = 60.0 if self.tries % 3 else 16.0
        style = _Style(self.noise, amplitude, float(self.tries % 5) * 6)
        boxes = _Greedy(piece).close_all(start, style, distance)
        trial = _Order(boxes, _estimate(piece, boxes))
        self.tries += 1
        if any(order.estimate == trial.estimate for order in self.finalists):
            return
        worst = max(range(_FINALISTS), key=lambda place: self.finalists[place].estimate)
        if trial.estimate < self.finalists[worst].estimate:
            self.finalists[worst] = trial

    def _count(self, order: _Order) -> bool:
        """Count the states of an order up to `least`; True if they are no more."""
        states, steps = _count_states(self.piece, order.boxes, self.least)
        self.spent += _COUNT * float(states)
        if steps < len(self.piece.boxes) or states > self.least:
            return False
        self.least, self.known = states, True
        return True

    def _count_finalists(self) -> None:
        expected = exp2(min(self._best_estimate() - _ABOVE + 2, 40.0))
        self.least = min(max(int(expected), 1 << 14), self.states)
        first = True
        while True:
            self.finalists.sort(key=lambda order: order.estimate)
            for place, order in enumerate(self.finalists):
                if order.estimate < _NO_ESTIMATE and self._count(order):
                    self.best = order
                if self.known:
                    self.finalists[place] = _Order()
            if first:
                self._count(self.best)
            first = False
            if not self.known:
                if self.least >= self.states:
                    return
                self.least = min(self.least * 4, self.states)
                continue
            tried = _TRY * len(self.piece.boxes)
            batch = int(min(max(_COUNT * float(self.least) / tried, 4.0), 100.0))
            if 2 * (self.spent + batch * tried) > _PROGRAM * float(self.least):
                return
            for _ in range(batch):
                self._attempt(_TRY)


def _following(noise: int) -> int:
    return noise * 6364136223846793005 + 1442695040888963407 & _WORD


def _farthest(piece: Piece, start: int) -> tuple[int, list[int]]:
    """A clue that is farthest from `start`, and the distances of all."""
    distance = [-1] * len(piece.clues)
    distance[start] = 0
    found = [start]
    for clue in found:  # grows as it is read
        for other in piece.near[clue]:
            if distance[other] < 0:
                distance[other] = distance[clue] + 1
                found.append(other)
    return found[-1], distance


def _last_steps(piece: Piece, boxes: tuple[int, ...]) -> list[int]:
    last = [0] * len(piece.clues)
    for step, box in enumerate(boxes):
        for clue in piece.clues_of[box]:
            last[clue] = step
    return last


def _estimate(piece: Piece, boxes: tuple[int, ...]) -> float:
    """The logarithm (base 2) of a bound of the states: the product of the ranges of open clues.

    With weights they are also no more than the boxes behind the open clues can make.
    """
    last = _last_steps(piece, boxes)
    cells = [sum(piece.sizes[box] for box in own) for own in piece.boxes_of]
    seen = [0] * len(piece.clues)
    ranges = [0.0] * len(piece.clues)
    behind_of = [len(clues) for clues in piece.clues_of]
    width = behind = total = 0.0
    mines = 1
    for step, box in enumerate(boxes):
        size = piece.sizes[box]
        behind += log2(size + 1)
        mines += size
        for clue in piece.clues_of[box]:
            said = piece.clues[clue]
            seen[clue] += size
            own = 0.0
            if last[clue] != step:
                high = min(said.high, seen[clue])
                low = max(0, said.low - (cells[clue] - seen[clue]))
                own = log2(max(1, high - low + 1))
            else:
                for other in piece.boxes_of[clue]:
                    behind_of[other] -= 1
                    if not behind_of[other]:
                        behind -= log2(piece.sizes[other] + 1)
            width += own - ranges[clue]
            ranges[clue] = own
        if piece.weighs:
            total += exp2(min(width, behind, _MOST_BITS)) * mines
        else:
            total += exp2(min(width, _MOST_BITS))
    return log2(total)


def _count_states(piece: Piece, boxes: tuple[int, ...], cap: int) -> tuple[int, int]:
    """The states that an order keeps and the steps they were counted for, up to a cap."""
    last = _last_steps(piece, boxes)
    room = [sum(piece.sizes[box] for box in own) for own in piece.boxes_of]
    layer = {(0,) * len(piece.clues)}
    total, steps = 1, 0
    for step, box in enumerate(boxes):
        if not layer or total > cap:
            break
        for clue in piece.clues_of[box]:
            room[clue] -= piece.sizes[box]
        after: set[tuple[int, ...]] = set()
        for state in layer:
            for mines in range(piece.sizes[box] + 1):
                counts = list(state)
                for clue in piece.clues_of[box]:
                    said = piece.clues[clue]
                    count = counts[clue] = state[clue] + mines
                    if last[clue] == step:
                        if not said.weight(count):
                            break
                        counts[clue] = 0
                    elif count > said.high or count + room[clue] < said.low:
                        break
                else:
                    after.add(tuple(counts))
        layer = after
        total += len(layer)
        steps += 1
    return total, steps
