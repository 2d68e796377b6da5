"""The coach's operations, without HTTP: plain methods; `mineproof.web.api` gives each an address.

The parameters of an operation are the fields of the request, what it returns is the answer, and its
docstring is the summary.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from threading import Semaphore
from typing import Annotated, TypeAlias

from mineproof.errors import IllegalMove, MineproofError
from mineproof.rules import FirstClick, GuessRule
from mineproof.view.view import View
from mineproof.web.answers import (
    AgentEntry,
    AnalysisAnswer,
    BoardsAnswer,
    DailyAnswer,
    ExplanationAnswer,
    GameAnswer,
    HintAnswer,
    LessonsAnswer,
    MovedAnswer,
    PositionAnswer,
    PuzzleAnswer,
    ReviewAnswer,
    TextAnswer,
    WatchedAnswer,
)
from mineproof.web.games import (
    Game,
    NoGuessDealer,
    SavedMoves,
    SessionStore,
    daily_json,
    laid_setting,
    no_guess_setting,
    recorded_game,
    review_json,
)
from mineproof.web.positions import (
    NOTATIONS,
    agents_json,
    analysis_json,
    ask_hint,
    ask_why,
    boards_json,
    export_text,
    lessons_json,
    position_json,
    puzzle_json,
    puzzle_why,
    read_position,
    read_setting,
    watch_json,
)
from mineproof.web.requests import MAX_SEED, MOST_RECORDING, CoachLimits, Refusal, TaskWorkers

# The fields that several operations take: see `Field.of`.
BoardField: TypeAlias = Annotated[str, "a preset such as expert, or such as 9x9/10, hex:11x11/28"]
SeedField: TypeAlias = Annotated[int | None, "decides the deal; random if left out"]
FirstClickField: TypeAlias = Annotated[
    str | None, "what the first cell may be: any, safe or opening (safe)", FirstClick
]
CluesField: TypeAlias = Annotated[str | None, "a clue channel such as withheld:0.3 (exact)"]
CellField: TypeAlias = Annotated[int, "the number of a cell"]
AtField: TypeAlias = Annotated[int | None, "the moves before; a move asked for twice is made once"]
SeeField: TypeAlias = Annotated[
    bool | None, "whether to add the analysis after the move, if it is quick"
]
POSITION_TEXT = "a position in any accepted notation"
TextField: TypeAlias = Annotated[str, POSITION_TEXT]
WinField: TypeAlias = Annotated[bool | None, "whether to work out the chance to win as well"]


class Coach:
    """The games of all players, and the operations that `ENDPOINTS` names.

    An operation takes its fields by name, with None for one left out, and returns what JSON can
    hold. Raises MineproofError. Slow tasks are done by `workers`, by default processes. `draw(n)`
    draws a number below n, for seeds that nobody chose; `now()` is the time, for the day's boards.
    """

    def __init__(
        self,
        limits: CoachLimits | None = None,
        clock: Callable[[], float] = time.monotonic,
        workers: TaskWorkers | None = None,
        draw: Callable[[int], int] = secrets.randbelow,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.limits = limits or CoachLimits()
        if workers is None:
            from mineproof.web.tasks import TaskProcesses  # not on a page, which has none

            workers = TaskProcesses(self.limits.watchers + self.limits.provers)
        self.workers = workers
        self._draw, self._now = draw, now
        self._slow_deals = Semaphore(self.limits.dealers)
        self._clock = clock
        self._games: SessionStore[Game] = SessionStore(
            "game",
            self.limits.games,
            self.limits.all_cells,
            self.limits.idle,
            clock,
            self.limits.games_each,
        )

    # -- catalogs ----------------------------------------------------------------------------

    def boards(self) -> BoardsAnswer:
        """Presets, topologies and limits."""
        return boards_json(self.limits)

    def agents(self) -> list[AgentEntry]:
        """The agents that can be watched."""
        return agents_json()

    def daily(
        self,
        won: Annotated[str | None, "wins that the page kept: BOARD:SEED:FIRST:BEGAN, with spaces"],
    ) -> DailyAnswer:
        """The boards of today and yesterday, the same for everybody, and the streak."""
        return daily_json(self._now(), won or "")

    # -- games -------------------------------------------------------------------------------

    def new_game(
        self,
        board: BoardField,
        seed: SeedField,
        first_click: FirstClickField,
        clues: CluesField,
        moves: Annotated[str | None, "moves to play at once, such as o12f3u3c12"] = None,
        elapsed_ms: Annotated[int | None, "the time that they took (0)"] = None,
        practice: Annotated[bool | None, "whether moves were taken back before"] = None,
        no_guess: Annotated[
            bool | None, "whether the board is to be solvable from its first cell without a guess"
        ] = None,
        guess_rule: Annotated[
            str | None,
            "dealt; fair: a best guess opens no mine; cruel: any other does (dealt)",
            GuessRule,
        ] = None,
        layout: Annotated[
            str | None, "where the mines are, instead of a deal: five cells a character, 0 to v"
        ] = None,
        client: str = "",
    ) -> GameAnswer:
        """Begin a game, or take one up that was begun elsewhere."""
        read = no_guess_setting if no_guess else read_setting
        setting = read(board, first_click, clues, self.limits, guess_rule)
        if layout is not None:
            if no_guess:
                raise Refusal("malformed", "layout beside no_guess; accepted: one of them")
            setting = laid_setting(setting, layout)
        most = self.limits.moves(len(setting.board.topology))
        kept = SavedMoves.parse(moves or "", most, elapsed_ms or 0, bool(practice))
        if kept.moves and seed is None and layout is None:
            raise Refusal("malformed", "field seed is missing: without it, no moves can be played")
        decides = self._draw(MAX_SEED + 1) if seed is None else seed
        dealing = None
        if no_guess:
            dealing = NoGuessDealer(
                board, setting, decides, self.limits, self.workers, self._slow_deals
            )
        game = Game(
            board,
            setting,
            decides,
            seed_chosen=seed is not None,
            limits=self.limits,
            clock=self._clock,
            kept=kept,
            dealing=dealing,
        )
        name = self._games.add(game, len(game.board.topology), client)
        return {"game": name, **game.to_json()}

    def recording(
        self,
        file: Annotated[str, "the bytes of a recorded game, in base64", MOST_RECORDING],
        name: Annotated[str | None, "the name of the file, whose ending helps to recognise it"],
        client: str = "",
    ) -> GameAnswer:
        """Take in a recorded game of another program, to be reviewed."""
        game = recorded_game(file, name or "", self.limits, self._clock)
        held = self._games.add(game, game.weight, client)
        return {"game": held, **game.to_json()}

    def game(self, game: str) -> GameAnswer:
        """All that the player may know of a game."""
        return {"game": game, **self._games.get(game).to_json()}

    def open(
        self, game: str, cell: CellField, at: AtField = None, see: SeeField = None
    ) -> MovedAnswer:
        """Open a cell."""
        found = self._games.get(game)
        found.prepare(cell)
        return self._with_analysis(found, lambda: found.open(cell, at), see)

    def flag(
        self,
        game: str,
        cell: CellField,
        on: Annotated[bool | None, "toggles the flag if left out"],
        at: AtField = None,
    ) -> MovedAnswer:
        """Set a flag or take it off."""
        return self._games.get(game).flag(cell, on, at)

    def chord(
        self, game: str, cell: CellField, at: AtField = None, see: SeeField = None
    ) -> MovedAnswer:
        """Open the unflagged neighbours of a clue that has as many flags."""
        found = self._games.get(game)
        return self._with_analysis(found, lambda: found.chord(cell, at), see)

    def undo(
        self, game: str, moves: Annotated[int | None, "how many (1)"], at: AtField = None
    ) -> GameAnswer:
        """Take moves back; the game goes on as practice."""
        found = self._games.get(game)
        return {"game": game, **found.undo(1 if moves is None else moves, at)}

    def _with_analysis(
        self, game: Game, move: Callable[[], MovedAnswer], see: bool | None
    ) -> MovedAnswer:
        """A move, with the analysis of the position right after it where it is wanted and quick."""
        if not see:
            return move()
        # Under the lock, nobody else moves between the move and its view.
        with game.lock:
            answer, view = move(), game.view
        if answer["state"] not in ("won", "lost"):
            # Who asks for the analysis alone is told why there is none.
            with suppress(MineproofError):
                answer["analysis"] = analysis_json(view, self.limits.quick_budget)
        return answer

    def game_analysis(self, game: str, win: WinField) -> AnalysisAnswer:
        """The chance of a mine in every cell, exactly, and the best move."""
        found = self._games.get(game)
        return self._analysis(found.view, win, found.no_guess)

    def _analysis(self, view: View, win: bool | None, no_guess: bool = False) -> AnalysisAnswer:
        win_workers = (self.limits, self.workers) if win else None
        return analysis_json(view, self.limits.budget, win_workers, no_guess)

    def game_explain(self, game: str, cell: CellField) -> ExplanationAnswer:
        """Why a cell is certain, or two solutions that differ there."""
        return ask_why(self._games.get(game).view, cell, self.limits, self.workers)

    def hint(
        self, game: str, level: Annotated[int | None, "how much to tell, from 1 (1)"]
    ) -> HintAnswer:
        """What is certain, told bit by bit: where, from which clues, which cell, why."""
        found = self._games.get(game)
        if found.state in ("won", "lost"):
            raise IllegalMove("the game is over: there is nothing to hint at")
        return ask_hint(found.view, 1 if level is None else level, self.limits, self.workers)

    def certificate(self, game: str) -> TextAnswer:
        """The proof that a finished game needed no guess, as a line of JSON."""
        return {"text": self._games.get(game).certificate()}

    def review(
        self, game: str, last: Annotated[bool | None, "whether only the last move is judged"] = None
    ) -> ReviewAnswer:
        """Every move with its risk, the least there was, and what it cost."""
        found = self._games.get(game)
        return review_json(found, self.limits, self.workers, self._clock, bool(last))

    # -- positions ---------------------------------------------------------------------------

    def position(
        self,
        text: Annotated[str | None, POSITION_TEXT],
        board: Annotated[str | None, "instead: a board of which nothing is open"],
    ) -> PositionAnswer:
        """Read a position, or begin an empty one; says whether any layout explains it."""
        return position_json(text, board, self.limits)

    def position_analysis(self, text: TextField, win: WinField) -> AnalysisAnswer:
        """The chance of a mine in every cell of a position."""
        return self._analysis(read_position(text, self.limits), win)

    def position_explain(self, text: TextField, cell: CellField) -> ExplanationAnswer:
        """Why a cell of a position is certain, or why not."""
        return ask_why(read_position(text, self.limits), cell, self.limits, self.workers)

    def export(self, text: TextField, to: Annotated[str, "the notation", NOTATIONS]) -> TextAnswer:
        """A position in another notation."""
        return {"text": export_text(text, to, self.limits)}

    # -- lessons -----------------------------------------------------------------------------

    def lessons(self) -> LessonsAnswer:
        """Patterns and puzzles, in order."""
        return lessons_json()

    def puzzle(self, puzzle: str) -> PuzzleAnswer:
        """A puzzle that teaches, with its answer."""
        return puzzle_json(puzzle)

    def puzzle_explain(self, puzzle: str, cell: CellField) -> ExplanationAnswer:
        """Why a cell of a puzzle is certain, or why not."""
        return puzzle_why(puzzle, cell, self.limits, self.workers)

    # -- agents ------------------------------------------------------------------------------

    def watch(
        self,
        board: BoardField,
        seed: SeedField,
        first_click: FirstClickField,
        clues: CluesField,
        agents: Annotated[list[str], "one or two names of the catalog"],
    ) -> WatchedAnswer:
        """Let one or two agents play the same deal."""
        chosen = self._draw(2**32) if seed is None else seed
        return watch_json(board, agents, chosen, first_click, clues, self.limits, self.workers)
