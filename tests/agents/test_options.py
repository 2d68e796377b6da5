"""Options of logics: one list each, which docs, catalog and core agree with; what cannot work is
refused.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import mineproof as mp
from mineproof.agents import AGENTS, make_agent
from mineproof.agents.logic_agent import LogicAgent
from mineproof.agents.logic_kinds import LOGICS, SHARED
from mineproof.agents.players import PLAYERS
from mineproof.agents.swift import Swift
from mineproof.board.topology import Topology
from mineproof.errors import InputError, RulesError
from mineproof.inference.engine.ground import ground_of
from mineproof.inference.logics.option import Option, Takes
from mineproof.kernel import core
from mineproof.match.soundness import check
from mineproof.rng import Stream
from mineproof.surfaces.cli.main import run
from tests.core import needs_core

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
    board = ground_of(Topology.parse("4x4")).board
    for option in LOGICS[player].options.values():
        assert option.takes in (Takes.COUNT, Takes.SHARE)
        core.Seat(board, 3, "safe", (0,), player, {option.sets: 1})
    with pytest.raises(ValueError, match=f"{player} has no option depth"):
        core.Seat(board, 3, "safe", (0,), player, {"depth": 1})


@needs_core
@pytest.mark.parametrize("player", list(PLAYERS))
def test_a_seat_has_no_guess_where_every_hidden_cell_is_a_mine(player: str) -> None:
    """It read before the beginning of an empty list."""
    seat = core.Seat(ground_of(Topology.parse("2x2")).board, 2, "any", (0,), player, {})
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
