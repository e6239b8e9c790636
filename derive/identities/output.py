"""The output: tied unembedding, shifts of the logits, perplexity."""

from __future__ import annotations

from derive.identities.identity import Identity, Induction, Recurrence, Step, Twin

P = "p[v] = exp(z[v])/sum(w, 0, V-1, exp(z[w]))"
LOGITS = "z[v] = sum(c, 0, d-1, x[c]*U[v,c])"
MOVED = "q[v] = sum(c, 0, d-1, x[c]*(U[v,c] + u[c]))"
TOKENS = ("0 <= t < V", "0 <= v < V", "0 <= w < V")
CE = "C = -sum(t, 1, n, ln(p[t]))/n"

IDENTITIES = (
    Identity(
        "tied-unembedding",
        "Tied: the logit of a token is the dot product of the output with its embedding",
        "sum(c, 0, d-1, x[c]*U[c,v]) = sum(c, 0, d-1, x[c]*W[v,c])",
        where=("U[c,v] = W[v,c]",),
        steps=(Step("sum(c, 0, d-1, x[c]*W[v,c])", "the unembedding is the transposed embedding"),),
        twins=(
            Twin(
                "sum(c, 0, d-1, x[c]*U[c,v]) = sum(c, 0, d-1, x[c]*W[c,v])",
                "the embedding itself, not transposed, is another matrix",
                given=("0 <= v < d",),
            ),
            Twin(
                "sum(c, 0, d-1, x[c]*U[c,v])"
                " = sum(c, 0, d-1, x[c]*W[v,c])/sqrt(sum(c, 0, d-1, W[v,c]^2))",
                "the embeddings are not divided by their lengths",
            ),
        ),
    ),
    Identity(
        "tied-unembedding-without-blocks",
        "Without blocks a tied model's logits are symmetric: W W^T can't tell a bigram's order",
        "sum(c, 0, d-1, sum(w, 0, V-1, delta(t, w)*W[w,c])*W[v,c])"
        " = sum(c, 0, d-1, sum(w, 0, V-1, delta(v, w)*W[w,c])*W[t,c])",
        given=("0 <= t < V", "0 <= v < V"),
        steps=(
            Step("sum(c, 0, d-1, W[t,c]*W[v,c])", "the one-hot row of token t picks row t of W"),
            Step(
                "sum(c, 0, d-1, sum(w, 0, V-1, delta(v, w)*W[w,c])*W[t,c])",
                "a product does not depend on the order of its factors",
            ),
        ),
        twins=(
            Twin(
                "sum(c, 0, d-1, W[t,c]*U[c,v]) = sum(c, 0, d-1, W[v,c]*U[c,t])",
                "an unembedding of its own can tell t v from v t",
            ),
            Twin(
                "sum(c, 0, d-1, W[t,c]*W[v,c]) = delta(t, v)",
                "embeddings are not orthonormal",
            ),
        ),
    ),
    Identity(
        "tied-unembedding-gradient",
        "The gradient of a tied matrix adds those of its two uses",
        "diff(sum(k, 0, d-1, W[t,k]*W[v,k]), W[w,c]) = delta(t, w)*W[v,c] + delta(v, w)*W[t,c]",
        given=(*TOKENS, "0 <= c < d"),
        steps=(
            Step(
                "sum(k, 0, d-1, delta(t, w)*delta(k, c)*W[v,k] + W[t,k]*delta(v, w)*delta(k, c))",
                "the product rule: once as embedding, once as unembedding",
            ),
            Step("delta(t, w)*W[v,c] + delta(v, w)*W[t,c]", "k = c is met once"),
        ),
        twins=(
            Twin(
                "diff(sum(k, 0, d-1, W[t,k]*W[v,k]), W[w,c]) = delta(v, w)*W[t,c]",
                "the use as embedding is forgotten",
            ),
            Twin(
                "diff(sum(k, 0, d-1, W[t,k]*W[v,k]), W[w,c])"
                " = delta(t, w)*W[t,c] + delta(v, w)*W[v,c]",
                "each use meets the other token's row",
            ),
        ),
        note="Here without blocks; with them the row W[t,k] goes through the blocks first.",
    ),
    Identity(
        "logits-shift",
        "A vector added to every token's unembedding shifts all logits alike: nothing changes",
        "exp(q[v])/sum(w, 0, V-1, exp(q[w])) = p[v]",
        where=(P, MOVED, LOGITS),
        given=("0 <= v < V",),
        steps=(
            Step(
                "exp(z[v] + sum(c, 0, d-1, x[c]*u[c]))"
                "/sum(w, 0, V-1, exp(z[w] + sum(c, 0, d-1, x[c]*u[c])))",
                "every logit grows by x·u, the same for all tokens",
            ),
            Step("p[v]", "softmax does not change when a constant is added"),
        ),
        twins=(
            Twin(
                "exp(z[v] + b[v])/sum(w, 0, V-1, exp(z[w] + b[w])) = p[v]",
                "a bias of each token's own",
            ),
            Twin(
                "exp(2 z[v])/sum(w, 0, V-1, exp(2 z[w])) = p[v]",
                "a factor is a temperature, no shift",
            ),
        ),
    ),
    Identity(
        "logits-shift-loss",
        "The loss does not change when a constant is added to all logits",
        "ln(sum(w, 0, V-1, exp(z[w] + c))) - (z[t] + c) = -ln(p[t])",
        where=(P,),
        given=("0 <= t < V",),
        steps=(
            Step("c + ln(sum(w, 0, V-1, exp(z[w]))) - z[t] - c", "the shift of logsumexp"),
            Step("ln(sum(w, 0, V-1, exp(z[w]))) - z[t]", "c cancels"),
            Step("-ln(p[t])", "cross-entropy by logsumexp"),
        ),
        twins=(
            Twin(
                "ln(sum(w, 0, V-1, exp(z[w] + c))) - z[t] = -ln(p[t])",
                "the target's logit is shifted too",
            ),
            Twin(
                "ln(sum(w, 0, V-1, exp(z[w] + c)))^2 = ln(sum(w, 0, V-1, exp(z[w])))^2",
                "a penalty on the squared logsumexp (z-loss) does see the shift",
            ),
        ),
    ),
    Identity(
        "probability-of-a-text",
        "The probability of a text is exp of the sum of its tokens' log probabilities",
        "q[T] = exp(sum(t, 1, T, ln(p[t])))",
        given=("T >= 0", "p[t] > 0"),
        recurrences=(Recurrence("q", "t", "1", "q[t]*p[t+1]"),),
        induction=Induction(
            "T",
            base=(Step("1", "the empty text"), Step("exp(sum(t, 1, 0, ln(p[t])))", "exp(0) = 1")),
            step=(
                Step("q[T]*p[T+1]", "the chain rule of probability: one more token"),
                Step("exp(sum(t, 1, T, ln(p[t])))*p[T+1]", "the statement for T"),
                Step("exp(sum(t, 1, T, ln(p[t])) + ln(p[T+1]))", "exp undoes ln"),
                Step("exp(sum(t, 1, T+1, ln(p[t])))", "the last term"),
            ),
        ),
        twins=(
            Twin("q[T] = sum(t, 1, T, p[t])", "probabilities are multiplied"),
            Twin("q[T] = exp(sum(t, 1, T+1, ln(p[t])))", "one token too many"),
            Twin("q[T] = exp(sum(t, 1, T, ln(p[t]))/T)", "the mean is not the sum"),
        ),
        note="q[T] is p[1] p[2] … p[T]; p[t] belongs to token t after those before it.",
    ),
    Identity(
        "perplexity-is-exp-cross-entropy",
        "Perplexity is exp(cross-entropy): the inverse geometric mean of the probabilities",
        "q^(-1/n) = exp(C)",
        where=("q = exp(sum(t, 1, n, ln(p[t])))", CE),
        given=("p[t] > 0",),
        steps=(
            Step("exp(-sum(t, 1, n, ln(p[t]))/n)", "(exp(a))^b = exp(a b) for real a"),
            Step("exp(C)", "the mean of -ln p over the tokens is the cross-entropy"),
        ),
        twins=(
            Twin("q^(-1/n) = exp(n*C)", "cross-entropy is the mean over the tokens"),
            Twin(
                "q^(-1/n) = 2^C",
                "2 belongs to a cross-entropy in bits",
            ),
            Twin(
                "sum(t, 1, n, 1/p[t])/n = exp(C)",
                "the arithmetic mean of the inverse probabilities is another mean",
            ),
        ),
        note="q is the probability of the text, the product of the n tokens' probabilities.",
    ),
    Identity(
        "perplexity-in-bits",
        "In bits: perplexity is 2 to the power of the cross-entropy with base-2 logarithms",
        "2^b = exp(C)",
        where=("b = -sum(t, 1, n, ln(p[t])/ln(2))/n", CE),
        given=("p[t] > 0",),
        steps=(
            Step("exp(b*ln(2))", "a power of 2 is a power of e"),
            Step("exp(C)", "b ln 2 is the cross-entropy in nats"),
        ),
        twins=(
            Twin("2^C = exp(C)", "nats in a power of 2"),
            Twin("exp(b) = exp(C)", "bits in a power of e"),
        ),
    ),
    Identity(
        "perplexity-of-guessing",
        "A model that guesses all V tokens alike has the perplexity V",
        "exp(C) = V",
        where=("C = -sum(t, 1, n, ln(1/V))/n",),
        given=("V integer", "V >= 1"),
        steps=(
            Step("exp(ln(V))", "n equal terms -ln(1/V) = ln(V), divided by n"),
            Step("V", "exp undoes ln"),
        ),
        twins=(
            Twin("exp(C) = ln(V)", "that is its cross-entropy"),
            Twin("exp(n*C) = V", "the sum is not the mean"),
        ),
    ),
)
