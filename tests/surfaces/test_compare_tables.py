"""The tables of `mineproof compare`: what they show under which rules, within 80 columns."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

import mineproof as mp
from mineproof.lab.comparison import Comparison
from mineproof.surfaces.cli.comparison_tables import (
    agents_table,
    pair_text,
    print_differences,
    print_places,
)

Command = Callable[..., Any]


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
        ((), ["rate", "finer"], ["score", "marked"]),
        (("--goal", "mark-all"), ["rate", "marked"], ["score", "finer"]),
        (("--on-mine", "continue"), ["score", "95 %", "won"], ["rate", "finer", "marked"]),
        (("--on-mine", "continue", "--goal", "mark-all"), ["score", "marked"], ["finer", "rate"]),
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
        *("square:4x4/3", "hex:3x3/1", "hex:3x3/2"),
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
