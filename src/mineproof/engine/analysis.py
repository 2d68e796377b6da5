"""What is answered about a position: the exact posterior, and what a logic proves.

`Analysis` is what the engine answers; the core and the Python twin each implement it. All of it but
the chances is computed on demand. `Verdict` and `Premises` are what a logic answers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import log
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from mineproof.board.layout import Layout
from mineproof.board.topology import CellSet, Place, Topology
from mineproof.errors import BudgetExceeded, InconsistentPosition, InputError, as_int, check_kind
from mineproof.registry import OldName
from mineproof.rules import Rules
from mineproof.text import many, plural
from mineproof.view.channels import Mark, Shown
from mineproof.view.view import View


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
        self._parts: tuple[tuple[AnalysisPart, ...], AnalysisPart] | None = None
        self._solutions: int | None = None

    @property
    def p(self) -> Probabilities:
        """The chance of a mine, by cell number or coordinates."""
        if self._p is None:
            self._p = Probabilities(self.view.topology, self._chances())
        return self._p

    def grid(self) -> NDArray[np.float64]:
        """The chance of a mine in the board's shape, as rows and columns; NaN off the board."""
        return self.view.topology.grid(self.p.array, np.nan)

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
    def components(self) -> tuple[AnalysisPart, ...]:
        """The components of the frontier, without the cells that single clues decide."""
        return self._tied[0]

    @property
    def sea(self) -> AnalysisPart:
        """The unknown cells that no clue touches."""
        return self._tied[1]

    @property
    def _tied(self) -> tuple[tuple[AnalysisPart, ...], AnalysisPart]:
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
        if not 0 <= (n := as_int(n, "samples")) < 2**63:
            raise InputError(f"{n} samples; accepted: 0 or more, below 2^63")
        return [Layout(self.view.topology, mines) for mines in self._draw(n, seed)]

    def layouts(self, most: int = 10_000) -> Iterator[Layout]:
        """Every solution, including the opened mines; raises BudgetExceeded if more than `most`.

        Each is equally likely, unless the total is unknown or clues are unreliable. `sample` draws
        some where there are too many.
        """
        if (most := as_int(most, "layouts")) < 0:
            raise InputError(f"at most {most} layouts; accepted: 0 or more")
        if self.solutions > most:
            raise BudgetExceeded(
                f"there are {self.solutions} solutions; accepted: at most most={most}, or"
                " `sample` for some of them"
            )
        return self._layouts()

    def _layouts(self) -> Iterator[Layout]:
        from mineproof.engine.exact import analyze

        view = self.view
        for cell in () if self.trust_flags else view.flags:
            view = view.toggle_flag(cell)
        # Both ways of an uncertain cell have a solution, so nothing is searched in vain: what is
        # supposed safe is kept free by the rules, what is supposed a mine has a flag to be trusted.
        waiting = [view]
        while waiting:
            view = waiting.pop()
            found = analyze(view, trust_flags=True)
            chances = found.p.array
            uncertain = np.flatnonzero((chances > 0.0) & (chances < 1.0))
            if uncertain.size:
                cell = int(uncertain[0])
                waiting += [view.toggle_flag(cell), view.with_free([cell])]
            else:
                yield Layout(view.topology, chances.astype(np.uint8))

    def fractions(self) -> dict[int, Fraction]:
        """The exact chance of a mine for every hidden cell, from the Python twin."""
        from mineproof.engine.twin import count_view

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
    def _find_parts(self) -> tuple[tuple[AnalysisPart, ...], AnalysisPart]: ...

    @abstractmethod
    def _count_odds(self, cell: int) -> list[float]:
        """Entry v: the chance that a cell is safe and has v mines around it."""

    @abstractmethod
    def _draw(self, n: int, seed: int) -> Iterator[NDArray[np.uint8]]: ...

    def __eq__(self, other: object) -> bool:
        """Equal if they answer the same question; what follows from it is the same."""
        if not isinstance(other, Analysis):
            return NotImplemented
        return self.view == other.view and self.trust_flags == other.trust_flags

    def __hash__(self) -> int:
        return hash((self.view, self.trust_flags))

    def __reduce__(self) -> tuple[Any, ...]:
        """An analysis travels as its question, which is answered again when it arrives."""
        return _answered, (self.view, self.trust_flags)

    def __repr__(self) -> str:
        return f"<{self.engine} analysis of {self.view.topology.text}>"

    def svg(self, marked: Iterable[Place] = ()) -> str:
        """The picture of the position with every chance; `marked` cells have thick edges."""
        return self.view.svg(self.p.array.tolist(), marked)

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows: every hidden cell with its chance of a mine."""
        from mineproof.view.svg import notebook_svg

        return notebook_svg(self.view, self.p.array.tolist())


def _answered(view: View, trust_flags: bool) -> Analysis:
    from mineproof.engine.exact import analyze

    # It was answered once, under a budget that does not travel.
    return analyze(view, trust_flags=trust_flags, budget=Budget(2**63 - 1, 2**63 - 1))


def nearest_float(chance: Fraction) -> float:
    """The nearest float, which is 0.0 or 1.0 only for a chance that is."""
    # Rounded to 0 or 1, a chance close to it would make cells certain.
    least, most = float(np.nextafter(0.0, 1.0)), float(np.nextafter(1.0, 0.0))
    return float(chance) if chance in (0, 1) else min(max(float(chance), least), most)


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
class AnalysisPart:
    """Cells that depend on each other, and the distribution of the number of mines among them.

    A component of the frontier with its clues; or the sea, which has none.
    """

    cells: tuple[int, ...]
    clues: tuple[int, ...]
    mines: Mapping[int, float]


# -- How much work a caller allows; past it the engine raises BudgetExceeded ---


@dataclass(frozen=True, slots=True)
class Budget:
    """States of the counting program, and bytes of memory, that one call may use.

    >>> mp.analyze("square 2x2 mines=1\\n1.\\n..", budget=mp.Budget(states=1000)).solutions
    3
    """

    states: int = 400_000_000
    memory: int = 4 << 30

    def __post_init__(self) -> None:
        limits = (as_int(self.states, "states"), as_int(self.memory, "memory"))
        if not all(0 < limit < 2**63 for limit in limits):
            raise InputError(
                f"budget of {self.states} states and {self.memory} bytes; accepted: from 1 to"
                " 2**63 - 1 of each"
            )

    taken = OldName(lambda budget: as_budget(budget))


def as_budget(budget: Budget) -> Budget:
    """The budget that a caller gave. Raises InputError for anything else."""
    check_kind(budget, Budget, "budget", "a Budget, such as Budget(states=1000000)")
    return budget


DEFAULT_BUDGET = Budget()


class StateMeter:
    """Counts the states that the Python twin keeps against a budget."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.states = 0

    def charge(self, states: int, what: str, width: float) -> None:
        """Count states of a component; BudgetExceeded names it and its estimated width."""
        self.states += states
        if self.states > self.budget.states:
            raise BudgetExceeded(
                f"{what} needs about 2**{width:.0f} states; the budget of"
                f" {self.budget.states} states is used up"
            )


# ----------------------------------------------------------------------------
# What a logic proves of a position and from which clues, and what every logic and prover can do.


@dataclass(frozen=True)
class Premises:
    """What a conclusion rests on: clues by their cells, and the mine total if it is used.

    A hidden cell among the clues is one that the rules keep free of mines. Logics that do not keep
    track leave `clues` empty. `by_contradiction` where the logic assumed the opposite and found
    that it cannot be.

    >>> Premises((0, 5), total=True).clues
    (0, 5)
    """

    clues: tuple[int, ...] = ()
    total: bool = False
    by_contradiction: bool = False


@dataclass(frozen=True)
class Verdict:
    """Hidden cells proved safe and proved mines, each with its premises, and the work it took."""

    logic: str
    safe: Mapping[int, Premises] = field(default_factory=dict)
    mines: Mapping[int, Premises] = field(default_factory=dict)
    effort: Mapping[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.safe or self.mines)


class Prover(Protocol):
    """A logic asked once: everything it proves of a position, from scratch."""

    def __call__(self, view: View) -> Verdict:
        """Raises InconsistentPosition if it finds that the view has no solution."""
        ...


class Logic(Protocol):
    """Proves cells while it follows one game, so that each step costs only what it reveals."""

    name: str

    def begin(self, view: View) -> None:
        """Forget the last game; `view` is the first view of the next."""
        ...

    def learn(self, view: View) -> Verdict:
        """What is newly proved since the last call. Raises InconsistentPosition.

        A logic may leave its costlier steps until the cheap ones prove nothing: only an empty
        verdict says that nothing more follows.
        """
        ...

    def knowledge(self, view: View) -> str:
        """What it knows about a view, for people; asking changes nothing."""
        ...


def check_rules(player: object, rules: Rules, cells: int) -> None:
    """Ask a logic or an agent whether it can play by the rules of a game, if it can tell.

    It can if it has a method `check_rules(rules, cells)`, which raises RulesError. Rules are those
    of the game: a player may be told the total only after the first click.
    """
    check = getattr(player, "check_rules", None)
    if check is not None:
        check(rules, cells)


def infer(logic: Logic, view: View) -> Verdict:
    """Everything a logic proves of a position, from scratch.

    Raises InconsistentPosition if the logic finds one, with a minimal set of clashing clues if the
    budget allows, and RulesError if an option of the logic does not fit the rules.
    """
    check_rules(logic, view.rules, len(view))
    safe: dict[int, Premises] = {}
    mines: dict[int, Premises] = {}
    effort: dict[str, int] = {}
    logic.begin(view)
    while True:
        try:
            verdict = logic.learn(view)
        except InconsistentPosition as error:
            raise _with_smallest_clash(error, view) from None
        safe.update(verdict.safe)
        mines.update(verdict.mines)
        for name, amount in verdict.effort.items():
            effort[name] = effort.get(name, 0) + amount
        if not verdict:
            return Verdict(logic.name, safe, mines, effort)


def _with_smallest_clash(error: InconsistentPosition, view: View) -> InconsistentPosition:
    from mineproof.engine.twin import clash_of

    try:
        clash = clash_of(view)
    except BudgetExceeded:
        return error
    return InconsistentPosition(f"{error}: {clash}", clash.clues, uses_total=clash.uses_total)


# -- The error of a position without a solution: which clues clash, in one line --

_MOST_NAMED = 8


def check_flags(view: View) -> None:
    """Raise InconsistentPosition for a flag on a cell that the rules keep free of mines."""
    wrong = next(filter(view.is_flagged, view.free), None)
    if wrong is not None:
        raise InconsistentPosition(
            f"no layout explains the position: the flag at {view.topology.cell_name(wrong)} and the"
            " rule that keeps this cell free clash"
        )


def clash_error(view: View, clues: Sequence[int], *, uses_total: bool) -> InconsistentPosition:
    """The error that names clashing clues, and the number of mines if it takes part.

    The message names a few of them; the error has them all.
    """
    names = [view.topology.cell_name(cell) for cell in sorted(clues)]
    if len(names) > _MOST_NAMED:
        names[_MOST_NAMED - 1 :] = [f"{len(names) - _MOST_NAMED + 1} more"]
    # The mine total, or the rule that stands in its place.
    mines = f"mines={view.rules.mines}" if view.total is None else f"the {many(view.total, 'mine')}"
    if not names:
        left = many(view.hidden_count, "hidden cell")
        opened = many(len(view.opened_mines), "opened mine")
        said = f"{mines} {'does' if view.total == 1 else 'do'} not fit {left} and {opened}"
    elif len(names) == 1 and not uses_total:
        said = f"the clue at {names[0]} cannot be met by the cells around it"
    else:
        last = f" and {names[-1]}" if len(names) > 1 else ""
        listed = " ".join(names[:-1] if last else names) + last
        said = f"the clue{plural(len(names))} at {listed}"
        said += f" and {mines} clash" if uses_total else " clash"
    return InconsistentPosition(
        f"no layout explains the position: {said}", sorted(clues), uses_total=uses_total
    )
