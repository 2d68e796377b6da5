"""An agent as text: logics, options in brackets, and a guessing policy.

    single-point>sat[safe-only]+corner-first
    reductio[global,mines-first]+exact-risk
    SATX+forced-first+local-ratio

`>` stands between logics, the cheap one first. The policy follows `+`, and is the last logic's own
where it is left out. A policy that may pass, such as `forced-first`, comes before it. `safe-first`
or `mines-first` may stand in any brackets, once; `order=mines-first` says the same. Report 2's
names RPX, SPX and SATX are read in any letter case. `AgentSpec.text` is the shortest text of a
spec, and reads back to an equal one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mineproof.agents.logic_agent import LogicAgent, MoveOrder
from mineproof.agents.logic_kinds import LOGICS, ORDER, SHARED, STRATEGIES, PolicyOption
from mineproof.agents.policies import POLICIES, make_policy
from mineproof.agents.policy import Policy, PolicySequence
from mineproof.errors import InputError, UnknownName, quoted
from mineproof.inference.logics.option import Takes
from mineproof.inference.logics.sequence import LogicSequence
from mineproof.inference.verdict import Logic

__all__ = ["AgentSpec", "LogicSpec", "is_random", "parse_agent"]

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
    """What an agent is made of. `text` and `parse_agent` round-trip.

    `before` are the policies that are asked before `policy` and may pass.
    """

    logics: tuple[LogicSpec, ...]
    policy: str
    order: MoveOrder = MoveOrder.SAFE_FIRST
    before: tuple[str, ...] = ()

    def make(self) -> LogicAgent:
        """A fresh agent."""
        logics = [logic.make() for logic in self.logics]
        logic = logics[0] if len(logics) == 1 else LogicSequence(logics)
        return LogicAgent(logic, self._make_policy(), self.order)

    def _make_policy(self) -> Policy:
        if not self.before:
            return make_policy(self.policy)
        return PolicySequence([make_policy(name) for name in (*self.before, self.policy)])

    @property
    def text(self) -> str:
        if self == AgentSpec((LogicSpec("none"),), RANDOM):
            return RANDOM
        parts = []
        for place, logic in enumerate(self.logics):
            words = logic.words
            if place == 0 and self.order is not MoveOrder.SAFE_FIRST:
                words.append(self.order.value)
            parts.append(logic.name + (f"[{','.join(words)}]" if words else ""))
        own = self.policy == self.logics[-1].policy
        return "+".join([">".join(parts), *self.before, *([] if own else [self.policy])])

    def __str__(self) -> str:
        return self.text


def parse_agent(text: str) -> AgentSpec:
    """The spec of a text. Raises InputError, with a suggestion where a name is wrong."""
    if text == RANDOM:
        return AgentSpec((LogicSpec("none"),), RANDOM)
    sequence, policies = _split(text)
    shared: dict[str, str] = {}
    logics = tuple(_logic(part, shared) for part in sequence)
    names = [logic.name for logic in logics]
    if len(set(names)) < len(names):
        raise InputError(f"agent {quoted(text)} names a logic twice; accepted: each once")
    before, policy = _policies(text, policies)
    if policy is None:
        policy = logics[-1].policy
    else:
        for logic in logics:
            if logic.policy not in (LOGICS[logic.name].policy, policy):
                raise _guesses_in_two_ways(text, logic.policy, policy)
    order = MoveOrder(shared.get(ORDER.name, MoveOrder.SAFE_FIRST))
    return AgentSpec(logics, policy, order, before)


def is_random(text: str) -> bool:
    """Whether a text is a name of the agent `random`; it need not name an agent at all."""
    return text == RANDOM or text.upper() == "RPX"


def _policies(text: str, names: list[str]) -> tuple[tuple[str, ...], str | None]:
    """The policies that may pass, and the one after them if it is named."""
    for name in names:
        if name not in POLICIES:
            raise UnknownName(POLICIES.kind, name, POLICIES)
    if len(set(names)) < len(names):
        raise InputError(f"agent {quoted(text)} names a policy twice; accepted: each once")
    passing = [name for name in names if getattr(POLICIES[name], "passes", False)]
    final = [name for name in names if name not in passing]
    if len(final) > 1:
        raise _guesses_in_two_ways(text, *final[:2])
    if final and names[-1] != final[0]:
        raise InputError(
            f"agent {quoted(text)} never asks {names[-1]}, which comes after {final[0]}; accepted:"
            f" {names[-1]} before it"
        )
    return tuple(passing), final[0] if final else None


def _guesses_in_two_ways(text: str, one: str, other: str) -> InputError:
    return InputError(
        f"agent {quoted(text)} guesses in two ways; accepted: one of {one} and {other}"
    )


def _split(text: str) -> tuple[list[str], list[str]]:
    """The logics of a text and its policies."""
    tokens = _PARTS.findall(text)
    accepted = "accepted: LOGIC[OPTION,...]>LOGIC+POLICY"
    if "".join(tokens) != text or any(token in ("[", "]") for token in tokens):
        raise InputError(f"agent {quoted(text)} has unmatched brackets; {accepted}")
    parts, marks = tokens[::2], tokens[1::2]
    if not parts or len(tokens) % 2 == 0 or any(part in ">+" for part in parts):
        raise InputError(f"agent {quoted(text)} has an empty part; {accepted}")
    first = marks.index("+") if "+" in marks else len(marks)
    if marks != [">"] * first + ["+"] * (len(marks) - first):
        raise InputError(f"agent {quoted(text)} cannot be read; {accepted}")
    return parts[: first + 1], parts[first + 1 :]


def _logic(text: str, shared: dict[str, str]) -> LogicSpec:
    """The logic of a text; what its brackets tell the agent goes to `shared`."""
    match = _LOGIC.fullmatch(text)
    if match is None:
        raise InputError(
            f"logic {quoted(text)} cannot be read; accepted: LOGIC[OPTION,...], one pair of"
            " brackets"
        )
    full, said = _full_name(match["name"])
    own = LOGICS[full].options
    known = {**own, **SHARED}
    given: dict[str, str | None] = dict(said)
    for name, value in _options(full, match["options"]):
        if name not in known:
            accepted = [option.form for option in known.values()]
            raise UnknownName(f"option of {full}", name, known, accepted=accepted)
        if name in given and name not in dict(said):
            raise InputError(f"option {name} of {full} is given twice")
        read = known[name].read(value)
        if name in own:
            given[name] = None if known[name].takes is Takes.NOTHING else f"{read}"
        elif ORDER.name in shared:
            raise InputError(
                f"option {ORDER.name} of {full} is given twice; accepted: one of"
                f" {' and '.join(ORDER.words)}"
            )
        else:
            shared[ORDER.name] = f"{read}" if name == ORDER.name else name
    return LogicSpec(full, tuple((name, given[name]) for name in own if name in given))


def _full_name(name: str) -> tuple[str, tuple[tuple[str, str | None], ...]]:
    """The name of a logic and the options it implies, for any of its names. Raises UnknownName."""
    if name.upper() in STRATEGIES:
        meant = parse_agent(STRATEGIES[name.upper()]).logics[0]
        return meant.name, meant.options
    if name not in LOGICS:
        raise UnknownName(LOGICS.kind, name, [*LOGICS.names, *STRATEGIES])
    kind = LOGICS[name]
    return next(full for full in LOGICS if LOGICS[full] is kind), ()


def _options(logic: str, text: str | None) -> Iterator[tuple[str, str | None]]:
    if text is None:
        return
    for word in text.split(","):
        name, equals, value = word.strip().partition("=")
        if not name:
            raise InputError(f"logic {logic} has an empty option; accepted: {logic}[OPTION,...]")
        yield name, value if equals else None
