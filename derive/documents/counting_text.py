"""A count and a table of shapes as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from derive.counting.polynomial import Poly
from derive.counting.result import Count, Part
from derive.counting.spec import Spec, meaning
from derive.counting.units import UNITS, in_unit, round_to, rounded_in, sizes
from derive.counting.written import grouped, put_in, text

TYPE_CHECKING = False
if TYPE_CHECKING:  # a count needs no shapes
    from derive.counting.shapes import Row

WIDE = 96


def terminal(words: str) -> str:
    """Words that come from a file, harmless for a terminal."""
    if words.isascii() and words.isprintable():
        return words
    from derive.render import escape  # only where there is something to be escaped

    return escape.terminal(words)


def capital(title: str) -> str:
    """The title as it begins a sentence."""
    return title[:1].upper() + title[1:]


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
    rows += list(shortcuts(found))
    head = f"{capital(terminal(found.title))}" + (
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
    for letter in used(found):
        value = found.values.get(letter)
        shown = f" = {text(value)}" if value is not None else ""
        yield f"{letter}{shown}: {stands_for(letter, found)}"


def stands_for(letter: str, found: Count) -> str:
    """What a letter means, in a few words."""
    return "as given" if letter in found.typed else meaning(letter)


def used(found: Count) -> tuple[str, ...]:
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
    yield from (f"{sign} {words}" for sign, words in units(found))


def units(found: Count) -> Iterator[tuple[str, str]]:
    """The number in other units; every rounding says how."""
    number = found.number
    if number is None:
        return
    if number.denominator != 1 and not found.answer_unit:
        rounded, exact = round_to(number, 4)
        yield (
            ("=" if exact else "≈"),
            rounded + ("" if exact else " (rounded to 4 significant digits, ties to even)"),
        )
    if found.answer_unit in UNITS and UNITS[found.answer_unit][0] == found.unit:
        shown = [in_unit(number, found.answer_unit)]
        if shown[0].exact:
            short = rounded_in(number, found.answer_unit)
            shown += [] if short.exact else [short]
    else:
        shown = sizes(number, found.unit)
    for x in shown:
        yield ("=" if x.exact else "≈"), x.text + (f" ({x.rounding})" if x.rounding else "")


def shortcuts(found: Count) -> Iterator[tuple[str, str]]:
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
        (part.name, text(part.formula), _value(found, part), percent(share))
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


def percent(share: Fraction | None) -> str:
    if share is None:
        return ""
    hundredths = round(share * 10000)
    sign = "-" if hundredths < 0 else ""
    return f"{sign}{abs(hundredths) // 100}.{abs(hundredths) % 100:02}%"


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
