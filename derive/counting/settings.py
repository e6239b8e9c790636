"""Where settings come from: words of a command line, a preset, a short file, a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from derive.counting.architecture import BY_OPTION
from derive.counting.presets import PRESETS
from derive.counting.question import ASKED, Question, question
from derive.counting.spec import CHOICES, TRUTH, Spec, make
from derive.errors import DeriveError

SETTINGS = (*BY_OPTION, *CHOICES, *ASKED)
FLAGS = {name for name, (values, *_) in {**CHOICES, **ASKED}.items() if values == TRUTH}
FILE_KEYS = ("preset", "title", "source")


def asked(source: str | None, given: Mapping[str, str]) -> tuple[Spec, Question]:
    """The spec and the question of a SPEC, PRESET or MODEL (or none) with settings on top.

    Raises DeriveError for a name that is none of the three, and as `make` does.
    """
    settings = {name: text for name, text in given.items() if name not in ASKED}
    ask = question({name: text for name, text in given.items() if name in ASKED})
    if source is None:
        return make(settings), ask
    if source in PRESETS:
        return _preset(source, settings), ask
    from derive.counting.files import from_file

    return from_file(source, settings), ask


def _preset(name: str, settings: Mapping[str, str]) -> Spec:
    if name not in PRESETS:
        from derive.text import nearest

        near = nearest(name, PRESETS)
        raise DeriveError(
            f"no preset {name[:40]!r}: there are {', '.join(PRESETS)}"
            + (f"; nearest: {near}" if near else "")
        )
    preset = PRESETS[name]
    return make({**preset.settings, **settings}, preset.title, preset.source)


def from_table(table: Mapping[str, object], place: str, settings: Mapping[str, str]) -> Spec:
    """The spec of a short file's table: settings with `_` for `-`; `preset`, `title`, `source`.

    Raises DeriveError naming the file and key.
    """
    from derive.text import nearest

    found: dict[str, str] = {}
    for key, value in table.items():
        name = key.replace("_", "-")
        if key in FILE_KEYS:
            continue
        if name not in BY_OPTION and name not in CHOICES:
            near = nearest(name, (*BY_OPTION, *CHOICES, *FILE_KEYS))
            hint = f"; nearest: {near.replace('-', '_')}" if near else ""
            raise DeriveError(f"{place}: no key {key[:40]!r}{hint}")
        if not isinstance(value, str | int):
            raise DeriveError(f"{place}: {key}: expected a number, a text, true or false")
        found[name] = str(value).lower() if isinstance(value, bool) else str(value)
    title, source = (str(table.get(key, "")) for key in ("title", "source"))
    try:
        if "preset" in table:
            base = _preset(str(table["preset"]), {**found, **settings})
            return make(
                {**PRESETS[str(table["preset"])].settings, **found, **settings},
                title or base.title,
                source or base.source,
            )
        return make(
            {**found, **settings}, title or place.rpartition("/")[2].partition(".")[0], source
        )
    except DeriveError as error:
        raise DeriveError(f"{place}: {error}") from None


def from_words(text: str) -> tuple[str, Spec, Question]:
    """A counting question as typed after `derive count`: quantity, spec, question.

    >>> quantity, spec, _ = from_words("kv-cache --layers 2 --heads 4")
    >>> quantity, spec.values()["L"].number
    ('kv-cache', Fraction(2, 1))
    """
    import shlex

    try:
        words = shlex.split(text)
    except ValueError as error:
        raise DeriveError(f"count: {error} in {text[:60]!r}") from None
    return from_list(words)


def from_list(words: Sequence[str]) -> tuple[str, Spec, Question]:
    """The same of words that a shell has split already."""
    names, given = _sorted(words)
    if not 1 <= len(names) <= 2:
        raise DeriveError(f"count: read {len(names)} names, expected QUANTITY [MODEL|SPEC|PRESET]")
    from derive.counting.question import check_quantity

    spec, ask = asked(names[1] if len(names) == 2 else None, given)
    return check_quantity(names[0]), spec, ask


def _sorted(words: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Names and options; `--gated` alone is true, `--no-gated` false, `--tied` an unembedding."""
    names: list[str] = []
    given: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            names.append(word)
            continue
        name, equals, value = word[2:].partition("=")
        if name == "tied":
            given["unembedding"] = "tied"
        elif name.removeprefix("no-") in FLAGS and not equals:
            given[name.removeprefix("no-")] = "false" if name.startswith("no-") else "true"
        elif name not in SETTINGS:
            from derive.text import nearest

            near = nearest(name, SETTINGS)
            raise DeriveError(
                f"count: no option --{name[:40]}" + (f"; nearest: --{near}" if near else "")
            )
        else:
            if not equals and not rest:
                raise DeriveError(f"count: --{name} needs a value")
            given[name] = value if equals else rest.pop(0)
    return names, given
