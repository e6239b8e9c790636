"""`derive prove`: identities for every size, with their proofs and false neighbours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from derive.cli import options
from derive.cli.output import Output

if TYPE_CHECKING:
    from derive.identities.proof import Proof

CODES = {"proved": 0, "refuted": 1, "undecided": 3}
BOOKLET = Path("latex_out/identities.pdf")


@click.command()
@click.option("--all", "everything", is_flag=True, help="Every identity: the booklet.")
@click.option("--list", "listed", is_flag=True, help="The names, one a line, with their titles.")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@options.output("text", "latex", "tex", "pdf", "json")
def command(names: tuple[str, ...], everything: bool, listed: bool, output: Output) -> None:
    """Prove identities for every size: statement, checked steps, refuted false neighbours.

    Exits with 0 if all are proved, 1 if one is refuted, 3 if one is undecided.

    \b
    Examples:
      derive prove softmax-shift
      derive prove online-softmax rope-relative --to tex -o identities.tex
    """
    from derive.documents import identities as report
    from derive.identities import catalogue, named

    if sum((bool(names), everything, listed)) != 1:
        raise click.UsageError("give names, or --all, or --list")
    chosen = named(names) if names else list(catalogue().values())
    if listed:
        output.write(report.listing(chosen))
        return
    from derive.identities.proof import prove

    proofs = [prove(identity) for identity in chosen]
    writers: dict[str, Callable[[Sequence[Proof]], str | bytes]] = {
        "text": report.text, "latex": report.fragment, "tex": report.tex, "pdf": report.pdf,
        "json": report.json,
    }  # fmt: skip
    if everything and output.format == "pdf" and output.path == "-":
        BOOKLET.parent.mkdir(exist_ok=True)
        output = Output(output.format, str(BOOKLET), output.color, output.quiet)
    output.write(writers[output.format](proofs))
    click.get_current_context().exit(max(CODES[p.verdict] for p in proofs))
