"""Make the pictures of docs/chains.md: run this file with a folder of a reproduction.

mineproof reproduce 001 --full --out DIR
python docs/pictures/chain_answers.py DIR
"""

from __future__ import annotations

import sys
from pathlib import Path

import mineproof as mp
from mineproof.chains.chains import draw_chain
from mineproof.game.transcript import Transcript

HERE = Path(__file__).parent / "chains"
EXAMPLES = Path(__file__).parents[2] / "examples"
FIGURES = (
    "001-chains-length",
    "001-chains-reach",
    "001-chains-wins",
    "001-chains-guesses",
    "001-long-chains",
)


def main(folder: Path) -> None:
    for name in FIGURES:
        figure = (folder / "figures" / f"{name}.svg").read_text(encoding="utf-8")
        (HERE / f"{name.removeprefix('001-')}.svg").write_text(figure, encoding="utf-8")
    for size in ("9x9", "16x16"):
        text = (EXAMPLES / f"long_chain_{size}.txt").read_text(encoding="utf-8")
        picture = draw_chain(mp.chains.of(Transcript.parse(text)))
        (HERE / f"long-{size}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
