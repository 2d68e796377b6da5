"""`review` and `show` of recorded games: text, JSON, RAWVF, folders, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.replay.clicks import Effect
from mineproof.replay.record import Replay
from mineproof.replay.review import review_replay
from tests.core import needs_core
from tests.replay.encoders import avf, evf, random_game

Command = Callable[..., Any]
ROOT = Path(__file__).parents[2]
GAME = str(ROOT / "examples" / "recorded_game.rawvf")
STATISTICS = (
    *("time", "bbbv", "openings", "islands", "zini", "hzini", "left", "right", "double"),
    *("effective", "ioe", "corr", "thrp", "rqp", "qg", "stnb", "path", "pluck"),
)


@pytest.fixture(scope="module")
def review() -> Any:
    return review_replay(Replay.read(GAME))


@needs_core
def test_the_review_that_the_docs_print(command: Command) -> None:
    """The whole page of the docs, as it is printed at 80 columns."""
    ran = command("review", GAME)
    assert (ran.status, ran.err) == (0, "")
    docs = (ROOT / "docs" / "replays.md").read_text(encoding="utf-8")
    shown = docs.partition("$ mineproof review examples/recorded_game.rawvf\n8x8")[2]
    assert shown.partition("```")[0] == ran.out.removeprefix("8x8")
    assert max(map(len, ran.out.splitlines())) <= 80


@needs_core
def test_json_has_the_statistics_and_what_the_recording_tells(
    command: Command, review: Any
) -> None:
    answer = json.loads(command("review", GAME, "--json").out)
    assert set(STATISTICS) <= set(answer["statistics"])
    assert answer["statistics"]["bbbv"] == 19
    assert answer["unused_flags"][0] == [6, 4]
    fourth = answer["moves"][3]
    assert (fourth["word"], fourth["missed"], fourth["missed_pattern"]) == (
        "blunder",
        [2, 2],
        "1-1",
    )
    assert fourth["seconds"] == pytest.approx(fourth["time"] - answer["moves"][2]["time"])


def test_a_guess_beside_a_safe_cell_is_said(review: Any) -> None:
    assert [move.number for move in review.missed] == [4, 5]
    assert review.moves[3].text.endswith("It needed a 1-1.")
    assert "s for a" in review.moves[30].text


def test_wrong_flags_are_those_on_safe_cells() -> None:
    for seed in range(6):
        replay = Replay.parse(evf(random_game(seed)))
        found = review_replay(replay)
        flagged = {m.cell for m in replay.played.moves if m.effect is Effect.FLAGGED}
        assert set(found.wrong_flags) == {c for c in flagged if not replay.layout.is_mine(c)}
        assert not set(found.wrong_flags) & set(found.unused_flags)


def test_a_position_is_shown(command: Command) -> None:
    ran = command("show", GAME, "--step", "4")
    view = mp.View.parse(ran.out)
    assert view.opened_count == 9
    assert command("show", GAME, "--step", "39").status == 2


def test_a_game_is_written_as_rawvf(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "game.rawvf"
    recording = tmp_path / "a.avf"
    recording.write_bytes(avf(random_game(3)))
    assert command("review", str(recording), "--rawvf", str(file)).status == 0
    assert Replay.read(file).events == Replay.read(recording).events
    own = str(ROOT / "examples" / "lost_game.txt")
    assert command("review", own, "--rawvf", str(file)).status == 0
    assert len(Replay.read(file).transcript.steps) == len(mp.Transcript.read(own).steps)


@needs_core
def test_a_folder_becomes_one_page_and_goes_on_where_it_stopped(
    command: Command, tmp_path: Path
) -> None:
    games = tmp_path / "games"
    games.mkdir()
    for seed in range(3):
        (games / f"{seed}.evf").write_bytes(evf(random_game(seed)))
    (games / "cut.evf").write_bytes(evf(random_game(1))[:90])
    page = tmp_path / "report.html"
    ran = command("review", str(games), "--out", str(page), "--jobs", "1")
    assert ran.status == 0
    assert "3 games reviewed" in ran.out
    assert ran.err.startswith("not read: cut.evf: stopped at byte 90")
    text = page.read_text(encoding="utf-8")
    assert "8x8/10" in text
    assert "#learn?pattern=" in text
    assert "cut.evf: stopped at byte 90" in text
    kept = tmp_path / "report.html.reviews"
    before = kept.read_text().splitlines()
    assert len(before) == 4
    # Of a run that was ended the last line may be half: it is found again, and only it.
    kept.write_text("\n".join([*before[:3], before[3][:40]]) + "\n")
    assert command("review", str(games), "--out", str(page), "--jobs", "1").status == 0
    assert len(kept.read_text().splitlines()) == 5
    assert page.read_text(encoding="utf-8") == text


def test_bad_calls_are_one_line(command: Command, tmp_path: Path) -> None:
    cut = tmp_path / "cut.evf"
    cut.write_bytes(evf(random_game(2))[:100])
    calls: list[tuple[str, ...]] = [
        ("review", str(tmp_path)),
        ("review", str(tmp_path), "--out", str(tmp_path / "a.html"), "--json"),
        ("review", GAME, "--out", "a.html"),
        ("review", GAME, "--jobs", "2"),
        ("review", str(cut)),
        ("show", str(cut)),
        ("review", str(ROOT / "examples" / "position.txt")),
    ]
    for call in calls:
        ran = command(*call)
        assert (ran.status, ran.out) == (2, ""), call
        assert len(ran.err.splitlines()) == 1, call
