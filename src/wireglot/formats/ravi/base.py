"""What Ravi's messages have in common: how they are read, which version they are, plain data.

A message knows the version that it is written in: `v2`, which is `to_dict()` of the reference, or
`v3`, the storage form of later versions, which has every key, null where it is unset. It is V3 if
it came with something that V2 does not write: an id, structured output, `media` of a result, or an
item that only V3 has.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, Self, TypeAlias

import msgspec
from msgspec import UNSET, Raw, UnsetType, field

from ..._objects import encode, errors
from ...errors import EncodeError
from .._records import Record, read, set_aside, write
from . import wire
from .items import (
    WIRE,
    AudioContent,
    DocumentContent,
    ImageContent,
    MediaType,
    TextContent,
    VideoContent,
    is_pil,
)
from .parts import item_of, later_item, written_item

__all__ = [
    "Items",
    "MaybeItems",
    "MaybeText",
    "Message",
    "Role",
    "Version",
    "maybe",
    "taken",
]

Role = Literal["system", "user", "assistant", "tool_call", "tool_response"]
Version = Literal["v2", "v3"]


class _Settled:
    """A type that no JSON value has, so that a key `(version)` in a document is an error."""


if TYPE_CHECKING:
    Items: TypeAlias = list[MediaType]
    MaybeItems: TypeAlias = list[MediaType] | None
    MaybeText: TypeAlias = str | UnsetType | None
    Resolved: TypeAlias = Version
else:  # what is decoded, and becomes items in `__post_init__`
    Items = list[wire.ITEM]
    MaybeItems = list[wire.ITEM] | None
    MaybeText = Raw
    Resolved = _Settled

_value = msgspec.json.Decoder().decode
_UNSETTLED: Final[Any] = None
_LATER: Final = frozenset(
    {wire.LaterImage, wire.LaterAudio, wire.LaterVideo, wire.LaterDocument, DocumentContent}
)
_SHAPES: Final = frozenset(wire.ITEM.__args__)
_HELD: Final = frozenset({TextContent, ImageContent, AudioContent, VideoContent, DocumentContent})
_EARLIER: Final = _SHAPES - _LATER - {wire.PlainText, wire.SummaryText}  # V3 writes `text` too


class Message(Record, kw_only=True, tag_field="type"):
    """The fields of every message. V2 writes the `id` of tool calls only."""

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

    def settle(self, is_later: bool) -> None:
        """Choose the version if it is not given; set aside an `id` that V2 does not write."""
        if self.version is _UNSETTLED:
            self.version = "v3" if is_later else "v2"
        if self.version == "v2" and self.id is not None and not self.HAS_ID:
            set_aside(self, {"id": self.id})
            self.id = None


def _plain(data: Mapping[str, Any]) -> dict[str, Any]:
    made = dict(data)
    for key in ("content", "tool_calls", "media"):
        held = data.get(key)
        if isinstance(held, list):
            made[key] = [_plain_item(item) for item in held]
    return made


def _plain_item(item: Any) -> Any:
    if isinstance(item, Message):
        return item.to_dict()
    if type(item) not in _HELD and not is_pil(item):
        return item
    made = later_item(item) if type(item) in _LATER else written_item(item, "user")
    return _value(write(made, WIRE))


def taken(content: list[Any]) -> tuple[list[Any], bool | None]:
    """Return the items of a content, and whether they are V3's, None if they do not show it."""
    if not isinstance(content, list | tuple):
        raise EncodeError(f"a `{type(content).__name__}` is no list of content", wire=WIRE)
    items = []
    later: bool | None = None
    for item in content:
        kind = type(item)
        if kind is not str:
            if kind in _LATER:
                later = True
            elif kind in _EARLIER and later is None:
                later = False
            if kind in _SHAPES:
                item = item_of(item)
            elif kind not in _HELD and not is_pil(item):
                raise EncodeError(f"a `{kind.__name__}` is no content", wire=WIRE)
        items.append(item)
    return items, later


def maybe(value: Any) -> Any:
    """Return a value, or `UNSET` for None, which is left out."""
    return UNSET if value is None else value
