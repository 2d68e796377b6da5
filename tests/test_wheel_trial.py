"""What `make test-wheels` would run, read from the pages."""

from __future__ import annotations

import re

import pytest

from tools import trial


@pytest.mark.parametrize("page", trial.PAGES)
def test_every_line_for_a_shell_is_run_or_is_for_a_clone(page: str) -> None:
    shell = [text for kind, text in trial.blocks(page) if kind in {"sh", "console"}]
    told = [line.removeprefix("$ ") for text in shell for line in text.splitlines()]
    tried = list(trial.commands(page))
    assert tried
    assert all(line.startswith(("make ", ".venv/")) for line in told if line not in tried)
    assert set(tried) <= set(told)


def test_the_start_page_is_tried_whole() -> None:
    lines = list(trial.commands("docs/index.md"))
    assert "pip install mineproof" in lines
    assert "mineproof coach" in lines
    assert len([line for line in lines if line.startswith("printf")]) == 2
    assert not [line for line in lines if line.startswith("make")]


def test_the_signature_is_the_changelogs() -> None:
    assert re.fullmatch(r"[0-9a-f]{8}", trial.signature())
