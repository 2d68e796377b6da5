"""Opening every safe cell of a 1000x1000 board at 15 % mines through the Python referee."""

from __future__ import annotations

import time

from benchmarks.result import Result
from mineproof.board import Topology, deal
from mineproof.game import Referee
from mineproof.rules import FirstClick, Mines, Rules


def bench() -> Result:
    """Every safe cell that no cascade has opened yet is opened on its own, in rising order."""
    topology = Topology.parse("1000x1000")
    rules = Rules(mines=Mines.density(0.15), first_click=FirstClick.ANY)
    mines = deal(topology, rules.mines, seed=1).mines.tolist()
    referee = Referee(topology, seed=1, rules=rules)
    began = time.process_time()
    for cell, mine in enumerate(mines):
        if not mine and referee.view.is_hidden(cell):
            referee.open(cell)
    seconds = time.process_time() - began
    if not referee.outcome.won:
        raise AssertionError("every safe cell is open and the game is not won")
    opened = referee.view.opened_count
    return Result("open every safe cell of 1000x1000 in Python", "cells", opened, seconds)
