"""What the cells of a grid show: the network's chances, cells that look alike, and the rules.

1. Cells that look alike are one group and share the network's chances.
2. Which plain cells are hidden and which are opened without mines around them depends on the
   program. Groups of plain cells are told apart by the rules: next to an opened cell without mines
   nothing is hidden, and around a number there are enough covered cells.
3. Where the position has no solution, the exact engine tries the next likely kind of a group.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mineproof.board.topology import Topology
from mineproof.engine.analysis import Budget
from mineproof.engine.exact import analyze
from mineproof.errors import BudgetExceeded, InconsistentPosition, InputError
from mineproof.picture.network import KINDS, Floats, Pixels
from mineproof.rules import Rules
from mineproof.view.channels import Mark
from mineproof.view.view import View

_ZERO, _HIDDEN, _OTHER = KINDS.index("0"), KINDS.index("."), KINDS.index("-")
_COVERED = [KINDS.index(kind) for kind in ".FQ*X"]
_ALIKE = 5.0
"""The difference of colour up to which flat cells look alike."""
_MOST_PLAIN = 9
"""So many groups of plain cells are told apart: 2 to this power are tried."""
_SURE = 0.88
_MOST_TRIES = 24
_BUDGET = Budget(20_000_000, 256 << 20)


@dataclass(frozen=True)
class Labels:
    """The kind of every cell, and how sure it is."""

    kinds: NDArray[np.intp]
    chance: Floats
    doubtful: NDArray[np.bool_]
    misfit: float
    """The share of cells that look like none of a board, as the network has it."""
    plain_hidden: float
    """How sure the network is that plain cells said to be hidden are hidden."""

    def marks(self) -> list[str]:
        return [KINDS[kind] for kind in self.kinds]


def label(cells: Pixels, given: Floats, rows: int, cols: int) -> Labels:
    """The kinds of the cells of a grid, by the network's chances and by each other."""
    groups = _groups(cells)
    shared = _shared(given, groups)
    misfit = float(given[:, _OTHER].mean())
    proper = shared.copy()
    kinds = proper[:, :_OTHER].argmax(axis=1)
    plain = (proper[:, _ZERO] + proper[:, _HIDDEN]) > 0.5
    sureness = np.ones(rows * cols)
    if plain.any():
        hidden, sureness[plain] = _split(cells, proper, kinds, plain, rows, cols)
        kinds[plain] = np.where(hidden, _HIDDEN, _ZERO)
    chance = np.where(plain, proper[:, _ZERO] + proper[:, _HIDDEN], 0.0) * sureness
    own = given[np.arange(len(kinds)), kinds]
    best = proper[np.arange(len(kinds)), kinds]
    chance = np.where(plain, chance, np.minimum(best, 0.5 * best + 0.5 * own))
    covered = (kinds == _HIDDEN) & plain
    seen = proper[covered]
    plain_hidden = (
        float((seen[:, _HIDDEN] / (seen[:, _HIDDEN] + seen[:, _ZERO])).mean()) if len(seen) else 1.0
    )
    return Labels(kinds, chance.astype(np.float32), chance < _SURE, misfit, plain_hidden)


# ------------------------------------------------------------------------------------------ groups


def _groups(cells: Pixels) -> NDArray[np.intp]:
    """A number for every cell: cells that look alike have the same."""
    inner = cells[:, 2:-2, 2:-2].astype(np.float32)
    few = inner.reshape(len(cells), 10, 2, 10, 2, 3).mean(axis=(2, 4)).reshape(len(cells), -1)
    spread = few.std(axis=1)
    numbers = np.full(len(cells), -1, dtype=np.intp)
    count = 0
    for cell in range(len(cells)):
        if numbers[cell] >= 0:
            continue
        # A thin stroke makes the difference of two digits, so the worst places count.
        apart = np.abs(few - few[cell])
        worst = np.partition(apart, -24, axis=1)[:, -24:].mean(axis=1)
        alike = (worst < np.maximum(2 * _ALIKE, 0.35 * spread[cell])) & (numbers < 0)
        numbers[alike] = count
        count += 1
    return numbers


def _shared(given: Floats, groups: NDArray[np.intp]) -> Floats:
    """The chances of every cell's group: the geometric mean over its cells."""
    logs = np.log(np.maximum(given, 1e-4))
    sums = np.zeros((groups.max() + 1, given.shape[1]))
    np.add.at(sums, groups, logs)
    means = np.exp(sums / np.bincount(groups)[:, None])
    means /= means.sum(axis=1, keepdims=True)
    return means[groups].astype(np.float32)


# ----------------------------------------------------------------------------------- plain cells


def _near(values: NDArray[np.bool_], rows: int, cols: int) -> NDArray[np.intp]:
    """How many neighbours of every cell are true."""
    grid = np.zeros((rows + 2, cols + 2), dtype=np.intp)
    grid[1:-1, 1:-1] = values.reshape(rows, cols)
    total = sum(
        grid[1 + y : rows + 1 + y, 1 + x : cols + 1 + x]
        for y in (-1, 0, 1)
        for x in (-1, 0, 1)
        if x or y
    )
    return np.asarray(total).ravel()


def _split(
    cells: Pixels,
    given: Floats,
    kinds: NDArray[np.intp],
    plain: NDArray[np.bool_],
    rows: int,
    cols: int,
) -> tuple[NDArray[np.bool_], Floats]:
    """Which of the plain cells are hidden, and how sure that is."""
    places = np.flatnonzero(plain)
    logs = np.log(np.maximum(given[places], 1e-4))
    odds = np.clip(logs[:, _HIDDEN] - logs[:, _ZERO], -4, 4)
    digits = (kinds >= 1) & (kinds <= 8)
    if not digits.any():
        hidden = np.ones(len(places), dtype=bool)  # nothing is open
        return hidden, np.ones(len(places), dtype=np.float32)
    looks = _plain_groups(cells[places])
    count = int(looks.max()) + 1
    covered = ~plain & np.isin(kinds, _COVERED)
    weight = np.bincount(looks)
    lean = np.bincount(looks, odds) / weight
    costs = []
    for choice in itertools.product((False, True), repeat=count):
        chosen = np.array(choice)
        now = covered.copy()
        now[places] = chosen[looks]
        around = _near(now, rows, cols)
        zero = np.zeros(len(kinds), dtype=bool)
        zero[places] = ~chosen[looks]
        wrong = float(np.sum(zero & (around > 0)) + np.sum(digits & (around < kinds)))
        against = float((np.where(chosen, -lean, lean) * np.sqrt(weight)).clip(0).sum())
        # Hidden cells break no rule wherever they are. Where a group could as well be open, it is:
        # the more cells, the less likely is that by chance.
        free = float(np.minimum(np.sqrt(weight[chosen]), 4).sum())
        costs.append(2.0 * wrong + 0.8 * against + free)
    order = np.argsort(costs, kind="stable")
    best = int(order[0])
    picked = np.array([bool(best >> (count - 1 - k) & 1) for k in range(count)])
    sure = np.ones(count)
    for k in range(count):
        other = min(
            cost for place, cost in enumerate(costs)
            if bool(place >> (count - 1 - k) & 1) != picked[k]
        )  # fmt: skip
        sure[k] = 1 / (1 + np.exp(-(other - costs[best]) - 1.0))
    return picked[looks], sure[looks].astype(np.float32)


def _plain_groups(cells: Pixels) -> NDArray[np.intp]:
    """Groups of plain cells by colour and shading, at most `_MOST_PLAIN`."""
    blocks = cells.astype(np.float32).reshape(len(cells), 6, 4, 6, 4, 3).mean(axis=(2, 4))
    flat = blocks.reshape(len(cells), -1)
    centres: list[NDArray[np.float32]] = []
    members: list[list[int]] = []
    for place, one in enumerate(flat):
        apart = [float(np.sqrt(((one - centre) ** 2).mean())) for centre in centres]
        if apart and min(apart) < _ALIKE:
            nearest = int(np.argmin(apart))
            members[nearest].append(place)
            size = len(members[nearest])
            centres[nearest] = centres[nearest] + (one - centres[nearest]) / size
        else:
            centres.append(one.astype(np.float32))
            members.append([place])
    while len(centres) > _MOST_PLAIN:
        pairs = itertools.combinations(range(len(centres)), 2)
        a, b = min(
            pairs, key=lambda pair: float(((centres[pair[0]] - centres[pair[1]]) ** 2).sum())
        )
        sizes = len(members[a]), len(members[b])
        both = centres[a] * sizes[0] + centres[b] * sizes[1]
        centres[a] = (both / sum(sizes)).astype(np.float32)
        members[a] += members.pop(b)
        centres.pop(b)
    numbers = np.zeros(len(cells), dtype=np.intp)
    for number, group in enumerate(members):
        numbers[group] = number
    return numbers


# ----------------------------------------------------------------------------------------- rules


def clash(marks: list[str], rows: int, cols: int, mines: int | None) -> tuple[int, ...] | None:
    """The clues that clash; None for a position that has a solution. No clue means the total."""
    try:
        analyze(position(marks, rows, cols, mines), budget=_BUDGET)
    except InconsistentPosition as error:
        return error.clues
    except InputError:
        return ()  # more neighbours than there are, or more mines than cells
    except BudgetExceeded:
        return None
    return None


def position(marks: list[str], rows: int, cols: int, mines: int | None) -> View:
    """The view of these marks. Raises InputError where a number cannot stand at its place."""
    rules = "mines=~20% total=unknown" if mines is None else f"mines={mines}"
    codes = np.array([_code(mark) for mark in marks], dtype=np.uint8)
    flags = [cell for cell, mark in enumerate(marks) if mark == "F"]
    return View.of_codes(Topology.of("square", f"{rows}x{cols}"), Rules.parse(rules), codes, flags)


def _code(mark: str) -> int:
    if mark.isdigit():
        return int(mark)
    return {"*": Mark.MINE, "X": Mark.MINE, "!": Mark.BLANK}.get(mark, Mark.HIDDEN).value


def misfits(marks: list[str], rows: int, cols: int) -> float:
    """The share of numbers around which there are too few or too many covered cells and mines."""
    kinds = np.array([int(mark) if mark.isdigit() else -1 for mark in marks])
    covered = np.array([mark in ".FQ*X!" for mark in marks])
    mined = np.array([mark in "*X" for mark in marks])
    numbers = kinds >= 0
    if not numbers.any():
        return 0.0
    wrong = (_near(covered, rows, cols) < kinds) | (_near(mined, rows, cols) > kinds)
    wrong |= (kinds == 0) & (_near(covered, rows, cols) > 0)
    return float((wrong & numbers).sum() / numbers.sum())
