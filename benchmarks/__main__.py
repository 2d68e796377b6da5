"""Run benchmarks and print a table: python -m benchmarks [--list] [NAME ...]."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import cast

from rich.console import Console
from rich.table import Table

from benchmarks.result import Result, UnavailableError
from mineproof import kernel

NOT_BENCHMARKS = {"__init__", "__main__", "result"}


def catalog() -> list[str]:
    """The names of all benchmarks: the files of this folder."""
    files = Path(__file__).parent.glob("*.py")
    return sorted(file.stem for file in files if file.stem not in NOT_BENCHMARKS)


def run(name: str) -> Result:
    """Run the benchmark called `name`."""
    module = importlib.import_module(f"benchmarks.{name}")
    return cast(Callable[[], Result], module.bench)()


def main(arguments: list[str]) -> int:
    names = catalog()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--list", action="store_true", help="print the names and stop")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in names]
    if unknown:
        parser.error(f"no benchmark {unknown[0]!r}; accepted: {', '.join(names)}")
    if options.list:
        print("\n".join(names))
        return 0

    console = Console()
    console.print(kernel.describe(), style="dim")
    table = Table("benchmark", "work")
    for column in ("amount", "seconds", "rate", "promised"):
        table.add_column(column, justify="right")
    broken = False
    for name in options.names or names:
        with console.status(name):
            try:
                result = run(name)
            except UnavailableError as reason:
                table.add_row(name, f"skipped: {reason}")
                continue
        broken |= not result.kept
        promised = "" if result.promised is None else f"{result.promised:,.0f}/s"
        table.add_row(
            name,
            result.work,
            f"{result.amount:,} {result.unit}",
            f"{result.seconds:.3f}",
            f"{result.rate:,.0f}/s",
            promised if result.kept else f"[red]{promised} broken[/]",
        )
    console.print(table)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
