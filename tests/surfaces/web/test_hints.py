"""Hints over HTTP: what is not asked for is not in the answer."""

from __future__ import annotations

from typing import Any

import mineproof as mp
from mineproof.view.view import View


def test_a_hint_holds_no_more_than_its_level(client: Any) -> None:
    path, _ = client.new("8x8/10", seed=4, first_click="opening")
    client.post(f"{path}/open", cell=27)
    region, clues, cell, proof = (
        client.get(f"{path}/hint?level={level}").json for level in (1, 2, 3, 4)
    )
    assert client.get(f"{path}/hint").json == region
    assert [one["kind"] for one in (region, clues, cell, proof)] == [
        *("region", "clues", "cell", "proof")
    ]
    assert region["region"]
    assert (region["premises"], region["cell"], region["certain"], region["why"]) == (
        [],
        None,
        None,
        None,
    )
    assert clues["premises"]
    assert (clues["cell"], clues["certain"], clues["why"]) == (None, None, None)
    assert (cell["certain"], cell["why"]) == ("safe", None)
    assert proof["why"]["cell"] == cell["cell"]
    assert proof["why"] == client.get(f"{path}/explain?cell={cell['cell']}").json
    view = View.parse(client.get(path).json["view"]["short"])
    assert mp.analyze(view).p[cell["cell"]] == 0.0


def test_a_guess_is_told_only_when_asked_again(client: Any) -> None:
    path, _ = client.new("2x2/1", seed=1, first_click="safe")
    client.post(f"{path}/open", cell=0)
    first = client.get(f"{path}/hint?level=1").json
    assert (first["kind"], first["cell"], first["more"]) == ("nothing", None, True)
    second = client.get(f"{path}/hint?level=2").json
    assert (second["kind"], second["more"]) == ("guess", False)
    assert second["cell"] is not None


def test_there_is_nothing_to_hint_at_when_it_is_over(client: Any) -> None:
    path, _ = client.new("2x2/3", seed=1)
    client.post(f"{path}/open", cell=0)
    answer = client.get(f"{path}/hint")
    assert (answer.status, answer.code) == (409, "illegal")


def test_bad_levels_are_refused(client: Any) -> None:
    path, _ = client.new("9x9/10", seed=1)
    assert client.get(f"{path}/hint?level=0").json["error"]["message"] == (
        "level 0 of a hint; accepted: 1 or more"
    )
    assert client.get(f"{path}/hint?level=-1").status == 400
    assert client.get(f"{path}/hint?level=x").status == 400
    assert client.get(f"{path}/hint?level=9007199254740991").status == 200
