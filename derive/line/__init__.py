"""What a reader sees: small frozen trees in written order, and the lines made of them.

SymPy can't hold a shown line: it reorders sums, merges products and collapses 0·7 even
unevaluated.  So a line is a tree of our own.  Renderers walk it; `value` turns it into a
value of any arithmetic, and so every line is proved equal to the definition of its cell.
"""

from derive.line.columns import in_words, transposed, turned
from derive.line.evaluate import (
    Cells,
    Place,
    at_cell,
    cell_of,
    constant,
    entries,
    value,
    with_entries,
)
from derive.line.tree import (
    Bound,
    Call,
    Case,
    Cases,
    Condition,
    Const,
    Decimal,
    Entry,
    Letter,
    Neg,
    Num,
    Over,
    Plus,
    Power,
    Root,
    Shown,
    Sum,
    Sym,
    Times,
    children,
    rebuild,
)
from derive.line.worked import Derivation, Kind, Line, Names, Step, Table
from derive.line.written import from_text

__all__ = [
    "Bound",
    "Call",
    "Case",
    "Cases",
    "Cells",
    "Condition",
    "Const",
    "Decimal",
    "Derivation",
    "Entry",
    "Kind",
    "Letter",
    "Line",
    "Names",
    "Neg",
    "Num",
    "Over",
    "Place",
    "Plus",
    "Power",
    "Root",
    "Shown",
    "Step",
    "Sum",
    "Sym",
    "Table",
    "Times",
    "at_cell",
    "cell_of",
    "children",
    "constant",
    "entries",
    "from_text",
    "in_words",
    "rebuild",
    "transposed",
    "turned",
    "value",
    "with_entries",
]
