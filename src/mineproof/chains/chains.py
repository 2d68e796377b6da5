"""Chains of influence: which clue led to which proof, and which proof opened which clue.

The nodes are the opened cells with their clues, and the proofs of the cells that were opened by
proof (see `mineproof.proofs.support` for which proof that is). A clue points to every proof it is a
premise of, a proof to the cell it opened, and a cell to what its cascade opened with it. Everyone
sees that a cell is open, so that is not a premise; only its clue is.

A cell given at the start or opened by a guess is a root. The depth of a cell is the number of
proofs on the longest path to it from a root: 0 for a root; for a proved cell, one more than the
deepest clue of its proof; for a cell of a cascade, the depth of the cell that set the cascade off.
A proof by the mine total alone rests on no clue: its cell has depth 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from mineproof.agents.agent import Action, Guessed
from mineproof.board.topology import Topology
from mineproof.engine.session import Session
from mineproof.errors import as_int, check_kind
from mineproof.game.transcript import Transcript
from mineproof.graphs import distances
from mineproof.proofs.explanation import Explainer
from mineproof.proofs.premises import DistanceTable, distances_of, members
from mineproof.proofs.proof import Claim, Proof
from mineproof.proofs.smallest import ForcingSet
from mineproof.proofs.support import DEFAULT_STEPS, SupportFinder
from mineproof.text import many
from mineproof.view.channels import EXACT, Mark, proves_zero
from mineproof.view.svg import Arrow, CellTint, draw_svg
from mineproof.view.view import View

# -- A transcript as events: which cell a move opened, and what its cascade added --


@dataclass(frozen=True)
class OpenEvent:
    """A cell that was opened, and the cells that its cascade opened with it.

    `step` counts the transcript's steps from 1; cells given at the start have step 0. `before` is
    the view the player saw then, `after` the next one; the cells of one chord share both. `guessed`
    says whether the player called it a guess.
    """

    step: int
    cell: int
    cascade: tuple[int, ...]
    before: View
    after: View
    guessed: bool


def open_events(transcript: Transcript) -> Iterator[OpenEvent]:
    """Every opening of a game in order. Raises NotationError if the game cannot be replayed."""
    views = transcript.views()
    before = next(views)
    if before.opened_count:
        given = transcript.referee().given
        opened = tuple(before.opened)
        yield from _group_events(
            0, given, opened, View(before.topology, before.rules), before, False
        )
    for number, (step, after) in enumerate(zip(transcript.steps, views, strict=True), 1):
        opened = after.opened_since(before) or ()
        cell = step.decision.cell
        if opened and cell is not None:
            chord = step.decision.action is Action.CHORD
            chosen = transcript.topology.neighbours(cell) if chord else (cell,)
            guessed = isinstance(step.decision.reason, Guessed)
            yield from _group_events(number, chosen, opened, before, after, guessed)
        before = after


def _group_events(
    step: int,
    chosen: tuple[int, ...],
    opened: tuple[int, ...],
    before: View,
    after: View,
    guessed: bool,
) -> Iterator[OpenEvent]:
    """Cells opened one after another, each followed by its cascade."""
    # Most moves open one cell: all that opened with it is its cascade, and needs no flood fill.
    if opened[0] == chosen[0] and len(chosen) == 1:
        yield OpenEvent(step, opened[0], opened[1:], before, after, guessed)
        return
    left = dict.fromkeys(opened)
    for cell in chosen:
        if cell in left:
            group = _flood(cell, left, after)
            cascade = tuple(other for other in left if other in group and other != cell)
            yield OpenEvent(step, cell, cascade, before, after, guessed)
            for other in group:
                del left[other]


def _flood(start: int, left: Collection[int], view: View) -> set[int]:
    """What a cell opens among the cells left: a flood fill over the neighbours of zeros."""

    def opened_by(cell: int) -> Collection[int]:
        near = view.topology.neighbours(cell)
        zero = view.rules.cascade and view.clue(cell) == 0
        proved = view.channel is EXACT or proves_zero(view.channel, len(near))
        return near if zero and proved else ()

    return set(distances([start], opened_by, within=left))


# -- The influence of a cell: how far it travels, and how many proofs rest on it --


@dataclass(frozen=True)
class Reach:
    """The influence of one cell: the number of proved cells, and the distance of the farthest.

    `farthest` is that farthest cell, the lowest of several; None, with distance 0, if no proof
    rests on the cell. Distance is in steps from neighbour to neighbour. Cells that no path connects
    to it count in `cells` but not for the distance.
    """

    cell: int
    distance: int
    cells: int
    farthest: int | None


class InfluenceIndex:
    """The cells whose proofs rest on each cell, directly or through others.

    Cells are given in order of opening.
    """

    def __init__(self, topology: Topology, opened: Collection[Opened]) -> None:
        self._topology = topology
        self._masks: dict[int, int] = {one.cell: 0 for one in opened}
        # Backwards, the cells that rest on a cell are complete before its premises take them over:
        # one pass is enough.
        for one in reversed(list(opened)):
            below = self._masks[one.cell]
            if one.opener is not None:
                self._masks[one.opener] |= below
            for clue in one.clues:
                self._masks[clue] |= below | 1 << one.cell

    def cells(self, cell: int) -> tuple[int, ...]:
        """The cells whose proofs rest on a cell, in ascending order."""
        held = members([self._masks[cell]], len(self._topology))
        return tuple(np.flatnonzero(held[0]).tolist())

    def reach(self, cell: int) -> Reach:
        """The reach of one cell."""
        cells = self.cells(cell)
        distances = distances_of(self._topology)
        far = distances.between(cell, cells)
        near = [other for other in cells if far[other] < distances.apart]
        if not near:
            return Reach(cell, 0, len(cells), None)
        farthest = max(near, key=lambda other: (far[other], -other))
        return Reach(cell, far[farthest], len(cells), farthest)

    def farthest(self) -> Reach | None:
        """The farthest reach of any cell; ties go to the most cells. None without cells."""
        if not self._masks:
            return None
        return self.reach(min(self._ranks, key=lambda one: (-one[0], -one[1], one[2]))[2])

    def _rank(self, cell: int, distances: DistanceTable) -> tuple[int, int, int]:
        if not self._masks[cell]:
            return 0, 0, cell
        held = members([self._masks[cell]], distances.apart)[0]
        steps = distances.row(cell)[held]
        near = steps[steps < distances.apart]
        return int(near.max(initial=0)), len(steps), cell

    @cached_property
    def _ranks(self) -> list[tuple[int, int, int]]:
        """(distance, number of cells, cell) of every opened cell."""
        distances = distances_of(self._topology)
        table = distances.table
        order = list(self._masks)
        if table is None:
            return [self._rank(cell, distances) for cell in order]
        # All cells at once: the farthest reach of a game is asked for every game of an experiment.
        held = members(list(self._masks.values()), distances.apart)
        steps = table[order]
        far = np.where(held & (steps < distances.apart), steps, 0).max(axis=1)
        counts = held.sum(axis=1)
        return list(zip(far.tolist(), counts.tolist(), order, strict=True))


# -- The opened cells of a game, and what opened each of them ------------------


class Origin(Enum):
    """How a cell was opened."""

    GIVEN = "given"
    GUESSED = "guessed"
    """The player called it a guess, or it was not certain, whatever the player called it."""
    PROVED = "proved"
    CASCADE = "cascade"


@dataclass(frozen=True, slots=True)
class Opened:
    """An opened cell and what opened it.

    `step` counts the transcript's steps from 1; 0 is the start. `clues` and `uses_total` are the
    premises of a proved cell; `smallest` says that no fewer would do. `opener` is the cell whose
    cascade opened this one.
    """

    cell: int
    step: int
    origin: Origin
    depth: int
    clues: tuple[int, ...] = ()
    uses_total: bool = False
    smallest: bool = True
    opener: int | None = None

    @property
    def size(self) -> int:
        """The number of premises."""
        return len(self.clues) + self.uses_total


@dataclass(frozen=True)
class MadeCertain:
    """The hidden cells that became certain with an opening, in ascending order."""

    safe: tuple[int, ...]
    mines: tuple[int, ...]


@dataclass(frozen=True)
class Chains:
    """The chains of influence of one game; `opened` has every opened cell in order of opening."""

    transcript: Transcript
    opened: Mapping[int, Opened]

    @property
    def topology(self) -> Topology:
        return self.transcript.topology

    @property
    def length(self) -> int:
        """The number of links of the longest chain: its proofs."""
        return max((one.depth for one in self.opened.values()), default=0)

    @cached_property
    def longest(self) -> tuple[int, ...]:
        """The cells of the longest chain, from its root on, including those of cascades.

        Of several longest chains it is the one that was complete first. Where a proof has several
        clues of the greatest depth, the chain goes through the one opened first.
        """
        if not self.opened:
            return ()
        return self.chain_to(next(c for c, one in self.opened.items() if one.depth == self.length))

    def chain_to(self, cell: int) -> tuple[int, ...]:
        """The cells of the longest chain that ends in an opened cell. Raises KeyError."""
        order = self._order
        found = [cell]
        # Backwards, from the proof to its deepest clue and from a cascade to what set it off.
        while True:
            here = self.opened[found[-1]]
            if here.opener is not None:
                found.append(here.opener)
            elif here.clues:
                deepest = max(self.opened[clue].depth for clue in here.clues)
                deep = [clue for clue in here.clues if self.opened[clue].depth == deepest]
                found.append(min(deep, key=order.__getitem__))
            else:
                return tuple(reversed(found))

    @cached_property
    def _order(self) -> dict[int, int]:
        return {cell: place for place, cell in enumerate(self.opened)}

    @cached_property
    def proved(self) -> tuple[Opened, ...]:
        """The cells opened by proof."""
        return tuple(one for one in self.opened.values() if one.origin is Origin.PROVED)

    @cached_property
    def roots(self) -> tuple[Opened, ...]:
        """The cells given or guessed."""
        roots = (Origin.GIVEN, Origin.GUESSED)
        return tuple(one for one in self.opened.values() if one.origin in roots)

    @cached_property
    def needed_by(self) -> Mapping[int, tuple[int, ...]]:
        """For every opened cell, the cells whose proofs have its clue as a premise."""
        found: dict[int, list[int]] = {cell: [] for cell in self.opened}
        for one in self.proved:
            for clue in one.clues:
                found[clue].append(one.cell)
        return {cell: tuple(cells) for cell, cells in found.items()}

    # -- influence ---------------------------------------------------------------------------

    @cached_property
    def _influence(self) -> InfluenceIndex:
        return InfluenceIndex(self.topology, self.opened.values())

    def reach_of(self, cell: int) -> Reach:
        """How far the influence of an opened cell travels. Raises KeyError."""
        return self._influence.reach(cell)

    def influenced(self, cell: int) -> tuple[int, ...]:
        """The cells whose proofs rest on an opened cell, directly or through others."""
        return self._influence.cells(cell)

    @cached_property
    def reach(self) -> Reach | None:
        """The farthest reach of any cell; ties go to the most cells. None if nothing is open."""
        return self._influence.farthest()

    # -- what became certain -----------------------------------------------------------------

    @cached_property
    def made_certain(self) -> Mapping[int, MadeCertain]:
        """For every cell that a move opened, what was certain for the first time after it.

        The exact engine decides what is certain, whether the player saw it or not. Cells that were
        opened together, in a cascade or by one chord, are listed under the first of them. Raises
        BudgetExceeded.
        """
        session: Session | None = None
        found: dict[int, MadeCertain] = {}
        last = 0
        rules = None
        certain: set[int] = set()
        for event in open_events(self.transcript):
            if event.step == last and found:
                found[event.cell] = MadeCertain((), ())
                continue
            last = event.step
            if session is None or event.after.rules is not rules:
                session, rules = Session(event.after), event.after.rules
            else:
                session.follow(event.after)
            safe: set[int] = set()
            mines: set[int] = set()
            while any(fresh := session.newly_certain()):
                safe.update(fresh[0])
                mines.update(fresh[1])
            # A session that had to start anew reports all that is certain, old and new.
            safe -= certain
            mines -= certain
            certain |= safe | mines
            found[event.cell] = MadeCertain(tuple(sorted(safe)), tuple(sorted(mines)))
        return found

    # -- proofs ------------------------------------------------------------------------------

    @cached_property
    def _views(self) -> Mapping[int, View]:
        return {event.cell: event.before for event in open_events(self.transcript)}

    @cached_property
    def last_view(self) -> View:
        """The view at the end of the game."""
        *_, last = self.transcript.views()
        return last

    def view_of(self, cell: int) -> View:
        """What the player saw right before the move that opened a cell. Raises KeyError."""
        return self._views[cell]

    def proof(self, cell: int) -> Proof:
        """The proof of a cell opened by proof, with its facts and in words. Raises KeyError."""
        one = self.opened[cell]
        if one.origin is not Origin.PROVED:
            raise KeyError(cell)
        explainer = Explainer(self._views[cell])
        evidence = explainer.evidence
        clues = set(one.clues)
        numbers = [
            number
            for number, premise in enumerate(evidence.premises)
            if (premise.clue in clues if premise.clue is not None else one.uses_total)
        ]
        return explainer.proof(ForcingSet(tuple(numbers), one.smallest), cell, Claim.SAFE)


def of(transcript: Transcript, *, steps: int = DEFAULT_STEPS) -> Chains:
    """The chains of influence of a game; `steps` limits the search for each proof.

    Raises NotationError if the game cannot be replayed, and BudgetExceeded like the exact engine.
    """
    check_kind(transcript, Transcript, "game", "a Transcript, as play returns it")
    steps = as_int(steps, "steps")
    return Chains(transcript, _read(transcript, steps))


def _read(transcript: Transcript, steps: int) -> dict[int, Opened]:
    depths: dict[int, int] = {}
    supporter = SupportFinder(transcript.topology, depths, steps)
    opened: dict[int, Opened] = {}
    waiting: list[int] = []
    last = -1
    for event in open_events(transcript):
        cell, step = event.cell, event.step
        if step != last:
            # The cells of one chord are proved from what was open before the chord.
            supporter.take(waiting, event.after)
            waiting, last = [], step
        support = None
        if step and not event.guessed:
            support = supporter.safe(cell, event.before)
        # What the player called proved and was not certain has no proof: it counts as a guess.
        if support is None:
            origin = Origin.GUESSED if step else Origin.GIVEN
            opened[cell] = Opened(cell, step, origin, 0)
        else:
            depth = 1 + max([depths[clue] for clue in support.clues], default=-1)
            opened[cell] = Opened(
                cell,
                step,
                Origin.PROVED,
                depth,
                support.clues,
                support.uses_total,
                support.smallest,
            )
        depth = depths[cell] = opened[cell].depth
        for other in event.cascade:
            opened[other] = Opened(other, step, Origin.CASCADE, depth, opener=cell)
            depths[other] = depth
        waiting += (cell, *event.cascade)
    return opened


# -- The chains of a game as JSON, and the whole graph: clues, facts and proofs --


def to_json(chains: Chains) -> dict[str, Any]:
    """The object under `chain` in `play --json --chain`."""

    def name(cell: int) -> list[int]:
        return list(chains.topology.coordinates(cell))

    def names(cells: tuple[int, ...]) -> list[list[int]]:
        return [name(cell) for cell in cells]

    def reach(one: Reach) -> dict[str, Any]:
        return {
            "cell": name(one.cell),
            "distance": one.distance,
            "proofs": one.cells,
            "farthest": None if one.farthest is None else name(one.farthest),
        }

    links = []
    cells = chains.longest
    for before, cell in pairwise(cells):
        one = chains.opened[cell]
        if one.origin is Origin.PROVED:
            proof = chains.proof(cell)
            links.append(
                {
                    "from": name(before),
                    "cell": name(cell),
                    "step": one.step,
                    "premises": names(one.clues),
                    "uses_total": one.uses_total,
                    "smallest": one.smallest,
                    "technique": str(proof.technique),
                    "text": proof.text,
                }
            )
    opened = []
    for one in chains.opened.values():
        made = chains.made_certain.get(one.cell)
        far = chains.reach_of(one.cell)
        opened.append(
            {
                "cell": name(one.cell),
                "step": one.step,
                "origin": one.origin.value,
                "depth": one.depth,
                "premises": names(one.clues),
                "uses_total": one.uses_total,
                "smallest": one.smallest,
                "opener": None if one.opener is None else name(one.opener),
                "needed_by": names(chains.needed_by[one.cell]),
                "influences": far.cells,
                "reach": far.distance,
                "made_safe": [] if made is None else names(made.safe),
                "made_mines": [] if made is None else names(made.mines),
            }
        )
    return {
        "length": chains.length,
        "cells": names(cells),
        "links": links,
        "proofs": len(chains.proved),
        "roots": len(chains.roots),
        "reach": None if chains.reach is None else reach(chains.reach),
        "opened": opened,
    }


@dataclass(frozen=True)
class Node:
    """A clue (its cell), the proof of a cell, or a fact: cells and the counts they may hold."""

    kind: str
    cells: tuple[int, ...]
    counts: tuple[int, ...] = ()


@dataclass(frozen=True)
class Edge:
    """One node leads to another; both are indices into the list of nodes."""

    start: int
    end: int


@dataclass(frozen=True)
class InfluenceGraph:
    """A game's graph of influence: a clue or a fact supports, a proof opens, a cascade opens."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def graph(chains: Chains) -> InfluenceGraph:
    """Every clue, proof and intermediate fact of a game, and what leads to what.

    A fact (a derived set with its count) is one node per proof that uses it. Its clues lead to it
    and it leads to the proof. A premise that no fact rests on leads to the proof itself. Costs one
    explanation per proof.
    """
    check_kind(chains, Chains, "chains", "what chains.of returns")
    # The clues come first, in order of opening, so that later nodes find them by `place`.
    nodes: list[Node] = [Node("clue", (cell,)) for cell in chains.opened]
    place = {cell: number for number, cell in enumerate(chains.opened)}
    edges: list[Edge] = []
    for one in chains.opened.values():
        if one.opener is not None:
            edges.append(Edge(place[one.opener], place[one.cell]))
        if one.origin is not Origin.PROVED:
            continue
        proof = chains.proof(one.cell)
        nodes.append(Node("proof", (one.cell,)))
        end = len(nodes) - 1
        edges.append(Edge(end, place[one.cell]))
        used: set[int] = set()
        for fact, clues in proof.facts:
            nodes.append(Node("fact", fact.cells, fact.counts))
            edges += [Edge(place[clue], len(nodes) - 1) for clue in clues]
            edges.append(Edge(len(nodes) - 1, end))
            used.update(clues)
        edges += [Edge(place[clue], end) for clue in one.clues if clue not in used]
    return InfluenceGraph(tuple(nodes), tuple(edges))


# -- The longest chain in words, link by link, and as a picture with arrows ----

_LINK, _CASCADE, _ROOT = "#f7eeb0", "#dff0fa", "#a6d5f2"


def summary_lines(chains: Chains) -> list[str]:
    """The figures of a game's chains, one line each."""
    name = chains.topology.cell_name
    proofs = chains.proved
    if not chains.opened:
        return ["no cell was opened"]
    sizes = [one.size for one in proofs]
    lines = [f"longest chain: {many(chains.length, 'link')}"]
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
            f"farthest influence: {name(reach.cell)} on {many(reach.cells, 'proof')}, up to"
            f" {many(reach.distance, 'step')} away"
            + ("" if reach.farthest is None else f" ({name(reach.farthest)})")
        )
    return lines


@dataclass(frozen=True)
class _LinkWords:
    """The words for the links of a chain, with clues as the final view shows them."""

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
        return text + (f"; its cascade opens {many(cascade, 'cell')} more" if cascade else "")

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


def chain_lines(chains: Chains) -> list[str]:
    """The longest chain as lines: its start, then every link with its proof."""
    words = _LinkWords(chains, chains.last_view)
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
    tints: dict[int, CellTint] = {}
    for cell, number in numbers.items():
        if number is None:
            tints[cell] = CellTint(_CASCADE, "opened by a cascade, on the chain")
        elif not number:
            tints[cell] = CellTint(_ROOT, "start of the chain")
        else:
            tints[cell] = CellTint(_LINK, f"link {number} of the chain")
    notes = {cell: str(number) for cell, number in numbers.items() if number is not None}
    cells = chains.longest
    arrows = [Arrow(a, b, dashed=numbers[b] is None) for a, b in pairwise(cells)]
    return draw_svg(chains.last_view, marked=notes, tints=tints, notes=notes, arrows=arrows)
