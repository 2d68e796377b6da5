"""The signature is the one that CHANGELOG.md names: a change of behaviour has to be said there."""

from __future__ import annotations

import re
from pathlib import Path

from mineproof.lab.signature import PARTS, PartDigest, sign, total
from tests.core import needs_core

CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"

WITHOUT_CORE = {
    "deals": "0c20bec99df1baec",
    "games": "17a6057d69177c56",
    "games with uncertain clues": "25411243169816db",
    "proofs": "0dcf5da470883fd2",
    "endgames": "4271ba74a5b6bee6",
}
"""The parts that core and twins work out alike, so that the suite without the core checks them."""


@needs_core
def test_the_signature_is_the_one_in_the_changelog():
    named = re.search(r"^Signature: (\d{8}) ", CHANGELOG.read_text(encoding="utf-8"), re.M)
    assert named is not None, "CHANGELOG.md names no signature"
    assert f"{total(sign()):08d}" == named[1], "behaviour changed: name what and why in CHANGELOG"


def test_core_and_twins_agree_on_what_both_can_do():
    shared = [part for part in PARTS if not part.needs_core]
    assert {one.name: one.digits for one in sign(shared)} == WITHOUT_CORE


def test_a_missing_part_leaves_no_signature():
    assert total([PartDigest("deals", "00"), PartDigest("games in the core", None)]) is None


def test_every_part_counts():
    parts = [PartDigest("deals", "00"), PartDigest("games", "11")]
    assert total(parts) != total([PartDigest("deals", "00"), PartDigest("games", "12")])
    assert total(parts) != total([PartDigest("deals", "01"), PartDigest("games", "11")])
