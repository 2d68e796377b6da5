"""The public API as its users meet it: values wherever their texts are, cells by coordinates."""

from __future__ import annotations

import doctest
import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mineproof
import mineproof as mp
from mineproof.agents import Premises
from mineproof.board import World
from mineproof.generation import certify, check_certificate
from mineproof.rules import Given
from tests.core import needs_core

POSITION = "square 3x3 mines=2\n1..\n12.\n01."
VIEW = mp.View.parse(POSITION)
HEX = mp.Topology.parse("hex:7x7")
LAYOUT = mp.Layout.of("4x4", [(0, 3), 12])


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=needs_core if name in {"advise", "review"} else ())
        for name in mp.__all__
    ],
)
def test_every_exported_name_has_an_example_that_runs(name: str) -> None:
    text = inspect.getdoc(getattr(mp, name)) or ""
    assert ">>>" in text, f"{name} has no example"
    parsed = doctest.DocTestParser().get_doctest(text, _names(name), name, name, 0)
    said: list[str] = []
    failed = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(parsed, out=said.append).failed
    assert not failed, "".join(said)


def _names(name: str) -> dict[str, Any]:
    """What an example may use without saying so: `mp`, and the thing itself."""
    return {"mp": mp, name: getattr(mp, name)}


# ---------------------------------------------------------------- boards, rules and agents


class First:
    """Opens the first hidden cell."""

    def act(self, view: mp.View) -> int:
        return view.hidden[0]


BOARDS = ["hex:7x7/10", mp.Board(HEX, 10), mp.Board("hex:7x7", "10"), (HEX, 10)]
RULES: list[dict[str, Any]] = [
    {"first_click": "opening"},
    {"first_click": mp.FirstClick.OPENING},
    {"rules": mp.Rules(first_click=mp.FirstClick.OPENING)},
    {"rules": "first-click=opening"},
    {"rules": mp.Rules.parse("mines=10 first-click=opening")},
]


@pytest.mark.parametrize("board", BOARDS, ids=str)
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_board_and_rules_are_values_or_texts(board: Any, rules: dict[str, Any]) -> None:
    game = mp.play("hex:7x7/10", "exact", 3, first_click="opening")
    assert mp.play(board, "exact", 3, **rules) == game
    assert mp.play_many(board, "exact", 3, 3, **rules).rules == game.rules.text
    assert mp.Referee(board, 3, **rules).rules == game.rules
    assert mp.Session(board, **rules).view == next(game.views())
    found = mp.compare(["random"], board, games=1, seed=3, **rules)
    assert (found.board, found.rules) == (game.board, game.rules.text)


def test_worlds_and_layouts_are_boards() -> None:
    for board in (LAYOUT, World("W4", LAYOUT)):
        game = mp.play(board, seed=1)
        assert game.layout == LAYOUT
        assert mp.Transcript.parse(game.text) == game
        assert mp.play_many(board, games=2).board == game.board
        assert mp.Session(board).view.total == 2
        assert mp.Referee(board).rules == game.rules
        assert mp.win_chances(board)[0].chance > 0
        assert mp.compare(["exact"], board, games=1).games == 1


@pytest.mark.parametrize("take", [mp.play, mp.play_many], ids=lambda take: take.__name__)
def test_an_agent_is_a_name_a_class_an_object_or_a_file(take: Any, tmp_path: Path) -> None:
    file = tmp_path / "first.py"
    file.write_text("class First:\n    def act(self, view):\n        return view.hidden[0]\n")
    few = {"games": 2} if take is mp.play_many else {}
    found = [take("4x4/3", agent, seed=1, **few) for agent in (First, First(), f"{file}:First")]
    assert [one.agent for one in found] == ["First", "First", f"{file}:First"]
    if take is mp.play:
        assert found[0].steps == found[1].steps == found[2].steps
    else:
        assert found[0].steps.tolist() == found[1].steps.tolist() == found[2].steps.tolist()
    with pytest.raises(mp.InputError, match="has no method `act`"):
        take("4x4/3", object(), **few)


def test_arguments_have_the_same_names_order_and_defaults() -> None:
    functions = [mp.play, mp.play_many, mp.Referee, mp.chains.measure]
    taken = [inspect.signature(function).parameters for function in functions]
    for parameters in taken:
        named = [name for name in parameters if name not in ("games", "watch", "proofs", "threads")]
        assert named[0] == "board"
        assert named[-2:] == ["rules", "words"]
        assert parameters["board"].default == "expert"
        assert parameters["seed"].default == 0
        if "agent" in parameters:
            assert named[1] == "agent"
            assert parameters["agent"].default == "exact"


def test_two_that_say_different_things_are_refused() -> None:
    with pytest.raises(mp.RulesError, match="first-click is given twice"):
        mp.play("expert", rules=mp.Rules(), first_click="any")
    with pytest.raises(mp.RulesError, match="mines=10 is no rule beside a board of 99"):
        mp.Referee("expert", rules=mp.Rules(mp.Mines.number(10)))
    with pytest.raises(mp.RulesError, match="a view has its rules"):
        mp.win_chances(VIEW, first_click="any")


def test_positions_are_views_texts_or_boards() -> None:
    assert mp.win_chances(POSITION) == mp.win_chances(VIEW)
    assert mp.endgame(POSITION) == mp.endgame(VIEW)
    assert mp.analyze(POSITION).solutions == mp.analyze(VIEW).solutions == 2
    assert mp.explain(POSITION, (0, 2)) == mp.explain(VIEW, 2)
    assert len(mp.explain_all(POSITION).proofs) == 2
    assert mp.Session(POSITION).view == VIEW
    best = mp.optimal("3x3/2", "any")
    assert best == mp.optimal(mp.Board("3x3", 2), first_click=mp.FirstClick.ANY)
    assert best == mp.optimal((mp.Topology.parse("3x3"), 2), rules="first-click=any")
    assert mp.win_chances("3x3/2", first_click="any")[0].chance == float(best.chance)


# ---------------------------------------------------------------- cells and collections


def test_cells_are_coordinates_or_numbers() -> None:
    assert VIEW[1, 1] == VIEW[4] == 2
    assert VIEW.reveal({(0, 2): 1}) == VIEW.reveal({2: 1})
    analysis = mp.analyze(VIEW)
    assert analysis.p[1, 2] == analysis.p[5] == 0.5
    assert (0, 2) in analysis.safe
    assert (0, 1) in analysis.mines
    assert (2, 2) not in analysis.safe
    assert mp.CellSet.of(VIEW.topology, [(0, 2)]) == analysis.safe
    assert mp.explain(VIEW, (0, 2)) == mp.explain(VIEW, 2) == mp.explain(VIEW, "0,2")
    assert LAYOUT.is_mine((0, 3))
    assert LAYOUT.topology.neighbours((0, 0)) == (1, 4, 5)
    (asked,) = mp.win_chances(VIEW, cells=[(1, 2)])
    assert (asked.cell, asked.chance) == (5, 0.5)
    session = mp.Session(VIEW)
    session.open((0, 2), 1)
    assert session.chance((1, 2)) == session.p[1, 2]


def test_the_cells_of_a_view_are_collections() -> None:
    assert len(VIEW.hidden) == 4
    assert list(VIEW.hidden) == list(VIEW.hidden) == [1, 2, 5, 8]
    assert (0, 1) in VIEW.hidden
    assert (0, 0) in VIEW.opened
    assert (1, 1) in VIEW.clues
    assert VIEW.clues[1, 1] == 2
    assert dict(VIEW.clues) == {0: 1, 3: 1, 4: 2, 6: 0, 7: 1}
    assert not VIEW.opened_mines


def test_a_referee_is_played_by_hand() -> None:
    referee = mp.Referee("9x9/10", seed=1, first_click="safe")
    view = referee.open((4, 4))
    assert view.is_open((4, 4))
    flagged = mp.analyze(view).mines
    for cell in flagged:
        referee.flag(view.topology.coordinates(cell))
    assert referee.view.flags == flagged
    with pytest.raises(mp.IllegalMove, match="4,4 is open already"):
        referee.open((4, 4))
    with pytest.raises(mp.IllegalMove, match="'9,9' is not on the board"):
        referee.open((9, 9))


# ---------------------------------------------------------------- claiming a proof


def claimed(reason: Any) -> mp.Transcript:
    class Claims:
        def act(self, view: mp.View) -> mp.Decision:
            return mp.Decision.open((0, 0), reason())

    return mp.play("3x3/1", Claims, seed=1)


def test_claiming_a_proof_is_one_line() -> None:
    proved = claimed(lambda: mp.Proved("my-logic", [(0, 1), 5])).steps[0].decision
    assert proved == mp.Decision.open(0, mp.Proved("my-logic", Premises((1, 5))))
    with_total = claimed(lambda: mp.Proved("my-logic", [(0, 1)], total=True)).steps[0].decision
    assert with_total.reason == mp.Proved("my-logic", Premises((1,), total=True))
    guessed = claimed(lambda: mp.Guessed("mine", 2, 0.5, [(0, 0), (0, 1)])).steps[0].decision
    assert guessed.reason == mp.Guessed("mine", 2, 0.5, (0, 1))


@pytest.mark.parametrize(
    ("premises", "said"),
    [
        (5, "the premises of a proof are '5'; accepted: the cells of its clues in a list"),
        ("0,1", "accepted: the cells of its clues in a list"),
        ([(9, 9)], "the agent's reason names a wrong cell: cell '9,9' is not on the board"),
        ([None], "the agent's reason names a wrong cell"),
    ],
)
def test_a_wrong_claim_says_what_is_accepted(premises: Any, said: str) -> None:
    assert said in claimed(lambda: mp.Proved("my-logic", premises)).outcome.note


# ---------------------------------------------------------------- files


def test_positions_and_games_are_read_from_files(tmp_path: Path) -> None:
    (tmp_path / "position.txt").write_text(VIEW.text)
    assert mp.View.read(tmp_path / "position.txt") == VIEW
    game = mp.play("4x4/2", seed=3)
    (tmp_path / "game.txt").write_text(game.text)
    assert mp.Transcript.read(tmp_path / "game.txt") == game


def test_the_errors_are_there_by_name() -> None:
    from mineproof import errors

    named = [name for name in errors.__all__ if isinstance(getattr(errors, name), type)]
    assert len(named) > 5
    assert set(named) - {"AgentTimeout", "LabError", "MissingLibrary"} <= set(mp.__all__)
    assert all(issubclass(getattr(errors, name), mp.MineproofError) for name in named)


@pytest.mark.parametrize("name", mineproof._MOVED)
def test_an_old_name_works_and_warns(name: str) -> None:
    assert name not in mp.__all__
    with pytest.warns(DeprecationWarning, match=rf"mineproof\.{name} goes with version 0\.3; use"):
        old = getattr(mp, name)
    home, _, new = mineproof._MOVED[name].rpartition(".")
    assert old is getattr(import_module(home), new)


OLD_METHODS: dict[str, Any] = {
    "Topology.taken": lambda: mp.Topology.taken("3x3") == VIEW.topology,
    "Topology.site": lambda: VIEW.topology.site((1, 1)) == 4,
    "Budget.taken": lambda: mp.Budget.taken(mp.Budget(5)).states == 5,
    "Rules.told": lambda: mp.Rules().told(9, 4).mines.text == "4",
    "View.code_bytes": lambda: VIEW.code_bytes() == VIEW.codes().tobytes(),
    "View.reveal_codes": lambda: VIEW.reveal_codes([(2, 1)]) == VIEW.reveal({2: 1}),
}


@pytest.mark.parametrize("name", OLD_METHODS)
def test_an_old_method_works_and_warns(name: str) -> None:
    with pytest.warns(DeprecationWarning, match=rf"{name} goes with version 0\.3"):
        assert OLD_METHODS[name]()


SEVEN = mp.play("3x3/2", seed=7)
NUMBERS: dict[str, Any] = {
    "play": lambda n: mp.play("3x3/2", seed=n) == SEVEN,
    "index": lambda n: mp.play("3x3/2", index=n),
    "agent seed": lambda n: mp.play("3x3/2", agent_seed=n),
    "Referee": lambda n: mp.Referee("3x3/2", n).seed == 7,
    "games": lambda n: len(mp.play_many("3x3/2", games=n)) == 7,
    "start": lambda n: mp.play_many("3x3/2", games=1, start=n),
    "threads": lambda n: mp.play_many("3x3/2", games=1, threads=n),
    "compare": lambda n: mp.compare(["exact"], "3x3/2", games=n, seed=n).games == 7,
    "jobs": lambda n: mp.compare(["exact"], "3x3/2", games=1, jobs=n),
    "samples": lambda n: mp.win_chances("3x3/2", samples=n, seed=n),
    "layouts": lambda n: len(mp.analyze(VIEW).sample(n, n)) == 7,
    "steps": lambda n: mp.explain(VIEW, 2, steps=n),
    "states": lambda n: mp.Budget(states=n),
    "solutions": lambda n: mp.endgame(VIEW, solutions=n),
    "mines": lambda n: mp.Board("3x3", n) == mp.Board("3x3", 7),
}


@pytest.mark.parametrize(
    "use", [pytest.param(use, marks=needs_core if use == "samples" else ()) for use in NUMBERS]
)
def test_numbers_are_of_python_or_numpy_and_whole(use: str) -> None:
    assert NUMBERS[use](7)
    assert NUMBERS[use](np.int64(7))
    for wrong in (7.5, None if use != "agent seed" else [], ("7",)):
        with pytest.raises(mp.InputError, match="is no whole number; accepted: such as 7"):
            NUMBERS[use](wrong)


def test_no_solutions_or_work_at_all_are_refused() -> None:
    with pytest.raises(mp.InputError, match="-1 solutions; accepted: 1 or more"):
        mp.endgame(VIEW, solutions=-1)
    with pytest.raises(mp.InputError, match="0 rows of work; accepted: 1 or more"):
        mp.endgame(VIEW, work=0)


class Opener:
    def act(self, view: mp.View) -> int:
        return view.hidden[0]


class Needy(Opener):
    def __init__(self, share: float) -> None:
        self.share = share


class Broken(Opener):
    def act(self, view: mp.View) -> int:
        raise ValueError("no idea")


@pytest.mark.parametrize("agents", ["exact", Opener, Opener()])
def test_agents_to_compare_are_a_list(agents: Any) -> None:
    with pytest.raises(mp.InputError, match="are no list; accepted: such as"):
        mp.compare(agents, "3x3/2", games=1)


def test_a_class_that_needs_arguments_is_refused_and_its_object_taken() -> None:
    for use in (mp.play, mp.play_many):
        with pytest.raises(mp.InputError, match="class 'Needy' needs arguments; accepted: an"):
            use("3x3/2", Needy)
    with pytest.raises(mp.InputError, match="class 'Needy' needs arguments; accepted: an"):
        mp.compare([Needy], "3x3/2", games=1)
    assert mp.play("3x3/2", Needy(0.5)).agent == "Needy"


def test_many_games_say_how_the_agent_failed() -> None:
    games = mp.play_many("3x3/2", Broken, games=3)
    ((failure, count),) = games.failures
    assert (failure[:27], count) == ("failed: ValueError: no idea", 3)
    assert re.fullmatch(r" \(test_public_api\.py line \d+\)", failure[27:])
    assert repr(games).endswith(f"; 3 {failure}>")
    assert mp.play_many("3x3/2", games=3).failures == ()


@pytest.mark.parametrize("use", [mp.play, mp.play_many, mp.Session, mp.win_chances, mp.optimal])
def test_given_cells_are_on_the_board(use: Any) -> None:
    with pytest.raises(mp.InputError, match="'9,9' is not on the board"):
        use("3x3/2", given="9,9")


def test_values_show_themselves_in_a_line() -> None:
    game = mp.play("3x3/2", seed=7)
    referee = mp.Referee("3x3/2")
    compared = mp.compare(["random", "exact"], "3x3/2", games=40)
    values = [game, referee, compared, mp.review(game), mp.Session(VIEW), mp.analyze(VIEW)]
    for value in values:
        assert "object at" not in repr(value)
        assert len(repr(value)) < 120
    assert repr(referee) == "<game 0 of seed 0 on square:3x3/2: 0 of 9 cells open, unfinished>"
    referee.open(0)
    referee.stop()
    assert repr(referee).endswith("cells open, lost (stuck)>")
    assert repr(mp.Rules(first_click=mp.FirstClick.ANY)).startswith(
        "Rules.parse('mines=20% first-click=any "
    )
    assert repr(mp.Board("9x9", "~20%").mines) == "Mines.parse('~20%')"


TYPES: dict[str, Any] = {
    "View.parse": mp.View.parse,
    "View.read": mp.View.read,
    "View of a topology": lambda it: mp.View(it, mp.Rules()),
    "View of rules": lambda it: mp.View("3x3", it),
    "with_rules": VIEW.with_rules,
    "reveal": VIEW.reveal,
    "a clue": lambda it: VIEW.reveal({2: it}),
    "Transcript.parse": mp.Transcript.parse,
    "Transcript.read": mp.Transcript.read,
    "Topology.parse": mp.Topology.parse,
    "Board.parse": mp.Board.parse,
    "Board": lambda it: mp.Board(it, 1),
    "a pair": lambda it: mp.play((it, 1)),
    "Rules.parse": mp.Rules.parse,
    "Mines.parse": mp.Mines.parse,
    "Given.parse": Given.parse,
    "Layout.of": lambda it: mp.Layout.of(it, [0]),
    "CellSet.of": lambda it: mp.CellSet.of(it, [0]),
    "CellSet": lambda it: mp.analyze(VIEW).safe | it,
    "check_proof": lambda it: mp.check_proof(it, VIEW),
    "check_proof of a position": lambda it: mp.check_proof(mp.explain(VIEW, 2), it),
    "certify": certify,
    "check_certificate": check_certificate,
    "generate": lambda it: mp.generate("9x9/10", method=it),
    "a wish": lambda it: mp.generate("9x9/10", wishes={"hardest": [it]}),
    "apply": mp.Referee("3x3/2").apply,
    "review": mp.review,
}


@pytest.mark.parametrize("use", TYPES)
@pytest.mark.parametrize("wrong", [None, 4.5, mp.Referee("3x3/2")])
def test_a_value_of_a_wrong_kind_is_refused_in_one_line(use: str, wrong: Any) -> None:
    with pytest.raises(mp.MineproofError, match="accepted: ") as caught:
        TYPES[use](wrong)
    assert len(str(caught.value).splitlines()) == 1


def test_rules_are_made_of_values_or_their_texts_and_of_nothing_else() -> None:
    kind: Any = mp.Rules
    assert kind(first_click="any", mines="10", total_known="unknown", given="0,0") == (
        mp.Rules.parse("first-click=any mines=10 total=unknown given=0,0")
    )
    for name in ("first_click", "mines", "total_known", "given", "clues", "goal"):
        with pytest.raises(mp.RulesError, match="accepted: a text"):
            kind(**{name: 4.5})
    with pytest.raises(mp.RulesError, match="accepted: any, safe, opening"):
        kind(first_click="sure")


def test_texts_and_arrays_are_taken_for_their_values() -> None:
    assert mp.View("3x3", "mines=2") == mp.View(mp.Topology.parse("3x3"), mp.Rules.parse("mines=2"))
    assert mp.check_proof(mp.explain(POSITION, (0, 2)), POSITION)
    assert VIEW.reveal({2: np.int64(1)}) == VIEW.reveal({2: 1})
    text: Any = VIEW.text
    with pytest.raises(mp.InputError, match="a session follows later views"):
        mp.Session(VIEW).follow(text)

    class Centre(Opener):
        def act(self, view: mp.View) -> Any:
            return np.array([1, 1])

    assert mp.play("3x3/2", Centre).steps[0].decision.cell == 4
