"""The feed-forward network: merging, memory form, token by token, gates."""

from __future__ import annotations

from derive.identities.identity import Identity, Step, Twin

HIDDEN = "h[j] = sum(c, 0, d-1, x[c]*W[c,j])"
MERGED = "M[c,o] = sum(j, 0, f-1, W[c,j]*V[j,o])"
ROWS = "h[i,j] = sum(c, 0, d-1, x[i,c]*W[c,j])"
MOVED = "q[i,j] = sum(c, 0, d-1, x[p[i],c]*W[c,j])"
OUT = "y[i,o] = sum(j, 0, f-1, silu(h[i,j])*V[j,o])"

IDENTITIES = (
    Identity(
        "linear-layers-merge",
        "Two linear maps without an activation between are one: (x W) V = x (W V)",
        "sum(j, 0, f-1, h[j]*V[j,o]) = sum(c, 0, d-1, x[c]*M[c,o])",
        where=(HIDDEN, MERGED),
        steps=(
            Step(
                "sum(j, 0, f-1, sum(c, 0, d-1, x[c]*W[c,j]*V[j,o]))",
                "V does not depend on c",
            ),
            Step(
                "sum(c, 0, d-1, sum(j, 0, f-1, x[c]*W[c,j]*V[j,o]))",
                "the order of the two sums is exchanged",
            ),
            Step("sum(c, 0, d-1, x[c]*M[c,o])", "x_c does not depend on j"),
        ),
        twins=(
            Twin(
                "sum(j, 0, f-1, relu(h[j])*V[j,o]) = sum(c, 0, d-1, x[c]*M[c,o])",
                "with ReLU between they do not merge",
            ),
            Twin(
                "sum(j, 0, f-1, relu(h[j])*V[j,o])"
                " = sum(c, 0, d-1, x[c]*sum(j, 0, f-1, relu(W[c,j])*V[j,o]))",
                "nor does ReLU move into the weights",
            ),
            Twin(
                "sum(j, 0, f-1, h[j]*V[j,o]) = sum(c, 0, d-1, x[c]*sum(j, 0, f-1, W[j,c]*V[j,o]))",
                "W is transposed",
                given=("d = f",),
            ),
        ),
    ),
    Identity(
        "affine-layers-merge",
        "With biases two layers merge too: the first bias goes through V",
        "sum(j, 0, f-1, (h[j] + b[j])*V[j,o]) + a[o] = sum(c, 0, d-1, x[c]*M[c,o]) + u[o]",
        where=(HIDDEN, MERGED, "u[o] = sum(j, 0, f-1, b[j]*V[j,o]) + a[o]"),
        steps=(
            Step(
                "sum(j, 0, f-1, h[j]*V[j,o]) + sum(j, 0, f-1, b[j]*V[j,o]) + a[o]",
                "the product with V is linear",
            ),
            Step("sum(c, 0, d-1, x[c]*M[c,o]) + u[o]", "linear layers merge; the rest is the bias"),
        ),
        twins=(
            Twin(
                "sum(j, 0, f-1, (h[j] + b[j])*V[j,o]) + a[o] = sum(c, 0, d-1, x[c]*M[c,o]) + a[o]",
                "the first bias is lost",
            ),
            Twin(
                "sum(j, 0, f-1, (h[j] + b[j])*V[j,o]) + a[o]"
                " = sum(c, 0, d-1, x[c]*M[c,o]) + a[o] + b[o]",
                "the first bias goes through V",
            ),
        ),
    ),
    Identity(
        "ffn-key-value-memory",
        "An FFN is a memory: each neuron's key is matched with x, its value is added so weighted",
        "sum(j, 0, f-1, relu(h[j])*V[j,o])"
        " = sum(m, 0, f-1, relu(sum(c, 0, d-1, k[m,c]*x[c]))*v[m,o])",
        where=(HIDDEN, "k[m,c] = W[c,m]", "v[m,o] = V[m,o]"),
        steps=(
            Step(
                "sum(m, 0, f-1, relu(sum(c, 0, d-1, W[c,m]*x[c]))*V[m,o])",
                "h_m is the dot product of x with column m of W",
            ),
            Step(
                "sum(m, 0, f-1, relu(sum(c, 0, d-1, k[m,c]*x[c]))*v[m,o])",
                "columns of W are the keys, rows of V the values",
            ),
        ),
        twins=(
            Twin(
                "sum(j, 0, f-1, relu(h[j])*V[j,o])"
                " = sum(m, 0, f-1, relu(sum(c, 0, d-1, W[m,c]*x[c]))*v[m,o])",
                "the keys are columns of W, not rows",
                given=("d = f",),
            ),
            Twin(
                "sum(j, 0, f-1, relu(h[j])*V[j,o])"
                " = sum(m, 0, f-1, relu(sum(c, 0, d-1, k[m,c]*x[c]))*v[m,o])"
                "/sum(m, 0, f-1, relu(sum(c, 0, d-1, k[m,c]*x[c])))",
                "attention normalises its weights, an FFN does not",
            ),
        ),
        note="Geva, Schuster, Berant and Levy, Transformer Feed-Forward Layers Are Key-Value"
        " Memories (2021).",
    ),
    Identity(
        "ffn-is-position-wise",
        "An FFN sees one token at a time: no output depends on another token",
        "diff(y[i,o], x[l,c]) = delta(i, l)*sum(j, 0, f-1, W[c,j]*s[i,j]*V[j,o])",
        where=(OUT, "s[i,j] = sigmoid(h[i,j])*(1 + h[i,j]*(1 - sigmoid(h[i,j])))", ROWS),
        given=("0 <= i < n", "0 <= l < n", "0 <= c < d"),
        steps=(
            Step(
                "sum(j, 0, f-1, s[i,j]*diff(h[i,j], x[l,c])*V[j,o])",
                "the chain rule; s is the derivative of SiLU",
            ),
            Step(
                "sum(j, 0, f-1, s[i,j]*(delta(i, l)*W[c,j])*V[j,o])",
                "row i of h has entries of row i of x only",
            ),
            Step(
                "delta(i, l)*sum(j, 0, f-1, W[c,j]*s[i,j]*V[j,o])",
                "delta does not depend on j",
            ),
        ),
        twins=(
            Twin(
                "diff(y[i,o], x[l,c]) = sum(j, 0, f-1, W[c,j]*s[i,j]*V[j,o])",
                "0 for another token",
                given=("0 <= i < n", "0 <= l < n", "0 <= c < d", "n >= 2"),
            ),
            Twin(
                "diff(y[i,o], x[l,c]) = delta(i, l)*sum(j, 0, f-1, W[c,j]*V[j,o])",
                "the activation is forgotten",
            ),
        ),
    ),
    Identity(
        "ffn-permutation-equivariance",
        "Position-wise, so equivariant: reordered tokens give the same outputs, reordered",
        "sum(j, 0, f-1, silu(q[i,j])*V[j,o]) = y[p[i],o]",
        where=(MOVED, OUT, ROWS),
        given=("0 <= i < n",),
        permutations=(("p", "n"),),
        steps=(
            Step(
                "sum(j, 0, f-1, silu(h[p[i],j])*V[j,o])",
                "row i of the reordered input is row p_i: its hidden row is h's",
            ),
            Step("y[p[i],o]", "the FFN's output for token p_i"),
        ),
        twins=(
            Twin(
                "sum(j, 0, f-1, silu(q[i,j])*V[j,o]) = y[i,o]", "the order of the outputs changes"
            ),
            Twin(
                "sum(j, 0, f-1, silu(sum(c, 0, n-1, x[i,p[c]]*W[c,j]))*V[j,o])"
                " = sum(j, 0, f-1, silu(sum(c, 0, n-1, x[i,c]*W[c,j]))*V[j,o])",
                "reordered channels are another input: here the width is n too",
            ),
        ),
    ),
    Identity(
        "ffn-neurons-reorder",
        "The order of the neurons does not matter",
        "sum(j, 0, f-1, silu(h[p[j]])*V[p[j],o]) = sum(j, 0, f-1, silu(h[j])*V[j,o])",
        where=(HIDDEN,),
        permutations=(("p", "f"),),
        steps=(Step("sum(j, 0, f-1, silu(h[j])*V[j,o])", "the same terms in another order"),),
        twins=(
            Twin(
                "sum(j, 0, f-1, silu(h[p[j]])*V[j,o]) = sum(j, 0, f-1, silu(h[j])*V[j,o])",
                "the rows of V are to be reordered too",
            ),
            Twin(
                "sum(j, 0, f-1, silu(h[j])*V[p[j],o]) = sum(j, 0, f-1, silu(h[j])*V[j,o])",
                "the columns of W are to be reordered too",
            ),
        ),
    ),
    Identity(
        "constant-gate-is-linear",
        "A gated FFN whose gate does not depend on x is one linear map",
        "sum(j, 0, f-1, silu(g[j])*h[j]*V[j,o]) = sum(c, 0, d-1, x[c]*N[c,o])",
        where=(HIDDEN, "N[c,o] = sum(j, 0, f-1, W[c,j]*silu(g[j])*V[j,o])"),
        steps=(
            Step(
                "sum(j, 0, f-1, sum(c, 0, d-1, x[c]*W[c,j]*silu(g[j])*V[j,o]))",
                "the gate is a number for each neuron",
            ),
            Step("sum(c, 0, d-1, x[c]*N[c,o])", "the order of the two sums is exchanged"),
        ),
        twins=(
            Twin(
                "sum(j, 0, f-1, silu(sum(c, 0, d-1, x[c]*U[c,j]))*h[j]*V[j,o])"
                " = sum(c, 0, d-1, x[c]*sum(j, 0, f-1, W[c,j]*silu(U[c,j])*V[j,o]))",
                "a gate that reads x",
            ),
            Twin(
                "sum(j, 0, f-1, silu(g[j])*h[j]*V[j,o])"
                " = sum(c, 0, d-1, x[c]*sum(j, 0, f-1, W[c,j]*V[j,o]))",
                "the gate still scales the neurons",
            ),
        ),
    ),
    Identity(
        "gated-ffn-is-not-linear",
        "A gated FFN is not linear: twice the input does not give twice the output",
        "sum(j, 0, f-1, silu(2 g[j])*(2 h[j])*V[j,o]) != 2*sum(j, 0, f-1, silu(g[j])*h[j]*V[j,o])",
        where=("g[j] = sum(c, 0, d-1, x[c]*U[c,j])", HIDDEN),
        twins=(
            Twin(
                "sum(j, 0, f-1, relu(2 g[j])*(2 h[j])*V[j,o])"
                " = 2*sum(j, 0, f-1, relu(g[j])*h[j]*V[j,o])",
                "nor with a ReLU gate: there it is 4 times",
            ),
            Twin(
                "sum(j, 0, f-1, (2 g[j])*(2 h[j])*V[j,o]) = 2*sum(j, 0, f-1, g[j]*h[j]*V[j,o])",
                "nor with no activation at all: the gate is a second factor",
            ),
        ),
    ),
    Identity(
        "relu-gated-ffn-is-homogeneous-of-degree-two",
        "A gated FFN with a ReLU gate gives a^2 times the output for a > 0 times the input",
        "sum(j, 0, f-1, relu(a*g[j])*(a*h[j])*V[j,o]) = a^2*sum(j, 0, f-1, relu(g[j])*h[j]*V[j,o])",
        where=("g[j] = sum(c, 0, d-1, x[c]*U[c,j])", HIDDEN),
        given=("a > 0",),
        steps=(
            Step("sum(j, 0, f-1, a*relu(g[j])*(a*h[j])*V[j,o])", "ReLU lets a > 0 through"),
            Step("a^2*sum(j, 0, f-1, relu(g[j])*h[j]*V[j,o])", "a^2 is a factor of every term"),
        ),
        twins=(
            Twin(
                "sum(j, 0, f-1, relu(a*g[j])*(a*h[j])*V[j,o])"
                " = a*sum(j, 0, f-1, relu(g[j])*h[j]*V[j,o])",
                "gate and value both carry a",
            ),
            Twin(
                "sum(j, 0, f-1, silu(a*g[j])*(a*h[j])*V[j,o])"
                " = a^2*sum(j, 0, f-1, silu(g[j])*h[j]*V[j,o])",
                "SiLU is not homogeneous",
            ),
        ),
    ),
)
