"""Heads that share keys and values: MHA, GQA, MQA and MLA as cases of one another.

Query head g*r + t is member t of group g; its matrices are named by (g, t).
"""

from __future__ import annotations

from derive.identities.identity import Identity, Step, Twin

QUERY = "Q[g,t,i,a] = sum(c, 0, d-1, X[i,c]*WQ[g,t,c,a])"
KEY = "K[g,j,a] = sum(c, 0, d-1, X[j,c]*WK[g,c,a])"
VALUE = "V[g,j,b] = sum(c, 0, d-1, X[j,c]*WV[g,c,b])"
WEIGHT = "A[g,t,i,j] = exp(sum(a, 0, w-1, Q[g,t,i,a]*K[g,j,a])/sqrt(w))"
ALL_HEADS = (
    "sum(g, 0, G-1, sum(t, 0, r-1, sum(b, 0, v-1,"
    " sum(j, 0, n-1, {0}[g,t,i,j]*{1}[g,{2}j,b])/sum(j, 0, n-1, {0}[g,t,i,j])*WO[g,t,b,e])))"
)
GQA = ALL_HEADS.format("A", "V", "")
CELL = ("0 <= i < n", "0 <= e < d")
REPEATED = (
    "WKr[g,t,c,a] = WK[g,c,a]",
    "WVr[g,t,c,b] = WV[g,c,b]",
    "Kr[g,t,j,a] = sum(c, 0, d-1, X[j,c]*WKr[g,t,c,a])",
    "Vr[g,t,j,b] = sum(c, 0, d-1, X[j,c]*WVr[g,t,c,b])",
    "Ar[g,t,i,j] = exp(sum(a, 0, w-1, Q[g,t,i,a]*Kr[g,t,j,a])/sqrt(w))",
)

# MLA: a token keeps one latent vector; every head turns it up to its own key and value.
MLA_SCORE = "sum(a, 0, w-1, q[i,a]*sum(p, 0, l-1, C[j,p]*UK[p,a]))"
LATENT = "C[j,p] = sum(c, 0, d-1, X[j,c]*WD[c,p])"

IDENTITIES = (
    Identity(
        "gqa-is-mha-with-repeated-kv",
        "GQA is MHA whose key and value matrices are repeated for the heads of a group",
        f"{ALL_HEADS.format('Ar', 'Vr', 't,')} = {GQA}",
        where=(QUERY, KEY, VALUE, WEIGHT, *REPEATED),
        given=CELL,
        steps=(
            Step(
                ALL_HEADS.format("Ar", "V", ""),
                "the repeated matrix of values does not depend on the member t of the group",
            ),
            Step(GQA, "nor does that of keys: the heads of a group read the same keys"),
        ),
        twins=(
            Twin(
                f"{ALL_HEADS.format('Ar', 'Vr', 't,').replace('WO[g,t,b,e]', 'WO[g,0,b,e]')}"
                f" = {GQA}",
                "the heads of a group share keys and values only, not the output matrix",
            ),
            Twin(
                "sum(t, 0, r-1, sum(g, 0, G-1, exp(q[g,t]*sum(u, 0, G-1, delta(u, t)*k[u]))))"
                " = sum(t, 0, r-1, sum(g, 0, G-1, exp(q[g,t]*k[g])))",
                "repeated in turn (0, 1, 0, 1) instead of one after the other (0, 0, 1, 1)",
                given=("r = G",),
            ),
        ),
        note="G groups of r heads: MHA has G r heads, and WKr, WVr are WK, WV with every matrix"
        " repeated r times. r = 1 is MHA, G = 1 is MQA.",
    ),
    Identity(
        "mqa-is-gqa-with-one-group",
        "MQA is GQA with one group",
        f"{GQA} = sum(t, 0, r-1, sum(b, 0, v-1,"
        " sum(j, 0, n-1, A[0,t,i,j]*V[0,j,b])/sum(j, 0, n-1, A[0,t,i,j])*WO[0,t,b,e]))",
        where=(QUERY, KEY, VALUE, WEIGHT),
        given=("G = 1", *CELL),
        steps=(
            Step(
                "sum(t, 0, r-1, sum(b, 0, v-1,"
                " sum(j, 0, n-1, A[0,t,i,j]*V[0,j,b])/sum(j, 0, n-1, A[0,t,i,j])*WO[0,t,b,e]))",
                "the sum over groups has one term",
            ),
        ),
        twins=(
            Twin(
                f"{GQA} = r*sum(b, 0, v-1,"
                " sum(j, 0, n-1, A[0,0,i,j]*V[0,j,b])/sum(j, 0, n-1, A[0,0,i,j])*WO[0,0,b,e])",
                "one key head is not one query head",
            ),
            Twin(
                "sum(t, 0, r-1, sum(j, 0, n-1, exp(q[t]*k[j])*v[j])/sum(j, 0, n-1, exp(q[t]*k[j])))"
                " = sum(t, 0, r-1, sum(j, 0, n-1, exp(q[t]*k[j])*v[j]))"
                "/sum(t, 0, r-1, sum(j, 0, n-1, exp(q[t]*k[j])))",
                "every query head normalises its own weights",
            ),
        ),
    ),
    Identity(
        "mha-is-gqa-with-groups-of-one",
        "MHA is GQA with one query head for each key head",
        f"{GQA} = sum(g, 0, G-1, sum(b, 0, v-1,"
        " sum(j, 0, n-1, A[g,0,i,j]*V[g,j,b])/sum(j, 0, n-1, A[g,0,i,j])*WO[g,0,b,e]))",
        where=(QUERY, KEY, VALUE, WEIGHT),
        given=("r = 1", *CELL),
        steps=(
            Step(
                "sum(g, 0, G-1, sum(b, 0, v-1,"
                " sum(j, 0, n-1, A[g,0,i,j]*V[g,j,b])/sum(j, 0, n-1, A[g,0,i,j])*WO[g,0,b,e]))",
                "the sum over the members of a group has one term",
            ),
        ),
        twins=(
            Twin(
                f"{GQA} = sum(g, 0, G-1, sum(b, 0, v-1,"
                " sum(j, 0, n-1, A[g,0,i,j]*V[0,j,b])/sum(j, 0, n-1, A[g,0,i,j])*WO[g,0,b,e]))",
                "values of one head for all of them",
            ),
            Twin(
                "sum(g, 0, G-1, sum(j, 0, n-1, exp(q[g]*k[g,j])*v[g,j])"
                "/sum(j, 0, n-1, exp(q[g]*k[g,j])))"
                " = sum(g, 0, G-1, sum(j, 0, n-1, exp(q[0]*k[g,j])*v[g,j])"
                "/sum(j, 0, n-1, exp(q[0]*k[g,j])))",
                "one query for all heads",
            ),
        ),
    ),
    Identity(
        "gqa-is-mla",
        "GQA is MLA: the latent vector holds the keys and values of all groups",
        f"{ALL_HEADS.format('Am', 'Vm', 't,')} = {GQA}",
        where=(
            QUERY,
            KEY,
            VALUE,
            WEIGHT,
            "UK[g,h,p,a] = delta(g, h)*delta(p, a)",
            "UV[g,h,p,b] = delta(g, h)*delta(p, b)",
            "Km[g,t,j,a] = sum(h, 0, G-1, sum(p, 0, w-1, K[h,j,p]*UK[g,h,p,a]))",
            "Vm[g,t,j,b] = sum(h, 0, G-1, sum(p, 0, v-1, V[h,j,p]*UV[g,h,p,b]))",
            "Am[g,t,i,j] = exp(sum(a, 0, w-1, Q[g,t,i,a]*Km[g,t,j,a])/sqrt(w))",
        ),
        given=CELL,
        steps=(
            Step(
                ALL_HEADS.format("Am", "V", ""),
                "the up-projection selects the values of the head's own group: only h = g and"
                " p = b are met",
            ),
            Step(GQA, "and likewise the keys of the group"),
        ),
        twins=(
            Twin(
                "sum(g, 0, G-1, exp(q[g]*sum(h, 0, G-1, k[h]))) = sum(g, 0, G-1, exp(q[g]*k[g]))",
                "the up-projection adds up the keys of all groups",
            ),
            Twin(
                "sum(g, 0, G-1, exp(q[g]*sum(h, 0, G-1, delta(h, 0)*k[h])))"
                " = sum(g, 0, G-1, exp(q[g]*k[g]))",
                "every head takes the keys of group 0",
            ),
        ),
        note="The latent vector of token j has the G w numbers K[h,j,p] and the G v numbers"
        " V[h,j,p]:"
        " as much as GQA caches. Its up-projections UK, UV hold ones and zeros.",
    ),
    Identity(
        "mla-absorbed-keys",
        "MLA scores the latent vectors themselves: the up-projection of keys goes into the query",
        f"{MLA_SCORE} = sum(p, 0, l-1, sum(c, 0, d-1, X[i,c]*W[c,p])*C[j,p])",
        where=(
            "q[i,a] = sum(c, 0, d-1, X[i,c]*WQ[c,a])",
            LATENT,
            "W[c,p] = sum(a, 0, w-1, WQ[c,a]*UK[p,a])",
        ),
        given=("0 <= i < n", "0 <= j < n"),
        steps=(
            Step(
                "sum(p, 0, l-1, sum(a, 0, w-1, q[i,a]*UK[p,a])*C[j,p])",
                "exchange the finite sums: q (C U)^T = (q U^T) C^T",
            ),
            Step(
                "sum(p, 0, l-1, sum(c, 0, d-1, X[i,c]*W[c,p])*C[j,p])",
                "W = W_Q U_K^T is one matrix",
            ),
        ),
        twins=(
            Twin(
                f"{MLA_SCORE} = sum(p, 0, l-1, sum(c, 0, d-1, X[j,c]*W[c,p])*C[i,p])",
                "query and key change places",
            ),
            Twin(
                "sum(a, 0, w-1, q[i,a]*(cos(j*u)*sum(p, 0, l-1, C[j,p]*UK[p,a])))"
                " = sum(p, 0, l-1, sum(c, 0, d-1, X[i,c]*W[c,p])*C[j,p])",
                "a rotation of the key by its position stands between (here its cosine): it cannot"
                " be absorbed",
            ),
        ),
        note="So only C is cached, not the keys of each head.",
    ),
    Identity(
        "mla-absorbed-values",
        "MLA weighs the latent vectors themselves: the up-projection of values goes into W_O",
        "sum(b, 0, v-1, sum(j, 0, n-1, P[i,j]*sum(p, 0, l-1, C[j,p]*UV[p,b]))*WO[b,e])"
        " = sum(p, 0, l-1, sum(j, 0, n-1, P[i,j]*C[j,p])*W[p,e])",
        where=(LATENT, "W[p,e] = sum(b, 0, v-1, UV[p,b]*WO[b,e])"),
        given=CELL,
        steps=(
            Step(
                "sum(p, 0, l-1, sum(j, 0, n-1, P[i,j]*C[j,p])*sum(b, 0, v-1, UV[p,b]*WO[b,e]))",
                "exchange the finite sums: (P (C U)) W_O = (P C) (U W_O)",
            ),
            Step(
                "sum(p, 0, l-1, sum(j, 0, n-1, P[i,j]*C[j,p])*W[p,e])",
                "W = U_V W_O is one matrix",
            ),
        ),
        twins=(
            Twin(
                "sum(b, 0, v-1, sum(j, 0, n-1, P[i,j]*sum(p, 0, l-1, C[j,p]*UV[p,b]))*WO[b,e])"
                " = sum(p, 0, l-1, C[i,p]*W[p,e])",
                "the weights are left out",
            ),
            Twin(
                "sum(b, 0, v-1, sum(j, 0, n-1, P[i,j]*relu(sum(p, 0, l-1,"
                " C[j,p]*UV[p,b])))*WO[b,e])"
                " = sum(p, 0, l-1, sum(j, 0, n-1, P[i,j]*C[j,p])*W[p,e])",
                "a nonlinear function between the two matrices cannot be absorbed",
            ),
        ),
    ),
)
