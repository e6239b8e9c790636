"""Train the bundled model `mat`: python worked/train_mat.py mat.toml (some seconds).

A pre-norm transformer block with one attention head learns to say the next word of seven sentences.
Read from top to bottom: the sentences, the pass forwards, the same pass backwards (every gradient
written by hand), the training, the file (its words stand in mat.toml.in), the check of the file.

Needs numpy, a development dependency for this script alone; `derive` never imports it.  Training is
in floating point, what is shipped is exact decimals.  The weights are cut to six decimals after
every step: the last bits, in which processors differ, would grow into another model.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from string import Template

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ids = NDArray[np.int64]
Weights = dict[str, Array]

SENTENCES = """the cat sat on the mat .
a cat sat on a mat .
the dog ran to the park .
a dog ran to a park .
the dog sat on the mat .
the bird flew in the sky .
a bird flew in the sky .""".split("\n")
VOCABULARY = ". the a cat dog bird sat ran flew on to in mat park sky".split()
d, f, V = 8, 16, len(VOCABULARY)  # stream, feed-forward layer, vocabulary; d_k = d_v = d
# Seed, steps and decay come out of some thirty runs.  Nearly all predict well; in this one it is
# also easy to see why: in "the dog sat on the" the last word looks most at the verb.
EPSILON, SEED, STEPS, RATE, DECAY = 0.00001, 10, 2500, 0.01, 0.06
SHAPES: dict[str, tuple[int, ...]] = {"E": (V, d)}
SHAPES |= {name: (d, d) for name in ("W_Q", "W_K", "W_V", "W_O")}
SHAPES |= {"W_up": (d, f), "b_up": (f,), "W_down": (f, d), "b_down": (d,), "W_U": (d, V)}
SHAPES |= {f"{part}{norm}": (d,) for norm in ("1", "2", "_out") for part in ("gain", "shift")}


def positions(n: int) -> Array:
    """Sines in even slots, cosines of the same angle in the odd slots after them."""
    angle = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    return np.stack([np.sin(angle), np.cos(angle)], axis=2).reshape(n, d)


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return np.asarray(e / e.sum(axis=-1, keepdims=True))


def forward(w: Weights, ids: Ids) -> dict[str, Array]:
    """The pass, under the names of `derive`; sentences first, then tokens, then columns."""
    m: dict[str, Array] = {}

    def layernorm(x: Array, norm: str) -> Array:
        m["root" + norm] = np.sqrt(x.var(axis=-1, keepdims=True) + EPSILON)
        m["hat" + norm] = (x - x.mean(axis=-1, keepdims=True)) / m["root" + norm]
        return m["hat" + norm] * w["gain" + norm] + w["shift" + norm]

    n = ids.shape[1]
    m["X"] = w["E"][ids] + positions(n)
    m["N1"] = layernorm(m["X"], "1")
    m["Q"], m["K"], m["V"] = (m["N1"] @ w[name] for name in ("W_Q", "W_K", "W_V"))
    hidden = np.triu(np.ones((n, n), dtype=bool), k=1)  # the causal mask
    m["A"] = softmax(np.where(hidden, -np.inf, m["Q"] @ m["K"].mT / np.sqrt(d)))
    m["Z"] = m["A"] @ m["V"]
    m["H_mid"] = m["X"] + m["Z"] @ w["W_O"]
    m["N2"] = layernorm(m["H_mid"], "2")
    m["G"] = np.maximum(0, m["N2"] @ w["W_up"] + w["b_up"])
    m["H"] = m["H_mid"] + m["G"] @ w["W_down"] + w["b_down"]
    m["N_out"] = layernorm(m["H"], "_out")
    m["logits"] = m["N_out"] @ w["W_U"]
    m["probs"] = softmax(m["logits"])
    return m


def backward(w: Weights, m: dict[str, Array], ids: Ids, targets: Ids) -> Weights:
    """The gradient of the mean cross-entropy by every weight, from the logits back to E."""
    g: Weights = {}

    def matrix(x: Array, name: str, dy: Array) -> Array:
        """Through y = x W: sets the gradient of W, returns that of x."""
        g[name] = np.einsum("bni,bnj->ij", x, dy)
        return np.asarray(dy @ w[name].T)

    def layernorm(dy: Array, norm: str) -> Array:
        hat = m["hat" + norm]
        g["gain" + norm], g["shift" + norm] = (dy * hat).sum(axis=(0, 1)), dy.sum(axis=(0, 1))
        dhat = dy * w["gain" + norm]
        along = hat * (dhat * hat).mean(axis=-1, keepdims=True)
        return np.asarray((dhat - dhat.mean(axis=-1, keepdims=True) - along) / m["root" + norm])

    dlogits = (m["probs"] - np.eye(V)[targets]) / targets.size
    dH = layernorm(matrix(m["N_out"], "W_U", dlogits), "_out")
    dU = matrix(m["G"], "W_down", dH) * (m["G"] > 0)
    g["b_down"], g["b_up"] = dH.sum(axis=(0, 1)), dU.sum(axis=(0, 1))
    dH_mid = dH + layernorm(matrix(m["N2"], "W_up", dU), "2")
    dZ = matrix(m["Z"], "W_O", dH_mid)
    dA = dZ @ m["V"].mT
    dS = m["A"] * (dA - (dA * m["A"]).sum(axis=-1, keepdims=True)) / np.sqrt(d)
    dN1 = matrix(m["N1"], "W_V", m["A"].mT @ dZ)
    dN1 += matrix(m["N1"], "W_Q", dS @ m["K"]) + matrix(m["N1"], "W_K", dS.mT @ m["Q"])
    dX = dH_mid + layernorm(dN1, "1")
    g["E"] = np.zeros((V, d))
    np.add.at(g["E"], ids, dX)  # a word that stands in several places gets the sum
    return g


def start() -> Weights:
    """Gains 1, shifts and biases 0, matrices normal with variance 1 / rows (E: 1 / 4)."""
    draw = np.random.RandomState(SEED)  # the old generator: its draws are frozen for good
    w = {}
    for name, shape in SHAPES.items():
        size = 0.5 if name == "E" else shape[0] ** -0.5
        drawn = draw.normal(0, size, shape) if len(shape) == 2 else np.zeros(shape)
        w[name] = drawn + name.startswith("gain")
    return w


def train(ids: Ids, targets: Ids) -> Weights:
    """Adam on all sentences at once; the rate sinks to 0, and matrices decay towards 0."""
    w = start()
    mean, square = ({name: np.zeros_like(x) for name, x in w.items()} for _ in range(2))
    for step in range(1, STEPS + 1):
        rate = RATE * (1 - (step - 1) / STEPS)
        for name, g in backward(w, forward(w, ids), ids, targets).items():
            mean[name] += 0.1 * (g - mean[name])
            square[name] += 0.001 * (g * g - square[name])
            spread = np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8
            move = mean[name] / (1 - 0.9**step) / spread + DECAY * w[name] * (g.ndim == 2)
            w[name] = np.round(w[name] - rate * move, 6)
    return w


def write(w: Weights, path: Path) -> None:
    """The model file: mat.toml.in with the weights put in, each with two decimals."""
    text = {}
    for name, value in w.items():
        rounded = np.round(np.atleast_2d(value), 2) + 0.0  # + 0.0 makes -0.00 plain 0.00
        rows = ["[" + ", ".join(f"{x:5.2f}" for x in row) + "]" for row in rounded]
        words = [f"  # {word}" for word in VOCABULARY] if name == "E" else [""] * len(rows)
        lines = [f"    {row},{word}\n" for row, word in zip(rows, words, strict=True)]
        text[name] = rows[0] if value.ndim == 1 else f"[\n{''.join(lines)}]"
    frame = Path(__file__).with_name("mat.toml.in").read_text(encoding="utf-8")
    path.write_text(Template(frame).substitute(text), encoding="utf-8")


def read(path: Path) -> Weights:
    """The weights out of the file, so that what is checked is what is shipped."""
    model = tomllib.loads(path.read_text(encoding="utf-8"))
    block = model["block"][0]
    tables = model["embedding"] | block["attention"] | block["ffn"] | model["output"]
    for n, norm in ("1", block["norm1"]), ("2", block["norm2"]), ("_out", tables["norm"]):
        tables |= {"gain" + n: norm["gain"], "shift" + n: norm["shift"]}
    return {name: np.array(tables[name], dtype=float) for name in SHAPES}


def numbers(text: str) -> Ids:
    return np.array([[VOCABULARY.index(word) for word in text.split()]])


def check(w: Weights) -> list[str]:
    """A line for each beginning of a sentence; stops where a determined word is missed."""
    follow: dict[str, set[str]] = {}
    for words in map(str.split, SENTENCES):
        for n in range(1, len(words)):
            follow.setdefault(" ".join(words[:n]), set()).add(words[n])
    lines = []
    for prefix in sorted(follow):
        m = forward(w, numbers(prefix))
        logits, chances, weights, G = (m[name][0, -1] for name in ("logits", "probs", "A", "G"))
        best = logits.argsort()[:-4:-1]  # the three highest
        ahead = logits[best[0]] - logits[best[1]]
        said = ", ".join(f"{VOCABULARY[i]} {chances[i]:.2%}" for i in best)
        determined = len(follow[prefix]) == 1
        least = 0.995 if determined else 0.0  # a determined word's chance prints as 100 %
        if VOCABULARY[best[0]] not in follow[prefix] or chances[best[0]] < least or ahead == 0:
            raise SystemExit(f"after {prefix!r}: {said}, and not {follow[prefix]}")
        state = f"ahead by {ahead:4.2f}" if determined else "open         "
        looks = f"looks most at {prefix.split()[weights.argmax()]} {weights.max():.0%}"
        lines.append(f"{prefix:<24} {state}  {said}; {looks}; {(G == 0).sum()} of {f} off")
    return lines


def main(path: Path) -> None:
    text = np.concatenate([numbers(sentence) for sentence in SENTENCES])
    ids, targets = text[:, :-1], text[:, 1:]  # after every word, the next one
    write(train(ids, targets), path)
    w = read(path)
    loss = -np.log(np.take_along_axis(forward(w, ids)["probs"], targets[..., None], axis=-1))
    head = f"loss {loss.mean():.4f}, largest weight {max(abs(x).max() for x in w.values()):.2f}"
    sys.stdout.write("\n".join([head, *check(w), ""]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
