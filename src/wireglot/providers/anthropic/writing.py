"""Messages -> the messages of Anthropic Messages, block by block."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

from msgspec import Raw
from msgspec.structs import replace

from ...errors import DecodeError
from ...losses import Losses
from ...model import (
    AnnotationBlock,
    AssistantMessage,
    AudioBlock,
    CacheMark,
    Content,
    DataBlock,
    DocumentBlock,
    ErrorBlock,
    ImageBlock,
    Message,
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
from .._turns import Disorder, Result
from .._writing import RequestWriter, encode, hashed, inline, is_plain, is_uncited, with_keys
from ..losses import losses_of
from . import wire

__all__ = ["MessageWriter"]

_SIGNERS: Final = frozenset({"anthropic"})  # `provider` of a message that names no `api`
_IMAGE_TYPES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_MOST_MARKS: Final = 4
_LETTER: Final = re.compile(r"[a-zA-Z0-9_-]")
_is_word: Final = re.compile(r"[a-zA-Z0-9_-]+").fullmatch
_LONGEST_NAME: Final = 128


class MessageWriter(RequestWriter):
    """The state of one encoding: open calls, tool names, cache breakpoints left."""

    WIRE: ClassVar[str] = "anthropic"
    API: ClassVar[str] = wire.API
    LOSSES = losses_of("anthropic")

    def __init__(self, request: Request, losses: Losses, dialect: str) -> None:
        super().__init__(request, losses, dialect)
        self._names: dict[str, str] = {}
        self._marks_left = _MOST_MARKS
        self._short_marks = False

    # -- messages ------------------------------------------------------------------------------

    def conversation(self, messages: list[Message]) -> list[Any]:
        """Write messages as turns: those of one side together, results first.

        A message without content, or with nothing but white space, is left out. A system message
        goes where the API takes it, after a user turn and before an answer; where two answers have
        none between them, it goes as a user's.
        """
        out: list[Any] = []
        keys: dict[int, dict[str, Raw]] = {}
        held: list[SystemMessage] = []
        displaced = 0  # how many of those held a user's message has come after
        is_ours = False  # whether the last turn's content is no message's own list
        message: Any
        content: list[Any]
        role: Any
        for message in messages:
            kind = type(message)
            if kind is AssistantMessage:
                if self._open:
                    raise Disorder
                content = message.content
                if not is_plain(content) or message.name is not None:
                    content = self._said(message)
                role = "assistant"
                if held and content:
                    self._place(held, displaced, out)
                    displaced = 0
            elif kind is ToolResultMessage:
                content = [self._with_extras(self._result(message), message)]
                role = "user"
            elif kind is UserMessage or kind is ToolMessage:
                content = message.content
                if self._open or not is_plain(content) or message.name is not None:
                    content = self._said(message)
                role = "user"
            elif kind is SystemMessage:
                if self._open:
                    raise Disorder
                if not all(map(_is_blank, message.content)):
                    held.append(message)
                continue
            else:
                raise Disorder
            if not content:
                self._lose_keys(message)
                continue
            if held and displaced < len(held):
                for system in held[displaced:]:
                    self._lose("system place", system)
                displaced = len(held)
            if out and out[-1].role == role:
                if not is_ours:
                    out[-1].content = list(out[-1].content)
                    is_ours = True
                out[-1].content += content
            else:
                out.append(wire.Message(role, content))
                is_ours = False
            if message.extras is not None and kind is not ToolResultMessage:
                self._add_keys(keys, len(out) - 1, message)
        if self._open:
            raise Disorder
        if held:
            self._place(held, displaced, out)
        if not keys:
            return out
        return [with_keys(made, keys[i]) if i in keys else made for i, made in enumerate(out)]

    def is_settled(self, made: list[Any]) -> bool:
        """Refuse an answer at the end, which may go on, and breakpoints, which are counted."""
        if not self.starts_anew(made):
            return False
        return _role(made[-1]) != "assistant" and self._marks_left == _MOST_MARKS

    def starts_anew(self, made: list[Any]) -> bool:
        """Whether what has been sent is not gone on with: an answer parts it from the rest."""
        return not self.sent or (bool(made) and _role(made[0]) == "assistant")

    def _add_keys(self, keys: dict[int, dict[str, Raw]], index: int, message: Message) -> None:
        """Note the unknown keys of a message; of messages that share a turn, the last word wins."""
        own = self._own_keys(message)
        known = keys.setdefault(index, {})
        if not known.keys().isdisjoint(own):
            self._lose("extras", message)
        known |= own

    def _place(self, held: list[SystemMessage], displaced: int, out: list[Any]) -> None:
        """Write system messages after the turns so far, as a user's if an answer stands there."""
        after_user = bool(out) and out[-1].role == "user"
        if not after_user:
            for message in held[displaced:]:
                self._lose("system place", message)
        for message in held:
            if after_user:
                content = self._prompt([message], is_turn=True)
            else:
                content = self._as_users(message)
            if not content:
                continue
            if not after_user and out and out[-1].role == "user":
                out[-1].content += content
            else:
                out.append(wire.Message("system" if after_user else "user", content))
        held.clear()

    def _as_users(self, message: SystemMessage) -> list[Any]:
        self._lose_keys(message)
        return self._said(message)

    def _said(self, message: Any) -> list[Any]:
        """Return a message's content; none, if all there is is white space."""
        content: list[Any] = []
        for block in message.content:
            kind = type(block)
            write = _BLOCKS.get(kind)
            if write is None:
                self._fail(f"`{kind.__name__}` is no block", block)
            made = write(self, block, message)
            if made is not None:
                content.append(made if block.extras is None else self._with_extras(made, block))
            elif kind is TextBlock:
                self._lose_keys(block)
        if not content:
            return content
        if _is_blank(content[0]) and all(map(_is_blank, content)):
            return []
        if message.name is not None:
            self._lose("name", message)
        return content

    def _prompt(
        self, system: Sequence[Any], mark: CacheMark | None = None, *, is_turn: bool = False
    ) -> list[Any]:
        """Write system messages as the list of texts that stands for them.

        Where that is a turn, it may hold opaque blocks too.
        """
        texts: list[Any] = []
        for message in system:
            if message.name is not None:
                self._lose("name", message)
            self._lose_keys(message)
            for block in message.content:
                if type(block) is TextBlock or (is_turn and self._is_own_block(block)):
                    texts.append(block)
                else:
                    self._lose("system content", block)
        if all(map(_is_blank, texts)):
            return []
        last = max(i for i, block in enumerate(texts) if type(block) is OpaqueBlock or block.text)
        made: list[Any] = []
        for i, block in enumerate(texts):
            if type(block) is OpaqueBlock:
                made.append(self._with_extras(self._opaque(block), block))
                continue
            if mark is not None and i == last and block.cache is None and block.text:
                text: Any = wire.Text(block.text, cache_control=self._mark(mark, block))
            else:
                text = self._text(block, None)
            if text is not None:
                made.append(self._with_extras(text, block))
        return made

    def strip_end(self, conversation: list[Any], messages: list[Message]) -> None:
        """Strip the end of the text that the answer is to continue, as the API demands."""
        last = conversation[-1]
        is_dict = type(last) is dict
        if (last["role"] if is_dict else last.role) != "assistant":
            return
        content = [*(last["content"] if is_dict else last.content)]  # it may be the caller's own
        while _is_blank(content[-1]):
            content.pop()
        if is_dict:
            last["content"] = content
        else:
            last.content = content
        made: Any = content[-1]
        is_made_dict = type(made) is dict
        text = made.get("text") if is_made_dict else getattr(made, "text", None)
        if type(text) is not str or text == text.rstrip():
            return
        answers = (m for m in reversed(messages) if type(m) is AssistantMessage)
        self._lose("trailing space", next(m for m in answers if not all(map(_is_blank, m.content))))
        stripped = text.rstrip()
        content[-1] = {**made, "text": stripped} if is_made_dict else replace(made, text=stripped)

    # -- blocks: what stands for one, or None for nothing --------------------------------------

    def _result(self, result: Result) -> Any:
        call = self._open.pop(result.tool_call_id, None)
        if call is None:
            raise Disorder
        content: list[Any] = result.content
        if not is_plain(content):
            content = self._result_content(content)
        made = wire.ToolResult(call, content, result.is_error)
        if type(result) is ToolResultBlock and result.cache is not None:
            made.cache_control = self._mark(result.cache, result)
        return made

    def _result_content(self, given: list[Content]) -> list[Any]:
        content: list[Any] = []
        for block in given:
            kind = type(block)
            if kind in _IN_RESULTS or self._is_own_block(block):
                made = _BLOCKS[kind](self, block, None)
                if made is not None:
                    content.append(made if block.extras is None else self._with_extras(made, block))
            else:
                self._lose("tool result content", block)
        return content

    def _result_block(self, block: ToolResultBlock, message: Any) -> Any:
        if type(message) is AssistantMessage or type(message) is SystemMessage:
            self._lose("tool result", block)
            return None
        return self._result(block)

    def _call(self, block: ToolCallBlock, message: Any) -> Any:
        if type(message) is not AssistantMessage:
            self._lose("tool call", block)
            return None
        call_id = block.id
        if call_id in self._open:
            raise Disorder
        is_plain = call_id.isascii() and call_id.isidentifier()  # quicker than the pattern
        wire_id = call_id
        if not is_plain and not _is_word(call_id):
            wire_id = hashed(call_id, _LETTER, _LONGEST_NAME)
        self._open[call_id] = wire_id
        arguments = block.arguments.object_json()
        if arguments is None:
            self._lose("arguments", block)
            text = block.arguments.text.decode("utf-8", "replace")
            arguments = Raw(encode({"raw_arguments": text}))
        name = self._names.get(block.name) or self._name(block.name, block)
        made = wire.ToolUse(wire_id, name, arguments)
        if block.cache is not None:
            made.cache_control = self._mark(block.cache, block)
        return made

    def _text(self, block: TextBlock, message: Any) -> Any:
        is_bare = block.annotations is None and block.signature is None and block.extras is None
        self._after_results(message)
        if not block.text:
            if block.annotations and not self._is_cited(block):
                self._lose("annotation", block)
            if block.cache is not None:
                self._lose("cache mark", block)
            return None
        if is_bare and block.cache is None:
            return block  # our JSON is already theirs
        if block.annotations and not self._is_cited(block):
            self._lose("annotation", block)
        return wire.Text(block.text, cache_control=self._mark(block.cache, block))

    def _thinking_block(self, block: ThinkingBlock, message: Any) -> Any:
        if not block.signature or not _is_own(message):
            self._lose("thinking", block)
            return None
        if not block.redacted:
            return wire.Thinking(block.thinking, block.signature)
        if block.thinking:
            self._lose("redacted thinking", block)
        return wire.RedactedThinking(block.signature)

    def _image(self, block: ImageBlock, message: Any) -> Any:
        self._after_results(message)
        source: Any = _remote(block)
        media = inline(block)
        if media is not None:
            media_type = block.known_mime_type()
            source = wire.Base64Source(media_type, media) if media_type in _IMAGE_TYPES else None
        if source is None:
            self._lose("image", block)
            return None
        return wire.Image(source, self._mark(block.cache, block))

    def _document(self, block: DocumentBlock, message: Any) -> Any:
        self._after_results(message)
        source = _document_source(block)
        if source is None:
            self._lose("document", block)
            return None
        if block.text is not None and (block.url or block.data or block.file_id) is not None:
            self._lose("document source", block)
        return wire.Document(
            source,
            block.title or block.filename,
            block.context,
            wire.Citations(block.citations) if block.citations is not None else None,
            self._mark(block.cache, block),
        )

    def _transcript(self, block: AudioBlock | VideoBlock, message: Any) -> Any:
        self._after_results(message)
        if type(block) is AudioBlock:
            self._lose("audio", block)
        else:
            self._lose("video", block)
        return _words(block.transcript)

    def _error(self, block: ErrorBlock, message: Any) -> Any:
        self._after_results(message)
        self._lose("error", block)
        return _words(block.message)

    def _data(self, block: DataBlock, _: Any) -> None:
        self._lose("data", block)

    def _annotation(self, block: AnnotationBlock, _: Any) -> None:
        self._lose("annotation", block)

    def _opaque_block(self, block: OpaqueBlock, message: Any) -> Any:
        if block.api != self.API:
            self._lose("opaque block", block)
            return None
        self._after_results(message)
        return self._opaque(block)

    # -- parts of blocks -----------------------------------------------------------------------

    def _after_results(self, message: Any) -> None:
        """Refuse content of the user before the results that the turn begins with.

        A system message has come before the calls, wherever it is written.
        """
        if self._open and type(message) in _USERS:
            raise Disorder

    def _mark(self, mark: CacheMark | None, part: Any) -> wire.CacheControl | None:
        """Return a breakpoint, if any is left; an hour may not follow five minutes."""
        if mark is None:
            return None
        if self._marks_left == 0:
            self._lose("cache mark", part)
            return None
        self._marks_left -= 1
        ttl = mark.ttl
        if ttl == "1h" and self._short_marks:
            self._lose("cache ttl", part)
            ttl = None
        self._short_marks |= ttl != "1h"
        return wire.CacheControl(ttl)

    def _name(self, name: str, part: Any) -> str:
        """Return a tool's name in this wire's alphabet."""
        mapped = self._names.get(name)
        if mapped is None:
            mapped = name
            if not _is_word(name) or len(name) > _LONGEST_NAME:
                self._lose("tool name", part)
                mapped = hashed(name, _LETTER, _LONGEST_NAME)
            self._names[name] = mapped
        return mapped

    def _is_stale(self, part: Any, key: str, spelled: Raw) -> bool:
        return key == "citations" and type(part) is TextBlock and is_uncited(part, spelled)

    def _is_own_block(self, block: Any) -> bool:
        return type(block) is OpaqueBlock and block.api == self.API

    def _is_cited(self, block: TextBlock) -> bool:
        """Whether the block still has the citations that came over this API."""
        extra = (block.extras or {}).get(self.API)
        if extra is None:
            return False
        spelled = extra.spelling is not None and "citations" in extra.spelling.value
        return spelled or "citations" in extra.keys.value


_BLOCKS: Final[dict[type, Callable[[MessageWriter, Any, Any], Any]]] = {
    TextBlock: MessageWriter._text,
    ThinkingBlock: MessageWriter._thinking_block,
    ToolCallBlock: MessageWriter._call,
    ToolResultBlock: MessageWriter._result_block,
    ImageBlock: MessageWriter._image,
    DocumentBlock: MessageWriter._document,
    AudioBlock: MessageWriter._transcript,
    VideoBlock: MessageWriter._transcript,
    DataBlock: MessageWriter._data,
    AnnotationBlock: MessageWriter._annotation,
    ErrorBlock: MessageWriter._error,
    OpaqueBlock: MessageWriter._opaque_block,
}
_IN_RESULTS: Final = frozenset({TextBlock, ImageBlock, DocumentBlock})
_USERS: Final = frozenset({UserMessage, ToolMessage})


def _is_blank(part: Any) -> bool:
    """Whether a text, ours or theirs, is white space, which is refused where it is all there is."""
    kind = type(part)
    if kind is dict:
        text = part.get("text") if part.get("type") == "text" else None
    elif kind is TextBlock or kind is wire.Text:
        text = part.text
    else:
        return False
    return type(text) is str and (not text or text.isspace())


def _role(made: Any) -> str:
    return str(made["role"] if type(made) is dict else made.role)


def _is_own(message: Any) -> bool:
    """Whether the signatures in a message are this API's."""
    if type(message) is not AssistantMessage:
        return False
    return message.api == wire.API if message.api is not None else message.provider in _SIGNERS


def _words(text: str | None) -> wire.Text | None:
    return wire.Text(text) if text and not text.isspace() else None


def _remote(block: MediaBlock) -> wire.UrlSource | wire.FileSource | None:
    if block.file_id is not None:
        return wire.FileSource(block.file_id)
    if block.url is not None and block.url.startswith(("https://", "http://")):
        return wire.UrlSource(block.url)
    return None


def _document_source(block: DocumentBlock) -> Any:
    if block.text is not None:
        return wire.TextSource(block.text)
    media = inline(block)
    if media is None:
        return _remote(block)
    media_type = block.known_mime_type()
    if media_type == "application/pdf":
        return wire.Base64Source(media_type, media)
    if not media_type.startswith("text/"):
        return None
    try:
        return wire.TextSource(media.to_bytes().decode())
    except (DecodeError, UnicodeDecodeError):
        return None
