"""`mineproof solve`: every cell's chance of a mine, the certain cells, the number of solutions."""

from __future__ import annotations

import json
import math
import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from mineproof.surfaces.cli.options import AsJson, PositionFile

if TYPE_CHECKING:
    from rich.console import Console

    from mineproof.advice.advice import Advice
    from mineproof.inference.engine.analysis import Analysis
    from mineproof.search.win import WinChance

__all__ = ["command"]

_MOST_ROWS = 40


def command(
    position: PositionFile,
    as_json: AsJson = False,
    svg: Annotated[
        str | None, typer.Option("--svg", metavar="FILE", help="Draw the heat map into a file.")
    ] = None,
    dimacs: Annotated[
        str | None,
        typer.Option("--dimacs", metavar="FILE", help="Write the clues and the total as CNF."),
    ] = None,
    heat: Annotated[bool, typer.Option("--heat", help="Show the heat map alone.")] = False,
    table: Annotated[bool, typer.Option("--table", help="Show the table alone.")] = False,
    every: Annotated[
        bool, typer.Option("--all", help=f"List every cell, not only the first {_MOST_ROWS}.")
    ] = False,
    clues: Annotated[
        str | None,
        typer.Option(
            "--clues",
            metavar="CHANNEL",
            help="Read the clues as exact, withheld:P, optimistic, cautious, noisy:P or table:FILE."
            "  [default: what the position says, else exact]",
        ),
    ] = None,
    win: Annotated[
        bool, typer.Option("--win", help="Also give each cell's chance to win the game.")
    ] = False,
    samples: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="With --win: games played out for each cell before the endgame.  [default: 400]",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="S", help="With --win: stop after about this time.  [default: no limit]"
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="With --win: the seed of the games played out.  [default: 0]"
        ),
    ] = None,
    trust_flags: Annotated[
        bool, typer.Option("--trust-flags", help="Treat every flagged cell as a mine.")
    ] = False,
    budget: Annotated[
        int | None,
        typer.Option(metavar="STATES", help="Give up past this many states.  [default: 400000000]"),
    ] = None,
    memory: Annotated[
        int | None,
        typer.Option(metavar="MB", help="Give up past this much memory.  [default: 4096]"),
    ] = None,
) -> None:
    """Give the exact chance of a mine in every hidden cell.

    The best move comes with its reason: it is certain, or by best play, look-ahead or least risk.
    If clues are unreliable, also give the chance of each true count. With --win, also give each
    cell's chance to win: exact in the endgame, before it an estimate from games played out, with a
    95 % interval. In the picture it is the small number. The exit status is 3 if the position has
    no solution, with the clues that clash, and 4 if it takes more work than the budget allows.
    """
    from mineproof.advice.advising import advise
    from mineproof.errors import InputError
    from mineproof.inference.engine.budget import DEFAULT_BUDGET, Budget
    from mineproof.inference.engine.exact import analyze
    from mineproof.surfaces.cli.console import stdout_console
    from mineproof.surfaces.cli.outputs import Output
    from mineproof.surfaces.cli.winning import best_json, print_best, print_win, win_json
    from mineproof.view.view import View

    for option, value in (("--samples", samples), ("--seconds", seconds), ("--seed", seed)):
        if value is not None and not win:
            raise InputError(f"{option} says how --win estimates; accepted: together with --win")
    if win and trust_flags:
        raise InputError("--win does not count flags as evidence; accepted: without --trust-flags")
    if heat and table:
        raise InputError("--heat and --table each show one thing alone; accepted: one of them")
    allowed = Budget(
        DEFAULT_BUDGET.states if budget is None else budget,
        DEFAULT_BUDGET.memory if memory is None else memory << 20,
    )
    dimacs_file, picture = Output.named("--dimacs", dimacs), Output.named("--svg", svg)
    view = View.read(position)
    if clues is not None:
        from mineproof.view.clue_table import spelled_out

        view = view.with_rules(view.rules.with_words(clues=spelled_out(clues)))
    if dimacs_file is not None:
        from mineproof.inference.logics.clauses import to_dimacs

        dimacs_file.write(to_dimacs(view, use_total=True))
    start = time.perf_counter_ns()
    analysis = analyze(view, budget=allowed, trust_flags=trust_flags)
    chances = analysis.p
    elapsed = (time.perf_counter_ns() - start) // 1000
    wins = _win_chances(analysis, samples, seconds, seed) if win else None
    best = advise(analysis, wins=wins or ())
    if picture is not None:
        picture.write(_svg(analysis, best, wins))
    if as_json:
        answer = _json(analysis, best_json(view.topology, best), elapsed)
        if wins is not None:
            answer["win"] = win_json(view.topology, wins)
        typer.echo(json.dumps(answer))
        return
    console = stdout_console()
    if not table:
        _print_heat(console, analysis)
    if not heat:
        rows = len(chances) if every else _MOST_ROWS
        _print_table(console, analysis, rows)
        _print_beliefs(console, analysis, rows)
    if wins is not None and not heat:
        print_win(console, view.topology, wins, rows)
    _print_summary(console, analysis)
    print_best(console, view.topology, best)


def _json_solutions(analysis: Analysis) -> dict[str, object]:
    """The exact number, or null and its logarithm if a huge board has too many to count."""
    solutions, digits = _solutions(analysis)
    if solutions is not None:
        return {"solutions": _written(solutions)}
    return {"solutions": None, "log10_solutions": digits}


def _written(number: int) -> str:
    """All digits. Python refuses to write very many unless told; it is told for this alone."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return str(number)
    finally:
        sys.set_int_max_str_digits(before)


def _solutions(analysis: Analysis) -> tuple[int | None, float | None]:
    from mineproof.errors import BudgetExceeded

    try:
        return analysis.solutions, None
    except BudgetExceeded:
        logarithm = analysis.log_solutions
        return None, None if logarithm is None else logarithm / math.log(10)


def _json(analysis: Analysis, best: dict[str, object] | None, elapsed: int) -> dict[str, object]:
    view, topology = analysis.view, analysis.view.topology
    certain = {0.0: "safe", 1.0: "mine"}
    chances = analysis.p.array.tolist()
    lengths = topology.lattice.row_lengths
    answer: dict[str, object] = {
        "topology": topology.name,
        "rows": len(lengths),
        "cols": max(lengths),
        "mines": view.total,
        **_json_solutions(analysis),
        "cells": [
            {
                "cell": list(topology.coordinates(cell)),
                "p": chances[cell],
                "certain": certain.get(chances[cell]),
            }
            for cell in view.hidden
        ],
        "best": best,
        "engine": analysis.engine,
        "elapsed_us": elapsed,
    }
    if view.rules.clues != "exact":
        from mineproof.surfaces.cli.beliefs import beliefs_json

        answer["beliefs"] = beliefs_json(analysis)
    return answer


def _print_heat(console: Console, analysis: Analysis) -> None:
    from mineproof.surfaces.cli.console import writes_unicode
    from mineproof.surfaces.cli.terminal import ASCII, UNICODE, board_text

    chances = analysis.p.array.tolist()
    board = board_text(
        analysis.view,
        heat={cell: chances[cell] for cell in analysis.view.hidden},
        symbols=UNICODE if writes_unicode(console) else ASCII,
        width=console.width,
    )
    console.print(board, soft_wrap=True)


def _print_table(console: Console, analysis: Analysis, rows: int) -> None:
    from mineproof.percentages import percent

    topology = analysis.view.topology
    chances = analysis.p.array.tolist()
    certain = {0.0: (0, "safe"), 1.0: (1, "mine")}
    # Equal chances may differ in their last bits; such cells are listed by place.
    listed = sorted(
        analysis.view.hidden,
        key=lambda cell: (certain.get(chances[cell], (2, ""))[0], round(chances[cell], 12), cell),
    )
    width = max([4, *(len(topology.cell_name(cell)) for cell in listed[:rows])])
    console.print(f"{'cell':<{width}}  chance of a mine", style="bold")
    for cell in listed[:rows]:
        said = certain.get(chances[cell], (2, percent(chances[cell])))[1]
        console.print(f"{topology.cell_name(cell):<{width}}  {said:>8}", soft_wrap=True)
    if len(listed) > rows:
        console.print(f"and {len(listed) - rows} more cells; --all lists them")


def _print_beliefs(console: Console, analysis: Analysis, rows: int) -> None:
    if analysis.view.rules.clues != "exact":
        from mineproof.surfaces.cli.beliefs import print_beliefs

        print_beliefs(console, analysis, rows)


def _print_summary(console: Console, analysis: Analysis) -> None:
    view = analysis.view
    solutions, digits = _solutions(analysis)
    told = (
        "too many to count exactly within the budget" if solutions is None else _written(solutions)
    )
    if digits is not None:
        told = f"about 10^{digits:.1f}, {told}"
    found = f"{len(analysis.safe)} certainly safe, {len(analysis.mines)} certainly mines"
    console.print(f"{view.hidden_count} hidden cells: {found}", soft_wrap=True)
    console.print(f"solutions: {told}", soft_wrap=True)


def _win_chances(
    analysis: Analysis, samples: int | None, seconds: float | None, seed: int | None
) -> list[WinChance]:
    from mineproof.advice.advising import chances_to_win
    from mineproof.search.win import SAMPLES

    return chances_to_win(
        analysis.view,
        samples=SAMPLES if samples is None else samples,
        seconds=seconds,
        seed=0 if seed is None else seed,
    )


def _svg(analysis: Analysis, best: Advice | None, wins: list[WinChance] | None) -> str:
    """The heat map as a picture, the best move marked, the chances to win as small numbers."""
    from mineproof.advice.advice import Basis
    from mineproof.percentages import whole_percent
    from mineproof.proofs.drawing import draw_svg

    marked: tuple[int, ...] = () if best is None else (best.cell,)
    if best is not None and best.basis is Basis.BEST_PLAY:
        marked += best.ties
    notes = {win.cell: whole_percent(win.chance) for win in wins or ()}
    return draw_svg(analysis.view, analysis.p.array.tolist(), marked, notes=notes)
