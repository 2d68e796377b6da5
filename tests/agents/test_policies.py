"""Guessing policies: which cells each prefers, at which risk."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof.agents.agent import Action, FollowerPolicy, Guessed, Proved
from mineproof.agents.catalog import make_agent
from mineproof.agents.policies import (
    POLICIES,
    ChainDepths,
    ShortChains,
    ShortChainsAtTies,
    corner_first,
    density_formula,
    exact_risk,
    forced_regions,
    local_ratio,
    make_policy,
    set_risk,
    stop,
)
from mineproof.engine.analysis import infer
from mineproof.engine.enumerate import enumerate_layouts
from mineproof.engine.exact import analyze
from mineproof.logics.partition import Partition
from mineproof.rng import Stream
from mineproof.testing import strategies
from mineproof.view.view import View
from tests.core import needs_core, players_need_core

# ----------------------------------------------------------------------------
# Guessing policies: which cells each prefers, at which risk.


def rng() -> Stream:
    return Stream(1)


def names(view: View, guess: Guessed) -> list[str]:
    return [view.topology.cell_name(cell) for cell in guess.cells]


@pytest.mark.parametrize("name", players_need_core(POLICIES))
@settings(max_examples=30)
@given(view=strategies.views(), data=st.data())
def test_a_policy_chooses_a_candidate(name: str, view: View, data: st.DataObject) -> None:
    hidden = list(view.hidden)
    if not hidden:
        return
    policy = make_policy(name)
    if isinstance(policy, FollowerPolicy):
        policy.begin(view)
    choice = policy(view, hidden, rng())
    if choice is None:
        assert name in ("stop", "forced-first")
        return
    cell, reason = choice
    assert cell in hidden
    assert not reason.cells or cell in reason.cells
    assert reason.risk is None or 0 <= reason.risk <= 1
    assert 1 <= reason.among <= len(hidden)


def test_corners_come_first_then_any_cell() -> None:
    view = View.parse("square 3x4 mines=2\n1..1\n....\n....")
    cell, reason = corner_first(view, list(view.hidden), rng())
    assert names(view, reason) == ["2,0", "2,3"]
    assert cell in reason.cells
    view = View.parse("torus 3x4 mines=2\n....\n....\n....")
    assert corner_first(view, list(view.hidden), rng())[1].among == 12


def test_the_corners_of_a_rhombus() -> None:
    view = View.parse("hex 4x4 mines=2\n....\n....\n....\n....")
    reason = corner_first(view, list(view.hidden), rng())[1]
    assert names(view, reason) == ["0,0", "0,3", "3,0", "3,3"]


def test_local_ratio_is_the_largest_over_the_clues_around() -> None:
    # 0,1 sees 1 in four cells; 0,3 sees 2 in four of which 1,2 is common: 2/4 there.
    view = View.parse("square 2x5 mines=3\n.1.2.\n.....")
    cell, reason = local_ratio(view, list(view.hidden), rng())
    assert reason.risk == 0.2
    assert names(view, reason) == ["0,0", "1,0", "1,1"]
    assert cell in reason.cells


def test_known_mines_lower_the_ratio() -> None:
    view = View.parse("square 2x3 mines=2\n.2.\n...")
    known_mine = 0
    candidates = [cell for cell in view.hidden if cell != known_mine]
    assert local_ratio(view, candidates, rng())[1].risk == 0.25


def test_the_density_formula_of_report_2() -> None:
    # 10 cells, 2 mines; the clue takes 1 of them next to it: (2 - 1) / (10 - (2 + 1)).
    view = View.parse("square 1x10 mines=2\n.1........")
    cell, reason = density_formula(view, list(view.hidden), rng())
    assert reason.risk == 1 / 7
    assert cell >= 3


def test_the_set_with_the_least_risk_on_its_own() -> None:
    view = View.parse("square 2x5 mines=3\n.1.2.\n.....")
    reason = set_risk(view, list(view.hidden), rng())[1]
    assert reason.risk == 0.2
    assert names(view, reason) == ["0,0", "0,2", "1,0", "1,1", "1,2"]


def test_the_total_is_one_more_set() -> None:
    view = View.parse("square 2x9 mines=2\n.1.......\n.........")
    logic = Partition(use_total=True)
    infer(logic, view)
    reason = set_risk(view, list(view.hidden), rng(), logic)[1]
    assert reason.risk == 2 / 17
    assert reason.among == 12


def test_exact_risk_is_the_least_exact_chance() -> None:
    view = View.parse("square 1x5 mines=1\n.1...")
    assert exact_risk(view, list(view.hidden), rng())[1].risk == 0.0


def test_stop_opens_a_first_cell_that_the_rules_make_safe() -> None:
    safe = View.parse("square 1x5 mines=1\n.....")
    choice = stop(safe, list(safe.hidden), rng())
    assert choice is not None
    assert choice[1].risk == 0.0
    anywhere = View.parse("square 1x5 mines=1 first-click=any\n.....")
    assert stop(anywhere, list(anywhere.hidden), rng()) is None
    begun = View.parse("square 1x5 mines=1\n.1...")
    assert stop(begun, list(begun.hidden), rng()) is None


# ----------------------------------------------------------------------------
# Forced guesses: found where nothing can change them, and made before anything else.

# The cells of the column at the left, above two certain mines: nothing will tell them apart.
CORNER = "square 4x6 mines=5\n.101..\n.311..\n..11..\n2210.."
# The same, but 2,1 is safe and still hidden: it touches 1,0 and not 0,0.
TELLS = "square 4x6 mines=4\n.101..\n.201..\n..01..\n1100.."
# Alone behind a gap: a mine in the middle, or one at either end.
ROW = "square 1x8 {}\n.1.1.#.."


def regions(text: str) -> list[list[str]]:
    view = View.parse(text)
    chances = mp.analyze(view).p.array.tolist()
    return [[view.topology.cell_name(c) for c in found] for found in forced_regions(view, chances)]


@pytest.mark.parametrize(
    ("text", "forced"),
    [
        (CORNER, [["0,0", "1,0"]]),
        (TELLS, []),
        ("square 1x6 mines=2\n.1.#..", [["0,0", "0,2"]]),
        # Nothing else is left to do: there is nothing to be early with.
        ("square 1x3 mines=1\n.1.", []),
        ("square 1x6 mines=1\n.1.#..", [["0,0", "0,2"]]),
        ("square 1x6 mines=3\n.1.#..", []),
        # One mine or two: with the total known, the other cells will tell.
        (ROW.format("mines=2"), []),
        (ROW.format("mines=unknown density=0.3"), [["0,0", "0,2", "0,4"]]),
        # Two regions at once.
        ("square 1x10 mines=3\n.1.#.1.#..", [["0,0", "0,2"], ["0,4", "0,6"]]),
        # Where the number is unknown, a region that may be full of mines may need no guess.
        ("square 1x6 mines=unknown density=0.3 clues=cautious\n.2.#..", []),
        # Hexagons: the cells at an edge under a clue, beyond a gap.
        ("hex 3x4 mines=2\n.1#.\n#.#.\n####", [["0,0", "1,1"]]),
        ("hex 3x4 mines=2\n.1#.\n..#.\n####", []),
    ],
)
def test_what_is_forced(text: str, forced: list[list[str]]) -> None:
    assert regions(text) == forced


def test_a_number_drawn_uniformly_links_every_cell() -> None:
    """The mines found elsewhere say something about how many there are."""
    view = View.parse(ROW.format("mines=unknown density=0.3"))
    drawn = view.with_rules(view.rules.with_words(mines="uniform"))
    assert not list(forced_regions(drawn, mp.analyze(drawn).p.array.tolist()))


@pytest.mark.parametrize("rules", [{}, {"total": "unknown"}, {"clues": "withheld:0.2"}])
@pytest.mark.parametrize("board", ["2x8/4", "1x14/5", "hex:2x8/6", "hex:4x4/5", "cube:2x2x4/5"])
def test_nothing_outside_can_change_a_forced_guess(board: str, rules: dict[str, str]) -> None:
    """By brute force: inside and outside are independent, and no cell to come sees the inside."""
    checked = 0
    for index in range(30):
        game = mp.play(
            board, "random", 2, index=index, first_click="any", on_mine="continue", **rules
        )
        for view in list(game.views())[:-1]:
            chances = mp.analyze(view).p.array.tolist()
            for found in forced_regions(view, chances):
                checked += 1
                check_forced(view, set(found))
    assert checked


def check_forced(view: View, region: set[int]) -> None:
    weights = dict(enumerate_layouts(view))
    inside = {mines & region for mines in weights}
    outside = {mines - region for mines in weights}
    assert len(weights) == len(inside) * len(outside)
    some = min(outside, key=sorted)
    for one in inside:
        assert one != region, "some cell is safe, and must be opened"
        share = {weights[one | rest] / weights[min(inside, key=sorted) | rest] for rest in outside}
        assert share == {weights[one | some] / weights[min(inside, key=sorted) | some]}
    for cell in region:
        assert any(cell in one for one in inside)
        assert any(cell not in one for one in inside)
        for near in view.topology.neighbours(cell):
            if near not in region and view.is_hidden(near):
                assert all(near in rest for rest in outside)
    assert any(not rest.issuperset(set(view.hidden) - region) for rest in outside)


@pytest.mark.parametrize("logic", ["sat", "single-point", "exact", "partition", "none"])
def test_it_is_made_before_anything_else(logic: str) -> None:
    view = View.parse(CORNER)
    plain, early = make_agent(logic), make_agent(f"{logic}+forced-first")
    for agent in (plain, early):
        agent.begin(view, Stream(4))
    if logic != "none":
        assert isinstance(plain.act(view).reason, Proved)
    decision = early.act(view)
    assert decision.action is Action.OPEN
    assert isinstance(decision.reason, Guessed)
    assert decision.reason == Guessed("forced-first", 2, 0.5, (0, 6))
    assert decision.cell in (0, 6)
    # The outcome of the guess is one more clue; then the proofs go on.
    after = view.reveal({decision.cell: 3 if decision.cell == 6 else 1})
    if logic == "exact":
        assert isinstance(early.act(after).reason, Proved)


def test_it_waits_where_the_outside_can_still_tell() -> None:
    view = View.parse(TELLS)
    agent = make_agent("sat+forced-first")
    agent.begin(view, Stream(4))
    assert isinstance(agent.act(view).reason, Proved)


@pytest.mark.parametrize("board", ["8x8/16", "square4:7x7/12"])
def test_the_next_policy_guesses_where_nothing_is_forced(board: str) -> None:
    seen = set()
    for index in range(30):
        game = mp.play(board, "sat+forced-first+exact-risk", 3, index=index)
        assert not game.outcome.note
        for step, view in zip(game.steps, game.views(), strict=False):
            reason = step.decision.reason
            if isinstance(reason, Guessed):
                seen.add(reason.policy)
                if reason.policy == "forced-first":
                    chances = mp.analyze(view).p.array.tolist()
                    forced = {cell for one in forced_regions(view, chances) for cell in one}
                    assert step.decision.cell in forced
                    assert chances[step.decision.cell] == min(chances[cell] for cell in forced)
    assert seen == {"forced-first", "exact-risk"}


@needs_core
def test_its_games_are_no_longer_and_as_often_won() -> None:
    """Paired with the same deals and the same policy after it; lost games end earlier."""
    plain = mp.play_many("8x8/16", "exact+random", 150, 5)
    early = mp.play_many("8x8/16", "exact+forced-first+random", 150, 5)
    assert early.steps.sum() < plain.steps.sum()
    assert plain.interval.low <= early.rate <= plain.interval.high


# ----------------------------------------------------------------------------
# The policy that keeps chains short: its depths are the chains', its guesses about the safest.


@pytest.mark.parametrize("board", ["8x8/12", "hex:6x6/7", "triangle:4x8/5"])
def test_depths_are_those_of_the_chains(board: str) -> None:
    for index in range(4):
        game = mp.play(board, "exact", seed=5, index=index, given="0,0")
        chains = mp.chains.of(game)
        views = game.views()
        depths = ChainDepths(next(views))
        for step, after in zip(game.steps, views, strict=True):
            depths.follow(step.decision, after)
        cells = list(chains.opened)
        assert depths.of(cells) == [chains.opened[cell].depth for cell in cells]


@pytest.mark.parametrize("kind", [ShortChains, ShortChainsAtTies])
@pytest.mark.parametrize("logic", ["exact", "sat"])
def test_a_guess_costs_no_more_than_is_allowed(kind: type[ShortChains], logic: str) -> None:
    guesses = 0
    for index in range(6):
        game = mp.play("8x8/14", f"{logic}+{kind.name}", seed=2, index=index, first_click="safe")
        depths: ChainDepths | None = None
        views = game.views()
        before = next(views)
        for step, after in zip(game.steps, views, strict=True):
            reason, cell = step.decision.reason, step.decision.cell
            if depths is not None and isinstance(reason, Guessed) and cell is not None:
                guesses += 1
                chances = analyze(before).p
                least = min(chances[hidden] for hidden in before.hidden)
                assert chances[cell] <= least + kind.spend + 1e-9
                assert cell in reason.cells or not reason.cells
                assert reason.policy == kind.name
            if step.decision.action is Action.OPEN:
                if depths is None:
                    depths = ChainDepths(before)
                depths.follow(step.decision, after)
            before = after
        assert game.outcome.termination.value in ("cleared", "exploded")
    assert guesses


def test_it_plays_like_exact_where_nothing_is_guessed() -> None:
    same = 0
    for index in range(8):
        plain = mp.play("8x8/8", "exact", seed=1, index=index, given="0,0")
        ours = mp.play("8x8/8", "exact+short-chains", seed=1, index=index, given="0,0")
        if not any(isinstance(step.decision.reason, Guessed) for step in plain.steps):
            same += 1
            assert [step.decision for step in ours.steps] == [step.decision for step in plain.steps]
    assert same
