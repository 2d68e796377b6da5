"""The only module that imports the compiled core, `mineproof._core`.

Ask `available()`, then call through `core`. Where the core was not compiled, or the environment
variable MINEPROOF_CORE is `off`, `core` is None at run time. Dealing, exact analyses, the endgame
and optimal play then run as readable Python twins: same results, less speed. The players `swift`
and `champion`, and estimates of the chance to win, have no twin: they raise an error that says so.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING

__all__ = ["available", "core", "describe"]

if TYPE_CHECKING:
    # Calls are checked against the stub, so the type says "module" and leaves out the None.
    from mineproof import _core as core
elif os.environ.get("MINEPROOF_CORE", "").lower() in {"off", "0", "no"}:
    core = None
else:
    try:
        core = importlib.import_module("mineproof._core")
    except ModuleNotFoundError as error:
        if error.name != "mineproof._core":
            raise
        core = None


def available() -> bool:
    """Whether the compiled core runs."""
    return core is not None


def describe() -> str:
    """Which core runs, for people: `C++ core, g++ 12.2` or `Python twins (no compiled core)`."""
    if not available():
        return "Python twins (no compiled core)"
    return f"C++ core, {core.build_info()['compiler']}"
