"""An agent as text: logics, options in brackets, and a guessing policy.

    single-point>sat[safe-only]+corner-first
    reductio[global,order=mines-first]+exact-risk

Logics are chained by `>`, the cheap one first; the policy follows `+`, and is the last logic's own
where it is left out. `order=safe-first` or `order=mines-first` may stand in any brackets, once.
`AgentSpec.text` is the shortest text of a spec, and reads back to an equal one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mineproof.agents.logic_agent import LogicAgent, MoveOrder
from mineproof.agents.logic_kinds import LOGICS
from mineproof.agents.policies import POLICIES
from mineproof.errors import InputError, UnknownName, quoted
from mineproof.inference.logics.sequence import LogicSequence
from mineproof.inference.verdict import Logic

__all__ = ["AgentSpec", "LogicSpec", "parse_agent"]

_LOGIC = re.compile(r"(?P<name>[^\[\]]*)(?:\[(?P<options>[^\[\]]*)\])?")
_PARTS = re.compile(r"(?:[^\[\]>+]|\[[^\[\]]*\])+|[>+\[\]]")
_ORDER = "order"
RANDOM = "random"


@dataclass(frozen=True)
class LogicSpec:
    """A logic by its full name, with its options as (name, value) in the catalog's order."""

    name: str
    options: tuple[tuple[str, str | None], ...] = ()

    def make(self) -> Logic:
        """A fresh logic."""
        kind = LOGICS[self.name]
        keywords = {}
        for name, value in self.options:
            option = kind.options[name]
            set_to = option.value(name, value)
            if option.keyword is not None:
                keywords[option.keyword] = set_to
        return kind.make(**keywords)

    @property
    def policy(self) -> str:
        """What this logic's report does where nothing is proved, with these options."""
        kind = LOGICS[self.name]
        chosen = [kind.options[name].policy for name, _ in self.options]
        return next((policy for policy in chosen if policy is not None), kind.policy)

    @property
    def words(self) -> list[str]:
        return [name if value is None else f"{name}={value}" for name, value in self.options]


@dataclass(frozen=True)
class AgentSpec:
    """What an agent is made of. `text` and `parse_agent` round-trip."""

    logics: tuple[LogicSpec, ...]
    policy: str
    order: MoveOrder = MoveOrder.SAFE_FIRST

    def make(self) -> LogicAgent:
        """A fresh agent."""
        logics = [logic.make() for logic in self.logics]
        logic = logics[0] if len(logics) == 1 else LogicSequence(logics)
        return LogicAgent(logic, POLICIES[self.policy], self.order)

    @property
    def text(self) -> str:
        if self == AgentSpec((LogicSpec("none"),), RANDOM):
            return RANDOM
        parts = []
        for place, logic in enumerate(self.logics):
            words = logic.words
            if place == 0 and self.order is not MoveOrder.SAFE_FIRST:
                words.append(f"{_ORDER}={self.order.value}")
            parts.append(logic.name + (f"[{','.join(words)}]" if words else ""))
        chain = ">".join(parts)
        return chain if self.policy == self.logics[-1].policy else f"{chain}+{self.policy}"

    def __str__(self) -> str:
        return self.text


def parse_agent(text: str) -> AgentSpec:
    """The spec of a text. Raises InputError, with a suggestion where a name is wrong."""
    if text == RANDOM:
        return AgentSpec((LogicSpec("none"),), RANDOM)
    chain, policy = _split(text)
    orders: list[MoveOrder] = []
    logics = tuple(_logic(part, orders) for part in chain)
    if len(orders) > 1:
        raise InputError(f"agent {quoted(text)} gives the order twice")
    names = [logic.name for logic in logics]
    if len(set(names)) < len(names):
        raise InputError(f"agent {quoted(text)} names a logic twice; accepted: each once")
    if policy is None:
        policy = logics[-1].policy
    elif policy not in POLICIES:
        raise UnknownName(POLICIES.kind, policy, POLICIES)
    else:
        for logic in logics:
            if logic.policy not in (LOGICS[logic.name].policy, policy):
                raise InputError(
                    f"agent {quoted(text)} guesses in two ways; accepted: one of"
                    f" {logic.policy} and {policy}"
                )
    return AgentSpec(logics, policy, orders[0] if orders else MoveOrder.SAFE_FIRST)


def _split(text: str) -> tuple[list[str], str | None]:
    """The logics of a text and its policy."""
    tokens = _PARTS.findall(text)
    accepted = "accepted: LOGIC[OPTION,...]>LOGIC+POLICY"
    if "".join(tokens) != text or any(token in ("[", "]") for token in tokens):
        raise InputError(f"agent {quoted(text)} has unmatched brackets; {accepted}")
    parts, marks = tokens[::2], tokens[1::2]
    if not parts or len(tokens) % 2 == 0 or any(part in ">+" for part in parts):
        raise InputError(f"agent {quoted(text)} has an empty part; {accepted}")
    if any(mark not in ">+" for mark in marks) or "+" in marks[:-1]:
        raise InputError(f"agent {quoted(text)} cannot be read; {accepted}")
    if marks and marks[-1] == "+":
        return parts[:-1], parts[-1]
    return parts, None


def _logic(text: str, orders: list[MoveOrder]) -> LogicSpec:
    match = _LOGIC.fullmatch(text)
    if match is None:
        raise InputError(
            f"logic {quoted(text)} cannot be read; accepted: LOGIC[OPTION,...], one pair of"
            " brackets"
        )
    full = _full_name(match["name"])
    kind = LOGICS[full]
    given: dict[str, str | None] = {}
    for name, value in _options(full, match["options"]):
        if name == _ORDER:
            orders.append(_order(value))
        elif name not in kind.options:
            raise UnknownName(f"option of {full}", name, [*kind.options, _ORDER])
        elif name in given:
            raise InputError(f"option {name} of {full} is given twice")
        else:
            set_to = kind.options[name].value(name, value)
            given[name] = f"{set_to}" if kind.options[name].valued else None
    return LogicSpec(full, tuple((name, given[name]) for name in kind.options if name in given))


def _full_name(name: str) -> str:
    """The name of a logic, for any of its names. Raises UnknownName."""
    kind = LOGICS[name]
    return next(full for full in LOGICS if LOGICS[full] is kind)


def _options(logic: str, text: str | None) -> Iterator[tuple[str, str | None]]:
    if text is None:
        return
    for word in text.split(","):
        name, equals, value = word.strip().partition("=")
        if not name:
            raise InputError(f"logic {logic} has an empty option; accepted: {logic}[OPTION,...]")
        yield name, value if equals else None


def _order(value: str | None) -> MoveOrder:
    for order in MoveOrder:
        if order.value == value:
            return order
    accepted = ", ".join(order.value for order in MoveOrder)
    raise InputError(f"order {quoted(value or '')} is unknown; accepted: {accepted}")
