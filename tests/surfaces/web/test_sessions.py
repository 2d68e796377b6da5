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


def test_what_was_let_go_is_called_what_it_is(small: Any, clock: Any) -> None:
    first, _ = small.new("3x3/1")
    for _ in range(3):
        clock.now += 1
        small.new("3x3/1")
    assert small.get(first).json["error"]["message"] == (
        "the game made room for newer ones; begin another"
    )
    last, _ = small.new("3x3/1")
    clock.now += 61
    assert "was idle for too long" in small.get(last).json["error"]["message"]


def test_one_address_drives_out_only_its_own() -> None:
    sessions: Sessions[int] = Sessions("game", 10, 1000, 99.0, lambda: 0.0, most_each=2)
    others = sessions.add(0, 1, "10.0.0.1")
    mine = [sessions.add(number, 1, "10.0.0.2") for number in range(5)]
    assert sessions.get(others) == 0
    assert [sessions.get(name) for name in mine[3:]] == [3, 4]
    with pytest.raises(Refused, match="was one of more than 2 from one address"):
        sessions.get(mine[0])
    assert len(sessions) == 3


def test_names_cannot_be_guessed() -> None:
    sessions: Sessions[int] = Sessions("game", 1000, 1000, 1.0, lambda: 0.0)
    names = {sessions.add(1, 1) for _ in range(1000)}
    assert len(names) == 1000
    assert min(map(len, names)) >= 20
    assert len(sessions) == 1000
    with pytest.raises(Refused, match="there is no game"):
        sessions.get("x")
