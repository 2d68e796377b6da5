"""Boards, positions and what is known of them, as the page gets them.

Every cell is its number; the board has its coordinates, its name and its outline. What may take
long is asked of a worker (`ask_why`, `ask_hint`). The worker calls the function that does it here,
which takes a task's fields as `asked`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from mineproof import kernel
from mineproof.advice.adviser import JUDGED_SAMPLES, advise, is_promised, win_chances
from mineproof.advice.hints import HintKind, hint
from mineproof.agents.agent import Action, Decision
from mineproof.agents.catalog import AGENTS, make_agent
from mineproof.board.lattices import LATTICES
from mineproof.board.presets import PRESETS, Board
from mineproof.board.topology import Topology
from mineproof.engine.analysis import Analysis, Budget, check_rules
from mineproof.engine.exact import analyze
from mineproof.errors import (
    BoardError,
    BudgetExceeded,
    InconsistentPosition,
    InputError,
    MineproofError,
    quoted,
)
from mineproof.game.referee import Referee
from mineproof.generation.patterns import PATTERNS
from mineproof.generation.puzzle_files import PuzzleIndex, shipped_index
from mineproof.generation.puzzles import LEVELS, TeachingPuzzle
from mineproof.proofs.explanation import Explainer
from mineproof.proofs.proof import Claim, NoProof, Proof, ProofStep
from mineproof.proofs.smallest import ForcingSet
from mineproof.rules import FirstClick, Rules
from mineproof.search.endgame import check_best_play_rules
from mineproof.search.win import WinChance
from mineproof.text import number_word, percent
from mineproof.view import exchange, notation
from mineproof.view.channels import Mark, check_channel
from mineproof.view.setting import Setting
from mineproof.view.view import View
from mineproof.web.answers import (
    AgentEntry,
    AnalysisAnswer,
    BestMove,
    BoardAnswer,
    BoardsAnswer,
    Certain,
    Changed,
    Consistency,
    ExplanationAnswer,
    HintAnswer,
    LessonsAnswer,
    PatternLesson,
    PositionAnswer,
    ProofFields,
    ProofStepAnswer,
    PuzzleAnswer,
    Shown,
    StepPart,
    TopologyFields,
    ViewAnswer,
    WatchedAnswer,
    WinTable,
)
from mineproof.web.requests import CoachLimits, Refusal, TaskWorkers, refusal_of

_MARKS: dict[int, Shown] = {Mark.HIDDEN.value: None, Mark.MINE.value: "*", Mark.BLANK.value: "?"}
_LONGEST_BOARD = 4_000
_LONGEST_AGENT = 200


def read_board(text: str, limits: CoachLimits) -> Board:
    """The board of a name; no file is opened for it. Raises InputError."""
    if len(text) > _LONGEST_BOARD:
        raise BoardError(f"board {quoted(text)} is longer than {_LONGEST_BOARD} characters")
    board = Board.parse(text, files=False)
    check_size(board.topology, limits)
    return board


def read_setting(
    board: str,
    first_click: str | None,
    clues: str | None,
    limits: CoachLimits,
    guesses: str | None = None,
) -> Setting:
    """What is played, as a request names it; no file is opened for it. Raises InputError."""
    chosen = read_board(board, limits)
    # Words of rules may name a file, a value of rules cannot.
    rules = Rules().with_words(first_click=first_click, clues=clues, guesses=guesses)
    setting = Setting.of(chosen, rules)
    check_channel(setting.rules.clues, setting.board.topology.degrees)
    return setting


def check_size(topology: Topology, limits: CoachLimits) -> None:
    """Refuse boards past the limit. Raises BoardError."""
    if len(topology) > limits.cells:
        raise BoardError(
            f"the board has {len(topology)} cells; the coach accepts at most {limits.cells}"
        )


def check_cell(topology: Topology, cell: int) -> None:
    """Refuse cells off the board."""
    if cell >= len(topology):
        accepted = f"0..{len(topology) - 1}"
        raise Refusal("malformed", f"cell {cell} is not on the board; accepted: {accepted}")


@lru_cache(maxsize=32)
def _topology_json(topology: Topology) -> TopologyFields:
    lattice = topology.lattice
    outlines = [topology.polygon(cell) for cell in topology.cells]
    # A board drawn around a circle or to the left of 0 is moved to begin at 0,0.
    left = min(x for outline in outlines for x, _ in outline)
    top = min(y for outline in outlines for _, y in outline)
    polygons = [[[round(x - left, 4), round(y - top, 4)] for x, y in o] for o in outlines]
    centres = [
        [round(sum(along) / len(polygon), 4) for along in zip(*polygon, strict=True)]
        for polygon in polygons
    ]
    plain = topology.name in ("square", "square4", "torus") and not topology.blocked
    return {
        "topology": topology.name,
        "rows": len(lattice.row_lengths),
        "cols": max(lattice.row_lengths),
        "shape": topology.shape,
        "cells": len(topology),
        "coordinates": [list(topology.coordinates(cell)) for cell in topology.cells],
        "names": [topology.cell_name(cell) for cell in topology.cells],
        "polygons": None if plain else polygons,
        "centres": None if plain else centres,
        "neighbours": [list(topology.neighbours(cell)) for cell in topology.cells],
        "size": [
            max(x for polygon in polygons for x, _ in polygon),
            max(y for polygon in polygons for _, y in polygon),
        ],
    }


def board_json(topology: Topology, mines: int | None, name: str | None = None) -> BoardAnswer:
    """The description of a board; `name` is what it is called, else what its topology is."""
    return {"name": name or topology.text, "mines": mines, **_topology_json(topology)}


def boards_json(limits: CoachLimits) -> BoardsAnswer:
    """The presets, the topologies with an example, and the limits of a board."""
    return {
        "presets": [{"name": name, "board": PRESETS[name]} for name in PRESETS],
        "topologies": [
            {"name": name, "doc": LATTICES[name].doc, "example": LATTICES[name].example}
            for name in LATTICES
        ],
        "limits": {"cells": limits.cells, "watch_cells": limits.watch_cells},
    }


def shown_json(view: View, cell: int) -> Shown:
    """What one cell shows."""
    code = view.code(cell)
    if code == Mark.HIDDEN.value and view.is_flagged(cell):
        return "F"
    return _MARKS.get(code, code)


def changed_cells(before: View, after: View, decision: Decision) -> tuple[int, ...]:
    """The cells whose appearance a decision changed."""
    if decision.cell is not None and decision.action in (Action.FLAG, Action.UNFLAG):
        return (decision.cell,)
    opened = after.opened_since(before)
    if opened is None:  # the total was told with the first click, in a view of its own
        opened = tuple(after.opened)
    return opened


def changed_json(view: View, cells: Iterable[int]) -> Changed:
    """Cells with what they show now."""
    return [(cell, shown_json(view, cell)) for cell in cells]


def mines_left(view: View) -> int | None:
    """The mines that are neither flagged nor open; None if the total is unknown."""
    if view.total is None:
        return None
    opened = int((view.codes() == Mark.MINE.value).sum())
    return view.total - view.flag_count - opened


def view_json(view: View) -> ViewAnswer:
    """A whole view."""
    shown: list[Shown] = [_MARKS.get(code, code) for code in view.codes().tolist()]
    for cell in view.flags:
        shown[cell] = "F"
    return {
        "shown": shown,
        "mines_left": mines_left(view),
        "rules": view.rules.text,
        "short": view.text,
    }


def own_copy(view: View) -> View:
    """The same position, sharing no memory, for work beside a running game."""
    return View.of_codes(view.topology, view.rules, view.codes(), view.flags)


# -- What is known of a position: chances, the best move with its reason, the chances to win --

_CERTAIN: dict[float, Certain] = {0.0: "safe", 1.0: "mine"}
_MOST_DIGITS = 4_000


def analysis_json(
    view: View,
    budget: Budget,
    winning: tuple[CoachLimits, TaskWorkers] | None = None,
    no_guess: bool = False,
) -> AnalysisAnswer:
    """Every chance, exactly, and the best move. Raises InconsistentPosition, BudgetExceeded.

    With `winning`, its limits and its workers, also the chance to win of the moves that come into
    question; `note` says why it is not there. On a board without guesses, `no_guess`, what is
    certainly safe wins.
    """
    start = time.perf_counter_ns()
    analysis = analyze(view, budget=budget)
    chances = analysis.p.array.tolist()
    p: list[float | None] = [None] * len(view)
    certain: list[Certain | None] = [None] * len(view)
    for cell in view.hidden:
        p[cell] = chances[cell]
        certain[cell] = _CERTAIN.get(chances[cell])
    sure = _sure_wins(analysis) if no_guess and winning else []
    wins, note = (sure, None) if sure or winning is None else _ask_wins(view, *winning)
    return {
        "p": p,
        "certain": certain,
        "promised": is_promised(view),
        "solutions": _digits(analysis),
        "best": best_json(analysis, wins),
        "win": _win_json(wins, "no-guess" if sure else None),
        "note": note,
        "elapsed_us": (time.perf_counter_ns() - start) // 1000,
    }


def _sure_wins(analysis: Analysis) -> list[WinChance]:
    """The chances to win on a board that logic solves: those of the cells that it opens next."""
    view = analysis.view
    cells = list(view.hidden) if is_promised(view) else analysis.safe
    return [WinChance(cell, 1.0, 1.0, 1.0, True, 0.0) for cell in cells]


def _ask_wins(
    view: View, limits: CoachLimits, workers: TaskWorkers
) -> tuple[list[WinChance], str | None]:
    """The chances to win, from a worker, or why there are none."""
    if not kernel.available():
        return [], "the chance to win is worked out by the compiled core, which is not there"
    try:
        check_best_play_rules(view)
        asked = {"text": view.text, "seconds": limits.win_seconds}
        most = 3 * limits.win_seconds + limits.win_grace
        found = workers.ask("win", asked, most, "the chance to win was not found")
        return [WinChance(**one) for one in found], None
    except MineproofError as error:
        return [], str(error)


def wins_json(asked: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The chances to win of the cells that come into question, the best first, for `_ask_wins`.

    It takes a while, so it runs in a worker. Unless time is short, the figures are those of a
    review. Raises BudgetExceeded.
    """
    view = View.parse(asked["text"])
    seconds = asked["seconds"]
    return [asdict(one) for one in win_chances(view, samples=JUDGED_SAMPLES, seconds=seconds)]


def _win_json(wins: Sequence[WinChance], method: str | None) -> WinTable | None:
    """The chances to win; None if nothing can be opened, or they were not asked for."""
    if not wins:
        return None
    return {
        "cells": [
            {
                "cell": one.cell,
                "chance": one.chance,
                "low": one.low,
                "high": one.high,
                "exact": one.exact,
                "text": one.text,
            }
            for one in wins
        ],
        "method": method or ("endgame" if all(one.exact for one in wins) else "rollouts"),
    }


def best_json(analysis: Analysis, wins: Sequence[WinChance] = ()) -> BestMove | None:
    """The best move and why, by the chances to win where there are any.

    None where no hidden cell can be safe.
    """
    best = advise(analysis, wins=wins)
    if best is None:
        return None
    return {
        "cell": best.cell,
        "p": best.risk,
        "reason": best.text,
        "basis": best.basis.value,
        "ties": len(best.ties),
        "tied": list(best.ties),
        "win": None if best.win is None else best.win.text,
    }


def _digits(analysis: Analysis) -> str | None:
    """The number of solutions; None if it has too many digits to read."""
    solutions = analysis.solutions
    return None if solutions.bit_length() > 3 * _MOST_DIGITS else str(solutions)


# -- Why a cell is certain, or two solutions that differ there; why clues clash --


def ask_why(view: View, cell: int, limits: CoachLimits, workers: TaskWorkers) -> ExplanationAnswer:
    """The explanation of a hidden cell, from a worker. Raises MineproofError."""
    check_cell(view.topology, cell)
    if view.is_open(cell):
        name = view.topology.cell_name(cell)
        raise InputError(f"cell {name} is open already; accepted: a hidden cell")
    asked = {**_search_fields(view, limits), "cell": cell}
    answer: ExplanationAnswer = workers.ask(
        "explain", asked, limits.proof_seconds, "the proof was not found"
    )
    return answer


def _search_fields(view: View, limits: CoachLimits) -> dict[str, Any]:
    """A position and how hard to search, as a worker is asked."""
    budget = limits.budget
    return {
        "text": view.text,
        "states": budget.states,
        "memory": budget.memory,
        "steps": limits.steps,
    }


def explanation_json(asked: Mapping[str, Any]) -> ExplanationAnswer:
    """Why a hidden cell is certain, or two solutions that differ there.

    A search that nothing limits but the time, so it runs in a worker. Raises InconsistentPosition
    and BudgetExceeded.
    """
    view, cell = View.parse(asked["text"]), asked["cell"]
    if is_promised(view):
        return _promised_json(view, cell)
    analysis = analyze(view, budget=Budget(asked["states"], asked["memory"]))
    found = Explainer(view, steps=asked["steps"], analysis=analysis).explain(cell)
    chance = analysis.p[cell]
    if isinstance(found, NoProof):
        return {
            "cell": cell,
            "certain": None,
            "p": chance,
            "text": _doubt(found, chance),
            "summary": None,
            "technique": None,
            "premises": [],
            "uses_total": False,
            "smallest": found.nearest,
            "steps": [],
            "witnesses": [list(solution) for solution in found.solutions],
        }
    return certain_json(found)


def _promised_json(view: View, cell: int) -> ExplanationAnswer:
    """Why a cell is safe before anything is open: by the rules, whichever is chosen."""
    around = view.rules.first_click is FirstClick.OPENING
    text = f"{view.topology.cell_name(cell)} is safe by the rules if it is opened first" + (
        ", and so are the cells around it: the mines are dealt around the first click."
        if around
        else ": the mines are dealt around the first click."
    )
    return {
        "cell": cell,
        "certain": "safe",
        "p": 0.0,
        "text": text,
        "summary": None,
        "technique": None,
        "premises": [],
        "uses_total": False,
        "smallest": True,
        "steps": [],
        "witnesses": None,
    }


def certain_json(proof: Proof) -> ExplanationAnswer:
    """The explanation of a cell that a proof decides."""
    mine = proof.claim is Claim.MINE
    return {
        "cell": proof.cell,
        "certain": "mine" if mine else "safe",
        "p": float(mine),
        **_proof_json(proof),
    }


def _doubt(found: NoProof, chance: float) -> str:
    """Why a cell is not certain: its chance, and how little two layouts differ."""
    one, other = map(frozenset, found.solutions)
    name = found.topology.cell_name(found.cells[0])
    few = number_word(len(one ^ other))
    cells = "this cell alone" if few == "one" else f"{few} cells"
    return (
        f"{name} is not certain: its mine chance is {percent(chance)}. Two layouts that explain the"
        f" position differ in {cells}{', no two in fewer' if found.nearest else ''}."
    )


def _proof_json(proof: Proof) -> ProofFields:
    return {
        "text": str(proof),
        "summary": proof.summary,
        "technique": proof.technique.name,
        "premises": list(proof.clues),
        "uses_total": proof.uses_total,
        "smallest": proof.smallest,
        "steps": list(map(_step_json, proof.steps)),
        "witnesses": None,
    }


def _step_json(step: ProofStep) -> ProofStepAnswer:
    """A step as the page draws it; `counts` are conclusions that decide no cell."""
    return {
        "kind": step.kind.value,
        "text": step.sentence,
        "parts": _parts_json(step),
        "premises": list(step.clues),
        "uses_total": step.uses_total,
        "rests_on": list(step.rests_on),
        "under": list(step.under),
        "cells": list(step.cells),
        "concludes": [(cell, _CERTAIN[float(mine)]) for cell, mine in step.decides.items()],
        "counts": [
            {"cells": list(one.cells), "mines": list(one.counts)}
            for one in step.conclusions
            if one.decides is None
        ],
    }


def _parts_json(step: ProofStep) -> list[StepPart]:
    """The sentence in parts, those that speak of cells with the cells; together they are it."""
    parts: list[StepPart] = []
    at = 0
    for mention in step.mentions:
        parts.append({"text": step.sentence[at : mention.start], "cells": []})
        phrase = step.sentence[mention.start : mention.end]
        parts.append({"text": phrase, "cells": list(mention.cells)})
        at = mention.end
    parts.append({"text": step.sentence[at:], "cells": []})
    return [part for part in parts if part["text"]]


def clash_json(view: View, limits: CoachLimits) -> Consistency:
    """Whether any layout explains a position; if not, which cells clash and why."""
    answer: Consistency = {"status": "consistent", "clash": [], "message": None, "why": None}
    try:
        analyze(view, budget=limits.budget)
    except BudgetExceeded as error:
        answer["status"], answer["message"] = "too-wide", str(refusal_of(error))
    except InconsistentPosition as error:
        answer["status"], answer["message"] = "contradictory", str(error)
        answer["clash"] = list(error.clues)
        answer["why"] = _clash_proof_json(view, error, limits)
    return answer


def _clash_proof_json(
    view: View, error: InconsistentPosition, limits: CoachLimits
) -> ExplanationAnswer:
    """Why clues clash: no smaller set is looked for, so that this is quick while one edits."""
    explainer = Explainer(view, steps=limits.steps)
    evidence = explainer.evidence
    clashing = [
        number
        for number, premise in enumerate(evidence.premises)
        if (error.uses_total if premise.clue is None else premise.clue in error.clues)
    ]
    proof = explainer.proof(ForcingSet(tuple(clashing), False), None, Claim.CLASH)
    fields = _proof_json(proof)
    fields["text"] = proof.text
    return {"cell": None, "certain": None, "p": None, **fields}


# -- Hints, in levels ----------------------------------------------------------


def ask_hint(view: View, level: int, limits: CoachLimits, workers: TaskWorkers) -> HintAnswer:
    """The hint of a level, from a worker. Raises MineproofError."""
    asked = {**_search_fields(view, limits), "level": level}
    answer: HintAnswer = workers.ask("hint", asked, limits.proof_seconds, "no hint was found")
    return answer


def hint_json(asked: Mapping[str, Any]) -> HintAnswer:
    """The hint of a level; a search that only time limits, so it runs in a worker."""
    view, budget = View.parse(asked["text"]), Budget(asked["states"], asked["memory"])
    found = hint(view, asked["level"], steps=asked["steps"], budget=budget)
    return {
        "kind": found.kind.value,
        "level": found.level,
        "more": found.more,
        "text": found.text,
        "region": list(found.region),
        "premises": list(found.clues),
        "uses_total": found.uses_total,
        "cell": found.cell,
        "certain": "safe" if found.kind in (HintKind.CELL, HintKind.PROOF) else None,
        "why": None if found.proof is None else certain_json(found.proof),
    }


# -- Lessons: patterns in order, puzzles by level, and each puzzle with its answer --

_OF_PATTERN = 10  # puzzles of a pattern's lesson


def lessons_json() -> LessonsAnswer:
    """The patterns, each with its first puzzles and one as a picture; then all puzzles by level."""
    shelf = shipped_index()
    return {
        "patterns": [_pattern_json(shelf, name) for name in PATTERNS],
        "levels": [
            {"level": level, "puzzles": [one.name for one in shelf if one.level == level]}
            for level in LEVELS
        ],
    }


def _pattern_json(shelf: PuzzleIndex, name: str) -> PatternLesson:
    pattern = PATTERNS[name]
    names = [one.name for one in shelf if one.pattern == name]
    return {
        "name": pattern.name,
        "title": pattern.title,
        "explanation": pattern.explanation,
        "picture": names[min(_OF_PATTERN, len(names) - 1)],
        "puzzles": names[:_OF_PATTERN],
    }


def _puzzle(name: str) -> TeachingPuzzle:
    puzzle = shipped_index().find(name)
    if puzzle is None:
        raise Refusal("not-found", f"there is no puzzle {quoted(name)}")
    return puzzle


def puzzle_json(name: str) -> PuzzleAnswer:
    """A puzzle by its name. Raises Refusal."""
    puzzle = _puzzle(name)
    view = puzzle.view
    return {
        "puzzle": name,
        "board": board_json(view.topology, view.total),
        "view": view_json(view),
        "question": puzzle.question.value,
        "text": puzzle.question.text,
        "pattern": puzzle.pattern.name,
        "technique": puzzle.technique,
        "level": puzzle.level,
        "safe": list(puzzle.safe),
        "mines": list(puzzle.mines),
        "best": list(puzzle.best),
        "premises": sorted({clue for proof in puzzle.proofs for clue in proof.clues}),
        "choices": [
            {"cell": one.cell, "risk": float(one.risk), "win": float(one.win)}
            for one in puzzle.choices
        ],
    }


def puzzle_why(
    name: str, cell: int, limits: CoachLimits, workers: TaskWorkers
) -> ExplanationAnswer:
    """The proof that comes with a puzzle; of any other cell, what Why says. Raises Refusal."""
    puzzle = _puzzle(name)
    for proof in puzzle.proofs:
        if proof.cell == cell:
            return certain_json(proof)
    return ask_why(puzzle.view, cell, limits, workers)


# -- Positions of the editor: they come as text, and nothing is kept of them ---

_WRITERS = {
    "short": notation.write_short_text,
    "board": notation.write_board_text,
    "mine": notation.write_mine_text,
    "emoji": exchange.write_emoji,
    "link": exchange.write_link,
}
NOTATIONS = tuple(_WRITERS)


def read_position(text: str, limits: CoachLimits) -> View:
    """The view of a text in any notation. Raises InputError."""
    view = View.parse(text.replace("\r\n", "\n").replace("\r", "\n"))
    check_size(view.topology, limits)
    return view


def position_json(text: str | None, board: str | None, limits: CoachLimits) -> PositionAnswer:
    """A position as the page shows it, and whether any layout explains it. Raises InputError."""
    if text is not None and board is None:
        view = read_position(text, limits)
    elif board is not None and text is None:
        view = Referee(read_board(board, limits)).view  # nothing is open
    else:
        raise Refusal("malformed", "a position is named by text or by board; accepted: one of them")
    return {
        "board": board_json(view.topology, view.total),
        "view": view_json(view),
        **clash_json(view, limits),
    }


def export_text(text: str, to: str, limits: CoachLimits) -> str:
    """The position in another notation. Raises InputError for what that one cannot say."""
    return _WRITERS[to](read_position(text, limits))


# -- Watched agents: whole games, with the reasons of every step ---------------

_GRACE = 5.0  # seconds for the last moves, which are not cut short, and for writing the answer


def agents_json() -> list[AgentEntry]:
    """The catalog."""
    return [
        {
            "name": name,
            "aliases": list(AGENTS.aliases(name)),
            "text": entry.about or f"{entry.logic}; otherwise {entry.otherwise}",
            "uses": entry.information,
            "report": entry.report,
            "options": [],
        }
        for name, entry in ((name, AGENTS[name]) for name in AGENTS)
    ]


def watch_json(
    board: str,
    agents: Sequence[str],
    seed: int,
    first_click: str | None,
    clues: str | None,
    limits: CoachLimits,
    workers: TaskWorkers,
) -> WatchedAnswer:
    """One or two agents on the same deal. Raises InputError; agents of files are unknown here."""
    setting = read_setting(board, first_click, clues, limits)
    found, rules = setting.board, setting.rules
    cells = len(found.topology)
    if cells > limits.watch_cells:
        raise InputError(
            f"the board has {cells} cells; agents are watched on at most {limits.watch_cells}"
        )
    if not 1 <= len(agents) <= 2:
        raise InputError(f"{len(agents)} agents are named; accepted: one or two")
    for name in agents:
        if len(name) > _LONGEST_AGENT:
            raise InputError(f"an agent's name is longer than {_LONGEST_AGENT} characters")
        check_rules(make_agent(name), rules, cells)
    asked = {
        "board": found.text,
        "agents": list(agents),
        "seed": seed,
        "rules": rules.text,
        "seconds": limits.watch_seconds,
    }
    return {
        "board": board_json(found.topology, found.mines.fixed(cells), board),
        "seed": seed,
        "games": workers.ask(
            "watch", asked, limits.watch_seconds + _GRACE, "the agents did not end their games"
        ),
    }
