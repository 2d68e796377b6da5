"""Games dealt under every combination of rules, against what the engine believes about them.

`python -m tests.game.calibration [GAMES [JOBS]]` plays GAMES games of each combination and prints
the worst ones. An oracle that is given a position cannot see a wrong prior; this can.

After the first click, and again after one more random cell, the mines that were dealt are compared
with the engine's chances in three ways: over the hidden cells beside an open one, over the other
hidden cells, and over all, weighted by their chance. A player who is told no total believes that
cells have mines independently; there the mines are dealt so, and by the rule itself for those
cells alone of which nothing is shown.
"""

from __future__ import annotations

import hashlib
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import product
from math import sqrt

import numpy as np

import mineproof as mp
from mineproof.board.topology import Topology
from mineproof.engine.exact import analyze
from mineproof.errors import IllegalMove, InputError
from mineproof.rng import Purpose, Stream
from mineproof.view.setting import Setting
from mineproof.view.view import View, code_bytes

BOARDS = {
    "square": ("4x5", "1,1;2,3"),
    "square4": ("4x5", "1,2"),
    "torus": ("5x5", "2,2;3,4"),
    "hex": ("4x5", "1,2"),
    "hexagon": ("3", "1,2"),
    "triangle": ("4x7", "1,2"),
    "cube": ("2x3x4", "0,1,1"),
    "graph": ("0-1,1-2,2-3,3-4,4-5,5-6,6-7,7-8,8-9,9-0,0-5,2-7,3-8,10-11,11-12,12-0,6-13", "7"),
}
"""A small board of every topology, and the cells of it that are blocked in half of the games."""
FIRST_CLICKS = ("any", "safe", "opening")
MINES = ("4", "20%", "~20%", "uniform")
TOTALS = ("known", "unknown")
TABLE = "table:" + ";".join(f"{n}:0.7,-:0.3" if n % 2 else f"{n}:0.9,-:0.1" for n in range(27))
CHANNELS = ("exact", "withheld:0.3", "optimistic", "cautious", "noisy:0.2", TABLE)
RULES = ("first_click", "mines", "total", "given", "clues")
GIVEN = ("none", "corner+centre", "random:2", "f=1/2", "named")

WORST = 4.0
"""Standard errors from which on a difference is looked at again, with other and more games."""
_AGAIN = 4
"""How many times as many games are played then."""
_BESIDE, _BEYOND, _WEIGHTED, _AS_DEALT = "beside", "beyond", "weighted", "as dealt"


@dataclass(frozen=True, order=True)
class Combination:
    """One combination of rules on one board."""

    board: str
    blocked: bool
    first_click: str
    mines: str
    total: str
    given: str
    clues: str

    def __str__(self) -> str:
        blocked = ["blocked"] * self.blocked
        return _text([self.board, *blocked, *(getattr(self, one) for one in RULES)])

    @property
    def topology(self) -> Topology:
        shape, blocked = BOARDS[self.board]
        return Topology.parse(f"{self.board}:{shape}" + (f"#{blocked}" if self.blocked else ""))

    @property
    def rules(self) -> str:
        given = self.given
        if given == "named":
            coordinates = map(self.topology.coordinates, (0, len(self.topology) // 2))
            given = ";".join(",".join(map(str, one)) for one in coordinates)
        return (
            f"first-click={self.first_click} total={self.total} given={given} clues={self.clues}"
            " on-mine=continue"
        )

    @property
    def believed(self) -> bool:
        """Whether the number of mines is fixed, and the player is not to know that."""
        return self.total == "unknown" and self.mines in ("4", "20%")

    def settings(self) -> tuple[Setting, ...]:
        """Both settings that are played, without the cascade and with it. Raises InputError."""
        board = (self.topology, self.mines)
        settings = tuple(Setting.of(board, f"{self.rules} cascade={on}") for on in ("off", "on"))
        mp.Referee(settings[0])
        return settings


class _BelievedDeal(mp.Referee):
    """Deals as a player believes who is told no total: each cell that may have a mine alike."""

    def _deal(self, free: tuple[int, ...]) -> None:
        may = [cell for cell in self._topology.cells if cell not in free]
        number = self.rules.mines.fixed(len(self._topology))
        assert number is not None
        chance, stream = Fraction(number, len(may)), Stream(self.seed, self.index, Purpose.DEAL)
        mines = [cell for cell in may if stream.below(chance.denominator) < chance.numerator]
        self._lay(mp.Layout.of(self._topology, mines))


@dataclass
class Tally:
    """Mines met less mines expected over some games, and how far chance takes that."""

    games: int = 0
    expected: float = 0.0
    difference: float = 0.0
    squares: float = 0.0
    variance: float = 0.0

    def add(self, weights: np.ndarray, chances: np.ndarray, mines: np.ndarray) -> None:
        difference = float(weights @ (mines - chances))
        self.games += 1
        self.expected += float(weights @ chances)
        self.difference += difference
        self.squares += difference**2
        self.variance += float(weights**2 @ (chances * (1 - chances)))

    def __iadd__(self, other: Tally) -> Tally:
        for name in ("games", "expected", "difference", "squares", "variance"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self

    @property
    def error(self) -> float:
        """The standard error of the difference, as it was met or as it was expected.

        The larger one: what was met is too small where nothing rare has happened yet.
        """
        return sqrt(max(self.squares, self.variance))

    @property
    def sigmas(self) -> float:
        return self.difference / self.error if self.error > 1e-9 else 0.0


@dataclass
class Calibration:
    """The tallies of one combination, and the certain cells that were not as was said."""

    tallies: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    wrong: int = 0

    @property
    def worst(self) -> float:
        return max((abs(one.sigmas) for one in self.tallies.values()), default=0.0)


def combinations(boards: Iterable[str] = BOARDS) -> Iterator[Combination]:
    """Every combination of rules on these boards."""
    for values in product(boards, (False, True), FIRST_CLICKS, MINES, TOTALS, GIVEN, CHANNELS):
        yield Combination(*values)


def calibrate(
    combination: Combination, games: int, seed: int, see: Callable[[View], View] = lambda view: view
) -> Calibration:
    """Play games of a combination; `see` is what the engine is shown of a view."""
    found = Calibration()
    # Other deals for each combination: only then may their games be counted together.
    text = f"{combination!r} {seed}".encode()
    seed = int.from_bytes(hashlib.blake2b(text, digest_size=6).digest())
    known: dict[object, tuple[np.ndarray, np.ndarray]] = {}
    settings = combination.settings()
    deals = _BelievedDeal if combination.believed else mp.Referee
    for index in range(games):
        stream = Stream(seed, index, Purpose.AGENT)
        if (referee := _begun(deals(settings[index % 2], seed, index), stream)) is not None:
            _look(found, referee, known, see)
            if not referee.over:
                referee.open(stream.choice(list(referee.view.hidden)))
                _look(found, referee, known, see)
        if combination.believed and not index % 2 and _is_named(combination.given):
            dealt = _begun(mp.Referee(settings[0], seed, index), stream)
            if dealt is not None:
                _look(found, dealt, known, see, as_dealt=True)
    return found


def _is_named(given: str) -> bool:
    """Whether given cells are the same in every game."""
    return given in ("none", "corner+centre", "named")


def _begun(referee: mp.Referee, stream: Stream) -> mp.Referee | None:
    """The game with something open; None where no first click has room."""
    if referee.view.opened_count:
        return referee
    cells = list(referee.view.hidden)
    stream.shuffle(cells)
    for cell in cells:
        try:
            referee.open(cell)
        except IllegalMove:
            continue
        return referee
    return None


def _look(
    found: Calibration,
    referee: mp.Referee,
    known: dict[object, tuple[np.ndarray, np.ndarray]],
    see: Callable[[View], View],
    as_dealt: bool = False,
) -> None:
    view = referee.view
    hidden = list(view.hidden)
    if not hidden:
        return
    key = (view.rules.mines, view.rules.cascade, bytes(code_bytes(view)), tuple(view.free))
    if key not in known:
        touched = {near for cell in view.opened for near in view.topology.neighbours(cell)}
        beside = np.array([cell in touched for cell in hidden], dtype=float)
        known[key] = np.asarray(analyze(see(view)).p.array, dtype=float)[hidden], beside
    chance, beside = known[key]
    mines = referee._truth.mines[hidden].astype(float)
    if as_dealt:
        found.tallies[_AS_DEALT].add(1 - beside, chance, mines)
        return
    found.wrong += int(((chance == 0) & (mines == 1)).sum() + ((chance == 1) & (mines == 0)).sum())
    found.tallies[_BESIDE].add(beside, chance, mines)
    found.tallies[_BEYOND].add(1 - beside, chance, mines)
    found.tallies[_WEIGHTED].add(chance, chance, mines)


def _calibrated(games: int, seed: int, combination: Combination) -> Calibration | None:
    """None where the rules cannot be played on the board."""
    try:
        return calibrate(combination, games, seed)
    except InputError:
        return None


def suspects(combination: Combination, found: Calibration, games: int, seed: int) -> bool:
    """Whether a combination is wrong: a certain cell was not, or it is far off twice."""
    if found.wrong:
        return True
    if found.worst <= WORST:
        return False
    again = calibrate(combination, _AGAIN * games, seed + 1)
    return bool(again.wrong) or again.worst > WORST


def _pooled(
    found: dict[Combination, Calibration], names: tuple[str, ...]
) -> dict[tuple[object, ...], Tally]:
    """The tallies of all combinations that agree in some rules."""
    pools: dict[tuple[object, ...], Tally] = defaultdict(Tally)
    for combination, one in found.items():
        rules = tuple(getattr(combination, name) for name in names)
        for way, tally in one.tallies.items():
            pools[*rules, way] += tally
    return pools


def _text(rules: Iterable[object]) -> str:
    return " ".join(str(rule).partition(":0:")[0] for rule in rules)


def main(games: int = 200, jobs: int = 1, seed: int = 1) -> int:
    """Calibrate everything; the status is 1 if a combination is wrong."""
    every = list(combinations())
    with ProcessPoolExecutor(jobs) as pool:
        answers = []
        for one in pool.map(partial(_calibrated, games, seed), every, chunksize=16):
            answers.append(one)
            if len(answers) % 500 == 0:
                print(f"{len(answers)} of {len(every)} combinations", file=sys.stderr, flush=True)
    found = {c: one for c, one in zip(every, answers, strict=True) if one is not None}
    looks = sum(one.tallies[_BESIDE].games for one in found.values())
    print(f"{len(found)} combinations of rules, {len(every) - len(found)} have no room for mines")
    print(f"{games} games each, {looks} positions, seed {seed}")
    far = [c for c, one in found.items() if one.wrong or one.worst > WORST]
    wrong = [str(c) for c in far if suspects(c, found[c], games, seed)]
    print(
        f"single combinations: worst {max(one.worst for one in found.values()):.1f} sigma,"
        f" {len(far)} beyond {WORST:g}, {len(wrong)} of them again with {_AGAIN} times the games"
    )
    for names in (
        RULES,
        ("first_click", "mines", "total", "clues"),
        ("board", "first_click", "clues"),
        ("first_click", "total"),
    ):
        pools = _pooled(found, names)
        worst = max(pools, key=lambda rules: abs(pools[rules].sigmas))
        seen = [4 * one.error / one.expected for one in pools.values() if one.expected > games]
        print(
            f"by {', '.join(names)}: {len(pools)} cells, worst {pools[worst].sigmas:+.1f} sigma"
            f" ({_text(worst)}); 4 sigma are {np.median(seen):.2%} of the mines"
        )
        wrong += [_text(rules) for rules, one in pools.items() if abs(one.sigmas) > WORST]
    for rules in wrong:
        print(f"WRONG  {rules}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
