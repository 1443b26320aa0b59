"""A body of one host of Gemini's wire -> the same for the other, without the keys that it refuses.

The Gemini API and Vertex AI refuse keys that they do not know. A body that came from one of them
goes to the same one as it came. Source: the SDK's converters `_..._to_mldev` and `_..._to_vertex`
(google-genai 3.6, models.py), which refuse the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import Raw

from ..._body.encode import encode_json as encode
from ..._body.objects import is_null
from ...model import OpaqueBlock, Request
from .wire import API, DIALECTS

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_items = msgspec.json.Decoder(list[Raw]).decode
_upper: Final = re.compile(r"_([a-z])").sub
_GONE: Final[Mapping[str, Any]] = {}
_VERTEX_ALONE: Final[Mapping[str, Any]] = {
    "modelArmorConfig": _GONE,
    "generationConfig": {
        "audioTimestamp": _GONE,
        "generationOutputConfig": _GONE,
        "imageConfig": {
            "imageOutputOptions": _GONE,
            "outputCompressionQuality": _GONE,
            "outputMimeType": _GONE,
            "personGeneration": _GONE,
            "prominentPeople": _GONE,
        },
        "modelSelectionConfig": _GONE,
        "routingConfig": _GONE,
    },
    "safetySettings": {"method": _GONE},
    "toolConfig": {"functionCallingConfig": {"streamFunctionCallArguments": _GONE}},
    "tools": {
        "enterpriseWebSearch": _GONE,
        "exaAiSearch": _GONE,
        "googleMaps": {"groundingTypes": _GONE},
        "googleSearch": {"blockingConfidence": _GONE, "excludeDomains": _GONE},
        "parallelAiSearch": _GONE,
        "retrieval": _GONE,
    },
    "contents": {"parts": {"functionCall": {"partialArgs": _GONE, "willContinue": _GONE}}},
}
_GEMINI_ALONE: Final[Mapping[str, Any]] = {
    "store": _GONE,
    "generationConfig": {"enableEnhancedCivicAnswers": _GONE},
    "toolConfig": {"includeServerSideToolInvocations": _GONE},
    "tools": {
        "fileSearch": _GONE,
        "googleSearch": {"timeRangeFilter": _GONE},
        "mcpServers": _GONE,
    },
    "contents": {
        "parts": {
            "functionResponse": {"willContinue": _GONE, "parts": {"mediaProcessing": _GONE}},
            "partMetadata": _GONE,
            "toolCall": _GONE,
            "toolResponse": _GONE,
        }
    },
}
_REFUSED: Final = {"gemini": _VERTEX_ALONE, "vertex": _GEMINI_ALONE}
"""Host -> the keys that the other one has alone, by where they are."""
SHOWN: Final = frozenset({"contents", "tools"})
"""Where a key is that the model was to see."""


def host_of(request: Request) -> str:
    """Return the host that a request came from, as far as it is known."""
    extra = (request.extras or {}).get(API)
    return (extra.dialect if extra is not None else None) or DIALECTS[0]


def holds_own(request: Request) -> bool:
    """Whether a request may have keys of this wire that the model does not know."""
    if request.extras is not None:
        return True
    if any(tool.extras or type(tool) is OpaqueBlock for tool in request.tools or ()):
        return True
    blocks = (block for message in request.messages for block in message.content)
    return any(block.extras or type(block) is OpaqueBlock for block in blocks)


def without_foreign(body: Any, host: str) -> tuple[Any, list[str]]:
    """Return a body without the keys that a host refuses, and their paths, each once."""
    gone: dict[str, None] = {}
    text = Raw(encode(body))
    left = _without(text, _REFUSED[host], "", gone)
    return (body, [*gone]) if left is text else (_keys(left), [*gone])


def _without(raw: Raw, refused: Mapping[str, Any], path: str, gone: dict[str, None]) -> Raw:
    """Return JSON without the refused keys; the same if it has none."""
    start = bytes(memoryview(raw)[:1])
    if start == b"[":
        items = _items(raw)
        left = [_without(item, refused, path, gone) for item in items]
        if all(new is old for new, old in zip(left, items, strict=True)):
            return raw
        kept = [new for new, old in zip(left, items, strict=True) if new is old or not _empty(new)]
        return Raw(encode(kept))
    if start != b"{":
        return raw
    keys = _keys(raw)
    changed = dict(_left(keys, refused, path, gone))
    return raw if changed == keys else Raw(encode(changed))


def _left(
    keys: dict[str, Raw], refused: Mapping[str, Any], path: str, gone: dict[str, None]
) -> Iterator[tuple[str, Raw]]:
    for key, value in keys.items():
        inner = refused.get(_upper(lambda match: match[1].upper(), key))
        at = f"{path}.{key}" if path else key
        if inner is None:
            yield key, value
        elif not inner:
            if not is_null(value):
                gone[at] = None
        else:
            left = _without(value, inner, at, gone)
            if left is value or left != Raw(b"[]"):
                yield key, left


def _empty(raw: Raw) -> bool:
    """Whether nothing is left of an object but the role of a turn."""
    return not _keys(raw).keys() - {"role", "thoughtSignature"}
