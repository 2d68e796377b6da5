"""The tower of logics, on random positions of every topology.

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

from mineproof.agents.decision import Decision, Guessed
from mineproof.board.layout import Layout
from mineproof.errors import RulesError
from mineproof.inference.enumerate import enumerated
from mineproof.inference.logics.gauss import Gauss
from mineproof.inference.logics.partition import Partition
from mineproof.inference.logics.reductio import Reductio
from mineproof.inference.logics.resolution import Resolution
from mineproof.inference.logics.sat import Sat
from mineproof.inference.logics.sequence import LogicSequence
from mineproof.inference.logics.single_point import SinglePoint
from mineproof.inference.provers import PROVERS
from mineproof.inference.verdict import Logic, Prover, Verdict, check_rules, infer
from mineproof.match import Referee, play
from mineproof.rules import Mines, Rules
from mineproof.testing import strategies
from mineproof.view.view import View

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
    assert proves_at_most(verdict, enumerated(allowed(name, view)))
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
    certain = enumerated(without_total(view))
    assert proves_same(PROVERS["reductio"](view), certain)
    assert proves_same(PROVERS["sat"](view), certain)
    assert PROVERS["sat[safe-only]"](view).safe.keys() == certain.safe.keys()


@more
@given(view=total_views())
def test_with_the_total_they_prove_all_that_is_certain(view: View) -> None:
    certain = enumerated(view)
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
            assert now_safe <= enumerated(view).safe.keys()
            assert mines <= enumerated(view).mines.keys()
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
