"""LangChain's messages as Structs whose JSON is LangChain's own, in its three shapes.

Source: langchain-core 1.7.2, `messages`, and `load.dump`.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import UNSET, Raw, UnsetType

from ...errors import unknown
from ...model import RawJson
from .._as_it_came import object_of, parts_of
from .._records import Record

__all__ = ["Fields", "InvalidToolCall", "Message", "TokenDetails", "ToolCall", "UsageMetadata"]

if TYPE_CHECKING:
    Json: TypeAlias = RawJson | UnsetType
    Content: TypeAlias = str | list[str | RawJson] | UnsetType
else:
    Json = Content = Raw  # taken apart by `__post_init__`
Maybe: TypeAlias = str | UnsetType | None

_KINDS: Final = ("human", "ai", "system", "tool", "function", "chat", "remove")
_CHUNKS: Final = ("Human", "AI", "System", "Tool", "Function", "Chat")
CLASSES: Final = {
    **{("AI" if kind == "ai" else kind.title()) + "Message": kind for kind in _KINDS},
    **{f"{name}MessageChunk": f"{name}MessageChunk" for name in _CHUNKS},
}
"""The names of the classes -> the value of `type` for each."""
_NAMES: Final = {kind: name for name, kind in CLASSES.items()}
_TYPES: Final = frozenset(CLASSES.values())


def id_of(word: str) -> list[str]:
    """Return the `id` of the class with this value of `type`, as `dumpd` writes it."""
    return ["langchain", "schema", "messages", _NAMES.get(word, word)]


class ToolCall(Record):
    """A call. `args` is an object."""

    name: str
    args: Json
    id: Maybe = UNSET
    type: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or a dict."""
        self.args = object_of(self.args, "args")


class InvalidToolCall(Record):
    """A call whose arguments LangChain could not parse: `args` is the model's own text."""

    type: str | UnsetType = UNSET
    id: Maybe = UNSET
    name: Maybe = UNSET
    args: Maybe = UNSET
    error: Maybe = UNSET


class TokenDetails(Record):
    """Token counts of parts of the input or the output."""

    audio: int | UnsetType | None = UNSET
    cache_creation: int | UnsetType | None = UNSET
    cache_read: int | UnsetType | None = UNSET
    reasoning: int | UnsetType | None = UNSET


class UsageMetadata(Record):
    """Token counts. `input_tokens` includes the cached ones."""

    input_tokens: int
    output_tokens: int
    total_tokens: int
    input_token_details: TokenDetails | UnsetType | None = UNSET
    output_token_details: TokenDetails | UnsetType | None = UNSET


class Fields(Record, kw_only=True):
    """The fields of a message of any type.

    `content` is text, or a list of texts and blocks. Blocks are raw JSON objects.
    """

    content: Content = UNSET
    additional_kwargs: Json = UNSET
    response_metadata: Json = UNSET
    type: str | UnsetType = UNSET
    name: Maybe = UNSET
    id: str | int | list[str] | UnsetType | None = UNSET
    role: str | UnsetType = UNSET
    tool_calls: list[ToolCall] | UnsetType = UNSET
    invalid_tool_calls: list[InvalidToolCall] | UnsetType = UNSET
    usage_metadata: UsageMetadata | UnsetType | None = UNSET
    tool_call_id: str | int | UnsetType = UNSET
    artifact: Json = UNSET
    status: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Adopt the decoder's slices, or plain Python data."""
        if self.content is not UNSET:
            self.content = parts_of(self.content)
        if self.additional_kwargs is not UNSET:
            self.additional_kwargs = object_of(self.additional_kwargs, "additional_kwargs")
        if self.response_metadata is not UNSET:
            self.response_metadata = object_of(self.response_metadata, "response_metadata")
        if self.artifact is not UNSET:
            self.artifact = RawJson.adopt(self.artifact)


class Message(Fields, kw_only=True):
    """A message in one of three shapes; `fields` finds its fields in any of them.

    `messages_to_dict` puts the fields in `data`; `dumpd` puts them in `kwargs`, with `lc`, and the
    name of the class in `id`; `model_dump` puts them in the object itself.
    """

    lc: int | UnsetType = UNSET
    kwargs: Fields | UnsetType = UNSET
    data: Fields | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Adopt the decoder's slices; refuse a message of no shape, of two, or of unknown type."""
        super().__post_init__()
        fields: Any = self.data or self.kwargs or self
        if type(fields) is dict:  # while it is encoded, with its unknown keys
            return
        if fields.content is UNSET:
            raise ValueError(
                "no `content`, expected it in `data`, in `kwargs` or in the message itself"
            )
        if fields is not self:
            names, values = _BESIDE[fields is self.data]
            if values(self) != (UNSET,) * len(names):
                name = next(name for name in names if getattr(self, name) is not UNSET)
                raise ValueError(f"`{name}` beside `data` or `kwargs`, expected one shape")
        if fields is self.kwargs and (self.type != "constructor" or not isinstance(self.id, list)):
            raise ValueError("expected `constructor` as `type`, and an array as `id`")
        if isinstance(fields.id, list):
            raise ValueError("expected `str` or `null` as `id`")
        if self.kind not in _TYPES:
            raise ValueError(unknown("message type", self.kind, sorted(_TYPES)))

    @property
    def fields(self) -> Fields:
        """The fields of the message, wherever they are."""
        return self.data or self.kwargs or self

    @property
    def kind(self) -> str:
        """The value of `type` for its class: `human`, `ai`, `AIMessageChunk`."""
        if self.kwargs:
            name = self.id[-1] if self.id and isinstance(self.id, list) else ""
            return CLASSES.get(name, name)
        return self.type or ""


def _but(*known: str) -> tuple[tuple[str, ...], attrgetter[tuple[Any, ...]]]:
    names = tuple(name for name in Message.__struct_fields__ if name not in known)
    return names, attrgetter(*names)


_BESIDE: Final = {
    True: _but("unknown", "type", "data"),
    False: _but("unknown", "type", "kwargs", "lc", "id"),
}
"""Whether the fields are in `data` -> the names that may not be beside them, and a getter."""
