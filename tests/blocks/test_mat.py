"""The trained model `mat`, and the printed figures of its source.

The source's weights are not published, so its figures are tested as consistent with rounding:
the printed result lies in the interval that the printed inputs allow.  What depends on the
shape and the sentences alone is tested on the model itself.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq

from derive.blocks import build
from derive.blocks.decode import decode
from derive.blocks.ranking import ranked
from derive.exact.digits import places_of
from derive.graph import derivation
from derive.model import load

SENTENCES = """
the cat sat on the mat .
a cat sat on a mat .
the dog ran to the park .
a dog ran to a park .
the dog sat on the mat .
the bird flew in the sky .
a bird flew in the sky .
"""


def printed(text: str) -> arb:
    """All numbers that are printed as this text."""
    number = Fraction(text.rstrip("%"))
    half = Fraction(1, 2) / 10 ** len(text.rstrip("%").partition(".")[2])
    if text.endswith("%"):
        number, half = number / 100, half / 100
    middle, radius = (fmpq(x.numerator, x.denominator) for x in (number, half))
    return (arb(middle) - radius).union(arb(middle) + radius)


def row(text: str) -> list[arb]:
    return [printed(x) for x in text.split()]


def consistent(computed: arb, text: str) -> bool:
    return bool(computed.overlaps(printed(text)))


@pytest.fixture(autouse=True)
def _bits() -> object:
    before, ctx.prec = ctx.prec, 128
    yield
    ctx.prec = before


Q = "-0.76 0.37 -0.55 0.45 -0.11 0.17 0.43 -0.93"
K0 = "-0.22 -1.10 -0.03 0.14 -0.19 0.18 -0.36 -1.13"
DOTS = "0.78 0.19 2.62 1.02 0.98"
SCORES = "0.28 0.07 0.93 0.36 0.35"
POWERS = "1.32 1.07 2.53 1.44 1.42"
LOGITS = "1.58 -2.94 2.58 -3.06 -1.42 -4.01 1.55 0.7 -0.18 -3.59 1.26 -7.26 14.56 2.62 1.12"


def dot(a: str, b: str) -> arb:
    return sum((x * y for x, y in zip(row(a), row(b), strict=True)), arb(0))


def test_step_3_root_of_the_variance() -> None:
    assert consistent(printed("0.600").sqrt(), "0.775")


def test_step_4_query_as_a_dot_product() -> None:
    n = "-1.45 -0.50 0.18 -0.77 0.52 0.52 -0.12 1.95"
    column = "0.33 -0.20 0.45 0.05 0.37 -0.41 -0.06 -0.21"
    assert consistent(dot(n, column), "-0.76")


def test_step_5_scores() -> None:
    assert consistent(dot(Q, K0), "0.78")
    for raw, scaled in zip(DOTS.split(), SCORES.split(), strict=True):
        assert consistent(printed(raw) / arb(8).sqrt(), scaled)


def test_step_5_shares() -> None:
    total = sum(row(POWERS), arb(0))
    assert consistent(total, "7.77")
    for score, power in zip(SCORES.split(), POWERS.split(), strict=True):
        assert consistent(printed(score).exp(), power)
    for power, share in zip(POWERS.split(), "17.0% 13.8% 32.6% 18.5% 18.2%".split(), strict=True):
        assert consistent(printed(power) / printed("7.77"), share)


def test_step_6_blend() -> None:
    assert consistent(dot("0.17 0.14 0.33 0.18 0.18", "-0.37 1.38 -0.08 0.44 0.01"), "0.18")


def test_step_10_chance_of_mat() -> None:
    powers = [x.exp() for x in row(LOGITS)]
    assert consistent(powers[12] / sum(powers, arb(0)), "100%")


def test_step_2_position_signal() -> None:
    graph = build(load("mat"))
    assert places_of(graph["P[4,0]"].ball, graph["P[4,0]"].equals, 2) == "-0.76"


def test_shape_and_mask() -> None:
    graph = build(load("mat"))
    shapes = {"E": (15, 8), "X": (5, 8), "A": (5, 5), "U": (5, 16), "logits": (5, 15)}
    assert {name: graph.matrix(name).shape for name in shapes} == shapes
    assert graph["A[0,0]"].node.number == (1, 1)


def test_step_8_switched_off() -> None:
    graph = build(load("mat"))
    assert [graph[f"U[4,{j}]"].sign for j in range(16)].count(-1) == 9


def test_the_sentence_changes_the_word_and_attention_says_why() -> None:
    """The last "the" looks most at the verb: sat leads to mat, ran to park."""
    for text, word in (("the dog sat on the", "mat"), ("the dog ran to the", "park")):
        graph = build(load("mat", tokens=text))
        assert ranked(graph, "b0.h0.A", 4)[0] == [2]
        (step,) = decode(graph.model)
        assert (step.predicted, step.tie) == (word, ())
        index = list(graph.model.vocabulary or ()).index(word)
        assert graph[f"probs[4,{index}]"].decimal(2) in ("1.0", "1.00")


def determined() -> list[tuple[str, str]]:
    """Every prefix of the sentences that goes on in one way only."""
    following: dict[str, set[str]] = {}
    for sentence in SENTENCES.strip().splitlines():
        words = sentence.split()
        for n in range(1, len(words)):
            following.setdefault(" ".join(words[:n]), set()).add(words[n])
    return [(prefix, *ends) for prefix, ends in following.items() if len(ends) == 1]  # type: ignore[misc]


def test_every_determined_word_is_predicted() -> None:
    pairs = determined()
    assert len(pairs) == 33
    for prefix, word in pairs:
        graph = build(load("mat", tokens=prefix))
        rows = graph.matrix("logits").shape[0]
        (best,) = ranked(graph, "logits", rows - 1)[0]
        assert graph.model.vocabulary and graph.model.vocabulary[best] == word, prefix


def test_temperature_three_is_less_sure() -> None:
    graph = build(load("mat", sets=["temperature=3"]))
    assert graph["probs[4,mat]"].decimal(3) == "0.710"
    assert "T" in str(derivation(graph, "probs[4,mat]").steps[0].lines[0])


def test_two_more_words() -> None:
    steps = list(decode(load("mat"), 2))
    assert [step.predicted for step in steps] == ["mat", "."]
