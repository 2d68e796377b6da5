"""`mineproof puzzle`: static puzzles, their solutions and the nodes they take."""

from __future__ import annotations

from typing import Annotated

import typer

from mineproof.surfaces.cli.options import AsJson

__all__ = ["command"]

_LINES = 40


def command(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Puzzle lines or one position; - for stdin.")
    ],
    order: Annotated[
        str,
        typer.Option(
            metavar="WORDS",
            help="none, some of mrv,degree,lcv; or report 3's own search: report as its text"
            " describes it, listing as its program does it.",
        ),
    ] = "none",
    forward_checking: Annotated[
        bool, typer.Option("--forward-checking", help="Leave out values that a hint rules out.")
    ] = False,
    children: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Try at most this many cells from each mine.  [default: all; 4 with report and"
            " listing]",
        ),
    ] = None,
    memo: Annotated[bool, typer.Option("--memo", help="Keep a memo of refuted states.")] = False,
    every: Annotated[
        bool, typer.Option("--all", help="Find all solutions, not only the first.")
    ] = False,
    table: Annotated[
        bool,
        typer.Option(
            "--table", help="Show nodes and times of every order, with and without checking."
        ),
    ] = False,
    trace: Annotated[
        bool, typer.Option("--trace", help="Show the search step by step: every value tried.")
    ] = False,
    trace_lines: Annotated[
        str | None,
        typer.Option(
            metavar="N", help=f"With --trace: how many lines, or all.  [default: {_LINES}]"
        ),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
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
    from mineproof.errors import InputError
    from mineproof.puzzle import Method, Order, read_puzzles
    from mineproof.surfaces.cli.puzzle_table import print_table
    from mineproof.surfaces.cli.puzzling import Solving, solve_all

    for name, number in (("--children", children), ("--budget", budget)):
        if number is not None and number < 1:
            raise InputError(f"{name} {number}; accepted: 1 or more")
    if trace_lines is not None and not trace:
        raise InputError("--trace-lines is the length of a trace; accepted: together with --trace")
    if table and (order != "none" or forward_checking):
        raise InputError("--table runs every order; accepted: without --order and checking")
    if table and trace:
        raise InputError("--table and --trace exclude each other; accepted: one of them")
    method = Method(Order.parse(order), forward_checking, children, memo)
    lines = _lines(trace_lines) if trace else 0
    puzzles = read_puzzles(file)
    asked = Solving(method, every, budget, as_json)
    if table:
        print_table(puzzles, asked)
    else:
        solve_all(puzzles, asked, lines)


def _lines(text: str | None) -> int | None:
    """How many lines of the trace to show; None for all."""
    from mineproof.errors import InputError, quoted

    if text is None:
        return _LINES
    if text == "all":
        return None
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 9 and int(text)):
        raise InputError(f"--trace-lines {quoted(text)}; accepted: a number from 1, or all")
    return int(text)
