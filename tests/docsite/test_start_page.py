"""The commands of the start page and the README work as printed, the piped ones in a shell too."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tools.docsite.staging import ROOT

PAGE = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
SHELL = re.findall(r"^ *```sh\n(.*?)^ *```$", PAGE, re.DOTALL | re.MULTILINE)
PIPES = [line for block in SHELL for line in textwrap.dedent(block).splitlines() if "|" in line]


def test_the_positions_of_the_start_page_are_piped() -> None:
    assert len(PIPES) == 2


@pytest.mark.parametrize("line", PIPES)
def test_a_pipe_of_the_start_page(line: str, tmp_path: Path) -> None:
    """Away from the repository: whoever installed a wheel has no examples."""
    folder = Path(sys.executable).parent
    done = subprocess.run(
        ["bash", "-ec", f"set -o pipefail; {line}"],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "0,2" in done.stdout


def test_the_start_page_needs_no_file_of_the_repository() -> None:
    lines = re.findall(r"^ *\$ (mineproof .*)$", PAGE, re.MULTILINE)
    assert len(lines) >= 4
    assert not [line for line in lines if "examples/" in line or "docs/" in line]


def test_the_readme_names_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "\nmake run " in readme
    assert "\nmake test " in readme
    assert "docs/pictures/game.svg" in readme
