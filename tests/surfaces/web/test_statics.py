"""The page's files: the packaged ones, with their kinds and tags, and nothing else."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest

from mineproof.surfaces.web import statics
from mineproof.surfaces.web.app import make_app
from mineproof.surfaces.web.statics import StaticFiles


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
