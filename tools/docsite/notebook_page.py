"""Notebooks: run without Jupyter, and written as pages with what they show.

A cell is run as IPython runs it: its last expression is shown, as a picture or a table where its
value draws itself, else as its repr. Notebooks are kept without outputs, so nothing in them is old.
"""

from __future__ import annotations

import ast
import io
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Cell", "notebook_page", "run_notebook"]


@dataclass(frozen=True)
class Cell:
    """A cell of a notebook that was run: its source, what it printed and the value it showed."""

    kind: str
    source: str
    printed: str = ""
    value: object = None

    @property
    def drawn(self) -> tuple[str, str] | None:
        """How the value draws itself: `svg` or `html`, and its text."""
        for kind in ("html", "svg"):
            text = getattr(self.value, f"_repr_{kind}_", lambda: None)()
            if text is not None:
                return kind, str(text)
        return None


def run_notebook(path: Path) -> Iterator[Cell]:
    """The cells of a notebook, run one after the other. Raises what a cell raises."""
    names: dict[str, Any] = {"__name__": path.stem}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] != "code":
            yield Cell("markdown", source)
            continue
        printed = io.StringIO()
        with redirect_stdout(printed):
            value = _run(source, str(path), names)
        yield Cell("code", source, printed.getvalue(), value)


def _run(source: str, file: str, names: dict[str, Any]) -> object:
    """Run a cell; the value of its last expression, if it ends with one."""
    tree = ast.parse(source, file)
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr):
        exec(compile(tree, file, "exec"), names)
        return None
    tree.body.pop()
    exec(compile(tree, file, "exec"), names)
    return eval(compile(ast.Expression(last.value), file, "eval"), names)  # noqa: S307


def notebook_page(path: Path, pictures: Path) -> str:
    """The page of a notebook; its pictures are written into a folder beside it."""
    pictures.mkdir(parents=True, exist_ok=True)
    parts: list[str] = []
    for number, cell in enumerate(run_notebook(path)):
        if cell.kind == "markdown":
            parts.append(cell.source)
            continue
        parts.append(f"```python\n{cell.source}\n```")
        if cell.printed:
            parts.append(f"```text\n{cell.printed.rstrip()}\n```")
        if cell.drawn is not None:
            kind, text = cell.drawn
            if kind == "html":
                parts.append(f'<div class="shown" markdown="0">{text}</div>')
            else:
                name = f"{path.stem}-{number}.svg"
                (pictures / name).write_text(text, encoding="utf-8")
                parts.append(f"![What the cell shows]({name})")
        elif cell.value is not None:
            parts.append(f"```text\n{cell.value!r}\n```")
    parts.append(f"[This notebook as a file]({path.name}), to be run in Jupyter.")
    return "\n\n".join(parts) + "\n"
