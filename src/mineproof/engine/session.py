"""An analysis that follows a game: opening a cell re-solves only the component it touches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

import numpy as np

from mineproof import kernel
from mineproof.board.topology import Place
from mineproof.engine.analysis import DEFAULT_BUDGET, Budget, Probabilities, as_budget
from mineproof.engine.exact import core_board_of, core_question, raise_core_error
from mineproof.errors import InputError
from mineproof.kernel import core
from mineproof.rules import RuleWords
from mineproof.view.channels import Shown
from mineproof.view.setting import DEFAULT_BOARD, AnyPosition, AnyRules, position_of
from mineproof.view.view import View

if TYPE_CHECKING:
    from mineproof.engine.twin import TwinAnalysis

T = TypeVar("T")


class Session:
    """Follows one game and answers as a fresh analysis of its newest view would.

    `open` a cell, or `follow` a later view of the same game; then ask `newly_certain`, `p` or
    `chance`. Opening may raise InconsistentPosition, asking also BudgetExceeded; a session that
    raised is over. Flags are not evidence, unless `trust_flags` is set: then those of the first
    view count.

    >>> session = mp.Session("3x3/2", first_click="any")
    >>> session.open((1, 1), 2)
    >>> session.chance((0, 0))
    0.25
    """

    def __init__(
        self,
        view: AnyPosition = DEFAULT_BOARD,
        *,
        budget: Budget = DEFAULT_BUDGET,
        trust_flags: bool = False,
        rules: AnyRules | None = None,
        **words: Unpack[RuleWords],
    ) -> None:
        """A session that begins with a view, its text, or a board on which nothing is open."""
        view = position_of(view, rules, **words)
        self._view, budget = view, as_budget(budget)
        self._began = view
        self._budget, self._trust_flags = budget, trust_flags
        self._certain: set[int] = set()
        self._twin: TwinAnalysis | None = None
        self._core: core.Session | None = None
        if kernel.available():
            self._core = self._begin_core()
        else:
            self._analysis()

    def __reduce__(self) -> tuple[Any, ...]:
        """A session travels as what it was told, and works it out again when it arrives."""
        return _resumed, (self._began, self._view, self._budget, self._trust_flags, self._certain)

    def __repr__(self) -> str:
        view = self._view
        return f"<session on {view.topology.text}: {view.opened_count} of {len(view)} cells open>"

    @property
    def view(self) -> View:
        """The newest view."""
        return self._view

    def open(self, cell: Place, shown: Shown) -> None:
        """A hidden cell was opened and shows a clue or a mark."""
        number = self._view.topology.cell(cell)
        self._take(self._view.reveal({number: shown}), (number,))

    def follow(self, view: View) -> None:
        """Take in what a later view of the same game has opened."""
        later: object = view
        fresh = later.opened_since(self._view) if isinstance(later, View) else None
        if fresh is None:
            raise InputError("a session follows later views of the game it began with")
        self._take(view, fresh)

    def _begin_core(self) -> core.Session:
        question = core_question(self._view, self._trust_flags)
        return self._ask(core.Session, *question, self._budget.states, self._budget.memory)

    def _take(self, view: View, fresh: Sequence[int]) -> None:
        before, self._view = self._view, view
        # The twin keeps nothing between views: it is asked afresh, and only when it is asked.
        self._twin = None
        if self._core is None:
            return
        if view.rules is not before.rules or not set(before._free).isdisjoint(fresh):
            # Other rules are another question, and the core opens no cell twice: one that the rules
            # keep free is open for it already.
            self._core = self._begin_core()
            return
        if before._free != view._free:
            fresh = [*fresh, *sorted(set(view._free).difference(before._free))]
        if fresh:
            _, codes = core_board_of(view.topology).encode(view)
            self._ask(self._core.open_all, fresh, codes)

    def newly_certain(self) -> tuple[Sequence[int], Sequence[int]]:
        """Hidden cells that became certain since the last call: safe ones, and mines.

        The cells that single clues settle come first and at once; both are empty only where
        nothing more is certain.
        """
        found: tuple[Sequence[int], Sequence[int]] = (), ()
        while not any(found):
            asked = self._certain_now()
            if not any(asked):
                break
            # The core begins anew where a cell opens that was kept free, and then repeats itself.
            found = self._fresh(asked[0]), self._fresh(asked[1])
            if self._core is None:
                break
        free = self._fresh(self._view._free)
        found = [*free, *(cell for cell in found[0] if cell not in free)], found[1]
        self._certain.update(*found)
        return found

    def _certain_now(self) -> tuple[Sequence[int], Sequence[int]]:
        if self._core is not None:
            return self._ask(self._core.newly_certain)
        analysis = self._analysis()
        return list(analysis.safe), list(analysis.mines)

    def _fresh(self, cells: Iterable[int]) -> list[int]:
        return [cell for cell in cells if cell not in self._certain]

    @property
    def p(self) -> Probabilities:
        """The chance of a mine for every cell."""
        if self._core is None:
            return self._analysis().p
        chances = np.frombuffer(self._ask(self._core.chances))
        return Probabilities(self._view.topology, chances)

    def chance(self, cell: Place) -> float:
        """The chance of a mine in one cell; solves only the component it belongs to."""
        number = self._view.topology.cell(cell)
        if self._core is None:
            return self._analysis().p[number]
        return self._ask(self._core.chance, number)

    def _analysis(self) -> TwinAnalysis:
        if self._twin is None:
            from mineproof.engine.twin import TwinAnalysis

            self._twin = TwinAnalysis(
                self._view, budget=self._budget, trust_flags=self._trust_flags
            )
        return self._twin

    def _ask(self, question: Callable[..., T], *about: object) -> T:
        """An answer of the core; its errors become mineproof's."""
        try:
            return question(*about)
        except (core.Contradiction, core.OverBudget) as error:
            raise_core_error(error, self._view, self._budget, self._trust_flags)


def _resumed(
    began: View, view: View, budget: Budget, trust_flags: bool, certain: set[int]
) -> Session:
    session = Session(began, budget=budget, trust_flags=trust_flags)
    if view != began:
        session._take(view, tuple(view.opened)[began.opened_count :])
    session._certain = set(certain)
    return session
