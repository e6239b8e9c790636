"""Logsumexp: its shift, its gradient and its Hessian."""

from __future__ import annotations

from derive.identities.identity import Identity, Step, Twin

L = "L = ln(sum(k, 0, n-1, exp(s[k])))"
P = "p[i] = exp(s[i])/sum(k, 0, n-1, exp(s[k]))"
ROW = ("0 <= i < n",)
PAIR = ("0 <= i < n", "0 <= j < n")

IDENTITIES = (
    Identity(
        "logsumexp-shift",
        "A constant added to every score comes out of logsumexp",
        "ln(sum(k, 0, n-1, exp(s[k] + c))) = c + L",
        where=(L,),
        steps=(
            Step("ln(exp(c)*sum(k, 0, n-1, exp(s[k])))", "exp(c) is a factor of every term"),
            Step("ln(exp(c)) + L", "the logarithm of a product of positive numbers"),
            Step("c + L", "the logarithm undoes the exponential"),
        ),
        twins=(
            Twin("ln(sum(k, 0, n-1, exp(s[k] + c))) = L", "the constant is forgotten"),
            Twin("ln(sum(k, 0, n-1, exp(s[k] + c))) = n*c + L", "once, not once for each term"),
        ),
    ),
    Identity(
        "log-softmax",
        "The logarithm of softmax is the score minus logsumexp",
        "ln(p[i]) = s[i] - L",
        where=(P, L),
        given=ROW,
        steps=(
            Step("ln(exp(s[i])) - ln(sum(k, 0, n-1, exp(s[k])))", "the logarithm of a quotient"),
            Step("s[i] - L", "the logarithm undoes the exponential"),
        ),
        twins=(
            Twin("ln(p[i]) = s[i] + L", "the wrong sign"),
            Twin(
                "ln(p[i]) = s[i] - sum(k, 0, n-1, s[k])",
                "the sum of logarithms is not the log of a sum",
            ),
        ),
    ),
    Identity(
        "logsumexp-gradient",
        "The gradient of logsumexp is softmax",
        "diff(L, s[i]) = p[i]",
        where=(L, P),
        given=ROW,
        steps=(
            Step(
                "diff(sum(k, 0, n-1, exp(s[k])), s[i])/sum(k, 0, n-1, exp(s[k]))",
                "the chain rule: the derivative of ln Z is that of Z, divided by Z",
            ),
            Step("p[i]", "one term of the sum depends on s_i, and its derivative is exp(s_i)"),
        ),
        twins=(
            Twin("diff(L, s[i]) = exp(s[i])", "not divided by the sum"),
            Twin("diff(L, s[i]) = p[i]^2", "the quotient rule, where the chain rule is needed"),
        ),
    ),
    Identity(
        "logsumexp-hessian",
        "The Hessian of logsumexp is diag(p) - p p^T",
        "diff(diff(L, s[i]), s[j]) = p[i]*(delta(i, j) - p[j])",
        where=(L, P),
        given=PAIR,
        steps=(
            Step("diff(p[i], s[j])", "the gradient is softmax"),
            Step("p[i]*(delta(i, j) - p[j])", "the Jacobian of softmax"),
        ),
        twins=(
            Twin("diff(diff(L, s[i]), s[j]) = p[i]*delta(i, j)", "the part - p p^T is missing"),
            Twin("diff(diff(L, s[i]), s[j]) = p[i]*(p[j] - delta(i, j))", "the wrong sign"),
        ),
    ),
)
