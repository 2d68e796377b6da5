"""Tasks for language models: exact grades, nothing for cheap answers, and nothing of the mines."""

from __future__ import annotations

import copy
import hashlib
import json
import pickle
import re
import struct
import zlib
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof.cli.main import run
from mineproof.errors import InputError, NotationError
from mineproof.generation.puzzles import canonical_key
from mineproof.tasks import KINDS, LEVELS, RENDERINGS, SPLITS, Conversation, Task, Verdict
from mineproof.tasks.baselines import PLAYERS, MeanScore, score_table
from mineproof.tasks.kinds import GameQuestion, GuessQuestion, ProofQuestion, SoundQuestion
from mineproof.tasks.renderings import png
from mineproof.tasks.task import split_of
from mineproof.view.view import View
from tests.core import needs_core

SAMPLES = [("certain", 2), ("claim", 3), ("sound", 3), ("chance", 1), ("guess", 1), ("prove", 3)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("level", LEVELS)
@needs_core
def test_its_own_solution_gets_full_marks(kind: str, level: int) -> None:
    task = Task(11, kind, level)
    assert task.grade(f"I think that... {{no}}\n{task.solution}").score == 1.0
    assert Task.from_json(json.loads(task.line())) == task


PROMPTS = {
    "certain": "70174d9a6214",
    "claim": "2fc4b29f7eda",
    "sound": "3a4ad3e717ab",
    "chance": "57d0fe19c817",
    "guess": "4e5c62022391",
    "prove": "582184bb701f",
}


@pytest.mark.parametrize(("kind", "level"), SAMPLES)
def test_the_same_words_are_the_same_task(kind: str, level: int) -> None:
    """With the core and with its twins, today and tomorrow: published scores depend on it."""
    prompt = Task(4, kind, level).prompt()
    assert hashlib.sha256(prompt.encode()).hexdigest()[:12] == PROMPTS[kind]


# -- cheap answers -----------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "level"), [*SAMPLES, ("game", 1)])
def test_cheap_answers_score_nothing(kind: str, level: int) -> None:
    for seed in range(3):
        task = Task(seed, kind, level)
        name = task.view.topology.cell_name
        hidden = [name(cell) for cell in task.view.hidden]
        everything = {"safe": hidden, "mines": hidden, "open": hidden}
        replies = [
            "none",
            "all",
            "{}",
            '{"safe": [], "mines": []}',
            '{"open": []}',
            "I do not know.",
        ]
        replies += [json.dumps({"safe": hidden}), json.dumps({"mines": hidden})]
        replies += [json.dumps(everything)] if kind != "game" else []
        replies += [task.prompt(rendering) for rendering in RENDERINGS]
        for reply in replies:
            assert task.grade(reply).score == 0.0, reply


@pytest.mark.parametrize("kind", ["claim", "sound"])
def test_yes_and_no_are_right_equally_often(kind: str) -> None:
    tasks = [Task(seed, kind, 3) for seed in range(20)]
    field = "true" if kind == "claim" else "sound"
    for constant in (True, False):
        reply = json.dumps({field: constant})
        assert sum(task.grade(reply).score for task in tasks) == 0.0
    firsts = [json.loads(task.solution)[field] for task in tasks[::2]]
    assert set(firsts) == {True, False}  # the seed alone does not tell


def test_no_constant_chance_scores() -> None:
    for seed in range(5):
        task = Task(seed, "chance", 2)
        share = (task.view.total or 0) / task.view.hidden_count
        for constant in (0, 0.5, 1, share):
            assert task.grade(json.dumps({"chance": constant})).score == 0.0


def test_a_guess_at_random_scores_nothing_on_average() -> None:
    task = Task(2, "guess", 1)
    question = task.question
    assert isinstance(question, GuessQuestion)
    name = task.view.topology.cell_name
    scores = [task.grade(f'{{"open": "{name(cell)}"}}').score for cell in question.wins]
    assert sum(scores) == pytest.approx(0.0)
    assert max(scores) == 1.0


# -- grades ------------------------------------------------------------------------------------


def test_certain_cells_are_graded_by_f1_and_a_false_claim_costs_all() -> None:
    task = Task(3, "certain", 3)
    found = json.loads(task.solution)
    half = {"safe": found["safe"], "mines": []}
    share = len(found["safe"]) / (len(found["safe"]) + len(found["mines"]))
    assert task.grade(json.dumps(half)).score == pytest.approx(2 * share / (1 + share))
    swapped = {"safe": found["safe"], "mines": [*found["mines"], found["safe"][0]]}
    wrong = task.grade(json.dumps(swapped))
    assert (wrong.score, wrong.metrics["false_claims"]) == (0.0, 1.0)
    as_lists = {"safe": [list(map(int, cell.split(","))) for cell in found["safe"]], **found}
    assert task.grade(json.dumps(as_lists)).score == 1.0


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        (None, Verdict.SILENT),
        ("  \n", Verdict.SILENT),
        ("the mines are 1,1 and 2,2", Verdict.UNREADABLE),
        ('{"safe": 7}', Verdict.UNREADABLE),
        ('{"safe": ["here"]}', Verdict.UNREADABLE),
        ('{"safe": [[1, 2.5]]}', Verdict.UNREADABLE),
        ('{"safe": ["99,99"]}', Verdict.ILLEGAL),
        ('{"safe": [[-1, 0]]}', Verdict.ILLEGAL),
        (f'{{"safe": [[{"9" * 4000}, 0]]}}', Verdict.ILLEGAL),
        ('{"safe": ["0,0"]' + " " * 70_000 + "}", Verdict.UNREADABLE),
        ("{" * 60_000, Verdict.UNREADABLE),
        ('{"safe":' * 5_000, Verdict.UNREADABLE),
        ('{"safe": ' + "[" * 20_000 + "]" * 20_000 + "}", Verdict.UNREADABLE),
        (json.dumps({"safe": ["0,0"] * 1000}), Verdict.UNREADABLE),
    ],
)
def test_what_cannot_be_read_has_its_verdict(reply: str | None, verdict: Verdict) -> None:
    grade = Task(3, "certain", 3).grade(reply)
    assert (grade.score, grade.verdict) == (0.0, verdict)


def test_an_open_cell_is_an_illegal_answer() -> None:
    task = Task(3, "certain", 3)
    opened = task.view.topology.cell_name(task.view.opened[0])
    assert task.grade(json.dumps({"safe": [opened]})).verdict is Verdict.ILLEGAL


@pytest.mark.parametrize("said", ["1/0", "2", "-0.1", "NaN", "1e-3", "0." + "3" * 50, "", "1/2/3"])
def test_what_is_no_chance_is_refused(said: str) -> None:
    assert Task(1, "chance", 1).grade(json.dumps({"chance": said})).verdict is Verdict.UNREADABLE


@settings(max_examples=30)
@given(st.text(max_size=200), st.sampled_from(SAMPLES))
def test_no_text_raises(text: str, sample: tuple[str, int]) -> None:
    task = _task(*sample)
    assert task.grade(text).score <= 0.0
    assert task.grade('{"safe": [' + text + '], "open": "' + text + '"}').score <= 1.0


_CACHE: dict[tuple[str, int], Task] = {}


def _task(kind: str, level: int) -> Task:
    return _CACHE.setdefault((kind, level), Task(5, kind, level))


# -- proofs ------------------------------------------------------------------------------------


def test_a_broken_proof_has_one_step_that_does_not_follow() -> None:
    for seed in range(12):
        question = Task(seed, "sound", 3).question
        assert isinstance(question, SoundQuestion)
        steps = range(1, len(question.lines) + 1)
        assert (question.bad_step is None) == question.truth
        assert question.bad_step is None or question.bad_step in steps
        last = question.lines[-1].rpartition(" of ")[2]
        asked = ProofQuestion(question.view, question.view.topology.cell(_place(last)), False, ())
        for mine in (False, True):
            as_claim = ProofQuestion(asked.view, asked.cell, mine, ())
            if as_claim.grade("\n".join(question.lines)).score:
                assert question.truth


def _place(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(" ")[0].split(",")))


def test_a_written_proof_is_read_by_the_checker() -> None:
    task = Task(3, "prove", 3)
    lines = task.solution.split("\n")
    fenced = "First try:\nstep 1 by 0,0: 0 of 9,9\nNo. So:\n```\n" + task.solution + "\n```"
    assert task.grade(fenced).score == 1.0
    for number in range(len(lines)):
        short = "\n".join(lines[:number] + lines[number + 1 :])
        assert task.grade(short).score == 0.0
    dropped = re.sub(r" by (\d+,\d+)", "", task.solution, count=1)
    assert task.grade(dropped).score == 0.0


# -- renderings --------------------------------------------------------------------------------


@pytest.mark.parametrize("board", ["6x6/8", "hex:6x6/8", "torus:6x6/8", "triangle:5x6/5"])
def test_every_rendering_says_the_same(board: str) -> None:
    referee = mp.Referee(board, seed=2, first_click="opening")
    view = referee.open(referee.view.topology.centre)
    shown = {name: RENDERINGS[name](view) for name in RENDERINGS}
    read = _read_rows(view, shown["rows"])
    assert read.codes().tolist() == view.codes().tolist()
    found = json.loads(shown["json"])
    assert [view.clue(cell) for cell in view.topology.cells] == [
        one for row in found["cells"] for one in row
    ]
    for cell in view.topology.cells:
        what = "hidden" if view.is_hidden(cell) else f"shows {view.clue(cell)}"
        line = next(li for li in shown["coordinates"].split("\n") if li.startswith(f"{what}:"))
        assert view.topology.cell_name(cell) in line.split()
    for cell, clue in view.clues:
        near = [n for n in view.topology.neighbours(cell) if view.is_hidden(n)]
        line = f"{view.topology.cell_name(cell)} shows {clue}: "
        assert (line in shown["constraints"]) == bool(near)


def _read_rows(view: View, text: str) -> View:
    lines = text.split("\n")[2:]
    rows = "\n".join("".join(line.split()[1:]) for line in lines)
    return View.parse(f"{view.topology.text.replace(':', ' ')} mines={view.total}\n{rows}")


def test_the_picture_is_a_png_of_what_is_shown() -> None:
    view = Task(3, "certain", 3).view
    data = png(view)
    width, height = struct.unpack(">II", data[16:24])
    place, pixels = 33, b""
    while data[place + 4 : place + 8] == b"IDAT":
        (size,) = struct.unpack(">I", data[place : place + 4])
        pixels, place = pixels + data[place + 8 : place + 8 + size], place + 12 + size
    assert len(zlib.decompress(pixels)) == height * (3 * width + 1)
    other = png(view.reveal({view.hidden[0]: 1}))
    assert other != data


# -- splits ------------------------------------------------------------------------------------


@needs_core  # the twin takes minutes for so many games
def test_no_position_is_in_both_splits() -> None:
    keys = {split: set() for split in SPLITS}
    for split in SPLITS:
        for seed in range(12):
            keys[split].add(canonical_key(Task(seed, "certain", 1, split).view))
    assert keys["train"].isdisjoint(keys["test"])
    assert all(len(found) > 1 for found in keys.values())


def test_a_mirrored_position_stays_in_its_split() -> None:
    for seed in range(10):
        lines = Task(seed, "chance", 2).view.text.splitlines()
        if not lines[0].startswith("square"):
            continue
        mirrored = View.parse("\n".join([lines[0], *(line[::-1] for line in lines[1:])]))
        assert split_of(mirrored) == split_of(View.parse("\n".join(lines)))


# -- games -------------------------------------------------------------------------------------


def _game(seed: int = 1, level: int = 1) -> Conversation:
    question = Task(seed, "game", level).question
    assert isinstance(question, GameQuestion)
    return Conversation(question, samples=20)


def _open(game: Conversation, *cells: int) -> str:
    name = game.view.topology.cell_name
    return game.send(json.dumps({"open": [name(cell) for cell in cells]}))


def test_the_best_moves_win_without_luck() -> None:
    for seed in range(4):
        game = _game(seed, 2)
        game.best_line()
        grade = game.grade()
        assert game.won
        assert (grade.score, grade.metrics["regret"], grade.metrics["risky_moves"]) == (1.0, 0, 0)


def test_a_risky_move_beside_a_safe_one_costs() -> None:
    game = _game()
    risks = mp.analyze(game.view).p
    risky = min((c for c in game.view.hidden if 0 < risks[c] < 1), key=lambda c: risks[c])
    _open(game, risky)
    grade = game.grade()
    assert grade.metrics["risky_moves"] == 1.0
    assert grade.metrics["certain_share"] == 0.0
    assert grade.metrics["regret"] > 0
    assert grade.score == 0.0


def test_a_game_left_before_its_end_scores_nothing() -> None:
    game = _game()
    _open(game, next(iter(mp.analyze(game.view).safe)))
    assert game.grade().metrics["certain_share"] == 1.0
    assert game.grade().score == 0.0


def test_three_replies_without_a_move_end_the_game() -> None:
    game = _game()
    assert "No move was made" in game.send("pass")
    assert "is open" in _open(game, game.view.opened[0])
    assert not game.over
    assert game.send(None) == "The game ends here."
    assert game.over
    assert game.send('{"open": ["0,0"]}') == "The game is over."
    metrics = game.grade().metrics
    assert [metrics[word] for word in ("silent", "unreadable", "illegal")] == [1.0, 1.0, 1.0]
    assert game.moves == 0


def test_the_number_of_cells_opened_counts_for_nothing() -> None:
    line = json.loads(_game().best_line())["open"]
    together, apart = _game(), _game()
    together.send(json.dumps({"open": line}))
    for cell in line:
        apart.send(json.dumps({"open": [cell]}))
    assert together.grade() == apart.grade()


def test_a_finished_game_is_a_transcript_that_can_be_reviewed() -> None:
    game = _game()
    assert game.transcript("me") is None
    game.best_line()
    record = game.transcript("me")
    assert record is not None
    again = mp.Transcript.parse(record.text)
    assert again == record
    *_, last = again.views()
    assert last == game.view


# -- nothing of the mines ----------------------------------------------------------------------


def test_what_a_player_gets_is_the_same_whatever_the_mines_are() -> None:
    """The layout is changed for others that explain the position: nobody must be able to tell."""
    for seed in range(3):
        heard = []
        plain = _game(seed)
        for layout in mp.analyze(plain.view).sample(6, seed=9):
            game = _game(seed)
            game._game._lay(layout)
            told = [repr(game), game.question.text, repr(game.question)]
            told += [game.send("?"), game.send('{"open": ["99,0"]}')]
            told += [str(game.grade()), str(game.transcript("x"))]
            heard.append(told)
        assert all(one == other for one, other in pairwise(heard))


def test_a_task_is_pickled_without_its_position_and_a_game_not_at_all() -> None:
    task = Task(1, "game", 1)
    assert task.prompt()
    again = pickle.loads(pickle.dumps(task))
    assert again == task
    assert vars(again).keys() == {"seed", "kind", "level", "split", "_kind"}
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(InputError, match="holds its mines"):
            copied(_game())


def test_nothing_that_a_task_holds_is_a_layout() -> None:
    for kind, level in SAMPLES:
        task = Task(2, kind, level)
        assert task.prompt()
        held = pickle.dumps(vars(task.question))
        assert b"mineproof.board.layout" not in held
        assert b"Referee" not in held


# -- rows, players and the command -------------------------------------------------------------


@pytest.mark.parametrize(
    "row", [{}, {"seed": -1}, {"seed": 1, "kind": [], "level": 1, "split": "train"}]
)
def test_a_malformed_row_is_refused(row: dict[str, object]) -> None:
    with pytest.raises(NotationError):
        Task.from_json(row)


@pytest.mark.parametrize(
    "words", [(1, "nonsense"), (1, "claim", 9), (1, "claim", 1, "dev"), (-1, "claim")]
)
def test_an_unknown_task_is_refused(words: tuple[object, ...]) -> None:
    with pytest.raises(InputError, match=r"accepted|known"):
        Task(*words)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", KINDS)
@needs_core
def test_our_own_players_answer_in_the_right_form(kind: str) -> None:
    task = Task(7, kind, 2)
    for player in PLAYERS:
        reply = PLAYERS[player](task.question, mp.rng.Stream(3))
        assert task.grade(reply).verdict is Verdict.ANSWER


@needs_core  # its games are many
def test_the_table_has_a_row_for_each_kind() -> None:
    table = score_table(["claim", "chance"], 2, ["single-point", "exact"]).split("\n")
    assert [line.split(" |")[0] for line in table[2:]] == ["| claim", "| chance"]
    assert all(line.endswith("| 1.00 ± 0.00 |") for line in table[2:])
    assert str(MeanScore.of([0.0, 1.0])) == "0.50 ± 0.98"


def test_the_command_writes_rows(tmp_path, capsys) -> None:
    out = tmp_path / "tasks.jsonl"
    words = ["tasks", "--kind", "claim", "--level", "2", "--count", "3", "--rendering", "json"]
    assert run([*words, "--out", str(out)]) == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [Task.from_json(row).grade(row["answer"]).score for row in rows] == [1.0] * 3
    capsys.readouterr()
    assert run(words) == 0
    assert capsys.readouterr().out == out.read_text()
    for wrong in (["--count", "0"], ["--kind", "x"], ["--level", "6"], ["--rendering", "smell"]):
        assert run(["tasks", *wrong]) == 2
        assert capsys.readouterr().err.count("\n") == 1
