"""Messages -> the messages of Mistral's chat completions, block by block."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from typing import Any, ClassVar, Final

from msgspec import Raw

from ...errors import EncodeError
from ...losses import Losses
from ...model import (
    AnnotationBlock,
    AssistantMessage,
    AudioBlock,
    DataBlock,
    DocumentBlock,
    ErrorBlock,
    ImageBlock,
    OpaqueBlock,
    Request,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolMessage,
    ToolResultBlock,
    ToolResultMessage,
    UserMessage,
    VideoBlock,
)
from ...model.blocks import MediaBlock
from .._turns import Disorder, is_failure
from .._writing import RequestWriter, encode, hashed, inline, is_plain
from ..losses import losses_of
from . import wire

__all__ = ["MessageWriter"]

_SIGNERS: Final = frozenset({"mistral"})  # `provider` of a message that names no `api`
_IMAGE_TYPES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_DETAILS: Final = frozenset({"auto", "low", "high"})
_LETTER: Final = re.compile(r"[a-zA-Z0-9_-]")
_LONGEST_NAME: Final = 64
_is_name: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}").fullmatch
_NO_TEXT: Final = Raw(b'""')
_NO_ARGUMENTS: Final = Raw(b'"{}"')


class MessageWriter(RequestWriter):
    """The state of one encoding: open calls, tool names, whose answer is being written."""

    WIRE: ClassVar[str] = "mistral"
    API: ClassVar[str] = wire.API
    LOSSES = losses_of("mistral")

    def __init__(self, request: Request, losses: Losses, dialect: str) -> None:
        super().__init__(request, losses, dialect)
        self._names: dict[str, str] = {}

    # -- messages ------------------------------------------------------------------------------

    def conversation(self, messages: list[Any]) -> list[Any]:
        """Write messages one by one, each result as one.

        A message without content is left out. A system message may not follow an answer or a
        result: it goes behind the user's message that comes next, or if none does, as a user's.
        """
        out: list[Any] = []
        held: list[SystemMessage] = []
        after_user = True  # or at the start
        for message in messages:
            kind = type(message)
            if kind is AssistantMessage:
                if self._open:
                    raise Disorder
                if held:
                    self._release(held, "user", out)
                if _is_bare(message):
                    out.append(wire.Assistant(_plain(message.content)))
                else:
                    self._answer(message, out)
                after_user = False
            elif kind is ToolResultMessage:
                made = self._result(message)
                out.append(made if message.extras is None else self._with_extras(made, message))
                after_user = False
            elif kind is UserMessage or kind is ToolMessage:
                before = len(out)
                if not self._open and _is_bare(message):
                    out.append(wire.User(_plain(message.content)))
                    after_user = True
                elif self._user_side(message, out):
                    after_user = True
                elif len(out) > before:
                    after_user = False
                if held and after_user:
                    self._release(held, "system", out)
            elif kind is SystemMessage:
                if self._open:
                    raise Disorder
                if after_user or not message.content:
                    self._spoken(message, "system", out)
                else:
                    self._lose("system place", message)
                    held.append(message)
            else:
                raise Disorder
        if self._open:
            raise Disorder
        self._release(held, "user", out)
        return out

    def _release(self, held: list[SystemMessage], role: str, out: list[Any]) -> None:
        """Write the system messages that had to wait."""
        for message in held:
            self._spoken(message, role, out)
        held.clear()

    def _spoken(self, message: Any, role: str, out: list[Any]) -> None:
        content: list[Any] = []
        for block in message.content:
            kind = type(block)
            if kind is TextBlock or (
                role == "system"
                and (kind is ThinkingBlock or (kind is OpaqueBlock and block.api == self.API))
            ):
                self._add(block, message, content)
            else:
                self._lose("system content", block)
        said = self._said(content, message)
        made = wire.System(said) if role == "system" else wire.User(said)
        self._put(made if content else None, message, out)

    def _user_side(self, message: Any, out: list[Any]) -> bool:
        """Write a message's results, then the rest of it; return whether there was a rest."""
        content: list[Any] = []
        for block in message.content:
            if type(block) is ToolResultBlock:
                out.append(self._with_extras(self._result(block), block))
            elif self._open:
                raise Disorder
            else:
                self._add(block, message, content)
        made = wire.User(self._said(content, message)) if content else None
        self._put(made, message, out)
        return bool(content)

    def _answer(self, message: Any, out: list[Any]) -> None:
        content: list[Any] = []
        calls: list[Any] = []
        for block in message.content:
            kind = type(block)
            if kind is ToolCallBlock:
                call = self._call(block)
                calls.append(call if block.extras is None else self._with_extras(call, block))
            elif (
                kind is TextBlock
                and block.cache is None
                and block.annotations is None
                and block.signature is None
                and block.extras is None
            ):
                content.append(block)  # our JSON is already theirs
            else:
                self._add(block, message, content)
        said = self._said(content, message)
        made = wire.Assistant(said, calls or None) if said or calls else None
        self._put(made, message, out)

    def _put(self, made: Any, message: Any, out: list[Any]) -> None:
        """Add what was made of a message, with what it brought along; None is left out."""
        if message.name is not None:
            self._lose("name", message)
        if made is not None:
            out.append(made if message.extras is None else self._with_extras(made, message))
        elif message.extras is not None and self._own_keys(message):
            self._lose("extras", message)

    def end(self, conversation: list[Any]) -> None:
        """Mark the answer that a conversation ends with as the beginning of the one to come."""
        last: Any = conversation[-1]
        if type(last) is wire.Assistant:
            last.prefix = True
        elif self.is_answer(last):
            last["prefix"] = True

    def is_settled(self, made: list[Any]) -> bool:
        """Whether no answer ends these messages: what follows may say nothing, and it stay last."""
        return not self.is_answer(made[-1])

    def is_answer(self, made: Any) -> bool:
        """Whether a message of the wire is an answer."""
        return type(made) is wire.Assistant or (type(made) is dict and made["role"] == "assistant")

    # -- calls and results ---------------------------------------------------------------------

    def _call(self, block: ToolCallBlock) -> wire.ToolCall:
        call_id = block.id
        if call_id in self._open:
            raise Disorder
        wire_id = call_id
        if len(call_id) != 9 or not (call_id.isascii() and call_id.isalnum()):
            wire_id = _nine_letters(call_id)
        self._open[call_id] = wire_id
        if block.cache is not None:
            self._lose("cache mark", block)
        try:
            arguments = block.arguments.string_json()
        except EncodeError:
            self._lose("arguments", block)
            arguments = Raw(encode(block.arguments.text.decode("utf-8", "replace")))
        if arguments == _NO_TEXT:
            arguments = _NO_ARGUMENTS
        if block.extras is not None and self._spells(block, "function"):
            arguments = block.arguments.object_json() or arguments
        name = self._names.get(block.name) or self._name(block.name, block)
        function = wire.FunctionCall(name, arguments)
        return wire.ToolCall(id=wire_id, type="function", function=function)

    def _result(self, result: Any) -> wire.Tool:
        call = self._open.pop(result.tool_call_id, None)
        if call is None:
            raise Disorder
        if is_failure(result):
            self._lose("error flag", result)
        if type(result) is ToolResultBlock and result.cache is not None:
            self._lose("cache mark", result)
        if result.extras is None and is_plain(result.content):
            return wire.Tool(tool_call_id=call, content=_plain(result.content))
        content: list[Any] = []
        for block in result.content:
            if type(block) in _NOT_IN_RESULTS:
                self._lose("tool result content", block)
            else:
                self._add(block, result, content)
        return wire.Tool(tool_call_id=call, content=self._said(content, result))

    # -- blocks: what stands for one, or None for nothing --------------------------------------

    def _add(self, block: Any, message: Any, content: list[Any]) -> None:
        write = _BLOCKS.get(type(block))
        if write is None:
            self._fail(f"`{type(block).__name__}` is no block", block)
        made = write(self, block, message)
        if made is not None:
            content.append(made if block.extras is None else self._with_extras(made, block))

    def _text(self, block: TextBlock, _: Any) -> wire.Text:
        if block.annotations:
            self._lose("annotation", block)
        if block.cache is not None:
            self._lose("cache mark", block)
        return wire.Text(block.text)

    def _thinking_block(self, block: ThinkingBlock, message: Any) -> wire.Thinking | None:
        kind = type(message)
        is_own = kind is SystemMessage or _is_own(message)
        texts = [block.thinking] if block.thinking else block.details or []
        is_said = kind is SystemMessage or kind is AssistantMessage
        if not is_said or block.redacted or not (texts or is_own):
            self._lose("thinking", block)
            return None
        signature = block.signature if is_own else None
        return wire.Thinking([wire.Text(text) for text in texts], signature)

    def _image(self, block: ImageBlock, message: Any) -> Any:
        if self._is_answer(block, message):
            return None
        if block.file_id is not None:
            return wire.File(block.file_id)
        url: Any = _http_url(block)
        media = inline(block)
        if media is not None:
            media_type = block.known_mime_type()
            url = media.json_data_url(media_type) if media_type in _IMAGE_TYPES else None
        if url is None:
            self._lose("image", block)
            return None
        detail = block.detail
        if detail is not None and detail not in _DETAILS:
            self._lose("image detail", block)
            detail = None
        if detail is None and self._spells(block, "image_url"):
            return wire.Image(url)
        return wire.Image(wire.ImageUrl(url, detail))

    def _document(self, block: DocumentBlock, message: Any) -> Any:
        if self._is_answer(block, message):
            return None
        if block.context is not None:
            self._lose("document context", block)
        if block.citations:
            self._lose("citations", block)
        if block.text is not None:
            self._lose("document text", block)
            if (block.url or block.data or block.file_id) is not None:
                self._lose("document source", block)
            return wire.Text(block.text)
        if block.file_id is not None:
            return wire.File(block.file_id)
        url: Any = _http_url(block)
        media = inline(block)
        if media is not None:
            url = media.json_data_url(block.known_mime_type())
        if url is None:
            self._lose("document", block)
            return None
        return wire.Document(url, block.filename or block.title)

    def _audio(self, block: AudioBlock, message: Any) -> Any:
        if self._is_answer(block, message):
            return _words(block.transcript)
        source: Any = inline(block) or _http_url(block)
        if source is None:
            self._lose("audio", block)
            return _words(block.transcript)
        return wire.Audio({"data": source} if self._spells(block, "input_audio") else source)

    def _video(self, block: VideoBlock, message: Any) -> Any:
        if not self._is_answer(block, message):
            self._lose("video", block)
        return _words(block.transcript)

    def _data(self, block: DataBlock, message: Any) -> None:
        if not self._is_answer(block, message):
            self._lose("data", block)

    def _is_answer(self, block: MediaBlock, message: Any) -> bool:
        """Report what is lost of a media block: its breakpoint, and in an answer all of it."""
        if block.cache is not None:
            self._lose("cache mark", block)
        if type(message) is not AssistantMessage:
            return False
        self._lose("answer content", block)
        return True

    def _error(self, block: ErrorBlock, _: Any) -> wire.Text | None:
        self._lose("error", block)
        return _words(block.message)

    def _annotation(self, block: AnnotationBlock, _: Any) -> None:
        self._lose("annotation", block)

    def _users_call(self, block: ToolCallBlock, _: Any) -> None:
        self._lose("tool call", block)

    def _answers_result(self, block: ToolResultBlock, _: Any) -> None:
        self._lose("tool result", block)

    def _opaque_block(self, block: OpaqueBlock, _: Any) -> Any:
        if block.api == self.API:
            return self._opaque(block)
        self._lose("opaque block", block)
        return None

    # -- names and spelling --------------------------------------------------------------------

    def _name(self, name: str, part: Any) -> str:
        """Return a tool's name in this wire's alphabet."""
        mapped = self._names.get(name)
        if mapped is None:
            mapped = name
            if not _is_name(name):
                self._lose("tool name", part)
                mapped = hashed(name, _LETTER, _LONGEST_NAME)
            self._names[name] = mapped
        return mapped

    def _said(self, content: list[Any], part: Any) -> Any:
        """Return chunks as content: as a string, if one text is all, and did not come as a list."""
        if part.extras is not None and self._spells(part, "content"):
            return content
        if len(content) == 1:
            chunk = content[0]
            if type(chunk) is TextBlock or type(chunk) is wire.Text:
                return chunk.text
        return content or ""

    def _spells(self, part: Any, key: str) -> bool:
        """Whether a part came with a key in another form than ours."""
        extra = part.extras.get(self.API) if part.extras is not None else None
        return extra is not None and extra.spelling is not None and key in extra.spelling.value


_BLOCKS: Final[dict[type, Callable[[MessageWriter, Any, Any], Any]]] = {
    TextBlock: MessageWriter._text,
    ThinkingBlock: MessageWriter._thinking_block,
    ToolCallBlock: MessageWriter._users_call,
    ToolResultBlock: MessageWriter._answers_result,
    ImageBlock: MessageWriter._image,
    DocumentBlock: MessageWriter._document,
    AudioBlock: MessageWriter._audio,
    VideoBlock: MessageWriter._video,
    DataBlock: MessageWriter._data,
    AnnotationBlock: MessageWriter._annotation,
    ErrorBlock: MessageWriter._error,
    OpaqueBlock: MessageWriter._opaque_block,
}
_NOT_IN_RESULTS: Final = frozenset({ThinkingBlock, ToolCallBlock, ToolResultBlock})


@lru_cache(maxsize=4096)  # a conversation asks for the same ids again at every turn
def _nine_letters(call_id: str) -> str:
    """Return the call id that stands for one of another form: 53 bits of its hash."""
    digest = b64encode(sha256(call_id.encode("utf-8", "surrogatepass")).digest())
    return digest.translate(None, b"+/=")[:9].decode()


def _is_bare(message: Any) -> bool:
    """Whether a message is text alone, with nothing to it that would have to be looked at."""
    return message.extras is None and message.name is None and is_plain(message.content)


def _plain(content: list[Any]) -> Any:
    """Return texts as content; as blocks, their JSON is already what the wire has."""
    return content[0].text if len(content) == 1 else content


def _is_own(message: Any) -> bool:
    """Whether the signatures in a message are this API's."""
    if type(message) is not AssistantMessage:
        return False
    return message.api == wire.API if message.api is not None else message.provider in _SIGNERS


def _words(text: str | None) -> wire.Text | None:
    return wire.Text(text) if text and not text.isspace() else None


def _http_url(block: MediaBlock) -> str | None:
    url = block.url
    return url if url is not None and url.startswith(("https://", "http://")) else None
