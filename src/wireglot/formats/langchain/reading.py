"""LangChain's messages -> canonical ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw

from ... import model
from ...model import Extras, LlmMessage, RawJson, StopReason
from .._frames import is_same, json_text
from .._mapping import extras_of, spelled
from .._records import read, unknown, write
from . import types as own
from .calls import API, calls_of, with_calls
from .escapes import unescaped
from .media import source_of

__all__ = ["API", "APIS", "REMOVED", "STOPS", "canonical", "stop_reason"]

REMOVED: Final = "langchain.remove"
"""The kind of the extension that names a message to remove."""

MEANT: Final[Mapping[str, StopReason]] = {
    **{reason.value: reason for reason in StopReason},
    "end_turn": StopReason.STOP,
    "stop_sequence": StopReason.STOP,
    "STOP": StopReason.STOP,
    "COMPLETE": StopReason.STOP,
    "STOP_SEQUENCE": StopReason.STOP,
    "completed": StopReason.STOP,
    "eos": StopReason.STOP,
    "max_output_tokens": StopReason.LENGTH,
    "incomplete": StopReason.LENGTH,
    "failed": StopReason.ERROR,
    "cancelled": StopReason.ABORTED,
    "max_tokens": StopReason.LENGTH,
    "MAX_TOKENS": StopReason.LENGTH,
    "tool_calls": StopReason.TOOL_USE,
    "tool_use": StopReason.TOOL_USE,
    "TOOL_CALL": StopReason.TOOL_USE,
    "function_call": StopReason.TOOL_USE,
    "pause_turn": StopReason.PAUSED,
    "content_filter": StopReason.GUARD_RAIL,
    "refusal": StopReason.GUARD_RAIL,
    "SAFETY": StopReason.GUARD_RAIL,
}
"""The providers' stop reasons -> ours."""
_ENDS: Final = frozenset({"STOP", "completed"})
"""Stop reasons that say that the model ended, whether or not it made tool calls."""

APIS: Final[Mapping[str, str]] = {
    "anthropic": "anthropic-messages",
    "bedrock_converse": "bedrock-converse",
    "google_genai": "gemini-generate-content",
    "google_vertexai": "gemini-generate-content",
    "mistralai": "mistral-chat",
    "cohere": "cohere-chat-v2",
    "ollama": "ollama-chat",
}
"""`model_provider` -> the API that its signatures belong to."""

STOPS: Final[Mapping[str | None, str]] = {
    "anthropic": "stop_reason",
    "bedrock_converse": "stopReason",
    "ollama": "done_reason",
}
"""`model_provider` -> the key of its stop reason; for all others it is `finish_reason`."""

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_CACHE: Final = (b'{"type":"ephemeral"}', b'{"type":"ephemeral","ttl":"%b"}')
_ROLES: Final = {
    "user": "human",
    "assistant": "ai",
    "model": "ai",
    "developer": "system",
}


def stop_reason(word: str | None, content: list[Any]) -> StopReason | None:
    """Return the canonical stop reason for a provider's."""
    if word in _ENDS and any(type(block) is model.ToolCallBlock for block in content):
        return StopReason.TOOL_USE
    return MEANT.get(word or "")


def canonical(message: own.Message) -> model.AgentMessage:
    """Return the canonical message, without its original text, which `Frame` adds if needed."""
    fields = message.fields
    if message.kwargs:
        text = write(fields, API)
        plain = unescaped(text)
        fields = fields if plain is text else read(own.Fields, plain, API)
    kind = message.kind.replace("MessageChunk", "").lower()
    keys = _left(message, fields, kind)
    spelling: dict[str, Any] = {}
    if fields is message:
        spelling["shape"] = "plain"
    elif message.kwargs:
        spelling["shape"] = "constructor"
    is_kept = message.kind.endswith("Chunk") and kind not in ("human", "ai")
    if is_kept:
        keys["type"] = message.kind
    if kind == "chat":
        role = str(fields.role or "").lower()
        kind = _ROLES.get(role, role)
        is_known = kind in ("human", "ai", "system")
        if fields.role is not UNSET and (is_kept or not is_known):
            keys["role"] = fields.role  # a `ChatMessage` requires it
        kind = kind if is_known else "human"
    made = _MESSAGES[kind](message, fields, keys, spelling)
    made.extras = extras_of(API, unknown(keys), None, spelling)
    return made if kind == "remove" else LlmMessage(made)


def _says_something(value: Any) -> bool:
    """Whether JSON is there, and is not an empty object."""
    return isinstance(value, RawJson) and value.text != b"{}"


def _keys_of(value: Any) -> dict[str, Raw]:
    return dict(_keys(value.text)) if isinstance(value, RawJson) else {}


def _left(message: own.Message, fields: own.Fields, kind: str) -> dict[str, Any]:
    """Return the keys that canonical messages have no field for."""
    keys: dict[str, Any] = dict(_keys(fields.unknown.text)) if fields.unknown is not UNSET else {}
    if fields is not message and message.unknown is not UNSET:
        keys["(message)"] = message.unknown.native()
    if kind in ("human", "ai") and bytes(keys.get("example", b"")) == b"false":
        del keys["example"]  # versions before 1.0 write this in every message
    if _says_something(fields.additional_kwargs):
        keys["additional_kwargs"] = fields.additional_kwargs
    if kind != "ai" and _says_something(fields.response_metadata):
        keys["response_metadata"] = fields.response_metadata
    for name in _ALIEN[kind]:
        value = getattr(fields, name)
        if value is not UNSET:
            keys[name] = Raw(write(value, API))
    return keys


_ASIDE: Final = {
    "ai": {"tool_calls", "invalid_tool_calls", "usage_metadata"},
    "tool": {"tool_call_id", "artifact", "status"},
    "chat": {"role"},
}
_EVERY: Final = frozenset().union(*_ASIDE.values())
_ALIEN: Final = {
    kind: tuple(sorted(_EVERY - _ASIDE.get(kind, set())))
    for kind in ("human", "ai", "system", "tool", "function", "chat", "remove")
}
"""For each type, the fields of other types: on this type they are unknown keys."""


def _content(fields: own.Fields, spelling: dict[str, Any]) -> list[model.Content]:
    content = fields.content
    if isinstance(content, str):
        return [model.TextBlock(content)] if content else []
    parts = content or []
    made = [_part(part) for part in parts]
    if not made or (len(made) == 1 and type(made[0]) is model.TextBlock and not _marked(made[0])):
        spelling["content"] = "list"
    return made


def _marked(block: model.TextBlock) -> bool:
    return block != model.TextBlock(block.text)


# -- blocks ---------------------------------------------------------------------------------------


def _part(part: str | RawJson) -> Any:
    if isinstance(part, str):
        return model.TextBlock(part, extras=extras_of(API, UNSET, None, {"type": None}))
    keys: dict[str, Any] = _keys(part.native())
    word = json_text(keys.get("type"))
    read = _BLOCKS.get(str(word))
    made = read(keys) if read is not None else _media(str(word), keys)
    return model.OpaqueBlock(API, part) if made is None else made


def _cache(keys: dict[str, Any]) -> model.CacheMark | None:
    mark = keys.get("cache_control")
    if mark is not None:
        for ttl in (None, "5m", "1h"):
            text = _CACHE[1] % ttl.encode() if ttl else _CACHE[0]
            if is_same(bytes(mark), text):
                del keys["cache_control"]
                return model.CacheMark(ttl)
    return None


def _signature(keys: dict[str, Any]) -> str | None:
    """Take the signature out of the `extras` of a block, if there is nothing else in them."""
    extras = keys.get("extras")
    if extras is None or bytes(memoryview(extras)[:1]) != b"{":
        return None
    held = _keys(extras)
    signature = json_text(held.get("signature")) if held.keys() == {"signature"} else None
    if signature is not None:
        del keys["extras"]
    return signature


def _rest(keys: dict[str, Any], spelling: Mapping[str, Any] | None = None) -> Extras | None:
    keys.pop("type", None)
    return extras_of(API, unknown(keys), None, spelling)


def _text(keys: dict[str, Any]) -> model.TextBlock | None:
    text = json_text(keys.get("text"))
    if text is None:
        return None
    del keys["text"]
    made = model.TextBlock(text, _annotations(keys), _signature(keys), _cache(keys))
    made.extras = _rest(keys)
    return made


_CITATIONS: Final = msgspec.json.Decoder(list[dict[str, str | int]])


def _annotations(keys: dict[str, Any]) -> list[model.AnnotationRef] | None:
    """Take the annotations of a text, if they are all plain citations."""
    try:
        found = _CITATIONS.decode(keys["annotations"])
        refs = [_citation(each) for each in found]
    except (KeyError, TypeError, msgspec.DecodeError):
        return None
    del keys["annotations"]
    return refs


def _citation(keys: dict[str, Any]) -> model.AnnotationRef:
    if keys.pop("type") != "citation":
        raise KeyError("citation")
    refs = {
        "url": "url",
        "title": "title",
        "cited_text": "citedText",
        "start_index": "start",
        "end_index": "end",
    }
    return msgspec.convert(
        {refs[key]: value for key, value in keys.items()},
        model.AnnotationRef,
    )


def _reasoning(keys: dict[str, Any]) -> model.ThinkingBlock | None:
    text = json_text(keys.get("reasoning"))
    if text is None:
        return None
    del keys["reasoning"]
    made = model.ThinkingBlock(text, _signature(keys))
    made.extras = _rest(keys)
    return made


def _thinking(keys: dict[str, Any]) -> model.ThinkingBlock | None:
    text, signature = json_text(keys.get("thinking")), json_text(keys.get("signature"))
    if text is None or (signature is None and "signature" in keys):
        return None
    made = model.ThinkingBlock(text, signature)
    made.extras = _rest(_but(keys, "thinking", "signature"), {"type": "thinking"})
    return made


def _redacted(keys: dict[str, Any]) -> model.ThinkingBlock | None:
    data = json_text(keys.get("data"))
    if data is None:
        return None
    return model.ThinkingBlock("", data, redacted=True, extras=_rest(_but(keys, "data")))


def _but(keys: dict[str, Any], *names: str) -> dict[str, Any]:
    return {key: raw for key, raw in keys.items() if key not in names}


def _call(keys: dict[str, Any]) -> model.ToolCallBlock | None:
    """Read a call in the content, in LangChain's shape or in Anthropic's."""
    id, name = json_text(keys.get("id")), json_text(keys.get("name"))
    key = "input" if "input" in keys else "args"
    args = keys.get(key)
    if id is None or name is None or args is None:
        return None
    extras = _rest(_but(keys, "id", "name", key))
    return model.ToolCallBlock(id, name, args, extras=extras)


def _function_call(keys: dict[str, Any]) -> model.ToolCallBlock | None:
    """Read a call in the content in the shape of OpenAI Responses; its item id goes to `extras`."""
    id, name = json_text(keys.get("call_id")), json_text(keys.get("name"))
    arguments = json_text(keys.get("arguments"))
    if id is None or name is None or arguments is None or "extras" in keys:
        return None
    left = _but(keys, "call_id", "name", "arguments", "id")
    if "id" in keys:
        left["extras"] = {"item_id": keys["id"]}
    return model.ToolCallBlock(id, name, model.Arguments(arguments), extras=_rest(left))


def _media(word: str, keys: dict[str, Any]) -> model.MediaBlock | None:
    found = source_of(word, keys)
    if found is None:
        return None
    kind, source, style = found
    made: model.MediaBlock = kind(**source, cache=_cache(keys))
    made.extras = _rest(keys, {"style": style} if style else None)
    return made


_BLOCKS: Final[Mapping[str, Callable[[dict[str, Any]], Any]]] = {
    "text": _text,
    "reasoning": _reasoning,
    "thinking": _thinking,
    "redacted_thinking": _redacted,
    "tool_call": _call,
    "tool_use": _call,
    "function_call": _function_call,
}


# -- messages -------------------------------------------------------------------------------------


def _human(
    message: own.Message, fields: own.Fields, keys: dict[str, Any], spelling: dict[str, Any]
) -> model.UserMessage:
    return model.UserMessage(
        _content(fields, spelling),
        id=_id(fields),
        name=fields.name or None,
        delta=message.kind == "HumanMessageChunk",
    )


def _id(fields: own.Fields) -> str | int | None:
    return fields.id if isinstance(fields.id, str | int) else None


def _system(
    message: own.Message, fields: own.Fields, keys: dict[str, Any], spelling: dict[str, Any]
) -> model.SystemMessage:
    return model.SystemMessage(_content(fields, spelling), id=_id(fields), name=fields.name or None)


def _result(
    message: own.Message, fields: own.Fields, keys: dict[str, Any], spelling: dict[str, Any]
) -> model.ToolResultMessage:
    if fields.status not in (UNSET, "success", "error"):
        keys["status"] = fields.status
    return model.ToolResultMessage(
        str(fields.tool_call_id) if fields.tool_call_id is not UNSET else "",
        fields.name or None,
        _content(fields, spelling),
        fields.status == "error",
        details=fields.artifact.value if isinstance(fields.artifact, RawJson) else None,
        id=_id(fields),
    )


def _removal(
    message: own.Message, fields: own.Fields, keys: dict[str, Any], spelling: dict[str, Any]
) -> model.ExtensionMessage:
    if fields.content:
        keys["content"] = fields.content
    if fields.name:
        keys["name"] = fields.name
    return model.ExtensionMessage(REMOVED, {"id": _id(fields)})


def _assistant(
    message: own.Message, fields: own.Fields, keys: dict[str, Any], spelling: dict[str, Any]
) -> model.AssistantMessage:
    about = _keys_of(fields.response_metadata)
    provider = json_text(about.get("model_provider"))
    name = "model_name" if json_text(about.get("model_name")) else "model"
    word_key = next(
        (key for key in ("finish_reason", *STOPS.values()) if json_text(about.get(key))),
        "finish_reason",
    )
    word = json_text(about.get(word_key))
    content = with_calls(_content(fields, spelling), calls_of(message, fields, keys))
    answer = model.AssistantMessage(
        content,
        stop_reason(word, content),
        json_text(about.get(name)),
        provider,
        _usage(fields.usage_metadata) if fields.usage_metadata else None,
        api=APIS.get(provider or _thinker(content, word_key)),
        raw_stop_reason=word,
        stop_sequence=json_text(about.get("stop_sequence")),
        id=_id(fields),
        name=fields.name or None,
        delta=message.kind == "AIMessageChunk",
    )
    taken = [key for key in (word_key, name, "model_provider", "stop_sequence") if key in about]
    rest = _but(about, *(key for key in taken if json_text(about.get(key)) is not None))
    if answer.model is not None and json_text(rest.get("model")) == answer.model:
        del rest["model"]
    if rest:
        keys["response_metadata"] = rest
    return answer


def _thinker(content: list[model.Content], word_key: str) -> str:
    """Infer whose signatures thinking has if no provider is named, as in versions before 1.0."""
    is_anthropic = word_key == STOPS["anthropic"] and any(
        type(block) is model.ThinkingBlock
        and (block.redacted or "type" in spelled(block.extras, API))
        for block in content
    )
    return "anthropic" if is_anthropic else ""


def _usage(usage: own.UsageMetadata) -> model.Usage:
    into, out = usage.input_token_details or None, usage.output_token_details or None
    cached, written = (into.cache_read or 0, into.cache_creation or 0) if into else (0, 0)
    counts = model.Usage(
        max(usage.input_tokens - cached - written, 0),
        usage.output_tokens,
        (out.reasoning or 0) if out else 0,
        cached,
        written,
        usage.total_tokens,
    )
    keys: dict[str, Any] = dict(_keys(usage.unknown.text)) if usage.unknown is not UNSET else {}
    if usage.input_tokens < cached + written:
        keys["input_tokens"] = usage.input_tokens
    for name, details, known in (
        ("input_token_details", into, ("cache_read", "cache_creation")),
        ("output_token_details", out, ("reasoning",)),
    ):
        rest = _but(_keys(write(details, API)), *known) if details else {}
        rest = {key: raw for key, raw in rest.items() if bytes(raw) not in (b"0", b"null")}
        if rest:
            keys[name] = rest
    counts.extras = extras_of(API, unknown(keys))
    return counts


_MESSAGES: Final[Mapping[str, Callable[..., Any]]] = {
    "human": _human,
    "ai": _assistant,
    "system": _system,
    "tool": _result,
    "function": _result,
    "remove": _removal,
}
