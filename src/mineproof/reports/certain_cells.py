"""Which share of the certain cells each logic finds, by density (report 1's question 2).

Positions: boards of 16x16 with 40 safe cells opened at random, zeros with their neighbours. Certain
are the cells that the exact engine proves, from the clues and the mine total.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mineproof.inference.provers import PROVERS
from mineproof.lab.figures import curves
from mineproof.lab.report import Block, Estimate, Figure, Table
from mineproof.match.referee import Referee
from mineproof.reports.estimates import curve_of, ratio_of
from mineproof.reports.workshop import Workshop
from mineproof.view.setting import Setting

__all__ = ["certain_cells"]

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
RULES = "first-click=any given=random:40"


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

        def work(percent: int = percent) -> dict[str, list[int]]:
            return _found(percent, positions, workshop.seed)

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


def _found(percent: int, positions: int, seed: int) -> dict[str, list[int]]:
    setting = Setting.of(f"16x16/{percent}%", RULES)
    found: dict[str, list[int]] = {logic: [] for logic in (*SHOWN, REFERENCE)}
    for index in range(positions):
        view = Referee(setting, seed, index).view
        for logic, numbers in found.items():
            verdict = PROVERS[logic](view)
            numbers.append(len(verdict.safe) + len(verdict.mines))
    return found
