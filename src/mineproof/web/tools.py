"""Tools for language models: what `mineproof mcp` offers, as plain functions of texts.

A position is text in any notation, a cell is `ROW,COLUMN`. Every tool is stateless, and every
answer is exact: where an exact answer takes more than the coach's limits allow, the tool says "not
available" and estimates nothing.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from threading import Semaphore
from typing import Any, Literal, ParamSpec, TypeVar

from mineproof.advice.adviser import advise
from mineproof.advice.game_review import Effort, review
from mineproof.board.topology import Topology, parse_coordinates
from mineproof.engine.exact import analyze
from mineproof.errors import InputError, MineproofError, one_line, quoted
from mineproof.files import Closeable
from mineproof.game.referee import Referee
from mineproof.game.transcript import Transcript
from mineproof.generation.certificate import StartPosition
from mineproof.text import percent
from mineproof.view.svg import draw_svg
from mineproof.view.view import View
from mineproof.web.answers import ExplanationAnswer
from mineproof.web.games import NoGuessDealer, no_guess_setting
from mineproof.web.positions import (
    NOTATIONS,
    ask_why,
    check_size,
    clash_json,
    export_text,
    read_position,
)
from mineproof.web.requests import CoachLimits, Refusal, TaskWorkers, refusal_of

Asked = ParamSpec("Asked")
Told = TypeVar("Told")

_LONGEST_ERROR = 600
_MOST_STEPS = 400
_MOST_BITS = 600
_PICTURE = "svg"

Certainty = Literal["safe", "mine", "uncertain"]

GUIDE = """\
# Positions and cells

A position is text: a line with the board and the number of mines, then the rows.

    square 4x5 mines=4
    001..
    012..
    01...
    01...

`.` is a hidden cell, `F` a hidden cell with a flag, a digit a clue, `#` a place without a cell.
The board is `square`, `square4` (four neighbours), `hex`, `triangle`, `torus` and others.
Flags are not evidence: what is certain follows from the clues and the number of mines alone.
Other notations are read too: `.board`, `.mine`, rows of emoji, links of this program.

A cell is `ROW,COLUMN`, counted from 0 at the top left: `0,3` above is the first hidden cell.

# What words mean

- certainly safe, certainly a mine: so in every layout of the mines that explains all clues and the
  number of mines.
- uncertain: there are layouts of both kinds; its chance is the share of those with a mine there.
- A proof names the clues it uses (premises) and has steps that each follow from what they name.
- "not available" means that the exact answer would take more work than is allowed. No tool
  estimates.
"""

COACHING = """\
You coach a Minesweeper player. Never work out the position yourself: read it with read_position,
and take every claim from analyse, explain, check_claim or best_move. If a tool says "not
available", say so; do not estimate.

Begin with the least help that moves the player on: where to look, then which clues, then the cell,
then the proof in your words, each step with its clues. Name cells as the player does, and do not
give away cells that were not asked for. If nothing is certain, say so, and explain the best guess
by what best_move gives as its reason.
"""


# -- Answers. Dataclasses, since schemas of their fields are made from them. ---


@dataclass(frozen=True)
class PositionSummary:
    """A position as it was understood; check it against what was meant."""

    board: str
    mines: int | None
    hidden: int
    flags: list[str]
    position: str
    """The position in mineproof's own notation."""
    consistent: bool
    clash: list[str]
    """Open cells whose clues contradict each other."""
    message: str | None


@dataclass(frozen=True)
class ChanceGroup:
    """Hidden cells that share a chance."""

    chance: float
    cells: list[str]


@dataclass(frozen=True)
class PositionAnalysis:
    """What is certain, and the exact chance of a mine in every other hidden cell."""

    safe: list[str]
    mines: list[str]
    uncertain: list[ChanceGroup]
    layouts: str | None
    """The number of layouts that explain the position; none if it has too many digits."""


@dataclass(frozen=True)
class StepText:
    """A step of a proof."""

    number: int
    text: str
    clues: list[str]
    rests_on: list[int]


@dataclass(frozen=True)
class CellExplanation:
    """Why a cell is certain, or why it is not."""

    cell: str
    certainty: Certainty
    chance: float
    text: str
    technique: str | None
    premises: list[str]
    uses_mine_count: bool
    steps: list[StepText]
    witnesses: list[list[str]]
    """Where nothing is certain: the mines of two layouts that explain the position."""


@dataclass(frozen=True)
class ClaimCheck:
    """Whether a claim about a cell is true, and why."""

    true: bool
    certainty: Certainty
    chance: float
    text: str


@dataclass(frozen=True)
class MoveAdvice:
    """The best move; `win` is exact or none."""

    cell: str
    mine_chance: float
    basis: str
    reason: str
    as_good: list[str]
    win: str | None
    note: str | None


@dataclass(frozen=True)
class MoveReview:
    """A move that was judged by what its player could see."""

    number: int
    action: str
    cell: str | None
    verdict: str | None
    mine_chance: float | None
    lost: float | None
    better: str | None
    text: str


@dataclass(frozen=True)
class GameReview:
    """A game's moves, and what they gave away."""

    outcome: str
    lost: float
    guesses: int
    lucky_guesses: float
    """Guesses that held, minus their expected number."""
    moves: list[MoveReview]
    note: str | None


@dataclass(frozen=True)
class GeneratedBoard:
    """A board that can be cleared without a guess from its first cell on. It tells the mines."""

    board: str
    first: str
    mines: list[str]
    position: str
    """What a player sees after the first cell was opened."""


@dataclass(frozen=True)
class PracticePosition:
    """A position to practise on: something is certain, and the level says what is needed for it."""

    position: str
    level: int


@dataclass(frozen=True)
class Rendition:
    """A position in another form."""

    form: str
    text: str


# -- The tools -----------------------------------------------------------------


def _told_plainly(tool: Callable[Asked, Told]) -> Callable[Asked, Told]:
    """The tool with errors that say what would be accepted, or that there is no exact answer."""

    @wraps(tool)
    def plain(*arguments: Asked.args, **words: Asked.kwargs) -> Told:
        try:
            return tool(*arguments, **words)
        except MineproofError as error:
            refusal = refusal_of(error)
            missing = "not available: " if refusal.code in ("too-wide", "busy") else ""
            raise ToolRefusal(missing + one_line(refusal, _LONGEST_ERROR)) from None

    return plain


class ToolRefusal(MineproofError):
    """A tool has no answer; the message is for the model."""


class MinesweeperTools(Closeable):
    """All tools, with one set of limits and of worker processes."""

    def __init__(
        self, limits: CoachLimits | None = None, workers: TaskWorkers | None = None
    ) -> None:
        self.limits = limits or CoachLimits()
        if workers is None:
            from mineproof.web.tasks import TaskProcesses

            workers = TaskProcesses(self.limits.provers)
        self._workers = workers
        self._slow = Semaphore(self.limits.dealers)

    @property
    def tools(self) -> tuple[Callable[..., Any], ...]:
        """The tools in the order in which they are listed."""
        return (
            self.read_position,
            self.analyse,
            self.explain,
            self.check_claim,
            self.best_move,
            self.review,
            self.generate,
            self.practise,
            self.render,
        )

    def close(self) -> None:
        """End the workers."""
        self._workers.close()

    @_told_plainly
    def read_position(self, text: str) -> PositionSummary:
        """Read a position in any notation, and say whether any layout of mines explains it."""
        view = self._view(text)
        found = clash_json(view, self.limits)
        if found["status"] == "too-wide":
            raise Refusal("too-wide", str(found["message"]))
        return PositionSummary(
            board=view.topology.text,
            mines=view.total,
            hidden=view.hidden_count,
            flags=_names(view.topology, view.flags),
            position=view.text,
            consistent=found["status"] == "consistent",
            clash=_names(view.topology, found["clash"]),
            message=found["message"],
        )

    @_told_plainly
    def analyse(self, position: str) -> PositionAnalysis:
        """All certain cells, and the exact chance of a mine in every other hidden cell."""
        view = self._view(position)
        found = analyze(view, budget=self.limits.budget)
        chances = found.p.array.tolist()
        groups = defaultdict(list)
        for cell in view.hidden:
            if 0.0 < chances[cell] < 1.0:
                groups[chances[cell]].append(cell)
        return PositionAnalysis(
            safe=_names(view.topology, found.safe),
            mines=_names(view.topology, found.mines),
            uncertain=[
                ChanceGroup(chance, _names(view.topology, groups[chance]))
                for chance in sorted(groups)
            ],
            layouts=None if found.solutions.bit_length() > _MOST_BITS else str(found.solutions),
        )

    @_told_plainly
    def explain(self, position: str, cell: str) -> CellExplanation:
        """Prove that a hidden cell is certain, or show two layouts that differ there."""
        view = self._view(position)
        name = view.topology.cell_name
        why = self._why(view, cell)
        return CellExplanation(
            cell=name(_cell(view.topology, cell)),
            certainty=why["certain"] or "uncertain",
            chance=why["p"] or 0.0,
            text=why["text"],
            technique=why["technique"],
            premises=_names(view.topology, why["premises"]),
            uses_mine_count=why["uses_total"],
            steps=[
                StepText(n, step["text"], _names(view.topology, step["premises"]), step["rests_on"])
                for n, step in enumerate(why["steps"][:_MOST_STEPS], 1)
            ],
            witnesses=[_names(view.topology, layout) for layout in why["witnesses"] or ()],
        )

    @_told_plainly
    def check_claim(self, position: str, cell: str, claim: Certainty) -> ClaimCheck:
        """Whether a hidden cell is certainly safe, certainly a mine, or uncertain, as claimed."""
        if claim not in ("safe", "mine", "uncertain"):
            raise InputError(f"claim {quoted(claim)}; accepted: safe, mine or uncertain")
        why = self._why(self._view(position), cell)
        certainty: Certainty = why["certain"] or "uncertain"
        return ClaimCheck(claim == certainty, certainty, why["p"] or 0.0, why["text"])

    @_told_plainly
    def best_move(self, position: str) -> MoveAdvice:
        """The cell to open next, with the reason; its chance to win where that is known exactly."""
        view = self._view(position)
        found = advise(analyze(view, budget=self.limits.budget))
        if found is None:
            raise InputError("no hidden cell can be safe; accepted: a position with a move")
        exact = found.win is not None and found.win.exact
        return MoveAdvice(
            cell=view.topology.cell_name(found.cell),
            mine_chance=found.risk,
            basis=found.basis.value,
            reason=found.text,
            as_good=_names(view.topology, found.ties),
            win=percent(found.win.chance) if found.win is not None and exact else None,
            note=None if exact else "the chance to win is not available exactly",
        )

    @_told_plainly
    def review(self, transcript: str) -> GameReview:
        """Judge every move of a game that `mineproof play --transcript` or the arena wrote."""
        if len(transcript) > self.limits.text:
            raise InputError(f"{len(transcript)} characters; accepted: at most {self.limits.text}")
        game = Transcript.parse(transcript)
        check_size(game.topology, self.limits)
        end = time.monotonic() + self.limits.review_seconds
        found = review(
            game,
            effort=Effort(self.limits.budget, samples=0),
            watch=lambda _: time.monotonic() <= end,
        )
        name = game.topology.cell_name
        moves = [
            MoveReview(
                number=number,
                action=move.decision.action.value,
                cell=None if move.decision.cell is None else name(move.decision.cell),
                verdict=move.kind and move.kind.word,
                mine_chance=move.risk,
                lost=move.lost,
                better=None
                if move.best_cell in (None, move.decision.cell)
                else name(move.best_cell or 0),
                text=move.text,
            )
            for number, move in enumerate(found.moves, 1)
        ]
        missing = found.unjudged
        note = f"{missing} moves are not available: too wide, or out of time" if missing else None
        luck = found.luck
        said = "won" if game.outcome.won else game.outcome.termination.value
        return GameReview(said, found.lost, luck.guesses, luck.difference, moves, note)

    @_told_plainly
    def generate(
        self, board: str = "beginner", seed: int = 0, first: str | None = None
    ) -> GeneratedBoard:
        """Make a board that needs no guess from its first cell on. The answer tells the mines."""
        if not 0 <= seed < 2**53:
            raise InputError(f"seed {seed}; accepted: 0 to {2**53 - 1}")
        setting = no_guess_setting(board, None, None, self.limits)
        cell = None if first is None else _cell(setting.board.topology, first)
        start = StartPosition.of(setting, cell)
        dealer = NoGuessDealer(board, setting, seed, self.limits, self._workers, self._slow)
        game = Referee(setting, seed, dealing=dealer)
        game.open(start.first)
        return GeneratedBoard(
            board=setting.board.text,
            first=start.topology.cell_name(start.first),
            mines=_names(start.topology, dealer(start.first).cells),
            position=game.view.text,
        )

    @_told_plainly
    def practise(self, level: int = 1, seed: int = 0) -> PracticePosition:
        """A position with certain cells: level 1 one clue, 2 two, 3 several, 4 cases, 5 total."""
        asked = {"level": level, "seed": seed}
        seconds = self.limits.no_guess_seconds
        told = self._workers.ask("practise", asked, seconds, "no such position was found")
        return PracticePosition(**told)

    @_told_plainly
    def render(self, position: str, form: str = "short") -> Rendition:
        """The position in another form: short, board, mine, emoji, link, or svg (a picture)."""
        if form == _PICTURE:
            return Rendition(form, draw_svg(self._view(position)))
        if form not in NOTATIONS:
            raise InputError(f"form {quoted(form)}; accepted: {', '.join((*NOTATIONS, _PICTURE))}")
        self._view(position)
        return Rendition(form, export_text(position, form, self.limits))

    def _view(self, text: str) -> View:
        if len(text) > self.limits.text:
            raise Refusal(
                "malformed", f"{len(text)} characters; accepted: at most {self.limits.text}"
            )
        return read_position(text, self.limits)

    def _why(self, view: View, cell: str) -> ExplanationAnswer:
        return ask_why(view, _cell(view.topology, cell), self.limits, self._workers)


def _cell(topology: Topology, text: str) -> int:
    return topology.cell(parse_coordinates(text.strip().strip("()").replace(" ", "")))


def _names(topology: Topology, cells: Iterable[int]) -> list[str]:
    return [topology.cell_name(cell) for cell in cells]
