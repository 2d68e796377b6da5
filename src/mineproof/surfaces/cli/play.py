"""`mineproof play`: one game, step by step, with reasons and knowledge."""

from __future__ import annotations

from typing import Annotated

import typer

from mineproof.surfaces.cli import rules_options as rules

__all__ = ["command"]


def command(
    board: Annotated[
        str | None,
        typer.Option(
            metavar="BOARD", help="Such as expert, hex:7x7/10, 9x9/20%.  [default: expert]"
        ),
    ] = None,
    worlds: Annotated[
        str | None, typer.Option(metavar="FILE", help="Play a named world of this file.")
    ] = None,
    world: Annotated[str | None, typer.Option(metavar="NAME", help="Which world.")] = None,
    agent: Annotated[
        str,
        typer.Option(
            metavar="AGENT", help="Such as sat (see `mineproof agents`), file.py:Class, or human."
        ),
    ] = "single-point",
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the deal.")] = 0,
    agent_seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="The seed of the agent's choices.  [default: the seed]"),
    ] = None,
    index: Annotated[int, typer.Option(metavar="N", help="Which game of the seed.")] = 0,
    step: Annotated[
        bool, typer.Option("--step", help="Wait for Enter before each move; show the knowledge.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    transcript: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the game down, to be replayed.")
    ] = None,
    proofs: Annotated[
        bool, typer.Option("--proofs", help="Give the proof of every proved move.")
    ] = False,
    chain: Annotated[
        bool, typer.Option("--chain", help="Then tell the longest chain of influence.")
    ] = False,
    svg: Annotated[
        str | None, typer.Option("--svg", metavar="FILE", help="Draw that chain with arrows.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show only the end.")] = False,
    live: Annotated[
        bool | None,
        typer.Option("--live/--no-live", help="Redraw the board in place.  [default: terminal]"),
    ] = None,
    delay: Annotated[
        float, typer.Option(metavar="SECONDS", help="Between moves of a live game.")
    ] = 0.03,
    first_click: rules.FirstClickRule = None,
    on_mine: rules.OnMineRule = None,
    total: rules.Total = None,
    clues: rules.Clues = None,
    given: rules.GivenCells = None,
    cascade: rules.Cascade = None,
    goal: rules.GoalRule = None,
) -> int:
    """Play one game and show every step with its reason.

    The same seed deals the same mines, whatever the agent. The exit status is 0 whether the game is
    won or lost, and 1 where the agent fails.
    """
    from mineproof.surfaces.cli.playing import PlayOptions, play_and_show

    return play_and_show(
        PlayOptions(
            board=board,
            worlds=worlds,
            world=world,
            agent=agent,
            seed=seed,
            agent_seed=agent_seed,
            index=index,
            step=step,
            as_json=as_json,
            transcript=transcript,
            proofs=proofs,
            chain=chain,
            svg=svg,
            quiet=quiet,
            live=live,
            delay=delay,
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
