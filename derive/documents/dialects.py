"""How formulas are written in Python, JavaScript and SymPy code."""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import ClassVar

from derive.errors import OutputError
from derive.graph.graph import Graph
from derive.line import (
    Bound,
    Call,
    Cases,
    Condition,
    Const,
    Decimal,
    Entry,
    Letter,
    Neg,
    Num,
    Over,
    Plus,
    Power,
    Root,
    Shown,
    Sum,
    Sym,
    Times,
)
from derive.render.escape import GREEK, terminal

CHOICE, SUM, PRODUCT, UNARY, POWER, ATOM = range(6)
WIDTH = 96
RELATIONS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
RESERVED = {
    "range", "sum", "max", "min", "abs", "math", "sp", "show", "const", "let", "var", "new",
    "function", "erf", "sigmoid", "i", "j", "k", "m", "c", "tokens", "E", "N", "S", "O", "Q", "I",
}  # fmt: skip
Known = Mapping[str, str]


class Dialect:
    """One language: names of matrices, numbers, functions, loops."""

    letters: ClassVar[bool] = False  # whether free letters can stand in it
    functions: ClassVar[dict[str, str]]
    constants: ClassVar[dict[str, str]]
    mark: ClassVar[str]

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.names: dict[str, str] = {}
        taken: set[str] = set()
        for full in graph.matrices:
            name = identifier(graph.short(full))
            while name in taken or keyword.iskeyword(name):
                name += "_"
            taken.add(name)
            self.names[full] = name
        self.taken = taken

    def name(self, full: str) -> str:
        """The variable of a matrix."""
        return self.names[full]

    def free_name(self, letter: str) -> str:
        """A variable for a list that belongs to a letter of a formula."""
        name = identifier("".join(GREEK.get(c, c) for c in letter)).lower()
        name = f"two_{name[1:]}" if name[0].isdigit() else name
        while name in self.taken or len(name) == 1:
            name += "_"
        return name

    # expressions

    def show(self, x: Shown, known: Known | None = None) -> str:
        """An expression; `known` has the code of letters."""
        return self._show(x, known or {})[0]

    def _in(self, x: Shown, known: Known, least: int) -> str:
        code, strength = self._show(x, known)
        return code if strength >= least else f"({code})"

    def _show(self, x: Shown, known: Known) -> tuple[str, int]:
        match x:
            case Num(p=p, q=q):
                return self.number(Fraction(p, q))
            case Decimal(text=text):
                return self.number(Fraction(text))
            case Const(name=name):
                return self.constants[name], ATOM
            case Sym(name=name):
                return self.symbol(name), ATOM
            case Letter(name=name, value=value):
                return (known[name], ATOM) if name in known else self._show(value, known)
            case Bound(name=name):
                return name, ATOM
            case Entry(matrix=matrix, indices=indices):
                inside = "".join(f"[{self.show(k, known)}]" for k in indices)
                return self.name(matrix) + inside, ATOM
            case Plus(terms=terms):
                return self._plus(terms, known), SUM
            case Times(factors=factors):
                return " * ".join(self._in(f, known, PRODUCT + (k > 0)) for k, f in
                                  enumerate(factors)), PRODUCT  # fmt: skip
        return self._other(x, known)

    def _plus(self, terms: Sequence[Shown], known: Known) -> str:
        code = self._in(terms[0], known, SUM)
        for term in terms[1:]:
            if isinstance(term, Neg) and term.x != Const("inf"):
                code += f" - {self._in(term.x, known, PRODUCT)}"
            else:
                code += f" + {self._in(term, known, SUM + 1)}"
        return code

    def _other(self, x: Shown, known: Known) -> tuple[str, int]:
        match x:
            case Neg(x=part):
                return f"-{self._in(part, known, UNARY)}", UNARY
            case Over(above=above, below=below):
                return self.quotient(self._in(above, known, PRODUCT),
                                     self._in(below, known, UNARY)), PRODUCT  # fmt: skip
            case Power(base=Const(name="e"), exponent=exponent):
                return f"{self.functions['exp']}({self.show(exponent, known)})", ATOM
            case Power(base=base, exponent=exponent):
                return f"{self._in(base, known, ATOM)} ** {self._in(exponent, known, ATOM)}", POWER
            case Root(x=part, n=n):
                return self.root(self.show(part, known), n), ATOM
            case Call(function=name, args=args):
                return self.call(name, args, known), ATOM
            case Sum(index=index, count=count, body=body):
                return self.total(self.show(body, known), index.name, _count(count)), ATOM
            case Cases():
                return self._cases(x, known), CHOICE
        raise OutputError(f"no code for {type(x).__name__}")

    def call(self, name: str, args: Sequence[Shown], known: Known) -> str:
        """A function of one or more arguments; over a whole row where an index is left open."""
        if len(args) == 1 and isinstance(args[0], Entry) and isinstance(args[0].indices[-1], Bound):
            row = Entry(args[0].matrix, args[0].indices[:-1])
            return self.of_row(name, self.show(row, known))
        if name not in self.functions:
            raise OutputError(f"no code for the function {name}")
        return f"{self.functions[name]}({', '.join(self.show(a, known) for a in args)})"

    def _cases(self, x: Cases, known: Known) -> str:
        *first, last = x.branches
        code = self.show(last.value, known)
        for branch in reversed(first):
            code = self.choose(
                self.condition(branch.condition, known), self.show(branch.value, known), code
            )
        return code

    def condition(self, c: Condition, known: Known) -> str:
        """A relation between two expressions."""
        assert c.left is not None and c.right is not None
        left, right = self._in(c.left, known, SUM), self._in(c.right, known, SUM)
        return f"{left} {self.relations[c.relation]} {right}"

    relations: ClassVar[dict[str, str]] = RELATIONS

    # what a language says in its own way

    def number(self, x: Fraction) -> tuple[str, int]:
        raise NotImplementedError

    def symbol(self, name: str) -> str:
        raise OutputError(f"{name} is a free letter, and this language computes with numbers")

    def root(self, code: str, n: int) -> str:
        raise NotImplementedError

    def quotient(self, above: str, below: str) -> str:
        return f"{above} / {below}"

    def total(self, body: str, index: str, count: int) -> str:
        return f"sum({body} for {index} in range({count}))"

    def of_row(self, name: str, row: str) -> str:
        return f"{self.functions[name]}({row})"

    def choose(self, test: str, yes: str, no: str) -> str:
        return f"({yes} if {test} else {no})"

    def between(self, low: int, index: str, high: int) -> str:
        return f"{low} <= {index} <= {high}" if low < high else f"{index} == {low}"

    def among(self, index: str, places: Sequence[int]) -> str:
        return f"{index} in {list(places)}"

    def comment(self, words: str) -> str:
        return f"{self.mark} {terminal(words)}"

    def head(self, about: Sequence[str], tokens: Sequence[str] | None) -> Iterator[str]:
        raise NotImplementedError

    def list(self, cells: Sequence[str]) -> str:
        return f"[{', '.join(cells)}]"

    def table(self, name: str, code: str) -> str:
        return f"{name} = {code}"

    def rows(self, name: str, cells: Sequence[Sequence[str]]) -> Iterator[str]:
        yield f"{name} = ["
        yield from (f"    {self.list(row)}," for row in cells)
        yield "]"

    def loop(self, name: str, code: str, rows: int, columns: int) -> Iterator[str]:
        line = f"[[{code} for j in range({columns})] for i in range({rows})]"
        if len(line) + len(name) + 3 <= WIDTH:
            yield f"{name} = {line}"
            return
        yield f"{name} = ["
        yield "    ["
        yield "        " + re.sub(r" (if|else) ", r"\n        \1 ", _bare(code))
        yield f"        for j in range({columns})"
        yield "    ]"
        yield f"    for i in range({rows})"
        yield "]"

    def shown(self, name: str, variable: str) -> str:
        return f"show({json.dumps(name)}, {variable})"


def _bare(code: str) -> str:
    """Without the parentheses that go around all of it."""
    depth = 0
    for k, c in enumerate(code):
        depth += (c == "(") - (c == ")")
        if not depth and k < len(code) - 1:
            return code
    return code[1:-1] if code.startswith("(") else code


def _count(count: Letter) -> int:
    from derive.line import at_cell

    size = at_cell(count)
    assert isinstance(size, Num)
    return size.p


def identifier(text: str) -> str:
    """A name that all languages take.

    >>> identifier("b0.h1.A.exp"), identifier("W_Q")
    ('b0_h1_A_exp', 'W_Q')
    """
    return re.sub(r"\W", "_", text)


def decimal(x: Fraction) -> str | None:
    """A short exact decimal; None where there is none.

    >>> decimal(Fraction(-1, 2)), decimal(Fraction(1, 3))
    ('-0.5', None)
    """
    for places in range(13):
        if 10**places % x.denominator == 0:
            units = abs(x.numerator) * (10**places // x.denominator)
            text = str(units).zfill(places + 1)
            sign = "-" if x < 0 else ""
            return sign + (f"{text[:-places]}.{text[-places:]}" if places else text)
    return None


class Python(Dialect):
    """Python with the standard library's math."""

    mark = "#"
    constants: ClassVar[dict[str, str]] = {"pi": "math.pi", "e": "math.e", "inf": "math.inf"}
    functions: ClassVar[dict[str, str]] = {
        **{name: f"math.{name}" for name in
           "exp cos sin tan acos asin atan cosh sinh tanh erf".split()},
        "ln": "math.log", "log": "math.log", "max": "max", "min": "min", "abs": "abs",
        "sigmoid": "sigmoid",
    }  # fmt: skip

    def number(self, x: Fraction) -> tuple[str, int]:
        text = decimal(x)
        if text is not None:
            return text, UNARY if x < 0 else ATOM
        return f"{x.numerator} / {x.denominator}", PRODUCT

    def root(self, code: str, n: int) -> str:
        return f"math.sqrt({code})" if n == 2 else f"({code}) ** (1 / {n})"

    def head(self, about: Sequence[str], tokens: Sequence[str] | None) -> Iterator[str]:
        yield from map(self.comment, about)
        yield "# A forward pass, matrix by matrix; rows are tokens. Standard library only."
        yield ""
        yield "import math"
        yield ""
        if tokens is not None:
            yield f"tokens = {_ascii(tokens)}"
            yield ""
        yield ""
        yield "def sigmoid(x):"
        yield "    return 1 / (1 + math.exp(-x))"
        yield ""
        yield ""
        yield "def show(name, matrix):"
        yield "    print(name)"
        yield "    for row in matrix:"
        yield '        print(" ", *(format(x, ".12g") for x in row))'
        yield ""


class JavaScript(Dialect):
    """JavaScript for Node or a browser's console."""

    mark = "//"
    relations: ClassVar[dict[str, str]] = {**RELATIONS, "=": "===", "!=": "!=="}
    constants: ClassVar[dict[str, str]] = {"pi": "Math.PI", "e": "Math.E", "inf": "Infinity"}
    functions: ClassVar[dict[str, str]] = {
        **{name: f"Math.{name}" for name in
           "exp cos sin tan acos asin atan cosh sinh tanh max min abs".split()},
        "ln": "Math.log", "log": "Math.log", "sigmoid": "sigmoid", "erf": "erf",
    }  # fmt: skip

    number = Python.number

    def root(self, code: str, n: int) -> str:
        return f"Math.sqrt({code})" if n == 2 else f"Math.pow({code}, 1 / {n})"

    def total(self, body: str, index: str, count: int) -> str:
        return f"sum(range({count}).map({index} => {body}))"

    def of_row(self, name: str, row: str) -> str:
        return f"{self.functions[name]}(...{row})"

    def choose(self, test: str, yes: str, no: str) -> str:
        return f"({test} ? {yes} : {no})"

    def between(self, low: int, index: str, high: int) -> str:
        return f"{low} <= {index} && {index} <= {high}" if low < high else f"{index} === {low}"

    def among(self, index: str, places: Sequence[int]) -> str:
        return f"{list(places)}.includes({index})"

    def head(self, about: Sequence[str], tokens: Sequence[str] | None) -> Iterator[str]:
        yield from map(self.comment, about)
        yield "// A forward pass, matrix by matrix; rows are tokens. No library."
        yield ""
        if tokens is not None:
            yield f"const tokens = {_ascii(tokens)};"
        yield "const range = n => [...Array(n).keys()];"
        yield "const sum = numbers => numbers.reduce((total, x) => total + x, 0);"
        yield "const sigmoid = x => 1 / (1 + Math.exp(-x));"
        if _uses(self.graph, "erf"):
            yield from ERF
        yield "const show = (name, matrix) => {"
        yield "  console.log(name);"
        yield "  for (const row of matrix) {"
        yield '    console.log("  " + row.map(x => Number.isFinite(x) ? x.toPrecision(12)'
        yield '      : x > 0 ? "inf" : "-inf").join(" "));'
        yield "  }"
        yield "};"

    def table(self, name: str, code: str) -> str:
        return f"var {name} = {code};"

    def rows(self, name: str, cells: Sequence[Sequence[str]]) -> Iterator[str]:
        yield f"const {name} = ["
        yield from (f"  {self.list(row)}," for row in cells)
        yield "];"

    def loop(self, name: str, code: str, rows: int, columns: int) -> Iterator[str]:
        line = f"range({rows}).map(i => range({columns}).map(j => {code}));"
        if len(line) + len(name) + 9 <= WIDTH:
            yield f"const {name} = {line}"
            return
        yield f"const {name} = range({rows}).map(i => range({columns}).map(j =>"
        yield "  " + re.sub(r" ([?:]) ", r"\n    \1 ", _bare(code)) + "));"

    def shown(self, name: str, variable: str) -> str:
        return f"show({json.dumps(name)}, {variable});"


ERF = """\
// The error function: its power series near 0, a continued fraction further out.
const erf = x => {
  if (Math.abs(x) < 3) {
    let term = x, total = x;
    for (let n = 1; Math.abs(term) > 1e-18; n++) {
      term *= -x * x / n;
      total += term / (2 * n + 1);
    }
    return 2 / Math.sqrt(Math.PI) * total;
  }
  let fraction = 0;
  for (let n = 60; n > 0; n--) fraction = n / 2 / (Math.abs(x) + fraction);
  const tail = Math.exp(-x * x) / Math.sqrt(Math.PI) / (Math.abs(x) + fraction);
  return x > 0 ? 1 - tail : tail - 1;
};""".split("\n")


def _uses(graph: Graph, function: str) -> bool:
    return any(matrix.operation.name == "GELU" for matrix in graph) and function == "erf"


class SymPy(Dialect):
    """SymPy: every number exact, free letters kept."""

    letters = True
    mark = "#"
    constants: ClassVar[dict[str, str]] = {"pi": "sp.pi", "e": "sp.E", "inf": "sp.oo"}
    functions: ClassVar[dict[str, str]] = {
        **{name: f"sp.{name}" for name in
           "exp cos sin tan acos asin atan cosh sinh tanh erf".split()},
        "ln": "sp.log", "log": "sp.log", "max": "sp.Max", "min": "sp.Min", "abs": "sp.Abs",
        "sigmoid": "sigmoid",
    }  # fmt: skip

    def number(self, x: Fraction) -> tuple[str, int]:
        if x.denominator == 1:
            return f"sp.Integer({x.numerator})", ATOM
        return f"sp.Rational({x.numerator}, {x.denominator})", ATOM

    def symbol(self, name: str) -> str:
        return f"symbols[{json.dumps(name)}]"

    def root(self, code: str, n: int) -> str:
        return f"sp.root({code}, {n})" if n != 2 else f"sp.sqrt({code})"

    def of_row(self, name: str, row: str) -> str:
        return f"{self.functions[name]}(*{row})"

    def head(self, about: Sequence[str], tokens: Sequence[str] | None) -> Iterator[str]:
        yield from map(self.comment, about)
        yield "# A forward pass, matrix by matrix, exact; rows are tokens."
        yield ""
        yield "import sympy as sp"
        yield ""
        if self.graph.model.symbols:
            yield "symbols = {"
            for name, kind in self.graph.model.symbols.items():
                yield f"    {json.dumps(name)}: sp.Symbol({json.dumps(name)}, {_assumed(kind)}),"
            yield "}"
            yield ""
        yield ""
        yield "def sigmoid(x):"
        yield "    return 1 / (1 + sp.exp(-x))"
        yield ""
        yield ""
        yield "def show(name, matrix):"
        yield "    print(name)"
        yield "    for row in matrix:"
        yield '        print(" ", *row, sep="  ")'
        yield ""


def _assumed(kind: str) -> str:
    return "real=True" if kind == "real" else f"real=True, {kind}=True"


def _ascii(texts: Sequence[str]) -> str:
    """A list of texts that both languages read, whatever stands in them."""
    return json.dumps(list(texts), ensure_ascii=True)


DIALECTS: dict[str, type[Dialect]] = {"python": Python, "javascript": JavaScript, "sympy": SymPy}
