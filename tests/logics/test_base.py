"""The tower of logics, on random positions of every topology, and its lowest floor, single-point.

single-point proves less than partition, partition less than exact; resolution and gauss less than
exact; reductio and sat prove exactly what enumeration finds from the same information. None ever
proves anything false, and following a game proves what a fresh look at its end proves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from mineproof.agents.agent import Decision, Guessed
from mineproof.board.layout import Layout
from mineproof.engine.analysis import Logic, Premises, Prover, Verdict, check_rules, infer
from mineproof.engine.enumerate import prove_by_enumeration
from mineproof.errors import InconsistentPosition, RulesError
from mineproof.game import Referee, play
from mineproof.logics.base import LogicSequence, SinglePoint
from mineproof.logics.gauss import Gauss
from mineproof.logics.partition import Partition
from mineproof.logics.reductio import Reductio
from mineproof.logics.resolution import Resolution
from mineproof.logics.sat import Sat
from mineproof.reports.report_1_logics import PROVERS
from mineproof.rules import Mines, Rules
from mineproof.testing import strategies
from mineproof.testing.strategies import topologies, views
from mineproof.view import View

few = settings(
    max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
more = settings(few, max_examples=120)

RANGES = ("exact", "withheld", "optimistic", "cautious")
"""Channels whose clues leave a range of counts without gaps."""


def without_total(view: View) -> View:
    """The same position, where any layout that meets the clues is possible."""
    half = Mines.independent(Fraction(1, 2))
    return view.with_rules(replace(view.rules, mines=half, total_known=False))


def total_views() -> st.SearchStrategy[View]:
    return strategies.views(clues=RANGES).filter(lambda view: view.total is not None)


def proves_at_most(less: Verdict, more: Verdict) -> bool:
    return less.safe.keys() <= more.safe.keys() and less.mines.keys() <= more.mines.keys()


def proves_same(one: Verdict, two: Verdict) -> bool:
    return proves_at_most(one, two) and proves_at_most(two, one)


def allowed(name: str, view: View) -> View:
    """The information a logic uses: the total, or the clues alone."""
    uses_total = "global" in name or name in ("exact", "resolution", "enumerate")
    return view if uses_total else without_total(view)


@pytest.mark.parametrize("name", list(PROVERS))
@few
@given(view=strategies.views())
def test_nothing_false_is_proved(name: str, view: View) -> None:
    if "global" in name:
        assume(view.total is not None)
    verdict = PROVERS[name](view)
    assert proves_at_most(verdict, prove_by_enumeration(allowed(name, view)))
    assert all(view.is_hidden(cell) for cell in (*verdict.safe, *verdict.mines))
    assert not verdict.safe.keys() & verdict.mines.keys()


@pytest.mark.parametrize(
    ("less", "larger"),
    [
        ("single-point", "partition"),
        ("partition", "exact"),
        ("partition", "partition[global]"),
        ("partition", "reductio"),
        ("partition[global]", "exact"),
        ("single-point", "gauss"),
        ("gauss", "reductio"),
        ("single-point", "resolution"),
        ("resolution", "exact"),
        ("resolution[global=25]", "exact"),
        ("sat[safe-only]", "sat"),
        ("sat", "sat[global]"),
        ("reductio", "reductio[global]"),
    ],
)
@few
@given(view=total_views())
def test_a_lower_floor_proves_no_more(less: str, larger: str, view: View) -> None:
    assert proves_at_most(PROVERS[less](view), PROVERS[larger](view))


@more
@given(view=strategies.views(clues=RANGES))
def test_reductio_and_sat_prove_all_that_the_clues_tell(view: View) -> None:
    certain = prove_by_enumeration(without_total(view))
    assert proves_same(PROVERS["reductio"](view), certain)
    assert proves_same(PROVERS["sat"](view), certain)
    assert PROVERS["sat[safe-only]"](view).safe.keys() == certain.safe.keys()


@more
@given(view=total_views())
def test_with_the_total_they_prove_all_that_is_certain(view: View) -> None:
    certain = prove_by_enumeration(view)
    assert proves_same(PROVERS["reductio[global]"](view), certain)
    assert proves_same(PROVERS["sat[global]"](view), certain)


LOGICS: dict[str, Callable[[], Logic]] = {
    "single-point": SinglePoint,
    "partition": Partition,
    "partition[global]": lambda: Partition(use_total=True),
    "reductio": Reductio,
    "reductio[global]": lambda: Reductio(use_total=True),
    "sat": Sat,
    "sat[safe-only]": lambda: Sat(safe_only=True),
    "sat[global]": lambda: Sat(use_total=True),
    "gauss": Gauss,
    "resolution": Resolution,
    "resolution[global=25]": lambda: Resolution(total_cells=25),
}
LOCAL = ("gauss", "resolution", "resolution[global=25]")
"""What these prove depends on the order in which the clues come in."""


@st.composite
def games(draw: st.DrawFn) -> list[View]:
    """Views of one game, cell after cell."""
    layout: Layout = draw(strategies.layouts())
    rules = Rules(mines=Mines.number(layout.total))
    view = View(layout.topology, rules)
    safe = [cell for cell in layout.topology.cells if not layout.is_mine(cell)]
    views = [view]
    for cell in draw(st.permutations(safe)):
        view = view.reveal({cell: int(layout.counts[cell])})
        views.append(view)
    return views


@pytest.mark.parametrize("name", list(LOGICS))
@few
@given(views=games())
def test_following_a_game_proves_what_a_fresh_look_proves(name: str, views: list[View]) -> None:
    prover: Prover = PROVERS[name]
    logic = LOGICS[name]()
    logic.begin(views[0])
    safe: set[int] = set()
    mines: set[int] = set()
    for view in views:
        while verdict := logic.learn(view):
            assert not safe & verdict.safe.keys()
            safe |= verdict.safe.keys()
            mines |= verdict.mines.keys()
        fresh = prover(view)
        now_safe = {cell for cell in safe if view.is_hidden(cell)}
        if name in LOCAL:
            assert now_safe <= prove_by_enumeration(view).safe.keys()
            assert mines <= prove_by_enumeration(view).mines.keys()
        else:
            assert now_safe == fresh.safe.keys()
            assert mines == fresh.mines.keys()


@pytest.mark.parametrize("name", list(LOGICS))
def test_a_logic_starts_again_when_the_view_is_of_another_game(name: str) -> None:
    logic = LOGICS[name]()
    first = View.parse("square 1x3 mines=1\n0..")
    other = View.parse("square 1x3 mines=2\n.2.")
    logic.begin(first)
    while logic.learn(first):
        pass
    found: set[int] = set()
    while verdict := logic.learn(other):
        found |= verdict.mines.keys()
    assert found == (set() if name == "sat[safe-only]" else {0, 2})


BOARDS = ("square:8x8/14", "hex:8x8/16", "torus:7x7/9", "triangle:6x10/9", "cube:4x4x4/7")


@pytest.mark.parametrize("name", [name for name in LOGICS if "global" in name])
@pytest.mark.parametrize(
    "text", ["square 1x3 mines=unknown density=0.3\n.1.", "square 1x3 mines=unknown\n.1."]
)
def test_the_option_global_is_refused_where_the_total_is_not_told(name: str, text: str) -> None:
    logic, plain = name.partition("[")[0], PROVERS[name.partition("[")[0]]
    view = View.parse(text)
    with pytest.raises(
        RulesError, match=f"option global of {logic} needs the mine total.*accepted"
    ):
        PROVERS[name](view)
    with pytest.raises(RulesError, match=f"accepted: {logic} without it"):
        check_rules(LogicSequence([SinglePoint(), LOGICS[name]()]), view.rules, len(view))
    assert plain(view).logic == logic


def test_a_total_that_is_never_used_need_not_be_told() -> None:
    view = View.parse("square 1x3 mines=unknown density=0.3\n.2.")
    assert sorted(infer(Resolution(total_cells=0), view).mines) == [0, 2]


@pytest.mark.parametrize("board", BOARDS)
def test_the_tower_on_positions_of_larger_games(board: str) -> None:
    """Positions where single-point is stuck, too large to enumerate; exact is the judge."""
    for index in range(3):
        views: list[View] = []

        def watch(referee: Referee, decision: Decision | None, views: list[View] = views) -> None:
            if not referee.over and isinstance(getattr(decision, "reason", None), Guessed):
                views.append(referee.view)

        play(board, "single-point", 5, index=index, watch=watch, first_click="opening")
        for view in views[-3:]:
            certain = PROVERS["exact"](view)
            assert proves_same(PROVERS["reductio[global]"](view), certain)
            assert proves_same(PROVERS["sat[global]"](view), certain)
            assert proves_same(PROVERS["reductio"](view), PROVERS["sat"](view))
            for name in PROVERS:
                if name != "enumerate":
                    assert proves_at_most(PROVERS[name](view), certain), name


# ---------------------------------------------------------------- what each channel lets be proved

CHANNEL_LOGICS = ["single-point", "partition", "sat", "reductio"]
COMPLETE = ["sat", "reductio"]


@given(views(topologies(9), flags=False))
@settings(max_examples=120)
def test_all_are_sound_under_every_channel(view: View) -> None:
    truth = prove_by_enumeration(view)
    for name in CHANNEL_LOGICS:
        verdict = PROVERS[name](view)
        assert set(verdict.safe) <= set(truth.safe), name
        assert set(verdict.mines) <= set(truth.mines), name


@given(views(topologies(9), ["exact", "withheld", "optimistic", "cautious"], flags=False))
@settings(max_examples=120)
def test_sat_and_reductio_miss_nothing_that_bounds_prove(view: View) -> None:
    rules = view.rules.with_words(mines="~50%", total="unknown")
    truth = prove_by_enumeration(view.with_rules(rules))
    for name in COMPLETE:
        verdict = PROVERS[name](view)
        assert set(verdict.safe) == set(truth.safe), name
        assert set(verdict.mines) == set(truth.mines), name


@given(views(topologies(9), ["optimistic"], flags=False))
@settings(max_examples=60)
def test_optimistic_clues_prove_mines_only(view: View) -> None:
    for name in CHANNEL_LOGICS:
        assert not PROVERS[name](view).safe


@given(views(topologies(9), ["cautious"], flags=False))
@settings(max_examples=60)
def test_cautious_clues_prove_safety_only(view: View) -> None:
    for name in CHANNEL_LOGICS:
        assert not PROVERS[name](view).mines


@pytest.mark.parametrize("name", CHANNEL_LOGICS)
@pytest.mark.parametrize(
    ("clues", "shown", "safe", "mines"),
    [
        ("exact", 2, set(), {0, 2}),
        ("withheld:0.5", 0, {0, 2}, set()),
        ("withheld:0.5", "?", set(), set()),
        ("optimistic", 2, set(), {0, 2}),
        ("optimistic", 0, set(), set()),
        ("cautious", 0, {0, 2}, set()),
        ("cautious", 2, set(), set()),
        ("noisy:0.3", 0, set(), set()),
        ("noisy:0.3", 2, set(), set()),
        ("table:0:1;1:1;-:1", "?", set(), {0, 2}),
        ("table:0:0.5,-:0.5;1:1;2:1", "?", {0, 2}, set()),
        ("table:0:0.5,-:0.5;1:0.5,-:0.5;2:1", "?", set(), set()),
        ("table:0:0.5,-:0.5;1:0.5,-:0.5;2:0.5,-:0.5", "?", set(), set()),
    ],
)
def test_by_hand(name: str, clues: str, shown: object, safe: set[int], mines: set[int]) -> None:
    view = View.parse(f"square 1x3 mines=unknown density=0.5 clues={clues}\n.{shown}.")
    verdict = PROVERS[name](view)
    assert (set(verdict.safe), set(verdict.mines)) == (safe, mines)


# ------------------------------------------- single-point: one clue at a time, named as the reason


def proved(view: View) -> tuple[list[str], list[str]]:
    """Safe cells and mines by name."""
    verdict = infer(SinglePoint(), view)
    name = view.topology.cell_name
    return [name(c) for c in sorted(verdict.safe)], [name(c) for c in sorted(verdict.mines)]


def test_a_clue_with_all_its_mines_known_frees_the_rest() -> None:
    # 0,1 must be the mine of the 1 at 0,0; then the other neighbours of 1,1 are free.
    view = View.parse("square 2x3 mines=1\n1..\n11.")
    assert proved(view) == (["0,2", "1,2"], ["0,1"])
    view = View.parse("square 3x3 mines=1\n1.1\n111\n000")
    assert proved(view) == ([], ["0,1"])
    view = View.parse("square 1x5 mines=1\n.1.1.")
    assert proved(view) == ([], [])


def test_proved_mines_prove_further_cells() -> None:
    view = View.parse("square 1x5 mines=2\n1.1..")
    verdict = infer(SinglePoint(), view)
    assert sorted(verdict.mines) == [1]
    assert sorted(verdict.safe) == [3]
    assert verdict.mines[1] == Premises((0,))
    assert verdict.safe[3] == Premises((2,))


def test_two_clues_together_are_beyond_it() -> None:
    assert proved(View.parse("square 2x3 mines=1\n111\n...")) == ([], [])


def test_the_total_is_beyond_it() -> None:
    assert proved(View.parse("square 1x3 mines=0\n...")) == ([], [])


def test_an_optimistic_clue_proves_mines_only_and_a_cautious_one_safety_only() -> None:
    rows = "\n.2."
    assert proved(View.parse("square 1x3 mines=2 clues=optimistic" + rows)) == ([], ["0,0", "0,2"])
    assert proved(View.parse("square 1x3 mines=2 clues=cautious" + rows)) == ([], [])
    rows = "\n.0."
    assert proved(View.parse("square 1x3 mines=0 clues=optimistic" + rows)) == ([], [])
    assert proved(View.parse("square 1x3 mines=0 clues=cautious" + rows)) == (["0,0", "0,2"], [])


@pytest.mark.parametrize("rows", ["0.\n.1", "1*\n1."])
def test_a_clue_that_cannot_be_met_is_named(rows: str) -> None:
    view = View.parse("square 2x2 mines=1\n" + rows)
    if "*" in rows:
        assert proved(view) == (["1,1"], [])
    else:
        with pytest.raises(InconsistentPosition, match="the clue at 1,1 cannot be met") as raised:
            infer(SinglePoint(), view)
        assert raised.value.clues == (0, 3)


def test_its_knowledge_is_the_open_clues() -> None:
    view = View.parse("square 2x3 mines=1\n111\n...")
    logic = SinglePoint()
    logic.begin(view)
    logic.learn(view)
    assert logic.knowledge(view).splitlines() == [
        "0,0: 1 in {1,0 1,1}",
        "0,1: 1 in {1,0 1,1 1,2}",
        "0,2: 1 in {1,1 1,2}",
    ]
