"""`mineproof check`: an agent plays, every step is checked, and every fault is listed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mineproof.errors import InputError
from mineproof.surfaces.cli.exits import FAILED
from mineproof.surfaces.cli.options import AsJson, LimitOptions, takes_groups
from mineproof.surfaces.cli.rules_options import RuleOptions

__all__ = ["command"]

# Most agents that people write know only rows and columns; other boards are played on request.
_PLAIN_BOARDS = ("square:5x5/4", "square:4x7/6", "square:9x9/10")


@takes_groups
def command(
    agent: Annotated[
        str | None,
        typer.Argument(
            metavar="AGENT", help="A name that `mineproof agents` lists, or path/to/file.py:Class."
        ),
    ] = None,
    board: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BOARD",
            help="May be repeated.  [default: small boards, of squares for an agent from a file]",
        ),
    ] = None,
    games: Annotated[int, typer.Option(metavar="N", help="Games per board.")] = 20,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the deals.")] = 0,
    as_json: AsJson = False,
    save: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Keep the position of every fault, and its game, in files."
        ),
    ] = None,
    isolation: Annotated[
        bool,
        typer.Option(
            "--isolation", help="Say what agents from files are kept from on this system."
        ),
    ] = False,
    *,
    limits: LimitOptions,
    rules: RuleOptions,
) -> int:
    """Play games, check every step and list the agent's faults, the first with its position.

    A fault is a step called proved that is not, a wrong flag, an illegal move, an exception or a
    time-out. The exit status is 1 if there is one, and 2 if there is no such agent.
    """
    from mineproof.match.isolation import IsolatedAgent, Limits, make_player
    from mineproof.match.printed import Listener
    from mineproof.match.soundness import SMALL_BOARDS, Report, check
    from mineproof.surfaces.cli.checking import FaultFolder, tell_report
    from mineproof.surfaces.cli.console import progress
    from mineproof.surfaces.cli.isolation_table import tell_isolation, warn_of_isolation

    if isolation:
        return tell_isolation(as_json)
    if agent is None:
        raise InputError("no agent is named; accepted: AGENT, or --isolation")
    player = make_player(agent, Limits(**limits.given), Listener())
    isolated = isinstance(player, IsolatedAgent)
    boards = board or (_PLAIN_BOARDS if isolated else SMALL_BOARDS)
    folder = None if save is None else FaultFolder(Path(save))
    report: Report | None = None
    try:
        if isinstance(player, IsolatedAgent):
            player.probe()
            warn_of_isolation()
        with progress("games", games * len(boards)) as advance:

            def watch(so_far: Report) -> None:
                nonlocal report
                report = so_far
                advance(so_far.games)

            report = check(
                lambda: player,
                name=agent,
                boards=boards,
                games=games,
                seed=seed,
                rules=rules.words,
                watch=watch,
            )
    except KeyboardInterrupt:
        if report is None:
            raise
        tell_report(report, agent, rules, folder, as_json)
        raise KeyboardInterrupt(
            f"interrupted after {report.games} of {games * len(boards)} games"
        ) from None
    finally:
        if isinstance(player, IsolatedAgent):
            player.close()
    tell_report(report, agent, rules, folder, as_json)
    return 0 if report.passed else FAILED
