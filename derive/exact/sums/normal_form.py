"""The normal form of a sum, whatever the sizes are.

Inside, ranges follow Karr's convention (the sum over [a, b) is minus the sum over [b, a)), so
splitting and peeling need no condition.  It agrees with "empty where b <= a" only for a <= b,
which `ordered` demands of every sum that is read and of every bound that becomes a mask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import comb

from flint import fmpq

from derive.exact.budget import UndecidedError
from derive.exact.sums.affine import (
    Affine,
    at,
    below,
    constant,
    inverse,
    minus,
    names_of,
    order,
    plus,
    replaced,
    variable,
)
from derive.exact.sums.field import Element
from derive.exact.sums.functions import Functions
from derive.exact.sums.keys import (
    Key,
    Mono,
    PolyKey,
    binders,
    components,
    free,
    free_of,
    label,
    monomial,
    occurrences,
)

Range = tuple[str, Affine, Affine]  # running index, first, past the last
Ranges = list[Range]
LONGEST_PEEL = 40  # single terms taken out of a sum
Names = Mapping[str, Affine]


class NormalForm(Functions):
    """Sums as generators: pulled apart, deltas collapsed, ranges from 0, canonically labelled."""

    # substitution: evaluate again

    def of_key(self, key: Key, by: Names) -> Element:
        """The element of a key, names replaced, normalised again from its leaves."""
        if key[0] != "poly" and not free(key) & set(by):
            if key in self.place or key in self.given:
                return self.generator(key)
        kind = key[0]
        if kind in ("letter", "pi"):
            return self.generator(key)
        if kind == "i":
            return self.i()
        if kind in ("var", "family", "delta", "mask"):
            return self._of_index(key, by)
        if kind == "exp":
            return self.exp(self.mul(self.of_mono(key[1], by), self.number(fmpq(1, key[2]))))
        if kind == "sum":
            return self.sum(*self.opened(key, by, set()))
        return self._of_function(key, by)

    def _of_index(self, key: Key, by: Names) -> Element:
        kind = key[0]
        if kind == "var":
            return self.integer(replaced(variable(key[1]), by))
        if kind == "family":
            return self.generator((kind, key[1], tuple(replaced(a, by) for a in key[2])))
        a = replaced(key[1], by)
        return self.delta(a) if kind == "delta" else self.mask(a)

    def _of_function(self, key: Key, by: Names) -> Element:
        if key[0] == "poly":
            return self.of_poly(key[1], by)
        if key[0] == "sqrt":
            return self.sqrt(self.of_poly(key[1], by))
        x = self.over(*(self.of_poly(p, by) for p in key[-2:]))
        if key[0] == "log":
            return self.log(x)
        name, p, q = key[1]
        return self.function(name, self.mul(x, self.number(fmpq(p, q))))

    def of_mono(self, mono: Mono, by: Names) -> Element:  # type: ignore[override]
        """The element of a monomial, names replaced."""
        return self.product(self.power(self.of_key(k, by), e) for k, e in mono)

    def of_poly(self, p: PolyKey, by: Names) -> Element:
        """The element of a polynomial key, names replaced."""
        return self.total(self.mul(self.number(fmpq(*c)), self.of_mono(m, by)) for m, c in p)

    def opened(self, key: Key, by: Names, used: Iterable[str]) -> tuple[Ranges, Element]:
        """A sum as ranges with fresh names, and its summand."""
        taken = set(used) | set(by) | free(key) | set().union(*map(names_of, by.values()))
        ranges: Ranges = []
        inner = dict(by)
        for name, high in zip(binders(key), key[1], strict=True):
            end = replaced(high, by)
            new = self.fresh((), end, taken)
            taken.add(new)
            ranges.append((new, (), end))
            inner[name] = variable(new)
        return ranges, self.of_mono(key[2], inner)

    # the sum

    def ordered(self, low: Affine, high: Affine) -> None:
        """Demand low <= high."""
        if not self.order.nonnegative(plus(high, low, -1)):
            self.open_questions.append(plus(high, low, -1))
            raise UndecidedError("the order of the bounds of a sum is not known")

    def sum(self, ranges: Ranges, x: Element) -> Element:
        """The sum of x: what doesn't depend on the running indices stands before it."""
        if not ranges:
            return x
        names = {r[0] for r in ranges}
        return self.total(self.mul(c, self._sum(ranges, m)) for c, m in self.terms(x, names))

    def _sum(self, ranges: Ranges, mono: Mono) -> Element:
        """The sum of one monomial: the first rule that applies, and again."""
        self.budget.spend(200)
        mono = tuple((k, 1 if k[0] in ("delta", "mask") else e) for k, e in mono)
        for rule in (
            self._factor_rules,
            self._dependent_bound,
            self._range_rules,
            self._separate,
            self._powers,
            self._shorter_range,
            self._oriented,
        ):
            done = rule(ranges, mono)
            if done is not None:
                return done
        return self._labelled(ranges, mono)

    def _labelled(self, ranges: Ranges, mono: Mono) -> Element:
        factor, key, _ = label([(v, high) for v, _, high in ranges], mono)
        return self.mul(self.number(factor), self.generator(key))

    # deltas, masks, nested sums

    def _factor_rules(self, ranges: Ranges, mono: Mono) -> Element | None:
        names = {r[0] for r in ranges}
        for n, (key, e) in enumerate(mono):
            rest = mono[:n] + mono[n + 1 :]
            done: Element | None = None
            if key[0] == "delta":
                done = self._collapsed(ranges, rest, key)
            elif key[0] == "mask" and len(free(key) & names) == 1:
                done = self._mask_to_bound(ranges, rest, key)
            elif key[0] == "sum" and e > 0 and free(key) & names and not _products(key, names):
                left = rest + (((key, e - 1),) if e > 1 else ())
                done = self._flattened(ranges, left, key, names | free_of(mono))
            if done is not None:
                return done
        return None

    def _collapsed(self, ranges: Ranges, rest: Mono, key: Key) -> Element | None:
        """The index takes the value that the delta says, if that is in its range."""
        for v, low, high in ranges:
            c = dict(key[1]).get(v, 0)
            other = plus(key[1], variable(v), -c)
            if c not in (1, -1) or v in names_of(other):
                continue
            value = minus(other) if c == 1 else other
            by = {v: value}
            x = self.mul(self.of_mono(rest, by), self.mask(plus(value, low, -1)))
            x = self.mul(x, self.mask(below(value, high)))
            left = [(w, replaced(a, by), replaced(b, by)) for w, a, b in ranges if w != v]
            return self.sum(left, x)
        return None

    def _mask_to_bound(self, ranges: Ranges, rest: Mono, key: Key) -> Element | None:
        """[k <= i] under the sum over k ends the sum at i."""
        (v,) = free(key) & {r[0] for r in ranges}
        c = dict(key[1]).get(v, 0)
        low, high = next((a, b) for w, a, b in ranges if w == v)
        new: Range | None = None
        if c == -1:
            end = plus(plus(key[1], variable(v)), constant(1))
            new = self._cut(v, low, high, low, end)
            asked = (plus(high, end, -1), plus(end, low, -1))
        elif c == 1:
            start = minus(plus(key[1], variable(v), -1))
            new = self._cut(v, low, high, start, high)
            asked = (plus(start, low, -1), plus(high, start, -1))
        else:
            return None
        if new is None:
            self.open_questions += asked
            return None
        return self._again(ranges, rest, v, new[1], new[2])

    def _cut(self, v: str, low: Affine, high: Affine, start: Affine, end: Affine) -> Range | None:
        """The part of a range between start and end, where their order is known."""
        inside = self.order.nonnegative
        if end == high:
            if inside(plus(start, low, -1)) and inside(plus(high, start, -1)):
                return (v, start, high)
            return (v, low, high) if inside(plus(low, start, -1)) else None
        if inside(plus(high, end, -1)) and inside(plus(end, low, -1)):
            return (v, low, end)
        return (v, low, high) if inside(plus(end, high, -1)) else None

    def _again(
        self, ranges: Ranges, mono: Mono, v: str, low: Affine, high: Affine, shift: Affine = ()
    ) -> Element:
        """Another range for v, and v = new - shift: a new name, for a name's range is a fact."""
        used = {r[0] for r in ranges} | free_of(mono)
        used |= {name for _, a, b in ranges for name in names_of(a) | names_of(b)}
        new = self.fresh(low, high, used)
        by = {v: plus(variable(new), shift, -1)}
        left = [
            (new, low, high) if w == v else (w, replaced(a, by), replaced(b, by))
            for w, a, b in ranges
        ]
        return self.sum(left, self.of_mono(mono, by))

    def _flattened(self, ranges: Ranges, rest: Mono, key: Key, used: set[str]) -> Element:
        """A sum inside a sum: all running indices side by side."""
        taken = used | {n for _, a, b in ranges for n in names_of(a) | names_of(b)}
        inner, x = self.opened(key, {}, taken)
        return self.sum(ranges + inner, self.mul(x, self.of_mono(rest, {})))

    def _dependent_bound(self, ranges: Ranges, mono: Mono) -> Element | None:
        """A bound that depends on another running index becomes a mask."""
        names = {r[0] for r in ranges}
        for v, low, high in ranges:
            if not (names_of(low) | names_of(high)) & names:
                continue
            self.ordered(low, high)
            self.ordered((), low)
            end = self._widest(ranges, high)
            used = names | free_of(mono) | {n for r in ranges for n in names_of(r[1] + r[2])}
            new = self.fresh((), end, used)
            by = {v: variable(new)}
            x = self.mul(self.of_mono(mono, by), self.mask(plus(variable(new), low, -1)))
            x = self.mul(x, self.mask(below(variable(new), high)))
            left = [
                (new, (), end) if w == v else (w, replaced(a, by), replaced(b, by))
                for w, a, b in ranges
            ]
            return self.sum(left, x)
        return None

    def _widest(self, ranges: Ranges, high: Affine) -> Affine:
        """A bound for all values of the other running indices."""
        for by in (
            {w: plus(b, constant(-1)) for w, _, b in ranges},
            {w: b for w, _, b in ranges},
            {w: a for w, a, _ in ranges},
        ):
            end = replaced(high, by)
            if self.order.nonnegative(plus(end, high, -1)):
                return end
        raise UndecidedError("a bound that depends on another running index")

    # ranges

    def _range_rules(self, ranges: Ranges, mono: Mono) -> Element | None:
        for n, (v, low, high) in enumerate(ranges):
            others = ranges[:n] + ranges[n + 1 :]
            if low:  # [low, high) = [0, high) - [0, low)
                return self.sub(
                    self._again(ranges, mono, v, (), high), self._again(ranges, mono, v, (), low)
                )
            c = dict(high).get("1", 0)
            if c and self.order.nonnegative(plus(high, constant(-c))):
                return self._peeled_ends(ranges, others, mono, (v, high, c))
            if not high:
                return self.zero
            for rule in (self._reversed, self._shifted, self._permuted):
                done = rule(ranges, mono, v, high)
                if done is not None:
                    return done
            done = self._contracted(others, mono, v, high)
            if done is not None:
                return done
        return None

    def _peeled_ends(
        self, ranges: Ranges, others: Ranges, mono: Mono, end: tuple[str, Affine, int]
    ) -> Element:
        """[0, n + 1) = [0, n) and the term at n."""
        v, high, c = end
        if abs(c) > LONGEST_PEEL:
            raise UndecidedError(f"a bound with a number above {LONGEST_PEEL}")
        base = plus(high, constant(-c))
        out = self._again(ranges, mono, v, (), base) if base else self.zero
        for t in range(abs(c)):
            place = plus(base, constant(t if c > 0 else -1 - t))
            term = self.sum(others, self.of_mono(mono, {v: place}))
            out = self.add(out, term if c > 0 else self.neg(term))
        return out

    def _shifted(self, ranges: Ranges, mono: Mono, v: str, high: Affine) -> Element | None:
        """s[a + k] over [0, n) is s[k] over [a, a + n)."""
        seen = occurrences(tuple(t for t in mono if t[0][0] != "mask"), v)
        offsets = {plus(a, variable(v), -1) for a in seen if dict(a).get(v) == 1}
        if not offsets or len(offsets) < len(seen):
            return None
        first = min(offsets, key=lambda a: (dict(a).get("1", 0), order(a)))
        if set(dict(first)) == {"1"} and first[0][1] < 0:
            if any(set(dict(a)) - {"1"} for a in offsets):
                return None
            return self._from_below(ranges, mono, (v, high), first)
        running = {r[0] for r in ranges}
        if (
            not first
            or not self.order.nonnegative(first)
            or any(x in running or x[0] == "#" for x in names_of(first))
        ):
            return None
        if any(set(dict(plus(a, first, -1))) - {"1"} for a in offsets) or v in names_of(first):
            return None
        return self._again(ranges, mono, v, first, plus(high, first), first)

    def _from_below(
        self, ranges: Ranges, mono: Mono, end: tuple[str, Affine], first: Affine
    ) -> Element | None:
        """s[k - 1] over [0, n) is the term at 0 and s[k] over [0, n - 1)."""
        v, high = end
        rest, count = plus(high, first), -first[0][1]
        if count > LONGEST_PEEL or not self.order.nonnegative(rest):
            return None
        others = [r for r in ranges if r[0] != v]
        terms = (self.sum(others, self.of_mono(mono, {v: constant(t)})) for t in range(count))
        return self.add(self.total(terms), self._again(ranges, mono, v, (), rest, first))

    def _reversed(self, ranges: Ranges, mono: Mono, v: str, high: Affine) -> Element | None:
        """s[n - 1 - k] over [0, n): the terms in the opposite order."""
        seen = occurrences(mono, v)
        if not seen or any(dict(a).get(v) != -1 for a in seen):
            return None
        turned = plus(plus(high, constant(-1)), variable(v), -1)
        return self.sum(ranges, self.of_mono(mono, {v: turned}))

    def _permuted(self, ranges: Ranges, mono: Mono, v: str, high: Affine) -> Element | None:
        """Where only p(k) occurs, k runs in another order over the same range."""
        seen = occurrences(mono, v)
        maps = {b[1] for a in seen for b, _ in a if isinstance(b, tuple) and b[0] == "at"}
        for f in sorted(maps):
            rest = [tuple(t for t in a if t[0] != ("at", f, variable(v))) for a in seen]
            if self.order.size_of.get(f) == high and not any(v in names_of(a) for a in rest):
                return self.sum(ranges, self.of_mono(mono, {v: at(inverse(f), variable(v))}))
        return None

    def _contracted(self, others: Ranges, mono: Mono, v: str, high: Affine) -> Element | None:
        """sum_k A[x,k] B[k,y] = [x = y] for inverse matrices."""
        hit = [n for n, (k, _) in enumerate(mono) if v in free(k)]
        if len(hit) != 2 or any(mono[n][1] != 1 or mono[n][0][0] != "family" for n in hit):
            return None
        for first, second in (hit, hit[::-1]):
            a, b = mono[first][0], mono[second][0]
            known = any(
                (a[1], b[1]) in ((p, q), (q, p)) and size == high
                for p, q, size in self.facts.inverses
            )
            if not known or len(a[2]) != 2 or len(b[2]) != 2:
                continue
            (x, k), (m, y) = a[2], b[2]
            if k == variable(v) == m and v not in names_of(x) | names_of(y):
                if not all(self._in_range(z, high) for z in (x, y)):
                    continue
                rest = tuple(t for n, t in enumerate(mono) if n not in hit)
                return self.sum(
                    others, self.mul(self.delta(plus(x, y, -1)), self.of_mono(rest, {}))
                )
        return None

    def _in_range(self, x: Affine, high: Affine) -> bool:
        return self.order.nonnegative(x) and self.order.nonnegative(below(x, high))

    # products, powers, triangles

    def _separate(self, ranges: Ranges, mono: Mono) -> Element | None:
        """Indices that no factor connects: a product of sums."""
        groups = components({r[0] for r in ranges}, mono)
        if len(groups) < 2:
            return None
        return self.product(
            self._sum(
                [r for r in ranges if r[0] in group], tuple(t for t in mono if free(t[0]) & group)
            )
            for group in groups
        )

    def _powers(self, ranges: Ranges, mono: Mono) -> Element | None:
        """The sum of 1, and of k^e (Faulhaber)."""
        if not mono:
            return self.integer(ranges[0][2])
        (key, e), *more = mono
        if more or key[0] != "var" or e < 0:
            return None
        size, out = self.integer(ranges[0][2]), self.zero
        for j, b in enumerate(_bernoulli(e)):
            c = b * comb(e + 1, j) / (e + 1)
            factor = self.number(fmpq(c.numerator, c.denominator))
            out = self.add(out, self.mul(factor, self.power(size, e + 1 - j)))
        return out

    def _triangles(self, ranges: Ranges, mono: Mono) -> list[tuple[int, str, str]]:
        """Masks [v < u] between two running indices: (place, v, u)."""
        names = {r[0] for r in ranges}
        found = []
        for n, (key, _) in enumerate(mono):
            if key[0] == "mask":
                parts = dict(key[1])
                if parts.pop("1", 0) == -1 and len(parts) == 2 and set(parts) <= names:
                    small = [b for b in parts if parts[b] == -1]
                    large = [b for b in parts if parts[b] == 1]
                    if small and large:
                        found.append((n, small[0], large[0]))
        return found

    def _shorter_range(self, ranges: Ranges, mono: Mono) -> Element | None:
        """v < u: the range of v ends where that of u does."""
        end = {v: high for v, _, high in ranges}
        for _, v, u in self._triangles(ranges, mono):
            if end[v] != end[u] and self.order.nonnegative(plus(end[v], end[u], -1)):
                return self._again(ranges, mono, v, (), end[u])
        return None

    def _oriented(self, ranges: Ranges, mono: Mono) -> Element | None:
        """One of the two ways to write a triangle: [u < v] = 1 - [v < u] - [u = v]."""
        found = self._triangles(ranges, mono)
        if len(found) != 1:
            return None
        place, v, u = found[0]
        end = {w: high for w, _, high in ranges}
        if end[v] != end[u]:
            return None
        rest = mono[:place] + mono[place + 1 :]
        orders = label([(w, high) for w, _, high in ranges], rest)[2]
        first = {names.index(v) < names.index(u) for names in orders}
        if first == {True}:
            return None
        whole = self.sum(ranges, self.of_mono(rest, {}))
        equal = self.delta(plus(variable(u), variable(v), -1))
        both = self.sub(whole, self.sum(ranges, self.mul(equal, self.of_mono(rest, {}))))
        if first == {True, False}:
            return self.mul(both, self.number(fmpq(1, 2)))
        turned = ("mask", below(variable(u), variable(v)))
        return self.sub(both, self._labelled(ranges, monomial((*rest, (turned, 1)))))


def _products(key: Key, names: set[str]) -> bool:
    """Whether a bound holds a product with one of the names."""
    return any(
        isinstance(b, tuple) and b[0] == "product" and names_of(((b, 1),)) & names
        for high in key[1]
        for b, _ in high
    )


def _bernoulli(e: int) -> list[Fraction]:
    """B_0 … B_e with B_1 = -1/2."""
    out: list[Fraction] = []
    for m in range(e + 1):
        total = sum((comb(m + 1, j) * out[j] for j in range(m)), Fraction(0))
        out.append(Fraction(1) if m == 0 else -total / (m + 1))
    return out
