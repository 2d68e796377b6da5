"""Run benchmarks and print a table: python -m benchmarks [--list] [--seed N] [NAME ...]."""

from __future__ import annotations

import argparse
import functools
import importlib
import inspect
import math
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import cast

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmarks.result import Result, UnavailableError, duration
from mineproof import kernel

NOT_BENCHMARKS = {"__init__", "__main__", "result", "positions", "peers", "child", "record"}

WIDTH = 150
"""Width of the table in columns, if it goes into a file."""


def catalog() -> list[str]:
    """The names of all benchmarks: the files of this folder."""
    files = Path(__file__).parent.glob("*.py")
    return sorted(file.stem for file in files if file.stem not in NOT_BENCHMARKS)


def run(name: str, seed: int) -> Iterable[Result]:
    """Run the benchmark called `name`; results are yielded as they are measured.

    One whose `bench` takes a seed draws what it measures on from it.
    """
    bench = importlib.import_module(f"benchmarks.{name}").bench
    if "seed" in inspect.signature(bench).parameters:
        bench = functools.partial(bench, seed=seed)
    found = cast(Callable[[], Result | Iterable[Result]], bench)()
    return [found] if isinstance(found, Result) else found


def main(arguments: list[str]) -> int:
    names = catalog()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--list", action="store_true", help="print the names and stop")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="of the positions that `exact` draws (1)"
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in names]
    if unknown:
        parser.error(f"no benchmark {unknown[0]!r}; accepted: {', '.join(names)}")
    if options.list:
        print("\n".join(names))
        return 0

    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)
    console.print(kernel.describe(), style="dim")
    table = Table("benchmark", "work")
    for column in ("each", "rate", "peer", "ratio", "memory", "promised"):
        table.add_column(column, justify="right")
    broken = False
    for name in options.names or names:
        with console.status(name):
            try:
                for result in run(name, options.seed):
                    broken |= not result.kept
                    table.add_row(name, *_row(result))
            except UnavailableError as reason:
                table.add_row(name, f"skipped: {reason}")
    console.print(table)
    return 1 if broken else 0


def _row(result: Result) -> list[str]:
    peer = ratio = ""
    if result.peer is not None and result.ratio is not None:
        finished = math.isfinite(result.peer)
        peer = duration(result.peer / result.amount) if finished else "timed out"
        ratio = f"{result.ratio:,.{0 if result.ratio >= 10 else 2}f}x" if finished else ""
    return [
        escape(result.work),
        duration(result.seconds / result.amount),
        f"{result.rate:,.0f} {result.unit}/s" if result.amount > 1 else "",
        peer,
        ratio,
        "" if result.megabytes is None else f"{result.megabytes:.0f} MB",
        result.promise if result.kept else f"[red]{result.promise} broken[/]",
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
