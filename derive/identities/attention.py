"""Attention: its sums, the order of the tokens, biases, and what makes the weights uniform."""

from __future__ import annotations

from derive.identities.identity import Identity, Step, Twin

S = "S[i,j] = sum(c, 0, d-1, Q[i,c]*K[j,c])/sqrt(d)"
Y = "Y[i,e] = sum(j, 0, n-1, exp(S[i,j])*V[j,e])/sum(j, 0, n-1, exp(S[i,j]))"
CELL = ("0 <= i < n", "0 <= e < v")
PROJECTED = (
    "Q[i,a] = sum(c, 0, d-1, X[i,c]*WQ[c,a]) + bQ[a]",
    "K[j,a] = sum(c, 0, d-1, X[j,c]*WK[c,a]) + bK[a]",
    "V[j,e] = sum(c, 0, d-1, X[j,c]*WV[c,e]) + bV[e]",
    "A[i,j] = exp(sum(a, 0, r-1, Q[i,a]*K[j,a])/sqrt(r))",
)
REORDERED = (
    "Qp[i,a] = sum(c, 0, d-1, X[perm[i],c]*WQ[c,a]) + bQ[a]",
    "Kp[j,a] = sum(c, 0, d-1, X[perm[j],c]*WK[c,a]) + bK[a]",
    "Vp[j,e] = sum(c, 0, d-1, X[perm[j],c]*WV[c,e]) + bV[e]",
    "Ap[i,j] = exp(sum(a, 0, r-1, Qp[i,a]*Kp[j,a])/sqrt(r))",
)
PERM = (("perm", "n"),)
OUT = "sum(j, 0, n-1, A[{0},j]*V[j,e])/sum(j, 0, n-1, A[{0},j])"
OUT_P = "sum(j, 0, n-1, Ap[i,j]*Vp[j,e])/sum(j, 0, n-1, Ap[i,j])"
ROW = "sum(j, 0, n-1, exp({0})*V[j,e])/sum(j, 0, n-1, exp({0}))"
QK = "sum(a, 0, d-1, q[a]*K[j,a])"

IDENTITIES = (
    Identity(
        "attention-matrix-form",
        "The matrix form of attention, entry by entry, is a weighted mean of values",
        "sum(j, 0, n-1, sum(k, 0, n-1, D[i,k]*F[k,j])*V[j,e])"
        " = sum(j, 0, n-1, exp(S[i,j])*V[j,e])/sum(j, 0, n-1, exp(S[i,j]))",
        where=(
            "KT[c,j] = K[j,c]",
            "F[k,j] = exp(sum(c, 0, d-1, Q[k,c]*KT[c,j])/sqrt(d))",
            "Z[k] = sum(j, 0, n-1, F[k,j]*1)",
            "D[i,k] = delta(i, k)/Z[k]",
            S,
        ),
        given=CELL,
        steps=(
            Step(
                "sum(j, 0, n-1, F[i,j]/Z[i]*V[j,e])",
                "D is diagonal: in the sum over k only k = i is met",
            ),
            Step(
                "sum(j, 0, n-1, F[i,j]*V[j,e])/Z[i]",
                "the row total does not depend on j",
            ),
            Step(
                "sum(j, 0, n-1, exp(S[i,j])*V[j,e])/sum(j, 0, n-1, exp(S[i,j]))",
                "an entry of Q K^T is the dot product of a query and a key",
            ),
        ),
        twins=(
            Twin(
                "sum(j, 0, n-1, sum(k, 0, n-1, F[i,k]*D[k,j])*V[j,e])"
                " = sum(j, 0, n-1, exp(S[i,j])*V[j,e])/sum(j, 0, n-1, exp(S[i,j]))",
                "F D divides columns by totals, not rows",
            ),
            Twin(
                "sum(j, 0, n-1, sum(k, 0, n-1, D[i,k]*F[j,k])*V[j,e])"
                " = sum(j, 0, n-1, exp(S[i,j])*V[j,e])/sum(j, 0, n-1, exp(S[i,j]))",
                "the scores are transposed",
            ),
        ),
        note="F = exp(Q K^T / sqrt(d)) entry by entry, D = diag(F 1)^(-1): the output is D F V.",
    ),
    Identity(
        "permutation-equivariance",
        "Without positions, reordered tokens give the same outputs in the new order",
        f"{OUT_P} = {OUT.format('perm[i]')}",
        where=(*PROJECTED, *REORDERED),
        given=CELL,
        permutations=PERM,
        steps=(
            Step(
                "sum(j, 0, n-1, A[perm[i],perm[j]]*V[perm[j],e])/sum(j, 0, n-1,"
                " A[perm[i],perm[j]])",
                "the projections act on each token alone: row i of the new queries, keys and"
                " values is row perm(i) of the old ones",
            ),
            Step(
                OUT.format("perm[i]"),
                "where j runs over all tokens, so does perm(j): the terms are only reordered",
            ),
        ),
        twins=(
            Twin(f"{OUT_P} = {OUT.format('i')}", "equivariant, not invariant: the row moves, too"),
            Twin(
                f"sum(j, 0, n-1, Ap[i,j]*V[j,e])/sum(j, 0, n-1, Ap[i,j]) = {OUT.format('perm[i]')}",
                "the values keep the old order",
            ),
            Twin(
                "sum(j, 0, i, Ap[i,j]*Vp[j,e])/sum(j, 0, i, Ap[i,j])"
                " = sum(j, 0, perm[i], A[perm[i],j]*V[j,e])/sum(j, 0, perm[i], A[perm[i],j])",
                "a causal mask tells the positions apart",
            ),
        ),
        note="With biases bQ, bK, bV; without them put 0.",
    ),
    Identity(
        "permutation-equivariance-positions",
        "With positions added to the tokens, the order matters",
        "sum(j, 0, n-1, exp(q*(x[perm[j]] + u[j]))*x[perm[j]])"
        "/sum(j, 0, n-1, exp(q*(x[perm[j]] + u[j])))"
        " != sum(j, 0, n-1, exp(q*(x[j] + u[j]))*x[j])/sum(j, 0, n-1, exp(q*(x[j] + u[j])))",
        permutations=PERM,
        twins=(
            Twin(
                "sum(j, 0, n-1, exp(q*(x[perm[j]] + u[j]))*x[perm[j]])"
                " = sum(j, 0, n-1, exp(q*(x[j] + u[j]))*x[j])",
                "already the numerators differ",
            ),
            Twin(
                "sum(j, 0, n-1, exp(q*(x[perm[j]] + u[j]))) = sum(j, 0, n-1, exp(q*(x[j] + u[j])))",
                "already the denominators differ",
            ),
        ),
        note="One query q, tokens x of width 1, u[j] the embedding of position j.",
    ),
    Identity(
        "pooled-output-is-invariant",
        "The mean of the outputs does not depend on the order of the tokens",
        f"sum(i, 0, n-1, {OUT_P})/n = sum(i, 0, n-1, {OUT.format('i')})/n",
        where=(*PROJECTED, *REORDERED),
        given=("0 <= e < v",),
        permutations=PERM,
        steps=(
            Step(
                f"sum(i, 0, n-1, {OUT.format('perm[i]')})/n",
                "reordered tokens give the same outputs in the new order",
            ),
            Step(
                f"sum(i, 0, n-1, {OUT.format('i')})/n",
                "where i runs over all tokens, so does perm(i)",
            ),
        ),
        twins=(
            Twin(
                f"sum(i, 0, n-2, {OUT_P})/n = sum(i, 0, n-2, {OUT.format('i')})/n",
                "the last output is left out: another token stands there",
            ),
            Twin(
                f"sum(i, 0, n-1, i*{OUT_P})/n = sum(i, 0, n-1, i*{OUT.format('i')})/n",
                "a weighted mean knows the order",
            ),
        ),
    ),
    Identity(
        "key-bias-has-no-effect",
        "A key bias has no effect on attention without positions",
        f"{ROW.format('sum(a, 0, d-1, q[a]*(K[j,a] + b[a]))')} = {ROW.format(QK)}",
        given=("0 <= e < v",),
        steps=(
            Step(
                ROW.format(f"{QK} + sum(a, 0, d-1, q[a]*b[a])"),
                "every score of the row gains the same number q b",
            ),
            Step(ROW.format(QK), "softmax does not change when a constant is added to every score"),
        ),
        twins=(
            Twin(
                f"{ROW.format('sum(a, 0, d-1, (q[a] + b[a])*K[j,a])')} = {ROW.format(QK)}",
                "a query bias changes each score by another number, b k_j",
            ),
            Twin(
                "sum(j, 0, n-1, exp(q*(k[j] + b)*cos(j*t))*u[j])/sum(j, 0, n-1, exp(q*(k[j] +"
                " b)*cos(j*t)))"
                " = sum(j, 0, n-1, exp(q*k[j]*cos(j*t))*u[j])/sum(j, 0, n-1, exp(q*k[j]*cos(j*t)))",
                "with rotary positions the bias is turned by the position: here q = (q, 0) at"
                " position 0, keys (k_j, 0) and bias (b, 0)",
            ),
            Twin(
                "sum(j, 0, n-1, exp(q*(k[j] + b)/abs(k[j] + b))*u[j])/sum(j, 0, n-1,"
                " exp(q*(k[j] + b)/abs(k[j] + b)))"
                " = sum(j, 0, n-1, exp(q*k[j]/abs(k[j]))*u[j])/sum(j, 0, n-1,"
                " exp(q*k[j]/abs(k[j])))",
                "with a norm on the keys (here of width 1) the bias is divided by another number"
                " for each key",
            ),
        ),
        note="One query q; the factor 1/sqrt(d) may be thought a part of it.",
    ),
    Identity(
        "value-bias-passes-through",
        "A value bias passes straight through to the output",
        "sum(j, 0, n-1, P[j]*(V[j,e] + b[e])) = sum(j, 0, n-1, P[j]*V[j,e]) + b[e]",
        where=("P[j] = exp(s[j])/sum(l, 0, n-1, exp(s[l]))",),
        given=("0 <= e < v",),
        steps=(
            Step(
                "sum(j, 0, n-1, P[j]*V[j,e]) + b[e]*sum(j, 0, n-1, P[j])",
                "the bias is the same for every token",
            ),
            Step("sum(j, 0, n-1, P[j]*V[j,e]) + b[e]", "the weights add up to 1"),
        ),
        twins=(
            Twin(
                "sum(j, 0, n-1, P[j]*(V[j,e] + b[e])) = sum(j, 0, n-1, P[j]*V[j,e]) + n*b[e]",
                "weights add up to 1, not to n",
            ),
            Twin(
                "sum(j, 0, n-1, exp(s[j])*(V[j,e] + b[e])) = sum(j, 0, n-1, exp(s[j])*V[j,e]) +"
                " b[e]",
                "weights that are not normalised do not add up to 1",
            ),
        ),
    ),
    Identity(
        "zero-queries-give-the-mean",
        "A zero query gives every token the same weight: the output is the mean of the values",
        f"{ROW.format('sum(a, 0, d-1, 0*K[j,a])/sqrt(d)')} = sum(j, 0, n-1, V[j,e])/n",
        given=("0 <= e < v",),
        steps=(
            Step(
                "sum(j, 0, n-1, exp(0)*V[j,e])/sum(j, 0, n-1, exp(0))",
                "the dot product with the zero vector is 0",
            ),
            Step("sum(j, 0, n-1, V[j,e])/n", "exp(0) = 1, and n ones add up to n"),
        ),
        twins=(
            Twin(
                f"{ROW.format('sum(a, 0, d-1, 0*K[j,a])/sqrt(d)')} = sum(j, 0, n-1, V[j,e])",
                "the mean, not the sum",
            ),
            Twin(
                f"{ROW.format('sum(a, 0, d-1, 1*K[j,a])/sqrt(d)')} = sum(j, 0, n-1, V[j,e])/n",
                "the query of ones has other scores for other keys",
            ),
        ),
    ),
    Identity(
        "identical-keys-give-the-mean",
        "Identical keys give every token the same weight, whatever the query is",
        f"{ROW.format('sum(a, 0, d-1, q[a]*k[a])/sqrt(d)')} = sum(j, 0, n-1, V[j,e])/n",
        given=("0 <= e < v",),
        steps=(
            Step(
                "exp(s)*sum(j, 0, n-1, V[j,e])/(exp(s)*n)",
                "the score s does not depend on the token j",
            ),
            Step("sum(j, 0, n-1, V[j,e])/n", "exp(s) cancels"),
        ),
        where=("s = sum(a, 0, d-1, q[a]*k[a])/sqrt(d)",),
        twins=(
            Twin(
                f"{ROW.format('sum(a, 0, d-1, q[a]*(k[a] + delta(j, 0)))/sqrt(d)')}"
                " = sum(j, 0, n-1, V[j,e])/n",
                "the first key is another one",
            ),
            Twin(
                f"{ROW.format('sum(a, 0, d-1, q[a]*k[a])/sqrt(d)')} = V[0,e]",
                "identical keys do not say that the values are",
            ),
        ),
    ),
    Identity(
        "column-vector-form",
        "With tokens as columns, attention is the transpose of the form with tokens as rows",
        "sum(j, 0, n-1, Vc[e,j]*B[j,i])/sum(j, 0, n-1, B[j,i])"
        " = sum(j, 0, n-1, A[i,j]*V[j,e])/sum(j, 0, n-1, A[i,j])",
        where=(
            *(text.partition(" + b")[0] for text in PROJECTED[:3]),
            PROJECTED[3],
            "Qc[a,i] = sum(c, 0, d-1, UQ[a,c]*Xc[c,i])",
            "Kc[a,j] = sum(c, 0, d-1, UK[a,c]*Xc[c,j])",
            "Vc[e,j] = sum(c, 0, d-1, UV[e,c]*Xc[c,j])",
            "B[j,i] = exp(sum(a, 0, r-1, Kc[a,j]*Qc[a,i])/sqrt(r))",
            "Xc[c,i] = X[i,c]",
            "UQ[a,c] = WQ[c,a]",
            "UK[a,c] = WK[c,a]",
            "UV[e,c] = WV[c,e]",
        ),
        given=CELL,
        steps=(
            Step(
                "sum(j, 0, n-1, V[j,e]*B[j,i])/sum(j, 0, n-1, B[j,i])",
                "(W X)^T = X^T W^T: the columns of values are the rows of X W_V",
            ),
            Step(
                "sum(j, 0, n-1, A[i,j]*V[j,e])/sum(j, 0, n-1, A[i,j])",
                "entry (j, i) of K^T Q is entry (i, j) of Q K^T",
            ),
        ),
        twins=(
            Twin(
                "sum(j, 0, n-1, Vc[e,j]*B[i,j])/sum(j, 0, n-1, B[i,j])"
                " = sum(j, 0, n-1, A[i,j]*V[j,e])/sum(j, 0, n-1, A[i,j])",
                "the scores are not transposed",
            ),
            Twin(
                "sum(j, 0, n-1, Vc[e,j]*B[j,i])/sum(l, 0, n-1, B[i,l])"
                " = sum(j, 0, n-1, A[i,j]*V[j,e])/sum(j, 0, n-1, A[i,j])",
                "softmax is taken over the wrong axis: columns have to add up to 1",
            ),
        ),
    ),
    Identity(
        "relu-weights-scale",
        "ReLU weights, normalised, do not change when the query is multiplied by t > 0",
        "relu(sum(a, 0, d-1, t*q[a]*K[j,a]))/sum(l, 0, n-1, relu(sum(a, 0, d-1, t*q[a]*K[l,a])))"
        " = relu(s[j])/sum(l, 0, n-1, relu(s[l]))",
        where=("s[j] = sum(a, 0, d-1, q[a]*K[j,a])",),
        given=("t > 0", "0 <= j < n"),
        steps=(
            Step("relu(t*s[j])/sum(l, 0, n-1, relu(t*s[l]))", "t is a factor of every dot product"),
            Step("t*relu(s[j])/(t*sum(l, 0, n-1, relu(s[l])))", "ReLU(t x) = t ReLU(x) for t > 0"),
            Step("relu(s[j])/sum(l, 0, n-1, relu(s[l]))", "t cancels"),
        ),
        twins=(
            Twin(
                "relu(-s[j])/sum(l, 0, n-1, relu(-s[l])) = relu(s[j])/sum(l, 0, n-1, relu(s[l]))",
                "a negative factor keeps the other half",
            ),
            Twin(
                "exp(t*s[j])/sum(l, 0, n-1, exp(t*s[l])) = exp(s[j])/sum(l, 0, n-1, exp(s[l]))",
                "softmax weights do change",
            ),
        ),
    ),
)
