"""A count and a table of shapes as LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from derive.counting.polynomial import Formula, Poly
from derive.counting.result import Count
from derive.counting.shapes import Row
from derive.counting.spec import Spec
from derive.counting.written import latex, latex_number
from derive.documents.counting_text import percent, shortcuts, stands_for, units, used
from derive.render.escape import latex as escaped

LONGEST = 160  # of a formula with its numbers put in, as LaTeX


def count_latex(found: Count) -> str:
    """The same as a fragment that needs amsmath, booktabs and longtable."""
    lines = [*_worked(found), *_line_by_line(found)]
    out = [r"\begin{flalign*}", *lines, r"\end{flalign*}"] if lines else []
    if letters := used(found):
        out += ["", r"\noindent " + "; ".join(_letter(x, found) for x in letters) + ".", ""]
    if len(found.parts) > 1:
        out += _parts_latex(found)
    out += [rf"\noindent {name}: {_sentence(words)}\par" for name, words in shortcuts(found)]
    out += [rf"\noindent\emph{{{_sentence(note)}}}\par" for note in found.notes]
    if found.source:
        out.append(rf"\noindent Source: {_sentence(found.source)}\par")
    return "\n".join(out) + "\n"


def _worked(found: Count) -> Iterator[str]:
    """Formula, numbers put in, exact number, units; one row each."""
    put = latex(found.formula, found.values)
    if not _short(found.formula) and len(found.parts) > 1:
        yield r"& \text{the sum of the parts below} && \\"
    else:
        yield rf"& {latex(found.formula)} && \\"
        if found.values and found.formula.letters and len(put) < LONGEST:
            yield rf"&\quad = {put} && \\"
    unit = rf"\ \text{{{escaped(found.unit)}}}"
    if found.number is not None:
        yield rf"&\quad = {latex_number(found.number)}{unit} && \\"
    elif found.value != found.formula and _short(found.value):
        yield rf"&\quad = {latex(found.value)}{unit} && \\"
    for sign, words in units(found):
        relation = "=" if sign == "=" else r"\approx"
        yield rf"&\quad {relation} \text{{{escaped(words)}}} && \\"


def _short(x: Formula) -> bool:
    return not isinstance(x, Poly) or len(x.terms) < 6


def _line_by_line(found: Count) -> Iterator[str]:
    """Time, thresholds, growth: one row each."""
    for line in found.lines:
        fits = len(line.latex) < 220
        body = line.latex.replace("≈", r"\approx ") if fits else r"\text{see the parts}"
        yield rf"& \text{{{escaped(line.title)}:}}\quad {body} && \\"


def _sentence(words: str) -> str:
    return escaped(words).replace("/", r"/\allowbreak{}")


def _letter(letter: str, found: Count) -> str:
    value = found.values.get(letter)
    shown = f" = {latex(value)}" if value is not None else ""
    return rf"${latex(Poly.letter(letter))}{shown}$: {escaped(stands_for(letter, found))}"


def _parts_latex(found: Count) -> list[str]:
    out = [
        r"\begin{longtable}{@{}>{\raggedright}p{4.3cm}>{\raggedright}p{5.3cm}rr@{}}",
        r"\toprule part & formula & value & share \\ \midrule \endhead",
    ]
    for part in found.parts:
        value = part.formula.put(found.values)
        number = f"${latex_number(value.number)}$" if value.number is not None else ""
        share = escaped(percent(found.share(part)))
        formula = latex(part.formula).replace(r"\,", r"\,\allowbreak ")
        out.append(rf"{escaped(part.name)} & ${formula}$ & {number} & {share} \\")
    return [*out, r"\bottomrule", r"\end{longtable}"]


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
