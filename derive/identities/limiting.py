"""Limits: temperature, one score that dominates, saturation, activation functions."""

from __future__ import annotations

from derive.identities.identity import Identity, Step, Twin

ROW = ("0 <= i < n",)
HOT = "p[i] = exp(s[i]/T)/sum(k, 0, n-1, exp(s[k]/T))"
REST = "0 <= k < n, k != a: s[k] < s[a]"
SCALED = "sum(k, 0, n-1, exp((s[k] - s[a])/T))"

IDENTITIES = (
    Identity(
        "temperature-high",
        "As the temperature rises softmax becomes uniform",
        "p[i] -> 1/n",
        where=(HOT,),
        given=ROW,
        limit="T -> inf",
        steps=(Step("1/n", "every s/T goes to 0, every exponential to 1", "->"),),
        twins=(
            Twin("p[i] -> 1", "all weights are equal, and they sum to 1"),
            Twin("p[i] -> exp(s[i])/sum(k, 0, n-1, exp(s[k]))", "that is T = 1"),
        ),
    ),
    Identity(
        "temperature-low",
        "As the temperature falls to 0 the largest score takes all",
        "p[a] -> 1",
        where=(HOT,),
        given=("0 <= a < n", "T > 0"),
        every=(REST,),
        limit="T -> 0",
        steps=(
            Step(f"1/{SCALED}", "divided by exp(s_a/T)"),
            Step("1", "all exponents but that of a go to -inf", "->"),
        ),
        twins=(
            Twin("p[a] -> 1/n", "that is a high temperature"),
            Twin("p[a] -> 0", "the others vanish"),
        ),
    ),
    Identity(
        "temperature-low-others",
        "As the temperature falls to 0 every other weight vanishes",
        "p[b] -> 0",
        where=(HOT,),
        given=("0 <= a < n", "0 <= b < n", "T > 0", "s[b] < s[a]"),
        every=(REST,),
        limit="T -> 0",
        steps=(
            Step(f"exp((s[b] - s[a])/T)/{SCALED}", "divided by exp(s_a/T)"),
            Step("0", "its exponent goes to -inf, the sum to 1", "->"),
        ),
        twins=(
            Twin("p[b] -> 1/n", "that is a high temperature"),
            Twin("p[b] -> 1", "only the largest score takes all"),
        ),
    ),
    Identity(
        "temperature-low-ties",
        "Scores that tie for the largest share the weight equally",
        "exp(M/T)/(m*exp(M/T) + sum(k, m, n-1, exp(s[k]/T))) -> 1/m",
        given=("1 <= m <= n", "T > 0"),
        every=("m <= k < n: s[k] < M",),
        limit="T -> 0",
        steps=(
            Step("1/(m + sum(k, m, n-1, exp((s[k] - M)/T)))", "divided by exp(M/T)"),
            Step("1/m", "the smaller scores vanish", "->"),
        ),
        twins=(
            Twin("exp(M/T)/(m*exp(M/T) + sum(k, m, n-1, exp(s[k]/T))) -> 1", "the m winners share"),
            Twin(
                "exp(M/T)/(m*exp(M/T) + sum(k, m, n-1, exp(s[k]/T))) -> 1/n",
                "only the winners share",
            ),
        ),
        note="The m largest scores, all M, come first.",
    ),
    Identity(
        "one-score-dominates",
        "As one score grows the output becomes its value",
        "(exp(x)*u + sum(k, 0, n-1, exp(s[k])*v[k]))/(exp(x) + sum(k, 0, n-1, exp(s[k]))) -> u",
        limit="x -> inf",
        steps=(
            Step(
                "(u + exp(-x)*sum(k, 0, n-1, exp(s[k])*v[k]))"
                "/(1 + exp(-x)*sum(k, 0, n-1, exp(s[k])))",
                "divided by exp(x)",
            ),
            Step("u", "exp(-x) goes to 0", "->"),
        ),
        twins=(
            Twin(
                "(exp(x)*u + sum(k, 0, n-1, exp(s[k])*v[k]))/(exp(x) + sum(k, 0, n-1, exp(s[k])))"
                " -> u + sum(k, 0, n-1, v[k])",
                "the other values vanish",
            ),
            Twin(
                "(exp(x)*u + sum(k, 0, n-1, exp(s[k])*v[k]))/(exp(x) + sum(k, 0, n-1, exp(s[k])))"
                " -> 0",
                "the weight goes to 1, not to 0",
            ),
        ),
    ),
    Identity(
        "softmax-saturates",
        "As one score grows the gradient of its weight vanishes",
        "p*(1 - p) -> 0",
        where=("p = exp(x)/(exp(x) + sum(k, 0, n-1, exp(s[k])))",),
        limit="x -> inf",
        steps=(
            Step(
                "exp(-x)*sum(k, 0, n-1, exp(s[k]))/(1 + exp(-x)*sum(k, 0, n-1, exp(s[k])))^2",
                "divided by exp(2 x)",
            ),
            Step("0", "exp(-x) goes to 0", "->"),
        ),
        twins=(
            Twin("p*(1 - p) -> 1/4", "that is its largest value, at p = 1/2"),
            Twin("p*(1 - p) -> 1", "the weight goes to 1, its gradient to 0"),
        ),
    ),
    Identity(
        "gelu-grows-like-x",
        "GELU grows like x",
        "gelu(x)/x -> 1",
        limit="x -> inf",
        given=("x > 0",),
        steps=(
            Step("(1 + erf(x/sqrt(2)))/2", "x cancels"),
            Step("1", "erf goes to 1", "->"),
        ),
        twins=(
            Twin("gelu(x)/x -> 1/2", "erf goes to 1, not to 0"),
            Twin("gelu(x)/x -> inf", "GELU is at most x"),
        ),
    ),
    Identity(
        "gelu-vanishes",
        "Far below 0 GELU becomes small beside x",
        "gelu(x)/x -> 0",
        limit="x -> -inf",
        given=("x < 0",),
        steps=(
            Step("(1 + erf(x/sqrt(2)))/2", "x cancels"),
            Step("0", "erf goes to -1", "->"),
        ),
        twins=(
            Twin("gelu(x)/x -> 1", "that is the limit at inf"),
            Twin("gelu(x)/x -> -1", "the 1 is forgotten"),
        ),
    ),
    Identity(
        "silu-vanishes",
        "SiLU vanishes far below 0",
        "silu(x) -> 0",
        limit="x -> -inf",
        steps=(
            Step("x*exp(x)/(exp(x) + 1)", "multiplied by exp(x) above and below"),
            Step("0", "the exponential dominates x", "->"),
        ),
        twins=(
            Twin("silu(x) -> -inf", "the exponential dominates x"),
            Twin("silu(x) -> -1", "it turns back to 0"),
        ),
    ),
)
