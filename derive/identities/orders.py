"""Inequalities: softmax, logsumexp, convex combinations, entropies."""

from __future__ import annotations

from derive.identities.identity import Identity, Step, Twin

Z = "Z = sum(k, 0, n-1, exp(s[k]))"
P = "p[i] = exp(s[i])/Z"
L = "L = ln(sum(k, 0, n-1, exp(s[k])))"
ROW = ("0 <= i < n",)
PROBABILITIES = ("p[k] > 0", "q[k] > 0", "sum(k, 0, n-1, p[k]) = 1")
BOTH = (*PROBABILITIES, "sum(k, 0, n-1, q[k]) = 1")
KL = "D = sum(k, 0, n-1, p[k]*ln(p[k]/q[k]))"
BOUNDED = "sum(k, 0, n-1, p[k]*(q[k]/p[k] - 1 - ln(q[k]/p[k])))"

IDENTITIES = (
    Identity(
        "softmax-positive",
        "Every softmax weight is positive",
        "p[i] > 0",
        where=(P, Z),
        given=ROW,
        steps=(Step("0", "an exponential over a sum of exponentials", ">", "arithmetic"),),
        twins=(
            Twin("p[i] > 1/(2 n)", "positive, and that is all"),
            Twin("p[i] < 0", "the wrong sign"),
        ),
    ),
    Identity(
        "softmax-below-one",
        "No softmax weight is more than 1",
        "p[i] <= 1",
        where=(P, Z),
        given=ROW,
        steps=(
            Step(
                "1",
                "the sum of positive terms is at least one of them",
                "<=",
                "member",
                by="(sum(k, 0, n-1, exp(s[k])) - exp(s[i]))/Z",
            ),
        ),
        twins=(
            Twin("p[i] < 1", "with one key the weight is 1"),
            Twin("p[i] <= 1/2", "one weight may be more than half"),
        ),
    ),
    Identity(
        "softmax-order",
        "Softmax keeps the order of the scores",
        "p[i] < p[j]",
        where=(P, Z),
        given=("0 <= i < n", "0 <= j < n", "s[i] < s[j]"),
        steps=(
            Step("p[j]", "the exponential rises", "<", "monotone", by="(exp(s[j]) - exp(s[i]))/Z"),
        ),
        twins=(
            Twin("p[i] > p[j]", "the other way round"),
            Twin("p[j] < 2*p[i]", "how far apart is not said"),
        ),
    ),
    Identity(
        "max-below-logsumexp",
        "The largest score is at most logsumexp",
        "s[a] <= L",
        where=(L,),
        given=("0 <= a < n",),
        every=("0 <= k < n: s[k] <= s[a]",),
        steps=(
            Step("ln(exp(s[a]))", "the logarithm undoes the exponential"),
            Step(
                "L",
                "one positive term is at most the sum, and the logarithm rises",
                "<=",
                "monotone",
            ),
        ),
        twins=(
            Twin("s[a] < L", "with one score they are equal"),
            Twin("s[a] >= L", "the other way round"),
        ),
    ),
    Identity(
        "logsumexp-below-max",
        "Logsumexp is at most the largest score plus ln n",
        "L <= s[a] + ln(n)",
        where=(L,),
        given=("0 <= a < n",),
        every=("0 <= k < n: s[k] <= s[a]",),
        steps=(
            Step(
                "ln(sum(k, 0, n-1, exp(s[a])))",
                "every term is at most the largest",
                "<=",
                "termwise",
            ),
            Step("s[a] + ln(n)", "n equal terms"),
        ),
        twins=(
            Twin("L < s[a] + ln(n)", "equal scores reach the bound"),
            Twin("L <= s[a]", "the part ln n is forgotten"),
        ),
    ),
    Identity(
        "attention-convex",
        "An attention output is at most the largest value",
        "sum(k, 0, n-1, p[k]*v[k]) <= M",
        where=(P, Z),
        every=("0 <= k < n: v[k] <= M",),
        steps=(
            Step(
                "sum(k, 0, n-1, p[k]*M)",
                "every value is at most M, every weight positive",
                "<=",
                "given",
                by="sum(k, 0, n-1, p[k]*(M - v[k]))",
            ),
            Step("M", "the weights sum to 1"),
        ),
        twins=(
            Twin("sum(k, 0, n-1, p[k]*v[k]) < M", "equal values reach the bound"),
            Twin("sum(k, 0, n-1, exp(s[k])*v[k]) <= M", "weights that do not sum to 1"),
        ),
        note="With -v for v the same bounds the output from below.",
    ),
    Identity(
        "attention-convex-below",
        "An attention output is at least the least value",
        "m <= sum(k, 0, n-1, p[k]*v[k])",
        where=(P, Z),
        every=("0 <= k < n: m <= v[k]",),
        steps=(
            Step("sum(k, 0, n-1, p[k]*m)", "the weights sum to 1"),
            Step(
                "sum(k, 0, n-1, p[k]*v[k])",
                "every value is at least m",
                "<=",
                "given",
                by="sum(k, 0, n-1, p[k]*(v[k] - m))",
            ),
        ),
        twins=(
            Twin("m < sum(k, 0, n-1, p[k]*v[k])", "equal values reach the bound"),
            Twin("m + 1 <= sum(k, 0, n-1, p[k]*v[k])", "no gap is promised"),
        ),
    ),
    Identity(
        "gibbs",
        "Gibbs' inequality: the Kullback-Leibler divergence is at least 0",
        "D >= 0",
        where=(KL,),
        given=BOTH,
        steps=(
            Step(BOUNDED, "both sum to 1, so sum q - sum p is 0"),
            Step("0", "ln x is at most x - 1, at x = q/p", ">=", "log bound"),
        ),
        twins=(
            Twin("D > 0", "with q = p it is 0"),
            Twin("D >= 0", "q must sum to 1", given=PROBABILITIES),
        ),
    ),
    Identity(
        "gibbs-equality",
        "The divergence is more than 0 where the distributions differ at all",
        "D > 0",
        where=(KL,),
        given=(*BOTH, "0 <= a < n", "p[a] != q[a]"),
        steps=(
            Step(BOUNDED, "both sum to 1"),
            Step(
                "p[a]*(q[a]/p[a] - 1 - ln(q[a]/p[a]))",
                "a sum is at least one of its terms",
                ">=",
                "member",
            ),
            Step("0", "ln x is less than x - 1 where x is not 1", ">", "log bound"),
        ),
        twins=(
            Twin("D > 0", "p_a must differ from q_a", given=(*BOTH, "0 <= a < n")),
            Twin("D > 1", "how much is not said"),
        ),
    ),
    Identity(
        "cross-entropy-least",
        "Cross-entropy is at least the entropy",
        "-sum(k, 0, n-1, p[k]*ln(p[k])) <= -sum(k, 0, n-1, p[k]*ln(q[k]))",
        given=BOTH,
        steps=(
            Step(
                "-sum(k, 0, n-1, p[k]*ln(q[k]))",
                "the difference is the divergence",
                "<=",
                "log bound",
                by=BOUNDED,
            ),
        ),
        twins=(
            Twin(
                "-sum(k, 0, n-1, p[k]*ln(p[k])) < -sum(k, 0, n-1, p[k]*ln(q[k]))",
                "equal where q = p",
            ),
            Twin(
                "-sum(k, 0, n-1, p[k]*ln(p[k])) >= -sum(k, 0, n-1, p[k]*ln(q[k]))",
                "the other way round",
            ),
        ),
    ),
    Identity(
        "entropy-nonnegative",
        "The entropy of softmax is at least 0",
        "sum(i, 0, n-1, p[i]*(L - s[i])) >= 0",
        where=(P, Z, L),
        steps=(
            Step(
                "sum(i, 0, n-1, p[i]*(L - ln(exp(s[i]))))", "the logarithm undoes the exponential"
            ),
            Step("0", "-ln p_i = L - s_i is not negative: the logarithm rises", ">=", "monotone"),
        ),
        twins=(
            Twin("sum(i, 0, n-1, p[i]*(L - s[i])) > 0", "one key has entropy 0"),
            Twin("sum(i, 0, n-1, p[i]*(s[i] - L)) >= 0", "the wrong sign"),
        ),
    ),
    Identity(
        "entropy-most",
        "Entropy is at most ln n",
        "-sum(k, 0, n-1, p[k]*ln(p[k])) <= ln(n)",
        given=("p[k] > 0", "sum(k, 0, n-1, p[k]) = 1"),
        steps=(
            Step(
                "ln(n)",
                "ln x is at most x - 1, at x = 1/(n p)",
                "<=",
                "log bound",
                by="sum(k, 0, n-1, p[k]*(1/(n*p[k]) - 1 - ln(1/(n*p[k]))))",
            ),
        ),
        twins=(
            Twin("-sum(k, 0, n-1, p[k]*ln(p[k])) < ln(n)", "the uniform distribution reaches it"),
            Twin("-sum(k, 0, n-1, p[k]*ln(p[k])) <= ln(n)/2", "half of it is too little"),
        ),
    ),
    Identity(
        "variance-nonnegative",
        "The Hessian of logsumexp is positive semidefinite: logsumexp is convex",
        "sum(i, 0, n-1, p[i]*u[i]^2) - sum(i, 0, n-1, p[i]*u[i])^2 >= 0",
        where=(P, Z),
        steps=(
            Step(
                "sum(i, 0, n-1, p[i]*(u[i] - sum(j, 0, n-1, p[j]*u[j]))^2)",
                "u^T (diag(p) - p p^T) u is a variance",
            ),
            Step("0", "a sum of squares with positive weights", ">=", "arithmetic"),
        ),
        twins=(
            Twin(
                "sum(i, 0, n-1, p[i]*u[i]^2) - sum(i, 0, n-1, p[i]*u[i])^2 > 0",
                "equal entries of u give 0",
            ),
            Twin(
                "sum(i, 0, n-1, p[i]*u[i]) - sum(i, 0, n-1, p[i]*u[i])^2 >= 0",
                "the square is missing",
            ),
        ),
    ),
    Identity(
        "cauchy-schwarz",
        "The square of a score is at most the product of the squared lengths",
        "sum(c, 0, d-1, q[c]*k[c])^2 <= sum(c, 0, d-1, q[c]^2)*sum(c, 0, d-1, k[c]^2)",
        steps=(
            Step(
                "sum(c, 0, d-1, q[c]^2)*sum(c, 0, d-1, k[c]^2)",
                "Cauchy and Schwarz",
                "<=",
                "Cauchy-Schwarz",
            ),
        ),
        twins=(
            Twin(
                "sum(c, 0, d-1, q[c]*k[c])^2 < sum(c, 0, d-1, q[c]^2)*sum(c, 0, d-1, k[c]^2)",
                "equal for parallel vectors",
            ),
            Twin(
                "sum(c, 0, d-1, q[c]*k[c])^2 <= sum(c, 0, d-1, q[c]^2*k[c]^2)",
                "the mixed terms are forgotten",
            ),
        ),
    ),
    Identity(
        "mean-of-exponentials",
        "The exponential of a weighted mean is at most the mean of the exponentials",
        "exp(sum(k, 0, n-1, w[k]*x[k])) <= sum(k, 0, n-1, w[k]*exp(x[k]))",
        given=("w[k] > 0", "sum(k, 0, n-1, w[k]) = 1"),
        steps=(
            Step(
                "sum(k, 0, n-1, w[k]*exp(x[k]))",
                "Jensen: the exponential is convex",
                "<=",
                "Jensen",
            ),
        ),
        twins=(
            Twin(
                "exp(sum(k, 0, n-1, w[k]*x[k])) >= sum(k, 0, n-1, w[k]*exp(x[k]))",
                "convex, not concave",
            ),
            Twin(
                "exp(sum(k, 0, n-1, w[k]*x[k])) <= sum(k, 0, n-1, w[k]*exp(x[k]))",
                "the weights must sum to 1",
                given=("w[k] > 0",),
            ),
        ),
    ),
)
