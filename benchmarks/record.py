"""Games of the champion on record: `play` adds some, `sum` sums up, `write` writes it to the docs.

A record is a file of `benchmarks/records`: one line for a batch of consecutive games of one seed,
and every line holds what the sum needs. The games come from a seed on which nothing was tuned.
`play` runs at the lowest priority, both first-click rules in turns, until it is stopped; a batch
takes a few minutes, is written when it is whole, and nothing is played twice. Somebody else with
idle cores takes another range of games (`--start 1000000`) and another file (`--file`).

The README and the docs print no other figure for the champion than the sum: `write` puts it between
their marks, and a test holds that they agree.

Two shares come out of the same games: those won, and the same with luck taken out. Luck is
successful guesses minus their expected number (`mp.play_many(...).luck`). It is 0 on average, so a
fixed multiple of it may be subtracted without changing what is estimated. The chance to win by best
play stands in place of a win or a loss as soon as it is known. 40 % of the variance is left.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import textwrap
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path

import mineproof as mp
from mineproof.lab.signature import sign, total
from mineproof.text import Z95, wilson

FOLDER = Path(__file__).parent / "records"
ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "docs/index.md", "docs/leaderboard.md", "benchmarks/README.md")
MARKED = re.compile(r"(<!-- record: (\w+) -->)(.*?)(<!-- end of record -->)", re.DOTALL)
AGENT, BOARD, SEED = "champion", "expert", 2026
RULES = ("safe", "opening")
BATCH = 1_000

# What a guess is worth, in chances to win: the slope that least squares found on 20,000 games of
# `champion[rollouts=0]` (0.55 and 0.54). Any number gives the same mean; a fitted one a narrow
# interval.
GUESS = 0.55

# The best published player: its share won in per cent, and the half-width of that where one was
# published.
NAME = "JSMinesweeper"
RIVAL = {"safe": (41.132, 0.03), "opening": (54.3, 0.0)}


@dataclass(frozen=True)
class Batch:
    """A line of a record: games `start` to `start + games` of the seed, under one rule."""

    signature: int
    agent: str
    board: str
    rule: str
    seed: int
    start: int
    games: int
    won: int
    without_luck: float
    """The sum over the games of a win's 1 or the chance to win, with the luck taken out."""
    squares: float
    """The sum of the squares of the same."""
    cpu: float

    @property
    def run(self) -> tuple[int, str, str, str, int]:
        return self.signature, self.agent, self.board, self.rule, self.seed


def batches(files: Iterable[Path]) -> list[Batch]:
    """All batches of these files; refuses games that are there twice."""
    found = [
        Batch(**json.loads(line))
        for file in sorted(files)
        if file.exists()
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    ends: dict[tuple[int, str, str, str, int], int] = {}
    for batch in sorted(found, key=lambda batch: (batch.run, batch.start)):
        if batch.start < ends.get(batch.run, 0):
            raise SystemExit(f"game {batch.start} under {batch.rule} is on record twice")
        ends[batch.run] = batch.start + batch.games
    return found


def played(rule: str, start: int, games: int, signature: int) -> Batch:
    """Play a batch."""
    result = mp.play_many(BOARD, AGENT, games, SEED, start=start, first_click=rule)
    each = result.chance - GUESS * result.luck.sum(axis=1)
    return Batch(
        signature=signature,
        agent=AGENT,
        board=BOARD,
        rule=rule,
        seed=SEED,
        start=start,
        games=games,
        won=int(result.won.sum()),
        without_luck=round(float(each.sum()), 6),
        squares=round(float((each**2).sum()), 6),
        cpu=round(result.cpu_seconds, 1),
    )


def play(file: Path, start: int, size: int, until: float) -> None:
    """Append batches to the file, the rule with the fewest games first, until the time is up."""
    os.nice(19 - os.nice(0))
    signature = total(sign())
    if signature is None:
        raise SystemExit("a record is played by the compiled core, which is missing here")
    file.parent.mkdir(parents=True, exist_ok=True)
    while time.time() < until:
        here = [batch for batch in batches([file]) if batch.signature == signature]
        ends = {
            rule: max((b.start + b.games for b in here if b.rule == rule), default=start)
            for rule in RULES
        }
        rule = min(RULES, key=lambda rule: ends[rule])
        batch = played(rule, ends[rule], size, signature)
        with file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(asdict(batch)) + "\n")
        print(f"{batch.rule}: {batch.won} of {batch.games} won, {batch.cpu:.0f} s", flush=True)


@dataclass(frozen=True)
class Sum:
    """All batches of one rule."""

    rule: str
    signature: int
    games: int
    won: int
    share: float
    """Won in per cent, with luck taken out."""
    half: float
    """Half of its 95 % interval."""

    @property
    def verdict(self) -> str:
        """Against the best published player: "ahead" or "behind" if the intervals lie apart."""
        rival, wide = RIVAL[self.rule]
        if abs(self.share - rival) <= self.half + wide:
            return "level"
        return "ahead" if self.share > rival else "behind"

    @property
    def text(self) -> str:
        """A row of a table."""
        low, high = wilson(self.won, self.games)
        rival, wide = RIVAL[self.rule]
        return (
            f"| `{self.rule}` | {self.games:,} | {100 * self.won / self.games:.2f} |"
            f" {100 * low:.2f} to {100 * high:.2f} | {self.share:.2f} ± {self.half:.2f} |"
            f" {rival:g}{f' ± {wide:g}' if wide else ''} | {self.verdict} |"
        )


def sums(found: Iterable[Batch]) -> Iterator[Sum]:
    """What the batches add up to, one sum for each rule and signature."""
    groups: defaultdict[tuple[int, str], list[Batch]] = defaultdict(list)
    for batch in found:
        groups[batch.signature, batch.rule].append(batch)
    for (signature, rule), group in groups.items():
        games = sum(batch.games for batch in group)
        mean = sum(batch.without_luck for batch in group) / games
        variance = sum(batch.squares for batch in group) / games - mean**2
        yield Sum(
            rule=rule,
            signature=signature,
            games=games,
            won=sum(batch.won for batch in group),
            share=100 * mean,
            half=100 * Z95 * sqrt(variance / games),
        )


HEAD = f"""\
| first click | games | won, % | 95 % interval | without luck, % | {NAME}, % | champion is |
|---|---:|---:|---:|---:|---:|---|"""


def printed(found: Iterable[Sum]) -> dict[str, str]:
    """What the pages print, by the word of the mark: the sums of the version with most games."""
    found = list(found)
    games = Counter[int]()
    for each in found:
        games[each.signature] += each.games
    ((signature, _),) = games.most_common(1)
    rows = {each.rule: each for each in found if each.signature == signature}
    safe = rows["safe"]
    rival, wide = RIVAL["safe"]
    place = {"level": "level with", "ahead": "ahead of", "behind": "behind"}[safe.verdict]
    return {
        "table": "\n".join([HEAD, *(rows[rule].text for rule in RULES if rule in rows)]),
        "sentence": (
            f"`{AGENT}` wins {safe.share:.2f} ± {safe.half:.2f} % of Expert games with a safe first"
            f" click (with luck taken out; {safe.games:,} games on record). That is {place}"
            f" {NAME}, the best player published before ({rival:g} ± {wide:g} %)."
        ),
    }


def filled(text: str, parts: dict[str, str]) -> str:
    """A page with the parts between its marks."""

    def fill(found: re.Match[str]) -> str:
        part = parts[found[2]]
        if part.startswith("|"):
            return f"{found[1]}\n\n{part}\n\n{found[4]}"
        # In a list; a mark at the beginning of a line would end it.
        lines = textwrap.fill(part, 118, initial_indent="  ", subsequent_indent="  ")
        return f"{found[1]}\n{lines} {found[4]}"

    return MARKED.sub(fill, text)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.record", description=__doc__)
    parser.add_argument("what", choices=["play", "sum", "write"])
    parser.add_argument("--file", type=Path, default=FOLDER / f"{AGENT}.jsonl")
    parser.add_argument("--start", type=int, default=0, help="the first game, where none is yet")
    parser.add_argument("--batch", type=int, default=BATCH, help="games a batch (%(default)s)")
    parser.add_argument("--hours", type=float, default=1e6, help="start no batch after this time")
    options = parser.parse_args(arguments)
    if options.what == "play":
        play(options.file, options.start, options.batch, time.time() + 3600 * options.hours)
    found = list(sums(batches({*FOLDER.glob("*.jsonl"), options.file})))
    if options.what == "write":
        for name in PAGES:
            page = ROOT / name
            text = page.read_text(encoding="utf-8")
            page.write_text(filled(text, printed(found)), encoding="utf-8")
    for signature in dict.fromkeys(each.signature for each in found):
        print(f"signature {signature}\n\n{HEAD}")
        print("\n".join(each.text for each in found if each.signature == signature))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
