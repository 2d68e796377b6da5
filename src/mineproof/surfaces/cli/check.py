"""`mineproof check`: an agent plays, every step is checked, and its first fault is shown."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from mineproof.surfaces.cli.exits import FAILED
from mineproof.surfaces.cli.options import AsJson, LimitOptions, takes_groups
from mineproof.surfaces.cli.rules_options import RuleOptions

__all__ = ["command"]

# Most agents that people write know only rows and columns; other boards are played on request.
_PLAIN_BOARDS = ("square:5x5/4", "square:4x7/6", "square:9x9/10")


@takes_groups
def command(
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT", help="A name that `mineproof agents` lists, or path/to/file.py:Class."
        ),
    ],
    board: Annotated[
        list[str] | None,
        typer.Option(metavar="BOARD", help="May be repeated.  [default: some small boards]"),
    ] = None,
    games: Annotated[int, typer.Option(metavar="N", help="Games per board.")] = 20,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the deals.")] = 0,
    as_json: AsJson = False,
    *,
    limits: LimitOptions,
    rules: RuleOptions,
) -> int:
    """Play games, check every step and show the agent's first fault, with its position.

    A fault is a step called proved that is not, a wrong flag, an illegal move, an exception or a
    time-out. The exit status is 1 if there is one, and 2 if there is no such agent.
    """
    from mineproof.match.isolation import IsolatedAgent, Limits, make_player
    from mineproof.match.soundness import SMALL_BOARDS, check

    player = make_player(agent, Limits(**limits.given))
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
            rules=rules.words,
        )
    finally:
        if isinstance(player, IsolatedAgent):
            player.close()
    typer.echo(json.dumps(report.to_json()) if as_json else report.text)
    return 0 if report.passed else FAILED
