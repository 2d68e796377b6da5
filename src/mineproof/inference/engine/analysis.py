"""What the exact engine says about a position. All but the chances is computed on demand.

analysis = mp.analyze(view)
analysis.p[2, 2], analysis.safe, analysis.solutions, analysis.least_risk
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import log
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mineproof.board.cells import CellSet
from mineproof.board.layout import Layout
from mineproof.board.topology import Place, Topology
from mineproof.errors import InputError
from mineproof.view.marks import Mark, Shown
from mineproof.view.view import View
from mineproof.whole import whole

__all__ = ["Analysis", "LeastRisk", "Part", "Probabilities"]


class Probabilities:
    """The chance of a mine for every cell: `p[17]`, `p[2, 2]`, or the whole as `array`.

    0.0 and 1.0 always mean certainty. An opened cell has 0.0, an opened mine 1.0. The array cannot
    be written to.
    """

    __slots__ = ("array", "topology")

    def __init__(self, topology: Topology, array: NDArray[np.float64]) -> None:
        self.topology = topology
        self.array = array

    def __getitem__(self, place: Place) -> float:
        return float(self.array[self.topology.cell(place)])

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Iterator[float]:
        return iter(self.array.tolist())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.array, dtype=dtype) if copy else np.asarray(self.array, dtype=dtype)

    def __repr__(self) -> str:
        return f"Probabilities({self.topology!r}, {self.array!r})"


@dataclass(frozen=True)
class LeastRisk:
    """The first hidden cell of least risk, its chance of a mine, and how many cells have it."""

    cell: int
    p: float
    alike: int


@dataclass(frozen=True)
class Part:
    """Cells that depend on each other, and the distribution of the number of mines among them.

    A component of the frontier with its clues; or the sea, which has none.
    """

    cells: tuple[int, ...]
    clues: tuple[int, ...]
    mines: Mapping[int, float]


class Analysis(ABC):
    """The exact posterior of a position; the subclasses compute it.

    >>> analysis = mp.analyze("square 3x3 mines=2\\n1..\\n12.\\n01.")
    >>> analysis.p[1, 2], analysis.mines.names, analysis.least_risk.cell
    (0.5, ('0,1',), 2)
    """

    __slots__ = ("_p", "_parts", "_solutions", "trust_flags", "view")

    engine: ClassVar[str]

    def __init__(self, view: View, trust_flags: bool) -> None:
        self.view = view
        self.trust_flags = trust_flags
        self._p: Probabilities | None = None
        self._parts: tuple[tuple[Part, ...], Part] | None = None
        self._solutions: int | None = None

    @property
    def p(self) -> Probabilities:
        """The chance of a mine, by cell number or coordinates."""
        if self._p is None:
            self._p = Probabilities(self.view.topology, self._chances())
        return self._p

    @property
    def safe(self) -> CellSet:
        """The hidden cells that are a mine in no layout."""
        return CellSet(self.view.topology, self._certain(0.0))

    @property
    def mines(self) -> CellSet:
        """The hidden cells that are a mine in every layout."""
        return CellSet(self.view.topology, self._certain(1.0))

    @property
    def solutions(self) -> int:
        """The number of solutions, however large.

        Raises BudgetExceeded if a huge board has too many to count exactly within the budget.
        """
        if self._solutions is None:
            self._solutions = self._count()
        return self._solutions

    @property
    def log_solutions(self) -> float | None:
        """The natural logarithm of the number of solutions, at once on any board.

        None if layouts are not equally likely: the total is unknown, or clues are unreliable.
        """
        if self.view.total is None or self.view.rules.clues != "exact":
            return None
        return self._log_count()

    @property
    def least_risk(self) -> LeastRisk | None:
        """The least risk among the hidden cells; None if no hidden cell can be safe.

        The least risk is not always the best move: see `mineproof.advice`.
        """
        cell, risk, alike = self._least_risk()
        return None if not alike or risk == 1.0 else LeastRisk(cell, risk, alike)

    @property
    def components(self) -> tuple[Part, ...]:
        """The components of the frontier, without the cells that single clues decide."""
        return self._tied[0]

    @property
    def sea(self) -> Part:
        """The unknown cells that no clue touches."""
        return self._tied[1]

    @property
    def _tied(self) -> tuple[tuple[Part, ...], Part]:
        if self._parts is None:
            self._parts = self._find_parts()
        return self._parts

    def clue_distribution(self, cell: Place) -> dict[Shown, float]:
        """What opening a hidden cell would show, with its chance: a clue, MINE or BLANK."""
        number = self.view.topology.cell(cell)
        if self.view.is_open(number):
            raise InputError(
                f"cell {self.view.topology.cell_name(number)} is open; accepted: a hidden cell"
            )
        degree = self.view.topology.degree(number)
        through = self.view.channel
        shown: dict[Shown, float] = {}
        safe = 0.0
        for true, chance in enumerate(self._count_odds(number)):
            safe += chance
            if not chance:
                continue
            for clue in (None, *range(degree + 1)):
                likely = through.likelihood(clue, true, degree)
                if likely:
                    key = Mark.BLANK if clue is None else clue
                    shown[key] = shown.get(key, 0.0) + chance * float(likely)
        if self.p[number]:
            shown[Mark.MINE] = self.p[number]
        return shown

    def belief(self, cell: Place) -> dict[int, float]:
        """The chance of each number of mines around an opened cell.

        With unreliable clues it says how likely the shown clue is to be true. Raises InputError for
        a cell that is hidden or an opened mine.
        """
        number = self.view.topology.cell(cell)
        if self.view.code(number) in (Mark.HIDDEN.value, Mark.MINE.value):
            raise InputError(
                f"cell {self.view.topology.cell_name(number)} shows no clue to believe; accepted:"
                " an opened cell that is no mine"
            )
        return {true: chance for true, chance in enumerate(self._count_odds(number)) if chance}

    def sample(self, n: int = 1, seed: int = 0) -> list[Layout]:
        """`n` layouts drawn independently from the posterior, including the opened mines."""
        if not 0 <= (n := whole(n, "samples")) < 2**63:
            raise InputError(f"{n} samples; accepted: 0 or more, below 2^63")
        return [Layout(self.view.topology, mines) for mines in self._draw(n, seed)]

    def fractions(self) -> dict[int, Fraction]:
        """The exact chance of a mine for every hidden cell, from the Python twin."""
        from mineproof.inference.engine.twin import count_view

        return count_view(self.view, trust_flags=self.trust_flags).chances

    # -- what a subclass works out -------------------------------------------------------------

    @abstractmethod
    def _chances(self) -> NDArray[np.float64]: ...

    def _certain(self, chance: float) -> int:
        """The hidden cells of a chance that is 0.0 or 1.0, as a mask."""
        hidden = self.view.codes() == Mark.HIDDEN.value
        bits = np.packbits(hidden & (self.p.array == chance), bitorder="little")
        return int.from_bytes(bits.tobytes(), "little")

    def _least_risk(self) -> tuple[int, float, int]:
        """The first hidden cell of least risk, its chance, and how many have it; perhaps none."""
        hidden = np.flatnonzero(self.view.codes() == Mark.HIDDEN.value)
        if not hidden.size:
            return 0, 1.0, 0
        chances = self.p.array[hidden]
        best = int(chances.argmin())
        return int(hidden[best]), float(chances[best]), int((chances == chances[best]).sum())

    @abstractmethod
    def _count(self) -> int: ...

    def _log_count(self) -> float:
        return log(self.solutions)

    @abstractmethod
    def _find_parts(self) -> tuple[tuple[Part, ...], Part]: ...

    @abstractmethod
    def _count_odds(self, cell: int) -> list[float]:
        """Entry v: the chance that a cell is safe and has v mines around it."""

    @abstractmethod
    def _draw(self, n: int, seed: int) -> Iterator[NDArray[np.uint8]]: ...

    def __repr__(self) -> str:
        return f"<{self.engine} analysis of {self.view.topology.text}>"

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows: every hidden cell with its chance of a mine."""
        from mineproof.view.drawing import notebook_svg

        return notebook_svg(self.view, self.p.array.tolist())
