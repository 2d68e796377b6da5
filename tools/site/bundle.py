"""The Python of the site: bytecode of the modules that the coach needs, in two packs.

`start` holds what a game is begun and analysed with. `rest` comes while one plays already: what
proofs and other views need, and all that may ever be imported. Which is which is not guessed: the
coach is run in Pyodide under node, and says what it has loaded.
"""

from __future__ import annotations

import gzip
import io
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

from tools.site.core_module import MODULE, core_module, python_of_pyodide
from tools.site.downloads import numpy_wheel, pyodide_folder, sat_wheel
from tools.site.emscripten import ROOT

__all__ = ["PACKAGES", "bundle"]

STAGE = ROOT / "build" / "site-python"
PACKAGES = "/lib/python3.13/site-packages/"
_LIBRARY = "/lib/python3.13/"
_NOT_OURS = ("lab/report.py", "reports", "envs", "tasks", "testing", "picture", "cli", "web/static")
"""Parts of mineproof that no page needs."""
_DROPPED = ("tests", "f2py", "distutils", "_pyinstaller", "examples")
"""Parts of numpy and python-sat that no program needs."""
_RECORDER = Path(__file__).with_name("record.mjs")


def bundle(given_numpy: Path | None = None) -> dict[str, bytes]:
    """The standard library and both packs, each compressed, by the names of their files."""
    shutil.rmtree(STAGE, ignore_errors=True)
    with zipfile.ZipFile(pyodide_folder() / "python_stdlib.zip") as archive:
        archive.extractall(STAGE / "library")
    packages = STAGE / "packages"
    for wheel in (numpy_wheel(given_numpy), sat_wheel()):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(packages)
    _copy_ours(packages / "mineproof")
    _compile("library", _LIBRARY)
    _compile("packages", PACKAGES)
    library = _files(STAGE / "library", ())
    others = _files(packages, _DROPPED)
    (STAGE / "library.zip").write_bytes(_zipped(library))
    (STAGE / "packages.pack").write_bytes(_packed(others, PACKAGES))
    started = _recorded()
    begun = {name: data for name, data in library.items() if name.split("/")[0] in started}
    first = {
        name: data
        for name, data in others.items()
        if PACKAGES + name in started or (name.startswith("mineproof/") and "/lab/" not in name)
    }
    rest = {_LIBRARY + name: data for name, data in library.items() if name not in begun}
    rest |= {PACKAGES + name: data for name, data in others.items() if name not in first}
    return {
        "library.bin": gzip.compress(_zipped(begun), 9, mtime=0),
        "start.bin": gzip.compress(_packed(first, PACKAGES), 9, mtime=0),
        "rest.bin": gzip.compress(_packed(rest, ""), 9, mtime=0),
    }


def _copy_ours(folder: Path) -> None:
    source = ROOT / "src" / "mineproof"

    def left_out(where: str, names: list[str]) -> Iterable[str]:
        inside = Path(where).relative_to(source)
        dropped = [name for name in names if str(inside / name) in _NOT_OURS]
        return [
            *dropped,
            *(name for name in names if name.endswith((".so", ".pyi", "__pycache__"))),
        ]

    shutil.copytree(source, folder, ignore=left_out)
    shutil.copy(core_module(), folder / MODULE)


def _compile(name: str, prefix: str) -> None:
    """Bytecode in place of the sources, as the pinned Python reads it."""
    folder = STAGE / name
    words = ["-m", "compileall", "-b", "-q", "-j", "0", "--invalidation-mode", "unchecked-hash"]
    where = ["-s", str(folder), "-p", prefix.rstrip("/"), str(folder)]
    done = subprocess.run([python_of_pyodide(), *words, *where], capture_output=True, text=True)
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        sys.exit(f"mineproof: {name} could not be compiled to bytecode")
    for source in folder.rglob("*.py"):
        source.unlink()


def _files(folder: Path, dropped: Iterable[str]) -> dict[str, bytes]:
    """What is imported or read, by its path in the folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if not path.is_file() or set(inside.parts) & set(dropped):
            continue
        if path.suffix in (".pyc", ".so", ".gz"):
            found[str(inside)] = path.read_bytes()
    return found


def _zipped(files: dict[str, bytes]) -> bytes:
    """A zip without compression, the same for the same files."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return made.getvalue()


def _packed(files: dict[str, bytes], prefix: str) -> bytes:
    """The length of an index, the index (paths with their sizes, as JSON), then all bytes."""
    index = json.dumps([[prefix + name, len(data)] for name, data in files.items()]).encode()
    return b"".join([len(index).to_bytes(4, "little"), index, *files.values()])


def _recorded() -> set[str]:
    """Of the standard library the first parts of paths, of packages the paths that were loaded."""
    command = ["node", str(_RECORDER), str(pyodide_folder()), str(STAGE)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.stderr.write(done.stderr[-4000:])
        sys.exit("mineproof: the coach did not run in Pyodide")
    loaded: list[str] = json.loads(done.stdout.splitlines()[-1])
    inside = [name.partition("python313.zip/")[2] for name in loaded]
    return {name.split("/")[0] for name in inside if name} | set(loaded)
