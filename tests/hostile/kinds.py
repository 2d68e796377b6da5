"""Agents that cheat, crash or attack, one of each kind, and what must become of them."""

# One kind a line can be read down the page.
# ruff: noqa: E501

from __future__ import annotations

import textwrap
from dataclasses import dataclass

__all__ = ["CHEATS", "HONEST", "KINDS", "Kind", "source"]

HONEST = "return view.hidden[len(view.hidden) // 2]"
"""What an agent does that does nothing else; also the end of every bad one."""


@dataclass(frozen=True)
class Kind:
    """A kind of bad agent: what it does in its first move, and what its row must say.

    `says` is empty where it is kept from harm and plays on, or may fail in more than one way. It is
    kept from harm by the layer that it `needs`, and is not let loose where that is missing.
    """

    name: str
    does: str
    says: str = ""
    hangs: bool = False
    needs: str = ""


def source(kind: Kind) -> str:
    """The file of an agent of a kind."""
    body = textwrap.indent(f"{textwrap.dedent(kind.does).strip()}\n{HONEST}", " " * 8)
    return (
        "import ctypes, fcntl, gc, glob, json, mmap, multiprocessing, os, random, resource, signal, socket\n"
        "import subprocess, sys, tempfile, threading, time\n"
        "def quietly(work):\n"
        "    try:\n"
        "        return work()\n"
        "    except OSError:\n"
        "        return None\n"
        "def call(name, *arguments):\n"
        "    library = ctypes.CDLL(None, use_errno=True)\n"
        "    if getattr(library, name)(*arguments) < 0:\n"
        "        raise OSError(ctypes.get_errno(), name)\n"
        "HERE = os.path.dirname(os.path.abspath(__file__))\n"
        "SPIN = lambda: [1 for _ in iter(int, 1)]\n"
        "class Mine:\n"
        f"    def act(self, view):\n{body}\n"
    )


def _signal(name: str, target: str, number: str) -> Kind:
    return Kind(name, f"quietly(lambda: os.kill({target}, {number}))", needs="other processes")


def _refused(name: str, does: str, layer: str) -> Kind:
    """What a layer refuses: with an error, whose kind depends on what else there is."""
    return Kind(name, does, "Error", needs=layer)


# fmt: off
KINDS = (
    # killing, stopping and interrupting others
    _signal("kills its parent", "os.getppid()", "9"),
    _signal("stops its parent", "os.getppid()", "signal.SIGSTOP"),
    _signal("interrupts its parent", "os.getppid()", "signal.SIGINT"),
    _signal("asks its parent to end", "os.getppid()", "signal.SIGTERM"),
    _signal("hangs up on its parent", "os.getppid()", "signal.SIGHUP"),
    _signal("kills everybody", "-1", "9"),
    Kind(
        "kills all that it can see",
        """
        for name in os.listdir("/proc") if os.path.isdir("/proc") else []:
            if name.isdigit() and int(name) != os.getpid():
                quietly(lambda: os.kill(int(name), 9))
        """,
        needs="other processes",
    ),
    Kind("kills the numbers below its own", "for n in range(2, os.getpid()): quietly(lambda: os.kill(n, 9))", needs="other processes"),
    # ending itself
    Kind("kills itself", "os.kill(os.getpid(), 9)", "killed by SIGKILL"),
    Kind("kills its group", "os.kill(0, 9)", "", needs="other processes"),
    Kind("leaves", "os._exit(7)", "ended with status 7"),
    Kind("leaves as if all were well", "os._exit(0)", "ended with status 0"),
    Kind("raises SystemExit", "sys.exit('bye')", "SystemExit: bye"),
    Kind("raises KeyboardInterrupt", "raise KeyboardInterrupt", "KeyboardInterrupt"),
    Kind("breaks the interpreter", "ctypes.string_at(0)", "killed by SIGSEGV"),
    Kind("aborts", "os.abort()", "killed by SIGABRT"),
    Kind("runs another program", "os.execv('/bin/sh', ['sh', '-c', 'exit 5'])", "ended with status 5"),
    Kind("recurses without end", "f = lambda f: f(f)\nf(f)", "RecursionError"),
    # hanging
    Kind("spins", "while True: pass", "no answer within", hangs=True),
    Kind("sleeps", "time.sleep(10**6)", "no answer within", hangs=True),
    Kind("stops itself", "os.kill(os.getpid(), signal.SIGSTOP)", "no answer within", hangs=True),
    Kind("ignores requests to end", "for n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)\nwhile True: time.sleep(1)", "no answer within", hangs=True),
    Kind("prints without end", "while True: print('spam' * 100)", "no answer within", hangs=True),
    # children
    Kind("forks a sleeper and fails", "if os.fork() == 0: time.sleep(10**6)\nraise ValueError('done')", "ValueError: done"),
    Kind(
        "leaves a daemon",
        """
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                for n in range(3, 200): quietly(lambda: os.close(n))
                time.sleep(10**6)
            os._exit(0)
        """,
    ),
    Kind("starts a sleeper in another session", "subprocess.Popen(['sleep', '1000000'], start_new_session=True)"),
    Kind("starts a daemon without its mark", "subprocess.Popen(['sleep', '1000000'], start_new_session=True, env={})"),
    Kind("starts many processes", "for _ in range(500):\n    if quietly(os.fork) == 0: time.sleep(10**6)\ntime.sleep(10**6)", "processes"),
    Kind("fills the memory by children", "for _ in range(40):\n    if os.fork() == 0:\n        kept = bytearray(60_000_000)\n        for n in range(0, len(kept), 4096): kept[n] = 1\n        time.sleep(10**6)\ntime.sleep(10**6)", "too much memory"),
    # memory, files, output
    Kind("fills the memory", "kept = []\nwhile True: kept.append(bytearray(10_000_000))", "MemoryError"),
    Kind("opens files without end", "kept = []\nwhile True: kept.append(open(os.devnull))", "Too many open files"),
    Kind("writes a huge file", "with tempfile.TemporaryFile() as file:\n    while True: file.write(bytes(10**6)); file.flush()", "Error"),
    Kind("writes beside itself", "open(__file__ + '.new', 'w').write('x')", "Error"),
    Kind("changes its own file", "open(__file__, 'a').write('# x')", "Error"),
    Kind("deletes its folder", "import shutil\nshutil.rmtree(os.path.dirname(os.path.abspath(__file__)))", "Error"),
    Kind("writes to the home of the user", "import pwd\nopen(os.path.join(pwd.getpwuid(os.getuid()).pw_dir, 'mineproof-was-here'), 'w')", "Error"),
    Kind("makes a link to elsewhere", "os.symlink('/etc', os.path.dirname(os.path.abspath(__file__)) + '/etc')", "Error"),
    Kind("closes everything", "os.closerange(0, 1000)\nprint('x')", ""),
    Kind("answers twice", "for n in range(3, 30): quietly(lambda: os.write(n, b'[\"move\",\"open\",0,null]\\n' * 2))", "more than one answer"),
    Kind("answers with garbage", "for n in range(3, 30): quietly(lambda: os.write(n, b'\\x1b[2J\\xff\\n'))", "process sent"),
    Kind("answers without an end", "for n in range(3, 30): quietly(lambda: os.write(n, b'x' * 3_000_000))", "longer than"),
    # the network and the system
    Kind("connects to the network", "socket.create_connection(('127.0.0.1', 80), 1)", "PermissionError"),
    Kind("listens", "socket.socket().bind(('', 0))", "PermissionError"),
    Kind("asks a socket of the system", "socket.socket(socket.AF_UNIX).connect('/run/systemd/private')", "PermissionError"),
    Kind("takes back its limits", "resource.setrlimit(resource.RLIMIT_NOFILE, (10**6, 10**6))", "ValueError"),
    Kind("makes a namespace", "assert ctypes.CDLL(None).unshare(0x10000000) == 0, 'kept'", "AssertionError: kept"),
    Kind("traces its parent", "assert ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0) == 0, 'kept'", "AssertionError: kept"),
    Kind("answers nonsense", "return 'north'", "accepted: a Decision"),
    Kind("opens an open cell", "return view.opened[0] if view.opened_count else 0", "is open already"),
    Kind("replaces what it runs in", "import mineproof.sandbox.agent_child as child\nchild._Server.reply = None"),
    Kind("patches the game", "import mineproof.game.referee as referee\nreferee.Referee.over = True"),
    Kind("threads without end", "for _ in range(1000): threading.Thread(target=time.sleep, args=(10**6,), daemon=True).start()", "Error"),
    # memory that no limit of a process counts
    _refused("holds memory in a file without a name", "kept = os.memfd_create('x')\nfor _ in range(3000): os.write(kept, bytes(10**6))", "memory and processes"),
    _refused("holds System V memory", "for _ in range(3): call('shmget', 0, 10**9, 0o600)", "memory and processes"),
    _refused("holds System V messages", "call('msgget', 0, 0o600)", "memory and processes"),
    _refused("shares memory with eight children", "for _ in range(8):\n    kept = mmap.mmap(-1, 300_000_000)\n    if os.fork() == 0: kept.write(bytes(300_000_000)); time.sleep(10**6)", "memory and processes"),
    Kind("fills what it may write to", "for n in range(9): open(f'/dev/shm/{n}', 'wb').write(bytes(60_000_000))", "Error", needs="writing files"),
    Kind("starts children that start children that fill memory", "for _ in range(6):\n    if os.fork() == 0:\n        if os.fork() == 0:\n            os.setsid(); kept = bytearray(b'x' * 200_000_000); time.sleep(10**6)\n        os._exit(0)\ntime.sleep(10**6)", "too much memory"),
    Kind("has a flag proved again and again", "from mineproof import Decision, Premises, Proved\nmake = Decision.unflag if view.is_flagged(0) else Decision.flag\nreturn make(0, Proved('x', Premises((0,) * 195_000)))", "no end after"),
    Kind("risks 10^400", "from mineproof import Decision, Guessed\nreturn Decision.open(view.hidden[0], Guessed('x', 1, 10**400))"),
    # files and settings that are its user's, or everybody's
    _refused("takes the rights off a file", "os.chmod(os.__file__, 0)", "writing files"),
    _refused("gives a file away", "os.chown(os.__file__, 1, 1)", "writing files"),
    _refused("dates a file back", "os.utime(os.__file__, (0, 0))", "writing files"),
    Kind("takes the rights off the results", "os.chmod(os.path.join(os.path.dirname(HERE), 'results'), 0)", "Error", needs="writing files"),
    Kind("takes the rights off its folder", "os.chmod(HERE, 0)", "Error", needs="writing files"),
    Kind("sets where the system dumps", "open('/proc/sys/kernel/core_pattern', 'r+b', buffering=0)", "Error", needs="the system"),
    _refused("renames the machine", "socket.sethostname('')", "the system"),
    _refused("becomes another user", "os.setuid(12345)", "the system"),
    Kind("has powers of root", "assert all(int(line.split()[1], 16) == 0 for line in open('/proc/self/status') if line.startswith(('CapEff', 'CapPrm'))), 'SEEN'", needs="the system"),
    # other agents, and the time of others
    _refused("leaves a lock for others to find", "fcntl.lockf(open(os.__file__), fcntl.LOCK_SH)", "messages"),
    _refused("looks for a lock of others", "fcntl.fcntl(open(os.__file__), fcntl.F_GETLK, bytes(32))", "messages"),
    _refused("watches who reads a file", "call('inotify_init')", "messages"),
    Kind("spins with twelve children", "for _ in range(0 if hasattr(self, 'spun') else 12):\n    if os.fork() == 0: SPIN()\nself.spun = True", needs="others' turns"),
    Kind("spins with children of other sessions", "for _ in range(0 if hasattr(self, 'spun') else 6):\n    if os.fork() == 0: os.setsid(); SPIN()\nself.spun = True", needs="others' turns"),
    _refused("winds a clock that wakes it", "call('timer_create', 0, 0, ctypes.create_string_buffer(8))", "messages"),
    _refused("hides from being counted", "call('prctl', 4, 0, 0, 0, 0)", "memory and processes"),
)

CHEATS = (
    Kind(
        "copies the strongest neighbour",
        """
        for path in glob.glob(HERE + "/*.py"):
            if path != os.path.abspath(__file__):
                try:
                    open(path).read()
                except OSError:
                    continue
                raise AssertionError("SEEN " + path)
        """,
        needs="reading files",
    ),
    Kind(
        "tries the names of its neighbours",
        """
        for number in range(200):
            for name in (f"bad{number:03}.py", f"bad{number:03}_honest000.py"):
                if name != os.path.basename(__file__):
                    try:
                        open(os.path.join(HERE, name)).read()
                    except OSError:
                        continue
                    raise AssertionError("SEEN " + name)
        """,
        needs="reading files",
    ),
    Kind(
        "hashes small seeds",
        """
        import hashlib
        from mineproof.board.layout import deal, mine_free_cells
        from mineproof.rng import Purpose, Stream
        first = view.opened[0] if view.opened_count else None
        self.layouts = getattr(self, "layouts", None)
        if first is not None and self.layouts is None:
            free = tuple(sorted(mine_free_cells(view.topology, view.rules.first_click, (HALF(view),))))
            tried = (deal(view.topology, view.rules.mines, seed, index, free)
                     for seed in range(20) for index in range(20))
            self.layouts = [one for one in tried if all(
                not one.is_mine(cell) and one.counts[cell] == view.clue(cell)
                for cell in view.opened)]
        if self.layouts:
            return next(c for c in view.hidden if not self.layouts[0].is_mine(c))
        """.replace("HALF(view)", "len(view) // 2"),
    ),
    Kind(
        "reads command lines",
        """
        lines = [quietly(lambda: open(p, "rb").read()) or b"" for p in glob.glob("/proc/[0-9]*/cmdline")]
        assert not any(b"--seed" in line or b"compare" in line for line in lines), "SEEN"
        """,
    ),
    Kind(
        "reads the memory of others",
        """
        for path in glob.glob("/proc/[0-9]*/mem"):
            if path.split("/")[2] != str(os.getpid()):
                try:
                    open(path, "rb")
                except OSError:
                    continue
                raise AssertionError("SEEN " + path)
        """,
    ),
    Kind(
        "reads the secret from the results",
        """
        for folder in (HERE, os.path.dirname(HERE), os.getcwd()):
            for path in glob.glob(folder + "/*/experiment.toml"):
                try:
                    open(path).read()
                except OSError:
                    continue
                raise AssertionError("SEEN " + path)
        """,
        needs="reading files",
    ),
    Kind(
        "reads the calling frames",
        """
        frame = sys._getframe()
        while frame is not None:
            assert "referee" not in frame.f_locals or not hasattr(
                frame.f_locals["referee"], "view"), "SEEN"
            frame = frame.f_back
        """,
    ),
    Kind(
        "looks through all objects",
        """
        kinds = ("Referee", "Experiment", "Layout")
        found = [o for o in gc.get_objects() if type(o).__name__ in kinds]
        assert not found, "SEEN"
        """,
    ),
)
# fmt: on
"""Routes to the mines. An assertion that says SEEN means that one was open."""
