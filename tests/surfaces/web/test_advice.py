"""The best move is one that holds up, and its reason says what can be checked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import mineproof as mp
from mineproof import kernel
from mineproof.search.endgame import endgame
from mineproof.surfaces.web.advised import best_json
from mineproof.surfaces.web.app import make_app
from mineproof.surfaces.web.service import Coach
from mineproof.view import View
from tests.advice.positions import guesses
from tests.core import needs_core

UNCERTAIN = "square 4x4 mines=4\n1...\n12..\n....\n...."
EARLY = "square 9x9 mines=10\n1........\n" + 8 * ".........\n"
CERTAIN = "square 3x3 mines=2\n1..\n12.\n01."


@pytest.fixture
def hasty(client: Any) -> Any:
    """A coach that plays out few games for an estimate."""
    coach = Coach(replace(client.coach.limits, win_seconds=0.05))
    coach.workers = client.coach.workers
    return type(client)(make_app(coach), coach)


@needs_core
@pytest.mark.parametrize("text", [UNCERTAIN, EARLY, CERTAIN])
def test_the_best_move_is_that_of_advise(client: Any, text: str) -> None:
    best, answer = mp.advise(View.parse(text)), client.post("/api/positions/analysis", text=text)
    assert best is not None
    assert answer.json["best"] == {
        "cell": best.cell,
        "p": best.risk,
        "reason": best.text,
        "basis": best.basis.value,
        "ties": len(best.ties),
        "tied": list(best.ties),
        "win": best.win and best.win.text,
    }


@needs_core
def test_best_moves_of_the_end_are_best(hasty: Any) -> None:
    """With the chance to win asked for, the move is one that best play would make."""
    seen = 0
    for analysis in guesses("6x6/9", 3):
        view = analysis.view
        answer = hasty.post("/api/positions/analysis", text=view.text, win=True).json
        if answer["win"]["method"] != "endgame":
            continue
        seen += 1
        end = endgame(view)
        assert answer["best"]["cell"] in end.best
        listed = {one["cell"]: one for one in answer["win"]["cells"]}
        for cell, one in listed.items():
            assert one["chance"] == one["low"] == one["high"] == float(end.cells[cell])
        ordered = [one["chance"] for one in answer["win"]["cells"]]
        assert ordered == sorted(ordered, reverse=True)
    assert seen


@needs_core
def test_estimates_come_with_intervals(hasty: Any) -> None:
    client = hasty
    path, _ = client.new("16x16/40", seed=1)
    client.post(f"{path}/open", cell=0)
    answer = client.get(f"{path}/analysis?win=1").json
    assert answer["note"] is None
    for one in answer["win"]["cells"]:
        assert one["low"] <= one["chance"] <= one["high"]
    assert client.get(f"{path}/analysis?win=0").json["win"] is None


def test_rules_without_a_chance_to_win_say_so(client: Any) -> None:
    text = "square 3x3 mines=2 clues=noisy:0.1\n1..\n12.\n01."
    answer = client.post("/api/positions/analysis", text=text, win=True).json
    assert answer["win"] is None
    assert ("exact clues" if kernel.available() else "compiled core") in answer["note"]
    assert answer["best"] is not None


def test_without_the_core_the_least_risk_is_best(monkeypatch: pytest.MonkeyPatch) -> None:
    analysis = mp.analyze(View.parse(EARLY))
    monkeypatch.setattr(kernel, "available", lambda: False)
    best = best_json(analysis)
    assert best is not None
    assert analysis.least_risk is not None
    assert best["cell"] == analysis.least_risk.cell
