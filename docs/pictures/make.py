"""Draw the pictures of the README beside this file: `python docs/pictures/make.py`."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

import mineproof as mp
from mineproof.cli.main import run
from mineproof.cli.play_display import QuietDisplay

HERE = Path(__file__).parent
SEED, MOVES = 44, 163


def draw_game(file: Path) -> None:
    """A move of an Expert game, as `play` shows it in a terminal."""
    console = Console(record=True, width=72, file=io.StringIO(), force_terminal=True)
    show = QuietDisplay(console, f"expert (square:16x30/99), single-point, seed {SEED}")
    game = mp.play("expert", agent="single-point", seed=SEED, first_click="opening")
    referee = game.referee()
    for step in game.steps[: MOVES - 1]:
        referee.apply(step.decision)
        show(referee, step.decision)
    decision = game.steps[MOVES - 1].decision
    referee.apply(decision)
    show.moves.append(decision)
    console.print(show.screen(referee, decision, Text(show.story(referee, decision))))
    # The page that shows the picture must not fetch fonts for it.
    own_fonts = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    svg = console.export_svg(title="mineproof play", code_format=own_fonts, unique_id="mineproof")
    file.write_text(svg, encoding="utf-8")


def draw_chances(file: Path) -> None:
    """The heat map of a position, as `solve --svg` writes it."""
    position = HERE.parents[1] / "examples" / "position.txt"
    run(["solve", str(position), "--heat", "--svg", str(file)])


def draw_review(file: Path) -> None:
    """A lost game, as `review --svg` draws it."""
    game = HERE.parents[1] / "examples" / "lost_game.txt"
    run(["review", str(game), "--svg", str(file)])


if __name__ == "__main__":
    draw_game(HERE / "expert.svg")
    draw_chances(HERE / "chances.svg")
    draw_review(HERE / "review.svg")
