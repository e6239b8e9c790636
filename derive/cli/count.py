"""`derive count`: parameters, FLOPs, bytes; formula, numbers put in, exact number, units."""

from __future__ import annotations

from typing import Any

import click

from derive.cli import options
from derive.cli.output import Output
from derive.cli.sizes import given, questions, sizes, transformers


@click.command()
@click.argument("quantity", metavar="QUANTITY")
@click.argument(
    "source", metavar="[MODEL|SPEC|PRESET]", required=False, shell_complete=transformers
)
@sizes
@questions
@options.output("text", "latex", "tex", "pdf", "json")
def command(quantity: str, source: str | None, output: Output, **settings: Any) -> None:
    """Count a QUANTITY of a transformer: the formula in letters, the numbers put in, the number.

    \b
    QUANTITY is one of
      parameters   numbers that are learned        scores     entries of score matrices
      flops        operations of matrix products   tiles      of FlashAttention
      kv-cache     kept for each token             io         traffic of attention
      memory       for inference or training       intensity  FLOPs for each byte moved

    The transformer is a preset (gpt2, gpt2-medium, gpt2-large, gpt2-xl, bert-base, llama-2-7b,
    llama-2-70b, llama-3-8b, llama-3-70b, mistral-7b, gemma-2-9b, deepseek-v2), a short TOML
    file of the sizes below (d_model = 4096), a model, or only the options. What isn't given
    stays a letter; a size may be a formula (--tokens T, --d-ff 4d).

    \b
    Examples:
      derive count kv-cache
      derive count parameters gpt2
      derive count kv-cache llama-3-8b --tokens 8192 --bytes 2 --in GiB
      derive count flops gpt2-xl --tokens 1024 --pass training --peak "312 TFLOP/s"
      derive count memory llama-3-8b --tokens 8192 --bytes 2 --solve batch --within "80 GB"
      derive count flops --solve tokens --balance attention=projections
      derive count intensity gpt2 --bytes 2 --tokens 0 --solve batch --peak 9e12 --bandwidth 1e11
      derive count scores --growth n
      derive count tiles --tokens 1000 --tile-q 128 --tile-k 64 --causal --layers 1 --heads 1
    """
    from derive.counting.counted import count
    from derive.counting.question import check_quantity
    from derive.counting.settings import asked
    from derive.documents.counting import write_count

    check_quantity(quantity)
    spec, question = asked(source, given(settings))
    output.write(write_count(count(quantity, spec, question), output.format))
