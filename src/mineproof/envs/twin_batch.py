"""The Python twin of the core's batch: one referee a game."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mineproof.board.deal import check_room
from mineproof.envs.batch import FLAG_CODE, Autoreset, Play
from mineproof.errors import BoardError
from mineproof.match.outcome import Termination
from mineproof.match.referee import Referee
from mineproof.rng import Purpose, Stream
from mineproof.rules import FirstClick
from mineproof.view.marks import Mark

__all__ = ["TwinBatch"]

_HIDDEN = Mark.HIDDEN.value


class TwinBatch:
    """Games side by side, one after the other; see `Batch`."""

    def __init__(self, play: Play, games: int, autoreset: Autoreset) -> None:
        self._play = play
        self._autoreset = autoreset
        cells, same = play.cells, autoreset is Autoreset.SAME_STEP
        self.shown = np.full((games, cells), _HIDDEN, dtype=np.uint8)
        self.legal = np.zeros((games, play.actions), dtype=np.uint8)
        self.mines_left = np.zeros(games, dtype=np.int32)
        self.final_shown = np.zeros((games, cells if same else 0), dtype=np.uint8)
        self.final_legal = np.zeros((games, play.actions if same else 0), dtype=np.uint8)
        self.final_mines_left = np.zeros(games if same else 0, dtype=np.int32)
        self.opened = np.zeros(games, dtype=np.int32)
        self.terminated = np.zeros(games, dtype=np.uint8)
        self.truncated = np.zeros(games, dtype=np.uint8)
        self.won = np.zeros(games, dtype=np.uint8)
        self.illegal = np.zeros(games, dtype=np.uint8)
        self.moved = np.zeros(games, dtype=np.uint8)
        # What others write into the arrays above changes no game.
        self._legal = self.legal.copy()
        self._ended = np.zeros(games, dtype=np.bool_)
        self._names = [(0, 0)] * games
        self._steps = [0] * games
        self._referees: list[Referee | None] = [None] * games
        self._first = self._first_cells()
        self.seed_actions(0)

    def _first_cells(self) -> NDArray[np.uint8] | None:
        """The cells that can be first, where the mines do not fit beside each."""
        setting = self._play.setting
        if setting.rules.first_click is not FirstClick.OPENING or setting.layout is not None:
            return None
        fits = np.ones(self._play.cells, dtype=np.uint8)
        for cell in setting.board.topology.cells:
            try:
                check_room(setting.board.topology, setting.rules, (cell,))
            except BoardError:
                fits[cell] = 0
        return fits

    def reset(
        self, chosen: NDArray[np.uint8] | None, seeds: Sequence[int] | None, index: int
    ) -> None:
        for game in range(len(self.shown)):
            if chosen is not None and not chosen[game]:
                continue
            if seeds is not None:
                self._names[game] = (seeds[game], index)
            self._clear(game)
            self.moved[game] = 0
            self._begin(game)

    def step(self, actions: NDArray[np.int64]) -> None:
        self._check(actions)
        over = np.flatnonzero(self._ended)
        if self._autoreset is Autoreset.DISABLED and over.size:
            raise ValueError(f"game {over[0]} is over; reset it before the next step")
        for game, action in enumerate(actions.tolist()):
            self._step(game, action)

    def _check(self, actions: NDArray[np.int64]) -> None:
        if actions.shape != (len(self.shown),):
            raise ValueError("a step needs an action for every game")
        strange = actions[(actions < 0) | (actions >= self._play.actions)]
        if strange.size:
            raise ValueError(f"action {strange[0]}; accepted: 0 to {self._play.actions - 1}")

    def _clear(self, game: int) -> None:
        self.terminated[game] = self.truncated[game] = self.won[game] = 0
        self.illegal[game] = self.opened[game] = 0
        self._ended[game] = False

    def _begin(self, game: int) -> None:
        seed, index = self._names[game]
        self._referees[game] = Referee(self._play.setting, seed, index)
        self._names[game] = (seed, index + 1)
        self._steps[game] = 0
        self._ended[game] = False
        self._write(game)

    def _step(self, game: int, action: int) -> None:
        anew = self._autoreset is Autoreset.NEXT_STEP and bool(self._ended[game])
        self._clear(game)
        self.moved[game] = not anew
        if anew:
            self._begin(game)
            return
        referee, play = self._referees[game], self._play
        assert referee is not None, "a game is reset first"
        self._steps[game] += 1
        before = referee.view
        if not self._legal[game, action]:
            self.illegal[game] = 1
            if play.illegal_ends:
                referee.stop(Termination.STUCK)
        elif action < play.cells:
            view = referee.open(action)
            mines = len(view.opened_mines) - len(before.opened_mines)
            self.opened[game] = view.opened_count - before.opened_count - mines
        elif before.is_flagged(action - play.cells):
            referee.unflag(action - play.cells)
        else:
            referee.flag(action - play.cells)
        over = referee.over
        cut_off = not over and self._steps[game] >= play.most_steps
        self.terminated[game], self.truncated[game] = over, cut_off
        self.won[game] = referee.outcome.won
        self._ended[game] = over or cut_off
        self._write(game)
        if self._autoreset is Autoreset.SAME_STEP and self._ended[game]:
            self.final_shown[game] = self.shown[game]
            self.final_legal[game] = self._legal[game]
            self.final_mines_left[game] = self.mines_left[game]
            self._begin(game)

    def _write(self, game: int) -> None:
        referee, cells = self._referees[game], self._play.cells
        assert referee is not None
        view = referee.view
        codes = view.codes()
        codes[list(view.flags)] = FLAG_CODE
        self.shown[game] = codes
        gone = view.flag_count + len(view.opened_mines)
        self.mines_left[game] = 0 if view.total is None else view.total - gone
        row = self._legal[game]
        row[:] = 0
        if not referee.over:
            row[:cells] = codes == _HIDDEN
            if self._play.flags:
                row[cells:] = (codes == _HIDDEN) | (codes == FLAG_CODE)
            if self._first is not None and not view.opened_count:
                row[:cells] &= self._first
        self.legal[game] = row

    def first_illegal(self, actions: NDArray[np.int64]) -> int:
        self._check(actions)
        legal = self._legal[np.arange(len(actions)), actions] != 0
        if self._autoreset is Autoreset.NEXT_STEP:
            legal |= self._ended
        wrong = np.flatnonzero(~legal)
        return int(wrong[0]) if wrong.size else -1

    # -- at random ---------------------------------------------------------------------------

    def seed_actions(self, seed: int) -> None:
        self._choices = [Stream(seed, game, Purpose.AGENT) for game in range(len(self.shown))]

    def random_actions(self) -> NDArray[np.int64]:
        return np.array(
            [
                self._random(row, stream)
                for row, stream in zip(self.legal, self._choices, strict=True)
            ],
            dtype=np.int64,
        )

    def _random(self, row: NDArray[np.uint8], stream: Stream) -> int:
        """As the core draws it: a few tries, then among those that are legal."""
        for _ in range(9):
            drawn = stream.below(len(row))
            if row[drawn]:
                return drawn
        legal = np.flatnonzero(row)
        return int(legal[stream.below(len(legal))]) if legal.size else 0
