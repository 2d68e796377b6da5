"""What the site is made of and was made by others, by name, version and hash, kept under build/.

Pyodide comes from npm, python-sat's wheel for WebAssembly from PyPI. numpy's wheel is on neither by
itself: Pyodide's own release has it, and so does the wheel of open-webui on PyPI, which is large,
so that only the one member is read. Its hash stands in Pyodide's list of packages.
"""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from pathlib import Path

__all__ = ["numpy_wheel", "pyodide_folder", "sat_wheel"]

ROOT = Path(__file__).resolve().parent.parent.parent
KEPT = ROOT / "build" / "site-parts"

PYODIDE = "0.28.3"
PYODIDE_SHA256 = "bc3accb122c2c5d840b26ce56b100a21ab94aea4fe387a5b5c072ec6a88b7a62"
SAT = "1.9.dev17"
SAT_SHA256 = "daca058bcba3db046a3dbbfa8213a7a31e89bde0896a7036501aefd13d1a0f0b"
_PLATFORM = ("--python-version", "3.13", "--abi", "cp313", "--only-binary", ":all:")
_CARRIER = "open-webui==0.9.6"
"""A package whose wheel holds the numpy of this Pyodide."""


def pyodide_folder() -> Path:
    """The files of npm's package."""
    folder = KEPT / f"pyodide-{PYODIDE}"
    if not (folder / "done").exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = ["npm", "pack", "--silent", f"pyodide@{PYODIDE}", "--pack-destination", folder]
        _run([str(part) for part in command], "npm's pyodide could not be downloaded")
        (packed,) = folder.glob("*.tgz")
        _check(packed.read_bytes(), PYODIDE_SHA256, packed.name)
        with tarfile.open(packed) as archive:
            for member in archive:
                if member.isfile():
                    found = archive.extractfile(member)
                    assert found is not None
                    (folder / Path(member.name).name).write_bytes(found.read())
        packed.unlink()
        (folder / "done").touch()
    return folder


def sat_wheel() -> Path:
    """python-sat's wheel for this Pyodide."""
    made = next(KEPT.glob(f"python_sat-{SAT}-*.whl"), None)
    if made is None:
        KEPT.mkdir(parents=True, exist_ok=True)
        tags = [*_PLATFORM, "--platform", "pyemscripten_2025_0_wasm32"]
        pip = [sys.executable, "-m", "pip", "-q", "download", "--no-deps", *tags]
        command = [*pip, "-d", str(KEPT), f"python-sat=={SAT}"]
        _run(command, "PyPI's python-sat for WebAssembly could not be downloaded")
        made = next(KEPT.glob(f"python_sat-{SAT}-*.whl"))
    _check(made.read_bytes(), SAT_SHA256, made.name)
    return made


def numpy_wheel(given: Path | None = None) -> Path:
    """numpy's wheel for this Pyodide: the one that is given, or from PyPI. Raises SystemExit."""
    listed = json.loads((pyodide_folder() / "pyodide-lock.json").read_text())["packages"]["numpy"]
    name, sha256 = str(listed["file_name"]), str(listed["sha256"])
    if given is not None:
        _check(given.read_bytes(), sha256, str(given))
        return given
    made = KEPT / name
    if not made.exists():
        data = _member(_CARRIER, name)
        _check(data, sha256, name)
        made.write_bytes(data)
    return made


def _check(data: bytes, sha256: str, name: str) -> None:
    if hashlib.sha256(data).hexdigest() != sha256:
        sys.exit(f"mineproof: {name} is not the file that was expected (its SHA-256 differs)")


def _run(command: list[str], failed: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.stderr.write(done.stderr)
        sys.exit(f"mineproof: {failed}")


# -- one member of a large wheel -------------------------------------------------------------------


def _member(requirement: str, name: str) -> bytes:
    """The bytes of one file in a wheel, without the rest of it."""
    print(f"reading {name} from the wheel of {requirement}", flush=True)
    report = KEPT / "report.json"
    pip = [sys.executable, "-m", "pip", "-q", "install", "--dry-run", "--ignore-installed"]
    tags = ["--python-version", "3.12", "--only-binary", ":all:", "--target", str(KEPT / "none")]
    command = [*pip, "--no-deps", *tags, "--report", str(report), requirement]
    _run(command, f"PyPI's {requirement} was not found; numpy's wheel can be given by --numpy FILE")
    address = json.loads(report.read_text())["install"][0]["download_info"]["url"]
    remote = io.BufferedReader(_RemoteFile(address), 1 << 20)  # type: ignore[type-var]
    with zipfile.ZipFile(remote) as wheel:
        found = next((one for one in wheel.namelist() if Path(one).name == name), None)
        if found is None:
            sys.exit(f"mineproof: {requirement} has no {name}; it can be given by --numpy FILE")
        return wheel.read(found)


class _RemoteFile(io.RawIOBase):
    """A file on a server that gives parts of it, read as they are wanted."""

    def __init__(self, address: str) -> None:
        self._address, self._at = address, 0
        asked = urllib.request.Request(address, method="HEAD")
        with urllib.request.urlopen(asked, timeout=60) as answer:
            self._size = int(answer.headers["Content-Length"])

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = start + offset
        return self._at

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        end = min(self._size, self._at + len(buffer))
        if end <= self._at:
            return 0
        part = {"Range": f"bytes={self._at}-{end - 1}"}
        asked = urllib.request.Request(self._address, headers=part)
        with urllib.request.urlopen(asked, timeout=60) as answer:
            if answer.status != 206:
                sys.exit("mineproof: the index gives no parts of files; see --numpy FILE")
            data = answer.read()
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)
