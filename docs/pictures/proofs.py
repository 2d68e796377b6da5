"""Find the samples of docs/proofs.md in seeded games and draw them: run this file.

Every sample is a position file and a picture in docs/pictures/proofs, and a paragraph of the page.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mineproof.board import Board, deal
from mineproof.game.referee import Referee
from mineproof.proofs.explanation import Explainer, draw_proof, explain
from mineproof.proofs.proof import Proof
from mineproof.view import View

HERE = Path(__file__).parent / "proofs"
CELLS = HERE / "cells"
PAGE = Path(__file__).parents[1] / "proofs.md"
BEGIN, END = "<!-- samples -->\n", "<!-- end of samples -->\n"
MOST_GAMES = 400
MOST_LETTERS = 700
WIDTH = 128


@dataclass(frozen=True)
class Sample:
    """A board to play on and the technique to look for."""

    board: str
    technique: str
    clues: str = "exact"
    mine: bool = False


SAMPLES = (
    Sample("square:5x6/5", "single clue", mine=True),
    Sample("square:6x7/8", "1-1 pattern"),
    Sample("square:6x7/8", "1-2 pattern", mine=True),
    Sample("square:6x7/9", "subset", mine=True),
    Sample("square:6x8/9", "3 clues"),
    Sample("square:8x8/13", "5 clues"),
    Sample("square:8x10/18", "case split"),
    Sample("square:6x6/6", "mine count"),
    Sample("hex:7x7/11", "3 clues"),
    Sample("torus:6x6/8", "case split"),
    Sample(
        "graph:0-1,0-2,1-2,1-3,2-4,3-4,3-5,4-5,4-6,5-7,6-7,6-8,7-8,7-9,8-10,9-10,9-11,10-11/3",
        "3 clues",
    ),
    Sample("square:6x7/8", "3 clues", clues="withheld:0.3"),
)


def games(sample: Sample) -> Iterator[View]:
    """The positions of seeded games: certain cells are opened, else a cell of least risk."""
    board = Board.parse(sample.board)
    centre = board.topology.centre
    for index in range(MOST_GAMES):
        layout = deal(board.topology, board.mines, 1, index, (centre,))
        referee = Referee(layout, 1, index, clues=sample.clues)
        referee.open(centre)
        waiting: list[int] = []
        while not referee.over:
            if waiting:
                cell = waiting.pop()
                if referee.view.is_hidden(cell):
                    referee.open(cell)
                continue
            yield View.parse(referee.view.text)
            analysis = Explainer(referee.view).analysis
            if analysis.least_risk is None:
                break
            waiting = list(analysis.safe)[:2] or [analysis.least_risk.cell]


def find(sample: Sample) -> tuple[View, Proof]:
    """The first proof of the kind that is short enough to read."""
    for view in games(sample):
        explainer = Explainer(view)
        analysis = explainer.analysis
        for cell in analysis.mines if sample.mine else analysis.safe:
            proof = explainer.prove(cell, sample.mine)
            told = proof.technique.name == sample.technique
            in_words = not proof.text.startswith("In every way") and len(proof.text) < MOST_LETTERS
            if told and in_words and not (sample.technique == "mine count" and proof.size < 3):
                return view, proof
    raise LookupError(f"no {sample.technique} in {MOST_GAMES} games on {sample.board}")


def paragraph(number: int, view: View, proof: Proof) -> str:
    """The sample as the page shows it."""
    assert proof.cell is not None
    cell, name = view.topology.cell_name(proof.cell), f"pictures/proofs/{number:02d}"
    clues = "" if view.rules.clues == "exact" else f", {view.rules.clues} clues"
    quoted = "\n".join(quotation(line) for line in str(proof).split("\n"))
    return (
        f"### {number}. {view.topology.name}{clues}: {proof.technique}\n\n"
        f"{quoted.rstrip()}\n\n"
        f"![{cell} of a {view.topology.name} board]({name}.svg)\n\n"
        f"`mineproof explain docs/{name}.txt --cell {cell}`\n"
    )


def quotation(line: str) -> str:
    """A line of a proof as one of the page; the page's source is broken at its width."""
    indented = line.replace("  ", "&nbsp;&nbsp;")
    return "\n".join(f"> {part}" for part in textwrap.wrap(indented, WIDTH)) + "  "


def stored() -> Iterator[tuple[int, View, Proof]]:
    """The samples as stored in the folder; `cells` names the cell of each position."""
    for number, cell in enumerate(CELLS.read_text(encoding="utf-8").split(), 1):
        view = View.parse((HERE / f"{number:02d}.txt").read_text(encoding="utf-8"))
        proof = explain(view, tuple(map(int, cell.split(","))))
        assert isinstance(proof, Proof)
        yield number, view, proof


def section() -> str:
    """All paragraphs of the page."""
    return "\n".join(paragraph(*one) for one in stored())


def main() -> None:
    cells: list[str] = []
    for number, sample in enumerate(SAMPLES, 1):
        view, proof = find(sample)
        assert proof.cell is not None
        name = f"{number:02d}"
        (HERE / f"{name}.txt").write_text(view.text, encoding="utf-8")
        cells.append(view.topology.cell_name(proof.cell))
        (HERE / f"{name}.svg").write_text(draw_proof(view, proof), encoding="utf-8")
        print(number, sample.board, sample.technique, flush=True)
    CELLS.write_text("\n".join(cells) + "\n", encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{section()}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
