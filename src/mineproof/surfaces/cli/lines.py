"""Lines of output in which names from outside may stand."""

from __future__ import annotations

import typer

from mineproof.errors import printable

__all__ = ["echo"]


def echo(text: str) -> None:
    """Print lines; what in a name would control the terminal is escaped."""
    typer.echo(printable(text, "\n"))
