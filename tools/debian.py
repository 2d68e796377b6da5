"""Programs of Debian's packages that `make` needs: found, or with CI=true installed with apt."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

__all__ = ["in_ci", "install"]

BUILD = Path(__file__).resolve().parent.parent / "build"


def in_ci() -> bool:
    """Whether what is missing is to be installed."""
    return os.environ.get("CI") == "true"


def install(package: str, purpose: str) -> None:
    """Install a package. Raises SystemExit."""
    sys.stderr.write(f"mineproof: installing {package} for {purpose}\n")
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    BUILD.mkdir(exist_ok=True)
    log = BUILD / f"apt-{package}.log"
    with log.open("w") as out:
        for words in ("update", f"install -y --no-install-recommends {package}"):
            command = [*sudo, "apt-get", "-qq", *words.split()]
            try:
                done = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT).returncode
            except OSError:
                done = 1
            # A package list that could not be updated may still have the package.
            if done and "install" in words:
                sys.exit(f"mineproof: {package} could not be installed; the log is in {log}")
