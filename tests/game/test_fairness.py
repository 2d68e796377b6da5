"""Fair and cruel guesses against enumeration: which are best, what they meet, how likely."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from math import sqrt

import pytest

import mineproof as mp
from mineproof.board.layout import Layout
from mineproof.board.topology import Topology
from mineproof.engine.enumerate import enumerate_layouts
from mineproof.errors import RulesError
from mineproof.game.fairness import best_guesses
from mineproof.game.referee import Referee
from mineproof.rng import Stream
from mineproof.view.view import View

BOARD = "3x4/4"


def layouts_of(view: View) -> list[frozenset[int]]:
    return [mines | frozenset(view.opened_mines) for mines, _ in enumerate_layouts(view)]


def best_by_enumeration(view: View) -> tuple[frozenset[int], frozenset[int]]:
    """The cells that win most and those of least risk, counted layout by layout."""
    near = [frozenset(view.topology.neighbours(cell)) for cell in view.topology.cells]
    cells = frozenset(view.topology.cells)

    @cache
    def wins(layouts: frozenset[frozenset[int]], opened: frozenset[int]) -> int:
        if any(cells - opened == mines for mines in layouts):
            assert len(layouts) == 1, "all have as many mines"
            return 1
        return max(value(layouts, opened, cell) for cell in cells - opened)

    def value(layouts: frozenset[frozenset[int]], opened: frozenset[int], cell: int) -> int:
        groups: dict[int, set[frozenset[int]]] = {}
        for mines in layouts:
            if cell not in mines:
                groups.setdefault(len(mines & near[cell]), set()).add(mines)
        return sum(wins(frozenset(group), opened | {cell}) for group in groups.values())

    found, opened = frozenset(layouts_of(view)), frozenset(view.opened)
    values = {cell: value(found, opened, cell) for cell in view.hidden}
    risks = {cell: sum(cell in mines for mines in found) for cell in view.hidden}
    most, least = max(values.values()), min(risks.values())
    return (
        frozenset(cell for cell, won in values.items() if won == most),
        frozenset(cell for cell, risk in risks.items() if risk == least),
    )


def positions(count: int) -> list[View]:
    """Positions after a few openings that hit no mine, in which nothing is certainly safe."""
    found: list[View] = []
    seed = 0
    while len(found) < count:
        seed += 1
        game = Referee(BOARD, seed, first_click="any", cascade="off")
        for cell in (seed % 12, (seed * 5 + 3) % 12, (seed * 7 + 1) % 12)[: 1 + seed % 3]:
            if not game.over and game.view.is_hidden(cell):
                game.open(cell)
        if not game.over and not mp.analyze(game.view).safe:
            found.append(game.view)
    return found


def test_the_best_guesses_are_those_that_win_most() -> None:
    """Where best play is known; before that, the least risk is always among them."""
    for view in positions(25):
        most, least = best_by_enumeration(view)
        found = best_guesses(mp.analyze(view))
        assert found == most or (len(layouts_of(view)) > 500 and found >= least)


def test_nothing_is_a_best_guess_where_something_is_safe() -> None:
    view = View.parse("square 3x3 mines=2\n1..\n12.\n01.")
    assert mp.analyze(view).safe
    assert best_guesses(mp.analyze(view)) == frozenset()


@pytest.mark.parametrize("rule", ["fair", "cruel"])
def test_what_a_guess_meets(rule: str) -> None:
    """Fair: a best guess is safe, another as dealt. Cruel: a best one as dealt, another a mine."""
    met: Counter[tuple[bool, bool]] = Counter()
    for seed in range(150):
        ruled = Referee(BOARD, seed, first_click="any", guesses=rule)
        dealt = Referee(BOARD, seed, first_click="any")
        for cell in ((seed * 5) % 12, (seed * 7 + 2) % 12, (seed * 11 + 4) % 12):
            if ruled.over or dealt.over or not ruled.view.is_hidden(cell):
                break
            analysis = mp.analyze(ruled.view)
            best, risk = cell in best_guesses(analysis), analysis.p[cell]
            ruled.open(cell)
            dealt.open(cell)
            dies = bool(ruled.view.opened_mines)
            if 0.0 < risk < 1.0:
                met[best, dies] += 1
                if best is (rule == "cruel"):
                    assert dies == bool(dealt.view.opened_mines)
            else:
                assert dies == (risk == 1.0)
            if ruled.view.codes().tolist() != dealt.view.codes().tolist():
                break  # from here on they are different games
    if rule == "fair":
        assert not met[True, True]
        assert met[True, False] > 20
        assert met[False, True] > 5
        assert met[False, False] > 5
    else:
        assert not met[False, False]
        assert met[False, True] > 20
        assert met[True, True] > 5
        assert met[True, False] > 5


def test_chances_stay_true_after_a_forgiven_guess() -> None:
    """Of all layouts that explain the view, each is in place equally often: by 4,000 games."""
    places: dict[str, Counter[frozenset[int]]] = {}
    for seed in range(4_000):
        game = Referee("2x3/2", seed, first_click="any", cascade="off", guesses="fair")
        game.open(min(best_guesses(mp.analyze(game.view))))
        assert not game.over
        layout = game._layout
        assert layout is not None
        places.setdefault(game.view.text, Counter())[frozenset(layout.cells)] += 1
    assert len(places) > 2
    for text, counts in places.items():
        possible = layouts_of(View.parse(text))
        assert set(counts) <= set(possible)
        played, share = sum(counts.values()), 1 / len(possible)
        for layout in possible:
            error = sqrt(played * share * (1 - share))
            assert abs(counts[layout] - played * share) <= 4.5 * error


def test_the_mines_that_end_a_game_explain_all_that_was_shown() -> None:
    for seed, rule in ((seed, rule) for seed in range(15) for rule in ("fair", "cruel")):
        game = Referee("5x5/7", seed, first_click="any", guesses=rule)
        cells = list(game.view.topology.cells)
        Stream(seed).shuffle(cells)
        again = Referee("5x5/7", seed, first_click="any", guesses=rule)
        for cell in cells:
            if not game.over and game.view.is_hidden(cell):
                game.open(cell)
                again.open(cell)
        assert game.layout is not None
        assert game.layout == again.layout
        assert game.layout.total == 7
        counts = game.layout.counts
        assert all(game.view.clue(c) in (None, counts[c]) for c in game.view.opened)
        assert set(game.view.opened_mines) <= set(game.layout.cells)


def test_players_who_guess_best_win_every_fair_game_and_no_more_cruel_ones() -> None:
    def won(rule: str) -> int:
        games = [
            mp.play("5x5/6", "exact", seed=seed, first_click="safe", guesses=rule)
            for seed in range(60)
        ]
        return sum(game.outcome.won for game in games)

    as_dealt = won("dealt")
    assert won("cruel") <= as_dealt < won("fair")


def test_uncertain_clues_and_an_unknown_total_are_settled_too() -> None:
    for words in ({"clues": "cautious"}, {"total": "unknown"}, {"on_mine": "continue"}):
        for seed in range(12):
            game = Referee("4x4/4", seed, first_click="any", guesses="fair", **words)
            for _ in range(5):
                if game.over:
                    break
                least = mp.analyze(game.view).least_risk
                if least is None:  # nothing but mines is left
                    break
                before = len(game.view.opened_mines)
                game.open(least.cell)
                assert len(game.view.opened_mines) == before or least.p == 1.0


def test_rules_with_it_are_written_and_read() -> None:
    rules = mp.Rules.parse("guesses=fair")
    assert rules.text.endswith("guesses=fair")
    assert mp.Rules.parse(rules.text) == rules
    assert "guesses" not in mp.Rules().text
    with pytest.raises(RulesError, match="accepted: dealt, fair, cruel"):
        mp.Rules.parse("guesses=kind")
    # A position is counted as dealt: what becomes of a guess changes no chance.
    assert "guesses" not in Referee("4x4/4", guesses="fair").view.text


def test_mines_that_are_set_stay() -> None:
    layout = Layout.of(Topology.parse("2x2"), [0])
    with pytest.raises(RulesError, match="accepted: guesses=dealt"):
        Referee(layout, guesses="fair")
    assert list(combinations(layout.cells, 1)) == [(0,)]
