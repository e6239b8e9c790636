"""Characters that people type or paste, and what they stand for in the plain grammar.

Superscripts are read before any Unicode normalisation could flatten them (x² is not x2), and
nothing here maps one visible number to another.
"""

from __future__ import annotations

import unicodedata

GREEK = dict(
    zip(
        "αβγδεζηθικλμνξπρσςτυφχψωΓΔΘΛΞΠΣΦΨΩϵϑϕ",
        (
            "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma "
            "sigma tau upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi "
            "Omega epsilon theta phi"
        ).split(),
        strict=True,
    )
)
SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ", "0123456789+-()n", strict=True))
SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
FRACTIONS = dict(
    zip(
        "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒",
        (
            (1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (1, 5), (2, 5), (3, 5), (4, 5), (1, 6), (5, 6),
            (1, 7), (1, 8), (3, 8), (5, 8), (7, 8), (1, 9), (1, 10),
        ),
        strict=True,
    )
)  # fmt: skip
ROOTS = {"√": 2, "∛": 3, "∜": 4}
SAME = {
    "−": "-", "–": "-", "‐": "-", "‑": "-", "·": "*", "×": "*", "⋅": "*", "∙": "*", "∗": "*",
    "•": "*", "≤": "<=", "≥": ">=", "⩽": "<=", "⩾": ">=", "≠": "!=", "÷": "/", "⁄": "/",
    "∕": "/", "∶": ":", "∣": "|", "∧": "and", "∨": "or",
}  # fmt: skip
WORDS = {"∈": "in", "∧": "and", "∨": "or"}
LOOK_ALIKES = dict(  # other alphabets -> the Latin letter that was probably meant
    zip(
        "аеорсухіјѕһԁԛԝАВЕКМНОРСТУХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧο",
        "aeopcyxijshdqwABEKMHOPCTYXIJSABEZHIKMNOPTYXo",
        strict=True,
    )
)


def ordinary(text: str) -> str:
    """The text with wide and other digits, wide signs and mathematical letters made ordinary.

    As long as the text itself, so that places stay places.

    >>> ordinary("（１２＋𝑥）")
    '(12+x)'
    """
    return text if text.isascii() else "".join(map(_ordinary, text))


def _ordinary(c: str) -> str:
    if c.isascii():
        return c
    if "！" <= c <= "～":
        return chr(ord(c) - 0xFEE0)
    if unicodedata.category(c) == "Nd":
        return str(unicodedata.digit(c))
    if unicodedata.category(c) == "Zs":
        return " "
    if "\U0001d400" <= c <= "\U0001d7ff" or c in "ℎℊℓ":
        plain = unicodedata.normalize("NFKC", c)
        return plain if len(plain) == 1 else c
    return c


def described(c: str) -> str:
    """A character for an error message: visible, with its name, with a hint.

    >>> described("\u0430")
    "'\u0430' (CYRILLIC SMALL LETTER A; did you mean the Latin 'a'?)"
    """
    name = unicodedata.name(c, f"U+{ord(c):04X}")
    shown = repr(c) if c.isprintable() else f"U+{ord(c):04X}"
    latin = LOOK_ALIKES.get(c)
    hint = f"; did you mean the Latin {latin!r}?" if latin else ""
    if unicodedata.category(c) == "Cc":
        name = "control character"
    return f"{shown} ({name}{hint})"
