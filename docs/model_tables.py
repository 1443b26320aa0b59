"""The model's types -> tables of their keys and fields, as a Sphinx extension."""

import inspect
import re

from msgspec.structs import fields

import wireglot as wg

# Annotations that say how a field is filled, by what a reader finds in it.
_SHOWN = {
    "InlineMedia": "Media | None",
    "RawArguments": "Arguments",
    "RawValue": "RawJson",
    "MaybeRawValue": "RawJson | None",
}


def _kinds(match):
    """Return a row for each type of a union: its tag, its class, and the fields that are its own.

    What follows a `-` is a base, whose fields the row leaves out.
    """
    names, _, base = match[1].partition(" - ")
    common = {field.name for field in fields(getattr(wg, base))} if base else set()
    rows = "".join(
        f"| `{kind.__struct_config__.tag}` | `{name}` | {_names(kind, common)} |\n"
        for name in names.split()
        for kind in [getattr(wg, name)]
    )
    key = getattr(wg, names.split()[0]).__struct_config__.tag_field
    return f"| `{key}` | class | fields |\n| --- | --- | --- |\n{rows}"


def _names(kind, common=frozenset()):
    return " ".join(f"`{field.name}`" for field in fields(kind) if field.name not in common)


def _fields(match):
    """Return a row for each field of a type, with its type and its key in native JSON."""
    kind = getattr(wg, match[1])
    annotations = {}
    for base in reversed(kind.__mro__):
        annotations |= inspect.get_annotations(base)
    rows = "".join(
        f"| `{field.name}` | `{field.encode_name}` | {_type(annotations[field.name])} |\n"
        for field in fields(kind)
    )
    return f"| field | key | type |\n| --- | --- | --- |\n{rows}"


def _type(annotation):
    shown = re.sub(r"\w+", lambda found: _SHOWN.get(found[0], found[0]), annotation)
    return f"`{shown}`".replace("|", "\\|")


def _words(match):
    return ", ".join(f"`{word}`" for word in getattr(wg, match[1]))


def _common(match):
    return _names(getattr(wg, match[1]))


def _error_kinds(match):
    rows = "".join(f"| `{kind}` | {status} |\n" for kind, status in wg.ERROR_KINDS.items())
    return rows.rstrip("\n")


_MAKERS = {
    r"@@kinds:([\w -]+)@@": _kinds,
    r"@@fields:(\w+)@@": _fields,
    r"@@words:(\w+)@@": _words,
    r"@@base:(\w+)@@": _common,
    r"@@error kinds@@": _error_kinds,
}


def _insert(app, docname, source):
    if docname in ("answers", "model"):
        for pattern, make in _MAKERS.items():
            source[0] = re.sub(pattern, make, source[0])


def setup(app):
    """Connect the tables; called by Sphinx."""
    app.connect("source-read", _insert)
    return {"parallel_read_safe": True}
