"""Grading: every submission of a folder plays the games of a course, and ends with a row.

Each is graded in a process of its own, so that one ends no other's, and its own code runs confined
in processes below that. Practice games are dealt from a known seed and played first: of those a row
tells all. Then a fresh process of the agent plays hidden deals, the same for everyone; of those the
part of a row that a student sees holds numbers only, and no text that a submission made.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import secrets
import shutil
import tarfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from mineproof.agents.adapters import AgentSource
from mineproof.agents.agent import Answer
from mineproof.agents.program import Manifest
from mineproof.board.presets import World
from mineproof.courses.methods import MethodResult, cs50_results
from mineproof.courses.pack import Course, CourseGames, Criterion, Measure
from mineproof.errors import InputError, LabError, MineproofError, NotationError, one_line, quoted
from mineproof.files import write_text
from mineproof.game.check import Fault, FaultKind, SoundnessReport, Thoroughness, check
from mineproof.game.luck import luck_of
from mineproof.lab.comparison import submissions
from mineproof.rng import Purpose, Stream
from mineproof.sandbox.agent import IsolatedAgent
from mineproof.sandbox.confinement import Confinement, layers_left_out
from mineproof.sandbox.process import ChildLost, LineProcess
from mineproof.sandbox.wire import OutputCapture, PrintedText
from mineproof.text import many
from mineproof.view.view import View

_CHILD = "mineproof.courses.child"
PRACTICE_SEED = 1
_MOST_ARCHIVE = 100 * 2**20
_MOST_ROW = 50 * 2**20
_MOST_HASHED = 2_000
_MOST_FAULTS = 5
_MOST_LINES = 40
_LONGEST = 300
_SPARE_SECONDS = 60.0
_LOOK_SECONDS = 0.2

# ----------------------------------------------------------------------------
# A row: what a submission came to.


@dataclass(frozen=True)
class PlaceResult:
    """The games of one submission at one place. `games` are those that were to be played.

    `wrong` are its claims that are not certain, or not by the clues named, and its wrong flags;
    `failed` the games that it lost by an exception, an illegal move or a time-out, or never began.
    """

    place: str
    hidden: bool
    games: int
    won: int = 0
    steps: int = 0
    proved: int = 0
    wrong: int = 0
    failed: int = 0
    chances: int = 0
    missed: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class FaultNote:
    """A fault of a practice game, with all that shows it; `again` is what to type."""

    kind: str
    message: str
    place: str
    step: int
    move: str
    position: str
    cell: int | None
    refutation: tuple[int, ...] | None
    printed: tuple[str, ...]
    again: tuple[str, ...]


@dataclass(frozen=True)
class PointLine:
    """A line of the rubric with what was reached."""

    title: str
    asked: str
    value: float | None
    points: float
    most: float


@dataclass(frozen=True)
class SubmissionRow:
    """What a submission came to. `teacher` holds what its student must not see."""

    name: str
    key: str
    digest: str
    points: float
    most: float
    lines: tuple[PointLine, ...] = ()
    places: tuple[PlaceResult, ...] = ()
    faults: tuple[FaultNote, ...] = ()
    tests: tuple[MethodResult, ...] = ()
    note: str = ""
    said: str = ""
    teacher: tuple[str, ...] = ()
    content: str = ""
    """The digest of its files alone, which finds two that are the same."""

    @property
    def text(self) -> str:
        return json.dumps(asdict(self), indent=1)

    @classmethod
    def parse(cls, text: str) -> SubmissionRow:
        """The row of a text. Raises ValueError, KeyError or TypeError for another one."""
        found = json.loads(text)
        kinds = {"lines": PointLine, "places": PlaceResult, "tests": MethodResult}
        for field, kind in kinds.items():
            found[field] = tuple(kind(**one) for one in found[field])
        found["faults"] = tuple(_fault_note(one) for one in found["faults"])
        return cls(**{**found, "teacher": tuple(found["teacher"])})

    def measured(self, measure: Measure, board: str | None = None) -> float | None:
        """A measure over the hidden games, or over those of practice where none are hidden."""
        if measure is Measure.TESTS:
            passed = [one.passed for one in self.tests]
            return sum(passed) / len(passed) if passed else None
        hidden = [one for one in self.places if one.hidden] or list(self.places)
        chosen = [one for one in hidden if board in (None, one.place)]
        games = sum(one.games for one in chosen)
        if not games:
            return None
        if measure is Measure.WINS:
            return sum(one.won for one in chosen) / games
        finished = 1 - sum(one.failed for one in chosen) / games
        if measure is Measure.FINISHED:
            return finished
        if measure is Measure.SECONDS:
            steps = sum(one.steps for one in chosen)
            # Whoever fails at once is not quick.
            return sum(one.seconds for one in chosen) / steps if steps and finished > 0.5 else None
        good, bad = (
            (sum(one.proved for one in chosen), sum(one.wrong for one in chosen))
            if measure is Measure.SOUNDNESS
            else (
                sum(one.chances - one.missed for one in chosen),
                sum(one.missed for one in chosen),
            )
        )
        return good / (good + bad) if good + bad else None

    def pointed(self, rubric: Sequence[Criterion]) -> SubmissionRow:
        """This row with the points of a rubric."""
        lines = []
        for one in rubric:
            value = self.measured(one.measure, one.board)
            lines.append(PointLine(one.title, one.text, value, one.points(value), one.most))
        return replace(self, lines=tuple(lines), points=sum(line.points for line in lines))


def _fault_note(found: dict[str, Any]) -> FaultNote:
    lists = {name: tuple(found[name]) for name in ("printed", "again")}
    cells = found["refutation"]
    return FaultNote(**{**found, **lists, "refutation": None if cells is None else tuple(cells)})


# ----------------------------------------------------------------------------
# The submissions of a folder.


@dataclass(frozen=True)
class Submission:
    """What one student handed in: a Python file, or a folder with one or with `agent.toml`.

    `key` names its files in the folder of the grades. A file among others' is `alone`: it reads
        only itself."""

    path: Path
    name: str
    key: str
    alone: bool

    @property
    def digest(self) -> str:
        """Of all its files, so that what was handed in anew is graded anew."""
        found = hashlib.sha256()
        files = [self.path] if self.path.is_file() else sorted(self.path.rglob("*"))[:_MOST_HASHED]
        for file in files:
            if file.is_file() and not file.is_symlink() and "__pycache__" not in file.parts:
                found.update(f"{file.relative_to(self.path.parent)}\0".encode(errors="replace"))
                found.update(hashlib.sha256(file.read_bytes()).digest())
        return found.hexdigest()[:16]


def class_submissions(folder: str | Path) -> tuple[Submission, ...]:
    """Those of a folder, by name; raises InputError where there are none."""
    submissions(folder)  # says what is wrong with the folder
    found: list[Submission] = []
    for path in sorted(Path(folder).iterdir()):
        if path.name.startswith((".", "_")) or not (path.is_dir() or path.suffix == ".py"):
            continue
        name = one_line(path.name.removesuffix(".py"), 80)
        key = re.sub(r"[^A-Za-z0-9._-]", "_", name)[:60]
        if key != path.name.removesuffix(".py") or any(key == one.key for one in found):
            key += f"-{hashlib.sha256(str(path.name).encode(errors='replace')).hexdigest()[:8]}"
        found.append(Submission(path.absolute(), name, key, not path.is_dir()))
    return tuple(found)


# ----------------------------------------------------------------------------
# Grading one submission, in its process: build, tests of methods, practice, hidden games.


class _NoAgent(Exception):
    """It cannot be built, or not be loaded: the row says why."""

    def __init__(self, note: str, said: str = "") -> None:
        super().__init__(note)
        self.said = said


def graded_row(order: dict[str, Any]) -> dict[str, Any]:
    """The row of one submission as JSON; the answer of a grader's child process."""
    course = Course.named(order["course"])
    submission = Submission(Path(order["path"]), order["name"], order["key"], order["alone"])
    row = SubmissionRow(submission.name, submission.key, order["digest"], 0, course.most_points)
    row = replace(row, content=order["content"])
    try:
        grader = _SubmissionGrader(course, submission, order["secret"], Path(order["built"]))
        row = grader.row(row)
    except _NoAgent as error:
        row = replace(row, note=one_line(str(error), _LONGEST), said=error.said)
    found: dict[str, Any] = asdict(row.pointed(course.rubric))
    return found


class _SubmissionGrader:
    """Grades one submission."""

    def __init__(self, course: Course, submission: Submission, secret: str, built: Path) -> None:
        self._course = course
        self._submission = submission
        self._secret = secret
        self._limits = course.limits
        self._until = time.monotonic() + course.limits.submission_seconds
        self._path = self._built(built)
        self._late = False
        self._stopped = ""

    def row(self, row: SubmissionRow) -> SubmissionRow:
        """The row of a submission that could be built."""
        tests = tuple(self._tests())
        self._probe()
        course, practice, hidden, faults = self._course, [], [], list[Fault]()
        risks: list[float] = []
        teacher: list[str] = []
        for place, boards, games in _places(course.practice):
            result, report = self._play(place, boards, games, PRACTICE_SEED, hidden=False)
            practice.append(result)
            faults += report.faults
        for place, boards, games in _places(course.hidden):
            result, report = self._play(place, boards, games, self._seed(place), hidden=True)
            hidden.append(result)
            risks += report.risks
            teacher += [
                f"{fault.kind.value} at {fault.place}: {one_line(fault.message, _LONGEST)}"
                for fault in report.faults[:_MOST_FAULTS]
            ]
        if (luck := luck_of(risks)).implausible:
            teacher.insert(0, luck.text)
        return replace(
            row,
            places=(*practice, *hidden),
            faults=tuple(self._noted(fault) for fault in _first_faults(faults)),
            tests=tests,
            note=self._stopped,
            teacher=tuple(teacher),
        )

    def _seed(self, place: str) -> int:
        """The seed of the hidden deals at a place, the same for everyone."""
        named = f"{self._secret} {place}".encode()
        return int.from_bytes(hashlib.blake2b(named, digest_size=6).digest(), "little")

    # -- its own code: built, loaded, called -------------------------------------------------

    def _built(self, built: Path) -> Path:
        """Where the agent is: as handed in, or where it was built."""
        path = self._submission.path
        try:
            manifest = Manifest.read(path) if path.is_dir() else None
        except NotationError as error:
            raise _NoAgent(str(error)) from None
        if manifest is None or manifest.build is None:
            return path
        order = {"order": "build", "folder": str(path), "build": manifest.build}
        # Java's compiler reads its settings there.
        settings = tuple(map(str, Path("/etc").glob("java*")))
        confinement = self._confinement(path)
        confinement = replace(confinement, files=(*confinement.files, *settings))
        with closing(_Caller(confinement, self._limits.build_seconds)) as caller:
            answer = caller.call(order)
        said = str(answer.get("said", ""))
        if "built" not in answer:
            raise _NoAgent(f"it was not built: {answer.get('failed')}", said)
        shutil.rmtree(built, ignore_errors=True)
        _unpack(base64.b64decode(answer["built"]), built)
        return built

    def _confinement(self, path: Path, *, alone: bool = False) -> Confinement:
        folder = path if path.is_dir() else path.parent
        return Confinement(
            None if alone else str(folder),
            self._limits.agent.memory_mb,
            layers_left_out(),
            (str(path),),
        )

    def _tests(self) -> Iterator[MethodResult]:
        if self._course.tests is None:
            return
        confinement = self._confinement(self._path, alone=self._submission.alone)
        caller = _Caller(confinement, self._limits.agent.start_seconds)
        file = str(self._path)
        digits = hashlib.blake2b(f"{self._secret} tests".encode(), digest_size=6).digest()
        rng = Stream(int.from_bytes(digits, "little"), 0, Purpose.AGENT)
        with closing(caller):
            yield from (
                replace(one, said=one_line(one.said, 4 * _LONGEST))
                for one in cs50_results(lambda order: caller.call({**order, "file": file}), rng)
            )

    def _agent(self, listener: OutputCapture | None) -> IsolatedAgent:
        source = AgentSource(str(self._path), None)
        return IsolatedAgent(
            source, self._limits.agent, listener=listener, alone=self._submission.alone
        )

    def _probe(self) -> None:
        listener = OutputCapture()
        with closing(self._agent(listener)) as agent:
            with suppress(InputError):
                agent.probe()
            if agent.unusable is not None:
                printed = "\n".join(listener.steps.get(0, PrintedText()).lines)
                raise _NoAgent(f"it cannot be loaded: {agent.unusable}", printed)

    # -- its games ---------------------------------------------------------------------------

    def _play(
        self, place: str, boards: Sequence[str | World], games: int, seed: int, *, hidden: bool
    ) -> tuple[PlaceResult, SoundnessReport]:
        """The games at one place; what is not played is lost."""
        whole = games * len(boards)
        report = SoundnessReport(self._submission.name, 0, 0, 0, 0, 0)
        seconds = 0.0
        if not self._stopped:
            with closing(self._agent(None if hidden else OutputCapture())) as agent:
                player = _TimedPlayer(agent)
                try:
                    report = self._checked(player, boards, games, seed)
                except _OutOfTime as late:
                    report = late.report
                    limit = self._limits.submission_seconds
                    self._stopped = f"stopped after {limit:g} s, the limit for all games"
                seconds = player.seconds
            if report.note and not self._stopped:
                fault = report.fault
                why = "" if hidden or fault is None else f" ({fault.message})"
                self._stopped = one_line(f"{report.note}{why}", 2 * _LONGEST)
        thorough = report.thoroughness or Thoroughness()
        failing = (FaultKind.RAISED, FaultKind.ILLEGAL, FaultKind.TIME_OUT)
        failed = sum(fault.kind in failing for fault in report.faults)
        return PlaceResult(
            place,
            hidden,
            whole,
            won=report.won,
            steps=report.steps,
            proved=report.judged,
            wrong=len(report.faults) - failed,
            failed=failed + whole - report.games,
            chances=thorough.turns,
            missed=thorough.turns - thorough.found,
            seconds=round(seconds, 3),
        ), report

    def _checked(
        self, player: _TimedPlayer, boards: Sequence[str | World], games: int, seed: int
    ) -> SoundnessReport:
        def watch(report: SoundnessReport) -> None:
            if time.monotonic() > self._until:
                raise _OutOfTime(report)

        return check(
            lambda: player,
            name=self._submission.name,
            boards=[self._course.setting(board) for board in boards],
            games=games,
            seed=seed,
            watch=watch,
            thorough=True,
        )

    def _noted(self, fault: Fault) -> FaultNote:
        """A fault of practice for the page of its student."""
        game = fault.game
        path = self._submission.path
        agent = f"{path.name}/" if path.is_dir() else path.name
        words = ["mineproof", "play", "--agent", agent, "--rules", self._course.rules]
        words += ["--seed", str(game.seed), "--index", str(game.index)]
        again: list[str] = []
        if game.world is None:
            words += ["--board", game.board]
        else:
            again.append(f"mineproof course {self._course.name} --worlds worlds.txt")
            words += ["--worlds", "worlds.txt", "--world", game.world]
        refutation = fault.refutation
        return FaultNote(
            fault.kind.value,
            one_line(fault.message, _LONGEST),
            game.world or game.board,
            fault.step,
            one_line(fault.move, _LONGEST),
            fault.position,
            fault.cell,
            None if refutation is None else tuple(refutation.cells),
            tuple(one_line(line, _LONGEST) for line in fault.printed.lines[:_MOST_LINES]),
            (*again, _joined(words)),
        )


def _joined(words: Sequence[str]) -> str:
    from shlex import join

    return join(words)


def _places(games: CourseGames | None) -> Iterator[tuple[str, tuple[str | World, ...], int]]:
    if games is None:
        return
    for board in games.boards:
        yield board, (board,), games.games
    if games.worlds:
        yield "worlds", games.worlds, games.games


def _first_faults(faults: Sequence[Fault]) -> Iterator[Fault]:
    """The first fault of each kind, then others in their order."""
    kinds = [fault.kind for fault in faults]
    first = {kinds.index(kind) for kind in kinds}
    order = sorted(range(len(faults)), key=lambda place: (place not in first, place))
    yield from (faults[place] for place in order[:_MOST_FAULTS])


class _OutOfTime(Exception):
    def __init__(self, report: SoundnessReport) -> None:
        super().__init__()
        self.report = report


class _TimedPlayer:
    """Plays as an agent does, and counts the seconds of its moves."""

    def __init__(self, agent: IsolatedAgent) -> None:
        self._agent = agent
        self.listener = agent.listener
        self.seconds = 0.0

    def begin(self, view: View, rng: Stream) -> None:
        self._agent.begin(view, rng)

    def act(self, view: View) -> Answer:
        began = time.monotonic()
        try:
            return self._agent.act(view)
        finally:
            self.seconds += time.monotonic() - began


class _Caller:
    """Gives orders to a confined child; one that dies or hangs is replaced for the next order."""

    def __init__(self, confinement: Confinement, seconds: float) -> None:
        self._confinement, self._seconds = confinement, seconds
        self._process: LineProcess | None = None

    def call(self, order: dict[str, Any]) -> dict[str, Any]:
        """The answer, with the key `failed` where there is none."""
        try:
            if self._process is None:
                self._process = LineProcess(_CHILD, stranger=self._confinement, most=_MOST_ARCHIVE)
            answer = json.loads(self._process.ask(json.dumps(order).encode(), self._seconds))
            if isinstance(answer, dict) and ({"built", "failed", "returned"} & set(answer)):
                return answer
            why = "its process sent nonsense"
        except TimeoutError:
            why = f"no answer within {self._seconds:g} s"
        except (ChildLost, ValueError, RecursionError) as error:
            why = f"its process {error}" if isinstance(error, ChildLost) else "it sent nonsense"
        self.close()
        return {"failed": why}

    def close(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None


def _unpack(data: bytes, folder: Path) -> None:
    """Write the plain files of an archive that a submission's process sent. Raises _NoAgent."""
    room = _MOST_ARCHIVE
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
            for member in archive:
                place = (folder / member.name).resolve()
                if not member.isreg() or folder.resolve() not in place.parents:
                    continue
                room -= member.size
                if room < 0:
                    raise _NoAgent("it was not built: what was built is too large")
                file = archive.extractfile(member)
                assert file is not None
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(file.read())
                place.chmod(0o755)  # a build cannot set it where rights cannot be changed
    except (tarfile.TarError, OSError, EOFError, ValueError) as error:
        raise _NoAgent(f"it was not built: {one_line(str(error), _LONGEST)}") from None


# ----------------------------------------------------------------------------
# Grading a class: the same for every submission, some at a time, and only what is missing.

Watch = Callable[[int, int, SubmissionRow | None], None]
"""Called with how many are done, of how many, and the row that came last."""


class GradeFolder:
    """The folder of the grades: the secret of the deals, and a row for each submission."""

    def __init__(self, path: str | Path, course: Course) -> None:
        self.path = Path(path)
        try:
            (self.path / "rows").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"--out {quoted(str(path))} cannot be made: {error.strerror}"
            ) from None
        self._course = course
        self.secret = self._read_secret()

    def _read_secret(self) -> str:
        file = self.path / "secret.txt"
        try:
            found = file.read_text(encoding="utf-8").strip()
        except OSError:
            found = ""
        if not found:
            found = secrets.token_hex(16)
            self.write("secret.txt", found + "\n")
        return found

    def write(self, name: str, text: str) -> None:
        """Write a file of it, whole or not at all. Raises LabError."""
        file = self.path / name
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            write_text(file, text)
        except OSError as error:
            raise LabError(f"{quoted(str(file))} cannot be written: {error.strerror}") from None

    def stamp(self, submission: Submission) -> str:
        """What a row is good for: these files under this course with this secret."""
        parts = (submission.digest, self._course.digest, self.secret)
        return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:16]

    def row(self, submission: Submission) -> SubmissionRow | None:
        """The row that is there already, if it is of the same files and course."""
        try:
            file = self.path / "rows" / f"{submission.key}.json"
            row = SubmissionRow.parse(file.read_text(encoding="utf-8"))
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return row if row.digest == self.stamp(submission) else None

    def keep(self, row: SubmissionRow) -> None:
        self.write(f"rows/{row.key}.json", row.text)


def grade(
    folder: str | Path, course_name: str, out: str | Path, jobs: int = 1, watch: Watch | None = None
) -> list[SubmissionRow]:
    """Grade every submission of a folder whose row is missing; returns the rows of all, by name.

    Raises InputError, also for a course whose rubric counts nothing, and KeyboardInterrupt after
    its processes ended; rows that were finished are kept.
    """
    course = Course.named(course_name)
    if course.practice is None and course.hidden is None:
        raise InputError(
            f"course {quoted(course_name)} has no games to grade; accepted: one with [practice] or"
            " [hidden]"
        )
    root, target = Path(folder).resolve(), Path(out).resolve()
    if target == root or root in target.parents:
        raise InputError(
            f"--out {quoted(str(out))} lies among the submissions; accepted: another folder"
        )
    found = class_submissions(folder)
    grades = GradeFolder(out, course)
    rows = {one.key: row for one in found if (row := grades.row(one)) is not None}
    missing = [one for one in found if one.key not in rows]
    name = course_name if course_name == course.name else str(Path(course_name).absolute())
    if watch is not None:
        watch(len(rows), len(found), None)
    with closing(_Graders(name, course, grades, jobs)) as graders:
        for row in graders.rows(missing):
            grades.keep(row)
            rows[row.key] = row
            if watch is not None:
                watch(len(rows), len(found), row)
    return [rows[one.key] for one in found]


class _Graders:
    """Processes that grade, so many at a time."""

    def __init__(self, name: str, course: Course, grades: GradeFolder, jobs: int) -> None:
        if jobs < 1:
            raise InputError(f"{jobs} jobs; accepted: 1 and more")
        self._name, self._course, self._grades = name, course, grades
        self._threads = ThreadPoolExecutor(jobs)
        self._live: set[LineProcess] = set()
        self._lock = threading.Lock()
        self._closed = False

    def rows(self, missing: Sequence[Submission]) -> Iterator[SubmissionRow]:
        """The rows of submissions, each as soon as it is there."""
        left: set[Future[SubmissionRow]] = {self._threads.submit(self._row, one) for one in missing}
        while left:
            # With a limit, so that Ctrl-C is noticed.
            done, left = wait(left, _LOOK_SECONDS, FIRST_COMPLETED)
            for future in done:
                yield future.result()

    def _row(self, submission: Submission) -> SubmissionRow:
        """A row, whatever happens to the process that grades."""
        stamp, content = self._grades.stamp(submission), submission.digest
        empty = SubmissionRow(
            submission.name, submission.key, stamp, 0, self._course.most_points, content=content
        ).pointed(self._course.rubric)
        order = {
            "order": "grade",
            "course": self._name,
            "path": str(submission.path),
            "name": submission.name,
            "key": submission.key,
            "alone": submission.alone,
            "digest": stamp,
            "content": content,
            "secret": self._grades.secret,
            "built": str((self._grades.path / "built" / submission.key).absolute()),
        }
        limits = self._course.limits
        # Above the child's own limits: the slowest of its games may still be under way.
        seconds = (
            limits.submission_seconds
            + limits.build_seconds
            + 2 * limits.agent.game_seconds
            + 20 * limits.agent.start_seconds
            + _SPARE_SECONDS
        )
        try:
            process = LineProcess(_CHILD, most=_MOST_ROW)
            with self._lock:
                self._live.add(process)
                closed = self._closed
            try:
                if closed:
                    return empty
                answer = process.ask(json.dumps(order).encode(), seconds)
            finally:
                with self._lock:
                    self._live.discard(process)
                process.end()
            return SubmissionRow.parse(answer.decode())
        except TimeoutError:
            why = f"it was stopped after {seconds:g} s"
        except (ChildLost, MineproofError, OSError, ValueError, KeyError, TypeError) as error:
            why = f"the process that graded it ended: {one_line(str(error), _LONGEST)}"
        return replace(empty, note=why)

    def close(self) -> None:
        """End every process; what is under way leaves no row."""
        with self._lock:
            self._closed = True
            live = list(self._live)
        for process in live:
            process.end()
        self._threads.shutdown(wait=True, cancel_futures=True)


def summary(rows: Sequence[SubmissionRow]) -> str:
    """How many were graded, and how many of them have a note."""
    noted = sum(bool(row.note) for row in rows)
    text = many(len(rows), "submission")
    return f"{text}, {noted} of them with a note" if noted else text
