"""What went wrong, as one message on stderr and one exit code; the only place that knows both."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress

import click

from derive.errors import DeriveError

USAGE, FAULT, INTERRUPTED, CLOSED_PIPE = 2, 70, 130, 141
ENGINES = {"flint": "python-flint", "sympy": "sympy", "click": "click"}  # module -> distribution


def exit_code(action: Callable[[], int]) -> int:
    """Run a command to its exit code, or print what it raised and give the code of that.

    2 for input and usage, 70 for a fault of ours, 130 for Ctrl-C; and when the reader of
    stdout went away (`derive … | head -1`), silence and 141, as of a program that the
    signal ended: 0 or 1 would be a verdict.
    """
    try:
        code = action()
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except (KeyboardInterrupt, click.Abort):
        return say("interrupted", INTERRUPTED)
    except BrokenPipeError:
        drop_stdout()
        return CLOSED_PIPE
    except DeriveError as error:
        return say(str(error), error.exit_code)
    except click.ClickException as error:
        return say(usage(error), USAGE)
    except Exception as error:  # noqa: BLE001 - the last net: a fault of ours has its own code
        return unforeseen(error)


def unforeseen(error: Exception) -> int:
    """What isn't ours to raise: a missing library, a full disk, a fault of the program."""
    name = (error.name or "").partition(".")[0] if isinstance(error, ImportError) else ""
    if name in ENGINES:
        package = ENGINES[name]
        need = f"{package} is needed for this and can't be imported ({error})"
        return say(f"{need}; python -m pip install {package}", USAGE)
    if isinstance(error, OSError):
        drop_stdout()
        where = f"{error.filename}: " if error.filename else ""
        return say(f"{where}{error.strerror or error}", USAGE)
    if os.environ.get("DERIVE_DEBUG"):
        import traceback

        traceback.print_exception(error)
    message = f"internal fault, please report it: {type(error).__name__}: {error}"
    return say(f"{message}\n  {versions()}\n  DERIVE_DEBUG=1 shows the traceback", FAULT)


def usage(error: click.ClickException) -> str:
    """A usage error in Click's words, and where the help is."""
    message = error.format_message()
    context = getattr(error, "ctx", None)
    if context is None:
        return message
    return f"{message[:1].lower()}{message[1:]}\n  see {context.command_path} --help"


def say(message: str, code: int) -> int:
    """Print the one message; a stderr that is gone takes nothing away from the code."""
    with suppress(OSError):
        click.echo(f"derive: {message}", err=True)
    return code


def drop_stdout() -> None:
    """Send what is still buffered nowhere, or the interpreter would complain on its way out."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def versions() -> str:
    """The line that a report needs."""
    from importlib.metadata import PackageNotFoundError, version  # slow, and only for a report

    from derive import __version__

    parts = [f"derive {__version__}", f"Python {sys.version.split()[0]}"]
    for package in ENGINES.values():
        with suppress(PackageNotFoundError):
            parts.append(f"{package} {version(package)}")
    return ", ".join(parts)
