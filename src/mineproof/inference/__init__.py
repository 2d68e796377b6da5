"""One engine a file; the catalog of engines that prove cells safe or mines."""

from mineproof.inference.enumerate import enumerated
from mineproof.inference.single_point import single_point
from mineproof.inference.verdict import Engine, Logic, Premises, Verdict
from mineproof.registry import Catalog

__all__ = ["ENGINES", "Engine", "Logic", "Premises", "Verdict"]

ENGINES: Catalog[Engine] = Catalog("engine")
ENGINES.add("single-point", single_point)
ENGINES.add("enumerate", enumerated)
