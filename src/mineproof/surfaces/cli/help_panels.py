"""`--help` with its options in groups, in plain text.

Typer has panels only where rich draws them.
"""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

__all__ = ["PanelledCommand"]


class PanelledCommand(TyperCommand):
    """A command whose options stand under the name of their `rich_help_panel`.

    Arguments come first. Options without a panel stand under `Options`: before the panels, or
    after them where `--help` is the only one.
    """

    # Which click these types come from depends on the version of typer.
    def format_options(self, ctx: Any, formatter: Any) -> None:
        panels: dict[str, list[tuple[str, str]]] = {}
        rest: list[tuple[str, str]] = []
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                argument = parameter.param_type_name == "argument"
                panel = "Arguments" if argument else getattr(parameter, "rich_help_panel", None)
                (rest if panel is None else panels.setdefault(panel, [])).append(record)
        sections = list(panels.items())
        first = 1 if "Arguments" in panels else 0
        sections.insert(first if len(rest) > 1 else len(sections), ("Options", rest))
        for name, records in sections:
            if records:
                with formatter.section(name):
                    formatter.write_dl(records)
