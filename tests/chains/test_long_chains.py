"""The search for long chains: never worse, the same again, and the boards that were shipped."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.board.presets import Board
from mineproof.chains.long_chains import climb, climbs, longest_chain, play_layout
from mineproof.errors import InputError
from mineproof.match.transcript import Transcript
from mineproof.surfaces.cli.main import run

ROOT = Path(__file__).parents[2]
SMALL = "6x6/6"


@pytest.mark.parametrize("board", [SMALL, "hex:5x5/4", "torus:5x5/3"])
def test_a_climb_never_gets_worse(board: str) -> None:
    parsed = Board.parse(board)
    found = climb(parsed, 0, seed=3, restart=1, moves=25)
    assert len(found.lengths) == 26
    assert all(later >= earlier for earlier, later in pairwise(found.lengths))
    assert found.lengths[-1] == found.length == found.chains.length
    assert found.layout.total == parsed.mines.fixed(len(parsed.topology))
    assert not found.layout.is_mine(0)
    assert found.length > 0


def test_the_same_seed_finds_the_same_board() -> None:
    first, again, other = (longest_chain(SMALL, seed=s, restarts=2, moves=12) for s in (1, 1, 2))
    assert (first.layout, first.lengths) == (again.layout, again.lengths)
    assert first.layout != other.layout
    one_by_one = list(climbs(Board.parse(SMALL), seed=1, restarts=2, moves=12))
    second = climb(Board.parse(SMALL), 0, seed=1, restart=1, moves=12)
    assert one_by_one[1].layout == second.layout
    assert first.score == max(found.score for found in one_by_one)


def test_no_link_rests_on_a_guess() -> None:
    found = longest_chain(SMALL, given=14, seed=1, restarts=1, moves=10)
    assert [root.cell for root in found.chains.roots] == [14]
    assert play_layout(found.layout, 14).text == found.chains.transcript.text


def test_without_mines_to_move_there_is_no_chain() -> None:
    assert longest_chain("4x4/0", restarts=1, moves=3).lengths == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("board", "options", "message"),
    [
        ("4x4/~20%", {}, "no fixed number of mines"),
        ("4x4/3", {"restarts": 0}, "0 restarts"),
        ("4x4/3", {"moves": -1}, "-1 moves"),
        ("4x4/3", {"seed": -1}, "seed -1"),
        ("4x4/15", {}, "mines do not fit"),
    ],
)
def test_what_cannot_be_climbed(board: str, options: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        longest_chain(board, **options)


# ------------------------------------------------------------------------------- the command


def test_the_command_tells_draws_and_writes_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, picture = tmp_path / "game.txt", tmp_path / "chain.svg"
    words = ["long-chain", "--board", SMALL, "--restarts", "1", "--moves", "8", "--seed", "1"]
    files = ["--transcript", str(game), "--svg", str(picture)]
    assert run([*words, *files]) == 0
    said = capsys.readouterr().out
    best = longest_chain(SMALL, seed=1, restarts=1, moves=8)
    assert f"-> {best.length} links" in said
    assert str(best.layout) in said
    assert mp.chains.of(Transcript.parse(game.read_text())).length == best.length
    assert picture.read_text().startswith("<svg")
    assert run([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["chain"]["length"] == best.length
    assert len(told["mines"]) == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--board", "9x9/99"], "99 mines"),
        (["--given", "9,9"], "not on the board"),
        (["--moves", "-1"], "-1 moves"),
        (["--svg", "no-such-folder/chain.svg"], "--svg"),
    ],
)
def test_what_the_command_refuses(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["long-chain", *arguments]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


# ------------------------------------------------------------------------------- the examples

EXAMPLES = sorted((ROOT / "examples").glob("long_chain_*.txt"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_shipped_board_has_the_chain_that_the_docs_say(path: Path) -> None:
    game = Transcript.parse(path.read_text())
    chains = mp.chains.of(game)
    page = (ROOT / "docs" / "chains-answers.md").read_text()
    stated = re.search(rf"examples/{path.name}\)[^|]*\| *(\d+) links", page)
    assert stated is not None
    assert chains.length == int(stated[1])
    assert len(chains.roots) == 1
    assert game.outcome.won


def test_there_are_shipped_boards() -> None:
    assert EXAMPLES
