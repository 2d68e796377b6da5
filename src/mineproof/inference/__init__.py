"""The logics, the exact engine, and the catalog of provers: every logic, asked once.

A prover answers for a position from scratch; the logic behind it follows a game. The names are
those of the logics, with their options: `partition[global]` uses the mine total.
"""

from collections.abc import Callable

from mineproof.inference.engine.exact import exact
from mineproof.inference.enumerate import enumerated
from mineproof.inference.logics.gauss import gauss
from mineproof.inference.logics.partition import Partition, partition
from mineproof.inference.logics.reductio import Reductio, reductio
from mineproof.inference.logics.resolution import Resolution, resolution
from mineproof.inference.logics.sat import Sat, sat
from mineproof.inference.logics.single_point import single_point
from mineproof.inference.verdict import Logic, Premises, Prover, Verdict, infer
from mineproof.registry import Catalog

__all__ = ["PROVERS", "Logic", "Premises", "Prover", "Verdict"]


def _once(make: Callable[[], Logic]) -> Prover:
    """Asks a fresh logic for everything it can prove."""
    return lambda view: infer(make(), view)


PROVERS: Catalog[Prover] = Catalog("logic")
PROVERS.add("single-point", single_point)
PROVERS.add("partition", partition)
PROVERS.add("partition[global]", _once(lambda: Partition(use_total=True)))
PROVERS.add("gauss", gauss)
PROVERS.add("resolution", resolution)
PROVERS.add("resolution[global=25]", _once(lambda: Resolution(total_cells=25)))
PROVERS.add("reductio", reductio)
PROVERS.add("reductio[global]", _once(lambda: Reductio(use_total=True)))
PROVERS.add("sat", sat)
PROVERS.add("sat[safe-only]", _once(lambda: Sat(safe_only=True)))
PROVERS.add("sat[global]", _once(lambda: Sat(use_total=True)))
PROVERS.add("exact", exact)
PROVERS.add("enumerate", enumerated)
