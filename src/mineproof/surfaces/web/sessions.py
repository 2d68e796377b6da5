"""Things kept in memory for players, by a name nobody can guess, until they are idle too long."""

from __future__ import annotations

import secrets
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from mineproof.errors import quoted
from mineproof.surfaces.web.faults import Refused

__all__ = ["Sessions"]

T = TypeVar("T")

_MOST_REMEMBERED = 10_000


@dataclass
class _Kept(Generic[T]):
    value: T
    weight: int
    used: float
    owner: str


class Sessions(Generic[T]):
    """Values by name, the longest idle first. Safe to use from several threads.

    There are never more than `most`, nor more than `most_each` of one owner, nor more than
    `most_weight` together, and none that was idle for longer than `idle` seconds of the clock. Who
    asks for one that was let go is told why.
    """

    def __init__(
        self,
        kind: str,
        most: int,
        most_weight: int,
        idle: float,
        clock: Callable[[], float],
        most_each: int | None = None,
    ) -> None:
        self._kind = kind
        self._most, self._most_weight, self._idle = most, most_weight, idle
        self._clock = clock
        self._most_each = most if most_each is None else most_each
        self._owned: Counter[str] = Counter()
        self._kept: OrderedDict[str, _Kept[T]] = OrderedDict()
        self._weight = 0
        self._gone: OrderedDict[str, str] = OrderedDict()
        """Why each was let go."""
        self._lock = threading.Lock()

    def add(self, value: T, weight: int, owner: str = "") -> str:
        """Keep a value and return its name; others make room, first those of the same owner."""
        name = secrets.token_urlsafe(15)
        with self._lock:
            self._expire()
            while self._owned[owner] >= self._most_each:
                own = next(name for name, kept in self._kept.items() if kept.owner == owner)
                self._drop(own, f"was one of more than {self._most_each} from one address")
            while self._kept and (
                len(self._kept) >= self._most or self._weight + weight > self._most_weight
            ):
                self._drop(next(iter(self._kept)), "made room for newer ones")
            self._kept[name] = _Kept(value, weight, self._clock(), owner)
            self._weight += weight
            self._owned[owner] += 1
        return name

    def get(self, name: str) -> T:
        """The value of a name, which counts as used. Raises Refused."""
        with self._lock:
            self._expire()
            kept = self._kept.get(name)
            if kept is None:
                if name in self._gone:
                    raise Refused("gone", f"the {self._kind} {self._gone[name]}; begin another")
                raise Refused("not-found", f"there is no {self._kind} {quoted(name)}")
            kept.used = self._clock()
            self._kept.move_to_end(name)
            return kept.value

    def __len__(self) -> int:
        with self._lock:
            return len(self._kept)

    def _expire(self) -> None:
        now = self._clock()
        while self._kept and now - next(iter(self._kept.values())).used > self._idle:
            self._drop(next(iter(self._kept)), "was idle for too long")

    def _drop(self, name: str, why: str) -> None:
        kept = self._kept.pop(name)
        self._weight -= kept.weight
        self._owned[kept.owner] -= 1
        if not self._owned[kept.owner]:
            del self._owned[kept.owner]
        self._gone[name] = why
        if len(self._gone) > _MOST_REMEMBERED:
            self._gone.popitem(last=False)
