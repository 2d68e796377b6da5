"""`mineproof sql`: answers about the rows, and no way to anything else."""

from __future__ import annotations

import csv
import inspect
import io
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from mineproof.cli.main import run as run_command
from mineproof.cli.sql import command
from mineproof.errors import BudgetExceeded, InputError
from mineproof.lab.experiment import Experiment
from mineproof.lab.results import QueryLimits, QuerySession, Results
from mineproof.lab.runner import run
from mineproof.lab.table import SCHEMA

EXPERIMENT = Experiment.of(["random", "single-point"], boards=["5x5/4"], games=40, seed=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sql") / "results"
    run(EXPERIMENT, folder=path)
    return path


Ran = tuple[int, str, str]


@pytest.fixture
def sql(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    def ask(*arguments: str) -> Ran:
        status = run_command(["sql", str(folder), *arguments])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return ask


QUERY = "SELECT agent, count(*) AS played, min(world) AS world FROM games GROUP BY agent ORDER BY 1"


def test_an_answer_as_table_json_and_csv(sql: Callable[..., Ran]) -> None:
    status, out, err = sql(QUERY)
    assert (status, err) == (0, "")
    assert [line.split() for line in out.splitlines()[2:]] == [
        ["random", "40"],
        ["single-point", "40"],
    ]
    assert json.loads(sql(QUERY, "--json")[1]) == {
        "columns": ["agent", "played", "world"],
        "rows": [["random", 40, None], ["single-point", 40, None]],
    }
    rows = list(csv.reader(io.StringIO(sql(QUERY, "--csv")[1])))
    assert rows == [["agent", "played", "world"], ["random", "40", ""], ["single-point", "40", ""]]


def test_the_help_names_every_column() -> None:
    text = " ".join((inspect.getdoc(command) or "").split())
    listed = text.partition("Its columns: ")[2].partition(".")[0]
    assert listed.split(", ") == list(SCHEMA)


def hostile(folder: Path, away: Path) -> list[str]:
    """Ways out of the database that have worked in one that is open."""
    shard = next(folder.glob("*.parquet"))
    return [
        f"COPY games TO '{away}/stolen.csv'",
        f"COPY (SELECT 1) TO '{away}/stolen.parquet' (FORMAT parquet)",
        f"EXPORT DATABASE '{away}/stolen'",
        f"IMPORT DATABASE '{away}'",
        f"ATTACH '{away}/stolen.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        f"LOAD '{away}/evil.so'",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "RESET enable_external_access",
        "SET memory_limit = '100GB'",
        "PRAGMA memory_limit='100GB'",
        "PRAGMA enable_profiling",
        f"SET profiling_output = '{away}/stolen.json'",
        f"SET log_query_path = '{away}/stolen.log'",
        f"SET temp_directory = '{away}'",
        "CREATE SECRET (TYPE s3)",
        "DROP TABLE games",
        "DELETE FROM games",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_csv_auto('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM read_blob('/etc/passwd')",
        "SELECT * FROM read_json('/etc/passwd')",
        "SELECT * FROM sniff_csv('/etc/passwd')",
        "SELECT * FROM glob('/etc/*')",
        f"SELECT * FROM '{shard}'",
        f"SELECT * FROM read_parquet('{shard}')",
        f"SELECT * FROM parquet_metadata('{shard}')",
        "SELECT * FROM query('SELECT * FROM read_text(''/etc/passwd'')')",
        "SELECT * FROM query_table('/etc/passwd')",
        "SELECT * FROM 'https://example.org/x.csv'",
        "SELECT * FROM read_csv('https://example.org/x.csv')",
        "SELECT getenv('HOME')",
        "SELECT * FROM secret",
        "SELECT 1; SELECT 2",
        "",
        "-- nothing",
        "SELEC",
    ]


def test_no_query_reads_or_writes_a_file(
    sql: Callable[..., Ran], folder: Path, tmp_path: Path
) -> None:
    secret = {"words": ["of", "this", "program"]}
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for query in hostile(folder, tmp_path):
        status, out, err = sql(query)
        assert (status, out) == (2, ""), query
        assert err.count("\n") == 1
        assert "root:" not in err
    assert secret
    assert list(tmp_path.iterdir()) == []
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_the_lock_itself_holds(folder: Path, tmp_path: Path) -> None:
    """Also without the check that a query is one SELECT."""
    harmless = {"DROP TABLE games", "DELETE FROM games", "SELECT 1; SELECT 2", "", "-- nothing"}
    for query in hostile(folder, tmp_path):
        if query in harmless:
            continue
        with QuerySession(folder) as questions, pytest.raises(duckdb.Error):
            questions._connection.execute(query).fetchall()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM range(1000000000000)",
        "SELECT * FROM range(1000000000000)",
        "SELECT count(*) FROM games a, games b, games c, games d, games e, games f",
    ],
)
@pytest.mark.parametrize("seconds", [0.3, 1e-6])
def test_a_query_has_a_limit_of_time(folder: Path, query: str, seconds: float) -> None:
    """Also one that is over as the query begins."""
    with (
        QuerySession(folder, QueryLimits(seconds=seconds)) as questions,
        pytest.raises(BudgetExceeded, match=f"{seconds:g} seconds"),
    ):
        for _ in questions.ask(query).rows():
            pass


def test_a_query_has_a_limit_of_memory(folder: Path) -> None:
    with (
        QuerySession(folder, QueryLimits(seconds=3600, memory_mb=64)) as questions,
        pytest.raises(BudgetExceeded, match="64 MB"),
    ):
        list(questions.ask("SELECT list(range) FROM range(100000000)").rows())


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux counts the memory")
@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_the_limit_of_memory_holds_for_what_is_printed(folder: Path, form: str) -> None:
    """Many long texts, each of them well within the limit, and one that is printed in copies."""
    query = "SELECT list(repeat('a', 3000000)) FROM range(45)"
    options = [query, form, "--memory-mb", "64"]
    ran = subprocess.run(
        [sys.executable, "-m", "mineproof", "sql", str(folder), *options],
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 4
    assert ran.stderr.count("\n") == 1
    assert "64 MB" in ran.stderr


def test_a_long_text_is_cut_in_the_table_only(sql: Callable[..., Ran]) -> None:
    _, out, err = sql("SELECT repeat('a', 100000) AS text")
    assert out.count("a") == 1000
    assert "the first 1000 characters" in err
    assert sql("SELECT repeat('a', 100000)", "--csv")[1].count("a") > 100000


def test_exit_status_of_a_query_over_its_limits(sql: Callable[..., Ran]) -> None:
    status, _, err = sql("SELECT count(*) FROM range(1000000000000)", "--seconds", "0.2")
    assert status == 4
    assert err.count("\n") == 1


def test_long_answers_are_cut_in_the_table_only(sql: Callable[..., Ran]) -> None:
    _, out, err = sql("SELECT * FROM range(1500)")
    assert len(out.splitlines()) == 1002
    assert "--csv" in err
    assert len(sql("SELECT * FROM range(1500)", "--csv")[1].splitlines()) == 1501


@pytest.mark.parametrize("options", [("--seconds", "0"), ("--memory-mb", "1"), ("--json", "--csv")])
def test_wrong_options_are_refused(sql: Callable[..., Ran], options: tuple[str, ...]) -> None:
    status, _, err = sql("SELECT 1", *options)
    assert status == 2
    assert "accepted" in err


def test_a_folder_without_games_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no games"):
        QuerySession(tmp_path)


def test_values_without_a_json_form_are_null_or_text(sql: Callable[..., Ran]) -> None:
    _, out, _ = sql("SELECT 'nan'::DOUBLE, DATE '2020-01-01'", "--json")
    assert json.loads(out)["rows"] == [[None, "2020-01-01"]]


def test_rows_that_were_changed_are_not_answered_from(folder: Path, tmp_path: Path) -> None:
    """A shard that can be read, and says the old digest of other rows."""
    copy = tmp_path / "results"
    shutil.copytree(folder, copy)
    shard = sorted(copy.glob("games-*.parquet"))[0]
    with duckdb.connect() as connection:
        said = connection.execute(
            f"SELECT key, value FROM parquet_kv_metadata('{shard}')"
        ).fetchall()
        pairs = ", ".join(
            f"{bytes(key).decode()}: '{bytes(value).decode()}'" for key, value in said
        )
        connection.execute(f"CREATE TABLE rows AS SELECT * REPLACE (true AS won) FROM '{shard}'")
        connection.execute(f"COPY rows TO '{shard}' (FORMAT parquet, KV_METADATA {{{pairs}}})")
    with pytest.raises(InputError, match="damaged: its rows are not those that were written"):
        QuerySession(copy)
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE rows AS SELECT * FROM '{shard}'")
        connection.execute("INSERT INTO rows SELECT * FROM rows")
        connection.execute(f"COPY rows TO '{shard}' (FORMAT parquet, KV_METADATA {{{pairs}}})")
    with pytest.raises(InputError, match="damaged: it has 32 rows for 16 games"):
        QuerySession(copy)


def test_nothing_from_the_rows_controls_the_terminal(sql: Callable[..., Ran]) -> None:
    nasty = "SELECT chr(27) || '[31m' || chr(8238) || 'x' AS \"a\x1b[2J\u202e\""
    status, out, err = sql(nasty)
    assert (status, err) == (0, "")
    assert "\\x1b[31m\\u202ex" in out
    assert not set(out) & {"\x1b", "\u202e"}
    for wrong in ("SELECT \x1b[31m FROM games", "SELECT error(chr(27) || '[31m' || chr(8238))"):
        status, out, err = sql(wrong)
        assert (status, out) == (2, "")
        assert err[:-1].isprintable()
        assert err.count("\n") == 1


@pytest.mark.parametrize("damage", ["cut", "empty", "text", "flipped", "columns", "folder"])
def test_results_of_a_damaged_folder(damage: str, folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "results"
    shutil.copytree(folder, copy)
    shard = sorted(copy.glob("games-*.parquet"))[0]
    data = shard.read_bytes()
    if damage == "columns":
        with duckdb.connect() as connection:
            connection.execute(f"COPY (SELECT 1 AS one) TO '{shard}' (FORMAT parquet)")
    elif damage == "folder":
        shard.unlink()
        shard.mkdir()
    else:
        middle = len(data) // 3
        flipped = data[:middle] + bytes(byte ^ 0xFF for byte in data[middle:-50]) + data[-50:]
        cut = {"cut": data[:-20], "empty": b"", "text": b"hello", "flipped": flipped}
        shard.write_bytes(cut[damage])

    def read() -> None:
        with Results(copy) as results:
            results.summary()
            results.paired()

    with pytest.raises(InputError) as caught:
        read()
    assert str(caught.value).isprintable()
    with pytest.raises(InputError):
        QuerySession(copy)
