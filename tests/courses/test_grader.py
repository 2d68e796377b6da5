"""A class is graded: every submission ends with a row, and hidden games stay hidden."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import shutil
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mineproof.courses import Course
from mineproof.courses.gradebook import grades_csv, gradescope, junit, student_page, write_gradebook
from mineproof.courses.grader import (
    GradeFolder,
    PlaceResult,
    SubmissionRow,
    class_submissions,
    grade,
)
from mineproof.courses.pack import Measure
from mineproof.errors import InputError
from mineproof.game.play import play_game
from mineproof.lab.report import render
from mineproof.sandbox.protection import protection
from mineproof.view.view import View

COURSE = """mineproof-course = 1
title = "Small"
rules = "first-click=opening"
[boards]
A = "5x5/4"
[practice]
boards = ["A"]
games = 2
[hidden]
boards = ["A"]
games = 6
[limits]
move-seconds = 60.0
game-seconds = 60.0
start-seconds = 120.0
build-seconds = 120.0
memory-mb = 500
[[points]]
measure = "soundness"
at-least = [[1.0, 10]]
[[points]]
measure = "wins"
board = "A"
at-least = [[0.0, 5], [1.1, 50]]
[[points]]
measure = "finished"
at-least = [[1.0, 3]]
"""
PLAIN = """
class Plain:
    def act(self, view):
        return view.hidden[0]
"""
# Fails from its third game on: after the practice games of a fresh process.
LATE = """
import mineproof as mp

games = 0


class Late:
    def begin(self, view, rng):
        global games
        games += 1

    def act(self, view):
        if games > 2:
            print("LEAK", view.text)
            raise KeyError("LEAK" + view.text)
        return mp.Decision.open(view.hidden[0], mp.Proved("LEAK" if games > 2 else "mine"))
"""
PROGRAM = """
import json
import sys

for line in sys.stdin:
    rows = json.loads(line)["rows"]
    places = [[r, c] for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "."]
    print(json.dumps({"open": places[0]}), flush=True)
"""


@pytest.fixture
def course(tmp_path: Path) -> str:
    path = tmp_path / "small.toml"
    path.write_text(COURSE)
    return str(path)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A class of four, one in a language of its own that has to be built."""
    folder = tmp_path / "class"
    (folder / "built").mkdir(parents=True)
    (folder / "plain.py").write_text(PLAIN)
    (folder / "late.py").write_text(LATE)
    (folder / "broken.py").write_text("class Broken(")
    (folder / "built" / "source.txt").write_text(PROGRAM)
    (folder / "built" / "agent.toml").write_text(
        'command = "python3 program.py"\nbuild = "cp source.txt program.py"\n'
    )
    return folder


def test_a_class_is_graded(course: str, work: Path, tmp_path: Path) -> None:
    out = tmp_path / "grades"
    rows = {row.name: row for row in grade(work, course, out, 2)}
    assert sorted(rows) == ["broken", "built", "late", "plain"]
    assert "SyntaxError" in rows["broken"].note
    assert rows["broken"].points == 0
    # Every game of a plain one is played again here, by the same deals.
    pack = Course.named(course)
    secret = (out / "secret.txt").read_text().strip()
    digest = hashlib.blake2b(f"{secret} A".encode(), digest_size=6).digest()
    setting = pack.setting("A")
    seed = int.from_bytes(digest, "little")
    games = [play_game(setting, First(), "first", seed, index) for index in range(6)]
    practice, hidden = rows["plain"].places
    assert hidden == replace(
        PlaceResult("A", True, 6, won=sum(game.outcome.won for game in games)),
        steps=sum(len(game.steps) for game in games),
        chances=hidden.chances,
        missed=hidden.missed,
        seconds=hidden.seconds,
    )
    assert (practice.games, practice.failed) == (2, 0)
    assert rows["plain"].points == 5 + 3
    if not protection().missing:
        # Another language, the same moves: so the same games.
        assert without_time(rows["built"]) == without_time(rows["plain"])
    late = rows["late"].places[1]
    assert late.failed > 0
    assert rows["late"].faults
    assert any("LEAK" in text for text in rows["late"].teacher)
    pack_rows = list(rows.values())
    write_gradebook(pack, pack_rows, GradeFolder(out, pack))
    for row in pack_rows:
        for kind in ("html", "json"):
            text = (out / "students" / f"{row.key}.{kind}").read_text()
            assert "LEAK" not in text
            assert str(seed) not in text
            assert secret not in text
    assert "LEAK" in (out / "index.html").read_text()
    results = json.loads((out / "students" / "plain.json").read_text())
    assert results["score"] == 8
    assert [test["max_score"] for test in results["tests"]] == [10, 50, 3]
    table = list(csv.DictReader(io.StringIO((out / "grades.csv").read_text())))
    assert {line["submission"]: float(line["points"]) for line in table} == {
        name: row.points for name, row in rows.items()
    }
    suites = ElementTree.parse(out / "junit.xml").getroot()
    assert [len(suite.findall("testcase")) for suite in suites] == [3, 3, 3, 3]
    assert SubmissionRow.parse(rows["late"].text) == rows["late"]


def without_time(row: SubmissionRow) -> list[PlaceResult]:
    return [replace(one, seconds=0.0) for one in row.places]


class First:
    def act(self, view: View) -> int:
        return view.hidden[0]


def test_it_goes_on_where_it_was_interrupted(course: str, work: Path, tmp_path: Path) -> None:
    out = tmp_path / "grades"
    shutil.rmtree(work / "built")
    (work / "late.py").unlink()

    def interrupt(done: int, whole: int, row: SubmissionRow | None) -> None:
        if row is not None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grade(work, course, out, watch=interrupt)
    kept = sorted((out / "rows").iterdir())
    assert len(kept) == 1
    graded: list[str] = []

    def note(done: int, whole: int, row: SubmissionRow | None) -> None:
        assert whole == 2
        graded.extend([] if row is None else [row.name])

    rows = grade(work, course, out, watch=note)
    assert len(graded) == 1
    assert graded[0] not in kept[0].name
    assert grade(work, course, out, watch=note) == rows
    assert len(graded) == 1
    # What was handed in anew is graded anew, and only that.
    (work / "broken.py").write_text("x = 1\n")
    again = {row.name: row for row in grade(work, course, out, watch=note)}
    assert graded[1:] == ["broken"]
    assert "SyntaxError" not in again["broken"].note


def test_submissions_have_keys_that_files_can_have(tmp_path: Path) -> None:
    for name in ("a.py", "ä b.py", "=x.py"):
        (tmp_path / name).write_text("")
    (tmp_path / "a").mkdir()
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "readme.txt").write_text("")
    found = class_submissions(tmp_path)
    keys = [one.key for one in found]
    assert len(found) == len(set(keys)) == 4
    assert all(key.isascii() and "/" not in key and " " not in key for key in keys)


def test_what_cannot_be_graded_is_refused(course: str, work: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="lies among the submissions"):
        grade(work, course, work / "grades")
    with pytest.raises(InputError, match="no games to grade"):
        grade(work, "csp", tmp_path / "grades")
    with pytest.raises(InputError, match="no folder"):
        grade(tmp_path / "nowhere", course, tmp_path / "grades")


def test_measures_of_a_row() -> None:
    row = SubmissionRow(
        "a",
        "a",
        "",
        0,
        0,
        places=(
            PlaceResult("A", False, 10, won=9, steps=1, proved=9, wrong=9),
            PlaceResult("A", True, 10, 4, 100, 30, 10, 1, 50, 5, 2.0),
            PlaceResult("B", True, 30, 6, 100, 10, 0, 0, 50, 15, 4.0),
        ),
    )
    assert row.measured(Measure.WINS) == 10 / 40
    assert row.measured(Measure.WINS, "A") == 4 / 10
    assert row.measured(Measure.SOUNDNESS) == 40 / 50
    assert row.measured(Measure.COMPLETENESS) == 80 / 100
    assert row.measured(Measure.FINISHED) == 39 / 40
    assert row.measured(Measure.SECONDS) == 6.0 / 200
    assert row.measured(Measure.TESTS) is None
    failing = replace(row, places=(PlaceResult("A", True, 10, steps=9, failed=6, seconds=0.1),))
    assert failing.measured(Measure.SECONDS) is None
    assert failing.measured(Measure.SOUNDNESS) is None
    assert replace(row, places=row.places[:1]).measured(Measure.WINS) == 9 / 10


def test_names_and_notes_from_outside_stay_text() -> None:
    course = Course.parse(COURSE)
    row = SubmissionRow(
        "=1+1", "k", "", 0, 63, note='<script>alert("x")</script>\x00', said="<b>\n"
    ).pointed(course.rubric)
    page = render(student_page(course, row))
    assert "<script>alert" not in page
    assert "<b>" not in page
    table = list(csv.reader(io.StringIO(grades_csv(course, [row]))))
    assert table[1][0] == "'=1+1"
    suite = ElementTree.fromstring(junit(course, [row]))[0]
    assert suite.get("name") == "=1+1"
    assert json.loads(json.dumps(gradescope(course, row)))["score"] == 0
