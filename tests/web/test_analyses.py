"""What the coach says of a position: chances, the best move, proofs and hints."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof import kernel
from mineproof.cli.main import run
from mineproof.engine.analysis import Budget
from mineproof.errors import InconsistentPosition
from mineproof.proofs.proof import NoProof
from mineproof.search.endgame import endgame
from mineproof.text import percent
from mineproof.view.view import View
from mineproof.web import positions
from mineproof.web.app import make_app
from mineproof.web.coach import Coach
from mineproof.web.positions import best_json
from mineproof.web.requests import CoachLimits
from mineproof.web.tasks import TaskProcesses
from tests.advice.test_advice import RISK_OR_WIN, UNCERTAIN, guesses
from tests.core import needs_core

ROOT = Path(__file__).parents[2]
SMALL = "square 3x3 mines=2\n1..\n12.\n01."
CASES = "square 6x6 mines=9\n......\n.2.12.\n......\n.3..1.\n......\n......"
IMPOSSIBLE = "square 3x3 mines=2\n1..\n10.\n01."
BOARDS = ["expert", "hex:9x9/16", "torus:9x9/12", "triangle:6x12/10", "cube:4x4x4/6"]


def lattice(side: int, mines: int) -> str:
    """Clues in every second place of a board: the frontier is the whole board."""
    rows = [
        "".join("2" if (r + c) % 2 and r % 2 else "." for c in range(side)) for r in range(side)
    ]
    return "\n".join([f"square {side}x{side} mines={mines}", *rows])


@pytest.fixture
def narrow(client: Any) -> Any:
    """A coach that may count next to nothing."""
    coach = Coach(replace(client.coach.limits, budget=Budget(states=100)))
    coach.workers = client.coach.workers
    return type(client)(make_app(coach), coach)


@pytest.mark.parametrize("board", BOARDS)
def test_chances_are_those_of_analyze_to_the_digit(client: Any, board: str) -> None:
    path, _ = client.new(board, seed=4, first_click="opening")
    client.post(f"{path}/open", cell=30)
    game = client.get(path).json
    answer = client.get(f"{path}/analysis").json
    analysis = mp.analyze(View.parse(game["view"]["short"]))
    for cell, mark in enumerate(game["view"]["shown"]):
        if mark is None:
            assert answer["p"][cell] == analysis.p[cell]
            certain = {0.0: "safe", 1.0: "mine"}.get(analysis.p[cell])
            assert answer["certain"][cell] == certain
        else:
            assert answer["p"][cell] is answer["certain"][cell] is None
    assert answer["solutions"] == str(analysis.solutions)
    assert analysis.least_risk is not None
    assert answer["best"]["p"] == analysis.least_risk.p
    same = client.post("/api/positions/analysis", text=game["view"]["short"]).json
    assert {**same, "elapsed_us": 0} == {**answer, "elapsed_us": 0}


def test_flags_are_no_evidence(client: Any) -> None:
    plain = client.post("/api/positions/analysis", text=SMALL).json
    flagged = client.post("/api/positions/analysis", text=SMALL.replace("1..", "1F.")).json
    assert {**plain, "elapsed_us": 0} == {**flagged, "elapsed_us": 0}


@pytest.mark.parametrize(("first_click", "p"), [("safe", 0.0), ("opening", 0.0), ("any", 10 / 81)])
def test_the_best_first_cell_knows_the_rules(client: Any, first_click: str, p: float) -> None:
    path, _ = client.new("beginner", first_click=first_click)
    best = client.get(f"{path}/analysis").json["best"]
    assert best["p"] == pytest.approx(p)
    assert client.post(f"{path}/open", cell=best["cell"]).status == 200


def test_nothing_is_best_where_all_is_lost(client: Any) -> None:
    assert (
        client.post("/api/positions/analysis", text="square 1x2 mines=2\n..").json["best"] is None
    )


@pytest.mark.parametrize("text", [SMALL, CASES])
def test_explanations_are_those_of_explain(client: Any, text: str) -> None:
    view = View.parse(text)
    for cell in list(view.hidden)[:9]:
        answer = client.post("/api/positions/explain", text=text, cell=cell).json
        found = mp.explain(view, cell)
        assert answer["p"] == mp.analyze(view).p[cell]
        if isinstance(found, NoProof):
            assert f"its mine chance is {percent(answer['p'])}" in answer["text"]
            assert answer["witnesses"] == list(map(list, found.solutions))
            assert answer["smallest"] is found.nearest is True
            assert answer["certain"] is None
            assert answer["steps"] == []
            with_mine, without = answer["witnesses"]
            assert cell in with_mine
            assert cell not in without
            continue
        assert (answer["text"], answer["summary"]) == (str(found), found.summary)
        assert answer["certain"] == found.claim.value
        assert tuple(answer["premises"]) == found.clues
        steps = answer["steps"]
        for step in steps:
            assert "".join(part["text"] for part in step["parts"]) == step["text"]
        assert " ".join(step["text"] for step in steps).split() == found.text.split()
        assert [cell, answer["certain"]] in steps[-1]["concludes"]
        named = {premise for step in steps for premise in step["premises"]}
        assert named <= set(answer["premises"])


def test_an_open_cell_is_not_explained(client: Any) -> None:
    assert client.post("/api/positions/explain", text=SMALL, cell=0).code == "malformed"
    assert client.post("/api/positions/explain", text=SMALL, cell=9).code == "malformed"
    assert client.post("/api/positions/explain", text=IMPOSSIBLE, cell=1).code == "contradiction"


def test_steps_are_handed_over_as_data(client: Any) -> None:
    """What a step uses and concludes comes from the proof, whatever its sentence says."""
    text = (ROOT / "docs/pictures/proofs/08.txt").read_text(encoding="utf-8")
    view = View.parse(text)
    seen = set()
    for cell in view.hidden:
        found = mp.explain(view, cell)
        if isinstance(found, NoProof):
            continue
        answer = client.post("/api/positions/explain", text=text, cell=cell).json
        assert len(answer["steps"]) == len(found.steps)
        for told, step in zip(answer["steps"], found.steps, strict=True):
            assert (told["kind"], told["text"]) == (step.kind.value, step.sentence)
            assert (told["premises"], told["cells"]) == ([*step.clues], [*step.cells])
            assert (told["rests_on"], told["under"]) == ([*step.rests_on], [*step.under])
            assert told["uses_total"] is step.uses_total
            decided = {c: what == "mine" for c, what in told["concludes"]}
            assert decided == step.decides
            counted = [(tuple(one["cells"]), tuple(one["mines"])) for one in told["counts"]]
            assert counted == [
                (one.cells, one.counts) for one in step.conclusions if one.decides is None
            ]
            seen.add(told["uses_total"])
        assert not answer["steps"][-1]["under"]
    assert seen == {True, False}


def test_the_steps_of_cases_stand_under_what_is_supposed(client: Any) -> None:
    text = (ROOT / "docs/pictures/proofs/10.txt").read_text(encoding="utf-8")
    cell = View.parse(text).topology.cell((0, 3))
    steps = client.post("/api/positions/explain", text=text, cell=cell).json["steps"]
    kinds = [step["kind"] for step in steps]
    assert (kinds[0], kinds.count("case"), kinds[-1]) == ("suppose", 2, "step")
    assert steps[0]["concludes"] == [[cell, "mine"]]
    assert all(1 in step["under"] for step in steps[1:-1])
    broken = [n for n, step in enumerate(steps, 1) if any(not c["mines"] for c in step["counts"])]
    assert steps[-1]["rests_on"] == broken
    assert steps[-1]["concludes"] == [[cell, "safe"]]


def test_a_contradiction_names_what_clashes(client: Any) -> None:
    answer = client.post("/api/positions/analysis", text=IMPOSSIBLE)
    assert (answer.status, answer.code) == (409, "contradiction")
    with pytest.raises(InconsistentPosition) as clash:
        mp.analyze(View.parse(IMPOSSIBLE))
    clues = list(clash.value.clues)
    assert answer.json["error"]["clash"] == clues
    shown = client.post("/api/positions", text=IMPOSSIBLE).json
    assert (shown["status"], shown["clash"]) == ("contradictory", clues)
    assert shown["why"]["premises"] == clues
    assert shown["why"]["steps"][-1]["text"].endswith("clash.")
    assert shown["view"]["shown"][4] == 0
    many = client.post("/api/positions", text="square 2x2 mines=4\n1.\n..").json
    assert (many["status"], many["why"]["uses_total"]) == ("contradictory", True)


def test_what_is_too_wide_is_said_to_be(narrow: Any) -> None:
    text, client = lattice(12, 40), narrow
    answer = client.post("/api/positions/analysis", text=text)
    assert (answer.status, answer.code) == (422, "too-wide")
    assert answer.json["error"]["message"].startswith("too wide to count in the budget: ")
    shown = client.post("/api/positions", text=text).json
    assert (shown["status"], shown["clash"]) == ("too-wide", [])
    assert client.post("/api/positions/explain", text=text, cell=0).code == "too-wide"


WHY = {"text": SMALL, "cell": 1, "states": 1000, "memory": 10**7, "steps": 100}


@pytest.fixture
def workers() -> Iterator[TaskProcesses]:
    """One that is ready."""
    one = TaskProcesses(1)
    try:
        one.warm_up()
        yield one
    finally:
        one.close()


def test_a_worker_that_takes_too_long_is_ended_and_replaced(workers: TaskProcesses) -> None:
    (slow,) = workers.pids
    # Held, it cannot answer, however long this process itself is kept waiting.
    os.kill(slow, signal.SIGSTOP)
    with pytest.raises(mp.MineproofError, match="too wide to count in the budget: late within"):
        workers.ask("explain", WHY, 0.2, "late")
    with pytest.raises(ProcessLookupError):
        os.kill(slow, 0)
    assert workers.ask("explain", WHY, 60.0, "late")["certain"] == "mine"
    assert len(workers.pids) == 1
    workers.close()
    with pytest.raises(mp.MineproofError, match="ending"):
        workers.ask("explain", WHY, 1.0, "late")


def test_a_worker_that_died_is_not_asked_again(workers: TaskProcesses) -> None:
    (dead,) = workers.pids
    os.kill(dead, signal.SIGKILL)
    os.waitpid(dead, 0)
    assert workers.ask("explain", WHY, 60.0, "late")["certain"] == "mine"
    assert dead not in workers.pids


@pytest.mark.parametrize("to", ["short", "board", "mine"])
def test_positions_are_exported(client: Any, to: str) -> None:
    text = client.post("/api/positions/export", text=SMALL, to=to).json["text"]
    assert View.parse(text) == View.parse(SMALL)
    shown = client.post("/api/positions", text=text.replace("\n", "\r\n")).json
    assert shown["view"]["short"] == View.parse(SMALL).text


def test_what_a_notation_cannot_say_is_refused(client: Any) -> None:
    hexes = "hex 2x2 mines=1\n..\n.."
    assert client.post("/api/positions/export", text=hexes, to="mine").code == "malformed"
    assert client.post("/api/positions/export", text=SMALL, to="png").code == "malformed"


@pytest.mark.parametrize("board", ["expert", "hex:5x5/4", "cube:3x3x3/3", "graph:0-1,1-2,2-0/1"])
def test_an_empty_position(client: Any, board: str) -> None:
    found = client.post("/api/positions", board=board).json
    assert set(found["view"]["shown"]) == {None}
    assert found["status"] == "consistent"
    cells = found["board"]["cells"]
    for name in ("coordinates", "names", "neighbours"):
        assert len(found["board"][name]) == cells
    # Unit squares need no drawing: their coordinates say where they are.
    assert (found["board"]["centres"] is None) is (found["board"]["polygons"] is None)
    assert (found["board"]["centres"] is None) is (board == "expert")
    width, height = found["board"]["size"]
    centres = found["board"]["centres"] or []
    assert len(centres) == (0 if board == "expert" else cells)
    assert all(0 <= x <= width and 0 <= y <= height for x, y in centres)


def test_a_position_is_named_once(client: Any) -> None:
    assert client.post("/api/positions").code == "malformed"
    assert client.post("/api/positions", board="expert", text=SMALL).code == "malformed"


def test_limits_are_listed(client: Any) -> None:
    found = client.get("/api/boards").json
    assert found["limits"]["cells"] == CoachLimits().cells
    assert {"square", "hex", "triangle", "torus"} <= {one["name"] for one in found["topologies"]}


def test_the_documentation_names_every_endpoint(client: Any) -> None:
    document = client.get("/openapi.json").json
    assert document["openapi"].startswith("3.1")
    assert set(document["paths"]["/api/games/{game}/open"]) == {"post"}
    references = json.dumps(document).split('"#/components/schemas/')[1:]
    names = {text.partition('"')[0] for text in references}
    assert names <= set(document["components"]["schemas"])
    operations = [
        one["operationId"] for path in document["paths"].values() for one in path.values()
    ]
    assert len(operations) == len(set(operations))
    assert all(hasattr(client.coach, name) for name in operations)


# ----------------------------------------------------------------------------
# The best move is one that holds up, and its reason says what can be checked.


HALF_SOLVED = "square 4x4 mines=4\n1...\n12..\n....\n...."
EARLY = "square 9x9 mines=10\n1........\n" + 8 * ".........\n"
CERTAIN = "square 3x3 mines=2\n1..\n12.\n01."


@pytest.fixture
def hasty(client: Any) -> Any:
    """A coach that plays out few games for an estimate."""
    coach = Coach(replace(client.coach.limits, win_seconds=0.05))
    coach.workers = client.coach.workers
    return type(client)(make_app(coach), coach)


@needs_core
@pytest.mark.parametrize("text", [HALF_SOLVED, EARLY, CERTAIN])
def test_the_best_move_is_that_of_advise(client: Any, text: str) -> None:
    best, answer = mp.advise(View.parse(text)), client.post("/api/positions/analysis", text=text)
    assert best is not None
    assert answer.json["best"] == {
        "cell": best.cell,
        "p": best.risk,
        "reason": best.text,
        "basis": best.basis.value,
        "ties": len(best.ties),
        "tied": list(best.ties),
        "win": best.win and best.win.text,
    }


@needs_core
def test_best_moves_of_the_end_are_best(hasty: Any) -> None:
    """With the chance to win asked for, the move is one that best play would make."""
    seen = 0
    for analysis in guesses("6x6/9", 3):
        view = analysis.view
        answer = hasty.post("/api/positions/analysis", text=view.text, win=True).json
        if answer["win"]["method"] != "endgame":
            continue
        seen += 1
        end = endgame(view)
        assert answer["best"]["cell"] in end.best
        listed = {one["cell"]: one for one in answer["win"]["cells"]}
        for cell, one in listed.items():
            assert one["chance"] == one["low"] == one["high"] == float(end.cells[cell])
        ordered = [one["chance"] for one in answer["win"]["cells"]]
        assert ordered == sorted(ordered, reverse=True)
    assert seen


@needs_core
def test_estimates_come_with_intervals(hasty: Any) -> None:
    client = hasty
    path, _ = client.new("16x16/40", seed=1)
    client.post(f"{path}/open", cell=0)
    answer = client.get(f"{path}/analysis?win=1").json
    assert answer["note"] is None
    for one in answer["win"]["cells"]:
        assert one["low"] <= one["chance"] <= one["high"]
    assert client.get(f"{path}/analysis?win=0").json["win"] is None


def test_rules_without_a_chance_to_win_say_so(client: Any) -> None:
    text = "square 3x3 mines=2 clues=noisy:0.1\n1..\n12.\n01."
    answer = client.post("/api/positions/analysis", text=text, win=True).json
    assert answer["win"] is None
    assert ("exact clues" if kernel.available() else "compiled core") in answer["note"]
    assert answer["best"] is not None


def test_without_the_core_the_least_risk_is_best(monkeypatch: pytest.MonkeyPatch) -> None:
    analysis = mp.analyze(View.parse(EARLY))
    monkeypatch.setattr(kernel, "available", lambda: False)
    best = best_json(analysis)
    assert best is not None
    assert analysis.least_risk is not None
    assert best["cell"] == analysis.least_risk.cell


# ----------------------------------------------------------------------------
# The same position has the same best move wherever one asks: Python, `solve`, its JSON, the coach.


POSITIONS = [
    RISK_OR_WIN,
    UNCERTAIN,
    "square 3x3 mines=2\n1..\n12.\n01.",
    "square 9x9 mines=10\n" + 9 * ".........\n",
    "square 9x9 mines=10 first-click=opening\n" + 9 * ".........\n",
    "square 9x9 mines=10 first-click=any\n" + 9 * ".........\n",
    "square 4x4 mines=unknown density=0.2\n1...\n....\n....\n....\n",
    "square 4x4 mines=3 clues=optimistic\n1...\n....\n....\n....\n",
    "square 4x4 mines=3 on-mine=continue\n1*..\n....\n....\n....\n",
    "hex 4x4 mines=4\n1...\n....\n..2.\n....\n",
    "square 1x2 mines=2\n..",
]


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert run(arguments) == 0
    return capsys.readouterr().out


def ask(
    view: View, client: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> tuple[Any, Any, str]:
    """What `solve --json`, the coach and `solve` call best."""
    file = tmp_path / "position.txt"
    file.write_text(view.text)
    told = json.loads(printed(capsys, "solve", str(file), "--json"))["best"]
    coach = client.post("/api/positions/analysis", text=view.text).json["best"]
    return told, coach, printed(capsys, "solve", str(file), "--table")


@pytest.mark.parametrize("text", POSITIONS)
def test_best_is_the_same_everywhere(
    text: str, client: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    view = View.parse(text)
    told, coach, said = ask(view, client, capsys, tmp_path)
    best = mp.advise(view)
    if best is None:
        assert told is coach is None
        assert "best move: none" in said
        return
    name = view.topology.cell_name(best.cell)
    assert told["cell"] == list(view.topology.coordinates(best.cell))
    assert coach["cell"] == best.cell
    assert told["p"] == coach["p"] == best.risk
    assert told["reason"] == coach["reason"] == best.text
    assert told["basis"] == coach["basis"] == best.basis.value
    assert len(told["ties"]) == coach["ties"] == len(best.ties)
    risk = "safe" if best.risk == 0 else f"{percent(best.risk)} mine"
    assert f"best move: {name}, {risk}" in said
    assert best.text in " ".join(said.split())


@needs_core
def test_positions_of_games_too(
    client: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for analysis in islice(guesses("7x7/9", 6), 10):
        told, coach, _ = ask(analysis.view, client, capsys, tmp_path)
        assert (told["p"], told["reason"]) == (coach["p"], coach["reason"])


@needs_core
@pytest.mark.parametrize("text", POSITIONS[:4])
def test_with_the_chance_to_win_no_cell_is_listed_clearly_above_the_best(
    text: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "position.txt"
    file.write_text(text)
    told = json.loads(printed(capsys, "solve", str(file), "--win", "--samples", "30", "--json"))
    best, wins = told["best"], told["win"]
    assert best["win"] is not None
    assert all(best["win"]["high"] >= win["low"] for win in wins)
    listed = {tuple(win["cell"]): win for win in wins}
    own = listed[tuple(best["cell"])]
    assert best["win"] == {key: own[key] for key in ("chance", "low", "high", "exact")}


@pytest.mark.parametrize("seed", [1, 4])
def test_reviews_are_the_same_everywhere(
    seed: int, client: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    game = mp.play("7x7/9", agent="single-point", seed=seed)
    file = tmp_path / "game.txt"
    file.write_text(game.text)
    told = json.loads(printed(capsys, "review", str(file), "--json"))
    path, _ = client.new("7x7/9", seed=seed)
    for step in game.steps:
        what, cell = step.decision.action.value, step.decision.cell
        assert client.post(f"{path}/{what}", cell=cell).status == 200
    coach = client.get(f"{path}/review").json
    assert (told["lost"], told["blunders"]) == (coach["lost"], coach["blunders"])
    assert (told["luck"], told["guesses"]) == (coach["luck"], coach["guesses"])
    same = ("n", "action", "risk", "best_risk", "lost", "measure", "kind", "certain", "text")
    for here, there in zip(told["moves"], coach["moves"], strict=True):
        assert [here[key] for key in same] == [there[key] for key in same]
        assert game.topology.cell(tuple(here["cell"])) == there["cell"]


# ----------------------------------------------------------------------------
# Hints over HTTP: what is not asked for is not in the answer.


def test_a_hint_holds_no_more_than_its_level(client: Any) -> None:
    path, _ = client.new("8x8/10", seed=4, first_click="opening")
    client.post(f"{path}/open", cell=27)
    region, clues, cell, proof = (
        client.get(f"{path}/hint?level={level}").json for level in (1, 2, 3, 4)
    )
    assert client.get(f"{path}/hint").json == region
    assert [one["kind"] for one in (region, clues, cell, proof)] == [
        *("region", "clues", "cell", "proof")
    ]
    assert region["region"]
    assert (region["premises"], region["cell"], region["certain"], region["why"]) == (
        [],
        None,
        None,
        None,
    )
    assert clues["premises"]
    assert (clues["cell"], clues["certain"], clues["why"]) == (None, None, None)
    assert (cell["certain"], cell["why"]) == ("safe", None)
    assert proof["why"]["cell"] == cell["cell"]
    assert proof["why"] == client.get(f"{path}/explain?cell={cell['cell']}").json
    view = View.parse(client.get(path).json["view"]["short"])
    assert mp.analyze(view).p[cell["cell"]] == 0.0


def test_a_guess_is_told_only_when_asked_again(client: Any) -> None:
    path, _ = client.new("2x2/1", seed=1, first_click="safe")
    client.post(f"{path}/open", cell=0)
    first = client.get(f"{path}/hint?level=1").json
    assert (first["kind"], first["cell"], first["more"]) == ("nothing", None, True)
    second = client.get(f"{path}/hint?level=2").json
    assert (second["kind"], second["more"]) == ("guess", False)
    assert second["cell"] is not None


def test_there_is_nothing_to_hint_at_when_it_is_over(client: Any) -> None:
    path, _ = client.new("2x2/3", seed=1)
    client.post(f"{path}/open", cell=0)
    answer = client.get(f"{path}/hint")
    assert (answer.status, answer.code) == (409, "illegal")


def test_bad_levels_are_refused(client: Any) -> None:
    path, _ = client.new("9x9/10", seed=1)
    assert client.get(f"{path}/hint?level=0").json["error"]["message"] == (
        "level 0 of a hint; accepted: 1 or more"
    )
    assert client.get(f"{path}/hint?level=-1").status == 400
    assert client.get(f"{path}/hint?level=x").status == 400
    assert client.get(f"{path}/hint?level=9007199254740991").status == 200


# -- the examples of Analyse ---------------------------------------------------------------------


def two_layouts_by_a_coin(analysis: mp.Analysis) -> bool:
    risks = [analysis.p[cell] for cell in analysis.view.hidden]
    return analysis.solutions == 2 and not analysis.safe and risks.count(0.5) == 2


def the_total_decides(analysis: mp.Analysis) -> bool:
    text = analysis.view.text
    without = mp.analyze(re.sub(r"mines=\d+", "mines=unknown density=0.2", text))
    return bool(analysis.safe) and not without.safe


EXAMPLES: dict[str, Callable[[mp.Analysis], bool]] = {
    "In the middle of a game": lambda analysis: bool(analysis.safe) and analysis.solutions > 9,
    "1-2-1 along a wall": lambda analysis: (
        {(1, 0), (1, 2), (1, 4)} <= places(analysis, analysis.mines)
    ),
    "Two cells, one mine: a guess": two_layouts_by_a_coin,
    "Only the total decides": the_total_decides,
    "Hexagons": lambda analysis: analysis.view.topology.name == "hex" and bool(analysis.safe),
}


def places(analysis: mp.Analysis, cells: Iterable[int]) -> set[tuple[int, ...]]:
    return {tuple(analysis.view.topology.coordinates(cell)) for cell in cells}


def test_every_example_of_analyse_is_what_its_title_says() -> None:
    script = Path(positions.__file__).parent / "static" / "views" / "analyse-exchange.js"
    listed = script.read_text().partition("export const EXAMPLES = [")[2].partition("\n];")[0]
    found = dict(re.findall(r'"([^"]+)",\s+`([^`]+)`', listed))
    assert set(found) == {*EXAMPLES, "An impossible position"}
    for title, holds in EXAMPLES.items():
        assert holds(mp.analyze(found[title])), title
    with pytest.raises(mp.InconsistentPosition):
        mp.analyze(found["An impossible position"])


# -- one best move, whatever is shown --------------------------------------------------------------


def test_on_a_board_without_guesses_what_is_certain_wins(client: Any) -> None:
    path, _ = client.new("beginner", seed=5, no_guess=True)
    fresh = client.get(f"{path}/analysis?win=1").json
    assert fresh["best"]["win"] == "100 %"
    client.post(f"{path}/open", cell=40)
    told = client.get(f"{path}/analysis?win=1").json
    assert told["win"]["method"] == "no-guess"
    safe = [cell for cell, sure in enumerate(told["certain"]) if sure == "safe"]
    assert [one["cell"] for one in told["win"]["cells"]] == safe != []
    assert {one["chance"] for one in told["win"]["cells"]} == {1.0}
    assert told["best"]["win"] == "100 %"


def test_before_anything_is_open_why_says_what_the_rules_say(client: Any) -> None:
    for rule, around in (("safe", False), ("opening", True)):
        path, _ = client.new("9x9/10", seed=5, first_click=rule)
        told = client.get(f"{path}/explain?cell=40").json
        assert (told["certain"], told["p"], told["witnesses"]) == ("safe", 0.0, None)
        assert "safe by the rules" in told["text"]
        assert ("cells around it" in told["text"]) is around
    path, _ = client.new("9x9/10", seed=5, first_click="any")
    assert client.get(f"{path}/explain?cell=40").json["p"] == pytest.approx(10 / 81)


@needs_core
def test_the_best_move_and_the_review_have_the_same_figures(client: Any) -> None:
    """The game of the report: a cell that ties with the best was called a blunder."""
    path, _ = client.new("expert", seed=3454994905, first_click="safe")
    client.post(f"{path}/open", cell=8 * 30 + 15)
    told = client.get(f"{path}/analysis?win=1").json
    best = told["best"]
    assert best["basis"] == "rollouts"
    tied = next(cell for cell in best["tied"] if told["p"][cell] != best["p"])
    for cell in (tied, best["cell"]):
        client.post(f"{path}/open", cell=cell)
        review = client.get(f"{path}/review?last=1").json
        last = review["moves"][-1]
        assert (last["kind"], last["lost"], last["measure"]) == ("forced", 0.0, "win")
        assert "no cell won clearly more" in last["text"]
        assert review["blunders"] == []
        client.post(f"{path}/undo")
