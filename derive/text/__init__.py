"""Texts of the plain grammar: one parser, our own trees, nothing evaluated."""

from derive.text.nearest import nearest
from derive.text.parser import number, parse, parse_assumption
from derive.text.show import show
from derive.text.tree import Tree, names

__all__ = ["Tree", "names", "nearest", "number", "parse", "parse_assumption", "show"]
