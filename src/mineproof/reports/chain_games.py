"""Games with their chains of influence, in chunks that a second run takes from the folder.

Every game is named by (seed, index) as in an experiment, so two agents play the same deals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof.chains import ChainRow, measure
from mineproof.reports.precision import for_correlation, for_difference, for_share
from mineproof.reports.workshop import Workshop

__all__ = [
    "LITTLE",
    "PLAYERS",
    "QUICK_GAMES",
    "QUICK_GAMES_ON",
    "QUICK_GAMES_PAIRED",
    "RULES",
    "ChainGames",
    "chain_games",
]

ChainGames: TypeAlias = Mapping[str, NDArray[Any]]
"""A column for each field of `ChainRow`, in order of the games."""

PLAYERS: Mapping[str, str] = {
    "exact": "exact",
    "all at once": "exact[at-once]",
    "short chains at ties": "exact+short-chains-at-ties",
    "short chains": "exact+short-chains",
}
"""Agents by the name they have in tables."""
RULES = {"first_click": "safe", "given": "0,0"}
QUICK_GAMES = for_share(0.1)
"""Games of a point of a curve: the share of them that is won is then known to 10 points."""
LITTLE = 0.03
"""A difference of win rates below this counts as none."""
QUICK_GAMES_PAIRED = for_difference(LITTLE, 0.22)
"""Games of each of two players to find such a difference; 5 % of them only one of the two wins."""
QUICK_GAMES_ON = for_correlation(0.11) // 3
"""Games of each of three levels whose common rank correlation tells a weak tendency from none."""
_CHUNK = 100
_COLUMNS = tuple(ChainRow.__dataclass_fields__)


def chain_games(
    workshop: Workshop, board: str, games: int, player: str = "exact", **rules: str
) -> ChainGames:
    """The chains of games on a board, from index 0 on; `rules` are added to `RULES`."""
    words = {**RULES, **rules}
    parts: list[dict[str, list[Any]]] = []
    for first in range(0, games, _CHUNK):
        number = min(_CHUNK, games - first)
        asked = {
            "board": board,
            "player": player,
            "first": first,
            "games": number,
            "seed": workshop.seed,
            **words,
        }

        def work(first: int = first, number: int = number) -> dict[str, list[Any]]:
            rows = measure(board, PLAYERS[player], number, workshop.seed, first=first, **words)
            return _columns(rows)

        parts.append(workshop.measure("001-chains", asked, work))
    return {name: np.array([value for part in parts for value in part[name]]) for name in _COLUMNS}


def _columns(rows: Iterable[ChainRow]) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {name: [] for name in _COLUMNS}
    for row in rows:
        for name, values in columns.items():
            values.append(getattr(row, name))
    return columns
