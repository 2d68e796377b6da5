"""The soundness check, and the judgement of each move that is called proved."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import mineproof as mp
from mineproof.agents.agent import Action, Decision, Guessed, Proved
from mineproof.agents.catalog import AGENTS, LOGICS
from mineproof.board import Board
from mineproof.board.lattices import LATTICES
from mineproof.engine.analysis import Premises, Verdict, infer
from mineproof.engine.enumerate import enumerate_layouts
from mineproof.engine.exact import analyze, chance_of_any_mine
from mineproof.errors import BudgetExceeded, InputError
from mineproof.game.annotate import few_premises
from mineproof.game.check import (
    COMPARED_LOGICS,
    SMALL_BOARDS,
    CertaintyTracker,
    FaultKind,
    ProvedClaim,
    SoundnessMonitor,
    certain_cells,
    chance_false,
    check,
    proved_claim,
)
from mineproof.rng import Stream
from mineproof.view import View
from tests.core import players_need_core

# ----------------------------------------------------------------------------
# The soundness check finds what is wrong with an agent, and shows the position.


class Says:
    def __init__(self, answer: Callable[[View], object]) -> None:
        self.answer = answer

    def act(self, view: View) -> object:
        return self.answer(view)


def claims_everything(view: View) -> Decision:
    return Decision.open(view.hidden[0], Proved("hope"))


def claims_mines(view: View) -> Decision:
    free = [cell for cell in view.hidden if not view.is_flagged(cell)]
    return Decision.flag(free[0], Proved("hope")) if view.opened_count else Decision.open(free[0])


def flags_anything(view: View) -> Decision:
    free = [cell for cell in view.hidden if not view.is_flagged(cell)]
    return Decision.flag(free[0]) if view.opened_count else Decision.open(free[0])


def guesses_flags(view: View) -> Decision:
    free = [cell for cell in view.hidden if not view.is_flagged(cell)]
    if view.flag_count < 2 and len(free) > 1:
        return Decision.flag(free[-1], Guessed("hope", 1))
    return Decision.open(free[0]) if free else Decision.stop()


def raises(view: View) -> int:
    if view.opened_count:
        raise ZeroDivisionError("by zero")
    return 0


def reopens(view: View) -> int:
    return next(iter(view.opened), 0)


def chords_wrongly(view: View) -> Decision:
    for cell, clue in view.clues:
        hidden = [c for c in view.topology.neighbours(cell) if view.is_hidden(c)]
        flagged = [c for c in hidden if view.is_flagged(c)]
        if 0 < clue < len(hidden):
            if len(flagged) == clue:
                return Decision(Action.CHORD, cell, Proved("hope"))
            free = next(c for c in hidden if c not in flagged)
            return Decision.flag(free, Guessed("hope", len(hidden)))
    return Decision.open(next(c for c in view.hidden if not view.is_flagged(c)))


@pytest.mark.parametrize("name", players_need_core(AGENTS))
def test_listed_agents_pass(name: str) -> None:
    report = check(AGENTS[name].make, name=name, games=2)
    assert report.passed, report.text
    assert report.games == 2 * len(SMALL_BOARDS)
    assert report.text.startswith(f"{name}: {report.games} games")
    assert report.to_json()["fault"] is None


def test_the_boards_are_of_every_topology() -> None:
    boards = [Board.parse(text) for text in SMALL_BOARDS]
    assert {board.topology.name for board in boards} == set(LATTICES)
    assert any(board.topology.blocked for board in boards)


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        (claims_everything, FaultKind.UNSOUND, "is called proved safe"),
        (claims_mines, FaultKind.UNSOUND, "is called proved a mine"),
        (chords_wrongly, FaultKind.UNSOUND, "is called proved safe"),
        (flags_anything, FaultKind.WRONG_FLAG, "is flagged and safe"),
        (raises, FaultKind.RAISED, "ZeroDivisionError: by zero"),
        (reopens, FaultKind.ILLEGAL, "is open already"),
        (lambda view: "nonsense", FaultKind.ILLEGAL, "answered"),
    ],
)
def test_faults_are_found_and_shown(
    answer: Callable[[View], object], kind: FaultKind, message: str
) -> None:
    report = check(lambda: Says(answer), name="mine", boards=["5x5/5"], games=20, seed=1)
    fault = report.fault
    assert fault is not None
    assert (fault.kind, report.passed) == (kind, False)
    assert message in fault.message
    views = list(fault.game.views())
    assert View.parse(fault.position) == views[fault.step - 1]
    assert message in report.text
    assert fault.position.strip() in report.text
    data = report.to_json()["fault"]
    assert data["kind"] == kind.value
    assert data["position"] == fault.position


class Exact:
    """Opens and flags what is certain, and names the clues that a function of the view gives."""

    def __init__(self, clues: Callable[[View, int], list[int]], flags: bool = True) -> None:
        self.clues, self.flags = clues, flags

    def act(self, view: View) -> Decision:
        if not view.opened_count:
            return Decision.open(view.hidden[0])
        analysis = analyze(view)
        flags = [cell for cell in analysis.mines if not view.is_flagged(cell)]
        if self.flags and flags:
            return Decision.flag(flags[0], Proved("own", few_clues(view, flags[0], True)))
        for cell in analysis.safe:
            return Decision.open(cell, Proved("own", self.clues(view, cell)))
        free = [cell for cell in view.hidden if not view.is_flagged(cell)]
        return Decision.open(free[0], Guessed("own", len(free)))


def few_clues(view: View, cell: int, mine: bool) -> Premises:
    found = few_premises(view, cell, mine)
    assert found is not None
    return found


def farthest_clue(view: View, cell: int) -> list[int]:
    clues = [clue for clue, _ in view.clues]
    return [max(clues, key=lambda clue: view.topology.steps_to(cell, [clue])[clue])]


def test_clues_that_do_not_prove_the_cell_are_a_fault() -> None:
    """Every cell is certain, and an unrelated clue is named for it."""
    report = check(lambda: Exact(farthest_clue), name="own", boards=["6x6/6"], games=5)
    fault = report.fault
    assert fault is not None
    assert {one.kind for one in report.faults} == {FaultKind.UNFOUNDED}
    assert "is safe, but not by the premises named: the" in fault.message
    assert "a layout that fits the clues it names, with" in report.text
    assert fault.cell is not None
    assert fault.refutation is not None
    assert fault.refutation.is_mine(fault.cell)
    (named,) = fault.premises.clues if fault.premises else ()
    assert fault.refutation.counts[named] == View.parse(fault.position).clue(named)
    right = check(
        lambda: Exact(lambda view, cell: list(few_clues(view, cell, False).clues)),
        name="own",
        boards=["6x6/6"],
        games=5,
    )
    total = sum(one.kind is not FaultKind.UNFOUNDED for one in right.faults)
    assert total == 0
    assert right.judged > report.judged


def nearest_zero_or_full(view: View, cell: int) -> list[int]:
    """A clue beside the cell with all its mines flagged; else clues that prove it alone."""
    near = view.topology.neighbours
    for clue in near(cell):
        if view.clue(clue) == sum(view.is_flagged(one) for one in near(clue)):
            return [clue]
    return list(few_clues(view, cell, False).clues)


def test_clues_may_rest_on_the_mines_that_were_flagged() -> None:
    boards = ["6x6/6"]
    flagged = check(lambda: Exact(nearest_zero_or_full), boards=boards, games=5)
    assert flagged.passed, flagged.text
    assert flagged.judged > 20


@pytest.mark.parametrize("judge", [True, False])
def test_play_judges_the_clues_too(judge: bool) -> None:
    monitor = SoundnessMonitor(Exact(farthest_clue))
    game = mp.play("6x6/6", monitor, seed=1, judge=judge)
    assert monitor.unfounded
    assert not monitor.unsound
    for number in monitor.unfounded:
        assert game.steps[number - 1].decision.action is Action.OPEN


def unsound_then_raises(view: View) -> Decision:
    """Survives an unsound flag in every game, and then falls."""
    if not view.opened_count:
        return Decision.open(0)
    if view.flag_count > 1:
        raise ZeroDivisionError("by zero")
    free = [cell for cell in view.hidden if not view.is_flagged(cell)]
    return Decision.flag(free[-1], Proved("hope"))


def test_every_fault_of_a_batch_is_noted() -> None:
    seen: list[int] = []
    report = check(
        lambda: Says(unsound_then_raises),
        name="mine",
        boards=["5x5/12", "hex:5x5/12"],
        games=15,
        rules={"first_click": "any", "on_mine": "continue"},
        watch=lambda so_far: seen.append(so_far.games),
    )
    assert seen == list(range(1, 31))
    assert report.games == 30
    assert report.fault is report.faults[0]
    assert {fault.kind for fault in report.faults} == {FaultKind.UNSOUND, FaultKind.RAISED}
    places = [(f.game.board, f.game.index, f.step) for f in report.faults]
    assert len(set(places)) == len(places) > 60
    for board in ("square:5x5/12", "hex:5x5/12"):
        ends = [f for f in report.faults if f.kind is FaultKind.RAISED and f.game.board == board]
        assert [fault.game.index for fault in ends] == list(range(15))
    for fault in report.faults:
        assert View.parse(fault.position) == list(fault.game.views())[fault.step - 1]
        if fault.kind is FaultKind.UNSOUND:
            assert fault.game.steps[fault.step - 1].unsound == fault.risk
    lines = report.text.splitlines()
    assert lines[0].endswith(f"; {len(report.faults)} faults")
    assert lines[1].split() == ["kind", "board", "seed", "game", "step", "move"]
    assert lines[22] == f"and {len(report.faults) - 20} more faults"
    assert max(map(len, lines[1:23])) <= 80
    data = report.to_json()
    assert len(data["faults"]) == len(report.faults)
    assert data["faults"][0] == data["fault"]


@pytest.mark.parametrize("answer", [claims_everything, claims_mines, flags_anything])
@pytest.mark.parametrize("board", ["5x5/6", "hex:4x5/6", "cube:2x3x3/5"])
def test_a_refutation_fits_all_that_was_seen(answer: Callable[[View], object], board: str) -> None:
    report = check(lambda: Says(answer), boards=[board], games=5)
    assert report.faults
    for fault in report.faults:
        if fault.cell is None:
            assert fault.refutation is None
            continue
        layout = fault.refutation
        assert layout is not None
        assert layout.is_mine(fault.cell) is not fault.mine
        view = View.parse(fault.position)
        assert layout.total == view.total
        for cell, clue in view.clues:
            assert clue == sum(map(layout.is_mine, view.topology.neighbours(cell)))
        drawn = fault.text.split("(* is a mine):\n")[1]
        assert drawn.count("*") == len([c for c in layout.cells if view.is_hidden(c)])
        cells = [list(view.topology.coordinates(cell)) for cell in layout.cells]
        assert fault.to_json()["refutation"] == cells


def test_what_only_the_mines_refute_is_refuted_by_them() -> None:
    def silent(view: View) -> Verdict:
        raise BudgetExceeded("too much")

    report = check(lambda: Says(claims_everything), boards=["9x9/30"], certain=silent)
    for fault in report.faults:
        assert fault.risk is None
        assert fault.refutation is not None


def test_a_chord_is_as_false_as_any_cell_it_opens() -> None:
    report = check(lambda: Says(chords_wrongly), boards=["5x5/5"], games=20, seed=1)
    chords = [f for f in report.faults if " chord " in f.move]
    assert chords
    for fault in chords:
        assert fault.cell is not None
        assert fault.risk is not None
        assert fault.risk >= analyze(View.parse(fault.position)).p[fault.cell] > 0


def test_an_agent_that_never_begins_is_not_tried_for_ever() -> None:
    report = check(lambda: Says(lambda view: 1 // 0), boards=["3x3/2"], games=20)
    assert report.games == len(report.faults) == 3
    assert report.note == "stopped: 3 games timed out or failed at once; 17 games left out"
    assert report.note in report.text
    assert check(lambda: Says(lambda view: 1 // 0), boards=["3x3/2"], games=3).note == ""


def test_a_long_board_is_cut_in_the_list_and_whole_below() -> None:
    board = next(board for board in SMALL_BOARDS if board.startswith("graph"))
    report = check(lambda: Says(reopens), boards=[board], games=3)
    assert report.fault is not None
    table, first = report.text.split("the first fault:\n")
    assert f" {report.fault.game.board[:21]}... " in table
    assert report.fault.game.board in first


def test_a_maker_that_raises_is_a_fault() -> None:
    def make() -> Says:
        raise ValueError("no agent today")

    report = check(make, boards=["3x3/2"])
    assert report.fault is not None
    assert report.fault.kind is FaultKind.RAISED
    assert report.fault.step == 1


def test_guessed_flags_are_no_fault() -> None:
    assert check(lambda: Says(guesses_flags), boards=["4x4/3"]).passed


def test_a_promised_first_click_is_proved() -> None:
    def promised(view: View) -> Decision:
        if view.opened_count:
            return Decision.stop()
        return Decision.open(0, Proved("rules"))

    assert check(lambda: Says(promised), boards=["5x5/5"]).judged == 20
    refused = check(lambda: Says(promised), boards=["5x5/5"], rules={"first_click": "any"})
    assert refused.fault is not None


def test_another_oracle_is_asked_and_may_give_up() -> None:
    asked = []

    def silent(view: View) -> Verdict:
        asked.append(view)
        raise BudgetExceeded("too much")

    report = check(AGENTS["single-point"].make, boards=["9x9/10"], games=2, certain=silent)
    assert report.passed
    assert asked
    assert report.unjudged > 0 == report.judged
    assert "too costly to judge" in report.text
    # What the mines refute is unsound, whatever the oracle could not say.
    lucky = check(lambda: Says(claims_everything), boards=["9x9/30"], certain=silent)
    assert lucky.fault is not None
    assert "and it is a mine" in lucky.fault.message


def test_the_oracle_is_enumeration_where_that_is_quick() -> None:
    small = View.parse("square 3x3 mines=1\n01.\n01.\n01.")
    assert certain_cells(small).logic == "enumerate"
    large = View.parse("square 5x5 mines=10\n" + ".....\n" * 5)
    assert certain_cells(large).logic == "exact"
    assert not certain_cells(large)


def test_settings_that_cannot_be_played_are_refused() -> None:
    for options in ({"games": 0}, {"boards": ["3x3/99"]}, {"rules": {"goal": "x"}}):
        with pytest.raises(InputError):
            check(AGENTS["random"].make, **options)


class Silent:
    """Claims nothing and opens cells at random; it keeps what it saw and did."""

    def __init__(self) -> None:
        self.moves: list[tuple[View, int]] = []

    def begin(self, view: View, rng: Stream) -> None:
        self.rng = rng

    def act(self, view: View) -> int:
        self.moves.append((view, self.rng.choice(list(view.hidden))))
        return self.moves[-1][1]


@pytest.mark.parametrize("board", ["4x4/4", "hex:4x4/4", "torus:4x4/3"])
def test_an_agent_that_claims_nothing_is_judged_by_what_it_opens(board: str) -> None:
    agent = Silent()
    report = check(lambda: agent, boards=[board], games=12, seed=3, thorough=True)
    found = report.thoroughness
    assert found is not None
    turns = opened = guesses = unneeded = mines = 0
    positions = []
    for view, cell in agent.moves:
        if not view.opened_count:
            continue
        layouts = [layout for layout, _ in enumerate_layouts(view)]
        inside = [cell in layout for layout in layouts]
        safe = any(not any(one in layout for layout in layouts) for one in view.hidden)
        turns += safe
        opened += not any(inside)
        mines += all(inside)
        guesses += any(inside) and not all(inside)
        unneeded += safe and any(inside) and not all(inside)
        positions += [view] * safe
    assert (found.turns, found.found, found.mines) == (turns, opened, mines)
    assert (found.guesses, found.unneeded) == (guesses, unneeded)
    assert turns
    assert opened
    assert mines
    assert unneeded
    assert found.positions == tuple(positions)
    for name, count in found.logics.items():
        assert count == sum(
            bool(infer(LOGICS[name].make(), View.parse(view.text)).safe) for view in positions
        )
    assert found.logics["exact"] == turns
    assert found.logics["single-point"] <= found.logics["partition"] <= turns
    assert "it calls nothing proved, so it is judged by what it opens" in report.text
    assert f"guesses that were not needed: {unneeded} of {guesses}" in report.text


def test_a_complete_agent_misses_nothing_and_few_positions_are_asked_about() -> None:
    report = check(AGENTS["exact"].make, boards=["8x8/10"], games=10, seed=1, thorough=True)
    found = report.thoroughness
    assert found is not None
    assert found.found == found.turns > 100 == len(found.positions)
    assert (found.unneeded, found.mines) == (0, 0)
    assert "in 100 of these turns a logic proves a safe cell: " in report.text
    assert "it calls nothing proved" not in report.text
    assert check(AGENTS["exact"].make, boards=["4x4/4"], games=1).thoroughness is None


def test_every_logic_is_compared_but_players_and_those_that_prove_nothing_sound() -> None:
    assert {*LOGICS} == {*COMPARED_LOGICS, "none", "naive", "swift", "champion"}


def test_losses_at_a_guess_are_counted() -> None:
    report = check(AGENTS["SATX"].make, name="SATX", boards=["hex:5x5/9"], games=6)
    lost = report.games - report.won
    assert lost > 0
    assert report.lost_by_guess == lost
    assert f"lost games that ended at a guess: all {lost}" in report.text.split("\n")


# ----------------------------------------------------------------------------
# What an agent calls proved is judged at once, with the exact chance that it is false.

HALF = View.parse("square 1x3 mines=1\n.1.")
VIEW = View.parse("square 3x4 mines=3\n1...\n12..\n01..")


def false_share(view: View, cells: tuple[int, ...], mine: bool) -> float:
    """The share of the layouts in which some cell is not what it is called."""
    layouts = [mines for mines, _ in enumerate_layouts(view)]
    wrong = [mines for mines in layouts if any((cell in mines) != mine for cell in cells)]
    return len(wrong) / len(layouts)


@pytest.mark.parametrize("cell", [cell for cell, _ in enumerate(VIEW) if VIEW.is_hidden(cell)])
@pytest.mark.parametrize("mine", [True, False])
def test_a_chance_is_the_share_of_layouts_that_refute(cell: int, mine: bool) -> None:
    called = ProvedClaim((cell,), mine)
    share = false_share(VIEW, (cell,), mine)
    assert chance_false(VIEW, called) == pytest.approx(share)
    assert bool(CertaintyTracker().doubtful(VIEW, called)) == (share > 0)


def test_a_chord_calls_all_that_it_opens_safe() -> None:
    view = VIEW.with_flags([1])
    idle = proved_claim(view, Decision(Action.CHORD, 4, Proved("hope")))
    assert idle == ProvedClaim((), mine=False)
    assert CertaintyTracker().doubtful(view, idle) == ()
    chord = proved_claim(view, Decision(Action.CHORD, 5, Proved("hope")))
    assert chord == ProvedClaim((2, 6, 10), mine=False)
    assert chance_false(view, chord) == pytest.approx(false_share(view, chord.cells, False))
    assert chance_of_any_mine(mp.analyze(view), ()) == 0.0


@pytest.mark.parametrize(
    "decision",
    [
        Decision.open(2),
        Decision.open(0, Proved("open already")),
        Decision.unflag(2, Proved("hope")),
        Decision.stop(),
    ],
)
def test_other_moves_call_nothing_proved(decision: Decision) -> None:
    assert proved_claim(VIEW, decision) is None


class Hopes:
    """Calls everything proved."""

    def act(self, view: View) -> Decision:
        return Decision.open(view.hidden[0], Proved("hope"))


def marks(game: mp.Transcript) -> list[float | None]:
    return [step.unsound for step in game.steps]


def test_a_game_is_marked_where_another_layout_fits() -> None:
    game = mp.play("5x5/6", Hopes, seed=3, judge=True)
    views = list(game.views())
    assert marks(game)[0] is None  # the rules promise that the first cell is safe
    assert any(marks(game))
    for view, step in zip(views[1:], game.steps[1:], strict=False):
        assert step.decision.cell is not None
        share = false_share(view, (step.decision.cell,), False)
        assert step.unsound == (pytest.approx(share) if share else None)
    assert not any(marks(mp.play("5x5/6", Hopes, seed=3)))
    assert not any(marks(mp.play("5x5/6", "exact", seed=3, judge=True)))


def test_a_first_click_that_nothing_promises_is_no_proof() -> None:
    assert marks(mp.play("5x5/6", Hopes, seed=3, judge=True, first_click="any"))[0] == 6 / 25
    layout = mp.Layout.of("2x2", [(1, 1)])
    assert marks(mp.play(layout, Hopes, judge=True))[0] == 1 / 4


def test_proofs_and_marks_go_together() -> None:
    game = mp.play("5x5/6", Hopes, seed=3, judge=True, proofs=True)
    marked = {number for number, mark in enumerate(marks(game), 1) if mark is not None}
    assert marked
    assert not marked & set(game.proofs)


def test_what_is_too_costly_is_not_marked() -> None:
    def refuse(view: View) -> Verdict:
        raise BudgetExceeded("too much")

    for certain, found in ((certain_cells, {1: 1 / 2}), (refuse, {})):
        judged = SoundnessMonitor(Hopes(), certain)
        judged.begin(HALF, Stream(1))
        judged.act(HALF)
        assert judged.unsound == found


def test_every_game_is_judged_anew() -> None:
    judged = SoundnessMonitor(Hopes())
    judged.begin(VIEW, Stream(1))
    judged.act(VIEW)
    assert list(judged.unsound) == [1]
    judged.begin(VIEW, Stream(1))
    assert judged.unsound == {}
    assert judged.knowledge(VIEW) == ""


def test_what_was_certain_stays_certain() -> None:
    asked: list[View] = []

    def certain(view: View) -> Verdict:
        asked.append(view)
        return certain_cells(view)

    certainty = CertaintyTracker(certain)
    for _ in range(2):
        assert certainty.doubtful(VIEW, ProvedClaim((1,), True)) == ()
    assert len(asked) == 1
