"""The sources of the site in one folder: docs/, pages from elsewhere, and what they link to.

Links are written for readers of the repository. Here they are turned to where their targets lie on
the site; a file that is no page is copied beside the pages, so that all of it can be read offline.
"""

from __future__ import annotations

import os.path
import re
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from tools.docsite.command_page import command_page
from tools.docsite.endpoint_page import endpoint_page
from tools.docsite.notebook_page import notebook_page

__all__ = ["ELSEWHERE", "ROOT", "prose", "stage"]

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
ELSEWHERE = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CODE_OF_CONDUCT.md": "code-of-conduct.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""Pages that are not under docs/, with their places on the site. The README is the start page's."""

_PLAY = "<!-- The link to the coach stands here, where it was built. -->"
_COPIED = {".svg", ".png", ".gif", ".css", ".js"}
_SHOWN_AS_TEXT = {".py", ".hpp", ".cpp", ".js", ".html", ".toml", ".cff", ""}
_CODE = re.compile(r"^( *)(```|~~~)(?s:.*?)^\1\2$|`[^`\n]+`", re.MULTILINE)
_PROMPTED = re.compile(r"^( *)```python(?=\n *>>> )", re.MULTILINE)  # copied without prompts
_BARE = re.compile(r"\[([\w-]+\.md)\](?=\(([^)#\s]+\.md))")
_LINK = re.compile(r"(\]\(|\bsrc=\"|\bhref=\")([^)\"#\s]*)(#[^)\"\s]*)?(?=[)\"])")


def stage(folder: Path, played: str | None = None) -> list[str]:
    """Write every page and file of the site below a folder, and return the pages' paths.

    `played` is where the coach will be on the site; the start page links to it.
    """
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    for path in sorted(DOCS.rglob("*")):
        if path.suffix in _COPIED:
            _copy(path, folder / path.relative_to(DOCS))
    pages: list[str] = []
    for source, place in _pages():
        pages.append(place)
        _write(folder / place, _turned(source, place, folder))
    if played is not None:
        start = folder / "index.md"
        text = start.read_text(encoding="utf-8")
        assert text.count(_PLAY) == 1
        link = f'<a class="md-button" href="{played}/index.html">Play now, in this browser</a>'
        _write(start, text.replace(_PLAY, link))
    for notebook in sorted(DOCS.glob("notebooks/*.ipynb")):
        place = notebook.relative_to(DOCS).with_suffix(".md").as_posix()
        pages.append(place)
        _copy(notebook, folder / notebook.relative_to(DOCS))
        _write(folder / place, notebook_page(notebook, folder / "notebooks"))
    options = folder / "commands.md"
    _write(options, command_page(options.read_text(encoding="utf-8")))
    pages.append("http.md")
    _write(folder / "http.md", endpoint_page())
    return pages


def prose(text: str) -> Iterator[tuple[int, int]]:
    """The spans of a page outside of code, in blocks and within lines."""
    start = 0
    for block in _CODE.finditer(text):
        yield start, block.start()
        start = block.end()
    yield start, len(text)


def _pages() -> Iterator[tuple[str, str]]:
    """Every page: its path in the repository and its place on the site."""
    for path in sorted(DOCS.rglob("*.md")):
        yield path.relative_to(ROOT).as_posix(), path.relative_to(DOCS).as_posix()
    for source, place in ELSEWHERE.items():
        if source != "README.md" and (ROOT / source).exists():
            yield source, place


def _turned(source: str, place: str, folder: Path) -> str:
    """The text of a page, its links turned to the site."""
    text = (ROOT / source).read_text(encoding="utf-8")
    home = PurePosixPath(source).parent
    parts: list[str] = []
    end = 0
    for start, stop in prose(text):
        parts.append(text[end:start])
        named = _BARE.sub(lambda found: f"[{_title(ROOT / home / found[2])}]", text[start:stop])
        parts.append(
            _LINK.sub(
                lambda found: found[1] + _target(found[2], home, place, folder) + (found[3] or ""),
                named,
            )
        )
        end = stop
    return _PROMPTED.sub(r"\1```pycon", "".join([*parts, text[end:]]))


def _title(page: Path) -> str:
    """What a page is called; links that name its file are for readers of the repository."""
    return page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def _target(link: str, home: PurePosixPath, place: str, folder: Path) -> str:
    if not link or "://" in link or link.startswith(("mailto:", "data:")):
        return link
    found = os.path.normpath(home / link)
    path = ROOT / found
    if found.startswith("docs/") and path.suffix in {".md", ".ipynb", *_COPIED}:
        there = found.removeprefix("docs/")
    elif found in ELSEWHERE:
        there = ELSEWHERE[found]
    else:
        if not path.is_file():
            raise SystemExit(f"docs: {place} links to {link}; accepted: a file of the repository")
        there = f"files/{found}" + (".txt" if path.suffix in _SHOWN_AS_TEXT else "")
        _copy(path, folder / there)
    return os.path.relpath(there, PurePosixPath(place).parent)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _write(target: Path, text: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
