"""A set of puzzles, balanced over levels and patterns, drawn from games on several boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count as counted

from mineproof.errors import BudgetExceeded, InputError
from mineproof.generation.pattern_catalog import BEST_GUESS, PATTERNS
from mineproof.generation.puzzle_making import BOARDS, MOST_GAMES, puzzles_of_games
from mineproof.generation.sameness import core_key, same_key
from mineproof.generation.teaching_puzzle import LEVELS, TeachingPuzzle
from mineproof.whole import whole

__all__ = ["balanced_puzzles"]

_MOST_COUNT = 5_000
_OF_MANY_LEVELS = {"4+", "what if", "last mines", BEST_GUESS}
"""These are looked for until every level has its share."""
_ENOUGH = 2
"""Puzzles of one kind are collected up to so many times the share it will get."""


def balanced_puzzles(
    count: int = 500, seed: int = 0, boards: Sequence[str] = BOARDS, games: int = MOST_GAMES
) -> list[TeachingPuzzle]:
    """As many puzzles of every level, and within a level as many of every pattern as there can be.

    Of puzzles with the same argument as few as possible are taken. They are sorted by level,
    pattern and size. The same seed gives the same puzzles. Raises InputError, and BudgetExceeded
    where so many games on every board do not have enough.
    """
    if not len(LEVELS) <= whole(count, "count") <= _MOST_COUNT or count % len(LEVELS):
        raise InputError(
            f"count {count}; accepted: a multiple of {len(LEVELS)} up to {_MOST_COUNT}"
        )
    share = count // len(LEVELS)
    pool = _Pool(share)
    streams = [puzzles_of_games([board], seed, games, pool.wanted) for board in boards]
    for puzzle in _in_turn(streams):
        pool.add(puzzle)
        if not pool.wanted:
            break
    chosen = [puzzle for level in LEVELS for puzzle in pool.share_of(level)]
    if len(chosen) < count:
        raise BudgetExceeded(
            f"{games} games on each of {len(boards)} boards have {len(chosen)} puzzles for a"
            f" balanced set of {count}; accepted: fewer"
        )
    ranks = {name: rank for rank, name in enumerate(PATTERNS)}
    return sorted(
        chosen,
        key=lambda one: (one.level, ranks[one.pattern.name], len(one.view), one.view.hidden_count),
    )


def _in_turn(streams: Sequence[Iterator[TeachingPuzzle]]) -> Iterator[TeachingPuzzle]:
    """One puzzle of every stream after another, until all have ended."""
    left = list(streams)
    while left:
        for stream in tuple(left):
            puzzle = next(stream, None)
            if puzzle is None:
                left.remove(stream)
            else:
                yield puzzle


class _Pool:
    """Puzzles by level and pattern, as many of each kind as may be needed."""

    def __init__(self, share: int) -> None:
        self.share = share
        self.kinds: dict[int, dict[str, list[tuple[str, TeachingPuzzle]]]] = {
            level: {} for level in LEVELS
        }
        self.seen: set[str] = set()
        self.wanted = set(PATTERNS)
        """The patterns of which more may be needed."""

    def add(self, puzzle: TeachingPuzzle) -> None:
        level, name = puzzle.level, puzzle.pattern.name
        found = self.kinds[level].setdefault(name, [])
        key = same_key(puzzle.view)
        if key not in self.seen and not self._is_full(level, name):
            self.seen.add(key)
            found.append((core_key(puzzle), puzzle))
        levels = [at for at in LEVELS if name in self.kinds[at]]
        seen_all = name not in _OF_MANY_LEVELS or self._has_enough
        if seen_all and all(self._is_full(at, name) for at in levels):
            self.wanted.discard(name)

    @property
    def _has_enough(self) -> bool:
        """Whether every level has its share."""
        return all(sum(map(len, kinds.values())) >= self.share for kinds in self.kinds.values())

    def _is_full(self, level: int, name: str) -> bool:
        kinds = self.kinds[level]
        return len(kinds[name]) >= _ENOUGH * max(1, self.share // len(kinds))

    def share_of(self, level: int) -> list[TeachingPuzzle]:
        """The share of a level: one of every pattern in turn, a new argument before a known one."""
        waiting = [_varied(found) for found in self.kinds[level].values()]
        chosen: list[TeachingPuzzle] = []
        for turn in counted():
            fresh = [found[turn] for found in waiting if turn < len(found)]
            if not fresh or len(chosen) >= self.share:
                return chosen[: self.share]
            chosen += fresh
        raise AssertionError("unreachable")


def _varied(found: Sequence[tuple[str, TeachingPuzzle]]) -> list[TeachingPuzzle]:
    """The puzzles, first one of every argument, then a second of each, and so on."""
    times: dict[str, int] = {}
    ranked = []
    for place, (core, puzzle) in enumerate(found):
        times[core] = times.get(core, 0) + 1
        ranked.append((times[core], place, puzzle))
    return [puzzle for *_, puzzle in sorted(ranked, key=lambda one: one[:2])]
