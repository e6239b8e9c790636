"""Rotary positions: every pair of columns is a point of the plane, turned by its position.

Pair b of a vector of width d = 2m has two entries, x1[b] and x2[b]; its angle is w[b].
"""

from __future__ import annotations

from derive.identities.identity import Identity, Induction, Step, Twin

FIRST = "({0}1[b]*cos({1}*w[b]) - {0}2[b]*sin({1}*w[b]))"
SECOND = "({0}1[b]*sin({1}*w[b]) + {0}2[b]*cos({1}*w[b]))"


def rotated(vector: str, position: str, name: str) -> tuple[str, str]:
    """The two entries of pair b of R(position) vector, as abbreviations."""
    return (
        f"{name}1[b] = {FIRST.format(vector, position)[1:-1]}",
        f"{name}2[b] = {SECOND.format(vector, position)[1:-1]}",
    )


def dot(a: str, b: str) -> str:
    """The dot product of two vectors, pair by pair."""
    return f"sum(b, 0, m-1, {a}1[b]*{b}1[b] + {a}2[b]*{b}2[b])"


OFFSET = (
    "sum(b, 0, m-1, (x1[b]*y1[b] + x2[b]*y2[b])*cos({0}*w[b])"
    " + (x2[b]*y1[b] - x1[b]*y2[b])*sin({0}*w[b]))"
)
AT_P, AT_Q = rotated("x", "p", "f"), rotated("y", "q", "g")
TURN = (
    "T{0}[a,c] = delta(a, c)*cos({1}*w[b])"
    " + (delta(a, 1)*delta(c, 0) - delta(a, 0)*delta(c, 1))*sin({1}*w[b])"
)
BLOCK = (
    "R{0}[b,a,h,c] = delta(b, h)*(delta(a, c)*cos({1}*w[b])"
    " + (delta(a, 1)*delta(c, 0) - delta(a, 0)*delta(c, 1))*sin({1}*w[b]))"
)

IDENTITIES = (
    Identity(
        "rope-preserves-length",
        "A rotation keeps the length of a vector",
        f"{dot('f', 'f')} = sum(b, 0, m-1, x1[b]^2 + x2[b]^2)",
        where=AT_P,
        steps=(
            Step(
                "sum(b, 0, m-1, (x1[b]^2 + x2[b]^2)*(cos(p*w[b])^2 + sin(p*w[b])^2))",
                "multiply the squares out: the mixed terms cancel",
            ),
            Step("sum(b, 0, m-1, x1[b]^2 + x2[b]^2)", "cos^2 + sin^2 = 1"),
        ),
        twins=(
            Twin(
                "sum(b, 0, m-1, (x1[b]*cos(p*w[b]) + x2[b]*sin(p*w[b]))^2 + f2[b]^2)"
                " = sum(b, 0, m-1, x1[b]^2 + x2[b]^2)",
                "one minus sign is forgotten",
            ),
            Twin(
                "sum(b, 0, m-1, f1[b]^2) = sum(b, 0, m-1, x1[b]^2)",
                "the two columns of a pair are mixed: neither keeps its length",
            ),
        ),
    ),
    Identity(
        "rope-relative",
        "R(p)^T R(q) = R(q - p): two rotations leave the difference of the positions",
        "sum(k, 0, m-1, sum(t, 0, 1, RP[k,t,b,a]*RQ[k,t,h,c])) = RD[b,a,h,c]",
        where=(
            *(matrix.format("P", "p") for matrix in (BLOCK, TURN)),
            *(matrix.format("Q", "q") for matrix in (BLOCK, TURN)),
            BLOCK.format("D", "(q - p)"),
        ),
        given=("0 <= b < m", "0 <= h < m", "0 <= a < 2", "0 <= c < 2"),
        steps=(
            Step(
                "delta(b, h)*sum(t, 0, 1, TP[t,a]*TQ[t,c])",
                "both are block diagonal: only k = b = h is met",
            ),
            Step(
                "delta(b, h)*(delta(a, c)*(cos(p*w[b])*cos(q*w[b]) + sin(p*w[b])*sin(q*w[b]))"
                " + (delta(a, 1)*delta(c, 0) - delta(a, 0)*delta(c, 1))"
                "*(sin(q*w[b])*cos(p*w[b]) - cos(q*w[b])*sin(p*w[b])))",
                "the product of two blocks, row by column",
            ),
            Step("RD[b,a,h,c]", "the cosine and the sine of a difference"),
        ),
        twins=(
            Twin(
                "sum(k, 0, m-1, sum(t, 0, 1, RP[b,a,k,t]*RQ[k,t,h,c])) = RD[b,a,h,c]",
                "without the transpose the positions add up",
            ),
            Twin(
                "sum(k, 0, m-1, sum(t, 0, 1, RP[k,t,b,a]*RQ[k,t,h,c])) = RD[b,c,h,a]",
                "R(p - q) turns the other way",
            ),
        ),
        note="R(p) is the d x d matrix, d = 2m, with m blocks on its diagonal: rows and columns are"
        " named by a pair and by 0 or 1 inside it. The angles w[b] are any numbers.",
    ),
    Identity(
        "rope-score-depends-on-offset",
        "The score of a rotated query and a rotated key depends on the offset q - p only",
        f"{dot('f', 'g')} = {OFFSET.format('(q - p)')}",
        where=(*AT_P, *AT_Q),
        steps=(
            Step(
                "sum(b, 0, m-1, (x1[b]*y1[b] + x2[b]*y2[b])"
                "*(cos(p*w[b])*cos(q*w[b]) + sin(p*w[b])*sin(q*w[b]))"
                " + (x2[b]*y1[b] - x1[b]*y2[b])"
                "*(sin(q*w[b])*cos(p*w[b]) - cos(q*w[b])*sin(p*w[b])))",
                "multiply out and collect: (R(p) x)^T R(q) y = x^T R(p)^T R(q) y",
            ),
            Step(
                OFFSET.format("(q - p)"),
                "the cosine and the sine of a difference",
            ),
        ),
        twins=(
            Twin(f"{dot('f', 'g')} = {OFFSET.format('(p + q)')}", "the sum of the positions"),
            Twin(f"{dot('f', 'g')} = {OFFSET.format('(p - q)')}", "the offset has a sign"),
        ),
    ),
    Identity(
        "rope-common-shift",
        "Attention weights with rotary positions do not change when all positions are shifted",
        "exp({})/sum(l, 0, n-1, exp({})) = exp({})/sum(l, 0, n-1, exp({}))".format(
            "sum(b, 0, m-1, fs1[b]*gs1[j,b] + fs2[b]*gs2[j,b])",
            "sum(b, 0, m-1, fs1[b]*gs1[l,b] + fs2[b]*gs2[l,b])",
            "sum(b, 0, m-1, f1[b]*g1[j,b] + f2[b]*g2[j,b])",
            "sum(b, 0, m-1, f1[b]*g1[l,b] + f2[b]*g2[l,b])",
        ),
        where=(
            *rotated("x", "p", "f"),
            *rotated("x", "(p + s)", "fs"),
            "g1[j,b] = Y[j,b]*cos(j*w[b]) - Z[j,b]*sin(j*w[b])",
            "g2[j,b] = Y[j,b]*sin(j*w[b]) + Z[j,b]*cos(j*w[b])",
            "gs1[j,b] = Y[j,b]*cos((j + s)*w[b]) - Z[j,b]*sin((j + s)*w[b])",
            "gs2[j,b] = Y[j,b]*sin((j + s)*w[b]) + Z[j,b]*cos((j + s)*w[b])",
        ),
        given=("0 <= j < n",),
        steps=(
            Step(
                "exp({})/sum(l, 0, n-1, exp({}))".format(
                    "sum(b, 0, m-1, f1[b]*g1[j,b] + f2[b]*g2[j,b])",
                    "sum(b, 0, m-1, f1[b]*g1[l,b] + f2[b]*g2[l,b])",
                ),
                "every score depends on its offset only, and (p + s) - (j + s) = p - j",
            ),
        ),
        twins=(
            Twin(
                "sum(b, 0, m-1, f1[b]*gs1[j,b] + f2[b]*gs2[j,b])"
                " = sum(b, 0, m-1, f1[b]*g1[j,b] + f2[b]*g2[j,b])",
                "only the key is shifted",
            ),
            Twin(
                "sum(b, 0, m-1, fs1[b]*gs1[j,b] - fs2[b]*gs2[j,b])"
                " = sum(b, 0, m-1, f1[b]*g1[j,b] - f2[b]*g2[j,b])",
                "not the dot product",
            ),
        ),
    ),
    Identity(
        "rope-same-position",
        "At the same position the dot product is that of the vectors without rotation",
        f"{dot('f', 'g')} = {dot('x', 'y')}",
        where=(*AT_P, *rotated("y", "p", "g")),
        steps=(
            Step(
                "sum(b, 0, m-1, (x1[b]*y1[b] + x2[b]*y2[b])*(cos(p*w[b])^2 + sin(p*w[b])^2))",
                "multiply out: the mixed terms cancel",
            ),
            Step(dot("x", "y"), "cos^2 + sin^2 = 1"),
        ),
        twins=(
            Twin(f"{dot('f', 'y')} = {dot('x', 'y')}", "only one of the two is rotated"),
            Twin(
                "sum(b, 0, m-1, f1[b]*g1[b]) = sum(b, 0, m-1, x1[b]*y1[b])",
                "only the first column of each pair is counted",
            ),
        ),
    ),
    Identity(
        "rope-pairs-and-halves",
        "Rotating neighbours or halves gives the same scores, up to the order of the columns",
        f"{dot('fh', 'gh')} = {dot('f', 'g')}",
        where=(
            *(text.replace("x1[b]", "x[2*b]").replace("x2[b]", "x[2*b+1]") for text in AT_P),
            *(text.replace("y1[b]", "y[2*b]").replace("y2[b]", "y[2*b+1]") for text in AT_Q),
            "xh[k] = sum(t, 0, m-1, delta(k, t)*x[2*t] + delta(k, m+t)*x[2*t+1])",
            "yh[k] = sum(t, 0, m-1, delta(k, t)*y[2*t] + delta(k, m+t)*y[2*t+1])",
            "fh1[b] = xh[b]*cos(p*w[b]) - xh[m+b]*sin(p*w[b])",
            "fh2[b] = xh[b]*sin(p*w[b]) + xh[m+b]*cos(p*w[b])",
            "gh1[b] = yh[b]*cos(q*w[b]) - yh[m+b]*sin(q*w[b])",
            "gh2[b] = yh[b]*sin(q*w[b]) + yh[m+b]*cos(q*w[b])",
        ),
        steps=(
            Step(
                "sum(b, 0, m-1,"
                " (x[2*b]*cos(p*w[b]) - x[2*b+1]*sin(p*w[b]))*gh1[b]"
                " + (x[2*b]*sin(p*w[b]) + x[2*b+1]*cos(p*w[b]))*gh2[b])",
                "the even columns of x are the first half of xh, the odd ones the second half",
            ),
            Step(dot("f", "g"), "likewise y"),
        ),
        twins=(
            Twin("xh[1] = x[1]", "the columns do move", given=("m >= 2",)),
            Twin(
                "sum(b, 0, m-1, (x[b]*cos(p*w[b]) - x[m+b]*sin(p*w[b]))*g1[b]"
                " + (x[b]*sin(p*w[b]) + x[m+b]*cos(p*w[b]))*g2[b])"
                f" = {dot('f', 'g')}",
                "halves of a vector whose columns are not reordered: a checkpoint of one kind in"
                " code of the other",
            ),
        ),
        note="Pairs turn the columns 2b and 2b + 1 of x and y; halves turn the columns b and m"
        " + b of"
        " xh and yh, which are x and y with the even columns first.",
    ),
    Identity(
        "rope-pairs-are-all-columns",
        "The dot product over d = 2m columns is the sum over m pairs",
        "sum(c, 0, 2*m-1, x[c]*y[c]) = sum(b, 0, m-1, x[2*b]*y[2*b] + x[2*b+1]*y[2*b+1])",
        given=("m >= 0",),
        induction=Induction(
            "m",
            base=(Step("0", "no column"),),
            step=(
                Step(
                    "sum(c, 0, 2*m-1, x[c]*y[c]) + x[2*m]*y[2*m] + x[2*m+1]*y[2*m+1]",
                    "one pair more is two columns more",
                ),
                Step(
                    "sum(b, 0, m-1, x[2*b]*y[2*b] + x[2*b+1]*y[2*b+1])"
                    " + x[2*m]*y[2*m] + x[2*m+1]*y[2*m+1]",
                    "the hypothesis",
                ),
            ),
        ),
        twins=(
            Twin(
                "sum(c, 0, 2*m, x[c]*y[c]) = sum(b, 0, m-1, x[2*b]*y[2*b] + x[2*b+1]*y[2*b+1])",
                "one column is left over where the width is odd",
            ),
            Twin(
                "sum(c, 0, 2*m-1, x[c]*y[c]) = sum(b, 0, m-1, x[2*b]*y[2*b+1] + x[2*b+1]*y[2*b])",
                "the columns of a pair are crossed",
            ),
        ),
    ),
    Identity(
        "rope-complex-form",
        "A pair as a complex number: the rotation is multiplication by exp(i p w)",
        "(x*cos(p*w) - y*sin(p*w)) + i*(x*sin(p*w) + y*cos(p*w)) = (x + i*y)*exp(i*p*w)",
        steps=(
            Step("(x + i*y)*(cos(p*w) + i*sin(p*w))", "multiply out: i^2 = -1"),
            Step("(x + i*y)*exp(i*p*w)", "Euler's formula"),
        ),
        twins=(
            Twin(
                "(x*cos(p*w) + y*sin(p*w)) + i*(y*cos(p*w) - x*sin(p*w)) = (x + i*y)*exp(i*p*w)",
                "the opposite direction: exp(-i p w)",
            ),
            Twin(
                "(x*cos(p*w) - y*sin(p*w)) + i*(x*sin(p*w) + y*cos(p*w)) = (x + i*y)*exp(p*w)",
                "a real exponent stretches instead of turning",
            ),
        ),
    ),
    Identity(
        "rope-complex-score",
        "The score is a real part: conjugate query times key times exp(i (q - p) w)",
        f"{dot('f', 'g')} = sum(b, 0, m-1,"
        " ((x1[b] - i*x2[b])*(y1[b] + i*y2[b])*exp(i*(q - p)*w[b])"
        " + (x1[b] + i*x2[b])*(y1[b] - i*y2[b])*exp(-i*(q - p)*w[b]))/2)",
        where=(*AT_P, *AT_Q),
        steps=(
            Step(
                "sum(b, 0, m-1,"
                " ((x1[b] - i*x2[b])*exp(-i*p*w[b])*(y1[b] + i*y2[b])*exp(i*q*w[b])"
                " + (x1[b] + i*x2[b])*exp(i*p*w[b])*(y1[b] - i*y2[b])*exp(-i*q*w[b]))/2)",
                "a c + b d is the real part of (a - i b)(c + i d), and a rotation is a factor"
                " exp(i p w)",
            ),
            Step(
                "sum(b, 0, m-1,"
                " ((x1[b] - i*x2[b])*(y1[b] + i*y2[b])*exp(i*(q - p)*w[b])"
                " + (x1[b] + i*x2[b])*(y1[b] - i*y2[b])*exp(-i*(q - p)*w[b]))/2)",
                "the exponents are added",
            ),
        ),
        twins=(
            Twin(
                f"{dot('f', 'g')} = sum(b, 0, m-1,"
                " ((x1[b] + i*x2[b])*(y1[b] + i*y2[b])*exp(i*(q - p)*w[b])"
                " + (x1[b] - i*x2[b])*(y1[b] - i*y2[b])*exp(-i*(q - p)*w[b]))/2)",
                "the query is not conjugated",
            ),
            Twin(
                f"{dot('f', 'g')} = sum(b, 0, m-1,"
                " ((x1[b] - i*x2[b])*(y1[b] + i*y2[b])*exp(i*(q + p)*w[b])"
                " + (x1[b] + i*x2[b])*(y1[b] - i*y2[b])*exp(-i*(q + p)*w[b]))/2)",
                "the positions are added",
            ),
        ),
        note="The two terms are conjugate: half their sum is the real part.",
    ),
)
