"""Canonical messages -> LangChain's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ... import model
from ..._body.encode import encode_json as encode
from ..._body.objects import with_keys
from ...model import RawJson, StopReason
from ...providers._state.facts import called, name_in
from .._as_it_came import as_it_came, in_order, json_text, own_json
from .._mapping import Keys, Where, Writer, spelled
from . import types as own
from .calls import but_other_calls
from .escapes import escaped
from .media import fields_of, fits
from .reading import REMOVED, canonical, stop_reason
from .system import API, OWN_THINKING, STOPS, SYSTEM, WIRE

__all__ = ["MessageWriter"]

_WORDS: Final = {StopReason.TOOL_USE: "tool_calls", StopReason.GUARD_RAIL: "content_filter"}
_EMPTY: Final[dict[str, Any]] = {
    "content": "",
    "additional_kwargs": {},
    "response_metadata": {},
    "type": "",
    "name": None,
    "id": None,
}
_OBJECTS: Final = frozenset({"additional_kwargs", "response_metadata"})
_keys = msgspec.json.Decoder(dict[str, Raw]).decode


class MessageWriter(Writer):
    """Makes LangChain's messages of canonical ones."""

    WIRE: ClassVar[str] = WIRE
    API: ClassVar[str] = API
    SYSTEM: ClassVar[str] = SYSTEM
    MESSAGE: ClassVar[Any] = own.Message
    CANONICAL: ClassVar[Any] = staticmethod(canonical)
    LOSSES: ClassVar[Mapping[str, str]] = {
        "order": "calls are apart from the content, after it, and results are messages of their "
        "own, before the rest of the user's; moved",
        "stopReason": "it says something else than the provider's own word; left out",
        "api": "LangChain has the provider, of which the API follows; left out",
        "tool": "a batch without a result leaves no message",
        "content": "LangChain's tool messages have results alone; left out",
        "opaque": "a block that belongs to another API; left out",
        "tool_calls": "unknown keys say the calls once more, but others than the content; left out",
    }
    CARRIED: ClassVar[Mapping[type[Any], str]] = {
        model.TextBlock: "text annotations signature cache",
        model.AnnotationRef: "url title cited_text start end",
        model.ImageBlock: "data url file_id mime_type detail cache",
        model.AudioBlock: "data url file_id mime_type cache",
        model.VideoBlock: "data url file_id mime_type cache",
        model.DocumentBlock: "data url file_id mime_type filename text title context cache",
        model.DataBlock: "data url file_id mime_type filename cache",
        model.ThinkingBlock: "thinking signature redacted",
        model.ToolCallBlock: "id name arguments",
        model.ToolResultBlock: "tool_call_id tool_name content is_error details",
        model.OpaqueBlock: "api raw",
        model.SystemMessage: "content id name",
        model.UserMessage: "content id name delta",
        model.AssistantMessage: (
            "content stop_reason model provider usage api raw_stop_reason stop_sequence id name "
            "delta"
        ),
        model.ToolResultMessage: "tool_call_id tool_name content is_error details id",
        model.ToolMessage: "content",
        model.ExtensionMessage: "kind data",
        model.Usage: "input output reasoning cache_read cache_write total_tokens",
    }

    # -- blocks ------------------------------------------------------------------------------------

    def _text(self, block: model.TextBlock, where: Where) -> dict[str, Any]:
        part: dict[str, Any] = {"type": "text", "text": block.text}
        if block.annotations is not None:
            part["annotations"] = [
                self._citation(ref, (*where, f".annotations[{i}]"))
                for i, ref in enumerate(block.annotations)
            ]
        return part | _signed(block)

    def _citation(self, ref: model.AnnotationRef, where: Where) -> dict[str, Any]:
        self.lose_rest(ref, where)
        citation = {
            "type": "citation",
            "url": ref.url,
            "title": ref.title,
            "cited_text": ref.cited_text,
            "start_index": ref.start,
            "end_index": ref.end,
        }
        return {key: value for key, value in citation.items() if value is not None}

    def _thinking(self, block: model.ThinkingBlock, where: Where) -> dict[str, Any]:
        if block.redacted:
            if block.thinking:
                self.lose("thinking", where, ".thinking")
            return {"type": "redacted_thinking", "data": block.signature or ""}
        if "type" in spelled(block.extras, API) or self._is_own_form:
            made = {"type": "thinking", "thinking": block.thinking}
            return made if block.signature is None else made | {"signature": block.signature}
        return {"type": "reasoning", "reasoning": block.thinking} | _signed(block)

    def _media(self, block: Any, where: Where) -> dict[str, Any]:
        style = json_text(spelled(block.extras, API).get("style"))
        if getattr(block, "detail", None) is not None:
            style = style or "image_url"
            if not fits(block, style):
                self.lose("detail", where, ".detail")
        return fields_of(block, style or "")

    def _opaque(self, block: model.OpaqueBlock, where: Where) -> RawJson | None:
        if block.api == API and block.raw.text[:1] == b"{":
            return block.raw
        self.lose("opaque", where)
        return None

    def _part(self, block: Any, where: Where) -> Any:
        """Return LangChain's block for a canonical one; None if there is no place for it."""
        make = self._BLOCKS.get(type(block))
        if make is None:
            self.lose_block(block, where)
            return None
        keys, spelling = self.rest(block, where)
        part = make(self, block, where)
        if type(part) is not dict:
            if part is not None:
                self.lose_keys(keys, where)
            return part
        if getattr(block, "cache", None) is not None:
            ttl = {} if block.cache.ttl is None else {"ttl": block.cache.ttl}
            part["cache_control"] = {"type": "ephemeral", **ttl}
        is_bare = bytes(spelling.get("type", b"")) == b"null" and not keys
        if is_bare and part.keys() == {"type", "text"}:
            return part["text"]
        return with_keys(part, dict(keys)) if keys else part

    def _content(self, message: Any, where: Where, but: tuple[type, ...] = ()) -> str | list[Any]:
        blocks = message.content
        parts = [
            part
            for i, block in enumerate(blocks)
            if type(block) not in but and (part := self._part(block, (*where, i))) is not None
        ]
        if "content" in spelled(message.extras, API):
            return parts
        if len(parts) == 1:
            texts = [block for block in blocks if type(block) is model.TextBlock]
            if texts and texts[0].text and texts[0] == model.TextBlock(texts[0].text):
                return str(texts[0].text)
        return parts or ""

    # -- messages ----------------------------------------------------------------------------------

    def _shaped(self, kind: str, fields: dict[str, Any], keys: Keys, spelling: Keys) -> Any:
        """Return a message in the shape that it came in, with its unknown keys."""
        others = dict(keys)
        outer = dict(_keys(others.pop("(message)", Raw(b"{}"))))
        kind = json_text(others.pop("type", None)) or kind
        message = in_order(own.Fields, with_keys({**_EMPTY, "type": kind, **fields}, others))
        shape = json_text(spelling.get("shape"))
        if shape == "constructor":
            message = {key: value for key, value in message.items() if _is_useful(key, value)}
            kwargs = RawJson.adopt(Raw(escaped(encode(message))))
            message = {"lc": 1, "type": "constructor", "id": own.id_of(kind), "kwargs": kwargs}
        elif shape != "plain":
            message = {"type": kind, "data": message}
        return own_json(own.Message, with_keys(message, outer))

    def _system(self, message: model.SystemMessage, where: Where) -> list[Any]:
        keys, spelling = self.rest(message, where)
        fields = {
            "content": self._content(message, where),
            "name": message.name,
            "id": _id(message),
        }
        return [self._shaped("system", fields, keys, spelling)]

    def _user(self, message: model.UserMessage, where: Where) -> list[Any]:
        keys, spelling = self.rest(message, where)
        results = self._results(message.content, where)
        self.lose_order(message.content, where)
        content = self._content(message, where, but=(model.ToolResultBlock,))
        is_bare = message.id is None and message.name is None and not message.delta
        if results and not content and not keys and is_bare:
            return results
        kind = "HumanMessageChunk" if message.delta else "human"
        fields = {"content": content, "name": message.name, "id": _id(message)}
        return [*results, self._shaped(kind, fields, keys, spelling)]

    def _assistant(self, message: model.AssistantMessage, where: Where) -> list[Any]:
        keys, spelling = self.rest(message, where)
        provider = message.provider
        if provider is None:
            provider = name_in(WIRE, message.api)
        if message.api is not None and called(WIRE, provider) != message.api:
            self.lose("api", where, ".api")
        self._is_own_form = provider == OWN_THINKING
        calls, invalid = self._calls(message.content, where)
        others = but_other_calls(message.content, keys)
        if others != keys:
            self.lose("tool_calls", where, ".extras")
        fields = {
            "content": self._content(message, where, but=(model.ToolCallBlock,)),
            "response_metadata": self._about(message, provider, where),
            "name": message.name,
            "id": _id(message),
            "tool_calls": calls,
            "invalid_tool_calls": invalid,
            "usage_metadata": self._usage(message.usage, (*where, ".usage")),
        }
        kind = "AIMessageChunk" if message.delta else "ai"
        made = [self._shaped(kind, fields, others, spelling)]
        self._is_own_form = False
        return made

    def _about(
        self, message: model.AssistantMessage, provider: str | None, where: Where
    ) -> dict[str, Any]:
        word, reason = message.raw_stop_reason, message.stop_reason
        if word is None and reason is not None:
            word = _WORDS.get(reason, str(reason))
        elif word is not None and reason is not stop_reason(word, message.content):
            self.lose("stopReason", where, ".stopReason")
        metadata = {
            "model_name": message.model,
            "model_provider": provider,
            STOPS.get(provider, "finish_reason"): word,
            "stop_sequence": message.stop_sequence,
        }
        return {key: value for key, value in metadata.items() if value is not None}

    def _usage(self, usage: model.Usage | None, where: Where) -> dict[str, Any] | None:
        if usage is None:
            return None
        keys, _ = self.rest(usage, where)
        cached = {"cache_read": usage.cache_read, "cache_creation": usage.cache_write}
        prompt = usage.input + usage.cache_read + usage.cache_write
        counts: dict[str, Any] = {
            "input_tokens": prompt,
            "output_tokens": usage.output,
            "total_tokens": usage.total_tokens or prompt + usage.output,
        }
        if usage.cache_read or usage.cache_write:
            counts["input_token_details"] = {key: n for key, n in cached.items() if n}
        if usage.reasoning:
            counts["output_token_details"] = {"reasoning": usage.reasoning}
        counts = in_order(own.UsageMetadata, with_keys(counts, dict(keys)))
        for name in ("input_token_details", "output_token_details"):
            if type(counts.get(name)) is dict:
                counts[name] = in_order(own.TokenDetails, counts[name])
        return counts

    def _calls(
        self, content: list[model.Content], where: Where
    ) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Return the calls of an answer, and apart from them those that LangChain calls invalid."""
        calls: list[dict[str, Any]] = []
        invalid: list[dict[str, Any]] = []
        is_last = False
        for i, block in enumerate(content):
            at = (*where, i)
            if type(block) is not model.ToolCallBlock:
                if is_last and type(block) in self._BLOCKS:
                    self.lose("order", at)
                continue
            is_last = True
            keys, _ = self.rest(block, at)
            args = block.arguments.object_json()
            call: dict[str, Any] = {"name": block.name, "id": block.id}
            if args is not None and "error" not in keys and block.arguments.text.strip():
                if invalid:
                    self.lose("order", at)
                call |= {"args": args, "type": "tool_call"}
                calls.append(in_order(own.ToolCall, with_keys(call, dict(keys))))
            else:
                call |= {"args": block.arguments.string_json(), "type": "invalid_tool_call"}
                call = {"error": None} | with_keys(call, dict(keys))
                invalid.append(in_order(own.InvalidToolCall, call))
        return calls, invalid

    def _results(self, blocks: Iterable[model.Content], where: Where) -> list[Any]:
        """Return a message for each result of a batch."""
        return [
            self._result_of(block, (*where, i))
            for i, block in enumerate(blocks)
            if type(block) is model.ToolResultBlock
        ]

    def _result_of(self, result: Any, where: Where) -> Any:
        keys, spelling = self.rest(result, where)
        fields = {
            "content": self._content(result, where),
            "name": result.tool_name,
            "id": _id(result),
            "tool_call_id": result.tool_call_id,
            "artifact": self.finite(result.details, where, ".details"),
            "status": "error" if result.is_error else "success",
        }
        return self._shaped("tool", fields, keys, spelling)

    def _result(self, message: model.ToolResultMessage, where: Where) -> list[Any]:
        return [self._result_of(message, where)]

    def _batch(self, message: model.ToolMessage, where: Where) -> list[Any]:
        self.lose_rest(message, where)
        for i, block in enumerate(message.content):
            if type(block) is not model.ToolResultBlock:
                self.lose("content", (*where, i))
        made = self._results(message.content, where)
        if not made:
            self.lose("tool", where)
        return made

    def _extension(self, message: model.ExtensionMessage, where: Where) -> list[Any]:
        data = message.data
        if (
            message.kind != REMOVED
            or type(data) is not dict
            or data.keys() != {"id"}
            or type(data["id"]) not in (str, int, type(None))
        ):
            self.lose("extension", where)
            return []
        keys, spelling = self.rest(message, where)
        return [self._shaped("remove", {"content": "", "id": data["id"]}, keys, spelling)]

    _is_own_form = False
    _BLOCKS: ClassVar[Mapping[type[Any], Any]] = {
        model.TextBlock: _text,
        model.ImageBlock: _media,
        model.AudioBlock: _media,
        model.VideoBlock: _media,
        model.DocumentBlock: _media,
        model.DataBlock: _media,
        model.ThinkingBlock: _thinking,
        model.OpaqueBlock: _opaque,
    }
    MESSAGES: ClassVar[Mapping[type[Any], Any]] = {
        model.SystemMessage: as_it_came(_system),
        model.UserMessage: as_it_came(_user),
        model.AssistantMessage: as_it_came(_assistant),
        model.ToolResultMessage: as_it_came(_result),
        model.ToolMessage: _batch,
        model.ExtensionMessage: as_it_came(_extension),
    }


def _signed(block: Any) -> dict[str, Any]:
    return {} if block.signature is None else {"extras": {"signature": block.signature}}


def _is_useful(key: str, value: Any) -> bool:
    """Whether `dumpd` writes a value: it omits null, and `{}` in the two fields of `_OBJECTS`."""
    return value is not None and (key not in _OBJECTS or value != {})


def _id(message: Any) -> str | None:
    id = getattr(message, "id", None)
    return None if id is None else str(id)
