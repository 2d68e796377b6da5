"""The logics that agents are built from, each with its options and its report's way to guess.

What a logic itself may be told is listed in its class; what an option changes in the agent around
it is listed here. Both are one list to the parser, to `mineproof agents` and to the docs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from mineproof.agents.logic_agent import MoveOrder
from mineproof.agents.players import PLAYERS
from mineproof.inference.logics.exact_logic import ExactLogic
from mineproof.inference.logics.gauss import Gauss
from mineproof.inference.logics.naive_logic import NaiveLogic
from mineproof.inference.logics.option import Option, Takes
from mineproof.inference.logics.partition import Partition
from mineproof.inference.logics.reductio import Reductio
from mineproof.inference.logics.resolution import Resolution
from mineproof.inference.logics.sat import Sat
from mineproof.inference.logics.sequence import Nothing
from mineproof.inference.logics.single_point import SinglePoint
from mineproof.inference.verdict import Logic
from mineproof.registry import Catalog

__all__ = ["LOGICS", "ORDER", "SHARED", "STRATEGIES", "LogicKind", "PolicyOption"]


@dataclass(frozen=True)
class PolicyOption(Option):
    """An option that changes how the agent guesses, not what its logic proves."""

    policy: str = ""


@dataclass(frozen=True)
class LogicKind:
    """A logic, the policy of its report where nothing is proved, and options that change that."""

    make: Callable[..., Logic]
    policy: str
    guessing: tuple[PolicyOption, ...] = ()

    @cached_property
    def options(self) -> Mapping[str, Option]:
        """Its options by name, in the order of its shortest text; those all share are not here."""
        own: tuple[Option, ...] = getattr(self.make, "options", ())
        return {option.name: option for option in (*own, *self.guessing)}


ORDER = Option(
    "order",
    "the same in other words",
    Takes.WORD,
    words=tuple(order.value for order in MoveOrder),
)

_ORDERS = (
    Option(MoveOrder.SAFE_FIRST.value, "plays proved safe cells before proved mines, as by itself"),
    Option(MoveOrder.MINES_FIRST.value, "plays proved mines before proved safe cells"),
)

SHARED: Mapping[str, Option] = {option.name: option for option in (*_ORDERS, ORDER)}
"""Options of every logic: they tell the agent, and stand in the brackets of any of its logics."""

LOGICS: Catalog[LogicKind] = Catalog("logic")
LOGICS.add("none", LogicKind(Nothing, "random"))
LOGICS.add("single-point", LogicKind(SinglePoint, "random"), aliases=("basic",))
LOGICS.add("partition", LogicKind(Partition, "set-risk"))
LOGICS.add("gauss", LogicKind(Gauss, "random"))
LOGICS.add("resolution", LogicKind(Resolution, "stop"))
LOGICS.add(
    "reductio",
    LogicKind(
        Reductio,
        "random",
        (PolicyOption("better-decisions", "guesses as `local-ratio` does", policy="local-ratio"),),
    ),
)
LOGICS.add("sat", LogicKind(Sat, "random"))
LOGICS.add("exact", LogicKind(ExactLogic, "exact-risk"))
LOGICS.add("naive", LogicKind(NaiveLogic, "exact-risk"))
for _name, _player in PLAYERS.items():
    LOGICS.add(_name, LogicKind(_player, _name))

STRATEGIES: Mapping[str, str] = {"RPX": "none", "SPX": "single-point", "SATX": "sat[safe-only]"}
"""Report 2's names for its strategies, read in any letter case, each with what it stands for."""
