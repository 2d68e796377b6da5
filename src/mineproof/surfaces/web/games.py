"""A game that a player plays: the referee behind it, its moves, undo and what may be told of it.

The layout, and a seed that the player did not choose (it decides the layout), are told only once
the game is over. A game that this server does not know can be taken up again from its setting, its
seed and its moves, which the page keeps.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from mineproof.agents.decision import Action, Decision
from mineproof.board.measures import measure
from mineproof.errors import IllegalMove
from mineproof.match.referee import Referee
from mineproof.surfaces.web.faults import Refused
from mineproof.surfaces.web.kept_moves import KeptMoves
from mineproof.surfaces.web.limits import CoachLimits
from mineproof.surfaces.web.no_guess_games import NoGuessDealing
from mineproof.surfaces.web.shapes import (
    board_json,
    changed_cells,
    changed_json,
    mines_left,
    own_copy,
    view_json,
)
from mineproof.view.setting import Setting
from mineproof.view.view import View

__all__ = ["Game"]


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
        kept: KeptMoves | None = None,
        dealing: NoGuessDealing | None = None,
    ) -> None:
        self.name, self.board, self._setting = name, setting.board, setting
        self._dealing = dealing
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
        if kept is not None:
            self._take_up(kept)

    def _take_up(self, kept: KeptMoves) -> None:
        """Play the moves of a game that was begun elsewhere. Raises Refused."""
        for number, move in enumerate(kept.moves, 1):
            assert move.cell is not None
            try:
                self._do(move.action, move.cell)
            except Refused as error:
                raise Refused(error.code, f"move {number} of {len(kept.moves)}: {error}") from None
        self._practice = kept.practice
        if self._started is not None:
            self._started = self._clock() - kept.elapsed_ms / 1000
            self._ended = self._clock() if self._referee.over else None

    def _new_referee(self) -> Referee:
        return Referee(self._setting, self._seed, dealing=self._dealing)

    # -- what is told ------------------------------------------------------------------------

    @property
    def still(self) -> AbstractContextManager[bool]:
        """While it is entered, nobody else changes the game."""
        return self._lock

    @property
    def view(self) -> View:
        """The position now, apart from the game: it stays as it is when the game goes on."""
        with self._lock:
            return own_copy(self._referee.view)

    @property
    def state(self) -> str:
        """`ready`, `running`, `won` or `lost`."""
        if self._referee.over:
            return "won" if self._referee.outcome.won else "lost"
        return "running" if self._referee.view.opened_count else "ready"

    def to_json(self) -> dict[str, Any]:
        """All that the player may know."""
        with self._lock:
            view = self._referee.view
            topology = self.board.topology
            total = self.board.mines.fixed(len(topology)) if view.total is None else view.total
            return {
                "board": board_json(topology, total, self.name),
                "view": view_json(view),
                "moves": [{"action": move.action.value, "cell": move.cell} for move in self._moves],
                "no_guess": self._dealing is not None,
                **self._standing(),
            }

    def _standing(self) -> dict[str, Any]:
        """What every answer about a game says."""
        over = self._referee.over
        layout = self._referee.layout
        measures = None if layout is None else measure(layout)
        return {
            "state": self.state,
            "version": self._version,
            "mines_left": mines_left(self._referee.view),
            "elapsed_ms": self._elapsed(),
            "practice": self._practice,
            "undone": self._practice,
            "seed": self._seed if over or self._seed_chosen else None,
            "layout": None if layout is None else list(layout.cells),
            "measures": measures
            and {
                "3bv": measures.three_bv,
                "openings": measures.openings,
                "islands": measures.islands,
            },
        }

    def _elapsed(self) -> int:
        if self._started is None:
            return 0
        end = self._clock() if self._ended is None else self._ended
        return round(1000 * (end - self._started))

    # -- moves -------------------------------------------------------------------------------

    # `at` is how many moves came before, as the player knows it. A player who got no answer asks
    # again; a move that was made already is then answered as it was, and not made twice.

    def prepare(self, first: int) -> None:
        """Make the board for a first cell, if it is made for that: others may ask meanwhile.

        It can take seconds. Raises BoardError and Refused.
        """
        self._check(first)
        if self._dealing is None:
            return
        with self._lock:
            view = self._referee.view
            begins = not view.opened_count and not view.is_flagged(first)
        if begins:
            self._dealing(first)

    def open(self, cell: int, at: int | None = None) -> dict[str, Any]:
        """Open a cell. Raises IllegalMove."""
        return self._do(Action.OPEN, cell, at)

    def chord(self, cell: int, at: int | None = None) -> dict[str, Any]:
        """Open the neighbours of a clue that has its flags. Raises IllegalMove."""
        return self._do(Action.CHORD, cell, at)

    def flag(self, cell: int, on: bool | None = None, at: int | None = None) -> dict[str, Any]:
        """Set a flag, take it off, or change it where nothing is said. Raises IllegalMove."""
        with self._lock:
            self._check(cell)
            asked = [Action.FLAG] * (on is not False) + [Action.UNFLAG] * (on is not True)
            if any(self._is_made(Decision(action, cell), at) for action in asked):
                return self._answered(self._changed[-1])
            flagged = self._referee.view.is_flagged(cell)
            if on is None:
                on = not flagged
            if on is flagged:
                return self._answered(())
            return self._do(Action.FLAG if on else Action.UNFLAG, cell)

    def _check(self, cell: int) -> None:
        """Refuse cells off the board."""
        cells = len(self.board.topology)
        if cell >= cells:
            raise Refused("malformed", f"cell {cell} is not on the board; accepted: 0..{cells - 1}")

    def _is_made(self, move: Decision, at: int | None) -> bool:
        """Whether the move after `at` others is this one, and the last."""
        return at is not None and len(self._moves) == at + 1 and self._moves[-1] == move

    def _answered(self, changed: tuple[int, ...]) -> dict[str, Any]:
        """The answer to a move that changed these cells."""
        return {"changed": changed_json(self._referee.view, changed), **self._standing()}

    def _do(self, action: Action, cell: int, at: int | None = None) -> dict[str, Any]:
        self._check(cell)
        move = Decision(action, cell)
        with self._lock:
            if self._is_made(move, at):
                return self._answered(self._changed[-1])
            most = self._limits.moves(len(self.board.topology))
            if len(self._moves) >= most:
                raise IllegalMove(f"the game has {most} moves already; begin another")
            before = self._referee.view
            try:
                self._referee.apply(move)
            except IllegalMove as error:
                raise Refused("illegal", str(error), cell=cell) from None
            after = self._referee.view
            changed = changed_cells(before, after, move)
            if changed:
                self._moves.append(move)
                self._changed.append(changed)
                self._version += 1
                self._keep_time()
            return self._answered(changed)

    def undo(self, moves: int = 1, at: int | None = None) -> dict[str, Any]:
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

    # -- what is told at the end -------------------------------------------------------------

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

    # -- looking back ------------------------------------------------------------------------

    def replay(self) -> Iterator[tuple[View, Decision, View]]:
        """Every move between the view before it and that after it, from a referee of its own."""
        with self._lock:
            moves = tuple(self._moves)
        referee = self._new_referee()
        for move in moves:
            before = referee.view
            referee.apply(move)
            yield before, move, referee.view
