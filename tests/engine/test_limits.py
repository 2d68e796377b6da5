"""Contradictions with a minimal clash, budgets, Ctrl-C, and several threads at once."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof.board import Topology
from mineproof.engine.analysis import Analysis, Budget
from mineproof.engine.enumerate import enumerate_layouts
from mineproof.engine.exact import analyze, analyze_many
from mineproof.engine.twin import TwinAnalysis
from mineproof.errors import BudgetExceeded, InconsistentPosition, InputError
from mineproof.rules import Rules
from mineproof.testing.strategies import topologies
from mineproof.view import Mark, View
from tests.core import needs_core
from tests.interrupts import PATIENCE, interrupt_at_work, long_position

BOTH = pytest.mark.parametrize("solve", [analyze, TwinAnalysis], ids=["core", "twin"])
Solve = Callable[..., Analysis]

CLASHES = {
    "one clue": ("square 1x3 mines=2\n020", "0,1", (1,), False),
    "two clues": ("square 1x5 mines=1\n.0.2.", "0,1 and 0,3", (1, 3), False),
    "a clue and the total": ("square 1x4 mines=3\n.1..", "0,1 and the 3 mines", (1,), True),
    "the total alone": ("square 1x3 mines=3\n.?.", "the 3 mines do not fit 2 hidden", (), True),
    "clues far apart and the total": (
        "square 1x9 mines=1\n.1..?..1.",
        "0,1 and 0,7 and the 1 mine",
        (1, 7),
        True,
    ),
    "a prior without mines": ("square 1x3 mines=unknown density=0\n.1.", "mines=~0%", (1,), True),
    "a clue that cannot be withheld": (
        "square 1x2 mines=1 clues=withheld:0\n?.",
        "0,0",
        (0,),
        False,
    ),
}


@BOTH
@pytest.mark.parametrize("name", CLASHES)
def test_clashes_are_named(solve: Solve, name: str) -> None:
    text, said, clues, uses_total = CLASHES[name]
    with pytest.raises(InconsistentPosition) as error:
        solve(View.parse(text))
    assert said in str(error.value)
    assert error.value.clues == clues
    assert error.value.uses_total is uses_total


@st.composite
def spoiled(draw: st.DrawFn) -> View:
    """Positions whose clues are drawn at random: most have no layout."""
    topology = draw(topologies(9))
    total = draw(st.integers(0, len(topology)))
    cells = draw(st.sets(st.sampled_from(topology.cells), min_size=1))
    shown = {cell: draw(st.integers(0, min(topology.degree(cell), 3))) for cell in sorted(cells)}
    return View(topology, Rules.parse(f"mines={total}")).reveal(shown)


def solvable(view: View, clues: Iterable[int], *, total: bool) -> bool:
    """Whether some layout explains these clues of a view alone."""
    kept = set(clues)
    shown = {cell: clue if cell in kept else Mark.BLANK for cell, clue in view.clues}
    rules = view.rules if total else Rules.parse("mines=~50% total=unknown")
    fewer = View(view.topology, rules).reveal(shown)
    return next(enumerate_layouts(fewer), None) is not None


@given(spoiled())
@settings(max_examples=250)
def test_clashes_are_minimal(view: View) -> None:
    if next(enumerate_layouts(view), None) is not None:
        analyze(view)
        return
    for solve in (analyze, TwinAnalysis):
        with pytest.raises(InconsistentPosition) as error:
            solve(view)
        clues, total = error.value.clues, error.value.uses_total
        assert not solvable(view, clues, total=total)
        for cell in clues:
            assert solvable(view, set(clues) - {cell}, total=total)
        if total:
            assert solvable(view, clues, total=False)


# ----------------------------------------------------------------------------------------- budgets


def hopeless(side: int = 80) -> View:
    """Every cell of even row and column shows 2: a frontier as wide as the board."""
    topology = Topology.parse(f"{side}x{side}")
    codes = np.full(len(topology), Mark.HIDDEN.value, dtype=np.uint8)
    codes.reshape(side, side)[::2, ::2] = 2
    return View.of_codes(topology, Rules.parse("mines=~25% total=unknown"), codes)


@BOTH
def test_a_spent_budget_names_the_component(solve: Solve) -> None:
    with pytest.raises(
        BudgetExceeded, match=r"component of \d+ boxes at \d+,\d+ .* states"
    ) as error:
        solve(hopeless(12), budget=Budget(states=1000))
    assert "1000 states" in str(error.value)


@needs_core
def test_a_hopeless_position_ends_by_either_limit() -> None:
    with pytest.raises(BudgetExceeded, match="boxes"):
        analyze(hopeless(), budget=Budget(states=3_000_000))
    with pytest.raises(BudgetExceeded, match="MB"):
        analyze(hopeless(), budget=Budget(memory=32 << 20))


def test_one_failure_among_many_is_raised() -> None:
    good = View.parse("square 1x3 mines=1\n.1.")
    with pytest.raises(BudgetExceeded):
        analyze_many([good, hopeless(12), good], threads=2, budget=Budget(states=1000))


def test_budgets_are_positive() -> None:
    for wrong in ((0, 1), (1, 0), (-1, 1), (2**63, 1)):
        with pytest.raises(InputError, match="budget"):
            Budget(*wrong)


# ------------------------------------------------------------------------------------------ Ctrl-C

_LONG = """
import sys
from mineproof.engine.exact import analyze, analyze_many
from mineproof.view import View
view = View.parse(sys.stdin.read())
try:
    print("ready", flush=True)
    {call}
except KeyboardInterrupt:
    print("stopped")
"""
CALLS = {
    "analyze": "analyze(view)",
    "one thread": "analyze_many([view] * 4, threads=1)",
    "two threads": "analyze_many([view] * 4, threads=2)",
}


@needs_core
@pytest.mark.parametrize("call", CALLS)
def test_control_c_interrupts(call: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _LONG.format(call=CALLS[call])],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(long_position())
        process.stdin.close()
        assert process.stdout.readline() == "ready\n"
        interrupt_at_work(process)
        line = process.stdout.readline()
        process.wait(timeout=PATIENCE)
    assert line == "stopped\n"


# ------------------------------------- several threads: every answer is the one of a single thread

SIDE = 16


def lattice() -> mp.View:
    """A position whose questions take long enough for threads to meet in them."""
    rows = (
        "".join("2" if row % 2 and column % 2 else "." for column in range(SIDE))
        for row in range(SIDE)
    )
    return mp.View.parse(f"square {SIDE}x{SIDE} mines=40\n" + "\n".join(rows))


def together(work: Callable[[], None], threads: int = 4) -> None:
    """Let threads begin the same work at the same time."""
    begin = threading.Barrier(threads)

    def one_of_them() -> None:
        begin.wait()
        work()

    crew = [threading.Thread(target=one_of_them) for _ in range(threads)]
    for one in crew:
        one.start()
    for one in crew:
        one.join()


@needs_core
def test_one_analysis_asked_by_many_threads() -> None:
    analysis = mp.analyze(lattice())
    expected = mp.analyze(lattice()).solutions
    found: list[int] = []
    together(lambda: found.append(analysis.solutions))
    assert found == [expected] * 4


@needs_core
def test_a_session_turns_a_second_thread_away_or_answers_it() -> None:
    session = mp.Session(lattice())
    expected = list(mp.analyze(lattice()).p)
    found: list[list[float]] = []
    refusals: list[str] = []

    def ask() -> None:
        try:
            found.append(list(session.p))
        except RuntimeError as error:
            refusals.append(str(error))

    together(ask)
    assert found
    assert len(found) + len(refusals) == 4
    assert all("another thread" in refusal for refusal in refusals)
    for answer in found:
        assert answer == pytest.approx(expected)
