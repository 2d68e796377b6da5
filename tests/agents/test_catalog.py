"""The catalog: agents as text, and the options of logics."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mineproof as mp
from mineproof import kernel
from mineproof.agents.agent import LogicAgent, MoveOrder
from mineproof.agents.catalog import (
    AGENTS,
    LOGICS,
    SHARED,
    AgentSpec,
    LogicSpec,
    describe,
    make_agent,
    parse_agent,
)
from mineproof.agents.players import PLAYERS, Swift
from mineproof.agents.policies import POLICIES
from mineproof.board.topology import Topology
from mineproof.cli.main import run
from mineproof.engine.exact import core_board_of
from mineproof.errors import InputError, RulesError, UnknownName
from mineproof.game.check import check
from mineproof.kernel import core
from mineproof.logics.base import LogicSequence, Option, OptionValue
from mineproof.logics.resolution import Resolution
from mineproof.logics.sat import Sat
from mineproof.rng import Stream
from tests.core import needs_core

# ----------------------------------------------------------------------------
# Agents as text: the grammar, its round trip, and what is refused with which suggestion.


@st.composite
def logic_specs(draw: st.DrawFn, name: str) -> LogicSpec:
    options = LOGICS[name].options
    chosen = draw(st.sets(st.sampled_from(sorted(options)))) if options else set()
    return LogicSpec(
        name,
        tuple((option, draw(values(options[option]))) for option in options if option in chosen),
    )


def values(option: Option) -> st.SearchStrategy[str | None]:
    if option.takes is OptionValue.SHARE:
        return st.floats(0, 1).map(str)
    return st.integers(0, 99).map(str) if option.takes is OptionValue.COUNT else st.none()


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


# ----------------------------------------------------------------------------
# Options of logics: one list each, which docs, catalog and core agree with; what cannot work is
# refused.

DOCS = Path(__file__).parents[2] / "docs"


def table(page: str, header: str) -> list[list[str]]:
    """The rows of the table with this header on a page of the docs, without backticks at words."""
    lines = (DOCS / page).read_text(encoding="utf-8").splitlines()
    first = lines.index(header) + 2
    rows = []
    for line in lines[first:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def plain(text: str) -> str:
    return text.replace("`", "")


def test_the_page_of_commands_lists_every_option() -> None:
    holders: dict[Option, list[str]] = {}
    for name in LOGICS:
        for option in LOGICS[name].options.values():
            if name not in PLAYERS:
                holders.setdefault(option, []).append(name)
    listed = [(option.form, names, option.doc) for option, names in holders.items()]
    for option in SHARED.values():
        forms = ", ".join(f"{option.name}={word}" for word in option.words)
        listed.append((forms or option.form, ["every logic"], option.doc))
    rows = table("commands.md", "| option | of | what it does |")
    written = [(plain(form), plain(of).split(", "), doc) for form, of, doc in rows]
    assert sorted(written) == sorted(listed)


def test_the_page_of_the_champion_lists_every_option() -> None:
    rows = table("champion.md", "| option | default | what it is |")
    written = [(plain(name), doc) for name, _, doc in rows]
    options = LOGICS["champion"].options.values()
    assert sorted(written) == sorted((option.name, option.doc) for option in options)
    assert {name for name, _ in written[:5]} == {option.name for option in Swift.options}


@needs_core
@pytest.mark.parametrize("player", list(PLAYERS))
def test_the_documented_defaults_are_those_of_the_core(player: str) -> None:
    defaults = {}
    for name, default, _ in table("champion.md", "| option | default | what it is |"):
        said = re.search(r"`champion` ([\d,.]+)", default) if player == "champion" else None
        number = (said[1] if said else default.split(", `")[0]).replace(",", "")
        defaults[plain(name)] = number
    told = ",".join(f"{name}={defaults[name]}" for name in LOGICS[player].options)
    games = 40 if player == "swift" else 4
    bare, spelt = (
        mp.play_many("intermediate", agent, games, 3) for agent in (player, f"{player}[{told}]")
    )
    for column in ("won", "steps", "guesses", "opened"):
        assert np.array_equal(getattr(bare, column), getattr(spelt, column))


@needs_core
@pytest.mark.parametrize("player", list(PLAYERS))
def test_the_core_knows_the_options_of_its_players_and_no_others(player: str) -> None:
    board = core_board_of(Topology.parse("4x4")).board
    for option in LOGICS[player].options.values():
        assert option.takes in (OptionValue.COUNT, OptionValue.SHARE)
        core.Seat(board, 3, "safe", (0,), player, {option.sets: 1})
    with pytest.raises(ValueError, match=f"{player} has no option depth"):
        core.Seat(board, 3, "safe", (0,), player, {"depth": 1})


@needs_core
@pytest.mark.parametrize("player", list(PLAYERS))
def test_a_seat_has_no_guess_where_every_hidden_cell_is_a_mine(player: str) -> None:
    """It read before the beginning of an empty list."""
    seat = core.Seat(core_board_of(Topology.parse("2x2")).board, 2, "any", (0,), player, {})
    assert seat.prove(bytearray([2, 2, 255, 255])) == ([], [2, 3])
    with pytest.raises(ValueError, match="nothing is proved safe and some cell may be"):
        seat.guess()


@needs_core
@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf"), 1e-320, 1e300])
def test_the_core_takes_weights_that_it_can_multiply(weight: float) -> None:
    with pytest.raises(ValueError, match="weights must be 0, or 1e-130 to 1e130"):
        core.Model.of_number(np.array([1.0, weight]), None)


def test_the_command_lists_options_and_what_they_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["agents", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    found = {agent["name"]: agent["options"] for agent in answer["agents"]}
    assert found["sat"] == [
        {"name": "safe-only", "form": "safe-only", "doc": "asks only whether cells are safe"},
        {"name": "global", "form": "global", "doc": "uses the mine total too"},
    ]
    assert [len(found[name]) for name in AGENTS] == [len(AGENTS[name].options) for name in AGENTS]
    assert [option["form"] for option in answer["options"]] == [
        "safe-first",
        "mines-first",
        "order=safe-first|mines-first",
    ]
    assert run(["agents"]) == 0
    shown = capsys.readouterr().out
    for option in LOGICS["champion"].options.values():
        assert option.form in shown


@pytest.mark.parametrize("name", list(LOGICS))
def test_every_unknown_option_is_refused_with_the_accepted_ones(name: str) -> None:
    with pytest.raises(InputError, match=f"unknown option of {name} 'depth'") as raised:
        make_agent(f"{name}[depth=3]")
    forms = [option.form for option in (*LOGICS[name].options.values(), *SHARED.values())]
    assert str(raised.value).endswith(f"accepted: {', '.join(forms)}")


# -- options that cannot work under the rules of a game -------------------------------------------

UNFIT = ["partition[global]", "reductio[global]", "sat[global]", "resolution[global=25]"]
FIT = ["partition", "resolution", "resolution[global=0]", "reductio[better-decisions]", "exact"]


@pytest.mark.parametrize("agent", UNFIT)
def test_global_is_refused_where_the_total_is_unknown(agent: str) -> None:
    logic = agent.partition("[")[0]
    said = f"option global of {logic} needs the mine total, which these rules do not tell; accepted"
    with pytest.raises(RulesError, match=said):
        mp.play("5x5/4", agent, 1, total="unknown")
    with pytest.raises(RulesError, match=said):
        mp.play_many("5x5/4", agent, 2, 1, total="unknown")
    with pytest.raises(RulesError, match=said):
        mp.compare(["random", agent], board="5x5/4", games=2, total="unknown")
    with pytest.raises(RulesError, match=said):
        mp.play("5x5/~20%", f"single-point>{agent}", 1, total="unknown", proofs=True)
    assert not mp.play("5x5/4", agent, 1).outcome.note


@pytest.mark.parametrize("agent", FIT)
def test_what_needs_no_total_plays_without_one(agent: str) -> None:
    assert "Error" not in mp.play("5x5/4", agent, 1, total="unknown").outcome.note


@needs_core
@pytest.mark.parametrize("rules", [{"total": "unknown"}, {"clues": "optimistic"}])
def test_options_of_the_core_are_refused_where_exact_plays(rules: dict[str, str]) -> None:
    for agent in ("swift[window=0.5]", "champion[rollouts=8,slack=0.2]"):
        with pytest.raises(RulesError, match="needs exact clues and a known number of mines"):
            mp.play("5x5/4", agent, 1, **rules)
        with pytest.raises(RulesError, match=re.escape(agent.partition("=")[0])):
            mp.play_many("5x5/4", agent, 1, 1, **rules)


@pytest.mark.parametrize(
    "line",
    [
        "play --board 5x5/4 --quiet --agent {}",
        "compare --board 5x5/4 --games 3 --agents random,{}",
        "compare --board 5x5/4 --games 3 --jobs 2 --agents random,{}",
        "check {}",
    ],
)
def test_commands_refuse_with_one_line(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = line.format("reductio[global]").split()
    assert run([*words, "--total", "unknown"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "option global of reductio needs the mine total" in said


def test_a_game_played_by_hand_is_refused_too() -> None:
    view = mp.View.parse("square 2x2 mines=unknown density=0.2\n1.\n..")
    agent = make_agent("reductio[global]")
    assert isinstance(agent, LogicAgent)
    agent.begin(view, Stream(0))
    with pytest.raises(RulesError, match="option global of reductio needs the mine total"):
        agent.act(view)


@needs_core
def test_a_seat_in_the_core_refuses_options_it_cannot_use() -> None:
    view = mp.View.parse("square 2x2 mines=unknown density=0.2\n1.\n..")
    Swift().begin(view)
    with pytest.raises(RulesError, match=r"swift\[window\] needs exact clues"):
        Swift(window=0.5).begin(view)


def test_a_total_that_is_told_with_the_first_click_will_do() -> None:
    for agent in UNFIT:
        assert "Error" not in mp.play("5x5/~20%", agent, 1).outcome.note


def test_an_agent_may_refuse_rules_before_a_game_and_not_within_it() -> None:
    class Picky:
        def check_rules(self, rules: mp.Rules, cells: int) -> None:
            if not rules.cascade:
                raise RulesError("not without cascades")

        def act(self, view: mp.View) -> int:
            raise RulesError("never mind")

    with pytest.raises(RulesError, match="not without cascades"):
        mp.play("4x4/3", Picky(), 1, cascade="off")
    with pytest.raises(RulesError, match="not without cascades"):
        check(Picky, boards=("4x4/3",), rules={"cascade": "off"})
    assert "never mind" in mp.play("4x4/3", Picky(), 1).outcome.note


@needs_core  # `describe` makes the agent, and those of the core are refused without it
def test_every_logic_and_policy_is_described_in_words_of_its_own() -> None:
    """They come from docstrings: one of a module with several members would tell the wrong one."""
    names: dict[tuple[str, ...], list[str]] = {}
    for name in dict.fromkeys((*LOGICS, *POLICIES)):
        names.setdefault(describe(name).text, []).append(name)
    assert [alike for alike in names.values() if len(alike) > 1] == [["none", "random"]]
    assert "One clue at a time" in describe("single-point").text[0]
    assert "rollouts" in describe("champion").text[0]
