"""The players' measures of a recorded game, as ms_toollib defines them and a few beside them.

Where ours differ, on purpose: a board's 3BV is counted and not taken from the file's header; of a
game that was lost, pluck is the sum up to its end and not infinite; a measure without a meaning,
such as STNB off the three standard boards, is None and not 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from mineproof.agents.agent import Action, cells_to_open
from mineproof.board.layout import measure
from mineproof.engine.analysis import Budget
from mineproof.engine.exact import analyze, chance_of_any_mine
from mineproof.errors import BudgetExceeded, InconsistentPosition
from mineproof.replay.clicks import ClickRecord
from mineproof.replay.record import Replay
from mineproof.replay.zini import BestZini, ClickParts, ZiniMeasures

_STNB = {(8, 8, 10): 36.0, (16, 16, 40): 162.0, (16, 30, 99): 435.0}
_BUDGET = Budget(states=2_000_000)

DEFINITIONS: Mapping[str, tuple[str, str]] = {
    "time": ("Time", "seconds, as the program that recorded the game kept them"),
    "bbbv": ("3BV", "the fewest clicks that open every safe cell without chords"),
    "bbbv_s": ("3BV/s", "the 3BV that was opened, per second"),
    "openings": ("Openings", "areas of zeros"),
    "islands": ("Islands", "areas of the 3BV cells that no opening uncovers"),
    "zini": ("ZiNi", "greedy: clicks with flags and chords, by the highest premium, on any cell"),
    "hzini": ("HZiNi", "ZiNi after a click on every opening, with chords on open clues only"),
    "best_zini": ("Best ZiNi", "the fewest clicks with flags and chords that a search found"),
    "zini_bound": ("ZiNi bound", "a number of clicks that no plan is below"),
    "left": ("Left", "left clicks"),
    "right": ("Right", "right clicks"),
    "double": ("Chords", "clicks with both buttons or the middle one"),
    "clicks": ("Clicks", "all clicks"),
    "effective": ("Effective", "clicks that opened a cell or flagged a mine for the first time"),
    "lost": ("Lost", "clicks that did neither"),
    "solved": ("Solved 3BV", "the 3BV that was opened"),
    "ioe": ("IOE", "index of efficiency: solved 3BV per click"),
    "corr": ("Corr", "correctness: effective clicks per click"),
    "thrp": ("ThrP", "throughput: solved 3BV per effective click"),
    "rqp": ("RQP", "rapport qualit\u00e9 prix: time squared per solved 3BV"),
    "qg": ("QG", "time to the 1.7 per solved 3BV"),
    "ios": ("IOS", "index of speed: log of the solved 3BV / log of the time"),
    "stnb": ("STNB", "c times solved 3BV per time to the 1.7, for the three standard boards"),
    "zne": ("ZNE", "ZiNi efficiency: the solved share of ZiNi per click"),
    "znt": ("ZNT", "ZiNi throughput: the solved share of ZiNi per effective click"),
    "path": ("Path", "the way of the mouse over the board in pixels, at 16 pixels a cell"),
    "pluck": ("Pluck", "-log10 of the chance that every opening after the first was safe"),
}
"""The name and the meaning of each measure, by its key in `statistics`."""


def _ratio(one: float, other: float) -> float:
    return one / other if other else 0.0


@dataclass(frozen=True)
class Statistics:
    """The measures of a game. `pluck` and the best ZiNi are worked out when they are asked for."""

    replay: Replay

    @cached_property
    def values(self) -> dict[str, float | int | None]:
        """Every measure but pluck, by its key."""
        replay, played = self.replay, self.replay.played
        board = measure(replay.layout)
        time, solved = replay.seconds, played.solved
        clicks = played.left + played.right + played.double
        share = _ratio(solved, board.three_bv)
        return {
            "time": time,
            "bbbv": board.three_bv,
            "bbbv_s": _ratio(solved, time) if time else None,
            "openings": board.openings,
            "islands": board.islands,
            "zini": self.zini.zini,
            "hzini": self.zini.hzini,
            "left": played.left,
            "right": played.right,
            "double": played.double,
            "clicks": clicks,
            "effective": played.effective,
            "lost": clicks - played.effective,
            "solved": solved,
            "ioe": _ratio(solved, clicks),
            "corr": _ratio(played.effective, clicks),
            "thrp": _ratio(solved, played.effective),
            "rqp": time**2.0 / solved if solved else None,
            "qg": time**1.7 / solved if solved else None,
            "ios": math.log(solved) / math.log(time) if solved and time > 1 else None,
            "stnb": self._stnb(solved, share),
            "zne": _ratio(self.zini.zini * share, clicks),
            "znt": _ratio(self.zini.zini * share, played.effective),
            "path": played.path,
        }

    def _stnb(self, solved: int, share: float) -> float | None:
        replay = self.replay
        factor = _STNB.get((replay.rows, replay.cols, replay.layout.total))
        if factor is None or not replay.seconds:
            return None
        return float(factor * solved / replay.seconds**1.7 * share**0.5)

    @cached_property
    def zini(self) -> ZiniMeasures:
        return ZiniMeasures(ClickParts(self.replay.layout))

    @property
    def best_zini(self) -> BestZini:
        return self.zini.best

    @cached_property
    def pluck(self) -> float | None:
        """Luck as players measure it; None where a mine was opened that was certain."""
        return pluck_of(self.replay.played)

    def to_json(self) -> dict[str, float | int | None]:
        best = self.best_zini
        return {
            **self.values,
            "best_zini": best.clicks,
            "zini_bound": best.bound,
            "pluck": self.pluck,
        }


def statistics_of(replay: Replay) -> Statistics:
    """The measures of a game."""
    return Statistics(replay)


def pluck_of(played: ClickRecord) -> float | None:
    """The negative decimal logarithm of the chance that all openings after the first were safe.

    The cells of a chord are one event. A position too wide to count adds nothing.
    """
    found = 0.0
    first = True
    views = played.transcript.views()
    for view, step in zip(views, played.transcript.steps, strict=False):
        decision = step.decision
        if decision.action not in (Action.OPEN, Action.CHORD):
            continue
        if first and decision.action is Action.OPEN:
            first = False
            continue
        cells = cells_to_open(view, decision)
        try:
            analysis = analyze(view, budget=_BUDGET)
            if len(cells) == 1:
                risk = analysis.p[cells[0]]
            else:
                risk = chance_of_any_mine(analysis, cells, _BUDGET)
        except (BudgetExceeded, InconsistentPosition):
            continue
        if risk >= 1.0:
            return None
        if risk > 0.0:
            found -= math.log10(1.0 - risk)
    return found
