"""derive.testing: what other people's tests rely on."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest
import sympy as sp

from derive.identities import Identity, Twin
from derive.testing import assert_equal, assert_identity
from worked import test_my_attention as example


def test_the_example_proves_a_kernel_for_all_sizes() -> None:
    example.test_my_attention_is_the_reference_for_all_sizes()
    example.test_a_missing_rescale_is_found()


def test_import_costs_nothing() -> None:
    code = "import sys, derive.testing; print(sorted({'sympy', 'flint'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_the_first_cell_that_differs() -> None:
    with pytest.raises(AssertionError) as found:
        assert_equal(sp.Matrix([[1, 2], [sp.sqrt(2), 4]]), [[1, 2], [sp.Rational(7, 5), 5]])
    text = str(found.value)
    assert text.startswith("cell [1, 0] differs")
    assert "sqrt(2) - 7/5" in text and "0.01421356237" in text


def test_a_difference_at_a_counterexample() -> None:
    with pytest.raises(AssertionError, match="n = ") as found:
        assert_equal("sum(k, 0, n-1, x[k])", "sum(k, 0, n, x[k])")
    assert "difference" in str(found.value)


def test_undecided_is_no_pass() -> None:
    with pytest.raises(AssertionError, match="can't be decided"):
        assert_equal("sum(k, 0, n-1, sin(k*pi))", "0")


def test_shapes_numbers_and_words() -> None:
    assert_equal([1, Fraction(1, 2)], ["1", "0.5"])
    assert_equal("sqrt(x^2)", "x", ["x > 0"])
    with pytest.raises(AssertionError, match="shapes differ"):
        assert_equal([1, 2], [1, 2, 3])
    with pytest.raises(AssertionError, match="my words"):
        assert_equal(1, 2, message="my words")


def test_identities() -> None:
    assert_identity("online-softmax")
    true = "sum(k, 0, n-1, 2 x[k]) = 2 sum(k, 0, n-1, x[k])"
    false = "sum(k, 0, n-1, 2 x[k]) = sum(k, 0, n-1, x[k])"
    assert_identity(Identity("mine", "Mine", true, twins=(Twin(false, "the factor"),)))
    with pytest.raises(AssertionError, match="mine is refuted"):
        assert_identity(Identity("mine", "Mine", false))
    with pytest.raises(AssertionError, match="twin"):
        assert_identity(Identity("mine", "Mine", true, twins=(Twin(true, "none"),)))
