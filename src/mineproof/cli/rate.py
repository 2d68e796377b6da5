"""`mineproof rate`: how hard a position or a whole board is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from mineproof.cli.console import StatusLine, echo
from mineproof.cli.declarations import Argument, Option
from mineproof.cli.options import AsJson, FirstClickRule, PositionMines, RulesText, words_of
from mineproof.errors import InputError
from mineproof.text import many

if TYPE_CHECKING:
    from mineproof.game.difficulty import RatedBoard
    from mineproof.proofs.difficulty import PositionDifficulty


def command(
    position: Annotated[
        str | None, Argument(metavar="[POSITION]", help="A file with a position, or - for stdin.")
    ] = None,
    mines: PositionMines = None,
    board: Annotated[
        str | None, Option(metavar="BOARD", help="Rate a whole board, such as expert.")
    ] = None,
    seed: Annotated[
        int | None, Option(metavar="N", help="The seed of the board's deal.  [default: 0]")
    ] = None,
    index: Annotated[
        int | None, Option(metavar="N", help="The index of the game under its seed.  [default: 0]")
    ] = None,
    first: Annotated[
        str | None, Option(metavar="R,C", help="The cell opened first.  [default: the centre]")
    ] = None,
    rules: RulesText = None,
    first_click: FirstClickRule = None,
    as_json: AsJson = False,
) -> None:
    """Rate a position, or a whole board, by the hardest technique its proofs need.

    A board is played by a player who always takes the easiest step. Where nothing is certain, the
    cell of least risk that has no mine is opened; that counts as a guess.
    """
    if (position is None) == (board is None):
        raise InputError("accepted: one of POSITION and --board BOARD")
    if board is not None and mines is not None:
        raise InputError("--mines is for a position; accepted: --board 9x9/10")
    if board is None:
        assert position is not None
        given = {
            "--seed": seed,
            "--index": index,
            "--first": first,
            "--rules": rules,
            "--first-click": first_click,
        }
        for option, value in given.items():
            if value is not None:
                raise InputError(f"{option} is for a board; accepted: with --board")
        with StatusLine("rating the position"):
            answer, lines = _position(position, mines)
    else:
        words = words_of(rules, first_click=first_click)
        with StatusLine("rating the board"):
            answer, lines = _board(board, seed or 0, index or 0, first, words)
    echo(json.dumps(answer) if as_json else "\n".join(lines))


def _position(path: str, mines: str | None) -> tuple[dict[str, Any], list[str]]:
    from mineproof.proofs.difficulty import rate_position
    from mineproof.view.view import View

    rated = rate_position(View.read(path, mines))
    answer = {
        "next_step": rated.next_step and str(rated.next_step),
        "hardest": rated.hardest and str(rated.hardest),
        "certain": sum(rated.sizes.values()),
        **_counts(rated),
    }
    return answer, list(_position_lines(rated))


def _position_lines(rated: PositionDifficulty) -> Iterator[str]:
    yield f"next step: {rated.next_step or 'a guess'}"
    if rated.hardest is None:
        yield "nothing is certain"
        return
    yield f"hardest: {rated.hardest}"
    yield from _table(rated.techniques, rated.sizes, "certain cell")


def _board(
    board: str, seed: int, index: int, first: str | None, words: Mapping[str, str]
) -> tuple[dict[str, Any], list[str]]:
    from mineproof.board.topology import parse_coordinates
    from mineproof.game.difficulty import rate_deal
    from mineproof.view.setting import Setting

    setting = Setting.of(board, words)
    topology, rules = setting.board.topology, setting.rules
    cell = topology.centre if first is None else topology.cell(parse_coordinates(first.strip()))
    rated = rate_deal(setting, seed, index, cell)
    rating, measures = rated.rating, rated.measures
    answer = {
        "board": setting.board.text,
        "rules": rules.text,
        "seed": seed,
        "index": index,
        "first": list(topology.coordinates(cell)),
        "mines": rated.layout.total,
        "three_bv": measures.three_bv,
        "openings": measures.openings,
        "islands": measures.islands,
        "hardest": rating.hardest and str(rating.hardest),
        "hard_steps": rating.hard_steps,
        "guesses": rating.guesses,
        "steps": sum(rating.sizes.values()),
        **_counts(rating),
    }
    return answer, list(_board_lines(rated, topology.cell_name(cell)))


def _board_lines(rated: RatedBoard, first: str) -> Iterator[str]:
    rating, measures = rated.rating, rated.measures
    yield f"first cell {first}; {many(rated.layout.total, 'mine')}"
    yield (
        f"3BV {measures.three_bv}, {many(measures.openings, 'opening')},"
        f" {many(measures.islands, 'island')}"
    )
    yield f"hardest step: {rating.hardest or 'none'}"
    hard = many(rating.hard_steps, "hard step")
    yield f"{hard} (more than a single clue), {many(rating.guesses, 'guess')}"
    yield from _table(rating.techniques, rating.sizes, "step")


def _table(techniques: Mapping[str, int], sizes: Mapping[int, int], what: str) -> Iterator[str]:
    total = sum(sizes.values())
    yield f"{many(total, what)} by technique:"
    for name, number in techniques.items():
        yield f"  {name:<14}{number:>5}"
    by_size = ", ".join(f"{number} with {size}" for size, number in sizes.items())
    yield f"by number of premises: {by_size or 'none'}"


def _counts(rated: Any) -> dict[str, Any]:
    return {
        "techniques": dict(rated.techniques),
        "sizes": {str(size): number for size, number in rated.sizes.items()},
    }
