"""Course packs: one assignment as data, its agents, rules, worlds, tables, limits and points.

A pack is a TOML file. Those of this folder are found by their names; a teacher's own is a file of
the same form. `docs/courses.md` says what it may hold.

>>> from mineproof.courses import Course
>>> Course.named("tornado").agents["SPX"]
'single-point'
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from mineproof.agents.catalog import parse_agent
from mineproof.board.layout import deal
from mineproof.board.presets import Board, World, choose_worlds, format_worlds, parse_worlds
from mineproof.errors import InputError, NotationError, UnknownName, quoted
from mineproof.fields import FieldTable, FieldValue, parse_toml
from mineproof.files import parse_file, read_text
from mineproof.game.referee import Outcome, Termination
from mineproof.lab.experiment import boards_in
from mineproof.sandbox.agent import Limits
from mineproof.text import join_words
from mineproof.view.setting import Setting

_HEADER = "mineproof-course"
_FORMAT = 1
_MOST_TEXT, _MOST_LINES, _MOST_BOARDS, _MOST_DEALS, _MOST_GAMES = 4_000, 50, 100, 1_000, 100_000
_LARGEST_DEAL = 2**53
TESTS = ("cs50",)
"""The tests of a class by its methods that a pack may ask for."""


class Measure(Enum):
    """What points are given for."""

    WINS = "wins"
    """The share of the games that were won."""
    SOUNDNESS = "soundness"
    """The share of the moves called proved that are certain, by the clues they name."""
    COMPLETENESS = "completeness"
    """The share of the moves with a certainly safe cell to open that opened one."""
    FINISHED = "finished"
    """The share of the games without an exception, an illegal move or a time-out."""
    SECONDS = "seconds"
    """The mean seconds of a move."""
    TESTS = "tests"
    """The share of the tests of methods that were passed."""


@dataclass(frozen=True)
class Criterion:
    """A line of the rubric: a measure, on one board or on all, and the points for what it reaches.

    `steps` are pairs of a number and the points for reaching it; of seconds, for staying within it.
    """

    measure: Measure
    steps: tuple[tuple[float, float], ...]
    board: str | None = None

    @property
    def most(self) -> float:
        """The points that can be had."""
        return max(points for _, points in self.steps)

    def points(self, value: float | None) -> float:
        """The points for a value; none where nothing was measured."""
        if value is None:
            return 0.0
        low = self.measure is Measure.SECONDS
        reached = [
            points for step, points in self.steps if (value <= step if low else value >= step)
        ]
        return max(reached, default=0.0)

    @property
    def title(self) -> str:
        return self.measure.value if self.board is None else f"{self.measure.value} on {self.board}"

    @property
    def text(self) -> str:
        """What it asks for: `90 % for 5, 99 % for 10`."""
        low = self.measure is Measure.SECONDS
        return ", ".join(
            f"{f'at most {step:g} s' if low else f'{100 * step:g} %'} for {points:g}"
            for step, points in self.steps
        )


@dataclass(frozen=True)
class CourseTable:
    """A table of results that a report of this course shows, drawn as curves too.

    `boards` are its columns by their names, `measure` a column of the rows of games.
    """

    title: str
    boards: Mapping[str, str]
    measure: str
    games: int
    rules: str
    agents: tuple[str, ...]


@dataclass(frozen=True)
class CourseGames:
    """Where is played: games on each board, and on each world of the pack where they are meant."""

    boards: tuple[str, ...]
    games: int
    worlds: tuple[World, ...] = ()


@dataclass(frozen=True)
class CourseLimits:
    """The limits of a submission: of its agent, of its build and of all its games together."""

    agent: Limits = field(default_factory=Limits)
    build_seconds: float = 120.0
    submission_seconds: float = 1800.0


@dataclass(frozen=True)
class Course:
    """One assignment. `boards` are texts by name; `agents` are those it asks for, by its names.

    Practice games are dealt from a seed that everyone knows; hidden ones from a secret of each
    grading. Raises InputError where something in it cannot be played.
    """

    name: str
    title: str
    about: str
    hand_in: str
    rules: str
    boards: Mapping[str, str]
    worlds: tuple[World, ...]
    agents: Mapping[str, str]
    questions: tuple[str, ...]
    endings: Mapping[str, str]
    tests: str | None
    practice: CourseGames | None
    hidden: CourseGames | None
    limits: CourseLimits
    rubric: tuple[Criterion, ...]
    tables: tuple[CourseTable, ...]
    digest: str

    @classmethod
    def named(cls, name: str) -> Course:
        """A pack by its name, or by the path of a teacher's file. Raises InputError."""
        if name in course_names():
            folder = _packs()
            text = folder.joinpath(f"{name}.toml").read_text(encoding="utf-8")
            return _course(text, name, folder)
        path = Path(name)
        if path.suffix != ".toml":
            raise UnknownName("course", name, [*course_names(), "a file such as my_course.toml"])
        return parse_file(path, lambda text: _course(text, path.stem, path.absolute().parent))

    @classmethod
    def parse(cls, text: str, name: str = "course", folder: str | Path = ".") -> Course:
        """The course of a TOML text, which may name files of the folder. Raises NotationError."""
        return _course(text, name, Path(folder))

    @property
    def most_points(self) -> float:
        return sum(one.most for one in self.rubric)

    def setting(self, board: str | World) -> Setting:
        """A board by its name, or a world, under the rules of the course."""
        return Setting.of(
            self.boards.get(board, board) if isinstance(board, str) else board, self.rules
        )

    def ending(self, outcome: Outcome) -> str:
        """How a game ended, in the words of the course where it has some."""
        if not self.endings:
            return outcome.text
        kind = "cleared" if outcome.won else outcome.termination.value
        return self.endings.get(kind, self.endings.get("other", outcome.text))

    @property
    def worlds_text(self) -> str:
        """Its worlds as a file of worlds. Raises InputError where there are none."""
        if not self.worlds:
            raise InputError(f"course {self.name} has no worlds; accepted: such as tornado")
        return format_worlds(self.worlds)

    @cached_property
    def measured_boards(self) -> tuple[str, ...]:
        """The names that a line of the rubric may count apart."""
        return self.hidden.boards if self.hidden is not None else ()


def _packs() -> Traversable:
    return files(__package__).joinpath("packs")


def course_names() -> tuple[str, ...]:
    """The packs that are shipped."""
    return tuple(
        sorted(
            one.name.removesuffix(".toml")
            for one in _packs().iterdir()
            if one.name.endswith(".toml")
        )
    )


# ----------------------------------------------------------------------------
# Reading a pack.


def _course(text: str, name: str, folder: Traversable | Path) -> Course:
    found = parse_toml(text)
    if found.pop(_HEADER, None) != _FORMAT:
        raise NotationError(f"not a course of version {_FORMAT}; accepted: {_HEADER} = {_FORMAT}")
    table = FieldTable(found)
    try:
        course, parts = _read(table, name, folder)
    except NotationError:
        raise
    except InputError as error:
        raise NotationError(str(error)) from None
    digest = hashlib.sha256("\0".join([text, *parts]).encode()).hexdigest()[:16]
    table.refuse_others()
    object.__setattr__(course, "digest", digest)
    return course


def _read(table: FieldTable, name: str, folder: Traversable | Path) -> tuple[Course, list[str]]:
    """The course, and the texts of the files it names."""
    rules = table.get("rules", "").text(_MOST_TEXT)
    boards = {key: value.text(_MOST_TEXT) for key, value in _fields(table, "boards")}
    for board in boards.values():
        Setting.of(board, rules)
    parts: list[str] = []
    worlds = tuple(
        world
        for one in table.get("worlds", []).each(_MOST_BOARDS)
        for world in _worlds(one.table(), boards, folder, parts)
    )
    agents = {key: value.text(_MOST_TEXT) for key, value in _fields(table, "agents")}
    for agent in agents.values():
        parse_agent(agent)
    endings = {key: value.text(_MOST_TEXT) for key, value in _fields(table, "endings")}
    for key in endings:
        _check_ending(key)
    tests = table.get("tests", "").one_of({"": None, **{one: one for one in TESTS}})
    course = Course(
        name=name,
        title=table["title"].text(_MOST_TEXT),
        about=_paragraph(table.get("about", "")),
        hand_in=_paragraph(table.get("hand-in", "")),
        rules=rules,
        boards=boards,
        worlds=worlds,
        agents=agents,
        questions=table.get("questions", []).texts(),
        endings=endings,
        tests=tests,
        practice=_games(table, "practice", boards, worlds, folder, parts),
        hidden=_games(table, "hidden", boards, (), folder, parts),
        limits=_limits(table.get("limits", {}).table()),
        rubric=tuple(_criterion(one.table()) for one in table.get("points", []).each(_MOST_LINES)),
        tables=tuple(
            _table(one.table(), boards, rules, agents)
            for one in table.get("tables", []).each(_MOST_LINES)
        ),
        digest="",
    )
    for line in course.rubric:
        if line.board is not None and line.board not in course.measured_boards:
            raise UnknownName("board of points", line.board, course.measured_boards)
        if line.measure is Measure.TESTS and tests is None:
            raise NotationError(f"points for tests need tests; accepted: tests = {TESTS[0]!r}")
    return course, parts


def _fields(table: FieldTable, name: str) -> Iterator[tuple[str, FieldValue]]:
    own = table.get(name, {}).table()
    return ((key, own[key]) for key in own)


def _paragraph(value: FieldValue) -> str:
    return " ".join(value.text(_MOST_TEXT).split())


def _check_ending(key: str) -> None:
    known = {"other", *(one.value for one in Termination)}
    if key not in known:
        raise UnknownName("ending", key, sorted(known))


def _file_text(value: FieldValue, folder: Traversable | Path, parts: list[str]) -> str:
    """The text of a file that a pack names, beside the pack."""
    name = value.text(_MOST_TEXT)
    if Path(name).is_absolute() or len(Path(name).parts) != 1:
        raise NotationError(f"file {quoted(name)}; accepted: the name of a file beside the pack")
    place = folder.joinpath(name)
    text = read_text(place) if isinstance(place, Path) else place.read_text(encoding="utf-8")
    parts.append(text)
    return text


def _worlds(
    table: FieldTable, boards: Mapping[str, str], folder: Traversable | Path, parts: list[str]
) -> Iterator[World]:
    """The worlds of a file beside the pack, or deals of a board by their numbers."""
    if "file" in table:
        yield from parse_worlds(_file_text(table["file"], folder, parts))
    else:
        name = table["name"].text(20)
        text = table["board"].text(_MOST_TEXT)
        board = Board.parse(boards.get(text, text))
        seed = table.get("seed", 0).whole_number(0, _LARGEST_DEAL)
        free = (board.topology.corner, board.topology.centre)
        deals = table["deals"].whole_numbers(_MOST_DEALS, _LARGEST_DEAL)
        for number, index in enumerate(deals, 1):
            layout = deal(board.topology, board.mines, seed, index, free)
            yield World(f"{name}{number}", layout)
    table.refuse_others()


def _games(
    table: FieldTable,
    name: str,
    boards: Mapping[str, str],
    worlds: tuple[World, ...],
    folder: Traversable | Path,
    parts: list[str],
) -> CourseGames | None:
    if name not in table:
        return None
    own = table[name].table()
    chosen = own.get("boards", []).texts()
    for one in chosen:
        if one not in boards:
            raise UnknownName("board", one, list(boards))
    if "worlds" in own:
        worlds = parse_worlds(_file_text(own["worlds"], folder, parts))
    games = own.get("games", 10).whole_number(1, _MOST_GAMES)
    own.refuse_others()
    if not chosen and not worlds:
        raise NotationError(f"{name} has neither boards nor worlds; accepted: boards = [...]")
    return CourseGames(chosen, games, choose_worlds(worlds) if worlds else ())


def _limits(table: FieldTable) -> CourseLimits:
    usual, whole = Limits(), CourseLimits()

    def seconds(name: str, default: float) -> float:
        return table.get(name, default).number()

    limits = CourseLimits(
        Limits(
            seconds("move-seconds", usual.move_seconds),
            seconds("game-seconds", usual.game_seconds),
            seconds("start-seconds", usual.start_seconds),
            table.get("memory-mb", usual.memory_mb).whole_number(1),
        ),
        seconds("build-seconds", whole.build_seconds),
        seconds("submission-seconds", whole.submission_seconds),
    )
    table.refuse_others()
    return limits


def _criterion(table: FieldTable) -> Criterion:
    measure = table["measure"].one_of({one.value: one for one in Measure})
    key = "at-most" if measure is Measure.SECONDS else "at-least"
    steps = []
    for pair in table[key].each(_MOST_LINES):
        numbers = [FieldValue(one, key).number() for one in pair.items(2)]
        if len(numbers) != 2 or numbers[1] < 0:
            raise NotationError(f"field {key}; accepted: pairs such as [0.5, 10]")
        steps.append((numbers[0], numbers[1]))
    if not steps:
        raise NotationError(f"field {key} is empty; accepted: pairs such as [0.5, 10]")
    board = table["board"].text(_MOST_TEXT) if "board" in table else None
    table.refuse_others()
    return Criterion(measure, tuple(steps), board)


def _table(
    table: FieldTable, boards: Mapping[str, str], rules: str, agents: Mapping[str, str]
) -> CourseTable:
    said = table["boards"]
    if isinstance(said.value, str):
        columns = {text.rpartition("/")[2]: text for text in boards_in(said.text())}
    else:
        columns = {}
        for one in said.texts():
            if one not in boards:
                raise UnknownName("board", one, list(boards))
            columns[one] = boards[one]
    own_rules = table.get("rules", rules).text(_MOST_TEXT)
    for board in columns.values():
        Setting.of(board, own_rules)
    names = table.get("agents", list(agents.values())).texts()
    for name in names:
        parse_agent(name)
    shown = CourseTable(
        table["title"].text(_MOST_TEXT),
        columns,
        table.get("measure", "won").one_of({one: one for one in MEASURES}),
        table.get("games", 50).whole_number(2, _MOST_GAMES),
        own_rules,
        names,
    )
    table.refuse_others()
    return shown


MEASURES: Mapping[str, str] = {
    "won": "share of games won",
    "score": "share of mines flagged with a proof",
    "finer": "mines among the cells still covered",
    "marked_share": "share of cells opened or flagged",
}
"""What a table of a course may show: columns of the rows of games, in words."""


def rubric_text(course: Course) -> str:
    """The rubric in one line for people."""
    return join_words([f"{line.title} ({line.most:g})" for line in course.rubric])
