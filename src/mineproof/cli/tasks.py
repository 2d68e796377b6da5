"""`mineproof tasks`: tasks for language models as JSON lines, and what our own players score."""

from __future__ import annotations

from typing import Annotated

import click

from mineproof.cli.declarations import Option
from mineproof.cli.options import OutputFile
from mineproof.errors import InputError

_MOST_TASKS = 1_000_000
KindName = Annotated[
    str | None,
    Option(
        metavar="KIND",
        help="certain, claim, sound, chance, guess, prove or game.  [default: certain]",
    ),
]


def command(
    kind: KindName = None,
    level: Annotated[int, Option(metavar="1..5", help="How hard the tasks are.")] = 1,
    count: Annotated[
        int, Option(metavar="N", help="How many tasks; with --baselines, of each level.")
    ] = 20,
    seed: Annotated[int, Option(metavar="S", help="The seed of the first task.")] = 0,
    split: Annotated[
        str, Option(metavar="train|test", help="Which positions; no position is in both.")
    ] = "train",
    rendering: Annotated[
        str, Option(metavar="R", help="rows, coordinates, constraints, json or picture.")
    ] = "rows",
    out: Annotated[
        str | None, Option(metavar="FILE", help="Write them there, not to standard output.")
    ] = None,
    baselines: Annotated[
        bool,
        Option("--baselines", help="Print what our own players score, as a table, and no tasks."),
    ] = False,
) -> None:
    """Write tasks for language models, one JSON object a line, with their answers.

    A task is a position with one question, and its answer can be graded exactly:
    `mineproof.tasks.Task.from_json(row).grade(reply)`. The same options give the same tasks. Seeds
    2k and 2k+1 of `claim` and `sound` have one true answer between them.
    """
    from mineproof.cli.console import StatusLine
    from mineproof.tasks.baselines import PLAYERS, score_table
    from mineproof.tasks.kinds import KINDS
    from mineproof.tasks.renderings import RENDERINGS
    from mineproof.tasks.task import Task

    if not 1 <= count <= _MOST_TASKS:
        raise InputError(f"--count {count}; accepted: 1 to {_MOST_TASKS}")
    RENDERINGS[rendering]
    first = Task(seed, kind or "certain", level, split)  # refuses what is unknown
    file = OutputFile.of("--out", out)
    if baselines:
        kinds = list(KINDS) if kind is None else [kind]
        with StatusLine("playing"):
            table = score_table(kinds, count, list(PLAYERS), seed, split)
        click.echo(table)
        return
    lines = []
    with StatusLine() as status:
        for number in range(seed, seed + count):
            status.update(f"{number - seed} of {count} tasks")
            line = Task(number, first.kind, level, split).line(rendering)
            if file is None:
                click.echo(line)
            else:
                lines.append(line + "\n")
    if file is not None:
        file.write("".join(lines))
        click.echo(f"{count} tasks are in {out!a}")
