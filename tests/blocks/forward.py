"""A forward pass of its own in mpmath, to compare with: plain loops, no code of derive's pass.

It reads the checked numbers and options of a model and gives its matrices by full name.
"""

from __future__ import annotations

from typing import Any

from mpmath import mp, mpf

from derive.model import Model
from derive.text import tree
from tests.blocks.papers import experts, latent_attention

Matrix = list[list[Any]]
HIDDEN = mpf("-inf")


def number(x: Any, **letters: int) -> Any:
    """A number of a model file by mpmath's functions."""
    match x:
        case tree.Number(p, q):
            return mpf(p) / q
        case tree.Negative(part):
            return -number(part, **letters)
        case tree.Name(name):
            return mpf(letters[name])
        case tree.Constant(name):
            return mp.inf if name == "inf" else getattr(mp, name)
        case tree.Call("sqrt", (part,)):
            return mp.sqrt(number(part, **letters))
        case tree.Binary(op, left, right):
            one, other = number(left, **letters), number(right, **letters)
            return {"+": one + other, "-": one - other, "*": one * other, "/": one / other}[op]
    raise AssertionError(x)


def read(rows: Any) -> Matrix:
    return [[number(x) for x in row] for row in rows]


def times(a: Matrix, b: Matrix) -> Matrix:
    columns = list(zip(*b, strict=True))
    return [[sum(x * y for x, y in zip(row, c, strict=True)) for c in columns] for row in a]


def plus(*parts: Matrix) -> Matrix:
    return [[sum(xs) for xs in zip(*rows, strict=True)] for rows in zip(*parts, strict=True)]


def linear(x: Matrix, w: Any, b: Any) -> Matrix:
    out = times(x, read(w))
    return [[u + v for u, v in zip(row, read(b)[0], strict=True)] for row in out] if b else out


def norm(x: Matrix, options: Any) -> Matrix:
    if options["kind"] == "none":
        return x
    eps, d = number(options["eps"]), len(x[0])
    gain, shift = (read(options[k])[0] if k in options else None for k in ("gain", "shift"))
    out = []
    for row in x:
        mean = sum(row) / d if options["kind"] == "layernorm" else mpf(0)
        below = d - (options["variance"] == "sample" and options["kind"] == "layernorm")
        spread = sum((u - mean) ** 2 for u in row) / below
        root = mp.sqrt(spread + eps) if options["eps_at"] == "inside" else mp.sqrt(spread) + eps
        new = [(u - mean) / root for u in row]
        new = [u * g for u, g in zip(new, gain, strict=True)] if gain else new
        out.append([u + s for u, s in zip(new, shift, strict=True)] if shift else new)
    return out


def activation(kind: str, u: Any, slope: Any) -> Any:
    cdf = (1 + mp.erf(u / mp.sqrt(2))) / 2
    inner = mp.sqrt(2 / mp.pi) * (u + mpf("0.044715") * u**3)
    return {
        "relu": lambda: u if u > 0 else mpf(0),
        "leaky_relu": lambda: u if u > 0 else slope * u,
        "gelu": lambda: u * cdf,
        "gelu_tanh": lambda: u / 2 * (1 + mp.tanh(inner)),
        "gelu_sigmoid": lambda: u / (1 + mp.exp(mpf("-1.702") * u)),
        "silu": lambda: u / (1 + mp.exp(-u)),
        "sigmoid": lambda: 1 / (1 + mp.exp(-u)),
        "tanh": lambda: mp.tanh(u),
        "identity": lambda: u,
    }[kind]()


def turned(x: Matrix, position: Any) -> Matrix:
    """RoPE as a product of complex numbers."""
    if position["kind"] != "rope":
        return x
    k = len(x[0])
    r = int(number(position["fraction"]) * k)
    half = r // 2
    base = number(position["base"])
    angles = [base ** (mpf(-2 * p) / r) for p in range(half)]
    if "angles" in position:
        angles = [number(a) for a in position["angles"]]
    out = []
    for i, row in enumerate(x):
        new = list(row)
        for p, angle in enumerate(angles):
            a, b = (p, p + half) if position.get("layout") == "halves" else (2 * p, 2 * p + 1)
            sign = -1 if position["clockwise"] else 1
            z = mp.mpc(row[a], row[b]) * mp.expj(sign * (position["first"] + i) * angle)
            new[a], new[b] = z.real, z.imag
        out.append(new)
    return out


def embedded(model: Model, options: Any, ids: Any) -> Matrix:
    position = model.position
    if "X" in options:
        return read(options["X"])
    table, d = read(options["E"]), len(options["E"][0])
    scale = number(options["scale"], d=d)
    x = [[scale * u for u in table[t]] for t in ids or ()]
    first = position["first"]
    if position["kind"] == "learned":
        x = plus(x, read(position["P"])[first : first + len(x)])
    if position["kind"] == "sinusoidal":
        x = plus(x, [[wave(first + i, j, d, position) for j in range(d)] for i in range(len(x))])
    if "E_type" in options and ids is model.ids:
        types = read(options["E_type"])
        x = plus(x, [types[t] for t in options["type_ids"]])
    return norm(x, options["norm"])


def wave(place: int, j: int, d: int, position: Any) -> Any:
    pair, second = divmod(j, 2)
    if position.get("layout") == "blocks":
        pair, second = j % ((d + 1) // 2), j // ((d + 1) // 2)
    angle = place * number(position["base"]) ** (mpf(-2 * pair) / d)
    return mp.cos(angle) if second else mp.sin(angle)


def open_at(options: Any, i: int, j: int) -> bool:
    mask, window = options["mask"], options["window"]
    if mask == "causal" and j > i:
        return False
    if not isinstance(mask, str) and read(mask)[i][j] != 0:
        return False
    if window != "none" and abs(i - j) >= window:
        return False
    return not ("padding" in options and options["padding"][j])


def shares(scores: list[Any], options: Any) -> list[Any]:
    kind = options["weights"]
    seen = [s for s in scores if s != HIDDEN]
    if kind == "hard":
        best = [abs(s - max(seen)) < mpf(10) ** -40 if s != HIDDEN else False for s in scores]
        return [mpf(b) / sum(best) for b in best]
    if kind == "softmax":
        base = number(options["base"])
        parts = [mpf(0) if s == HIDDEN else base**s for s in scores]
    else:
        parts = [mpf(0) if s == HIDDEN or (kind == "relu" and s < 0) else s for s in scores]
    return [p / sum(parts) for p in parts]


def attention(
    x: Matrix, options: Any, position: Any, names: dict[str, Matrix], b: str, memory: Matrix
) -> Matrix:
    if "W_DKV" in options:
        width = len(options["W_KR"][0]) if "W_KR" in options else 0
        base = number(position["base"])
        angles = [base ** (mpf(-2 * p) / width) for p in range(width // 2)]  # RoPE, equation 15
        if "angles" in position:
            angles = [number(a) for a in position["angles"]]
        angles = angles if position["kind"] == "rope" else []
        z = latent_attention(x, options, read, norm, angles, b, names)
        return linear(z, options["W_O"], options.get("b_O")) if "W_O" in options else z
    source = x
    if options["reads"] == "memory":  # no common order: no RoPE, no ALiBi
        source, position = memory, {"kind": "none"}
    h = options["heads"]
    g = options.get("kv_heads", h)
    kv_of = [i % g if options["kv_map"] == "interleaved" else i // (h // g) for i in range(h)]
    kv: dict[str, list[Matrix]] = {}
    for letter in "KV":
        biases = options.get(f"b_{letter}")
        rows = [
            linear(source, w, biases[i] if biases else None)
            for i, w in enumerate(options[f"W_{letter}"])
        ]
        if options["share"] == "mean":  # the mean of linear maps is the map of the mean
            groups = [[r for i, r in enumerate(rows) if kv_of[i] == k] for k in range(g)]
            rows = [[[u / len(group) for u in row] for row in plus(*group)] for group in groups]
        kv[letter] = rows
    out: list[Matrix] = []
    for i in range(h):
        biases = options.get("b_Q")
        q = linear(x, options["W_Q"][i], biases[i] if biases else None)
        q, k = (turned(norm(y, options["qk_norm"]), position) for y in (q, kv["K"][kv_of[i]]))
        letters = {"k": len(q[0]), "n": len(x), "d": len(x[0]), "h": h, "g": g}
        scale = number(options["scale"], **letters)
        a = []
        for r, row in enumerate(q):
            scores = [score(row, other, scale, options) for other in k]
            if position["kind"] == "alibi":
                given = position.get("slopes")
                slope = number(given[i]) if given else mpf(2) ** (mpf(-8 * (i + 1)) / h)
                scores = [s - slope * abs(r - c) for c, s in enumerate(scores)]
            scores = [s if open_at(options, r, c) else HIDDEN for c, s in enumerate(scores)]
            a.append(shares(scores, options))
        names[f"{b}.h{i}.A"] = a
        out.append(times(a, kv["V"][kv_of[i]]))
        names[f"{b}.h{i}.Z"] = out[-1]
    z = [[u for row in rows for u in row] for rows in zip(*out, strict=True)]
    return linear(z, options["W_O"], options.get("b_O")) if "W_O" in options else z


def score(q: list[Any], k: list[Any], scale: Any, options: Any) -> Any:
    s = scale * sum(a * b for a, b in zip(q, k, strict=True))
    if options["soft_cap"] == "none":
        return s
    cap = number(options["soft_cap"])
    return cap * mp.tanh(s / cap)


def ffn(x: Matrix, options: Any, names: dict[str, Matrix] | None = None, b: str = "") -> Matrix:
    if options.get("experts"):
        alone = {k: options[k] for k in ("activation", "gated", "after", "slope") if k in options}
        feed = lambda rows, own: ffn(rows, {**alone, **own})  # noqa: E731
        return experts(x, options, read, feed, b, names if names is not None else {})
    slope = number(options["slope"]) if "slope" in options else mpf(1) / 100
    kind = options["activation"]
    up = linear(x, options["W_up"], options.get("b_up"))
    if options["gated"]:
        gate = linear(x, options["W_gate"], options.get("b_gate"))
        inside = [
            [activation(kind, a, slope) * b for a, b in zip(r, s, strict=True)]
            for r, s in zip(gate, up, strict=True)
        ]
    else:
        inside = [[activation(kind, u, slope) for u in row] for row in up]
    out = linear(inside, options["W_down"], options.get("b_down"))
    if options["after"] == "none":
        return out
    return [[activation(options["after"], u, slope) for u in row] for row in out]


def stack(
    x: Matrix, blocks: Any, position: Any, names: dict[str, Matrix], before: str, memory: Matrix
) -> Matrix:
    """Block after block."""
    for number_, options in enumerate(blocks):
        b = f"{before}b{number_}"
        adds, start = options["residual"], x
        first = norm(x, options["norm1"])
        if options["attention"] is not None:
            branch = attention(first, options["attention"], position, names, b, memory)
            branch = norm(branch, options["branch1"])
            x = norm(plus(x, branch) if adds[0] else branch, options["post1"])
            names[f"{b}.H_mid"] = x
        if options["ffn"] is not None:
            source = norm(x, options["norm2"])
            if options["parallel"]:
                alone = options["norm2"]["kind"] == "none"
                source = first if alone else norm(start, options["norm2"])
            branch = norm(ffn(source, options["ffn"], names, b), options["branch2"])
            x = norm(plus(x, branch) if adds[1] else branch, options["post2"])
        names[f"{b}.H"] = x
    return x


def forward(model: Model) -> dict[str, Matrix]:
    """The matrices of the model to 50 digits."""
    with mp.workdps(50):
        x = embedded(model, model.embedding, model.ids)
        names = {"X": x}
        memory: Matrix = []
        if model.memory is not None:
            own = model.memory
            table = {**model.embedding, **{k: own[k] for k in ("X", "E") if k in own}}
            memory = embedded(model, table, own.get("ids"))
            if own["blocks"]:
                names["mem.X"] = memory
            memory = stack(memory, own["blocks"], model.position, names, "mem.", [])
            memory = norm(memory, own["norm"])
            names["X_mem"] = memory
        x = stack(x, model.blocks, model.position, names, "", memory)
        if model.output is not None:
            out = model.output
            w = out.get("W_U") or tuple(zip(*model.embedding["E"], strict=True))
            logits = linear(norm(x, out["norm"]), w, out.get("b_U"))
            if out["soft_cap"] != "none":
                cap = number(out["soft_cap"])
                logits = [[cap * mp.tanh(u / cap) for u in row] for row in logits]
            names["logits"] = logits
            heat = number(out["temperature"])
            powers = [[mp.exp(u / heat) for u in row] for row in logits]
            names["probs"] = [[u / sum(row) for u in row] for row in powers]
        return names
