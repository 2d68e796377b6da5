"""What `make test-wasm` leaves out, with its reason, is there to be left out."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LEFT_OUT = tomllib.loads((ROOT / "tools" / "site" / "parity_left_out.toml").read_text("utf-8"))


@pytest.mark.parametrize("entry", [one for entries in LEFT_OUT.values() for one in entries])
def test_what_is_left_out_is_a_test(entry: str) -> None:
    path, _, test = entry.partition("::")
    assert (ROOT / path).is_file()
    assert not test or f"def {test.partition('[')[0]}(" in (ROOT / path).read_text("utf-8")
