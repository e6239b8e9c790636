"""Cross-entropy of softmax: by logsumexp, its gradient and its Hessian."""

from __future__ import annotations

from derive.identities.identity import Identity, Step, Twin

L = "L = ln(sum(k, 0, n-1, exp(s[k])))"
P = "p[i] = exp(s[i])/sum(k, 0, n-1, exp(s[k]))"
CE = "C = -sum(l, 0, n-1, y[l]*ln(p[l]))"
ONE = "sum(k, 0, n-1, y[k]) = 1"

IDENTITIES = (
    Identity(
        "cross-entropy-logsumexp",
        "The cross-entropy of one target is logsumexp minus the target's score",
        "-ln(p[t]) = L - s[t]",
        where=(P, L),
        given=("0 <= t < n",),
        steps=(
            Step("-(s[t] - L)", "the logarithm of softmax"),
            Step("L - s[t]", "the minus sign"),
        ),
        twins=(
            Twin("-ln(p[t]) = s[t] - L", "the wrong sign: a loss would be negative"),
            Twin("-ln(p[t]) = L", "the score of the target is missing"),
        ),
    ),
    Identity(
        "cross-entropy-gradient",
        "The gradient of cross-entropy by the scores is p - y",
        "diff(C, s[j]) = p[j] - y[j]",
        where=(P, CE, L),
        given=("0 <= j < n", ONE),
        steps=(
            Step("diff(-sum(l, 0, n-1, y[l]*(s[l] - L)), s[j])", "the logarithm of softmax"),
            Step(
                "-sum(l, 0, n-1, y[l]*(delta(l, j) - p[j]))",
                "term by term; the gradient of logsumexp is softmax",
            ),
            Step("p[j]*sum(l, 0, n-1, y[l]) - y[j]", "l = j is met once, and p_j comes out"),
            Step("p[j] - y[j]", "the targets add up to 1"),
        ),
        twins=(
            Twin("diff(C, s[j]) = y[j] - p[j]", "the wrong sign"),
            Twin("diff(C, s[j]) = p[j]", "the target is missing"),
            Twin(
                "diff(C, s[j]) = p[j] - y[j]",
                "without the targets adding up to 1",
                given=("0 <= j < n",),
            ),
        ),
    ),
    Identity(
        "cross-entropy-gradient-one-target",
        "For one target the gradient of cross-entropy is p minus its one-hot row",
        "diff(-ln(p[t]), s[j]) = p[j] - delta(t, j)",
        where=(P, L),
        given=("0 <= t < n", "0 <= j < n"),
        steps=(
            Step("diff(L - s[t], s[j])", "cross-entropy by logsumexp"),
            Step("p[j] - delta(t, j)", "the gradient of logsumexp is softmax"),
        ),
        twins=(
            Twin("diff(-ln(p[t]), s[j]) = p[j]", "right only where j is not the target"),
            Twin("diff(-ln(p[t]), s[j]) = p[t] - delta(t, j)", "p_t where p_j should stand"),
        ),
    ),
    Identity(
        "cross-entropy-hessian",
        "The Hessian of cross-entropy is diag(p) - p p^T, whatever the targets are",
        "diff(diff(C, s[i]), s[j]) = p[i]*(delta(i, j) - p[j])",
        where=(P, "C = L - sum(l, 0, n-1, y[l]*s[l])", L),
        given=("0 <= i < n", "0 <= j < n"),
        steps=(
            Step("diff(p[i] - y[i], s[j])", "the gradient is p - y"),
            Step("diff(p[i], s[j])", "the targets do not depend on the scores"),
            Step("p[i]*(delta(i, j) - p[j])", "the Jacobian of softmax"),
        ),
        twins=(
            Twin("diff(diff(C, s[i]), s[j]) = (p[i] - y[i])*(p[j] - y[j])", "the gradient squared"),
            Twin("diff(diff(C, s[i]), s[j]) = p[i]*(1 - p[j])", "1 stands only on the diagonal"),
        ),
        note="C is the cross-entropy for targets that add up to 1, written by logsumexp.",
    ),
)
