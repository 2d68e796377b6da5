"""The soundness check: an agent plays, and its first fault is shown with its position.

A fault is a step called proved that is not, a wrong flag that was not called a guess, an illegal
move, an exception, or a game that never ends. `certain`, any prover that finds every certain cell,
decides what is certain. Without one, small positions are enumerated and the others counted by the
exact engine. If that exceeds the budget, the step counts as unjudged, unless the mines themselves
refute it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import comb
from typing import Any, TypeAlias

from mineproof.agents.agent import Agent, AgentFactory, Answer, Beginner
from mineproof.agents.decision import Action, Decision, Guessed, Proved
from mineproof.board.layout import Layout
from mineproof.errors import (
    AgentTimeout,
    BudgetExceeded,
    InconsistentPosition,
    InputError,
    RulesError,
)
from mineproof.inference.engine.exact import exact
from mineproof.inference.enumerate import enumerated
from mineproof.inference.verdict import Verdict, check_rules
from mineproof.match.game import play_game
from mineproof.match.outcome import Termination
from mineproof.match.referee import Referee
from mineproof.match.transcript import Transcript
from mineproof.rng import Stream
from mineproof.rules import FirstClick
from mineproof.view.setting import AnyRules, Setting
from mineproof.view.view import View

__all__ = ["SMALL_BOARDS", "Certain", "Fault", "FaultKind", "Report", "certain_cells", "check"]

Certain: TypeAlias = Callable[[View], Verdict]
"""Finds every certain cell of a position. Raises BudgetExceeded if that is too much work."""

SMALL_BOARDS = (
    "square:5x5/4",
    "square:5x5#2,2/5",
    "square4:4x5/5",
    "torus:4x5/3",
    "hex:5x5/5",
    "hexagon:3/4",
    "triangle:3x6/3",
    "cube:2x3x3/3",
    "graph:0-1,1-2,2-3,3-4,4-5,5-6,6-7,7-8,8-0,0-4,2-6,9/3",
)
"""A board of every topology, small enough to enumerate."""

MOST_LAYOUTS = 2_000


def enumerate_small(view: View) -> Verdict:
    """Every certain cell by enumeration. Raises BudgetExceeded past MOST_LAYOUTS layouts."""
    hidden = view.hidden_count
    if view.total is None:
        layouts = 2**hidden
    else:
        layouts = comb(hidden, max(view.total - len(view.opened_mines), 0))
    if layouts > MOST_LAYOUTS:
        raise BudgetExceeded(f"{layouts} layouts; the check enumerates at most {MOST_LAYOUTS}")
    return enumerated(view)


def certain_cells(view: View) -> Verdict:
    """Every certain cell: by enumeration where that is quick, by the exact engine elsewhere."""
    try:
        return enumerate_small(view)
    except BudgetExceeded:
        return exact(view)


class FaultKind(Enum):
    """What is wrong with a step."""

    UNSOUND = "unsound"
    """It was called proved, and another layout fits what the player saw."""
    WRONG_FLAG = "wrong flag"
    """It flags a safe cell, and was not called a guess."""
    ILLEGAL = "illegal move"
    """The referee refused it, or the agent never came to an end."""
    RAISED = "exception"
    """The agent raised."""
    TIME_OUT = "time-out"
    """The agent did not answer in time."""


@dataclass(frozen=True)
class Fault:
    """The first fault of an agent: which game, which step, what it did, and what it saw."""

    kind: FaultKind
    message: str
    game: Transcript
    step: int
    position: str

    @property
    def move(self) -> str:
        """The step as the transcript writes it; empty where the move was not made."""
        steps = self.game.steps
        return (
            self.game.step_text(self.step, steps[self.step - 1]) if self.step <= len(steps) else ""
        )

    @property
    def text(self) -> str:
        game = self.game
        lines = [
            f"{self.kind.value} at step {self.step} of {game.board} seed {game.seed} game"
            f" {game.index}: {self.message}"
        ]
        if self.move:
            lines.append(self.move)
        return "\n".join([*lines, "the position it saw:", self.position.rstrip("\n")])


@dataclass(frozen=True)
class Report:
    """What a check found. `fault` is None where nothing was wrong.

    Of the steps called proved, `judged` were confirmed and `unjudged` were too costly to judge.
    """

    agent: str
    games: int
    won: int
    steps: int
    judged: int
    unjudged: int
    fault: Fault | None = None

    @property
    def passed(self) -> bool:
        return self.fault is None

    @property
    def text(self) -> str:
        """For people: the figures, then the fault."""
        line = (
            f"{self.agent}: {self.games} games, {self.won} won, {self.steps} steps,"
            f" {self.judged} proofs confirmed"
        )
        if self.unjudged:
            line += f", {self.unjudged} too costly to judge"
        return f"{line}; no fault" if self.fault is None else f"{line}\n{self.fault.text}"

    def to_json(self) -> dict[str, Any]:
        """The object that `check --json` prints."""
        fault = self.fault
        return {
            "agent": self.agent,
            "passed": self.passed,
            "games": self.games,
            "won": self.won,
            "steps": self.steps,
            "judged": self.judged,
            "unjudged": self.unjudged,
            "fault": None
            if fault is None
            else {
                "kind": fault.kind.value,
                "message": fault.message,
                "board": fault.game.board,
                "rules": fault.game.rules.text,
                "seed": fault.game.seed,
                "index": fault.game.index,
                "step": fault.step,
                "move": fault.move,
                "position": fault.position,
            },
        }


def check(
    make: AgentFactory,
    *,
    name: str = "agent",
    boards: Sequence[str] = SMALL_BOARDS,
    games: int = 20,
    seed: int = 0,
    rules: AnyRules | None = None,
    certain: Certain = certain_cells,
) -> Report:
    """Play `games` games on each board with a fresh agent each, and stop at the first fault.

    Raises InputError for boards or rules that cannot be played; whatever the agent does is
    reported, never raised.
    """
    if games < 1:
        raise InputError(f"{games} games; accepted: 1 and more")
    tally = Report(name, 0, 0, 0, 0, 0)
    for text in boards:
        setting = Setting.of(text, rules)
        for index in range(games):
            tally = _check_game(setting, make, seed, index, certain, tally)
            if tally.fault is not None:
                return tally
    return tally


def _check_game(
    setting: Setting, make: AgentFactory, seed: int, index: int, certain: Certain, tally: Report
) -> Report:
    watched = _Watched(make, setting)
    referees: list[Referee] = []

    def keep(referee: Referee, decision: Decision | None) -> None:
        if decision is None:
            referees.append(referee)

    game = play_game(setting, watched, tally.agent, seed, index, watch=keep)
    if watched.refusal is not None:
        raise watched.refusal
    # Asked after the game: a failure ends it without another call of the watcher.
    judge = _Judge(game, referees[0].layout, certain)
    fault = next(
        (
            Fault(*found, game, number, view.text)
            for number, (view, step) in enumerate(zip(watched.seen, game.steps, strict=False), 1)
            if (found := judge.fault(view, step.decision)) is not None
        ),
        None,
    )
    if fault is None and game.outcome.termination is Termination.FAILED:
        kind = FaultKind.RAISED if watched.raised else FaultKind.ILLEGAL
        if watched.late:
            kind = FaultKind.TIME_OUT
        position = watched.seen[-1].text if watched.seen else next(game.views()).text
        fault = Fault(kind, game.outcome.note, game, len(game.steps) + 1, position)
    return replace(
        tally,
        games=tally.games + 1,
        won=tally.won + game.outcome.won,
        steps=tally.steps + len(game.steps),
        judged=tally.judged + judge.judged,
        unjudged=tally.unjudged + judge.unjudged,
        fault=fault,
    )


class _Watched:
    """An agent with a record of its views, and of whether it raised or was late."""

    def __init__(self, make: AgentFactory, setting: Setting) -> None:
        self.seen: list[View] = []
        self.refusal: RulesError | None = None
        self.raised = False
        self.late = False
        self._make = make
        self._setting = setting

    def begin(self, view: View, rng: Stream) -> None:
        self.raised = True
        self._agent: Agent = self._make()
        try:
            check_rules(self._agent, self._setting.rules, len(view))
        except RulesError as refusal:
            self.refusal = refusal
            raise
        if isinstance(self._agent, Beginner):
            try:
                self._agent.begin(view, rng)
            except AgentTimeout:
                self.late = True
                raise
        self.raised = False

    def act(self, view: View) -> Answer:
        self.seen.append(view)
        self.raised = True
        try:
            answer = self._agent.act(view)
        except AgentTimeout:
            self.late = True
            raise
        self.raised = False
        return answer


class _Judge:
    """Judges the steps of one game in order.

    What was certain once stays certain, so `certain` is asked only about cells not known yet.
    """

    def __init__(self, game: Transcript, layout: Layout | None, certain: Certain) -> None:
        self.judged = self.unjudged = 0
        self._topology = game.topology
        self._dealt = game.layout is None
        self._layout = layout
        self._certain = certain
        self._safe: set[int] = set()
        self._mines: set[int] = set()

    def fault(self, view: View, decision: Decision) -> tuple[FaultKind, str] | None:
        """What is wrong with a decision made on a view, or None."""
        proved = isinstance(decision.reason, Proved)
        if decision.action is Action.FLAG and decision.cell is not None:
            if proved:
                return self._unsound(view, (decision.cell,), mine=True)
            if not isinstance(decision.reason, Guessed) and self._is_mine(decision.cell) is False:
                name = self._topology.cell_name(decision.cell)
                return FaultKind.WRONG_FLAG, f"cell {name} is flagged and safe"
        elif proved and decision.action is Action.OPEN and decision.cell is not None:
            return self._unsound(view, (decision.cell,), mine=False)
        elif proved and decision.action is Action.CHORD and decision.cell is not None:
            near = self._topology.neighbours(decision.cell)
            opens = [c for c in near if view.is_hidden(c) and not view.is_flagged(c)]
            return self._unsound(view, opens, mine=False)
        return None

    def _is_mine(self, cell: int) -> bool | None:
        return None if self._layout is None else self._layout.is_mine(cell)

    def _unsound(
        self, view: View, cells: Sequence[int], *, mine: bool
    ) -> tuple[FaultKind, str] | None:
        known = self._mines if mine else self._safe
        doubtful = [cell for cell in cells if cell not in known]
        if doubtful and not (self._first_click(view) and not mine):
            try:
                verdict = self._certain(view)
            except (BudgetExceeded, InconsistentPosition):
                return self._refuted(doubtful, mine)
            self._safe.update(verdict.safe)
            self._mines.update(verdict.mines)
            for cell in doubtful:
                if cell not in known:
                    what = "a mine" if mine else "safe"
                    name = self._topology.cell_name(cell)
                    return FaultKind.UNSOUND, f"cell {name} is called proved {what}, and it is not"
        self.judged += 1
        return None

    def _first_click(self, view: View) -> bool:
        """Whether the rules themselves guarantee that any cell is safe."""
        promised = view.rules.first_click is not FirstClick.ANY
        return self._dealt and promised and not view.opened_count

    def _refuted(self, cells: Sequence[int], mine: bool) -> tuple[FaultKind, str] | None:
        for cell in cells:
            if self._is_mine(cell) is not None and self._is_mine(cell) != mine:
                said, true = ("a mine", "safe") if mine else ("safe", "a mine")
                name = self._topology.cell_name(cell)
                return FaultKind.UNSOUND, f"cell {name} is called proved {said}, and it is {true}"
        self.unjudged += 1
        return None
