"""Draw the pictures of docs/chains.md: run this file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import mineproof as mp
from mineproof.board.presets import World
from mineproof.chains.chains import draw_chain
from mineproof.game.transcript import Transcript

HERE = Path(__file__).parent / "chains"

REPORT_1 = ("2,4", "2,7", "3,1", "4,1", "5,2", "5,4", "5,5", "6,2", "6,3", "6,5")
"""The mines of the board that report 1 prints under its question 4."""


def report_1() -> World:
    """The 9x9 board with 10 mines of report 1."""
    topology = mp.Topology.parse("9x9")
    cells = [topology.cell(tuple(map(int, name.split(",")))) for name in REPORT_1]
    return World("report-1", mp.Layout.of(topology, cells))


def games() -> Iterator[tuple[str, Transcript]]:
    """The games that are drawn, by the name of their picture."""
    yield "report-1", mp.play(report_1(), "exact", given="0,0")
    yield "expert", mp.play("expert", "exact", seed=5, index=13)


def main() -> None:
    for name, game in games():
        (HERE / f"{name}.svg").write_text(draw_chain(mp.chains.of(game)), encoding="utf-8")


if __name__ == "__main__":
    main()
