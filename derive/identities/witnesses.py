"""Statements "find q such that …", with the witness put in as an abbreviation."""

from __future__ import annotations

from derive.identities.identity import Identity, Step, Twin

A, B = "A = sum(c, 0, d-1, a[c]^2)", "B = sum(c, 0, d-1, b[c]^2)"
ACROSS = "sum(c, 0, d-1, a[c]*b[c]) = 0"
OUTPUT = "(exp(beta)*(u + v) + sum(k, 0, n-1, w[k]))/(2*exp(beta) + n)"

IDENTITIES = (
    Identity(
        "query-for-two-keys",
        "Of orthogonal keys a and b, the query beta(a/|a|^2 + b/|b|^2) gives both the score beta",
        "sum(c, 0, d-1, q[c]*a[c]) = beta",
        where=("q[c] = beta*(a[c]/A + b[c]/B)", A, B),
        given=(ACROSS,),
        steps=(
            Step(
                "beta*sum(c, 0, d-1, a[c]^2)/A + beta*sum(c, 0, d-1, a[c]*b[c])/B", "multiplied out"
            ),
            Step("beta", "the keys are orthogonal"),
        ),
        twins=(
            Twin("sum(c, 0, d-1, q[c]*a[c]) = 2*beta", "b adds nothing to the score of a"),
            Twin("sum(c, 0, d-1, q[c]*a[c]) = beta", "the keys must be orthogonal", given=()),
        ),
        note="With a and b exchanged: the score of b; a key orthogonal to both has the score 0.",
    ),
    Identity(
        "query-for-a-mean",
        "With that query the output goes to the mean of two values",
        f"{OUTPUT} -> (u + v)/2",
        limit="beta -> inf",
        steps=(
            Step(
                "(u + v + exp(-beta)*sum(k, 0, n-1, w[k]))/(2 + n*exp(-beta))",
                "divided by exp(beta)",
            ),
            Step("(u + v)/2", "exp(-beta) goes to 0", "->"),
        ),
        twins=(
            Twin(f"{OUTPUT} -> u + v", "the two share the weight"),
            Twin(f"{OUTPUT} -> (u + v)/(n + 2)", "the others lose their weight"),
        ),
        note="The n other scores are 0, their values w.",
    ),
    Identity(
        "matrix-that-selects",
        "Of orthogonal a and b the matrix a a^T/|a|^2 takes a from a + b",
        "sum(j, 0, d-1, M[i,j]*(a[j] + b[j])) = a[i]",
        where=("M[i,j] = a[i]*a[j]/A", A),
        given=("0 <= i < d", ACROSS),
        steps=(
            Step("a[i]*(sum(j, 0, d-1, a[j]^2) + sum(j, 0, d-1, a[j]*b[j]))/A", "multiplied out"),
            Step("a[i]", "the vectors are orthogonal"),
        ),
        twins=(
            Twin("sum(j, 0, d-1, M[i,j]*(a[j] + b[j])) = b[i]", "that is the other vector"),
            Twin(
                "sum(j, 0, d-1, M[i,j]*(a[j] + b[j])) = a[i]",
                "they must be orthogonal",
                given=("0 <= i < d",),
            ),
        ),
    ),
)
