"""`mineproof solve --sentence`: within 80 columns, as JSON, and what does not go with it."""

from __future__ import annotations

import json

import pytest

POSITION = "examples/position.txt"


def test_it_fits_and_breaks_between_possibilities(command, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    ran = command("solve", POSITION, "--sentence")
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert lines[0] == "the 1 at 2,0: (M[1,0] & ~M[1,1]) | (~M[1,0] & M[1,1])"
    assert lines[-1] == "the total of 10: exactly 10 of the 26 hidden cells"
    assert max(map(len, lines)) <= 80
    assert all(line.count("(") == line.count(")") for line in lines)


def test_json(command) -> None:
    found = json.loads(command("solve", POSITION, "--sentence", "--json").out)["sentence"]
    assert found[0] == {
        "premise": "the 1 at 2,0",
        "clue": [2, 0],
        "formula": "(M[1,0] & ~M[1,1]) | (~M[1,0] & M[1,1])",
    }
    assert found[-1]["clue"] is None


def test_dimacs_goes_with_it(command, tmp_path) -> None:
    path = tmp_path / "x.cnf"
    assert command("solve", POSITION, "--sentence", "--dimacs", str(path)).status == 0
    assert "p cnf" in path.read_text()


@pytest.mark.parametrize("option", ["--heat", "--table", "--win"])
def test_what_does_not_go_with_it(command, option: str) -> None:
    ran = command("solve", POSITION, "--sentence", option)
    assert ran.status == 2
    assert f"accepted: without {option}" in ran.err
