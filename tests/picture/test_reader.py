"""Pictures read as positions: drawn boards, what is no board, hostile files, the commands."""

from __future__ import annotations

import io
import json
import struct
import sys
import zlib
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import mineproof as mp
from mineproof.cli.main import run
from mineproof.errors import InputError, MineproofError, MissingLibrary
from mineproof.picture import cells, network
from mineproof.picture.counter import read_counter
from mineproof.picture.grid import candidates
from mineproof.picture.reader import MAX_PIXELS, decode, read_data, read_pixels

Image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
pytest.importorskip("matplotlib", reason="the drawn boards take matplotlib's fonts")
looks = pytest.importorskip("tools.pictures.looks")

LOOKS = {look.name: look for look in looks.kept_out_looks()}


def picture(name: str = "ninety", seed: int = 3, *, lost: bool = False) -> Any:
    rows = looks.played_rows(Random(seed), 9, 9, 10, lost)
    return looks.draw(LOOKS[name], rows, 10, seed)


def as_bytes(image: Any, kind: str = "PNG", **how: object) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **how)
    return file.getvalue()


# ------------------------------------------------------------------------------------------ boards


@pytest.mark.parametrize("name", LOOKS)
def test_looks_kept_out_of_training_are_read_without_an_unmarked_fault(name: str) -> None:
    drawn = picture(name)
    reading = read_pixels(np.asarray(drawn.image))
    shape = [len(row) for row in reading.rows]
    assert shape == [9] * 9
    wrong = {(r, c) for r in range(9) for c in range(9) if reading.rows[r][c] != drawn.rows[r][c]}
    assert wrong <= set(reading.doubtful)
    assert len(reading.doubtful) <= 20


def test_the_grid_is_where_it_was_drawn() -> None:
    drawn = picture("paper")
    best = candidates(np.asarray(drawn.image))[0]
    assert (best.rows, best.cols) == (9, 9)
    assert abs(best.left - drawn.left) < drawn.cell * 0.1
    assert abs(best.top - drawn.top) < drawn.cell * 0.1
    assert abs(best.width - drawn.cell) < 0.3


def test_a_counter_of_red_segments_is_read_and_no_other_number() -> None:
    for seed in range(4):
        drawn = picture("sand, as JPEG", seed)
        reading = read_pixels(np.asarray(drawn.image))
        assert reading.mines == 10
    assert read_pixels(np.asarray(picture("paper").image)).mines is None
    dark = np.zeros((200, 200, 3), dtype=np.uint8)
    grid = candidates(np.asarray(drawn.image))[0]
    assert read_counter(dark, grid) is None


@pytest.mark.parametrize("name", looks.NON_BOARDS)
def test_what_is_no_board_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(InputError) as raised:
        read_pixels(np.asarray(looks.NON_BOARDS[name](Random(name))))
    assert "\n" not in str(raised.value)
    assert "accepted:" in str(raised.value)


def test_two_boards_are_refused() -> None:
    one, two = (picture("ninety", seed).image for seed in (1, 2))
    both = Image.new("RGB", (one.width + two.width + 37, max(one.height, two.height)))
    both.paste(one, (0, 0))
    both.paste(two, (one.width + 37, 0))
    with pytest.raises(InputError, match="two boards"):
        read_pixels(np.asarray(both))


def test_a_wrong_number_is_marked_and_its_correction_proposed_never_made() -> None:
    rows = ("1.......", "11111111", *["00000000"] * 6)
    rows = ("........", "........", "11111111", *["00000000"] * 5)
    bad = ("........", "........", "11121111", *["00000000"] * 5)
    good = cells.clash(list("".join(rows)), 8, 8, None)
    wrong = cells.clash(list("".join(bad)), 8, 8, None)
    assert (good is None) == solvable(rows)
    assert (wrong is None) == solvable(bad)
    assert good != wrong
    drawn = looks.draw(LOOKS["paper"], bad, 10, 1)
    reading = read_pixels(np.asarray(drawn.image))
    assert reading.rows == bad
    assert not reading.consistent
    assert reading.doubtful


def solvable(rows: tuple[str, ...]) -> bool:
    """Whether mines in the second row fit the third, by trying all of them."""
    numbers = [int(mark) for mark in rows[2]]
    for mask in range(1 << len(numbers)):
        mines = [mask >> k & 1 for k in range(len(numbers))]
        if all(sum(mines[max(0, k - 1) : k + 2]) == number for k, number in enumerate(numbers)):
            return True
    return False


# ----------------------------------------------------------------------------------------- network


def test_samples_are_means_of_their_parts() -> None:
    rng = np.random.default_rng(1)
    pixels = rng.integers(0, 256, (96, 72, 3), dtype=np.uint8)
    spans = np.array([[0, 48], [48, 96]], dtype=np.float32)
    found = network.sample(pixels, spans, np.array([[12.0, 60.0]], dtype=np.float32))
    for cell, top in enumerate((0, 48)):
        for y, x in ((0, 0), (5, 17), (23, 23)):
            part = pixels[top + 2 * y : top + 2 * y + 2, 12 + 2 * x : 14 + 2 * x]
            assert np.abs(found[cell, y, x] - part.mean(axis=(0, 1))).max() <= 0.5


def test_the_network_computes_what_its_definition_says() -> None:
    rng = np.random.default_rng(2)
    cell = rng.integers(0, 256, (1, 24, 24, 3), dtype=np.uint8)
    layers = network.weights()
    planes = network.features(cell)[0].astype(np.float64)
    for kernel, bias in ((layers[0], layers[1]), (layers[2], layers[3])):
        side = planes.shape[1]
        padded = np.pad(planes, ((0, 0), (1, 1), (1, 1)))
        planes = np.array(
            [
                [
                    [
                        max(0.0, float((padded[:, y : y + 3, x : x + 3] * one).sum() + b))
                        for x in range(0, side, 2)
                    ]
                    for y in range(0, side, 2)
                ]
                for one, b in zip(kernel, bias, strict=True)
            ]
        )
    hidden = np.maximum(layers[4] @ planes.ravel() + layers[5], 0)
    scores = layers[6] @ hidden + layers[7]
    odds = np.exp(scores - scores.max())
    assert np.allclose(network.chances(cell)[0], odds / odds.sum(), atol=1e-4)


def test_the_weights_are_small() -> None:
    size = (Path(network.__file__).parent / "network.f16").stat().st_size
    assert size < 300_000


# ----------------------------------------------------------------------------------- hostile files


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def huge(width: int, height: int) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(bytes(100_000))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
    )


def test_hostile_files_are_one_clear_line() -> None:
    image = picture().image
    whole = as_bytes(image)
    frames = [image, image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)]
    bomb = zlib.compress(bytes(50_000_000))
    cases = {
        "20000x20000": huge(20_000, 20_000),
        "0x": huge(0, 9),
        "truncated": whole[: len(whole) // 2],
        "header": whole[:20],
        "animated": as_bytes(frames[0], "GIF", save_all=True, append_images=frames[1:]),
        "bomb": whole[:33] + chunk(b"zTXt", b"a\0\0" + bomb) + whole[33:],
        "svg": b"<svg xmlns='http://www.w3.org/2000/svg'></svg>",
        "pdf": b"%PDF-1.7\n",
        "empty": b"",
        "text": b"1HH\n",
    }
    for name, data in cases.items():
        if name == "bomb":
            continue
        with pytest.raises(InputError) as raised:
            read_data(data)
        assert "\n" not in str(raised.value), name
        assert len(str(raised.value)) < 300, name
    with pytest.raises(InputError, match="animated"):
        read_data(cases["animated"])
    with pytest.raises(InputError, match="a PDF"):
        read_data(cases["pdf"])
    with pytest.raises(InputError, match="too many pixels"):
        read_data(cases["20000x20000"])
    with suppress(InputError):
        read_data(cases["bomb"])  # read or refused, but never unpacked without a limit


def test_every_form_of_pixels_reads_the_same() -> None:
    image = picture("paper").image
    wanted = read_pixels(np.asarray(image)).rows
    forms = {
        "palette": as_bytes(image.quantize(200)),
        "alpha": as_bytes(image.convert("RGBA")),
        "CMYK": as_bytes(image.convert("CMYK"), "JPEG", quality=95),
        "WebP": as_bytes(image, "WEBP", lossless=True),
        "BMP": as_bytes(image, "BMP"),
        "TIFF": as_bytes(image, "TIFF"),
    }
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by 90 degrees
    turned = image.transpose(Image.Transpose.ROTATE_90)
    forms["EXIF"] = as_bytes(turned, "JPEG", quality=95, exif=exif)
    for name, data in forms.items():
        assert read_data(data).rows == wanted, name
    deep = np.asarray(image.convert("L")).astype(np.uint16) * 257
    grey = decode(as_bytes(Image.fromarray(deep)))
    assert np.abs(grey[..., 0].astype(int) - np.asarray(image.convert("L"))).max() <= 1


def test_mutated_pictures_never_end_in_a_traceback() -> None:
    rng = Random(5)
    whole = {
        kind: as_bytes(picture().image, kind) for kind in ("PNG", "JPEG", "GIF", "BMP", "WEBP")
    }
    outcomes = {"read": 0, "refused": 0, "long": 0}
    for _ in range(100):
        data = bytearray(whole[rng.choice(list(whole))])
        for _ in range(rng.choice((1, 3, 30))):
            data[rng.randrange(len(data)) if rng.random() < 0.5 else rng.randrange(64)] = (
                rng.randrange(256)
            )
        if rng.random() < 0.2:
            del data[rng.randrange(len(data)) :]
        try:
            pixels = decode(bytes(data))
            assert pixels.shape[0] * pixels.shape[1] <= MAX_PIXELS
            if rng.random() < 0.1 and pixels.size < 2_000_000:
                read_pixels(pixels)
            outcomes["read"] += 1
        except InputError as error:
            outcomes["refused" if "\n" not in str(error) else "long"] += 1
    assert min(outcomes["read"], outcomes["refused"]) > 5
    assert outcomes["long"] == 0


def test_pixels_of_any_size_are_read_or_refused() -> None:
    rng = np.random.default_rng(3)
    for shape in ((1, 1), (1, 4000), (30, 30), (27, 500), (200, 131)):
        for _ in range(3):
            pixels = rng.integers(0, 256, (*shape, 3), dtype=np.uint8)
            with pytest.raises(MineproofError):
                read_pixels(pixels)
    with pytest.raises(InputError):
        read_pixels(np.zeros((4, 4), dtype=np.uint8))


def test_without_pillow_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    data = as_bytes(picture().image)
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingLibrary, match=r"mineproof\[picture\]"):
        read_data(data)


# ---------------------------------------------------------------------------------------- commands


def test_commands_take_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = picture("sand, as JPEG", 1)
    file, svg = tmp_path / "shot.png", tmp_path / "board.svg"
    drawn.image.save(file)
    assert run(["read", str(file), "--json", "--svg", str(svg)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert tuple(told["board"]) == drawn.rows
    assert (told["rows"], told["cols"], told["mines"], told["doubtful"]) == (9, 9, 10, [])
    assert svg.read_text().startswith("<svg")
    assert run(["read", str(file)]) == 0
    view = mp.View.parse(capsys.readouterr().out)
    assert view == mp.View.read(file)
    assert view.total == 10
    assert run(["solve", str(file), "--json"]) == 0
    hidden = next(cell for cell in view.hidden)
    assert run(["explain", str(file), "--cell", view.topology.cell_name(hidden)]) == 0


def test_the_number_of_mines_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "shot.png"
    picture("paper").image.save(file)
    assert run(["solve", str(file)]) == 2
    assert "--mines" in capsys.readouterr().err
    assert run(["solve", str(file), "--mines", "10"]) == 0
    assert mp.View.read(file, 10).total == 10
    capsys.readouterr()
    file.write_bytes(as_bytes(Image.new("RGB", (300, 200))))
    assert run(["read", str(file)]) == 2
    assert capsys.readouterr().err.startswith("mineproof: no board")
