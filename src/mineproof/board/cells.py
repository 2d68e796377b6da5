"""Sets of cells: a mask inside, a set outside, a board when printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mineproof.board.topology import Place, Topology
from mineproof.errors import InputError, as_given, check_kind, each_of, text_of
from mineproof.whole import whole

__all__ = ["CellSet"]


@dataclass(frozen=True)
class CellSet:
    """A set of cells of one topology; bit `c` of `mask` is cell `c`.

    >>> board = mp.Topology.parse("2x3")
    >>> print(mp.CellSet.of(board, [0, (1, 1)]))
    x..
    .x.
    """

    topology: Topology
    mask: int = 0

    def __post_init__(self) -> None:
        check_kind(self.topology, Topology, "topology", "a Topology")
        if whole(self.mask, "mask") < 0 or self.mask >> len(self.topology):
            raise InputError(
                f"mask holds cells off the board; accepted: 0..{len(self.topology) - 1}"
            )

    @classmethod
    def of(cls, topology: Topology | str, cells: Iterable[Place]) -> CellSet:
        """The set of these cells, each a number or coordinates. Raises InputError."""
        topology = Topology.taken(topology)
        size = len(topology)
        flags = bytearray((size + 7) // 8)
        for cell in each_of(cells, "cells", "a list of cells, such as [0, (1, 2)]"):
            if type(cell) is not int or not 0 <= cell < size:
                cell = topology.cell(cell)
            flags[cell >> 3] |= 1 << (cell & 7)
        return cls(topology, int.from_bytes(flags, "little"))

    @classmethod
    def parse(cls, topology: Topology | str, text: str) -> CellSet:
        """Read what `str` prints: rows of `x` (in), `.` (out) and `#` (no cell)."""
        topology = Topology.taken(topology)
        marks = [mark for line in text_of(text, "cell set").split("\n") for mark in line.strip()]
        places = [cell for row in topology.rows() for cell in row]
        if len(marks) != len(places):
            raise InputError(f"{len(marks)} marks for {len(places)} places of the board")
        chosen = []
        for mark, cell in zip(marks, places, strict=True):
            if mark not in ("#" if cell is None else "x."):
                raise InputError(f"mark {mark!r} in a cell set; accepted: x, . and # for no cell")
            if cell is not None and mark == "x":
                chosen.append(cell)
        return cls.of(topology, chosen)

    def __iter__(self) -> Iterator[int]:
        data = self.mask.to_bytes((len(self.topology) + 7) // 8, "little")
        for place, byte in enumerate(data):
            while byte:
                low = byte & -byte
                yield place * 8 + low.bit_length() - 1
                byte ^= low

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __contains__(self, cell: object) -> bool:
        number = cell if type(cell) is int else self.topology.find(cell)
        return number is not None and number >= 0 and bool(self.mask >> number & 1)

    def __or__(self, other: CellSet) -> CellSet:
        return CellSet(self.topology, self.mask | self._mask_of(other))

    def __and__(self, other: CellSet) -> CellSet:
        return CellSet(self.topology, self.mask & self._mask_of(other))

    def __sub__(self, other: CellSet) -> CellSet:
        return CellSet(self.topology, self.mask & ~self._mask_of(other))

    def __xor__(self, other: CellSet) -> CellSet:
        return CellSet(self.topology, self.mask ^ self._mask_of(other))

    def __le__(self, other: CellSet) -> bool:
        return not self.mask & ~self._mask_of(other)

    def isdisjoint(self, other: CellSet) -> bool:
        return not self.mask & self._mask_of(other)

    def _mask_of(self, other: CellSet) -> int:
        if not isinstance(other, CellSet):
            raise InputError(
                f"{as_given(other)} is no cell set; accepted: such as CellSet.of(topology, cells)"
            )
        if other.topology != self.topology:
            raise InputError("cell sets of different boards cannot be combined")
        return other.mask

    @property
    def names(self) -> tuple[str, ...]:
        """The cells by their coordinates."""
        return tuple(map(self.topology.cell_name, self))

    def __str__(self) -> str:
        chosen = set(self)
        return "\n".join(
            "".join("#" if cell is None else ".x"[cell in chosen] for cell in row)
            for row in self.topology.rows()
        )

    def __repr__(self) -> str:
        return f"CellSet.of({self.topology!r}, {list(self)})"
