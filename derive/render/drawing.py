"""Pictures as lists of shapes, written as SVG or PDF; lengths are whole tenths of a point.

Both writers are small because the shapes are few: boxes, lines, arrows and words in one
sans-serif font.  Text of users is escaped for each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Literal
from xml.sax.saxutils import escape

from derive.render.escape import columns, terminal

Color = tuple[int, int, int]  # 0 to 255
INK: Color = (30, 30, 36)
FAINT: Color = (120, 120, 128)
PAPER: Color = (255, 255, 255)
SIZE = 90  # of words: 9 pt
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class Box:
    """A filled rectangle; x, y: its upper left corner."""

    x: int
    y: int
    width: int
    height: int
    fill: Color
    name: str = ""  # what a reader who points at it, or hears it, is told


@dataclass(frozen=True)
class Stroke:
    """A line through points; `arrow`: with a head at its end; `dash`: 0 or the pattern's step."""

    points: tuple[tuple[int, int], ...]
    color: Color = INK
    width: int = 10
    arrow: bool = False
    dash: int = 0


@dataclass(frozen=True)
class Words:
    """A line of text; x, y: its anchor on the base line."""

    x: int
    y: int
    text: str
    color: Color = INK
    anchor: Anchor = "start"
    size: int = SIZE


Shape = Box | Stroke | Words


@dataclass(frozen=True)
class Picture:
    """A drawing: its size, what it shows in a sentence, its shapes from back to front."""

    width: int
    height: int
    title: str
    shapes: tuple[Shape, ...]


def pt(n: int) -> str:
    """Tenths of a point as a decimal.

    >>> pt(125), pt(-40), pt(-5)
    ('12.5', '-4', '-0.5')
    """
    whole, rest = divmod(abs(n), 10)
    return ("-" if n < 0 else "") + f"{whole}" + (f".{rest}" if rest else "")


def _hex(color: Color) -> str:
    return "#" + "".join(f"{c:02x}" for c in color)


def head(points: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The triangle at the end of an arrow, 6 pt long."""
    (x0, y0), (x1, y1) = points[-2], points[-1]
    dx, dy = x1 - x0, y1 - y0
    length = max(1, isqrt(dx * dx + dy * dy))
    back_x, back_y = x1 - 60 * dx // length, y1 - 60 * dy // length
    side_x, side_y = -25 * dy // length, 25 * dx // length
    return ((x1, y1), (back_x + side_x, back_y + side_y), (back_x - side_x, back_y - side_y))


# SVG


def svg(picture: Picture) -> str:
    """One self-contained SVG document; its title is its accessible name."""
    size = f'width="{pt(picture.width)}pt" height="{pt(picture.height)}pt"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" '
        f'viewBox="0 0 {pt(picture.width)} {pt(picture.height)}" '
        'font-family="Helvetica, Arial, sans-serif">',
        f"<title>{_xml(picture.title)}</title>",
        f'<rect width="100%" height="100%" fill="{_hex(PAPER)}"/>',
        *(line for shape in picture.shapes for line in _svg(shape)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _xml(text: str) -> str:
    return escape(terminal(text), {'"': "&quot;"})


def _svg(shape: Shape) -> Iterator[str]:
    match shape:
        case Box(x, y, width, height, fill, name):
            box = (
                f'<rect x="{pt(x)}" y="{pt(y)}" width="{pt(width)}" height="{pt(height)}" '
                f'fill="{_hex(fill)}"'
            )
            yield f"{box}><title>{_xml(name)}</title></rect>" if name else f"{box}/>"
        case Stroke(points, color, width, arrow, dash):
            path = " ".join(f"{pt(x)},{pt(y)}" for x, y in points)
            dashed = f' stroke-dasharray="{pt(dash)}"' if dash else ""
            yield (
                f'<polyline points="{path}" fill="none" stroke="{_hex(color)}" '
                f'stroke-width="{pt(width)}"{dashed}/>'
            )
            if arrow:
                tip = " ".join(f"{pt(x)},{pt(y)}" for x, y in head(points))
                yield f'<polygon points="{tip}" fill="{_hex(color)}"/>'
        case Words(x, y, text, color, anchor, size):
            yield (
                f'<text x="{pt(x)}" y="{pt(y)}" font-size="{pt(size)}" fill="{_hex(color)}" '
                f'text-anchor="{anchor}">{_xml(text)}</text>'
            )


# PDF: one page, the standard font Helvetica, which every reader has

WIDTHS = {  # of Helvetica in 1/1000 of its size (Adobe's font metrics); others are taken as 556
    **dict.fromkeys("0123456789abdeghnopqu", 556), **dict.fromkeys("ijl'", 222),
    **dict.fromkeys(" .,:;/!|It[]", 278), **dict.fromkeys("()-r", 333),
    **dict.fromkeys("ckvxyszJ", 500), "f": 278, "m": 833, "w": 722, "M": 833, "W": 944,
    **dict.fromkeys("ABEKPSVXY", 667), **dict.fromkeys("CDHNRU", 722), **dict.fromkeys("GOQ", 778),
    "F": 611, "T": 611, "Z": 611, "L": 556, "=": 584, "+": 584,
}  # fmt: skip


def width(text: str, size: int = SIZE) -> int:
    """How wide words are, in tenths of a point; wide characters count double."""
    thousandths = sum(WIDTHS.get(c, 556 * max(1, columns(c))) for c in text)
    return thousandths * size // 1000


def pdf(picture: Picture) -> bytes:
    """A PDF of one page, the same bytes every time."""
    parts = ["1 0 0 -1 0 " + pt(picture.height) + " cm"]
    parts += [line for shape in picture.shapes for line in _pdf(shape)]
    stream = "\n".join(parts).encode("cp1252")
    title = _string(picture.title).encode("cp1252")
    box = f"[0 0 {pt(picture.width)} {pt(picture.height)}]".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox " + box + b" /Contents 4 0 R "
        b"/Resources << /Font << /F 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n" % len(stream) + stream + b"\nendstream",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Title " + title + b" >>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(out)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % count + table
    return out + b"trailer << /Size %d /Root 1 0 R /Info 6 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        count,
        start,
    )


def _string(text: str) -> str:
    """A PDF string: what the font lacks as a code point."""
    shown = "".join(c if _has(c) else f"U+{ord(c):04X}" for c in terminal(text))
    return "(" + shown.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)") + ")"


def _has(c: str) -> bool:
    try:
        return bool(c.encode("cp1252"))
    except UnicodeEncodeError:
        return False


def _rgb(color: Color) -> str:
    return " ".join(f"0.{c * 1000 // 255:03}" if c < 255 else "1" for c in color)


def _pdf(shape: Shape) -> Iterator[str]:
    match shape:
        case Box(x, y, width_, height, fill):
            yield f"{_rgb(fill)} rg {pt(x)} {pt(y)} {pt(width_)} {pt(height)} re f"
        case Stroke(points, color, width_, arrow, dash):
            path = [f"{pt(x)} {pt(y)} {'l' if k else 'm'}" for k, (x, y) in enumerate(points)]
            pattern = f"[{pt(dash)}] 0 d" if dash else "[] 0 d"
            yield f"{_rgb(color)} RG {pt(width_)} w {pattern} {' '.join(path)} S"
            if arrow:
                corners = [f"{pt(x)} {pt(y)}" for x, y in head(points)]
                tip = f"{corners[0]} m {corners[1]} l {corners[2]} l f"
                yield f"{_rgb(color)} rg {tip}"
        case Words(x, y, text, color, anchor, size):
            shift = {"start": 0, "middle": 1, "end": 2}[anchor] * width(text, size) // 2
            text = _string(text.replace("−", "-"))
            yield (
                f"BT {_rgb(color)} rg /F {pt(size)} Tf 1 0 0 -1 {pt(x - shift)} {pt(y)} Tm "
                f"{text} Tj ET"
            )
