"""The text of a game: a header, one line per step with its reason, and how it ended.

    mineproof game
    board: square:9x9/10
    rules: mines=10 first-click=safe ...
    agent: single-point
    seed: 3 0
    agent-seed: 3
    1 open 4,4 -> 0 (23 opened) guessed: random among 81
    2 open 2,1 -> 2 proved: single-point from 3,1
    3 flag 2,2 proved: single-point from 3,1
    | mineproof proof 2
    | position 5d0c2a7be3f14966
    | claim 2,2 mine
    | ...
    outcome: won (cleared) score 1 finer 1 marked 1

Lines that begin with a bar are the proof of the step above, if the game carries proofs. A step that
was called proved and was not certain ends with `UNSOUND: risk 0.25`, the chance that it is false.
"""

from __future__ import annotations

import re

from mineproof.agents.decision import Action, Decision, Guessed, Proved, Reason, Unstated
from mineproof.board.layout import Layout
from mineproof.board.topology import Topology, parse_coordinates
from mineproof.errors import InputError, NotationError, quoted, text_of
from mineproof.inference.verdict import Premises
from mineproof.match.outcome import Outcome, Termination
from mineproof.match.transcript import Step, Transcript
from mineproof.rules import Rules
from mineproof.view.marks import Mark, Shown

__all__ = ["HEADER", "SIGNS", "parse", "step_text", "write"]

HEADER = "mineproof game"
SIGNS = {Mark.MINE: "*", Mark.BLANK: "?"}
"""What an opened cell without a number is written as."""
_STEP = re.compile(
    r"(?P<number>\d+) (?P<action>open|flag|unflag|chord|stop)(?: (?P<cell>[\d,]+))?"
    r"(?: -> (?P<shown>\d+|\*|\?))?(?: \((?P<opened>\d+) opened\))?(?: (?P<reason>.+))?"
)
_PROVED = re.compile(
    r"proved: (?P<logic>\S+)(?P<refuted> by contradiction)?(?: from (?P<premises>\S+(?: \S+)*?))?"
    r"(?: UNSOUND: risk (?P<unsound>\S+))?"
)
_GUESSED = re.compile(
    r"guessed: (?P<policy>\S+) among (?P<among>\d+)(?: risk (?P<risk>\S+))?(?: of (?P<cells>.+))?"
)
_OUTCOME = re.compile(
    r"(?P<won>won|lost) \((?P<end>[a-z]+)\) score (?P<score>\S+) finer (?P<finer>\S+)"
    r" marked (?P<marked>\S+)(?: note: (?P<note>.*))?"
)


def write(game: Transcript) -> str:
    """The game as text; `parse` reads it back to an equal value."""
    lines = [
        HEADER,
        f"board: {game.board}",
        f"topology: {game.topology.text}",
        f"rules: {game.rules.text}",
        f"agent: {game.agent}",
        f"seed: {game.seed} {game.index}",
        f"agent-seed: {game.agent_seed}",
    ]
    if game.world is not None:
        lines.append(f"world: {game.world}")
    if game.layout is not None:
        lines.append("mines: " + ";".join(game.layout.cells.names))
    for number, step in enumerate(game.steps, 1):
        lines.append(step_text(game.topology, number, step))
        if number in game.proofs:
            lines += [f"| {line}" for line in game.proofs[number].splitlines()]
    end = game.outcome
    line = f"outcome: {end.text} score {end.score!r} finer {end.finer!r}"
    line += f" marked {end.marked_share!r}"
    return "\n".join([*lines, line + (f" note: {end.note}" if end.note else "")]) + "\n"


def step_text(topology: Topology, number: int, step: Step) -> str:
    """One step on one line, with its reason."""
    words = [str(number), step.decision.action.value]
    if step.decision.cell is not None:
        words.append(topology.cell_name(step.decision.cell))
    if step.shown is not Mark.HIDDEN:
        sign = SIGNS[step.shown] if isinstance(step.shown, Mark) else str(step.shown)
        words.append(f"-> {sign}")
    if step.opened != _usual(step.decision.action, step.shown):
        words.append(f"({step.opened} opened)")
    words += _reason_words(topology, step.decision.reason)
    if step.unsound is not None:
        words += ["UNSOUND:", "risk", repr(step.unsound)]
    return " ".join(words)


def _reason_words(topology: Topology, reason: Reason) -> list[str]:
    def names(cells: tuple[int, ...]) -> list[str]:
        return [topology.cell_name(cell) for cell in cells]

    if isinstance(reason, Proved):
        premises = names(reason.premises.clues) + ["total"] * reason.premises.total
        words = ["proved:", reason.logic] + ["by contradiction"] * reason.premises.by_contradiction
        return words + (["from", *premises] if premises else [])
    if isinstance(reason, Guessed):
        words = ["guessed:", reason.policy, "among", str(reason.among)]
        if reason.risk is not None:
            words += ["risk", repr(float(reason.risk))]
        return words + (["of", *names(reason.cells)] if reason.cells else [])
    return ["note:", reason.note] if reason.note else []


def parse(text: str) -> Transcript:
    """Read a game. Raises NotationError with the line."""
    return _Reader(text).transcript()


class _Reader:
    """Reads the text of a transcript."""

    def __init__(self, text: str) -> None:
        self.lines = [
            (number, line.strip())
            for number, line in enumerate(_lines(text_of(text, "game")), 1)
            if line.strip()
        ]
        if not self.lines or self.lines[0][1] != HEADER:
            raise NotationError(f"not a game; accepted: a text that begins with `{HEADER}`", 1)
        self.fields: dict[str, tuple[int, str]] = {}
        self.step_lines: list[tuple[int, str]] = []
        self.proofs: dict[int, str] = {}
        for number, line in self.lines[1:]:
            if line[0].isdigit():
                self.step_lines.append((number, line))
                continue
            if line.startswith("|"):
                self._proof_line(number, line)
                continue
            key, colon, value = line.partition(":")
            if not colon or key in self.fields:
                raise NotationError(f"{quoted(line)} is no step and no `key: value`", number)
            self.fields[key] = (number, value.strip())

    def _proof_line(self, number: int, line: str) -> None:
        step = len(self.step_lines)
        if not step:
            raise NotationError(f"{quoted(line)} is a proof of no step", number)
        self.proofs[step] = self.proofs.get(step, "") + line[1:].removeprefix(" ") + "\n"

    def field(self, key: str) -> str:
        if key not in self.fields:
            raise NotationError(f"the game has no line `{key}: ...`")
        return self.fields[key][1]

    def transcript(self) -> Transcript:
        try:
            self.topology = Topology.parse(self.field("topology"), files=False)
            seed, _, index = self.field("seed").partition(" ")
            mines = self.fields.get("mines")
            return Transcript(
                board=self.field("board"),
                topology=self.topology,
                rules=Rules.parse(self.field("rules")),
                agent=self.field("agent"),
                seed=_number(seed),
                index=_number(index),
                agent_seed=_number(self.field("agent-seed")),
                steps=tuple(self._step(number, line) for number, line in self.step_lines),
                outcome=self._outcome(self.field("outcome")),
                world=self.fields["world"][1] if "world" in self.fields else None,
                layout=None if mines is None else Layout.of(self.topology, self._cells(mines[1])),
                proofs=self.proofs,
            )
        except NotationError:
            raise
        except InputError as error:
            raise NotationError(str(error)) from None

    def _cells(self, text: str, between: str = ";") -> tuple[int, ...]:
        return tuple(
            self.topology.cell(parse_coordinates(word)) for word in text.split(between) if word
        )

    def _step(self, line_number: int, line: str) -> Step:
        match = _STEP.fullmatch(line)
        if match is None:
            raise NotationError(
                f"step {quoted(line)} cannot be read; accepted: such as `1 open 0,0 -> 2`",
                line_number,
            )
        try:
            cell = None if match["cell"] is None else self._cells(match["cell"])[0]
            reason, unsound = self._reason(match["reason"] or "")
        except (InputError, ValueError) as error:
            raise NotationError(f"step {match['number']}: {error}", line_number) from None
        shown: Shown = Mark.HIDDEN
        if match["shown"] is not None:
            marks = {text: mark for mark, text in SIGNS.items()}
            shown = marks.get(match["shown"]) or _number(match["shown"])
        opened = match["opened"]
        action = Action(match["action"])
        if (cell is None) != (action is Action.STOP):
            raise NotationError(f"step {match['number']} names no cell", line_number)
        count = _number(opened) if opened else _usual(action, shown)
        return Step(Decision(action, cell, reason), shown, count, unsound)

    def _reason(self, text: str) -> tuple[Reason, float | None]:
        """The reason of a step, and the risk of what it wrongly calls proved."""
        if match := _PROVED.fullmatch(text):
            words = (match["premises"] or "").split()
            clues = self._cells(" ".join(word for word in words if word != "total"), " ")
            risk = None if match["unsound"] is None else float(match["unsound"])
            if risk is not None and not 0.0 < risk <= 1.0:
                raise NotationError(
                    f"risk {quoted(match['unsound'])}; accepted: above 0, at most 1"
                )
            refuted = match["refuted"] is not None
            return Proved(match["logic"], Premises(clues, "total" in words, refuted)), risk
        if match := _GUESSED.fullmatch(text):
            guess = Guessed(
                match["policy"],
                _number(match["among"]),
                None if match["risk"] is None else float(match["risk"]),
                self._cells(match["cells"] or "", " "),
            )
            return guess, None
        if text and not text.startswith("note: "):
            raise NotationError(
                f"reason {quoted(text)}; accepted: proved: ..., guessed: ..., note: ..."
            )
        return Unstated(text.removeprefix("note: ")), None

    def _outcome(self, text: str) -> Outcome:
        match = _OUTCOME.fullmatch(text)
        try:
            if match is None:
                raise ValueError
            return Outcome(
                match["won"] == "won",
                Termination(match["end"]),
                float(match["score"]),
                float(match["finer"]),
                float(match["marked"]),
                match["note"] or "",
            )
        except ValueError:
            raise NotationError(f"outcome {quoted(text)} cannot be read") from None


def _lines(text: str) -> list[str]:
    """The lines of a text as a file has them: each may end in CR, LF or both."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _usual(action: Action, shown: Shown) -> int:
    """How many cells a step opens where its line does not say."""
    return int(action is Action.OPEN and shown is not Mark.HIDDEN)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 20):
        raise NotationError(f"{quoted(text)} is no number")
    return int(text)
