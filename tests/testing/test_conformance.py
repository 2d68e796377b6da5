"""The public checks: listed agents and logics pass, broken ones do not; strategies cover."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import Phase, find, given, settings

from mineproof.agents.agent import Decision
from mineproof.agents.catalog import AGENTS
from mineproof.board import Topology
from mineproof.board.lattices import LATTICES
from mineproof.engine.analysis import Premises, Verdict
from mineproof.engine.enumerate import enumerate_layouts
from mineproof.errors import InconsistentPosition
from mineproof.reports.report_1_logics import PROVERS
from mineproof.rng import Stream
from mineproof.testing import check_agent, check_logic, strategies
from mineproof.view import Mark, View
from mineproof.view.channels import CHANNELS
from tests.core import players_need_core


@pytest.mark.parametrize("name", list(PROVERS))
def test_logics_conform(name: str) -> None:
    check_logic(PROVERS[name], examples=40)


@pytest.mark.parametrize("name", players_need_core(AGENTS))
def test_agents_conform(name: str) -> None:
    assert check_agent(AGENTS[name].make, games=1).passed


def hopeful(view: View) -> Verdict:
    return Verdict("hopeful", safe={cell: Premises() for cell in view.hidden})


def gloomy(view: View) -> Verdict:
    return Verdict("gloomy", mines={cell: Premises() for cell in list(view.hidden)[:1]})


def blind(view: View) -> Verdict:
    return Verdict("blind", safe={cell: Premises() for cell in view.opened})


def giving_up(view: View) -> Verdict:
    raise InconsistentPosition("too hard")


def broken(view: View) -> Verdict:
    raise ZeroDivisionError


class Moody:
    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, view: View) -> Verdict:
        self.calls += 1
        return PROVERS["enumerate"](view) if self.calls % 2 else Verdict("moody")


@pytest.mark.parametrize(
    ("prover", "message"),
    [
        (hopeful, "is among the safe and not certain"),
        (gloomy, "is among the mines and not certain"),
        (blind, "not hidden, among the safe"),
        (giving_up, "is called impossible"),
        (Moody(), "something else when asked again"),
    ],
)
def test_unsound_logics_are_refused(prover, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_logic(prover, examples=100)


def test_logics_that_raise_are_refused() -> None:
    with pytest.raises(ZeroDivisionError):
        check_logic(broken, examples=5)


class Unseeded:
    """Draws from a stream that lives longer than a game."""

    stream = Stream(1)

    def act(self, view: View) -> Decision:
        return Decision.open(self.stream.choice(list(view.hidden)))


def test_agents_that_are_not_reproducible_are_refused() -> None:
    with pytest.raises(AssertionError, match="with the same seeds differ"):
        check_agent(Unseeded, games=1)


def test_faults_of_agents_are_raised_with_their_position() -> None:
    class Cheater:
        def act(self, view: View) -> int:
            return 0

    with pytest.raises(AssertionError, match=r"illegal move at step 2 .*open already"):
        check_agent(Cheater)


# ---------------------------------------------------------------- the strategies reach everything


def draws(strategy, wanted) -> None:
    """Fail unless the strategy draws something wanted; what it is need not be the smallest."""
    find(strategy, wanted, settings=settings(phases=[Phase.generate], max_examples=1000))


@settings(max_examples=40)
@given(strategies.views())
def test_drawn_positions_have_a_solution(view: View) -> None:
    assert len(view) <= strategies.MOST_CELLS
    assert next(iter(enumerate_layouts(view)), None) is not None


@pytest.mark.parametrize("name", list(LATTICES))
def test_every_lattice_is_drawn(name: str) -> None:
    draws(strategies.topologies(), lambda topology: topology.name == name and len(topology) > 3)
    draws(strategies.topologies(names=[name]), lambda topology: bool(topology.blocked))


@pytest.mark.parametrize("name", list(CHANNELS))
def test_every_channel_is_drawn(name: str) -> None:
    draws(strategies.views(), lambda view: view.rules.clues.startswith(name) and any(view.clues))


@pytest.mark.parametrize(
    "wanted",
    [
        lambda view: view.total is None and view.density is None,
        lambda view: view.total is None and view.density is not None,
        lambda view: view.total is not None and view.total > 2,
        lambda view: bool(view.opened_mines),
        lambda view: bool(view.flag_count),
        lambda view: any(view[cell] is Mark.BLANK for cell in view.opened),
    ],
)
def test_every_kind_of_position_is_drawn(wanted) -> None:
    draws(strategies.views(), wanted)


def test_the_strategies_say_what_they_need() -> None:
    program = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "import mineproof.testing\n"
        "try: import mineproof.testing.strategies\n"
        "except ModuleNotFoundError as error: print(error)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "install it: pip install hypothesis" in run.stdout


def test_importing_the_package_does_not_import_hypothesis() -> None:
    program = "import sys, mineproof.testing; print('hypothesis' in sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "False"


def test_topologies_can_be_plain() -> None:
    @settings(max_examples=20)
    @given(strategies.topologies(blocked=False))
    def plain(topology: Topology) -> None:
        assert not topology.blocked

    plain()
