"""The census: named positions in plain text with their exact answers, frozen by tools/census.py."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from mineproof.board.lattices import LATTICES
from mineproof.inference.engine.analysis import Analysis
from mineproof.inference.engine.exact import analyze
from mineproof.inference.engine.twin_analysis import TwinAnalysis
from mineproof.view import View
from mineproof.view.channels import CHANNELS


@dataclass(frozen=True)
class Entry:
    """A position with its frozen answers."""

    view: View
    solutions: int
    chances: dict[int, Fraction]


def read(block: str) -> tuple[str, Entry]:
    name, _, rest = block.partition("\n")
    position, _, answers = rest.partition("\nsolutions ")
    number, *words = answers.split()
    view = View.parse(position)
    cells = [cell for row in view.topology.rows() for cell in row]
    chances = {
        cell: Fraction(word)
        for cell, word in zip(cells, words, strict=True)
        if cell is not None and word != "-"
    }
    return name.strip(), Entry(view, int(number), chances)


BLOCKS = [
    read(block)
    for path in sorted((Path(__file__).parent / "census").glob("*.txt"))
    for block in path.read_text().split("== ")[1:]
]
ENTRIES = dict(BLOCKS)


@pytest.mark.parametrize("name", ENTRIES)
def test_answers(name: str) -> None:
    entry = ENTRIES[name]
    assert set(entry.chances) == set(entry.view.hidden)
    twin = TwinAnalysis(entry.view)
    assert twin.fractions() == entry.chances
    assert_frozen(twin, entry)
    assert_frozen(analyze(entry.view), entry)


def assert_frozen(analysis: Analysis, entry: Entry) -> None:
    assert analysis.solutions == entry.solutions
    for cell, chance in entry.chances.items():
        assert abs(analysis.p[cell] - chance) < 1e-12
        assert (analysis.p[cell] in (0.0, 1.0)) == (chance in (0, 1))


def test_the_census_is_wide() -> None:
    assert len(BLOCKS) == len(ENTRIES) >= 60
    views = [entry.view for entry in ENTRIES.values()]
    assert {view.topology.name for view in views} == set(LATTICES)
    assert {view.rules.clues.partition(":")[0] for view in views} == set(CHANNELS)
    assert {view.total is None for view in views} == {True, False}
    assert any(view.topology.blocked for view in views)
