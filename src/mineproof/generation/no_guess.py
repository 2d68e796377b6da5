"""Boards that need no guess: what is certain suffices from the first cell to the last.

>>> made = generate("beginner", count=3, seed=1)
>>> len(made), made.method.value, made[0].layout.total
(3, 'uniform', 10)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from typing import NoReturn, overload

from mineproof.board.layout import Layout
from mineproof.board.topology import Place
from mineproof.errors import BoardError, BudgetExceeded, InputError, UnknownName
from mineproof.generation.beginning import Beginning
from mineproof.generation.clearing import clears_all
from mineproof.generation.keeping import keep
from mineproof.generation.repairing import repair
from mineproof.interval import Interval, wilson
from mineproof.rng import check_seed
from mineproof.rules import RuleValue
from mineproof.view.setting import DEFAULT_BOARD, AnyBoard, AnyRules
from mineproof.whole import whole

__all__ = ["MOST_DEALS", "Generated", "Making", "NoGuessBoard", "Progress", "generate"]

MOST_DEALS = 1_000_000
"""Deals that are tried where the caller names no number."""
_PILOT = 20_000
"""Deals without one that was kept after which `auto` repairs deals instead."""
_STEPS = (256, 16_384)
"""Deals between two reports of progress: few at first, then more."""
_MOST_LISTED = 100_000
"""Layouts that are all tried where no deal was kept, to show that there is none."""
_MOST_BOARDS = 1_000_000


class Making(Enum):
    """How boards were made: by rejection, each equally likely; or by changing deals."""

    UNIFORM = "uniform"
    REPAIRED = "repaired"


@dataclass(frozen=True)
class NoGuessBoard:
    """A layout that can be cleared from its first cell without a guess.

    `index` is the deal of `seed` it is, or for a repaired one was; `changes` are the mines moved.
    """

    beginning: Beginning
    layout: Layout
    method: Making
    seed: int
    index: int
    changes: int = 0

    @property
    def first(self) -> int:
        return self.beginning.first


@dataclass(frozen=True)
class Generated(Sequence[NoGuessBoard]):
    """The boards that were found, and what it took.

    By rejection every board without guesses of this size, number of mines and first cell is equally
    likely. `tried` counts deals, `kept` those that need no guess.

    >>> made = mp.generate("9x9/10", count=2, seed=1)
    >>> made.kept, made[1].layout.is_mine(made[1].first)
    (2, False)
    """

    beginning: Beginning
    method: Making
    seed: int
    boards: tuple[NoGuessBoard, ...]
    tried: int
    kept: int

    @overload
    def __getitem__(self, place: int) -> NoGuessBoard: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[NoGuessBoard]: ...
    def __getitem__(self, place: int | slice) -> NoGuessBoard | Sequence[NoGuessBoard]:
        return self.boards[place]

    def __len__(self) -> int:
        return len(self.boards)

    def __iter__(self) -> Iterator[NoGuessBoard]:
        return iter(self.boards)

    @property
    def share(self) -> float:
        """The share of deals that were kept."""
        return self.kept / self.tried if self.tried else 0.0

    @property
    def interval(self) -> Interval:
        """Wilson's 95 % interval of that share."""
        return wilson(self.kept, self.tried)

    @property
    def text(self) -> str:
        """How they were made, in a sentence."""
        if self.method is Making.REPAIRED:
            return (
                f"repaired: {self.kept} of {self.tried} deals were changed until they need no"
                " guess; not every such board is equally likely"
            )
        low, high = self.interval
        return (
            f"uniform: every board without guesses is equally likely; kept {self.kept} of"
            f" {self.tried} deals ({100 * self.share:.3g} %, 95 % interval {100 * low:.3g} to"
            f" {100 * high:.3g} %)"
        )


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
    watch: Progress | None = None,
    rules: AnyRules | None = None,
    **words: RuleValue,
) -> Generated:
    """Boards that can be cleared from the first cell without a guess; the same for a seed.

    `first` is the cell opened first, the centre where it is left out; its area has no mines unless
    `first_click="safe"` keeps only the cell itself free. With the method `uniform` deals are drawn
    until `count` need no guess: every such board is equally likely. With `repair` deals are changed
    until they need none, which is quick on the densest boards, but not uniform. `auto` is uniform
    unless the first 20,000 deals all need a guess. Raises InputError for a board that cannot be, or
    that has no such layout; BudgetExceeded past `most_deals`.

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
    if method not in ("auto", "uniform", "repair"):
        raise UnknownName("method", method, ("auto", "uniform", "repair"))
    beginning = Beginning.of(board, first, rules, **words)
    search = _Search(beginning, check_seed(seed), count, threads, watch)
    if method == "repair":
        return search.repaired(most_deals)
    return search.uniform(most_deals, may_repair=method == "auto")


@dataclass(frozen=True)
class _Search:
    beginning: Beginning
    seed: int
    count: int
    threads: int
    watch: Progress | None

    def uniform(self, most_deals: int, *, may_repair: bool) -> Generated:
        found: list[int] = []
        tried = 0
        while len(found) < self.count:
            step = min(max(_STEPS[0], tried), _STEPS[1] * self.threads, most_deals - tried)
            if may_repair and not found and tried < _PILOT:
                step = min(step, _PILOT - tried)
            if not step:
                self._fail(tried, len(found))
            kept = keep(
                self.beginning, self.seed, tried, step, self.count - len(found), self.threads
            )
            found += kept.indices
            tried += kept.tried
            self._tell(tried, len(found))
            if not found and tried <= _STEPS[0]:
                self._check_some_exist()
            if not found and may_repair and tried >= _PILOT:
                return self.repaired(most_deals)
        boards = tuple(
            NoGuessBoard(
                self.beginning,
                self.beginning.deal(self.seed, index),
                Making.UNIFORM,
                self.seed,
                index,
            )
            for index in found
        )
        return Generated(self.beginning, Making.UNIFORM, self.seed, boards, tried, len(boards))

    def repaired(self, most_deals: int) -> Generated:
        boards: list[NoGuessBoard] = []
        tried = 0
        while len(boards) < self.count:
            step = min(16 * self.threads, most_deals - tried)
            if not step:
                self._fail(tried, len(boards))
            found = repair(
                self.beginning, self.seed, tried, step, self.count - len(boards), self.threads
            )
            boards += [
                NoGuessBoard(
                    self.beginning, one.layout, Making.REPAIRED, self.seed, one.index, one.changes
                )
                for one in found.boards
            ]
            tried += found.tried
            self._tell(tried, len(boards))
            if not boards and tried == found.tried:
                self._check_some_exist()
        return Generated(
            self.beginning, Making.REPAIRED, self.seed, tuple(boards), tried, len(boards)
        )

    def _tell(self, tried: int, found: int) -> None:
        if self.watch is not None:
            self.watch(tried, found)

    def _fail(self, tried: int, found: int) -> NoReturn:
        boards = "no board without guesses" if not found else f"{found} of {self.count} boards"
        raise BudgetExceeded(
            f"{boards} among {tried} deals of {self.beginning.text}; accepted: more deals"
            " (most_deals, --deals), fewer mines, or the method repair"
        )

    def _check_some_exist(self) -> None:
        """Raise BoardError where so few layouts are possible that all can be tried, in vain."""
        beginning = self.beginning
        if beginning.layouts > _MOST_LISTED:
            return
        room = [cell for cell in beginning.topology.cells if cell not in beginning.free]
        layouts = [
            Layout.of(beginning.topology, cells) for cells in combinations(room, beginning.mines)
        ]
        if not any(clears_all(layouts, beginning.first, threads=self.threads)):
            raise BoardError(
                f"no layout of {beginning.text} can be cleared without a guess: all"
                f" {len(layouts)} were tried; accepted: another size, number of mines or first cell"
            )
