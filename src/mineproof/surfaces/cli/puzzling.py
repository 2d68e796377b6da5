"""Puzzles solved one after the other, with their trace, their boards and their costs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import typer
from rich.console import Console

from mineproof.errors import BudgetExceeded, InconsistentPosition, MineproofError
from mineproof.puzzle import Fate, Method, Solved, Trial, Watching, draw, solve_puzzle
from mineproof.surfaces.cli.console import print_paragraphs, stdout_console
from mineproof.view.notation.csp import Puzzle

__all__ = ["Solving", "keeping", "seconds_text", "solve_all", "solve_one", "unfinished"]

_MOST_DRAWN = 20
_MOST_IN_JSON = 1_000_000
_DEEPEST_INDENT = 24
_WIDTH = 80


@dataclass(frozen=True)
class Solving:
    """How the puzzles are to be solved and shown."""

    method: Method
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
            typer.echo(f"{puzzle.name}, step by step:\n{'node':>8} {'depth':>5}  value tried")

    def __call__(self, trial: Trial) -> None:
        self.trials += 1
        if self.full:
            return
        self.shown += 1
        if self._keep:
            self.kept.append(trial)
        else:
            typer.echo(self._line(trial))

    @property
    def full(self) -> bool:
        return self._most is not None and self.shown >= self._most

    def _line(self, trial: Trial) -> str:
        """Indented by its depth, as far as the line has room for it."""
        words = f"{self._topology.cell_name(trial.cell)} {trial.value}"
        if trial.fate is not Fate.KEPT:
            words += f" {trial.fate.value}"
        if trial.why:
            words += f": {trial.why}"
        start = f"{'' if trial.fate is Fate.UNDONE else trial.node:>8} {trial.depth:>5}  "
        room = max(min(_WIDTH - len(start) - len(words), _DEEPEST_INDENT), 0)
        return start + ("| " * (trial.depth - 1))[: room // 2 * 2] + words

    def close(self) -> None:
        """Say how many lines were left out."""
        more = self.trials - self.shown
        if not self._keep and more:
            lines = "line" if more == 1 else "lines"
            typer.echo(f"... and {more} more {lines}; --trace-lines all shows them")

    def to_json(self) -> dict[str, Any]:
        return {
            "trace": [trial.to_json(self._topology) for trial in self.kept],
            "trace_left_out": self.trials - self.shown,
        }


def solve_all(puzzles: tuple[Puzzle, ...], asked: Solving, lines: int | None = 0) -> None:
    """Solve the puzzles and print what was found; raises the first error, after all others.

    `lines` is the length of the trace: 0 for none, None for all of it.
    """
    failed: MineproofError | None = None
    with keeping(asked) as found:
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
                typer.echo(f"{error}\n")
    if failed is not None:
        raise failed


@contextmanager
def keeping(asked: Solving) -> Iterator[list[dict[str, Any]]]:
    """What is found, an object per search; under --json it is printed at the end and on Ctrl-C."""
    found: list[dict[str, Any]] = []
    interrupted: KeyboardInterrupt | None = None
    try:
        yield found
    except KeyboardInterrupt as error:
        interrupted = error
    if asked.as_json:
        typer.echo(json.dumps({"puzzles": found}))
    if interrupted is not None:
        raise interrupted


def _attempt(
    puzzle: Puzzle, asked: Solving, trace: _Trace | None
) -> tuple[dict[str, Any], MineproofError | None]:
    """Solve one puzzle; its JSON object, with the error it ended with."""
    try:
        solved = solve_one(puzzle, asked.method, asked, trace)
    except InconsistentPosition as error:
        return _unsolvable(puzzle, asked.method, error), error
    except BudgetExceeded as error:
        named = BudgetExceeded(f"{puzzle.name}: {error}")
        return unfinished(puzzle, asked.method, asked), named
    finally:
        if trace is not None:
            trace.close()
    if not asked.as_json:
        print_paragraphs(stdout_console(), f"{puzzle.name}: {_summary(solved)}")
        for solution in solved.kept[:_MOST_DRAWN]:
            typer.echo(draw(puzzle.view, solution) + "\n")
        if solved.solutions > _MOST_DRAWN:
            typer.echo(f"... and {solved.solutions - _MOST_DRAWN} more\n")
        elif not solved.kept:
            typer.echo()
    return solved.to_json(puzzle.name), None


def solve_one(
    puzzle: Puzzle, method: Method, asked: Solving, trace: _Trace | None = None
) -> Solved:
    """Solve a puzzle by a method; on a terminal, the nodes so far are shown while it lasts."""
    with _counting(f"{puzzle.name}, {method.text}", trace) as count:
        return solve_puzzle(
            puzzle.view,
            method,
            every=asked.every,
            budget=asked.budget,
            name=puzzle.name,
            watching=Watching(trace, count),
        )


@contextmanager
def _counting(text: str, trace: _Trace | None) -> Iterator[Callable[[int], None]]:
    """Shows the nodes of a long search on stderr, if that is a terminal, below a full trace."""
    console = Console(stderr=True, markup=False, highlight=False)
    status = console.status(text)

    def count(nodes: int) -> None:
        if sys.stderr.isatty() and (trace is None or trace.full):
            status.update(f"{text}: {nodes:,} nodes")
            status.start()

    try:
        yield count
    finally:
        status.stop()


def _unsolvable(puzzle: Puzzle, method: Method, error: InconsistentPosition) -> dict[str, Any]:
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


def unfinished(puzzle: Puzzle, method: Method, asked: Solving) -> dict[str, Any]:
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


def _summary(solved: Solved) -> str:
    number = solved.solutions
    words = f"{number} solution{'' if number == 1 else 's'}"
    if solved.unique:
        words = "1 solution, the only one"
    elif solved.complete:
        words += " in all"
    elif solved.method.most_children is not None:
        words += " within the children tried"
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
