"""User text made harmless, and still recognisable: for a terminal, for LaTeX, for JSON.

Token texts come from anywhere: empty, spaces, control characters, halves of surrogate pairs,
right-to-left marks, TeX source.  Nothing that a reader could not see stays invisible.
"""

from __future__ import annotations

import json
import re
import unicodedata

HIDDEN = {"Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"}  # steers the output, or has no picture
LABEL_WIDTH = 24  # columns of a row label; a longer token is cut with …


def code_point(c: str) -> str:
    """U+0007 for the bell."""
    return f"U+{ord(c):04X}"


def _hidden(c: str) -> bool:
    category = unicodedata.category(c)
    return category in HIDDEN or (category == "Zs" and c != " ")


def terminal(text: str) -> str:
    """Text for a terminal: what steers it or has no picture stands as a code point.

    >>> terminal("a\\x1b[31m\\u202eb")
    'aU+001B[31mU+202Eb'
    """
    shown: list[str] = []
    for c in text:
        if _hidden(c):
            shown.append(code_point(c))
        elif unicodedata.category(c)[0] == "M" and _alone(shown):
            shown.append("◌" + c)  # a combining mark needs something to stand on
        else:
            shown.append(c)
    return "".join(shown)


def _alone(before: list[str]) -> bool:
    return not before or unicodedata.category(before[-1][-1])[0] in "PZ" or len(before[-1]) > 1


def label(token: str) -> str:
    """A token as a row label in a terminal: spaces seen, the empty token as ∅, never long.

    >>> label(" the"), label(""), label("a b")
    ('␣the', '∅', 'a b')
    """
    text = terminal(spaces_seen(token, "␣")) or "∅"
    return text if len(text) <= LABEL_WIDTH >= columns(text) else cut(text, LABEL_WIDTH - 1) + "…"


def spaces_seen(text: str, mark: str) -> str:
    """Spaces at the ends and double spaces as a mark; single ones inside stay."""
    return re.sub(r"^ +| +$| {2,}", lambda m: mark * len(m[0]), text)


def true_minus(note: str) -> str:
    """Our own words with true minus signs; what stands in quotation marks stays.

    >>> true_minus("R[0,1] is -2, the token “-2” is not")
    'R[0,1] is −2, the token “-2” is not'
    """
    return re.sub(r"“[^”]*”|(?<![\w.])-(?=\d)", lambda m: "−" if m[0] == "-" else m[0], note)


def columns(text: str) -> int:
    """Columns that a text takes in a terminal: wide characters 2, combining marks 0."""
    return sum(map(_columns, text))


def _columns(c: str) -> int:
    if c.isascii():
        return 1
    if unicodedata.category(c) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


def cut(text: str, room: int) -> str:
    """The longest beginning of a text that takes no more columns than room."""
    text = text[: 2 * room]  # a heap of combining marks takes no columns, but is long
    while columns(text) > room:
        text = text[:-1]
    return text


def dumps(value: object) -> str:
    """JSON for people and machines: Unicode as it is, except what a terminal obeys.

    >>> print(dumps({"schema": "x", "token": "猫\\ud83d\\u202e"}), end="")
    {
      "schema": "x",
      "token": "猫\\ud83d\\u202e"
    }
    """
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return "".join(json.dumps(c)[1:-1] if _hidden(c) and c != "\n" else c for c in text) + "\n"


# LaTeX: pdflatex with OT1 fonts, no packages.  In OT1 a raw < prints ¡, a raw " prints ”.

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\ttfamily\char34}",
    "`": r"{\ttfamily\char96}",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "ß": r"\ss{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "œ": r"\oe{}",
    "Œ": r"\OE{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
    "ı": r"\i{}",
    "¡": "!`",
    "¿": "?`",
    "§": r"\S{}",
    "¶": r"\P{}",
    "©": r"\copyright{}",
    "£": r"\pounds{}",
    "␣": r"\textvisiblespace{}",
    "▁": r"\rule{0.5em}{0.12ex}",  # SentencePiece's mark of a word's beginning, as it looks
}
ACCENTS = dict(
    zip(
        "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327\u0323\u0331",
        "`'^~=u.\"rHvcdb",
        strict=True,
    )
)
MATHS = {
    "−": "-",
    "·": r"\cdot",
    "×": r"\times",
    "÷": r"\div",
    "±": r"\pm",
    "√": r"\surd",
    "Σ": r"\Sigma",
    "∞": r"\infty",
    "≈": r"\approx",
    "≠": r"\neq",
    "≤": r"\leq",
    "≥": r"\geq",
    "→": r"\to",
    "∈": r"\in",
    "²": "^2",
    "³": "^3",
    "½": r"\frac{1}{2}",
    "°": r"^\circ",
    "∅": r"\emptyset",
}
GREEK = dict(
    zip(
        "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩϕ",
        (
            "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho "
            "sigma tau upsilon varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon "
            "Phi Psi Omega phi"
        ).split(),
        strict=True,
    )
)


def latex(text: str) -> str:
    """Any text as LaTeX text, also inside \\text{…}; what OT1 lacks as a boxed code point.

    >>> print(latex("50% of <b>_é猫--"))
    50\\% of \\textless{}b\\textgreater{}\\_{\\'e}\\fbox{\\tiny U+732B}{-}{-}
    """
    return latex_words(spaces_seen(text, "␣"))


def latex_words(text: str) -> str:
    """The same for our own words, whose spaces are only spaces."""
    text = unicodedata.normalize("NFC", text)
    shown, run = [], 0  # run: characters since the last place where a line may break
    for k, c in enumerate(text):
        shown.append(_tex(c, text[k + 1 : k + 2], text[:k][-1:]))
        run = 0 if c == " " else run + (6 if "\\fbox" in shown[-1] else 1)
        if run > LABEL_WIDTH and text[k + 1 : k + 2].strip():
            shown.append(r"\allowbreak{}")
            run = 0
    return "".join(shown)


def latex_label(token: str) -> str:
    """A token as LaTeX text: the empty one said in words, a very long one cut.

    >>> latex_label("")
    '\\\\textit{(empty)}'
    """
    short = token if len(token) <= LABEL_WIDTH else token[: LABEL_WIDTH - 1] + "…"
    return latex(short) or r"\textit{(empty)}"


def _tex(c: str, after: str, before: str) -> str:
    """One character; its neighbours matter for ligatures (-- and '' and ,, would join)."""
    if c in SPECIAL:
        return SPECIAL[c]
    if c in "-',`?!" and c in (after, before):
        return f"{{{c}}}"
    if c.isascii() and c.isprintable():
        return c
    if c in MATHS or c in GREEK:
        return rf"\ensuremath{{{MATHS.get(c) or chr(92) + GREEK[c]}}}"
    return _accented(c) or rf"\fbox{{\tiny {code_point(c)}}}"


def _accented(c: str) -> str:
    parts = unicodedata.normalize("NFD", c)
    if len(parts) != 2 or not parts[0].isalpha() or not parts[0].isascii():
        return ""
    base, mark = parts[0], parts[1]
    if mark not in ACCENTS:
        return ""
    dotless = {"i": r"\i", "j": r"\j"}.get(base, base) if mark not in "\u0327\u0323\u0331" else base
    accent = ACCENTS[mark]
    gap = " " if accent.isalpha() and not dotless.startswith("\\") else ""
    return rf"{{\{accent}{gap}{dotless}}}"
