"""LangChain's messages -> canonical ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from ... import model
from ...model import Extras, RawJson, StopReason
from ...providers._state.facts import called
from .._as_it_came import Notes, is_same, json_text
from .._mapping import extras_of, spelled
from .._records import read, write
from . import types as own
from .calls import calls_of, with_calls
from .escapes import escaped, unescaped
from .media import source_of
from .system import API, OWN_THINKING, STOPS, WIRE

__all__ = ["REMOVED", "canonical", "stop_reason"]

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


def canonical(message: own.Message, notes: Notes) -> model.AgentMessage:
    """Return the canonical message, without its `extras`."""
    word, fields = message.kind, message.fields
    unwritten: Any = UNSET  # what the shape never has as the value of a field that may be null
    if fields is message:
        notes.spelling["shape"] = "plain"
        if message.lc is not UNSET:
            notes.differ()
    elif fields is message.kwargs:
        notes.spelling["shape"] = "constructor"
        unwritten = None
        text = write(fields, WIRE)
        plain = unescaped(text)
        if plain is not text:
            fields = read(own.Fields, plain, WIRE)
        if plain is not text or escaped(text) is not text:
            notes.doubt()
        if message.lc != 1 or message.id != own.id_of(word):
            notes.differ()
    kind = word.replace("MessageChunk", "").lower()
    keys = _left(message, fields, kind, notes, unwritten)
    is_kept = word.endswith("Chunk") and kind not in ("human", "ai")
    if is_kept:
        keys["type"] = word
    if is_kept or kind not in _COMMON:
        notes.doubt()
    if kind == "chat":
        role = str(fields.role or "").lower()
        kind = _ROLES.get(role, role)
        is_known = kind in ("human", "ai", "system")
        if fields.role is not UNSET and (is_kept or not is_known):
            keys["role"] = fields.role  # a `ChatMessage` requires it
        kind = kind if is_known else "human"
    if kind != "remove" and (
        fields.type != word
        or fields.name in ("", unwritten)
        or fields.id is unwritten
        or type(fields.id) is int
    ):
        notes.differ()
    made: model.AgentMessage = _MESSAGES[kind](word, fields, notes, unwritten)
    return made


_COMMON: Final = frozenset({"human", "ai", "system", "tool"})


def _says_something(value: Any) -> bool:
    """Whether JSON is there, and is not an empty object."""
    return isinstance(value, RawJson) and value.text != b"{}"


def _keys_of(value: Any) -> dict[str, Raw]:
    return _keys(value.native()) if _says_something(value) else {}


def _left(
    message: own.Message, fields: own.Fields, kind: str, notes: Notes, unwritten: Any
) -> dict[str, Any]:
    """Return the keys that canonical messages have no field for."""
    keys = notes.keys
    if fields.unknown is not UNSET:
        keys |= _keys(fields.unknown.native())
        if "(message)" in keys:
            notes.doubt()
    if fields is not message and message.unknown is not UNSET:
        keys["(message)"] = message.unknown.native()
    if kind in ("human", "ai") and bytes(keys.get("example", b"")) == b"false":
        del keys["example"]  # versions before 1.0 write this in every message
        notes.differ()
    for name in ("additional_kwargs", "response_metadata"):
        value = getattr(fields, name)
        if _says_something(value):
            if kind != "ai" or name == "additional_kwargs":
                keys[name] = value
            if unwritten is None and not _keys(value.native()):
                notes.differ()
        elif (value is UNSET) is (unwritten is UNSET):  # `dumpd` leaves out an empty object
            notes.differ()
    for name in _ALIEN[kind]:
        value = getattr(fields, name)
        if value is not UNSET:
            keys[name] = Raw(write(value, WIRE))
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


def _content(fields: own.Fields, notes: Notes) -> list[model.Content]:
    content = fields.content
    if isinstance(content, str):
        return [model.TextBlock(content)] if content else []
    parts = content or []
    made = [_part(part, notes) for part in parts]
    if not made or (len(made) == 1 and type(made[0]) is model.TextBlock and not _marked(made[0])):
        notes.spelling["content"] = "list"
    return made


def _marked(block: model.TextBlock) -> bool:
    return block != model.TextBlock(block.text)


# -- blocks ---------------------------------------------------------------------------------------


class _Text(Struct, tag_field="type", tag="text", forbid_unknown_fields=True):
    text: str


class _Thinking(Struct, tag_field="type", tag="thinking", forbid_unknown_fields=True):
    thinking: str
    signature: str | UnsetType = UNSET


class _Use(Struct, tag_field="type", tag="tool_use", forbid_unknown_fields=True):
    id: str
    name: str
    input: Raw


_common = msgspec.json.Decoder(_Text | _Thinking | _Use).decode


def _part(part: str | RawJson, notes: Notes) -> Any:
    if isinstance(part, str):
        return model.TextBlock(part, extras=extras_of(API, UNSET, None, {"type": None}))
    raw = part.native()
    try:
        block = _common(raw)
    except msgspec.DecodeError:
        return _other_part(part, notes)
    if type(block) is _Text:
        return model.TextBlock(block.text)
    if type(block) is _Use:
        notes.differ()  # the calls of an answer are not written into the content
        return model.ToolCallBlock(block.id, block.name, block.input)
    signature = None if block.signature is UNSET else block.signature
    made = model.ThinkingBlock(block.thinking, signature)
    made.extras = _rest({}, {"type": "thinking"})
    return made


def _other_part(part: RawJson, notes: Notes) -> Any:
    """Return the block for a part of any type, or with any keys."""
    keys: dict[str, Any] = _keys(part.native())
    word = json_text(keys.get("type"))
    read = _BLOCKS.get(str(word))
    made = read(keys) if read is not None else _media(str(word), keys, notes)
    if type(made) is model.ToolCallBlock:
        notes.differ()
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
    return extras_of(API, UNSET, keys, spelling)


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


def _media(word: str, keys: dict[str, Any], notes: Notes) -> model.MediaBlock | None:
    found = source_of(word, keys)
    if found is None:
        return None
    kind, source, style = found
    made: model.MediaBlock = kind(**source, cache=_cache(keys))
    made.extras = _rest(keys, {"style": style} if style else None)
    if style or word == "text-plain" or (made.data is not None and not made.mime_type):
        notes.doubt()
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


def _human(word: str, fields: own.Fields, notes: Notes, unwritten: Any) -> model.UserMessage:
    return model.UserMessage(
        _content(fields, notes),
        id=_id(fields),
        name=fields.name or None,
        delta=word == "HumanMessageChunk",
    )


def _id(fields: own.Fields) -> str | int | None:
    return fields.id if isinstance(fields.id, str | int) else None


def _system(word: str, fields: own.Fields, notes: Notes, unwritten: Any) -> model.SystemMessage:
    return model.SystemMessage(_content(fields, notes), id=_id(fields), name=fields.name or None)


def _result(word: str, fields: own.Fields, notes: Notes, unwritten: Any) -> model.ToolResultMessage:
    if fields.status not in ("success", "error"):
        notes.differ()
        if fields.status is not UNSET:
            notes.keys["status"] = fields.status
    artifact = fields.artifact.value if isinstance(fields.artifact, RawJson) else fields.artifact
    if artifact is unwritten or not isinstance(fields.tool_call_id, str):
        notes.differ()
    return model.ToolResultMessage(
        str(fields.tool_call_id) if fields.tool_call_id is not UNSET else "",
        fields.name or None,
        _content(fields, notes),
        fields.status == "error",
        details=None if artifact is UNSET else artifact,
        id=_id(fields),
    )


def _removal(word: str, fields: own.Fields, notes: Notes, unwritten: Any) -> model.ExtensionMessage:
    if fields.content:
        notes.keys["content"] = fields.content
    if fields.name:
        notes.keys["name"] = fields.name
    return model.ExtensionMessage(REMOVED, {"id": _id(fields)})


def _assistant(
    word: str, fields: own.Fields, notes: Notes, unwritten: Any
) -> model.AssistantMessage:
    about = _keys_of(fields.response_metadata)
    told = {key: json_text(about[key]) for key in _TOLD if key in about}
    provider = told.get("model_provider")
    name = "model_name" if told.get("model_name") else "model"
    word_key = next((key for key in _STOP_KEYS if told.get(key)), "finish_reason")
    stop_word = told.get(word_key)
    content = with_calls(_content(fields, notes), calls_of(word, fields, notes))
    answer = model.AssistantMessage(
        content,
        stop_reason(stop_word, content),
        told.get(name),
        provider,
        _usage(fields.usage_metadata, notes) if fields.usage_metadata else None,
        api=called(WIRE, provider or _thinker(content, word_key)),
        raw_stop_reason=stop_word,
        stop_sequence=told.get("stop_sequence"),
        id=_id(fields),
        name=fields.name or None,
        delta=word == "AIMessageChunk",
    )
    for key in (word_key, name, "model_provider", "stop_sequence"):
        if told.get(key) is not None:
            del about[key]
    if answer.model is not None and told.get("model") == answer.model:
        about.pop("model", None)
        notes.differ()
    if about:
        notes.keys["response_metadata"] = about
    if (
        fields.usage_metadata is unwritten
        or (stop_word is not None and word_key != STOPS.get(provider, "finish_reason"))
        or (provider is None and answer.api is not None)
    ):
        notes.differ()
    if provider == OWN_THINKING and not all(map(_is_own_form, content)):
        notes.differ()
    return answer


_STOP_KEYS: Final = ("finish_reason", *STOPS.values())
_TOLD: Final = ("model_name", "model", "model_provider", "stop_sequence", *_STOP_KEYS)


def _thinker(content: list[model.Content], word_key: str) -> str | None:
    """Infer whose signatures thinking has if no provider is named, as in versions before 1.0."""
    is_own = word_key == STOPS[OWN_THINKING] and any(
        type(block) is model.ThinkingBlock and _is_own_form(block) for block in content
    )
    return OWN_THINKING if is_own else None


def _is_own_form(block: model.Content) -> bool:
    """Whether a block, if it is thinking, came as `OWN_THINKING` has it."""
    is_thinking = type(block) is model.ThinkingBlock and not block.redacted
    return not is_thinking or "type" in spelled(block.extras, API)


_COUNTS: Final = ("audio", "cache_creation", "cache_read", "reasoning")


def _usage(usage: own.UsageMetadata, notes: Notes) -> model.Usage:
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
    keys: dict[str, Any] = _keys(usage.unknown.native()) if usage.unknown is not UNSET else {}
    if usage.input_tokens < cached + written:
        keys["input_tokens"] = usage.input_tokens
        notes.doubt()
    if not usage.total_tokens:
        notes.doubt()
    for name, details, known in (
        ("input_token_details", usage.input_token_details, ("cache_read", "cache_creation")),
        ("output_token_details", usage.output_token_details, ("reasoning",)),
    ):
        if details is UNSET:
            continue
        held: dict[str, Any] = {}
        useful: dict[str, Any] = {}
        if details is not None:
            held = {key: n for key in _COUNTS if (n := getattr(details, key)) is not UNSET}
            useful = {key: n for key, n in held.items() if n}
            if details.unknown is not UNSET:
                others = _keys(details.unknown.native())
                held |= others
                useful |= {k: n for k, n in others.items() if bytes(n) not in (b"0", b"null")}
        if not useful or len(useful) != len(held):
            notes.differ()  # zeros and nulls are not written
        rest = _but(useful, *known)
        if rest:
            keys[name] = rest
    counts.extras = extras_of(API, UNSET, keys)
    return counts


_MESSAGES: Final[Mapping[str, Callable[..., Any]]] = {
    "human": _human,
    "ai": _assistant,
    "system": _system,
    "tool": _result,
    "function": _result,
    "remove": _removal,
}
