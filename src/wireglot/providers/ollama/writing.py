"""Messages -> the messages of Ollama's chat: a string, images, and calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct

from ...losses import Losses
from ...model import (
    AnnotationBlock,
    AssistantMessage,
    AudioBlock,
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
from .._turns import Disorder, Result, is_failure
from .._waiting import Call, Waiting
from .._writing import RequestWriter, encode, inline, is_plain, shallow
from ..losses import losses_of
from . import wire

__all__ = ["MessageWriter"]

_value = msgspec.json.Decoder().decode
_ROLES: Final[dict[Any, str]] = {
    UserMessage: "user",
    AssistantMessage: "assistant",
    SystemMessage: "system",
}


class _Draft(Struct):
    """The content of one message, by the key that it is written under."""

    texts: list[str]
    thoughts: list[str]
    images: list[Any]
    calls: list[Any]


class MessageWriter(RequestWriter):
    """The state of one encoding: the calls that wait for their results."""

    WIRE: ClassVar[str] = "ollama"
    API: ClassVar[str] = wire.API
    LOSSES = losses_of("ollama")

    def __init__(self, request: Request, losses: Losses, dialect: str) -> None:
        super().__init__(request, losses, dialect)
        self._open: dict[str, Call] = {}
        self._waiting = Waiting()

    # -- messages ------------------------------------------------------------------------------

    def conversation(self, messages: list[Message]) -> list[Any]:
        """Write messages one for one, but each result as a message of its own."""
        out: list[Any] = []
        message: Any
        for message in messages:
            kind = type(message)
            if kind is ToolResultMessage:
                out.append(self._answered(message))
                continue
            role = _ROLES.get(kind)
            if role is None:
                if kind is not ToolMessage:
                    raise Disorder
                role = "user"
            content: list[Any] = message.content
            if message.name is not None:
                self._lose("name", message)
            if role == "user":
                content = self._after_results(message, out)
                if not content and (message.content or kind is ToolMessage):
                    continue
            if self._open:
                raise Disorder
            if role == "assistant":
                self._waiting = Waiting()
                self._answers += 1
            if len(content) == 1 and is_plain(content):
                made: Any = wire.Message(role, content[0].text)
            elif self._is_message(content):
                made = content[0].raw
            else:
                made = self._message(role, content, message)
            out.append(made if message.extras is None else self._with_extras(made, message))
        if self._open:
            raise Disorder
        return out

    def _after_results(self, message: Any, out: list[Any]) -> list[Any]:
        """Write the results that a user's message begins with, and return the rest."""
        content: list[Any] = message.content
        for i, block in enumerate(content):
            if type(block) is not ToolResultBlock:
                return content[i:]
            made = self._answered(block)
            last = i == len(content) - 1
            out.append(self._with_extras(made, message) if last else made)
        return []

    def _answered(self, result: Result) -> Any:
        """Write a result so that a reader can match it to its call."""
        call = self._open.pop(result.tool_call_id, None)
        if call is None:
            raise Disorder
        made = self._result(result, call)
        whole = self._with_extras(made, result)
        if self._is_as_called() and call.sent is not None and whole is not made:
            whole["tool_call_id"] = call.sent  # even if it came without one
        sent, name = _said(whole)
        if sent is not None and sent == call.sent:
            call.is_answered = True
        elif self._waiting.answered(sent, name) is not call:
            self._untie()
        return whole

    def _result(self, result: Result, call: Call) -> wire.Message:
        if is_failure(result):
            self._lose("error flag", result)
        if type(result) is ToolResultBlock and result.cache is not None:
            self._lose("cache mark", result)
        content: list[Any] = result.content
        if len(content) == 1 and is_plain(content):
            made = wire.Message("tool", content[0].text)
        else:
            made = self._message("tool", content, result)
        made.tool_name = result.tool_name or call.name or None
        made.tool_call_id = call.sent
        if self._is_as_called() and call.sent is None and made.tool_name != (call.name or None):
            self._lose("tool name", result)
            made.tool_name = call.name or None
        return made

    def _is_message(self, content: list[Content]) -> bool:
        """Whether the only content is an opaque block that is a whole message of this API."""
        block = content[0] if len(content) == 1 else None
        return (
            type(block) is OpaqueBlock
            and block.api == self.API
            and "role" in shallow(self._opaque(block))
        )

    def _message(self, role: str, content: list[Content], message: Any) -> wire.Message:
        draft = _Draft([], [], [], [])
        for block in content:
            write = _BLOCKS.get(type(block))
            if write is None:
                self._fail(f"`{type(block).__name__}` is no block", block)
            write(self, block, draft, message)
            if getattr(block, "cache", None) is not None:
                self._lose("cache mark", block)
            if type(block) is not ToolCallBlock:  # no other block is an object on this wire
                self._lose_keys(block)
        return wire.Message(
            role,
            "\n".join(draft.texts),
            "\n".join(draft.thoughts) if draft.thoughts else None,
            draft.images or None,
            draft.calls or None,
        )

    # -- blocks --------------------------------------------------------------------------------

    def _text(self, block: TextBlock, draft: _Draft, _: Any) -> None:
        if block.annotations:
            self._lose("annotation", block)
        if block.text:
            draft.texts.append(block.text)

    def _thinking_block(self, block: ThinkingBlock, draft: _Draft, message: Any) -> None:
        if type(message) is not AssistantMessage:
            self._lose("thinking", block)
        elif block.thinking:
            draft.thoughts.append(block.thinking)
        elif block.redacted or block.signature:
            self._lose("redacted thinking", block)

    def _call(self, block: ToolCallBlock, draft: _Draft, message: Any) -> None:
        if type(message) is not AssistantMessage:
            self._lose("tool call", block)
            return
        if block.id in self._open:
            raise Disorder
        arguments = block.arguments.object_json()
        if arguments is None:
            self._lose("arguments", block)
            text = block.arguments.text.decode("utf-8", "replace")
            arguments = Raw(encode({"raw_arguments": text}))
        made: Any = wire.ToolCall(
            id=block.id or None, function=wire.Call(name=block.name, arguments=arguments)
        )
        if block.extras is not None:
            made = self._with_extras(made, block)
        sent = made.get("id") if type(made) is dict else made.id
        self._open[block.id] = call = Call(block.id, block.name, sent)
        self._waiting.add(call)
        draft.calls.append(made)

    def _image(self, block: ImageBlock, draft: _Draft, _: Any) -> None:
        media = inline(block)
        if media is None:
            self._lose("image", block)
        else:
            draft.images.append(media)

    def _document(self, block: DocumentBlock, draft: _Draft, _: Any) -> None:
        if not block.text:
            self._lose("document", block)
            return
        self._lose("document text", block)
        if block.data is not None or block.url is not None or block.file_id is not None:
            self._lose("document source", block)
        draft.texts.append(block.text)

    def _transcript(self, block: AudioBlock | VideoBlock, draft: _Draft, _: Any) -> None:
        if type(block) is AudioBlock:
            self._lose("audio", block)
        else:
            self._lose("video", block)
        if block.transcript:
            draft.texts.append(block.transcript)

    def _error(self, block: ErrorBlock, draft: _Draft, _: Any) -> None:
        self._lose("error", block)
        draft.texts.append(block.message)

    def _data(self, block: DataBlock, draft: _Draft, _: Any) -> None:
        self._lose("data", block)

    def _annotation(self, block: AnnotationBlock, draft: _Draft, _: Any) -> None:
        self._lose("annotation", block)

    def _result_block(self, block: ToolResultBlock, draft: _Draft, message: Any) -> None:
        if type(message) in (UserMessage, ToolMessage):
            raise Disorder  # results come before other content
        self._lose("tool result", block)

    def _opaque_block(self, block: OpaqueBlock, draft: _Draft, _: Any) -> None:
        self._lose("opaque block", block)


_BLOCKS: Final[dict[type, Callable[[MessageWriter, Any, _Draft, Any], None]]] = {
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


def _said(result: Any) -> tuple[str | None, str | None]:
    """Return the call's id and the tool's name in a result of the wire."""
    if type(result) is wire.Message:
        return result.tool_call_id, result.tool_name
    said = (result.get("tool_call_id"), result.get("tool_name"))
    call_id, name = (_value(each) if type(each) is Raw else each for each in said)
    return call_id, name
