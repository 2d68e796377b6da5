"""The games that docs/reports.md names for the rows of the reports."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = re.findall(
    r"^\| (\d\.\d+) \| .+? \| (.+?) \|",
    (ROOT / "docs" / "reports.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)
GAMES = [
    pytest.param(line, id=f"{row}-{number}")
    for row, how in ROWS
    for number, line in enumerate(re.findall(r"`mineproof (play [^`]*)`", how))
]
WRITES = ("--knowledge", "--svg", "--html")


@pytest.mark.parametrize("line", GAMES)
def test_a_row_shows_a_game_and_not_a_mine_at_its_first_cell(line, command, monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    words = shlex.split(line)
    for before, name in enumerate(words[:-1]):
        if name in WRITES:
            words[before + 1] = str(tmp_path / words[before + 1])
    ran = command(*(word for word in words if word not in ("--step", "--boards")), "--no-live")
    assert ran.status == 0
    steps = re.search(r"; (\d+) steps?, ", ran.out)
    assert steps is not None
    assert int(steps[1]) >= 5
