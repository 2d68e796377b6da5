"""`mineproof check`: an agent plays under watch, and its first fault is shown."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from mineproof.surfaces.cli import rules_options as rules
from mineproof.surfaces.cli.exits import FAILED

__all__ = ["command"]

# Most agents that people write know rows and columns only; other boards are played when asked for.
_PLAIN_BOARDS = ("square:5x5/4", "square:4x7/6", "square:9x9/10")


def command(
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT", help="A name that `mineproof agents` lists, or path/to/file.py:Class."
        ),
    ],
    board: Annotated[
        list[str] | None,
        typer.Option(metavar="BOARD", help="May be repeated.  [default: small ones]"),
    ] = None,
    games: Annotated[int, typer.Option(metavar="N", help="Games per board.")] = 20,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the deals.")] = 0,
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
    """Play a batch under watch and show the agent's first fault, with the position that shows it.

    A fault is a step called proved that is not, a wrong flag, an illegal move, an exception or a
    time-out. The exit status is 1 where there is one, and 2 where there is no such agent.
    """
    from mineproof.match.isolation import IsolatedAgent, Limits, make_player
    from mineproof.match.soundness import SMALL_BOARDS, check

    player = make_player(agent, Limits(move_seconds, game_seconds, memory_mb=memory_mb))
    isolated = isinstance(player, IsolatedAgent)
    try:
        if isinstance(player, IsolatedAgent):
            player.probe()
        report = check(
            lambda: player,
            name=agent,
            boards=board or (_PLAIN_BOARDS if isolated else SMALL_BOARDS),
            games=games,
            seed=seed,
            rules={
                "first_click": first_click,
                "on_mine": on_mine,
                "total": total,
                "clues": clues,
                "given": given,
                "cascade": cascade,
                "goal": goal,
            },
        )
    finally:
        if isinstance(player, IsolatedAgent):
            player.close()
    typer.echo(json.dumps(report.to_json()) if as_json else report.text)
    return 0 if report.passed else FAILED
