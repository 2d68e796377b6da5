"""SQL of anybody over the rows of a folder, in a database that can reach nothing else.

The rows are copied into memory; then access to files, the network and this program is turned off
and the configuration is locked. A query has a limit of time and of memory.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mineproof.closing import Closing
from mineproof.errors import BudgetExceeded, InputError, one_line
from mineproof.lab.duck import connect, file_list
from mineproof.lab.store import check_shards

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["Answer", "QueryLimits", "Questions"]

_ROWS_AT_ONCE = 1000
_INTERRUPT_EVERY = 0.05


@dataclass(frozen=True)
class QueryLimits:
    """How long a query may take, and the memory for it and the rows."""

    seconds: float = 30.0
    memory_mb: int = 1024

    def __post_init__(self) -> None:
        if not 0 < self.seconds <= 86400:
            raise InputError(f"{self.seconds:g} seconds; accepted: more than 0, at most 86400")
        if not 16 <= self.memory_mb <= 2**20:
            raise InputError(f"{self.memory_mb} MB; accepted: 16 to {2**20}")


class Questions(Closing):
    """The rows of a folder as the table `games`, open to one query at a time.

    Raises InputError for a folder without games or with a damaged shard, and a query that is wrong;
    BudgetExceeded for one that is too large.
    """

    def __init__(self, folder: str | Path, limits: QueryLimits | None = None) -> None:
        self._limits = QueryLimits() if limits is None else limits
        self._connection = connect()
        import duckdb

        try:
            self._connection.execute(f"SET memory_limit = '{self._limits.memory_mb}MB'")
            self._connection.execute("SET temp_directory = ''")
            files = check_shards(folder, self._connection)
            self._connection.execute(
                f"CREATE TABLE games AS SELECT * FROM read_parquet({file_list(files)})"
            )
        except duckdb.OutOfMemoryException:
            self.close()
            raise BudgetExceeded(
                f"the rows need more than {self._limits.memory_mb} MB; accepted: more memory"
            ) from None
        except InputError:
            self.close()
            raise
        except duckdb.Error as error:
            self.close()
            raise InputError(
                f"the shards of {str(folder)!a} cannot be read: {_line(error)}"
            ) from None
        lock(self._connection)

    def ask(self, query: str) -> Answer:
        """The answer to one SELECT. Its rows are read while the clock runs."""
        import duckdb

        try:
            statements = self._connection.extract_statements(query)
        except duckdb.Error as error:
            raise InputError(f"the query cannot be read: {_line(error)}") from None
        kinds = duckdb.StatementType
        if len(statements) != 1 or statements[0].type not in (kinds.SELECT, kinds.EXPLAIN):
            raise InputError("the query is not one SELECT; accepted: SELECT ... FROM games")
        return Answer(self._connection, query, self._limits)

    def close(self) -> None:
        self._connection.close()


def lock(connection: DuckDBPyConnection) -> None:
    """Turn off access to anything outside, and the way back."""
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


class Answer:
    """The columns of an answer, and its rows one by one."""

    def __init__(self, connection: DuckDBPyConnection, query: str, limits: QueryLimits) -> None:
        self._limits = limits
        self._late, self._over = threading.Event(), threading.Event()
        self._working, self._lock = False, threading.Lock()
        self._connection = connection
        threading.Thread(target=self._watch, daemon=True).start()
        try:
            self._result = self._guarded(lambda: connection.execute(query))
        except BaseException:
            self._over.set()
            raise
        self.columns: tuple[str, ...] = tuple(
            str(column[0]) for column in self._result.description or ()
        )

    def rows(self) -> Generator[tuple[Any, ...], None, None]:
        """The rows. Raises BudgetExceeded when the time is over."""
        try:
            while some := self._guarded(lambda: self._result.fetchmany(_ROWS_AT_ONCE)):
                yield from some
        finally:
            self._over.set()

    def _watch(self) -> None:
        """When the time is over, interrupt until it is heeded: work that just begins misses it."""
        if self._over.wait(self._limits.seconds):
            return
        self._late.set()
        while self._interrupt() and not self._over.wait(_INTERRUPT_EVERY):
            pass

    def _interrupt(self) -> bool:
        """Interrupt what is being done; whether there was anything."""
        with self._lock:
            if self._working:
                self._connection.interrupt()
            return self._working

    def _work(self, on: bool) -> None:
        with self._lock:
            self._working = on

    def _guarded(self, work: Any) -> Any:
        import duckdb

        try:
            self._work(True)
            if self._late.is_set():
                raise duckdb.InterruptException("")
            return work()
        except duckdb.InterruptException:
            if not self._late.is_set():
                raise KeyboardInterrupt from None
            raise BudgetExceeded(
                f"the query took more than {self._limits.seconds:g} seconds; accepted: a smaller"
                " one, or a larger limit"
            ) from None
        except duckdb.OutOfMemoryException:
            raise BudgetExceeded(
                f"the query needs more than {self._limits.memory_mb} MB; accepted: a smaller one,"
                " or a larger limit"
            ) from None
        except duckdb.Error as error:
            raise InputError(f"the query failed: {_line(error)}") from None
        finally:
            self._work(False)


def _line(error: Exception) -> str:
    return one_line(error, 300)
