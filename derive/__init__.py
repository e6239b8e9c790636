"""The mathematics of transformers, exactly: every cell of a forward pass, worked line by line.

The letters, once and for all files:

    n    tokens (rows); n_q that read, n_k that are read, where the two differ
    d    width of the model: numbers that stand for one token
    V    size of the vocabulary
    h    attention heads;  g  key and value heads (g = h unless they are shared)
    k    width of queries and keys (d_k);  v  width of values (v = k unless given)
    f    width of the feed-forward network;  e  experts
    r    width of a compressed row of latent attention
    b    number of a block, from 0;  i  a row (token), j  a column

Rows are tokens, indices count from 0, and a matrix has one name everywhere: `b0.h1.A` is the
attention weights of head 1 in block 0, `A[2,0]` one cell of it.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers know the names; importing typing would cost every start
if TYPE_CHECKING:
    from derive.answers.check import check
    from derive.notebook import load, loads

__version__ = "0.1.0"
__all__ = ["__version__", "check", "load", "loads"]
_LAZY = {  # name -> where it lives
    "check": "derive.answers.check",
    "load": "derive.notebook",
    "loads": "derive.notebook",
}


def __getattr__(name: str) -> object:
    """`derive.load` and `derive.check` without making `import derive` pay for them."""
    if name in _LAZY:
        from importlib import import_module

        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'derive' has no attribute {name!r}")
