"""Games that need no guess: the board is made at the first click, so that it is solved from there.

`generate` with the same board, seed and first cell makes the same one. What takes longer than a
moment is made in a process that can be ended.
"""

from __future__ import annotations

from collections.abc import Mapping
from threading import Semaphore
from typing import Any

from mineproof import kernel
from mineproof.board.layout import Layout
from mineproof.errors import BoardError, BudgetExceeded
from mineproof.generation.beginning import Beginning
from mineproof.generation.certificate_file import to_line
from mineproof.generation.certifying import certify
from mineproof.generation.generated import Making, NoGuessBoard
from mineproof.generation.no_guess import FEW_LAYOUTS, generate
from mineproof.surfaces.web.faults import Refused
from mineproof.surfaces.web.limits import CoachLimits
from mineproof.surfaces.web.shapes import read_setting
from mineproof.surfaces.web.task_doers import TaskDoers
from mineproof.view.setting import Setting

__all__ = ["NoGuessDealing", "certificate_json", "made_json", "no_guess_setting"]

_AT_ONCE = 512
"""Deals that are tried here: enough for every level, and a fraction of a second on flat boards."""
_FLAT = ("square", "torus", "hex", "hexagon", "triangle")
"""Boards whose deals the exact engine judges in little time and memory, whatever the mines."""


def no_guess_setting(
    board: str, first_click: str | None, clues: str | None, limits: CoachLimits
) -> Setting:
    """What is played without guesses; the first click opens an area unless it is to be only safe.

    Raises InputError for rules under which no board is free of guesses.
    """
    setting = read_setting(board, first_click or "opening", clues, limits)
    topology = setting.board.topology
    if len(topology) > limits.no_guess_cells:
        raise BoardError(
            f"a board of {len(topology)} cells is too large for a game without guesses; accepted:"
            f" at most {limits.no_guess_cells}"
        )
    # The cell with the fewest neighbours leaves the most room for mines.
    Beginning.of(setting, int(topology.degrees.argmin()))
    return setting


class NoGuessDealing:
    """Makes the board of one game for its first cell, and remembers the last one it made.

    `slow` limits how many games together make boards that take long, and so hold a thread.
    """

    def __init__(
        self,
        name: str,
        setting: Setting,
        seed: int,
        limits: CoachLimits,
        workers: TaskDoers,
        slow: Semaphore,
    ) -> None:
        self._name, self._setting, self._seed = name, setting, seed
        self._limits, self._workers, self._slow = limits, workers, slow
        self._made: tuple[int, Layout] | None = None

    def __call__(self, first: int) -> Layout:
        """The layout for a first cell. Raises BoardError and Refused where none is found."""
        if self._made is None or self._made[0] != first:
            self._made = first, self._make(first)
        return self._made[1]

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
        asked = {**self._named(first), "seed": self._seed}
        seconds = self._limits.no_guess_seconds
        if not self._slow.acquire(blocking=False):
            raise Refused("busy", "too many boards are made at once; ask again shortly")
        try:
            cells = self._workers.ask(
                "no-guess",
                asked,
                seconds,
                "no board without guesses and with so many mines was found",
            )
        finally:
            self._slow.release()
        return Layout.of(self._setting.board.topology, cells)

    def _is_quick(self, first: int) -> bool:
        """Whether deals are tried without a limit of time: on no board that could need one."""
        beginning = Beginning.of(self._setting, first)
        return beginning.topology.name in _FLAT and beginning.layouts > FEW_LAYOUTS

    def certificate(self, first: int, layout: Layout) -> str:
        """The certificate of a board that was made, as a line. Raises Refused past its time."""
        asked = {**self._named(first), "mines": list(layout.cells)}
        seconds = self._limits.certificate_seconds
        said = self._workers.ask("certificate", asked, seconds, "the certificate was not made")
        return str(said)

    def _named(self, first: int) -> dict[str, Any]:
        return {
            "board": self._name,
            "first_click": self._setting.rules.first_click.value,
            "first": first,
        }


def made_json(asked: Mapping[str, Any]) -> list[int]:
    """The mines of a board without guesses; it may take long, so it runs in a worker."""
    setting = no_guess_setting(asked["board"], asked["first_click"], None, CoachLimits())
    made = generate(setting, first=asked["first"], seed=asked["seed"])
    return list(made[0].layout.cells)


def certificate_json(asked: Mapping[str, Any]) -> str:
    """The certificate of a board, every move with its smallest proof; it runs in a worker."""
    setting = no_guess_setting(asked["board"], asked["first_click"], None, CoachLimits())
    beginning = Beginning.of(setting, asked["first"])
    layout = Layout.of(beginning.topology, asked["mines"])
    return to_line(certify(NoGuessBoard(beginning, layout, Making.UNIFORM, 0, 0)))
