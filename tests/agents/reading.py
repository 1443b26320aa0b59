"""Strict reading of JSON: what has no place there is refused in the words of the wire."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from binascii import Error
from typing import Any

from tests.agents.script import RefusalError

__all__ = [
    "as_object",
    "checked_image",
    "checked_schema",
    "data_url",
    "keys",
    "matched",
    "pieces",
    "text_of",
]


def keys(value: Any, path: str, allowed: str, needed: str = "") -> dict[str, Any]:
    """Return an object that has the needed keys, and no others than these and the allowed."""
    if not isinstance(value, dict):
        raise RefusalError(f"{path}: Input should be an object")
    for key in needed.split():
        if value.get(key) is None:
            raise RefusalError(f"{path}.{key}: Field required")
    known = {*allowed.split(), *needed.split()}
    for key in value:
        if key not in known:
            raise RefusalError(f"{path}.{key}: Extra inputs are not permitted")
    return value


def text_of(value: Any, path: str, *, empty: bool = True) -> str:
    if not isinstance(value, str):
        raise RefusalError(f"{path}: Input should be a string")
    if not empty and not value.strip():
        raise RefusalError(f"{path}: text must be non-empty")
    return value


def matched(pattern: str, value: Any, path: str) -> str:
    if not isinstance(value, str) or re.fullmatch(pattern, value) is None:
        raise RefusalError(f"{path}: String should match pattern '{pattern}'")
    return value


def as_object(text: Any, path: str) -> dict[str, Any]:
    """Return the arguments of a call that are JSON in a string."""
    try:
        value = json.loads(text_of(text, path))
    except ValueError as error:
        raise RefusalError(f"{path}: arguments are not JSON") from error
    if not isinstance(value, dict):
        raise RefusalError(f"{path}: arguments are not an object")
    return value


_BEGIN = {"png": b"\x89PNG", "jpeg": b"\xff\xd8", "gif": b"GIF8", "webp": b"RIFF"}


def checked_image(kind: Any, data: Any, path: str) -> str:
    """Return the base64 of an image that is what its type says."""
    try:
        content = b64decode(text_of(data, path, empty=False), validate=True)
    except Error as error:
        raise RefusalError(f"{path}: Could not process image") from error
    if kind not in _BEGIN or not content.startswith(_BEGIN[kind]):
        raise RefusalError(f"{path}: The image does not appear to be of the type {kind}")
    return str(data)


def data_url(url: Any, path: str) -> str:
    """Return the base64 of an image in a data URL."""
    found = re.fullmatch(r"data:image/(\w+);base64,(.+)", text_of(url, path))
    if found is None:
        raise RefusalError(f"{path}: Invalid image URL")
    return checked_image(found[1], found[2], path)


def checked_schema(schema: Any, path: str) -> None:
    """Refuse the schema of a tool that is not an object, or has a union at its top."""
    if not isinstance(schema, dict) or schema.get("type") != "object":
        raise RefusalError(f"{path}.type: Input should be 'object'")
    for word in ("oneOf", "anyOf", "allOf", "enum", "not"):
        if word in schema:
            raise RefusalError(f"{path}: schema must not have '{word}' at the top level")
    for name in schema.get("properties", {}):
        matched(r"[a-zA-Z0-9_.-]{1,64}", name, f"{path}.properties")


def pieces(text: str, count: int = 3) -> list[str]:
    """Return a text in pieces, as streams have it."""
    size = max(1, -(-len(text) // count))
    return [text[start : start + size] for start in range(0, len(text), size)]
