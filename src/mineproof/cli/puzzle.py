"""`mineproof puzzle`: static puzzles, their solutions and the nodes they take."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Annotated, Any

import click
from rich import box
from rich.console import Console
from rich.table import Table

from mineproof.cli.console import StatusLine, print_paragraphs, stdout_console
from mineproof.cli.declarations import Argument, Option
from mineproof.cli.options import AsJson
from mineproof.csp import (
    ORDERS,
    SearchMethod,
    SearchOrder,
    SearchResult,
    SearchWatcher,
    Trial,
    TrialFate,
    draw_solution,
    read_puzzles,
    solve_puzzle,
)
from mineproof.errors import (
    BudgetExceeded,
    InconsistentPosition,
    InputError,
    MineproofError,
    quoted,
)
from mineproof.text import many
from mineproof.view.notation import Puzzle

_LINES = 40


def command(
    file: Annotated[
        str, Argument(metavar="FILE", help="Puzzle lines or one position; - for stdin.")
    ],
    order: Annotated[
        str,
        Option(
            metavar="WORDS",
            help="none, some of mrv,degree,lcv; or report 3's own search: report as its text"
            " describes it, listing as its program does it.",
        ),
    ] = "none",
    forward_checking: Annotated[
        bool, Option("--forward-checking", help="Leave out values that a hint rules out.")
    ] = False,
    children: Annotated[
        int | None,
        Option(
            metavar="N",
            help="Try at most this many cells from each mine.  [default: all; 4 with report and"
            " listing]",
        ),
    ] = None,
    memo: Annotated[bool, Option("--memo", help="Keep a memo of refuted states.")] = False,
    every: Annotated[bool, Option("--all", help="Find all solutions, not only the first.")] = False,
    table: Annotated[
        bool,
        Option("--table", help="Show nodes and times of every order, with and without checking."),
    ] = False,
    trace: Annotated[
        bool, Option("--trace", help="Show the search step by step: every value tried.")
    ] = False,
    trace_lines: Annotated[
        str | None,
        Option(metavar="N", help=f"With --trace: how many lines, or all.  [default: {_LINES}]"),
    ] = None,
    budget: Annotated[
        int | None,
        Option(
            metavar="NODES",
            help="Give up past this many nodes.  [default: 2000000, less on large boards with mrv"
            " or degree]",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Solve static puzzles by backtracking and count the nodes.

    A node is one value tried for one cell, for every order. The exit status is 3 if a puzzle has no
    solution and 4 if a search takes too many nodes. With --table, such a search is listed as
    `>BUDGET`, and the exit status is 0.
    """

    for name, number in (("--children", children), ("--budget", budget)):
        if number is not None and number < 1:
            raise InputError(f"{name} {number}; accepted: 1 or more")
    if trace_lines is not None and not trace:
        raise InputError("--trace-lines is the length of a trace; accepted: together with --trace")
    if table and (order != "none" or forward_checking):
        raise InputError("--table runs every order; accepted: without --order and checking")
    if table and trace:
        raise InputError("--table and --trace exclude each other; accepted: one of them")
    method = SearchMethod(SearchOrder.parse(order), forward_checking, children, memo)
    lines = _lines(trace_lines) if trace else 0
    puzzles = read_puzzles(file)
    asked = SolveRequest(method, every, budget, as_json)
    if table:
        print_table(puzzles, asked)
    else:
        solve_all(puzzles, asked, lines)


def _lines(text: str | None) -> int | None:
    """How many lines of the trace to show; None for all."""

    if text is None:
        return _LINES
    if text == "all":
        return None
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 9 and int(text)):
        raise InputError(f"--trace-lines {quoted(text)}; accepted: a number from 1, or all")
    return int(text)


# -- The table of `mineproof puzzle --table`: the nodes and the time of every order and puzzle --


def print_table(puzzles: tuple[Puzzle, ...], asked: SolveRequest) -> None:
    """The nodes and times of every order, for every puzzle."""
    methods = [
        replace(asked.method, order=order, forward_checking=checking)
        for checking in (False, True)
        for order in ORDERS
    ]
    with results_as_json(asked) as found:
        for method in methods:
            for puzzle in puzzles:
                try:
                    solved = solve_one(puzzle, method, asked)
                except BudgetExceeded:
                    found.append(over_budget_json(puzzle, method, asked))
                else:
                    found.append(solved.to_json(puzzle.name))
    if asked.as_json:
        return
    console = stdout_console()
    target = "all solutions" if asked.every else "the first solution"
    names = [puzzle.name for puzzle in puzzles]
    rows = [method.text for method in methods]
    nodes = [f">{one['more_than']}" if one["nodes"] is None else str(one["nodes"]) for one in found]
    times = ["-" if one["seconds"] is None else seconds_text(one["seconds"]) for one in found]
    _print_wide(console, f"nodes to {target}", names, rows, nodes)
    click.echo()
    _print_wide(console, f"time to {target}", names, rows, times)


def _print_wide(
    console: Console, title: str, names: list[str], rows: list[str], cells: list[str]
) -> None:
    """A column per name, in as many tables one below the other as the width asks for."""
    first = max(map(len, (title, *rows)))
    widest = max(map(len, (*names, *cells))) + 2
    fitting = max((console.width - first) // widest, 1)
    for start in range(0, len(names), fitting):
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
        table.add_column(title, no_wrap=True)
        for name in names[start : start + fitting]:
            table.add_column(name, justify="right", no_wrap=True)
        for number, row in enumerate(rows):
            line = cells[number * len(names) : (number + 1) * len(names)]
            table.add_row(row, *line[start : start + fitting])
        if start:
            console.print()
        console.print(table)


# -- Puzzles solved one after the other, with their trace, their boards and their costs --

_MOST_DRAWN = 20
_MOST_IN_JSON = 1_000_000  # trials of a trace: they are kept in memory until the end
_DEEPEST_INDENT = 24
_WIDTH = 80


@dataclass(frozen=True)
class SolveRequest:
    """How the puzzles are solved and shown."""

    method: SearchMethod
    every: bool
    budget: int | None
    as_json: bool


class _Trace:
    """Shows the first `most` trials of one search as lines, or keeps them; counts the others."""

    def __init__(self, puzzle: Puzzle, most: int | None, *, keep: bool) -> None:
        self._topology = puzzle.view.topology
        self._most = most
        self._keep = keep
        self.kept: list[Trial] = []
        self.trials = 0
        self.shown = 0
        if not keep:
            click.echo(f"{puzzle.name}, step by step:\n{'node':>8} {'depth':>5}  value tried")

    def __call__(self, trial: Trial) -> None:
        self.trials += 1
        if self.full:
            return
        self.shown += 1
        if self._keep:
            self.kept.append(trial)
        else:
            click.echo(self._line(trial))

    @property
    def full(self) -> bool:
        return self._most is not None and self.shown >= self._most

    def _line(self, trial: Trial) -> str:
        """Indented by its depth, as far as the line has room for it."""
        words = f"{self._topology.cell_name(trial.cell)} {trial.value}"
        if trial.fate is not TrialFate.KEPT:
            words += f" {trial.fate.value}"
        if trial.why:
            words += f": {trial.why}"
        start = f"{'' if trial.fate is TrialFate.UNDONE else trial.node:>8} {trial.depth:>5}  "
        room = max(min(_WIDTH - len(start) - len(words), _DEEPEST_INDENT), 0)
        return start + ("| " * (trial.depth - 1))[: room // 2 * 2] + words

    def close(self) -> None:
        """Say how many lines were left out."""
        more = self.trials - self.shown
        if not self._keep and more:
            lines = "line" if more == 1 else "lines"
            click.echo(f"... and {more} more {lines}; --trace-lines all shows them")

    def to_json(self) -> dict[str, Any]:
        return {
            "trace": [trial.to_json(self._topology) for trial in self.kept],
            "trace_left_out": self.trials - self.shown,
        }


def solve_all(puzzles: tuple[Puzzle, ...], asked: SolveRequest, lines: int | None = 0) -> None:
    """Solve the puzzles and print what was found; raises the first error, after all others.

    `lines` is the length of the trace: 0 for none, None for all of it.
    """
    failed: MineproofError | None = None
    with results_as_json(asked) as found:
        for puzzle in puzzles:
            trace = None
            if lines != 0:
                most = _MOST_IN_JSON if asked.as_json and lines is None else lines
                trace = _Trace(puzzle, most, keep=asked.as_json)
            one, error = _attempt(puzzle, asked, trace)
            found.append(one if trace is None else {**one, **trace.to_json()})
            # The others are still worth solving; the first error decides the exit status, and is
            # said at the end.
            if failed is None:
                failed = error
            elif error is not None and not asked.as_json:
                click.echo(f"{error}\n")
    if failed is not None:
        raise failed


@contextmanager
def results_as_json(asked: SolveRequest) -> Iterator[list[dict[str, Any]]]:
    """A list for an object per search; with --json it is printed at the end, also on Ctrl-C."""
    found: list[dict[str, Any]] = []
    interrupted: KeyboardInterrupt | None = None
    try:
        yield found
    except KeyboardInterrupt as error:
        interrupted = error
    if asked.as_json:
        click.echo(json.dumps({"puzzles": found}))
    if interrupted is not None:
        raise interrupted


def _attempt(
    puzzle: Puzzle, asked: SolveRequest, trace: _Trace | None
) -> tuple[dict[str, Any], MineproofError | None]:
    """Solve one puzzle; its JSON object, with the error it ended with."""
    try:
        solved = solve_one(puzzle, asked.method, asked, trace)
    except InconsistentPosition as error:
        return _unsolvable(puzzle, asked.method, error), error
    except BudgetExceeded as error:
        named = BudgetExceeded(f"{puzzle.name}: {error}")
        return over_budget_json(puzzle, asked.method, asked), named
    finally:
        if trace is not None:
            trace.close()
    if not asked.as_json:
        print_paragraphs(stdout_console(), f"{puzzle.name}: {_summary(solved, asked.every)}")
        for solution in solved.kept[:_MOST_DRAWN]:
            click.echo(draw_solution(puzzle.view, solution) + "\n")
        if solved.solutions > _MOST_DRAWN:
            click.echo(f"... and {solved.solutions - _MOST_DRAWN} more\n")
        elif not solved.kept:
            click.echo()
    return solved.to_json(puzzle.name), None


def solve_one(
    puzzle: Puzzle, method: SearchMethod, asked: SolveRequest, trace: _Trace | None = None
) -> SearchResult:
    """Solve a puzzle by a method; on a terminal, the nodes so far are shown while it lasts."""
    text = f"{puzzle.name}, {method.text}"
    # The first nodes may take long on a large board: the line does not wait for them to be counted.
    with StatusLine("" if trace is not None else text) as status:

        def count(nodes: int) -> None:
            if trace is None or trace.full:
                status.update(f"{text}: {nodes:,} nodes")

        return solve_puzzle(
            puzzle.view,
            method,
            every=asked.every,
            budget=asked.budget,
            name=puzzle.name,
            watcher=SearchWatcher(trace, count),
        )


def _unsolvable(
    puzzle: Puzzle, method: SearchMethod, error: InconsistentPosition
) -> dict[str, Any]:
    return {
        "name": puzzle.name,
        "order": method.order.text,
        "solutions": 0,
        "complete": True,
        "first": None,
        "clash": {
            "hints": [list(puzzle.view.topology.coordinates(cell)) for cell in error.clues],
            "uses_total": error.uses_total,
            "text": str(error),
        },
    }


def over_budget_json(puzzle: Puzzle, method: SearchMethod, asked: SolveRequest) -> dict[str, Any]:
    """The JSON object of a search that went past its budget."""
    budget = asked.budget
    if budget is None:
        budget = method.most_nodes(len(puzzle.view.hidden))
    return {
        "name": puzzle.name,
        "order": method.order.text,
        "forward_checking": method.forward_checking,
        "children": method.most_children,
        "memo": method.memo,
        "nodes": None,
        "more_than": budget,
        "expanded": None,
        "seconds": None,
        "solutions": None,
        "complete": False,
        "first": None,
    }


def _summary(solved: SearchResult, every: bool) -> str:
    number = solved.solutions
    words = many(number, "solution")
    if solved.unique:
        words = "1 solution, the only one"
    elif solved.complete:
        words += " in all"
    elif every or not number:
        words = f"{words if number else 'no solution'} within the children tried"
    else:
        words = "first solution"
    return (
        f"{words}; {solved.nodes} nodes ({solved.method.text})\n"
        f"{solved.expanded} expanded, {seconds_text(solved.seconds)}"
    )


def seconds_text(seconds: float) -> str:
    """A short time for people: `0.42 ms`, `1.3 s`."""
    if seconds < 1:
        return f"{1000 * seconds:.2g} ms" if seconds < 0.1 else f"{1000 * seconds:.0f} ms"
    return f"{seconds:.1f} s"
