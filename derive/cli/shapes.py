"""`derive shapes`: every tensor's shape."""

from __future__ import annotations

from typing import Any

import click

from derive.cli import options
from derive.cli.output import Output
from derive.cli.sizes import given, sizes, transformers


@click.command()
@click.argument(
    "source", metavar="[MODEL|SPEC|PRESET]", required=False, shell_complete=transformers
)
@sizes
@options.output("text", "latex", "tex", "pdf", "json")
def command(source: str | None, output: Output, **settings: Any) -> None:
    """Every tensor's shape, in letters and numbers: weights, one forward pass, the KV cache.

    \b
    Examples:
      derive shapes
      derive shapes gpt2 --tokens 1024
      derive shapes llama-3-8b --tokens 8192 --batch 4 --to json
    """
    from derive.counting.settings import asked
    from derive.counting.shapes import shapes
    from derive.documents.counting import write_shapes

    spec, _ = asked(source, given(settings))
    output.write(write_shapes(shapes(spec), spec, output.format))
