"""How `review` shows a recorded game: decisions with their times, patterns, statistics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console

from mineproof.cli.console import print_sentences
from mineproof.replay.review import (
    ReplayMove,
    ReplayReview,
    pattern_rows,
    statistics_lines,
    sums_text,
)
from mineproof.text import many, percent

_HEAD = ("move", "", "at", "took", "", "pattern", "risk", "best", "lost")
_RIGHT = {0, 2, 3, 6, 8}


def replay_json(found: dict[str, Any], review: ReplayReview) -> dict[str, Any]:
    """The JSON of a game's review, with what the recording adds."""
    moves = [
        {**move, **review.move_json(one)}
        for move, one in zip(found["moves"], review.moves, strict=True)
    ]
    return {**found, "moves": moves, **review.to_json()}


def print_replay_review(console: Console, found: ReplayReview, every: bool) -> None:
    """The whole review of a recorded game as text."""
    console.print(found.replay.title, style="bold", soft_wrap=True)
    rows = [_row(found, move) for move in found.moves if every or _says_something(move)]
    if rows:
        _print_table(console, [_HEAD, *rows])
    left = len(found.moves) - len(rows)
    if left:
        more = "more " if rows else ""
        console.print(f"{many(left, f'{more}move')} risked nothing; --all lists every move")
    elif not found.moves:
        console.print("no cell was opened or flagged")
    _print_moves(
        console, found, "the worst moves", [found.moves[n - 1] for n in found.review.worst]
    )
    _print_moves(console, found, "the slowest decisions", found.slowest)
    patterns = pattern_rows(found)
    if patterns:
        console.print("\npatterns", style="bold")
        _print_table(console, [("", "used", "each", "passed over"), *patterns], {1, 2, 3})
    console.print("\nstatistics", style="bold")
    for line in statistics_lines(found.replay):
        print_sentences(console, line)
    console.print()
    for line in _sums(found):
        print_sentences(console, line)


def _says_something(move: ReplayMove) -> bool:
    judged = move.judgement
    return bool(judged.risk or judged.lost or judged.kind is None or move.word == "wrong flag")


def _name(found: ReplayReview, move: ReplayMove) -> str:
    assert move.click.cell is not None
    return f"{move.click.action.value} {found.replay.layout.topology.cell_name(move.click.cell)}"


def _row(found: ReplayReview, move: ReplayMove) -> tuple[str, ...]:
    judged, names = move.judgement, found.replay.layout.topology.cell_name
    best = ""
    if judged.best_cell is not None and judged.best_cell != move.click.cell:
        said = "safe" if not judged.best_risk else percent(judged.best_risk)
        best = f"{names(judged.best_cell)} {said}"
    return (
        str(move.number),
        _name(found, move),
        f"{move.click.time / 1000:.2f}",
        f"{move.seconds:.2f}",
        move.word,
        move.pattern or move.missed_pattern or "",
        {None: "", 0.0: "safe"}.get(judged.risk, percent(judged.risk or 0.0)),
        best,
        percent(judged.lost) if judged.lost else "",
    )


def _print_table(
    console: Console, table: Sequence[Sequence[str]], right: set[int] | None = None
) -> None:
    right = _RIGHT if right is None else right
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    for row in table:
        said = (
            text.rjust(width) if column in right else text.ljust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        style = "bold" if row is table[0] else ""
        console.print("  ".join(said).rstrip(), style=style, soft_wrap=True)


def _print_moves(
    console: Console, found: ReplayReview, head: str, moves: Sequence[ReplayMove]
) -> None:
    for place, move in enumerate(moves):
        if not place:
            console.print(f"\n{head}", style="bold")
        console.print(
            f"{move.number}. {_name(found, move)}, after {move.seconds:.1f} s: {move.word}",
            soft_wrap=True,
        )
        print_sentences(console, move.text, "   ")


def _sums(found: ReplayReview) -> Iterator[str]:
    from mineproof.cli.review import sums

    yield from sums_text(found)
    yield from sums(found.review)
