"""A count and a table of shapes: as text, LaTeX, a document, JSON; each in a file of its own."""

from __future__ import annotations

from collections.abc import Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from derive.counting.result import Count
    from derive.counting.shapes import Row
    from derive.counting.spec import Spec


def write_count(found: Count, to: str) -> str | bytes:
    """A count in a format; bytes for pdf.  Raises as derive.render.pdf.compiled does."""
    from derive.documents.counting_text import capital, count_text

    if to == "text":
        return count_text(found)
    if to == "json":
        from derive.documents.counting_json import count_json

        return count_json(found)
    from derive.documents.counting_latex import count_latex

    of = f" of {found.model}" if found.model else ""
    return _typeset(f"{capital(found.title)}{of}", count_latex(found), to)


def write_shapes(rows: Sequence[Row], spec: Spec, to: str) -> str | bytes:
    """A table of shapes in a format; errors as above."""
    if to == "text":
        from derive.documents.counting_text import shapes_text

        return shapes_text(rows, spec)
    if to == "json":
        from derive.documents.counting_json import shapes_json

        return shapes_json(rows, spec)
    from derive.documents.counting_latex import shapes_latex

    return _typeset(f"Shapes of {spec.title or 'a transformer'}", shapes_latex(rows, spec), to)


def _typeset(title: str, body: str, to: str) -> str | bytes:
    if to == "latex":
        return body
    from derive.render import pdf, tex

    page = tex.page(title, body)
    return pdf.compiled(page) if to == "pdf" else page
