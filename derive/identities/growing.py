"""Growth: leading terms of costs.  f = Theta(g) is proved by the limit of f/g, which is not 0."""

from __future__ import annotations

from derive.identities.identity import Identity, Step, Twin

LAYER = "C = 8*n*d^2 + 4*n^2*d"

IDENTITIES = (
    Identity(
        "attention-cost-in-length",
        "The cost of attention grows with the square of the length",
        "C/n^2 -> 4*d",
        where=(LAYER,),
        given=("n > 0", "d > 0"),
        limit="n -> inf",
        steps=(
            Step("8*d^2/n + 4*d", "divided by n^2"),
            Step("4*d", "d^2/n goes to 0", "->"),
        ),
        twins=(
            Twin("C/n^2 -> 0", "the order is n^2, not less"),
            Twin("C/n^2 -> 8*d^2", "that is the factor of n, whose term leads in short texts"),
        ),
        note="Four products with weights and two with all keys; C = Theta(n^2).",
    ),
    Identity(
        "causal-pairs-half",
        "A causal mask leaves half of all pairs",
        "sum(i, 0, n-1, i + 1)/n^2 -> 1/2",
        limit="n -> inf",
        steps=(
            Step("(n^2 + n)/(2 n^2)", "the sum of the first n whole numbers"),
            Step("1/2", "the leading terms", "->"),
        ),
        twins=(
            Twin("sum(i, 0, n-1, i + 1)/n^2 -> 1", "that is without a mask"),
            Twin("sum(i, 0, n-1, i + 1)/n^2 -> 0", "the order is n^2, not less"),
        ),
    ),
)
