"""Writes the README's table: each option of a model file, and a bundled model that shows it.

    python worked/option_table.py          writes it between its markers
    python worked/option_table.py --print  prints it

The options come from the schema, the settings from the files, so the table can't go stale;
a test compares it with the README.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

from derive.model.bundled import bundled_names
from derive.model.chain import find_document, merged
from derive.model.kinds import Choice, Symbols, Table, Tables
from derive.model.matrix_kinds import Mask, PerHead, Rows
from derive.model.schema import SCHEMA, Key

README = Path(__file__).parents[1] / "README.md"
START, END = "<!-- options: make options -->", "<!-- end of options -->"
FIRST = ("cats", "encoder", "decoder", "gpt", "llama", "bert")  # asked first, then the others
WORDS = ("title", "source", "note", "extends", "tokens", "ids", "text", "vocabulary")
USUAL = ("none", "pairs", "interleaved")  # settings that need no model of their own
PARTS = (  # tables and weights whose presence is the option
    "memory", "memory.block", "block.*.attention.W_DKV", "block.*.attention.W_DQ",
    "block.*.attention.W_KR", "block.*.ffn.experts", "block.*.ffn.shared",
)  # fmt: skip
NORMS = ("embedding.norm", "norm1", "norm2", "post1", "post2", "branch1", "branch2", "qk_norm",
         "norm_KV", "norm_Q", "output.norm")  # fmt: skip


def table() -> str:
    """The table as Markdown."""
    cells = [f"{option} | {', '.join(shown)}" for option, shown in options().items()]
    half = (len(cells) + 1) // 2
    pairs = zip_longest(cells[:half], cells[half:], fillvalue=" | ")
    rows = ["| option | shown by | option | shown by |", "|---|---|---|---|"]
    return "\n".join([*rows, *(f"| {one} | {other} |" for one, other in pairs)]) + "\n"


def options() -> dict[str, list[str]]:
    """Each option with its settings and a model for each; "(none)" where none shows it."""
    found: dict[str, dict[str, str]] = {}
    settings = {name: _settings(name) for name in _ordered()}
    for key in SCHEMA:
        option = _option(key.path)
        silent = isinstance(key.kind, (Table, Tables, Rows, PerHead, Symbols))
        if not option or (silent and key.path not in PARTS):
            continue
        if option == "norms: kind":  # where a norm stands
            place = key.path.removesuffix(".kind").replace("block.*.", "")
            shown = found.setdefault(place, {})
            shown[""] = next((x for x, have in settings.items() if _has(have, key.path)), "")
        shown = found.setdefault(option, {})
        for setting in _values(key):
            model = next((x for x, have in settings.items() if (key.path, setting) in have), "")
            if model and not shown.get(setting):
                shown[setting] = model
            shown.setdefault(setting, "")
    return {f"`{option}`": _told(shown) for option, shown in found.items()}


def _has(settings: set[tuple[str, str]], path: str) -> bool:
    return any(place == path and word != "none" for place, word in settings)


def _told(shown: dict[str, str]) -> list[str]:
    return [f"{_code(setting)}{model or '(none)'}" for setting, model in shown.items()]


def _code(setting: str) -> str:
    return f"{setting if ' ' in setting else f'`{setting}`'}: " if setting else ""


def _ordered() -> list[str]:
    return [*FIRST, *(name for name in bundled_names() if name not in FIRST)]


def _option(path: str) -> str:
    """How the table calls a key: by its path, keys of norms all together; "" for no option."""
    if path.startswith("memory.") and path not in PARTS:
        return ""  # of a second sequence: like the keys of the first
    short = path.replace("block.*.", "")
    around, _, last = short.rpartition(".")
    if path.startswith("weights."):
        return path if path == "weights.generator" else ""
    if around.removeprefix("attention.") in NORMS:
        return f"norms: {last}"
    return "" if short in WORDS else short


def _values(key: Key) -> tuple[str, ...]:
    """The settings of a key that are no default: words, or "" for any value."""
    if key.path.endswith(".after"):
        return ("",)
    if isinstance(key.kind, Choice):
        layouts = USUAL if key.path == "position.layout" else USUAL[:1]
        return tuple(word for word in key.kind.words if word not in (key.default, *layouts))
    if isinstance(key.kind, Mask):
        return ("causal", "a matrix")
    return ("",)


def _setting(key: Key, value: Any) -> str:
    """How the table calls a value."""
    if isinstance(key.kind, Choice) and not key.path.endswith(".after"):
        return str(value)
    if isinstance(key.kind, Mask):
        return "a matrix" if isinstance(value, list) else str(value)
    return ""


def _settings(name: str) -> set[tuple[str, str]]:
    """What a model sets to something else than the default: (path, word or "")."""
    top, _ = merged(find_document(name))
    kinds = {key.path: key for key in SCHEMA}
    found = set()
    for path, value in _paths(top.raw, ""):
        key = kinds.get(path)
        if key is None or value == key.default or str(value) == str(key.default):
            continue
        found.add((path, _setting(key, value)))
    return found


def _paths(data: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every key inside, the numbers of blocks as *."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _paths(value, f"{path}.{key}" if path else key)
    elif isinstance(data, list) and data and isinstance(data[0], dict):
        for value in data:
            yield from _paths(value, f"{path}.*")
    yield path, data


def main(arguments: list[str]) -> None:
    if "--print" in arguments:
        sys.stdout.write(table())
        return
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(START)
    after = rest.partition(END)[2]
    README.write_text(f"{before}{START}\n\n{table()}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
