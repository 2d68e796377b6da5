"""Record what users rely on, and compare it with an earlier record: the check of a refactoring.

    python tools/behaviour.py record build/before.json
    python tools/behaviour.py compare build/before.json

A record holds the exported names, the signature, `--help` of every command, the API document, the
columns of a game, what some sixty command lines print and write, and their exit statuses. Times and
other words that differ from run to run are masked. `--help` and messages are compared word for
word: a changed word is shown as a difference, to be read and accepted by a person.

`python tools/behaviour.py times OTHER [PROGRAM]` runs the same commands in two checkouts in turns
and prints the ratio of their times.
"""

from __future__ import annotations

import argparse
import difflib
import inspect
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = ("mineproof", "mineproof.testing", "mineproof.envs", "mineproof.lab", "mineproof.chains")

# A `{out}` in a command is a folder of its own; what is written there is recorded, too.
COMMANDS = """
solve examples/position.txt
solve examples/position.txt --json
solve examples/position.txt --sentence
solve examples/position.txt --dimacs {out}/position.cnf
solve examples/position.txt --svg {out}/position.svg
solve examples/risk-or-win.txt --win
solve examples/risk-or-win.txt --win --json --seed 5
solve examples/missing.txt
solve examples/puzzles.txt
explain examples/position.txt --all
explain examples/position.txt --all --json
explain examples/position.txt --cell 0,0
explain examples/position.txt --cell 99,0
check-proof examples/proof.txt examples/position.txt
check-proof examples/board.cert examples/position.txt
generate --board expert --no-guess --seed 7
generate --board hex:9x9/14 --no-guess --count 2 --first-click safe --json
generate --board beginner --no-guess --daily --date 2026-11-18 --json
generate --board 16x16/50 --no-guess --method repair --seed 3 --json --out {out}/board.cert
check-certificate examples/board.cert
check-certificate examples/proof.txt
rate examples/position.txt
rate --board intermediate --seed 4
rate --board intermediate --seed 4 --json
play --board expert --agent exact --seed 7 --quiet
play --board expert --agent champion --seed 7 --json
play --board 5x5/0.3 --rules report0 --agent reductio[mines-first] --quiet
play --board beginner --agent exact --seed 3 --quiet --chain
play --board hex:7x7/10 --agent single-point --seed 3
play --board beginner --agent partition --seed 3 --proofs --json
play --board beginner --agent exact --seed 3 --quiet --html {out}/game.html
play --board beginner --agent exact --seed 3 --quiet --transcript {out}/game.txt --svg {out}/steps
play --board beginner --agent sat --seed 3 --quiet --knowledge {out}/knowledge.svg
play --board beginner --agent single-point>sat+corner-first --seed 2 --quiet
play --board 9x9/10 --clues optimistic --agent exact --seed 2 --json
play --board nowhere --agent exact
play --board beginner --agent exakt
show examples/lost_game.txt --step 12
show examples/lost_game.txt --step 12 --board
show examples/lost_game.txt --step 12 --json
review examples/lost_game.txt
review examples/lost_game.txt --all --json
agents
agents SATX
agents forced-first --json
compare --agents single-point,sat --board beginner --games 20 --seed 1
compare --agents single-point,sat,random --board beginner --games 20 --seed 1 --json
compare --agents single-point,sat --board 9x9/5..15:5 --games 10 --seed 1 --csv {out}/rows.csv
compare --agents random,single-point --board 5x5/4 --games 5 --seed 1 --html {out}/page.html
compare --agents random,single-point,sat --worlds examples/worlds.txt --games 2 --seed 1
check single-point --games 2
check examples/my_agent.py:LeastRisk --games 2 --json
puzzles --technique 1-2-1 --count 2 --seed 7
puzzles --board hex:8x8/12 --level 3 --count 2 --ask
puzzles --shipped --technique hole --count 2 --json
puzzles --patterns
puzzle examples/position.txt --order mrv --forward-checking
puzzle examples/puzzles.txt --table
puzzle examples/puzzles.txt --order degree,lcv --json --all
puzzle examples/puzzles.txt --trace --trace-lines 15
optimal 4x4/4 --first-click any
optimal hex:3x4/3 --first-click opening --json
long-chain --board 6x6/6 --restarts 2 --moves 20 --seed 1
bench
frobnicate
""".strip().splitlines()

# Words that differ from run to run.
MASKS = (
    (r'("(?:elapsed_us|seconds|effort_seconds)": )[\d.e+-]+', r"\1TIME"),
    (r"\b\d+(?:\.\d+)? ?(?:ns|us|µs|ms|s|min|minutes|seconds)\b", "TIME"),
    (r"(?m)(%  .*) [\d.]+$", r"\1 TIME"),  # the last column of a comparison
    (r"(?m)^((?:[\w-]+,){3}[\d.,]+,)[\d.]+,$", r"\1TIME,"),  # the same as CSV
    (r'(?m)^.*"data:(?:text/csv|image/svg).*$', "DATA"),
    (r'data-key="[\d.e-]+">[\d.]+</td></tr>', "TIME"),
    (r"\b0x[0-9a-f]{6,}\b", "ADDRESS"),
    (r" +TIME\b", " TIME"),
)


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("verb", choices=["record", "compare", "times"])
    parser.add_argument("path", type=Path, help="the record; for `times` the other checkout")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args(words)
    if asked.verb == "times":
        return compare_times(asked.path)
    now = record(asked.jobs)
    if asked.verb == "record":
        asked.path.parent.mkdir(parents=True, exist_ok=True)
        asked.path.write_text(json.dumps(now, indent=1, sort_keys=True))
        print(f"{len(now)} entries in {asked.path}")
        return 0
    return compare(json.loads(asked.path.read_text()), now)


# ------------------------------------------------------------------------------ what is recorded


def record(jobs: int) -> dict[str, str]:
    """Every entry by its name."""
    found = {f"names of {module}": exported(module) for module in MODULES}
    found["columns of a game"] = columns()
    found["API document"] = api_document()
    helps = [f"{name} --help" for name in ["", *commands()]]
    with ThreadPoolExecutor(jobs) as pool:
        for line, text in zip([*helps, *COMMANDS], pool.map(run, [*helps, *COMMANDS]), strict=True):
            found[f"mineproof {line}"] = text
    return found


def exported(module: str) -> str:
    """The exported names of a module, with the signatures of what can be called."""
    code = f"""
import inspect, {module} as module
for name in sorted(module.__all__):
    value = getattr(module, name)
    kind = type(value).__name__
    try:
        shape = str(inspect.signature(value)) if callable(value) else ""
    except (TypeError, ValueError):
        shape = "?"
    members = dir(value) if isinstance(value, type) else []
    print(name, kind, shape, [member for member in members if not member.startswith("_")])
"""
    return masked(python(code))


def columns() -> str:
    return python(
        """
import tempfile, duckdb, mineproof as mp
with tempfile.TemporaryDirectory() as out:
    mp.compare(["single-point", "random"], board="beginner", games=5, seed=1, out=out)
    games = f"from '{out}/games-*.parquet'"
    print(duckdb.sql(f"describe {games}").fetchall())
    print(duckdb.sql(f"select * exclude (seconds, effort) {games} order by all").fetchall())
"""
    )


def api_document() -> str:
    """The document that the coach's server gives of its API, asked of a real server."""
    return python(
        """
import json, os, re, subprocess, sys, urllib.request
environment = dict(os.environ, PYTHONUNBUFFERED="1")
command = [sys.executable, "-m", "mineproof", "coach", "--no-open", "--port", "0"]
pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
server = subprocess.Popen(command, env=environment, **pipes)
try:
    for line in server.stdout:
        found = re.search(r"http://[\\w.:]+", line)
        if found:
            break
    document = json.load(urllib.request.urlopen(found[0] + "/openapi.json", timeout=60))
    print(json.dumps(document, indent=1, sort_keys=True))
finally:
    server.terminate()
    server.wait()
"""
    )


def commands() -> list[str]:
    return python(
        """
import importlib
for home in ("mineproof.cli.main", "mineproof.cli.main"):
    try:
        print("\\n".join(importlib.import_module(home).COMMANDS))
        break
    except ModuleNotFoundError:
        pass
"""
    ).split()


def python(code: str) -> str:
    words = [sys.executable, "-c", inspect.cleandoc(code)]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT)
    return done.stdout if done.returncode == 0 else f"failed: {done.stderr}"


def run(line: str) -> str:
    """The exit status, what a command printed and the files that it wrote."""
    with tempfile.TemporaryDirectory() as out:
        words = shlex.split(line.replace("{out}", out))
        done = subprocess.run(
            [sys.executable, "-m", "mineproof", *words],
            capture_output=True,
            text=True,
            cwd=ROOT,
            env=dict(os.environ, COLUMNS="100", NO_COLOR="1", TERM="dumb"),
        )
        parts = [f"exit {done.returncode}", done.stdout, done.stderr]
        for path in sorted(Path(out).rglob("*")):
            if path.is_file():
                parts += [f"--- {path.relative_to(out)}", path.read_bytes().decode("latin-1")]
        return masked("\n".join(parts).replace(out, "OUT"))


def masked(text: str) -> str:
    for pattern, mask in MASKS:
        text = re.sub(pattern, mask, text)
    return text


# ------------------------------------------------------------------------------ comparing


def compare(before: dict[str, str], now: dict[str, str]) -> int:
    different = 0
    for name in sorted({*before, *now}):
        old, new = before.get(name, ""), now.get(name, "")
        if old == new:
            continue
        different += 1
        print(f"=== {name}")
        lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0)
        print("\n".join(line[:300] for line in list(lines)[:40]))
    print(f"{different} of {len({*before, *now})} entries differ")
    return min(different, 1)


TIMED = {
    "import": ["-c", "import mineproof"],
    "--help": ["-m", "mineproof", "--help"],
    "solve": ["-m", "mineproof", "solve", "examples/position.txt"],
    "explain": ["-m", "mineproof", "explain", "examples/position.txt", "--all"],
    "play_many": [
        "-c",
        "import mineproof as mp; mp.play_many('expert', agent='swift', games=3000, seed=1)",
    ],
    "play": [
        "-c",
        "import mineproof as mp; [mp.play('expert', agent='exact', seed=s) for s in range(20)]",
    ],
}


def compare_times(other: Path, rounds: int = 15) -> int:
    """The median time of some commands here, over that in another checkout, taken in turns."""
    for name, words in TIMED.items():
        taken: dict[Path, list[float]] = {ROOT: [], other.resolve(): []}
        for _ in range(rounds):
            for root, times in taken.items():
                begin = time.perf_counter()
                subprocess.run(
                    [str(root / ".venv" / "bin" / "python"), *words],
                    cwd=root,
                    check=True,
                    capture_output=True,
                )
                times.append(time.perf_counter() - begin)
        here, there = (statistics.median(times) for times in taken.values())
        print(f"{name:10} {here:.3f} s here, {there:.3f} s there: {here / there:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
