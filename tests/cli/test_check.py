"""`mineproof check`: every fault of an agent, the first with its position."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.cli.check import _printf
from tests.interrupts import PATIENCE, until

Command = Callable[..., Any]

EXAMPLE = Path(__file__).parents[2] / "examples" / "cs50_style_minesweeper.py"
PATIENT = ("--move-seconds", "120", "--game-seconds", "600")
AGENTS = """
import time
from mineproof import Decision, Proved

class Unsound:
    def act(self, view):
        return Decision.open(view.hidden[0], Proved("hope"))

class Flags:
    def act(self, view):
        if not view.opened_count:
            return 12
        return Decision.flag(next(c for c in view.hidden if not view.is_flagged(c)))

class Again:
    def act(self, view):
        return 0

class Hangs:
    def act(self, view):
        time.sleep(600)

class Raises:
    def act(self, view):
        return view.no_such_thing

class Off:
    def act(self, view):
        return -1
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "agents.py"
    path.write_text(AGENTS)
    return path


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("Unsound", "unsound", "called proved safe"),
        ("Flags", "wrong flag", "is flagged and safe"),
        ("Again", "illegal move", "is open already"),
        ("Hangs", "time-out", "no answer within 0.3 s"),
        ("Raises", "exception", "AttributeError"),
        ("Off", "exception", "not on the board"),
    ],
)
def test_the_first_fault_is_shown_with_its_position(
    command: Command, file: Path, name: str, kind: str, said: str
) -> None:
    # Only the one that hangs is hurried: another might be late by chance.
    hurry = ("--move-seconds", "0.3") if name == "Hangs" else PATIENT
    arguments = ("check", f"{file}:{name}", "--games", "3", *hurry)
    ran = command(*arguments)
    assert ran.status == 1
    assert kind in ran.out
    assert said in ran.out
    assert "the position it saw:\nsquare 5x5 mines=4" in ran.out
    fault = json.loads(command(*arguments, "--json").out)["fault"]
    assert fault["kind"] == kind
    assert fault["position"].startswith("square 5x5 mines=4")


def test_sound_agents_pass(command: Command) -> None:
    assert command("check", str(EXAMPLE), "--games", "4", *PATIENT).status == 0
    ran = command("check", "single-point", "--games", "3")
    assert ran.status == 0
    assert "no fault" in ran.out


def test_a_cs50_agent_that_jumps_to_conclusions_is_found(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "minesweeper.py"
    path.write_text(
        EXAMPLE.read_text().replace("if count == 0:", "if count <= 1 and len(cells) > 3:")
    )
    ran = command("check", str(path), "--games", "10", *PATIENT)
    assert ran.status == 1
    assert "called proved" in ran.out


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        ("single-poin", "did you mean single-point"),
        ("nowhere.py", "is not there"),
        ("{file}:Nobody", "unknown class 'Nobody'"),
        ("{file}", "several agents"),
    ],
)
def test_an_agent_that_does_not_exist(command: Command, file: Path, agent: str, said: str) -> None:
    ran = command("check", agent.format(file=file))
    assert ran.status == 2
    assert said in ran.err
    assert ran.err.count("\n") == 1


MORE = """
import os
from mineproof import Decision, Proved

class Prints:
    def act(self, view):
        print("I see", view.opened_count, "\\x1b[31m")
        os.write(2, b"errors too\\n")
        return Decision.open(view.hidden[0], Proved("hope"))

class Sound:
    def act(self, view):
        print("once more", "x" * 200)
        return view.hidden[0]
"""


@pytest.fixture
def printing(tmp_path: Path) -> Path:
    path = tmp_path / "printing.py"
    path.write_text(MORE)
    return path


def check(command: Command, agent: str, *more: str) -> Any:
    return command("check", agent, "--board", "4x4/6", "--games", "6", *PATIENT, *more)


def test_every_fault_is_listed_and_the_first_is_shown_in_full(
    command: Command, printing: Path
) -> None:
    ran = check(command, f"{printing}:Prints")
    faults = json.loads(check(command, f"{printing}:Prints", "--json").out)["faults"]
    assert len(faults) > 3
    head, first = ran.out.split("the first fault:\n")
    table = head.split("move\n", 1)[1].splitlines()
    for line, fault in zip(table, faults, strict=False):
        numbers = [str(fault[key]) for key in ("seed", "index", "step")]
        assert line.split()[:5] == ["unsound", "square:4x4/6", *numbers]
        assert fault["move"].split()[2] in line
    assert first.startswith(f"unsound at step {faults[0]['step']} of square:4x4/6 seed 0 game")
    assert faults[0]["position"] in first
    assert "a layout that fits it, with" in first


def test_what_it_printed_is_shown_with_its_step(command: Command, printing: Path) -> None:
    ran = check(command, f"{printing}:Prints")
    assert ran.out.startswith("what it printed:\nsquare:4x4/6 seed 0 game 0 step 1:\n")
    assert "agent| I see 0 \\x1b[31m\nagent| errors too\n" in ran.out
    assert "\x1b" not in ran.out
    assert "more steps that printed something" in ran.out
    fault = json.loads(check(command, f"{printing}:Prints", "--json").out)["fault"]
    shown = f"it printed at that step:\nagent| {fault['printed'][0]}\nagent| errors too\n"
    assert shown in ran.out
    said = json.loads(check(command, f"{printing}:Sound", "--json").out)
    assert said["passed"]
    assert said["printed"][0]["lines"] == ["once more " + "x" * 200]
    assert check(command, f"{printing}:Sound").out.count("agent| ") == 10


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """Run a printed command in a shell, where `mineproof` is this package."""
    python = f'mineproof() {{ {shlex.quote(sys.executable)} -m mineproof "$@"; }}; '
    return subprocess.run(
        ["sh", "-c", python + line], capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def printed_commands(out: str) -> list[str]:
    return [line.strip() for line in out.splitlines() if line.startswith("  ")]


def test_the_printed_commands_work_when_copied(command: Command, printing: Path) -> None:
    explain, again = printed_commands(check(command, f"{printing}:Prints").out)
    said = shell(explain)
    assert said.returncode == 0
    assert "solution 2" in said.stdout or "certain" in said.stdout
    game = shell(again)
    assert game.returncode == 0
    assert "UNSOUND: called proved" in game.stdout
    assert "agent| errors too" in game.stdout


def test_every_fault_is_kept(command: Command, printing: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept here"
    ran = check(command, f"{printing}:Prints", "--save", str(folder))
    faults = json.loads(check(command, f"{printing}:Prints", "--json").out)["faults"]
    texts = [path.read_text() for path in sorted(folder.glob("fault-*.txt"))]
    assert texts == [fault["position"] for fault in faults]
    games = [mp.Transcript.read(path) for path in sorted(folder.glob("game-*.txt"))]
    assert [game.index for game in games] == sorted({fault["index"] for fault in faults})
    assert {step.unsound for step in games[0].steps} - {None}
    explain, _, review = printed_commands(ran.out)
    assert shlex.split(explain)[2] == str(folder / "fault-001.txt")
    assert shell(explain).returncode == 0
    assert "UNSOUND" in shell(review).stdout


@pytest.mark.parametrize("name", ["file.txt", "no/such/folder", "nul\0"])
def test_a_folder_that_cannot_be_is_refused_at_once(
    command: Command, printing: Path, tmp_path: Path, name: str
) -> None:
    (tmp_path / "file.txt").write_text("")
    ran = check(command, f"{printing}:Prints", "--save", str(tmp_path / name))
    assert (ran.status, ran.out) == (2, "")
    assert "--save" in ran.err


def test_a_clean_agent_leaves_an_empty_folder(command: Command, tmp_path: Path) -> None:
    assert check(command, "exact", "--save", str(tmp_path / "kept")).status == 0
    assert list((tmp_path / "kept").iterdir()) == []


def test_a_percent_sign_survives_the_shell() -> None:
    text = "square 2x2 mines=1 % \\ '\n..\n..\n"
    ran = subprocess.run(
        ["sh", "-c", f"printf {_printf(text)}"], capture_output=True, text=True, check=True
    )
    assert ran.stdout == text


def test_ctrl_c_shows_what_was_found_so_far(
    printing: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINEPROOF_WITHOUT", "namespaces,landlock,filter")  # it must write
    ready = tmp_path / "ready"
    with printing.open("a") as file:
        file.write(
            "class Waits(Prints):\n"
            "    games = 0\n"
            "    def begin(self, view, rng):\n"
            "        Waits.games += 1\n"
            "        if Waits.games == 6:\n"
            f"            open({str(ready)!r}, 'w').close()\n"
            "            import time\n"
            "            time.sleep(600)\n"
        )
    run = [sys.executable, "-m", "mineproof", "check", f"{printing}:Waits", "--games", "20"]
    process = subprocess.Popen(
        [*run, *PATIENT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    until(ready.exists, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Waits: 5 games" in out
    assert "the first fault:" in out
    assert err.endswith("mineproof: interrupted after 5 of 60 games\n")


def test_isolation_is_told_layer_by_layer(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = command("check", "--isolation", "--json")
    told = json.loads(ran.out)
    assert ran.status == (1 if told["missing"] else 0)
    assert {"other processes", "the network"} <= {one["name"] for one in told["isolation"]}
    monkeypatch.setenv("MINEPROOF_WITHOUT", "namespaces,landlock,filter,supervisor")
    ran = command("check", "--isolation")
    assert ran.status == 1
    assert ran.out.count("NO") >= 6
    assert all(len(line) <= 120 for line in ran.out.splitlines())


def test_no_agent_and_no_isolation_is_one_line(command: Command) -> None:
    ran = command("check")
    assert ran.status == 2
    assert "accepted: AGENT, or --isolation" in ran.err


def test_a_cheat_is_told_beside_its_games(tmp_path: Path, command: Command) -> None:
    """A seed can be guessed in `check`: the luck test says so."""
    file = tmp_path / "deals.py"
    file.write_text(
        "from mineproof.board.layout import deal, mine_free_cells\n"
        "class Mine:\n"
        "    tried = None\n"
        "    def act(self, view):\n"
        "        first = len(view) // 2\n"
        "        if not view.opened_count:\n"
        "            return first\n"
        "        if self.tried is None:\n"
        "            rules, topology = view.rules, view.topology\n"
        "            free = tuple(sorted(mine_free_cells(topology, rules.first_click, (first,))))\n"
        "            self.tried = [deal(topology, rules.mines, seed, index, free)\n"
        "                          for seed in range(3) for index in range(30)]\n"
        "        self.tried = [one for one in self.tried if all(not one.is_mine(cell)\n"
        "                      and one.counts[cell] == view.clue(cell) for cell in view.opened)]\n"
        "        return min(view.hidden, key=lambda c: sum(one.is_mine(c) for one in self.tried))\n"
    )
    ran = command("check", str(file), "--board", "9x9/20", "--games", "20", *PATIENT)
    assert "knows more than it was shown" in " ".join(ran.out.split())
