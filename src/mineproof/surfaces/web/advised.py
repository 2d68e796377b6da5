"""The best move and the chances to win, as the page gets them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mineproof.advice.advising import advise, chances_to_win, is_promised
from mineproof.inference.engine.analysis import Analysis
from mineproof.search.win import WinChance
from mineproof.view.view import View

__all__ = ["best_json", "win_json"]


def best_json(analysis: Analysis, win: Mapping[str, Any] | None = None) -> dict[str, Any] | None:
    """The best move and why; None where no hidden cell can be safe.

    By the chances to win that `win_json` gave, where there are any.
    """
    promised = is_promised(analysis.view)
    wins = [
        WinChance(
            one["cell"],
            one["chance"],
            one["low"],
            one["high"],
            one["exact"],
            0.0 if promised else analysis.p[one["cell"]],
        )
        for one in (() if win is None else win["cells"])
    ]
    best = advise(analysis, wins=wins)
    if best is None:
        return None
    return {
        "cell": best.cell,
        "p": best.risk,
        "reason": best.text,
        "basis": best.basis.value,
        "ties": len(best.ties),
        "tied": list(best.ties),
        "win": best.win and best.win.text,
    }


def win_json(view: View, seconds: float) -> dict[str, Any] | None:
    """The chance to win by opening each candidate cell, the best first.

    It uses all the time it is given, so it runs in a worker. None if nothing can be opened. Raises
    BudgetExceeded.
    """
    found = chances_to_win(view, seconds=seconds)
    if not found:
        return None
    return {
        "cells": [
            {
                "cell": one.cell,
                "chance": one.chance,
                "low": one.low,
                "high": one.high,
                "exact": one.exact,
                "text": one.text,
            }
            for one in found
        ],
        "method": "endgame" if all(one.exact for one in found) else "rollouts",
    }
