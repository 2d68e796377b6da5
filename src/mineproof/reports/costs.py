"""What agents cost: time to decide, size of the knowledge base, work done (reports 0 and 1).

The clock runs only while the agent decides. Work and size are in the unit that each logic counts
in; the open equations, the clues with unknown cells around them, are counted for all alike.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from mineproof.agents.agent import Decision, Guessed, LogicAgent
from mineproof.agents.catalog import parse_agent
from mineproof.game.play import play_game
from mineproof.lab.report import Estimate
from mineproof.logics.base import Facts
from mineproof.reports.estimates import mean_of, ratio_of
from mineproof.reports.workshop import Workshop
from mineproof.rng import Stream
from mineproof.view.setting import Setting
from mineproof.view.view import View

KEPT = ("sets", "clauses", "equations")
"""The efforts of a verdict that say how much a logic keeps; all others are work done."""
LOOKS = "looks"
"""Looks at a clue: the work of a logic that does nothing else."""
_COUNTED = ("steps", "equations", "kept", "work", "most_work")


class MeteredAgent(LogicAgent):
    """An agent that notes what each of its decisions takes."""

    def __init__(self, agent: LogicAgent, clock: Callable[[], float]) -> None:
        super().__init__(agent.logic, agent.policy, agent.order)
        self._clock = clock

    def begin(self, view: View, rng: Stream) -> None:
        super().begin(view, rng)
        self.seconds = 0.0
        self.steps = 0
        self.equations = 0
        self.kept = 0
        self.work = 0
        self.most_work = 0

    def act(self, view: View) -> Decision:
        began = self._clock()
        decision = super().act(view)
        self.seconds += self._clock() - began
        self.steps += 1
        # Outside the clock. Games without a guess are counted at their first steps.
        if isinstance(decision.reason, Guessed) or not self.equations:
            facts = Facts(view)
            facts.read(view)
            self.equations = max(self.equations, facts.open_count)
        return decision

    def _learn(self, view: View) -> bool:
        before = self.effort.copy()
        found = super()._learn(view)
        spent: Counter[str] = self.effort - before
        work = spent[self.unit]
        self.kept = max(self.kept, spent[self.keeps])
        self.work += work
        self.most_work = max(self.most_work, work)
        return found

    @property
    def unit(self) -> str:
        """What its work is counted in; nothing where it counts none."""
        own = [name for name in self.effort if name not in (*KEPT, LOOKS)]
        return (own or [name for name in self.effort if name == LOOKS] or [""])[0]

    @property
    def keeps(self) -> str:
        """What it keeps; nothing where it counts no size."""
        return next((name for name in KEPT if name in self.effort), "")


@dataclass(frozen=True)
class AgentCosts:
    """What one agent's games at one density took, a number for each game."""

    ms: Sequence[float]
    steps: Sequence[int]
    equations: Sequence[int]
    kept: Sequence[int]
    work: Sequence[int]
    most_work: Sequence[int]
    keeps: str
    unit: str

    @property
    def ms_per_game(self) -> Estimate:
        return mean_of(self.ms, 2)

    @property
    def us_per_step(self) -> Estimate:
        return ratio_of([1000 * ms for ms in self.ms], self.steps)

    @property
    def open_equations(self) -> Estimate:
        return mean_of(self.equations, 1)

    @property
    def most_kept(self) -> Estimate:
        """The most that was kept at once; the open equations where a logic keeps nothing else."""
        return mean_of(self.kept, 1) if self.keeps else self.open_equations

    @property
    def work_per_game(self) -> Estimate | None:
        """None where the logic counts no work."""
        return mean_of(self.work, 0) if self.unit else None


def costs_of(
    workshop: Workshop,
    name: str,
    agents: Sequence[str],
    size: str,
    percents: Sequence[int],
    games: int,
    rules: str,
    *,
    told: bool = True,
) -> Mapping[tuple[str, int], AgentCosts]:
    """The costs of agents on a size of board, by agent and density; the same deals for all.

    Where they are not `told` the mine total, those with the option global still are.
    """
    found: dict[tuple[str, int], AgentCosts] = {}
    for percent in percents:
        for agent in agents:
            asked: dict[str, Any] = {
                "agent": agent,
                "board": f"{size}/{percent}%",
                "games": games,
                "rules": f"{rules} total={'known' if told or 'global' in agent else 'unknown'}",
                "seed": workshop.seed,
            }
            columns = workshop.measure(name, asked, partial(_play, **asked))
            found[agent, percent] = AgentCosts(**columns)
    return found


def _play(agent: str, board: str, games: int, rules: str, seed: int) -> dict[str, Any]:
    setting = Setting.of(board, rules)
    # Processor time: what else runs on the machine does not count.
    player = MeteredAgent(parse_agent(agent).make(), time.process_time)
    columns: dict[str, list[Any]] = {name: [] for name in _COUNTED}
    ms = []
    for index in range(games):
        play_game(setting, player, agent, seed, index)
        ms.append(1000 * player.seconds)
        for name, column in columns.items():
            column.append(getattr(player, name))
    return {"ms": ms, **columns, "keeps": player.keeps, "unit": player.unit}
