"""A topology and its rules in the form that the compiled core takes, computed once and kept."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof.board.topology import Topology
from mineproof.inference.engine.inconsistency import inconsistent
from mineproof.kernel import core
from mineproof.rules import Rules
from mineproof.view.channels import EXACT, Channel, Withheld
from mineproof.view.clue_table import ClueTable
from mineproof.view.marks import MAX_CLUE, UNREAD, Mark
from mineproof.view.view import View

__all__ = ["Ground", "ground_of", "question", "vouched"]

Question: TypeAlias = "tuple[core.Board, core.Model, bytearray, bytearray | None]"
"""What the core is asked about: board, model, codes of the cells, flags that are trusted."""
_MOST_GROUNDS = 16
_MOST_RULES = 1024


class Learnt(NamedTuple):
    """How to tell the core of views by some rules."""

    model: core.Model
    words: bytes | None
    """The core's word for every byte; None where they are the same."""
    lasting: bool
    """Whether this holds for all views by these rules; else each must be asked about."""


class Ground:
    """A topology as the core knows it, with the models of the rules seen on it."""

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        rows, cols = _square_sides(topology)
        self.board = core.Board(topology.offsets, topology.targets, rows, cols)
        self._by_rules: dict[int, tuple[Rules, Learnt]] = {}
        self._models: dict[tuple[object, ...], core.Model] = {}

    def model(self, view: View) -> core.Model:
        """The core's model of the rules told to the player.

        Raises InconsistentPosition if a clue is missing that cannot have been withheld.
        """
        return self.read(view)[0]

    def read(self, view: View) -> tuple[core.Model, bytearray]:
        """The model, and what the cells show in the core's words. Raises as `model` does."""
        model, words, _ = self.learn(view)
        codes = view.code_bytes()
        return model, codes if words is None else codes.translate(words)

    def learn(self, view: View) -> Learnt:
        """How to tell the core of a view. Raises as `model` does."""
        rules = view.rules
        entry = self._by_rules.get(id(rules))
        if entry is not None and entry[0] is rules:
            return entry[1]
        through = view.channel
        never_withheld = isinstance(through, Withheld) and not through.share
        if never_withheld:
            _refuse_blanks(view)
        key = (view.total, view.density, rules.clues)
        model = self._models.get(key)
        if model is None:
            model = _model(view)
        words = _words(through, self.topology) if through.tells_missing else None
        learnt = Learnt(model, words, not never_withheld)
        if len(self._by_rules) >= _MOST_RULES:
            self._by_rules.clear()
            self._models.clear()
        self._models[key] = model
        if not never_withheld:
            self._by_rules[id(rules)] = (rules, learnt)
        return learnt


_grounds: dict[int, Ground] = {}


def ground_of(topology: Topology) -> Ground:
    """The ground of a topology, kept for the next call."""
    ground = _grounds.get(id(topology))
    if ground is None or ground.topology is not topology:
        if len(_grounds) >= _MOST_GROUNDS:
            _grounds.clear()
        ground = _grounds[id(topology)] = Ground(topology)
    return ground


def _square_sides(topology: Topology) -> tuple[int, int]:
    """Rows and columns of a plain square board, for which the core has a fast path; else 0."""
    if topology.name != "square" or topology.blocked:
        return 0, 0
    rows, cols = topology.lattice.dimensions
    return rows, cols


def _model(view: View) -> core.Model:
    likelihoods = _likelihoods(view.channel, view.topology)
    if view.total is not None:
        return core.Model.of_total(view.total, likelihoods)
    if view.density is not None:
        # A density close to 0 or 1 must not be rounded to it: that would make cells certain.
        least, most = np.nextafter(0.0, 1.0), np.nextafter(1.0, 0.0)
        chance = float(view.density)
        if 0 < view.density < 1:
            chance = min(max(chance, float(least)), float(most))
        return core.Model.of_density(chance, likelihoods)
    numbers = np.ones(len(view) + 1)
    numbers[0] = 0.0
    return core.Model.of_number(numbers, likelihoods)


def _likelihoods(through: Channel, topology: Topology) -> NDArray[np.float64] | None:
    """The channel as a table [degree, shown, count]; None where a shown clue is the true count."""
    if through is EXACT or (isinstance(through, Withheld) and through.share < 1):
        return None
    degrees = sorted(set(topology.degrees.tolist()))
    most = degrees[-1]
    shown: list[int | None] = [*range(min(most, MAX_CLUE) + 1)]
    if through.tells_missing:
        shown.append(None)
    table = np.zeros((most + 1, len(shown), most + 1))
    for degree in degrees:
        for place, word in enumerate(shown):
            table[degree, place, : degree + 1] = [
                float(through.likelihood(word, true, degree)) for true in range(degree + 1)
            ]
    return table


def _words(through: Channel, topology: Topology) -> bytes:
    """What to tell the core for every byte, where a missing clue is evidence.

    The core takes it for a clue: the number after the largest that a cell can show.
    """
    words = bytearray(range(256))
    words[UNREAD] = Mark.BLANK.value
    if isinstance(through, ClueTable):
        words[Mark.BLANK.value] = int(topology.degrees.max()) + 1
    return bytes(words)


def question(view: View, trust_flags: bool) -> Question:
    """A view as the core is asked about it. Raises InconsistentPosition as `Ground.model` does."""
    ground = ground_of(view.topology)
    model, words, _ = ground.learn(view)
    codes = view.code_bytes()
    if words is not None:
        codes = codes.translate(words)
    return ground.board, model, codes, vouched(view, True) if trust_flags else None


def vouched(view: View, trust_flags: bool) -> bytearray | None:
    """A byte for every cell, 1 for a flagged one; None where flags say nothing."""
    if not trust_flags or not view.flag_count:
        return None
    marks = bytearray(len(view))
    for cell in view.flags:
        marks[cell] = 1
    return marks


def _refuse_blanks(view: View) -> None:
    """Raise InconsistentPosition for a cell without a clue, under rules that withhold none."""
    codes = view.code_bytes()
    if Mark.BLANK.value in codes:
        raise inconsistent(view, (codes.index(Mark.BLANK.value),), uses_total=False)
