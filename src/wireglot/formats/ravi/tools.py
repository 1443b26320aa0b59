"""Ravi's tool calls and the messages of their results."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, Self

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType, field

from ..._objects import errors
from ...model import Arguments, RawJson
from ...model.rawjson import RawArguments, RawValue, adopt_arguments
from .._records import Record
from . import wire
from .base import MaybeItems, MaybeText, Message, Role, maybe, taken
from .items import WIRE
from .parts import later_item

__all__ = ["ToolCallMessage", "ToolExecutionResultMessage"]

_EMPTY: Final = Arguments(b"{}")
_LATER: Final = frozenset({"error", "document", "video", "tool_use", "tool_result", "thinking"})


class _Kind(Struct, gc=False):
    """An item of a result, of which only the type is read."""

    type: str = ""


_kinds = msgspec.json.Decoder(list[_Kind]).decode


class ToolCallMessage(Message, tag="ToolCallMessage"):
    """A call that the model asks for, alone or as part of an answer.

    `arguments` keeps the model's text; it may be given as a dict, or as the text of an object. If
    the `id` is missing, the reader of the message makes one; `new` makes one at once. `content` is
    normally left out in V2 and null in V3; V0 had the arguments there.
    """

    HAS_ID: ClassVar[bool] = True

    name: str
    arguments: RawArguments = field(default_factory=lambda: _EMPTY)
    content: MaybeText = UNSET
    role: Role = "tool_call"

    def __post_init__(self) -> None:
        """Adopt the decoder's slices, or what the caller passed, and find the version."""
        content: Any = self.content
        if type(content) is Raw:
            self._take_content(content)
        if type(self.arguments) is not Arguments:
            self.arguments = adopt_arguments(self.arguments)
        wire.arguments_json(self.arguments)
        self.settle(self.content is None)
        if self.version == "v2":
            self.content = self.content or UNSET
        else:
            self.content = self.content or None

    def _take_content(self, raw: Raw) -> None:
        first = bytes(memoryview(raw)[:1])
        if first == b"{" and self.arguments is _EMPTY:
            self.arguments = adopt_arguments(raw)
            self.content = UNSET
        else:
            self.content = None if first == b"n" else wire.text_of(raw)

    @classmethod
    def new(cls, name: str, arguments: Any = _EMPTY, id: str | None = None) -> Self:
        """Return a call with an id, a new UUID where none is given.

        Raises `EncodeError` for arguments that are not an object.
        """
        if id is None:
            from uuid import uuid4

            id = str(uuid4())
        with errors(WIRE):
            return cls(name, arguments, id=id)

    @property
    def tool_call_id(self) -> str | None:
        """The `id`, under V3's other name."""
        return self.id

    def written(self) -> Record:
        """Return the object that goes on the wire."""
        arguments = wire.arguments_json(self.arguments)
        if self.version == "v2":
            return wire.Call(
                role=self.role,
                id=maybe(self.id),
                name=self.name,
                arguments=arguments,
                content=maybe(self.content),
                unknown=self.unknown,
            )
        return wire.LaterCall(
            id=maybe(self.id),
            role=self.role,
            content=self.content or None,
            name=self.name,
            arguments=arguments,
            unknown=self.unknown,
        )

    def to_mcp_format(self) -> dict[str, Any]:
        """Return the call as MCP has it."""
        return {"name": self.name, "arguments": self.arguments.value}

    def to_openai_format(self) -> dict[str, Any]:
        """Return the call as Chat Completions has it."""
        arguments = json.dumps(self.arguments.value)
        function = {"name": self.name, "arguments": arguments}
        return {"id": self.id, "type": "function", "function": function}


class ToolExecutionResultMessage(Message, tag="ToolExecutionResultMessage"):
    """The result of one call: MCP's objects, or V3's, kept as raw JSON.

    `content` may be given as a list, one object, or text; its `value` is a list of dicts.
    `is_error` is written `isError` in V2, whose own reader looks for `is_error`; both are read.
    `app_data` is for programs, `media` (V3) goes to the model beside the content.
    """

    tool_call_id: str
    content: RawValue
    name: str | None = None
    is_error: bool = field(default=False, name="isError")
    app_data: dict[str, Any] | None = None
    media: MaybeItems = None
    role: Role = "tool_response"
    _snake: bool | UnsetType = field(default=UNSET, name="is_error")

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or what the caller passed, and find the version."""
        self.content = _list_of(self.content)
        later: bool | None = None
        if self._snake is not UNSET:  # V3's key, and that of the first version
            self.is_error = self.is_error or self._snake
            self._snake = UNSET
            later = _has_later(self.content)
        if self.media is not None:
            self.media, _ = taken(self.media)
            later = True
        self.settle(later or self.id is not None)
        if self.version == "v2":
            self.name = self.name or None

    @classmethod
    def from_tool_result(
        cls, tool_result: Any, tool_call_id: str, tool_name: str | None = None
    ) -> Self:
        """Return the message of what a tool returned: its `content`, `is_error` and `app_data`."""
        return cls(
            tool_call_id,
            tool_result.content,
            tool_name,
            tool_result.is_error,
            getattr(tool_result, "app_data", None),
        )

    def written(self) -> Record:
        """Return the object that goes on the wire."""
        if self.version == "v2":
            return wire.Result(
                role=self.role,
                tool_call_id=self.tool_call_id,
                content=self.content,
                is_error=self.is_error,
                name=maybe(self.name),
                app_data=maybe(self.app_data),
                unknown=self.unknown,
            )
        media = self.media
        return wire.LaterResult(
            id=maybe(self.id),
            role=self.role,
            content=self.content,
            tool_call_id=self.tool_call_id,
            name=self.name,
            is_error=self.is_error,
            app_data=self.app_data,
            media=[later_item(item) for item in media] if media is not None else None,
            unknown=self.unknown,
        )

    def to_mcp_format(self) -> dict[str, Any]:
        """Return the result as MCP has it."""
        return {"content": self.content.value, "isError": self.is_error}

    def to_openai_format(self) -> dict[str, Any]:
        """Return the result as Chat Completions has it: as text, with a placeholder for media."""
        texts = [_shown(block) for block in self.content.value]
        return {"role": "tool", "tool_call_id": self.tool_call_id, "content": "\n".join(texts)}


def _list_of(content: Any) -> RawJson:
    """Return a result's content as a list, as Ravi makes one of whatever it is given."""
    if type(content) is Raw:
        content = RawJson.adopt(content)
    if isinstance(content, RawJson):
        if bytes(memoryview(content.native())[:1]) == b"[":
            return content
        content = content.value
    if isinstance(content, list):
        return RawJson.of([_block(item) for item in content])
    return RawJson.of([_block(content)])


def _has_later(content: RawJson) -> bool:
    """Whether an item of a result is of a type that only V3 has."""
    try:
        return any(item.type in _LATER for item in _kinds(content.native()))
    except msgspec.ValidationError:  # an item that is not an object, or whose type is no text
        return False


def _block(item: Any) -> Any:
    if isinstance(item, dict):
        return item
    return {"type": "text", "text": item if isinstance(item, str) else str(item)}


def _shown(block: Any) -> str:
    if isinstance(block, str):
        return block
    kind = block.get("type") if isinstance(block, dict) else None
    show = _SHOWN.get(kind) if isinstance(kind, str) else None
    return show(block) if show is not None else str(block)


def _uri(resource: Any) -> Any:
    return resource.get("uri", "") if isinstance(resource, dict) else ""


_SHOWN: Final[Mapping[str, Callable[[dict[str, Any]], str]]] = {
    "text": lambda block: str(block.get("text", "")),
    "image": lambda block: "[Image]",
    "resource": lambda block: f"[Resource: {_uri(block.get('resource'))}]",
}
