"""Make .venv hold mineproof and what it needs: python3 tools/install.py [dev].

The Makefile runs it with the system's python3 before every command. It does nothing if nothing has
changed. Without arguments it installs what running needs, with `dev` the developers' tools too.

- .venv is made with uv if that is on the PATH, else with python3 -m venv and pip.
- Versions come from pins.txt.
- The package is installed editable and the core is built in build/, which is kept: a changed .cpp
  costs what it takes to compile it again, a changed .py costs nothing, a new package a moment.
- Where no C++20 compiler is found a slower pure-Python engine is used, and one line says so.
- .venv/mineproof-install.json says what was installed from which state of the sources. It says
  so only when all is done, so an interrupted install is done again.

The syntax is limited to what any python3 parses, so that an old one gets a clear message.
"""

import sys

OLDEST = (3, 11)


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def fail(message):
    sys.stderr.write("mineproof: " + message + "\n")
    sys.exit(1)


if tuple(sys.version_info[:2]) < OLDEST:
    fail(
        "needs Python 3.11 or later, but python3 is %d.%d.%d; name another one: "
        "make %s PYTHON=python3.12"
        % (tuple(sys.version_info[:3]) + ("test" if "dev" in sys.argv[1:] else "run",))
    )

import fcntl  # noqa: E402
import json  # noqa: E402
import os  # noqa: E402
import re  # noqa: E402
import shutil  # noqa: E402
import subprocess  # noqa: E402
import tempfile  # noqa: E402
import time  # noqa: E402
from pathlib import Path  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "mineproof-install.json"
LOG = ROOT / "build" / "install.log"
PINS = ROOT / "pins.txt"

# What running needs beyond the plain dependencies: names of extras; `dev` is a group.
RUN_EXTRAS = ["lab"]

CXX20 = """
#include <Python.h>
#include <bit>
#include <concepts>
#include <span>
template <std::unsigned_integral T> constexpr int ones(T x) { return std::popcount(x); }
int main() { unsigned a[] = {7}; return ones(std::span<unsigned>(a)[0]) - 3; }
"""


# ------------------------------------------------------------------------------ what is there


def states(paths):
    """The time of the last change and the size of each file: what a rebuild depends on."""
    found = {}
    for path in sorted(paths):
        status = path.stat()
        found[str(path.relative_to(ROOT))] = [status.st_mtime_ns, status.st_size]
    return found


def wanted_state(extras, previous):
    """What .venv/mineproof-install.json should say."""
    tests = ROOT / "cpp" / "tests"
    core = [path for path in (ROOT / "cpp").glob("**/*.?pp") if tests not in path.parents]
    core.append(ROOT / "CMakeLists.txt")
    return {
        "root": str(ROOT),
        "python": "%d.%d" % sys.version_info[:2],
        "extras": sorted(set(extras) | set(previous.get("extras", []))),
        "requirements": states([ROOT / "pyproject.toml", PINS]),
        "core": states(core),
        # An editable install knows the packages of its time; a new one needs another install.
        "packages": sorted(
            str(path.parent.relative_to(ROOT)) for path in ROOT.glob("src/**/__init__.py")
        ),
    }


def read_stamp():
    try:
        return json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return {}


def is_current(extras):
    """Whether .venv holds what is asked for, built from the sources as they are."""
    previous = read_stamp()
    state = wanted_state(extras, previous)
    if not PYTHON.exists() or any(previous.get(key) != state[key] for key in state):
        return False
    return not (previous.get("twins") and find_compiler() is None)


def write_stamp(state):
    temporary = STAMP.with_suffix(".new")
    temporary.write_text(json.dumps(state, indent=1))
    os.replace(str(temporary), str(STAMP))


def venv_works(version):
    """Whether .venv has a python of this version that starts."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        answer = subprocess.run([str(PYTHON), "-c", code], capture_output=True, text=True)
    except OSError:
        return False
    return answer.returncode == 0 and answer.stdout.strip() == version


def find_compiler():
    """(what is missing or None, package that brings it): can the core be compiled here?"""
    names = [os.environ["CXX"]] if os.environ.get("CXX") else ["c++", "g++", "clang++"]
    compilers = [found for found in map(shutil.which, names) if found]
    missing = "no C++20 compiler was found", "g++ (Debian: build-essential)"
    include = subprocess.run(
        [str(PYTHON), "-c", "import sysconfig; print(sysconfig.get_path('include'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    for compiler in compilers:
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "probe.cpp"
            for text, headers in ((CXX20, True), (CXX20.replace("#include <Python.h>", ""), False)):
                source.write_text(text)
                command = [compiler, "-std=c++20", "-fsyntax-only", "-I", include, str(source)]
                if subprocess.run(command, capture_output=True).returncode == 0:
                    if headers:
                        return None
                    missing = "Python.h was not found", "it (Debian: python3-dev)"
    return missing


# ----------------------------------------------------------------------------------- doing it


def step(what, command, env=None):
    """Run `command`, with its output in the log; if it fails, stop and show the end of the log."""
    start = time.monotonic()
    say("  " + what + " ... ")
    with LOG.open("a") as log:
        log.write("\n$ " + " ".join(map(str, command)) + "\n")
        log.flush()
        position = log.tell()
        with subprocess.Popen(
            [str(part) for part in command],
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=str(ROOT),
            env=dict(os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1", **(env or {})),
        ) as running:
            try:
                if sys.stdout.isatty():
                    show_progress(running, what, position)
                running.wait()
            except BaseException:  # such as Ctrl-C
                running.kill()
                raise
    if running.returncode != 0:
        say("failed\n\n")
        with LOG.open(errors="replace") as log:
            log.seek(position)
            lines = log.read().splitlines()
        sys.stderr.write("\n".join("    " + line for line in lines[-40:]) + "\n\n")
        fail(what + " failed; the whole log is in " + str(LOG.relative_to(ROOT)))
    say("%.0f s\n" % (time.monotonic() - start))


def show_progress(running, what, position):
    """On a terminal: how many files of how many are compiled, as the log says."""
    shown = ""
    while running.poll() is None:
        time.sleep(0.2)
        with LOG.open(errors="replace") as log:
            log.seek(position)
            counts = re.findall(r"\[(\d+)/(\d+)\] Building", log.read())
        text = "%s of %s files ... " % counts[-1] if counts else ""
        if text != shown:
            say("\r\033[K  " + what + " ... " + text)
            shown = text
    if shown:
        say("\r\033[K  " + what + " ... ")


def make_venv(uv):
    if VENV.exists() and not (VENV / "pyvenv.cfg").exists() and any(VENV.iterdir()):
        fail(".venv exists but is not a virtual environment; move it away")
    # Not sys.executable: that may be inside the old .venv, which is about to be deleted.
    python = getattr(sys, "_base_executable", sys.executable)
    if uv:
        command = [uv, "venv", "--clear", "--python", python, VENV]
    else:
        try:
            import ensurepip  # noqa: F401
            import venv  # noqa: F401
        except ImportError:
            fail("python3 has no venv; install it (Debian: python3-venv) or put uv on the PATH")
        command = [python, "-m", "venv", "--clear", VENV]
    step("making .venv with Python %d.%d.%d" % sys.version_info[:3], command)


def installer(uv):
    """The command that installs into .venv."""
    if uv:
        return [uv, "pip", "install", "--python", PYTHON, "-c", PINS]
    check = [str(PYTHON), "-m", "pip", "--version"]
    if subprocess.run(check, capture_output=True).returncode != 0:
        step("adding pip to .venv", [PYTHON, "-m", "ensurepip"])
    return [PYTHON, "-m", "pip", "install", "-c", PINS]


def build_requirements():
    """The build backend and, if the system lacks them, CMake and ninja."""
    code = (
        "from scikit_build_core.build import get_requires_for_build_editable as requires;"
        "print('\\n'.join(requires()))"
    )
    answer = subprocess.run(
        [str(PYTHON), "-c", code], capture_output=True, text=True, cwd=str(ROOT)
    )
    return answer.stdout.split() if answer.returncode == 0 else []


def requirements(extras):
    """The build tools, the dependencies, and those of the extras and groups of pyproject.toml."""
    import tomllib

    with (ROOT / "pyproject.toml").open("rb") as file:
        pyproject = tomllib.load(file)
    # Read here, because pip knows groups only since 25.1.
    optional = dict(pyproject["project"]["optional-dependencies"], **pyproject["dependency-groups"])
    found = pyproject["build-system"]["requires"] + pyproject["project"]["dependencies"]
    todo = list(extras)
    while todo:
        for requirement in optional[todo.pop()]:
            own = re.match(r"mineproof\[([\w, ]+)\]$", requirement)
            if own:
                todo.extend(re.findall(r"\w+", own.group(1)))
            else:
                found.append(requirement)
    return found


def install(state, previous, uv):
    """Bring .venv to `state`, starting from the state that the stamp records."""
    LOG.write_text("")
    if previous.get("root") != state["root"] or not venv_works(state["python"]):
        make_venv(uv)
        previous = {}
    pip = installer(uv)

    # Until all is done the stamp names no core, so that a failure or an interruption is noticed.
    done = {key: state[key] for key in ("root", "python", "extras", "requirements")}
    if any(previous.get(key) != done[key] for key in done):
        write_stamp(dict(done, requirements=None))
        what = "installing what mineproof needs"
        if state["extras"]:
            what += ", with " + ", ".join(state["extras"])
        step(what, pip + requirements(state["extras"]))
    write_stamp(done)

    lacking = find_compiler()
    if lacking is None:
        more = build_requirements()
        if more:
            step("installing " + ", ".join(more), pip + more)
        what = "building the core, installing mineproof"
        env = {"MINEPROOF_REQUIRE_CORE": "1"}
        setting = "build-dir=build/{wheel_tag}"
    else:
        what, env, setting = "installing mineproof without the core", {}, "wheel.cmake=false"
    flags = ["-v", "--no-deps", "--no-build-isolation", "--config-settings=" + setting]
    step(what, pip + flags + ["-e", ROOT], env)
    write_stamp(dict(state, twins=lacking))
    if lacking:
        say("mineproof: %s, so a slower pure-Python engine is used; install %s\n" % lacking)


def main(arguments):
    unknown = [name for name in arguments if name != "dev"]
    if unknown:
        fail("unknown argument " + repr(unknown[0]) + "; accepted: dev")
    extras = RUN_EXTRAS + arguments
    if is_current(extras):
        return
    say("mineproof: setting up .venv (log: build/install.log)\n")
    LOG.parent.mkdir(exist_ok=True)
    with LOG.with_suffix(".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say("  waiting for another make that does the same\n")
            fcntl.flock(lock, fcntl.LOCK_EX)
        if is_current(extras):  # another make has just done it
            return
        previous = read_stamp()
        install(wanted_state(extras, previous), previous, shutil.which("uv"))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        say("\n")
        sys.stderr.write("mineproof: interrupted; run the same command to resume\n")
        sys.exit(130)
