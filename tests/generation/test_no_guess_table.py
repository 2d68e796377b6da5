"""The tables of docs/no-guess.md: what a stronger logic clears is never less."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.core import needs_core

ROOT = Path(__file__).parents[2]


def rows(*words: str) -> list[list[str]]:
    done = subprocess.run(
        [sys.executable, "tools/no_guess_table.py", *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return [line.strip("| ").split(" | ") for line in done.stdout.splitlines()]


def shares(row: list[str]) -> list[float]:
    found = [re.match(r"([\d.]+) % \(([\d.]+) to ([\d.]+)\)$", cell) for cell in row[1:]]
    assert all(found)
    for one in found:
        assert one is not None
        assert float(one[2]) <= float(one[1]) <= float(one[3])
    return [float(one[1]) for one in found if one is not None]


@needs_core
def test_stronger_logics_clear_more() -> None:
    head, _, *boards = rows("logics", "--deals", "24", "--played", "24")
    assert head[1:] == [
        "single-point", "pairs", "partition", "resolution", "full", "full with total"
    ]  # fmt: skip
    assert len(boards) == 6
    for row in boards:
        single, pairs, partition, resolution, full, with_total = shares(row)
        assert single <= pairs <= full <= with_total
        assert single <= partition <= full
        assert single <= resolution <= full


@needs_core
def test_denser_boards_are_rarer() -> None:
    _, _, *boards = rows("sizes", "--deals", "200")
    assert len(boards) == 24
    for first, last in zip(boards[::6], boards[5::6], strict=True):
        assert all(a > b for a, b in zip(shares(first), shares(last), strict=True))
