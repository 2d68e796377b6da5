"""`mineproof play` and `mineproof agents`, as people call them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from mineproof.agents.catalog import AGENTS
from mineproof.board.lattices import LATTICES
from mineproof.match import Transcript
from tests.core import players_need_core

BOARDS = {
    "square": "square:5x6/4",
    "square4": "square4:5x6/4",
    "torus": "torus:5x6/4",
    "hex": "hex:5x5/4",
    "hexagon": "hexagon:3/3",
    "triangle": "triangle:4x8/4",
    "cube": "cube:3x3x3/2",
    "graph": "graph:0-1,1-2,2-3,3-4,4-0,0-2/1",
}

WORLDS = """\
M5
1 1 t
t 1 1
t 2 0
"""


@pytest.fixture
def worlds(tmp_path: Path) -> Path:
    path = tmp_path / "worlds.txt"
    path.write_text(WORLDS)
    return path


def test_every_topology_has_a_board_here():
    assert set(BOARDS) == set(LATTICES)


@pytest.mark.parametrize("name", BOARDS)
def test_plays_on_every_topology(command, name):
    ran = command("play", "--board", BOARDS[name], "--seed", "4")
    assert ran.status == 0
    assert not ran.err
    lines = ran.out.splitlines()
    assert lines[0] == f"{BOARDS[name]}, single-point, seed 4"
    assert lines[1].startswith("1. open ")
    assert lines[-1].startswith(("won: ", "lost: "))


@pytest.mark.parametrize("name", BOARDS)
def test_json_is_the_object_of_the_design(command, name):
    ran = command("play", "--board", BOARDS[name], "--seed", "4", "--json")
    assert ran.status == 0
    game = json.loads(ran.out)
    assert {"board", "rules", "agent", "seed", "won", "outcome", "score", "steps"} <= set(game)
    assert game["agent"] == "single-point"
    assert game["seed"] == 4
    assert isinstance(game["won"], bool)
    assert 0 <= game["score"] <= 1
    assert game["steps"]
    for step in game["steps"]:
        assert {"cell", "action", "shown", "reason"} <= set(step)
        assert step["action"] in {"open", "flag", "stop"}
        assert step["cell"] is None or all(isinstance(part, int) for part in step["cell"])
        assert step["reason"]["kind"] in {"proved", "guessed", "unstated"}


@pytest.mark.parametrize("agent", players_need_core(AGENTS))
def test_every_listed_agent_plays(command, agent):
    ran = command("play", "--board", "5x5/4", "--agent", agent, "--json")
    assert ran.status == 0
    assert json.loads(ran.out)["agent"] == agent


def test_same_seed_same_game_and_another_agent_seed_another_guess(command):
    def steps(*more: str) -> list[object]:
        ran = command("play", "--board", "beginner", "--agent", "random", "--json", *more)
        return json.loads(ran.out)["steps"]

    assert steps("--seed", "5") == steps("--seed", "5")
    assert steps("--seed", "5") != steps("--seed", "5", "--agent-seed", "6")
    assert steps("--seed", "5") != steps("--seed", "5", "--index", "1")


def test_a_world_has_its_own_rules_and_options_override_them(command, worlds):
    play = ("play", "--worlds", str(worlds), "--world", "M5", "--json")
    game = json.loads(command(*play).out)
    assert game["world"] == "M5"
    assert "first-click=any" in game["rules"]
    assert "given=corner+centre" in game["rules"]
    game = json.loads(command(*play, "--given", "none", "--on-mine", "continue").out)
    assert "given=none" in game["rules"]
    assert "on-mine=continue" in game["rules"]


def test_every_rule_option_reaches_the_rules(command):
    chosen = {
        "--first-click": ("opening", "first-click=opening"),
        "--on-mine": ("continue", "on-mine=continue"),
        "--total": ("unknown", "total=unknown"),
        "--clues": ("withheld:0.5", "clues=withheld:0.5"),
        "--given": ("random:2", "given=random:2"),
        "--cascade": ("off", "cascade=off"),
        "--goal": ("mark-all", "goal=mark-all"),
    }
    words = [word for option, (value, _) in chosen.items() for word in (option, value)]
    rules = json.loads(command("play", "--board", "6x6/4", "--json", *words).out)["rules"]
    assert {text for _, text in chosen.values()} <= set(rules.split())


def test_transcript_replays(command, tmp_path):
    path = tmp_path / "game.txt"
    ran = command("play", "--board", "hex:5x5/4", "--quiet", "--transcript", str(path))
    assert ran.status == 0
    game = Transcript.parse(path.read_text())
    assert game.agent == "single-point"
    *_, last = game.views()
    assert last.opened_count or not game.steps


def test_quiet_shows_only_the_end(command):
    ran = command("play", "--board", "4x4/2", "--quiet")
    lines = ran.out.splitlines()
    assert len(lines) == 1 + 4 + 1
    assert lines[-1].startswith(("won", "lost"))


def test_reasons_are_said_in_words(command):
    ran = command("play", "--board", "hex:7x7/10", "--seed", "3")
    assert "guessed: random among 49 cells" in ran.out
    assert re.search(r"proved safe by single-point from the \d at \d,\d\n", ran.out)
    assert re.search(r"proved a mine by single-point from the \d at \d,\d\n", ran.out)


def test_agents_lists_the_catalog(command):
    ran = command("agents")
    assert ran.status == 0
    for name in AGENTS:
        assert name in ran.out
    rows = json.loads(command("agents", "--json").out)["agents"]
    assert [row["name"] for row in rows] == list(AGENTS)
    assert all(row["report"] and row["logic"] and row["otherwise"] for row in rows)


def test_an_agent_of_a_file(process):
    file = Path(__file__).parents[2] / "examples" / "my_agent.py"
    ran = process("play", "--board", "5x5/3", "--agent", f"{file}:LeastRisk")
    assert ran.status == 0, ran.err
    assert "guessed: least-risk among" in ran.out


def test_an_agent_that_raises_loses_its_game_with_status_1(process, tmp_path):
    file = tmp_path / "broken.py"
    file.write_text("class Broken:\n    def act(self, view):\n        return 1 // 0\n")
    ran = process("play", "--board", "5x5/3", "--agent", f"{file}:Broken")
    assert ran.status == 1
    assert "lost: the agent failed" in ran.out
    assert "ZeroDivisionError" in ran.out
    assert "Traceback" not in ran.out + ran.err


def test_human_plays_through_a_pipe(process, tmp_path):
    path = tmp_path / "game.txt"
    moves = "help\nx 1\no 9,9\no 0,0\no 0,0\nc 0,0\nf 2,2\no 2,2\nf 2,2\nquit\n"
    ran = process(
        "play", "--board", "3x3/1", "--agent", "human", "--transcript", str(path), given=moves
    )
    assert ran.status == 0, ran.err
    for said in (
        "take its flag off",
        "'x 1' is not a command",
        "'9,9' is not on the board",
        "0,0 is open already",
    ):
        assert said in ran.out
    game = Transcript.parse(path.read_text())
    assert game.agent == "human"
    assert game.steps


def test_human_wins(process):
    moves = "".join(f"{row},{col}\n" for row in range(2) for col in range(2))
    ran = process("play", "--board", "2x2/0", "--agent", "human", "--cascade", "off", given=moves)
    assert ran.status == 0
    assert "won: every safe cell is open; 4 steps, 0 guesses" in ran.out


def test_the_end_of_the_input_leaves_the_game(process):
    ran = process("play", "--board", "5x5/3", "--agent", "human")
    assert ran.status == 0
    assert "left: before the end" in ran.out
