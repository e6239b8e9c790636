"""Second sequences, latent attention and experts: options, decoding, ties, names."""

from __future__ import annotations

import copy
import json
import tomllib
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from derive.blocks import build
from derive.blocks.decode import DecodeError, decode
from derive.blocks.ranking import UndecidedRanking
from derive.errors import AddressError, DeriveError
from derive.exact.decide import decide
from derive.graph import Cell, Graph, derivation
from derive.model import bundled_text, load, loads
from tests.blocks.test_options import assert_same

# sets on a bundled model; every matrix is compared with a pass of the papers' equations
OPTIONS: list[tuple[str, list[str]]] = [
    ("cross", ["padding=[true, false, false, false]"]),
    ("cross", ['mask=[[0, 0, "-inf", 0], ["-inf", 0, 0, 0], [0, 0, 0, 0]]']),
    ("cross", ["position.kind=rope"]),  # two texts have no common positions: nothing turns
    ("cross", ["position.kind=alibi"]),
    ("cross", ["qk_norm.kind=rmsnorm", "qk_norm.eps=1/2", "attention.scale=1/3"]),
    ("cross", ["attention.weights=relu", "residual=false"]),
    ("encoder-decoder", ["block.1.attention.padding=[true, false, false]"]),
    ("encoder-decoder", ["memory.block.0.attention.padding=[false, false, true]"]),
    ("encoder-decoder", ["memory.norm.kind=rmsnorm", "embedding.scale=sqrt(d)"]),
    ("encoder-decoder", ['memory.tokens=["ein", "Hund", "schläft", "."]']),
    ("encoder-decoder", ["embedding.norm.kind=layernorm"]),
    ("mla", ["mask=none"]),
    ("mla", ["position.kind=none"]),
    ("mla", ["norm_KV.kind=rmsnorm", "norm_KV.gain=[1, 2, -1]", "norm_Q.kind=layernorm"]),
    ("mla", ['angles=["1"]', "position.first=0"]),
    ("moe", ["block.0.ffn.gate=top-then-softmax"]),
    ("moe", ["block.1.ffn.gate=softmax-then-top", "block.1.ffn.top=3"]),
    ("moe", ["block.0.ffn.top=1", "block.1.ffn.top=4"]),
    ("moe", ["block.0.ffn.activation=gelu", "block.0.ffn.after=tanh"]),
    (
        "moe",
        [
            "block.0.ffn.shared.0.b_up=[1, 0, -1, 2]",
            "block.1.ffn.experts.0.b_gate=[1, -1]",
            "block.1.ffn.experts.3.b_down=[1, 0, 2]",
        ],
    ),
    ("moe", ["block.0.ffn.activation=leaky_relu", "block.0.ffn.slope=1/8"]),
]


@pytest.mark.parametrize(
    ("name", "sets"), OPTIONS, ids=lambda x: " ".join(x) if isinstance(x, list) else x
)
def test_options_against_the_papers(name: str, sets: list[str]) -> None:
    assert_same(load(name, sets=sets))


matrices = st.integers(-2, 2)


def drawn(rows: int, columns: int) -> st.SearchStrategy[list[list[int]]]:
    return st.lists(
        st.lists(matrices, min_size=columns, max_size=columns), min_size=rows, max_size=rows
    )


QUICK = settings(max_examples=12, deadline=None, derandomize=True,
                 suppress_health_check=[HealthCheck.too_slow])  # fmt: skip


@QUICK
@given(
    x=drawn(2, 3), down=drawn(3, 2), k=drawn(2, 2), v=drawn(2, 3), q=drawn(3, 2),
    rotary_q=drawn(3, 2), rotary_k=drawn(3, 2),
)  # fmt: skip
def test_latent_attention_of_any_numbers(**m: Any) -> None:
    text = f"""
[embedding]
X = {m["x"]}
[position]
kind = "rope"
angles = ["pi/4"]
[[block]]
residual = false
[block.attention]
W_DKV = {m["down"]}
W_UK = {m["k"]}
W_UV = {m["v"]}
W_Q = {m["q"]}
W_QR = {m["rotary_q"]}
W_KR = {m["rotary_k"]}
"""
    graph = assert_same(loads(text))
    absorbed = build(loads(text), absorbed=True)
    absorbed.share(graph)
    assert "b0.kv0.K" not in absorbed.matrices and "b0.kv0.V" not in absorbed.matrices
    for i in range(2):
        for j in range(3):
            pair = absorbed[f"Z[{i},{j}]"].node, graph[f"Z[{i},{j}]"].node
            assert decide(*pair).verdict == "equal"


@QUICK
@given(
    x=drawn(2, 2), router=drawn(2, 3), up=st.lists(drawn(2, 2), min_size=4, max_size=4),
    down=st.lists(drawn(2, 2), min_size=4, max_size=4), top=st.integers(1, 3),
    gate=st.sampled_from(["softmax-then-top", "top-then-softmax"]),
)  # fmt: skip
def test_experts_of_any_numbers(**m: Any) -> None:
    passes = [
        f"{{ W_up = {up}, W_down = {down} }}" for up, down in zip(m["up"], m["down"], strict=True)
    ]
    text = f"""
[embedding]
X = {m["x"]}
[[block]]
[block.ffn]
gate = "{m["gate"]}"
top = {m["top"]}
W_R = {m["router"]}
experts = [{", ".join(passes[:3])}]
shared = [{passes[3]}]
"""
    assert_same(loads(text))


# latent attention


LETTERS = """
symbols = { x = "real", y = "real", c = "real", u = "real", w = "real", q = "real", r = "real" }
[embedding]
X = [["x", "y"], ["c", 1]]
[[block]]
[block.attention]
W_DKV = [["u", 1, 0], [0, "w", 1]]
W_UK = [["x", 1], [0, "q"], [1, "y"]]
W_UV = [["c", 1, 0, 2], [1, "u", 0, 0], [0, 0, "r", 1]]
W_Q = [["r", 1], [1, "q"]]
"""


def test_the_absorbed_form_is_equal_with_letters() -> None:
    """Both lines of every score and output, whatever the numbers are."""
    from derive.line import value

    graph = build(loads(LETTERS))
    f = graph.dag
    for name in ("S", "Z"):
        matrix = graph.matrix(name)
        for i in range(matrix.shape[0]):
            for j in range(matrix.shape[1]):
                lines = matrix.operation.formulas(i, j)
                assert len(lines) == 2
                one, other = (value(x, f, lambda m, at: graph.values(m, f)[at]) for x in lines)
                assert decide(one, other).verdict == "equal", (name, i, j)
                assert decide(one, other + 1).verdict == "different"


def test_the_reader_sees_both_forms() -> None:
    step = derivation(build(load("mla")), "h0.S[2,1]").steps[0]
    definitions = [line for line in step.lines if line.kind == "definition"]
    assert len(definitions) == 2 and "W_UK absorbed" in step.note
    assert "W_UV once" in derivation(build(load("mla")), "h0.Z[2,1]").steps[0].note


def test_rope_on_the_content_cannot_be_absorbed() -> None:
    """Without rotary parts RoPE turns queries and keys, and stands between them and W_UK."""
    rope = '[position]\nkind = "rope"\n' + LETTERS.partition("[embedding]")[2].replace(
        "X =", "[embedding]\nX =", 1
    )
    text = LETTERS.partition("[embedding]")[0] + rope
    for absorbed in (False, True):
        graph = build(loads(text), absorbed=absorbed)
        assert graph.matrices["b0.h0.S"].operation.inputs == {
            "q": "b0.h0.Q_rot",
            "k": "b0.kv0.K_rot",
        }
        assert "b0.h0.Q_latent" not in graph.matrices
        assert len(graph.matrices["b0.h0.S"].operation.formulas(1, 0)) == 1


def test_the_scale_counts_both_parts() -> None:
    """1/sqrt(k) is of the whole query: two columns of content and two that turn."""
    graph = build(load("mla"))
    s, scaled = graph["h1.S[3,2]"], graph["h1.S_scaled[3,2]"]
    assert decide(scaled.node * 2, s.node).verdict == "equal"
    alone = build(loads(LETTERS))
    assert decide(alone["S_scaled[0,1]"].node ** 2 * 2, alone["S[0,1]"].node ** 2).equal


def test_latent_rows_may_be_normalised_and_are_kept_so() -> None:
    """As DeepSeek-V2 has it; the absorbed form reads the normalised row."""
    model = load("mla", sets=["norm_KV.kind=rmsnorm", "norm_Q.kind=rmsnorm"])
    graph = build(model)
    assert graph.matrices["b0.C_KV"].operation.name == "RMSNorm"
    assert graph.matrices["b0.C_KV.raw"].operation.name == "compression"
    assert graph.matrices["b0.h0.Q"].operation.inputs["x"] == "b0.C_Q"
    _, step = decode(model, 2)
    assert {cell.partition("[")[0] for cell in step.cached} == {"C_KV", "K_rope"}


def test_normalised_keys_of_a_memory_have_its_labels() -> None:
    sets = ["qk_norm.kind=layernorm", "qk_norm.eps=1"]
    graph = build(load("cross", sets=sets))
    assert graph["K_norm[sleeps,0]"].indices == graph["K_norm.mean[sleeps,0]"].indices == (2, 0)


def test_a_given_latent_row_replaces_its_computation() -> None:
    rows = "[[1, 2, 3], [0, 1, 0]]"
    graph = build(loads(LETTERS + f"[given]\nC_KV = {rows}\n"))
    assert graph.matrices["b0.C_KV"].operation.name == "given"
    assert graph["V[1,1]"].node == graph.dag.symbol("u")
    keys = build(loads(LETTERS + "[given]\nK = [[1, 2], [3, 4]]\n"))
    assert "b0.h0.Q_latent" not in keys.matrices, "given keys are not made of latent rows"
    assert len(keys.matrices["b0.h0.S"].operation.formulas(0, 0)) == 1


# decoding


def test_a_memory_is_read_once() -> None:
    prefill, step, last = decode(load("encoder-decoder"), 3)
    assert prefill.predicted == "sleeps"
    assert "mem.h1.A[2,2]" in prefill.new_cells and "b1.K[2,0]" in prefill.new_cells
    for later in (step, last):
        assert not any(
            cell.startswith(("mem.", "X_mem", "b1.K", "b1.V")) for cell in later.new_cells
        )
        assert {f"b1.{m}[{i},{j}]" for m in "KV" for i in range(3) for j in range(3)} < set(
            later.cached
        )
    kept = {x.name: (x.rows, x.columns, x.memory) for x in last.kept}
    assert kept == {
        "b0.K": (4, 3, False), "b0.V": (4, 3, False), "b1.K": (3, 3, True), "b1.V": (3, 3, True),
    }  # fmt: skip


def test_latent_rows_are_all_that_is_kept() -> None:
    prefill, step = decode(load("mla"), 2)
    assert {cell.partition("[")[0] for cell in step.cached} == {"C_KV", "K_rope"}
    assert [(x.name, x.rows, x.columns) for x in step.kept] == [("C_KV", 5, 3), ("K_rope", 5, 2)]
    assert "kv0.K[0,0]" in prefill.new_cells
    assert not any(".K[" in cell or ".V[" in cell for cell in step.new_cells)
    assert "h1.Q_latent[4,2]" in step.new_cells and "h1.Z_latent[4,2]" in step.new_cells


def test_a_wrong_latent_cache_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    original = Graph.values

    def tampered(self: Graph, name: str, f: object) -> object:
        values = original(self, name, f)
        if name == "b0.C_KV" and not self.absorbed and (0, 0) in values:
            values[0, 0] = self.dag.rational(99)
        return values

    steps = decode(load("mla"), 2)
    next(steps)
    monkeypatch.setattr(Graph, "values", tampered)
    with pytest.raises(DecodeError, match="could not be proved equal"):
        next(steps)


def test_a_wrong_absorbed_weight_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof with letters is real: W_UK not transposed, or W_UV left out, is not the same."""
    from derive.ops import AbsorbedQueries

    def wrong(self: AbsorbedQueries, f: object, i: int, j: int, /, q: Any, w: Any) -> Any:
        return sum(q[i, c] * w[c, j % w.columns] for c in range(q.columns))

    steps = decode(load("mla"), 2)
    next(steps)
    monkeypatch.setattr(AbsorbedQueries, "define", wrong)
    with pytest.raises(DecodeError, match="absorbed form could not be proved equal"):
        next(steps)


def test_norms_and_experts_after_latent_attention_are_decoded_too() -> None:
    """The two forms are one polynomial, whatever roots stand in the latent rows."""
    prefill, step = decode(load("deepseek"), 2)
    assert step.read == (prefill.predicted,) and step.graph.absorbed


def test_experts_are_decoded_row_by_row() -> None:
    _, step = decode(load("moe"))
    assert step.read == (".",)
    routed = [cell for cell in step.new_cells if cell.endswith(".F[3,0]") and ".e" in cell]
    assert len(routed) == 4, "two experts in each block"


def test_cross_attention_alone_needs_no_causal_mask() -> None:
    _, step = decode(load("cross"))
    assert step.read == ("schläft",)
    assert all(cell.startswith(("K[", "V[")) for cell in step.cached)
    with pytest.raises(DecodeError, match="fixed number of rows"):
        mask = "mask=[[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]"
        list(decode(load("cross", sets=[mask])))


# experts


def test_ties_are_named_and_the_lower_number_wins() -> None:
    graph = build(load("moe"))
    logits = [graph[f"b0.router.logits[sat,{e}]"].node.number for e in range(5)]
    assert logits == [(2, 1), (2, 1), (5, 2), (3, 2), (-9, 2)]
    assert [graph[f"b0.router[sat,{e}]"].sign for e in range(5)] == [1, 0, 1, 0, 0]
    note = derivation(graph, "b0.router[sat,e1]").steps[0].note
    assert "e0, e1 are exactly equal: a tie, and the lower number goes first" in note


def test_only_an_exact_tie_is_a_tie() -> None:
    """√2 and a fraction that agrees with it in forty digits are told apart."""
    near = "1.4142135623730950488016887242096980785696718753769"  # below √2
    text = f"""[embedding]
X = [[1]]
[[block]]
[block.ffn]
top = 1
W_R = [["{near}", "sqrt(2)"]]
experts = [{{W_up = [[1]], W_down = [[1]]}}, {{W_up = [[1]], W_down = [[2]]}}]
"""
    assert build(loads(text))["router[0,0]"].node.number == (0, 1)
    equal = text.replace(near, "2/sqrt(2)")
    graph = build(loads(equal))
    assert graph["router[0,1]"].node.number == (0, 1)
    assert "exactly equal" in derivation(graph, "router[0,0]").steps[0].note


def test_letters_decide_no_ranking() -> None:
    text = """symbols = { a = "real" }
[embedding]
X = [["a"]]
[[block]]
[block.ffn]
top = 1
W_R = [[1, 2]]
experts = [{W_up = [[1]], W_down = [[1]]}, {W_up = [[1]], W_down = [[2]]}]
"""
    with pytest.raises(UndecidedRanking, match="either may be larger"):
        build(loads(text))["F[0,0]"].node  # noqa: B018


def test_the_two_gates_differ_by_their_total_alone() -> None:
    """Shared out anew, the chances of the top experts are the softmax over these alone."""
    one = build(load("moe"))
    other = build(load("moe", sets=["block.0.ffn.gate=top-then-softmax"]))
    other.share(one)
    for i in range(4):
        kept = [one[f"b0.router[{i},{e}]"].node for e in range(5)]
        total = sum(kept[1:], kept[0])
        assert decide(total, one.dag.rational(1)).verdict == "different"
        for e, chance in enumerate(kept):
            assert decide(chance / total, other[f"b0.router[{i},{e}]"].node).verdict == "equal"


def test_a_given_router_counts_every_expert() -> None:
    graph = build(load("moe", sets=["block.0.ffn.top=1"]))
    rows = "[[1, 0, 2, 0, 0], [0, 0, 0, 0, 1], [1, 0, 0, 0, 0], [0, 1, 0, 0, 0]]"
    given_ = build(loads(f'extends = "moe"\n[given]\n"b0.router" = {rows}\n'))
    f = given_.dag
    parts = [given_[f"b0.e{e}.F[0,1]"].node for e in (0, 2)]
    total = parts[0] + 2 * parts[1] + given_["b0.shared0.F[0,1]"].node
    assert decide(given_["b0.F[0,1]"].node, total).verdict == "equal"
    assert graph["b0.router[0,4]"].node == graph.dag.rational(0) and f is given_.dag


def test_given_chances_decide_who_is_chosen() -> None:
    chances = "[[1, 2, 3, 4, 5], [5, 4, 3, 2, 1], [1, 1, 1, 1, 1], [0, 1, 0, 1, 0]]"
    text = f'extends = "moe"\n[given]\n"b0.router.probs" = {chances}\n'
    graph = build(loads(text))
    chosen = [[e for e in range(5) if graph[f"b0.router[{i},{e}]"].sign] for i in range(4)]
    assert chosen == [[3, 4], [0, 1], [0, 1], [1, 3]]


# names


def test_names_of_experts() -> None:
    graph = build(load("moe"))
    assert graph.matrix("b0.F").name == "b0.F"
    assert graph.matrix("b0.e1.F").name == "b0.e1.F" and graph.matrix("e4.F").name == "b0.e4.F"
    assert graph.matrix("shared0.U").name == "b0.shared0.U" == graph.matrix("b0.shared0.U").name
    assert graph.matrix("A").name == "b1.h0.A"
    with pytest.raises(AddressError, match=r"say which: b0\.e1\.F, b1\.e1\.F"):
        graph.matrix("e1.F")
    with pytest.raises(AddressError, match=r"say which: b0\.F, b1\.F"):
        graph.matrix("F")
    assert graph["b0.router[cat,e1]"].address == "b0.router[1,1]"


def test_the_sum_goes_by_the_name_alone_in_one_block() -> None:
    text = """[embedding]
X = [[1, 2]]
[[block]]
[block.ffn]
W_R = [[1, 0], [0, 1]]
experts = [{W_up = [[1], [0]], W_down = [[1, 1]]}, {W_up = [[1], [1]], W_down = [[0, 1]]}]
"""
    graph = build(loads(text))
    assert graph.matrix("F").name == "b0.F" and graph.short("b0.F") == "F"
    assert graph.short("b0.e1.F") == "e1.F"


def test_names_of_an_encoder() -> None:
    graph = build(load("encoder-decoder"))
    for name in graph.matrices:
        assert graph.matrix(name).name == name, "a full name is always clear"
        assert graph.matrix(graph.short(name)).name == name
    assert graph.matrix("mem.h1.A").name == "mem.b0.h1.A" == graph.matrix("mem.b0.h1.A").name
    assert graph.matrix("X").name == "X" and graph.matrix("mem.X").name == "mem.X"
    assert graph.matrix("b0.A").name == "b0.h0.A", "without mem. the block is the decoder's"
    assert graph.matrix("b1.kv0.K").name == "b1.kv0.K"
    assert graph.matrix("mem.b0.h1.K").name == "mem.b0.kv1.K"
    assert graph.matrix("X_mem").operation.name == "passed on"
    with pytest.raises(AddressError, match=r"b0\.h0\.A, b1\.h0\.A"):
        graph.matrix("A")


def test_each_sequence_has_labels_of_its_own() -> None:
    graph = build(load("encoder-decoder"))
    assert graph["b1.A[cat,Katze]"].indices == (1, 1)
    assert graph["mem.h0.A[schläft,die]"].indices == (2, 0)
    assert graph["b1.K[schläft,0]"].indices == (2, 0)
    assert graph["mem.E[Hund,0]"].indices == (3, 0)
    with pytest.raises(AddressError, match="nearest: cat"):
        graph["b0.A[cat,cats]"]
    title = derivation(graph, "b1.A[1,2]").steps[0].title
    assert title == "how much “cat” (row 1) attends to “schläft” (column 2)"
    assert build(load("cross"))["A[die,sleeps]"].indices == (0, 2)
    bare = build(loads("[given]\nQ = [[1]]\nK = [[1], [2]]\nV = [[1], [2]]\n"))
    assert bare["A[0,1]"].indices == (0, 1)


def test_what_is_read_has_its_own_length() -> None:
    """A sum over the memory runs to n_k, one over the text itself to n."""
    from derive.line import children

    def letters(x: Any) -> set[str]:
        found = {x.count.name} if hasattr(x, "count") and hasattr(x.count, "name") else set()
        return found.union(*map(letters, children(x)), set())

    graph = build(load("cross"))
    for address in ("A[0,0]", "A.sum[0,0]", "Z[0,0]"):
        assert letters(graph[address].matrix.operation.formulas(0, 0)[0]) == {"n_k"}, address
    own = build(load("encoder-decoder"))
    assert letters(own["b0.A[0,0]"].matrix.operation.formulas(0, 0)[0]) == {"n"}
    assert letters(own["mem.h0.A[0,0]"].matrix.operation.formulas(0, 0)[0]) == {"n"}


def test_a_given_memory_and_given_parts_of_an_encoder() -> None:
    eye = "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"
    graph = build(loads(f'extends = "encoder-decoder"\n[given]\n"mem.b0.h0.A" = {eye}\n'))
    z, v = (graph[f"mem.h0.{x}[1,1]"].node for x in ("Z", "V"))
    assert z == v
    rows = "[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1]]"
    cut = build(loads(f'extends = "encoder-decoder"\n[given]\nX_mem = {rows}\n'))
    assert cut.matrices["X_mem"].operation.name == "given"
    assert cut["b1.K[0,0]"].node == cut["b1.W_K[0,0]"].node


def test_rows_are_exact() -> None:
    """The top chances in the exact form, worked by hand: e^2 and e^(5/2) over all five."""
    graph = build(load("moe"))
    cell = Cell(graph, graph.matrices["b0.router"], (2, 2))
    f = graph.dag
    parts = [
        f.exp(f.rational(*Fraction(x).as_integer_ratio())) for x in ("2", "2", "5/2", "3/2", "-9/2")
    ]
    assert decide(cell.node, parts[2] / sum(parts[1:], parts[0])).verdict == "equal"


# whatever stands in a file


DOCUMENTS = {
    name: tomllib.loads(bundled_text(name)) for name in ("cross", "encoder-decoder", "mla", "moe")
}
ODD: list[Any] = [
    1,
    "none",
    "causal",
    "memory",
    [[1]],
    [[1, 2], [3, 4]],
    [],
    {},
    [{}],
    True,
    "rope",
]
KEYS = ["W_UK", "W_DKV", "W_QR", "W_UQ", "W_K", "reads", "heads", "experts", "shared", "W_R", "top",
        "W_up", "gated", "tokens", "ids", "X", "E", "block", "memory", "norm"]  # fmt: skip
GIVEN = [
    "X_mem",
    "mem.X",
    "mem.b0.h0.A",
    "b1.K",
    "C_KV",
    "K_rope",
    "b0.router",
    "e1.F",
    "b0.F",
    "S",
]


def tables(x: Any) -> list[Any]:
    """Every table inside, lists of tables included."""
    inside = x.values() if isinstance(x, dict) else x if isinstance(x, list) else ()
    found = [x] if isinstance(x, dict) else []
    return found + [y for part in inside if isinstance(part, dict | list) for y in tables(part)]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=st.data())
def test_a_changed_file_gives_a_model_or_one_error(data: st.DataObject) -> None:
    """One key lost, odd or new: every matrix that is left has a value or a clear error."""
    document = copy.deepcopy(DOCUMENTS[data.draw(st.sampled_from(sorted(DOCUMENTS)))])
    table = data.draw(st.sampled_from(tables(document)))
    change = data.draw(st.sampled_from(["lost", "odd", "new", "given"]))
    if change == "given":
        document["given"] = {
            data.draw(st.sampled_from(GIVEN)): data.draw(st.sampled_from(ODD[4:6]))
        }
    elif table:
        key = data.draw(st.sampled_from(KEYS if change == "new" else sorted(table)))
        table.pop(key, None)
        if change != "lost":
            table[key] = data.draw(st.sampled_from(ODD))
    try:
        graph = build(loads(json.dumps(document), "m.json"))
        for matrix in list(graph)[-3:]:
            assert graph.matrix(graph.short(matrix.name)) is matrix
            assert derivation(graph, f"{matrix.name}[0,0]").steps
    except DeriveError as error:
        assert str(error).strip()
