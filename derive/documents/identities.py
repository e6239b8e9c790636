"""Proofs for readers: text, LaTeX, one document, and derive.identity/1."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from derive.identities.identity import Identity, Random
from derive.identities.latex import SIGNS, latex, relation
from derive.identities.proof import Chain, Link, Proof, Refuted
from derive.render.escape import dumps
from derive.render.escape import latex as escaped
from derive.render.text import wrapped
from derive.text.parser import parse
from derive.text.show import show
from derive.text.tree import Index, Relation, Tree

MARKS = {"proved": "proved", "refuted": "refuted", "undecided": "undecided"}
RELATION = {"!=": "≠", "<=": "≤", ">=": "≥", "->": "→"}
HOW_PROVED = (
    "The kernel decides every link for all sizes at once; the independent checker does not "
    "replay proofs about sums."
)


# a formula that is wider than the page is set smaller; needs graphicx
FIT = (
    r"\providecommand{\fit}[1]{{\ifmmode\else\leavevmode\fi\setbox0\hbox{$\displaystyle #1$}%"
    "\n"
    r"\ifdim\wd0>\dimexpr\linewidth-6em\relax\resizebox{\dimexpr\linewidth-6em\relax}{!}{\box0}%"
    "\n"
    r"\else\box0\fi}}"
)
LONG = 90  # characters of a formula in the plain grammar that stands in one line
NOTATION = r"""\section*{Notation}\addcontentsline{toc}{section}{Notation}
\begin{itemize}\setlength{\itemsep}{0pt}
\item Letters in bounds, such as $n$ and $d$, are whole numbers, at least 1 unless it says
otherwise; indices run from 0; all other letters are real numbers.
\item $\delta_{i,j}$ is 1 where $i = j$, else 0; $[k \le i]$ is 1 where $k \le i$, else 0.
\item An equation holds wherever both sides are defined.
\item $a \to b$: $b$ is the limit of $a$, as the letter that is named goes to its end;
$\mathbb{E}$ is the expectation.
\item A false neighbour is a statement one slip away; numbers at which it fails stand beside it.
\end{itemize}
"""


def listing(identities: Sequence[Identity]) -> str:
    """One a line, name first."""
    width = max((len(x.name) for x in identities), default=0)
    return "".join(f"{x.name:<{width}}  {x.title}\n" for x in identities)


def text(proofs: Sequence[Proof]) -> str:
    """All proofs as text, in the plain grammar: every line can be given to `derive equal`."""
    return "\n".join("".join(f"{line}\n".replace(" \n", "\n") for line in _text(p)) for p in proofs)


def _text(p: Proof) -> Iterator[str]:  # noqa: C901
    yield from _words(f"{p.identity.name}: {p.identity.title}", "")
    yield ""
    yield f"  {_relation(p.statement)}"
    for r in p.where:
        yield f"    where {_relation(r)}"
    if p.assumptions:
        how = "not always equal, for" if p.statement.op == "!=" else "for all"
        yield f"    {how} {', '.join(p.assumptions)}"
    for name, size in p.identity.permutations:
        yield f"    {name} is a permutation of 0 … {size} - 1"
    for a, b, size in p.identity.inverses:
        yield f"    {a} and {b} are inverse {size} x {size} matrices"
    for step in p.identity.recurrences:
        yield f"    {step.name}[0] = {step.first}, {step.name}[{step.index}+1] = {step.next}"
    for family in p.identity.random:
        yield f"    {family.name}: {_moments(family)}"
    if p.identity.limit:
        yield f"    as {p.identity.limit.replace('->', '→')}"
    if p.identity.note:
        yield from _words(p.identity.note, "    ")
    yield ""
    if p.statement.op == "!=":
        yield f"  Counterexample: {_numbers(p.chains[0].links[0].verdict)}"
    else:
        for chain in p.chains:
            yield from _chain(chain)
    yield ""
    yield f"  {p.verdict}"
    yield ""
    yield "  False neighbours"
    for twin in p.twins:
        yield f"    {_relation(twin.statement)}"
        yield from _words(twin.twin.fault, "      ")
        yield f"      {_outcome(twin)}"


def _words(words: str, indent: str) -> Iterator[str]:
    """A sentence in lines of 80 columns; a formula stays in one, to be copied."""
    yield from (indent + line for line in wrapped(words, 80 - len(indent)))


def _sign(p: Proof, link: Link) -> str:
    return "!=" if p.statement.op == "!=" else link.relation


def _moments(family: Random) -> str:
    return f"independent entries, mean {family.mean}, mean square {family.square}"


def _chain(chain: Chain) -> Iterator[str]:
    yield f"  Proof{f' ({chain.title})' if chain.title else ''}"
    yield f"      {show(chain.start)}"
    for link in chain.links:
        doubt = "" if link.verdict.equal else f"   [{link.verdict.verdict}]"
        yield f"    {RELATION.get(link.relation, link.relation)} {show(link.to)}{doubt}"
        yield from _words(link.reason, "        ")


def _relation(r: Relation) -> str:
    return f"{show(r.left)} {RELATION.get(r.op, r.op)} {show(r.right)}"


def _numbers(verdict: object) -> str:
    evidence = getattr(verdict, "evidence", None)
    found = getattr(evidence, "counterexample", None)
    return found.text() if found is not None else ""


def _outcome(twin: Refuted) -> str:
    if twin.verdict.different:
        return f"refuted by {_numbers(twin.verdict) or 'any numbers'}"
    return f"NOT refuted: {twin.verdict.verdict}"


# derive.identity/1


def json(proofs: Sequence[Proof]) -> str:
    """derive.identity/1 for one proof; an object with a list of them for several."""
    data = [_data(p) for p in proofs]
    if len(data) == 1:
        return dumps(data[0])
    return dumps({"schema": "derive.identities/1", "identities": data})


def _data(p: Proof) -> dict[str, object]:
    steps = [
        {
            "latex": latex(link.to),
            "text": show(link.to),
            "relation": RELATION.get(_sign(p, link), _sign(p, link)),
            "reason": link.reason,
            "verdict": link.verdict.verdict,
            "part": chain.title,
        }
        for chain in p.chains
        for link in chain.links
    ]
    return {
        "schema": "derive.identity/1",
        "name": p.identity.name,
        "title": p.identity.title,
        "statement": _relation(p.statement),
        "latex": relation(p.statement),
        "relation": RELATION.get(p.statement.op, p.statement.op),
        "sizes": "any",
        "where": [_relation(r) for r in p.where],
        "assumptions": list(p.assumptions),
        "verdict": p.verdict,
        "counterexample": _numbers(p.chains[0].links[0].verdict) or None,
        "steps": steps,
        "twins": [
            {
                "statement": _relation(t.statement),
                "fault": t.twin.fault,
                "verdict": t.verdict.verdict,
                "counterexample": _numbers(t.verdict) or None,
            }
            for t in p.twins
        ],
        "replayed": False,
    }


# LaTeX


def fragment(proofs: Sequence[Proof]) -> str:
    """All proofs as a fragment."""
    return "\n".join([FIT, *("\n".join(_latex(p)) + "\n" for p in proofs)])


def tex(proofs: Sequence[Proof]) -> str:
    """A whole document: contents where there are several, then one identity after the other."""
    from derive.render.tex import page

    several = len(proofs) > 1
    body = fragment(proofs)
    if several:
        body = f"{escaped(HOW_PROVED)}\n\n{NOTATION}\n\\tableofcontents\n\\newpage\n{body}"
    title = "Identities for every size" if several else proofs[0].identity.title
    return page(title, body, "graphicx")


def pdf(proofs: Sequence[Proof]) -> bytes:
    """The same as a PDF."""
    from derive.render.pdf import compiled

    return compiled(tex(proofs))


def _latex(p: Proof) -> Iterator[str]:
    title = escaped(p.identity.title)
    yield rf"\section*{{{title}}}\addcontentsline{{toc}}{{section}}{{{title}}}"
    yield rf"{{\footnotesize\ttfamily {escaped(p.identity.name)}}}\par"
    yield _statement(p.statement)
    if p.where:
        yield r"where " + ", \\quad ".join(map(_inline, p.where)) + r".\par"
    yield from _conditions(p)
    if p.statement.op == "!=":
        yield rf"\textit{{Counterexample.}} {_values(_numbers(p.chains[0].links[0].verdict))}.\par"
    else:
        for chain in p.chains:
            yield from _latex_chain(chain)
    yield r"\medskip\noindent\textbf{False neighbours.}"
    yield r"\begin{itemize}\setlength{\itemsep}{0pt}"
    for t in p.twins:
        mark = "Refuted by" if t.verdict.different else escaped(_outcome(t))
        yield (
            rf"\item {_inline(t.statement)}\\ {escaped(t.twin.fault)}. "
            rf"{mark} {_values(_numbers(t.verdict))}."
        )
    yield r"\end{itemize}"


def _conditions(p: Proof) -> Iterator[str]:
    said = [f"${_assumption(x)}$" for x in p.assumptions]
    if said:
        how = "Not always equal, for" if p.statement.op == "!=" else "For all"
        yield rf"{how} {', '.join(said)}.\par"
    for name, size in p.identity.permutations:
        yield rf"${name}$ is a permutation of $0, \dots, {size} - 1$.\par"
    for a, b, size in p.identity.inverses:
        yield rf"${a}$ and ${b}$ are inverse ${size} \times {size}$ matrices.\par"
    for r in p.identity.recurrences:
        yield _display(_recurrence(r.name, r.index, r.first, r.next))
    for family in p.identity.random:
        yield _random(family)
    if p.identity.limit:
        letter, _, end = p.identity.limit.partition("->")
        goal = "0^{+}" if end.strip() == "0" else latex(parse(end))
        yield rf"As ${latex(parse(letter))} \to {goal}$.\par"
    if p.identity.note:
        yield rf"{escaped(p.identity.note)}\par"


def _random(family: Random) -> str:
    mean, square = latex(parse(family.mean)), latex(parse(family.square))
    name = latex(parse(f"{family.name}[j]"))
    return (
        rf"The entries ${name}$ are independent random numbers with "
        rf"$\mathbb{{E}}\left[{name}\right] = {mean}$ and "
        rf"$\mathbb{{E}}\left[{name}^2\right] = {square}$.\par"
    )


def _recurrence(name: str, index: str, first: str, then: str) -> str:
    start = f"{latex(parse(f'{name}[0]'))} = {latex(parse(first))}"
    following = f"{latex(parse(f'{name}[{index}+1]'))} = {latex(parse(then))}"
    return rf"{start}, \qquad {following}"


def _assumption(text_: str) -> str:
    from derive.text.parser import parse_assumption

    claim, for_all, range_ = text_.partition(" for ")
    if for_all:
        return (
            rf"{_assumption(claim)} \text{{ for }} {', '.join(map(_assumption, range_.split(',')))}"
        )
    found = [r for r in parse_assumption(text_) if isinstance(r, Relation)]
    chained = all(a.right == b.left for a, b in pairwise(found))
    if chained and len(found) > 1:  # 0 <= k < n
        return relation(found[0]) + "".join(f" {SIGNS[r.op]} {latex(r.right)}" for r in found[1:])
    return ", ".join(relation(r) for r in parse_assumption(text_) if isinstance(r, Relation))


def _latex_chain(chain: Chain) -> Iterator[str]:
    yield rf"\medskip\noindent\textit{{Proof{_part(chain)}.}}"
    yield r"\begin{align*}"
    yield f"& {_fit(chain.start)} \\\\"
    last = len(chain.links) - 1
    for n, link in enumerate(chain.links):
        sign = SIGNS[link.relation]
        sign = sign if link.verdict.equal else rf"\stackrel{{?}}{{{sign}}}"
        end = "" if n == last else r" \\"
        yield rf"&{sign} {_fit(link.to)} \\[-2pt]"
        reason = rf"\footnotesize\itshape {escaped(link.reason)}"
        yield rf"&\qquad\parbox{{\dimexpr\linewidth-6em\relax}}{{\raggedright {reason}}}{end}"
    yield r"\end{align*}"


def _part(chain: Chain) -> str:
    return f", {escaped(chain.title)}" if chain.title else ""


def _statement(r: Relation) -> str:
    """In one line, or a side in each of two."""
    if len(_relation(r)) <= LONG:
        return _display(_fit_whole(r))
    left, right = _fit(r.left), _fit(r.right)
    return rf"\begin{{align*}} & {left} \\ &{SIGNS[r.op]} {right} \end{{align*}}"


def _inline(r: Relation) -> str:
    """In a line of text, or a side in each of two."""
    if len(_relation(r)) <= LONG:
        return rf"$\displaystyle {relation(r)}$"
    if isinstance(r.left, Index):
        return _fit_whole(r)
    return rf"{_fit(r.left)}\\ ${SIGNS[r.op]}$ {_fit(r.right)}"


def _fit(t: Tree) -> str:
    return rf"\fit{{{latex(t)}}}"


def _fit_whole(r: Relation) -> str:
    return rf"\fit{{{relation(r)}}}"


def _display(maths: str) -> str:
    return f"\\[ {maths} \\]"


def _values(numbers: str) -> str:
    """n = 2, s[0] = 1/2 as formulas."""
    parts = re.split(r", (?=[A-Za-z])", numbers) if numbers else []
    shown = []
    for part in parts:
        if "= [" in part or "the limit is" in part:
            shown.append(escaped(part))
        else:
            shown.append(f"${_assumption(part)}$")
    return ", ".join(shown) or "any numbers"
