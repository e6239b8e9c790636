"""Widths of Computer Modern's characters and TeX's rules for spacing, as tables.

All in hundredths of a point at 11pt (10.95pt); classes and spaces are those of the TeXbook,
appendix G and the table on page 170.
"""

from __future__ import annotations

THIN, MEDIUM, THICK, SPACE = 183, 244, 305, 365

ITALIC = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
        map(
            int,
            (
                "579 470 474 570 510 654 562 631 377 514 605 348 961 657 531 551 528 524 513 395 "
                "627 570 813 626 576 557 821 886 861 937 871 856 861 999 567 713 1008 745 1182 "
                "999 866 855 866 840 735 792 867 882 1186 993 879 826"
            ).split(),
        ),
        strict=True,
    )
)
UPRIGHT = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
        map(
            int,
            (
                "548 608 487 608 487 420 563 608 304 335 578 304 913 608 548 608 578 429 432 426 "
                "608 593 806 578 593 487 821 776 791 836 745 715 859 821 395 563 852 684 1004 "
                "821 852 745 852 806 608 791 821 836 1141 821 849 669"
            ).split(),
        ),
        strict=True,
    )
)
# width and class: (o)rdinary (b)inary (r)elation o(p)en c(l)ose pu(n)ctuation opera(t)or (i)nner
SYMBOLS = {
    "+": (852, "b"),
    "-": (852, "b"),
    "=": (852, "r"),
    "<": (852, "r"),
    ">": (852, "r"),
    "(": (426, "p"),
    ")": (426, "l"),
    "[": (304, "p"),
    "]": (304, "l"),
    ",": (304, "n"),
    ".": (304, "o"),
    "/": (548, "o"),
    "|": (304, "o"),
    ":": (304, "r"),
    "!": (304, "l"),
    "'": (304, "o"),
    "*": (548, "b"),
    r"\cdot": (304, "b"),
    r"\times": (852, "b"),
    r"\approx": (852, "r"),
    r"\leq": (852, "r"),
    r"\geq": (852, "r"),
    r"\neq": (852, "r"),
    r"\infty": (1095, "o"),
    r"\pi": (685, "o"),
    r"\ldots": (1100, "i"),
    r"\cdots": (1300, "i"),
    r"\partial": (646, "o"),
    r"\ell": (456, "o"),
    r"\sum": (1582, "t"),
    r"\lvert": (304, "p"),
    r"\rvert": (304, "l"),
    r"\,": (THIN, "o"),
    r"\;": (THICK, "o"),
    r"\quad": (1095, "o"),
    r"\qquad": (2190, "o"),
    r"\{": (548, "p"),
    r"\}": (548, "l"),
}
FUNCTIONS = "cos sin tan cot sec csc arcsin arccos arctan cosh sinh tanh ln log exp max min".split()
SILENT = ("\\displaystyle", "\\textstyle", "\\allowbreak", "\\nonumber", "\\tiny", "\\ttfamily")
BETWEEN = {  # spaces between neighbours, text size only: thin 1, medium 2, thick 3
    **dict.fromkeys(("ot", "to", "tt", "lt", "ti", "it", "oi", "io", "ii", "ip", "li", "in"), 1),
    **dict.fromkeys(("no", "nt", "nr", "np", "nl", "nn", "ni"), 1),
    **dict.fromkeys((a + "b" for a in "oli"), 2),
    **dict.fromkeys(("b" + a for a in "otpi"), 2),
    **dict.fromkeys((a + "r" for a in "otli"), 3),
    **dict.fromkeys(("r" + a for a in "otpi"), 3),
}
DELIMITERS = (426, 502, 653, 806, 866)  # ( \bigl( \Bigl( \biggl( \Biggl(
