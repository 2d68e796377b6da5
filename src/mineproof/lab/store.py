"""A folder of results: the experiment's text and one Parquet file per finished shard.

    results/experiment.toml
    results/games-000-000000.parquet      agent 0, its first shard
    results/games-001-000000.parquet
    results/transcripts-000-000000.parquet    its transcripts, where they are asked for

A file is written aside and renamed, so that it is either there and whole or not there at all; to
resume is to skip what is there. Nothing that is there is ever overwritten. Every shard carries the
experiment it belongs to and a digest of its rows.
"""

from __future__ import annotations

import hashlib
import os
import re
import signal
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mineproof.agents.agent import LogicAgent
from mineproof.board.presets import Board
from mineproof.errors import InputError, LabError, NotationError, one_line, quoted
from mineproof.files import Closeable
from mineproof.game.annotate import game_with_premises
from mineproof.game.play import play_game
from mineproof.game.transcript import Transcript
from mineproof.lab.experiment import Experiment, first_difference
from mineproof.lab.shards import AgentPool, Shard, shards_of
from mineproof.lab.table import (
    RISKS,
    SCHEMAS,
    TRANSCRIPT,
    Table,
    connect,
    file_list,
    table_digest,
    text_literal,
)

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


EXPERIMENT_FILE = "experiment.toml"
_LOCK = ".lock"
_ASIDE = ".aside-"
_BATCH = 64


def shard_files(folder: str | Path) -> list[Path]:
    """The shards in a folder, by name. Raises InputError where it is none or has none."""
    path = Path(folder)
    files = sorted(path.glob("games-*.parquet")) if os.path.isdir(path) else []  # noqa: PTH112
    if not files:
        raise InputError(
            f"{_path_text(folder)} holds no games; accepted: a folder that `compare --out` wrote"
        )
    return files


def read_experiment(folder: str | Path) -> Experiment:
    """The experiment whose results a folder holds. Raises InputError."""
    try:
        return Experiment.read(Path(folder) / EXPERIMENT_FILE)
    except NotationError as error:
        raise InputError(f"{_path_text(folder)} is no folder of results: {error.plain}") from None


def check_shards(folder: str | Path, connection: DuckDBPyConnection) -> list[Path]:
    """The shards of a folder, each read whole: its rows are those that were written.

    Raises InputError for a damaged or foreign one.
    """
    files = shard_files(folder)
    experiment = read_experiment(folder)
    reader = _ShardReader(experiment, connection)
    for start in range(0, len(files), _BATCH):
        reader.checked(files[start : start + _BATCH])
    return files


def kept_secret(folder: str | Path) -> str | None:
    """The secret of the deals in a folder that is taken up again; None where there is none."""
    # A name that no folder can have is an error for pathlib; the store says so.
    if not os.path.isfile(Path(folder) / EXPERIMENT_FILE):  # noqa: PTH113
        return None
    return read_experiment(folder).secret


class ShardStore(Closeable):
    """A folder of one experiment, open for writing by one run at a time.

    Raises InputError for a folder of something else and for one that cannot be made, LabError where
    it cannot be written.
    """

    def __init__(self, folder: str | Path, experiment: Experiment) -> None:
        self.folder = Path(folder)
        self.experiment = experiment
        self._schema = SCHEMAS[experiment.records]
        self._connection: DuckDBPyConnection = connect(threads=1)
        self._reader = _ShardReader(experiment, self._connection)
        self._lock_file: IO[bytes] | None = None
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "not a path"
            raise InputError(
                f"{_path_text(self.folder)} cannot be written: {reason}; accepted: a folder, or a"
                " new one"
            ) from None
        spec = self.folder / EXPERIMENT_FILE
        if not spec.exists():
            for other in self.folder.iterdir():
                if not other.name.startswith("."):
                    raise InputError(
                        f"{_path_text(self.folder)} holds {quoted(other.name)} and no experiment;"
                        " accepted: a new or empty folder, or one of the same experiment"
                    )
        self._lock()
        if spec.exists():
            self._check()
        for left in self.folder.glob(f"{_ASIDE}*"):
            left.unlink(missing_ok=True)
        if not spec.exists():
            self._write_aside(EXPERIMENT_FILE, self.experiment.text.encode())

    def _check(self) -> None:
        found = read_experiment(self.folder)
        if found != self.experiment:
            differing = first_difference(found, self.experiment)
            raise InputError(
                f"{_path_text(self.folder)} holds another experiment: {differing}; accepted:"
                " another folder, or the same options"
            )

    def _lock(self) -> None:
        try:
            self._lock_file = (self.folder / _LOCK).open("ab")
        except OSError as error:
            raise InputError(
                f"{_path_text(self.folder)} cannot be written: {error.strerror}; accepted: a folder"
                " in which files can be made"
            ) from None
        try:
            import fcntl
        except ImportError:  # not a POSIX system: two runs at once are then not noticed
            return
        try:
            fcntl.flock(self._lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(
                f"another run writes to {_path_text(self.folder)}; accepted: when it has ended"
            ) from None
        except OSError:
            # A file system without locks; shards are still written aside and renamed.
            return

    # -- shards ------------------------------------------------------------------------------

    def finished(self) -> dict[Shard, NDArray[np.bool_]]:
        """The shards that are there, read whole and checked, and which of their games were won.

        Raises InputError for a damaged or foreign one, and leaves it where it is.
        """
        paths = sorted(self.folder.glob(f"{self.experiment.records}-*.parquet"))
        found = {}
        for start in range(0, len(paths), _BATCH):
            found.update(self._reader.checked(paths[start : start + _BATCH]))
        return found

    def transcribed(self) -> set[Shard]:
        """The shards whose transcripts are there, by what their files say of themselves.

        Raises InputError for a damaged or foreign file, and leaves it where it is.
        """
        plan = {shard.transcripts_file: shard for shard in shards_of(self.experiment)}
        found = set()
        for path in sorted(self.folder.glob("transcripts-*.parquet")):
            if path.name not in plan:
                raise InputError(
                    f"{_path_text(path)} is no file of this experiment; accepted: without it"
                )
            check_transcripts(self._connection, path, self.experiment.digest, plan[path.name])
            found.add(plan[path.name])
        return found

    def write(self, shard: Shard, table: Table) -> None:
        """Write a finished shard, its transcripts first if it has them.

        Raises LabError where the disk does not take it.
        """
        if TRANSCRIPT in table:
            self.write_transcripts(shard, table)
        columns = ", ".join(f'"{name}"::{kind} AS "{name}"' for name, kind in self._schema.items())
        self._write_table(shard.file, table, columns, {"rows": table_digest(table, self._schema)})

    def write_transcripts(self, shard: Shard, table: Table) -> None:
        """Write the transcripts of a shard; those that are there already stay. Raises LabError."""
        name = shard.transcripts_file
        if (self.folder / name).exists():
            return
        texts = {"texts": texts_digest(table[TRANSCRIPT].tolist())}
        self._write_table(name, table, _TRANSCRIPT_COLUMNS, texts, f", {_TRANSCRIPT_OPTIONS}")

    def _write_table(
        self, name: str, table: Table, columns: str, digest: dict[str, str], options: str = ""
    ) -> None:
        aside = self.folder / f"{_ASIDE}{name}"
        said = {"experiment": self.experiment.digest, "shard": name, **digest}
        pairs = ", ".join(f"{key}: {text_literal(value)}" for key, value in said.items())
        with _interrupts_deferred(), self._write_errors(name, aside):
            self._connection.register("shard", dict(table))
            self._connection.execute(
                f"COPY (SELECT {columns} FROM shard) TO {text_literal(str(aside))}"
                f" (FORMAT parquet{options}, KV_METADATA {{{pairs}}})"
            )
            self._connection.unregister("shard")
            self._publish(aside, name)

    def _write_aside(self, name: str, data: bytes) -> None:
        aside = self.folder / f"{_ASIDE}{name}"
        with _interrupts_deferred(), self._write_errors(name, aside):
            aside.write_bytes(data)
            self._publish(aside, name)

    def _publish(self, aside: Path, name: str) -> None:
        """Give a file its name once it is on the disk; a name that is taken is kept."""
        with aside.open("rb") as file:
            os.fsync(file.fileno())
        final = self.folder / name
        if final.exists():
            raise LabError(f"{_path_text(final)} appeared while it was played; it is kept")
        aside.rename(final)

    @contextmanager
    def _write_errors(self, what: str, aside: Path | None = None) -> Iterator[None]:
        import duckdb

        try:
            yield
        except (OSError, duckdb.Error) as error:
            reason = _write_error_text(error)
            if aside is not None:
                with suppress(OSError):
                    aside.unlink(missing_ok=True)
            raise LabError(
                f"{quoted(what)} cannot be written to {_path_text(self.folder)}: {reason}; what"
                " was finished before is kept, and the same command resumes"
            ) from None

    def close(self) -> None:
        """Let another run write here."""
        self._connection.close()
        if self._lock_file is not None:
            self._lock_file.close()


class _ShardReader:
    """Reads the shards of one experiment and checks their rows against their digests."""

    def __init__(self, experiment: Experiment, connection: DuckDBPyConnection) -> None:
        self._digest = experiment.digest
        self._plan = {shard.file: shard for shard in shards_of(experiment)}
        self._schema = SCHEMAS[experiment.records]
        self._connection = connection

    def checked(self, paths: list[Path]) -> dict[Shard, NDArray[np.bool_]]:
        """Shards, and which of their games were won. Raises InputError."""
        import duckdb

        for path in paths:
            if path.name not in self._plan:
                raise InputError(
                    f"{_path_text(path)} is no shard of this experiment; accepted: without it"
                )
        try:
            self._check_sizes(paths)
            said, table = self._read_kept(paths)
        except (duckdb.Error, UnicodeDecodeError) as error:
            if len(paths) == 1:
                reason = one_line(error, 160)
                raise _damage_error(paths[0], f"it cannot be read ({reason})") from None
            # Which one it is shows when they are read one by one.
            found = {}
            for path in paths:
                found.update(self.checked([path]))
            return found
        found, start = {}, 0
        for path in paths:
            shard = self._plan[path.name]
            part = {name: column[start : start + len(shard)] for name, column in table.items()}
            start += len(shard)
            if said[path].get("experiment") != self._digest:
                raise InputError(
                    f"shard {_path_text(path)} is of another experiment; accepted: without it"
                )
            rows = table_digest(part, self._schema)
            if said[path].get("shard") != path.name or said[path].get("rows") != rows:
                raise _damage_error(path, "its rows are not those that were written")
            found[shard] = part["won"].astype(np.bool_)
        return found

    def _check_sizes(self, paths: list[Path]) -> None:
        """No shard says that it has more rows than its games, before any is read."""
        places = file_list(paths)
        for file, rows in self._connection.execute(
            f"SELECT file_name, num_rows FROM parquet_file_metadata({places})"
        ).fetchall():
            path = Path(file)
            if rows != len(self._plan[path.name]):
                raise _damage_error(
                    path, f"it has {rows} rows for {len(self._plan[path.name])} games"
                )

    def _read_kept(self, paths: list[Path]) -> tuple[dict[Path, dict[str, str]], Table]:
        """What shards say of themselves, and their rows in one table."""
        places = file_list(paths)
        said: dict[Path, dict[str, str]] = {path: {} for path in paths}
        for file, key, value in self._connection.execute(
            f"SELECT file_name, key, value FROM parquet_kv_metadata({places})"
        ).fetchall():
            said[Path(file)][bytes(key).decode()] = bytes(value).decode()
        source = f"read_parquet({places})"
        there = {
            name for name, *_ in self._connection.execute(f"DESCRIBE FROM {source}").fetchall()
        }
        columns = ", ".join(
            f'"{name}"' if name in there or name != RISKS else f'NULL::VARCHAR AS "{name}"'
            for name in self._schema
        )
        table = self._connection.execute(f"SELECT {columns} FROM {source}").fetchnumpy()
        return said, {name: _without_mask(column) for name, column in table.items()}


def _write_error_text(error: Exception) -> str:
    """The reason of a failed write; DuckDB hides the system's number in its message."""
    number = getattr(error, "errno", None)
    if number is None and (match := re.search(r'"errno":"(\d+)"', str(error))):
        number = int(match[1])
    return one_line(error) if number is None else os.strerror(number)


def _path_text(path: str | Path) -> str:
    """A path in a message, whole: it is what the reader must find."""
    return ascii(str(path))


def _without_mask(column: NDArray[Any]) -> NDArray[Any]:
    """A column as DuckDB returns it, with None where nothing stands."""
    if not isinstance(column, np.ma.MaskedArray):
        return column
    return np.array(column.tolist(), dtype=object)


@contextmanager
def _interrupts_deferred() -> Iterator[None]:
    """Hold Ctrl-C back while a shard is written; it strikes right after."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    struck: list[FrameType | None] = []
    before = signal.signal(signal.SIGINT, lambda _, frame: struck.append(frame))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if struck:
        raise KeyboardInterrupt


def _damage_error(path: Path, why: str) -> InputError:
    return InputError(
        f"shard {_path_text(path)} is damaged: {why}; accepted: move it away, then the same"
        " command plays it again"
    )


# ----------------------------------------------------------------------------
# The files of transcripts in a folder of results: one for each shard, compressed, by game.
#
#     results/transcripts-000-000000.parquet      agent 0, the games of its first shard
#
# Each carries the experiment it belongs to and a digest of its texts. It is written before the rows
# of its shard, so that rows that are there have their transcripts.

_TRANSCRIPT_COLUMNS = f'"game"::BIGINT AS "game", "{TRANSCRIPT}"::VARCHAR AS "{TRANSCRIPT}"'
_TRANSCRIPT_OPTIONS = "COMPRESSION zstd, COMPRESSION_LEVEL 9"


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
        raise _unreadable_transcripts(path, error) from None
    if said.get("experiment") != experiment:
        raise InputError(
            f"{str(path)!a} holds transcripts of another experiment; accepted: without it"
        )
    if said.get("shard") != path.name or rows != len(shard):
        raise _damaged_transcripts(path, "its games are not those that were written")
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
        raise _unreadable_transcripts(path, error) from None
    texts = [text for (text,) in rows if isinstance(text, str)]
    if len(texts) != len(shard) or texts_digest(texts) != digest:
        raise _damaged_transcripts(path, "its texts are not those that were written")
    return texts


def _unreadable_transcripts(path: Path, error: Exception) -> InputError:
    reason = str(error).split("\n")[0][:160]
    return _damaged_transcripts(path, f"it cannot be read ({reason})")


def _damaged_transcripts(path: Path, why: str) -> InputError:
    return InputError(
        f"{str(path)!a} is damaged: {why}; accepted: move it away, then its games are played again"
    )


# ----------------------------------------------------------------------------
# A game of a folder of results: read from its transcript, or replayed from its seed.
#
# game = game_of("results", "sat", 17)             game 17 on the only board
# game = game_of("results", "sat", 17, "expert")   on this board
# game.kept                                        whether its transcript was kept

_MOST_NAMED = 8


@dataclass(frozen=True)
class FoundGame:
    """A game of a folder; `kept` is False where it was played again, from the same seed."""

    transcript: Transcript
    kept: bool


def game_of(
    folder: str | Path, agent: str | None = None, index: int = 0, place: str | None = None
) -> FoundGame:
    """Game `index` of an agent on a board or world of a folder that `compare --out` wrote.

    The agent may be left out where there is one, and so may the board or world. A game whose
    transcript was not kept is played again: the same seed gives the same game. Raises InputError.
    """
    experiment = read_experiment(folder)
    number = experiment.agents.index(_agent(experiment, agent))
    at = _place(experiment, place)
    if not 0 <= index < experiment.games:
        raise InputError(f"game {index}; accepted: 0 to {experiment.games - 1}")
    game = index * len(experiment.places) + at
    shard = next(one for one in shards_of(experiment) if one.agent == number and game < one.stop)
    path = Path(folder) / shard.transcripts_file
    if not path.exists():
        return FoundGame(_replay(experiment, number, game), kept=False)
    connection = connect(threads=1)
    try:
        text = read_transcripts(connection, path, experiment.digest, shard)[game - shard.start]
    finally:
        connection.close()
    return FoundGame(_read_kept(text, path, experiment, number, game), kept=True)


def _agent(experiment: Experiment, name: str | None) -> str:
    if name is None and len(experiment.agents) == 1:
        return experiment.agents[0]
    if name is None:
        raise InputError(f"no agent is named; accepted: {_names(experiment.agents)}")
    if name not in experiment.agents:
        raise InputError(
            f"agent {quoted(name)} does not play here; accepted: {_names(experiment.agents)}"
        )
    return name


def _place(experiment: Experiment, name: str | None) -> int:
    """The place of a board or world among those of the experiment."""
    names = [board if world is None else world for board, world in experiment.place_names]
    if name is None and len(names) == 1:
        return 0
    if name is None:
        raise InputError(
            f"no board or world is named, and there are {len(names)}; accepted: {_names(names)}"
        )
    wanted = name if experiment.worlds else Board.parse(name).text
    if wanted not in names:
        raise InputError(f"{quoted(name)} is not played here; accepted: {_names(names)}")
    return names.index(wanted)


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(name if name.isprintable() else quoted(name) for name in names[:_MOST_NAMED])
    return shown if len(names) <= _MOST_NAMED else f"{shown} and {len(names) - _MOST_NAMED} more"


def _replay(experiment: Experiment, agent: int, game: int) -> Transcript:
    experiment.check()
    place, index = experiment.game(game)
    name = experiment.agents[agent]
    bench = AgentPool(experiment)
    try:
        player = bench.agent(name)
        deal = experiment.deal_seed(index)
        found = play_game(place.setting, player, name, deal, index, experiment.agent_seed)
    finally:
        bench.close()
    return game_with_premises(found) if isinstance(player, LogicAgent) else found


def _read_kept(text: str, path: Path, experiment: Experiment, agent: int, game: int) -> Transcript:
    """The game of a text, which must be the one that was asked for. Raises InputError."""
    index = experiment.game(game)[1]
    if not all(line.isprintable() for line in text.split("\n")):
        raise InputError(f"{str(path)!a}, game {index}: no text; accepted: a transcript")
    try:
        found = Transcript.parse(text)
    except NotationError as error:
        raise InputError(f"{str(path)!a}, game {index}: {error.plain}") from None
    asked = (experiment.agents[agent], experiment.deal_seed(index), index)
    if (found.agent, found.seed, found.index) != asked:
        raise InputError(f"{str(path)!a} holds another game in the place of game {index}")
    return found
