"""Rules on the command line: of a report by its name, as a text, and options beside either."""

from __future__ import annotations

import json

import pytest

from mineproof.rules import REPORT_RULES, Rules
from mineproof.surfaces.cli.play_options import PlayOptions
from mineproof.surfaces.cli.rules_options import RuleOptions
from mineproof.view.setting import Setting


def played(command, *options: str) -> str:
    ran = command("play", "--board", "8x8/8", "--agent", "resolution", "--json", *options)
    assert ran.status == 0, ran.err
    return json.loads(ran.out)["rules"]


@pytest.mark.parametrize("name", REPORT_RULES)
def test_the_rules_of_a_report(command, name: str) -> None:
    expected = Setting.of("8x8/8", Rules.parse(name)).rules.text
    assert played(command, "--rules", name) == expected
    ran = command("compare", "--agents", "random", "--board", "8x8/8", "--games", "2", "--json",
                  "--rules", name)  # fmt: skip
    assert json.loads(ran.out)["rules"] == expected
    assert (
        command("check", "random", "--board", "6x6/6", "--games", "1", "--rules", name).status == 0
    )


def test_options_replace_words_of_the_text(command) -> None:
    rules = played(command, "--rules", "report0", "--total", "known", "--given", "f=1/2")
    assert rules == Setting.of("8x8/8", "report0 total=known given=f=1/2").rules.text
    rules = played(command, "--rules", "first-click=any on-mine=continue", "--on-mine", "lose")
    assert "first-click=any on-mine=lose" in rules


def test_rate_and_optimal_take_the_rules_that_they_know(command) -> None:
    assert (
        "first click any: best play wins 24 of 36"
        in command("optimal", "3x3/2", "--rules", "report3").out
    )
    assert (
        "first click safe"
        in command("optimal", "3x3/2", "--rules", "report3", "--first-click", "safe").out
    )
    rated = command("rate", "--board", "beginner", "--seed", "2", "--json", "--rules", "report3")
    assert "first-click=any" in json.loads(rated.out)["rules"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("play", "--rules", "reprt0"), "did you mean report0"),
        (("play", "--rules", "first-clik=any"), "did you mean first-click"),
        (("compare", "--agents", "random", "--rules", "total"), "rule 'total' has no value"),
        (("compare", "--spec", "x", "--rules", "report0"), "accepted: without --rules"),
        (("optimal", "3x3/2", "--rules", "report1"), "accepted: given=none"),
        (("optimal", "3x3/2", "--rules", "report0"), "accepted: total known"),
        (("rate", "--board", "beginner", "--rules", "report2"), "accepted: given=none"),
        (("rate", "x.txt", "--rules", "report2"), "--rules is for a board"),
        (("play", "--given", "f=none"), "accepted: such as f=2, f=0.5 or f=1/2"),
    ],
)
def test_what_is_refused(command, arguments: tuple[str, ...], said: str) -> None:
    ran = command(*arguments)
    assert ran.status == 2
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("board", "mines"), [("5x5/0.3", 8), ("5x5/1.0", 25), ("5x5/0.05", 1), ("5x5/30%", 8)]
)
def test_a_density_as_report_0_writes_it(command, board: str, mines: int) -> None:
    ran = command("play", "--board", board, "--rules", "report0", "--agent", "reductio", "--json")
    assert ran.status == 0
    steps = json.loads(ran.out)["steps"]
    assert len(steps) == 25
    flagged = sum(step["action"] == "flag" for step in steps)
    assert flagged + sum(step["shown"] == "*" for step in steps) == mines
    assert command("compare", "--agents", "random", "--board", board, "--rules", "report0",
                   "--games", "2").status == 0  # fmt: skip


def test_the_command_that_shows_a_game_again_keeps_the_rules() -> None:
    options = PlayOptions(board="5x5/4", rules=RuleOptions(rules="report2", total="unknown"))
    assert options.again().endswith("--rules report2 --total unknown")
