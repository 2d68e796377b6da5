"""Independent programs agree: ms_toollib on Expert positions, pyganak on the exported clauses.

Both run in a process of their own: ms_toollib can abort the interpreter.
"""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest
from pysat.card import CardEnc, EncType

from mineproof.board import Topology, deal
from mineproof.board.deal import kept_free
from mineproof.inference.engine.constraints import constraints, total_constraint
from mineproof.inference.engine.exact import analyze
from mineproof.match.referee import Referee
from mineproof.rules import FirstClick, Mines
from mineproof.view import Mark, View

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
        free = kept_free(topology, FirstClick.OPENING, (topology.centre,))
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
