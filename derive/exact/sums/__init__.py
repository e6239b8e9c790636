"""Sums over ranges whose sizes are letters: a normal form, proofs for every size, refutations.

affine, keys   data: index expressions; generators, renaming, canonical labelling
facts          what is assumed, and the order of index expressions
field          quotients of polynomials in generators
functions      exp, log, roots of elements
normal_form    sums: split, peel, collapse, reindex, label
reading        trees of the plain grammar as elements; derivatives
zero           when an element is zero: cases, chains
instances      small sizes written out for the plain kernel: counterexamples, second net
prove          verdicts; induction
from_sympy     Sum, Indexed, KroneckerDelta and so on as trees
"""
