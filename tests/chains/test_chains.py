"""Chains of influence equal their definition, worked out naively; the search for long ones."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.agents.agent import Action, Decision, as_decision
from mineproof.board import Topology
from mineproof.board.lattices import LATTICES
from mineproof.board.presets import Board
from mineproof.chains import Chains, Origin, graph, measure, of
from mineproof.chains.chains import open_events
from mineproof.chains.search import climb, climbs, longest_chain, play_layout
from mineproof.cli.main import run
from mineproof.engine.exact import analyze
from mineproof.errors import InputError
from mineproof.game.transcript import Transcript
from mineproof.proofs.checker import check_proof
from mineproof.proofs.enumeration import possible_counts
from mineproof.proofs.premises import Evidence
from mineproof.view import View

BOARDS = {
    "square": "square:5x6/5",
    "square4": "square4:5x6/6",
    "torus": "torus:5x6/4",
    "hex": "hex:6x6/6",
    "hexagon": "hexagon:4/6",
    "triangle": "triangle:4x8/4",
    "cube": "cube:3x3x4/3",
    "graph": "graph:0-1,1-2,2-3,3-4,4-5,5-6,6-7,7-0,0-4,1-5,2-6,3-7,8-0,8-1,8-2,9-3,9-4,9-8/2",
}
LARGEST_TRIED = 4


def distance(topology: Topology, start: int, end: int) -> int | None:
    """Steps between two cells, by walking."""
    layer, seen, steps = {start}, {start}, 0
    while layer:
        if end in layer:
            return steps
        layer = {near for cell in layer for near in topology.neighbours(cell)} - seen
        seen |= layer
        steps += 1
    return None


def fewest(view: View, cell: int, depths: dict[int, int]) -> tuple[int, ...] | None:
    """(premises, uses the total, sum of depths, sum of distances) of the best proof; by trying."""
    evidence = Evidence(view)
    numbers = range(len(evidence.premises))
    for size in range(1, LARGEST_TRIED + 1):
        found = []
        for chosen in combinations(numbers, size):
            premises = [evidence.premises[number] for number in chosen]
            if not possible_counts([(p.cells, p.allowed) for p in premises], {cell: True}):
                clues = [p.clue for p in premises if p.clue is not None]
                far = [distance(view.topology, cell, clue) or 0 for clue in clues]
                deep = sum(depths[clue] for clue in clues)
                found.append((size, size - len(clues), deep, sum(far)))
        if found:
            return min(found)
    return None


def games(board: str, agent: str, number: int, **rules: str) -> list[Transcript]:
    return [mp.play(board, agent, seed=11, index=index, **rules) for index in range(number)]


def check_definition(chains: Chains) -> None:
    depths: dict[int, int] = {}
    for opening in open_events(chains.transcript):
        one = chains.opened[opening.cell]
        if one.origin is Origin.PROVED:
            best = fewest(opening.before, one.cell, depths)
            if best is None:
                assert one.size > LARGEST_TRIED
            else:
                far = [distance(chains.topology, one.cell, clue) or 0 for clue in one.clues]
                deep = sum(depths[clue] for clue in one.clues)
                assert (one.size, int(one.uses_total), deep, sum(far)) == best
                assert one.smallest
            proof = chains.proof(one.cell)
            assert check_proof(proof, opening.before).accepted
            assert (proof.clues, proof.uses_total) == (one.clues, one.uses_total)
        elif not opening.guessed and opening.step:
            assert analyze(opening.before).p[one.cell] > 0
        depths[one.cell] = one.depth
        depths |= dict.fromkeys(opening.cascade, one.depth)
        assert all(chains.opened[cell].opener == one.cell for cell in opening.cascade)


def check_paths(chains: Chains) -> None:
    """Depths, the longest chain and all reaches, from the edges alone and without memory."""
    opened = chains.opened

    @cache
    def longest(cell: int) -> int:
        one = opened[cell]
        if one.opener is not None:
            return longest(one.opener)
        return 1 + max(map(longest, one.clues)) if one.clues else 0

    assert {cell: longest(cell) for cell in opened} == {c: one.depth for c, one in opened.items()}
    assert chains.length == max(map(longest, opened), default=0)
    cells = chains.longest
    links = 0
    for before, cell in pairwise(cells):
        one = opened[cell]
        assert before == one.opener or before in one.clues
        links += one.opener is None
    assert links == chains.length
    for cell in opened:
        found, waiting = set(), [cell]
        while waiting:
            here = waiting.pop()
            for other in opened.values():
                if here in other.clues and other.cell not in found:
                    found.add(other.cell)
                    waiting.append(other.cell)
                elif other.opener == here and other.cell not in found:
                    waiting.append(other.cell)
        assert chains.influenced(cell) == tuple(sorted(found))
        steps = [distance(chains.topology, cell, other) for other in found]
        far = max((step for step in steps if step is not None), default=0)
        reach = chains.reach_of(cell)
        assert (reach.distance, reach.cells) == (far, len(found))
        needed = tuple(one.cell for one in opened.values() if cell in one.clues)
        assert chains.needed_by[cell] == needed
    if opened:
        assert chains.reach is not None
        best = max((chains.reach_of(c).distance, chains.reach_of(c).cells) for c in opened)
        assert (chains.reach.distance, chains.reach.cells) == best


def check_made_certain(chains: Chains) -> None:
    certain: set[int] = set()
    last = -1
    for opening in open_events(chains.transcript):
        made = chains.made_certain[opening.cell]
        if opening.step == last:
            assert made.safe == made.mines == ()
            continue
        last = opening.step
        analysis = analyze(opening.after)
        assert set(made.safe) == set(analysis.safe) - certain
        assert set(made.mines) == set(analysis.mines) - certain
        certain |= {*analysis.safe, *analysis.mines}


def test_every_topology_has_a_board_here():
    assert set(BOARDS) == set(LATTICES)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_chains_are_their_definition(board):
    lengths = []
    for game in games(board, "exact", 5, first_click="opening" if "graph" not in board else "safe"):
        chains = of(game)
        check_definition(chains)
        check_paths(chains)
        check_made_certain(chains)
        lengths.append(chains.length)
    assert max(lengths) > 0


@pytest.mark.parametrize(
    "agent", ["random", "single-point", "partition", "sat", "single-point>sat"]
)
def test_every_kind_of_agent_leaves_chains(agent):
    for game in games("square:6x6/6", agent, 4):
        chains = of(game)
        check_definition(chains)
        check_paths(chains)
        if agent == "random":
            assert not chains.length
            assert not chains.proved


@pytest.mark.parametrize(
    "rules",
    [
        {"cascade": "off", "given": "corner+centre"},
        {"on_mine": "continue", "total": "unknown"},
        {"clues": "withheld:0.2"},
        {"clues": "optimistic"},
        {"given": "random:6", "first_click": "any"},
        {"goal": "mark-all"},
    ],
    ids=str,
)
def test_chains_under_other_rules(rules):
    for game in games("square:5x5/4", "exact", 4, **rules):
        chains = of(game)
        check_definition(chains)
        check_paths(chains)
        check_made_certain(chains)
        assert sum(one.origin is Origin.GIVEN for one in chains.roots) <= 6


class Chorder:
    """Opens what is certain and chords on clues whose mines are flagged; gives no reasons."""

    def begin(self, view, rng):
        self.waiting = []

    def act(self, view):
        analysis = analyze(view)
        near = view.topology.neighbours
        for cell in analysis.mines:
            if not view.is_flagged(cell):
                return Decision(Action.FLAG, cell)
        for cell, clue in view.clues:
            flags = sum(view.is_flagged(other) for other in near(cell))
            if flags == clue and any(
                view.is_hidden(c) and not view.is_flagged(c) for c in near(cell)
            ):
                return Decision(Action.CHORD, cell)
        cell, _, _ = analysis._least_risk()
        return as_decision(cell, view.topology)


def test_a_chord_opens_cells_that_are_each_proved():
    chorded = 0
    for index in range(4):
        game = mp.play("square:8x8/9", Chorder(), seed=3, index=index)
        chains = of(game)
        check_definition(chains)
        check_paths(chains)
        check_made_certain(chains)
        steps = [one.step for one in chains.proved]
        chorded += len(steps) - len(set(steps))
    assert chorded > 0


def test_a_game_read_back_from_its_text_has_the_same_chains():
    game = mp.play("beginner", "exact", seed=3)
    assert of(Transcript.parse(game.text)).opened == of(game).opened == of(game).opened


def test_the_graph_has_clues_facts_and_proofs():
    chains = of(mp.play("beginner", "exact", seed=3))
    found = graph(chains)
    kinds = [node.kind for node in found.nodes]
    assert kinds.count("clue") == len(chains.opened)
    assert kinds.count("proof") == len(chains.proved)
    assert kinds.count("fact") > 0
    into = {edge.end for edge in found.edges}
    for place, node in enumerate(found.nodes):
        if node.kind == "fact":
            assert place in into
    # Without facts the edges are those of the cells.
    for one in chains.proved:
        proof = found.nodes.index(
            next(n for n in found.nodes if n.kind == "proof" and n.cells == (one.cell,))
        )
        below, waiting = set(), [proof]
        while waiting:
            here = waiting.pop()
            for edge in found.edges:
                if edge.end == here:
                    start = found.nodes[edge.start]
                    if start.kind == "clue":
                        below.add(start.cells[0])
                    else:
                        waiting.append(edge.start)
        assert below == set(one.clues)


def test_measure_gives_a_row_a_game():
    rows = list(measure("beginner", "exact", games=3, seed=4))
    assert [row.index for row in rows] == [0, 1, 2]
    again = of(mp.play("beginner", "exact", seed=4, index=1))
    assert (rows[1].length, rows[1].proofs) == (again.length, len(again.proved))
    assert list(measure("beginner", "exact", games=1, seed=4, first=2)) == rows[2:]


def test_the_core_and_its_twin_find_the_same(monkeypatch):
    games_played = [mp.play("intermediate", "exact", seed=2, index=index) for index in range(6)]
    native = [of(game).opened for game in games_played]
    assert max(one.size for opened in native for one in opened.values()) > 3
    monkeypatch.setattr("mineproof.proofs.support.kernel.available", lambda: False)
    for game, found in zip(games_played, native, strict=True):
        for cell, one in of(game).opened.items():
            if one.smallest and found[cell].smallest:
                assert found[cell] == one


def test_a_count_of_all_mines_needs_each_of_its_clues():
    """Expert games at their end: dozens of premises, every one of them needed."""
    counted = 0
    for index in (7, 14):
        chains = of(mp.play("expert", "exact", seed=5, index=index))
        for one in chains.proved:
            if one.uses_total and not one.smallest:
                counted += 1
                assert check_proof(chains.proof(one.cell), chains.view_of(one.cell)).accepted
    assert counted


# ----------------------------------------------------------------------------
# The search for long chains: never worse, the same again, and the boards that were shipped.


ROOT = Path(__file__).parents[2]
SMALL = "6x6/6"


@pytest.mark.parametrize("board", [SMALL, "hex:5x5/4", "torus:5x5/3"])
def test_a_climb_never_gets_worse(board: str) -> None:
    parsed = Board.parse(board)
    found = climb(parsed, 0, seed=3, restart=1, moves=25)
    assert len(found.lengths) == 26
    assert all(later >= earlier for earlier, later in pairwise(found.lengths))
    assert found.lengths[-1] == found.length == found.chains.length
    assert found.layout.total == parsed.mines.fixed(len(parsed.topology))
    assert not found.layout.is_mine(0)
    assert found.length > 0


def test_the_same_seed_finds_the_same_board() -> None:
    first, again, other = (longest_chain(SMALL, seed=s, restarts=2, moves=12) for s in (1, 1, 2))
    assert (first.layout, first.lengths) == (again.layout, again.lengths)
    assert first.layout != other.layout
    one_by_one = list(climbs(Board.parse(SMALL), seed=1, restarts=2, moves=12))
    second = climb(Board.parse(SMALL), 0, seed=1, restart=1, moves=12)
    assert one_by_one[1].layout == second.layout
    assert first.score == max(found.score for found in one_by_one)


def test_no_link_rests_on_a_guess() -> None:
    found = longest_chain(SMALL, given=14, seed=1, restarts=1, moves=10)
    assert [root.cell for root in found.chains.roots] == [14]
    assert play_layout(found.layout, 14).text == found.chains.transcript.text


def test_without_mines_to_move_there_is_no_chain() -> None:
    assert longest_chain("4x4/0", restarts=1, moves=3).lengths == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("board", "options", "message"),
    [
        ("4x4/~20%", {}, "no fixed number of mines"),
        ("4x4/3", {"restarts": 0}, "0 restarts"),
        ("4x4/3", {"moves": -1}, "-1 moves"),
        ("4x4/3", {"seed": -1}, "seed -1"),
        ("4x4/15", {}, "mines do not fit"),
    ],
)
def test_what_cannot_be_climbed(board: str, options: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        longest_chain(board, **options)


# ------------------------------------------------------------------------------- the command


def test_the_command_tells_draws_and_writes_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, picture = tmp_path / "game.txt", tmp_path / "chain.svg"
    words = ["long-chain", "--board", SMALL, "--restarts", "1", "--moves", "8", "--seed", "1"]
    files = ["--transcript", str(game), "--svg", str(picture)]
    assert run([*words, *files]) == 0
    said = capsys.readouterr().out
    best = longest_chain(SMALL, seed=1, restarts=1, moves=8)
    assert f"-> {best.length} links" in said
    assert str(best.layout) in said
    assert mp.chains.of(Transcript.parse(game.read_text())).length == best.length
    assert picture.read_text().startswith("<svg")
    assert run([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["chain"]["length"] == best.length
    assert len(told["mines"]) == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--board", "9x9/99"], "99 mines"),
        (["--given", "9,9"], "not on the board"),
        (["--moves", "-1"], "-1 moves"),
        (["--svg", "no-such-folder/chain.svg"], "--svg"),
    ],
)
def test_what_the_command_refuses(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["long-chain", *arguments]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


# ------------------------------------------------------------------------------- the examples

EXAMPLES = sorted((ROOT / "examples").glob("long_chain_*.txt"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_shipped_board_has_the_chain_that_the_docs_say(path: Path) -> None:
    game = Transcript.parse(path.read_text())
    chains = mp.chains.of(game)
    page = (ROOT / "docs" / "chains.md").read_text()
    stated = re.search(rf"examples/{path.name}\)[^|]*\| *(\d+) links", page)
    assert stated is not None
    assert chains.length == int(stated[1])
    assert len(chains.roots) == 1
    assert game.outcome.won


def test_there_are_shipped_boards() -> None:
    assert EXAMPLES
