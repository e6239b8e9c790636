// Formulas of a page: from shared trees to text, LaTeX and MathML.
// The trees and the rules of printing are those of derive/line and derive/render.
"use strict";
const SUM = 0, SIGMA = 1, PRODUCT = 2, POWER = 3, ATOM = 4;
const SUPER = { 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹", "-": "⁻" };
const REL = { "<=": "≤", ">=": "≥", "!=": "≠" };
const ROOTS = { 2: "√", 3: "∛", 4: "∜" };
const RUNNING = new Set(["i", "j", "k", "c", "t_i", "t_j"]);
const NAMED = { relu: "ReLU", silu: "SiLU", gelu: "GELU", log: "ln", ln: "ln", asin: "arcsin", acos: "arccos", atan: "arctan" };
const AT_NAME = new Set(["cos", "sin", "tan", "cot", "sec", "csc", "cosh", "sinh", "tanh"]);
const TEX_FN = new Set(["cos", "sin", "tan", "cot", "sec", "csc", "cosh", "sinh", "tanh", "max", "min", "exp", "ln", "log", "arccos", "arcsin", "arctan"]);
const GREEK = { α: "alpha", β: "beta", γ: "gamma", δ: "delta", ε: "varepsilon", ζ: "zeta", η: "eta", θ: "theta", κ: "kappa", λ: "lambda", μ: "mu", ν: "nu", ξ: "xi", π: "pi", ρ: "rho", σ: "sigma", τ: "tau", φ: "varphi", ϕ: "phi", χ: "chi", ψ: "psi", ω: "omega", Σ: "Sigma", Δ: "Delta", ℓ: "ell", "∂": "partial" };

// ---- trees: {t: kind, …}; built from the arrays of the data -----------------------------
const Num = (p, q = 1n) => ({ t: "n", p: BigInt(p), q: BigInt(q) });

function makeTree(S, ref, letters) {
  // the tree with the values of letters put beside their names
  const x = S.trees[ref];
  if (typeof x === "number") return Num(x);
  if (typeof x === "string") { const [p, q] = x.split("/"); return Num(p, q); }
  const sub = (r) => makeTree(S, r, letters);
  switch (x[0]) {
    case "l": return { t: "l", name: x[1], value: x.length > 2 ? sub(x[2]) : letters(x[1]) };
    case "e": return { t: "e", m: x[1], at: x.slice(2).map(sub) };
    case "c": return { t: "c", branches: x.slice(1).map(([v, l, r, w]) => ({ value: sub(v), left: l === null ? null : sub(l), rel: r, right: w === null ? null : sub(w) })) };
    case "s": return { t: "s", index: x[1], count: sub(x[2]), body: sub(x[3]) };
    case "f": return { t: "f", name: x[1], args: x.slice(2).map(sub) };
    case "r": return { t: "r", args: [sub(x[1])], n: x[2] };
    case "k": case "y": case "b": case "d": return { t: x[0], name: x[1] };
  }
  return { t: x[0], args: x.slice(1).map(sub) };
}

function rebuilt(x, change) {
  if (x.t === "e") return { ...x, at: x.at.map(change) };
  if (x.t === "s") return { ...x, body: change(x.body) };
  if (x.args) return { ...x, args: x.args.map(change) };
  return x;
}

function atCell(x, branches) {
  // letters by their values, sums written out, the case that holds
  if (x.t === "l") return atCell(x.value, branches);
  if (x.t === "s") {
    const n = Number(atCell(x.count, branches).p), terms = [];
    for (let k = 0; k < n; k++) terms.push(atCell(putIndex(x.body, x.index, Num(k)), branches));
    return n === 1 ? terms[0] : { t: "+", args: terms };
  }
  if (x.t === "c") return atCell(x.branches[branches.shift()].value, branches);
  return rebuilt(x, (part) => atCell(part, branches));
}
const putIndex = (x, name, number) => x.t === "b" && x.name === name ? number : rebuilt(x, (part) => putIndex(part, name, number));

function elided(x, longest, largest) {
  x = rebuilt(x, (part) => elided(part, longest, largest));
  if (x.t !== "+" || x.args.length <= longest) return x;
  const shown = [...new Set([0, 1, x.args.length - 1, largest.shift() ?? 0])].sort((a, b) => a - b);
  return { ...x, shown };
}
function longSum(x) {
  if (x.t === "+" && x.shown) return x.args.length;
  for (const part of x.args || []) { const n = longSum(part); if (n) return n; }
  return 0;
}
function* entriesOf(x) {
  if (x.t === "e") yield x;
  else for (const part of x.args || []) yield* entriesOf(part);
}
const withEntries = (x, put) => x.t === "e" ? put(x) : rebuilt(x, (part) => withEntries(part, put));

// ---- decimals: correctly rounded from first digits that were cut off ---------------------
function firstDigits(p, q, kept) {
  // the digits of a fraction by whole-number division
  const minus = p < 0n; let a = minus ? -p : p;
  if (a === 0n) return { minus: false, digits: "", e: 0, more: false };
  let e = a.toString().length - q.toString().length;
  const ten = (k) => 10n ** BigInt(k);
  const less = (k) => k >= 0 ? a < q * ten(k) : a * ten(-k) < q;
  while (less(e)) e--;
  while (!less(e + 1)) e++;
  const shift = kept - 1 - e;
  const above = shift >= 0 ? a * ten(shift) : a, below = shift >= 0 ? q : q * ten(-shift);
  return { minus, digits: (above / below).toString().replace(/0+$/, ""), e, more: above % below !== 0n, full: kept };
}
function readDigits(text) {
  const [, sign, digits, e, more] = /^(-?)(\d+)e(-?\d+)(\+?)$/.exec(text);
  return { minus: sign === "-", digits: digits === "0" ? "" : digits, e: Number(e), more: more === "+" };
}
function rounded(d, n) {
  // {text, exact}: n significant digits, ties to even, exact ones not padded
  if (!d.digits) return { text: "0", exact: true };
  let kept = d.digits.slice(0, n).padEnd(n, "0"), e = d.e;
  const rest = d.digits.slice(n), beyond = /[1-9]/.test(rest.slice(1)) || d.more;
  const exact = !/[1-9]/.test(rest) && !d.more;
  const up = rest && (rest[0] > "5" || (rest[0] === "5" && (beyond || "13579".includes(kept[n - 1]))));
  if (up) {
    kept = (BigInt(kept) + 1n).toString();
    if (kept.length > n) { kept = kept.slice(0, n); e++; }
  }
  if (exact) kept = kept.replace(/0+$/, "");
  const sign = d.minus ? "-" : "";
  if (e < -6 || e > 14) return { text: `${sign}${kept[0]}${kept.length > 1 ? "." + kept.slice(1) : ""}e${e}`, exact };
  if (e < 0) kept = "0".repeat(-e) + kept;
  const whole = Math.max(e, 0) + 1;
  kept = kept.padEnd(whole, "0");
  return { text: sign + kept.slice(0, whole) + (kept.length > whole ? "." + kept.slice(whole) : ""), exact };
}

// ---- printing: what all formats share ----------------------------------------------------
const number = (x) => x.t === "n" || x.t === "d" || x.t === "/";
const lastIndex = (name) => {
  name = name.replace(/ /g, "").replace(/−/g, "-");
  return /^\d+$/.test(name) ? String(Number(name) - 1) : name.endsWith("+1") ? name.slice(0, -2) : name + "-1";
};
const letterStrength = (name) => /[-+−]/.test(name.slice(1)) || /^[-−]/.test(name) ? SUM
  : /[·/ ]/.test(name) || (/^\d/.test(name) && !/^\d+$/.test(name)) ? PRODUCT : ATOM;
function shifted(x, base) {
  if (!base) return x;
  if (x.t === "n" && x.q === 1n) return Num(x.p + BigInt(base));
  if (x.t === "l" && !RUNNING.has(x.name)) {
    const [stem, more] = x.name.split("+");
    return { ...x, name: `${stem}+${(/^\d+$/.test(more) ? Number(more) : 0) + base}` };
  }
  return x;
}
const isInf = (x) => x.t === "k" && x.name === "inf";

class Printer {
  constructor(S, numbers) { this.S = S; this.numbers = numbers; }
  show(x, lead = true) {
    const printed = this.bare(x, lead);
    return x.from ? { ...printed, k: this.linked(printed.k, x.from) } : printed;
  }
  linked(k) { return k; }
  bare(x, lead) {
    switch (x.t) {
      case "+": return this.plus(x);
      case "*": return this.times(x, lead);
      case "-": { const p = this.term(x.args[0], false); return { k: [this.sign(true, true), ...p.k], s: Math.min(p.s, POWER), minus: true }; }
      case "/": return this.over(x, lead);
      case "^": return this.power(x);
      case "r": return this.root(x);
      case "f":
        if (x.name === "exp" && x.args.length === 1) return this.power({ t: "^", args: [{ t: "k", name: "e" }, x.args[0]] });
        if (x.name === "sqrt" && x.args.length === 1) return this.root({ t: "r", args: x.args, n: 2 });
        return this.call(x);
      case "s": return this.total(x);
      case "c": return this.cases(x);
    }
    return this.leaf(x);
  }
  plus(x) {
    if (x.args.length < 2) return x.args.length ? this.show(x.args[0]) : this.leaf(Num(0));
    const k = []; let minus = false, expected = 0;
    const gap = () => { if (k.length) k.push(this.sign(false, false)); k.push(this.dots()); };
    for (const place of x.shown || x.args.keys()) {
      if (place > expected) gap();
      const term = x.args[place], negative = k.length > 0 && term.t === "-" && !isInf(term.args[0]);
      const p = this.term(negative ? { ...term.args[0], from: term.args[0].from || term.from } : term, !k.length);
      minus = minus || (!k.length && !!p.minus);
      if (k.length) k.push(this.sign(negative, false));
      k.push(...p.k);
      expected = place + 1;
    }
    if (expected < x.args.length) gap();
    return { k, s: SUM, minus };
  }
  term(x, lead) {
    const p = this.show(x, lead);
    if (p.s < SIGMA) return this.bracketed(p);
    return lead ? p : this.unsigned(p);
  }
  times(x, lead) {
    const f = x.args;
    if (f.length < 2) return f.length ? this.show(f[0], lead) : this.leaf(Num(1));
    const printed = f.map((_, k) => this.factor(f, k, lead)), out = [...printed[0].k];
    for (let k = 1; k < f.length; k++) {
      const dot = this.dot(f[k - 1], f[k], printed[k - 1], printed[k]);
      if (dot) out.push(dot);
      out.push(...printed[k].k);
    }
    return { k: out, s: f.at(-1).t === "s" ? SIGMA : PRODUCT, minus: printed[0].minus };
  }
  factor(f, k, lead) {
    const x = f[k], mayLead = lead && !this.numbers && k === 0, p = this.show(x, mayLead);
    if (p.s < (x.t === "*" && mayLead ? PRODUCT : POWER) && !(x.t === "s" && k === f.length - 1)) return this.bracketed(p);
    return mayLead ? p : this.unsigned(p);
  }
  unsigned(p) { return p.minus ? this.bracketed(p) : p; }
}

// ---- as one line of text -----------------------------------------------------------------
class TextPrinter extends Printer {
  line(x) { return this.show(x).k.join(""); }
  sign(minus, first) { return first ? "−" : minus ? " − " : " + "; }
  dots() { return "…"; }
  dot() { return "·"; }
  bracketed(p, before = "", after = "") { return { k: [before + "(" + p.k.join("") + ")" + after], s: ATOM }; }
  args(name, args, s = ATOM) { return { k: [`${name}(${args.map((a) => this.line(a)).join(", ")})`], s }; }
  signed(minus, text, s) { return { k: [minus ? "−" + text : text], s, minus }; }
  leaf(x) {
    switch (x.t) {
      case "n": {
        const text = (x.p < 0n ? -x.p : x.p).toString();
        return this.signed(x.p < 0n, x.q === 1n ? text : `${text}/${x.q}`, x.q === 1n ? ATOM : PRODUCT);
      }
      case "d": {
        const [minus, digits, e] = cleanDecimal(x.name, this.S.comma ? "," : ".");
        return e === null ? this.signed(minus, digits, ATOM) : this.signed(minus, `${digits}×10${superscript(e)}`, PRODUCT);
      }
      case "l": return { k: [x.name.replace(/-/g, "−")], s: letterStrength(x.name) };
      case "k": return { k: [{ pi: "π", inf: "∞" }[x.name] || x.name], s: ATOM };
      case "e": return { k: [`${this.S.matrices[x.m].name}[${x.at.map((a) => this.line(shifted(a, this.S.base))).join(",")}]`], s: ATOM };
    }
    return { k: [x.name], s: ATOM };
  }
  over(x, lead) {
    let a = this.show(x.args[0], lead), b = this.unsigned(this.show(x.args[1], false));
    if (a.s < PRODUCT || x.args[0].t === "/" || (x.args[0].t === "n" && x.args[0].q !== 1n)) a = this.bracketed(a);
    if (b.s < POWER) b = this.bracketed(b);
    return { k: [...a.k, "/", ...b.k], s: PRODUCT, minus: a.minus };
  }
  power(x) {
    let base = this.unsigned(this.show(x.args[0]));
    const e = x.args[1];
    if (base.s < ATOM) base = this.bracketed(base);
    const end = e.t === "n" && e.q === 1n ? superscript(e.p) : simple(e) ? "^" + this.line(e) : `^(${this.line(e)})`;
    return { k: [base.k.join("") + end], s: POWER };
  }
  root(x) {
    if (!ROOTS[x.n]) return this.args("root", [x.args[0], Num(x.n)]);
    const inner = this.line(x.args[0]);
    return { k: [ROOTS[x.n] + (simple(x.args[0]) ? inner : `(${inner})`)], s: POWER };
  }
  call(x) { return this.args(x.name === "log" ? "ln" : x.name, x.args); }
  total(x) {
    const [first, last] = bounds(x.count, this.S.base);
    let body = this.show(x.body, false);
    body = body.s < SIGMA ? this.bracketed(body) : this.unsigned(body);
    return { k: [`Σ_{${x.index}=${first}}^{${last.replace(/-/g, "−")}} `, ...body.k], s: SIGMA };
  }
  cases(x) { return { k: [x.branches.map((b) => `${this.line(b.value)} ${this.when(b)}`).join(", ")], s: SUM }; }
  when(b) { return b.left === null ? "otherwise" : `if ${this.line(b.left)} ${REL[b.rel] || b.rel} ${this.line(b.right)}`; }
}
const superscript = (n) => [...n.toString()].map((c) => SUPER[c]).join("");
const bounds = (count, base) => [base, base ? count.name.replace(/ /g, "") : lastIndex(count.name)];
function simple(x) {
  switch (x.t) {
    case "n": return x.q === 1n && x.p >= 0n;
    case "l": return letterStrength(x.name) === ATOM;
    case "k": return x.name !== "inf";
    case "d": return !/^-|e/.test(x.name);
  }
  return x.t === "y" || x.t === "b";
}
function cleanDecimal(text, point) {
  const [digits, e] = text.split("e");
  return [digits.startsWith("-") && /[1-9]/.test(digits), digits.replace(/^-/, "").replace(".", point), e === undefined ? null : Number(e)];
}

// ---- as maths: a small layout, written as MathML or LaTeX --------------------------------
const node = (t, more) => ({ t, ...more });
const wordOr = (text) => node(/^\d+$/.test(text) ? "n" : [...text].length === 1 ? "i" : "w", { x: text });
function letterLayout(name) {
  const parts = [], rule = /([^\W\d_]+|[\p{L}]+|\d+|[-−+·/(),])(?:_([^\W_]+))?/uy;
  while (rule.lastIndex < name.length) {
    const found = rule.exec(name);
    if (!found) return [node("w", { x: name })];
    const base = /^[-−+·/(),]$/.test(found[1]) ? node("o", { x: found[1].replace("-", "−") }) : wordOr(found[1]);
    parts.push(found[2] ? node("sub", { a: [base], b: [wordOr(found[2])] }) : base);
  }
  return parts;
}
function symbolLayout(name) {
  let [head, ...tails] = name.split("_"), split;
  if (!tails.length && (split = /^([A-Za-z])(\d+)$/.exec(head))) { head = split[1]; tails = [split[2]]; }
  const greek = Object.keys(GREEK).find((c) => GREEK[c] === head || (head === "epsilon" && c === "ε"));
  const below = tails.filter(Boolean).flatMap((t, k) => [...(k ? [node("o", { x: "," })] : []), wordOr(t)]);
  return below.length ? [node("sub", { a: [wordOr(greek || head)], b: below })] : [wordOr(greek || head)];
}

class MathsPrinter extends Printer {
  constructor(S, numbers, linear = false, fractions = 0) { super(S, numbers); this.linear = linear; this.fractions = fractions; }
  inside(linear = false, fractions = 0) { return new MathsPrinter(this.S, this.numbers, this.linear || linear, Math.min(this.fractions + fractions, 2)); }
  line(x) { return this.show(x).k; }
  linked(k, from) { return [node("link", { k, from })]; }
  sign(minus, first) { return node("o", { x: minus ? "−" : "+", prefix: first, cut: !first }); }
  dots() { return node("o", { x: "⋯" }); }
  dot(left, right, before, after) {
    const first = headOf(after.k[0]), br = bracketEnd(before.k.at(-1)), num = number(left) && !br;
    const unit = left.t === "n" && left.q === 1n && left.p * left.p <= 1n;
    if (this.numbers && (unit || br)) return node("o", { x: "·" });
    if (right.t === "+" && (num || left.t === "r" || left.t === "+")) return null;
    if (number(right) || first === "number") return node("o", { x: "·" });
    if (first === "operator" || (num && right.t !== "e")) return null;
    return this.numbers ? node("o", { x: "·" }) : node("thin");
  }
  bracketed(p, name = null, s = ATOM) { return { k: [node("fence", { name, k: p.k })], s }; }
  signed(minus, k, s) { return { k: minus ? [this.sign(true, true), ...k] : k, s, minus }; }
  leaf(x) {
    switch (x.t) {
      case "n": {
        const above = [node("n", { x: (x.p < 0n ? -x.p : x.p).toString() })];
        if (x.q === 1n) return this.signed(x.p < 0n, above, ATOM);
        const below = [node("n", { x: x.q.toString() })];
        if (this.linear || this.fractions > 1) return this.signed(x.p < 0n, [...above, node("o", { x: "/" }), ...below], PRODUCT);
        return this.signed(x.p < 0n, [node("frac", { a: above, b: below })], POWER);
      }
      case "d": {
        const [minus, digits, e] = cleanDecimal(x.name, this.S.comma ? "," : ".");
        const n = [node("n", { x: digits, decimal: true })];
        if (e === null) return this.signed(minus, n, ATOM);
        const exponent = e < 0 ? [this.sign(true, true), node("n", { x: String(-e) })] : [node("n", { x: String(e) })];
        return this.signed(minus, [...n, node("o", { x: "×" }), node("sup", { a: [node("n", { x: "10" })], b: exponent })], PRODUCT);
      }
      case "l": return { k: letterLayout(x.name), s: letterStrength(x.name) };
      case "b": return { k: letterLayout(x.name), s: ATOM };
      case "k": return { k: [x.name === "inf" ? node("o", { x: "∞", id: true }) : wordOr({ pi: "π" }[x.name] || x.name)], s: ATOM };
      case "y": return { k: symbolLayout(x.name), s: ATOM };
    }
    return { k: entryLayout(this.S, x), s: this.S.matrices[x.m].symbol.length > 1 ? POWER : ATOM };
  }
  over(x, lead) {
    if (!this.linear && this.fractions < 2) {
      const inner = this.inside(false, 1);
      return { k: [node("frac", { a: inner.line(x.args[0]), b: inner.line(x.args[1]) })], s: POWER };
    }
    let a = this.show(x.args[0], lead), b = this.unsigned(this.show(x.args[1], false));
    if (a.s < PRODUCT || x.args[0].t === "/" || (x.args[0].t === "n" && x.args[0].q !== 1n)) a = this.bracketed(a);
    if (b.s < POWER) b = this.bracketed(b);
    return { k: [...a.k, node("o", { x: "/" }), ...b.k], s: PRODUCT, minus: a.minus };
  }
  power(x) {
    const [base, exponent] = x.args;
    if (base.t === "k" && base.name === "e" && !base.from) return this.exponential(exponent);
    const e = this.inside(true).line(exponent);
    if (base.t === "f" && AT_NAME.has(base.name) && exponent.t === "n" && exponent.q === 1n && exponent.p > 1n) return this.fn([node("sup", { a: [node("w", { x: base.name, fn: true })], b: e })], base.args);
    let p = this.unsigned(this.show(base));
    if (p.s < ATOM || base.t === "f") p = this.bracketed(p);
    const last = p.k.at(-1);
    return { k: [...p.k.slice(0, -1), node("sup", { a: [last], b: e })], s: POWER };
  }
  exponential(x) {
    const k = this.inside(true).line(x);
    if (this.linear || (!stacked(x) && countLayout(k) <= 30)) return { k: [node("sup", { a: [node("i", { x: "e" })], b: k })], s: POWER };
    return this.fn([node("w", { x: "exp", fn: true })], [x]);
  }
  root(x) { return { k: [node("sqrt", { k: this.line(x.args[0]), n: x.n })], s: POWER }; }
  call(x) {
    if (x.name === "abs") return { k: [node("abs", { k: this.line(x.args[0]) })], s: POWER };
    if (["log", "lg", "ln"].includes(x.name) && x.args.length === 2) return this.fn([node("sub", { a: [node("w", { x: "log", fn: true })], b: this.inside(true).line(x.args[1]) })], [x.args[0]]);
    return this.fn([node("w", { x: NAMED[x.name] || x.name, fn: true })], x.args);
  }
  fn(name, args) {
    const k = args.flatMap((a, n) => [...(n ? [node("o", { x: "," })] : []), ...this.show(a).k]);
    return this.bracketed({ k }, name, POWER);
  }
  total(x) {
    const [first, last] = bounds(x.count, this.S.base);
    let body = this.show(x.body, false);
    body = body.s < SIGMA ? this.bracketed(body) : this.unsigned(body);
    const under = [...letterLayout(x.index), node("o", { x: "=" }), node("n", { x: String(first) })];
    return { k: [node("sum", { a: under, b: letterLayout(last) }), ...body.k], s: SIGMA };
  }
  cases(x) {
    const text = (words) => node("w", { x: words });
    return { k: [node("cases", { rows: x.branches.map((b) => [this.line(b.value), b.left === null ? [text("otherwise")] : [text("if "), ...this.line(b.left), node("o", { x: REL[b.rel] || b.rel }), ...this.line(b.right)]]) })], s: SUM };
  }
}
function entryLayout(S, x) {
  const [base, ...above] = S.matrices[x.m].symbol, inner = new MathsPrinter(S, false, true);
  const below = x.at.flatMap((a, k) => [...(k ? [node("o", { x: "," })] : []), ...inner.line(shifted(a, S.base))]);
  return symbolOf(base, above, below);
}
function symbolOf(base, above, below) {
  const head = base.startsWith("∂") && base.length > 1 ? [node("o", { x: "∂" }), wordOr(base.slice(1))] : [wordOr(base)];
  const up = above.flatMap((w, k) => [...(k ? [node("thin")] : []), wordOr(w)]);
  const a = head.length > 1 ? [node("row", { k: head })] : head;
  if (up.length && below.length) return [node("subsup", { a, b: below, c: up })];
  if (up.length) return [node("sup", { a, b: up })];
  return below.length ? [node("sub", { a, b: below })] : a;
}
const headOf = (k) => k.t === "link" ? headOf(k.k[0]) : k.t === "n" ? "number" : k.t === "fence" ? (k.name ? "operator" : "number")
  : k.t === "sup" && k.a[0] ? headOf(k.a[0]) : k.t === "sum" ? "operator" : "";
const bracketEnd = (k) => k.t === "fence" && !k.name || (k.t === "sup" && k.a[0]?.t === "fence") || (k.t === "link" && bracketEnd(k.k.at(-1)));
function stacked(x, fractions = 0) {
  if (x.t === "s" || x.t === "c" || (x.t === "^" && x.args[0].name === "e") || (x.t === "f" && x.name === "exp")) return true;
  if (x.t === "/" || (x.t === "n" && x.q !== 1n)) fractions++;
  if (x.t === "e" || x.t === "l") return false;
  return fractions > 1 || (x.args || []).some((part) => stacked(part, fractions));
}
const PARTS = ["k", "a", "b", "c", "name"];
const countLayout = (k) => k.reduce((n, x) => n + (x.x ? x.x.length : 1) + PARTS.reduce((m, p) => m + (Array.isArray(x[p]) ? countLayout(x[p]) : 0), 0), 0);
const tall = (k) => k.some((x) => x.t === "frac" || x.t === "sum" || x.t === "cases" || ["k", "a"].some((p) => Array.isArray(x[p]) && tall(x[p])));

// ---- LaTeX -------------------------------------------------------------------------------
const TEX = { "−": "-", "·": "\\cdot ", "×": "\\times ", "⋯": "\\cdots ", "≤": "\\leq ", "≥": "\\geq ", "≠": "\\neq ", "≈": "\\approx ", "∞": "\\infty ", "∂": "\\partial " };
const texText = (s) => s.replace(/[\\{}$&#^_%~<>]/g, (c) => ({ "\\": "\\textbackslash{}", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}", "<": "\\textless{}", ">": "\\textgreater{}" }[c] || "\\" + c));
function tex(k) { return k.map(texNode).join("").trim(); }
function texNode(x) {
  switch (x.t) {
    case "n": return x.decimal ? x.x.replace(",", "{,}") : x.x;
    case "i": return GREEK[x.x] ? `\\${GREEK[x.x]} ` : x.x;
    case "w": return x.fn ? (TEX_FN.has(x.x) ? `\\${x.x}` : `\\operatorname{${texText(x.x)}}`) : /^[A-Za-z0-9]+$/.test(x.x) ? `\\mathrm{${x.x}}` : `\\text{${texText(x.x)}}`;
    case "o": return TEX[x.x] || x.x;
    case "thin": return "\\,";
    case "row": case "link": return tex(x.k);
    case "frac": return `\\frac{${tex(x.a)}}{${tex(x.b)}}`;
    case "sup": return `${tex(x.a)}^{${tex(x.b)}}`;
    case "sub": return `${tex(x.a)}_{${tex(x.b)}}`;
    case "subsup": return `${tex(x.a)}^{${tex(x.c)}}_{${tex(x.b)}}`;
    case "sqrt": return `\\sqrt${x.n === 2 ? "" : `[${x.n}]`}{${tex(x.k)}}`;
    case "abs": return `\\left\\lvert ${tex(x.k)}\\right\\rvert `;
    case "fence": return (x.name ? tex(x.name) : "") + (tall(x.k) ? `\\left(${tex(x.k)}\\right)` : `(${tex(x.k)})`);
    case "sum": return `\\sum_{${tex(x.a)}}^{${tex(x.b)}} `;
    case "cases": return `\\begin{cases} ${x.rows.map(([v, w]) => `${tex(v)} & ${tex(w)}`).join(" \\\\ ")} \\end{cases}`;
  }
  return "";
}

// ---- MathML ------------------------------------------------------------------------------
const MATHML = "http://www.w3.org/1998/Math/MathML";
function el(name, children = [], attributes = {}) {
  const e = document.createElementNS(MATHML, name);
  for (const key in attributes) e.setAttribute(key, attributes[key]);
  e.append(...children);
  return e;
}
const grouped = (digits, whole) => digits.length > 40 && !whole ? `${digits.slice(0, 6)}…${digits.slice(-6)} (${digits.length} digits)`
  : digits.length < 7 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, "\u2009");
class MathML {
  constructor(open, whole = false) { this.open = open; this.whole = whole; }
  row(k) { return k.length === 1 ? this.one(k[0]) : el("mrow", k.map((x) => this.one(x))); }
  one(x) {
    switch (x.t) {
      case "n": return el("mn", [x.decimal ? x.x : grouped(x.x, this.whole)]);
      case "i": return el("mi", [x.x]);
      case "w": return el("mtext", [x.x.replace(/ $/, "\u00a0")]);
      case "o": return this.operator(x);
      case "thin": return el("mspace", [], { width: "0.17em" });
      case "row": return this.row(x.k);
      case "link": return this.link(x);
      case "frac": return el("mfrac", [this.row(x.a), this.row(x.b)]);
      case "sup": return el("msup", [this.row(x.a), this.row(x.b)]);
      case "sub": return el("msub", [this.row(x.a), this.row(x.b)]);
      case "subsup": return el("msubsup", [this.row(x.a), this.row(x.b), this.row(x.c)]);
      case "sqrt": return x.n === 2 ? el("msqrt", [this.row(x.k)]) : el("mroot", [this.row(x.k), el("mn", [String(x.n)])]);
      case "abs": return el("mrow", [this.fence("|"), this.row(x.k), this.fence("|")]);
      case "fence": return el("mrow", [...(x.name ? [this.row(x.name)] : []), this.fence("(", tall(x.k)), this.row(x.k), this.fence(")", tall(x.k))]);
      case "sum": return el("munderover", [el("mo", ["∑"], { movablelimits: "false", largeop: "true" }), this.row(x.a), this.row(x.b)]);
      case "cases": return el("mrow", [el("mo", ["{"], { stretchy: "true" }), el("mtable", x.rows.map((r) => el("mtr", r.map((c) => el("mtd", [this.row(c)])))), { class: "cases" })]);
    }
    return el("mrow");
  }
  fence(sign, stretchy = true) { return el("mo", [sign], { stretchy: String(stretchy), symmetric: "true", lspace: "0", rspace: "0" }); }
  operator(x) {
    if (x.id) return el("mi", [x.x]);
    if (x.x === ",") return el("mo", [","], { separator: "true", lspace: "0", rspace: "0.08em" });
    if (x.prefix) return el("mo", [x.x], { form: "prefix", lspace: "0", rspace: "0" });
    if (x.x === "/") return el("mo", ["/"], { lspace: "0", rspace: "0", stretchy: "false" });
    return el("mo", [x.x], x.x === "(" || x.x === ")" ? { stretchy: "false" } : { form: "infix" });
  }
  link(x) {
    const e = el("mrow", x.k.map((part) => this.one(part)), { class: "in", tabindex: "0", role: "button" });
    this.open(e, x.from);
    return e;
  }
  lines(k) {
    // one <math> a term, so that a long sum breaks before its signs
    const parts = [[]];
    for (const x of k) { if (x.cut && parts.at(-1).length) parts.push([]); parts.at(-1).push(x); }
    return parts.map((part) => el("math", [this.row(part)], { displaystyle: "true" }));
  }
}
