"""Sinusoidal positions: a row of sines and cosines that depends on the position only."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from derive.line import Call, Letter, Num, Power, Shown, Times, constant
from derive.operation import Law, Operation, Slip, View, changed, worked_as
from derive.shapes import Shape


def _swapped(op: Any, f: Any, i: int, j: int, /) -> Any:
    """The other wave, for a slip."""
    wave, pair = op._wave(j)
    other = {"sin": f.cos, "cos": f.sin}[wave]
    return other((op.first + i) * constant(op._frequency(pair), f))


def _degrees(op: Any, f: Any, i: int, j: int, /) -> Any:
    """So many degrees, for a slip."""
    wave, pair = op._wave(j)
    return getattr(f, wave)((op.first + i) * constant(op._frequency(pair), f) * f.pi / 180)


def _own_frequency(op: Any, f: Any, i: int, j: int, /) -> Any:
    """The number of the column where that of its pair is needed, for a slip."""
    wave, _ = op._wave(j)
    exponent = Fraction(-2 * j, op.width)
    frequency = Power(op.base, Num(exponent.numerator, exponent.denominator)) if j else Num(1)
    return getattr(f, wave)((op.first + i) * constant(frequency, f))


class Sinusoids(Operation):
    """sin and cos of position · base^(-2p/d), interleaved or all sines first; radians.

    Source: Vaswani et al. 2017, section 3.5.
    """

    name = "sinusoidal positions"
    shape = " -> n d"

    slips = (
        Slip(
            "positions-from-one",
            "It looks as if the positions were counted from one instead of from zero.",
            lambda op: changed(op, first=op.first + 1),
        ),
        Slip(
            "positions-from-zero",
            "It looks as if the positions were counted from zero.",
            lambda op: changed(op, first=0) if op.first else None,
        ),
        Slip(
            "other-layout",
            "It looks as if sines and cosines were put in the order of another layout.",
            lambda op: changed(op, interleaved=not op.interleaved),
        ),
        Slip(
            "sine-for-cosine", "It looks as if sine and cosine were swapped.", worked_as(_swapped)
        ),
        Slip(
            "degrees",
            "It looks as if an angle in radians was taken for degrees.",
            worked_as(_degrees),
        ),
        Slip(
            "frequency-not-paired",
            "It looks as if a sine and its cosine did not get the frequency that they share.",
            worked_as(_own_frequency),
        ),
    )

    def __init__(
        self, rows: int, width: int, base: Shown, interleaved: bool = True, first: int = 0
    ) -> None:
        super().__init__()
        self.rows, self.width, self.base = rows, width, base
        self.interleaved, self.first = interleaved, first

    def output(self, shapes: object) -> Shape:
        return self.rows, self.width

    def _wave(self, j: int) -> tuple[str, int]:
        """Sine or cosine, and which pair, of column j."""
        if self.interleaved:
            return ("sin", "cos")[j % 2], j // 2
        half = (self.width + 1) // 2
        return ("sin", j) if j < half else ("cos", j - half)

    def _frequency(self, pair: int) -> Shown:
        if pair == 0:
            return Num(1)
        exponent = Fraction(-2 * pair, self.width)
        return Power(self.base, Num(exponent.numerator, exponent.denominator))

    def define(self, f: Any, i: int, j: int, /) -> Any:
        wave, pair = self._wave(j)
        return getattr(f, wave)((self.first + i) * constant(self._frequency(pair), f))

    def formulas(self, i: int, j: int) -> list[Shown]:
        wave, pair = self._wave(j)
        angle = Letter("ω_p", self._frequency(pair))
        return [Call(wave, (Times((Letter("m_i", Num(self.first + i)), angle)),))]

    def remark(self, sign: object, *at: int) -> str:
        i, j = at
        place = f"column {self.index(j)} belongs to pair p = {self._wave(j)[1]}"
        return f"The position is m_i = {self.first + i}; {place}."

    @classmethod
    def example(cls) -> tuple[Operation, dict[str, int]]:
        return cls(3, 4, Num(100)), {}

    def law(self, f: Any, out: View, /) -> Law:
        """sin² + cos² = 1 in every pair."""
        for i in range(self.rows):
            for p in range(0, self.width, 2):
                yield out[i, p] ** 2 + out[i, p + 1] ** 2, f.rational(1)
