"""Report 2: hexagonal worlds and a SAT solver (Tornado Sweeper).

Without the report's own worlds, worlds of its three sizes are dealt, a new one for every game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mineproof.board.worlds import choose_worlds
from mineproof.errors import InputError
from mineproof.lab import report as page
from mineproof.lab.experiment import Experiment
from mineproof.lab.figures import bars
from mineproof.lab.report import Agreement, Cell, Estimate
from mineproof.reports.estimates import Published, agreement, curve_of, held, mean_of, share_of
from mineproof.reports.workshop import GameNumbers, Workshop

__all__ = ["report"]

PUBLISHED = {
    "random": ("RPX", Published(22 / 3000, 3000)),
    "single-point": ("SPX", Published(1872 / 3000, 3000)),
    "sat[safe-only]": ("SATX", Published(2594 / 3000, 3000)),
}
LOGICAL = ("single-point", "sat[safe-only]", "sat")
PROPOSED = ("sat+corner-first", "sat+density-formula", "exact")
AGENTS = ("random", *LOGICAL, *PROPOSED)
SIZES = {"S": "hex:5x5/5", "M": "hex:7x7/10", "L": "hex:11x11/28"}


def report(workshop: Workshop) -> page.Section:
    """Wins and the finer measure by size, and where every loss came from."""
    own = bool(workshop.worlds)
    played, places, what = _play_worlds(workshop) if own else _play_dealt(workshop)
    everywhere = played.everywhere
    wins = {agent: share_of(played.column("won", agent, everywhere)) for agent in AGENTS}
    losses = _losses(played)
    blocks: tuple[page.Block, ...] = (
        page.Text(what),
        _wins_table(played, wins, own),
        _by_size(played, places, "won", "002-wins", "Games won by size of the world"),
        _by_size(
            played,
            places,
            "finer",
            "002-finer",
            "The finer measure by size: tornadoes of all covered cells at the end",
        ),
        losses[0],
        page.Claims("What the report says of its strategies", (losses[1], _order(played))),
        page.Text(
            "sat[safe-only] is SATX as the report describes it: the solver proves cells safe and"
            " none dangerous. sat also marks proved tornadoes, which a random move then avoids."
            " The last three rows are improvements that the report proposes and does not build."
        ),
    )
    summary = tuple(
        (
            f"{name} wins ({agent})" + ("" if own else ", on other worlds"),
            f"{100 * published.share:.0f} %",
            wins[agent].text,
            agreement(published, wins[agent]) if own else Agreement.NONE,
        )
        for agent, (name, published) in PUBLISHED.items()
    )
    marking = ("the same, also marking tornadoes (sat)", "", wins["sat"].text, Agreement.NONE)
    claim = (losses[1].said, "claimed", losses[1].evidence.partition(";")[0], losses[1].outcome)
    return page.Section(
        "002", "Report 2: hexagonal worlds and a SAT solver", blocks, (*summary, marking, claim)
    )


Places = Mapping[str, list[int]]
"""The places of each size."""


def _play_dealt(workshop: Workshop) -> tuple[GameNumbers, Places, str]:
    games = workshop.scale.games(300, 3000)
    played = workshop.play(
        "002-dealt",
        Experiment.of(
            AGENTS,
            boards=list(SIZES.values()),
            games=games,
            seed=workshop.seed,
            first_click="any",
            given="corner+centre",
        ),
    )
    places = {size: [place] for place, size in enumerate(SIZES)}
    return (
        played,
        places,
        f"The report's own 30 worlds are not shipped: here {games} worlds of each of its sizes (S"
        " 5x5 with 5 tornadoes, M 7x7 with 10, L 11x11 with 28) are dealt at random, with corner"
        " and centre free and given, and every agent plays each once. Such worlds are harder than"
        " the report's, so no agreement is claimed. With --worlds FILE its own worlds are played"
        " and compared.",
    )


def _play_worlds(workshop: Workshop) -> tuple[GameNumbers, Places, str]:
    games = workshop.scale.games(25, 100)
    worlds = choose_worlds(workshop.worlds)
    experiment = Experiment.of(AGENTS, worlds=worlds, games=games, seed=workshop.seed)
    shapes = {board.partition("/")[0]: size for size, board in SIZES.items()}
    places: dict[str, list[int]] = {size: [] for size in SIZES}
    for number, place in enumerate(experiment.places):
        size = shapes.get(place.board.partition("/")[0])
        if size is None:
            raise InputError(
                f"world {place.world} is {place.board}; accepted: worlds of 5x5, 7x7 and 11x11"
            )
        places[size].append(number)
    played = workshop.play("002-worlds", experiment)
    return (
        played,
        {size: numbers for size, numbers in places.items() if numbers},
        f"The {len(worlds)} worlds of the given file, {games} games each; corner and centre are"
        " given. Worlds named TEST are left out. The intervals are for chance in play: the worlds"
        " are the same as the report's if the file is.",
    )


def _wins_table(played: GameNumbers, wins: Mapping[str, Estimate], own: bool) -> page.Table:
    rows: list[tuple[Any, ...]] = []
    for agent in AGENTS:
        name, published = PUBLISHED.get(agent, ("", None))
        won = int(played.column("won", agent, played.everywhere).sum())
        games = len(played.column("won", agent, played.everywhere))
        outcome = "" if published is None or not own else agreement(published, wins[agent]).value
        rows.append(
            (
                agent,
                name,
                published.estimate if published else None,
                f"{won:,}/{games:,}",
                wins[agent],
                mean_of(played.column("finer", agent, played.everywhere)),
                1000 * float(played.column("seconds", agent, played.everywhere).mean()),
                outcome,
            )
        )
    note = (
        "Published: 22, 1872 and 2594 of 3000 games on the report's 30 worlds."
        if own
        else "Published: 22, 1872 and 2594 of 3000 games, on 30 other, easier worlds."
    )
    return page.Table(
        "002-strategies",
        "Comparison of the strategies",
        ("agent", "report's name", "published", "won", "rate", "finer", "ms a game", "agreement"),
        tuple(rows),
        note,
    )


def _by_size(
    played: GameNumbers, places: Places, column: str, name: str, title: str
) -> page.Figure:
    agents = ("random", *LOGICAL)
    found: dict[tuple[str, str], Estimate] = {}
    for agent in agents:
        for size, numbers in places.items():
            values = played.column(column, agent, numbers)
            found[agent, size] = (
                share_of(values) if column == "won" else mean_of(values, 1, percent=True)
            )
    series = [
        curve_of(agent, ((number, found[agent, size]) for number, size in enumerate(places)))
        for agent in agents
    ]
    groups = [f"{size} ({SIZES[size].removeprefix('hex:')})" for size in places]
    svg = bars(
        name,
        title,
        groups,
        series,
        y_label="games won" if column == "won" else "tornadoes of covered cells",
        percent=True,
        y_range=(0, 1.05),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (size, *(found[agent, size] for agent in agents)) for size in places
    )
    note = (
        "The report gives totals over all sizes only."
        if column == "won"
        else ("The report proposes this measure and gives no numbers; 100 % is a win.")
    )
    return page.Figure(name, title, svg, page.Table(name, title, ("size", *agents), rows), note)


def _losses(played: GameNumbers) -> tuple[page.Table, page.ReportClaim]:
    rows: list[tuple[Cell, ...]] = []
    guessed_all = lost_all = 0
    for agent in LOGICAL:
        won = played.column("won", agent, played.everywhere)
        reasons = played.column("reason", agent, played.everywhere)[~won.astype(bool)]
        guessed = sum(str(reason).startswith("exploded: guessed") for reason in reasons)
        guesses = int(played.column("guesses", agent, played.everywhere).sum())
        rows.append((agent, len(reasons), guessed, len(reasons) - guessed, guesses))
        guessed_all += guessed
        lost_all += len(reasons)
    table = page.Table(
        "002-losses",
        "Where losses came from",
        ("agent", "games lost", "by a random move", "otherwise", "random moves in all"),
        tuple(rows),
    )
    claim = page.ReportClaim(
        "Every loss of SPX and SATX came from a random move",
        held(guessed_all == lost_all),
        f"{guessed_all:,} of {lost_all:,} losses came from a random move; every move called proved"
        " was safe",
    )
    return table, claim


def _order(played: GameNumbers) -> page.ReportClaim:
    """SATX above SPX above RPX, on the same games."""
    first = [
        share_of(played.column("won", agent, played.everywhere))
        for agent in ("sat[safe-only]", "single-point", "random")
    ]
    marking = share_of(played.column("won", "sat", played.everywhere))
    holds = first[0].value > first[1].value > first[2].value
    apart = first[0].low > first[1].high and first[1].low > first[2].high
    return page.ReportClaim(
        "SATX wins more than SPX, and SPX more than RPX",
        held(holds and apart, fails=not holds),
        f"{first[0].text}, {first[1].text} and {first[2].text}; sat, which also marks what it"
        f" proves dangerous, wins {marking.text}. A random move of SATX may open a cell that it"
        " could have proved dangerous, one of SPX does so less often",
    )
