"""The best move is one that holds up, and its reason says what can be checked."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

import mineproof as mp
from mineproof import kernel
from mineproof.match.game import play
from mineproof.search.endgame import endgame
from mineproof.surfaces.web.advice import best_json
from mineproof.surfaces.web.app import make_app
from mineproof.surfaces.web.limits import CoachLimits
from mineproof.surfaces.web.service import Coach
from mineproof.view import View

needs_core = pytest.mark.skipif(not kernel.available(), reason="swift lives in the core")

UNCERTAIN = "square 4x4 mines=4\n1...\n12..\n....\n...."


@pytest.fixture
def hasty(client: Any) -> Any:
    """A coach that plays out few games for an estimate."""
    coach = Coach(replace(client.coach.limits, win_seconds=0.05))
    coach.workers = client.coach.workers
    return type(client)(make_app(coach), coach)


def late_positions(games: int) -> list[View]:
    """Positions of small games in which nothing is certain, and not only mines are left."""
    found = []
    for seed in range(games):
        game = play("6x6/9", agent="exact", seed=seed, first_click="safe")
        for view in game.views():
            if not view.opened_count or list(view.opened_mines):
                continue
            analysis = mp.analyze(view)
            if analysis.best is not None and 0 < analysis.best.p < 1:
                found.append(view)
    return found


def test_what_is_certain_comes_first() -> None:
    view = View.parse("square 3x3 mines=2\n1..\n12.\n01.")
    analysis = mp.analyze(view)
    best = best_json(analysis, CoachLimits())
    assert best is not None
    assert best["p"] == min(analysis.p[cell] for cell in view.hidden)


@needs_core
def test_a_riskier_cell_comes_with_figures_that_hold() -> None:
    """Whatever the reason says of chances is worked out again here."""
    said = {"next is": 0, "best play": 0, "anyway": 0}
    for view in late_positions(60):
        analysis = mp.analyze(view)
        best = best_json(analysis, CoachLimits())
        least = analysis.best
        assert best is not None
        assert least is not None
        assert best["p"] == analysis.p[best["cell"]]
        if best["p"] == least.p:
            assert "least risk" in best["reason"]
            continue
        reason = best["reason"]
        said.update({key: said[key] + 1 for key in said if key in reason})
        if "best play wins" in reason:
            end = endgame(view)
            here, there = map(float, re.findall(r"([\d.]+) % after", reason))
            assert here == pytest.approx(100 * float(end.cells[best["cell"]]), abs=0.006)
            assert there == pytest.approx(100 * float(end.cells[least.cell]), abs=0.006)
            assert here >= there
    assert sum(said.values()) > 0, said


@needs_core
def test_best_moves_of_the_end_are_best(hasty: Any) -> None:
    """With the chance to win asked for, the move is one that best play would make."""
    seen = 0
    for view in late_positions(3):
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
    view = View.parse(UNCERTAIN)
    analysis = mp.analyze(view)
    monkeypatch.setattr(kernel, "available", lambda: False)
    best = best_json(analysis, CoachLimits())
    assert best is not None
    assert analysis.best is not None
    assert best["cell"] == analysis.best.cell
