"""Real child processes: they answer lines, and they end, however they are left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Pipe
from pathlib import Path

import pytest

from mineproof.sandbox.confinement import LAYERS, Confinement
from mineproof.sandbox.process import ChildLost, ChildProcess, LineProcess
from tests.interrupts import PATIENCE, until
from tests.lab.processes import alive, descendants

TALKER = """
import os, signal, subprocess, sys, time
from mineproof.sandbox.process import ParentLink

parent = ParentLink()
print("this is printed elsewhere")
for line in parent:
    word, _, rest = line.decode().strip().partition(" ")
    if word == "say":
        parent.answer(rest.encode())
    elif word == "twice":
        parent.answer(b"one\\ntwo")
    elif word == "long":
        parent.answer(b"x" * int(rest))
    elif word == "sleep":
        time.sleep(600)
    elif word == "kill":
        os.kill(os.getpid(), int(rest))
    elif word == "exit":
        os._exit(int(rest))
    elif word == "print":
        sys.stdout.write(rest * 100_000)
        sys.stdout.flush()
        parent.answer(b"printed")
    elif word == "deaf":
        os.close(1)
        os.close(2)
        parent.answer(b"closed")
    elif word == "flood":
        subprocess.Popen(["yes"])
        parent.answer(b"open")
    elif word == "spawn":
        away = rest == "away"
        grandchild = subprocess.Popen(["sleep", "600"], start_new_session=away)
        parent.answer(str(grandchild.pid).encode())
"""

LEAVES = """
import sys, time
from pathlib import Path
from multiprocessing.connection import Connection

connection = Connection(int(sys.argv[1]))
connection.send("here")
try:
    connection.recv()
except EOFError:
    Path(sys.argv[2]).write_text("left by itself")
"""

HOLDS = """
import time
from mineproof.sandbox.process import LineProcess
child = LineProcess("talker")
print(child.pid, flush=True)
time.sleep(600)
"""

Start = Callable[..., LineProcess]


@pytest.fixture(autouse=True)
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The modules that these children run."""
    (tmp_path / "talker.py").write_text(TALKER)
    (tmp_path / "leaves.py").write_text(LEAVES)
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    return tmp_path


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts children, and ends those that are left."""
    started: list[LineProcess] = []

    def begin(**options: object) -> LineProcess:
        started.append(LineProcess("talker", **options))
        return started[-1]

    yield begin
    for child in started:
        child.end()


def ask(child: LineProcess, line: str, seconds: float = PATIENCE) -> str:
    return child.ask(line.encode(), seconds).decode()


def test_it_answers_line_by_line(start: Start) -> None:
    child = start()
    assert ask(child, "say one") == "one"
    assert ask(child, "say two") == "two"
    assert len(ask(child, "long 3000000")) == 3_000_000
    assert child.alive
    assert child.ending == "runs"
    assert child.end() == "was killed by SIGKILL"
    assert not child.alive
    with pytest.raises(ChildLost, match="was killed by SIGKILL"):
        ask(child, "say three")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("twice", "sent more than one answer"),
        ("long 3000", "sent an answer longer than 2000 bytes"),
        ("exit 7", "ended with status 7"),
        ("kill 15", "was killed by SIGTERM"),
        (f"kill {signal.SIGRTMIN + 3}", f"was killed by signal {signal.SIGRTMIN + 3}"),
    ],
)
def test_what_is_no_answer_is_said(start: Start, line: str, said: str) -> None:
    child = start(most=2000)
    with pytest.raises(ChildLost) as caught:
        ask(child, line)
    assert str(caught.value) == said


def test_what_a_stranger_prints_is_heard_before_its_answer(start: Start) -> None:
    heard = bytearray()
    child = start(stranger=Confinement(), listen=heard.extend)
    assert ask(child, "print 1234567890") == "printed"
    assert heard.count(b"1234567890") == 100_000
    with pytest.raises(ChildLost, match="ended with status 3"):
        ask(child, "exit 3")


def test_one_that_prints_for_ever_answers_all_the_same(start: Start) -> None:
    heard: list[int] = []
    child = start(stranger=Confinement(), listen=lambda data: heard.append(len(data)))
    assert ask(child, "flood") == "open"
    while not heard:
        assert ask(child, "say here") == "here"
    assert max(heard) <= 65536


def test_one_that_closes_where_it_prints_answers_all_the_same(start: Start) -> None:
    heard = bytearray()
    child = start(stranger=Confinement(), listen=heard.extend)
    assert ask(child, "deaf") == "closed"
    assert ask(child, "say here") == "here"
    with pytest.raises(TimeoutError):
        ask(child, "sleep", 0.1)


def test_a_stranger_that_nobody_hears_prints_nowhere(start: Start) -> None:
    child = start(stranger=Confinement())
    assert ask(child, "print 1234567890") == "printed"


def test_an_answer_that_does_not_come_is_not_waited_for(start: Start) -> None:
    child = start()
    assert ask(child, "say here") == "here"
    with pytest.raises(TimeoutError):
        ask(child, "sleep", 0.1)
    assert child.end() == "was killed by SIGKILL"


def test_what_it_does_not_read_is_not_waited_for(start: Start) -> None:
    child = start()
    assert ask(child, "say here") == "here"
    os.kill(child.pid, signal.SIGSTOP)
    with pytest.raises(TimeoutError):
        ask(child, "say " + "x" * 10_000_000, 0.1)


@pytest.mark.parametrize("without", [(), LAYERS])
def test_its_children_end_with_it(start: Start, without: tuple[str, ...]) -> None:
    child = start(stranger=Confinement(without=without))
    assert ask(child, "say here") == "here"
    before = descendants(child.pid)
    ask(child, "spawn")
    ask(child, "spawn away")
    grandchildren = descendants(child.pid) - before
    assert len(grandchildren) == 2
    child.end()
    until(lambda: not any(map(alive, before | grandchildren)))


def test_it_ends_when_it_is_let_go() -> None:
    child = LineProcess("talker")
    ask(child, "say here")
    pid = child.pid
    del child
    assert not alive(pid)


def test_it_can_be_ended_from_another_thread_while_it_is_asked(start: Start) -> None:
    child = start()
    assert ask(child, "say here") == "here"
    found: list[BaseException] = []

    def wait() -> None:
        try:
            ask(child, "sleep")
        except ChildLost as error:
            found.append(error)

    asking = threading.Thread(target=wait)
    asking.start()
    until(child._talking.locked)
    child.end()
    asking.join(PATIENCE)
    assert [str(error) for error in found] == ["was killed by SIGKILL"]


def test_how_it_ended_is_awaited_from_the_thread_that_reaps_it(start: Start) -> None:
    child = start()
    process = child._process
    assert isinstance(process, subprocess.Popen)
    reaping, tried = threading.Lock(), threading.Event()

    class Watched:
        """Popen's lock around the reaping, which tells when somebody else wants it."""

        def acquire(self, blocking: bool = True) -> bool:
            tried.set()
            return reaping.acquire(blocking)

        def release(self) -> None:
            reaping.release()

        def __enter__(self) -> None:
            self.acquire()

        def __exit__(self, *_: object) -> None:
            self.release()

    vars(process)["_waitpid_lock"] = Watched()
    found: list[str] = []
    asking = threading.Thread(target=lambda: found.append(child.ending))
    with reaping:
        os.kill(child.pid, signal.SIGKILL)
        os.waitpid(child.pid, 0)
        asking.start()
        assert tried.wait(PATIENCE)
        process.returncode = -signal.SIGKILL
    asking.join(PATIENCE)
    assert found == ["was killed by SIGKILL"]


def test_one_that_is_told_to_leave_may_do_so_by_itself(tmp_path: Path) -> None:
    mine, theirs = Pipe()
    note = tmp_path / "note"
    with theirs:
        child = ChildProcess(
            "leaves", str(theirs.fileno()), str(note), passed=[theirs.fileno()], hang_up=mine.close
        )
    assert mine.recv() == "here"
    assert child.end() == "ended with status 0"
    assert note.read_text() == "left by itself"
    assert child.end() == "ended with status 0"


def test_one_whose_parent_is_killed_ends() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert alive(pid)
        parent.kill()
    try:
        until(lambda: not alive(pid))
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
