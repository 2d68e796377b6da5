"""The catalog of provers: every logic, asked once.

A prover answers for a position from scratch; the logic behind it follows a game. The names are
those of the logics, with their options: `partition[global]` uses the mine total.
"""

from collections.abc import Callable
from functools import partial

from mineproof.inference.engine.exact import exact
from mineproof.inference.enumerate import enumerated
from mineproof.inference.logics.gauss import Gauss
from mineproof.inference.logics.partition import Partition
from mineproof.inference.logics.reductio import Reductio
from mineproof.inference.logics.resolution import Resolution
from mineproof.inference.logics.sat import Sat
from mineproof.inference.logics.single_point import SinglePoint
from mineproof.inference.verdict import Logic, Prover, infer
from mineproof.registry import Catalog

__all__ = ["PROVERS"]


def _once(make: Callable[[], Logic]) -> Prover:
    """Asks a fresh logic for everything it can prove."""
    return lambda view: infer(make(), view)


PROVERS: Catalog[Prover] = Catalog("logic")
PROVERS.add("single-point", _once(SinglePoint))
PROVERS.add("partition", _once(Partition))
PROVERS.add("partition[global]", _once(partial(Partition, use_total=True)))
PROVERS.add("gauss", _once(Gauss))
PROVERS.add("resolution", _once(Resolution))
PROVERS.add("resolution[global=25]", _once(partial(Resolution, total_cells=25)))
PROVERS.add("reductio", _once(Reductio))
PROVERS.add("reductio[global]", _once(partial(Reductio, use_total=True)))
PROVERS.add("sat", _once(Sat))
PROVERS.add("sat[safe-only]", _once(partial(Sat, safe_only=True)))
PROVERS.add("sat[global]", _once(partial(Sat, use_total=True)))
PROVERS.add("exact", exact)
PROVERS.add("enumerate", enumerated)
