"""Every weight of a transformer: its name, its shape, how often it is there."""

from __future__ import annotations

from collections.abc import Iterator

from derive.counting.architecture import FFN, Architecture, Attention, Layers, Tensor
from derive.counting.polynomial import Poly


def weights(a: Architecture) -> tuple[Tensor, ...]:
    """Every weight, in the order of the forward pass.  A tied unembedding is no weight."""
    return tuple(t for t in (_weights(a) if a.given is None else a.given) if t.entries)


def _weights(a: Architecture) -> Iterator[Tensor]:
    d = a.width
    yield _once("E", "token embedding", a.vocab, d)
    yield _once("P", "position embedding", a.positions, d)
    yield _once("E_type", "token types", a.types, d)
    if a.embedding_norm:
        yield from _norm(a, "embedding.norm", "embedding norm", Poly.of(1), d)
    for layers in a.layers:
        yield from _layers(a, layers)
    if a.final_norm:
        yield from _norm(a, "output.norm", "final norm", Poly.of(1), d)
    if a.unembedding == "untied":
        yield _once("W_U", "unembedding", d, a.vocab)
    if a.unembedding_bias:
        yield _once("b_U", "unembedding bias", a.vocab)
    if a.pooler:
        yield _once("W_pool", "pooler", d, d)
        yield _once("b_pool", "pooler bias", d)


def _once(name: str, component: str, *shape: Poly) -> Tensor:
    return Tensor(name, component, shape, Poly.of(1), Poly.of(1))


def _some(
    name: str,
    component: str,
    copies: Poly,
    *shape: Poly,
    group: str = "",
    active: Poly | None = None,
) -> Tensor:
    return Tensor(name, component, shape, copies, copies if active is None else active, group)


def _norm(
    a: Architecture, name: str, component: str, copies: Poly, width: Poly, group: str = ""
) -> Iterator[Tensor]:
    if a.norm != "none":
        yield _some(f"{name}.gain", component, copies, width, group=group)
    if a.norm == "layernorm":
        yield _some(f"{name}.shift", component, copies, width, group=group)


def _layers(a: Architecture, layers: Layers) -> Iterator[Tensor]:
    count, group = layers.times, layers.label
    yield from _norm(a, "norm", "norms", count * layers.norms, a.width, group)
    if layers.attention:
        latent = layers.attention.rank is not None
        attention = (
            _latent(a, layers.attention, count, group)
            if latent
            else _heads(a, layers.attention, count, group)
        )
        yield from attention
    if layers.ffn:
        yield from _ffn(a, layers.ffn, count, group)


def _heads(a: Architecture, x: Attention, count: Poly, group: str) -> Iterator[Tensor]:
    d, heads, kv = a.width, count * x.heads, count * x.kv_heads
    for letter, component, copies, width in (
        ("Q", "query projection", heads, x.key),
        ("K", "key projection", kv, x.key),
        ("V", "value projection", kv, x.value),
    ):
        yield _some(f"W_{letter}", component, copies, d, width, group=group)
        if x.bias != "none":
            yield _some(f"b_{letter}", "attention biases", copies, width, group=group)
    if x.qk_norm:
        yield from _norm(a, "Q_norm", "query and key norms", count, x.key, group)
        yield from _norm(a, "K_norm", "query and key norms", count, x.key, group)
    yield _some("W_O", "output projection", count, x.heads * x.value, d, group=group)
    if x.bias == "all":
        yield _some("b_O", "attention biases", count, d, group=group)


def _latent(a: Architecture, x: Attention, count: Poly, group: str) -> Iterator[Tensor]:
    """DeepSeek-V2, equations 37 to 47: down to a latent row, up to heads, rotary parts beside."""
    assert x.rank is not None and x.rope is not None
    d, heads = a.width, count * x.heads
    queries = "query projection"
    if x.query_rank is not None:
        yield _some("W_DQ", queries, count, d, x.query_rank, group=group)
        yield from _norm(a, "C_Q.norm", "latent norms", count, x.query_rank, group)
    source = d if x.query_rank is None else x.query_rank
    yield _some("W_UQ", queries, heads, source, x.key, group=group)
    yield _some("W_QR", queries, heads, source, x.rope, group=group)
    yield _some("W_DKV", "latent down projection", count, d, x.rank, group=group)
    yield _some("W_KR", "latent down projection", count, d, x.rope, group=group)
    yield from _norm(a, "C_KV.norm", "latent norms", count, x.rank, group)
    yield _some("W_UK", "key projection", heads, x.rank, x.key, group=group)
    yield _some("W_UV", "value projection", heads, x.rank, x.value, group=group)
    yield _some("W_O", "output projection", count, x.heads * x.value, d, group=group)


def _ffn(a: Architecture, x: FFN, count: Poly, group: str) -> Iterator[Tensor]:
    if x.experts is None:
        yield from _matrices(a, x, "FFN", "", count, count, group)
        return
    assert x.active is not None
    yield _some("W_R", "router", count, a.width, x.experts, group=group)
    routed = count * x.experts, count * x.active
    yield from _matrices(a, x, "routed experts:", "e.", *routed, group)
    if x.shared is not None:
        shared = count * x.shared
        yield from _matrices(a, x, "shared experts:", "shared.", shared, shared, group)


def _matrices(
    a: Architecture, x: FFN, what: str, prefix: str, copies: Poly, active: Poly, group: str
) -> Iterator[Tensor]:
    d, f = a.width, x.width
    names = (("gate", d, f),) if x.gated else ()
    for name, rows, columns in (*names, ("up", d, f), ("down", f, d)):
        component = f"{what} {name}"
        yield _some(
            f"{prefix}W_{name}", component, copies, rows, columns, group=group, active=active
        )
        if x.bias:
            yield _some(
                f"{prefix}b_{name}", "FFN biases", copies, columns, group=group, active=active
            )
