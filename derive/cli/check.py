"""`derive check`: one answer, marked."""

from __future__ import annotations

from typing import Any

import click

from derive.blocks import build
from derive.cli import completion, options
from derive.cli.output import Output
from derive.cli.typed import NamesWithMinus, text
from derive.model import load


def policy(command: Any) -> Any:
    """The options that say what is asked of an answer, as in a marking key."""
    for option in reversed(
        (
            click.option("--exact", is_flag=True, help="The exact value, in any form (default)."),
            click.option("--dp", type=int, metavar="N", help="Rounded to N decimal places."),
            click.option("--sf", type=int, metavar="N", help="Rounded to N significant figures."),
            click.option("--tolerance", metavar="abs:X|rel:X", help="Not further off than X."),
            click.option(
                "--places",
                type=click.Choice(("exactly", "at-least")),
                help="Must exactly N digits be shown, or N at least?  Default: exactly.",
            ),
            click.option(
                "--ties",
                type=click.Choice(("either", "even", "away")),
                help="Which way an exact tie is rounded.  Default: either.",
            ),
            click.option("--percent", is_flag=True, help="The number asked for is a percentage."),
            click.option(
                "--rounded-steps",
                type=int,
                metavar="N",
                help="Right is what can be reached when every step is rounded to N places.",
            ),
            click.option(
                "--require",
                type=click.Choice(("exact", "decimal", "lowest-terms", "simplified")),
                help="The form of the answer, judged apart from its value.",
            ),
            click.option("--cells", is_flag=True, help="The answer may use cells of the model."),
            click.option("--unit", metavar="TEXT", help="A unit that may stand after the number."),
        )
    ):
        command = option(command)
    return command


# `--count` takes the place of MODEL and CELL, so that the first name is the answer.
@click.command(cls=NamesWithMinus, context_settings={"help_option_names": ["--help"]})
@options.model
@click.argument("cell", metavar="CELL", required=False, shell_complete=completion.cells)
@click.argument("answer", metavar="ANSWER", required=False)
@policy
@click.option(
    "--given",
    multiple=True,
    metavar="CELL=ANSWER|@FILE",
    help="The student's own earlier answer, carried forward; may be repeated. FILE: cell,answer.",
)
@click.option("--count", metavar="QUESTION", help="A counting question instead of MODEL and CELL.")
@click.option("--reveal", is_flag=True, help="Say what is accepted; not for students.")
@options.output("text", "json")
def command(
    source: str,
    sets: tuple[str, ...],
    tokens: str | None,
    cell: str | None,
    answer: str | None,
    given: tuple[str, ...],
    count: str | None,
    reveal: bool,
    output: Output,
    **asked: Any,
) -> None:
    """Is ANSWER the value of CELL?  Exits with 0 right, 1 wrong, 2 unreadable, 3 undecided.

    CELL is one cell, a row A[2,:], a column or a whole matrix. ANSWER is read as students type
    it, plain or LaTeX, with the signs of a keyboard or a telephone; - is standard input. It is
    echoed as it was read; nothing that is printed shows the key, but for --reveal. Where a known
    slip gives exactly a wrong answer, it is named.

    \b
    How it is read:
      1/2x       (1/2) x, from left to right      2 1/2, 1½     mixed numbers
      sin 2x     sin(2x); sin x/2 is (sin x)/2    sin^2 x       (sin x)^2; sin^-1 x is refused
      1,234      refused: 1.234 or 1 and 234?     1 and 2, ±1   both values, as a set
      e^2x       (e^2) x                          5%            0.05, under every policy
      52_8       52 to the base 8                 1.2x10^-3     0.0012
      (1, 2)     values in order                  [1, 2]        a vector; {1, 2} a set

    \b
    Examples:
      derive check cats "A[2,0]" 0.412 --dp 3
      derive check cats "A[2,:]" "[0.41, 0.49, 0.09, 0]" --tolerance abs:0.02
      derive check cats "Q[0,1]" -0.49 --sf 2 --places at-least
      derive check cats "S_scaled[2,0]" 1 --given "S[2,0]=sqrt(2)"
      derive check --count "kv-cache --layers 1 --heads 4 --head-dim 8 --tokens 8 --bytes 8" "4 KiB"
    """
    from derive.answers.policy import Policy
    from derive.answers.verdict import CODES
    from derive.answers.verdict import text as report
    from derive.render.escape import dumps

    rules = Policy.of({key: value for key, value in asked.items() if value is not None})
    if count is not None:
        if cell is not None:
            raise click.UsageError("--count takes the place of MODEL and CELL: only ANSWER follows")
        from derive.answers.counted import judge_count

        marked = judge_count(count, text(source), rules)
    else:
        if cell is None or answer is None:
            raise click.UsageError(f"Missing argument '{'CELL' if cell is None else 'ANSWER'}'.")
        from derive.answers.check import check

        graph = build(load(source, sets=sets, tokens=tokens))
        mine = _earlier(given)
        marked = check(graph, cell, text(answer), rules, reveal=reveal, given=mine)
    output.write(dumps(marked.data()) if output.format == "json" else report(marked))
    click.get_current_context().exit(CODES[marked.verdict])


def _earlier(given: tuple[str, ...]) -> list[tuple[str, str]]:
    """The pairs of `--given`."""
    from derive.answers.carried import pair, sheet

    found: list[tuple[str, str]] = []
    for one in given:
        found += sheet(one[1:]) if one.startswith("@") else [pair(one)]
    return found
