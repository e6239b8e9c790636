"""Online softmax: tiles, their merge for any reference values, any number of tiles."""

from __future__ import annotations

from derive.identities.identity import Identity, Induction, Recurrence, Step, Twin

TILES = (
    "l1 = sum(k, 0, a-1, exp(s[k] - m1))",
    "l2 = sum(k, a, n-1, exp(s[k] - m2))",
    "o1 = sum(k, 0, a-1, exp(s[k] - m1)*v[k])",
    "o2 = sum(k, a, n-1, exp(s[k] - m2)*v[k])",
)
SPLIT = ("0 <= a <= n",)
MERGED_L = "l1*exp(m1 - m) + l2*exp(m2 - m)"
MERGED_O = "o1*exp(m1 - m) + o2*exp(m2 - m)"
SOFTMAX = "sum(k, 0, n-1, exp(s[k])*v[k])/sum(k, 0, n-1, exp(s[k]))"
SCALED = "sum(k, 0, n-1, exp(s[k] - m)*v[k])/sum(k, 0, n-1, exp(s[k] - m))"

IDENTITIES = (
    Identity(
        "online-softmax-merge",
        "Two tiles merged give softmax over both, whatever their reference values are",
        f"({MERGED_O})/({MERGED_L}) = {SOFTMAX}",
        where=TILES,
        given=SPLIT,
        steps=(
            Step(
                "(sum(k, 0, a-1, exp(s[k] - m)*v[k]) + sum(k, a, n-1, exp(s[k] - m)*v[k]))"
                "/(sum(k, 0, a-1, exp(s[k] - m)) + sum(k, a, n-1, exp(s[k] - m)))",
                "the factor exp(m_1 - m) turns the reference m_1 into m, and likewise m_2",
            ),
            Step(SCALED, "the two ranges together are the whole range"),
            Step(SOFTMAX, "the factor exp(-m) cancels"),
        ),
        twins=(
            Twin(
                f"(o1*exp(m1 - m) + o2)/(l1*exp(m1 - m) + l2) = {SOFTMAX}",
                "one tile is not rescaled",
            ),
            Twin(
                f"(o1*exp(m - m1) + o2*exp(m - m2))/(l1*exp(m - m1) + l2*exp(m - m2)) = {SOFTMAX}",
                "the exponents have the wrong sign",
            ),
            Twin(f"(o1/l1 + o2/l2)/2 = {SOFTMAX}", "the mean of the outputs of two tiles"),
        ),
        note="m1, m2 and m are any real numbers; their maxima are one choice.",
    ),
    Identity(
        "online-softmax-merge-logsumexp",
        "Two tiles merged keep the logarithm of the whole sum",
        f"m + ln({MERGED_L}) = ln(sum(k, 0, n-1, exp(s[k])))",
        where=TILES[:2],
        given=SPLIT,
        steps=(
            Step("m + ln(sum(k, 0, n-1, exp(s[k] - m)))", "both tiles in the reference m"),
            Step("m + ln(exp(-m)*sum(k, 0, n-1, exp(s[k])))", "exp(-m) is a factor of every term"),
            Step("ln(sum(k, 0, n-1, exp(s[k])))", "its logarithm is -m"),
        ),
        twins=(
            Twin(f"ln({MERGED_L}) = ln(sum(k, 0, n-1, exp(s[k])))", "the reference is not added"),
            Twin("m + ln(l1 + l2) = ln(sum(k, 0, n-1, exp(s[k])))", "the tiles are not rescaled"),
        ),
    ),
    Identity(
        "online-softmax-reference",
        "A tile's output does not depend on its reference value",
        "o*exp(m - r)/(l*exp(m - r)) = o/l",
        given=("l > 0",),
        steps=(Step("o/l", "the common factor exp(m - r) cancels"),),
        twins=(
            Twin("o*exp(m - r)/l = o/l", "only the numerator is rescaled"),
            Twin("o*exp(m - r)/(l*exp(r - m)) = o/l", "the two are rescaled in opposite ways"),
        ),
        note="So triples (m, l, o) are equal up to (m, l, o) ~ (r, l exp(m - r), o exp(m - r)).",
    ),
    Identity(
        "online-softmax-reference-logsumexp",
        "A tile's logsumexp does not depend on its reference value",
        "r + ln(l*exp(m - r)) = m + ln(l)",
        given=("l > 0",),
        steps=(
            Step("r + (m - r) + ln(l)", "the logarithm of a product of positive numbers"),
            Step("m + ln(l)", "r cancels"),
        ),
        twins=(
            Twin("r + ln(l) = m + ln(l)", "the sum is not rescaled"),
            Twin("r + ln(l*exp(r - m)) = m + ln(l)", "the exponent has the wrong sign"),
        ),
    ),
    Identity(
        "online-softmax-merge-associative",
        "Merging is associative: how the merges are grouped does not matter",
        "(l1*exp(m1 - p) + l2*exp(m2 - p))*exp(p - m) + l3*exp(m3 - m)"
        " = l1*exp(m1 - m) + (l2*exp(m2 - q) + l3*exp(m3 - q))*exp(q - m)",
        steps=(
            Step(
                "l1*exp(m1 - m) + l2*exp(m2 - m) + l3*exp(m3 - m)",
                "exp(m_1 - p) exp(p - m) = exp(m_1 - m): the reference between drops out",
            ),
            Step(
                "l1*exp(m1 - m) + (l2*exp(m2 - q) + l3*exp(m3 - q))*exp(q - m)",
                "the same for the reference q, read backwards",
            ),
        ),
        twins=(
            Twin(
                "l1*exp(m1 - p) + l2*exp(m2 - p) + l3*exp(m3 - m)"
                " = l1*exp(m1 - m) + (l2*exp(m2 - q) + l3*exp(m3 - q))*exp(q - m)",
                "the second rescale is missing",
            ),
            Twin(
                "(l1*exp(m1 - p) + l2*exp(m2 - p))*exp(m - p) + l3*exp(m3 - m)"
                " = l1*exp(m1 - m) + (l2*exp(m2 - q) + l3*exp(m3 - q))*exp(q - m)",
                "the second rescale has the wrong sign",
            ),
        ),
        note="p and q are the references of the merges between; for o in place of l it is alike.",
    ),
    Identity(
        "online-softmax-merge-commutative",
        "Merging is commutative",
        f"({MERGED_O})/({MERGED_L})"
        " = (o2*exp(m2 - r) + o1*exp(m1 - r))/(l2*exp(m2 - r) + l1*exp(m1 - r))",
        given=("l1 > 0", "l2 > 0"),
        steps=(
            Step(
                "(o2*exp(m2 - m) + o1*exp(m1 - m))/(l2*exp(m2 - m) + l1*exp(m1 - m))",
                "addition is commutative",
            ),
            Step(
                "(o2*exp(m2 - r) + o1*exp(m1 - r))/(l2*exp(m2 - r) + l1*exp(m1 - r))",
                "multiply both by exp(m - r): the reference drops out",
            ),
        ),
        twins=(
            Twin(
                f"({MERGED_O})/({MERGED_L}) = (o2*exp(m1 - r) + o1*exp(m2 - r))"
                "/(l2*exp(m2 - r) + l1*exp(m1 - r))",
                "the references are not exchanged with the tiles",
            ),
            Twin(
                f"({MERGED_O})/({MERGED_L}) = (o1*exp(m2 - r) + o2*exp(m1 - r))"
                "/(l1*exp(m2 - r) + l2*exp(m1 - r))",
                "the references alone are exchanged",
            ),
        ),
    ),
    Identity(
        "online-softmax-merge-identity",
        "Merging with an empty tile changes nothing",
        "(o*exp(m - r) + 0*exp(q - r))/(l*exp(m - r) + 0*exp(q - r)) = o/l",
        given=("l > 0",),
        steps=(
            Step("o*exp(m - r)/(l*exp(m - r))", "an empty tile adds 0 to both"),
            Step("o/l", "the common factor cancels"),
        ),
        twins=(
            Twin(
                "(o*exp(m - r) + 1*exp(q - r))/(l*exp(m - r) + 1*exp(q - r)) = o/l",
                "a tile with one key of score q and value 1 is not empty",
            ),
            Twin("(o*exp(m - r) + 0*exp(q - r))/l = o/l", "the sum is not rescaled"),
        ),
        note="The empty tile is (q, 0, 0) for any q; programs take q = -inf, so that r stays m.",
    ),
    Identity(
        "online-softmax-masked-tile",
        "A tile that is masked throughout changes nothing",
        "(o1*exp(m1 - m) + sum(k, a, n-1, leq(k, a-1)*exp(s[k] - m2)*v[k])*exp(m2 - m))"
        "/(l1*exp(m1 - m) + sum(k, a, n-1, leq(k, a-1)*exp(s[k] - m2))*exp(m2 - m)) = o1/l1",
        where=(TILES[0], TILES[2]),
        given=("1 <= a <= n",),
        steps=(
            Step("o1*exp(m1 - m)/(l1*exp(m1 - m))", "the mask is 0 for every key of the tile"),
            Step("o1/l1", "the common factor cancels"),
        ),
        twins=(
            Twin(
                "(o1*exp(m1 - m) + sum(k, a, n-1, leq(k, a)*exp(s[k] - m2)*v[k])*exp(m2 - m))"
                "/(l1*exp(m1 - m) + sum(k, a, n-1, leq(k, a)*exp(s[k] - m2))*exp(m2 - m)) = o1/l1",
                "the mask is off by one: the tile's first key is visible",
            ),
            Twin(
                "(o1*exp(m1 - m) + sum(k, a, n-1, leq(k, a-1)*exp(s[k] - m2)*v[k])*exp(m2 - m))"
                "/(l1*exp(m1 - m) + sum(k, a, n-1, exp(s[k] - m2))*exp(m2 - m)) = o1/l1",
                "the sum is not masked",
            ),
        ),
        note="Keys up to a-1 are visible: leq(k, a-1) is 0 in the tile a … n-1.",
    ),
    Identity(
        "online-softmax",
        "Online softmax over any number of tiles of B keys is the sum over all keys",
        "l[T] = sum(k, 0, T*B-1, exp(s[k] - m[T]))",
        given=("T >= 0",),
        recurrences=(
            Recurrence(
                "l", "t", "0", "l[t]*exp(m[t] - m[t+1]) + sum(c, 0, B-1, exp(s[t*B+c] - m[t+1]))"
            ),
        ),
        induction=Induction(
            "T",
            base=(
                Step("0", "no tile has been read"),
                Step("sum(k, 0, 0*B-1, exp(s[k] - m[0]))", "an empty sum"),
            ),
            step=(
                Step(
                    "l[T]*exp(m[T] - m[T+1]) + sum(c, 0, B-1, exp(s[T*B+c] - m[T+1]))",
                    "one step of the algorithm",
                ),
                Step(
                    "sum(k, 0, T*B-1, exp(s[k] - m[T]))*exp(m[T] - m[T+1])"
                    " + sum(c, 0, B-1, exp(s[T*B+c] - m[T+1]))",
                    "the statement for T",
                ),
                Step(
                    "sum(k, 0, T*B-1, exp(s[k] - m[T+1]))"
                    " + sum(k, T*B, (T+1)*B-1, exp(s[k] - m[T+1]))",
                    "the factor changes the reference; the new keys are T B, …, (T+1) B - 1",
                ),
                Step("sum(k, 0, (T+1)*B-1, exp(s[k] - m[T+1]))", "the two ranges together"),
            ),
        ),
        twins=(
            Twin("l[T] = sum(k, 0, T*B-1, exp(s[k]))", "the reference is forgotten"),
            Twin("l[T] = sum(k, 0, T*B, exp(s[k] - m[T]))", "one key too many"),
            Twin("l[T] = sum(k, 0, T*B-1, exp(s[k] - m[0]))", "without the rescale factors"),
        ),
        note="m[0], m[1], … are any reference values.",
    ),
    Identity(
        "online-softmax-output",
        "The running output over any number of tiles is the weighted sum over all keys",
        "o[T] = sum(k, 0, T*B-1, exp(s[k] - m[T])*v[k])",
        given=("T >= 0",),
        recurrences=(
            Recurrence(
                "o",
                "t",
                "0",
                "o[t]*exp(m[t] - m[t+1]) + sum(c, 0, B-1, exp(s[t*B+c] - m[t+1])*v[t*B+c])",
            ),
        ),
        induction=Induction(
            "T",
            base=(Step("0", "no tile has been read"),),
            step=(
                Step(
                    "o[T]*exp(m[T] - m[T+1]) + sum(c, 0, B-1, exp(s[T*B+c] - m[T+1])*v[T*B+c])",
                    "one step of the algorithm",
                ),
                Step(
                    "sum(k, 0, T*B-1, exp(s[k] - m[T])*v[k])*exp(m[T] - m[T+1])"
                    " + sum(c, 0, B-1, exp(s[T*B+c] - m[T+1])*v[T*B+c])",
                    "the statement for T",
                ),
                Step(
                    "sum(k, 0, (T+1)*B-1, exp(s[k] - m[T+1])*v[k])",
                    "the factor changes the reference, and the two ranges join",
                ),
            ),
        ),
        twins=(
            Twin("o[T] = sum(k, 0, T*B-1, exp(s[k])*v[k])", "the reference is forgotten"),
            Twin("o[T] = sum(k, 0, T*B-1, exp(s[k] - m[T]))", "the values are missing"),
        ),
        note="Divided by l[T] of online-softmax, whose reference is the same, it is the output.",
    ),
    Identity(
        "rescale-telescopes",
        "The rescale factors of all tiles multiply to the single factor exp(m[0] - m[T])",
        "r[T] = exp(m[0] - m[T])",
        given=("T >= 0",),
        recurrences=(Recurrence("r", "t", "1", "r[t]*exp(m[t] - m[t+1])"),),
        induction=Induction(
            "T",
            base=(Step("1", "no factor"), Step("exp(m[0] - m[0])", "exp(0) = 1")),
            step=(
                Step("r[T]*exp(m[T] - m[T+1])", "one more factor"),
                Step("exp(m[0] - m[T])*exp(m[T] - m[T+1])", "the statement for T"),
                Step("exp(m[0] - m[T+1])", "m[T] cancels in the exponent"),
            ),
        ),
        twins=(
            Twin("r[T] = exp(m[T] - m[0])", "the wrong way round"),
            Twin("r[T] = exp(m[0] - m[T+1])", "one factor too many"),
        ),
    ),
)
