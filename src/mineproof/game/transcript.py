"""The record of a game: every step with its reason, as text and as JSON, and replayable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mineproof.agents.agent import Action, Decision, Guessed, Proved, Reason, Unstated
from mineproof.board.layout import Layout
from mineproof.board.presets import Board
from mineproof.board.topology import Topology, parse_coordinates
from mineproof.engine.analysis import Premises
from mineproof.errors import InputError, NotationError, check_kind, printable, quoted, text_of
from mineproof.files import parse_file
from mineproof.game.referee import Outcome, Referee, Termination
from mineproof.rules import Rules
from mineproof.view.channels import Mark, Shown
from mineproof.view.setting import Setting
from mineproof.view.view import View

if TYPE_CHECKING:
    from mineproof.proofs.proof import Proof


@dataclass(frozen=True)
class Step:
    """A decision and its result: what the cell shows, and how many cells were opened.

    `unsound` is set where the step was called proved and was not certain: the exact chance that
    what was called proved is false. It is None elsewhere, and where that was not judged.
    """

    decision: Decision
    shown: Shown
    opened: int
    unsound: float | None = None


@dataclass(frozen=True)
class Transcript:
    """One game. `layout` is set if the mines were not dealt from the seed.

    `proofs` are the proofs of steps by their number, as `mineproof.proofs.documents` writes them;
    each can be checked against the view before its step.

    >>> game = mp.play("4x4/2", seed=3)
    >>> mp.Transcript.parse(game.text) == game
    True
    >>> len(list(game.views())) == len(game.steps) + 1
    True
    """

    board: str
    topology: Topology
    rules: Rules
    agent: str
    seed: int
    index: int
    agent_seed: int
    steps: tuple[Step, ...]
    outcome: Outcome
    world: str | None = None
    layout: Layout | None = None
    proofs: Mapping[int, str] = field(default_factory=dict, hash=False)
    # The proofs themselves, where this process found them: their texts need not be read again.
    _found: Mapping[int, Proof] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        # Names are somebody's: in a text each has one line.
        for name in ("board", "agent", "world"):
            value = getattr(self, name)
            if isinstance(value, str):
                object.__setattr__(self, name, printable(value).strip())

    def __repr__(self) -> str:
        return (
            f"<game {self.index} of seed {self.seed}: {self.agent} on {self.board},"
            f" {len(self.steps)} steps, {self.outcome.text}>"
        )

    def with_unsound(self, unsound: Mapping[int, float]) -> Transcript:
        """The game with these steps, by their numbers, marked as unsound."""
        check_kind(unsound, Mapping, "unsound", "chances by step, such as {3: 0.5}")
        steps = (
            replace(step, unsound=unsound.get(number)) for number, step in enumerate(self.steps, 1)
        )
        return replace(self, steps=tuple(steps)) if unsound else self

    def with_proofs(self, proofs: Mapping[int, Proof]) -> Transcript:
        """The game with the proofs of these steps, by their numbers."""
        from mineproof.proofs.documents import to_text

        game = replace(self, proofs={number: to_text(proof) for number, proof in proofs.items()})
        object.__setattr__(game, "_found", dict(proofs))
        return game

    def referee(self) -> Referee:
        """A referee at the start of this very game."""
        board = Board(self.topology, self.rules.mines)
        setting = Setting(board, self.rules, layout=self.layout)
        return Referee(setting, self.seed, self.index)

    def views(self) -> Iterator[View]:
        """Replay: the view before every step, and at last the final one.

        Raises NotationError if a step cannot be made, or shows something else than is written.
        """
        referee = self.referee()
        yield referee.view
        for number, step in enumerate(self.steps, 1):
            before = referee.view
            try:
                referee.apply(step.decision)
            except Exception as error:
                raise NotationError(f"step {number} cannot be replayed: {error}") from None
            cell = step.decision.cell
            if cell is not None and (
                referee.view[cell] != step.shown
                or referee.view.opened_count - before.opened_count != step.opened
            ):
                raise NotationError(f"step {number} shows something else when replayed")
            yield referee.view

    # -- text and JSON -----------------------------------------------------------------------

    @classmethod
    def parse(cls, text: str) -> Transcript:
        """Read a game from its text. Raises NotationError with the line."""
        return _Reader(text).transcript()

    @classmethod
    def read(cls, path: str | Path) -> Transcript:
        """The game of a file, or of standard input for `-`. Raises NotationError."""
        return parse_file(path, cls.parse)

    @property
    def text(self) -> str:
        """The game as text; `parse` reads it back to an equal value."""
        lines = [
            HEADER,
            f"board: {self.board}",
            f"topology: {self.topology.text}",
            f"rules: {self.rules.text}",
            f"agent: {self.agent}",
            f"seed: {self.seed} {self.index}",
            f"agent-seed: {self.agent_seed}",
        ]
        if self.world is not None:
            lines.append(f"world: {self.world}")
        if self.layout is not None:
            lines.append("mines: " + ";".join(self.layout.cells.names))
        for number, step in enumerate(self.steps, 1):
            lines.append(self.step_text(number, step))
            if number in self.proofs:
                lines += [f"| {line}" for line in self.proofs[number].splitlines()]
        end = self.outcome
        line = f"outcome: {end.text} score {end.score!r} finer {end.finer!r}"
        line += f" marked {end.marked_share!r}"
        return "\n".join([*lines, line + (f" note: {end.note}" if end.note else "")]) + "\n"

    def step_text(self, number: int, step: Step) -> str:
        """One step on one line, with its reason."""
        check_kind(step, Step, "step", "one of the steps of a game")
        words = [str(number), step.decision.action.value]
        if step.decision.cell is not None:
            words.append(self.topology.cell_name(step.decision.cell))
        if step.shown is not Mark.HIDDEN:
            sign = SIGNS[step.shown] if isinstance(step.shown, Mark) else str(step.shown)
            words.append(f"-> {sign}")
        if step.opened != _default_opened(step.decision.action, step.shown):
            words.append(f"({step.opened} opened)")
        words += _reason_words(self.topology, step.decision.reason)
        if step.unsound is not None:
            words += ["UNSOUND:", "risk", repr(step.unsound)]
        return " ".join(words)

    def to_json(self) -> dict[str, Any]:
        """The object that `play --json` prints."""
        return {
            "board": self.board,
            "world": self.world,
            "rules": self.rules.text,
            "agent": self.agent,
            "seed": self.seed,
            "index": self.index,
            "agent_seed": self.agent_seed,
            "won": self.outcome.won,
            "outcome": self.outcome.termination.value,
            "score": self.outcome.score,
            "finer": self.outcome.finer,
            "marked_share": self.outcome.marked_share,
            "note": self.outcome.note,
            "steps": _steps(self),
        }


# -- The steps of a game as JSON -----------------------------------------------


def _steps(game: Transcript) -> list[dict[str, Any]]:
    """The steps; where the game carries proofs, each with the position it is a proof of."""
    steps = [_step(game.topology, step) for step in game.steps]
    if game.proofs:
        from mineproof.proofs import documents

        for number, (view, one) in enumerate(zip(game.views(), steps, strict=False), 1):
            if number in game.proofs:
                found = game._found.get(number)
                (proof,) = [found] if found else documents.read_documents(game.proofs[number], view)
                one["reason"] |= {"proof": documents.to_json(proof), "view": view.text}
    return steps


def decision_json(topology: Topology, decision: Decision) -> dict[str, Any]:
    """A move and its reason, as in the steps of a game."""
    cell = decision.cell
    return {
        "cell": None if cell is None else list(topology.coordinates(cell)),
        "action": decision.action.value,
        "reason": _reason(topology, decision.reason),
    }


def _step(topology: Topology, step: Step) -> dict[str, Any]:
    cell = step.decision.cell
    unsound = {} if step.unsound is None else {"unsound": step.unsound}
    return {
        "cell": None if cell is None else list(topology.coordinates(cell)),
        "action": step.decision.action.value,
        "shown": SIGNS.get(step.shown) if isinstance(step.shown, Mark) else step.shown,
        "opened": step.opened,
        "reason": _reason(topology, step.decision.reason),
        **unsound,
    }


def _reason(topology: Topology, reason: Reason) -> dict[str, Any]:
    def names(cells: tuple[int, ...]) -> list[list[int]]:
        return [list(topology.coordinates(cell)) for cell in cells]

    if isinstance(reason, Proved):
        return {
            "kind": "proved",
            "engine": reason.logic,
            "premises": names(reason.premises.clues),
            "uses_total": reason.premises.total,
            "by_contradiction": reason.premises.by_contradiction,
        }
    if isinstance(reason, Guessed):
        return {
            "kind": "guessed",
            "policy": reason.policy,
            "among": reason.among,
            "risk": reason.risk,
            "cells": names(reason.cells),
        }
    return {"kind": "unstated", "note": reason.note}


# ----------------------------------------------------------------------------
# The text of a game: a header, one line per step with its reason, and how it ended.
#
#     mineproof game
#     board: square:9x9/10
#     rules: mines=10 first-click=safe ...
#     agent: single-point
#     seed: 3 0
#     agent-seed: 3
#     1 open 4,4 -> 0 (23 opened) guessed: random among 81
#     2 open 2,1 -> 2 proved: single-point from 3,1
#     3 flag 2,2 proved: single-point from 3,1
#     | mineproof proof 2
#     | position 5d0c2a7be3f14966
#     | claim 2,2 mine
#     | ...
#     outcome: won (cleared) score 1 finer 1 marked 1
#
# Lines that begin with a bar are the proof of the step above, if the game carries proofs. A step
# that was called proved and was not certain ends with `UNSOUND: risk 0.25`, the chance that it is
# false.

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


class _Reader:
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
        count = _number(opened) if opened else _default_opened(action, shown)
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


def _default_opened(action: Action, shown: Shown) -> int:
    """How many cells a step opens where its line does not say."""
    return int(action is Action.OPEN and shown is not Mark.HIDDEN)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 20):
        raise NotationError(f"{quoted(text)} is no number")
    return int(text)
