"""The notebooks run, hold no outputs, and show what draws itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.core import needs_core
from tools.docsite.notebook_page import notebook_page, run_notebook
from tools.docsite.staging import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def test_there_are_two() -> None:
    assert len(NOTEBOOKS) >= 2


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_kept_without_outputs(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(ids) == len(set(ids))


@needs_core
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_and_draws(path: Path) -> None:
    cells = list(run_notebook(path))
    assert cells[0].kind == "markdown"
    assert sum(cell.drawn is not None for cell in cells) >= 3


def test_a_page_has_what_cells_print_and_show(tmp_path: Path) -> None:
    class_cell = "class Drawn:\n    def _repr_svg_(self):\n        return '<svg/>'\nDrawn()"
    cells = [
        {"cell_type": "markdown", "source": ["# A title"]},
        {"cell_type": "code", "source": ["print('said')\n", "6 * 7"]},
        {"cell_type": "code", "source": [class_cell]},
    ]
    path = tmp_path / "one.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    page = notebook_page(path, tmp_path / "pictures")
    assert page.startswith(
        "# A title\n\n```python\nprint('said')\n6 * 7\n```\n\n```text\nsaid\n```"
    )
    assert "```text\n42\n```" in page
    assert "![What the cell shows](one-2.svg)" in page
    assert (tmp_path / "pictures" / "one-2.svg").read_text() == "<svg/>"
