"""Hypothesis strategies: boards of every topology, layouts, rules, and positions of real games.

Everything is small enough for `mineproof.engine.enumerate`, the oracle, unless `most_cells`
says otherwise. Importing this module needs hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from mineproof.board.lattices import LATTICES
from mineproof.board.layout import Layout
from mineproof.board.topology import Topology
from mineproof.rules import FirstClick, Given, Goal, GuessRule, Mines, OnMine, Rules
from mineproof.view.channels import CHANNELS, ClueTable, Mark, Shown, channel
from mineproof.view.view import View

try:
    from hypothesis import strategies as st
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"mineproof.testing.strategies needs {error.name}, which is not installed; install it:"
        " pip install hypothesis",
        name=error.name,
    ) from None

__all__ = [
    "SHAPES",
    "channels",
    "clue_tables",
    "layouts",
    "mines",
    "rules",
    "shares",
    "topologies",
    "views",
]

MOST_CELLS = 12


@st.composite
def _grids(draw: st.DrawFn, most_cells: int) -> str:
    rows = draw(st.integers(1, most_cells))
    return f"{rows}x{draw(st.integers(1, most_cells // rows))}"


@st.composite
def _boxes(draw: st.DrawFn, most_cells: int) -> str:
    layers = draw(st.integers(1, min(3, most_cells)))
    return f"{layers}x{draw(_grids(most_cells // layers))}"


@st.composite
def _hexagons(draw: st.DrawFn, most_cells: int) -> str:
    # A hexagon of side n has 3n(n-1)+1 cells.
    sides = [side for side in range(1, 30) if 3 * side * (side - 1) + 1 <= most_cells]
    return str(draw(st.sampled_from(sides)))


@st.composite
def _edge_lists(draw: st.DrawFn, most_cells: int) -> str:
    cells = draw(st.integers(1, most_cells))
    pairs = [(a, b) for a in range(cells) for b in range(a)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=3 * cells)) if pairs else []
    # A list of edges names a cell without neighbours by itself.
    lonely = set(range(cells)).difference(*edges)
    return ",".join([f"{a}-{b}" for a, b in edges] + [str(cell) for cell in sorted(lonely)])


SHAPES: dict[str, Callable[[int], st.SearchStrategy[str]]] = {
    "square": _grids,
    "square4": _grids,
    "torus": _grids,
    "hex": _grids,
    "hexagon": _hexagons,
    "triangle": _grids,
    "cube": _boxes,
    "graph": _edge_lists,
}
"""The small shapes of every lattice of the catalog, as texts, by a number of cells."""


@st.composite
def topologies(
    draw: st.DrawFn,
    most_cells: int = MOST_CELLS,
    names: Sequence[str] | None = None,
    *,
    blocked: bool = True,
) -> Topology:
    """Boards of every lattice, by default with blocked cells."""
    name = draw(st.sampled_from(list(LATTICES) if names is None else list(names)))
    plain = Topology.of(name, draw(SHAPES[name](most_cells)))
    if not blocked or len(plain) == 1 or draw(st.booleans()):
        return plain
    holes = draw(st.sets(st.sampled_from(plain.cells), max_size=min(3, len(plain) - 1)))
    return Topology.of(name, plain.shape, [plain.coordinates(cell) for cell in sorted(holes)])


@st.composite
def layouts(draw: st.DrawFn, boards: st.SearchStrategy[Topology] | None = None) -> Layout:
    """Any set of mines on any board."""
    topology = draw(topologies() if boards is None else boards)
    return Layout.of(topology, draw(st.sets(st.sampled_from(topology.cells))))


def shares() -> st.SearchStrategy[Fraction]:
    """Shares from 0 to 1."""
    return st.fractions(0, 1, max_denominator=1000)


def mines(most: int = 999_999_999) -> st.SearchStrategy[Mines]:
    """Every way of dealing mines."""
    return st.one_of(
        st.integers(0, most).map(Mines.number),
        shares().map(Mines.density),
        shares().map(Mines.independent),
        st.just(Mines.uniform()),
    )


@st.composite
def channels(draw: st.DrawFn, names: Sequence[str] | None = None) -> str:
    """The texts of clue channels."""
    name = draw(st.sampled_from(list(CHANNELS) if names is None else list(names)))
    if name == "table":
        return draw(clue_tables())
    if name not in ("withheld", "noisy"):
        return name
    return channel(f"{name}:{draw(shares())}").text


@st.composite
def clue_tables(draw: st.DrawFn, counts: int = 27) -> str:
    """The texts of clue tables that serve every cell with fewer neighbours than `counts`.

    The clue is off by a few, or missing, in ways that depend on the count.
    """
    shares = st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1)])
    missing = draw(st.lists(shares, min_size=1, max_size=3))
    weights = st.dictionaries(st.integers(-2, 2), st.integers(1, 3), min_size=1, max_size=3)
    patterns = draw(st.lists(weights, min_size=1, max_size=3))
    rows = []
    for true in range(counts):
        offsets = patterns[true % len(patterns)]
        silent = missing[true % len(missing)]
        row: dict[int | None, Fraction] = {None: silent} if silent else {}
        if silent == 1:
            offsets = {}
        for offset, weight in offsets.items():
            share = (1 - silent) * Fraction(weight, sum(offsets.values()))
            # No clue is negative, so offsets below 0 share the clue 0.
            row[max(true + offset, 0)] = row.get(max(true + offset, 0), Fraction(0)) + share
        rows.append(row)
    return ClueTable(rows, {}).text


def given_cells() -> st.SearchStrategy[Given]:
    """The cells opened before the first move."""
    cells = st.lists(st.lists(st.integers(0, 99), min_size=1, max_size=3).map(tuple), min_size=1)
    return st.one_of(
        st.just(Given()),
        st.just(Given(corner_centre=True)),
        st.integers(1, 999).map(lambda count: Given(random=count)),
        cells.map(lambda chosen: Given(cells=tuple(chosen))),
        st.fractions(Fraction(1, 1000), 1000, max_denominator=1000).map(
            lambda factor: Given(factor=factor)
        ),
    )


def rules() -> st.SearchStrategy[Rules]:
    """Any rules, whether or not a board can be played by them."""
    return st.builds(
        Rules,
        mines=mines(),
        first_click=st.sampled_from(FirstClick),
        on_mine=st.sampled_from(OnMine),
        total_known=st.booleans(),
        clues=channels(),
        given=given_cells(),
        cascade=st.booleans(),
        goal=st.sampled_from(Goal),
        guesses=st.sampled_from(GuessRule),
    )


@st.composite
def views(
    draw: st.DrawFn,
    boards: st.SearchStrategy[Topology] | None = None,
    clues: Sequence[str] | None = None,
    *,
    flags: bool = True,
) -> View:
    """Positions that a game can reach: some cells of a random layout opened, some mines too.

    The total is known or not; `clues` names the channels, by default all.
    """
    layout = draw(layouts(boards))
    topology = layout.topology
    dealt = [Mines.number(layout.total), Mines.density(Fraction(layout.total, len(topology)))]
    told = Rules(mines=draw(st.sampled_from(dealt)), clues=draw(channels(clues)))
    if draw(st.booleans()):
        told = replace(told, mines=draw(_priors(layout)), total_known=False)
    view = View(topology, told)
    opened = draw(st.sets(st.sampled_from(topology.cells)))
    shown: dict[int, Shown] = {}
    for cell in sorted(opened):
        # Opened mines occur only where a game goes on; they are the rarer case.
        if not layout.is_mine(cell):
            shown[cell] = draw(_words(view, cell, int(layout.counts[cell])))
        elif draw(st.integers(0, 3)) == 0:
            shown[cell] = Mark.MINE
    view = view.reveal(shown)
    if flags and draw(st.booleans()) and (hidden := list(view.hidden)):
        view = view.with_flags(sorted(draw(st.sets(st.sampled_from(hidden), max_size=3))))
    return view


def _priors(layout: Layout) -> st.SearchStrategy[Mines]:
    """What may be known of the mines instead of their number."""
    # A chance of 0 or 1 fits only a board without mines, or one full of them.
    full, none = layout.total == len(layout.topology), layout.total == 0
    density = st.fractions(0 if none else Fraction(1, 50), 1 if full else Fraction(49, 50))
    independent = density.map(lambda share: Mines.independent(share.limit_denominator(50)))
    return independent if none else st.one_of(independent, st.just(Mines.uniform()))


def _words(view: View, cell: int, true: int) -> st.SearchStrategy[Shown]:
    """What a cell with this many mines around it may show."""
    near = view.topology.degree(cell)
    options: list[Shown] = [n for n in range(near + 1) if view.channel.likelihood(n, true, near)]
    if view.channel.likelihood(None, true, near):
        options.append(Mark.BLANK)
    return st.sampled_from(options)
