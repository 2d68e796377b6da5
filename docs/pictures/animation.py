"""Draw a game that plays itself, with the proof of every move: `python docs/pictures/animation.py`.

The game is a real one: cells that are certain are opened or flagged in the order of their proofs'
sizes, the easiest first. The picture is SVG with CSS alone, so that a README shows it moving.
It begins in the middle of the game, at the largest proof: what is seen first is a board under way.
Whoever asks for less motion sees that proof, at rest.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from mineproof.board import Board, deal
from mineproof.game.referee import Referee
from mineproof.proofs.explanation import Explainer
from mineproof.proofs.proof import Claim, Proof
from mineproof.view import View
from mineproof.view.svg import DIGITS

HERE = Path(__file__).parent
BOARD, SEED = "square:7x9/10", 45
SIDE, MARGIN, LINE = 40, 12, 19
LETTERS, MOST_LINES = 52, 5
QUICK, SLOW, OPENING, END = 0.45, 2.8, 1.0, 2.0
TITLE = "A game of Minesweeper that plays itself: every move with the clues that prove it"
BLUE, YELLOW, ORANGE, GREEN = "#a6d5f2", "#f7eeb0", "#e69f00", "#56b4e9"


@dataclass(frozen=True)
class Scene:
    """A move: what it opens or flags, the proof that allows it, and how long it is shown."""

    opened: tuple[int, ...]
    flagged: int | None
    proof: Proof | None
    name: str
    words: str
    seconds: float


def played(board: str, seed: int) -> tuple[View, list[Scene], bool]:
    """The game of a seed: its last view, its moves, and whether it was won without a guess."""
    place = Board.parse(board)
    centre = place.topology.centre
    referee = Referee(deal(place.topology, place.mines, seed, 0, (centre,)), seed, 0)
    before = referee.view
    referee.open(centre)
    first = tuple(referee.view.opened_since(before) or ())
    scenes = [
        Scene(first, None, None, "the first move", "The first cell is free of mines.", OPENING)
    ]
    shown: set[str] = set()
    while not referee.over:
        found = easiest(referee.view)
        if found is None:
            return referee.view, scenes, False
        before, cell = referee.view, found.cell
        assert cell is not None
        slow = found.technique.name not in shown and found.size > 1
        shown.add(found.technique.name)
        if found.claim is Claim.MINE:
            referee.flag(cell)
            opened: tuple[int, ...] = ()
        else:
            referee.open(cell)
            opened = tuple(referee.view.opened_since(before) or ())
        mine = cell if found.claim is Claim.MINE else None
        seconds = SLOW if slow else QUICK
        name = str(found.technique)
        scenes.append(Scene(opened, mine, found, name, found.text, seconds))
    scenes.append(Scene((), None, None, "won", "Every move was proved; nothing was guessed.", END))
    return referee.view, scenes, referee.outcome is not None and referee.outcome.won


def easiest(view: View) -> Proof | None:
    """The certain cell with the fewest premises that is not flagged; a safe one before a mine."""
    explainer = Explainer(view)
    analysis = explainer.analysis
    certain = [(cell, False) for cell in analysis.safe]
    certain += [(cell, True) for cell in analysis.mines if not view.is_flagged(cell)]
    proofs = [explainer.prove(cell, mine) for cell, mine in certain]
    return min(proofs, key=lambda one: (one.size, one.claim is Claim.MINE), default=None)


class Film:
    """The scenes on a line of time, as keyframes of CSS."""

    def __init__(self, view: View, scenes: list[Scene]) -> None:
        self.view, self.scenes = view, scenes
        self.starts: list[float] = []
        now = 0.6
        for scene in scenes:
            self.starts.append(now)
            now += scene.seconds
        self.length = now
        proofs = {number: one.proof for number, one in enumerate(scenes) if one.seconds == SLOW}
        sizes = {number: proof.size for number, proof in proofs.items() if proof is not None}
        self.rest = max(sizes, key=sizes.__getitem__, default=0)

    def at(self, seconds: float) -> str:
        return f"{100 * seconds / self.length:.2f}%"

    def keyframes(self) -> Iterator[str]:
        """`oN` hides at the end of scene N, `fN` shows from there on, `sN` shows during it."""
        for number, (start, scene) in enumerate(zip(self.starts, self.scenes, strict=True)):
            stop = start + scene.seconds
            near = stop - min(0.25, scene.seconds / 3)
            for name, first, last in (("o", 1, 0), ("f", 0, 1)):
                yield (
                    f"@keyframes {name}{number}{{0%,{self.at(near)}{{opacity:{first}}}"
                    f"{self.at(stop)},to{{opacity:{last}}}}}"
                )
            a, b = self.at(max(0.0, start - 0.01)), self.at(start)
            c, d = self.at(stop), self.at(min(stop + 0.01, self.length))
            yield (
                f"@keyframes s{number}{{0%,{a}{{opacity:0}}{b},{c}{{opacity:1}}"
                f"{d},to{{opacity:0}}}}"
            )

    def moving(self, name: str, number: int) -> str:
        """The attributes of what moves; the opacity is that of the picture at rest."""
        still = {"o": number >= self.rest, "f": number < self.rest, "s": number == self.rest}[name]
        return (
            f'opacity="{int(still)}" style="animation:{name}{number} {self.length:.2f}s'
            f' -{self.starts[self.rest]:.2f}s infinite"'
        )


def corner(view: View, cell: int) -> tuple[float, float]:
    row, column = view.topology.coordinates(cell)
    return MARGIN + SIDE * column, MARGIN + SIDE * row


def square(view: View, cell: int, fill: str, more: str = "") -> str:
    x, y = corner(view, cell)
    return (
        f'<rect x="{x + 1:.0f}" y="{y + 1:.0f}" width="{SIDE - 2}" height="{SIDE - 2}" rx="3"'
        f' fill="{fill}"{more}/>'
    )


def sign(view: View, cell: int, text: str, fill: str) -> str:
    x, y = corner(view, cell)
    place = f'x="{x + SIDE / 2:.0f}" y="{y + SIDE * 0.68:.0f}"'
    return f'<text {place} class="n" fill="{fill}">{text}</text>'


def flag(view: View, cell: int) -> str:
    x, y = corner(view, cell)
    return (
        f'<path d="M{x + 16:.0f} {y + 31:.0f}V{y + 9:.0f}l13 6.5-13 6.5" fill="#c0392b"'
        ' stroke="#333" stroke-width="1.6" stroke-linejoin="round"/>'
    )


def draw(view: View, scenes: list[Scene]) -> str:
    """The whole picture."""
    film = Film(view, scenes)
    rows, columns = (
        max(view.topology.coordinates(c)[k] for c in view.topology.cells) + 1 for k in (0, 1)
    )
    width = 2 * MARGIN + SIDE * columns
    board = 2 * MARGIN + SIDE * rows
    height = board + LINE * MOST_LINES + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img">',
        f"<title>{TITLE}</title>",
        "<style>text{font-family:system-ui,sans-serif}.n{font-size:20px;font-weight:600;"
        "text-anchor:middle}.t{font-size:14px;fill:#1b1f24}.b{font-weight:700}"
        + "".join(film.keyframes())
        + "@media(prefers-reduced-motion:reduce){*{animation:none!important}}</style>",
        f'<rect width="{width}" height="{height}" rx="10" fill="#f6f7f9" stroke="#d0d4d9"/>',
    ]
    opening = {cell: number for number, one in enumerate(scenes) for cell in one.opened}
    for cell in view.topology.cells:
        if cell in opening:
            clue = view.clue(cell)
            parts.append(square(view, cell, "#ffffff", ' stroke="#d0d4d9"'))
            if clue:
                parts.append(sign(view, cell, str(clue), DIGITS[clue]))
            parts.append(
                f"<g {film.moving('o', opening[cell])}>{square(view, cell, '#b9bfc7')}</g>"
            )
        else:
            parts.append(square(view, cell, "#b9bfc7"))
    parts += [proof_of(view, film, number) for number in range(len(scenes))]
    for number, scene in enumerate(scenes):
        if scene.flagged is not None:
            parts.append(f"<g {film.moving('f', number)}>{flag(view, scene.flagged)}</g>")
    parts.append(caption(film, board))
    return "\n".join([*parts, "</svg>\n"])


def proof_of(view: View, film: Film, number: int) -> str:
    """The clues of a scene in blue, the cells on the way in yellow, the claim with its sign."""
    proof = film.scenes[number].proof
    if proof is None or proof.cell is None:
        return ""
    spoken_of = {cell for step in proof.steps if not step.uses_total for cell in step.cells}
    on_the_way = sorted(spoken_of - {proof.cell, *proof.clues})
    parts = [square(view, cell, YELLOW) for cell in on_the_way]
    for clue in proof.premises:
        parts.append(square(view, clue.cell, BLUE, ' stroke="#0072b2" stroke-width="2"'))
        parts.append(sign(view, clue.cell, str(clue.shown), DIGITS[clue.shown or 0]))
    mine = proof.claim is Claim.MINE
    parts.append(
        square(view, proof.cell, ORANGE if mine else GREEN, ' stroke="#000" stroke-width="2.5"')
    )
    parts.append(sign(view, proof.cell, "✕" if mine else "✓", "#000"))
    return f"<g {film.moving('s', number)}>{''.join(parts)}</g>"


def caption(film: Film, top: float) -> str:
    parts = []
    for number, scene in enumerate(film.scenes):
        lines = textwrap.wrap(scene.words, LETTERS)
        if len(lines) > MOST_LINES - 1:
            lines = [*lines[: MOST_LINES - 2], f"{lines[MOST_LINES - 2]} …"]
        rows = [f'<tspan x="{MARGIN + 2}" class="b">{escape(scene.name)}</tspan>']
        rows += [f'<tspan x="{MARGIN + 2}" dy="{LINE}">{escape(line)}</tspan>' for line in lines]
        parts.append(
            f'<text class="t" y="{top + 8}" {film.moving("s", number)}>{"".join(rows)}</text>'
        )
    return "\n".join(parts)


def main() -> None:
    view, scenes, won = played(BOARD, SEED)
    assert won, "the game of this seed needs a guess; choose another"
    text = draw(view, scenes)
    (HERE / "game.svg").write_text(text, encoding="utf-8")
    print(f"game.svg: {len(scenes)} moves, {Film(view, scenes).length:.0f} s, {len(text)} bytes")


if __name__ == "__main__":
    main()
