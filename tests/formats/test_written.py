"""What a format writes of its own types, it reads: each optional field None, unset, and set."""

from typing import Any

import msgspec.inspect as types
import pytest
from msgspec import UNSET, Struct
from msgspec.structs import asdict, fields

import wireglot as wg
from wireglot.formats import phi_core

MEDIA = {"data", "data_base64", "blob"}
# Values that a type's own rules ask for, beside the types of its fields.
VALUES: dict[str, dict[str, Any]] = {
    "phi_core.StreamDelta": {"text": phi_core.Delta("a")},
    "phi_core.Continuation": {"rerun": phi_core.Marked("t")},
    "phi_core.SessionFormation": {"explicit": phi_core.Formed("t")},
    "langchain.Message": {"content": "a", "type": "human"},
    "langchain.Fields": {"content": "a"},
    "langchain.ToolCall": {"type": "tool_call"},
    "mcp.ResourceContents": {"text": "a"},
    "otel.BlobPart": {"content": "aGk=", "modality": "image"},
    "pydantic_ai.UserPromptPart": {"content": "a"},
}
# Built with other arguments than their fields, with fields that depend on a version of the system,
# of types that `msgspec.inspect` does not know, or a base of others.
OTHERS = """
    phi_core.LlmMessage ravi.BaseClientMessage
    ravi.AudioContent ravi.DocumentContent ravi.ImageContent ravi.VideoContent
    ravi.TextContent ravi.SystemMessage ravi.UserMessage ravi.AssistantMessage ravi.ToolCallMessage
    ravi.ToolExecutionResultMessage ravi.CompletionChunk operator_use.SessionContext
"""


def _name(kind: type) -> str:
    return f"{kind.__module__.split('.')[2]}.{kind.__name__}"


def _value(kind: Any, name: str) -> Any:
    """Return some value of a type."""
    if isinstance(kind, types.UnionType):
        return _value(next(k for k in kind.types if not isinstance(k, types.NoneType)), name)
    if isinstance(kind, types.Metadata):
        return _value(kind.type, name)
    if isinstance(kind, types.RawType):
        return "aGk=" if name in MEDIA else {"r": 1}
    if isinstance(kind, types.StructType):
        return _made(kind.cls)
    if isinstance(kind, types.LiteralType):
        return kind.values[0]
    if isinstance(kind, types.EnumType):
        return next(iter(kind.cls))
    if isinstance(kind, types.ListType):
        return [_value(kind.item_type, name)]
    if isinstance(kind, types.TupleType):
        return tuple(_value(item, name) for item in kind.item_types)
    if isinstance(kind, types.DictType):
        return {"k": _value(kind.value_type, name)}
    plain = {types.StrType: "x", types.IntType: 1, types.FloatType: 1.5, types.BoolType: True}
    return plain.get(type(kind), {"any": [1]})


def _made(kind: type[Struct], /, **given: Any) -> Any:
    values = {**VALUES.get(_name(kind), {}), **given}
    info = types.type_info(kind)
    assert isinstance(info, types.StructType)
    for part in info.fields:
        if part.required and part.name not in values:
            values[part.name] = _value(part.type, part.name)
    return kind(**values)


def _variants(kind: type[Struct]) -> Any:
    yield "as it is built", _made(kind)
    info = types.type_info(kind)
    assert isinstance(info, types.StructType)
    unset = {part.name for part in fields(kind) if part.default is UNSET}
    for part in info.fields:
        if part.name[0] == "_" or part.name in {"unknown", *VALUES.get(_name(kind), {})}:
            continue
        may_be_null = isinstance(part.type, types.UnionType) and part.type.includes_none
        for what, value in (
            ("null", None if may_be_null or part.name in unset else UNSET),
            ("set", _value(part.type, part.name)),
        ):
            if value is not UNSET:
                try:
                    yield f"{part.name} {what}", _made(kind, **{part.name: value})
                except (TypeError, ValueError):  # the type refuses it, which is all that is asked
                    continue


def _structs(module: Any) -> list[type[Struct]]:
    held = [getattr(module, name) for name in module.__all__]
    kinds = [kind for kind in held if isinstance(kind, type) and issubclass(kind, Struct)]
    return [kind for kind in dict.fromkeys(kinds) if _name(kind) not in OTHERS.split()]


KINDS = [
    pytest.param(module, kind, id=_name(kind))
    for module in wg.FORMATS.values()
    for kind in _structs(module)
]


def _bare(value: Any) -> Any:
    """Return a value with None for each field that is unset, which mean the same."""
    if isinstance(value, Struct):
        return {
            name: _bare(held)
            for name, held in asdict(value).items()
            if held is not None and held is not UNSET
        }
    return [_bare(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize(("module", "kind"), KINDS)
def test_every_type_is_read_as_it_was_written(module: Any, kind: type[Struct]) -> None:
    for what, value in _variants(kind):
        data = module.encode(value)
        assert _bare(module.decode(data, kind)) == _bare(value), what
        assert module.encode(module.decode(data, kind)) == data, what


def test_a_snapshot_that_is_none_is_left_out_as_phi_core_does() -> None:
    start = phi_core.AgentStart("a", "s", "l", None, "Initial", "t", config_snapshot=None)
    assert phi_core.encode(start) == (
        b'{"type":"AgentStart","agent_id":"a","session_id":"s","loop_id":"l",'
        b'"parent_loop_id":null,"continuation_kind":"Initial","timestamp":"t","metadata":null}'
    )
