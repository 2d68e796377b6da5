"""A catalog: the only list of a family's members, by name, with suggestions for wrong names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from mineproof.errors import UnknownName, text_of

__all__ = ["Catalog"]

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
