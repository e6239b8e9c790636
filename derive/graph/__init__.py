"""The forward pass as named matrices, computed lazily and once, and their cells."""

from derive.graph.cell import Cell
from derive.graph.graph import Graph
from derive.graph.matrix import Matrix
from derive.graph.table import table
from derive.graph.variant import Variant, ancestors
from derive.graph.worked import derivation

__all__ = ["Cell", "Graph", "Matrix", "Variant", "ancestors", "derivation", "table"]
