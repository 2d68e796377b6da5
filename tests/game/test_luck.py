"""The luck test: a martingale for whoever knows only the view, and against whoever knows more."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import pytest

from mineproof.agents.agent import Agent, Decision
from mineproof.agents.catalog import AGENTS, make_agent
from mineproof.board.layout import Layout
from mineproof.game.luck import (
    IMPLAUSIBLE,
    LuckTest,
    evidence,
    luck_of,
    parse_risks,
    risks_of,
    risks_text,
)
from mineproof.game.play import play_recorded
from mineproof.game.referee import Referee
from mineproof.rng import Purpose, Stream
from mineproof.view.setting import Setting
from mineproof.view.view import View


class First:
    """Opens the first cell, whatever is shown."""

    def act(self, view: View) -> int:
        return next(cell for cell in view.hidden if not view.is_flagged(cell))


class Last:
    """Opens the last cell, and chords where it can."""

    def act(self, view: View) -> Decision:
        for cell, clue in view.clues:
            near = [near for near in view.topology.neighbours(cell) if view.is_hidden(near)]
            if clue == 0 and near:
                return Decision.chord(cell)
        return Decision.open(view.hidden[-1])


class Told:
    """A cheat that is handed the mines."""

    def __init__(self, layouts: Callable[[], Layout | None]) -> None:
        self._layouts = layouts

    def act(self, view: View) -> int:
        layout = self._layouts()
        if layout is None:
            return len(view) // 2
        return next(cell for cell in view.hidden if not layout.is_mine(cell))


def seen_on(layout: Layout, agent: Agent, rules: dict[str, Any]) -> list[tuple[View, Decision]]:
    """The moves of an agent on known mines."""
    referee = Referee(layout, rules=rules)
    rng = Stream(1, 0, Purpose.AGENT)
    if hasattr(agent, "begin"):
        agent.begin(referee.view, rng)
    seen = []
    while not referee.over:
        answer = agent.act(referee.view)
        decision = answer if isinstance(answer, Decision) else Decision.open(answer)
        seen.append((referee.view, decision))
        referee.apply(decision)
    return seen


@pytest.mark.parametrize("agent", [First, Last, "random", "single-point", "exact"])
@pytest.mark.parametrize(
    ("board", "mines", "rules"),
    [
        ("2x3", 2, {"first_click": "any"}),
        ("3x3", 3, {"first_click": "any", "cascade": "off"}),
        ("2x4", 3, {"first_click": "any", "on_mine": "continue"}),
        ("hex:3x3", 2, {"first_click": "any", "total": "unknown"}),
    ],
)
def test_over_all_layouts_the_evidence_is_one_on_average(
    agent: Any, board: str, mines: int, rules: dict[str, Any]
) -> None:
    setting = Setting.of(f"{board}/{mines}", rules)
    topology = setting.board.topology
    if rules.get("total") == "unknown" and agent == "exact":
        agent = "single-point"
    total, layouts = 0.0, 0
    for places in itertools.combinations(topology.cells, mines):
        layout = Layout.of(topology, places)
        player = make_agent(agent) if isinstance(agent, str) else agent()
        risks = risks_of(setting, seen_on(layout, player, rules), layout)
        logs = list(evidence(risks)) or [0.0]
        total += math.exp(logs[-1])
        layouts += 1
    assert layouts == math.comb(len(topology), mines)
    assert total == pytest.approx(layouts, rel=1e-9)


@pytest.mark.parametrize("rule", ["safe", "opening"])
def test_a_first_click_that_the_rules_make_safe_is_no_risk(rule: str) -> None:
    setting = Setting.of("9x9/10", {"first_click": rule})
    row, game = play_recorded(setting, First(), "first", 3, 0, 3, luck=True)
    whole = Setting.of("9x9/10", {"first_click": "any"})
    other, _ = play_recorded(whole, First(), "first", 3, 0, 3, luck=True)
    assert len(game.steps) > 1
    assert len(parse_risks(row.risks)) < len(game.steps)
    assert abs(parse_risks(other.risks)[0]) == pytest.approx(10 / 81)


def test_given_mines_are_no_deal() -> None:
    layout = Layout.of("3x3", [(0, 0)])
    seen = seen_on(layout, Last(), {})
    assert risks_of(Setting.of(layout), seen, layout) == []


def test_what_is_too_costly_counts_as_nothing() -> None:
    from mineproof.engine.analysis import Budget

    setting = Setting.of("4x4/4", {"first_click": "any"})
    layout = Layout.of("4x4", [(0, 1), (1, 1), (2, 2), (3, 3)])
    seen = seen_on(layout, Last(), {"first_click": "any"})
    assert risks_of(setting, seen, layout)
    assert len(risks_of(setting, seen, layout, Budget(states=1))) <= 1


def test_a_cheat_is_caught_in_20_expert_games() -> None:
    risks: list[float] = []
    setting = Setting.of("expert")
    for index in range(20):
        referees: list[Referee] = []
        cheat = Told(lambda: referees[0]._layout if referees else None)  # noqa: B023

        class Sees:
            def act(self, view: View) -> int:
                import sys

                frame = sys._getframe()
                while "referee" not in frame.f_locals:
                    assert frame.f_back is not None
                    frame = frame.f_back
                referees[:] = [frame.f_locals["referee"]]  # noqa: B023
                return cheat.act(view)  # noqa: B023

        row, _ = play_recorded(setting, Sees(), "cheat", 1, index, 1, luck=True)
        assert row.won
        risks += parse_risks(row.risks)
    luck = luck_of(risks)
    assert luck.met == 0
    assert luck.implausible
    assert "knows more than it was shown" in luck.text
    # Half of what it knows is enough to be caught, too.
    assert luck_of(risks[: len(risks) // 4]).p_value < IMPLAUSIBLE


@pytest.mark.parametrize("rules", [{}, {"clues": "noisy:0.1"}, {"on_mine": "continue"}], ids=str)
@pytest.mark.parametrize("name", ["random", "single-point", "exact"])
def test_our_own_agents_are_as_lucky_as_chance_has_it(name: str, rules: dict[str, Any]) -> None:
    if rules.get("clues") and name == "single-point":
        name = "naive"
    assert name in AGENTS
    setting = Setting.of("7x7/10", rules)
    risks: list[float] = []
    for index in range(40):
        row, _ = play_recorded(setting, make_agent(name), name, 5, index, 5, luck=True)
        risks += parse_risks(row.risks)
    luck = luck_of(risks)
    assert luck.risky > 40
    assert luck.p_value > 0.001
    # A sum of independent risks strays five deviations from its mean with a chance below 1e-5.
    spread = math.sqrt(sum(abs(risk) * (1 - abs(risk)) for risk in risks))
    assert abs(luck.met - luck.expected) < 5 * spread


def test_nothing_at_risk_says_nothing() -> None:
    assert luck_of([]) == LuckTest() == luck_of(parse_risks(None))
    assert luck_of([-1.0, -1.0]).p_value == 1.0
    assert luck_of([-0.5] * 100).p_value == 1.0


def test_risks_survive_their_text() -> None:
    risks = [0.25, -0.5, 1 / 3, -1.0]
    assert parse_risks(risks_text(risks)) == pytest.approx(risks)
    assert parse_risks("") == []
