"""A page as one HTML text that needs nothing else: no network, no other file.

Figures are inline SVG and take the page's colours, light or dark; small pictures are images of
their own, whose styles stay inside; data and figures can be saved from `data:` links. Every name
and sentence is escaped. A policy inside the page forbids it to load anything.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import assert_never
from urllib.parse import quote

from mineproof.errors import LabError, quoted
from mineproof.files import write_text
from mineproof.lab.figures.svg import saved_svg
from mineproof.lab.report.content import (
    Agreement,
    Block,
    Cell,
    Claims,
    Estimate,
    Figure,
    Page,
    Section,
    Strip,
    Table,
    Text,
    cell_text,
)

__all__ = ["render", "whole_page", "write_page"]

_WORDS_FROM = 36
_SUMMARY = ("what", "published", "here", "outcome")


def write_page(page: Page, folder: str | Path) -> Path:
    """Write `index.html`, and beside it every figure as SVG and all data as CSV.

    Each file is written aside and renamed. Raises LabError where the disk does not take it.
    """
    base = Path(folder)
    for section in page.sections:
        for block in section.blocks:
            if isinstance(block, Figure):
                _write(base / "figures" / f"{block.name}.svg", saved_svg(block.svg))
            if isinstance(block, Table | Figure):
                table = block.data if isinstance(block, Figure) else block
                _write(base / "data" / f"{table.name}.csv", table.csv)
    path = base / "index.html"
    _write(path, render(page))
    return path


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, text)
    except OSError as error:
        raise LabError(f"{quoted(str(path))} cannot be written: {error.strerror}") from None


def render(page: Page) -> str:
    """The page as HTML."""
    parts = [
        *(f"<p>{escape(text)}</p>" for text in page.introduction),
        *_contents(page.sections),
        *(_section(section) for section in page.sections),
        *_colophon(page),
    ]
    return whole_page(page.title, "page.css", "page.js", parts)


def whole_page(title: str, style: str, script: str, parts: Sequence[str]) -> str:
    """Parts of a page under their title, with a style and a script from beside this file.

    The page runs that script and no other, and asks nobody for anything.
    """
    code = _resource(script)
    policy = (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline';"
        f" script-src 'sha256-{b64encode(sha256(code.encode()).digest()).decode()}'"
    )
    lines = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<link rel="icon" href="data:,">',
        f"<title>{escape(title)}</title>\n<style>{_resource(style)}</style>\n</head>\n<body>",
        f"<main>\n<h1>{escape(title)}</h1>",
        *parts,
        f"</main>\n<script>{code}</script>\n</body>\n</html>",
    ]
    return "\n".join(lines) + "\n"


def _resource(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _contents(sections: Sequence[Section]) -> Iterator[str]:
    yield "<nav>"
    for section in sections:
        yield f'<a href="#{escape(section.name)}">{escape(section.title)}</a>'
    yield '<a href="#how">How this page was made</a></nav>'
    rows = [(section.name, line) for section in sections for line in section.summary]
    if not rows:
        return
    yield f'{_scroll("Summary")}<table class="summary"><thead><tr>'
    yield "".join(_head(name, False) for name in ("report", *_SUMMARY))
    yield "</tr></thead><tbody>"
    for name, (what, published, ours, outcome) in rows:
        yield (
            f'<tr>{_cell(name)}<td class="words" data-key="{escape(what)}">{escape(what)}</td>'
            f"{_cell(published)}{_cell(ours)}"
            f'<td data-key="{outcome.value}">{_outcome(outcome)}</td></tr>'
        )
    yield "</tbody></table></div>"


def _section(section: Section) -> str:
    name = escape(section.name)
    parts = [f'<section id="{name}">\n<h2>{escape(section.title)}</h2>']
    parts += [part for block in section.blocks for part in _block(block)]
    return "\n".join([*parts, "</section>"])


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Text):
        yield f"<p>{escape(block.text)}</p>"
    elif isinstance(block, Table):
        yield f"<h3>{escape(block.title)}</h3>"
        yield from _table(block)
        yield f'<p class="get">{_data_link(block)}</p>'
        yield from _note(block.note)
    elif isinstance(block, Figure):
        yield f"<h3>{escape(block.title)}</h3>"
        yield f'<figure tabindex="0">{block.svg}</figure>'
        picture = _link(f"{block.name}.svg", "image/svg+xml", saved_svg(block.svg), "Figure (SVG)")
        yield f'<p class="get">{picture}{_data_link(block.data)}</p>'
        yield from _note(block.note)
    elif isinstance(block, Claims):
        yield f'<h3>{escape(block.title)}</h3>\n<ul class="claims">'
        for claim in block.items:
            yield (
                f'<li><p class="said">{escape(claim.said)}</p><p class="evidence">'
                f"{_outcome(claim.outcome)}: {escape(claim.evidence)}</p></li>"
            )
        yield "</ul>"
    elif isinstance(block, Strip):
        yield f'<h3>{escape(block.title)}</h3>\n<div class="strip">'
        for caption, svg in block.pictures:
            source = f"data:image/svg+xml,{quote(svg)}"
            words = escape(caption)
            yield (
                f'<figure><img src="{source}" alt="{words}">'
                f"<figcaption>{words}</figcaption></figure>"
            )
        yield "</div>"
    else:
        assert_never(block)


def _table(table: Table) -> Iterator[str]:
    numeric = [
        all(not isinstance(row[place], str) for row in table.rows)
        for place in range(len(table.columns))
    ]
    yield f"{_scroll(table.title)}<table><thead><tr>"
    yield "".join(_head(name, right) for name, right in zip(table.columns, numeric, strict=True))
    yield "</tr></thead><tbody>"
    for row in table.rows:
        yield f"<tr>{''.join(map(_cell, row))}</tr>"
    yield "</tbody></table></div>"


def _scroll(label: str) -> str:
    """The start of a box that scrolls sideways, by keys too."""
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(label)}">'


def _head(name: str, number: bool) -> str:
    kind = ' class="number"' if number else ""
    return f'<th scope="col"{kind}><button type="button">{escape(name)}</button></th>'


def _cell(cell: Cell) -> str:
    if isinstance(cell, Estimate):
        value, _, interval = cell.text.partition(" (")
        shown = f'{escape(value)} <span class="interval">({escape(interval)}</span>'
        return f'<td class="number" data-key="{cell.value}">{shown}</td>'
    text = escape(cell_text(cell))
    if isinstance(cell, str) or cell is None:
        kind = ' class="words"' if len(text) >= _WORDS_FROM else ""
        return f'<td{kind} data-key="{text}">{text}</td>'
    return f'<td class="number" data-key="{cell}">{text}</td>'


def _outcome(outcome: Agreement) -> str:
    kind = {True: "good", False: "bad", None: "open"}[outcome.good]
    return f'<span class="outcome {kind}">{escape(outcome.value)}</span>'


def _note(note: str) -> Iterator[str]:
    if note:
        yield f'<p class="note">{escape(note)}</p>'


def _data_link(table: Table) -> str:
    return _link(f"{table.name}.csv", "text/csv", table.csv, "Data (CSV)")


def _link(name: str, kind: str, content: str, label: str) -> str:
    target = f"data:{kind};charset=utf-8,{quote(content)}"
    return f'<a download="{escape(name)}" href="{target}">{escape(label)}</a>'


def _colophon(page: Page) -> Iterator[str]:
    yield '<section id="how"><h2>How this page was made</h2><dl>'
    for name, value in page.facts:
        yield f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>"
    yield "</dl>"
    for name, text in page.specs:
        yield (
            f"<details><summary>Experiment {escape(name)}</summary>"
            f'<pre tabindex="0">{escape(text)}</pre></details>'
        )
    yield "</section>"
