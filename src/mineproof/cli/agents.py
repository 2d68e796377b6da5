"""`mineproof agents`: the catalog as tables or as JSON, and one name of it in full."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import click

from mineproof.cli.declarations import Argument
from mineproof.cli.options import AsJson

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from mineproof.agents.catalog import AgentDescription, CatalogEntry
    from mineproof.logics.base import Option


_WIDTH = 80
_COMBINED = (
    "Logics, options and policies combine: single-point>sat[safe-only]+corner-first asks the cheap"
    " logic first, proves safe cells only and guesses in corners. `play --agent human` lets you"
    " play. `mineproof agents NAME` describes one of them in full."
)


def command(
    name: Annotated[
        str | None,
        Argument(metavar="[NAME]", help="Describe this agent, logic or guessing policy in full."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the agents with their logic and what they do when nothing is proved.

    Guessing policies and options follow: they combine with any logic.
    """
    if name is None:
        _list(as_json)
        return
    from mineproof.agents.catalog import describe

    found = describe(name)
    if as_json:
        options = [_option(option) for option in found.options]
        click.echo(json.dumps({**vars(found), "options": options}))
    else:
        _tell(found)


def _list(as_json: bool) -> None:
    from mineproof.agents.adapters import entry_point_names
    from mineproof.agents.catalog import AGENTS, SHARED, policy_line
    from mineproof.agents.policies import POLICIES

    installed = entry_point_names()
    policies = {name: policy_line(name) for name in POLICIES}
    if as_json:
        rows = [_row(name, AGENTS[name], AGENTS.aliases(name)) for name in AGENTS]
        shared = [_option(option) for option in SHARED.values()]
        guessing = [{"name": name, "doc": line} for name, line in policies.items()]
        answer = {"agents": rows, "policies": guessing, "options": shared}
        click.echo(json.dumps({**answer, "installed": list(installed)}))
        return
    console = _console()
    console.print(_agents_table())
    console.print()
    table = _table("guessing policy")
    table.add_column("chooses")
    for name, line in policies.items():
        table.add_row(name, line)
    console.print(table)
    console.print()
    console.print(_options_table())
    if installed:
        console.print(f"\nInstalled by other packages: {', '.join(installed)}")
    from mineproof.cli.console import print_sentences

    console.print()
    print_sentences(console, _COMBINED)


def _console() -> Console:
    from mineproof.cli.console import stdout_console

    console = stdout_console()
    console.width = min(console.width, _WIDTH) if console.is_terminal else _WIDTH
    return console


def _table(first: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 2, 0, 0))
    table.add_column(first, style="bold", no_wrap=True)
    return table


def _agents_table() -> Table:
    from mineproof.agents.catalog import AGENTS

    table = _table("agent")
    table.add_column("report", max_width=13)
    table.add_column("proves with", max_width=25)
    table.add_column("when nothing is proved", max_width=22)
    for name in AGENTS:
        listed = AGENTS[name]
        names = "\n".join([name, *(f"({alias})" for alias in AGENTS.aliases(name))])
        table.add_row(names, listed.report, listed.logic, listed.otherwise)
    return table


def _options_table() -> Table:
    """Every option once, with the agents that have it."""
    from mineproof.agents.catalog import AGENTS, SHARED

    holders: dict[Option, list[str]] = {}
    for name in AGENTS:
        for option in AGENTS[name].options:
            holders.setdefault(option, []).append(name.partition("[")[0])
    table = _table("option")
    table.add_column("of", max_width=14)
    table.add_column("what it does")
    for option, names in holders.items():
        table.add_row(option.form, ", ".join(dict.fromkeys(names)), option.doc.replace("`", ""))
    for option in SHARED.values():
        table.add_row(_form(option), "every logic", option.doc)
    return table


def _form(option: Option) -> str:
    """How an option is written, each word that it may take on a line."""
    return option.form.replace("|", "\n  or ")


def _tell(found: AgentDescription) -> None:
    from mineproof.cli.console import print_sentences

    console = _console()
    console.print(f"{found.name}, a guessing policy" if found.kind == "policy" else found.name)
    lines = {
        "other names": ", ".join(found.aliases),
        "report": found.report,
        "proves with": found.proves,
        "uses": found.uses,
        "when nothing is proved": found.guesses,
    }
    for label, text in lines.items():
        if text:
            print_sentences(console, f"{label}: {text}", "  ")
    for paragraph in found.text:
        console.print()
        print_sentences(console, paragraph)
    if found.options:
        console.print()
        table = _table("option")
        table.add_column("what it does")
        for option in found.options:
            table.add_row(_form(option), option.doc.replace("`", ""))
        console.print(table)
    console.print()
    console.print("Try it:")
    console.print(f"  {found.example}", soft_wrap=True)


def _row(name: str, listed: CatalogEntry, aliases: tuple[str, ...]) -> dict[str, Any]:
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
