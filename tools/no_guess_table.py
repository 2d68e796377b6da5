"""Write the tables of docs/no-guess.md: which share of deals needs no guess.

    python tools/no_guess_table.py sizes --deals 20000
    python tools/no_guess_table.py logics --deals 20000 --played 1000

`sizes` is by size, density, first cell and first click, for the full logic. `logics` is by the
strength of the logic. What a weaker logic clears, the full one clears too, so the others are tried
only on deals that it cleared; `--played` limits the deals of those that are played in Python.
Shares come with Wilson's 95 % interval. Every column of a row uses the same deals, as far as they
go.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

import numpy as np

from mineproof import kernel
from mineproof.board.layout import Layout
from mineproof.chains.search import play_layout
from mineproof.engine.exact import core_board_of
from mineproof.generation.certificate import StartPosition
from mineproof.generation.no_guess import find_no_guess
from mineproof.generation.solvability import clears_all
from mineproof.text import wilson

SEED = 1
SIZES = ("9x9", "16x16", "16x30", "24x30")
DENSITIES = ("12%", "15%", "18%", "20%", "22%", "24%")
BOARDS = ("9x9/10", "16x16/40", "16x30/99", "20x30/130", "20x30/140", "hex:16x16/40")
PLAYED = ("resolution", "partition", "single-point")
"""Logics of Python. What they clear, the full logic clears by the clues alone."""


def share(cleared: int, deals: int) -> str:
    """`15.4 % (14.9 to 15.9)`."""
    low, high = wilson(cleared, deals)
    return f"{_percent(cleared / deals)} % ({_percent(low)} to {_percent(high)})"


def _percent(value: float) -> str:
    return f"{100 * value:.1f}" if value >= 0.01 else f"{100 * value:.2g}"


def sizes(deals: int, threads: int) -> Iterator[str]:
    """One row for a size and a density."""
    yield "| board | centre, opening | centre, safe | corner, opening | corner, safe |"
    yield "|---|---:|---:|---:|---:|"
    for size in SIZES:
        for density in DENSITIES:
            cells = []
            for where in ("centre", "corner"):
                for rule in ("opening", "safe"):
                    topology = StartPosition.of(f"{size}/0").topology
                    first = topology.centre if where == "centre" else topology.corner
                    beginning = StartPosition.of(f"{size}/{density}", first, first_click=rule)
                    kept = find_no_guess(beginning, SEED, 0, deals, deals, threads)
                    cells.append(share(len(kept.indices), deals))
            yield f"| {size}/{beginning.mines} ({density[:-1]} %) | {' | '.join(cells)} |"


def logics(deals: int, played: int, threads: int) -> Iterator[str]:
    """One row for a board, from the centre with an opening."""
    yield "| board | single-point | pairs | partition | resolution | full | full with total |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for board in BOARDS:
        beginning = StartPosition.of(board)
        indices = find_no_guess(beginning, SEED, 0, deals, deals, threads).indices
        layouts = [beginning.deal(SEED, index) for index in indices]
        by_clues = [
            (index, layout)
            for index, layout, clears in zip(
                indices,
                layouts,
                clears_all(layouts, beginning.first, total=False, threads=threads),
                strict=True,
            )
            if clears
        ]
        pairs = sum(_by_pairs(beginning, [layout for _, layout in by_clues]))
        found = {}
        candidates = [layout for index, layout in by_clues if index < played]
        for logic in PLAYED:
            cleared = sum(
                play_layout(layout, beginning.first, f"{logic}+stop").outcome.won
                for layout in candidates
            )
            found[logic] = share(cleared, played)
        columns = [
            found["single-point"],
            share(pairs, deals),
            found["partition"],
            found["resolution"],
            share(len(by_clues), deals),
            share(len(indices), deals),
        ]
        yield f"| {board} | {' | '.join(columns)} |"


def _by_pairs(beginning: StartPosition, layouts: list[Layout]) -> list[bool]:
    """Which layouts single clues and pairs of clues clear."""
    if not layouts:
        return []
    table = np.stack([layout.mines for layout in layouts])
    return kernel.core.clear_many(
        core_board_of(beginning.topology).board, beginning.mines, beginning.first, "pairs", table, 1
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("table", choices=("sizes", "logics"))
    parser.add_argument("--deals", type=int, default=20_000, help="deals for a share")
    parser.add_argument("--played", type=int, default=1_000, help="deals for logics of Python")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    if not kernel.available():
        print("needs the compiled core", file=sys.stderr)
        return 1
    if options.table == "sizes":
        lines = sizes(options.deals, options.threads)
    else:
        lines = logics(options.deals, min(options.played, options.deals), options.threads)
    for line in lines:
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
