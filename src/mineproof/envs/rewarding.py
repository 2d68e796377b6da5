"""What a move is paid, and what is told of it, so that a run can be judged apart from luck.

| reward | what a move is paid |
|---|---|
| `win` | 1 for the move that wins |
| `cells` | 1 for every safe cell that it opens |
| `regret` | minus the chance to win that it gave away against the best move |
| `sound` | -1 if it opened a risky cell while another was certainly safe |

| info | what is told of a move |
|---|---|
| `risk` | the exact chance that it opened a mine |
| `certain` | what was certain before it: 1 for a safe cell, 2 for a mine, 0 for neither |
| `regret` | the chance to win that it gave away |

Regret is exact near the end of a game. Before it, games are played out for the move and for the
best one, `samples` of them for each; with 0, regret is the risk beyond that of the best move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mineproof.advice.advising import is_promised
from mineproof.advice.judging import Effort, judge
from mineproof.agents.decision import Decision
from mineproof.envs.batch import Batch
from mineproof.errors import BudgetExceeded, InputError, UnknownName
from mineproof.inference.engine.exact import analyze_many
from mineproof.registry import Catalog
from mineproof.view.view import View
from mineproof.whole import whole

__all__ = ["INFOS", "REWARDS", "JudgedMoves", "Rewarding"]

INFOS = ("risk", "certain", "regret")


@dataclass(frozen=True)
class JudgedMoves:
    """What is known of the moves of one step; entries of games that opened nothing are 0."""

    opened: NDArray[np.int32]
    won: NDArray[np.uint8]
    risk: NDArray[np.float64]
    certain: NDArray[np.int8]
    regret: NDArray[np.float64]
    unsound: NDArray[np.bool_]

    @classmethod
    def by_result(cls, batch: Batch) -> JudgedMoves:
        """What the batch itself tells of the last step, whichever that is: all that `win` and
        `cells` ask for.
        """
        none = np.zeros(0)
        return cls(batch.opened, batch.won, none, none.astype(np.int8), none, none.astype(np.bool_))


Reward = Callable[[JudgedMoves], NDArray[np.float64]]

REWARDS: Catalog[Reward] = Catalog("reward")
REWARDS.add("win", lambda judged: judged.won.astype(np.float64))
REWARDS.add("cells", lambda judged: judged.opened.astype(np.float64))
REWARDS.add("regret", lambda judged: np.subtract(0.0, judged.regret))
REWARDS.add("sound", lambda judged: np.subtract(0.0, judged.unsound.astype(np.float64)))

_ANALYSED = ("sound",)


class Rewarding:
    """Pays moves and tells of them what is asked. Raises InputError for unknown names."""

    def __init__(self, reward: str, info: str | Iterable[str], samples: int, threads: int) -> None:
        self._reward = REWARDS[reward]
        names = [info] if isinstance(info, str) else list(info)
        for name in names:
            if name not in INFOS:
                raise UnknownName("info", name, INFOS)
        if (samples := whole(samples, "samples")) < 0:
            raise InputError(f"{samples} samples; accepted: 0 or more")
        self.told = tuple(name for name in INFOS if name in names)
        self._regrets = reward == "regret" or "regret" in names
        self._analyses = reward in _ANALYSED or not {"risk", "certain"}.isdisjoint(names)
        self._effort = Effort(samples=samples)
        self._threads = threads

    @property
    def judges(self) -> bool:
        """Whether positions are looked at before a move, which costs far more than the move."""
        return self._regrets or self._analyses

    def judge(
        self, batch: Batch, views: Sequence[View | None], cells: Sequence[int]
    ) -> JudgedMoves:
        """What was done in this step: cells were opened in these views; None opened nothing.

        Raises BudgetExceeded where a position is too wide to count.
        """
        games, size = batch.shown.shape
        judged = JudgedMoves(
            batch.opened,
            batch.won,
            np.zeros(games),
            np.zeros((games, size if self._analyses else 0), dtype=np.int8),
            np.zeros(games),
            np.zeros(games, dtype=np.bool_),
        )
        moves = [(game, view) for game, view in enumerate(views) if view is not None]
        if self._analyses:
            analyses = analyze_many([view for _, view in moves], threads=self._threads)
            for (game, view), analysis in zip(moves, analyses, strict=True):
                if is_promised(view):
                    continue
                chances, hidden = analysis.p.array, list(view.hidden)
                judged.risk[game] = chances[cells[game]]
                judged.certain[game, hidden] = _certain(chances[hidden])
                sure = bool((judged.certain[game] == 1).any())
                judged.unsound[game] = sure and judged.risk[game] > 0.0
        if self._regrets:
            for game, view in moves:
                lost = judge(view, Decision.open(cells[game]), self._effort).lost
                if lost is None:
                    raise BudgetExceeded(
                        "a position is too wide to count; accepted: another reward"
                    )
                judged.regret[game] = lost
        return judged

    def paid(self, judged: JudgedMoves) -> NDArray[np.float64]:
        return self._reward(judged)

    def tells(self, judged: JudgedMoves) -> dict[str, NDArray[Any]]:
        """What is told, by name."""
        return {name: getattr(judged, name) for name in self.told}


def _certain(chances: NDArray[np.float64]) -> NDArray[np.int8]:
    found = np.zeros(len(chances), dtype=np.int8)
    found[chances == 0.0] = 1
    found[chances == 1.0] = 2
    return found
