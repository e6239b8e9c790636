"""Orders, limits, expectations: the rules beside numbers, and what they must not prove."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from derive.errors import DeriveError
from derive.exact.sums.prove import statement
from derive.identities import Identity, Random, Step, Twin, named
from derive.identities.inequality import judge
from derive.identities.limits import limit, ratio_order
from derive.identities.positivity import NONNEGATIVE, POSITIVE, UNKNOWN, Signs
from derive.identities.proof import prove
from derive.identities.witness import with_witness
from derive.text import parse, show


def sign(text: str, *given: str) -> int:
    (tree,), facts = statement([parse(text)], given)
    return Signs(facts).of(tree)


@pytest.mark.parametrize(
    ("text", "given", "expected"),
    [
        ("exp(x)", (), POSITIVE),
        ("x", (), UNKNOWN),
        ("x^2", (), NONNEGATIVE),
        ("x^3", (), UNKNOWN),
        ("x*y", (), UNKNOWN),
        ("1/x", ("x > 0",), POSITIVE),
        ("1/x", ("x >= 0",), UNKNOWN),
        ("sum(k, 0, n-1, exp(s[k]))", (), POSITIVE),
        ("sum(k, 0, n-1, exp(s[k]))", ("n >= 0",), NONNEGATIVE),
        ("sum(k, 0, n-1, s[k])", (), UNKNOWN),
        ("x - 1 - ln(x)", ("x > 0",), NONNEGATIVE),
        ("x - 1 - ln(x)", (), UNKNOWN),
        ("x - 2 - ln(x)", ("x > 0",), UNKNOWN),
        ("exp(x) - 1 - x", (), NONNEGATIVE),
        ("exp(y) - exp(x)", ("x < y",), POSITIVE),
        ("exp(x) - exp(y)", ("x < y",), UNKNOWN),
        ("ln(y) - ln(x)", ("x < y",), UNKNOWN),
        ("sum(k, 0, n-1, exp(s[k])) - exp(s[i])", ("0 <= i < n",), NONNEGATIVE),
        ("sum(k, 0, n-1, exp(s[k])) - exp(s[i])", ("0 <= i <= n",), UNKNOWN),
        ("sum(k, 0, n-1, s[k]) - s[i]", ("0 <= i < n",), UNKNOWN),
        ("sum(k, 0, n-1, w[k]*x[k]^2) - sum(k, 0, n-1, w[k]*x[k])^2", ("w[k] > 0",), UNKNOWN),
        ("n - i", ("0 <= i < n",), POSITIVE),
    ],
)  # fmt: skip
def test_signs(text: str, given: tuple[str, ...], expected: int) -> None:
    assert sign(text, *given) == expected


@pytest.mark.parametrize(
    ("left", "op", "right"),
    [
        ("x", "<=", "x^2"),
        ("ln(x)", "<", "x - 1"),
        ("1/x", "<", "1"),
        ("sum(k, 0, n-1, x[k])", ">=", "0"),
        ("exp(x)", ">", "1 + x"),
        ("n", "<", "2"),
    ],
)
def test_false_orders_are_refuted(left: str, op: str, right: str) -> None:
    (a, b), facts = statement([parse(left), parse(right)], ["x > 0"] if "ln" in left else [])
    assert judge(a, op, b, facts, ()).different


@pytest.mark.parametrize(
    ("text", "letter", "point", "given", "expected"),
    [
        ("x*exp(-x)", "x", "inf", (), "0"),
        ("exp(x)/x^9", "x", "inf", (), "inf"),
        ("silu(x) - x", "x", "inf", (), "0"),
        ("tanh(x)", "x", "-inf", (), "-1"),
        ("(n^2 + n)/(2 n^2)", "n", "inf", (), "0.5"),
        ("1/x", "x", "0+", (), "inf"),
        ("exp(-1/x)/x", "x", "0+", (), "0"),
        ("exp(a*x)", "x", "inf", ("a < 0",), "0"),
        ("exp(a*x)", "x", "inf", (), None),
        ("x - x^2", "x", "inf", (), "-inf"),
        ("sin(x)/x", "x", "inf", (), None),
        ("(x + sin(x))/x", "x", "inf", (), None),
        ("sum(k, 1, n, 1/k)", "n", "inf", (), None),
        ("ln(x)", "x", "inf", (), "inf"),
        ("sqrt(x - 1)", "x", "0+", (), None),
        ("1/(x - x)", "x", "inf", (), None),
        ("x^2*exp(-x^2 + 5 x)", "x", "inf", (), "0"),
    ],
)  # fmt: skip
def test_limits(
    text: str, letter: str, point: str, given: tuple[str, ...], expected: str | None
) -> None:
    found = limit(text, letter, point, given)  # type: ignore[arg-type]
    assert (None if found is None else show(found)) == expected


def test_growth_of_a_product() -> None:
    assert ratio_order("(8 n*64 + 4 n^2*8)/2", "n") == (Fraction(16), 2)
    assert ratio_order("exp(n)", "n") is None


def test_expectation_beside_all_outcomes() -> None:
    """Entries mu +- 1 with equal chance: the mean over all outcomes, for d = 1, 2."""
    (variance,) = named(["dot-product-variance-with-means"])
    assert prove(variance).verdict == "proved"
    mu, nu = Fraction(2), Fraction(-1, 3)
    for d in (1, 2):
        dots = [
            sum((mu + s) * (nu + t) for s, t in zip(x[:d], x[d:], strict=True))
            for x in itertools.product((-1, 1), repeat=2 * d)
        ]
        mean = sum(dots, Fraction(0)) / len(dots)
        square = sum((x * x for x in dots), Fraction(0)) / len(dots)
        assert mean == d * mu * nu
        assert square - mean**2 == d * (1 + mu**2 + nu**2)


@pytest.mark.parametrize(
    "left", ["mean[exp(q[c])]", "mean[q[0]^3]", "mean[1/q[0]]", "q[0]*mean[q[0]]"]
)
def test_expectations_without_a_rule_are_undecided(left: str) -> None:
    x = Identity("x", "X", f"{left} = 0", random=(Random("q", "0", "1"),))
    assert prove(x).verdict == "undecided"


def test_a_chain_must_say_what_is_claimed() -> None:
    """a <= b >= c says nothing of a and c, and <= isn't <."""
    weak = Identity("w", "W", "0 < x^2 + y^2", steps=(Step("x^2 + y^2", "squares", "<="),))
    assert prove(weak).verdict == "refuted"
    mixed = Identity(
        "m", "M", "1 <= 1 + x^2", steps=(Step("0", "less", ">"), Step("1 + x^2", "more", "<="))
    )
    assert prove(mixed).verdict == "undecided"


def test_a_wrong_rule_or_form_proves_nothing() -> None:
    named_wrong = Step("exp(x) + 1", "", "<", "Jensen", by="exp(x) + 1")
    assert prove(Identity("a", "A", "0 < exp(x) + 1", (named_wrong,))).verdict == "undecided"
    other_form = Step("exp(x) + 1", "", "<", "arithmetic", by="exp(x) + 2")
    assert prove(Identity("b", "B", "0 < exp(x) + 1", (other_form,))).verdict == "undecided"
    undefined = Step("1", "", "<=", by="x^2*ln(y)/ln(y)")
    assert prove(Identity("c", "C", "1 - x^2 <= 1", (undefined,))).verdict == "undecided"


def test_a_strict_bound_leaves_its_index_out() -> None:
    near = Identity(
        "near", "Near", "s[b] < s[a]", given=("0 <= a < n", "0 <= b < n"),
        every=("0 <= k < n, k != a: s[k] < s[a]",),
    )  # fmt: skip
    assert prove(near).verdict == "refuted"  # b may be a


def test_scores_are_no_whole_numbers() -> None:
    """s[i] < s[j] with indices i and j isn't a fact about integers."""
    _, facts = statement(
        [parse("sum(k, 0, n-1, s[k])")], ["0 <= i < n", "0 <= j < n", "s[i] < s[j]"]
    )
    assert "s" not in facts.integers
    assert facts.relations


def test_witnesses() -> None:
    (query, matrix) = named(["query-for-two-keys", "matrix-that-selects"])
    assert with_witness(query, "q[c] = beta*a[c]/A").verdict == "proved"
    assert with_witness(query, "q[c] = a[c] + b[c]").verdict == "refuted"
    assert with_witness(matrix, "M[i,j] = delta(i, j)").verdict == "refuted"
    with pytest.raises(DeriveError, match="what can be defined here: q"):
        with_witness(query, "r[c] = a[c]")


def test_twins_of_limits_are_refuted_by_the_limit() -> None:
    (hot,) = named(["temperature-high"])
    assert all(twin.verdict.different for twin in prove(hot).twins)
    true = Twin("p[i] -> 2/(2 n)", "the same limit, written otherwise")
    from dataclasses import replace

    assert prove(replace(hot, twins=(true,))).twins[0].verdict.equal
