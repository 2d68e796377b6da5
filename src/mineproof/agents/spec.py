"""An agent as text: logics, options in brackets, and a guessing policy.

    single-point>sat[safe-only]+corner-first
    reductio[global,order=mines-first]+exact-risk

`>` stands between logics, the cheap one first. The policy follows `+`, and is the last logic's own
where it is left out. `order=safe-first` or `order=mines-first` may stand in any brackets, once.
`AgentSpec.text` is the shortest text of a spec, and reads back to an equal one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mineproof.agents.logic_agent import LogicAgent, MoveOrder
from mineproof.agents.logic_kinds import LOGICS, ORDER, SHARED, PolicyOption
from mineproof.agents.policies import POLICIES
from mineproof.errors import InputError, UnknownName, quoted
from mineproof.inference.logics.option import Takes
from mineproof.inference.logics.sequence import LogicSequence
from mineproof.inference.verdict import Logic

__all__ = ["AgentSpec", "LogicSpec", "parse_agent"]

_LOGIC = re.compile(r"(?P<name>[^\[\]]*)(?:\[(?P<options>[^\[\]]*)\])?")
_PARTS = re.compile(r"(?:[^\[\]>+]|\[[^\[\]]*\])+|[>+\[\]]")
RANDOM = "random"


@dataclass(frozen=True)
class LogicSpec:
    """A logic by its full name, with its options as (name, value) in the catalog's order."""

    name: str
    options: tuple[tuple[str, str | None], ...] = ()

    def make(self) -> Logic:
        """A fresh logic."""
        return LOGICS[self.name].make(**self.keywords)

    @property
    def keywords(self) -> dict[str, Any]:
        """What its options tell the logic."""
        known = LOGICS[self.name].options
        return {
            known[name].sets: known[name].read(value)
            for name, value in self.options
            if not isinstance(known[name], PolicyOption)
        }

    @property
    def policy(self) -> str:
        """What this logic's report does where nothing is proved, with these options."""
        kind = LOGICS[self.name]
        chosen = [kind.options[name] for name, _ in self.options]
        return next((o.policy for o in chosen if isinstance(o, PolicyOption)), kind.policy)

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
                words.append(f"{ORDER.name}={self.order.value}")
            parts.append(logic.name + (f"[{','.join(words)}]" if words else ""))
        sequence = ">".join(parts)
        return sequence if self.policy == self.logics[-1].policy else f"{sequence}+{self.policy}"

    def __str__(self) -> str:
        return self.text


def parse_agent(text: str) -> AgentSpec:
    """The spec of a text. Raises InputError, with a suggestion where a name is wrong."""
    if text == RANDOM:
        return AgentSpec((LogicSpec("none"),), RANDOM)
    sequence, policy = _split(text)
    shared: dict[str, str] = {}
    logics = tuple(_logic(part, shared) for part in sequence)
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
    return AgentSpec(logics, policy, MoveOrder(shared.get(ORDER.name, MoveOrder.SAFE_FIRST)))


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


def _logic(text: str, shared: dict[str, str]) -> LogicSpec:
    """The logic of a text; what its brackets tell the agent goes to `shared`."""
    match = _LOGIC.fullmatch(text)
    if match is None:
        raise InputError(
            f"logic {quoted(text)} cannot be read; accepted: LOGIC[OPTION,...], one pair of"
            " brackets"
        )
    full = _full_name(match["name"])
    own = LOGICS[full].options
    known = {**own, **SHARED}
    given: dict[str, str | None] = {}
    for name, value in _options(full, match["options"]):
        if name not in known:
            accepted = [option.form for option in known.values()]
            raise UnknownName(f"option of {full}", name, known, accepted=accepted)
        if name in given or name in shared:
            raise InputError(f"option {name} of {full} is given twice")
        read = known[name].read(value)
        if name in own:
            given[name] = None if known[name].takes is Takes.NOTHING else f"{read}"
        else:
            shared[name] = f"{read}"
    return LogicSpec(full, tuple((name, given[name]) for name in own if name in given))


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
