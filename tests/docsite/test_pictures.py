"""The pictures: the moving one of the README, those of the gallery, and what a notebook shows."""

from __future__ import annotations

import importlib.util
import re
import sys
import xml.etree.ElementTree as ElementTree
from base64 import b64decode
from html import unescape
from types import ModuleType

import pytest

import mineproof as mp
from mineproof.text import percent
from mineproof.view.svg import MAX_NOTEBOOK, draw_svg
from tests.core import needs_core
from tools.docsite.staging import ROOT

# ------------------------------------------------------ the pictures of the README and the gallery


PICTURES = ROOT / "docs" / "pictures"


@pytest.fixture
def animation(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("animation", PICTURES / "animation.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "animation", module)
    spec.loader.exec_module(module)
    return module


@needs_core
def test_the_picture_is_that_of_the_game(animation: ModuleType) -> None:
    view, scenes, won = animation.played(animation.BOARD, animation.SEED)
    assert won
    assert all(scene.proof is not None for scene in scenes[1:-1])
    assert animation.draw(view, scenes) == (PICTURES / "game.svg").read_text(encoding="utf-8")


def test_it_moves_by_itself_and_rests_for_who_asks() -> None:
    text = (PICTURES / "game.svg").read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    moving = set(re.findall(r"animation:(\w+) ", text))
    assert moving <= set(re.findall(r"@keyframes (\w+)\{", text))
    assert "prefers-reduced-motion" in text
    assert not re.search(r"https?://(?!www\.w3\.org/)", text)
    assert not root.findall(".//{*}script")


def test_the_positions_of_the_gallery_are_those_of_its_pictures() -> None:
    for path in sorted((PICTURES / "gallery").glob("*.txt")):
        drawn = mp.analyze(mp.View.read(path))._repr_svg_()
        assert drawn == path.with_suffix(".svg").read_text(encoding="utf-8"), path.name


# ----------------------------------------------------------------- what draws itself in a notebook


POSITION = "square 3x3 mines=2\n1..\n12.\n01."


def picture(html: str) -> ElementTree.Element:
    """The picture within an answer in HTML."""
    found = re.search(r"data:image/svg\+xml;base64,([\w+/=]+)", html)
    assert found
    return ElementTree.fromstring(b64decode(found[1]))


def titles(root: ElementTree.Element) -> dict[str, str]:
    """What every cell of a picture says."""
    said = (title.text or "" for title in root.findall(".//{*}g/{*}title"))
    return dict(text.split(": ", 1) for text in said)


def test_a_view_draws_itself() -> None:
    view = mp.View.parse(POSITION)
    assert view._repr_svg_() == draw_svg(view)


def test_an_analysis_draws_its_chances() -> None:
    drawn = mp.analyze(POSITION)._repr_svg_()
    assert drawn is not None
    said = titles(ElementTree.fromstring(drawn))
    assert (said["0,2"], said["0,1"], said["1,2"]) == ("safe", "a mine", f"{percent(0.5)} mine")


def test_a_large_board_shows_its_text() -> None:
    side = int(MAX_NOTEBOOK**0.5) + 1
    view = mp.View(f"square:{side}x{side}", "mines=9")
    assert view._repr_svg_() is None
    assert mp.analyze(view)._repr_svg_() is None


def test_a_proof_draws_what_it_rests_on_and_nothing_else() -> None:
    proof = mp.explain(POSITION, (0, 2))
    assert isinstance(proof, mp.Proof)
    shown = proof._repr_html_()
    said = titles(picture(shown))
    assert "premise" in said["1,1"]
    assert "proved safe" in said["0,2"]
    # 1,0 shows a 1 in the position, which the proof does not use.
    assert said["1,0"] == "hidden, no part of the proof"
    assert proof.text in unescape(shown)


def test_a_proof_by_the_total_says_so() -> None:
    proof = mp.explain("square 1x4 mines=1\n1...", (0, 3))
    assert isinstance(proof, mp.Proof)
    assert "mines=1" in proof._repr_html_()


def test_no_proof_draws_two_solutions() -> None:
    doubt = mp.explain(POSITION, (1, 2))
    assert isinstance(doubt, mp.NoProof)
    shown = doubt._repr_html_()
    said = titles(picture(shown))
    assert "a mine in every solution shown" in said["0,1"]
    assert {said["1,2"], said["2,2"]} == {
        "hidden, a mine in the first solution",
        "hidden, a mine in another solution",
    }
    assert doubt.text in unescape(shown)


def test_a_proof_on_a_huge_board_has_sentences_alone() -> None:
    rows = ["1" + "." * 10_000, "11" + "." * 9_999]
    proof = mp.explain("square 2x10001 mines=50\n" + "\n".join(rows), (0, 1))
    assert isinstance(proof, mp.Proof)
    assert "<img" not in proof._repr_html_()
    assert proof.text in unescape(proof._repr_html_())


def test_a_comparison_is_a_table_with_intervals() -> None:
    found = mp.compare(["random", "single-point"], "5x5/4", games=10, seed=1)
    root = ElementTree.fromstring(found._repr_html_())
    agents, pairs = root.findall("table")
    rows = [[cell.text for cell in row] for row in agents.findall("tbody/tr")]
    assert [row[0] for row in rows] == ["random", "single-point"]
    assert rows[1][2] == f"{100 * found.results[1].rate:.1f}"
    assert len(agents.findall(".//circle")) == 2
    assert pairs.findtext("tbody/tr/td") == "random - single-point"


def test_a_comparison_over_boards_has_a_row_for_each() -> None:
    found = mp.compare(["random", "single-point"], "5x5/2..4:2", games=3, seed=1)
    root = ElementTree.fromstring(found._repr_html_())
    rows = root.find("table").findall("tbody/tr")  # type: ignore[union-attr]
    assert [row.findtext("td") for row in rows] == ["square:5x5/2", "square:5x5/4"] * 2


def test_names_are_no_markup() -> None:
    class Odd:
        """An agent whose name is markup."""

        __name__ = "<b>odd</b>"

        def act(self, view: mp.View) -> int:
            return view.hidden[0]

    Odd.__name__ = Odd.__qualname__ = "<b>odd</b>"
    found = mp.compare([Odd, "random"], "5x5/4", games=2, seed=1)
    assert "<b>odd" not in found._repr_html_()
    assert "odd" in found._repr_html_()
