"""LayerNorm: mean and variance, shift and scale, RMSNorm after centring, its Jacobian.

The norm is that of Ba, Kiros and Hinton, "Layer Normalization" (2016), equations 3 and 4.
"""

from __future__ import annotations

from derive.identities.identity import Identity, Step, Twin

MU = "mu = sum(k, 0, d-1, x[k])/d"
S0 = "sigma = sqrt(sum(l, 0, d-1, (x[l] - mu)^2)/d)"
S = "sigma = sqrt(sum(l, 0, d-1, (x[l] - mu)^2)/d + epsilon)"
Y = "y[i] = (x[i] - mu)/sigma"
G = "y[i] = g[i]*(x[i] - mu)/sigma + b[i]"
C = "C[i,j] = delta(i, j) - 1/d"
ROW = ("0 <= i < d",)
PAIR = ("0 <= i < d", "0 <= j < d")
EPSILON = "epsilon > 0"
TWO = "d >= 2"  # one entry alone has the variance 0
DIRECTION = "sum(j, 0, d-1, diff(y[i], x[j])*{})"

IDENTITIES = (
    Identity(
        "layernorm-mean-zero",
        "After LayerNorm the mean is 0, whatever epsilon is",
        "sum(i, 0, d-1, y[i])/d = 0",
        where=(Y, MU, S),
        given=(EPSILON,),
        steps=(
            Step(
                "(sum(i, 0, d-1, x[i])/d - mu)/sigma", "mean and deviation are the same for every i"
            ),
            Step("(mu - mu)/sigma", "this is the mean taken away from itself"),
            Step("0", "the two cancel"),
        ),
        twins=(
            Twin("sum(i, 0, d-1, y[i] + b[i])/d = 0", "the bias has a mean of its own"),
            Twin("sum(i, 0, d-1, g[i]*y[i])/d = 0", "the gain weights the terms"),
            Twin(
                "sum(i, 0, d-1, x[i]/sqrt(sum(k, 0, d-1, x[k]^2)/d + epsilon))/d = 0",
                "RMSNorm does not centre",
            ),
        ),
    ),
    Identity(
        "layernorm-variance-one",
        "After LayerNorm without epsilon the variance is 1",
        "sum(i, 0, d-1, y[i]^2)/d = 1",
        where=(Y, MU, S0),
        given=(TWO,),
        steps=(
            Step(
                "sum(i, 0, d-1, (x[i] - mu)^2)/d/sigma^2", "the deviation is the same for every i"
            ),
            Step("sigma^2/sigma^2", "the variance is the mean square distance from the mean"),
            Step("1", "the variance cancels"),
        ),
        twins=(
            Twin("sum(i, 0, d-1, y[i]^2)/(d-1) = 1", "the divisor is d", given=(TWO,)),
            Twin(
                "sum(i, 0, d-1, (x[i] - mu)^2)/d/(sigma^2 + epsilon) = 1",
                "with epsilon it is less than 1",
                given=(TWO, EPSILON),
            ),
        ),
        note="The mean is 0, so the variance is the mean of the squares; where x is not constant.",
    ),
    Identity(
        "layernorm-variance-with-epsilon",
        "With epsilon the variance after LayerNorm is v/(v + epsilon), which is less than 1",
        "sum(i, 0, d-1, y[i]^2)/d = v/(v + epsilon)",
        where=(Y, MU, S, "v = sum(m, 0, d-1, (x[m] - mu)^2)/d"),
        given=(EPSILON,),
        steps=(
            Step(
                "sum(i, 0, d-1, (x[i] - mu)^2)/d/sigma^2", "the deviation is the same for every i"
            ),
            Step("v/(v + epsilon)", "v is the variance before, and sigma^2 = v + epsilon"),
        ),
        twins=(
            Twin("sum(i, 0, d-1, y[i]^2)/d = 1", "that is so for epsilon = 0 only"),
            Twin("sum(i, 0, d-1, y[i]^2)/d = (v + epsilon)/v", "the wrong way round"),
        ),
    ),
    Identity(
        "layernorm-shift-invariance",
        "LayerNorm does not change when a constant is added to every entry, for any epsilon",
        "(z[i] - m)/sqrt(sum(l, 0, d-1, (z[l] - m)^2)/d + epsilon) = y[i]",
        where=("z[i] = x[i] + c", "m = sum(k, 0, d-1, z[k])/d", Y, MU, S),
        given=(*ROW, EPSILON),
        steps=(
            Step(
                "(x[i] + c - (mu + c))/sqrt(sum(l, 0, d-1, (x[l] + c - (mu + c))^2)/d + epsilon)",
                "the mean is shifted by c too",
            ),
            Step("y[i]", "c cancels in every difference"),
        ),
        twins=(
            Twin(
                "(z[i] - mu)/sqrt(sum(l, 0, d-1, (z[l] - mu)^2)/d + epsilon) = y[i]",
                "the mean before the shift is taken away",
            ),
            Twin(
                "(x[i] + c)/sqrt(sum(l, 0, d-1, (x[l] + c)^2)/d + epsilon)"
                " = x[i]/sqrt(sum(l, 0, d-1, x[l]^2)/d + epsilon)",
                "RMSNorm is not shift invariant",
            ),
        ),
    ),
    Identity(
        "layernorm-scale-invariance",
        "LayerNorm without epsilon does not change when its input is multiplied by a > 0",
        "(a*x[i] - a*mu)/sqrt(sum(l, 0, d-1, (a*x[l] - a*mu)^2)/d) = y[i]",
        where=(Y, MU, S0),
        given=(*ROW, TWO, "a > 0"),
        steps=(
            Step("a*(x[i] - mu)/sqrt(a^2*sum(l, 0, d-1, (x[l] - mu)^2)/d)", "a is a factor"),
            Step("a*(x[i] - mu)/(a*sigma)", "the root of a^2 is a, for a > 0"),
            Step("y[i]", "a cancels"),
        ),
        twins=(
            Twin(
                "(a*x[i] - a*mu)/sqrt(sum(l, 0, d-1, (a*x[l] - a*mu)^2)/d) = y[i]",
                "a negative factor changes the sign",
                given=(*ROW, TWO),
            ),
            Twin(
                "(a*x[i] - a*mu)/sqrt(sum(l, 0, d-1, (a*x[l] - a*mu)^2)/d + epsilon)"
                " = (x[i] - mu)/sqrt(sum(l, 0, d-1, (x[l] - mu)^2)/d + epsilon)",
                "with epsilon the scale matters",
                given=(*ROW, "a > 0", EPSILON),
            ),
        ),
        note="The mean of a x is a mu. Where x is not constant.",
    ),
    Identity(
        "layernorm-is-centred-rmsnorm",
        "LayerNorm is RMSNorm after centring, with the same epsilon",
        "(x[i] - mu)/sqrt(sum(l, 0, d-1, (x[l] - mu)^2)/d + epsilon)"
        " = z[i]/sqrt(sum(k, 0, d-1, z[k]^2)/d + epsilon)",
        where=("z[i] = sum(j, 0, d-1, C[i,j]*x[j])", C, MU),
        given=(*ROW, EPSILON),
        steps=(
            Step(
                "z[i]/sqrt(sum(k, 0, d-1, z[k]^2)/d + epsilon)",
                "z_i = x_i - mu: the centring matrix takes the mean away",
            ),
        ),
        twins=(
            Twin(
                "(x[i] - mu)/sqrt(sum(l, 0, d-1, (x[l] - mu)^2)/d + epsilon)"
                " = x[i]/sqrt(sum(k, 0, d-1, x[k]^2)/d + epsilon)",
                "without centring",
            ),
            Twin(
                "(x[i] - mu)/sqrt(sum(l, 0, d-1, (x[l] - mu)^2)/d + epsilon)"
                " = z[i]/sqrt(sum(k, 0, d-1, x[k]^2)/d + epsilon)",
                "the numerator alone is centred",
            ),
        ),
    ),
    Identity(
        "centring-is-a-projection",
        "Centring twice is centring once: C C = C",
        "sum(k, 0, d-1, C[i,k]*C[k,j]) = C[i,j]",
        where=(C,),
        given=PAIR,
        steps=(
            Step(
                "delta(i, j) - 1/d - 1/d + sum(k, 0, d-1, 1/d^2)",
                "the four products; a delta picks one term",
            ),
            Step("delta(i, j) - 1/d - 1/d + 1/d", "d equal terms 1/d^2"),
            Step("C[i,j]", "one 1/d cancels"),
        ),
        twins=(
            Twin("sum(k, 0, d-1, C[i,k]*C[k,j]) = delta(i, j)", "it is not its own inverse"),
            Twin(
                "sum(k, 0, d-1, (delta(i, k) - 1)*(delta(k, j) - 1)) = delta(i, j) - 1",
                "the sum is taken away, not the mean",
            ),
        ),
        note="C is symmetric too, so the projection is orthogonal: onto the vectors of mean 0.",
    ),
    Identity(
        "centring-subtracts-the-mean",
        "The centring matrix takes the mean away",
        "sum(j, 0, d-1, C[i,j]*x[j]) = x[i] - mu",
        where=(C, MU),
        given=ROW,
        steps=(
            Step("x[i] - sum(j, 0, d-1, x[j])/d", "delta picks x_i; 1/d is the same for every j"),
            Step("x[i] - mu", "this is the mean"),
        ),
        twins=(
            Twin("sum(j, 0, d-1, C[i,j]*x[j]) = x[i]", "the mean is not 0"),
            Twin("sum(j, 0, d-1, C[i,j]*x[j]) = x[i] - d*mu", "the sum is not the mean"),
        ),
    ),
    Identity(
        "layernorm-gain-and-bias-fold",
        "The gain of LayerNorm folds into the next weight, its bias into the next bias",
        "sum(c, 0, d-1, y[c]*W[c,j]) + a[j] = sum(c, 0, d-1, (x[c] - mu)/sigma*V[c,j]) + u[j]",
        where=(G, "V[c,j] = g[c]*W[c,j]", "u[j] = a[j] + sum(c, 0, d-1, b[c]*W[c,j])", MU, S),
        given=(EPSILON,),
        steps=(
            Step(
                "sum(c, 0, d-1, (x[c] - mu)/sigma*(g[c]*W[c,j]))"
                " + sum(c, 0, d-1, b[c]*W[c,j]) + a[j]",
                "the product with W is linear",
            ),
            Step(
                "sum(c, 0, d-1, (x[c] - mu)/sigma*V[c,j]) + u[j]",
                "V = diag(g) W, and what does not depend on x is the new bias",
            ),
        ),
        twins=(
            Twin(
                "sum(c, 0, d-1, y[c]*W[c,j]) + a[j]"
                " = sum(c, 0, d-1, (x[c] - mu)/sigma*V[c,j]) + a[j]",
                "the bias of the norm is lost",
            ),
            Twin(
                "sum(c, 0, d-1, y[c]*W[c,j]) + a[j]"
                " = sum(c, 0, d-1, (x[c] - mu)/sigma*V[c,j]) + a[j] + b[j]",
                "the bias of the norm goes through W",
            ),
        ),
    ),
    Identity(
        "layernorm-jacobian",
        "The Jacobian of LayerNorm with gain, bias and any epsilon",
        "diff(y[i], x[j]) = g[i]/sigma*(delta(i, j) - 1/d - (x[i] - mu)*(x[j] - mu)/(d*sigma^2))",
        where=(G, MU, S),
        given=(*PAIR, EPSILON),
        steps=(
            Step(
                "g[i]/sigma*(delta(i, j) - diff(mu, x[j]))"
                " - g[i]*(x[i] - mu)/sigma^2*diff(sigma, x[j])",
                "the quotient rule; the bias is constant",
            ),
            Step(
                "g[i]/sigma*(delta(i, j) - 1/d) - g[i]*(x[i] - mu)/sigma^2*diff(sigma, x[j])",
                "each entry has the weight 1/d in the mean",
            ),
            Step(
                "g[i]/sigma*(delta(i, j) - 1/d) - g[i]*(x[i] - mu)/sigma^2*((x[j] - mu)/(d*sigma))",
                "the distances from the mean add up to 0, so the mean's own part drops out",
            ),
            Step(
                "g[i]/sigma*(delta(i, j) - 1/d - (x[i] - mu)*(x[j] - mu)/(d*sigma^2))",
                "gain over deviation is a common factor",
            ),
        ),
        twins=(
            Twin(
                "diff(y[i], x[j]) = g[i]/sigma*(delta(i, j) - (x[i] - mu)*(x[j] - mu)/(d*sigma^2))",
                "the mean depends on x too",
            ),
            Twin(
                "diff(y[i], x[j]) = g[i]/sigma*(delta(i, j) - 1/d)",
                "the deviation depends on x too",
            ),
            Twin(
                "diff(y[i], x[j]) = g[i]/sigma*(delta(i, j) - 1/d - x[i]*x[j]/(d*sigma^2))",
                "the distances from the mean count",
            ),
        ),
    ),
    Identity(
        "layernorm-jacobian-annihilates-constants",
        "The Jacobian of LayerNorm sends constant vectors to zero, for any epsilon",
        DIRECTION.format("c") + " = 0",
        where=(G, MU, S),
        given=(*ROW, EPSILON),
        steps=(
            Step(
                "c*g[i]/sigma*sum(j, 0, d-1,"
                " delta(i, j) - 1/d - (x[i] - mu)*(x[j] - mu)/(d*sigma^2))",
                "the Jacobian of LayerNorm",
            ),
            Step(
                "c*g[i]/sigma*(1 - 1 - (x[i] - mu)/(d*sigma^2)*sum(j, 0, d-1, x[j] - mu))",
                "delta adds up to 1, and so does 1/d",
            ),
            Step("0", "the distances from the mean add up to 0"),
        ),
        twins=(
            Twin(DIRECTION.format("j") + " = 0", "a ramp is not constant"),
            Twin(DIRECTION.format("delta(j, 0)") + " = 0", "one entry alone does matter"),
        ),
        note="It is the derivative of shift invariance.",
    ),
    Identity(
        "layernorm-jacobian-annihilates-x",
        "Without epsilon the Jacobian of LayerNorm sends x to zero: J x = 0",
        DIRECTION.format("x[j]") + " = 0",
        where=(G, MU, S0),
        given=(*ROW, TWO),
        steps=(
            Step(
                DIRECTION.format("(x[j] - mu)"),
                "constant vectors are sent to zero, so the mean may be taken away",
            ),
            Step(
                "g[i]/sigma*(x[i] - mu - sum(j, 0, d-1, x[j] - mu)/d"
                " - (x[i] - mu)/sigma^2*(sum(j, 0, d-1, (x[j] - mu)^2)/d))",
                "the Jacobian of LayerNorm",
            ),
            Step(
                "g[i]/sigma*(x[i] - mu - (x[i] - mu))",
                "the distances add up to 0, their squares to d sigma^2",
            ),
            Step("0", "the two terms cancel"),
        ),
        twins=(
            Twin(DIRECTION.format("x[j]^2") + " = 0", "another direction"),
            Twin(
                "sum(j, 0, d-1, diff(g[i]*(x[i] - mu)"
                "/sqrt(sum(l, 0, d-1, (x[l] - mu)^2)/d + epsilon), x[j])*x[j]) = 0",
                "with epsilon a longer input still changes the output",
                given=(*ROW, EPSILON),
            ),
        ),
    ),
)
