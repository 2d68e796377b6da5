"""The chance of each true count where clues are unreliable: for `solve`, as JSON and as a table."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console

from mineproof.inference.engine.analysis import Analysis
from mineproof.percentages import percent
from mineproof.view.channels import EXACT
from mineproof.view.marks import Mark

__all__ = ["beliefs_json", "print_beliefs"]


def beliefs_json(analysis: Analysis) -> list[dict[str, object]]:
    """Every opened cell with what it shows, null for no clue, and the chance of each true count."""
    view, topology = analysis.view, analysis.view.topology
    return [
        {
            "cell": list(topology.coordinates(cell)),
            "shown": view.clue(cell),
            "counts": {str(true): chance for true, chance in analysis.belief(cell).items()},
        }
        for cell in _asked(analysis)
    ]


def print_beliefs(console: Console, analysis: Analysis, rows: int) -> None:
    """The clues in the board's order, each with the chance that it is true and of other counts."""
    view, topology = analysis.view, analysis.view.topology
    cells = list(_asked(analysis))
    if not cells:
        return
    width = max([4, *(len(topology.cell_name(cell)) for cell in cells[:rows])])
    console.print(f"{'clue':<{width}}  shows  true count", style="bold")
    for cell in cells[:rows]:
        shown = view.clue(cell)
        believed = ", ".join(
            f"{true}: {'certain' if chance == 1 else percent(chance)}"
            for true, chance in analysis.belief(cell).items()
        )
        word = "?" if shown is None else str(shown)
        console.print(f"{topology.cell_name(cell):<{width}}  {word:>5}  {believed}", soft_wrap=True)
    if len(cells) > rows:
        console.print(f"and {len(cells) - rows} more clues; --all lists them")


def _asked(analysis: Analysis) -> Iterator[int]:
    """The opened cells whose true count may differ from what they show; none if clues are exact."""
    view = analysis.view
    if view.channel is EXACT:
        return iter(())
    return (cell for cell in sorted(view.opened) if view.code(cell) != Mark.MINE.value)
