"""Confinement in real processes: each layer by itself, and what is left where one is missing."""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mineproof.sandbox.confinement import ENDINGS, LAYERS, Confinement, ExitReport
from mineproof.sandbox.linux import CpuTimes, processes_below, program, without_results
from mineproof.sandbox.process import ChildLost, LineProcess
from mineproof.sandbox.protection import protection
from tests.interrupts import PATIENCE, until
from tests.lab.processes import alive, descendants

TRIES = """
import ctypes, fcntl, json, mmap, os, resource, signal, socket, subprocess, sys, threading, time

def call(name, *arguments):
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), name)

from mineproof.sandbox.confinement import active_layers
from mineproof.sandbox.process import ParentLink

parent = ParentLink()
for line in parent:
    try:
        said = repr(eval(line))
    except OSError as error:
        said = type(error).__name__
    parent.answer(said.encode())
"""

HOLDS = """
import sys
from mineproof.sandbox.confinement import Confinement
from mineproof.sandbox.process import LineProcess
children = []
for without in json_without:
    child = LineProcess("tries", stranger=Confinement(without=tuple(without)))
    for start_new_session in (False, True):
        child.ask(b"__import__('subprocess').Popen(['sleep', '1000000'], env={},"
                  b" start_new_session=%r).pid" % start_new_session, 120)
    children.append(child)
print("ready", flush=True)
sys.stdin.readline()
"""

Start = Callable[..., LineProcess]


@pytest.fixture(autouse=True)
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tries.py").write_text(TRIES)
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    return tmp_path


@pytest.fixture
def start() -> Iterator[Start]:
    started: list[LineProcess] = []

    def begin(*without: str, folder: Path | None = None, memory_mb: int = 2048) -> LineProcess:
        place = None if folder is None else str(folder)
        wanted = Confinement(place, memory_mb, without)
        started.append(LineProcess("tries", stranger=wanted))
        return started[-1]

    yield begin
    for child in started:
        child.end()


def ask(child: LineProcess, expression: str) -> str:
    return child.ask(expression.encode(), PATIENCE).decode()


def test_a_confinement_survives_its_text() -> None:
    wanted = Confinement("/some/where", 17, ("landlock",), ("/some/file",), 7)
    assert Confinement.parse(wanted.text) == wanted


def test_what_holds_is_what_was_tried() -> None:
    found = protection()
    names = [layer.name for layer in found.layers]
    assert len(set(names)) == len(names)
    assert found.missing == tuple(layer.name for layer in found.layers if not layer.holds)
    assert (found.warning is None) == (not found.missing)


@pytest.mark.parametrize("without", [LAYERS, LAYERS[:3], LAYERS[:2], LAYERS[:1], ()])
def test_a_layer_that_is_left_out_is_said_to_be(
    without: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINEPROOF_WITHOUT", ",".join(without))
    found = {layer.name: layer for layer in protection().layers}
    assert all(
        layer.holds or layer.name in (protection().warning or "") for layer in found.values()
    )
    if "filter" in without:
        assert not found["the network"].holds
        assert not found["reading files"].holds
    if "supervisor" in without:
        assert not found["memory and processes"].holds
    assert found["the environment"].holds


def test_a_stranger_gets_a_clean_environment(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_TOKEN", "very secret")
    child = start()
    assert ask(child, "os.environ.get('API_TOKEN')") == "None"
    assert "very secret" not in ask(child, "dict(os.environ)")


def test_a_stranger_reads_its_folder_and_no_results(start: Start, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    (mine / "results").mkdir(parents=True)
    (mine / "data").mkdir()
    (mine / "results" / "experiment.toml").write_text("secret")
    (mine / "data" / "numbers.txt").write_text("1 2 3")
    elsewhere = tmp_path.parent / f"{tmp_path.name}.txt"
    elsewhere.write_text("private")
    assert without_results(mine) == [mine / "data"]
    child = start(folder=mine)
    assert ask(child, f"open({str(mine / 'data' / 'numbers.txt')!r}).read()") == "'1 2 3'"
    if json.loads(ask(child, "active_layers().landlock")):
        for path in (mine / "results" / "experiment.toml", elsewhere):
            said = ask(child, f"open({str(path)!r}).read()")
            assert said in ("PermissionError", "FileNotFoundError")


def test_a_folder_that_is_too_large_to_look_through_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "small").mkdir()
    (tmp_path / "large").mkdir()
    for number in range(5100):
        (tmp_path / "large" / str(number)).touch()
    assert without_results(tmp_path) == [tmp_path / "small", tmp_path / "tries.py"]
    assert without_results(tmp_path / "nowhere") == []


SYSTEMS = ((), ("namespaces",), ("landlock",), ("namespaces", "landlock"))
"""What a system may lack while the filter is there."""
REFUSED = (
    # rights and owners of files that are not its own
    *("os.chmod(FOREIGN, 0)", "os.chown(FOREIGN, 1, 1)", "os.utime(FOREIGN)", "os.unlink(FOREIGN)"),
    *("os.rename(FOREIGN, FOREIGN + '2')", "open(FOREIGN, 'a')", "os.truncate(FOREIGN, 0)"),
    *("os.setxattr(FOREIGN, 'user.x', b'1')", "os.link(FOREIGN, FOREIGN + '2')"),
    *("os.symlink('x', FOREIGN + '2')", "os.mkdir(FOREIGN + '2')", "os.mkfifo(FOREIGN + '2')"),
    *("os.chmod(os.__file__, 0o644)", "os.utime(os.__file__)", "open(os.__file__, 'a')"),
    # the system
    "open('/proc/sys/kernel/core_pattern', 'r+b', buffering=0)",
    *("socket.sethostname(os.uname().nodename)", "os.setuid(1)", "os.nice(-1)", "os.chroot('/')"),
    # memory that no limit counts, or that stays
    *("os.memfd_create('x')", "mmap.mmap(-1, 4096)", "call('shmget', 0, 4096, 0o600)"),
    *("call('msgget', 0, 0o600)", "call('semget', 0, 1, 0o600)"),
    # messages to whoever reads the same file
    *("fcntl.lockf(open(os.__file__), fcntl.LOCK_SH)", "fcntl.flock(open(os.__file__), 1)"),
    *("fcntl.fcntl(open(os.__file__), fcntl.F_GETLK, bytes(32))", "call('inotify_init')"),
    *("fcntl.fcntl(open(os.__file__), 1024, 0)", "fcntl.fcntl(open(os.__file__), 1026, 1)"),
    # going on while it is stopped, and hiding from those who count
    *("call('timer_create', 0, 0, ctypes.create_string_buffer(8))", "call('prctl', 4, 0, 0, 0, 0)"),
    *("fcntl.fcntl(0, 10, signal.SIGCONT)", "call('prctl', 1, signal.SIGCONT, 0, 0, 0)"),
    # other processes
    *("socket.socket()", "call('unshare', 0x10000000)", "call('ptrace', 16, os.getppid(), 0, 0)"),
    "call('process_vm_readv', os.getppid(), 0, 0, 0, 0, 0)",
)
"""What no agent can do, whichever layer is missing."""


@pytest.mark.parametrize("without", SYSTEMS)
def test_what_an_agent_must_not_do_fails_on_every_system(
    start: Start, tmp_path: Path, without: tuple[str, ...]
) -> None:
    foreign = tmp_path / "foreign"
    foreign.write_text("private")
    before = foreign.stat()
    child = start(*without)
    tried = {one: ask(child, one.replace("FOREIGN", repr(str(foreign)))) for one in REFUSED}
    refusals = {"PermissionError", "FileNotFoundError", "OSError"}
    assert {one: said for one, said in tried.items() if said not in refusals} == {}
    assert foreign.read_text() == "private"
    assert (foreign.stat().st_mode, foreign.stat().st_mtime) == (before.st_mode, before.st_mtime)
    assert [path.name for path in tmp_path.glob("foreign*")] == ["foreign"]
    powers = "{l[3:6] for l in open('/proc/self/status') if l[:3] == 'Cap' and int(l[8:], 16)}"
    assert ask(child, powers) in ("set()", "{'Bnd'}")  # what others than root cannot take off


@pytest.mark.parametrize("without", SYSTEMS)
def test_what_an_agent_does_all_day_works_on_every_system(
    start: Start, without: tuple[str, ...]
) -> None:
    child = start(*without)
    for work, said in (
        ("subprocess.run(['sh', '-c', 'echo hi | cat; exit 4'], stdout=-1).stdout", r"b'hi\n'"),
        ("[t.start() or t.join() for t in [threading.Thread(target=int)]]", "[None]"),
        ("__import__('multiprocessing').Pool(2).map(abs, [-1, 2])", "[1, 2]"),
        ("__import__('asyncio').run(__import__('asyncio').sleep(0, 7))", "7"),
        ("__import__('numpy').linalg.solve([[2.0]], [4.0])[0].item()", "2.0"),
        ("sum(1 for _ in open(os.__file__)) > 100", "True"),
        ("os.cpu_count() > 0 and time.sleep(0)", "None"),
    ):
        if "multiprocessing" in work and "namespaces" in without:
            continue  # its locks are files that it may write
        assert ask(child, work) == said


def test_where_it_may_write_that_is_its_own(start: Start) -> None:
    one, other = start(), start()
    if ask(one, "active_layers().private") == "True":
        assert ask(one, "open('/dev/shm/x', 'w').write('1') and os.listdir('/dev/shm')") == "['x']"
        assert ask(other, "os.listdir('/dev/shm')") == "[]"
        assert ask(one, "open('/dev/shm/y', 'wb').write(bytes(70_000_000))") == "OSError"


@pytest.mark.parametrize("without", [(), ("namespaces",)])
def test_memory_that_children_hold_together_ends_them(
    start: Start, without: tuple[str, ...]
) -> None:
    child = start(*without, memory_mb=128)
    holds = "[time.sleep(600) for kept in [bytearray(b'x' * 10**8)]]"
    forks = f"[1 for _ in range(6) if not os.fork() and {holds}] or time.sleep(600)"
    with pytest.raises(ChildLost, match="used too much memory in all its processes"):
        ask(child, forks)


@pytest.mark.parametrize("without", [(), ("namespaces",)])
def test_it_stands_still_while_it_is_not_its_turn(start: Start, without: tuple[str, ...]) -> None:
    child = start(*without)
    spins = "[1 for _ in iter(int, 1)]"
    for away in ("0", "os.setsid()"):
        for _ in range(6):
            assert ask(child, f"({away}, {spins}) if not os.fork() else 0") == "0"
    until(lambda: all(state == "T" for state in leaves(child)))
    assert len(leaves(child)) == 12
    used = CpuTimes.below(child.pid).used
    other = start(*without)
    for _ in range(100):
        assert ask(other, "sum(range(10**4))") == "49995000"
    # The supervisor looks after them meanwhile; twelve that spin would use what there is.
    assert set(leaves(child)) == {"T"}
    assert CpuTimes.below(child.pid).used - used < 1.0
    assert ask(child, "7") == "7"


def leaves(child: LineProcess) -> list[str]:
    """The states of the processes that have no others below them."""
    below = processes_below(child.pid)
    above = {int(fields[1]) for fields in below.values()}
    return [fields[0] for process, fields in below.items() if process not in above]


def test_a_child_that_others_keep_from_the_cpu_has_its_time(start: Start) -> None:
    """All of them on one CPU: it gets less than half of that, so by the clock it is late."""
    cpu = min(os.sched_getaffinity(0))
    child = start()
    assert ask(child, "1") == "1"
    for process in processes_below(child.pid):
        os.sched_setaffinity(process, {cpu})
    spin = f"import os\nos.sched_setaffinity(0, {{{cpu}}})\nwhile True: pass"
    others = [subprocess.Popen([sys.executable, "-c", spin]) for _ in range(3)]
    try:
        burns = "[1 for _ in iter(lambda: time.process_time() < END, False)] and 'done'"
        end = float(ask(child, "time.process_time()")) + 0.7
        assert child.ask(burns.replace("END", str(end)).encode(), 1.0) == b"'done'"
        assert child.delayed > 0
    finally:
        for one in others:
            one.kill()
            one.wait()


def test_a_child_that_keeps_itself_from_the_cpu_has_no_more_time(start: Start) -> None:
    child = start()
    forks = "[1 for _ in range(12) if not os.fork() and [1 for _ in iter(int, 1)]]"
    with pytest.raises(TimeoutError):
        child.ask(f"{forks} or [1 for _ in iter(int, 1)]".encode(), 1.0)


def held_processes(child: LineProcess) -> bool:
    return ask(child, "active_layers().processes") == "True"


def test_in_a_namespace_it_sees_nobody_else(start: Start) -> None:
    child = start()
    if held_processes(child):
        assert ask(child, "os.getppid()") == "1"
        assert ask(child, "[n for n in os.listdir('/proc') if n.isdigit()]") == "['1', '2']"
    else:
        assert ask(child, "active_layers().watched") == "True"


@pytest.mark.parametrize("way", ["SIGKILL", "SIGTERM", "SIGHUP", "end"])
def test_however_the_main_process_ends_nothing_is_left(way: str) -> None:
    program = HOLDS.replace("json_without", repr([[], ["namespaces"]]))
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as main:
        assert main.stdin is not None
        assert main.stdout is not None
        assert main.stdout.readline() == "ready\n"
        below = descendants(main.pid)
        assert len(below) >= 8  # two supervisors, their strangers, and two sleepers of each
        if way == "end":
            main.stdin.write("\n")
            main.stdin.flush()
            assert main.wait(PATIENCE) == 0
        else:
            main.send_signal(getattr(signal, way))
    until(lambda: not any(map(alive, below)))


@pytest.mark.parametrize("processor", ["x86_64", "aarch64"])
@pytest.mark.parametrize("alone", [None, 4711])
@pytest.mark.parametrize("writes", [True, False])
def test_every_jump_of_the_filter_stays_inside(
    processor: str, alone: int | None, writes: bool
) -> None:
    code = program(processor, alone, writes=writes)
    lines = [struct.unpack("HBBI", code[n : n + 8]) for n in range(0, len(code), 8)]
    assert len(lines) < 4096
    for place, (kind, yes, no, _) in enumerate(lines):
        if kind & 7 == 5:  # a jump
            assert place + 1 + max(yes, no) < len(lines)
    assert lines[-1][0] == 6  # it ends by an answer
    with pytest.raises(OSError, match="no filter"):
        program("z80", alone)


def test_how_a_stranger_ended_survives_the_pipe() -> None:
    for ended in (
        ExitReport(0),
        ExitReport(9),
        ExitReport(7 << 8),
        ExitReport(9, next(iter(ENDINGS))),
    ):
        assert ExitReport.of(ended.data) == ended
    assert ExitReport.of(b"") == ExitReport(signal.SIGKILL)
