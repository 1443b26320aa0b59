"""Messages -> the messages of Bedrock Converse, block by block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, Final, Literal

from msgspec import Raw

from ...model import (
    AnnotationBlock,
    AssistantMessage,
    AudioBlock,
    CacheMark,
    DataBlock,
    DocumentBlock,
    ErrorBlock,
    ImageBlock,
    Message,
    OpaqueBlock,
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
from .._turns import Disorder, Result
from .._writing import encode, hashed, with_keys
from . import wire
from .parts import ID_LETTER, LONGEST, MOST_MARKS, PartWriter, is_id, is_mark, is_plain

__all__ = ["MessageWriter"]

_Keys = dict[int, dict[str, Raw]]  # index of a message of the wire -> its unknown keys


class MessageWriter(PartWriter):
    """The encoder of the messages of one request."""

    _goes_on = False
    """Whether the messages began with an answer that was left out for lack of content."""

    def conversation(self, messages: list[Message]) -> list[Any]:
        """Write messages as turns: consecutive messages of one side share one, results first.

        Blank text is left out, and so is a message without content. A system message must follow
        a turn that has ended; before or within a turn it keeps its place, as a user's text.
        """
        out: list[Any] = []
        keys: _Keys = {}
        held: list[SystemMessage] = []
        turn = 0  # index of the last turn that is no system message
        message: Any
        for message in messages:
            kind = type(message)
            is_open = bool(self._open)
            if kind not in _MAY_COME[is_open]:
                raise Disorder
            if kind is SystemMessage and out:
                held.append(message)
                continue
            role = _ROLES[kind]
            if held and self._goes_out(message):
                if out[turn].role == role:
                    turn = self._release_as_users(held, out, keys, turn)
                else:
                    self._release(held, out, keys)
            if kind is ToolResultMessage:
                content = [self._with_extras(self._result(message), message)]
            else:
                content = self._said(message)
                if content and kind is SystemMessage:
                    self._lose("system place", message)
            if not content:
                self._lose_keys(message)
                continue
            if out and out[turn].role == role:
                out[turn].content += content
            else:
                turn = len(out)
                out.append(wire.Message(role, content))
            if message.extras is not None and kind is not ToolResultMessage:
                self._add_keys(keys, turn, message)
        if self._open:
            raise Disorder
        self._release(held, out, keys)
        begins = bool(out) and type(messages[0]) is AssistantMessage
        self._goes_on = begins and out[0].role != "assistant"
        if not keys:
            return out
        return [with_keys(made, keys[i]) if i in keys else made for i, made in enumerate(out)]

    def _release(self, held: list[SystemMessage], out: list[Any], keys: _Keys) -> None:
        """Write the system messages that waited for the end of a turn."""
        if not held:
            return
        content = self._prompt(held)
        if content:
            out.append(wire.Message("system", content))
        for message in held:
            if not content:
                self._lose_keys(message)
            elif message.extras is not None:
                self._add_keys(keys, len(out) - 1, message)
        held.clear()

    def _release_as_users(
        self, held: list[SystemMessage], out: list[Any], keys: _Keys, turn: int
    ) -> int:
        """Write system messages within a turn as a user's; return the index of the last turn."""
        for message in held:
            content = self._said(message)
            if not content:
                self._lose_keys(message)
                continue
            self._lose("system place", message)
            if out[turn].role == "user":
                out[turn].content += content
            else:
                turn = len(out)
                out.append(wire.Message("user", content))
            if message.extras is not None:
                self._add_keys(keys, turn, message)
        held.clear()
        return turn

    def _goes_out(self, message: Message) -> bool:
        """Whether a message has content to write; a copy of this writer finds out."""
        probe = copy(self)
        probe._losses, probe._open, probe._names, probe._titles = [], {}, {}, {}
        return bool(probe._said(message))

    def _add_keys(self, keys: _Keys, index: int, message: Message) -> None:
        """Note a message's unknown keys. One that the turn has already is replaced, as a loss."""
        own = self._own_keys(message)
        known = keys.setdefault(index, {})
        if not known.keys().isdisjoint(own):
            self._lose("extras", message)
        known |= own

    def is_settled(self, made: list[Any]) -> bool:
        """Whether nothing that follows can change these turns.

        An answer at either end may go on; cache points and document names are counted over the
        whole request. A system message at the end waits for the end of the turn before it.
        """
        roles = [turn["role"] if type(turn) is dict else turn.role for turn in made[-2:]]
        if roles[-1] == "system":
            roles.pop()
        if roles[-1] == "assistant" or self._goes_on:
            return False
        return self._marks_left == MOST_MARKS and not self._titles

    def _said(self, message: Any) -> list[Any]:
        content: list[Any] = []
        has_documents = False
        for block in message.content:
            kind = type(block)
            if kind is TextBlock and not self._open and is_plain(block):
                content.append(wire.Block(block.text))
                continue
            made = self._block(block, message)
            if made is not None:
                content.append(made)
            elif kind is not TextBlock:
                continue
            has_documents |= kind is DocumentBlock
            if kind not in _UNMARKED and block.cache is not None:
                self.add_mark(content, block.cache, block)
        if has_documents and not any(map(_has_text, content)):
            content.append(wire.Block("Documents"))  # the API requires text beside documents
        if content and message.name is not None:
            self._lose("name", message)
        return content

    def _prompt(self, system: Sequence[Any], mark: CacheMark | None = None) -> list[Any]:
        """Write system messages as one list of blocks."""
        made: list[Any] = []
        for message in system:
            if message.name is not None:
                self._lose("name", message)
            for block in message.content:
                if type(block) is TextBlock or (
                    type(block) is OpaqueBlock and block.api == self.API
                ):
                    part = self._block(block, message)
                    if part is not None:
                        made.append(part)
                    if type(block) is TextBlock and block.cache is not None:
                        self.add_mark(made, block.cache, block)
                else:
                    self._lose("system content", block)
        if mark is not None and made and not is_mark(made[-1]):
            self.add_mark(made, mark, self._request)
        return made

    # -- blocks: the part for each, or None ----------------------------------------------------

    def _block(self, block: Any, message: Any) -> Any:
        write = _BLOCKS.get(type(block))
        if write is None:
            self._fail(f"`{type(block).__name__}` is not a block", block)
        made = write(self, block, message)
        if block.extras is None:
            return made
        if type(block) is TextBlock and (made is None or made.text is not None):
            return self.beside_text(made, block)
        return self._with_extras(made, block) if made is not None else None

    def _result(self, result: Result) -> Any:
        call = self._open.pop(result.tool_call_id, None)
        if call is None:
            raise Disorder
        content: list[Any] = []
        block: Any
        for block in result.content:
            kind = type(block)
            if kind is TextBlock and is_plain(block):
                content.append(wire.Block(block.text))
            elif kind in _IN_RESULTS or (kind is OpaqueBlock and block.api == self.API):
                made = self._block(block, None)
                if made is not None:
                    content.append(made)
                if getattr(block, "cache", None) is not None:
                    self._lose("cache mark", block)
            else:
                self._lose("tool result content", block)
        status = "error" if result.is_error else None
        return wire.Block(tool_result=wire.ToolResult(call, content, status))

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
        is_plain = len(call_id) <= LONGEST and call_id.isascii() and call_id.isidentifier()
        wire_id = call_id
        if not is_plain and not is_id(call_id):  # the pattern is slower
            wire_id = hashed(call_id, ID_LETTER, LONGEST)
        self._open[call_id] = wire_id
        arguments = block.arguments.object_json()
        if arguments is None:
            self._lose("arguments", block)
            text = block.arguments.text.decode("utf-8", "replace")
            arguments = Raw(encode({"raw_arguments": text}))
        name = self._names.get(block.name) or self._name(block.name, block)
        return wire.Block(tool_use=wire.ToolUse(wire_id, name, arguments))


_BLOCKS: Final[dict[type, Callable[[MessageWriter, Any, Any], Any]]] = {
    TextBlock: MessageWriter._text,
    ThinkingBlock: MessageWriter._thinking_block,
    ToolCallBlock: MessageWriter._call,
    ToolResultBlock: MessageWriter._result_block,
    ImageBlock: MessageWriter._image,
    DocumentBlock: MessageWriter._document,
    AudioBlock: MessageWriter._audio,
    VideoBlock: MessageWriter._video,
    DataBlock: MessageWriter._data,
    AnnotationBlock: MessageWriter._annotation,
    ErrorBlock: MessageWriter._error,
    OpaqueBlock: MessageWriter._opaque_block,
}
_IN_RESULTS: Final = frozenset({TextBlock, ImageBlock, DocumentBlock, VideoBlock})
_ROLES: Final[dict[type, Literal["user", "assistant"]]] = {
    AssistantMessage: "assistant",
    SystemMessage: "user",  # before the first turn
    UserMessage: "user",
    ToolMessage: "user",
    ToolResultMessage: "user",
}
_MAY_COME: Final = {
    False: frozenset(_ROLES) - {ToolResultMessage},
    True: frozenset(_ROLES) - {AssistantMessage, SystemMessage},
}
"""Whether calls wait for their results -> the kinds of messages that may come next."""
_UNMARKED: Final = frozenset({ThinkingBlock, ErrorBlock, OpaqueBlock})


def _has_text(part: Any) -> bool:
    return "text" in part if type(part) is dict else part.text is not None
