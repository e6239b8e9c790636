"""Attention without softmax: the order of the products, states, kernels and their features."""

from __future__ import annotations

from derive.identities.identity import Identity, Induction, Recurrence, Step, Twin

CELL = ("0 <= i < n", "0 <= e < v")
KERNEL = "s[i,j] = sum(a, 0, d-1, Q[i,a]*K[j,a])"
STATE = (
    "S[t,c,e] = sum(j, 0, t-1, k[j,c]*v[j,e])",
    "z[t,c] = sum(j, 0, t-1, k[j,c])",
)
CAUSAL = (
    "sum(j, 0, T, sum(c, 0, r-1, q[c]*k[j,c])*v[j,e])/sum(j, 0, T, sum(c, 0, r-1, q[c]*k[j,c]))"
)
STEPPED = "sum(c, 0, r-1, q[c]*(S[T,c,e] + k[T,c]*v[T,e]))/sum(c, 0, r-1, q[c]*(z[T,c] + k[T,c]))"

IDENTITIES = (
    Identity(
        "linear-attention",
        "Without softmax the order of the products is free: (Q K^T) V = Q (K^T V)",
        "sum(j, 0, n-1, sum(c, 0, r-1, Q[i,c]*K[j,c])*V[j,e])"
        " = sum(c, 0, r-1, Q[i,c]*sum(j, 0, n-1, K[j,c]*V[j,e]))",
        given=CELL,
        steps=(
            Step(
                "sum(j, 0, n-1, sum(c, 0, r-1, Q[i,c]*K[j,c]*V[j,e]))",
                "the value goes into the sum",
            ),
            Step(
                "sum(c, 0, r-1, sum(j, 0, n-1, Q[i,c]*K[j,c]*V[j,e]))",
                "finite sums may be exchanged",
            ),
            Step(
                "sum(c, 0, r-1, Q[i,c]*sum(j, 0, n-1, K[j,c]*V[j,e]))",
                "the query does not depend on the token j",
            ),
        ),
        twins=(
            Twin(
                "sum(j, 0, n-1, exp(sum(c, 0, r-1, Q[i,c]*K[j,c]))*V[j,e])"
                " = sum(c, 0, r-1, exp(Q[i,c])*sum(j, 0, n-1, exp(K[j,c])*V[j,e]))",
                "with exp the sum over c cannot go out",
            ),
            Twin(
                "sum(j, 0, n-1, sum(c, 0, r-1, Q[i,c]*K[j,c])*V[j,e])"
                " = sum(c, 0, r-1, Q[i,c])*sum(j, 0, n-1, sum(c, 0, r-1, K[j,c])*V[j,e])",
                "one index for two sums",
            ),
            Twin(
                "sum(j, 0, n-1, leq(j, i)*sum(c, 0, r-1, Q[i,c]*K[j,c])*V[j,e])"
                " = sum(c, 0, r-1, Q[i,c]*sum(j, 0, n-1, K[j,c]*V[j,e]))",
                "with a causal mask every row needs a state of its own",
            ),
        ),
        note="Left: an n x n matrix first. Right: an r x v matrix first, whatever n is.",
    ),
    Identity(
        "linear-attention-recurrence",
        "Causal linear attention is a recurrence: a token adds k v^T to the state and k to the"
        " total",
        f"{CAUSAL} = {STEPPED}",
        where=STATE,
        given=("T >= 0", "0 <= e < v"),
        steps=(
            Step(
                "sum(c, 0, r-1, q[c]*sum(j, 0, T, k[j,c]*v[j,e]))"
                "/sum(c, 0, r-1, q[c]*sum(j, 0, T, k[j,c]))",
                "sum over the tokens first",
            ),
            Step(STEPPED, "the token T stands behind the sums up to T - 1, the old state"),
        ),
        twins=(
            Twin(
                f"{CAUSAL} = sum(c, 0, r-1, q[c]*S[T,c,e])/sum(c, 0, r-1, q[c]*z[T,c])",
                "the state before the update: the token does not read itself",
                given=("T >= 1", "0 <= e < v"),
            ),
            Twin(
                f"{CAUSAL} = sum(c, 0, r-1, q[c]*(S[T,c,e] + k[T,c]*v[T,e]))"
                "/sum(c, 0, r-1, q[c]*z[T,c])",
                "the total is not updated",
                given=("T >= 1", "0 <= e < v"),
            ),
            Twin(
                f"{CAUSAL} = sum(c, 0, r-1, q[c]*(S[T,c,e]/2 + k[T,c]*v[T,e]))"
                "/sum(c, 0, r-1, q[c]*(z[T,c]/2 + k[T,c]))",
                "a state that decays forgets",
            ),
        ),
        note="q is the query of token T; k and v are keys (after the feature map) and values.",
    ),
    Identity(
        "linear-attention-state",
        "The state after T tokens is the sum of their k v^T",
        "S[T] = sum(j, 0, T-1, k[j]*v[j])",
        recurrences=(Recurrence("S", "t", "0", "S[t] + k[t]*v[t]"),),
        induction=Induction(
            "T",
            base=(Step("0", "the state is empty before the first token"),),
            step=(
                Step("S[T] + k[T]*v[T]", "the token T is added"),
                Step("sum(j, 0, T-1, k[j]*v[j]) + k[T]*v[T]", "the hypothesis"),
            ),
        ),
        given=("T >= 0",),
        twins=(
            Twin("S[T] = sum(j, 0, T, k[j]*v[j])", "one token too many"),
            Twin(
                "S[T] = sum(j, 0, T-1, k[j])*sum(j, 0, T-1, v[j])",
                "the product of the sums, not the sum of the products",
            ),
        ),
        note="One entry of the state: k[j] and v[j] are one entry of the key and of the value of"
        " token j.",
    ),
    Identity(
        "quadratic-kernel",
        "The square of a dot product is a dot product of d^2 features",
        "sum(a, 0, d-1, q[a]*k[a])^2 = sum(a, 0, d-1, sum(b, 0, d-1, fq[a,b]*fk[a,b]))",
        where=("fq[a,b] = q[a]*q[b]", "fk[a,b] = k[a]*k[b]"),
        steps=(
            Step(
                "sum(a, 0, d-1, sum(b, 0, d-1, q[a]*k[a]*q[b]*k[b]))",
                "multiply the sum by itself",
            ),
            Step(
                "sum(a, 0, d-1, sum(b, 0, d-1, fq[a,b]*fk[a,b]))",
                "each product is one of queries times one of keys",
            ),
        ),
        twins=(
            Twin(
                "sum(a, 0, d-1, q[a]*k[a])^2 = sum(a, 0, d-1, q[a]^2*k[a]^2)",
                "the mixed products are missing",
            ),
            Twin(
                "sum(a, 0, d-1, q[a]*k[a])^2 = sum(a, 0, d-1, sum(b, 0, a, fq[a,b]*fk[a,b]))",
                "mixed products are met twice, so their features need the factor sqrt(2)",
            ),
        ),
    ),
    Identity(
        "quadratic-kernel-symmetric",
        "With the factor sqrt(2) on mixed products, d(d+1)/2 features are enough",
        "sum(a, 0, d-1, q[a]*k[a])^2 = sum(a, 0, d-1, q[a]^2*k[a]^2)"
        " + sum(a, 0, d-1, sum(b, 0, a-1, sqrt(2)*q[a]*q[b]*sqrt(2)*k[a]*k[b]))",
        steps=(
            Step(
                "sum(a, 0, d-1, sum(b, 0, d-1, q[a]*k[a]*q[b]*k[b]))",
                "multiply the sum by itself",
            ),
            Step(
                "sum(a, 0, d-1, q[a]^2*k[a]^2) + 2*sum(a, 0, d-1, sum(b, 0, a-1,"
                " q[a]*k[a]*q[b]*k[b]))",
                "b = a, and twice b < a: the products are symmetric",
            ),
            Step(
                "sum(a, 0, d-1, q[a]^2*k[a]^2)"
                " + sum(a, 0, d-1, sum(b, 0, a-1, sqrt(2)*q[a]*q[b]*sqrt(2)*k[a]*k[b]))",
                "2 = sqrt(2) sqrt(2), one for the query and one for the key",
            ),
        ),
        twins=(
            Twin(
                "sum(a, 0, d-1, q[a]*k[a])^2 = sum(a, 0, d-1, q[a]^2*k[a]^2)"
                " + sum(a, 0, d-1, sum(b, 0, a-1, 2*q[a]*q[b]*2*k[a]*k[b]))",
                "a factor 2 on both sides is a factor 4",
            ),
            Twin(
                "sum(a, 0, d-1, q[a]*k[a])^2"
                " = sum(a, 0, d-1, sum(b, 0, a, sqrt(2)*q[a]*q[b]*sqrt(2)*k[a]*k[b]))",
                "squares are met once only",
            ),
        ),
    ),
    Identity(
        "quadratic-kernel-with-constant",
        "(1 + q k)^2 is a dot product of the features 1, sqrt(2) x_a and x_a x_b",
        "(1 + sum(a, 0, d-1, q[a]*k[a]))^2 = 1*1 + sum(a, 0, d-1, sqrt(2)*q[a]*sqrt(2)*k[a])"
        " + sum(a, 0, d-1, sum(b, 0, d-1, q[a]*q[b]*k[a]*k[b]))",
        steps=(
            Step(
                "1 + 2*sum(a, 0, d-1, q[a]*k[a]) + sum(a, 0, d-1, q[a]*k[a])^2",
                "the square of a sum of two numbers",
            ),
            Step(
                "1*1 + sum(a, 0, d-1, sqrt(2)*q[a]*sqrt(2)*k[a])"
                " + sum(a, 0, d-1, sum(b, 0, d-1, q[a]*q[b]*k[a]*k[b]))",
                "2 = sqrt(2) sqrt(2), and the square of a dot product",
            ),
        ),
        twins=(
            Twin(
                "(1 + sum(a, 0, d-1, q[a]*k[a]))^2 = 1 + sum(a, 0, d-1, q[a]*k[a])"
                " + sum(a, 0, d-1, sum(b, 0, d-1, q[a]*q[b]*k[a]*k[b]))",
                "the features x_a need the factor sqrt(2)",
            ),
            Twin(
                "(1 + sum(a, 0, d-1, q[a]*k[a]))^2"
                " = 1 + sum(a, 0, d-1, sum(b, 0, d-1, q[a]*q[b]*k[a]*k[b]))",
                "the features x_a are missing",
            ),
        ),
    ),
    Identity(
        "quadratic-kernel-attention",
        "Attention with the quadratic kernel is linear attention in the features x_a x_b",
        "sum(j, 0, n-1, s[i,j]^2*V[j,e])/sum(j, 0, n-1, s[i,j]^2)"
        " = sum(a, 0, d-1, sum(b, 0, d-1, Q[i,a]*Q[i,b]*S[a,b,e]))"
        "/sum(a, 0, d-1, sum(b, 0, d-1, Q[i,a]*Q[i,b]*z[a,b]))",
        where=(
            KERNEL,
            "S[a,b,e] = sum(j, 0, n-1, K[j,a]*K[j,b]*V[j,e])",
            "z[a,b] = sum(j, 0, n-1, K[j,a]*K[j,b])",
        ),
        given=CELL,
        steps=(
            Step(
                "sum(j, 0, n-1, sum(a, 0, d-1, sum(b, 0, d-1, Q[i,a]*Q[i,b]*K[j,a]*K[j,b]))*V[j,e])"
                "/sum(j, 0, n-1, sum(a, 0, d-1, sum(b, 0, d-1, Q[i,a]*Q[i,b]*K[j,a]*K[j,b])))",
                "the feature map of the quadratic kernel",
            ),
            Step(
                "sum(a, 0, d-1, sum(b, 0, d-1, Q[i,a]*Q[i,b]*S[a,b,e]))"
                "/sum(a, 0, d-1, sum(b, 0, d-1, Q[i,a]*Q[i,b]*z[a,b]))",
                "sum over the tokens first: queries do not depend on them",
            ),
        ),
        twins=(
            Twin(
                "sum(j, 0, n-1, s[i,j]^2*V[j,e])/sum(j, 0, n-1, s[i,j]^2)"
                " = sum(a, 0, d-1, Q[i,a]^2*S[a,a,e])/sum(a, 0, d-1, Q[i,a]^2*z[a,a])",
                "the mixed features are missing",
            ),
            Twin(
                "sum(j, 0, n-1, s[i,j]^2*V[j,e])/sum(j, 0, n-1, s[i,j])^2"
                " = sum(a, 0, d-1, sum(b, 0, d-1, Q[i,a]*Q[i,b]*S[a,b,e]))"
                "/sum(a, 0, d-1, sum(b, 0, d-1, Q[i,a]*Q[i,b]*z[a,b]))",
                "the square of the total, not the total of the squares",
            ),
        ),
    ),
)
