"""Causal attention: no look ahead, the cache, and prompts that are read in chunks."""

from __future__ import annotations

from derive.identities.identity import Identity, Step, Twin

PROJECTED = (
    "Q[i,a] = sum(c, 0, d-1, X[i,c]*WQ[c,a])",
    "K[j,a] = sum(c, 0, d-1, X[j,c]*WK[c,a])",
    "V[j,e] = sum(c, 0, d-1, X[j,c]*WV[c,e])",
    "A[i,j] = exp(sum(a, 0, r-1, Q[i,a]*K[j,a])/sqrt(r))",
)
CHANGED = (
    "Z[j,c] = leq(j, i)*X[j,c] + (1 - leq(j, i))*Y[j,c]",
    "Qz[i,a] = sum(c, 0, d-1, Z[i,c]*WQ[c,a])",
    "Kz[j,a] = sum(c, 0, d-1, Z[j,c]*WK[c,a])",
    "Vz[j,e] = sum(c, 0, d-1, Z[j,c]*WV[c,e])",
    "Az[i,j] = exp(sum(a, 0, r-1, Qz[i,a]*Kz[j,a])/sqrt(r))",
)
MASKED = "sum(j, 0, n-1, leq(j, {0})*{1}[{0},j]*{2}[j,e])/sum(j, 0, n-1, leq(j, {0})*{1}[{0},j])"
SEEN = "sum(j, 0, {0}, A[{0},j]*V[j,e])/sum(j, 0, {0}, A[{0},j])"
CACHED = (
    "(sum(j, 0, n-2, A[n-1,j]*V[j,e]) + A[n-1,n-1]*V[n-1,e])"
    "/(sum(j, 0, n-2, A[n-1,j]) + A[n-1,n-1])"
)
CHUNK = (
    "(sum(j, 0, m-1, A[m+t,j]*V[j,e]) + sum(l, 0, t, A[m+t,m+l]*V[m+l,e]))"
    "/(sum(j, 0, m-1, A[m+t,j]) + sum(l, 0, t, A[m+t,m+l]))"
)

IDENTITIES = (
    Identity(
        "causal-rows-do-not-look-ahead",
        "Row i of causal attention does not change when later tokens do",
        f"{MASKED.format('i', 'Az', 'Vz')} = {MASKED.format('i', 'A', 'V')}",
        where=(*PROJECTED, *CHANGED),
        given=("0 <= i < n", "0 <= e < v"),
        steps=(
            Step(
                "sum(j, 0, i, Az[i,j]*Vz[j,e])/sum(j, 0, i, Az[i,j])",
                "the mask is 0 where j > i, and 1 elsewhere",
            ),
            Step(SEEN.format("i"), "where j <= i, row j of Z is row j of X"),
            Step(
                MASKED.format("i", "A", "V"),
                "the same mask for the tokens of X",
            ),
        ),
        twins=(
            Twin(
                "sum(j, 0, n-1, Az[i,j]*Vz[j,e])/sum(j, 0, n-1, Az[i,j])"
                " = sum(j, 0, n-1, A[i,j]*V[j,e])/sum(j, 0, n-1, A[i,j])",
                "without the mask later tokens are read",
            ),
            Twin(
                "sum(j, 0, n-1, leq(j, i)*Az[i,j]*Vz[j,e])/sum(j, 0, n-1, Az[i,j])"
                " = sum(j, 0, n-1, leq(j, i)*A[i,j]*V[j,e])/sum(j, 0, n-1, A[i,j])",
                "masked after the normalisation, the denominator still reads them",
            ),
        ),
        note="Z has the tokens of X up to i, and those of any Y behind it.",
    ),
    Identity(
        "causal-gradient-is-triangular",
        "The derivative of row i of causal attention by a later token is 0",
        "diff(sum(j, 0, n-1, leq(j, i)*A[i,j]*V[j,e])/sum(j, 0, n-1, leq(j, i)*A[i,j]), X[t,g])"
        " = 0",
        where=PROJECTED,
        given=("0 <= i < t", "t < n", "0 <= e < v", "0 <= g < d"),
        steps=(
            Step(
                "diff(sum(j, 0, i, A[i,j]*V[j,e])/sum(j, 0, i, A[i,j]), X[t,g])",
                "the mask ends both sums at token i",
            ),
            Step("0", "X[t,g] does not occur: i < t"),
        ),
        twins=(
            Twin(
                "diff(sum(j, 0, n-1, A[i,j]*V[j,e])/sum(j, 0, n-1, A[i,j]), X[t,g]) = 0",
                "without the mask later tokens are read",
            ),
            Twin(
                "diff(sum(j, 0, t, A[i,j]*V[j,e])/sum(j, 0, t, A[i,j]), X[t,g]) = 0",
                "the mask lets token t in",
            ),
        ),
    ),
    Identity(
        "kv-cache",
        "Decoding with cached keys and values gives the last row of the full causal pass",
        f"{CACHED} = {MASKED.format('(n-1)', 'A', 'V').replace('[(n-1),j]', '[n-1,j]')}",
        where=PROJECTED,
        given=("0 <= e < v",),
        steps=(
            Step(
                "sum(j, 0, n-1, A[n-1,j]*V[j,e])/sum(j, 0, n-1, A[n-1,j])",
                "the cached tokens 0 … n-2 and the new one are all tokens",
            ),
            Step(
                MASKED.format("(n-1)", "A", "V").replace("[(n-1),j]", "[n-1,j]"),
                "the last token may read every token: its mask is 1",
            ),
        ),
        twins=(
            Twin(
                "sum(j, 0, n-2, A[n-1,j]*V[j,e])/sum(j, 0, n-2, A[n-1,j])"
                " = sum(j, 0, n-1, A[n-1,j]*V[j,e])/sum(j, 0, n-1, A[n-1,j])",
                "the new token is left out: it reads itself, too",
                given=("0 <= e < v", "n >= 2"),
            ),
            Twin(
                "(sum(j, 0, n-2, A[n-1,j]*V[j,e]) + A[n-1,n-1]*V[n-1,e])"
                "/(sum(j, 0, n-2, A[n-2,j]) + A[n-1,n-1])"
                " = sum(j, 0, n-1, A[n-1,j]*V[j,e])/sum(j, 0, n-1, A[n-1,j])",
                "the cached row total belongs to another query: weights cannot be cached",
                given=("0 <= e < v", "n >= 2"),
            ),
            Twin(
                f"{CACHED} = sum(j, 0, n-1, A[j,n-1]*V[j,e])/sum(j, 0, n-1, A[j,n-1])",
                "keys and queries change places",
            ),
        ),
        note="K[j,.] and V[j,.] for j < n-1 are kept from the steps before: they depend on token j"
        " alone. Where n = 1 the cache is empty.",
    ),
    Identity(
        "chunked-prefill",
        "A prompt read in chunks gives the rows of the full causal pass",
        f"{CHUNK} = "
        "sum(j, 0, n-1, leq(j, m+t)*A[m+t,j]*V[j,e])/sum(j, 0, n-1, leq(j, m+t)*A[m+t,j])",
        where=PROJECTED,
        given=("m >= 0", "t >= 0", "m + t < n", "0 <= e < v"),
        steps=(
            Step(
                "sum(j, 0, m+t, A[m+t,j]*V[j,e])/sum(j, 0, m+t, A[m+t,j])",
                "token m + l of the chunk is the l-th behind the cache: with j = m + l the two"
                " ranges are one",
            ),
            Step(
                "sum(j, 0, n-1, leq(j, m+t)*A[m+t,j]*V[j,e])/sum(j, 0, n-1, leq(j, m+t)*A[m+t,j])",
                "the mask ends the sum at token m + t",
            ),
        ),
        twins=(
            Twin(
                "sum(l, 0, t, A[m+t,m+l]*V[m+l,e])/sum(l, 0, t, A[m+t,m+l])"
                " = sum(j, 0, m+t, A[m+t,j]*V[j,e])/sum(j, 0, m+t, A[m+t,j])",
                "the chunk forgets the cache",
            ),
            Twin(
                "sum(j, 0, n-1, A[m+t,j]*V[j,e])/sum(j, 0, n-1, A[m+t,j])"
                " = sum(j, 0, m+t, A[m+t,j]*V[j,e])/sum(j, 0, m+t, A[m+t,j])",
                "inside the chunk the mask is still needed",
            ),
        ),
        note="The cache holds m tokens; row t of the chunk is token m + t. One chunk is m = 0.",
    ),
)
