"""`derive new`: a commented model file to start from."""

from __future__ import annotations

import click

from derive.cli import options
from derive.cli.output import Output

POSITIONS = ("none", "rope", "sinusoidal", "learned", "alibi")
NORMS = ("none", "rmsnorm", "layernorm")
SIZE = click.IntRange(1, 64)


@click.command()
@click.option("--tokens", default="the cat sat", show_default=True, metavar="TEXT",
              help="The words of the rows.")  # fmt: skip
@click.option("--d-model", type=SIZE, default=4, show_default=True, help="Width of the stream.")
@click.option("--heads", type=SIZE, default=1, show_default=True, help="Attention heads.")
@click.option("--kv-heads", type=SIZE, default=None, help="Heads of keys and values.")
@click.option("--head-dim", type=SIZE, default=None, help="Width of a head.")
@click.option("--d-ff", type=click.IntRange(0, 256), default=8, show_default=True,
              help="Width of the feed-forward pass; 0: none.")  # fmt: skip
@click.option("--blocks", type=click.IntRange(1, 12), default=1, show_default=True,
              help="How many blocks.")  # fmt: skip
@click.option("--position", type=click.Choice(POSITIONS),
              default="none", show_default=True, help="How a token's place enters.")  # fmt: skip
@click.option("--norm", type=click.Choice(NORMS), default="none",
              show_default=True, help="Before each part and the output.")  # fmt: skip
@click.option("--activation", type=click.Choice(("relu", "gelu", "gelu_tanh", "silu")),
              default="relu", show_default=True, help="Of the feed-forward pass.")  # fmt: skip
@click.option("--mask", type=click.Choice(("causal", "none")), default="causal", show_default=True,
              help="Who may look where.")  # fmt: skip
@click.option("--output-side", is_flag=True, help="With scores and chances of the next word.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the drawn numbers.")
@options.output("text")
def command(
    tokens: str,
    d_model: int,
    heads: int,
    kv_heads: int | None,
    head_dim: int | None,
    d_ff: int,
    blocks: int,
    position: str,
    norm: str,
    activation: str,
    mask: str,
    output_side: bool,
    seed: int,
    output: Output,
) -> None:
    """A commented model file to start from, with small drawn numbers; it validates as it is.

    \b
    Examples:
      derive new -o mine.toml
      derive new --tokens "to be or not" --d-model 6 --heads 3 --position rope -o mine.toml
    """
    from derive.documents.starter import Plan, starter
    from derive.model import loads

    words = tuple(tokens.split())
    if not words:
        raise click.BadParameter("no words in it", param_hint="--tokens")
    if kv_heads and heads % kv_heads:
        raise click.BadParameter(f"{kv_heads} does not divide {heads} heads",
                                 param_hint="--kv-heads")  # fmt: skip
    width = head_dim or max(1, d_model // heads)
    if position == "rope" and width % 2:
        fault = f"RoPE turns pairs of columns; a head is {width} wide, expected an even --head-dim"
        raise click.BadParameter(fault, param_hint="--position")
    plan = Plan(words, d_model, heads, kv_heads or 0, head_dim or 0, d_ff, blocks, position,
                norm, activation, mask, output_side, seed)  # fmt: skip
    text = starter(plan)
    loads(text)  # what we hand out is read by ourselves first
    output.write(text)
