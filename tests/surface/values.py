"""A node of the tree -> the smallest value that its type and the API admit, and its variants."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

from .tree import INT, STR, Enum, List, Map, Node, Obj, Scalar, members

Json = Any
MODEL = "zq-model"
_MAGIC = {
    "png": b"\x89PNG\r\n\x1a\n", "jpeg": b"\xff\xd8\xff\xe0", "gif": b"GIF89a",
    "webp": b"RIFF\0\0\0\0WEBPVP8 ", "pdf": b"%PDF-1.7\n", "wav": b"RIFF\0\0\0\0WAVE",
}  # fmt: skip
PNG, PDF, WAV = (
    base64.b64encode(_MAGIC[kind] + bytes(4)).decode() for kind in ("png", "pdf", "wav")
)
SCHEMA = {"type": "object", "properties": {"zqp": {"type": "string"}}, "required": ["zqp"]}
SCHEMA |= {"additionalProperties": False}
_NAMED = {"$PNG": PNG, "$PDF": PDF, "$WAV": WAV, "$SCHEMA": SCHEMA, "$TEXT": json.dumps(SCHEMA)}
_NAMED |= {"$FILE": "data:application/pdf;base64," + PDF}


def _filled(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _filled(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_filled(each) for each in value]
    return _NAMED.get(value, value) if isinstance(value, str) else value


def _table(name: str) -> dict[str, Json]:
    path = Path(__file__).with_name("values.json")
    return _filled(json.loads(path.read_text())[name])


NEEDED = _table("needed")
"""Object -> what its smallest value needs, though its type does not say so."""
_WITH = _table("with")
"""`Object.field`, perhaps with a value -> what else is set where the field is."""
_WITHOUT = _table("without")
"""`Object.field` -> the keys that are not set where the field is."""
_STRINGS = _table("strings")
"""Key -> text. A key that ends in `*` is the end of a key, as in `*url`."""
_NUMBERS = _table("numbers")


def _scalar(kind: str, key: str) -> Json:
    low = key.lower()
    if kind == "str":
        ends = (v for k, v in _STRINGS.items() if k[0] == "*" and low.endswith(k[1:]))
        return _STRINGS.get(low) or next(ends, "zq" + low.replace("_", ""))
    if kind == "any":
        return SCHEMA if low in _SCHEMAS else {"zq" + low.replace("_", ""): 37}
    if kind in ("int", "float"):
        whole = kind == "int" or low.endswith(("tokens", "units"))
        return _NUMBERS.get(low, 37 if whole else 0.37)
    if kind == "bool":
        return _NUMBERS.get(low) is not False
    return {"bytes": PNG, "time": "2026-01-02T03:04:05Z"}[kind]


_SCHEMAS = {"input_schema", "parameters", "parametersjsonschema", "schema", "json_schema"}
_SCHEMAS |= {"responsejsonschema", "response_json_schema", "json"}


def smallest(node: Node, key: str = "", above: tuple[Node, ...] = ()) -> Json:
    """Return the smallest value of `node`, which is the value of `key`."""
    if isinstance(node, Scalar):
        return _scalar(node.kind, key)
    if isinstance(node, Enum):
        usual = (v for v in ("image/png", "png", "completed", "stop") if v in node.values)
        return MODEL if key == "model" else next(usual, node.values[0])
    if isinstance(node, List):
        return [smallest(node.item, key, above)]
    if isinstance(node, Map):
        return {"zqk": smallest(node.item, key, above)}
    if not isinstance(node, Obj):
        found = members(node)
        plain = sorted(found, key=lambda m: (m in above, not isinstance(m, Scalar)))
        return smallest(plain[0], key, above) if plain else None
    known = NEEDED.get(node.name, {})
    value = {k: deepcopy(v) for k, v in known.items() if k in node.fields}
    for name, (kind, required) in node.fields.items():
        if name not in value and (required or (node.one_of and not value)):
            value[name] = smallest(kind, name, (*above, node)) if len(above) < 12 else {}
    return {k: value[k] for k in node.fields if k in value}


class Variant(NamedTuple):
    """One thing that a field may hold: `label` is empty for a scalar."""

    label: str
    value: Json
    obj: Obj | None = None
    hold: Callable[[Json], Json] = lambda value: value
    """Puts another value of `obj` where this one is."""


def variants(node: Node, key: str, usual: Json = None) -> Iterator[Variant]:
    """Yield what the field `key` may hold: each member of a union, each value of an enumeration.

    `usual` is what it has in the smallest value, which is better than what is made of the key.
    """
    for member in members(node):
        if isinstance(member, Obj):
            yield Variant(":" + member.name, _saying(member, smallest(member, key)), member)
        elif isinstance(member, Enum):
            if len(member.values) > 1 or key not in ("type", "role", "object", "name"):
                for value in [MODEL] if key == "model" else member.values:
                    yield Variant(f"={value}", value)
        elif isinstance(member, List | Map):
            wrap = _listed if isinstance(member, List) else _mapped
            for each in variants(member.item, key):
                hold = lambda value, w=wrap, h=each.hold: w(h(value))  # noqa: E731
                yield Variant(each.label, wrap(each.value), each.obj, hold)
        else:
            known = type(usual) in (str, int) and member in (STR, INT)
            yield Variant("", usual if known else _scalar(member.kind, key))


def _listed(value: Json) -> Json:
    return [value]


def _mapped(value: Json) -> Json:
    return {"zqk": value}


def _saying(obj: Obj, value: Json) -> Json:
    """Return `value` with a field of the object, if without one it says nothing."""
    for key, (node, _) in () if value else sorted(obj.fields.items(), key=_depth):
        for member in members(node):
            inner = smallest(member, key)
            return {key: _saying(member, inner) if isinstance(member, Obj) else inner}
    return value


def _depth(field: tuple[str, tuple[Node, bool]]) -> bool:
    return any(isinstance(member, Obj) for member in members(field[1][0]))


def with_field(obj: Obj, plain: Json, key: str, label: str, value: Json) -> tuple[Json, Json]:
    """Return an object with the field, and without it."""
    name = f"{obj.name}.{key}"
    gone = [*plain] if obj.one_of else _WITHOUT.get(name, ())
    without = {k: deepcopy(v) for k, v in plain.items() if k not in gone and k != key}
    for k, v in (_WITH.get(name + label) or _WITH.get(name, {})).items():
        without.setdefault(k, deepcopy(v))
    return {**without, key: deepcopy(value)}, without


def other(value: Json, node: Node) -> Json:
    """Return another value of the same kind, or the same where there is none."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 4
    if isinstance(value, str):
        values = [v for m in members(node) if isinstance(m, Enum) for v in m.values]
        if value in values:
            return next((v for v in values if v != value), value)
        return changed(value)
    if isinstance(value, list) and len(value) == 1 and not isinstance(value[0], dict | list):
        items = [m.item for m in members(node) if isinstance(m, List)]
        return [other(value[0], items[0])] if items else value
    if isinstance(value, dict) and any(key.startswith("zq") for key in value):
        return {key.replace("zq", "zr"): each for key, each in value.items()}
    return changed(value)


def changed(value: Json) -> Json:
    """Return `value` with other texts in it."""
    if isinstance(value, list):
        return [changed(each) for each in value]
    if isinstance(value, dict):
        return {key: changed(each) for key, each in value.items()}
    if isinstance(value, int | float) and value > 2:
        return value + 4
    for old, new in _OTHERS if isinstance(value, str) else ():
        value = value.replace(old, new)
    return value


_OTHERS = [("zq", "zr"), ("Zq", "Zr"), ("2026", "2025")]
_OTHERS += [
    (data, base64.b64encode(base64.b64decode(data) + b"1111").decode()) for data in (PNG, PDF, WAV)
]


def with_true_media(body: Json) -> Json:
    """Make data what the type beside it says: a body whose type and data differ is corrected."""
    if isinstance(body, list):
        return [with_true_media(each) for each in body]
    if not isinstance(body, dict):
        return body
    made = {key: with_true_media(each) for key, each in body.items()}
    said = body.get("media_type") or body.get("mimeType") or body.get("format")
    kind = said.rpartition("/")[2] if isinstance(said, str) else ""
    if kind in _MAGIC:
        data = base64.b64encode(_MAGIC[kind] + bytes(4)).decode()
        if made.get("data") == PNG:
            made["data"] = data
        if isinstance(made.get("source"), dict) and made["source"].get("bytes") == PNG:
            made["source"]["bytes"] = data
    return made
