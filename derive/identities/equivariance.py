"""A block without positions: norms and the feed-forward layer act on each token alone."""

from __future__ import annotations

from derive.identities.identity import Identity, Step, Twin

CELL = ("0 <= i < n", "0 <= e < d", "epsilon > 0")
PERM = (("perm", "n"),)


def attention(t: str, token: str) -> tuple[str, ...]:
    """RMSNorm, attention and the residual; names marked by t; the token of row i."""
    other = token.replace("i", "j")
    return (
        f"Q{t}[i,a] = sum(c, 0, d-1, N[{token},c]*WQ[c,a])",
        f"K{t}[j,a] = sum(c, 0, d-1, N[{other},c]*WK[c,a])",
        f"V{t}[j,e] = sum(c, 0, d-1, N[{other},c]*WV[c,e])",
        f"A{t}[i,j] = exp(sum(a, 0, r-1, Q{t}[i,a]*K{t}[j,a])/sqrt(r))",
        f"H{t}[i,e] = X[{token},e] + sum(j, 0, n-1, A{t}[i,j]*V{t}[j,e])/sum(j, 0, n-1, A{t}[i,j])",
    )


NORMED = "N[i,c] = X[i,c]*gain[c]/sqrt(sum(a, 0, d-1, X[i,a]^2)/d + epsilon)"
FFN = (
    "mu{0}[i] = sum(c, 0, d-1, H{1})/d",
    "L{0}[i,c] = (H{1} - mu{0}[i])/sqrt(sum(a, 0, d-1, (H{2} - mu{0}[i])^2)/d + epsilon)",
    "Y{0}[i,e] = H{3} + sum(g, 0, f-1,"
    " gelu(sum(c, 0, d-1, L{0}[i,c]*W1[c,g]) + b1[g])*W2[g,e]) + b2[e]",
)
OLD = ("", "[i,c]", "[i,a]", "[i,e]")
NEW = ("p", "[perm[i],c]", "[perm[i],a]", "[perm[i],e]")

IDENTITIES = (
    Identity(
        "permutation-equivariance-with-norm",
        "Pre-norm attention with its residual is permutation equivariant",
        "Hp[i,e] = H[perm[i],e]",
        where=(NORMED, *attention("p", "perm[i]"), *attention("", "i")),
        given=CELL,
        permutations=PERM,
        steps=(
            Step(
                "X[perm[i],e] + sum(j, 0, n-1, A[perm[i],perm[j]]*V[perm[j],e])"
                "/sum(j, 0, n-1, A[perm[i],perm[j]])",
                "the norm and the projections act on each token alone",
            ),
            Step(
                "H[perm[i],e]",
                "where j runs over all tokens, so does perm(j): the terms are only reordered",
            ),
        ),
        twins=(
            Twin("N[perm[i],e] = N[i,e]", "equivariant, not invariant: the row moves, too"),
            Twin(
                "Hp[i,e] = H[perm[i],e] - X[perm[i],e] + X[i,e]",
                "the residual moves with the row, too",
            ),
            Twin(
                "x[perm[i]]/sqrt(sum(j, 0, i, x[perm[j]]^2))"
                " = x[perm[i]]/sqrt(sum(j, 0, perm[i], x[j]^2))",
                "a norm over the tokens so far, not over the width of one token, knows the order",
            ),
        ),
        note="RMSNorm with gain and epsilon; perm is the new order of the tokens.",
    ),
    Identity(
        "permutation-equivariance-with-ffn",
        "Norm, feed-forward layer and residual move with the rows",
        "Yp[i,e] = Y[perm[i],e]",
        where=(
            *(text.format(*NEW) for text in FFN),
            *(text.format(*OLD) for text in FFN),
        ),
        given=CELL,
        permutations=PERM,
        steps=(
            Step(
                "Y[perm[i],e]",
                "only row perm(i) of H is read: mean, norm, weights and biases are the same for"
                " every token",
            ),
        ),
        twins=(
            Twin(
                "H[perm[i],e] - mup[i] = H[i,e] - mu[i]",
                "the row moves, too: equivariant, not invariant",
            ),
            Twin(
                "Yp[i,e] + sum(j, 0, i, H[perm[j],e]) = Y[perm[i],e] + sum(j, 0, perm[i], H[j,e])",
                "a layer that also reads the tokens before is not equivariant",
            ),
        ),
        note="LayerNorm, GELU and biases; with the attention before it, whose output H is"
        " equivariant, a whole block is, and so are all blocks one after the other.",
    ),
)
