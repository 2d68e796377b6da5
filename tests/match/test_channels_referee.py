"""The referee's words: fixed by game and cell, and cascades only from a zero that is a proof."""

from __future__ import annotations

import pytest

from mineproof.board import Layout, Topology
from mineproof.match.referee import Referee
from mineproof.rules import Rules
from mineproof.view.channels import channel, proves_zero

CHANNELS = {
    "exact": True,
    "withheld:0.4": True,
    "cautious": True,
    "optimistic": False,
    "noisy:0.3": False,
    "table:0:1;0:0.5,1:0.5;2:1;3:1;4:1;5:1;6:1;7:1;8:1": False,
    "table:0:0.9,1:0.1;1:1;2:1;3:1;4:1;5:1;6:1;7:1;8:1": True,
}


@pytest.mark.parametrize(("clues", "proof"), CHANNELS.items())
@pytest.mark.parametrize("cascade", ["on", "off"])
def test_a_shown_zero_opens_its_neighbours_only_where_it_proves_them(
    clues: str, proof: bool, cascade: str
) -> None:
    topology = Topology.parse("6x6")
    assert proves_zero(channel(clues), 8) is proof
    rules = Rules.parse(f"mines=2 first-click=any clues={clues} cascade={cascade}")
    zeros = 0
    for index in range(30):
        layout = Layout.of(topology, [0, 35])
        referee = Referee(layout, 5, index, rules=rules)
        view = referee.open(14)
        opens = proof and cascade == "on" and view[14] == 0
        zeros += view[14] == 0
        if not opens:
            assert view.opened_count == 1
            continue
        for cell, shown in view.clues:
            if shown == 0:
                assert all(view.is_open(near) for near in topology.neighbours(cell))
        assert not view.opened_mines
    assert zeros


@pytest.mark.parametrize("clues", list(CHANNELS))
def test_a_cell_never_changes_its_word(clues: str) -> None:
    topology = Topology.parse("4x4")
    rules = Rules.parse(f"mines=3 first-click=any clues={clues} cascade=off")
    layout = Layout.of(topology, [0, 5, 10])
    safe = [cell for cell in topology.cells if not layout.is_mine(cell)]
    shown = []
    for order in (safe, safe[::-1]):
        referee = Referee(layout, 9, 2, rules=rules)
        for cell in order:
            referee.open(cell)
        shown.append([referee.view[cell] for cell in safe])
    assert shown[0] == shown[1]
