"""How `solve` shows the best move, and with `--win` the chances to win."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from mineproof.advice.advice import Advice
    from mineproof.board.topology import Topology
    from mineproof.search.win import WinChance

__all__ = ["best_json", "print_best", "print_win", "win_json"]


def win_json(topology: Topology, wins: list[WinChance]) -> list[dict[str, object]]:
    """The chances to win as the key "win" of `solve --json` has them, the best first."""
    return [{"cell": list(topology.coordinates(win.cell)), **_chance_json(win)} for win in wins]


def _chance_json(win: WinChance) -> dict[str, object]:
    return {"chance": win.chance, "low": win.low, "high": win.high, "exact": win.exact}


def best_json(topology: Topology, best: Advice | None) -> dict[str, object] | None:
    """The best move as the key "best" of `solve --json` has it."""
    if best is None:
        return None
    return {
        "cell": list(topology.coordinates(best.cell)),
        "p": best.risk,
        "reason": best.text,
        "basis": best.basis.value,
        "win": best.win and _chance_json(best.win),
        "measure": best.measure.value,
        "ties": [list(topology.coordinates(cell)) for cell in best.ties],
        "alternatives": [
            {
                "cell": list(topology.coordinates(one.cell)),
                "p": one.risk,
                "win": one.win and _chance_json(one.win),
                "lost": one.lost,
            }
            for one in best.alternatives
        ],
    }


def print_win(console: Console, topology: Topology, wins: list[WinChance], rows: int) -> None:
    from mineproof.percentages import percent

    width = max([4, *(len(topology.cell_name(win.cell)) for win in wins[:rows])])
    console.print(f"{'cell':<{width}}  {'risk':>8}  chance to win", style="bold")
    for win in wins[:rows]:
        told = "exact" if win.exact else "estimated"
        risk = {0.0: "safe", 1.0: "mine"}.get(win.risk, percent(win.risk))
        name = topology.cell_name(win.cell)
        console.print(f"{name:<{width}}  {risk:>8}  {win.text:>12}, {told}", soft_wrap=True)
    if len(wins) > rows:
        console.print(f"and {len(wins) - rows} more cells; --all lists them")


def print_best(console: Console, topology: Topology, best: Advice | None) -> None:
    """The best move, and under it why."""
    from mineproof.percentages import percent
    from mineproof.surfaces.cli.console import print_sentences

    if best is None:
        console.print("best move: none, no hidden cell can be safe")
        return
    line = f"best move: {topology.cell_name(best.cell)}"
    line += ", safe" if best.risk == 0.0 else f", {percent(best.risk)} mine"
    if best.win is not None:
        line += f", wins {best.win.text}"
    console.print(line, soft_wrap=True)
    print_sentences(console, best.text)
