"""The exact engine on large boards: played boards, many components, and a whole game."""

from __future__ import annotations

import time
from collections.abc import Iterator

from benchmarks.child import measured
from benchmarks.peers import ms_toollib_times
from benchmarks.positions import patches, play_certain, played
from benchmarks.result import Result, UnavailableError, best_of
from mineproof import kernel
from mineproof.board import Topology, deal
from mineproof.board.layout import mine_free_cells
from mineproof.engine.exact import analyze
from mineproof.game.referee import Referee
from mineproof.rules import FirstClick, Mines


def bench() -> Iterator[Result]:
    if not kernel.available():
        raise UnavailableError("needs the compiled core")
    view = played(100, 100, 2000, 0.8)
    yield Result(
        "played 100x100/2000",
        "positions",
        1,
        best_of(20, lambda: analyze(view).p.array),
        promised=1 / 0.2e-3,
        peer=ms_toollib_times([view])[0],
    )
    for mines, share, milliseconds in ((150_000, 0.99, 10), (200_000, 0.88, 40)):
        found = measured(played(1000, 1000, mines, share))
        yield Result(
            f"played 1000x1000/{mines}, {share:.0%} of the safe cells open",
            "positions",
            1,
            found.seconds,
            promised=1000 / milliseconds,
            megabytes=found.megabytes,
            most_megabytes=200,
        )
    for side, apart, components in ((500, 5, 7_100), (1000, 5, 28_400)):
        found = measured(patches(side, apart))
        yield Result(
            f"about {components:,} components on {side}x{side}",
            "components",
            components,
            found.seconds,
            promised=components / (0.2 * components / 25_000),
            megabytes=found.megabytes,
        )
    yield Result(
        "whole game 1000x1000/150000, certain cells only", "games", 1, whole_game(), 1 / 30
    )


def whole_game() -> float:
    """Seconds of a game that a Session plays; where it is stuck it is given a random safe cell."""
    topology = Topology.parse("1000x1000")
    free = mine_free_cells(topology, FirstClick.OPENING, (topology.centre,))
    layout = deal(topology, Mines.number(150_000), 1, 0, free)
    referee = Referee(layout)
    start = time.process_time()
    referee.open(topology.centre)
    play_certain(referee, layout, 1.0)
    assert referee.over
    return time.process_time() - start
