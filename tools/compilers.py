"""Does the core compile without a warning, whatever the compiler lacks? python3 tools/compilers.py

Every source of the core is read by g++ and by clang++, as far as they are installed. Those that
128-bit integers, AVX2 or threads are something to are read without them too, and without all three.
Where the tools of `make wheels` are installed (build/wheels), zig reads all of it for other
machines: 32 bits, ARM, macOS, Windows, WebAssembly. A warning is an error. Nothing is linked; `make
test-compilers` runs the core's tests without all three after this.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "cpp"
ZIG = ROOT / "build" / "wheels" / "tools" / "bin" / "python"
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", f"-I{CORE}"]
READ = "-fsyntax-only"
SWITCHES = {
    "128-bit integers": ["MINEPROOF_NO_INT128"],
    "AVX2": ["MINEPROOF_NO_AVX2"],
    "threads": ["MINEPROOF_NO_THREADS"],
    "all three": ["MINEPROOF_NO_INT128", "MINEPROOF_NO_AVX2", "MINEPROOF_NO_THREADS"],
}
MACHINES = [
    "x86-linux-musl",
    "arm-linux-musleabihf",
    "aarch64-linux-gnu",
    "aarch64-macos",
    "x86_64-windows-gnu",
    "wasm32-wasi",
]


def sources() -> list[Path]:
    """Every source of the core, without its bindings."""
    found = sorted(path.relative_to(CORE) for path in CORE.rglob("*.cpp"))
    left_out = {"bindings", "bindings.cpp", "fuzz", "tests"}
    return [CORE / path for path in found if path.parts[0] not in left_out]


def text_of(source: Path) -> str:
    """A source with every header of the core that it includes."""
    seen: dict[Path, str] = {}
    open_files = [source]
    while open_files:
        path = open_files.pop()
        if path not in seen:
            seen[path] = path.read_text()
            for name in re.findall(r'^#include "(.+)"', seen[path], re.MULTILINE):
                homes = [home for home in (path.parent, CORE) if (home / name).exists()]
                open_files.append((homes[0] / name).resolve())
    return "".join(seen.values())


@dataclass(frozen=True)
class Variant:
    """A compiler, what it is told, and what it reads."""

    name: str
    command: list[str]
    sources: list[Path]


def variants() -> Iterator[Variant]:
    every = {source: text_of(source) for source in sources()}
    for compiler in ("g++", "clang++"):
        if shutil.which(compiler) is None:
            print(f"{compiler}: not installed, left out")
            continue
        yield Variant(compiler, [compiler, READ], list(every))
        for name, switches in SWITCHES.items():
            touched = [one for one, text in every.items() if any(map(text.__contains__, switches))]
            defines = [f"-D{switch}" for switch in switches]
            yield Variant(f"{compiler} without {name}", [compiler, READ, *defines], touched)
    if ZIG.exists():
        for machine in MACHINES:
            # Zig cannot read alone: it looks for the object that it asked for.
            zig = [str(ZIG), "-m", "ziglang", "c++", "-target", machine, "-O0", "-c"]
            yield Variant(f"zig's clang++ for {machine}", zig, list(every))
    else:
        print("zig: not installed (make wheels installs it), other machines are left out")


def complaint(command: list[str], source: Path) -> str:
    """What the compiler says of a source; nothing where it is content."""
    with tempfile.TemporaryDirectory() as folder:  # for what is compiled
        done = subprocess.run(
            [*command, *FLAGS, str(source)], capture_output=True, text=True, cwd=folder
        )
    said = done.stdout + done.stderr
    return said or (f"{source}: exit status {done.returncode}\n" if done.returncode else "")


def main(wanted: list[str]) -> None:
    bad = 0
    for one in variants():
        if wanted and not any(word in one.name for word in wanted):
            continue
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            said = "".join(pool.map(partial(complaint, one.command), one.sources))
        outcome = "no warning" if not said else "see below"
        print(f"{one.name}: {len(one.sources)} files, {outcome}", flush=True)
        sys.stdout.write(said)
        bad += bool(said)
    if bad:
        sys.exit(f"mineproof: {bad} of the compilers above complain")


if __name__ == "__main__":
    main(sys.argv[1:])
