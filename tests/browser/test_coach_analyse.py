"""Analyse in a real browser: positions painted, pasted, dropped and saved; clashes; proofs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Route, expect

import mineproof as mp
from mineproof.board.lattices import LATTICES
from mineproof.board.presets import Board
from mineproof.errors import InconsistentPosition
from mineproof.proofs.proof import Proof
from mineproof.rules import Rules
from mineproof.view import notation

pytestmark = pytest.mark.browser

Visiting = Any
Visit = Any

ROOT = Path(__file__).parents[2]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SIZES = [(320, 640), (640, 400)]
SQUARE = """square 9x9 mines=10
1.1000000
111000011
00122102.
012..213.
01.......
12.......
.........
.........
.........
"""
HEX = """hex 8x8 mines=10
........
........
111.....
1112....
1.2F....
01112...
000012..
00001...
"""
SMALL = "square 3x4 mines=3\n....\n....\n....\n"
CLASH = "square 3x4 mines=unknown density=0.2\n....\n.15.\n....\n"


def analyse(visit: Visiting, text: str, **options: Any) -> Visit:
    tab = visit(f"analyse?p={quote(text)}", **options)
    expect(state(tab.page)).to_have_text(re.compile("Possible|Impossible|Too wide|Refused"))
    return tab


def state(page: Page) -> Any:
    return page.locator(".view-analyse .state")


def text_of(page: Page) -> Any:
    return page.get_by_label("The position as text")


def paste(page: Page, text: str) -> None:
    page.evaluate(
        """(text) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text/plain", text);
          document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData, bubbles: true}));
        }""",
        text,
    )


def drop(page: Page, name: str, text: str) -> None:
    page.evaluate(
        """([name, text]) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([text], name));
          document.querySelector(".view-analyse .stage")
            .dispatchEvent(new DragEvent("drop", {dataTransfer, bubbles: true, cancelable: true}));
        }""",
        [name, text],
    )


@pytest.mark.parametrize("text", [SQUARE, HEX], ids=["square", "hex"])
def test_an_address_holds_a_position_and_its_chances_are_seen(visit: Visiting, text: str) -> None:
    tab = analyse(visit, text)
    analysis = mp.analyze(mp.View.parse(text))
    assert tab.page.locator(".layouts").inner_text() == f"{analysis.solutions:,} layouts"
    labels = tab.labels()
    for cell in analysis.view.hidden:
        chance = analysis.p[cell]
        said = {0.0: "certainly safe", 1.0: "certainly a mine"}.get(chance, f"{100 * chance:.1f} %")
        assert said in labels[cell]
    expect(tab.page.locator(".layer.best .ring")).to_have_count(1)
    assert text_of(tab.page).input_value() == text


def test_cells_are_painted_by_palette_wheel_and_keys(visit: Visiting) -> None:
    tab = analyse(visit, SMALL)
    page = tab.page
    page.get_by_label("Clue 2", exact=True).check()
    tab.cell(0).click()
    tab.cell(1).hover()
    page.mouse.wheel(0, -100)  # from hidden to 0
    page.mouse.wheel(0, -100)
    tab.cell(2).click(button="right")
    tab.cell(4).focus()
    for keys in ("3", "ArrowRight", "?", "ArrowRight", "f", "ArrowRight", "*"):
        page.keyboard.press(keys)
    expect(text_of(page)).to_have_value("square 3x4 mines=3\n21F.\n3?F*\n....\n")
    # A clue above the number of neighbours is refused, in words.
    tab.cell(0).focus()
    page.keyboard.press("8")
    expect(page.locator("#announcer")).to_have_text("0,0 has 3 neighbours: no clue above 3.")
    for keys in ("Delete", "ArrowRight", "h", "Control+z", "Control+z", "Control+y"):
        page.keyboard.press(keys)
    expect(text_of(page)).to_have_value("square 3x4 mines=3\n.1F.\n3?F*\n....\n")
    page.get_by_role("button", name="Clear").click()
    expect(text_of(page)).to_have_value(SMALL)
    page.get_by_role("button", name="Undo").click()
    expect(page).to_have_url(re.compile(re.escape(".1F.%0A3%3FF*")))


def test_a_stroke_paints_many_cells_and_is_undone_at_once(visit: Visiting) -> None:
    tab = analyse(visit, SMALL)
    page = tab.page
    page.get_by_label("Flag", exact=True).check()
    boxes = [tab.cell(cell).bounding_box() for cell in (4, 5, 6)]
    places = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=4)
    page.mouse.up()
    expect(text_of(page)).to_have_value("square 3x4 mines=3\n....\nFFF.\n....\n")
    page.get_by_role("button", name="Undo").click()
    expect(text_of(page)).to_have_value(SMALL)


def test_why_a_position_is_impossible_is_said_live_and_lit(visit: Visiting) -> None:
    tab = analyse(visit, CLASH.replace("15", "11"))
    page = tab.page
    expect(state(page)).to_have_text("Possible")
    tab.cell(6).focus()
    page.keyboard.press("6")
    expect(state(page)).to_have_text("Impossible")
    view = mp.View.parse(CLASH.replace("15", "16"))
    expect(page.locator(".voice-text")).to_contain_text("No layout explains the position")
    expect(page.locator(".voice-list")).to_contain_text("The 6 at 1,2")
    assert page.locator(".voice-text").get_attribute("aria-live") == "polite"
    expect(page.locator(".voice-count")).to_have_text(re.compile(r"\d steps"))
    cells = {cell for cell, label in tab.labels().items() if "part of the clash" in label}
    assert cells
    with pytest.raises(InconsistentPosition) as clash:
        mp.analyze(view)
    assert cells <= set(clash.value.clues)
    page.get_by_role("button", name="Next step").click()
    expect(page.locator(".voice-count")).to_have_text(re.compile(r"1 of \d"))
    tab.cell(6).focus()
    page.keyboard.press("2")
    expect(state(page)).to_have_text("Possible")
    expect(page.locator(".layer.clash .ring")).to_have_count(0)


@pytest.mark.parametrize("text", [SQUARE, HEX], ids=["square", "hex"])
def test_texts_are_read_back_as_they_were_written(
    visit: Visiting, text: str, tmp_path: Path
) -> None:
    tab = analyse(visit, text)
    page = tab.page
    view = mp.View.parse(text)
    for name in ("Short", ".board", ".mine"):
        page.get_by_label(name, exact=True).check()
        if name == ".mine" and text is HEX:
            expect(page.locator("#position-problem")).to_contain_text("plain square boards")
            continue
        begins = {"Short": text[:6], ".board": "# MINESWEEPER", ".mine": "9x9x10"}[name]
        expect(text_of(page)).to_have_value(re.compile(f"^{begins}"))
        assert notation.parse(text_of(page).input_value()) == view
        with page.expect_download() as waiting:
            page.get_by_role("button", name="Save").click()
        waiting.value.save_as(tmp_path / waiting.value.suggested_filename)
        saved = (tmp_path / waiting.value.suggested_filename).read_text(encoding="utf-8")
        assert saved == text_of(page).input_value()
        paste(page, SMALL)
        expect(tab.cell(12)).to_have_count(0)
        drop(page, waiting.value.suggested_filename, saved)
        expect(tab.cell(12)).to_have_count(1)
        assert [tab.label(cell).split(", ")[2] for cell in view.flags] == ["flagged"] * len(
            list(view.flags)
        )


def test_a_text_being_written_is_read_and_refused_calmly(visit: Visiting) -> None:
    tab = analyse(visit, SMALL)
    page = tab.page
    problem = page.locator("#position-problem")
    text_of(page).fill("4x3x2\nHHHH\nH1HH\nHHHH\n")
    expect(tab.cell(5)).to_have_attribute("aria-label", re.compile("open, 1"))
    text_of(page).fill("<img src=x onerror=alert(1)>")
    expect(problem).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.locator("img").count() == 0
    expect(tab.cell(5)).to_have_attribute("aria-label", re.compile("open, 1"))
    drop(page, "huge.mine", "H" * 70_000)
    toast = page.locator(".toast-text")
    expect(toast).to_have_text("huge.mine has 69 kB; at most 64 kB are read.")
    drop(page, "fine.txt", SMALL)
    expect(problem).to_have_text("")
    expect(toast).to_be_hidden()


def test_the_total_is_set_or_unknown(visit: Visiting) -> None:
    tab = analyse(visit, "square 3x4 mines=3\n....\n.1..\n....\n")
    page = tab.page
    mines = page.get_by_label("Mines on the board")
    mines.fill("5")
    expect(text_of(page)).to_have_value(re.compile("mines=5"))
    mines.fill("99")
    expect(state(page)).to_have_text("Refused")
    expect(page.locator(".voice-text")).to_contain_text("99 on 12 cells")
    page.get_by_label("Known").uncheck()
    page.get_by_label("Mine chance of a cell, per cent").fill("25")
    expect(text_of(page)).to_have_value(re.compile("mines=unknown density=0.25"))
    expect(state(page)).to_have_text("Possible")
    expect(tab.cell(11)).to_have_attribute("aria-label", re.compile("mine chance 25.0 %"))


def test_too_wide_is_said_calmly_and_the_page_goes_on(visit: Visiting) -> None:
    rows = ["".join("3" if row % 2 and col % 2 else "." for col in range(21)) for row in range(21)]
    tab = analyse(visit, "\n".join(["square 21x21 mines=140", *rows]))
    page = tab.page
    expect(state(page)).to_have_text("Too wide")
    expect(page.locator(".voice h2")).to_have_text("Too wide to count")
    expect(page.locator(".voice")).to_have_attribute("data-tone", "plain")
    page.get_by_role("button", name="Clear").click()
    expect(state(page)).to_have_text("Possible")


def test_why_is_answered_as_in_play(visit: Visiting) -> None:
    tab = analyse(visit, SQUARE)
    page = tab.page
    view = mp.View.parse(SQUARE)
    cell = min(mp.analyze(view).safe)
    tab.cell(cell).focus()
    page.keyboard.press("w")
    proof = mp.explain(view, cell)
    assert isinstance(proof, Proof)
    assert proof.technique.name == f"{len(proof.premises)} clues"
    # The number of clues is told once, in one wording.
    expect(page.locator(".voice-text")).to_have_text(proof.summary)
    expect(page.locator(".voice-chips .chip")).to_have_count(0)
    expect(page.locator(".layer.premise .ring").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".layer.premise .ring")).to_have_count(0)
    expect(tab.cell(cell)).to_be_focused()


def test_what_is_supposed_is_drawn_apart_and_ends_with_its_case(visit: Visiting) -> None:
    position = (ROOT / "docs/pictures/proofs/10.txt").read_text(encoding="utf-8")
    view = mp.View.parse(position)
    proof = mp.explain(view, (0, 3))
    assert isinstance(proof, Proof)
    assert proof.cell is not None
    tab = analyse(visit, position)
    page = tab.page
    tab.cell(proof.cell).focus()
    page.keyboard.press("w")
    expect(page.locator(".voice-count")).to_have_text(f"{len(proof.steps)} steps")
    expect(page.locator(".voice-text")).to_have_text(proof.summary)
    listed = page.locator(".voice-list li > span").all_inner_texts()
    assert listed == [step.sentence for step in proof.steps]
    expect(page.locator(".voice-chips .chip")).to_have_text(["case split"])
    held: dict[tuple[int, ...], dict[int, bool]] = {}
    for number, step in enumerate(proof.steps, 1):
        page.keyboard.press("ArrowRight")
        expect(page.locator(".voice-text")).to_have_text(step.sentence)
        under = (*step.under, number) if step.kind.assumes else step.under
        held.setdefault(under, {}).update(step.decides)
        here = [found for of, found in held.items() if of and set(of) <= set(under)]
        mines = [mine for found in here for mine in found.values()]
        expect(page.locator(".layer.if-mine .ring")).to_have_count(sum(mines))
        expect(page.locator(".layer.if-safe .ring")).to_have_count(len(mines) - sum(mines))
        for cell, mine in step.decides.items() if under else ():
            assert ("supposed a mine" if mine else "supposed safe") in tab.label(cell)
        expect(page.locator(".layer.safe .ring")).to_have_count(0 if under else 1)
    page.keyboard.press("Escape")
    for layer in ("used", "premise", "safe", "if-safe", "if-mine"):
        expect(page.locator(f".layer.{layer} .ring")).to_have_count(0)


def test_every_topology_can_be_edited(visit: Visiting) -> None:
    tab = analyse(visit, SMALL)
    page = tab.page
    page.get_by_label("Shape of the board").select_option("text")
    boards = {name: f"{name}:{LATTICES[name].example}/3" for name in LATTICES}
    boards["square"] = "square:4x4#0,0/3"
    boards["graph"] = "graph:0-1,1-2,2-0,2-3/1"
    boards["triangle"] = "triangle:3x6/3"
    boards["cube"] = "cube:2x3x3/3"
    for name, board in boards.items():
        page.get_by_label("Board, as text").fill(board)
        page.get_by_role("button", name="Empty board").click()
        read = Board.parse(board)
        empty = mp.View(read.topology, Rules(mines=read.mines)).text
        assert empty.startswith(f"{name} ")
        expect(text_of(page)).to_have_value(empty)
        most = page.locator("[name=paint]").count() - 5
        page.locator(".paint input").nth(2 + most).check()
        degrees = notation.parse(text_of(page).input_value()).topology.degrees
        cell = int(degrees.argmax())
        tab.cell(cell).click()
        expect(tab.cell(cell)).to_have_attribute("aria-label", re.compile(f"open, {most}"))
        view = notation.parse(text_of(page).input_value())
        assert {open_cell: view.clue(open_cell) for open_cell in view.opened} == {cell: most}


def test_from_play_a_position_is_analysed(visit: Visiting) -> None:
    tab = visit("play?board=square:5x5/3&first=opening&seed=1")
    tab.cell(12).click()
    expect(tab.cell(12)).to_have_attribute("aria-label", re.compile("open"))
    before = [label.split(", ")[2] for label in tab.labels().values()]
    tab.page.get_by_role("button", name="Analyse this position").click()
    expect(state(tab.page)).to_have_text("Possible")
    assert [label.split(", ")[2] for label in tab.labels().values()] == before


def test_a_view_that_is_being_left_does_not_write_the_address(visit: Visiting) -> None:
    tab = analyse(visit, SMALL)
    page = tab.page
    held: list[Route] = []
    page.route(re.compile("/views/watch.js"), lambda route: held.append(route))
    page.get_by_role("link", name="Watch", exact=True).click()
    page.get_by_label("Clue 2", exact=True).check()
    tab.cell(0).click()
    expect(tab.cell(0)).to_have_attribute("aria-label", re.compile("open, 2"))
    page.wait_for_timeout(500)  # what is painted is written into the address a moment later
    assert page.url.endswith("#/watch")
    while not held:
        page.wait_for_timeout(10)
    held.pop().continue_()
    expect(page.locator(".view-watch")).to_be_visible()


@pytest.mark.parametrize(("device", "scheme"), [({}, "light"), (PHONE, "dark")])
def test_an_audit_finds_nothing_serious(
    visit: Visiting, audit: Any, device: Any, scheme: str
) -> None:
    tab = analyse(visit, HEX, color_scheme=scheme, **device)
    if device is PHONE:
        tab.page.get_by_label("Clue 1", exact=True).tap()
        tab.cell(7).tap()
        expect(tab.cell(7)).to_have_attribute("aria-label", re.compile("open, 1"))
        paste(tab.page, CLASH)
        expect(state(tab.page)).to_have_text("Impossible")
    assert audit(tab.page) == []
    for width, height in SIZES:
        tab.page.set_viewport_size({"width": width, "height": height})
        fits = "(width) => document.documentElement.scrollWidth <= width"
        tab.page.wait_for_function(fits, arg=width)


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_an_example_is_seen_where_it_was_chosen_far_below(
    visit: Visiting, size: tuple[int, int]
) -> None:
    tab = visit("analyse", viewport={"width": size[0], "height": size[1]})
    page = tab.page
    example = page.get_by_label("Example")
    example.scroll_into_view_if_needed()
    example.select_option(label="An impossible position")
    expect(page.locator(".view-analyse .voice h2")).to_have_text("Impossible")
    seen = ".view-analyse .voice h2" if size[0] > 1000 else ".view-analyse .state"
    expect(page.locator(seen)).to_be_in_viewport(ratio=1)


def examples() -> dict[str, str]:
    """The examples that the page offers, by their titles."""
    script = Path(mp.__file__).parent / "web" / "static" / "views" / "analyse-exchange.js"
    part = script.read_text().split("export const EXAMPLES = [")[1].split("\n];")[0]
    return dict(re.findall(r'"([^"]+)",\n\s+`([^`]+)`', part))


def test_examples_do_what_their_titles_say() -> None:
    found = {title: mp.View.parse(f"{text}\n") for title, text in examples().items()}
    assert len(found) == 6
    middle = found.pop("In the middle of a game")
    assert len(mp.analyze(middle).safe) > 0
    wall = found.pop("1-2-1 along a wall")
    assert "12121" in wall.text
    assert len(mp.analyze(wall).mines) > 0
    guess = mp.analyze(found.pop("Two cells, one mine: a guess"))
    hidden = [cell for cell, chance in enumerate(guess.p) if 0 < chance < 1]
    assert (len(hidden), guess.p[hidden[0]], guess.p[hidden[1]]) == (2, 0.5, 0.5)
    assert guess.solutions == 2
    with pytest.raises(InconsistentPosition):
        mp.analyze(found.pop("An impossible position"))
    total = found.pop("Only the total decides")
    told = mp.analyze(total)
    unknown = re.sub(r"mines=\d+", "mines=unknown density=0.5", total.text)
    untold = mp.analyze(mp.View.parse(unknown))
    undecided = [cell for cell, chance in enumerate(untold.p) if 0 < chance < 1]
    assert undecided
    assert all(told.p[cell] in (0, 1) for cell in undecided)
    assert found.pop("Hexagons").topology.name.startswith("hex")
    assert not found
