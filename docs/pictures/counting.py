"""Draw the pictures of docs/counting.md and docs/proofs.md: run this file."""

from __future__ import annotations

from pathlib import Path

import mineproof as mp
from mineproof.engine.constraints import frontier
from mineproof.view.svg import CellTint, draw_svg

HERE = Path(__file__).parent / "counting"
COUNTED = "square 4x8 mines=5\n........\n.12...1.\n........\n........\n"
PROVED = "square 3x3 mines=2\n1..\n12.\n01.\n"
COLOURS = ("#a6d5f2", "#f7eeb0", "#f3c98b", "#c7b8e0", "#bfe3c5", "#e8bfd4")
SEA, BROKEN = "#e3e7ea", "#f3a37d"


def draw_boxes(view: mp.View) -> str:
    """The boxes of the frontier, each with a letter and a colour; the sea is grey."""
    tints = {cell: CellTint(SEA, "the sea", "~") for cell in view.hidden}
    boxes = [box for part in frontier(view).components for box in part.boxes]
    for letter, colour, box in zip("ABCDEF", COLOURS, boxes, strict=False):
        tints |= dict.fromkeys(box.cells, CellTint(colour, f"box {letter}", letter))
    return draw_svg(view, tints=tints, title="The boxes of a frontier, and the sea")


def broken_by(view: mp.View, mines: set[int]) -> set[int]:
    """The clues that these mines break."""
    near = view.topology.neighbours
    return {clue for clue, number in view.clues if len(mines & set(near(clue))) != number}


def draw_counterexample(view: mp.View, mines: set[int]) -> str:
    """The mines of a counterexample, and in orange the clues that it breaks."""
    broken = broken_by(view, mines)
    tints = dict.fromkeys(mines, CellTint("#c9c9c9", "a mine of the counterexample", "X"))
    tints |= dict.fromkeys(broken, CellTint(BROKEN, "broken"))
    return draw_svg(view, marked=broken, tints=tints, title="A counterexample and what it breaks")


def main() -> None:
    view = mp.View.parse(COUNTED)
    pictures = {
        "position": draw_svg(view, title="The position to be counted"),
        "boxes": draw_boxes(view),
        "chances": draw_svg(view, mp.analyze(view).p.array.tolist()),
    }
    view = mp.View.parse(PROVED)
    for number, mines in enumerate(({2}, {1, 2}, {2, 5}, {1, 2, 5}), 1):
        pictures[f"counterexample-{number}"] = draw_counterexample(view, mines)
    for name, text in pictures.items():
        (HERE / f"{name}.svg").write_text(text, encoding="utf-8")
        print(name)


if __name__ == "__main__":
    main()
