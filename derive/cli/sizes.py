"""The options of `count` and `shapes`: one for every size and choice of a transformer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from derive.counting.architecture import SIZES
from derive.counting.presets import PRESETS
from derive.counting.question import ASKED
from derive.counting.spec import CHOICES, TRUTH

F = TypeVar("F", bound=Callable[..., Any])


def sizes(command: F) -> F:
    """`--layers`, `--d-model` … and the choices; what isn't given is absent or None."""
    for name, (values, default, meaning) in reversed(CHOICES.items()):
        command = _option(name, values, f"{meaning}; default: {default}")(command)
    command = click.option("--tied", is_flag=True, help="The same as --unembedding tied.")(command)
    for size in reversed(SIZES):
        words = f"{size.letter}: {size.meaning}."
        command = click.option(f"--{size.option}", metavar="N", help=words)(command)
    return command


def questions(command: F) -> F:
    """`--pass`, `--in`, `--solve` …: what is asked about the quantity."""
    for name, (values, meaning) in reversed(ASKED.items()):
        command = _option(name, values, meaning)(command)
    return command


def _option(name: str, values: tuple[str, ...], help: str) -> Callable[[F], F]:
    words = f"{help[:1].upper()}{help[1:]}."
    target = name.replace("-", "_") + "_"
    if values == TRUTH or set(values) == set(TRUTH):
        return click.option(f"--{name}/--no-{name}", target, default=None, help=words)
    if values:
        return click.option(f"--{name}", target, type=click.Choice(values), help=words)
    return click.option(f"--{name}", target, metavar="TEXT", help=words)


def given(options: Mapping[str, Any]) -> dict[str, str]:
    """The settings that were typed, by their names."""
    found = {}
    for key, value in options.items():
        name = key.rstrip("_").replace("_", "-")
        if name == "tied":
            if value:
                found["unembedding"] = "tied"
        elif value is not None:
            found[name] = str(value).lower() if isinstance(value, bool) else str(value)
    return found


def transformers(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Presets, bundled models and files."""
    from derive.cli import completion

    presets = [
        CompletionItem(name, help=preset.title)
        for name, preset in PRESETS.items()
        if name.startswith(incomplete)
    ]
    return [*presets, *completion.models(context, parameter, incomplete)]
