"""Puzzles drawn from games: by pattern, level and seed, no two of them the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from mineproof.board.deal import check_room
from mineproof.errors import BoardError, BudgetExceeded, InputError, quoted
from mineproof.generation.best_guess import cut_guess
from mineproof.generation.cutting import cut_puzzle
from mineproof.generation.game_positions import Stage, stages
from mineproof.generation.pattern_catalog import BEST_GUESS, PATTERNS
from mineproof.generation.recognition import lines_from, pattern_of_proofs, readings
from mineproof.generation.sameness import same_key
from mineproof.generation.teaching_puzzle import LEVELS, TeachingPuzzle
from mineproof.rng import check_seed
from mineproof.view.setting import AnyBoard, Setting
from mineproof.whole import whole

__all__ = ["BOARDS", "MOST_GAMES", "check_level", "make_puzzles", "puzzles_of_games"]

BOARDS = ("beginner", "intermediate", "expert", "20x30/140", "9x9/14", "8x8/20", "7x7/18", "6x6/9")
"""Where puzzles come from unless a board is named: large ones and small ones, sparse and dense."""
MOST_GAMES = 250
"""By default so many games are searched on every board."""
_MOST_COUNT = 10_000
_SINGLE = {"B1", "B2"}
"""Patterns that a single clue shows."""
_LONG = {"triple", "4+", "what if", "counter", "last mines"}
"""Patterns that proofs of more than two clues, or with the number of mines, may show."""


def make_puzzles(
    technique: str | None = None,
    *,
    count: int = 20,
    seed: int = 0,
    level: int | None = None,
    board: AnyBoard | None = None,
    games: int = MOST_GAMES,
) -> list[TeachingPuzzle]:
    """Puzzles that teach, cut from games, no two the same up to symmetry.

    `technique` is the name of a pattern (see `docs/patterns.md`), such as `1-2`, `what if` or
    `best guess`; without it puzzles of all patterns come as the games bring them. The games are
    those of one board, or of eight from beginner to 20x30/140 in turn. The same seed gives the same
    puzzles. Raises InputError, and BudgetExceeded where so many games on every board do not have
    enough.

    >>> [puzzle] = mp.make_puzzles("1-2-1", count=1, seed=1)
    >>> print(puzzle.pattern.title, puzzle.level)
    mines beside the ones 3
    """
    wanted = None if technique is None else PATTERNS[technique].name
    if not 1 <= whole(count, "count") <= _MOST_COUNT:
        raise InputError(f"count {count}; accepted: 1 to {_MOST_COUNT}")
    if whole(games, "games") < 1:
        raise InputError(f"games {games}; accepted: 1 or more")
    check_level(level)
    found = []
    boards = BOARDS if board is None else (board,)
    for puzzle in puzzles_of_games(boards, seed, games, None if wanted is None else {wanted}):
        if level in (None, puzzle.level):
            found.append(puzzle)
            if len(found) == count:
                return found
    what = "puzzles" if wanted is None else f"{wanted} puzzles"
    of_level = "" if level is None else f" of level {level}"
    raise BudgetExceeded(
        f"{games * len(boards)} games have {len(found)} {what}{of_level}, not {count}; accepted:"
        " fewer, more games, or another board"
    )


def check_level(level: int | None) -> None:
    """Raise InputError for a level that is not there."""
    if level is not None and whole(level, "level") not in LEVELS:
        raise InputError(f"level {level}; accepted: {LEVELS[0]} to {LEVELS[-1]}")


def puzzles_of_games(
    boards: Sequence[AnyBoard], seed: int, games: int, wanted: AbstractSet[str] | None = None
) -> Iterator[TeachingPuzzle]:
    """The puzzles of so many games on every board, each once; a game on each board in turn.

    `wanted` are names of patterns, None for all; the set is looked at anew for every position.
    """
    settings = [_setting(board) for board in boards]
    check_seed(seed)
    seen: set[str] = set()
    for index in range(games):
        for setting in settings:
            singles, longer = (wanted is None or bool(wanted & kind) for kind in (_SINGLE, _LONG))
            for stage in stages(setting, seed, index, singles=singles, longer=longer):
                for puzzle in _puzzles_of(stage, wanted):
                    key = same_key(puzzle.view)
                    if key not in seen:
                        seen.add(key)
                        yield puzzle


def _setting(board: AnyBoard) -> Setting:
    """The board with an opening for the first cell, or with a safe one where there is no room."""
    plain = Setting.of(board)
    topology = plain.board.topology
    if plain.layout is not None or plain.rules.mines.fixed(len(topology)) is None:
        raise BoardError(
            f"board {quoted(plain.name)} is not dealt with a known number of mines; accepted: such"
            " as expert or hex:11x11/28"
        )
    if plain.rules.clues != "exact":
        raise InputError(f"puzzles need exact clues, not {plain.rules.clues}")
    setting = Setting.of(plain.board, first_click="opening")
    try:
        check_room(topology, setting.rules, (topology.centre,))
    except InputError:
        setting = Setting.of(plain.board, first_click="safe")
        check_room(topology, setting.rules)
    return setting


def _puzzles_of(stage: Stage, wanted: AbstractSet[str] | None) -> Iterator[TeachingPuzzle]:
    """The puzzles of one position, at most one of each pattern."""
    view, source = stage.view, stage.source
    if stage.guess:
        if wanted is None or BEST_GUESS in wanted:
            guess = cut_guess(view, source)
            if guess is not None:
                yield guess
        return
    if wanted is not None and wanted <= {BEST_GUESS}:
        return
    read = readings(view)
    done: set[str] = set()
    tried: set[tuple[tuple[int, ...], bool]] = set()
    for proof in stage.proofs:
        alone = pattern_of_proofs(view, [proof], read).name
        asked = [((proof.clues, proof.uses_total), alone)]
        asked += [((line, False), "") for line in lines_from(view, proof, read)]
        for (clues, total), expected in asked:
            unwanted = expected and wanted is not None and expected not in wanted
            if unwanted or expected in done or (clues, total) in tried:
                continue
            tried.add((clues, total))
            puzzle = cut_puzzle(view, clues, total, source)
            if puzzle is None or puzzle.pattern.name in done:
                continue
            if wanted is None or puzzle.pattern.name in wanted:
                done.add(puzzle.pattern.name)
                yield puzzle
