"""Integer relations between real numbers, proposed by lattice reduction (LLL).

A proposal proves nothing; whoever asks verifies it exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flint import arb, fmpz, fmpz_mat

LARGEST = 1 << 24  # coefficients above are no proposal


def integer_relation(values: Callable[[int], Sequence[arb]]) -> list[int] | None:
    """Integers n with sum n_k x_k = 0 as it seems, n_0 not 0; `values(bits)` gives the x.

    >>> from flint import ctx
    >>> def logarithms(bits):
    ...     ctx.prec = bits
    ...     return [arb(6).log(), arb(2).log(), arb(3).log()]
    >>> integer_relation(logarithms)
    [1, -1, -1]
    """
    count = len(values(64))
    bits = 64 + 40 * count
    rows = []
    for k, x in enumerate(values(bits + 32)):
        if not x.is_finite():
            return None
        rounded = _rounded(x, bits)
        if rounded is None:
            return None
        rows.append([fmpz(int(j == k)) for j in range(count)] + [rounded])
    for row in fmpz_mat(rows).lll().tolist():
        n = [int(z) for z in row[:count]]
        if n[0] and max(map(abs, n)) < LARGEST and abs(row[count]) < 1 << 28:
            return n if n[0] > 0 else [-z for z in n]
    return None


def _rounded(x: arb, bits: int) -> fmpz | None:
    mantissa, exponent = (int(z) for z in x.mid().man_exp())
    shift = exponent + bits
    if shift > 4 * bits:
        return None
    return fmpz(mantissa << shift if shift >= 0 else mantissa >> -shift)
