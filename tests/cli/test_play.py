"""`mineproof play`: one game, its display, its files, its proofs and its chain."""

from __future__ import annotations

import importlib.util
import io
import json
import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

import mineproof as mp
from mineproof.agents.agent import Action, Decision, Proved
from mineproof.agents.catalog import AGENTS
from mineproof.board.lattices import LATTICES
from mineproof.board.presets import World, parse_worlds
from mineproof.chains import of
from mineproof.chains.chains import draw_chain
from mineproof.cli import play as play_command
from mineproof.cli.long_chain import print_chain
from mineproof.cli.play import DisplayOptions, GameOptions, PlayOptions
from mineproof.cli.play_display import BoardDisplay, LineDisplay, LiveDisplay
from mineproof.errors import NotationError
from mineproof.game import play
from mineproof.game.rows import row_of
from mineproof.game.transcript import Transcript
from mineproof.proofs.checker import check_proof
from mineproof.proofs.documents import read_documents
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


@pytest.mark.parametrize("name", BOARDS)
def test_a_layout_of_ones_own(command, tmp_path, name):
    board = mp.Board.parse(BOARDS[name])
    layout = mp.board.deal(board.topology, board.mines, 3)
    file = tmp_path / "layout.txt"
    file.write_text(layout.text)
    kept = tmp_path / "game.txt"
    play = ("play", "--layout", str(file), "--agent", "random", "--on-mine", "continue")
    assert command(*play, "--quiet", "--transcript", str(kept)).status == 0
    game = Transcript.read(kept)
    assert game.layout == layout
    assert game.rules.first_click.value == "any"
    *_, last = game.views()
    assert last.opened_count == len(board.topology)
    for cell in last.opened:
        assert last.clue(cell) == (None if layout.is_mine(cell) else layout.counts[cell])
    asked = command(*play, "--board", "9x9/10")
    assert asked.status == 2
    assert "--board and --layout are given; accepted: one" in asked.err


def test_the_board_of_report_1_is_solved_from_its_corner(command):
    shipped = Path(__file__).parents[2] / "examples" / "report_1_board.txt"
    result = command("play", "--layout", str(shipped), "--given", "0,0", "--agent", "partition")
    assert "won: every safe cell is open" in result.out
    assert "0 guesses" in result.out
    mines = "2,4 2,7 3,1 4,1 5,2 5,4 5,5 6,2 6,3 6,5"
    assert mp.Layout.read(shipped) == mp.Layout.of("9x9", mines.split())


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


def test_a_board_that_is_given_whole_says_so(command):
    ran = command("play", "--board", "9x9/10", "--given", "f=100", "--quiet")
    assert "won: every safe cell was given; 0 steps" in ran.out


def test_reasons_are_said_in_words(command):
    ran = command("play", "--board", "hex:7x7/10", "--seed", "3")
    assert "guessed: random among 49 cells" in ran.out
    assert re.search(r"proved safe by single-point from the \d at \d,\d( and the .*)?\n", ran.out)
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


# ----------------------------------------------------------------------------
# Which way `play` shows a game.


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    console = Console(file=StringIO(), width=80, height=40, force_terminal=True)
    monkeypatch.setattr(play_command, "stdout_console", lambda: console)


@pytest.fixture
def world() -> World:
    return parse_worlds("S1\n1 1\n1 t\n")[0]


@pytest.mark.usefixtures("terminal")
def test_a_world_is_printed_board_by_board_on_a_terminal_too(world: World) -> None:
    def shown(**options: bool) -> object:
        asked = PlayOptions(
            GameOptions(worlds="worlds.txt", world="S1"),
            display=DisplayOptions(**options),  # type: ignore[arg-type]
        )
        return play_command.choose_display(asked, world)

    assert type(shown()) is BoardDisplay
    assert type(shown(live=True)) is LiveDisplay
    assert type(shown(boards=False)) is LiveDisplay
    assert type(shown(boards=False, live=False)) is LineDisplay


@pytest.mark.usefixtures("terminal")
def test_a_board_is_redrawn_in_place_on_a_terminal() -> None:
    asked = PlayOptions(GameOptions(board="5x5/4"))
    assert type(play_command.choose_display(asked, "5x5/4")) is LiveDisplay


# ----------------------------------------------------------------------------
# What `play` prints and writes of one game: boards, pictures, a page, a figure, steps by kind.


REPORT_0 = (
    *("play", "--board", "5x5/30%", "--agent", "reductio", "--seed", "2", "--on-mine", "continue"),
    *("--first-click", "any", "--total", "unknown", "--cascade", "off"),
)


def test_report_0_is_told_step_by_step(command):
    lines = command(*REPORT_0).out.splitlines()
    steps = [line for line in lines if re.match(r"\d+\. ", line)]
    for line in steps:
        assert re.search(r" - (guessed: |proved .* from the \d|.*clashes with the \d)", line), line
    assert any("by contradiction: a mine in 2,4 clashes with the 2 at 3,2" in one for one in steps)
    assert lines[-4:-1] == [
        "steps guessed: 1-3",
        "steps proved safe: 4-18",
        "steps proved mine: 19-25",
    ]
    assert lines[-1].endswith("25 steps, 3 guesses; score 0.875")
    assert lines[-5].startswith("mines: 0,1..0,3 1,1 ")


def test_the_premises_reach_the_json_and_the_transcript(command, tmp_path):
    path = tmp_path / "game.txt"
    game = json.loads(command(*REPORT_0, "--json", "--transcript", str(path)).out)
    proofs = [step["reason"] for step in game["steps"] if step["reason"]["kind"] == "proved"]
    assert all(reason["premises"] for reason in proofs)
    assert any(reason["by_contradiction"] for reason in proofs)
    assert "proved: reductio by contradiction from 3,2 3,3\n" in path.read_text()


def test_boards_prints_the_board_after_every_step(command):
    ran = command("play", "--board", "4x4/2", "--seed", "3", "--boards")
    steps = len(re.findall(r"^\d+\. ", ran.out, re.MULTILINE))
    assert ran.out.count("\n  0 1 2 3\n") == steps + 1


@pytest.mark.parametrize("way", ["--boards", "--step"])
def test_boards_show_the_mines_that_are_proved_and_not_flagged(process, way):
    play = (
        "play",
        "--board",
        "9x9/10",
        "--rules",
        "report1",
        "--agent",
        "partition",
        "--seed",
        "10",
    )
    out = process(*play, way, "--no-live", "--mines-as", "D", given="\n" * 80).out
    assert "\nD is a cell that is proved to be a mine\n" in out
    boards = re.findall(r"  0 1 2 3 4 5 6 7 8\n((?:\d .*\n){9})", out)
    rows = [[line[2::2][:9] for line in one.splitlines()] for one in boards]
    *shown, dealt = [
        {(row, col) for row in range(9) for col in range(9) if one[row][col] == "D"} for one in rows
    ]
    assert len(dealt) >= 9, "the end shows all mines; one may have been opened"
    assert all(some <= dealt for some in shown)
    assert not shown[0]
    assert len(shown[-1]) > 5
    assert process(*play, "--no-boards", "--no-live").out.count("is proved to be a mine") == 0


def test_a_world_prints_every_action_and_view(command, tmp_path):
    worlds = tmp_path / "worlds.txt"
    worlds.write_text(WORLDS)
    play = ("play", "--worlds", str(worlds), "--world", "M5")
    out = command(*play).out
    assert "\ngiven: 0,0 1,1\n   opened: 1 at 0,0 1,1\n" in out
    assert "score" not in out
    steps = len(re.findall(r"^\d+\. ", out, re.MULTILINE))
    assert len(re.findall(r"^ +0 1 2$", out, re.MULTILINE)) == steps + 1
    assert len(re.findall(r"^ +0 1 2$", command(*play, "--no-boards").out, re.MULTILINE)) == 1


def test_mines_are_drawn_as_asked(command):
    out = command("play", "--board", "4x4/2", "--seed", "3", "--quiet", "--mines-as", "Q").out
    assert out.count("Q") == 2
    assert "⚑" not in out


@pytest.mark.parametrize("board", ["4x4/2", "hex:4x4/3", "cube:3x3x3/2", "graph:0-1,1-2,2-3/1"])
def test_svg_draws_every_step(command, tmp_path, board):
    folder = tmp_path / "pictures"
    play = ("play", "--board", board, "--seed", "3", "--svg", str(folder))
    steps = len(json.loads(command(*play, "--json").out)["steps"])
    files = sorted(path.name for path in folder.iterdir())
    assert files == [f"step-{number:03}.svg" for number in range(steps + 1)]
    assert "<title>1. open " in (folder / "step-001.svg").read_text()
    again = command(*play)
    assert again.status == 2
    assert "accepted: a folder without step-*.svg files" in again.err


def test_svg_is_a_folder_without_chain_and_a_file_with_it(command, tmp_path):
    file = tmp_path / "chain.svg"
    ran = command("play", "--board", "4x4/2", "--svg", str(file))
    assert ran.status == 2
    assert "accepted: a folder for a picture of every step, or with --chain a file" in ran.err
    assert command("play", "--board", "4x4/2", "--chain", "--svg", str(file)).status == 0
    assert file.is_file()
    for name in (str(file), str(tmp_path / "no" / "where"), "a\0b"):
        ran = command("play", "--board", "4x4/2", "--svg", name.removesuffix(".svg") + "/x/y")
        assert ran.status == 2
        assert len(ran.err.splitlines()) == 1


def test_too_many_pictures_are_refused(command, tmp_path, monkeypatch):
    monkeypatch.setattr("mineproof.cli.play._MOST_DRAWN", 40)
    ran = command("play", "--board", "5x5/4", "--seed", "2", "--svg", str(tmp_path / "p"))
    assert ran.status == 2
    assert re.search(r"--svg: \d+ pictures of 25 cells; accepted: at most 40 cells in all", ran.err)
    assert not (tmp_path / "p").exists()


def test_html_and_knowledge_are_written(command, tmp_path):
    page, figure = tmp_path / "game.html", tmp_path / "knowledge.svg"
    files = ("--html", str(page), "--knowledge", str(figure))
    play = ("play", "--board", "9x9/10", "--agent", "resolution", "--seed", "1")
    game = json.loads(command(*play, "--json", *files).out)
    assert [one["step"] for one in game["knowledge"]] == list(range(1, len(game["steps"]) + 1))
    assert "statements in the knowledge base" in page.read_text()
    assert figure.read_text().startswith("<?xml")
    assert "knowledge" not in json.loads(command(*play, "--json").out)


def test_a_file_that_cannot_be_written_is_refused_before_the_game(command, tmp_path):
    for option in ("--html", "--knowledge", "--transcript"):
        ran = command("play", "--board", "4x4/2", option, str(tmp_path))
        assert ran.status == 2
        assert not ran.out
        assert ran.err.startswith(f"mineproof: {option} ")


@pytest.mark.parametrize(
    ("words", "accepted"),
    [
        ("--boards --json", "without --step, --json, --quiet, --live and --agent human"),
        ("--boards --quiet", "without --step, --json"),
        ("--boards --step", "without --step, --json"),
        ("--boards --live", "without --step, --json"),
        ("--boards --agent human", "without --step, --json"),
        ("--mines-as XX", "one character that is no digit"),
        ("--mines-as 3", "one character that is no digit"),
        ("--mines-as \x1b", "one character that is no digit"),
        ("--mines-as X --json", "without --json"),
    ],
)
def test_options_that_do_not_go_together_are_one_line(command, words, accepted):
    ran = command("play", "--board", "4x4/2", *words.split(" "))
    assert ran.status == 2
    assert accepted in ran.err
    assert len(ran.err.splitlines()) == 1
    assert "\x1b" not in ran.err


def test_help_is_in_groups_and_fits_80_columns(command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = command("play", "--help").out.splitlines()
    assert max(map(len, lines)) <= 80
    heads = [line for line in lines if re.fullmatch(r"[A-Z].*:", line)]
    assert heads == ["What is played:", "Rules:", "What is shown:", "What is written:", "Options:"]

    def panels(name: str) -> list[str]:
        return re.findall(r"^[A-Z].*:$", command(name, "--help").out, re.MULTILINE)

    assert panels("compare") == ["Options:", "Rules:"]
    assert panels("show") == ["Arguments:", "Options:"]


def test_the_pictures_of_a_file_agent(process, tmp_path):
    file = Path(__file__).parents[2] / "examples" / "my_agent.py"
    page = tmp_path / "game.html"
    ran = process(
        "play", "--board", "5x5/3", "--agent", f"{file}:LeastRisk", "--html", str(page), "--quiet"
    )
    assert ran.status == 0, ran.err
    assert "least-risk" in page.read_text()


# ----------------------------------------------------------------------------
# Games that carry proofs: they are checked without any engine, and are read back.


PROOF_BOARDS = {
    "square": "square:6x6/6",
    "square4": "square4:5x6/6",
    "torus": "torus:5x6/5",
    "hex": "hex:6x6/6",
    "hexagon": "hexagon:4/6",
    "triangle": "triangle:4x8/5",
    "cube": "cube:3x3x4/4",
    "graph": "graph:0-1,1-2,2-3,3-4,4-0,0-2,4-5,5-6,6-1/1",
}


def test_every_topology_has_a_board_for_proofs():
    assert set(PROOF_BOARDS) == set(LATTICES)


@pytest.mark.parametrize("board", PROOF_BOARDS.values(), ids=PROOF_BOARDS)
@pytest.mark.parametrize("agent", ["exact", "single-point", "partition[order=mines-first]"])
def test_every_proved_step_has_a_proof_that_is_accepted(board, agent):
    for index in range(3):
        game = mp.play(board, agent, seed=8, index=index, proofs=True)
        plain = mp.play(board, agent, seed=8, index=index)
        assert game.outcome == plain.outcome
        assert row_of(game) == row_of(plain)
        for number, (view, step) in enumerate(zip(game.views(), game.steps, strict=False), 1):
            reason = step.decision.reason
            assert (number in game.proofs) == isinstance(reason, Proved)
            if number not in game.proofs:
                continue
            (proof,) = read_documents(game.proofs[number], view)
            assert check_proof(proof, view).accepted
            assert proof.cell == step.decision.cell
            mine = step.decision.action is Action.FLAG
            assert proof.claim.value == ("mine" if mine else "safe")
            assert (reason.premises.clues, reason.premises.total) == (proof.clues, proof.uses_total)
        again = Transcript.parse(game.text)
        assert again == game
        assert again.to_json() == game.to_json()


def test_the_json_of_a_game_is_checked_by_the_command(command, tmp_path):
    ran = command(
        "play", "--board", "beginner", "--agent", "exact", "--seed", "3", "--json", "--proofs"
    )
    steps = json.loads(ran.out)["steps"]
    proved = [step["reason"] for step in steps if step["reason"]["kind"] == "proved"]
    assert len(proved) > 10
    for reason in proved:
        proof, position = tmp_path / "proof.json", tmp_path / "position.txt"
        proof.write_text(json.dumps(reason["proof"]))
        position.write_text(reason["view"])
        assert reason["proof"]["premises"] == reason["premises"]
        assert command("check-proof", str(proof), str(position)).out.startswith("accepted: ")


class Liar:
    """Calls every move proved."""

    def act(self, view):
        return Decision.open(view.hidden[0], Proved("trust-me"))


def test_what_is_not_certain_has_no_proof():
    game = mp.play("5x5/6", Liar(), seed=1, proofs=True)
    assert 1 not in game.proofs
    assert isinstance(game.steps[0].decision.reason, Proved)


def test_a_proof_of_no_step_is_refused():
    text = mp.play("4x4/2", "exact", seed=3).text
    broken = text.replace("1 open", "| mineproof proof 1\n1 open", 1)
    with pytest.raises(NotationError, match="is a proof of no step"):
        Transcript.parse(broken)


def test_the_lines_of_a_game_tell_its_proofs(command, tmp_path):
    game = ("play", "--board", "beginner", "--agent", "exact", "--seed", "3", "--proofs")
    out = command(*game, "--no-live").out
    assert "   The 1 at 5,8 puts one mine in 4,7 or 4,8. The 1 at 5,7 has its mine there" in out
    file = tmp_path / "game.txt"
    assert command(*game, "--quiet", "--transcript", str(file)).status == 0
    assert Transcript.parse(file.read_text(encoding="utf-8")).proofs


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--quiet"], "--quiet shows no proofs; accepted: with --transcript FILE"),
        (["--agent", "human"], "--proofs explains an agent's moves; accepted: any agent but human"),
    ],
)
def test_refusals(command, options, said):
    ran = command("play", "--proofs", *options)
    assert ran.status == 2
    assert said in ran.err


# ----------------------------------------------------------------------------
# `mineproof play --chain`: what it prints, draws and writes.


ROOT = Path(__file__).parents[2]
CHAIN_BOARDS = [
    "square:6x6/5",
    "square4:6x6/6",
    "torus:6x6/5",
    "hex:6x6/5",
    "hexagon:4/5",
    "triangle:5x9/5",
    "cube:3x3x4/3",
    "graph:0-1,1-2,2-3,3-4,4-0,0-2,4-5,5-6/1",
]
GAME = ("play", "--board", "beginner", "--agent", "exact", "--seed", "3")


def test_the_chain_is_told_as_before(command):
    """A golden text: see `git diff` for what a change does to it."""
    golden = Path(__file__).parents[1] / "chains" / "beginner.txt"
    assert command(*GAME, "--quiet", "--chain").out == golden.read_text(encoding="utf-8")


def test_a_terminal_breaks_the_words_of_a_chain_only_between_them():
    chains = of(play("beginner", "exact", seed=3, given="0,0", first_click="any"))
    told: dict[bool, str] = {}
    for is_terminal in (True, False):
        written = io.StringIO()
        print_chain(
            Console(file=written, width=80, force_terminal=is_terminal, color_system=None), chains
        )
        told[is_terminal] = written.getvalue()
    assert max(map(len, told[False].splitlines())) > 80
    assert max(map(len, told[True].splitlines())) <= 80
    assert told[True].split() == told[False].split()


@pytest.mark.parametrize("board", CHAIN_BOARDS)
def test_every_topology(command, board, tmp_path):
    picture = tmp_path / "chain.svg"
    game = ("play", "--board", board, "--agent", "exact", "--quiet", "--chain")
    for seed in range(6):
        ran = command(*game, "--seed", str(seed), "--svg", str(picture))
        assert ran.status == 0
        found = re.search(r"^longest chain: (\d+) link", ran.out, re.MULTILINE)
        assert found is not None
        links = int(found[1])
        drawn = picture.read_text(encoding="utf-8")
        assert drawn.count("marker-end") >= links
        for number in range(1, links + 1):
            assert re.search(rf"^{number}\. From the \d+ at ", ran.out, re.MULTILINE)
            assert f"link {number} of the chain" in drawn


def test_json_carries_the_chain(command, tmp_path):
    file = tmp_path / "game.txt"
    said = json.loads(command(*GAME, "--json", "--chain", "--transcript", str(file)).out)
    chain = said["chain"]
    chains = of(Transcript.parse(file.read_text(encoding="utf-8")))
    name = chains.topology.coordinates
    assert chain["length"] == chains.length == len(chain["links"])
    assert chain["cells"] == [list(name(cell)) for cell in chains.longest]
    assert [one["cell"] for one in chain["opened"]] == [list(name(cell)) for cell in chains.opened]
    assert chain["reach"]["distance"] == chains.reach.distance
    for link in chain["links"]:
        assert link["from"] in link["premises"]
        assert link["text"]
    certain = {tuple(c) for one in chain["opened"] for c in one["made_safe"] + one["made_mines"]}
    proved = {tuple(one["cell"]) for one in chain["opened"] if one["origin"] == "proved"}
    assert proved <= certain
    assert "chain" not in json.loads(command(*GAME, "--json").out)


def test_without_proofs_there_is_no_chain(command, tmp_path):
    picture = tmp_path / "chain.svg"
    ran = command("play", "--board", "4x4/4", "--agent", "random", "--chain", "--svg", str(picture))
    assert "longest chain: 0 links\n" in ran.out
    assert picture.exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--svg", "x.svg"], "accepted: a folder for a picture of every step, or with --chain"),
        (
            ["--chain", "--svg", "no/such/x.svg"],
            "cannot be written: No such file or directory; accepted: a file in an existing folder",
        ),
    ],
)
def test_chains_that_are_refused(command, options, said):
    ran = command(*GAME, *options)
    assert ran.status == 2
    assert said in ran.err
    assert not ran.out


def test_the_pictures_of_the_page_are_drawn_today():
    spec = importlib.util.spec_from_file_location("pictures", ROOT / "docs/pictures/chains.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, game in module.games():
        drawn = (module.HERE / f"{name}.svg").read_text(encoding="utf-8")
        assert draw_chain(of(game)) == drawn, "run docs/pictures/chains.py"
