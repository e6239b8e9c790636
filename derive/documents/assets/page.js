// The page: tables of buttons, the derivation of the number that was asked for, steppers.
"use strict";
const DATA = JSON.parse(document.getElementById("data").textContent), L = DATA.limits;
const $ = (id) => document.getElementById(id);
const WORDS = { definition: "formula", here: "here", substituted: "numbers", exact: "exact", decimal: "decimal" };
let now = 0, S = DATA.sentences[0], path = [], digits = DATA.digits, form = "decimal", row = -1, whole = false, shown = "";

function h(name, attributes = {}, ...children) {
  // an HTML element; texts are only ever texts
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else if (value === true) e.setAttribute(key, "");
    else if (value !== false && value !== undefined) e.setAttribute(key, value);
  }
  e.append(...children.flat(9).filter((x) => x !== undefined && x !== ""));
  return e;
}
const maths = (k, attributes) => el("math", [new MathML(() => {}).row(k)], attributes || {});
const bdi = (text) => h("bdi", {}, text);

// ---- cells -------------------------------------------------------------------------------
const one = (list, k) => list.length === 1 ? list[0] : list[k];
function flat(m, at) { return at.reduce((k, i, axis) => k * m.shape[axis] + i, 0); }
function unflat(m, k) { const at = []; for (let a = m.shape.length - 1; a >= 0; a--) { at[a] = k % m.shape[a]; k = (k - at[a]) / m.shape[a]; } return at; }
const cell = (mi, at) => { const m = S.matrices[mi]; return { mi, m, at, k: flat(m, at) }; };
const address = (c) => `${c.m.name}[${c.at.join(",")}]`;
const printedAt = (at) => { const t = at.map((k) => k + S.base); return S.columns ? t.reverse() : t; };
const printedName = (c) => `${c.m.name}[${printedAt(c.at).join(",")}]`;
const entry = (c) => ({ t: "e", m: c.mi, at: (S.columns ? [...c.at].reverse() : c.at).map((k) => Num(k)) });
function parseAddress(text) {
  const found = /^(.+)\[(\d+(?:,\d+)*)\]$/.exec(text);
  const mi = found ? S.matrices.findIndex((m) => m.name === found[1]) : -1;
  if (mi < 0) return null;
  const at = found[2].split(",").map(Number), m = S.matrices[mi];
  return at.length === m.shape.length && at.every((k, a) => k < m.shape[a]) ? cell(mi, at) : null;
}
function cellOf(e) {
  const at = e.at.map((x) => Number(x.p));
  return cell(e.m, S.columns ? at.reverse() : at);
}
const sizeOf = (c) => one(c.m.sizes, c.k);
function valueTree(c) {
  const ref = one(c.m.values, c.k);
  return ref < 0 ? null : makeTree(S, ref, () => null);
}
function digitsOf(c) {
  const text = c.m.digits && c.m.digits[c.k];
  if (text !== undefined) return Array.isArray(text) ? text : readDigits(text);
  const x = valueTree(c);
  return x && x.t === "n" ? firstDigits(x.p, x.q, L.kept) : null;
}
function decimal(c, n = digits) { const d = digitsOf(c); return Array.isArray(d) ? { text: d[n - 2], exact: false } : d && rounded(d, n); }
const isHidden = (c) => { const x = valueTree(c); return !!x && x.t === "-" && isInf(x.args[0]); };
const point = (text) => { const p = new TextPrinter(S, false); return p.line({ t: "d", name: text }); };
function shortText(c) {
  // what a table shows
  if (c.m.faults && c.m.faults[c.k]) return "–";
  const d = decimal(c), x = valueTree(c);
  if (x && (form === "exact" || !d)) {
    const text = new TextPrinter(S, false).line(x);
    return text.length <= 22 ? text : d && form === "exact" ? "≈ " + point(d.text) : text.slice(0, 20) + "…";
  }
  return d ? (form === "exact" && !d.exact ? "≈ " : "") + point(d.text) : "…";
}
function patternOf(c) {
  const [formulas, letters] = c.m.patterns[one(c.m.of, c.k)];
  const value = (name) => {
    const rule = letters[name];
    if (typeof rule === "string") return Num(c.at["ijk".indexOf(rule)]);
    if (Array.isArray(rule)) return makeTree(S, rule[1 + c.at[rule[0]]], value);
    return makeTree(S, typeof rule === "number" ? rule : rule[c.at.join(",")], value);
  };
  return formulas.map((ref) => makeTree(S, ref, value));
}
function hereOf(c) {
  const trees = patternOf(c), held = [...((c.m.branches || {})[c.k] || [])];
  return elided(atCell(trees.at(-1), held), L.sum, [...((c.m.largest || {})[c.k] || [])]);
}
function readsOf(c) {
  if (c.m.given) return [];
  const seen = new Map();
  for (const e of entriesOf(hereOf(c))) { const r = cellOf(e); seen.set(address(r), r); }
  for (const [mi, ...at] of (c.m.more || {})[c.k] || []) { const r = cell(mi, at); seen.set(address(r), r); }
  return [...seen.values()];
}

// ---- the worked lines of a cell ----------------------------------------------------------
function generalLeft(c) {
  const letters = c.at.map((k, axis) => c.m.shape[axis] === 1 && c.m.ones.includes(axis) ? Num(k) : { t: "l", name: "ijk"[axis], value: Num(k) });
  if (!S.columns) return { t: "e", m: c.mi, at: letters };
  const turned = { i: "j", j: "i" };
  return { t: "e", m: c.mi, at: letters.reverse().map((x) => x.t === "l" ? { ...x, name: turned[x.name] || x.name } : x) };
}
function linesOf(c) {
  const left = entry(c), lines = [], add = (kind, l, rel, right, note = "") => lines.push({ kind, left: l, rel, right, note });
  if (!c.m.given) {
    const here = hereOf(c), n = longSum(here);
    for (const x of patternOf(c)) add("definition", generalLeft(c), "=", x);
    add("here", left, "=", withEntries(here, (e) => ({ ...e, from: address(cellOf(e)) })), n ? `${n} terms; printed: the first two, the largest and the last` : "");
    let total = 0;
    for (const e of entriesOf(here)) total += sizeOf(cellOf(e));
    const most = total <= L.closed && sizeOf(c) ? L.closed : L.short;
    let put = false;
    const numbers = withEntries(here, (e) => {
      const r = cellOf(e), x = valueTree(r), n = sizeOf(r);
      if (!n || n > most || !x) return { ...e, from: address(r) };
      put = true;
      return { ...x, from: address(r) };
    });
    if (put) add("substituted", left, "=", numbers);
  }
  const exact = valueTree(c), d = decimal(c);
  if (exact) add("exact", left, "=", exact);
  if (d) add("decimal", left, d.exact ? "=" : "≈", { t: "d", name: d.text });
  return distinct(lines);
}
function printed(line, numbers = line.kind === "substituted") {
  const p = new TextPrinter(S, numbers);
  return `${p.line(line.left)} ${line.rel} ${p.line(line.right)}`;
}
function distinct(lines) {
  const kept = [];
  for (const line of lines) {
    const before = kept.at(-1);
    if (!before || printed(before, false) !== printed(line, false)) { kept.push(line); continue; }
    const kind = line.kind === "exact" || before.kind === "exact" ? "exact" : before.kind;
    kept[kept.length - 1] = { ...before, kind, note: [...new Set([before.note, line.note].filter(Boolean))].join(" ") };
  }
  return kept;
}
function titleOf(c) {
  const words = S.columns ? ["column", "row"] : ["row", "column"], places = [];
  c.at.forEach((k, axis) => {
    if (c.m.ones.includes(axis)) return;
    const list = c.m.axes[axis], kind = words[axis] || "layer";
    places.push(list < 0 ? `${kind} ${k + S.base}` : `“${S.labels[list][k]}” (${kind} ${k + S.base})`);
  });
  if (c.m.sentence && places.length === 2) return c.m.sentence.replace("{row}", () => places[0]).replace("{column}", () => places[1]);
  if (S.columns) places.reverse();
  return [c.m.meaning, ...places].join(", ");
}
function notesOf(c, lines) {
  const words = [c.m.notes ? c.m.notes[one(c.m.noted, c.k)] : ""];
  if (c.m.faults && c.m.faults[c.k]) words.push(c.m.faults[c.k]);
  else if (c.m.given) words.push("The model gives this number.");
  else if (!lines.some((x) => x.kind === "exact")) {
    words.push(`The closed form has more than ${L.closed} symbols, so the cell stands in terms of named cells.`);
    const values = readsOf(c).filter((r) => !sizeOf(r) || sizeOf(r) > L.short).map((r) => [r, decimal(r)]).filter(([, d]) => d);
    if (values.length && values.length <= L.values) words.push(`Here ${values.map(([r, d]) => `${printedName(r)} ≈ ${point(d.text)}`).join(", ")}.`);
  }
  return words.filter(Boolean).join(" ").replace(/“[^”]*”|(?<![\w.])-(?=\d)/g, (m) => m === "-" ? "−" : m);
}
function asText(c) {
  const lines = linesOf(c);
  return [`${printedName(c)}   ${titleOf(c)}`, "", ...lines.map((x) => `${WORDS[x.kind].padEnd(9)}${printed(x)}${x.note ? ` (${x.note})` : ""}`), notesOf(c, lines)].filter((x, k) => x || k === 1).join("\n") + "\n";
}
function asLatex(c) {
  const rows = linesOf(c).map((x) => { const p = new MathsPrinter(S, x.kind === "substituted"); return `  ${tex(p.line(x.left))} &${x.rel === "=" ? "=" : "\\approx"} ${tex(p.line(x.right))}`; });
  return `\\begin{align*}\n${rows.join(" \\\\\n")}\n\\end{align*}\n`;
}

// ---- tables ------------------------------------------------------------------------------
function labelText(m, axis, k) {
  const list = m.axes[axis];
  return list < 0 ? String(k + S.base) : S.labels[list][k];
}
function tableOf(mi, layer) {
  const m = S.matrices[mi], three = m.shape.length === 3, flip = S.columns && !three;
  const axes = three ? [0, 2] : [0, 1], [r, q] = flip ? [axes[1], axes[0]] : axes;
  const place = (a, b) => { const at = three ? [a, layer, b] : []; if (!three) { at[r] = a; at[q] = b; } return at; };
  const head = h("tr", {}, h("td"), Array.from({ length: m.shape[q] }, (_, b) => h("th", { scope: "col" }, bdi(labelText(m, q, b)))));
  const rows = Array.from({ length: m.shape[r] }, (_, a) => {
    const tr = h("tr", {}, h("th", { scope: "row" }, bdi(labelText(m, r, a))));
    for (let b = 0; b < m.shape[q]; b++) {
      const c = cell(mi, place(a, b)), token = m.row ? c.at[0] : -1;
      const button = h("button", { type: "button", "data-k": c.k, tabindex: "-1", class: (m.heat ? shade(m.heat[c.k]) : "") + (isHidden(c) ? " hidden-cell" : "") });
      if (token >= 0) button.dataset.row = token;
      tr.append(h("td", {}, button));
    }
    return tr;
  });
  const table = h("table", { "data-m": mi, "aria-label": `${m.name}${three ? `, tile ${layer + S.base}` : ""}: ${m.meaning}` }, h("thead", {}, head), h("tbody", {}, rows));
  const first = table.querySelector("button");
  if (first) first.tabIndex = 0;
  fill(table);
  return h("div", { class: "scroll" }, table);
}
const shade = (c) => c === "-" ? "heat none" : c >= "a" ? `heat p${c.charCodeAt(0) - 97}` : `heat n${c.charCodeAt(0) - 65}`;
function fill(table) {
  const m = S.matrices[table.dataset.m];
  for (const b of table.querySelectorAll("button")) {
    const c = cell(Number(table.dataset.m), unflat(m, Number(b.dataset.k))), text = shortText(c);
    b.textContent = text;
    const axes = c.at.map((k, axis) => c.m.ones.includes(axis) ? "" : labelText(m, axis, k) || "∅").filter(Boolean);
    b.setAttribute("aria-label", `${m.name}, ${(S.columns ? axes.reverse() : axes).join(", ")}: ${text === "−∞" ? "minus infinity, hidden" : text}`);
  }
}
function refill() { for (const t of document.querySelectorAll("table[data-m]")) fill(t); drawBars(); }

function draw() {
  const main = $("matrices"), outline = $("outline");
  main.replaceChildren(); outline.replaceChildren();
  let section, list, title = null;
  S.matrices.forEach((m, mi) => {
    if (S.sections[mi] !== title) {
      title = S.sections[mi];
      section = h("section", { "aria-label": title }, h("h2", {}, title));
      list = h("ul");
      main.append(section);
      outline.append(h("li", {}, title, list));
    }
    const id = `m${mi}`, symbol = symbolOf(m.symbol[0], m.symbol.slice(1), []);
    list.append(h("li", {}, h("a", { href: `#${id}`, title: m.meaning, onclick: (e) => { e.preventDefault(); $(id).scrollIntoView(); $(id).querySelector("button,a")?.focus({ preventScroll: true }); } }, m.name)));
    const shape = (S.columns && m.shape.length === 2 ? [...m.shape].reverse() : m.shape).join("×");
    const part = h("article", { id, class: m.given ? "given" : "" }, h("h3", {}, maths(symbol, { "aria-label": m.name }), h("span", { class: "mean" }, ` ${m.meaning} `), h("span", { class: "shape" }, `${shape}${m.given ? ", given" : ""}`)));
    if (m.shape.length === 3) for (let t = 0; t < m.shape[1]; t++) part.append(h("h4", { class: "tile" }, `after tile ${t + S.base}`), tableOf(mi, t));
    else part.append(tableOf(mi, 0));
    for (const p of DATA.pictures[now]) if (p.matrix === mi) part.append(h("details", {}, h("summary", {}, p.title), h("div", { class: "scroll picture" }, document.importNode($(p.id).content, true))));
    section.append(part);
  });
  $("follow").replaceChildren(h("option", { value: "-1" }, "all tokens"), ...S.tokens.map((t, k) => h("option", { value: k }, `${k + S.base}: ${t}`)));
  drawFlash(); drawOutput(); drawDecode(); follow(-1);
}
function follow(k) {
  row = k;
  $("follow").value = String(k);
  document.body.classList.toggle("following", k >= 0);
  for (const b of document.querySelectorAll("#matrices button[data-row]")) b.classList.toggle("followed", Number(b.dataset.row) === k);
  drawBars();
}

// ---- the panel ---------------------------------------------------------------------------
const hash = (p) => `#${now}/` + p.map(encodeURIComponent).join("/");
function open(addresses) {
  // shown at once; the address of the page follows, and a way back
  const to = hash(addresses);
  if (to !== location.hash) history.pushState(null, "", to);
  path = addresses; whole = false;
  showPath();
}
function readHash() {
  const parts = location.hash.slice(1).split("/").map((x) => { try { return decodeURIComponent(x); } catch { return ""; } });
  const k = /^\d+$/.test(parts[0]) ? Number(parts[0]) : -1;
  if (k < 0 || k >= DATA.sentences.length) { path = []; showPath(); return; }
  if (k !== now) { now = k; S = DATA.sentences[k]; $("sentence") && ($("sentence").value = String(k)); draw(); }
  path = parts.slice(1).filter((x) => parseAddress(x));
  whole = false;
  showPath();
}
function link(c, words) {
  return h("button", { type: "button", class: "link", onclick: () => open([...path, address(c)]) }, words || printedName(c));
}
function showPath() {
  const panel = $("panel"), inside = panel.contains(document.activeElement), c = path.length ? parseAddress(path.at(-1)) : null;
  for (const b of document.querySelectorAll("button.open, button.read")) { b.classList.remove("open", "read"); b.removeAttribute("aria-current"); }
  document.body.classList.toggle("with-panel", !!c);
  if (!c) { panel.replaceChildren(h("p", { class: "hint" }, "Click any number to see how it is calculated. Arrow keys move in a table, Enter opens.")); shown = ""; return; }
  mark(c, "open");
  const lines = linesOf(c), reads = readsOf(c), note = notesOf(c, lines);
  for (const r of reads) mark(r, "read");
  const crumbs = h("ol", {}, path.map((a, k) => h("li", {}, k === path.length - 1 ? h("span", { "aria-current": "page" }, printedName(parseAddress(a))) : h("button", { type: "button", class: "link", onclick: () => open(path.slice(0, k + 1)) }, printedName(parseAddress(a))))));
  const opened = (e, from) => {
    const go = (event) => { if (event.type === "click" || event.key === "Enter" || event.key === " ") { event.preventDefault(); open([...path, from]); } };
    e.addEventListener("click", go); e.addEventListener("keydown", go);
    const r = parseAddress(from);
    e.setAttribute("aria-label", `${printedName(r)}: show its calculation`);
  };
  const writer = new MathML(opened, whole);
  let kind = "", left = "";
  const grid = h("div", { class: "lines" }, lines.map((x) => {
    const p = new MathsPrinter(S, x.kind === "substituted"), l = tex(p.line(x.left));
    const out = [h("span", { class: "kind" }, kind === x.kind ? "" : WORDS[x.kind]), h("span", { class: "left" }, l === left ? "" : writer.lines(p.line(x.left))[0]), h("span", { class: "rel" }, x.rel), h("span", { class: "right" }, writer.lines(p.line(x.right)).flatMap((e, k) => k ? [" ", e] : [e]), x.note ? h("small", {}, ` (${x.note})`) : "")];
    kind = x.kind; left = l;
    return h("div", { class: `line ${x.kind}`, "data-kind": x.kind, "data-text": printed(x) }, out);
  }));
  const m = c.m, long = lines.some((x) => /\d{41}/.test(printed(x)));
  panel.replaceChildren(
    h("nav", { "aria-label": "The way to this number" }, crumbs, h("span", { class: "tools" },
      h("button", { type: "button", id: "back", onclick: () => history.back() }, "Back"),
      h("button", { type: "button", onclick: (e) => copy(asText(c), e.target) }, "Copy as text"),
      h("button", { type: "button", onclick: (e) => copy(asLatex(c), e.target) }, "Copy as LaTeX"),
      h("button", { type: "button", id: "close", "aria-label": "Close", onclick: () => close() }, "×"))),
    h("h2", { tabindex: "-1", id: "asked" }, maths(entryLayout(S, entry(c)), { "aria-label": printedName(c) }), " ", h("span", {}, titleOf(c))),
    grid,
    long ? h("button", { type: "button", onclick: () => { whole = !whole; showPath(); } }, whole ? "Fewer digits" : "Show all digits") : "",
    note ? h("p", { class: "note" }, note) : "",
    reads.length ? h("p", { class: "reads" }, h("span", {}, "It reads "), reads.slice(0, 40).map((r, k) => [k ? ", " : "", link(r), ` ${decimal(r)?.exact || !decimal(r) ? "=" : "≈"} ${shortText(r).replace(/^≈ /, "")}`]), reads.length > 40 ? ` and ${reads.length - 40} more` : "") : "",
    h("p", { class: "made" }, h("button", { type: "button", class: "link", onclick: () => { $(`m${c.mi}`).scrollIntoView(); cellButton(c)?.focus({ preventScroll: true }); } }, `Show in ${m.name}`), ` (${m.operation})`));
  const said = `${printedName(c)}: ${titleOf(c)}. ${lines.length ? printed(lines.at(-1)) : note}`;
  if (said !== shown) $("live").textContent = shown = said;
  requestAnimationFrame(() => {  // both need the layout, which the browser makes only once so
    panel.scrollTop = 0;
    if (inside) $("asked")?.focus({ preventScroll: true });
  });
}
function close() { const last = path.length && cellButton(parseAddress(path.at(-1))); open([]); last && last.focus(); }
function cellButton(c) { return document.querySelector(`#m${c.mi} button[data-k="${c.k}"]`); }
function mark(c, name) { const b = cellButton(c); if (b) { b.classList.add(name); if (name === "open") b.setAttribute("aria-current", "true"); } }
async function copy(text, button) {
  const done = () => { const before = button.textContent; button.textContent = "Copied"; setTimeout(() => { button.textContent = before; }, 1200); $("live").textContent = "Copied"; };
  window.copied = text;
  try { await navigator.clipboard.writeText(text); done(); } catch {
    const area = h("textarea", { class: "copying", "aria-hidden": "true" }); area.value = text;
    document.body.append(area); area.select();
    if (document.execCommand("copy")) done();
    area.remove(); button.focus();
  }
}
document.addEventListener("click", (e) => {
  const b = e.target.closest("table[data-m] button");
  if (!b) return;
  const mi = Number(b.closest("table").dataset.m);
  tabStop(b);
  open([address(cell(mi, unflat(S.matrices[mi], Number(b.dataset.k))))]);
});
function tabStop(b) { for (const x of b.closest("table").querySelectorAll("button[tabindex='0']")) x.tabIndex = -1; b.tabIndex = 0; }
document.addEventListener("keydown", (e) => {
  if (e.key === "Escape" && path.length) { close(); return; }
  const b = e.target.closest?.("table[data-m] button");
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -1e6], End: [0, 1e6] }[e.key];
  if (!b || !step || e.ctrlKey || e.altKey || e.metaKey) return;
  const rows = [...b.closest("tbody").rows], r = b.closest("tr"), cells = (t) => [...t.querySelectorAll("button")];
  const clamp = (k, n) => Math.max(0, Math.min(n - 1, k));
  const list = cells(rows[clamp(rows.indexOf(r) + step[0], rows.length)]), to = list[clamp(cells(r).indexOf(b) + step[1], list.length)];
  e.preventDefault(); tabStop(to); to.focus();
});

// ---- next words, temperature -------------------------------------------------------------
function drawOutput() {
  const side = DATA.output[now], area = $("output");
  area.hidden = !side;
  if (!side) return;
  area.replaceChildren(h("h2", {}, "Likeliest next words"), h("p", {}, h("label", {}, "after ", h("select", { id: "after", onchange: drawBars }, S.tokens.map((t, k) => h("option", { value: k }, `${k + S.base}: ${t}`))))), h("div", { id: "temperature" }), h("ol", { id: "bars" }));
  $("after").value = String(S.tokens.length - 1);
  if (side.temperatures.length > 1) $("temperature").append(h("label", {}, "temperature ", h("input", { type: "range", id: "heat", min: 0, max: side.temperatures.length - 1, step: 1, value: side.own, "aria-valuetext": side.temperatures[side.own], oninput: drawBars }), h("output", { id: "T" })), h("small", {}, " every value computed beforehand, correctly rounded"));
  drawBars();
}
function drawBars() {
  const side = DATA.output[now];
  if (!side || !$("bars")) return;
  const i = row >= 0 ? row : Number($("after").value), t = $("heat") ? Number($("heat").value) : 0;
  $("after").value = String(i);
  if ($("T")) { $("T").textContent = `T = ${side.temperatures[t]}`; $("heat").setAttribute("aria-valuetext", side.temperatures[t]); }
  const words = side.words, list = side.tables[t][i] || [];
  $("bars").replaceChildren(...list.map(([word, text]) => {
    const d = text === null ? null : readDigits(text), r = d && rounded(d, digits);
    const share = d ? (d.e === 0 ? 1000 : d.e < -3 || !d.digits ? 0 : Number(d.digits.padEnd(4, "0").slice(0, 4 + d.e) || 0) ) : 0;
    const bar = h("span", { class: "bar", "aria-hidden": "true" }); bar.style.setProperty("--share", `${Math.min(1000, share) / 10}%`);
    return h("li", {}, bdi(words[word] ?? String(word + S.base)), bar, h("span", { class: "chance" }, r ? `${r.exact ? "=" : "≈"} ${point(r.text)}` : "undecided"));
  }));
}

// ---- decoding, FlashAttention: step by step ------------------------------------------------
function drawDecode() {
  const steps = DATA.decode[now], area = $("decode");
  area.hidden = !steps || !steps.length;
  if (area.hidden) return;
  let n = 1;
  const list = h("ol", { "aria-live": "polite" }), text = h("p", { class: "text" }), more = h("button", { type: "button", id: "add", onclick: () => { n++; paint(); } }, "Add the answer"), again = h("button", { type: "button", onclick: () => { n = 1; paint(); } }, "Start again");
  function paint() {
    list.replaceChildren(...steps.slice(0, n).map((s, k) => h("li", {}, h("strong", {}, k ? `Step ${k}` : "Prompt"), " reads ", s.read.map((w) => [h("span", { class: "token" }, bdi(w)), " "]), s.cached ? `; ${s.cached} numbers come from the cache, ${s.computed} are new. The new row is exactly the last row of a full pass.` : `; ${s.computed} numbers are computed.`,
      s.chances.length ? h("ol", { class: "chances" }, s.chances.map(([w, p]) => h("li", {}, bdi(w), ` ${point(p)}`))) : "", s.predicted === null ? "" : h("p", {}, "The likeliest next word is ", h("span", { class: "token" }, bdi(s.predicted)), s.tie.length ? ` (exactly as likely: ${s.tie.join(", ")}; the first is taken)` : "", "."))));
    text.replaceChildren("Text so far: ", ...steps.slice(0, n).flatMap((s) => s.read.map((w) => h("span", { class: "token" }, bdi(w)))));
    more.disabled = n >= steps.length;
  }
  area.replaceChildren(h("h2", {}, "Decoding, token by token"), h("p", {}, "The model reads the prompt once. Then each answer is added to the text, and only its own row is computed: keys and values of earlier rows are kept."), text, list, h("p", {}, more, " ", again));
  paint();
}
function drawFlash() {
  const area = $("flash"), parts = S.matrices.map((m, mi) => [m, mi]).filter(([m]) => /(^|\.)flash\.[ml]$|(^|\.)flash\.(alpha|o)$/.test(m.name));
  area.hidden = !parts.length;
  if (area.hidden) return;
  const tiles = parts[0][0].shape[1];
  let n = 0;
  const where = h("span", { "aria-live": "polite" });
  function paint() {
    where.textContent = `after tile ${n + S.base} of ${tiles - 1 + S.base}`;
    for (const [m, mi] of parts) {
      const tables = document.querySelectorAll(`#m${mi} table`);
      if (m.shape.length === 3) tables.forEach((t, k) => { t.closest(".scroll").hidden = k > n; t.closest(".scroll").previousElementSibling.hidden = k > n; });
      else for (const b of tables[0].querySelectorAll("button")) { const at = unflat(m, Number(b.dataset.k)); b.classList.toggle("later", at[1] > n); b.classList.toggle("latest", at[1] === n); }
    }
    back.disabled = n === 0; next.disabled = n === tiles - 1;
  }
  const back = h("button", { type: "button", onclick: () => { n--; paint(); } }, "Tile before"), next = h("button", { type: "button", id: "next-tile", onclick: () => { n++; paint(); } }, "Next tile");
  area.replaceChildren(h("h2", {}, "FlashAttention, tile by tile"), h("p", {}, "Scores are read in tiles of keys. After each tile a row keeps its largest score m, the sum l of its exponentials and the weighted values o; when m grows, what was kept is multiplied by alpha. Numbers of later tiles are dimmed until you reach them."), h("p", {}, back, " ", next, " ", where), h("p", {}, parts.map(([m, mi], k) => [k ? ", " : "Tables: ", h("a", { href: `#m${mi}`, onclick: (e) => { e.preventDefault(); $(`m${mi}`).scrollIntoView(); } }, m.name)])));
  n = tiles - 1; paint();
}

// ---- start -------------------------------------------------------------------------------
for (let k = 2; k < L.kept; k++) $("digits").append(h("option", { value: k }, String(k)));
$("digits").value = String(digits);
$("digits").addEventListener("change", (e) => { digits = Number(e.target.value); refill(); showPath(); });
$("form").addEventListener("change", (e) => { form = e.target.value; refill(); showPath(); });
$("follow").addEventListener("change", (e) => follow(Number(e.target.value)));
if ($("sentence")) $("sentence").addEventListener("change", (e) => { location.hash = `#${e.target.value}/`; });
window.addEventListener("popstate", readHash);
window.addEventListener("hashchange", readHash);
draw();
readHash();
document.body.classList.add("ready");
