"""Exercise sheets: what is asked, what is printed, what the key says, variants."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from derive.blocks import build
from derive.cli.program import program
from derive.documents import exercise_tex
from derive.documents.blanks import BlankError, blanks, effort
from derive.documents.exercise import Exercise, answers, key
from derive.documents.variants import HALVES, NoVariant, good, variant, weights
from derive.errors import AddressError
from derive.graph import Cell
from derive.model import load
from derive.ops import Given
from derive.render.pdf import compiled

needs_tex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")


def sheet_of(model: str, spec: str, seed: int = 0) -> Exercise:
    graph = build(load(model))
    return Exercise(graph, blanks(graph, spec=spec, seed=seed), "a sheet")


def run(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(program, list(words))
    return result.exit_code, result.stdout, result.stderr


# blanks


def test_named_matrices_are_asked_whole_in_the_order_of_the_pass() -> None:
    x = sheet_of("cats", "Z, A")
    assert [x.address(p) for p in x.blanks.asked][:2] == ["A[0,0]", "A[0,1]"]
    assert len(x.blanks.asked) == 16 + 8


def test_rows_and_cells() -> None:
    x = sheet_of("cats", "A[2,:], Z[cats,0]")
    assert [x.address(p) for p in x.blanks.asked] == [
        "A[2,0]", "A[2,1]", "A[2,2]", "A[2,3]", "Z[2,0]"
    ]  # fmt: skip


def test_nothing_that_gives_a_blank_away_is_printed() -> None:
    """Neither parts of a blank matrix nor what is computed from it."""
    x = sheet_of("cats", "A")
    hidden = {name for name, _ in x.blanks.hidden}
    assert {"b0.h0.A.exp", "b0.h0.A.sum", "b0.h0.Z", "b0.O", "b0.H"} <= hidden
    assert "b0.h0.S_masked" not in hidden


@pytest.mark.parametrize("seed", range(4))
def test_a_share_prints_later_numbers_but_no_copy(seed: int) -> None:
    x = sheet_of("cats", "40%", seed)
    asked = set(x.blanks.asked)
    for matrix in (m for m in x.graph if m.name in x.blanks.needed):
        for i in range(matrix.shape[0]):
            for j in range(matrix.shape[1]):
                place = (matrix.name, (i, j))
                if (
                    place in asked
                    or place in x.blanks.hidden
                    or isinstance(matrix.operation, Given)
                ):
                    continue
                cell = Cell(x.graph, matrix, (i, j))
                for read in cell.reads:
                    if (read.matrix.name, read.indices) in asked:
                        assert cell.node is not read.node


def test_levels_ask_more_and_more() -> None:
    counts = [len(sheet_of("cats", level).blanks.asked) for level in ("easy", "medium", "hard")]
    assert counts == sorted(counts) and counts[0] < counts[1] < counts[2]


def test_easy_blanks_need_no_other_blank() -> None:
    x = sheet_of("gpt", "easy")
    asked = set(x.blanks.asked)
    for name, at in asked:
        reads = Cell(x.graph, x.graph.matrices[name], at).reads
        assert not {(r.matrix.name, r.indices) for r in reads} & asked


def test_the_seed_decides() -> None:
    assert sheet_of("cats", "20%", 1).blanks == sheet_of("cats", "20%", 1).blanks
    assert sheet_of("cats", "20%", 1).blanks != sheet_of("cats", "20%", 2).blanks


@pytest.mark.parametrize(
    ("spec", "error", "words"),
    [
        ("W_Q", BlankError, "the model gives"),
        ("AA", AddressError, "nearest: A"),
        ("eazy", AddressError, "easy"),
        ("0%", BlankError, "1% to 100%"),
        ("101%", BlankError, "1% to 100%"),
        ("A[9,0]", AddressError, "A"),
    ],
)
def test_bad_blanks(spec: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=re.escape(words)):
        sheet_of("cats", spec)


# sheet and solution


def test_no_answer_leaks_into_the_sheet() -> None:
    """With answers nobody else has: no printed number of the sheet is one of them."""
    x = sheet_of("mat", "N1, S")
    text = exercise_tex.sheet(x)
    printed = set(re.findall(r"-?\d+\.\d{3,}", text))
    for cell, answer in answers(x):
        name, at = next(p for p in x.blanks.asked if x.address(p) == cell)
        five = Cell(x.graph, x.graph.matrices[name], at).decimal(5)
        assert five not in printed and answer not in printed, cell
    assert not re.search(r"(?<!\\)%.", text.partition(r"\begin{document}")[2])  # no comments


def test_a_sheet_is_made_without_computing_its_answers() -> None:
    """Cells of blanks aren't even looked at while the sheet is printed."""
    x = sheet_of("cats", "A, Z")
    x.graph.forget()
    exercise_tex.sheet(x)
    known = x.graph.values("b0.h0.Z", x.graph.dag)
    assert not known


def test_as_many_blanks_as_the_key_asks() -> None:
    x = sheet_of("cats", "A, Z")
    text = exercise_tex.sheet(x).partition(r"\begin{document}")[2]
    assert text.count(r"\blank") == len(x.blanks.asked)
    questions = tomllib.loads(key("cats", x))["question"]
    assert [q["cell"] for q in questions] == [x.address(p) for p in x.blanks.asked]


def test_the_solution_has_every_answer_as_asked() -> None:
    x = sheet_of("cats", "Z")
    text = exercise_tex.solution(x)
    for _, answer in answers(x):
        assert rf"\mathbf{{{answer}" in text


@needs_tex
@pytest.mark.parametrize(("model", "spec"), [("cats", "A, Z"), ("weights", "medium")])
def test_typeset_without_a_fault(model: str, spec: str) -> None:
    x = sheet_of(model, spec)
    assert compiled(exercise_tex.sheet(x))[:4] == compiled(exercise_tex.solution(x))[:4] == b"%PDF"


# variants


def test_variants_are_nice_and_their_own() -> None:
    x = sheet_of("cats", "A, Z")
    target = effort(x.graph, x.blanks.asked)
    made = [variant("cats", (), None, x.blanks, name, 7, x.graph) for name in ("Ada", "Emmy")]
    again = variant("cats", (), None, x.blanks, "Ada", 7, x.graph)
    assert made[0].sets == again.sets != made[1].sets
    for v in made:
        assert good(v.graph, x.blanks, x.graph)
        numbers = re.findall(r"-?\d+\.?\d*", " ".join(s.partition("=")[2] for s in v.sets))
        assert set(numbers) <= {"0", *HALVES}
        assert abs(effort(v.graph, x.blanks.asked) - target) * 5 <= target


def test_an_accidental_zero_is_no_variant() -> None:
    graph = build(load("cats", sets=["attention.W_V=[[0,0],[0,0],[0,0],[0,0]]"]))
    asked = blanks(graph, spec="V")
    assert not good(graph, asked, build(load("cats")))


def test_a_tie_is_no_variant() -> None:
    """Scores that are all 0 make equal weights."""
    sets = ["attention.W_K=[[0,0],[0,0],[0,0],[0,1]]", "position.kind=none", "attention.mask=none"]
    sets.append("embedding.E=[[1,1,1,1],[2,1,1,1],[3,1,1,1],[1,2,1,1],[2,2,1,1],[1,1,2,1]]")
    graph = build(load("cats", sets=sets))
    asked = blanks(graph, spec="A")
    assert not good(graph, asked, build(load("cats")))


def test_what_varies() -> None:
    assert [path for path, _ in weights(load("gpt"))] == [
        "embedding.E",
        *(
            f"block.0.attention.{n}"
            for n in ("W_Q", "W_K", "W_V", "b_Q", "b_K", "b_V", "W_O", "b_O")
        ),
        *(f"block.0.ffn.{n}" for n in ("W_up", "b_up", "W_down", "b_down")),
    ]


@pytest.mark.parametrize("model", ["cats", "gpt", "cats-mqa", "next"])
def test_a_variant_loads_with_the_same_shapes(model: str) -> None:
    graph = build(load(model))
    asked = (
        blanks(graph, spec="Q" if model != "gpt" else "h0.Q")
        if model == "cats"
        else blanks(graph, spec="easy")
    )
    v = variant(model, (), None, asked, "x", 1, graph)
    assert {m.name: m.shape for m in v.graph} == {m.name: m.shape for m in graph}


def test_no_weights_no_variant(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text("[given]\nS_masked = [[1, 2]]\nV = [[1], [2]]\n[[block]]\n[block.attention]\n")
    graph = build(load(path))
    asked = blanks(graph, spec="A")
    v = variant(str(path), (), None, asked, "x", 1, graph)
    assert v.sets  # what is given varies


def test_where_no_weights_do() -> None:
    """Rows of one number: their RMS norm is ±1, so weights after it can't be told apart."""
    model = load("weights")
    graph = build(model)
    asked = blanks(graph, spec="b2.A")
    bad = build(load("weights", sets=["block.2.attention.W_Q=[[0,0],[0,0]]"]))
    assert not good(bad, asked, graph)
    with pytest.raises(NoVariant, match="fewer blanks"):
        variant("weights", ("block.2.attention.W_Q=[[0,0],[0,0]]",), None, asked, "x", 1, bad)


# the command


def test_a_folder_with_three_files(tmp_path: Path) -> None:
    code, out, _ = run("exercise", "cats", "--blank", "A", "-o", str(tmp_path / "week"))
    assert (code, out) == (0, "")
    assert sorted(p.name for p in (tmp_path / "week").iterdir()) == [
        "key.toml", "sheet.tex", "solution.tex"
    ]  # fmt: skip
    found = tomllib.loads((tmp_path / "week/key.toml").read_text())
    assert found["model"] == "cats"
    assert found["question"][0] == {"cell": "A[0,0]", "points": 1, "policy": {"dp": 3}}


def test_students_from_a_file(tmp_path: Path) -> None:
    names = tmp_path / "names.csv"
    names.write_bytes(
        "\ufeffstudent;x\r\n".replace(";", ",").encode()
        + "Ada L.,1\r\nÉmile,2\r\n../x,3\r\n".encode()
    )
    folder = tmp_path / "out"
    code, _, err = run(
        "exercise", "cats", "--blank", "Z[2,:]", "--students", str(names), "-o", str(folder)
    )
    assert code == 0, err
    assert sorted(p.name for p in folder.iterdir()) == ["Ada-L", "key.toml", "x", "Émile"]
    found = tomllib.loads((folder / "key.toml").read_text(encoding="utf-8"))
    assert list(found["student"]) == ["Ada L.", "Émile", "../x"]
    for student in found["student"].values():
        load("cats", sets=student["set"])  # the key's own texts are read


def test_the_report_as_json(tmp_path: Path) -> None:
    code, out, _ = run("exercise", "cats", "--blank", "A[2,:]", "--students", "2", "--to", "json",
                       "-o", str(tmp_path / "o"))  # fmt: skip
    found = json.loads(out)
    assert code == 0
    assert found["schema"] == "derive.exercise/1"
    assert found["questions"] == 4 and found["students"] == 2
    assert {"student-1/sheet.tex", "student-2/solution.tex", "key.toml"} <= set(found["files"])


def test_a_model_file_is_named_relative_to_the_key(tmp_path: Path) -> None:
    (tmp_path / "m.toml").write_text('extends = "cats"\n')
    run("exercise", str(tmp_path / "m.toml"), "--blank", "A", "-o", str(tmp_path / "o"))
    assert tomllib.loads((tmp_path / "o/key.toml").read_text())["model"] == "../m.toml"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--students", "0"), "1 to"),
        (("--students", "nobody.txt"), "nobody.txt"),
        (("--blank", "Q,"), None),
        (("--blank", "Zz"), "nearest"),
    ],
)
def test_faults_have_one_message(
    tmp_path: Path, words: tuple[str, ...], expected: str | None
) -> None:
    code, _, err = run("exercise", "cats", *words, "-o", str(tmp_path / "o"))
    assert code == (2 if expected else 0)
    assert (expected or "") in err
    if expected:
        assert not (tmp_path / "o").exists()


def test_answers_are_rounded_correctly() -> None:
    x = sheet_of("cats", "A, S_masked")
    found = dict(answers(x))
    assert found["A[2,0]"] == "0.412"
    assert found["S_masked[0,1]"] == "-inf"
    for cell, answer in found.items():
        if answer != "-inf":
            low, high = x.graph[cell].enclosure()
            assert abs(Fraction(answer) - low) <= Fraction(1, 2000) + (high - low)


# a round trip: sheet, answers, marks

SLIPS_OF_A = {  # a slip as another setting of the same model: what a student with it answers
    "no-scale": "attention.scale=1",
    "no-mask": "attention.mask=none",
    "rope-reversed": "position.clockwise=true",
}


@pytest.mark.parametrize("seed", [1, 2])
def test_perfect_answers_are_right_and_one_slip_each_is_named(seed: int) -> None:
    """Through the key's own texts: each student's variant, the cells, the policy."""
    from derive.answers.check import check

    base = sheet_of("cats", "A, Z")
    made = variant("cats", (), None, base.blanks, "Ada", seed, base.graph)
    x = Exercise(made.graph, base.blanks, "t", "Ada")
    found = tomllib.loads(key("cats", x, variants=[("Ada", made.sets)]))
    sets = found["student"]["Ada"]["set"]
    right = build(load("cats", sets=sets))
    for (cell, answer), question in zip(answers(x), found["question"], strict=True):
        assert question["cell"] == cell
        assert check(right, cell, answer, question["policy"]).verdict == "right", (cell, answer)
    for name, setting in SLIPS_OF_A.items():
        slipped = Exercise(build(load("cats", sets=[*sets, setting])), base.blanks, "t")
        named, wrong = 0, 0
        for (cell, answer), question in zip(answers(slipped), found["question"], strict=True):
            marked = check(right, cell, answer, question["policy"])
            if marked.verdict == "wrong":
                wrong += 1
                assert marked.mistake is not None, (name, cell, answer)
                named += name in (marked.mistake.name, *marked.mistake.also)
        assert wrong and named == wrong, (name, named, wrong)
