"""PyAgenity's messages -> canonical ones."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import tzinfo
from typing import Any, Final

from msgspec import UNSET, Raw

from ... import model
from ...errors import DecodeError
from ...model import Arguments, LlmMessage, RawJson
from .._mapping import extras_of
from .._records import Record, write
from . import blocks as own
from .block_reading import API, BlockReader
from .calls import entry_of, paired, told_of, wants_entry
from .times import millis, stamp_of
from .types import Message, TokenUsages, Version
from .words import is_apart, stop_reason_of

__all__ = ["GEMINI", "Reader", "joined_thoughts", "says_no_more"]

GEMINI: Final = "gemini-generate-content"
"""The API that a call's `thought_signature` belongs to."""

# The spelling of a canonical block that was only in `tools_calls` or `reasoning`.
_NO_BLOCK: Final = {"block": False}


def joined_thoughts(thoughts: list[str]) -> str | None:
    """Return `reasoning` as it repeats the reasoning blocks."""
    return "".join(thoughts) or None


def says_no_more(reasoning: str | None, thoughts: list[str]) -> bool:
    """Whether `reasoning` repeats blocks in one of the ways of the converters."""
    return not reasoning or reasoning in (*thoughts, "".join(thoughts), "\n".join(thoughts))


def _version_of(message: Message) -> Version:
    """Return the version that writes messages like this one."""
    if message.parsed_content is not UNSET:
        return "agentflow"
    return "0.3.6" if type(message.timestamp) is str else "0.3.9"


class Reader(BlockReader):
    """Makes canonical messages, one object for one call. Times without an offset are in `zone`."""

    def __init__(self, zone: tzinfo) -> None:
        super().__init__()
        self._zone = zone

    def message(self, message: Message, path: str) -> LlmMessage:
        """Return the canonical message. Raises `DecodeError` with `path` in it."""
        self._version = _version_of(message)
        keys: dict[str, Any] = {}
        spelling: dict[str, Any] = {}
        fields: dict[str, Any] = {}
        if message.message_id is not UNSET:
            fields["id"] = message.message_id
        self._time(message, fields, spelling, path)
        made = _ROLES[message.role](self, message, fields, keys, spelling)
        made.extras = extras_of(API, message.unknown, keys, spelling)
        if self._version != "agentflow":
            if made.extras is None:
                made.extras = {API: model.Extra(RawJson.adopt(Raw(b"{}")))}
            made.extras[API].dialect = self._version
        return LlmMessage(made)

    def _time(
        self, message: Message, fields: dict[str, Any], spelling: dict[str, Any], path: str
    ) -> None:
        stamp = message.timestamp
        if stamp is None:
            return
        if stamp is UNSET:
            spelling["timestamp"] = None
            return
        try:
            fields["timestamp"] = found = millis(stamp, self._zone)
        except ValueError as error:
            path = f"{path}.timestamp"
            raise DecodeError(f"no time: {error}", wire=own.WIRE, path=path) from error
        if stamp_of(found, self._version, self._zone) != stamp:
            spelling["timestamp"] = stamp

    # -- messages ------------------------------------------------------------------------------

    def _system(
        self,
        message: Message,
        fields: dict[str, Any],
        keys: dict[str, Any],
        spelling: dict[str, Any],
    ) -> model.Message:
        self._keep(message, keys)
        if message.delta:
            keys["delta"] = True
        metadata = message.metadata or None
        return model.SystemMessage(self.content(message.content), metadata=metadata, **fields)

    def _user(
        self,
        message: Message,
        fields: dict[str, Any],
        keys: dict[str, Any],
        spelling: dict[str, Any],
    ) -> model.Message:
        self._keep(message, keys)
        if any(type(block) is own.ToolResultBlock for block in message.content):
            spelling["together"] = True
        return model.UserMessage(
            self.content(message.content),
            delta=message.delta,
            metadata=message.metadata or None,
            **fields,
        )

    def _tool(
        self,
        message: Message,
        fields: dict[str, Any],
        keys: dict[str, Any],
        spelling: dict[str, Any],
    ) -> model.Message:
        self._keep(message, keys)
        content = self.content(message.content)
        metadata = dict(message.metadata)
        results = [block for block in content if type(block) is model.ToolResultBlock]
        if len(results) > 1:
            spelling["together"] = True
        elif results and type(metadata.get("function_name")) is str:
            results[0].tool_name = metadata.pop("function_name")
        return model.ToolMessage(content, delta=message.delta, metadata=metadata or None, **fields)

    def _keep(self, message: Message, keys: dict[str, Any]) -> None:
        """Keep the fields that only the canonical assistant's message has a place for."""
        for name in ("tools_calls", "reasoning", "usages", "raw", "parsed_content"):
            held = getattr(message, name)
            if held is not None and held is not UNSET:
                keys[name] = Raw(write(held, own.WIRE)) if isinstance(held, Record) else held

    def _assistant(
        self,
        message: Message,
        fields: dict[str, Any],
        keys: dict[str, Any],
        spelling: dict[str, Any],
    ) -> model.Message:
        content = self._answer(message, keys, spelling)
        calls = [block for block in content if type(block) is model.ToolCallBlock]
        metadata = dict(message.metadata)
        for name, key in _FROM_METADATA:
            if type(metadata.get(key)) is str:
                fields[name] = metadata.pop(key)
        word = fields.get("raw_stop_reason")
        parsed = message.parsed_content
        return model.AssistantMessage(
            content,
            stop_reason_of(word, has_calls=bool(calls)),
            usage=self._usage(message.usages, fields.get("provider")),
            api=GEMINI if any(call.signature is not None for call in calls) else None,
            delta=message.delta,
            parsed=parsed if parsed is not UNSET else None,
            raw=message.raw,
            metadata=metadata or None,
            **fields,
        )

    def _answer(
        self, message: Message, keys: dict[str, Any], spelling: dict[str, Any]
    ) -> list[model.Content]:
        """Return the content of an answer, with what is only in `reasoning` and `tools_calls`."""
        blocks = [block for block in message.content if type(block) is own.ToolCallBlock]
        entries = message.tools_calls or ()
        of_blocks, others, is_all = paired(blocks, entries)
        content = self.content(message.content)
        calls = [block for block in content if type(block) is model.ToolCallBlock]
        for call, entry in zip(calls, of_blocks, strict=True):
            if entry is not None:
                call.arguments = Arguments(entry.text)
                call.signature = entry.signature
        for entry in others:
            extras = extras_of(API, UNSET, None, _NO_BLOCK)
            call = model.ToolCallBlock(
                entry.id,
                entry.name,
                Arguments(entry.text),
                signature=entry.signature,
                extras=extras,
            )
            calls.append(call)
            content.append(call)
        expected = [entry_of(call, call.signature) for call in calls if wants_entry(call)]
        if message.tools_calls != (expected or None):
            (spelling if is_all else keys)["tools_calls"] = message.tools_calls
            if not is_all:
                spelling["calls"] = told_of(calls)

        thoughts = [block.summary for block in message.content if type(block) is own.ReasoningBlock]
        said = message.reasoning
        if said and not thoughts:
            extras = extras_of(API, UNSET, None, _NO_BLOCK)
            content.insert(0, model.ThinkingBlock(said, extras=extras))
        elif said != joined_thoughts(thoughts):
            says_more = not says_no_more(said, thoughts)
            (keys if says_more else spelling)["reasoning"] = said
            if says_more:
                spelling["thoughts"] = thoughts
        return content

    def _usage(self, usage: TokenUsages | None, provider: str | None) -> model.Usage | None:
        if usage is None:
            return None
        read, written = usage.cache_read_input_tokens, usage.cache_creation_input_tokens
        cached = 0 if is_apart(provider) else read + written
        is_odd = cached > usage.prompt_tokens
        spelling = {"prompt_tokens": usage.prompt_tokens} if is_odd else {}
        if not usage.total_tokens and (usage.prompt_tokens or usage.completion_tokens):
            spelling["total_tokens"] = usage.total_tokens
        return model.Usage(
            usage.prompt_tokens if is_odd else usage.prompt_tokens - cached,
            usage.completion_tokens,
            usage.reasoning_tokens,
            read,
            written,
            usage.total_tokens,
            usage.image_tokens,
            usage.audio_tokens,
            extras=extras_of(API, usage.unknown, None, spelling),
        )


_FROM_METADATA: Final = (
    ("provider", "provider"),
    ("model", "model"),
    ("raw_stop_reason", "finish_reason"),
)
_ROLES: Final[Mapping[str, Any]] = {
    "system": Reader._system,
    "user": Reader._user,
    "assistant": Reader._assistant,
    "tool": Reader._tool,
}
