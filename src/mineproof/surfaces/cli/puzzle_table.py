"""The table of `mineproof puzzle --table`: the nodes and the time of every order and puzzle."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from mineproof.errors import BudgetExceeded
from mineproof.puzzle import ORDERS
from mineproof.surfaces.cli.console import stdout_console
from mineproof.surfaces.cli.puzzling import Solving, keeping, seconds_text, solve_one, unfinished
from mineproof.view.notation.csp import Puzzle

__all__ = ["print_table"]


def print_table(puzzles: tuple[Puzzle, ...], asked: Solving) -> None:
    """The nodes and times of every order, for every puzzle."""
    methods = [
        replace(asked.method, order=order, forward_checking=checking)
        for checking in (False, True)
        for order in ORDERS
    ]
    with keeping(asked) as found:
        for method in methods:
            for puzzle in puzzles:
                try:
                    solved = solve_one(puzzle, method, asked)
                except BudgetExceeded:
                    found.append(unfinished(puzzle, method, asked))
                else:
                    found.append(solved.to_json(puzzle.name))
    if asked.as_json:
        return
    console = stdout_console()
    target = "all solutions" if asked.every else "the first solution"
    names = [puzzle.name for puzzle in puzzles]
    rows = [method.text for method in methods]
    _print_wide(console, f"nodes to {target}", names, rows, [_nodes(one) for one in found])
    typer.echo()
    _print_wide(console, f"time to {target}", names, rows, [_time(one) for one in found])


def _nodes(one: dict[str, Any]) -> str:
    return f">{one['more_than']}" if one["nodes"] is None else str(one["nodes"])


def _time(one: dict[str, Any]) -> str:
    return "-" if one["seconds"] is None else seconds_text(one["seconds"])


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
