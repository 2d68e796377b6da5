"""Reading files: text only, a limit, one line on what is wrong."""

from __future__ import annotations

import io
import os
import stat

import pytest

from mineproof.errors import NotationError
from mineproof.files import check_writable, parse_file, read_text, write_text


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


def test_a_file_is_written_whole_or_not_at_all(tmp_path) -> None:
    path = tmp_path / "text"
    write_text(path, "one\n")
    path.chmod(0o640)
    write_text(path, "zwölf\n")
    assert path.read_bytes() == "zwölf\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "half \ud800 a text")
    assert path.read_text(encoding="utf-8") == "zwölf\n"
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_no_plain_file_is_written_to_as_it_is(tmp_path) -> None:
    path, link, pipe = tmp_path / "text", tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(path)
    write_text(link, "one\n")
    assert link.is_symlink()
    assert path.read_text() == "one\n"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_text(pipe, "two\n")
    assert os.read(reader, 10) == b"two\n"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    for nowhere in (tmp_path, tmp_path / "none" / "text", path / "text", "x" * 10_000):
        with pytest.raises(OSError):
            write_text(nowhere, "three\n")
    for write in (lambda name: write_text(name, "three\n"), check_writable):
        with pytest.raises(ValueError, match="null byte"):
            write("\0")
