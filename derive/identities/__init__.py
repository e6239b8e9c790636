"""Identities for every size: statement, assumptions, a chain of checked links, false twins.

An identity is one short declaration in a file of this folder that `FILES` lists.  It is written
in the plain grammar, with the letters of the textbook, and reads like the textbook's proof:

    Identity(
        "softmax-shift",
        "Softmax does not change when a constant is added to every score",
        "exp(s[i] + c)/sum(k, 0, n-1, exp(s[k] + c)) = p[i]",
        where=("p[i] = exp(s[i])/sum(k, 0, n-1, exp(s[k]))",),
        given=("0 <= i < n",),
        steps=(
            Step("exp(c)*exp(s[i])/(exp(c)*sum(k, 0, n-1, exp(s[k])))", "e^c is in every term"),
            Step("p[i]", "the factor cancels"),
        ),
        twins=(
            Twin("exp(s[i] + c)/sum(k, 0, n-1, exp(s[k])) = p[i]", "the shift above only"),
            Twin("exp(2 s[i])/sum(k, 0, n-1, exp(2 s[k])) = p[i]", "a factor is no shift"),
        ),
    )

- The statement is `left = right`; `left != right` is a negative fact, proved by a counterexample.
- `steps` lead from the left side to the right side, which the last step repeats; the kernel decides
  every link.  Without steps the kernel's own normal form is the one link.
- `where` are abbreviations: `p[i] = …`, `Z = …`; they are printed, and put in before anything is
  decided.  Bound names are renamed where they would be captured.
- `given` are assumptions: ranges `0 <= i < n`, orders `m <= n`, signs `tau > 0`, equations
  `sum(k, 0, n-1, y[k]) = 1`.  Letters in bounds are whole numbers >= 1 unless it says otherwise
  (`n >= 0`).  A step or twin may have `given` of its own, which replaces the identity's.
- Besides `sum(k, low, high, …)` there are `diff(f, s[j])`, the derivative; `delta(i, j)`, 1 where
  i = j, else 0; `leq(k, i)`, 1 where k <= i, else 0, which is a mask.  `x[perm[k]]` with
  `permutations=(("perm", "n"),)` is a reordering of 0 … n-1; a map without this is any map.
  `inverses=(("M", "N", "d"),)` says that the d x d matrices M and N are inverse.
- `induction=Induction("T", …)` proves the statement for T = 0 and from T to T + 1, with
  `recurrences=(Recurrence("l", "t", "0", "l[t]*… + …"),)` for what is defined step by step.
- A statement can be an order, `left <= right`, and a chain may have links
  `Step("…", "reason", "<=", "log bound", by="…")`: the rule is one of `positivity.RULES`, and `by`
  is a form of the difference whose sign the rules give.  `every=("0 <= k < n: s[k] <= M",)`
  are assumptions for every index; `"0 <= k < n, k != a: s[k] < s[a]"` leaves one out.
- `limit="T -> inf"` (or -inf, 0) makes `left -> right` a statement; one link is `->`, those before
  and after it are `=`.
- `random=(Random("q", mean="0", square="1"),)` are independent random entries;
  `mean[…]` is the expectation.
- Every twin is false and must be refuted with numbers; at least two per identity.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module

from derive.errors import DeriveError
from derive.identities.identity import Identity, Induction, Random, Recurrence, Step, Twin
from derive.text.nearest import nearest

FILES = (
    "softmax",
    "logsumexp",
    "cross_entropy",
    "online",
    "backward",
    "attention",
    "equivariance",
    "circuits",
    "decoding",
    "linear_attention",
    "kv_sharing",
    "rope",
    "positions",
    "rmsnorm",
    "layernorm",
    "residual",
    "activations",
    "ffn",
    "output",
    "cost",
    "orders",
    "limiting",
    "averages",
    "growing",
    "witnesses",
)
__all__ = [
    "FILES", "Identity", "Induction", "Random", "Recurrence", "Step", "Twin", "catalogue", "named",
]  # fmt: skip


class UnknownIdentity(DeriveError):
    """No identity has this name."""


@cache
def catalogue() -> dict[str, Identity]:
    """All identities by name, in the order of the booklet."""
    found: dict[str, Identity] = {}
    for file in FILES:
        for identity in import_module(f"derive.identities.{file}").IDENTITIES:
            if identity.name in found:
                raise ValueError(f"two identities are called {identity.name}")
            found[identity.name] = identity
    return found


def named(names: Sequence[str]) -> list[Identity]:
    """The identities of these names; raises UnknownIdentity with the nearest name.

    >>> named(["softmax-shift"])[0].name
    'softmax-shift'
    """
    known = catalogue()
    for name in names:
        if name not in known:
            near = nearest(name, known)
            hint = f"did you mean {near}?" if near else "derive prove --list names all"
            raise UnknownIdentity(f"no identity is called {name!r}; {hint}")
    return [known[name] for name in names]
