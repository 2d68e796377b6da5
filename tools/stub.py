"""Write src/mineproof/_core.pyi from the compiled core; with --check, say whether it is current."""

from __future__ import annotations

import argparse
import difflib
import importlib
import sys
from pathlib import Path

from nanobind.stubgen import StubGen

STUB = Path(__file__).resolve().parent.parent / "src" / "mineproof" / "_core.pyi"


def generate() -> str | None:
    """The stub of the installed core, or None where none was compiled."""
    try:
        core = importlib.import_module("mineproof._core")
    except ModuleNotFoundError:
        return None
    generator = StubGen(module=core)
    generator.put(core)
    return str(generator.get())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, report differences")
    check = parser.parse_args().check
    wanted = generate()
    if wanted is None:
        print("stub: not checked, the core is not compiled here")
        return 0
    found = STUB.read_text() if STUB.exists() else ""
    if found == wanted:
        print("stub: _core.pyi matches the core")
        return 0
    if check:
        old, new = (text.splitlines(keepends=True) for text in (found, wanted))
        sys.stdout.writelines(difflib.unified_diff(old, new, "_core.pyi", "the compiled core"))
        print("stub: _core.pyi differs from the core; write it again with: make stub")
        return 1
    STUB.write_text(wanted)
    print("stub: wrote _core.pyi")
    return 0


if __name__ == "__main__":
    sys.exit(main())
