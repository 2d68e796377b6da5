"""Certificates as text: one JSON object a line, small enough to be kept with the board.

    {"mineproof": "certificate 1", "board": "square:16x30/99", "rules": "...", "first": [7, 14],
     "layout": ["..*.", ...], "moves": [[[0, 1], "single clue", [[1, 1]]], ...], "digest": "..."}

A move is its cell, the technique and the cells whose clues are premises; `"total"` among them
stands for the number of mines, and `"larger"` says that a smaller proof was not ruled out. The
digest is over everything else, so that a damaged file is known at once.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from mineproof.board.layout import Layout
from mineproof.board.presets import Board
from mineproof.board.topology import Topology
from mineproof.errors import InputError, NotationError, quoted
from mineproof.generation.beginning import Beginning
from mineproof.generation.certificate import Certificate, CertifiedMove
from mineproof.proofs.techniques import Technique
from mineproof.rules import Rules

__all__ = ["MOST_BYTES", "read_certificates", "to_line"]

MOST_BYTES = 256 * 2**20
_MOST_LINE = 16 * 2**20
_MOST_CELLS = 40_000
_KIND = "certificate 1"
_FIELDS = ("mineproof", "board", "rules", "first", "layout", "moves", "digest")


def to_line(certificate: Certificate) -> str:
    """A certificate in a line of JSON. Raises InputError for a board that is too large for one."""
    topology = certificate.beginning.topology
    if len(topology) > _MOST_CELLS:
        raise InputError(f"a certificate of {len(topology)} cells; accepted: up to {_MOST_CELLS}")

    def place(cell: int) -> list[int]:
        return list(topology.coordinates(cell))

    def move(one: CertifiedMove) -> list[Any]:
        premises: list[Any] = [place(clue) for clue in one.clues]
        premises += ["total"] * one.uses_total + ["larger"] * (not one.smallest)
        return [place(one.cell), one.technique.name, premises]

    mines = frozenset(certificate.layout.cells)
    body = {
        "mineproof": _KIND,
        "board": certificate.beginning.board.text,
        "rules": certificate.beginning.rules.text,
        "first": place(certificate.beginning.first),
        "layout": [
            "".join("#" if cell is None else "*" if cell in mines else "." for cell in row)
            for row in topology.rows()
        ],
        "moves": [move(one) for one in certificate.moves],
    }
    return json.dumps({**body, "digest": _digest(body)}, separators=(",", ":"))


def _digest(body: dict[str, Any]) -> str:
    text = json.dumps(body, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def read_certificates(text: str) -> list[Certificate]:
    """The certificates of a text, one a line. Raises NotationError with the line."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                found.append(_Reader(_object(line)).certificate())
            except InputError as error:
                raise NotationError(str(error), number) from None
            except RecursionError:  # what could be read may be too deep to be written
                raise NotationError("nested too deeply", number) from None
    if not found:
        raise NotationError("no certificate is here; accepted: what generate --out writes")
    return found


def _object(line: str) -> dict[str, Any]:
    if len(line) > _MOST_LINE:
        raise NotationError(f"a line of {len(line)} characters; accepted: up to {_MOST_LINE}")
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise NotationError("not JSON; accepted: what generate --out writes") from None
    if not isinstance(found, dict) or found.get("mineproof") != _KIND:
        raise NotationError(f"not a certificate; accepted: an object with {quoted(_KIND)}")
    missing = [name for name in _FIELDS if name not in found]
    if missing or len(found) > len(_FIELDS):
        raise NotationError(
            f"field {quoted(missing[0])} is missing"
            if missing
            else f"fields beside {', '.join(_FIELDS)}"
        )
    if found.pop("digest") != _digest(found):
        raise NotationError("the digest does not fit: the certificate was changed or damaged")
    return found


class _Reader:
    """Reads one object field by field; whatever is not as it should be is named."""

    def __init__(self, found: dict[str, Any]) -> None:
        self._found = found

    def certificate(self) -> Certificate:
        board = Board.parse(self._text("board"), files=False)
        self._topology = topology = board.topology
        if len(topology) > _MOST_CELLS:
            raise NotationError(f"{len(topology)} cells; accepted: up to {_MOST_CELLS}")
        rules = Rules.parse(self._text("rules"))
        beginning = Beginning.of(board, self._cell(self._found["first"], "first"), rules)
        moves = self._list(self._found["moves"], "moves")
        return Certificate(beginning, self._layout(topology), tuple(map(self._move, moves)))

    def _layout(self, topology: Topology) -> Layout:
        rows = self._list(self._found["layout"], "layout")
        shape = list(topology.rows())
        if len(rows) != len(shape):
            raise NotationError(f"field layout has {len(rows)} rows; accepted: {len(shape)}")
        mines = []
        for number, (row, cells) in enumerate(zip(rows, shape, strict=True)):
            if not isinstance(row, str) or len(row) != len(cells):
                raise NotationError(f"row {number} of the layout needs {len(cells)} marks")
            for mark, cell in zip(row, cells, strict=True):
                if mark not in (".*" if cell is not None else "#"):
                    raise NotationError(
                        f"row {number} of the layout has the mark {quoted(mark)}; accepted: . for"
                        " safe, * for a mine, # for no cell"
                    )
                if mark == "*" and cell is not None:
                    mines.append(cell)
        return Layout.of(topology, mines)

    def _move(self, move: object) -> CertifiedMove:
        parts = self._list(move, "moves")
        if len(parts) != 3 or not isinstance(parts[1], str):
            raise NotationError("a move is a cell, a technique and premises")
        premises = self._list(parts[2], "moves")
        places = [one for one in premises if not isinstance(one, str)]
        words = [one for one in premises if isinstance(one, str)]
        if not set(words) <= {"total", "larger"} or len(set(words)) < len(words):
            raise NotationError(f"a premise is {quoted(words[0])}; accepted: cells and total")
        return CertifiedMove(
            self._cell(parts[0], "moves"),
            tuple(self._cell(place, "moves") for place in places),
            "total" in words,
            Technique.parse(parts[1]),
            "larger" not in words,
        )

    def _text(self, name: str) -> str:
        text = self._found[name]
        if not isinstance(text, str):
            raise NotationError(f"field {name} is no text")
        return text

    def _list(self, value: object, name: str) -> list[Any]:
        if not isinstance(value, list) or len(value) > _MOST_CELLS:
            raise NotationError(f"field {name} holds no list of at most {_MOST_CELLS}")
        return value

    def _cell(self, place: object, name: str) -> int:
        numbers = self._list(place, name)
        if any(isinstance(one, bool) or not isinstance(one, int) for one in numbers):
            raise NotationError(f"field {name} holds {quoted(place)}; accepted: coordinates")
        return self._topology.cell(tuple(numbers))
