"""Canonical messages -> Ravi's: in V3, the form after the reference, or in the version they had."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ... import model
from ...losses import Losses
from ...model import Media
from .._mapping import Keys, Where, inline, spelled
from .._records import unknown
from . import blocks
from . import types as own
from .items import AUTO, AudioContent, DocumentContent, VideoContent, format_of, full_type
from .reading import DETAILS, FORMATS
from .result_reading import API, V3
from .result_writing import declared, type_of
from .wire import arguments_json, is_kept
from .writing import MessageWriter

__all__ = ["LaterWriter", "VersionWriter"]

_value = msgspec.json.Decoder().decode
_MEDIA: Final = Raw(b'"media"')


class LaterWriter(MessageWriter):
    """Makes V3 messages of canonical ones."""

    VERSION: ClassVar[str] = V3
    LOSSES: ClassVar[Mapping[str, str]] = {
        **MessageWriter.LOSSES,
        "audio": "sounds are inline MP3, WAV, Opus, FLAC or Ogg; left out, but for a transcript, "
        "which goes as text",
        "error data": "an error's details are an object; left out",
        "detail": "V3 has low, high and auto, and none in a result; auto is taken",
        "document": "a document has data, a URL or a file id; left out, but for its text",
        "error": "there is no error item; its message goes as text",
        "video": "films have data or a URL; left out, but for a transcript, which goes as text",
    }
    CARRIED: ClassVar[Mapping[type[Any], str]] = {
        **MessageWriter.CARRIED,
        model.DocumentBlock: "data url file_id mime_type filename",
        model.ErrorBlock: "message code data",
        model.ThinkingBlock: "thinking redacted",
        model.SystemMessage: "content id",
        model.UserMessage: "content name id",
        model.AssistantMessage: f"{MessageWriter.CARRIED[model.AssistantMessage]} id",
        model.ToolResultMessage: f"{MessageWriter.CARRIED[model.ToolResultMessage]} id",
    }

    # -- items ---------------------------------------------------------------------------------

    def _detail(self, block: model.ImageBlock, where: Where) -> str:
        detail = super()._detail(block, where)
        if detail in DETAILS or _word(block, "detail") == detail:
            return detail
        self.lose("detail", where, ".detail")
        return AUTO

    def _image_type(self, block: model.ImageBlock, media: Media, where: Where) -> str:
        return declared(block, media)

    def _type_elsewhere(self, block: model.ImageBlock, where: Where) -> dict[str, Any]:
        return {"media_type": block.mime_type} if block.mime_type is not None else {}

    def _audio(self, block: model.AudioBlock, where: Where) -> Any:
        media = inline(block)
        name = FORMATS.get(format_of(type_of(block, media), "audio"))
        word = _word(block, "format")
        if word is not None and full_type(word, "audio") == block.mime_type:
            name = word
        if media is None or name is None:
            return self._said_only("audio", block.transcript, where)
        keys, _ = self.rest(block, where)
        return AudioContent(media, name, block.transcript, unknown=unknown(keys))

    def _video(self, block: model.VideoBlock, where: Where) -> Any:
        media = self._inline(block)
        if media is None and (block.file_id is not None or self._is_broken(block)):
            return self._said_only("video", block.transcript, where)
        keys, spelling = self.rest(block, where)
        word = _word(block, "media_type")
        if word is not None and full_type(word, "video") == block.mime_type:
            keys = {**keys, "media_type": spelling["media_type"]}
        return VideoContent(
            media,
            format_of(type_of(block, media), "video"),
            block.url if media is None else None,
            unknown=unknown(keys),
        )

    def _document(self, block: model.DocumentBlock, where: Where) -> Any:
        media = self._inline(block)
        has_source = media is not None or self._is_elsewhere(block)
        if block.text is not None or not has_source:
            return self._said_only("document", block.text, where)
        keys, _ = self.rest(block, where)
        return DocumentContent(
            url=block.url if media is None else None,
            file_id=block.file_id,
            data=media,
            media_type=declared(block, media),
            filename=block.filename,
            unknown=unknown(keys),
        )

    # -- messages ------------------------------------------------------------------------------

    def _known(self, message: Any, keys: Keys, spelling: Keys, where: Where) -> dict[str, Any]:
        made = super()._known(message, keys, spelling, where)
        if "id" in self.CARRIED[type(message)].split() and type(message) is not model.ToolCallBlock:
            if type(message.id) is str:
                made["id"] = message.id
            elif message.id is not None:
                self.lose("id", where, ".id")
        return made

    def _reasoning(self, block: model.ThinkingBlock, is_more: bool, where: Where) -> str | None:
        if block.redacted:
            self.lose("redacted", where, ".redacted")
        return super()._reasoning(block, is_more, where)

    def _parsed(self, message: model.AssistantMessage, spelling: Keys, where: Where) -> Any:
        return self.finite(message.parsed, where, ".parsed")

    def _with_cached(
        self,
        usage: model.Usage,
        counts: Mapping[str, int],
        extra: dict[str, Any],
        keys: Keys,
        where: Where,
    ) -> own.UsageStats:
        cached = {key: count for key, count in counts.items() if count}
        return self._counted(usage.input, usage, {**cached, **extra}, keys)

    # -- results -------------------------------------------------------------------------------

    def _result_parts(
        self, content: Iterable[model.Content], spelling: Keys, where: Where
    ) -> tuple[list[Any], list[Any] | None]:
        items: list[Any] = []
        media: list[Any] = []
        for i, block in enumerate(content):
            at = (*where, i)
            if _is_beside(block):
                item = self._item(block, at)
                media += [item] if item is not None else []
            else:
                item = self._result_item(block, at)
                items += [item] if item is not None else []
                if media and item is not None:
                    self.lose("order", at)
        return items, media if media or "media" in spelling else None

    def _result_video(self, block: model.VideoBlock, where: Where) -> Any:
        media = self._inline(block)
        if media is None and (block.file_id is not None or self._is_broken(block)):
            return self._as_text("video", block.transcript, where)
        keys, _ = self.rest(block, where)
        url = block.url if media is None else None
        return blocks.Video(url, media, declared(block, media), unknown=unknown(keys))

    def _result_document(self, block: model.DocumentBlock, where: Where) -> Any:
        media = inline(block)
        if media is None or block.text is not None:
            return self._as_text("document", block.text, where)
        keys, _ = self.rest(block, where)
        return blocks.Document(media, declared(block, media), block.filename, unknown=unknown(keys))

    def _result_error(self, block: model.ErrorBlock, where: Where) -> Any:
        keys, _ = self.rest(block, where)
        details = self.finite(block.data, where, ".data")
        if details is not None and type(details) is not dict:
            self.lose("error data", where, ".data")
            details = None
        return blocks.Error(
            block.code if block.code is not None else "Error",
            block.message,
            details,
            "recoverable" not in keys,
            unknown=unknown({key: raw for key, raw in keys.items() if key != "recoverable"}),
        )

    def _result_thinking(self, block: model.ThinkingBlock, where: Where) -> Any:
        keys, _ = self.rest(block, where)
        return blocks.Thinking(block.thinking, block.redacted, unknown=unknown(keys))

    def _result_call(self, block: model.ToolCallBlock, where: Where) -> Any:
        keys, _ = self.rest(block, where)
        arguments: Any = arguments_json(self._arguments(block, where))  # blank ones are `{}`
        return blocks.ToolUse(block.id, block.name, arguments, unknown=unknown(keys))

    def _result_result(self, block: model.ToolResultBlock, where: Where) -> Any:
        keys, _ = self.rest(block, where)
        for name, key in (("tool_name", ".toolName"), ("details", ".details")):
            if getattr(block, name) is not None:
                self.lose(key[1:], where, key)
        content = self._result_json(self._result_items(block.content, where), where)
        return blocks.ToolResult(block.tool_call_id, content, block.is_error, unknown=unknown(keys))

    RESULT: ClassVar[Mapping[type[Any], Any]] = {
        **MessageWriter.RESULT,
        model.VideoBlock: _result_video,
        model.DocumentBlock: _result_document,
        model.ErrorBlock: _result_error,
        model.ThinkingBlock: _result_thinking,
        model.ToolCallBlock: _result_call,
        model.ToolResultBlock: _result_result,
    }
    ITEMS: ClassVar[Mapping[type[Any], Any]] = {
        **MessageWriter.ITEMS,
        model.AudioBlock: _audio,
        model.VideoBlock: _video,
        model.DocumentBlock: _document,
    }


def _word(block: model.MediaBlock, key: str) -> str | None:
    """Return the word that came in under a key if V3 would write another, else None."""
    raw = spelled(block.extras, API).get(key)
    word = _value(raw) if raw is not None else None
    return word if type(word) is str else None


def _is_beside(block: Any) -> bool:
    """Whether a block of a result goes into `media`: it came from there, or fits nowhere else."""
    if spelled(block.extras, API).get("as") == _MEDIA:
        return True
    kind = type(block)
    if kind is model.DocumentBlock and block.text is None:
        return inline(block) is None
    return kind is model.ImageBlock and (inline(block) is None or _is_kept_url(block))


def _is_kept_url(block: Any) -> bool:
    return block.data is None and is_kept(block.url)


class VersionWriter(MessageWriter):
    """Makes each message in the version that it came in, or in V2 if it came from elsewhere."""

    def __init__(self, losses: Losses) -> None:
        super().__init__(losses)
        self._later = LaterWriter(losses)

    def _as_it_came(self, message: Any, where: Where) -> list[own.AgentMessage]:
        extra = message.extras.get(API) if message.extras is not None else None
        writer = self._later if extra is not None and extra.dialect == V3 else self
        make = MessageWriter.MESSAGES[type(message)]
        made: list[own.AgentMessage] = make(writer, message, where)
        return made

    MESSAGES: ClassVar[Mapping[type[Any], Any]] = dict.fromkeys(MessageWriter.MESSAGES, _as_it_came)
