"""Objects of the APIs' own SDKs, and plain data -> the JSON that they stand for.

The SDKs' objects are pydantic's models, boto3 has dicts. What is None says nothing, and is left
out: the SDKs have None for each field that an answer does not have. Bytes are base64.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec

from .._registry import PROVIDERS
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
    plain = _plain(value, wire)
    if not isinstance(plain, dict):
        raise TypeError(f"{wire}: event of type `{type(value).__name__}`, expected an object")
    own = _sdk_of(wire).event
    event = own(value, plain) if own is not None else (plain.get("type", ""), plain)
    if event is None:
        return None
    kind, data = event
    return kind if isinstance(kind, str) else "", _json(data, wire)


class _Nothing:
    """What is added by no SDK."""

    beside: frozenset[str] = frozenset()
    parsed: Mapping[str, Any] = {}
    event: Any = None
    has_dicts: bool = False


def _sdk_of(wire: str) -> Any:
    """Return what the SDK of a provider adds, its `FACTS.sdk`; of a wire without one, nothing."""
    facts = getattr(PROVIDERS[wire], "FACTS", None) if wire in PROVIDERS else None
    return _Nothing if facts is None else facts.sdk


def _plain(value: Any, wire: str) -> Any:
    sdk = _sdk_of(wire)
    is_object = hasattr(value, "model_dump")
    if is_object:
        value = _dumped(value, sdk)
    elif not isinstance(value, dict | list | tuple):
        step = "expected bytes, text, a dict or an object of the API's SDK"
        if hasattr(value, "__aiter__") or hasattr(value, "__next__"):
            step += "; a stream's events go to `StreamDecoder.feed_event` one by one"
        elif hasattr(value, "read") or hasattr(value, "content"):
            step += "; of an HTTP response pass its `content`"
        raise TypeError(f"{wire}: body of type `{type(value).__name__}`, {step}")
    if isinstance(value, dict) and (is_object or sdk.has_dicts):
        return {key: item for key, item in value.items() if key not in sdk.beside}
    return value


def _dumped(value: Any, sdk: Any) -> Any:
    return value.model_dump(by_alias=True, exclude_none=True, exclude=sdk.parsed, warnings=False)


def _object(sdk: Any, value: Any) -> Any:
    if hasattr(value, "model_dump"):  # an SDK's message in a list of dicts
        return _dumped(value, sdk)
    if isinstance(value, RawJson):
        return value.native()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(not_json(value))


def _json(value: Any, wire: str) -> bytes:
    hook = partial(_object, _sdk_of(wire))
    try:
        body = msgspec.json.encode(value, enc_hook=hook)
        if b"null" in body:
            refuse_nan(value, hook)
    except RecursionError as error:
        raise EncodeError("nested too deeply", wire=wire) from error
    except (TypeError, ValueError) as error:
        raise EncodeError(reason_of(error), wire=wire) from error
    return body
