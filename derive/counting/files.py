"""A SPEC file or a MODEL as a transformer to be counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from derive.counting.architecture import FFN, Architecture, Attention, Layers, Tensor
from derive.counting.polynomial import Poly
from derive.counting.presets import PRESETS
from derive.counting.settings import from_table
from derive.counting.spec import Spec, make
from derive.errors import DeriveError
from derive.model import Model, Section, load
from derive.model.bundled import bundled_names
from derive.model.document import decode, read_document
from derive.text import nearest

MODEL_KEYS = {"block", "embedding", "extends", "tokens", "vocabulary", "ids", "text", "output"}
MODEL_SETTINGS = (
    "tokens",
    "batch",
    "bytes",
    "optimizer-bytes",
    "causal",
    "tile-q",
    "tile-k",
    "devices",
)


def from_file(source: str, settings: Mapping[str, str]) -> Spec:
    """The spec of a bundled model, of a model file or of a short file of sizes.

    Raises DeriveError, with the nearest name where it is none of them.
    """
    if source in bundled_names():
        return of_model(load(source), settings)
    path = Path(source)
    if source != "-" and not path.is_file():
        known = (*PRESETS, *bundled_names())
        near = nearest(source, known)
        hint = f"; nearest: {near}" if near else ""
        raise DeriveError(
            f"no transformer {source[:60]!r}: expected a preset ({', '.join(PRESETS)}), "
            f"a bundled model or a file{hint}"
        )
    if source == "-":
        return of_model(load(source), settings)
    document = read_document(decode(path.read_bytes(), path.name), path.name)
    if MODEL_KEYS & set(document.data):
        tables = ("block", "embedding", "output", "extends")
        if any(key in document.data for key in tables) or "d_model" not in document.data:
            if not any(isinstance(document.data.get("tokens"), kind) for kind in (int, str)):
                return of_model(load(source), settings)
    return from_table(document.data, path.name, settings)


def of_model(model: Model, settings: Mapping[str, str]) -> Spec:
    """The sizes of a model file, each block for itself.

    Counting options (tokens, batch, bytes, tiles) may be given on top; sizes of weights can't.
    """
    wrong = [name for name in settings if name not in MODEL_SETTINGS]
    if wrong:
        raise DeriveError(
            f"--{wrong[0]}: the model {model.name} has its own sizes; expected one of "
            f"{', '.join(MODEL_SETTINGS)}"
        )
    base = make(settings)
    tokens = model.tokens or model.ids
    n = len(tokens) if tokens else model.sizes.get("n")
    values = {"n": Poly.of(int(n))} if n is not None else {}
    causal = any(b["attention"]["mask"] == "causal" for b in model.blocks if b.get("attention"))
    if "causal" in settings:
        causal = settings["causal"] == "true"
    architecture = _architecture(model, causal)
    return Spec(base.sizes, base.choices, model.title, model.source, (architecture, values))


COMPONENTS = {  # a weight of a model file: the line of a count that it belongs to
    **{"E": "token embedding", "E_type": "token types", "P": "position embedding"},
    **{"W_Q": "query projection", "W_K": "key projection", "W_V": "value projection"},
    **{"W_O": "output projection", "W_gate": "FFN gate", "W_up": "FFN up"},
    **{"W_down": "FFN down", "W_U": "unembedding", "b_U": "unembedding bias"},
    **{"W_DKV": "key/value compression", "W_UK": "key decompression", "W_DQ": "query compression"},
    **{"W_UV": "value decompression", "W_UQ": "query decompression", "W_QR": "rotary queries"},
    **{"W_KR": "rotary keys", "W_R": "router"},
    **dict.fromkeys(("b_Q", "b_K", "b_V", "b_O"), "attention biases"),
    **dict.fromkeys(("b_gate", "b_up", "b_down"), "FFN biases"),
}
NORMS = ("norm1", "norm2", "post1", "post2", "branch1", "branch2")


def _architecture(model: Model, causal: bool) -> Architecture:
    tensors = tuple(_tensors(model))
    shapes = {t.name: t.shape for t in tensors}
    rows = model.embedding.get("X")
    table = model.embedding.get("E")
    d = Poly.of(len((rows or table or ((),))[0]))
    vocab = shapes.get("W_U", (d, Poly.of(len(table or ()))))[1]
    tied = model.output is not None and bool(model.embedding.get("tied"))
    return Architecture(
        width=d,
        vocab=vocab,
        positions=Poly.of(0),
        types=Poly.of(0),
        layers=tuple(_layer(block) for block in model.blocks),
        norm="rmsnorm" if any(_active(block.get(x)) for block in model.blocks for x in NORMS)
        else "none",
        final_norm=model.output is not None and _active(model.output.get("norm")),
        unembedding="tied" if tied else "untied" if "W_U" in shapes else "none",
        causal=causal,
        given=tensors,
    )  # fmt: skip


def _tensors(model: Model) -> Iterator[Tensor]:
    """The weights that a model file gives, shape by shape, in the order of the pass."""
    yield from _all_of(model.embedding)
    yield from _all_of(model.position)
    yield from _norm(model.embedding.get("norm"), "embedding.norm", "embedding norm")
    for k, block in enumerate(model.blocks):
        yield from _of_block(block, f"b{k}.")
    if model.memory is not None:
        yield from _all_of(model.memory, "mem.")
        yield from _norm(model.memory.get("norm"), "mem.norm", "encoder norm")
        for k, block in enumerate(model.memory.get("blocks") or ()):
            yield from _of_block(block, f"mem.b{k}.")
    if model.output is not None:
        yield from _norm(model.output.get("norm"), "output.norm", "final norm")
        yield from _all_of(model.output)


def _of_block(block: Section, prefix: str) -> Iterator[Tensor]:
    for name in NORMS:
        yield from _norm(block.get(name), prefix + name, "norms")
    if attention := block.get("attention"):
        yield from _norm(attention.get("qk_norm"), f"{prefix}Q_norm", "query and key norms")
        for name in ("norm_KV", "norm_Q"):
            yield from _norm(attention.get(name), prefix + name, "norms of compressed rows")
        yield from _all_of(attention, prefix)
    if ffn := block.get("ffn"):
        yield from _all_of(ffn, prefix)
        for kind, letter in (("experts", "e"), ("shared", "shared")):
            for number, expert in enumerate(ffn.get(kind) or ()):
                yield from _all_of(expert, f"{prefix}{letter}{number}.")


def _weight(name: str, component: str, matrix: Any, copies: int = 1) -> Tensor:
    rows, columns = len(matrix), len(matrix[0])
    vector = rows == 1 and (name.rpartition(".")[2][0] == "b" or "norm" in name or "post" in name)
    shape = tuple(map(Poly.of, (columns,) if vector else (rows, columns)))
    return Tensor(name, component, shape, Poly.of(copies), Poly.of(copies))


def _all_of(section: Any, prefix: str = "") -> Iterator[Tensor]:
    for name, component in COMPONENTS.items():
        matrix = section.get(name) if section else None
        if matrix and isinstance(matrix[0][0], tuple):  # one for each head
            yield _weight(f"{prefix}{name}", component, matrix[0], len(matrix))
        elif matrix:
            yield _weight(f"{prefix}{name}", component, matrix)


def _norm(section: Any, name: str, component: str) -> Iterator[Tensor]:
    for part in ("gain", "shift") if _active(section) else ():
        if matrix := section.get(part):
            yield _weight(f"{name}.{part}", component, matrix)


def _active(section: Any) -> bool:
    return bool(section) and section["kind"] != "none"


def _layer(block: Section) -> Layers:
    norms = sum(_active(block.get(name)) for name in NORMS)
    return Layers(Poly.of(1), _attention(block), _ffn(block.get("ffn")), norms)


def _attention(block: Section) -> Attention | None:
    x, sizes = block.get("attention"), block["sizes"]
    if x is None or "k" not in sizes:
        return None
    window = x.get("window")
    return Attention(
        heads=Poly.of(x["heads"]),
        kv_heads=Poly.of(x.get("kv_heads") or x["heads"]),
        key=Poly.of(sizes["k"]),
        value=Poly.of(sizes.get("v", sizes["k"])),
        window=Poly.of(window) if isinstance(window, int) else None,
    )


def _ffn(x: Section | None) -> FFN | None:
    if x is None or x.get("W_up") is None:
        return None
    return FFN(Poly.of(len(x["W_up"][0])), bool(x.get("gated")))
