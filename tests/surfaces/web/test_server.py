"""`mineproof coach` as a real process on a real port."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from mineproof.surfaces.cli.main import run
from mineproof.surfaces.web.guard import HEADERS
from mineproof.surfaces.web.limits import CoachLimits
from tests.interrupts import PATIENCE


def started(*arguments: str) -> tuple[subprocess.Popen[str], int]:
    """A coach on a free port, once it answers there."""
    process = subprocess.Popen(
        [sys.executable, "-m", "mineproof", "coach", "--port", "0", "--no-open", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line.startswith("the coach is at http://127.0.0.1:"), line
    port = int(line.partition("127.0.0.1:")[2].partition("/")[0])
    assert ask(port, "GET", "/api/boards")[0] == 200
    return process, port


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    process, port = started()
    yield port
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (130, "mineproof: interrupted\n")


def ask(port: int, method: str, path: str, body: object = None) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        data = None if body is None else json.dumps(body)
        connection.request(method, path, data, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def test_a_game_over_the_network(port: int) -> None:
    status, game = ask(port, "POST", "/api/games", {"board": "beginner", "seed": 1})
    assert status == 200
    path = f"/api/games/{game['game']}"
    assert ask(port, "POST", f"{path}/open", {"cell": 0})[1]["state"] == "running"
    assert ask(port, "GET", f"{path}/analysis")[1]["best"]
    hidden = next(c for c, p in enumerate(ask(port, "GET", f"{path}/analysis")[1]["p"]) if p)
    assert ask(port, "GET", f"{path}/explain?cell={hidden}")[1]["text"]


def test_a_foreign_host_is_refused(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as plain:
        plain.sendall(
            b"GET /api/boards HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
        )
        answer = b""
        while part := plain.recv(65536):
            answer += part
    assert answer.startswith(b"HTTP/1.1 403")


def test_an_endless_body_is_cut_off(port: int) -> None:
    """Sent in chunks without a length or an end; a byte past the limit is refused.

    No more is sent: a server that closes on what it has not read may reset the connection.
    """
    head = (
        f"POST /api/positions HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n"
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    most = CoachLimits().body
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as plain:
        plain.sendall(head.encode() + b"%x\r\n" % most + b"x" * most + b"\r\n1\r\nx\r\n")
        answer = plain.recv(65536)
    assert answer.startswith(b"HTTP/1.1 413")


def test_a_port_in_use_is_one_line(port: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["coach", "--port", str(port), "--no-open"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert f"--port {port} of 127.0.0.1 cannot be used" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "70000"], "accepted: 0 to 65535"),
        (["--port", "x"], "--port"),
        (["--host", "no such host", "--port", "0"], "--host"),
    ],
)
def test_bad_options_are_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["coach", "--no-open", *arguments]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert said in err


def test_the_network_is_let_in_with_a_warning() -> None:
    process, _ = started("--host", "0.0.0.0")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert "warning: 0.0.0.0 lets everyone in your network play" in err.splitlines()[0]


def test_without_its_server_one_line_says_how_to_get_it() -> None:
    code = "import sys; sys.modules['uvicorn'] = None\nfrom mineproof.surfaces.cli import main\n"
    done = subprocess.run(
        [sys.executable, "-c", code + "sys.argv = ['mineproof', 'coach']; main()"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert (
        "needs uvicorn, which is not installed; accepted: after pip install uvicorn\n"
        in done.stderr
    )


def test_the_coach_loads_nothing_of_the_command_line() -> None:
    program = (
        "import sys, mineproof.surfaces.web.app, mineproof.surfaces.web.tasks\n"
        "import mineproof.surfaces.web.watched\n"
        "print(*{name.partition('.')[0] for name in sys.modules} & {'typer', 'rich'})\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


def raw(port: int, data: bytes) -> bytes:
    """All that is answered to these bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        parts = []
        while part := connection.recv(4096):
            parts.append(part)
    return b"".join(parts)


BEGUN = (
    b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b'Content-Length: 100\r\n\r\n{"bo'
)


def test_who_leaves_in_the_middle_of_a_body_leaves_no_trace(port: int) -> None:
    """The fixture checks at its end that nothing was printed."""
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
            connection.sendall(BEGUN)
    assert ask(port, "GET", "/api/boards")[0] == 200


def test_what_is_no_http_is_answered_under_the_same_headers() -> None:
    process, port = started()
    said = raw(port, b"nonsense\r\n\r\n").lower()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert said.startswith(b"http/1.1 400 ")
    for name, value in HEADERS.items():
        assert f"{name}: {value}".lower().encode() in said
