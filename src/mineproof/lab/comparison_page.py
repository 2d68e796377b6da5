"""A comparison as one self-contained page: the table, the picture, the pairs, and what went wrong.

What a teacher hands on: who won how many games with its interval, which agents failed and why, and
which of them knew more than they were shown.
"""

from __future__ import annotations

from collections.abc import Iterator

from mineproof.lab.bootstrap import Mean
from mineproof.lab.comparison import Comparison
from mineproof.lab.figures.draw import figure_style
from mineproof.lab.figures.svg import svg_text
from mineproof.lab.plot import comparison_figure
from mineproof.lab.report import Block, Estimate, Figure, Page, Section, Table, Text, render
from mineproof.lab.summary import Result

__all__ = ["comparison_page"]

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
    tested = any(result.luck is not None for result in comparison.results)
    others = [name for name in comparison.measures if name != comparison.by]
    table = Table(
        "agents",
        "What the agents reached",
        (
            *("agent", "played", "won", comparison.by if comparison.by == "score" else "share won"),
            *(name.replace("_", " ") for name in others),
            *("stuck", "failed", "ms per game"),
            *(("luck p",) if tested else ()),
        ),
        tuple(
            (
                *(result.agent, result.played, result.won, _estimate(result.reached, comparison)),
                *(getattr(result, name) for name in others),
                *(result.stuck, _failed(result), 1000 * result.seconds),
                *((None if result.luck is None else result.luck.p_value,) * tested),
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
    if "finer" in others:
        yield Text("Finer is the number of mines divided by that of covered cells: 1 is a win.")
    if tested:
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


def _failed(result: Result) -> int:
    return sum(count for _, count in result.failures)


def _estimate(reached: Mean, comparison: Comparison) -> Estimate:
    percent = comparison.by == "won"
    return Estimate(reached.value, *reached.interval, percent=percent, digits=1 if percent else 3)
