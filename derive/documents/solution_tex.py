"""A solution as a LaTeX document: contents, notation, matrices, worked cells, all linked."""

from __future__ import annotations

from collections.abc import Iterator

from derive.documents.solution import Long, Part, Section, Solution, place_of, sources
from derive.line import Derivation, Place, Shown, Step
from derive.render import latex, names
from derive.render.escape import latex as escaped
from derive.render.escape import latex_words
from derive.render.latex_maths import Link
from derive.render.tex import KIND, PREAMBLE, plain_title

RAGGED = r">{\raggedright\arraybackslash}"
TOPIC_AND_WORDS = rf"{RAGGED}p{{0.26\textwidth}}{RAGGED}p{{0.68\textwidth}}"
CONTENTS = r"{\small\setlength{\parskip}{0pt}\tableofcontents}"
HEAD = r"""\setcounter{secnumdepth}{2}
\setcounter{tocdepth}{1}
\newcommand{\target}[1]{\raisebox{3ex}[0pt][0pt]{\hypertarget{#1}{}}}
"""


def document(s: Solution) -> str:
    """The whole document."""
    return _Writer(s).document()


def fragment(s: Solution) -> str:
    """The sections without a preamble; needs the packages that `document` loads."""
    return HEAD + _Writer(s).body()


class _Writer:
    """Knows which cell is where: worked, in a table, or nowhere."""

    def __init__(self, s: Solution) -> None:
        self.s = s
        self.full = {short: name for name, short in s.names.items()}
        self.numbers = {p.name: k for k, p in enumerate(p for x in s.sections for p in x.parts)}
        self.worked = {
            (part.name, _indices(d))
            for section in s.sections
            for part in section.parts
            for d in part.worked
        }
        self.tables = {p.name for x in s.sections for p in x.parts}

    def document(self) -> str:
        head = f"{PREAMBLE}{HEAD}\\hypersetup{{pdftitle={{{plain_title(self.s.title)}}}}}\n"
        return f"{head}\\begin{{document}}\n\\raggedright\n{self.body()}\\end{{document}}\n"

    def body(self) -> str:
        parts = [*self._front(), *(self._section(x) for x in self.s.sections)]
        if self.s.appendix:
            parts.append("\\clearpage\\appendix\n\\section{Long exact values}\n")
            parts += [self._long(x) for x in self.s.appendix]
        return "\n".join(parts)

    # before the first matrix

    def _front(self) -> Iterator[str]:
        yield f"{{\\LARGE {escaped(self.s.title)}\\par}}\\smallskip\n"
        if self.s.author:
            yield f"{{\\large {escaped(self.s.author)}\\par}}\\smallskip\n"
        yield "{\\small\\color{word}Worked solution, every number exact; decimals are rounded\n"
        yield "correctly, once, at the end. Numbers lead to the cells they come from.\\par}\n"
        if self.s.source:
            yield f"\\medskip {{\\small Source: {escaped(self.s.source)}\\par}}\n"
        if self.s.note:
            yield f"\\medskip {{\\small {escaped(self.s.note)}\\par}}\n"
        yield f"\\bigskip\n{CONTENTS}\n\\section*{{The model}}\n"
        rows = "\n".join(f"{latex_words(a)} & {latex_words(b)} \\\\" for a, b in self.s.facts)
        yield listed(TOPIC_AND_WORDS, "", rows)
        yield "\\section*{Notation}\n"
        rows = "\n".join(map(self._notation, self.s.notation))
        yield listed(f"ll{RAGGED}p{{0.62\\textwidth}}", "name & shape & what it is", rows)
        yield self._letters()

    def _notation(self, row: tuple[str, str, str]) -> str:
        base, shape, meaning = row
        code = shape.replace("×", r" \times ")
        return f"${names.matrix(base).with_indices('')}$ & ${code}$ & {latex_words(meaning)} \\\\"

    def _letters(self) -> str:
        base = self.s.names.index_base
        lines = "Columns" if self.s.names.columns else "Rows"
        return (
            f"{{\\small {lines} are tokens; indices count from {base}. "
            "A superscript such as (b0.h1) says block and head.\\par}\n"
        )

    # matrices

    def _section(self, section: Section) -> str:
        title = latex_words(section.title)
        parts = "\\filbreak\\bigskip\n".join(map(self._part, section.parts))
        return f"\\filbreak\\section{{{title}}}\n{parts}"  # and no break after it

    def _part(self, part: Part) -> str:
        shown = latex.table(part.table, mark=self._mark(part))
        return shown + "\n".join(self._step(d, d.steps[0]) for d in part.worked)

    def _mark(self, part: Part) -> latex.Mark:
        """A number in a table leads to its worked cell, or is a target itself."""

        def mark(i: int, j: int, code: str) -> str:
            at: tuple[int, ...] = (j, i) if self.s.names.columns else (i, j)
            if len(part.shape) > 2:  # rows of the table are pairs of row and tile
                row, j = at
                at = (*divmod(row, part.shape[1]), j)
            target = self._name((part.name, at))
            if (part.name, at) in self.worked:
                return rf"\hyperlink{{{target}}}{{{code}}}"
            return rf"\hypertarget{{{target}}}{{{code}}}"

        return mark

    def _step(self, d: Derivation, step: Step) -> str:
        target = rf"\target{{{self._name(self._place(d))}}}"
        heading = latex.step_heading(d, step).removeprefix(r"\noindent")
        maths = latex.step_maths(d, step, KIND, self._link(d))
        return f"\\filbreak\\medskip\\noindent{target}%\n{heading}\n{maths}"

    def _long(self, x: Long) -> str:
        d = x.derivation
        step = d.steps[0]
        back = rf"\hyperlink{{{self._name(self._place(d))}}}{{{self._cell(d)}}}"
        maths = latex.step_maths(d, step, KIND, self._link(d))
        return f"\\filbreak\\medskip\\noindent\\textbf{{{x.number}.}}\\quad {back}\n{maths}"

    def _cell(self, d: Derivation) -> str:
        name, indices = self._place(d)
        base, turned = self.s.names.index_base, self.s.names.columns
        symbol = names.matrix(self.s.names[name])
        texts = [str(k + base) for k in (indices[::-1] if turned else indices)]
        return f"${symbol.with_indices(','.join(texts))}$"

    def _place(self, d: Derivation) -> Place:
        return self.full[d.cell.partition("[")[0]], _indices(d)

    def _turned(self, place: Place | None) -> Place | None:
        return (place[0], place[1][::-1]) if place and self.s.names.columns else place

    def _name(self, place: Place) -> str:
        name, indices = place
        return ":".join(["c", str(self.numbers.get(name, "x")), *map(str, indices)])

    def _link(self, d: Derivation) -> Link:
        """From an entry, or the number put in for it, to its cell in this document."""
        from_numbers = sources(d.steps[0].lines)

        def link(x: Shown) -> str | None:
            place = place_of(x, self.s.names) or self._turned(from_numbers.get(id(x)))
            if place is None or (place not in self.worked and place[0] not in self.tables):
                return None
            return self._name(place)

        return link


def _indices(d: Derivation) -> tuple[int, ...]:
    """The indices of a worked cell, from its address."""
    inside = d.cell[d.cell.rindex("[") + 1 : -1]
    return tuple(map(int, inside.split(",")))


def listed(columns: str, head: str, rows: str) -> str:
    """Rows under a head, if there is one, on as many pages as they need."""
    top = f"\\toprule\n{head} \\\\\n\\midrule\n\\endhead\n" if head else "\\toprule\n\\endhead\n"
    return (
        f"{{\\small\\setlength{{\\LTpre}}{{2pt}}\\setlength{{\\LTleft}}{{0pt}}\n\\begin{{longtable}}{{@{{}}{columns}@{{}}}}\n"
        f"{top}{rows}\n\\bottomrule\n\\end{{longtable}}}}\n"
    )
