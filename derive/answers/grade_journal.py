"""What was judged, kept line by line: a run that was killed goes on where it stopped."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from derive.errors import OutputError

NAME = ".journal.jsonl"
END = "end"  # the mark of a run that was finished


class Journal:
    """Verdicts by the name of their task; each line has a checksum, half a line is none.

    A task's name stands for model, question, answer and version, so a verdict can't be taken for
    another one's, whatever became of key and submissions in the meantime.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self.known: dict[str, str] = {}  # name -> the verdict as JSON
        self._file: BinaryIO | None = None

    def open(self, resume: bool) -> bool:
        """Start; with `resume` what was judged is known.  Was an unfinished run put aside?"""
        aside = False
        try:
            size = self._read()
            if not resume:
                if self.known and END not in self.known:
                    self.path.replace(self.path.with_name(NAME + ".old"))
                    aside = True
                self.known, size = {}, 0
            self._file = self.path.open("ab")
            self._file.truncate(size)
        except OSError as error:
            raise OutputError(f"{self.path}: {error.strerror}") from error
        self.known.pop(END, None)
        return aside

    def _read(self) -> int:
        """Every line that is as it was written; where the last whole one ends."""
        size = 0
        with suppress(FileNotFoundError), self.path.open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    break
                size += len(line)
                found = _unsealed(line)
                if found is not None:
                    self.known[found[0]] = found[1]
        return size

    def add(self, found: Iterable[tuple[str, Any]]) -> None:
        """Verdicts that are new; they are on the disk when this returns.  Raises OutputError."""
        assert self._file is not None
        lines = []
        for name, verdict in found:
            self.known[name] = text = json.dumps(verdict, ensure_ascii=True)
            lines.append(_sealed(name, text))
        try:
            self._file.write(b"".join(lines))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError):
                self._file.close()
            raise OutputError(
                f"{self.path}: {error.strerror}; what was judged before is kept, "
                "and --resume goes on from there"
            ) from error

    def verdict(self, name: str) -> dict[str, Any]:
        """A verdict by its task."""
        found: dict[str, Any] = json.loads(self.known[name])
        return found

    def finish(self, names: Iterable[str]) -> None:
        """The journal in the order of the tasks, the same for any number of workers."""
        with atomic(self.path) as file:
            for name in names:
                file.write(_sealed(name, self.known[name]))
            file.write(_sealed(END, "{}"))
        self.close()

    def close(self) -> None:
        """Let the file go."""
        if self._file is not None:
            with suppress(OSError):
                self._file.close()


def _sealed(name: str, text: str) -> bytes:
    body = f"{name} {text}".encode("ascii")
    return b"%08x %s\n" % (zlib.crc32(body), body)


def _unsealed(line: bytes) -> tuple[str, str] | None:
    mark, _, body = line.rstrip(b"\n").partition(b" ")
    if mark != b"%08x" % zlib.crc32(body):
        return None
    name, _, text = body.decode("ascii", "replace").partition(" ")
    return name, text


@contextmanager
def atomic(path: Path) -> Iterator[BinaryIO]:
    """A file that takes its name when it is whole and on the disk.  Raises OutputError."""
    temporary = path.with_name(f".{path.name}.part")  # of a run that was killed: written over
    try:
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise OutputError(
            f"{path}: {error.strerror}; what was judged is kept, --resume writes it"
        ) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
