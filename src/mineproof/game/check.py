"""The soundness check: an agent plays, and every fault is noted with its position.

A fault is a step called proved that is not, or not by the clues it names, a wrong flag that was not
called a guess, an illegal move, an exception, or a game that never ends. A game goes on after a
step that it survives; the check goes on after a game. `certain_cells` decides what is certain. If
that exceeds the budget, the step counts as unjudged, unless the mines themselves refute it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Any

from mineproof.agents.agent import (
    Action,
    Agent,
    AgentFactory,
    AgentWithBegin,
    Answer,
    Decision,
    Guessed,
    LogicAgent,
    Proved,
    cells_to_open,
    first_click_is_safe,
)
from mineproof.agents.catalog import LOGICS
from mineproof.board.layout import Layout
from mineproof.engine.analysis import Premises, Prover, Verdict, check_rules, infer
from mineproof.engine.enumerate import prove_by_enumeration
from mineproof.engine.exact import analyze, chance_of_any_mine, prove_by_counting
from mineproof.errors import (
    AgentTimeout,
    BudgetExceeded,
    InconsistentPosition,
    InputError,
    MissingLibrary,
    RulesError,
)
from mineproof.game.annotate import AgentWrapper, ProvedClaim, proved_claim, with_premises
from mineproof.game.luck import LuckTest, luck_of, risks_of
from mineproof.game.narration import MoveKind, dealt_layout, kind_of, premise_texts
from mineproof.game.play import play_game
from mineproof.game.referee import Referee, Termination
from mineproof.game.transcript import Transcript
from mineproof.proofs.checker import premises_force
from mineproof.proofs.witness import layout_with
from mineproof.rng import Stream
from mineproof.rules import Mines
from mineproof.sandbox.wire import OutputCapture, PrintedText
from mineproof.text import join_words, many, percent
from mineproof.view.channels import Mark
from mineproof.view.setting import AnyBoard, AnyRules, Setting
from mineproof.view.view import View

# ----------------------------------------------------------------------------
# The faults of an agent, and the report of a check: what was wrong, where, and what refutes it.

MOST_LISTED = 20
"""The most faults in the table for people."""
_MOST_BOARD = 24
_MOST_WIDE = 80


class FaultKind(Enum):
    """What is wrong with a step."""

    UNSOUND = "unsound"
    """It was called proved, and another layout fits what the player saw."""
    UNFOUNDED = "unfounded"
    """It is certain, but not by the clues that it names."""
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
    """A fault of an agent: which game, which step, what it did, and what it saw.

    `cell` is the cell that it took for a mine, or for safe, and `mine` which of the two; None where
    the fault is not about a cell. `risk` is the exact chance that what the step calls proved is
    false, where that was not too costly. `premises` are those it names, where they do not prove it.
    `printed` is what the agent printed at that step.
    """

    kind: FaultKind
    message: str
    game: Transcript
    step: int
    position: str
    cell: int | None = None
    mine: bool | None = None
    risk: float | None = None
    premises: Premises | None = None
    printed: PrintedText = field(default_factory=PrintedText)

    @property
    def move(self) -> str:
        """The step as the transcript writes it; empty where the move was not made."""
        steps = self.game.steps
        return (
            self.game.step_text(self.step, steps[self.step - 1]) if self.step <= len(steps) else ""
        )

    @property
    def place(self) -> str:
        """Which step of which game."""
        game = self.game
        return f"step {self.step} of {game.board} seed {game.seed} game {game.index}"

    @property
    def text(self) -> str:
        """For people: what and where, the position, and a layout that refutes it."""
        lines = [f"{self.kind.value} at {self.place}: {self.message}"]
        if self.move:
            lines.append(self.move)
        if self.printed:
            lines += ["it printed at that step:", *self.printed.first(MOST_LISTED).marked_lines]
        lines += ["the position it saw:", self.position.rstrip("\n")]
        if self.refutation is not None and self.cell is not None:
            what = "safe" if self.mine else "a mine"
            name = self.game.topology.cell_name(self.cell)
            fits = "it" if self.premises is None else "the clues it names"
            lines.append(f"a layout that fits {fits}, with {name} {what} (* is a mine):")
            lines += self._layout_rows(self.refutation)
        return "\n".join(lines)

    @property
    def in_short(self) -> str:
        """The move in a few words; where none was made, what was said instead."""
        if self.step > len(self.game.steps):
            return self.message
        decision = self.game.steps[self.step - 1].decision
        cell = decision.cell
        name = "" if cell is None else f" {self.game.topology.cell_name(cell)}"
        risk = "" if self.risk is None else f", a {percent(self.risk)} chance to be false"
        return f"{decision.action.value}{name}{risk}"

    @cached_property
    def refutation(self) -> Layout | None:
        """A layout that fits all that the agent saw, or the clues that it names, with the cell the
        other way round.
        """
        if self.cell is None:
            return None
        view = View.parse(self.position)
        if self.premises is not None:
            view = _premises_alone(view, self.premises)
        try:
            mines = layout_with(view, self.cell, not self.mine)
            return Layout.of(self.game.topology, mines)
        except (BudgetExceeded, InconsistentPosition):
            # Too costly to search for: the mines that were dealt may still refute the step.
            layout = dealt_layout(self.game)
            return None if layout is None or layout.is_mine(self.cell) == self.mine else layout

    def _layout_rows(self, layout: Layout) -> list[str]:
        """The rows of the position with the mines of a layout."""
        view = View.parse(self.position).with_flags(())
        hidden = [cell for cell in layout.cells if view.is_hidden(cell)]
        return view.reveal(dict.fromkeys(hidden, Mark.MINE)).text.rstrip("\n").split("\n")[1:]

    def to_json(self) -> dict[str, Any]:
        """One of the faults that `check --json` prints."""
        game, refutation = self.game, self.refutation

        def place(cell: int) -> list[int]:
            return list(game.topology.coordinates(cell))

        return {
            "kind": self.kind.value,
            "message": self.message,
            "board": game.board,
            "rules": game.rules.text,
            "seed": game.seed,
            "index": game.index,
            "step": self.step,
            "move": self.move,
            "position": self.position,
            "cell": None if self.cell is None else place(self.cell),
            "risk": self.risk,
            "refutation": None if refutation is None else [place(c) for c in refutation.cells],
            "printed": list(self.printed.lines),
        }


@dataclass(frozen=True)
class PrintedStep:
    """What an agent printed at a step of a game."""

    board: str
    seed: int
    index: int
    step: int
    printed: PrintedText

    @property
    def text(self) -> str:
        where = f"{self.board} seed {self.seed} game {self.index} step {self.step}:"
        return "\n".join([where, *self.printed.marked_lines])

    def to_json(self) -> dict[str, Any]:
        return {
            "board": self.board,
            "seed": self.seed,
            "index": self.index,
            "step": self.step,
            "lines": list(self.printed.lines),
            "left_out_bytes": self.printed.left_out,
        }


@dataclass(frozen=True)
class SoundnessReport:
    """What a check found. `faults` are all of them, in the order of the games and their steps.

    Of the steps called proved, `judged` were confirmed and `unjudged` were too costly to judge.
    `heard` is the beginning of what the agent printed, and `unheard` counts the steps after it that
    printed something. `note` says why not all games were played. `risks` are those of the cells
    that it opened, negative where it met a mine.
    """

    agent: str
    games: int
    won: int
    steps: int
    judged: int
    unjudged: int
    faults: tuple[Fault, ...] = ()
    heard: tuple[PrintedStep, ...] = ()
    unheard: int = 0
    note: str = ""
    lost_by_guess: int = 0
    """The lost games whose last step opened a mine and was called a guess."""
    risks: tuple[float, ...] = ()
    thoroughness: Thoroughness | None = None

    @property
    def luck(self) -> LuckTest:
        """The luck test: whether the agent knows more than it was shown."""
        return luck_of(self.risks)

    @property
    def passed(self) -> bool:
        return not self.faults

    @property
    def fault(self) -> Fault | None:
        """The first fault; None where nothing was wrong."""
        return self.faults[0] if self.faults else None

    @property
    def text(self) -> str:
        """For people: the figures, the faults in a table, the first of them in full."""
        line = (
            f"{self.agent}: {self.games} games, {self.won} won, {self.steps} steps,"
            f" {many(self.judged, 'proof')} confirmed"
        )
        if self.unjudged:
            line += f", {self.unjudged} too costly to judge"
        lines = [f"{line}; {many(len(self.faults), 'fault') if self.faults else 'no fault'}"]
        if self.lost_by_guess:
            lost = self.games - self.won
            share = "all" if self.lost_by_guess == lost else f"{self.lost_by_guess} of"
            lines.append(f"lost games that ended at a guess: {share} {lost}")
        if self.thoroughness is not None and (found := self.thoroughness.lines):
            if not self.judged and not self.unjudged:
                lines.append("it calls nothing proved, so it is judged by what it opens")
            lines += found
        if self.note:
            lines.append(self.note)
        if (luck := self.luck).implausible:
            lines.append(f"it {luck.text}")
        if len(self.faults) > 1:
            lines += _fault_table(self.faults[:MOST_LISTED])
            if (more := len(self.faults) - MOST_LISTED) > 0:
                lines.append(f"and {many(more, 'more fault')}")
            lines += ["", "the first fault:"]
        if self.fault is not None:
            lines.append(self.fault.text)
        return "\n".join(lines)

    @property
    def heard_text(self) -> str:
        """The beginning of what the agent printed; empty if it printed nothing."""
        lines = [one.text for one in self.heard]
        if self.unheard:
            lines.append(f"and {many(self.unheard, 'more step')} that printed something")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The object that `check --json` prints."""
        faults = [fault.to_json() for fault in self.faults]
        said: dict[str, Any] = {
            "agent": self.agent,
            "passed": self.passed,
            "games": self.games,
            "won": self.won,
            "lost_by_guess": self.lost_by_guess,
            "steps": self.steps,
            "judged": self.judged,
            "unjudged": self.unjudged,
            "note": self.note,
            "luck": self.luck.to_json(),
            "thoroughness": None if self.thoroughness is None else self.thoroughness.to_json(),
            "fault": faults[0] if faults else None,
            "faults": faults,
        }
        if self.heard:
            said["printed"] = [one.to_json() for one in self.heard]
        return said


# ----------------------------------------------------------------------------
# How much an agent finds, whatever it claims: what it opens where a cell was certainly safe.

COMPARED_LOGICS = ("single-point", "partition", "gauss", "resolution", "reductio", "sat", "exact")
"""The logics that are asked about the same positions, the weakest first."""
_MOST_POSITIONS = 100
_MOST_CELLS = 20_000
"""Positions that the logics are asked about, and cells in all of them: it must not take long."""


@dataclass(frozen=True)
class Thoroughness:
    """What an agent opened, beside what was certain. Nothing is asked before the first clue.

    In `turns` turns some cell was certainly safe, and in `found` of them it opened one. Of its
    `guesses`, moves that opened what was not certain, `unneeded` were made in such turns. `mines`
    of its moves opened a certain mine. `positions` are some of those turns' views.
    """

    turns: int = 0
    found: int = 0
    guesses: int = 0
    unneeded: int = 0
    mines: int = 0
    unjudged: int = 0
    positions: tuple[View, ...] = field(default=(), repr=False)

    def after(self, view: View, decision: Decision) -> Thoroughness:
        """The figures with one more move."""
        cells = cells_to_open(view, decision)
        if not cells or not view.opened_count:
            return self
        try:
            analysis = analyze(view)
        except (BudgetExceeded, InconsistentPosition):
            return replace(self, unjudged=self.unjudged + 1)
        safe, chances = analysis.safe, [analysis.p[cell] for cell in cells]
        found, mine = set(safe).issuperset(cells), 1.0 in chances
        guessed, asked = not found and not mine, self.positions
        room = len(asked) < _MOST_POSITIONS and (len(asked) + 1) * len(view) <= _MOST_CELLS
        return replace(
            self,
            turns=self.turns + bool(safe),
            found=self.found + found,
            guesses=self.guesses + guessed,
            unneeded=self.unneeded + (guessed and bool(safe)),
            mines=self.mines + mine,
            positions=(*asked, view) if safe and room else asked,
        )

    @cached_property
    def logics(self) -> dict[str, int]:
        """In how many of `positions` each logic proves a safe cell; one that needs a library that
        is not installed is left out.
        """
        found = {}
        for name in COMPARED_LOGICS:
            logic = LOGICS[name].make()
            with suppress(MissingLibrary):
                found[name] = sum(bool(infer(logic, view).safe) for view in self.positions)
        return found

    @property
    def lines(self) -> list[str]:
        """For people."""
        if not self.turns and not self.guesses and not self.mines:
            return []
        said = f" ({percent(self.found / self.turns)})" if self.turns else ""
        lines = [
            f"turns with a certainly safe cell: {self.turns}; it opened one in {self.found}{said}",
            f"guesses that were not needed: {self.unneeded} of {self.guesses}",
            f"certain mines opened: {self.mines}",
        ]
        if self.unjudged:
            lines.append(f"turns too costly to judge: {self.unjudged}")
        if self.positions:
            shares = (
                f"{name} {percent(found / len(self.positions))}"
                for name, found in self.logics.items()
            )
            which = (
                "these" if len(self.positions) == self.turns else f"{len(self.positions)} of these"
            )
            lines.append(f"in {which} turns a logic proves a safe cell: {', '.join(shares)}")
        return lines

    def to_json(self) -> dict[str, Any]:
        """What `check --json` prints of it."""
        return {
            "turns": self.turns,
            "found": self.found,
            "guesses": self.guesses,
            "unneeded": self.unneeded,
            "certain_mines": self.mines,
            "unjudged": self.unjudged,
            "positions": len(self.positions),
            "logics": self.logics,
        }


def _premises_alone(view: View, premises: Premises) -> View:
    """The position with nothing shown but these premises, opened mines and the flags, as mines."""
    rules, codes = view.rules, view.codes().copy()
    if not premises.total and (total := view.total) is not None:
        rules = replace(
            rules, mines=Mines.independent(Fraction(total, len(view))), total_known=False
        )
    for cell in view.opened:
        if cell not in premises.clues and view[cell] is not Mark.MINE:
            codes[cell] = Mark.BLANK.value
    codes[list(view.flags)] = Mark.MINE.value
    return View.of_codes(view.topology, rules, codes, free=set(view.free) & set(premises.clues))


def _fault_table(faults: Sequence[Fault]) -> list[str]:
    rows: list[tuple[str, ...]] = [("kind", "board", "seed", "game", "step", "move")]
    for fault in faults:
        game, board = fault.game, _cut(fault.game.board, _MOST_BOARD)
        numbers = map(str, (game.seed, game.index, fault.step))
        rows.append((fault.kind.value, board, *numbers, fault.in_short))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            text.rjust(width) if 2 <= column <= 4 else text.ljust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return [_cut(line.rstrip(), _MOST_WIDE) for line in lines]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


# ----------------------------------------------------------------------------
# Judging what an agent calls proved: is it certain, and if not, how likely is it false?
#
# `certain`, any prover that finds every certain cell, decides what is certain. By default small
# positions are enumerated and the others counted by the exact engine.

MOST_LAYOUTS = 2_000
"""Up to this many layouts are enumerated."""


def certain_cells(view: View) -> Verdict:
    """Every certain cell: by enumeration where that is quick, by the exact engine elsewhere."""
    hidden = view.hidden_count
    if view.total is None:
        layouts = 2**hidden
    else:
        layouts = comb(hidden, max(view.total - len(view.opened_mines), 0))
    return prove_by_enumeration(view) if layouts <= MOST_LAYOUTS else prove_by_counting(view)


def chance_false(view: View, claim: ProvedClaim) -> float:
    """The exact chance that a claim is false. Raises BudgetExceeded."""
    analysis = analyze(view)
    return (
        1.0 - analysis.p[claim.cells[0]]
        if claim.mine
        else chance_of_any_mine(analysis, claim.cells)
    )


class CertaintyTracker:
    """The claims of one game, in order.

    What was certain once stays certain, so `certain` is asked only about cells not known yet.
    `dealt` says that the mines are dealt at the first click, so that its rule holds.
    """

    def __init__(self, certain: Prover = certain_cells, *, dealt: bool = True) -> None:
        self._certain = certain
        self._dealt = dealt
        self._safe: set[int] = set()
        self._mines: set[int] = set()

    def doubtful(self, view: View, claim: ProvedClaim) -> tuple[int, ...]:
        """The cells of a claim that are not certain.

        Raises BudgetExceeded or InconsistentPosition where that cannot be told.
        """
        known = self._mines if claim.mine else self._safe
        promised = self._dealt and not claim.mine and first_click_is_safe(view)
        if promised or known.issuperset(claim.cells):
            return ()
        verdict = self._certain(view)
        self._safe.update(verdict.safe)
        self._mines.update(verdict.mines)
        return tuple(cell for cell in claim.cells if cell not in known)

    def unfounded(self, view: View, claim: ProvedClaim, premises: Premises) -> tuple[int, ...]:
        """The cells of a claim that the clues it names do not prove; none where it names none.

        Flags on certain mines count as known. What is too costly to tell counts as proved.
        """
        if not premises.clues:
            return ()
        clues, total = premises.clues, premises.total
        flags = [cell for cell in view.flags if cell in self._mines]
        with suppress(BudgetExceeded):
            return tuple(
                cell
                for cell in claim.cells
                if not premises_force(view, clues, total, cell, claim.mine, flags)
            )
        return ()


class SoundnessMonitor(AgentWrapper):
    """Judges at once every move that the agent calls proved.

    `unsound` holds, by the number of the move, the exact chance that a claim is false, of those
    claims that are not certain. A claim that is too costly to judge is not among them. `unfounded`
    are the moves that are certain, but not by the clues they name.
    """

    def __init__(
        self, agent: Agent, certain: Prover = certain_cells, *, dealt: bool = True
    ) -> None:
        super().__init__(agent)
        self.unsound: dict[int, float] = {}
        self.unfounded: set[int] = set()
        self._certain = certain
        self._dealt = dealt
        self._certainty = CertaintyTracker(certain, dealt=dealt)

    def begin(self, view: View, rng: Stream) -> None:
        self.unsound.clear()
        self.unfounded.clear()
        self._certainty = CertaintyTracker(self._certain, dealt=self._dealt)
        super().begin(view, rng)

    def annotate(self, view: View, decision: Decision) -> Decision:
        claim, reason = proved_claim(view, decision), decision.reason
        with suppress(BudgetExceeded, InconsistentPosition):
            if claim is not None and self._certainty.doubtful(view, claim):
                self.unsound[self.move_number] = chance_false(view, claim)
            elif (
                claim is not None
                and isinstance(reason, Proved)
                and self._certainty.unfounded(view, claim, reason.premises)
            ):
                self.unfounded.add(self.move_number)
        return decision


# -- The check: games of an agent, watched and judged step by step -------------

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
    boards: Sequence[AnyBoard] = SMALL_BOARDS,
    games: int = 20,
    seed: int = 0,
    rules: AnyRules | None = None,
    certain: Prover = certain_cells,
    watch: Callable[[SoundnessReport], None] | None = None,
    thorough: bool = False,
) -> SoundnessReport:
    """Play `games` games on each board with a fresh agent each, and note every fault.

    With `thorough` every move is also compared with what was certain, whatever the agent claims.
    An agent that times out, or fails before its first step, in three games plays no more. `watch`
    is called after each game with the report so far. Raises InputError for boards or rules that
    cannot be played; whatever the agent does is reported, never raised.
    """
    if games < 1:
        raise InputError(f"{games} games; accepted: 1 and more")
    tally, dead = SoundnessReport(name, 0, 0, 0, 0, 0), 0
    if thorough:
        tally = replace(tally, thoroughness=Thoroughness())
    settings = [Setting.of(text, rules) for text in boards]
    for setting in settings:
        for index in range(games):
            before = len(tally.faults)
            tally = _check_game(setting, make, seed, index, certain, tally)
            # A time-out, or a fault before the first step: the agent hangs, or cannot begin.
            dead += any(
                fault.kind is FaultKind.TIME_OUT or not fault.game.steps
                for fault in tally.faults[before:]
            )
            if dead == _MOST_DEAD and (left := games * len(settings) - tally.games):
                why = f"stopped: {dead} games timed out or failed at once"
                tally = replace(tally, note=f"{why}; {many(left, 'game')} left out")
            if watch is not None:
                watch(tally)
            if tally.note:
                return tally
    return tally


def _check_game(
    setting: Setting,
    make: AgentFactory,
    seed: int,
    index: int,
    certain: Prover,
    tally: SoundnessReport,
) -> SoundnessReport:
    watched = _RecordedAgent(make, setting)
    referees: list[Referee] = []

    def keep(referee: Referee, decision: Decision | None) -> None:
        if decision is None:
            referees.append(referee)

    game = play_game(setting, watched, tally.agent, seed, index, watch=keep)
    if watched.refusal is not None:
        raise watched.refusal
    # Asked after the game: a failure ends it without another call of the watcher.
    layout = referees[0].layout
    judge = _StepJudge(game, layout, certain)
    faults = tuple(
        replace(fault, printed=watched.printed_at(fault.step))
        for fault in _faults(game, watched, judge)
    )
    exploded = game.outcome.termination is Termination.EXPLODED
    lost_by_guess = exploded and kind_of(game.steps[-1].decision) is MoveKind.GUESSED
    seen = list(zip(watched.seen, (step.decision for step in game.steps), strict=False))
    thoroughness = tally.thoroughness
    if thoroughness is not None:
        for view, decision in seen:
            thoroughness = thoroughness.after(view, decision)
    return _with_printed(
        replace(
            tally,
            games=tally.games + 1,
            won=tally.won + game.outcome.won,
            lost_by_guess=tally.lost_by_guess + lost_by_guess,
            steps=tally.steps + len(game.steps),
            judged=tally.judged + judge.judged,
            unjudged=tally.unjudged + judge.unjudged,
            faults=tally.faults + faults,
            risks=(*tally.risks, *risks_of(setting, seen, layout)),
            thoroughness=thoroughness,
        ),
        game,
        watched.printed,
    )


def _faults(game: Transcript, watched: _RecordedAgent, judge: _StepJudge) -> Iterator[Fault]:
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


def _with_printed(
    tally: SoundnessReport, game: Transcript, printed: dict[int, PrintedText]
) -> SoundnessReport:
    """The report with the beginning of what was printed."""
    heard, unheard = list(tally.heard), tally.unheard
    room = _MOST_HEARD - sum(len(one.printed.lines) for one in heard)
    for step, said in printed.items():
        if room > 0:
            heard.append(PrintedStep(game.board, game.seed, game.index, step, said.first(room)))
            room -= len(said.lines)
        else:
            unheard += 1
    return replace(tally, heard=tuple(heard), unheard=unheard)


class _RecordedAgent:
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
        agent = self._make()
        # A logic's reasons are judged as they are shown.
        self._agent = with_premises(agent) if isinstance(agent, LogicAgent) else agent
        try:
            check_rules(self._agent, self._setting.rules, len(view))
        except RulesError as refusal:
            self.refusal = refusal
            raise
        if isinstance(self._agent, AgentWithBegin):
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
    def printed(self) -> dict[int, PrintedText]:
        """What the agent printed in this game, by step, where somebody listened."""
        listener = getattr(self._agent, "listener", None)
        return listener.steps if isinstance(listener, OutputCapture) else {}

    def printed_at(self, step: int) -> PrintedText:
        """What it printed at a step; at the first also what it printed before that."""
        printed = self.printed.get(step, PrintedText())
        return self.printed.get(0, PrintedText()) + printed if step == 1 else printed


class _StepJudge:
    """Judges the steps of one game in order."""

    def __init__(self, game: Transcript, layout: Layout | None, certain: Prover) -> None:
        self.judged = self.unjudged = 0
        self._game = game
        self._layout = layout
        self._certainty = CertaintyTracker(certain, dealt=game.layout is None)

    def fault(self, view: View, decision: Decision, number: int) -> Fault | None:
        """What is wrong with a decision made on a view, or None."""
        claim = proved_claim(view, decision)
        if claim is not None and isinstance(decision.reason, Proved):
            return self._unsound(view, claim, decision.reason.premises, number)
        cell = decision.cell
        if decision.action is Action.FLAG and cell is not None:
            guessed = isinstance(decision.reason, Guessed)
            if not guessed and self._is_mine(cell) is False:
                said = f"cell {self._name(cell)} is flagged and safe"
                return self._about(FaultKind.WRONG_FLAG, said, view, number, cell, mine=True)
        return None

    def _unsound(
        self, view: View, claim: ProvedClaim, premises: Premises, number: int
    ) -> Fault | None:
        try:
            doubtful = self._certainty.doubtful(view, claim)
        except (BudgetExceeded, InconsistentPosition):
            return self._fault_by_mines(view, claim, number)
        if not doubtful:
            return self._unfounded(view, claim, premises, number)
        cell, other = doubtful[0], _other(claim)
        said, risk = "not", None
        # Whoever calls a cell uncertain that the engine finds certain gets no chance with it.
        with suppress(BudgetExceeded, InconsistentPosition):
            if chance := chance_false(view, ProvedClaim((cell,), claim.mine)):
                said = (
                    f"certainly {other}"
                    if chance == 1.0
                    else f"{other} with a chance of {percent(chance)}"
                )
                risk = chance_false(view, claim)
        said = f"cell {self._name(cell)} is called proved {claim.word}, and it is {said}"
        return self._about(FaultKind.UNSOUND, said, view, number, cell, mine=claim.mine, risk=risk)

    def _unfounded(
        self, view: View, claim: ProvedClaim, premises: Premises, number: int
    ) -> Fault | None:
        """A claim that is certain: a fault only where the clues it names do not prove it."""
        unfounded = self._certainty.unfounded(view, claim, premises)
        if not unfounded:
            self.judged += 1
            return None
        cell, named = unfounded[0], join_words(premise_texts(premises, view))
        said = f"cell {self._name(cell)} is {claim.word}, but not by the premises named: {named}"
        fault = self._about(FaultKind.UNFOUNDED, said, view, number, cell, mine=claim.mine)
        return replace(fault, premises=premises)

    def _fault_by_mines(self, view: View, claim: ProvedClaim, number: int) -> Fault | None:
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


def _other(claim: ProvedClaim) -> str:
    """The state of the cells where a claim is false."""
    return "safe" if claim.mine else "a mine"
