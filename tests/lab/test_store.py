"""A folder of results: shards, transcripts, and what a damaged file does."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import mineproof as mp
from mineproof.errors import InputError, LabError
from mineproof.game.rows import row_of
from mineproof.lab import shards as shards_module
from mineproof.lab.executors import make_executor
from mineproof.lab.experiment import Experiment
from mineproof.lab.results import Results
from mineproof.lab.runner import run
from mineproof.lab.shards import AgentPool, lives_in_core, play_shard, shards_of
from mineproof.lab.store import ShardStore, _without_mask, game_of
from mineproof.lab.table import SCHEMA, TRANSCRIPT, connect, rows_of, table_digest, text_literal
from tests.core import needs_core
from tests.lab.processes import Gate, Process, Rows, shards, transcripts

# ----------------------------------------------------------------------------
# The folder of results: damaged, foreign, locked, full; nothing is ever overwritten.


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
    table = play_shard(SMALL, shard, AgentPool(SMALL))
    with ShardStore(tmp_path / "odd [name]* 'here'?", SMALL) as store:
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
    with ShardStore(kept, SMALL), pytest.raises(InputError, match="another run"):
        ShardStore(kept, SMALL)
    ShardStore(kept, SMALL).close()


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
    for wrong in (tmp_path / "file" / "results", tmp_path / "file", tmp_path / ("x" * 300)):
        with pytest.raises(InputError, match=r"cannot be written: .*; accepted: a folder"):
            run(SMALL, folder=wrong)


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
            known["rows"] = table_digest({name: _without_mask(table[name]) for name in SCHEMA})
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


# ----------------------------------------------------------------------------
# Transcripts of all games: kept whole, the same however they are played, any game again.


RECORDED = Experiment.of(
    ["random", "single-point"], boards=["5x5/4", "hex:4x4/3"], games=12, seed=1, shard_games=8
)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kept") / "results"
    run(RECORDED, folder=folder, transcripts=True)
    return folder


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A folder that a test may damage."""
    run(RECORDED, folder=tmp_path / "own", transcripts=True)
    return tmp_path / "own"


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("transcripts-*.parquet"))


def test_every_game_is_the_one_that_play_plays(recorded: Path) -> None:
    with Results(recorded) as results:
        rows = results.query('SELECT agent, board, "index", won, steps, opened, score FROM games')
    assert len(rows) == RECORDED.rows
    for agent, board, index, won, steps, opened, score in rows:
        found = game_of(recorded, agent, index, board)
        assert found.kept
        assert found.transcript == mp.play(board, agent, seed=1, index=index)
        row = row_of(found.transcript)
        assert (row.won, row.steps, row.opened, row.score) == (won, steps, opened, score)


def test_jobs_leave_no_trace(recorded: Path, tmp_path: Path) -> None:
    with make_executor(jobs=2) as executor:
        run(RECORDED, executor, folder=tmp_path, transcripts=True)
    assert transcripts(tmp_path) == transcripts(recorded)
    assert [path.name for path in files(tmp_path)] == [path.name for path in files(recorded)]


def test_what_was_not_kept_is_played_again(recorded: Path, tmp_path: Path) -> None:
    run(RECORDED, folder=tmp_path)
    assert not files(tmp_path)
    found = game_of(tmp_path, "single-point", 5, "hex:4x4/3")
    assert not found.kept
    assert found.transcript == game_of(recorded, "single-point", 5, "hex:4x4/3").transcript


def test_transcripts_can_be_asked_for_later(
    recorded: Path, tmp_path: Path, rows: Callable[[Path], Rows]
) -> None:
    run(RECORDED, folder=tmp_path)
    before = {path: path.stat().st_mtime_ns for path in shards(tmp_path)}
    seen: list[object] = []
    left = run(RECORDED, folder=tmp_path, transcripts=True, watch=seen.append)
    assert (left.games, seen) == (RECORDED.rows, [])
    assert transcripts(tmp_path) == transcripts(recorded)
    assert {path: path.stat().st_mtime_ns for path in shards(tmp_path)} == before
    assert rows(tmp_path) == rows(recorded)


def test_what_is_there_is_skipped_and_what_is_missing_played(
    own: Path, rows: Callable[[Path], Rows]
) -> None:
    true, texts = rows(own), transcripts(own)
    # As after a kill between the two files of a shard, in the middle of one, and before both.
    shards(own)[0].unlink()
    files(own)[1].rename(own / f".aside-{files(own)[1].name}")
    shards(own)[2].unlink()
    files(own)[1].unlink()
    before = {path: path.stat().st_mtime_ns for path in (*shards(own), *files(own))}
    run(RECORDED, folder=own, transcripts=True)
    assert (rows(own), transcripts(own)) == (true, texts)
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert not list(own.glob(".aside*"))


def test_killed_and_run_again(
    gated: Experiment,
    gate: Gate,
    rows: Callable[[Path], Rows],
    ungated: Rows,
    start: Callable[..., Process],
    tmp_path: Path,
) -> None:
    spec, folder = tmp_path / "spec.toml", tmp_path / "results"
    spec.write_text(gated.text)
    arguments = ("compare", "--spec", str(spec), "--out", str(folder), "--transcripts")
    gate.let(30)
    process = start(*arguments, "--jobs", "2")
    process.until(lambda: len(shards(folder)) >= 2)
    process.kill()
    done = {path.name.replace("games", "transcripts") for path in shards(folder)}
    assert done <= {path.name for path in files(folder)}
    gate.open()
    status, _, err = start(*arguments).end()
    assert (status, err) == (0, "")
    assert rows(folder) == ungated
    assert len(files(folder)) == len(shards(folder)) == 16
    agent = gated.agents[1]
    found = game_of(folder, agent, 39, "hex:7x7/10")
    assert found.kept
    assert list(found.transcript.views())


@needs_core
def test_the_core_is_checked_against_the_referee(monkeypatch: pytest.MonkeyPatch) -> None:
    assert lives_in_core(RECORDED, "random")
    shard, bench = shards_of(RECORDED)[0], AgentPool(RECORDED)
    told: list[tuple[int, int]] = []
    table = play_shard(
        RECORDED, shard, bench, lambda games, won: told.append((games, won)), transcripts=True
    )
    assert [mp.Transcript.parse(text).index for text in table[TRANSCRIPT]] == list(table["index"])
    assert (sum(games for games, _ in told), sum(won for _, won in told)) == (
        8,
        int(table["won"].sum()),
    )
    other = replace(RECORDED, agent_seed=7)
    core = shards_module.play_in_core
    monkeypatch.setattr(shards_module, "play_in_core", lambda _, *rest: core(other, *rest))
    with pytest.raises(LabError, match="end otherwise when the referee plays them again"):
        play_shard(RECORDED, shard, bench, transcripts=True)


def test_an_agent_that_does_not_repeat_itself_is_named(tmp_path: Path) -> None:
    file, state = tmp_path / "moody.py", tmp_path / "state"
    file.write_text(
        "import pathlib\n"
        "class Moody:\n"
        "    def act(self, view):\n"
        f"        state = pathlib.Path({str(state)!r})\n"
        "        if state.exists():\n"
        "            raise OSError('not again')\n"
        "        return view.hidden[0]\n"
    )
    experiment = Experiment.of([str(file)], boards=["3x3/0"], games=2)
    run(experiment, folder=tmp_path / "results")
    state.touch()
    with pytest.raises(LabError, match="does not repeat itself: game 0 on square:3x3/0"):
        run(experiment, folder=tmp_path / "results", transcripts=True)
    assert not files(tmp_path / "results")


def test_transcripts_need_a_folder() -> None:
    with pytest.raises(InputError, match="together with out"):
        mp.compare(["random"], "4x4/2", games=1, transcripts=True)


def test_from_python(tmp_path: Path) -> None:
    mp.compare(["random"], "4x4/2", games=3, out=tmp_path, transcripts=True)
    found = game_of(tmp_path, index=2)
    assert (found.kept, found.transcript.index) == (True, 2)


@pytest.mark.parametrize("damage", [b"", b"PAR1", b"PAR1" * 100])
def test_a_cut_file_is_named_and_kept(own: Path, damage: bytes) -> None:
    path = files(own)[1]
    path.write_bytes(damage)
    with pytest.raises(InputError, match="damaged") as caught:
        run(RECORDED, folder=own, transcripts=True)
    assert path.name in str(caught.value)
    assert path.read_bytes() == damage
    with pytest.raises(InputError, match="accepted: move it away"):
        game_of(own, "random", 4, "5x5/4")


def test_a_flipped_bit_never_changes_a_text(own: Path) -> None:
    path, true = files(own)[0], transcripts(own)
    whole = path.read_bytes()
    noticed = 0
    for place in range(5, len(whole), len(whole) // 20):
        damaged = bytearray(whole)
        damaged[place] ^= 4
        path.write_bytes(damaged)
        read = read_or_refused(own)
        noticed += path.name in read
        assert path.name in read or read == true["random", 0]
    assert noticed > 5


def read_or_refused(folder: Path) -> str:
    """The text of the first game, or what is said instead."""
    try:
        return game_of(folder, "random", 0, "5x5/4").transcript.text
    except InputError as error:
        return str(error)


def test_files_of_another_experiment_or_shard_are_noticed(own: Path, tmp_path: Path) -> None:
    first, second = files(own)[:2]
    whole = first.read_bytes()
    first.write_bytes(second.read_bytes())
    with pytest.raises(InputError, match="damaged"):
        run(RECORDED, folder=own, transcripts=True)
    run(replace(RECORDED, seed=2), folder=tmp_path / "other", transcripts=True)
    first.write_bytes((tmp_path / "other" / first.name).read_bytes())
    with pytest.raises(InputError, match="another experiment"):
        run(RECORDED, folder=own, transcripts=True)
    first.write_bytes(whole)
    (own / "transcripts-009-000000.parquet").write_bytes(whole)
    with pytest.raises(InputError, match="no file of this experiment"):
        run(RECORDED, folder=own, transcripts=True)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text.replace("board: ", "board: \x1b[2J"), "accepted: a transcript"),
        (lambda text: "no game", "not a game"),
        (lambda text: text.replace("agent: random", "agent: sat"), "another game"),
    ],
)
def test_a_file_that_holds_something_else_is_refused(
    tmp_path: Path, change: Callable[[str], str], said: str
) -> None:
    shard = shards_of(RECORDED)[0]
    table = dict(play_shard(RECORDED, shard, AgentPool(RECORDED), transcripts=True))
    table[TRANSCRIPT] = table[TRANSCRIPT].copy()
    table[TRANSCRIPT][0] = change(table[TRANSCRIPT][0])
    with ShardStore(tmp_path / "results", RECORDED) as store:
        store.write(shard, table)
    with pytest.raises(InputError, match=said) as caught:
        game_of(tmp_path / "results", "random", 0, "5x5/4")
    assert str(caught.value).isprintable()
    assert game_of(tmp_path / "results", "random", 1, "5x5/4").kept


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, "no agent is named; accepted: random, single-point"),
        ({"agent": "rand"}, "'rand' does not play here; accepted: random, single-point"),
        ({"agent": "random"}, "there are 2; accepted: square:5x5/4, hex:4x4/3"),
        ({"agent": "random", "place": "5x5/5"}, "not played here; accepted: square:5x5/4"),
        ({"agent": "random", "place": "nowhere"}, "board"),
        ({"agent": "random", "place": "5x5/4", "index": 12}, "game 12; accepted: 0 to 11"),
        ({"agent": "random", "place": "5x5/4", "index": -1}, "accepted: 0 to 11"),
    ],
)
def test_what_is_not_there_is_one_line(recorded: Path, asked: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        game_of(recorded, **asked)
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match="no folder of results"):
        game_of(recorded / "nowhere")
