"""Files of puzzles that teach, plain or gzipped, and the set that comes with the package."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from mineproof.engine.exact import analyze
from mineproof.errors import InconsistentPosition, InputError, NotationError, quoted
from mineproof.fields import FieldTable, FieldValue, parse_json
from mineproof.files import decode_text, read_bytes
from mineproof.generation.patterns import BEST_GUESS, PATTERNS, hardest, level_of, pattern_of_proofs
from mineproof.generation.puzzles import (
    CLEARLY,
    LEVELS,
    GuessChoice,
    Question,
    SourceGame,
    TeachingPuzzle,
    check_level,
    guess_level,
)
from mineproof.proofs.checker import CheckResult, check_proof
from mineproof.proofs.documents import from_json as proofs_from_json
from mineproof.proofs.documents import to_json as proof_json
from mineproof.proofs.proof import Claim, Proof
from mineproof.rng import MAX_SEED
from mineproof.search.endgame import endgame
from mineproof.view.view import View

_SHIPPED = "puzzles.json.gz"
_MOST_BYTES = 16 * 2**20
_MOST_TEXT = 64 * 2**20
_GZIP = b"\x1f\x8b"


def shipped_puzzles(
    technique: str | None = None, *, level: int | None = None
) -> tuple[TeachingPuzzle, ...]:
    """The 500 puzzles that come with the package, or those of one pattern or level.

    There are a hundred of every level, spread over the patterns of `docs/patterns.md`. Raises
    InputError for an unknown pattern or level.

    >>> len(shipped_puzzles()), len(shipped_puzzles("1-2", level=2))
    (500, 10)
    """
    return select_puzzles(_all_shipped(), technique, level)


def select_puzzles(
    puzzles: Iterable[TeachingPuzzle], technique: str | None, level: int | None
) -> tuple[TeachingPuzzle, ...]:
    """The puzzles of one pattern and level; None takes all. Raises InputError for unknown ones."""
    wanted = None if technique is None else PATTERNS[technique].name
    check_level(level)
    return tuple(
        puzzle
        for puzzle in puzzles
        if wanted in (None, puzzle.pattern.name) and level in (None, puzzle.level)
    )


@lru_cache(maxsize=1)
def _all_shipped() -> tuple[TeachingPuzzle, ...]:
    return tuple(parse_puzzles(_unpack(_shipped_bytes(), _SHIPPED)))


def _shipped_bytes() -> bytes:
    return (files("mineproof.generation") / _SHIPPED).read_bytes()


def read_puzzle_file(source: str | Path) -> list[TeachingPuzzle]:
    """The puzzles of a file, plain or compressed, or of standard input for `-`.

    Answers are not checked here: `check_puzzle` does it. Raises NotationError, which names the file
    and the puzzle.
    """
    text = _unpack(read_bytes(source, _MOST_BYTES), source)
    try:
        return parse_puzzles(text)
    except NotationError as error:
        raise error.within(str(source)) from None


def pack_puzzles(puzzles: Iterable[TeachingPuzzle], compressed: bool) -> bytes:
    """The bytes of a file of puzzles; the same puzzles give the same bytes."""
    data = write_puzzles(puzzles).encode()
    # Without a time in the header the bytes depend on the puzzles alone.
    return gzip.compress(data, 9, mtime=0) if compressed else data


def _unpack(data: bytes, source: str | Path) -> str:
    """The text of a file, plain or compressed, up to a limit. Raises NotationError."""
    if data.startswith(_GZIP):
        # gzip.decompress has no limit: 16 MiB of a hostile file could become gigabytes.
        unpacker = zlib.decompressobj(wbits=31)
        try:
            data = unpacker.decompress(data, _MOST_TEXT)
        except zlib.error:
            raise NotationError("damaged; accepted: a whole gzip file", None, str(source)) from None
        if unpacker.unconsumed_tail:
            raise NotationError(f"{quoted(str(source))} holds more than {_MOST_TEXT} bytes")
        if not unpacker.eof:
            raise NotationError("cut short; accepted: a whole gzip file", None, str(source))
    return decode_text(data, source)


# ----------------------------------------------------------------------------
# The JSON form of puzzles that teach: one object a puzzle, and files of many.
#
#     {"format": "mineproof puzzles 1", "puzzles": [{
#       "id": "0c4e5f6a7b8c", "question": "certain", "asks": "Which hidden cells are certain? ...",
#       "pattern": "1-2", "title": "one more mine, one more cell", "explanation": "...",
#       "technique": "1-2 pattern", "level": 2,
#       "position": "square 2x4 mines=unknown density=0.21\n....\n?12?\n",
#       "safe": [], "mines": [[0, 3]], "best": [], "proofs": [...], "choices": [],
#       "from": {"board": "16x30/99", "seed": 1, "game": 0}}]}
#
# Proofs are as `explain --json` prints them. In a guess, `best` has the cells to open and `choices`
# every hidden cell with its risk and its chance to win, as exact fractions. Files may be compressed
# by gzip. What is read may be hostile: sizes are limited, and `check_puzzle` recomputes answers.

FORMAT = "mineproof puzzles 1"
MOST_PUZZLES = 20_000
_LONGEST_POSITION = 20_000
_LONGEST_NAME = 200
_LONGEST_FRACTION = 700
_MOST_CELLS = 2_500
_FRACTION = re.compile(r"(\d{1,300})(?:/([1-9]\d{0,299}))?", re.ASCII)
_QUESTIONS = {question.value: question for question in Question}


# -- writing -------------------------------------------------------------------------------------


def puzzle_to_json(puzzle: TeachingPuzzle) -> dict[str, Any]:
    """The JSON form of one puzzle."""
    topology = puzzle.view.topology

    def places(cells: Iterable[int]) -> list[list[int]]:
        return [list(topology.coordinates(cell)) for cell in cells]

    source = puzzle.source
    return {
        "id": puzzle.name,
        "question": puzzle.question.value,
        "asks": puzzle.question.text,
        "pattern": puzzle.pattern.name,
        "title": puzzle.pattern.title,
        "explanation": puzzle.pattern.explanation,
        "technique": puzzle.technique,
        "level": puzzle.level,
        "position": puzzle.view.text,
        "safe": places(puzzle.safe),
        "mines": places(puzzle.mines),
        "best": places(puzzle.best),
        "proofs": [proof_json(proof) for proof in puzzle.proofs],
        "choices": [
            {
                "cell": list(topology.coordinates(choice.cell)),
                "risk": str(choice.risk),
                "win": str(choice.win),
            }
            for choice in puzzle.choices
        ],
        "from": None
        if source is None
        else {"board": source.board, "seed": source.seed, "game": source.index},
    }


def write_puzzles(puzzles: Iterable[TeachingPuzzle]) -> str:
    """The text of a file of puzzles, a line a puzzle."""
    lines = ",\n".join(json.dumps(puzzle_to_json(one)) for one in puzzles)
    return f'{{"format": "{FORMAT}", "puzzles": [\n{lines}\n]}}\n'


# -- reading -------------------------------------------------------------------------------------


def parse_puzzles(text: str) -> list[TeachingPuzzle]:
    """The puzzles of a text in this form. Raises NotationError, which names the puzzle."""
    found = parse_json(text, "what puzzles --out writes")
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise NotationError(f"no puzzles are here; accepted: an object of the format {FORMAT!r}")
    puzzles = []
    for number, one in enumerate(FieldTable(found)["puzzles"].items(MOST_PUZZLES), 1):
        try:
            puzzles.append(_puzzle_of(one))
        except InputError as error:
            plain = error.plain if isinstance(error, NotationError) else str(error)
            raise NotationError(f"puzzle {number}: {plain}") from None
        except RecursionError:  # a value that could be read may still be too deep to be printed
            raise NotationError(f"puzzle {number}: nested too deeply") from None
    return puzzles


def _puzzle_of(found: object) -> TeachingPuzzle:
    if not isinstance(found, dict):
        raise NotationError(f"{quoted(found)} is no puzzle; accepted: a JSON object")
    fields = FieldTable(found)
    view = View.parse(fields["position"].text(_LONGEST_POSITION))
    if len(view) > _MOST_CELLS:
        raise NotationError(f"a position of {len(view)} cells; accepted: at most {_MOST_CELLS}")
    cell_at = view.topology.cell
    choices = (choice.table() for choice in fields["choices"].each(_MOST_CELLS))
    puzzle = TeachingPuzzle(
        view,
        fields["question"].one_of(_QUESTIONS),
        PATTERNS[fields["pattern"].text(_LONGEST_NAME)],
        fields["technique"].text(_LONGEST_NAME),
        fields["level"].whole_number(LEVELS[0], LEVELS[-1]),
        fields["safe"].cells(cell_at, _MOST_CELLS),
        fields["mines"].cells(cell_at, _MOST_CELLS),
        fields["best"].cells(cell_at, _MOST_CELLS),
        tuple(_proofs_of(fields["proofs"], view)),
        tuple(
            GuessChoice(
                choice["cell"].cell(cell_at), _chance_of(choice["risk"]), _chance_of(choice["win"])
            )
            for choice in choices
        ),
        _source_of(fields["from"]),
    )
    if fields["id"].text(_LONGEST_NAME) != puzzle.name:
        raise NotationError(f"field id is not {puzzle.name}, the name of this position")
    return puzzle


def _proofs_of(field: FieldValue, view: View) -> Iterator[Proof]:
    for one in proofs_from_json(field.items(_MOST_CELLS), view):
        if not isinstance(one, Proof):
            raise NotationError("field proofs holds something else than proofs")
        yield one


def _chance_of(field: FieldValue) -> Fraction:
    match = _FRACTION.fullmatch(field.text(_LONGEST_FRACTION))
    value = None if match is None else Fraction(int(match[1]), int(match[2] or 1))
    if value is None or value > 1:
        raise NotationError(f"field {field.name} is no chance; accepted: such as 1/3")
    return value


def _source_of(field: FieldValue) -> SourceGame | None:
    if field.value is None:
        return None
    fields = field.table()
    return SourceGame(
        fields["board"].text(_LONGEST_NAME),
        fields["seed"].whole_number(0, MAX_SEED),
        fields["game"].whole_number(0, MAX_SEED),
    )


# ----------------------------------------------------------------------------
# The puzzles of the package by name. To read all of them takes seconds, so the coach reads the one
# that is asked for.


@dataclass(frozen=True)
class PuzzleLabel:
    """What is known of a puzzle before it is read."""

    name: str
    pattern: str
    level: int


class PuzzleIndex:
    """Puzzles in their order, each read when it is looked up."""

    def __init__(self, written: list[Mapping[str, Any]]) -> None:
        self._written = {one["id"]: one for one in written}
        self._labels = tuple(
            PuzzleLabel(one["id"], one["pattern"], one["level"]) for one in written
        )

    def __iter__(self) -> Iterator[PuzzleLabel]:
        return iter(self._labels)

    def __len__(self) -> int:
        return len(self._labels)

    def find(self, name: str) -> TeachingPuzzle | None:
        """The puzzle of a name; None where there is none."""
        written = self._written.get(name)
        return None if written is None else _puzzle_of(written)


@lru_cache(maxsize=1)
def shipped_index() -> PuzzleIndex:
    """The 500 puzzles of the package."""
    return PuzzleIndex(json.loads(_unpack(_shipped_bytes(), _SHIPPED))["puzzles"])


# -- The check of a puzzle: its answer by the exact engine, its proofs by the checker without one --


def check_puzzle(puzzle: TeachingPuzzle) -> CheckResult:
    """Whether a puzzle's answer, proofs, pattern and level are right, and the first fault if not.

    The certain cells are found anew by the exact engine; each proof is checked without any engine.
    In a guess every risk and chance to win is computed anew. Raises BudgetExceeded.

    >>> [puzzle] = make_puzzles("1-1", count=1, seed=1)
    >>> from mineproof.generation.puzzle_files import check_puzzle
    >>> check_puzzle(puzzle).accepted
    True
    """
    try:
        if puzzle.question is Question.GUESS:
            fault = _guess_fault(puzzle)
        else:
            fault = _certain_fault(puzzle)
    except InconsistentPosition as error:
        fault = f"the position has no solution: {error}"
    except InputError as error:
        fault = str(error)
    return CheckResult(fault is None, fault or "the answer is right, and every proof holds")


def _certain_fault(puzzle: TeachingPuzzle) -> str | None:
    view, proofs = puzzle.view, puzzle.proofs
    if view.rules.clues != "exact":
        return f"the clues are {view.rules.clues}, not exact"
    found = analyze(view)
    if puzzle.safe != tuple(found.safe):
        return "the safe cells are not those of the position"
    if puzzle.mines != tuple(found.mines):
        return "the mines are not those that are certain in the position"
    if not puzzle.safe and not puzzle.mines:
        return "nothing is certain"
    if puzzle.best or puzzle.choices:
        return "a guess is listed where cells are certain"
    claimed = {proof.cell: proof.claim for proof in proofs}
    wanted = dict.fromkeys(puzzle.safe, Claim.SAFE) | dict.fromkeys(puzzle.mines, Claim.MINE)
    if claimed != wanted or [proof.cell for proof in proofs] != sorted(wanted):
        return "the proofs are not those of the answer's cells, in their order"
    for proof in proofs:
        checked = check_proof(proof, view)
        if not checked:
            return f"the proof of {view.topology.cell_name(proof.cell or 0)}: {checked.reason}"
        if not proof.steps:
            return f"the proof of {view.topology.cell_name(proof.cell or 0)} has no steps"
    if puzzle.technique != hardest(proofs).technique.name:
        return f"the technique is {hardest(proofs).technique}, not {puzzle.technique}"
    pattern = pattern_of_proofs(view, proofs)
    if puzzle.pattern != pattern:
        return f"the pattern is {pattern.name}, not {puzzle.pattern.name}"
    if puzzle.level != level_of(proofs):
        return f"the level is {level_of(proofs)}, not {puzzle.level}"
    return None


def _guess_fault(puzzle: TeachingPuzzle) -> str | None:
    view = puzzle.view
    if puzzle.safe or puzzle.mines or puzzle.proofs:
        return "certain cells are listed in a guess"
    risks = analyze(view).fractions()
    if any(risks[cell] in (0, 1) for cell in view.hidden):
        return "a cell is certain"
    wins = endgame(view)
    listed = {choice.cell: (choice.risk, choice.win) for choice in puzzle.choices}
    if listed != {cell: (risks[cell], wins.cells[cell]) for cell in view.hidden}:
        return "the chances are not those of the position"
    if len(listed) != len(puzzle.choices):
        return "a choice is listed twice"
    if puzzle.best != tuple(sorted(wins.best)):
        return "the best cells are others"
    others = [chance for chance in wins.cells.values() if chance < wins.chance]
    if not others or wins.chance - max(others) < CLEARLY:
        return "the best cells are not clearly best"
    if puzzle.pattern.name != BEST_GUESS or puzzle.technique != "guess":
        return f"the pattern is {BEST_GUESS}, and the technique guess"
    level = guess_level(puzzle.choices, puzzle.best)
    return None if puzzle.level == level else f"the level is {level}, not {puzzle.level}"
