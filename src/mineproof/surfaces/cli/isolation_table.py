"""What agents from files are kept from here: the table of `check --isolation`, and a warning."""

from __future__ import annotations

import json
import sys

import typer
from rich import box
from rich.table import Table

from mineproof.match.protection import protection
from mineproof.surfaces.cli.console import print_paragraphs, stdout_console
from mineproof.surfaces.cli.exits import FAILED

__all__ = ["tell_isolation", "warn_of_isolation"]


def tell_isolation(as_json: bool) -> int:
    """Print every layer; the exit status is 1 if an important one does not hold."""
    found = protection()
    status = FAILED if found.missing else 0
    if as_json:
        typer.echo(json.dumps({"isolation": found.to_json(), "missing": list(found.missing)}))
        return status
    console = stdout_console()
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 2, 0, 0))
    table.add_column("kept from", style="bold")
    table.add_column("holds")
    table.add_column("by")
    table.add_column("protects from")
    for layer in found.layers:
        table.add_row(layer.name, "yes" if layer.holds else "NO", layer.by, layer.protects_from)
    console.print(table)
    print_paragraphs(
        console,
        "Every line was tried in a process such as an agent gets. It is no promise against faults"
        " of the system's kernel.",
    )
    return status


def warn_of_isolation() -> None:
    """Say in one line on stderr if something important does not hold."""
    if (warning := protection().warning) is not None:
        print(f"mineproof: {warning}", file=sys.stderr)
