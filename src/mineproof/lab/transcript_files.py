"""The files of transcripts in a folder of results: one for each shard, compressed, by game.

    results/transcripts-000-000000.parquet      agent 0, the games of its first shard

Each carries the experiment it belongs to and a digest of its texts. It is written before the rows
of its shard, so that rows that are there have their transcripts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from mineproof.errors import InputError
from mineproof.lab.duck import file_list
from mineproof.lab.rows import TRANSCRIPT
from mineproof.lab.shards import Shard

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["COLUMNS", "OPTIONS", "check_transcripts", "read_transcripts", "texts_digest"]

COLUMNS = f'"game"::BIGINT AS "game", "{TRANSCRIPT}"::VARCHAR AS "{TRANSCRIPT}"'
OPTIONS = "COMPRESSION zstd, COMPRESSION_LEVEL 9"


def texts_digest(texts: Iterable[str]) -> str:
    """A digest of texts, in order."""
    digest = hashlib.blake2b(digest_size=16)
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        digest.update(f"{len(data)} ".encode())
        digest.update(data)
    return digest.hexdigest()


def check_transcripts(
    connection: DuckDBPyConnection, path: Path, experiment: str, shard: Shard
) -> str:
    """The digest that a file says its texts have, after what it says of itself was checked.

    Its texts are not read. Raises InputError for a damaged or foreign one.
    """
    import duckdb

    place = file_list([path])
    try:
        said = {
            bytes(key).decode(): bytes(value).decode()
            for key, value in connection.execute(
                f"SELECT key, value FROM parquet_kv_metadata({place})"
            ).fetchall()
        }
        counted = connection.execute(f"SELECT num_rows FROM parquet_file_metadata({place})")
        rows = sum(count for (count,) in counted.fetchall())
    except (duckdb.Error, UnicodeDecodeError) as error:
        reason = str(error).split("\n")[0][:160]
        raise _damaged(path, f"it cannot be read ({reason})") from None
    if said.get("experiment") != experiment:
        raise InputError(
            f"{str(path)!a} holds transcripts of another experiment; accepted: without it"
        )
    if said.get("shard") != path.name or rows != len(shard):
        raise _damaged(path, "its games are not those that were written")
    return said.get("texts", "")


def read_transcripts(
    connection: DuckDBPyConnection, path: Path, experiment: str, shard: Shard
) -> list[str]:
    """The texts of a shard's games, in order, checked. Raises InputError."""
    import duckdb

    digest = check_transcripts(connection, path, experiment, shard)
    try:
        rows = connection.execute(
            f'SELECT "{TRANSCRIPT}" FROM read_parquet({file_list([path])}) ORDER BY "game"'
        ).fetchall()
    except (duckdb.Error, UnicodeDecodeError) as error:
        reason = str(error).split("\n")[0][:160]
        raise _damaged(path, f"it cannot be read ({reason})") from None
    texts = [text for (text,) in rows if isinstance(text, str)]
    if len(texts) != len(shard) or texts_digest(texts) != digest:
        raise _damaged(path, "its texts are not those that were written")
    return texts


def _damaged(path: Path, why: str) -> InputError:
    return InputError(
        f"{str(path)!a} is damaged: {why}; accepted: move it away, then its games are played again"
    )
