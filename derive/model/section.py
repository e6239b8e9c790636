"""Read-only tables of validated values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


class Section(Mapping[str, Any]):
    """A table of a model: keys of the model file with checked values, defaults filled in.

    >>> section = Section({"mask": "causal"})
    >>> section["mask"], section.get("W_Q"), "W_Q" in section
    ('causal', None, False)
    """

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return f"Section({self._values!r})"
