"""Run a module confined: `python -m mineproof.sandbox.confined_child CONFINEMENT MODULE`.

A module of its own because Python loads what it runs with `-m` as `__main__`, and again where
somebody imports it. The module that runs confined asks `confinement` which layers hold, so that
must be there once.
"""

from __future__ import annotations

import runpy
import sys

from mineproof.sandbox.confinement import Confinement, confine


def main(confinement: str, module: str) -> None:
    """Confine what follows, and run the module as a program."""
    confine(Confinement.parse(confinement))
    sys.argv[:] = [module]
    runpy.run_module(module, run_name="__main__")


if __name__ == "__main__":
    main(*sys.argv[1:])
