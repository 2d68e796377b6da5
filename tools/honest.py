"""Play our own agents under the luck test: python tools/honest.py [--games N] [--agents A,B].

None of them knows more than it is shown, so none should be called so. The games of each agent are
one sequence of risks over several boards, as in one long comparison, and the least p-value that it
ever reached is printed. `--agents` plays some of them, each as many games as if all were played.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator

from mineproof.agents.catalog import AGENTS, make_agent
from mineproof.game.luck import luck_of, parse_risks
from mineproof.game.play import play_recorded
from mineproof.view.setting import Setting

# A board, the rule of its first click, and its share of an agent's games.
SHARES = (
    ("beginner", "safe", 0.40),
    ("5x5/5", "any", 0.30),
    ("hex:7x7/10", "opening", 0.20),
    ("intermediate", "safe", 0.08),
    ("expert", "opening", 0.02),
)


def risks(name: str, games: int, seed: int) -> Iterator[float]:
    """The risks that an agent takes, game by game."""
    for board, first_click, share in SHARES:
        setting = Setting.of(board, {"first_click": first_click})
        agent = make_agent(name)
        for index in range(round(games * share)):
            row, _ = play_recorded(setting, agent, name, seed, index, seed, luck=True)
            yield from parse_risks(row.risks)


def named(text: str) -> tuple[str, ...]:
    """The names of agents, each of which is in the catalog."""
    names = tuple(text.split(","))
    for name in names:
        make_agent(name)
    return names


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=12_000, help="of all agents together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--agents", type=named, default=tuple(AGENTS), help="names, with commas")
    options = parser.parse_args()
    each = -(-options.games // len(AGENTS))
    flagged = 0
    for name in options.agents:
        start = time.process_time()
        found = luck_of(risks(name, each, options.seed))
        flagged += found.implausible
        print(
            f"{name:14} {found.risky:>9,} risks, {found.expected:>11,.1f} mines expected,"
            f" {found.met:>8,} met, least p {found.p_value:.3f}"
            f" ({time.process_time() - start:.0f} CPU s)",
            flush=True,
        )
    print(f"{len(options.agents)} agents, {len(options.agents) * each:,} games: {flagged} flagged")
    return 1 if flagged else 0


if __name__ == "__main__":
    sys.exit(main())
