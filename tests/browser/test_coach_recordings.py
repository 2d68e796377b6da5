"""Recorded games of other programs in Review, in a real browser: dropped, replayed, played on."""

from __future__ import annotations

import re
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import mineproof as mp
from tests.replay.encoders import ENCODERS, random_game

pytestmark = pytest.mark.browser

GAME = Path(__file__).parents[2] / "examples" / "recorded_game.rawvf"
DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
  const drop = new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true});
  document.querySelector(".view-review").dispatchEvent(drop);
}"""
COUNT = ".view-review .move-count"


def drop(page: Any, name: str, data: bytes) -> None:
    page.evaluate(DROP, [name, b64encode(data).decode()])


def opened(visit: Any) -> tuple[Any, mp.Replay]:
    """The game of the docs, chosen as a file."""
    tab = visit("review", shows=".nothing h2")
    tab.page.get_by_label("A recorded game", exact=True).set_input_files(GAME)
    replay = mp.Replay.read(GAME)
    expect(tab.page.locator(".view-review .move")).to_have_count(len(replay.transcript.steps))
    return tab, replay


def test_a_recording_is_replayed_by_its_mouse_and_played_on(visit: Any) -> None:
    tab, replay = opened(visit)
    page = tab.page
    moves = replay.played.moves
    expect(page.locator(".view-review .game-name")).to_contain_text(replay.player)
    # Any moment: between the sixth and the seventh move the board has six.
    slider = page.get_by_role("slider", name="Time")
    slider.fill(f"{(moves[5].time + moves[6].time) / 2000:.2f}")
    expect(page.locator(COUNT)).to_have_text(f"Move 6 of {len(moves)}")
    expect(page.locator(".mouse-arrow")).to_be_attached()
    assert len(page.locator(".mouse-way").get_attribute("d") or "") > 10
    # From there it runs on by itself, at four times its speed, to the end.
    page.get_by_label("Speed").select_option("4")
    page.get_by_role("button", name="Replay", exact=True).click()
    expect(page.locator(COUNT)).to_have_text(f"Move {len(moves)} of {len(moves)}")
    expect(page.get_by_role("button", name="Replay", exact=True)).to_be_visible()
    # Statistics with their meanings.
    page.get_by_text("Statistics", exact=True).click()
    row = page.locator(".measures > div").filter(has=page.get_by_text("Best ZiNi", exact=True))
    expect(row).to_contain_text(str(replay.statistics.best_zini.clicks))
    expect(row).to_contain_text("the fewest clicks")
    # The same board from after the fourth move, which is what is shown.
    page.locator(".view-review .move").nth(3).click()
    page.get_by_role("button", name="Play on from here").click()
    expect(page.locator(".view-play .state")).to_have_text("Playing · practice")
    views = list(replay.transcript.views())
    before, mine = views[4], next(iter(replay.layout.cells))
    for cell in replay.layout.topology.cells:
        shown = "hidden" if cell in before.hidden else "open"
        assert shown in tab.label(cell), cell
    page.reload()
    expect(page.locator(".view-play .state")).to_have_text("Playing · practice")
    tab.cell(mine).click()
    expect(page.locator(".view-play .state")).to_have_text("Lost · practice")


@pytest.mark.parametrize("version", ["avf", "evf4", "rmv2", "mvf 2007"])
def test_a_dropped_file_is_reviewed(visit: Any, version: str) -> None:
    tab = visit("review", shows=".nothing h2")
    tab.forgiven = "400"
    ending, encode = ENCODERS[version]
    data = encode(random_game(4))
    drop(tab.page, f"game.{ending}", data)
    steps = mp.Replay.parse(data, f"game.{ending}").transcript.steps
    expect(tab.page.locator(".view-review .move")).to_have_count(len(steps))
    # A damaged one says where it stopped, and what is looked at stays.
    drop(tab.page, f"cut.{ending}", data[: len(data) // 2])
    expect(tab.page.get_by_text(re.compile(r"cut\.\w+: Stopped at byte \d+"))).to_be_visible()
    expect(tab.page.locator(".view-review .move")).to_have_count(len(steps))


def test_a_game_of_the_coach_has_statistics_too(visit: Any) -> None:
    tab = visit("play?board=4x4/1&first=safe&seed=1")
    tab.cell(0).click()
    page = tab.page
    for cell in range(16):
        if page.locator(".view-play .state").inner_text().startswith("Playing"):
            tab.cell(cell).click()
    expect(page.locator(".view-play .state")).to_have_text(re.compile("Won|Lost"))
    page.get_by_role("button", name="Review").click()
    page.get_by_text("Statistics", exact=True).click()
    names = page.locator(".measures dt").all_inner_texts()
    assert {"3BV", "ZiNi", "Left", "ThrP"} <= {*names}
    assert not {"Path", "Corr", "Lost"} & {*names}
