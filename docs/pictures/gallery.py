"""Draw the boards of docs/gallery.md: `python docs/pictures/gallery.py [--find]`.

Each is the middle of a real game, with the exact chance of a mine in every hidden cell. The
positions are kept beside the pictures; `--find` looks for them anew.
"""

from __future__ import annotations

import sys
from pathlib import Path

import mineproof as mp
from mineproof.view.svg import draw_svg

HERE = Path(__file__).parent / "gallery"

BOARDS = {
    "square": "square:9x12/18",
    "square4": "square4:9x9/18",
    "torus": "torus:9x9/12",
    "hex": "hex:8x8/12",
    "hexagon": "hexagon:5/12",
    "triangle": "triangle:6x12/12",
    "cube": "cube:3x4x4/6",
    "graph": "graph:0-1,1-2,2-3,3-4,4-5,5-0,0-6,1-7,2-8,3-9,4-10,5-11,6-7,7-8,8-9,9-10,10-11,11-6,"
    "6-12,8-13,10-14,12-13,13-14,14-12/4",
    "holes": "square:9x9#3,3;3,4;3,5;4,3;4,4;4,5;5,3;5,4;5,5/12",
    "withheld": "square:8x8/10",
}
"""The board of each picture, by the picture's name."""
CLUES = {"withheld": "withheld:0.4"}
SEED, MOST_GAMES = 1, 60


def position(name: str) -> mp.Analysis:
    """The first position of seeded games with something certain, something not, and room to see."""
    clues = CLUES.get(name, "exact")
    for index in range(MOST_GAMES):
        game = mp.play(BOARDS[name], agent="exact", seed=SEED, index=index, clues=clues)
        views = list(game.views())
        for view in views[len(views) // 3 :]:
            if not 0.35 * len(view) < view.hidden_count < 0.75 * len(view):
                continue
            analysis = mp.analyze(view)
            chances = {analysis.p[cell] for cell in view.hidden}
            if {0.0, 1.0} < chances and len(chances) > 4:
                return analysis
    raise LookupError(f"no position on {BOARDS[name]} in {MOST_GAMES} games")


def main() -> None:
    find = "--find" in sys.argv[1:]
    for name in BOARDS:
        kept = HERE / f"{name}.txt"
        if find:
            kept.write_text(position(name).view.text, encoding="utf-8")
        analysis = mp.analyze(mp.View.read(kept))
        drawn = draw_svg(analysis.view, analysis.p.array.tolist())
        kept.with_suffix(".svg").write_text(drawn, encoding="utf-8")
        print(name, analysis.view.hidden_count, "hidden")


if __name__ == "__main__":
    main()
