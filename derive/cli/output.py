"""How results leave: bytes on stdout, or a file that is either whole or not there."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import click

from derive.errors import OutputError

FOLDER = "latex_out"  # where documents go without -o
ENDINGS = {"latex": "tex", "text": "txt"}  # of a format's file, where it isn't the format's name


@dataclass(frozen=True)
class Output:
    """Where a command's result goes, and in which format."""

    format: str  # the name of a renderer: text, latex, tex, pdf, svg, html, json
    path: str = "-"  # "-" is stdout
    color: bool = False
    quiet: bool = False
    asked: bool = True  # whether the user chose the format

    def to_folder(self, stem: str, format: str = "") -> Output:
        """The same, its path by default a file in latex_out/, which is made where it is missing.

        `format`: another one than its own.
        """
        format = format or self.format
        path = self.path
        if not path:
            try:
                Path(FOLDER).mkdir(exist_ok=True)
            except OSError as error:
                raise OutputError(f"{FOLDER}: {error.strerror}") from error
            path = f"{FOLDER}/{stem}.{ENDINGS.get(format, format)}"
        return replace(self, format=format, path=path)

    def say(self, words: str) -> None:
        """A word on stderr about what was done, unless --quiet."""
        if not self.quiet:
            click.echo(words, err=True)

    def progress(self, what: str, done: int, total: int) -> None:
        """How far a long job is: one line on stderr, only on a terminal."""
        if self.quiet or sys.stderr is None or not sys.stderr.isatty():
            return
        click.echo(f"\r{what} {done}/{total}", err=True, nl=done == total)

    def write(self, result: str | bytes) -> None:
        """Write a whole result; text as UTF-8 with `\\n`, whatever the locale says.

        Raises OutputError if the file can't be written, or if the terminal would get a PDF.
        """
        # An unpaired surrogate (from a byte-level vocabulary) has no UTF-8: shown as \\udXXX.
        data = result.encode("utf-8", "backslashreplace") if isinstance(result, str) else result
        if self.path != "-":
            write_file(Path(self.path), data)
        elif isinstance(result, bytes) and sys.stdout is not None and sys.stdout.isatty():
            raise OutputError(f"{self.format} is not for a terminal; add -o FILE")
        else:
            click.echo(data, nl=False)

    def style(self, text: str, **style: str | bool) -> str:
        """The text in colour, where colour is wanted."""
        return click.style(text, **style) if self.color else text  # type: ignore[arg-type]


def wants_color(choice: str, path: str) -> bool:
    """Is colour wanted: what `--color` says, else NO_COLOR, FORCE_COLOR, else a real terminal."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    terminal = path == "-" and sys.stdout is not None and sys.stdout.isatty()
    return terminal and os.environ.get("TERM") != "dumb"


def write_file(path: Path, data: bytes) -> None:
    """Replace a file in one step: a reader, or a crash, never sees half of it.

    Raises OutputError for a folder that doesn't exist or a file that can't be written.
    """
    if not path.parent.is_dir():
        raise OutputError(f"{path}: there is no folder {path.parent}")
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # /dev/null, a named pipe; a folder raises
        else:
            with _beside(path.resolve()) as temporary:
                temporary.write_bytes(data)
    except OSError as error:
        raise OutputError(f"{path}: {error.strerror}") from error


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A file in the same folder (a rename across disks copies), renamed to `path` at the end."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
