"""Report 2: hexagonal worlds and a SAT solver (Tornado Sweeper).

Without the report's own worlds, three kinds are dealt: at random, solved by entailment, and mixed
as the report's are. See `hex_worlds`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mineproof.lab import report as page
from mineproof.lab.figures import bars
from mineproof.lab.report import Agreement, Cell, Estimate
from mineproof.reports.estimates import (
    Published,
    agreement,
    curve_of,
    difference_of,
    gap_of,
    held,
    mean_of,
)
from mineproof.reports.hex_worlds import (
    SIZES,
    WorldKind,
    dealt_and_kept,
    dealt_at_random,
    from_file,
)
from mineproof.reports.workshop import Workshop

__all__ = ["report"]

PUBLISHED = {
    "random": ("RPX", 22 / 3000),
    "single-point": ("SPX", 1872 / 3000),
    "sat[safe-only]": ("SATX", 2594 / 3000),
}
LOGICAL = ("single-point", "sat[safe-only]", "sat")
PLAIN = ("random", *LOGICAL)
PROPOSED = {
    "sat+corner-first": "prefer a corner",
    "sat+density-formula": "the formula for cells away from clues",
    "exact": "all configurations, the least chance",
    "sat+forced-first": "make forced guesses early",
}
"""The improvements that the report proposes, by the agents that have them."""
AGENTS = (*PLAIN, *PROPOSED)


def report(workshop: Workshop) -> page.Section:
    """Wins on every kind of worlds, the finer measure, the improvements, and every loss."""
    kinds: tuple[WorldKind, ...]
    if workshop.worlds:
        kinds = (from_file(workshop, AGENTS),)
    else:
        kinds = (dealt_at_random(workshop, AGENTS), *dealt_and_kept(workshop, PLAIN))
    losses, all_guessed = _losses(kinds)
    # Of the kinds between there is no question: what entailment solves, SATX does not lose.
    told = (kinds[0], kinds[-1])[: len(kinds)]
    orders = tuple(_order(kind) for kind in told)
    blocks: list[page.Block] = [page.Text(_what(bool(workshop.worlds)))]
    blocks += [page.Text(kind.text) for kind in kinds]
    blocks += [_strategies(kinds), _measures(kinds)]
    for kind in told:
        title = f"Games won by size of the world, {kind.name}"
        blocks.append(_by_size(kind, "won", f"002-wins-{kind.key}", title))
    title = f"The finer measure by size, {kinds[0].name}: tornadoes of all covered cells at the end"
    blocks += [
        _by_size(kinds[0], "finer", f"002-finer-{kinds[0].key}", title),
        _improvements(kinds[0]),
        losses,
        page.Claims("What the report says of its strategies", (all_guessed, *orders)),
        page.Text(
            "sat[safe-only] is SATX as the report describes it: the solver proves cells safe and"
            " none dangerous. sat also marks proved tornadoes, which a random move then avoids."
        ),
    ]
    claims = (all_guessed, orders[-1])
    return page.Section(
        "002",
        "Report 2: hexagonal worlds and a SAT solver",
        tuple(blocks),
        (
            *(line for kind in kinds for line in _summary(kind)),
            *((one.said, "claimed", one.evidence.partition(";")[0], one.outcome) for one in claims),
        ),
    )


def _what(own: bool) -> str:
    if own:
        return "The strategies of the report on its own worlds, if the file has them."
    return (
        "The report's own 30 worlds are not shipped: with --worlds FILE they are played and"
        " compared. Here worlds of its sizes (S 5x5 with 5 tornadoes, M 7x7 with 10, L 11x11 with"
        " 28) are dealt, with corner and centre free and given. The report's worlds were chosen: 25"
        " of its 30 can be solved from the two given cells without a guess. So three kinds stand"
        " side by side."
    )


def _strategies(kinds: Sequence[WorldKind]) -> page.Table:
    """The share of wins of every agent on every kind of worlds, beside the published one."""
    rows: list[tuple[Cell, ...]] = []
    for agent in PLAIN:
        name, share = PUBLISHED.get(agent, ("", None))
        rows.append(
            (
                agent,
                name,
                None if share is None else Published(share, 3000).estimate,
                *(kind.won(agent) for kind in kinds),
                "" if share is None else _agreement(kinds[-1], agent).value,
            )
        )
    last = "" if len(kinds) == 1 else f" with {kinds[-1].name}"
    return page.Table(
        "002-strategies",
        "Comparison of the strategies",
        (
            *("agent", "report's name", "published", *(kind.name for kind in kinds)),
            f"agreement{last}",
        ),
        tuple(rows),
        "Published: 22, 1872 and 2594 of 3000 games on the report's 30 worlds.",
    )


def _measures(kinds: Sequence[WorldKind]) -> page.Table:
    """The same games in numbers, with the finer measure and the time."""
    rows: list[tuple[Cell, ...]] = []
    for kind in kinds:
        for agent in PLAIN:
            won = kind.column("won", agent)
            rows.append(
                (
                    kind.name,
                    agent,
                    f"{int(won.sum()):,}/{len(won):,}",
                    kind.finer(agent),
                    mean_of(kind.column("guesses", agent), 2),
                    1000 * float(kind.column("seconds", agent).mean()),
                )
            )
    return page.Table(
        "002-measures",
        "The same games: wins, the finer measure, random moves and time",
        ("worlds", "agent", "won", "finer", "random moves a game", "ms a game"),
        tuple(rows),
        "finer: tornadoes of all covered cells when the game ends; a hit one counts as covered.",
    )


def _agreement(kind: WorldKind, agent: str) -> Agreement:
    if kind.published_on is None:
        return Agreement.NONE
    return agreement(Published(PUBLISHED[agent][1], kind.published_on), kind.won(agent))


def _summary(kind: WorldKind) -> list[tuple[str, str, str, Agreement]]:
    found = [
        (
            f"{name} wins ({agent}), {kind.name}",
            f"{100 * share:.0f} %",
            kind.won(agent).text,
            _agreement(kind, agent),
        )
        for agent, (name, share) in PUBLISHED.items()
    ]
    marking = f"the same, also marking tornadoes (sat), {kind.name}"
    return [*found, (marking, "", kind.won("sat").text, Agreement.NONE)]


def _by_size(kind: WorldKind, column: str, name: str, title: str) -> page.Figure:
    found: dict[tuple[str, str], Estimate] = {}
    for agent in PLAIN:
        for size, numbers in kind.places.items():
            measure = kind.won if column == "won" else kind.finer
            found[agent, size] = measure(agent, numbers)
    series = [
        curve_of(agent, ((number, found[agent, size]) for number, size in enumerate(kind.places)))
        for agent in PLAIN
    ]
    svg = bars(
        name,
        title,
        [f"{size} ({SIZES[size].removeprefix('hex:')})" for size in kind.places],
        series,
        y_label="games won" if column == "won" else "tornadoes of covered cells",
        percent=True,
        y_range=(0, 1.05),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (size, *(found[agent, size] for agent in PLAIN)) for size in kind.places
    )
    note = (
        "The report gives totals over all sizes only."
        if column == "won"
        else "The report proposes this measure and gives no numbers; 100 % is a win."
    )
    return page.Figure(name, title, svg, page.Table(name, title, ("size", *PLAIN), rows), note)


def _improvements(kind: WorldKind) -> page.Table:
    """What each proposal gains over sat with random guesses, and what its lost games take."""
    rows: list[tuple[Cell, ...]] = []
    plain = kind.column("won", "sat")
    for agent, proposal in {"sat": "none: a random move", **PROPOSED}.items():
        won = kind.column("won", agent)
        lost = ~won.astype(bool)
        gain = None if agent == "sat" else difference_of(won, plain).estimate(True, 1)
        rows.append(
            (
                proposal,
                agent,
                kind.won(agent),
                gain,
                kind.finer(agent),
                mean_of(kind.column("guesses", agent), 2),
                _mean_lost(kind.column("steps", agent)[lost], 1),
                _mean_lost(1000 * kind.column("seconds", agent)[lost], 2),
            )
        )
    return page.Table(
        "002-improvements",
        f"The improvements that the report only proposes, {kind.name}",
        (
            "proposal",
            "agent",
            "won",
            "gain over sat, points",
            "finer",
            "random moves a game",
            "steps a lost game",
            "ms a lost game",
        ),
        tuple(rows),
        "The gain is paired, over the same worlds. The report's last proposal is about time: a"
        " guess that must be made anyway is made as soon as possible, so that a lost game ends"
        " early. Its first two are about wins.",
    )


def _mean_lost(values: np.ndarray, digits: int) -> Estimate | None:
    return mean_of(values, digits) if len(values) else None


def _losses(kinds: Sequence[WorldKind]) -> tuple[page.Table, page.ReportClaim]:
    rows: list[tuple[Cell, ...]] = []
    guessed_all = lost_all = 0
    for kind in kinds:
        for agent in LOGICAL:
            won = kind.column("won", agent)
            reasons = kind.column("reason", agent)[~won.astype(bool)]
            guessed = sum(str(reason).startswith("exploded: guessed") for reason in reasons)
            guesses = int(kind.column("guesses", agent).sum())
            rows.append((kind.name, agent, len(reasons), guessed, len(reasons) - guessed, guesses))
            guessed_all += guessed
            lost_all += len(reasons)
    table = page.Table(
        "002-losses",
        "Where losses came from",
        ("worlds", "agent", "games lost", "by a random move", "otherwise", "random moves in all"),
        tuple(rows),
    )
    claim = page.ReportClaim(
        "Every loss of SPX and SATX came from a random move",
        held(guessed_all == lost_all),
        f"{guessed_all:,} of {lost_all:,} losses came from a random move; every move called proved"
        " was safe",
    )
    return table, claim


def _order(kind: WorldKind) -> page.ReportClaim:
    """SATX above SPX above RPX, on the same games."""
    satx, spx, rpx = (kind.won(agent) for agent in ("sat[safe-only]", "single-point", "random"))
    gaps = gap_of(satx, spx), gap_of(spx, rpx)
    return page.ReportClaim(
        f"SATX wins more than SPX, and SPX more than RPX: {kind.name}",
        held(
            all(gap.low > 0 for gap in gaps),
            fails=any(gap.high < 0 for gap in gaps),
        ),
        f"{satx.text}, {spx.text} and {rpx.text}; sat, which also marks what it proves dangerous,"
        f" wins {kind.won('sat').text}. A random move of SATX may open a cell that it could have"
        " proved dangerous, one of SPX does so less often",
    )
