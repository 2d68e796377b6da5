"""The page to walk through a game: escaped, self-contained, the same every time."""

from __future__ import annotations

import json
import re

import pytest

from mineproof.agents.catalog import parse_agent
from mineproof.lab.knowledge_figure import knowledge_figure
from mineproof.lab.report.walk_page import walk_page
from mineproof.match import Transcript, play
from mineproof.match.frames import frames
from mineproof.match.knowledge_log import KnowledgeLog, KnowledgeSize

HOSTILE = "<script>alert('x')</script>&\"]]>"
BOARDS = ["5x5/4", "hex:4x4/3", "triangle:3x6/3", "cube:3x3x3/2", "graph:0-1,1-2,2-3/1"]


def changes(page: str) -> list[dict[str, object]]:
    found = re.search(r'id="frames">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: list[dict[str, object]] = json.loads(found[1])
    return data


def logged(board: str, agent: str, seed: int) -> tuple[Transcript, list[KnowledgeSize]]:
    log = KnowledgeLog(parse_agent(agent).make())
    return play(board, log, seed), log.sizes


@pytest.mark.parametrize("board", BOARDS)
def test_every_step_is_on_the_page(board: str) -> None:
    game, sizes = logged(board, "single-point", 2)
    page = walk_page(game, board, sizes)
    assert page == walk_page(game, board, sizes)
    for frame in frames(game):
        assert f"<li><p>{frame.text}</p>" in page
    assert len(changes(page)) == len(game.steps) + 2
    assert "steps guessed: 1" in page
    assert "before the step: " in page
    assert page.count("<g>") == len(game.topology)


def test_what_changes_adds_up_to_the_board_after_every_step() -> None:
    game, _ = logged("9x9/10", "single-point", 1)
    looks: dict[int, list[str]] = {}
    for frame, one in zip(frames(game), changes(walk_page(game, "game")), strict=False):
        assert isinstance(one["cells"], list)
        looks.update({cell: look for cell, *look in one["cells"]})
        shown = [looks[cell][1] for cell in frame.view.topology.cells]
        view = frame.view
        clues = [str(view.clue(cell) or "") for cell in range(81)]
        assert shown == ["F" if view.is_flagged(cell) else clues[cell] for cell in range(81)]
        blue = {cell for cell, look in looks.items() if "premise" in look[3]}
        assert blue == set(frame.premises)


def test_nothing_is_taken_for_code_and_nothing_is_fetched() -> None:
    game, sizes = logged("4x4/2", "single-point", 2)
    page = walk_page(game, HOSTILE, sizes)
    assert "<script>alert" not in page
    assert "default-src 'none'" in page.replace("&#x27;", "'")
    assert "eval(" not in page
    assert not re.search(r"\b(?:src|href)=\"(?!data:)", page)
    assert page.count("http") == page.count("http-equiv") + page.count("http://www.w3.org/2000/svg")


def test_the_figure_is_of_the_knowledge_base_or_of_the_clues() -> None:
    _, sizes = logged("9x9/10", "resolution", 1)
    assert "statements in the knowledge base" in knowledge_figure("a game", sizes)
    silent = [KnowledgeSize(size.step, None, size.open_clues, size.hidden) for size in sizes]
    figure = knowledge_figure("a game", silent)
    assert "clues at hidden cells" in figure
    assert figure.startswith("<?xml")
    few = knowledge_figure("a game", [KnowledgeSize(step, 2 - step, 1, 3) for step in (0, 1, 2)])
    ticks = re.findall(r">([\d.]+)</text>", few)
    assert ticks
    assert all(tick.isdigit() for tick in ticks)  # statements and steps are counted
