"""`mineproof puzzle`: static puzzles, their solutions and the nodes they take."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mineproof.surfaces.cli.options import AsJson

if TYPE_CHECKING:
    from mineproof.puzzle import Method, Solved
    from mineproof.view.notation.csp import Puzzle

__all__ = ["command"]

_MOST_DRAWN = 20


def command(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Puzzle lines or one position; - for stdin.")
    ],
    order: Annotated[
        str, typer.Option(metavar="WORDS", help="none, or some of mrv,degree,lcv.")
    ] = "none",
    forward_checking: Annotated[
        bool, typer.Option("--forward-checking", help="Leave out values that a hint rules out.")
    ] = False,
    children: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Try at most this many cells from each mine.  [default: all]"
        ),
    ] = None,
    memo: Annotated[bool, typer.Option("--memo", help="Keep a memo of refuted states.")] = False,
    every: Annotated[
        bool, typer.Option("--all", help="Find all solutions, not only the first.")
    ] = False,
    table: Annotated[
        bool,
        typer.Option("--table", help="Show the nodes of every order, with and without checking."),
    ] = False,
    budget: Annotated[
        int | None,
        typer.Option(metavar="NODES", help="Give up past this many nodes.  [default: 2000000]"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Solve static puzzles by backtracking and count the nodes.

    A node is one value tried for one cell, for every order. The exit status is 3 if a puzzle has no
    solution and 4 if a search takes too many nodes. With --table, such a search is listed as
    `>BUDGET`, and the exit status is 0.
    """
    from mineproof.errors import InputError
    from mineproof.puzzle import Method, Order, read_puzzles
    from mineproof.puzzle.search import MOST_NODES

    for name, number in (("--children", children), ("--budget", budget)):
        if number is not None and number < 1:
            raise InputError(f"{name} {number}; accepted: 1 or more")
    method = Method(Order.parse(order), forward_checking, children, memo)
    puzzles = read_puzzles(file)
    nodes = MOST_NODES if budget is None else budget
    if table:
        if order != "none" or forward_checking:
            raise InputError("--table runs every order; accepted: without --order and checking")
        _table(puzzles, method, every, nodes, as_json)
    else:
        _solve(puzzles, method, every, nodes, as_json)


def _solve(
    puzzles: tuple[Puzzle, ...], method: Method, every: bool, budget: int, as_json: bool
) -> None:
    from mineproof.errors import InconsistentPosition
    from mineproof.puzzle import draw, solve_puzzle

    found: list[dict[str, Any]] = []
    clash: InconsistentPosition | None = None
    for puzzle in puzzles:
        try:
            solved = solve_puzzle(puzzle.view, method, every=every, budget=budget, name=puzzle.name)
        except InconsistentPosition as error:
            # The others are still worth solving; the first clash decides the exit status, and is
            # said at the end.
            found.append(_unsolvable(puzzle, method, error))
            if clash is None:
                clash = error
            elif not as_json:
                typer.echo(f"{error}\n")
            continue
        found.append(solved.to_json(puzzle.name))
        if not as_json:
            typer.echo(f"{puzzle.name}: {_summary(solved)}")
            for solution in solved.kept[:_MOST_DRAWN]:
                typer.echo(draw(puzzle.view, solution) + "\n")
            if solved.solutions > _MOST_DRAWN:
                typer.echo(f"... and {solved.solutions - _MOST_DRAWN} more\n")
    if as_json:
        typer.echo(json.dumps({"puzzles": found}))
    if clash is not None:
        raise clash


def _unsolvable(puzzle: Puzzle, method: Method, error: Any) -> dict[str, Any]:
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


def _unfinished(puzzle: Puzzle, method: Method, budget: int) -> dict[str, Any]:
    return {
        "name": puzzle.name,
        "order": method.order.text,
        "forward_checking": method.forward_checking,
        "children": method.children,
        "memo": method.memo,
        "nodes": None,
        "more_than": budget,
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
    elif solved.method.children is not None:
        words += " within the children tried"
    else:
        words = "first solution"
    return f"{words}; {solved.nodes} nodes ({solved.method.text})"


def _table(
    puzzles: tuple[Puzzle, ...], method: Method, every: bool, budget: int, as_json: bool
) -> None:
    """The nodes of every order, for every puzzle."""
    from dataclasses import replace

    from mineproof.errors import BudgetExceeded
    from mineproof.puzzle import ORDERS, solve_puzzle

    found: list[dict[str, Any]] = []
    lines: list[list[str]] = []
    for checking in (False, True):
        for order in ORDERS:
            chosen = replace(method, order=order, forward_checking=checking)
            line = [chosen.text]
            for puzzle in puzzles:
                try:
                    solved = solve_puzzle(
                        puzzle.view, chosen, every=every, budget=budget, name=puzzle.name
                    )
                except BudgetExceeded:
                    found.append(_unfinished(puzzle, chosen, budget))
                    line.append(f">{budget}")
                    continue
                found.append(solved.to_json(puzzle.name))
                line.append(str(solved.nodes))
            lines.append(line)
    if as_json:
        typer.echo(json.dumps({"puzzles": found}))
        return
    from rich import box
    from rich.table import Table

    from mineproof.surfaces.cli.console import stdout_console

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column(f"nodes to {'all solutions' if every else 'the first solution'}")
    for puzzle in puzzles:
        table.add_column(puzzle.name, justify="right")
    for line in lines:
        table.add_row(*line)
    stdout_console().print(table)
