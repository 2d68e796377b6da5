"""What an agent is: one method; and the agents made of a logic and a guessing policy.

    class Mine:
        def act(self, view):
            return view.hidden[0]

`act` returns a `Decision`, or just a cell to open: its number or its coordinates. An agent may
also have `begin(view, rng)`, called once before its first move of every game with a stream of
random numbers of its own, and `knowledge(view)`, a text that `play --step` shows. An agent that
cannot play by all rules may have `check_rules(rules, cells)`, which raises RulesError: then there
is no game.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

from mineproof.board.topology import Place, Topology
from mineproof.engine.analysis import Logic, Premises, check_rules
from mineproof.errors import AgentFailure, InputError, as_given
from mineproof.rng import Stream
from mineproof.rules import FirstClick, Rules
from mineproof.view.view import View

# ----------------------------------------------------------------------------
# A decision carries its reason: proved from premises, guessed at a risk, or just made.
#
# Transcripts, play-by-play, soundness checks and the coach all read that one field.

_NO_PREMISES = Premises()


class Action(Enum):
    """What a player does.

    >>> [action.value for action in mp.Action]
    ['open', 'flag', 'unflag', 'chord', 'stop']
    """

    OPEN = "open"
    FLAG = "flag"
    UNFLAG = "unflag"
    CHORD = "chord"
    STOP = "stop"


@dataclass(frozen=True, init=False)
class Proved:
    """The named logic proved it; `premises` are the clues used, if it keeps track.

    They are given as a list of cells, numbers or coordinates, and `total` where the number of
    mines is one of them; or as a `Premises`. Raises InputError.

    >>> mp.Proved("my-logic", [3, 5], total=True).premises
    Premises(clues=(3, 5), total=True, by_contradiction=False)
    """

    logic: str
    premises: Premises

    def __init__(
        self,
        logic: str,
        premises: Premises | Iterable[Place] = _NO_PREMISES,
        *,
        total: bool = False,
    ) -> None:
        object.__setattr__(self, "logic", logic)
        if not isinstance(premises, Premises):
            if isinstance(premises, str) or not isinstance(premises, Iterable):
                raise InputError(
                    f"the premises of a proof are {as_given(premises)}; accepted: the cells of"
                    " its clues in a list, such as [(0, 1), 5]"
                )
            given: Any = tuple(premises)
            premises = Premises(given, total)
        elif total:
            premises = replace(premises, total=True)
        object.__setattr__(self, "premises", premises)


@dataclass(frozen=True)
class Guessed:
    """Nothing was proved; `policy` chose among `among` cells.

    `cells` is the set the choice was made from where it is small enough to show, and `risk` the
    policy's own estimate of a mine, where it has one.

    >>> mp.Guessed("corner-first", among=4, risk=0.2).risk
    0.2
    """

    policy: str
    among: int
    risk: float | None = None
    cells: tuple[int, ...] = ()


@dataclass(frozen=True)
class Unstated:
    """The player gave no reason; `note` says who it was."""

    note: str = ""


Reason: TypeAlias = Proved | Guessed | Unstated

UNSTATED = Unstated()


@dataclass(frozen=True)
class Decision:
    """One action on one cell, with its reason; `cell` is None only for STOP.

    An agent may name cells by their coordinates: the game turns them into numbers.

    >>> mp.Decision.open((0, 1), mp.Guessed("mine", among=2, risk=0.5)).action
    <Action.OPEN: 'open'>
    """

    action: Action
    cell: int | None
    reason: Reason = UNSTATED

    @classmethod
    def open(cls, cell: Place, reason: Reason = UNSTATED) -> Decision:
        return cls._of(Action.OPEN, cell, reason)

    @classmethod
    def flag(cls, cell: Place, reason: Reason = UNSTATED) -> Decision:
        return cls._of(Action.FLAG, cell, reason)

    @classmethod
    def unflag(cls, cell: Place, reason: Reason = UNSTATED) -> Decision:
        return cls._of(Action.UNFLAG, cell, reason)

    @classmethod
    def chord(cls, cell: Place, reason: Reason = UNSTATED) -> Decision:
        return cls._of(Action.CHORD, cell, reason)

    @classmethod
    def _of(cls, action: Action, cell: Any, reason: Reason) -> Decision:
        return cls(action, cell, reason)

    @classmethod
    def stop(cls, note: str = "") -> Decision:
        return cls(Action.STOP, None, Unstated(note))


# -- An agent, and what else it may do -----------------------------------------

Answer: TypeAlias = Decision | int | tuple[int, ...]


class Agent(Protocol):
    """Chooses the next move from what the player sees.

    >>> class First:
    ...     def act(self, view):
    ...         return view.hidden[0]
    >>> mp.play("beginner", First, seed=1).outcome.won
    False
    """

    def act(self, view: View) -> Answer: ...


@runtime_checkable
class AgentWithBegin(Protocol):
    """An agent with `begin`, called before its first move of a game."""

    def begin(self, view: View, rng: Stream) -> None: ...


@runtime_checkable
class AgentWithKnowledge(Protocol):
    """An agent with `knowledge`, which says what it knows as text."""

    def knowledge(self, view: View) -> str: ...


AgentFactory: TypeAlias = Callable[[], Agent]


def as_decision(answer: object, topology: Topology) -> Decision:
    """The decision an agent's answer stands for, its cells by number.

    Raises AgentFailure for nonsense.
    """
    if not isinstance(answer, Decision):
        if not isinstance(answer, int | np.integer | tuple | list | np.ndarray) or isinstance(
            answer, bool
        ):
            raise AgentFailure(
                f"the agent answered {as_given(answer)}; accepted: a Decision, a cell number or"
                " coordinates"
            )
        return Decision.open(_cell(answer, topology))
    if answer.action is Action.STOP:
        return answer
    cell = answer.cell
    if type(cell) is not int or not 0 <= cell < len(topology):
        answer = replace(answer, cell=_cell(cell, topology))
    return _with_numbers(answer, topology)


def _cell(place: object, topology: Topology, said: str = "the agent chose") -> int:
    try:
        given: Any = place
        return topology.cell(given)
    except InputError as error:
        raise AgentFailure(f"{said} a wrong cell: {error}") from None


_NUMBER = {int}
_REASON = "the agent's reason names"


def _with_numbers(decision: Decision, topology: Topology) -> Decision:
    """The decision whose reason, too, names cells by their numbers."""
    reason = decision.reason
    if isinstance(reason, Proved):
        clues = reason.premises.clues
        if clues and set(map(type, clues)) != _NUMBER:
            numbers = tuple(_cell(clue, topology, _REASON) for clue in clues)
            premises = replace(reason.premises, clues=numbers)
            return replace(decision, reason=Proved(reason.logic, premises))
    elif isinstance(reason, Guessed) and reason.cells and set(map(type, reason.cells)) != _NUMBER:
        cells = tuple(_cell(cell, topology, _REASON) for cell in reason.cells)
        return replace(decision, reason=replace(reason, cells=cells))
    return decision


# ----------------------------------------------------------------------------
# What a guessing policy is, and what all of them share.
#
# A policy is a function: a cell among the candidates with its reason, or None. It may be an object
# instead, made anew for every agent, if it has to follow the game (`FollowerPolicy`), or if it may
# guess while other cells are still proved safe (`EagerPolicy`).

EXACT_DIGITS = 12
"""Chances are rounded to this, so that equal ones stay equal in whatever order they were summed."""
_SHOWN_CELLS = 12
"""A choice from more cells than this is not listed."""

Choice: TypeAlias = tuple[int, Guessed]


class Policy(Protocol):
    """Chooses one of the candidates. None stops the game, or passes to the next of a sequence."""

    def __call__(
        self, view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
    ) -> Choice | None: ...


@runtime_checkable
class FollowerPolicy(Protocol):
    """A policy that follows the game of its agent."""

    def begin(self, view: View) -> None:
        """Forget the last game; `view` is the first view of the next."""
        ...

    def follow(self, decision: Decision, view: View) -> None:
        """The agent's decision was carried out; `view` is what the player sees after it."""
        ...


@runtime_checkable
class EagerPolicy(Protocol):
    """A policy that is asked before every move, while cells may still be proved safe."""

    def early(
        self, view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
    ) -> Choice | None:
        """A guess that should be made now, or None."""
        ...


class PolicySequence:
    """Policies asked one after the other, until one chooses."""

    def __init__(self, policies: Sequence[Policy]) -> None:
        self.policies = tuple(policies)
        self._followers = [policy for policy in self.policies if isinstance(policy, FollowerPolicy)]
        self._eager = [policy for policy in self.policies if isinstance(policy, EagerPolicy)]

    def begin(self, view: View) -> None:
        for policy in self._followers:
            policy.begin(view)

    def follow(self, decision: Decision, view: View) -> None:
        for policy in self._followers:
            policy.follow(decision, view)

    def early(
        self, view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
    ) -> Choice | None:
        choices = (policy.early(view, candidates, rng, logic) for policy in self._eager)
        return next(filter(None, choices), None)

    def __call__(
        self, view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
    ) -> Choice | None:
        choices = (policy(view, candidates, rng, logic) for policy in self.policies)
        return next(filter(None, choices), None)


def cells_to_open(view: View, decision: Decision) -> tuple[int, ...]:
    """The cells that a move opens by itself: a chord the hidden neighbours without a flag."""
    cell = decision.cell
    if cell is None or decision.action not in (Action.OPEN, Action.CHORD):
        return ()
    near = (cell,) if decision.action is Action.OPEN else view.topology.neighbours(cell)
    return tuple(one for one in near if view.is_hidden(one) and not view.is_flagged(one))


def first_click_is_safe(view: View) -> bool:
    """Whether the rules keep the next cell free of mines, because it is the first."""
    return not view.opened_count and view.rules.first_click is not FirstClick.ANY


def least_risk(policy: str, risks: Mapping[int, float], rng: Stream) -> Choice:
    """One of the cells with the least risk, each equally likely."""
    risk = min(risks.values())
    cells = [cell for cell, here in risks.items() if here == risk]
    return rng.choice(cells), Guessed(policy, len(cells), risk, cells_if_few(cells))


def cells_if_few(cells: Sequence[int]) -> tuple[int, ...]:
    """The cells of a choice, where they are few enough to be listed."""
    return tuple(cells) if len(cells) <= _SHOWN_CELLS else ()


# -- agent = logic + policy: open and flag what the logic proves, guess where it proves nothing --


class MoveOrder(Enum):
    """Which proved cells are played first (an open question of report 0)."""

    SAFE_FIRST = "safe-first"
    MINES_FIRST = "mines-first"


class LogicAgent:
    """Plays what is proved, in its order, and guesses by its policy where nothing is.

    The logic is asked again only when all cells it proved safe are open. An eager policy is asked
    before every move. `effort` is the work that the logic counted in the current game.
    """

    def __init__(
        self, logic: Logic, policy: Policy, order: MoveOrder = MoveOrder.SAFE_FIRST
    ) -> None:
        self.logic = logic
        self.policy = policy
        self.order = order
        self._follower = policy if isinstance(policy, FollowerPolicy) else None
        self._eager = policy if isinstance(policy, EagerPolicy) else None
        self._known_mines: set[int] = set()

    def check_rules(self, rules: Rules, cells: int) -> None:
        """Raises RulesError where the logic was told what these rules cannot give."""
        check_rules(self.logic, rules, cells)

    def begin(self, view: View, rng: Stream) -> None:
        self._rng = rng
        self._safe: deque[tuple[int, Proved]] = deque()
        self._mines: deque[tuple[int, Proved]] = deque()
        self._known_mines = set()
        self.effort: Counter[str] = Counter()
        self.logic.begin(view)
        self._last: Decision | None = None
        if self._follower is not None:
            self._follower.begin(view)

    def act(self, view: View) -> Decision:
        if self._follower is not None and self._last is not None:
            self._follower.follow(self._last, view)
        self._last = decision = self._early(view) or self._move(view)
        return decision

    def _early(self, view: View) -> Decision | None:
        """What an eager policy guesses before anything else is played."""
        if self._eager is None:
            return None
        choice = self._eager.early(view, self._candidates(view), self._rng, self.logic)
        return None if choice is None else Decision.open(*choice)

    def _move(self, view: View) -> Decision:
        while True:
            if self.order is MoveOrder.MINES_FIRST and (decision := self._flag(view)):
                return decision
            if decision := self._open(view):
                return decision
            if not self._learn(view):
                return self._flag(view) or self._guess(view)

    def _learn(self, view: View) -> bool:
        """Ask the logic; False if nothing more follows."""
        verdict = self.logic.learn(view)
        self.effort.update(verdict.effort)
        logic = verdict.logic
        self._safe.extend((cell, Proved(logic, why)) for cell, why in verdict.safe.items())
        self._mines.extend((cell, Proved(logic, why)) for cell, why in verdict.mines.items())
        self._known_mines.update(verdict.mines)
        return bool(verdict)

    def _open(self, view: View) -> Decision | None:
        while self._safe:
            cell, reason = self._safe.popleft()
            # A flag that is not this agent's may stand on a proved cell: it cannot be opened.
            if view.is_hidden(cell) and not view.is_flagged(cell):
                return Decision.open(cell, reason)
        return None

    def _flag(self, view: View) -> Decision | None:
        while self._mines:
            cell, reason = self._mines.popleft()
            if view.is_hidden(cell) and not view.is_flagged(cell):
                return Decision.flag(cell, reason)
        return None

    def known_mines(self) -> frozenset[int]:
        """The cells proved to be mines in the current game, flagged or not."""
        return frozenset(self._known_mines)

    def _candidates(self, view: View) -> list[int]:
        """The hidden cells that are not known to be mines."""
        known = self._known_mines
        if view.flag_count:
            known = known.union(view.flags)
        return [cell for cell in view.hidden if cell not in known]

    def _guess(self, view: View) -> Decision:
        candidates = self._candidates(view)
        if not candidates:
            return Decision.stop("every hidden cell is proved to be a mine")
        choice = self.policy(view, candidates, self._rng, self.logic)
        if choice is None:
            return Decision.stop("nothing more is proved")
        return Decision.open(*choice)

    def knowledge(self, view: View) -> str:
        """What the logic knows, for people."""
        return self.logic.knowledge(view)
