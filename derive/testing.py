"""For other people's tests: equality that is proved, not sampled.

    from derive.testing import assert_equal, assert_identity

Nothing is loaded on import; SymPy and the kernel come with the first assertion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from derive.exact.assumptions import Assumption
    from derive.exact.verdict import Verdict

__all__ = ["assert_equal", "assert_identity"]
DIGITS = 10


def assert_equal(
    actual: Any, expected: Any, assumptions: Sequence[str | Assumption] = (), message: str = ""
) -> None:
    """Assert that two expressions are equal wherever both are defined, for every size.

    Expressions are SymPy's (with `Sum` over ranges whose sizes are letters, too), numbers
    (`int`, `Fraction`), texts of the plain grammar, or matrices, lists and tuples of those.
    `assumptions` are texts such as "0 <= i < n" or kernel assumptions.  Raises AssertionError with
    the first cell that differs, the exact difference and a decimal; also where it is undecided.

    >>> assert_equal("sum(k, 0, n-1, k)", "n*(n-1)/2")
    >>> assert_equal(["1/3", "1/2"], ["1/3", "0.4"])
    Traceback (most recent call last):
        ...
    AssertionError: cell [1] differs
      actual      1/2
      expected    0.4
      difference  1/10 = 0.1
      method      two rational numbers
    """
    __tracebackhide__ = True
    left, right = dict(_cells(actual)), dict(_cells(expected))
    if list(left) != list(right):
        raise AssertionError(
            _joined(message, f"shapes differ: {_shape(actual)} against {_shape(expected)}")
        )
    for place, x in left.items():
        y = right[place]
        verdict = _decide(x, y, assumptions)
        if not verdict.equal:
            raise AssertionError(_joined(message, _report(place, x, y, verdict, assumptions)))


def assert_identity(identity: Any) -> None:
    """Assert that an identity is proved, and every false twin of it refuted.

    `identity` is a name of the catalogue or a `derive.identities.Identity` of your own.

    >>> assert_identity("softmax-shift")
    """
    __tracebackhide__ = True
    from derive.identities import named
    from derive.identities.proof import prove
    from derive.text.show import show

    chosen = named([identity])[0] if isinstance(identity, str) else identity
    proof = prove(chosen)
    if proof.verdict != "proved":
        lines = [f"{chosen.name} is {proof.verdict}"]
        for chain in proof.chains:
            before = chain.start
            for link in chain.links:
                if not link.verdict.equal:
                    lines += [
                        f"  {show(before)}",
                        f"  = {show(link.to)}",
                        f"  {link.verdict.reason}",
                    ]
                before = link.to
        raise AssertionError("\n".join(lines))
    for twin in proof.twins:
        if not twin.verdict.different:
            raise AssertionError(
                f"{chosen.name}: the twin {twin.twin.statement} is not refuted "
                f"({twin.verdict.verdict})"
            )


def _joined(message: str, report: str) -> str:
    return f"{message}\n{report}" if message else report


def _cells(x: Any, place: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any]]:
    """(place, cell) of a number, list or matrix, in reading order."""
    rows = x.tolist() if hasattr(x, "tolist") else x
    if isinstance(rows, list | tuple):
        for k, part in enumerate(rows):
            yield from _cells(part, (*place, k))
    else:
        yield place, rows


def _shape(x: Any) -> str:
    rows = x.tolist() if hasattr(x, "tolist") else x
    if not isinstance(rows, list | tuple):
        return "a number"
    inner = {_shape(part) for part in rows}
    return f"{len(rows)} of {' and '.join(sorted(inner))}" if inner else "nothing"


def _tree(x: Any) -> Any:
    """A cell as a tree of the plain grammar, or a SymPy expression."""
    from fractions import Fraction

    from derive.text.parser import parse

    if isinstance(x, str):
        return parse(x)
    if isinstance(x, int | Fraction):
        return parse(str(Fraction(x)))
    return x


def _decide(x: Any, y: Any, assumptions: Sequence[str | Assumption]) -> Verdict:
    from derive.exact.sums.from_sympy import decide_mixed

    return decide_mixed(_tree(x), _tree(y), assumptions)


def _report(
    place: tuple[int, ...], x: Any, y: Any, verdict: Verdict, assumptions: Iterable[object]
) -> str:
    where = f"cell {list(place)} " if place else ""
    what = "differs" if place else "the two sides differ"
    if not verdict.different:
        what = "can't be decided" if place else "it can't be decided"
    rows = [("actual", str(x)), ("expected", str(y))]
    if verdict.different:
        rows += _difference(x, y, verdict)
    rows.append(("method", f"{verdict.method}: {verdict.reason}".removesuffix(": ")))
    return "\n".join([f"{where}{what}", *(f"  {name:<10}  {value}" for name, value in rows)])


def _difference(x: Any, y: Any, verdict: Verdict) -> Iterator[tuple[str, str]]:
    """The exact difference and a decimal: of the two sides, or at the counterexample."""
    from derive.exact.sums.from_sympy import difference_at

    found = difference_at(_tree(x), _tree(y), verdict, DIGITS)
    if found is not None:
        exact, decimal = found
        yield "difference", exact if exact == decimal else f"{exact} {decimal}"
