"""A derivation or a table as a whole LaTeX document, the same bytes every time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.line import Derivation, Entry, Place, Step, Table, cell_of, entries
from derive.render import latex
from derive.render.escape import latex as escaped
from derive.render.latex_maths import LatexPrinter
from derive.render.leaves import differs
from derive.render.plain_maths import TextPrinter
from derive.render.steps import cell_entry, heading

PREAMBLE = r"""\documentclass[11pt,a4paper,fleqn]{article}
\usepackage[OT1]{fontenc}
\usepackage[margin=2.5cm]{geometry}
\usepackage{amsmath,amssymb,array,longtable,booktabs}
\usepackage[table]{xcolor}
\usepackage[pdfusetitle=false,colorlinks,allcolors=link]{hyperref}
\definecolor{link}{rgb}{0.1,0.2,0.5}
\definecolor{word}{gray}{0.45}
\newcommand{\kind}[1]{\footnotesize\color{word}#1}
\setlength{\mathindent}{2em}
\setlength{\jot}{5pt}
\setlength{\fboxsep}{1pt}
\setlength{\emergencystretch}{4em}
\allowdisplaybreaks[1]
% no dates and no file names: the same source gives the same bytes
\ifdefined\pdfinfoomitdate\pdfinfoomitdate=1 \fi
\ifdefined\pdftrailerid\pdftrailerid{}\fi
\ifdefined\pdfsuppressptexinfo\pdfsuppressptexinfo=-1 \fi
"""
KIND = r"\kind{%s}"
BOXES = (
    r"\bigskip\noindent{\footnotesize\color{word}\fbox{\tiny U+\ldots} stands for a character that "
    "this page has no letter for, by its number in Unicode.\\par}\n"
)
# at the end of the line, or of the next one where the words leave no room (TeXbook, page 106)
FLUSH_RIGHT = r"\nobreak\hfil\penalty50\hskip1em\hbox{}\nobreak\hfill"
MOST_LINKS = 12  # a step that reads more cells names the first ones


def derivation(d: Derivation, width: int = 80, color: bool = False) -> str:
    """The worked steps as a document, headings linked to the steps that they read."""
    name = heading(d, d.steps[0], TextPrinter(d.names).line) or d.cell
    return document(f"Worked derivation of {name}", [d])


def document(title: str, derivations: Sequence[Derivation]) -> str:
    """Several derivations in one document; a cell that is worked twice is printed once."""
    places: dict[Place | str, int] = {}
    steps: list[tuple[Derivation, Step]] = []
    for d in derivations:
        for step in d.steps:
            key = cell_of(cell_entry(step)) or step.cell
            if key not in places:
                places[key] = len(steps)
                steps.append((d, step))
    body = "\n".join(_step(d, s, k, places) for k, (d, s) in enumerate(steps))
    return page(title, body)


def table(t: Table, width: int = 80, color: bool = False) -> str:
    """A matrix as a document."""
    return page(f"The matrix {t.name}", latex.table(t))


def page(title: str, body: str, package: str = "") -> str:
    """A document with a title; the body may need one more package."""
    if r"\fbox{\tiny U+" in title + body:
        body += BOXES
    more = f"\\usepackage{{{package}}}\n" if package else ""
    head = f"{PREAMBLE}{more}\\hypersetup{{pdftitle={{{plain_title(title)}}}}}\n"
    head += "\\begin{document}\n\\raggedright\n"
    return f"{head}{{\\Large {escaped(title)}\\par}}\n\\bigskip\n{body}\\end{{document}}\n"


def plain_title(title: str) -> str:
    """A title for the PDF's own data: letters and digits, nothing that TeX could read."""
    return re.sub(r"[^A-Za-z0-9 .,:()-]", " ", title)


def _step(d: Derivation, step: Step, number: int, places: dict[Place | str, int]) -> str:
    """A step under its heading; the target stands above it, for a link's reader to see it."""
    target = rf"\raisebox{{3ex}}[0pt][0pt]{{\hypertarget{{c:{number}}}{{}}}}"
    heading = latex.step_heading(d, step).removeprefix(r"\noindent")
    links = ", ".join(_links(d, step, places))
    typed = " typed " if differs(d.names) else ""  # what is printed beside it has other indices
    address = rf"{FLUSH_RIGHT}{{\footnotesize{typed}\ttfamily {escaped(step.cell)}}}"
    return (
        f"\\filbreak\\bigskip\\noindent{target}%\n{heading}{address}\n"
        + (f"\\\\{{\\footnotesize reads}} {links}\n" if links else "")
        + latex.step_maths(d, step, KIND)
    )


def _links(d: Derivation, step: Step, places: dict[Place | str, int]) -> Iterator[str]:
    printer = LatexPrinter(d.names)
    found: dict[int, Entry] = {}
    for line in step.lines:
        if line.kind == "here":
            for entry in entries(line.right):
                place = places.get(cell_of(entry) or "")
                if place is not None:
                    found.setdefault(place, entry)
    for place, entry in list(found.items())[:MOST_LINKS]:
        yield rf"\hyperlink{{c:{place}}}{{${printer.line(entry)}$}}"
    if len(found) > MOST_LINKS:
        yield r"\ldots"
