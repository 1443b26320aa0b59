"""Ravi's messages as Structs: what a user holds, read from the JSON of any of its versions.

A message knows the version that it is written in: `v2`, which is `to_dict()` of the reference, or
`v3`, the storage form of later versions, which has every key, null where it is unset. It is V3 if
it came with something that V2 does not write: an id, structured output, `media` of a result, or an
item that only V3 has.

Source: Ravikumarchavva/agent-framework at 4375c21f (V2), 3b7dd0a6 (V3), 30912676 and before (V0,
V1).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, Self, TypeAlias

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType, field
from msgspec.structs import replace

from ..._body.encode import encode_json as encode
from ..._body.refuse import errors
from ...errors import DecodeError, EncodeError
from ...model import Arguments, RawJson
from ...model.base import only_text
from ...model.rawjson import RawValue, adopt_arguments
from .._arguments import DictArguments, ShownAsDict
from .._constructors import Constructed
from .._records import Record, read, set_aside, write
from . import wire
from .contents import (
    AudioContent,
    DocumentContent,
    ImageContent,
    MediaType,
    TextContent,
    VideoContent,
    is_pil,
    item_of,
    v3_item,
    written_item,
)
from .system import WIRE

__all__ = [
    "ARGUMENTS",
    "AgentMessage",
    "AssistantMessage",
    "BaseClientMessage",
    "Role",
    "SystemMessage",
    "ToolCallMessage",
    "ToolExecutionResultMessage",
    "UsageStats",
    "UserMessage",
    "Version",
]

Role = Literal["system", "user", "assistant", "tool_call", "tool_response"]
Version = Literal["v2", "v3"]


class _Settled:
    """A type that no JSON value has, so that a key `(version)` in a document is an error."""


def _new_id() -> str:
    from uuid import uuid4

    return str(uuid4())


class _Identified(Constructed):
    """Metaclass of the messages: their constructor makes an id, as Ravi's does.

    It does so last, since an id that a caller gave tells the version.
    """

    if not TYPE_CHECKING:

        def __call__(cls, *args, **fields):  # noqa: N805 -- of a metaclass
            made = super().__call__(*args, **fields)
            if made.id is None and "id" not in fields:
                made.id = _new_id()
            return made


if TYPE_CHECKING:
    Items: TypeAlias = list[MediaType]
    MaybeItems: TypeAlias = list[MediaType] | None
    MaybeText: TypeAlias = str | UnsetType | None
    MaybeValue: TypeAlias = Any
    Resolved: TypeAlias = Version
    SystemRole: TypeAlias = Literal["system"]
    UserRole: TypeAlias = Literal["user"]
    AssistantRole: TypeAlias = Literal["assistant"]
    CallRole: TypeAlias = Literal["tool_call"]
    ResultRole: TypeAlias = Literal["tool_response"]
else:  # what is decoded, and becomes items in `__post_init__`
    Items = list[wire.ITEM]
    MaybeItems = list[wire.ITEM] | None
    MaybeText = Raw
    MaybeValue = Raw  # tells a decoded value from one that a caller gave
    Resolved = _Settled
    SystemRole = UserRole = AssistantRole = CallRole = ResultRole = Role  # some documents err

_value = msgspec.json.Decoder().decode
_UNSAID: Final = frozenset({"id", "version"})
_UNSETTLED: Final[Any] = None
_EMPTY: Final[Any] = Arguments(b"{}")
_ONLY_V3: Final = frozenset(
    {wire.V3Image, wire.V3Audio, wire.V3Video, wire.V3Document, DocumentContent}
)
_SHAPES: Final = frozenset(wire.ITEM.__args__)
_KINDS: Final = frozenset({TextContent, ImageContent, AudioContent, VideoContent, DocumentContent})
_ONLY_V2: Final = _SHAPES - _ONLY_V3 - {wire.PlainText, wire.SummaryText}  # V3 writes `text` too


class BaseClientMessage(Record, kw_only=True, tag_field="type", metaclass=_Identified):
    """The base of every message, with the fields of all. V2 writes the `id` of tool calls only.

    A message that a program makes without an `id` gets a new UUID, as in Ravi; one that is decoded
    does not. Messages are equal if what they say is: the version does not count, nor an `id` that
    the version does not write.
    """

    WIRE: ClassVar[str] = WIRE
    HAS_ID: ClassVar[bool] = False
    """Whether V2 writes the `id`; if it does not, an `id` that came in is an unknown key."""

    id: str | None = None
    version: Resolved = field(default=_UNSETTLED, name="(version)")

    @abstractmethod
    def written(self) -> Record:
        """Return the object that goes on the wire. Raises `EncodeError` for what V2 lacks."""

    def to_dict(self) -> dict[str, Any]:
        """Return the message as plain data, as it is stored. Raises `EncodeError`."""
        made: dict[str, Any] = _value(write(self.written(), WIRE))
        return made

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the message of plain data, of any version; `type` may be missing.

        Items of a content and calls may be objects of this module's types, as in Ravi. Raises
        `DecodeError`.
        """
        with errors(WIRE):
            body = encode(_plain(data))
        made: Self = read(cls, body, WIRE)
        return made

    def settle(self, is_v3: bool) -> None:
        """Choose the version if it is not given; set aside an `id` that V2 does not write."""
        if self.version is not _UNSETTLED:
            return
        self.version = "v3" if is_v3 else "v2"
        if not is_v3 and self.id is not None and not self.HAS_ID:
            set_aside(self, {"id": self.id})
            self.id = None

    @property
    def written_id(self) -> str | None:
        """The `id` where the version writes it, else None."""
        return self.id if self.HAS_ID or self.version == "v3" else None

    def __eq__(self, other: object) -> bool:
        """Whether both messages say the same, in whatever version."""
        if type(other) is not type(self):
            return NotImplemented
        return self._said() == other._said()

    def _said(self) -> list[Any]:
        held = [getattr(self, name) for name in self.__struct_fields__ if name not in _UNSAID]
        return [self.written_id, *held]


def _plain(data: Mapping[str, Any]) -> dict[str, Any]:
    fields = dict(data)
    for key in ("content", "tool_calls", "media"):
        items = data.get(key)
        if isinstance(items, list):
            fields[key] = [_plain_item(item) for item in items]
    return fields


def _plain_item(item: Any) -> Any:
    if isinstance(item, BaseClientMessage):
        return item.to_dict()
    if type(item) not in _KINDS and not is_pil(item):
        return item
    made = v3_item(item) if type(item) in _ONLY_V3 else written_item(item, "user")
    return _value(write(made, WIRE))


def _taken(content: list[Any]) -> tuple[list[Any], bool | None]:
    """Return the items of a content, and whether they are V3's, None if they do not show it."""
    if not isinstance(content, list | tuple):
        step = "; use `from_text`" if isinstance(content, str) else ""
        reason = f"`{type(content).__name__}`, expected a list of content{step}"
        raise EncodeError(reason, wire=WIRE)
    items = []
    is_v3: bool | None = None
    for item in content:
        if type(item) is dict:
            item = _of_dict(wire.ITEM, item)
        kind = type(item)
        if kind is not str:
            if kind in _ONLY_V3:
                is_v3 = True
            elif kind in _ONLY_V2 and is_v3 is None:
                is_v3 = False
            if kind in _SHAPES:
                item = item_of(item)
            elif kind not in _KINDS and not is_pil(item):
                raise EncodeError(f"`{kind.__name__}`, expected content", wire=WIRE)
        items.append(item)
    return items, is_v3


def _of_dict(kind: Any, data: Any) -> Any:
    """Return the object for a dict that a caller gave. Raises `EncodeError`."""
    try:
        with errors(WIRE):
            return read(kind, encode(data), WIRE)
    except DecodeError as error:
        raise EncodeError(error.reason, wire=WIRE, path=error.path) from error


def _maybe(value: Any) -> Any:
    """Return a value, or `UNSET` for None, which is left out."""
    return UNSET if value is None else value


class SystemMessage(BaseClientMessage, tag="SystemMessage"):
    """Instructions."""

    content: str
    role: SystemRole = "system"
    if TYPE_CHECKING:
        type: Literal["SystemMessage"] = "SystemMessage"
    else:
        type: ClassVar[str] = "SystemMessage"

    def __post_init__(self) -> None:
        """Choose the version."""
        self.settle(self.id is not None)

    def written(self) -> Record:
        """Return the object that goes on the wire."""
        if self.version == "v2":
            return wire.System(self.role, self.content, unknown=self.unknown)
        return wire.V3System(
            id=_maybe(self.id), role=self.role, content=self.content, unknown=self.unknown
        )


class UserMessage(BaseClientMessage, tag="UserMessage"):
    """What the user says: text as `str`, and media."""

    content: Items
    name: str | None = None
    role: UserRole = "user"
    if TYPE_CHECKING:
        type: Literal["UserMessage"] = "UserMessage"
    else:
        type: ClassVar[str] = "UserMessage"

    def __post_init__(self) -> None:
        """Make items of what was decoded, and choose the version."""
        self.content, is_v3 = _taken(self.content)
        self.settle(self.id is not None if is_v3 is None else is_v3)
        if self.version == "v2":
            self.name = self.name or None

    @classmethod
    def from_text(cls, text: str, name: str | None = None) -> Self:
        """Return a message that is one text. Raises `EncodeError` for what is not text."""
        only_text(WIRE, text=text)
        return cls([text], name)

    def written(self) -> Record:
        """Return the object that goes on the wire. Raises `EncodeError` for what V2 has not."""
        if self.version == "v2":
            return wire.User(
                self.role,
                [written_item(item, self.role) for item in self.content],
                name=_maybe(self.name),
                unknown=self.unknown,
            )
        return wire.V3User(
            id=_maybe(self.id),
            role=self.role,
            content=[v3_item(item) for item in self.content],
            name=self.name,
            unknown=self.unknown,
        )


class ToolCallMessage(BaseClientMessage, tag="ToolCallMessage"):
    """A call that the model asks for, alone or as part of an answer.

    `arguments` is a dict, which may be given as the text of an object; until it is changed, it is
    written as the model wrote it. If the `id` is missing in a document, the reader of the message
    makes one. `content` is normally left out in V2 and null in V3; V0 had the arguments there.
    """

    HAS_ID: ClassVar[bool] = True

    name: str
    arguments: DictArguments = field(default_factory=lambda: _EMPTY)
    content: MaybeText = UNSET
    role: CallRole = "tool_call"
    if TYPE_CHECKING:
        type: Literal["ToolCallMessage"] = "ToolCallMessage"
    else:
        type: ClassVar[str] = "ToolCallMessage"

    def __post_init__(self) -> None:
        """Adopt the decoder's slices, or what the caller passed, and find the version."""
        content: Any = self.content
        if type(content) is Raw:
            self._take_content(content)
        arguments: Any = ARGUMENTS.held(self)
        if type(arguments) is not Arguments:
            arguments = adopt_arguments(arguments)
            ARGUMENTS.put(self, arguments)
        wire.arguments_json(arguments)
        self.settle(self.content is None)
        if self.version == "v2":
            self.content = self.content or UNSET
        else:
            self.content = self.content or None

    def _take_content(self, raw: Raw) -> None:
        first = bytes(memoryview(raw)[:1])
        if first == b"{" and ARGUMENTS.held(self) is _EMPTY:
            ARGUMENTS.put(self, adopt_arguments(raw))
            self.content = UNSET
        else:
            self.content = None if first == b"n" else wire.text_of(raw)

    @classmethod
    def new(cls, name: str, arguments: Any = _EMPTY, id: str | None = None) -> Self:
        """Return a call with an id, a new UUID where none is given.

        Raises `EncodeError` for arguments that are not an object.
        """
        with errors(WIRE):
            return cls(name, arguments) if id is None else cls(name, arguments, id=id)

    @property
    def tool_call_id(self) -> str | None:
        """The `id`, under V3's other name."""
        return self.id

    def _said(self) -> list[Any]:
        arguments = ARGUMENTS.held(self)
        return [self.id, self.name, arguments, self.content or None, self.role, self.unknown]

    def written(self) -> Record:
        """Return the object that goes on the wire."""
        arguments = wire.arguments_json(ARGUMENTS.held(self))
        if self.version == "v2":
            return wire.Call(
                role=self.role,
                id=_maybe(self.id),
                name=self.name,
                arguments=arguments,
                content=_maybe(self.content),
                unknown=self.unknown,
            )
        return wire.V3Call(
            id=_maybe(self.id),
            role=self.role,
            content=self.content or None,
            name=self.name,
            arguments=arguments,
            unknown=self.unknown,
        )

    def to_mcp_format(self) -> dict[str, Any]:
        """Return the call as MCP has it."""
        return {"name": self.name, "arguments": dict(self.arguments)}

    def to_openai_format(self) -> dict[str, Any]:
        """Return the call as Chat Completions has it."""
        import json

        arguments = json.dumps(self.arguments)
        function = {"name": self.name, "arguments": arguments}
        return {"id": self.id, "type": "function", "function": function}


def _adopted(arguments: Any) -> Arguments:
    made = adopt_arguments(arguments)
    if made.object_json() is None:
        reason = "arguments that are not an object, expected a JSON object"
        raise EncodeError(reason, wire=WIRE, path="$.arguments")
    return made


ARGUMENTS: Final = ShownAsDict(ToolCallMessage, "arguments", _adopted)


class UsageStats(Record, omit_defaults=True):
    """Token counts. `extra` holds the provider's own counts, in V3: Anthropic's cached tokens."""

    prompt_tokens: int = field(default_factory=int)  # a plain default would be omitted
    completion_tokens: int = field(default_factory=int)
    total_tokens: int = field(default_factory=int)
    extra: dict[str, Any] = field(default_factory=dict)


class AssistantMessage(BaseClientMessage, tag="AssistantMessage"):
    """What the model answered.

    `finish_reason` is the provider's word, or Ravi's. `parsed` is structured output, which repeats
    the text. V2 does not write it, so a message that came with it is V3. An empty `content` is not
    the same as None.
    """

    content: MaybeItems = None
    tool_calls: list[ToolCallMessage] | None = None
    reasoning: str | None = None
    finish_reason: str = "stop"
    usage: UsageStats | None = None
    cached: bool = False
    name: str | None = None
    parsed: MaybeValue = None
    role: AssistantRole = "assistant"
    if TYPE_CHECKING:
        type: Literal["AssistantMessage"] = "AssistantMessage"
    else:
        type: ClassVar[str] = "AssistantMessage"

    def __post_init__(self) -> None:
        """Make items of what was decoded, and choose the version; its calls get the same.

        A caller may give calls and usage as dicts, as in Ravi.
        """
        is_v3: bool | None = None
        if self.content is not None:
            self.content, is_v3 = _taken(self.content)
        parsed: Any = self.parsed
        if type(parsed) is Raw:  # it came in a document
            self.parsed = _value(parsed)
            is_v3 = is_v3 if self.parsed is None else True
        self.settle(self.id is not None if is_v3 is None else is_v3)
        if self.version == "v2":
            self.name = self.name or None
            self.reasoning = self.reasoning or None
        usage: Any = self.usage
        if type(usage) is dict:
            self.usage = _of_dict(UsageStats, usage)
        if self.tool_calls:
            self.tool_calls = [self._call(call) for call in self.tool_calls]

    def _call(self, call: Any) -> ToolCallMessage:
        if type(call) is dict:
            call = _of_dict(ToolCallMessage, call)
            call.id = call.id or _new_id()
        if call.version != self.version:
            call = replace(call, version=self.version, content=call.content or UNSET)
        made: ToolCallMessage = call
        return made

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return an answer that is one text. Raises `EncodeError` for what is not text."""
        only_text(WIRE, text=text)
        return cls([text])

    def written(self) -> Record:
        """Return the object that goes on the wire. Raises `EncodeError` for what V2 has not."""
        if self.version == "v3":
            return self._written_v3()
        answer = wire.Assistant(
            role=self.role,
            finish_reason=self.finish_reason,
            cached=self.cached,
            name=_maybe(self.name),
            reasoning=_maybe(self.reasoning),
            usage=_maybe(self.usage),
            unknown=self.unknown,
        )
        if self.content is not None:
            answer.content = [written_item(item, self.role) for item in self.content]
        if self.tool_calls is not None:
            answer.tool_calls = [call.written() for call in self.tool_calls]
        return answer

    def _written_v3(self) -> Record:
        content, calls, usage = self.content, self.tool_calls, self.usage
        return wire.V3Assistant(
            id=_maybe(self.id),
            role=self.role,
            content=[v3_item(item) for item in content] if content is not None else None,
            name=self.name,
            reasoning=self.reasoning,
            tool_calls=[call.written() for call in calls] if calls is not None else None,
            finish_reason=self.finish_reason,
            usage=_v3_usage(usage) if usage is not None else None,
            cached=self.cached,
            parsed=self.parsed,
            unknown=self.unknown,
        )


def _v3_usage(usage: UsageStats) -> wire.V3Usage:
    return wire.V3Usage(
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        total_tokens=usage.total_tokens,
        extra=usage.extra,
        unknown=usage.unknown,
    )


_V3_TYPES: Final = frozenset({"error", "document", "video", "tool_use", "tool_result", "thinking"})


class _Kind(Struct, gc=False):
    """An item of a result, of which only the type is read."""

    type: str = ""


_kinds = msgspec.json.Decoder(list[_Kind]).decode


class ToolExecutionResultMessage(BaseClientMessage, tag="ToolExecutionResultMessage"):
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
    role: ResultRole = "tool_response"
    if TYPE_CHECKING:
        type: Literal["ToolExecutionResultMessage"] = "ToolExecutionResultMessage"
    else:
        type: ClassVar[str] = "ToolExecutionResultMessage"
    _snake: bool | UnsetType = field(default=UNSET, name="is_error")

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or what the caller passed, and find the version."""
        self.content = _list_of(self.content)
        is_v3: bool | None = None
        if self._snake is not UNSET:  # V3's key, and that of the first version
            self.is_error = self.is_error or self._snake
            self._snake = UNSET
            is_v3 = _has_v3(self.content)
        if self.media is not None:
            self.media, _ = _taken(self.media)
            is_v3 = True
        self.settle(is_v3 or self.id is not None)
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
                name=_maybe(self.name),
                app_data=_maybe(self.app_data),
                unknown=self.unknown,
            )
        media = self.media
        return wire.V3Result(
            id=_maybe(self.id),
            role=self.role,
            content=self.content,
            tool_call_id=self.tool_call_id,
            name=self.name,
            is_error=self.is_error,
            app_data=self.app_data,
            media=[v3_item(item) for item in media] if media is not None else None,
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


def _has_v3(content: RawJson) -> bool:
    """Whether an item of a result is of a type that only V3 has."""
    try:
        return any(item.type in _V3_TYPES for item in _kinds(content.native()))
    except msgspec.ValidationError:  # an item that is not an object, or whose type is not text
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

AgentMessage = (
    SystemMessage | UserMessage | AssistantMessage | ToolCallMessage | ToolExecutionResultMessage
)
"""A message of any kind, told apart by `type`."""
