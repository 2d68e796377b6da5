"""One position of a game, labelled exactly: what a data set of positions is made of.

Every game gives one position, drawn uniformly from those in which its agent had to move after the
first cell, so that the rows of a data set are independent of each other.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mineproof.advice.advising import advise
from mineproof.advice.looking_ahead import known_end, obstacle
from mineproof.agents.agent import Agent
from mineproof.agents.decision import Decision
from mineproof.inference.engine.analysis import Analysis
from mineproof.inference.engine.exact import analyze
from mineproof.match.game import play_game
from mineproof.match.isolation import IsolatedAgent
from mineproof.match.referee import Referee
from mineproof.rng import Purpose, Stream
from mineproof.search.win import WinChance, win_chance
from mineproof.view.setting import Setting
from mineproof.view.view import View

__all__ = ["record_position"]

_SAFE, _MINE = 1, 2


def record_position(
    setting: Setting,
    agent: Agent,
    name: str,
    seed: int,
    index: int,
    agent_seed: int,
    samples: int = 0,
) -> dict[str, Any]:
    """The row of one game: a position of it, what is certain there, the best move and its worth.

    `samples` games are played out for the worth where it is not known exactly; with 0 it is NaN
    there. Raises BudgetExceeded where the position is too wide to count.
    """
    if isinstance(agent, IsolatedAgent):
        agent.prepare()
    views: list[View] = []
    cells: list[int] = []

    def watch(referee: Referee, decision: Decision | None) -> None:
        if decision is not None:
            cells.append(-1 if decision.cell is None else decision.cell)
        views.append(referee.view)

    game = play_game(setting, agent, name, seed, index, agent_seed, watch)
    moves = [move for move in range(len(cells)) if views[move].opened_count]
    chosen = Stream(seed, index, Purpose.SAMPLE).choice(moves or [0])
    view = views[chosen]
    analysis = analyze(view)
    chances = analysis.p.array
    hidden = np.zeros(len(view), dtype=np.bool_)
    hidden[list(view.hidden)] = True
    certain = _SAFE * (hidden & (chances == 0.0)) + _MINE * (hidden & (chances == 1.0))
    wins = _wins(analysis, samples, seed)
    advice = advise(analysis, wins=wins)
    win = None if advice is None else advice.win
    return {
        "agent": name,
        "index": index,
        "move": chosen,
        "moves": len(cells),
        "mines": -1 if view.total is None else view.total,
        "codes": view.codes().tolist(),
        "chances": chances.astype(np.float32).tolist(),
        "certain": certain.tolist(),
        "played": cells[chosen] if cells else -1,
        "best": -1 if advice is None else advice.cell,
        "risk": math.nan if advice is None else advice.risk,
        "basis": "" if advice is None else advice.basis.value,
        "worth": math.nan if win is None else win.chance,
        "won": game.outcome.won,
    }


def _wins(analysis: Analysis, samples: int, seed: int) -> list[WinChance]:
    """The chances to win that are known, or played out; none where neither can be."""
    if obstacle(analysis.view) is not None:
        return []
    end = known_end(analysis)
    if end is not None or not samples:
        return end or []
    return win_chance(analysis.view, samples=samples, seed=seed)
