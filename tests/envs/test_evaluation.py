"""The evaluation protocol: the games it plays, what it counts, and its intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mineproof as mp
from mineproof.envs import evaluate
from tests.core import needs_core


def first_legal(seen: Any) -> Any:
    return seen["action_mask"].argmax(axis=1)


class FirstHidden:
    def act(self, view: mp.View) -> int:
        return view.hidden[0]


def test_a_policy_and_an_agent_of_the_same_moves_are_judged_alike() -> None:
    policy = evaluate(first_legal, "4x4/3", range(5, 35), samples=0)
    agent = evaluate(FirstHidden, "4x4/3", range(5, 35), samples=0)
    assert policy == agent
    assert (
        policy.won.value
        == sum(mp.play("4x4/3", FirstHidden, seed=seed).outcome.won for seed in range(5, 35)) / 30
    )


def test_what_it_counts_is_what_the_positions_say() -> None:
    game = mp.play("4x4/3", FirstHidden, seed=3)
    taken = chances = 0
    for step, view in zip(game.steps, game.views(), strict=False):
        if not view.opened_count:
            continue
        safe = mp.analyze(view).safe
        chances += bool(safe)
        taken += step.decision.cell in safe
    found = evaluate(FirstHidden, "4x4/3", [3], samples=0)
    assert chances
    assert found.certain is not None
    assert found.certain.value == taken / chances


def test_an_exact_player_takes_every_certain_cell_and_gives_little_away() -> None:
    found = evaluate("exact", "4x4/3", 30, samples=0)
    careless = evaluate(FirstHidden, "4x4/3", 30, samples=0)
    assert found.certain is not None
    assert careless.certain is not None
    assert found.certain.value == 1.0 > careless.certain.value
    assert found.regret is not None
    assert careless.regret is not None
    assert found.regret.high < careless.regret.low
    for one in (found.won, found.regret, found.certain):
        assert one.low <= one.value <= one.high
    assert "30 games on square:4x4/3: " in str(found)
    assert found.to_json()["won"]["value"] == found.won.value


def test_illegal_moves_and_errors_lose_and_are_counted() -> None:
    def stuck(seen: Any) -> Any:
        return np.zeros(len(seen["board"]), dtype=int)

    class Broken:
        def act(self, view: mp.View) -> int:
            raise ValueError("no idea")

    found = evaluate(stuck, "4x4/3", 12, regret=False)
    assert found.illegal == 12 - round(found.won.value * 12)
    assert found.regret is None
    assert evaluate(Broken, "4x4/3", 3).failed == 3


class Model:
    """Like a model of Stable-Baselines3 with masks."""

    def predict(self, observation: Any, *, action_masks: Any, deterministic: bool) -> Any:
        assert deterministic
        assert observation.shape[1:] == (11, 4, 4)
        return action_masks.argmax(axis=1), None


def test_a_model_gets_the_mask_and_the_observation_asked_for() -> None:
    found = evaluate(Model(), "4x4/3", 20, observe="planes", regret=False)
    assert found == evaluate(first_legal, "4x4/3", 20, regret=False)


def test_more_games_than_a_batch_holds_are_the_same_games() -> None:
    together = evaluate(first_legal, "3x3/2", 300, regret=False)
    assert together.games == 300
    parts = [evaluate(first_legal, "3x3/2", range(k, k + 100), regret=False) for k in (0, 100, 200)]
    assert together.won.value == pytest.approx(sum(part.won.value for part in parts) / 3)


@needs_core
def test_regret_before_the_end_is_estimated() -> None:
    found = evaluate("random", "9x9/10", 2, samples=5)
    assert found.regret is not None
    assert found.regret.value > 0


@pytest.mark.parametrize(
    ("policy", "seeds", "said"),
    [
        (5, 3, "policy '5' cannot play; accepted: a function of observations"),
        (first_legal, [], "no seeds are given"),
        (first_legal, [-1], "seed -1 is out of range"),
        (lambda seen: [0.5], 1, "the policy gave actions float64"),
        (lambda seen: np.array([99]), 1, "action 99; accepted: 0 to 15"),
    ],
)
def test_what_cannot_be_evaluated_is_refused(policy: Any, seeds: Any, said: str) -> None:
    with pytest.raises(mp.InputError, match=said):
        evaluate(policy, "4x4/3", seeds)
