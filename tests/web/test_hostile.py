"""Whatever is sent, the answer is an error of one line, never a fault of the server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof.web.api import ENDPOINTS

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
QUICK = [e for e in ENDPOINTS if e.queue not in ("agents", "proofs")]


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b'{"board":' + b"9" * 10_000 + b"}",
        b'{"seed": NaN, "board": "expert"}',
        b'{"seed": Infinity, "board": "expert"}',
        b'{"seed": 1e999, "board": "expert"}',
        b'{"seed": 1.0, "board": "expert"}',
        b'{"seed": true, "board": "expert"}',
        b'{"seed": 9007199254740992, "board": "expert"}',
        b'{"board": ["expert"]}',
        b'{"board": null}',
        b'{"board": "expert\\u0000"}',
        b'{"board": "\\ud800"}',
        b"\xff\xfe{}",
        b'"expert"',
        b"null",
        b"{} {}",
        b"{'board': 1}",
        b"",
        b"   ",
        b'{"board": "expert", "__class__": "x"}',
        b'{"board": "expert", "first_click": "never"}',
    ],
    ids=lambda body: repr(body[:24]),
)
def test_hostile_bodies(client: Any, body: bytes) -> None:
    answer = client.raw("POST", "/api/games", body)
    assert (answer.status, answer.code) == (400, "malformed")


@pytest.mark.parametrize(
    "query",
    [
        *("", "cell=", "cell=-1", "cell=1.5", "cell=x", "cell=1&cell=2", "cell=1&x=2"),
        *("cell=" + "9" * 99, "cell=%F0%9F", "cell=\u0661", "cell[]=1"),
    ],
)
def test_hostile_queries(client: Any, query: str) -> None:
    path, _ = client.new("beginner")
    assert client.get(f"{path}/explain?{query}").code == "malformed"
    assert client.get(f"{path}/analysis?win=2").code == "malformed"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "square 4000000x1 mines=1",
        "square 1x4000000 mines=1\n" + "." * 40_000,
        "square 200x200 mines=1\n" + "\n".join(["." * 200] * 200),
        "graph /etc/passwd mines=1\n.",
        "square 2x2 mines=1 clues=table:/etc/passwd\n..\n..",
        "30x16x99",
        "P1 9 9 10 " + "-1 " * 82,
        "# MINESWEEPER-BOARD v0.1\nrows: 9\ncolumns: 9\ntopology: graph:/etc/passwd\n[view]\n",
        "square 2x2 mines=1\n9.\n..",
        "\x00" * 100,
    ],
    ids=lambda text: repr(text[:24]),
)
def test_hostile_positions(client: Any, text: str) -> None:
    for end in ("", "/analysis"):
        assert client.post(f"/api/positions{end}", text=text).code == "malformed"
    assert client.post("/api/positions/export", text=text, to="short").code == "malformed"


def test_a_long_text_is_refused(client: Any) -> None:
    assert client.post("/api/positions", text="x" * 100_000).code == "malformed"


@settings(max_examples=80)
@given(data=st.data())
def test_any_json_gets_a_schema_or_an_error(client: Any, data: st.DataObject) -> None:
    """Fields with the right names hold anything, or nearly the right thing."""
    endpoint = data.draw(st.sampled_from([e for e in QUICK if e.method == "POST"]))
    names = st.sampled_from([field.name for field in endpoint.fields] + ["more"])
    likely = st.sampled_from(["9x9/10", "square 2x2 mines=1\n1.\n..", 0, True, "short", 3])
    body = data.draw(st.dictionaries(names, likely | JSON, max_size=4) | JSON)
    path = endpoint.path.replace("{game}", client.new("3x3/2")[0].rpartition("/")[2])
    answer = client.raw("POST", path, json.dumps(body).encode())
    assert answer.status in (200, 400, 409, 422), answer.body
    if answer.status != 200:
        assert answer.code not in ("failed", "busy")


@settings(max_examples=60)
@given(body=st.binary(max_size=200))
def test_any_bytes_get_an_error(client: Any, body: bytes) -> None:
    assert client.raw("POST", "/api/positions", body).status == 400


@settings(max_examples=50)
@given(
    header=st.sampled_from(["square 3x3 mines=2", "hex 3x3 mines=2", "3x3x2", "torus 3x3 mines=9"]),
    rows=st.lists(st.text(".F0123?*#HU", min_size=3, max_size=3), min_size=3, max_size=3),
)
def test_any_small_position_is_judged(client: Any, header: str, rows: list[str]) -> None:
    text = "\n".join([header, *rows])
    answer = client.post("/api/positions", text=text)
    if answer.status != 200:
        assert answer.code == "malformed"
        return
    found = answer.json
    analysis = client.post("/api/positions/analysis", text=text)
    if found["status"] == "consistent":
        assert analysis.status == 200
    else:
        assert (analysis.code, found["status"]) == ("contradiction", "contradictory")
        assert found["why"]["steps"]
