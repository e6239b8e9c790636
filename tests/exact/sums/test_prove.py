"""Statements about sums: true ones are proved for all sizes, false neighbours refuted."""

from __future__ import annotations

import itertools
from random import Random

import pytest
import sympy as sp

from derive.answers.equality import equality
from derive.exact import Assumption, decide
from derive.exact.dag import Dag
from derive.exact.decide import decide_nodes
from derive.exact.reading import evaluate
from derive.exact.sums.affine import constant, plus, times, variable
from derive.exact.sums.affine import replaced as at_values
from derive.exact.sums.facts import Order
from derive.exact.sums.instances import SLOPES, counterexample, derivative, replaced
from derive.exact.sums.prove import decide_texts, decide_trees, statement
from derive.text import names, parse
from derive.text.tree import Call, Name, Number

N = "sum(k, 0, n-1, exp(s[k]))"
ROT = "(q[0,t]*cos(a*w[t]) - q[1,t]*sin(a*w[t]))*(p[0,t]*cos(b*w[t]) - p[1,t]*sin(b*w[t]))"
ROT2 = "(q[0,t]*sin(a*w[t]) + q[1,t]*cos(a*w[t]))*(p[0,t]*sin(b*w[t]) + p[1,t]*cos(b*w[t]))"
TURNED = "sum(t, 0, d-1, q[0,t]*(p[0,t]*cos({0}) - p[1,t]*sin({0})) + q[1,t]*(p[0,t]*sin({0}) + p[1,t]*cos({0})))"  # noqa: E501

# (left, right, false right, assumptions, permutations, inverse matrices)
CASES = [
    ("sum(k, 0, n-1, c*x[k])", "c*sum(j, 0, n-1, x[j])", "c^2*sum(j, 0, n-1, x[j])", (), (), ()),
    ("sum(k, 0, n-1, k^2)", "n*(n-1)*(2n-1)/6", "n*(n+1)*(2n+1)/6", (), (), ()),
    ("sum(k, 1, n, 1)", "n", "n-1", (), (), ()),
    ("sum(k, 0, n-1, x[k+1])", "sum(k, 1, n, x[k])", "sum(k, 0, n, x[k])", (), (), ()),
    ("sum(k, 0, n-1, delta(k, i)*x[k])", "x[i]", "x[0]", ("0 <= i < n",), (), ()),
    ("sum(k, 0, n-1, leq(k, i)*x[k])", "sum(k, 0, i, x[k])", "sum(k, 0, i-1, x[k])",
     ("0 <= i < n",), (), ()),
    ("sum(i, 0, n-1, sum(k, 0, i, x[i]*y[k]))", "sum(k, 0, n-1, sum(i, k, n-1, x[i]*y[k]))",
     "sum(k, 0, n-1, sum(i, 0, k, x[i]*y[k]))", (), (), ()),
    ("sum(i, 0, n-1, sum(k, 0, i-1, x[i]*x[k]))",
     "(sum(i, 0, n-1, x[i])^2 - sum(i, 0, n-1, x[i]^2))/2",
     "(sum(i, 0, n-1, x[i])^2 + sum(i, 0, n-1, x[i]^2))/2", (), (), ()),
    ("sum(k, 0, n-1, x[pi[k]]*y[pi[k]])".replace("pi", "p"), "sum(k, 0, n-1, x[k]*y[k])",
     "sum(k, 0, n-1, x[p[k]]*y[k])", (), (("p", "n"),), ()),
    ("sum(k, 0, n-1, sum(l, 0, n-1, x[l]*M[l,k])*sum(m, 0, n-1, W[k,m]*y[m]))",
     "sum(l, 0, n-1, x[l]*y[l])", "sum(l, 0, n-1, x[l]*y[l])/n", (), (), (("M", "W", "n"),)),
    ("sum(i, 0, n-1, x[i]/sqrt(sum(k, 0, n-1, x[k]^2)))^2",
     "sum(i, 0, n-1, x[i])^2/sum(k, 0, n-1, x[k]^2)", "sum(i, 0, n-1, x[i])^2", (), (), ()),
    (f"diff(ln({N}), s[i])", f"exp(s[i])/{N}", f"1/{N}", ("0 <= i < n",), (), ()),
    ("sum(k, 0, a-1, x[k]) + sum(k, a, n-1, x[k])", "sum(k, 0, n-1, x[k])",
     "sum(k, 1, n-1, x[k])", ("0 <= a <= n",), (), ()),
    ("sum(k, 0, n-1, relu(x[k]) - relu(-x[k]))", "sum(k, 0, n-1, x[k])",
     "sum(k, 0, n-1, abs(x[k]))", (), (), ()),
    ("sum(k, 0, n-1, erf(-x[k]))", "-sum(k, 0, n-1, erf(x[k]))", "sum(k, 0, n-1, erf(x[k]))",
     (), (), ()),
    (f"sum(t, 0, d-1, {ROT} + {ROT2})", TURNED.format("(b-a)*w[t]"), TURNED.format("(a+b)*w[t]"),
     (), (), ()),
    ("sum(h, 0, H-1, sum(c, 0, v-1, Z[h,c]*W[h,c,j]))",
     "sum(c, 0, v-1, sum(h, 0, H-1, W[h,c,j]*Z[h,c]))",
     "sum(c, 0, v-1, sum(h, 0, H-1, W[c,h,j]*Z[h,c]))", (), (), ()),
    ("sum(k, 0, n-1, x[n-1-k])", "sum(k, 0, n-1, x[k])", "sum(k, 0, n-1, x[n-k])", (), (), ()),
    ("sum(k, -1, n-1, x[k])", "x[-1] + sum(k, 0, n-1, x[k])", "sum(k, 0, n-1, x[k])", (), (), ()),
    ("sum(k, 0, n-1, c^k)*(c-1)", "c^n - 1", "c^(n+1) - 1", ("c > 0",), (), ()),
    ("sum(g, 0, G-1, sum(r, 0, R-1, s[g*R+r]))", "sum(k, 0, G*R-1, s[k])",
     "sum(k, 0, G*R, s[k])", (), (), ()),
    ("sum(h, 0, H-1, K[kv[h],j])", "sum(l, 0, H-1, K[kv[l],j])", "H*K[kv[0],j]", (), (), ()),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0][:50])
def test_true_and_false(case: tuple[str, str, str, tuple, tuple, tuple]) -> None:  # type: ignore[type-arg]
    left, right, wrong, given, permutations, inverses = case
    assert decide_texts(left, right, given, permutations, inverses).equal
    false = decide_texts(left, wrong, given, permutations, inverses)
    assert not false.equal
    if "kv" not in left:  # a map without values is not instantiated
        assert false.different, false.reason


def test_negative_real_radicands_and_logarithms_are_not_split() -> None:
    for left, right in (
        ("sqrt(x[i]*y[i])", "sqrt(x[i])*sqrt(y[i])"),
        ("ln(x[i]*y[i])", "ln(x[i]) + ln(y[i])"),
        ("sqrt((1 + sqrt(x[i]))^2*y[i])", "(1 + sqrt(x[i]))*sqrt(y[i])"),
    ):
        assert decide_texts(left, right).different
        assert not decide_texts(left, right, ["x[k] > 0"]).different
    assert decide_texts("sqrt(x[i]*y[i])", "sqrt(x[i])*sqrt(y[i])", ["x[k] > 0"]).equal
    assert decide_texts("ln(x[i]*y[i])", "ln(x[i]) + ln(y[i])", ["x[k] > 0"]).equal


def test_an_empty_range_is_not_forgotten() -> None:
    p = f"sum(i, 0, n-1, exp(s[i])/{N})"
    assert decide_texts(p, "1").equal
    assert decide_texts(p, "1", ["n >= 0"]).different


def test_a_reversed_range_is_not_split() -> None:
    split, whole = "sum(k, 0, a-1, x[k]) + sum(k, a, n-1, x[k])", "sum(k, 0, n-1, x[k])"
    assert decide_texts(split, whole).different
    assert decide_texts(split, whole, ["0 <= a <= n"]).equal


def test_roots_of_what_may_be_negative_keep_their_sign() -> None:
    assert decide_texts("sqrt(sum(k, 0, n-1, x[k])^2)", "sum(k, 0, n-1, x[k])").different
    assert decide_texts("sqrt(sum(k, 0, n-1, x[k]^2)^2)", "sum(k, 0, n-1, x[k]^2)").equal


def test_permutation_values_lie_in_range_only_inside() -> None:
    mask = "leq(p[j], n-1)"
    assert decide_texts(mask, "1", ["0 <= j < n"], [("p", "n")]).equal
    assert not decide_texts(mask, "1", ["n >= 1"], [("p", "n")]).equal


def test_sympy_surface() -> None:
    n, i, j, k = sp.symbols("n i j k", integer=True)
    s, c = sp.IndexedBase("s"), sp.Symbol("c")
    z = sp.Sum(sp.exp(s[k]), (k, 0, n - 1))
    inside = [
        Assumption(i, ">="),
        Assumption(n - i, ">"),
        Assumption(j, ">="),
        Assumption(n - j, ">"),
    ]
    p = lambda x: sp.exp(s[x]) / z  # noqa: E731
    slope = sp.Derivative(p(i), s[j])
    assert decide(slope, p(i) * (sp.KroneckerDelta(i, j) - p(j)), inside).equal
    assert decide(slope, p(i) * (1 - p(j)), inside).different
    mask = sp.Piecewise((s[k], sp.Le(k, i)), (0, True))
    assert decide(sp.Sum(mask, (k, 0, n - 1)), sp.Sum(s[k], (k, 0, i)), inside).equal
    assert decide(sp.Sum(s[k] * c, (k, 0, n - 1)), c * sp.Sum(s[j], (j, 0, n - 1))).equal
    row = sp.Idx("r", n)
    assert decide(sp.Sum(sp.KroneckerDelta(k, row) * s[k], (k, 0, n - 1)), s[row]).equal
    assert decide(sp.Sum(sp.zeta(s[k]), (k, 0, n - 1)), 0 * n).verdict == "undecided"


def test_equal_takes_sums() -> None:
    found = equality("sum(k, 0, n-1, x[k])^2", "sum(i, 0, n-1, sum(j, 0, n-1, x[i]*x[j]))")
    assert found.verdict == "equal" and "n >= 1" in found.decisive.reason
    vector = equality("[sum(k, 0, n-1, x[k]), 1]", "[sum(j, 0, n-1, x[j]), 2]")
    assert [entry.verdict.verdict for entry in vector.entries] == ["equal", "different"]
    assert equality("sum(k, 1, 3, k^2)", "14").verdict == "equal"
    assert found.decisive.evidence is not None
    assert found.decisive.evidence.data()["replayed"] is False


ATOMS = (
    *("x[{k}]", "y[{k}]", "exp(x[{k}])", "exp(x[{k}] - c)", "c", "2", "x[{k}+1]"),
    *("1/(x[{k}]^2 + 1)", "sum({m}, 0, {k}, x[{m}])", "sum({m}, 0, n-1, x[{m}]*y[{k}])"),
    *("leq({k}, i)", "delta({k}, i)", "sqrt(sum({m}, 0, n-1, y[{m}]^2))"),
)


def random_sum(rng: Random, index: str) -> str:
    inner = index + index
    terms = [
        "*".join(rng.choice(ATOMS).format(k=index, m=inner) for _ in range(rng.randint(1, 2)))
        for _ in range(rng.randint(1, 2))
    ]
    low, high = rng.choice([("0", "n-1"), ("0", "n"), ("1", "n"), ("0", "i")])
    return f"sum({index}, {low}, {high}, {' + '.join(terms)})"


@pytest.mark.parametrize("seed", range(24))
def test_fuzz(seed: int) -> None:
    """A rewritten sum is equal; what the prover calls equal is nowhere refuted by numbers."""
    rng = Random(seed)
    text = random_sum(rng, "k")
    again = text.replace("kk", "ll").replace("[k", "[j").replace("k,", "j,").replace(", k", ", j")
    again = f"3*({again}) - 2*({text})"
    given = ["0 <= i < n"]
    other = random_sum(rng, "k")
    for a, b, same in ((text, again, True), (f"{text}*{other}", f"{other}*{text}", True),
                       (text, other, False), (f"({text}) + x[0]", text, False)):  # fmt: skip
        (left, right), facts = statement([parse(a), parse(b)], given)
        verdict = decide_trees(left, right, facts)
        if same:
            assert verdict.equal, (a, b, verdict.reason)
        if verdict.equal:
            used = names(left) | names(right)
            assert counterexample(left, right, facts, used) is None, (a, b)


def test_an_equation_fixes_a_size() -> None:
    given = ["G = 1"]
    assert decided("sum(g, 0, G-1, x[g]*sum(k, 0, n-1, y[g,k]))", "x[0]*sum(k, 0, n-1, y[0,k])",
                   given).equal  # fmt: skip
    found = decided("sum(g, 0, G-1, x[g])", "x[0] + x[1]", given)
    assert found.different and "G = 1" in found.reason  # numbers keep to the equation
    assert decided("sum(k, 0, m-1, x[k])", "sum(k, 0, n-1, x[k])", ["m = n"]).equal


def test_few_values_of_an_index_are_tried_one_by_one() -> None:
    assert decided("delta(a, 0) + delta(a, 1)", "1", ["0 <= a < 2"]).equal
    assert decided("delta(a, 0)*x[0] + delta(a, 1)*x[1] + delta(a, 2)*x[2]", "x[a]",
                   ["0 <= a < 3"]).equal  # fmt: skip
    assert decided("delta(a, 0) + delta(a, 1)", "1", ["0 <= a < 3"]).different
    assert decided("sum(t, 0, 1, delta(t, a)*x[t])", "x[a]", ["0 <= a < 2"]).equal
    assert not decided("delta(a, 0)*x[0]", "x[a]", ["0 <= a < 2"]).equal


def test_offsets_of_mixed_kinds() -> None:
    left = "sum(a, 0, h*v-1, x[a]*y[a])"
    assert decided(left, "sum(g, 0, h-1, sum(b, 0, v-1, x[g*v+b]*y[g*v+b]))", []).equal
    assert decided(left, "sum(g, 0, h-1, sum(b, 0, v-1, x[g*v+b]*y[b]))", []).different


def decided(a: str, b: str, given: list[str]):  # type: ignore[no-untyped-def]
    (left, right), facts = statement([parse(a), parse(b)], given)
    return decide_trees(left, right, facts)


SLOPES_KNOWN = {
    "exp": "exp(x)",
    "ln": "1/x",
    "log": "1/x",
    "sqrt": "1/(2 sqrt(x))",
    "sin": "cos(x)",
    "cos": "-sin(x)",
    "tanh": "4/(exp(x) + exp(-x))^2",
    "sigmoid": "exp(-x)/(1 + exp(-x))^2",
    "silu": "1/(1 + exp(-x)) + x*exp(-x)/(1 + exp(-x))^2",
    "erf": "2*exp(-x^2)/sqrt(pi)",
    "gelu": "1/2 + erf(x/sqrt(2))/2 + x*exp(-x^2/2)/sqrt(2 pi)",
    "abs": "1",
    "relu": "1",
}


@pytest.mark.parametrize("name", sorted(SLOPES))
def test_slopes(name: str) -> None:
    """The rules of the second net and those of the normal form, against the textbook's."""
    positive = decide_texts(f"diff({name}(x), x)", SLOPES_KNOWN[name], ["x > 0"])
    assert positive.equal
    if name in ("abs", "relu"):
        left = "-1" if name == "abs" else "0"
        assert decide_texts(f"diff({name}(-x), x)", f"-({left})", ["x > 0"]).equal
    x = Name("x")
    rule = derivative(Call(name, (x,)), x)
    for value in (Number(3, 7), Number(5, 2)):
        a, b = (replaced(t, x, value) for t in (rule, parse(SLOPES_KNOWN[name])))
        dag = Dag()
        assert decide_nodes(evaluate(a, dag), evaluate(b, dag)).equal


def test_a_product_of_sizes_is_bounded_by_the_bounds_of_its_factors() -> None:
    whole = "sum(i, 0, T-1, sum(j, 0, g*T-1, leq(j, g*i + g - 1)))"
    assert decide_texts(whole, "g*T*(T+1)/2").equal
    assert decide_texts(whole, "g*T*(T-1)/2").different
    empty = decide_texts("leq(g*n, g*i + g)", "0", ["0 <= i < n", "g >= 1"])
    assert empty.different


def test_orders_with_products_are_never_wrong() -> None:
    """What follows from 0 <= i < n, g >= 1, m <= n is true for every small choice."""
    given = ["0 <= i < n", "1 <= m <= n", "g >= 1", "n >= 1", "g integer", "n integer"]
    _, facts = statement([], given)
    order, rng, proved = Order(facts), Random(5), 0
    plain = [variable(v) for v in "gimn"]
    pairs = [times(a, b) for a, b in itertools.combinations_with_replacement(plain, 2)]
    choices = [
        {name: constant(value) for name, value in zip("nimg", (n, i, m, g), strict=True)}
        for n in range(1, 5) for i in range(n) for m in range(1, n + 1) for g in range(1, 5)
    ]  # fmt: skip
    for _ in range(150):
        x = constant(rng.randint(-2, 2))
        for part in rng.sample(plain + pairs, 3):
            x = plus(x, part, rng.choice((-2, -1, 1, 2)))
        if order.nonnegative(x):
            proved += 1
            for c in choices:
                ((_, value),) = at_values(x, c) or (("1", 0),)
                assert value >= 0, (x, c)
    assert proved > 5
