"""One builder of settings: boards and rules as texts or values, clear errors where two clash."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from mineproof.board.layout import Layout, deal
from mineproof.board.presets import Board, World
from mineproof.board.topology import Topology
from mineproof.errors import BoardError, InputError, RulesError, UnknownName
from mineproof.rules import REPORT_RULES, FirstClick, Given, Goal, Mines, OnMine, Rules
from mineproof.testing import strategies
from mineproof.view.setting import Setting, position_of

HEX = Topology.parse("hex:7x7")
LAYOUT = deal(HEX, Mines.number(10), 1)


@pytest.mark.parametrize(
    "board",
    [
        "hex:7x7/10",
        Board.parse("hex:7x7/10"),
        Board(HEX, 10),
        Board("hex:7x7", "10"),
        (HEX, 10),
        (HEX, "10"),
        (HEX, Mines.number(10)),
        ("hex:7x7", 10),
        Setting.of("hex:7x7/10"),
    ],
    ids=str,
)
def test_a_board_is_a_text_or_a_value(board: Any) -> None:
    setting = Setting.of(board)
    assert setting.board.text == "hex:7x7/10" == setting.name
    assert setting.rules == Rules(mines=Mines.number(10))
    assert setting.world is setting.layout is None


def test_a_bare_topology_takes_the_mines_of_the_rules() -> None:
    wanted = Setting.of("hex:7x7/10", first_click="any")
    assert Setting.of(HEX, mines=10, first_click="any") == wanted
    assert Setting.of(HEX, "mines=10 first-click=any") == wanted
    assert Setting.of(HEX, Rules(Mines.number(10), FirstClick.ANY)) == wanted
    with pytest.raises(BoardError, match=r"names no mines; accepted: such as \(topology, 10\)"):
        Setting.of(HEX)


def test_set_mines_promise_nothing_of_the_first_click_and_a_world_gives_two_cells() -> None:
    plain, named = Setting.of(LAYOUT), Setting.of(World("H0", LAYOUT))
    for setting in (plain, named):
        assert setting.board.text == "hex:7x7/10"
        assert setting.layout == LAYOUT
        assert setting.rules.first_click is FirstClick.ANY
    assert (plain.world, plain.name, plain.rules.given) == (None, "hex:7x7/10", Given())
    assert named.world is not None
    assert (named.name, named.rules.given.text) == ("H0", "corner+centre")
    # What is left out is the world's, whether the rest is a text or by name.
    told = Setting.of(World("H0", LAYOUT), "on-mine=continue")
    assert told == Setting.of(World("H0", LAYOUT), on_mine=OnMine.CONTINUE)
    assert told.rules.given.text == "corner+centre"
    # A value of rules says all of them.
    assert Setting.of(World("H0", LAYOUT), Rules()).rules == Rules(mines=Mines.number(10))


@given(strategies.rules())
def test_rules_are_a_value_a_text_or_words(rules: Rules) -> None:
    board = ("9x9", rules.mines) if (rules.mines.fixed(81) or 0) <= 81 else None
    if board is None:
        return
    words = {key.replace("-", "_"): value for key, value in _words(rules.text)}
    of_value = Setting.of(board, rules)
    assert of_value.rules == rules
    assert of_value == Setting.of(board, rules.text) == Setting.of(board, words)
    assert of_value == Setting.of(board, **words) == Setting.of(board, rules, **words)


def _words(text: str) -> list[tuple[str, str]]:
    return [(key, value) for key, _, value in (word.partition("=") for word in text.split())]


def test_rules_by_name_are_texts_or_values() -> None:
    by_text = Setting.of(
        "5x5/4", first_click="any", on_mine="continue", goal="mark-all", total="unknown"
    )
    by_value = Setting.of(
        "5x5/4",
        first_click=FirstClick.ANY,
        on_mine=OnMine.CONTINUE,
        goal=Goal.MARK_ALL,
        total=False,
    )
    assert by_text == by_value
    assert Setting.of("5x5/4", cascade=False) == Setting.of("5x5/4", cascade="off")
    assert Setting.of("5x5/4", given=Given(random=3)) == Setting.of("5x5/4", given="random:3")


def test_words_beside_a_report_replace_its_own() -> None:
    plain = Setting.of("5x5/0.3", "report0")
    assert plain == Setting.of("5x5/30%", REPORT_RULES["report0"])
    known = Setting.of("5x5/30%", "report0", total="known")
    assert known == Setting.of("5x5/30%", "report0 total=known")
    assert known.rules.total_known
    assert not plain.rules.total_known
    assert plain.rules.on_mine is known.rules.on_mine is OnMine.CONTINUE
    with pytest.raises(RulesError, match="rule total is given twice and differs"):
        Setting.of("5x5/30%", "report0 total=known", total="unknown")


def test_equal_mines_beside_a_board_are_no_clash() -> None:
    assert Setting.of("5x5/20%", mines=5) == Setting.of("5x5/20%", "mines=20%")
    assert Setting.of("5x5/20%").rules.mines == Mines.parse("20%")
    # The mines of Rules() are those nobody chose.
    assert Setting.of("expert", Rules()).rules.mines == Mines.number(99)


@pytest.mark.parametrize(
    ("board", "rules", "words", "said"),
    [
        ("expert", Rules(mines=Mines.number(10)), {}, "mines=10 is no rule beside a board of 99"),
        ("expert", "mines=10", {}, "accepted: a board such as 9x9/10"),
        ("expert", None, {"mines": 10}, "mines=10 is no rule beside a board"),
        (LAYOUT, None, {"mines": 11}, "mines=11 is no rule beside a board of 10"),
        ("expert", Rules(), {"first_click": "any"}, "rule first-click is given twice and differs"),
        ("expert", "total=known", {"total": "unknown"}, "rule total is given twice and differs"),
        ("expert", None, {"first_click": 3}, "first-click is '3'; accepted: a text or FirstClick"),
        ("expert", None, {"cascade": 1}, "cascade is '1'; accepted: a text or bool"),
        ("expert", 3, {}, "rules '3' cannot be read; accepted: a Rules or a text"),
        (3, None, {}, "board '3' cannot be read; accepted: a name such as expert, a Board"),
        ((HEX,), None, {}, "cannot be read; accepted: a name such as expert"),
        ((HEX, 50), None, {}, "50 mines on 49 cells; accepted: at most one per cell"),
        (Setting.of("expert"), None, {"first_click": "any"}, "a setting has its rules"),
    ],
)
def test_what_clashes_or_cannot_be_read_is_said(
    board: Any, rules: Any, words: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said.replace("(", r"\(")):
        Setting.of(board, rules, **words)


def test_unknown_rules_get_the_nearest_name() -> None:
    with pytest.raises(UnknownName, match="did you mean first-click"):
        Setting.of("expert", first_clik="any")
    with pytest.raises(UnknownName, match="accepted: cascade, clues, first_click, given"):
        Setting.of("expert", firstclick="any")
    with pytest.raises(UnknownName, match="did you mean first-click"):
        Setting.of("expert", "first-clik=any")


@pytest.mark.parametrize("position", [None, 3, object()])
def test_what_is_no_position_is_told_what_would_be_one(position: Any) -> None:
    with pytest.raises(InputError, match=r"^position .*; accepted: a View, its text"):
        position_of(position)


def test_a_table_of_clues_may_be_a_file_by_name_or_in_a_text_but_not_in_a_value(tmp_path) -> None:
    file = tmp_path / "clues.txt"
    rows = [f"{true} {true}:1" for true in range(9)]
    file.write_text("\n".join(rows) + "\n")
    named = Setting.of("5x5/4", clues=f"table:{file}")
    assert named == Setting.of("5x5/4", f"clues=table:{file}")
    assert str(file) not in named.rules.text
    value = Setting.of("5x5/4", Rules().with_words(clues=f"table:{file}"))
    assert value.rules.clues == f"table:{file}"


def test_a_layout_is_played_as_it_is() -> None:
    import mineproof as mp

    layout = Layout.of(Topology.parse("3x3"), [0])
    game = mp.play(layout, "exact")
    assert (game.board, game.world, game.layout) == ("square:3x3/1", None, layout)
    assert mp.Transcript.parse(game.text) == game
    assert list(game.views())[-1].opened_count == game.steps[-1].opened + sum(
        step.opened for step in game.steps[:-1]
    )


def test_values_are_played_as_their_texts_are() -> None:
    import mineproof as mp

    rules = Rules(first_click=FirstClick.OPENING)
    for one in (Board("9x9", 10), (Topology.parse("9x9"), 10)):
        assert mp.play(one, "exact", 3, rules=rules) == mp.play(
            "9x9/10", "exact", 3, first_click="opening"
        )
        games = mp.play_many(one, "exact", 20, 3, rules=rules)
        other = mp.play_many("9x9/10", "exact", 20, 3, first_click="opening")
        assert games.won.tolist() == other.won.tolist()
    with pytest.raises(RulesError):
        mp.play_many("9x9/10", rules=rules, first_click="any")
