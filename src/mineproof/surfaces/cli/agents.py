"""`mineproof agents`: the catalog as a table or as JSON."""

from __future__ import annotations

import json
from typing import Annotated

import typer

__all__ = ["command"]


def command(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """List the agents: their logic, what they do when nothing is proved, and their report."""
    from mineproof.agents.catalog import AGENTS

    rows = [
        {
            "name": name,
            "aliases": list(AGENTS.aliases(name)),
            "report": AGENTS[name].report,
            "logic": AGENTS[name].logic,
            "otherwise": AGENTS[name].otherwise,
        }
        for name in AGENTS
    ]
    if as_json:
        typer.echo(json.dumps({"agents": rows}))
        return
    from rich import box
    from rich.table import Table

    from mineproof.surfaces.cli.console import stdout_console

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("agent", style="bold", overflow="fold")
    for title in ("also", "report", "logic", "when nothing is proved"):
        table.add_column(title, overflow="fold")
    for row in rows:
        table.add_row(
            str(row["name"]),
            ", ".join(row["aliases"]),
            str(row["report"]),
            str(row["logic"]),
            str(row["otherwise"]),
        )
    table.add_row("human", "", "", "yours", "plays in the terminal: `play --agent human`")
    stdout_console().print(table)
