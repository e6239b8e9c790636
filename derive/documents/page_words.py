"""A short glossary for the page: what a reader meets in this model, in our own words."""

from __future__ import annotations

from collections.abc import Collection

GLOSSARY: tuple[tuple[str, str, frozenset[str]], ...] = (
    ("token", "one piece of the text: a word, a part of one, or a sign", frozenset("X")),
    (
        "stream",
        "one row of numbers a token; every part of a block reads it and adds to it",
        frozenset("XH"),
    ),
    ("query", "what a token looks for in others", frozenset("Q")),
    ("key", "what a token offers to those who look", frozenset("K")),
    ("value", "what a token hands over when it is looked at", frozenset("V")),
    ("score", "how well a query fits a key: their products added up", frozenset("S")),
    ("mask", "what hides scores, so that no token sees what comes later", frozenset({"mask"})),
    (
        "softmax",
        "makes shares of any row of scores: exponentials, each divided by their total",
        frozenset("A"),
    ),
    (
        "attention weight",
        "the share of its attention that one token gives to another; a row has total 1",
        frozenset("A"),
    ),
    ("head", "one set of queries, keys and values; several work side by side", frozenset("Z")),
    (
        "RoPE",
        "turns pairs of columns of queries and keys by an angle that grows with the place",
        frozenset({"Q_rot"}),
    ),
    (
        "norm",
        "brings a row to a common size before it is read",
        frozenset({"N1", "N2", "N_out"}),
    ),
    (
        "feed-forward pass",
        "works on each token alone: to more columns, through an activation, back",
        frozenset("F"),
    ),
    (
        "residual addition",
        "what a part computes is added to what it read, so nothing is lost",
        frozenset({"H"}),
    ),
    ("expert", "one of several feed-forward passes; a router chooses", frozenset({"router"})),
    ("logit", "a word's score as the next word", frozenset({"logits"})),
    (
        "temperature",
        "logits are divided by it: above 1 chances move together, below 1 apart",
        frozenset({"probs"}),
    ),
    (
        "loss",
        "how surprised the model is by the word that really follows",
        frozenset({"loss"}),
    ),
    (
        "FlashAttention",
        "softmax and weighted sum in tiles, corrected when a larger score comes",
        frozenset({"flash.m"}),
    ),
)


def glossary(bases: Collection[str]) -> list[tuple[str, str]]:
    """The terms for the matrices that a model has (base names)."""
    return [(term, words) for term, words, needs in GLOSSARY if needs & set(bases)]
