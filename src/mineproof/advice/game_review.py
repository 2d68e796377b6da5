"""The review of a game: every move judged, what was given away in all, and how much luck it had."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from mineproof.advice.advice import Measure
from mineproof.advice.judging import Effort, Judgement, Kind, judge
from mineproof.agents.decision import Decision
from mineproof.errors import InputError, as_given, check_function, check_kind
from mineproof.match.transcript import Transcript
from mineproof.view.view import View

__all__ = ["Luck", "Moved", "Review", "moves_of", "review"]

Moved = tuple[View, Decision, View]
"""The view before a move, the move, and the view after it."""
_WORST = 3


@dataclass(frozen=True)
class Luck:
    """Guesses that held, and how many were to be expected to."""

    guesses: int
    held: int
    expected: float

    @property
    def difference(self) -> float:
        """Successful guesses minus their expected number."""
        return self.held - self.expected


@dataclass(frozen=True)
class Review:
    """The moves of a game in their order, each with what is said of it; numbered from 1.

    >>> found = mp.review(mp.play("beginner", "single-point", seed=4))
    >>> len(found.moves) >= len(found.worst)
    True
    """

    moves: tuple[Judgement, ...]
    held: tuple[bool, ...]
    """Whether each move opened no mine."""

    def __repr__(self) -> str:
        return f"<review of {len(self.moves)} moves: {len(self.blunders)} blunders>"

    @cached_property
    def lost(self) -> float:
        """What was given away in all."""
        return sum(move.lost or 0.0 for move in self.moves)

    def lost_of(self, measure: Measure) -> float:
        """What was given away of one measure."""
        return sum(move.lost or 0.0 for move in self.moves if move.measure is measure)

    @property
    def worst(self) -> tuple[int, ...]:
        """The numbers of the moves that gave away most, at most three; the worst first."""
        lost = [(-(move.lost or 0.0), n) for n, move in enumerate(self.moves, 1) if move.lost]
        return tuple(n for _, n in sorted(lost)[:_WORST])

    @property
    def blunders(self) -> tuple[int, ...]:
        """The numbers of the moves that are blunders."""
        return tuple(n for n, move in enumerate(self.moves, 1) if move.kind is Kind.BLUNDER)

    @property
    def unsound(self) -> tuple[int, ...]:
        """The numbers of the moves that were called proved and were not certain."""
        return tuple(n for n, move in enumerate(self.moves, 1) if move.unsound)

    @property
    def unjudged(self) -> int:
        """Moves that were not judged: too wide, or out of time."""
        return sum(move.kind is None for move in self.moves)

    @cached_property
    def luck(self) -> Luck:
        """How the guesses went against what was to be expected: those with a chance of a mine."""
        guesses = [
            (move.risk, held)
            for move, held in zip(self.moves, self.held, strict=True)
            if move.risk is not None and 0.0 < move.risk < 1.0
        ]
        expected = sum(1.0 - risk for risk, _ in guesses)
        return Luck(len(guesses), sum(held for _, held in guesses), expected)


def review(
    game: Transcript | Iterable[Moved],
    *,
    effort: Effort | None = None,
    watch: Callable[[int], bool] | None = None,
) -> Review:
    """Judge every move of a game by what its player saw.

    `game` is a transcript, or moves each with the view before and after it. `watch` is called
    before each move with its number; where it answers False the move is left unjudged. Raises
    NotationError where a transcript cannot be replayed.

    >>> found = mp.review(mp.play("beginner", agent="single-point", seed=4))
    >>> print(found.moves[found.worst[0] - 1].text)
    0,4 risked 9.7 %; 6,6 risked only 3.0 %.
    """
    given: object = game
    if isinstance(given, str) or not isinstance(given, Transcript | Iterable):
        raise InputError(f"{as_given(game)} is no game; accepted: a Transcript, or its moves")
    if effort is not None:
        check_kind(effort, Effort, "effort", "an Effort, or None")
    check_function(watch, "watch", "a function of the number of a move, or None")
    moves = moves_of(game) if isinstance(game, Transcript) else game
    judged: list[Judgement] = []
    held: list[bool] = []
    for number, move in enumerate(moves, 1):
        said: object = move
        if not (isinstance(said, tuple) and len(said) == 3 and isinstance(said[1], Decision)):
            raise InputError(
                f"move {number} of the game is {as_given(move)}; accepted: a view, a Decision"
                " and the view after it"
            )
        before, decision, after = move
        wanted = watch is None or watch(number)
        judged.append(judge(before, decision, effort) if wanted else Judgement(decision))
        held.append(len(after.opened_mines) == len(before.opened_mines))
    return Review(tuple(judged), tuple(held))


def moves_of(game: Transcript) -> Iterator[Moved]:
    """The moves of a transcript, replayed. Raises NotationError."""
    most = 4 * len(game.topology) + 100
    if len(game.steps) > most:
        raise InputError(f"the game has {len(game.steps)} steps; accepted: at most {most}")
    views = game.views()
    before = next(views)
    for step, after in zip(game.steps, views, strict=True):
        yield before, step.decision, after
        before = after
