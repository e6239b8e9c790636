"""Whatever stands in a file, `loads` gives a model without floats, or one ModelError."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from derive.errors import ModelError
from derive.model import Section, bundled_text, loads, schema_keys

FUZZ = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
CATS = bundled_text("cats")

numbers = st.one_of(
    st.integers(-3, 9),
    st.sampled_from(["1/3", "sqrt(2)/2", "-inf", "inf", "a", "w*k", "1/0", "0.25", "nan", "(", ""]),
)
rows = st.lists(st.lists(numbers, min_size=1, max_size=4), min_size=1, max_size=4)
squares = st.integers(1, 3).flatmap(
    lambda n: st.lists(st.lists(numbers, min_size=n, max_size=n), min_size=n, max_size=n)
)
words = st.sampled_from(
    ["none", "causal", "rope", "rmsnorm", "relu", "gelu", "the", "cats", "b0.h0.A", "X", "", "é\n"]
)
leaves = st.one_of(numbers, words, st.booleans(), st.none(), rows, squares, st.lists(words))
keys = st.sampled_from(
    sorted({part for path in schema_keys() for part in path.split(".")} - {"extends"})
)
tables = st.recursive(
    st.dictionaries(keys, leaves, max_size=4),
    lambda inner: st.dictionaries(
        keys, st.one_of(leaves, inner, st.lists(inner, max_size=2)), max_size=5
    ),
    max_leaves=12,
)
names = st.sampled_from(
    ["Q", "K", "V", "A", "b0.h0.S", "kv0.K", "mask", "E", "X", "U", "b1.O", "?"]
)
shaped = st.fixed_dictionaries(
    {},
    optional={
        "symbols": st.just({"a": "real", "w": "positive"}),
        "tokens": st.lists(words, max_size=3),
        "ids": st.lists(st.integers(0, 3), max_size=3),
        "vocabulary": st.lists(words, max_size=4),
        "embedding": st.fixed_dictionaries({}, optional={"E": squares, "X": squares}),
        "position": st.fixed_dictionaries(
            {"kind": words}, optional={"angles": st.lists(numbers), "base": numbers}
        ),
        "block": st.lists(
            st.fixed_dictionaries(
                {},
                optional={
                    "residual": st.one_of(st.booleans(), st.just([True, False]), numbers),
                    "norm1": st.fixed_dictionaries({"kind": words}, optional={"gain": rows}),
                    "attention": st.dictionaries(
                        st.sampled_from(["W_Q", "W_K", "W_V", "W_O", "b_Q", "mask", "scale"]),
                        st.one_of(squares, words, st.lists(squares, max_size=2)),
                    ),
                    "ffn": st.dictionaries(st.sampled_from(["W_up", "b_up", "W_down"]), squares),
                },
            ),
            max_size=2,
        ),
        "given": st.dictionaries(names, squares, max_size=4),
        "weights": st.fixed_dictionaries(
            {
                "generator": st.just("mulberry32"),
                "seed": numbers,
                "order": st.lists(names, max_size=3),
                "map": st.sampled_from(["2*u-1", "1/u", "sqrt(u)", "u^u", "v"]),
                "sizes": st.dictionaries(st.sampled_from("ndkvfVx"), st.integers(-1, 4)),
            }
        ),
    },
)


def read(text: str, sets: tuple[str, ...] = (), tokens: str | None = None) -> None:
    try:
        model = loads(text, sets=sets, tokens=tokens)
    except ModelError as error:
        assert str(error).strip()
        assert all(": read " in line for line in str(error).splitlines())
    else:
        no_floats(model)


def no_floats(value: object) -> None:
    """Walks everything that a model holds."""
    assert not isinstance(value, (float, complex))
    if isinstance(value, Section):
        value = tuple(value.items())
    if isinstance(value, tuple):
        for x in value:
            no_floats(x)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            no_floats(getattr(value, name))
    else:
        assert value is None or isinstance(value, (str, int))


@FUZZ
@given(st.text(alphabet=st.sampled_from("ab[]{}\"'=.,#\n 0123e-+\\nifx_"), max_size=60))
def test_garbled_text(text: str) -> None:
    read(text)


@FUZZ
@given(st.text(max_size=40))
def test_any_text(text: str) -> None:
    read(text)


@FUZZ
@given(st.data())
def test_damaged_file(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(CATS)))
    length = data.draw(st.integers(0, 40))
    put = data.draw(st.sampled_from(["", "[", "]", '"', "1e9", "nan", "= 3", "\n[x]\n", "-", ".5"]))
    read(CATS[:start] + put + CATS[start + length :])


@FUZZ
@given(tables)
def test_any_keys_anywhere(data: dict[str, object]) -> None:
    read(json.dumps(data))


@FUZZ
@given(shaped)
def test_nearly_right_models(data: dict[str, object]) -> None:
    read(json.dumps(data))


@FUZZ
@given(
    st.lists(
        st.one_of(
            st.text(max_size=20),
            st.builds(
                "{}={}".format,
                st.sampled_from([*schema_keys(2), "mask", "kind", "block.1.x", "given.A"]),
                st.one_of(words, st.builds(json.dumps, leaves)),
            ),
        ),
        max_size=3,
    ),
    st.one_of(st.none(), st.text(max_size=12), st.just("I like dogs")),
)
def test_any_options(sets: list[str], tokens: str | None) -> None:
    read(CATS, tuple(sets), tokens)
