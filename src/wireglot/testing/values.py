"""Strategies for texts, JSON, tool arguments, unknown keys and media."""

from __future__ import annotations

import base64
import json
from typing import Any, cast

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec import Raw

from .._registry import APIS as _OURS
from ..json import decode as from_json
from ..model import Arguments, DataBlock, Extra, Extras, Media
from ..model.base import UnknownKeys
from ..msgpack import decode as from_msgpack
from ._once import once

__all__ = ["APIS", "arguments", "extras", "json_objects", "json_values", "media", "texts"]

APIS = st.sampled_from([*_OURS, "é ", ""])

_ODD_TEXTS = st.sampled_from(
    (
        "",
        "\x00\x1f\x7f\x80",
        '"\\/\b\f\n\r\t',
        "\u2028\u2029\ufeff\ufffd\uffff",
        "e\u0301 \u202eright to left\u202c \u05e9\u05dc\u05d5\u05dd",
        "\U0001f469\u200d\U0001f680 \U0001f1f5\U0001f1f9 \U0010ffff",
        "\\ud83d",
        "1e2",
        "null",
        '{"role":"user"}',
    )
)
_ODD_ARGUMENTS = st.sampled_from(
    (
        "{}",
        "",
        "  ",
        "{",
        '{"a": ',
        "1e2",
        "-0",
        "1e999",
        "12345678901234567890123",
        '{"z":1,"a":2,"z":3}',
        '"text"',
        "NaN",
        '{"half":"\\ud83d"}',
        '{ "a" :\t1 }',
    )
)
_INTEGERS = st.integers(-(2**63), 2**63 - 1) | st.integers(-(10**40), 10**40)
_LOOSE_BASE64 = st.sampled_from(("AAEC\nAw==", "_9j-", "AB==", "AAE", "no base64", ""))


@once
def texts(*, surrogates: bool = False) -> SearchStrategy[str]:
    """Draw short texts of any character; with `surrogates`, also lone surrogates.

    Use them to test that a text is written whole, or with a loss that says what is missing.
    """
    whole = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    if not surrogates:
        return _ODD_TEXTS | whole
    # Among all characters these are too few to be drawn often.
    halves = st.text(st.characters(categories=["Cs"]), min_size=1, max_size=2)
    return _ODD_TEXTS | whole | st.lists(whole | halves, max_size=3).map("".join)


@once
def json_values() -> SearchStrategy[Any]:
    """Draw plain JSON data, including integers beyond 64 bits.

    Use it to test that data of any shape (`details`, `parsed`, an extension's `data`) comes back
    equal on both native wires.
    """
    floats = st.floats(allow_nan=False, allow_infinity=False)
    leaves = st.none() | st.booleans() | _INTEGERS | floats | texts()
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | _objects(inner), max_leaves=5
    )


@once
def json_objects() -> SearchStrategy[dict[str, Any]]:
    """Draw JSON objects of up to three keys: metadata, schemas, unknown keys."""
    return _objects(json_values())


@once
def arguments() -> SearchStrategy[Arguments]:
    """Draw tool arguments: JSON as models write it, JSON that is not an object, and broken text.

    Use them to test that the model's own text comes back byte for byte.
    """
    written = st.builds(
        json.dumps,
        json_values(),
        ensure_ascii=st.booleans(),
        indent=st.none() | st.just(2),
        sort_keys=st.booleans(),
    )
    return st.builds(Arguments, _ODD_ARGUMENTS | written | texts())


@once
def extras() -> SearchStrategy[Extras | None]:
    """Draw unknown keys of providers' APIs, or of the native wire itself, or none.

    Use them to test that unknown keys come back to the wire that had them.
    """
    by_api = st.dictionaries(APIS, st.builds(Extra, json_objects()), max_size=2)
    own = st.dictionaries(texts().map("?{}".format), json_values(), min_size=1, max_size=2)
    own_keys = own.map(lambda data: {"wireglot": Extra(UnknownKeys.of(data))})
    return st.none() | by_api | own_keys


@once
def media() -> SearchStrategy[Media]:
    """Draw inline media in every form in which they come: binary, base64 text, and slices.

    Slices are those of JSON, of a `data:` URL in it, and of MessagePack. Some base64 is broken,
    padded loosely or in the URL-safe alphabet. Use them to test that media are written as they
    came.
    """
    data = st.binary(max_size=20) | st.just(b"\x89PNG\r\n\x1a\n\0\0")
    text = data.map(lambda held: base64.b64encode(held).decode()) | _LOOSE_BASE64
    return st.one_of(
        st.builds(Media.from_bytes, data),
        st.builds(Media.from_base64, text),
        st.builds(_slice_of_json, text, st.booleans()),
        st.builds(_slice_of_msgpack, data),
        st.builds(_slice_of_data_url, text, st.booleans()),
    )


def _objects(values: SearchStrategy[Any]) -> SearchStrategy[dict[str, Any]]:
    return st.dictionaries(texts(), values, max_size=3)


def _slice_of_json(text: str, escaped: bool) -> Media:
    """Return a slice of a JSON body, with `/` escaped or not, as PHP and others write it."""
    return _inline(from_json(f'{{"type":"data","data":{_quoted(text, escaped)}}}', DataBlock))


def _slice_of_data_url(text: str, escaped: bool) -> Media:
    url = '"data:image/png;base64,' + _quoted(text, escaped)[1:]
    return cast("Media", Media.of_data_url(Raw(url.encode())))


def _quoted(text: str, escaped: bool) -> str:
    return json.dumps(text).replace("/", "\\/") if escaped else json.dumps(text)


def _slice_of_msgpack(data: bytes) -> Media:
    body = b"\x82\xa4type\xa4data\xa4data\xc4" + bytes([len(data)]) + data
    return _inline(from_msgpack(body, DataBlock))


def _inline(block: DataBlock) -> Media:
    return cast("Media", block.data)
