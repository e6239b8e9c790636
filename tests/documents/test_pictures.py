"""Pictures: every number in its place, inert words, the same bytes every time."""

from __future__ import annotations

import shutil
import subprocess
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from derive.blocks import build
from derive.cli.program import program
from derive.documents.pictures import HIDDEN, LOW, _apart, _color, _ticks, heat_map, picture
from derive.errors import AddressError, OutputError
from derive.graph import table
from derive.graph.graph import Graph
from derive.model import bundled_names, load, loads
from derive.render.drawing import Box, Stroke, Words, head, pdf, svg

SVG = "{http://www.w3.org/2000/svg}"


def graph_of(name: str) -> Graph:
    return build(load(name))


def test_a_heat_map_has_every_value_once() -> None:
    graph = graph_of("cats")
    shapes = heat_map(graph, "A").shapes
    shown = [x.text for x in shapes if isinstance(x, Words)]
    cells = [x for row in table(graph, "A", "decimal", 3).plain for x in row]
    for text in set(cells):
        assert shown.count(text) >= cells.count(text)
    names = [x.name for x in shapes if isinstance(x, Box)]
    assert names[0] == "A[I,I] = 1" and len(names) == 16


def test_boxes_of_a_heat_map_neither_overlap_nor_leave_the_picture() -> None:
    drawn = heat_map(graph_of("mat"), "logits")
    boxes = [x for x in drawn.shapes if isinstance(x, Box)]
    for one in boxes:
        assert one.x + one.width <= drawn.width and one.y + one.height <= drawn.height
    assert len({(x.x, x.y) for x in boxes}) == len(boxes) == 5 * 15


def test_colours_follow_the_numbers() -> None:
    assert _color(Fraction(0), Fraction(1)) == (255, 255, 255)
    assert _color(Fraction(-1), Fraction(1)) == LOW
    assert _color(None, Fraction(1)) == HIDDEN
    shades = [sum(_color(Fraction(k, 9), Fraction(1))) for k in range(10)]
    assert shades == sorted(shades, reverse=True)


def test_infinity_is_grey_and_said() -> None:
    shapes = heat_map(graph_of("cats"), "S_masked").shapes
    hidden = [x for x in shapes if isinstance(x, Box) and x.fill == HIDDEN]
    assert len(hidden) == 6 and all("−∞" in x.name for x in hidden)


def test_rope_keeps_lengths() -> None:
    """Both arrows of a pair are as long: turning changes no length."""
    drawn = picture(graph_of("cats"), "Q_rot")
    tips = [x.points for x in drawn.shapes if isinstance(x, Stroke) and x.arrow]
    assert len(tips) == 8
    for before, after in zip(tips[::2], tips[1::2], strict=True):
        one, two = (sum((a - b) ** 2 for a, b in zip(*p, strict=True)) for p in (before, after))
        assert abs(one - two) < 2 * 400 * 2


def test_the_stream_has_a_line_a_token_and_a_point_a_layer() -> None:
    graph = graph_of("cats-two-blocks")
    lines = [x for x in picture(graph, "b1.H.rms").shapes
             if isinstance(x, Stroke) and len(x.points) == 5]  # fmt: skip
    assert len(lines) == 4


@pytest.mark.parametrize("name", [n for n in bundled_names() if not load(n).symbols])
def test_every_model_has_its_pictures_and_they_parse(name: str) -> None:
    graph = graph_of(name)
    for matrix in list(graph)[-3:]:
        if len(matrix.shape) == 2:
            drawn = picture(graph, matrix.name)
            ElementTree.fromstring(svg(drawn))
            assert pdf(drawn).startswith(b"%PDF") and pdf(drawn).endswith(b"%%EOF\n")


HOSTILE = '"><script>alert(1)</script> & \\u202e ) Tj ( 猫 \\u0007'


def test_words_stay_words(tmp_path: Path) -> None:
    graph = build(loads(f'tokens = ["{HOSTILE.replace(chr(34), chr(92) + chr(34))}", "b"]\n'
                        "[embedding]\nX = [[1, 2], [3, 4]]\n"))  # fmt: skip
    drawn = picture(graph, "X")
    root = ElementTree.fromstring(svg(drawn))
    assert {x.tag.removeprefix(SVG) for x in root.iter()} == {"svg", "title", "rect", "text"}
    assert any("<script>" in (x.text or "") for x in root.iter(f"{SVG}text"))
    if shutil.which("pdftotext"):
        path = tmp_path / "x.pdf"
        path.write_bytes(pdf(drawn))
        done = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True)
        assert "<script>" in done.stdout and not done.stderr


def test_what_can_not_be_drawn() -> None:
    free = build(loads('symbols = { w = "real" }\n[embedding]\nX = [["w", 1]]\n'))
    with pytest.raises(OutputError, match="free letters"):
        picture(free, "X")
    with pytest.raises(AddressError, match="nearest"):
        picture(graph_of("cats"), "AA")


def test_ticks_and_labels() -> None:
    assert list(map(str, _ticks(Fraction(27, 10)))) == ["0", "1/2", "1", "3/2", "2", "5/2"]
    assert _apart([(10, 0), (12, 1), (200, 2)], 50) == [(10, 0), (60, 1), (200, 2)]
    assert head(((0, 0), (100, 0))) == ((100, 0), (40, 25), (40, -25))


def test_the_command_and_the_same_bytes_twice() -> None:
    words = ["show", "cats", "A", "--to", "svg"]
    one, two = (CliRunner().invoke(program, words).stdout for _ in "ab")
    assert one == two and one.startswith("<svg ")
    file = CliRunner().invoke(program, ["show", "cats", "A", "--picture", "--to", "pdf"])
    assert file.stdout_bytes.startswith(b"%PDF-1.4")
