"""`mineproof solve`: every cell's chance of a mine, the certain cells, the number of solutions."""

from __future__ import annotations

import json
import math
import re
import sys
import textwrap
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import click
from rich.console import Console

from mineproof.advice.adviser import Advice, Basis, advise, win_chances
from mineproof.board.topology import folded_names
from mineproof.cli.console import StatusLine, print_sentences, stdout_console, writes_unicode
from mineproof.cli.declarations import Option
from mineproof.cli.options import CHANNEL_FORMS, AsJson, OutputFile, PositionFile, PositionMines
from mineproof.cli.terminal import Shade, print_board
from mineproof.engine.analysis import DEFAULT_BUDGET, Analysis, Budget
from mineproof.engine.exact import analyze
from mineproof.errors import BudgetExceeded, InputError
from mineproof.search.win import SAMPLES, WinChance
from mineproof.text import many, percent, whole_percent
from mineproof.view.channels import EXACT, Mark, expand_table_file
from mineproof.view.view import View

if TYPE_CHECKING:
    from mineproof.board.topology import Topology


# -- The options of `mineproof solve`: what each does, and which go together ---

MOST_ROWS = 40


@dataclass(frozen=True)
class SolveOptions:
    """The options of `solve`, as given. Raises InputError if two do not go together."""

    mines: PositionMines = None
    as_json: AsJson = False
    svg: Annotated[str | None, Option(metavar="FILE", help="Draw the heat map into a file.")] = None
    dimacs: Annotated[
        str | None, Option(metavar="FILE", help="Write the clues and the total as CNF.")
    ] = None
    sentence: Annotated[
        bool,
        Option("--sentence", help="Print the clues and the total as a logical sentence alone."),
    ] = False
    heat: Annotated[bool, Option("--heat", help="Show the heat map alone.")] = False
    table: Annotated[bool, Option("--table", help="Show the table alone.")] = False
    every: Annotated[
        bool, Option("--all", help=f"List every cell, not only the first {MOST_ROWS}.")
    ] = False
    agent: Annotated[
        str | None,
        Option(
            metavar="AGENT",
            help="Instead: what this agent knows, proves and misses, and the move it chooses.",
        ),
    ] = None
    clues: Annotated[
        str | None,
        Option(
            metavar="CHANNEL",
            help=f"Read the clues as {CHANNEL_FORMS}."
            "  [default: what the position says, else exact]",
        ),
    ] = None
    win: Annotated[bool, Option("--win", help="Also give each cell's chance to win the game.")] = (
        False
    )
    samples: Annotated[
        int | None,
        Option(
            metavar="N",
            help="With --win: games played out for each cell before the endgame.  [default: 400]",
        ),
    ] = None
    seconds: Annotated[
        float | None,
        Option(metavar="S", help="With --win: stop after about this time.  [default: no limit]"),
    ] = None
    seed: Annotated[
        int | None,
        Option(
            metavar="N",
            help="The seed of the games of --win, or of the choice of --agent.  [default: 0]",
        ),
    ] = None
    trust_flags: Annotated[
        bool, Option("--trust-flags", help="Treat every flagged cell as a mine.")
    ] = False
    budget: Annotated[
        int | None,
        Option(metavar="STATES", help="Give up past this many states.  [default: 400000000]"),
    ] = None
    memory: Annotated[
        int | None, Option(metavar="MB", help="Give up past this much memory.  [default: 4096]")
    ] = None

    def __post_init__(self) -> None:
        for option in ("samples", "seconds", "seed"):
            answers = option == "seed" and self.agent is not None
            if getattr(self, option) is not None and not self.win and not answers:
                raise InputError(
                    f"--{option} says how --win estimates; accepted: together with --win"
                )
        for option in ("win", "heat", "table", "svg", "dimacs", "sentence", "trust_flags"):
            if self.agent is not None and getattr(self, option):
                raise InputError(
                    f"--agent tells what an agent makes of the position; accepted: without"
                    f" --{option.replace('_', '-')}"
                )
        if self.win and self.trust_flags:
            raise InputError(
                "--win does not count flags as evidence; accepted: without --trust-flags"
            )
        for option in ("heat", "table", "win", "svg"):
            if self.sentence and getattr(self, option):
                raise InputError(
                    f"--sentence prints what is known, not what follows; accepted: without"
                    f" --{option}"
                )
        if self.heat and self.table:
            raise InputError("--heat and --table each show one thing alone; accepted: one of them")


# -- The command: the analysis and the best move, as its options ask for them --


def command(position: PositionFile, options: SolveOptions) -> None:
    """Give the exact chance of a mine in every hidden cell.

    The best move comes with its reason: it is certain, or by best play, look-ahead or least risk.
    If clues are unreliable, also give the chance of each true count. With --win, also give each
    cell's chance to win: exact in the endgame, before it an estimate from games played out, with a
    95 % interval. In the picture it is the small number. With --agent, say instead what a logic
    knows and proves there and which certain cells it misses. The exit status is 3 if the position
    has no solution, with the clues that clash, and 4 if it takes more work than the budget allows.
    """
    budget = Budget(
        DEFAULT_BUDGET.states if options.budget is None else options.budget,
        DEFAULT_BUDGET.memory if options.memory is None else options.memory << 20,  # MB
    )
    dimacs = OutputFile.of("--dimacs", options.dimacs)
    picture = OutputFile.of("--svg", options.svg)
    with StatusLine("reading the position"):
        view = View.read(position, options.mines)
    if options.clues is not None:
        view = view.with_rules(view.rules.with_words(clues=expand_table_file(options.clues)))
    if dimacs is not None:
        from mineproof.logics.sat import to_dimacs

        dimacs.write(to_dimacs(view, use_total=True))
    if options.sentence:
        show_sentence(view, options)
        return
    if options.agent is not None:
        show_reading(view, options.agent, options)
        return
    with StatusLine(f"counting over {view.hidden_count} hidden cells"):
        start = time.perf_counter_ns()
        analysis = analyze(view, budget=budget, trust_flags=options.trust_flags)
        _ = analysis.p  # worked out here, so that it is timed
        elapsed = (time.perf_counter_ns() - start) // 1000
    with StatusLine("looking for the best move"):
        wins = None
        if options.win:
            samples = SAMPLES if options.samples is None else options.samples
            wins = win_chances(
                view, samples=samples, seconds=options.seconds, seed=options.seed or 0
            )
        best = advise(analysis, wins=wins or ())
    if picture is not None:
        picture.write(_svg(analysis, best, wins))
    if options.as_json:
        answer = _analysis_json(analysis, best_json(view.topology, best), elapsed)
        if wins is not None:
            place = view.topology.coordinates
            answer["win"] = [{"cell": list(place(win.cell)), **_chance_json(win)} for win in wins]
        click.echo(json.dumps(answer))
    else:
        _print(stdout_console(), analysis, best, wins, options)


_CERTAIN = {0.0: "safe", 1.0: "mine"}


def _print(
    console: Console,
    analysis: Analysis,
    best: Advice | None,
    wins: list[WinChance] | None,
    options: SolveOptions,
) -> None:
    rows = len(analysis.p) if options.every else MOST_ROWS
    if not options.table:
        chances = analysis.p.array.tolist()
        heat = {cell: chances[cell] for cell in analysis.view.hidden}
        print_board(console, analysis.view, heat=heat)
    if not options.heat:
        _print_table(console, analysis, rows)
        print_beliefs(console, analysis, rows)
        if wins is not None:
            print_win(console, analysis.view.topology, wins, rows)
    _print_summary(console, analysis)
    print_best(console, analysis.view.topology, best)


def _solutions_json(analysis: Analysis) -> dict[str, object]:
    """The exact number, or null and its logarithm if a huge board has too many to count."""
    solutions, digits = _solutions(analysis)
    if solutions is not None:
        return {"solutions": _digits(solutions)}
    return {"solutions": None, "log10_solutions": digits}


def _digits(number: int) -> str:
    """All digits. Python refuses to write very many unless told; it is told for this alone."""
    # The limit guards against slow conversions of foreign numbers; this one was counted here.
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


def _analysis_json(
    analysis: Analysis, best: dict[str, object] | None, elapsed: int
) -> dict[str, object]:
    view, topology = analysis.view, analysis.view.topology
    chances = analysis.p.array.tolist()
    lengths = topology.lattice.row_lengths
    answer: dict[str, object] = {
        "topology": topology.name,
        "rows": len(lengths),
        "cols": max(lengths),
        "mines": view.total,
        **_solutions_json(analysis),
        "cells": [
            {
                "cell": list(topology.coordinates(cell)),
                "p": chances[cell],
                "certain": _CERTAIN.get(chances[cell]),
            }
            for cell in view.hidden
        ],
        "best": best,
        "engine": analysis.engine,
        "elapsed_us": elapsed,
    }
    if view.rules.clues != "exact":
        answer["beliefs"] = beliefs_json(analysis)
    return answer


def _print_table(console: Console, analysis: Analysis, rows: int) -> None:
    topology = analysis.view.topology
    chances = analysis.p.array.tolist()
    place = {0.0: 0, 1.0: 1}  # the safe cells first, then the mines
    # Equal chances may differ in their last bits; such cells keep the order of the board.
    listed = sorted(
        analysis.view.hidden,
        key=lambda cell: (place.get(chances[cell], 2), round(chances[cell], 12), cell),
    )
    lines = [
        (cell, f"{_CERTAIN.get(chances[cell], percent(chances[cell])):>8}")
        for cell in listed[:rows]
    ]
    _print_lines(console, topology, ("cell", "chance of a mine"), lines, len(listed))


def _print_lines(
    console: Console,
    topology: Topology,
    head: tuple[str, str],
    lines: Sequence[tuple[int, str]],
    total: int,
) -> None:
    """Print a line for each of the first cells, and how many more there are in `total`."""
    what, title = head
    width = max([4, *(len(topology.cell_name(cell)) for cell, _ in lines)])
    console.print(f"{what:<{width}}  {title}", style="bold")
    for cell, text in lines:
        console.print(f"{topology.cell_name(cell):<{width}}  {text}", soft_wrap=True)
    if total > len(lines):
        console.print(f"and {total - len(lines)} more {what}s; --all lists them")


def _print_summary(console: Console, analysis: Analysis) -> None:
    view = analysis.view
    solutions, digits = _solutions(analysis)
    number = (
        "too many to count exactly within the budget" if solutions is None else _digits(solutions)
    )
    if digits is not None:
        number = f"about 10^{digits:.1f}, {number}"
    certain = f"{len(analysis.safe)} certainly safe, {len(analysis.mines)} certainly mines"
    console.print(f"{view.hidden_count} hidden cells: {certain}", soft_wrap=True)
    console.print(f"solutions: {number}", soft_wrap=True)


def _svg(analysis: Analysis, best: Advice | None, wins: list[WinChance] | None) -> str:
    """The heat map as a picture, the best move marked, the chances to win as small numbers."""
    from mineproof.view.svg import draw_svg

    marked: tuple[int, ...] = () if best is None else (best.cell,)
    if best is not None and best.basis is Basis.BEST_PLAY:
        marked += best.ties
    notes = {win.cell: whole_percent(win.chance) for win in wins or ()}
    return draw_svg(analysis.view, analysis.p.array.tolist(), marked, notes=notes)


# ----------------------------------------------------------------------------
# The chance of each true count where clues are unreliable: for `solve`, as JSON and as a table.


def beliefs_json(analysis: Analysis) -> list[dict[str, object]]:
    """Every opened cell with what it shows, null for no clue, and the chance of each true count."""
    view, topology = analysis.view, analysis.view.topology
    return [
        {
            "cell": list(topology.coordinates(cell)),
            "shown": view.clue(cell),
            "counts": {str(true): chance for true, chance in analysis.belief(cell).items()},
        }
        for cell in _uncertain_clues(analysis)
    ]


def print_beliefs(console: Console, analysis: Analysis, rows: int) -> None:
    """The clues in the board's order, each with the chance that it is true and of other counts."""
    view, cells = analysis.view, list(_uncertain_clues(analysis))
    if not cells:
        return
    lines = []
    for cell in cells[:rows]:
        shown = view.clue(cell)
        believed = ", ".join(
            f"{true}: {'certain' if chance == 1 else percent(chance)}"
            for true, chance in analysis.belief(cell).items()
        )
        lines.append((cell, f"{'?' if shown is None else shown:>5}  {believed}"))
    _print_lines(console, view.topology, ("clue", "shows  true count"), lines, len(cells))


def _uncertain_clues(analysis: Analysis) -> Iterator[int]:
    """The opened cells whose true count may differ from what they show; none if clues are exact."""
    view = analysis.view
    if view.channel is EXACT:
        return iter(())
    return (cell for cell in sorted(view.opened) if view.code(cell) != Mark.MINE.value)


# -- How `mineproof solve --sentence` shows the knowledge base of a position ---

_INDENT = "    "


def show_sentence(view: View, options: SolveOptions) -> None:
    """Print the lines of the sentence; in a terminal with its own signs, if it can write them."""
    # Plain `solve` needs no logic: it starts sooner without them.
    from mineproof.logics.sat import ASCII_SIGNS, UNICODE_SIGNS, sentence

    console = stdout_console()
    known = console.is_terminal and not options.as_json and writes_unicode(console)
    signs = UNICODE_SIGNS if known else ASCII_SIGNS
    # A file or another program gets ASCII, whatever the encoding.
    lines = list(sentence(view, signs, trust_flags=options.trust_flags))
    if options.as_json:
        place = view.topology.coordinates
        listed = [
            {
                "premise": line.premise,
                "clue": None if line.clue is None else list(place(line.clue)),
                "formula": line.formula,
            }
            for line in lines
        ]
        click.echo(json.dumps({"sentence": listed}))
        return
    width = max(console.width, 20)
    for line in lines:
        for row in textwrap.wrap(
            _keep_together(str(line), width - len(_INDENT)),
            width,
            subsequent_indent=_INDENT,
            break_long_words=False,
            break_on_hyphens=False,
        ):
            console.print(row.replace("\0", " "), soft_wrap=True)


def _keep_together(line: str, most: int) -> str:
    """The line with no place to break within a possibility, if that fits."""
    return re.sub(
        r"\([^()]*\)",
        lambda found: found[0].replace(" ", "\0") if len(found[0]) < most else found[0],
        line,
    )


# -- How `solve` shows the best move, and with `--win` the chances to win ------


def _chance_json(win: WinChance) -> dict[str, object]:
    return {"chance": win.chance, "low": win.low, "high": win.high, "exact": win.exact}


def best_json(topology: Topology, best: Advice | None) -> dict[str, object] | None:
    """The best move as the key "best" of `solve --json` has it."""
    if best is None:
        return None
    return {
        "cell": list(topology.coordinates(best.cell)),
        "p": best.risk,
        "reason": best.text,
        "basis": best.basis.value,
        "win": best.win and _chance_json(best.win),
        "measure": best.measure.value,
        "ties": [list(topology.coordinates(cell)) for cell in best.ties],
        "alternatives": [
            {
                "cell": list(topology.coordinates(one.cell)),
                "p": one.risk,
                "win": one.win and _chance_json(one.win),
                "lost": one.lost,
            }
            for one in best.alternatives
        ],
    }


def print_win(console: Console, topology: Topology, wins: list[WinChance], rows: int) -> None:
    """The chances to win, the best first."""
    lines = []
    for win in wins[:rows]:
        risk = _CERTAIN.get(win.risk, percent(win.risk))
        how = "exact" if win.exact else "estimated"
        lines.append((win.cell, f"{risk:>8}  {win.text:>12}, {how}"))
    _print_lines(console, topology, ("cell", f"{'risk':>8}  chance to win"), lines, len(wins))


def print_best(console: Console, topology: Topology, best: Advice | None) -> None:
    """The best move, and under it why."""
    if best is None:
        console.print("best move: none, no hidden cell can be safe")
        return
    line = f"best move: {topology.cell_name(best.cell)}"
    line += ", safe" if best.risk == 0.0 else f", {percent(best.risk)} mine"
    if best.win is not None:
        line += f", wins {best.win.text}"
    console.print(line, soft_wrap=True)
    print_sentences(console, best.text)


# -- How `solve --agent` shows what an agent makes of the position -------------

_SHOWN_STATEMENTS = 40


def show_reading(view: View, name: str, options: SolveOptions) -> None:
    """Print what an agent knows and proves, what it misses of what is certain, and its move."""
    from mineproof.agents.agent import Action, Guessed, Proved
    from mineproof.game.annotate import read_position
    from mineproof.game.narration import reason_text
    from mineproof.game.transcript import decision_json
    from mineproof.sandbox.agent import IsolatedAgent, make_player

    agent = make_player(name)
    try:
        with StatusLine(f"asking {name}"):
            reading = read_position(view, agent, options.seed or 0)
    finally:
        if isinstance(agent, IsolatedAgent):
            agent.close()
    topology, choice, missed = view.topology, reading.choice, reading.missed
    risk = None
    if reading.analysis is not None and choice.cell is not None and view.is_hidden(choice.cell):
        risk = float(reading.analysis.p[choice.cell])
    if options.as_json:
        cells = None if missed is None else [(topology.coordinates(c), mine) for c, mine in missed]
        moves = (
            None if reading.moves is None else [decision_json(topology, m) for m in reading.moves]
        )
        answer = {
            "agent": name,
            "knowledge": list(reading.knowledge),
            "proved": moves,
            "missed": None
            if cells is None
            else [{"cell": list(c), "certain": "mine" if m else "safe"} for c, m in cells],
            "move": decision_json(topology, choice) | {"risk": risk},
        }
        click.echo(json.dumps(answer))
        return
    console = stdout_console()
    proved = reading.moves or ()
    labels = {
        move.cell: "X" if move.action is Action.FLAG else "ok"
        for move in proved
        if move.cell is not None
    }
    print_board(console, view, highlight=dict.fromkeys(labels, Shade.MOVE), labels=labels)
    _print_knowledge(console, reading.knowledge, options.every)
    if reading.moves is not None:
        count = many(len(proved), "cell")
        console.print(f"proves {count}{':' if proved else ''}", style="bold")
        for move in proved:
            assert move.cell is not None
            text = f"{topology.cell_name(move.cell)} {reason_text(move, view)}"
            print_sentences(console, text, _INDENT)
    _print_missed(console, view, None if reading.moves is None else len(proved), missed)
    made = choice.action.value
    if choice.cell is not None:
        made += f" {topology.cell_name(choice.cell)}"
    why = reason_text(choice, reading.view)
    text = f"its move: {made}" + (f" - {why}" if why else "")
    claimed = choice.reason.risk if isinstance(choice.reason, Guessed) else None
    if isinstance(choice.reason, Proved):
        claimed = 0.0
    same = claimed is not None and risk is not None and percent(claimed) == percent(risk)
    if risk is not None and choice.action is Action.OPEN and not same:
        told = "safe" if risk == 0 else "a mine" if risk == 1 else None
        text += f"; it is certainly {told}" if told else f"; the exact risk is {percent(risk)}"
    print_sentences(console, text)


def _print_knowledge(console: Console, statements: Sequence[str], every: bool) -> None:
    if not statements:
        console.print("knowledge: empty")
        return
    lines = many(len(statements), "line")
    console.print(f"knowledge, once nothing more follows ({lines}):", style="bold")
    shown = statements if every else statements[:_SHOWN_STATEMENTS]
    for line in shown:
        console.print(f"  {line}", soft_wrap=True)
    if len(shown) < len(statements):
        console.print(f"  and {len(statements) - len(shown)} more; --all lists them")


def _print_missed(
    console: Console, view: View, proved: int | None, missed: Sequence[tuple[int, bool]] | None
) -> None:
    """Which certain cells were not proved; where nothing is ever proved, which are certain."""
    if missed is None:
        console.print("what is certain takes more counting than the budget allows")
    elif not missed:
        console.print(
            "misses nothing: it proves all that is certain" if proved else "nothing is certain here"
        )
    else:
        certain = many((proved or 0) + len(missed), "certain cell")
        head = f"{certain}:" if proved is None else f"misses {len(missed)} of {certain}:"
        console.print(head, style="bold")
        for what, mine in (("safe", False), ("mines", True)):
            cells = [cell for cell, is_mine in missed if is_mine is mine]
            if cells:
                names = " ".join(folded_names(view.topology, cells))
                print_sentences(console, f"{what}: {names}", _INDENT)
