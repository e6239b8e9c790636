"""One attention layer: heads wired from projections to weighted values, then W_O."""

from __future__ import annotations

from derive.blocks.flash import flash
from derive.blocks.latent import Latent, Turned, is_latent
from derive.blocks.masks import masked
from derive.blocks.parts import given, norm, of_head, projection
from derive.blocks.weights import weights
from derive.graph import Graph
from derive.line import Num, Shown, from_text
from derive.model.heads import Heads, heads_of
from derive.model.section import Section
from derive.operation import Operation, size
from derive.ops import (
    AveragedHeads,
    Concatenation,
    Rope,
    RopeClockwise,
    RopeHalves,
    RopeHalvesClockwise,
    Scale,
    Scores,
    SoftCap,
    WeightedValues,
)
from derive.ops.rope import frequency

WORDS = {"Q": "query projection", "K": "key projection", "V": "value projection"}
Names = list[str | None]


def attention(
    graph: Graph, block: str, options: Section, position: Section, x: str | None
) -> str | None:
    """The result of the attention layer that reads x: O, or the heads without W_O."""
    heads = heads_of(options)
    for number in range(heads.queries):
        graph.addresses.kv_of[block, f"h{number}"] = f"kv{heads.kv_of(number)}"
    asking = [f"{block}.h{number}" for number in range(heads.queries)]
    shared = [f"{block}.kv{number}" for number in range(heads.kv)]
    memory = options["reads"] == "memory"
    if memory:  # two sequences have no common positions
        position = Section({"kind": "none"})
    read = graph.existing("X_mem") if memory else x
    latent: Latent | None = None
    if is_latent(graph, block, options):
        rope = position["kind"] == "rope"
        turn: Turned | None = (lambda y, name: _turned(graph, position, y, name)) if rope else None
        latent = Latent(graph, block, options, heads, turn)
        q, k, v = latent.rows(x, read)
    else:
        q = [_projected(graph, place, "Q", options, at, x) for at, place in enumerate(asking)]
        k, v = _keys_and_values(graph, block, options, heads, read)
        q = _normed(graph, block, options, q, asking, "Q")
        k = _normed(graph, block, options, k, shared, "K")
        turned = [
            [_turned(graph, position, y, f"{place}.{name}") for place, y in zip(*rows, strict=True)]
            for name, rows in (("Q_rot", (asking, q)), ("K_rot", (shared, k)))
        ]
        q, k = turned
    z: Names = []
    for number, head in enumerate(asking):
        kv = heads.kv_of(number)
        values = v[kv]
        if latent:
            raw, letters = latent.scores(number), latent.letters(number)
        else:
            raw = _raw_scores(q[number], k[kv])
            letters = _letters(graph, q[number], k[kv], values)
        scores = _scores(graph, head, options, heads, raw, letters)
        scores = masked(graph, head, options, position, heads, scores)
        a = weights(graph, head, options, scores)
        flash(graph, head, options, scores, values)
        mixed: Operation | None = None
        if latent:
            mixed = latent.values(number, a)
        elif a and values:
            mixed = WeightedValues(a=a, v=values)
        if isinstance(mixed, WeightedValues):
            mixed.letter = graph.read_rows(head)
        z.append(graph.add(f"{head}.Z", mixed))
    return _output(graph, block, options, z)


def _output(graph: Graph, block: str, options: Section, heads: Names) -> str | None:
    """The heads side by side, and what W_O makes of them."""
    there = [z for z in heads if z]
    inner, both = "d_v", None
    if len(heads) > 1:
        inner = "h·d_v"
        both = Concatenation(*there) if len(there) == len(heads) else None
        z = graph.add(f"{block}.Z_cat", both)
    else:
        z = graph.add(f"{block}.Z_cat", None) or heads[0]
    w, b = (given(graph, f"{block}.{key}_O", options.get(f"{key}_O")) for key in "Wb")
    return projection(graph, f"{block}.O", "output projection", inner, z, w, b) or z


def _projected(
    graph: Graph, place: str, letter: str, options: Section, number: int, x: str | None
) -> str | None:
    """Queries, keys or values of one head."""
    w, b = (
        given(graph, f"{place}.{key}_{letter}", of_head(options, f"{key}_{letter}", number))
        for key in "Wb"
    )
    return projection(graph, f"{place}.{letter}", WORDS[letter], "d", x, w, b)


def _keys_and_values(
    graph: Graph, block: str, options: Section, heads: Heads, x: str | None
) -> tuple[Names, Names]:
    """Keys and values of each KV head; where heads share them, of the mean weights."""
    found: dict[str, Names] = {"K": [], "V": []}
    if heads.shared:
        for letter in "KV":
            for k in range(heads.queries):
                for key in (f"W_{letter}", f"b_{letter}"):
                    given(graph, f"{block}.h{k}.{key}", of_head(options, key, k))
    for k in range(heads.kv):
        for letter, rows in found.items():
            place = f"{block}.kv{k}"
            if heads.shared:
                rows.append(_of_mean(graph, place, letter, heads.readers(k), x))
            else:
                rows.append(_projected(graph, place, letter, options, k, x))
    return found["K"], found["V"]


def _of_mean(
    graph: Graph, place: str, letter: str, readers: tuple[int, ...], x: str | None
) -> str | None:
    """Keys or values whose weights are the mean of those of a group of heads."""
    block = place.rpartition(".")[0]
    found = []
    for key in (f"W_{letter}", f"b_{letter}"):
        names = [f"{block}.h{k}.{key}" for k in readers]
        found.append(graph.add(f"{place}.{key}", AveragedHeads(*names)))
    w, b = found
    return projection(graph, f"{place}.{letter}", WORDS[letter], "d", x, w, b)


def _normed(
    graph: Graph, block: str, options: Section, rows: Names, places: list[str], letter: str
) -> Names:
    """Queries or keys, each row normalised; gain and shift are the same for all heads."""
    return [
        norm(graph, f"{place}.{letter}_norm", options["qk_norm"], x, given_as=f"{block}.qk_norm")
        for place, x in zip(places, rows, strict=True)
    ]


def _turned(graph: Graph, position: Section, x: str | None, name: str) -> str | None:
    """Queries or keys after RoPE; as they are where the model has no RoPE."""
    if x is None or position["kind"] != "rope":
        return graph.add(name, None) or x
    kind = ROPES[position.get("layout") == "halves", position["clockwise"]]
    each = angles(position, graph.matrices[x].shape[1])
    return graph.add(name, kind(each, position["first"], x=x))


ROPES = {
    (False, False): Rope,
    (True, False): RopeHalves,
    (False, True): RopeClockwise,
    (True, True): RopeHalvesClockwise,
}


def angles(position: Section, width: int) -> tuple[Shown, ...]:
    """Radians per position of each pair of columns that turns, in a head of this width."""
    if position.get("angles"):
        return tuple(map(from_text, position["angles"]))
    from derive.model.exact_numbers import rational

    turned = int((rational(position["fraction"]) or 1) * width)
    base = from_text(position["base"])
    return tuple(frequency(base, p, turned) for p in range(turned // 2))


def _raw_scores(q: str | None, k: str | None) -> Operation | None:
    return Scores(q=q, k=k) if q and k else None


def _scores(
    graph: Graph,
    head: str,
    options: Section,
    heads: Heads,
    raw: Operation | None,
    letters: dict[str, Shown],
) -> str | None:
    """Raw scores, scaled and softly capped where the model says so."""
    s = graph.add(f"{head}.S", raw)
    name, cap = f"{head}.S_scaled", options["soft_cap"]
    factor: Shown = Num(1)
    if letters:
        factor = from_text(options["scale"], {**letters, **_counts(graph, heads)})
    scale = Scale(factor, s=s) if s and factor != Num(1) else None
    if cap == "none":
        return graph.add(name, scale) or s
    s = graph.add(f"{name}.raw", scale) or s
    capped = SoftCap(from_text(cap), x=s) if s else None
    if capped:
        capped.meaning = "scores after scaling and soft cap"
    return graph.add(name, capped)


def _letters(graph: Graph, q: str | None, k: str | None, v: str | None) -> dict[str, Shown]:
    """The sizes of queries, keys and values, which a scale may use."""
    if not q or not k:
        return {}
    known = {"k": ("d_k", graph.matrices[q].shape[1]), "n": ("n", graph.matrices[k].shape[0])}
    if v is not None:
        known["v"] = ("d_v", graph.matrices[v].shape[1])
    return {letter: size(name, n) for letter, (name, n) in known.items()}


def _counts(graph: Graph, heads: Heads) -> dict[str, Shown]:
    """The other letters of a scale: heads, and the width of the stream."""
    known: dict[str, Shown] = {"h": size("h", heads.queries), "g": size("g", heads.kv)}
    if graph.model.sizes.get("d"):
        known["d"] = size("d", graph.model.sizes["d"])
    return known
