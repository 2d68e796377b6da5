"""The signature: one number for how everything behaves, as Stockfish's `bench` has it.

A fixed set of deals, games and analyses is worked through, and all that comes out, every step and
every bit of every chance, goes into one number. A change that means to keep behaviour keeps the
number; a change of it is named in CHANGELOG.md, where a test looks it up.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from mineproof import kernel
from mineproof.agents.agent import Guessed
from mineproof.board.layout import deal
from mineproof.board.presets import Board
from mineproof.engine.exact import analyze, analyze_many
from mineproof.game.play import play, play_many
from mineproof.game.transcript import Transcript
from mineproof.proofs.explanation import explain_all
from mineproof.search.endgame import endgame
from mineproof.search.optimal import optimal
from mineproof.search.win import cell_win_chances
from mineproof.view.view import View

__all__ = ["PARTS", "PartDigest", "SignaturePart", "sign", "total"]

_BOARDS = ("9x9/10", "hex:6x6/8", "torus:7x7/9", "triangle:6x9/9", "cube:3x4x4/6", "9x9#0,0;4,4/12")
_RULES: tuple[dict[str, Any], ...] = (
    {},
    {"first_click": "opening"},
    {"first_click": "any", "on_mine": "continue"},
    {"goal": "mark-all", "given": "corner+centre", "first_click": "any"},
    {"cascade": "off"},
)
_LOGICS = (
    *("random", "single-point", "partition", "partition[global]", "gauss", "resolution"),
    *("reductio", "reductio[global]", "reductio[better-decisions]", "sat", "sat[safe-only]"),
    *("single-point>sat+corner-first", "exact"),
)
_CHANNELS = ("withheld:0.2", "optimistic", "cautious", "noisy:0.1")


@dataclass(frozen=True)
class SignaturePart:
    """A part of the signature; `words` says what is worked out, as bytes to be summed up."""

    name: str
    words: Callable[[], Iterable[bytes]]
    needs_core: bool = False


@dataclass(frozen=True)
class PartDigest:
    """A part with its sixteen digits; None where it needs the core and there is none."""

    name: str
    digits: str | None


def sign(parts: Iterable[SignaturePart] | None = None) -> Iterator[PartDigest]:
    """Work through the parts, one after another."""
    for part in PARTS if parts is None else parts:
        if part.needs_core and not kernel.available():
            yield PartDigest(part.name, None)
            continue
        digest = hashlib.sha256()
        for word in part.words():
            digest.update(len(word).to_bytes(4, "little") + word)
        yield PartDigest(part.name, digest.hexdigest()[:16])


def total(signed: Iterable[PartDigest]) -> int | None:
    """The one number of eight digits; None where a part is missing."""
    found = list(signed)
    if any(one.digits is None for one in found):
        return None
    text = "\n".join(f"{one.name} {one.digits}" for one in found)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % 10**8


def _steps(game: Transcript) -> bytes:
    """What was done and what came of it. How a reason is worded is not part of it."""
    said = [game.outcome.text, repr(game.outcome.score), repr(game.outcome.finer)]
    for step in game.steps:
        decision = step.decision
        kind = type(decision.reason).__name__
        said.append(f"{decision.action.value} {decision.cell} {step.shown} {step.opened} {kind}")
    return "\n".join(said).encode()


def _deals() -> Iterator[bytes]:
    for board in _BOARDS:
        for seed in range(20):
            chosen = Board.parse(board)
            yield deal(chosen.topology, chosen.mines, seed, 1, (seed,)).mines.tobytes()


def _games() -> Iterator[bytes]:
    for number, board in enumerate(_BOARDS):
        for rules in _RULES:
            for agent in _LOGICS:
                for index in range(4):
                    yield _steps(play(board, agent, 100 + number, index=index, **rules))


def _uncertain_games() -> Iterator[bytes]:
    for clues in _CHANNELS:
        for agent in ("exact", "naive"):
            for index in range(10):
                yield _steps(play("7x7/7", agent, 7, index=index, clues=clues))


def _core_games() -> Iterator[bytes]:
    for rule in ("safe", "opening", "any"):
        for agent, games in (("exact", 3000), ("swift", 600), ("champion", 10)):
            found = play_many("expert", agent, games, 1, first_click=rule)
            for column in (found.won, found.steps, found.guesses, found.opened, found.flags):
                yield column.astype("<i4").tobytes()
    for board in _BOARDS:
        for agent in ("swift", "champion"):
            yield _steps(play(board, agent, 3))


def _positions() -> Iterator[View]:
    """Positions before the guesses of a few games."""
    games: list[tuple[str, dict[str, Any]]] = [("expert", {}), ("16x16/40", {})]
    games += [(board, {}) for board in _BOARDS]
    games += [("9x9/10", {"clues": clues}) for clues in _CHANNELS]
    for board, rules in games:
        for seed in range(3):
            game = play(board, "exact", seed, **rules)
            for view, step in zip(game.views(), game.steps, strict=False):
                if isinstance(step.decision.reason, Guessed):
                    yield view


def _analyses() -> Iterator[bytes]:
    for one in analyze_many(list(_positions())):
        yield one.p.array.astype("<f8").tobytes()
        yield str(one.solutions).encode()
        yield repr([(part.cells, sorted(part.mines.items())) for part in one.components]).encode()


def _samples() -> Iterator[bytes]:
    for view in list(_positions())[:12]:
        for layout in analyze(view).sample(5, seed=9):
            yield layout.mines.tobytes()


def _endgames() -> Iterator[bytes]:
    for board in ("4x4/4", "hex:3x4/3", "3x5/4"):
        for rule in ("any", "safe", "opening"):
            found = optimal(Board.parse(board), rule)
            yield repr((board, rule, found.wins, found.total, found.best)).encode()
    for seed in range(40):
        game = play("5x5/8", "exact", seed)
        for view in list(game.views())[:-1]:
            if view.opened_count and view.hidden_count <= 14:
                end = endgame(view)
                yield repr((end.chance, sorted(end.cells.items()), end.best)).encode()


def _estimates() -> Iterator[bytes]:
    view = next(view for view in _positions() if view.opened_count > 60)
    for one in cell_win_chances(view, samples=60, seed=4):
        yield repr((one.cell, one.chance.hex(), one.low.hex(), one.high.hex())).encode()


def _proofs() -> Iterator[bytes]:
    for board in _BOARDS:
        for seed in range(3):
            game = play(board, "exact", seed)
            for view in list(game.views())[3:-1:6]:
                found = explain_all(view)
                for proof in found.proofs:
                    said = (proof.cell, proof.claim.value, proof.clues, proof.uses_total)
                    yield repr((*said, proof.smallest, proof.technique.name)).encode()


PARTS = (
    SignaturePart("deals", _deals),
    SignaturePart("games", _games),
    SignaturePart("games with uncertain clues", _uncertain_games),
    SignaturePart("games in the core", _core_games, needs_core=True),
    SignaturePart("analyses", _analyses, needs_core=True),
    SignaturePart("samples", _samples, needs_core=True),
    SignaturePart("proofs", _proofs),
    SignaturePart("endgames", _endgames),
    SignaturePart("chances to win", _estimates, needs_core=True),
)
"""Bits of chances differ between the core and its twin, and only the core has the champion."""
