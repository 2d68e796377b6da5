"""The kinds of tasks: what each asks of a position, how a reply is graded, and a full answer.

A question holds a view and what follows from it, never a layout. No answer that needs no thought
scores above 0 on average:

- `certain`: a false claim costs everything, and every position has certain cells and others.
- `claim` and `sound`: right is 1 and wrong is -1; of two seeds 2k and 2k+1 one answer is yes.
- `chance`: 0 from an error of 0.05 on, and no constant comes so near: 0, 1/2, 1, mines per cell.
- `guess`: 0 is the mean over all cells that are no certain mines.
- `prove`: the checker decides.
- `game`: see `mineproof.tasks.conversation`.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, TypeAlias

from mineproof.engine.exact import analyze
from mineproof.errors import BudgetExceeded, InputError
from mineproof.proofs.checker import Rejection, StepCheck, check_proof, clue_sum, total_sum
from mineproof.proofs.documents import PROOF, read_text, to_text
from mineproof.proofs.enumeration import MOST_STATES
from mineproof.proofs.proof import Claim, Proof, ProofStep, digest, mines_text
from mineproof.registry import Catalog
from mineproof.rng import Stream
from mineproof.search.endgame import endgame
from mineproof.tasks.positions import Deal, Stage
from mineproof.tasks.replies import (
    BadReply,
    Grade,
    Verdict,
    answer_of,
    cells_of,
    check_length,
    share_of,
    truth_of,
)
from mineproof.view.view import View

_CERTAINTY = (
    "A cell is certainly safe if it is safe in every arrangement of the mines that fits everything"
    " shown and the number of mines; it is certainly a mine if it is one in all of them."
)
_END = "End your reply with one JSON object:"


@dataclass(frozen=True)
class Question(ABC):
    """A question about a position; `solution` is a reply that gets full marks."""

    view: View

    @property
    @abstractmethod
    def text(self) -> str: ...

    @property
    @abstractmethod
    def solution(self) -> str: ...

    def grade(self, reply: str | None) -> Grade:
        """The grade of any reply; raises nothing."""
        try:
            return self._grade(reply)
        except BadReply as bad:
            return bad.grade

    @abstractmethod
    def _grade(self, reply: str | None) -> Grade: ...

    def _name(self, cell: int) -> str:
        return self.view.topology.cell_name(cell)

    def _names(self, cells: Iterable[int]) -> list[str]:
        return [self._name(cell) for cell in sorted(cells)]


Pose: TypeAlias = Callable[[Stage, Stream, bool], Question | None]
"""Makes a question of a stage, or not. Where the answer is yes or no, the flag says which."""


# -- All certain cells ---------------------------------------------------------


@dataclass(frozen=True)
class CertainQuestion(Question):
    """Which cells are certain? F1 of the claims; a false claim makes it 0."""

    safe: frozenset[int]
    mines: frozenset[int]

    @property
    def text(self) -> str:
        return (
            f"Which hidden cells are certain? {_CERTAINTY} Find all of them. A single false claim"
            f' scores 0. {_END} {{"safe": ["ROW,COLUMN", ...], "mines": ["ROW,COLUMN", ...]}}'
        )

    @property
    def solution(self) -> str:
        return json.dumps({"safe": self._names(self.safe), "mines": self._names(self.mines)})

    def _grade(self, reply: str | None) -> Grade:
        answer = answer_of(reply, ("safe", "mines"))
        safe = frozenset(cells_of(answer, "safe", self.view))
        mines = frozenset(cells_of(answer, "mines", self.view))
        right = len(safe & self.safe) + len(mines & self.mines)
        wrong = len(safe - self.safe) + len(mines - self.mines)
        share = right / (len(self.safe) + len(self.mines))
        score = 0.0 if wrong or not right else 2 * share / (1 + share)
        return Grade(score, metrics={"recall": share, "false_claims": float(wrong)})


def pose_certain(stage: Stage, rng: Stream, yes: bool) -> Question | None:
    """All certain cells of a stage."""
    safe = frozenset(p.cell for p in stage.proofs if p.claim is Claim.SAFE and p.cell is not None)
    mines = frozenset(p.cell for p in stage.proofs if p.claim is Claim.MINE and p.cell is not None)
    return CertainQuestion(stage.view, safe, mines)


# -- Is a claim true? ----------------------------------------------------------


@dataclass(frozen=True)
class YesQuestion(Question):
    """A question that is answered true or false: 1 if right, -1 if wrong."""

    truth: bool
    field: ClassVar[str] = "true"

    @property
    def solution(self) -> str:
        return json.dumps({self.field: self.truth})

    def _grade(self, reply: str | None) -> Grade:
        right = truth_of(answer_of(reply, (self.field,)), self.field) is self.truth
        return Grade(1.0 if right else -1.0, metrics={"accuracy": float(right)})


@dataclass(frozen=True)
class ClaimQuestion(YesQuestion):
    """Is this claim about a cell true?"""

    cell: int
    claim: str

    @property
    def text(self) -> str:
        return (
            f"{_CERTAINTY} Is this true: cell {self._name(self.cell)} is {self.claim}?"
            f' {_END} {{"true": true or false}}'
        )


_CLAIMS = {Claim.SAFE: "certainly safe", Claim.MINE: "certainly a mine"}
_NEITHER = "neither certainly safe nor certainly a mine"


def pose_claim(stage: Stage, rng: Stream, yes: bool) -> Question | None:
    """A claim that is true, or nearly so: of a hard cell it says another, of a doubtful one any."""
    proof, doubtful = stage.hardest(rng), rng.choice(stage.uncertain)
    assert proof.cell is not None
    # The wording is drawn without a look at the answer, so that it does not tell.
    if rng.below(3) == 0:
        return ClaimQuestion(stage.view, yes, doubtful if yes else proof.cell, _NEITHER)
    others = [one.cell for one in stage.proofs if one.claim is not proof.claim]
    cell = rng.choice(others) if others and rng.below(2) else doubtful
    assert cell is not None
    return ClaimQuestion(stage.view, yes, proof.cell if yes else cell, _CLAIMS[proof.claim])


# -- Is a proof sound? ---------------------------------------------------------

NOTATION = (
    "A proof is a list of lines, numbered from 1:\n"
    "  step N by CLUES from STEPS under LINES: COUNTS of CELLS\n"
    "says that CELLS hold one of these numbers of mines. That must follow from the numbers shown at"
    " CLUES (open cells; `total` is the number of all mines), from what earlier STEPS say, and from"
    " nothing else. `by`, `from` and `under` are left out where there is nothing to name.\n"
    "  case N: 1 of CELL     or     suppose N: 0 of CELL\n"
    "supposes that a cell is a mine (1), or safe (0). Steps that rest on it say `under N` and hold"
    " only there. `- of -` is a contradiction. A later step that is not under these lines may rest"
    " on contradictions: it may use that not all that they stand under is so. The last step is"
    " under nothing and says of one cell `1 of CELL` or `0 of CELL`."
)


@dataclass(frozen=True)
class SoundQuestion(YesQuestion):
    """Is this proof sound? One that is not has exactly one step that does not follow."""

    lines: tuple[str, ...]
    bad_step: int | None
    field: ClassVar[str] = "sound"

    @property
    def text(self) -> str:
        return (
            f"{NOTATION}\n\nThe proof:\n" + "\n".join(self.lines) + "\n\nDoes every step follow"
            " from exactly what it names? A step that is true but rests on too little does not"
            f' follow. {_END} {{"sound": true or false}}'
        )


def proof_lines(proof: Proof) -> tuple[str, ...]:
    """The steps of a proof without their sentences."""
    bare = replace(proof, steps=tuple(replace(step, sentence="") for step in proof.steps))
    kinds = ("step ", "suppose ", "case ")
    lines = [line for line in to_text(bare).splitlines() if line.startswith(kinds)]
    return tuple(re.sub(r" over [^:]+", "", line) for line in lines)


def pose_sound(stage: Stage, rng: Stream, yes: bool) -> Question | None:
    """A hard proof of the stage, or the same with one step changed a little."""
    proof = stage.hardest(rng)
    if len(proof.steps) < 2 and stage.level > 1:
        return None
    broken = _broken(proof, stage.view, rng)
    if broken is None:
        return None  # also where the proof is sound, so that both kinds come from the same ones
    other, number = broken
    shown = proof if yes else other
    return SoundQuestion(stage.view, yes, proof_lines(shown), None if yes else number)


_CHANGES = 12


def _broken(proof: Proof, view: View, rng: Stream) -> tuple[Proof, int] | None:
    """The proof with one step that no longer follows, and its number; every other step does."""
    for _ in range(_CHANGES):
        number = rng.below(len(proof.steps))
        step = proof.steps[number]
        if step.kind.assumes:
            continue
        options = list(_changes(step, proof, view))
        if not options:
            continue
        steps = (*proof.steps[:number], rng.choice(options), *proof.steps[number + 1 :])
        changed = replace(proof, steps=steps)
        bad = [n for n in range(1, len(steps) + 1) if not _follows(changed, n, view)]
        if bad == [number + 1]:
            return changed, number + 1
    return None


def _changes(step: ProofStep, proof: Proof, view: View) -> Iterator[ProofStep]:
    """Steps that look like this one: a clue or a step less, or another number of mines."""
    if len(step.clues) + len(step.rests_on) + step.uses_total > 1:
        for clue in step.clues:
            yield replace(step, clues=tuple(one for one in step.clues if one != clue))
        for earlier in step.rests_on:
            yield replace(step, rests_on=tuple(n for n in step.rests_on if n != earlier))
    for clue in step.clues:
        for other in view.topology.neighbours(clue):
            if view.clue(other) is not None and other not in step.clues:
                clues = sorted({*step.clues, other} - {clue})
                yield replace(step, clues=tuple(clues))
    for place, conclusion in enumerate(step.conclusions):
        for shift in (-1, 1):
            counts = tuple(count + shift for count in conclusion.counts)
            if counts and counts[0] >= 0 and counts[-1] <= len(conclusion.cells):
                fresh = replace(conclusion, counts=counts)
                said = (*step.conclusions[:place], fresh, *step.conclusions[place + 1 :])
                yield replace(step, conclusions=said)


def _follows(proof: Proof, number: int, view: View) -> bool:
    """Whether one step follows from what it names, whatever else is wrong with the proof."""
    clues = {clue for step in proof.steps for clue in step.clues}
    read = {None: total_sum(view)} | {clue: clue_sum(view, clue) for clue in clues}
    check = StepCheck(proof, view, read, MOST_STATES)
    try:
        check.check_step(number)
    except (Rejection, BudgetExceeded):
        return False
    return True


# -- The chance of a cell ------------------------------------------------------


@dataclass(frozen=True)
class ChanceQuestion(Question):
    """The chance of a mine in a cell: one minus the squared error over that of 0.05."""

    cell: int
    chance: Fraction

    @property
    def text(self) -> str:
        return (
            "All arrangements of the mines that fit everything shown and the number of mines are"
            f" equally likely. What is the chance that cell {self._name(self.cell)} is a mine?"
            f' {_END} {{"chance": NUMBER}}, such as 0.25 or "1/4".'
        )

    @property
    def solution(self) -> str:
        return json.dumps({"chance": str(self.chance)})

    def _grade(self, reply: str | None) -> Grade:
        said = share_of(answer_of(reply, ("chance",)), "chance")
        error = (said - float(self.chance)) ** 2
        score = max(0.0, 1 - error / _LARGEST_ERROR)
        metrics = {"squared_error": error, "said": said, "exact": float(self.chance)}
        return Grade(score, metrics=metrics)


_LARGEST_ERROR = 0.05**2


def pose_chance(stage: Stage, rng: Stream, yes: bool) -> Question | None:
    """The chance of a doubtful cell that no constant comes near."""
    view = stage.view
    assert view.total is not None
    chances = analyze(view).fractions()
    constants = (0, Fraction(1, 2), 1, Fraction(view.total, view.hidden_count))
    found = []
    for cell in stage.uncertain:
        error = min(float(chances[cell] - one) ** 2 for one in constants)
        if error >= _LARGEST_ERROR:
            found.append(ChanceQuestion(view, cell, chances[cell]))
    return rng.choice(found) if found else None


# -- The best guess ------------------------------------------------------------


@dataclass(frozen=True)
class GuessQuestion(Question):
    """Which cell wins most often? The chance to win above the mean over cells, over the best's."""

    wins: Mapping[int, Fraction]

    @property
    def text(self) -> str:
        return (
            "No hidden cell is certainly safe. Opening a mine loses; opening all safe cells wins."
            " Which cell should be opened now, to win most often with best play afterwards?"
            f' {_END} {{"open": "ROW,COLUMN"}}'
        )

    @property
    def best(self) -> Fraction:
        return max(self.wins.values())

    @property
    def solution(self) -> str:
        cell = max(self.wins, key=lambda one: (self.wins[one], -one))
        return json.dumps({"open": self._name(cell)})

    def _grade(self, reply: str | None) -> Grade:
        cells = cells_of(answer_of(reply, ("open",)), "open", self.view)
        if len(cells) != 1:
            raise BadReply(Verdict.UNREADABLE, f"{len(cells)} cells; accepted: one")
        win = self.wins.get(cells[0], Fraction(0))
        mean = sum(self.wins.values(), Fraction(0)) / len(self.wins)
        score = float((win - mean) / (self.best - mean))
        return Grade(score, metrics={"lost": float(self.best - win), "win": float(win)})


_SOLUTIONS, _WORK = 1_000, 2_000_000
_LEAST_LEAD = Fraction(1, 20)


def pose_guess(stage: Stage, rng: Stream, yes: bool) -> Question | None:
    """The best guess of a stage without a safe cell, where best play to the end is known."""
    if any(proof.claim is Claim.SAFE for proof in stage.proofs):
        return None
    try:
        found = endgame(stage.view, solutions=_SOLUTIONS, work=_WORK)
    except BudgetExceeded:
        return None
    wins = {cell: found.cells[cell] for cell in stage.uncertain}
    if not wins or max(wins.values()) - sum(wins.values()) / len(wins) < _LEAST_LEAD:
        return None
    return GuessQuestion(stage.view, wins)


# -- Write a proof -------------------------------------------------------------


@dataclass(frozen=True)
class ProofQuestion(Question):
    """Prove that a cell is certain: 1 if the checker accepts the steps."""

    cell: int
    mine: bool
    steps: tuple[str, ...]

    @property
    def text(self) -> str:
        what = "a mine" if self.mine else "safe"
        return (
            f"Cell {self._name(self.cell)} is certainly {what}. Prove it. {NOTATION}\nName no clue"
            " that the proof does not need. A program checks every line. End your reply with the"
            " lines of the proof, and nothing after them."
        )

    @property
    def solution(self) -> str:
        return "\n".join(self.steps)

    def _grade(self, reply: str | None) -> Grade:
        lines = _last_proof(check_length(reply))
        try:
            proof = self._proof(lines)
            found = check_proof(proof, self.view)
        except (InputError, BudgetExceeded) as error:
            raise BadReply(Verdict.UNREADABLE, str(error)) from None
        metrics = {"premises": float(proof.size), "steps": float(len(proof.steps))}
        return Grade(float(found.accepted), metrics=metrics, note=found.reason)

    def _proof(self, lines: list[str]) -> Proof:
        """The document that these steps are part of. Raises NotationError."""
        clues: set[str] = set()
        total = False
        for line in lines:
            if by := _BY.search(line):
                total |= "total" in by[1].split()
                clues.update(word for word in by[1].split() if word != "total")
        cells = sorted(self.view.topology.cell(tuple(map(int, word.split(",")))) for word in clues)
        if total:
            technique = "mine count"
        elif any(not line.startswith("step") for line in lines):
            technique = "case split"
        else:
            technique = {1: "single clue", 2: "two clues"}.get(len(cells), f"{len(cells)} clues")
        text = [PROOF, f"position {digest(self.view)}"]
        text.append(f"claim {self._name(self.cell)} {'mine' if self.mine else 'safe'}")
        text += [f"premise {self._name(cell)} shows {self.view.clue(cell)}" for cell in cells]
        text += [f"premise {mines_text(self.view)}"] if total else []
        text += ["smallest no", f"technique {technique}", *map(_with_over, lines)]
        (proof,) = read_text("\n".join(text), self.view)
        assert isinstance(proof, Proof)
        return proof


_LINE = re.compile(r"(step|suppose|case) +(\d{1,4})\b[^\n]{0,2000}")
_BY = re.compile(r" by ((?:\d{1,4},\d{1,4}|total)(?: (?:\d{1,4},\d{1,4}|total))*)")
_MOST_LINES = 300


def _last_proof(reply: str) -> list[str]:
    """The lines of the last proof of a reply. Raises BadReply."""
    lines: list[str] = []
    for line in reply.split("\n"):
        line = line.strip().strip("`").strip()
        if match := _LINE.fullmatch(line):
            if int(match[2]) == 1:
                lines = []
            lines.append(line)
    if not 0 < len(lines) <= _MOST_LINES:
        raise BadReply(Verdict.UNREADABLE, f"{len(lines)} lines of a proof")
    return lines


def _with_over(line: str) -> str:
    """The line with the cells that it speaks of, which a reply need not repeat."""
    head, colon, said = line.partition(":")
    cells = dict.fromkeys(re.findall(r"\d{1,4},\d{1,4}", said))
    return f"{head} over {' '.join(cells)}{colon}{said}" if cells and " over " not in head else line


def pose_proof(stage: Stage, rng: Stream, yes: bool) -> Question | None:
    """One of the hardest certain cells of a stage."""
    proof = stage.hardest(rng)
    assert proof.cell is not None
    lines = proof_lines(proof)
    question = ProofQuestion(stage.view, proof.cell, proof.claim is Claim.MINE, lines)
    # Its own steps must pass, or nobody's would: regions that a sentence names stand in no line.
    return question if question.grade(question.solution).score == 1.0 else None


# -- A whole game --------------------------------------------------------------


@dataclass(frozen=True)
class GameQuestion(Question):
    """A game from its first opening on. One reply may hold all its moves."""

    deal: Deal

    @property
    def text(self) -> str:
        return (
            "Play this game to its end: open every safe cell and no mine. Take every cell that is"
            " certainly safe before you guess. Where none is, a best guess never opens a mine; any"
            " other may. Each reply opens one cell or several, in their order, and gets the new"
            f' board. {_END} {{"open": ["ROW,COLUMN", ...]}}'
        )

    @property
    def solution(self) -> str:
        from mineproof.tasks.conversation import Conversation

        return Conversation(self).best_line()

    def _grade(self, reply: str | None) -> Grade:
        from mineproof.tasks.conversation import Conversation

        game = Conversation(self)
        game.send(reply)
        return game.grade()


def pose_game(stage: Stage, rng: Stream, yes: bool) -> Question | None:
    """A game whose first opening leaves a safe cell to be found."""
    if stage.deal is None or not any(proof.claim is Claim.SAFE for proof in stage.proofs):
        return None
    return GameQuestion(stage.view, stage.deal)


# -- The catalog ---------------------------------------------------------------


@dataclass(frozen=True)
class TaskKind:
    """A kind of task: what it asks, how a question is made of a stage, and which stages do.

    `of_level` kinds take stages whose hardest cell needs the rung of the level; the others only
    the level's boards.
    """

    doc: str
    pose: Pose
    of_level: bool = True


KINDS: Catalog[TaskKind] = Catalog("kind of task")
KINDS.add("certain", TaskKind("all certain cells", pose_certain))
KINDS.add("claim", TaskKind("whether a claim about a cell is true", pose_claim))
KINDS.add("sound", TaskKind("whether a proof is sound", pose_sound))
KINDS.add("chance", TaskKind("the chance of a mine in a cell", pose_chance, of_level=False))
KINDS.add("guess", TaskKind("the cell that wins most often", pose_guess, of_level=False))
KINDS.add("prove", TaskKind("a proof that the checker accepts", pose_proof))
KINDS.add("game", TaskKind("a whole game, as a conversation", pose_game, of_level=False))
