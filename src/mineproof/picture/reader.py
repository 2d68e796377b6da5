"""A picture of a board as a position, with what is doubtful in it.

`read` takes a file, `read_pixels` the pixels. What cannot be read is refused in one line that says
what was seen.
"""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mineproof.errors import InputError, MissingLibrary, NotationError, as_int, quoted
from mineproof.files import read_bytes
from mineproof.picture import cells as cells_
from mineproof.picture.counter import read_counter
from mineproof.picture.grid import LEAST_SIDE, Grid, candidates
from mineproof.picture.network import KINDS, Floats, Pixels, chances, sample

if TYPE_CHECKING:
    from mineproof.view.view import View

MAX_BYTES = 16 * 2**20
MAX_PIXELS = 12_000_000
_MOST_TRIED = 6
_FEW = 90
"""So many cells of a grid are enough to compare it with others."""
_MOST_MISFIT = 0.3
_MOST_CHANGED = 8
_MOST_SETTLED = 24
"""Where more cells are doubtful, the rules are not asked about each."""
_UNLIKELY = 0.01
_ACCEPTED = "a picture of one square Minesweeper board, cells of 10 to 120 pixels"

_SIGNATURES = {
    b"\x89PNG\r\n\x1a\n": "PNG", b"\xff\xd8\xff": "JPEG", b"GIF87a": "GIF", b"GIF89a": "GIF",
    b"BM": "BMP", b"II*\0": "TIFF", b"MM\0*": "TIFF", b"RIFF": "WEBP",
}  # fmt: skip
_DECODED = ("PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF")
_DRAWN = {b"%PDF": "a PDF", b"<svg": "an SVG", b"<?xml": "XML", b"%!PS": "PostScript"}


def kind_of(data: bytes) -> str | None:
    """The kind of picture that a file begins as; None for what is none."""
    for signature, kind in _SIGNATURES.items():
        if data.startswith(signature):
            if kind == "WEBP" and data[8:12] != b"WEBP":
                continue
            if kind == "BMP" and (len(data) < 26 or data[6:10] != b"\0\0\0\0"):
                continue  # a text may begin with these two letters
            return kind
    return None


def is_picture(data: bytes) -> bool:
    """Whether a file begins as a picture that can be decoded."""
    return kind_of(data) is not None


@dataclass(frozen=True)
class Reading:
    """A board as it was read.

    Rows are written with `.` hidden, `F` flag, `Q` question mark, `0` to `8`, `*` mine, `X`
    exploded mine, `!` wrong flag. `proposed` are single cells or pairs whose change gives a
    position without a solution one; none is made.
    """

    rows: tuple[str, ...]
    mines: int | None
    doubtful: tuple[tuple[int, int], ...]
    proposed: tuple[tuple[tuple[int, int, str], ...], ...]
    consistent: bool
    grid: Grid
    confidence: float

    @property
    def look(self) -> str:
        """The picture's cells in words, such as `cells of 27x27 pixels from (293, 151)`."""
        grid = self.grid
        return (
            f"cells of {grid.width:.4g}x{grid.height:.4g} pixels from"
            f" ({round(grid.left)}, {round(grid.top)})"
        )

    def to_json(self) -> dict[str, Any]:
        """The object that `read --json` prints."""
        return {
            "rows": len(self.rows),
            "cols": len(self.rows[0]),
            "mines": self.mines,
            "board": list(self.rows),
            "doubtful": [list(cell) for cell in self.doubtful],
            "proposed": [[list(change) for change in one] for one in self.proposed],
            "consistent": self.consistent,
            "look": self.look,
        }

    def view(self) -> View:
        """The position, doubtful cells as they were read. Raises NotationError without mines."""
        if self.mines is None:
            rows, cols = len(self.rows), len(self.rows[0])
            raise NotationError(
                f"a board of {rows} rows and {cols} columns, but its picture does not tell how many"
                " mines it has; accepted: --mines 10 (in Python mines=10)"
            )
        return cells_.position(list("".join(self.rows)), len(self.rows), self._cols, self.mines)

    @property
    def _cols(self) -> int:
        return len(self.rows[0])

    def svg(self) -> str:
        """The board as it was read, doubtful cells marked."""
        from mineproof.view.svg import draw_svg

        view = cells_.position(list("".join(self.rows)), len(self.rows), self._cols, None)
        marked = [row * self._cols + col for row, col in self.doubtful]
        return draw_svg(view, marked=marked)

    def sure_view(self) -> View:
        """The position. Raises NotationError where a cell is doubtful."""
        if self.doubtful:
            named = ", ".join(f"{r},{c} as {self.rows[r][c]}" for r, c in self.doubtful[:4]) + (
                ", ..." if len(self.doubtful) > 4 else ""
            )
            raise NotationError(
                f"doubtful cells: {named}; accepted: what `mineproof read` prints, with these"
                " cells corrected"
            )
        return self.view()


# ------------------------------------------------------------------------------------------- files


def read(source: str | Path, mines: int | None = None) -> Reading:
    """The board of a picture: a file, or standard input for `-`. Raises InputError."""
    return read_data(read_bytes(source, MAX_BYTES), mines)


def read_data(data: bytes, mines: int | None = None) -> Reading:
    """The board of a picture's bytes. Raises InputError."""
    return read_pixels(decode(data), mines)


def read_view(data: bytes, mines: int | str | None = None) -> View:
    """The position of a picture's bytes. Raises InputError, also where a cell is doubtful."""
    if isinstance(mines, str):
        if not mines.isdecimal() or len(mines) > 6:
            raise InputError(f"mines {quoted(mines)}; accepted: a whole number, for a picture")
        mines = int(mines)
    return read_data(data, mines).sure_view()


def decode(data: bytes) -> Pixels:
    """The pixels of a PNG, JPEG, WebP, GIF, BMP or TIFF. Raises InputError."""
    kind = kind_of(data)
    if kind is None:
        drawn = next(
            (name for sign, name in _DRAWN.items() if data[:400].lstrip().startswith(sign)), None
        )
        raise NotationError(f"{drawn or 'not a picture'}; accepted: a PNG, JPEG or WebP")
    try:
        from PIL import Image, ImageOps
    except ImportError:
        raise MissingLibrary("pictures need", "Pillow", "'mineproof[picture]'") from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=_DECODED) as image:
                width, height = image.size
                if width * height > MAX_PIXELS:
                    raise NotationError(
                        f"a picture of {width}x{height} pixels; accepted: at most"
                        f" {MAX_PIXELS // 10**6} million"
                    )
                if getattr(image, "n_frames", 1) > 1 and kind != "TIFF":
                    raise NotationError("an animated picture; accepted: a single picture")
                image.load()
                turned = ImageOps.exif_transpose(image)
                if turned.mode.startswith(("I", "F")):  # 16 bits and more
                    deep = np.asarray(turned, dtype=np.float64)
                    most = 65535.0 if deep.max() > 255 else 255.0
                    grey = np.clip(deep * (255 / most), 0, 255).astype(np.uint8)
                    return np.repeat(grey[..., None], 3, axis=2)
                if turned.mode in ("RGBA", "LA", "PA") or "transparency" in turned.info:
                    clear = turned.convert("RGBA")
                    ground = Image.new("RGBA", clear.size, (255, 255, 255, 255))
                    turned = Image.alpha_composite(ground, clear)
                return np.asarray(turned.convert("RGB"))
    except NotationError:
        raise
    except Image.DecompressionBombError:
        raise NotationError(
            f"a picture of too many pixels; accepted: at most {MAX_PIXELS // 10**6} million"
        ) from None
    except MemoryError:
        raise NotationError("a picture too large to decode; accepted: a smaller one") from None
    except Exception as error:  # a decoder may raise anything on a damaged file
        reason = quoted(str(error).splitlines()[0] if str(error) else type(error).__name__)
        raise NotationError(
            f"a {kind} that cannot be decoded: {reason}; accepted: a whole picture"
        ) from None


# ------------------------------------------------------------------------------------------ boards


@dataclass(frozen=True)
class _Trial:
    """A grid, the cells on it and what they may show."""

    grid: Grid
    cells: Pixels
    given: Floats

    @property
    def misfit(self) -> float:
        return float(self.given[:, -1].mean())

    @property
    def score(self) -> float:
        grid = self.grid
        return (1 - self.misfit) ** 3 * grid.support**2 * float(np.sqrt(grid.rows * grid.cols))


def _trial(pixels: Pixels, grid: Grid, most: int | None = None) -> _Trial:
    """The cells of a grid, or of some of its rows where `most` cells are enough."""
    ys = grid.ys
    if most is not None and grid.rows * grid.cols > most:
        ys = ys[:: -(-grid.rows * grid.cols // most)]
    cells = sample(pixels, ys, grid.xs)
    # Cells that are the same pixel by pixel are asked about once.
    numbers: dict[bytes, int] = {}
    place = [numbers.setdefault(cell.tobytes(), len(numbers)) for cell in cells]
    _, first = np.unique(place, return_index=True)
    return _Trial(grid, cells, chances(cells[first])[place])


def read_pixels(pixels: Pixels, mines: int | None = None) -> Reading:
    """The board of a picture: height x width x 3 bytes. Raises InputError."""
    if pixels.ndim != 3 or pixels.shape[2] < 3 or pixels.dtype != np.uint8:
        raise InputError("pixels must be an array of bytes: height x width x 3")
    if pixels.shape[0] * pixels.shape[1] > MAX_PIXELS:
        raise NotationError(
            f"a picture of {pixels.shape[1]}x{pixels.shape[0]} pixels; accepted: at most"
            f" {MAX_PIXELS // 10**6} million"
        )
    if mines is not None and as_int(mines, "mines") < 0:
        raise InputError(f"mines {mines}; accepted: 0 or more")
    pixels = np.ascontiguousarray(pixels[..., :3])
    grids = candidates(pixels)
    if not grids:
        raise NotationError(f"no board: no grid of square cells is seen; accepted: {_ACCEPTED}")
    trials = [_trial(pixels, grid, _FEW) for grid in grids[:_MOST_TRIED]]
    best = max(trials, key=lambda trial: trial.score)
    best = _adjusted(_trial(pixels, best.grid))
    grid = best.grid
    size = f"a grid of {grid.rows}x{grid.cols}"
    if best.misfit > _MOST_MISFIT:
        raise NotationError(f"no board: {size}, but not of Minesweeper; accepted: {_ACCEPTED}")
    for trial in trials:
        other = trial.grid
        if (
            not other.overlaps(grid)
            and trial.misfit < _MOST_MISFIT
            and other.rows * other.cols >= 0.4 * grid.rows * grid.cols
            and other.support > 0.7
        ):
            raise NotationError(
                f"two boards: {size} and one of {other.rows}x{other.cols}; accepted: a picture"
                " of one"
            )
    labels = cells_.label(best.cells, best.given, grid.rows, grid.cols)
    marks = labels.marks()
    if cells_.misfits(marks, grid.rows, grid.cols) > 0.25:
        raise NotationError(
            f"no board: {size}, but its numbers fit no Minesweeper position; accepted: {_ACCEPTED}"
        )
    opened = any(mark.isdigit() and mark != "0" for mark in marks)
    if not opened and (
        labels.plain_hidden < 0.6 or sum(mark == "." for mark in marks) < 0.5 * len(marks)
    ):
        raise NotationError(f"no board: {size} plain cells without a number; accepted: {_ACCEPTED}")
    return _judged(pixels, best, labels, marks, mines)


def _adjusted(trial: _Trial) -> _Trial:
    """The trial without border rows and columns that show no cells of a board."""
    for _ in range(6):
        grid = trial.grid
        other = trial.given[:, -1].reshape(grid.rows, grid.cols)
        ends = {
            "top": other[0].mean(), "bottom": other[-1].mean(),
            "left": other[:, 0].mean(), "right": other[:, -1].mean(),
        }  # fmt: skip
        worst = max(ends, key=lambda end: ends[end])
        # Counters and buttons above a board may lie on its lines.
        usual = float(np.median(other.mean(axis=1)))
        if ends[worst] < 0.18 + 2 * usual or min(grid.rows, grid.cols) <= LEAST_SIDE:
            break
        keep = np.ones((grid.rows, grid.cols), dtype=bool)
        top, left, rows, cols = grid.top, grid.left, grid.rows, grid.cols
        match worst:
            case "top":
                keep[0], top, rows = False, top + grid.height, rows - 1
            case "bottom":
                keep[-1], rows = False, rows - 1
            case "left":
                keep[:, 0], left, cols = False, left + grid.width, cols - 1
            case _:
                keep[:, -1], cols = False, cols - 1
        kept = keep.ravel()
        smaller = Grid(top, left, grid.height, grid.width, rows, cols, grid.support)
        trial = _Trial(smaller, trial.cells[kept], trial.given[kept])
    return trial


def _judged(
    pixels: Pixels, trial: _Trial, labels: cells_.Labels, marks: list[str], mines: int | None
) -> Reading:
    """The reading, with what the rules say about it."""
    grid = trial.grid
    rows, cols = grid.rows, grid.cols
    doubtful = labels.doubtful.copy()
    wrong = cells_.clash(marks, rows, cols, None)
    proposed: list[tuple[tuple[int, int, str], ...]] = []
    if wrong is not None:
        doubtful[list(wrong)] = True
        for change in _changes(trial, labels, marks, wrong):
            proposed.append(tuple((*divmod(cell, cols), mark) for cell, mark in change))
            doubtful[[cell for cell, _ in change]] = True
    else:
        doubtful &= ~_settled(trial, doubtful, marks)
    flag = KINDS.index("F")
    flags_sure = not any(
        marks[cell] == "F" or trial.given[cell][flag] > 0.1 for cell in np.flatnonzero(doubtful)
    )
    # A counter counts mines without a flag: a doubtful flag makes the sum doubtful.
    if mines is None and flags_sure:
        left = read_counter(pixels, grid)
        if left is not None:
            mines = left + marks.count("F")
            if wrong is None and cells_.clash(marks, rows, cols, mines) is not None:
                mines = None  # a counter that does not fit is not believed
    lines = tuple("".join(marks[r * cols : (r + 1) * cols]) for r in range(rows))
    return Reading(
        lines,
        None if mines is None else int(mines),
        tuple(divmod(int(cell), cols) for cell in np.flatnonzero(doubtful)),
        tuple(proposed),
        wrong is None,
        grid,
        float(labels.chance.mean()),
    )


def _settled(trial: _Trial, doubtful: NDArray[np.bool_], marks: list[str]) -> NDArray[np.bool_]:
    """The doubtful cells that can be nothing else: any other likely kind leaves no solution."""
    settled = np.zeros(len(marks), dtype=bool)
    places = np.flatnonzero(doubtful)
    if len(places) > _MOST_SETTLED:
        return settled
    rows, cols = trial.grid.rows, trial.grid.cols
    for cell in places.tolist():
        odds = trial.given[cell]
        others = [
            KINDS[kind]
            for kind in np.flatnonzero(odds[:-1] > _UNLIKELY)
            if KINDS[kind] != marks[cell]
        ]
        settled[cell] = odds[-1] < 0.2 and all(
            cells_.clash([*marks[:cell], other, *marks[cell + 1 :]], rows, cols, None) is not None
            for other in others
        )
    return settled


def _changes(
    trial: _Trial, labels: cells_.Labels, marks: list[str], wrong: tuple[int, ...]
) -> list[tuple[tuple[int, str], ...]]:
    """Changes of one cell or two that make the position one with a solution, likeliest first."""
    rows, cols = trial.grid.rows, trial.grid.cols
    near = {
        r * cols + c
        for cell in wrong
        for r in range(max(0, cell // cols - 1), min(rows, cell // cols + 2))
        for c in range(max(0, cell % cols - 1), min(cols, cell % cols + 2))
    }
    options = [
        (float(trial.given[cell][kind] / (labels.chance[cell] + 0.01)), cell, KINDS[kind])
        for cell in near
        for kind in np.argsort(-trial.given[cell][:-1])[:3]
        if KINDS[kind] != marks[cell] and trial.given[cell][kind] > 0.004
    ]
    options.sort(reverse=True)
    best = options[:_MOST_CHANGED]
    singles = [((cell, mark),) for _, cell, mark in best]
    pairs = [((a[1], a[2]), (b[1], b[2])) for a, b in combinations(best, 2) if a[1] != b[1]]
    found: list[tuple[tuple[int, str], ...]] = []
    for change in [*singles, *pairs]:
        if len(change) > 1 and found:
            break  # one cell is enough
        tried = list(marks)
        for cell, mark in change:
            tried[cell] = mark
        if cells_.clash(tried, rows, cols, None) is None:
            found.append(change)
            if len(found) == 3:
                break
    return found
