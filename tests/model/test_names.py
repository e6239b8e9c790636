"""Names of matrices: prefixes, what may be left out, the nearest name on a miss."""

from __future__ import annotations

import pytest

from derive.model.names import BY_BASE, MATRICES, UnknownMatrix, full_name, resolve
from derive.model.schema import SCHEMA

ONE = [["attention", "ffn"]]
TWO = [["attention"], ["attention", "ffn"]]


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("X", "X"),
        ("A", "b0.h0.A"),
        ("h0.A", "b0.h0.A"),
        ("b0.A.exp", "b0.h0.A.exp"),
        ("K", "b0.kv0.K"),
        ("h0.K", "b0.kv0.K"),
        ("kv0.W_V", "b0.kv0.W_V"),
        ("H_mid.rms", "b0.H_mid.rms"),
        ("b0.b_O", "b0.b_O"),
    ],
)
def test_names_in_one_block(name: str, full: str) -> None:
    assert str(resolve(name, ONE)) == full
    assert full_name(name) == full
    assert full_name(full) == full


@pytest.mark.parametrize(
    ("name", "blocks", "expected", "nearest"),
    [
        ("A", TWO, "one of b0.h0.A, b1.h0.A", "b0.h0.A"),
        ("b2.A", TWO, "a matrix of this model (2 blocks, 1 head; numbers count from 0)", None),
        ("h1.A", ONE, "a matrix of this model (1 block, 1 head; numbers count from 0)", None),
        ("b0.X", ONE, "X without a prefix: a model has one", "X"),
        ("h0.O", ONE, "a name such as b0.O (the heads of a block share it)", "b0.O"),
        ("kv0.A", ONE, "a name such as b0.h0.A (each head has one)", "b0.h0.A"),
        ("b0.h0.a", ONE, "the name of a matrix, such as X, W_Q or A", "b0.h0.A"),
        ("W_ou", ONE, "the name of a matrix, such as X, W_Q or A", "W_O"),
        ("", ONE, "the name of a matrix, such as X, W_Q or A", None),
        ("b0.", ONE, "the name of a matrix, such as X, W_Q or A", None),
        ("e0.U", ONE, "a matrix of this model (1 block, 1 head; numbers count from 0)", None),
        ("e0.A", ONE, "a name such as b0.h0.A (no expert has its own)", "b0.h0.A"),
        ("b99999999999.A", ONE, "the name of a matrix, such as X, W_Q or A", None),
    ],
)
def test_misses(name: str, blocks: list[list[str]], expected: str, nearest: str | None) -> None:
    with pytest.raises(UnknownMatrix) as caught:
        resolve(name, blocks)
    assert caught.value.expected == expected
    assert caught.value.nearest == nearest


def test_a_prefix_may_be_left_out_where_one_block_has_the_part() -> None:
    assert str(resolve("U", TWO)) == "b1.U"
    assert str(resolve("b0.U", TWO)) == "b0.U"
    assert str(resolve("b1.A", TWO)) == "b1.h0.A"


def test_table() -> None:
    assert len(BY_BASE) == len(MATRICES)
    shapes = {key.path.split(".", 2)[-1]: key.shape for key in SCHEMA if "*" in key.path}
    whole = {key.path: key.shape for key in SCHEMA}
    for matrix in MATRICES:
        if matrix.key and matrix.scope == "model":
            assert whole[f"{matrix.part or 'embedding'}.{matrix.key}"] == matrix.shape, matrix.base
        elif matrix.key:
            assert shapes[matrix.key] == matrix.shape, matrix.base
