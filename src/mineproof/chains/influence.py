"""The chains of a game as JSON, and the whole graph: clues, facts and proofs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from mineproof.chains.chains import Chains, Origin
from mineproof.chains.reach import Reach
from mineproof.errors import check_kind

__all__ = ["Edge", "InfluenceGraph", "Node", "graph", "to_json"]


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
