"""What the logics share, and the simplest of them, `single-point`.

`FactLogic` follows a game over its `Facts` (known cells and open equations); a logic only adds what
follows where single clues force nothing more. `LogicSequence` asks logics one after the other. An
`Option` is a setting of a logic.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from enum import Enum
from operator import attrgetter
from typing import ClassVar, NamedTuple, Protocol, Self, TypeAlias, runtime_checkable

from mineproof.engine.analysis import Logic, Premises, Verdict, check_rules, infer
from mineproof.errors import InconsistentPosition, InputError, RulesError, quoted
from mineproof.rules import Rules
from mineproof.text import range_text
from mineproof.view.channels import EXACT, Mark, count_bounds, is_evidence
from mineproof.view.view import View

Findings: TypeAlias = tuple[dict[int, Premises], dict[int, Premises]]
"""The cells proved safe and those proved mines, each with its premises."""


class FactLogic:
    """Follows one game; `begin` resets all its state."""

    name: str
    options: ClassVar[tuple[Option, ...]] = ()
    use_total: bool = False

    def check_rules(self, rules: Rules, cells: int) -> None:
        """Raises RulesError where it was told to use a total that the rules do not tell."""
        if self.use_total and not rules.total_known:
            raise RulesError(
                f"option global of {self.name} needs the mine total, which these rules do not tell;"
                f" accepted: {self.name} without it, or rules that tell the total (total=known)"
            )

    def begin(self, view: View) -> None:
        self._facts = Facts(view)
        self._taken = 0
        self._work = 0
        """Steps taken since the last verdict, in the unit that `_effort` names."""

    def learn(self, view: View) -> Verdict:
        if self.use_total and view.opened_count:
            # A total that is not told by now is never told.
            self.check_rules(view.rules, len(view))
        if not self._facts.follows(view):
            self.begin(view)
        self._facts.read(view)
        self._work = 0
        if not self._has_news:
            self._prove(view)
        return self._facts.take(self.name, **self._effort())

    def note(self, verdict: Verdict) -> None:
        """Take over what another logic of a sequence proved."""
        self._facts.note(verdict)

    def knowledge(self, view: View) -> str:
        """The open equations: how many mines are missing in which cells."""
        return equations_text(self._at(view)._facts)

    # -- for members -------------------------------------------------------------------------

    def _prove(self, view: View) -> None:
        """Add to the facts what follows where single clues force nothing more."""

    def _effort(self) -> dict[str, int]:
        """The work since the last verdict, and the size of the knowledge base."""
        return {}

    @property
    def _has_news(self) -> bool:
        """Whether there is enough for a verdict, so that costlier steps can wait."""
        return self._facts.proved_any

    def _newly_known(self) -> list[int]:
        """The cells that became known since this was last asked, in their order."""
        log, first = self._facts.log, self._taken
        self._taken = len(log)
        return log[first:]

    def _at(self, view: View, *, all_taken: bool = False) -> Self:
        """This logic where it has read all of a view, else a copy that has.

        With `all_taken` it must also have taken over every fact, for those that keep more than the
        facts.
        """
        facts = self._facts
        behind = all_taken and (facts.changed or self._taken < len(facts.log))
        if facts.is_at(view) and not behind:
            return self
        fresh = copy(self)
        infer(fresh, view)
        return fresh


class ComponentLogic(FactLogic, ABC):
    """Works on one component of the open equations at a time, and only on those that changed."""

    unit: ClassVar[str]
    """What its work is counted in."""

    def _prove(self, view: View) -> None:
        """Work on the components that changed, until one of them proves something."""
        facts = self._facts
        for component in facts.components(facts.changed):
            facts.changed.difference_update(equation.clue for equation in component)
            safe, mines = self._prove_component(component)
            if safe or mines:
                facts.add(safe, mines)
                return
        facts.changed.clear()

    @abstractmethod
    def _prove_component(self, component: list[Equation]) -> Findings:
        """What follows from some equations. Raises InconsistentPosition."""

    def _effort(self) -> dict[str, int]:
        return {self.unit: self._work, "equations": self._facts.open_count}


class SinglePoint(FactLogic):
    """One clue at a time (reports 0 "basic" and 2 "SPX").

    For every opened clue: if all its mines are known, its other hidden neighbours are safe (all
    free neighbours); if as many cells are unknown around it as mines are missing, they are all
    mines (all marked neighbours). It misses what follows only from two clues together, or from the
    mine total.

    An unreliable clue stands for the range of counts its channel leaves possible: the upper end
    proves safety, the lower end proves mines.
    """

    name = "single-point"


# ----------------------------------------------------------------------------
# What a logic knows of one game: known cells and open equations.
#
# An `Equation` says that `low..high` mines lie among the cells still unknown around a clue. `Facts`
# reads new clues from each view, replaces known cells in every equation, and settles at once what a
# single equation forces: with `high` 0 its cells are safe, with `low` equal to their number they
# are mines. So facts are always closed under single-clue reasoning, the part that all logics share,
# and each logic adds what it alone can see. A step costs only what it reveals.

_UNKNOWN, _SAFE, _MINE = 0, 1, 2
_MINE_SHOWN = Mark.MINE.value
_TOTAL = Premises(total=True)


class Equation(NamedTuple):
    """`low..high` mines lie in `cells`; `clue` is the cell that says so."""

    cells: tuple[int, ...]
    low: int
    high: int
    clue: int


class Facts:
    """The known cells and the open equations of one game.

    `changed` gathers the clues whose equation is new or changed; whoever works on them empties
    it. `log` lists every known cell in the order it was settled. `safe` and `mines` gather what
    is proved until `take` hands it over.
    """

    def __init__(self, view: View) -> None:
        self.topology = view.topology
        self.known = bytearray(len(view))
        self.unknown_count = len(view)
        self.mine_count = 0
        self.changed: set[int] = set()
        self.safe: dict[int, Premises] = {}
        self.mines: dict[int, Premises] = {}
        self.log: list[int] = []
        self.looks = 0
        self._low: dict[int, int] = {}
        self._high: dict[int, int] = {}
        self._unknown: dict[int, int] = {}
        self._seen: View | None = None

    def follows(self, view: View) -> bool:
        """Whether `view` comes later in the game that these facts are about."""
        return self._seen is None or view.opened_since(self._seen) is not None

    def is_at(self, view: View) -> bool:
        """Whether everything that `view` shows has been read."""
        seen = self._seen
        return seen is not None and view.opened_since(seen) == () and view.free == seen.free

    # -- what is learnt ----------------------------------------------------------------------

    def read(self, view: View) -> None:
        """Learn the cells opened since the last view, and what single clues force.

        Raises InconsistentPosition where a clue cannot be met.
        """
        fresh = None if self._seen is None else view.opened_since(self._seen)
        if fresh is None:
            fresh = tuple(view.opened)
        self._seen = view
        codes = [view.code(cell) for cell in fresh]
        todo: list[int] = []
        for cell in view.free:
            if self._settle(cell, _SAFE, todo):
                self.safe[cell] = Premises((cell,))
        for cell, code in zip(fresh, codes, strict=True):
            self._settle(cell, _MINE if code == _MINE_SHOWN else _SAFE, todo)
        channel, known, neighbours = view.channel, self.known, self.topology.neighbours
        for cell, code in zip(fresh, codes, strict=True):
            if not is_evidence(channel, code):
                continue
            near = neighbours(cell)
            if channel is EXACT:
                low = high = code
            else:
                shown = None if code == Mark.BLANK.value else code
                low, high = count_bounds(channel, shown, len(near))
            unknown = mines = 0
            for other in near:
                what = known[other]
                if what == _MINE:
                    mines += 1
                elif what == _UNKNOWN:
                    unknown += 1
            self._low[cell], self._high[cell] = low - mines, high - mines
            self._unknown[cell] = unknown
            todo.append(cell)
        self._close(todo)

    def add(self, safe: Mapping[int, Premises], mines: Mapping[int, Premises]) -> None:
        """Write down what a logic proved, and what single clues force from there.

        Raises InconsistentPosition where a cell is known to be the other, or a clue breaks.
        """
        todo: list[int] = []
        for cell, premises in safe.items():
            if self._settle(cell, _SAFE, todo):
                self.safe[cell] = premises
        for cell, premises in mines.items():
            if self._settle(cell, _MINE, todo):
                self.mines[cell] = premises
        self._close(todo)

    def note(self, verdict: Verdict) -> None:
        """Write down what another logic proved, without reporting it as this one's."""
        before = dict(self.safe), dict(self.mines)
        self.add(verdict.safe, verdict.mines)
        self.safe = {c: p for c, p in self.safe.items() if c in before[0] or c not in verdict.safe}
        self.mines = {
            c: p for c, p in self.mines.items() if c in before[1] or c not in verdict.mines
        }

    @property
    def proved_any(self) -> bool:
        """Whether anything was proved that `take` has not handed over."""
        return bool(self.safe or self.mines)

    def take(self, logic: str, **effort: int) -> Verdict:
        """What was proved since the last time, as a verdict."""
        verdict = Verdict(logic, self.safe, self.mines, {"looks": self.looks, **effort})
        self.safe, self.mines, self.looks = {}, {}, 0
        return verdict

    def _settle(self, cell: int, what: int, todo: list[int]) -> bool:
        """Write down that a cell is safe or a mine, and tell the clues around it."""
        known = self.known
        if known[cell]:
            if known[cell] != what:
                name = self.topology.cell_name(cell)
                raise InconsistentPosition(f"the clues prove {name} both safe and a mine")
            return False
        known[cell] = what
        self.log.append(cell)
        self.unknown_count -= 1
        self.mine_count += what == _MINE
        unknown = self._unknown
        for near in self.topology.neighbours(cell):
            if near in unknown:
                unknown[near] -= 1
                if what == _MINE:
                    self._low[near] -= 1
                    self._high[near] -= 1
                todo.append(near)
        return True

    def _close(self, todo: list[int]) -> None:
        """Look at every clue whose equation changed, until no single one forces anything."""
        changed, known = self.changed, self.known
        while todo:
            clue = todo.pop()
            if clue not in self._unknown:
                continue
            self.looks += 1
            low, high, unknown = self._low[clue], self._high[clue], self._unknown[clue]
            if high < 0 or low > unknown:
                name = self.topology.cell_name(clue)
                raise InconsistentPosition(
                    f"the clue at {name} cannot be met by the cells around it", (clue,)
                )
            if not unknown:  # it can prove nothing more
                del self._low[clue], self._high[clue], self._unknown[clue]
                changed.discard(clue)
                continue
            changed.add(clue)
            if high and low < unknown:
                continue
            what, proved = (_MINE, self.mines) if high else (_SAFE, self.safe)
            premises = Premises((clue,))
            for near in self.topology.neighbours(clue):
                if not known[near]:
                    proved[near] = premises
                    self._settle(near, what, todo)

    # -- what is known -----------------------------------------------------------------------

    def is_mine(self, cell: int) -> bool:
        return self.known[cell] == _MINE

    @property
    def unknown(self) -> list[int]:
        """Every cell that is neither known safe nor known to be a mine, in ascending order."""
        return [cell for cell, what in enumerate(self.known) if not what]

    def equation(self, clue: int) -> Equation | None:
        """The open equation of a clue; None where all cells around it are known."""
        unknown = self._unknown.get(clue)
        if not unknown:
            return None
        known = self.known
        cells = tuple([near for near in self.topology.neighbours(clue) if not known[near]])
        return Equation(cells, max(self._low[clue], 0), min(self._high[clue], unknown), clue)

    @property
    def open_clues(self) -> list[int]:
        """The clues with unknown cells around them, in ascending order."""
        return sorted(self._unknown)

    @property
    def open_count(self) -> int:
        """The size of the knowledge base: how many equations are open."""
        return len(self._unknown)

    def equations(self) -> list[Equation]:
        """Every open equation, by rising clue."""
        return [found for clue in self.open_clues if (found := self.equation(clue))]

    def component(self, clue: int) -> list[Equation]:
        """The open equations tied to that of a clue by shared cells, directly or not."""
        reached = {clue}
        waiting = [clue]
        found: list[Equation] = []
        seen: set[int] = set()
        open_clues, neighbours = self._unknown, self.topology.neighbours
        while waiting:
            equation = self.equation(waiting.pop())
            if equation is None:
                continue
            found.append(equation)
            for cell in equation.cells:
                if cell not in seen:
                    seen.add(cell)
                    for near in neighbours(cell):
                        if near not in reached and near in open_clues:
                            reached.add(near)
                            waiting.append(near)
        found.sort(key=attrgetter("clue"))
        return found

    def components(self, clues: Iterable[int]) -> list[list[Equation]]:
        """The components that hold any of these clues, each once."""
        done: set[int] = set()
        parts = []
        for clue in sorted(clues):
            if clue not in done and (part := self.component(clue)):
                done.update(equation.clue for equation in part)
                parts.append(part)
        return parts

    # -- the mine total ----------------------------------------------------------------------

    def mines_left(self, view: View) -> int | None:
        """How many mines are among the unknown cells; None where the total is not known.

        Raises InconsistentPosition where that number cannot be.
        """
        if view.total is None:
            return None
        left = view.total - self.mine_count
        if not 0 <= left <= self.unknown_count:
            raise InconsistentPosition(
                f"{left} mines left for {self.unknown_count} unknown cells", uses_total=True
            )
        return left

    def total_matters(self, view: View) -> bool:
        """False only if the total can prove nothing that the clues do not.

        Equations without a common cell bound the mines next to clues. The total proves nothing if,
        within these bounds, the cells away from clues always hold both a mine and a safe cell.
        """
        left = self.mines_left(view)
        if left is None or not self.unknown_count:
            return False
        taken: set[int] = set()
        spoken: set[int] = set()
        least = most = 0
        for cells, low, high, _ in self.equations():
            spoken.update(cells)
            if taken.isdisjoint(cells):
                taken.update(cells)
                least += low
                most += high
        most += len(spoken) - len(taken)
        return not (most < left and left - least < self.unknown_count - len(spoken))

    def close_by_total(self, view: View) -> bool:
        """Settle every unknown cell where no mine is left, or nothing but mines."""
        left = self.mines_left(view)
        if left is None or not self.unknown_count or 0 < left < self.unknown_count:
            return False
        cells = dict.fromkeys(self.unknown, _TOTAL)
        self.add({} if left else cells, cells if left else {})
        return True


def equations_text(facts: Facts) -> str:
    """The open equations for people, one line each: `1,1: 2 in {0,0 0,1 0,2}`."""
    name = facts.topology.cell_name
    lines = []
    for cells, low, high, clue in facts.equations():
        lines.append(f"{name(clue)}: {range_text(low, high)} in {{{' '.join(map(name, cells))}}}")
    return "\n".join(lines)


# -- Logics one after the other: a costlier one is asked only if the cheaper ones prove nothing --


@runtime_checkable
class CooperativeLogic(Protocol):
    """A logic that can take over what another one proved."""

    def note(self, verdict: Verdict) -> None: ...


class LogicSequence:
    """Proves what any of its logics proves, the first one first. A verdict names who proved it."""

    def __init__(self, logics: Sequence[Logic]) -> None:
        self.logics = tuple(logics)
        self.name = ">".join(logic.name for logic in logics)

    def check_rules(self, rules: Rules, cells: int) -> None:
        """Raises RulesError as its logics do."""
        for logic in self.logics:
            check_rules(logic, rules, cells)

    def begin(self, view: View) -> None:
        self._known: set[int] = set()
        for logic in self.logics:
            logic.begin(view)

    def learn(self, view: View) -> Verdict:
        for logic in self.logics:
            while verdict := logic.learn(view):
                if new := self._without_known(verdict):
                    self._spread(new, logic)
                    return new
        return Verdict(self.name)

    def _without_known(self, verdict: Verdict) -> Verdict:
        """What the sequence did not know yet."""
        safe = {cell: why for cell, why in verdict.safe.items() if cell not in self._known}
        mines = {cell: why for cell, why in verdict.mines.items() if cell not in self._known}
        return Verdict(verdict.logic, safe, mines, verdict.effort)

    def _spread(self, verdict: Verdict, source: Logic) -> None:
        self._known.update(verdict.safe, verdict.mines)
        for logic in self.logics:
            if logic is not source and isinstance(logic, CooperativeLogic):
                logic.note(verdict)

    def knowledge(self, view: View) -> str:
        """The knowledge of the last logic, which has the most."""
        return self.logics[-1].knowledge(view)


class NoLogic:
    """The logic that proves nothing."""

    name = "none"

    def begin(self, view: View) -> None:
        """Nothing to forget."""

    def learn(self, view: View) -> Verdict:
        return Verdict(self.name)

    def knowledge(self, view: View) -> str:
        return ""


# ----------------------------------------------------------------------------
# The options of a logic, written in brackets as in `resolution[global=25]`. Every logic lists its
# options beside itself; the parser, the catalog, error messages and the test of the docs read that
# one list.

_SHARE = re.compile(r"\d|\d?\.\d{1,20}|\d(\.\d{1,20})?e-\d{1,3}", re.ASCII)


class OptionValue(Enum):
    """What follows an option's name."""

    NOTHING = ""
    COUNT = "N"
    SHARE = "SHARE"
    WORD = "WORD"


@dataclass(frozen=True)
class Option:
    """An option: its name, what it does in a line, and what follows its name.

    It sets a keyword of the logic, the one of its own name unless another is given. A `WORD` is one
    of `words`.
    """

    name: str
    doc: str
    takes: OptionValue = OptionValue.NOTHING
    keyword: str = ""
    words: tuple[str, ...] = ()

    @property
    def sets(self) -> str:
        """The keyword that it sets."""
        return self.keyword or self.name.replace("-", "_")

    @property
    def form(self) -> str:
        """How it is written: `safe-only`, `global=N`, `order=safe-first|mines-first`."""
        value = "|".join(self.words) or self.takes.value
        return f"{self.name}={value}" if value else self.name

    def read(self, text: str | None) -> bool | int | float | str:
        """The value that a text after the name stands for; None is no text. Raises InputError."""
        name = self.name
        if self.takes is OptionValue.NOTHING:
            if text is not None:
                raise InputError(f"option {name} takes no value, not {quoted(text)}")
            return True
        if self.takes is OptionValue.WORD:
            if text not in self.words:
                accepted = ", ".join(self.words)
                raise InputError(f"{name} {quoted(text or '')} is unknown; accepted: {accepted}")
            return text
        if self.takes is OptionValue.SHARE:
            if text is None or not _SHARE.fullmatch(text) or float(text) > 1:
                raise InputError(
                    f"option {name} needs a share; accepted: 0 to 1, such as {name}=0.4 or 2e-7"
                )
            return float(text)
        if text is None or not (text.isascii() and text.isdigit() and len(text) <= 6):
            raise InputError(f"option {name} needs a number; accepted: such as {name}=25")
        return int(text)


GLOBAL = Option("global", "uses the mine total too", keyword="use_total")
"""The option that several logics share."""
