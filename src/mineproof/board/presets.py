"""Board names: a preset such as `expert`, or `TOPOLOGY:SHAPE/MINES` such as `hex:11x11/28`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mineproof.board.topology import Topology
from mineproof.errors import BoardError, UnknownName, quoted, text_of
from mineproof.registry import Catalog
from mineproof.rules import Mines

__all__ = ["PRESETS", "Board"]

_EDGES = re.compile(r"graph:[\d,;#-]+")


@dataclass(frozen=True, init=False)
class Board:
    """A topology and how many mines are dealt on it. Raises InputError where they do not fit.

    >>> mp.Board("9x9", 10) == mp.Board(mp.Topology.parse("9x9"), "10") == mp.Board.parse("9x9/10")
    True
    """

    topology: Topology
    mines: Mines

    def __init__(self, topology: Topology | str, mines: Mines | int | str) -> None:
        """The board of a topology or its text; mines are a number, a text or a value."""
        graph = Topology.taken(topology)
        object.__setattr__(self, "topology", graph)
        object.__setattr__(self, "mines", Mines.of(mines))
        fixed = self.mines.fixed(len(graph))
        if fixed is not None and fixed > len(graph):
            raise BoardError(f"{fixed} mines on {len(graph)} cells; accepted: at most one per cell")

    @classmethod
    def parse(cls, text: str, *, files: bool = True) -> Board:
        """A preset's name, or `SHAPE/MINES` with an optional `TOPOLOGY:` before it.

        Without `files` a graph must be written out: a text from elsewhere opens no file here.

        >>> Board.parse("expert").text
        'square:16x30/99'
        """
        if text_of(text, "board") in PRESETS:
            return cls.parse(PRESETS[text])
        # A density may be a ratio, `9x9/1/3`, and the path of a graph's file may hold slashes.
        shape, slash, mines = text.partition("/")
        if shape.startswith("graph:") and not _EDGES.fullmatch(shape):
            shape, slash, mines = text.rpartition("/")
        if not slash:
            if not re.search(r":|\dx", text):
                raise UnknownName("board", text, PRESETS)
            raise BoardError(
                f"board {quoted(text)} names no mines; accepted: such as expert, 16x30/99,"
                " 9x9/20% or hex:11x11/28"
            )
        return cls(Topology.parse(shape, files=files), Mines.parse(mines))

    @property
    def text(self) -> str:
        return f"{self.topology.text}/{self.mines.text}"

    def __str__(self) -> str:
        return self.text


PRESETS: Catalog[str] = Catalog("board")
PRESETS.add("beginner", "square:9x9/10")
PRESETS.add("beginner8", "square:8x8/10")
PRESETS.add("intermediate", "square:16x16/40")
PRESETS.add("expert", "square:16x30/99")
