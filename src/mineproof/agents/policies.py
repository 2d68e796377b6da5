"""Guessing policies: plain functions that choose where nothing is proved.

Candidates are the hidden cells that the agent does not know to be mines; any other hidden cell
counts as a known mine. A policy may look at the logic, if that has sets or chances to offer.

>>> class Careful:
...     def begin(self, view, rng):
...         self.rng = rng
...     def act(self, view):
...         cell, reason = mp.policies.exact_risk(view, view.hidden, self.rng)
...         return mp.Decision.open(cell, reason)
>>> mp.play("4x4/2", Careful, seed=3).outcome.won
True
"""

from __future__ import annotations

from collections.abc import Sequence

from mineproof.agents.core_logic import CoreLogic
from mineproof.agents.decision import Guessed
from mineproof.agents.first_click import first_cells
from mineproof.agents.forced_first import ForcedFirst
from mineproof.agents.players import PLAYERS
from mineproof.agents.policy import (
    EXACT_DIGITS,
    Choice,
    Policy,
    first_click_is_safe,
    least_risk,
    listed,
)
from mineproof.agents.short_chains import ShortChains, ShortChainsAtTies
from mineproof.inference.logics.exact_logic import ExactLogic
from mineproof.inference.logics.partition import Partition, cells_of
from mineproof.inference.verdict import Logic
from mineproof.registry import Catalog
from mineproof.rng import Stream
from mineproof.rules import FirstClick
from mineproof.view.channels import bounds
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = [
    "POLICIES",
    "ForcedFirst",
    "Policy",
    "ShortChains",
    "ShortChainsAtTies",
    "by_core",
    "corner_first",
    "density_formula",
    "exact_risk",
    "local_ratio",
    "make_policy",
    "random_cell",
    "set_risk",
    "stop",
]


def random_cell(
    view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
) -> Choice:
    """Any candidate, each equally likely (reports 0 and 2)."""
    return rng.choice(candidates), Guessed("random", len(candidates))


def stop(
    view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
) -> Choice | None:
    """No guess (report 4): stops, except for a first click that the rules make safe."""
    if not first_click_is_safe(view):
        return None
    return rng.choice(candidates), Guessed("first-click", len(candidates), 0.0)


def corner_first(
    view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
) -> Choice:
    """A corner where one is left (report 2), else any candidate.

    A corner is a cell that touches fewer cells than each of its neighbours does.
    """
    degrees, neighbours = view.topology.degrees, view.topology.neighbours
    corners = [
        cell
        for cell in candidates
        if all(degrees[cell] < degrees[near] for near in neighbours(cell))
    ]
    cells = corners or candidates
    return rng.choice(cells), Guessed("corner-first", len(cells), None, listed(cells))


def local_ratio(
    view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
) -> Choice:
    """The least of report 0's estimates of risk.

    The estimate of a cell is the largest, over its opened neighbours, of (mines left around it) /
    (hidden cells around it). A cell without a clue has even odds.
    """
    ratios = _clue_ratios(view, candidates)
    return least_risk("local-ratio", {cell: ratios.get(cell, 0.5) for cell in candidates}, rng)


def density_formula(
    view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
) -> Choice:
    """Report 2's formula 1 for cells away from clues, the local ratio next to them; the least.

    The formula is (mines left - mines next to clues) / (cells away from clues), with the most mines
    that the clues allow next to them. If the total is unknown, its expected value is used.
    """
    ratios = _clue_ratios(view, candidates)
    away = [cell for cell in candidates if cell not in ratios]
    if away:
        known_mines = view.hidden_count - len(candidates) + len(view.opened_mines)
        left = _expected_mines(view) - known_mines - _most_mines_near_clues(view, candidates)
        risk = min(max(left / len(away), 0.0), 1.0)
        ratios.update(dict.fromkeys(away, risk))
    return least_risk("density-formula", ratios, rng)


def set_risk(
    view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
) -> Choice:
    """A cell of the set with the least risk, each set judged on its own (report 1).

    The sets are those that splitting leaves: the logic's own where it is `partition`. Of a set
    that contains others (all unknown cells, with the total) only the cells outside them are meant.
    """
    if not isinstance(logic, Partition):
        logic = Partition()
        logic.begin(view)
        while logic.learn(view):
            pass
    allowed = set(candidates)
    best: list[tuple[int, ...]] = []
    least = 2.0
    inner = 0
    for mask, _, high, clues in logic.sets(view):
        risk = high / mask.bit_count()
        if not clues:
            mask &= ~inner
        inner |= mask
        cells = tuple(cell for cell in cells_of(mask) if cell in allowed)
        if cells and risk < least:
            best, least = [], risk
        if cells and risk == least:
            best.append(cells)
    if not best:
        return rng.choice(candidates), Guessed("set-risk", len(candidates))
    chosen = rng.choice(best)
    return rng.choice(chosen), Guessed("set-risk", len(chosen), least, listed(chosen))


def exact_risk(
    view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
) -> Choice:
    """The cell with the least exact chance of a mine (the improvement of reports 1 and 2).

    Ties go to a cell with the fewest hidden neighbours, which shows a 0 most often. At the start of
    a square board that is a corner, unless the first click opens an area: see `first_cells`.
    """
    if not isinstance(logic, ExactLogic):
        logic = ExactLogic()
        logic.begin(view)
    if first_click_is_safe(view):
        chances = [0.0] * len(view)
        if view.rules.first_click is FirstClick.OPENING:
            good = set(first_cells(view.topology, view.rules.first_click, view.total or 0))
            candidates = [cell for cell in candidates if cell in good] or candidates
    else:
        chances = logic.chances(view).array.tolist()
    risks = {cell: round(chances[cell], EXACT_DIGITS) for cell in candidates}
    least = min(risks.values())
    hidden = {
        cell: sum(map(view.is_hidden, view.topology.neighbours(cell)))
        for cell in candidates
        if risks[cell] == least
    }
    fewest = min(hidden.values())
    return least_risk("exact-risk", {cell: least for cell in hidden if hidden[cell] == fewest}, rng)


def by_core(player: type[CoreLogic]) -> Policy:
    """The guess of a player of the core; the least exact risk where it does not know the rules."""

    def choose(
        view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
    ) -> Choice:
        if not isinstance(logic, player):
            logic = player()
            logic.begin(view)
        guess = logic.guess(view, rng)
        # A flag that is not this agent's may stand on the cell: it cannot be opened.
        if guess is None or guess[0] not in candidates:
            return exact_risk(view, candidates, rng, logic)
        cell, risk, among = guess
        return cell, Guessed(player.player, among, risk)

    return choose


POLICIES: Catalog[Policy | type[Policy]] = Catalog("guessing policy")
"""Functions, and classes of policies that follow a game: `make_policy` takes either."""
POLICIES.add("random", random_cell)
POLICIES.add("corner-first", corner_first)
POLICIES.add("local-ratio", local_ratio)
POLICIES.add("set-risk", set_risk)
POLICIES.add("density-formula", density_formula)
POLICIES.add("exact-risk", exact_risk)
POLICIES.add(ShortChains.name, ShortChains)
POLICIES.add(ShortChainsAtTies.name, ShortChainsAtTies)
POLICIES.add(ForcedFirst.name, ForcedFirst)
POLICIES.add("stop", stop)
for _name, _player in PLAYERS.items():
    POLICIES.add(_name, by_core(_player))


def make_policy(name: str) -> Policy:
    """A policy for one agent: the function, or a new object of the class. Raises UnknownName."""
    listed_as = POLICIES[name]
    return listed_as() if isinstance(listed_as, type) else listed_as


def _open_hints(view: View, candidates: Sequence[int]) -> list[tuple[list[int], int]]:
    """For every clue its candidates, and the mines missing among them (the most that may be)."""
    allowed = set(candidates)
    hints = []
    for clue, shown in view.clues:
        near = view.topology.neighbours(clue)
        cells = [cell for cell in near if cell in allowed]
        if cells:
            known = sum(
                view.code(cell) == Mark.MINE.value or (cell not in allowed and view.is_hidden(cell))
                for cell in near
            )
            high = bounds(view.channel, shown, len(near))[1]
            hints.append((cells, min(max(high - known, 0), len(cells))))
    return hints


def _clue_ratios(view: View, candidates: Sequence[int]) -> dict[int, float]:
    """The largest ratio of mines missing to hidden cells over the clues next to each candidate."""
    ratios: dict[int, float] = {}
    for cells, missing in _open_hints(view, candidates):
        ratio = missing / len(cells)
        for cell in cells:
            ratios[cell] = max(ratio, ratios.get(cell, 0.0))
    return ratios


def _most_mines_near_clues(view: View, candidates: Sequence[int]) -> int:
    """The mines missing around all clues, each cell counted for one clue only."""
    counted: set[int] = set()
    most = 0
    for cells, missing in _open_hints(view, candidates):
        new = [cell for cell in cells if cell not in counted]
        counted.update(new)
        most += min(missing, len(new))
    return most


def _expected_mines(view: View) -> float:
    """The total; if it is unknown, its expected value under the rules."""
    if view.total is not None:
        return view.total
    if view.density is not None:
        return float(view.density * len(view))
    return (len(view) + 1) / 2
