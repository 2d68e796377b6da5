"""Boards that need no guess: what is certain suffices from the first cell to the last.

>>> made = generate("beginner", count=3, seed=1)
>>> len(made), made.method.value, made[0].layout.total
(3, 'uniform', 10)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Any, NoReturn

from mineproof.board.layout import Layout
from mineproof.board.topology import Place
from mineproof.errors import (
    BoardError,
    BudgetExceeded,
    InputError,
    UnknownName,
    check_function,
    text_of,
)
from mineproof.generation.beginning import Beginning
from mineproof.generation.clearing import clears_all
from mineproof.generation.generated import Generated, Making, NoGuessBoard
from mineproof.generation.keeping import keep
from mineproof.generation.repairing import repair
from mineproof.generation.wishes import Wishes
from mineproof.rng import check_seed
from mineproof.rules import RuleValue
from mineproof.view.setting import DEFAULT_BOARD, AnyBoard, AnyRules
from mineproof.whole import whole

__all__ = ["FEW_LAYOUTS", "MOST_DEALS", "MOST_JUDGED", "Progress", "generate"]

MOST_DEALS = 1_000_000
"""Deals that are tried where the caller names no number."""
_PILOT = 20_000
"""Deals without one that was kept after which `auto` repairs deals instead."""
_STEPS = (256, 16_384)
"""Deals between two reports of progress: few at first, then more."""
FEW_LAYOUTS = 100_000
"""So few layouts are all tried where no deal was kept, to show that there is none."""
_LISTED = 256
"""Of these, so many at a time: one that can be cleared is enough."""
_MOST_BOARDS = 1_000_000
_JUDGED = 16
"""Boards that are judged by wishes between two reports of progress."""
MOST_JUDGED = 10_000
"""Boards without guesses that are judged by wishes where the caller names no number."""


Progress = Callable[[int, int], None]
"""Told now and then how many deals were tried, and how many boards are found."""


def generate(
    board: AnyBoard = DEFAULT_BOARD,
    *,
    first: Place | None = None,
    count: int = 1,
    seed: int = 0,
    method: str = "auto",
    most_deals: int = MOST_DEALS,
    threads: int = 1,
    wishes: Wishes | Mapping[str, Any] | None = None,
    most_judged: int = MOST_JUDGED,
    watch: Progress | None = None,
    rules: AnyRules | None = None,
    **words: RuleValue,
) -> Generated:
    """Boards that can be cleared from the first cell without a guess; the same for a seed.

    `first` is the cell opened first, the centre where it is left out; its area has no mines unless
    `first_click="safe"` keeps only the cell itself free. With the method `uniform` deals are drawn
    until `count` need no guess: every such board is equally likely. With `repair` deals are changed
    until they need none, which is quick on the densest boards, but not uniform. `auto` is uniform
    unless the first 20,000 deals all need a guess. `wishes` such as
    `{"three_bv": "150..170"}` are met by rejection on top: boards without guesses are judged, at
    most `most_judged` of them. Raises InputError for a board that
    cannot be, or that has no such layout; BudgetExceeded past `most_deals` or `most_judged`.

    >>> made = mp.generate("expert", first=(7, 14), seed=1)
    >>> made[0].layout.total, made.method.value
    (99, 'uniform')
    """
    if not 1 <= (count := whole(count, "count")) <= _MOST_BOARDS:
        raise InputError(f"{count} boards; accepted: 1 to {_MOST_BOARDS}")
    if not 1 <= (threads := whole(threads, "threads")) <= 1024:
        raise InputError(f"{threads} threads; accepted: 1 to 1024")
    if (most_deals := whole(most_deals, "most_deals")) < 1:
        raise InputError(f"{most_deals} deals; accepted: 1 or more")
    if text_of(method, "method") not in ("auto", "uniform", "repair"):
        raise UnknownName("method", method, ("auto", "uniform", "repair"))
    check_function(watch, "watch", "a function of two numbers, or None")
    beginning = Beginning.of(board, first, rules, **words)
    search = _Search(
        beginning,
        check_seed(seed),
        count,
        threads,
        Wishes.taken(wishes),
        whole(most_judged, "most_judged"),
        most_deals,
        watch,
    )
    if method == "repair":
        return search.repaired()
    return search.uniform(may_repair=method == "auto")


@dataclass
class _Search:
    """Counts what it takes until enough boards are found."""

    beginning: Beginning
    seed: int
    count: int
    threads: int
    wishes: Wishes
    most_judged: int
    most_deals: int
    watch: Progress | None
    found: list[NoGuessBoard] = field(default_factory=list)
    tried: int = 0
    kept: int = 0

    def uniform(self, *, may_repair: bool) -> Generated:
        while len(self.found) < self.count:
            step = min(max(_STEPS[0], self.tried), _STEPS[1] * self.threads)
            if may_repair and not self.kept and self.tried < _PILOT:
                step = min(step, _PILOT - self.tried)
            kept = keep(
                self.beginning, self.seed, self.tried, self._at_most(step), self._next, self.threads
            )
            self._judge(
                [
                    NoGuessBoard(
                        self.beginning,
                        self.beginning.deal(self.seed, index),
                        Making.UNIFORM,
                        self.seed,
                        index,
                    )
                    for index in kept.indices
                ],
                kept.tried,
            )
            if not self.kept and self.tried <= _STEPS[0]:
                self._check_some_exist()
            if not self.kept and may_repair and self.tried >= _PILOT:
                self.tried = 0
                return self.repaired()
        return self._made(Making.UNIFORM)

    def repaired(self) -> Generated:
        while len(self.found) < self.count:
            before, step = self.tried, 16 * self.threads
            mended = repair(
                self.beginning, self.seed, before, self._at_most(step), self._next, self.threads
            )
            self._judge(
                [
                    NoGuessBoard(
                        self.beginning,
                        one.layout,
                        Making.REPAIRED,
                        self.seed,
                        one.index,
                        one.changes,
                    )
                    for one in mended.boards
                ],
                mended.tried,
            )
            if not self.kept and not before:
                self._check_some_exist()
        return self._made(Making.REPAIRED)

    @property
    def _next(self) -> int:
        """How many boards to ask for at a time."""
        if self.wishes:
            return min(_JUDGED, self.most_judged - self.kept)
        return self.count - len(self.found)

    def _at_most(self, step: int) -> int:
        """So many deals, or what is left of the budget. Raises BudgetExceeded past it."""
        left = self.most_deals - self.tried
        if not left or (self.wishes and self.kept >= self.most_judged):
            self._fail()
        return min(step, left)

    def _judge(self, boards: list[NoGuessBoard], tried: int) -> None:
        """Take boards in as far as they are needed; deals after the last one are not counted."""
        met = [True] * len(boards)
        if self.wishes:
            met = self.wishes.met([one.layout for one in boards], self.beginning.first)
        self.tried += tried
        for one, good in zip(boards, met, strict=True):
            self.kept += 1
            if good:
                self.found.append(one)
            if len(self.found) == self.count:
                self.tried = one.index + 1
                break
        if self.watch is not None:
            self.watch(self.tried, len(self.found))

    def _made(self, method: Making) -> Generated:
        return Generated(
            self.beginning,
            method,
            self.seed,
            tuple(self.found),
            self.tried,
            self.kept,
            self.wishes,
        )

    def _fail(self) -> NoReturn:
        found, beginning = len(self.found), self.beginning.text
        if self.wishes:
            raise BudgetExceeded(
                f"{found or 'no'} board{'s' if found > 1 else ''} with {self.wishes.text} among"
                f" {self.kept} without guesses, of {self.tried} deals of {beginning}; accepted:"
                " more boards (most_judged, --judged), more deals (most_deals, --deals), or other"
                " wishes"
            )
        boards = "no board without guesses" if not found else f"{found} of {self.count} boards"
        raise BudgetExceeded(
            f"{boards} among {self.tried} deals of {beginning}; accepted: more deals (most_deals,"
            " --deals), fewer mines, or the method repair"
        )

    def _check_some_exist(self) -> None:
        """Raise BoardError where so few layouts are possible that all can be tried, in vain."""
        beginning = self.beginning
        if beginning.layouts > FEW_LAYOUTS:
            return
        room = [cell for cell in beginning.topology.cells if cell not in beginning.free]
        cells = combinations(room, beginning.mines)
        while some := [Layout.of(beginning.topology, one) for one in islice(cells, _LISTED)]:
            if any(clears_all(some, beginning.first, threads=self.threads)):
                return
        raise BoardError(
            f"no layout of {beginning.text} can be cleared without a guess: all"
            f" {beginning.layouts} were tried; accepted: another size, number of mines or first"
            " cell"
        )
