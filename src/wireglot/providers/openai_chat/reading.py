"""The messages of Chat Completions -> messages, block by block.

A part may come in a shape that the model has no field for. Then `as` in the spelling of its extras
names the shape, and the writer restores it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct

from ...errors import DecodeError
from ...model import (
    AnnotationRef,
    AssistantMessage,
    AudioBlock,
    CacheMark,
    Content,
    DocumentBlock,
    Extras,
    ImageBlock,
    Media,
    Message,
    OpaqueBlock,
    RawJson,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolMessage,
    ToolResultBlock,
    UserMessage,
    VideoBlock,
)
from ...model.rawjson import adopt_text
from .._reading import Body, Reader, arguments_of
from .._writing import encode
from . import wire
from .dialects import service_of
from .parts import AUDIO_FORMATS, FILE_TYPES, IMAGE_TYPES, MEDIA

__all__ = ["MessageReader"]

_AUDIO_TYPES: Final = {form: mime_type for mime_type, form in reversed(AUDIO_FORMATS.items())}
_EXPLICIT: Final = wire.CacheBreakpoint("explicit")
_MARKS: Final = ("prompt_cache_breakpoint", "cache_control")
_TTLS: Final[dict[str | None, Any]] = {None: None, "5m": "5m", "1h": "1h"}
_keys: Final = msgspec.json.Decoder(dict[str, Raw]).decode
_string: Final = msgspec.json.Decoder(str).decode


class _Citation(Struct):
    url: str | None = None
    title: str | None = None
    start_index: int | None = None
    end_index: int | None = None


class _Annotation(Struct):
    """A citation of the web; those of other kinds are kept as raw JSON."""

    url_citation: _Citation | None = None


_NONE: Final = Raw(b"[]")
_annotations: Final = msgspec.json.Decoder(list[_Annotation] | None).decode


class MessageReader(Reader):
    """The state of one decoding: the names of the tools called so far."""

    WIRE: ClassVar[str] = "openai_chat"
    API: ClassVar[str] = wire.API

    def __init__(self, body: Body, dialect: str) -> None:
        super().__init__(body, dialect)
        self._service = service_of(dialect)
        self._names: dict[str, str] = {}
        self._legacy_calls = 0

    def message(self, part: Any) -> Message:
        """Return the message for a message of the wire; a result is a `ToolMessage`."""
        kind = type(part)
        if kind is wire.Assistant:
            return self._answer(part)
        if kind is wire.Tool:
            return ToolMessage([self._result(part)])
        if kind is wire.User:
            return UserMessage(
                self._content(part.content), name=part.name, extras=self._extras(part)
            )
        if kind is wire.System or kind is wire.Developer:
            made = SystemMessage(self._content(part.content), name=part.name)
            is_plain = kind is wire.System
            made.extras = self._extras(part) if is_plain else self._came_as("developer", part)
            return made
        if kind is wire.FunctionResult:
            return ToolMessage([self._legacy_result(part)])
        self._fail("unknown role", part, ".role")

    def _content(self, content: Any) -> list[Content]:
        if type(content) is str:
            return [TextBlock(content)]
        return [_PARTS[type(part)](self, part) for part in content]

    # -- answers -------------------------------------------------------------------------------

    def _answer(self, part: wire.Assistant) -> AssistantMessage:
        spelling: dict[str, Any] = {}
        content: list[Content] = []
        if part.reasoning_details is not None or part.reasoning is not None:
            self._think(content, part, spelling)
        elif part.reasoning_content is not None:
            content.append(self._thought(part.reasoning_content, "reasoning_content"))
        if part.content or part.content == "":
            content += self._content(part.content)
            if type(part.content) is not str:
                self._keep_media(content, frozenset())
        if part.annotations is not None:
            spelling["annotations"] = part.annotations
            self._annotate(content, part)
        if part.refusal is not None:
            content.append(TextBlock(part.refusal, extras=self._came_as("refusal")))
        if part.audio is not None:
            known = "voice" in self._service.knows
            extras = None if known else self._came_as("as is")
            content.append(self._owned(AudioBlock(file_id=part.audio.id, extras=extras)))
        if part.function_call is not None:
            content.append(self._legacy_call(part.function_call))
        if part.tool_calls:
            for i, call in enumerate(part.tool_calls):
                content.append(self._call(call, i))
        made = AssistantMessage(content, api=self.API, name=part.name)
        if spelling or self._unknown:
            made.extras = self._bound(part, **spelling)
        return made

    def _think(
        self,
        content: list[Content],
        part: wire.Assistant | wire.Answered,
        spelling: dict[str, Any],
    ) -> None:
        """Read thinking from `reasoning_details`, `reasoning` and `reasoning_content`."""
        for detail in part.reasoning_details or ():
            content.append(self._detail(detail))
        told = any(type(block) is ThinkingBlock and block.thinking for block in content)
        if part.reasoning is not None and part.reasoning == part.reasoning_content and not content:
            content.append(self._thought(part.reasoning, "reasoning", "reasoning_content"))
            return
        for key in ("reasoning_content", "reasoning"):
            text = getattr(part, key)
            if text is not None and told:
                spelling[key] = text  # the details say the same
            elif text is not None:
                content.append(self._thought(text, key))

    def _thought(self, text: str, *keys: str) -> ThinkingBlock:
        usual = keys == (self._service.thinking,)
        return ThinkingBlock(text, extras=None if usual else self._came_as(keys))

    def _detail(self, part: Any) -> Content:
        kind = type(part)
        if kind is Raw:
            return OpaqueBlock(self.API, self._raw(part))
        shape = {"type": part.__struct_config__.tag}
        for key in ("id", "format", "index"):
            if getattr(part, key) is not None:
                shape[key] = getattr(part, key)
        extras = self._came_as(shape, part)
        if kind is wire.ReasoningText:
            return ThinkingBlock(part.text or "", part.signature, extras=extras)
        if kind is wire.ReasoningSummary:
            return ThinkingBlock(part.summary, extras=extras)
        return ThinkingBlock("", part.data, redacted=True, extras=extras)

    def _annotate(self, content: list[Content], part: wire.Assistant | wire.Answered) -> None:
        """Put the web citations of an answer on its first text."""
        given = self._inner(_annotations, part.annotations, part, ".annotations")
        cited = [a.url_citation for a in given or () if a.url_citation]
        text = next((block for block in content if type(block) is TextBlock), None)
        if text is not None and cited:
            text.annotations = [
                AnnotationRef(c.url, c.title, start=c.start_index, end=c.end_index) for c in cited
            ]
            if text.extras is None:
                text.extras = self._came_as("cited")

    # -- calls and results ---------------------------------------------------------------------

    def _call(self, part: wire.Call | wire.AnsweredCall, index: int, **spelling: Any) -> Content:
        if part.index is not None:
            spelling["index"] = part.index
        if part.function is not None:
            self._names[part.id] = part.function.name
            text = adopt_text(arguments_of(part.function.arguments))
            made = ToolCallBlock(part.id, part.function.name, text)
            if part.type not in ("function", "custom", None):  # a word of one service
                made.tool_type = spelling["type"] = part.type
                self._keep_type(part, part.type)
        elif part.custom is not None:
            self._names[part.id] = part.custom.name
            made = ToolCallBlock(part.id, part.custom.name, part.custom.input, tool_type="custom")
        else:
            self._fail("a call of no known type", part)
        if spelling or self._unknown:
            made.extras = self._bound(part, **spelling)
        return made

    def _result(self, part: wire.Tool) -> ToolResultBlock:
        name = self._names.get(part.tool_call_id)
        made = ToolResultBlock(part.tool_call_id, name, self._content(part.content))
        if type(part.content) is not str:
            self._keep_media(made.content, self._service.result_media)
        if part.name is not None:
            made.tool_name = name or part.name
            made.extras = self._extras(part, name=part.name)
        elif self._unknown:
            made.extras = self._extras(part)
        return made

    def _legacy_call(self, part: wire.Function | wire.CalledFunction) -> ToolCallBlock:
        """Return a deprecated `function_call`; its id is generated from a running number."""
        text = adopt_text(arguments_of(part.arguments))
        made = ToolCallBlock(self._legacy_id(), part.name, text)
        made.extras = self._came_as("function_call")
        return made

    def _legacy_id(self) -> str:
        return f"call_{self._legacy_calls}"

    def _legacy_result(self, part: wire.FunctionResult) -> ToolResultBlock:
        made = ToolResultBlock(self._legacy_id(), part.name)
        self._legacy_calls += 1
        made.content = self._content(part.content or "")
        made.extras = self._extras(part)
        return made

    # -- parts ---------------------------------------------------------------------------------

    def _text(self, part: wire.Text) -> Any:
        return self._marked(TextBlock(part.text), part)

    def _refusal(self, part: wire.Refusal) -> Any:
        return TextBlock(part.refusal, extras=self._came_as("refusal part", part))

    def _image(self, part: wire.Image) -> Any:
        made = self._media(ImageBlock, part.image_url, "url", IMAGE_TYPES)
        if made is None:
            return OpaqueBlock(self.API, self._raw(part))
        made.detail = part.image_url.detail
        return self._marked(made, part)

    def _video(self, part: wire.Video) -> Any:
        made = self._media(VideoBlock, part.video_url, "url", None)
        if made is None or part.video_url.detail is not None:
            return OpaqueBlock(self.API, self._raw(part))
        return self._marked(made, part)

    def _audio(self, part: wire.Audio) -> Any:
        form = part.input_audio.format
        mime_type = _AUDIO_TYPES.get(form, f"audio/{form}")
        made = self._inner(AudioBlock, part.input_audio.data, part.input_audio, ".data")
        made.mime_type = mime_type
        if form not in _AUDIO_TYPES or "audio" not in self._service.media:
            made.extras = self._came_as("as is")
        return self._marked(made, part)

    def _file(self, part: wire.File) -> Any:
        file = part.file
        made: DocumentBlock | None = None
        if file.file_data is None and file.file_id is not None:
            made = DocumentBlock(file_id=file.file_id)
            if "document" not in self._service.media or file.filename is not None:
                made.extras = self._came_as("as is")
        elif file.file_data is not None and file.file_id is None and file.filename is not None:
            made = self._media(DocumentBlock, file, "file_data", FILE_TYPES)
        if made is None:
            return OpaqueBlock(self.API, self._raw(part))
        made.filename = file.filename
        return self._owned(self._marked(made, part))

    def _media(self, kind: Any, part: Any, key: str, types: frozenset[str] | None) -> Any:
        """Return a block for a URL, None for one that is neither http nor well-formed `data:`."""
        url: Raw = getattr(part, key)
        try:
            media = Media.of_data_url(url)
        except DecodeError:
            return None
        if media is None:
            text = self._inner(_string, url, part, f".{key}")
            if not text.startswith(("https://", "http://")):
                return None
            made = kind(url=text)
            usual = kind is not DocumentBlock or self._service.file_urls
        else:
            made = kind(media, mime_type=media.mime_type)
            usual = types is None or made.known_mime_type() in types
        if not usual or MEDIA[kind] not in self._service.media:
            made.extras = self._came_as("as is")
        return made

    def _opaque(self, part: Raw) -> Content:
        return OpaqueBlock(self.API, self._raw(part))

    def _keep_media(self, content: list[Any], taken: frozenset[str]) -> None:
        """Mark media of the kinds that this dialect does not take here: they go back as is."""
        for block in content:
            if MEDIA.get(type(block), "") not in ("", *taken):
                self._keep(block)

    def _keep(self, block: Any) -> None:
        """Mark a block to go back as is, beside what its extras hold."""
        held = (block.extras or {}).get(self.API)
        if held is None:
            block.extras = self._came_as("as is")
            return
        spelled = _keys(held.spelling.text) if held.spelling is not None else {}
        held.spelling = RawJson.adopt(Raw(encode({"as": "as is"} | spelled)))
        held.dialect = self._dialect

    def _marked(self, made: Any, part: Any) -> Any:
        """Return the block with its breakpoint and its unknown keys."""
        spelling: dict[str, Any] = {}
        marks = {key: mark for key in _MARKS if (mark := getattr(part, key, None)) is not None}
        if marks:
            ttl = getattr(marks.get("cache_control"), "ttl", None)
            made.cache = CacheMark(_TTLS.get(ttl))
            plain = ttl in _TTLS and marks.get("prompt_cache_breakpoint") in (None, _EXPLICIT)
            if not plain or [*marks] != [self._service.cache]:
                spelling |= marks
        if made.extras is not None:
            spelling["as"] = made.extras[self.API].spelling.value["as"]
        if spelling or self._unknown:
            made.extras = self._extras(part, **spelling)
            if spelling and made.extras is not None:
                made.extras[self.API].dialect = self._dialect
        return made

    def _came_as(self, shape: Any, *parts: Any) -> Extras:
        """Return extras that name the shape of what was read, with the unknown keys of `parts`."""
        extras = self._bound(*parts, **{"as": shape})
        assert extras is not None
        return extras

    def _bound(self, *parts: Any, **spelling: Any) -> Extras | None:
        """Return extras whose spelling is for this dialect alone: others may refuse its keys.

        Citations are content, so a spelling that holds some is for every dialect.
        """
        extras = self._extras(*parts, **spelling)
        if extras is not None and spelling and spelling.get("annotations", _NONE) == _NONE:
            extras[self.API].dialect = self._dialect
        return extras


_PARTS: Final[dict[type, Callable[[MessageReader, Any], Content]]] = {
    wire.Text: MessageReader._text,
    wire.Refusal: MessageReader._refusal,
    wire.Image: MessageReader._image,
    wire.Video: MessageReader._video,
    wire.Audio: MessageReader._audio,
    wire.File: MessageReader._file,
    Raw: MessageReader._opaque,
}
