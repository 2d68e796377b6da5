"""Which cells the phrases of a sentence speak of, so that a page can light one by the other.

`Words` notes every phrase as it is made; a phrase may be a cell's name, a row of names, a clue or a
region such as `the nine cells that no clue touches`, which names none of its cells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

__all__ = ["Mention", "Mentioned"]


@dataclass(frozen=True)
class Mention:
    """A phrase of a sentence, from one place to before another, and the cells it speaks of."""

    start: int
    end: int
    cells: tuple[int, ...]


class Mentioned:
    """The phrases of an argument so far."""

    def __init__(self) -> None:
        self._cells: dict[str, list[frozenset[int]]] = {}

    def note(self, phrase: str, cells: Collection[int]) -> str:
        """Keep what a phrase speaks of; returns the phrase."""
        if phrase and cells:
            self._cells.setdefault(phrase.lower(), []).append(frozenset(cells))
        return phrase

    def within(self, sentence: str, cells: Collection[int]) -> tuple[Mention, ...]:
        """The phrases of a sentence by their places, the longest where some overlap.

        `cells` are those its step speaks of: of two sets that are called alike, the one among them
        is meant, and of several such the last that was noted.
        """
        about = frozenset(cells)
        lower = sentence.lower()
        found: list[Mention] = []
        taken = [False] * len(sentence)
        for phrase in sorted(self._cells, key=len, reverse=True):
            for start in _places(phrase, lower):
                end = start + len(phrase)
                if any(taken[start:end]):
                    continue
                noted = self._cells[phrase]
                meant = [one for one in noted if one <= about] or noted
                taken[start:end] = [True] * (end - start)
                found.append(Mention(start, end, tuple(sorted(meant[-1]))))
        return tuple(sorted(found, key=lambda mention: mention.start))


def _places(phrase: str, sentence: str) -> Iterator[int]:
    """Where a phrase begins, each after the last has ended: `0,1` is no part of `10,15`."""
    start = sentence.find(phrase)
    while start >= 0:
        end = start + len(phrase)
        before, after = sentence[max(start - 2, 0) : start], sentence[end : end + 2]
        inside = before[-1:].isdigit() or (before[-1:] == "," and before[:1].isdigit())
        inside |= after[:1].isdigit() or (after[:1] == "," and after[1:].isdigit())
        if not inside:
            yield start
        start = sentence.find(phrase, start + 1 if inside else end)
