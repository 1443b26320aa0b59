"""Objects of the APIs' own SDKs, and plain data -> the JSON that they stand for.

The SDKs' objects are pydantic's models, boto3 has dicts. What is None says nothing, and is left
out: the SDKs have None for each field that an answer does not have. Bytes are base64.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from ..errors import EncodeError, reason_of
from ..model.rawjson import RawJson, not_json, refuse_nan

__all__ = ["body_of", "event_of"]

_BESIDE: Final = frozenset({"automaticFunctionCallingHistory", "parsed", "sdkHttpResponse"})
"""What Google's SDK puts beside the body of an answer: headers, and results of its own."""
_PARSED: Final[Any] = {
    "choices": {
        "__all__": {
            "message": {
                "parsed": True,
                "tool_calls": {"__all__": {"function": {"parsed_arguments": True}}},
            }
        }
    },
    "content": {"__all__": {"parsed_output": True}},
    "output": {"__all__": {"content": {"__all__": {"parsed": True}}, "parsed_arguments": True}},
}
"""Where OpenAI's and Anthropic's SDKs put what they have parsed of an answer's text."""
_OF_HELPERS: Final = frozenset({"citation", "input_json", "signature", "text", "thinking"})
"""The events that the helper of Anthropic's SDK (`messages.stream`) derives from the API's own."""


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
    if type(value).__name__ == "CompletionEvent":  # of Mistral's SDK, around the chunk
        event = event.get("data")
    if not isinstance(event, dict):
        raise TypeError(f"{wire}: event of type `{type(value).__name__}`, expected an object")
    kind = event.get("type", "")
    if type(value).__module__.startswith("anthropic."):
        if kind in _OF_HELPERS:
            return None
        if kind == "content_block_stop":  # the whole block, which the deltas have said
            event.pop("content_block", None)
        elif kind == "message_stop":
            event.pop("message", None)
    elif wire == "bedrock" and len(event) == 1:
        ((kind, event),) = event.items()
    return kind if isinstance(kind, str) else "", _json(event, wire)


def _plain(value: Any, wire: str) -> Any:
    if hasattr(value, "model_dump"):
        value = _dumped(value)
        if isinstance(value, dict):
            return {key: item for key, item in value.items() if key not in _BESIDE}
    elif not isinstance(value, dict | list | tuple):
        step = "expected bytes, text, a dict or an object of the API's SDK"
        if hasattr(value, "__aiter__") or hasattr(value, "__next__"):
            step += "; a stream's events go to `StreamDecoder.feed_event` one by one"
        elif hasattr(value, "read") or hasattr(value, "content"):
            step += "; of an HTTP response pass its `content`"
        raise TypeError(f"{wire}: body of type `{type(value).__name__}`, {step}")
    if wire == "bedrock" and isinstance(value, dict):  # boto3 puts headers beside an answer
        return {key: item for key, item in value.items() if key != "ResponseMetadata"}
    return value


def _dumped(value: Any) -> Any:
    return value.model_dump(by_alias=True, exclude_none=True, exclude=_PARSED, warnings=False)


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
