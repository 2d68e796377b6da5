"""Rows as columns: what workers send, what shards hold, what queries see.

A table is a dict of numpy arrays of one length. Text columns hold `str` objects, columns of lists
hold lists; `world` holds None for a dealt board. An experiment records games, a row each, or one
position of every game; the order and the types of the columns are those of `SCHEMAS`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof.errors import MissingLibrary
from mineproof.game.rows import COLUMNS, Row

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


Table: TypeAlias = Mapping[str, NDArray[Any]]

_NAMES = {
    "agent": "VARCHAR",
    "board": "VARCHAR",
    "world": "VARCHAR",
    "game": "BIGINT",
    "index": "BIGINT",
}
"""The columns that name a game, in front of all others."""

SCHEMA: dict[str, str] = {**_NAMES, **{column.name: column.sql for column in COLUMNS}}
"""The columns of a shard with their SQL types.

`game` numbers the games of an experiment: (game, agent) names a row. `reason` is how a game was
lost, empty for a win; `effort` the work the agent counted. `risks` are those that an agent from
outside took; it may be missing from a folder, and is then None.
"""

POSITIONS: dict[str, str] = {
    **_NAMES,
    "move": "BIGINT",
    "moves": "BIGINT",
    "mines": "BIGINT",
    "codes": "UTINYINT[]",
    "chances": "FLOAT[]",
    "certain": "UTINYINT[]",
    "played": "BIGINT",
    "best": "BIGINT",
    "risk": "DOUBLE",
    "basis": "VARCHAR",
    "worth": "DOUBLE",
    "won": "BOOLEAN",
}
"""The columns of a shard of positions; see docs/environment.md. -1 stands for no cell, no number.

`worth` is NaN where it is not known, and NULL in a file.
"""

SCHEMAS = {"games": SCHEMA, "positions": POSITIONS}
"""What an experiment can record, with the columns of each."""

TIMING = "seconds"
"""The one column that another run does not repeat."""

RISKS = "risks"
"""The column of the luck test."""

TRANSCRIPT = "transcript"
"""A column beside these, where transcripts are asked for: the text of each game."""

KINDS: dict[str, Any] = {
    "VARCHAR": object,
    "BIGINT": np.int64,
    "BOOLEAN": np.bool_,
    "DOUBLE": np.float64,
    "UTINYINT[]": object,
    "FLOAT[]": object,
}
"""The numpy types of the SQL types."""
_IN_LISTS: dict[str, Any] = {"UTINYINT[]": np.uint8, "FLOAT[]": np.float32}


def table_of(rows: Sequence[Row], boards: Sequence[str], games: Sequence[int]) -> Table:
    """The table of rows, each with the text of its board and the number of its game."""
    columns: dict[str, Sequence[Any]] = {"board": boards, "game": games}
    for column in COLUMNS:
        columns[column.name] = [getattr(row, column.name) for row in rows]
    return {name: np.array(columns[name], dtype=KINDS[kind]) for name, kind in SCHEMA.items()}


def join_tables(tables: Iterable[Table]) -> Table:
    """The rows of several tables in one; of none, a table without rows."""
    parts = [table_of((), (), ()), *tables]
    return {name: np.concatenate([part[name] for part in parts]) for name in SCHEMA}


def first_games(table: Table, most: int | None) -> Table:
    """The rows of the games below a number; all where it is None."""
    if most is None:
        return table
    kept = table["game"] < most
    return {name: column[kept] for name, column in table.items()}


def rows_of(table: Table) -> list[Row]:
    """The rows of a table."""
    names = [column.name for column in COLUMNS]
    columns = [table[name].tolist() for name in names]
    return [Row(**dict(zip(names, values, strict=True))) for values in zip(*columns, strict=True)]


def same_rows(first: Table, second: Table) -> bool:
    """Whether two tables hold the same games, but for the time they took."""
    return all(np.array_equal(first[name], second[name]) for name in SCHEMA if name != TIMING)


def table_digest(table: Table, schema: Mapping[str, str] = SCHEMA) -> str:
    """A digest of every value of a table, in order."""
    digest = hashlib.blake2b(digest_size=16)
    for name, kind in schema.items():
        column = table[name]
        if name == RISKS and all(text is None for text in column.tolist()):
            continue  # as it was before there was such a column
        if kind == "VARCHAR":
            texts = ("\x01" if text is None else text for text in column.tolist())
            data = "\x00".join(texts).encode("utf-8", "surrogatepass")
        elif kind in _IN_LISTS:
            data = b"".join(np.asarray(row, dtype=_IN_LISTS[kind]).tobytes() for row in column)
        else:
            data = np.ascontiguousarray(column, dtype=KINDS[kind]).tobytes()
        digest.update(f"{name} {len(data)} ".encode())
        digest.update(data)
    return digest.hexdigest()


# -- DuckDB, imported where it is used: it comes with the extra `lab` ----------


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
