"""What a wire is called, what it carries of each type of the model, and why it loses the rest."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from msgspec import NODEFAULT, Raw, Struct
from msgspec.structs import FieldInfo, fields

from ... import model
from ..._body.field_types import Field, field_of, predicate
from ..._registry import APIS, registered
from ...capabilities import ANY, Capabilities, generation
from ...errors import EncodeError, unknown
from ...model.place import PLACE
from ..losses import COMMON

_MEDIA: Final = "size sha256 width height duration_ms page filename mime_type"
_RESULT: Final = "tool_name status details metadata terminate child_loop_id"
_PLACE: Final = " ".join(PLACE)
_MESSAGE: Final = f"id timestamp delta metadata {_PLACE}"
# A signature is valid for the models that made it, and never goes to others.

NEVER_SENT: Final[Mapping[type[Any], str]] = {
    model.TextBlock: "signature",
    model.ImageBlock: f"{_MEDIA} alt_text bbox detail signature",
    model.AudioBlock: f"{_MEDIA} transcript sample_rate channels",
    model.VideoBlock: f"{_MEDIA} transcript thumbnail",
    model.DocumentBlock: f"{_MEDIA} title pages excerpt",
    model.DataBlock: _MEDIA,
    model.ThinkingBlock: "details signature",
    model.ToolCallBlock: "kind tool_type metadata signature",
    model.ToolResultBlock: _RESULT,
    model.ToolResultMessage: f"{_RESULT} id timestamp metadata {_PLACE}",
    model.ErrorBlock: "code data",
    model.SystemMessage: f"id timestamp metadata {_PLACE}",
    model.UserMessage: _MESSAGE,
    model.ToolMessage: _MESSAGE,
    model.AssistantMessage: (
        f"{_MESSAGE} stop_reason model provider usage error_message api raw_stop_reason"
        " stop_sequence cached parsed raw"
    ),
}
"""The fields that describe a part to programs: an LLM's API does not get them, which is not a loss.

A wire that has a place for one of them may carry it all the same.
"""

_WORDS: Final = {
    "annotations": "annotation",
    "cache": "cache mark",
    "context": "document context",
    "is_error": "error flag",
}
"""Field -> the row in the table of losses, where that is not the field's name."""
_TYPES: Final[Mapping[Any, str]] = {
    model.OpaqueBlock: "opaque block",
    model.ToolCallBlock: "tool call",
    model.ToolResultBlock: "tool result",
}
_REQUIRED: Final = object()
_NOTHING: Final[Mapping[str, Any]] = {
    "cache": model.CacheConfig(enabled=False),
    "candidates": 1,
    "frequency_penalty": 0,
    "metadata": {},
    "parallel_tool_calls": True,
    "presence_penalty": 0,
    "response_format": model.ResponseFormat("text"),
    "stop": [],
    "thinking": model.Thinking(model.ThinkingLevel.OFF),
    "tool_choice": model.ToolChoice("auto"),
    "top_logprobs": 0,
}
"""Parameter of a request -> a value that, like None, asks for nothing."""


def check_target(target: str, wire: str) -> None:
    """Raise `EncodeError` if a request is decoded for an API that there is not."""
    if target != "" and target not in APIS:
        known = [*APIS, *(provider.API for provider in registered().values())]
        if target not in known:
            raise EncodeError(unknown("target", target, known), wire=wire)


class Rules:
    """The rules of one wire: its names, and its declaration of what it carries and loses.

    `carried` names, for each type of the model that the wire has a place for, the fields that it
    carries. A field may be carried in part; then the wire's own code reports which part is lost.
    Whatever else is set on a value is a loss, unless it is in `NEVER_SENT`: a new field of the
    model is a loss on every wire that does not declare it. `losses` says why, row by row; a field
    without a row has no place.

    `notes` are keys of a spelling that are only for the wire's own encoder. `marks` are the keys of
    a spelling that stand for a cache mark. `is_stale` tells, for a part, a key and the
    spelling of its value, whether that no longer agrees with the part.
    `families` are the models whose rules hold here (see `wireglot.capabilities`), in each dialect
    that `families_at` does not say otherwise of. `tool_name` brings the name of a tool into the
    wire's alphabet.
    """

    def __init__(
        self,
        wire: str,
        api: str,
        dialects: tuple[str, ...],
        carried: Mapping[type[Any], str],
        losses: Mapping[str, str],
        *,
        notes: tuple[str, ...] = (),
        marks: tuple[str, ...] = (),
        is_stale: Callable[[Any, str, Raw], bool] = lambda *_: False,
        families: tuple[str, ...] = (),
        families_at: Callable[[str], Collection[str]] | None = None,
        tool_name: Callable[[str], str] = str,
    ) -> None:
        self.wire = wire
        self.api = api
        self.dialects = dialects
        self.carried = carried
        self.losses: Mapping[str, str] = {**COMMON, **losses}
        self.plans: Mapping[type[Any], Plan] = _Made(self.plan)
        self.lossless: Mapping[type[Any], Callable[[Any], bool]] = _Made(
            lambda kind: self.plans[kind].is_lossless
        )
        self.notes = notes
        self.marks: frozenset[str] = frozenset(marks)
        self.is_stale = is_stale
        self._families_at = families_at or (lambda _: families)
        self.tool_name = tool_name

    def takes(self, model: str | None, dialect: str) -> Capabilities:
        """Return what a model takes, everything if it is not of a family of this API."""
        row = generation(model)
        return row.takes if row is not None and row.family in self._families_at(dialect) else ANY

    def dialect(self, asked: str | None) -> str:
        """Return the dialect asked for, or the first. Raises `EncodeError` if it is unknown."""
        if asked is None:
            return self.dialects[0]
        if asked not in self.dialects:
            raise EncodeError(unknown("dialect", asked, self.dialects), wire=self.wire)
        return asked

    def why(self, what: str) -> str:
        """Return why something is lost, and what happens instead."""
        return self.losses.get(what, "there is no place for it; left out")

    def what(self, kind: Any) -> str:
        """Return the row for a whole value of a type."""
        return _TYPES.get(kind) or str(kind.__struct_config__.tag)

    def plan(self, kind: Any) -> Plan:
        """Return how to look at the values of a type."""
        names = {*self.carried.get(kind, "").split()}
        apart = {*NEVER_SENT.get(kind, "").split(), "extras"} - names
        infos = [info for info in fields(kind) if info.name not in apart]
        carried = [field_of(info) for info in infos if info.name in names]
        lost = [
            (info.name, _WORDS.get(info.name, info.name), _unset(info))
            for info in infos
            if info.name not in names
        ]
        settled = [f"part.{name} is {False if unset is False else None}" for name, _, unset in lost]
        return Plan(predicate(settled, carried), carried, lost)


class Plan(Struct):
    """How the values of one type are looked at on one wire."""

    is_lossless: Callable[[Any], bool]
    """Whether nothing of a value can be lost, and what is carried is of the right types."""
    carried: list[Field]
    lost: list[tuple[str, str, Any]]
    """The fields that are not carried: name, row of the table of losses, and unset value."""


class _Made(dict[Any, Any]):
    """Type -> what is known of it, which is made when it is first asked for."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self._make = make

    def __missing__(self, kind: Any) -> Any:
        return self.setdefault(kind, self._make(kind))


def asks_for_nothing(name: str, value: Any) -> bool:
    """Whether a value of a parameter is as good as none."""
    nothing = _NOTHING.get(name, _REQUIRED)
    return value is None or value == nothing or (value is False and nothing is not True)


def _unset(info: FieldInfo) -> Any:
    if info.default is not NODEFAULT:
        return info.default
    return info.default_factory() if info.default_factory is not NODEFAULT else _REQUIRED


def is_uncited(text: model.TextBlock, spelled: Raw) -> bool:
    """Whether a text has lost the annotations that it came with (`spelled`, on the wire)."""
    return not text.annotations and lists_some(spelled)


def lists_some(spelled: Raw) -> bool:
    """Whether a slice is a list that is not empty."""
    listed = bytes(spelled)
    return listed[:1] == b"[" and listed[1:-1].strip() != b""
