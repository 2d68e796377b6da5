"""Names of a package that are loaded from their homes when they are first used."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping

__all__ = ["exports"]

Homes = Mapping[str, tuple[str, ...]]


def exports(package: str, homes: Homes) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package, given the names that each module is home to.

    A module that is home to no names stands for itself, under its own last name.
    """
    home_of = {name: home for home, names in homes.items() for name in names}
    modules = {home.rpartition(".")[2]: home for home, names in homes.items() if not names}

    def load(name: str) -> object:
        if name in modules:
            return importlib.import_module(modules[name])
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(home_of[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *home_of, *modules})

    return load, listed
