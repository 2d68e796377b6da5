"""The puzzles that come with the package, looked up by name: each is read when it is wanted."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from mineproof.generation.puzzle_json import FORMAT, parse_puzzles
from mineproof.generation.teaching_puzzle import TeachingPuzzle

__all__ = ["PuzzleShelf", "ShelfMark", "shipped_shelf"]

_SHIPPED = "puzzles.json.gz"


@dataclass(frozen=True)
class ShelfMark:
    """What is known of a puzzle before it is read."""

    name: str
    pattern: str
    level: int


class PuzzleShelf:
    """Puzzles in their order. Reading all of them takes seconds; this reads one at a time."""

    def __init__(self, written: list[Mapping[str, Any]]) -> None:
        self._written = {one["id"]: one for one in written}
        self._marks = tuple(ShelfMark(one["id"], one["pattern"], one["level"]) for one in written)

    def __iter__(self) -> Iterator[ShelfMark]:
        return iter(self._marks)

    def __len__(self) -> int:
        return len(self._marks)

    def find(self, name: str) -> TeachingPuzzle | None:
        """The puzzle of a name; None where there is none."""
        written = self._written.get(name)
        if written is None:
            return None
        [puzzle] = parse_puzzles(json.dumps({"format": FORMAT, "puzzles": [written]}))
        return puzzle


@lru_cache(maxsize=1)
def shipped_shelf() -> PuzzleShelf:
    """The 500 puzzles of the package."""
    data = (files("mineproof.generation") / _SHIPPED).read_bytes()
    return PuzzleShelf(json.loads(gzip.decompress(data))["puzzles"])
