"""The arena over real HTTP, against a server of our own that answers as an endpoint does."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.cli.main import run
from mineproof.errors import InputError
from mineproof.rng import Stream
from mineproof.tasks import Conversation, Task
from mineproof.tasks.arena import (
    ArenaFolder,
    ArenaRun,
    arena_page,
    bouts_of,
    play_bout,
    result_lines,
    run_arena,
)
from mineproof.tasks.baselines import PLAYERS, next_opening
from mineproof.tasks.endpoint import Endpoint, checked_url, key_of
from mineproof.tasks.kinds import GameQuestion
from tests.core import needs_core
from tests.interrupts import PATIENCE

pytestmark = needs_core  # the twins need minutes for the games that are played here

KEY = "sk-very-secret-0123456789"
TASKS = [Task(seed, kind, 1, "test") for kind in ("claim", "chance", "prove") for seed in (0, 1)]
GAMES = [Task(0, "game", 1, "test")]
BODIES: dict[str, bytes] = {
    "no json": b"<html>",
    "a list": b"[]",
    "no choices": b"{}",
    "empty": b'{"choices": []}',
    "a number": b'{"choices": [{"message": {"content": 5}}]}',
    "no message": b'{"choices": [{"message": null}]}',
    "bad call": b'{"choices": [{"message": {"tool_calls": [{}]}}]}',
    "bad bytes": b"\xff\xfe\x00",
    "deep": b"[" * 100_000,
}


class OwnEndpoint(ThreadingHTTPServer):
    """Plays as `mode` says, and keeps what it was asked."""

    daemon_threads = True

    def __init__(self, mode: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.mode, self.body = mode, b""
        self.asked: list[dict[str, Any]] = []
        self.headers_seen: list[dict[str, str]] = []
        self.released = threading.Event()
        self.by_prompt = {task.prompt(): task for task in (*TASKS, *GAMES)}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: OwnEndpoint

    def log_message(self, *_: object) -> None: ...

    def do_POST(self) -> None:
        own = self.server
        length = int(self.headers["Content-Length"])
        asked = json.loads(self.rfile.read(length))
        own.asked.append({"path": self.path, **asked})
        own.headers_seen.append(dict(self.headers))
        if own.mode == "late":
            own.released.wait(PATIENCE)
            return
        if own.mode == "hang up":
            self.close_connection = True
            return
        if own.mode.isdigit() or (own.mode == "busy once" and len(own.asked) == 1):
            self._send(
                f"error: {KEY} is wrong".encode(), int(own.mode if own.mode.isdigit() else 503)
            )
            return
        if own.mode == "redirect":
            self.send_response(302)
            self.send_header("Location", own.url + "/elsewhere")
            self.end_headers()
            return
        self._send(own.body if own.mode == "malformed" else self._answer(asked))

    def _send(self, body: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _answer(self, asked: dict[str, Any]) -> bytes:
        messages = asked["messages"]
        task = self.server.by_prompt[messages[0]["content"]]
        text = reply_to(task, self.server.mode, messages)
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if self.server.mode == "echo the key":
            message["content"] = f"{self.headers['Authorization']} {text}"
        if "tools" in asked:
            call = {"id": "call-7", "function": {"name": "open_cells", "arguments": text}}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        usage = {"prompt_tokens": 11, "completion_tokens": 3}
        return json.dumps({"choices": [{"message": message}], "usage": usage}).encode()


def reply_to(task: Task, mode: str, messages: list[dict[str, Any]]) -> str:
    """A whole answer of one of our players; in a game, one move of it."""
    player = "random" if mode == "badly" else "exact"
    if not isinstance(task.question, GameQuestion):
        return PLAYERS[player](task.question, Stream(task.seed))
    game = Conversation(task.question, samples=0)
    for message in messages:
        if message["role"] == "assistant":
            calls = message.get("tool_calls")
            game.send(calls[0]["function"]["arguments"] if calls else message["content"])
    cell = next_opening(player, game.view, Stream(game.moves))
    return json.dumps({"open": [game.view.topology.cell_name(cell)]})


@contextmanager
def serving(mode: str) -> Iterator[OwnEndpoint]:
    server = OwnEndpoint(mode)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        server.shutdown()
        thread.join()
        server.server_close()


def endpoint(server: OwnEndpoint, seconds: float = PATIENCE) -> Endpoint:
    return Endpoint(server.url, "ours", key=KEY, seconds=seconds, pause=lambda _: None)


def plan(*, games: bool = True) -> list[Any]:
    kinds = ("claim", "chance", "prove", *(("game",) if games else ()))
    return bouts_of(kinds, (1,), ("rows",), 2, 1)


def played(
    server: OwnEndpoint, folder: Path, games: bool = True, seconds: float = PATIENCE
) -> tuple[ArenaRun, list[dict[str, Any]]]:
    spec = {"model": "ours", "base_url": server.url}
    with ArenaFolder(folder, spec) as kept:
        done = run_arena(kept, plan(games=games), endpoint(server, seconds), jobs=2, samples=0)
        return done, kept.results()


def test_a_good_player_scores_all_and_a_bad_one_little(tmp_path: Path) -> None:
    with serving("well") as server:
        done, results = played(server, tmp_path / "good")
    assert done == ArenaRun(7, 0, 0, 0)
    assert [one["score"] for one in results] == pytest.approx([1.0] * 7)
    (game,) = (one for one in results if one["kind"] == "game")
    assert len(game["replies"]) == game["metrics"]["moves"] > 1  # a conversation
    assert game["asked_tokens"] == 11 * len(game["replies"])
    transcript = mp.Transcript.read(tmp_path / "good" / "transcripts" / "game-1-test-0.rows.txt")
    assert transcript.outcome.won
    assert mp.review(transcript).lost == 0.0
    text = (tmp_path / "good" / "results" / "claim-1-test-0.rows.json").read_text()
    assert json.loads(text)["replies"] == [TASKS[0].solution]
    with serving("badly") as server:
        _, worse = played(server, tmp_path / "bad")
    assert sum(one["score"] for one in worse) < 4
    lines = list(result_lines(results))
    assert lines[0].startswith("claim")
    assert len(lines) == 4


def test_requests_say_nothing_of_seed_mines_or_answer() -> None:
    with serving("well") as server:
        for bout in plan():
            play_bout(bout, endpoint(server), samples=0)
    for asked in server.asked:
        assert asked.pop("path") == "/v1/chat/completions"
        assert set(asked) == {"model", "messages"}
        for message in asked["messages"]:
            assert set(message) == {"role", "content"}
            for word in ("seed", "test", "train", "layout", "level"):
                assert word not in message["content"]
        firsts = {task.prompt() for task in (*TASKS, *GAMES)}
        assert asked["messages"][0]["content"] in firsts


def test_moves_as_calls_of_a_tool() -> None:
    (bout,) = (one for one in plan() if one.task.kind == "game")
    with serving("well") as server:
        result, transcript = play_bout(bout, endpoint(server), tools=True, samples=0)
    assert result["score"] == pytest.approx(1.0)
    assert transcript is not None
    last = server.asked[-1]["messages"]
    assert [one["role"] for one in last[:3]] == ["user", "assistant", "tool"]
    assert last[2]["tool_call_id"] == "call-7"


@pytest.mark.parametrize("body", BODIES)
def test_a_malformed_answer_is_no_reply(body: str, tmp_path: Path) -> None:
    with serving("malformed") as server:
        server.body = BODIES[body]
        done, results = played(server, tmp_path, games=body == "no json")
    assert done.unanswered == 0
    assert {(one["score"], one["verdict"]) for one in results} == {(0.0, "silent")}
    assert all(one["faults"] and set(one["faults"]) == {"malformed"} for one in results)


def test_a_late_answer_is_no_reply(tmp_path: Path) -> None:
    with serving("late") as server:
        done, results = played(server, tmp_path, games=False, seconds=0.2)
    assert done.played == 6
    assert {(one["verdict"], *one["faults"]) for one in results} == {("silent", "late")}


@pytest.mark.parametrize("mode", ["503", "hang up", "429"])
def test_an_endpoint_that_is_not_there_is_asked_again_by_the_next_run(
    mode: str, tmp_path: Path
) -> None:
    with serving(mode) as server:
        done, results = played(server, tmp_path, games=False)
        assert (done.played, done.unanswered, results) == (0, 6, [])
        assert KEY not in done.reason
        server.mode = "well"
        done, _ = played(server, tmp_path, games=False)
        assert (done.played, done.found) == (6, 0)
        count = len(server.asked)
        done, results = played(server, tmp_path, games=False)
        assert (done.played, done.found, len(server.asked)) == (0, 6, count)
    assert len(results) == 6


def test_a_busy_moment_is_waited_for() -> None:
    with serving("busy once") as server:
        assert endpoint(server).ask(TASKS[0].messages()).text == TASKS[0].solution
        assert len(server.asked) == 2


@pytest.mark.parametrize("mode", ["401", "404", "redirect"])
def test_a_refusal_ends_the_run_without_the_key(mode: str, tmp_path: Path) -> None:
    with serving(mode) as server, pytest.raises(InputError, match="refuses") as caught:
        played(server, tmp_path)
    assert KEY not in str(caught.value)
    assert not any(asked["path"].endswith("elsewhere") for asked in server.asked)


def test_the_key_is_sent_and_never_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OUR_KEY", KEY)
    folder = tmp_path / "arena"
    with serving("echo the key") as server:
        words = ["arena", "--model", "ours", "--base-url", server.url, "--out", str(folder)]
        words += ["--kinds", "claim,chance,prove,game", "--levels", "1", "--count", "2"]
        assert run([*words, "--games", "1", "--key-env", "OUR_KEY"]) == 0
        assert {seen["Authorization"] for seen in server.headers_seen} == {f"Bearer {KEY}"}
        told = capsys.readouterr().out
        assert "claim        2 tasks     2 answers   score 1.00" in told
        assert run([*words, "--games", "1", "--key-env", "OUR_KEY"]) == 0
        assert "7 tasks were there already" in capsys.readouterr().out
        assert run([*words, "--games", "1", "--key-env", "OUR_KEY", "--json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert (answer["played"], answer["found"]) == (0, 7)
        assert answer["scores"]["claim"]["mean"] == 1.0
        assert run([*words, "--temperature", "1"]) == 2  # another arena
        assert "temperature" in capsys.readouterr().err
    files = [file for file in folder.rglob("*") if file.is_file()]
    assert len([file for file in files if file.suffix == ".json"]) == 8
    assert [file for file in files if KEY.encode() in file.read_bytes()] == []
    page = (folder / "index.html").read_text()
    for words_of_page in ("skill apart from luck", "Calibration", "Soundness", "by rendering"):
        assert words_of_page in page


def test_the_page_counts_what_the_results_say(tmp_path: Path) -> None:
    with serving("badly") as server:
        _, results = played(server, tmp_path)
    page = arena_page({"model": "ours"}, results)
    tables = {block.name: block for section in page.sections for block in section.blocks}
    by_kind = {row[0]: row for row in tables["scores"].rows}
    for kind, row in by_kind.items():
        own = [one["score"] for one in results if one["kind"] == kind]
        assert (row[1], row[2].value) == (len(own), pytest.approx(sum(own) / len(own)))
    verdicts = {row[0]: row for row in tables["verdicts"].rows}
    for kind, (_, *counts, late, malformed) in verdicts.items():
        assert (sum(counts), late, malformed) == (by_kind[kind][1], 0, 0)
    assert sum(row[1] for row in tables["calibration"].rows) == 2


@pytest.mark.parametrize(
    "url",
    ["", "here", "ftp://x/v1", "http://", "http://me:pw@x/v1", "http://x/v1?key=1", "http://x:y"],
)
def test_addresses_that_are_refused(url: str) -> None:
    with pytest.raises(InputError):
        checked_url(url)


def test_a_folder_is_one_model_s_and_one_run_s(tmp_path: Path) -> None:
    spec = {"model": "x"}
    with ArenaFolder(tmp_path / "a", spec), pytest.raises(InputError, match="another run"):
        ArenaFolder(tmp_path / "a", spec)
    with pytest.raises(InputError, match="another arena: its model"):
        ArenaFolder(tmp_path / "a", {"model": "y"})
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "letter.txt").write_text("mine")
    with pytest.raises(InputError, match="holds no arena"):
        ArenaFolder(tmp_path / "b", {"model": "x"})


def test_a_key_with_a_line_break_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUR_KEY", "a\nb")
    with pytest.raises(InputError, match="holds no key"):
        key_of("OUR_KEY")
    monkeypatch.delenv("OUR_KEY")
    assert key_of("OUR_KEY") is None
