"""The review of a game: every move judged, what was given away in all, and how much luck it had."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from html import escape

from mineproof.advice.adviser import (
    EQUAL,
    JUDGED_SAMPLES,
    Advice,
    Basis,
    Measure,
    advise,
    best_play_chances,
    deciding_chances,
    is_promised,
    is_sealed,
    obstacle,
    obstacle_to_weighing,
)
from mineproof.agents.agent import Action, Decision, Proved, cells_to_open
from mineproof.engine.analysis import DEFAULT_BUDGET, Analysis, Budget
from mineproof.engine.exact import analyze, chance_of_any_mine
from mineproof.errors import (
    BudgetExceeded,
    InconsistentPosition,
    InputError,
    as_given,
    check_function,
    check_kind,
)
from mineproof.game.narration import unsound_text
from mineproof.game.transcript import Transcript
from mineproof.search.win import WinChance, cell_win_chances
from mineproof.text import percent
from mineproof.view.view import View

# -- The sentences of a review: what was risked, and what was better -----------

TOO_WIDE = "Too wide to count in the budget."
STOPPED = "The player stopped."


def _flag_text(analysis: Analysis, cell: int, action: Action) -> str:
    name, chance = analysis.view.topology.cell_name(cell), analysis.p[cell]
    if action is Action.UNFLAG:
        return f"The flag at {name} was taken off."
    if chance == 1.0:
        return f"{name} is certainly a mine."
    if chance == 0.0:
        return f"{name} is certainly safe: the flag is wrong."
    return f"Nothing proves the flag at {name}: its mine chance is {percent(chance)}."


def _opening_text(
    analysis: Analysis, move: Judgement, advice: Advice, own: WinChance | None
) -> str:
    if advice.basis is Basis.FIRST_CLICK:
        return "The first cell is safe by the rules."
    said, risk = _risk_text(analysis, move), move.risk or 0.0
    if risk == 0.0:
        return f"{said}."
    names = analysis.view.topology.cell_name
    best = names(advice.cell)
    if advice.risk == 0.0:
        return f"{said}; {best} was certainly safe."
    if move.lost:
        if move.measure is Measure.WIN and own is not None and advice.win is not None and risk < 1:
            return (
                f"{said} and wins with {own.text}; {best} risks {percent(advice.risk)} and"
                f" wins with {advice.win.text}."
            )
        said = f"{said}; {best} risked only {percent(advice.risk)}."
    else:
        said = f"{said}; nothing was safe, and {_no_loss_reason(analysis, move, advice)}."
    # Whoever reads a loss in risk should know that it is not one of the chance to win.
    why_not = None if move.measure is Measure.WIN else obstacle_to_weighing(analysis)
    return said if why_not is None else f"{said} {why_not}, so only risks are compared."


def _risk_text(analysis: Analysis, move: Judgement) -> str:
    """The risk of a move, as the beginning of a sentence."""
    risk, cell = move.risk or 0.0, move.decision.cell
    assert cell is not None
    name = analysis.view.topology.cell_name(cell)
    chord = move.decision.action is Action.CHORD
    what, verb = (f"The chord at {name}", "opened") if chord else (name, "was")
    if risk == 0.0:
        return f"{what} {verb} {'what was ' if chord else ''}certainly safe"
    return f"{what} {verb} certainly a mine" if risk == 1.0 else f"{what} risked {percent(risk)}"


def _no_loss_reason(analysis: Analysis, move: Judgement, advice: Advice) -> str:
    """Why a guess gave nothing away."""
    risk, cell = move.risk or 0.0, move.decision.cell
    least = analysis.least_risk
    if move.measure is Measure.WIN:
        exact = advice.win is not None and advice.win.exact
        return "no cell won more" if exact else "no cell won clearly more"
    if least is None or risk - least.p <= EQUAL:
        return "no cell had less risk"
    if cell is not None and is_sealed(analysis, cell):
        return "that guess had to be made anyway"
    return "what it shows was worth more"


# ----------------------------------------------------------------------------
# One move, judged by what its player saw: its risk, the best there was, and what it gave away.
#
# What a move gave away is its regret. If best play of the rest is known, or games were played out
# for it, regret is the chance to win that was lost. Otherwise it is the risk beyond that of the
# best move.
#
# A move that risked nothing is `good`. One that gave away nothing, where no cell was certainly
# safe, is `forced`. Any other is an `inaccuracy` or, from five per cent on, a `blunder`.

BLUNDER = 0.05


class MoveVerdict(Enum):
    """What a move is called."""

    GOOD = "good"
    FORCED = "forced"
    """A guess, and none was better."""
    INACCURACY = "inaccuracy"
    BLUNDER = "blunder"

    @property
    def word(self) -> str:
        """The word for people."""
        return "best guess" if self is MoveVerdict.FORCED else self.value


@dataclass(frozen=True)
class Effort:
    """How much work goes into each move.

    Where a move risked a mine and the end is too far away for best play, `samples` games are played
    out for each cell that comes into question; with 0, only risks are compared there. With `ends`
    the chance to win is computed at every move near the end, with `every` estimated at all others
    too.
    """

    budget: Budget = DEFAULT_BUDGET
    ends: bool = False
    samples: int = JUDGED_SAMPLES
    seed: int = 0
    every: bool = False


@dataclass(frozen=True)
class Judgement:
    """One move judged.

    `risk` is the chance that it opened a mine and `lost` what it gave away, a share of `measure`.
    `best_cell` is the move itself where nothing was better. `unsound` says that the move was called
    proved and was not certain. `win` is the chance to win by the best move. Chances and cells are
    None where the position was too wide to count.
    """

    decision: Decision
    risk: float | None = None
    best_cell: int | None = None
    best_risk: float | None = None
    lost: float | None = None
    measure: Measure | None = None
    kind: MoveVerdict | None = None
    certain: str | None = None
    unsound: bool = False
    win: WinChance | None = None
    text: str = TOO_WIDE


def judge(view: View, decision: Decision, effort: Effort | None = None) -> Judgement:
    """Judge a move by the view before it."""
    effort = effort or Effort()
    if decision.cell is None:
        return Judgement(decision, lost=0.0, kind=MoveVerdict.GOOD, text=STOPPED)
    try:
        analysis = analyze(view, budget=effort.budget)
        if decision.action in (Action.FLAG, Action.UNFLAG):
            return _judge_flag(decision, decision.cell, analysis)
        risk = _risk(decision, analysis, effort.budget)
        judged = _judge_opening(decision, decision.cell, analysis, risk, effort)
        return _mark_unsound(judged, risk) if risk else judged
    except (BudgetExceeded, InconsistentPosition):
        return Judgement(decision)


def _judge_flag(decision: Decision, cell: int, analysis: Analysis) -> Judgement:
    chance = analysis.p[cell]
    certain = _certain(chance)
    wrong = certain == "safe" and decision.action is Action.FLAG
    judged = Judgement(
        decision,
        lost=0.0,
        kind=MoveVerdict.INACCURACY if wrong else MoveVerdict.GOOD,
        certain=certain,
        text=_flag_text(analysis, cell, decision.action),
    )
    return _mark_unsound(judged, 1.0 - chance) if decision.action is Action.FLAG else judged


def _mark_unsound(judged: Judgement, risk: float) -> Judgement:
    """The judgement, marked unsound if the move was called proved and may be false with `risk`."""
    if not risk or not isinstance(judged.decision.reason, Proved):
        return judged
    text = f"{unsound_text(judged.decision, risk)}. {judged.text}"
    return replace(judged, unsound=True, text=text)


# -- risk ----------------------------------------------------------------------------------------


def _risk(decision: Decision, analysis: Analysis, budget: Budget) -> float:
    """The chance that a move opens a mine, given what its player saw."""
    view = analysis.view
    if is_promised(view):
        return 0.0
    if decision.action is Action.OPEN:
        return analysis.p[decision.cell or 0]
    return chance_of_any_mine(analysis, cells_to_open(view, decision), budget)


# -- an opening ----------------------------------------------------------------------------------


def _judge_opening(
    decision: Decision, cell: int, analysis: Analysis, risk: float, effort: Effort
) -> Judgement:
    wins = _wins(analysis, cell, risk, effort)
    advice = advise(analysis, wins=wins)
    if advice is None:  # nothing could be safe
        advice = Advice(cell, Basis.LEAST_RISK, risk, None, Measure.RISK, (), (), "")
    own = next((win for win in wins if win.cell == cell), None)
    if risk and decision.action is Action.OPEN and own is not None and advice.win is not None:
        best = advice.win
        if advice.basis is Basis.ROLLOUTS and cell not in (advice.cell, *advice.ties):
            best, own = _estimated_again(analysis, best, own, effort)
        advice = replace(advice, win=best)
        lost, measure = _regret_of_win(advice, own), Measure.WIN
    else:
        lost, measure = _regret_of_risk(analysis, advice, decision, risk), Measure.RISK
    better = lost > EQUAL or advice.risk == 0.0 < risk
    best_cell, best_risk = (advice.cell, advice.risk) if better else (cell, risk)
    if risk == 0.0:
        kind = MoveVerdict.GOOD
    elif not better:
        kind = MoveVerdict.FORCED
    else:
        large = lost >= BLUNDER or risk == 1.0
        kind = MoveVerdict.BLUNDER if large else MoveVerdict.INACCURACY
    certain, win = _certain(risk), advice.win
    judged = Judgement(decision, risk, best_cell, best_risk, lost, measure, kind, certain, win=win)
    return replace(judged, text=_opening_text(analysis, judged, advice, own))


def _wins(analysis: Analysis, cell: int, risk: float, effort: Effort) -> list[WinChance]:
    """The chances to win that are known or asked for; empty where only risks can be compared."""
    view = analysis.view
    if obstacle(view) is not None or not (risk > 0.0 or effort.ends or effort.every):
        return []
    # Before the first cell the mines are not dealt yet: layouts with a mine there cannot come up.
    end = None if is_promised(view) else best_play_chances(analysis)
    if end is not None:
        # Best play lists no certain mines; a player who opens one wins with chance 0.
        mine = [WinChance(cell, 0.0, 0.0, 0.0, True, 1.0)] if risk == 1.0 else []
        return end + mine
    if not effort.samples or not (risk > 0.0 or effort.every):
        return []
    if risk == 0.0:
        best = advise(analysis)
        cells = [] if best is None else [best.cell]
        return cell_win_chances(view, cells=cells, samples=effort.samples, seed=effort.seed)
    own = [cell] if view.is_hidden(cell) else []
    return deciding_chances(analysis, also=own, samples=effort.samples, seed=effort.seed)


# -- regret --------------------------------------------------------------------------------------

_AGAIN = 4
"""An estimated loss is looked at again on this many times as many layouts."""


def _estimated_again(
    analysis: Analysis, best: WinChance, own: WinChance, effort: Effort
) -> tuple[WinChance, WinChance]:
    """The best move and the one that was made, estimated on fresh layouts, and on more of them."""
    seed = effort.seed ^ 1
    cells = (best.cell, own.cell)
    found = cell_win_chances(analysis.view, cells=cells, samples=_AGAIN * effort.samples, seed=seed)
    by_cell = {win.cell: win for win in found}
    return by_cell[best.cell], by_cell[own.cell]


def _regret_of_win(advice: Advice, own: WinChance) -> float:
    """The chance to win that a move gave away; 0 where it ties with the best."""
    best = advice.win
    if best is None or own.cell == advice.cell:
        return 0.0
    # Estimates whose intervals overlap count as equal, except against a certain cell.
    if own.exact or own.high < best.low or advice.basis is Basis.CERTAIN:
        return max(best.chance - own.chance, 0.0)
    return 0.0


def _regret_of_risk(analysis: Analysis, advice: Advice, decision: Decision, risk: float) -> float:
    """The risk of a move beyond that of the best one."""
    if risk == 0.0:
        return 0.0
    single = decision.action is Action.OPEN
    agreed = decision.cell == advice.cell or decision.cell in advice.ties
    if single and risk < 1.0 and advice.risk > 0.0:
        agreed = agreed or is_sealed(analysis, decision.cell or 0)
    return 0.0 if single and agreed else max(risk - advice.risk, 0.0)


def _certain(chance: float) -> str | None:
    return {0.0: "safe", 1.0: "mine"}.get(chance)


# -- A whole game --------------------------------------------------------------

GameMove = tuple[View, Decision, View]
"""The view before a move, the move, and the view after it."""
_WORST = 3


@dataclass(frozen=True)
class Luck:
    """Guesses that survived, and the expected number."""

    guesses: int
    held: int
    expected: float

    @property
    def difference(self) -> float:
        """Successful guesses minus their expected number."""
        return self.held - self.expected


@dataclass(frozen=True)
class Review:
    """The moves of a game in their order, each judged; numbered from 1.

    >>> found = mp.review(mp.play("beginner", "single-point", seed=4))
    >>> len(found.moves) >= len(found.worst)
    True
    """

    moves: tuple[Judgement, ...]
    held: tuple[bool, ...]
    """Whether each move opened no mine."""

    def __repr__(self) -> str:
        return f"<review of {len(self.moves)} moves: {len(self.blunders)} blunders>"

    @cached_property
    def lost(self) -> float:
        """What was given away in all."""
        return sum(move.lost or 0.0 for move in self.moves)

    def lost_of(self, measure: Measure) -> float:
        """What was given away of one measure."""
        return sum(move.lost or 0.0 for move in self.moves if move.measure is measure)

    @property
    def worst(self) -> tuple[int, ...]:
        """The numbers of the moves that gave away most, at most three; the worst first."""
        lost = [(-(move.lost or 0.0), n) for n, move in enumerate(self.moves, 1) if move.lost]
        return tuple(n for _, n in sorted(lost)[:_WORST])

    @property
    def blunders(self) -> tuple[int, ...]:
        """The numbers of the moves that are blunders."""
        return tuple(n for n, move in enumerate(self.moves, 1) if move.kind is MoveVerdict.BLUNDER)

    @property
    def unsound(self) -> tuple[int, ...]:
        """The numbers of the moves that were called proved and were not certain."""
        return tuple(n for n, move in enumerate(self.moves, 1) if move.unsound)

    @property
    def unjudged(self) -> int:
        """Moves that were not judged: too wide, or out of time."""
        return sum(move.kind is None for move in self.moves)

    @cached_property
    def luck(self) -> Luck:
        """The luck of the guesses: moves whose risk was above 0 and below 1."""
        guesses = [
            (move.risk, held)
            for move, held in zip(self.moves, self.held, strict=True)
            if move.risk is not None and 0.0 < move.risk < 1.0
        ]
        expected = sum(1.0 - risk for risk, _ in guesses)
        return Luck(len(guesses), sum(held for _, held in guesses), expected)


def review(
    game: Transcript | Iterable[GameMove],
    *,
    effort: Effort | None = None,
    watch: Callable[[int], bool] | None = None,
) -> Review:
    """Judge every move of a game by what its player saw.

    `game` is a transcript, or moves each with the view before and after it. `watch` is called
    before each move with its number; where it answers False the move is left unjudged. Raises
    NotationError where a transcript cannot be replayed.

    >>> found = mp.review(mp.play("beginner", agent="single-point", seed=4))
    >>> print(found.moves[found.worst[0] - 1].text)
    0,4 risked 9.7 % and wins with 85.2 ± 0.8 %; 6,6 risks 3.0 % and wins with 89.3 ± 0.9 %.
    """
    given: object = game
    if isinstance(given, str) or not isinstance(given, Transcript | Iterable):
        raise InputError(f"{as_given(game)} is no game; accepted: a Transcript, or its moves")
    if effort is not None:
        check_kind(effort, Effort, "effort", "an Effort, or None")
    check_function(watch, "watch", "a function of the number of a move, or None")
    moves = moves_of(game) if isinstance(game, Transcript) else game
    judged: list[Judgement] = []
    held: list[bool] = []
    for number, move in enumerate(moves, 1):
        given_move: object = move
        if not (
            isinstance(given_move, tuple)
            and len(given_move) == 3
            and isinstance(given_move[1], Decision)
        ):
            raise InputError(
                f"move {number} of the game is {as_given(move)}; accepted: a view, a Decision"
                " and the view after it"
            )
        before, decision, after = move
        wanted = watch is None or watch(number)
        judged.append(judge(before, decision, effort) if wanted else Judgement(decision))
        held.append(len(after.opened_mines) == len(before.opened_mines))
    return Review(tuple(judged), tuple(held))


def moves_of(game: Transcript) -> Iterator[GameMove]:
    """The moves of a transcript, replayed. Raises NotationError."""
    # A hostile file could name a million steps, each a position to count.
    most = 4 * len(game.topology) + 100
    if len(game.steps) > most:
        raise InputError(f"the game has {len(game.steps)} steps; accepted: at most {most}")
    views = game.views()
    before = next(views)
    for step, after in zip(game.steps, views, strict=True):
        yield before, step.decision, after
        before = after


# -- The picture of a review: the chance to win, the risk and what was given away, move by move --

_LEFT, _TOP, _HEIGHT, _BOTTOM, _RIGHT = 52.0, 66.0, 220.0, 44.0, 24.0
_WIDEST, _NARROWEST = 900.0, 360.0
_STEP = 18.0
"""The width of a move, where all fit."""
_RISK, _LOST, _WIN, _BAND = "#b9b9b4", "#d55e00", "#0072b2", "#a6d5f2"
_STYLE = (
    "text{font-family:sans-serif;font-size:12px;fill:#222}.small{font-size:11px;fill:#555}"
    ".right{text-anchor:end}.middle{text-anchor:middle}.title{font-size:14px;font-weight:bold}"
)


def draw_review(review: Review, title: str) -> str:
    """A review as an SVG picture.

    Bars are the risk of each move; what it gave away is the dark part of them. The line is the
    chance to win before each move, where it is known, with its interval if it is an estimate.
    """
    moves = review.moves
    plot = min(max(_STEP * len(moves), _NARROWEST), _WIDEST)
    width, height = _LEFT + plot + _RIGHT, _TOP + _HEIGHT + _BOTTOM
    step = plot / max(len(moves), 1)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}"'
        f' width="{width:.0f}" height="{height:.0f}" role="img">',
        f"<title>{escape(title)}: risk, chance lost and chance to win of every move</title>",
        f"<style>{_STYLE}</style>",
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>',
        f'<text class="title" x="{_LEFT:.0f}" y="22">{escape(_cut(title, plot))}</text>',
        *_legend(any(move.win is not None for move in moves)),
        *_axes(plot, step, len(moves)),
        *_bars(moves, step),
        *_worst(review, step),
        *_line(moves, step),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _y(chance: float) -> float:
    return _TOP + _HEIGHT * (1 - chance)


def _x(number: int, step: float) -> float:
    """The middle of a move."""
    return _LEFT + (number - 0.5) * step


def _cut(title: str, width: float) -> str:
    most = int(width / 8)
    return title if len(title) <= most else f"{title[: most - 1]}\u2026"


def _legend(with_line: bool) -> Iterator[str]:
    entries = [(_RISK, "risk"), (_LOST, "chance lost")]
    if with_line:
        entries.append((_WIN, "chance to win"))
    x = _LEFT
    for colour, words in entries:
        yield f'<rect x="{x:.0f}" y="37" width="12" height="12" fill="{colour}"/>'
        yield f'<text x="{x + 17:.0f}" y="47">{words}</text>'
        x += 40 + 7 * len(words)


def _axes(plot: float, step: float, moves: int) -> Iterator[str]:
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _y(share)
        yield (
            f'<line x1="{_LEFT:.1f}" y1="{y:.1f}" x2="{_LEFT + plot:.1f}" y2="{y:.1f}"'
            f' stroke="{"#555555" if share == 0 else "#dddddd"}"/>'
        )
        yield f'<text class="small right" x="{_LEFT - 6:.1f}" y="{y + 4:.1f}">{share:.0%}</text>'
    # Every, every fifth, tenth, ... move is numbered: as many as leave room between them.
    every = next(n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**9) if n * step >= 28)
    for number in sorted({1, *range(every, moves + 1, every)} if moves else ()):
        at = f'x="{_x(number, step):.1f}" y="{_y(0) + 16:.1f}"'
        if number == 1 or _x(number, step) - _x(1, step) >= 24:
            yield f'<text class="small middle" {at}>{number}</text>'
    yield (
        f'<text class="small middle" x="{_LEFT + plot / 2:.1f}" y="{_y(0) + 34:.1f}">move</text>'
    )


def _bars(moves: tuple[Judgement, ...], step: float) -> Iterator[str]:
    wide = max(min(0.7 * step, 14.0), 1.0)
    for number, move in enumerate(moves, 1):
        if not move.risk and not move.lost:
            continue
        risk, lost = move.risk or 0.0, move.lost or 0.0
        x = _x(number, step) - wide / 2
        said = f"move {number}: {move.text}"
        if lost:
            said += f" Lost: {percent(min(lost, 1.0))}."
        yield f"<g><title>{escape(said)}</title>"
        for share, colour in ((risk, _RISK), (lost, _LOST)):
            if share:
                yield (
                    f'<rect x="{x:.1f}" y="{_y(share):.1f}" width="{wide:.1f}"'
                    f' height="{_HEIGHT * share:.1f}" fill="{colour}"/>'
                )
        yield "</g>"


def _worst(review: Review, step: float) -> Iterator[str]:
    """The numbers of the worst moves, above their bars and beside each other."""
    placed: list[tuple[float, float]] = []
    for number in sorted(review.worst):
        move = review.moves[number - 1]
        x, y = _x(number, step), _y(max(move.risk or 0.0, move.lost or 0.0)) - 5
        while any(abs(x - other) < 30 and abs(y - above) < 13 for other, above in placed):
            y -= 1
        placed.append((x, y))
        yield (f'<text class="middle" font-weight="bold" x="{x:.1f}" y="{y:.1f}">{number}</text>')


def _line(moves: tuple[Judgement, ...], step: float) -> Iterator[str]:
    """The chance to win, as lines through moves that follow each other."""
    runs: list[list[tuple[int, Judgement]]] = [[]]
    for number, move in enumerate(moves, 1):
        if move.win is not None:
            runs[-1].append((number, move))
        elif move.risk is not None and runs[-1]:
            runs.append([])
    for run in runs:
        wins = [(_x(number, step), move.win) for number, move in run if move.win is not None]
        if any(not win.exact for _, win in wins):
            edge = [(x, win.high) for x, win in wins] + [(x, win.low) for x, win in wins[::-1]]
            points = " ".join(f"{x:.1f},{_y(chance):.1f}" for x, chance in edge)
            yield f'<polygon points="{points}" fill="{_BAND}" fill-opacity="0.6"/>'
        if wins:
            points = " ".join(f"{x:.1f},{_y(win.chance):.1f}" for x, win in wins)
            yield f'<polyline points="{points}" fill="none" stroke="{_WIN}" stroke-width="2"/>'
        for (number, _), (x, win) in zip(run, wins, strict=True):
            said = f"move {number}: {win.text} to win"
            yield (
                f'<circle cx="{x:.1f}" cy="{_y(win.chance):.1f}" r="2.2" fill="{_WIN}">'
                f"<title>{said}</title></circle>"
            )
