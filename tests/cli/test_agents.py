"""`mineproof agents`: the catalog within 80 columns, and one name of it in full."""

from __future__ import annotations

import json
import re

import pytest

from mineproof.agents.catalog import AGENTS, LOGICS, SHARED, parse_agent
from mineproof.agents.policies import POLICIES
from tests.core import players_need_core

NAMES = sorted({*AGENTS.names, *LOGICS, *POLICIES, "satx", "Spx", "single-point>sat+forced-first"})


def test_the_list_fits_and_names_everything(command) -> None:
    ran = command("agents")
    assert ran.status == 0
    assert max(map(len, ran.out.splitlines())) <= 80
    first = {line.split("  ")[0].strip() for line in ran.out.splitlines()}
    assert first >= {*AGENTS, *POLICIES, *(f"({alias})" for alias in ("basic", "RPX", "SATX"))}
    for name in AGENTS:
        for option in (*AGENTS[name].options, *SHARED.values()):
            assert option.name in ran.out
    # No word is broken: everything that is said is there, word for word.
    said = set(ran.out.split())
    for name in AGENTS:
        listed = AGENTS[name]
        for text in (listed.report, listed.logic, listed.otherwise):
            assert set(text.split()) <= said
    assert "\u2026" not in ran.out


def test_json_lists_policies_too(command) -> None:
    answer = json.loads(command("agents", "--json").out)
    assert [policy["name"] for policy in answer["policies"]] == list(POLICIES)
    assert all(policy["doc"] for policy in answer["policies"])
    aliases = {agent["name"]: agent["aliases"] for agent in answer["agents"]}
    assert aliases["random"] == ["RPX"]
    assert aliases["single-point"] == ["basic", "SPX"]
    assert aliases["sat[safe-only]"] == ["SATX"]


@pytest.mark.parametrize("name", players_need_core(NAMES))
def test_one_name_in_full(command, name: str) -> None:
    ran = command("agents", name)
    assert ran.status == 0
    assert max(map(len, ran.out.splitlines())) <= 80
    told = json.loads(command("agents", name, "--json").out)
    assert told["text"]
    assert told["guesses"]
    assert told["kind"] == ("policy" if name in POLICIES and name not in AGENTS else "agent")
    if told["kind"] == "agent":
        assert told["proves"]
        assert told["name"] == parse_agent(name).text
    for option in told["options"]:
        assert option["doc"]
    example = re.sub('"', "", told["example"]).split()
    assert example[:2] == ["mineproof", "play"]
    played = command(*example[1:], "--quiet", "--seed", "2")
    assert played.status == 0
    assert "steps" in played.out


def test_what_it_tells_of_satx(command) -> None:
    out = command("agents", "SATX").out
    assert out.startswith("sat[safe-only]\n")
    assert "other names: SATX" in out
    assert "uses: the clues" in out
    assert "when nothing is proved: a random cell (policy random)" in out
    assert "Entailment by refutation in a SAT solver" in out
    assert '--agent "sat[safe-only]"' in out


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("SATZ", "unknown agent, logic or policy 'SATZ'; did you mean SATX?"),
        ("short-chain", "did you mean short-chains"),
        ("sat[safe]", "unknown option of sat 'safe'"),
        ("sat+corner", "unknown guessing policy 'corner'; did you mean corner-first"),
        ("", "unknown agent, logic or policy ''"),
    ],
)
def test_what_there_is_not(command, name: str, said: str) -> None:
    ran = command("agents", name)
    assert ran.status == 2
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1


def test_results_echo_the_names_as_given(command) -> None:
    names = "RPX,spx,SATX,SPX+corner-first,exact+short-chains"
    rules = ("--board", "hex:5x5/5", "--rules", "report2")
    ran = command("compare", "--agents", names, *rules, "--games", "4", "--json")
    found = [result["agent"] for result in json.loads(ran.out)["results"]]
    assert found == ["RPX", "spx", "SATX", "SPX+corner-first", "exact+short-chains"]
    ran = command("play", "--board", "hex:5x5/5", "--agent", "SATX", "--json")
    assert json.loads(ran.out)["agent"] == "SATX"
