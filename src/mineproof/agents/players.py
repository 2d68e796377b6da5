"""`swift` and `champion`: the players of the compiled core that have no Python twin.

Here are their names, options and first cells. How they guess is C++: `cpp/search/swift.cpp` looks
one clue ahead, and `cpp/search/champion.cpp` adds the rollouts (`cpp/search/rollout.cpp`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar

import numpy as np

from mineproof import kernel
from mineproof.board.topology import Topology
from mineproof.engine.analysis import Premises, Verdict
from mineproof.engine.exact import core_board_of
from mineproof.errors import InputError, RulesError
from mineproof.graphs import distances
from mineproof.kernel import core
from mineproof.logics.base import Option, OptionValue
from mineproof.logics.exact import ExactLogic
from mineproof.rng import Stream
from mineproof.rules import FirstClick, Rules
from mineproof.view.view import View, code_bytes

# ----------------------------------------------------------------------------
# What both share.
#
# The core is shown what the player sees and nothing else. A decision depends on what is shown and
# on one number drawn from the agent's stream, so games played wholly in the core are the same games
# that the Python referee plays with these agents. The players of the core know neither unreliable
# clues nor an unknown total: there the agent `exact` plays in their place, and options, which it
# does not have, are refused.

_PREMISES = Premises(total=True)


def needs_core(name: str) -> None:
    """Raises InputError where the core is not compiled."""
    if not kernel.available():
        raise InputError(
            f"agent {name} needs the compiled core, which is not there; accepted: such as exact"
        )


class CoreLogic(ExactLogic):
    """Proves what the core's player proves, and knows its guess. Raises InputError without a core.

    It proves all that is certain, as `exact` does and in the same order.
    """

    player: ClassVar[str]

    def __init__(self, **given: float) -> None:
        needs_core(self.player)
        super().__init__()
        self.given = given

    def check_rules(self, rules: Rules, cells: int) -> None:
        """Raises RulesError where it was given options and the core does not know the rules."""
        total = rules.mines.fixed(cells) if rules.total_known else None
        if self.given and (total is None or rules.clues != "exact"):
            raise RulesError(
                f"{self.player}[{','.join(self.given)}] needs exact clues and a known number of"
                f" mines; accepted: {self.player} without options, which then plays as exact"
            )

    def begin(self, view: View) -> None:
        self.check_rules(view.rules, len(view))
        super().begin(view)
        self._seat = self._take_seat(view)
        self._keyed = False

    def _take_seat(self, view: View) -> core.Seat | None:
        total, rules = view.total, view.rules
        if total is None or rules.clues != "exact" or view.free:
            return None
        return core.Seat(
            core_board_of(view.topology).board,
            total,
            rules.first_click.value,
            first_cells(view.topology, rules.first_click, total),
            self.player,
            self.given,
        )

    def learn(self, view: View) -> Verdict:
        if self._seat is None:
            return super().learn(view)
        try:
            safe, mines = self._seat.prove(code_bytes(view))
        except (core.Contradiction, core.OverBudget):
            return super().learn(view)  # this says which clues clash
        if safe and self._told.issuperset(safe):
            # Told and still hidden: a flag that is not the agent's stands there. The core's player
            # has no more to say then, but more may be certain.
            return super().learn(view)
        return self._tell(safe, mines, _PREMISES)

    def guess(self, view: View, rng: Stream) -> tuple[int, float, int] | None:
        """The guess at a view in which nothing is proved safe: cell, risk, among how many cells.

        None where the core does not know these rules, or there is nothing to guess.
        """
        if self._seat is None:
            return None
        if not self._keyed:
            self._seat.begin(rng.next())
            self._keyed = True
        try:
            safe, mines = self._seat.prove(code_bytes(view))
        except (core.Contradiction, core.OverBudget):
            return None
        return None if safe or len(mines) == view.hidden_count else self._seat.guess()


# ----------------------------------------------------------------------------
# Good first cells by the rule of the first click, on any topology.
#
# If only the first cell is kept free of mines, or nothing is, a cell with the fewest neighbours is
# best: it shows a 0 most often, and so opens an area. If its neighbours are kept free too, an area
# is certain, and one with room on all sides is best: a cell near the first corner with no edge of
# the board within two steps, or three where mines are dense. `docs/champion.md` has the
# measurements.

_DENSE = 0.18
"""The share of mines from which on three steps of room are better than two: between Intermediate's
15.6 %, where two are, and Expert's 20.6 %, where three are."""


@lru_cache(maxsize=64)
def first_cells(topology: Topology, first_click: FirstClick, mines: int) -> tuple[int, ...]:
    """Equally good first cells, in ascending order; never empty on a board with a cell.

    Under `opening` they leave room for the mines, if any cell does.
    """
    if first_click is FirstClick.OPENING:
        steps = 3 if mines >= _DENSE * len(topology) else 2
        near = _within(topology, topology.corner, 2 * steps)
        roomy = [cell for cell in near if 1 + topology.degree(cell) + mines <= len(topology)]
        if roomy:
            # `near` goes from the corner outwards, and max keeps the first of equals.
            return (max(roomy, key=lambda cell: len(_within(topology, cell, steps))),)
    degrees = topology.degrees
    return tuple(np.flatnonzero(degrees == degrees.min()).tolist())


def _within(topology: Topology, start: int, steps: int) -> list[int]:
    """The cells up to some steps away, the nearest first, each ring in ascending order."""
    found = distances([start], topology.neighbours, most=steps)
    return sorted(found, key=lambda cell: (found[cell], cell))


class Swift(CoreLogic):
    """`swift`: looks one clue ahead, and plays best at the end.

    A guess is scored by the expected safety of the next move, over every clue that its cell may
    show, plus a share for guesses that cannot be avoided anyway. The cell with the highest score is
    opened. Where few enough solutions are left, the endgame plays best. The code is
    `cpp/search/swift.cpp`, with the lookahead, sealed pairs and endgame beside it; it has no Python
    twin. `docs/champion.md` says why it is so.
    """

    player = "swift"
    options = (
        Option(
            "endgame", "best play where a region has at most this many solutions", OptionValue.COUNT
        ),
        Option("influence", "weight of the influence of sealed pairs", OptionValue.SHARE),
        Option(
            "second",
            "weight of the second-best safety in the score; the best has the rest",
            OptionValue.SHARE,
        ),
        Option(
            "window",
            "candidates are at least this share as safe as the safest cell",
            OptionValue.SHARE,
        ),
        Option("zero", "bonus for showing a 0, as long as none is open", OptionValue.SHARE),
    )


class Champion(CoreLogic):
    """`champion`: as swift, with rollouts where cells are close.

    Where several cells have nearly the same score, each is opened on the same random layouts and
    played on, and the results are weighed against the scores. More layouts are tried as long as
    their value of information exceeds their price. The code is `cpp/search/champion.cpp`, which
    decides between the cells and memoises the policy; beside it, `rollout.cpp` plays one layout on
    and `sweep*` opens what is easy. It has no Python twin. `docs/champion.md` has the reasons and
    the measurements.
    """

    player = "champion"
    options = (
        *Swift.options,
        Option("rollouts", "layouts tried at most for one guess; 0: none", OptionValue.COUNT),
        Option("work", "positions worked out at most for one guess", OptionValue.COUNT),
        Option("candidates", "cells tried at most, including `swift`'s choice", OptionValue.COUNT),
        Option(
            "slack",
            "a cell is tried if its score comes this near to that of `swift`'s choice",
            OptionValue.SHARE,
        ),
        Option(
            "price",
            "gain in the chance to win that working out one more position must promise",
            OptionValue.SHARE,
        ),
        Option(
            "spread",
            "prior standard deviation of an advantage about what the scores say, as a share of the"
            " chance to win",
            OptionValue.SHARE,
        ),
        Option("trust", "weight of the rollouts against the scores, at most", OptionValue.SHARE),
        Option(
            "fresh",
            "layouts on which the gain of a changed decision is measured; 0: it is not measured",
            OptionValue.COUNT,
        ),
    )


# -- The players by name -------------------------------------------------------

PLAYERS: Mapping[str, type[CoreLogic]] = {player.player: player for player in (Swift, Champion)}
"""Each is a logic and a guessing policy."""
