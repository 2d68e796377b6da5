"""Files of puzzles, plain or compressed by gzip, and the set that comes with the package."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from mineproof.errors import NotationError, quoted
from mineproof.files import decode_text, read_bytes
from mineproof.generation.pattern_catalog import PATTERNS
from mineproof.generation.puzzle_json import parse_puzzles, write_puzzles
from mineproof.generation.puzzle_making import check_level
from mineproof.generation.teaching_puzzle import TeachingPuzzle

__all__ = ["chosen_of", "pack_puzzles", "read_puzzle_file", "shipped_puzzles"]

_SHIPPED = "puzzles.json.gz"
_MOST_BYTES = 16 * 2**20
_MOST_TEXT = 64 * 2**20
_GZIP = b"\x1f\x8b"


def shipped_puzzles(
    technique: str | None = None, *, level: int | None = None
) -> tuple[TeachingPuzzle, ...]:
    """The 500 puzzles that come with the package, or those of one pattern or level.

    There are a hundred of every level, spread over the patterns of `docs/patterns.md`. Raises
    InputError for a pattern or level that is not there.

    >>> len(mp.shipped_puzzles()), len(mp.shipped_puzzles("1-2", level=2))
    (500, 10)
    """
    return chosen_of(_shipped(), technique, level)


def chosen_of(
    puzzles: Iterable[TeachingPuzzle], technique: str | None, level: int | None
) -> tuple[TeachingPuzzle, ...]:
    """Those of one pattern and level; None is for all. Raises InputError for unknown ones."""
    wanted = None if technique is None else PATTERNS[technique].name
    check_level(level)
    return tuple(
        puzzle
        for puzzle in puzzles
        if wanted in (None, puzzle.pattern.name) and level in (None, puzzle.level)
    )


@lru_cache(maxsize=1)
def _shipped() -> tuple[TeachingPuzzle, ...]:
    data = (files("mineproof.generation") / _SHIPPED).read_bytes()
    return tuple(parse_puzzles(_unpacked(data, _SHIPPED)))


def read_puzzle_file(source: str | Path) -> list[TeachingPuzzle]:
    """The puzzles of a file, plain or compressed, or of standard input for `-`.

    Answers are not believed: `check_puzzle` checks them. Raises NotationError, which names the file
    and the puzzle.
    """
    text = _unpacked(read_bytes(source, _MOST_BYTES), source)
    try:
        return parse_puzzles(text)
    except NotationError as error:
        raise error.within(str(source)) from None


def pack_puzzles(puzzles: Iterable[TeachingPuzzle], compressed: bool) -> bytes:
    """The bytes of a file of puzzles; the same puzzles give the same bytes."""
    data = write_puzzles(puzzles).encode()
    return gzip.compress(data, 9, mtime=0) if compressed else data


def _unpacked(data: bytes, source: str | Path) -> str:
    """The text of a file; it may not grow past a limit. Raises NotationError."""
    if data.startswith(_GZIP):
        unpacker = zlib.decompressobj(wbits=31)
        try:
            data = unpacker.decompress(data, _MOST_TEXT)
        except zlib.error:
            raise NotationError("damaged; accepted: a whole gzip file", None, str(source)) from None
        if unpacker.unconsumed_tail:
            raise NotationError(f"{quoted(str(source))} holds more than {_MOST_TEXT} bytes")
        if not unpacker.eof:
            raise NotationError("cut short; accepted: a whole gzip file", None, str(source))
    return decode_text(data, source)
