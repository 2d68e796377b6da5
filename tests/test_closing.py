"""A `with` closes what it holds, however it ends."""

from __future__ import annotations

import pytest

from mineproof.closing import Closing


class Held(Closing):
    closed = 0

    def close(self) -> None:
        self.closed += 1


def test_a_with_closes_at_its_end() -> None:
    with Held() as held:
        assert held.closed == 0
    assert held.closed == 1


def test_a_with_closes_at_an_error_and_lets_it_pass() -> None:
    held = Held()
    with pytest.raises(KeyError), held:
        raise KeyError
    assert held.closed == 1
