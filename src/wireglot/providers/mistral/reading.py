"""The messages of Mistral's chat completions -> messages, block by block."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final, TypeVar

import msgspec
from msgspec import UNSET, Raw

from ...model import (
    AssistantMessage,
    AudioBlock,
    Content,
    DocumentBlock,
    ImageBlock,
    Media,
    Message,
    OpaqueBlock,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolMessage,
    ToolResultBlock,
    UserMessage,
)
from ...model.media import adopt_media
from ...model.rawjson import adopt_text
from ...model.source import whole
from .._media import plain_type
from .._reading import Body, Reader, arguments_of
from .._writing import encode
from . import wire

__all__ = ["DETAILS", "MessageReader"]

DETAILS: Final = frozenset({"auto", "low", "high"})
_NOTHING: Final = Raw(b"{}")
_NO_ID: Final = "null"  # the API's default for a missing id
_Sourced = TypeVar("_Sourced", ImageBlock, DocumentBlock, AudioBlock)
_AUDIO_TYPES: Final = {"mp3": "audio/mpeg"}
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_text = msgspec.json.Decoder(str | None).decode


class MessageReader(Reader):
    """The state of one decoding: the names of the functions called so far."""

    WIRE: ClassVar[str] = "mistral"
    API: ClassVar[str] = wire.API

    def __init__(self, body: Body, dialect: str) -> None:
        super().__init__(body, dialect)
        self._names: dict[str, str] = {}

    def message(self, part: wire.Message, *, is_last: bool) -> Message:
        """Return the message for a message of the wire."""
        return _MESSAGES[type(part)](self, part, is_last)

    def _system(self, part: wire.System, _: bool) -> Message:
        content = self.content(part.content or "")
        return SystemMessage(content, extras=self._extras(part, **_as_list(part.content)))

    def _user(self, part: wire.User, _: bool) -> Message:
        content = self.content(part.content or "")
        return UserMessage(content, extras=self._extras(part, **_as_list(part.content)))

    def _assistant(self, part: wire.Assistant, is_last: bool) -> Message:
        return self.answer(part, is_last=is_last)

    def answer(
        self, part: wire.Assistant | wire.Said, *, is_last: bool = False
    ) -> AssistantMessage:
        """Return an answer of the model, from a request or from a response."""
        said = part.content
        content = [] if said is UNSET or not said else self.content(said)
        content += [self.call(call) for call in part.tool_calls or ()]
        spelling = _as_list(said, or_empty=True)
        if part.prefix is not None and not (part.prefix and is_last):
            spelling["prefix"] = part.prefix
        return AssistantMessage(content, api=self.API, extras=self._extras(part, **spelling))

    def _result(self, part: wire.Tool, _: bool) -> Message:
        call_id = part.tool_call_id if part.tool_call_id is not None else _NO_ID
        spelling = _as_list(part.content, or_empty=True)
        if part.name is not None:
            spelling["name"] = part.name
        result = ToolResultBlock(
            call_id,
            part.name if part.name is not None else self._names.get(call_id),
            self.content(part.content or []),
            extras=self._extras(part, **spelling),
        )
        return ToolMessage([result])

    def _unknown_role(self, part: Raw, _: bool) -> Message:
        role = _keys(part)["role"]
        self._fail(f"expected a role of this wire, got {bytes(role).decode()}", part, ".role")

    def call(self, part: wire.ToolCall, **spelling: Any) -> ToolCallBlock:
        """Return a call; its `index` is kept as spelling only, and so is a `type` of its own."""
        if part.index is not None:
            spelling["index"] = part.index
        if part.type not in ("function", None):
            spelling["type"] = part.type
            self._keep_type(part, part.type)
        call_id = part.id if part.id is not None else _NO_ID
        function = part.function
        function.arguments = arguments_of(function.arguments)
        first = bytes(memoryview(function.arguments)[:1])
        if first not in (b'"', b"{"):
            self._fail("expected `str` or `object`", function, ".arguments")
        self._names[call_id] = function.name
        made = ToolCallBlock(call_id, function.name, adopt_text(function.arguments))
        if type(function.arguments) is Raw and first == b"{":
            spelling["function"] = {"arguments": {}}
        if spelling or self._unknown:
            made.extras = self._extras(part, **spelling)
        return made

    # -- parts ---------------------------------------------------------------------------------

    def content(self, parts: str | list[Any]) -> list[Content]:
        """Return the blocks of content, a string or a list of parts."""
        if type(parts) is str:
            return [TextBlock(parts)]
        return [_PARTS[type(part)](self, part) for part in parts]

    def _text(self, part: wire.Text) -> Content:
        return TextBlock(part.text, extras=self._extras(part))

    def _thinking(self, part: wire.Thinking) -> Content:
        texts: list[str] = []
        for thought in part.thinking:
            if type(thought) is not wire.Text or not self._is_known(thought):
                return self._opaque(part)
            texts.append(thought.text)
        spelling = {"closed": part.closed} if part.closed is not None else {}
        return ThinkingBlock("".join(texts), part.signature, extras=self._extras(part, **spelling))

    def _image(self, part: wire.Image) -> Content:
        url, detail = self._long_form(part, "image_url", "url", "detail")
        made = self._sourced(ImageBlock, part, url, ".image_url")
        if made.mime_type is not None:
            made.mime_type = plain_type(made.mime_type)
        if detail in DETAILS:
            made.detail = detail
        elif detail is not None:  # no word of the API: an unknown key
            held = self._unknown.setdefault(id(part), {})
            others = _keys(held.get("image_url", _NOTHING))
            held["image_url"] = Raw(encode({"detail": detail, **others}))
        is_short = url is part.image_url
        made.extras = self._extras(part, **({"image_url": ""} if is_short else {}))
        return made

    def _document(self, part: wire.Document) -> Content:
        made = self._sourced(DocumentBlock, part, part.document_url, ".document_url")
        made.filename = part.document_name
        made.extras = self._extras(part)
        return made

    def _file(self, part: wire.File) -> Content:
        return self._owned(DocumentBlock(file_id=part.file_id, extras=self._extras(part)))

    def _audio(self, part: wire.Audio) -> Content:
        source, form = self._long_form(part, "input_audio", "data", "format")
        head = bytes(memoryview(whole(source))[:7]).lower()
        is_remote = head.startswith((b'"http:', b'"https:'))
        if is_remote or Media.of_data_url(source) is not None:
            made = self._sourced(AudioBlock, part, source, ".input_audio")
        else:
            made = AudioBlock(data=adopt_media(source))
        if form is not None:
            made.mime_type = _AUDIO_TYPES.get(form, f"audio/{form}")
        if source is part.input_audio:
            made.extras = self._extras(part)
            return made
        rest: dict[str, Any] = {} if form is None else {"format": form}
        if (unknown := self._unknown.get(id(part), {}).get("input_audio")) is not None:
            rest |= _keys(unknown)
        made.extras = self._extras(part, input_audio=rest)
        return made

    def _opaque(self, part: Any) -> Content:
        return OpaqueBlock(self.API, self._raw(part))

    # -- media ---------------------------------------------------------------------------------

    def _long_form(self, part: Any, key: str, main: str, more: str) -> tuple[Raw, str | None]:
        """Return the values of `main` and `more` in an object; a string is that of `main` alone."""
        held: Raw = getattr(part, key)
        first = bytes(memoryview(held)[:1])
        if first == b'"':
            return held, None
        if first != b"{":
            self._fail("expected `str` or `object`", part, f".{key}")
        keys = _keys(held)
        if bytes(memoryview(keys.get(main, b""))[:1]) != b'"':
            self._fail("expected `str`", part, f".{key}.{main}")
        source = keys.pop(main)
        try:
            word = _text(keys.pop(more, b"null"))
        except msgspec.ValidationError:
            self._fail("expected `str`", part, f".{key}.{more}")
        if keys:
            self._unknown.setdefault(id(part), {})[key] = Raw(encode(keys))
        return source, word

    def _sourced(self, kind: type[_Sourced], part: Any, url: Raw, path: str) -> _Sourced:
        """Return a media block for a URL: a `data:` URL becomes inline data, others stay URLs."""
        if bytes(memoryview(url)[:1]) != b'"':
            self._fail("expected `str`", part, path)
        media = Media.of_data_url(url)
        if media is None:
            return kind(url=_text(url))
        return kind(data=media, mime_type=media.mime_type)


_MESSAGES: Final[dict[type, Callable[[MessageReader, Any, bool], Message]]] = {
    wire.System: MessageReader._system,
    wire.User: MessageReader._user,
    wire.Assistant: MessageReader._assistant,
    wire.Tool: MessageReader._result,
    Raw: MessageReader._unknown_role,
}
_PARTS: Final[dict[type, Callable[[MessageReader, Any], Content]]] = {
    wire.Text: MessageReader._text,
    wire.Thinking: MessageReader._thinking,
    wire.Image: MessageReader._image,
    wire.Document: MessageReader._document,
    wire.File: MessageReader._file,
    wire.Audio: MessageReader._audio,
    wire.Reference: MessageReader._opaque,
    Raw: MessageReader._opaque,
}


def _as_list(content: Any, *, or_empty: bool = False) -> dict[str, Any]:
    """Return a spelling that keeps `content` a list where the writer would write a string.

    That is a list of one text and, with `or_empty`, an empty list.
    """
    if type(content) is not list or len(content) > 1:
        return {}
    is_text = type(content[0]) is wire.Text if content else or_empty
    return {"content": []} if is_text else {}
