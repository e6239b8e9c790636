"""Two ways of writing the same transformer quantity, around random parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from derive.text.tree import Negative, Number, Tree
from tests.fuzz.language import (
    call,
    expression,
    leaf,
    minus,
    number,
    over,
    plus,
    positive,
    power,
    square,
    times,
    total,
)

Pair = tuple[Tree, Tree]
Template = Callable[[Random, Sequence[str]], Pair]
ONE, TWO = Number(1), Number(2)


def row(rng: Random, names: Sequence[str], n: int) -> list[Tree]:
    """Small random entries."""
    return [expression(rng, names, rng.randrange(2)) for _ in range(n)]


def softmax_shift(rng: Random, names: Sequence[str]) -> Pair:
    """softmax(x) = softmax(x - c)"""
    xs, c = row(rng, names, rng.randint(2, 4)), leaf(rng, names)
    up = [call("exp", x) for x in xs]
    moved = [call("exp", minus(x, c)) for x in xs]
    return over(up[0], total(*up)), over(moved[0], total(*moved))


def logsumexp_shift(rng: Random, names: Sequence[str]) -> Pair:
    """log sum exp x = c + log sum exp (x - c)"""
    xs, c = row(rng, names, rng.randint(2, 3)), leaf(rng, names)
    right = call("ln", total(*(call("exp", minus(x, c)) for x in xs)))
    return call("ln", total(*(call("exp", x) for x in xs))), plus(c, right)


def cross_entropy(rng: Random, names: Sequence[str]) -> Pair:
    """-log softmax(x)_0 = log sum exp x - x_0"""
    xs = row(rng, names, 3)
    up = [call("exp", x) for x in xs]
    return Negative(call("ln", over(up[0], total(*up)))), minus(call("ln", total(*up)), xs[0])


def online_softmax(rng: Random, names: Sequence[str]) -> Pair:
    """Two tiles with their own maxima, rescaled and added"""
    a, b, c, m1, m2 = row(rng, names, 5)
    first = plus(call("exp", minus(a, m1)), call("exp", minus(b, m1)))
    tiles = plus(times(call("exp", minus(m1, m2)), first), call("exp", minus(c, m2)))
    whole = total(*(call("exp", x) for x in (a, b, c)))
    return over(call("exp", a), whole), over(call("exp", minus(a, m2)), tiles)


def rms(values: Sequence[Tree]) -> Tree:
    """The root of the mean square."""
    return call("sqrt", over(total(*(square(x) for x in values)), number(len(values))))


def rms_scale(rng: Random, names: Sequence[str]) -> Pair:
    """RMSNorm(c x) = RMSNorm(x) for c > 0"""
    xs, c = [*row(rng, names, rng.randint(1, 2)), positive(rng, names, 1)], positive(rng, names, 1)
    scaled = [times(c, x) for x in xs]
    return over(xs[0], rms(xs)), over(scaled[0], rms(scaled))


def layer_norm_shift(rng: Random, names: Sequence[str]) -> Pair:
    """LayerNorm(x + c) = LayerNorm(x)"""
    xs, c = [*row(rng, names, 2), call("exp", leaf(rng, names))], leaf(rng, names)

    def norm(values: Sequence[Tree]) -> Tree:
        mean = over(total(*values), number(len(values)))
        centred = [minus(x, mean) for x in values]
        return over(
            centred[0], call("sqrt", plus(over(total(*map(square, centred)), Number(3)), ONE))
        )

    return norm(xs), norm([plus(x, c) for x in xs])


def rope_relative(rng: Random, names: Sequence[str]) -> Pair:
    """<R_m q, R_n k> = <q, R_(n-m) k>"""
    q0, q1, k0, k1 = row(rng, names, 4)
    m, n = number(rng.randint(0, 6)), number(rng.randint(0, 6))
    freq = rng.choice((ONE, Number(1, 100), call("sqrt", Number(1, 10)), leaf(rng, names)))

    def turned(x: Tree, y: Tree, at: Tree) -> tuple[Tree, Tree]:
        c, s = call("cos", times(at, freq)), call("sin", times(at, freq))
        return minus(times(x, c), times(y, s)), plus(times(x, s), times(y, c))

    (a, b), (c, d) = turned(q0, q1, m), turned(k0, k1, n)
    e, f = turned(k0, k1, minus(n, m))
    left, right = plus(times(a, c), times(b, d)), plus(times(q0, e), times(q1, f))
    return (left, right) if rng.randrange(2) else (call("exp", left), call("exp", right))


def nested_radical(rng: Random, names: Sequence[str]) -> Pair:
    """sqrt(a + b + 2 sqrt(a b)) = sqrt a + sqrt b, also below exp"""
    a, b = positive(rng, names, 1), positive(rng, names, 1)
    nested = call("sqrt", total(a, b, times(TWO, call("sqrt", times(a, b)))))
    flat = plus(call("sqrt", a), call("sqrt", b))
    if rng.randrange(3) == 0:
        return call("exp", nested), times(
            call("exp", call("sqrt", a)), call("exp", call("sqrt", b))
        )
    return nested, flat


def cube(rng: Random, names: Sequence[str]) -> Pair:
    """Cube roots: (p + q)^3 written out below the root"""
    p, q = positive(rng, names, 0), positive(rng, names, 1)
    whole = total(power(p, 3), times(times(Number(3), square(p)), q))
    whole = plus(whole, total(times(times(Number(3), p), square(q)), power(q, 3)))
    return call("root", whole, Number(3)), plus(p, q)


def gelu_odd(rng: Random, names: Sequence[str]) -> Pair:
    """GELU(x) - GELU(-x) = x"""
    x = expression(rng, names, 1)

    def gelu(y: Tree) -> Tree:
        return over(times(y, plus(ONE, call("erf", over(y, call("sqrt", TWO))))), TWO)

    return minus(gelu(x), gelu(Negative(x))), x


def jacobian(rng: Random, names: Sequence[str]) -> Pair:
    """p (1 - p) = p - p^2 with p a softmax entry"""
    up = [call("exp", x) for x in row(rng, names, 3)]
    p = over(up[0], total(*up))
    return times(p, minus(ONE, p)), over(times(up[0], plus(up[1], up[2])), square(total(*up)))


TEMPLATES: tuple[Template, ...] = (
    softmax_shift,
    logsumexp_shift,
    cross_entropy,
    online_softmax,
    rms_scale,
    layer_norm_shift,
    rope_relative,
    nested_radical,
    cube,
    gelu_odd,
    jacobian,
)
