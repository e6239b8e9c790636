"""A count and a table of shapes as JSON: derive.count/1 and derive.shapes/1."""

from __future__ import annotations

from collections.abc import Sequence

from derive.counting.polynomial import Formula, Poly, Ratio
from derive.counting.result import Count
from derive.counting.shapes import Row
from derive.counting.spec import Spec
from derive.counting.written import plain
from derive.documents.counting_text import units, used
from derive.render.escape import dumps


def count_json(found: Count) -> str:
    """derive.count/1: beside the contract's keys the steps, units, notes and what was solved."""
    answer = found.answer
    data: dict[str, object] = {
        "schema": "derive.count/1",
        "quantity": found.quantity,
        "formula": plain(found.formula),
        "value": _number(found.value),
        "unit": found.unit,
        "parts": [
            {
                "name": part.name,
                "formula": plain(part.formula),
                "value": _number(part.formula.put(found.values)),
                "share": str(share) if (share := found.share(part)) is not None else None,
                **({"unit": part.unit} if part.unit else {}),
            }
            for part in found.parts
        ],
        "title": found.title,
        "letters": {
            x: _number(found.values[x]) if x in found.values else None for x in used(found)
        },
        "units": [{"exact": sign == "=", "text": words} for sign, words in units(found)],
        "steps": [{"title": x.title, "text": x.text, "latex": x.latex} for x in found.lines],
        "shortcuts": [
            {
                "name": x.name,
                "formula": plain(x.formula),
                "value": _number(x.formula.put(found.values)),
            }
            for x in found.shortcuts
        ],
        "notes": list(found.notes),
        "source": found.source,
        **{
            key: plain(x.put(found.values)) if isinstance(x, Poly) and key != "leading" else _any(x)
            for key, x in found.extra.items()
        },
    }
    if answer is not None:
        data["answer"] = _number(answer)
    return dumps(data)


def _number(value: Formula) -> str:
    return str(value.number) if value.number is not None else plain(value)


def _any(x: object) -> str:
    return plain(x) if isinstance(x, Poly | Ratio) else str(x)


def shapes_json(rows: Sequence[Row], spec: Spec) -> str:
    """derive.shapes/1: tensors with their shapes in letters (plain grammar) and numbers."""
    values = spec.values()
    tensors = [
        {
            "name": x.name,
            "kind": x.kind,
            "meaning": x.meaning,
            "letters": [plain(s) for s in x.shape],
            "shape": [_size(s.put(values)) for s in x.shape],
            "copies": _size(x.copies.put(values)),
            "entries": _size(x.entries.put(values)),
        }
        for x in rows
    ]
    return dumps({"schema": "derive.shapes/1", "tensors": tensors, "source": spec.source})


def _size(value: Poly) -> int | str:
    number = value.number
    return int(number) if number is not None and number.denominator == 1 else plain(value)
