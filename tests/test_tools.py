"""What `make` runs: the browser it finds or installs, the lists of tests, the trial of wheels."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tools import trial

ROOT = Path(__file__).resolve().parent.parent
LISTS = (ROOT / "tests" / "once.toml", ROOT / "tools" / "site" / "parity_left_out.toml")


# ------------------------------------------------------------------- what is left out, and where


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.name)
def test_what_is_left_out_is_a_test(path: Path) -> None:
    lists = tomllib.loads(path.read_text(encoding="utf-8"))
    entries = [entry for listed in lists.values() for entry in listed]
    assert entries
    assert len(entries) == len(set(entries))
    for entry in entries:
        file, _, test = entry.partition("::")
        assert (ROOT / file).is_file(), entry
        text = (ROOT / file).read_text(encoding="utf-8")
        assert not test or f"def {test.partition('[')[0]}(" in text, entry


# ------------------------------------------------------------------------------------ the browser


def find_browser(folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
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
    done = find_browser(tmp_path, CI="true")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_without_one_it_says_what_is_left_out(tmp_path: Path) -> None:
    done = find_browser(tmp_path)
    assert done.returncode == 0
    assert done.stdout == "--ignore=tests/browser\n"
    assert "apt-get install chromium" in done.stderr
    assert done.stderr.count("\n") == 1


def test_continuous_integration_installs_it(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    words = f'echo "$@" >> {asked}'
    program(tmp_path / "apt-get", words)
    program(tmp_path / "sudo", words)
    done = find_browser(tmp_path, CI="true")
    assert done.returncode == 0
    assert done.stdout == ""
    assert "install -y --no-install-recommends chromium" in asked.read_text()


def test_a_failed_installation_fails(tmp_path: Path) -> None:
    done = find_browser(tmp_path, CI="true")
    assert done.returncode == 1
    assert "could not be installed" in done.stderr


# ---------------------------------------------------------------- what `make test-wheels` would run


@pytest.mark.parametrize("page", trial.PAGES)
def test_every_line_for_a_shell_is_run_or_is_for_a_clone(page: str) -> None:
    shell = [text for kind, text in trial.blocks(page) if kind == "sh"]
    console = [text for kind, text in trial.blocks(page) if kind == "console"]
    printed = [line for text in shell for line in text.splitlines()]
    printed += [line[2:] for text in console for line in text.splitlines() if line[:2] == "$ "]
    tried = list(trial.commands(page))
    assert tried
    assert all(line.startswith(("make ", ".venv/")) for line in printed if line not in tried)
    assert set(tried) <= set(printed)


def test_the_start_page_is_tried_whole() -> None:
    lines = list(trial.commands("docs/index.md"))
    assert "pip install mineproof" in lines
    assert "mineproof coach" in lines
    assert len([line for line in lines if line.startswith("printf")]) == 2
    assert not [line for line in lines if line.startswith("make")]


def test_the_signature_is_the_changelogs() -> None:
    assert re.fullmatch(r"[0-9a-f]{8}", trial.signature())
