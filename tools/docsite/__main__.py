"""Build the site of the docs into build/docs: `python -m tools.docsite`, or `make docs`.

Zensical builds it strictly, then every link and anchor is checked. A warning is a failure. The
coach without a server, where `make site` has built it, is put under play/.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from tools.docsite.checking import complaints
from tools.docsite.navigation import toml
from tools.docsite.staging import ROOT, stage

CONFIG = Path(__file__).with_name("zensical.toml")
PLACE = "# The navigation is written here.\n"
COACH = ROOT / "build" / "site"
PLAYED = "play"
QUIET = {
    f"{page}.html"
    for page in (
        "benchmarks",
        "changelog",
        "code-of-conduct",
        "contributing",
        "reports",
        "security",
    )
}
"""Pages that search finds by their names alone."""


def build(folder: Path, coach: Path | None = None) -> list[str]:
    """Build the site below a folder, as `site`, with a coach; what is wrong, a line each."""
    pages = stage(folder / "pages", None if coach is None else PLAYED)
    config = CONFIG.read_text(encoding="utf-8")
    assert config.count(PLACE) == 1
    (folder / "zensical.toml").write_text(config.replace(PLACE, toml(pages)), encoding="utf-8")
    if (folder / "site").exists():
        shutil.rmtree(folder / "site")
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    done = subprocess.run(
        [*command, "--config-file", "zensical.toml"], cwd=folder, capture_output=True, text=True
    )
    said = done.stdout + done.stderr
    if done.returncode != 0 or "No issues found" not in said:
        return [line for line in said.splitlines() if line.strip()]
    for index in ("search.json", "search.js"):
        _quieten(folder / "site" / index)
    if coach is not None:
        shutil.copytree(coach, folder / "site" / PLAYED)
    return list(complaints(folder / "site", PLAYED))


def _quieten(index: Path) -> None:
    """Leave of these pages only their names in the index, so that guides are found first."""
    start, brace, rest = index.read_text(encoding="utf-8").partition("{")
    found, end = json.JSONDecoder().raw_decode(brace + rest)
    kept = []
    for item in found["items"]:
        page, _, part = item["location"].partition("#")
        if page not in QUIET:
            kept.append(item)
        elif not part:
            kept.append({**item, "text": ""})
    text = json.dumps({**found, "items": kept}, ensure_ascii=False, separators=(",", ":"))
    index.write_text(start + text + (brace + rest)[end:], encoding="utf-8")


def main() -> int:
    folder = ROOT / "build" / "docs"
    folder.mkdir(parents=True, exist_ok=True)
    wrong = build(folder, COACH if (COACH / "index.html").exists() else None)
    for line in wrong:
        print(line, file=sys.stderr)
    if wrong:
        return 1
    pages = len(list((folder / "site").rglob("*.html")))
    print(f"docs: {pages} pages, without a warning: {folder.relative_to(ROOT)}/site/index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
