"""The items of Responses -> messages, block by block.

Consecutive items of an answer become one message. The extras of a block hold what the model has no
field for. In their spelling, `as` names the shape that the block came in, `next` says whether it
continues the message of the part before it, `after` that reasoning came before its item, and
`message` holds the spelled keys of the item around it. In their unknown keys, `message` holds the
unknown keys of that item. The writer restores all of it.
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
    CacheMark,
    Content,
    DocumentBlock,
    Extra,
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
)
from ...model.rawjson import adopt_arguments, adopt_text
from .._reading import Body, Reader, arguments_of
from .._stored import is_bare
from .._writing import encode
from . import wire
from .dialects import SERVICES
from .parts import DETAILS, FILE_TYPES, IMAGE_TYPES, PARTS

__all__ = ["MessageReader"]

_ANSWERS_SAY: Final = "output_text"
_OTHERS_SAY: Final = "input_text"
# The API's own items that are not part of an answer.
_RESULTS: Final = frozenset({"mcp_approval_response"})
_USERS: Final = frozenset(
    {None, "additional_tools", "compaction_trigger", "configuration_update", "item_reference"}
)
_NO_TEXT: Final = Raw(b'""')
_string: Final = msgspec.json.Decoder(str).decode
_keys: Final = msgspec.json.Decoder(dict[str, Raw]).decode


class _Annotation(Struct):
    """The keys of all kinds of citation that an `AnnotationRef` has a place for."""

    url: str | None = None
    title: str | None = None
    filename: str | None = None
    file_id: str | None = None
    index: int | None = None
    start_index: int | None = None
    end_index: int | None = None


_annotations: Final = msgspec.json.Decoder(list[_Annotation] | None).decode


class MessageReader(Reader):
    """The state of one decoding: the tools called so far, and whether the answer has reasoned."""

    WIRE: ClassVar[str] = "openai_responses"
    API: ClassVar[str] = wire.API

    is_reasoned: bool = False
    """Whether reasoning came before the next item of the same answer."""

    def __init__(self, body: Body, dialect: str) -> None:
        super().__init__(body, dialect)
        self._service = SERVICES.get(dialect, SERVICES["openai"])
        self._names: dict[str, str] = {}
        self._kinds: dict[str, str] = {}

    def messages(self, items: list[wire.Item]) -> list[Message]:
        """Return the messages for items; a result is a `ToolMessage`."""
        out: list[Message] = []
        for item in items:
            kind = item.type
            if not out or type(out[-1]) is not AssistantMessage:
                self.is_reasoned = False
            if (kind is None or kind == "message") and item.role is not None:
                self._message(item, out)
            elif kind in _ITEMS:
                read = MessageReader._stored_item if self._is_bare(item) else _ITEMS[kind]
                _answer(out, self.API).content.append(read(self, item))
            elif kind in _OUTPUTS and type(item.output) is not wire.Part and item.call_id:
                out.append(ToolMessage([self._result(item)]))
            else:
                self._opaque_item(item, out)
        return out

    def answered(self, items: list[wire.Item]) -> list[Content]:
        """Return the blocks of an answer's items, results of the API's own tools among them.

        A call without arguments gets `{}`.
        """
        content: list[Content] = []
        for item in items:
            kind = item.type
            is_message = kind == "message" and item.role in (None, "assistant")
            if is_message and item.content is not None:
                blocks = self._answered(item)
                if not item.content:
                    self._note(blocks[0], {}, {"as": "empty"})
                content += blocks
            elif kind in _ITEMS:
                block = _ITEMS[kind](self, item)
                if type(block) is ToolCallBlock:
                    if item.arguments == _NO_TEXT:
                        block.arguments = adopt_arguments("{}")
                    if item.id is None:
                        self._note(block, {}, {"id": None})
                content.append(block)
            else:
                content.append(self._unknown_item(item))
        return content

    def _message(self, item: wire.Item, out: list[Message]) -> None:
        role = item.role
        if item.content is None:
            self._fail("object missing required field `content`", item)
        if role == "assistant":
            _answer(out, self.API).content += self._answered(item)
            return
        content = self._content(item.content, _OTHERS_SAY)
        spelling = _echoed(item)
        if item.phase is not None:
            spelling["phase"] = item.phase
        if role == "user":
            out.append(UserMessage(content, extras=self._came(item, spelling)))
        elif role == "system":
            out.append(SystemMessage(content, extras=self._came(item, spelling)))
        elif role == "developer":
            spelling["as"] = role
            out.append(SystemMessage(content, extras=self._came(item, spelling)))
        else:
            self._fail("unknown role", item, ".role")

    def _answered(self, item: wire.Item) -> list[Content]:
        """Return the blocks of an answer's message; the first one holds the message's own keys."""
        content: list[Content] = self._content(item.content, _ANSWERS_SAY)
        keys: dict[str, Any] = dict(self._unknown.get(id(item), {}))
        if item.phase is not None:
            keys["phase"] = item.phase
        spelling = self._tied(item)
        if item.id is not None and isinstance(item.content, list):
            for block, part in zip(content, item.content, strict=True):
                if part.type == _ANSWERS_SAY and part.annotations is None:
                    self._note(block, {}, {"annotations": None})
        if not content:
            content.append(TextBlock(""))
        if keys or spelling:
            self._note(
                content[0],
                {"message": keys} if keys else {},
                {"message": spelling} if spelling else {},
            )
        if len(content) > 1:
            for i, block in enumerate(content):
                self._note(block, {}, {"next": i > 0})
        return content

    def _opaque_item(self, item: wire.Item, out: list[Message]) -> None:
        made = self._unknown_item(item)
        kind = item.type
        if kind in _RESULTS or (kind is not None and kind.endswith("_output")):
            out.append(ToolMessage([made]))
        elif kind in _USERS and not (out and type(out[-1]) is AssistantMessage):
            out.append(UserMessage([made]))
        else:
            _answer(out, self.API).content.append(made)

    def _unknown_item(self, item: wire.Item) -> OpaqueBlock:
        made = OpaqueBlock(self.API, self._raw(item))
        if item.type in PARTS:  # it is an item, with a part's type
            made.extras = self._came(None, {"as": "item"})
        return made

    def _is_bare(self, item: wire.Item) -> bool:
        """Whether an item is only an id: the rest of it is stored."""
        if item.id is None or item.call_id is not None or item.summary is not None:
            return False
        return is_bare(self._raw(item).value)

    def _stored_item(self, item: wire.Item) -> OpaqueBlock:
        self.is_reasoned |= item.type == "reasoning"
        return self._unknown_item(item)

    # -- reasoning, calls and results ----------------------------------------------------------

    def _reasoning(self, item: wire.Item) -> Content:
        summary, content = item.summary or [], item.content
        parts = [*summary, *(content if isinstance(content, list) else ())]
        self.is_reasoned = True
        if isinstance(content, str) or any(
            part.type not in _THOUGHTS or part.text is None or not self._is_known(part)
            for part in parts
        ):
            return OpaqueBlock(self.API, self._raw(item))
        spelling = _echoed(item)
        told = summary
        if content:
            told = content
            spelling["as"] = "content"
            if summary:
                spelling["summary"] = summary
        elif content is not None:
            spelling["content"] = []
        if item.summary is None:
            spelling["summary"] = None
        if not spelling and (self._service.reasoning_ids or not item.encrypted_content):
            spelling["as"] = "summary"
        texts = [part.text or "" for part in told]
        made = ThinkingBlock("\n\n".join(texts), item.encrypted_content)
        if len(texts) > 1 or texts == [""]:
            made.details = texts
        made.extras = self._came(item, spelling)
        return made

    def _call(self, item: wire.Item) -> Content:
        return self._called(item, "arguments", arguments_of(item.arguments))

    def _custom_call(self, item: wire.Item) -> Content:
        made = self._called(item, "input", item.input)
        made.tool_type = "custom"
        if not self._service.custom:
            self._note(made, {}, {"as": "as is"})
        return made

    def _called(self, item: wire.Item, key: str, text: Any) -> ToolCallBlock:
        call_id, name = item.call_id, item.name
        if call_id is None or name is None or text is None:
            lacks = "call_id" if call_id is None else "name" if name is None else key
            self._fail(f"object missing required field `{lacks}`", item)
        self._names[call_id] = name
        self._kinds[call_id] = f"{item.type}_output"
        made = ToolCallBlock(call_id, name, adopt_text(text))
        made.extras = self._came(item, self._tied(item))
        return made

    def _result(self, item: wire.Item) -> ToolResultBlock:
        if item.output is None:
            self._fail("object missing required field `output`", item)
        call_id = str(item.call_id)
        content = self._content(item.output, _OTHERS_SAY)
        spelling = _echoed(item)
        if item.name is not None:
            spelling["name"] = item.name
        if item.type != self._kinds.get(call_id, "function_call_output"):
            spelling["as"] = "custom" if item.type == "custom_tool_call_output" else "function"
        made = ToolResultBlock(call_id, self._names.get(call_id), content)
        made.extras = self._came(item, spelling)
        return made

    # -- parts ---------------------------------------------------------------------------------

    def _content(self, content: Any, says: str) -> list[Content]:
        if type(content) is str:
            return [TextBlock(content)]
        made: list[Content] = []
        for part in content:
            read = _PARTS.get(part.type)
            block = read(self, part, says) if read is not None else None
            made.append(block if block is not None else self._opaque_part(part))
        return made

    def _text(self, part: wire.Part, says: str) -> Any:
        if part.text is None:
            self._fail("object missing required field `text`", part)
        if self._unknown and "message" in self._unknown.get(id(part), {}):
            return None
        made = TextBlock(part.text)
        spelling = _given(annotations=part.annotations, logprobs=part.logprobs)
        if part.type != says:
            spelling["type"] = part.type
        if part.annotations is not None:
            made.annotations = [self._cited(ref) for ref in self._annotated(part)] or None
        return self._marked(made, part, spelling)

    def _annotated(self, part: wire.Part) -> list[_Annotation]:
        return self._inner(_annotations, part.annotations, part, ".annotations") or []

    def _cited(self, ref: _Annotation) -> AnnotationRef:
        return AnnotationRef(
            url=ref.url,
            title=ref.title or ref.filename,
            file_id=ref.file_id,
            index=ref.index,
            start=ref.start_index,
            end=ref.end_index,
        )

    def _refusal(self, part: wire.Part, says: str) -> Any:
        is_strange = self._unknown and "message" in self._unknown.get(id(part), {})
        if part.refusal is None or says != _ANSWERS_SAY or is_strange:
            return None
        return self._marked(TextBlock(part.refusal), part, {"as": "refusal"})

    def _image(self, part: wire.Part, says: str) -> Any:
        url = _present(part.image_url)
        if says == _ANSWERS_SAY or (url is None) is (part.file_id is None):
            return None
        made = ImageBlock(file_id=part.file_id)
        spelling: dict[str, Any] = {}
        if url is not None:
            made = self._media(ImageBlock, url, part, ".image_url")
            if made is None:
                return None
            if made.data is not None and made.known_mime_type() not in IMAGE_TYPES:
                spelling["as"] = "as is"
        if made.url is not None and not made.url.startswith(("https://", "http://")):
            return None
        made.detail = part.detail
        if part.detail not in DETAILS:
            spelling["detail"] = part.detail
        return self._owned(self._marked(made, part, spelling))

    def _file(self, part: wire.Part, says: str) -> Any:
        data = _present(part.file_data)
        sources = (part.file_id, part.file_url, data)
        if says == _ANSWERS_SAY or sum(source is not None for source in sources) != 1:
            return None
        made = DocumentBlock(file_id=part.file_id, url=part.file_url)
        spelling = _given(detail=part.detail)
        if data is not None:
            made = self._media(DocumentBlock, data, part, ".file_data")
            if made is None or made.data is None:
                return None
            if not FILE_TYPES[self._service.files].fullmatch(made.known_mime_type()):
                spelling["as"] = "as is"
            if part.filename is None:
                spelling["filename"] = None
        if made.url is not None and not made.url.startswith(("https://", "http://")):
            return None
        made.filename = part.filename
        return self._owned(self._marked(made, part, spelling))

    def _media(self, kind: Any, url: Raw, part: wire.Part, key: str) -> Any:
        """Return a block for a URL, None if it is a malformed `data:` URL."""
        try:
            media = Media.of_data_url(url)
        except DecodeError:
            return None
        if media is None:
            return kind(url=self._inner(_string, url, part, key))
        return kind(media, mime_type=media.mime_type)

    def _opaque_part(self, part: wire.Part) -> Content:
        made = OpaqueBlock(self.API, self._raw(part))
        made.extras = self._came(None, {"as": "part"})
        return made

    def _marked(self, made: Any, part: wire.Part, spelling: dict[str, Any]) -> Any:
        """Return the block with its breakpoint and its unknown keys."""
        mark = part.prompt_cache_breakpoint
        if mark is not None:
            made.cache = CacheMark()
            is_plain = mark == wire.CacheBreakpoint("explicit") and self._is_known(mark)
            if not is_plain or part.type not in self._service.breakpoints:
                spelling["prompt_cache_breakpoint"] = self._raw(mark)
        if spelling or self._unknown:
            made.extras = self._came(part, spelling)
        return made

    # -- extras --------------------------------------------------------------------------------

    def _tied(self, item: wire.Item) -> dict[str, Any]:
        """Return an item's id and status, and `after` if reasoning came before it."""
        spelling = _echoed(item)
        if self.is_reasoned and item.id is not None:
            spelling["after"] = "reasoning"
        return spelling

    def _came(self, part: Any, spelling: dict[str, Any]) -> Extras | None:
        """Return extras: the unknown keys of `part`, and a spelling for this dialect alone."""
        if not spelling and not self._unknown:
            return None
        extras = self._extras(*(() if part is None else (part,)), **spelling)
        if spelling and extras is not None:
            extras[self.API].dialect = self._dialect
        return extras

    def _note(self, block: Any, keys: dict[str, Any], spelling: dict[str, Any]) -> None:
        """Add unknown keys and spelled keys to the extras of a block."""
        held = (block.extras or {}).get(self.API) or Extra(RawJson.of({}))
        extra = Extra(RawJson.adopt(Raw(encode(_keys(held.keys.text) | keys))))
        if held.spelling is not None or spelling:
            known = _keys(held.spelling.text) if held.spelling is not None else {}
            extra.spelling = RawJson.adopt(Raw(encode(known | spelling)))
            extra.dialect = self._dialect
        block.extras = {self.API: extra}


_THOUGHTS: Final = frozenset({"summary_text", "reasoning_text"})
_ITEMS: Final[dict[str | None, Callable[[MessageReader, wire.Item], Content]]] = {
    "reasoning": MessageReader._reasoning,
    "function_call": MessageReader._call,
    "custom_tool_call": MessageReader._custom_call,
}
_OUTPUTS: Final = frozenset({"function_call_output", "custom_tool_call_output"})
_PARTS: Final[dict[str | None, Callable[[MessageReader, wire.Part, str], Any]]] = {
    "input_text": MessageReader._text,
    "output_text": MessageReader._text,
    "refusal": MessageReader._refusal,
    "input_image": MessageReader._image,
    "input_file": MessageReader._file,
}


def _answer(out: list[Message], api: str) -> AssistantMessage:
    """Return the answer at the end of the messages, a new one if there is none."""
    last = out[-1] if out else None
    if type(last) is not AssistantMessage:
        last = AssistantMessage([], api=api)
        out.append(last)
    return last


def _echoed(item: wire.Item) -> dict[str, Any]:
    """Return the keys of an item that the service itself added: its id and its status."""
    if item.id is None and item.status is None:
        return {}
    return _given(id=item.id, status=item.status)


def _given(**keys: Any) -> dict[str, Any]:
    return {key: value for key, value in keys.items() if value is not None}


def _present(raw: Any) -> Any:
    return None if raw is None or bytes(memoryview(raw)[:4]) == b"null" else raw
