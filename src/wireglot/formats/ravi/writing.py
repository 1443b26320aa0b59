"""Canonical messages -> Ravi's, as the reference has them (V2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

import msgspec

from ... import model
from ...model import Arguments, Media, StopReason
from .._mapping import Keys, Where, inline, spelled
from .._records import unknown
from . import types as own
from .items import (
    AUTO,
    AudioContent,
    ImageContent,
    TextContent,
    VideoContent,
    format_of,
    is_fit,
)
from .reading import CACHED, MEANT, V3
from .result_writing import ResultWriter, type_of
from .wire import is_data_url, is_kept

__all__ = ["MessageWriter"]

_WORDS: Final[Mapping[StopReason, str]] = {
    StopReason.TOOL_USE: "tool_calls",
    StopReason.ABORTED: "cancelled",
    StopReason.GUARD_RAIL: "guardrail_tripped",
}
_role = msgspec.json.Decoder(own.Role).decode
_str = msgspec.json.Decoder(str).decode
_object = msgspec.json.Decoder(dict[str, Any]).decode
_ORDER: Final[Mapping[type[Any], int]] = {model.ThinkingBlock: 0, model.ToolCallBlock: 2}


class MessageWriter(ResultWriter):
    """Makes V2 messages of canonical ones."""

    LOSSES: ClassVar[Mapping[str, str]] = {
        "arguments": "arguments are a JSON object; the model's text goes as `raw_arguments`",
        "audio": "sounds are inline; left out, but for a transcript, which goes as text",
        "cache_read": "cached tokens have no count of their own; they are in `prompt_tokens`",
        "cache_write": "cached tokens have no count of their own; they are in `prompt_tokens`",
        "detail": "an image in a result has no detail; left out",
        "result details": "a result's `app_data` is an object; left out",
        "document": "V2 has no documents; left out, but for its text, which goes as text",
        "error": "there is no error item; its message goes as text",
        "id": "V2 writes ids of tool calls alone, and V3 ids that are text; left out",
        "image": "an image has data, a URL or a file id; left out",
        "mimeType": "a URL and a file id have no type of their own, and a `data:` URL none with "
        "`,`, `;` or a space; left out, or what the data show",
        "order": "thinking stands first in an answer, calls last, and results before what a user "
        "says; moved",
        "parsed": "structured output is not stored in V2; left out",
        "rawStopReason": "`finish_reason` is one word; that of our own is taken",
        "thoughts": "there is one reasoning in an answer; joined by line feeds",
        "result media": "images and sounds in a result are inline; left out, but for a "
        "transcript, which goes as text",
        "system content": "system messages are text; left out",
        "thinking": "empty thinking is not stored, nor any outside of answers; left out",
        "tool": "a batch is a message for each result; left out where there is none",
        "tool content": "a batch of results has results alone; left out",
        "transcript": "a film has no transcript beside it, nor a sound in V2; left out",
        "video": "films are inline, and in no result; left out, but for a transcript, which goes "
        "as text",
    }
    CARRIED: ClassVar[Mapping[type[Any], str]] = {
        model.TextBlock: "text",
        model.ImageBlock: "data url file_id mime_type detail",
        model.AudioBlock: "data url mime_type transcript",
        model.VideoBlock: "data url mime_type",
        model.ThinkingBlock: "thinking",
        model.ToolCallBlock: "id name arguments",
        model.ToolResultBlock: "tool_call_id tool_name content is_error details",
        model.OpaqueBlock: "api raw",
        model.SystemMessage: "content",
        model.UserMessage: "content name",
        model.AssistantMessage: "content stop_reason raw_stop_reason usage name cached parsed",
        model.ToolResultMessage: "tool_call_id tool_name content is_error details",
        model.ToolMessage: "content",
        model.Usage: "input output cache_read cache_write total_tokens",
    }
    # -- items ---------------------------------------------------------------------------------

    def _item(self, block: model.Content, where: Where) -> Any:
        make = self.ITEMS.get(type(block))
        if make is None:
            self.lose_block(block, where)
            return None
        return make(self, block, where)

    def _text(self, block: model.TextBlock, where: Where) -> Any:
        keys, _ = self.rest(block, where)
        return TextContent(block.text, unknown=unknown(keys)) if keys else block.text

    def _image(self, block: model.ImageBlock, where: Where) -> Any:
        media = self._inline(block)
        if media is None and not self._is_elsewhere(block):
            self.lose("image", where)
            return None
        keys, _ = self.rest(block, where)
        detail = self._detail(block, where)
        if media is not None:
            if _is_pil(media, block.mime_type) and detail == AUTO and not keys:
                return media.to_pil()
            return ImageContent(
                data=media,
                media_type=self._image_type(block, media, where),
                detail=detail,
                unknown=unknown(keys),
            )
        return ImageContent(
            url=block.url,
            file_id=block.file_id,
            detail=detail,
            unknown=unknown(keys),
            **self._type_elsewhere(block, where),
        )

    def _is_elsewhere(self, block: model.ImageBlock | model.DocumentBlock) -> bool:
        """Whether a block has a URL or a file id; in V2 an empty URL does not count."""
        if block.url is None or self._is_broken(block):
            return block.file_id is not None
        return bool(block.url) or self.VERSION != "v2"

    def _inline(self, block: model.MediaBlock) -> Media | None:
        """Return the inline data of a block, None for a `data:` URL that is written as it is."""
        return None if self._is_url(block) else inline(block)

    def _is_url(self, block: model.MediaBlock) -> bool:
        """Whether a `data:` URL is written as it is: it says more, or came as a URL in V3."""
        if block.data is not None or block.url is None or not is_data_url(block.url):
            return False
        return is_kept(block.url) or (
            self.VERSION == V3 and "url" in spelled(block.extras, self.API)
        )

    def _is_broken(self, block: model.MediaBlock) -> bool:
        """Whether a block whose data cannot be read has a `data:` URL that is not kept as it is."""
        return block.url is not None and is_data_url(block.url) and not self._is_url(block)

    def _image_type(self, block: model.ImageBlock, media: Media, where: Where) -> str:
        """Return the type of an inline image, which becomes part of a `data:` URL in V2."""
        found = type_of(block, media)
        if is_fit(found):
            return found
        self.lose("mimeType", where, ".mimeType")
        return media.sniffed or block.default_mime_type

    def _detail(self, block: model.ImageBlock, where: Where) -> str:
        return block.detail if block.detail is not None else AUTO

    def _type_elsewhere(self, block: model.ImageBlock, where: Where) -> dict[str, Any]:
        """Return the type of an image that is not inline; only V3 writes one."""
        if block.mime_type is not None:
            self.lose("mimeType", where, ".mimeType")
        return {}

    def _audio(self, block: model.AudioBlock, where: Where) -> Any:
        media = inline(block)
        if media is None:
            return self._said_only("audio", block.transcript, where)
        keys, _ = self.rest(block, where)
        if block.transcript is not None:
            self.lose("transcript", where, ".transcript")
        return AudioContent(media, format_of(type_of(block, media), "audio"), unknown=unknown(keys))

    def _video(self, block: model.VideoBlock, where: Where) -> Any:
        media = inline(block)
        if media is None:
            return self._said_only("video", block.transcript, where)
        keys, _ = self.rest(block, where)
        return VideoContent(media, format_of(type_of(block, media), "video"), unknown=unknown(keys))

    def _said_only(self, what: str, text: str | None, where: Where) -> str | None:
        """Report a loss; return its text, if there is any."""
        self.lose(what, where)
        return text

    def _document(self, block: model.DocumentBlock, where: Where) -> Any:
        return self._said_only("document", block.text, where)

    def _error(self, block: model.ErrorBlock, where: Where) -> Any:
        return self._said_only("error", block.message, where)

    # -- messages ------------------------------------------------------------------------------

    def _known(self, message: Any, keys: Keys, spelling: Keys, where: Where) -> dict[str, Any]:
        """Return the fields of every message: its version, its unknown keys, an unusual role."""
        made: dict[str, Any] = {"version": self.VERSION, "unknown": unknown(keys)}
        if "role" in spelling:
            made["role"] = _role(spelling["role"])
        return made

    def _system(self, message: model.SystemMessage, where: Where) -> list[own.AgentMessage]:
        keys, spelling = self.rest(message, where)
        texts = []
        for i, block in enumerate(message.content):
            if type(block) is not model.TextBlock:
                self.lose("system content", (*where, i))
                continue
            self.lose_rest(block, (*where, i))
            texts.append(block.text)
        return [own.SystemMessage("\n".join(texts), **self._known(message, keys, spelling, where))]

    def _user(self, message: model.UserMessage, where: Where) -> list[own.AgentMessage]:
        keys, spelling = self.rest(message, where)
        known = self._known(message, keys, spelling, where)
        results: list[own.AgentMessage] = []
        items: list[Any] = []
        for i, block in enumerate(message.content):
            at = (*where, i)
            if type(block) is model.ToolResultBlock:
                results.append(self._result_in(block, at))
                if items:
                    self.lose("order", at)
            else:
                item = self._item(block, at)
                items += [item] if item is not None else []
        if results and not items and not keys and message.name is None and "id" not in known:
            return results
        return [*results, own.UserMessage(items, message.name, **known)]

    def _assistant(self, message: model.AssistantMessage, where: Where) -> list[own.AgentMessage]:
        keys, spelling = self.rest(message, where)
        if "type" in spelling and _is_lone_call(message) and not keys:
            call: Any = message.content[0]
            return [self._call(call, (*where, 0))]
        thoughts: list[str] = []
        items: list[Any] = []
        calls: list[own.ToolCallMessage] = []
        stage = 0
        block: Any
        for i, block in enumerate(message.content):
            at = (*where, i)
            order = _ORDER.get(type(block), 1)
            if order == 0:
                made: Any = self._reasoning(block, bool(thoughts), at)
            elif order == 2:
                made = self._call(block, at)
            else:
                made = self._item(block, at)
            if made is not None:
                (thoughts, items, calls)[order].append(made)
                if order < stage:
                    self.lose("order", at)
                stage = max(stage, order)
        reasoning = "\n".join(thoughts) if thoughts else None
        return [
            own.AssistantMessage(
                items if items or "content" in spelling else None,
                calls if calls or "tool_calls" in spelling else None,
                "" if reasoning is None and "reasoning" in spelling else reasoning,
                self._finish_reason(message, where),
                self._usage(message.usage, where) if message.usage is not None else None,
                message.cached,
                message.name,
                self._parsed(message, spelling, where),
                **self._known(message, keys, spelling, where),
            )
        ]

    def _reasoning(self, block: model.ThinkingBlock, is_more: bool, where: Where) -> str | None:
        self.lose_rest(block, where)
        if not block.thinking:
            self.lose("thinking", where)
            return None
        if is_more:
            self.lose("thoughts", where)
        return block.thinking

    def _call(self, block: model.ToolCallBlock, where: Where) -> own.ToolCallMessage:
        keys, spelling = self.rest(block, where)
        known = self._known(block, keys, spelling, where)
        made = own.ToolCallMessage(block.name, self._arguments(block, where), **known)
        made.id = block.id if block.id or "id" not in spelling else None
        if "content" in keys:
            made.content = _str(keys["content"])
            made.unknown = unknown({k: raw for k, raw in keys.items() if k != "content"})
        return made

    def _arguments(self, block: model.ToolCallBlock, where: Where) -> Arguments:
        if block.arguments.object_json() is not None:
            return block.arguments
        self.lose("arguments", where, ".arguments")
        text = block.arguments.text.decode("utf-8", "replace")
        return Arguments.of({"raw_arguments": text})

    def _finish_reason(self, message: model.AssistantMessage, where: Where) -> str:
        reason, raw = message.stop_reason, message.raw_stop_reason
        if raw is not None and (reason is None or MEANT.get(raw) is reason):
            return raw
        if reason is None:
            return "stop"
        word = _WORDS.get(reason, reason.value)
        if raw is not None and raw != word:
            self.lose("rawStopReason", where, ".rawStopReason")
        return word

    def _parsed(self, message: model.AssistantMessage, spelling: Keys, where: Where) -> Any:
        if message.parsed is not None and "parsed" not in spelling:
            self.lose("parsed", where, ".parsed")
            return None
        return self.finite(message.parsed, where, ".parsed")

    def _usage(self, usage: model.Usage, where: Where) -> own.UsageStats:
        where = (*where, ".usage")
        keys, spelling = self.rest(usage, where)
        others = {key: raw for key, raw in keys.items() if key != "extra"}
        extra = _object(keys["extra"]) if "extra" in keys else {}
        counts = {key: getattr(usage, name) for key, name in CACHED.items()}
        if "extra" in spelling:
            came = _object(spelling["extra"])
            if came == {
                **extra,
                **{key: n for key, n in counts.items() if n or type(came.get(key)) is int},
            }:
                return self._counted(usage.input, usage, came, others)
        made = self._with_cached(usage, counts, extra, others, where)
        if not made.total_tokens and "total_tokens" not in spelling:
            made.total_tokens = made.prompt_tokens + made.completion_tokens
        return made

    def _with_cached(
        self,
        usage: model.Usage,
        counts: Mapping[str, int],
        extra: dict[str, Any],
        keys: Keys,
        where: Where,
    ) -> own.UsageStats:
        for name in CACHED.values():
            if getattr(usage, name):
                self.lose(name, where, f".{name}")
        return self._counted(usage.input + sum(counts.values()), usage, extra, keys)

    def _counted(
        self, prompt: int, usage: model.Usage, extra: dict[str, Any], keys: Keys
    ) -> own.UsageStats:
        return own.UsageStats(
            prompt, usage.output, usage.total_tokens, extra, unknown=unknown(keys)
        )

    def _result_in(self, block: model.ToolResultBlock, where: Where) -> own.AgentMessage:
        """Return the message for a result among other blocks."""
        keys, spelling = self.rest(block, where)
        return self._result_of(block, keys, spelling, where)

    def _result_of(
        self, result: Any, keys: Keys, spelling: Keys, where: Where
    ) -> own.ToolExecutionResultMessage:
        details = self.finite(result.details, where, ".details")
        if details is not None and type(details) is not dict:
            self.lose("result details", where, ".details")
            details = None
        items, media = self._result_parts(result.content, spelling, where)
        return own.ToolExecutionResultMessage(
            result.tool_call_id,
            self._result_json(items, where),
            result.tool_name,
            result.is_error,
            details,
            media,
            **self._known(result, keys, spelling, where),
        )

    def _result(self, message: model.ToolResultMessage, where: Where) -> list[own.AgentMessage]:
        keys, spelling = self.rest(message, where)
        return [self._result_of(message, keys, spelling, where)]

    def _batch(self, message: model.ToolMessage, where: Where) -> list[own.AgentMessage]:
        keys, _ = self.rest(message, where)
        if keys:
            self.lose("extras", where, ".extras")
        if not message.content:
            self.lose("tool", where)
        made: list[own.AgentMessage] = []
        for i, block in enumerate(message.content):
            if type(block) is model.ToolResultBlock:
                made.append(self._result_in(block, (*where, i)))
            else:
                self.lose("tool content", (*where, i))
        return made

    ITEMS: ClassVar[Mapping[type[Any], Any]] = {
        model.TextBlock: _text,
        model.ImageBlock: _image,
        model.AudioBlock: _audio,
        model.VideoBlock: _video,
        model.DocumentBlock: _document,
        model.ErrorBlock: _error,
    }
    MESSAGES: ClassVar[Mapping[type[Any], Any]] = {
        model.SystemMessage: _system,
        model.UserMessage: _user,
        model.AssistantMessage: _assistant,
        model.ToolResultMessage: _result,
        model.ToolMessage: _batch,
    }


def _is_pil(media: Media, mime_type: str | None) -> bool:
    """Whether media are a PIL image, which Ravi holds as it is, and writes as PNG."""
    return media._form == "image" and media.mime_type == "image/png" == (mime_type or "image/png")


def _is_lone_call(message: model.AssistantMessage) -> bool:
    """Whether an answer holds a single call and nothing else."""
    content = message.content
    return (
        len(content) == 1
        and type(content[0]) is model.ToolCallBlock
        and message == model.AssistantMessage(content, extras=message.extras)
    )
