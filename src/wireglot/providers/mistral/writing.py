"""Messages -> the messages of Mistral's chat completions, block by block."""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec import Raw

from ...losses import Losses
from ...model import (
    AssistantMessage,
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
)
from .._turns import Disorder, is_failure
from .._writing import RequestWriter, hashed, is_plain
from . import wire
from .parts import PartWriter, wire_id

__all__ = ["MessageWriter"]

_LETTER: Final = re.compile(r"[a-zA-Z0-9_-]")
_LONGEST_NAME: Final = 64
_is_name: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}").fullmatch


class MessageWriter(PartWriter, RequestWriter):
    """The state of one encoding: open calls and tool names."""

    def __init__(self, request: Request, losses: Losses, dialect: str) -> None:
        super().__init__(request, losses, dialect)
        self._names: dict[str, str] = {}

    # -- messages ------------------------------------------------------------------------------

    def conversation(self, messages: list[Any]) -> list[Any]:
        """Write messages one by one, each result as a message of its own.

        A message without content is left out. A system message may not follow an answer or a
        result: there it becomes a user message.
        """
        out: list[Any] = []
        after_user = True  # or at the start
        for message in messages:
            kind = type(message)
            if kind is AssistantMessage:
                if self._open:
                    raise Disorder
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
            elif kind is SystemMessage:
                if self._open:
                    raise Disorder
                if after_user or not message.content:
                    self._spoken(message, "system", out)
                else:
                    self._lose("system place", message)
                    before = len(out)
                    self._spoken(message, "user", out)
                    after_user = len(out) > before
            else:
                raise Disorder
        if self._open:
            raise Disorder
        return out

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
        """Add what was made of a message, with the message's unknown keys; None is left out."""
        if message.name is not None:
            self._lose("name", message)
        if made is not None:
            out.append(made if message.extras is None else self._with_extras(made, message))
        elif message.extras is not None and self._own_keys(message):
            self._lose("extras", message)

    def end(self, conversation: list[Any]) -> None:
        """Set `prefix` on an answer at the end of the conversation: the model continues it."""
        last: Any = conversation[-1]
        if type(last) is wire.Assistant:
            last.prefix = True
        elif self.is_answer(last):
            last["prefix"] = True

    def is_settled(self, made: list[Any]) -> bool:
        """Whether nothing that follows can change these messages.

        An answer at the end stays the last message if all that follows is left out, and then needs
        `prefix`.
        """
        return not self.is_answer(made[-1])

    def is_answer(self, made: Any) -> bool:
        """Whether a message of the wire is an answer."""
        return type(made) is wire.Assistant or (type(made) is dict and made["role"] == "assistant")

    # -- calls and results ---------------------------------------------------------------------

    def _is_stale(self, part: Any, key: str, spelled: Raw) -> bool:
        return key == "id" and type(part) is ToolCallBlock  # results refer to the id that is sent

    def _call(self, block: ToolCallBlock) -> wire.ToolCall:
        call_id = block.id
        if call_id in self._open:
            raise Disorder
        self._open[call_id] = sent_id = wire_id(call_id)
        if block.cache is not None:
            self._lose("cache mark", block)
        name = self._names.get(block.name) or self._name(block.name, block)
        function = wire.FunctionCall(name, self.arguments(block))
        return wire.ToolCall(id=sent_id, type=self.type_of(block), function=function)

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

    # -- names ---------------------------------------------------------------------------------

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


_NOT_IN_RESULTS: Final = frozenset({ThinkingBlock, ToolCallBlock, ToolResultBlock})


def _is_bare(message: Any) -> bool:
    """Whether a message is plain text alone, without a name and extras."""
    return message.extras is None and message.name is None and is_plain(message.content)


def _plain(content: list[Any]) -> Any:
    """Return plain texts as `content`: one as a string, several as blocks, whose JSON fits."""
    return content[0].text if len(content) == 1 else content
