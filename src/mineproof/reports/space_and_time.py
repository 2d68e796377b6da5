"""Space and time of every agent by density (report 1's question 6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mineproof import kernel
from mineproof.lab.figures import curves
from mineproof.lab.report import Block, Cell, Estimate, Figure, Table
from mineproof.reports.efficiency import Costs, costs_of
from mineproof.reports.estimates import curve_of
from mineproof.reports.workshop import Workshop

__all__ = ["space_and_time"]

AGENTS = (
    "random",
    "single-point",
    "partition",
    "partition[global]",
    "gauss",
    "resolution+random",
    "reductio",
    "sat",
    "exact",
)
IN_CORE = ("swift", "champion")
"""Agents that are too slow to be shown without the core, or do not play at all there."""
SIZE = "16x16"
PERCENTS = (10, 14, 18, 22, 26)
RULES = "first-click=safe given=0,0"

_Found = Mapping[tuple[str, int], Costs]


def space_and_time(workshop: Workshop) -> tuple[Block, ...]:
    """The table of costs, and a figure each of time and of space."""
    games = workshop.scale.games(24, 200)
    agents = (*AGENTS, *IN_CORE) if kernel.available() else AGENTS[:-1]
    workshop.say(f"001-costs: {games * len(agents) * len(PERCENTS):,} games")
    found = costs_of(workshop, "001-costs", agents, SIZE, PERCENTS, games, RULES)
    drawn = {key: costs for key, costs in found.items() if key[0] != AGENTS[0]}
    return (
        _table(found, games),
        _figure(
            drawn,
            "001-time",
            "Time by density: microseconds to decide on a step",
            "µs a step",
            lambda costs: costs.us_per_step,
            "A lost game ends early, so the time of a game falls where most are lost: the time of a"
            " step does not.",
        ),
        _figure(
            drawn,
            "001-space",
            "Space by density: the most that is kept at once in a game",
            "sets, clauses or equations",
            lambda costs: costs.most_kept,
            "partition keeps sets, resolution clauses; gauss, reductio and sat the open equations,"
            " which are the clues with unknown cells around them. The others keep no such base:"
            " their open equations are counted when a guess is due.",
        ),
    )


def _table(found: _Found, games: int) -> Table:
    rows: list[tuple[Any, ...]] = [
        (
            agent,
            percent / 100,
            costs.ms_per_game,
            costs.us_per_step,
            sum(costs.steps) / games,
            costs.open_equations,
            costs.most_kept,
            costs.keeps or "equations",
            costs.work_per_game,
            max(costs.most_work) if costs.unit else None,
            costs.unit or "not counted",
        )
        for (agent, percent), costs in found.items()
    ]
    return Table(
        "001-costs",
        f"Space and time of every agent by density, on {SIZE}",
        (
            "agent",
            "density",
            "ms a game",
            "µs a step",
            "steps a game",
            "most open equations",
            "most kept",
            "of these",
            "work a game",
            "most at once",
            "counted in",
        ),
        tuple(rows),
        f"Means over {games} games a density, the same deals for every agent, first cell 0,0 safe;"
        " processor time to decide, without the referee. The report stores the board of every"
        " iteration and calls that its space constraint; here a game keeps its steps and one"
        " knowledge base. It says that fewer mines take less time: see the time of a step."
        " resolution+random guesses where resolution alone would stop.",
    )


def _figure(
    found: _Found,
    name: str,
    title: str,
    y_label: str,
    number: Callable[[Costs], Estimate],
    note: str,
) -> Figure:
    agents = tuple(dict.fromkeys(agent for agent, _ in found))
    shown = {key: number(costs) for key, costs in found.items()}
    svg = curves(
        name,
        title,
        [
            curve_of(agent, ((percent / 100, shown[agent, percent]) for percent in PERCENTS))
            for agent in agents
        ],
        x_label="mine density",
        y_label=y_label,
        log=True,
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (percent / 100, *(shown[agent, percent] for agent in agents)) for percent in PERCENTS
    )
    return Figure(name, title, svg, Table(name, title, ("density", *agents), rows), note)
