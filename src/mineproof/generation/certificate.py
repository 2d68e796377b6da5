"""A board that needs no guess, and its certificate: the moves, each with what proves it.

A move's proof is its premises: the opened cells whose clues force the cell to be safe, and whether
the number of mines is needed too. The clues themselves follow from the layout. Nothing here loads
an engine or the core, so a certificate is checked independently of what made it;
`mineproof.generation.solvability` makes certificates.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from math import comb
from typing import Any, Unpack

from mineproof.board.layout import Layout, check_room, deal, mine_free_cells
from mineproof.board.presets import Board
from mineproof.board.topology import Place, Topology
from mineproof.errors import (
    BoardError,
    InputError,
    NotationError,
    RulesError,
    as_given,
    as_int,
    quoted,
)
from mineproof.fields import FieldTable, FieldValue, parse_json
from mineproof.proofs.checker import check_proof
from mineproof.proofs.enumeration import MOST_STATES
from mineproof.proofs.proof import Claim, Clue, Proof, digest, mines_text
from mineproof.proofs.techniques import Technique
from mineproof.rules import FirstClick, Given, Goal, OnMine, Rules, RuleWords, told_rules
from mineproof.view.channels import Shown
from mineproof.view.setting import AnyBoard, AnyRules, Setting
from mineproof.view.view import View

# -- Where such a board begins, and the board itself ---------------------------


@dataclass(frozen=True)
class StartPosition:
    """A board with a number of mines, its rules, and the first cell, which is no mine."""

    board: Board
    rules: Rules
    first: int

    @classmethod
    def of(
        cls,
        board: AnyBoard,
        first: Place | None = None,
        rules: AnyRules | None = None,
        **words: Unpack[RuleWords],
    ) -> StartPosition:
        """The start on a board; its first cell is the centre unless one is named.

        The first click is an `opening` unless the rules say otherwise: the area around the first
        cell has no mines. Raises InputError for rules under which every board needs a guess, for
        a cell off the board, and for mines that do not fit.
        """
        setting = Setting.of(board, rules, **words)
        if not isinstance(board, Setting) and not _sets_first_click(rules, words):
            opening = replace(setting.rules, first_click=FirstClick.OPENING)
            setting = replace(setting, rules=opening)
        _check_setting(setting)
        topology = setting.board.topology
        cell = topology.centre if first is None else topology.cell(first)
        check_room(topology, setting.rules, (cell,))
        return cls(setting.board, setting.rules, cell)

    @property
    def topology(self) -> Topology:
        return self.board.topology

    @property
    def mines(self) -> int:
        """The number of mines."""
        number = self.board.mines.fixed(len(self.topology))
        assert number is not None, "checked at the start"
        return number

    @cached_property
    def free(self) -> tuple[int, ...]:
        """The cells that the first click keeps free of mines."""
        return mine_free_cells(self.topology, self.rules.first_click, (self.first,))

    @property
    def layouts(self) -> int:
        """The number of layouts that can be dealt; each is equally likely."""
        return comb(len(self.topology) - len(self.free), self.mines)

    def deal(self, seed: int, index: int) -> Layout:
        """Deal `index` of a seed."""
        return deal(self.topology, self.board.mines, seed, index, self.free)

    @property
    def text(self) -> str:
        """For people: `square:16x30/99 from 8,15 (first click opening)`."""
        name = self.topology.cell_name(self.first)
        return f"{self.board.text} from {name} (first click {self.rules.first_click.value})"


class GenerationMethod(Enum):
    """How boards were made: by rejection, each equally likely; or by changing deals."""

    UNIFORM = "uniform"
    REPAIRED = "repaired"


@dataclass(frozen=True)
class NoGuessBoard:
    """A layout that can be cleared from its first cell without a guess.

    It is deal `index` of `seed`; a repaired board was that deal before `changes` mines were moved.
    """

    beginning: StartPosition
    layout: Layout
    method: GenerationMethod
    seed: int
    index: int
    changes: int = 0

    @property
    def first(self) -> int:
        return self.beginning.first

    @property
    def setting(self) -> Setting:
        """How it is played: its mines are set, and the first cell is open."""
        first = self.layout.topology.coordinates(self.first)
        return Setting.of(
            self.layout, Rules(given=Given(cells=(first,)), first_click=FirstClick.ANY)
        )


# -- which rules have boards without guesses ---------------------------------------------------

_ONLY = {
    "on-mine": (OnMine.LOSE, "lose"),
    "goal": (Goal.CLEAR, "clear"),
    "given": (Given(), "none"),
    "clues": ("exact", "exact: a clue that lies or is missing makes a guess of every cell"),
}


def _sets_first_click(rules: AnyRules | None, words: RuleWords) -> bool:
    """Whether the caller chose the first click; a rules text counts as setting every rule."""
    if words.get("first_click") is not None:
        return True
    if isinstance(rules, Mapping):
        return any(rules.get(key) is not None for key in ("first_click", "first-click"))
    return rules is not None


def _check_setting(setting: Setting) -> None:
    """Raise InputError for rules under which every board needs a guess, or that deal no board."""
    rules = setting.rules
    if setting.layout is not None:
        raise BoardError("the mines are set already; accepted: a board such as expert or 16x30/99")
    if rules.mines.fixed(len(setting.board.topology)) is None:
        raise BoardError(
            f"mines={rules.mines.text} is no fixed number; accepted: such as 16x30/99 or 9x9/20%"
        )
    if rules.first_click is FirstClick.ANY:
        raise RulesError(
            "first-click=any makes a guess of the first click; accepted: safe or opening"
        )
    if not rules.total_known:
        raise RulesError(
            "total=unknown is no rule here; accepted: total=known, and boards that do without the"
            " number of mines are asked for by without_total (--without-total)"
        )
    for name, (accepted, text) in _ONLY.items():
        if (value := getattr(rules, name.replace("-", "_"))) != accepted:
            shown = getattr(value, "text", getattr(value, "value", value))
            raise RulesError(f"{name}={shown} has no boards without guesses; accepted: {text}")


# -- The certificate, and its check --------------------------------------------


@dataclass(frozen=True)
class CertifiedMove:
    """A cell that is opened, and the premises that prove it safe in the position before.

    `smallest` says that no fewer premises would do.
    """

    cell: int
    clues: tuple[int, ...]
    uses_total: bool
    technique: Technique
    smallest: bool = True

    @property
    def size(self) -> int:
        """The number of premises."""
        return len(self.clues) + self.uses_total


@dataclass(frozen=True)
class Certificate:
    """The proof that a board needs no guess, from its first cell to its last.

    >>> from mineproof.generation import certify, check_certificate
    >>> certificate = certify(mp.generate("9x9/10", seed=1)[0])
    >>> bool(check_certificate(certificate))
    True
    """

    beginning: StartPosition
    layout: Layout
    moves: tuple[CertifiedMove, ...]

    @property
    def hardest(self) -> Technique | None:
        """The hardest technique among the moves."""
        hardest = max(self.moves, key=lambda move: (move.technique.rung, move.size), default=None)
        return None if hardest is None else hardest.technique

    @property
    def needs_total(self) -> bool:
        """Whether some move rests on the number of mines."""
        return any(move.uses_total for move in self.moves)


@dataclass(frozen=True)
class CertificateCheck:
    """Whether a certificate was accepted, and the reason in a line.

    `move` is the number, from 1, of the first move that failed; None where none did.
    """

    accepted: bool
    reason: str
    move: int | None = None

    def __bool__(self) -> bool:
        return self.accepted


def check_certificate(certificate: Certificate, most_states: int = MOST_STATES) -> CertificateCheck:
    """Check a certificate move by move; the first that fails is named.

    The premises of each move are judged by `mineproof.proofs.checker`, which counts over the cells
    they speak of. Raises BudgetExceeded where a move takes more than `most_states` states a count.

    >>> from mineproof.generation import certify, check_certificate
    >>> certificate = certify(mp.generate("9x9/10", seed=1)[0])
    >>> check_certificate(certificate).move is None
    True
    """
    if not isinstance(certificate, Certificate):
        raise InputError(f"{as_given(certificate)} is no certificate; accepted: what certify makes")
    most_states = as_int(most_states, "most_states")
    start = certificate.beginning
    referee = PlainReferee(start, certificate.layout)
    name = start.topology.cell_name
    if certificate.layout.topology != start.topology:
        return CertificateCheck(False, "the layout is of another board")
    if (laid := len(certificate.layout.cells)) != start.mines:
        return CertificateCheck(False, f"the layout has {laid} mines, not {start.mines}")
    for cell in mine_free_cells(start.topology, start.rules.first_click, (start.first,)):
        if referee.is_mine(cell):
            rule = start.rules.first_click.value
            return CertificateCheck(
                False,
                f"the first click at {name(start.first)} is not {rule}: {name(cell)} is a mine",
            )
    view = referee.open(referee.start, start.first)
    for number, move in enumerate(certificate.moves, 1):
        fault = _move_fault(move, view, referee, most_states)
        if fault is not None:
            return CertificateCheck(False, f"move {number}, {name(move.cell)}: {fault}", number)
        view = referee.open(view, move.cell)
    if left := referee.safe_cells - view.opened_count:
        return CertificateCheck(False, f"the moves leave {left} safe cells hidden")
    moves = len(certificate.moves)
    return CertificateCheck(
        True, f"{start.text}: {moves} moves, each proved, clear the board without a guess"
    )


def _move_fault(
    move: CertifiedMove, view: View, referee: PlainReferee, most_states: int
) -> str | None:
    """What is wrong with a move in a position; None where its premises prove it."""
    if view.is_open(move.cell):
        return "the cell is open already"
    hidden = next((clue for clue in move.clues if view.is_hidden(clue)), None)
    if hidden is not None:
        return f"the premise {view.topology.cell_name(hidden)} is not open yet"
    proof = Proof(
        view.topology,
        digest(view),
        Claim.SAFE,
        move.cell,
        tuple(Clue(clue, view.clue(clue)) for clue in move.clues),
        mines_text(view) if move.uses_total else None,
        move.smallest,
        move.technique,
    )
    checked = check_proof(proof, view, most_states)
    if not checked:
        return checked.reason
    # Premises can only be true here if the layout agrees with the clues. This looks at the layout
    # itself, so that no fault of the proof checker lets a mine pass.
    return "the cell is a mine" if referee.is_mine(move.cell) else None


class PlainReferee:
    """A referee without core or engine: it counts the mines around a cell itself."""

    def __init__(self, beginning: StartPosition, layout: Layout) -> None:
        self.topology, self.rules = beginning.topology, beginning.rules
        self._mines = frozenset(layout.cells)
        self._told = told_rules(beginning.rules, len(self.topology), beginning.mines)

    @property
    def start(self) -> View:
        """The position before the first move."""
        return View(self.topology, self._told)

    @property
    def safe_cells(self) -> int:
        return len(self.topology) - len(self._mines)

    def is_mine(self, cell: int) -> bool:
        return cell in self._mines

    def clue(self, cell: int) -> int:
        """The number of mines around a cell."""
        return sum(near in self._mines for near in self.topology.neighbours(cell))

    def open(self, view: View, cell: int) -> View:
        """The position after a hidden safe cell is opened, with what its zero opens around it."""
        shown: dict[int, Shown] = {}
        waiting = [cell]
        while waiting:
            here = waiting.pop()
            if here in shown:
                continue
            shown[here] = clue = self.clue(here)
            if clue == 0 and self.rules.cascade:
                near = self.topology.neighbours(here)
                waiting += [other for other in near if view.is_hidden(other)]
        return view.reveal(shown)


# ----------------------------------------------------------------------------
# Certificates as text: one JSON object a line, small enough to be kept with the board.
#
#     {"mineproof": "certificate 1", "board": "square:16x30/99", "rules": "...", "first": [7, 14],
#      "layout": ["..*.", ...], "moves": [[[0, 1], "single clue", [[1, 1]]], ...], "digest": "..."}
#
# A move is its cell, the technique and the cells whose clues are premises; `"total"` among them
# stands for the number of mines, and `"larger"` says that a smaller proof was not ruled out. The
# digest is over everything else, so that a damaged file is refused at once.

MOST_BYTES = 256 * 2**20
_MOST_LINE = 16 * 2**20
_MOST_CELLS = 40_000
_KIND = "certificate 1"
_WRITTEN = "what generate --out writes"


def to_line(certificate: Certificate) -> str:
    """A certificate in a line of JSON. Raises InputError for a board that is too large for one."""
    topology = certificate.beginning.topology
    if len(topology) > _MOST_CELLS:
        raise InputError(f"a certificate of {len(topology)} cells; accepted: up to {_MOST_CELLS}")

    def place(cell: int) -> list[int]:
        return list(topology.coordinates(cell))

    def move(one: CertifiedMove) -> list[Any]:
        premises: list[Any] = [place(clue) for clue in one.clues]
        premises += ["total"] * one.uses_total + ["larger"] * (not one.smallest)
        return [place(one.cell), one.technique.name, premises]

    mines = frozenset(certificate.layout.cells)
    body = {
        "mineproof": _KIND,
        "board": certificate.beginning.board.text,
        "rules": certificate.beginning.rules.text,
        "first": place(certificate.beginning.first),
        "layout": [
            "".join("#" if cell is None else "*" if cell in mines else "." for cell in row)
            for row in topology.rows()
        ],
        "moves": [move(one) for one in certificate.moves],
    }
    return json.dumps({**body, "digest": _digest(body)}, separators=(",", ":"))


def _digest(body: dict[str, Any]) -> str:
    text = json.dumps(body, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def read_certificates(text: str) -> list[Certificate]:
    """The certificates of a text, one a line. Raises NotationError with the line."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                found.append(_read_certificate(_fields_of(line)))
            except InputError as error:
                plain = error.plain if isinstance(error, NotationError) else str(error)
                raise NotationError(plain, number) from None
            except RecursionError:  # what could be read may be too deep for the digest
                raise NotationError("nested too deeply", number) from None
    if not found:
        raise NotationError(f"no certificate is here; accepted: {_WRITTEN}")
    return found


def _fields_of(line: str) -> FieldTable:
    """The fields of a line whose digest is right."""
    if len(line) > _MOST_LINE:
        raise NotationError(f"a line of {len(line)} characters; accepted: up to {_MOST_LINE}")
    found = parse_json(line, _WRITTEN)
    if not isinstance(found, dict) or found.get("mineproof") != _KIND:
        raise NotationError(f"not a certificate; accepted: an object with {quoted(_KIND)}")
    fields = FieldTable(found)
    body = {name: value for name, value in found.items() if name != "digest"}
    if fields["digest"].text() != _digest(body):
        raise NotationError("the digest does not fit: the certificate was changed or damaged")
    return fields


def _read_certificate(fields: FieldTable) -> Certificate:
    # files=False: a text from outside must not make this program open a file.
    board = Board.parse(fields["board"].text(), files=False)
    topology = board.topology
    if len(topology) > _MOST_CELLS:
        raise NotationError(f"{len(topology)} cells; accepted: up to {_MOST_CELLS}")
    rules = Rules.parse(fields["rules"].text())
    start = StartPosition.of(board, fields["first"].cell(topology.cell), rules)
    layout = _read_layout(fields["layout"], topology)
    moves = tuple(_read_move(one, topology) for one in fields["moves"].each(_MOST_CELLS))
    fields.refuse_others(but=("mineproof",))
    return Certificate(start, layout, moves)


def _read_layout(field: FieldValue, topology: Topology) -> Layout:
    rows = field.items(_MOST_CELLS)
    shape = list(topology.rows())
    if len(rows) != len(shape):
        raise NotationError(f"field layout has {len(rows)} rows; accepted: {len(shape)}")
    mines = []
    for number, (row, cells) in enumerate(zip(rows, shape, strict=True)):
        if not isinstance(row, str) or len(row) != len(cells):
            raise NotationError(f"row {number} of the layout needs {len(cells)} marks")
        for mark, cell in zip(row, cells, strict=True):
            if mark not in (".*" if cell is not None else "#"):
                raise NotationError(
                    f"row {number} of the layout has the mark {quoted(mark)}; accepted: . for"
                    " safe, * for a mine, # for no cell"
                )
            if mark == "*" and cell is not None:
                mines.append(cell)
    return Layout.of(topology, mines)


def _read_move(move: FieldValue, topology: Topology) -> CertifiedMove:
    parts = move.items(_MOST_CELLS)
    if len(parts) != 3 or not isinstance(parts[1], str):
        raise NotationError("a move is a cell, a technique and premises")
    premises = FieldValue(parts[2], move.name).items(_MOST_CELLS)
    words = [one for one in premises if isinstance(one, str)]
    if not set(words) <= {"total", "larger"} or len(set(words)) < len(words):
        raise NotationError(f"a premise is {quoted(words[0])}; accepted: cells and total")
    places = [parts[0], *(one for one in premises if not isinstance(one, str))]
    cell, *clues = FieldValue(places, move.name).cells(topology.cell, len(places))
    return CertifiedMove(
        cell, tuple(clues), "total" in words, Technique.parse(parts[1]), "larger" not in words
    )
