"""The kernel: equality, signs and digits of exact expressions, with evidence.

Nothing is loaded before it is used, so that a program which only reads text stays fast.

>>> from derive.exact import Dag, decide
>>> f = Dag()
>>> decide(f.exp(f.sqrt(f.rational(8))), f.exp(f.sqrt(f.rational(2))) ** 2).verdict
'equal'
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from derive.exact.assumptions import Assumption as Assumption
    from derive.exact.budget import Budget as Budget
    from derive.exact.dag import Dag as Dag
    from derive.exact.dag import Node as Node
    from derive.exact.dag import UndefinedValue as UndefinedValue
    from derive.exact.decide import decide as decide
    from derive.exact.decide import is_zero as is_zero
    from derive.exact.digits import digits as digits
    from derive.exact.digits import enclosure as enclosure
    from derive.exact.evidence import Evidence as Evidence
    from derive.exact.sign import argmax as argmax
    from derive.exact.sign import compare as compare
    from derive.exact.sign import sign as sign
    from derive.exact.verdict import Verdict as Verdict

HOME = {  # name -> module
    "Assumption": "assumptions",
    "Budget": "budget",
    "Dag": "dag",
    "Evidence": "evidence",
    "Node": "dag",
    "UndefinedValue": "dag",
    "Verdict": "verdict",
    "argmax": "sign",
    "compare": "sign",
    "decide": "decide",
    "digits": "digits",
    "enclosure": "digits",
    "is_zero": "decide",
    "sign": "sign",
}


class _Package(ModuleType):
    """The name `decide` stays the function when the module decide is loaded."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> object:
    if name not in HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOME[name]}"), name)
