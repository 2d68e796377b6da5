"""The arena: a model behind an endpoint plays tasks, and every reply is graded exactly.

    arena/arena.json                          the model, without its key
    arena/results/certain-3-test-17.rows.json one finished task: replies, grade, tokens, time
    arena/transcripts/game-1-test-4.rows.txt  a finished game, for `mineproof review`
    arena/index.html                          the report

A result is written aside and renamed, so that it is there and whole or not there; to resume is to
skip what is there. A model that is late or answers nothing has a result; an endpoint that is not
there has none, and the task is asked again by the next run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from mineproof.errors import BudgetExceeded, InputError, NotationError, quoted
from mineproof.files import Closeable, parse_file, write_text
from mineproof.lab.report import Estimate, Page, Section, Table
from mineproof.lab.statistics import mean_of
from mineproof.tasks.conversation import Conversation
from mineproof.tasks.endpoint import Endpoint, EndpointFailure, ModelReply
from mineproof.tasks.kinds import KINDS, GameQuestion
from mineproof.tasks.renderings import PICTURE, RENDERINGS
from mineproof.tasks.replies import Grade, Verdict
from mineproof.tasks.task import Task, picture_message
from mineproof.text import Interval

GAME = "game"
SPEC_FILE = "arena.json"
_LOCK = ".lock"
_MOST_TURNS = 200


@dataclass(frozen=True)
class Bout:
    """One task in one rendering."""

    task: Task
    rendering: str

    @property
    def name(self) -> str:
        return f"{self.task.name}.{self.rendering}"


def bouts_of(
    kinds: Sequence[str],
    levels: Sequence[int],
    renderings: Sequence[str],
    count: int,
    games: int,
    seed: int = 0,
    split: str = "test",
) -> list[Bout]:
    """The plan: `count` tasks of every kind and level, `games` games of every level.

    It is the same for every model. Raises InputError.
    """
    for rendering in renderings:
        RENDERINGS[rendering]
    return [
        Bout(Task(number, kind, level, split), rendering)
        for kind in kinds
        for level in levels
        for number in range(seed, seed + (games if kind == GAME else count))
        for rendering in renderings
    ]


# -- One task ------------------------------------------------------------------


def play_bout(
    bout: Bout, endpoint: Endpoint, tools: bool = False, samples: int = 100
) -> tuple[dict[str, Any], str | None]:
    """The result of a task, and the transcript of a finished game.

    Raises EndpointFailure, InputError, and BudgetExceeded where there is no such task.
    """
    if isinstance(bout.task.question, GameQuestion):
        return _play_game(bout, bout.task.question, endpoint, tools, samples)
    reply = endpoint.ask(bout.task.messages(bout.rendering))
    return _result(bout, bout.task.grade(reply.text), [reply]), None


def _play_game(
    bout: Bout, question: GameQuestion, endpoint: Endpoint, tools: bool, samples: int
) -> tuple[dict[str, Any], str | None]:
    game = Conversation(question, bout.rendering, samples)
    messages = bout.task.messages(bout.rendering)
    replies: list[ModelReply] = []
    while not game.over and len(replies) < _MOST_TURNS:
        reply = endpoint.ask(messages, tools)
        replies.append(reply)
        answer = game.send(reply.text)
        said = dict(reply.message) or {"role": "assistant", "content": ""}
        role = {"role": "user"}
        if reply.call is not None:
            role = {"role": "tool", "tool_call_id": reply.call}
        messages += [said, {**role, "content": answer}]
        if bout.rendering == PICTURE and not game.over:
            messages.append(picture_message("The board now:", game.view))
    played = game.transcript(endpoint.model)
    return _result(bout, game.grade(), replies), None if played is None else played.text


def _result(bout: Bout, grade: Grade, replies: Sequence[ModelReply]) -> dict[str, Any]:
    task = bout.task
    return {
        "task": task.name,
        "kind": task.kind,
        "level": task.level,
        "split": task.split,
        "seed": task.seed,
        "rendering": bout.rendering,
        "score": grade.score,
        "verdict": grade.verdict.value,
        "note": grade.note,
        "metrics": dict(grade.metrics),
        "replies": [reply.text for reply in replies],
        "faults": [reply.fault for reply in replies if reply.fault],
        "asked_tokens": sum(reply.asked_tokens for reply in replies),
        "told_tokens": sum(reply.told_tokens for reply in replies),
        "seconds": round(sum(reply.seconds for reply in replies), 3),
    }


# -- A folder of results -------------------------------------------------------


class ArenaFolder(Closeable):
    """The results of one model, open for writing by one run at a time.

    Raises InputError for a folder of something else, or one that another run writes to.
    """

    def __init__(self, folder: str | Path, spec: Mapping[str, Any]) -> None:
        self.path = Path(folder)
        self._lock: IO[bytes] | None = None
        file = self.path / SPEC_FILE
        if self.path.exists() and not file.exists() and any(self.path.iterdir()):
            raise InputError(
                f"{quoted(str(folder))} holds no arena; accepted: a new or empty folder, or one of"
                " the same model"
            )
        for name in ("results", "transcripts"):
            (self.path / name).mkdir(parents=True, exist_ok=True)
        self._take_lock()
        try:
            self._check(file, dict(spec))
        except BaseException:
            self.close()
            raise

    def _take_lock(self) -> None:
        self._lock = (self.path / _LOCK).open("ab")
        try:
            import fcntl

            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # not a POSIX system: two runs at once are then not noticed
            return
        except BlockingIOError:
            self.close()
            raise InputError(
                f"another run writes to {quoted(str(self.path))}; accepted: when it has ended"
            ) from None

    def _check(self, file: Path, spec: dict[str, Any]) -> None:
        if not file.exists():
            write_text(file, json.dumps(spec, indent=1) + "\n")
            return
        found = parse_file(file, _table)
        for name in sorted({*found, *spec}):
            if found.get(name) != spec.get(name):
                raise InputError(
                    f"{quoted(str(self.path))} is another arena: its {name} is"
                    f" {quoted(str(found.get(name)))}; accepted: another folder, or the same {name}"
                )

    def finished(self) -> set[str]:
        """The names of the tasks whose results are there."""
        return {file.stem for file in (self.path / "results").glob("*.json")}

    def write(self, bout: Bout, result: Mapping[str, Any], transcript: str | None) -> None:
        """Keep a result, its transcript first."""
        if transcript is not None:
            write_text(self.path / "transcripts" / f"{bout.name}.txt", transcript)
        text = json.dumps(result, ensure_ascii=False, indent=1) + "\n"
        write_text(self.path / "results" / f"{bout.name}.json", text)

    def results(self) -> list[dict[str, Any]]:
        """All results, by name. Raises NotationError for a damaged one."""
        files = sorted((self.path / "results").glob("*.json"))
        return [parse_file(file, _table) for file in files]

    def close(self) -> None:
        """Let another run write here."""
        if self._lock is not None:
            self._lock.close()


def _table(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise NotationError("no JSON object; accepted: a file that the arena wrote")
    return found


# -- A run ---------------------------------------------------------------------


@dataclass(frozen=True)
class ArenaRun:
    """What became of a run: tasks played now, found from before, without an endpoint or a task."""

    played: int
    found: int
    unanswered: int
    missing: int
    reason: str = ""


def run_arena(
    folder: ArenaFolder,
    bouts: Iterable[Bout],
    endpoint: Endpoint,
    *,
    jobs: int = 4,
    tools: bool = False,
    samples: int = 100,
    watch: Callable[[int, int], None] = lambda done, count: None,
) -> ArenaRun:
    """Play what has no result yet, several tasks at once. Raises InputError.

    Where the endpoint is not there, tasks already under way are finished and no new one begins.
    """
    done = folder.finished()
    every = list(bouts)
    todo = [bout for bout in every if bout.name not in done]
    played = unanswered = missing = 0
    reason = ""

    def play(bout: Bout) -> None:
        if reason:
            raise EndpointFailure(reason)
        folder.write(bout, *play_bout(bout, endpoint, tools, samples))

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            for number, future in enumerate(as_completed([pool.submit(play, b) for b in todo]), 1):
                try:
                    future.result()
                    played += 1
                except EndpointFailure as error:
                    unanswered += 1
                    reason = reason or str(error)
                except BudgetExceeded:
                    missing += 1
                watch(number, len(todo))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return ArenaRun(played, len(every) - len(todo), unanswered, missing, reason)


# -- The report ----------------------------------------------------------------

_LOWEST = {"claim": -1.0, "sound": -1.0, "guess": -20.0}
"""The least score of the kinds that can lose points; see the questions."""


def arena_page(spec: Mapping[str, Any], results: Sequence[Mapping[str, Any]]) -> Page:
    """The report of a folder: skill, by kind, level and rendering; calibration, proofs, costs."""
    shown = sorted({str(one["kind"]) for one in results}, key=_place)
    sections = [
        Section("scores", "Scores", (_score_table(results, shown), _verdict_table(results, shown))),
        Section(
            "factors",
            "Levels and renderings",
            tuple(_factor_table(results, shown, factor) for factor in ("level", "rendering")),
        ),
    ]
    if games := [one for one in results if one["kind"] == GAME]:
        sections.append(Section("games", "Games: skill apart from luck", (_game_table(games),)))
    if chances := [one for one in results if "said" in one["metrics"]]:
        sections.append(Section("calibration", "Calibration", (_calibration_table(chances),)))
    if proofs := [one for one in results if one["kind"] in ("prove", "sound")]:
        sections.append(Section("reasons", "Soundness of reasons", (_reason_table(proofs),)))
    return Page(
        title=f"Arena: {spec['model']}",
        introduction=(
            "Every reply is graded exactly, by counting all layouts or by the proof checker, from"
            " what the model saw. Luck plays no part. 95 % intervals are in brackets.",
        ),
        sections=tuple(sections),
        facts=tuple((name, str(value)) for name, value in sorted(spec.items())),
    )


def _place(kind: str) -> int:
    return list(KINDS).index(kind)


def _mean(results: Iterable[Mapping[str, Any]]) -> Estimate:
    """The mean score with its interval."""
    listed = list(results)
    low = min((_LOWEST.get(str(one["kind"]), 0.0) for one in listed), default=0.0)
    return _estimate([float(one["score"]) for one in listed], low)


def _estimate(values: Sequence[float], low: float = 0.0, high: float = 1.0) -> Estimate:
    found = mean_of(values, Interval(low, high))
    return Estimate(found.value, found.interval.low, found.interval.high, digits=2)


def _score_table(results: Sequence[Mapping[str, Any]], kinds: Sequence[str]) -> Table:
    rows = []
    for kind in kinds:
        own = [one for one in results if one["kind"] == kind]
        replies = sum(len(one["replies"]) for one in own)
        rows.append(
            (
                kind,
                len(own),
                _mean(own),
                sum(one["asked_tokens"] for one in own),
                sum(one["told_tokens"] for one in own),
                sum(one["seconds"] for one in own) / max(replies, 1),
            )
        )
    columns = ("kind", "tasks", "mean score", "tokens asked", "tokens told", "seconds a reply")
    return Table("scores", "Mean scores, tokens and time", columns, tuple(rows))


def _verdict_table(results: Sequence[Mapping[str, Any]], kinds: Sequence[str]) -> Table:
    rows = []
    for kind in kinds:
        own = [one for one in results if one["kind"] == kind]
        counts = (sum(one["verdict"] == verdict.value for one in own) for verdict in Verdict)
        late = sum("late" in one["faults"] for one in own)
        malformed = sum("malformed" in one["faults"] for one in own)
        rows.append((kind, *counts, late, malformed))
    columns = ("kind", *(verdict.value for verdict in Verdict), "late", "malformed")
    note = "Late and malformed answers are silent ones, and counted apart."
    return Table("verdicts", "What became of the replies", columns, tuple(rows), note)


def _factor_table(results: Sequence[Mapping[str, Any]], kinds: Sequence[str], factor: str) -> Table:
    values = sorted({one[factor] for one in results})
    rows = [
        (
            kind,
            *(
                _mean(cell) if (cell := _cell(results, kind, factor, value)) else None
                for value in values
            ),
        )
        for kind in kinds
    ]
    return Table(
        f"by-{factor}", f"Mean scores by {factor}", ("kind", *map(str, values)), tuple(rows)
    )


def _cell(
    results: Sequence[Mapping[str, Any]], kind: str, factor: str, value: object
) -> list[Mapping[str, Any]]:
    return [one for one in results if one["kind"] == kind and one[factor] == value]


def _game_table(games: Sequence[Mapping[str, Any]]) -> Table:
    def of(name: str) -> list[float]:
        return [float(one["metrics"].get(name, 0.0)) for one in games]

    rows = (
        ("certain cells taken when there were any", _estimate(of("certain_share"))),
        (
            "chance to win given away in a game",
            _estimate(of("regret"), 0.0, max(1.0, *of("regret"))),
        ),
        ("risky moves beside a safe cell", sum(of("risky_moves"))),
        ("moves", sum(of("moves"))),
        ("games won", _estimate(of("won"))),
    )
    note = "The last row holds luck, the others none: read them first."
    return Table("games", f"{len(games)} games", ("what", "value"), rows, note)


def _calibration_table(chances: Sequence[Mapping[str, Any]]) -> Table:
    """What was said of cells, against what was so, by tenths of what was said."""
    groups: dict[int, list[Mapping[str, float]]] = {}
    for one in chances:
        groups.setdefault(min(9, int(10 * one["metrics"]["said"])), []).append(one["metrics"])
    rows = tuple(
        (
            f"{10 * tenth} to {10 * tenth + 10} %",
            len(own),
            _estimate([one["said"] for one in own]),
            _estimate([one["exact"] for one in own]),
        )
        for tenth, own in sorted(groups.items())
    )
    error = _estimate([one["metrics"]["squared_error"] for one in chances])
    columns = ("said", "cells", "mean said", "mean exact chance")
    return Table("calibration", "Chances", columns, rows, f"Mean squared error: {error.text}.")


def _reason_table(proofs: Sequence[Mapping[str, Any]]) -> Table:
    rows = []
    for kind, what in (("prove", "own proofs accepted"), ("sound", "proofs judged rightly")):
        own = [one for one in proofs if one["kind"] == kind]
        if own:
            right = [float(one["score"] > 0) for one in own]
            rows.append((what, len(own), _estimate(right)))
    return Table("reasons", "Proofs", ("what", "tasks", "share"), tuple(rows))


def mean_score(results: Sequence[Mapping[str, Any]], kind: str) -> dict[str, float]:
    """The mean score of a kind with its interval, as JSON."""
    own = [one for one in results if one["kind"] == kind]
    found = _mean(own)
    return {"tasks": len(own), "mean": found.value, "low": found.low, "high": found.high}


def result_lines(results: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The mean scores as lines of text."""
    for kind in sorted({str(one["kind"]) for one in results}, key=_place):
        own = [one for one in results if one["kind"] == kind]
        answers = sum(one["verdict"] == Verdict.ANSWER.value for one in own)
        yield f"{kind:<8}{len(own):>6} tasks{answers:>6} answers   score {_mean(own).text}"
