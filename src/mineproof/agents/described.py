"""One agent, logic or policy told in full: what it proves, from what, and how it guesses."""

from __future__ import annotations

import inspect
import re
import sys
from dataclasses import dataclass

from mineproof.agents.catalog import AGENTS, make_agent
from mineproof.agents.logic_kinds import LOGICS, SHARED, STRATEGIES
from mineproof.agents.players import PLAYERS
from mineproof.agents.policies import POLICIES
from mineproof.agents.spec import AgentSpec, LogicSpec, parse_agent
from mineproof.errors import UnknownName
from mineproof.inference.logics.option import Option

__all__ = ["Described", "describe", "policy_line"]

_NONE = "none"


@dataclass(frozen=True)
class Described:
    """What there is to tell about a name. `text` is in paragraphs; other parts may be empty."""

    kind: str
    name: str
    aliases: tuple[str, ...]
    report: str
    proves: str
    uses: str
    guesses: str
    options: tuple[Option, ...]
    text: tuple[str, ...]
    example: str


def describe(name: str) -> Described:
    """What a name stands for: an agent or its text, a logic, or a guessing policy.

    Raises UnknownName, with the nearest of all of these, and InputError for a wrong text.
    """
    if name in POLICIES and name not in AGENTS:
        return _policy(name)
    known = tuple(dict.fromkeys((*AGENTS.names, *LOGICS, *POLICIES)))
    plain = not set(name) & set("[]>+")
    if plain and name not in known and name.upper() not in STRATEGIES:
        raise UnknownName("agent, logic or policy", name, known)
    if name != _NONE and not (plain and name.upper() in STRATEGIES):
        make_agent(name)  # a name is an agent or refused with a reason
    return _agent(parse_agent(name))


def policy_line(name: str) -> str:
    """What a policy does, in one sentence."""
    sentence = re.split(r"(?<=[^.]\.)\s", _policy_text(name)[0])[0]
    return sentence.removesuffix(".").removeprefix(f"{name}: ")


def _policy(name: str) -> Described:
    return Described(
        "policy",
        name,
        (),
        _report_in(_policy_text(name)[0]),
        "",
        "",
        policy_line(name),
        (),
        _policy_text(name),
        f"mineproof play --board 9x9/10 --agent sat+{name}",
    )


def _agent(spec: AgentSpec) -> Described:
    listed = AGENTS.get(spec.text)
    proving = [logic for logic in spec.logics if logic.name != _NONE]
    asked = (*spec.before, spec.policy)
    told = [paragraph for logic in proving for paragraph in _logic_text(logic)]
    if listed is None or not proving:
        told += [paragraph for policy in asked for paragraph in _policy_text(policy)]
    quote = '"' if set(spec.text) & set("[]>") else ""
    return Described(
        "agent",
        spec.text,
        AGENTS.aliases(spec.text) if listed else (),
        listed.report if listed else "",
        listed.logic if listed else ", then ".join(_proves(logic) for logic in proving),
        listed.information if listed else "",
        f"{listed.otherwise} (policy {spec.policy})"
        if listed
        else "; else ".join(f"{policy_line(policy)} (policy {policy})" for policy in asked),
        tuple(option for logic in proving for option in LOGICS[logic.name].options.values())
        + (tuple(SHARED.values()) if proving else ()),
        tuple(dict.fromkeys(told)),
        f"mineproof play --board 9x9/10 --agent {quote}{spec.text}{quote}",
    )


def _proves(logic: LogicSpec) -> str:
    said = AGENTS[logic.name].logic
    return f"{said} [{','.join(logic.words)}]" if logic.options else said


def _logic_text(logic: LogicSpec) -> tuple[str, ...]:
    return _paragraphs(sys.modules[LOGICS[logic.name].make.__module__].__doc__)


def _policy_text(name: str) -> tuple[str, ...]:
    """The doc of a function; of a policy that is a class, its line and what its module says."""
    policy = POLICIES[name]
    if name in PLAYERS:
        return _paragraphs(sys.modules[PLAYERS[name].__module__].__doc__)
    own = _paragraphs(inspect.getdoc(policy))
    if isinstance(policy, type):
        return own[:1] + _paragraphs(sys.modules[policy.__module__].__doc__)[1:]
    return own


def _paragraphs(doc: str | None) -> tuple[str, ...]:
    """The paragraphs of a docstring as plain prose, its examples left out."""
    blocks = re.split(r"\n\n|\n(?=\d+\. )", inspect.cleandoc(doc or ""))
    prose = [" ".join(block.split()) for block in blocks if not block.startswith(">>>")]
    return tuple(text.replace("`", "") for text in prose)


def _report_in(text: str) -> str:
    found = re.search(r"reports? ([\d and,]*\d)", text)
    return found[1] if found else ""
