"""Lines broken at the best place that fits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from derive.render.layout import DOT, PLUS, Piece, fill
from derive.render.plain_maths import joined


def words(text: str, kind: int | None = PLUS, depth: int = 0) -> list[Piece]:
    """One piece a word, a break before each."""
    return [
        Piece(w, len(w), kind if k else None, depth, " ") for k, w in enumerate(text.split(" "))
    ]


def test_the_last_break_that_fits() -> None:
    lines = fill(words("aa bb cc dd ee"), 8)
    assert [joined(line) for _, line in lines] == ["aa bb cc", "dd ee"]


def test_outer_breaks_first() -> None:
    inner = [Piece(w, 2, PLUS, 1, " ") for w in ("bb", "cc")]
    pieces = [Piece("aa", 2), *inner, Piece("dd", 2, PLUS, 0, " "), Piece("ee", 2, DOT, 0, " ")]
    assert [joined(line) for _, line in fill(pieces, 12)] == ["aa bb cc", "dd ee"]


def test_a_wide_piece_stands_alone() -> None:
    lines = fill(words("a " + "b" * 50 + " c"), 10)
    assert [joined(line) for _, line in lines] == ["a", "b" * 50, "c"]


def test_indent_gives_way() -> None:
    pieces = [Piece("aaaa", 4), Piece("b" * 9, 9, PLUS, 3), Piece("cc", 2, PLUS, 1)]
    assert [indent for indent, _ in fill(pieces, 10)] == [0, 1, 2]


@given(
    st.lists(st.tuples(st.integers(1, 9), st.sampled_from([None, 0, 1, 2]), st.integers(0, 4))),
    st.integers(5, 40),
)
def test_nothing_is_lost_and_nothing_is_too_wide(
    shape: list[tuple[int, int | None, int]], width: int
) -> None:
    pieces = [Piece("x" * w, w, kind, depth) for w, kind, depth in shape]
    lines = fill(pieces, width)
    assert [p for _, line in lines for p in line] == pieces
    for indent, line in lines:
        breakable = [p for p in line[1:] if p.kind is not None]
        assert indent + sum(p.width for p in line) <= width or not breakable
