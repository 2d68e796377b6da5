"""The longest chain of a game in words, link by link, and as a picture with arrows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from mineproof.chains.chains import Chains, Opened, Origin
from mineproof.view.drawing import Arrow, Tint, draw_svg
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["draw_chain", "link_numbers", "summary", "tell"]

_LINK, _CASCADE, _ROOT = "#f7eeb0", "#dff0fa", "#a6d5f2"


def summary(chains: Chains) -> list[str]:
    """The figures of a game's chains, one line each."""
    name = chains.topology.cell_name
    proofs = chains.proved
    if not chains.opened:
        return ["no cell was opened"]
    sizes = [one.size for one in proofs]
    lines = [f"longest chain: {_many(chains.length, 'link')}"]
    if chains.length:
        lines[0] += f", from {name(chains.longest[0])} to {name(chains.longest[-1])}"
    cascades = len(chains.opened) - len(proofs) - len(chains.roots)
    given = sum(one.origin is Origin.GIVEN for one in chains.roots)
    guessed = len(chains.roots) - given
    lines.append(
        f"opened: {len(proofs)} by proof, {guessed} by a guess, {given} given, {cascades} by"
        " cascades"
    )
    if sizes:
        unsure = sum(not one.smallest for one in proofs)
        line = f"premises a proof: {sum(sizes) / len(sizes):.2f} on average, {max(sizes)} at most"
        lines.append(line + (f"; {unsure} proofs not shown to be smallest" if unsure else ""))
    reach = chains.reach
    if reach is not None and reach.cells:
        lines.append(
            f"farthest influence: {name(reach.cell)} on {_many(reach.cells, 'proof')}, up to"
            f" {_many(reach.distance, 'step')} away"
            + ("" if reach.farthest is None else f" ({name(reach.farthest)})")
        )
    return lines


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


@dataclass(frozen=True)
class _Words:
    chains: Chains
    view: View

    def cell(self, cell: int) -> str:
        """`the 2 at 3,4`."""
        shown = self.view[cell]
        what = "open cell" if isinstance(shown, Mark) else str(shown)
        return f"the {what} at {self.chains.topology.cell_name(cell)}"

    def start(self, one: Opened) -> str:
        name = self.chains.topology.cell_name(one.cell)
        how = {
            Origin.GIVEN: "is given at the start",
            Origin.GUESSED: f"is opened without proof (step {one.step})",
            Origin.PROVED: f"is proved by the number of mines (step {one.step})",
            Origin.CASCADE: "",
        }[one.origin]
        return f"0. {name} {how}{self.shows(one)}."

    def shows(self, one: Opened) -> str:
        shown = self.view[one.cell]
        text = "" if isinstance(shown, Mark) else f" and shows {shown}"
        cascade = sum(other.opener == one.cell for other in self.chains.opened.values())
        return text + (f"; its cascade opens {_many(cascade, 'cell')} more" if cascade else "")

    def link(self, number: int, clue: int, one: Opened) -> Iterator[str]:
        topology = self.chains.topology
        via = self.chains.opened[clue].opener
        came = "" if via is None else f", which came with the cascade of {topology.cell_name(via)}"
        yield (
            f"{number}. From {self.cell(clue)}{came}: {topology.cell_name(one.cell)} is opened"
            f" (step {one.step}){self.shows(one)}."
        )
        proof = self.chains.proof(one.cell)
        yield from (f"   {line}" for line in str(proof).split("\n"))


def tell(chains: Chains) -> list[str]:
    """The longest chain as lines: its start, then every link with its proof."""
    words = _Words(chains, chains.last_view)
    cells = chains.longest
    if not cells:
        return []
    lines = [words.start(chains.opened[cells[0]])]
    number = 0
    for before, cell in pairwise(cells):
        one = chains.opened[cell]
        if one.origin is Origin.PROVED:
            number += 1
            lines += words.link(number, before, one)
    return lines


def link_numbers(chains: Chains) -> dict[int, int | None]:
    """The cells of the longest chain with the number of their link; None for those of cascades."""
    numbers: dict[int, int | None] = {}
    for cell in chains.longest:
        one = chains.opened[cell]
        numbers[cell] = None if one.origin is Origin.CASCADE else one.depth
    return numbers


def draw_chain(chains: Chains) -> str:
    """The picture of the longest chain on the final view, as SVG.

    Numbers in the corners count the links; dashed arrows are cascades. Premises of the proofs
    that lie off the chain are not drawn.
    """
    numbers = link_numbers(chains)
    tints: dict[int, Tint] = {}
    for cell, number in numbers.items():
        if number is None:
            tints[cell] = Tint(_CASCADE, "opened by a cascade, on the chain")
        elif not number:
            tints[cell] = Tint(_ROOT, "start of the chain")
        else:
            tints[cell] = Tint(_LINK, f"link {number} of the chain")
    notes = {cell: str(number) for cell, number in numbers.items() if number is not None}
    cells = chains.longest
    arrows = [Arrow(a, b, dashed=numbers[b] is None) for a, b in pairwise(cells)]
    return draw_svg(chains.last_view, marked=notes, tints=tints, notes=notes, arrows=arrows)
