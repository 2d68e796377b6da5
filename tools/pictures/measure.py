"""Measure the reader of pictures on looks kept out of training: `python -m tools.pictures measure`.

Boards of games are drawn in the ten named looks that training never saw and in random looks with
fonts that it never saw. Of every look: the cells that are right, the boards without a fault, those
without an unmarked fault, the boards refused. Then what is no board, and pictures of your own.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from mineproof.errors import MineproofError
from mineproof.picture.reader import read, read_pixels
from tools.pictures import looks

PAIR_SEED = 8
BOARDS = ((9, 9, 10), (16, 16, 40), (8, 8, 10), (16, 30, 99))


@dataclass
class Score:
    """What was counted of a look."""

    boards: int = 0
    cells: int = 0
    right: int = 0
    faultless: int = 0
    marked: int = 0
    refused: int = 0
    mines: int = 0
    seconds: float = 0.0

    def add(self, other: Score) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def row(self, name: str) -> str:
        share = self.right / max(self.cells, 1)
        return (
            f"| {name} | {self.boards} | {share:.2%} | {self.faultless / self.boards:.1%} |"
            f" {self.marked / self.boards:.1%} | {self.refused} |"
            f" {1000 * self.seconds / self.boards:.0f} ms |"
        )


def score(look: looks.Look, seed: int, *, say: bool = False) -> Score:
    """One board of a look, drawn and read."""
    rng = Random(f"measure {seed}")
    height, width, mines = rng.choice(BOARDS)
    rows = looks.played_rows(rng, height, width, mines, rng.random() < 0.2)
    picture = looks.draw(look, rows, mines, seed)
    pixels = np.asarray(picture.image)
    cells = height * width
    started = time.perf_counter()
    try:
        reading = read_pixels(pixels)
    except MineproofError as error:
        if say:
            print(f"{look.name}, seed {seed}: {error}")
        return Score(1, cells, 0, 0, 1, 1, 0, time.perf_counter() - started)
    seconds = time.perf_counter() - started
    if (len(reading.rows), len(reading.rows[0])) != (height, width):
        if say:
            print(
                f"{look.name}, seed {seed}: {len(reading.rows)}x{len(reading.rows[0])} for"
                f" {height}x{width}; {reading.look}, {len(reading.doubtful)} doubtful,"
                f" {'' if reading.consistent else 'in'}consistent"
            )
        return Score(1, cells, 0, 0, int(not reading.consistent), 0, 0, seconds)
    wrong = {
        (r, c) for r in range(height) for c in range(width) if reading.rows[r][c] != rows[r][c]
    }
    if say and wrong - set(reading.doubtful):
        kinds = [f"{rows[r][c]}{reading.rows[r][c]}" for r, c in sorted(wrong)][:12]
        print(f"{look.name} ({look.ground}), seed {seed}: {len(wrong)} wrong: {' '.join(kinds)}")
    return Score(
        1, cells, cells - len(wrong), int(not wrong), int(not wrong - set(reading.doubtful)), 0,
        int(reading.mines == mines), seconds,
    )  # fmt: skip


def pairs(arguments: list[str]) -> None:
    """Draw the pairs of docs/reading-pictures.md."""
    folder = Path(__file__).parents[2] / "docs" / "pictures" / "read"
    folder.mkdir(exist_ok=True)
    for look in looks.kept_out_looks():
        if look.name in ("ninety", "slate", "meadow", "autumn"):
            rows = looks.played_rows(Random(PAIR_SEED), 8, 8, 10, lost=False)
            image = looks.draw(look, rows, 10, PAIR_SEED).image
            image.quantize(128).save(folder / f"{look.name}.png", optimize=True)
            reading = read(folder / f"{look.name}.png")
            print(look.name, len(reading.doubtful), "doubtful")
            (folder / f"{look.name}.svg").write_text(reading.svg())


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.pictures measure", description=__doc__)
    parser.add_argument("--fonts", help="a folder with unpacked Debian packages of fonts")
    parser.add_argument("--boards", type=int, default=20, help="for each named look")
    parser.add_argument("--random", type=int, default=200, help="boards in random looks")
    parser.add_argument("--say", action="store_true", help="print every fault")
    parser.add_argument(
        "pictures", nargs="*", help="pictures, each with its rows beside it as JSON"
    )
    options = parser.parse_args(arguments)
    print(
        "| look | boards | cells right | without a fault | without an unmarked fault | refused |"
        " time |"
    )

    print("|---|---:|---:|---:|---:|---:|---:|")
    total = Score()
    for look in looks.kept_out_looks():
        of_look = Score()
        for seed in range(options.boards):
            of_look.add(score(look, seed, say=options.say))
        print(of_look.row(look.name), flush=True)
        total.add(of_look)
    print(total.row("all named"))
    drawn = Score()
    for seed in range(options.random):
        look = looks.random_look(seed, options.fonts, kept_out=True)
        drawn.add(score(look, seed, say=options.say))
    if options.random:
        print(drawn.row("random"), flush=True)
    accepted = []
    for name, draw in looks.NON_BOARDS.items():
        try:
            read_pixels(np.asarray(draw(Random(name))))
        except MineproofError as error:
            if options.say:
                print(f"{name}: {error}")
        else:
            accepted.append(name)
    print(f"\nOf {len(looks.NON_BOARDS)} non-boards accepted: {', '.join(accepted) or 'none'}.")
    for path in options.pictures:
        try:
            print(path, json.dumps(read(path).to_json(), indent=1))
        except MineproofError as error:
            print(path, error)
