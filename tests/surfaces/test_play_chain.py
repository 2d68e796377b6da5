"""`mineproof play --chain`: what it prints, draws and writes."""

from __future__ import annotations

import importlib.util
import io
import json
import re
from pathlib import Path

import pytest
from rich.console import Console

from mineproof.chains import of
from mineproof.chains.telling import draw_chain
from mineproof.match import Transcript, play
from mineproof.surfaces.cli.chaining import print_chain

ROOT = Path(__file__).parents[2]
BOARDS = [
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


@pytest.mark.parametrize("board", BOARDS)
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
def test_refusals(command, options, said):
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
