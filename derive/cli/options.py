"""Arguments and options that commands share; each is a decorator."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import click

from derive.cli import completion
from derive.cli.output import FOLDER, Output, wants_color

F = TypeVar("F", bound=Callable[..., Any])


def model(command: F) -> F:
    """MODEL, `--set` and `--tokens`: what `derive.model.load` takes."""
    return _decorated(
        command,
        click.option(
            "--tokens",
            metavar="TEXT",
            help="Another text, in the words of the model's vocabulary.",
        ),
        click.option(
            "--set",
            "sets",
            multiple=True,
            metavar="KEY=VALUE",
            help="Change a key of the model; may be repeated.",
        ),
        click.argument("source", metavar="MODEL", shell_complete=completion.models),
    )


def form(default: str | None) -> Callable[[F], F]:
    """`--form`: letters, exact values or decimals; None is all that there is."""
    return click.option(
        "--form",
        type=click.Choice(("symbolic", "exact", "decimal")),
        default=default,
        show_default=True if default else "all three",
        help="Letters, exact values or decimals.",
    )


def digits(command: F) -> F:
    """`--digits`: how many significant digits decimals have."""
    decorator = click.option(
        "--digits",
        type=click.IntRange(1, 1_000),
        default=5,
        show_default=True,
        metavar="N",
        help="Significant digits of decimals, correctly rounded.",
    )
    return decorator(command)


def output(*formats: str, folder: bool = False) -> Callable[[F], F]:
    """`--to`, `-o`, `--quiet` and `--color`, handed to the command as one `output`.

    `folder`: without -o its path is "", and the command writes files to latex_out/.
    """

    def decorate(command: F) -> F:
        @functools.wraps(command)
        def run(
            *args: Any, to: str | None, output_path: str, quiet: bool, color: str, **kwargs: Any
        ) -> Any:
            asked = to is not None
            to = to or _by_ending(output_path, formats)
            colored = to == "text" and wants_color(color, output_path)
            chosen = Output(to, output_path, colored, quiet, asked)
            return command(*args, output=chosen, **kwargs)

        return _decorated(run, *_output_options(formats, folder))  # type: ignore[return-value]

    return decorate


def _by_ending(path: str, formats: tuple[str, ...]) -> str:
    """The format that a file's name ends in, else the first."""
    ending = path.rpartition(".")[2]
    return ending if ending in formats and "." in path else formats[0]


def _decorated(command: F, *decorators: Callable[[F], F]) -> F:
    for decorator in decorators:
        command = decorator(command)
    return command


def _output_options(formats: tuple[str, ...], folder: bool) -> tuple[Callable[[F], F], ...]:
    return (
        click.option(
            "--color",
            type=click.Choice(("auto", "always", "never")),
            default="auto",
            help="Colour in text; NO_COLOR and FORCE_COLOR are honoured.",
        ),
        click.option("--quiet", is_flag=True, help="No progress and no warnings."),
        click.option(
            "-o",
            "output_path",
            default="" if folder else "-",
            metavar="PATH",
            type=click.Path(),
            help="Write to a file; - is the terminal." + (f" Else to {FOLDER}/." if folder else ""),
        ),
        click.option(
            "--to",
            type=click.Choice(formats),
            default=None,
            help=f"The format of the output; else that of PATH's ending, else {formats[0]}.",
        ),
    )
