"""Positions that are added: sinusoids and ALiBi."""

from __future__ import annotations

from derive.identities.identity import Identity, Step, Twin

PAIRS = "sum(b, 0, m-1, sin({0}*w[b])*sin({1}*w[b]) + cos({0}*w[b])*cos({1}*w[b]))"
WEIGHT = "exp({0})/sum(l, 0, n-1, exp({1}))"

IDENTITIES = (
    Identity(
        "sinusoids-shift-sine",
        "The sines of PE(p + k) are a linear map of PE(p) that depends on k only",
        "sin((p + k)*w[b]) = cos(k*w[b])*sin(p*w[b]) + sin(k*w[b])*cos(p*w[b])",
        given=("0 <= b < m",),
        steps=(
            Step("sin(p*w[b] + k*w[b])", "take the angles apart"),
            Step(
                "cos(k*w[b])*sin(p*w[b]) + sin(k*w[b])*cos(p*w[b])",
                "the sine of a sum",
            ),
        ),
        twins=(
            Twin("sin((p + k)*w[b]) = sin(p*w[b]) + sin(k*w[b])", "the sine is not linear"),
            Twin(
                "sin((p + k)*w[b]) = cos(k*w[b])*sin(p*w[b]) - sin(k*w[b])*cos(p*w[b])",
                "the sine of a difference",
            ),
        ),
        note="Columns 2b and 2b + 1 of PE(p) are sin(p w[b]) and cos(p w[b]); w[b] is any number,"
        " often 10000^(-2b/d).",
    ),
    Identity(
        "sinusoids-shift-cosine",
        "The cosines of PE(p + k) are a linear map of PE(p) that depends on k only",
        "cos((p + k)*w[b]) = cos(k*w[b])*cos(p*w[b]) - sin(k*w[b])*sin(p*w[b])",
        given=("0 <= b < m",),
        steps=(
            Step("cos(p*w[b] + k*w[b])", "take the angles apart"),
            Step(
                "cos(k*w[b])*cos(p*w[b]) - sin(k*w[b])*sin(p*w[b])",
                "the cosine of a sum",
            ),
        ),
        twins=(
            Twin(
                "cos((p + k)*w[b]) = cos(k*w[b])*cos(p*w[b]) + sin(k*w[b])*sin(p*w[b])",
                "the cosine of a difference",
            ),
            Twin("cos((p + k)*w[b]) = cos(k*w[b])*cos(p*w[b])", "the sines are left out"),
        ),
        note="So PE(p + k) = M(k) PE(p), with the block [[cos, sin], [-sin, cos]] of k w[b] on pair"
        " b: a rotation, the same for every p.",
    ),
    Identity(
        "sinusoids-linear-map",
        "PE(p + k) = M(k) PE(p): one matrix for all positions",
        "PE[b,a] = sum(h, 0, m-1, sum(c, 0, 1, M[b,a,h,c]*P[h,c]))",
        where=(
            "PE[b,a] = delta(a, 0)*sin((p + k)*w[b]) + delta(a, 1)*cos((p + k)*w[b])",
            "P[b,a] = delta(a, 0)*sin(p*w[b]) + delta(a, 1)*cos(p*w[b])",
            "M[b,a,h,c] = delta(b, h)*(delta(a, c)*cos(k*w[b])"
            " + (delta(a, 0)*delta(c, 1) - delta(a, 1)*delta(c, 0))*sin(k*w[b]))",
        ),
        given=("0 <= b < m", "0 <= a < 2"),
        steps=(
            Step(
                "delta(a, 0)*(cos(k*w[b])*sin(p*w[b]) + sin(k*w[b])*cos(p*w[b]))"
                " + delta(a, 1)*(cos(k*w[b])*cos(p*w[b]) - sin(k*w[b])*sin(p*w[b]))",
                "the sine and the cosine of a sum",
            ),
            Step(
                "sum(h, 0, m-1, sum(c, 0, 1, M[b,a,h,c]*P[h,c]))",
                "M(k) has blocks on its diagonal: only h = b is met",
            ),
        ),
        twins=(
            Twin(
                "PE[b,a] = sum(h, 0, m-1, sum(c, 0, 1, M[h,c,b,a]*P[h,c]))",
                "the transposed matrix goes back: it gives PE(p - k)",
            ),
            Twin(
                "PE[b,a] = sum(h, 0, m-1, sum(c, 0, 1, P[h,c]))",
                "an entry is not the sum of all entries",
            ),
        ),
        note="Row (b, a) is column 2b + a of PE: a sine for a = 0, a cosine for a = 1. M(k)"
        " does not"
        " read p.",
    ),
    Identity(
        "sinusoids-dot-depends-on-offset",
        "The dot product of PE(p) and PE(q) depends on p - q only",
        f"{PAIRS.format('p', 'q')} = sum(b, 0, m-1, cos((p - q)*w[b]))",
        steps=(
            Step(
                "sum(b, 0, m-1, cos(p*w[b] - q*w[b]))",
                "the cosine of a difference, in every pair",
            ),
            Step("sum(b, 0, m-1, cos((p - q)*w[b]))", "the angle is a factor"),
        ),
        twins=(
            Twin(
                f"{PAIRS.format('p', 'q')} = sum(b, 0, m-1, cos((p + q)*w[b]))",
                "the sum of the positions",
            ),
            Twin(
                "sum(b, 0, m-1, sin(p*w[b])*sin(q*w[b])) = sum(b, 0, m-1, cos((p - q)*w[b]))",
                "without the cosines the positions themselves are read",
            ),
        ),
    ),
    Identity(
        "sinusoids-length",
        "All sinusoidal embeddings of width 2m have the squared length m",
        f"{PAIRS.format('p', 'p')} = m",
        steps=(
            Step("sum(b, 0, m-1, 1)", "cos^2 + sin^2 = 1 in every pair"),
            Step("m", "m ones"),
        ),
        twins=(
            Twin(f"{PAIRS.format('p', 'p')} = 2*m", "one for each pair, not for each column"),
            Twin(f"{PAIRS.format('p', 'p')} = 1", "there are m pairs"),
        ),
    ),
    Identity(
        "alibi-row-constant-drops-out",
        "ALiBi may add m j instead of -m (i - j): a constant of the row drops out",
        f"{WEIGHT.format('s[j] - m*(i - j)', 's[l] - m*(i - l)')}"
        f" = {WEIGHT.format('s[j] + m*j', 's[l] + m*l')}",
        given=("0 <= i < n", "0 <= j < n"),
        steps=(
            Step(
                "exp(-m*i)*exp(s[j] + m*j)/(exp(-m*i)*sum(l, 0, n-1, exp(s[l] + m*l)))",
                "exp(-m i) does not depend on the key: it is a factor of every term",
            ),
            Step(WEIGHT.format("s[j] + m*j", "s[l] + m*l"), "the factor cancels"),
        ),
        twins=(
            Twin(
                f"{WEIGHT.format('s[j] - m*(i - j)', 's[l] - m*(i - l)')}"
                f" = {WEIGHT.format('s[j]', 's[l]')}",
                "the slope along the keys stays",
            ),
            Twin(
                f"{WEIGHT.format('s[j] - m*(i - j)', 's[l] - m*(i - l)')}"
                f" = {WEIGHT.format('s[j] - m*j', 's[l] - m*l')}",
                "the wrong sign: near keys would lose",
            ),
            Twin(
                f"{WEIGHT.format('s[j] - m*abs(i - j)', 's[l] - m*abs(i - l)')}"
                f" = {WEIGHT.format('s[j] + m*j', 's[l] + m*l')}",
                "with the distance |i - j| on both sides of token i there is no such constant",
            ),
        ),
        note="The slope m is any number. A causal mask leaves it so: it removes the same terms on"
        " both sides.",
    ),
)
