"""Reading files: text only, a limit, one line on what is wrong."""

from __future__ import annotations

import io

import pytest

from mineproof.errors import NotationError
from mineproof.files import parse_file, read_text


def test_text_is_read_with_plain_line_ends(tmp_path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n")
    assert read_text(path) == "one\ntwo\nthree\n"


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1x1x0\nH\n")))
    assert read_text("-") == "1x1x0\nH\n"


def test_what_cannot_be_read_is_refused(tmp_path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"one\ntwo \xff")
    with pytest.raises(NotationError, match="line 2: not UTF-8 text; accepted: a text file"):
        read_text(path)
    with pytest.raises(NotationError, match="is longer than 4 bytes"):
        read_text(path, limit=4)
    for name in (tmp_path / "none", tmp_path, "\0", "x" * 10_000):
        with pytest.raises(NotationError, match="accepted: a readable file or -") as caught:
            read_text(name)
        assert len(str(caught.value).splitlines()) == 1


def test_what_a_file_says_wrong_is_said_of_the_file(tmp_path) -> None:
    path, other = tmp_path / "text", tmp_path / "other"
    path.write_text("7\n")
    assert parse_file(path, int) == 7

    def wrong(text: str) -> int:
        raise NotationError("no number", 1)

    def elsewhere(text: str) -> int:
        raise NotationError("no number", 1, str(other))

    with pytest.raises(NotationError, match=f"^{path}: line 1: no number$"):
        parse_file(path, wrong)
    with pytest.raises(NotationError, match=f"^{other}: line 1: no number$"):
        parse_file(path, elsewhere)
    with pytest.raises(NotationError, match="is longer than 1 bytes"):
        parse_file(path, int, limit=1)
