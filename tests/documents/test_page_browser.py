"""The page in a browser: what a reader sees is what derive says; keyboard, screen, paper.

Needs Playwright and Debian's chromium; without them these tests are skipped, and say so.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import derive
from derive.blocks import build
from derive.documents.page import page
from derive.errors import ModelError
from derive.exact.rounding import decimal_text, rounded_digits
from derive.graph import Cell, derivation
from derive.graph.graph import Graph
from derive.render.escape import true_minus
from derive.render.plain_maths import TextPrinter
from derive.render.steps import distinct
from tests.documents.test_page import HOSTILE, hostile

sync_api = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: the page is not tried in a browser"
)
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
if CHROMIUM is None:
    pytest.skip("no chromium here: the page is not tried in a browser", allow_module_level=True)

THREE_INDICES = pytest.mark.xfail(
    reason="the page writes tiles as columns: FlashAttention's matrices have three indices"
)
WORDS = """
vocabulary = ["a", "b", "c"]
tokens = ["a", "b", "c"]
embedding = {E = [[1, 0], [0, 1], [1, 1]]}
[[block]]
[block.attention]
mask = "causal"
W_Q = [[1, 0], [0, 1]]
W_K = [[1, 1], [0, 1]]
W_V = [[1, 2], [0, 1]]
[output]
W_U = [[1, 0, 2], [0, 1, "1/2"]]
"""
DEJAVU_ONLY = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir>{folder}</dir><cachedir>{cache}</cachedir></fontconfig>"""


class Shown:
    """A page in a tab without a network; anything that goes wrong is kept."""

    def __init__(self, browser: Any, folder: Path, text: str, fragment: str = "", **context: Any):
        self.path = folder / f"{len(list(folder.iterdir()))}.html"
        self.path.write_text(text, "utf-8")
        self.context = browser.new_context(offline=True, **context)
        self.tab = self.context.new_page()
        self.wrong: list[str] = []
        self.asked: list[str] = []
        self.tab.on("console", lambda m: self.wrong.append(m.text))
        self.tab.on("pageerror", lambda e: self.wrong.append(str(e)))
        self.tab.on("dialog", lambda d: (self.wrong.append("dialog"), d.dismiss()))
        self.tab.on("request", lambda r: self.asked.append(r.url))
        self.tab.goto(self.path.as_uri() + fragment)
        self.tab.wait_for_selector("body.ready")

    def run(self, code: str, argument: Any = None) -> Any:
        return self.tab.evaluate(code, argument)

    def quiet(self) -> bool:
        """Nothing went wrong, and only the file itself was read (and the font inside it)."""
        other = [u for u in self.asked if not u.startswith(("data:", self.path.as_uri()))]
        return not self.wrong and not other


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as p:
        found = p.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def graph() -> Graph:
    return build(derive.load("cats"))


@pytest.fixture(scope="module")
def cats_text() -> str:
    return page([derive.load("cats")], 5)


@pytest.fixture(scope="module")
def cats(browser: Any, folder: Path, cats_text: str) -> Iterator[Shown]:
    shown = Shown(browser, folder, cats_text, viewport={"width": 1400, "height": 900})
    yield shown
    assert shown.quiet(), (shown.wrong, shown.asked)
    shown.context.close()


def lines(graph: Graph, cell: Cell, digits: int = 5) -> list[str]:
    """What `derive cell` prints, a line each, unbroken."""
    address = f"{cell.matrix.name}[{','.join(map(str, cell.indices))}]"
    d = derivation(graph, address, 0, digits)
    (step,) = d.steps
    plain = TextPrinter(d.names)
    kept = distinct(
        step.lines, lambda x: f"{plain.line(x.left)} {x.relation} {plain.line(x.right)}"
    )
    printers = [TextPrinter(d.names, x.kind == "substituted") for x in kept]
    texts = [
        f"{x.kind}: {p.line(x.left)} {x.relation} {p.line(x.right)} {x.note}".strip()
        for x, p in zip(kept, printers, strict=True)
    ]
    return [step.title.replace("-inf", "−∞"), *texts, true_minus(step.note)]


ALL = """() => S.matrices.flatMap((m, mi) => Array.from({length: m.shape.reduce((a, b) => a * b)},
  (_, k) => { const c = cell(mi, unflat(m, k)), ls = linesOf(c);
    return [titleOf(c), ...ls.map((x) => `${x.kind}: ${printed(x)} ${x.note}`.trim()),
            notesOf(c, ls)]; }))"""


def cells(graph: Graph) -> list[Cell]:
    return [Cell(graph, m, at) for m in graph for at in product(*map(range, m.shape))]


@THREE_INDICES
def test_every_line_of_every_cell_is_that_of_derive_cell(cats: Shown, graph: Graph) -> None:
    assert cats.run(ALL) == [lines(graph, cell) for cell in cells(graph)]


@THREE_INDICES
def test_every_cell_clicked_once_shows_its_decimal(cats: Shown, graph: Graph) -> None:
    """Every button of the page: its panel ends in the decimal that `derive cell` prints."""
    shown = cats.run(
        """() => { const out = [];
        for (const b of document.querySelectorAll("#matrices td button")) {
          b.click();
          const last = document.querySelector("#panel .line:last-child");
          out.push([decodeURIComponent(location.hash), b.textContent, last.dataset.text]);
        } return out; }"""
    )
    assert len(shown) == len(cells(graph))
    for (fragment, button, line), cell in zip(shown, cells(graph), strict=True):
        assert fragment == f"#0/{cell.address}"
        text = str(cell.decimal(5)).replace("-", "−").replace("inf", "∞")
        assert button == text
        assert line.endswith(text)


@pytest.mark.parametrize(
    ("name", "sets"),
    [
        ("attention", ["notation.vectors=column", "notation.index_base=1"]),
        ("weights", ["notation.decimal=comma", "notation.index_base=1"]),
        ("cross", []),
        ("moe", []),
    ],
)
def test_other_models_and_notations(browser: Any, folder: Path, name: str, sets: list[str]) -> None:
    model = derive.load(name, sets=sets)
    shown, graph = Shown(browser, folder, page([model], 5)), build(model)
    found = shown.run(ALL)
    all_of = cells(graph)
    some = random.Random(0).sample(range(len(all_of)), min(60, len(all_of)))
    assert len(found) == len(all_of)
    for k in some:
        assert found[k] == lines(graph, all_of[k]), all_of[k].address
    assert shown.quiet(), shown.wrong
    shown.context.close()


def test_rounding_in_the_page_is_that_of_the_kernel(cats: Shown) -> None:
    chosen = random.Random(1)
    numbers = [Fraction(0), Fraction(1, 8), Fraction(-5, 2), Fraction(999999, 10), Fraction(25, 2)]
    numbers += [
        Fraction(chosen.randint(-(10**6), 10**6), chosen.choice([1, 3, 7, 8, 625, 10**9, 10**17]))
        for _ in range(300)
    ]
    for n in (1, 2, 5, 11):
        found = cats.run(
            """([list, n]) => list.map(([p, q]) => { const r =
            rounded(firstDigits(BigInt(p), BigInt(q), 13), n); return [r.text, r.exact]; })""",
            [[(str(x.numerator), str(x.denominator)) for x in numbers], n],
        )
        for x, (text, exact) in zip(numbers, found, strict=True):
            value = rounded_digits(lambda bits, x=x: _ball(x), lambda q, x=x: q == x, n)
            assert value is not None
            assert (text, exact) == (decimal_text(value), value.value == x), x


def _ball(x: Fraction) -> Any:
    from flint import arb, fmpq

    return arb(fmpq(x.numerator, x.denominator))


def test_way_back_and_address(cats: Shown) -> None:
    cats.run("() => { location.hash = '#0/A%5B2,0%5D'; }")
    cats.tab.wait_for_selector("#panel .line.decimal")
    cats.tab.click("#panel .reads button >> nth=0")
    cats.tab.wait_for_function("() => path.length === 2")
    assert cats.run("() => decodeURIComponent(location.hash)") == "#0/A[2,0]/A.exp[2,0]"
    cats.tab.click("#panel math .in >> nth=0")
    cats.tab.wait_for_function("() => path.length === 3")
    assert cats.tab.locator("#panel nav li").count() == 3
    cats.tab.go_back()
    cats.tab.wait_for_function("() => path.length === 2")
    cats.tab.click("#back")
    cats.tab.wait_for_function("() => path.length === 1")
    for bad in ("#0/A[9,9]", "#7/A[0,0]", "#%E0%A4%A", "#0/nothing", "#m3"):
        cats.run("(x) => { location.hash = x; }", bad)
        cats.tab.wait_for_selector("#panel .hint")


def test_keyboard(cats: Shown) -> None:
    assert cats.tab.locator("#matrices table").count() == cats.run(
        """() => document.querySelectorAll("#matrices td button[tabindex='0']").length"""
    )
    cats.run("() => document.querySelector('#m1 button').focus()")
    for key in ("ArrowRight", "ArrowDown", "End", "Home", "ArrowDown", "ArrowUp", "Enter"):
        cats.tab.keyboard.press(key)
    cats.tab.wait_for_selector("#panel .line")
    assert cats.run("() => path.at(-1)") == "X[1,0]"
    assert "X[1,0]" in cats.tab.locator("#live").text_content()
    cats.tab.keyboard.press("Escape")
    cats.tab.wait_for_selector("#panel .hint")
    assert cats.run("() => document.activeElement.dataset.k") == "4"


def test_accessible_names(cats: Shown) -> None:
    cats.run("() => { location.hash = '#0/A%5B2,0%5D'; }")
    cats.tab.wait_for_selector("#panel .line.decimal")
    client = cats.context.new_cdp_session(cats.tab)
    nodes = client.send("Accessibility.getFullAXTree")["nodes"]
    roles: dict[str, list[str]] = {}
    for node in nodes:
        if not node.get("ignored"):
            role = node["role"]["value"]
            roles.setdefault(role, []).append(node.get("name", {}).get("value", ""))
    assert {"MathMLMath", "MathMLFraction", "table", "rowheader", "columnheader"} <= set(roles)
    assert all(roles["button"])
    assert "A, cats, I: 0.41238" in roles["button"]
    assert "A.exp[2,0]: show its calculation" in roles["button"]
    assert all(roles["table"])


def test_copies(cats: Shown) -> None:
    cats.run("() => { location.hash = '#0/A%5B2,0%5D'; }")
    cats.tab.wait_for_selector("#panel .line.decimal")
    cats.tab.click("text=Copy as text")
    text = cats.run("() => window.copied")
    assert text.startswith("A[2,0]   how much “cats” (row 2) attends to “I” (column 0)\n")
    assert "decimal" in text and "≈ 0.41238" in text
    cats.tab.click("text=Copy as LaTeX")
    code = cats.run("() => window.copied")
    assert code.startswith("\\begin{align*}\n")
    assert r"A_{2,0} &= \frac{A^{\mathrm{exp}}_{2,0}}{A^{\mathrm{sum}}_{2,0}}" in code
    assert r"\cos(2)" in code
    assert code.count("{") == code.count("}")


def test_form_digits_and_following(cats: Shown) -> None:
    cats.tab.select_option("#form", "exact")
    assert "√2" in cats.run("() => document.querySelector('#m12 table').textContent")
    cats.tab.select_option("#form", "decimal")
    cats.tab.select_option("#digits", "12")
    graph = build(derive.load("cats"))
    place = cats.run("() => S.matrices.findIndex((m) => m.name === 'A')")
    shown = cats.run(f"() => document.querySelector('#m{place} button[data-k=\"8\"]').textContent")
    assert shown == graph["A[2,0]"].decimal(12)
    cats.tab.select_option("#digits", "5")
    cats.tab.select_option("#follow", "2")
    rows = cats.run(
        """() => [...new Set([...document.querySelectorAll(".followed")].map((b) =>
        b.dataset.row))]"""
    )
    assert rows == ["2"]
    cats.tab.select_option("#follow", "-1")


CONTRAST = """() => { const lum = (c) => { const v = c.map((x) => { x /= 255;
    return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; };
  const rgba = (s) => { const n = s.match(/[\\d.]+/g).map(Number);
    return n.length > 3 ? n : [...n, 1]; };
  const behind = (e) => { let layers = [];
    for (; e; e = e.parentElement) layers.push(rgba(getComputedStyle(e).backgroundColor));
    let c = matchMedia("(prefers-color-scheme: dark)").matches ? [22, 22, 27] : [255, 255, 255];
    for (const l of layers.reverse()) c = c.map((x, k) => x * (1 - l[3]) + l[k] * l[3]);
    return c; };
  const bad = [];
  for (const e of document.querySelectorAll("button, a, p, h1, h2, h3, th, span, dd, dt, mn, mi, "
      + "mo, mtext, label, small, summary, li")) {
    if (!e.checkVisibility() || !e.textContent.trim() || e.disabled || e.closest(".picture"))
      continue;
    const ink = lum(rgba(getComputedStyle(e).color)), paper = lum(behind(e));
    const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    if (ratio < 4.5) bad.push([e.tagName, e.className, e.textContent.slice(0, 20), ratio]);
  } return bad; }"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(browser: Any, folder: Path, cats_text: str, scheme: str) -> None:
    shown = Shown(browser, folder, cats_text, "#0/A%5B2,0%5D", color_scheme=scheme)
    assert shown.run(CONTRAST) == []
    shown.tab.select_option("#follow", "1")
    assert shown.run(CONTRAST) == []
    shown.context.close()


def test_narrow_screen_still_motion_and_paper(browser: Any, folder: Path, cats_text: str) -> None:
    shown = Shown(
        browser, folder, cats_text, "#0/A%5B2,0%5D",
        viewport={"width": 320, "height": 640}, reduced_motion="reduce",
    )  # fmt: skip
    wide = "() => document.documentElement.scrollWidth"
    assert shown.run(wide) <= 320
    assert shown.run("() => getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    place = "() => { const r = document.querySelector('#panel').getBoundingClientRect(); "
    assert shown.run(place + "return r.bottom <= innerHeight && r.height < innerHeight * 0.6; }")
    shown.tab.emulate_media(media="print")
    visible = "(s) => [...document.querySelectorAll(s)].some((e) => e.checkVisibility())"
    assert not shown.run(visible, ".controls, .outline, .tools button")
    assert shown.run(visible, "#panel .line.decimal .right")
    assert len(shown.tab.pdf()) < 1_000_000
    shown.context.close()


def test_hostile_tokens_in_the_browser(browser: Any, folder: Path) -> None:
    shown = Shown(browser, folder, page([derive.loads(hostile())]),
                  viewport={"width": 320, "height": 640})  # fmt: skip
    shown.tab.click("#m0 td button >> nth=0")
    shown.tab.wait_for_selector("#panel .line")
    assert shown.quiet(), shown.wrong
    assert shown.tab.locator("#m0 tbody th").count() == len(HOSTILE)
    assert shown.run("() => [...document.querySelectorAll('#m0 tbody th')].every((t) => "
                     "t.textContent && t.getBoundingClientRect().width < 200)")  # fmt: skip
    assert shown.run("() => document.documentElement.scrollWidth") <= 320
    assert shown.run("() => document.querySelectorAll('img, #matrices script').length") == 0
    ids = shown.run("() => [...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(ids) == len(set(ids))
    shown.context.close()


def test_texts_temperature_and_decoding(browser: Any, folder: Path) -> None:
    one = derive.loads(WORDS)
    two = derive.loads(WORDS, tokens="b a")
    shown = Shown(browser, folder, page([one, two], 4, ["1", "3"]))
    assert shown.run("() => document.querySelectorAll('#bars li').length") == 3
    shown.tab.select_option("#sentence", "1")
    shown.tab.wait_for_function("() => S.tokens.length === 2")
    shown.run("""() => { const t = document.querySelector("#heat");
        t.value = t.max; t.dispatchEvent(new Event("input")); }""")
    assert shown.tab.locator("#T").text_content() == "T = 3"
    warm = build(derive.loads(WORDS, tokens="b a", sets=["temperature=3"]))
    first = shown.tab.locator("#bars li").first
    word = first.locator("bdi").text_content()
    assert first.locator(".chance").text_content() == f"≈ {warm[f'probs[1,{word}]'].decimal(4)}"
    assert shown.tab.locator("#decode > ol > li").count() == 1
    shown.tab.click("#add")
    assert shown.tab.locator("#decode > ol > li").count() == 2
    assert shown.quiet(), shown.wrong
    shown.context.close()


def test_tiles_one_by_one(browser: Any, folder: Path) -> None:
    try:
        model = derive.load("cats", sets=["tile=[2, 2]"])
    except ModelError:
        pytest.skip("this version has no tiles")
    shown = Shown(browser, folder, page([model]))
    assert shown.run("() => document.querySelectorAll('.later').length") == 0
    shown.tab.click("text=Tile before")
    assert shown.run("() => document.querySelectorAll('.later').length") > 0
    shown.tab.click("#next-tile")
    assert shown.run("() => document.querySelectorAll('.later').length") == 0
    assert shown.quiet(), shown.wrong
    shown.context.close()


def test_looks_the_same_where_no_math_font_is_installed(
    folder: Path, cats_text: str, cats: Shown, tmp_path: Path
) -> None:
    """The font comes with the page: with DejaVu Sans alone, formulas have the same size."""
    dejavu = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
    if not dejavu.exists():
        pytest.skip("no DejaVu Sans here: the page is not tried without math fonts")
    fonts = tmp_path / "fonts"
    fonts.mkdir()
    (fonts / dejavu.name).symlink_to(dejavu)
    config = tmp_path / "fonts.conf"
    config.write_text(DEJAVU_ONLY.format(folder=fonts, cache=tmp_path / "cache"), "utf-8")
    measure = """async () => { await document.fonts.ready;
        const r = document.querySelector("#panel .line .right math").getBoundingClientRect();
        return [document.fonts.check('16px "Derive Math"'), Math.round(r.width),
                Math.round(r.height)]; }"""
    cats.run("() => { location.hash = '#0/A%5B2,0%5D'; }")
    cats.tab.wait_for_selector("#panel .line.decimal")
    usual = cats.run(measure)
    with_fonts = {"FONTCONFIG_FILE": str(config)}
    code = _measured_apart(cats.path, measure, with_fonts)
    assert code == usual


def _measured_apart(path: Path, measure: str, environment: dict[str, str]) -> Any:
    """The same measurement in a browser of its own, with another environment."""
    import json
    import os
    import subprocess
    import sys

    script = f"""
import json
from playwright.sync_api import sync_playwright
with sync_playwright() as p:
    b = p.chromium.launch(executable_path={CHROMIUM!r}, args=["--no-sandbox"])
    t = b.new_page(viewport={{"width": 1400, "height": 900}})
    t.goto({path.as_uri()!r} + "#0/A%5B2,0%5D")
    t.wait_for_selector("#panel .line.decimal")
    print(json.dumps(t.evaluate({measure!r})))
    b.close()
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60,
        env={**os.environ, **environment},
    )  # fmt: skip
    return json.loads(done.stdout)
