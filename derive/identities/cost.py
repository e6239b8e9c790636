"""Cost: tiles of causal attention, numbers in a KV cache."""

from __future__ import annotations

from derive.identities.identity import Identity, Step, Twin

SCORES = "sum(a, 0, B-1, sum(b, 0, B-1, leq({}*B+b, {}*B+a)))"
CACHE = "sum(l, 0, L-1, sum(t, 0, n-1, sum(h, 0, {}-1, sum(c, 0, d-1, 1 + 1))))"
HEADS_WHOLE = ("H integer", "H >= 1")
SHARED = ("G <= H",)
HEADS, GROUPS, ONE = CACHE.format("H"), CACHE.format("G"), CACHE.format("1")

IDENTITIES = (
    Identity(
        "causal-tile-below-diagonal",
        "A tile of causal scores below the diagonal is full",
        SCORES.format("J", "(J+1+k)") + " = B^2",
        given=("J >= 0", "k >= 0"),
        steps=(
            Step(
                "sum(a, 0, B-1, sum(b, 0, B-1, 1))",
                "row tile J+1+k: each of its queries comes after each key of tile J",
            ),
            Step("B^2", "B queries and B keys"),
        ),
        twins=(
            Twin(SCORES.format("J", "(J+k)") + " = B^2", "the tile on the diagonal is not full"),
            Twin(SCORES.format("J", "(J+1+k)") + " = B*(B+1)/2", "only the diagonal tile is cut"),
        ),
        note="I = J+1+k; [J B + b <= I B + a] is 1 where query a of tile I sees key b of tile J.",
    ),
    Identity(
        "causal-tile-on-diagonal",
        "A tile of causal scores on the diagonal has B (B + 1)/2 scores",
        SCORES.format("J", "J") + " = B*(B+1)/2",
        given=("J >= 0",),
        steps=(
            Step("sum(a, 0, B-1, sum(b, 0, a, 1))", "query a sees the keys 0 … a of its own tile"),
            Step("sum(a, 0, B-1, a + 1)", "these are a + 1 keys"),
            Step("B*(B+1)/2", "the sum of 1, 2, …, B"),
        ),
        twins=(
            Twin(SCORES.format("J", "J") + " = B*(B-1)/2", "a query sees its own key"),
            Twin(SCORES.format("J", "J") + " = B^2", "keys after the query are hidden"),
        ),
    ),
    Identity(
        "causal-tile-above-diagonal",
        "A tile of causal scores above the diagonal is empty, so it is skipped",
        SCORES.format("(I+1+k)", "I") + " = 0",
        given=("I >= 0", "k >= 0"),
        steps=(
            Step(
                "sum(a, 0, B-1, sum(b, 0, B-1, 0))",
                "each key of tile i+1+k comes after each query of tile i",
            ),
            Step("0", "nothing is added"),
        ),
        twins=(
            Twin(SCORES.format("(I+k)", "I") + " = 0", "the tile on the diagonal is not empty"),
            Twin(SCORES.format("(I+1+k)", "I") + " = B^2", "that is a tile below the diagonal"),
        ),
    ),
    Identity(
        "causal-tile-count",
        "Causal attention over T tiles of queries and keys computes T (T + 1)/2 of T^2 tiles",
        "sum(i, 0, T-1, sum(j, 0, T-1, leq(j, i))) = T*(T+1)/2",
        steps=(
            Step("sum(i, 0, T-1, i + 1)", "row tile i meets the key tiles 0 … i"),
            Step("T*(T+1)/2", "the sum of 1, 2, …, T"),
        ),
        twins=(
            Twin(
                "sum(i, 0, T-1, sum(j, 0, T-1, leq(j, i))) = T^2/2", "the diagonal is not cut out"
            ),
            Twin("sum(i, 0, T-1, sum(j, 0, T-1, leq(j, i))) = T*(T-1)/2", "diagonal tiles count"),
        ),
        note="Square tiles of B: T = ceil(n/B) for n tokens; the last may be shorter.",
    ),
    Identity(
        "tile-ceiling",
        "A text of n = T B - r tokens, 0 <= r < B, needs T = ceil(n/B) tiles: (T - 1) B < n <= T B",
        "leq((T-1)*B + 1, n)*leq(n, T*B) = 1",
        where=("n = T*B - r",),
        given=("0 <= r < B",),
        steps=(
            Step("leq(1, B - r)*leq(0, r)", "T B is taken away on both sides"),
            Step("1", "0 <= r < B"),
        ),
        twins=(
            Twin(
                "leq((T-1)*B + 1, n)*leq(n, T*B) = 1",
                "for r = B the last tile is empty: T - 1 are enough",
                given=("0 <= r <= B",),
            ),
            Twin("leq(T*B + 1, n)*leq(n, (T+1)*B) = 1", "a tile too many"),
        ),
        note="Every n is T B - r for one such T and r. [a <= b] is 1 where it is true, else 0.",
    ),
    Identity(
        "causal-tile-count-wide-queries",
        "With tiles of g B queries and B keys it computes g T (T + 1)/2 tiles",
        "sum(i, 0, T-1, sum(j, 0, g*T-1, leq(j, g*i + g - 1))) = g*T*(T+1)/2",
        steps=(
            Step(
                "sum(i, 0, T-1, sum(j, 0, g*(i+1)-1, 1))",
                "the queries of row tile i reach the key tiles 0 … g (i + 1) - 1",
            ),
            Step("sum(i, 0, T-1, g*(i+1))", "these are g (i + 1) tiles"),
            Step("g*T*(T+1)/2", "g times the sum of 1, 2, …, T"),
        ),
        twins=(
            Twin(
                "sum(i, 0, T-1, sum(j, 0, g*T-1, leq(j, g*i + g - 1))) = T*(T+1)/2",
                "there are g times more tiles",
            ),
            Twin(
                "sum(i, 0, T-1, sum(j, 0, g*T-1, leq(j, g*i + g - 1))) = g*T*(g*T+1)/2",
                "that is the count for square tiles of B",
            ),
            Twin(
                "sum(i, 0, T-1, sum(j, 0, g*T-1, leq(j, g*i))) = g*T*(T+1)/2",
                "the last query of the tile decides, not the first",
            ),
        ),
        note="T tiles of queries, so n = T g B.",
    ),
    Identity(
        "causal-tile-count-wide-keys",
        "With tiles of B queries and g B keys it computes g T (T + 1)/2 tiles too",
        "sum(a, 0, T-1, sum(b, 0, g-1, sum(j, 0, T-1, leq(j, a)))) = g*T*(T+1)/2",
        steps=(
            Step("sum(a, 0, T-1, sum(b, 0, g-1, a + 1))", "row tile a g + b meets key tiles 0 … a"),
            Step("sum(a, 0, T-1, g*(a+1))", "the same for all g values of b"),
            Step("g*T*(T+1)/2", "g times the sum of 1, 2, …, T"),
        ),
        twins=(
            Twin(
                "sum(a, 0, T-1, sum(b, 0, g-1, sum(j, 0, T-1, leq(j, a)))) = g*T^2/2",
                "the tiles on the diagonal count as a whole",
            ),
            Twin(
                "sum(a, 0, T-1, sum(b, 0, g-1, sum(j, 0, T-1, leq(j + 1, a)))) = g*T*(T+1)/2",
                "a row tile meets the key tile that holds its own tokens",
            ),
        ),
        note="T tiles of keys, so n = T g B. Row tile a g + b reaches key tile a, which holds the"
        " tokens from a g B to a g B + g B - 1, and so those of the row tile.",
    ),
    Identity(
        "causal-tiles-cover-all-scores",
        "The scores in the tiles of causal attention are all n (n + 1)/2 scores, for every n",
        "B^2*(T*(T-1)/2) + T*(B*(B+1)/2) + T*(m*B) + m*(m+1)/2 = sum(i, 0, n-1, sum(j, 0, i, 1))",
        where=("n = T*B + m",),
        given=("0 <= m < B",),
        steps=(
            Step("(T*B + m)*(T*B + m + 1)/2", "the terms collected"),
            Step("sum(i, 0, n-1, i + 1)", "the sum of 1, 2, …, n"),
            Step("sum(i, 0, n-1, sum(j, 0, i, 1))", "query i sees the keys 0 … i"),
        ),
        twins=(
            Twin(
                "B^2*(T*(T-1)/2) + T*(B*(B+1)/2) + m*(m+1)/2 = sum(i, 0, n-1, sum(j, 0, i, 1))",
                "the last queries see the T full tiles of keys too",
            ),
            Twin(
                "B^2*(T*(T+1)/2) = sum(i, 0, n-1, sum(j, 0, i, 1))",
                "tiles on the diagonal are half full, and the last is short",
            ),
        ),
        note="T full tiles and a last one of m tokens: T (T - 1)/2 full tiles below the diagonal, T"
        " triangles on it, T tiles of m queries, and a triangle of m.",
    ),
    Identity(
        "causal-tile-waste",
        "Square tiles compute n (B - 1)/2 scores that the mask then hides",
        "B^2*sum(i, 0, T-1, sum(j, 0, i, 1)) - sum(i, 0, n-1, sum(j, 0, i, 1)) = n*(B-1)/2",
        where=("n = T*B",),
        steps=(
            Step("B^2*T*(T+1)/2 - n*(n+1)/2", "tiles of B^2 scores; query i sees i + 1 keys"),
            Step("n*(n+B)/2 - n*(n+1)/2", "B T = n"),
            Step("n*(B-1)/2", "n^2/2 cancels"),
        ),
        twins=(
            Twin(
                "B^2*sum(i, 0, T-1, sum(j, 0, i, 1)) = sum(i, 0, n-1, sum(j, 0, i, 1))",
                "the diagonal tiles are computed as a whole",
            ),
            Twin(
                "B^2*T^2 - sum(i, 0, n-1, sum(j, 0, i, 1)) = n*(B-1)/2",
                "without skipping tiles it is n (n - 1)/2",
            ),
        ),
    ),
    Identity(
        "kv-cache-mha",
        "Multi-head attention caches 2 L n H d numbers",
        f"{HEADS} = 2 L*n*H*d",
        steps=(
            Step("sum(l, 0, L-1, sum(t, 0, n-1, 2 H*d))", "a key and a value of d for each head"),
            Step("2 L*n*H*d", "for each of L layers and n tokens"),
        ),
        twins=(
            Twin(f"{HEADS} = L*n*H*d", "keys and values"),
            Twin(f"{HEADS} = 2 L*n^2*H*d", "scores are not cached: it grows with n, not n^2"),
        ),
        note="L layers, n tokens, H heads of width d. Times the bytes of a number: the memory.",
    ),
    Identity(
        "kv-cache-gqa",
        "Grouped-query attention caches 2 L n G d numbers for G key-value heads",
        f"{GROUPS} = 2 L*n*G*d",
        steps=(
            Step("sum(l, 0, L-1, sum(t, 0, n-1, 2 G*d))", "a key and a value for each group"),
            Step("2 L*n*G*d", "for each of L layers and n tokens"),
        ),
        twins=(
            Twin(f"{GROUPS} = 2 L*n*H*d", "query heads are not cached", given=SHARED),
            Twin(f"{GROUPS} = L*n*(H + G)*d", "keys too are shared by a group", given=SHARED),
        ),
    ),
    Identity(
        "kv-cache-mqa",
        "Multi-query attention caches 2 L n d numbers",
        f"{ONE} = 2 L*n*d",
        steps=(
            Step("sum(l, 0, L-1, sum(t, 0, n-1, 2 d))", "all heads share one key and one value"),
            Step("2 L*n*d", "for each of L layers and n tokens"),
        ),
        twins=(
            Twin(f"{ONE} = 2 L*n*H*d", "that is the cache of H heads", given=HEADS_WHOLE),
            Twin(f"{ONE} = L*n*(H + 1)*d", "the keys too are shared", given=HEADS_WHOLE),
        ),
    ),
    Identity(
        "kv-cache-ratio",
        "With R query heads to a group the cache of GQA is R times smaller than that of MHA",
        f"{HEADS}/{GROUPS} = R",
        where=("H = G*R",),
        steps=(
            Step("(2 L*n*(G*R)*d)/(2 L*n*G*d)", "H = G R heads against G"),
            Step("R", "all else cancels"),
        ),
        twins=(
            Twin(f"{HEADS}/{GROUPS} = G", "R is the saving, not G"),
            Twin(f"{HEADS}/{ONE} = R", "against MQA it is H = G R"),
        ),
    ),
)
