"""`make bench-identities`: the catalogue beside SymPy and tensorgrad, on the same statements.

    python -m benchmarks.identities [--cap 20] [--tensorgrad PYTHON] [-o worked/identities.md]

SymPy gets the statement with every abbreviation put in, and is asked for `simplify` and
`doit` of the difference of its sides; orders, limits, expectations, permutations and inverse
matrices it isn't told, which counts as not expressible.  Each call has a process of its own and
a cap.  tensorgrad is looked for in an interpreter of its own; where it doesn't load the table
says so.
"""

from __future__ import annotations

import argparse
import multiprocessing
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from derive.identities import Identity, catalogue
from derive.identities.proof import _Prover, prove
from derive.text.tree import Binary, Call, Constant, Index, Name, Negative, Number, Sum, Tree

MARK = {"proved": "proved", "": "not expressible"}


class NotExpressibleError(ValueError):
    """SymPy has no word for it."""


def to_sympy(t: Tree) -> Any:  # noqa: C901
    """A tree as a SymPy expression: Sum, IndexedBase, KroneckerDelta."""
    import sympy as sp

    def integer(x: Tree) -> Any:
        if isinstance(x, Name):
            return sp.Symbol(x.name, integer=True, nonnegative=True)
        if isinstance(x, Binary):
            return to_sympy_binary(x.op, integer(x.left), integer(x.right))
        return to_sympy(x)

    match t:
        case Number(p=p, q=q):
            return sp.Rational(p, q)
        case Name(name=name):
            whole = "~" in name or name in ("n", "d", "i", "j", "k", "m", "a", "T", "N")
            return sp.Symbol(name, integer=True, nonnegative=True) if whole else sp.Symbol(
                name, real=True
            )  # fmt: skip
        case Constant(name=name):
            return {"pi": sp.pi, "e": sp.E}[name]
        case Negative(x=x):
            return -to_sympy(x)
        case Index(name=name, indices=places):
            return sp.IndexedBase(name, real=True)[tuple(map(integer, places))]
        case Binary(op=op, left=a, right=b):
            return to_sympy_binary(op, to_sympy(a), to_sympy(b))
        case Sum(index=index, low=low, high=high, body=body):
            running = sp.Symbol(index, integer=True, nonnegative=True)
            return sp.Sum(to_sympy(body), (running, integer(low), integer(high)))
        case Call(function="diff", args=(body, by)):
            return sp.diff(to_sympy(body), to_sympy(by))
        case Call(function="delta", args=(a, b)):
            return sp.KroneckerDelta(integer(a), integer(b))
        case Call(function=f, args=args) if f in ("exp", "ln", "sqrt", "sin", "cos", "erf", "tanh"):
            return getattr(sp, {"ln": "log"}.get(f, f))(*map(to_sympy, args))
    raise NotExpressibleError(str(t))


def to_sympy_binary(op: str, a: Any, b: Any) -> Any:
    """a op b."""
    return a + b if op == "+" else a - b if op == "-" else a * b if op == "*" else (
        a / b if op == "/" else a**b
    )  # fmt: skip


def sides(x: Identity) -> tuple[Tree, Tree]:
    """Both sides with the abbreviations put in."""
    told = x.permutations or x.inverses or x.recurrences or x.random or x.limit or x.every
    prover = _Prover(x)
    if told or prover.statement.op != "=":
        raise NotExpressibleError("assumptions or relations that SymPy isn't told")
    if any("= " in text and "==" not in text and "<=" not in text for text in x.given):
        raise NotExpressibleError("an equation that is assumed")
    left, right = prover.statement.left, prover.statement.right
    return prover.expansion.expanded(left), prover.expansion.expanded(right)


def by_simplify(a: Any, b: Any) -> bool:
    import sympy as sp

    return bool(sp.simplify(a - b) == 0)


def by_doit(a: Any, b: Any) -> bool:
    import sympy as sp

    return bool(sp.expand((a - b).doit()) == 0)


def _run(method: Callable[[Any, Any], bool], a: Tree, b: Tree, answer: Any) -> None:
    try:
        answer.put("proved" if method(to_sympy(a), to_sympy(b)) else "undecided")
    except NotExpressibleError:
        answer.put("")
    except Exception as error:  # noqa: BLE001, what SymPy raises is its answer
        answer.put(f"{type(error).__name__}")


def asked(method: Callable[[Any, Any], bool], a: Tree, b: Tree, cap: float) -> tuple[str, float]:
    """Its answer and the seconds it took, in a process that is ended at the cap."""
    answer = multiprocessing.Queue()  # type: ignore[var-annotated]
    worker = multiprocessing.Process(target=_run, args=(method, a, b, answer))
    start = time.perf_counter()
    worker.start()
    worker.join(cap)
    spent = time.perf_counter() - start
    if worker.is_alive():
        worker.terminate()
        worker.join()
        return "too long", spent
    return (answer.get() if worker.exitcode == 0 else "ended"), spent


def tensorgrad(python: str) -> str:
    """One sentence: whether tensorgrad loads there."""
    try:
        run = subprocess.run(
            [python, "-c", "import tensorgrad"], capture_output=True, timeout=120, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as why:
        return f"tensorgrad could not be tried: {type(why).__name__}."
    if run.returncode:
        return f"tensorgrad could not be loaded (exit code {run.returncode}): not run."
    return "tensorgrad loads, but has no reader for these statements: not run."


def rows(cap: float) -> Iterator[str]:
    """The table, and the sums under it."""
    count = dict.fromkeys(("derive", "simplify", "doit"), 0)
    none = wrong = 0
    yield "| identity | derive | ms | twins refuted | `simplify` | ms | `doit` | ms |"
    yield "|---|---|---|---|---|---|---|---|"
    for x in catalogue().values():
        start = time.perf_counter()
        found = prove(x)
        spent = time.perf_counter() - start
        count["derive"] += found.verdict == "proved"
        refuted = sum(t.verdict.different for t in found.twins)
        wrong += sum(t.verdict.equal for t in found.twins)
        cells = [x.name, found.verdict, f"{1000 * spent:.0f}", f"{refuted}/{len(found.twins)}"]
        try:
            a, b = sides(x)
        except NotExpressibleError:
            cells += ["not expressible", "", "not expressible", ""]
            none += 1
        else:
            for name, method in (("simplify", by_simplify), ("doit", by_doit)):
                said, took = asked(method, a, b, cap)
                count[name] += said == "proved"
                cells += [MARK.get(said, said), f"{1000 * took:.0f}"]
        yield f"| {' | '.join(cells)} |"
    total = len(catalogue())
    yield ""
    yield (
        f"Proved of {total}: derive {count['derive']} (false neighbours called true: {wrong}), "
        f"`simplify` {count['simplify']}, `doit` {count['doit']}; {none} were not put to SymPy. "
        "derive's time has all steps and false neighbours in it, SymPy's the start of a process."
    )  # fmt: skip


def main() -> None:
    """The page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cap", type=float, default=20, help="seconds for each call of SymPy")
    parser.add_argument("--tensorgrad", default="python3", help="an interpreter that has it")
    parser.add_argument("-o", default="worked/identities.md", help="the page that is written")
    given = parser.parse_args()
    lines = [
        "# The identities beside other tools",
        "",
        f"Written by `make bench-identities`, SymPy capped at {given.cap:g} s a call.",
        "",
    ]
    lines += [tensorgrad(given.tensorgrad), "", *rows(given.cap)]
    Path(given.o).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
