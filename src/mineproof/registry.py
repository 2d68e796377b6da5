"""A catalog: the only list of a family's members, by name, with suggestions for wrong names."""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Generic, TypeVar

from mineproof.errors import UnknownName, text_of

Member = TypeVar("Member")


class Catalog(Generic[Member]):
    """Members of one family by name and alias; a failed look-up names the nearest members.

    Iteration and length count names, not aliases.
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._members: dict[str, Member] = {}
        self._aliases: dict[str, str] = {}

    def add(self, name: str, member: Member, *, aliases: tuple[str, ...] = ()) -> Member:
        """List `member` under `name`; a name may be taken once."""
        for taken in (name, *aliases):
            if taken in self:
                raise ValueError(f"{self.kind} {taken!r} is already listed")
        self._members[name] = member
        self._aliases.update(dict.fromkeys(aliases, name))
        return member

    def __getitem__(self, name: str) -> Member:
        text_of(name, self.kind)
        try:
            return self._members[self._aliases.get(name, name)]
        except KeyError:
            raise UnknownName(self.kind, name, self.names) from None

    def get(self, name: str) -> Member | None:
        """The member of this name or alias, if there is one."""
        return self._members.get(self._aliases.get(name, name))

    def __contains__(self, name: object) -> bool:
        return name in self._members or name in self._aliases

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name and alias."""
        return (*self._members, *self._aliases)

    def aliases(self, name: str) -> tuple[str, ...]:
        """The other names of a member."""
        return tuple(alias for alias, full in self._aliases.items() if full == name)


# -- Names that a package loads from their modules when they are first used ----

Homes = Mapping[str, tuple[str, ...]]
"""The names that each module defines; a module without names stands for itself."""


def lazy_exports(
    package: str, homes: Homes, moved: Mapping[str, str] | None = None
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """The `__getattr__`, `__dir__` and `__all__` of a package that loads its names on first use.

    `moved` are names that stand elsewhere now, such as `mineproof.board.World`: they warn.
    """
    home_of = {name: home for home, names in homes.items() for name in names}
    modules = {home.rpartition(".")[2]: home for home, names in homes.items() if not names}

    def load(name: str) -> object:
        if name in modules:
            return importlib.import_module(modules[name])
        if moved is not None and name in moved:
            _warn_of_old(f"{package}.{name}", f"use {moved[name]}")
            home, _, found = moved[name].rpartition(".")
            return getattr(importlib.import_module(home), found)
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(home_of[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *home_of, *modules})

    return load, names, sorted((*home_of, *modules))


# -- Old names: they work for one version more, and warn -----------------------


def _warn_of_old(name: str, new: str) -> None:
    warnings.warn(f"{name} goes with version 0.3; {new}", DeprecationWarning, stacklevel=3)


class OldName:
    """A method that is no longer public: it works for one version more, and warns."""

    def __init__(self, work: Callable[..., Any]) -> None:
        self._work = work

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"{owner.__name__}.{name}"

    def __get__(self, instance: object, owner: type) -> Callable[..., Any]:
        _warn_of_old(self._name, "it was never meant to be public")
        return self._work if instance is None else partial(self._work, instance)
