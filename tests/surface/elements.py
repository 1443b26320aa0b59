"""A root of an API -> its elements, each with a small body that has it and one that does not."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from .apis import Root
from .bodies import ANSWERS, REQUESTS
from .streams import STREAMS, plain_stream
from .tree import Obj, members, tag_of
from .values import Json, changed, other, smallest, variants, with_field, with_true_media


@dataclass
class Element:
    """One thing that the types admit: `Type.field`, with `=value` or `:Type` where it has several.

    `region` is where in a body the object is: the key of the root, the kind of the message, the
    kind of the result. `keys` is the path of keys to the element.
    """

    root: Root
    region: str
    name: str
    keys: tuple[str, ...]
    value: Json
    body: Json
    without: Json
    """The body without it, or with another value if the type requires one."""
    above: list[Callable[[], Json]] = field(default_factory=list)
    """Makers of the body without the object that it is in, and of those around that."""

    @property
    def field(self) -> str:
        """The object's type and the field: what a row of a table names."""
        return self.name.partition(":")[0].partition("=")[0]


_ECHO = ("instructions", "tools", "text", "tool_choice", "prompt", "reasoning", "metadata")
_ECHO += ("conversation", "image", "prompt_cache_options", "access_programs", "tool_usage")
_ECHO += ("input_transformations", "prompt_cache_diagnostics")
_NOT_BELOW = {f"{name}.{key}" for key in _ECHO for name in ("Response", "OpenResponsesResult")}
"""Answers of Responses repeat these parameters of the request, whose elements are walked there."""
_NOT_BELOW |= {
    f"Response{kind}Event.response"
    for kind in ("Created", "Queued", "InProgress", "Failed", "Incomplete", "Completed")
}
_NOT_BELOW |= {"ResponseOutputItemAddedEvent.item"}
_SET_BY_BODIES = {
    "Content.role", "DeltaMessage.role", "ChoiceDelta.role", "ChatStreamDelta.role", "Schema.type",
    "ToolChoiceAllowedParam.tools", "RawMessageStartEvent.message", "ChatCompletionChunk.id",
    "BetaRawMessageStartEvent.message", "CompletionChunk.id", "MessageStartEvent.role",
    "answer Message.role", "stream Message.role", "answer AssistantMessage.role",
    "stream Message.tool_name", "answer ChatResponse.message", "stream ChatResponse.message",
}  # fmt: skip
"""What a body around the element sets, so that the element cannot be taken from it."""
_RESULTS = ("ToolResultBlock", "ToolResultBlockParam", "FunctionCallOutput", "FunctionResponse")
_RESULTS += ("ContentBlockSourceParam", "ToolMessageParam", "BetaToolResultBlockParam")


@dataclass
class _Place:
    obj: Obj
    put: Callable[[Json], Json]
    region: str
    keys: tuple[str, ...]
    above: list[Callable[[], Json]]


def elements(root: Root) -> Iterator[Element]:
    """Yield the elements of a root, from the outside in; an object once in each region."""
    seen = set()
    for top in members(root.node):
        assert isinstance(top, Obj)
        put, bare, region = _whole(root, top)
        queue = deque([_Place(top, put, region, (), [bare])])
        while queue:
            place = queue.popleft()
            if (place.obj, place.region) not in seen:
                seen.add((place.obj, place.region))
                yield from _below(root, top, place, queue)


def _whole(root: Root, top: Obj) -> tuple[Callable[[Json], Json], Callable[[], Json], str]:
    """Return what makes a body of a root's value, what makes one without, and the region."""
    if root.part == "stream":
        complete = STREAMS[root.wire]
        tag = str(tag_of(top.fields["type"][0])) if "type" in top.fields else ""
        bare = lambda: plain_stream(root.wire)  # noqa: E731
        return lambda value: with_true_media(complete(deepcopy(value))), bare, tag
    made = (REQUESTS if root.part == "request" else ANSWERS).get(root.wire, lambda body: body)
    put = lambda value: with_true_media(made(deepcopy(value)))  # noqa: E731
    return put, lambda: put(smallest(top)), ""


def _below(root: Root, top: Obj, place: _Place, queue: deque[_Place]) -> Iterator[Element]:
    obj = place.obj
    plain = smallest(obj)
    for key, (node, required) in obj.fields.items():
        name = f"{obj.name}.{key}"
        is_set = not {name, f"{root.part} {name}"}.isdisjoint(_SET_BY_BODIES)
        found = () if is_set else variants(node, key, plain.get(key))
        for label, value, inner, hold in found:
            one, none = with_field(obj, plain, key, label, value)
            needed = required or obj.one_of or key in plain
            body = place.put(one)
            twin = {**one, key: other(value, node)} if needed else none
            if needed and twin[key] == value and plain.get(key, value) != value:
                twin[key] = plain[key]
            without = place.put(twin) if twin != one else place.above[0]()
            if obj.one_of:
                without = place.above[0]()
            if body == without:  # what every body has
                without = place.put({**one, key: changed(value)})
            at = (*place.keys, key)
            yield Element(root, place.region, name + label, at, value, body, without, place.above)
            if inner is not None and name not in _NOT_BELOW:
                region = _region(place, key, inner, obj is top)
                put = _putter(place, one, key, hold)
                bare = place.above[0] if needed else (lambda p=place, n=none: p.put(n))
                queue.append(_Place(inner, put, region, at, [bare, *place.above]))


def _putter(
    place: _Place, one: Json, key: str, hold: Callable[[Json], Json]
) -> Callable[[Any], Json]:
    return lambda value: place.put({**one, key: hold(value)})


def _region(place: _Place, key: str, inner: Obj, at_top: bool) -> str:
    region = place.region
    if at_top:
        region = f"{region}/{key}" if region else key
    if place.obj.name.endswith(("MessageParam", "Message")) or "role" in inner.fields:
        region = f"{region.partition('@')[0]}@{inner.name}"
    if place.obj.name in _RESULTS and key in ("content", "output", "parts", "tool_references"):
        region += ">" + place.obj.name
    return region
