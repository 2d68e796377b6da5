"""Pages written to files, in a real browser: reports and games, with nothing from outside."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

import pytest
from axe_core_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Request

from mineproof.agents.catalog import parse_agent
from mineproof.game import Transcript, play
from mineproof.game.annotate import AgentWrapper, name_premises
from mineproof.game.narration import frames
from mineproof.lab.figures import Curve, Point, curves
from mineproof.lab.report import (
    Agreement,
    Claims,
    Estimate,
    Figure,
    ReportClaim,
    Section,
    Strip,
    Table,
    Text,
    walk_page,
    write_page,
)
from mineproof.lab.report import Page as Content
from mineproof.reports import Scale, Workshop, reproduce
from tests.browser.conftest import PATIENCE

pytestmark = pytest.mark.browser
HOSTILE = "<img src=x onerror=alert(1)>&amp;"
RATES = {"slow": 0.4, "fast": 0.9, HOSTILE: 0.05, "none": 0.0}


@dataclass
class Opened:
    """A page in a tab, and what went wrong there."""

    page: Page
    complaints: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a tiny reproduction, with a section of hostile names besides."""
    folder = tmp_path_factory.mktemp("page")
    content = reproduce(["003", "004"], Workshop(folder, Scale("tiny", share=0.01)), "test")
    rows = tuple(
        (name, Estimate(rate, rate / 2, (1 + rate) / 2, True), 7) for name, rate in RATES.items()
    )
    table = Table("hostile", HOSTILE, ("agent", "rate", HOSTILE), (*rows, ("empty", None, 8)))
    line = Curve(HOSTILE, (Point(0, 0.1, 0.0, 0.2), Point(1, 0.3, 0.2, 0.4)))
    svg = curves("hostile", HOSTILE, [line], x_label=HOSTILE, y_label="y")
    picture = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
    )
    section = Section(
        "hostile",
        HOSTILE,
        (
            Text("word" * 200),
            table,
            Figure("hostile-figure", HOSTILE, svg, table),
            Claims(HOSTILE, (ReportClaim(HOSTILE, Agreement.FAILS, HOSTILE),)),
            Strip(HOSTILE, ((HOSTILE, picture),) * 3),
        ),
    )
    sections = (*content.sections, section)
    page = Content(content.title, content.introduction, sections, content.facts, content.specs)
    return write_page(page, folder)


@pytest.fixture(params=["light", "dark"])
def opened(request: pytest.FixtureRequest, browser: Browser, report: Path) -> Iterator[Opened]:
    context = browser.new_context(
        viewport={"width": 1100, "height": 800}, color_scheme=request.param
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    found = Opened(page)
    page.on("console", lambda message: found.complaints.append(message.text))
    page.on("pageerror", lambda error: found.complaints.append(str(error)))
    page.on("dialog", lambda dialog: found.complaints.append(dialog.message))

    def note(request: Request) -> None:
        if request.url != report.as_uri() and not request.url.startswith("data:"):
            found.complaints.append(f"asked for {request.url}")

    page.on("request", note)
    page.goto(report.as_uri())
    yield found
    assert found.complaints == []
    context.close()


def column(page: Page, number: int) -> list[str]:
    cells = page.locator(f"#hostile .scroll tbody td:nth-child({number})")
    return [text.split(" (")[0] for text in cells.all_inner_texts()]


def test_a_table_is_sorted_by_its_heads(opened: Opened) -> None:
    page = opened.page
    head = page.locator("#hostile th").nth(1)
    head.locator("button").click()
    assert column(page, 2) == ["0.0 %", "5.0 %", "40.0 %", "90.0 %", ""]
    assert head.get_attribute("aria-sort") == "ascending"
    head.locator("button").press("Enter")
    assert column(page, 2) == ["90.0 %", "40.0 %", "5.0 %", "0.0 %", ""]
    page.locator("#hostile th").nth(0).locator("button").click()
    assert column(page, 1) == [HOSTILE, "empty", "fast", "none", "slow"]
    assert head.get_attribute("aria-sort") is None


def test_names_are_text(opened: Opened) -> None:
    page = opened.page
    assert page.locator("#hostile h2").inner_text() == HOSTILE
    assert page.locator("img[src=x]").count() == 0
    assert page.locator("#hostile figure > svg text", has_text=HOSTILE).count() >= 2


def test_pictures_are_drawn(opened: Opened) -> None:
    page = opened.page
    assert page.locator("figure > svg").count() >= 4
    widths = page.evaluate("[...document.images].map(image => image.naturalWidth)")
    assert widths
    assert all(width > 0 for width in widths)


def test_cards_come_first_and_the_table_of_all_claims_last(opened: Opened) -> None:
    page = opened.page
    assert page.locator(".cards article").count() == 2
    assert page.locator(".cards svg").count() == 2
    lowest = page.evaluate("document.querySelector('.cards').getBoundingClientRect().bottom")
    assert lowest <= 800
    sections = page.locator("section").evaluate_all("all => all.map(one => one.id)")
    assert sections == ["003", "004", "hostile", "claims", "how"]
    lines = page.locator("#claims tbody tr").count()
    assert lines > page.locator(".claims li").count() > 5
    assert page.locator("#claims dt").count() == 7


def test_text_stands_out_from_the_ground(opened: Opened) -> None:
    contrast = opened.page.evaluate(
        """() => {
          const light = (colour) => {
            const [r, g, b] = colour.match(/[\\d.]+/g).map((part) => {
              const share = part / 255;
              return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const ground = light(getComputedStyle(document.body).backgroundColor);
          const ratio = (colour) => {
            const [low, high] = [ground, light(colour)].sort((a, b) => a - b);
            return (high + 0.05) / (low + 0.05);
          };
          const shown = document.querySelectorAll(
            "p, td, a, dt, .outcome, .interval, figure > svg text, .cards svg text");
          const texts = [...shown].map((one) => {
            const style = getComputedStyle(one);
            return ratio(one.closest("svg") ? style.fill : style.color);
          });
          const lines = [...document.querySelectorAll("figure > svg path")]
            .map((one) => getComputedStyle(one))
            .filter((style) => style.stroke !== "none" && style.strokeOpacity === "1")
            .map((style) => ratio(style.stroke));
          return [Math.min(...texts), Math.min(...lines)];
        }"""
    )
    assert contrast[0] >= 4.5
    assert contrast[1] >= 3


@pytest.mark.parametrize("width", [320, 390])
def test_a_phone_needs_no_sideways_scrolling(opened: Opened, width: int) -> None:
    page = opened.page
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    sizes = page.evaluate(
        "[...document.querySelectorAll('figure > svg text, .cards svg text')].map(text =>"
        " parseFloat(getComputedStyle(text).fontSize) * text.ownerSVGElement.getScreenCTM().a)"
    )
    assert min(sizes) >= 9


def test_data_and_figures_can_be_saved(opened: Opened, tmp_path: Path) -> None:
    page = opened.page
    for number, link in enumerate(page.locator("#hostile a[download]").all()):
        with page.expect_download() as waiting:
            link.click()
        path = tmp_path / f"{number}-{waiting.value.suggested_filename}"
        waiting.value.save_as(path)
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".svg":
            assert ElementTree.fromstring(text.split("\n", 1)[1]).tag.endswith("svg")
        else:
            rows = list(csv.reader(io.StringIO(text)))
            assert [row[0] for row in rows] == ["agent", *RATES, "empty"]


# -- the page of a game --


@pytest.fixture(scope="module")
def game() -> Transcript:
    return play("9x9/10", AgentWrapper(parse_agent("reductio").make(), name_premises), 1)


@pytest.fixture
def page(
    browser: Browser, game: Transcript, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Page]:
    """The page in a tab as wide as asked; whatever goes wrong there fails the test."""
    file = tmp_path / "game.html"
    file.write_text(walk_page(game, "a <game>"), encoding="utf-8")
    tab = browser.new_page(viewport={"width": getattr(request, "param", 1000), "height": 900})
    wrong: list[str] = []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.on("console", lambda message: wrong.append(message.text))
    tab.on("request", lambda asked: wrong.append(asked.url) if asked.url != file.as_uri() else None)
    tab.goto(file.as_uri())
    yield tab
    tab.close()
    assert [one for one in wrong if one != "data:,"] == []


def shown(page: Page) -> list[str]:
    """What every cell shows, by its number."""
    told: dict[str, str] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".board g")].map((cell) =>
          [cell.querySelector("title").textContent.split(":")[0],
           cell.querySelector("text").textContent]))"""
    )
    return [told[f"{row},{column}"] for row in range(9) for column in range(9)]


def test_keys_and_buttons_walk_through_the_game(page: Page, game: Transcript) -> None:
    all_frames = list(frames(game))
    assert page.text_content("#said") == "the start"
    for frame in all_frames[1:4]:
        page.keyboard.press("ArrowRight")
        assert page.text_content("#said") == frame.text
        assert shown(page) == [
            "F" if frame.view.is_flagged(cell) else str(frame.view.clue(cell) or "")
            for cell in range(81)
        ]
    page.keyboard.press("ArrowLeft")
    assert page.text_content("#said") == all_frames[2].text
    page.click("text=Next")
    assert page.text_content("#number") == "3"
    page.keyboard.press("End")
    assert str(page.text_content("#said")).startswith("won: every safe cell is open")
    assert page.is_disabled("#next")
    page.click("text=First")
    assert shown(page) == [""] * 81
    page.focus("#step")
    page.keyboard.press("ArrowRight")
    assert page.text_content("#number") == "1"


@pytest.mark.parametrize("page", [360], indirect=True)
def test_a_phone_shows_it_without_scrolling_sideways(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("#next").bounding_box()["height"] >= 40


def test_it_is_accessible(page: Page) -> None:
    page.keyboard.press("ArrowRight")
    found = Axe().run(page)
    assert [one["id"] for one in found["violations"]] == []
