"""The math font of `derive page`: a subset of DejaVu Math TeX Gyre, under a name of its own.

Not run by tests or at build time.  Needs fonttools and brotli, and Debian's fonts-dejavu-extra:

    python worked/make_font.py /usr/share/fonts/truetype/dejavu/DejaVuMathTeXGyre.ttf

The licence of the font asks that changed versions don't carry the names Bitstream, Vera, Arev
or TeX Gyre; the text stands beside the result.
"""

from __future__ import annotations

import sys
from pathlib import Path

NAME = "Derive Math"
OUT = Path(__file__).parent.parent / "derive" / "documents" / "assets" / "derive-math.woff2"
CODE_POINTS = [
    *range(0x20, 0x7F),
    *map(ord, "  ·×−±√∛∜∞∂∑Σπ≈≠≤≥…⋯′ℎℓ⟨⟩‖⌊⌋⌈⌉"),
    *range(0x391, 0x3CA), *map(ord, "ϑϕϖϱϵ"),
    *range(0x1D434, 0x1D468),  # italic letters: what a single <mi> is drawn with
    *range(0x1D6E2, 0x1D71C),  # italic Greek
    0x239B, 0x239C, 0x239D, 0x239E, 0x239F, 0x23A0,  # parts of tall parentheses
    0x23A7, 0x23A8, 0x23A9, 0x23AA, 0x23B7,
]  # fmt: skip


def main(source: str) -> None:
    from fontTools import subset
    from fontTools.ttLib import TTFont

    font = TTFont(source)
    options = subset.Options()
    options.flavor = "woff2"
    options.layout_features = ["ssty", "kern"]
    options.name_IDs = [0, 1, 2, 4, 6, 13, 14]
    options.hinting = False
    options.notdef_outline = True
    chosen = subset.Subsetter(options)
    chosen.populate(unicodes=CODE_POINTS)
    chosen.subset(font)
    for record in font["name"].names:
        if record.nameID in (1, 4):
            record.string = NAME
        elif record.nameID == 6:
            record.string = NAME.replace(" ", "")
    font.flavor = "woff2"
    OUT.parent.mkdir(exist_ok=True)
    font.save(OUT)


if __name__ == "__main__":
    main(sys.argv[1])
