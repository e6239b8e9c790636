"""The models that come with derive: package data, found the same way however it is installed."""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple

from derive.errors import ModelError
from derive.model.problems import quoted
from derive.text.nearest import nearest

ENDING = ".toml"


class Bundled(NamedTuple):
    """One line of `derive models`."""

    name: str
    title: str
    source: str  # "" where the file names none


def bundled_names() -> tuple[str, ...]:
    """The names of all bundled models, in alphabetical order.

    >>> bundled_names()[0]
    'activations'
    """
    folder = files("derive") / "models"
    names = (entry.name for entry in folder.iterdir())
    return tuple(sorted(n.removesuffix(ENDING) for n in names if n.endswith(ENDING)))


def bundled_text(name: str) -> str:
    """The file of a bundled model; raises ModelError with the nearest name for a mistyped one.

    >>> print(bundled_text("cats").splitlines()[0])
    # One transformer block with one attention head, small enough to work out by hand.
    """
    if name not in bundled_names():
        raise no_model(name)
    return (files("derive") / "models" / f"{name}{ENDING}").read_text(encoding="utf-8")


def no_model(name: str) -> ModelError:
    """The error for a name that is neither a bundled model nor a file."""
    names = bundled_names()
    near = nearest(name, names)
    hint = f"; nearest: {near}" if near else ""
    return ModelError(
        f"no model {quoted(name)}: expected a bundled model ({', '.join(names)}), "
        f"a file, or - for standard input{hint}"
    )
