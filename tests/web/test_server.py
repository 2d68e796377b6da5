"""The coach's server: a real one, and the files of the page."""

from __future__ import annotations

import gzip
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mineproof.cli.main import run
from mineproof.view.channels import channel
from mineproof.web import app as statics
from mineproof.web.app import StaticFiles, make_app, without_comments
from mineproof.web.guard import HEADERS
from mineproof.web.requests import CoachLimits
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
    code = "import sys; sys.modules['uvicorn'] = None\nfrom mineproof.cli import main\n"
    done = subprocess.run(
        [sys.executable, "-c", code + "sys.argv = ['mineproof', 'coach']; main()"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "needs uvicorn, which is not installed; install it: pip install uvicorn\n" in done.stderr


def test_the_coach_loads_nothing_of_the_command_line() -> None:
    program = (
        "import sys, mineproof.web.app, mineproof.web.tasks\n"
        "import mineproof.web.tasks\n"
        # uvicorn itself loads click.
        "print(*(n for n in sys.modules if n == 'rich' or n.startswith('mineproof.cli')))\n"
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


# ----------------------------------------------------------------------------
# The page's files: the packaged ones, with their kinds and tags, and nothing else.


@pytest.fixture
def served(client: Any, tmp_path: Path) -> Any:
    folder = tmp_path / "static"
    (folder / "play").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>")
    (folder / "play" / "board.js").write_text("export const x = 1;\n" * 200)
    (folder / "notes.txt").write_text("secret")
    (folder / "inside.py").write_text("secret")
    (tmp_path / "outside.js").write_text("secret")
    (folder / "link.js").symlink_to(tmp_path / "outside.js")
    app = make_app(client.coach, files=StaticFiles(folder))
    found = type(client)(app, client.coach)
    found.folder = folder
    return found


def test_files_have_their_kinds(served: Any) -> None:
    page = served.get("/?board=expert&seed=7")
    assert (page.status, page.body) == (200, b"<!doctype html>")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    script = served.get("/static/play/board.js")
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"


def test_large_files_are_zipped_where_that_is_understood(served: Any) -> None:
    headers = {"accept-encoding": "gzip, br"}
    zipped = served.raw("GET", "/static/play/board.js", headers=headers)
    assert zipped.headers["content-encoding"] == "gzip"
    assert int(zipped.headers["content-length"]) < 200
    plain = served.raw("GET", "/static/play/board.js")
    assert "content-encoding" not in plain.headers
    assert plain.body == zipped.body == (served.folder / "play" / "board.js").read_bytes()
    assert gzip.compress(plain.body)


def test_an_unchanged_file_is_not_sent_again(served: Any) -> None:
    first = served.get("/static/play/board.js")
    tag = first.headers["etag"]
    again = served.raw("GET", "/static/play/board.js", headers={"if-none-match": tag})
    assert (again.status, again.body) == (304, b"")
    (served.folder / "play" / "board.js").write_text("changed")
    changed = served.raw("GET", "/static/play/board.js", headers={"if-none-match": tag})
    assert (changed.status, changed.body) == (200, b"changed")
    (served.folder / "new.css").write_text("a{}")
    assert served.get("/static/new.css").status == 200
    (served.folder / "new.css").unlink()
    assert served.get("/static/new.css").status == 404


def test_scripts_are_sent_without_their_comments(served: Any) -> None:
    told = (
        "/** What it is,\n * in two lines. */\nconst a = 3 // why\n  // because\n  * 2;\n"
        "\t/** One line. */\n/* b */ a;\n"
    )
    (served.folder / "told.js").write_text(told)
    sent = served.get("/static/told.js").body.decode()
    assert sent == "\n\nconst a = 3 // why\n\n  * 2;\n\n/* b */ a;\n"


def test_what_looks_like_a_comment_of_the_page_is_one() -> None:
    removed = 0
    for path in STATIC.rglob("*.js"):
        written = path.read_bytes()
        sent = without_comments(written).splitlines()
        lines = written.splitlines()
        assert len(sent) == len(lines), path
        quotes = (
            0  # backticks so far: an odd number is within a template, where nothing is a comment
        )
        for line, kept in zip(lines, sent, strict=True):
            if line != kept:
                assert (kept, quotes % 2) == (b"", 0), (path, line)
                assert line.lstrip().startswith((b"//", b"/**", b"*")), (path, line)
                removed += 1
            else:
                quotes += line.count(b"`")
    assert removed > 500


@pytest.mark.parametrize(
    "name",
    [
        "../outside.js",
        "play/../../outside.js",
        "..%2foutside.js",
        "/etc/passwd",
        "link.js",
        "notes.txt",
        "inside.py",
        "play",
        "",
        "play/board.js/",
        "play\\board.js",
        "index.html\x00.js",
    ],
)
def test_nothing_else_is_served(served: Any, name: str) -> None:
    answer = served.raw("GET", f"/static/{name}")
    assert (answer.status, answer.code) == (404, "not-found")
    assert b"secret" not in answer.body


def test_the_page_names_the_modules_that_its_first_ones_import() -> None:
    folder = Path(statics.__file__).parent.resolve() / "static"
    first = _imports(folder / "app.js")  # asked for as soon as it is there
    found: list[Path] = []
    rest = list(first)
    while rest:
        module = rest.pop()
        if module in found:
            continue
        found.append(module)
        rest += _imports(module)
    named = re.findall(
        r'"modulepreload" href="static/([^"]+)"', (folder / "index.html").read_text()
    )
    needed = {module.relative_to(folder).as_posix() for module in found if module not in first}
    assert sorted(named) == sorted(needed)


def _imports(module: Path) -> list[Path]:
    """The modules that one imports at once."""
    names = re.findall(r'^import [^"]*"(\.[^"]+)"', module.read_text(), re.MULTILINE)
    return [(module.parent / name).resolve() for name in names]


# -- the names that the page's modules take from one another ---------------------------------------

STATIC = Path(statics.__file__).parent.resolve() / "static"
SITE = STATIC.parents[3] / "site"
# The modules by their addresses: as the server has them, and as the site without a server does.
PAGE = {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob("*.js")}
SITE_PAGE = {
    **PAGE,
    **{
        f"site/{name}.js": SITE / f"{name}.js"
        for name in ("engine", "page", "pack", "small", "worker")
    },
    **{f"site/core/{path.name}": path for path in (SITE.parent / "js").glob("*.js")},
    "transport.js": SITE / "transport.js",
}
WRITTEN = {"site/parts.js": {"FILES", "FOLDER", "LOCK"}}
"""Modules that are written with the site, and their exports."""

_NAMES = r"\{([^{}]*)\}"
_LOADER = re.compile(r"const (\w+) = \(\) =>[^;]*?import\(([\"`])(\.[^\"`]+)\2\)")
_CALL = re.compile(r"import\(([\"`])(\.[^\"`]+)\1\)")
# What may hold a module, or its exports, once EXPR has loaded it.
_HOLDERS = (
    r"([\w.]+) = [^;\n]*await EXPR(?!\)\.)",
    r"\[\w+, ([\w.]+)\] = await Promise\.all\(\[\w+, EXPR\]\)",
    r"EXPR\.then\(\((\w+)\) =>",
)
_TAKERS = (rf"{_NAMES} = await EXPR", rf"EXPR\.then\(\({_NAMES}\) =>", r"\(await EXPR\)\.(\w+)")


def _names(listed: str) -> set[str]:
    """The names of a list of imports, as the module exports them."""
    return {re.split(r" as |:", name)[0].strip() for name in listed.split(",") if name.strip()}


def _exports(text: str) -> set[str]:
    kinds = r"(?:async )?(?:function\*?|class|const|let)"
    found = set(re.findall(rf"^export {kinds} (\w+)", text, re.MULTILINE))
    for listed in re.findall(rf"^export {_NAMES}", text, re.MULTILINE):
        found |= {name.split(" as ")[-1].strip() for name in listed.split(",")}
    return found


def _members(text: str, holder: str) -> set[str]:
    """What is read from a name that holds a module, or from one that it is given to."""
    found = set(re.findall(rf"(?<![\w./]){re.escape(holder)}\??\.(\w+)", text))
    for other in re.findall(rf"(this\.\w+) = {re.escape(holder)};", text):
        found |= _members(text, other)
    return found - {"then", "catch"}


def _used_at_once(text: str) -> list[tuple[str, set[str]]]:
    """What the static imports of a module take: the address of another one, and names."""
    uses = []
    for listed, address in re.findall(rf'^(?:im|ex)port {_NAMES} from "(\.[^"]+)"', text, re.M):
        uses.append((address, _names(listed)))
    for holder, address in re.findall(r'^import \* as (\w+) from "(\.[^"]+)"', text, re.M):
        uses.append((address, _members(text, holder)))
    return uses


def _used_of(text: str, expression: str) -> set[str]:
    """The names that a module takes from one that an expression loads."""
    found: set[str] = set()
    for pattern in _TAKERS:
        for listed in re.findall(pattern.replace("EXPR", re.escape(expression)), text):
            found |= _names(listed)
    for pattern in _HOLDERS:
        for holder in re.findall(pattern.replace("EXPR", re.escape(expression)), text):
            found |= _members(text, holder)
    return found


def _used_later(text: str, page: dict[str, Path]) -> list[tuple[str, set[str]]]:
    """What the dynamic imports of a module take. One whose names cannot be read fails the test."""
    uses = []
    loaders = {address: name for name, _, address in _LOADER.findall(text)}
    for quote, address in _CALL.findall(text):
        name = loaders.get(address)
        whole = f"import({quote}{address}{quote})"
        if f"  await {whole};" in text or f") await {whole};" in text:
            continue  # for what it does, not for its names
        names = _used_of(text, f"{name}()" if name else whole)
        if name and f"export const {name} " in text:
            others = (path.read_text() for path in page.values())
            names |= {used for other in others for used in _used_of(other, f"{name}()")}
        assert names, f"no name that is taken from {address} was found: how is it used?"
        uses.append((address, names))
    return uses


@pytest.mark.parametrize("page", [PAGE, SITE_PAGE], ids=["coach", "site"])
def test_every_name_that_a_module_takes_from_another_is_exported(page: dict[str, Path]) -> None:
    if page is SITE_PAGE and not SITE.is_dir():
        pytest.skip("the site is made from the repository")
    exports = {**{name: _exports(path.read_text()) for name, path in page.items()}, **WRITTEN}
    views = re.search(r"const TITLES = \{(.*?)\};", (STATIC / "app.js").read_text())
    assert views
    loaded_late = 0
    for name, path in page.items():
        text = path.read_text()
        later = _used_later(text, page)
        loaded_late += len(later)
        for address, names in [*_used_at_once(text), *later]:
            plain = address.split("?")[0].replace("${again}", "")
            for view in re.findall(r"(\w+):", views[1]) if "${name}" in plain else [""]:
                folder = Path("/", name).parent
                target = os.path.normpath(folder / plain.replace("${name}", view))[1:]
                assert target in exports, f"{name} imports {target}, which does not exist"
                missing = names - exports[target]
                assert not missing, f"{name} takes {missing} from {target}, which has none such"
    assert loaded_late >= 10


def test_the_form_for_a_new_game_offers_clue_channels_that_exist() -> None:
    text = (STATIC / "views" / "new-game.js").read_text()
    listed = re.search(r"const CLUES = \[(.*?)^\];", text, re.MULTILINE | re.DOTALL)
    assert listed
    names = re.findall(r'\["([^"]+)",', listed[1])
    assert len(names) == 4
    assert [channel(name).text for name in names] == names
