"""Slips of a whole model: those of its operations, and those of its wiring.

A slip is the same graph with other operations for some matrices.  What belongs to one operation
stands beside it (`Operation.slips`); here stands what takes two: which matrix is read by which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from derive.blocks.attention import ROPES
from derive.blocks.ranking import kept_words, largest, ranked
from derive.errors import DeriveError
from derive.graph import Graph, Variant
from derive.graph.address import split
from derive.line import Num
from derive.operation import Operation, changed, only, worked_as
from derive.ops import (
    Cut,
    Deviation,
    Gate,
    Given,
    HardAttention,
    LayerNorm,
    MaskedScores,
    Mean,
    PassedOn,
    Projection,
    Residual,
    RMSNorm,
    RootMeanSquare,
    Rope,
    RopeHalves,
    Scale,
    Scores,
    Softmax,
    TopExperts,
    Variance,
    WeightedValues,
)

Changes = dict[str, Operation]
LATENT = ("AbsorbedQueries", "LatentScores", "LatentValues")


@dataclass(frozen=True)
class Candidate:
    """One slip as it can be made in a model: its name, its sentence, what it changes."""

    name: str
    sentence: str
    changes: Mapping[str, Operation]


def candidates(graph: Graph) -> list[Candidate]:
    """Every slip that can be made in the model, each as changes of its graph."""
    found = [*_of_operations(graph)]
    for name, sentence, changes in WIRING:
        found += [Candidate(name, sentence, each) for each in changes(graph) if each]
    return found


def variant(graph: Graph, changes: Mapping[str, Operation]) -> Variant:
    """The graph with a slip; what ranks numbers ranks those of the slip.

    Raises DeriveError where the slip can't be made.
    """
    made = Variant(graph, changes)
    again = {}
    for name in made.affected:
        matrix = made.matrices[name]
        if not any(read in made.affected for read in matrix.operation.inputs.values()):
            continue
        operation = _ranked_again(made, matrix.operation)
        if operation is not None:
            again[name] = operation
    for name, operation in again.items():
        matrix = made.matrices[name]
        made.matrices[name] = type(matrix)(
            name, matrix.shape, operation, matrix.meaning, matrix.axes
        )
    return made


def _ranked_again(graph: Graph, operation: Operation) -> Operation | None:
    if isinstance(operation, HardAttention):
        return changed(operation, best=largest(graph, operation.inputs["s"]))
    if isinstance(operation, Cut) and graph.model.output is not None:
        options = graph.model.output
        kept, _ = kept_words(graph, operation.inputs["p"], options["top_k"], options["top_p"])
        return changed(operation, kept=kept)
    if isinstance(operation, TopExperts):
        name = operation.inputs["x"]
        return changed(operation, groups=lambda i: tuple(map(tuple, ranked(graph, name, i))))
    if hasattr(operation, "chosen"):  # the sum over experts follows the router
        for matrix in graph.matrices.values():
            top = matrix.operation
            if isinstance(top, TopExperts) and _same_block(matrix.name, operation.inputs["r"]):
                return changed(
                    operation,
                    chosen=lambda i, name=matrix.name: graph.matrices[name].operation.chosen(i),  # type: ignore[attr-defined]
                )
    return None


def _same_block(a: str, b: str) -> bool:
    return split(a)[0] == split(b)[0]


def _of_operations(graph: Graph) -> Iterator[Candidate]:
    """The slips of the operations, each made everywhere at once, or at one matrix."""
    together: dict[tuple[str, str], Changes] = {}
    for name, matrix in graph.matrices.items():
        for slip in type(matrix.operation).slips:
            made = slip.made(matrix.operation)
            if made is None:
                continue
            if slip.alone:
                yield Candidate(slip.name, slip.sentence, {name: made})
            else:
                together.setdefault((slip.name, slip.sentence), {})[name] = made
    sentences: dict[str, str] = {}
    everywhere: dict[str, Changes] = {}
    for (slip_name, sentence), changes in together.items():
        sentences.setdefault(slip_name, sentence)
        if sentences[slip_name] == sentence:
            everywhere.setdefault(slip_name, {}).update(changes)
        else:
            yield Candidate(slip_name, sentence, changes)
    for slip_name, changes in everywhere.items():
        yield Candidate(slip_name, sentences[slip_name], changes)
        if len(_blocks(changes)) > 1:
            for block in _blocks(changes):
                inside = {x: y for x, y in changes.items() if split(x)[0][:1] == (block,)}
                yield Candidate(slip_name, sentences[slip_name], inside)


def _blocks(changes: Mapping[str, Operation]) -> list[str]:
    return list(dict.fromkeys(split(name)[0][:1][0] for name in changes if split(name)[0]))


def _made_by(graph: Graph, kind: type | tuple[type, ...]) -> Iterator[tuple[str, Any]]:
    """Names and operations of the matrices that an operation makes; latent ones left out."""
    for name, matrix in graph.matrices.items():
        if isinstance(matrix.operation, kind) and type(matrix.operation).__name__ not in LATENT:
            yield name, matrix.operation


def _head(name: str) -> str:
    """b0.h1 of b0.h1.S."""
    return ".".join(split(name)[0])


# attention


def _keys_for_values(graph: Graph) -> Iterator[Changes]:
    """Scores with the values, weights on the keys."""
    changes: Changes = {}
    pairs = {_head(name): op for name, op in _made_by(graph, Scores)}
    for name, op in _made_by(graph, WeightedValues):
        scores = pairs.get(_head(name))
        if scores is not None:
            key, value = _unturned(graph, scores.inputs["k"]), op.inputs["v"]
            changes[name] = changed(op, inputs={**op.inputs, "v": key})
            if graph.matrices[key].shape == graph.matrices[value].shape:
                other = {**scores.inputs, "k": value}
                changes[f"{_head(name)}.S"] = changed(scores, inputs=other)
    yield changes
    only_values = {
        x: changed(op, inputs={**op.inputs, "v": pairs[_head(x)].inputs["k"]})
        for x, op in _made_by(graph, WeightedValues)
        if _head(x) in pairs
    }
    yield only_values


def _unturned(graph: Graph, name: str) -> str:
    """Keys before RoPE."""
    operation = graph.matrices[name].operation
    return operation.inputs["x"] if isinstance(operation, Rope) else name


def _not_turned(letter: str) -> Callable[[Graph], Iterator[Changes]]:
    def changes(graph: Graph) -> Iterator[Changes]:
        yield {
            name: only("x")(op)
            for name, op in _made_by(graph, Rope)
            if split(name)[1] == f"{letter}_rot"
        }

    return changes


def _values_turned(graph: Graph) -> Iterator[Changes]:
    """Values turned like the keys that they go with."""
    changes: Changes = {}
    scores = {_head(name): op for name, op in _made_by(graph, Scores)}
    for name, op in _made_by(graph, WeightedValues):
        turned = scores.get(_head(name))
        key = graph.matrices[turned.inputs["k"]].operation if turned is not None else None
        value = op.inputs["v"]
        if isinstance(key, Rope) and key.turned <= graph.matrices[value].shape[1]:
            hidden = f"{value}_turned"
            changes[hidden] = type(key)(key.angles, key.first, x=value)
            changes[name] = changed(op, inputs={**op.inputs, "v": hidden})
    yield changes


def _other_pairs(graph: Graph) -> Iterator[Changes]:
    """Halves for neighbours, and the other way round."""
    kinds = {kind: ROPES[not halves, clock] for (halves, clock), kind in ROPES.items()}
    yield {
        name: kinds[type(op)](op.angles, op.first, x=op.inputs["x"])
        for name, op in _made_by(graph, (Rope, RopeHalves))
        if type(op) in kinds and len(op.angles) > 1
    }


def _softmax_before_scale(graph: Graph) -> Iterator[Changes]:
    changes: Changes = {}
    scales = {_head(name): (name, op) for name, op in _made_by(graph, Scale)}
    for name, op in _made_by(graph, Softmax):
        if _head(name) in scales and split(name)[1] == "A":
            scaled, scale = scales[_head(name)]
            changes[scaled] = only("s")(scale)
            changes[name] = _times(op, scale)
    yield changes


def _times(softmax: Softmax, scale: Scale) -> Operation:
    from derive.line import constant

    return worked_as(
        lambda op, f, i, j, exp, sum: exp[i, j] / sum[i, 0] * constant(scale.factor, f)
    )(softmax)


def _other_head(what: str) -> Callable[[Graph], Iterator[Changes]]:
    """Keys or values of the next head."""
    kind, role = {"k": (Scores, "k"), "v": (WeightedValues, "v")}[what]

    def changes(graph: Graph) -> Iterator[Changes]:
        out: Changes = {}
        for name, op in _made_by(graph, kind):
            other = _next_kv(graph, op.inputs[role])
            if other:
                out[name] = changed(op, inputs={**op.inputs, role: other})
        yield out

    return changes


def _next_kv(graph: Graph, name: str) -> str | None:
    prefixes, base = split(name)
    if not prefixes or not prefixes[-1].startswith("kv"):
        return None
    before = ".".join(prefixes[:-1])
    number = int(prefixes[-1][2:])
    for k in (number + 1, 0):
        other = f"{before}.kv{k}.{base}"
        if k != number and other in graph.matrices:
            return other
    return None


def _other_map(graph: Graph) -> Iterator[Changes]:
    """The other way to share KV heads: blocked for interleaved."""
    out: Changes = {}
    for kind, role in ((Scores, "k"), (WeightedValues, "v")):
        for name, op in _made_by(graph, kind):
            read = _head_by_other_map(graph, name, op.inputs[role])
            if read:
                out[name] = changed(op, inputs={**op.inputs, role: read})
    yield out


def _head_by_other_map(graph: Graph, name: str, read: str) -> str | None:
    from derive.model.heads import Heads, heads_of

    prefixes, _ = split(name)
    parts, base = split(read)
    if len(prefixes) != 2 or not prefixes[0].startswith("b") or not parts[-1].startswith("kv"):
        return None
    heads = heads_of(graph.model.blocks[int(prefixes[0][1:])]["attention"])
    if not 1 < heads.kv < heads.queries:
        return None
    other = Heads(heads.queries, heads.kv, not heads.interleaved)
    return f"{prefixes[0]}.kv{other.kv_of(int(prefixes[1][1:]))}.{base}"


def _weights_swapped(graph: Graph) -> Iterator[Changes]:
    """W_Q for W_K and so on, one pair of projections after the other."""
    for a, b in (("Q", "K"), ("K", "V"), ("Q", "V")):
        changes: Changes = {}
        for name, op in _made_by(graph, Projection):
            prefixes, base = split(name)
            if base not in (a, b):
                continue
            other = next(
                (
                    x
                    for x, y in _made_by(graph, Projection)
                    if split(x)[1] == (b if base == a else a)
                    and split(x)[0][:-1] == prefixes[:-1]
                    and split(x)[0][-1][-1] == prefixes[-1][-1]
                ),
                None,
            )
            if other and other in graph.matrices:
                theirs: Any = graph.matrices[other].operation
                inputs = {**op.inputs, "w": theirs.inputs["w"]}
                changes[name] = changed(op, inputs=inputs)
        yield changes


def _given_mask(graph: Graph) -> Iterator[Changes]:
    """A mask of the file, transposed."""
    out: Changes = {}
    for name, op in _made_by(graph, MaskedScores):
        rows, columns = graph.matrices[name].shape
        if rows == columns and isinstance(graph.matrices[op.inputs["mask"]].operation, Given):
            out[name] = worked_as(_masked_transposed)(op)
    yield out


def _masked_transposed(op: Operation, f: Any, i: int, j: int, /, s: Any, mask: Any) -> Any:
    term = mask[j, i]
    return term if term == f.infinity(-1) else s[i, j] + term


def _learned_from_one(graph: Graph) -> Iterator[Changes]:
    """The rows of a learned position table from the second one on."""
    position = graph.model.position
    for name, op in _made_by(graph, Given):
        if split(name)[1] == "P" and position["kind"] == "learned" and name not in graph.given:
            first, rows = position["first"] + 1, len(op.rows)
            if len(position["P"]) >= first + rows:
                yield {name: Given(position["P"][first : first + rows])}


# norms


def _norm_after(graph: Graph) -> Iterator[Changes]:
    """The norm of a block's branch taken after its addition instead of before it."""
    for part in (1, 2):
        changes: Changes = {}
        for name, norm in _made_by(graph, (RMSNorm, LayerNorm)):
            prefixes, base = split(name)
            block = ".".join(prefixes)
            added = f"{block}.{('H_mid', 'H')[part - 1]}"
            matrix = graph.matrices.get(added)
            if base != f"N{part}" or matrix is None or not isinstance(matrix.operation, Residual):
                continue
            sum_ = f"{added}.before"
            changes[sum_] = changed(matrix.operation)
            for role, read in norm.inputs.items():
                if role not in ("mean", "root", "rms"):
                    continue
                changes.update(_statistic(graph, read, sum_, f"{added}.after"))
            stats = {
                role: _moved(read, f"{added}.after") if role in ("mean", "root", "rms") else read
                for role, read in norm.inputs.items()
            }
            changes[added] = changed(norm, inputs={**stats, "x": sum_})
            changes[name] = only("x")(norm)
        yield changes


def _moved(name: str, prefix: str) -> str:
    return f"{prefix}.{name.rpartition('.')[2]}"


def _statistic(graph: Graph, name: str, x: str, prefix: str) -> Changes:
    """A statistic of a norm, of other rows; with what it is made of before it."""
    op = graph.matrices[name].operation
    before: Changes = {}
    inputs = {}
    for role, read in op.inputs.items():
        if role == "x":
            inputs[role] = x
        else:
            before.update(_statistic(graph, read, x, prefix))
            inputs[role] = _moved(read, prefix)
    return {**before, _moved(name, prefix): changed(op, inputs=inputs)}


def _norm_before(graph: Graph) -> Iterator[Changes]:
    """A norm after an addition taken before the branch: here, left out."""
    yield {
        name: only("x")(op)
        for name, op in _made_by(graph, (RMSNorm, LayerNorm))
        if split(name)[1] in ("H_mid", "H")
    }


def _other_norm(graph: Graph) -> Iterator[Changes]:
    """LayerNorm where RMSNorm is asked for."""
    changes: Changes = {}
    for name, op in _made_by(graph, RMSNorm):
        x, rms = op.inputs["x"], graph.matrices[op.inputs["rms"]].operation
        eps = rms.eps if isinstance(rms, RootMeanSquare) else Num(0)
        inside = rms.inside if isinstance(rms, RootMeanSquare) else True
        changes[f"{name}.slip_mean"] = Mean(x=x)
        changes[f"{name}.slip_var"] = Variance(x=x, mean=f"{name}.slip_mean")
        changes[f"{name}.slip_root"] = Deviation(eps, inside, var=f"{name}.slip_var")
        changes[name] = LayerNorm(
            x=x, mean=f"{name}.slip_mean", root=f"{name}.slip_root", gain=op.inputs.get("gain")
        )
    yield changes


def _rms_instead(graph: Graph) -> Iterator[Changes]:
    """RMSNorm where LayerNorm is asked for."""
    changes: Changes = {}
    for name, op in _made_by(graph, LayerNorm):
        x, root = op.inputs["x"], graph.matrices[op.inputs["root"]].operation
        eps = root.eps if isinstance(root, Deviation) else Num(0)
        inside = root.inside if isinstance(root, Deviation) else True
        changes[f"{name}.slip_rms"] = RootMeanSquare(eps, inside, x=x)
        changes[name] = RMSNorm(x=x, rms=f"{name}.slip_rms", gain=op.inputs.get("gain"))
    yield changes


# the rest


def _gate_swapped(graph: Graph) -> Iterator[Changes]:
    """The activation on the up branch instead of the gate branch."""
    changes: Changes = {}
    for name, op in _made_by(graph, Gate):
        active = graph.matrices[op.inputs["gate"]].operation
        if "u" not in active.inputs:
            continue
        hidden = f"{name}.swapped"
        changes[hidden] = changed(active, inputs={"u": op.inputs["u"]})
        changes[name] = changed(op, inputs={"gate": hidden, "u": active.inputs["u"]})
    yield changes


def _attention_skipped(graph: Graph) -> Iterator[Changes]:
    """The stream as it was before attention."""
    changes: Changes = {}
    for name, op in _made_by(graph, Residual):
        prefixes, base = split(name)
        if base in ("H_mid", "R1") and prefixes:
            changes[name] = PassedOn(x=op.inputs["stream"])
    yield changes


Wiring = tuple[str, str, Callable[[Graph], Iterator[Changes]]]
WIRING: tuple[Wiring, ...] = (
    ("k-v-swapped", "It looks as if keys and values were swapped.", _keys_for_values),
    ("queries-not-turned", "It looks as if the queries were not turned.", _not_turned("Q")),
    ("keys-not-turned", "It looks as if the keys were not turned.", _not_turned("K")),
    ("values-turned", "It looks as if the values were turned like the keys.", _values_turned),
    (
        "other-pairs",
        "It looks as if columns were turned in the pairs of another layout.",
        _other_pairs,
    ),
    (
        "softmax-before-scale",
        "It looks as if the softmax was taken before the scaling.",
        _softmax_before_scale,
    ),
    ("wrong-kv-head", "It looks as if the keys of another head were taken.", _other_head("k")),
    ("wrong-kv-head", "It looks as if the values of another head were taken.", _other_head("v")),
    (
        "other-kv-map",
        "It looks as if the heads share their keys and values in another order.",
        _other_map,
    ),
    (
        "weights-swapped",
        "It looks as if two weight matrices were swapped, such as those of queries and keys.",
        _weights_swapped,
    ),
    (
        "positions-from-one",
        "It looks as if the positions were counted from one instead of from zero.",
        _learned_from_one,
    ),
    ("mask-transposed", "It looks as if the mask was transposed.", _given_mask),
    ("norm-after", "It looks as if the norm was taken after the addition.", _norm_after),
    ("no-norm", "It looks as if the norm after the addition was left out.", _norm_before),
    (
        "layernorm-for-rmsnorm",
        "It looks as if a LayerNorm was taken where an RMSNorm is asked for.",
        _other_norm,
    ),
    (
        "rmsnorm-for-layernorm",
        "It looks as if an RMSNorm was taken where a LayerNorm is asked for.",
        _rms_instead,
    ),
    (
        "gate-up-swapped",
        "It looks as if the activation was applied to the up branch, not to the gate.",
        _gate_swapped,
    ),
    (
        "attention-skipped",
        "It looks as if the result of attention was not added to the stream.",
        _attention_skipped,
    ),
)


def makable(graph: Graph, changes: Mapping[str, Operation]) -> Variant | None:
    """The graph with a slip, or nothing where the shapes don't fit."""
    try:
        return variant(graph, changes)
    except DeriveError:
        return None
