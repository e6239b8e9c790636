"""Names in LaTeX: from their structure, never from their sound."""

from __future__ import annotations

import pytest

from derive.render.names import letter, matrix, symbol


@pytest.mark.parametrize(
    ("short", "code"),
    [
        ("A", "A_{2,0}"),
        ("W_Q", "W^{Q}_{2,0}"),
        ("Q_rot", r"Q^{\mathrm{rot}}_{2,0}"),
        ("S_scaled", r"S^{\mathrm{scaled}}_{2,0}"),
        ("N1", r"\mathrm{N1}_{2,0}"),
        ("N2.rms", r"\mathrm{rms}^{\mathrm{N2}}_{2,0}"),
        ("H.rms", r"\mathrm{rms}^{H}_{2,0}"),
        ("Q_norm.rms", r"\mathrm{rms}^{Q\,\mathrm{norm}}_{2,0}"),
        ("A.exp", r"A^{\mathrm{exp}}_{2,0}"),
        ("W_up", r"W^{\mathrm{up}}_{2,0}"),
        ("b_Q", "b^{Q}_{2,0}"),
        ("logits", r"\mathrm{logits}_{2,0}"),
        ("probs_cut", r"\mathrm{probs}^{\mathrm{cut}}_{2,0}"),
        ("loss.mean", r"\mathrm{loss}^{\mathrm{mean}}_{2,0}"),
        ("b1.h0.A", r"A^{(\mathrm{b1.h0})}_{2,0}"),
        ("b1.h0.W_Q", r"W^{Q\,(\mathrm{b1.h0})}_{2,0}"),
        ("mem.b0.A", r"A^{(\mathrm{mem.b0})}_{2,0}"),
        ("b0.kv1.K", r"K^{(\mathrm{b0.kv1})}_{2,0}"),
        ("b0.e1.U", r"U^{(\mathrm{b0.e1})}_{2,0}"),
        ("b0.H_mid.rms", r"\mathrm{rms}^{H\,\mathrm{mid}\,(\mathrm{b0})}_{2,0}"),
        ("flash.m", r"m^{\mathrm{flash}}_{2,0}"),
        ("flash.l", r"\ell^{\mathrm{flash}}_{2,0}"),
        ("flash.alpha", r"\alpha^{\mathrm{flash}}_{2,0}"),
        ("d.W_Q", r"\partial W^{Q}_{2,0}"),
        ("e1", r"\mathrm{e1}_{2,0}"),
        ("50%", r"\text{50\%}_{2,0}"),
    ],
)
def test_matrix(short: str, code: str) -> None:
    assert matrix(short).with_indices("2,0") == code


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("x", "x"),
        ("w_00", "w_{00}"),
        ("k00", "k_{00}"),
        ("d_model", r"d_{\mathrm{model}}"),
        ("alpha", r"\alpha"),
        ("theta_0", r"\theta_{0}"),
        ("epsilon", r"\varepsilon"),
        ("beta1", r"\mathrm{beta1}"),  # not a Greek name
        ("xhat", r"\mathrm{xhat}"),
        ("abar", r"\mathrm{abar}"),
        ("xprime", r"\mathrm{xprime}"),
        ("W_Q_1_2", "W_{Q,1,2}"),
        ("lamda", r"\mathrm{lamda}"),
    ],
)
def test_symbol(name: str, code: str) -> None:
    assert symbol(name) == code


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("i", "i"),
        ("d_k", "d_{k}"),
        ("ε", r"\varepsilon"),
        ("θ_0", r"\theta_{0}"),
        ("2p", "2p"),
        ("2p+1", "2p+1"),
        ("p−1", "p-1"),
        ("n_q", "n_{q}"),
        ("d_ff", r"d_{\mathrm{ff}}"),
        ("i+k/2", "i+k/2"),
        ("dk", r"\mathrm{dk}"),
        ("%", r"\text{\%}"),
    ],
)
def test_letter(name: str, code: str) -> None:
    assert letter(name) == code
