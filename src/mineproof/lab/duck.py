"""DuckDB, imported where it is used: it comes with the extra `lab`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from mineproof.errors import MissingLibrary

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["connect", "file_list", "text_literal"]


def connect(threads: int | None = None) -> DuckDBPyConnection:
    """A database in memory that neither looks into this program nor loads anything.

    Raises MissingLibrary where DuckDB is not installed.
    """
    try:
        import duckdb
    except ModuleNotFoundError:
        raise MissingLibrary("results on disk need", "DuckDB", "'mineproof[lab]'") from None
    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    if threads is not None:
        config["threads"] = threads
    connection = duckdb.connect(":memory:", config=config)
    connection.execute("SET python_enable_replacements = false")
    return connection


def text_literal(text: str) -> str:
    """A text as it may stand in SQL."""
    return "'" + text.replace("'", "''") + "'"


def file_list(paths: Iterable[Path]) -> str:
    """Files as a list in SQL; signs of a pattern in their names stand for themselves."""
    return "[" + ", ".join(text_literal(_plain(path)) for path in paths) + "]"


def _plain(path: Path) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in str(path))
