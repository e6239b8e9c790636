"""Finding model files, and following `extends` from a file to the one it stands on."""

from __future__ import annotations

import sys
from pathlib import Path

from derive.errors import ModelError
from derive.model import limits
from derive.model.bundled import ENDING, bundled_names, bundled_text, no_model
from derive.model.document import Document, decode, read_document
from derive.model.layers import Item, merge, to_item
from derive.model.problems import fail, printable, quoted, shown


def find_document(source: str, folder: Path | None = None) -> Document:
    """The file that a source names: a bundled model, a path (from `folder`), or "-" for stdin.

    A bundled name wins over a file of the same name; `./cats` is the file.

    Raises ModelError where there is no such model, or its text can't be read.
    """
    if source == "-":
        return read_document(decode(_standard_input(), "-"), "-", Path())
    if source in bundled_names():
        return read_document(bundled_text(source), f"{source}{ENDING}")
    path = (folder or Path()) / source
    try:
        with path.open("rb") as file:
            data = file.read(limits.FILE_BYTES + 1)
    except FileNotFoundError:
        raise no_model(source) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a path"
        raise ModelError(f"can't read the file {quoted(source)}: {reason}") from None
    return read_document(decode(data, str(path)), str(path), path.parent)


def merged(document: Document) -> tuple[Item, tuple[Document, ...]]:
    """The document laid on all that it extends, and these documents, the lowest first.

    Raises ModelError, with the chain, where a file is missing or extends itself.
    """
    chain = [document]
    while "extends" in chain[-1].data:
        chain.append(_base(chain))
    documents = tuple(reversed(chain))
    top = Item({}, document)
    for layer in documents:
        top = merge(top, to_item(layer.data, layer))
    return top, documents


def _base(chain: list[Document]) -> Document:
    """The next document of a chain."""
    last = chain[-1]
    source, place = last.data["extends"], last.place(("extends",))
    if not isinstance(source, str):
        raise fail(place, f"extends = {shown(source)}", "a bundled model or a path in quotes")
    names = " extends ".join(printable(d.name) for d in chain)
    if source == "-":
        raise fail(place, 'extends = "-"', "a bundled model or a path")
    try:
        base = find_document(source, last.folder)
    except ModelError as error:
        raise ModelError(f"{place}: {names} extends {quoted(source)}: {error}") from None
    if any(_same(base, other) for other in chain):
        read = f"{names} extends {printable(base.name)}"
        raise fail(place, f"a circle ({read})", "a chain of files that ends")
    return base


def _same(one: Document, other: Document) -> bool:
    if one.folder is None or other.folder is None:
        return one.name == other.name and one.folder is other.folder
    try:
        return Path(one.name).samefile(other.name)
    except (OSError, ValueError):
        return False


def _standard_input() -> bytes:
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        return sys.stdin.read(limits.FILE_BYTES + 1).encode("utf-8", "surrogateescape")
    data: bytes = stream.read(limits.FILE_BYTES + 1)
    return data
