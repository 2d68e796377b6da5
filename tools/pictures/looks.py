"""Draw boards in many looks, for training and measuring the reader of pictures.

A look is drawn from a seed: cells, digits, flags, mines, the window around the board, and what
happens to a picture before it arrives (scaling, JPEG). `KEPT_OUT` names the looks, and
`KEPT_OUT_FONTS` the families of fonts, that training never sees.

Fonts are those of matplotlib and of a folder with unpacked Debian packages (`--fonts`).
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

KINDS = "012345678.FQ*X!"
"""Zero to eight, hidden, flag, question mark, mine, exploded mine, wrong flag."""
KEPT_OUT_FONTS = ("dejavuserif", "stix", "carlito", "cantarell", "play", "inter", "freesans")

Colour = tuple[int, int, int]
Draw = ImageDraw.ImageDraw

PACKAGES = (
    "fonts-liberation fonts-roboto-unhinted fonts-lato fonts-cantarell fonts-freefont-ttf"
    " fonts-hack"
    " fonts-firacode fonts-open-sans fonts-comfortaa fonts-quicksand fonts-noto-color-emoji"
    " fonts-symbola fonts-inter fonts-jetbrains-mono fonts-crosextra-carlito fonts-urw-base35"
    " fonts-dseg fonts-play fonts-mononoki fonts-noto-mono fonts-bebas-neue fonts-courier-prime"
)
"""What training used: `apt-get download` and `dpkg -x` each into one folder."""

# ------------------------------------------------------------------------------------------ fonts

_STRANGE = ("dseg", "emoji", "symbola", "unifont", "stixnonuni", "stixsiz", "cmex", "cmsy", "cmmi")
_UNFIT = ("z003", "d050000l", "standardsymbols", "dingbats", "smallcaps", "initials", "orchestra")


@cache
def fonts(folder: str | None, kept_out: bool) -> tuple[str, ...]:
    """The fonts for digits: of training, or kept out of it."""
    import matplotlib

    roots = [Path(matplotlib.get_data_path()) / "fonts" / "ttf"]
    roots += [Path(folder)] if folder else []
    found = sorted({p for root in roots for p in root.rglob("*.[to]tf")})
    names = {path: path.name.lower() for path in found}
    fit = [
        path for path in found if not any(strange in names[path] for strange in _STRANGE + _UNFIT)
    ]
    chosen = [str(path) for path in fit if names[path].startswith(KEPT_OUT_FONTS) == kept_out]
    return tuple(path for path in chosen if _has_digits(path))


def _has_digits(path: str) -> bool:
    font = ImageFont.truetype(path, 24)
    boxes = {font.getmask(digit).getbbox() for digit in "12345678"}
    return None not in boxes and len({bytes(font.getmask(d)) for d in "12345678"}) == 8


@cache
def _special(folder: str | None, name: str) -> str | None:
    if not folder:
        return None
    return next((str(p) for p in sorted(Path(folder).rglob("*.[to]tf")) if name in p.name), None)


@cache
def _font(path: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size)


def _glyph(draw: Draw, text: str, path: str, size: float, at: tuple[float, float], **how) -> None:
    """A text with the middle of its ink at a place."""
    font = _font(path, max(6, round(size)))
    left, top, right, bottom = draw.textbbox((0, 0), text, font=font)
    x, y = at[0] - (left + right) / 2, at[1] - (top + bottom) / 2
    draw.text((round(x), round(y)), text, font=font, **how)


# Digits of a few large pixels, as programs of the nineties drew them.
_BLOCKS = {
    "1": "..##.. .###.. ####.. ..##.. ..##.. ..##.. ######",
    "2": "#####. ##..## ....## ..###. .##... ##.... ######",
    "3": "#####. ....## ....## .####. ....## ....## #####.",
    "4": ".##.## .##.## ##..## ###### ....## ....## ....##",
    "5": "###### ##.... ##.... #####. ....## ....## #####.",
    "6": ".####. ##.... ##.... #####. ##..## ##..## .####.",
    "7": "###### ....## ....## ...##. ...##. ..##.. ..##..",
    "8": ".####. ##..## ##..## .####. ##..## ##..## .####.",
    "?": ".####. ##..## ....## ...##. ..##.. ...... ..##..",
}

CLASSIC: tuple[Colour, ...] = (
    (0, 0, 255), (0, 128, 0), (255, 0, 0), (0, 0, 128),
    (128, 0, 0), (0, 128, 128), (0, 0, 0), (128, 128, 128),
)  # fmt: skip


# ------------------------------------------------------------------------------------------- looks


@dataclass(frozen=True)
class Look:
    """How one program draws its board."""

    name: str
    size: int = 24
    ground: str = "bevel"
    hidden: Colour = (192, 192, 192)
    opened: Colour = (192, 192, 192)
    hidden_2: Colour = (192, 192, 192)
    opened_2: Colour = (192, 192, 192)
    line: Colour = (128, 128, 128)
    paper: Colour = (192, 192, 192)
    width: float = 0.1
    gap: float = 0.0
    radius: float = 0.0
    digits: tuple[Colour, ...] = CLASSIC
    grounds: tuple[Colour, ...] = ()
    font: str = ""
    digit_size: float = 0.75
    stroke: float = 0.0
    flag: int = 0
    flag_colour: Colour = (255, 0, 0)
    pole: Colour = (0, 0, 0)
    mine: int = 0
    mine_colour: Colour = (0, 0, 0)
    boom: Colour = (255, 0, 0)
    wrong: int = 0
    query: Colour = (0, 0, 0)
    texture: float = 0.0
    sheen: float = 0.0
    pixels: bool = False
    counter: str = "led"
    window: str = "desk"
    emoji: str | None = None
    offset: tuple[float, float] = (0.0, 0.0)
    quality: int = 0
    scale: float = 1.0
    seed: int = 0
    faces: dict[tuple[str, int], Image.Image] = field(default_factory=dict, compare=False)


def _shade(colour: Colour, by: float) -> Colour:
    """Lighter (above 0) or darker."""
    to = 255 if by > 0 else 0
    return tuple(round(c + (to - c) * abs(by)) for c in colour)  # type: ignore[return-value]


def _light(colour: Colour) -> float:
    return (0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2]) / 255


def _colour(rng: Random, low: float, high: float, grey: float) -> Colour:
    """A colour of this lightness; `grey` is how little it is coloured."""
    for _ in range(200):
        level = rng.uniform(low, high) * 255
        spread = (1 - grey) * 130
        colour = tuple(
            min(255, max(0, round(level + rng.uniform(-spread, spread)))) for _ in range(3)
        )
        if low <= _light(colour) <= high:  # type: ignore[arg-type]
            return colour  # type: ignore[return-value]
    return (round(low * 255),) * 3


def _ink(rng: Random, ground: Colour, contrast: float = 0.28) -> Colour:
    """A colour that can be read on this ground."""
    for _ in range(500):
        colour = tuple(rng.choice((0, rng.randrange(256), rng.randrange(256), 255)) for _ in "rgb")
        apart = max(abs(a - b) for a, b in zip(colour, ground, strict=True))
        if abs(_light(colour) - _light(ground)) > contrast or (  # type: ignore[arg-type]
            apart > 150 and abs(_light(colour) - _light(ground)) > 0.12  # type: ignore[arg-type]
        ):
            return colour  # type: ignore[return-value]
    return (0, 0, 0) if _light(ground) > 0.5 else (255, 255, 255)


def random_look(seed: int, folder: str | None = None, kept_out: bool = False) -> Look:
    """The look of a seed."""
    rng = Random(f"look {seed} {kept_out}")
    dark = rng.random() < 0.3
    grey = rng.choice((1.0, 0.95, 0.8, 0.5))
    ground = rng.choice(("bevel", "bevel", "gap", "line", "rounded", "gradient", "chequer", "soft"))
    low, high = (0.08, 0.4) if dark else (0.45, 0.95)
    hidden = _colour(rng, low, high, grey)
    same = ground == "bevel" and rng.random() < 0.5
    opened = hidden
    while not same and max(abs(a - b) for a, b in zip(hidden, opened, strict=True)) < 14:
        opened = _colour(
            rng,
            *((0.05, 0.35) if dark and rng.random() < 0.7 else (0.55, 1.0)),
            rng.choice((1, grey)),
        )
    step = rng.choice((-1, 1)) * rng.uniform(0.04, 0.12)
    face = rng.choice(fonts(folder, kept_out))
    inks = [_ink(rng, opened) for _ in range(8)]
    digits: tuple[Colour, ...]
    match rng.randrange(6):
        case 0:
            digits = (inks[0],) * 8
        case 1 | 2:
            digits = tuple(inks)
        case 3:
            digits = tuple(rng.sample(CLASSIC, 8))
        case _:
            digits = CLASSIC
    digits = tuple(
        c if max(abs(a - b) for a, b in zip(c, opened, strict=True)) > 60 else ink
        for c, ink in zip(digits, inks, strict=True)
    )
    grounds: tuple[Colour, ...] = ()
    if rng.random() < 0.12 and not dark:
        grounds = tuple(_colour(rng, 0.6, 0.95, 0.6) for _ in range(8))
        digits = (_ink(rng, (200, 200, 200), 0.5),) * 8
    size = round(math.exp(rng.uniform(math.log(12), math.log(64))))
    size = rng.choice((size, size, 16, 24, 32, 36)) if rng.random() < 0.95 else rng.randint(64, 118)
    return Look(
        name=f"{'kept out' if kept_out else 'random'} {seed}",
        size=size,
        ground=ground,
        hidden=hidden,
        opened=opened,
        hidden_2=_shade(hidden, step) if ground == "chequer" else hidden,
        opened_2=_shade(opened, step) if ground == "chequer" else opened,
        line=_shade(opened, rng.choice((-1, -1, 1)) * rng.uniform(0.12, 0.6)),
        paper=rng.choice((hidden, opened, _colour(rng, 0.05, 1, 0.9), (255, 255, 255))),
        width=rng.uniform(0.05, 0.16),
        gap=rng.choice((0.03, 0.06, 0.1, 0.15)) if ground in ("gap", "rounded") else 0,
        radius=rng.uniform(0.05, 0.35) if ground in ("rounded", "gradient") else 0,
        digits=digits,
        grounds=grounds,
        font="" if rng.random() < 0.12 else face,
        digit_size=rng.uniform(0.5, 0.95),
        stroke=rng.choice((0, 0, 0, 0.03, 0.05)),
        flag=rng.randrange(9),
        flag_colour=rng.choice(((255, 0, 0), (220, 30, 30), _ink(rng, hidden))),
        pole=rng.choice(((0, 0, 0), _ink(rng, hidden), (120, 80, 30))),
        mine=rng.randrange(6),
        mine_colour=rng.choice(((0, 0, 0), _ink(rng, opened))),
        boom=rng.choice(((255, 0, 0), (255, 0, 0), (230, 60, 40), (255, 120, 0), (200, 0, 0))),
        wrong=rng.randrange(4),
        query=rng.choice(((0, 0, 0), _ink(rng, hidden))),
        texture=rng.choice((0, 0, 0, 0, 3, 6)),
        sheen=rng.choice((0, 0, 0, 0.1, 0.2)),
        pixels=rng.random() < 0.15,
        counter=rng.choice(("led", "led", "plain", "none")),
        window=rng.choice(("desk", "desk", "phone", "browser", "none")),
        emoji=_special(folder, "NotoColorEmoji") if rng.random() < 0.25 else None,
        offset=(rng.uniform(-0.04, 0.04), rng.uniform(-0.05, 0.05)),
        quality=rng.choice((0, 0, rng.randint(45, 95))),
        scale=rng.choice((1, 1, rng.uniform(0.7, 1.7))) if size < 64 else 1,
        seed=seed,
    )


_BLUES: tuple[Colour, ...] = (
    (30, 90, 200), (20, 130, 90), (200, 60, 60), (110, 50, 160),
    (160, 90, 0), (0, 140, 150), (40, 40, 40), (110, 110, 110),
)  # fmt: skip
_NEON: tuple[Colour, ...] = (
    (90, 170, 255), (110, 230, 120), (255, 110, 110), (200, 150, 255),
    (255, 190, 80), (90, 230, 230), (240, 240, 240), (170, 170, 170),
)  # fmt: skip


def kept_out_looks() -> list[Look]:
    """The named looks that training never sees, with the kept-out fonts of matplotlib."""
    import matplotlib

    ttf = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    serif, bold, stix = (
        str(ttf / f"{name}.ttf") for name in ("DejaVuSerif", "DejaVuSerif-Bold", "STIXGeneralBol")
    )
    classic = Look("ninety", size=16, font="", width=0.13, pixels=True)
    return [
        classic,
        replace(classic, name="ninety, enlarged", scale=1.625),
        Look(
            "slate", 36, "gap", (70, 82, 94), (40, 46, 54), (70, 82, 94), (40, 46, 54),
            paper=(28, 32, 38), gap=0.06, digits=_NEON, font=bold, digit_size=0.6, flag=1,
            flag_colour=(255, 95, 95), pole=(220, 220, 220), mine_colour=(230, 230, 230),
            query=(230, 230, 230), counter="plain", wrong=1,
        ),
        Look(
            "meadow", 45, "chequer", (150, 205, 90), (225, 200, 165),
            (140, 195, 80), (212, 186, 150),
            digits=_BLUES, font=stix, digit_size=0.75, flag=2, flag_colour=(230, 50, 10),
            pole=(230, 50, 10), window="browser", counter="plain", mine=1, mine_colour=(60, 60, 60),
        ),
        Look(
            "paper", 28, "line", (170, 195, 220), (250, 250, 250), (170, 195, 220), (250, 250, 250),
            line=(150, 150, 150), digits=_BLUES, font=serif, digit_size=0.7, flag=3,
            window="browser", counter="none", quality=80,
        ),
        Look(
            "pebble", 60, "rounded", (120, 140, 200), (235, 235, 242), (120, 140, 200),
            (235, 235, 242), paper=(255, 255, 255), gap=0.1, radius=0.25, digits=_BLUES, font=stix,
            digit_size=0.65, flag=0, window="phone", counter="plain", scale=0.85,
        ),
        Look(
            "autumn", 32, "gap", (186, 189, 182), (222, 222, 220), (186, 189, 182), (222, 222, 220),
            paper=(250, 250, 250), gap=0.1, digits=((45, 50, 55),) * 8,
            grounds=((221, 250, 195), (236, 237, 191), (237, 218, 180), (237, 195, 138),
                     (247, 161, 162), (254, 167, 133), (255, 125, 96), (255, 50, 60)),
            font=bold, digit_size=0.6, flag=1, flag_colour=(45, 50, 55), pole=(45, 50, 55),
            query=(45, 50, 55), counter="plain",
        ),
        Look(
            "glass", 30, "gradient", (90, 130, 190), (205, 215, 235),
            (90, 130, 190), (205, 215, 235),
            line=(140, 155, 185), radius=0.1, font=bold, digit_size=0.7, flag=4, sheen=0.2,
            counter="plain", quality=85,
        ),
        Look(
            "night", 22, "soft", (58, 58, 64), (30, 30, 33), (58, 58, 64), (30, 30, 33),
            line=(75, 75, 82), digits=_NEON, font=serif, digit_size=0.8, flag=0,
            flag_colour=(255, 80, 80), pole=(200, 200, 200), mine_colour=(240, 240, 240),
            query=(255, 255, 255), counter="led", scale=1.3,
        ),
        Look(
            "sand, as JPEG", 26, "bevel", (214, 200, 170), (200, 184, 150), (214, 200, 170),
            (200, 184, 150), line=(160, 140, 105), width=0.08, digits=tuple(reversed(CLASSIC)),
            font=stix, digit_size=0.85, flag=5, quality=60, counter="led",
        ),
    ]  # fmt: skip


# ------------------------------------------------------------------------------------------- faces


def face(look: Look, kind: str, parity: int = 0) -> Image.Image:
    """One cell as this look draws it."""
    key = (kind, parity)
    if key not in look.faces:
        look.faces[key] = _draw_face(look, kind, parity)
    return look.faces[key]


def _draw_face(look: Look, kind: str, parity: int) -> Image.Image:
    over = 1 if look.pixels else 4 if look.size < 50 else 2
    side = look.size * over
    covered = kind in ".FQ" or (kind == "!" and look.wrong == 1)
    image = _ground(look, kind, parity, side, covered)
    draw = ImageDraw.Draw(image)
    if look.pixels:
        draw.fontmode = "1"
    middle = side * (0.5 + look.offset[0]), side * (0.5 + look.offset[1])
    if kind.isdigit() and kind != "0":
        colour = look.digits[int(kind) - 1]
        _digit(look, draw, kind, colour, side, middle)
    elif kind == "Q":
        _digit(look, draw, "?", look.query, side, middle)
    elif kind == "F" or (kind == "!" and look.wrong in (1, 2)):
        _flag(look, image, draw, side)
    elif kind in "*X!" and not (kind == "X" and look.emoji and look.mine > 2):
        _mine(look, image, draw, side)
    elif kind == "X":
        _emoji(look, image, "\N{COLLISION SYMBOL}", side)
    if kind == "!":
        near, far, thick = side * 0.18, side * 0.82, max(1, round(side * 0.09))
        red = look.boom if look.wrong != 3 else (255, 0, 0)
        draw.line((near, near, far, far), fill=red, width=thick)
        draw.line((near, far, far, near), fill=red, width=thick)
    if over > 1:
        image = image.resize((look.size, look.size), Image.Resampling.BOX)
    return image


def _ground(look: Look, kind: str, parity: int, side: int, covered: bool) -> Image.Image:
    colour = (
        (look.hidden_2 if parity else look.hidden)
        if covered
        else (look.opened_2 if parity else look.opened)
    )
    if kind == "X":
        colour = look.boom
    if look.grounds and kind in "12345678":
        colour = look.grounds[int(kind) - 1]
    image = Image.new("RGB", (side, side), look.paper if look.gap else colour)
    draw = ImageDraw.Draw(image)
    edge = max(1, round(side / look.size))
    match look.ground:
        case "bevel":
            if covered:
                thick = max(1, round(look.width * side))
                light, dark = _shade(colour, 0.75), _shade(colour, -0.38)
                for i in range(thick):
                    far = side - 1 - i
                    draw.line((i, i, far, i), fill=light)
                    draw.line((i, i, i, far), fill=light)
                    draw.line((i + 1, far, far, far), fill=dark)
                    draw.line((far, i + 1, far, far), fill=dark)
            else:
                draw.rectangle((0, 0, side, edge - 1), fill=look.line)
                draw.rectangle((0, 0, edge - 1, side), fill=look.line)
        case "line" | "soft":
            if look.ground == "soft" and covered:
                lit = _shade(colour, 0.15)
                draw.rectangle((edge, edge, side, edge * 3), fill=lit)
            draw.rectangle((0, 0, side, edge - 1), fill=look.line)
            draw.rectangle((0, 0, edge - 1, side), fill=look.line)
        case "gap" | "rounded":
            pad = max(edge, round(look.gap * side / 2))
            draw.rounded_rectangle(
                (pad, pad, side - 1 - pad, side - 1 - pad), look.radius * side, fill=colour
            )
        case "gradient":
            rows = np.linspace(0.18, -0.18, side) if covered else np.zeros(side)
            levels = np.array([_shade(colour, by) for by in rows], dtype=np.uint8)
            image.paste(Image.fromarray(np.repeat(levels[:, None], side, axis=1)))
            draw.rounded_rectangle(
                (0, 0, side - 1, side - 1), look.radius * side, outline=look.line, width=edge
            )
        case _:
            pass
    return image


def _digit(
    look: Look, draw: Draw, text: str, colour: Colour, side: int, middle: tuple[float, float]
) -> None:
    if look.font:
        width = round(look.stroke * side)
        size = look.digit_size * side * 1.15
        _glyph(draw, text, look.font, size, middle, fill=colour, stroke_width=width)
        return
    rows = _BLOCKS[text].split()
    dot_x = max(1, round(look.digit_size * side * 0.75 / 6))
    dot_y = max(1, round(look.digit_size * side / 8.5))
    left, top = round(middle[0] - dot_x * 3), round(middle[1] - dot_y * 3.5)
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            if mark == "#":
                at = left + x * dot_x, top + y * dot_y
                draw.rectangle((*at, at[0] + dot_x - 1, at[1] + dot_y - 1), fill=colour)


def _emoji(look: Look, image: Image.Image, text: str, side: int) -> None:
    assert look.emoji
    font = _font(look.emoji, 109)
    glyph = Image.new("RGBA", (150, 150), (0, 0, 0, 0))
    ImageDraw.Draw(glyph).text((5, 5), text, font=font, embedded_color=True)
    glyph = glyph.crop(glyph.getbbox())
    to = max(4, round(side * 0.72))
    glyph = glyph.resize((to, round(to * glyph.height / glyph.width)), Image.Resampling.BILINEAR)
    image.paste(glyph, ((side - glyph.width) // 2, (side - glyph.height) // 2), glyph)


def _flag(look: Look, image: Image.Image, draw: Draw, side: int) -> None:
    def at(*points: float) -> list[float]:
        return [p * side for p in points]

    cloth, pole, style = look.flag_colour, look.pole, look.flag
    if style > 5 and look.emoji:
        _emoji(look, image, "\N{TRIANGULAR FLAG ON POST}", side)
        return
    match style:
        case 0 | 6:  # to the left, on a foot
            draw.polygon(at(0.54, 0.2, 0.54, 0.55, 0.22, 0.38), fill=cloth)
            draw.rectangle(at(0.5, 0.2, 0.56, 0.72), fill=pole)
            draw.rectangle(at(0.28, 0.68, 0.75, 0.8), fill=pole)
            draw.rectangle(at(0.38, 0.62, 0.65, 0.7), fill=pole)
        case 1 | 7:  # to the right, a bare pole
            draw.rectangle(at(0.28, 0.18, 0.36, 0.82), fill=pole)
            draw.polygon(at(0.36, 0.2, 0.36, 0.56, 0.76, 0.38), fill=cloth)
        case 2:
            draw.rectangle(at(0.3, 0.15, 0.37, 0.85), fill=pole)
            draw.polygon(at(0.37, 0.15, 0.82, 0.33, 0.37, 0.52), fill=cloth)
            draw.ellipse(at(0.2, 0.78, 0.48, 0.88), fill=pole)
        case 3:  # a rectangle
            draw.rectangle(at(0.28, 0.16, 0.34, 0.86), fill=pole)
            draw.rectangle(at(0.34, 0.18, 0.78, 0.5), fill=cloth)
        case 4:  # waving
            draw.line(at(0.3, 0.18, 0.42, 0.86), fill=pole, width=max(1, round(side * 0.05)))
            draw.polygon(
                at(
                    0.3,
                    0.2,
                    0.45,
                    0.14,
                    0.6,
                    0.24,
                    0.8,
                    0.2,
                    0.84,
                    0.46,
                    0.64,
                    0.52,
                    0.5,
                    0.44,
                    0.36,
                    0.5,
                ),
                fill=cloth,
            )
        case 5:  # to the left, slim
            draw.polygon(at(0.6, 0.15, 0.6, 0.5, 0.2, 0.32), fill=cloth)
            draw.rectangle(at(0.6, 0.15, 0.65, 0.85), fill=pole)
            draw.rectangle(at(0.4, 0.8, 0.82, 0.86), fill=pole)
        case _:  # a flag with two tails
            draw.rectangle(at(0.26, 0.15, 0.33, 0.88), fill=pole)
            draw.polygon(at(0.33, 0.17, 0.8, 0.17, 0.66, 0.34, 0.8, 0.5, 0.33, 0.5), fill=cloth)


def _mine(look: Look, image: Image.Image, draw: Draw, side: int) -> None:
    def at(*points: float) -> list[float]:
        return [p * side for p in points]

    if look.mine > 2 and look.emoji:
        _emoji(look, image, "\N{BOMB}", side)
        return
    body = look.mine_colour
    shine = (255, 255, 255) if _light(body) < 0.5 else (0, 0, 0)
    thick = max(1, round(side * 0.07))
    if look.mine in (0, 3, 4):
        count = 8 if look.mine != 4 else 12
        for k in range(count):
            angle = 2 * math.pi * k / count
            x, y = 0.5 + 0.4 * math.cos(angle), 0.5 + 0.4 * math.sin(angle)
            draw.line(at(0.5, 0.5, x, y), fill=body, width=thick)
        draw.ellipse(at(0.25, 0.25, 0.75, 0.75), fill=body)
        draw.rectangle(at(0.36, 0.36, 0.47, 0.47), fill=shine)
    elif look.mine == 1:  # a disc
        draw.ellipse(at(0.25, 0.25, 0.75, 0.75), fill=body)
    else:  # a bomb with its fuse
        draw.ellipse(at(0.16, 0.32, 0.68, 0.84), fill=body)
        draw.line(at(0.58, 0.42, 0.72, 0.26, 0.82, 0.3), fill=body, width=thick)
        draw.ellipse(at(0.76, 0.16, 0.88, 0.3), fill=(255, 160, 0))
        draw.ellipse(at(0.28, 0.42, 0.38, 0.52), fill=shine)


# ---------------------------------------------------------------------------------------- pictures


@dataclass(frozen=True)
class Picture:
    """A drawn picture with what is on it."""

    image: Image.Image
    rows: tuple[str, ...]
    left: float
    top: float
    cell: float
    mines: int | None


def draw(look: Look, rows: tuple[str, ...], mines: int, seed: int) -> Picture:
    """The picture of a board in a look, in its window, as it arrives."""
    rng = Random(f"draw {seed} {look.name}")
    size = look.size
    height, width = len(rows), len(rows[0])
    board = Image.new("RGB", (width * size, height * size))
    for r, row in enumerate(rows):
        for c, kind in enumerate(row):
            board.paste(face(look, kind, (r + c) & 1), (c * size, r * size))
    if look.sheen or look.texture:
        board = _weathered(look, board, rng)
    flags = sum(row.count("F") for row in rows)
    image, left, top = _window(look, board, mines - flags, rng)
    if look.scale != 1:
        to = max(40, round(image.width * look.scale)), max(40, round(image.height * look.scale))
        how = rng.choice((Image.Resampling.BILINEAR, Image.Resampling.LANCZOS))
        scale_x, scale_y = to[0] / image.width, to[1] / image.height
        image = image.resize(to, how)
    else:
        scale_x = scale_y = 1.0
    if look.quality:
        file = io.BytesIO()
        image.save(file, "JPEG", quality=look.quality)
        image = Image.open(file).convert("RGB")
    shown = mines - flags if look.counter == "led" and 0 <= mines - flags < 1000 else None
    return Picture(
        image, rows, left * scale_x, top * scale_y, size * (scale_x + scale_y) / 2, shown
    )


def _weathered(look: Look, board: Image.Image, rng: Random) -> Image.Image:
    pixels = np.asarray(board, dtype=np.float32)
    height, width = pixels.shape[:2]
    if look.sheen:
        y, x = np.mgrid[0:height, 0:width]
        turn = rng.uniform(0, 6.3)
        wave = np.cos(turn) * x / width + np.sin(turn) * y / height
        pixels = pixels * (1 + look.sheen * (wave - wave.mean()))[..., None]
    if look.texture:
        noise = np.random.default_rng(rng.randrange(2**31)).normal(0, look.texture, (height, width))
        pixels = pixels + noise[..., None]
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


_SEGMENTS = (
    "abcdef",
    "bc",
    "abged",
    "abgcd",
    "fgbc",
    "afgcd",
    "afgedc",
    "abc",
    "abcdefg",
    "abcdfg",
)


def _led(draw: Draw, number: int, left: float, top: float, height: float) -> float:
    """Three digits of seven segments; returns their width."""
    wide, thick = height * 0.56, max(1.0, height * 0.1)
    draw.rectangle((left, top, left + 3 * wide, top + height), fill=(0, 0, 0))
    for k, digit in enumerate(f"{min(max(number, 0), 999):03}"):
        x, y = left + k * wide + thick * 0.6, top + thick * 0.6
        w, h = wide - thick * 1.2, height - thick * 1.2
        half = h / 2
        boxes = {
            "a": (x + thick, y, x + w - thick, y + thick),
            "g": (x + thick, y + half - thick / 2, x + w - thick, y + half + thick / 2),
            "d": (x + thick, y + h - thick, x + w - thick, y + h),
            "f": (x, y + thick / 2, x + thick, y + half - thick / 3),
            "b": (x + w - thick, y + thick / 2, x + w, y + half - thick / 3),
            "e": (x, y + half + thick / 3, x + thick, y + h - thick / 2),
            "c": (x + w - thick, y + half + thick / 3, x + w, y + h - thick / 2),
        }
        for name, box in boxes.items():
            on = name in _SEGMENTS[int(digit)]
            draw.rectangle(box, fill=(255, 0, 0) if on else (70, 0, 0))
    return 3 * wide


def _window(
    look: Look, board: Image.Image, left_mines: int, rng: Random
) -> tuple[Image.Image, int, int]:
    """The board in its surroundings, and where its corner is."""
    width, height = board.size
    if look.window == "none":
        image = Image.new("RGB", (width + 2, height + 2), look.line)
        image.paste(board, (1, 1))
        return image, 1, 1
    writing = fonts(None, False)[0]
    head = 0 if look.counter == "none" else max(34, look.size + 14)
    pad = rng.randint(6, 24)
    bars = {"desk": 56, "browser": 90, "phone": 130}[look.window]
    foot = {"desk": 8, "browser": 20, "phone": 160}[look.window]
    inner = max(width + 2 * pad, 170)
    image = Image.new("RGB", (inner, bars + head + height + pad + foot), _around(look, rng))
    draw = ImageDraw.Draw(image)
    bar = rng.choice(((255, 255, 255), (230, 230, 235), (40, 44, 52), (0, 60, 160)))
    ink = (0, 0, 0) if _light(bar) > 0.5 else (255, 255, 255)
    draw.rectangle((0, 0, inner, bars - 4), fill=bar)
    draw.text(
        (12, 6), rng.choice(("Mines", "Minesweeper", "Game")), fill=ink, font=_font(writing, 15)
    )
    for k, word in enumerate(("Game", "Options", "Help")):
        draw.text((12 + 62 * k, 32), word, fill=ink, font=_font(writing, 13))
    for k in range(3):
        draw.rectangle((inner - 18 - 20 * k, 8, inner - 8 - 20 * k, 18), outline=ink)
    left, top = (inner - width) // 2, bars + head
    if look.counter == "led":
        digit_height = rng.randint(20, 27)
        _led(draw, left_mines, left + 3, bars + 5, digit_height)
        wide = digit_height * 0.56 * 3
        _led(draw, rng.randrange(999), left + width - wide - 3, bars + 5, digit_height)
        draw.ellipse(
            (inner / 2 - 11, bars + 5, inner / 2 + 11, bars + 27),
            fill=(255, 255, 0),
            outline=(0, 0, 0),
        )
    elif look.counter == "plain":
        text = f"{left_mines} mines   0:{rng.randrange(10, 60)}"
        colour = (0, 0, 0) if _light(image.getpixel((2, bars + 4))) > 0.5 else (255, 255, 255)  # type: ignore[arg-type]
        draw.text((left, bars + 6), text, fill=colour, font=_font(writing, 16))
    frame = rng.choice((0, 0, 2, 3))
    for k in range(1, frame + 1):
        draw.rectangle(
            (left - k, top - k, left + width + k - 1, top + height + k - 1), outline=look.line
        )
    image.paste(board, (left, top))
    if look.window == "desk" and rng.random() < 0.6:  # on a desktop
        more = rng.randint(20, 120), rng.randint(20, 90)
        desk = Image.new(
            "RGB",
            (image.width + 2 * more[0], image.height + 2 * more[1]),
            _colour(rng, 0.1, 0.9, 0.6),
        )
        below = ImageDraw.Draw(desk)
        for _ in range(4):
            x, y = rng.randrange(desk.width), rng.randrange(desk.height)
            below.rectangle(
                (x, y, x + rng.randrange(20, 300), y + rng.randrange(20, 200)),
                fill=_colour(rng, 0.1, 0.9, 0.7),
            )
            below.text((x, y), "a note on the desktop", fill=(0, 0, 0), font=_font(writing, 12))
        desk.paste(image, more)
        return desk, left + more[0], top + more[1]
    return image, left, top


def _around(look: Look, rng: Random) -> Colour:
    return rng.choice(
        (look.paper, look.opened, look.hidden, (255, 255, 255), _shade(look.paper, -0.1))
    )


# --------------------------------------------------------------------------------------- positions


def mixed_rows(rng: Random, height: int, width: int) -> tuple[str, ...]:
    """Rows of every kind, for training."""
    weights = [12, *([7] * 8), 12, 9, 6, 6, 5, 6]
    return tuple("".join(rng.choices(KINDS, weights, k=width)) for _ in range(height))


def played_rows(rng: Random, height: int, width: int, mines: int, lost: bool) -> tuple[str, ...]:
    """Rows of a game as played: openings, certain flags, and at its end the mines."""
    cells = [(r, c) for r in range(height) for c in range(width)]
    start = rng.choice(cells)

    def near(cell: tuple[int, int]) -> list[tuple[int, int]]:
        r, c = cell
        return [
            (y, x)
            for y in range(max(0, r - 1), min(height, r + 2))
            for x in range(max(0, c - 1), min(width, c + 2))
            if (y, x) != cell
        ]

    keep = {start, *near(start)}
    mined = set(rng.sample([cell for cell in cells if cell not in keep], mines))
    count = {cell: sum(other in mined for other in near(cell)) for cell in cells}
    shown: dict[tuple[int, int], str] = {}

    def open_cell(cell: tuple[int, int]) -> None:
        stack = [cell]
        while stack:
            one = stack.pop()
            if one in shown or one in mined:
                continue
            shown[one] = str(count[one])
            if not count[one]:
                stack += near(one)

    open_cell(start)
    goal = rng.uniform(0.2, 0.9) * (len(cells) - mines)
    edge = [cell for cell in cells if cell not in mined]
    rng.shuffle(edge)
    for cell in edge:
        if len(shown) >= goal:
            break
        if any(other in shown for other in near(cell)) or rng.random() < 0.1:
            open_cell(cell)
    for cell in mined:
        if any(shown.get(other, "0") != "0" for other in near(cell)) and rng.random() < 0.5:
            shown[cell] = "F"
        elif rng.random() < 0.03:
            shown[cell] = "Q"
    if lost:
        blown = rng.choice(sorted(mined))
        for cell in mined:
            if shown.get(cell) != "F":
                shown[cell] = "*"
        shown[blown] = "X"
        rest = [cell for cell in cells if cell not in shown]
        for cell in rng.sample(rest, min(len(rest), 2)):
            shown[cell] = "!"
    return tuple("".join(shown.get((r, c), ".") for c in range(width)) for r in range(height))


# ------------------------------------------------------------------------------------- non-boards


def _page_of_text(rng: Random) -> Image.Image:
    image = Image.new("RGB", (600, 700), (255, 255, 255))
    draw = ImageDraw.Draw(image)
    for k in range(28):
        words = " ".join(
            rng.choice(("mine", "board", "cell", "seven", "42", "1", "of", "the"))
            for _ in range(11)
        )
        draw.text((30, 20 + 24 * k), words, fill=(0, 0, 0), font=_font(fonts(None, False)[0], 16))
    return image


def _chess(rng: Random) -> Image.Image:
    image = Image.new("RGB", (420, 420), (240, 240, 240))
    draw = ImageDraw.Draw(image)
    for r in range(8):
        for c in range(8):
            box = (10 + 50 * c, 10 + 50 * r, 59 + 50 * c, 59 + 50 * r)
            draw.rectangle(box, fill=(240, 217, 181) if (r + c) % 2 else (181, 136, 99))
            if r in (0, 1, 6, 7):
                _glyph(
                    draw,
                    chr(0x265A + rng.randrange(6)),
                    _dejavu(),
                    38,
                    (box[0] + 25, box[1] + 25),
                    fill=(20, 20, 20),
                )
    return image


@cache
def _dejavu() -> str:
    import matplotlib

    return str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf")


def _sudoku(rng: Random) -> Image.Image:
    image = Image.new("RGB", (480, 480), (255, 255, 255))
    draw = ImageDraw.Draw(image)
    for k in range(10):
        draw.line((15 + 50 * k, 15, 15 + 50 * k, 465), fill=(0, 0, 0), width=3 if k % 3 == 0 else 1)
        draw.line((15, 15 + 50 * k, 465, 15 + 50 * k), fill=(0, 0, 0), width=3 if k % 3 == 0 else 1)
    for r in range(9):
        for c in range(9):
            if rng.random() < 0.5:
                _glyph(
                    draw,
                    str(rng.randint(1, 9)),
                    _dejavu(),
                    34,
                    (40 + 50 * c, 40 + 50 * r),
                    fill=(0, 0, 0),
                )
    return image


def _icons(rng: Random) -> Image.Image:
    image = Image.new("RGB", (480, 800), _colour(rng, 0.1, 0.9, 0.3))
    draw = ImageDraw.Draw(image)
    for r in range(6):
        for c in range(4):
            x, y = 25 + 115 * c, 30 + 125 * r
            draw.rounded_rectangle((x, y, x + 84, y + 84), 18, fill=_colour(rng, 0.2, 0.9, 0.1))
            _glyph(
                draw,
                chr(rng.randrange(65, 91)),
                _dejavu(),
                50,
                (x + 42, y + 42),
                fill=(255, 255, 255),
            )
    return image


def _photo(rng: Random) -> Image.Image:
    noise = np.random.default_rng(rng.randrange(2**31))
    small = Image.fromarray(noise.integers(0, 255, (24, 32, 3), dtype=np.uint8))
    return small.resize((640, 480), Image.Resampling.BICUBIC).filter(ImageFilter.GaussianBlur(6))


def _logo(rng: Random) -> Image.Image:
    image = Image.new("RGB", (512, 512), _colour(rng, 0.7, 1, 0.5))
    draw = ImageDraw.Draw(image)
    _mine(Look("logo", mine=0), image, draw, 512)
    return image


def _sheet(rng: Random) -> Image.Image:
    image = Image.new("RGB", (760, 560), (255, 255, 255))
    draw = ImageDraw.Draw(image)
    for k in range(9):
        draw.line((20 + 90 * k, 20, 20 + 90 * k, 540), fill=(200, 200, 200))
    for k in range(21):
        draw.line((20, 20 + 26 * k, 740, 20 + 26 * k), fill=(200, 200, 200))
        for c in range(8):
            draw.text(
                (28 + 90 * c, 23 + 26 * k),
                str(rng.randrange(2000)),
                fill=(0, 0, 0),
                font=_font(_dejavu(), 14),
            )
    return image


def _letters(rng: Random) -> Image.Image:
    """A word search: a grid of letters in lines."""
    look = Look("letters", size=34)
    image = Image.new("RGB", (34 * 12 + 20, 34 * 12 + 20), (250, 250, 250))
    draw = ImageDraw.Draw(image)
    for r in range(12):
        for c in range(12):
            x, y = 10 + look.size * c, 10 + look.size * r
            draw.rectangle((x, y, x + 34, y + 34), outline=(120, 120, 120))
            _glyph(
                draw, chr(rng.randrange(65, 91)), _dejavu(), 22, (x + 17, y + 17), fill=(0, 0, 0)
            )
    return image


def _plain(rng: Random) -> Image.Image:
    return Image.new("RGB", (300, 200), _colour(rng, 0, 1, 0.2))


def _chequers(rng: Random) -> Image.Image:
    tile = np.indices((12, 12)).sum(axis=0) % 2
    grey = (tile * 90 + 120).astype(np.uint8)
    return Image.fromarray(np.repeat(np.repeat(grey, 30, 0), 30, 1)).convert("RGB")


NON_BOARDS: dict[str, Callable[[Random], Image.Image]] = {
    "page of text": _page_of_text,
    "chess": _chess,
    "sudoku": _sudoku,
    "icons": _icons,
    "photograph": _photo,
    "logo": _logo,
    "spreadsheet": _sheet,
    "word search": _letters,
    "plain colour": _plain,
    "empty chequers": _chequers,
}
