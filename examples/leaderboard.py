"""How often agents win, with 95 % intervals: the figures of the README.

Run it with `python examples/leaderboard.py 1000 random single-point`. Every agent plays the same
deals: game `index` of seed 1, first click safe, total known.
"""

from __future__ import annotations

import sys
from math import sqrt

import mineproof as mp

BOARDS = ("beginner", "intermediate", "expert")


def wilson(won: int, games: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson, 1927)."""
    z = 1.959964
    centre = (won + z * z / 2) / (games + z * z)
    spread = z / (games + z * z) * sqrt(won * (games - won) / games + z * z / 4)
    return max(0.0, centre - spread), min(1.0, centre + spread)


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    agents = sys.argv[2:] or ["random", "single-point"]
    print(f"| agent | {' | '.join(BOARDS)} |")
    print("|---|" + "---|" * len(BOARDS))
    for agent in agents:
        cells = []
        for board in BOARDS:
            won = sum(
                mp.play(board, agent=agent, seed=1, index=index).outcome.won
                for index in range(games)
            )
            low, high = wilson(won, games)
            cells.append(f"{won / games:.2%} ({low:.2%} to {high:.2%})")
        print(f"| `{agent}` | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
