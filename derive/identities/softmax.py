"""Softmax: what it keeps, what it does not, its masks and its derivative."""

from __future__ import annotations

from derive.identities.identity import Identity, Step, Twin

P = "p[i] = exp(s[i])/sum(k, 0, n-1, exp(s[k]))"
ROW = ("0 <= i < n",)
PAIR = ("0 <= i < n", "0 <= j < n")

IDENTITIES = (
    Identity(
        "softmax-rows-sum-to-one",
        "The softmax weights of a row add up to 1",
        "sum(i, 0, n-1, p[i]) = 1",
        where=(P,),
        steps=(
            Step(
                "sum(i, 0, n-1, exp(s[i]))/sum(k, 0, n-1, exp(s[k]))",
                "the denominator is the same for every i",
            ),
            Step("1", "numerator and denominator are the same sum"),
        ),
        twins=(
            Twin("sum(i, 1, n-1, p[i]) = 1", "the first weight is left out"),
            Twin("sum(i, 0, n-1, p[i]) = n", "1 for the row, not for each weight"),
            Twin("sum(i, 0, n-1, p[i]) = 1", "an empty row adds up to 0", given=("n >= 0",)),
        ),
    ),
    Identity(
        "softmax-shift",
        "Softmax does not change when a constant is added to every score",
        "exp(s[i] + c)/sum(k, 0, n-1, exp(s[k] + c)) = p[i]",
        where=(P,),
        given=ROW,
        steps=(
            Step(
                "exp(c)*exp(s[i])/(exp(c)*sum(k, 0, n-1, exp(s[k])))",
                "exp(a + c) = exp(a) exp(c), and exp(c) is a factor of every term",
            ),
            Step("p[i]", "the common factor exp(c) cancels"),
        ),
        twins=(
            Twin("exp(s[i] + c)/sum(k, 0, n-1, exp(s[k])) = p[i]", "only the numerator is shifted"),
            Twin(
                "exp(s[i] + c*i)/sum(k, 0, n-1, exp(s[k] + c*k)) = p[i]",
                "the shift depends on the position",
            ),
        ),
    ),
    Identity(
        "softmax-scale-matters",
        "Softmax changes when the scores are multiplied by a factor",
        "exp(a*s[i])/sum(k, 0, n-1, exp(a*s[k])) != p[i]",
        where=(P,),
        given=ROW,
        twins=(
            Twin(
                "exp(2 s[i])/sum(k, 0, n-1, exp(2 s[k])) = p[i]",
                "twice the scores sharpen the weights",
            ),
            Twin("exp(-s[i])/sum(k, 0, n-1, exp(-s[k])) = p[i]", "the sign turns the order round"),
        ),
    ),
    Identity(
        "two-class-softmax",
        "Softmax over two classes is the sigmoid of the difference of their scores",
        "exp(s[0])/sum(k, 0, 1, exp(s[k])) = sigmoid(s[0] - s[1])",
        steps=(
            Step("exp(s[0])/(exp(s[0]) + exp(s[1]))", "the sum has two terms"),
            Step("1/(1 + exp(-(s[0] - s[1])))", "divide both by exp(s[0])"),
            Step("sigmoid(s[0] - s[1])", "this is the definition of the sigmoid"),
        ),
        twins=(
            Twin("exp(s[0])/sum(k, 0, 1, exp(s[k])) = sigmoid(s[1] - s[0])", "the wrong way round"),
            Twin(
                "exp(s[0])/sum(k, 0, 2, exp(s[k])) = sigmoid(s[0] - s[1])",
                "there are three classes",
            ),
        ),
    ),
    Identity(
        "masked-softmax",
        "Causal masking is softmax over the visible tokens, with exact zeros elsewhere",
        "leq(j, i)*exp(s[j])/sum(k, 0, n-1, leq(k, i)*exp(s[k]))"
        " = leq(j, i)*exp(s[j])/sum(k, 0, i, exp(s[k]))",
        given=PAIR,
        steps=(
            Step(
                "leq(j, i)*exp(s[j])/(sum(k, 0, i, leq(k, i)*exp(s[k]))"
                " + sum(k, i+1, n-1, leq(k, i)*exp(s[k])))",
                "split the range after token i",
            ),
            Step(
                "leq(j, i)*exp(s[j])/sum(k, 0, i, exp(s[k]))",
                "the mask is 1 in the first part, and 0 in the second",
            ),
        ),
        twins=(
            Twin(
                "leq(j, i)*exp(s[j])/sum(k, 0, n-1, leq(k, i)*exp(s[k]))"
                " = leq(j, i)*exp(s[j])/sum(k, 0, i-1, exp(s[k]))",
                "the mask is off by one: a token sees itself",
            ),
            Twin(
                "leq(j, i)*exp(s[j])/sum(k, 0, n-1, exp(s[k]))"
                " = leq(j, i)*exp(s[j])/sum(k, 0, i, exp(s[k]))",
                "the mask is applied after the normalisation",
            ),
        ),
        note="leq(j, i) is 1 where token i may read token j (j at most i), else 0: a score of "
        "minus infinity.",
    ),
    Identity(
        "masked-softmax-subset",
        "Any mask: softmax over the m allowed tokens, wherever they stand",
        "sum(k, 0, n-1, a[k]*v[k]*exp(s[k]))/sum(k, 0, n-1, a[k]*exp(s[k]))"
        " = sum(r, 0, m-1, v[c[r]]*exp(s[c[r]]))/sum(r, 0, m-1, exp(s[c[r]]))",
        where=("a[k] = sum(r, 0, m-1, delta(k, c[r]))",),
        given=("1 <= m <= n",),
        permutations=(("c", "n"),),
        twins=(
            Twin(
                "sum(k, 0, n-1, v[k]*exp(s[k]))/sum(k, 0, n-1, a[k]*exp(s[k]))"
                " = sum(r, 0, m-1, v[c[r]]*exp(s[c[r]]))/sum(r, 0, m-1, exp(s[c[r]]))",
                "the numerator is not masked",
            ),
            Twin(
                "sum(k, 0, n-1, a[k]*v[k]*exp(s[k]))/sum(k, 0, n-1, a[k]*exp(s[k]))"
                " = sum(r, 0, m-1, v[r]*exp(s[c[r]]))/sum(r, 0, m-1, exp(s[c[r]]))",
                "values are read at the wrong places",
            ),
        ),
        note="c[0], …, c[m-1] are the allowed tokens (the first m of any order c of all tokens); "
        "a[k] is 1 where token k is one of them, else 0.",
    ),
    Identity(
        "temperature-power",
        "Softmax at temperature T is the T-th root of the weights, normalised again",
        "exp(s[i]/T)/sum(k, 0, n-1, exp(s[k]/T)) = p[i]^(1/T)/sum(k, 0, n-1, p[k]^(1/T))",
        where=("p[i] = exp(s[i])/Z", "Z = sum(l, 0, n-1, exp(s[l]))"),
        given=("T > 0", *ROW),
        steps=(
            Step(
                "(exp(s[i]/T)*Z^(-1/T))/(sum(k, 0, n-1, exp(s[k]/T))*Z^(-1/T))",
                "multiply both by the same number",
            ),
            Step(
                "(exp(s[i])/Z)^(1/T)/sum(k, 0, n-1, (exp(s[k])/Z)^(1/T))",
                "it goes into every term, and exp(s/T) is the power 1/T of exp(s)",
            ),
            Step("p[i]^(1/T)/sum(k, 0, n-1, p[k]^(1/T))", "the definition of p"),
        ),
        twins=(
            Twin(
                "exp(s[i]/T)/sum(k, 0, n-1, exp(s[k]/T)) = p[i]^(1/T)",
                "powers of the weights do not add up to 1",
            ),
            Twin(
                "exp(s[i]/T)/sum(k, 0, n-1, exp(s[k]/T)) = p[i]^T/sum(k, 0, n-1, p[k]^T)",
                "the power is 1/T, not T",
            ),
        ),
    ),
    Identity(
        "softmax-other-base",
        "Softmax in base b is softmax of the scores times ln b",
        "b^s[i]/sum(k, 0, n-1, b^s[k]) = exp(s[i]*ln(b))/sum(k, 0, n-1, exp(s[k]*ln(b)))",
        given=("b > 0", *ROW),
        steps=(
            Step(
                "exp(s[i]*ln(b))/sum(k, 0, n-1, exp(s[k]*ln(b)))",
                "b^x = exp(x ln b) for b > 0, in every term",
            ),
        ),
        twins=(
            Twin(
                "b^s[i]/sum(k, 0, n-1, b^s[k]) = exp(s[i])/sum(k, 0, n-1, exp(s[k]))", "b is not e"
            ),
            Twin(
                "b^s[i]/sum(k, 0, n-1, b^s[k]) = exp(s[i]/ln(b))/sum(k, 0, n-1, exp(s[k]/ln(b)))",
                "divided by ln b",
            ),
        ),
    ),
    Identity(
        "softmax-jacobian",
        "The Jacobian of softmax is diag(p) - p p^T",
        "diff(p[i], s[j]) = p[i]*(delta(i, j) - p[j])",
        where=("p[i] = exp(s[i])/Z", "Z = sum(k, 0, n-1, exp(s[k]))"),
        given=PAIR,
        steps=(
            Step(
                "(diff(exp(s[i]), s[j])*Z - exp(s[i])*diff(Z, s[j]))/Z^2",
                "the quotient rule",
            ),
            Step(
                "(delta(i, j)*exp(s[i])*Z - exp(s[i])*exp(s[j]))/Z^2",
                "exp(s_i) depends on s_j only where i = j, and one term of Z does",
            ),
            Step("p[i]*(delta(i, j) - p[j])", "divide by Z twice"),
        ),
        twins=(
            Twin("diff(p[i], s[j]) = p[i]*(delta(i, j) + p[j])", "the wrong sign"),
            Twin("diff(p[i], s[j]) = p[i]*(1 - p[j])", "1 stands only on the diagonal"),
            Twin("diff(p[i], s[j]) = delta(i, j) - p[j]", "the factor p_i is dropped"),
        ),
    ),
    Identity(
        "softmax-jacobian-rows-sum-to-zero",
        "The rows of the Jacobian of softmax add up to 0",
        "sum(j, 0, n-1, diff(p[i], s[j])) = 0",
        where=(P,),
        given=ROW,
        steps=(
            Step("sum(j, 0, n-1, p[i]*(delta(i, j) - p[j]))", "the Jacobian is diag(p) - p p^T"),
            Step("p[i]*(1 - sum(j, 0, n-1, p[j]))", "p_i does not depend on j, and i is met once"),
            Step("0", "the weights add up to 1"),
        ),
        twins=(
            Twin("sum(j, 1, n-1, diff(p[i], s[j])) = 0", "the first column is left out"),
            Twin("sum(j, 0, n-1, p[i]*(delta(i, j) - p[i])) = 0", "p_i where p_j should stand"),
        ),
    ),
)
