"""Objects of the APIs' own SDKs, and plain data -> the JSON that they stand for.

The SDKs' objects are pydantic's models, boto3 has dicts. What is None says nothing, and is left
out: the SDKs have None for each field that an answer does not have. Bytes are base64.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from .._registry import PROVIDER_NAMES, PROVIDERS
from ..errors import EncodeError, reason_of
from ..model.rawjson import RawJson, not_json, refuse_nan


def body_of(value: Any, wire: str) -> bytes:
    """Return the JSON of a dict, a list or an SDK's object.

    Raises `TypeError` for any other object, and `EncodeError` for what JSON cannot express.
    """
    return _json(_plain(value, wire), wire)


def event_of(value: Any, wire: str) -> tuple[str, bytes] | None:
    """Return the name and the JSON of one event of an SDK's stream, None if it says nothing new.

    Raises as `body_of` does.
    """
    event = _plain(value, wire)
    for sdk in _sdks():
        if sdk.event is not None and isinstance(event, dict):
            event = sdk.event(value, event)
            if event is None:
                return None
    if not isinstance(event, dict):
        raise TypeError(f"{wire}: event of type `{type(value).__name__}`, expected an object")
    kind = event.get("type", "")
    own = _sdk_of(wire)
    if own is not None and own.keyed_events and len(event) == 1:
        ((kind, event),) = event.items()
    return kind if isinstance(kind, str) else "", _json(event, wire)


@cache
def _sdks() -> tuple[Any, ...]:
    """Return what the SDKs of our providers add: an object of any may come on any wire."""
    return tuple(PROVIDERS[name].FACTS.sdk for name in PROVIDER_NAMES)


def _sdk_of(wire: str) -> Any:
    """Return what the SDK of a provider adds, its `FACTS.sdk`; None of a wire without one."""
    facts = getattr(PROVIDERS[wire], "FACTS", None) if wire in PROVIDERS else None
    return None if facts is None else facts.sdk


@cache
def _parsed() -> dict[str, Any]:
    """Return where the SDKs put what they have parsed of an answer."""
    return {key: inner for sdk in _sdks() for key, inner in sdk.parsed.items()}


@cache
def _beside() -> frozenset[str]:
    """Return what the SDKs whose objects are models put beside the body of an answer."""
    return frozenset().union(*(sdk.beside for sdk in _sdks() if not sdk.has_dicts))


def _plain(value: Any, wire: str) -> Any:
    if hasattr(value, "model_dump"):
        value = _dumped(value)
        beside = _beside()
    elif isinstance(value, dict | list | tuple):
        own = _sdk_of(wire) if isinstance(value, dict) else None
        beside = own.beside if own is not None and own.has_dicts else frozenset()
    else:
        step = "expected bytes, text, a dict or an object of the API's SDK"
        if hasattr(value, "__aiter__") or hasattr(value, "__next__"):
            step += "; a stream's events go to `StreamDecoder.feed_event` one by one"
        elif hasattr(value, "read") or hasattr(value, "content"):
            step += "; of an HTTP response pass its `content`"
        raise TypeError(f"{wire}: body of type `{type(value).__name__}`, {step}")
    if beside and isinstance(value, dict):
        return {key: item for key, item in value.items() if key not in beside}
    return value


def _dumped(value: Any) -> Any:
    return value.model_dump(by_alias=True, exclude_none=True, exclude=_parsed(), warnings=False)


def _object(value: Any) -> Any:
    if hasattr(value, "model_dump"):  # an SDK's message in a list of dicts
        return _dumped(value)
    if isinstance(value, RawJson):
        return value.native()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(not_json(value))


_encode = msgspec.json.Encoder(enc_hook=_object).encode


def _json(value: Any, wire: str) -> bytes:
    try:
        body = _encode(value)
        if b"null" in body:
            refuse_nan(value, _object)
    except RecursionError as error:
        raise EncodeError("nested too deeply", wire=wire) from error
    except (TypeError, ValueError) as error:
        raise EncodeError(reason_of(error), wire=wire) from error
    return body
