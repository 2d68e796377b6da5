"""An agent of your own: a class with one method.

Run it with `python examples/my_agent.py`.
"""

from __future__ import annotations

import mineproof as mp


class LeastRisk:
    """Opens the cell with the lowest estimated risk; flags nothing, proves nothing.

    A clue gives each hidden cell around it the same risk: its number divided by their number. A
    cell has the highest risk that any of its clues gives it. A cell that no clue touches has the
    average risk of the board.
    """

    def act(self, view: mp.View) -> mp.Decision:
        average = (view.total or 0) / view.hidden_count
        risks: dict[int, float] = {}
        for clue, number in view.clues:
            hidden = [cell for cell in view.topology.neighbours(clue) if view.is_hidden(cell)]
            for cell in hidden:
                risks[cell] = max(risks.get(cell, 0.0), number / len(hidden))
        cell = min(view.hidden, key=lambda hidden: risks.get(hidden, average))
        reason = mp.Guessed("least-risk", view.hidden_count, risks.get(cell, average))
        return mp.Decision.open(cell, reason)


def main() -> None:
    games = [mp.play("beginner", agent=LeastRisk(), seed=1, index=index) for index in range(100)]
    won = sum(game.outcome.won for game in games)
    print(f"LeastRisk won {won} of {len(games)} games on beginner, first click safe")


if __name__ == "__main__":
    main()
