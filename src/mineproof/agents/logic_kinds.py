"""The logics that agents are built from: what each can be told, and its report's own choices."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from mineproof.agents.core_logic import PLAYERS, CoreLogic
from mineproof.errors import InputError, quoted
from mineproof.inference.logics.exact_logic import ExactLogic
from mineproof.inference.logics.gauss import Gauss
from mineproof.inference.logics.naive_logic import NaiveLogic
from mineproof.inference.logics.partition import Partition
from mineproof.inference.logics.reductio import Reductio
from mineproof.inference.logics.resolution import Resolution
from mineproof.inference.logics.sat import Sat
from mineproof.inference.logics.sequence import Nothing
from mineproof.inference.logics.single_point import SinglePoint
from mineproof.inference.verdict import Logic
from mineproof.registry import Catalog

_SHARE = re.compile(r"\d|\d?\.\d{1,20}|\d(\.\d{1,20})?e-\d{1,3}", re.ASCII)

__all__ = ["LOGICS", "LogicKind", "Option"]


@dataclass(frozen=True)
class Option:
    """An option in brackets: a word alone, or `word=NUMBER` where it `counts` or is a `share`.

    It sets a keyword of the logic, or the guessing policy, or both.
    """

    keyword: str | None = None
    counts: bool = False
    policy: str | None = None
    share: bool = False

    @property
    def valued(self) -> bool:
        """Whether it needs a value."""
        return self.counts or self.share

    def value(self, name: str, text: str | None) -> Any:
        """What the option sets its keyword to. Raises InputError."""
        if self.share:
            if text is None or not _SHARE.fullmatch(text) or float(text) > 1:
                raise InputError(
                    f"option {name} needs a share; accepted: 0 to 1, such as {name}=0.4 or 2e-7"
                )
            return float(text)
        if not self.counts:
            if text is not None:
                raise InputError(f"option {name} takes no value, not {quoted(text)}")
            return True
        if text is None or not (text.isascii() and text.isdigit() and len(text) <= 6):
            raise InputError(f"option {name} needs a number; accepted: such as {name}=25")
        return int(text)


@dataclass(frozen=True)
class LogicKind:
    """A logic, its options, and what its report does where nothing is proved."""

    make: Callable[..., Logic]
    policy: str
    options: Mapping[str, Option] = field(default_factory=dict)


_GLOBAL = Option("use_total")

LOGICS: Catalog[LogicKind] = Catalog("logic")
LOGICS.add("none", LogicKind(Nothing, "random"))
LOGICS.add("single-point", LogicKind(SinglePoint, "random"), aliases=("basic",))
LOGICS.add("partition", LogicKind(Partition, "set-risk", {"global": _GLOBAL}))
LOGICS.add("gauss", LogicKind(Gauss, "random"))
LOGICS.add(
    "resolution", LogicKind(Resolution, "stop", {"global": Option("total_cells", counts=True)})
)
LOGICS.add(
    "reductio",
    LogicKind(
        Reductio, "random", {"global": _GLOBAL, "better-decisions": Option(policy="local-ratio")}
    ),
)
LOGICS.add("sat", LogicKind(Sat, "random", {"safe-only": Option("safe_only"), "global": _GLOBAL}))
LOGICS.add("exact", LogicKind(ExactLogic, "exact-risk", {"at-once": Option("at_once")}))
LOGICS.add("naive", LogicKind(NaiveLogic, "exact-risk"))
for _player in PLAYERS:
    LOGICS.add(
        _player,
        LogicKind(
            partial(CoreLogic, _player),
            _player,
            {
                name: Option(name, counts=kind is int, share=kind is float)
                for name, kind in PLAYERS[_player].items()
            },
        ),
    )
