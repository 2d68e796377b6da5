"""The largest number of mines that an agent still usually solves, by board size (report 1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mineproof.lab.experiment import Experiment
from mineproof.lab.report import Block, Table
from mineproof.reports.estimates import half_point
from mineproof.reports.workshop import GameNumbers, Workshop

__all__ = ["mines_tried", "most_mines"]

SIZES = ((8, 8), (16, 16), (16, 30), (24, 30))
QUICK_PERCENTS = (10, 13, 16, 19, 22)
FULL_PERCENTS = tuple(range(8, 27))


def most_mines(workshop: Workshop, agents: Sequence[str]) -> tuple[Block, ...]:
    """The table: for each size the mines at which half the games are won."""
    games = workshop.scale.games(24, 300)
    percents = FULL_PERCENTS if workshop.scale.in_full else QUICK_PERCENTS
    counts = {size: mines_tried(size, percents) for size in SIZES}
    boards = [f"{rows}x{cols}/{mines}" for (rows, cols), all_ in counts.items() for mines in all_]
    played = workshop.play(
        "001-most-mines",
        Experiment.of(
            agents,
            boards=boards,
            games=games,
            seed=workshop.seed,
            first_click="safe",
            given="0,0",
        ),
    )
    rows: list[tuple[Any, ...]] = []
    first = 0
    for size, tried in counts.items():
        places = range(first, first + len(tried))
        first += len(tried)
        rows += [_row(played, agent, size, tried, places) for agent in agents]
    return (
        Table(
            "001-most-mines",
            "The largest number of mines solved in at least half the games",
            ("board", "agent", "most mines tried with half won", "half won at", "density there"),
            tuple(rows),
            f"{games} games for each number of mines, at {len(percents)} densities a board, first"
            " cell 0,0 safe. Half won at: where a logistic line through the shares crosses one"
            " half. The report's own row crosses it between 70 and 75 mines on 16x30.",
        ),
    )


def mines_tried(size: tuple[int, int], percents: Sequence[int]) -> list[int]:
    """The numbers of mines of these densities; two that round to one number are one."""
    return sorted({round(size[0] * size[1] * percent / 100) for percent in percents})


def _row(
    played: GameNumbers, agent: str, size: tuple[int, int], counts: list[int], places: range
) -> tuple[Any, ...]:
    won = [int(played.column("won", agent, place).sum()) for place in places]
    games = [len(played.column("won", agent, place)) for place in places]
    half = [mines for mines, wins, n in zip(counts, won, games, strict=True) if 2 * wins >= n]
    crossing = half_point(counts, won, games)
    density = None if crossing is None else f"{100 * crossing.value / (size[0] * size[1]):.1f} %"
    return f"{size[0]}x{size[1]}", agent, max(half, default=None), crossing, density
