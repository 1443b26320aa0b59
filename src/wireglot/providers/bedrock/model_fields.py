"""`additionalModelRequestFields`: what the models of each maker read there.

A file of its own, as it is data of makers that the writer and the reader of requests look into
alike: it knows nothing of messages.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Raw

from ..._body.encode import encode_json as encode
from ..._body.objects import is_object
from ...model import Request, Thinking
from . import wire
from .makers import Maker

MODEL_FIELDS: Final = "additionalModelRequestFields"
NO_FIELDS: Final = wire.ModelFields()
_KNOWN: Final = frozenset(wire.ModelFields.__struct_encode_fields__)
_ASKS: Final = _KNOWN - {"inferenceConfig", "top_k"}
"""Those that ask for thinking."""
_NULL: Final = Raw(b"null")
_keys: Final = msgspec.json.Decoder(dict[str, Raw]).decode
_fields: Final = msgspec.json.Decoder(wire.ModelFields).decode
_value: Final = msgspec.json.Decoder().decode


def known_fields(given: Raw | None) -> tuple[wire.ModelFields, bool]:
    """Return the fields that are known, and whether those are all that is said."""
    if given is None:
        return NO_FIELDS, True
    try:
        fields = _fields(given)
        return fields, bool(_said(_value(given)) == _value(encode(fields)))
    except (msgspec.DecodeError, RecursionError):
        return NO_FIELDS, False


def refused(given: Raw, maker: Maker) -> set[str]:
    """Return the known fields that the models of a maker do not take."""
    if maker.effort == "effort" or not is_object(given):
        return set()
    keys = _keys(given)
    taken: set[str] = {maker.effort, maker.top_k}
    if maker.effort == "claude":
        taken.add("thinking")
        if is_object(keys.get("reasoning_config", _NULL)):
            taken.add("reasoning_config")  # another name of it
    if maker.top_k == "topK":
        taken.add("inferenceConfig")
    return {key for key in keys if key in _KNOWN and key not in taken}


def effort_of(fields: wire.ModelFields) -> str | None:
    """Return the effort that models of another maker than Anthropic are asked for.

    Of more than one, none is known.
    """
    nova, reasoning = fields.nova_thinking, fields.reasoning
    words = [
        word
        for word in (
            None if nova is None else "none" if nova.type == "disabled" else _nova_word(nova),
            reasoning.effort if reasoning is not None else None,
            fields.reasoning_effort,
            fields.reasoning_config,
        )
        if isinstance(word, str)
    ]
    return " ".join(words) or None


def _nova_word(asked: wire.NovaThinking) -> str:
    return asked.max_reasoning_effort or asked.type


def is_read(key: str, came: Any, request: Request) -> bool:
    """Whether the parameters of a request say all that a field of a model says."""
    if type(came) is not dict or key not in came:
        return True
    if key in _ASKS and not _asks(request.thinking, came[key]):
        return False
    if key == "top_k" and came[key] != request.top_k:
        return False
    if key == "inferenceConfig" and came[key] != {"topK": request.top_k}:
        return False
    if key in _ASKS and len(_ASKS & came.keys()) > 1:
        return False  # of several that ask for thinking, one is read
    said = {key: _said(came[key])}
    try:
        known = _value(encode(msgspec.convert(said, wire.ModelFields)))
    except (msgspec.ValidationError, RecursionError):
        return False
    return bool(_said(known) == said)


def _asks(asked: Thinking | None, came: Any) -> bool:
    """Whether a request asks for thinking as a field of a model did."""
    if asked is None:
        return False
    has_measure = asked.level is not None or asked.budget_tokens is not None
    return has_measure or came == {"type": "adaptive"}


def _said(value: Any) -> Any:
    """Return a JSON value without the keys that are null."""
    if type(value) is list:
        return [_said(inner) for inner in value]
    if type(value) is dict:
        return {key: _said(inner) for key, inner in value.items() if inner is not None}
    return value
