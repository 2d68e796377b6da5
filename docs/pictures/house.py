"""Draw house.svg, the layers of the package: run this file. With --check, compare instead of draw.

The floors come from the import contract in pyproject.toml, the arcs from the imports themselves. An
arc that follows from two others is left out: `lab` imports `board`, but also `game`, which does.
"""

from __future__ import annotations

import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import grimp

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGE = ROOT / "src" / "mineproof"
PICTURE = HERE / "house.svg"
BASE = "base"
"""The modules that are no package, drawn as one row."""

ROW, GAP, TOP = 22, 8, 44
NAME, BAR, ARCS = 16, 100, 470
WIDTH, ARC = 760, 22
LINES_A_PIXEL = 22
MOST_CHANGE = 0.1
"""A size may change by this share before the picture counts as out of date."""
PAPER, FLOOR, INK, FAINT, FILL = "#ffffff", "#eef4f4", "#1c2b33", "#5d6c74", "#2f8f8b"
SHADES = ("#0d6467", "#b0562c", "#5b4a9e", "#3c7a2f", "#9a2f5c", "#73651a")


@dataclass(frozen=True)
class House:
    """What the picture shows: the floors from the top, sizes of packages, and the arcs."""

    floors: tuple[tuple[str, ...], ...]
    sizes: dict[str, tuple[int, int]]
    arcs: frozenset[tuple[str, str]]

    def row(self, package: str) -> float:
        """The height of the middle of a package's row."""
        above = TOP
        for floor in self.floors:
            if package in floor:
                return above + GAP / 2 + ROW * (floor.index(package) + 0.5)
            above += GAP + ROW * len(floor)
        raise KeyError(package)


def read_house() -> House:
    """The house as the sources have it."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        contract = tomllib.load(file)["tool"]["importlinter"]["contracts"][0]
    layers = [tuple(re.findall(r"\((\w+)\)", layer)) for layer in contract["layers"]]
    floors = [
        tuple(name for name in layer if (PACKAGE / name).is_dir()) or (BASE,)
        for layer in layers
        if layer != ("__main__",)
    ]
    packages = {name for floor in floors for name in floor} - {BASE}
    sizes = {name: _size(sorted((PACKAGE / name).rglob("*.py"))) for name in packages}
    sizes[BASE] = _size([path for path in PACKAGE.glob("*.py") if path.stem != "__main__"])
    arcs = _arcs(packages)
    # On one floor the importing package stands above the imported one.
    ordered = [tuple(sorted(floor, key=lambda name: _depth(name, floor, arcs))) for floor in floors]
    return House(tuple(ordered), sizes, arcs)


def _depth(name: str, floor: tuple[str, ...], arcs: frozenset[tuple[str, str]]) -> int:
    """How many packages of its floor import a package."""
    return sum((other, name) in arcs for other in floor)


def _size(files: list[Path]) -> tuple[int, int]:
    """The number of files and of their lines."""
    return len(files), sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)


def _arcs(packages: set[str]) -> frozenset[tuple[str, str]]:
    """Which package imports which, without what follows from the others."""
    graph = grimp.build_graph("mineproof", exclude_type_checking_imports=True)
    imported: dict[str, set[str]] = {name: set() for name in (*packages, BASE)}
    for module in sorted(graph.modules):
        for other in graph.find_modules_directly_imported_by(module):
            ours, theirs = (name.split(".")[1] if "." in name else BASE for name in (module, other))
            ours, theirs = (name if name in packages else BASE for name in (ours, theirs))
            if ours not in (theirs, BASE):
                imported[ours].add(theirs)
    reached: dict[str, set[str]] = {}

    def reach(name: str) -> set[str]:
        if name not in reached:
            reached[name] = imported[name].union(*map(reach, imported[name]))
        return reached[name]

    return frozenset(
        (name, other)
        for name, others in imported.items()
        for other in others
        if not any(other in reach(between) for between in others - {other})
    )


def draw(house: House) -> str:
    """The picture as SVG, every number in it rounded, so that it is the same on every machine."""
    height = TOP + sum(GAP + ROW * len(floor) for floor in house.floors) + GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}"'
        ' font-family="system-ui, sans-serif" font-size="13">',
        "<title>The layers of mineproof: each imports only from those below it</title>",
        f'<rect width="{WIDTH}" height="{height}" rx="6" fill="{PAPER}"/>',
        f'<text x="{NAME}" y="22" fill="{FAINT}">package</text>',
        f'<text x="{BAR}" y="22" fill="{FAINT}">lines, and modules</text>',
        f'<text x="{ARCS}" y="22" fill="{FAINT}">imports (dot: the imported package)</text>',
    ]
    above = TOP
    for number, floor in enumerate(house.floors):
        tall = GAP + ROW * len(floor)
        if number % 2 == 0:
            parts.append(
                f'<rect x="6" y="{above}" width="{WIDTH - 12}" height="{tall}" fill="{FLOOR}"/>'
            )
        above += tall
    for floor in house.floors:
        for name in floor:
            parts += _row(name, house.row(name), *house.sizes[name])
    shades = {name: SHADES[i % len(SHADES)] for i, name in enumerate(sum(house.floors, ()))}
    parts += [_arc(*arc, house, shades[arc[0]]) for arc in sorted(house.arcs)]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _row(name: str, middle: float, files: int, lines: int) -> list[str]:
    base, length = middle + 4.5, round(lines / LINES_A_PIXEL)
    return [
        f'<text x="{NAME}" y="{base:g}" fill="{INK}" font-weight="600" data-files="{files}"'
        f' data-lines="{lines}">{name}</text>',
        f'<rect x="{BAR}" y="{middle - 6:g}" width="{length}" height="12" fill="{FILL}"/>',
        f'<text x="{BAR + length + 6}" y="{base:g}" fill="{FAINT}" font-size="11">'
        f"{round(lines, -2):,} in {files}</text>",
    ]


def _arc(name: str, other: str, house: House, shade: str) -> str:
    """From the importing row to the imported one, the wider the farther they are apart."""
    start, end = house.row(name), house.row(other)
    wide = round(14 + ARC * ((end - start) / ROW) ** 0.85)
    return (
        f'<path d="M{ARCS} {start:g}C{ARCS + wide} {start:g} {ARCS + wide} {end:g} {ARCS} {end:g}"'
        f' fill="none" stroke="{shade}" stroke-width="1.4" data-arc="{name} {other}"/>'
        f'<circle cx="{ARCS}" cy="{end:g}" r="3" fill="{shade}"/>'
    )


def complaints(house: House, picture: str) -> list[str]:
    """Where the picture no longer shows the house: floors and arcs exactly, sizes about."""
    drawn = {
        name: (int(files), int(lines))
        for files, lines, name in re.findall(
            r'data-files="(\d+)"\s+data-lines="(\d+)">(\w+)<', picture
        )
    }
    wrong = []
    if list(drawn) != [name for floor in house.floors for name in floor]:
        wrong.append("the packages or their order differ")
    arcs = {(name, other) for name, other in re.findall(r'data-arc="(\w+) (\w+)"', picture)}
    wrong += [f"{a} imports {b}, which is not drawn" for a, b in sorted(house.arcs - arcs)]
    wrong += [f"an arc from {a} to {b} is drawn" for a, b in sorted(arcs - house.arcs)]
    for name, (_, lines) in house.sizes.items():
        shown = drawn.get(name, (0, 0))[1]
        if abs(lines - shown) > MOST_CHANGE * lines:
            wrong.append(f"{name} has {lines} lines, drawn as {shown}")
    return wrong


def main(arguments: list[str]) -> int:
    house = read_house()
    if arguments != ["--check"]:
        PICTURE.write_text(draw(house), encoding="utf-8")
        return 0
    wrong = complaints(house, PICTURE.read_text(encoding="utf-8"))
    for line in wrong:
        sys.stderr.write(f"docs/pictures/house.svg: {line}\n")
    if wrong:
        sys.stderr.write("draw it again: .venv/bin/python docs/pictures/house.py\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
