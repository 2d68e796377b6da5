"""`forced-first`: make forced guesses as soon as they arise (report 2, section 3, "Be efficient").

A guess is forced if it must be made whatever else is opened, and nothing that can still be
learned will make it easier. The policy finds regions of hidden cells where that is certain. A
region is a set of cells that are not certain, such that:

1. every clue that touches it speaks of no other cell that is not certain;
2. every neighbour of it is open, a certain mine, or in the region, so that no clue to come can
   touch it: the cells beside it that could still be opened are its own;
3. all its solutions have the same number of mines, so that the mine total will tell nothing about
   it either. If the total is unknown and mines are dealt independently, it is enough that the
   region cannot hold a mine in every cell.

By 1 to 3, what happens outside changes no chance inside. No cell of the region is certain, and some
cell of it is safe in every solution, so the game cannot be won without a guess there. To make it
now costs nothing. If it fails, the game is over some moves earlier; that is all it gains. A region
that is all that is left is nothing to be early with: there the next policy guesses.

What is certain is decided by the exact engine, from the clues and the total, whatever the logic of
the agent proves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mineproof.agents.decision import Decision
from mineproof.agents.policy import EXACT_DIGITS, Choice, least_risk
from mineproof.inference.engine.budget import DEFAULT_BUDGET, Meter
from mineproof.inference.engine.constraints import constraint_of_clue
from mineproof.inference.engine.counting import Program
from mineproof.inference.engine.frontier import components_of
from mineproof.inference.logics.exact_logic import ExactLogic
from mineproof.inference.verdict import Logic
from mineproof.rng import Stream
from mineproof.view.channels import speaks
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["ForcedFirst", "forced_regions"]

_HIDDEN = Mark.HIDDEN.value


class ForcedFirst:
    """A forced guess as soon as there is one, at its least exact risk (report 2); else passes."""

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
        if enclosed and len(region) < playable and _settled(view, region, clues, chances):
            yield tuple(sorted(region))


def _open_ended(view: View, unsure: set[int], chances: Sequence[float]) -> set[int]:
    """The unsure cells that a clue to come may tell of, and those linked to them by neighbours.

    It is the clue of a cell beside them that is certain to be safe, or of one that touches no clue
    and belongs to no region.
    """
    codes, neighbours, through = view.code_bytes(), view.topology.neighbours, view.channel
    found = {
        cell
        for cell in unsure
        if not any(speaks(through, codes[near]) for near in neighbours(cell))
        or any(chances[near] == 0.0 and codes[near] == _HIDDEN for near in neighbours(cell))
    }
    waiting = list(found)
    while waiting:
        fresh = [near for near in neighbours(waiting.pop()) if near in unsure and near not in found]
        found.update(fresh)
        waiting += fresh
    return found


def _region(view: View, unsure: set[int], start: int) -> tuple[set[int], set[int]]:
    """The unsure cells linked to one by neighbours or by clues, and those clues."""
    codes, neighbours, through = view.code_bytes(), view.topology.neighbours, view.channel
    region, clues = {start}, set[int]()
    waiting = [start]
    while waiting:
        linked = set(neighbours(waiting.pop()))
        for clue in [near for near in linked if speaks(through, codes[near]) and near not in clues]:
            clues.add(clue)
            linked.update(neighbours(clue))
        fresh = [cell for cell in linked if cell in unsure and cell not in region]
        region.update(fresh)
        waiting += fresh
    return region, clues


def _settled(view: View, region: set[int], clues: set[int], chances: Sequence[float]) -> bool:
    """Whether the number of mines here tells nothing, and some cell here is always safe."""
    codes, meter = view.codes().tolist(), Meter(DEFAULT_BUDGET)
    certain = {cell: chances[cell] == 1.0 for cell in view.hidden if cell not in region}
    said = [constraint_of_clue(view.topology, codes, clue, view.channel) for clue in sorted(clues)]
    least = most = 0
    for part in components_of([one.given(certain) for one in said if one is not None]):
        ways = Program(part, meter, support=True).total
        possible = [mines for mines, number in enumerate(ways) if number]
        least += possible[0]
        most += possible[-1]
    if least == most:
        return True
    return view.total is None and view.density is not None and most < len(region)
