"""The tools for language models: exact answers of text, and the server that offers them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

import mineproof as mp
from mineproof.advice.game_review import Effort
from mineproof.engine.analysis import Budget
from mineproof.web.requests import CoachLimits, task_answer
from mineproof.web.tasks import run_task
from mineproof.web.tools import COACHING, GUIDE, MinesweeperTools, ToolRefusal

POSITION = "square 4x5 mines=4\n001..\n012..\n01...\n01...\n"


class WorkersHere:
    """Does the tasks of a tool in this process."""

    def ask(self, task: str, asked: dict[str, Any], seconds: float, otherwise: str) -> Any:
        told = run_task({"task": task, "asked": asked, "seconds": seconds})
        return task_answer(told, seconds, otherwise)

    def warm_up(self) -> None: ...

    def close(self) -> None: ...


class WorkersOutOfTime(WorkersHere):
    """Has every task ended at its time limit."""

    def ask(self, task: str, asked: dict[str, Any], seconds: float, otherwise: str) -> Any:
        return task_answer(None, seconds, otherwise)


@pytest.fixture(scope="module")
def tools() -> Iterator[MinesweeperTools]:
    with MinesweeperTools(workers=WorkersHere()) as made:
        yield made


def layouts(text: str) -> list[frozenset[int]]:
    """All layouts that explain a position, by trying each."""
    from itertools import combinations

    view = mp.View.parse(text)
    near = view.topology.neighbours
    assert view.total is not None
    return [
        frozenset(mines)
        for mines in combinations(view.hidden, view.total)
        if all(len(set(near(cell)) & set(mines)) == clue for cell, clue in view.clues)
    ]


def test_answers_agree_with_all_layouts(tools: MinesweeperTools) -> None:
    view, every = mp.View.parse(POSITION), layouts(POSITION)
    name = view.topology.cell_name
    shares = {name(c): sum(c in one for one in every) / len(every) for c in view.hidden}
    found = tools.analyse(POSITION)
    said = dict.fromkeys(found.safe, 0.0) | dict.fromkeys(found.mines, 1.0)
    for group in found.uncertain:
        said |= dict.fromkeys(group.cells, group.chance)
    assert said == pytest.approx(shares)
    assert found.layouts == str(len(every))
    for cell, share in shares.items():
        truth = {0.0: "safe", 1.0: "mine"}.get(share, "uncertain")
        for claim in ("safe", "mine", "uncertain"):
            check = tools.check_claim(POSITION, cell, claim)  # type: ignore[arg-type]
            assert (check.true, check.certainty) == (claim == truth, truth)
        why = tools.explain(POSITION, cell)
        assert (why.certainty, why.chance) == (truth, pytest.approx(share))
        assert bool(why.steps) == (truth != "uncertain")
        assert len(why.witnesses) == 2 * (truth == "uncertain")
        for mines in why.witnesses:
            assert frozenset(view.topology.cell(tuple(map(int, m.split(",")))) for m in mines) in (
                every
            )
    assert tools.best_move(POSITION).cell in found.safe


def test_a_contradiction_names_its_clues(tools: MinesweeperTools) -> None:
    assert tools.read_position(POSITION).consistent
    found = tools.read_position("square 2x3 mines=1\n1.2\n...")
    assert not found.consistent
    assert set(found.clash) <= {"0,0", "0,2"}
    assert found.clash
    with pytest.raises(ToolRefusal):
        tools.analyse("square 2x3 mines=1\n1.2\n...")


def test_what_is_too_much_is_not_available_and_nothing_is_estimated() -> None:
    wide = mp.play("expert", "exact", seed=2)
    text = list(wide.views())[len(wide.steps) // 2].text
    with MinesweeperTools(
        CoachLimits(budget=Budget(states=1, memory=1)), WorkersOutOfTime()
    ) as tools:
        for tool in (tools.analyse, tools.best_move, tools.read_position):
            with pytest.raises(ToolRefusal, match=r"^not available: "):
                tool(text)
        with pytest.raises(ToolRefusal, match=r"^not available: .*within 5 seconds"):
            tools.explain(POSITION, "2,2")
    with MinesweeperTools(CoachLimits(cells=10, text=40), WorkersHere()) as tools:
        with pytest.raises(ToolRefusal, match="accepted: at most 40"):
            tools.analyse(POSITION)
        with pytest.raises(ToolRefusal, match="at most 10"):
            tools.read_position("square 3x4 mines=1\n....\n....\n....")


@pytest.mark.parametrize("cell", ["", "0", "9,9", "0,0", "a,b", "0,3,1", "-1,2", "1" * 400])
def test_bad_cells_are_refused_in_one_line(tools: MinesweeperTools, cell: str) -> None:
    with pytest.raises(ToolRefusal) as caught:
        tools.explain(POSITION, cell)
    assert "\n" not in str(caught.value)


def test_a_game_is_reviewed(tools: MinesweeperTools) -> None:
    game = mp.play("beginner", "single-point", seed=4)
    found = tools.review(game.text)
    own = mp.review(game, effort=Effort(samples=0))
    assert [move.lost for move in found.moves] == [move.lost for move in own.moves]
    assert (found.outcome, found.lost) == ("exploded", own.lost)


def test_a_generated_board_needs_no_guess(tools: MinesweeperTools) -> None:
    made = tools.generate("5x5/4", 3)
    view = mp.View.parse(made.position)
    layout = {view.topology.cell(tuple(map(int, one.split(",")))) for one in made.mines}
    while safe := mp.analyze(view).safe:  # the clues of the answer's own mines, cell by cell
        assert not set(safe) & layout
        near = view.topology.neighbours
        clues = {cell: len(set(near(cell)) & layout) for cell in safe}
        view = mp.View.parse(with_clues(view, clues))
    assert set(view.hidden) == layout


def with_clues(view: mp.View, clues: dict[int, int]) -> str:
    head, *rows = view.text.splitlines()
    width = len(rows[0])
    cells = list("".join(rows))
    for cell, clue in clues.items():
        cells[cell] = str(clue)
    return "\n".join([head, *("".join(cells[i : i + width]) for i in range(0, len(cells), width))])


def test_practice_and_forms(tools: MinesweeperTools) -> None:
    found = tools.practise(2, 7)
    assert tools.analyse(found.position).safe or tools.analyse(found.position).mines
    assert found == tools.practise(2, 7)
    with pytest.raises(ToolRefusal, match="accepted: 1 to 5"):
        tools.practise(9)
    assert tools.render(POSITION, "svg").text.startswith("<svg")
    for form in ("short", "board", "mine", "emoji", "link"):
        again = tools.read_position(tools.render(POSITION, form).text)
        assert again.position == tools.read_position(POSITION).position
    with pytest.raises(ToolRefusal, match="accepted: short"):
        tools.render(POSITION, "png")


def test_the_guide_holds_a_position_that_reads(tools: MinesweeperTools) -> None:
    lines = [line.strip() for line in GUIDE.splitlines() if line.startswith("    ")]
    assert tools.read_position("\n".join(lines)).consistent
    assert "not available" in " ".join(COACHING.split()) + GUIDE


def test_the_library_s_own_client_uses_the_server() -> None:
    pytest.importorskip("mcp.server.mcpserver", reason="the extra mcp is not installed")
    import anyio
    from mcp import StdioServerParameters
    from mcp.client import Client
    from mcp.client.stdio import stdio_client

    async def talk() -> None:
        own = StdioServerParameters(command=sys.executable, args=["-m", "mineproof", "mcp"])
        async with Client(stdio_client(own)) as client:
            listed = (await client.list_tools()).tools
            assert [tool.name for tool in listed][:3] == ["read_position", "analyse", "explain"]
            assert all(tool.output_schema for tool in listed)
            told = await client.call_tool("analyse", {"position": POSITION})
            assert told.structured_content["safe"] == ["2,3", "3,2"]
            told = await client.call_tool("explain", {"position": POSITION, "cell": "2,2"})
            assert told.structured_content["certainty"] == "mine"
            told = await client.call_tool("analyse", {"position": "no position"})
            assert told.is_error
            assert "accepted" in told.content[0].text
            guide = await client.read_resource("mineproof://notation")
            assert guide.contents[0].text == GUIDE
            prompt = await client.get_prompt("coach", {"position": POSITION})
            assert POSITION in prompt.messages[0].content.text

    anyio.run(talk)
