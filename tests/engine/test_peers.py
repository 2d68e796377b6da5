"""Independent answers: ms_toollib on Expert positions, pyganak on clauses, and the frozen census.

Both programs run in a process of their own: ms_toollib can abort the interpreter.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from pysat.card import CardEnc, EncType

from mineproof.board import Topology, deal
from mineproof.board.lattices import LATTICES
from mineproof.board.layout import mine_free_cells
from mineproof.engine.analysis import Analysis
from mineproof.engine.constraints import constraints, total_constraint
from mineproof.engine.exact import analyze
from mineproof.engine.twin import TwinAnalysis
from mineproof.game.referee import Referee
from mineproof.rules import FirstClick, Mines
from mineproof.view import Mark, View
from mineproof.view.channels import CHANNELS

_MS_TOOLLIB = """
import json, sys
import ms_toollib
boards, mines = json.load(sys.stdin)
print(json.dumps([ms_toollib.cal_probability_onboard(board, mines)[0] for board in boards]))
"""
_PYGANAK = """
import json, sys
import pyganak
counts = []
for variables, clauses, cells in json.load(sys.stdin):
    counter = pyganak.Counter()
    counter.new_vars(variables)
    counter.add_clauses(clauses)
    counter.set_sampling_set(range(1, cells + 1))
    counts.append(str(counter.count()))
print(json.dumps(counts))
"""
_HIDDEN_THERE = 10


def asked(script: str, question: object) -> list[object]:
    """What a script answers in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps(question),
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    answer: list[object] = json.loads(done.stdout.splitlines()[-1])
    return answer


def played(text: str, mines: int, games: int) -> list[View]:
    """Positions on the way of games that open safe cells first, then the least risk."""
    topology = Topology.parse(text)
    found = []
    for index in range(games):
        free = mine_free_cells(topology, FirstClick.OPENING, (topology.centre,))
        layout = deal(topology, Mines.number(mines), 11, index, free)
        referee = Referee(layout)
        referee.open(topology.centre)
        while not referee.over:
            found.append(View.of_codes(topology, referee.view.rules, referee.view.codes()))
            analysis = analyze(referee.view)
            assert analysis.least_risk is not None
            for cell in list(analysis.safe) or [analysis.least_risk.cell]:
                if referee.view.is_hidden(cell) and not referee.over:
                    referee.open(cell)
    return found


def test_ms_toollib_agrees_on_expert_positions() -> None:
    rows, cols, mines = 16, 30, 99
    positions = played(f"{rows}x{cols}", mines, 12)[::3][:60]
    assert len(positions) > 20
    boards = []
    for view in positions:
        codes = view.codes().astype(int)
        codes[codes == Mark.HIDDEN.value] = _HIDDEN_THERE
        boards.append(codes.reshape(rows, cols).tolist())
    for view, theirs in zip(positions, asked(_MS_TOOLLIB, [boards, mines]), strict=True):
        hidden = view.codes() == Mark.HIDDEN.value
        difference = np.abs(np.ravel(theirs) - analyze(view).p.array)[hidden]
        assert difference.max() < 1e-9


def clauses_of(view: View) -> tuple[int, list[list[int]], int]:
    """A position as clauses: cell number i of the hidden ones is variable i + 1."""
    hidden = list(view.hidden)
    variable = {cell: place + 1 for place, cell in enumerate(hidden)}
    top, clauses = len(hidden), []
    total = total_constraint(view)
    for constraint in (*constraints(view), *([] if total is None else [total])):
        literals = [variable[cell] for cell in constraint.cells]
        encoded = CardEnc.equals(
            lits=literals, bound=constraint.low, top_id=top, encoding=EncType.seqcounter
        )
        top = max(top, encoded.nv)
        clauses += encoded.clauses
    return top, clauses, len(hidden)


@pytest.mark.parametrize(
    ("text", "mines"), [("6x6", 7), ("hex:6x6", 7), ("torus:6x6", 7), ("cube:3x4x4", 6)]
)
def test_pyganak_counts_the_same_solutions(text: str, mines: int) -> None:
    positions = played(text, mines, 8)[::3][:6]
    counts = asked(_PYGANAK, [clauses_of(view) for view in positions])
    assert [analyze(view).solutions for view in positions] == [int(str(n)) for n in counts]
    assert len(positions) > 2


# ----------------------- the census: named positions with exact answers, frozen by tools/census.py


@dataclass(frozen=True)
class Entry:
    """A position with its frozen answers."""

    view: View
    solutions: int
    chances: dict[int, Fraction]


def read(block: str) -> tuple[str, Entry]:
    name, _, rest = block.partition("\n")
    position, _, answers = rest.partition("\nsolutions ")
    number, *words = answers.split()
    view = View.parse(position)
    cells = [cell for row in view.topology.rows() for cell in row]
    chances = {
        cell: Fraction(word)
        for cell, word in zip(cells, words, strict=True)
        if cell is not None and word != "-"
    }
    return name.strip(), Entry(view, int(number), chances)


BLOCKS = [
    read(block)
    for path in sorted((Path(__file__).parent / "census").glob("*.txt"))
    for block in path.read_text().split("== ")[1:]
]
ENTRIES = dict(BLOCKS)


@pytest.mark.parametrize("name", ENTRIES)
def test_answers(name: str) -> None:
    entry = ENTRIES[name]
    assert set(entry.chances) == set(entry.view.hidden)
    twin = TwinAnalysis(entry.view)
    assert twin.fractions() == entry.chances
    assert_frozen(twin, entry)
    assert_frozen(analyze(entry.view), entry)


def assert_frozen(analysis: Analysis, entry: Entry) -> None:
    assert analysis.solutions == entry.solutions
    for cell, chance in entry.chances.items():
        assert abs(analysis.p[cell] - chance) < 1e-12
        assert (analysis.p[cell] in (0.0, 1.0)) == (chance in (0, 1))


def test_the_census_is_wide() -> None:
    assert len(BLOCKS) == len(ENTRIES) >= 60
    views = [entry.view for entry in ENTRIES.values()]
    assert {view.topology.name for view in views} == set(LATTICES)
    assert {view.rules.clues.partition(":")[0] for view in views} == set(CHANNELS)
    assert {view.total is None for view in views} == {True, False}
    assert any(view.topology.blocked for view in views)
