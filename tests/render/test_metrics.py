"""The estimate of widths, against pdflatex itself."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings

from derive.line import Shown
from derive.render.latex_maths import LatexPrinter
from derive.render.metrics import size
from tests.render.trees import NAMES, TREES
from tests.render.ugly import WIDE


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="needs pdflatex")
def test_widths(tmp_path: Path) -> None:
    """Never more than 2 % under the true width, and seldom far over it."""
    trees: list[Shown] = list(WIDE)

    @settings(max_examples=150, database=None)
    @given(TREES)
    def collect(tree: Shown) -> None:
        trees.append(tree)

    collect()
    codes = [code for code in map(LatexPrinter(NAMES).line, trees) if len(code) < 1500]
    boxes = "\n".join(
        rf"\setbox0\hbox{{$\displaystyle {code}$}}\immediate\write16{{W:{k}:\the\wd0}}"
        for k, code in enumerate(codes)
    )
    source = rf"\documentclass[11pt]{{article}}\usepackage{{amsmath,amssymb}}\begin{{document}}{boxes}\end{{document}}"  # noqa: E501
    (tmp_path / "widths.tex").write_text(source, encoding="utf-8")
    run = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "widths.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    found = {int(k): float(w) for k, w in re.findall(r"W:(\d+):([\d.]+)pt", run.stdout)}
    assert len(found) == len(codes)
    for k, width in found.items():
        estimate = size(codes[k]).width / 100
        assert 0.98 * width - 1 <= estimate <= 1.3 * width + 15, codes[k]
