"""The tables of `mineproof compare`: a row an agent, and a row a board with a column an agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mineproof.lab.comparison import Comparison
from mineproof.lab.comparison_numbers import difference_texts, reached_texts
from mineproof.lab.plot import places_axis
from mineproof.lab.statistics import Paired, PairedAt

__all__ = ["agents_table", "pair_text", "print_differences", "print_places"]

_MEASURES = {"score": "score", "marked_share": "marked", "finer": "finer"}
_GAP = 2


def agents_table(comparison: Comparison) -> Table:
    """A row for each agent: what agents are compared by, and the measures that mean something."""
    scored = comparison.by == "score"
    others = [name for name in comparison.measures if name != comparison.by]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    table.add_column("agent", overflow="fold")
    titles = ["played", *(("score", "95 %", "won") if scored else ("won", "rate", "95 %"))]
    for title in (*titles, *(_MEASURES[name] for name in others), "stuck", "ms/game"):
        table.add_column(title, justify="right", no_wrap=True)
    for result in comparison.results:
        value, interval = reached_texts(result.reached, scored)
        table.add_row(
            Text(result.agent),
            str(result.played),
            *((value, interval) if scored else (str(result.won), f"{value} %", interval)),
            *([str(result.won)] if scored else []),
            *(f"{getattr(result, name):.3f}" for name in others),
            str(result.stuck),
            f"{1000 * result.seconds:.1f}",
        )
    return table


def print_places(console: Console, comparison: Comparison) -> None:
    """What each agent reached at each place: a row a board, a column an agent."""
    scored = comparison.by == "score"
    cells: dict[tuple[str, str], str] = {}
    for place in comparison.places:
        value, interval = reached_texts(place.reached, scored)
        cells[place.name, place.agent] = f"{value} ({interval})"
    agents = [result.agent for result in comparison.results]
    title = "mean score" if scored else "games won, %"
    _print_blocks(console, comparison, title, agents, cells)


def print_differences(console: Console, comparison: Comparison) -> None:
    """The paired differences at each place: a row a board, a column a pair."""
    scored = comparison.by == "score"
    names = [f"{a} - {b}" for a, b, _ in comparison.paired]
    cells = {
        (_place(one), f"{one.a} - {one.b}"): _difference(one.pair)
        for one in comparison.paired_places
    }
    title = "difference of scores" if scored else "difference, points"
    _print_blocks(console, comparison, title, names, cells)


def pair_text(a: str, b: str, pair: Paired) -> str:
    """What two agents' games say, in a sentence."""
    if pair.scores is None:
        counts = (
            f"only {a} won {pair.only_a}, only {b} won {pair.only_b}, both {pair.both}, neither"
            f" {pair.neither}"
        )
        unit = " points"
    else:
        same = pair.scores.games - pair.scores.higher_a - pair.scores.higher_b
        counts = (
            f"{a} scored higher in {pair.scores.higher_a} games, {b} in {pair.scores.higher_b},"
            f" equal in {same}"
        )
        unit = " in score"
    difference, interval, p_value = difference_texts(pair)
    return f"{a} - {b}: {difference}{unit} ({interval}); {counts}; {p_value}"


def _print_blocks(
    console: Console,
    comparison: Comparison,
    title: str,
    columns: Sequence[str],
    cells: Mapping[tuple[str, str], str],
) -> None:
    """Tables of as many columns as the console is wide; in a file, one of all."""
    places = list(dict.fromkeys(place.name for place in comparison.places))
    axis = places_axis(comparison)
    shown = places if axis is None else list(axis.texts)
    first = max(map(len, [*shown, "density"]))
    widest = max(map(len, cells.values()), default=1)
    if console.is_terminal:
        room = max((console.width - first) // (widest + _GAP), 1)
        widths = [widest] * len(columns)
    else:
        room, widths = len(columns), [max(widest, len(column)) for column in columns]
        console.width = max(console.width, first + sum(widths) + _GAP * (len(widths) + 1))
    label = axis.label if axis is not None else "world" if comparison.places[0].world else "board"
    for start in range(0, len(columns), room):
        console.print(Text(f"\n{title} (95 %)"))
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
        table.add_column(label, justify="left" if axis is None else "right", overflow="fold")
        for column, width in list(zip(columns, widths, strict=True))[start : start + room]:
            table.add_column(Text(column), justify="right", overflow="fold", width=width)
        for place, text in zip(places, shown, strict=True):
            row = [cells.get((place, column), "") for column in columns[start : start + room]]
            table.add_row(text, *row)
        console.print(table)


def _difference(pair: Paired) -> str:
    difference, interval, p_value = difference_texts(pair)
    return f"{difference} ({interval}), {p_value}"


def _place(one: PairedAt) -> str:
    return one.board if one.world is None else one.world
