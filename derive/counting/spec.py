"""What is asked about which transformer: settings by name, checked, as formulas or numbers.

Settings come from options (`--d-model 4096`), a short TOML file (`d_model = 4096`) or a
preset; later ones replace earlier ones.  A size that isn't given stays a letter, and a size may
be given as another formula (`--tokens T`, `--d-ff 4d`).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple, cast

from derive.counting.architecture import (
    BY_LETTER,
    BY_OPTION,
    FFN,
    SIZES,
    Architecture,
    Attention,
    Bias,
    Layers,
    Norm,
    Unembedding,
)
from derive.counting.polynomial import Poly
from derive.errors import DeriveError

TRUTH = ("true", "false")
CHOICES: dict[str, tuple[tuple[str, ...], str, str]] = {  # option: values, default, meaning
    "norm": (
        ("none", "rmsnorm", "layernorm"),
        "none",
        "the norm: none, a gain, a gain and a shift",
    ),
    "norms": (("0", "1", "2", "4"), "2", "norms of the stream in a layer"),
    "bias": (("none", "qkv", "all"), "none", "which products have a bias"),
    "gated": (TRUTH, "false", "the FFN has a gate: three matrices"),
    "unembedding": (("untied", "tied", "none"), "untied", "its own matrix, the embedding, or none"),
    "unembedding-bias": (TRUTH, "false", "the unembedding has a bias"),
    "embedding-norm": (TRUTH, "false", "a norm of the embedded rows"),
    "final-norm": (TRUTH, "true", "a norm before the unembedding"),
    "qk-norm": (TRUTH, "false", "a norm of queries and keys"),
    "pooler": (TRUTH, "false", "BERT's pooler: a d×d matrix with bias"),
    "causal": (TRUTH, "false", "count only the pairs that a causal mask shows"),
}
DTYPES = {
    "fp32": "4",
    "tf32": "4",
    "bf16": "2",
    "fp16": "2",
    "fp8": "1",
    "int8": "1",
    "int4": "1/2",
}
DEFAULTS = {"B": "1", "P": "0", "t": "0", "x_s": "0", "L_0": "0", "p": "1"}
SAME_AS = {"v": "k", "b_s": "b", "L_w": "L", "f_x": "f"}  # where they are not given


class Spec(NamedTuple):
    """Checked settings of a transformer; `sizes` has what was given, by letter."""

    sizes: Mapping[str, Poly] = {}
    choices: Mapping[str, str] = {}
    title: str = ""
    source: str = ""
    model: tuple[Architecture, Mapping[str, Poly]] | None = None  # of a model file

    def choice(self, name: str) -> str:
        """The value of an option, or its default."""
        return self.choices.get(name, CHOICES[name][1])

    def flag(self, name: str) -> bool:
        """An option that is true or false."""
        return self.choice(name) == "true"

    def has(self, letter: str) -> bool:
        """Whether a size was given."""
        return letter in self.sizes

    @property
    def typed(self) -> frozenset[str]:
        """Letters that stand in what was given, and mean what the user means by them."""
        return frozenset(y for x, p in self.sizes.items() for y in p.letters if y != x)

    def symbol(self, letter: str) -> Poly:
        """A size in a formula in letters."""
        given = self.sizes.get(letter)
        if given is not None and given.number is None:
            return given
        if given is None and letter in DEFAULTS:
            return Poly.of(int(DEFAULTS[letter]))
        if given is None and letter in SAME_AS:
            return self.symbol(SAME_AS[letter])
        return Poly.letter(letter)

    def values(self) -> dict[str, Poly]:
        """The numbers to be put in for the letters; what isn't known is absent."""
        found = {x: p for x, p in self.sizes.items() if p.number is not None}
        if self.model:
            return {**self.model[1], **found}
        if "g" not in self.sizes and "h" in found:
            found["g"] = found["h"]
        if "k" not in self.sizes and {"d", "h"} <= set(found):
            k = found["d"].divided(found["h"])
            if k.number is not None and k.number.denominator != 1:
                raise DeriveError(
                    f"d-model {found['d'].number} is no multiple of heads {found['h'].number}: "
                    "expected head-dim to be given"
                )
            found["k"] = k
        return found

    def architecture(self) -> Architecture:
        """The transformer in letters."""
        if self.model:
            return self.model[0]
        s = self.symbol
        bias = cast(Bias, self.choice("bias"))
        attention = Attention(
            heads=s("h"),
            kv_heads=s("g"),
            key=s("k"),
            value=s("v"),
            bias=bias,
            qk_norm=self.flag("qk-norm"),
            rank=s("r") if self.has("r") else None,
            query_rank=s("q") if self.has("q") else None,
            rope=(s("k_R") if self.has("k_R") else Poly.of(0)) if self.has("r") else None,
            features=s("m") if self.has("m") else None,
        )
        ffn = FFN(s("f"), self.flag("gated"), bias == "all")
        return Architecture(
            width=s("d"),
            vocab=s("V"),
            positions=s("P"),
            types=s("t"),
            layers=tuple(self._layers(attention, ffn)),
            norm=cast(Norm, self.choice("norm")),
            embedding_norm=self.flag("embedding-norm"),
            final_norm=self.flag("final-norm"),
            unembedding=cast(Unembedding, self.choice("unembedding")),
            unembedding_bias=self.flag("unembedding-bias"),
            pooler=self.flag("pooler"),
            causal=self.flag("causal"),
        )

    def _layers(self, attention: Attention, ffn: FFN) -> list[Layers]:
        s, norms = self.symbol, int(self.choice("norms"))
        windowed = None
        if self.has("w"):
            windowed = attention._replace(window=s("w"))
        if self.has("x"):
            experts = FFN(
                s("f_x"),
                ffn.gated,
                ffn.bias,
                s("x"),
                s("x_a"),
                s("x_s") if self.has("x_s") else None,
            )
            found = [
                Layers(s("L_0"), windowed or attention, ffn, norms, "dense layers"),
                Layers(s("L") - s("L_0"), windowed or attention, experts, norms, "expert layers"),
            ]
        elif windowed and self.has("L_w"):
            found = [
                Layers(s("L_w"), windowed, ffn, norms, "windowed layers"),
                Layers(s("L") - s("L_w"), attention, ffn, norms, "full layers"),
            ]
        else:
            found = [Layers(s("L"), windowed or attention, ffn, norms)]
        return [layers for layers in found if layers.times]


def make(settings: Mapping[str, str], title: str = "", source: str = "") -> Spec:
    """A checked spec of settings by option name.

    Raises DeriveError naming the setting, what was read, what was expected.

    >>> make({"layers": "2", "heads": "12", "d-model": "768"}).values()["k"].number
    Fraction(64, 1)
    """
    sizes: dict[str, Poly] = {}
    choices: dict[str, str] = {}
    for name, text in settings.items():
        if name in BY_OPTION:
            sizes[BY_OPTION[name].letter] = _size(name, text)
        elif name in CHOICES:
            if text not in CHOICES[name][0]:
                raise DeriveError(
                    f"{name}: read {text[:40]!r}, expected {' or '.join(CHOICES[name][0])}"
                )
            choices[name] = text
        else:
            known = (*BY_OPTION, *CHOICES)
            from derive.text import nearest

            near = nearest(name, known)
            hint = f"; nearest: {near}" if near else f"; there are {', '.join(known)}"
            raise DeriveError(f"no setting {name[:40]!r}{hint}")
    _agree(sizes)
    return Spec(sizes, choices, title, source)


def _size(name: str, text: str) -> Poly:
    if text.isascii() and text.isdecimal() and len(text) < 40 and "bytes" not in name:
        return Poly.of(int(text))  # the usual case needs no parser
    from derive.counting.reading import read_formula

    value = read_formula(DTYPES.get(text, text) if "bytes" in name else text, name)
    number = value.number
    if number is not None and (number < 0 or (number.denominator != 1 and "bytes" not in name)):
        raise DeriveError(f"{name}: read {text[:40]!r}, expected a whole number from 0, or letters")
    return value


def _agree(sizes: Mapping[str, Poly]) -> None:
    """Sizes that contradict one another."""
    numbers = {x: p.number for x, p in sizes.items()}
    option = {size.letter: size.option for size in SIZES}
    for least, most in (("L_w", "L"), ("L_0", "L"), ("x_a", "x"), ("g", "h")):
        a, b = numbers.get(least), numbers.get(most)
        if a is not None and b is not None and a > b:
            raise DeriveError(f"{option[least]} {a}: expected at most {option[most]}, {b}")
    g, h = numbers.get("g"), numbers.get("h")
    if g and h and (h / g).denominator != 1:
        raise DeriveError(f"kv-heads {g}: expected a divisor of heads, {h}")
    for letter in ("t_q", "t_k", "p", "h", "g", "w"):
        if numbers.get(letter) == 0:
            raise DeriveError(f"{option[letter]}: read 0, expected at least 1")
    for letter, needs in (("x", "x_a"), ("x_a", "x"), ("L_w", "w"), ("k_R", "r"), ("q", "r")):
        if letter in sizes and needs not in sizes:
            raise DeriveError(f"{option[letter]} is given, expected {option[needs]} with it")


def meaning(letter: str) -> str:
    """What a letter stands for, in a few words."""
    size = BY_LETTER.get(letter)
    return size.meaning.partition(";")[0].partition(" (when")[0] if size else "as given"


def whole(value: Fraction | None) -> int | None:
    """A whole number as int."""
    return int(value) if value is not None and value.denominator == 1 else None
