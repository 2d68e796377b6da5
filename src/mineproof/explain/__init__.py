"""Proofs, smallest premises, a checker that needs no engine, sentences and drawings.

The package can be called: `mineproof.explain(view, cell)` is `mineproof.explain.explain.explain`,
whether the name was looked up before or after the package was loaded.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    """A module that answers a call as its function of the same name does."""

    def __call__(self, *arguments: Any, **named: Any) -> object:
        from mineproof.explain.explain import explain

        return explain(*arguments, **named)


sys.modules[__name__].__class__ = _Callable
