"""The contents of Gemini's generateContent -> messages; calls without an id get one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from msgspec import Raw

from ...model import (
    AssistantMessage,
    AudioBlock,
    Content,
    DataBlock,
    DocumentBlock,
    ImageBlock,
    Message,
    OpaqueBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolMessage,
    ToolResultBlock,
    UserMessage,
    VideoBlock,
)
from ...model.blocks import MediaBlock
from ...model.source import whole
from .._reading import Body, Reader
from .._waiting import Call, Waiting
from . import wire
from .parts import is_signature
from .writing import said

__all__ = ["MessageReader", "forget_nulls", "given"]

_NULL: Final = Raw(b"null")
_STANDARD: Final = bytes.maketrans(b"-_", b"+/")
_OF_URLS: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_="
_FILES: Final = ("https://generativelanguage.googleapis.com/", "files/")
_URLS: Final = ("https://", "http://", "gs://")
_KINDS: Final[dict[str, type[MediaBlock]]] = {
    "image": ImageBlock,
    "audio": AudioBlock,
    "video": VideoBlock,
    "text": DocumentBlock,
}
_DATA: Final = ("text", "function_call", "function_response", "inline_data", "file_data")
_OF_PARTS: Final = frozenset(wire.Part.__struct_fields__ + wire.Part.__struct_encode_fields__)
_SIGNED: Final = frozenset({TextBlock, ThinkingBlock, ToolCallBlock, ImageBlock})


class MessageReader(Reader):
    """The state of one decoding: how many ids were made, and which calls have no result yet."""

    WIRE: ClassVar[str] = "gemini"
    API: ClassVar[str] = wire.API

    def __init__(self, body: Body, dialect: str) -> None:
        forget_nulls(body.unknown)
        super().__init__(body, dialect)
        self._made_ids = 0
        self._waiting = Waiting()
        self._taken: set[str] = set()  # ids of the calls of this turn
        self._seen: set[str] = set()  # ids that were given so far
        self._made_up: set[str] = set()  # ids that were made up so far
        self._parts: Sequence[wire.Part] = ()  # of the content being read
        self._given: set[str | None] | None = None  # ids in that content, collected on demand
        self._is_answer = False  # whether that content is the model's

    def message(self, part: wire.Content) -> Message:
        """Return the message for a turn; a turn of results alone is a `ToolMessage`."""
        role = part.role or "user"
        is_answer = role == "model"
        if is_answer and not self._is_answer:
            self._waiting = Waiting()
            self._taken = set()
        self._is_answer = is_answer
        content = self.content(part)
        kinds = set(map(type, content))
        spelling = {"role": _NULL} if part.role is None else {}
        if role == "function":  # formerly the role of results
            spelling["role"] = Raw(b'"function"')
            role = "user"
        elif len(kinds) > 1 and ToolResultBlock in kinds:  # keeps them in one content
            spelling.setdefault("role", Raw(b'"user"'))
        extras = self._extras(part, **spelling)
        if is_answer:
            return AssistantMessage(content, api=self.API, extras=extras)
        if role != "user":
            self._fail(f"unknown role `{role}`", part, ".role")
        if kinds == {ToolResultBlock}:
            return ToolMessage(content, extras=extras)
        return UserMessage(content, extras=extras)

    def content(self, part: wire.Content) -> list[Content]:
        """Return the blocks of a turn, or of the system instruction."""
        self._parts, self._given = part.parts or (), None
        if self._unknown:
            return [self._block(piece) for piece in part.parts or ()]
        return [
            TextBlock(piece.text)
            if piece.text is not None and _is_plain(piece)
            else self._block(piece)
            for piece in part.parts or ()
        ]

    def _block(self, part: wire.Part) -> Content:
        """Return the block of a part; a part without exactly one kind of data is opaque."""
        spelling: dict[str, Any] = {}
        made: Any = None
        held = [name for name in _DATA if getattr(part, name) is not None]
        if held == ["text"]:
            is_thought = part.thought and self._is_answer
            made = ThinkingBlock(part.text or "") if is_thought else TextBlock(part.text or "")
        elif held == ["function_call"]:
            made = self._call(part.function_call, spelling)
        elif held == ["function_response"]:
            made = self._result(part.function_response, spelling)
        elif len(held) == 1:
            made = self._media(part)
        if made is None:
            return OpaqueBlock(self.API, self._raw(part))
        if part.thought and type(made) is not ThinkingBlock:
            spelling["thought"] = True
        signature = part.thought_signature
        if signature is not None:
            if self._is_answer and type(made) in _SIGNED and is_signature(signature):
                made.signature = signature
            else:
                spelling["thoughtSignature"] = signature
        made.extras = self._extras(part, **spelling) or made.extras
        return made  # type: ignore[no-any-return]

    def _call(self, call: Any, spelling: dict[str, Any]) -> ToolCallBlock:
        """Return the call; without an id of its own it gets one, which is not sent back."""
        call_id, sent = call.id or "", call.id or None
        if not call_id or call_id in self._taken or call_id in self._made_up:
            call_id, sent = self._free_id(), None
            spelling["id"] = _NULL
        else:
            self._seen.add(call_id)
        self._taken.add(call_id)
        self._waiting.add(Call(call_id, call.name, sent))
        arguments: Any = call.args if given(call.args) else ""
        return ToolCallBlock(call_id, call.name, arguments)

    def _free_id(self) -> str:
        """Return an id that no call before has, or of this content: what follows may not matter."""
        if self._given is None:
            calls = (part.function_call for part in self._parts)
            self._given = {call.id for call in calls if call is not None}
        while True:
            call_id = f"call_{self._made_ids}"
            self._made_ids += 1
            if call_id not in self._seen and call_id not in self._given:
                self._made_up.add(call_id)
                return call_id

    def _result(self, response: Any, spelling: dict[str, Any]) -> ToolResultBlock:
        """Return the result, with the id of its call; its spelling notes its own id and name."""
        sent = response.id or None
        call = self._waiting.answered(sent, response.name)
        if call is None and sent:
            call = self._waiting.answered(None, response.name)
        call_id = call.id if call is not None else sent or ""
        own: dict[str, Any] = {}
        if sent and (call is None or call.sent != sent):
            own["id"] = sent
        elif not sent and call is not None and call.sent:
            spelling["id"] = _NULL
        if call is not None and call.name != response.name:
            own["name"] = response.name
        if own:
            spelling["functionResponse"] = own
        content: list[Content] = []
        is_error = False
        if given(response.response):
            text, is_error, is_ours = said(response.response)
            content.append(TextBlock(text))
            if not is_ours:
                spelling.setdefault("functionResponse", {})["response"] = response.response
        for attached in response.parts or ():
            # With a key that only parts of a message have, it is no media of a result: opaque.
            is_media = _OF_PARTS.isdisjoint(self._unknown.get(id(attached), ()))
            made = self._media(attached) if is_media else None
            if made is not None:
                made.extras = self._extras(attached) or made.extras
            content.append(made or OpaqueBlock(self.API, self._raw(attached)))
        return ToolResultBlock(call_id, response.name, content, is_error)

    def _media(self, part: Any) -> Any:
        """Return the media of a part, None without data or with a URI of another kind."""
        blob: Any = part.inline_data
        file: Any = part.file_data
        if file is None:
            if blob is None or not given(blob.data):
                return None
            made = self._inner(_kind(blob.mime_type), _standard(blob.data), blob, ".data")
            made.mime_type = blob.mime_type
            return made
        uri: str = file.file_uri
        if blob is not None or not uri.startswith((*_FILES, *_URLS)):
            return None
        if uri.startswith(_FILES):
            return self._owned(_kind(file.mime_type)(file_id=uri, mime_type=file.mime_type))
        return _kind(file.mime_type)(url=uri, mime_type=file.mime_type)


def _kind(mime_type: str | None) -> type[MediaBlock]:
    """Return the kind of block for a MIME type."""
    known = (mime_type or "").lower()
    if known == "application/pdf":
        return DocumentBlock
    return _KINDS.get(known.partition("/")[0], DataBlock)


def given(value: Any) -> bool:
    """Whether a field of raw JSON is set: on this wire null means unset."""
    return value is not None and bytes(memoryview(value)[:4]) != b"null"


def forget_nulls(unknown: dict[int, dict[str, Raw]]) -> None:
    """Drop unknown keys that are null: on this wire null means unset."""
    for part, keys in list(unknown.items()):
        unknown[part] = {key: raw for key, raw in keys.items() if given(raw)}
        if not unknown[part]:
            del unknown[part]


def _is_plain(part: wire.Part) -> bool:
    """Whether a part has nothing but its text."""
    return (
        part.thought is None
        and part.thought_signature is None
        and part.function_call is None
        and part.inline_data is None
        and part.file_data is None
        and part.function_response is None
    )


def _standard(data: Raw) -> Any:
    """Return base64 in the standard alphabet; only this wire takes the URL-safe one, too."""
    text = bytes(whole(data))
    if (b"-" in text or b"_" in text) and text.translate(None, _OF_URLS) == b'""':
        return Raw(text.translate(_STANDARD))
    return data
