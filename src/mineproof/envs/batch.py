"""Games side by side: in the core, or as Python referees where there is no core.

Both play the games that `play` plays with the same seed and index, and write what a player may know
into arrays, a row a game. Neither tells where the mines are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import ceil
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mineproof import kernel
from mineproof.board.layout import check_room, given_cells, mine_free_given_cells
from mineproof.engine.exact import core_board_of
from mineproof.errors import BoardError, RulesError
from mineproof.game.referee import Referee, Termination
from mineproof.kernel import core
from mineproof.rng import Purpose, Stream
from mineproof.rules import FirstClick, Goal, GuessRule, OnMine
from mineproof.view.channels import EXACT, Channel, Mark, channel, proves_zero
from mineproof.view.setting import Setting

FLAG_CODE = 252
"""The byte of a flagged cell in an observation; the others are those of a view."""


class Autoreset(Enum):
    """When a game that has ended begins anew."""

    DISABLED = "disabled"
    NEXT_STEP = "next_step"
    SAME_STEP = "same_step"


@dataclass(frozen=True)
class GameSetup:
    """What is played, and how.

    With `flags` action `cells + c` sets a flag on cell `c` or takes it off; action `c` opens it. An
    illegal action changes nothing, or ends the game if `illegal_ends`. A game is cut off after
    `most_steps`.
    """

    setting: Setting
    flags: bool
    illegal_ends: bool
    most_steps: int

    @property
    def cells(self) -> int:
        return len(self.setting.board.topology)

    @property
    def actions(self) -> int:
        return self.cells * (2 if self.flags else 1)


class GameBatch(Protocol):
    """Games side by side; the arrays have a row or an entry for each, and change with every step.

    `shown` are codes, `legal` the legal actions, `opened` the safe cells that the step opened.
    `moved` games took their action; the others began anew. `first` is the cell for which the mines
    were dealt, -1 where no click dealt them. What begins with `final_` is filled with autoreset in
    the same step, for the games that ended in it.
    """

    shown: NDArray[np.uint8]
    legal: NDArray[np.uint8]
    mines_left: NDArray[np.int32]
    final_shown: NDArray[np.uint8]
    final_legal: NDArray[np.uint8]
    final_mines_left: NDArray[np.int32]
    first: NDArray[np.int32]
    final_first: NDArray[np.int32]
    opened: NDArray[np.int32]
    terminated: NDArray[np.uint8]
    truncated: NDArray[np.uint8]
    won: NDArray[np.uint8]
    illegal: NDArray[np.uint8]
    moved: NDArray[np.uint8]

    def reset(
        self, chosen: NDArray[np.uint8] | None, seeds: Sequence[int] | None, index: int
    ) -> None:
        """Begin the next games, all or the chosen ones; seeds name them anew, from this index."""

    def step(self, actions: NDArray[np.int64]) -> None:
        """One action for each game. Raises ValueError for what is no action, or a game over."""

    def first_illegal(self, actions: NDArray[np.int64]) -> int:
        """The first game for which its action is no legal move, or -1."""

    def random_actions(self) -> NDArray[np.int64]:
        """A legal action for each game, each equally likely; 0 where there is none."""

    def seed_actions(self, seed: int) -> None:
        """Name the random actions anew."""


def make_batch(play: GameSetup, games: int, threads: int, autoreset: Autoreset) -> GameBatch:
    """A batch, in the core where it runs. Raises InputError for rules that cannot be played."""
    Referee(play.setting)  # refuses what does not fit
    if kernel.available():
        return CoreBatch(play, games, threads, autoreset)
    return TwinBatch(play, games, autoreset)


# -- A batch in the core, and the core's form of a setting ---------------------

_CERTAIN = 2**64  # a probability of 1: the core compares 64-bit draws with shares of this


class CoreBatch:
    """A batch of games of the core; see `GameBatch`. The arrays are its memory, taken once."""

    def __init__(self, play: GameSetup, games: int, threads: int, autoreset: Autoreset) -> None:
        setting = play.setting
        batch = core.GameBatch(
            core_board_of(setting.board.topology).board,
            _rules(setting),
            games,
            threads,
            play.flags,
            setting.rules.total_known,
            "end" if play.illegal_ends else "stay",
            autoreset.value,
            play.most_steps,
        )
        self.shown, self.legal, self.mines_left = batch.shown, batch.legal, batch.mines_left
        self.final_shown, self.final_legal = batch.final_shown, batch.final_legal
        self.final_mines_left = batch.final_mines_left
        self.first, self.final_first = batch.first, batch.final_first
        self.opened, self.won, self.illegal = batch.opened, batch.won, batch.illegal
        self.terminated, self.truncated = batch.terminated, batch.truncated
        self.moved = batch.moved
        self.reset, self.step, self.first_illegal = batch.reset, batch.step, batch.first_illegal
        self.random_actions, self.seed_actions = batch.random_actions, batch.seed_actions


def _rules(setting: Setting) -> core.GameRules:
    rules, topology = setting.rules, setting.board.topology
    if rules.guesses is not GuessRule.DEALT:
        raise RulesError(f"guesses={rules.guesses.value} is not played here; accepted: dealt")
    fixed = rules.mines.fixed(len(topology))
    made = core.GameRules(
        fixed or 0,
        rules.first_click.value,
        rules.cascade,
        "uniform" if rules.mines.is_uniform else "independent" if fixed is None else "number",
        int((rules.mines.chance or 0) * _CERTAIN),
        rules.on_mine is OnMine.CONTINUE,
        rules.goal is Goal.MARK_ALL,
        given_cells(topology, rules.given),
        mine_free_given_cells(topology, rules),
        rules.given.drawn(len(topology)),
    )
    if setting.layout is not None:
        made.lay(setting.layout.mines)
    through = channel(rules.clues)
    if through is not EXACT:
        for neighbours in np.unique(topology.degrees).tolist():
            below, last = _chances(through, neighbours)
            made.lie(neighbours, below, last, proves_zero(through, neighbours))
    return made


def _chances(through: Channel, neighbours: int) -> tuple[list[int], list[int]]:
    """For every true count the chances out of 2**64 of showing nothing, 0, 1, ... or less.

    The second list says which of a row's is certain, so that none need hold 2**64.
    """
    below: list[int] = []
    last: list[int] = []
    for true in range(neighbours + 1):
        total = Fraction(0)
        certain = neighbours + 1
        for place, word in enumerate([None, *range(neighbours + 1)]):
            total += through.likelihood(word, true, neighbours)
            if total == 1:
                certain = min(certain, place)
            below.append(min(ceil(total * _CERTAIN), _CERTAIN - 1))
        last.append(certain)
    return below, last


# -- The Python twin of the core's batch: one referee a game -------------------

_HIDDEN = Mark.HIDDEN.value


class TwinBatch:
    """Games side by side, one after the other; see `GameBatch`."""

    def __init__(self, play: GameSetup, games: int, autoreset: Autoreset) -> None:
        self._play = play
        self._autoreset = autoreset
        cells, same = play.cells, autoreset is Autoreset.SAME_STEP
        self.shown = np.full((games, cells), _HIDDEN, dtype=np.uint8)
        self.legal = np.zeros((games, play.actions), dtype=np.uint8)
        self.mines_left = np.zeros(games, dtype=np.int32)
        self.final_shown = np.zeros((games, cells if same else 0), dtype=np.uint8)
        self.final_legal = np.zeros((games, play.actions if same else 0), dtype=np.uint8)
        self.final_mines_left = np.zeros(games if same else 0, dtype=np.int32)
        self.first = np.full(games, -1, dtype=np.int32)
        self.final_first = np.zeros(games if same else 0, dtype=np.int32)
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
        self.first[game] = -1
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
            if not referee.dealt:
                self.first[game] = action
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
            self.final_first[game] = self.first[game]
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
