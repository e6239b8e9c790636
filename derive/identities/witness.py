"""A witness of one's own put into a statement "find … such that …", and decided."""

from __future__ import annotations

from dataclasses import replace

from derive.errors import DeriveError
from derive.identities.identity import Identity
from derive.identities.proof import Proof, prove


class NotAWitness(DeriveError):
    """A text that defines none of the letters that are looked for."""


def with_witness(identity: Identity, *definitions: str) -> Proof:
    """The proof or refutation of a statement with other definitions of its letters.

    A definition is `q[c] = …` or `M = …`; it takes the place of the one in `where` with the same
    name.  Raises NotAWitness where there is none.

    >>> from derive.identities import named
    >>> (query,) = named(["query-for-two-keys"])
    >>> with_witness(query, "q[c] = beta*a[c]/A").verdict
    'proved'
    >>> with_witness(query, "q[c] = beta*b[c]").verdict
    'refuted'
    """
    where = list(identity.where)
    for text in definitions:
        name = _name(text)
        places = [n for n, old in enumerate(where) if _name(old) == name]
        if not places:
            known = ", ".join(map(_name, where)) or "none"
            raise NotAWitness(f"{text!r} defines {name!r}; what can be defined here: {known}")
        where[places[0]] = text
    return prove(replace(identity, where=tuple(where), steps=(), twins=()))


def _name(text: str) -> str:
    return text.partition("=")[0].partition("[")[0].strip()
