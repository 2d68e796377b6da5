"""Bad agents and honest ones in one comparison, as a teacher would run them overnight.

`python -m tests.hostile.batch` (`make hostile`) prints the table: what was tried, what came of it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mineproof.sandbox.protection import protection
from tests.hostile.kinds import CHEATS, HONEST, KINDS, Kind, source

__all__ = [
    "HASTY",
    "PATIENT",
    "Verdict",
    "judge",
    "killed_and_resumed",
    "play",
    "playable",
    "write",
]

_GAMES = 2
_AGENTS, _KILLS = 200, 10
PATIENT = ("--move-seconds", "300", "--game-seconds", "600")
HASTY = ("--move-seconds", "1", "--game-seconds", "600")


@dataclass(frozen=True)
class Verdict:
    """What came of a kind: whether it was contained, and its row's own words."""

    kind: str
    contained: bool
    said: str


def playable(kinds: Sequence[Kind]) -> list[Kind]:
    """Those that are kept from harm here, by what `check --isolation` says."""
    missing = protection().missing
    return [kind for kind in kinds if kind.needs not in missing]


def write(folder: Path, kinds: Sequence[Kind], honest: int = 3) -> dict[str, Kind | None]:
    """Write an agent of every kind and some honest ones; by the name of its file."""
    folder.mkdir(parents=True)
    found: dict[str, Kind | None] = {}
    good = source(Kind("honest", ""))
    for number, kind in enumerate(kinds):
        (folder / f"bad{number:03}.py").write_text(source(kind))
        found[f"bad{number:03}.py"] = kind
    for number in range(honest):
        # Between the others, by name: each plays after one that was bad.
        name = f"bad{number * len(kinds) // honest:03}_honest{number:03}.py"
        (folder / name).write_text(good)
        found[name] = None
    return found


def play(place: Path, *options: str) -> tuple[int, dict[str, Any], str]:
    """Compare all agents of `place`/class; the exit status, the JSON and what was said."""
    return _run(place, "--agents-dir", "class", *options)


def _command(*options: str) -> list[str]:
    """The command line of a comparison; a spec says what is played."""
    said = ("--board", "9x9/10", "--games", str(_GAMES), "--memory-mb", "512")
    return [
        *(sys.executable, "-m", "mineproof", "compare", "--json"),
        *(() if "--spec" in options else said),
        *options,
    ]


def _run(place: Path, *options: str) -> tuple[int, dict[str, Any], str]:
    ran = subprocess.run(
        _command(*options), cwd=place, capture_output=True, text=True, timeout=1100
    )
    return ran.returncode, json.loads(ran.stdout) if ran.stdout else {}, ran.stderr


def judge(kinds: dict[str, Kind | None], found: dict[str, Any]) -> list[Verdict]:
    """What came of every agent of a comparison; honest ones must have lost no game by failing."""
    rows = {Path(one["agent"]).name: one for one in found.get("results", ())}
    verdicts = []
    for name, kind in kinds.items():
        row = rows.get(name)
        if row is None:
            verdicts.append(Verdict(kind.name if kind else "honest", False, "no row"))
            continue
        reasons = "; ".join(reason for reason in row["losses"] if reason.startswith("failed"))
        contained = row["played"] == _GAMES and "SEEN" not in reasons
        if kind is None:
            contained &= not row["failed"]
        elif kind.says:
            contained &= kind.says in reasons
        contained &= not row["luck"]["implausible"]
        verdicts.append(Verdict(kind.name if kind else "honest", contained, reasons or "plays on"))
    return verdicts


def killed_and_resumed(place: Path, kinds: Sequence[Kind], agents: int, kills: int) -> bool:
    """Whether a run that is killed again and again ends with the table of an undisturbed one.

    It is killed when so many more shards are finished, whichever those are.
    """
    chosen = [kinds[number % len(kinds)] for number in range(agents // 2)]
    write(place / "class", chosen, honest=agents - len(chosen))
    for kill in range(1, kills + 1):
        with subprocess.Popen(
            _command("--agents-dir", "class", "--jobs", "2", "--out", "killed", *PATIENT),
            cwd=place,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as run:
            while run.poll() is None and _shards(place) < kill * agents // (kills + 1):
                time.sleep(0.05)
            run.kill()
    killed = _run(place, "--agents-dir", "class", "--jobs", "2", "--out", "killed", *PATIENT)
    spec = ("--spec", "killed/experiment.toml")
    undisturbed = _run(place, *spec, "--jobs", "2", "--out", "undisturbed")
    return killed[0] == undisturbed[0] == 0 and _table(killed[1]) == _table(undisturbed[1])


def _shards(place: Path) -> int:
    return len(list((place / "killed").glob("games-*.parquet")))


def _table(found: dict[str, Any]) -> list[tuple[Any, ...]]:
    """What a table says, but for the time that it took."""
    keys = ("agent", "played", "won", "failed", "finer", "luck")
    return [tuple(one[key] for key in keys) for one in found["results"]]


def _tried(place: Path, kinds: Sequence[Kind], *options: str) -> list[Verdict]:
    shutil.rmtree(place, ignore_errors=True)
    written = write(place / "class", kinds, honest=0 if HASTY[1] in options else 3)
    status, found, said = play(place, "--jobs", "2", "--out", "results", *options)
    if status:
        print(said, file=sys.stderr)
    return judge(written, found)


def main() -> int:
    """Play every kind and print what came of it; the status is 1 if one was not contained."""
    everything = [*KINDS, *CHEATS]
    found = protection()
    missing = found.missing
    if found.warning is not None:
        print(found.warning)
    kinds = playable(everything)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "class-of-strangers"
        verdicts = _tried(place, [kind for kind in kinds if not kind.hangs], *PATIENT)
        verdicts += _tried(place, [kind for kind in kinds if kind.hangs], *HASTY)
    print(f"{_AGENTS} agents, killed {_KILLS} times and resumed: ", end="", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        mixed = [kind for kind in kinds if not kind.hangs]
        same = killed_and_resumed(Path(folder) / "killed", mixed, _AGENTS, _KILLS)
    print("the table of an undisturbed run" if same else "ANOTHER table than undisturbed")
    for verdict in verdicts:
        print(f"{'ok ' if verdict.contained else 'NOT'}  {verdict.kind:40}  {verdict.said[:90]}")
    good = sum(verdict.contained for verdict in verdicts)
    left_out = len(everything) - len(kinds)
    print(f"\n{len(verdicts)} tried, {good} contained, {len(verdicts) - good} failed")
    if left_out:
        print(f"{left_out} left out: nothing here would keep them from {', '.join(missing)}")
    print(f"honest agents: {HONEST}")
    return 0 if same and good == len(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
