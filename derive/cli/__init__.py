"""The command line: one file a command, loaded only when it is asked for.

`program.py` loads a command by name, `faults.py` is the one place for errors and exit codes,
`options.py` what commands share, `output.py` how bytes leave, `completion.py` what the shell
may suggest.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from derive import __version__

# name -> (module, one line of help); in the order that `derive --help` shows
COMMANDS: dict[str, tuple[str, str]] = {
    "models": ("derive.cli.models", "The bundled models, or the file of one."),
    "new": ("derive.cli.new", "A commented model file to start from."),
    "matrices": ("derive.cli.matrices", "Every matrix of a model, in the order of the pass."),
    "show": ("derive.cli.show", "One matrix of a model."),
    "cell": ("derive.cli.cell", "The worked derivation of one cell."),
    "decode": ("derive.cli.decode", "Token by token with the KV cache."),
    "solution": ("derive.cli.solution", "A complete worked solution as a document."),
    "exercise": ("derive.cli.exercise", "A sheet with blanks, its solution and its key."),
    "page": ("derive.cli.page", "One offline page: click any number to see how it is made."),
    "code": ("derive.cli.code", "The forward pass as a program without dependencies."),
    "count": ("derive.cli.count", "Parameters, FLOPs, bytes: formula, numbers, thresholds."),
    "shapes": ("derive.cli.shapes", "Every tensor's shape, in letters and numbers."),
    "prove": ("derive.cli.prove", "Identities for every size, with checked proofs."),
    "equal": ("derive.cli.equal", "Are two expressions equal? Decided exactly."),
    "check": ("derive.cli.check", "Mark one answer exactly."),
    "grade": ("derive.cli.grade", "Mark the answers of a whole course."),
}
HELP = """\
Usage: derive COMMAND [OPTIONS] NAMES...

The mathematics of transformers, derived exactly.

Commands:
{commands}

`derive COMMAND --help` shows what a command takes, with two examples.
`derive --version` shows the version.

Exit codes: 0 yes or done, 1 no, 2 bad input or usage, 3 undecided,
            70 a fault of the program, 130 interrupted.
Completion: eval "$(_DERIVE_COMPLETE=bash_source derive)"
            (or zsh_source; in fish: _DERIVE_COMPLETE=fish_source derive | source)
"""


def help_text() -> str:
    """What `derive --help` prints."""
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {help}" for name, (_, help) in COMMANDS.items()]
    return HELP.format(commands="\n".join(lines))


def _counted(words: list[str]) -> bool:
    """Answer a count without Click; False where the program must run (and say what is wrong)."""
    if words[:1] not in (["count"], ["shapes"]):
        return False
    from derive.cli.quick import quick

    with suppress(OSError, KeyboardInterrupt):  # the program meets and reports them
        result = quick(words)
        if result is not None:
            sys.stdout.flush()
            sys.stdout.buffer.write(result.encode("utf-8", "backslashreplace"))
            sys.stdout.buffer.flush()
            return True
    return False


def main() -> None:
    """The command `derive`; exits with the codes that `derive --help` lists."""
    quick = {"--version": f"derive {__version__}\n", "--help": help_text(), "-h": help_text()}
    answer = quick.get(sys.argv[1]) if len(sys.argv) == 2 else None
    if answer and sys.stdout and "_DERIVE_COMPLETE" not in os.environ:
        with suppress(OSError):  # a closed pipe, a full disk: the program below reports it
            sys.stdout.write(answer)  # Click alone would cost more than everything else here
            sys.stdout.flush()
            return
    if sys.stdout and "_DERIVE_COMPLETE" not in os.environ and _counted(sys.argv[1:]):
        return
    try:
        from derive.cli.program import program
    except KeyboardInterrupt:  # from here on the program itself catches it
        sys.exit(130)
    program.main()
