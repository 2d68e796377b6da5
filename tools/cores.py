"""Is a wheel's core as fast as this machine's own? .venv/bin/python tools/cores.py WHEEL

Both play the same games of Expert in turns, on one thread, each turn in a new process. Processor
time is compared, within a turn, so that other work on the machine matters little.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

TURNS = 7
GAMES = {"exact": 8000, "swift": 2000, "champion[rollouts=64]": 40}
PROGRAM = """
import sys, time
import mineproof as mp
agent, games = sys.argv[1], int(sys.argv[2])
mp.play_many("expert", agent=agent, games=games // 10 + 1, seed=2)
start = time.process_time()
rows = mp.play_many("expert", agent=agent, games=games, seed=1)
seconds = time.process_time() - start
print(seconds, int(rows.won.sum()))
"""


def play(agent: str, options: list[str], env: dict[str, str]) -> tuple[float, int]:
    """Seconds and games won."""
    command = [sys.executable, *options, "-c", PROGRAM, agent, str(GAMES[agent])]
    done = subprocess.run(
        command, env={**os.environ, **env}, check=True, capture_output=True, text=True
    )
    seconds, won = done.stdout.split()
    return float(seconds), int(won)


def main(wheel: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
        # -S: without it this environment's own mineproof would be imported.
        path = os.pathsep.join([folder, sysconfig.get_path("purelib")])
        for agent in GAMES:
            ratios = []
            for _ in range(TURNS):
                own, won = play(agent, [], {})
                theirs, same = play(agent, ["-S"], {"PYTHONPATH": path})
                if won != same:
                    sys.exit(f"mineproof: {agent} won {won} games, and {same} with the wheel")
                ratios.append(theirs / own)
            low, high = min(ratios), max(ratios)
            print(f"{agent}: {statistics.median(ratios):.2f} times ({low:.2f} to {high:.2f})")


if __name__ == "__main__":
    main(*sys.argv[1:])
