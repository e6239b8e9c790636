"""A test file of a user: attention kernels of one's own are proved equal to the reference.

For all numbers of tokens n, all head widths d and all tile borders a.  Run it with pytest.
"""

from __future__ import annotations

import pytest
import sympy as sp

from derive.testing import assert_equal

n, d, a, k, j, c = sp.symbols("n d a k j c", integer=True)
r, t = sp.symbols("r t", real=True)  # any reference values, maxima or not
q, K, v = (sp.IndexedBase(name) for name in ("q", "K", "v"))


def score(j):
    """q . k_j / sqrt(d)"""
    return sp.Sum(q[c] * K[j, c], (c, 0, d - 1)) / sp.sqrt(d)


def over(first, past_last, term):
    return sp.Sum(term(j), (j, first, past_last - 1))


def reference():
    """softmax(q K^T / sqrt(d)) v, as in the paper."""
    weights = over(0, n, lambda j: sp.exp(score(j)))
    return over(0, n, lambda j: sp.exp(score(j)) * v[j]) / weights


def my_attention(rescale=True):
    """My kernel: two tiles, each with a reference value of its own."""
    factor = sp.exp(r - t) if rescale else 1
    l1, l2 = over(0, a, lambda j: sp.exp(score(j) - r)), over(a, n, lambda j: sp.exp(score(j) - t))
    o1 = over(0, a, lambda j: sp.exp(score(j) - r) * v[j])
    o2 = over(a, n, lambda j: sp.exp(score(j) - t) * v[j])
    return (o1 * factor + o2) / (l1 * factor + l2)


def test_my_attention_is_the_reference_for_all_sizes():
    assert_equal(my_attention(), reference(), ["0 <= a <= n"])


def test_a_missing_rescale_is_found():
    with pytest.raises(AssertionError, match="differ"):
        assert_equal(my_attention(rescale=False), reference(), ["0 <= a <= n"])
