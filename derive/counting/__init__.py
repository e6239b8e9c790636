"""Counting: parameters, FLOPs, bytes; formulas in letters, numbers put in, thresholds."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from derive.counting.answers import CountVerdict, check_count
    from derive.counting.counted import count
    from derive.counting.spec import make

__all__ = ["CountVerdict", "check_count", "count", "make"]
_HOME = {
    "CountVerdict": "answers",
    "check_count": "answers",
    "count": "counted",
    "make": "spec",
}


def __getattr__(name: str) -> object:
    """The public names, each with its own module only: counting must start fast."""
    from importlib import import_module

    if name in _HOME:
        return getattr(import_module(f"derive.counting.{_HOME[name]}"), name)
    raise AttributeError(f"module 'derive.counting' has no attribute {name!r}")
