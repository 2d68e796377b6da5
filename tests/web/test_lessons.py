"""Lessons over HTTP: patterns in order, puzzles by level, each with its answer and proofs."""

from __future__ import annotations

from typing import Any

import pytest

import mineproof as mp
from mineproof.generation import shipped_puzzles
from mineproof.generation.patterns import PATTERNS
from mineproof.generation.puzzle_files import shipped_index
from mineproof.view.view import View


def test_the_course_has_every_pattern_and_every_puzzle(client: Any) -> None:
    lessons = client.get("/api/lessons").json
    assert [one["name"] for one in lessons["patterns"]] == list(PATTERNS)
    for one in lessons["patterns"]:
        assert len(one["puzzles"]) == 10
        assert one["explanation"] == PATTERNS[one["name"]].explanation
    names = [name for level in lessons["levels"] for name in level["puzzles"]]
    assert [level["level"] for level in lessons["levels"]] == [1, 2, 3, 4, 5]
    assert len(names) == len(set(names)) == 500
    assert {one["picture"] for one in lessons["patterns"]} <= set(names)


def test_the_shelf_holds_what_is_shipped() -> None:
    shelf = shipped_index()
    shipped = shipped_puzzles("1-2-1")
    marks = [one for one in shelf if one.pattern == "1-2-1"]
    assert [one.name for one in marks] == [one.name for one in shipped]
    assert [shelf.find(one.name) for one in marks] == list(shipped)
    assert shelf.find("nothing") is None
    assert len(shelf) == 500


@pytest.mark.parametrize("pattern", ["B1", "1-2-1", "what if", "last mines"])
def test_a_puzzle_has_its_answer_and_proofs(client: Any, pattern: str) -> None:
    lessons = client.get("/api/lessons").json
    [lesson] = [one for one in lessons["patterns"] if one["name"] == pattern]
    name = lesson["puzzles"][0]
    puzzle = client.get(f"/api/puzzles/{name}").json
    view = View.parse(puzzle["view"]["short"])
    analysis = mp.analyze(view)
    assert puzzle["safe"] == list(analysis.safe)
    assert puzzle["mines"] == list(analysis.mines)
    assert (puzzle["question"], puzzle["best"], puzzle["choices"]) == ("certain", [], [])
    assert puzzle["pattern"] == pattern
    for kind in ("safe", "mines"):
        for cell in puzzle[kind]:
            told = client.get(f"/api/puzzles/{name}/explain?cell={cell}").json
            assert (told["cell"], told["certain"]) == (cell, "safe" if kind == "safe" else "mine")
            assert set(told["premises"]) <= set(puzzle["premises"])
            assert told["steps"]


def test_other_cells_have_two_layouts(client: Any) -> None:
    lessons = client.get("/api/lessons").json
    for name in lessons["levels"][3]["puzzles"]:
        puzzle = client.get(f"/api/puzzles/{name}").json
        certain = {*puzzle["safe"], *puzzle["mines"]}
        open_ones = [c for c, s in enumerate(puzzle["view"]["shown"]) if s is None]
        doubtful = [cell for cell in open_ones if cell not in certain]
        if certain and doubtful:
            told = client.get(f"/api/puzzles/{name}/explain?cell={doubtful[0]}").json
            assert told["certain"] is None
            assert len(told["witnesses"]) == 2
            return
    raise AssertionError("no such puzzle")


def test_a_guess_has_every_choice(client: Any) -> None:
    lessons = client.get("/api/lessons").json
    name = lessons["patterns"][-1]["puzzles"][0]
    puzzle = client.get(f"/api/puzzles/{name}").json
    assert puzzle["question"] == "guess"
    assert puzzle["safe"] == puzzle["mines"] == []
    wins = [one["win"] for one in puzzle["choices"]]
    assert wins == sorted(wins, reverse=True)
    assert puzzle["choices"][0]["cell"] in puzzle["best"]


@pytest.mark.parametrize("name", ["x", "..%2F..%2Fetc", "0" * 12, "%00", "a" * 500])
def test_unknown_puzzles_are_refused(client: Any, name: str) -> None:
    assert client.get(f"/api/puzzles/{name}").status == 404
    assert client.get(f"/api/puzzles/{name}/explain?cell=0").status == 404


def test_cells_off_a_puzzle_are_refused(client: Any) -> None:
    name = next(iter(shipped_index())).name
    assert client.get(f"/api/puzzles/{name}/explain?cell=99999").code == "malformed"
    assert client.get(f"/api/puzzles/{name}/explain").code == "malformed"
