"""The residual stream: a sum of updates, its gradient, parallel and sequential blocks."""

from __future__ import annotations

from derive.identities.identity import Identity, Induction, Recurrence, Step, Twin

STREAM = Recurrence("x", "t", "emb", "x[t] + u[t+1]")
PAIR = ("0 <= i < d", "0 <= j < d")
HIDDEN = "h[m] = sum(k, 0, d-1, x[k]*W[k,m])"
BRANCH = "B[i] = sum(m, 0, f-1, silu(h[m])*V[m,i])"
TANGENT = "B[i] = b[i] + sum(k, 0, d-1, A[i,k]*(x[k] - p[k]))"
ATTENTION = "a[i] = sum(j, 0, d-1, A[i,j]*x[j])"
AFTER = "z[i] = x[i] + a[i]"

IDENTITIES = (
    Identity(
        "residual-sum",
        "The stream of a pre-norm model is the embedding plus the updates of all blocks",
        "x[T] = emb + sum(t, 1, T, u[t])",
        given=("T >= 0",),
        recurrences=(STREAM,),
        induction=Induction(
            "T",
            base=(Step("emb", "the embedding"), Step("emb + sum(t, 1, 0, u[t])", "an empty sum")),
            step=(
                Step("x[T] + u[T+1]", "block T + 1 adds its update"),
                Step("emb + sum(t, 1, T, u[t]) + u[T+1]", "the statement for T"),
                Step("emb + sum(t, 1, T+1, u[t])", "its update is the last term"),
            ),
        ),
        twins=(
            Twin("x[T] = emb + sum(t, 1, T+1, u[t])", "one block too many"),
            Twin("x[T] = sum(t, 1, T, u[t])", "the embedding is missing"),
            Twin("x[T] = emb + T*u[1]", "the blocks do not add the same update"),
        ),
        note="For every token and entry. emb is the embedding's, u[t] what block t makes of"
        " its normed input x[t-1], whatever that is. Post-norm breaks the sum.",
    ),
    Identity(
        "post-norm-is-no-residual-sum",
        "With a norm after every addition the stream is not the embedding plus the updates",
        "(x[i] + u[i])/sqrt(sum(k, 0, d-1, (x[k] + u[k])^2)/d) != x[i] + u[i]",
        given=("0 <= i < d",),
        twins=(
            Twin(
                "(x[i] + u[i])/sqrt(sum(k, 0, d-1, (x[k] + u[k])^2)/d)"
                " = x[i]/sqrt(sum(k, 0, d-1, x[k]^2)/d) + u[i]/sqrt(sum(k, 0, d-1, u[k]^2)/d)",
                "the norm of a sum is not the sum of the norms",
            ),
            Twin(
                "(x[i] + u[i])/sqrt(sum(k, 0, d-1, (x[k] + u[k])^2)/d)"
                " = (x[i] + u[i])/sqrt(sum(k, 0, d-1, x[k]^2)/d + sum(k, 0, d-1, u[k]^2)/d)",
                "the squares of a sum have the mixed term 2 x u",
            ),
        ),
    ),
    Identity(
        "logits-are-a-sum-over-blocks",
        "Every block writes to the logits on its own: they are a sum over the blocks",
        "sum(c, 0, d-1, (emb[c] + sum(t, 1, T, u[t,c]))*U[c,v])"
        " = sum(c, 0, d-1, emb[c]*U[c,v]) + sum(t, 1, T, sum(c, 0, d-1, u[t,c]*U[c,v]))",
        given=("T >= 0",),
        steps=(
            Step(
                "sum(c, 0, d-1, emb[c]*U[c,v]) + sum(c, 0, d-1, sum(t, 1, T, u[t,c]*U[c,v]))",
                "the product distributes over the sum of residual-sum",
            ),
            Step(
                "sum(c, 0, d-1, emb[c]*U[c,v]) + sum(t, 1, T, sum(c, 0, d-1, u[t,c]*U[c,v]))",
                "the order of the two sums is exchanged",
            ),
        ),
        twins=(
            Twin(
                "sum(c, 0, d-1, (emb[c] + sum(t, 1, T, u[t,c]))*U[c,v])"
                " = sum(t, 1, T, sum(c, 0, d-1, (emb[c] + u[t,c])*U[c,v]))",
                "the embedding is counted once for each block",
            ),
            Twin(
                "sum(c, 0, d-1, (emb[c] + sum(t, 1, T, u[t,c]))*U[c,v])"
                " = sum(c, 0, d-1, emb[c]*U[c,v]) + sum(c, 0, d-1, u[T,c]*U[c,v])",
                "the last block alone",
                given=("T >= 2",),
            ),
        ),
        note="Without a final norm, or with its factor 1/r taken as given.",
    ),
    Identity(
        "residual-gradient",
        "The Jacobian of a residual block is the identity plus the Jacobian of its branch",
        "diff(x[i] + B[i], x[j]) = delta(i, j) + A[i,j]",
        where=(TANGENT,),
        given=PAIR,
        steps=(
            Step("diff(x[i], x[j]) + diff(B[i], x[j])", "the derivative of a sum"),
            Step(
                "delta(i, j) + sum(k, 0, d-1, A[i,k]*diff(x[k] - p[k], x[j]))",
                "x_i by x_j is 1 for i = j, else 0",
            ),
            Step("delta(i, j) + A[i,j]", "k = j alone depends on x_j"),
        ),
        twins=(
            Twin("diff(x[i] + B[i], x[j]) = A[i,j]", "the skip connection is forgotten"),
            Twin("diff(x[i] + B[i], x[j]) = 1 + A[i,j]", "the identity has zeros off the diagonal"),
            Twin("diff(x[i] + B[i], x[j]) = delta(i, j) + A[j,i]", "transposed"),
        ),
        note="B is the tangent of any differentiable branch at the point p: b is its value there,"
        " A its Jacobian. A derivative at p sees no more of a branch than this.",
    ),
    Identity(
        "residual-gradient-backward",
        "Backward, a residual block passes the gradient on and adds the branch's",
        "sum(i, 0, d-1, g[i]*diff(x[i] + B[i], x[j])) = g[j] + sum(i, 0, d-1, g[i]*A[i,j])",
        where=(TANGENT,),
        given=("0 <= j < d",),
        steps=(
            Step("sum(i, 0, d-1, g[i]*(delta(i, j) + A[i,j]))", "identity plus branch"),
            Step("g[j] + sum(i, 0, d-1, g[i]*A[i,j])", "i = j is met once"),
        ),
        twins=(
            Twin(
                "sum(i, 0, d-1, g[i]*diff(x[i] + B[i], x[j])) = sum(i, 0, d-1, g[i]*A[i,j])",
                "the skip connection passes g on",
            ),
            Twin(
                "sum(i, 0, d-1, g[i]*diff(x[i] + B[i], x[j])) = g[j] + sum(i, 0, d-1, A[j,i]*g[i])",
                "the transpose of A is applied, not A",
            ),
        ),
    ),
    Identity(
        "residual-gradient-of-an-ffn",
        "The Jacobian of an FFN block: identity plus both weights with SiLU's slope between",
        "diff(x[i] + B[i], x[j]) = delta(i, j) + sum(m, 0, f-1, W[j,m]*s[m]*V[m,i])",
        where=(BRANCH, "s[m] = sigmoid(h[m])*(1 + h[m]*(1 - sigmoid(h[m])))", HIDDEN),
        given=PAIR,
        steps=(
            Step("delta(i, j) + diff(B[i], x[j])", "identity plus branch"),
            Step(
                "delta(i, j) + sum(m, 0, f-1, s[m]*diff(h[m], x[j])*V[m,i])",
                "the chain rule; s_m is the derivative of SiLU at h_m",
            ),
            Step("delta(i, j) + sum(m, 0, f-1, W[j,m]*s[m]*V[m,i])", "h_m is linear in x_j"),
        ),
        twins=(
            Twin(
                "diff(x[i] + B[i], x[j]) = sum(m, 0, f-1, W[j,m]*s[m]*V[m,i])",
                "the skip connection is forgotten",
            ),
            Twin(
                "diff(x[i] + B[i], x[j]) = delta(i, j) + sum(m, 0, f-1, W[j,m]*V[m,i])",
                "the activation is forgotten",
            ),
        ),
    ),
    Identity(
        "residual-gradient-through-blocks",
        "The gradient reaches the embedding directly and through every block",
        "G[T] = 1 + sum(t, 1, T, a[t]*G[t-1])",
        given=("T >= 0",),
        recurrences=(Recurrence("G", "t", "1", "(1 + a[t+1])*G[t]"),),
        induction=Induction(
            "T",
            base=(Step("1", "no block: x[0] by x[0]"),),
            step=(
                Step(
                    "(1 + a[T+1])*G[T]", "the chain rule: block T + 1 has the derivative 1 + a[T+1]"
                ),
                Step("G[T] + a[T+1]*G[T]", "identity plus branch"),
                Step("1 + sum(t, 1, T, a[t]*G[t-1]) + a[T+1]*G[T]", "the statement for T"),
                Step("1 + sum(t, 1, T+1, a[t]*G[t-1])", "the last term"),
            ),
        ),
        twins=(
            Twin("G[T] = sum(t, 1, T, a[t]*G[t-1])", "the direct path is missing"),
            Twin("G[T] = 1 + sum(t, 1, T, a[t])", "paths through several blocks are missing"),
        ),
        note="G[T] is the derivative of x[T] by x[0], a[t] that of branch t; the width is 1.",
    ),
    Identity(
        "parallel-block-is-not-sequential",
        "A parallel block is not a sequential one: the FFN does not see the attention's output",
        "x[i] + a[i] + sum(j, 0, d-1, silu(x[j])*V[j,i])"
        " != z[i] + sum(j, 0, d-1, silu(z[j])*V[j,i])",
        where=(AFTER, ATTENTION),
        given=("0 <= i < d",),
        twins=(
            Twin(
                "x[i] + a[i] + sum(j, 0, d-1, x[j]*V[j,i]) = z[i] + sum(j, 0, d-1, z[j]*V[j,i])",
                "not even for linear branches",
            ),
            Twin(
                "z[i] + sum(j, 0, d-1, relu(z[j])*V[j,i])"
                " = x[i] + sum(j, 0, d-1, relu(x[j])*V[j,i])"
                " + sum(j, 0, d-1, A[i,j]*(x[j] + sum(m, 0, d-1, relu(x[m])*V[m,j])))",
                "FFN before attention is another block too",
            ),
        ),
        note="A stands for the attention, which is linear in its values for given weights.",
    ),
    Identity(
        "parallel-block-difference",
        "For linear branches a sequential block adds V(A(x)) to the parallel one",
        "z[i] + sum(j, 0, d-1, z[j]*V[j,i])"
        " = x[i] + a[i] + sum(j, 0, d-1, x[j]*V[j,i]) + sum(j, 0, d-1, a[j]*V[j,i])",
        where=(AFTER, ATTENTION),
        given=("0 <= i < d",),
        steps=(
            Step(
                "x[i] + a[i] + sum(j, 0, d-1, (x[j] + a[j])*V[j,i])",
                "the second branch reads x + A(x)",
            ),
            Step(
                "x[i] + a[i] + sum(j, 0, d-1, x[j]*V[j,i]) + sum(j, 0, d-1, a[j]*V[j,i])",
                "it is linear",
            ),
        ),
        twins=(
            Twin(
                "z[i] + sum(j, 0, d-1, z[j]*V[j,i]) = x[i] + a[i] + sum(j, 0, d-1, x[j]*V[j,i])",
                "that is the parallel block",
            ),
            Twin(
                "z[i] + sum(j, 0, d-1, z[j]*V[j,i])"
                " = x[i] + a[i] + sum(j, 0, d-1, x[j]*V[j,i])"
                " + sum(j, 0, d-1, sum(m, 0, d-1, x[m]*V[m,j])*A[i,j])",
                "A(V(x)): the other order",
            ),
        ),
    ),
)
