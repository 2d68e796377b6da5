"""What `make test` does about the browser: uses it, installs it for CI, or says what is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def run(folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tools.browser"],
        cwd=ROOT,
        env={"PATH": str(folder), **env},
        capture_output=True,
        text=True,
    )


def program(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_a_browser_that_is_there_is_used(tmp_path: Path) -> None:
    program(tmp_path / "chromium", "exit 0")
    done = run(tmp_path, CI="true")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_without_one_it_says_what_is_left_out(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.returncode == 0
    assert done.stdout == "--ignore=tests/browser\n"
    assert "apt-get install chromium" in done.stderr
    assert done.stderr.count("\n") == 1


def test_continuous_integration_installs_it(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    words = f'echo "$@" >> {asked}'
    program(tmp_path / "apt-get", words)
    program(tmp_path / "sudo", words)
    done = run(tmp_path, CI="true")
    assert done.returncode == 0
    assert done.stdout == ""
    assert "install -y --no-install-recommends chromium" in asked.read_text()


def test_a_failed_installation_fails(tmp_path: Path) -> None:
    done = run(tmp_path, CI="true")
    assert done.returncode == 1
    assert "could not be installed" in done.stderr
