"""One engine a file; the catalog of engines that prove cells safe or mines.

An engine answers for one position from scratch; the logics behind them follow a game. The names are
those of the logics, with their options: `partition[global]` uses the mine total.
"""

from collections.abc import Callable

from mineproof.inference.enumerate import enumerated
from mineproof.inference.exact import exact
from mineproof.inference.gauss import gauss
from mineproof.inference.partition import Partition, partition
from mineproof.inference.reductio import Reductio, reductio
from mineproof.inference.resolution import Resolution, resolution
from mineproof.inference.sat import Sat, sat
from mineproof.inference.single_point import single_point
from mineproof.inference.verdict import Engine, Logic, Premises, Verdict, infer
from mineproof.registry import Catalog

__all__ = ["ENGINES", "Engine", "Logic", "Premises", "Verdict"]


def _engine(make: Callable[[], Logic]) -> Engine:
    """The engine that asks a fresh logic of everything it can prove."""
    return lambda view: infer(make(), view)


ENGINES: Catalog[Engine] = Catalog("engine")
ENGINES.add("single-point", single_point)
ENGINES.add("partition", partition)
ENGINES.add("partition[global]", _engine(lambda: Partition(use_total=True)))
ENGINES.add("gauss", gauss)
ENGINES.add("resolution", resolution)
ENGINES.add("resolution[global=25]", _engine(lambda: Resolution(total_cells=25)))
ENGINES.add("reductio", reductio)
ENGINES.add("reductio[global]", _engine(lambda: Reductio(use_total=True)))
ENGINES.add("sat", sat)
ENGINES.add("sat[safe-only]", _engine(lambda: Sat(safe_only=True)))
ENGINES.add("sat[global]", _engine(lambda: Sat(use_total=True)))
ENGINES.add("exact", exact)
ENGINES.add("enumerate", enumerated)
