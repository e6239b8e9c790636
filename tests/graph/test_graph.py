"""The graph: only what is needed, once; names and addresses as in the contract."""

from __future__ import annotations

import pytest

from derive.blocks import build
from derive.errors import AddressError
from derive.graph import Graph, derivation
from derive.model import load, loads
from derive.operation import Operation


@pytest.fixture
def cats() -> Graph:
    return build(load("cats"))


@pytest.fixture
def two() -> Graph:
    return build(load("cats-two-blocks"))


def count_definitions(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    calls: list[tuple[object, ...]] = []
    for matrix in graph.matrices.values():
        operation: Operation = matrix.operation
        original = operation.define

        def define(
            f: object,
            *at: int,
            _original: object = original,
            _name: str = matrix.name,
            **views: object,
        ) -> object:
            calls.append((id(f), _name, at))
            return _original(f, *at, **views)  # type: ignore[operator]

        monkeypatch.setattr(operation, "define", define)
    return calls


def test_a_cell_computes_only_what_it_needs_and_that_once(
    cats: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = count_definitions(cats, monkeypatch)
    assert cats["A[2,0]"].node
    assert len(calls) == len(set(calls))
    computed = {(name, at) for _, name, at in calls}
    assert {name for name, _ in computed} == {
        "E", "X", "b0.h0.W_Q", "b0.kv0.W_K", "b0.h0.Q", "b0.kv0.K", "b0.h0.Q_rot", "b0.kv0.K_rot",
        "b0.h0.S", "b0.h0.S_scaled", "b0.mask", "b0.h0.S_masked", "b0.h0.A.exp", "b0.h0.A.sum",
        "b0.h0.A",
    }  # fmt: skip
    assert ("b0.h0.Q", (1, 0)) not in computed, "the query of another row is not needed"
    before = len(calls)
    assert cats["A[2,0]"].node
    assert cats["A[2,1]"].node
    assert len(calls) == before + 1, "a neighbour shares everything but itself"


def test_names_with_and_without_prefixes(cats: Graph, two: Graph) -> None:
    for name in ("A", "h0.A", "b0.A", "b0.h0.A"):
        assert cats.matrix(name).name == "b0.h0.A"
    assert cats.matrix("b0.h0.K").name == cats.matrix("kv0.K").name == "b0.kv0.K"
    assert two.matrix("b1.A").name == "b1.h0.A"
    assert two.short("b1.h0.A") == "b1.A"
    assert two.short("X") == "X"
    with pytest.raises(AddressError, match=r"b0\.h0\.A, b1\.h0\.A"):
        two.matrix("A")


@pytest.mark.parametrize(
    ("address", "cell"),
    [
        ("A[cats,I]", "A[2,0]"),
        ("Z[cats,0]", "Z[2,0]"),
        ('A["too", 3]', "A[3,3]"),
        ("E[dogs,1]", "E[4,1]"),
        ("b0.h0.K[1,1]", "K[1,1]"),
    ],
)
def test_labels_as_indices(cats: Graph, address: str, cell: str) -> None:
    assert cats[address].address == cell


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("B[0,0]", "no matrix B"),
        ("Q_rott[0,0]", "nearest: Q_rot"),
        ("A[4,0]", "index 4 is out of range 0…3"),
        ("A[-1,0]", "'-1'"),
        ("A[0]", "A has 2 indices, found 1"),
        ("A", r"expected an address such as A\[0,0\]"),
        ("A[cast,0]", "nearest: cats"),
        ("A[2,:]", "a whole row"),
        ("Q[0,x]", "not a number"),
        ("A[2,99999999999999999999]", "out of range"),
        ("b1.A[0,0]", "no matrix b1.A"),
    ],
)
def test_wrong_addresses(cats: Graph, address: str, message: str) -> None:
    with pytest.raises(AddressError, match=message):
        cats[address]


def test_repeated_tokens_are_not_unique() -> None:
    graph = build(load("next"))
    with pytest.raises(AddressError, match=r"\[0, 3\]"):
        graph["A[the,0]"]
    assert graph["A[next,model]"].address == "A[4,1]"


def test_given_numbers_replace_the_computation() -> None:
    graph = build(load("cats", sets=["given.S=[[1,0,0,0],[1,0,0,0],[1,0,0,0],[1,0,0,0]]"]))
    assert graph["S[2,0]"].node.number == (1, 1)
    assert graph["Q[2,0]"].node.number == (1, 1), "what comes before still exists"
    assert graph["S_scaled[2,0]"].closed ** 2 * 2 == 1


def test_queries_keys_and_values_alone() -> None:
    graph = build(
        loads(
            """
            [given]
            Q = [[1, 0, 2], [0, 1, 1]]
            K = [[1, 1, 0], [0, 2, 1], [1, 0, 1], [2, 0, 0]]
            V = [[1, 0], [0, 1], [1, 1], [2, "1/2"]]
            """,
            "qkv",
        )
    )
    assert graph.matrix("Z").shape == (2, 2)
    assert graph.matrix("A").shape == (2, 4)
    assert "X" not in graph.matrices
    assert graph["S[0,2]"].node.number == (3, 1)
    assert derivation(graph, "Z[0,1]").decimal is not None


def test_a_changed_embedding_changes_what_depends_on_it() -> None:
    before, after = build(load("cats")), build(load("cats", sets=["embedding.E=" + CHANGED]))

    def differs(address: str) -> bool:
        return before[address].decimal(12) != after[address].decimal(12)

    assert differs("X[1,0]") and differs("Q[1,0]") is False  # W_Q does not read column 0
    assert (
        differs("K[1,0]") and differs("A[2,1]") and differs("H[2,0]") and differs("Z[1,0]") is True
    )
    assert not any(differs(f"{m}[0,0]") for m in ("X", "Q", "K", "V", "A", "Z", "H"))


CHANGED = "[[-1,-1,-1,1],[-1,1,-1,1],[3,1,1,1],[1,1,-1,-1],[1,1,-1,1],[-1,-1,1,1]]"


def test_a_symbolic_model_derives_in_letters() -> None:
    text = """
    tokens = ["a", "b"]
    symbols = { x = "real", y = "real", w = "positive" }
    [embedding]
    X = [["x", "y"], [1, "x"]]
    [[block]]
      [block.attention]
      mask = "causal"
      W_Q = [["w"], [0]]
      W_K = [[1], ["w"]]
      W_V = [["x"], [1]]
    """
    graph = build(loads(text, "letters"))
    d = derivation(graph, "Z[1,0]")
    assert d.decimal is None and d.enclosure is None
    assert d.exact is not None and "x" in d.exact
    assert [line.kind for line in d.steps[0].lines] == [
        "definition",
        "here",
        "substituted",
        "exact",
    ]


def test_forget_drops_values_and_nothing_else(cats: Graph) -> None:
    before = cats["A[2,0]"].decimal(8)
    names = list(cats.matrices)
    cats.forget()
    assert list(cats.matrices) == names and cats["A[2,0]"].decimal(8) == before


def test_rows_at_once_enclose_what_cells_give_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matrices of balls are a shortcut only: without them the same numbers come out."""
    from derive.exact.balls import Balls

    fast = build(load("gpt"))
    cells = [f"{name}[2,{j}]" for name in ("logits", "b0.U", "h1.Q") for j in range(2)]
    shortcut = [fast[cell].ball(128) for cell in cells]
    slow = build(load("gpt"))
    monkeypatch.setattr(Balls, "matrix", lambda self, rows: None)
    monkeypatch.setattr(Balls, "exact_matrix", lambda self, rows: None)
    for cell, ball in zip(cells, shortcut, strict=True):
        one_by_one = slow[cell].ball(128)
        assert ball.overlaps(one_by_one) and ball.rad() < 2**-90
