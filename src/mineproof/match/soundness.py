"""The soundness check: an agent plays, and every fault is noted with its position.

A fault is a step called proved that is not, a wrong flag that was not called a guess, an illegal
move, an exception, or a game that never ends. A game goes on after a step that it survives; the
check goes on after a game. `certain` (see `match/certainty.py`) decides what is certain. If that
exceeds the budget, the step counts as unjudged, unless the mines themselves refute it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from mineproof.agents.agent import Agent, AgentFactory, Answer, Beginner
from mineproof.agents.decision import Action, Decision, Guessed
from mineproof.board.layout import Layout
from mineproof.errors import (
    AgentTimeout,
    BudgetExceeded,
    InconsistentPosition,
    InputError,
    RulesError,
)
from mineproof.inference.verdict import check_rules
from mineproof.match.certainty import (
    CalledProved,
    Certain,
    Certainty,
    called_proved,
    certain_cells,
    chance_false,
)
from mineproof.match.check_report import Fault, FaultKind, Heard, Report
from mineproof.match.game import play_game
from mineproof.match.luck import risks_of
from mineproof.match.narration import many
from mineproof.match.outcome import Termination
from mineproof.match.printed import Listener, Printed
from mineproof.match.referee import Referee
from mineproof.match.step_kinds import MoveKind, kind_of
from mineproof.match.transcript import Transcript
from mineproof.percentages import percent
from mineproof.rng import Stream
from mineproof.view.setting import AnyRules, Setting
from mineproof.view.view import View

__all__ = ["SMALL_BOARDS", "Certain", "Fault", "FaultKind", "Report", "certain_cells", "check"]

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

_MOST_DEAD = 3
"""Games that time out, or fail before their first step, after which the check ends."""
_MOST_HEARD = 10
"""Lines of an agent that a report repeats."""


def check(
    make: AgentFactory,
    *,
    name: str = "agent",
    boards: Sequence[str] = SMALL_BOARDS,
    games: int = 20,
    seed: int = 0,
    rules: AnyRules | None = None,
    certain: Certain = certain_cells,
    watch: Callable[[Report], None] | None = None,
) -> Report:
    """Play `games` games on each board with a fresh agent each, and note every fault.

    An agent that times out, or fails before its first step, in three games plays no more. `watch`
    is called after each game with the report so far. Raises InputError for boards or rules that
    cannot be played; whatever the agent does is reported, never raised.
    """
    if games < 1:
        raise InputError(f"{games} games; accepted: 1 and more")
    tally, dead = Report(name, 0, 0, 0, 0, 0), 0
    settings = [Setting.of(text, rules) for text in boards]
    for setting in settings:
        for index in range(games):
            before = len(tally.faults)
            tally = _check_game(setting, make, seed, index, certain, tally)
            dead += any(_dead(fault) for fault in tally.faults[before:])
            if dead == _MOST_DEAD and (left := games * len(settings) - tally.games):
                why = f"stopped: {dead} games timed out or failed at once"
                tally = replace(tally, note=f"{why}; {many(left, 'game')} left out")
            if watch is not None:
                watch(tally)
            if tally.note:
                return tally
    return tally


def _dead(fault: Fault) -> bool:
    """Whether a game taught nothing but that the agent hangs, or cannot begin."""
    return fault.kind is FaultKind.TIME_OUT or not fault.game.steps


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
    faults = tuple(
        replace(fault, printed=watched.printed_at(fault.step))
        for fault in _faults(game, watched, judge)
    )
    return _with_heard(
        replace(
            tally,
            games=tally.games + 1,
            won=tally.won + game.outcome.won,
            lost_by_guess=tally.lost_by_guess + _lost_by_guess(game),
            steps=tally.steps + len(game.steps),
            judged=tally.judged + judge.judged,
            unjudged=tally.unjudged + judge.unjudged,
            faults=tally.faults + faults,
            risks=tally.risks + _risks(setting, watched, game, referees[0].layout),
        ),
        game,
        watched.printed,
    )


def _lost_by_guess(game: Transcript) -> bool:
    """Whether the game was lost at a step that was called a guess."""
    exploded = game.outcome.termination is Termination.EXPLODED
    return exploded and kind_of(game.steps[-1].decision) is MoveKind.GUESSED


def _risks(
    setting: Setting, watched: _Watched, game: Transcript, layout: Layout | None
) -> tuple[float, ...]:
    """The risks of a game's moves, for the luck test."""
    decisions = (step.decision for step in game.steps)
    return tuple(risks_of(setting, list(zip(watched.seen, decisions, strict=False)), layout))


def _faults(game: Transcript, watched: _Watched, judge: _Judge) -> Iterator[Fault]:
    """The faults of a game, in the order of its steps."""
    found = [
        fault
        for number, (view, step) in enumerate(zip(watched.seen, game.steps, strict=False), 1)
        if (fault := judge.fault(view, step.decision, number)) is not None
    ]
    marked = game.with_unsound({one.step: one.risk for one in found if one.risk is not None})
    yield from (replace(fault, game=marked) for fault in found)
    if game.outcome.termination is Termination.FAILED:
        kind = FaultKind.RAISED if watched.raised else FaultKind.ILLEGAL
        if watched.late:
            kind = FaultKind.TIME_OUT
        position = watched.seen[-1].text if watched.seen else next(game.views()).text
        yield Fault(kind, game.outcome.note, marked, len(game.steps) + 1, position)


def _with_heard(tally: Report, game: Transcript, printed: dict[int, Printed]) -> Report:
    """The report with the beginning of what was printed."""
    heard, unheard = list(tally.heard), tally.unheard
    room = _MOST_HEARD - sum(len(one.printed.lines) for one in heard)
    for step, said in printed.items():
        if room > 0:
            heard.append(Heard(game.board, game.seed, game.index, step, said.first(room)))
            room -= len(said.lines)
        else:
            unheard += 1
    return replace(tally, heard=tuple(heard), unheard=unheard)


class _Watched:
    """An agent with a record of its views, and of whether it raised or was late."""

    def __init__(self, make: AgentFactory, setting: Setting) -> None:
        self.seen: list[View] = []
        self.refusal: RulesError | None = None
        self.raised = False
        self.late = False
        self._make = make
        self._setting = setting
        self._agent: Agent | None = None

    def begin(self, view: View, rng: Stream) -> None:
        self.raised = True
        self._agent = self._make()
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
        assert self._agent is not None, "a game begins before its first move"
        self.seen.append(view)
        self.raised = True
        try:
            answer = self._agent.act(view)
        except AgentTimeout:
            self.late = True
            raise
        self.raised = False
        return answer

    @property
    def printed(self) -> dict[int, Printed]:
        """What the agent printed in this game, by step, where somebody listened."""
        listener = getattr(self._agent, "listener", None)
        return listener.steps if isinstance(listener, Listener) else {}

    def printed_at(self, step: int) -> Printed:
        """What it printed at a step; at the first also what it printed before that."""
        printed = self.printed.get(step, Printed())
        return self.printed.get(0, Printed()) + printed if step == 1 else printed


class _Judge:
    """Judges the steps of one game in order."""

    def __init__(self, game: Transcript, layout: Layout | None, certain: Certain) -> None:
        self.judged = self.unjudged = 0
        self._game = game
        self._layout = layout
        self._certainty = Certainty(certain, dealt=game.layout is None)

    def fault(self, view: View, decision: Decision, number: int) -> Fault | None:
        """What is wrong with a decision made on a view, or None."""
        claim = called_proved(view, decision)
        if claim is not None:
            return self._unsound(view, claim, number)
        cell = decision.cell
        if decision.action is Action.FLAG and cell is not None:
            guessed = isinstance(decision.reason, Guessed)
            if not guessed and self._is_mine(cell) is False:
                said = f"cell {self._name(cell)} is flagged and safe"
                return self._about(FaultKind.WRONG_FLAG, said, view, number, cell, mine=True)
        return None

    def _unsound(self, view: View, claim: CalledProved, number: int) -> Fault | None:
        try:
            doubtful = self._certainty.doubtful(view, claim)
        except (BudgetExceeded, InconsistentPosition):
            return self._refuted(view, claim, number)
        if not doubtful:
            self.judged += 1
            return None
        cell = doubtful[0]
        said, risk = "not", None
        # Whoever calls a cell uncertain that the engine finds certain gets no chance with it.
        with suppress(BudgetExceeded, InconsistentPosition):
            if chance := chance_false(view, CalledProved((cell,), claim.mine)):
                said, risk = _with_chance(_other(claim), chance), chance_false(view, claim)
        said = f"cell {self._name(cell)} is called proved {claim.word}, and it is {said}"
        return self._about(FaultKind.UNSOUND, said, view, number, cell, mine=claim.mine, risk=risk)

    def _refuted(self, view: View, claim: CalledProved, number: int) -> Fault | None:
        """A claim that is too costly to judge: a fault only where the mines refute it."""
        for cell in claim.cells:
            if self._is_mine(cell) is not None and self._is_mine(cell) != claim.mine:
                name = self._name(cell)
                said = f"cell {name} is called proved {claim.word}, and it is {_other(claim)}"
                return self._about(FaultKind.UNSOUND, said, view, number, cell, mine=claim.mine)
        self.unjudged += 1
        return None

    def _about(
        self,
        kind: FaultKind,
        said: str,
        view: View,
        number: int,
        cell: int,
        *,
        mine: bool,
        risk: float | None = None,
    ) -> Fault:
        return Fault(kind, said, self._game, number, view.text, cell, mine, risk)

    def _is_mine(self, cell: int) -> bool | None:
        return None if self._layout is None else self._layout.is_mine(cell)

    def _name(self, cell: int) -> str:
        return self._game.topology.cell_name(cell)


def _with_chance(what: str, chance: float) -> str:
    return f"certainly {what}" if chance == 1.0 else f"{what} with {percent(chance)}"


def _other(claim: CalledProved) -> str:
    """What the cells are where a claim is false."""
    return "safe" if claim.mine else "a mine"
