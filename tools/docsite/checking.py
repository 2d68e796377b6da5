"""A built site: every link and anchor leads somewhere, and nothing is fetched from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

__all__ = ["complaints"]

_FETCHED = {"src", "srcset", "poster", "data"}
_FETCHING_LINKS = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "dns-prefetch"}


@dataclass
class _Page(HTMLParser):
    """The links of a page, its anchors, and what a browser fetches for it."""

    links: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.anchors |= {found[name] for name in ("id", "name") if found.get(name)}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag == "link" and _FETCHING_LINKS & set(found.get("rel", "").split()):
            self.fetched.append(found.get("href", ""))
        if tag != "a":
            self.fetched += [found[name] for name in _FETCHED if name in found]


def complaints(site: Path, apart: str = "") -> Iterator[str]:
    """One line for everything that is wrong with a built site, but for a folder with its own."""
    found = (path for path in site.rglob("*.html") if path.relative_to(site).parts[0] != apart)
    pages = {path: _read(path) for path in sorted(found)}
    for path, page in pages.items():
        name = path.relative_to(site).as_posix()
        for address in page.fetched:
            if _is_elsewhere(address):
                yield f"{name} fetches {address}"
            elif (target := _place(site, path, address)) is not None and not target.is_file():
                yield f"{name} needs {address}, which is not there"
        for address in page.links:
            if name == "404.html" or _is_elsewhere(address):
                continue
            target = _place(site, path, address)
            if target is None:
                continue
            if not target.is_file():
                yield f"{name} links to {address}, which is not there"
            elif not _has_anchor(pages.get(target), unquote(urlsplit(address).fragment)):
                yield f"{name} links to {address}, which has no such anchor"


def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def _has_anchor(page: _Page | None, anchor: str) -> bool:
    return page is None or not anchor or anchor in page.anchors


def _is_elsewhere(address: str) -> bool:
    return bool(urlsplit(address).netloc)


def _place(site: Path, page: Path, address: str) -> Path | None:
    """The file that an address of a page stands for; None where it is no file."""
    parts = urlsplit(address)
    if parts.scheme:
        return None
    if not parts.path:
        return page
    base = site if parts.path.startswith("/") else page.parent
    target = (base / unquote(parts.path).lstrip("/")).resolve()
    return target / "index.html" if target.is_dir() else target
