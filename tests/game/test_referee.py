"""The referee: its rules one by one, and what uncertain clues show."""

from __future__ import annotations

from collections import Counter
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof import kernel
from mineproof.board import Layout, Topology
from mineproof.engine.exact import analyze_many
from mineproof.errors import IllegalMove, InputError
from mineproof.game import Outcome, Referee, Termination
from mineproof.rng import Stream
from mineproof.rules import Rules
from mineproof.testing import strategies
from mineproof.view import Mark, View
from mineproof.view.channels import CHANNELS, channel, draw_shown, proves_zero

# ----------------------------------------------------------------------------
# The referee's rules, one by one, on boards small enough to check by eye.

BOARDS = ("4x5", "square:4x4#1,1", "square4:4x4", "torus:4x4", "hex:4x4", "hexagon:3")
EVERY_BOARD = (*BOARDS, "triangle:3x6", "cube:2x3x3", "graph:0-1,1-2,2-3,3-4,4-0,5")


def game(board: str, mines: str, words: str = "", **options: int) -> Referee:
    """A game on a board whose mines are named: `0,0 1,2`."""
    topology = Topology.parse(board)
    cells = [topology.cell(tuple(map(int, name.split(",")))) for name in mines.split()]
    rules = Rules.parse(f"mines={len(cells)} first-click=any {words}")
    return Referee(Layout.of(topology, cells), rules=rules, **options)


def rows(referee: Referee) -> str:
    return referee.view.text.split("\n", 1)[1].strip().replace("\n", "/")


# ---------------------------------------------------------------- moves


def test_opening_shows_the_clue_and_zeros_spread() -> None:
    referee = game("3x4", "0,0")
    assert rows(referee) == "..../..../...."
    referee.open(1)
    assert rows(referee) == ".1../..../...."
    referee.open(3)
    assert rows(referee) == ".100/1100/0000"
    assert referee.over
    assert referee.outcome.termination is Termination.CLEARED
    assert referee.outcome.won


def test_without_cascade_one_cell_opens_at_a_time() -> None:
    referee = game("3x4", "0,0", "cascade=off")
    referee.open(3)
    assert rows(referee) == "...0/..../...."


def test_a_cascade_leaves_flags_alone() -> None:
    referee = game("3x4", "0,0")
    referee.flag(7)
    referee.open(3)
    assert rows(referee) == ".100/110F/0000"
    assert not referee.over
    with pytest.raises(IllegalMove, match="cell 1,3 is flagged; take the flag off first"):
        referee.open(7)
    referee.unflag(7)
    referee.open(7)
    assert referee.over


def test_a_chord_opens_what_its_flags_leave() -> None:
    referee = game("3x3", "0,0")
    referee.open(4)
    with pytest.raises(IllegalMove, match="shows 1 with 0 flags around it"):
        referee.chord(4)
    referee.flag(0)
    referee.chord(4)
    assert rows(referee) == "F10/110/000"
    assert referee.outcome.won


def test_a_chord_beside_a_wrong_flag_explodes() -> None:
    referee = game("3x3", "0,0")
    referee.open(4)
    referee.flag(8)
    referee.chord(4)
    assert referee.outcome.termination is Termination.EXPLODED
    assert referee.view[0] is Mark.MINE


@pytest.mark.parametrize("cell", [0, 1])
def test_a_chord_needs_a_clue(cell: int) -> None:
    referee = game("3x3", "0,0", "on-mine=continue")
    referee.open(0)
    with pytest.raises(IllegalMove, match="shows no clue to chord on"):
        referee.chord(cell)


def test_opened_mines_count_for_a_chord() -> None:
    referee = game("1x3", "0,0", "on-mine=continue")
    referee.open(0)
    referee.open(1)
    referee.chord(1)
    assert rows(referee) == "*10"


def test_illegal_moves_are_refused_and_change_nothing() -> None:
    referee = game("3x3", "0,0")
    referee.open(1)
    before = referee.view
    for move, message in [
        (lambda: referee.open(1), "cell 0,1 is open already"),
        (lambda: referee.open(9), "cell 9 is not on the board"),
        (lambda: referee.open(-1), "cell -1 is not on the board"),
        (lambda: referee.flag(1), "cannot be flagged"),
        (lambda: referee.unflag(2), "has no flag"),
        (lambda: referee.chord(9), "not on the board"),
    ]:
        with pytest.raises(IllegalMove, match=message):
            move()
    assert referee.view is before
    referee.flag(0)
    with pytest.raises(IllegalMove, match="cannot be flagged"):
        referee.flag(0)
    referee.open(8)
    for move in (referee.open, referee.flag, referee.unflag, referee.chord):
        with pytest.raises(IllegalMove, match="the game is over"):
            move(2)


# ---------------------------------------------------------------- ends and measures


def measures(outcome: Outcome) -> tuple[float, float, float]:
    return outcome.score, outcome.finer, outcome.marked_share


def test_a_lost_game() -> None:
    referee = game("3x3", "0,0 2,2")
    referee.open(1)
    referee.open(0)
    assert referee.outcome.text == "lost (exploded)"
    # Two mines of eight covered cells; the opened mine counts as covered.
    assert measures(referee.outcome) == (0, 2 / 8, 2 / 9)


def test_continue_ends_when_every_cell_is_open_or_flagged() -> None:
    referee = game("1x4", "0,0 0,3", "on-mine=continue")
    referee.open(0)
    assert not referee.over
    referee.open(1)
    referee.open(2)
    assert not referee.over
    referee.flag(3, proved=True)
    assert referee.outcome.text == "lost (finished)"
    assert measures(referee.outcome) == (1 / 2, 1, 1)


def test_only_flags_with_a_proof_score() -> None:
    referee = game("1x4", "0,0 0,3", "on-mine=continue")
    referee.flag(0)
    referee.flag(3, proved=True)
    referee.open(1)
    referee.open(2)
    assert referee.outcome.text == "won (marked)"
    assert measures(referee.outcome) == (1 / 2, 1, 1)


def test_a_flag_taken_off_scores_no_more_and_a_wrong_one_never() -> None:
    referee = game("1x4", "0,0", "on-mine=continue")
    referee.flag(0, proved=True)
    referee.unflag(0)
    referee.flag(1, proved=True)
    assert referee.outcome.score == 0
    referee.open(0)
    referee.open(3)
    assert referee.outcome.termination is Termination.FINISHED
    # One safe cell is still covered, by the wrong flag.
    assert measures(referee.outcome) == (0, 1 / 2, 1)


def test_where_there_are_no_mines_the_score_is_one() -> None:
    referee = game("1x3", "", "on-mine=continue")
    referee.open(0)
    assert measures(referee.outcome) == (1, 1, 1)
    assert referee.outcome.won


def test_mark_all_needs_every_mine_flagged() -> None:
    referee = game("1x3", "0,0", "goal=mark-all")
    referee.open(1)
    referee.open(2)
    assert not referee.over
    referee.flag(0)
    assert referee.outcome.text == "won (marked)"
    wrong = game("1x3", "0,0", "goal=mark-all")
    for cell in range(3):
        wrong.flag(cell)
    assert wrong.outcome.text == "lost (finished)"


def test_a_stopped_game_says_why() -> None:
    referee = game("1x3", "0,0")
    assert referee.outcome.termination is Termination.UNFINISHED
    referee.stop(note="tired")
    assert referee.outcome.text == "lost (stuck)"
    assert referee.outcome.note == "tired"
    referee.stop(Termination.FAILED, "late")
    assert referee.outcome.note == "tired"


def test_the_layout_is_told_only_at_the_end() -> None:
    referee = game("1x3", "0,0")
    assert referee.layout is None
    referee.open(0)
    assert referee.layout is not None
    assert referee.layout.total == 1


def test_a_board_of_mines_only_is_won_at_once() -> None:
    assert Referee("2x2/4", first_click="any").outcome.won


# ---------------------------------------------------------------- given cells


def test_the_corner_and_the_centre() -> None:
    for seed in range(20):
        referee = Referee("hex:5x5/8", seed, given="corner+centre")
        assert referee.given == (0, 12)
        assert referee.view.is_open(0)
        assert referee.view.is_open(12)
        assert not referee.view.opened_mines


def test_given_cells_by_name_and_a_cascade_that_covers_one() -> None:
    referee = game("1x5", "0,4", "given=0,0;0,1")
    assert rows(referee) == "0001."
    assert referee.over


def test_under_any_a_given_cell_that_is_named_may_be_a_mine_and_leaves_the_deal_alone() -> None:
    lost = 0
    for seed in range(30):
        plain = Referee("4x4/5", seed, first_click="any")
        plain.stop()
        assert plain.layout is not None
        for rule in ("any", "safe", "opening"):
            referee = Referee("4x4/5", seed, first_click=rule, given="0,0;3,3")
            opened, mine = referee.view[0, 0], plain.layout.is_mine((0, 0))
            lost += opened is Mark.MINE
            if rule == "any":
                assert (opened is Mark.MINE) == mine
                # A lost game goes no further: the second given cell stays as it is.
                exploded = referee.outcome.termination is Termination.EXPLODED
                assert exploded == (mine or plain.layout.is_mine((3, 3)))
                assert not (mine and referee.view.is_open((3, 3)))
                referee.stop()
                assert referee.layout == plain.layout
            else:
                assert opened is not Mark.MINE
        corner = Referee("4x4/5", seed, first_click="any", given="corner+centre")
        assert corner.view[0, 0] is not Mark.MINE
    assert lost > 0


def test_random_given_cells_are_safe_and_leave_the_deal_alone() -> None:
    board = Topology.parse("4x4")
    seen = set()
    for seed in range(30):
        plain = Referee((board, 5), seed, first_click="any")
        referee = Referee((board, 5), seed, given="random:3", cascade="off")
        plain.stop()
        referee.stop()
        assert plain.layout == referee.layout
        assert len(set(referee.given)) == 3 == referee.view.opened_count
        assert not referee.view.opened_mines
        seen.update(referee.given)
    assert len(seen) > 12


def test_more_random_cells_than_safe_ones_open_them_all() -> None:
    assert Referee("2x2/2", given="random:9").outcome.won
    by_factor = Referee("16x16/25", 3, given="f=1/2", cascade="off", first_click="any")
    by_number = Referee("16x16/25", 3, given="random:8", cascade="off", first_click="any")
    assert by_factor.given == by_number.given
    assert len(by_factor.given) == 8


@pytest.mark.parametrize(
    "words",
    ["mines=2 given=9,9", "mines=2 given=0", "mines=8 given=0,0;2,2", "mines=2 clues=nothing"],
)
def test_games_that_cannot_be_are_refused_at_the_start(words: str) -> None:
    with pytest.raises(InputError):
        Referee(Topology.parse("3x3"), rules=words)


# ---------------------------------------------------------------- the first click


@pytest.mark.parametrize("board", EVERY_BOARD)
@pytest.mark.parametrize("rule", ["any", "safe", "opening"])
def test_the_first_click_keeps_its_rule(board: str, rule: str) -> None:
    topology = Topology.parse(board)
    mines = (len(topology) - 1 - int(topology.degrees.min())) // 2 or 1
    rules = Rules.parse(f"mines={mines} first-click={rule}")
    exploded = 0
    for seed in range(40):
        referee = Referee(topology, seed, rules=rules)
        cell = seed % len(topology)
        if rule == "opening" and len(topology) - 1 - topology.degree(cell) < mines:
            with pytest.raises(IllegalMove, match="accepted: at most"):
                referee.open(cell)
            continue
        shown = referee.open(cell)[cell]
        if rule == "opening":
            assert shown == 0
        exploded += shown is Mark.MINE
        referee.stop()
        assert referee.layout is not None
        assert referee.layout.total == mines
    assert (exploded > 0) == (rule == "any")


def test_under_any_the_deal_does_not_depend_on_the_first_cell() -> None:
    board, rules = Topology.parse("4x4"), Rules.parse("mines=4 first-click=any")
    for seed in range(10):
        layouts = set()
        for cell in board.cells:
            referee = Referee(board, seed, rules=rules)
            referee.open(cell)
            referee.stop()
            layouts.add(referee.layout)
        assert len(layouts) == 1


def test_after_a_safe_first_click_every_other_layout_is_equally_likely() -> None:
    board, rules = Topology.parse("2x3"), Rules.parse("mines=2")
    counts: Counter[object] = Counter()
    for index in range(2000):
        referee = Referee(board, 5, index, rules=rules)
        referee.open(0)
        referee.stop()
        counts[referee.layout] += 1
    assert len(counts) == comb(5, 2)
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 27.9


@pytest.mark.parametrize("mines", ["uniform", "~30%"])
def test_a_total_left_to_chance_is_told_with_the_first_click(mines: str) -> None:
    board = Topology.parse("4x4")
    totals = set()
    for seed in range(30):
        referee = Referee((board, mines), seed)
        assert referee.view.total is None
        referee.open(5)
        told = referee.view.total
        referee.stop()
        assert referee.layout is not None
        assert told == referee.layout.total
        totals.add(told)
        unknown = Referee((board, mines), seed, total="unknown")
        unknown.open(5)
        assert unknown.view.total is None
    assert len(totals) > 3


def test_an_unknown_total_tells_a_density() -> None:
    referee = Referee("4x4/4", total="unknown")
    assert referee.view.total is None
    assert str(referee.view.density) == "1/4"


def test_a_number_left_to_chance_needs_room_for_a_mine() -> None:
    with pytest.raises(InputError, match="accepted"):
        Referee("1x1/uniform")


# ---------------------------------------------------------------- uncertain clues


@pytest.mark.parametrize("text", ["withheld:0.5", "optimistic", "cautious", "noisy:0.5"])
def test_a_cells_word_is_the_same_whoever_asks_and_when(text: str) -> None:
    assert text.partition(":")[0] in CHANNELS
    board = Topology.parse("4x5")
    rules = Rules.parse(f"mines=5 first-click=any on-mine=continue cascade=off clues={text}")
    for seed in range(10):
        one, two = Referee(board, seed, rules=rules), Referee(board, seed, rules=rules)
        for cell in board.cells:
            one.open(cell)
        for cell in reversed(board.cells):
            two.open(cell)
        assert one.view.codes().tolist() == two.view.codes().tolist()
        again = Referee(board, seed, rules=rules)
        for cell in board.cells:
            assert again.open(cell)[cell] == one.view[cell]


def test_an_uncertain_zero_spreads_only_where_it_proves() -> None:
    assert rows_after("optimistic", opened=7).count(".") == 11
    assert rows_after("cautious", opened=7).count(".") < 12
    assert rows_after("withheld:0", opened=7) == "0000/0000/0000"
    assert rows_after("withheld:1", opened=7).count("?") == 1


def rows_after(clues: str, opened: int) -> str:
    referee = game("3x4", "", f"clues={clues}")
    referee.open(opened)
    return rows(referee)


# ---------------------------------------------------------------- any game


@settings(max_examples=80)
@given(strategies.layouts(strategies.topologies(most_cells=14)), st.data())
def test_any_game_shows_only_the_truth(layout: Layout, data: st.DataObject) -> None:
    board = layout.topology
    rules = Rules.parse(f"mines={layout.total} first-click=any on-mine=continue")
    referee = Referee(layout, rules=rules)
    while not referee.over:
        hidden = [cell for cell in referee.view.hidden if not referee.view.is_flagged(cell)]
        cell = data.draw(st.sampled_from(hidden))
        referee.flag(cell) if data.draw(st.integers(0, 4)) == 0 else referee.open(cell)
    view = referee.view
    for cell in view.opened:
        assert view[cell] == (Mark.MINE if layout.is_mine(cell) else layout.counts[cell])
    covered = sum(view.is_hidden(cell) or layout.is_mine(cell) for cell in board.cells)
    assert referee.outcome.finer == (layout.total / covered if covered else 1)
    assert referee.outcome.marked_share == 1
    right = all(view.is_flagged(cell) == layout.is_mine(cell) for cell in board.cells)
    assert referee.outcome.won == right


# ----------------------------------------------------------------------------
# The referee's words: fixed by game and cell, and cascades only from a zero that is a proof.

PROVES_ZERO = {
    "exact": True,
    "withheld:0.4": True,
    "cautious": True,
    "optimistic": False,
    "noisy:0.3": False,
    "table:0:1;0:0.5,1:0.5;2:1;3:1;4:1;5:1;6:1;7:1;8:1": False,
    "table:0:0.9,1:0.1;1:1;2:1;3:1;4:1;5:1;6:1;7:1;8:1": True,
}


@pytest.mark.parametrize(("clues", "proof"), PROVES_ZERO.items())
@pytest.mark.parametrize("cascade", ["on", "off"])
def test_a_shown_zero_opens_its_neighbours_only_where_it_proves_them(
    clues: str, proof: bool, cascade: str
) -> None:
    topology = Topology.parse("6x6")
    assert proves_zero(channel(clues), 8) is proof
    rules = Rules.parse(f"mines=2 first-click=any clues={clues} cascade={cascade}")
    zeros = 0
    for index in range(30):
        layout = Layout.of(topology, [0, 35])
        referee = Referee(layout, 5, index, rules=rules)
        view = referee.open(14)
        opens = proof and cascade == "on" and view[14] == 0
        zeros += view[14] == 0
        if not opens:
            assert view.opened_count == 1
            continue
        for cell, shown in view.clues:
            if shown == 0:
                assert all(view.is_open(near) for near in topology.neighbours(cell))
        assert not view.opened_mines
    assert zeros


@pytest.mark.parametrize("clues", list(PROVES_ZERO))
def test_a_cell_never_changes_its_word(clues: str) -> None:
    topology = Topology.parse("4x4")
    rules = Rules.parse(f"mines=3 first-click=any clues={clues} cascade=off")
    layout = Layout.of(topology, [0, 5, 10])
    safe = [cell for cell in topology.cells if not layout.is_mine(cell)]
    shown = []
    for order in (safe, safe[::-1]):
        referee = Referee(layout, 9, 2, rules=rules)
        for cell in order:
            referee.open(cell)
        shown.append([referee.view[cell] for cell in safe])
    assert shown[0] == shown[1]


# ----------------------------------------------------------------------------
# Calibration: of the cells given a chance p, a share p are mines, for every channel.
#
# Cells come from many small games, so that the cells of one position, which are tied together, are
# few: the interval takes positions as clusters.

BOARD, MINES, OPENED = "6x6", 7, 8
POSITIONS = 3600 if kernel.available() else 600
"""The twin takes a hundred times as long."""
CALIBRATED = [
    "exact",
    "withheld:0.4",
    "optimistic",
    "cautious",
    "noisy:0.3",
    "table:0:0.9,2:0.1;0:0.5,1:0.5;2:1;3:1;4:1;5:1;6:1;7:1;8:1",
    "table:0:0.1,-:0.9;0:0.4,1:0.4,-:0.2;2:0.5,-:0.5;3:1" + ";-:0.7,4:0.3" * 5,
]
WIDTH = 4.0
"""Standard errors: 60 deciles are looked at, and chance alone must not fail the test."""


@pytest.mark.parametrize("total", ["known", "unknown"])
@pytest.mark.parametrize("clues", CALIBRATED)
def test_chances_come_true(clues: str, total: str) -> None:
    topology, through = Topology.parse(BOARD), channel(clues)
    cells, degrees = len(topology), topology.degrees.tolist()
    rng = np.random.default_rng(7)
    told = f"mines={MINES}" if total == "known" else "mines=~20% total=unknown"
    rules = Rules.parse(f"{told} clues={clues}")
    views, truths = [], []
    for index in range(POSITIONS):
        if total == "known":
            mines = rng.permutation(cells)[:MINES]
        else:
            mines = np.flatnonzero(rng.random(cells) < 0.2)
        layout = Layout.of(topology, mines.tolist())
        codes = np.full(cells, Mark.HIDDEN.value, dtype=np.uint8)
        # Cells chosen before the mines are looked at: an opened mine is evidence of itself alone.
        for cell in rng.permutation(cells)[:OPENED].tolist():
            if layout.is_mine(cell):
                codes[cell] = Mark.MINE.value
                continue
            word = draw_shown(through, int(layout.counts[cell]), degrees[cell], Stream(index, cell))
            codes[cell] = Mark.BLANK.value if word is None else word
        views.append(View.of_codes(topology, rules, codes))
        truths.append(layout.mines)
    chances = np.array([analysis.p.array for analysis in analyze_many(views, threads=1)])
    hidden = np.array([view.codes() == Mark.HIDDEN.value for view in views])
    assert hidden.sum() >= 27 * POSITIONS
    wrong = np.where(hidden, np.array(truths) - chances, 0.0)
    tenths = np.minimum((chances * 10).astype(int), 9)
    for tenth in range(10):
        off = np.where(tenths == tenth, wrong, 0.0).sum(axis=1)
        spread = np.sqrt((off**2).sum())
        assert abs(off.sum()) <= WIDTH * spread + 1e-9, (clues, tenth)
    assert not wrong[(chances == 0.0) | (chances == 1.0)].any()
