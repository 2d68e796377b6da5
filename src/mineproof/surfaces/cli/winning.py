"""How `solve --win` shows the chances to win."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from mineproof.board.topology import Topology
    from mineproof.inference.engine.analysis import Analysis
    from mineproof.search.win import WinChance

__all__ = ["print_best_win", "print_win", "win_json"]


def win_json(topology: Topology, wins: list[WinChance]) -> list[dict[str, object]]:
    """The chances to win as the key "win" of `solve --json` has them, the best first."""
    return [
        {
            "cell": list(topology.coordinates(win.cell)),
            "chance": win.chance,
            "low": win.low,
            "high": win.high,
            "exact": win.exact,
        }
        for win in wins
    ]


def print_win(console: Console, topology: Topology, wins: list[WinChance], rows: int) -> None:
    from mineproof.proofs.drawing import percent

    width = max([4, *(len(topology.cell_name(win.cell)) for win in wins[:rows])])
    console.print(f"{'cell':<{width}}  {'risk':>8}  chance to win", style="bold")
    for win in wins[:rows]:
        told = "exact" if win.exact else f"{percent(win.low)} to {percent(win.high)}"
        risk = {0.0: "safe", 1.0: "mine"}.get(win.risk, percent(win.risk))
        name = topology.cell_name(win.cell)
        console.print(
            f"{name:<{width}}  {risk:>8}  {percent(win.chance):>8}, {told}", soft_wrap=True
        )
    if len(wins) > rows:
        console.print(f"and {len(wins) - rows} more cells; --all lists them")


def print_best_win(console: Console, analysis: Analysis, wins: list[WinChance]) -> None:
    """The cell to open to win, and whether the least risky one is as good."""
    from mineproof.proofs.drawing import percent

    topology, best = analysis.view.topology, wins[0]
    line = f"to win: {topology.cell_name(best.cell)}, {percent(best.chance)}"
    least = analysis.best
    rival = next((win for win in wins if least is not None and win.cell == least.cell), None)
    if rival is not None and rival.chance < best.chance:
        name = topology.cell_name(rival.cell)
        line += f"; the least risk, {name}, wins {percent(rival.chance)}"
    how = "best play" if best.exact else "estimated from games played out"
    console.print(f"{line} ({how})", soft_wrap=True)
