"""Canonical messages -> phi-core's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

from msgspec.structs import replace

from ... import model
from ...model import RawJson, StopReason
from ...model.base import NATIVE, Extra
from ...model.place import PLACE
from ...model.session import MESSAGES, whole
from .._mapping import Where, Writer, inline
from .._records import unknown
from . import types as own
from .reading import is_apart
from .system import API, SYSTEM, WIRE

__all__ = ["MessageWriter"]

_PLACE: Final = " ".join(PLACE)


class MessageWriter(Writer):
    """Makes phi-core's messages of canonical ones."""

    WIRE: ClassVar[str] = WIRE
    API: ClassVar[str] = API
    SYSTEM: ClassVar[str] = SYSTEM
    LOSSES: ClassVar[Mapping[str, str]] = {
        "system": "phi-core has the system prompt in its settings, not in the messages; left out",
        "media source": "phi-core's images are inline; an image elsewhere is left out",
        "timestamp": "phi-core counts from 1970 on, in whole milliseconds; written as 0",
        "usage": "phi-core counts from 0 on; written as 0",
        "order": "results are messages of their own, before the rest of the user's; moved",
        "redacted thinking": "phi-core has no place for what cannot be read; left out",
        "tool": "a batch without a result leaves no message",
        "content": "phi-core's tool messages have results alone; left out",
    }
    CARRIED: ClassVar[Mapping[type[Any], str]] = {
        model.TextBlock: "text",
        model.ImageBlock: "data url mime_type",
        model.ThinkingBlock: "thinking signature redacted",
        model.ToolCallBlock: "id name arguments",
        model.ToolResultBlock: "tool_call_id tool_name content is_error child_loop_id",
        model.UserMessage: f"content timestamp {_PLACE}",
        model.AssistantMessage: (
            f"content stop_reason model provider usage timestamp error_message {_PLACE}"
        ),
        model.ToolResultMessage: (
            f"tool_call_id tool_name content is_error timestamp child_loop_id {_PLACE}"
        ),
        model.ToolMessage: f"content timestamp {_PLACE}",
        model.ExtensionMessage: "kind data",
        model.Usage: "input output reasoning cache_read cache_write total_tokens",
    }

    def message(self, entry: Any, where: Where) -> list[Any]:
        """Return phi-core's messages for a canonical one, with its place."""
        entry = whole(entry)
        made = super().message(entry, where)
        if type(entry) in MESSAGES:
            self._place(made, entry, where)
        return made

    def _place(self, made: list[Any], entry: Any, where: Where) -> None:
        """Put the entry's place on the messages made: the turn on all, the rest on the first."""
        turn_id = entry.turn_id
        if turn_id is not None and not own.is_turn(turn_id):
            self.lose("turnId", where, ".turnId")
            turn_id = None
        for message in made:
            message.turn_id = turn_id
        if not made:
            return
        first = made[0]
        first.node_id = self._counted(entry.node_id, where, "nodeId")
        first.parent_id = self._counted(entry.parent_id, where, "parentId")
        first.tags = self._counted(entry.tags or None, where, "tags")
        first.provenance_hint = self._counted(entry.provenance_hint, where, "provenanceHint")

    def _counted(self, value: Any, where: Where, key: str) -> Any:
        if value is not None and not own.are_counts(value):
            self.lose(key, where, f".{key}")
            return None
        return value

    def _time(self, message: Any, where: Where) -> int:
        time = message.timestamp
        if time is None:
            return 0
        if 0 <= time <= own.U64_MAX:
            return int(time)
        self.lose("timestamp", where, ".timestamp")
        return 0

    def _content(
        self, blocks: Iterable[model.Content], where: Where, but: type | None = None
    ) -> list[own.Content]:
        parts = []
        for i, block in enumerate(blocks):
            make = self._BLOCKS.get(type(block))
            if make is None:
                if type(block) is but:
                    continue
                self.lose_block(block, (*where, i))
                continue
            part = make(self, block, (*where, i))
            if part is not None:
                parts.append(part)
        return parts

    def _text(self, block: model.TextBlock, where: Where) -> own.TextContent:
        keys, _ = self.rest(block, where)
        return own.TextContent(block.text, unknown=unknown(keys))

    def _image(self, block: model.ImageBlock, where: Where) -> own.ImageContent | None:
        keys, _ = self.rest(block, where)
        media = inline(block)
        if media is None:
            self.lose("media source", where)
            return None
        mime_type = block.mime_type
        if mime_type is None:
            mime_type = media.mime_type or block.default_mime_type
        return own.ImageContent(media, mime_type, unknown=unknown(keys))

    def _thinking(self, block: model.ThinkingBlock, where: Where) -> own.ThinkingContent | None:
        if block.redacted:
            self.lose("redacted thinking", where)
            return None
        keys, _ = self.rest(block, where)
        return own.ThinkingContent(block.thinking, block.signature, unknown=unknown(keys))

    def _call(self, block: model.ToolCallBlock, where: Where) -> own.ToolCallContent:
        keys, _ = self.rest(block, where)
        return own.ToolCallContent(block.id, block.name, block.arguments, unknown=unknown(keys))

    def _user(self, message: model.UserMessage, where: Where) -> list[own.AgentMessage]:
        keys, _ = self.rest(message, where)
        time = self._time(message, where)
        results = self._results(message.content, time, where)
        content = self._content(message.content, where, but=model.ToolResultBlock)
        self.lose_order(message.content, where)
        if results and not content and not keys:
            return results
        return [*results, own.UserMessage(content, time, unknown=unknown(keys))]

    def _assistant(self, message: model.AssistantMessage, where: Where) -> list[own.AgentMessage]:
        keys, _ = self.rest(message, where)
        return [
            own.AssistantMessage(
                self._content(message.content, where),
                message.stop_reason or StopReason.STOP,
                message.model or "",
                message.provider or "",
                self._usage(message.usage, message.provider or None, where),
                self._time(message, where),
                message.error_message,
                unknown=unknown(keys),
            )
        ]

    def _usage(self, usage: model.Usage | None, provider: str | None, where: Where) -> own.Usage:
        if usage is None:
            return own.Usage(0, 0)
        where = (*where, ".usage")
        keys, spelling = self.rest(usage, where)
        counts = [
            usage.input + (0 if is_apart(provider) else usage.cache_read),
            usage.output,
            usage.reasoning,
            usage.cache_read,
            usage.cache_write,
            usage.total_tokens,
        ]
        original = bytes(spelling.get("input", b""))
        if original == b"%d" % usage.input and usage.input < usage.cache_read:
            counts[0] = usage.input  # less than its cached part, as it came in: unchanged
        for i, count in enumerate(counts):
            if not 0 <= count <= own.U64_MAX:
                self.lose("usage", where, f".{own.Usage.__struct_fields__[i]}")
                counts[i] = 0
        return own.Usage(*counts, unknown=unknown(keys))

    def _results(
        self, blocks: Iterable[model.Content], time: int, where: Where
    ) -> list[own.AgentMessage]:
        """Return a message for each result of a batch."""
        messages: list[own.AgentMessage] = []
        for i, block in enumerate(blocks):
            if type(block) is model.ToolResultBlock:
                at = (*where, i)
                keys, _ = self.rest(block, at)
                messages.append(self._result_of(block, time, keys, at))
        return messages

    def _result_of(
        self, result: Any, time: int, keys: Mapping[str, Any], where: Where
    ) -> own.ToolResultMessage:
        return own.ToolResultMessage(
            result.tool_call_id,
            result.tool_name or "",
            self._content(result.content, where),
            result.is_error,
            time,
            result.child_loop_id,
            unknown=unknown(keys),
        )

    def _result(self, message: model.ToolResultMessage, where: Where) -> list[own.AgentMessage]:
        keys, _ = self.rest(message, where)
        return [self._result_of(message, self._time(message, where), keys, where)]

    def _batch(self, message: model.ToolMessage, where: Where) -> list[own.AgentMessage]:
        self.lose_rest(message, where)
        for i, block in enumerate(message.content):
            if type(block) is not model.ToolResultBlock:
                self.lose("content", (*where, i))
        made = self._results(message.content, self._time(message, where), where)
        if not made:
            self.lose("tool", where)
        return made

    def _extension(self, message: model.ExtensionMessage, where: Where) -> list[own.AgentMessage]:
        extension = own.ExtensionMessage(message.kind, RawJson.of(message.data))
        if message.extras is None:
            return [extension]
        others = dict(message.extras)
        role = message.wire_role
        if role != "extension":  # the native wire keeps an odd role among its unknown keys
            native = {
                key: raw for key, raw in others.pop(NATIVE).keys.value.items() if key != "role"
            }
            if native:
                others[NATIVE] = Extra(RawJson.of(native))
        keys, _ = self.rest(replace(message, extras=others), where)
        extension.unknown = unknown({"role": role, **keys} if role != "extension" else keys)
        return [extension]

    _BLOCKS: ClassVar[Mapping[type[Any], Any]] = {
        model.TextBlock: _text,
        model.ImageBlock: _image,
        model.ThinkingBlock: _thinking,
        model.ToolCallBlock: _call,
    }
    MESSAGES: ClassVar[Mapping[type[Any], Any]] = {
        model.UserMessage: _user,
        model.AssistantMessage: _assistant,
        model.ToolResultMessage: _result,
        model.ToolMessage: _batch,
        model.ExtensionMessage: _extension,
    }
