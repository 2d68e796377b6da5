"""`mineproof compare`: the same games for every agent, and its tables."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import mineproof as mp
from mineproof.cli.compare import agents_table, pair_text, print_differences, print_places
from mineproof.lab.comparison import Comparison
from mineproof.view.view import View
from tests.interrupts import PATIENCE, until

Command = Callable[..., Any]

EXAMPLE = Path(__file__).parents[2] / "examples" / "cs50_style_minesweeper.py"


@pytest.fixture
def worlds(tmp_path: Path) -> str:
    path = tmp_path / "worlds.txt"
    path.write_text(_checked())
    return str(path)


def _checked() -> str:
    """Worlds with their true clues."""
    from mineproof.board.layout import Layout
    from mineproof.board.presets import World, format_worlds
    from mineproof.board.topology import Topology

    large, small = Topology.parse("hex:5x5"), Topology.parse("hex:3x3")
    return format_worlds(
        (
            World("A1", Layout.of(large, [4, 18, 20])),
            World("A2", Layout.of(large, [3, 9, 21])),
            World("TEST1", Layout.of(small, [8])),
        )
    )


def test_json_as_the_design_says(command: Command) -> None:
    ran = command(
        "compare", "--agents", "random,basic", "--board", "beginner", "--games", "20", "--json"
    )
    assert ran.status == 0
    found = json.loads(ran.out)
    assert found["board"] == "square:9x9/10"
    assert found["rules"].startswith("mines=10 first-click=safe")
    assert (found["games"], found["seed"]) == (20, 0)
    assert [result["agent"] for result in found["results"]] == ["random", "basic"]
    for result in found["results"]:
        assert result["played"] == 20
        assert result["low"] <= result["rate"] == result["won"] / 20 <= result["high"]
        assert {"score", "finer", "seconds"} <= set(result)
    pair = found["paired"][0]
    assert (pair["a"], pair["b"]) == ("random", "basic")
    assert pair["both"] + pair["only_a"] + pair["only_b"] + pair["neither"] == 20


def test_of_many_pairs_those_of_the_best_agent_are_told(command: Command) -> None:
    names = ["random", "single-point", "partition", "gauss", "sat", "exact", "reductio"]
    ran = command("compare", "--agents", ",".join(names), "--board", "beginner", "--games", "30")
    assert ran.status == 0
    rows = [line.split() for line in ran.out.splitlines()]
    won = {row[0]: int(row[2]) for row in rows if row[:1] and row[0] in names and row[1] == "30"}
    best = max(names, key=lambda name: won[name])
    pairs = [line.partition(":")[0].split(" - ") for line in ran.out.splitlines() if " - " in line]
    assert [best in pair for pair in pairs] == [True] * 6
    assert list(won.values()) == sorted(won.values(), reverse=True)
    others = [name for pair in pairs for name in pair if name != best]
    assert others == [name for name in won if name != best]
    wide = [line for line in ran.out.splitlines() if " - " in line and len(line) > 80]
    assert not wide, "a line for each pair"
    assert "and 15 other pairs; --json lists them" in ran.out


def test_deals_from_a_secret_are_told_where_the_seed_is(command: Command, tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text("class Own:\n    def act(self, view):\n        return view.hidden[0]\n")
    play = (
        "compare",
        "--agents",
        f"{own},random",
        "--board",
        "4x4/4",
        "--games",
        "3",
        "--seed",
        "1",
    )
    ran = command(*play)
    said = "the deals came from a secret drawn for this run: the same seed deals other games"
    assert ran.out.splitlines()[1].startswith(said)
    assert "to repeat them, keep the run: --out DIR" in ran.out
    kept = command(*play, "--out", str(tmp_path / "run"))
    again = kept.out.partition("these again: mineproof compare ")[2].splitlines()[0].split()
    assert again[0] == "--spec"
    repeated = command("compare", *again)
    assert "from a secret" not in repeated.out
    shares = [
        [row.split()[1:5] for row in out.splitlines() if row.startswith((str(own), "random "))]
        for out in (kept.out, repeated.out)
    ]
    assert shares[0] == shares[1] != []
    listed = command("compare", "--agents", "random,sat", "--board", "4x4/4", "--games", "3")
    assert "from a secret" not in listed.out + listed.err
    assert "drawn for this run" in command(*play, "--json").err


def test_games_count_per_world_and_test_worlds_wait_to_be_asked(
    command: Command, worlds: str
) -> None:
    arguments = ("compare", "--worlds", worlds, "--agents", "single-point", "--games", "3")
    found = json.loads(command(*arguments, "--json").out)
    assert found["results"][0]["played"] == 6
    assert "given=corner+centre" in found["rules"]
    assert "mines=" not in found["rules"]
    found = json.loads(command(*arguments, "--world", "TEST1", "--json").out)
    assert found["results"][0]["played"] == 3


def test_a_cs50_file_plays_beside_the_catalog(command: Command) -> None:
    ran = command(
        "compare", "--agents", f"{EXAMPLE},random", "--board", "beginner8", "--games", "10"
    )
    assert ran.status == 0
    assert str(EXAMPLE) in ran.out
    assert "failed" not in ran.out


def test_a_failing_agent_is_named_with_its_reason(command: Command, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "class Mine:\n    def act(self, view):\n        raise OSError('no luck')\n"
    )
    name = f"{tmp_path}/mine.py:Mine"
    ran = command("compare", "--agents", f"{name},random", "--board", "beginner", "--games", "2")
    assert ran.status == 0
    assert f"{name}: 2 games failed: OSError: no luck (mine.py line 3)" in ran.out


def test_a_hung_agent_is_bounded_by_the_options(command: Command, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "class Mine:\n    def act(self, view):\n        while True: pass\n"
    )
    ran = command(
        *("compare", "--agents", f"{tmp_path}/mine.py", "--board", "beginner", "--games", "2"),
        *("--move-seconds", "0.2", "--json"),
    )
    assert json.loads(ran.out)["results"][0]["losses"] == {"failed: no answer within 0.2 s": 2}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--agents", "randon"), "did you mean random"),
        (("--agents", "random,"), "empty name"),
        (("--agents", "random,random"), "twice"),
        (("--agents", "nowhere.py:Mine"), "is not there"),
        (("--agents", "random", "--games", "0"), "0 games; accepted: 1 or more"),
        (("--agents", "random", "--world", "A1"), "needs its file"),
        (("--agents", "random", "--seed", "-1"), "accepted: 0 to"),
        (("--agents", "random", "--move-seconds", "-1"), "not positive"),
        (("--agents", "random", "--worlds", "nowhere.txt"), "cannot be read"),
        ((), "--agents"),
    ],
)
def test_bad_input_is_one_line(command: Command, arguments: tuple[str, ...], said: str) -> None:
    ran = command("compare", *arguments)
    assert ran.status == 2
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_ctrl_c_prints_what_was_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the middle of a game: the shards before it are finished, 64 games each."""
    monkeypatch.setenv("MINEPROOF_WITHOUT", "namespaces,landlock,filter")  # it must write
    there, file = tmp_path / "there", tmp_path / "mine.py"
    file.write_text(
        "import pathlib, time\n"
        "games = 0\n"
        "class Mine:\n"
        "    def act(self, view):\n"
        "        global games\n"
        "        games += not view.opened_count\n"
        "        if games > 64:\n"
        f"            pathlib.Path({str(there)!r}).touch()\n"
        "            time.sleep(3600)\n"
        "        return view.hidden[0]\n"
    )
    with subprocess.Popen(
        [
            *(sys.executable, "-m", "mineproof", "compare", "--agents", f"single-point,{file}"),
            *("--board", "5x5/4", "--games", "1000000", "--json"),
            *("--move-seconds", "3600", "--game-seconds", "3600"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        until(there.exists, running)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    found = json.loads(out)
    assert found["finished"] is False
    assert [result["played"] for result in found["results"]] == [128, 64]
    assert "interrupted after 192 of 2000000 games" in err
    assert "Traceback" not in err


def test_compare_from_python_takes_objects() -> None:
    class Mine:
        def act(self, view: View) -> int:
            return view.hidden[0]

    comparison = mp.compare([Mine(), "single-point"], board="beginner", games=5)
    assert [result.agent for result in comparison.results] == ["Mine", "single-point"]
    assert len(comparison.rows) == 10
    assert comparison.finished


def test_the_page_is_written_or_refused_before_a_game(command: Command, tmp_path: Path) -> None:
    options = ("--agents", "single-point", "--board", "4x4/3", "--games", "2")
    page = tmp_path / "page.html"
    assert command("compare", *options, "--html", str(page)).status == 0
    assert "<h1>1 agents" not in page.read_text()
    assert "single-point" in page.read_text()
    ran = command("compare", *options, "--html", str(tmp_path / "no" / "page.html"))
    assert ran.status == 2
    assert "--html" in ran.err
    assert not ran.out


# ----------------------------------------------------------------------------
# The tables of `mineproof compare`: what they show under which rules, within 80 columns.


class One:
    def act(self, view: mp.View) -> int:
        return view.hidden[0]


class AnAgentWithAnExceptionallyLongNameThatNoTableHasRoomFor(One):
    pass


class AnotherAgentWithAnExceptionallyLongNameThatNoTableHasRoomFor(One):
    pass


def shown(comparison: Comparison, terminal: bool = True) -> list[str]:
    file = StringIO()
    console = Console(file=file, width=80, force_terminal=terminal, no_color=True, highlight=False)
    console.print(agents_table(comparison))
    print_places(console, comparison)
    print_differences(console, comparison)
    return [
        line.replace("\x1b[1m", "").replace("\x1b[0m", "") for line in file.getvalue().split("\n")
    ]


def test_a_row_a_board_and_a_column_an_agent() -> None:
    found = mp.compare(["random", "single-point"], "5x5/2..6:2", games=10, seed=1)
    lines = shown(found)
    head = next(line for line in lines if line.strip().startswith("mines"))
    assert head.split() == ["mines", "random", "single-point"]
    start = lines.index(head)
    for place, line in enumerate(lines[start + 2 : start + 5]):
        board = f"square:5x5/{2 + 2 * place}"
        at = {one.agent: one for one in found.places if one.board == board}
        first, second = at["random"], at["single-point"]
        assert line.split()[0] == str(2 + 2 * place)
        assert f"{100 * first.rate:.1f} ({100 * first.interval.low:.1f} to" in line
        assert f"{100 * second.rate:.1f} ({100 * second.interval.low:.1f} to" in line
    differences = next(line for line in lines if "random - single-point" in line)
    assert "p " in lines[lines.index(differences) + 2]


@pytest.mark.parametrize("rules", [{}, {"on_mine": "continue"}])
@pytest.mark.parametrize("board", ["5x5/0.1..0.3:0.1", ["5x5/4", "hex:11x11/20"]])
def test_many_agents_with_long_names_fit_80_columns(
    board: str | list[str], rules: dict[str, str]
) -> None:
    long = [
        AnAgentWithAnExceptionallyLongNameThatNoTableHasRoomFor,
        AnotherAgentWithAnExceptionallyLongNameThatNoTableHasRoomFor,
    ]
    found = mp.compare([*long, "random", "single-point", One], board, games=2, **rules)
    lines = shown(found)
    assert max(map(len, lines)) <= 80
    everything = "".join("".join(lines).split())
    assert "random" in everything
    wide = shown(found, terminal=False)
    assert any(long[0].__name__ in line and "single-point" in line for line in wide)


def test_measures_are_shown_only_where_they_mean_something(command: Command) -> None:
    arguments = ("compare", "--agents", "single-point,random", "--board", "5x5/4", "--games", "4")
    for rules, there, missing in (
        ((), ["rate", "mines/covered"], ["score", "marked"]),
        (("--goal", "mark-all"), ["rate", "marked"], ["score", "mines/covered"]),
        (("--on-mine", "continue"), ["score", "95 %", "won"], ["rate", "mines/covered", "marked"]),
        (
            ("--on-mine", "continue", "--goal", "mark-all"),
            ["score", "marked"],
            ["mines/covered", "rate"],
        ),
    ):
        ran = command(*arguments, *rules)
        assert ran.status == 0
        head = next(line for line in ran.out.split("\n") if line.startswith("agent"))
        assert all(word in head for word in there), head
        assert not any(word in head for word in missing), head
    ran = command(*arguments, "--on-mine", "continue")
    assert "in score (" in ran.out
    assert "scored higher in" in ran.out
    assert "points" not in ran.out


def test_repeated_boards_and_ranges_on_the_command_line(command: Command) -> None:
    ran = command(
        *("compare", "--agents", "random", "--board", "4x4/3", "--board", "hex:3x3/1..2:1"),
        *("--games", "3", "--json"),
    )
    found = json.loads(ran.out)
    assert [place["board"] for place in found["places"]] == [
        *("square:4x4/3", "hex:3x3/1", "hex:3x3/2")
    ]
    assert found["results"][0]["played"] == 9
    assert found["paired_places"] == []


def test_json_pairs_agents_on_each_board(command: Command) -> None:
    ran = command(
        *("compare", "--agents", "random,single-point", "--board", "4x4/2..3:1", "--games", "5"),
        *("--json", "--on-mine", "continue"),
    )
    found = json.loads(ran.out)
    assert (found["by"], found["measures"]) == ("score", ["score"])
    assert [pair["board"] for pair in found["paired_places"]] == ["square:4x4/2", "square:4x4/3"]
    for pair in (*found["paired"], *found["paired_places"]):
        assert (
            -1 <= pair["score"]["low"] <= pair["score"]["difference"] <= pair["score"]["high"] <= 1
        )
        assert {"only_a", "p_value", "odds"} <= set(pair)


def test_many_pairs_are_left_to_json(command: Command) -> None:
    ran = command(
        *("compare", "--agents", "random,single-point,gauss,partition", "--games", "2"),
        *("--board", "4x4/2..3:1"),
    )
    assert "difference, points" not in ran.out
    assert "--json compares the pairs on each board too" in ran.out


def test_a_pair_in_a_sentence() -> None:
    found = mp.compare(["random", "single-point"], "5x5/2", games=10, seed=1)
    a, b, pair = found.paired[0]
    assert pair_text(a, b, pair).startswith("random - single-point: -")
    assert f"only random won {pair.only_a}" in pair_text(a, b, pair)


def test_the_whole_comes_after_the_worlds(command: Command) -> None:
    ran = command(
        "compare",
        *("--worlds", "examples/worlds.txt", "--agents", "RPX,SPX,SATX"),
        *("--games", "1", "--seed", "1"),
    )
    lines = ran.out.split("\n")
    whole = lines.index("all together")
    assert lines[whole + 1].split()[:3] == ["agent", "played", "won"]
    assert not any(line.startswith("difference") for line in lines)
    assert "--json compares the pairs on each world too" in lines[whole:]
