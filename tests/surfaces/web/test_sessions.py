"""Games are kept by caps and expiry."""

from __future__ import annotations

from typing import Any

import pytest

from mineproof.surfaces.web.faults import Refused
from mineproof.surfaces.web.sessions import Sessions


def test_the_longest_idle_makes_room(small: Any, clock: Any) -> None:
    paths = []
    for _ in range(3):
        clock.now += 1
        paths.append(small.new("3x3/1")[0])
    clock.now += 1
    assert small.get(paths[0]).status == 200
    small.new("3x3/1")
    assert [small.get(path).status for path in paths] == [200, 410, 200]
    assert small.get(paths[1]).code == "gone"


def test_idle_games_expire(small: Any, clock: Any) -> None:
    path, _ = small.new("3x3/1")
    clock.now += 59
    assert small.get(path).status == 200
    clock.now += 61
    assert small.get(path).code == "gone"


def test_large_boards_count_for_more(small: Any) -> None:
    first, second = small.new("10x10/9")[0], small.new("9x9/9")[0]
    assert small.get(first).status == 200
    small.new("9x9/9")
    assert [small.get(path).status for path in (first, second)] == [200, 410]


def test_names_cannot_be_guessed() -> None:
    sessions: Sessions[int] = Sessions("game", 1000, 1000, 1.0, lambda: 0.0)
    names = {sessions.add(1, 1) for _ in range(1000)}
    assert len(names) == 1000
    assert min(map(len, names)) >= 20
    assert len(sessions) == 1000
    with pytest.raises(Refused, match="there is no game"):
        sessions.get("x")
