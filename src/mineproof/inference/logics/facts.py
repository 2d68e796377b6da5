"""What a logic knows of one game: known cells and open equations.

An `Equation` says that `low..high` mines lie among the cells still unknown around a clue. `Facts`
reads new clues from each view, replaces known cells in every equation, and settles at once what a
single equation forces: with `high` 0 its cells are safe, with `low` equal to their number they are
mines. So facts are always closed under single-clue reasoning, the part that all logics share, and
each logic adds what it alone can see. A step costs only what it reveals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mineproof.errors import InconsistentPosition
from mineproof.inference.verdict import Premises, Verdict
from mineproof.view.channels import EXACT, bounds, speaks
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["Equation", "Facts", "equations_text"]

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
        return self._seen is not None and view.opened_since(self._seen) == ()

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
        for cell, code in zip(fresh, codes, strict=True):
            self._settle(cell, _MINE if code == _MINE_SHOWN else _SAFE, todo)
        channel, known, neighbours = view.channel, self.known, self.topology.neighbours
        for cell, code in zip(fresh, codes, strict=True):
            if not speaks(channel, code):
                continue
            near = neighbours(cell)
            if channel is EXACT:
                low = high = code
            else:
                shown = None if code == Mark.BLANK.value else code
                low, high = bounds(channel, shown, len(near))
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
        found.sort(key=_clue_of)
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
        count = str(low) if low == high else f"{low}..{high}"
        lines.append(f"{name(clue)}: {count} in {{{' '.join(map(name, cells))}}}")
    return "\n".join(lines)


def _clue_of(equation: Equation) -> int:
    return equation.clue
