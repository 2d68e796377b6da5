"""Update pins.txt: the newest versions that pyproject.toml accepts, for every extra and group.

Resolves in a throw-away environment of the oldest Python that is supported, so that the versions
exist for the newer ones too. Run it with that Python, then `make check test` with each of them.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINS = ROOT / "pins.txt"
# scikit-build-core asks for these where the system has none.
BUILD_PROGRAMS = ["cmake", "ninja"]


def requirements() -> list[str]:
    """Everything that pyproject.toml names, build tools, extras and groups included."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"].values()
    groups = project["dependency-groups"].values()
    named = [
        *project["build-system"]["requires"],
        *project["project"]["dependencies"],
        *(requirement for named in (*extras, *groups) for requirement in named),
        *BUILD_PROGRAMS,
    ]
    return [requirement for requirement in named if not requirement.startswith("mineproof")]


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    oldest = project["requires-python"].removeprefix(">=").split(",")[0]
    if "{}.{}".format(*sys.version_info) != oldest:
        sys.exit(f"run this with Python {oldest}, the oldest that is supported")
    header = [line for line in PINS.read_text().splitlines() if line.startswith("#")]
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        pip = [f"{folder}/bin/python", "-m", "pip", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--quiet", *requirements()], check=True)
        frozen = subprocess.run(
            [*pip, "freeze"], check=True, capture_output=True, text=True
        ).stdout.splitlines()
    if any("@" in line for line in frozen):
        sys.exit("a pin holds an address; nothing was written")
    PINS.write_text("\n".join([*header, *frozen]) + "\n")
    print(f"wrote {len(frozen)} pins")


if __name__ == "__main__":
    main()
