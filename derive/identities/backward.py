"""The backward pass of attention: what FlashAttention keeps instead of the weights."""

from __future__ import annotations

from derive.identities.identity import Identity, Step, Twin

P = "P[i,j] = exp(S[i,j])/sum(l, 0, n-1, exp(S[i,l]))"
O = "O[i,e] = sum(j, 0, n-1, P[i,j]*V[j,e])"  # noqa: E741
DP = "dP[i,j] = sum(e, 0, v-1, dO[i,e]*V[j,e])"

IDENTITIES = (
    Identity(
        "flash-backward",
        "The row totals of the softmax backward pass are dot products of output and its gradient",
        "sum(j, 0, n-1, P[i,j]*dP[i,j]) = sum(e, 0, v-1, dO[i,e]*O[i,e])",
        where=(P, O, DP),
        given=("0 <= i < m",),
        steps=(
            Step("sum(j, 0, n-1, P[i,j]*sum(e, 0, v-1, dO[i,e]*V[j,e]))", "the definition of dP"),
            Step(
                "sum(e, 0, v-1, dO[i,e]*sum(j, 0, n-1, P[i,j]*V[j,e]))",
                "finite sums may be exchanged; dO does not depend on j",
            ),
            Step("sum(e, 0, v-1, dO[i,e]*O[i,e])", "the inner sum is the output"),
        ),
        twins=(
            Twin(
                "sum(j, 0, n-1, P[j,i]*dP[i,j]) = sum(e, 0, v-1, dO[i,e]*O[i,e])",
                "the weights are transposed",
            ),
            Twin(
                "sum(j, 0, n-1, dP[i,j]) = sum(e, 0, v-1, dO[i,e]*O[i,e])",
                "the weights are missing",
            ),
        ),
    ),
    Identity(
        "softmax-backward",
        "The gradient by the scores is dS = P (dP - D)",
        "diff(sum(e, 0, v-1, g[e]*o[e]), s[j]) = p[j]*(dp[j] - sum(l, 0, n-1, p[l]*dp[l]))",
        where=(
            "p[j] = exp(s[j])/sum(l, 0, n-1, exp(s[l]))",
            "o[e] = sum(j, 0, n-1, p[j]*V[j,e])",
            "dp[j] = sum(e, 0, v-1, g[e]*V[j,e])",
        ),
        given=("0 <= j < n",),
        steps=(
            Step(
                "diff(sum(l, 0, n-1, p[l]*dp[l]), s[j])",
                "exchange the sums: the loss is a sum over the weights",
            ),
            Step("sum(l, 0, n-1, p[l]*(delta(l, j) - p[j])*dp[l])", "the Jacobian of softmax"),
            Step("p[j]*(dp[j] - sum(l, 0, n-1, p[l]*dp[l]))", "l = j is met once"),
        ),
        twins=(
            Twin(
                "diff(sum(e, 0, v-1, g[e]*o[e]), s[j]) = p[j]*dp[j]", "the row total D is missing"
            ),
            Twin(
                "diff(sum(e, 0, v-1, g[e]*o[e]), s[j]) = p[j]*(dp[j] + sum(l, 0, n-1, p[l]*dp[l]))",
                "the wrong sign",
            ),
        ),
        note="One row; g is the gradient by the row's output, dp the gradient by its weights.",
    ),
)
