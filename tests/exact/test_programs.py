"""Whole programs, written in two ways: every cell must be proved equal."""

from __future__ import annotations

import pytest

from derive.exact.dag import Dag
from derive.exact.decide import decide

from .programs import Program, Shape, rotated, total

NORMED = [(n, d, seed) for n in (1, 2, 3) for d in (2, 4) for seed in range(5)]


def check(shape: Shape, seed: int) -> None:
    dag = Dag()
    program = Program(dag, shape, seed)
    first, second = program.cells(False), program.cells(True)
    for k in (seed % shape.width, (seed + 1) % shape.width):
        assert decide(first[k], second[k]).equal
    wrong = decide(first[0], second[0] + dag.rational(1, 10**60))
    assert wrong.different


@pytest.mark.parametrize(("tokens", "width", "seed"), NORMED)
def test_a_block_and_a_norm(tokens: int, width: int, seed: int) -> None:
    check(Shape(tokens, width), seed)


@pytest.mark.parametrize("seed", range(3))
def test_a_block_with_relu_and_a_norm(seed: int) -> None:
    check(Shape(3, 4, hidden=6), seed)


@pytest.mark.parametrize("seed", range(3))
def test_two_blocks_with_relu(seed: int) -> None:
    check(Shape(2, 4, blocks=2, hidden=4), seed)


def test_attention_with_symbols() -> None:
    f = Dag()
    q = [f.symbol(f"q{j}") for j in range(4)]
    k = [[f.symbol(f"k{n}{j}") for j in range(4)] for n in range(4)]
    v = [f.symbol(f"v{n}") for n in range(4)]
    program = Program(f, Shape(4, 4), 0)

    def cell(second: bool, position: int = 3) -> object:
        scores = [program._score(q, k[n], position, n, second) for n in range(4)]
        return total(p * x for p, x in zip(program._softmax(scores, second), v, strict=True))

    assert decide(cell(False), cell(True)).equal
    assert decide(cell(False), cell(True, 2)).different


def test_rotations_depend_on_the_distance_alone() -> None:
    f = Dag()
    q, k = ([f.symbol(f"{name}{j}") for j in range(8)] for name in "qk")
    absolute = total(a * b for a, b in zip(rotated(f, q, 3), rotated(f, k, 5), strict=True))
    for distance, answer in ((2, "equal"), (-2, "different")):
        relative = total(a * b for a, b in zip(q, rotated(f, k, distance), strict=True))
        assert decide(f.exp(absolute), f.exp(relative)).verdict == answer
