"""Column writing: the same mathematics where tokens are columns, W x instead of x W.

Every whole is transposed: what the model file calls W_Q (d×k) is printed as its transpose (k×d)
and keeps its name, for a text that writes W_Q x calls that matrix W_Q.  So no operation is
written twice; three rewritings turn what it says:

    products   a product of matrices turns round, (A B)^T = B^T A^T: X W_Q becomes W_Q X, Q K^T
               becomes K^T Q (what was the left factor is now the right one)
    indices    X[i,k] becomes X[k,j]: the letter i still counts the rows that are printed, j the
               columns, so the token of a cell is now j
    words      a row is a column, a column a row

The first changes no value and no entry; the second nothing but indices, so a line in column
writing has the value of the line it comes from in the transposed matrices.
"""

from __future__ import annotations

import re

from derive.line.tree import (
    Bound,
    Case,
    Cases,
    Condition,
    Entry,
    Letter,
    Shown,
    Sum,
    Times,
    rebuild,
)

TURNED = {"i": "j", "j": "i"}
LETTER = re.compile(r"(?<![A-Za-z0-9])((?:[^\W\d_]_)?)([ij])(?![A-Za-z0-9_])")
WORD = re.compile(r"(?<![{\w])(row|column)(?=s?\b)", re.IGNORECASE)
QUOTED = re.compile(r"(“[^”]*”)")


def turned(x: Shown) -> Shown:
    """A general formula with its products of matrices turned round; entries stay as they are.

    >>> k, i, j = Bound("k"), Letter("i", Bound("i")), Letter("j", Bound("j"))
    >>> product = Times((Entry("X", (i, k)), Entry("W_Q", (k, j))))
    >>> [entry.matrix for entry in turned(Sum(k, Letter("d", k), product)).body.factors]
    ['W_Q', 'X']
    """
    if isinstance(x, Sum):
        return Sum(x.index, x.count, _turned_body(turned(x.body)))
    return rebuild(x, turned)


def _turned_body(x: Shown) -> Shown:
    """The entries of every product that is summed, in the opposite order."""
    match x:
        case Sum() | Entry():
            return x
        case Times(factors=factors):
            entries = [part for part in factors if isinstance(part, Entry)]
            return Times(
                tuple(
                    entries.pop() if isinstance(part, Entry) else _turned_body(part)
                    for part in factors
                )
            )
    return rebuild(x, _turned_body)


def transposed(x: Shown) -> Shown:
    """A tree whose entries are those of the transposed matrices.

    >>> transposed(Entry("X", (Letter("i", Bound("k")), Bound("k"))))
    Entry(matrix='X', indices=(Bound(name='k'), Letter(name='j', value=Bound(name='k'))))
    """
    match x:
        case Entry(matrix=matrix, indices=indices):
            return Entry(matrix, tuple(map(transposed, reversed(indices))))
        case Letter(name=name, value=value):
            return Letter(_letters(name), transposed(value))
        case Bound(name=name):
            return Bound(_letters(name))
        case Sum(index=index, count=count, body=body):
            return Sum(Bound(_letters(index.name)), _count(count), transposed(body))
        case Cases(branches=branches):
            return Cases(tuple(_branch(branch) for branch in branches))
    return rebuild(x, transposed)


def _count(x: Letter) -> Letter:
    return Letter(_letters(x.name), transposed(x.value))


def _branch(x: Case) -> Case:
    left, right = (
        None if side is None else transposed(side) for side in (x.condition.left, x.condition.right)
    )
    return Case(transposed(x.value), Condition(left, x.condition.relation, right), x.holds)


def _letters(text: str) -> str:
    """Index letters changed for each other, in names such as t_i or i+1 too."""
    return LETTER.sub(lambda found: found[1] + TURNED[found[2]], text)


def in_words(text: str) -> str:
    """A sentence about rows and columns as it is said of the transposed matrices.

    What stands in “…” is the text of a token, and what stands in {…} is a place to fill.

    >>> in_words("Column 3 stands in no row; m_i = 1 for “row”, {row}.")
    'Row 3 stands in no column; m_j = 1 for “row”, {row}.'
    """
    return "".join(
        part if part.startswith("“") else _letters(WORD.sub(_other_word, part))
        for part in QUOTED.split(text)
    )


def _other_word(found: re.Match[str]) -> str:
    other = {"row": "column", "column": "row"}[found[1].lower()]
    return other.capitalize() if found[1][0].isupper() else other
