"""The seam to the compiled exact engine: views in, analyses out.

What a topology and its rules look like to the core is worked out once and kept. A call then costs
microseconds, so the path of `solve` does nothing that can be done once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, NoReturn

import numpy as np
from numpy.typing import NDArray

from mineproof.board.topology import Topology
from mineproof.errors import BudgetExceeded
from mineproof.inference.analysis import Analysis, Part
from mineproof.inference.budget import Budget
from mineproof.inference.clash import inconsistent
from mineproof.kernel import core
from mineproof.rng import check_seed
from mineproof.rules import Rules
from mineproof.view.channels import Channel
from mineproof.view.marks import MAX_CLUE, Mark
from mineproof.view.view import View

__all__ = ["CoreAnalysis", "Ground", "ground_of", "solve", "solve_many", "translate", "vouched"]

_MOST_GROUNDS = 64
_MOST_RULES = 1024


class Ground:
    """A topology as the core knows it, with the models of the rules seen on it."""

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        rows, cols = _square_sides(topology)
        self.board = core.Board(topology.offsets, topology.targets, rows, cols)
        self._by_rules: dict[int, tuple[Rules, core.Model]] = {}
        self._models: dict[tuple[object, ...], core.Model] = {}

    def model(self, view: View) -> core.Model:
        """The core's model of the rules told to the player."""
        rules = view.rules
        entry = self._by_rules.get(id(rules))
        if entry is not None and entry[0] is rules:
            return entry[1]
        key = (view.total, view.density, rules.clues)
        model = self._models.get(key)
        if model is None:
            model = self._models[key] = _model(view)
        if len(self._by_rules) >= _MOST_RULES:
            self._by_rules.clear()
        self._by_rules[id(rules)] = (rules, model)
        return model


_grounds: dict[int, Ground] = {}


def ground_of(topology: Topology) -> Ground:
    """The ground of a topology, kept for the next call."""
    ground = _grounds.get(id(topology))
    if ground is None or ground.topology is not topology:
        if len(_grounds) >= _MOST_GROUNDS:
            _grounds.clear()
        ground = _grounds[id(topology)] = Ground(topology)
    return ground


def _square_sides(topology: Topology) -> tuple[int, int]:
    """Rows and columns of a plain square board, for which the core has a shorter way; else 0."""
    if topology.name != "square" or topology.blocked:
        return 0, 0
    rows, cols = topology.lattice.dimensions
    return rows, cols


def _model(view: View) -> core.Model:
    likelihoods = _likelihoods(view.channel, view.topology)
    if view.total is not None:
        return core.Model.of_total(view.total, likelihoods)
    if view.density is not None:
        # A density beside 0 or 1 must not be rounded to it: that would make cells certain.
        least, most = np.nextafter(0.0, 1.0), np.nextafter(1.0, 0.0)
        chance = float(view.density)
        if 0 < view.density < 1:
            chance = min(max(chance, float(least)), float(most))
        return core.Model.of_density(chance, likelihoods)
    numbers = np.ones(len(view) + 1)
    numbers[0] = 0.0
    return core.Model.of_number(numbers, likelihoods)


def _likelihoods(through: Channel, topology: Topology) -> NDArray[np.float64] | None:
    """The channel as a table [degree, shown, count]; None where a shown clue is the true count."""
    degrees = sorted(set(topology.degrees.tolist()))
    most = degrees[-1]
    clues = min(most, MAX_CLUE) + 1
    table = np.zeros((most + 1, clues, most + 1))
    for degree in degrees:
        for shown in range(min(degree + 1, clues)):
            table[degree, shown, : degree + 1] = [
                float(through.likelihood(shown, true, degree)) for true in range(degree + 1)
            ]
    told = table > 0
    plain = [
        bool((told[degree, :clues, : degree + 1] == np.eye(clues, degree + 1)).all())
        for degree in degrees
    ]
    return None if all(plain) else table


def vouched(view: View, trust_flags: bool) -> bytearray | None:
    """A byte for every cell, 1 for a flagged one; None where flags say nothing."""
    if not trust_flags or not view.flag_count:
        return None
    marks = bytearray(len(view))
    for cell in view.flags:
        marks[cell] = 1
    return marks


def solve(view: View, budget: Budget, trust_flags: bool) -> CoreAnalysis:
    """Solve one position. Raises InconsistentPosition and BudgetExceeded."""
    ground = ground_of(view.topology)
    try:
        solved = core.solve(
            ground.board,
            ground.model(view),
            codes_of(view),
            vouched(view, trust_flags) if trust_flags else None,
            budget.states,
            budget.memory,
        )
    except (core.Contradiction, core.OverBudget) as error:
        translate(error, view, budget, trust_flags)
    return CoreAnalysis(view, solved, trust_flags)


def solve_many(
    views: Sequence[View], budget: Budget, trust_flags: bool, threads: int
) -> list[Analysis]:
    """Solve many positions on threads of the core."""
    boards: list[core.Board] = []
    models: list[core.Model] = []
    for view in views:
        ground = ground_of(view.topology)
        boards.append(ground.board)
        models.append(ground.model(view))
    batch, failed = core.solve_many(
        boards,
        models,
        [codes_of(view) for view in views],
        [vouched(view, trust_flags) if trust_flags else None for view in views],
        budget.states,
        budget.memory,
        threads,
    )
    if failed is not None:
        solve(views[failed], budget, trust_flags)
        raise AssertionError("a position failed among others and not alone")
    found: list[Analysis] = []
    first = 0
    for place, view in enumerate(views):
        found.append(BatchAnalysis(view, batch, place, first, trust_flags))
        first += len(view.topology)
    return found


def codes_of(view: View) -> bytearray:
    """The bytes of a view for the core to read at once; refuses a clue that cannot be withheld."""
    codes = view.code_bytes()
    if view.rules.clues.startswith("withheld") and Mark.BLANK.value in codes:
        cell = codes.index(Mark.BLANK.value)
        if not view.channel.likelihood(None, 0, view.topology.degree(cell)):
            raise inconsistent(view, (cell,), uses_total=False)
    return codes


def translate(error: Exception, view: View, budget: Budget, trust_flags: bool) -> NoReturn:
    """Raise the error of mineproof that an error of the core stands for."""
    if isinstance(error, core.OverBudget):
        message, clues, cell, boxes, width = error.args
        place = cell if cell >= 0 else min(clues, default=None)
        name = "" if place is None else f" at {view.topology.cell_name(place)}"
        what = f"the component of {boxes} boxes{name}" if boxes else "the position"
        wide = f" needs layers of about 2**{width:.0f} states" if width else " needs more"
        raise BudgetExceeded(f"{what}{wide}; {message}") from None
    ground = ground_of(view.topology)
    try:
        clues, total = core.clash(
            ground.board,
            ground.model(view),
            codes_of(view),
            vouched(view, trust_flags),
            budget.states,
            budget.memory,
        )
    except core.OverBudget:
        _, clues, total = error.args
    raise inconsistent(view, clues, uses_total=total) from None


class CoreAnalysis(Analysis):
    """The posterior as the compiled core worked it out, in floating point; certainty is exact."""

    __slots__ = ("_alone",)

    engine: ClassVar[str] = "exact (C++)"
    _alone: core.Solved | None

    def __init__(self, view: View, solved: core.Solved, trust_flags: bool) -> None:
        self.view = view
        self.trust_flags = trust_flags
        self._alone = solved
        self._p = self._parts = self._solutions = None

    @property
    def _solved(self) -> core.Solved:
        assert self._alone is not None
        return self._alone

    def _chances(self) -> NDArray[np.float64]:
        return np.frombuffer(self._solved.chances)

    def _certain(self, chance: float) -> int:
        return int.from_bytes(self._solved.certain(chance), "little")

    def _least_risk(self) -> tuple[int, float, int]:
        return self._solved.least_risk()

    def _count(self) -> int:
        return int.from_bytes(self._solved.count(), "little")

    def _find_parts(self) -> tuple[tuple[Part, ...], Part]:
        parts = [
            Part(
                tuple(cells),
                tuple(clues),
                {first + i: chance for i, chance in enumerate(chances) if chance},
            )
            for cells, clues, first, chances in self._solved.parts()
        ]
        return tuple(sorted(parts[:-1], key=lambda part: part.cells)), parts[-1]

    def _count_odds(self, cell: int) -> list[float]:
        return self._solved.clue_odds(cell)[1]

    def _draw(self, n: int, seed: int) -> Iterator[NDArray[np.uint8]]:
        for mines in self._solved.sample(n, check_seed(seed)):
            yield np.frombuffer(mines, dtype=np.uint8)


class BatchAnalysis(CoreAnalysis):
    """One of many that were solved together: an object of the core's own only when asked more."""

    __slots__ = ("_batch", "_first", "_place")

    def __init__(
        self, view: View, batch: core.Batch, place: int, first: int, trust_flags: bool
    ) -> None:
        self.view = view
        self.trust_flags = trust_flags
        self._batch, self._place, self._first = batch, place, first
        self._p = self._parts = self._solutions = self._alone = None

    @property
    def _solved(self) -> core.Solved:
        if self._alone is None:
            self._alone = self._batch.at(self._place)
        return self._alone

    def _chances(self) -> NDArray[np.float64]:
        return np.frombuffer(
            self._batch.chances, np.float64, len(self.view.topology), self._first * 8
        )
