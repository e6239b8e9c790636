"""A PDF by pdflatex: two runs, and a log that must be clean."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from fractions import Fraction
from pathlib import Path

from derive.errors import MissingDependency, OutputError
from derive.line import Derivation, Table
from derive.render import tex

PACKAGES = "texlive-latex-base texlive-latex-recommended"
COMMAND = "pdflatex -no-shell-escape -interaction=nonstopmode -halt-on-error page.tex".split()
SETTINGS = {
    "SOURCE_DATE_EPOCH": "0",
    "FORCE_SOURCE_DATE": "1",
    "openin_any": "p",  # TeX reads and writes nothing outside its folder
    "openout_any": "p",
    "max_print_line": "1000",  # or the log breaks its own messages
}
SECONDS = 300  # a guard, not a limit: a page takes milliseconds
OVERFULL = re.compile(r"Overfull \\[hv]box \((\d+\.?\d*)pt")
FAULTS = re.compile(
    r"^!|Missing character|undefined references|Reference .* undefined|multiply defined"
    r"|name\{.*\} has been referenced but does not exist|Rerun to get"
)


def derivation(d: Derivation, width: int = 80, color: bool = False) -> bytes:
    """The worked steps as a PDF.

    Raises MissingDependency without pdflatex, OutputError if the page isn't perfect.
    """
    return compiled(tex.derivation(d))


def table(t: Table, width: int = 80, color: bool = False) -> bytes:
    """A matrix as a PDF; raises as derivation does."""
    return compiled(tex.table(t))


def compiled(source: str) -> bytes:
    """The PDF of a document.

    Raises MissingDependency if pdflatex or one of its packages isn't there, OutputError
    with the lines of the log for an error, a missing character, a line that runs more than
    2 pt over the margin, or a link without target.
    """
    program = shutil.which(COMMAND[0])
    if program is None:
        raise MissingDependency(
            f"pdflatex is not installed; on Debian and Ubuntu: apt install {PACKAGES} "
            "(or write the source with --to tex)"
        )
    with tempfile.TemporaryDirectory(prefix="derive-") as folder:
        place = Path(folder)
        (place / "page.tex").write_text(source, encoding="utf-8", newline="\n")
        log = ""
        runs = 3 if "\\tableofcontents" in source else 2  # links, and the contents' pages
        for _ in range(runs):
            log = _run(program, place)
        found = faults(log)
        if found or not (place / "page.pdf").exists():
            raise OutputError("the page has faults:\n" + "\n".join(found or [log[-2000:]]))
        return (place / "page.pdf").read_bytes()


def _run(program: str, place: Path) -> str:
    try:
        done = subprocess.run(
            [program, *COMMAND[1:]],
            cwd=place,
            env={**os.environ, **SETTINGS},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise OutputError(f"pdflatex has not finished after {SECONDS} seconds") from error
    except OSError as error:
        raise OutputError(f"pdflatex can't be started: {error}") from error
    path = place / "page.log"
    log = path.read_bytes() if path.exists() else done.stdout
    text = log.decode("utf-8", "replace")
    missing = re.search(r"File `([^']+)' not found", text)
    if missing:
        raise MissingDependency(
            f"LaTeX lacks {missing[1]}; on Debian and Ubuntu: apt install {PACKAGES}"
        )
    if done.returncode:
        raise OutputError("pdflatex stopped:\n" + "\n".join(faults(text) or [text[-2000:]]))
    return text


def faults(log: str) -> list[str]:
    """The lines of a log that a clean page doesn't have, with the line that follows an error.

    >>> faults("Overfull \\\\hbox (1.5pt too wide)\\nOverfull \\\\hbox (2.5pt too wide)")
    ['Overfull \\\\hbox (2.5pt too wide)']
    """
    lines = log.splitlines()
    found = []
    for k, line in enumerate(lines):
        overfull = OVERFULL.search(line)
        if (overfull and Fraction(overfull[1]) > 2) or FAULTS.search(line):
            found.append(line)
            if line.startswith("!"):
                found += [x for x in lines[k + 1 : k + 4] if x.startswith("l.")]
    return found
