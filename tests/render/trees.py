"""Random shown trees for Hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from derive.line import (
    Bound,
    Call,
    Const,
    Entry,
    Letter,
    Neg,
    Num,
    Over,
    Plus,
    Power,
    Root,
    Shown,
    Sum,
    Sym,
    Times,
)

NAMES = {
    "b0.h0.Q": "Q",
    "b0.h0.Q_rot": "Q_rot",
    "b0.h0.W_Q": "W_Q",
    "b0.N2.rms": "N2.rms",
    "b1.h0.A.exp": "b1.h0.A.exp",
    "logits": "logits",
}


def fractions(least: int = -9, most: int = 99) -> st.SearchStrategy[Num]:
    """Small rationals in lowest terms."""

    def lowest(p: int, q: int) -> Num:
        from math import gcd

        g = gcd(p, q)
        return Num(p // g, q // g)

    return st.builds(lowest, st.integers(least, most), st.integers(1, 9))


LETTERS = st.sampled_from(["i", "d_k", "ε", "θ_p", "2p+1", "t_i", "d_model"])
LEAVES: st.SearchStrategy[Shown] = st.one_of(
    fractions(),
    st.sampled_from([Const("pi"), Const("e"), Neg(Const("inf"))]),
    st.builds(Sym, st.sampled_from(["w_00", "x", "alpha", "d_model"])),
    st.builds(Letter, LETTERS, st.just(Num(2))),
    st.builds(
        lambda name, i, j: Entry(name, (Num(i), Num(j))),
        st.sampled_from(sorted(NAMES)),
        st.integers(0, 12),
        st.integers(0, 3),
    ),
)


def _more(part: st.SearchStrategy[Shown]) -> st.SearchStrategy[Shown]:
    several = st.lists(part, min_size=2, max_size=5).map(tuple)
    return st.one_of(
        several.map(Plus),
        several.map(Times),
        st.builds(Neg, part),
        st.builds(Over, part, part),
        st.builds(Power, part, st.integers(-3, 4).map(Num)),
        st.builds(Power, st.just(Const("e")), part),
        st.builds(Power, part, part),
        st.builds(Root, part, st.integers(2, 5)),
        st.builds(Call, st.sampled_from(["cos", "log", "abs", "relu", "exp"]), st.tuples(part)),
        st.builds(Call, st.just("max"), st.tuples(st.just(Num(0)), part)),
        st.builds(Sum, st.just(Bound("k")), st.just(Letter("d", Num(4))), part),
        several.map(lambda t: Plus(t, (0, len(t) - 1))),
    )


TREES: st.SearchStrategy[Shown] = st.recursive(LEAVES, _more, max_leaves=25)
