"""`mineproof agents`: the catalog as a table or as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import typer

from mineproof.surfaces.cli.options import AsJson

if TYPE_CHECKING:
    from rich.table import Table

    from mineproof.agents.catalog import Listed
    from mineproof.inference.logics.option import Option

__all__ = ["command"]

_COMBINED = """
Logics, options and guessing policies combine: single-point>sat[safe-only]+corner-first.
`play --agent human` lets you play."""


def command(
    as_json: AsJson = False,
) -> None:
    """List the agents: their logic, what they do when nothing is proved, and their report."""
    from mineproof.agents.adapters import entry_point_names
    from mineproof.agents.catalog import AGENTS
    from mineproof.agents.logic_kinds import SHARED

    rows = [_row(name, AGENTS[name], AGENTS.aliases(name)) for name in AGENTS]
    installed = entry_point_names()
    if as_json:
        shared = [_option(option) for option in SHARED.values()]
        typer.echo(json.dumps({"agents": rows, "options": shared, "installed": list(installed)}))
        return
    from rich import box
    from rich.table import Table

    from mineproof.surfaces.cli.console import stdout_console

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 2, 0, 0))
    table.add_column("agent", style="bold", no_wrap=True)
    table.add_column("report", max_width=14)
    table.add_column("logic", overflow="fold")
    table.add_column("uses", max_width=22)
    table.add_column("when nothing is proved", max_width=24)
    for listed, row in zip((AGENTS[name] for name in AGENTS), rows, strict=True):
        name = "\n".join([row["name"], *(f"({alias})" for alias in row["aliases"])])
        table.add_row(name, listed.report, listed.logic, listed.information, listed.otherwise)
    console = stdout_console()
    console.print(table)
    console.print()
    console.print(_options_table())
    if installed:
        console.print(f"\nInstalled by other packages: {', '.join(installed)}")
    console.print(_COMBINED)


def _row(name: str, listed: Listed, aliases: tuple[str, ...]) -> dict[str, Any]:
    return {
        "name": name,
        "aliases": list(aliases),
        "report": listed.report,
        "logic": listed.logic,
        "otherwise": listed.otherwise,
        "information": listed.information,
        "options": [_option(option) for option in listed.options],
    }


def _option(option: Option) -> dict[str, str]:
    return {"name": option.name, "form": option.form, "doc": option.doc}


def _options_table() -> Table:
    """Every option once, with the agents that have it."""
    from rich import box
    from rich.table import Table

    from mineproof.agents.catalog import AGENTS
    from mineproof.agents.logic_kinds import SHARED

    holders: dict[Option, list[str]] = {}
    for name in AGENTS:
        for option in AGENTS[name].options:
            holders.setdefault(option, []).append(name)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 2, 0, 0))
    table.add_column("option", style="bold", no_wrap=True)
    table.add_column("of", max_width=24)
    table.add_column("what it does", overflow="fold")
    for option, names in holders.items():
        table.add_row(option.form, ", ".join(names), option.doc.replace("`", ""))
    for option in SHARED.values():
        table.add_row(option.form, "every logic", option.doc)
    return table
