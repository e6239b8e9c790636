"""A second, small program that checks the evidence of a verdict; it trusts nothing in it.

    python -m derive.exact.checker FILE      (or - for standard input)

The format is described in evidence.py; of the package only checker_balls.py is used.

What is claimed and checked.  Letters are real numbers.  `different`: at one point of the
domain (where the assumptions hold) both sides have values and these differ.  `equal`: they
have the same value wherever the assumptions hold, both sides are defined, and no
denominator of the evidence is 0; each of these is checked not to be 0 at a sample point of
the domain; for numbers that is no restriction.

Axioms, besides the arithmetic of polynomials and of balls (python-flint):

roots      s^n = R; the principal root of R is the number s with s^n = R and smallest
           |arg s|, the positive one of two; that of x >= 0 is the s >= 0; root(w^n x) = w root(x) for w >= 0;
           root_mn = root_m of root_n
exp        exp(a + b) = exp(a) exp(b), exp(i pi) = -1, exp of a real number is positive;
           cos x = (w + 1/w)/2 and sin x = (w - 1/w)/2i with w = exp(i x), both in [-1, 1]
log, arg   exp(log x) = x, log real for x > 0; exp(2 i arg z) = z / conj z;
           log x = log(-x) + i pi for x < 0
atan, …    exp(2 i atan x) = (1 + i x)/(1 - i x), atan x = arg(1 + i x) for real x,
           asin x = -i log(sqrt(1 - x^2) + i x), acos x = pi/2 - asin x
erf        odd, in (-1, 1) for real arguments; other functions: equal arguments, equal values
reals      a sum or product of positive numbers is positive; a continuous function on a
           convex set with values in a discrete set is constant
theorems   Lindemann and Weierstrass; the separation bound of Burnikel et al.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import lcm
from operator import add, mul
from pathlib import Path
from typing import Any

from flint import Ordering, acb, arb, ctx, fmpq, fmpq_mat, fmpq_mpoly, fmpq_mpoly_ctx, fmpz
from flint.utils.flint_exceptions import DomainError

from derive.exact.checker_balls import ARGUMENTS, LEAVES, apply, arguments, disjoint, evaluate, vanishes
