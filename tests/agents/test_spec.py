"""Agents as text: the grammar, its round trip, and what is refused with which suggestion."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof import kernel
from mineproof.agents import AGENTS, AgentSpec, make_agent, parse_agent
from mineproof.agents.logic_agent import LogicAgent, MoveOrder
from mineproof.agents.logic_kinds import LOGICS
from mineproof.agents.players import PLAYERS
from mineproof.agents.policies import POLICIES
from mineproof.agents.spec import LogicSpec
from mineproof.errors import InputError, UnknownName
from mineproof.inference.logics.option import Option, Takes
from mineproof.inference.logics.resolution import Resolution
from mineproof.inference.logics.sat import Sat
from mineproof.inference.logics.sequence import LogicSequence


@st.composite
def logic_specs(draw: st.DrawFn, name: str) -> LogicSpec:
    options = LOGICS[name].options
    chosen = draw(st.sets(st.sampled_from(sorted(options)))) if options else set()
    return LogicSpec(
        name,
        tuple((option, draw(values(options[option]))) for option in options if option in chosen),
    )


def values(option: Option) -> st.SearchStrategy[str | None]:
    if option.takes is Takes.SHARE:
        return st.floats(0, 1).map(str)
    return st.integers(0, 99).map(str) if option.takes is Takes.COUNT else st.none()


@st.composite
def specs(draw: st.DrawFn) -> AgentSpec:
    known = [name for name in LOGICS if kernel.available() or name not in PLAYERS]
    names = draw(st.lists(st.sampled_from(known), min_size=1, max_size=3, unique=True))
    logics = tuple(draw(logic_specs(name)) for name in names)
    fixed = [logic.policy for logic in logics if logic.policy != LOGICS[logic.name].policy]
    passing = [name for name in POLICIES if getattr(POLICIES[name], "passes", False)]
    policy = draw(st.sampled_from([name for name in POLICIES if name not in passing]))
    before = draw(st.lists(st.sampled_from(passing), max_size=1))
    order = draw(st.sampled_from(MoveOrder))
    return AgentSpec(logics, fixed[0] if fixed else policy, order, tuple(before))


@given(specs())
def test_text_reads_back(spec: AgentSpec) -> None:
    assert parse_agent(spec.text) == spec
    assert isinstance(spec.make(), LogicAgent)
    assert isinstance(make_agent(spec.text), LogicAgent)


@pytest.mark.parametrize(
    ("text", "shortest"),
    [
        ("random", "random"),
        ("none+random", "random"),
        ("basic", "single-point"),
        ("basic+random", "single-point"),
        ("sat+random", "sat"),
        ("partition+set-risk", "partition"),
        ("single-point>sat[safe-only]+corner-first", "single-point>sat[safe-only]+corner-first"),
        ("reductio[global]+exact-risk", "reductio[global]+exact-risk"),
        ("reductio[better-decisions,global]", "reductio[global,better-decisions]"),
        ("reductio[order=mines-first, global]", "reductio[global,mines-first]"),
        ("sat[order=safe-first]", "sat"),
        ("single-point>sat[order=mines-first]", "single-point[mines-first]>sat"),
        ("reductio[mines-first]", "reductio[mines-first]"),
        ("reductio[safe-first]", "reductio"),
        ("SATX", "sat[safe-only]"),
        ("satX[global]+corner-first", "sat[safe-only,global]+corner-first"),
        ("SPX+corner-first", "single-point+corner-first"),
        ("spx>Satx", "single-point>sat[safe-only]"),
        ("RPX", "random"),
        ("rpx+corner-first", "none+corner-first"),
        ("exact+short-chains", "exact+short-chains"),
        ("sat+forced-first", "sat+forced-first"),
        ("sat+forced-first+random", "sat+forced-first"),
        ("SATX+forced-first+exact-risk", "sat[safe-only]+forced-first+exact-risk"),
        ("resolution[global=025]", "resolution[global=25]"),
        ("champion[price=2e-7]", "champion[price=2e-07]"),
        ("champion[price=0.0000013]", "champion[price=1.3e-06]"),
        ("swift[window=1,second=.25]", "swift[second=0.25,window=1.0]"),
    ],
)
def test_every_spec_has_one_shortest_text(text: str, shortest: str) -> None:
    assert parse_agent(text).text == shortest


@pytest.mark.parametrize("name", list(AGENTS))
def test_listed_names_are_specs_and_say_what_they_use(name: str) -> None:
    assert parse_agent(name).text == name
    listed = AGENTS[name]
    assert listed.report
    assert listed.logic
    assert listed.otherwise
    assert listed.information


def test_every_logic_but_none_is_listed() -> None:
    assert set(LOGICS) - {"none"} <= set(AGENTS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sta", "unknown agent 'sta'; did you mean sat"),
        ("", "unknown agent ''"),
        ("corner-first", "did you mean none+corner-first"),
        ("singlepoint>sat", "unknown logic 'singlepoint'; did you mean single-point"),
        (
            "sat[safe]",
            "unknown option of sat 'safe'; did you mean safe-only or safe-first? accepted:"
            " safe-only, global, safe-first, mines-first, order=safe-first|mines-first",
        ),
        (
            "single-point[global]",
            "unknown option of single-point 'global'; accepted: safe-first, mines-first,"
            " order=safe-first|mines-first",
        ),
        ("sat[safe-only=1]", "option safe-only takes no value, not '1'"),
        ("sat[global,global]", "option global of sat is given twice"),
        ("sat[]", "logic sat has an empty option"),
        ("sat[global][safe-only]", "one pair of brackets"),
        ("sat[global", "unmatched brackets; accepted: LOGIC"),
        ("sat]", "unmatched brackets"),
        ("sat+", "empty part"),
        (">sat", "empty part"),
        ("sat>", "empty part"),
        ("+", "empty part"),
        ("sat+random>exact", "cannot be read; accepted"),
        ("sat+random+random", "names a policy twice; accepted: each once"),
        ("sat+random+stop", "guesses in two ways; accepted: one of random and stop"),
        ("sat+random+forced-first", "never asks forced-first, which comes after random"),
        ("SATZ", "unknown agent 'SATZ'; did you mean SATX?"),
        ("SPZ+random", "unknown logic 'SPZ'; did you mean SPX?"),
        ("rpz", "unknown agent 'rpz'; did you mean RPX?"),
        ("sat[mines-first,safe-first]", "option order of sat is given twice; accepted: one of"),
        ("sat[mines-first]>exact[order=mines-first]", "option order of exact is given twice"),
        ("sat[mines-first=1]", "option mines-first takes no value, not '1'"),
        ("sat+randm", "unknown guessing policy 'randm'; did you mean random"),
        ("sat>sat", "names a logic twice"),
        ("sat[order=up]", "order 'up' is unknown; accepted: safe-first, mines-first"),
        ("sat[order]", "order '' is unknown"),
        (
            "single-point[order=safe-first]>sat[order=safe-first]",
            "option order of sat is given twice",
        ),
        ("resolution[global]", "option global needs a number; accepted: such as global=25"),
        ("resolution[global=many]", "option global needs a number"),
        ("champion[rollouts=-1]", "option rollouts needs a number"),
        ("champion[trust=7]", "option trust needs a share; accepted: 0 to 1, such as trust=0.4"),
        ("champion[price=-1]", "option price needs a share"),
        ("champion[price=nan]", "option price needs a share"),
        ("swift[window=1.5]", "option window needs a share"),
        ("reductio[better-decisions]+random", "guesses in two ways"),
    ],
)
def test_wrong_texts_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as raised:
        make_agent(text)
    assert "\n" not in str(raised.value)


@given(st.text(alphabet="sat>+[],=global random\n", max_size=30))
def test_any_text_is_an_agent_or_an_input_error(text: str) -> None:
    try:
        agent = make_agent(text)
    except InputError:
        return
    assert isinstance(agent, LogicAgent)


def test_unknown_names_keep_their_suggestions() -> None:
    with pytest.raises(UnknownName) as raised:
        make_agent("redutio")
    assert raised.value.suggestions[0] == "reductio"


def test_options_reach_the_logic() -> None:
    agent = parse_agent("single-point>sat[safe-only,global]").make()
    assert isinstance(agent.logic, LogicSequence)
    last = agent.logic.logics[-1]
    assert isinstance(last, Sat)
    assert last.safe_only
    assert last.use_total
    only = parse_agent("resolution[global=25]").make().logic
    assert isinstance(only, Resolution)
    assert only.total_cells == 25
    assert parse_agent("reductio[better-decisions]").policy == "local-ratio"
