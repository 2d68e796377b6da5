"""Which deals need no guess: in the core on several threads, else by the readable twin."""

from __future__ import annotations

from typing import NamedTuple

from mineproof import kernel
from mineproof.generation.beginning import Beginning
from mineproof.generation.clearing import play_certain
from mineproof.generation.searching import search
from mineproof.kernel import core

__all__ = ["Kept", "keep"]


class Kept(NamedTuple):
    """The deals that need no guess, in rising order, and how many deals were tried."""

    indices: list[int]
    tried: int


def keep(
    beginning: Beginning, seed: int, start: int, deals: int, count: int, threads: int = 1
) -> Kept:
    """Of the deals from `start` on, at most `deals` of them, the first `count` without a guess.

    The answer is the same for any number of threads, and without the core. Raises BudgetExceeded
    where a position is too hard for the exact engine; with several threads also if it is one of a
    deal after the last that was needed.
    """
    if not kernel.available():
        return _twin(beginning, seed, start, deals, count)
    indices, tried = search(core.keep_no_guess, beginning, seed, start, deals, count, threads)
    return Kept(indices, tried)


def _twin(beginning: Beginning, seed: int, start: int, deals: int, count: int) -> Kept:
    indices: list[int] = []
    tried = 0
    while tried < deals and len(indices) < count:
        view = play_certain(beginning.deal(seed, start + tried), beginning.first)
        if view.hidden_count == beginning.mines:
            indices.append(start + tried)
        tried += 1
    return Kept(indices, tried)
