"""Do the wheels in dist/ do what the pages print? python3 -m tools.trial [PYTHON ...]

For every Python from 3.11 on that is on this machine, or for those named:

- a fresh environment, and a PATH with nothing else on it: no compiler, no make;
- `pip install mineproof` as printed, where pip finds it in dist/, its needs in the package index;
- every block of Python and every command of the README, the start page and the first tutorial, in
  an empty folder;
- the coach is asked for its page and ended by Ctrl-C; `uvx` runs where it can be installed;
- `mineproof bench` gives the signature that CHANGELOG.md names.

`--pure` offers pip the pure wheel only; what needs the core is left out then. Lines for a clone
(make, .venv) are no business of a wheel.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.docsite.console import steps
from tools.wheels import DIST, ROOT, fail, interpreters

PAGES = ("README.md", "docs/index.md", "docs/tutorials/solve.md")
NEEDS_CORE = {"docs/tutorials/solve.md"}  # its advice plays rollouts
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
FOR_A_CLONE = ("make ", ".venv/")
PLAIN = ("dirname", "realpath")  # what uv's launcher calls
COMPILERS = ("cc", "c++", "gcc", "g++", "clang", "clang++", "cmake", "make", "zig")
SECONDS = 600  # for what should take a few
DOCTEST = """
import doctest, sys
test = doctest.DocTestParser().get_doctest(sys.stdin.read(), {}, sys.argv[1], sys.argv[1], 0)
sys.exit(doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed > 0)
"""


@dataclass(frozen=True)
class Place:
    """An environment, its PATH, and a folder to work in."""

    python: Path
    folder: Path
    env: dict[str, str]

    def start(self, command: Sequence[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env=self.env,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def run(self, what: str, command: Sequence[str], given: str = "") -> str:
        """What a command prints; it is to end well."""
        with self.start(command) as child:
            try:
                said, _ = child.communicate(given, timeout=SECONDS)
            except subprocess.TimeoutExpired:
                child.kill()
                raise
        if child.returncode != 0:
            fail(f"{what}: exit status {child.returncode}\n{said}")
        return said

    def shell(self, line: str) -> str:
        return self.run(line, [found("bash"), "-ec", f"set -o pipefail; {line}"])


def found(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise SystemExit(f"mineproof: there is no {name}")
    return path


def blocks(page: str) -> Iterator[tuple[str, str]]:
    """The kind and the text of every block of a page; one in a tab is indented."""
    for _, kind, text in BLOCK.findall((ROOT / page).read_text(encoding="utf-8")):
        yield kind, textwrap.dedent(text)


def commands(page: str) -> Iterator[str]:
    """Every command of a page that is for whoever has installed a wheel."""
    for kind, text in blocks(page):
        if kind in {"console", "sh"}:
            lines = text.splitlines()
            for command in [one for one, _ in steps(text)] if kind == "console" else lines:
                if not command.startswith(FOR_A_CLONE):
                    yield command


def serve(place: Place, line: str) -> None:
    """Start the coach as printed, ask for its page, end it as Ctrl-C does."""
    child = place.start([found("bash"), "-ec", f"exec {line}"])
    assert child.stdout
    try:
        said = ""
        for told in child.stdout:
            said += told
            if address := re.search(r"http://\S+", told):
                break
        else:
            raise SystemExit(f"mineproof: {line}: named no address\n{said}")
        with urllib.request.urlopen(address[0], timeout=SECONDS) as answer:
            page = answer.read().decode()
        if "<title>" not in page:
            fail(f"{line}: its page is none")
        child.send_signal(signal.SIGINT)
        child.wait(SECONDS)
    finally:
        child.kill()
        child.stdout.close()
    if child.returncode not in (0, 130):
        fail(f"{line}: exit status {child.returncode} after Ctrl-C")


def run_command(place: Place, line: str) -> None:
    if line.startswith("pip install"):
        line = line.replace("pip install", "python -m pip install")  # the PATH's pip is the same
    if line.split("#")[0].split()[-1] == "coach":
        serve(place, line)
    else:
        place.shell(line)


def run_page(place: Place, page: str) -> int:
    """Run what a page prints; how many commands and blocks of Python that was."""
    lines = [line for line in commands(page) if "uvx" not in line or "UV_PYTHON" in place.env]
    for line in lines:
        run_command(place, line)
    told = [text for kind, text in blocks(page) if kind == "python"]
    if told:
        place.run(page, [str(place.python), "-c", DOCTEST, page], "\n".join(told))
    return len(lines) + len(told)


# ------------------------------------------------------------------------------ environments


def offered(pure: bool) -> list[Path]:
    wheels = sorted(DIST.glob("*.whl"))
    return [path for path in wheels if not pure or path.name.endswith("-none-any.whl")]


def with_uv(python: str, folder: Path) -> Path | None:
    """Where uvx is, in an environment of its own, if this Python can have it."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--quiet"]
    done = subprocess.run([*pip, "install", "uv"], capture_output=True)
    return folder / "bin" if done.returncode == 0 else None


def settle(python: str, folder: Path, pure: bool) -> Place:
    """A fresh environment with pip in it, and no compiler to be found."""
    home, files, work = folder / "home", folder / "files", folder / "work"
    subprocess.run([python, "-m", "venv", home], check=True)
    files.mkdir()
    for wheel in offered(pure):
        shutil.copy(wheel, files)
    work.mkdir()
    plain = folder / "plain"
    plain.mkdir()
    for name in PLAIN:
        (plain / name).symlink_to(found(name))
    uv = with_uv(python, folder / "uv")
    path = os.pathsep.join(map(str, filter(None, [home / "bin", uv, plain])))
    kept = ("PIP_", "UV_", "SSL_", "LANG", "LC_", "HTTP", "http", "TMP")
    env = {key: value for key, value in os.environ.items() if key.startswith(kept)}
    links = [str(files), *env.get("PIP_FIND_LINKS", "").split()]
    env |= {
        "PATH": path,
        "HOME": str(folder),
        "PIP_FIND_LINKS": " ".join(links),
        "PIP_ONLY_BINARY": ":all:",
    }
    if uv:
        env |= {"UV_PYTHON": python, "UV_FIND_LINKS": str(files), "UV_PYTHON_DOWNLOADS": "never"}
    for name in COMPILERS:
        if shutil.which(name, path=path):
            fail(f"{name} is on the PATH of the trial")
    return Place(home / "bin" / "python", work, env)


def signature() -> str:
    told = re.search(r"^Signature: (\w+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert told
    return told[1]


def try_python(python: str, pure: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = settle(python, Path(folder), pure)
        place.shell("python -m pip install --disable-pip-version-check mineproof")
        version = place.run("its version", [str(place.python), "-VV"]).split("(")[0].strip()
        core = place.shell("mineproof --version").strip()
        pages = [page for page in PAGES if not (pure and page in NEEDS_CORE)]
        count = sum(run_page(place, page) for page in pages)
        said = "" if pure else place.shell("mineproof bench")
        if signature() not in said and not pure:
            fail(f"{version}: the signature is not {signature()}\n{said}")
        uvx = "with uvx" if "UV_PYTHON" in place.env else "without uvx"
        print(f"{version}: {core}: {count} commands and blocks as printed, {uvx}", flush=True)


def newest() -> Iterator[str]:
    """One interpreter for every version from 3.11 on."""
    code = "import sys, ensurepip; print(*sys.version_info[:2])"
    seen = set()
    for python in interpreters():
        asked = subprocess.run([python, "-c", code], capture_output=True, text=True)
        version = tuple(map(int, asked.stdout.split()))
        if version >= (3, 11) and version not in seen:
            seen.add(version)
            yield python


def main(arguments: Sequence[str]) -> None:
    pure = "--pure" in arguments
    pythons = [one for one in arguments if one != "--pure"] or list(newest())
    if not offered(pure):
        fail("there is no wheel in dist/; make wheels builds them")
    for python in pythons:
        try_python(python, pure)


if __name__ == "__main__":
    main(sys.argv[1:])
