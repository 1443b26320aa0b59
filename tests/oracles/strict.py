"""The layers of an oracle, for any provider: JSON, the SDK's types made strict, a table of rules.

An SDK's TypedDicts are too kind to judge by. Pydantic ignores their unknown keys, looks into an
`Iterable` only when somebody iterates, and a union for requests often admits the models of
responses, which take any key. `schema_of` rebuilds such a tree as one that is closed and eager.
"""

import functools
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import NoneType, UnionType
from typing import (
    IO,
    Annotated,
    Any,
    Literal,
    Never,
    NoReturn,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
)

import pydantic
from typing_extensions import TypedDict, get_type_hints, is_typeddict

Json = dict[str, Any]
Paths = Iterable[str]
Rule = Callable[[Json], Paths]


class OracleError(ValueError):
    """The provider would refuse this body, or read it in more than one way."""


# JSON


def read_json(body: bytes) -> Any:
    """Read `body` as RFC 8259 advises: UTF-8, each key once, no NaN, whole surrogate pairs."""
    try:
        text = body.decode()
        value = json.loads(text, object_pairs_hook=_each_key_once, parse_constant=_no_constant)
        json.dumps(value, ensure_ascii=False).encode()
    except OracleError:
        raise
    except UnicodeDecodeError as error:
        raise OracleError(f"json: not UTF-8 - at byte {error.start}") from error
    except UnicodeEncodeError as error:
        raise OracleError("json: half of a surrogate pair") from error
    except json.JSONDecodeError as error:
        raise OracleError(f"json: {error.msg} - at character {error.pos}") from error
    return value


def _each_key_once(pairs: list[tuple[str, Any]]) -> Json:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        raise OracleError(f"json: duplicate key {max(keys, key=keys.count)!r}")
    return value


def _no_constant(name: str) -> NoReturn:
    raise OracleError(f"json: {name} is not a JSON number")


# Schema


def check_schema(schema: pydantic.TypeAdapter[Any], request: Any) -> None:
    """Hold `request` against a `schema_of`, and tell of the fault that lies deepest.

    A plain union reports what is wrong for each of its members; the deepest is the one meant.
    """
    try:
        schema.validate_python(request, strict=True)
    except pydantic.ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)
        fault = max(reversed(faults), key=lambda fault: len(fault["loc"]))
        # Pydantic puts the types and tags that it tried between the keys.
        path = ".".join(part for part in map(str, fault["loc"]) if not re.search(r"[\[=]", part))
        raise OracleError(f"schema: {fault['msg']} - at {path or 'the body'}") from error


def schema_of(hint: Any) -> pydantic.TypeAdapter[Any]:
    """Build the schema of `hint`, an SDK's TypedDict or a union of them. Slow: build it once."""
    return pydantic.TypeAdapter(_strict(hint))


def _strict(hint: Any) -> Any:
    """Rebuild a type: unknown keys refused, each iterable a list, `Never` for what is no JSON.

    No JSON are a request's conveniences: models of responses, open files and paths. A type that
    contains itself would recurse for ever; no request has one.
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if is_typeddict(hint):
        return _strict_dict(hint)
    if origin in (Union, UnionType):
        members = [_strict(member) for member in arguments]
        return _strict_union([member for member in members if member is not Never])
    if origin is Annotated:
        inner = _strict(arguments[0])
        return Never if inner is Never else Annotated[(inner, *arguments[1:])]
    if origin in (list, Iterable, Sequence):
        return list[_strict(arguments[0])]
    if origin is dict:
        return dict[str, _strict(arguments[1])]
    if (origin or hint) in (IO, os.PathLike) or isinstance(hint, type(pydantic.BaseModel)):
        return Never
    return hint


@functools.cache
def _strict_dict(hint: Any) -> Any:
    keys = {}
    for key, value in get_type_hints(hint, include_extras=True).items():
        is_required = key in hint.__required_keys__
        # Under `from __future__ import annotations` only the resolved hint knows its marker.
        if get_origin(value) in (Required, NotRequired):
            is_required = get_origin(value) is Required
            (value,) = get_args(value)
        keys[key] = (Required if is_required else NotRequired)[_strict(value)]
    twin = TypedDict(hint.__name__, keys)
    twin.__pydantic_config__ = {"extra": "forbid"}
    return twin


def _strict_union(members: list[Any]) -> Any:
    dicts = [member for member in members if is_typeddict(member)]
    rest = [member for member in members if not is_typeddict(member)]
    return Union[(*_tagged(dicts), *rest)] if members else Never


def _tagged(dicts: list[Any]) -> list[Any]:
    """Join `dicts` by the key that tells them apart, if one does; a fault then names its block."""
    for key in get_type_hints(dicts[0]) if len(dicts) > 1 else ():
        owners = [(tag, member) for member in dicts for tag in _tags(member, key) or [""]]
        tags = [tag for tag, _ in owners]
        if all(tags) and len(set(tags)) == len(tags):
            choices = (Annotated[member, pydantic.Tag(tag)] for tag, member in owners)
            return [Annotated[Union[(*choices,)], _discriminator(key, tags)]]
    return dicts


def _tags(typed_dict: Any, key: str) -> list[str]:
    """Name what `key` may hold if those are literals; `None` also stands for a key left out."""
    hint = get_type_hints(typed_dict).get(key)
    options = get_args(hint) if get_origin(hint) is Union else (hint,)
    if any(get_origin(option) is not Literal for option in options if option is not NoneType):
        return []
    values = [value for option in options for value in get_args(option)]
    if NoneType in options or key not in typed_dict.__required_keys__:
        values.append(None)
    return [f"{key}={value}" for value in values]


def _discriminator(key: str, tags: list[str]) -> pydantic.Discriminator:
    def tag(value: Any) -> str | None:
        return f"{key}={value.get(key)}" if isinstance(value, dict) else None

    message = f"Input should be an object with one of {', '.join(tags)}"
    return pydantic.Discriminator(tag, custom_error_type="tag", custom_error_message=message)


def check_model(kind: Any, value: Any) -> None:
    """Hold JSON of an answer against an SDK's model (or a union of them), unknown keys refused.

    The models take any key, and keep it as an extra.
    """
    try:
        made = _adapter(kind).validate_python(value)
    except pydantic.ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)
        fault = max(reversed(faults), key=lambda fault: len(fault["loc"]))
        path = ".".join(map(str, fault["loc"]))
        raise OracleError(f"schema: {fault['msg']} - at {path or 'the body'}") from error
    for path in _unknown(made, "$"):
        raise OracleError(f"schema: unknown key - at {path}")


@functools.cache
def _adapter(kind: Any) -> pydantic.TypeAdapter[Any]:
    return pydantic.TypeAdapter(kind)


def _unknown(made: Any, path: str) -> Iterator[str]:
    if isinstance(made, pydantic.BaseModel):
        yield from (f"{path}.{key}" for key in made.model_extra or ())
        for key in type(made).model_fields:
            yield from _unknown(getattr(made, key), f"{path}.{key}")
    elif isinstance(made, list):
        for i, item in enumerate(made):
            yield from _unknown(item, f"{path}[{i}]")


# Rules


def check_rules(rules: Iterable[Rule], request: Json) -> None:
    """Run every rule over `request`; a rule yields the path of each place that breaks it."""
    faults = [f"{sentence(rule)} - at {path}" for rule in rules for path in rule(request)]
    if faults:
        raise OracleError("\n".join(faults))


def sentence(rule: Rule) -> str:
    """Name `rule` as its messages do."""
    return rule.__name__.replace("_", " ")
