"""Explanations: every certain cell has a proof, the smallest, and a difficulty."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import HealthCheck, given, settings

import mineproof as mp
from mineproof.board import Board, deal
from mineproof.board.lattices import LATTICES
from mineproof.errors import InconsistentPosition, InputError
from mineproof.game.referee import Referee
from mineproof.proofs.checker import check_proof
from mineproof.proofs.difficulty import BoardDifficulty, rate_board, rate_position
from mineproof.proofs.enumeration import possible_counts
from mineproof.proofs.explanation import Explainer, explain, explain_all, explain_clash
from mineproof.proofs.premises import Premise
from mineproof.proofs.proof import Claim, Conclusion, NoProof, Proof
from mineproof.proofs.smallest import StepMeter, cheapest_hitting_set
from mineproof.proofs.techniques import Ladder, Technique
from mineproof.rules import Rules
from mineproof.testing.strategies import views
from mineproof.view import Mark, View
from tests.proofs.positions import BOARDS, CHANNELS, endgame, needing_the_total, random_view, walled

# ----------------------------------------------------------------------------
# Every certain cell of random positions has a proof that the checker accepts, and the smallest.

EXAMPLE = "square 3x3 mines=2\n1..\n12.\n01."
MOST_BRUTE = 4


def check_everything(view: View) -> int:
    """Explain all of a position; every claim is accepted, every proof as small as brute force."""
    explainer = Explainer(view)
    found = explainer.explain_all()
    sums = [(premise.cells, premise.allowed) for premise in explainer.evidence.premises]
    for proof in found.proofs:
        assert proof.cell is not None
        assert proof.smallest
        checked = check_proof(proof, view)
        assert checked, (view.text, str(proof), checked.reason)
        other = {proof.cell: proof.claim is Claim.SAFE}
        for size in range(min(proof.size, MOST_BRUTE)):
            for fewer in combinations(sums, size):
                assert possible_counts(fewer, other), (view.text, str(proof), fewer)
    analysis = mp.analyze(view)
    assert {proof.cell for proof in found.proofs} == {*analysis.safe, *analysis.mines}
    if found.uncertain is not None:
        checked = check_proof(found.uncertain, view)
        assert checked, (view.text, checked.reason)
        assert found.uncertain.whole == (not found.proofs)
        one = explainer.explain(found.uncertain.cells[-1])
        assert isinstance(one, NoProof)
        assert len(one.solutions) == 2
        assert check_proof(one, view)
    return len(found.proofs)


@pytest.mark.parametrize("name", LATTICES)
def test_every_topology(name: str) -> None:
    proved = sum(check_everything(random_view(BOARDS[name], "exact", seed)) for seed in range(10))
    assert proved > 10


@pytest.mark.parametrize("clues", CHANNELS)
def test_every_channel(clues: str) -> None:
    boards = [BOARDS["square"], BOARDS["hex"], BOARDS["cube"]]
    assert sum(check_everything(random_view(b, clues, seed)) for b in boards for seed in range(4))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(views())
def test_any_position_of_a_game(view: View) -> None:
    try:
        mp.analyze(view)
    except InconsistentPosition:
        return
    check_everything(view)


def test_the_issue_example() -> None:
    proof = explain(View.parse(EXAMPLE), (0, 2))
    assert str(proof) == (
        "The 1 at 0,0 touches only 0,1, so 0,1 is a mine. The 1 at 2,1 puts one mine in 1,2 or 2,2."
        " The 2 at 1,1 has both its mines there, so 0,2 is safe."
    )
    assert isinstance(proof, Proof)
    assert (proof.clues, proof.uses_total, proof.smallest) == ((0, 4, 7), False, True)
    assert proof.technique.name == "3 clues"
    assert [step.clues for step in proof.steps] == [(0,), (7,), (4,)]
    assert [step.rests_on for step in proof.steps] == [(), (), (1, 2)]
    assert [step.conclusions for step in proof.steps] == [
        (Conclusion((1,), (1,)),),
        (Conclusion((5, 8), (1,)),),
        (Conclusion((2,), (0,)),),
    ]
    assert proof.facts[-1] == (Conclusion((2,), (0,)), proof.clues)


def test_the_public_name_is_the_function() -> None:
    import mineproof.proofs

    assert mp.explain is explain is mineproof.proofs.explain


@pytest.mark.parametrize(
    ("text", "cell", "technique", "said"),
    [
        ("square 2x3 mines=1\n0..\n...", (1, 1), "single clue", "has no mine around it"),
        ("square 1x3 mines=unknown\n.2.", (0, 2), "single clue", "touches only 0,0 and 0,2"),
        ("square 2x3 mines=unknown\n11.\n...", (0, 2), "1-1 pattern", "has its mine there"),
        ("graph 0-2,0-3,1-2,1-3,1-4 mines=unknown\n12...", (4,), "1-2 pattern", "finds one"),
        ("square 1x3 mines=0\n...", (0, 1), "mine count", "no mine at all"),
        ("square 1x3 mines=3\n...", (0, 1), "mine count", "All 3 hidden cells"),
        ("square 1x5 mines=1\n.1...", (0, 4), "mine count", "every other cell is safe"),
        ("square 1x5 mines=3\n.1...", (0, 4), "mine count", "No more cells can be safe"),
        ("square 1x3 mines=unknown density=0\n...", (0, 1), "mine count", "No cell has a mine"),
        ("square 1x1 mines=unknown density=uniform\n.", (0, 0), "mine count", "at least one"),
        ("square 1x3 mines=1 on-mine=continue\n*1.", (0, 2), "single clue", "open beside it"),
        ("square 1x5 mines=1 on-mine=continue\n*1...", (0, 4), "mine count", "All mines are open"),
        ("square 1x3 mines=unknown clues=optimistic\n.2.", (0, 0), "single clue", "leaves two"),
        ("hex 2x2 mines=unknown\n1.\n0.", (0, 1), "two clues", "is a mine"),
        ("graph 0-1,0-2,1-2,2-3 mines=unknown\n1.1.", (3,), "two clues", "so 3 is safe"),
    ],
)
def test_techniques(text: str, cell: tuple[int, ...], technique: str, said: str) -> None:
    view = View.parse(text)
    proof = explain(view, cell)
    assert isinstance(proof, Proof), str(proof)
    assert check_proof(proof, view)
    assert (proof.technique.name, said in str(proof)) == (technique, True), str(proof)


def test_a_case_split_reads_as_a_tree() -> None:
    found = []
    for seed in range(60):
        view = random_view("torus:5x5", "exact", seed)
        for proof in explain_all(view).proofs:
            if proof.technique.rung is Ladder.CASE_SPLIT:
                assert check_proof(proof, view)
                found.append(proof)
    assert found
    trees = [proof for proof in found if proof.text.startswith("Suppose")]
    assert trees
    for proof in trees:
        assert proof.cell is not None
        lines = proof.text.split("\n")
        end = "safe" if proof.claim is Claim.SAFE else "a mine"
        assert lines[-1] == f"So {proof.topology.cell_name(proof.cell)} is {end}."


def test_the_budget_is_honest() -> None:
    """Without any steps a proof is minimal, says so, and is accepted all the same."""
    seen = 0
    for seed in range(30):
        view = random_view("square:5x5", "exact", seed)
        for proof in explain_all(view, steps=0).proofs:
            assert check_proof(proof, view)
            if not proof.smallest:
                seen += 1
                assert "not ruled out" in str(proof)
    assert seen


@pytest.mark.parametrize(
    ("text", "premises", "uses_total"),
    [
        ("square 2x4 mines=3\n1..1\n2..1\n", 2, False),
        ("square 1x3 mines=1\n.0.\n", 2, True),
        ("square 1x7 mines=1\n1.....1\n", 3, True),
        ("square 1x2 mines=unknown\n10\n", 1, False),
        ("square 1x2 mines=2\n0.\n", 1, True),
        ("square 2x2 mines=unknown clues=withheld:0\n?.\n..\n", 1, False),
    ],
)
def test_clashes(text: str, premises: int, uses_total: bool) -> None:
    view = View.parse(text)
    with pytest.raises(InconsistentPosition):
        explain(view, view.hidden[0]) if view.hidden_count else explain_all(view)
    clash = explain_clash(view)
    assert clash is not None
    assert (clash.claim, clash.cell) == (Claim.CLASH, None)
    assert (clash.size, clash.uses_total) == (premises, uses_total)
    assert check_proof(clash, view)
    assert "clash" in str(clash) or "cannot be met" in str(clash)


def test_no_clash_where_a_layout_exists() -> None:
    assert explain_clash(View.parse(EXAMPLE)) is None


def test_cells_that_cannot_be_explained() -> None:
    view = View.parse(EXAMPLE)
    with pytest.raises(InputError, match="0,0 is open already; accepted: a hidden cell"):
        explain(view, (0, 0))
    for place in ((3, 0), 99, (1,)):
        with pytest.raises(InputError, match="not on the board"):
            explain(view, place)


def test_flags_are_no_evidence() -> None:
    view = View.parse(EXAMPLE)
    flagged = view.toggle_flag(2)
    one, two = explain(view, 2), explain(flagged, 2)
    assert str(one) == str(two)
    assert check_proof(two, view)


def test_opened_mines_are_facts() -> None:
    view = View.parse("square 1x4 mines=2 on-mine=continue\n*2..")
    proof = explain(view, 2)
    assert isinstance(proof, Proof)
    assert view[0] is Mark.MINE
    assert (proof.clues, proof.uses_total) == ((1,), False)
    assert "besides an opened mine" in proof.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("square 1x2 mines=2\n0.", "Two mines must fit into one hidden cell: that clashes."),
        (
            "square 1x3 mines=1 on-mine=continue\n**.",
            "Two mines are open, of one in all: that clashes.",
        ),
        (
            "square 1x3 mines=1 on-mine=continue\n*2.",
            "There are no mines besides those that are open."
            " But the 2 at 0,1 needs at least one mine: that clashes.",
        ),
        (
            "square 1x5 mines=4\n.1...",
            "There are four mines in all. But the cells of the 1 at 0,1 and the two other hidden"
            " cells have room for at most three mines: that clashes.",
        ),
        (
            "square 1x3 mines=unknown density=1\n1..",
            "Every cell has a mine: that clashes with what is open.",
        ),
    ],
)
def test_words_of_clashes_with_the_total(text: str, said: str) -> None:
    assert str(explain_clash(View.parse(text))) == said


def test_a_count_names_a_cell_that_no_premise_touches() -> None:
    """The clues alone do not need the mine that is supposed elsewhere."""
    seen = 0
    for seed in range(40):
        view = random_view("square:4x5", "exact", seed)
        for proof in explain_all(view).proofs:
            touched = {near for clue in proof.clues for near in view.topology.neighbours(clue)}
            if "would need at least" in proof.text and proof.claim is Claim.SAFE:
                assert ("it and these" in proof.text) == (proof.cell not in touched)
                seen += proof.cell not in touched
    assert seen


# ----------------------------------------------------------------------------
# Proofs by the total, when few cells are left: dozens of premises, and still the smallest.

SMALL = {"square:5x5": (4, 5), "hex:5x5": (4, 4), "torus:4x6": (4, 8), "triangle:4x7": (5, 6)}
"""Boards whose premise sets can all be tried: mines, and safe cells that are left."""


def by_total(view: View, most: int | None = None) -> list[Proof]:
    """The proofs of the cells that need the total, at most so many, each accepted."""
    explainer = Explainer(view)
    found = []
    for cell in needing_the_total(view)[:most]:
        proof = explainer.explain(cell)
        assert isinstance(proof, Proof)
        assert proof.uses_total, view.text
        checked = check_proof(proof, view)
        assert checked, (view.text, str(proof), checked.reason)
        found.append(proof)
    return found


def fewest(premises: list[Premise], hidden: tuple[int, ...], cell: int, mine: bool) -> int:
    """The size of the smallest set of premises that forces a cell, by trying all sets."""
    counterexamples = set()
    for bits in product((0, 1), repeat=len(hidden)):
        layout = dict(zip(hidden, bits, strict=True))
        if layout[cell] != mine:
            counterexamples.add(
                frozenset(
                    number
                    for number, premise in enumerate(premises)
                    if not premise.allowed >> sum(layout[one] for one in premise.cells) & 1
                )
            )
    least = [one for one in counterexamples if not any(other < one for other in counterexamples)]
    masks = [sum(1 << number for number in one) for one in least]
    for size in range(len(premises) + 1):
        for some in combinations(range(len(premises)), size):
            chosen = sum(1 << number for number in some)
            if all(chosen & mask for mask in masks):
                return size
    raise AssertionError("nothing forces the cell")


@pytest.mark.parametrize("board", SMALL)
def test_no_set_of_premises_is_smaller(board: str) -> None:
    mines, left = SMALL[board]
    seen = 0
    for seed in range(60):
        view = endgame(board, mines, left, seed)
        premises = Explainer(view).evidence.premises
        for proof in by_total(view, 2):
            assert proof.cell is not None
            assert proof.smallest
            least = fewest(premises, tuple(view.hidden), proof.cell, proof.claim is Claim.MINE)
            assert proof.size == least, (view.text, str(proof))
            seen += least > 2
    assert seen > 8


@pytest.mark.parametrize("board", ["16x30/99", "16x16/40", "hex:16x16/50", "torus:12x12/25"])
def test_dozens_of_premises(board: str) -> None:
    """Few of them used to be shown smallest: the search for a hitting set ran out of steps."""
    name, _, mines = board.partition("/")
    sizes = []
    for seed in range(8):
        for proof in by_total(walled(name, int(mines), seed), 1):
            assert proof.smallest, (board, seed)
            sizes.append(proof.size)
    assert len([size for size in sizes if size > 10]) > 3


def test_hitting_sets_that_hang_together() -> None:
    """Sets along a strip, as counterexamples are, beside all choices of elements."""
    for seed in range(40):
        sets = [0b1011 << place if (place * 7 + seed) % 3 else 0b101 << place for place in range(9)]
        costs = [100 + (element * (seed + 3)) % 11 for element in range(12)]
        costs = [(cost << 12) + (1 << element) for element, cost in enumerate(costs)]

        def cost(mask: int, costs: list[int] = costs) -> int:
            return sum(costs[element] for element in range(12) if mask >> element & 1)

        best = min((mask for mask in range(1 << 12) if all(mask & one for one in sets)), key=cost)
        assert cheapest_hitting_set(sets, costs, StepMeter(10**6)) == best
        assert cheapest_hitting_set(sets, costs, StepMeter(10**6), cost(best)) is None
        assert cheapest_hitting_set(sets, costs, StepMeter(10**6), cost(best) + 1) == best


# ----------------------------------------------------------------------------
# Ratings of positions and of whole boards.


def rating(name: str, seed: int) -> BoardDifficulty:
    board = Board.parse(name)
    layout = deal(board.topology, board.mines, seed, 0, (board.topology.centre,))
    referee = Referee(layout, rules=Rules.parse(f"mines={layout.total}"))
    referee.open(board.topology.centre)

    def open_cell(cell: int) -> View:
        assert not layout.is_mine(cell), "only safe cells are proved safe"
        referee.open(cell)
        return referee.view

    def some_safe(view: View) -> int | None:
        return next((cell for cell in view.hidden if not layout.is_mine(cell)), None)

    rated = rate_board(referee.view, open_cell, some_safe)
    assert all(layout.is_mine(cell) for cell in referee.view.hidden)
    return rated


def test_positions() -> None:
    rated = rate_position(View.parse("square 3x3 mines=2\n1..\n12.\n01."))
    assert rated.next_step == Technique.parse("3 clues")
    assert rated.hardest == Technique.parse("3 clues")
    assert rated.sizes == {1: 1, 3: 1}
    assert rated.text == "next step 3 clues; hardest 3 clues; 2 certain cells"
    guess = rate_position(View.parse("square 1x3 mines=1\n.1."))
    assert (guess.next_step, guess.hardest) == (None, None)
    assert guess.text == "nothing is certain: a guess"


@pytest.mark.parametrize("name", ["beginner", "hex:7x7/10", "triangle:6x9/9", "cube:4x4x4/6"])
def test_boards(name: str) -> None:
    rated = [rating(name, seed) for seed in range(3)]
    assert any(one.sizes for one in rated)
    for one in rated:
        assert one.hard_steps <= sum(one.sizes.values())
        if one.hardest is not None and one.hardest.rung is Ladder.SINGLE_CLUE:
            assert not one.hard_steps
        assert f"{one.guesses} guesses" in one.text


def test_a_guess_may_end_it() -> None:
    view = View.parse("square 1x3 mines=1\n.1.")
    rated = rate_board(view, lambda cell: view, lambda view: None)
    assert (rated.hardest, rated.hard_steps, rated.guesses) == (None, 0, 0)


def test_names_of_techniques() -> None:
    assert Technique.parse("12 clues").rung is Ladder.SEVERAL_CLUES
    with pytest.raises(InputError, match="technique 'magic' is unknown"):
        Technique.parse("magic")
