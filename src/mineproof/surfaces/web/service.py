"""What every endpoint does, as plain functions of its fields, without HTTP."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from threading import Semaphore
from typing import Any

from mineproof.errors import IllegalMove, MineproofError
from mineproof.surfaces.web.analyses import analysis_json, ask_why
from mineproof.surfaces.web.faults import Refused
from mineproof.surfaces.web.fields import MAX_SEED
from mineproof.surfaces.web.games import Game
from mineproof.surfaces.web.hint_answers import ask_hint
from mineproof.surfaces.web.kept_moves import KeptMoves
from mineproof.surfaces.web.lessons import lesson_explain_json, lessons_json, puzzle_json
from mineproof.surfaces.web.limits import CoachLimits
from mineproof.surfaces.web.no_guess_games import NoGuessDealing, no_guess_setting
from mineproof.surfaces.web.positions import export_text, position_json, read_position
from mineproof.surfaces.web.reviews import review_json
from mineproof.surfaces.web.sessions import Sessions
from mineproof.surfaces.web.shapes import boards_json, read_setting
from mineproof.surfaces.web.task_doers import TaskDoers
from mineproof.surfaces.web.watch import agents_json, watch_json
from mineproof.view.view import View

__all__ = ["Coach"]

Answer = dict[str, Any]


def _task_processes(limits: CoachLimits) -> TaskDoers:
    """Processes for as much as is done at once."""
    from mineproof.surfaces.web.task_processes import TaskProcesses

    return TaskProcesses(limits.watchers + limits.provers)


class Coach:
    """The games of all players, and the operations that the table of endpoints names.

    An operation takes its fields by name, with None for one left out, and returns what JSON can
    hold. Raises MineproofError. What may take long is done by `workers`: processes, unless told
    otherwise. `draw(n)` is any of the numbers below n, for seeds that nobody chose.
    """

    def __init__(
        self,
        limits: CoachLimits | None = None,
        clock: Callable[[], float] = time.monotonic,
        workers: TaskDoers | None = None,
        draw: Callable[[int], int] = secrets.randbelow,
    ) -> None:
        self.limits = limits or CoachLimits()
        self.workers = workers or _task_processes(self.limits)
        self._draw = draw
        self._slow_deals = Semaphore(self.limits.dealers)
        self._clock = clock
        self._games: Sessions[Game] = Sessions(
            "game",
            self.limits.games,
            self.limits.all_cells,
            self.limits.idle,
            clock,
            self.limits.games_each,
        )

    # -- catalogs ----------------------------------------------------------------------------

    def boards(self) -> Answer:
        return boards_json(self.limits)

    def agents(self) -> list[Answer]:
        return agents_json()

    # -- games -------------------------------------------------------------------------------

    def new_game(
        self,
        board: str,
        seed: int | None,
        first_click: str | None,
        clues: str | None,
        moves: str | None = None,
        elapsed_ms: int | None = None,
        practice: bool | None = None,
        no_guess: bool | None = None,
        client: str = "",
    ) -> Answer:
        read = no_guess_setting if no_guess else read_setting
        setting = read(board, first_click, clues, self.limits)
        most = self.limits.moves(len(setting.board.topology))
        kept = KeptMoves.parse(moves or "", most, elapsed_ms or 0, bool(practice))
        if kept.moves and seed is None:
            raise Refused("malformed", "field seed is missing: without it, no moves can be played")
        decides = self._draw(MAX_SEED + 1) if seed is None else seed
        dealing = None
        if no_guess:
            dealing = NoGuessDealing(
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

    def game(self, game: str) -> Answer:
        return {"game": game, **self._games.get(game).to_json()}

    def open(self, game: str, cell: int, at: int | None = None, see: bool | None = None) -> Answer:
        found = self._games.get(game)
        found.prepare(cell)
        return self._seeing(found, lambda: found.open(cell, at), see)

    def flag(self, game: str, cell: int, on: bool | None, at: int | None = None) -> Answer:
        return {**self._games.get(game).flag(cell, on, at), "analysis": None}

    def chord(self, game: str, cell: int, at: int | None = None, see: bool | None = None) -> Answer:
        found = self._games.get(game)
        return self._seeing(found, lambda: found.chord(cell, at), see)

    def undo(self, game: str, moves: int | None, at: int | None = None) -> Answer:
        found = self._games.get(game)
        return {"game": game, **found.undo(1 if moves is None else moves, at)}

    def _seeing(self, game: Game, move: Callable[[], Answer], see: bool | None) -> Answer:
        """A move, with the analysis of the position right after it where it is wanted and quick."""
        if not see:
            return {**move(), "analysis": None}
        with game.still:
            answer, view = move(), game.view
        if answer["state"] in ("won", "lost"):
            return {**answer, "analysis": None}
        try:
            return {**answer, "analysis": analysis_json(view, self.limits.quick_budget)}
        except MineproofError:
            return {**answer, "analysis": None}  # who asks for it alone is told why

    def game_analysis(self, game: str, win: bool | None) -> Answer:
        return self._analysis(self._games.get(game).view, win)

    def _analysis(self, view: View, win: bool | None) -> Answer:
        win_workers = (self.limits, self.workers) if win else None
        return analysis_json(view, self.limits.budget, win_workers)

    def game_explain(self, game: str, cell: int) -> Any:
        return ask_why(self._games.get(game).view, cell, self.limits, self.workers)

    def hint(self, game: str, level: int | None) -> Any:
        found = self._games.get(game)
        if found.state in ("won", "lost"):
            raise IllegalMove("the game is over: there is nothing to hint at")
        return ask_hint(found.view, 1 if level is None else level, self.limits, self.workers)

    def certificate(self, game: str) -> Answer:
        return {"text": self._games.get(game).certificate()}

    def review(self, game: str) -> Answer:
        return review_json(self._games.get(game), self.limits, self._clock)

    # -- positions ---------------------------------------------------------------------------

    def position(self, text: str | None, board: str | None) -> Answer:
        return position_json(text, board, self.limits)

    def position_analysis(self, text: str, win: bool | None) -> Answer:
        return self._analysis(read_position(text, self.limits), win)

    def position_explain(self, text: str, cell: int) -> Any:
        return ask_why(read_position(text, self.limits), cell, self.limits, self.workers)

    def export(self, text: str, to: str) -> Answer:
        return {"text": export_text(text, to, self.limits)}

    # -- lessons -----------------------------------------------------------------------------

    def lessons(self) -> Answer:
        return lessons_json()

    def puzzle(self, puzzle: str) -> Answer:
        return puzzle_json(puzzle)

    def puzzle_explain(self, puzzle: str, cell: int) -> Any:
        return lesson_explain_json(puzzle, cell, self.limits, self.workers)

    # -- agents ------------------------------------------------------------------------------

    def watch(
        self,
        board: str,
        seed: int | None,
        first_click: str | None,
        clues: str | None,
        agents: list[str],
    ) -> Answer:
        chosen = self._draw(2**32) if seed is None else seed
        return watch_json(board, agents, chosen, first_click, clues, self.limits, self.workers)
