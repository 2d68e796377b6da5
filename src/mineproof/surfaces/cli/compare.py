"""`mineproof compare`: the same games for every agent, with intervals."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from mineproof.surfaces.cli import rules_options as rules
from mineproof.surfaces.cli.exits import INTERRUPTED

if TYPE_CHECKING:
    from mineproof.lab.compare import Comparison
    from mineproof.match.series import Row, Series

__all__ = ["command"]

_MOST_REASONS = 3


def command(
    agents: Annotated[
        str,
        typer.Option(
            metavar="A,B", help="Names that `mineproof agents` lists, or path/to/file.py:Class."
        ),
    ],
    board: Annotated[
        str | None,
        typer.Option(
            metavar="BOARD", help="Such as expert, hex:7x7/10, 9x9/20%.  [default: expert]"
        ),
    ] = None,
    worlds: Annotated[
        str | None, typer.Option(metavar="FILE", help="Play the worlds of this file.")
    ] = None,
    world: Annotated[str | None, typer.Option(metavar="NAME", help="Only this world.")] = None,
    games: Annotated[int, typer.Option(metavar="N", help="Games per board or world.")] = 100,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the deals.")] = 0,
    agent_seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="The seed of the agents' choices.  [default: the seed]"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    move_seconds: Annotated[
        float, typer.Option(metavar="S", help="A move of a file's agent may take.")
    ] = 10.0,
    game_seconds: Annotated[
        float, typer.Option(metavar="S", help="A game of a file's agent may take.")
    ] = 120.0,
    memory_mb: Annotated[
        int, typer.Option(metavar="MB", help="Memory that a file's agent may add.")
    ] = 2048,
    first_click: rules.FirstClickRule = None,
    on_mine: rules.OnMineRule = None,
    total: rules.Total = None,
    clues: rules.Clues = None,
    given: rules.GivenCells = None,
    cascade: rules.Cascade = None,
    goal: rules.GoalRule = None,
) -> int:
    """Let agents play the same games and compare how many they win, with 95 % intervals.

    Agents from files run in processes of their own; one that fails loses its game, and the reason
    is reported. Ctrl-C prints what was finished.
    """
    from mineproof.lab.compare import Comparison, series_of
    from mineproof.match.isolation import Limits
    from mineproof.match.series import split_agents

    rows: list[Row] = []
    interrupted = False
    with series_of(
        split_agents(agents),
        board,
        worlds=worlds,
        world=world,
        games=games,
        seed=seed,
        agent_seed=agent_seed,
        limits=Limits(move_seconds, game_seconds, memory_mb=memory_mb),
        first_click=first_click,
        on_mine=on_mine,
        total=total,
        clues=clues,
        given=given,
        cascade=cascade,
        goal=goal,
    ) as series:
        try:
            _play(series, rows)
        except KeyboardInterrupt:
            interrupted = True
    comparison = Comparison.of(series, rows, worlds)
    if as_json:
        typer.echo(json.dumps(comparison.to_json()))
    else:
        _show(comparison)
    if interrupted:
        typer.echo(f"mineproof: interrupted after {len(rows)} of {len(series)} games", err=True)
        return INTERRUPTED
    return 0


def _play(series: Series, rows: list[Row]) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task("games", total=len(series))
        for row in series.rows():
            rows.append(row)
            progress.advance(task)


def _show(comparison: Comparison) -> None:
    from rich import box
    from rich.table import Table

    from mineproof.surfaces.cli.console import stdout_console

    console = stdout_console()
    if not console.is_terminal:
        # A file has no edge to wrap at.
        console.width = 120 + max(len(result.agent) for result in comparison.results)
    console.print(f"{comparison.board}, {comparison.rules}, seed {comparison.seed}", soft_wrap=True)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("agent", overflow="fold")
    for title in ("played", "won", "rate", "95 %", "score", "finer", "stuck", "ms/game"):
        table.add_column(title, justify="right", no_wrap=True)
    for result in comparison.results:
        table.add_row(
            result.agent,
            str(result.played),
            str(result.won),
            f"{100 * result.rate:.1f} %",
            f"{100 * result.interval.low:.1f} to {100 * result.interval.high:.1f}",
            f"{result.score:.3f}",
            f"{result.finer:.3f}",
            str(result.stuck),
            f"{1000 * result.seconds:.1f}",
        )
    console.print(table)
    for a, b, pair in comparison.paired:
        interval = pair.interval
        console.print(
            f"{a} - {b}: {100 * pair.difference:+.1f} points"
            f" ({100 * interval.low:+.1f} to {100 * interval.high:+.1f}); only {a} won"
            f" {pair.only_a}, only {b} won {pair.only_b}, both {pair.both}, neither"
            f" {pair.neither}; {_p_text(pair.p_value)}",
            soft_wrap=True,
        )
    for result in comparison.results:
        for reason, count in result.failures[:_MOST_REASONS]:
            console.print(f"{result.agent}: {count} games {reason}", soft_wrap=True)
        if (more := len(result.failures) - _MOST_REASONS) > 0:
            console.print(f"{result.agent}: and {more} other reasons", soft_wrap=True)


def _p_text(p_value: float) -> str:
    return f"p = {p_value:.3f}" if p_value >= 0.001 else "p < 0.001"
