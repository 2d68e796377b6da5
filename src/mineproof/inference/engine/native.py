"""The seam to the compiled exact engine: views in, analyses out.

A call costs microseconds, so `solve` does nothing that can be done once beforehand. The twin is
imported only where it is asked: a process that solves one position would wait for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof.errors import BudgetExceeded
from mineproof.inference.engine.analysis import Analysis, Part
from mineproof.inference.engine.budget import DEFAULT_BUDGET, Budget
from mineproof.inference.engine.ground import ground_of, question, vouched
from mineproof.inference.engine.inconsistency import inconsistent
from mineproof.kernel import core
from mineproof.rng import check_seed
from mineproof.view.view import View

__all__ = ["BatchAnalysis", "CoreAnalysis", "settled", "solve", "solve_many", "translate"]

Run: TypeAlias = "tuple[core.Board, core.Model, int]"
"""So many positions with one board and one model."""


def settled(view: View, pairs: bool) -> tuple[Sequence[int], Sequence[int]]:
    """What single clues decide, or pairs too: safe cells, mines. Raises InconsistentPosition."""
    ground = ground_of(view.topology)
    try:
        return core.settled(ground.board, *ground.read(view), pairs)
    except core.Contradiction as error:
        translate(error, view, DEFAULT_BUDGET, trust_flags=False)


def solve(view: View, budget: Budget, trust_flags: bool) -> CoreAnalysis:
    """Solve one position. Raises InconsistentPosition and BudgetExceeded."""
    try:
        solved = core.solve(*question(view, trust_flags), budget.states, budget.memory)
    except (core.Contradiction, core.OverBudget) as error:
        translate(error, view, budget, trust_flags)
    return CoreAnalysis(view, solved, trust_flags)


def solve_many(
    views: Sequence[View], budget: Budget, trust_flags: bool, threads: int
) -> list[Analysis]:
    """Solve many positions on threads of the core."""
    runs, codes = _read(views)
    marks = [vouched(view, True) for view in views] if trust_flags else None
    made: list[Analysis] = []

    def make(batch: core.Batch) -> None:
        for place, view in enumerate(views):
            made.append(BatchAnalysis(view, batch, place, trust_flags))

    failed = core.solve_many(runs, codes, marks, budget.states, budget.memory, threads, make)
    if failed is not None:
        solve(views[failed], budget, trust_flags)
        raise AssertionError("a position failed among others and not alone")
    return made


def _read(views: Sequence[View]) -> tuple[list[Run], list[bytearray]]:
    """Runs of views with one board and one model, and what each view shows.

    All of this runs on one thread, so what neighbouring views have in common is looked up once.
    """
    begins: list[tuple[core.Board, core.Model, int]] = []
    codes: list[bytearray] = []
    topology = rules = model = words = None
    for view in views:
        if view.rules is not rules or view.topology is not topology:
            if view.topology is not topology:
                topology, model = view.topology, None
                ground = ground_of(topology)
            learnt, words, lasting = ground.learn(view)
            rules = view.rules if lasting else None
            if learnt is not model:
                model = learnt
                begins.append((ground.board, model, len(codes)))
        shown = view.code_bytes()
        codes.append(shown if words is None else shown.translate(words))
    ends = [begin for _, _, begin in begins[1:]]
    return [
        (board, model, end - begin)
        for (board, model, begin), end in zip(begins, [*ends, len(codes)], strict=False)
    ], codes


def translate(error: Exception, view: View, budget: Budget, trust_flags: bool) -> NoReturn:
    """Raise the error of mineproof that an error of the core stands for."""
    if isinstance(error, core.OverBudget):
        message, clues, _, boxes, width = error.args
        what = "the position is too large"
        if boxes:
            name = view.topology.cell_name(min(clues))
            width = max(width, _estimate(view, clues, trust_flags))
            what = f"the component of {boxes} boxes at {name} needs about 2**{width:.0f} states"
        raise BudgetExceeded(f"{what}; {message}") from None
    try:
        clues, total = core.clash(*question(view, trust_flags), budget.states, budget.memory)
    except core.OverBudget:
        _, clues, total = error.args
    raise inconsistent(view, clues, uses_total=total) from None


def _estimate(view: View, clues: Sequence[int], trust_flags: bool) -> float:
    """The width of the component that has the first of these clues, as the twin sees it."""
    from mineproof.inference.engine.constraints import constraints
    from mineproof.inference.engine.counting import estimated_width
    from mineproof.inference.engine.frontier import components_of
    from mineproof.inference.engine.settle import settle
    from mineproof.inference.engine.twin import known_flags

    left = settle(constraints(view, known_flags(view, trust_flags))).left
    for component in components_of(left):
        if min(clues) in component.clues:
            return estimated_width(component)
    return 0.0


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
        try:
            return int.from_bytes(self._solved.count(), "little")
        except core.OverBudget as error:
            raise BudgetExceeded(
                f"there are too many solutions to count exactly; {error.args[0]}"
            ) from None

    def _log_count(self) -> float:
        return self._solved.log_weight()

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
    """One of many that were solved together; it gets a core object only when asked for more."""

    __slots__ = ("_batch", "_place")

    def __init__(self, view: View, batch: core.Batch, place: int, trust_flags: bool) -> None:
        self.view = view
        self.trust_flags = trust_flags
        self._batch = batch
        self._place = place
        self._p = self._parts = self._solutions = self._alone = None

    @property
    def _solved(self) -> core.Solved:
        if self._alone is None:
            self._alone = self._batch.at(self._place)
        return self._alone

    def _chances(self) -> NDArray[np.float64]:
        batch = self._batch
        return np.frombuffer(
            batch.chances, np.float64, len(self.view.topology), batch.offset(self._place)
        )
