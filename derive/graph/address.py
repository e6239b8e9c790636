"""Names and addresses: "A", "b1.h0.A", "kv0.K", "Z[cats,0]" → a matrix, a cell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from derive.errors import AddressError
from derive.graph.matrix import Matrix
from derive.text.nearest import nearest

PREFIX = re.compile(r"(mem|b\d+|h\d+|kv\d+|e\d+|shared\d+)\.")
MEMORY = "n_k"  # the axis of a second sequence's rows
BLOCK, EXPERT = re.compile(r"b\d+"), re.compile(r"(e|shared)\d+")
NUMBER = re.compile(r"[0-9]+")


def split(name: str) -> tuple[tuple[str, ...], str]:
    """The prefixes of a name and what they stand before.

    >>> split("b0.h2.A.exp")
    (('b0', 'h2'), 'A.exp')
    """
    prefixes = []
    while found := PREFIX.match(name):
        prefixes.append(found[1])
        name = name[found.end() :]
    return tuple(prefixes), name


class Addresses:
    """The names of one graph: finding, shortening, labelling."""

    def __init__(
        self, matrices: Mapping[str, Matrix], texts: Mapping[str, Sequence[str] | None]
    ) -> None:
        self.matrices = matrices  # full name -> matrix, growing while a graph is built
        self.texts = texts  # axis letter -> labels
        self.kv_of: dict[tuple[str, str], str] = {}  # (block, head) -> the KV head it reads
        self._short: dict[str, str] = {}
        self._split: dict[str, tuple[tuple[str, ...], str]] = {}

    # matrices

    def matrix(self, name: str) -> Matrix:
        """The matrix that a name means.

        Raises AddressError with the candidates where it means several, and with the
        nearest name where it means none.
        """
        found = self._matching(name.strip())
        if len(found) == 1:
            return self.matrices[found[0]]
        if found:
            raise AddressError(f"{name} is not one matrix; say which: {', '.join(found)}")
        known = {self.short(x) for x in self.matrices} | set(self.matrices)
        near = nearest(name, known)
        hint = f"nearest: {near}" if near else "`derive matrices` lists those of a model"
        raise AddressError(f"no matrix {name}; {hint}")

    def _matching(self, name: str) -> list[str]:
        """Full names; those of KV heads by the heads that read them only where no other fits.

        The number of a block is one of the model where no "mem." stands before it, and a
        name without an expert's is what the experts make together, where there is that.
        """
        if name in self.matrices:
            return [name]
        prefixes, base = split(name)
        same = [(full, have) for full, (have, what) in self._parts() if what == base]
        if any(BLOCK.fullmatch(p) for p in prefixes) and "mem" not in prefixes:
            same = [(full, have) for full, have in same if have[:1] != ("mem",)]
        if not any(EXPERT.fullmatch(p) for p in prefixes):
            together = [x for x in same if not any(EXPERT.fullmatch(p) for p in x[1])]
            same = together or same
        direct = [full for full, have in same if all(p in have for p in prefixes)]
        return direct or [
            full
            for full, have in same
            if all(p in have or self._alias(p, have, base) for p in prefixes)
        ]

    def _parts(self) -> Iterator[tuple[str, tuple[tuple[str, ...], str]]]:
        for full in self.matrices:
            if full not in self._split:
                self._split[full] = split(full)
            yield full, self._split[full]

    def _alias(self, prefix: str, have: tuple[str, ...], base: str) -> bool:
        """b0.h2.K is another name of the KV head that head 2 of block 0 reads.

        The mask, which all heads of a block have together, goes by every head's name.
        """
        block = ".".join(p for p in have if p == "mem" or BLOCK.fullmatch(p))
        if base.partition(".")[0] == "mask":
            return (block, prefix) in self.kv_of
        read = self.kv_of.get((block, prefix))
        return read is not None and read in have

    def short(self, name: str) -> str:
        """The shortest name that means this matrix only; an encoder's keep their "mem."."""
        if name not in self._short:
            have, base = split(name)
            before = "mem." if have[:1] == ("mem",) else ""
            inside = have[bool(before) :]
            tries = [before + base, *(f"{before}{p}.{base}" for p in inside), name]
            self._short[name] = next(t for t in tries if self._matching(t) == [name])
        return self._short[name]

    # cells

    def parts(self, address: str) -> tuple[Matrix, tuple[int | None, ...]]:
        """Matrix and indices of an address; None stands for ':'."""
        name, bracket, rest = address.strip().partition("[")
        matrix = self.matrix(name)
        if not bracket or not rest.endswith("]"):
            example = ",".join("0" for _ in matrix.shape)
            raise AddressError(f"{address}: expected an address such as {name}[{example}]")
        texts = _split_indices(rest[:-1])
        if len(texts) != len(matrix.shape):
            raise AddressError(
                f"{address}: {name} has {len(matrix.shape)} indices, found {len(texts)}"
            )
        labels = self.labels(matrix)
        return matrix, tuple(
            self._index(address, text, size, label)
            for text, size, label in zip(texts, matrix.shape, labels, strict=True)
        )

    def _index(self, address: str, text: str, size: int, label: tuple[str, ...]) -> int | None:
        quoted = len(text) >= 2 and text[0] == text[-1] == '"'
        if text == ":":
            return None
        if not quoted and NUMBER.fullmatch(text) and text.isascii():
            if len(text) < 10 and int(text) < size:
                return int(text)
            raise AddressError(f"{address}: index {text[:20]} is out of range 0…{size - 1}")
        if not label:
            raise AddressError(f"{address}: index {text[:20]!r} is not a number 0…{size - 1}")
        word = text[1:-1] if quoted else text
        places = [k for k, x in enumerate(label) if x == word]
        if len(places) == 1:
            return places[0]
        if places:
            raise AddressError(f"{address}: {word!r} stands at {places}; use the number")
        near = nearest(word, label)
        hint = f"; nearest: {near}" if near else ""
        raise AddressError(f"{address}: no {word[:40]!r} among the labels{hint}")

    def labels(self, matrix: Matrix) -> list[tuple[str, ...]]:
        """For every axis its labels: token or vocabulary texts, () for plain numbers."""
        out = []
        for axis, size in zip(matrix.axes, matrix.shape, strict=True):
            label = tuple(self.texts.get(axis) or ())
            if axis == "m" and len(label) != size:  # rows that are read, and are not those asking
                label = tuple(self.texts.get(MEMORY) or ())
            if axis == "e":  # experts go by the names that their matrices have
                label = tuple(f"e{k}" for k in range(size))
            out.append(label if len(label) == size else ())
        return out


def _split_indices(text: str) -> list[str]:
    """Indices at commas, except inside double quotes.

    >>> _split_indices('"a,b", 0')
    ['"a,b"', '0']
    """
    parts, quoted, current = [], False, ""
    for c in text:
        if c == '"':
            quoted = not quoted
        if c == "," and not quoted:
            parts.append(current.strip())
            current = ""
        else:
            current += c
    return [*parts, current.strip()]
