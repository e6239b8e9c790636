"""Worked-solution documents: complete, linked, and clean when they are typeset."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from derive.blocks import build
from derive.cli.program import program
from derive.documents import solution_tex, solution_text
from derive.documents.in_words import in_words
from derive.documents.solution import LONG, length, solution, sources
from derive.errors import AddressError
from derive.line import Entry, Num, cell_of
from derive.model import bundled_names, load, loads
from derive.ops import Given
from derive.render.pdf import compiled

SMALL = ("cats", "weights", "activations", "attention")
needs_tex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")


def made(name: str, *matrices: str, every_cell: bool = False):  # type: ignore[no-untyped-def]
    graph = build(load(name))
    return graph, solution(graph, matrices, every_cell)


@pytest.mark.parametrize("name", SMALL)
def test_every_matrix_stands_in_it_once_and_in_order(name: str) -> None:
    graph, s = made(name)
    parts = [part for section in s.sections for part in section.parts]
    assert [part.name for part in parts] == list(graph.matrices)
    for part in parts:
        given = isinstance(graph.matrices[part.name].operation, Given)
        assert len(part.worked) == (0 if given else 1)
        assert part.table.shape == graph.matrices[part.name].shape


def test_every_cell() -> None:
    graph, s = made("attention", every_cell=True)
    for part in (part for section in s.sections for part in section.parts):
        if part.worked:
            rows, columns = graph.matrices[part.name].shape
            assert len({d.cell for d in part.worked}) == rows * columns


def test_only_the_matrices_asked_for() -> None:
    _, s = made("cats", "A", "Z")
    assert [p.name for x in s.sections for p in x.parts] == ["b0.h0.A", "b0.h0.Z"]
    assert [base for base, *_ in s.notation] == ["A", "Z"]


def test_an_unknown_matrix() -> None:
    with pytest.raises(AddressError, match="nearest: A"):
        made("cats", "AA")


def test_sections_follow_the_pass() -> None:
    _, s = made("gpt", "X", "N1.gain", "h0.A.exp", "H_mid", "U", "H", "N_out", "logits")
    assert [x.title for x in s.sections] == [
        "Input",
        "Block 0, attention",
        "Block 0, feed-forward pass",
        "Output",
    ]
    placed = {part.name: x.title for x in s.sections for part in x.parts}
    assert placed["b0.N1.gain"] == placed["b0.H_mid"] == "Block 0, attention"
    assert placed["b0.H"] == "Block 0, feed-forward pass"


@pytest.mark.parametrize("name", SMALL)
def test_long_exact_values_stand_in_the_appendix(name: str) -> None:
    _, s = made(name)
    for part in (part for section in s.sections for part in section.parts):
        for d in part.worked:
            for line in d.steps[0].lines:
                assert line.kind != "exact" or length(line.right) <= LONG
    for x in s.appendix:
        (line,) = (line for line in x.derivation.steps[0].lines if line.kind == "exact")
        assert length(line.right) > LONG


@pytest.mark.parametrize("name", SMALL)
def test_every_link_has_its_target(name: str) -> None:
    text = solution_tex.document(made(name)[1])
    targets = re.findall(r"\\(?:hypertarget|target)\{(c:[^}]*)\}", text)
    links = re.findall(r"\\hyperlink\{(c:[^}]*)\}", text)
    assert len(targets) == len(set(targets))
    assert links and set(links) <= set(targets)


def test_a_number_put_in_leads_to_its_cell() -> None:
    graph, s = made("cats", "Q")
    ((part,),) = (x.parts for x in s.sections)
    lines = part.worked[0].steps[0].lines
    named = next(line.right for line in lines if line.kind == "here")
    cells = {cell_of(x) for x in named.terms[0].factors}  # type: ignore[union-attr]
    assert cells <= set(sources(lines).values())
    for (matrix, at), tree in _pairs(lines):
        assert isinstance(tree, Num) or matrix  # numbers and roots alike
        assert graph.matrices[matrix].shape[1] > at[1]


def _pairs(lines):  # type: ignore[no-untyped-def]
    found = sources(lines)
    waiting = [line.right for line in lines if line.kind == "substituted"]
    while waiting:
        x = waiting.pop()
        if id(x) in found:
            yield found[id(x)], x
        elif not isinstance(x, Entry):
            from derive.line import children

            waiting += children(x)


@pytest.mark.parametrize("name", ["cats", "gemma"])
def test_text_fits_80_columns(name: str) -> None:
    text = solution_text.document(made(name, "A", "N2")[1] if name == "cats" else made(name)[1])
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("name", bundled_names())
def test_options_in_words(name: str) -> None:
    """Every part of a model that can be switched is told, nothing as Python prints it."""
    model = load(name)
    facts = in_words(model)
    assert len(dict(facts)) == len(facts) or any(a == "soft cap" for a, _ in facts)
    told = " ".join(f"{a} {b}" for a, b in facts)
    assert not re.search(r"Section\(|Number\(|True|False|None", told)
    assert "positions" in dict(facts)


def test_options_that_differ_are_told_apart() -> None:
    """Each setting changes what is said."""
    before = in_words(load("cats"))
    for setting in (
        "attention.scale=1", "attention.mask=none", "attention.base=3", "position.first=2",
        "ffn.activation=silu", "block.0.residual=false", "norm2.kind=layernorm", "norm2.eps=0",
        "attention.weights=sum", "attention.window=2", "position.clockwise=true",
        "position.angles=['2']", "attention.soft_cap=5",
    ):  # fmt: skip
        assert in_words(load("cats", sets=[setting])) != before, setting


HOSTILE = ["50% of", "a_b^c", "\\end{document}", "猫😀", "", "  ", "</script>", "#1 & ~", "x" * 90]


@needs_tex
def test_hostile_words_are_typeset() -> None:
    rows = ", ".join(f"[{k}, 1]" for k in range(len(HOSTILE)))
    tokens = ", ".join(map(_toml, HOSTILE))
    model = loads(
        f"title = {_toml(HOSTILE[2])}\nnote = {_toml(HOSTILE[0])}\ntokens = [{tokens}]\n"
        f"[embedding]\nX = [{rows}]\n[[block]]\n[block.attention]\nW_Q = [[1], [0]]\n"
        "W_K = [[1], [0]]\nW_V = [[1], [0]]\n"
    )
    graph = build(model)
    assert compiled(solution_tex.document(solution(graph, author=HOSTILE[1])))[:4] == b"%PDF"


def _toml(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@needs_tex
@pytest.mark.parametrize("name", ["cats", "weights"])
def test_it_is_typeset_without_a_fault(name: str) -> None:
    assert compiled(solution_tex.document(made(name)[1]))[:4] == b"%PDF"


def test_the_command_writes_to_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(program, ["solution", "attention", "Z", "--to", "tex"])
    assert (result.exit_code, result.stdout) == (0, "")
    assert (tmp_path / "latex_out/attention-solution.tex").exists()
    assert "wrote latex_out/attention-solution.tex" in result.stderr


@needs_tex
def test_a_pdf_beside_the_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(program, ["solution", "attention", "Z"]).exit_code == 0
    names = sorted(path.name for path in (tmp_path / "latex_out").iterdir())
    assert names == ["attention-solution.pdf", "attention-solution.tex"]


def test_standard_output_and_a_title() -> None:
    words = ["solution", "attention", "Z", "--to", "text", "-o", "-", "--title", "Week 3",
             "--author", "N. N."]  # fmt: skip
    text = CliRunner().invoke(program, words).stdout
    assert text.startswith("Week 3\n======\nN. N.\n")
