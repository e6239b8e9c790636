"""Expectations: dot products of independent entries, why scores are scaled, growing streams."""

from __future__ import annotations

from derive.identities.identity import Identity, Random, Step, Twin

DOT = "sum(c, 0, d-1, q[c]*k[c])"
UNIT = (Random("q", "0", "1"), Random("k", "0", "1"))

IDENTITIES = (
    Identity(
        "dot-product-mean",
        "The expected dot product of independent entries is d times both means",
        f"mean[{DOT}] = d*mu*nu",
        random=(Random("q", "mu", "1 + mu^2"), Random("k", "nu", "1 + nu^2")),
        steps=(
            Step("sum(c, 0, d-1, mean[q[c]]*mean[k[c]])", "a mean is linear; q, k are independent"),
            Step("d*mu*nu", "d equal terms"),
        ),
        twins=(
            Twin(f"mean[{DOT}] = 0", "that needs zero means"),
            Twin(f"mean[{DOT}] = d", "that is the variance for unit entries"),
        ),
    ),
    Identity(
        "dot-product-variance",
        "Of independent entries with mean 0 and variance 1 the dot product has variance d",
        f"mean[{DOT}^2] - mean[{DOT}]^2 = d",
        random=UNIT,
        steps=(
            Step(
                "sum(c, 0, d-1, sum(e, 0, d-1, mean[q[c]*q[e]]*mean[k[c]*k[e]]))",
                "multiplied out; q and k are independent, the mean is 0",
            ),
            Step(
                "sum(c, 0, d-1, sum(e, 0, d-1, delta(c, e)))",
                "different entries are independent, with mean 0",
            ),
            Step("d", "one term is left for each c"),
        ),
        twins=(
            Twin(f"mean[{DOT}^2] - mean[{DOT}]^2 = d^2", "the mixed terms vanish"),
            Twin(f"mean[{DOT}^2] - mean[{DOT}]^2 = 1", "one for each entry"),
        ),
    ),
    Identity(
        "dot-product-variance-with-means",
        "With means mu and nu the variance is larger",
        f"mean[{DOT}^2] - mean[{DOT}]^2 = d*(1 + mu^2 + nu^2)",
        random=(Random("q", "mu", "1 + mu^2"), Random("k", "nu", "1 + nu^2")),
        twins=(
            Twin(f"mean[{DOT}^2] - mean[{DOT}]^2 = d", "the means are forgotten"),
            Twin(
                f"mean[{DOT}^2] - mean[{DOT}]^2 = d*(1 + mu^2)*(1 + nu^2)",
                "that is the mean square of one term",
            ),
        ),
    ),
    Identity(
        "scores-scaled",
        "Divided by sqrt(d) a score has variance 1",
        f"mean[({DOT}/sqrt(d))^2] - mean[{DOT}/sqrt(d)]^2 = 1",
        random=UNIT,
        steps=(
            Step(f"(mean[{DOT}^2] - mean[{DOT}]^2)/d", "1/sqrt(d) leaves both means as 1/d"),
            Step("1", "the variance of the dot product is d"),
        ),
        twins=(
            Twin(f"mean[({DOT}/d)^2] - mean[{DOT}/d]^2 = 1", "divided by d it is 1/d"),
            Twin(f"mean[{DOT}^2] - mean[{DOT}]^2 = 1", "not scaled it is d"),
        ),
    ),
    Identity(
        "residual-stream-grows",
        "L independent updates of variance 1 give the residual stream the mean square 1 + L",
        "mean[(x[0] + sum(l, 0, L-1, f[l]))^2] = 1 + L",
        random=(Random("x", "0", "1"), Random("f", "0", "1")),
        steps=(
            Step(
                "mean[x[0]^2] + 2*sum(l, 0, L-1, mean[x[0]*f[l]]) + mean[sum(l, 0, L-1, f[l])^2]",
                "multiplied out",
            ),
            Step("1 + L", "the mixed means vanish"),
        ),
        twins=(
            Twin(
                "mean[(x[0] + sum(l, 0, L-1, f[l]))^2] = (1 + L)^2", "independent parts don't align"
            ),
            Twin("mean[(x[0] + sum(l, 0, L-1, f[l]))^2] = 1", "the updates are forgotten"),
        ),
        note="So the RMS grows like sqrt(1 + L).",
    ),
)
