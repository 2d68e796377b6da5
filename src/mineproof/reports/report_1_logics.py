"""Report 1's questions on logics: which certain cells each one finds, and what each agent costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from mineproof import kernel
from mineproof.engine.analysis import Logic, Prover, infer
from mineproof.engine.enumerate import prove_by_enumeration
from mineproof.engine.exact import prove_by_counting
from mineproof.game.referee import Referee
from mineproof.lab.figures import curves
from mineproof.lab.report import Block, Cell, Estimate, Figure, Table
from mineproof.logics.base import SinglePoint
from mineproof.logics.gauss import Gauss
from mineproof.logics.partition import Partition
from mineproof.logics.reductio import Reductio
from mineproof.logics.resolution import Resolution
from mineproof.logics.sat import Sat
from mineproof.registry import Catalog
from mineproof.reports.costs import AgentCosts, costs_of
from mineproof.reports.estimates import curve_of, ratio_of
from mineproof.reports.workshop import Workshop
from mineproof.view.setting import Setting

# ----------------------------------------------------------------------------
# The catalog of provers: every logic, asked once.
#
# A prover answers for a position from scratch; the logic behind it follows a game. The names are
# those of the logics, with their options: `partition[global]` uses the mine total.


def _prover_of(make: Callable[[], Logic]) -> Prover:
    """Asks a fresh logic for everything it can prove."""
    return lambda view: infer(make(), view)


PROVERS: Catalog[Prover] = Catalog("logic")
PROVERS.add("single-point", _prover_of(SinglePoint))
PROVERS.add("partition", _prover_of(Partition))
PROVERS.add("partition[global]", _prover_of(partial(Partition, use_total=True)))
PROVERS.add("gauss", _prover_of(Gauss))
PROVERS.add("resolution", _prover_of(Resolution))
PROVERS.add("resolution[global=25]", _prover_of(partial(Resolution, total_cells=25)))
PROVERS.add("reductio", _prover_of(Reductio))
PROVERS.add("reductio[global]", _prover_of(partial(Reductio, use_total=True)))
PROVERS.add("sat", _prover_of(Sat))
PROVERS.add("sat[safe-only]", _prover_of(partial(Sat, safe_only=True)))
PROVERS.add("sat[global]", _prover_of(partial(Sat, use_total=True)))
PROVERS.add("exact", prove_by_counting)
PROVERS.add("enumerate", prove_by_enumeration)


# ----------------------------------------------------------------------------
# Which share of the certain cells each logic finds, by density (report 1's question 2).
#
# Positions: boards of 16x16 with 40 safe cells opened at random, zeros with their neighbours.
# Certain are the cells that the exact engine proves, from the clues and the mine total.

SHOWN = (
    "single-point",
    "partition",
    "partition[global]",
    "gauss",
    "resolution",
    "reductio",
    "sat",
    "sat[global]",
)
REFERENCE = "exact"
PERCENTS = (10, 14, 18, 22, 26)
POSITION_RULES = "first-click=any given=random:40"


def certain_cells(workshop: Workshop) -> tuple[Block, ...]:
    """The figure with its table."""
    positions = workshop.scale.games(40, 200)
    workshop.say(f"001-certain: {positions * len(PERCENTS)} positions")
    shares: dict[str, list[Estimate]] = {logic: [] for logic in (*SHOWN, REFERENCE)}
    certain: list[float] = []
    for percent in PERCENTS:
        asked = {
            "engines": [*SHOWN, REFERENCE],
            "percent": percent,
            "positions": positions,
            "seed": workshop.seed,
        }
        work = partial(_count_certain, percent, positions, workshop.seed)
        found = workshop.measure("001-certain", asked, work)
        certain.append(float(np.mean(found[REFERENCE])))
        for logic, numbers in shares.items():
            numbers.append(ratio_of(found[logic], found[REFERENCE], percent=True))
    series = [
        curve_of(logic, zip((percent / 100 for percent in PERCENTS), shares[logic], strict=True))
        for logic in (*SHOWN, REFERENCE)
    ]
    title = "Does it deduce everything it can? Share of the certain cells found"
    svg = curves(
        "001-certain",
        title,
        series,
        x_label="mine density",
        y_label="certain cells found",
        percent=True,
    )
    rows: list[tuple[Any, ...]] = [
        (percent / 100, certain[place], *(numbers[place] for numbers in shares.values()))
        for place, percent in enumerate(PERCENTS)
    ]
    columns = ("density", "certain cells per position", *shares)
    table = Table("001-certain", title, columns, tuple(rows))
    least = min(shares["partition"], key=lambda share: share.value)
    note = (
        f"{positions} positions per density; intervals by the bootstrap over positions. The report"
        " believes that its program deduces everything from a given cell; of what follows from all"
        f" clues and the total, partition finds no less than {100 * least.value:.1f} % at any"
        " density here. resolution takes in the total when nine cells are left; reductio and sat"
        " use all clues together and no total, so they find the same; sat[global] uses the total"
        " too, and finds what exact finds."
    )
    return (Figure("001-certain", title, svg, table, note),)


def _count_certain(percent: int, positions: int, seed: int) -> dict[str, list[int]]:
    setting = Setting.of(f"16x16/{percent}%", POSITION_RULES)
    found: dict[str, list[int]] = {logic: [] for logic in (*SHOWN, REFERENCE)}
    for index in range(positions):
        view = Referee(setting, seed, index).view
        for logic, numbers in found.items():
            verdict = PROVERS[logic](view)
            numbers.append(len(verdict.safe) + len(verdict.mines))
    return found


# -- Space and time of every agent by density (report 1's question 6) ----------

COST_AGENTS = (
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
COST_SIZE = "16x16"
COST_RULES = "first-click=safe given=0,0"

_CostsByAgent = Mapping[tuple[str, int], AgentCosts]


def space_and_time(workshop: Workshop) -> tuple[Block, ...]:
    """The table of costs, and a figure each of time and of space."""
    games = workshop.scale.games(24, 200)
    agents = (*COST_AGENTS, *IN_CORE) if kernel.available() else COST_AGENTS[:-1]
    workshop.say(f"001-costs: {games * len(agents) * len(PERCENTS):,} games")
    found = costs_of(workshop, "001-costs", agents, COST_SIZE, PERCENTS, games, COST_RULES)
    drawn = {key: costs for key, costs in found.items() if key[0] != COST_AGENTS[0]}
    return (
        _cost_table(found, games),
        _cost_figure(
            drawn,
            "001-time",
            "Time by density: microseconds to decide on a step",
            "µs a step",
            lambda costs: costs.us_per_step,
            "A lost game ends early, so the time of a game falls where most are lost: the time of a"
            " step does not.",
        ),
        _cost_figure(
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


def _cost_table(found: _CostsByAgent, games: int) -> Table:
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
        f"Space and time of every agent by density, on {COST_SIZE}",
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


def _cost_figure(
    found: _CostsByAgent,
    name: str,
    title: str,
    y_label: str,
    number: Callable[[AgentCosts], Estimate],
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
