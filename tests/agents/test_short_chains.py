"""The policy that keeps chains short: its depths are the chains', its guesses about the safest."""

from __future__ import annotations

import pytest

import mineproof as mp
from mineproof.agents.decision import Action, Guessed
from mineproof.agents.short_chains import Depths, ShortChains, ShortChainsAtTies
from mineproof.inference.engine.exact import analyze


@pytest.mark.parametrize("board", ["8x8/12", "hex:6x6/7", "triangle:4x8/5"])
def test_depths_are_those_of_the_chains(board: str) -> None:
    for index in range(4):
        game = mp.play(board, "exact", seed=5, index=index, given="0,0")
        chains = mp.chains.of(game)
        views = game.views()
        depths = Depths(next(views))
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
        depths: Depths | None = None
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
                    depths = Depths(before)
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
