"""The messages of Cohere's chat -> messages, block by block."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct

from ...errors import DecodeError
from ...model import (
    AnnotationBlock,
    AnnotationRef,
    AssistantMessage,
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
from ...model.rawjson import adopt_text
from .._media import plain_type
from .._reading import Body, Reader, arguments_of
from .._writing import encode
from . import wire

__all__ = [
    "IMAGE_TYPES",
    "Citation",
    "MessageReader",
    "cited_part",
    "document_text",
    "is_cited",
    "references",
    "without_type",
]

DOCUMENT_KEYS: Final = frozenset({"title", "text", "context"})
"""Keys of a document that a `DocumentBlock` has fields for."""
IMAGE_TYPES: Final = frozenset({"image/jpeg", "image/jpg", "image/png", "image/gif", "image/webp"})
"""The types of images that the API takes."""

_DETAILS: Final = frozenset({"auto", "low", "high"})
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_text = msgspec.json.Decoder(str).decode
_texts = msgspec.json.Decoder(dict[str, str]).decode


class _Source(Struct):
    """A source that is cited: a document, or the output of a tool."""

    document: dict[str, Any] | None = None
    tool_output: dict[str, Any] | None = None


class Citation(Struct):
    """A span of one part of the answer, or of its plan, and the sources that support it."""

    start: int | None = None
    end: int | None = None
    sources: list[_Source] | None = None
    content_index: int | None = None
    type: str | None = None


_citations = msgspec.json.Decoder(list[Citation] | None).decode


class MessageReader(Reader):
    """The state of one decoding: the names of the functions called so far."""

    WIRE: ClassVar[str] = "cohere"
    API: ClassVar[str] = wire.API

    def __init__(self, body: Body, dialect: str) -> None:
        super().__init__(body, dialect)
        self._names: dict[str, str] = {}

    def message(self, part: wire.Message) -> Message:
        """Return the message for a message of the wire."""
        return _MESSAGES[type(part)](self, part)

    def _system(self, part: wire.System) -> Message:
        return SystemMessage(self.content(part.content), extras=self._listed(part))

    def _user(self, part: wire.User) -> Message:
        return UserMessage(self.content(part.content), extras=self._listed(part))

    def _result(self, part: wire.Tool) -> Message:
        call_id = part.tool_call_id
        content = self.content(part.content)
        result = ToolResultBlock(call_id, self._names.get(call_id), content)
        result.extras = self._listed(part)
        return ToolMessage([result])

    def _assistant(self, part: wire.Assistant) -> Message:
        """Read an answer in a request.

        A plan without calls adds no text: it is kept as an unknown key. The spelling notes content
        that is a list of one text.
        """
        plan = part.tool_plan
        spelling: dict[str, Any] = {}
        if not part.tool_calls:
            if _is_one_text(part.content):
                spelling["content"] = []
            if plan:
                self._unknown.setdefault(id(part), {})["tool_plan"] = Raw(encode(plan))
                plan = None
        return self._answer(part, plan, spelling)

    def answer(self, part: wire.Assistant) -> AssistantMessage:
        """Read the answer of a response; its plan is text, even if no calls follow it.

        Empty text and thinking are left out. The spelling keeps content that holds nothing else.
        """
        spelling = {}
        if part.content is not None and all(map(_is_wordless, part.content)):
            spelling["content"] = part.content
        message = self._answer(part, part.tool_plan, spelling)
        message.content = [block for block in message.content if not _says_nothing(block)]
        return message

    def _answer(
        self, part: wire.Assistant, plan: str | None, spelling: dict[str, Any]
    ) -> AssistantMessage:
        """Read content, then the plan as text, then calls.

        The spelling keeps keys that are there but empty.
        """
        said, calls = part.content, part.tool_calls
        content = self.content(said) if said else []
        if calls and said is not None and all(map(_is_empty, content)):
            spelling["content"] = said
            content = []
        parts = list(content)
        if plan:
            content.append(TextBlock(plan))
        elif plan == "":
            spelling["tool_plan"] = plan
        if part.citations is not None and bytes(part.citations) != b"null":
            spelling["citations"] = part.citations
            self._cite(part, parts, content, content[-1] if plan else None)
        if calls:
            content += [self.call(call) for call in calls]
        elif calls is not None:
            spelling["tool_calls"] = calls
        return AssistantMessage(content, api=self.API, extras=self._extras(part, **spelling))

    def _unknown_role(self, part: Raw) -> Message:
        role = _keys(part)["role"]
        self._fail(f"expected a role of this wire, got {bytes(role).decode()}", part, ".role")

    def _listed(self, part: Any) -> Any:
        """Return a message's extras; the spelling notes empty content, and a list of one text."""
        said = part.content
        if not said or _is_one_text(said):
            return self._extras(part, content=said if not said else [])
        return self._extras(part) if self._unknown else None

    def call(self, part: wire.ToolCall) -> ToolCallBlock:
        """Return the call for a call of the wire."""
        if part.type not in (None, "function"):
            self._fail(f"expected `function`, got `{part.type}`", part, ".type")
        function = part.function
        arguments = arguments_of(function.arguments)
        if type(arguments) is Raw and bytes(memoryview(arguments)[:1]) != b'"':
            self._fail("expected `str`", function, ".arguments")
        self._names[part.id] = function.name
        made = ToolCallBlock(part.id, function.name, adopt_text(arguments))
        if self._unknown or part.type is None:
            made.extras = self._extras(part, **without_type(part.type))
        return made

    # -- parts ---------------------------------------------------------------------------------

    def content(self, parts: str | list[Any]) -> list[Content]:
        """Return the blocks for `content`, a string or a list of parts."""
        if type(parts) is str:
            return [TextBlock(parts)] if parts else []
        return [_PARTS[type(part)](self, part) for part in parts]

    def _text(self, part: wire.Text) -> Content:
        made = TextBlock(part.text)
        if self._unknown:
            made.extras = self._extras(part)
        return made

    def _thinking(self, part: wire.Thinking) -> Content:
        return ThinkingBlock(part.thinking, extras=self._extras(part))

    def _image(self, part: wire.Image) -> Content:
        url = part.image_url.url
        if bytes(memoryview(url)[:1]) != b'"':
            self._fail("expected `str`", part.image_url, ".url")
        try:
            media = Media.of_data_url(url)
        except DecodeError as error:
            self._fail(error.reason, part.image_url, ".url")
        if media is None:
            made = ImageBlock(url=_text(url))
        else:
            made = ImageBlock(data=media, mime_type=media.mime_type)
            if made.mime_type is not None and made.mime_type not in IMAGE_TYPES:
                made.mime_type = plain_type(made.mime_type)
        detail = part.image_url.detail
        if detail in _DETAILS:
            made.detail = detail
        elif detail is not None:  # no word of the API: an unknown key
            self._unknown.setdefault(id(part.image_url), {})["detail"] = Raw(encode(detail))
        made.extras = self._extras(part)
        return made

    def _document(self, part: wire.Document) -> Content:
        """Read a document; one that does not fit a `DocumentBlock` becomes the text of its JSON."""
        document = part.document
        found: Any = _fields(document.data)
        if found is not None and self._is_known(document):
            spelling = {"document": {"id": document.id}} if document.id is not None else {}
            return DocumentBlock(**found, extras=self._extras(part, **spelling))
        try:
            text = document_text(document.data)
        except msgspec.DecodeError:
            self._fail("expected `object`", document, ".data")
        return TextBlock(text, extras=self._extras(part, document=self._raw(document)))

    def _opaque(self, part: Raw) -> Content:
        return OpaqueBlock(self.API, self._raw(part))

    # -- citations -----------------------------------------------------------------------------

    def _cite(
        self,
        part: wire.Assistant,
        parts: list[Content],
        content: list[Content],
        plan: Content | None,
    ) -> None:
        """Add each citation to its text; those without a text get an `AnnotationBlock`."""
        loose: list[AnnotationRef] = []
        for citation in self._cited(part):
            at = cited_part(citation)
            text: Any = None
            if at is not None:
                text = plan if at < 0 else parts[at] if at < len(parts) else None
            if type(text) is not TextBlock:
                loose += references(citation)
            elif text.annotations is None:
                text.annotations = references(citation)
            else:
                text.annotations += references(citation)
        if loose:
            content.append(AnnotationBlock(refs=loose))

    def _cited(self, part: wire.Assistant) -> list[Citation]:
        return self._inner(_citations, part.citations, part, ".citations") or []


_MESSAGES: Final[dict[type, Callable[[MessageReader, Any], Message]]] = {
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
    Raw: MessageReader._opaque,
}


def without_type(given: str | None) -> dict[str, Any]:
    """Return the spelling of an object that came without `type`, which the encoder writes."""
    return {} if given is not None else {"type": None}


def document_text(data: Raw) -> str:
    """Return a document's data as text: the string itself, or the JSON of an object as it came.

    Raises `msgspec.DecodeError` if they are neither object nor string.
    """
    if bytes(memoryview(data)[:1]) == b"{":
        return bytes(data).decode()
    return _text(data)


def _fields(data: Raw) -> dict[str, str] | None:
    """Return a document's data as fields of a `DocumentBlock`, None if they do not fit."""
    try:
        found = _texts(data)
    except msgspec.DecodeError:
        return None
    return found if found.get("text") and found.keys() <= DOCUMENT_KEYS else None


def _is_empty(block: Content) -> bool:
    return type(block) is TextBlock and not block.text


def _says_nothing(block: Any) -> bool:
    """Whether a block is empty text or thinking, with no annotations and no extras."""
    kind = type(block)
    if kind is TextBlock:
        return not block.text and block.annotations is None and block.extras is None
    return kind is ThinkingBlock and not block.thinking and block.extras is None


def _is_wordless(part: Any) -> bool:
    kind = type(part)
    return (kind is wire.Text and not part.text) or (kind is wire.Thinking and not part.thinking)


def _is_one_text(content: Any) -> bool:
    """Whether content is a list of one text, which the encoder would write as a string."""
    return type(content) is list and len(content) == 1 and type(content[0]) is wire.Text


def cited_part(citation: Citation) -> int | None:
    """Return the index of the part that a citation is in: -1 for the plan, None for no text."""
    if citation.type == "PLAN":
        return -1
    index = citation.content_index or 0
    return index if citation.type in (None, "TEXT_CONTENT") and index >= 0 else None


def is_cited(message: AssistantMessage) -> bool:
    """Whether anything in an answer has citations."""
    return any(
        type(block) is AnnotationBlock or (type(block) is TextBlock and block.annotations)
        for block in message.content
    )


def references(citation: Citation) -> list[AnnotationRef]:
    """Return a reference for each source of a citation; without sources, one of its span alone."""
    made = []
    for source in citation.sources or [_Source()]:
        found = source.document or source.tool_output or {}
        title, url = found.get("title"), found.get("url")
        made.append(
            AnnotationRef(
                url=url if isinstance(url, str) else None,
                title=title if isinstance(title, str) else None,
                start=citation.start,
                end=citation.end,
            )
        )
    return made
