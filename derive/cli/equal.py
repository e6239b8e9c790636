"""`derive equal`: one equality, decided."""

from __future__ import annotations

import click

from derive.cli import options
from derive.cli.output import Output
from derive.cli.typed import NamesWithMinus, texts

CODES = {"equal": 0, "different": 1, "undecided": 3}


@click.command(cls=NamesWithMinus, context_settings={"help_option_names": ["--help"]})
@click.option(
    "--assume",
    multiple=True,
    metavar="RELATION",
    help='Such as "x > 0", "-1 < x < 1", "n integer"; may be repeated.',
)
@click.argument("left", metavar="A")
@click.argument("right", metavar="B")
@options.output("text", "json")
def command(left: str, right: str, assume: tuple[str, ...], output: Output) -> None:
    """Are A and B equal wherever both are defined?  Exits with 0, 1 or (undecided) 3.

    Letters are real numbers; powers, roots and logarithms are the principal values. A or B
    may be -, which is read from standard input.

    \b
    Read are + - * / ^ ( ), 2x, x y, 0.5, 1.2e-3, [1, 2], [[1, 2], [3, 4]], x!, pi, e, i, inf,
    sum(k, 1, 3, k^2), and the functions sqrt cbrt root(x,n) exp ln log log(x,b) lg sin cos tan
    cot sec csc asin acos atan sinh cosh tanh asinh acosh atanh abs sign max min erf sigmoid
    relu silu gelu softmax([...]) logsumexp([...]); LaTeX and Unicode forms of all these; sets
    {1, 2}, intervals [0, 1), relations (x > 0 and x < 1), which are equal if they have the same
    solutions.

    \b
    Examples:
      derive equal "sin(2x)" "2 sin(x) cos(x)"
      derive equal --assume "x > 0" "sqrt(x^2)" x
    """
    from derive.answers import report
    from derive.answers.equality import equality

    found = equality(*texts(left, right), assume)
    output.write(report.json(found) if output.format == "json" else report.text(found))
    click.get_current_context().exit(CODES[found.verdict])
