"""The answers of the coach's endpoints as typed values, and their JSON schemas, derived from them.

A class is an answer or a part of one, a key of it a key of the JSON object. mypy checks that what
the coach returns fits; the documentation and the tests read the same classes as `SCHEMAS`.

In `Annotated[X, ...]` a text describes the value, an `Enum` or a tuple lists the words that it may
be, and a `Limit` bounds it.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import dataclass
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypeAlias,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from mineproof.advice.adviser import Basis
from mineproof.advice.hints import HintKind
from mineproof.generation.puzzles import Question
from mineproof.rules import GuessRule

# -- values ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Limit:
    """Bounds of a number, or how many items a list has."""

    minimum: int | None = None
    maximum: int | None = None
    items: int | None = None


Cell: TypeAlias = Annotated[int, Limit(minimum=0)]
Cells: TypeAlias = list[Cell]
Chance: TypeAlias = Annotated[float, Limit(minimum=0, maximum=1)]
Certain: TypeAlias = Literal["safe", "mine"]
Point: TypeAlias = list[float]
Shown: TypeAlias = Annotated[
    None | int | Literal["F", "?", "*"],  # noqa: RUF036 (the order of the document)
    "null hidden, F flag, a clue, ? open without a clue, * an opened mine",
]
Changed: TypeAlias = list[Annotated[tuple[Cell, Shown], Limit(items=2)]]


class ErrorFields(TypedDict):
    code: str
    message: str
    cell: NotRequired[Cell]
    clash: NotRequired[Cells]


class ErrorAnswer(TypedDict):
    error: ErrorFields


class TextAnswer(TypedDict):
    text: str


# -- boards, positions and agents ------------------------------------------------------------------


class TopologyFields(TypedDict):
    topology: str
    rows: int
    cols: int
    shape: str
    cells: int
    coordinates: list[list[int]]
    names: list[str]
    polygons: list[list[Point]] | None
    centres: list[Point] | None
    neighbours: list[Cells]
    size: Point


class BoardName(TypedDict):
    name: str
    mines: int | None


class BoardAnswer(BoardName, TopologyFields):
    pass


class ViewAnswer(TypedDict):
    shown: list[Shown]
    mines_left: int | None
    rules: str
    short: str


class PresetEntry(TypedDict):
    name: str
    board: str


class TopologyEntry(TypedDict):
    name: str
    doc: str
    example: str


class BoardLimits(TypedDict):
    cells: int
    watch_cells: int


class BoardsAnswer(TypedDict):
    presets: list[PresetEntry]
    topologies: list[TopologyEntry]
    limits: BoardLimits


class AgentEntry(TypedDict):
    name: str
    aliases: list[str]
    text: str
    uses: str
    report: str
    options: list[str]


# -- games -----------------------------------------------------------------------------------------

GamePhase: TypeAlias = Literal["ready", "running", "won", "lost"]


class GameStatus(TypedDict):
    """What every answer about a game says."""

    state: GamePhase
    version: int
    mines_left: int | None
    elapsed_ms: int
    practice: bool
    undone: bool
    seed: Annotated[int | None, "null while a game with a random one runs"]
    layout: Annotated[Cells | None, "null until the game is over"]
    measures: Mapping[Literal["3bv", "openings", "islands"], int] | None


class MoveEntry(TypedDict):
    action: str
    cell: Cell


class GameName(TypedDict):
    game: str


class GameHistory(TypedDict):
    board: BoardAnswer
    view: ViewAnswer
    moves: list[MoveEntry]
    no_guess: Annotated[bool, "whether the board can be solved from its first cell"]
    guess_rule: Annotated[str, GuessRule, "what becomes of a guess"]


class GameState(GameHistory, GameStatus):
    """A game without its name, which only the server's list of games knows."""


class GameAnswer(GameName, GameState):
    pass


class GuessEntry(TypedDict):
    risk: Annotated[Chance, "the true chance that it opened a mine"]
    best: Annotated[bool, "whether nothing was safe, and no cell was a better guess"]
    text: str


class MoveEffect(TypedDict):
    changed: Changed
    guess: Annotated[GuessEntry | None, "what the move was, if a rule for guesses settled it"]
    analysis: Annotated[
        AnalysisAnswer | None, "of the position after the move; null if not asked for, or not quick"
    ]


class MovedAnswer(MoveEffect, GameStatus):
    pass


class DailyBoard(TypedDict):
    board: str
    seed: int
    start: Annotated[Cell, "the cell that is opened first"]


class DailyDay(TypedDict):
    day: Annotated[str, "such as 2026-11-17, UTC"]
    boards: list[DailyBoard]


class DailyAnswer(TypedDict):
    today: DailyDay
    yesterday: DailyDay
    seconds_left: Annotated[int, "until the next boards"]
    streak: Annotated[int, "days in a row with a win, up to now"]
    longest: Annotated[int, "the most days in a row there were"]


# -- chances and the best move ---------------------------------------------------------------------


class BestMove(TypedDict):
    cell: Cell
    p: Chance
    reason: str
    basis: Annotated[str, Basis]
    ties: int
    tied: Annotated[Cells, "the cells that are as good"]
    win: Annotated[str, "its chance to win, in words"] | None


class WinEntry(TypedDict):
    cell: Cell
    chance: Chance
    low: Chance
    high: Chance
    exact: bool
    text: Annotated[str, "in words, an estimate with its error"]


class WinTable(TypedDict):
    cells: list[WinEntry]
    method: str


class AnalysisAnswer(TypedDict):
    p: list[Chance | None]
    certain: list[Certain | None]
    promised: Annotated[bool, "nothing is open, and the rules keep the first cell free"]
    solutions: str | None
    best: BestMove | None
    win: WinTable | None
    note: Annotated[str, "why there is no chance to win, where it was asked"] | None
    elapsed_us: int


# -- proofs and hints ------------------------------------------------------------------------------


class StepPart(TypedDict):
    text: str
    cells: Cells


class StepCount(TypedDict):
    cells: Cells
    mines: list[int]


class ProofStepAnswer(TypedDict):
    kind: Annotated[
        str,
        ("step", "suppose", "case"),
        "something that follows, the contrary supposed, or one of several cases",
    ]
    text: str
    parts: Annotated[list[StepPart], "the text in parts, with the cells that each speaks of"]
    premises: Annotated[Cells, "the clues it uses"]
    uses_total: bool
    rests_on: Annotated[list[int], "the earlier steps it uses, by number from 1"]
    under: Annotated[list[int], "the suppositions it stands under"]
    cells: Annotated[Cells, "the hidden cells it speaks of"]
    concludes: list[tuple[Cell, Certain]]
    counts: Annotated[
        list[StepCount], "the numbers of mines that cells may hold; none is a contradiction"
    ]


class ExplainedCell(TypedDict):
    cell: Cell | None
    certain: Certain | None
    p: Chance | None


class ProofFields(TypedDict):
    text: str
    summary: Annotated[str, "what is proved, and from how much"] | None
    technique: str | None
    premises: Cells
    uses_total: bool
    smallest: Annotated[
        bool, "no fewer premises do; of two solutions, no two differ in fewer cells"
    ]
    steps: list[ProofStepAnswer]
    witnesses: list[Cells] | None


class ExplanationAnswer(ExplainedCell, ProofFields):
    pass


class HintAnswer(TypedDict):
    kind: Annotated[str, HintKind, "what it tells; all that was not asked for is empty or null"]
    level: Annotated[int, "how much was told: 1 the least"]
    more: Annotated[bool, "whether another level tells more"]
    text: str
    region: Annotated[Cells, "where to look"]
    premises: Cells
    uses_total: bool
    cell: Cell | None
    certain: Certain | None
    why: ExplanationAnswer | None


# -- lessons ---------------------------------------------------------------------------------------


class PatternLesson(TypedDict):
    name: str
    title: str
    explanation: str
    picture: Annotated[str, "the puzzle that shows it"]
    puzzles: list[str]


class LevelLesson(TypedDict):
    level: int
    puzzles: list[str]


class LessonsAnswer(TypedDict):
    patterns: list[PatternLesson]
    levels: list[LevelLesson]


class PuzzleChoice(TypedDict):
    cell: Cell
    risk: Chance
    win: Chance


class PuzzleAnswer(TypedDict):
    puzzle: str
    board: BoardAnswer
    view: ViewAnswer
    question: Annotated[str, Question]
    text: str
    pattern: str
    technique: str
    level: int
    safe: Cells
    mines: Cells
    best: Cells
    premises: Annotated[Cells, "the clues that the proofs use"]
    choices: Annotated[list[PuzzleChoice], "of a guess: every hidden cell, the best first"]


# -- reviews, the editor's positions, watched games ------------------------------------------------


class MoveJudgement(TypedDict):
    risk: Chance | None
    best_risk: Chance | None
    best_cell: Cell | None
    lost: Chance | None
    measure: Annotated[str, ("win", "risk"), "what `lost` is a share of"] | None
    kind: Annotated[str, ("forced", "good", "inaccuracy", "blunder")] | None
    certain: Annotated[str, ("safe", "mine")] | None
    text: str


class ReviewedMove(MoveJudgement):
    n: int
    action: str
    cell: Cell
    changed: Changed


class RecordedMove(TypedDict):
    time: Annotated[float, "seconds since the clock started"]
    seconds: Annotated[float, "since the move before"]
    pattern: Annotated[str, "what had to be seen for it"] | None
    missed: Annotated[Cell, "a safe cell that was passed over for a guess"] | None
    text: Annotated[str, "what the move's own text does not say; may be empty"]


class StatisticEntry(TypedDict):
    key: str
    name: Annotated[str, "as players write it"]
    value: float | None
    meaning: str


class PatternEntry(TypedDict):
    pattern: str
    used: int
    mean: Annotated[float, "seconds"] | None
    missed: int


class RecordedGame(TypedDict):
    format: str
    software: str
    player: str
    started: str
    moves: Annotated[list[RecordedMove], "one for each move of the review"]
    patterns: list[PatternEntry]
    wrong_flags: Cells
    unused_flags: Cells
    layout: Annotated[str, "where the mines are, as a new game takes it"]
    trail: Annotated[list[float], "of the mouse: seconds, column and row, over and over"]


class ReviewAnswer(TypedDict):
    recording: Annotated[RecordedGame, "of another program's game"] | None
    statistics: Annotated[list[StatisticEntry], "of a finished game; empty where players have none"]
    moves: list[ReviewedMove]
    lost: float
    blunders: list[int]
    guesses: Annotated[int, "moves that may have opened a mine, or not"]
    luck: Annotated[float, "guesses that held, minus their expected number"]


class EditedPosition(TypedDict):
    board: BoardAnswer
    view: ViewAnswer


class Consistency(TypedDict):
    status: Literal["consistent", "contradictory", "too-wide"]
    clash: Cells
    message: str | None
    why: ExplanationAnswer | None


class PositionAnswer(EditedPosition, Consistency):
    pass


class StepReason(TypedDict):
    kind: Literal["proved", "guessed", "unstated"]
    text: str
    premises: Cells


class WatchedStep(TypedDict):
    n: int
    cell: Cell | None
    action: str
    changed: Changed
    reason: StepReason
    risk: Chance | None


class WatchedGame(TypedDict):
    agent: str
    view: ViewAnswer
    steps: list[WatchedStep]
    won: bool
    outcome: str
    note: str
    layout: Cells | None


class WatchedAnswer(TypedDict):
    board: BoardAnswer
    seed: int
    games: list[WatchedGame]


# -- schemas ---------------------------------------------------------------------------------------

Schema: TypeAlias = dict[str, Any]

ANSWERS: dict[str, Any] = {
    "Error": ErrorAnswer,
    "Board": BoardAnswer,
    "View": ViewAnswer,
    "Boards": BoardsAnswer,
    "Agents": list[AgentEntry],
    "Game": GameAnswer,
    "Moved": MovedAnswer,
    "Daily": DailyAnswer,
    "Analysis": AnalysisAnswer,
    "ProofStep": ProofStepAnswer,
    "Explanation": ExplanationAnswer,
    "Hint": HintAnswer,
    "Lessons": LessonsAnswer,
    "Puzzle": PuzzleAnswer,
    "Review": ReviewAnswer,
    "Position": PositionAnswer,
    "Text": TextAnswer,
    "Watched": WatchedAnswer,
}
"""The answers that have a name of their own in the documentation; parts of them have none."""

_NAMES = {kind: name for name, kind in ANSWERS.items()}
_WORDS = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def answer_name(kind: Any) -> str:
    """The name of an answer in the documentation."""
    return _NAMES[kind]


def _schema(kind: Any) -> Schema:
    """The schema of a value; an answer with a name is referred to by it."""
    if kind in _NAMES:
        return {"$ref": f"#/components/schemas/{_NAMES[kind]}"}
    return _whole_schema(kind)


def _whole_schema(kind: Any) -> Schema:
    if kind in _WORDS:
        return {"type": _WORDS[kind]}
    if is_typeddict(kind):
        return _object_schema(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _annotated_schema(*arguments)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema(one) for one in arguments]}
    if origin is list:
        return {"type": "array", "items": _schema(arguments[0])}
    if origin is tuple:
        return {"type": "array", "prefixItems": [_schema(one) for one in arguments]}
    assert origin is Mapping, kind
    keys = get_args(arguments[0])
    properties = {key: _schema(arguments[1]) for key in keys}
    return {"type": "object", "properties": properties, "required": list(keys)}


def _object_schema(kind: Any) -> Schema:
    properties, required = {}, []
    for key, hint in get_type_hints(kind, include_extras=True).items():
        if get_origin(hint) is NotRequired:
            (hint,) = get_args(hint)
        else:
            required.append(key)
        properties[key] = _schema(hint)
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _annotated_schema(kind: Any, *notes: Any) -> Schema:
    schema = _schema(kind)
    for note in notes:
        if isinstance(note, str):
            schema["description"] = note
        elif isinstance(note, Limit):
            bounds = {
                "minimum": note.minimum,
                "maximum": note.maximum,
                "minItems": note.items,
                "maxItems": note.items,
            }
            schema |= {name: bound for name, bound in bounds.items() if bound is not None}
        else:
            schema = {"enum": [getattr(word, "value", word) for word in note]}
    return schema


SCHEMAS: dict[str, Schema] = {name: _whole_schema(kind) for name, kind in ANSWERS.items()}
"""The schema of every answer, by its name."""
