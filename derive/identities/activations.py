"""Activations: ReLU, SiLU and GELU, their symmetry and their scale."""

from __future__ import annotations

from derive.identities.identity import Identity, Step, Twin

TANH = "x/2*(1 + tanh(sqrt(2/pi)*(x + 0.044715 x^3)))"

IDENTITIES = (
    Identity(
        "relu-positive-homogeneity",
        "ReLU lets a factor a > 0 through",
        "relu(a*x) = a*relu(x)",
        given=("a > 0",),
        steps=(
            Step("(a*x + abs(a*x))/2", "ReLU(x) = (x + |x|)/2"),
            Step("a*(x + abs(x))/2", "|a x| = a |x| for a > 0"),
            Step("a*relu(x)", "the same, read backwards"),
        ),
        twins=(
            Twin("relu(a*x) = a*relu(x)", "a negative factor changes the side", given=()),
            Twin("relu(x + a) = relu(x) + a", "a shift is not let through"),
            Twin("silu(a*x) = a*silu(x)", "SiLU is curved"),
            Twin("gelu(a*x) = a*gelu(x)", "GELU is curved"),
        ),
    ),
    Identity(
        "relu-neuron-rescaling",
        "A ReLU neuron's input weights times a > 0 and output weights over a: the same FFN",
        "sum(j, 0, f-1, relu(sum(c, 0, d-1, x[c]*(W[c,j]*a[j])))*(V[j,o]/a[j]))"
        " = sum(j, 0, f-1, relu(h[j])*V[j,o])",
        where=("h[j] = sum(c, 0, d-1, x[c]*W[c,j])",),
        given=("a[j] > 0",),
        steps=(
            Step("sum(j, 0, f-1, relu(a[j]*h[j])*(V[j,o]/a[j]))", "a_j is a factor of every term"),
            Step("sum(j, 0, f-1, a[j]*relu(h[j])*(V[j,o]/a[j]))", "ReLU lets a_j > 0 through"),
            Step("sum(j, 0, f-1, relu(h[j])*V[j,o])", "a_j cancels"),
        ),
        twins=(
            Twin(
                "sum(j, 0, f-1, relu(sum(c, 0, d-1, x[c]*(W[c,j]*a[j])))*(V[j,o]*a[j]))"
                " = sum(j, 0, f-1, relu(h[j])*V[j,o])",
                "the output weights are to be divided",
            ),
            Twin(
                "sum(j, 0, f-1, silu(sum(c, 0, d-1, x[c]*(W[c,j]*a[j])))*(V[j,o]/a[j]))"
                " = sum(j, 0, f-1, silu(h[j])*V[j,o])",
                "SiLU is not homogeneous",
            ),
        ),
    ),
    Identity(
        "relu-odd-part",
        "ReLU(x) - ReLU(-x) = x",
        "relu(x) - relu(-x) = x",
        steps=(
            Step("(x + abs(x))/2 - (-x + abs(-x))/2", "ReLU(x) = (x + |x|)/2"),
            Step("(x + abs(x))/2 - (-x + abs(x))/2", "|-x| = |x|"),
            Step("x", "|x| cancels"),
        ),
        twins=(
            Twin("relu(x) + relu(-x) = x", "this is |x|"),
            Twin("relu(x) - relu(-x) = abs(x)", "the sign of x stays"),
        ),
    ),
    Identity(
        "silu-is-x-times-sigmoid",
        "SiLU(x) is x times the sigmoid of x",
        "silu(x) = x*sigmoid(x)",
        steps=(
            Step("x/(1 + exp(-x))", "the definition of SiLU"),
            Step("x*sigmoid(x)", "1/(1 + exp(-x)) is the sigmoid"),
        ),
        twins=(
            Twin("silu(x) = sigmoid(x)", "x is missing"),
            Twin("silu(x) = x*sigmoid(-x)", "the sigmoid is not even"),
            Twin("silu(x) = x*tanh(x)", "tanh is another function, odd and from -1 to 1"),
        ),
    ),
    Identity(
        "silu-odd-part",
        "SiLU(x) - SiLU(-x) = x",
        "silu(x) - silu(-x) = x",
        steps=(
            Step("x*sigmoid(x) + x*sigmoid(-x)", "SiLU(x) = x sigmoid(x)"),
            Step("x*(sigmoid(x) + sigmoid(-x))", "x is a common factor"),
            Step("x", "the two sigmoids add up to 1"),
        ),
        twins=(
            Twin("silu(x) + silu(-x) = x", "this is x tanh(x/2)"),
            Twin("silu(x) + silu(-x) = 0", "SiLU is not odd"),
        ),
    ),
    Identity(
        "silu-derivative",
        "The derivative of SiLU",
        "diff(silu(x), x) = sigmoid(x)*(1 + x*(1 - sigmoid(x)))",
        steps=(
            Step("sigmoid(x) + x*diff(sigmoid(x), x)", "the product rule"),
            Step("sigmoid(x) + x*(sigmoid(x)*(1 - sigmoid(x)))", "the derivative of the sigmoid"),
            Step("sigmoid(x)*(1 + x*(1 - sigmoid(x)))", "the sigmoid is a common factor"),
        ),
        twins=(
            Twin("diff(silu(x), x) = sigmoid(x)", "x stands before the sigmoid too"),
            Twin(
                "diff(silu(x), x) = x*sigmoid(x)*(1 - sigmoid(x))", "one half of the product rule"
            ),
        ),
    ),
    Identity(
        "gelu-odd-part",
        "GELU(x) - GELU(-x) = x",
        "gelu(x) - gelu(-x) = x",
        steps=(
            Step(
                "x/2*(1 + erf(x/sqrt(2))) + x/2*(1 + erf(-x/sqrt(2)))",
                "GELU(x) = x/2 (1 + erf(x/sqrt(2)))",
            ),
            Step("x/2*(1 + erf(x/sqrt(2))) + x/2*(1 - erf(x/sqrt(2)))", "erf is odd"),
            Step("x", "erf cancels"),
        ),
        twins=(
            Twin("gelu(x) + gelu(-x) = 0", "GELU is not odd"),
            Twin("gelu(x) + gelu(-x) = x", "this is x erf(x/sqrt(2))"),
        ),
    ),
    Identity(
        "gelu-derivative",
        "The derivative of GELU: the normal distribution's function plus x times its density",
        "diff(gelu(x), x) = (1 + erf(x/sqrt(2)))/2 + x*exp(-x^2/2)/sqrt(2*pi)",
        steps=(
            Step(
                "(1 + erf(x/sqrt(2)))/2 + x/2*diff(erf(x/sqrt(2)), x)",
                "the product rule for GELU(x) = x/2 (1 + erf(x/sqrt(2)))",
            ),
            Step(
                "(1 + erf(x/sqrt(2)))/2 + x/2*(2/sqrt(pi)*exp(-(x/sqrt(2))^2)/sqrt(2))",
                "the derivative of erf, and the chain rule",
            ),
            Step("(1 + erf(x/sqrt(2)))/2 + x*exp(-x^2/2)/sqrt(2*pi)", "the factors collected"),
        ),
        twins=(
            Twin("diff(gelu(x), x) = (1 + erf(x/sqrt(2)))/2", "x stands before erf too"),
            Twin(
                "diff(gelu(x), x) = (1 + erf(x/sqrt(2)))/2 + x*exp(-x^2)/sqrt(2*pi)",
                "the exponent is halved",
            ),
        ),
    ),
    Identity(
        "tanh-gelu-odd-part",
        "The tanh form of GELU at x minus that at -x is x too, whatever its constants a and b are",
        "t - u = x",
        where=("t = x/2*(1 + tanh(a*(x + b*x^3)))", "u = (-x)/2*(1 + tanh(a*(-x + b*(-x)^3)))"),
        steps=(
            Step(
                "x/2*(1 + tanh(a*(x + b*x^3))) + x/2*(1 - tanh(a*(x + b*x^3)))",
                "the argument is odd, and so is tanh",
            ),
            Step("x", "tanh cancels"),
        ),
        twins=(
            Twin("t + u = 0", "it is not odd"),
            Twin("t - u = 2 x", "half of x comes from each"),
            Twin(
                "t - (-x)/2*(1 + tanh(a*(-x + b*x^2))) = x",
                "an even power would break the symmetry",
            ),
        ),
        note="t and u are its values at x and -x; GELU has a = sqrt(2/pi) and b = 0.044715.",
    ),
    Identity(
        "tanh-gelu-is-not-gelu",
        "The tanh form of GELU is not GELU: it is close, not equal",
        f"gelu(x) != {TANH}",
        twins=(
            Twin("gelu(x) = x*sigmoid(1.702 x)", "the sigmoid form is close, not equal"),
            Twin(
                "gelu(x) = x/2*(1 + tanh(sqrt(2/pi)*x))",
                "without the cubic term it is farther away",
            ),
            Twin(f"{TANH} = x*sigmoid(1.702 x)", "the two approximations differ from each other"),
        ),
        note="Forms by Hendrycks and Gimpel, Gaussian Error Linear Units (2016).",
    ),
)
