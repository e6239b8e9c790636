"""Expressions that people type as names of a command: minus signs, and `-` for standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from derive.errors import DeriveError

MARK = " "
MOST = 100_000  # bytes of standard input; the grammar refuses far shorter texts


class NamesWithMinus(click.Command):
    """A command whose names may begin with a minus, as the answers -0.49 and -sqrt(2) do.

    What begins with one minus and isn't one of the command's short options is a name.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        options = [p for p in self.get_params(ctx) if isinstance(p, click.Option)]
        short = {o for p in options for o in p.opts if not o.startswith("--")}
        valued = {o for p in options if not p.is_flag for o in p.opts}
        words = list(_with_names_marked(args, short, valued))
        rest = super().parse_args(ctx, words)
        for name, value in ctx.params.items():
            if isinstance(value, str):
                ctx.params[name] = value.removeprefix(MARK)
        return rest


def _with_names_marked(args: list[str], short: set[str], valued: set[str]) -> Iterator[str]:
    """A space before each such name; for Click it then isn't an option."""
    before = ""
    for k, word in enumerate(args):
        if word == "--" and before not in valued:
            yield from args[k:]
            return
        minus = len(word) > 1 and word[0] == "-" != word[1] and word[:2] not in short
        yield MARK + word if minus and before not in valued else word
        before = word


def texts(left: str, right: str) -> tuple[str, str]:
    """Two sides as typed; for `-` what stands on standard input.

    Raises UsageError where both want it.
    """
    if left == right == "-":
        raise click.UsageError("only one of the two can be read from standard input")
    return text(left), text(right)


def text(typed: str) -> str:
    """One side as typed, or all of standard input for `-`.

    Raises DeriveError where that isn't UTF-8.
    """
    if typed != "-":
        return typed
    stream = sys.stdin.buffer
    if stream.isatty():
        click.echo("derive: reading from the terminal; Ctrl-D ends it", err=True)
    try:
        return stream.read(MOST).decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise DeriveError(f"standard input is not UTF-8 at byte {error.start + 1}") from None
