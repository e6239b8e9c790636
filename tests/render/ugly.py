"""Derivations and tables made by hand, as ugly as they get."""

from __future__ import annotations

from derive.line import (
    Bound,
    Call,
    Case,
    Cases,
    Condition,
    Const,
    Decimal,
    Derivation,
    Entry,
    Kind,
    Letter,
    Line,
    Neg,
    Num,
    Over,
    Plus,
    Power,
    Root,
    Shown,
    Step,
    Sum,
    Sym,
    Table,
    Times,
    at_cell,
    with_entries,
)

X, WQ, Q, A, RMS = "b0.X", "b0.h0.W_Q", "b0.h0.Q", "b0.h0.A", "b0.N2.rms"
NAMES = {
    X: "X",
    WQ: "W_Q",
    Q: "Q",
    A: "A",
    f"{A}.exp": "A.exp",
    f"{A}.sum": "A.sum",
    RMS: "N2.rms",
    "b0.h0.Q_rot": "Q_rot",
    "b0.h0.mask": "mask",
    "b1.h0.S_scaled": "b1.h0.S_scaled",
}
HOSTILE = (
    "50%",
    "a_b & #1 {x} ~^\\n $y$",
    '"quoted" `x` --no',
    "<script>",
    "猫 😀 שלום",
    "▁the",
    "Ġthe",
    "e\u0301t\u0308",
    "\x07\x1b[31m\u202e",
    "\ud83d",
    "",
    "  two  spaces ",
    "[",
    "*",
    "\n\n",
    "?`!`",
    "''",
    "Xx" * 60,
)

I, J, K = Letter("i", Num(2)), Letter("j", Num(0)), Bound("k")  # noqa: E741


def at(matrix: str, *indices: Shown | int) -> Entry:
    """An entry with numbers or letters as indices."""
    return Entry(matrix, tuple(Num(x) if isinstance(x, int) else x for x in indices))


def e(x: Shown) -> Power:
    """e to the x."""
    return Power(Const("e"), x)


def line(kind: Kind, left: Shown, right: Shown, note: str = "") -> Line:
    """A line; a decimal is rounded."""
    return Line(kind, left, "≈" if kind == "decimal" else "=", right, note)


SCORE = Plus((
    Over(Times((Root(Num(2)), Call("cos", (Num(2),)))), Num(4)),
    Over(Times((Num(3), Root(Num(2)), Call("sin", (Num(2),)))), Num(4)),
))  # fmt: skip
OTHER = Plus((
    Over(Times((Root(Num(2)), Call("cos", (Num(1),)))), Num(4)),
    Neg(Over(Times((Num(3), Root(Num(2)), Call("sin", (Num(1),)))), Num(4))),
))  # fmt: skip
SOFTMAX = Step(
    "how much “cats” (row 2) attends to “I” (column 0)",
    "A[2,0]",
    (
        line("definition", at(A, I, J), Over(at(f"{A}.exp", I, J), at(f"{A}.sum", I, 0))),
        line("here", at(A, 2, 0), Over(at(f"{A}.exp", 2, 0), at(f"{A}.sum", 2, 0))),
        line("substituted", at(A, 2, 0), Over(e(SCORE), Plus((e(SCORE), e(OTHER), Num(1))))),
        line("exact", at(A, 2, 0), Over(e(SCORE), Plus((e(SCORE), e(OTHER), Num(1))))),
        line("decimal", at(A, 2, 0), Decimal("0.41238")),
    ),
)

PRODUCT = Sum(K, Letter("d", Num(4)), Times((at(X, I, K), at(WQ, K, J))))
PUT_IN = {
    at(X, 2, 0): Num(1),
    at(X, 2, 1): Num(0),
    at(X, 2, 2): Num(-1),
    at(X, 2, 3): Num(-1),
    at(WQ, 2, 0): Num(-1, 2),
}
QUERY = Step(
    "the query of “cats” (row 2), column 0",
    "Q[2,0]",
    (
        line("definition", at(Q, I, J), PRODUCT),
        line("here", at(Q, 2, 0), at_cell(PRODUCT)),
        line(
            "substituted",
            at(Q, 2, 0),
            with_entries(at_cell(PRODUCT), lambda x: PUT_IN.get(x, Num(-1))),
        ),
        line("exact", at(Q, 2, 0), Num(-1, 2)),
        Line("decimal", at(Q, 2, 0), "=", Decimal("-0.5")),
    ),
)
MASK = Step(
    "whether “cats” (row 2) may look at “I” (column 0)",
    "mask[2,0]",
    (
        line(
            "definition",
            at("b0.h0.mask", I, J),
            Cases((
                Case(Num(0), Condition(J, "<=", I), True),
                Case(Neg(Const("inf")), Condition(J, ">", I), False),
            )),
        ),
        line("here", at("b0.h0.mask", 2, 0), Num(0)),
    ),
)  # fmt: skip


def long_sum(n: int, shown: tuple[int, ...] | None = None) -> Plus:
    """X[2,0]·W_Q[0,0] + … with n terms."""
    return Plus(tuple(Times((at(X, 2, k), at(WQ, k, 0))) for k in range(n)), shown)


ROOTS = Plus(tuple(Over(Times((Num(7 * k - 50), Root(Num(k + 2)))), Num(k + 3)) for k in range(20)))
TURN = Times((Letter("m_i", Num(2)), Letter("θ_p", Num(1, 100))))
ROPE = Plus((
    Times((at(Q, I, Letter("2p", Num(0))), Call("cos", (TURN,)))),
    Neg(Times((at(Q, I, Letter("2p+1", Num(1))), Call("sin", (TURN,))))),
))  # fmt: skip
MEAN = Times((Over(Num(1), Letter("d", Num(4))), Sum(K, Letter("d", Num(4)), Power(at(X, I, K), Num(2)))))  # fmt: skip  # noqa: E501
NORM = Root(Plus((MEAN, Letter("ε", Num(1, 1000000)))))
DEEP: Shown = Sym("w_00")
for _ in range(6):
    DEEP = e(Neg(Over(DEEP, Plus((Num(1), DEEP)))))

WIDE = (
    long_sum(30),
    long_sum(30, (0, 1, 17, 29)),
    Over(ROOTS, Num(2)),
    Over(Num(1), Plus((Num(1), Root(ROOTS)))),
    Times((Num(1, 2), ROOTS)),
    Times((Num(-2), ROOTS, long_sum(12))),
    Root(ROOTS),
    e(ROOTS),
    e(Over(ROOTS, long_sum(12))),
    Power(ROOTS, Num(2)),
    Power(Num(3), ROOTS),
    Call("max", (Num(0), long_sum(20))),
    Call("abs", (ROOTS,)),
    Plus((Over(ROOTS, Num(2)), Neg(Over(Num(5), long_sum(15))))),
    Over(Over(ROOTS, long_sum(15)), Plus((Over(ROOTS, Num(7)), Num(1)))),
    Cases((
        Case(ROOTS, Condition(at(X, 2, 0), ">", Num(0)), True),
        Case(Neg(long_sum(12)), Condition(None, "otherwise", None), False),
    )),
    Num(-(3**300), 2**300),
    Num(12345678901234567890123456789, 12345678901234567890123456788),
    Plus(tuple(Num(10**k + 1, 10**k) for k in range(30, 41))),
    DEEP,
    Times(tuple(Plus((Sym("x"), Num(k))) for k in range(24))),
    Times(tuple(Root(Plus((Num(k), e(Num(k, 3))))) for k in range(12))),
    Call("log", (Plus(tuple(e(Over(at(X, 2, k), Root(Num(2)))) for k in range(9))),)),
)  # fmt: skip
STEPS = (
    SOFTMAX,
    QUERY,
    MASK,
    Step(
        "RoPE",
        "Q_rot[2,0]",
        (
            line("definition", at("b0.h0.Q_rot", I, J), ROPE),
            line("here", at("b0.h0.Q_rot", 2, 0), at_cell(ROPE)),
            line("definition", at(RMS, I, 0), NORM),
            line("here", at(RMS, 2, 0), at_cell(NORM)),
            line("substituted", at(RMS, 2, 0), with_entries(at_cell(NORM), lambda _: e(Num(5, 2)))),
        ),
        "The position is m_i = 2.",
    ),
    *(
        Step(f"hostile “{token}” (row {k})", f'A["{token}",{k}]', (line("exact", at(A, k, k), x),))
        for k, (token, x) in enumerate(zip(HOSTILE, [Num(-3), *WIDE], strict=False))
    ),
    Step("everything wide", "A[0,0]", tuple(line("exact", at(A, 0, 0), x) for x in WIDE)),
    Step(
        "everything wide, put in",
        "A[0,1]",
        tuple(line("substituted", at(A, 0, 1), x) for x in WIDE),
    ),
    Step(
        "a long name",
        "b1.h0.S_scaled[12,10]",
        tuple(line("exact", at("b1.h0.S_scaled", 12, 10), x) for x in WIDE[::3]),
        "30 terms; printed: the first two.",
    ),
)
DERIVATION = Derivation(
    cell="A[2,0]",
    operation="softmax",
    reads=("A.exp[2,0]", "A.sum[2,0]"),
    steps=STEPS,
    exact="exp(1)/(1 + exp(1))",
    exact_guard=None,
    decimal="0.41238",
    digits=5,
    enclosure=("41237/100000", "41239/100000"),
    names=NAMES,
)


def derivation(*steps: Step) -> Derivation:
    """The same with other steps."""
    from dataclasses import replace

    return replace(DERIVATION, steps=steps)


def table(cells: tuple[tuple[Shown, ...], ...], rows: tuple[str, ...] = ()) -> Table:
    """A matrix A with these cells."""
    columns = tuple(map(str, range(len(cells[0]))))
    return Table(
        name="A",
        operation="softmax",
        meaning="attention weights",
        shape=(len(cells), len(columns)),
        rows=rows or tuple(map(str, range(len(cells)))),
        columns=columns,
        cells=cells,
        plain=tuple(tuple("0" for _ in row) for row in cells),
        names=NAMES,
    )
