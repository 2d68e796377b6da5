"""Runs a module confined: `python -m mineproof.processes.confined CONFINEMENT MODULE`.

The module's `main` runs in a process of its own; `held` says which layers of confinement hold.
"""

from __future__ import annotations

import runpy
import sys

from mineproof.processes.confinement import Confinement, Held, confine

__all__ = ["held", "main"]

_HELD = Held()


def held() -> Held:
    """What holds for this process."""
    return _HELD


def main(confinement: str, module: str) -> None:
    """Confine what follows, and run the module as a program."""
    vars(_HELD).update(vars(confine(Confinement.parse(confinement))))
    # This module runs as the program; whoever imports it by its name is to find this one.
    sys.modules["mineproof.processes.confined"] = sys.modules["__main__"]
    sys.argv[:] = [module]
    runpy.run_module(module, run_name="__main__")


if __name__ == "__main__":
    main(*sys.argv[1:])
