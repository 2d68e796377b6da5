"""The cheapest core: of some premises, the cheapest choice that no layout meets.

Found by implicit hitting sets. A layout that goes against the claim is a counterexample: it breaks
some premises, and a core must hold at least one of them. So a core is a hitting set of all
counterexamples. The cheapest hitting set of those found so far is either a core, and then the
cheapest there is, or some layout meets it and is a new counterexample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mineproof.proofs.hitting import cheapest_hitting_set
from mineproof.proofs.meter import UNLIMITED, Spent, StepMeter
from mineproof.proofs.refuter import Encoding, Refuter

__all__ = ["Core", "cheapest_core"]


@dataclass(frozen=True)
class Core:
    """A choice of premises, as a mask, that no layout meets, every one of them needed.

    `smallest` where no fewer would do; else the meter ran out.
    """

    chosen: int
    smallest: bool


def cheapest_core(
    encoding: Encoding,
    assumed: Sequence[int],
    costs: Sequence[int],
    meter: StepMeter,
    below: int | None = None,
) -> Core | None:
    """The cheapest core under assumptions; None where there is none, or none costs `below`.

    No two choices may cost the same: the cheapest is then one, whatever way leads to it. Costs must
    be dominated by the number of premises. Where the meter runs out, a core is made minimal by
    deletion, whatever it costs.
    """
    search = _Counterexamples(encoding, assumed, costs)
    if search.meets(encoding.everything, StepMeter(UNLIMITED)) is not None:
        return None
    least = 0
    broken: list[int] = []
    try:
        while True:
            chosen = cheapest_hitting_set(broken, costs, meter, below)
            if chosen is None:
                return None
            least = chosen.bit_count()
            met = search.meets(chosen, meter)
            if met is None:
                return Core(chosen, True)
            # Counterexamples that share no broken premise raise the bound at once.
            while met is not None:
                broken.append(search.counterexample(met, meter))
                chosen |= broken[-1]
                met = search.meets(chosen, meter)
    except Spent:
        chosen = search.minimal_core()
        return Core(chosen, least == chosen.bit_count())


class _Counterexamples:
    """Layouts that go against the claim, asked of a solver of their own."""

    def __init__(self, encoding: Encoding, assumed: Sequence[int], costs: Sequence[int]) -> None:
        self.refuter, self.assumed = Refuter(encoding), assumed
        self.dearest_first = sorted(range(len(costs)), key=lambda place: -costs[place])

    def meets(self, chosen: int, meter: StepMeter) -> int | None:
        return self.refuter.met(chosen, self.assumed, meter)

    def counterexample(self, met: int, meter: StepMeter) -> int:
        """The premises that some layout breaks, as few as can be, beyond those met already."""
        broken = 0
        for place in self.dearest_first:
            bit = 1 << place
            if met & bit:
                continue
            more = self.meets(met | bit, meter)
            if more is None:
                broken |= bit
            else:
                met = more
        return broken

    def minimal_core(self) -> int:
        """A core of which every premise is needed, by deletion, the dearest first."""
        chosen = self.refuter.core(self.assumed)
        free = StepMeter(UNLIMITED)
        for place in self.dearest_first:
            bit = 1 << place
            if chosen & bit and self.meets(chosen ^ bit, free) is None:
                chosen ^= bit
        return chosen
