"""The model behind CS50's tests, and classes that are right or wrong in one method."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from mineproof.courses import child
from mineproof.courses.methods import certain, cs50_results, neighbours, subset_closure
from mineproof.rng import Purpose, Stream

GOOD = """
import random


class Sentence:
    def __init__(self, cells, count):
        self.cells = set(cells)
        self.count = count

    def known_mines(self):
        return set(self.cells) if len(self.cells) == self.count else set()

    def known_safes(self):
        return set(self.cells) if self.count == 0 else set()

    def mark_mine(self, cell):
        if cell in self.cells:
            self.cells.discard(cell)
            self.count -= 1

    def mark_safe(self, cell):
        self.cells.discard(cell)


class MinesweeperAI:
    def __init__(self, height=8, width=8):
        self.height, self.width = height, width
        self.moves_made, self.mines, self.safes, self.knowledge = set(), set(), set(), []

    def mark_mine(self, cell):
        self.mines.add(cell)
        for sentence in self.knowledge:
            sentence.mark_mine(cell)

    def mark_safe(self, cell):
        self.safes.add(cell)
        for sentence in self.knowledge:
            sentence.mark_safe(cell)

    def add_knowledge(self, cell, count):
        self.moves_made.add(cell)
        self.mark_safe(cell)
        cells = set()
        for row in range(max(cell[0] - 1, 0), min(cell[0] + 2, self.height)):
            for column in range(max(cell[1] - 1, 0), min(cell[1] + 2, self.width)):
                if (row, column) in self.mines:
                    count -= 1
                elif (row, column) not in self.safes:
                    cells.add((row, column))
        self.knowledge.append(Sentence(cells, count))
        while self.settle():
            pass

    def settle(self):
        before = len(self.safes), len(self.mines), len(self.knowledge)
        for sentence in list(self.knowledge):
            for cell in sentence.known_mines():
                self.mark_mine(cell)
            for cell in sentence.known_safes():
                self.mark_safe(cell)
        for one in list(self.knowledge):
            for two in list(self.knowledge):
                if one.cells < two.cells:
                    cells, count = two.cells - one.cells, two.count - one.count
                    if not any(s.cells == cells and s.count == count for s in self.knowledge):
                        self.knowledge.append(Sentence(cells, count))
        return before != (len(self.safes), len(self.mines), len(self.knowledge))

    def make_safe_move(self):
        return min(self.safes - self.moves_made, default=None)

    def make_random_move(self):
        cells = [(r, c) for r in range(self.height) for c in range(self.width)]
        left = [cell for cell in cells if cell not in self.moves_made | self.mines]
        return random.choice(left) if left else None
"""


def failed(tmp_path: Path, text: str, seed: int = 0) -> list[str]:
    """The names of the tests that a class does not pass, called in this process."""
    file = tmp_path / "minesweeper.py"
    file.write_text(text)
    child._modules.clear()
    call: Callable[[dict[str, Any]], dict[str, Any]] = lambda order: child._call(  # noqa: E731
        {**order, "file": str(file)}
    )
    results = list(cs50_results(call, Stream(seed, 0, Purpose.AGENT)))
    assert all(one.said for one in results if not one.passed)
    return [one.name for one in results if not one.passed]


@pytest.mark.parametrize("seed", range(5))
def test_a_right_class_passes(tmp_path: Path, seed: int) -> None:
    assert failed(tmp_path, GOOD, seed) == []


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (("len(self.cells) == self.count else", "self.count else"), "known_mines"),
        (("if self.count == 0 else", "if self.count < 9 else"), "known_safes"),
        (("            self.count -= 1\n", ""), "Sentence.mark_mine"),
        (
            (
                "def mark_safe(self, cell):\n        self.cells",
                "def mark_safe(self, cell):\n        self.count -= 1; self.cells",
            ),
            "Sentence.mark_safe",
        ),
        (("self.moves_made.add(cell)", "pass"), "marks the move"),
        (("while self.settle()", "while False"), "marks mines"),
        (("self.safes - self.moves_made", "self.safes"), "make_safe_move opens"),
        (("default=None", "default=(0, 0)"), "without a safe cell"),
        (("self.moves_made | self.mines", "self.moves_made"), "make_random_move"),
        (
            ("        while self.settle():\n            pass", "        self.settle()"),
            "inference to the end",
        ),
        (("one.cells < two.cells", "False"), "inference to the end"),
        (("two.count - one.count", "0"), "inference to the end"),
        (("import random", "raise ValueError"), "known_mines"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_method_fails_its_test(tmp_path: Path, change: tuple[str, str], name: str) -> None:
    text = GOOD.replace(*change)
    assert text != GOOD
    assert any(name in one for one in failed(tmp_path, text))


def test_the_model_is_that_of_all_layouts() -> None:
    """What subsets prove is certain, and what is certain is so in every layout of the board."""
    rng = Stream(5, 0, Purpose.AGENT)
    cells = list(product(range(4), repeat=2))
    more = 0
    for _ in range(10):
        mines = {rng.choice(cells) for _ in range(3)}
        opened = {rng.choice([cell for cell in cells if cell not in mines]) for _ in range(4)}
        told = [(cell, len(neighbours(cell) & mines)) for cell in opened]
        fitting = [
            set(chosen)
            for size in range(7)
            for chosen in combinations([cell for cell in cells if cell not in opened], size)
            if all(len(neighbours(cell) & set(chosen)) == count for cell, count in told)
        ]
        least, (safe, certain_mines) = subset_closure(told), certain(told)
        assert least[0] <= safe
        assert least[1] <= certain_mines
        assert certain_mines == set.intersection(*fitting) & set().union(
            *(neighbours(cell) for cell in opened)
        )
        front = set().union(*(neighbours(cell) for cell in opened))
        assert safe & front - opened == front - opened - set.union(*fitting)
        more += len(safe) - len(least[0])
    assert more >= 0
