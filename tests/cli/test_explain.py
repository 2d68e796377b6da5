"""`mineproof explain` and `mineproof check-proof`, with good and bad input."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.cli.conftest import Command

SHORT = "square 3x3 mines=2\n1..\n12.\n01.\n"
STUCK = "square 1x3 mines=1\n.1.\n"
CLASH = "square 2x4 mines=3\n1..1\n2..1\n"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def position(tmp_path: Path) -> str:
    file = tmp_path / "position.txt"
    file.write_text(SHORT, encoding="utf-8")
    return str(file)


def put(tmp_path: Path, name: str, text: str) -> str:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return str(tmp_path / name)


def test_a_sentence_and_its_premises(command: Command, position: str) -> None:
    ran = command("explain", position, "--cell", "0,2")
    assert ran.status == 0
    assert "so 0,2 is safe." in ran.out
    assert "premises: 0,0 1,1 2,1; 3 clues; no fewer would do" in ran.out


def test_json_is_a_proof_that_can_be_checked(
    command: Command, position: str, tmp_path: Path
) -> None:
    ran = command("explain", position, "--cell", "0,2", "--json")
    found = json.loads(ran.out)
    assert found["cell"] == [0, 2]
    assert found["certain"] == "safe"
    assert found["premises"] == [[0, 0], [1, 1], [2, 1]]
    assert (found["uses_total"], found["smallest"]) == (False, True)
    assert found["technique"] == "3 clues"
    kept = put(tmp_path, "proof.json", ran.out)
    assert command("check-proof", kept, position).status == 0


def test_an_uncertain_cell_has_two_witnesses(
    command: Command, position: str, tmp_path: Path
) -> None:
    found = json.loads(command("explain", position, "--cell", "1,2", "--json").out)
    assert found["certain"] is None
    assert sorted(found["witnesses"]) == [[[0, 1], [1, 2]], [[0, 1], [2, 2]]]
    ran = command("explain", position, "--cell", "1,2", "--proof", str(tmp_path / "none.proof"))
    assert "1,2 is not certain" in ran.out
    checked = command("check-proof", str(tmp_path / "none.proof"), position)
    assert checked.out == "accepted: 1,2 is uncertain: 2 solutions show it\n"


def test_all_of_it(command: Command, position: str, tmp_path: Path) -> None:
    picture, kept = tmp_path / "all.svg", str(tmp_path / "all.proof")
    ran = command("explain", position, "--all", "--svg", str(picture), "--proof", kept)
    assert ran.status == 0
    assert "0,1 (single clue)" in ran.out
    assert "2 cells are not certain" in ran.out
    assert ran.out.startswith("  0  1  2\n0 1  X  ok")
    root = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
    said = {title.text for title in root.findall(".//{*}g/{*}title")}
    assert {"0,1: hidden, proved a mine", "0,2: hidden, proved safe", "1,2: hidden"} <= said
    checked = command("check-proof", kept, position)
    assert checked.status == 0
    assert checked.out.count("accepted") == 3
    whole = put(tmp_path, "all.json", command("explain", position, "--all", "--json").out)
    assert command("check-proof", whole, position).out.count("accepted") == 3


def test_nothing_is_certain(command: Command, tmp_path: Path) -> None:
    stuck, kept = put(tmp_path, "stuck.txt", STUCK), str(tmp_path / "none.proof")
    ran = command("explain", stuck, "--all", "--proof", kept)
    assert "No hidden cell is certain" in ran.out
    assert command("check-proof", kept, stuck).status == 0


@pytest.mark.parametrize("cell", ["0,2", "1,2"])
def test_pictures(command: Command, position: str, tmp_path: Path, cell: str) -> None:
    picture = tmp_path / "proof.svg"
    assert command("explain", position, "--cell", cell, "--svg", str(picture)).status == 0
    root = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
    said = [title.text or "" for title in root.findall(".//{*}g/{*}title")]
    words = "proved safe" if cell == "0,2" else "a mine in the first solution"
    assert any(words in text for text in said)


def test_a_clash_is_its_own_proof(command: Command, tmp_path: Path) -> None:
    clash, kept = put(tmp_path, "clash.txt", CLASH), str(tmp_path / "clash.proof")
    ran = command("explain", clash, "--all", "--proof", kept)
    assert ran.status == 3
    assert "premises: 0,0 1,0" in ran.out
    assert ran.err.count("\n") == 1
    assert "0,0 and 1,0 clash" in ran.err
    assert command("check-proof", kept, clash).status == 0


# More than one set of four clues clashes here.
CLASHES = """square 9x9 mines=10
...201.10
...311110
....31000
.1...1000
..3221000
..1000000
..1000000
..1000000
..1000000
"""


def test_the_error_names_the_clues_of_the_proof(command: Command, tmp_path: Path) -> None:
    ran = command("explain", put(tmp_path, "clashes.txt", CLASHES), "--all")
    premises = re.search(r"premises: (.*);.*;", ran.out)
    assert premises is not None
    *first, last = premises[1].split()
    assert ran.err.endswith(f"the clues at {' '.join(first)} and {last} clash\n")


CROWDED = f"square 1x60 mines=12\n{'.1.' * 20}\n"
COUNTED = f"square 1x66 mines=20\n{'.1.' * 20}......\n"
NAME = re.compile(r"(?<![\d,])\d+,\d+")


@pytest.mark.parametrize(("text", "status"), [(CROWDED, 3), (COUNTED, 0)])
@pytest.mark.parametrize("options", [["--all"], ["--cell", "0,65"], ["--cell", "0,0"]])
def test_nothing_is_a_wall_of_coordinates(
    command: Command, tmp_path: Path, text: str, status: int, options: list[str]
) -> None:
    """Proofs of twenty premises: the texts count them, the document names them."""
    if options[-1] == "0,65" and text == CROWDED:
        options = ["--cell", "0,59"]
    position, kept = put(tmp_path, "position.txt", text), str(tmp_path / "kept.proof")
    ran = command("explain", position, *options, "--proof", kept)
    assert ran.status == status
    for line in (ran.out + ran.err).splitlines():
        for sentence in line.split(". "):
            assert len(NAME.findall(sentence)) <= 9, sentence
    if options[-1] == "0,65":
        assert "premises: 20 clues mines=20; mine count" in ran.out
        assert Path(kept).read_text(encoding="utf-8").count("premise 0,") == 20
    if status:
        assert "and 6 more and the 12 mines clash" in ran.err
    assert command("check-proof", kept, position).status == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--cell", "0,0"], "0,0 is open already"),
        (["--cell", "7,7"], "not on the board"),
        (["--cell", "nonsense"], "cannot be read"),
        ([], "one of --cell R,C and --all"),
        (["--cell", "0,2", "--all"], "one of --cell R,C and --all"),
        (["--all", "--budget", "-1"], "--budget -1"),
        (["--all", "--svg", "/no/such/folder/x.svg"], "cannot be written"),
        (["--all", "--proof", "/no/such/folder/x"], "cannot be written"),
    ],
)
def test_bad_input(command: Command, position: str, options: list[str], said: str) -> None:
    ran = command("explain", position, *options)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_changed_and_foreign_proofs(command: Command, position: str, tmp_path: Path) -> None:
    kept = tmp_path / "one.proof"
    assert command("explain", position, "--cell", "0,2", "--proof", str(kept)).status == 0
    text = kept.read_text(encoding="utf-8")
    changed = put(tmp_path, "changed", text.replace("2,1 shows 1", "2,1 shows 2"))
    ran = command("check-proof", changed, position)
    assert (ran.status, ran.out) == (1, "rejected: 0,2 is safe: the premise 2,1 shows 1, not 2\n")
    turned = put(tmp_path, "turned", text.replace("claim 0,2 safe", "claim 0,2 mine"))
    ran = command("check-proof", turned, position)
    assert ran.out == "rejected: 0,2 is a mine: the premises say that 0,2 is safe\n"
    ran = command("check-proof", str(kept), put(tmp_path, "other", STUCK))
    assert ran.status == 2
    assert "another position" in ran.err
    for malformed in ("", "nonsense", "{", text.replace("claim", "clam")):
        ran = command("check-proof", put(tmp_path, "malformed", malformed), position)
        assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert command("check-proof", str(kept), position, "--budget", "1").status == 4
    assert command("check-proof", str(kept), position, "--budget", "0").status == 2
    assert command("check-proof", "-", "-").status == 2


def test_the_samples_of_the_page_come_out_again() -> None:
    """Sentences and pictures of docs/proofs.md are what the program says today."""
    spec = importlib.util.spec_from_file_location("samples", ROOT / "docs/pictures/proofs.py")
    assert spec is not None
    assert spec.loader is not None
    samples = importlib.util.module_from_spec(spec)
    sys.modules["samples"] = samples
    spec.loader.exec_module(samples)
    page = (ROOT / "docs" / "proofs.md").read_text(encoding="utf-8")
    assert samples.section() in page
    stored = list(samples.stored())
    assert len(stored) == len(samples.SAMPLES) == 12
    for number, view, proof in stored:
        picture = ROOT / "docs" / "pictures" / "proofs" / f"{number:02d}.svg"
        assert picture.read_text(encoding="utf-8") == samples.draw_proof(view, proof)


@pytest.mark.parametrize(
    ("options", "said"),
    [((), "no cell is named"), (("--cell", "0,2", "--all"), "both --cell and --all are given")],
)
def test_it_asks_for_one_of_cell_and_all(
    command: Command, position: str, options: tuple[str, ...], said: str
) -> None:
    ran = command("explain", position, *options)
    assert ran.status == 2
    assert ran.err == f"mineproof: {said}; accepted: one of --cell R,C and --all\n"
