"""Play one game, read why every step was made, and replay it.

Run it with `python examples/play_a_game.py`.
"""

from __future__ import annotations

import mineproof as mp


def main() -> None:
    game = mp.play("hex:7x7/10", agent="single-point", seed=3, first_click="opening")
    proved = sum(isinstance(step.decision.reason, mp.Proved) for step in game.steps)
    print(f"{game.outcome.text} after {len(game.steps)} steps, {proved} of them proved")

    again = mp.Transcript.parse(game.text)
    assert again == game
    *_, last = again.views()
    print(last)


if __name__ == "__main__":
    main()
