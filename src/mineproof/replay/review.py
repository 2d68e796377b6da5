"""The review of a human game: every decision with its time, its risk, and the pattern it needed.

It adds to the review of moves what only a recording knows: how long each decision took, which
clicks did nothing, and which flags nobody needed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mineproof.advice.game_review import Effort, Judgement, MoveVerdict, Review, review
from mineproof.agents.agent import Action, Decision, cells_to_open
from mineproof.errors import BudgetExceeded, InconsistentPosition
from mineproof.generation.patterns import pattern_of_proofs, readings
from mineproof.proofs.explanation import Explainer
from mineproof.replay.clicks import Click, Effect
from mineproof.replay.record import Replay
from mineproof.text import many
from mineproof.view.view import View

_STEPS = 4_000
"""The work spent on the proofs of one decision: the name of a pattern needs no smallest set."""
_MOST_CELLS = 8


@dataclass(frozen=True)
class ReplayMove:
    """A click that changed the board, judged.

    `seconds` is the time since the one before. `pattern` is what had to be seen for it, None for a
    guess and where none was found. `missed` is a safe cell that was passed over for a guess, with
    `missed_pattern`, what would have found it.
    """

    number: int
    click: Click
    seconds: float
    judgement: Judgement
    pattern: str | None = None
    missed: int | None = None
    missed_pattern: str | None = None

    @property
    def guess(self) -> bool:
        return bool(self.judgement.risk)

    @property
    def word(self) -> str:
        """What the decision was: certain, a guess, a blunder, a flag."""
        if self.judgement.kind is None:
            return "not judged"
        if self.judgement.kind is MoveVerdict.BLUNDER:
            return "blunder"
        if self.click.action is Action.UNFLAG:
            return "flag off"
        if self.click.action is Action.FLAG:
            return {"mine": "flag", "safe": "wrong flag"}.get(
                self.judgement.certain or "", "unsure flag"
            )
        return "guess" if self.guess else "certain"

    @property
    def text(self) -> str:
        """What there is to say of it, in a sentence or two."""
        return f"{self.judgement.text} {self.need}".rstrip()

    @property
    def need(self) -> str:
        """What had to be seen, and how long that took; empty where nothing is known of it."""
        if self.missed_pattern is not None:
            return f"It needed {_article(self.missed_pattern)}."
        if self.pattern is not None:
            return f"{self.seconds:.1f} s for {_article(self.pattern)}."
        return ""


_ARTICLES = {
    "4+": "four clues together",
    "counter": "the mine counter",
    "last mines": "the last mines",
}


def _article(pattern: str) -> str:
    named = f"an {pattern}" if pattern[:1] in "aeio" else f"a {pattern}"
    return _ARTICLES.get(pattern, named)


@dataclass(frozen=True)
class PatternTime:
    """How often a pattern was needed, how long it took, and how often it was passed over."""

    pattern: str
    used: int
    seconds: float
    missed: int

    @property
    def mean(self) -> float | None:
        return self.seconds / self.used if self.used else None


@dataclass(frozen=True)
class ReplayReview:
    """A recorded game, judged. `review` is that of its moves alone."""

    replay: Replay
    review: Review
    moves: tuple[ReplayMove, ...]

    @cached_property
    def wrong_flags(self) -> tuple[int, ...]:
        """Cells without a mine that were flagged, in the order of their flags."""
        layout = self.replay.layout
        flags = (m.click.cell for m in self.moves if m.click.effect is Effect.FLAGGED)
        return tuple(dict.fromkeys(c for c in flags if c is not None and not layout.is_mine(c)))

    @cached_property
    def unused_flags(self) -> tuple[int, ...]:
        """Mines that were flagged beside no later chord: clicks that saved none."""
        near = self.replay.layout.topology.neighbours
        flagged: dict[int, bool] = {}
        for move in self.moves:
            cell = move.click.cell
            assert cell is not None
            if move.click.effect is Effect.FLAGGED and self.replay.layout.is_mine(cell):
                flagged.setdefault(cell, False)
            elif move.click.action is Action.CHORD:
                flagged.update((mine, True) for mine in near(cell) if mine in flagged)
        return tuple(mine for mine, used in flagged.items() if not used)

    @cached_property
    def missed(self) -> tuple[ReplayMove, ...]:
        """Guesses that were made while a cell was certainly safe."""
        return tuple(move for move in self.moves if move.missed is not None)

    @cached_property
    def patterns(self) -> tuple[PatternTime, ...]:
        """The patterns of the game, those that took most time first."""
        used: Counter[str] = Counter()
        seconds: dict[str, float] = defaultdict(float)
        missed = Counter(m.missed_pattern for m in self.missed if m.missed_pattern is not None)
        for move in self.moves:
            if move.pattern is not None:
                used[move.pattern] += 1
                seconds[move.pattern] += move.seconds
        names = sorted({*used, *missed}, key=lambda name: (-seconds[name], name))
        return tuple(PatternTime(n, used[n], seconds[n], missed[n]) for n in names)

    @property
    def slowest(self) -> tuple[ReplayMove, ...]:
        """The three decisions that took longest, of those that were not the first."""
        later = [move for move in self.moves[1:] if move.seconds > 0]
        return tuple(sorted(later, key=lambda move: -move.seconds)[:3])

    def to_json(self) -> dict[str, Any]:
        """What a review of a recording adds to that of a game."""
        replay = self.replay
        place = replay.layout.topology.coordinates
        return {
            "replay": {
                "format": replay.format,
                "version": replay.version,
                "software": replay.software,
                "player": replay.player,
                "started": replay.started,
                "mode": replay.mode,
                "events": len(replay.events),
            },
            "statistics": replay.statistics.to_json(),
            "wrong_flags": [list(place(cell)) for cell in self.wrong_flags],
            "unused_flags": [list(place(cell)) for cell in self.unused_flags],
            "patterns": [
                {"pattern": p.pattern, "used": p.used, "seconds": p.seconds, "missed": p.missed}
                for p in self.patterns
            ],
        }

    def move_json(self, move: ReplayMove) -> dict[str, Any]:
        """What a recording adds to a move."""
        place = self.replay.layout.topology.coordinates
        return {
            "time": move.click.time / 1000,
            "seconds": move.seconds,
            "word": move.word,
            "pattern": move.pattern,
            "missed": None if move.missed is None else list(place(move.missed)),
            "missed_pattern": move.missed_pattern,
        }


def review_replay(
    replay: Replay, *, effort: Effort | None = None, watch: Callable[[int], bool] | None = None
) -> ReplayReview:
    """Judge a recorded game. `watch` is that of `review`.

    Raises NotationError where the game cannot be replayed.
    """
    return replay_review(replay, review(replay.transcript, effort=effort, watch=watch))


def replay_review(replay: Replay, found: Review) -> ReplayReview:
    """The review of a recorded game whose moves were judged already."""
    moves = _moves(replay.played.moves, replay.transcript.views(), found.moves)
    return ReplayReview(replay, found, tuple(moves))


def _moves(
    clicks: Sequence[Click], views: Iterator[View], judged: Sequence[Judgement]
) -> Iterator[ReplayMove]:
    before = clicks[0].time if clicks else 0
    for number, (click, view, judgement) in enumerate(zip(clicks, views, judged, strict=False), 1):
        seconds = max(click.time - before, 0) / 1000
        before = click.time
        pattern = missed_pattern = missed = None
        if judgement.kind is not None:
            cells = _certain_cells(view, click, judgement)
            pattern = _pattern(view, cells, click.action is Action.FLAG) if cells else None
            if judgement.risk and judgement.best_risk == 0.0:
                missed = judgement.best_cell
                missed_pattern = None if missed is None else _pattern(view, [missed], False)
        yield ReplayMove(number, click, seconds, judgement, pattern, missed, missed_pattern)


def _certain_cells(view: View, click: Click, judgement: Judgement) -> Sequence[int]:
    """The cells of a decision that were certain, if it was about such."""
    assert click.cell is not None
    if not view.opened_count:
        return ()
    if click.action is Action.FLAG:
        return (click.cell,) if judgement.certain == "mine" else ()
    if click.action is Action.UNFLAG or judgement.risk != 0.0:
        return ()
    if click.action is Action.OPEN:
        return (click.cell,)
    return cells_to_open(view, Decision(click.action, click.cell))[:_MOST_CELLS]


def _pattern(view: View, cells: Sequence[int], mine: bool) -> str | None:
    """The name of the pattern that proves these cells; None where the search takes too long."""
    try:
        explainer = Explainer(view, steps=_STEPS)
        proofs = [explainer.prove(cell, mine) for cell in cells]
        return pattern_of_proofs(view, proofs, readings(view)).name
    except (BudgetExceeded, InconsistentPosition):
        return None


# -- In words ------------------------------------------------------------------


def sums_text(found: ReplayReview) -> list[str]:
    """What a recording adds to the sums of a review, line by line."""
    names = found.replay.layout.topology.cell_name
    record, values = found.replay.played, found.replay.statistics.values
    lost = values["lost"]
    lines = [
        f"clicks: {record.left} left, {record.right} right, {record.double} chords;"
        f" {lost} did nothing"
    ]
    if found.wrong_flags:
        lines.append(f"wrong flags: {' '.join(map(names, found.wrong_flags))}")
    if found.unused_flags:
        lines.append(f"flags that no chord used: {' '.join(map(names, found.unused_flags))}")
    if found.missed:
        lines.append(f"{many(len(found.missed), 'guess')} while a cell was certainly safe")
    return lines


def statistics_lines(replay: Replay) -> list[str]:
    """The players' measures in a few lines, as players write them."""
    v, pluck, best = replay.statistics.values, replay.statistics.pluck, replay.statistics.best_zini
    proved = "" if best.proved else f", at least {best.bound}"

    def shown(key: str, digits: int = 3) -> str:
        value = v[key]
        return "-" if value is None else f"{value:.{digits}f}"

    solved = "" if v["solved"] == v["bbbv"] else f" ({v['solved']} solved)"
    return [
        f"time {shown('time')} s, 3BV {v['bbbv']}{solved}, 3BV/s {shown('bbbv_s')},"
        f" openings {v['openings']}, islands {v['islands']}",
        f"clicks {v['clicks']}: effective {v['effective']}, lost {v['lost']};"
        f" IOE {shown('ioe')}, Corr {shown('corr')}, ThrP {shown('thrp')}",
        f"RQP {shown('rqp')}, QG {shown('qg')}, IOS {shown('ios')}, STNB {shown('stnb')}",
        f"ZiNi {v['zini']}, HZiNi {v['hzini']}, best known {best.clicks}{proved};"
        f" ZNE {shown('zne')}, ZNT {shown('znt')}",
        f"path {shown('path', 0)} px, pluck {'-' if pluck is None else f'{pluck:.3f}'}",
    ]


def pattern_rows(found: ReplayReview) -> list[tuple[str, str, str, str]]:
    """The patterns as rows: name, times used, mean seconds, times passed over."""
    return [
        (
            p.pattern,
            str(p.used) if p.used else "",
            "" if p.mean is None else f"{p.mean:.2f} s",
            str(p.missed) if p.missed else "",
        )
        for p in found.patterns
    ]
