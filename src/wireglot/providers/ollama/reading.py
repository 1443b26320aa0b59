"""The messages of Ollama's chat -> messages; calls without an id get a generated one."""

from __future__ import annotations

from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ...model import (
    AssistantMessage,
    Content,
    ImageBlock,
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
from .._reading import Body, Reader, arguments_of
from .._waiting import Call, Waiting
from .._writing import encode
from . import wire

__all__ = ["MessageReader"]

_NULL: Final = Raw(b"null")
_QUOTE: Final = ord('"')
_keys = msgspec.json.Decoder(dict[str, Raw]).decode

# Role -> the keys that have no meaning in a message of that role.
_IDLE: Final = {
    "system": ("thinking", "tool_calls", "tool_name", "tool_call_id"),
    "user": ("thinking", "tool_calls", "tool_name", "tool_call_id"),
    "assistant": ("tool_name", "tool_call_id"),
    "tool": ("thinking", "tool_calls"),
}


class MessageReader(Reader):
    """The state of one decoding: which ids were made, and which calls have no result yet."""

    WIRE: ClassVar[str] = "ollama"
    API: ClassVar[str] = wire.API

    def __init__(self, body: Body, dialect: str) -> None:
        super().__init__(body, dialect)
        self._made_ids = 0
        self._seen: set[str | None] = set()  # ids that were given so far
        self._made_up: set[str] = set()  # ids that were made up so far
        self._waiting = Waiting()

    def message(self, part: wire.Message) -> Message:
        """Return the message. Its images follow its text: the wire does not say where they belong.

        A message of an unknown role becomes one opaque block.
        """
        role = part.role.lower()  # as the server reads it
        if role not in _IDLE:
            return UserMessage([OpaqueBlock(self.API, self._raw(part))])
        self._set_aside(part, _IDLE[role])
        content: list[Content] = []
        if part.thinking and role == "assistant":
            content.append(ThinkingBlock(part.thinking))
        if part.content:
            content.append(TextBlock(part.content))
        content += self.images(part)
        if role == "tool":
            return self._result(part, content)
        if role == "assistant":
            content += self.calls(part.tool_calls or [])
            return AssistantMessage(content, api=self.API, extras=self._extras(part))
        kind = UserMessage if role == "user" else SystemMessage
        return kind(content, extras=self._extras(part))

    def images(self, part: wire.Message) -> list[ImageBlock]:
        """Return the images of a message."""
        made = []
        for i, image in enumerate(part.images or ()):
            if memoryview(image)[0] != _QUOTE:
                self._fail("expected `str`", part, f".images[{i}]")
            made.append(ImageBlock(image))
        return made

    def _set_aside(self, part: wire.Message, names: tuple[str, ...]) -> None:
        """Treat keys that have no meaning in this role as unknown keys."""
        given = [name for name in names if getattr(part, name)]
        if given:
            keys = _keys(self.body.raws.get(id(part)) or Raw(encode(part)))
            self._unknown.setdefault(id(part), {}).update({name: keys[name] for name in given})

    def calls(self, parts: list[wire.ToolCall]) -> list[ToolCallBlock]:
        """Return the calls of an answer."""
        self._waiting = Waiting()
        self._seen.update(part.id for part in parts)
        return [self._call(part) for part in parts]

    def _call(self, part: wire.ToolCall) -> ToolCallBlock:
        """Return the call; without an id of its own it gets one, which is not sent back."""
        function = part.function
        spelling: dict[str, Any] = {}
        call_id = part.id or ""
        if not call_id:
            spelling["id"] = _NULL
            call_id = self._free_id()
        elif call_id in self._made_up:
            spelling["id"] = call_id
            call_id = self._free_id()
        self._waiting.add(Call(call_id, function.name, part.id or None))
        if part.type is not None:
            spelling["type"] = part.type
            self._keep_type(part, part.type)
        if function.index is not None:
            spelling["function"] = {"index": function.index}
        arguments = arguments_of(function.arguments)
        extras = self._extras(part, **spelling)
        return ToolCallBlock(call_id, function.name, arguments, extras=extras)

    def _free_id(self) -> str:
        """Return an id that no call before has, or of this message."""
        while True:
            call_id = f"call_{self._made_ids}"
            self._made_ids += 1
            if call_id not in self._seen:
                self._made_up.add(call_id)
                return call_id

    def _result(self, part: wire.Message, content: list[Content]) -> ToolMessage:
        """Return the result, with the id and the name of its call.

        A key that was missing on the wire is not sent back either.
        """
        given_id = part.tool_call_id or None
        call = self._waiting.answered(given_id, part.tool_name)
        spelling: dict[str, Any] = {}
        if not part.tool_name:
            spelling["tool_name"] = _NULL
        if given_id is None:
            spelling["tool_call_id"] = _NULL
        elif call is not None and call.sent is None:
            spelling["tool_call_id"] = given_id
        name = part.tool_name or (call.name if call is not None else None)
        call_id = call.id if call is not None else given_id or ""
        extras = self._extras(part, **spelling)
        return ToolMessage([ToolResultBlock(call_id, name, content, extras=extras)])
