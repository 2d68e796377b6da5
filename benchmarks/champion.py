"""Strength of the players of the core, in pieces: `python -m benchmarks.champion --help`.

Every piece of games is a line of a file in the folder `--out`. A run that was stopped resumes, and
nothing is played twice. Games are those of seed 1, so all agents play the same games and
differences are paired. As a benchmark (`python -m benchmarks champion`) it plays a few thousand
games.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import mineproof as mp
from benchmarks.result import Result
from mineproof.text import wilson

SEED = 1
PIECE = 2_000
FOLDER = Path("build/champion")
PROMISED = {"exact": 5_000, "swift": 1_500, "champion": 20}


@dataclass(frozen=True)
class Run:
    """One agent on one board under one rule."""

    agent: str
    board: str
    rule: str

    @property
    def file(self) -> str:
        words = f"{self.agent} {self.board} {self.rule}"
        return "".join(c if c.isalnum() or c in ".=" else "-" for c in words) + ".jsonl"


@dataclass(frozen=True)
class Found:
    """What a run has so far: games won by index, CPU time, gains."""

    won: NDArray[np.bool_]
    guesses: int
    cpu: float
    gain: NDArray[np.float64]
    moments: NDArray[np.float64]
    """Sums of products of 1, the luck of every stage, and the chance: over the games that told."""

    def without_luck(self) -> tuple[float, float] | None:
        """The share won and its standard error, with what luck explains taken out by least squares.

        Luck is 0 on average, so the share is the same; of its variance a third to two fifths is
        left.
        """
        if not len(self.moments):
            return None
        games = self.moments[0, 0]
        some = np.flatnonzero(np.diag(self.moments)[:-1] > 0)
        of_luck, with_chance = self.moments[np.ix_(some, some)], self.moments[some, -1]
        fitted = np.linalg.solve(of_luck, with_chance)
        left = self.moments[-1, -1] - fitted @ with_chance
        return float(fitted[0]), sqrt(left / games / games)


def play(run: Run, games: int, folder: Path, piece: int) -> Iterator[Found]:
    """Play what is missing of the first `games` games; yield what there is after every piece."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / run.file
    lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    played = sum(line["games"] for line in lines)
    yield found(lines)
    while played < games:
        count = min(piece, games - played)
        result = mp.play_many(run.board, run.agent, count, SEED, start=played, first_click=run.rule)
        line = {
            "start": played,
            "games": count,
            "won": np.packbits(result.won).tobytes().hex(),
            "guesses": int(result.guesses.sum()),
            "cpu": result.cpu_seconds,
            "gain": [[int(k), float(result.gain[k])] for k in np.flatnonzero(result.gain)],
            "moments": moments(result).tolist(),
        }
        with file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(line) + "\n")
        lines.append(line)
        played += count
        yield found(lines)


def moments(games: mp.Games) -> NDArray[np.float64]:
    told = np.column_stack([np.ones(len(games)), games.luck, games.chance])
    return told.T @ told


def found(lines: list[dict[str, Any]]) -> Found:
    won, gain = [np.zeros(0, dtype=bool)], [np.zeros(0)]
    guesses, cpu = 0, 0.0
    for line in lines:
        games = line["games"]
        bits = np.frombuffer(bytes.fromhex(line["won"]), dtype=np.uint8)
        won.append(np.unpackbits(bits)[:games].astype(bool))
        here = np.zeros(games)
        for k, value in line["gain"]:
            here[k] = value
        gain.append(here)
        guesses += line["guesses"]
        cpu += line["cpu"]
    told = [np.array(line["moments"]) for line in lines if "moments" in line]
    total = sum(told[1:], start=told[0]) if told else np.zeros((0, 0))
    return Found(np.concatenate(won), guesses, cpu, np.concatenate(gain), total)


def told(run: Run, now: Found, base: Found | None) -> str:
    """One line of a table."""
    games, wins = len(now.won), int(now.won.sum())
    interval = wilson(wins, games)
    text = (
        f"| `{run.agent}` | {run.board} | `{run.rule}` | {100 * wins / games:.2f} |"
        f" {100 * interval.low:.2f} to {100 * interval.high:.2f} | {games:,} |"
        f" {games / now.cpu:,.0f} |"
    )
    fair = now.without_luck()
    if fair is not None:
        text += f" {100 * fair[0]:.3f} ± {100 * 1.96 * fair[1]:.3f} without luck |"
    if now.gain.any():
        error = now.gain.std() / sqrt(games)
        text += f" gain {100 * now.gain.mean():+.3f} ± {100 * 1.96 * error:.3f} |"
    if base is not None and base is not now and len(base.won):
        both = min(games, len(base.won))
        split = now.won[:both].astype(int) - base.won[:both]
        error = sqrt(float((split != 0).sum())) / both
        text += f" {100 * split.mean():+.3f} ± {100 * 1.96 * error:.3f} |"
    return text


def bench() -> Iterable[Result]:
    """A few thousand Expert games of each player, one thread."""
    for agent, promised in PROMISED.items():
        for rule in ("safe", "opening"):
            games = max(promised // 2, 60)
            result = mp.play_many("expert", agent, games, SEED, first_click=rule)
            yield Result(
                f"Expert games of {agent}, first click {rule}",
                "game",
                games,
                result.cpu_seconds,
                promised=promised,
            )


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.champion", description=__doc__)
    parser.add_argument("--agents", default="exact;swift", help="AGENT;AGENT")
    parser.add_argument("--boards", default="expert", help="BOARD,BOARD")
    parser.add_argument("--rules", default="safe,opening", help="first-click rules, RULE,RULE")
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--piece", type=int, default=PIECE, help="games a piece")
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--against", default="", help="an agent: print the differences from it")
    parser.add_argument("--tell", action="store_true", help="play nothing, print what is there")
    options = parser.parse_args(arguments)
    print("| agent | board | first click | won, % | 95 % interval | games | games per CPU second |")
    print("|---|---|---|---:|---:|---:|---:|")
    for board in options.boards.split(","):
        for rule in options.rules.split(","):
            base = None
            if options.against:
                base = last(play(Run(options.against, board, rule), 0, options.out, 1))
            for agent in options.agents.split(";"):
                run = Run(agent, board, rule)
                games = 0 if options.tell else options.games
                now = last(play(run, games, options.out, options.piece))
                if len(now.won):
                    print(told(run, now, base), flush=True)
    return 0


def last(pieces: Iterator[Found]) -> Found:
    *_, final = pieces
    return final


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
