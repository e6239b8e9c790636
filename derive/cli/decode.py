"""`derive decode`: token by token with the KV cache."""

from __future__ import annotations

import click

from derive.cli import options
from derive.cli.output import Output
from derive.model import load


@click.command()
@options.model
@click.option(
    "--steps", type=click.IntRange(1, 1000), default=1, show_default=True, metavar="N",
    help="How many tokens are produced; the prefill produces the first.",
)  # fmt: skip
@click.option(
    "--next", "next_tokens", multiple=True, metavar="TOKEN",
    help="Read this token instead of the prediction; may be repeated.",
)  # fmt: skip
@options.digits
@options.output("text", "json")
def command(
    source: str,
    sets: tuple[str, ...],
    tokens: str | None,
    steps: int,
    next_tokens: tuple[str, ...],
    digits: int,
    output: Output,
) -> None:
    """Decode MODEL: its text in one pass, then one token at a time from the KV cache.

    Each new row is proved equal to the last row of a full pass. A model without an output
    side reads its own last token after the ones before it, or takes --next. Keys and values of
    a second sequence are computed once; latent attention keeps its latent rows alone.

    \b
    Examples:
      derive decode mat --steps 2
      derive decode cats --next dogs
      derive decode encoder-decoder
      derive decode mla
    """
    from derive.blocks.decode import decode
    from derive.documents import decoding

    decoded = list(decode(load(source, sets=sets, tokens=tokens), steps, next_tokens))
    if len(decoded) < steps:
        output.say(f"{source}: {len(decoded)} of {steps} steps; more need an output side, "
                   "which predicts, or --next")  # fmt: skip
    write = decoding.data if output.format == "json" else decoding.text
    output.write(write(decoded, digits))
