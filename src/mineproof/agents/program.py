"""Agents in any language: a program that is started once and spoken to in lines of JSON.

One line for each move goes to its standard input, and one comes back from its standard output:

    {"move": 1, "board": "square:3x3", "rules": "mines=2 ...", "mines": 2, "seed": 7,
     "rows": ["1..", "12.", "01."], "seconds": 10.0, "game_seconds": 120.0}
    {"open": [0, 1], "proved": "single-point", "clues": [[0, 0], [2, 0]]}

`move` counts from 1 in every game: the program lives on from game to game. What an answer may hold
is in docs/teaching.md. It is checked here and, as any agent's, once more by the referee's process.
"""

from __future__ import annotations

import json
import os
import select
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mineproof.agents.agent import Action, Decision, Guessed, Proved, Reason, Unstated
from mineproof.errors import AgentFailure, InputError, NotationError, as_given, one_line, quoted
from mineproof.fields import FieldTable, parse_json, parse_toml
from mineproof.files import parse_file
from mineproof.rng import Stream
from mineproof.view.channels import MAX_CLUE, Mark
from mineproof.view.view import View

MANIFEST = "agent.toml"
"""The file that says how the program in a folder is started, and how it is built."""
_MOST_MANIFEST, _MOST_LINE = 10_000, 1_000
_MOST_ANSWER = 2**16
_MOST_CLUES = 10_000
_CHUNK = 65536
_ENDING = 2.0
_SHIFT = 33
"""Leaves 31 bits of a random number: every language has an integer for them."""
_ACCEPTED = 'a line of JSON such as {"open": [0, 1]}, with open, flag, unflag, chord or stop'
_MORE = (
    "the program wrote more than one line; accepted: one line for each move, and everything else on"
    " standard error"
)
_MARKS = {Mark.HIDDEN.value: ".", Mark.MINE.value: "*", Mark.BLANK.value: "?"}


@dataclass(frozen=True)
class Manifest:
    """How a program is started, and the command that builds it, if any."""

    command: str
    build: str | None = None

    @classmethod
    def read(cls, folder: Path) -> Manifest | None:
        """That of a folder; None where it has none. Raises InputError."""
        file = folder / MANIFEST
        return parse_file(file, cls.parse, _MOST_MANIFEST) if file.is_file() else None

    @classmethod
    def parse(cls, text: str) -> Manifest:
        """Two lines of TOML, `command` and `build`. Raises NotationError."""
        table = FieldTable(parse_toml(text))
        command = table["command"].text(_MOST_LINE)
        build = table.get("build", "").text(_MOST_LINE) or None
        table.refuse_others()
        for line in (command, *filter(None, [build])):
            words_of(line)
        return cls(command, build)


def words_of(command: str) -> list[str]:
    """The words of a command as a shell splits them; nothing else of a shell is obeyed.

    Raises NotationError.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise NotationError(f"command {quoted(command)} cannot be read: {error}") from None
    if not words:
        raise NotationError("the command is empty; accepted: such as java -cp out Sweeper")
    return words


def files_of(words: Sequence[str], folder: Path) -> Iterator[Path]:
    """The files of its folder that a command names, and where its program is installed."""
    for word in words:
        for part in {word, *word.split(":"), word.partition("=")[2]}:
            path = (folder / part).resolve()
            if part and path.exists() and folder in path.parents:
                yield path
    program = shutil.which(words[0]) if os.sep not in words[0] else None
    if program is not None:
        path = Path(program).resolve()
        installed = path.parents[1] if len(path.parents) > 1 else path
        # Such as /opt/jdk, of /opt/jdk/bin/java; a home has a `bin` too.
        whole = path.parent.name == "bin" and (installed / "lib").is_dir()
        yield installed if whole and installed not in (Path.home(), Path("/")) else path


class ProgramAgent:
    """Plays by a program's answers. Raises InputError where it cannot be started."""

    def __init__(
        self,
        words: Sequence[str],
        folder: str | None = None,
        *,
        move_seconds: float = 10.0,
        game_seconds: float = 120.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._move_seconds, self._game_seconds = move_seconds, game_seconds
        self._clock = clock
        if words[0] in ("python", "python3"):
            words = [sys.executable, *words[1:]]  # the one that can be read in there
        try:
            # What it prints on standard error goes where an agent's prints go.
            self._process = subprocess.Popen(
                words, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "not a program"
            raise InputError(f"{quoted(words[0])} cannot be started: {reason}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin.fileno(), self._process.stdout.fileno()
        self._game: _Game | None = None

    def begin(self, view: View, rng: Stream) -> None:
        self._game = _Game(view, rng.next() >> _SHIFT)
        self._spent = 0.0

    def act(self, view: View) -> Decision:
        game = self._game
        if game is None:
            raise AgentFailure("a program plays games that are begun")
        left = self._game_seconds - self._spent
        line = game.line(view, min(self._move_seconds, left), left)
        if select.select([self._from], [], [], 0)[0] and os.read(self._from, 1):
            raise AgentFailure(_MORE)  # or it would be taken for the answer to this question
        began = self._clock()
        self._send(line.encode() + b"\n")
        answer = self._receive()
        self._spent += self._clock() - began
        return decision_of(answer, view)

    def _send(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._to, data) :]
        except OSError:
            raise AgentFailure(self._how_it_ended()) from None

    def _receive(self) -> str:
        found = bytearray()
        while not found.endswith(b"\n"):
            data = os.read(self._from, _CHUNK)
            if not data:
                raise AgentFailure(self._how_it_ended())
            found += data
            if len(found) > _MOST_ANSWER:
                raise AgentFailure(f"the program sent an answer longer than {_MOST_ANSWER} bytes")
        if found.count(b"\n") > 1:
            raise AgentFailure(_MORE)
        return found.decode("utf-8", "replace").strip()

    def _how_it_ended(self) -> str:
        try:
            status = self._process.wait(_ENDING)
        except subprocess.TimeoutExpired:
            return "the program closed its standard output"
        how = f"ended with status {status}" if status >= 0 else f"was killed by signal {-status}"
        return f"the program {how} and left its move unanswered"


class _Game:
    """One game as it is told: the rows change where cells changed."""

    def __init__(self, view: View, seed: int) -> None:
        topology = view.topology
        self._seed = seed
        self._move = 0
        self._gap = " " if int(topology.degrees.max()) > 9 else ""
        self._rows = [["#" if cell is None else "." for cell in row] for row in topology.rows()]
        self._place = {
            cell: (number, column)
            for number, row in enumerate(topology.rows())
            for column, cell in enumerate(row)
            if cell is not None
        }
        self._texts = [self._gap.join(row) for row in self._rows]
        self._seen: View | None = None
        self._flags: frozenset[int] = frozenset()
        self._board = topology.text

    def line(self, view: View, seconds: float, game_seconds: float) -> str:
        """What the program is asked at its next move."""
        self._move += 1
        self._update(view)
        return json.dumps(
            {
                "move": self._move,
                "board": self._board,
                "rules": view.rules.text,
                "mines": view.total,
                "seed": self._seed,
                "rows": self._texts,
                "seconds": round(seconds, 3),
                "game_seconds": round(game_seconds, 3),
            }
        )

    def _update(self, view: View) -> None:
        changed = None if self._seen is None else view.opened_since(self._seen)
        opened = list(view.opened) if changed is None else changed
        flags = frozenset(view.flags)
        rows = set()
        for cell in (*opened, *(flags ^ self._flags)):
            row, column = self._place[cell]
            code = view.code(cell)
            mark = str(code) if code <= MAX_CLUE else _MARKS[code]
            self._rows[row][column] = "F" if cell in flags else mark
            rows.add(row)
        for row in rows:
            self._texts[row] = self._gap.join(self._rows[row])
        self._seen, self._flags = view, flags


_ACTIONS = {action.value: action for action in Action}


def decision_of(answer: str, view: View) -> Decision:
    """The decision that a program's answer stands for. Raises AgentFailure."""
    try:
        found = parse_json(answer, _ACCEPTED)
        if not isinstance(found, dict):
            raise NotationError(f"no object; accepted: {_ACCEPTED}")
        table = FieldTable(found)
        actions = [name for name in table if name in _ACTIONS]
        if len(actions) != 1:
            raise NotationError(f"it names {len(actions)} moves; accepted: {_ACCEPTED}")
        (name,) = actions
        cell_at: Any = view.topology.cell
        reason = _reason(table, view)
        if _ACTIONS[name] is Action.STOP:
            note = table[name].text() if isinstance(table[name].value, str) else ""
            decision = Decision.stop(one_line(note))
        else:
            decision = Decision(_ACTIONS[name], table[name].cell(cell_at), reason)
        table.refuse_others()
        return decision
    except NotationError as error:
        why = str(error).removeprefix("line 1: ")
        raise AgentFailure(f"the program answered {as_given(answer[:60])}: {why}") from None


def _reason(table: FieldTable, view: View) -> Reason:
    cell_at: Any = view.topology.cell
    if "proved" in table:
        if "guess" in table:
            raise NotationError("a move is called proved and a guess; accepted: one of them")
        clues = table.get("clues", []).cells(cell_at, _MOST_CLUES)
        return Proved(table["proved"].text(), clues, total=table.get("total", False).flag())
    if "guess" in table:
        risk = table.get("risk", None)
        return Guessed(
            table["guess"].text(),
            view.hidden_count - view.flag_count,
            None if risk.value is None else risk.number(),
        )
    return Unstated()
