"""Comparisons: memory and folder agree, classes of students, early decisions, plots."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.board.layout import Layout
from mineproof.board.presets import World
from mineproof.board.topology import Topology
from mineproof.cli.main import run as run_command
from mineproof.errors import InputError
from mineproof.game.rows import Row
from mineproof.lab.comparison import Comparison, comparison_of, submissions
from mineproof.lab.experiment import Experiment
from mineproof.lab.results import Results
from mineproof.lab.runner import run
from mineproof.lab.statistics import SequentialJudge, SequentialTest
from mineproof.rules import FirstClick
from mineproof.view.setting import AnyBoard, Setting

Ran = tuple[int, str, str]


@pytest.fixture
def command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Ran]:
    """`mineproof compare` in this process, in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Ran:
        status = run_command(["compare", *arguments])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return call


def timeless(comparison: Comparison) -> Comparison:
    return replace(
        comparison,
        results=tuple(replace(result, seconds=0.0) for result in comparison.results),
        rows=(),
    )


@pytest.mark.parametrize("boards", [["5x5/4"], ["5x5/4", "hex:5x5/5", "4x4/20%"]])
def test_memory_and_folder_say_the_same(tmp_path: Path, boards: list[str]) -> None:
    experiment = Experiment.of(["random", "single-point"], boards=boards, games=60, seed=5)
    in_memory = comparison_of(run(experiment))
    in_folder = comparison_of(run(experiment, folder=tmp_path))
    for mine, theirs in zip(in_memory.results, in_folder.results, strict=True):
        assert mine.score == pytest.approx(theirs.score)
        assert mine.finer == pytest.approx(theirs.finer)
        assert mine.marked_share == pytest.approx(theirs.marked_share)
    same = {"score": 0.0, "finer": 0.0, "marked_share": 0.0, "seconds": 0.0}
    assert [replace(result, **same) for result in in_memory.results] == [
        replace(result, **same) for result in in_folder.results
    ]
    assert in_memory.paired == in_folder.paired
    assert len(in_memory.places) == len(in_folder.places)
    for here, there in zip(in_memory.places, in_folder.places, strict=True):
        assert (here.agent, here.board, here.played, here.won) == (
            (there.agent, there.board, there.played, there.won)
        )
        assert here.finer == pytest.approx(there.finer)
    assert in_memory.paired_places == in_folder.paired_places
    assert sum(getattr(in_memory.paired[0][2], n) for n in ("both", "neither")) > 0
    assert in_memory.paired[0][2].games == 60 * len(boards)


def test_results_by_place(tmp_path: Path) -> None:
    boards = ["square:5x5/0", "square:5x5/4", "square:5x5/24"]
    run(Experiment.of(["random"], boards=boards, games=20), folder=tmp_path)
    with Results(tmp_path) as results:
        places = results.by_place()
        assert [place.board for place in places] == boards
        assert [place.rate for place in places][::2] == [1.0, 1.0]
        assert results.complete
        assert results.paired() == ()
        assert len(results.columns("SELECT score FROM games")["score"]) == 60


def test_from_python_with_jobs_and_a_folder(tmp_path: Path) -> None:
    def play(**options: object) -> Comparison:
        found = mp.compare(["random", "single-point"], "5x5/4", games=30, **options)
        return timeless(found)

    alone = play()
    assert play(jobs=2).results == alone.results
    assert play(jobs=2, out=tmp_path).paired == alone.paired
    assert play(out=tmp_path).paired == alone.paired


class Mine:
    def act(self, view: mp.View) -> int:
        return min(view.hidden)


@pytest.mark.parametrize("elsewhere", [{"jobs": 2}, {"out": "results"}])
def test_objects_and_layouts_stay_in_this_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, elsewhere: dict[str, object]
) -> None:
    monkeypatch.chdir(tmp_path)
    layout = Layout.of(Topology.parse("torus:5x5"), [3, 12])  # no world is a torus
    for agent, board in ((Mine(), "5x5/4"), (Mine, "5x5/4"), ("random", layout)):
        with pytest.raises(InputError, match="stay in this process; accepted: ") as caught:
            mp.compare([agent], board, games=2, **elsewhere)
        assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError, match="objects have no text"):
        print(Experiment.of([Mine], boards=["5x5/4"]))


def test_objects_and_names_are_compared_alike(tmp_path: Path) -> None:
    """Whoever plays, a comparison has the same form and names meet the same games."""
    file = tmp_path / "mine.py"
    file.write_text("class Mine:\n    def act(self, view):\n        return min(view.hidden)\n")
    names = mp.compare(["single-point", file], "5x5/4", games=12, seed=3)
    given = {"games": 12, "seed": 3, "secret": names.secret}
    mixed = mp.compare(["single-point", Mine()], "5x5/4", **given)
    watched = mp.compare(["single-point", Mine], "5x5/4", **given, watch=lambda row: None)
    for other in (mixed, watched):
        assert timeless(other).results[0] == timeless(names).results[0]
        assert replace(other.results[1], agent="", seconds=0) == replace(
            names.results[1], agent="", seconds=0
        )
        assert [pair for _, _, pair in other.paired] == [pair for _, _, pair in names.paired]
        assert [*other.to_json()] == [*names.to_json()]
        assert len(other.rows) == len(names.rows) == 24


def test_watching_a_folder_shows_what_is_played_now(tmp_path: Path) -> None:
    seen: list[Row] = []
    mp.compare(["random"], "5x5/4", games=40, out=tmp_path, watch=seen.append)
    assert [row.index for row in seen] == list(range(40))
    mp.compare(["random"], "5x5/4", games=40, out=tmp_path, watch=seen.append)
    assert len(seen) == 40
    mp.compare(["random"], "5x5/4", games=10, jobs=2, watch=seen.append)
    assert sorted(row.index for row in seen[40:]) == list(range(10))


SMALL = Topology.parse("5x5")


@pytest.mark.parametrize("board", [mp.Board(SMALL, 4), (SMALL, 4), ["5x5/4"]], ids=str)
def test_boards_and_rules_are_taken_as_values(board: AnyBoard) -> None:
    rules = mp.Rules(first_click=FirstClick.ANY)
    found = mp.compare(["single-point"], board, games=5, seed=1, rules=rules)
    named = mp.compare(["single-point"], "5x5/4", games=5, seed=1, first_click="any")
    setting = mp.compare(["single-point"], Setting.of(SMALL, rules, mines=4), games=5, seed=1)
    assert timeless(found) == timeless(named) == timeless(setting)


def test_a_layout_and_worlds_are_boards() -> None:
    layout = Layout.of(SMALL, [3, 12])
    found = mp.compare(["single-point"], layout, games=2)
    alone = [mp.play(layout, agent="single-point", index=index) for index in range(2)]
    assert [row.won for row in found.rows] == [game.outcome.won for game in alone]
    assert [row.steps for row in found.rows] == [len(game.steps) for game in alone]
    assert found.rules == alone[0].rules.text.replace("mines=2 ", "")
    hexes = Layout.of(Topology.parse("hex:5x5"), [3, 12])
    worlds = [World(name, hexes) for name in ("H1", "H2")]
    both = mp.compare(["single-point"], worlds, games=2)
    assert [place.world for place in both.places] == ["H1", "H2"]
    assert both.board == "2 worlds"
    with pytest.raises(InputError, match="boards under the same rules"):
        mp.compare(["single-point"], [layout, worlds[0]], games=2)
    with pytest.raises(InputError, match="one kind"):
        mp.compare(["single-point"], ["5x5/4", layout], games=2, first_click="any")


GOOD = "class Mine:\n    def act(self, view):\n        return view.hidden[0]\n"


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    """What a class of students hands in."""
    folder = tmp_path / "submissions"
    folder.mkdir()
    (folder / "alice.py").write_text(GOOD)
    (folder / "bob.py").write_text("class Mine:\n    def act(self, view):\n        return 1 / 0\n")
    (folder / "carol.py").write_text("this is no Python\n")
    (folder / "dave").mkdir()
    (folder / "dave" / "agent.py").write_text(GOOD)
    (folder / "dave" / "parts.py").write_text("")
    (folder / "erin.py").write_text("x = 1\n")
    (folder / "notes.txt").write_text("not an agent")
    (folder / "__pycache__").mkdir()
    return folder


def test_a_class_becomes_a_csv_with_failures_named(
    command: Callable[..., Ran], handed_in: Path, tmp_path: Path
) -> None:
    status, out, err = command(
        *("--agents", "single-point", "--agents-dir", "submissions", "--board", "5x5/4"),
        *("--games", "2", "--jobs", "2"),
    )
    assert status == 0, err
    assert "submissions.csv" in err
    assert "submissions/bob.py: 2 games failed: ZeroDivisionError" in out
    with (tmp_path / "submissions.csv").open() as file:
        found = {row["agent"]: row for row in csv.DictReader(file)}
    assert set(found) == {
        "single-point",
        *(f"submissions/{n}.py" for n in ("alice", "bob", "carol", "erin")),
        "submissions/dave/agent.py",
    }
    assert all(row["played"] == "2" for row in found.values())
    assert found["submissions/alice.py"]["failed"] == "0"
    assert found["submissions/alice.py"]["failures"] == ""
    for name, reason in (
        ("bob", "ZeroDivisionError: division by zero (bob.py line 3)"),
        ("carol", "SyntaxError"),
        ("erin", "no class"),
    ):
        row = found[f"submissions/{name}.py"]
        assert row["failed"] == "2"
        assert reason in row["failures"]
    assert found["submissions/dave/agent.py"]["won"] == found["submissions/alice.py"]["won"]


def test_one_of_a_class_that_hangs_is_named_and_holds_up_nobody(
    command: Callable[..., Ran], tmp_path: Path
) -> None:
    """By itself beside an agent of the catalog: any other might be late too, by chance."""
    (tmp_path / "submissions").mkdir()
    (tmp_path / "submissions" / "frank.py").write_text(
        "class Mine:\n    def act(self, view):\n        while True: pass\n"
    )
    status, _, err = command(
        *("--agents", "single-point", "--agents-dir", "submissions", "--board", "5x5/4"),
        *("--games", "2", "--move-seconds", "0.3", "--jobs", "2"),
    )
    assert status == 0, err
    with (tmp_path / "submissions.csv").open() as file:
        found = {row["agent"]: row for row in csv.DictReader(file)}
    frank = found["submissions/frank.py"]
    assert (frank["played"], frank["failed"]) == ("2", "2")
    assert "no answer within 0.3 s" in frank["failures"]
    assert (found["single-point"]["played"], found["single-point"]["failed"]) == ("2", "0")


COPYCAT = """
import glob, os
HERE = os.path.dirname(os.path.abspath(__file__))
class Mine:
    def act(self, view):
        for name in ("strong.py", "strong.npz", "dave/agent.py", "notes.txt"):
            try:
                text = open(os.path.join(HERE, name)).read()
            except OSError:
                continue
            raise ValueError(f"SEEN {name}")
        assert open(os.path.join(HERE, "copycat.npz")).read() == "mine"
        try:
            import strong
        except ImportError:
            return view.hidden[0]
        raise ValueError("SEEN strong")
"""


@pytest.mark.parametrize("without", ["", "namespaces", "landlock"])
def test_an_agent_sees_nothing_of_its_neighbours(
    tmp_path: Path, without: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINEPROOF_WITHOUT", without)
    folder = tmp_path / "class"
    (folder / "dave").mkdir(parents=True)
    (folder / "strong.py").write_text(GOOD)
    (folder / "dave" / "agent.py").write_text(f"import parts\n{GOOD}")
    (folder / "dave" / "parts.py").write_text("")
    (folder / "copycat.py").write_text(COPYCAT)
    for name, text in (("strong.npz", "3"), ("copycat.npz", "mine"), ("notes.txt", "for all")):
        (folder / name).write_text(text)
    found = mp.compare(submissions(folder), "4x4/2", games=2)
    assert [dict(result.failures) for result in found.results] == [{}, {}, {}]
    # Alone it has the whole folder: nothing there is another's.
    alone = mp.compare([str(folder / "copycat.py")], "4x4/2", games=1).results[0]
    assert "SEEN strong.py" in str(alone.failures)


def test_a_csv_is_written_over_its_like_only(
    command: Callable[..., Ran], handed_in: Path, tmp_path: Path
) -> None:
    for name in ("bob", "carol", "erin"):
        (handed_in / f"{name}.py").unlink()
    arguments = ("--agents-dir", "submissions", "--board", "5x5/4", "--games", "1")
    assert command(*arguments)[0] == 0
    assert command(*arguments)[0] == 0
    (tmp_path / "marks.csv").write_text("dear to somebody\n")
    status, _, err = command(*arguments, "--csv", "marks.csv")
    assert status == 2
    assert "accepted: another name" in err
    assert (tmp_path / "marks.csv").read_text() == "dear to somebody\n"


def test_folders_that_are_no_class_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no folder"):
        submissions(tmp_path / "nowhere")
    with pytest.raises(InputError, match="holds no agent"):
        submissions(tmp_path)
    (tmp_path / "bob").mkdir()
    (tmp_path / "bob" / "a.py").write_text("")
    assert submissions(tmp_path) == (str(tmp_path / "bob" / "a.py"),)
    (tmp_path / "bob" / "b.py").write_text("")
    (tmp_path / "carol.py").symlink_to("nowhere.py")
    (tmp_path / "dave").mkdir()
    found = submissions(tmp_path)
    assert found == tuple(str(tmp_path / name) for name in ("bob", "carol.py", "dave"))
    results = mp.compare(found, "4x4/2", games=2).results
    assert [dict(result.failures) for result in results] == [
        {
            "failed: the folder holds 2 Python files; accepted: one, or one of them named agent.py"
            " or minesweeper.py": 2
        },
        {"failed: it is a link to a file that is not there": 2},
        {
            "failed: the folder holds no Python files; accepted: one, or one of them named agent.py"
            " or minesweeper.py": 2
        },
    ]


NAMES = (
    *("no\u00a0break", "soft\u00adhyphen", "zero\u200bwidth", "\U0001f469\u200d\U0001f52c"),
    *("\x1b[31mred", "new\nline", "back\\slash", "back\\xa0", "back\xa0", "\u202eturned"),
    *("[bold]", " space ", "a,b:c"),
)
"""Names of files that a table, a text or a terminal could not hold as they are."""


def test_every_entry_has_its_row_whatever_its_file_is_called(
    command: Callable[..., Ran], tmp_path: Path
) -> None:
    handed_in = tmp_path / "class"
    handed_in.mkdir()
    for name in NAMES:
        (handed_in / f"{name}.py").write_text(GOOD)
    Path(os.fsdecode(os.fsencode(handed_in) + b"/l\xfftin.py")).write_text(GOOD)
    bad = {"pipe.py", "folder.py", "locked.py"}
    os.mkfifo(handed_in / "pipe.py")
    (handed_in / "folder.py").mkdir()
    (handed_in / "locked.py").symlink_to("locked.py")
    arguments = ("--agents-dir", "class", "--board", "4x4/2", "--games", "1", "--out", "results")
    for again in range(2):  # the second time what the folder holds is read again
        status, out, err = command(*arguments, "--json", "--csv", f"{again}.csv")
        assert status == 0, err
        found = json.loads(out)["results"]
        assert len(found) == len(NAMES) + 1 + len(bad)
        failed = {one["agent"]: one["losses"] for one in found if one["failed"]}
        assert set(failed) == {f"class/{name}" for name in bad}
        assert all(one["agent"].isprintable() and one["played"] == 1 for one in found)
        with (tmp_path / f"{again}.csv").open(encoding="utf-8") as file:
            assert len(list(csv.DictReader(file))) == len(found)
    for kept in [
        *("class/no\\xa0break.py", "class/l\\udcfftin.py", "class/new\\nline.py"),
        *(
            "class/back\\\\slash.py",
            "class/back\\\\xa0.py",
            "class/back\\xa0.py",
            "class/ space .py",
        ),
    ]:
        assert kept in {one["agent"] for one in found}


def test_until_decided_stops_early_and_says_its_error_rates(
    command: Callable[..., Ran], tmp_path: Path
) -> None:
    arguments = ("--agents", "single-point,random", "--board", "beginner", "--games", "100000")
    status, out, _ = command(*arguments, "--until-decided", "--out", "results")
    assert status == 0
    assert "single-point is stronger than random, after" in out
    assert "in at most 0.05" in out
    found = json.loads(command(*arguments, "--until-decided", "--out", "results", "--json")[1])
    assert not found["finished"]
    decided = found["decided"][0]
    assert decided["verdict"] == "the first is stronger"
    assert decided["games"] == found["results"][0]["played"] < 1000
    assert decided["only_a"] == found["paired"][0]["only_a"]


def test_the_decision_does_not_depend_on_the_shards(tmp_path: Path) -> None:
    decisions = []
    for size in (8, 32, 200):
        experiment = Experiment.of(
            ["single-point", "random"], boards=["5x5/5"], games=200, seed=2, shard_games=size
        )
        judge = SequentialJudge(SequentialTest(0.75))
        comparison = comparison_of(run(experiment, judge=judge), judge)
        decisions.append((judge.decisions, comparison.paired))
    assert decisions[0] == decisions[1] == decisions[2]


def test_several_boards_are_told_apart(command: Callable[..., Ran], tmp_path: Path) -> None:
    spec = Experiment.of(["random", "single-point"], boards=["5x5/1", "5x5/12"], games=16)
    (tmp_path / "spec.toml").write_text(spec.text)
    status, out, _ = command("--spec", "spec.toml")
    assert status == 0
    assert "square:5x5/12" in out
    found = json.loads(command("--spec", "spec.toml", "--out", "results", "--json")[1])
    assert [(place["board"], place["agent"]) for place in found["places"]] == [
        (board, agent) for agent in spec.agents for board in spec.boards
    ]
    assert found["places"][0]["played"] == 16


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_a_plot(command: Callable[..., Ran], tmp_path: Path, ending: str) -> None:
    status, _, err = command(
        *("--agents", "random,single-point", "--board", "5x5/4", "--games", "8"),
        *("--plot", f"rates.{ending}"),
    )
    assert (status, err) == (0, "")
    assert (tmp_path / f"rates.{ending}").stat().st_size > 1000


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--agents", "random", "--plot", "x.txt"), ".svg"),
        (("--agents", "random", "--until-decided"), "two or more"),
        (("--agents", "random", "--edge", "0.7"), "--until-decided"),
        (("--agents", "random,single-point", "--until-decided", "--edge", "0.4"), "edge 0.4"),
        (("--agents", "random", "--jobs", "0"), "0 jobs"),
        (("--agents", "random", "--engine", "cloud"), "dask://host:port"),
        (("--spec", "nowhere.toml"), "cannot be read"),
        (("--spec", "nowhere.toml", "--games", "3"), "without --games"),
        (("--spec", "nowhere.toml", "--total", "known"), "without --total"),
        (("--agents-dir", "nowhere"), "no folder"),
        (("--spec", "nowhere.toml", "--board", "expert"), "without --board"),
        (("--agents", "random", "--board", "9x9/5..10"), "16x30/50..100:10"),
        (("--agents", "random", "--board", "9x9/1..9:1", "--board", "9x9/4"), "twice"),
        (("--agents", "random", "--transcripts"), "together with --out"),
        (
            ("--agents", "random,sat", "--until-decided", "--on-mine", "continue"),
            "compared by score; accepted: ",
        ),
    ],
)
def test_bad_options_are_one_line(
    command: Callable[..., Ran], arguments: tuple[str, ...], said: str
) -> None:
    status, _, err = command(*arguments)
    assert status == 2
    assert said in err
    assert err.count("\n") == 1
