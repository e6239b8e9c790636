"""A count and a table of shapes: as text, LaTeX, a document, JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from derive.counting.polynomial import Formula, Poly
from derive.counting.result import Count, Part
from derive.counting.shapes import Row
from derive.counting.spec import Spec, meaning
from derive.counting.units import UNITS, in_unit, round_to, rounded_in, sizes
from derive.counting.written import grouped, latex, latex_number, plain, put_in, text
from derive.render.escape import dumps, terminal
from derive.render.escape import latex as escaped

WIDE = 96


def write_count(found: Count, to: str) -> str | bytes:
    """A count in a format; bytes for pdf.  Raises as derive.render.pdf.compiled does."""
    if to == "json":
        return count_json(found)
    if to == "text":
        return count_text(found)
    return _typeset(f"{_capital(found.title)}", count_latex(found), to)


def write_shapes(rows: Sequence[Row], spec: Spec, to: str) -> str | bytes:
    """A table of shapes in a format; errors as above."""
    if to == "json":
        return shapes_json(rows, spec)
    if to == "text":
        return shapes_text(rows, spec)
    return _typeset(f"Shapes of {spec.title or 'a transformer'}", shapes_latex(rows, spec), to)


def _typeset(title: str, body: str, to: str) -> str | bytes:
    if to == "latex":
        return body
    from derive.render import pdf, tex

    page = tex.page(title, body)
    return pdf.compiled(page) if to == "pdf" else page


def _capital(title: str) -> str:
    return title[:1].upper() + title[1:]


# text


def count_text(found: Count) -> str:
    """The worked count: formula, letters, numbers put in, exact number, units, parts."""
    rows: list[tuple[str, str]] = []
    if len(found.parts) <= 1 or not isinstance(found.formula, Poly) or len(found.formula.terms) < 9:
        rows.append(("formula", text(found.formula)))
    else:
        rows.append(("formula", "the sum of the parts below"))
    rows += [("where", line) for line in _letters(found)]
    if found.values and found.formula.letters and rows[0][1] == text(found.formula):
        rows.append(("here", put_in(found.formula, found.values)))
    rows += [("exact" if k == 0 else "", line) for k, line in enumerate(_exact(found))]
    rows += [(line.title, line.text) for line in found.lines]
    rows += list(_shortcuts(found))
    head = f"{_capital(terminal(found.title))}" + (
        f" of {terminal(found.model)}" if found.model else ""
    )
    lines = [head, ""]
    width = max(len(name) for name, _ in rows)
    last = None
    for name, line in rows:
        shown = "" if name == last else name
        lines += _wrapped(f"  {shown:<{width}}  ", line)
        last = name
    if len(found.parts) > 1:
        lines += ["", *_parts(found)]
    lines += (
        ["", *(x for note in found.notes for x in _wrapped("  note: ", note))]
        if found.notes
        else []
    )
    if found.source:
        lines += ["", *_wrapped("  source: ", terminal(found.source))]
    return "\n".join([*lines, ""])


def _wrapped(head: str, line: str) -> list[str]:
    """A line broken at spaces, what follows under its first column."""
    out, current = [], head
    for word in line.split(" "):
        if len(current) + len(word) > WIDE and current.strip() and current != head:
            out.append(current.rstrip())
            current = " " * len(head)
        current += word + " "
    return [*out, current.rstrip()]


def _letters(found: Count) -> Iterator[str]:
    for letter in _used(found):
        value = found.values.get(letter)
        shown = f" = {text(value)}" if value is not None else ""
        yield f"{letter}{shown}: {meaning(letter)}"


def _used(found: Count) -> tuple[str, ...]:
    letters = dict.fromkeys(found.formula.letters)
    for part in found.parts:
        letters.update(dict.fromkeys(part.formula.letters))
    return tuple(letters)


def _exact(found: Count) -> Iterator[str]:
    if found.number is None:
        if found.value != found.formula:
            yield f"{text(found.value)} {found.unit}"
        return
    yield f"{grouped(found.number)} {found.unit}"
    yield from (f"{sign} {words}" for sign, words in _units(found))


def _units(found: Count) -> Iterator[tuple[str, str]]:
    """The number in other units; every rounding says how."""
    number = found.number
    if number is None:
        return
    if number.denominator != 1 and not found.answer_unit:
        rounded, exact = round_to(number, 4)
        yield (
            ("=" if exact else "≈"),
            rounded + ("" if exact else "  (rounded to 4 significant digits, ties to even)"),
        )
    if found.answer_unit in UNITS and UNITS[found.answer_unit][0] == found.unit:
        shown = [in_unit(number, found.answer_unit)]
        if shown[0].exact:
            short = rounded_in(number, found.answer_unit)
            shown += [] if short.exact else [short]
    else:
        shown = sizes(number, found.unit)
    for x in shown:
        yield ("=" if x.exact else "≈"), x.text + (f"  ({x.rounding})" if x.rounding else "")


def _shortcuts(found: Count) -> Iterator[tuple[str, str]]:
    for x in found.shortcuts:
        value = x.formula.put(found.values).number
        exact = found.number
        if value is None or exact is None:
            formula = x.formula if len(x.formula.terms) < 9 else None
            shown = text(formula) if formula is not None else f"{x.name} of the parameters"
            yield "shortcut", f"{x.name} = {shown} ({x.words})"
            continue
        difference = exact - value
        percent = round_to(100 * difference / exact, 3)[0] if exact else "0"
        sign = "+" if difference >= 0 else ""
        yield (
            "shortcut",
            (
                f"{x.name} = {grouped(value)}; exact - shortcut = {sign}{grouped(difference)} "
                f"(≈ {percent}% of the exact count); {x.words}"
            ),
        )


def _parts(found: Count) -> Iterator[str]:
    shares = [found.share(part) for part in found.parts]
    table = [("part", "formula", "value", "share")] + [
        (part.name, text(part.formula), _value(found, part), _percent(share))
        for part, share in zip(found.parts, shares, strict=True)
    ]
    widths = [max(len(row[k]) for row in table) for k in range(4)]
    for name, formula, value, share in table:
        yield (
            f"  {name:<{widths[0]}}  {formula:<{widths[1]}}  {value:>{widths[2]}}  "
            f"{share:>{widths[3]}}"
        ).rstrip()
    if any(share is not None for share in shares):
        yield "  (shares rounded to 2 decimals, ties to even)"


def _value(found: Count, part: Part) -> str:
    value = part.formula.put(found.values)
    if value.number is None:
        return text(value) if value != part.formula else ""
    return grouped(value.number)


def _percent(share: Fraction | None) -> str:
    if share is None:
        return ""
    hundredths = round(share * 10000)
    sign = "-" if hundredths < 0 else ""
    return f"{sign}{abs(hundredths) // 100}.{abs(hundredths) % 100:02}%"


# LaTeX


def count_latex(found: Count) -> str:  # noqa: C901 - the page from top to bottom
    """The same as a fragment that needs amsmath, booktabs and longtable."""
    lines = [r"\begin{flalign*}"]
    short = (isinstance(found.formula, Poly) and len(found.formula.terms) < 6) or len(
        found.parts
    ) == 1
    if short or not isinstance(found.formula, Poly):
        lines.append(rf"& {latex(found.formula)} && \\")
    if (
        found.values
        and found.formula.letters
        and short
        and len(latex(found.formula, found.values)) < 160
    ):
        lines.append(rf"&\quad = {latex(found.formula, found.values)} && \\")
    if found.number is not None:
        unit = rf"\ \text{{{escaped(found.unit)}}}"
        lines.append(rf"&\quad = {latex_number(found.number)}{unit} && \\")
        for sign, words in _units(found):
            relation = "=" if sign == "=" else r"\approx"
            lines.append(rf"&\quad {relation} \text{{{escaped(words)}}} && \\")
    elif (
        found.value != found.formula
        and isinstance(found.value, Poly)
        and len(found.value.terms) < 6
    ):
        lines.append(rf"&\quad = {latex(found.value)}\ \text{{{escaped(found.unit)}}} && \\")
    for line in found.lines:
        fits = len(line.latex) < 220
        body = line.latex.replace("≈", r"\approx ") if fits else r"\text{see the parts}"
        lines.append(rf"& \text{{{escaped(line.title)}:}}\quad {body} && \\")
    lines.append(r"\end{flalign*}")
    used = _used(found)
    if used:
        lines += [
            "",
            r"\noindent " + "; ".join(_letter_latex(x, found.values) for x in used) + ".",
            "",
        ]
    if len(found.parts) > 1:
        lines += _parts_latex(found)
    for name, words in _shortcuts(found):
        lines += [rf"\noindent {name}: {_sentence(words)}\par"]
    for note in found.notes:
        lines += [rf"\noindent\emph{{{_sentence(note)}}}\par"]
    if found.source:
        lines += [rf"\noindent Source: {_sentence(found.source)}\par"]
    body = "\n".join(lines) + "\n"
    return body.replace(r"\begin{flalign*}" + "\n" + r"\end{flalign*}" + "\n", "")


def _sentence(words: str) -> str:
    return escaped(words).replace("/", r"/\allowbreak{}")


def _letter_latex(letter: str, values: dict[str, Poly] | object) -> str:
    value = values.get(letter) if isinstance(values, dict) else None
    shown = f" = {latex(value)}" if value is not None else ""
    return rf"${latex(Poly.letter(letter))}{shown}$: {escaped(meaning(letter))}"


def _parts_latex(found: Count) -> list[str]:
    out = [
        r"\begin{longtable}{@{}>{\raggedright}p{4.3cm}>{\raggedright}p{5.3cm}rr@{}}",
        r"\toprule part & formula & value & share \\ \midrule \endhead",
    ]
    for part in found.parts:
        value = part.formula.put(found.values)
        number = f"${latex_number(value.number)}$" if value.number is not None else ""
        share = escaped(_percent(found.share(part)))
        formula = latex(part.formula).replace(r"\,", r"\,\allowbreak ")
        out.append(rf"{escaped(part.name)} & ${formula}$ & {number} & {share} \\")
    return [*out, r"\bottomrule", r"\end{longtable}"]


# JSON


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
            x: _number(found.values[x]) if x in found.values else None for x in _used(found)
        },
        "units": [{"exact": sign == "=", "text": words} for sign, words in _units(found)],
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
    from derive.counting.polynomial import Ratio

    return plain(x) if isinstance(x, Poly | Ratio) else str(x)


# shapes


def shapes_text(rows: Sequence[Row], spec: Spec) -> str:
    """A line for each tensor: name, shape in letters, in numbers, copies, meaning."""
    values = spec.values()
    table = [("tensor", "shape", "here", "copies", "what")]
    for x in rows:
        table.append(
            (
                x.name,
                _times(x.shape),
                _here(x, values),
                _copies(x, values),
                f"{x.kind}: {x.meaning}",
            )
        )
    kept = [k for k in range(5) if k not in (2,) or any(row[2] for row in table[1:])]
    widths = [max(len(row[k]) for row in table) for k in range(5)]
    lines = ["  ".join(f"{row[k]:<{widths[k]}}" for k in kept).rstrip() for row in table]
    return "\n".join([*lines, ""])


def _times(shape: Sequence[Poly]) -> str:
    return "×".join(f"({s})" if len(s.terms) > 1 else str(s) for s in shape)


def _here(x: Row, values: dict[str, Poly]) -> str:
    put = [s.put(values) for s in x.shape]
    return "" if put == list(x.shape) and any(s.letters for s in put) else _times(put)


def _copies(x: Row, values: dict[str, Poly]) -> str:
    value = x.copies.put(values)
    if value == x.copies:
        return str(value)
    return f"{x.copies} = {grouped(value.number) if value.number is not None else value}"


def shapes_latex(rows: Sequence[Row], spec: Spec) -> str:
    """The table as a fragment that needs booktabs and longtable."""
    values = spec.values()
    out = [
        r"\begin{longtable}{@{}lll>{\raggedright\arraybackslash}p{6cm}@{}}",
        r"\toprule tensor & shape & here & what (copies) \\ \midrule \endhead",
    ]
    for x in rows:
        shape = r" \times ".join(latex(s) for s in x.shape)
        here = r" \times ".join(latex(s.put(values)) for s in x.shape)
        copies = x.copies.put(values)
        shown = latex_number(copies.number) if copies.number is not None else latex(copies)
        out.append(
            rf"\texttt{{{escaped(x.name)}}} & ${shape}$ & ${here}$ & "
            rf"{escaped(x.meaning)} (${shown}$) \\"
        )
    return "\n".join([*out, r"\bottomrule", r"\end{longtable}", ""])


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
