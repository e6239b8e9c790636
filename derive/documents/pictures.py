"""Pictures of matrices: heat maps, the arrows that RoPE turns, the size of the stream by layer.

Positions and colours are whole numbers taken from certified enclosures; the printed values
are the correctly rounded decimals of every other output.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from derive.errors import OutputError
from derive.graph import Cell, table
from derive.graph.address import split
from derive.graph.graph import Graph
from derive.render.drawing import (
    FAINT,
    INK,
    PAPER,
    Box,
    Color,
    Picture,
    Shape,
    Stroke,
    Words,
    width,
)
from derive.render.escape import label as shown_label

# Two ends and a light middle that colour-blind readers tell apart (blue and orange of
# Okabe and Ito 2008, "Color Universal Design")
LOW: Color = (213, 94, 0)
HIGH: Color = (0, 114, 178)
HIDDEN: Color = (225, 225, 228)
SERIES: tuple[Color, ...] = (
    (0, 114, 178), (213, 94, 0), (0, 158, 115), (204, 121, 167), (86, 180, 233), (230, 159, 0),
)  # fmt: skip
MARGIN, GAP, CELL_HEIGHT, LINE = 100, 60, 220, 130
MOST_CELLS = 4000
STREAM = ("X.rms", "H_mid.rms", "H.rms")


def picture(graph: Graph, name: str, digits: int = 3) -> Picture:
    """The picture of a matrix: arrows for rotated queries and keys, the stream's RMS by layer
    for a statistic of the stream, else a heat map.

    Raises OutputError for free letters, a matrix that is too large, or three indices;
    AddressError for an unknown name.
    """
    if graph.free:
        raise OutputError("a picture needs numbers, and the model has free letters")
    matrix = graph.matrix(name.partition("[")[0])
    base = split(matrix.name)[1]
    if base in STREAM:
        return stream(graph, digits)
    if base in ("Q_rot", "K_rot") and "[" not in name:
        return arrows(graph, matrix.name)
    return heat_map(graph, name, digits)


# heat map


def heat_map(graph: Graph, name: str, digits: int = 3) -> Picture:
    """Every cell as a coloured box with its value; hidden ones grey."""
    matrix = graph.matrix(name.partition("[")[0])
    if len(matrix.shape) != 2:
        raise OutputError(f"{name} has {len(matrix.shape)} indices; a heat map shows two")
    t = table(graph, name, "decimal", digits)
    if t.shape[0] * t.shape[1] > MOST_CELLS:
        raise OutputError(f"{name} has more than {MOST_CELLS} cells; name a row: {name}[0,:]")
    texts = [[_value(x, graph) for x in row] for row in t.plain]
    numbers = [[_number(text) for text in row] for row in t.plain]
    largest = max((abs(x) for row in numbers for x in row if x is not None), default=Fraction(0))
    rows, heads = [shown_label(x) for x in t.rows], [shown_label(x) for x in t.columns]
    left = MARGIN + max(map(width, rows)) + GAP
    cell = max(280, *(width(x) + 80 for row in [heads, *texts] for x in row))
    top = MARGIN + 2 * LINE + 40
    shapes: list[Shape] = [
        Words(MARGIN, MARGIN + 90, t.name, size=110),
        Words(MARGIN + width(t.name, 110) + 80, MARGIN + 90, t.meaning, FAINT),
    ]
    shapes += [
        Words(left + j * cell + cell // 2, top - 45, head, FAINT, "middle")
        for j, head in enumerate(heads)
    ]
    for i, row in enumerate(rows):
        y = top + i * CELL_HEIGHT
        shapes.append(Words(left - GAP, y + 140, row, FAINT, "end"))
        for j in range(t.shape[1]):
            fill = _color(numbers[i][j], largest)
            words = f"{t.name}[{t.rows[i]},{t.columns[j]}] = {texts[i][j]}"
            box = Box(left + j * cell, y, cell - 10, CELL_HEIGHT - 10, fill, words)
            ink = PAPER if _dark(fill) else INK
            middle = left + j * cell + cell // 2
            shapes += [box, Words(middle, y + 140, texts[i][j], ink, "middle")]
    wide = left + t.shape[1] * cell + MARGIN
    title = width(t.name, 110) + 80 + width(t.meaning) + 2 * MARGIN
    height = top + t.shape[0] * CELL_HEIGHT + MARGIN
    return Picture(max(wide, title), height, f"{t.name}: {t.meaning}", tuple(shapes))


def _value(text: str, graph: Graph) -> str:
    text = {"-inf": "−∞", "inf": "∞"}.get(text, text.replace("-", "−"))
    return text.replace(".", ",") if graph.model.notation["decimal"] == "comma" else text


def _number(text: str) -> Fraction | None:
    return None if "inf" in text else Fraction(text)


def _color(x: Fraction | None, largest: Fraction) -> Color:
    """From orange for the most negative over white for 0 to blue for the largest."""
    if x is None:
        return HIDDEN
    end = HIGH if x >= 0 else LOW
    share = abs(x) / largest if largest else Fraction(0)
    return tuple(p + int(share * (e - p)) for p, e in zip(PAPER, end, strict=True))  # type: ignore[return-value]


def _dark(color: Color) -> bool:
    """Whether white words are easier to read on it: by the weights of sRGB luminance."""
    red, green, blue = color
    return 2126 * red + 7152 * green + 722 * blue < 10000 * 140


# arrows of RoPE


def arrows(graph: Graph, name: str) -> Picture:
    """Each row's pairs of columns before and after they are turned, one small plane a pair."""
    after = graph.matrices[name]
    before = graph.matrices[next(iter(after.operation.inputs.values()))]
    pairs = _pairs(graph, name)
    if not pairs:
        raise OutputError(f"{graph.short(name)}: no pair of columns is turned")
    tokens = graph.model.tokens or tuple(map(str, range(after.shape[0])))
    size, top = 900, MARGIN + 2 * LINE
    ends = {
        (m.name, i, k): _middle(Cell(graph, m, (i, k)))
        for m in (before, after)
        for i in range(after.shape[0])
        for k in range(after.shape[1])
    }
    largest = max(map(abs, ends.values())) or Fraction(1)
    short = graph.short(name)
    shapes: list[Shape] = [
        Words(MARGIN, MARGIN + 90, short, size=110),
        Words(MARGIN + width(short, 110) + 80, MARGIN + 90,
              "dashed: before the turn, solid: after it", FAINT),
    ]  # fmt: skip
    for i in range(after.shape[0]):
        for p, (a, b) in enumerate(pairs):
            x, y = MARGIN + i * (size + GAP), top + p * (size + LINE)
            center = (x + size // 2, y + size // 2)
            shapes += _plane(x, y, size)
            for m, color, dash in ((before, FAINT, 30), (after, HIGH, 0)):
                tip = (
                    center[0] + int(ends[m.name, i, a] / largest * (size // 2 - 40)),
                    center[1] - int(ends[m.name, i, b] / largest * (size // 2 - 40)),
                )
                if tip != center:
                    shapes.append(Stroke((center, tip), color, 14, arrow=True, dash=dash))
            words = f"{shown_label(tokens[i])}, columns {a} and {b}"
            shapes.append(Words(x + size // 2, y + size + 100, words, FAINT, "middle"))
    return Picture(
        max(MARGIN * 2 + after.shape[0] * (size + GAP), 5000),
        top + len(pairs) * (size + LINE) + MARGIN,
        f"{short}: how RoPE turns each pair of columns",
        tuple(shapes),
    )


def _plane(x: int, y: int, size: int) -> list[Shape]:
    middle = size // 2
    return [
        Box(x, y, size, size, (246, 246, 248)),
        Stroke(((x, y + middle), (x + size, y + middle)), HIDDEN, 6),
        Stroke(((x + middle, y), (x + middle, y + size)), HIDDEN, 6),
    ]


def _pairs(graph: Graph, name: str) -> list[tuple[int, int]]:
    """Columns that are turned together, from the cells that each column reads."""
    matrix = graph.matrices[name]
    found: dict[tuple[int, int], None] = {}
    for j in range(matrix.shape[1]):
        reads = sorted({c.indices[1] for c in Cell(graph, matrix, (0, j)).reads})
        if len(reads) == 2:
            found[reads[0], reads[1]] = None
    return list(found)


def _middle(cell: Cell) -> Fraction:
    low, high = cell.enclosure(64)
    return (low + high) / 2


# the stream by layer


def stream(graph: Graph, digits: int = 3) -> Picture:
    """The root mean square of every row of the stream, from the input through all blocks."""
    names = [n for n in graph.matrices if split(n)[1] in STREAM and not n.startswith("mem.")]
    if len(names) < 2:
        raise OutputError("the stream has no layers to compare")
    rows = graph.matrices[names[0]].shape[0]
    tokens = graph.model.tokens or tuple(map(str, range(rows)))
    values = [[_middle(Cell(graph, graph.matrices[n], (i, 0))) for n in names] for i in range(rows)]
    largest = max(x for line in values for x in line) or Fraction(1)
    left, top, step, tall = 500, MARGIN + 2 * LINE, 800, 2000
    bottom, right = top + tall, left + (len(names) - 1) * step
    shapes: list[Shape] = [
        Words(MARGIN, MARGIN + 90, "the stream", size=110),
        Words(MARGIN + width("the stream", 110) + 80, MARGIN + 90,
              "root mean square of each row, layer by layer", FAINT),
        Stroke(((left, top), (left, bottom), (right + 200, bottom)), FAINT, 8),
    ]  # fmt: skip
    shapes += [
        Words(left + k * step, bottom + 130, graph.short(n).removesuffix(".rms"), FAINT, "middle")
        for k, n in enumerate(names)
    ]
    for tick in _ticks(largest):
        y = bottom - int(tick / largest * (tall - 100))
        shapes += [Stroke(((left - 40, y), (left, y)), FAINT, 8),
                   Words(left - 70, y + 30, _plain(tick), FAINT, "end")]  # fmt: skip
    last: list[tuple[int, int]] = []
    for i, line in enumerate(values):
        color = SERIES[i % len(SERIES)]
        points = tuple(
            (left + k * step, bottom - int(x / largest * (tall - 100))) for k, x in enumerate(line)
        )
        shapes.append(Stroke(points, color, 16, dash=0 if i < len(SERIES) else 40))
        last.append((points[-1][1], i))
    for y, i in _apart(last, LINE):
        shapes.append(Words(right + 60, y + 30, shown_label(tokens[i]), SERIES[i % len(SERIES)]))
    wide = right + 160 + max(width(shown_label(x)) for x in tokens) + MARGIN
    return Picture(max(wide, 5200), bottom + 200 + MARGIN, "RMS of the stream by layer",
                   tuple(shapes))  # fmt: skip


def _ticks(largest: Fraction) -> Sequence[Fraction]:
    """Three to seven round numbers up to the largest."""
    step = Fraction(1)
    while largest / step < 3:
        step /= 10
    while largest / step > 30:
        step *= 10
    for more in (1, 2, 5, 10):
        if largest / (step * more) <= 7:
            return [k * step * more for k in range(int(largest / (step * more)) + 1)]
    return [Fraction(0)]


def _plain(x: Fraction) -> str:
    from derive.documents.dialects import decimal

    return decimal(x) or str(x)


def _apart(places: list[tuple[int, int]], least: int) -> list[tuple[int, int]]:
    """Heights moved so far that no two labels overlap, their order kept."""
    out: list[tuple[int, int]] = []
    for y, i in sorted(places):
        out.append((max(y, out[-1][0] + least) if out else y, i))
    return out
