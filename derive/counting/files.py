"""A SPEC file or a MODEL as a transformer to be counted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from derive.counting.architecture import FFN, Architecture, Attention, Layers
from derive.counting.polynomial import Poly
from derive.counting.presets import PRESETS
from derive.counting.settings import from_table
from derive.counting.spec import Spec
from derive.errors import DeriveError
from derive.model import Model, Section, load
from derive.model.bundled import bundled_names
from derive.model.document import decode, read_document
from derive.text import nearest

MODEL_KEYS = {"block", "embedding", "extends", "tokens", "vocabulary", "ids", "text", "output"}
MODEL_SETTINGS = ("tokens", "batch", "bytes", "optimizer-bytes", "causal", "tile-q", "tile-k", "devices")


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
    from derive.counting.spec import make

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


def _architecture(model: Model, causal: bool) -> Architecture:
    embedding, output = model.embedding, model.output
    d = _columns(embedding.get("X")) or _columns(embedding.get("E")) or model.sizes.get("d") or 0
    table = embedding.get("E")
    unembedding = "none"
    if output is not None:
        tied = embedding.get("tied", False)
        unembedding = "tied" if tied else "untied" if output.get("W_U") else "none"
    norms = {_kind(section) for section in _norms(model)} - {"none"}
    if len(norms) > 1:
        raise DeriveError(f"{model.name}: has two kinds of norm; expected one")
    return Architecture(
        width=Poly.of(int(d)),
        vocab=Poly.of(len(table) if table else _columns(output.get("W_U")) if output else 0),
        positions=Poly.of(len(model.position.get("P") or ())),
        types=Poly.of(len(embedding.get("E_type") or ())),
        layers=tuple(_layer(block) for block in model.blocks),
        norm=norms.pop() if norms else "none",  # type: ignore[arg-type]
        embedding_norm=_has(embedding.get("norm")),
        final_norm=output is not None and _has(output.get("norm")),
        unembedding=unembedding,  # type: ignore[arg-type]
        unembedding_bias=output is not None and bool(output.get("b_U")),
        causal=causal,
    )


def _norms(model: Model) -> list[Any]:
    names = ("norm1", "norm2", "post1", "post2", "branch1", "branch2")
    found = [block.get(name) for block in model.blocks for name in names]
    return [*found, model.embedding.get("norm"), model.output.get("norm") if model.output else None]


def _kind(section: Any) -> str:
    """A norm counts where it has something learned: rmsnorm a gain, layernorm a shift too."""
    if not section or section["kind"] == "none" or section.get("gain") is None:
        return "none"
    return "layernorm" if section.get("shift") is not None else "rmsnorm"


def _has(section: Any) -> bool:
    return _kind(section) != "none"


def _columns(matrix: Any) -> int:
    return len(matrix[0]) if matrix else 0


def _layer(block: Section) -> Layers:
    names = ("norm1", "norm2", "post1", "post2", "branch1", "branch2")
    return Layers(
        Poly.of(1),
        _attention(block.get("attention")),
        _ffn(block.get("ffn")),
        sum(_has(block.get(name)) for name in names),
    )


def _attention(x: Section | None) -> Attention | None:
    if x is None:
        return None
    heads = x["heads"]
    kv = x.get("kv_heads") or heads
    keys, values = x.get("W_K"), x.get("W_V")
    if keys is None or values is None:
        return None
    given = heads if x["share"] == "mean" else kv
    window = x.get("window")
    has = [x.get(name) is not None for name in ("b_Q", "b_K", "b_V", "b_O")]
    return Attention(
        heads=Poly.of(heads),
        kv_heads=Poly.of(given),
        key=Poly.of(_columns(keys[0])),
        value=Poly.of(_columns(values[0])),
        bias="all" if all(has) else "qkv" if all(has[:3]) else "none",
        qk_norm=_has(x.get("qk_norm")),
        window=Poly.of(window) if isinstance(window, int) else None,
    )


def _ffn(x: Section | None) -> FFN | None:
    if x is None or x.get("W_up") is None:
        return None
    return FFN(
        Poly.of(_columns(x["W_up"])), bool(x.get("gated")), x.get("b_up") is not None
    )
