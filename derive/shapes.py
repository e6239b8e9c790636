"""Shape rules: "n d, d k -> n k" read once, run on real sizes, errors in words."""

from __future__ import annotations

from collections.abc import Sequence

from derive.errors import ModelError

Shape = tuple[int, ...]


def output_shape(rule: str, shapes: Sequence[Shape], names: Sequence[str]) -> Shape:
    """The shape that a rule gives for input shapes; a digit in a rule is a fixed size.

    Raises ModelError naming the letter, both sizes and the rule.

    >>> output_shape("n d, d k -> n k", [(4, 8), (8, 2)], ["X", "W_Q"])
    (4, 2)
    """
    left, right = rule.split("->")
    sizes: dict[str, tuple[int, str]] = {}
    for letters, shape, name in zip(left.split(","), shapes, names, strict=True):
        axes = letters.split()
        if len(axes) != len(shape):
            raise ModelError(f"{name} has {len(shape)} axes; the rule {rule} wants {len(axes)}")
        for axis, (letter, size) in enumerate(zip(axes, shape, strict=True)):
            wanted, where = sizes.setdefault(letter, (_fixed(letter) or size, name))
            if size != wanted:
                word = ("rows", "columns", "layers")[axis]
                raise ModelError(
                    f"{name} has {size} {word}, but {letter} is {wanted} in {where} (rule {rule})"
                )
    return tuple(_fixed(letter) or sizes[letter][0] for letter in right.split())


def _fixed(letter: str) -> int | None:
    return int(letter) if letter.isdigit() else None
