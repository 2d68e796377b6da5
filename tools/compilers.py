"""Does the core compile without a warning, whatever the compiler lacks? python3 tools/compilers.py

Every source of the core is read by g++ and by clang++, as far as they are installed: as it is, and
without 128-bit integers, without AVX2, without threads, without all three. Where the tools of `make
wheels` are installed (build/wheels), zig reads it for other machines as well: 32 bits, ARM, macOS,
Windows, WebAssembly. A warning is an error. Nothing is linked; `make test-compilers` runs the
core's tests without all three after this.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "cpp"
ZIG = ROOT / "build" / "wheels" / "tools" / "bin" / "python"
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", "-fsyntax-only", f"-I{CORE}"]
WITHOUT = {"128-bit integers": "INT128", "AVX2": "AVX2", "threads": "THREADS"}
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


def variants() -> dict[str, list[str]]:
    """What is tried: its name and its command."""
    found = {}
    for compiler in ("g++", "clang++"):
        if shutil.which(compiler) is None:
            print(f"{compiler}: not installed, left out")
            continue
        found[compiler] = [compiler]
        for name, switch in WITHOUT.items():
            found[f"{compiler} without {name}"] = [compiler, f"-DMINEPROOF_NO_{switch}"]
        bare = [f"-DMINEPROOF_NO_{switch}" for switch in WITHOUT.values()]
        found[f"{compiler} without all three"] = [compiler, *bare]
    if ZIG.exists():
        for machine in MACHINES:
            zig = [str(ZIG), "-m", "ziglang", "c++", "-target", machine]
            found[f"clang++ for {machine}"] = zig
    else:
        print("zig: not installed (make wheels installs it), other machines are left out")
    return found


def complaint(command: list[str], source: Path) -> str:
    """What the compiler says of a source; nothing where it is content."""
    done = subprocess.run([*command, *FLAGS, str(source)], capture_output=True, text=True)
    said = done.stdout + done.stderr
    return said or (f"{source}: exit status {done.returncode}\n" if done.returncode else "")


def main(wanted: list[str]) -> None:
    bad = 0
    for name, command in variants().items():
        if wanted and not any(word in name for word in wanted):
            continue
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            said = "".join(pool.map(lambda source: complaint(command, source), sources()))  # noqa: B023
        print(f"{name}: {'no warning' if not said else 'see below'}", flush=True)
        sys.stdout.write(said)
        bad += bool(said)
    if bad:
        sys.exit(f"mineproof: {bad} of the compilers above complain")


if __name__ == "__main__":
    main(sys.argv[1:])
