"""A game of the coach: the referee behind it, its moves, undo, and what the player may know of it.

The layout, and a seed that the player did not choose (it decides the layout), are revealed only
once the game is over. A game that this server does not know can be resumed from its setting, its
seed and its moves, which the page keeps.
"""

from __future__ import annotations

import math
import re
import secrets
import threading
import time
from base64 import b64decode
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from math import ceil
from threading import Semaphore
from typing import Any, Generic, TypeVar

from mineproof import kernel
from mineproof.advice.adviser import obstacle
from mineproof.advice.game_review import Effort, Judgement, MoveVerdict, judge, review
from mineproof.agents.agent import Action, Decision
from mineproof.board.layout import Layout, measure
from mineproof.board.presets import Board
from mineproof.engine.analysis import Budget
from mineproof.errors import BoardError, BudgetExceeded, IllegalMove, quoted
from mineproof.game.fairness import guess_text
from mineproof.game.referee import Referee
from mineproof.generation.certificate import GenerationMethod, NoGuessBoard, StartPosition, to_line
from mineproof.generation.no_guess import (
    DAILY_BOARDS,
    FEW_LAYOUTS,
    DailyStreak,
    daily_seed,
    generate,
)
from mineproof.generation.solvability import certify
from mineproof.replay.rawvf import of_moves
from mineproof.replay.record import Replay
from mineproof.replay.review import ReplayReview, replay_review
from mineproof.replay.statistics import DEFINITIONS
from mineproof.rules import Mines
from mineproof.view.setting import Setting
from mineproof.view.view import View
from mineproof.web.answers import (
    DailyAnswer,
    DailyBoard,
    DailyDay,
    GamePhase,
    GameState,
    GameStatus,
    GuessEntry,
    MovedAnswer,
    MoveJudgement,
    RecordedGame,
    ReviewAnswer,
    ReviewedMove,
    StatisticEntry,
)
from mineproof.web.positions import (
    board_json,
    changed_cells,
    changed_json,
    check_cell,
    mines_left,
    own_copy,
    read_setting,
    view_json,
)
from mineproof.web.requests import CoachLimits, Refusal, TaskWorkers


class Game:
    """One game in memory. Every method may be called from any thread.

    `version` grows with every change, so that late answers can be told from new ones. A game that
    took a move back is `practice`: its mines may have been seen.
    """

    def __init__(
        self,
        name: str,
        setting: Setting,
        seed: int,
        *,
        seed_chosen: bool,
        limits: CoachLimits,
        clock: Callable[[], float],
        kept: SavedMoves | None = None,
        dealing: NoGuessDealer | None = None,
        recorded: Replay | None = None,
    ) -> None:
        self.name, self.board, self._setting = name, setting.board, setting
        self._dealing = dealing
        self.recorded = recorded
        """The recording of another program that it was taken from."""
        self._seed, self._seed_chosen = seed, seed_chosen
        self._limits, self._clock = limits, clock
        self._lock = threading.RLock()
        self._referee = self._new_referee()
        self._moves: list[Decision] = []
        self._changed: list[tuple[int, ...]] = []
        """The cells that each move changed."""
        self._practice = False
        self._version = 0
        self._started: float | None = None
        self._ended: float | None = None
        self.judged: dict[tuple[str, str, int], MoveJudgement | None] = {}
        """Guesses that a worker has judged, by the position before them."""
        if kept is not None:
            self._resume(kept)

    def _resume(self, kept: SavedMoves) -> None:
        """Play the moves of a game that was begun elsewhere. Raises Refusal."""
        for number, move in enumerate(kept.moves, 1):
            assert move.cell is not None
            try:
                self._do(move.action, move.cell)
            except Refusal as error:
                raise Refusal(error.code, f"move {number} of {len(kept.moves)}: {error}") from None
        self._practice = kept.practice
        if self._started is not None:
            self._started = self._clock() - kept.elapsed_ms / 1000
            self._ended = self._clock() if self._referee.over else None

    def _new_referee(self) -> Referee:
        return Referee(self._setting, self._seed, dealing=self._dealing)

    # -- what the player may know ------------------------------------------------------------

    @property
    def lock(self) -> AbstractContextManager[bool]:
        """While it is held, nobody else changes the game."""
        return self._lock

    @property
    def view(self) -> View:
        """The position now, apart from the game: it stays as it is when the game goes on."""
        with self._lock:
            return own_copy(self._referee.view)

    @property
    def no_guess(self) -> bool:
        """Whether the board can be solved from its first cell without a guess."""
        return self._dealing is not None

    @property
    def state(self) -> GamePhase:
        """How far the game is."""
        if self._referee.over:
            return "won" if self._referee.outcome.won else "lost"
        return "running" if self._referee.view.opened_count else "ready"

    def to_json(self) -> GameState:
        """All that the player may know."""
        with self._lock:
            view = self._referee.view
            topology = self.board.topology
            total = self.board.mines.fixed(len(topology)) if view.total is None else view.total
            return {
                "board": board_json(topology, total, self.name),
                "view": view_json(view),
                "moves": [
                    {"action": move.action.value, "cell": move.cell}
                    for move in self._moves
                    if move.cell is not None
                ],
                "no_guess": self.no_guess,
                "guess_rule": self._setting.rules.guesses.value,
                **self._status(),
            }

    def _status(self) -> GameStatus:
        over = self._referee.over
        layout = self._referee.layout
        measures = None if layout is None else measure(layout)
        return {
            "state": self.state,
            "version": self._version,
            "mines_left": mines_left(self._referee.view),
            "elapsed_ms": self._elapsed_ms(),
            "practice": self._practice,
            "undone": self._practice,
            "seed": self._seed if self._seed_chosen or (over and not self._is_laid) else None,
            "layout": None if layout is None else list(layout.cells),
            "measures": None
            if measures is None
            else {
                "3bv": measures.three_bv,
                "openings": measures.openings,
                "islands": measures.islands,
            },
        }

    @property
    def _is_laid(self) -> bool:
        """Whether its mines come from another program, so that no seed deals them again."""
        return self._setting.layout is not None

    def as_replay(self) -> Replay | None:
        """The finished game as a recording; None while it runs, and for boards that none has."""
        with self._lock:
            layout, topology = self._referee.layout, self.board.topology
            if layout is None or topology.name != "square" or topology.blocked:
                return None
            if self._setting.rules.clues != "exact":
                return None
            return of_moves(self._moves, layout, self._elapsed_ms() / 1000)

    @property
    def weight(self) -> int:
        """The room that it takes in memory, in cells."""
        return len(self.board.topology) + (len(self.recorded.events) if self.recorded else 0)

    def _elapsed_ms(self) -> int:
        if self._started is None:
            return 0
        end = self._clock() if self._ended is None else self._ended
        return round(1000 * (end - self._started))

    # -- moves -------------------------------------------------------------------------------

    # `at` is how many moves came before, as the player knows it. A player who got no answer asks
    # again; a move that was made already is then answered as it was, and not made twice.

    def prepare(self, first: int) -> None:
        """Make the board for a first cell, if it is made for that: others may ask meanwhile.

        It can take seconds. Raises BoardError and Refusal.
        """
        check_cell(self.board.topology, first)
        if self._dealing is None:
            return
        with self._lock:
            view = self._referee.view
            begins = not view.opened_count and not view.is_flagged(first)
        if begins:
            self._dealing(first)

    def open(self, cell: int, at: int | None = None) -> MovedAnswer:
        """Open a cell. Raises IllegalMove."""
        return self._do(Action.OPEN, cell, at)

    def chord(self, cell: int, at: int | None = None) -> MovedAnswer:
        """Open the neighbours of a clue that has its flags. Raises IllegalMove."""
        return self._do(Action.CHORD, cell, at)

    def flag(self, cell: int, on: bool | None = None, at: int | None = None) -> MovedAnswer:
        """Set a flag, take it off, or change it where nothing is said. Raises IllegalMove."""
        with self._lock:
            check_cell(self.board.topology, cell)
            asked = [Action.FLAG] * (on is not False) + [Action.UNFLAG] * (on is not True)
            if any(self._is_made(Decision(action, cell), at) for action in asked):
                return self._answer(self._changed[-1])
            flagged = self._referee.view.is_flagged(cell)
            if on is None:
                on = not flagged
            if on is flagged:
                return self._answer(())
            return self._do(Action.FLAG if on else Action.UNFLAG, cell)

    def _is_made(self, move: Decision, at: int | None) -> bool:
        """Whether the move after `at` others is this one, and the last."""
        return at is not None and len(self._moves) == at + 1 and self._moves[-1] == move

    def _answer(self, changed: tuple[int, ...]) -> MovedAnswer:
        """The answer to a move that changed these cells, without an analysis."""
        return {
            "changed": changed_json(self._referee.view, changed),
            "guess": self._guess_json(),
            "analysis": None,
            **self._status(),
        }

    def _guess_json(self) -> GuessEntry | None:
        """What the last opening was, if a rule settled it."""
        guess, rule = self._referee.guess, self._setting.rules.guesses
        last = self._moves[-1].action if self._moves else None
        if guess is None or last not in (Action.OPEN, Action.CHORD):
            return None
        return {"risk": guess.risk, "best": guess.best, "text": guess_text(guess, rule)}

    def _do(self, action: Action, cell: int, at: int | None = None) -> MovedAnswer:
        check_cell(self.board.topology, cell)
        move = Decision(action, cell)
        with self._lock:
            if self._is_made(move, at):
                return self._answer(self._changed[-1])
            most = self._limits.moves(len(self.board.topology))
            if len(self._moves) >= most:
                raise IllegalMove(f"the game has {most} moves already; begin another")
            before = self._referee.view
            try:
                self._referee.apply(move)
            except IllegalMove as error:
                raise Refusal("illegal", str(error), cell=cell) from None
            after = self._referee.view
            changed = changed_cells(before, after, move)
            if changed:
                self._moves.append(move)
                self._changed.append(changed)
                self._version += 1
                self._keep_time()
            return self._answer(changed)

    def undo(self, moves: int = 1, at: int | None = None) -> GameState:
        """Take the last moves back; the game goes on as practice. Raises IllegalMove."""
        with self._lock:
            if at is not None and moves and len(self._moves) == at - moves:
                return self.to_json()  # they were taken back already
            if not 1 <= moves <= len(self._moves):
                raise IllegalMove(
                    f"{moves} moves cannot be taken back; the game has {len(self._moves)}"
                )
            del self._moves[-moves:], self._changed[-moves:]
            self._referee = self._new_referee()
            for move in self._moves:
                self._referee.apply(move)
            self._practice = True
            self._version += 1
            if not self._referee.view.opened_count:
                self._started = None
            elif self._started is not None and self._ended is not None:
                self._started += self._clock() - self._ended  # it stood still meanwhile
            self._ended = None
            return self.to_json()

    def _keep_time(self) -> None:
        if self._started is None and self._referee.view.opened_count:
            self._started = self._clock()
        if self._referee.over and self._ended is None:
            self._ended = self._clock()

    # -- the certificate ---------------------------------------------------------------------

    def certificate(self) -> str:
        """The proof that the board needs no guess, which holds its mines. Raises IllegalMove."""
        if self._dealing is None:
            raise IllegalMove("the board may need a guess; certificates are for games without one")
        with self._lock:
            layout = self._referee.layout if self._referee.over else None
            first = next((move.cell for move in self._moves if move.action is Action.OPEN), None)
        if layout is None or first is None:
            raise IllegalMove("the certificate holds the mines; it is given when the game is over")
        return self._dealing.certificate(first, layout)

    # -- replay ------------------------------------------------------------------------------

    def replay(self) -> Iterator[tuple[View, Decision, View]]:
        """Every move between the view before it and that after it, from a referee of its own."""
        with self._lock:
            moves = tuple(self._moves)
        referee = self._new_referee()
        for move in moves:
            before = referee.view
            referee.apply(move)
            yield before, move, referee.view


# ----------------------------------------------------------------------------
# The moves of a game as its page keeps them, so that a server that forgot the game can resume it.
#
# A letter and the number of a cell for every move: `o12` opens, `f3` flags, `u3` takes the flag
# off, `c12` opens around a clue. Nothing stands between two moves: `o12f3c12`.

_ACTIONS = {"o": Action.OPEN, "f": Action.FLAG, "u": Action.UNFLAG, "c": Action.CHORD}
_MOVE = re.compile(r"([oufc])([0-9]{1,6})", re.ASCII)


@dataclass(frozen=True)
class SavedMoves:
    """The moves so far, how long they took, and whether moves were taken back."""

    moves: tuple[Decision, ...]
    elapsed_ms: int = 0
    practice: bool = False

    @classmethod
    def parse(cls, text: str, most: int, elapsed_ms: int = 0, practice: bool = False) -> SavedMoves:
        """Read the text of at most `most` moves. Raises Refusal."""
        moves: list[Decision] = []
        at = 0
        while at < len(text):
            found = _MOVE.match(text, at)
            if found is None:
                raise Refusal(
                    "malformed",
                    f"move {len(moves) + 1} is {quoted(text[at : at + 12])}; "
                    "accepted: o, f, u or c and the number of a cell, such as o12",
                )
            if len(moves) == most:
                raise Refusal("malformed", f"there are more than {most} moves")
            moves.append(Decision(_ACTIONS[found[1]], int(found[2])))
            at = found.end()
        return cls(tuple(moves), elapsed_ms, practice)


# ----------------------------------------------------------------------------
# Games that need no guess: the board is made at the first click, to be solvable from there.
#
# `generate` with the same board, seed and first cell makes the same board. A search that takes long
# runs in a process that can be ended.

_AT_ONCE = 512
"""Deals tried in this thread: enough for every level, a fraction of a second on flat boards."""
_FLAT = ("square", "torus", "hex", "hexagon", "triangle")
"""Boards whose deals the exact engine judges in little time and memory, whatever the mines."""


def no_guess_setting(
    board: str,
    first_click: str | None,
    clues: str | None,
    limits: CoachLimits,
    guesses: str | None = None,
) -> Setting:
    """What is played without guesses; the first click opens an area unless it is to be only safe.

    Raises InputError for rules under which no board is free of guesses.
    """
    setting = read_setting(board, first_click or "opening", clues, limits, guesses)
    topology = setting.board.topology
    if len(topology) > limits.no_guess_cells:
        raise BoardError(
            f"a board of {len(topology)} cells is too large for a game without guesses; accepted:"
            f" at most {limits.no_guess_cells}"
        )
    # The cell with the fewest neighbours leaves the most room for mines.
    StartPosition.of(setting, int(topology.degrees.argmin()))
    return setting


class NoGuessDealer:
    """Makes the board of one game for its first cell, and remembers the last one it made.

    `slow` limits how many games together make boards that take long, and so hold a thread.
    """

    def __init__(
        self,
        name: str,
        setting: Setting,
        seed: int,
        limits: CoachLimits,
        workers: TaskWorkers,
        slow: Semaphore,
    ) -> None:
        self._name, self._setting, self._seed = name, setting, seed
        self._limits, self._workers, self._slow = limits, workers, slow
        self._last: tuple[int, Layout] | None = None

    def __call__(self, first: int) -> Layout:
        """The layout for a first cell. Raises BoardError and Refusal where none is found."""
        if self._last is None or self._last[0] != first:
            self._last = first, self._make(first)
        return self._last[1]

    def _make(self, first: int) -> Layout:
        if kernel.available() and self._is_quick(first):
            try:
                made = generate(
                    self._setting,
                    first=first,
                    seed=self._seed,
                    method="uniform",
                    most_deals=_AT_ONCE,
                )
                return made[0].layout
            except BudgetExceeded:
                pass
        asked = {**self._task_fields(first), "seed": self._seed}
        seconds = self._limits.no_guess_seconds
        if not self._slow.acquire(blocking=False):
            raise Refusal("busy", "too many boards are made at once; ask again shortly")
        try:
            otherwise = "no board without guesses and with so many mines was found"
            cells = self._workers.ask("no-guess", asked, seconds, otherwise)
        finally:
            self._slow.release()
        return Layout.of(self._setting.board.topology, cells)

    def _is_quick(self, first: int) -> bool:
        """Whether deals are tried without a limit of time: on no board that could need one."""
        beginning = StartPosition.of(self._setting, first)
        return beginning.topology.name in _FLAT and beginning.layouts > FEW_LAYOUTS

    def certificate(self, first: int, layout: Layout) -> str:
        """The certificate of a board that was made, as a line. Raises Refusal past its time."""
        asked = {**self._task_fields(first), "mines": list(layout.cells)}
        seconds = self._limits.certificate_seconds
        line = self._workers.ask("certificate", asked, seconds, "the certificate was not made")
        return str(line)

    def _task_fields(self, first: int) -> dict[str, Any]:
        return {
            "board": self._name,
            "first_click": self._setting.rules.first_click.value,
            "first": first,
        }


def no_guess_mines(asked: Mapping[str, Any]) -> list[int]:
    """The mines of a board without guesses; it may take long, so it runs in a worker."""
    setting = no_guess_setting(asked["board"], asked["first_click"], None, CoachLimits())
    made = generate(setting, first=asked["first"], seed=asked["seed"])
    return list(made[0].layout.cells)


def certificate_json(asked: Mapping[str, Any]) -> str:
    """The certificate of a board, every move with its smallest proof; it runs in a worker."""
    setting = no_guess_setting(asked["board"], asked["first_click"], None, CoachLimits())
    beginning = StartPosition.of(setting, asked["first"])
    layout = Layout.of(beginning.topology, asked["mines"])
    return to_line(certify(NoGuessBoard(beginning, layout, GenerationMethod.UNIFORM, 0, 0)))


# -- The boards of the day, and how many days in a row one of them was won --

_WON = re.compile(r"([a-z]+):([0-9]{8}):([0-9]{1,6}):([0-9]{1,15})", re.ASCII)


def daily_json(now: datetime, won: str) -> DailyAnswer:
    """The boards of today and yesterday, and the streak. Raises Refusal.

    `won` lists the wins that the page has kept, `BOARD:SEED:FIRST:BEGAN` each, with the first cell
    and the time in ms. A win counts if it began on its day at the cell that all begin at.
    """
    today = now.date()
    midnight = datetime.combine(today + timedelta(days=1), datetime.min.time(), now.tzinfo)
    streak = DailyStreak.of(_days_won(won), today)
    return {
        "today": _daily_boards(today),
        "yesterday": _daily_boards(today - timedelta(days=1)),
        "seconds_left": ceil((midnight - now).total_seconds()),
        "streak": streak.days,
        "longest": streak.longest,
    }


def _daily_boards(day: date) -> DailyDay:
    boards: list[DailyBoard] = [
        {"board": name, "seed": daily_seed(day), "start": StartPosition.of(name).first}
        for name in DAILY_BOARDS
    ]
    return {"day": day.isoformat(), "boards": boards}


def _days_won(won: str) -> Iterator[date]:
    starts = {name: StartPosition.of(name).first for name in DAILY_BOARDS}
    for word in won.split():
        found = _WON.fullmatch(word)
        if found is None:
            raise Refusal(
                "malformed",
                f"field won has {quoted(word)}; accepted: BOARD:SEED:FIRST:BEGAN, such as"
                " beginner:20261117:40:1763337600000",
            )
        board, seed, first, began = found[1], found[2], int(found[3]), int(found[4])
        with suppress(ValueError, OverflowError, OSError):
            day = date(int(seed[:4]), int(seed[4:6]), int(seed[6:]))
            if (
                starts.get(board) == first
                and datetime.fromtimestamp(began / 1000, UTC).date() == day
            ):
                yield day


# -- Boards with mines of their own, and recorded games of other programs --


def laid_setting(setting: Setting, layout: str) -> Setting:
    """The setting in which the mines are laid as a code says. Raises InputError."""
    board = setting.board
    laid = Layout.of_code(board.topology, layout)
    if board.mines != Mines.number(laid.total):
        raise BoardError(
            f"the layout has {laid.total} mines and {board.text} has {board.mines.text}"
        )
    return replace(setting, layout=laid)


def recorded_game(
    file: str, name: str, limits: CoachLimits, clock: Callable[[], float] = time.monotonic
) -> Game:
    """The game of a recording, whose bytes come in base64. Raises InputError and Refusal."""
    try:
        data = b64decode(file, validate=True)
    except ValueError:
        raise Refusal("malformed", "field file is not base64") from None
    replay = Replay.parse(data, name)
    if len(replay.events) > limits.events or len(replay.layout.topology) > limits.cells:
        raise Refusal(
            "malformed",
            f"the recording has {len(replay.events)} events and {len(replay.layout.topology)}"
            f" cells; accepted: at most {limits.events} and {limits.cells}",
        )
    told = replay.transcript
    board = Board(told.topology, Mines.number(replay.layout.total))
    moves = tuple(Decision(step.decision.action, step.decision.cell) for step in told.steps)
    most = limits.moves(len(told.topology))
    if len(moves) > most:
        raise Refusal("malformed", f"the recording has {len(moves)} moves; accepted: {most}")
    return Game(
        told.board,
        Setting(board, told.rules, layout=replay.layout),
        0,
        seed_chosen=False,
        limits=limits,
        clock=clock,
        kept=SavedMoves(moves, round(1000 * replay.seconds)),
        recorded=replay,
    )


def _recording_json(found: ReplayReview) -> RecordedGame:
    replay = found.replay
    return {
        "format": replay.format,
        "software": replay.software,
        "player": replay.player,
        "started": replay.started,
        "moves": [
            {
                "time": move.click.time / 1000,
                "seconds": move.seconds,
                "pattern": move.pattern,
                "missed": move.missed,
                "text": move.need,
            }
            for move in found.moves
        ],
        "patterns": [
            {"pattern": one.pattern, "used": one.used, "mean": one.mean, "missed": one.missed}
            for one in found.patterns
        ],
        "wrong_flags": list(found.wrong_flags),
        "unused_flags": list(found.unused_flags),
        "layout": replay.layout.code,
        "trail": list(replay.trail()),
    }


def _statistics_json(game: Game, moves: Sequence[ReviewedMove]) -> list[StatisticEntry]:
    """The players' measures; of a game of the coach those that its moves and its time tell."""
    values: dict[str, float | int | None] = {}
    if game.recorded is not None:
        values = game.recorded.statistics.to_json()
    elif (replay := game.as_replay()) is not None:
        values = replay.statistics.to_json()
        # Clicks that did nothing never came here, and neither did the way of the mouse.
        for unknown in ("clicks", "lost", "ioe", "corr", "zne", "path"):
            del values[unknown]
        opened = [move["risk"] for move in moves if move["action"] in ("open", "chord")][1:]
        risks = [risk for risk in opened if risk is not None]
        certain = 1.0 in risks
        values["pluck"] = None if certain else -sum(math.log10(1.0 - risk) for risk in risks)
    return [
        {"key": key, "name": name, "value": values[key], "meaning": meaning}
        for key, (name, meaning) in DEFINITIONS.items()
        if key in values
    ]


# -- The review of a game, as the page gets it: every move with its judgement --


def review_json(
    game: Game,
    limits: CoachLimits,
    workers: TaskWorkers,
    clock: Callable[[], float] = time.monotonic,
    last: bool = False,
) -> ReviewAnswer:
    """Every move of a game, or the last, judged by what its player could see, while there is time.

    Guesses that have to be played out are judged by a worker, once in a game.
    """
    end = clock() + limits.review_seconds
    played = list(game.replay())
    effort = Effort(limits.budget, samples=0)
    first = len(played) if last else 1
    found = review(played, effort=effort, watch=lambda n: n >= first and clock() <= end)
    moves = [
        _reviewed_move(number, *step, judged)
        for number, (step, judged) in enumerate(zip(played, found.moves, strict=True), 1)
    ]
    guesses: dict[int, tuple[str, str, int]] = {}
    for number, (move, (before, _, _)) in enumerate(zip(moves, played, strict=True)):
        if not move["risk"] or move["measure"] != "risk" or obstacle(before) is not None:
            continue
        if game.no_guess and move["best_risk"] == 0.0:
            # Logic would have won the game: what was risked is what was given away.
            move["measure"] = "win"
        else:
            guesses[number] = (before.text, move["action"], move["cell"])
    wanted = [guess for guess in guesses.values() if guess not in game.judged]
    if wanted:
        asked = {
            "guesses": wanted,
            "seconds": limits.review_seconds,
            "states": limits.budget.states,
            "memory": limits.budget.memory,
        }
        most = limits.review_seconds + limits.win_grace
        with suppress(Refusal):  # past the time, risks are compared, as the text says
            answers = workers.ask("judge", asked, most, "the guesses were not judged")
            game.judged.update(zip(wanted, answers, strict=True))
    for number, guess in guesses.items():
        told = game.judged.get(guess)
        if told is None:
            moves[number]["text"] += " There was no time to play games out; risks are compared."
            game.judged.pop(guess, None)  # it is tried again with the next review
        else:
            moves[number] = {**moves[number], **told}
    own = None if game.recorded is None else replay_review(game.recorded, found)
    return {
        "recording": None if own is None else _recording_json(own),
        "statistics": [] if last else _statistics_json(game, moves),
        "moves": moves,
        "lost": sum(move["lost"] or 0.0 for move in moves),
        "blunders": [move["n"] for move in moves if move["kind"] == MoveVerdict.BLUNDER.value],
        "guesses": found.luck.guesses,
        "luck": found.luck.difference,
    }


def judged_json(asked: Mapping[str, Any]) -> list[MoveJudgement | None]:
    """Guesses judged by games played out, the last first; None for those that time is short for."""
    end = time.monotonic() + asked["seconds"]
    effort = Effort(Budget(asked["states"], asked["memory"]))
    found: list[MoveJudgement | None] = []
    for text, action, cell in reversed(asked["guesses"]):
        late = time.monotonic() > end
        move = Decision(Action(action), cell)
        found.append(None if late else _judgement_json(judge(View.parse(text), move, effort)))
    return found[::-1]


def _reviewed_move(
    number: int, before: View, move: Decision, after: View, judged: Judgement
) -> ReviewedMove:
    assert move.cell is not None
    return {
        "n": number,
        "action": move.action.value,
        "cell": move.cell,
        "changed": changed_json(after, changed_cells(before, after, move)),
        **_judgement_json(judged),
    }


def _judgement_json(judged: Judgement) -> MoveJudgement:
    return {
        "risk": judged.risk,
        "best_risk": judged.best_risk,
        "best_cell": judged.best_cell,
        "lost": judged.lost,
        "measure": judged.measure and judged.measure.value,
        "kind": judged.kind and judged.kind.value,
        "certain": judged.certain,
        "text": judged.text,
    }


# -- Values kept in memory under names that nobody can guess, until they are idle for too long --

T = TypeVar("T")

_MOST_REMEMBERED = 10_000


@dataclass
class _StoredValue(Generic[T]):
    value: T
    weight: int
    used: float
    owner: str


class SessionStore(Generic[T]):
    """Values by name, the longest idle first. Safe to use from several threads.

    There are at most `most` values, at most `most_each` of one owner, and they weigh at most
    `most_weight` together. A value that was idle for longer than `idle` seconds is dropped. Asking
    for a dropped one says why it was dropped.
    """

    def __init__(
        self,
        kind: str,
        most: int,
        most_weight: int,
        idle: float,
        clock: Callable[[], float],
        most_each: int | None = None,
    ) -> None:
        self._kind = kind
        self._most, self._most_weight, self._idle = most, most_weight, idle
        self._clock = clock
        self._most_each = most if most_each is None else most_each
        self._owned: Counter[str] = Counter()
        self._kept: OrderedDict[str, _StoredValue[T]] = OrderedDict()
        self._weight = 0
        self._gone: OrderedDict[str, str] = OrderedDict()
        """Why each value was dropped."""
        self._lock = threading.Lock()

    def add(self, value: T, weight: int, owner: str = "") -> str:
        """Keep a value and return its name; others make room, first those of the same owner."""
        name = secrets.token_urlsafe(15)
        with self._lock:
            self._expire()
            while self._owned[owner] >= self._most_each:
                own = next(name for name, kept in self._kept.items() if kept.owner == owner)
                self._drop(own, f"was one of more than {self._most_each} from one address")
            while self._kept and (
                len(self._kept) >= self._most or self._weight + weight > self._most_weight
            ):
                self._drop(next(iter(self._kept)), "made room for newer ones")
            self._kept[name] = _StoredValue(value, weight, self._clock(), owner)
            self._weight += weight
            self._owned[owner] += 1
        return name

    def get(self, name: str) -> T:
        """The value of a name, which counts as used. Raises Refusal."""
        with self._lock:
            self._expire()
            kept = self._kept.get(name)
            if kept is None:
                if name in self._gone:
                    raise Refusal("gone", f"the {self._kind} {self._gone[name]}; begin another")
                raise Refusal("not-found", f"there is no {self._kind} {quoted(name)}")
            kept.used = self._clock()
            self._kept.move_to_end(name)
            return kept.value

    def __len__(self) -> int:
        with self._lock:
            return len(self._kept)

    def _expire(self) -> None:
        now = self._clock()
        # `get` moves what it returns to the end, so the first is idle longest.
        while self._kept and now - next(iter(self._kept.values())).used > self._idle:
            self._drop(next(iter(self._kept)), "was idle for too long")

    def _drop(self, name: str, why: str) -> None:
        kept = self._kept.pop(name)
        self._weight -= kept.weight
        self._owned[kept.owner] -= 1
        if not self._owned[kept.owner]:
            del self._owned[kept.owner]
        self._gone[name] = why
        if len(self._gone) > _MOST_REMEMBERED:
            self._gone.popitem(last=False)
