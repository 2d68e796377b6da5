"""What a learner sees: codes in a dictionary, or planes for a network; exact chances if asked.

| word | what it is |
|---|---|
| `codes` | a dictionary: `board` (a byte a cell), `mines_left`, `action_mask` |
| `planes` | an array of planes of 0 and 1, one for each thing that a cell can show |
| `chances` | the exact chance of a mine, in the dictionary or as a plane more |

Words are joined by `+`: `planes+chances`. `chances` alone is `codes+chances`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof.advice.advising import is_promised
from mineproof.envs.batch import FLAG_CODE, Batch, Play
from mineproof.envs.gymnasium_parts import spaces
from mineproof.errors import InputError, UnknownName
from mineproof.inference.engine.exact import analyze_many
from mineproof.rules import Given, OnMine
from mineproof.view.channels import channel
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["Observation", "Observe", "board_shape", "chances_of", "views_of"]

Observation: TypeAlias = dict[str, NDArray[Any]] | NDArray[np.float32]

_WORDS = ("codes", "planes", "chances")


@dataclass(frozen=True)
class Observe:
    """Which observation is wanted. Raises InputError for a text that names none."""

    planes: bool
    chances: bool

    @classmethod
    def parse(cls, text: str) -> Observe:
        words = text.split("+")
        for word in words:
            if word not in _WORDS:
                raise UnknownName("observation", word, _WORDS)
        if len(set(words)) < len(words) or {"codes", "planes"} <= set(words):
            raise InputError(f"observe {text!r}; accepted: codes or planes, alone or with +chances")
        return cls("planes" in words, "chances" in words)


def board_shape(play: Play) -> tuple[int, ...]:
    """The sizes of the board where every place is a cell, as (16, 30); else one: the cells."""
    topology = play.setting.board.topology
    sizes = topology.lattice.dimensions
    return sizes if np.prod(sizes) == len(topology) and not topology.blocked else (len(topology),)


def views_of(play: Play, codes: NDArray[np.uint8], mines_left: NDArray[np.int32]) -> list[View]:
    """The positions that rows of codes show."""
    setting = play.setting
    topology, rules = setting.board.topology, setting.rules
    start = setting.told(setting.layout)
    # A number of mines that is drawn is told with the deal.
    draws = rules.total_known and setting.layout is None and rules.mines.fixed(play.cells) is None
    found = []
    for row, left in zip(codes, mines_left.tolist(), strict=True):
        flags = np.flatnonzero(row == FLAG_CODE)
        opened_mines = int(np.count_nonzero(row == Mark.MINE.value))
        told = start
        if draws and (_dealt_at_once(play) or (row < FLAG_CODE).any() or opened_mines):
            told = rules.told(play.cells, left + len(flags) + opened_mines)
        plain = np.where(row == FLAG_CODE, Mark.HIDDEN.value, row).astype(np.uint8)
        found.append(View.of_codes(topology, told, plain, flags.tolist()))
    return found


def _dealt_at_once(play: Play) -> bool:
    rules = play.setting.rules
    return rules.first_click.value == "any" or rules.given != Given()


def chances_of(views: Sequence[View], threads: int) -> NDArray[np.float32]:
    """The exact chance that a cell is a mine, a row a position; 0 where the rules keep it free.

    Raises BudgetExceeded.
    """
    rows = [analysis.p.array for analysis in analyze_many(views, threads=threads)]
    found = np.array(rows, dtype=np.float32).reshape(len(views), -1)
    found[[is_promised(view) for view in views]] = 0.0
    return found


class Observer:
    """Writes the observations of a batch, without a copy of what the batch has written itself."""

    def __init__(self, play: Play, observe: Observe, games: int, threads: int) -> None:
        self._play, self._observe, self._threads = play, observe, threads
        self._shape = board_shape(play)
        self.plane_names, self._codes = _planes(play)
        self._over_total = "mines left" in self.plane_names
        if observe.chances:
            self.plane_names += ("chances",)
        layers = (games if observe.planes else 0, len(self.plane_names))
        self._planes = np.zeros((*layers, *self._shape), dtype=np.float32)
        wanted = games if observe.chances else 0
        self._chances = np.zeros((wanted, *self._shape), dtype=np.float32)

    @property
    def space(self) -> spaces.Space[Any]:
        """What one game's observation can be."""
        cells = self._play.cells
        if self._observe.planes:
            low = -1.0 if self._over_total and self._play.flags else 0.0
            return spaces.Box(low, 1.0, self._planes.shape[1:], dtype=np.float32)
        found: dict[str, spaces.Space[Any]] = {
            "board": spaces.Box(0, 255, self._shape, dtype=np.uint8),
            "mines_left": spaces.Box(-cells, cells, (1,), dtype=np.int32),
            "action_mask": spaces.MultiBinary(self._play.actions),
        }
        if self._observe.chances:
            found["chances"] = spaces.Box(0.0, 1.0, self._shape, dtype=np.float32)
        return spaces.Dict(found)

    def written(self, batch: Batch) -> Observation:
        """The observations of all games, in memory that the next call writes anew."""
        return self._written(batch.shown, batch.mines_left, batch.legal)

    def final(self, batch: Batch, games: NDArray[np.intp]) -> Observation:
        """The last observations of games that ended in this step, a row each; fresh memory."""
        own = self
        if self._observe.planes or self._observe.chances:  # else nothing is written here
            own = Observer(self._play, self._observe, len(games), self._threads)
        return own._written(
            batch.final_shown[games], batch.final_mines_left[games], batch.final_legal[games]
        )

    def _written(
        self, shown: NDArray[np.uint8], mines_left: NDArray[np.int32], legal: NDArray[np.uint8]
    ) -> Observation:
        board = shown.reshape(-1, *self._shape)
        if self._observe.chances:
            views = views_of(self._play, shown, mines_left)
            self._chances[:] = chances_of(views, self._threads).reshape(-1, *self._shape)
        if not self._observe.planes:
            found: dict[str, NDArray[Any]] = {
                "board": board,
                "mines_left": mines_left.reshape(-1, 1),
                "action_mask": legal.view(np.int8),
            }
            if self._observe.chances:
                found["chances"] = self._chances
            return found
        for place, code in enumerate(self._codes):
            np.equal(board, code, out=self._planes[:, place])
        if self._over_total:
            share = mines_left / np.float32(self._play.cells)
            self._planes[:, len(self._codes)] = share.reshape(-1, *[1] * len(self._shape))
        if self._observe.chances:
            self._planes[:, -1] = self._chances
        return self._planes


def _planes(play: Play) -> tuple[tuple[str, ...], list[int]]:
    """The names of the planes, and the codes of those that stand for one."""
    rules, topology = play.setting.rules, play.setting.board.topology
    named = [("hidden", Mark.HIDDEN.value)]
    if play.flags:
        named.append(("flag", FLAG_CODE))
    if rules.on_mine is OnMine.CONTINUE:
        named.append(("mine", Mark.MINE.value))
    most = int(topology.degrees.max())
    through = channel(rules.clues)
    if any(
        through.likelihood(None, true, near)
        for near in np.unique(topology.degrees).tolist()
        for true in range(near + 1)
    ):
        named.append(("blank", Mark.BLANK.value))
    named += [(str(clue), clue) for clue in range(most + 1)]
    names = tuple(name for name, _ in named)
    return names + (("mines left",) if rules.total_known else ()), [code for _, code in named]
