"""Boards that need no guess: what is certain suffices from the first cell to the last.

>>> made = generate("beginner", count=3, seed=1)
>>> len(made), made.method.value, made[0].layout.total
(3, 'uniform', 10)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import combinations, islice
from typing import Any, NamedTuple, NoReturn, TypeAlias, TypeVar, Unpack, overload

import numpy as np

from mineproof import kernel
from mineproof.board.layout import Layout, measure
from mineproof.board.topology import Place
from mineproof.chains import of
from mineproof.chains.search import play_layout
from mineproof.engine.exact import core_board_of
from mineproof.errors import (
    BoardError,
    BudgetExceeded,
    InputError,
    UnknownName,
    as_given,
    as_int,
    check_function,
    quoted,
    text_of,
)
from mineproof.game.difficulty import rate_layout
from mineproof.generation.certificate import GenerationMethod, NoGuessBoard, StartPosition
from mineproof.generation.solvability import clears_all, play_certain
from mineproof.kernel import core
from mineproof.proofs.techniques import Ladder
from mineproof.rng import Purpose, Stream, check_seed
from mineproof.rules import RuleWords
from mineproof.text import Interval, wilson
from mineproof.view.setting import DEFAULT_BOARD, AnyBoard, AnyRules, Setting

MOST_DEALS = 1_000_000
"""The default limit on deals that are tried."""
MOST_JUDGED = 10_000
"""The default limit on boards without guesses that are judged by requirements."""
FEW_LAYOUTS = 100_000
"""Where there are no more layouts than this and no deal was kept, all of them are tried."""
_MOST_BOARDS = 1_000_000
_PILOT = 20_000
"""After this many deals without a board, `auto` repairs deals instead."""
_STEPS = (256, 16_384)
"""The fewest and the most deals between two reports of progress."""
_JUDGED = 16
"""Boards judged between two reports of progress."""
_LISTED = 256
"""Layouts tried at a time where all are tried: one that can be cleared ends it."""

Progress = Callable[[int, int], None]
"""Called now and then with the number of deals tried and of boards found."""


def generate(
    board: AnyBoard = DEFAULT_BOARD,
    *,
    first: Place | None = None,
    count: int = 1,
    seed: int = 0,
    method: str = "auto",
    most_deals: int = MOST_DEALS,
    threads: int = 1,
    wishes: Requirements | Mapping[str, Any] | None = None,
    most_judged: int = MOST_JUDGED,
    watch: Progress | None = None,
    rules: AnyRules | None = None,
    **words: Unpack[RuleWords],
) -> Generated:
    """Boards that can be cleared from the first cell without a guess; the same for a seed.

    `first` is the cell opened first, by default the centre; its area has no mines unless
    `first_click="safe"` keeps only the cell itself free. With the method `uniform` deals are drawn
    until `count` need no guess: every such board is equally likely. With `repair` deals are changed
    until they need none, which is quick on the densest boards, but not uniform. `auto` is uniform
    unless the first 20,000 deals all need a guess. `wishes` are further requirements, such as
    `{"three_bv": "150..170"}`: boards without guesses that do not meet them are rejected, after at
    most `most_judged` boards. Raises InputError for a board that cannot be, or where every layout
    needs a guess; BudgetExceeded past `most_deals` or `most_judged`.

    >>> made = mp.generate("expert", first=(7, 14), seed=1)
    >>> made[0].layout.total, made.method.value
    (99, 'uniform')
    """
    if not 1 <= (count := as_int(count, "count")) <= _MOST_BOARDS:
        raise InputError(f"{count} boards; accepted: 1 to {_MOST_BOARDS}")
    if not 1 <= (threads := as_int(threads, "threads")) <= 1024:
        raise InputError(f"{threads} threads; accepted: 1 to 1024")
    if (most_deals := as_int(most_deals, "most_deals")) < 1:
        raise InputError(f"{most_deals} deals; accepted: 1 or more")
    if text_of(method, "method") not in ("auto", "uniform", "repair"):
        raise UnknownName("method", method, ("auto", "uniform", "repair"))
    check_function(watch, "watch", "a function of two numbers, or None")
    search = _Search(
        StartPosition.of(board, first, rules, **words),
        check_seed(seed),
        count,
        threads,
        Requirements.from_value(wishes),
        as_int(most_judged, "most_judged"),
        most_deals,
        watch,
    )
    if method == "repair":
        return search.search_repaired()
    return search.search_uniform(may_repair=method == "auto")


@dataclass
class _Search:
    start: StartPosition
    seed: int
    count: int
    threads: int
    wishes: Requirements
    most_judged: int
    most_deals: int
    watch: Progress | None
    found: list[NoGuessBoard] = field(default_factory=list)
    tried: int = 0
    kept: int = 0

    def search_uniform(self, *, may_repair: bool) -> Generated:
        while len(self.found) < self.count:
            # Few deals at first, so that an easy board comes at once; then ever more.
            step = min(max(_STEPS[0], self.tried), _STEPS[1] * self.threads)
            if may_repair and not self.kept and self.tried < _PILOT:
                step = min(step, _PILOT - self.tried)
            deals = find_no_guess(
                self.start, self.seed, self.tried, self._at_most(step), self._next, self.threads
            )
            uniform = GenerationMethod.UNIFORM
            self._judge(
                [
                    NoGuessBoard(
                        self.start, self.start.deal(self.seed, index), uniform, self.seed, index
                    )
                    for index in deals.indices
                ],
                deals.tried,
            )
            if not self.kept and self.tried <= _STEPS[0]:
                self._check_some_exist()
            if not self.kept and may_repair and self.tried >= _PILOT:
                self.tried = 0
                return self.search_repaired()
        return self._result(GenerationMethod.UNIFORM)

    def search_repaired(self) -> Generated:
        while len(self.found) < self.count:
            before, step = self.tried, 16 * self.threads
            deals = repair_deals(
                self.start, self.seed, before, self._at_most(step), self._next, self.threads
            )
            repaired = GenerationMethod.REPAIRED
            self._judge(
                [
                    NoGuessBoard(
                        self.start, one.layout, repaired, self.seed, one.index, one.changes
                    )
                    for one in deals.boards
                ],
                deals.tried,
            )
            if not self.kept and not before:
                self._check_some_exist()
        return self._result(GenerationMethod.REPAIRED)

    @property
    def _next(self) -> int:
        """How many boards to ask for at a time."""
        if self.wishes:
            return min(_JUDGED, self.most_judged - self.kept)
        return self.count - len(self.found)

    def _at_most(self, step: int) -> int:
        """That many deals, or what is left of the budget. Raises BudgetExceeded past it."""
        left = self.most_deals - self.tried
        if not left or (self.wishes and self.kept >= self.most_judged):
            self._fail()
        return min(step, left)

    def _judge(self, boards: list[NoGuessBoard], tried: int) -> None:
        """Add the boards that meet the requirements, as far as they are needed."""
        met = [True] * len(boards)
        if self.wishes:
            met = self.wishes.met_by([one.layout for one in boards], self.start.first)
        self.tried += tried
        for one, good in zip(boards, met, strict=True):
            self.kept += 1
            if good:
                self.found.append(one)
            if len(self.found) == self.count:
                # Deals after the last one that was needed do not count: the figures are then the
                # same whatever the step was.
                self.tried = one.index + 1
                break
        if self.watch is not None:
            self.watch(self.tried, len(self.found))

    def _result(self, method: GenerationMethod) -> Generated:
        return Generated(
            self.start, method, self.seed, tuple(self.found), self.tried, self.kept, self.wishes
        )

    def _fail(self) -> NoReturn:
        found, start = len(self.found), self.start.text
        if self.wishes:
            raise BudgetExceeded(
                f"{found or 'no'} board{'s' if found > 1 else ''} with {self.wishes.text} among"
                f" {self.kept} without guesses, of {self.tried} deals of {start}; accepted:"
                " more boards (most_judged, --judged), more deals (most_deals, --deals), or other"
                " wishes"
            )
        boards = "no board without guesses" if not found else f"{found} of {self.count} boards"
        raise BudgetExceeded(
            f"{boards} among {self.tried} deals of {start}; accepted: more deals (most_deals,"
            " --deals), fewer mines, or the method repair"
        )

    def _check_some_exist(self) -> None:
        """Raise BoardError if every layout needs a guess, where all of them can be tried."""
        start = self.start
        if start.layouts > FEW_LAYOUTS:
            return
        room = [cell for cell in start.topology.cells if cell not in start.free]
        cells = combinations(room, start.mines)
        while some := [Layout.of(start.topology, one) for one in islice(cells, _LISTED)]:
            if any(clears_all(some, start.first, threads=self.threads)):
                return
        raise BoardError(
            f"no layout of {start.text} can be cleared without a guess: all"
            f" {start.layouts} were tried; accepted: another size, number of mines or first"
            " cell"
        )


# -- The search of deals: by the core on several threads, or by the readable twin --

Found = TypeVar("Found")


class NoGuessDeals(NamedTuple):
    """The deals that need no guess, in rising order, and how many deals were tried."""

    indices: list[int]
    tried: int


def find_no_guess(
    start: StartPosition, seed: int, begin: int, deals: int, count: int, threads: int = 1
) -> NoGuessDeals:
    """Of the deals from `begin` on, at most `deals` of them, the first `count` without a guess.

    The answer is the same for any number of threads, and without the core. Raises BudgetExceeded
    where a position is too hard for the exact engine; with threads, that may be in a later deal.
    """
    if kernel.available():
        return NoGuessDeals(
            *_search_by_core(core.keep_no_guess, start, seed, begin, deals, count, threads)
        )

    def needs_none(index: int) -> int | None:
        view = play_certain(start.deal(seed, index), start.first)
        return index if view.hidden_count == start.mines else None

    return NoGuessDeals(*_first_found(needs_none, begin, deals, count))


@dataclass(frozen=True)
class RepairedBoard:
    """A layout, the index of the deal that it was made of, and the number of changes."""

    index: int
    changes: int
    layout: Layout


class RepairedDeals(NamedTuple):
    """The boards that came out, in rising order of their deals, and how many deals were tried."""

    boards: list[RepairedBoard]
    tried: int


def repair_deals(
    start: StartPosition, seed: int, begin: int, deals: int, count: int, threads: int = 1
) -> RepairedDeals:
    """Of the deals from `begin` on, at most `deals`, the first `count` that could be repaired.

    A deal is changed near where it gets stuck: a hidden cell there changes places with any other
    cell, a mine with a safe one, and the change stays if no fewer cells can be opened than before.
    Such boards are not equally likely. The answer is the same for any number of threads, and
    without the core. Raises BudgetExceeded as `find_no_guess` does.
    """
    topology = start.topology
    if not kernel.available():
        return RepairedDeals(
            *_first_found(lambda index: _repair(start, seed, index), begin, deals, count)
        )
    found, tried = _search_by_core(core.repair_no_guess, start, seed, begin, deals, count, threads)
    boards = [
        RepairedBoard(index, changes, Layout(topology, np.frombuffer(mines, dtype=np.uint8)))
        for index, changes, mines in found
    ]
    return RepairedDeals(boards, tried)


_PATIENCE = 200
"""After this many changes in a row that opened no more cells, a deal is given up."""


def _repair(start: StartPosition, seed: int, index: int) -> RepairedBoard | None:
    """Deal `index`, changed until it needs no guess; None where patience ran out."""
    topology, first, mines = start.topology, start.first, start.mines
    layout = start.deal(seed, index)
    room = [cell for cell in topology.cells if cell not in start.free]
    stream = Stream(seed, index, Purpose.REPAIR)
    view = play_certain(layout, first)
    changes = in_vain = 0
    while view.hidden_count > mines and in_vain < _PATIENCE:
        in_vain += 1
        near = [
            cell
            for cell in view.hidden
            if cell not in start.free and any(map(view.is_open, topology.neighbours(cell)))
        ]
        if not near:
            return None
        one = stream.choice(near)
        # Partners are all cells, not only hidden ones: that would take a fifth of the time, but
        # mines would gather in heaps.
        others = [cell for cell in room if layout.is_mine(cell) != layout.is_mine(one)]
        if not others:
            continue
        other = stream.choice(others)
        changed = Layout.of(topology, set(layout.cells) ^ {one, other})
        after = play_certain(changed, first)
        if after.opened_count >= view.opened_count:
            changes += 1
            if after.opened_count > view.opened_count:
                in_vain = 0
            layout, view = changed, after
    return RepairedBoard(index, changes, layout) if view.hidden_count == mines else None


def _first_found(
    attempt: Callable[[int], Found | None], begin: int, deals: int, count: int
) -> tuple[list[Found], int]:
    """What the first `count` attempts that succeed return, and how many were made."""
    found: list[Found] = []
    tried = 0
    while tried < deals and len(found) < count:
        one = attempt(begin + tried)
        if one is not None:
            found.append(one)
        tried += 1
    return found, tried


def _search_by_core(
    function: Callable[..., tuple[list[Found], int]],
    start: StartPosition,
    seed: int,
    begin: int,
    deals: int,
    count: int,
    threads: int,
) -> tuple[list[Found], int]:
    """What a function of the core finds among the deals, and how many it tried."""
    try:
        return function(
            core_board_of(start.topology).board,
            start.mines,
            start.first,
            start.free,
            "total",
            seed,
            begin,
            deals,
            count,
            threads,
        )
    except core.OverBudget as error:
        raise BudgetExceeded(
            f"a deal of {start.board.text} is too hard for the exact engine: {error.args[0]}"
        ) from None


# ----------------------------------------------------------------------------
# Extra requirements on a no-guess board, met by rejection.
#
# A range is `N`, `A..B`, `A..` or `..B`. The hardest technique is one of `single`, `pair`, `triple`
# (three clues or more), `case` and `total`, or a range of them: `..pair` is at most a pair.

HARDEST = {
    "single": Ladder.SINGLE_CLUE,
    "pair": Ladder.TWO_CLUES,
    "triple": Ladder.SEVERAL_CLUES,
    "case": Ladder.CASE_SPLIT,
    "total": Ladder.MINE_COUNT,
}
"""Names of the rungs of `mineproof rate`, from the simplest."""

AnyRange: TypeAlias = "int | str | IntRange"


@dataclass(frozen=True)
class IntRange:
    """A range of whole numbers, both ends included; None is no bound."""

    low: int | None
    high: int | None

    @classmethod
    def parse(cls, text: AnyRange, name: str) -> IntRange:
        """A number, or a text such as `150..200`, `150..` or `..200`. Raises InputError."""
        if isinstance(text, IntRange):
            return text
        read = re.fullmatch(r"(\d{0,9})(\.\.)?(\d{0,9})", str(text), re.ASCII)
        low, dots, high = read.groups() if read else ("", "", "")
        if not (low or high) or (not dots and high):
            raise InputError(
                f"{name} {quoted(text)} cannot be read; accepted: such as 160, 150..200 or 150.."
            )
        found = cls(int(low) if low else None, int(high) if high else None)
        if not dots:
            return cls(found.low, found.low)
        if found.low is not None and found.high is not None and found.low > found.high:
            raise InputError(f"{name} {quoted(text)} is empty; accepted: a range such as 150..200")
        return found

    def holds(self, number: int) -> bool:
        """Whether a number is in the range."""
        above = self.low is None or number >= self.low
        return above and (self.high is None or number <= self.high)

    @property
    def text(self) -> str:
        if self.low is not None and self.low == self.high:
            return str(self.low)
        return f"{'' if self.low is None else self.low}..{'' if self.high is None else self.high}"


@dataclass(frozen=True)
class Requirements:
    """What a board must be; None and False require nothing."""

    hardest: IntRange | None = None
    needs_total: bool = False
    without_total: bool = False
    three_bv: IntRange | None = None
    openings: IntRange | None = None
    chain: int | None = None

    @classmethod
    def of(
        cls,
        *,
        hardest: str | None = None,
        needs_total: bool = False,
        without_total: bool = False,
        three_bv: AnyRange | None = None,
        openings: AnyRange | None = None,
        chain: int | None = None,
    ) -> Requirements:
        """Requirements as a caller writes them. Raises InputError."""
        if needs_total and without_total:
            raise InputError(
                "a board cannot both need the number of mines and do without it; accepted: one of"
                " needs-total and without-total"
            )
        if chain is not None and (chain := as_int(chain, "chain")) < 0:
            raise InputError(f"a chain of {chain} links; accepted: 0 or more")
        return cls(
            None if hardest is None else _rung_range(hardest),
            needs_total,
            without_total,
            None if three_bv is None else IntRange.parse(three_bv, "3BV"),
            None if openings is None else IntRange.parse(openings, "openings"),
            chain,
        )

    @classmethod
    def from_value(cls, wishes: Requirements | Mapping[str, Any] | None) -> Requirements:
        """Requirements as a value, or by name. Raises InputError."""
        if isinstance(wishes, Requirements):
            return wishes
        if wishes is not None and not isinstance(wishes, Mapping):
            raise InputError(
                f"wishes {as_given(wishes)} cannot be read; accepted: such as"
                ' {"three_bv": "150..170"}'
            )
        for name in wishes or {}:
            if name not in cls.__dataclass_fields__:
                raise UnknownName("wish", str(name), cls.__dataclass_fields__)
        return cls.of(**(wishes or {}))

    def __bool__(self) -> bool:
        return self != Requirements()

    @property
    def text(self) -> str:
        """The requirements by their names, `3bv=150..200 chain=12`."""
        words = []
        if self.hardest is not None:
            words.append(f"hardest={_rung_text(self.hardest)}")
        words += ["needs-total"] * self.needs_total + ["without-total"] * self.without_total
        ranges = {"3bv": self.three_bv, "openings": self.openings}
        words += [f"{name}={wish.text}" for name, wish in ranges.items() if wish is not None]
        if self.chain is not None:
            words.append(f"chain={self.chain}")
        return " ".join(words)

    def met_by(self, layouts: Sequence[Layout], first: int) -> list[bool]:
        """For layouts without guesses, whether each meets the requirements."""
        # What costs least comes first: the core, then measures, then a rating or a chain in Python.
        good = [True] * len(layouts)
        if self.needs_total or self.without_total:
            good = [one is self.without_total for one in clears_all(layouts, first, total=False)]
        return [
            fine and self._fits_measures(layout) and self._fits_proofs(layout, first)
            for fine, layout in zip(good, layouts, strict=True)
        ]

    def _fits_measures(self, layout: Layout) -> bool:
        if self.three_bv is None and self.openings is None:
            return True
        found = measure(layout)
        return (self.three_bv is None or self.three_bv.holds(found.three_bv)) and (
            self.openings is None or self.openings.holds(found.openings)
        )

    def _fits_proofs(self, layout: Layout, first: int) -> bool:
        if self.hardest is not None:
            hardest = rate_layout(Setting.of(layout), first).rating.hardest
            if not self.hardest.holds(0 if hardest is None else hardest.rung):
                return False
        return self.chain is None or of(play_layout(layout, first)).length >= self.chain


def _rung_range(text: str) -> IntRange:
    low, dots, high = text_of(text, "hardest").partition("..")
    known = {"": None, **HARDEST}
    if low not in known or high not in known or not (low or high):
        raise InputError(
            f"hardest {quoted(text)} is no technique; accepted: {', '.join(HARDEST)}, or a range"
            " such as ..pair"
        )
    if not dots:
        return IntRange(known[low], known[low])
    return IntRange(known[low], known[high])


def _rung_text(rungs: IntRange) -> str:
    names = {rung: name for name, rung in HARDEST.items()}
    if rungs.low is not None and rungs.low == rungs.high:
        return names[Ladder(rungs.low)]
    low, high = ("" if end is None else names[Ladder(end)] for end in (rungs.low, rungs.high))
    return f"{low}..{high}"


# -- The boards that were found ------------------------------------------------

_NO_REQUIREMENTS = Requirements()


@dataclass(frozen=True)
class Generated(Sequence[NoGuessBoard]):
    """The boards that were found, and what it took.

    By rejection every board without guesses of this size, number of mines and first cell is equally
    likely. `tried` counts deals, `kept` those that need no guess; `boards` are those of them that
    meet the requirements, `wishes`.

    >>> made = mp.generate("9x9/10", count=2, seed=1)
    >>> made.kept, made[1].layout.is_mine(made[1].first)
    (2, False)
    """

    beginning: StartPosition
    method: GenerationMethod
    seed: int
    boards: tuple[NoGuessBoard, ...]
    tried: int
    kept: int
    wishes: Requirements = _NO_REQUIREMENTS

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
        wished = f"; {len(self)} of them with {self.wishes.text}" if self.wishes else ""
        if self.method is GenerationMethod.REPAIRED:
            return (
                f"repaired: {self.kept} of {self.tried} deals were changed until they need no"
                f" guess{wished}; not every such board is equally likely"
            )
        low, high = self.interval
        return (
            f"uniform: every such board is equally likely; kept {self.kept} of {self.tried} deals"
            f" ({100 * self.share:.3g} %, 95 % interval {100 * low:.3g} to {100 * high:.3g} %)"
            f"{wished}"
        )


# -- The board of the day: everybody who asks on a date gets the same one ------


def parse_day(text: str) -> date:
    """The date of a text such as 2026-11-17. Raises InputError."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
        try:
            return date.fromisoformat(text)
        except ValueError:
            pass
    raise InputError(f"date {quoted(text)} cannot be read; accepted: such as 2026-11-17")


def daily_seed(day: date) -> int:
    """The seed of a day: its digits, 20261117.

    >>> daily_seed(date(2026, 11, 17))
    20261117
    """
    return 10_000 * day.year + 100 * day.month + day.day


DAILY_BOARDS = ("beginner", "intermediate", "expert")
"""The three boards of a day; each begins at its centre."""


@dataclass(frozen=True)
class DailyStreak:
    """Days in a row on which a daily board was won: those up to now, and the most there ever were.

    Today does not end a streak before it is over.

    >>> DailyStreak.of([date(2026, 11, 16), date(2026, 11, 17)], today=date(2026, 11, 18))
    DailyStreak(days=2, longest=2)
    """

    days: int
    longest: int

    @classmethod
    def of(cls, won: Iterable[date], today: date) -> DailyStreak:
        run, runs = 0, {date.min.toordinal() - 1: 0}
        for day in sorted({day.toordinal() for day in won}):
            run = run + 1 if day - 1 in runs else 1
            runs[day] = run
        now = today.toordinal()
        return cls(runs.get(now, runs.get(now - 1, 0)), max(runs.values()))
