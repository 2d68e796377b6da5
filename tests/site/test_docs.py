"""The site in the documentation, under play/."""

from __future__ import annotations

from pathlib import Path

from tests.site.conftest import SITE
from tools.docsite.__main__ import build


def test_the_documentation_has_it_and_links_to_it(tmp_path: Path) -> None:
    assert build(tmp_path, SITE) == []
    assert 'href="play/index.html"' in (tmp_path / "site" / "index.html").read_text()
    assert (tmp_path / "site" / "play" / "service-worker.js").exists()
