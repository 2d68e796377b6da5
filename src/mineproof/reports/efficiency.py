"""What agents cost: time, size of the knowledge base, size of the search tree (report 0)."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from mineproof.agents.logic_agent import LogicAgent
from mineproof.agents.policies import POLICIES
from mineproof.inference.logics.facts import Facts
from mineproof.inference.logics.reductio import Reductio
from mineproof.inference.logics.single_point import SinglePoint
from mineproof.inference.verdict import Logic, Verdict
from mineproof.lab.report import Block, Table
from mineproof.match.game import play_game
from mineproof.reports.workshop import Workshop
from mineproof.view.setting import Setting
from mineproof.view.view import View

__all__ = ["efficiency"]

_AGENTS: Mapping[str, tuple[Callable[[], Logic], str, bool]] = {
    "basic": (SinglePoint, "random", False),
    "reductio": (Reductio, "random", False),
    "reductio[better-decisions]": (Reductio, "local-ratio", False),
    "reductio[global]": (lambda: Reductio(use_total=True), "random", True),
}
_PERCENTS = (10, 30, 50)
_RULES = "first-click=any on-mine=continue"


class _Recorded:
    """A logic that records how many equations were open at once, and its search nodes."""

    def __init__(self, logic: Logic) -> None:
        self.logic = logic
        self.name = logic.name
        self.equations = 0
        self.nodes = 0
        self.largest_search = 0

    def begin(self, view: View) -> None:
        self.logic.begin(view)

    def learn(self, view: View) -> Verdict:
        verdict = self.logic.learn(view)
        nodes = verdict.effort.get("nodes", 0)
        self.nodes += nodes
        self.largest_search = max(self.largest_search, nodes)
        if not verdict:
            facts = Facts(view)
            facts.read(view)
            self.equations = max(self.equations, facts.open_count)
        return verdict

    def knowledge(self, view: View) -> str:
        return self.logic.knowledge(view)


def efficiency(workshop: Workshop) -> tuple[Block, ...]:
    """The table of costs per game."""
    games = workshop.scale.games(10, 100)
    rows: list[tuple[Any, ...]] = []
    for percent in _PERCENTS:
        for agent in _AGENTS:
            asked = {"agent": agent, "percent": percent, "games": games, "seed": workshop.seed}

            def work(agent: str = agent, percent: int = percent) -> list[float]:
                return _cost(agent, percent, games, workshop.seed)

            costs = workshop.measure("000-efficiency", asked, work)
            rows.append((agent, percent / 100, *costs))
    return (
        Table(
            "000-efficiency",
            "Efficiency: time, knowledge base and search tree, on 10x10",
            (
                "agent",
                "density",
                "ms a game",
                "most open equations",
                "nodes a game",
                "most nodes in one search",
            ),
            tuple(rows),
            f"Means over {games} games; the knowledge base is counted when a guess is due, the"
            " tree in values tried. The report names the search as its cost and leaves variable"
            " and value order undone; both are done here.",
        ),
    )


def _cost(agent: str, percent: int, games: int, seed: int) -> list[float]:
    make, policy, total = _AGENTS[agent]
    setting = Setting.of(f"10x10/{percent}%", _RULES, total=total)
    equations = nodes = largest = 0
    began = time.process_time()
    for index in range(games):
        play_game(setting, LogicAgent(make(), POLICIES[policy]), agent, seed, index)
    spent = time.process_time() - began
    for index in range(games):
        watched = _Recorded(make())
        play_game(setting, LogicAgent(watched, POLICIES[policy]), agent, seed, index)
        equations += watched.equations
        nodes += watched.nodes
        largest = max(largest, watched.largest_search)
    return [1000 * spent / games, equations / games, nodes / games, largest]
