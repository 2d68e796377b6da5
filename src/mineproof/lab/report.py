"""A report as data, and the one self-contained page it becomes."""

from __future__ import annotations

import csv
import io
import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias, assert_never
from urllib.parse import quote

from mineproof.errors import LabError, quoted
from mineproof.files import write_text
from mineproof.game.annotate import KnowledgeSize
from mineproof.game.narration import (
    PREMISE,
    Frame,
    counts_text,
    dealt_layout,
    ending_text,
    final_tints,
    frames,
    kinds_text,
    steps_by_kind,
)
from mineproof.game.rows import Total
from mineproof.game.transcript import Transcript
from mineproof.lab.comparison import Comparison, other_measures
from mineproof.lab.figures import comparison_figure, figure_style, saved_svg, svg_text
from mineproof.lab.results import Result, totals_of
from mineproof.lab.statistics import Mean
from mineproof.text import many
from mineproof.view.svg import CellTint, draw_svg, look_of
from mineproof.view.view import View

__all__ = [
    "Agreement",
    "Block",
    "Card",
    "Cell",
    "Claims",
    "Estimate",
    "Figure",
    "Page",
    "Part",
    "ReportClaim",
    "Section",
    "Strip",
    "SummaryLine",
    "Table",
    "Text",
    "render",
    "write_page",
]


# ----------------------------------------------------------------------------
# What a report says: sections of texts, tables, figures, claims and pictures.
#
# Nothing here is HTML; names and sentences are plain text and are escaped where they are written.


@dataclass(frozen=True)
class Estimate:
    """A measured number with its 95 % interval; `percent` where it is a share.

    `games` are those that a share counts, where each of them stands alone.
    """

    value: float
    low: float
    high: float
    percent: bool = False
    digits: int = 1
    games: int | None = None

    @property
    def text(self) -> str:
        """`54.4 % (51.3 to 57.5)`"""
        scale, sign = (100, " %") if self.percent else (1, "")
        value, low, high = (
            f"{scale * number:.{self.digits}f}" for number in (self.value, self.low, self.high)
        )
        return f"{value}{sign} ({low} to {high})"

    def __str__(self) -> str:
        return self.text


Cell: TypeAlias = str | int | float | Estimate | None
"""What stands in a table; None where there is nothing to say."""


def cell_text(cell: Cell) -> str:
    """A cell for people."""
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:.3g}" if abs(cell) < 1000 else f"{cell:,.0f}"
    if isinstance(cell, int):
        return f"{cell:,}"
    return str(cell)


@dataclass(frozen=True)
class Table:
    """A table; `name` names its CSV."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    @property
    def csv(self) -> str:
        """The table as CSV; an estimate takes three columns."""
        wide = [
            any(isinstance(row[place], Estimate) for row in self.rows)
            for place in range(len(self.columns))
        ]
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        header: list[str] = []
        for column, estimated in zip(self.columns, wide, strict=True):
            header += [column, f"{column} low", f"{column} high"] if estimated else [column]
        writer.writerow(header)
        for row in self.rows:
            line: list[object] = []
            for cell, estimated in zip(row, wide, strict=True):
                if isinstance(cell, Estimate):
                    line += [cell.value, cell.low, cell.high]
                else:
                    line += ["" if cell is None else cell, *([""] * (2 * estimated))]
            writer.writerow(line)
        return file.getvalue()


@dataclass(frozen=True)
class Figure:
    """A figure as SVG text, with the numbers it shows."""

    name: str
    title: str
    svg: str
    data: Table
    note: str = ""


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str


class Agreement(Enum):
    """What a test of a published claim or number came to."""

    HOLDS = "holds"
    FAILS = "does not hold"
    NOTHING = "no difference"
    OPEN = "undecided"
    AGREES = "agrees"
    DIFFERS = "differs"
    NONE = "no comparison"

    @property
    def good(self) -> bool | None:
        """Whether it speaks for what was published; None where it says nothing."""
        if self in (Agreement.NOTHING, Agreement.OPEN, Agreement.NONE):
            return None
        return self in (Agreement.AGREES, Agreement.HOLDS)


MEANINGS = {
    Agreement.HOLDS: "The 95 % interval lies where the claim says.",
    Agreement.FAILS: "The interval excludes what the claim says.",
    Agreement.NOTHING: "The interval excludes every difference as large as the margin beside the"
    " verdict, either way.",
    Agreement.OPEN: "The interval allows more than one of these. A quick run leaves only what"
    " --full decides.",
    Agreement.AGREES: "A published number and ours differ by no more than chance explains, in as"
    " many games as each counts.",
    Agreement.DIFFERS: "They differ by more than that.",
    Agreement.NONE: "Nothing was published for it, or only for other boards.",
}
"""What each verdict means, for readers: first those on claims, then those on numbers."""


@dataclass(frozen=True)
class ReportClaim:
    """What a report says, what was found, on which evidence and under which rules.

    `margin` is the difference that counts as none, in words.
    """

    said: str
    outcome: Agreement
    evidence: str
    rules: str = ""
    margin: str = ""

    @property
    def line(self) -> SummaryLine:
        """The claim in the table of all claims, with the first part of its evidence."""
        here = self.evidence.partition(";")[0]
        return SummaryLine(self.said, self.rules, "claimed", here, self.outcome, self.margin)


@dataclass(frozen=True)
class SummaryLine:
    """One published number or claim, under which rules it was tried, what came out and how it
    compares."""

    what: str
    rules: str
    published: str
    here: str
    outcome: Agreement
    margin: str = ""

    @property
    def verdict(self) -> str:
        return verdict_text(self.outcome, self.margin)


def verdict_text(outcome: Agreement, margin: str = "") -> str:
    """The verdict in words, `no difference above 0.02` where that is what was found."""
    told = margin if outcome is Agreement.NOTHING else ""
    return f"{outcome.value} above {told}" if told else outcome.value


@dataclass(frozen=True)
class Claims:
    """Claims of a report, tested."""

    title: str
    items: tuple[ReportClaim, ...]


@dataclass(frozen=True)
class Strip:
    """Small pictures in a row, each an SVG text under its caption."""

    title: str
    pictures: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Part:
    """A question of a report, what was found, and the blocks that show it."""

    title: str
    answer: str
    blocks: tuple[Block, ...]


Block: TypeAlias = Text | Table | Figure | Claims | Strip | Part


@dataclass(frozen=True)
class Card:
    """The headline of a report on the first screen: its question, drawn, and a verdict in words.

    `caption` says what the small figure `svg` shows.
    """

    question: str
    svg: str
    caption: str
    outcome: Agreement
    words: str
    margin: str = ""


@dataclass(frozen=True)
class Section:
    """One part of the page; `numbers` are its published numbers in the table of all claims."""

    name: str
    title: str
    blocks: tuple[Block, ...]
    numbers: tuple[SummaryLine, ...] = ()
    card: Card | None = None

    @property
    def all_blocks(self) -> tuple[Block, ...]:
        """The blocks, with those inside of parts in their place."""
        return tuple(_flat(self.blocks))

    @property
    def summary(self) -> tuple[SummaryLine, ...]:
        """A line for every number and every claim that was tested."""
        claims = [
            claim for one in self.all_blocks if isinstance(one, Claims) for claim in one.items
        ]
        return (*self.numbers, *(claim.line for claim in claims))


def _flat(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, Part):
            yield from _flat(block.blocks)
        else:
            yield block


@dataclass(frozen=True)
class Page:
    """A whole report; `facts` are pairs such as versions and commands."""

    title: str
    introduction: tuple[str, ...]
    sections: tuple[Section, ...]
    facts: tuple[tuple[str, str], ...]
    specs: tuple[tuple[str, str], ...] = ()
    """The experiments, each with its name and its text."""


# ----------------------------------------------------------------------------
# A page as one HTML text that needs nothing else: no network, no other file.
#
# Figures are inline SVG and take the page's colours, light or dark; small pictures are images of
# their own, whose styles stay inside; data and figures can be saved from `data:` links. Every name
# and sentence is escaped. A policy inside the page forbids it to load anything.

_WORDS_FROM = 36
_WIDE_FROM = 7
"""A table of as many columns takes the whole width of the window."""
_SUMMARY = ("report", "what", "rules", "published", "here", "verdict")


def write_page(page: Page, folder: str | Path) -> Path:
    """Write `index.html`, and beside it every figure as SVG and all data as CSV.

    Each file is written aside and renamed. Raises LabError where the disk does not take it.
    """
    base = Path(folder)
    for section in page.sections:
        for block in section.all_blocks:
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
    lines = [(section.name, line) for section in page.sections for line in section.summary]
    parts = [
        *(f"<p>{escape(text)}</p>" for text in page.introduction),
        *_cards(page.sections),
        *_contents(page.sections, bool(lines)),
        *(_section(section) for section in page.sections),
        *_all_claims(lines),
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


def _cards(sections: Sequence[Section]) -> Iterator[str]:
    """The first screen: a card for each report that has one."""
    cards = [(section.name, section.card) for section in sections if section.card is not None]
    if not cards:
        return
    yield '<div class="cards">'
    for name, card in cards:
        yield (
            f'<article><h2><a href="#{escape(name)}">{escape(card.question)}</a></h2>'
            f'<p class="verdict">{_outcome(card.outcome, card.margin)}: {escape(card.words)}</p>'
            f'{card.svg}<p class="note">{escape(card.caption)}</p></article>'
        )
    yield "</div>"


def _contents(sections: Sequence[Section], claims: bool) -> Iterator[str]:
    yield "<nav>"
    for section in sections:
        yield f'<a href="#{escape(section.name)}">{escape(section.title)}</a>'
    if claims:
        yield '<a href="#claims">All claims, and what the verdicts mean</a>'
    yield '<a href="#how">How this page was made</a></nav>'


def _all_claims(lines: Sequence[tuple[str, SummaryLine]]) -> Iterator[str]:
    """Every published number and every claim in one table, after what the verdicts mean."""
    if not lines:
        return
    yield '<section id="claims">\n<h2>All claims, and what the verdicts mean</h2>\n<dl>'
    for outcome, meaning in MEANINGS.items():
        yield f"<dt>{_outcome(outcome, 'a margin')}</dt><dd>{escape(meaning)}</dd>"
    yield f'</dl>\n{_scroll("All claims", wide=True)}<table class="summary"><thead><tr>'
    yield "".join(_head(name, False) for name in _SUMMARY)
    yield "</tr></thead><tbody>"
    for name, line in lines:
        texts = (escape(one) for one in (line.what, line.rules))
        words = "".join(f'<td class="words" data-key="{one}">{one}</td>' for one in texts)
        yield (
            f"<tr>{_cell(name)}{words}{_cell(line.published)}{_cell(line.here)}"
            f'<td data-key="{escape(line.verdict)}">{_outcome(line.outcome, line.margin)}</td></tr>'
        )
    yield "</tbody></table></div></section>"


def _section(section: Section) -> str:
    name = escape(section.name)
    parts = [f'<section id="{name}">\n<h2>{escape(section.title)}</h2>']
    parts += [part for block in section.blocks for part in _block(block)]
    return "\n".join([*parts, "</section>"])


def _block(block: Block, level: int = 3) -> Iterator[str]:
    """A block under a heading of its level."""
    title = "" if isinstance(block, Text) else f"<h{level}>{escape(block.title)}</h{level}>"
    if isinstance(block, Text):
        yield f"<p>{escape(block.text)}</p>"
    elif isinstance(block, Table):
        yield title
        yield from _table(block)
        yield f'<p class="get">{_data_link(block)}</p>'
        yield from _note(block.note)
    elif isinstance(block, Figure):
        yield title
        yield f'<figure tabindex="0">{block.svg}</figure>'
        picture = _link(f"{block.name}.svg", "image/svg+xml", saved_svg(block.svg), "Figure (SVG)")
        yield f'<p class="get">{picture}{_data_link(block.data)}</p>'
        yield from _note(block.note)
    elif isinstance(block, Claims):
        yield f'{title}\n<ul class="claims">'
        for claim in block.items:
            rules = f'<p class="note">{escape(claim.rules)}</p>' if claim.rules else ""
            yield (
                f'<li><p class="said">{escape(claim.said)}</p><p class="evidence">'
                f"{_outcome(claim.outcome, claim.margin)}: {escape(claim.evidence)}</p>{rules}</li>"
            )
        yield "</ul>"
    elif isinstance(block, Strip):
        yield f'{title}\n<div class="strip">'
        for caption, svg in block.pictures:
            source = f"data:image/svg+xml,{quote(svg)}"
            words = escape(caption)
            yield (
                f'<figure><img src="{source}" alt="{words}">'
                f"<figcaption>{words}</figcaption></figure>"
            )
        yield "</div>"
    elif isinstance(block, Part):
        yield f'{title}\n<p class="answer">{escape(block.answer)}</p>'
        for inner in block.blocks:
            yield from _block(inner, level + 1)
    else:
        assert_never(block)


def _table(table: Table) -> Iterator[str]:
    numeric = [
        all(not isinstance(row[place], str) for row in table.rows)
        for place in range(len(table.columns))
    ]
    wide = len(table.columns) >= _WIDE_FROM
    yield f"{_scroll(table.title, wide=wide)}<table><thead><tr>"
    yield "".join(_head(name, right) for name, right in zip(table.columns, numeric, strict=True))
    yield "</tr></thead><tbody>"
    for row in table.rows:
        yield f"<tr>{''.join(map(_cell, row))}</tr>"
    yield "</tbody></table></div>"


def _scroll(label: str, *, wide: bool = False) -> str:
    """The start of a box that scrolls sideways, by keys too."""
    kind = "scroll wide" if wide else "scroll"
    return f'<div class="{kind}" tabindex="0" role="region" aria-label="{escape(label)}">'


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


def _outcome(outcome: Agreement, margin: str = "") -> str:
    kind = {True: "good", False: "bad", None: "open"}[outcome.good]
    return f'<span class="outcome {kind}">{escape(verdict_text(outcome, margin))}</span>'


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


# ----------------------------------------------------------------------------
# One page to walk through a game: the board after every step, the reason, what was known.
#
# The board is drawn once. For every step the page holds only the cells that changed, so a long game
# on a large board stays small. It needs no network and no other file.

_LEAST_WIDE, _MOST_WIDE = 0.55, 1.5
"""How small and how large the board may get, times the picture: a narrow screen scrolls."""


def walk_page(game: Transcript, title: str, sizes: Sequence[KnowledgeSize] = ()) -> str:
    """The page of a game; `sizes` says how much the agent knew at every step.

    Raises InputError for boards too large to draw, NotationError where it cannot be replayed.
    """
    all_frames = list(frames(game))
    start = all_frames[0].view
    # Every cell gets a place for its text: a blank one, which the script fills.
    blank = dict.fromkeys(start.topology.cells, CellTint("#c9c9c9", "hidden", " "))
    picture = draw_svg(View(start.topology, start.rules), tints=blank, title=title)
    wide = int(picture.partition(' width="')[2].partition('"')[0])
    least, most = _LEAST_WIDE * wide, _MOST_WIDE * wide
    said = [_frame_texts(frame, sizes) for frame in all_frames]
    end = ending_text(game)
    data = json.dumps([*_changes(all_frames), _last(game, all_frames[-1])]).replace("<", "\\u003c")
    unsound = [number for number, step in enumerate(game.steps, 1) if step.unsound is not None]
    kinds = kinds_text(steps_by_kind(step.decision for step in game.steps), unsound)
    return whole_page(
        title,
        "walk.css",
        "walk.js",
        [
            '<p class="how">Walk with the buttons, the slider or the arrow keys; Home and End go to'
            " the ends. The cell of a step has a thick edge. The clues that prove it are blue.</p>",
            '<div class="board" tabindex="0" role="region" aria-label="The board">'
            f'<div style="min-width:{least:.0f}px;max-width:{most:.0f}px">{picture}</div></div>',
            '<div class="walk"><button id="first">First</button><button id="back">Back</button>'
            '<button id="next">Next</button><button id="last">Last</button>'
            f'<label>Step <output id="number">0</output> of {len(game.steps)}'
            f'<input id="step" type="range" min="0" max="{len(all_frames)}" value="0"></label>'
            "</div>",
            '<p id="said" aria-live="polite"></p><p id="known"></p>',
            "<noscript><p>The buttons need JavaScript; the steps are listed below.</p></noscript>",
            "<h2>The steps</h2>",
            f"<p>{escape(end)}</p>",
            *(f"<p>{escape(line)}</p>" for line in kinds),
            '<ol start="0" id="steps">',
            *(f"<li><p>{escape(text)}</p><p>{escape(more)}</p></li>" for text, more in said),
            f"<li><p>{escape(end)}</p><p>{escape(counts_text(all_frames[-1].view))}</p></li>",
            "</ol>",
            f'<script type="application/json" id="frames">{data}</script>',
        ],
    )


def _frame_texts(frame: Frame, sizes: Sequence[KnowledgeSize]) -> tuple[str, str]:
    """A frame in words: the step, and what is known."""
    more = counts_text(frame.view)
    if 0 < frame.number <= len(sizes):
        size = sizes[frame.number - 1]
        more += f"; before the step: {many(size.open_clues, 'clue')} at hidden cells"
        if size.statements is not None:
            more += f", {many(size.statements, 'statement')} in the knowledge base"
    return frame.text, more


def _changes(all_frames: Sequence[Frame]) -> Iterator[dict[str, Any]]:
    """For every frame the cells that look different from the frame before."""
    before: dict[int, tuple[str, ...]] = {}
    for frame in all_frames:
        now = {cell: look_of(frame.view, cell) for cell in _changed_cells(frame, all_frames)}
        now |= {cell: look_of(frame.view, cell, None, PREMISE) for cell in frame.premises}
        yield {
            "cells": [[cell, *look] for cell, look in now.items() if before.get(cell) != look],
            "move": frame.cell,
        }
        before |= now
        # Premises are blue in their own frame only.
        before |= dict.fromkeys(frame.premises, ())


def _changed_cells(frame: Frame, all_frames: Sequence[Frame]) -> Iterator[int]:
    """The cells that may look different from the frame before."""
    if not frame.number:
        yield from frame.view.topology.cells
        return
    before = all_frames[frame.number - 1]
    since = frame.view.opened_since(before.view)
    yield from frame.view.opened if since is None else since
    yield from before.premises
    if frame.cell is not None:
        yield frame.cell


def _last(game: Transcript, frame: Frame) -> dict[str, Any]:
    """The end: where the mines were, and wrong flags."""
    layout = dealt_layout(game)
    tints = {} if layout is None else final_tints(frame.view, layout)
    cells = {cell: look_of(frame.view, cell) for cell in frame.premises}
    cells |= {cell: look_of(frame.view, cell, None, tint) for cell, tint in tints.items()}
    return {"cells": [[cell, *look] for cell, look in cells.items()], "move": frame.cell}


# ----------------------------------------------------------------------------
# A comparison as one self-contained page: the table, the picture, the pairs, and what went wrong.
#
# What a teacher hands on: who won how many games with its interval, which agents failed and why,
# and which of them knew more than they were shown.

_MOST_PAIRS = 300
_MOST_REASONS = 20
_LUCK = (
    "The luck test: every opened cell has an exact risk, and whoever knows only what was shown"
    " meets as many mines as those risks say. An honest agent is called out with a chance below"
    " 1e-6. It is evidence, not proof."
)


def comparison_page(comparison: Comparison) -> str:
    """The page as HTML; it needs no other file. Draws with matplotlib."""
    sections = [Section("agents", "Agents", tuple(_agents(comparison)))]
    if comparison.places:
        sections.append(Section("places", "Board by board", (_places(comparison),)))
    if comparison.paired:
        sections.append(
            Section("pairs", "Two by two, on the same games", tuple(_pairs(comparison)))
        )
    if faults := tuple(_faults(comparison)):
        sections.append(Section("faults", "What went wrong", faults))
    names = [result.agent for result in comparison.results]
    deals = "" if comparison.secret is None else f" and the secret {comparison.secret}"
    unfinished = () if comparison.finished else ("Not all games were played: the run was ended.",)
    return render(
        Page(
            f"{' and '.join(names) if len(names) < 3 else f'{len(names)} agents'} on"
            f" {comparison.board}",
            (
                f"{comparison.games:,} games for each agent and board, the same deals for all.",
                *unfinished,
            ),
            tuple(sections),
            (
                ("rules", comparison.rules),
                ("deals", f"seed {comparison.seed}{deals}"),
                ("intervals", "95 %"),
            ),
        )
    )


def _agents(comparison: Comparison) -> Iterator[Block]:
    luck_test = any(result.luck is not None for result in comparison.results)
    others = other_measures(comparison)
    counts, costs = totals_of(Result, Total.COUNT), totals_of(Result, Total.COST)
    table = Table(
        "agents",
        "What the agents reached",
        (
            *("agent", "played", "won", comparison.by if comparison.by == "score" else "share won"),
            *(column.title for column in (*others, *counts)),
            *("failed", *(column.title for column in costs)),
            *(("luck p",) if luck_test else ()),
        ),
        tuple(
            (
                *(result.agent, result.played, result.won, _estimate(result.reached, comparison)),
                *(getattr(result, column.name) for column in (*others, *counts)),
                *(
                    _failure_count(result),
                    *(one.scale * getattr(result, one.name) for one in costs),
                ),
                *((None if result.luck is None else result.luck.p_value,) * luck_test),
            )
            for result in comparison.results
        ),
    )
    with figure_style():
        svg = svg_text(comparison_figure(comparison), "comparison", "The comparison as a picture")
    for result in comparison.results:
        if result.luck is not None and result.luck.implausible:
            yield Text(f"{result.agent} {result.luck.text}.")
    yield Figure("comparison", "With 95 % intervals", svg, table)
    yield table
    if any(column.name == "finer" for column in others):
        yield Text("Mines / covered cells is counted at the end of a game: 1 is a win.")
    if luck_test:
        yield Text(_LUCK)


def _places(comparison: Comparison) -> Table:
    reached = {(place.name, place.agent): place.reached for place in comparison.places}
    agents = [result.agent for result in comparison.results]
    names = dict.fromkeys(place.name for place in comparison.places)
    return Table(
        "places",
        "Mean score" if comparison.by == "score" else "Share of games won",
        ("board", *agents),
        tuple(
            (
                name,
                *(
                    None if found is None else _estimate(found, comparison)
                    for found in (reached.get((name, agent)) for agent in agents)
                ),
            )
            for name in names
        ),
    )


def _pairs(comparison: Comparison) -> Iterator[Block]:
    rows = []
    for a, b, pair in comparison.paired[:_MOST_PAIRS]:
        found = pair if pair.scores is None else pair.scores
        percent = pair.scores is None
        difference = Estimate(
            found.difference, *found.interval, percent=percent, digits=1 if percent else 3
        )
        rows.append((a, b, difference, pair.only_a, pair.only_b, pair.both, found.p_value))
    what = "score" if comparison.by == "score" else "share won"
    columns = ("a", "b", f"{what}, a less b", "only a won", "only b won", "both won", "p-value")
    yield Table("pairs", "Differences", columns, tuple(rows))
    if (more := len(comparison.paired) - _MOST_PAIRS) > 0:
        yield Text(f"{more:,} other pairs are left out.")


def _faults(comparison: Comparison) -> Iterator[Block]:
    rows = tuple(
        (result.agent, count, reason)
        for result in comparison.results
        for reason, count in result.failures[:_MOST_REASONS]
    )
    if rows:
        yield Table("faults", "Games lost by failing", ("agent", "games", "reason"), rows)


def _failure_count(result: Result) -> int:
    return sum(count for _, count in result.failures)


def _estimate(reached: Mean, comparison: Comparison) -> Estimate:
    percent = comparison.by == "won"
    return Estimate(reached.value, *reached.interval, percent=percent, digits=1 if percent else 3)
