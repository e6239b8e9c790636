"""Token types: which of two sentences a token belongs to."""

from __future__ import annotations

from derive.operation import Operation, Sign
from derive.ops.embedding import Embedding


class TokenTypes(Embedding):
    """Row i is the row of E_type that belongs to the type of token i.

    Source: Devlin et al. 2019 (BERT), section 3 (segment embeddings).
    """

    name = "token type look-up"

    def remark(self, sign: Sign, *at: int) -> str:
        return f"t_i is the type of token i: here {self.index(self.ids[at[0]])}."

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls((0, 0, 1), table="table"), {"V": 2, "d": 4}
