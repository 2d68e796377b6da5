"""`mineproof compare`: the same games for every agent, with intervals."""

from __future__ import annotations

from typing import Annotated

import typer

from mineproof.surfaces.cli import rules_options as rules

__all__ = ["command"]


def command(
    agents: Annotated[
        str | None,
        typer.Option(
            metavar="A,B", help="Names that `mineproof agents` lists, or path/to/file.py:Class."
        ),
    ] = None,
    agents_dir: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Every agent of a folder, such as a class handed in."),
    ] = None,
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
    games: Annotated[
        int | None, typer.Option(metavar="N", help="Games per board or world.  [default: 100]")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The seed of the deals.  [default: 0]")
    ] = None,
    agent_seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="The seed of the agents' choices.  [default: the seed]"),
    ] = None,
    spec: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="An experiment in TOML instead of agents, boards and rules."
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(metavar="J", help="Play in so many processes.")] = 1,
    engine: Annotated[
        str | None,
        typer.Option(metavar="E", help="Where to play: local, or dask://host:port."),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Keep the games there; run again to go on."),
    ] = None,
    until_decided: Annotated[
        bool,
        typer.Option(
            "--until-decided",
            help="Stop when it is clear whether the first agent is stronger than the others.",
        ),
    ] = False,
    edge: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="Of games that only one wins, so many make it stronger.  [default: 0.6]",
        ),
    ] = None,
    error: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE", help="How often --until-decided may be wrong.  [default: 0.05]"
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    csv: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="A row for each agent.  [default with --agents-dir: DIR.csv]"
        ),
    ] = None,
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the win rates: .svg, .png or .pdf.")
    ] = None,
    move_seconds: Annotated[
        float | None,
        typer.Option(metavar="S", help="A move of a file's agent may take.  [default: 10]"),
    ] = None,
    game_seconds: Annotated[
        float | None,
        typer.Option(metavar="S", help="A game of a file's agent may take.  [default: 120]"),
    ] = None,
    memory_mb: Annotated[
        int | None,
        typer.Option(metavar="MB", help="Memory that a file's agent may add.  [default: 2048]"),
    ] = None,
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
    is reported. Games kept with --out survive a crash: the same command goes on. Without it,
    Ctrl-C prints what was finished.
    """
    from mineproof.surfaces.cli.comparing import CompareOptions, compare_and_show

    return compare_and_show(
        CompareOptions(
            agents=agents,
            agents_dir=agents_dir,
            board=board,
            worlds=worlds,
            world=world,
            games=games,
            seed=seed,
            agent_seed=agent_seed,
            spec=spec,
            jobs=jobs,
            engine=engine,
            out=out,
            until_decided=until_decided,
            edge=edge,
            error=error,
            as_json=as_json,
            csv=csv,
            plot=plot,
            limits={
                "move_seconds": move_seconds,
                "game_seconds": game_seconds,
                "memory_mb": memory_mb,
            },
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
    )
