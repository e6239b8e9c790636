"""Questions with an unknown, solved exactly with the inequality shown; and growth."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from derive.counting.architecture import BY_OPTION
from derive.counting.counted import chosen, counted
from derive.counting.polynomial import Ceil, Formula, Poly, Ratio, leading, ratio, total
from derive.counting.question import Question
from derive.counting.result import Count, Line
from derive.counting.spec import Spec
from derive.counting.units import UNITS, decimal, measured, round_to
from derive.counting.written import grouped, latex, text
from derive.errors import DeriveError


def letter_of(name: str, place: str) -> str:
    """The letter that an option's name or a letter stands for."""
    letter = BY_OPTION[name].letter if name in BY_OPTION else name
    if not letter.replace("_", "").isalnum() or not letter.isascii():
        raise DeriveError(f"{place}: read {name[:40]!r}, expected a letter or the name of a size")
    return letter


def solved(found: Count, spec: Spec, question: Question) -> Count:
    """The largest, the smallest or the balancing value of one size.

    Raises DeriveError where the formula lacks the size, where more letters than it are left,
    or where no value satisfies the inequality.
    """
    x = letter_of(question.solve, "solve")
    result = _solve(found.quantity, x, spec, question)
    n = result.answer.number if isinstance(result.answer, Poly) else None
    w = spec.symbol("w").put(spec.values()).number
    if x == "n" and spec.has("w") and w is not None and n is not None and n < w:
        # fewer tokens than the window has: there the window hides nothing
        unwindowed = {k: v for k, v in spec.sizes.items() if k not in ("w", "L_w")}
        result = _solve(found.quantity, x, spec._replace(sizes=unwindowed), question)
        result = result._replace(notes=(*result.notes, "no more tokens than the window has"))
    return result


def _solve(quantity: str, x: str, spec: Spec, question: Question) -> Count:
    sizes = dict(spec.sizes)
    sizes[x] = Poly.letter(x)
    spec = spec._replace(sizes=sizes)
    found = counted(quantity, spec, question)
    if question.minimize == "true":
        from derive.counting.minimum import smallest

        return smallest(found, x, _others(found, x))
    if question.balance:
        return _balanced(found, x, question.balance)
    return _bounded(found, x, question)


def _others(found: Count, x: str) -> dict[str, Poly]:
    return {letter: value for letter, value in found.values.items() if letter != x}


# equal parts


def _balanced(found: Count, x: str, balance: str) -> Count:
    left_name, equals, right_name = balance.partition("=")
    if not equals:
        raise DeriveError(f'balance: read {balance[:40]!r}, expected "part=part"')
    sides = [
        total(p.formula for p in chosen(found, name) if isinstance(p.formula, Poly))
        for name in (left_name, right_name)
    ]
    values = _others(found, x)
    answers = []
    for put in ({}, values):  # in letters, then with the numbers
        left, right = (side.put(put) for side in sides)
        answers.append(_root(left - right, x))
    formula, value = answers
    number = value.number
    lines = [
        Line("equation", f"{text(sides[0])} = {text(sides[1])}",
             f"{latex(sides[0])} = {latex(sides[1])}"),
        Line("solved", f"{x} = {text(formula)}", f"{latex(Poly.letter(x))} = {latex(formula)}"),
    ]  # fmt: skip
    if formula.letters and number is not None:
        lines.append(Line("here", f"{x} = {_shown(number)}",
                          f"{latex(Poly.letter(x))} = {latex(value)}"))  # fmt: skip
    return found._replace(lines=tuple(lines), answer=value, answer_unit="")


def _root(equation: Poly, x: str) -> Formula:
    """The one positive x with equation = 0, where two neighbouring powers of x are left."""
    _no_ceil(equation, x)
    powers = sorted({dict(m).get(x, 0) for m in equation.terms})
    if len(powers) != 2 or powers[1] - powers[0] != 1:
        raise DeriveError(
            f"balance: the two sides have the powers {powers or 'no powers'} of {x}; expected "
            "two neighbouring ones"
        )
    low, high = (equation.coefficient(x, power) for power in powers)
    return ratio(-low, high)


# bounds


def _bounded(found: Count, x: str, question: Question) -> Count:
    values = _others(found, x)
    formula = found.formula.put(values)
    least = bool(question.at_least)
    given = question.at_least or question.within
    if not given and found.quantity == "intensity" and question.peak and question.bandwidth:
        peak = measured(question.peak, "FLOP/s", "peak")
        bandwidth = measured(question.bandwidth, "bytes/s", "bandwidth")
        limit, least = peak / bandwidth, True
        ridge = (
            f"peak/bandwidth = {grouped(peak)}/{grouped(bandwidth)} = {_shown(limit)} FLOPs/byte"
        )
    elif not given:
        raise DeriveError(
            "solve: expected within, at-least or balance with it (intensity: peak and bandwidth)"
        )
    else:
        limit = measured(given, found.unit, "at-least" if least else "within")
        if not any(ch.isalpha() for ch in given) and found.answer_unit in UNITS:
            limit *= UNITS[found.answer_unit][1]  # a bare limit is in the unit asked for
        ridge = ""
    top, bottom = (
        (formula.top, formula.bottom) if isinstance(formula, Ratio) else (formula, Poly.of(1))
    )
    difference = top - limit * bottom if least else limit * bottom - top
    left = sorted(set(difference.letters) - {x})
    if left:
        raise DeriveError(f"solve: {', '.join(left)} are letters still; expected numbers for them")
    if x not in difference.letters:
        raise DeriveError(f"solve: {found.title} doesn't depend on {x}")
    answer, largest = _threshold(difference, x, found)
    sign = "≥" if least else "≤"
    lines = [Line("threshold", ridge, ridge.replace("·", r"\cdot "))] if ridge else []
    lines.append(Line("inequality", f"{text(formula)} {sign} {_shown(limit)}",
                      rf"{latex(formula)} {LATEX[sign]} {latex(Poly.of(limit))}"))  # fmt: skip
    lines += _reason(difference, x, answer, largest, formula)
    title = f"{'largest' if largest else 'smallest'} {x}: {found.title}"
    return found._replace(lines=tuple(lines), answer=Poly.of(answer), title=title)


LATEX = {"≥": r"\ge", "≤": r"\le"}


def _threshold(g: Poly, x: str, found: Count) -> tuple[int, bool]:
    """The largest or smallest whole x ≥ 0 with g(x) ≥ 0, and which of the two it is.

    One change of sign among the coefficients means one positive root (Descartes), so the
    whole numbers on one side of it are the solutions.
    """
    _no_ceil(g, x)
    powers = sorted(dict(m).get(x, 0) for m in g.terms)
    if powers[0] < 0:
        g = g * Poly.letter(x) ** -powers[0]
        powers = sorted(dict(m).get(x, 0) for m in g.terms)
    signs = [g.coefficient(x, power).number or Fraction(0) for power in powers]
    changes = sum((a < 0) != (b < 0) for a, b in pairwise(signs))
    if changes == 0:
        words = "every value will do" if signs[0] > 0 else "no value will do"
        raise DeriveError(f"solve: {words}: the two sides never cross for {x} > 0")
    if changes > 1:
        raise DeriveError(f"solve: the two sides cross {changes} times or fewer; expected once")
    largest = signs[0] > 0

    def holds(k: int) -> bool:
        value = g.put({x: k}).number
        assert value is not None
        return value >= 0

    high = 1
    while holds(high) == largest:
        high *= 2
    low = 0
    while high - low > 1:  # holds(low) == largest throughout, holds(high) is the opposite
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) == largest else (low, middle)
    if largest and low == 0 and x != "n":
        raise DeriveError(f"solve: not even {x} = 1 will do")
    return (low if largest else high), largest


def _reason(g: Poly, x: str, answer: int, largest: bool, formula: Formula) -> list[Line]:
    """A linear inequality is solved; for another the neighbours on both sides are shown."""
    relation = "≤" if largest else "≥"
    name = latex(Poly.letter(x))
    rounded = "down" if largest else "up"
    if set(dict(m).get(x, 0) for m in g.terms) == {0, 1}:
        a, b = (g.coefficient(x, k).number for k in (1, 0))
        assert a is not None and b is not None
        bound = -b / a
        words = f"{x} {relation} {_shown(bound)}"
        how = "" if bound == answer else f" (rounded {rounded})"
        return [
            Line("solved", words, rf"{name} {LATEX[relation]} {latex(Poly.of(bound))}"),
            Line("answer", f"{x} = {answer:,}{how}",
                 rf"{name} = {answer}"),
        ]  # fmt: skip
    beyond = answer + (1 if largest else -1)
    lines = []
    for k, words in ((answer, "holds"), (beyond, "fails")):
        value = formula.put({x: k}).number
        shown = _shown(value) if value is not None else "?"
        lines.append(Line(words, f"{x} = {k:,}: {shown}", rf"{name} = {k}: \; {shown}"))
    return [*lines, Line("answer", f"{x} = {answer:,}", rf"{name} = {answer}")]


def _no_ceil(formula: Poly, x: str) -> None:
    if any(
        isinstance(f, Ceil) and x in Poly.letter(f).letters for m in formula.terms for f, _ in m
    ):
        raise DeriveError(f"solve: {x} stands in a quotient that is rounded up; expected no tiles")


def _shown(value: Fraction) -> str:
    """A number: whole, or a fraction with its size."""
    if value.denominator == 1:
        return grouped(value)
    short = decimal(value)
    if short is not None and len(short) <= 12:
        return short
    return f"{grouped(value)} ≈ {round_to(value, 6)[0]}"


# growth


def grows(found: Count, name: str) -> Count:
    """The leading term and the order in one letter, the other letters constant.

    >>> from derive.counting.counted import count
    >>> from derive.counting.spec import make
    >>> grows(count("scores", make({})), "n").lines[-1].text
    'Θ(n²), so also O(n²)'
    """
    x = letter_of(name, "growth")
    formula = found.formula
    if x not in formula.letters:
        raise DeriveError(
            f"growth: {found.title} has no letter {x}; it has {', '.join(formula.letters)}"
        )
    top, bottom = (
        (formula.top, formula.bottom) if isinstance(formula, Ratio) else (formula, Poly.of(1))
    )
    lead = ratio(leading(top, x), leading(bottom, x))
    degree = top.degree(x) - bottom.degree(x)
    order = text(Poly.letter(x) ** degree) if degree else "1"
    tex = latex(Poly.letter(x) ** degree) if degree else "1"
    lines = (
        Line("leading term", text(lead), latex(lead)),
        Line("order", f"Θ({order}), so also O({order})", rf"\Theta({tex})"),
    )
    notes = (*found.notes, f"growth in {x}; all other letters are constant")
    return found._replace(lines=(*found.lines, *lines), notes=notes,
                   extra={**found.extra, "leading": lead, "order": order})  # fmt: skip
