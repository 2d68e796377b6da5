"""The luck test: does an agent meet fewer mines than the risks it took?

Every opened cell has an exact risk p, the chance of a mine given all that was shown. For whoever
knows no more than that, the mines met are as many as chance has it. So for a tilt t below 1, the
product over all opened cells of

    t / (1 - p + p t)   where a mine was met,     1 / (1 - p + p t)   where none was,

is a martingale of mean 1, and so is its average over several tilts. By Ville's inequality it ever
exceeds 1/a with a chance of at most a, whatever the agent does and whenever one stops. The p-value
is one divided by the most that it reached.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mineproof.agents.agent import Decision, cells_to_open, first_click_is_safe
from mineproof.board.layout import Layout
from mineproof.engine.analysis import Analysis, Budget
from mineproof.engine.exact import analyze, chance_of_any_mine
from mineproof.errors import BudgetExceeded
from mineproof.rules import Mines
from mineproof.view.setting import Setting
from mineproof.view.view import View

IMPLAUSIBLE = 1e-6
"""A p-value below this is reported. An honest agent has one with at most this chance."""
TILTS = (0.0, 0.125, 0.25, 0.5, 0.75)
_BUDGET = Budget(states=2_000_000)
"""A position that takes more work counts as if nothing had been risked."""


@dataclass(frozen=True)
class LuckTest:
    """The risks of an agent's opened cells, the mines it met, and how likely so few are.

    >>> luck_of([0.5] * 30).p_value < 1e-6
    True
    >>> luck_of([0.5, -0.5] * 15).p_value > 0.1
    True
    """

    risky: int = 0
    expected: float = 0.0
    met: int = 0
    p_value: float = 1.0

    @property
    def implausible(self) -> bool:
        """Whether the agent knows more than it was shown, as far as chance can tell."""
        return self.p_value < IMPLAUSIBLE

    @property
    def text(self) -> str:
        """What it says, in a sentence."""
        return (
            f"knows more than it was shown: it met {self.met} mines where its {self.risky} risky"
            f" cells held {self.expected:.1f} on average (p = {self.p_value:.1g}; an honest agent"
            f" is called so with a chance below {IMPLAUSIBLE:g})"
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "risky": self.risky,
            "expected_mines": self.expected,
            "met_mines": self.met,
            "p_value": self.p_value,
            "implausible": self.implausible,
        }


def luck_of(risks: Iterable[float]) -> LuckTest:
    """The luck test of risks in the order they were taken, negative where a mine was met."""
    taken = list(risks)
    most = max(evidence(taken), default=0.0)
    return LuckTest(
        len(taken), sum(map(abs, taken)), sum(risk < 0 for risk in taken), math.exp(-max(most, 0.0))
    )


def evidence(risks: Iterable[float]) -> Iterator[float]:
    """The logarithm of the martingale after each risk: of its average over the tilts."""
    logs = [0.0] * len(TILTS)
    for risk in risks:
        chance, mine = abs(risk), risk < 0
        if chance < 1:  # from what was certain, nothing is learned
            for place, tilt in enumerate(TILTS):
                logs[place] -= math.log1p(chance * (tilt - 1))
                if mine:
                    logs[place] += math.log(tilt) if tilt else -math.inf
        top = max(logs)
        yield top + math.log(sum(math.exp(log - top) for log in logs) / len(logs))


def risks_text(risks: Iterable[float]) -> str:
    """Risks as a row holds them: `0.25 -0.5`."""
    return " ".join(f"{risk:.9g}" for risk in risks)


def parse_risks(text: str | None) -> list[float]:
    """The risks of a row; none where it holds none. Raises ValueError."""
    return [float(word) for word in text.split()] if text else []


def risks_of(
    setting: Setting,
    seen: Sequence[tuple[View, Decision]],
    layout: Layout | None,
    budget: Budget = _BUDGET,
) -> list[float]:
    """The risks of a game's moves, negative where a mine was met; certain ones are left out.

    `seen` are its moves, each with the view it was made on. Of a layout that is not dealt, but
    given, nothing is at risk.
    """
    if setting.layout is not None or layout is None:
        return []
    found: list[float] = []
    safe: set[int] = set()
    for view, decision in seen:
        cells = [cell for cell in cells_to_open(view, decision) if cell not in safe]
        if not cells or first_click_is_safe(view):
            continue
        # How many mines there are is the same for every layout that this one was dealt among.
        told = replace(view.rules, mines=Mines.number(layout.total), total_known=True)
        try:
            analysis = analyze(view.with_rules(told), budget=budget)
            risk = _risk(analysis, cells, budget)
        except BudgetExceeded:
            continue
        safe.update(analysis.safe)
        if risk > 0:
            found.append(-risk if any(map(layout.is_mine, cells)) else risk)
    return found


def _risk(analysis: Analysis, cells: Sequence[int], budget: Budget) -> float:
    return analysis.p[cells[0]] if len(cells) == 1 else chance_of_any_mine(analysis, cells, budget)
