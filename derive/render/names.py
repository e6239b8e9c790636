"""Names as LaTeX: matrices from their structured short names, letters, symbols of the model.

Nothing is guessed from a name's sound: `xhat` is not x with a hat, and a Greek letter is
meant only where the whole name is that of one.

    W_Q          W^{Q}             a one-letter suffix is a superscript, as in papers
    Q_rot        Q^{rot}           words are upright
    N1           N1                letter and digit: upright, as it is typed
    N2.rms       rms^{N2}          a statistic, and whose it is
    A.exp        A^{exp}
    b1.h0.A      A^{(b1.h0)}       block and head, where the short name has them
    flash.m      m^{flash}
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from derive.render.escape import GREEK, latex, latex_words

PREFIX = re.compile(r"(mem|b\d+|h\d+|kv\d+|e\d+|shared\d*)\.(?=.)")
STATISTICS = {"rms", "mean", "var"}
GREEK_NAMES = (set(GREEK.values()) - {"varepsilon", "varphi"}) | {"epsilon"}


@dataclass(frozen=True)
class Symbol:
    """A LaTeX letter with its superscript (empty: none); a power of it needs parentheses."""

    base: str
    above: str = ""

    def with_indices(self, indices: str) -> str:
        """The code of one entry."""
        below = f"_{{{indices}}}" if indices else ""
        return self.base + (f"^{{{self.above}}}" if self.above else "") + below


def matrix(short: str) -> Symbol:
    """A matrix by its shortest unambiguous name.

    >>> matrix("b1.h0.Q_rot").with_indices("2,0")
    'Q^{\\\\mathrm{rot}\\\\,(\\\\mathrm{b1.h0})}_{2,0}'
    >>> matrix("N2.rms")
    Symbol(base='\\\\mathrm{rms}', above='\\\\mathrm{N2}')
    """
    rest = short
    derivative = rest.startswith("d.")
    rest = rest.removeprefix("d.")
    where: list[str] = []
    while found := PREFIX.match(rest):
        where.append(found[1])
        rest = rest[found.end() :]
    base, above = _base(rest)
    if where:
        above = [*above, rf"(\mathrm{{{'.'.join(where)}}})"]
    return Symbol((r"\partial " if derivative else "") + base, r"\,".join(above))


def _base(name: str) -> tuple[str, list[str]]:
    name, _, part = name.partition(".")
    head, *tails = name.split("_")
    above = [word(tail) for tail in tails if tail]
    if not part:
        return word(head), above
    if name == "flash":
        return {"l": r"\ell", "alpha": r"\alpha"}.get(part, word(part)), [word(name)]
    if part in STATISTICS and name != "loss":
        return word(part), [word(head), *above]
    return word(head), [*above, word(part)]


def word(text: str) -> str:
    """One letter in italics, a number as it is, a longer word upright."""
    if len(text) == 1 and text.isascii() and text.isalpha():
        return text
    if text.isdigit():
        return text
    plain = text.isascii() and text.isalnum()
    return rf"\mathrm{{{text}}}" if plain else rf"\text{{{latex(text)}}}"


def symbol(name: str) -> str:
    """A symbol that the model declares.

    >>> symbol("w_00"), symbol("d_model"), symbol("alpha"), symbol("k00"), symbol("xhat")
    ('w_{00}', 'd_{\\\\mathrm{model}}', '\\\\alpha', 'k_{00}', '\\\\mathrm{xhat}')
    """
    head, *tails = name.split("_")
    if not tails and (split := re.fullmatch(r"([A-Za-z])(\d+)", head)):
        head, tails = split[1], [split[2]]
    base = _greek(head) if head in GREEK_NAMES else word(head)
    below = ",".join(word(tail) for tail in tails if tail)
    return f"{base}_{{{below}}}" if below else base


def _greek(name: str) -> str:
    return r"\varepsilon" if name == "epsilon" else "o" if name == "omicron" else "\\" + name


LETTER = re.compile(r"([^\W\d_]+|\d+|[-−+·/(),])(?:_([^\W_]+))?")
SIGNS = {"−": "-", "·": r"\cdot "}


def letter(name: str) -> str:
    """A letter of a formula: one letter or a small sum of them, Greek ones as themselves.

    >>> letter("d_k"), letter("θ_p"), letter("2p+1"), letter("t_i"), letter("d_model")
    ('d_{k}', '\\\\theta_{p}', '2p+1', 't_{i}', 'd_{\\\\mathrm{model}}')
    """
    parts, at = [], 0
    while at < len(name):
        found = LETTER.match(name, at)
        if not found:
            return rf"\text{{{latex(name)}}}"
        below = f"_{{{_atom(found[2])}}}" if found[2] else ""
        parts.append(_atom(found[1]) + below)
        at = found.end()
    return "".join(parts) if parts else r"\text{}"


def _atom(text: str) -> str:
    if text in GREEK:
        return "\\" + GREEK[text]
    return SIGNS.get(text) or (text if text in "-+/()," else word(text))


MATHS_IN_WORDS = re.compile(
    r"“[^”]*”"  # a token: never maths
    r"|(?:(?P<name>[A-Za-z][\w.]*)\[(?P<indices>\d+(?:,\d+)*)\]"
    r"|(?<![\w.])(?P<letter>[A-Za-zα-ωϕ]_[A-Za-z0-9]+)(?![\w.\[]))"
    r"(?: (?P<relation>[≈=]) (?P<right>[-−]?\d+(?:[.,]\d+)?(?![\w/.]*[\w/])))?"
    r"|(?<![\w.])(?P<number>[-−]\d+(?:\.\d+)?)"
)


def sentence(note: str, known: Collection[str]) -> str:
    """A note in our own words as LaTeX text: cells, letters and negative numbers as maths.

    >>> print(sentence("H_mid[2,3] ≈ -0.7 at m_i, “x_1”", ["H_mid"]))
    $H^{\\mathrm{mid}}_{2,3} \\approx -0.7$ at $m_{i}$, ``x\\_1''.
    """
    parts, at = [], 0
    for found in MATHS_IN_WORDS.finditer(note):
        code = _maths_in_words(found, known)
        if code:
            parts += [latex_words(note[at : found.start()]), f"${code}$"]
            at = found.end()
    text = "".join(parts) + latex_words(note[at:])
    return text if note.endswith((".", "!", "?")) else text + "."


def _maths_in_words(found: re.Match[str], known: Collection[str]) -> str:
    if found["number"]:
        return found["number"].replace("−", "-")
    if found["letter"]:
        left = letter(found["letter"])
    elif found["name"] in known:
        left = matrix(found["name"]).with_indices(found["indices"])
    else:
        return ""
    if not found["relation"]:
        return left
    sign = r"\approx" if found["relation"] == "≈" else "="
    return f"{left} {sign} {found['right'].replace('−', '-').replace(',', '{,}')}"
