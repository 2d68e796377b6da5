"""What the engine believes is what is dealt, whatever the rules; `calibration` does it for all."""

from __future__ import annotations

import pytest

from mineproof import kernel
from mineproof.view.view import View
from tests.game.calibration import (
    BOARDS,
    CHANNELS,
    FIRST_CLICKS,
    GIVEN,
    MINES,
    TOTALS,
    Combination,
    calibrate,
    suspects,
)

GAMES = 120 if kernel.available() else 40
COMBINATIONS = [
    Combination(
        list(BOARDS)[number % len(BOARDS)],
        bool(number // 3 % 2),
        first,
        mines,
        total,
        GIVEN[number % len(GIVEN)],
        CHANNELS[(number + number // len(CHANNELS)) % len(CHANNELS)],
    )
    for number, (first, mines, total) in enumerate(
        (first, mines, total) for first in FIRST_CLICKS for mines in MINES for total in TOTALS
    )
]
"""Every value of every rule, and all of the first click, the mines and the total together."""


@pytest.mark.parametrize("combination", COMBINATIONS, ids=str)
def test_what_is_believed_is_what_is_dealt(combination: Combination) -> None:
    found = calibrate(combination, GAMES, seed=1)
    assert found.tallies
    assert not suspects(combination, found, GAMES, seed=1), (found.wrong, found.worst)


def test_a_belief_that_forgets_the_first_click_is_found_out() -> None:
    def forgets(view: View) -> View:
        return View.parse(view.text.replace(f" free={';'.join(view.free.names)}", ""))

    combination = Combination("square", False, "opening", "4", "known", "none", "cautious")
    assert not suspects(combination, calibrate(combination, GAMES, 1), GAMES, 1)
    assert calibrate(combination, 120, 1, see=forgets).worst > 4


def test_a_wrong_density_is_found_out() -> None:
    def denser(view: View) -> View:
        return view.with_rules("mines=~30% total=unknown clues=noisy:0.2")

    combination = Combination("hex", True, "safe", "~20%", "unknown", "none", "noisy:0.2")
    assert calibrate(combination, 120, 1, see=denser).worst > 4
