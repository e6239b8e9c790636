"""`derive exercise`: a sheet with blanks, its solution and the key that marks it."""

from __future__ import annotations

import csv
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from derive.blocks import build
from derive.cli import completion, options
from derive.cli.output import FOLDER, Output, write_file
from derive.cli.solution import stem_of
from derive.errors import DeriveError, OutputError
from derive.model import bundled_names, load

if TYPE_CHECKING:
    from derive.documents.exercise import Exercise

MOST_STUDENTS = 10_000


@click.command()
@options.model
@click.argument("matrices", metavar="[MATRIX ...]", nargs=-1, shell_complete=completion.matrices)
@click.option(
    "--blank", default="", metavar="SPEC",
    help='What is asked: "A, Z" (or rows and cells: "A[2,:]"), a share such as 40%, or easy, '
    "medium, hard (15, 40, 100 % of the cells).  [default: all cells of MATRIX, else medium]",
)  # fmt: skip
@click.option(
    "--students", default="", metavar="N|FILE",
    help="A variant with weights of its own for each: a number, or a file with a name a line "
    "(or CSV with a column student).",
)  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Of what is drawn.")
@click.option("--dp", type=click.IntRange(0, 50), default=3, show_default=True, metavar="N",
              help="Decimal places of the answers.")  # fmt: skip
@click.option("--exact", is_flag=True, help="Ask for exact answers instead.")
@click.option("--title", default="", metavar="TEXT", help="Instead of the model's own title.")
@options.output("tex", "pdf", "json", folder=True)
def command(
    source: str,
    sets: tuple[str, ...],
    tokens: str | None,
    matrices: tuple[str, ...],
    blank: str,
    students: str,
    seed: int,
    dp: int,
    exact: bool,
    title: str,
    output: Output,
) -> None:
    """An exercise sheet of MODEL in a folder: sheet.tex, solution.tex and key.toml.

    key.toml is read by `derive grade`. With --students each student has a folder with a sheet
    and a solution of their own, and the key knows all variants. --to pdf writes PDFs beside
    the sources; --to json lists the files on stdout.

    \b
    Examples:
      derive exercise cats --blank "A, Z" -o week3
      derive exercise cats --blank "A, Z" --students 3 --seed 7 -o week3
    """
    from derive.documents.blanks import blanks
    from derive.documents.exercise import Exercise

    if source == "-":
        raise click.UsageError("MODEL is a name or a file here: the key must be able to name it")
    names = list(_students(students))
    model = load(source, sets=sets, tokens=tokens)
    graph = build(model)
    chosen = blanks(graph, matrices, blank, seed)
    free = exact or bool(model.symbols)
    base = Exercise(graph, chosen, title or model.title, dp=None if free else dp)
    folder = Path(output.path or f"{FOLDER}/{stem_of(source)}-exercise")
    files = _Folder(folder, pdf=output.format == "pdf")
    variants: list[tuple[str, tuple[str, ...]]] = []
    if names:
        from derive.documents.variants import variant

        places = _folders(names)
        for k, name in enumerate(names):
            made = variant(source, sets, tokens, chosen, name, seed, graph)
            files.documents(replace(base, graph=made.graph, student=name), places[k])
            variants.append((name, made.sets))
            output.progress("variants", k + 1, len(names))
    else:
        files.documents(base, "")
    files.key(base, source, sets, tokens, variants)
    if output.format == "json":
        files.report(base, len(names), output)
    else:
        output.say(f"wrote {len(files.written)} files to {folder}")


class _Folder:
    """Where the files of an exercise go."""

    def __init__(self, path: Path, pdf: bool) -> None:
        self.path, self.pdf = path, pdf
        self.written: list[str] = []
        if pdf and shutil.which("pdflatex") is None:
            from derive.errors import MissingDependency

            raise MissingDependency("pdflatex is not installed; without --to pdf its sources are "
                                    "written")  # fmt: skip

    def documents(self, x: Exercise, inside: str) -> None:
        """The sheet and the solution, as sources and where asked as PDFs."""
        from derive.documents import exercise_tex
        from derive.render.pdf import compiled

        for name, source in (
            ("sheet", exercise_tex.sheet(x)),
            ("solution", exercise_tex.solution(x)),
        ):
            place = f"{inside}/{name}" if inside else name
            self._write(f"{place}.tex", source.encode("utf-8", "backslashreplace"))
            if self.pdf:
                self._write(f"{place}.pdf", compiled(source))

    def key(
        self,
        x: Exercise,
        source: str,
        sets: Sequence[str],
        tokens: str | None,
        variants: Sequence[tuple[str, Sequence[str]]],
    ) -> None:
        """The marking key; a model file is named relative to it."""
        from derive.documents.exercise import key

        model = source
        if source not in bundled_names():
            model = Path(os.path.relpath(source, self.path)).as_posix()
        self._write("key.toml", key(model, x, sets, tokens, variants).encode())

    def report(self, x: Exercise, students: int, output: Output) -> None:
        """The JSON object derive.exercise/1 on stdout."""
        from derive.render.escape import dumps

        data = {
            "schema": "derive.exercise/1",
            "folder": str(self.path),
            "files": self.written,
            "questions": len(x.blanks.asked),
            "points": len(x.blanks.asked),
            "students": students,
        }
        replace(output, path="-").write(dumps(data))

    def _write(self, name: str, data: bytes) -> None:
        path = self.path / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{path.parent}: {error.strerror}") from error
        write_file(path, data)
        self.written.append(name)


def _students(option: str) -> Iterator[str]:
    """Names of students: a number of them, or those of a file."""
    if not option:
        return
    if option.isascii() and option.isdecimal():
        count = int(option)
        if not 1 <= count <= MOST_STUDENTS:
            raise click.BadParameter(f"{option}: expected 1 to {MOST_STUDENTS} students")
        width = len(str(count))
        yield from (f"student-{k:0{width}}" for k in range(1, count + 1))
        return
    try:
        text = Path(option).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DeriveError(
            f"--students {option}: neither a number nor a readable file: {error}"
        ) from None
    seen: set[str] = set()
    for name in _names(text):
        if name in seen:
            raise DeriveError(f"--students {option}: {name!r} stands in it twice")
        seen.add(name)
        yield name
    if not seen:
        raise DeriveError(f"--students {option}: no names in it")


def _names(text: str) -> Iterator[str]:
    """One name a line, or the column `student` of a CSV file."""
    rows = [row for row in csv.reader(text.splitlines()) if any(x.strip() for x in row)]
    head = [x.strip().lower() for x in rows[0]] if rows else []
    column = head.index("student") if "student" in head else 0
    for row in rows[1:] if "student" in head else rows:
        if len(row) > column and row[column].strip():
            yield row[column].strip()


def _folders(names: Sequence[str]) -> list[str]:
    """A folder for each student: the name made harmless, numbered where two become the same."""
    found: dict[str, None] = {}
    for name in names:
        place = re.sub(r"[^\w.-]+", "-", name).strip(".-") or "student"
        unique, number = place, 2
        while unique.casefold() in {x.casefold() for x in found}:
            unique, number = f"{place}-{number}", number + 1
        found[unique] = None
    return list(found)
