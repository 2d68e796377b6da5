"""A paired comparison: the same games for every agent, with intervals."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Unpack

from mineproof.agents.adapters import main_file, path_text
from mineproof.agents.program import MANIFEST
from mineproof.board.presets import choose_worlds, read_worlds
from mineproof.errors import InputError, check_function, check_kind, quoted
from mineproof.files import check_writable, write_text
from mineproof.game.play import AnyAgent
from mineproof.game.rows import COLUMNS, Column, Row, Total, frame_of
from mineproof.lab.executors import make_executor
from mineproof.lab.experiment import Experiment, expand_ranges, range_text
from mineproof.lab.results import (
    PlaceResult,
    Result,
    Results,
    groups_of,
    luck_test,
    places_of,
    results_of,
    totals_of,
)
from mineproof.lab.runner import Run, run
from mineproof.lab.statistics import (
    AgentGames,
    Mean,
    PairedWins,
    PlacePair,
    SequentialDecision,
    SequentialJudge,
    by_score,
    p_text,
    pairs_at,
    pairs_of,
)
from mineproof.lab.table import RISKS, Table, first_games, rows_of
from mineproof.registry import OldName
from mineproof.rules import RuleWords
from mineproof.sandbox.agent import Limits
from mineproof.text import rate_percent
from mineproof.view.setting import DEFAULT_BOARD, AnyBoard, AnyRules, Setting


@dataclass(frozen=True)
class Comparison:
    """What games say of agents; `finished` is False where not all were played.

    `measures` are those that mean something under the rules, beside wins; with `score` among them
    agents are compared by score, else by wins. `rows` are the games where they were not written to
    a folder. `decided` are the answers of a sequential test, for the first agent and each other;
    `places` say what each agent reached on each board or world, where there are several, and
    `paired_places` compare every two agents there. With agents from outside, the deals come from a
    `secret`: given to `compare`, with the same seed, it repeats them.

    >>> found = mp.compare(["random", "single-point"], "beginner", games=20, seed=1)
    >>> [result.agent for result in found.results], found.finished
    (['random', 'single-point'], True)
    """

    board: str
    rules: str
    games: int
    seed: int
    agent_seed: int
    results: tuple[Result, ...]
    paired: tuple[tuple[str, str, PairedWins], ...]
    rows: tuple[Row, ...] = ()
    finished: bool = True
    decided: tuple[SequentialDecision, ...] = ()
    places: tuple[PlaceResult, ...] = ()
    measures: tuple[str, ...] = ()
    paired_places: tuple[PlacePair, ...] = ()
    secret: str | None = None

    @property
    def by(self) -> str:
        """What agents are compared by: `won` or `score`."""
        return "score" if "score" in self.measures else "won"

    def __repr__(self) -> str:
        reached = ", ".join(f"{one.agent} {self._text(one.reached.value)}" for one in self.results)
        return f"<{self.games} games on {self.board}, {self.by}: {reached}>"

    def __str__(self) -> str:
        """The table: what each agent reached, and each two of them compared."""
        return comparison_text(self)

    def _repr_html_(self) -> str:
        """The tables that a notebook shows."""
        return comparison_html(self)

    def to_frame(self, library: str | None = None) -> Any:
        """A row an agent, and a board where there are several, as `Games.to_frame` gives it."""
        rows = [one.to_json() for one in self.places or self.results]
        nested = {name for row in rows for name, value in row.items() if isinstance(value, dict)}
        names = [
            name for name in dict.fromkeys(n for row in rows for n in row) if name not in nested
        ]
        return frame_of({name: [row.get(name) for row in rows] for name in names}, library)

    def _text(self, value: float) -> str:
        return f"{value:.3f}" if self.by == "score" else rate_percent(value)

    of_run = OldName(lambda left, judge=None, board=None: comparison_of(left, judge, board))

    def to_json(self) -> dict[str, Any]:
        """The object that `compare --json` prints."""
        found: dict[str, Any] = {
            "board": self.board,
            "rules": self.rules,
            "games": self.games,
            "seed": self.seed,
            "agent_seed": self.agent_seed,
            "finished": self.finished,
            "by": self.by,
            "measures": list(self.measures),
            "results": [result.to_json() for result in self.results],
            "paired": [pair.to_json(a, b) for a, b, pair in self.paired],
        }
        if self.secret is not None:
            found["secret"] = self.secret
        if self.places:
            found["places"] = [place.to_json() for place in self.places]
            found["paired_places"] = [pair.to_json() for pair in self.paired_places]
        if self.decided:
            first, *others = (result.agent for result in self.results)
            found["decided"] = [
                {"a": first, "b": other, **decided.to_json()}
                for other, decided in zip(others, self.decided, strict=True)
            ]
        return found


def comparison_of(
    left: Run, judge: SequentialJudge | None = None, board: str | None = None
) -> Comparison:
    """What a run says; where a judge has decided, what its games say and no others."""
    experiment = left.experiment
    decided = () if judge is None else judge.decisions
    most = judge.games if judge is not None and judge.decided else None
    several = len(experiment.places) > 1
    rows: tuple[Row, ...] = ()
    if left.folder is None or not left.games:
        tables = {
            agent: first_games(left.table(number), most)
            for number, agent in enumerate(experiment.agents)
        }
        groups = [group for table in tables.values() for group in groups_of(table)]
        played = {agent: _agent_games(own, experiment) for agent, own in tables.items()}
        agents, names = experiment.agents, experiment.place_names
        lucks = {agent: luck_test(tables[agent][RISKS].tolist()) for agent in experiment.outsiders}
        results, paired = results_of(agents, groups, played, lucks), pairs_of(played)
        places = places_of(agents, names, groups, played) if several else ()
        paired_places = pairs_at(names, played) if several else ()
        rows = tuple(row for table in tables.values() for row in rows_of(table))
    else:
        with Results(left.folder, most) as kept:
            results, paired = kept.summary(), kept.paired()
            places = kept.by_place() if several else ()
            paired_places = kept.paired_by_place() if several else ()
    return Comparison(
        _board_text(experiment) if board is None else board,
        _rules_text([place.setting for place in experiment.places]),
        experiment.games,
        experiment.seed,
        experiment.agent_seed,
        results,
        paired,
        rows,
        left.complete,
        decided,
        places,
        experiment.rules.measures,
        paired_places,
        experiment.secret,
    )


def other_measures(comparison: Comparison) -> tuple[Column, ...]:
    """The columns of the measures that mean something here, beside the main one."""
    columns = {column.name: column for column in COLUMNS}
    return tuple(columns[name] for name in comparison.measures if name != comparison.by)


def _board_text(experiment: Experiment) -> str:
    if len(experiment.worlds) > 1:
        return f"{len(experiment.worlds)} worlds"
    if experiment.boards:
        return range_text(experiment.boards)
    return ", ".join(place.setting.name for place in experiment.places)


def _agent_games(table: Table, experiment: Experiment) -> AgentGames:
    scores = table["score"] if by_score(experiment.rules) else None
    return AgentGames(table["game"], table["won"], scores, experiment.sharing)


def _rules_text(settings: Sequence[Setting]) -> str:
    """The rules of all settings; without the mines, where each has its own."""
    rules = settings[0].rules.text
    if settings[0].world is None and len(settings) == 1:
        return rules
    return " ".join(word for word in rules.split() if not word.startswith("mines="))


def boards_of(
    board: AnyBoard | list[AnyBoard] | None,
    worlds: str | Path | None = None,
    world: str | None = None,
) -> Sequence[AnyBoard]:
    """The boards that are played: those given, ranges spread out, or the worlds of a file.

    Raises InputError.
    """
    if worlds is None:
        if world is not None:
            raise InputError("a world needs its file; accepted: worlds=FILE world=NAME")
        if board is None:
            return [DEFAULT_BOARD]
        return expand_ranges(board if isinstance(board, list) else [board])
    if board is not None:
        raise InputError("a board and worlds are given; accepted: one of them")
    return choose_worlds(read_worlds(worlds), world)


def compare(
    agents: Sequence[AnyAgent],
    board: AnyBoard | list[AnyBoard] | None = None,
    *,
    worlds: str | Path | None = None,
    world: str | None = None,
    games: int = 100,
    seed: int = 0,
    agent_seed: int | None = None,
    limits: Limits | None = None,
    jobs: int = 1,
    out: str | Path | None = None,
    engine: str | None = None,
    watch: Callable[[Row], None] | None = None,
    transcripts: bool = False,
    secret: str | None = None,
    rules: AnyRules | None = None,
    **words: Unpack[RuleWords],
) -> Comparison:
    """Let agents play the same games, and compare how many they win.

    Where a game goes on after a mine (`on_mine="continue"`), they are compared by score.

    Agents are names or files as on the command line, objects with `act`, or classes of such. A
    board and the rules are given as to `mineproof.play`; a list is several boards, a text such as
    `16x30/50..100:10` a range of mines, and `worlds` a file of worlds. `games` counts games on
    each. Agents that are names or files can play in several processes (`jobs`) or on a cluster
    (`engine`), and into a folder (`out`) that the same call takes up again; objects play in this
    process. With `transcripts` the folder keeps those of all games. `watch` is called with the row
    of every game that is played. Third-party agents play deals from a secret seed, drawn
    now and kept in the result; `secret` repeats those of an earlier comparison. Raises InputError.

    >>> found = mp.compare(["random", "exact"], mp.Board("9x9", 10), games=20, seed=1)
    >>> found.games, found.paired[0][:2]
    (20, ('random', 'exact'))
    """
    check_function(watch, "watch", "a function of a Row, or None")
    if out is not None:
        check_kind(out, str if isinstance(out, str) else Path, "out", "the path of a folder")
    experiment = Experiment.of(
        agents,
        boards=[Setting.of(one, rules, **words) for one in boards_of(board, worlds, world)],
        games=games,
        seed=seed,
        agent_seed=agent_seed,
        limits=limits,
        secret=secret,
    )
    with make_executor(jobs, engine) as executor:
        left = run(experiment, executor, folder=out, watch=watch, transcripts=transcripts)
    return comparison_of(left, board=None if worlds is None else str(worlds))


# ----------------------------------------------------------------------------
# A comparison as a notebook shows it: a row an agent with its interval drawn, and the pairs.
#
# Colours come from the page, so that it reads on light and dark grounds; nothing is fetched.

_MOST_ROWS = 200
_WIDTH, _HEIGHT = 160, 14
_BLUE = "#2c88c4"


def pair_text(a: str, b: str, pair: PairedWins, *, short: bool = False) -> str:
    """What two agents' games say, in a sentence; `short` leaves the numbers of games out."""
    if pair.scores is None:
        counts = (
            f"only {a} won {pair.only_a}, only {b} won {pair.only_b}, both {pair.both}, neither"
            f" {pair.neither}"
        )
        unit = " points"
    else:
        same = pair.scores.games - pair.scores.higher_a - pair.scores.higher_b
        counts = (
            f"{a} scored higher in {pair.scores.higher_a} games, {b} in {pair.scores.higher_b},"
            f" equal in {same}"
        )
        unit = " in score"
    difference, interval, p_value = difference_texts(pair)
    counted = "" if short else f"{counts}; "
    return f"{a} - {b}: {difference}{unit} ({interval}); {counted}{p_value}"


def comparison_text(comparison: Comparison) -> str:
    """What `print` shows: a row an agent, or an agent and a board; and the agents in pairs."""
    scored = comparison.by == "score"
    several = bool(comparison.places)
    rows = [("board", "agent", "games", "score" if scored else "won, %", "95 %")]
    for one in comparison.places or comparison.results:
        name = one.name if isinstance(one, PlaceResult) else ""
        rows.append((name, one.agent, str(one.played), *reached_texts(one.reached, scored)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [f"{comparison.board}, {comparison.rules}, seed {comparison.seed}"]
    for name, agent, *numbers in rows:
        words = [name.ljust(widths[0])] if several else []
        words.append(agent.ljust(widths[1]))
        words += [text.rjust(width) for text, width in zip(numbers, widths[2:], strict=True)]
        lines.append("  ".join(words).rstrip())
    lines += [pair_text(a, b, pair) for a, b, pair in comparison.paired[:_MOST_ROWS]]
    if not comparison.finished:
        lines.append("not all games were played")
    return "\n".join(lines)


def comparison_html(comparison: Comparison) -> str:
    """The tables of a comparison, as HTML that stands alone."""
    scored = comparison.by == "score"
    what = "mean score" if scored else "games won, %"
    places = [
        (place.name, place.agent, place.played, place.reached) for place in comparison.places
    ] or [("", one.agent, one.played, one.reached) for one in comparison.results]
    several = bool(comparison.places)
    heads = [*(["board"] if several else []), "agent", "games", what, "95 % interval", ""]
    rows = []
    for board, agent, played, reached in places[:_MOST_ROWS]:
        value, interval = reached_texts(reached, scored)
        words = [*([board] if several else []), agent, str(played), value, interval]
        rows.append([*map(escape, words), _bar(reached)])
    parts = [_table(heads, rows)]
    if (more := len(places) - _MOST_ROWS) > 0:
        parts.append(f"<p>and {more} rows more</p>")
    if comparison.paired:
        pairs = [
            [escape(f"{a} - {b}"), *map(escape, difference_texts(pair))]
            for a, b, pair in comparison.paired[:_MOST_ROWS]
        ]
        unit = "difference" if scored else "difference, points"
        parts.append(_table(["paired", unit, "95 % interval", ""], pairs))
    unfinished = "" if comparison.finished else " Not all games were played."
    told = f"{comparison.board}, {comparison.games} games, seed {comparison.seed}.{unfinished}"
    return f"<div>{''.join(parts)}<p>{escape(told)}</p></div>"


def _bar(reached: Mean) -> str:
    """The interval as a line and the value as a dot, on a scale from 0 to 1."""
    low, high, at = (
        round(min(max(one, 0.0), 1.0) * _WIDTH, 1) for one in (*reached.interval, reached.value)
    )
    middle = _HEIGHT / 2
    return (
        f'<svg width="{_WIDTH + 8}" height="{_HEIGHT}" viewBox="-4 0 {_WIDTH + 8} {_HEIGHT}"'
        ' aria-hidden="true">'
        f'<line x1="0" x2="{_WIDTH}" y1="{middle}" y2="{middle}" stroke="currentColor"'
        ' stroke-opacity="0.25"/>'
        f'<line x1="{low}" x2="{high}" y1="{middle}" y2="{middle}" stroke="{_BLUE}"'
        ' stroke-width="4"/>'
        f'<circle cx="{at}" cy="{middle}" r="4" fill="{_BLUE}"/></svg>'
    )


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already."""
    head = "".join(f"<th>{escape(word)}</th>" for word in heads)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


# -- The numbers of a comparison as people read them: shares in per cent, differences in points --


def reached_texts(reached: Mean, scored: bool) -> tuple[str, str]:
    """A value and its interval; shares of games won in per cent."""
    scale, digits = (1, 3) if scored else (100, 1)
    value, low, high = (scale * one for one in (reached.value, *reached.interval))
    return f"{value:.{digits}f}", f"{low:.{digits}f} to {high:.{digits}f}"


def difference_texts(pair: PairedWins) -> tuple[str, str, str]:
    """The difference, its interval and its p-value; shares of games won in points."""
    found = pair if pair.scores is None else pair.scores
    scale, digits = (100, 1) if pair.scores is None else (1, 3)
    value, low, high = (scale * one for one in (found.difference, *found.interval))
    interval = f"{low:+.{digits}f} to {high:+.{digits}f}"
    return f"{value:+.{digits}f}", interval, p_text(found.p_value)


# ----------------------------------------------------------------------------
# A class of students: a folder of submitted agents, and a CSV with a row for each.
#
#     submissions/alice.py                   a Python file with an agent in it
#     submissions/bob/minesweeper.py         or a folder with one: agent.py, minesweeper.py, or the
#                                            only Python file there
#
# Nothing of it is run here; a submission that cannot even be loaded loses its games for that
# reason.

_FIRST = ("agent", "played", "won", "rate", "low", "high")
_LAST = (
    *(column.name for column in totals_of(Result, Total.COUNT)),
    "failed",
    *(column.name for column in totals_of(Result, Total.COST)),
    "failures",
)
_MOST_HEADER = 1_000


def csv_columns(measures: Sequence[str]) -> tuple[str, ...]:
    """The columns of the CSV: wins, and the measures that mean something under the rules.

    Where agents are compared by score, it has its interval. `luck_p` is the p-value of the luck
    test, of agents from outside.
    """
    scored = ("score_low", "score_high") if "score" in measures else ()
    return (*_FIRST, *measures[:1], *scored, *measures[1:], "luck_p", *_LAST)


def submissions(folder: str | Path) -> tuple[str, ...]:
    """The agents of a folder, by name, as `--agents` would name them.

    Raises InputError where it is no folder or has none. A folder in it that leaves open which file
    is meant, a link to nothing and a pipe are agents that cannot be loaded. What cannot be shown of
    a name is escaped.
    """
    root = Path(folder)
    if not root.is_dir():
        raise InputError(f"{quoted(str(folder))} is no folder; accepted: a folder of agents")
    found = []
    for path in sorted(root.iterdir()):
        if path.name.startswith((".", "_")):
            continue
        if path.is_dir():
            found.append(_submission(path))
        elif path.suffix == ".py":
            found.append(path)
    if not found:
        raise InputError(
            f"{quoted(str(folder))} holds no agent; accepted: Python files, or folders with one"
        )
    return tuple(map(path_text, found))


def _submission(folder: Path) -> Path:
    """The agent's file in a folder. The folder itself if it holds a program, or leaves the file
    open: it then loses, and its row says why.
    """
    if (folder / MANIFEST).is_file():
        return folder
    try:
        return main_file(folder)
    except InputError:
        return folder


def class_csv(results: Iterable[Result], measures: Sequence[str]) -> str:
    """The results as CSV, a row each, best first; `failures` says how often and why.

    Best is the highest score where agents are compared by it, else the most wins.
    """
    text = io.StringIO()
    columns = csv_columns(measures)
    writer = csv.DictWriter(text, columns, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    for result in sorted(results, key=lambda one: (-one.reached.value, -one.finer, one.agent)):
        values = result.to_json()
        if result.luck is not None:
            values["luck_p"] = f"{result.luck.p_value:.3g}"
        values["failures"] = "; ".join(f"{n} games {reason}" for reason, n in result.failures)
        writer.writerow(
            {
                name: f"{value:.6f}" if isinstance(value, float) else value
                for name, value in values.items()
            }
        )
    return text.getvalue()


def _is_class_csv(header: str) -> bool:
    """Whether a file's first line is that of such a CSV, whatever the rules were."""
    words = tuple(header.split(","))
    return words[: len(_FIRST)] == _FIRST and words[-len(_LAST) :] == _LAST


def check_csv(path: str | Path) -> None:
    """Refuse a file that `write_csv` would not write, before any game. Raises InputError."""
    place = Path(path)
    try:
        if place.is_file():
            with place.open(encoding="utf-8", errors="replace") as file:
                if not _is_class_csv(file.readline(_MOST_HEADER).rstrip("\n")):
                    raise InputError(
                        f"{quoted(str(path))} is there and no CSV of agents; accepted: another name"
                    )
        check_writable(place)
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def write_csv(path: str | Path, results: Iterable[Result], measures: Sequence[str]) -> None:
    """Write the CSV; over an older one of the same kind, but over no other file."""
    check_csv(path)
    try:
        write_text(path, class_csv(results, measures))
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def _unwritable(path: str | Path, error: Exception) -> InputError:
    reason = getattr(error, "strerror", None) or "not a path"
    return InputError(f"{quoted(str(path))} cannot be written: {reason}; accepted: a writable file")
