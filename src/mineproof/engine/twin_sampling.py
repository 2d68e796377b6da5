"""Layouts drawn from the posterior by the Python twin, the same as the core's from the same seed.

Components get their mines one after the other, given those before; then the boxes of a component,
in the core's order; then cells of a box are swapped to its front. The core weighs with doubles and
the twin exactly, so a draw could differ where a random number falls within rounding of a boundary.

The twin of `cpp/exact/sample.cpp` and of the order in which the core eliminates boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, exp2, log2

from mineproof.engine.analysis import StateMeter
from mineproof.engine.constraints import Constraint, Number
from mineproof.graphs import distances, group_by_sets
from mineproof.rng import Stream

State = tuple[int, ...]


class LayoutSampler:
    """The boxes of a piece in order, and from every state on the weights of what is to come.

    `total[m]` is the weight of the layouts of the piece with m mines.
    """

    def __init__(self, piece: CorePiece, meter: StateMeter, name: str) -> None:
        self.piece = piece
        self.order = elimination_order(piece, meter.budget.states)
        self._weights = [clue.whole_weights() for clue in piece.clues]
        self._last = _last_steps(piece, self.order)
        self._room = [len(clue.cells) for clue in piece.clues]
        self._moves: list[dict[State, list[tuple[int, int, State]]]] = []
        layer: set[State] = {(0,) * len(piece.clues)}
        for step in range(len(self.order)):
            self._moves.append(self._step(step, layer))
            layer = {after for moves in self._moves[-1].values() for _, _, after in moves}
            meter.charge(len(layer), name, 0.0)
        self._rest = self._backwards(layer)
        self.total = next(iter(self._rest[0].values()))

    def _step(self, step: int, layer: set[State]) -> dict[State, list[tuple[int, int, State]]]:
        """For every state the numbers of mines the next box may hold, their weights, the states."""
        box = self.order[step]
        clues, size = self.piece.clues_of[box], self.piece.sizes[box]
        for clue in clues:
            self._room[clue] -= size
        found = {}
        for state in layer:
            moves = []
            for mines in range(size + 1):
                weight, after = comb(size, mines), list(state)
                for clue in clues:
                    after[clue] += mines
                    if self._last[clue] == step:
                        weight *= self._weights[clue].get(after[clue], 0)
                        after[clue] = 0
                    else:
                        said = self.piece.clues[clue]
                        weight *= said.low - self._room[clue] <= after[clue] <= said.high
                if weight:
                    moves.append((mines, weight, tuple(after)))
            found[state] = moves
        return found

    def _backwards(self, final: set[State]) -> list[dict[State, list[int]]]:
        rows: list[dict[State, list[int]]] = [{state: [1] for state in final}]
        for step in reversed(range(len(self.order))):
            most = self.piece.sizes[self.order[step]] + max(map(len, rows[-1].values()))
            row = {}
            for state, moves in self._moves[step].items():
                sums = [0] * most
                for mines, weight, after in moves:
                    for m, value in enumerate(rows[-1][after], mines):
                        sums[m] += weight * value
                row[state] = sums
            rows.append(row)
        return rows[::-1]

    def draw(self, mines: int, stream: Stream) -> Iterator[tuple[int, int]]:
        """The boxes in order, each with its mines, of a random layout of `mines` mines.

        Words of the generator may be used for the cells of a box before the next box is drawn.
        """
        state = next(iter(self._rest[0]))
        for step, box in enumerate(self.order):
            weights = [0] * (self.piece.sizes[box] + 1)
            then = {}
            for k, weight, after in self._moves[step][state]:
                rest = self._rest[step + 1][after]
                then[k] = after
                if 0 <= mines - k < len(rest):
                    weights[k] = weight * rest[mines - k]
            chosen = draw_index(weights, stream)
            state = then[chosen]
            mines -= chosen
            yield box, chosen


def draw_index(weights: Sequence[Number], stream: Stream) -> int:
    """An index drawn with these weights; one word of the generator, its upper 53 bits."""
    left = Fraction(stream.next() >> 11, 2**53) * Fraction(sum(weights))
    for place, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return place
    raise AssertionError("nothing to draw from")


def draw_cells(cells: list[int], mines: int, stream: Stream) -> list[int]:
    """So many of some cells, each set alike; they are swapped to the front of the list."""
    for place in range(mines):
        other = place + stream.below(len(cells) - place)
        cells[place], cells[other] = cells[other], cells[place]
    return cells[:mines]


# -- Components numbered as the core numbers them ------------------------------


@dataclass(frozen=True)
class CorePiece:
    """A component: boxes and clues in the order in which a breadth-first search finds them.

    `clues_of` are the clues of every box, `boxes_of` the boxes of every clue.
    """

    boxes: tuple[tuple[int, ...], ...]
    clues: tuple[Constraint, ...]
    clues_of: tuple[tuple[int, ...], ...]
    boxes_of: tuple[tuple[int, ...], ...]

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        return tuple(map(len, self.boxes))

    @cached_property
    def weighs(self) -> bool:
        """Whether some clue is met by more than one number of mines."""
        return any(clue.count is None for clue in self.clues)

    @cached_property
    def near(self) -> tuple[tuple[int, ...], ...]:
        """For every clue the others that share a box with it, in the order of its boxes."""
        found = []
        for clue, boxes in enumerate(self.boxes_of):
            met = dict.fromkeys(other for box in boxes for other in self.clues_of[box])
            met.pop(clue)
            found.append(tuple(met))
        return tuple(found)

    @cached_property
    def ranges(self) -> tuple[float, ...]:
        """How much a clue counts where orders are compared."""
        return tuple(0.6 * log2(clue.high + 1) for clue in self.clues)


def pieces_of(found: Sequence[Constraint]) -> list[CorePiece]:
    """Boxes are cells that occur in the same constraints; pieces hang together by constraints."""
    members = group_by_sets([constraint.cells for constraint in found])
    box_of = {cell: box for box, cells in members.items() for cell in cells}
    boxes = [dict.fromkeys(box_of[cell] for cell in one.cells) for one in found]
    pieces: list[CorePiece] = []
    done: set[int] = set()
    for start in range(len(found)):
        if start in done:
            continue
        place = {start: 0}
        met = [start]
        local: dict[tuple[int, ...], int] = {}
        for number in met:  # grows as it is read
            for box in boxes[number]:
                if box in local:
                    continue
                local[box] = len(local)
                for other in box:
                    if other not in place:
                        place[other] = len(met)
                        met.append(other)
        done.update(met)
        pieces.append(
            CorePiece(
                tuple(tuple(members[box]) for box in local),
                tuple(found[number] for number in met),
                tuple(tuple(place[other] for other in box) for box in local),
                tuple(tuple(local[box] for box in boxes[number]) for number in met),
            )
        )
    return pieces


# ----------------------------------------------------------------------------
# The order in which the core takes the boxes of a component: greedy, and where it is wide, the best
# of many tries. What an order costs is only a matter of speed, but layouts are drawn box by box, so
# another order would draw other layouts.

_TRY, _TRY_WEIGHED, _ENTRY, _COUNT, _PROGRAM = 150.0, 300.0, 0.25, 12.0, 60.0
"""Costs in nanoseconds: a try per box, spent for each entry expected, a state counted, and kept."""
# The numbers are those of `cpp/exact/order.cpp`, which has the reasons beside them.
_FEW_BOXES = 10
_SMALL = 9.0  # log2 of states a box: what could be saved is less than what looking costs
_SURE_WEIGHED = 22.0  # below, with weights, counting would cost more than a wrong choice
_ABOVE = 8.5  # log2 of how far estimates lie above the truth
_NO_ESTIMATE = 1e9
_TRIES, _HOPELESS_TRIES = 800, 60  # more tries bring nothing within reach that is far past a budget
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


def elimination_order(piece: CorePiece, states: int) -> tuple[int, ...]:
    """The boxes of a piece in the order of the core, which may keep so many states."""
    if len(piece.clues) == 1:
        return tuple(range(len(piece.boxes)))
    start = min(range(len(piece.clues)), key=lambda clue: len(piece.near[clue]))
    boxes = _Greedy(piece).close_all(start, None, {})
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

    def __init__(self, piece: CorePiece) -> None:
        self.piece = piece
        self.left = [set(boxes) for boxes in piece.boxes_of]
        self.opened: list[int] = []
        self.unopened = set(range(len(piece.clues)))
        self.order: list[int] = []

    def close_all(
        self, start: int, style: _Style | None, distance: Mapping[int, int]
    ) -> tuple[int, ...]:
        cost = self._plain if style is None else self._cost_function(style, distance)
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

    def _cost_function(self, style: _Style, distance: Mapping[int, int]) -> Callable[[int], float]:
        noise = style.noise

        def cost(clue: int) -> float:
            nonlocal noise
            noise = _next_noise(noise)
            own = self._weight(clue) + style.sweep * distance[clue]
            return own + style.amplitude * float(noise >> 44) * 2.0**-20

        return cost

    def _weight(self, clue: int) -> float:
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

    # Estimates may be twofold off in either direction: they choose whom to race, not who wins.

    def __init__(self, piece: CorePiece, best: _Order, states: int) -> None:
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
        self.noise = _next_noise(self.noise)
        start = (self.noise >> 33) % len(piece.clues)
        if self.tries % 2:
            start = list(distances([start], piece.near.__getitem__))[-1]
        distance = distances([start], piece.near.__getitem__)
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


def _next_noise(noise: int) -> int:
    return noise * 6364136223846793005 + 1442695040888963407 & _WORD


def _last_steps(piece: CorePiece, boxes: tuple[int, ...]) -> dict[int, int]:
    """For every clue the step that counts its last box."""
    return {clue: step for step, box in enumerate(boxes) for clue in piece.clues_of[box]}


def _estimate(piece: CorePiece, boxes: tuple[int, ...]) -> float:
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


def _count_states(piece: CorePiece, boxes: tuple[int, ...], cap: int) -> tuple[int, int]:
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
