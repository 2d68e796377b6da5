"""The catalog of agents: the only list of their names.

Any other combination of logics, options and policy is an agent too: see `mineproof.agents.spec`.
"""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.agents.agent import Agent, AgentFactory
from mineproof.agents.logic_kinds import LOGICS, STRATEGIES
from mineproof.agents.policies import POLICIES
from mineproof.agents.spec import parse_agent
from mineproof.errors import UnknownName
from mineproof.inference.logics.option import Option
from mineproof.registry import Catalog

__all__ = ["AGENTS", "Listed", "make_agent"]


@dataclass(frozen=True)
class Listed:
    """An agent as the catalog lists it."""

    make: AgentFactory
    report: str
    logic: str
    otherwise: str
    information: str = "the clues"
    """What it uses by default; an option may add to it."""
    options: tuple[Option, ...] = ()
    """What its logic may be told in brackets, less the options that all logics share."""
    about: str = ""
    """What it does, for people who look on."""


AGENTS: Catalog[Listed] = Catalog("agent")


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
    listed = Listed(spec.make, report, logic, otherwise, information, options, _ABOUT[name])
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
_list(
    "reductio",
    "0",
    "equations, contradiction by depth-first search",
    "a random cell",
)
_list(
    "sat",
    "2",
    "cardinality constraints in a SAT solver",
    "a random cell",
)
_list(
    "sat[safe-only]",
    "2 (SATX)",
    "as sat, but only safe cells",
    "a random cell",
    aliases=("SATX",),
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
