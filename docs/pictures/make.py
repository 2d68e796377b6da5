"""Draw the README's picture: `python docs/pictures/make.py` writes expert.svg beside itself."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

import mineproof as mp
from mineproof.match.transcript import apply
from mineproof.surfaces.cli.show import QuietShow

SEED, MOVES = 44, 163


def main() -> None:
    console = Console(record=True, width=72, file=io.StringIO(), force_terminal=True)
    show = QuietShow(console, "expert (square:16x30/99), single-point, seed 44")
    game = mp.play("expert", agent="single-point", seed=SEED, first_click="opening")
    referee = game.referee()
    for step in game.steps[: MOVES - 1]:
        apply(referee, step.decision)
        show(referee, step.decision)
    decision = game.steps[MOVES - 1].decision
    apply(referee, decision)
    show.steps += 1
    console.print(show.screen(referee, decision, Text(show.story(referee, decision))))
    # The page that shows the picture must not fetch fonts for it.
    own_fonts = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    svg = console.export_svg(title="mineproof play", code_format=own_fonts, unique_id="mineproof")
    Path(__file__).with_name("expert.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
