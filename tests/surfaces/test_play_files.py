"""What `play` prints and writes of one game: boards, pictures, a page, a figure, steps by kind."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

REPORT_0 = (
    *("play", "--board", "5x5/30%", "--agent", "reductio", "--seed", "2", "--on-mine", "continue"),
    *("--first-click", "any", "--total", "unknown", "--cascade", "off"),
)
WORLDS = "M5\n1 1 t\nt 1 1\nt 2 0\n"


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
    monkeypatch.setattr("mineproof.surfaces.cli.play_files._MOST_DRAWN", 40)
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
