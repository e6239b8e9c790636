"""Whole documents: reproducible source, and pages that pass the gate on pdflatex's log."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from derive import render
from derive.errors import MissingDependency, OutputError
from derive.line import Decimal, Num, Step
from derive.render import latex, pdf, tex
from tests.render.ugly import (
    DERIVATION,
    HOSTILE,
    QUERY,
    SOFTMAX,
    WIDE,
    at,
    derivation,
    line,
    table,
)

needs_tex = pytest.mark.skipif(not shutil.which("pdflatex"), reason="needs pdflatex")
WEIGHT = Step("e to the score", "A.exp[2,0]", (line("exact", at("b0.h0.A.exp", 2, 0), Num(1)),))


def test_document() -> None:
    source = tex.derivation(derivation(SOFTMAX, WEIGHT, QUERY, WEIGHT))
    assert source.startswith(r"\documentclass[11pt,a4paper,fleqn]{article}")
    assert source.endswith("\\end{document}\n")
    assert source.isascii()
    assert source.count(r"\hypertarget{") == 3  # a cell twice is printed once
    assert r"{\footnotesize reads} \hyperlink{c:1}{$A^{\mathrm{exp}}_{2,0}$}" in source
    assert set(re.findall(r"hyperlink\{(.*?)\}", source)) <= set(
        re.findall(r"hypertarget\{(.*?)\}", source)
    )
    assert not re.search(r"20[0-9][0-9]|/tmp|/home", source)


def test_document_of_several_cells() -> None:
    source = tex.document("All of it: 50%", [derivation(SOFTMAX), derivation(WEIGHT)])
    assert r"{\Large All of it: 50\%\par}" in source
    assert source.count(r"\begin{align*}") == 2


@needs_tex
def test_ugly_pages_are_clean() -> None:
    """Every hostile token, every wide formula; no error, no overfull line, no dead link."""
    result = render.derivation(DERIVATION, "pdf")
    assert isinstance(result, bytes)
    assert result.startswith(b"%PDF")
    assert b"CreationDate" not in result


@needs_tex
def test_ugly_tables_are_clean() -> None:
    numbers = tuple(tuple(Decimal(f"-{i}.{j:05}") for j in range(14)) for i in range(len(HOSTILE)))
    tables = (table(numbers, HOSTILE), table(tuple((x,) for x in WIDE)))
    pdf.compiled(tex.page("tables", "\n\n".join(map(latex.table, tables))))


@needs_tex
def test_the_same_bytes_twice() -> None:
    first = render.table(table(((Num(1),),)), "pdf")
    assert first == render.table(table(((Num(1),),)), "pdf")


@needs_tex
def test_a_fragment_needs_amsmath_alone() -> None:
    pdf.compiled(
        "\\documentclass[11pt,a4paper]{article}\n\\usepackage[margin=2.5cm]{geometry}\n"
        "\\usepackage{amsmath}\n\\allowdisplaybreaks\n\\begin{document}\n\\raggedright\n"
        + latex.derivation(DERIVATION)
        + latex.table(table(((Num(1), Num(2)),), HOSTILE[:1]))
        + "\\end{document}\n"
    )


@needs_tex
def test_faults_are_named() -> None:
    start, end = "\\documentclass{article}\\begin{document}", "\\end{document}"
    with pytest.raises(OutputError, match=r"! Undefined control sequence"):
        pdf.compiled(start + r"\nonsense" + end)
    with pytest.raises(OutputError, match=r"Overfull \\hbox"):
        pdf.compiled(start + r"\hbox to \textwidth{\rule{\textwidth}{1pt}xxx}" + end)
    with pytest.raises(OutputError, match="undefined"):
        pdf.compiled(start + r"\ref{nothing}" + end)
    with pytest.raises(MissingDependency, match=r"lacks nothing\.sty.*apt install texlive"):
        pdf.compiled(r"\documentclass{article}\usepackage{nothing}" + start[23:] + end)


@needs_tex
def test_tex_can_reach_no_other_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.tex"
    secret.write_text("SECRET", encoding="utf-8")
    with pytest.raises((OutputError, MissingDependency)):
        pdf.compiled(
            f"\\documentclass{{article}}\\begin{{document}}\\input{{{secret}}}\\end{{document}}"
        )


def test_without_pdflatex(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingDependency, match="texlive-latex-base texlive-latex-recommended"):
        render.derivation(derivation(SOFTMAX), "pdf")


def test_formats() -> None:
    assert list(render.FORMATS) == ["text", "latex", "tex", "pdf", "json"]
    for name in ("text", "latex", "tex", "json"):
        assert render.render(derivation(SOFTMAX), name) == render.derivation(
            derivation(SOFTMAX), name
        )
        assert render.render(table(((Num(1),),)), name)
    with pytest.raises(OutputError, match="no format 'docx'; there are text, latex"):
        render.render(derivation(SOFTMAX), "docx")


def test_a_format_of_one_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(render.FORMATS, "words", "derive.render.steps")
    with pytest.raises(OutputError, match="words can't show a table"):
        render.table(table(((Num(1),),)), "words")
