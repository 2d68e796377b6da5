"""Tests of a class by the names of its methods: those of CS50's `Sentence` and `MinesweeperAI`.

A submission's process makes the object and calls it; here is known what should come back. A case is
a class, the arguments that make it, calls, and what is then looked at. The boards of the last tests
are drawn by lot for each grading, and judged by a model of their own: so answers cannot be listed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

from mineproof.rng import Stream
from mineproof.text import many

Cell: TypeAlias = tuple[int, int]
Call: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]
"""Sends an order to the process of a submission and returns its answer."""
_SIDE = 4
_DRAWN = 6


@dataclass(frozen=True)
class MethodResult:
    """A test of one method: passed, or what was expected and what came."""

    name: str
    passed: bool
    said: str = ""


@dataclass(frozen=True)
class _Case:
    kind: str
    make: tuple[Any, ...]
    calls: tuple[tuple[str, list[Any]], ...]
    fields: tuple[str, ...] = ()

    def order(self) -> dict[str, Any]:
        return {
            "order": "call",
            "class": self.kind,
            "make": list(self.make),
            "calls": [list(call) for call in self.calls],
            "fields": list(self.fields),
        }

    @property
    def text(self) -> str:
        made = f"{self.kind}({', '.join(map(_text, self.make))})"
        calls = [f"{name}({', '.join(map(_text, given))})" for name, given in self.calls]
        return ", then ".join([made, *calls])


def cs50_results(call: Call, rng: Stream) -> Iterator[MethodResult]:
    """Every test of CS50's classes, in order; a failure says what was called and what came back."""
    three = [[0, 0], [0, 1], [0, 2]]
    nothing: list[list[int]] = []
    for name, count, expected in (
        ("known_mines", 3, three),
        ("known_mines", 1, nothing),
        ("known_safes", 0, three),
        ("known_safes", 2, nothing),
    ):
        case = _Case("Sentence", (three, count), ((name, []),))
        found = f"Sentence.{name} with a count of {count}"
        yield _compared(found, case, call, lambda one: one["returned"][-1], expected)
    for name, left, count in (("mark_mine", 2, 1), ("mark_safe", 2, 2)):
        case = _Case("Sentence", (three, 2), ((name, [[0, 1]]),), ("cells", "count"))
        cells = [[0, 0], [0, 2]][:left]
        yield _compared(
            f"Sentence.{name}",
            case,
            call,
            lambda one: one["fields"],
            {"cells": cells, "count": count},
        )
    ai = "MinesweeperAI"
    case = _Case(ai, (3, 3), (("add_knowledge", [[0, 0], 0]),), ("moves_made", "safes"))
    around = [[0, 0], [0, 1], [1, 0], [1, 1]]
    yield _compared(
        "add_knowledge marks the move and what a 0 makes safe",
        case,
        call,
        lambda one: one["fields"],
        {"moves_made": [[0, 0]], "safes": around},
    )
    case = _Case(ai, (1, 3), (("add_knowledge", [[0, 1], 2]),), ("mines",))
    yield _compared(
        "add_knowledge marks mines",
        case,
        call,
        lambda one: one["fields"]["mines"],
        [[0, 0], [0, 2]],
    )
    case = _Case(ai, (3, 3), (("add_knowledge", [[0, 0], 0]), ("make_safe_move", [])))
    yield _judged(
        "make_safe_move opens a safe cell that is not open",
        case,
        call,
        lambda one: one["returned"][-1] in around[1:],
        "one of (0, 1), (1, 0), (1, 1)",
    )
    case = _Case(ai, (3, 3), (("make_safe_move", []),))
    yield _compared(
        "make_safe_move without a safe cell", case, call, lambda one: one["returned"][-1], None
    )
    calls: tuple[tuple[str, list[Any]], ...]
    calls = (("add_knowledge", [[0, 1], 1]), ("mark_mine", [[0, 0]]), ("make_random_move", []))
    case = _Case(ai, (1, 3), calls)
    yield _compared(
        "make_random_move leaves out moves and mines",
        case,
        call,
        lambda one: one["returned"][-1],
        [0, 2],
    )
    yield _inference(call, rng)


def _inference(call: Call, rng: Stream) -> MethodResult:
    """Inference to the end: after some cells, all that pairs of sentences prove is known."""
    name = "add_knowledge: inference to the end"
    # The boards on which the last clue decides the most: inference has to go on for some rounds.
    drawn = sorted((_drawn_clues(rng) for _ in range(10 * _DRAWN)), key=_decided_last)
    for told in drawn[-_DRAWN:]:
        calls = tuple(("add_knowledge", [list(cell), count]) for cell, count in told)
        case = _Case("MinesweeperAI", (_SIDE, _SIDE), calls, ("safes", "mines"))
        answer = call(case.order())
        least, most = subset_closure(told), certain(told)
        if problem := _wrong(answer, least, most):
            return MethodResult(name, False, f"{case.text}: {problem}")
    return MethodResult(name, True, f"{many(_DRAWN, 'board')} drawn by lot")


def _drawn_clues(rng: Stream) -> list[tuple[Cell, int]]:
    """Cells of a board drawn by lot with their clues."""
    cells = [(row, column) for row in range(_SIDE) for column in range(_SIDE)]
    mines = {rng.choice(cells) for _ in range(4)}
    safe = [cell for cell in cells if cell not in mines]
    opened = {rng.choice(safe): None for _ in range(6)}
    return [(cell, len(neighbours(cell) & mines)) for cell in opened]


def _decided_last(told: list[tuple[Cell, int]]) -> int:
    """How many cells sentences decide with the last clue, and not without it."""
    before, after = subset_closure(told[:-1]), subset_closure(told)
    return sum(len(new - old) for old, new in zip(before, after, strict=True))


def _wrong(
    answer: dict[str, Any], least: tuple[set[Cell], set[Cell]], most: tuple[set[Cell], set[Cell]]
) -> str:
    if "failed" in answer:
        return str(answer["failed"])
    for word, lower, upper in zip(("safes", "mines"), least, most, strict=True):
        found = answer["fields"][word]
        if not isinstance(found, list) or not all(isinstance(one, list) for one in found):
            return f"{word} is no set of cells"
        cells = {tuple(one) for one in found}
        if missing := lower - cells:
            return f"{min(missing)} follows and is missing in {word}"
        if extra := cells - upper:
            return f"{min(extra)} is in {word} and does not follow"
    return ""


def _compared(
    name: str, case: _Case, call: Call, look: Callable[[dict[str, Any]], Any], expected: Any
) -> MethodResult:
    return _judged(name, case, call, lambda one: look(one) == expected, _text(expected))


def _judged(
    name: str, case: _Case, call: Call, good: Callable[[dict[str, Any]], bool], expected: str
) -> MethodResult:
    answer = call(case.order())
    if "failed" in answer:
        return MethodResult(name, False, f"{case.text}: {answer['failed']}")
    if good(answer):
        return MethodResult(name, True)
    came = answer["fields"] if case.fields else answer["returned"][-1]
    return MethodResult(name, False, f"{case.text}: expected {expected}, came {_text(came)}")


def _text(value: Any) -> str:
    text = json.dumps(value).replace("[", "(").replace("]", ")")
    return text if len(text) <= 200 else f"{text[:200]}..."


# ----------------------------------------------------------------------------
# The model: what must be known, and what may be.
#
# What sentences prove by CS50's rule, subsets, must be found; what follows at all may be.


def neighbours(cell: Cell, side: int = _SIDE) -> set[Cell]:
    """The cells around one on a square board of that side."""
    row, column = cell
    rows, columns = (
        range(max(row - 1, 0), min(row + 2, side)),
        range(max(column - 1, 0), min(column + 2, side)),
    )
    return set(product(rows, columns)) - {cell}


def subset_closure(told: list[tuple[Cell, int]]) -> tuple[set[Cell], set[Cell]]:
    """The safe cells and the mines that sentences and their subsets prove, until nothing is new."""
    safe, mines = {cell for cell, _ in told}, set[Cell]()
    sentences = {(frozenset(neighbours(cell)), count) for cell, count in told}
    while True:
        reduced = {
            (cells - safe - mines, count - len(cells & mines)) for cells, count in sentences
        } - {(frozenset(), 0)}
        new_safe = {cell for cells, count in reduced if not count for cell in cells}
        new_mines = {cell for cells, count in reduced if count == len(cells) for cell in cells}
        more = {
            (large - small, count - less)
            for small, less in reduced
            for large, count in reduced
            if small < large
        }
        if not (new_safe - safe or new_mines - mines or more - sentences or reduced - sentences):
            return safe, mines
        safe, mines, sentences = safe | new_safe, mines | new_mines, sentences | reduced | more


def certain(told: list[tuple[Cell, int]]) -> tuple[set[Cell], set[Cell]]:
    """The safe cells and the mines of every layout that fits; the total is not known."""
    opened = {cell for cell, _ in told}
    front = sorted(set().union(*(neighbours(cell) for cell, _ in told)) - opened)
    sets = [
        (sum(1 << front.index(one) for one in neighbours(cell) - opened), count)
        for cell, count in told
    ]
    ever, always = 0, (1 << len(front)) - 1
    for layout in range(1 << len(front)):
        if all((layout & mask).bit_count() == count for mask, count in sets):
            ever, always = ever | layout, always & layout
    safe = {cell for place, cell in enumerate(front) if not ever >> place & 1}
    return safe | opened, {cell for place, cell in enumerate(front) if always >> place & 1}
