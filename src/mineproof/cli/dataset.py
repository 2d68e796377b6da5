"""`mineproof dataset`: positions from games, with exact labels, as Parquet."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import click

from mineproof.cli.declarations import Option
from mineproof.cli.main import INTERRUPTED
from mineproof.cli.options import (
    AgentSeed,
    AsJson,
    BoardName,
    EngineName,
    LimitOptions,
    RuleOptions,
)


def command(
    *,
    out: Annotated[
        str, Option(metavar="DIR", help="Write the positions there; run again to resume.")
    ],
    board: BoardName = None,
    positions: Annotated[
        int, Option(metavar="N", help="How many positions, one from each game.")
    ] = 1000,
    agent: Annotated[
        str,
        Option(metavar="A", help="Who plays: a name `mineproof agents` lists, or file.py:Class."),
    ] = "exact",
    samples: Annotated[
        int,
        Option(metavar="N", help="Games played out for what a move is worth before the endgame."),
    ] = 0,
    seed: Annotated[int, Option(metavar="N", help="The seed of the deals.")] = 0,
    agent_seed: AgentSeed = None,
    jobs: Annotated[int, Option(metavar="J", help="Number of processes to play in.")] = 1,
    engine: EngineName = None,
    as_json: AsJson = False,
    limits: LimitOptions,
    rules: RuleOptions,
) -> int:
    """Write positions with exact labels: chances, certain cells, the best move and its worth.

    Each game of the agent gives one position, drawn uniformly from its moves after the first. They
    are written as Parquet files that DuckDB, pandas, Polars and the library `datasets` read. What
    is finished survives a crash and Ctrl-C: the same command resumes.
    """
    from rich.console import Console

    from mineproof.lab.comparison import boards_of
    from mineproof.lab.executors import make_executor
    from mineproof.lab.experiment import Experiment
    from mineproof.lab.progress import ConsoleProgress
    from mineproof.lab.runner import InterruptedRun, run
    from mineproof.sandbox.agent import Limits

    experiment = Experiment.of(
        [agent],
        boards=boards_of(board, None, None),
        games=positions,
        seed=seed,
        agent_seed=agent_seed,
        limits=Limits(**limits.given_limits),
        records="positions",
        samples=samples,
        rules=rules.words,
    )
    try:
        with make_executor(jobs, engine) as executor:
            progress = ConsoleProgress(Console(stderr=True))
            left = run(experiment, executor, folder=out, progress=progress)
    except InterruptedRun as interrupted:
        print(f"mineproof: {interrupted}", file=sys.stderr)
        return INTERRUPTED
    (played_on,) = experiment.boards
    if as_json:
        answer = {"board": played_on, "agent": agent, "positions": left.games, "out": out}
        click.echo(json.dumps(answer))
    else:
        click.echo(f"{left.games} positions of {agent} on {played_on} are in {out!a}")
    return 0
