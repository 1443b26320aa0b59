"""Types of the caller that hold model types, such as a Struct with a session in a field.

msgspec cannot decode `LlmMessage`, which is not a Struct, nor collect unknown keys. So a holder is
read one level at a time: msgspec decodes its double, in which each part that holds model types is
`Raw`; the reader reads these parts, and the caller's type is made of the result.

The caller's own Structs, dataclasses, attrs classes, TypedDicts, NamedTuples, lists, dicts, tuples
and unions are holders, generic, annotated and nested ones too.
"""

from __future__ import annotations

import collections.abc as abc
import dataclasses
import types
import typing
from collections.abc import Callable, Iterator
from functools import cache
from typing import Annotated, Any, Final, NamedTuple, Union

import msgspec
import msgspec.inspect
from msgspec import UNSET, Meta, Raw, Struct, UnsetType, defstruct, field

from ..errors import unknown
from ..model import AgentMessage, Arguments, LlmMessage, Media, Message, RawJson
from ..model.base import Node
from ..model.session import ENTRIES
from ..model.source import MSGPACK, reading

SLICED: Final = frozenset({Arguments, Media, RawJson})
"""The model types whose values are slices of the input."""
HOOKED: Final[frozenset[Any]] = SLICED | {AgentMessage, LlmMessage}
"""The types of the model about which msgspec asks a hook: they are not Structs."""
Read = Callable[[Any, Any, str], Any]
"""Reads a part: its type, its `Raw`, its path."""


class CallerType(NamedTuple):
    """How to read a type of the caller: what to decode it as, and what to make of the result.

    `parts` are the types inside that hold model types. `direct` is a double for data that are
    canonical: messages in it are decoded at once, and not as slices first.
    """

    double: Any
    parts: tuple[Any, ...]
    filled: Callable[[Any, Read, str], Any]
    direct: Any = None


@cache
def caller_type(kind: Any) -> CallerType | None:
    """Return how to read a type of the caller, None for a model type and for any plain type.

    Raises TypeError if the type cannot be decoded.
    """
    whole, kind = kind, plain(kind)
    if is_model(kind) or not _holds_model(kind):
        return None
    origin = typing.get_origin(kind) or kind
    if origin is Annotated:
        inner, *notes = typing.get_args(kind)
        made = caller_type(inner)
        if made is None:  # a list of model types, with limits on its length
            made = _list(inner, typing.get_args(plain(inner)))
        return made._replace(double=Annotated[(made.double, *notes)])
    if is_union(kind):
        return _union(kind)
    args = typing.get_args(kind)
    if origin in _LISTS:
        return _list(kind, args)
    if origin in _DICTS:
        return _dict(args)
    if origin is tuple:
        return _list(kind, args[:1]) if args[-1:] == (...,) else _tuple(args)
    if _is_object(origin):
        return _object(kind, origin)
    raise TypeError(f"type `{whole}` cannot be decoded")


def is_model(kind: Any) -> bool:
    """Whether the native reader reads a type by itself: a model type, or a list or union of some.

    The union may have None as a member.
    """
    found = members(kind)
    if len(found) == 1 and typing.get_origin(found[0]) is list:
        found = members(plain(*typing.get_args(found[0])))
    return all(map(_is_item, found))


def _is_item(kind: Any) -> bool:
    if kind in (LlmMessage, *SLICED):
        return True
    if not isinstance(kind, type) or not issubclass(kind, Struct):
        return False
    if kind.__module__.startswith(_MODEL):
        return True
    return issubclass(kind, Node) and kinds_inside(kind).isdisjoint(HOOKED)


@cache
def kinds_inside(kind: Any) -> frozenset[Any]:
    """Return a type and all types inside it, as far as model types, which are not looked into."""
    kinds: set[Any] = set()
    waiting = [kind]
    while waiting:
        inner = plain(waiting.pop())
        if inner not in kinds:
            kinds.add(inner)
            if {*ENTRIES} <= {*members(inner)}:
                kinds.add(AgentMessage)
            waiting += _children(inner)
    return frozenset(kinds)


def refuse_foreign(kind: Any) -> None:
    """Raise TypeError for a class in a type that no data is decoded as."""
    for inner in kinds_inside(kind) - {*HOOKED, object}:  # all data are objects
        is_leaf = isinstance(inner, type) and not _is_object(inner)
        if is_leaf and isinstance(msgspec.inspect.type_info(inner), msgspec.inspect.CustomType):
            raise TypeError(f"no data is decoded as a `{inner.__name__}`")


def _holds_model(kind: Any) -> bool:
    return any(map(_is_item, kinds_inside(kind)))


def _children(kind: Any) -> Iterator[Any]:
    origin = typing.get_origin(kind) or kind
    if _is_object(origin):
        if not origin.__module__.startswith(_MODEL):
            yield from (part.kind for part in _fields(kind, origin))
    elif origin is Annotated:
        yield typing.get_args(kind)[0]
    elif origin is not typing.Literal:
        yield from (arg for arg in typing.get_args(kind) if arg is not ...)


def plain(kind: Any) -> Any:
    """Return the type behind aliases, `NewType`, and annotations that do not limit the values."""
    while True:
        origin = typing.get_origin(kind)
        if origin is Annotated:
            inner, *notes = typing.get_args(kind)
            if any(isinstance(note, Meta) for note in notes):
                return kind
            kind = inner
        elif origin in _WRAPPERS:
            kind = typing.get_args(kind)[0]
        elif origin is list and not typing.get_args(kind):
            return list  # a bare `typing.List`
        elif isinstance(kind, typing.NewType):
            kind = kind.__supertype__
        elif type(kind).__name__ == "TypeAliasType":  # Python 3.12
            kind = kind.__value__
        elif kind is AgentMessage:
            kind = union(ENTRIES)
        elif is_union(kind) and any(arg in _NO_MEMBERS for arg in typing.get_args(kind)):
            args = typing.get_args(kind)
            kind = union(
                plain(arg) if arg is AgentMessage else arg for arg in args if arg is not UnsetType
            )
        else:
            return kind


def is_union(kind: Any) -> bool:
    """Whether a type is a union, in either spelling."""
    return typing.get_origin(kind) in (types.UnionType, Union)


def members(kind: Any) -> list[Any]:
    """Return the members of a union in order, None left out, or the type itself."""
    args = typing.get_args(kind) if is_union(kind) else (kind,)
    return [plain(member) for member in args if member is not type(None)]


def union(kinds: Any) -> Any:
    """Return the union of some types."""
    return Union[tuple(kinds)]  # noqa: UP007 -- there is no other spelling


# -- lists, dicts, tuples ------------------------------------------------------------------------


def _list(kind: Any, args: tuple[Any, ...]) -> CallerType:
    (item,) = args
    origin = typing.get_origin(plain(kind))
    make: Any = tuple if origin is tuple else list
    if origin in _SETS:
        raise TypeError(f"type `{kind}` cannot be decoded: messages and blocks are not hashable")

    def filled(raws: list[Raw], read: Read, path: str) -> Any:
        return make([read(item, raw, f"{path}[{i}]") for i, raw in enumerate(raws)])

    return CallerType(list[Raw], (item,), filled)


def _dict(args: tuple[Any, ...]) -> CallerType:
    key, item = args

    def filled(raws: dict[Any, Raw], read: Read, path: str) -> Any:
        return {key: read(item, raw, f"{path}.{key}") for key, raw in raws.items()}

    return CallerType(dict[key, Raw], (item,), filled)  # type: ignore[valid-type]


def _tuple(args: tuple[Any, ...]) -> CallerType:
    doubles = tuple(Raw if _holds_model(arg) else arg for arg in args)

    def filled(values: tuple[Any, ...], read: Read, path: str) -> Any:
        parts = enumerate(zip(args, values, strict=True))
        return tuple(read(k, v, f"{path}[{i}]") if type(v) is Raw else v for i, (k, v) in parts)

    parts = tuple(arg for arg in args if _holds_model(arg))
    return CallerType(tuple[doubles], parts, filled)  # type: ignore[valid-type]


# -- objects -------------------------------------------------------------------------------------


class _Field(NamedTuple):
    name: str
    key: str
    kind: Any
    required: bool
    in_constructor: bool = True


def _fields(kind: Any, origin: Any) -> list[_Field]:
    """Return the fields of a class, with their types. Raises TypeError for what has no decoder."""
    if issubclass(origin, Struct):
        found = msgspec.structs.fields(kind)
        return [_Field(f.name, f.encode_name, f.type, f.required) for f in found]
    given = dict(zip(getattr(origin, "__parameters__", ()), typing.get_args(kind), strict=False))
    hints = {
        name: _of_generic(hint, given)
        for name, hint in typing.get_type_hints(origin, include_extras=True).items()
    }
    if _is_typeddict(origin):
        return [_Field(n, n, hint, _is_required(origin, n, hint)) for n, hint in hints.items()]
    if _is_namedtuple(origin):
        defaults = origin._field_defaults
        return [_Field(name, name, hints[name], name not in defaults) for name in origin._fields]
    if any(isinstance(hint, dataclasses.InitVar) for hint in hints.values()):
        raise TypeError(f"type `{origin.__name__}` cannot be decoded: it has an `InitVar`")
    if dataclasses.is_dataclass(origin):
        missing = dataclasses.MISSING
        return [
            _Field(f.name, f.name, hints[f.name], f.default is f.default_factory is missing, f.init)
            for f in dataclasses.fields(origin)
        ]
    return [
        _Field(f.name, f.name, hints[f.name], repr(f.default) == "NOTHING", f.init)
        for f in origin.__attrs_attrs__
    ]


def _of_generic(hint: Any, arguments: dict[Any, Any]) -> Any:
    if hint in arguments:
        return arguments[hint]
    free = getattr(hint, "__parameters__", ())
    if isinstance(hint, type) or not free or not arguments:
        return hint
    return hint[tuple(arguments.get(variable, variable) for variable in free)]


def _is_required(origin: Any, name: str, hint: Any) -> bool:
    # With postponed annotations, the class itself does not see `Required` and `NotRequired`.
    said = typing.get_origin(hint)
    return said is typing.Required or (
        said is not typing.NotRequired and name in origin.__required_keys__
    )


def _object(kind: Any, origin: Any) -> CallerType:
    parts = _fields(kind, origin)
    made_of = {part.name: part for part in parts}
    inner = {part.name: part.kind for part in parts if _holds_model(part.kind)}
    options: dict[str, Any] = {}
    if issubclass(origin, Struct):
        config = origin.__struct_config__
        options = {
            "tag_field": config.tag_field,
            "tag": config.tag,
            "forbid_unknown_fields": config.forbid_unknown_fields,
            "array_like": config.array_like,
        }
    elif _is_namedtuple(origin):
        options = {"array_like": True, "forbid_unknown_fields": True}

    def double_of(held: Callable[[Any], Any]) -> Any:
        return defstruct(
            origin.__name__,
            [
                (
                    f"f{i}",  # a name of the caller's need not be one of a Struct's
                    held(part.kind) if part.name in inner else _unwrapped(part.kind),
                    field(name=part.key) if part.required else field(default=UNSET, name=part.key),
                )
                for i, part in enumerate(parts)
            ],
            kw_only=True,
            **options,
        )

    double = double_of(lambda _: Raw)
    is_array = double.__struct_config__.array_like
    make = _maker(origin, made_of)

    def filled(value: Any, read: Read, path: str) -> Any:
        values = {}
        for i, part in enumerate(parts):
            item = getattr(value, f"f{i}")
            if type(item) is Raw and part.name in inner:
                place = f"{path}[{i}]" if is_array else f"{path}.{part.key}"
                item = read(part.kind, item, place)
            if item is not UNSET:
                values[part.name] = item
        try:
            return make(values)
        except (TypeError, ValueError) as error:  # of a `__post_init__`, as msgspec reports it
            raise msgspec.ValidationError(str(error)) from error

    can_be_direct = any(map(_is_spelled, inner.values()))
    direct = double_of(lambda kind: spelled(kind) if _is_spelled(kind) else Raw)
    return CallerType(double, tuple(inner.values()), filled, direct if can_be_direct else None)


def _is_spelled(kind: Any) -> bool:
    """Whether the C decoder reads a type by itself, once the types of an entry are spelled out."""
    return is_model(kind) and kinds_inside(kind).isdisjoint({LlmMessage, *SLICED})


def spelled(kind: Any) -> Any:
    """Return a type with the types of an entry in the place of `AgentMessage`."""
    kind = plain(kind)
    if is_union(kind):
        return union(map(spelled, typing.get_args(kind)))
    if typing.get_origin(kind) is list:
        item: Any = spelled(*typing.get_args(kind))
        return list[item]
    return kind


def _maker(origin: Any, fields: dict[str, _Field]) -> Callable[[dict[str, Any]], Any]:
    if _is_typeddict(origin):
        return dict
    late = [name for name, part in fields.items() if not part.in_constructor]
    aliases = {f.name: f.alias for f in getattr(origin, "__attrs_attrs__", ())}

    def make(values: dict[str, Any]) -> Any:
        later = {name: values.pop(name) for name in late if name in values}
        made = origin(**{aliases.get(name, name): value for name, value in values.items()})
        for name, value in later.items():
            object.__setattr__(made, name, value)
        return made

    return make


def _unwrapped(kind: Any) -> Any:
    while typing.get_origin(kind) in _WRAPPERS:
        kind = typing.get_args(kind)[0]
    return kind


def _is_object(kind: Any) -> bool:
    return isinstance(kind, type) and (
        issubclass(kind, Struct)
        or _is_typeddict(kind)
        or _is_namedtuple(kind)
        or dataclasses.is_dataclass(kind)
        or hasattr(kind, "__attrs_attrs__")
    )


def _is_typeddict(kind: Any) -> bool:
    return hasattr(kind, "__required_keys__")


def _is_namedtuple(kind: Any) -> bool:
    return issubclass(kind, tuple) and hasattr(kind, "_field_defaults")


# -- unions --------------------------------------------------------------------------------------


def _union(kind: Any) -> CallerType:
    """Read a union by what the data is: null, an array, an object by its tag, or anything else."""
    groups: dict[str, list[Any]] = {}
    for member in map(plain, typing.get_args(kind)):
        groups.setdefault(_form(member), []).append(member)
    if len(groups.get("array", ())) > 1:
        raise TypeError(f"type `{kind}` cannot be decoded: its arrays cannot be told apart")
    if not SLICED.isdisjoint(groups.get("scalar", ())):  # alone it is not a holder
        raise TypeError(f"type `{kind}` cannot be decoded: a raw value may be any of the others")
    tag_field, tags = _tags(kind, groups.pop("object", []))
    rest = {form: union(found) for form, found in groups.items()}
    parts = tuple(part for part in (*rest.values(), *tags.values()) if _holds_model(part))

    def filled(raw: Raw, read: Read, path: str) -> Any:
        form = _form_of(raw)
        chosen = rest.get(form)
        if form == "object" and tags:
            chosen = tags.get(None)
            if chosen is None:
                tag = read(_tag_reader(tag_field), raw, path).tag
                chosen = tags.get(tag)
                if chosen is None:
                    reason = unknown(tag_field, tag, map(str, tags))
                    raise msgspec.ValidationError(f"{reason} - at `$.{tag_field}`")
        if chosen is None:
            wanted = " or ".join(f"`{name}`" for name in [*rest, *(["object"] if tags else [])])
            raise msgspec.ValidationError(f"expected {wanted}, got `{form}`")
        return read(chosen, raw, path)

    return CallerType(Raw, parts, filled)


def _tags(kind: Any, objects: list[Any]) -> tuple[str, dict[Any, Any]]:
    """Return the tag field of the objects in a union, and tag -> type; a single one has no tag."""
    if len(objects) < 2:
        return "", dict.fromkeys([None][: len(objects)], *objects)
    ours = [member for member in objects if _is_item(member)]
    tags: dict[Any, Any] = {}
    fields = set()
    for member in objects:
        for struct in Message.__args__ if member is LlmMessage else [member]:
            config = getattr(typing.get_origin(struct) or struct, "__struct_config__", None)
            if config is None or config.tag_field is None or config.tag in tags:
                raise TypeError(f"type `{kind}` cannot be decoded: its objects need distinct tags")
            fields.add(config.tag_field)
            tags[config.tag] = union(ours) if member in ours else member
    if len(fields) > 1:
        raise TypeError(f"type `{kind}` cannot be decoded: its objects have several tag fields")
    return fields.pop(), tags


@cache
def _tag_reader(tag_field: str) -> Any:
    return defstruct("Tagged", [("tag", str | int, field(name=tag_field))])


def _form(kind: Any) -> str:
    if kind is type(None):
        return "null"
    origin = typing.get_origin(kind) or kind
    if origin is Annotated:
        return _form(typing.get_args(kind)[0])
    if origin in _LISTS or origin is tuple:
        return "array"
    if origin in _DICTS or kind is LlmMessage:
        return "object"
    if not _is_object(origin):
        return "scalar"
    is_array = _is_namedtuple(origin) or (
        issubclass(origin, Struct) and origin.__struct_config__.array_like
    )
    return "array" if is_array else "object"


def _form_of(raw: Raw) -> str:
    """Return what a slice holds."""
    view = memoryview(raw)
    if reading.get() is MSGPACK:
        return _PACKED_FORMS.get(view[0], "scalar")
    return _FORMS.get(bytes(view[:64]).lstrip()[:1] or bytes(view).lstrip()[:1], "scalar")


_MODEL: Final = "wireglot.model."
_NO_MEMBERS: Final = (UnsetType, AgentMessage)
"""Members of a caller's union that stand for none, and for several."""
_FORMS: Final = {b"n": "null", b"[": "array", b"{": "object"}
_PACKED_FORMS: Final = {
    0xC0: "null",
    **dict.fromkeys([*range(0x90, 0xA0), 0xDC, 0xDD], "array"),
    **dict.fromkeys([*range(0x80, 0x90), 0xDE, 0xDF], "object"),
}
_SETS: Final = frozenset({set, frozenset, abc.Set, abc.MutableSet})
_LISTS: Final = _SETS | {list, abc.Sequence, abc.MutableSequence, abc.Collection}
_DICTS: Final = frozenset({dict, abc.Mapping, abc.MutableMapping})
_WRAPPERS: Final = frozenset(
    {typing.Required, typing.NotRequired, getattr(typing, "ReadOnly", typing.Required)}
)
