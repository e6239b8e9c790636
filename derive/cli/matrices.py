"""`derive matrices`: the table of contents of a model."""

from __future__ import annotations

import click

from derive.blocks import build
from derive.cli import options
from derive.cli.listing import listing
from derive.cli.output import Output
from derive.model import load
from derive.render.json import matrices


@click.command()
@options.model
@options.output("text", "json")
def command(source: str, sets: tuple[str, ...], tokens: str | None, output: Output) -> None:
    """Every matrix of MODEL: name, shape, operation, meaning, in the order of the pass.

    \b
    Examples:
      derive matrices cats
      derive matrices cats-two-blocks --to json
    """
    graph = build(load(source, sets=sets, tokens=tokens))
    rows = [(m.name, m.shape, m.operation.name, m.meaning) for m in graph.matrices.values()]
    if output.format == "json":
        output.write(matrices(rows))
    else:
        output.write(
            listing(
                (name, "×".join(map(str, graph.printed_shape(size))), *map(graph.said, rest))
                for name, size, *rest in rows
            )
        )
