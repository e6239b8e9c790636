"""Circuits of a head: what of its four matrices counts, and what the output matrix adds up."""

from __future__ import annotations

from derive.identities.identity import Identity, Induction, Step, Twin

Q = "q[i,a] = sum(c, 0, d-1, X[i,c]*WQ[c,a])"
K = "k[j,a] = sum(c, 0, d-1, X[j,c]*WK[c,a])"
SCORE = "sum(a, 0, r-1, q[i,a]*k[j,a])"
PAIR = ("0 <= i < n", "0 <= j < n")
TURNED = (
    "qM[i,a] = sum(c, 0, d-1, X[i,c]*sum(b, 0, r-1, WQ[c,b]*M[b,a]))",
    "kN[j,a] = sum(c, 0, d-1, X[j,c]*sum(b, 0, r-1, WK[c,b]*N[a,b]))",
)

# Rotary positions: pair b of a head has two entries, q1[b] and q2[b]; p and t are positions.
FIRST = "(({0})*cos({2}*w[b]) - ({1})*sin({2}*w[b]))"
SECOND = "(({0})*sin({2}*w[b]) + ({1})*cos({2}*w[b]))"
Q_ROTATED, K_ROTATED = ("q1[b]", "q2[b]", "p"), ("k1[b]", "k2[b]", "t")
Q_MOVED = ("x[b]*q1[b] - y[b]*q2[b]", "y[b]*q1[b] + x[b]*q2[b]", "p")
K_MOVED = (
    "(x[b]*k1[b] - y[b]*k2[b])/(x[b]^2 + y[b]^2)",
    "(y[b]*k1[b] + x[b]*k2[b])/(x[b]^2 + y[b]^2)",
    "t",
)
ROTATED = tuple(
    f"{name}[b] = {form.format(*row)}"
    for name, form, row in (
        ("f", FIRST, Q_ROTATED),
        ("g", SECOND, Q_ROTATED),
        ("h", FIRST, K_ROTATED),
        ("u", SECOND, K_ROTATED),
        ("fM", FIRST, Q_MOVED),
        ("gM", SECOND, Q_MOVED),
        ("hN", FIRST, K_MOVED),
        ("uN", SECOND, K_MOVED),
    )
)

IDENTITIES = (
    Identity(
        "qk-circuit",
        "Scores depend on W_Q and W_K only through their product W_Q W_K^T",
        f"{SCORE} = sum(c, 0, d-1, X[i,c]*sum(g, 0, d-1, W[c,g]*X[j,g]))",
        where=(Q, K, "W[c,g] = sum(a, 0, r-1, WQ[c,a]*WK[g,a])"),
        given=PAIR,
        steps=(
            Step(
                "sum(a, 0, r-1, sum(c, 0, d-1, sum(g, 0, d-1, X[i,c]*WQ[c,a]*X[j,g]*WK[g,a])))",
                "multiply the two sums out",
            ),
            Step(
                "sum(c, 0, d-1, X[i,c]*sum(g, 0, d-1, sum(a, 0, r-1, WQ[c,a]*WK[g,a])*X[j,g]))",
                "sum over the columns a of the head first",
            ),
            Step(
                "sum(c, 0, d-1, X[i,c]*sum(g, 0, d-1, W[c,g]*X[j,g]))",
                "the inner sum is an entry of W_Q W_K^T",
            ),
        ),
        twins=(
            Twin(
                f"{SCORE} = sum(c, 0, d-1, X[i,c]*sum(g, 0, d-1, W[g,c]*X[j,g]))",
                "W_K W_Q^T scores the pair the other way round",
            ),
            Twin(
                f"{SCORE} = sum(a, 0, r-1, sum(c, 0, d-1, X[i,c]*WQ[c,a]*X[j,c]*WK[c,a]))",
                "one index for two sums",
            ),
        ),
    ),
    Identity(
        "ov-circuit",
        "What a head writes depends on W_V and W_O only through their product W_V W_O",
        "sum(b, 0, v-1, sum(j, 0, n-1, P[i,j]*sum(c, 0, d-1, X[j,c]*WV[c,b]))*WO[b,e])"
        " = sum(j, 0, n-1, P[i,j]*sum(c, 0, d-1, X[j,c]*W[c,e]))",
        where=("W[c,e] = sum(b, 0, v-1, WV[c,b]*WO[b,e])",),
        given=("0 <= i < n", "0 <= e < d"),
        steps=(
            Step(
                "sum(j, 0, n-1, P[i,j]*sum(c, 0, d-1, X[j,c]*sum(b, 0, v-1, WV[c,b]*WO[b,e])))",
                "exchange the finite sums: the weights do not depend on the column b",
            ),
            Step(
                "sum(j, 0, n-1, P[i,j]*sum(c, 0, d-1, X[j,c]*W[c,e]))",
                "the inner sum is an entry of W_V W_O",
            ),
        ),
        twins=(
            Twin(
                "sum(b, 0, v-1, sum(j, 0, n-1, P[i,j]*sum(c, 0, d-1, X[j,c]*WV[c,b]))*WO[b,e])"
                " = sum(j, 0, n-1, P[j,i]*sum(c, 0, d-1, X[j,c]*W[c,e]))",
                "the weights are transposed",
            ),
            Twin(
                "sum(b, 0, v-1, sum(j, 0, n-1, P[i,j]*sum(c, 0, d-1, X[j,c]*WV[c,b]))*WO[b,e])"
                " = sum(c, 0, d-1, X[i,c]*W[c,e])",
                "the weights are left out: the head would read its own token only",
            ),
        ),
    ),
    Identity(
        "qk-gauge",
        "W_Q M and W_K M^(-T) give the same scores as W_Q and W_K, for every invertible M",
        f"sum(a, 0, r-1, qM[i,a]*kN[j,a]) = {SCORE}",
        where=(Q, K, *TURNED),
        given=PAIR,
        inverses=(("M", "N", "r"),),
        steps=(
            Step(
                "sum(b, 0, r-1, sum(g, 0, r-1, q[i,b]*k[j,g]*sum(a, 0, r-1, M[b,a]*N[a,g])))",
                "exchange the finite sums: M and N meet in the sum over a",
            ),
            Step(
                "sum(b, 0, r-1, sum(g, 0, r-1, q[i,b]*k[j,g]*delta(b, g)))",
                "M N is the identity matrix",
            ),
            Step(SCORE, "only g = b is met"),
        ),
        twins=(
            Twin(
                f"sum(a, 0, r-1, qM[i,a]*sum(c, 0, d-1, X[j,c]*sum(b, 0, r-1, WK[c,b]*N[b,a])))"
                f" = {SCORE}",
                "the inverse is not transposed",
            ),
            Twin(
                f"sum(a, 0, r-1, qM[i,a]*sum(c, 0, d-1, X[j,c]*sum(b, 0, r-1, WK[c,b]*M[b,a])))"
                f" = {SCORE}",
                "the same M on both sides: right for orthogonal M only",
            ),
        ),
    ),
    Identity(
        "ov-gauge",
        "W_V M and M^(-1) W_O write the same as W_V and W_O, for every invertible M",
        "sum(a, 0, v-1, sum(j, 0, n-1, P[i,j]*sum(b, 0, v-1, V[j,b]*M[b,a]))"
        "*sum(g, 0, v-1, N[a,g]*WO[g,e])) = sum(b, 0, v-1, sum(j, 0, n-1, P[i,j]*V[j,b])*WO[b,e])",
        where=("V[j,b] = sum(c, 0, d-1, X[j,c]*WV[c,b])",),
        given=("0 <= i < n", "0 <= e < d"),
        inverses=(("M", "N", "v"),),
        steps=(
            Step(
                "sum(b, 0, v-1, sum(g, 0, v-1, sum(j, 0, n-1, P[i,j]*V[j,b])"
                "*sum(a, 0, v-1, M[b,a]*N[a,g])*WO[g,e]))",
                "exchange the finite sums: M and N meet in the sum over a",
            ),
            Step(
                "sum(b, 0, v-1, sum(j, 0, n-1, P[i,j]*V[j,b])*WO[b,e])",
                "M N is the identity matrix: only g = b is met",
            ),
        ),
        twins=(
            Twin(
                "sum(a, 0, v-1, sum(j, 0, n-1, P[i,j]*sum(b, 0, v-1, V[j,b]*M[b,a]))"
                "*sum(g, 0, v-1, N[g,a]*WO[g,e]))"
                " = sum(b, 0, v-1, sum(j, 0, n-1, P[i,j]*V[j,b])*WO[b,e])",
                "the inverse is transposed: right for scores, wrong here",
            ),
            Twin(
                "sum(a, 0, v-1, sum(j, 0, n-1, P[i,j]*sum(b, 0, v-1, V[j,b]*M[b,a]))*WO[a,e])"
                " = sum(b, 0, v-1, sum(j, 0, n-1, P[i,j]*V[j,b])*WO[b,e])",
                "W_O is not changed",
            ),
        ),
    ),
    Identity(
        "qk-gauge-with-rope",
        "With rotary positions, M may be any matrix that commutes with the rotations",
        "sum(b, 0, m-1, fM[b]*hN[b] + gM[b]*uN[b]) = sum(b, 0, m-1, f[b]*h[b] + g[b]*u[b])",
        where=ROTATED,
        steps=(
            Step(
                "sum(b, 0, m-1, ((x[b]*f[b] - y[b]*g[b])*(x[b]*h[b] - y[b]*u[b])"
                " + (y[b]*f[b] + x[b]*g[b])*(y[b]*h[b] + x[b]*u[b]))/(x[b]^2 + y[b]^2))",
                "M commutes with the rotations: rotate first, then multiply by M",
            ),
            Step(
                "sum(b, 0, m-1, (x[b]^2 + y[b]^2)*(f[b]*h[b] + g[b]*u[b])/(x[b]^2 + y[b]^2))",
                "M multiplies dot products of a pair by x^2 + y^2: the mixed terms cancel",
            ),
            Step("sum(b, 0, m-1, f[b]*h[b] + g[b]*u[b])", "the factor cancels"),
        ),
        twins=(
            Twin(
                "sum(b, 0, m-1, (x[b]*q1[b]*cos(p*w[b]) - q2[b]*sin(p*w[b]))"
                "*(k1[b]/x[b]*cos(t*w[b]) - k2[b]*sin(t*w[b]))"
                " + (x[b]*q1[b]*sin(p*w[b]) + q2[b]*cos(p*w[b]))"
                "*(k1[b]/x[b]*sin(t*w[b]) + k2[b]*cos(t*w[b])))"
                " = sum(b, 0, m-1, f[b]*h[b] + g[b]*u[b])",
                "a general M: x on the first column of a pair, 1 on the second",
            ),
            Twin(
                "sum(b, 0, m-1, fM[b]*hN[b] + gM[b]*uN[b])"
                " = sum(b, 0, m-1, q1[b]*k1[b] + q2[b]*k2[b])",
                "scores without rotation",
            ),
            Twin(
                "sum(b, 0, m-1, (x[b]^2 + y[b]^2)*(fM[b]*hN[b] + gM[b]*uN[b]))"
                " = sum(b, 0, m-1, f[b]*h[b] + g[b]*u[b])",
                "the keys are not divided by x^2 + y^2",
            ),
        ),
        note="q1[b] and q2[b] are the entries of pair b of the query at position p, k1[b] and k2[b]"
        " those of the key at position t; w[b] is the angle. M is [[x, -y], [y, x]] on pair b,"
        " on the"
        " keys its inverse transposed; x and y are not both 0. Where no two angles are equal up to"
        " sign and multiples of 2 pi (and none is a multiple of pi), no other matrix commutes with"
        " the rotations.",
    ),
    Identity(
        "concatenated-heads",
        "Concatenating heads and projecting is adding up the projections of each head",
        "sum(a, 0, h*v-1, C[i,a]*WO[a,e]) = sum(g, 0, h-1, sum(b, 0, v-1, C[i,g*v+b]*WO[g*v+b,e]))",
        given=("h >= 0", "0 <= i < n", "0 <= e < d"),
        induction=Induction(
            "h",
            base=(Step("0", "no head, no column"),),
            step=(
                Step(
                    "sum(a, 0, h*v-1, C[i,a]*WO[a,e]) + sum(b, 0, v-1, C[i,h*v+b]*WO[h*v+b,e])",
                    "one head more: the last v columns belong to head h",
                ),
                Step(
                    "sum(g, 0, h-1, sum(b, 0, v-1, C[i,g*v+b]*WO[g*v+b,e]))"
                    " + sum(b, 0, v-1, C[i,h*v+b]*WO[h*v+b,e])",
                    "the hypothesis",
                ),
            ),
        ),
        twins=(
            Twin(
                "sum(a, 0, h*v-1, C[i,a]*WO[a,e])"
                " = sum(g, 0, h-1, sum(b, 0, v-1, C[i,g*v+b]*WO[b,e]))",
                "every head has rows of W_O of its own",
            ),
            Twin(
                "sum(a, 0, h*v-1, C[i,a]*WO[a,e])"
                " = sum(g, 0, h-1, sum(b, 0, v-1, C[i,g+b*h]*WO[g*v+b,e]))",
                "the columns of the heads are interleaved, not one after the other",
            ),
        ),
        note="C is the concatenation: column g v + b of C is column b of head g.",
    ),
)
