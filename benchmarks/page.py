"""Bytes, load and clicks of a page, against the same lines as TeX drawn by KaTeX in one file.

    python -m benchmarks.page [FOLDER OF KATEX]

The folder is KaTeX's `dist` (katex.min.js, katex.min.css, fonts/); without it only our own page
is measured.  Needs Playwright and chromium.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import derive
from derive.documents.page import page

MODEL = "mat"
RUNS = 5
OURS = """() => { const out = []; for (const b of
  [...document.querySelectorAll("#matrices td button")].filter((_, k) => k % 37 === 0)) {
  const t = performance.now(); b.click(); document.body.offsetHeight;
  out.push(performance.now() - t); } return out; }"""
ALL_TEX = """() => S.matrices.flatMap((m, mi) => Array.from({length:
  m.shape.reduce((a, b) => a * b)}, (_, k) => asLatex(cell(mi, unflat(m, k)))
  .replaceAll("align*", "aligned")))"""


def with_katex(folder: Path, formulas: list[str]) -> str:
    """The same content for KaTeX: a button a cell, its lines as TeX, drawn on click."""
    css = (folder / "katex.min.css").read_text("utf-8")

    def font(found: re.Match[str]) -> str:
        data = base64.b64encode((folder / found[1]).read_bytes()).decode()
        return f"url(data:font/woff2;base64,{data})"

    css = re.sub(r",url\([^)]*\.(?:woff|ttf)\) format\([^)]*\)", "", css)
    css = re.sub(r"url\((fonts/[^)]*\.woff2)\)", font, css)
    script = (folder / "katex.min.js").read_text("utf-8")
    data = json.dumps(formulas).replace("<", "\\u003c")
    return f"""<!DOCTYPE html><meta charset="utf-8"><style>{css}</style><div id="p"></div>
<div id="matrices"><table><tbody><tr></tr></tbody></table></div><script>{script}</script><script>
const F = {data}; const tr = document.querySelector("tr");
F.forEach((f, k) => {{ const b = document.createElement("button"); b.textContent = k;
  b.onclick = () => katex.render(f, document.getElementById("p"), {{displayMode: true}});
  const td = document.createElement("td"); td.append(b); tr.append(td); }});
document.body.classList.add("ready");</script>"""


def measured(browser: Any, name: str, text: str) -> list[str]:
    """Prints one row, the median of some runs; gives back the lines as TeX where it is ours."""
    rows, formulas = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        path.write_text(text, "utf-8")
        for _ in range(RUNS):
            tab = browser.new_page(viewport={"width": 1400, "height": 900})
            tab.goto(path.as_uri())
            tab.wait_for_selector("body.ready")
            tab.wait_for_timeout(200)
            load = tab.evaluate("() => performance.getEntriesByType('navigation')[0].loadEventEnd")
            first, *later = tab.evaluate(OURS)
            rows.append((load, first, sorted(later)[len(later) // 2]))
            if name == "derive" and not formulas:
                formulas = tab.evaluate(ALL_TEX)
            tab.close()
    load, first, later = (sorted(column)[RUNS // 2] for column in zip(*rows, strict=True))
    print(f"{name:<8}{len(text.encode()):>10} bytes  load {load:.0f} ms  "
          f"first click {first:.1f} ms  then {later:.1f} ms")  # fmt: skip
    return formulas


def main() -> None:
    from playwright.sync_api import sync_playwright

    katex = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    chromium = shutil.which("chromium")
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        formulas = measured(browser, "derive", page([derive.load(MODEL)]))
        print(f"{'':<8}{len(formulas):>10} cells")
        if katex:
            measured(browser, "KaTeX", with_katex(katex, formulas))
        else:
            print("KaTeX   not measured: give the folder of its files")
        browser.close()


if __name__ == "__main__":
    main()
