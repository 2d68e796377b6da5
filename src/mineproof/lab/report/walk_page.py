"""One page to walk through a game: the board after every step, the reason, what was known.

The board is drawn once. For every step the page holds only the cells that changed, so a long game
on a large board stays small. It needs no network and no other file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from mineproof.lab.report.page import whole_page
from mineproof.match.frames import PREMISE, Frame, ending, frames, mines_of, unveiled
from mineproof.match.knowledge_log import KnowledgeSize
from mineproof.match.narration import many, told_text
from mineproof.match.step_kinds import kinds_text, steps_by_kind
from mineproof.match.transcript import Transcript
from mineproof.view.drawing import Tint, draw_svg, look_of
from mineproof.view.view import View

__all__ = ["walk_page"]

_LEAST_WIDE, _MOST_WIDE = 0.55, 1.5
"""How small and how large the board may get, times the picture: a narrow screen scrolls."""


def walk_page(game: Transcript, title: str, sizes: Sequence[KnowledgeSize] = ()) -> str:
    """The page of a game; `sizes` says how much the agent knew at every step.

    Raises InputError for boards too large to draw, NotationError where it cannot be replayed.
    """
    all_frames = list(frames(game))
    start = all_frames[0].view
    # Every cell gets a place for its text: a blank one, which the script fills.
    blank = dict.fromkeys(start.topology.cells, Tint("#c9c9c9", "hidden", " "))
    picture = draw_svg(View(start.topology, start.rules), tints=blank, title=title)
    wide = int(picture.partition(' width="')[2].partition('"')[0])
    least, most = _LEAST_WIDE * wide, _MOST_WIDE * wide
    said = [_said(frame, sizes) for frame in all_frames]
    end = ending(game)
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
            f"<li><p>{escape(end)}</p><p>{escape(told_text(all_frames[-1].view))}</p></li>",
            "</ol>",
            f'<script type="application/json" id="frames">{data}</script>',
        ],
    )


def _said(frame: Frame, sizes: Sequence[KnowledgeSize]) -> tuple[str, str]:
    """A frame in words: the step, and what is known."""
    more = told_text(frame.view)
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
        now = {cell: look_of(frame.view, cell) for cell in _touched(frame, all_frames)}
        now |= {cell: look_of(frame.view, cell, None, PREMISE) for cell in frame.premises}
        yield {
            "cells": [[cell, *look] for cell, look in now.items() if before.get(cell) != look],
            "move": frame.cell,
        }
        before |= now
        # Premises are blue in their own frame only.
        before |= dict.fromkeys(frame.premises, ())


def _touched(frame: Frame, all_frames: Sequence[Frame]) -> Iterator[int]:
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
    layout = mines_of(game)
    tints = {} if layout is None else unveiled(frame.view, layout)
    cells = {cell: look_of(frame.view, cell) for cell in frame.premises}
    cells |= {cell: look_of(frame.view, cell, None, tint) for cell, tint in tints.items()}
    return {"cells": [[cell, *look] for cell, look in cells.items()], "move": frame.cell}
