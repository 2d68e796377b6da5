"""`mineproof sql`: one SELECT over the rows of an experiment."""

from __future__ import annotations

import csv
import json
import math
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from mineproof.cli.declarations import Argument, Option
from mineproof.cli.options import AsJson, RunFolder
from mineproof.errors import BudgetExceeded, InputError, one_line, printable

if TYPE_CHECKING:
    from mineproof.lab.results import QueryAnswer


_MOST_SHOWN = 1000
"""Rows of the table, and characters of one of its cells."""
_SPARE_MB, _THREAD_MB = 256, 16


def command(
    folder: RunFolder,
    query: Annotated[
        str, Argument(metavar="QUERY", help="A SELECT over the table games; - reads stdin.")
    ],
    as_json: AsJson = False,
    as_csv: Annotated[bool, Option("--csv", help="Print CSV.")] = False,
    seconds: Annotated[float, Option(metavar="S", help="How long the query may take.")] = 30.0,
    memory_mb: Annotated[
        int, Option(metavar="MB", help="Memory for the rows and the query.")
    ] = 1024,
) -> None:
    """Query the rows of an experiment in SQL (DuckDB's): the table games, one row per game.

    Its columns: agent, board, world, game, index, won, stuck, score, finer, marked_share, opened,
    guesses, steps, seconds, effort, reason, risks. A query can reach only these rows.
    """
    from mineproof.files import read_text
    from mineproof.lab.results import QueryLimits, QuerySession

    if as_json and as_csv:
        raise InputError("--json and --csv are given; accepted: one of them")
    text = read_text(query) if query == "-" else query
    limits = QueryLimits(seconds, memory_mb)
    with _bounded_memory(memory_mb), QuerySession(folder, limits) as questions:
        answer = questions.ask(text)
        if as_json:
            rows = [[_plain(value) for value in row] for row in answer.rows()]
            click.echo(json.dumps({"columns": list(answer.columns), "rows": rows}, default=str))
        elif as_csv:
            _print_csv(answer)
        else:
            _print_table(answer)


@contextmanager
def _bounded_memory(megabytes: int) -> Iterator[None]:
    """Limit what this process may add to its memory: a value is copied where it is printed, too.

    DuckDB's own limit counts neither that nor the texts that a function makes.
    """
    try:
        import resource

        lines = Path("/proc/self/status").read_text(errors="replace").split("\n")
        used = next(int(line.split()[1]) for line in lines if line.startswith("VmData:"))
        before = resource.getrlimit(resource.RLIMIT_DATA)
        spare = _SPARE_MB + _THREAD_MB * (os.cpu_count() or 1)
        limit = 1024 * used + (megabytes + spare) * 2**20
        most = [one for one in (limit, *before) if one != resource.RLIM_INFINITY]
        resource.setrlimit(resource.RLIMIT_DATA, (min(most), before[1]))
    except (ImportError, OSError, StopIteration):  # not Linux: DuckDB's limit alone holds
        yield
        return
    try:
        yield
    except MemoryError:
        raise BudgetExceeded(
            f"the answer needs more than {megabytes} MB; accepted: a smaller one, or a larger limit"
        ) from None
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def _print_csv(answer: QueryAnswer) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    # A file gets what the rows hold; a terminal nothing that would control it.
    shown = _texts_for_terminal if sys.stdout.isatty() else list
    writer.writerow(shown(answer.columns))
    writer.writerows(map(shown, answer.rows()))


def _texts_for_terminal(row: Sequence[Any]) -> list[Any]:
    return [printable(value) if isinstance(value, str) else value for value in row]


def _print_table(answer: QueryAnswer) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from mineproof.cli.console import stdout_console

    rows = answer.rows()
    shown = list(islice(rows, _MOST_SHOWN))
    more = next(rows, None) is not None
    rows.close()
    console = stdout_console()
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for place, name in enumerate(answer.columns):
        numbers = all(isinstance(row[place], (int, float)) for row in shown)
        table.add_column(
            Text(one_line(name, 80)), justify="right" if numbers else "left", overflow="fold"
        )
    texts = [list(map(_text, row)) for row in shown]
    for row in texts:
        table.add_row(*map(Text, row))
    if not console.is_terminal:
        # A file has no width to wrap at.
        widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
        console.width = max(120, sum(widths) + sum(map(len, answer.columns)) + 4 * len(widths))
    console.print(table)
    cut = any(len(text) == _MOST_SHOWN for row in texts for text in row)
    if more or cut:
        what = f"the first {_MOST_SHOWN} " + " and ".join(["rows"] * more + ["characters"] * cut)
        click.echo(f"mineproof: {what}; --csv prints all", err=True)


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = f"{value:.6g}" if isinstance(value, float) else str(value)[:_MOST_SHOWN]
    return printable(text, "\n")[:_MOST_SHOWN]


def _plain(value: object) -> object:
    """A value that JSON can hold; any other becomes its text."""
    # JSON has no infinity, and nothing that is not a number.
    return None if isinstance(value, float) and not math.isfinite(value) else value
