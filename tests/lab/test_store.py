"""The folder of results: damaged, foreign, locked, full; nothing is ever overwritten."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mineproof.errors import InputError
from mineproof.lab.duck import connect, text_literal
from mineproof.lab.experiment import Experiment
from mineproof.lab.results import Results
from mineproof.lab.rows import SCHEMA, rows_of, table_digest
from mineproof.lab.runner import run
from mineproof.lab.shards import Bench, play_shard, shards_of
from mineproof.lab.store import Store, _unmasked
from tests.lab.processes import Process, Rows, shards

SMALL = Experiment.of(["random"], boards=["5x5/4"], games=24, seed=1, shard_games=8)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    run(SMALL, folder=tmp_path / "results")
    return tmp_path / "results"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def refusal(folder: Path) -> str | None:
    """What a run says that refuses a folder."""
    try:
        run(SMALL, folder=folder)
    except InputError as error:
        return str(error)
    return None


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    shard = shards_of(SMALL)[0]
    table = play_shard(SMALL, shard, Bench(SMALL))
    with Store(tmp_path / "odd [name]* 'here'?", SMALL) as store:
        store.write(shard, table)
        assert store.finished()[shard].tolist() == [row.won for row in rows_of(table)]
        assert [path.name for path in shards(store.folder)] == [shard.file]


def test_a_flipped_bit_never_changes_a_row(kept: Path, rows: Callable[[Path], Rows]) -> None:
    """Each is noticed, with the shard's name, or lies where it changes no row."""
    path = shards(kept)[1]
    whole, true = path.read_bytes(), rows(kept)
    noticed = 0
    for place in range(5, len(whole), len(whole) // 20):
        damaged = bytearray(whole)
        damaged[place] ^= 4
        path.write_bytes(damaged)
        said = refusal(kept)
        noticed += said is not None
        if said is None:
            assert rows(kept) == true
        else:
            assert path.name in said
            assert "accepted" in said
        assert path.read_bytes() == damaged
    assert noticed > 10


@pytest.mark.parametrize("damage", [b"", b"PAR1", b"PAR1" * 100])
def test_a_cut_shard_is_named_and_kept(kept: Path, damage: bytes) -> None:
    path = shards(kept)[2]
    path.write_bytes(damage)
    with pytest.raises(InputError, match="damaged"):
        run(SMALL, folder=kept)
    assert path.read_bytes() == damage


def test_a_shard_under_another_name_is_noticed(kept: Path) -> None:
    first, second = shards(kept)[:2]
    shutil.copy(first, second)
    with pytest.raises(InputError, match="damaged"):
        run(SMALL, folder=kept)


def test_shards_of_another_experiment_are_noticed(kept: Path, tmp_path: Path) -> None:
    other = replace(SMALL, seed=2)
    run(other, folder=tmp_path / "other")
    name = shards(kept)[0].name
    shutil.copy(tmp_path / "other" / name, kept / name)
    with pytest.raises(InputError, match="another experiment"):
        run(SMALL, folder=kept)
    shutil.copy(kept / name, kept / "games-007-000000.parquet")
    with pytest.raises(InputError, match="no shard of this experiment"):
        run(SMALL, folder=kept)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"seed": 2}, "its seed 1, asked for 2"),
        ({"games": 25}, "its games 24, asked for 25"),
        ({"shard_games": 9}, "its shard games 8, asked for 9"),
        ({"first_click": "any"}, "its rules first-click=safe, asked for first-click=any"),
    ],
)
def test_a_folder_of_another_experiment_is_left_alone(
    kept: Path, options: dict[str, object], said: str
) -> None:
    before = contents(kept)
    wanted = {"games": 24, "seed": 1, "shard_games": 8, **options}
    with pytest.raises(InputError) as caught:
        run(Experiment.of(["random"], boards=["5x5/4"], **wanted), folder=kept)
    assert said in str(caught.value)
    assert contents(kept) == before


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("dear to somebody")
    with pytest.raises(InputError, match=r"thesis\.txt"):
        run(SMALL, folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_one_run_at_a_time(kept: Path) -> None:
    with Store(kept, SMALL), pytest.raises(InputError, match="another run"):
        Store(kept, SMALL)
    Store(kept, SMALL).close()


def test_what_was_left_aside_is_cleared_away(kept: Path, rows: Callable[[Path], Rows]) -> None:
    before = rows(kept)
    (kept / ".aside-games-000-000001.parquet").write_bytes(b"half a sha")
    shards(kept)[1].unlink()
    run(SMALL, folder=kept)
    assert rows(kept) == before
    assert not list(kept.glob(".aside*"))


def test_a_full_disk_is_said_and_what_was_finished_is_kept(
    kept: Path, tmp_path: Path, start: Callable[..., Process], rows: Callable[[Path], Rows]
) -> None:
    """The limit on the size of files stands for the disk: the same call fails as on a full one."""
    folder = tmp_path / "full"
    arguments = ("--agents", "random", "--board", "5x5/4", "--games", "24", "--seed", "1")
    small_files = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))"
    status, _, err = start("compare", *arguments, "--out", str(folder), first=small_files).end()
    assert status == 1
    assert "cannot be written" in err
    assert "File too large; what was finished before is kept" in err
    assert "the same command resumes" in err
    assert err.count("\n") == 1
    assert [p.name for p in folder.iterdir() if p.name != ".lock"] == ["experiment.toml"]
    status, _, err = start("compare", *arguments, "--out", str(folder)).end()
    assert (status, err) == (0, "")
    assert rows(folder) == rows(kept)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Exception, match="cannot be written"):
        run(SMALL, folder=tmp_path / "file" / "results")


def test_a_folder_from_before_the_luck_test_is_read(
    kept: Path, rows: Callable[[Path], Rows]
) -> None:
    true = [row[:-1] for row in rows(kept)]
    for path in shards(kept):
        with connect() as connection:
            said = connection.execute(
                f"SELECT key, value FROM parquet_kv_metadata({text_literal(str(path))})"
            ).fetchall()
            known = {bytes(key).decode(): bytes(value).decode() for key, value in said}
            source = f"read_parquet({text_literal(str(path))})"
            table = connection.execute(f"SELECT * FROM {source}").fetchnumpy()
            table["risks"] = np.full(len(table["risks"]), None)
            known["rows"] = table_digest({name: _unmasked(table[name]) for name in SCHEMA})
            pairs = ", ".join(f"{key}: {text_literal(value)}" for key, value in known.items())
            connection.execute(
                f"COPY (SELECT * EXCLUDE (risks) FROM {source}) TO"
                f" {text_literal(str(path) + '.old')} (FORMAT parquet, KV_METADATA {{{pairs}}})"
            )
        path.unlink()
        path.with_name(path.name + ".old").rename(path)
    with Results(kept) as results:
        assert results.query("SELECT DISTINCT risks FROM games") == [(None,)]
        assert results.summary()[0].played == 24
    shards(kept)[0].unlink()
    assert refusal(kept) is None
    assert [row[:-1] for row in rows(kept)] == true
