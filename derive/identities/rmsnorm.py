"""RMSNorm: its mean square, its scale, what epsilon changes, its gain, its Jacobian.

The norm is that of Zhang and Sennrich, "Root Mean Square Layer Normalization" (2019), equation 4.
"""

from __future__ import annotations

from derive.identities.identity import Identity, Step, Twin

R0 = "r = sqrt(sum(k, 0, d-1, x[k]^2)/d)"
R = "r = sqrt(sum(k, 0, d-1, x[k]^2)/d + epsilon)"
Y = "y[i] = x[i]/r"
G = "y[i] = g[i]*x[i]/r"
ROW = ("0 <= i < d",)
PAIR = ("0 <= i < d", "0 <= j < d")
EPSILON = "epsilon > 0"

IDENTITIES = (
    Identity(
        "rmsnorm-unit-rms",
        "After RMSNorm without epsilon the root mean square is 1",
        "sqrt(sum(i, 0, d-1, y[i]^2)/d) = 1",
        where=(Y, R0),
        steps=(
            Step("sqrt(sum(i, 0, d-1, x[i]^2)/d/r^2)", "1/r^2 is the same for every i"),
            Step("sqrt(r^2/r^2)", "r^2 is the mean of the squares"),
            Step("1", "r^2 cancels"),
        ),
        twins=(
            Twin("sqrt(sum(i, 0, d-1, y[i]^2)) = 1", "the length is sqrt(d), not 1"),
            Twin("sum(i, 0, d-1, y[i])/d = 0", "the mean is not taken away"),
        ),
        note="It is defined where x is not the zero vector.",
    ),
    Identity(
        "rmsnorm-mean-square-with-epsilon",
        "With epsilon the mean square after RMSNorm is m/(m + epsilon), which is less than 1",
        "sum(i, 0, d-1, y[i]^2)/d = m/(m + epsilon)",
        where=(Y, R, "m = sum(k, 0, d-1, x[k]^2)/d"),
        given=(EPSILON,),
        steps=(
            Step("sum(i, 0, d-1, x[i]^2)/d/r^2", "1/r^2 is the same for every i"),
            Step("m/(m + epsilon)", "m is the mean of the squares, and r^2 = m + epsilon"),
        ),
        twins=(
            Twin("sum(i, 0, d-1, y[i]^2)/d = 1", "that is so for epsilon = 0 only"),
            Twin("sum(i, 0, d-1, y[i]^2)/d = m/(m + epsilon^2)", "epsilon is added to the square"),
        ),
    ),
    Identity(
        "rmsnorm-scale-invariance",
        "RMSNorm without epsilon does not change when its input is multiplied by a > 0",
        "a*x[i]/sqrt(sum(k, 0, d-1, (a*x[k])^2)/d) = x[i]/r",
        where=(R0,),
        given=(*ROW, "a > 0"),
        steps=(
            Step("a*x[i]/sqrt(a^2*sum(k, 0, d-1, x[k]^2)/d)", "a^2 is a factor of every term"),
            Step("a*x[i]/(a*r)", "the root of a^2 is a, for a > 0"),
            Step("x[i]/r", "a cancels"),
        ),
        twins=(
            Twin(
                "a*x[i]/sqrt(sum(k, 0, d-1, (a*x[k])^2)/d) = x[i]/r",
                "a negative factor changes the sign",
                given=ROW,
            ),
            Twin(
                "(x[i] + a)/sqrt(sum(k, 0, d-1, (x[k] + a)^2)/d) = x[i]/r",
                "a shift is no factor: RMSNorm does not centre",
            ),
            Twin(
                "a*x[i]/sqrt(sum(k, 0, d-1, (a*x[k])^2)/d + epsilon)"
                " = x[i]/sqrt(sum(k, 0, d-1, x[k]^2)/d + epsilon)",
                "with epsilon the scale matters",
                given=(*ROW, "a > 0", EPSILON),
            ),
        ),
    ),
    Identity(
        "rmsnorm-scale-with-epsilon",
        "With epsilon, a factor a > 0 acts like the smaller epsilon/a^2",
        "a*x[i]/sqrt(sum(k, 0, d-1, (a*x[k])^2)/d + epsilon)"
        " = x[i]/sqrt(sum(k, 0, d-1, x[k]^2)/d + epsilon/a^2)",
        given=(*ROW, "a > 0", EPSILON),
        steps=(
            Step(
                "a*x[i]/sqrt(a^2*(sum(k, 0, d-1, x[k]^2)/d + epsilon/a^2))",
                "a^2 is taken out of both terms",
            ),
            Step(
                "x[i]/sqrt(sum(k, 0, d-1, x[k]^2)/d + epsilon/a^2)",
                "the root of a^2 is a, which cancels",
            ),
        ),
        twins=(
            Twin(
                "a*x[i]/sqrt(sum(k, 0, d-1, (a*x[k])^2)/d + epsilon)"
                " = x[i]/sqrt(sum(k, 0, d-1, x[k]^2)/d + epsilon/a)",
                "epsilon is under the root: it is divided by a^2",
            ),
            Twin(
                "a*x[i]/sqrt(sum(k, 0, d-1, (a*x[k])^2)/d + epsilon)"
                " = x[i]/sqrt(sum(k, 0, d-1, x[k]^2)/d + epsilon*a^2)",
                "the wrong way round: a large input makes epsilon matter less",
            ),
        ),
    ),
    Identity(
        "rmsnorm-odd",
        "RMSNorm of -x is minus RMSNorm of x, whatever epsilon is",
        "-x[i]/sqrt(sum(k, 0, d-1, (-x[k])^2)/d + epsilon) = -x[i]/r",
        where=(R,),
        given=(*ROW, EPSILON),
        steps=(Step("-x[i]/r", "the squares do not see the sign"),),
        twins=(
            Twin(
                "-x[i]/sqrt(sum(k, 0, d-1, (-x[k])^2)/d + epsilon) = x[i]/r",
                "the numerator sees the sign",
            ),
            Twin(
                "-x[i]/sqrt(sum(k, 0, d-1, (-x[k])^2)/d + epsilon) = -x[i]/(r - epsilon)",
                "epsilon stays under the root",
            ),
        ),
    ),
    Identity(
        "rmsnorm-gain-folds",
        "The gain of a norm folds into the rows of the next weight",
        "sum(c, 0, d-1, y[c]*W[c,j]) = sum(c, 0, d-1, x[c]/r*V[c,j])",
        where=("y[i] = x[i]/r*g[i]", R, "V[c,j] = g[c]*W[c,j]"),
        given=(EPSILON,),
        steps=(
            Step("sum(c, 0, d-1, x[c]/r*(g[c]*W[c,j]))", "multiplication is associative"),
            Step("sum(c, 0, d-1, x[c]/r*V[c,j])", "this is V = diag(g) W"),
        ),
        twins=(
            Twin(
                "sum(c, 0, d-1, y[c]*W[c,j]) = sum(c, 0, d-1, x[c]/r*g[j]*W[c,j])",
                "the gain scales rows of W, not columns",
            ),
            Twin(
                "sum(c, 0, d-1, y[c]*W[c,j])"
                " = sum(c, 0, d-1, g[c]*x[c]*W[c,j])"
                "/sqrt(sum(k, 0, d-1, (g[k]*x[k])^2)/d + epsilon)",
                "a gain before the norm changes the root mean square",
            ),
        ),
    ),
    Identity(
        "rmsnorm-jacobian",
        "The Jacobian of RMSNorm with gain g and any epsilon",
        "diff(y[i], x[j]) = g[i]/r*(delta(i, j) - x[i]*x[j]/(d*r^2))",
        where=(G, R),
        given=(*PAIR, EPSILON),
        steps=(
            Step(
                "g[i]*delta(i, j)/r - g[i]*x[i]/r^2*diff(r, x[j])",
                "the quotient rule; x_i by x_j is delta",
            ),
            Step(
                "g[i]*delta(i, j)/r - g[i]*x[i]/r^2*(x[j]/(d*r))",
                "r^2 = mean + epsilon, so 2 r dr = 2 x_j/d dx_j",
            ),
            Step(
                "g[i]/r*(delta(i, j) - x[i]*x[j]/(d*r^2))",
                "gain over root mean square is a common factor",
            ),
        ),
        twins=(
            Twin("diff(y[i], x[j]) = g[i]/r*delta(i, j)", "r depends on x too"),
            Twin(
                "diff(y[i], x[j]) = g[i]/r*(delta(i, j) - x[i]*x[j]/r^2)",
                "the mean divides by d",
            ),
            Twin(
                "diff(y[i], x[j]) = g[j]/r*(delta(i, j) - x[i]*x[j]/(d*r^2))",
                "the gain belongs to the output",
            ),
        ),
    ),
    Identity(
        "rmsnorm-jacobian-annihilates-x",
        "Without epsilon the Jacobian of RMSNorm sends x to zero: J x = 0",
        "sum(j, 0, d-1, diff(y[i], x[j])*x[j]) = 0",
        where=(G, R0),
        given=ROW,
        steps=(
            Step(
                "sum(j, 0, d-1, g[i]/r*(delta(i, j) - x[i]*x[j]/(d*r^2))*x[j])",
                "the Jacobian of RMSNorm",
            ),
            Step(
                "g[i]/r*(x[i] - x[i]/r^2*(sum(j, 0, d-1, x[j]^2)/d))",
                "j = i is met once; x_i/r^2 does not depend on j",
            ),
            Step("g[i]/r*(x[i] - x[i])", "the mean of the squares is r^2"),
            Step("0", "the two terms cancel"),
        ),
        twins=(
            Twin("sum(j, 0, d-1, diff(y[i], x[j])) = 0", "the sum of a row is another direction"),
            Twin(
                "sum(j, 0, d-1, diff(g[i]*x[i]/sqrt(sum(k, 0, d-1, x[k]^2)/d + epsilon), x[j])"
                "*x[j]) = 0",
                "with epsilon a longer input still changes the output",
                given=(*ROW, EPSILON),
            ),
        ),
        note="It is the derivative of scale invariance: a longer x gives the same output.",
    ),
    Identity(
        "rmsnorm-jacobian-times-x-with-epsilon",
        "With epsilon J x is the output times epsilon/r^2",
        "sum(j, 0, d-1, diff(y[i], x[j])*x[j]) = y[i]*epsilon/r^2",
        where=(G, R),
        given=(*ROW, EPSILON),
        steps=(
            Step(
                "g[i]/r*(x[i] - x[i]/r^2*(sum(j, 0, d-1, x[j]^2)/d))",
                "the Jacobian of RMSNorm times x",
            ),
            Step("g[i]/r*(x[i] - x[i]/r^2*(r^2 - epsilon))", "the mean square is r^2 - epsilon"),
            Step("y[i]*epsilon/r^2", "x_i cancels but for x_i epsilon/r^2"),
        ),
        twins=(
            Twin("sum(j, 0, d-1, diff(y[i], x[j])*x[j]) = y[i]", "that would be a linear map"),
            Twin("sum(j, 0, d-1, diff(y[i], x[j])*x[j]) = y[i]*epsilon/r", "r^2, not r"),
        ),
    ),
)
