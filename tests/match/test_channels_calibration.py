"""Calibration: of the cells given a chance p, a share p are mines, for every channel.

Cells come from many small games, so that the cells of one position, which are tied together, are
few: the interval takes positions as clusters.
"""

from __future__ import annotations

import numpy as np
import pytest

from mineproof import kernel
from mineproof.board import Layout, Topology
from mineproof.inference.engine.exact import analyze_many
from mineproof.rng import Stream
from mineproof.rules import Rules
from mineproof.view import Mark, View
from mineproof.view.channels import channel, show

BOARD, MINES, OPENED = "6x6", 7, 8
POSITIONS = 3600 if kernel.available() else 600
"""The twin takes a hundred times as long."""
CHANNELS = [
    "exact",
    "withheld:0.4",
    "optimistic",
    "cautious",
    "noisy:0.3",
    "table:0:0.9,2:0.1;0:0.5,1:0.5;2:1;3:1;4:1;5:1;6:1;7:1;8:1",
    "table:0:0.1,-:0.9;0:0.4,1:0.4,-:0.2;2:0.5,-:0.5;3:1" + ";-:0.7,4:0.3" * 5,
]
WIDTH = 4.0
"""Standard errors: 60 deciles are looked at, and chance alone must not fail the test."""


@pytest.mark.parametrize("total", ["known", "unknown"])
@pytest.mark.parametrize("clues", CHANNELS)
def test_chances_come_true(clues: str, total: str) -> None:
    topology, through = Topology.parse(BOARD), channel(clues)
    cells, degrees = len(topology), topology.degrees.tolist()
    rng = np.random.default_rng(7)
    told = f"mines={MINES}" if total == "known" else "mines=~20% total=unknown"
    rules = Rules.parse(f"{told} clues={clues}")
    views, truths = [], []
    for index in range(POSITIONS):
        if total == "known":
            mines = rng.permutation(cells)[:MINES]
        else:
            mines = np.flatnonzero(rng.random(cells) < 0.2)
        layout = Layout.of(topology, mines.tolist())
        codes = np.full(cells, Mark.HIDDEN.value, dtype=np.uint8)
        # Cells chosen before the mines are looked at: an opened mine is evidence of itself alone.
        for cell in rng.permutation(cells)[:OPENED].tolist():
            if layout.is_mine(cell):
                codes[cell] = Mark.MINE.value
                continue
            word = show(through, int(layout.counts[cell]), degrees[cell], Stream(index, cell))
            codes[cell] = Mark.BLANK.value if word is None else word
        views.append(View.of_codes(topology, rules, codes))
        truths.append(layout.mines)
    chances = np.array([analysis.p.array for analysis in analyze_many(views, threads=1)])
    hidden = np.array([view.codes() == Mark.HIDDEN.value for view in views])
    assert hidden.sum() >= 27 * POSITIONS
    wrong = np.where(hidden, np.array(truths) - chances, 0.0)
    tenths = np.minimum((chances * 10).astype(int), 9)
    for tenth in range(10):
        off = np.where(tenths == tenth, wrong, 0.0).sum(axis=1)
        spread = np.sqrt((off**2).sum())
        assert abs(off.sum()) <= WIDTH * spread + 1e-9, (clues, tenth)
    assert not wrong[(chances == 0.0) | (chances == 1.0)].any()
