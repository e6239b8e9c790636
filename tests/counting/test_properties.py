"""Properties of every count: sums, letters and numbers, thresholds."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.counting.counted import count
from derive.counting.polynomial import Poly, total
from derive.counting.settings import from_words
from derive.errors import DeriveError

SIZES = {
    "layers": 7, "d-model": 60, "heads": 6, "kv-heads": 3, "head-dim": 8, "d-ff": 50, "vocab": 70,
    "tokens": 40, "batch": 3, "bytes": 2,
}  # fmt: skip
QUANTITIES = ("parameters", "flops", "kv-cache", "memory", "scores", "io")
CHOICES = ("", "--gated", "--norm layernorm", "--bias all", "--causal", "--tied", "--norm rmsnorm")


def ask(words: str):  # type: ignore[no-untyped-def]
    return count(*from_words(words))


def typed(sizes: dict[str, object]) -> str:
    return " ".join(f"--{name} {x}" for name, x in sizes.items())


numbers = st.fixed_dictionaries({n: st.integers(1, 3 * x) for n, x in SIZES.items()}).map(
    lambda s: {**s, "heads": s["heads"] * s["kv-heads"]}
)


@settings(max_examples=25, deadline=None)
@given(numbers, st.sampled_from(QUANTITIES), st.sampled_from(CHOICES))
def test_letters_then_numbers_is_numbers(sizes: dict[str, int], what: str, choice: str) -> None:
    letters, here = ask(f"{what} {choice} --batch B"), ask(f"{what} {choice} {typed(sizes)}")
    assert here.number is not None
    assert letters.formula.put(here.values).number == here.number
    assert total(p.formula for p in here.parts).put(here.values) == here.number
    assert here.number.denominator == 1


@settings(max_examples=25, deadline=None)
@given(numbers, st.integers(1, 10**9), st.sampled_from(("batch", "tokens", "layers")))
def test_a_threshold_holds_and_the_next_does_not(
    sizes: dict[str, int], limit: int, name: str
) -> None:
    words = f"memory --for training {typed(sizes)}"
    try:
        answer = ask(f"{words} --solve {name} --within {limit}").answer.number
    except DeriveError:  # not even 1 will do
        assert ask(f"{words} --{name} 1").number > limit
        return
    assert ask(f"{words} --{name} {answer + 1}").number > limit
    assert answer == 0 or ask(f"{words} --{name} {answer}").number <= limit


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 60), st.integers(1, 9), st.integers(1, 9))
def test_causal_tiles_are_counted_one_by_one(n: int, rows: int, columns: int) -> None:
    found = ask(
        f"tiles --layers 1 --heads 1 --tokens {n} --tile-q {rows} --tile-k {columns} --causal"
    )
    seen = sum(
        j * columns <= min((i + 1) * rows, n) - 1
        for i in range(ceil(Fraction(n, rows)))
        for j in range(ceil(Fraction(n, columns)))
    )
    assert found.number == seen


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40))
def test_causal_pairs_are_counted_one_by_one(n: int, w: int) -> None:
    pairs = sum(1 for i in range(n) for j in range(n) if j <= i)
    near = sum(1 for i in range(n) for j in range(n) if i - w < j <= i)
    words = f"scores --layers 1 --heads 1 --tokens {n} --causal"
    assert ask(words).number == pairs
    assert ask(f"{words} --window {w}").number == near


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 50), st.integers(1, 40), st.integers(1, 40))
def test_the_best_block_of_checkpoints(layers: int, d: int, n: int) -> None:
    words = f"memory --for training --layers {layers} --d-model {d} --heads 1 --d-ff {d} --vocab 5"
    words += f" --tokens {n} --bytes 1 --checkpoint c"
    best = ask(f"{words} --solve c --minimize").answer.number
    f = ask(words).value
    values = [f.put({"c": Poly.of(c)}).number for c in range(1, 60)]
    assert values[int(best) - 1] == min(values)


def test_checkpoints_in_letters() -> None:
    found = ask("memory --for training --checkpoint c --solve c --minimize")
    assert found.lines[0].text.startswith("c² = (L·")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("kv-cach", "nearest: kv-cache"),
        ("kv-cache llama-3-8", "nearest: llama-3-8b"),
        ("kv-cache --layer 3", "nearest: --layers"),
        ("kv-cache --layers -3", "layers"),
        ("kv-cache --layers 1.5", "whole number"),
        ("kv-cache --heads 6 --kv-heads 4", "divisor"),
        ("kv-cache --in parsec", "parsec"),
        ("kv-cache --solve batch", "within"),
        ("kv-cache --within '1 GB'", "solve"),
        ("kv-cache --solve batch --within 1GB --at-least 3", "expected one of"),
        ("kv-cache --layers 2 --solve batch --within '1 GB'", "letters still"),
        ("scores --layers 1 --heads 1 --tokens 2 --solve vocab --within 3", "depend"),
        ("scores --growth V", "no letter V"),
        ("flops --part nothing", "there are"),
        ("flops --balance attention", "solve"),
        ("flops --solve tokens --balance attention", "part=part"),
        ("scores --solve n --minimize", "1/n"),
        ("intensity --across tp --pass decode", "forward or training"),
        ("flops --utilization 40%", "peak"),
        ("kv-cache --experts 3", "active"),
        ("tiles --tile-q 0", "at least 1"),
    ],
)
def test_what_is_wrong_is_named(words: str, message: str) -> None:
    with pytest.raises(DeriveError) as error:
        ask(words)
    assert message in str(error.value)
