"""What `mineproof solve` answers: the analysis and the best move, as its options ask for them."""

from __future__ import annotations

import json
import math
import sys
import time
from typing import TYPE_CHECKING

import typer

from mineproof.advice.advice import Advice, Basis
from mineproof.advice.advising import advise, chances_to_win
from mineproof.errors import BudgetExceeded
from mineproof.inference.engine.analysis import Analysis
from mineproof.inference.engine.budget import DEFAULT_BUDGET, Budget
from mineproof.inference.engine.exact import analyze
from mineproof.percentages import percent, whole_percent
from mineproof.search.win import SAMPLES, WinChance
from mineproof.surfaces.cli.console import stdout_console, writes_unicode
from mineproof.surfaces.cli.outputs import Output
from mineproof.surfaces.cli.solve_options import MOST_ROWS, SolveOptions
from mineproof.surfaces.cli.terminal import ASCII, UNICODE, board_text
from mineproof.surfaces.cli.waiting import Waiting
from mineproof.surfaces.cli.winning import best_json, print_best, print_win, win_json
from mineproof.view.clue_table import spelled_out
from mineproof.view.view import View

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["solve_and_show"]


def solve_and_show(position: str, options: SolveOptions) -> None:
    """Analyse the position of a file, print what was asked for, and write the files named."""
    budget = Budget(
        DEFAULT_BUDGET.states if options.budget is None else options.budget,
        DEFAULT_BUDGET.memory if options.memory is None else options.memory << 20,
    )
    dimacs = Output.named("--dimacs", options.dimacs)
    picture = Output.named("--svg", options.svg)
    with Waiting("reading the position"):
        view = View.read(position)
    if options.clues is not None:
        view = view.with_rules(view.rules.with_words(clues=spelled_out(options.clues)))
    if dimacs is not None:
        from mineproof.inference.logics.clauses import to_dimacs

        dimacs.write(to_dimacs(view, use_total=True))
    if options.sentence:
        from mineproof.surfaces.cli.sentences import show_sentence

        show_sentence(view, options)
        return
    with Waiting(f"counting over {view.hidden_count} hidden cells"):
        start = time.perf_counter_ns()
        analysis = analyze(view, budget=budget, trust_flags=options.trust_flags)
        _ = analysis.p  # worked out here, so that it is timed
        elapsed = (time.perf_counter_ns() - start) // 1000
    with Waiting("looking for the best move"):
        wins = _win_chances(view, options) if options.win else None
        best = advise(analysis, wins=wins or ())
    if picture is not None:
        picture.write(_svg(analysis, best, wins))
    if options.as_json:
        answer = _json(analysis, best_json(view.topology, best), elapsed)
        if wins is not None:
            answer["win"] = win_json(view.topology, wins)
        typer.echo(json.dumps(answer))
    else:
        _print(stdout_console(), analysis, best, wins, options)


def _print(
    console: Console,
    analysis: Analysis,
    best: Advice | None,
    wins: list[WinChance] | None,
    options: SolveOptions,
) -> None:
    rows = len(analysis.p) if options.every else MOST_ROWS
    if not options.table:
        _print_heat(console, analysis)
    if not options.heat:
        _print_table(console, analysis, rows)
        _print_beliefs(console, analysis, rows)
        if wins is not None:
            print_win(console, analysis.view.topology, wins, rows)
    _print_summary(console, analysis)
    print_best(console, analysis.view.topology, best)


def _win_chances(view: View, options: SolveOptions) -> list[WinChance]:
    return chances_to_win(
        view,
        samples=SAMPLES if options.samples is None else options.samples,
        seconds=options.seconds,
        seed=options.seed or 0,
    )


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
    chances = analysis.p.array.tolist()
    board = board_text(
        analysis.view,
        heat={cell: chances[cell] for cell in analysis.view.hidden},
        symbols=UNICODE if writes_unicode(console) else ASCII,
        width=console.width,
    )
    console.print(board, soft_wrap=True)


def _print_table(console: Console, analysis: Analysis, rows: int) -> None:
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


def _svg(analysis: Analysis, best: Advice | None, wins: list[WinChance] | None) -> str:
    """The heat map as a picture, the best move marked, the chances to win as small numbers."""
    from mineproof.view.drawing import draw_svg

    marked: tuple[int, ...] = () if best is None else (best.cell,)
    if best is not None and best.basis is Basis.BEST_PLAY:
        marked += best.ties
    notes = {win.cell: whole_percent(win.chance) for win in wins or ()}
    return draw_svg(analysis.view, analysis.p.array.tolist(), marked, notes=notes)
