"""Many recorded games at once: each reviewed in a process, and one page of trends over all.

What was found is kept beside the page, a line of JSON for each file, named by the file's content.
So a run that was ended goes on where it stopped, and a new game costs only its own review.
"""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from mineproof.advice.game_review import Effort
from mineproof.errors import InputError, MineproofError, one_line, quoted
from mineproof.files import read_bytes
from mineproof.replay.record import FORMATS, MOST_BYTES, Replay
from mineproof.replay.review import review_replay
from mineproof.text import many

_VERSION = 1
"""Of a line that is kept; older ones are found again."""
COACH = "http://127.0.0.1:8000/"
"""Where `mineproof coach` shows the puzzles of a pattern."""


@dataclass(frozen=True)
class ReviewedFile:
    """What is kept of one file: its name, and either its summary or why it could not be read."""

    name: str
    digest: str
    summary: dict[str, Any] | None
    error: str = ""

    @property
    def line(self) -> str:
        kept = {"version": _VERSION, "name": self.name, "digest": self.digest}
        return json.dumps({**kept, "summary": self.summary, "error": self.error})


def replay_files(folder: str | Path) -> list[Path]:
    """The recorded games of a folder and those below it, by name. Raises InputError."""
    root = Path(folder)
    found = sorted(
        path for path in root.rglob("*") if path.suffix[1:].lower() in FORMATS and path.is_file()
    )
    if not found:
        endings = ", ".join(f".{name}" for name in FORMATS)
        raise InputError(f"{quoted(str(folder))} holds no recorded games; accepted: {endings}")
    return found


def review_file(path: str) -> ReviewedFile:
    """The summary of one file, for a process of its own."""
    name, digest = Path(path).name, ""
    try:
        data = read_bytes(path, MOST_BYTES)
        digest = sha256(data).hexdigest()[:24]
        return ReviewedFile(name, digest, _summary(Replay.parse(data, name)))
    except MineproofError as error:
        return ReviewedFile(name, digest, None, one_line(str(error), 300))


def _summary(replay: Replay) -> dict[str, Any]:
    found = review_replay(replay, effort=Effort())
    values = replay.statistics.to_json()
    luck = found.review.luck
    return {
        "title": replay.title,
        "player": replay.player,
        "started": replay.started,
        "board": f"{replay.rows}x{replay.cols}/{replay.layout.total}",
        "won": replay.transcript.outcome.won,
        "lost": found.review.lost,
        "luck": luck.difference,
        "guesses": luck.guesses,
        "blunders": len(found.review.blunders),
        "wrong_flags": len(found.wrong_flags),
        "unused_flags": len(found.unused_flags),
        "patterns": [[p.pattern, p.used, p.seconds, p.missed] for p in found.patterns],
        "statistics": values,
    }


def review_folder(
    folder: str | Path,
    kept: str | Path,
    *,
    jobs: int | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> list[ReviewedFile]:
    """Review every recorded game of a folder, on `jobs` processes, by default one a core.

    `kept` is the file of lines found so far; it is read and added to. `watch` is told how many
    files are done, of how many. Raises InputError.
    """
    files = replay_files(folder)
    known = {one.digest: one for one in _kept_lines(Path(kept))}
    found: dict[Path, ReviewedFile] = {}
    waiting: list[Path] = []
    for path in files:
        before = known.get(_digest(path))
        if before is None:
            waiting.append(path)
        else:
            found[path] = ReviewedFile(path.name, before.digest, before.summary, before.error)
    workers = max(min(jobs or os.cpu_count() or 1, len(waiting)), 1)
    with Path(kept).open("a", encoding="utf-8") as lines:
        for path, one in _review_files(waiting, workers):
            found[path] = one
            lines.write(one.line + "\n")
            lines.flush()
            if watch is not None:
                watch(len(found), len(files))
    return [found[path] for path in files]


def _review_files(paths: Sequence[Path], workers: int) -> Iterator[tuple[Path, ReviewedFile]]:
    if workers == 1:
        for path in paths:
            yield path, review_file(str(path))
        return
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        tasks = {pool.submit(review_file, str(path)): path for path in paths}
        for task in as_completed(tasks):
            yield tasks[task], task.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _digest(path: Path) -> str:
    try:
        return sha256(read_bytes(path, MOST_BYTES)).hexdigest()[:24]
    except MineproofError:
        return ""


def _kept_lines(path: Path) -> Iterator[ReviewedFile]:
    """The lines of a file that were written whole; another version's are left out."""
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            kept = json.loads(line)
            if kept["version"] == _VERSION and kept["digest"]:
                yield ReviewedFile(kept["name"], kept["digest"], kept["summary"], kept["error"])
        except (ValueError, KeyError, TypeError):
            continue  # the run was ended while it wrote


# -- The page ------------------------------------------------------------------

_STYLE = """
:root {
  color-scheme: light dark;
  --ink: #1c2b33; --faint: #5d6c74; --paper: #fff; --line: #0d6467; --rule: #d5dde0;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4ecef; --faint: #9fb0b8; --paper: #14191c; --line: #63c5bf; --rule: #37444b }
}
body {
  font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  margin: 2rem auto; max-width: 62rem; padding: 0 1rem;
}
table { border-collapse: collapse; width: 100% }
.wide { overflow-x: auto }
th, td { text-align: right; padding: .25rem .6rem; border-bottom: 1px solid var(--rule) }
th:first-child, td:first-child { text-align: left }
th { color: var(--faint); font-weight: 600 }
a { color: var(--line) }
.faint { color: var(--faint) }
.trends { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 1rem }
figure { margin: 0 }
svg { width: 100%; height: auto }
svg text { fill: var(--faint); font: 11px system-ui, sans-serif }
polyline { fill: none; stroke: var(--line); stroke-width: 2 }
circle { fill: var(--line) }
path { stroke: var(--rule) }
"""
_TRENDS = (
    ("3BV/s", "bbbv_s"),
    ("IOE", "ioe"),
    ("time in seconds, games that were won", "time"),
    ("chance given away", "lost"),
)


def folder_page(files: Sequence[ReviewedFile], title: str) -> str:
    """One page about many games, without anything from elsewhere."""
    games = [one for one in files if one.summary is not None]
    games.sort(key=lambda one: (one.summary or {}).get("started") or one.name)
    won = sum(bool(_of(one, "won")) for one in games)
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{many(len(games), 'game')}, {won} won."
        + (
            f" {many(len(files) - len(games), 'file')} could not be read.</p>"
            if len(files) > len(games)
            else "</p>"
        ),
        *_trends(games),
        *_patterns(games),
        *_games(games),
        *_unread(files),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _of(one: ReviewedFile, key: str) -> Any:
    assert one.summary is not None
    return one.summary.get(key)


def _value(one: ReviewedFile, key: str) -> float | None:
    if key == "time" and not _of(one, "won"):
        return None
    found = _of(one, key) if key == "lost" else _of(one, "statistics").get(key)
    return None if found is None else float(found)


def _trends(games: Sequence[ReviewedFile]) -> Iterator[str]:
    yield "<h2>Trends</h2>"
    boards = Counter(_of(one, "board") for one in games)
    for board, _ in boards.most_common(3):
        here = [one for one in games if _of(one, "board") == board]
        yield f"<h3>{escape(str(board))}</h3><div class='trends'>"
        for name, key in _TRENDS:
            values = [value for one in here if (value := _value(one, key)) is not None]
            if values:
                yield _chart(name, values)
        yield "</div>"


def _chart(name: str, values: Sequence[float]) -> str:
    """A measure, game by game in the order of their dates."""
    top = max(values) or 1.0
    step = 260 / max(len(values) - 1, 1)
    points = [(30 + step * n, 90 - 76 * value / top) for n, value in enumerate(values)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    last_x, last_y = points[-1]
    return (
        f"<figure><figcaption>{escape(name)}: {values[-1]:.2f} last, "
        f"{sum(values) / len(values):.2f} on average</figcaption>"
        f'<svg viewBox="0 0 300 100" role="img" aria-label="{escape(name)} of {len(values)} games">'
        f'<path d="M30 14H290M30 90H290"/><text x="26" y="18" text-anchor="end">{top:.3g}</text>'
        f'<text x="26" y="94" text-anchor="end">0</text><polyline points="{line}"/>'
        f'<circle cx="{last_x:.1f}" cy="{last_y:.1f}" r="3"/></svg></figure>'
    )


def _patterns(games: Sequence[ReviewedFile]) -> Iterator[str]:
    used: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    seconds: dict[str, float] = defaultdict(float)
    for one in games:
        for name, times, took, passed in _of(one, "patterns"):
            used[name] += times
            missed[name] += passed
            seconds[name] += took
    if not used and not missed:
        return
    yield "<h2>Patterns</h2><p>Those that were passed over most, then those that took longest. "
    yield "The puzzles open in the coach: start it with <code>mineproof coach</code>.</p>"
    yield "<div class='wide'><table><tr><th>pattern</th><th>passed over</th><th>used</th>"
    yield "<th>seconds each</th><th>puzzles</th></tr>"
    mean = {name: seconds[name] / used[name] if used[name] else 0.0 for name in {*used, *missed}}
    for name in sorted(mean, key=lambda name: (-missed[name], -mean[name], name)):
        link = f"{COACH}#learn?pattern={escape(name)}"
        each = f"{mean[name]:.2f}" if used[name] else ""
        yield (
            f"<tr><td>{escape(name)}</td><td>{missed[name] or ''}</td><td>{used[name]}</td>"
            f'<td>{each}</td><td><a href="{link}">practise</a></td></tr>'
        )
    yield "</table></div>"


_COLUMNS = (
    ("time", "time", 3),
    ("3BV", "bbbv", 0),
    ("3BV/s", "bbbv_s", 2),
    ("IOE", "ioe", 2),
    ("Corr", "corr", 2),
    ("ThrP", "thrp", 2),
    ("STNB", "stnb", 1),
    ("pluck", "pluck", 2),
)


def _games(games: Sequence[ReviewedFile]) -> Iterator[str]:
    yield "<h2>Games</h2><div class='wide'><table><tr><th>file</th><th>started</th><th>board</th>"
    yield "".join(f"<th>{name}</th>" for name, _, _ in _COLUMNS)
    yield "<th>guesses</th><th>luck</th><th>blunders</th><th>given away</th></tr>"
    for one in games:
        values = _of(one, "statistics")
        numbers = (
            "" if values.get(key) is None else f"{values[key]:.{digits}f}"
            for _, key, digits in _COLUMNS
        )
        won = "" if _of(one, "won") else " <span class='faint'>(not won)</span>"
        yield (
            f"<tr><td>{escape(one.name)}{won}</td><td>{escape(_of(one, 'started') or '')}</td>"
            f"<td>{escape(_of(one, 'board'))}</td>"
            + "".join(f"<td>{number}</td>" for number in numbers)
            + f"<td>{_of(one, 'guesses')}</td><td>{_of(one, 'luck'):+.2f}</td>"
            f"<td>{_of(one, 'blunders')}</td><td>{100 * _of(one, 'lost'):.1f} %</td></tr>"
        )
    yield "</table></div>"


def _unread(files: Iterable[ReviewedFile]) -> Iterator[str]:
    bad = [one for one in files if one.summary is None]
    if bad:
        yield "<h2>Not read</h2><ul>"
        yield from (f"<li>{escape(one.name)}: {escape(one.error)}</li>" for one in bad)
        yield "</ul>"
