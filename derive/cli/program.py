"""The group of all commands: loads one by its name and runs it under the one net for errors."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem, shell_complete

from derive import __version__
from derive.cli import COMMANDS, help_text
from derive.cli.faults import exit_code

COMPLETE = "_DERIVE_COMPLETE"  # the variable that Click's completion scripts set


class Program(click.Group):
    """Commands by name from the table; a command's module is imported when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(COMMANDS[cmd_name][0]).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        # Click's own suggestion looks at the commands already loaded, and there are none.
        unknown = args[0] not in COMMANDS and not args[0].startswith("-")
        if unknown and not ctx.resilient_parsing:  # a shell that completes wants no error
            from derive.text.nearest import nearest

            close = nearest(args[0], COMMANDS)
            hint = f"did you mean {close}?" if close else f"there are {', '.join(COMMANDS)}"
            raise click.UsageError(f"no command {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def get_help(self, ctx: click.Context) -> str:
        return help_text().rstrip("\n")

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        return [
            CompletionItem(name, help=help)
            for name, (_, help) in COMMANDS.items()
            if name.startswith(incomplete)
        ]

    def main(self, args: Sequence[str] | None = None, *_: Any, **__: Any) -> NoReturn:
        """Run one command line and exit; Click's own `main` has other exit codes."""
        words = list(sys.argv[1:] if args is None else args)
        sys.exit(exit_code(lambda: self._run(words)))

    def _run(self, words: list[str]) -> int:
        if instruction := os.environ.get(COMPLETE):
            return shell_complete(self, {}, "derive", COMPLETE, instruction)
        if not words:
            raise click.UsageError(f"no command\n\n{help_text()}")
        try:
            with self.make_context("derive", words) as context:
                self.invoke(context)
        except click.exceptions.Exit as end:
            return end.exit_code
        return 0


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="derive", message="%(prog)s %(version)s")
def program() -> None:
    """The mathematics of transformers, derived exactly."""
