"""Hand-worked numbers: biased."""

from __future__ import annotations

from derive.ops.biased import BiasedMaskedScores, BiasedScores
from tests.ops.helpers import assert_gives

S, BIAS = [["5", "7"]], [["-1", "1/2"]]


def test_with_and_without_a_mask() -> None:
    assert_gives(BiasedScores(s="s", bias="bias"), [["4", "15/2"]], s=S, bias=BIAS)
    operation = BiasedMaskedScores(s="s", bias="bias", mask="mask")
    assert_gives(operation, [["4", "-inf"]], s=S, bias=BIAS, mask=[["0", "-inf"]])
