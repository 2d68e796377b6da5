"""The trace of a search tells every value tried, and what became of it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings

from mineproof.board.topology import Topology
from mineproof.errors import InconsistentPosition
from mineproof.puzzle import Fate, Method, Order, Trial, Watching, solve_puzzle
from mineproof.reports.puzzles import made_puzzle
from mineproof.rules import Mines, Rules
from mineproof.view.view import View
from tests.puzzle.test_search import methods, puzzles

REPORT = Method(Order.parse("report"), children=9)
OWN = (Method(Order.parse("report")), Method(Order.parse("report"), memo=True))


def traced(view: View, method: Method, *, every: bool = True) -> tuple[list[Trial], int, int]:
    trace: list[Trial] = []
    solved = solve_puzzle(view, method, every=every, watching=Watching(trace.append))
    return trace, solved.nodes, solved.expanded


@settings(max_examples=10)
@given(puzzles())
def test_a_trace_can_be_replayed(view: View) -> None:
    for method in (*methods(), *OWN):
        trace, nodes, expanded = traced(view, method)
        standing: list[tuple[int, bool]] = []
        for trial in trace:
            if trial.fate is Fate.UNDONE:
                assert trial.depth == len(standing)
                assert standing.pop() == (trial.cell, trial.mine)
                continue
            assert trial.depth == len(standing) + 1
            if trial.fate is not Fate.REJECTED:
                standing.append((trial.cell, trial.mine))
        assert not standing
        tried = [trial for trial in trace if trial.fate is not Fate.UNDONE]
        assert [trial.node for trial in tried] == list(range(1, nodes + 1))
        placed = [trial for trial in tried if trial.mine and trial.fate is not Fate.REJECTED]
        assert len(placed) == expanded
        assert all(trial.why for trial in trace if trial.fate is Fate.REJECTED)


def test_the_trace_of_a_small_search_in_full() -> None:
    view = View.parse("square 2x3 mines=1\n1..\n1..")
    trace, _, _ = traced(view, Method(), every=False)
    said = [(t.node, t.depth, t.cell, t.value, t.fate.value, t.why) for t in trace]
    assert said == [(1, 1, 1, "mine", "accepted", "")]
    trace, _, _ = traced(view, Method())
    said = [(t.node, t.depth, t.cell, t.value, t.fate.value, t.why) for t in trace]
    assert said == [
        (1, 1, 1, "mine", "accepted", ""),
        (1, 1, 1, "mine", "undone", ""),
        (2, 1, 1, "safe", "kept", ""),
        (3, 2, 2, "mine", "rejected", "no mine left for other hints"),
        (4, 2, 2, "safe", "kept", ""),
        (5, 3, 4, "mine", "accepted", ""),
        (5, 3, 4, "mine", "undone", ""),
        (6, 3, 4, "safe", "rejected", "too few cells at 0,0"),
        (6, 2, 2, "safe", "undone", ""),
        (6, 1, 1, "safe", "undone", ""),
    ]


@pytest.mark.parametrize(
    ("text", "method", "reason"),
    [
        ("square 1x2 mines=0\n1.", Method(), "no mine left"),
        ("square 1x5 mines=1\n.1..1", REPORT, "no mine left"),
        ("square 1x5 mines=1\n.1..1", Method(), "no mine left for other hints"),
        ("square 1x4 mines=2\n..1.", Method(), "too many mines at 0,2"),
        ("square 1x4 mines=2\n..1.", REPORT, "too many mines at 0,2"),
        ("square 1x3 mines=1\n1..", Method(), "too few cells at 0,0"),
        ("square 2x3 mines=2\n1..\n1..", Method(), "too few cells left"),
        ("square 1x5 mines=1\n.1.0.", Method(forward_checking=True), "no value for 0,2"),
    ],
)
def test_every_rejection_has_its_reason(text: str, method: Method, reason: str) -> None:
    trace: list[Trial] = []
    with suppress(InconsistentPosition):
        solve_puzzle(View.parse(text), method, every=True, watching=Watching(trace.append))
    assert reason in [trial.why for trial in trace if trial.fate is Fate.REJECTED]


def test_a_limit_and_a_memo_say_why_the_search_turned_back() -> None:
    open_board = View(Topology.parse("square:2x3"), Rules(mines=Mines.number(2)))
    trace, _, _ = traced(open_board, Method(children=1))
    assert "enough children tried" in {trial.why for trial in trace}
    trace, _, _ = traced(made_puzzle(6, 1, 0).view, Method(memo=True))
    assert "refuted before" in {trial.why for trial in trace}
    # Three cells for four mines: every pair of them is met in two orders.
    three = View.parse("square 1x6 mines=4\n....0.")
    memo: list[Trial] = []
    with pytest.raises(InconsistentPosition):
        solve_puzzle(three, replace(REPORT, memo=True), watching=Watching(memo.append))
    assert "refuted before" in {trial.why for trial in memo}


def test_a_long_search_tells_its_nodes() -> None:
    told: list[int] = []
    view = View(Topology.parse("square:5x5"), Rules(mines=Mines.number(4)))
    solved = solve_puzzle(view, every=True, watching=Watching(nodes=told.append))
    assert told == sorted(told)
    assert told
    assert told[-1] <= solved.nodes


def test_seconds_are_those_of_the_clock() -> None:
    ticks = iter((10.0, 12.5))
    view = View.parse("square 1x2 mines=1\n1.")
    assert solve_puzzle(view, clock=lambda: next(ticks)).seconds == 2.5
