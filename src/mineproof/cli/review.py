"""`mineproof review`: what every move of a game gave away."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar

import click
from rich.console import Console

from mineproof.advice import game_review
from mineproof.advice.adviser import JUDGED_SAMPLES, Measure, obstacle
from mineproof.advice.game_review import Effort, Judgement, Review, draw_review, moves_of
from mineproof.cli.console import StatusLine, print_sentences, stdout_console
from mineproof.cli.declarations import Argument, Option
from mineproof.cli.options import AsJson, OutputFile
from mineproof.cli.replay_display import print_replay_review, replay_json
from mineproof.errors import InputError
from mineproof.game.transcript import Transcript
from mineproof.replay.rawvf import of_transcript
from mineproof.replay.record import Replay, read_game
from mineproof.replay.review import review_replay
from mineproof.text import many, percent, summed_percent

ReviewType = TypeVar("ReviewType")


def command(
    transcript: Annotated[
        str,
        Argument(
            metavar="GAME",
            help="A game that play --transcript wrote, a recording (AVF, EVF, RMV, MVF, RAWVF), a"
            " folder of recordings, or - for stdin.",
        ),
    ],
    as_json: AsJson = False,
    svg: Annotated[
        str | None, Option(metavar="FILE", help="Draw the game, move by move, into a file.")
    ] = None,
    every: Annotated[
        bool, Option("--all", help="List every move, not only those that risked something.")
    ] = False,
    win: Annotated[
        bool, Option("--win", help="Estimate the chance to win before every move.")
    ] = False,
    samples: Annotated[
        int | None,
        Option(
            metavar="N",
            help=f"With --win: games played out for each cell.  [default: {JUDGED_SAMPLES}]",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        Option(metavar="N", help="With --win: the seed of the games played out.  [default: 0]"),
    ] = None,
    rawvf: Annotated[
        str | None, Option(metavar="FILE", help="Write the game as RAWVF into a file.")
    ] = None,
    out: Annotated[
        str | None, Option(metavar="FILE", help="With a folder: the page, as report.html.")
    ] = None,
    jobs: Annotated[
        int | None,
        Option("--jobs", "-j", metavar="J", help="With a folder: processes.  [default: cores]"),
    ] = None,
) -> None:
    """Say what every move of a game risked and gave away, its worst moves, and its luck.

    A recording of another program also tells how long each decision took and the pattern that it
    needed, and has the statistics that players compare. A folder of recordings becomes one page.

    A move is judged by what its player saw: what it gave away is its loss of the chance to win,
    exact near the end, estimated from games played out before it. Where that cannot be had, it is
    the risk beyond that of the best move. With --win, the chance to win is estimated before every
    move, not only where one risked a mine.
    """
    from mineproof.rng import check_seed

    for option, value in (("--samples", samples), ("--seed", seed)):
        if value is not None and not win:
            raise InputError(f"{option} says how --win estimates; accepted: together with --win")
    if samples is not None and samples < 1:
        raise InputError(f"--samples {samples}; accepted: 1 or more")
    if Path(transcript).is_dir():
        _review_folder(transcript, out, jobs, as_json or svg or every or win or rawvf)
        return
    for name, given in (("--out", out), ("--jobs", jobs)):
        if given is not None:
            raise InputError(f"{name} is for a folder of recordings; accepted: without {name}")
    picture, text = OutputFile.of("--svg", svg), OutputFile.of("--rawvf", rawvf)
    effort = Effort(
        ends=True,
        samples=JUDGED_SAMPLES if samples is None else samples,
        seed=0 if seed is None else check_seed(seed),
        every=win,
    )
    read = read_game(transcript)
    game = read.transcript if isinstance(read, Replay) else read
    if text is not None:
        text.write(read.rawvf if isinstance(read, Replay) else of_transcript(read).rawvf)
    if win:
        # Games in which no move has a chance to win that could be worked out.
        why = [obstacle(before) for before, _, _ in moves_of(game)]
        if why and None not in why:
            raise InputError(f"--win cannot play games out here: {why[0]}; accepted: without --win")
    found = None
    if isinstance(read, Replay):
        found = _review_with_status(
            len(game.steps), lambda watch: review_replay(read, effort=effort, watch=watch)
        )
        review = found.review
    else:
        review = _review_with_status(
            len(game.steps), lambda watch: game_review.review(game, effort=effort, watch=watch)
        )
    if picture is not None:
        picture.write(draw_review(review, title(game) if found is None else found.replay.title))
    if found is not None and as_json:
        click.echo(json.dumps(replay_json(review_json(game, review), found)))
    elif found is not None:
        print_replay_review(stdout_console(), found, every)
    elif as_json:
        click.echo(json.dumps(review_json(game, review)))
    else:
        print_review(stdout_console(), game, review, every)


def _review_with_status(
    moves: int, work: Callable[[Callable[[int], bool]], ReviewType]
) -> ReviewType:
    """The review, with its progress on a terminal."""
    with StatusLine() as status:

        def watch(number: int) -> bool:
            status.update(f"{number} of {moves} moves")
            return True

        return work(watch)


def _review_folder(folder: str, out: str | None, jobs: int | None, others: object) -> None:
    """Review the recordings of a folder, and write their page."""
    from mineproof.replay.folder import folder_page, review_folder

    if others:
        raise InputError("a folder is reviewed as a page; accepted: --out and --jobs beside it")
    if out is None:
        raise InputError("a folder needs a file for its page; accepted: --out report.html")
    if jobs is not None and jobs < 1:
        raise InputError(f"--jobs {jobs}; accepted: 1 or more")
    page = OutputFile.of("--out", out)
    assert page is not None
    kept = f"{out}.reviews"
    with StatusLine() as status:
        files = review_folder(
            folder, kept, jobs=jobs, watch=lambda n, of: status.update(f"{n} of {of} games")
        )
    page.write(folder_page(files, f"Games of {Path(folder).resolve().name}"))
    unread = [one for one in files if one.summary is None]
    click.echo(f"{len(files) - len(unread)} games reviewed: {out}")
    click.echo(f"kept in {kept}: a later run reviews only new games")
    for one in unread:
        click.echo(f"not read: {one.name}: {one.error}", err=True)


# -- How `review` shows a game: a table of its moves, the worst of them, and the sums --

_MOST_UNSOUND = 10

Names: TypeAlias = Callable[[int], str]
"""The names of cells."""


def title(game: Transcript) -> str:
    """The game in a line: board, player, seed, outcome."""
    index = f", game {game.index}" if game.index else ""
    return f"{game.board}, {game.agent}, seed {game.seed}{index}: {game.outcome.text}"


def review_json(game: Transcript, review: Review) -> dict[str, Any]:
    """The object that `review --json` prints."""
    luck = review.luck
    return {
        "board": game.board,
        "rules": game.rules.text,
        "agent": game.agent,
        "seed": game.seed,
        "index": game.index,
        "won": game.outcome.won,
        "outcome": game.outcome.termination.value,
        "moves": [_move_json(game, n, move) for n, move in enumerate(review.moves, 1)],
        "lost": review.lost,
        "lost_win": review.lost_of(Measure.WIN),
        "lost_risk": review.lost_of(Measure.RISK),
        "worst": list(review.worst),
        "blunders": list(review.blunders),
        "unsound": list(review.unsound),
        "guesses": luck.guesses,
        "held": luck.held,
        "expected": luck.expected,
        "luck": luck.difference,
    }


def _move_json(game: Transcript, number: int, move: Judgement) -> dict[str, Any]:
    def place(cell: int | None) -> list[int] | None:
        return None if cell is None else list(game.topology.coordinates(cell))

    win = move.win
    return {
        "n": number,
        "action": move.decision.action.value,
        "cell": place(move.decision.cell),
        "risk": move.risk,
        "best_cell": place(move.best_cell),
        "best_risk": move.best_risk,
        "lost": move.lost,
        "measure": move.measure and move.measure.value,
        "kind": move.kind and move.kind.value,
        "certain": move.certain,
        "unsound": move.unsound,
        "win": win and {"chance": win.chance, "low": win.low, "high": win.high, "exact": win.exact},
        "text": move.text,
    }


def print_review(console: Console, game: Transcript, review: Review, every: bool) -> None:
    """The whole review as text."""
    console.print(title(game), style="bold", soft_wrap=True)
    _print_moves(console, game, review, every)
    names = game.topology.cell_name
    for place, number in enumerate(review.worst):
        if not place:
            console.print("\nthe worst moves", style="bold")
        move = review.moves[number - 1]
        assert move.kind is not None
        what = f"{number}. {_move(names, move)}: {move.kind.word}, lost {percent(move.lost or 0)}"
        console.print(what, soft_wrap=True)
        print_sentences(console, move.text, "   ")
    if review.unsound:
        console.print("\ncalled proved, and not certain", style="bold")
    for number in review.unsound[:_MOST_UNSOUND]:
        move = review.moves[number - 1]
        console.print(f"{number}. {_move(names, move)}", soft_wrap=True)
        if number not in review.worst:
            print_sentences(console, move.text, "   ")
    if len(review.unsound) > _MOST_UNSOUND:
        console.print(f"and {many(len(review.unsound) - _MOST_UNSOUND, 'more move')}")
    console.print()
    for line in sums(review):
        console.print(line)


def _print_moves(console: Console, game: Transcript, review: Review, every: bool) -> None:
    names = game.topology.cell_name
    rows = [
        (str(number), _move(names, move), *_figures(names, move))
        for number, move in enumerate(review.moves, 1)
        if every or move.risk or move.lost or move.kind is None or move.unsound
    ]
    if rows:
        head = ("move", "", "kind", "risk", "best", "lost", "to win")
        table = [head, *rows]
        widths = [max(len(row[column]) for row in table) for column in range(len(head))]
        for row in table:
            said = [
                text.rjust(width) if column in (0, 3, 5, 6) else text.ljust(width)
                for column, (text, width) in enumerate(zip(row, widths, strict=True))
            ]
            console.print(
                "  ".join(said).rstrip(), style="bold" if row is head else "", soft_wrap=True
            )
    left = len(review.moves) - len(rows)
    if left:
        more = "more " if rows else ""
        console.print(f"{many(left, f'{more}move')} risked nothing; --all lists every move")


def _move(names: Names, move: Judgement) -> str:
    action, cell = move.decision.action.value, move.decision.cell
    return action if cell is None else f"{action} {names(cell)}"


def _figures(names: Names, move: Judgement) -> tuple[str, str, str, str, str]:
    """Kind, risk, best, lost and the chance to win; empty where there is nothing to say."""
    kind = "not judged" if move.kind is None else move.kind.word
    if move.unsound:
        kind += ", unsound"
    risk = {None: "", 0.0: "safe"}.get(move.risk, percent(move.risk or 0.0))
    best = ""
    if move.best_cell is not None and move.best_cell != move.decision.cell:
        said = "safe" if not move.best_risk else percent(move.best_risk)
        best = f"{names(move.best_cell)} {said}"
    lost = percent(move.lost) if move.lost else ""
    return kind, risk, best, lost, "" if move.win is None else move.win.text


def sums(review: Review) -> list[str]:
    """What was given away in all, and the luck, line by line."""
    parts = [
        f"{summed_percent(review.lost_of(measure))} {words}"
        for measure, words in (
            (Measure.WIN, "of the chance to win"),
            (Measure.RISK, "in needless risk"),
        )
        if review.lost_of(measure)
    ]
    luck = review.luck
    lines = [f"lost by all moves together: {' and '.join(parts) or 'nothing'}"]
    if luck.guesses:
        lines.append(
            f"luck: {luck.held} of {many(luck.guesses, 'guess')} held,"
            f" {luck.expected:.2f} expected: {luck.difference:+.2f}"
        )
    else:
        lines.append("luck: there was no guess")
    if review.unjudged:
        lines.append(f"{many(review.unjudged, 'move')} not judged: too wide to count")
    return lines
