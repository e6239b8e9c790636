"""Parts of a count by a text in their names, or by the name of a group."""

from __future__ import annotations

from collections.abc import Iterable

from derive.errors import DeriveError

GROUPS = {  # names for several parts at once
    "attention": ("scores", "weighted values", "φ(", "normaliser"),
    "projections": ("query pro", "key pro", "value pro", "output pro", "latent down"),
    "ffn": ("FFN", "routed experts", "shared experts"),
    "embedding": ("token embedding", "position embedding", "token types"),
    "activations": ("activations:",),
}


def matching(names: Iterable[str], wanted: str) -> list[str]:
    """The names that have one of the texts; raises DeriveError with the names there are.

    >>> matching(["FFN up", "FFN down", "norms"], "ffn")
    ['FFN up', 'FFN down']
    """
    known = list(names)
    texts = [x for word in wanted.split(",") for x in GROUPS.get(word.strip(), (word.strip(),))]
    found = [n for n in known if any(x.casefold() in n.casefold() for x in texts)]
    if not found:
        there = ", ".join(known)
        raise DeriveError(f"no part {wanted[:40]!r}; there are {there}; or {', '.join(GROUPS)}")
    return found
