"""The moving picture of the README is a real game; the gallery's pictures are of its positions."""

from __future__ import annotations

import importlib.util
import re
import sys
import xml.etree.ElementTree as ElementTree
from types import ModuleType

import pytest

import mineproof as mp
from tests.core import needs_core
from tools.docsite.staging import ROOT

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
