"""Exact inference by counting: `analyze`, `analyze_many` and `settled_cells`.

The compiled core answers if it was built, its Python twin otherwise; both give the same answers.
Work beyond the budget is an error, never an approximation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, NamedTuple, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof import kernel
from mineproof.board.topology import Topology
from mineproof.engine.analysis import (
    DEFAULT_BUDGET,
    Analysis,
    AnalysisPart,
    Budget,
    Premises,
    Verdict,
    as_budget,
    check_flags,
    clash_error,
    nearest_float,
)
from mineproof.errors import BudgetExceeded, InconsistentPosition, InputError, as_int, each_of
from mineproof.kernel import core
from mineproof.rng import check_seed
from mineproof.rules import Rules
from mineproof.view.channels import EXACT, MAX_CLUE, UNREAD, Channel, ClueTable, Mark, Withheld
from mineproof.view.setting import position_of
from mineproof.view.view import View, code_bytes


def analyze(
    view: View | str, *, budget: Budget = DEFAULT_BUDGET, trust_flags: bool = False
) -> Analysis:
    """The exact posterior of a position, a view or its text.

    Flags are not evidence, unless `trust_flags` is set; then a flagged cell counts as a mine.
    Raises InconsistentPosition with a minimal set of clashing clues, and BudgetExceeded.

    >>> analysis = mp.analyze("square 3x3 mines=2\\n1..\\n12.\\n01.")
    >>> analysis.solutions, analysis.p[1, 2], (0, 2) in analysis.safe
    (2, 0.5, True)
    """
    # A microsecond is a sixth of a mid-game position: what needs no reading is not read.
    if type(view) is not View:
        view = position_of(view)
    if budget is not DEFAULT_BUDGET:
        budget = as_budget(budget)
    if kernel.available():
        return _solve_in_core(view, budget, trust_flags)
    from mineproof.engine.twin import TwinAnalysis

    return TwinAnalysis(view, budget=budget, trust_flags=trust_flags)


def analyze_many(
    views: Iterable[View | str],
    *,
    threads: int = 2,
    budget: Budget = DEFAULT_BUDGET,
    trust_flags: bool = False,
) -> list[Analysis]:
    """The analyses of many positions, in their order, on several threads of the core.

    The budget is that of each position. Raises what `analyze` raises for the first position that
    has no answer.

    >>> texts = ["square 1x3 mines=1\\n1..", "square 1x3 mines=1\\n.1."]
    >>> [analysis.solutions for analysis in mp.analyze_many(texts)]
    [1, 2]
    """
    budget = as_budget(budget)
    if not 1 <= (threads := as_int(threads, "threads")) < 2**63:
        raise InputError(f"{threads} threads; accepted: 1 or more")
    positions = [
        view if type(view) is View else position_of(view)
        for view in each_of(views, "views", "a list of positions")
    ]
    if kernel.available():
        return _solve_many_in_core(positions, budget, trust_flags, threads)
    return [analyze(view, budget=budget, trust_flags=trust_flags) for view in positions]


def settled_cells(view: View, *, pairs: bool = False) -> tuple[Sequence[int], Sequence[int]]:
    """The hidden cells that single clues decide, in ascending order: safe ones, and mines.

    This is what the engine finds before it looks at any component; a clash between several clues
    may go unnoticed. With `pairs` also what two clues decide together, where clues are exact.
    Raises InconsistentPosition if a clue cannot be met.

    >>> view = mp.View.parse("square 2x4 mines=2\\n....\\n121.")
    >>> settled_cells(view), settled_cells(view, pairs=True)
    (([], []), ([1, 3, 7], [0, 2]))
    """
    pairs = pairs and view.rules.clues == EXACT.text
    if kernel.available():
        board = core_board_of(view.topology)
        try:
            safe, mines = core.settled(board.board, *board.encode(view), pairs)
        except core.Contradiction as error:
            raise_core_error(error, view, DEFAULT_BUDGET, trust_flags=False)
        return (sorted({*safe, *view.free}) if view.free else safe), mines
    from mineproof.engine.constraints import constraints, settle, settle_pairs
    from mineproof.engine.twin import clash_of

    try:
        known, left, _ = (settle_pairs if pairs else settle)(constraints(view))
    except InconsistentPosition:
        raise clash_of(view) from None
    if any(constraint.impossible for constraint in left):
        raise clash_of(view)
    safe = sorted({*(cell for cell in known if not known[cell]), *view.free})
    mines = [cell for cell in sorted(known) if known[cell]]
    return safe, mines


def prove_by_counting(view: View) -> Verdict:
    """Every certain cell of a position, proved by counting."""
    analysis = analyze(view)
    premises = Premises(total=view.total is not None)
    return Verdict(
        "exact", dict.fromkeys(analysis.safe, premises), dict.fromkeys(analysis.mines, premises)
    )


# -- A topology and its rules in the form that the compiled core takes, computed once and kept --

CoreQuestion: TypeAlias = "tuple[core.Board, core.Model, bytearray, bytearray | None]"
"""What the core is asked about: board, model, codes of the cells, flags that are trusted."""
_MOST_BOARDS = 16
_MOST_RULES = 1024


class CoreEncoding(NamedTuple):
    """How to tell the core of views by some rules."""

    model: core.Model
    words: bytes | None
    """The core's word for every byte; None where they are the same."""
    lasting: bool
    """Whether this holds for all views by these rules; else each must be asked about."""


class CoreBoard:
    """A topology as the core knows it, with the models of the rules seen on it."""

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        rows, cols = _square_sides(topology)
        self.board = core.Board(topology.offsets, topology.targets, rows, cols)
        self._by_rules: dict[int, tuple[Rules, CoreEncoding]] = {}
        self._models: dict[tuple[object, ...], core.Model] = {}

    def encode(self, view: View) -> tuple[core.Model, bytearray]:
        """The model, and what the cells show in the core's words. Raises as `encoding` does."""
        model, words, _ = self.encoding(view)
        return model, _core_codes(view, words)

    def encoding(self, view: View) -> CoreEncoding:
        """How to tell the core of a view.

        Raises InconsistentPosition if a clue is missing that cannot have been withheld.
        """
        # By `id`: rules are hashed field by field, which is slower. The entry holds the rules too,
        # because the id of an object that is gone may come back with another.
        rules = view.rules
        entry = self._by_rules.get(id(rules))
        if entry is not None and entry[0] is rules:
            return entry[1]
        through = view.channel
        # With a share of 0 a missing clue cannot be, so every view by these rules must be asked.
        never_withheld = isinstance(through, Withheld) and not through.share
        if never_withheld and Mark.BLANK.value in (codes := code_bytes(view)):
            raise clash_error(view, (codes.index(Mark.BLANK.value),), uses_total=False)
        # Where cells were drawn as given, what that tells of the mines depends on their number.
        drawn = 0 if rules.total_known else view.drawn
        key = (view.total, rules.mines, drawn, rules.clues)
        model = self._models.get(key)
        if model is None:
            model = _model(view)
        words = _words(through, self.topology) if through.tells_missing else None
        lasting = not never_withheld and not (drawn or rules.given.drawn(len(view)))
        encoding = CoreEncoding(model, words, lasting)
        if len(self._by_rules) >= _MOST_RULES:
            self._by_rules.clear()
            self._models.clear()
        self._models[key] = model
        if lasting:
            self._by_rules[id(rules)] = (rules, encoding)
        return encoding


_core_boards: dict[int, CoreBoard] = {}


def core_board_of(topology: Topology) -> CoreBoard:
    """The board of a topology, kept for the next call."""
    board = _core_boards.get(id(topology))
    if board is None or board.topology is not topology:
        if len(_core_boards) >= _MOST_BOARDS:
            _core_boards.clear()
        board = _core_boards[id(topology)] = CoreBoard(topology)
    return board


def _square_sides(topology: Topology) -> tuple[int, int]:
    """Rows and columns of a plain square board, for which the core has a fast path; else 0."""
    if topology.name != "square" or topology.blocked:
        return 0, 0
    rows, cols = topology.lattice.dimensions
    return rows, cols


def _model(view: View) -> core.Model:
    likelihoods = _likelihoods(view.channel, view.topology)
    if view.total is not None:
        return core.Model.of_total(view.total, likelihoods)
    density = view.density
    if density is not None and (not view.drawn or density in (0, 1)):
        return core.Model.of_density(nearest_float(density), likelihoods)
    return core.Model.of_number(_number_weights(view), likelihoods)


_LEAST_WEIGHT = 1e-130
"""The core takes no smaller weight; a number of mines so unlikely weighs this much."""


def _number_weights(view: View) -> NDArray[np.float64]:
    """For every number of mines, how likely it is before any clue, with what cells tell that were
    drawn as given.
    """
    cells, drawn = len(view), view.drawn
    mines = np.arange(cells + 1)
    if view.density is None:
        # Uniform: every number of mines but 0 is equally likely. The core lays mines on all cells,
        # so that numbers weigh more the less likely it would leave those free that are kept free.
        room = view.rules.mines.room or cells
        logs = _free_odds(cells, cells - room)
        logs[0] = -np.inf
    else:
        chance = float(view.density)
        ratios = np.log((cells - mines[:-1]) / (mines[:-1] + 1)) + np.log(chance / (1 - chance))
        logs = np.concatenate([[0.0], np.cumsum(ratios)])
    if drawn:
        logs += _free_odds(cells, drawn)
        if drawn < view.rules.given.drawn(cells):  # then every safe cell was drawn
            logs[mines != cells - drawn] = -np.inf
    if logs.max() == -np.inf:
        return np.zeros(cells + 1)
    weights = np.exp(logs - logs.max())
    return np.where(logs > -np.inf, np.maximum(weights, _LEAST_WEIGHT), 0.0)


def _free_odds(cells: int, free: int) -> NDArray[np.float64]:
    """By number of mines: the logarithm of one over the chance that some cells are all free."""
    most = cells - free
    logs = np.full(cells + 1, -np.inf)
    logs[0] = 0.0
    left = cells - np.arange(most)
    logs[1 : most + 1] = np.cumsum(np.log(left / (left - free)))
    return logs


def _likelihoods(through: Channel, topology: Topology) -> NDArray[np.float64] | None:
    """The channel as a table [degree, shown, count]; None where a shown clue is the true count."""
    # Then missing clues weigh the same in every layout, and the core needs no table.
    if through is EXACT or (isinstance(through, Withheld) and through.share < 1):
        return None
    degrees = sorted(set(topology.degrees.tolist()))
    most = degrees[-1]
    shown: list[int | None] = [*range(min(most, MAX_CLUE) + 1)]
    if through.tells_missing:
        shown.append(None)
    table = np.zeros((most + 1, len(shown), most + 1))
    for degree in degrees:
        for place, word in enumerate(shown):
            table[degree, place, : degree + 1] = [
                float(through.likelihood(word, true, degree)) for true in range(degree + 1)
            ]
    return table


def _words(through: Channel, topology: Topology) -> bytes:
    """What to tell the core for every byte, where a missing clue is evidence.

    The core takes it for a clue: the number after the largest that a cell can show.
    """
    words = bytearray(range(256))
    words[UNREAD] = Mark.BLANK.value
    if isinstance(through, ClueTable):
        words[Mark.BLANK.value] = int(topology.degrees.max()) + 1
    return bytes(words)


def core_question(view: View, trust_flags: bool) -> CoreQuestion:
    """A view as the core is asked about it. Raises InconsistentPosition as `encode` does."""
    board = core_board_of(view.topology)
    model, words, _ = board.encoding(view)
    codes = code_bytes(view) if words is None and not view._free else _core_codes(view, words)
    return board.board, model, codes, _trusted_flags(view, True) if trust_flags else None


def _core_codes(view: View, words: bytes | None) -> bytearray:
    """What the cells show in the core's words. A cell that the rules keep free is told as opened
    without a clue: safe, and no more is known of it.
    """
    codes = code_bytes(view)
    if words is not None:
        codes = codes.translate(words)
    if view._free:
        codes = bytearray(codes)
        for cell in view._free:
            codes[cell] = Mark.BLANK.value
    return codes


def _trusted_flags(view: View, trust_flags: bool) -> bytearray | None:
    """A byte for every cell, 1 for a flagged one; None where flags say nothing."""
    if not trust_flags or not view.flag_count:
        return None
    check_flags(view)
    marks = bytearray(len(view))
    for cell in view.flags:
        marks[cell] = 1
    return marks


# ----------------------------------------------------------------------------
# The bridge to the compiled exact engine: views in, analyses out.
#
# A call costs microseconds, so `analyze` does nothing that can be done once beforehand. The twin is
# imported only where it is asked: a process that solves one position would wait for it.

CoreRun: TypeAlias = "tuple[core.Board, core.Model, int]"
"""So many positions with one board and one model."""


def _solve_in_core(view: View, budget: Budget, trust_flags: bool) -> CoreAnalysis:
    try:
        solved = core.solve(*core_question(view, trust_flags), budget.states, budget.memory)
    except (core.Contradiction, core.OverBudget) as error:
        raise_core_error(error, view, budget, trust_flags)
    return CoreAnalysis(view, solved, trust_flags)


def _solve_many_in_core(
    views: Sequence[View], budget: Budget, trust_flags: bool, threads: int
) -> list[Analysis]:
    runs, codes = _runs_of(views)
    marks = [_trusted_flags(view, True) for view in views] if trust_flags else None
    made: list[Analysis] = []

    def make(batch: core.Batch) -> None:
        for place, view in enumerate(views):
            made.append(BatchAnalysis(view, batch, place, trust_flags))

    failed = core.solve_many(runs, codes, marks, budget.states, budget.memory, threads, make)
    if failed is not None:
        _solve_in_core(views[failed], budget, trust_flags)
        raise AssertionError("a position failed among others and not alone")
    return made


def _runs_of(views: Sequence[View]) -> tuple[list[CoreRun], list[bytearray]]:
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
                board = core_board_of(topology)
            encoding, words, lasting = board.encoding(view)
            rules = view.rules if lasting else None
            if encoding is not model:
                model = encoding
                begins.append((board.board, model, len(codes)))
        codes.append(_core_codes(view, words))
    ends = [begin for _, _, begin in begins[1:]]
    return [
        (board, model, end - begin)
        for (board, model, begin), end in zip(begins, [*ends, len(codes)], strict=False)
    ], codes


def raise_core_error(error: Exception, view: View, budget: Budget, trust_flags: bool) -> NoReturn:
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
        clues, total = core.clash(*core_question(view, trust_flags), budget.states, budget.memory)
    except core.OverBudget:
        # Then these are the clues as the engine met them, not reduced to a minimal set.
        _, clues, total = error.args
    raise clash_error(view, clues, uses_total=total) from None


def _estimate(view: View, clues: Sequence[int], trust_flags: bool) -> float:
    """The width of the component that has the first of these clues, as the twin sees it."""
    from mineproof.engine.constraints import components_of, constraints, estimated_width, settle
    from mineproof.engine.twin import known_flags

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
        found = int.from_bytes(self._solved.certain(chance), "little")
        return found if chance or not self.view._free else found | self.view.free.mask

    def _least_risk(self) -> tuple[int, float, int]:
        if self.view._free:  # the core takes these cells for open
            return super()._least_risk()
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

    def _find_parts(self) -> tuple[tuple[AnalysisPart, ...], AnalysisPart]:
        parts = [
            AnalysisPart(
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


# -- The chance of a mine among cells that are opened together -----------------


def chance_of_any_mine(
    analysis: Analysis, cells: Sequence[int], budget: Budget = DEFAULT_BUDGET
) -> float:
    """The chance of a mine among hidden cells; where clues may lie, a lower bound.

    Raises BudgetExceeded.
    """
    risks = [analysis.p[cell] for cell in cells]
    if max(risks, default=0.0) in (0.0, 1.0) or len(cells) == 1:
        return max(risks, default=0.0)
    if analysis.view.rules.clues != "exact":
        # What a lying clue will show is no plain fact to condition on: the largest is a bound.
        return max(risks)
    safe = 1.0
    for cell in cells:
        chance = analysis.p[cell]
        if chance == 1.0:
            return 1.0
        safe *= 1.0 - chance
        # A cell that is open without a clue says nothing but that it is safe.
        analysis = analyze(analysis.view.reveal({cell: Mark.BLANK}), budget=budget)
    return 1.0 - safe
