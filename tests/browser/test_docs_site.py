"""The site of the docs in a browser, read from its folder: offline, on a phone, with search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.core import needs_core

pytestmark = [pytest.mark.browser, needs_core]

WIDTHS = (390, 1024, 1600)


@pytest.fixture
def reader(browser: Browser, site: Path) -> Iterator[Callable[..., Page]]:
    """Open a page; complaints and requests to anywhere else fail the test at its end."""
    complaints: list[str] = []
    pages: list[Page] = []

    def note(text: str) -> None:
        # A browser says so of the search field, where the address names a part of the page.
        if not text.startswith("Autofocus processing was blocked"):
            complaints.append(text)

    def read(name: str = "index.html", **options: object) -> Page:
        options.setdefault("reduced_motion", "reduce")
        page = browser.new_context(**options).new_page()  # type: ignore[arg-type]
        pages.append(page)
        page.on("console", lambda message: note(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((site.as_uri(), "data:", "blob:", "about:"))
                else complaints.append(request.url)
            ),
        )
        page.goto(f"{site.as_uri()}/{name}")
        return page

    yield read
    for page in pages:
        page.context.close()
    assert complaints == []


def test_every_page_fits_every_width_and_fetches_nothing_elsewhere(
    reader: Callable[..., Page], site: Path
) -> None:
    page = reader()
    names = [path.relative_to(site).as_posix() for path in sorted(site.rglob("*.html"))]
    names.remove("404.html")
    if "play/index.html" in names:  # the coach, where it was built: tests/site
        names.remove("play/index.html")
    assert len(names) > 35
    for name in names:
        page.goto(f"{site.as_uri()}/{name}")
        expect(page.locator("article h1")).to_be_visible()
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 844})
            wider = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            assert wider <= 0, f"{name} is {wider} pixels wider than {width}"
        lost = page.evaluate("[...document.images].filter((one) => !one.naturalWidth).length")
        assert not lost, f"{name} lacks {lost} pictures"


def test_search_works_from_a_folder(reader: Callable[..., Page]) -> None:
    page = reader()
    page.keyboard.press("Control+k")
    page.keyboard.type("hitting set")
    found = page.get_by_role("option", name="How smallest proofs are found")
    expect(found).to_be_visible()
    found.click()
    expect(page.locator("article h1")).to_contain_text("Proofs")


def test_the_start_page_has_three_tabs(reader: Callable[..., Page]) -> None:
    page = reader()
    python = page.get_by_text("import mineproof as mp").first
    expect(python).to_be_hidden()
    page.locator("label", has_text="Python").click()
    expect(python).to_be_visible()
    page.locator("label", has_text="Command line").click()
    expect(python).to_be_hidden()
    expect(page.get_by_text("mineproof optimal 4x4/4")).to_be_visible()


@pytest.mark.parametrize(
    ("tab", "kind", "copied"),
    [
        ("Python", "pycon", ["import mineproof as mp", "view = mp.", "mp.", "print(", "mp.play("]),
        ("Command line", "console", ["printf 'square ", "printf 'square "]),
    ],
)
def test_copied_is_what_one_types(
    reader: Callable[..., Page], tab: str, kind: str, copied: list[str]
) -> None:
    """No prompts, and nothing that is printed."""
    page = reader(permissions=["clipboard-read", "clipboard-write"])
    page.locator("label", has_text=tab).click()
    block = page.locator(f".language-{kind}").first
    block.hover()
    block.get_by_role("button", name="Copy to clipboard").click()
    page.wait_for_function("navigator.clipboard.readText().then((text) => text !== '')")
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert len(lines) == len(copied)
    assert all(line.startswith(start) for line, start in zip(lines, copied, strict=True))


def test_search_finds_guides_and_not_their_history(reader: Callable[..., Page]) -> None:
    page = reader()
    for word, guide in (("champion", "champion.html"), ("proof", "proofs.html")):
        page.keyboard.press("Control+k")
        page.keyboard.type(word)
        expect(page.get_by_role("option").first).to_be_visible()
        places = [one.get_attribute("href") or "" for one in page.get_by_role("option").all()]
        assert guide in places[0]
        assert not [one for one in places if "changelog" in one or "benchmarks" in one]
        page.goto(page.url)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible(
    reader: Callable[..., Page], audit: Callable[[Page], list[str]], scheme: str
) -> None:
    for name in ("index.html", "counting.html"):
        wrong = audit(reader(name, color_scheme=scheme))
        # The theme puts every copy button into a landmark of its own.
        assert [one for one in wrong if not one.startswith("landmark-unique")] == []
