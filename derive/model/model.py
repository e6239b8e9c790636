"""A model: exact numbers, tokens and options, checked.  No mathematics."""

from __future__ import annotations

from dataclasses import dataclass

from derive.model.section import Section


@dataclass(frozen=True)
class Model:
    """What a model file says, with defaults filled in.

    Numbers are trees of `derive.text`; matrices are tuples of rows; the weights of heads
    (W_Q, b_Q …) are tuples of matrices, one for each head; a bias is a matrix of one row.
    A key that is not given and has no default is absent from its Section.
    """

    name: str
    title: str  # the name, where the file has no title
    source: str
    note: str
    tokens: tuple[str, ...] | None  # texts of the n reading rows
    ids: tuple[int, ...] | None  # their rows in E
    vocabulary: tuple[str, ...] | None
    targets: tuple[int, ...] | None  # vocabulary numbers of the next tokens
    symbols: Section  # name -> real | positive | nonnegative | nonzero | integer
    embedding: Section
    position: Section
    blocks: tuple[Section, ...]  # residual, norms, attention, ffn, sizes
    output: Section | None
    memory: Section | None  # the second sequence: tokens, ids, X or E, norm, blocks of its encoder
    given: Section  # full name -> matrix
    notation: Section
    sizes: Section  # n, d, V, where they are known
