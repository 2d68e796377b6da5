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

from collections.abc import Iterable, Iterator, Sequence

from mineproof.agents.agent import (
    EXACT_DIGITS,
    Action,
    Choice,
    Decision,
    Guessed,
    Policy,
    cells_if_few,
    first_click_is_safe,
    least_risk,
)
from mineproof.agents.players import PLAYERS, CoreLogic, first_cells
from mineproof.engine.analysis import DEFAULT_BUDGET, Logic, StateMeter
from mineproof.engine.constraints import CountingProgram, components_of, constraint_of_clue
from mineproof.graphs import distances
from mineproof.logics.exact import ExactLogic
from mineproof.logics.partition import Partition, cells_of
from mineproof.proofs.support import DEFAULT_STEPS, SupportFinder
from mineproof.registry import Catalog
from mineproof.rng import Stream
from mineproof.rules import FirstClick
from mineproof.view.channels import Mark, count_bounds, is_evidence
from mineproof.view.view import View, code_bytes

_HIDDEN = Mark.HIDDEN.value

# -- Policies that are functions -----------------------------------------------


def random_cell(
    view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
) -> Choice:
    """Any candidate, each equally likely (reports 0 and 2)."""
    return rng.choice(candidates), Guessed("random", len(candidates))


def reading_order(
    view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
) -> Choice:
    """The first candidate, row by row from the left: the first agent of many an assignment."""
    return candidates[0], Guessed("reading-order", len(candidates))


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
    return rng.choice(cells), Guessed("corner-first", len(cells), None, cells_if_few(cells))


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
    return rng.choice(chosen), Guessed("set-risk", len(chosen), least, cells_if_few(chosen))


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
            high = count_bounds(view.channel, shown, len(near))[1]
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


# ----------------------------------------------------------------------------
# `forced-first`: make forced guesses as soon as they arise (report 2, section 3, "Be efficient").


class ForcedFirst:
    """A forced guess as soon as there is one, at its least exact risk (report 2); else passes.

    A guess is forced if it must be made whatever else is opened, and nothing that can still be
    learned will make it easier. The policy finds regions of hidden cells where that is certain. A
    region is a set of cells that are not certain, such that:

    1. every clue that touches it speaks of no other cell that is not certain;
    2. every neighbour of it is open, a certain mine, or in the region, so that no clue to come can
       touch it: the cells beside it that could still be opened are its own;
    3. all its solutions have the same number of mines, so that the mine total will tell nothing
       about it either. If the total is unknown and mines are dealt independently, it is enough that
       the region cannot hold a mine in every cell.

    By 1 to 3, what happens outside changes no chance inside. No cell of the region is certain, and
    some cell of it is safe in every solution, so the game cannot be won without a guess there. To
    make it now costs nothing. If it fails, the game is over some moves earlier; that is all it
    gains. A region that is all that is left is nothing to be early with: there the next policy
    guesses.

    What is certain is decided by the exact engine, from the clues and the total, whatever the logic
    of the agent proves.
    """

    name = "forced-first"
    passes = True

    def begin(self, view: View) -> None:
        self._exact = ExactLogic()
        self._exact.begin(view)
        self._looked = -1

    def follow(self, decision: Decision, view: View) -> None:
        """Nothing is kept of a game but what its views show."""

    def early(
        self, view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
    ) -> Choice | None:
        """The least risk in a forced region, of all if there are several."""
        if view.opened_count == self._looked:
            return None
        # Only an opened cell can make a guess forced.
        self._looked = view.opened_count
        exact = logic if type(logic) is ExactLogic else self._exact
        chances = exact.chances(view).array.tolist()
        allowed = set(candidates)
        risks = {
            cell: round(chances[cell], EXACT_DIGITS)
            for region in forced_regions(view, chances)
            for cell in region
            if cell in allowed
        }
        return least_risk(self.name, risks, rng) if risks else None

    def __call__(
        self, view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
    ) -> Choice | None:
        return self.early(view, candidates, rng, logic)


def forced_regions(view: View, chances: Sequence[float]) -> Iterator[tuple[int, ...]]:
    """The regions of a view in which a guess is forced, each in ascending order.

    `chances` are the exact chances of a mine. Of a view on which nothing else is left to do, there
    are none.
    """
    unsure = {cell for cell in view.hidden if 0.0 < chances[cell] < 1.0}
    sealed = unsure - _open_ended(view, unsure, chances)
    playable = sum(chances[cell] < 1.0 for cell in view.hidden) if sealed else 0
    while sealed:
        region, clues = _region(view, unsure, min(sealed))
        enclosed = region <= sealed
        sealed -= region
        if enclosed and len(region) < playable and _count_is_settled(view, region, clues, chances):
            yield tuple(sorted(region))


def _open_ended(view: View, unsure: set[int], chances: Sequence[float]) -> set[int]:
    """The unsure cells that a clue to come may tell of, and those linked to them by neighbours.

    It is the clue of a cell beside them that is certain to be safe, or of one that touches no clue
    and belongs to no region.
    """
    codes, neighbours, through = code_bytes(view), view.topology.neighbours, view.channel
    open_cells = [
        cell
        for cell in unsure
        if not any(is_evidence(through, codes[near]) for near in neighbours(cell))
        or any(chances[near] == 0.0 and codes[near] == _HIDDEN for near in neighbours(cell))
    ]
    return set(distances(open_cells, neighbours, within=unsure))


def _region(view: View, unsure: set[int], start: int) -> tuple[set[int], set[int]]:
    """The unsure cells linked to one by neighbours or by clues, and those clues."""
    codes, neighbours, through = code_bytes(view), view.topology.neighbours, view.channel
    region, clues = {start}, set[int]()
    waiting = [start]
    while waiting:
        linked = set(neighbours(waiting.pop()))
        for clue in [
            near for near in linked if is_evidence(through, codes[near]) and near not in clues
        ]:
            clues.add(clue)
            linked.update(neighbours(clue))
        fresh = [cell for cell in linked if cell in unsure and cell not in region]
        region.update(fresh)
        waiting += fresh
    return region, clues


def _count_is_settled(
    view: View, region: set[int], clues: set[int], chances: Sequence[float]
) -> bool:
    """Whether the number of mines here tells nothing, and some cell here is always safe."""
    codes, meter = view.codes().tolist(), StateMeter(DEFAULT_BUDGET)
    certain = {cell: chances[cell] == 1.0 for cell in view.hidden if cell not in region}
    said = [constraint_of_clue(view.topology, codes, clue, view.channel) for clue in sorted(clues)]
    least = most = 0
    for part in components_of([one.given(certain) for one in said if one is not None]):
        ways = CountingProgram(part, meter, support=True).total
        possible = [mines for mines, number in enumerate(ways) if number]
        least += possible[0]
        most += possible[-1]
    if least == most:
        return True
    return view.total is None and view.density is not None and most < len(region)


# ----------------------------------------------------------------------------
# `short-chains`: keep chains of influence short where there is a choice (report 1's question 6).


class ChainDepths:
    """The depth of every cell opened in the current game, computed on demand.

    Depths are those of `mineproof.chains.of`, as long as each move opens one cell.
    """

    def __init__(self, view: View, steps: int = DEFAULT_STEPS) -> None:
        self._depths: dict[int, int] = dict.fromkeys(view.opened, 0)
        self._supporter = SupportFinder(view.topology, self._depths, steps)
        self._supporter.take(view.opened, view)
        self._view = view
        self._waiting: list[tuple[Decision, View, View]] = []

    def follow(self, decision: Decision, after: View) -> None:
        """Take in a decision that was carried out, and what the player sees after it."""
        self._waiting.append((decision, self._view, after))
        self._view = after

    def of(self, cells: Iterable[int]) -> list[int]:
        """The depths of some opened cells."""
        for decision, before, after in self._waiting:
            self._take(decision, before, after)
        self._waiting.clear()
        return [self._depths[cell] for cell in cells]

    def _take(self, decision: Decision, before: View, after: View) -> None:
        opened = after.opened_since(before)
        if not opened or decision.cell is None:
            return
        support = None
        if not isinstance(decision.reason, Guessed):
            support = self._supporter.safe(decision.cell, before)
        depth = 0
        if support is not None:
            depth = 1 + max((self._depths[clue] for clue in support.clues), default=-1)
        self._depths.update(dict.fromkeys(opened, depth))
        self._supporter.take(opened, after)


class ShortChains:
    """About the least exact risk, where the chains behind the clues are shortest (report 1).

    Every agent opens what is proved safe sooner or later, so chains can only be kept short by the
    choice between guesses. Of the cells whose exact risk is at most 2 percentage points above the
    least (`short-chains-at-ties`: of the cells of least risk), this policy opens one whose clues
    have the least depth. Cells that touch no clue come last. Ties go to the fewest hidden
    neighbours, as in `exact-risk`.
    """

    name = "short-chains"
    spend = 0.02
    """How much risk beyond the least it accepts for a short chain, from 0 to 1."""

    def begin(self, view: View) -> None:
        self._exact = ExactLogic()
        self._exact.begin(view)
        self._depths = ChainDepths(view)

    def follow(self, decision: Decision, view: View) -> None:
        if decision.action is Action.OPEN:
            self._depths.follow(decision, view)

    def __call__(
        self, view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
    ) -> Choice:
        chances = [0.0] * len(view)
        if not first_click_is_safe(view):
            exact = logic if isinstance(logic, ExactLogic) else self._exact
            chances = exact.chances(view).array.tolist()
        risks = {cell: round(chances[cell], EXACT_DIGITS) for cell in candidates}
        most = min(risks.values()) + self.spend
        near = [cell for cell in candidates if risks[cell] <= most]
        ranks = {cell: self._rank(cell, view) for cell in near}
        first = min(ranks.values())
        cells = [cell for cell in near if ranks[cell] == first]
        cell = rng.choice(cells)
        return cell, Guessed(self.name, len(cells), risks[cell], cells_if_few(cells))

    def _rank(self, cell: int, view: View) -> tuple[bool, int, int]:
        """Whether no clue touches a cell, the depth of its deepest clue, its hidden neighbours."""
        near = view.topology.neighbours(cell)
        clues = [other for other in near if is_evidence(view.channel, view.code(other))]
        return not clues, max(self._depths.of(clues), default=0), sum(map(view.is_hidden, near))


class ShortChainsAtTies(ShortChains):
    """As `short-chains`, but only among cells of exactly the least risk (report 1)."""

    name = "short-chains-at-ties"
    spend = 0.0


# -- The catalog ---------------------------------------------------------------

POLICIES: Catalog[Policy | type[Policy]] = Catalog("guessing policy")
"""Functions, and classes of policies that follow a game: `make_policy` takes either."""
POLICIES.add("random", random_cell)
POLICIES.add("reading-order", reading_order)
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
