"""The same position has the same best move wherever one asks: Python, `solve`, its JSON, the coach.

And the same game has the same review: Python, `review --json`, the coach.
"""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.percentages import percent
from mineproof.surfaces.cli.main import run
from mineproof.view import View
from tests.advice.positions import RISK_OR_WIN, UNCERTAIN, guesses
from tests.core import needs_core

POSITIONS = [
    RISK_OR_WIN,
    UNCERTAIN,
    "square 3x3 mines=2\n1..\n12.\n01.",
    "square 9x9 mines=10\n" + 9 * ".........\n",
    "square 9x9 mines=10 first-click=opening\n" + 9 * ".........\n",
    "square 9x9 mines=10 first-click=any\n" + 9 * ".........\n",
    "square 4x4 mines=unknown density=0.2\n1...\n....\n....\n....\n",
    "square 4x4 mines=3 clues=optimistic\n1...\n....\n....\n....\n",
    "square 4x4 mines=3 on-mine=continue\n1*..\n....\n....\n....\n",
    "hex 4x4 mines=4\n1...\n....\n..2.\n....\n",
    "square 1x2 mines=2\n..",
]


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert run(arguments) == 0
    return capsys.readouterr().out


def ask(
    view: View, client: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> tuple[Any, Any, str]:
    """What `solve --json`, the coach and `solve` call best."""
    file = tmp_path / "position.txt"
    file.write_text(view.text)
    told = json.loads(printed(capsys, "solve", str(file), "--json"))["best"]
    coach = client.post("/api/positions/analysis", text=view.text).json["best"]
    return told, coach, printed(capsys, "solve", str(file), "--table")


@pytest.mark.parametrize("text", POSITIONS)
def test_best_is_the_same_everywhere(
    text: str, client: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    view = View.parse(text)
    told, coach, said = ask(view, client, capsys, tmp_path)
    best = mp.advise(view)
    if best is None:
        assert told is coach is None
        assert "best move: none" in said
        return
    name = view.topology.cell_name(best.cell)
    assert told["cell"] == list(view.topology.coordinates(best.cell))
    assert coach["cell"] == best.cell
    assert told["p"] == coach["p"] == best.risk
    assert told["reason"] == coach["reason"] == best.text
    assert told["basis"] == coach["basis"] == best.basis.value
    assert len(told["ties"]) == coach["ties"] == len(best.ties)
    risk = "safe" if best.risk == 0 else f"{percent(best.risk)} mine"
    assert f"best move: {name}, {risk}" in said
    assert best.text in " ".join(said.split())


@needs_core
def test_positions_of_games_too(
    client: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for analysis in islice(guesses("7x7/9", 6), 10):
        told, coach, _ = ask(analysis.view, client, capsys, tmp_path)
        assert (told["p"], told["reason"]) == (coach["p"], coach["reason"])


@needs_core
@pytest.mark.parametrize("text", POSITIONS[:4])
def test_with_the_chance_to_win_no_cell_is_listed_clearly_above_the_best(
    text: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "position.txt"
    file.write_text(text)
    told = json.loads(printed(capsys, "solve", str(file), "--win", "--samples", "30", "--json"))
    best, wins = told["best"], told["win"]
    assert best["win"] is not None
    assert all(best["win"]["high"] >= win["low"] for win in wins)
    listed = {tuple(win["cell"]): win for win in wins}
    own = listed[tuple(best["cell"])]
    assert best["win"] == {key: own[key] for key in ("chance", "low", "high", "exact")}


@pytest.mark.parametrize("seed", [1, 4])
def test_reviews_are_the_same_everywhere(
    seed: int, client: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    game = mp.play("7x7/9", agent="single-point", seed=seed)
    file = tmp_path / "game.txt"
    file.write_text(game.text)
    told = json.loads(printed(capsys, "review", str(file), "--json"))
    path, _ = client.new("7x7/9", seed=seed)
    for step in game.steps:
        what, cell = step.decision.action.value, step.decision.cell
        assert client.post(f"{path}/{what}", cell=cell).status == 200
    coach = client.get(f"{path}/review").json
    assert (told["lost"], told["blunders"]) == (coach["lost"], coach["blunders"])
    assert (told["luck"], told["guesses"]) == (coach["luck"], coach["guesses"])
    same = ("n", "action", "risk", "best_risk", "lost", "measure", "kind", "certain", "text")
    for here, there in zip(told["moves"], coach["moves"], strict=True):
        assert [here[key] for key in same] == [there[key] for key in same]
        assert game.topology.cell(tuple(here["cell"])) == there["cell"]
