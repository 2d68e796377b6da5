"""The catalog of agents, the text that names one, and its description.

`AGENTS` is the only list of their names. Any other combination of logics, options and policy is an
agent too, named by the text that `parse_agent` reads.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mineproof.agents.agent import Agent, AgentFactory, LogicAgent, MoveOrder, PolicySequence
from mineproof.agents.players import PLAYERS
from mineproof.agents.policies import POLICIES, make_policy
from mineproof.engine.analysis import Logic
from mineproof.errors import InputError, UnknownName, quoted
from mineproof.logics.base import LogicSequence, NoLogic, Option, OptionValue, SinglePoint
from mineproof.logics.exact import ExactLogic, NaiveLogic
from mineproof.logics.gauss import Gauss
from mineproof.logics.partition import Partition
from mineproof.logics.reductio import Reductio
from mineproof.logics.resolution import Resolution
from mineproof.logics.sat import Sat
from mineproof.registry import Catalog

# ----------------------------------------------------------------------------
# The logics that agents are built from, each with its options and its report's way to guess.
#
# What a logic itself may be told is listed in its class; what an option changes in the agent around
# it is listed here. Both are one list to the parser, to `mineproof agents` and to the docs.


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
    OptionValue.WORD,
    words=tuple(order.value for order in MoveOrder),
)

_ORDERS = (
    Option(MoveOrder.SAFE_FIRST.value, "plays proved safe cells before proved mines (the default)"),
    Option(MoveOrder.MINES_FIRST.value, "plays proved mines before proved safe cells"),
)

SHARED: Mapping[str, Option] = {option.name: option for option in (*_ORDERS, ORDER)}
"""Options of every logic: they tell the agent, and stand in the brackets of any of its logics."""

LOGICS: Catalog[LogicKind] = Catalog("logic")
LOGICS.add("none", LogicKind(NoLogic, "random"))
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


# ----------------------------------------------------------------------------
# An agent as text: logics, options in brackets, and a guessing policy.
#
#     single-point>sat[safe-only]+corner-first
#     reductio[global,mines-first]+exact-risk
#     SATX+forced-first+local-ratio
#
# `>` stands between logics, the cheap one first. The policy follows `+`, and is the last logic's
# own where it is left out. A policy that may pass, such as `forced-first`, comes before it. `safe-
# first` or `mines-first` may stand in any brackets, once; `order=mines-first` says the same. Report
# 2's names RPX, SPX and SATX are read in any letter case. `AgentSpec.text` is the shortest text of
# a spec, and reads back to an equal one.

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
        """The keyword arguments that its options give to the logic."""
        known = LOGICS[self.name].options
        return {
            known[name].sets: known[name].read(value)
            for name, value in self.options
            if not isinstance(known[name], PolicyOption)
        }

    @property
    def policy(self) -> str:
        """The guessing policy of this logic's report, with these options."""
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
        policies = [make_policy(name) for name in (*self.before, self.policy)]
        policy = PolicySequence(policies) if self.before else policies[0]
        return LogicAgent(logic, policy, self.order)

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
            given[name] = None if known[name].takes is OptionValue.NOTHING else f"{read}"
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


# -- The catalog itself --------------------------------------------------------


@dataclass(frozen=True)
class CatalogEntry:
    """An agent as the catalog lists it."""

    make: AgentFactory
    report: str
    logic: str
    otherwise: str
    information: str = "the clues"
    """The information it uses by default; an option may add to it."""
    options: tuple[Option, ...] = ()
    """What its logic may be told in brackets, less the options that all logics share."""
    about: str = ""
    """What it does, for people who look on."""


AGENTS: Catalog[CatalogEntry] = Catalog("agent")


def _list(
    name: str,
    report: str,
    logic: str,
    otherwise: str,
    information: str = "the clues",
    aliases: tuple[str, ...] = (),
) -> None:
    spec = parse_agent(name)
    options = tuple(LOGICS[spec.logics[0].name].options.values())
    listed = CatalogEntry(spec.make, report, logic, otherwise, information, options, _ABOUT[name])
    AGENTS.add(name, listed, aliases=aliases)


_ABOUT = {
    "random": "Opens any hidden cell and reads no numbers: what luck alone is worth.",
    "single-point": "Looks at one number at a time, as beginners do; stuck, it guesses at random.",
    "partition": "Compares numbers that share cells; stuck, it guesses where a set looks safest.",
    "resolution": "A textbook of logic: clues become clauses. It never guesses; stuck, it stops.",
    "reductio": "Supposes the contrary and looks for a clash; stuck, it guesses at random.",
    "sat": "Finds all that the clues prove, with a SAT solver; stuck, it guesses at random.",
    "sat[safe-only]": "As sat, but it looks for safe cells only and sets no flags.",
    "gauss": "Solves the numbers as equations; stuck, it guesses at random.",
    "exact": "Counts every layout that fits: finds all that is certain, else takes the least risk.",
    "swift": "As exact, but guesses where the next number will help, and plays the end perfectly.",
    "champion": "The strongest here: as swift, and it plays close calls out before it guesses.",
    "naive": "Counts layouts as if no clue could be wrong, also where clues may be wrong.",
}


_list("random", "2 (RPX)", "none", "opens any hidden cell", "nothing", aliases=("RPX",))
_list(
    "single-point",
    "0 (basic), 2 (SPX)",
    "one clue at a time",
    "a random cell",
    aliases=("basic", "SPX"),
)
_list(
    "partition",
    "1",
    "overlapping clue sets split into parts",
    "a cell of the set with the least risk on its own",
)
_list(
    "resolution",
    "4",
    "clauses, unit propagation, subsumption, resolution",
    "stops",
    "the clues; the total when at most 9 cells are unmarked",
)
_list("reductio", "0", "equations, contradiction by depth-first search", "a random cell")
_list("sat", "2", "cardinality constraints in a SAT solver", "a random cell")
_list(
    "sat[safe-only]", "2 (SATX)", "as sat, but only safe cells", "a random cell", aliases=("SATX",)
)
_list("gauss", "0 (improvement)", "linear elimination with bounds", "a random cell")
_list(
    "exact",
    "1 and 2 (improvement)",
    "the exact engine",
    "the least exact risk",
    "the clues and the total",
)
_list(
    "swift",
    "the champion",
    "the exact engine, in the core",
    "looks one clue ahead; best play at the end",
    "the clues and the total",
)
_list(
    "champion",
    "the champion",
    "the exact engine, in the core",
    "as swift, with rollouts where cells are close",
    "the clues and the total",
)
_list(
    "naive",
    "1 (bonus)",
    "the exact engine with every clue believed; drops the newest of clues that clash",
    "the least risk were the clues exact",
    "the clues and the total",
)


def make_agent(text: str) -> Agent:
    """A fresh agent by its name or its text, such as `single-point>sat+corner-first`.

    Raises InputError; UnknownName suggests the nearest name.
    """
    if text in AGENTS:
        return AGENTS[text].make()
    if not set(text) & set("[]>+") and text not in LOGICS and text.upper() not in STRATEGIES:
        if text in POLICIES:
            raise UnknownName("agent", text, [f"none+{text}", *AGENTS])
        raise UnknownName("agent", text, AGENTS.names)
    return parse_agent(text).make()


# -- One agent, logic or policy described in full: what it proves, from what, and how it guesses --

_NONE = "none"


@dataclass(frozen=True)
class AgentDescription:
    """The description of a name. `text` is in paragraphs; other parts may be empty."""

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


def describe(name: str) -> AgentDescription:
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


def _policy(name: str) -> AgentDescription:
    report = re.search(r"reports? ([\d and,]*\d)", _policy_text(name)[0])
    return AgentDescription(
        "policy",
        name,
        (),
        report[1] if report else "",
        "",
        "",
        policy_line(name),
        (),
        _policy_text(name),
        f"mineproof play --board 9x9/10 --agent sat+{name}",
    )


def _agent(spec: AgentSpec) -> AgentDescription:
    listed = AGENTS.get(spec.text)
    proving = [logic for logic in spec.logics if logic.name != _NONE]
    asked = (*spec.before, spec.policy)
    told = [paragraph for logic in proving for paragraph in _logic_text(logic)]
    if listed is None or not proving:
        told += [paragraph for policy in asked for paragraph in _policy_text(policy)]
    quote = '"' if set(spec.text) & set("[]>") else ""
    return AgentDescription(
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
    """The docstring of a logic's class; where that is one line, the docstring of its module."""
    make = LOGICS[logic.name].make
    own = _paragraphs(inspect.getdoc(make))
    return own if len(own) > 1 else _paragraphs(sys.modules[make.__module__].__doc__)


def _policy_text(name: str) -> tuple[str, ...]:
    """The docstring of a policy; a variant of another adds what is said of that one."""
    if name in PLAYERS:
        return _paragraphs(inspect.getdoc(PLAYERS[name]))
    policy = POLICIES[name]
    own = _paragraphs(inspect.getdoc(policy))
    base = policy.__base__ if isinstance(policy, type) else None
    return own if base in (None, object) else own + _paragraphs(inspect.getdoc(base))[1:]


def _paragraphs(doc: str | None) -> tuple[str, ...]:
    """The paragraphs of a docstring as plain prose, its examples left out."""
    blocks = re.split(r"\n\n|\n(?=\d+\. )", inspect.cleandoc(doc or ""))
    prose = [" ".join(block.split()) for block in blocks if not block.startswith(">>>")]
    return tuple(text.replace("`", "") for text in prose)
