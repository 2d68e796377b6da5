"""The page of commands with every argument and option, as `--help` tells them."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Any

from mineproof.cli.main import COMMANDS, commands

__all__ = ["command_page"]

_SECTION = re.compile(r"^## (\S+)\n.*?(?=^## |\Z)", re.DOTALL | re.MULTILINE)


def command_page(text: str) -> str:
    """The page; the section of every command ends with its options, folded up."""
    return _SECTION.sub(
        lambda found: found[0] + (_options(found[1]) if found[1] in COMMANDS else ""), text
    )


def _options(name: str) -> str:
    group = commands()
    with group.make_context("mineproof", [], resilient_parsing=True) as above:
        command: Any = group.get_command(above, name)
    with command.make_context(name, [], parent=above, resilient_parsing=True) as context:
        usage = " ".join(command.collect_usage_pieces(context))
        parts = [f"`mineproof {name} {usage}`\n", f"{_plain(command.help)}\n"]
        for panel, records in _panels(command, context).items():
            parts += [f"| {panel} | |", "|---|---|"]
            parts += [f"| `{_cell(what)}` | {_cell(_plain(said))} |" for what, said in records]
            parts.append("")
    inside = textwrap.indent("\n".join(parts), "    ")
    return f'??? info "Every option of {name}"\n\n{inside}\n\n'


def _panels(command: Any, context: Any) -> dict[str, list[tuple[str, str]]]:
    """Arguments and options by the heading they have in `--help`."""
    panels: dict[str, list[tuple[str, str]]] = {}
    for parameter, record in _records(command, context):
        panel = getattr(parameter, "panel", None) or "Options"
        panels.setdefault(panel, []).append(record)
    return panels


def _records(command: Any, context: Any) -> Iterator[tuple[Any, tuple[str, str]]]:
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            yield parameter, record


def _plain(text: str | None) -> str:
    """A text as Markdown that shows just that text."""
    shown = (text or "").replace("\\", "\\\\")
    for sign in "*_<>[]{}`$":
        shown = shown.replace(
            sign, f"\\{sign}" if sign not in "<>" else {"<": "&lt;"}.get(sign, sign)
        )
    return shown.replace("\f", "").replace("\b", "")


def _cell(text: str) -> str:
    """A text in a cell of a table: on one line, with bars that are no borders."""
    return " ".join(text.split()).replace("|", "\\|")
