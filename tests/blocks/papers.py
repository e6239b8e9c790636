"""Latent attention and experts from the equations of their papers, in mpmath and plain loops.

Nothing of derive's pass is used; matrices are read from the checked model.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mpmath import mp, mpf

Matrix = list[list[Any]]
Read = Callable[[Any], Matrix]


def apply(w: Matrix, x: list[Any]) -> list[Any]:
    """The row x times w, as a column of equations: y_j = Σ_i x_i w_ij."""
    return [sum(x[i] * w[i][j] for i in range(len(x))) for j in range(len(w[0]))]


def rotate(x: list[Any], place: int, angles: list[Any]) -> list[Any]:
    """RoPE as a product of complex numbers, pair by pair."""
    out: list[Any] = []
    for p, angle in enumerate(angles):
        z = mp.mpc(x[2 * p], x[2 * p + 1]) * mp.expj(place * angle)
        out += [z.real, z.imag]
    return out + x[len(out) :]


def latent_attention(
    h: Matrix,
    options: Any,
    read: Read,
    norm: Callable[[Matrix, Any], Matrix],
    angles: list[Any],
    b: str,
    names: dict[str, Matrix],
) -> Matrix:
    """DeepSeek-V2, equations 9 to 19, one token after the other; without W_O."""
    heads = options["heads"]
    one = {k: read(options[k]) for k in ("W_DKV", "W_DQ", "W_KR") if k in options}
    many = {
        k: [read(w) for w in options[k]]
        for k in ("W_UK", "W_UV", "W_UQ", "W_QR", "W_Q")
        if k in options
    }
    c_kv = [apply(one["W_DKV"], row) for row in h]  # equation 9
    c_kv = norm(c_kv, options["norm_KV"])  # section 3.1.2
    c_q = h
    if "W_DQ" in one:
        c_q = norm([apply(one["W_DQ"], row) for row in h], options["norm_Q"])  # equation 12
    names[f"{b}.C_KV"] = c_kv
    k_rope: Matrix = [[] for _ in h]
    if "W_KR" in one:
        k_rope = [rotate(apply(one["W_KR"], row), t, angles) for t, row in enumerate(h)]  # 15
        names[f"{b}.K_rope"] = k_rope
    out: list[list[Any]] = [[] for _ in h]
    for i in range(heads):
        up = many["W_UQ"][i] if "W_UQ" in many else many["W_Q"][i]
        q = [apply(up, row) for row in c_q]  # equation 13
        q_rope: Matrix = [[] for _ in h]
        if "W_QR" in many:
            q_rope = [rotate(apply(many["W_QR"][i], row), t, angles) for t, row in enumerate(c_q)]
            names[f"{b}.h{i}.Q_rope"] = q_rope  # equation 14
        k = [apply(many["W_UK"][i], row) for row in c_kv]  # equation 10
        v = [apply(many["W_UV"][i], row) for row in c_kv]  # equation 11
        a, z = [], []
        for t in range(len(h)):
            seen = range(t + 1) if options["mask"] == "causal" else range(len(h))
            query = q[t] + q_rope[t]  # equation 16
            root = mp.sqrt(len(query))  # of d_h + d_h^R, equation 18
            scores = [
                sum(x * y for x, y in zip(query, k[j] + k_rope[j], strict=True)) / root
                for j in seen
            ]
            total = sum(mp.exp(s) for s in scores)
            shares = [mp.exp(s) / total for s in scores]
            a.append(shares + [mpf(0)] * (len(h) - len(shares)))
            z.append([sum(w * v[j][c] for w, j in zip(shares, seen, strict=True))
                      for c in range(len(v[0]))])  # fmt: skip
        names[f"{b}.h{i}.A"], names[f"{b}.h{i}.Z"] = a, z
        out = [row + more for row, more in zip(out, z, strict=True)]
    return out


def experts(
    x: Matrix,
    options: Any,
    read: Read,
    feed: Callable[[Matrix, Any], Matrix],
    b: str,
    names: dict[str, Matrix],
) -> Matrix:
    """Each row by itself: Mixtral (2024), section 2.1, or DeepSeek-V2, equations 20 to 22."""
    centroids = read(options["W_R"])
    top = options.get("top", 2)
    shared = options.get("shared") or ()
    weights, out = [], []
    for row in x:
        fits = apply(centroids, row)
        best = sorted(range(len(fits)), key=lambda e: (-fits[e], e))[:top]
        if options["gate"] == "top-then-softmax":
            total = sum(mp.exp(fits[e]) for e in best)
        else:
            total = sum(mp.exp(s) for s in fits)
        gates = [mp.exp(s) / total if e in best else mpf(0) for e, s in enumerate(fits)]
        y = [mpf(0)] * len(row)
        for e in best:
            (made,) = feed([row], options["experts"][e])
            y = [u + gates[e] * m for u, m in zip(y, made, strict=True)]
        for expert in shared:
            (made,) = feed([row], expert)
            y = [u + m for u, m in zip(y, made, strict=True)]
        weights.append(gates)
        out.append(y)
    names[f"{b}.router"], names[f"{b}.F"] = weights, out
    for e, expert in enumerate(options["experts"]):
        names[f"{b}.e{e}.F"] = feed(x, expert)
    for s, expert in enumerate(shared):
        names[f"{b}.shared{s}.F"] = feed(x, expert)
    return out
