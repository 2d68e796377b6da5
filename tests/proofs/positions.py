"""Random positions of every topology and channel that have something to prove."""

from __future__ import annotations

import random

from mineproof.board import Layout, Topology
from mineproof.engine.exact import analyze
from mineproof.rules import Rules
from mineproof.view import Mark, View
from mineproof.view.channels import Shown, channel

BOARDS = {
    "square": "square:5x5",
    "square4": "square4:5x6",
    "torus": "torus:4x5",
    "hex": "hex:5x5",
    "hexagon": "hexagon:3",
    "triangle": "triangle:4x7",
    "cube": "cube:3x3x3",
    "graph": "graph:0-1,1-2,2-3,3-4,4-5,5-6,6-7,7-0,0-4,1-5,2-6,3-7,8-0,8-1,8-2,9-3,9-4,9-8",
}
MISSING = "table:" + ";".join(f"{n}:1" if n % 2 else f"{n}:1/4,-:3/4" for n in range(27))
"""An odd count is always shown, an even one mostly left out: a missing clue tells of it."""
CHANNELS = ("exact", "withheld:0.3", "optimistic", "cautious", "noisy:0.2", "noisy:1", MISSING)


def random_view(board: str, clues: str, seed: int) -> View:
    """A position with a third to most of its safe cells open, and now and then an opened mine."""
    draw = random.Random(f"{board} {clues} {seed}")
    topology = Topology.parse(board)
    density = draw.choice([0.1, 0.2, 0.3])
    mines = draw.sample(topology.cells, max(1, int(density * len(topology))))
    layout = Layout.of(topology, mines)
    told = f"mines={layout.total}" if draw.random() < 0.7 else "mines=~20% total=unknown"
    view = View(topology, Rules.parse(f"{told} clues={clues}"))
    share = draw.choice([0.3, 0.5, 0.7, 0.9])
    shown: dict[int, Shown] = {}
    for cell in topology.cells:
        if layout.is_mine(cell):
            if draw.random() < 0.05:
                shown[cell] = Mark.MINE
        elif draw.random() < share:
            degree = topology.degree(cell)
            options = [None, *range(degree + 1)]
            true = int(layout.counts[cell])
            weights = [float(channel(clues).likelihood(o, true, degree)) for o in options]
            (drawn,) = draw.choices(options, weights)
            shown[cell] = Mark.BLANK if drawn is None else drawn
    return view.reveal(shown)


def endgame(board: str, mines: int, left: int, seed: int) -> View:
    """All safe cells are open but so many around a mine, where the last ones often are."""
    draw = random.Random(f"{board} {mines} {left} {seed}")
    topology = Topology.parse(board)
    held = draw.sample(topology.cells, mines)
    layout = Layout.of(topology, held)
    near = topology.steps_to(held[0], topology.cells)
    safe = [cell for cell in topology.cells if not layout.is_mine(cell)]
    shown = sorted(safe, key=lambda cell: (near.get(cell, len(topology)), draw.random()))[left:]
    view = View(topology, Rules.parse(f"mines={mines}"))
    return view.reveal({cell: int(layout.counts[cell]) for cell in shown})


def walled(board: str, mines: int, seed: int) -> View:
    """All safe cells are open but the first, whose neighbours are mines: only the total tells."""
    draw = random.Random(f"{board} {mines} {seed}")
    topology = Topology.parse(board)
    wall = topology.neighbours(0)
    others = [cell for cell in topology.cells if cell and cell not in wall]
    layout = Layout.of(topology, [*wall, *draw.sample(others, mines - len(wall))])
    view = View(topology, Rules.parse(f"mines={mines}"))
    shown = [cell for cell in topology.cells if cell and not layout.is_mine(cell)]
    return view.reveal({cell: int(layout.counts[cell]) for cell in shown})


def needing_the_total(view: View) -> list[int]:
    """The certain cells of a position that are not certain where the number of mines is unknown."""
    without = analyze(view.with_rules(Rules.parse("mines=~20% total=unknown")))
    known = {*without.safe, *without.mines}
    analysis = analyze(view)
    return [cell for cell in sorted([*analysis.safe, *analysis.mines]) if cell not in known]
