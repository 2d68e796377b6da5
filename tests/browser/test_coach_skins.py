"""Skins, digits, motion and sound in a real browser: each is readable, and nothing moves or sounds
unasked."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from mineproof.board.deal import deal
from mineproof.board.presets import Board

pytestmark = pytest.mark.browser

Visiting = Any
Visit = Any

SKINS = ("modern", "classic", "contrast")
THEMES = ("light", "dark")
CONTRAST = """(pairs) => {
  const probe = document.createElement("i");
  document.body.append(probe);
  const light = (name) => {
    probe.style.color = `var(--${name})`;
    const [r, g, b] = getComputedStyle(probe).color.match(/[\\d.]+/g).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratios = pairs.map((pair) => {
    const [low, high] = pair.map(light).sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  });
  probe.remove();
  return ratios;
}"""
# A hidden cell's colour, and that of a 1.
COLOURS = """() => ["--covered", "--n1"].map(
  (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim())"""
SHEETS = "() => [...document.styleSheets].some(({ href }) => href.endsWith('skins.css'))"
# Notes what is animated, by its class, and every tone.
NOTES = """
window.moved = [];
window.tones = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) {
  window.moved.push(this.getAttribute("class"));
  return animate.apply(this, given);
};
window.OscillatorNode = class extends OscillatorNode {
  constructor(...given) {
    super(...given);
    window.tones += 1;
  }
};
"""


def keep(page: Page, chosen: dict[str, Any]) -> None:
    """Settings that were chosen before."""
    page.evaluate("given => localStorage.setItem('mineproof.coach', given)", json.dumps(chosen))


def contrasts(page: Page, pairs: list[tuple[str, str]]) -> list[float]:
    found: list[float] = page.evaluate(CONTRAST, [list(pair) for pair in pairs])
    return found


@pytest.mark.parametrize("skin", SKINS)
def test_a_hidden_cell_under_the_pointer_is_lit_and_not_black(visit: Visiting, skin: str) -> None:
    tab = visit("play?board=8x8/10&first=opening&seed=4")
    page = tab.page
    keep(page, {"skin": skin})
    tab.go("play?board=8x8/10&first=opening&seed=4")
    expect(page.locator("html")).to_have_attribute("data-skin", skin)
    tab.cell(0).hover()
    # A probe beside the tile has the colour that the skin names; one of bevels falls back to it.
    page.wait_for_function(
        """() => {
          const tile = document.querySelector(".view-play [data-cell='0'] .tile");
          if (!tile.matches(".covered.over .tile")) return false;
          const probe = tile.ownerSVGElement.appendChild(tile.cloneNode());
          probe.style.fill = "var(--covered-over)";
          const [over, now] = [probe, tile].map((one) => getComputedStyle(one).fill);
          probe.remove();
          return now.endsWith(over);
        }"""
    )


@pytest.mark.parametrize("skin", SKINS)
@pytest.mark.parametrize("theme", THEMES)
def test_every_skin_is_readable(visit: Visiting, audit: Any, skin: str, theme: str) -> None:
    tab = visit("play?board=8x8/10&first=opening&seed=4", color_scheme=theme)
    page = tab.page
    page.get_by_role("button", name="Keys and settings").click()
    name = {"modern": "Modern", "classic": "Classic", "contrast": "High contrast"}[skin]
    page.get_by_role("dialog").get_by_text(name, exact=True).click()
    expect(page.locator("html")).to_have_attribute("data-skin", skin)
    assert audit(page) == []
    digits = [(f"n{number}", "open") for number in range(1, 9)]
    least = 7 if skin == "contrast" else 4.5
    for text, setting in (("Colour-blind safe", "safe"), ("Warm", "plain")):
        page.get_by_role("dialog").get_by_text(text, exact=True).click()
        expect(page.locator("html")).to_have_attribute("data-digits", setting)
        bound = least if setting == "plain" else 4.5
        assert min(contrasts(page, digits)) >= bound
    page.get_by_role("button", name="Done").click()
    tab.cell(36).click()
    page.get_by_text("Mine chance", exact=True).click()
    page.get_by_role("checkbox", name="Best move").check()
    expect(page.locator(".layer.best .ring")).to_have_count(1)
    assert audit(page) == []
    # Flags, mines and proofs on a covered cell are signs: three to one.
    assert min(contrasts(page, [("flag", "covered"), ("on-covered", "covered")])) >= 3
    if theme == "light" and skin != "classic":
        # Classic tiles are told apart by their bevel.
        hidden, frame, rim = contrasts(
            page, [("covered", "open"), ("bed", "open"), ("bed", "covered")]
        )
        assert hidden >= 3
        assert min(frame, rim) >= 1.5 or skin == "contrast"


def test_a_look_is_kept_and_in_force_before_the_first_paint(visit: Visiting) -> None:
    tab = visit("play?board=5x5/3&seed=1")
    page = tab.page
    page.get_by_role("button", name="Keys and settings").click()
    page.get_by_text("Classic", exact=True).click()
    page.get_by_text("Colour-blind safe", exact=True).click()
    page.get_by_role("button", name="Done").click()
    # What is set when the page's own script has not yet run.
    page.route("**/app.js", lambda route: route.abort())
    tab.forgiven = "ERR_FAILED"
    page.reload()
    root = page.locator("html")
    expect(root).to_have_attribute("data-skin", "classic")
    expect(root).to_have_attribute("data-digits", "safe")
    assert page.locator("[data-cell]").count() == 0
    assert page.evaluate(COLOURS) == ["#c4c4c4", "#0058a3"]


def test_the_colours_of_a_kept_skin_are_waited_for_before_the_first_paint(visit: Visiting) -> None:
    tab = visit("play?board=5x5/3&seed=1")
    page = tab.page
    keep(page, {"skin": "classic", "theme": "light"})
    tab.go("play?board=5x5/3&seed=1")
    waited = page.evaluate(
        """() => performance.getEntriesByType("resource")
          .filter(({ name }) => name.endsWith("skins.css"))
          .map((one) => one.renderBlockingStatus)"""
    )
    assert waited == ["blocking"]
    assert page.evaluate(COLOURS)[0] == "#c4c4c4"


def test_the_modern_skin_loads_no_other_colours(visit: Visiting) -> None:
    page = visit("play?board=5x5/3&seed=1").page
    assert not page.evaluate(SHEETS)
    page.get_by_role("button", name="Keys and settings").click()
    page.get_by_text("Classic", exact=True).click()
    expect(page.locator("html")).to_have_attribute("data-skin", "classic")
    assert page.evaluate(SHEETS)
    page.get_by_text("Modern", exact=True).click()
    expect(page.locator("html")).to_have_attribute("data-skin", "modern")


# Whatever the last move sets going has begun: it is loaded with the first move, and then plays.
SETTLED = """() => Promise.all([import("/static/board/motion.js"), import("/static/sound.js")])
  .then(() => new Promise(requestAnimationFrame))"""


def play_through(visit: Visiting, **options: Any) -> Page:
    """A page on which cells were opened, one was flagged, and games were won and lost."""
    board = Board.parse("square:4x5/4")
    layout = deal(board.topology, board.mines, 3, 0, ())
    safe = [cell for cell in board.topology.cells if not layout.is_mine(cell)]
    tab = visit("play?board=square:4x5/4&first=any&seed=3", **options)
    page = tab.page
    page.add_init_script(NOTES)
    tab.go("play?board=square:4x5/4&first=any&seed=3")
    mine = min(layout.cells)
    tab.cell(mine).click(button="right")
    expect(tab.page.locator("#announcer")).to_have_text(re.compile("flagged"))
    page.evaluate(SETTLED)
    tab.cell(mine).click(button="right")
    expect(tab.page.locator("#announcer")).to_have_text(re.compile("hidden"))
    for cell in safe:
        if "hidden" in tab.label(cell):
            tab.cell(cell).click()
            expect(tab.cell(cell)).to_have_attribute("aria-label", re.compile("open"))
    expect(page.locator(".state")).to_have_text("Won")
    page.evaluate(SETTLED)
    page.get_by_role("button", name="Same board").click()
    expect(page.locator(".state")).to_have_text("Ready · practice")
    tab.cell(mine).click()
    expect(page.locator(".state")).to_have_text("Lost · practice")
    page.evaluate(SETTLED)
    return page


def test_moves_are_animated_unless_less_motion_is_wanted(visit: Visiting) -> None:
    page = play_through(visit, reduced_motion="no-preference")
    page.wait_for_function(
        "(kinds) => kinds.every((kind) => window.moved.includes(kind))",
        arg=["effect", "sign-flag", "beam", "wave", "board"],
    )
    assert play_through(visit, reduced_motion="reduce").evaluate("window.moved") == []


def test_sounds_are_off_until_they_are_wanted(visit: Visiting) -> None:
    tab = visit("play?board=6x6/6&first=opening&seed=1")
    page = tab.page
    page.add_init_script(NOTES)
    tab.go("play?board=6x6/6&first=opening&seed=1")
    tab.cell(14).click()
    expect(page.locator(".state")).to_have_text("Playing")
    page.evaluate(SETTLED)
    assert page.evaluate("window.tones") == 0
    keep(page, {"sound": True})
    page.evaluate("sessionStorage.clear()")
    tab.go("play?board=6x6/6&first=opening&seed=1")
    expect(page.locator(".state")).to_have_text("Ready")
    tab.cell(14).click()
    expect(page.locator(".state")).to_have_text("Playing · practice")
    page.wait_for_function("() => window.tones > 0")
