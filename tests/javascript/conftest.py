"""The built package, and node to run it: what `make test-js` needs."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tools.site.javascript import MADE, build_package

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def package() -> Path:
    """The folder of the package, with what has changed built anew."""
    return build_package() if not (MADE / "mineproof.wasm").exists() else MADE


@pytest.fixture(scope="session")
def ask(package: Path) -> Callable[[Sequence[dict[str, Any]]], list[Any]]:
    """Asks the package about positions."""

    def asked(questions: Sequence[dict[str, Any]]) -> list[Any]:
        command = ["node", str(HERE / "answers.mjs"), str(package / "index.js")]
        text = json.dumps(questions)
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr
        found: list[Any] = json.loads(done.stdout)
        return found

    return asked
