"""Marking keys: what is read, every error at once, names of questions, variants."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from derive.answers.grade_key import GradingKey, KeyProblem, read_key

KEY = """
model = "cats"
carry = true
feedback = "mistake"
[[question]]
cell = "A[2,0]"
points = 0.5
policy = { dp = 3, places = "at-least" }
[[question]]
id = "kv"
count = "kv-cache --layers 2 --heads 4 --head-dim 8 --tokens 128 --bytes 8"
points = "1/3"
[[question]]
property = ["q[0] > 0"]
unknowns = ["q[2]"]
[[question]]
cell = "b0.h0.Q[cats, :]"
"""


def key(folder: Path, text: str) -> GradingKey:
    (folder / "key.toml").write_text(text)
    return read_key(str(folder / "key.toml"))


def test_a_key_of_every_kind(tmp_path: Path) -> None:
    found = key(tmp_path, KEY)
    assert [q.id for q in found.questions] == ["A[2,0]", "kv", "q3", "b0.h0.Q[cats, :]"]
    assert [q.points for q in found.questions] == [Fraction(1, 2), Fraction(1, 3), 1, 1]
    assert found.questions[0].policy.places == "at-least"
    assert found.top is not None
    assert (found.top.carry, found.top.feedback) == (True, "mistake")


@pytest.mark.parametrize(
    ("said", "number"),
    [("A[2,0]", 0), ("A[ 2 , 0 ]", 0), ("b0.h0.A[2,0]", 0), ("A[cats,I]", 0), ("kv", 1), ("q3", 2),
     ("Q[2,:]", 3), ("Q[2,0]", None), ("A[2,1]", None), ("", None), ("nope", None), ("A[", None)],
)  # fmt: skip
def test_any_name_of_a_cell_finds_its_question(
    tmp_path: Path, said: str, number: int | None
) -> None:
    assert key(tmp_path, KEY).question(said) == number


def test_every_error_at_once(tmp_path: Path) -> None:
    text = """
model = "cats"
feedback = "mistakes"
carrry = true
[[question]]
cell = "A[9,0]"
[[question]]
cell = "Q[0,0]"
policy = { dpp = 3 }
points = "1/0"
[[question]]
points = 2
[[question]]
count = "kv-cash"
[[question]]
cell = "Q[0,0]"
[[question]]
property = ["q > 0"]
[student.ann]
sets = []
"""
    with pytest.raises(KeyProblem) as error:
        key(tmp_path, text)
    said = str(error.value)
    for words in ("nearest: mistake", "nearest: carry", "A[9,0]", "nearest: dp", "points: expected",
                  "one of cell, count, property", "kv-cash", "give an `id`", "unknowns",
                  "nearest: set"):  # fmt: skip
        assert words in said, said
    assert said.count("\n") == 9


@pytest.mark.parametrize(
    ("text", "words"),
    [("model = ", "not TOML"), ("", "no .*question"), ("[[question]]\ncell = \"Q\"", "no `model`"), ('model = "catz"\n[[question]]\ncell="Q[0,0]"',
     "catz"), ('model = "cats"', "no .*question"), ("\xff", "not TOML"),
     ('model = "cats"\ndeadline = "soon"\n[[question]]\ncell = "Q[0,0]"', "deadline"),
     ('model = "cats"\nquestion = 3', "question: expected")],
)  # fmt: skip
def test_a_key_that_cannot_be_used(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(Exception, match=words):
        key(tmp_path, text)


def test_students_have_models_of_their_own(tmp_path: Path) -> None:
    found = key(
        tmp_path,
        KEY
        + '[student.ann]\nset = ["block.0.attention.mask=none"]\n[student."b c"]\ncarry = false\n',
    )
    ann, bob = found.variant("ann"), found.variant("b c")
    assert ann is not None and bob is not None
    assert found.variant("cy") is None
    assert ann.sets and ann.carry and not bob.sets and not bob.carry
    assert found.model(ann)[0] != found.model(bob)[0]


def test_a_model_beside_the_key(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("[given]\nQ = [[1, 0]]\nK = [[1, 2], [3, 4]]\n")
    found = key(tmp_path, 'model = "mine.toml"\n[[question]]\ncell = "S[0,1]"\n')
    assert found.question("S[0, 1]") == 0


def test_counting_needs_no_model(tmp_path: Path) -> None:
    found = key(tmp_path, '[[question]]\ncount = "parameters gpt2"\n')
    assert found.variant("anyone") is not None
